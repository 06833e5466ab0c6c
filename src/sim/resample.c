/* SPDX-License-Identifier: MIT
 *
 * The state of one simulation on the grid of another.
 *
 * A value of the new grid is interpolated linearly along each axis between the values of the old
 * one. On a coarser grid it is the mean of as many evenly spaced samples along an axis as old cells
 * lie under a new one. Each velocity component is sampled at its own faces: on a coarser grid along
 * the two axes of the face alone, so that the flow through the face stays.
 *
 * Interpolation changes the integral of a scalar a little, so the new values are scaled:
 *
 *     q' = q S / S'      S = h^3 sum of the old values, S' the same of the new ones
 *
 * separately for positive and negative values, of which S' is then never close to 0 unless S is.
 * Sums are in double, per plane, added in the order of the planes.
 *
 * Cells inside solids are left out of the interpolation and stay empty. */
#include "sim/growth.h"
#include "sim/state.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "sim/fields/boundary.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* -- one field --------------------------------------------------------------------------------- */

/* How the elements of a field lie along an axis of the old and of the new grid. The positions are
 * those of the old elements, counted from the first one. */
typedef struct Along {
    double first;   /* position of the middle of the first new element */
    double spacing; /* distance between new elements */
    int samples;    /* per new element */
    int last;       /* index of the last old element */
    bool wraps;
} Along;

/* Two neighbouring old elements, and the share of the second. */
typedef struct Between {
    int low, high;
    double share;
} Between;

typedef struct ResampleTask {
    BillowSim *to;
    const BillowSim *from;
    const Grid *old_grid, *new_grid; /* of the wind or of the smoke */
    int axis;                        /* of a velocity component; -1 = a field of cells */
    const float *old;
    float *new;
    int n[3]; /* new elements along each axis */
    Along along[3];
    bool masked;      /* leaves out the cells of solids */
    double factor[2]; /* on positive and on negative values */
} ResampleTask;

static Between between(const Along *along, int element, int sample)
{
    double offset = (sample + 0.5) / along->samples - 0.5;
    double x = along->first + (element + offset) * along->spacing;
    if (along->wraps && x < 0)
        x += along->last + 1;
    x = fmax(x, 0);
    if (!along->wraps)
        x = fmin(x, along->last);
    int low = (int)x;
    low = low < along->last ? low : along->last;
    int high = low < along->last ? low + 1 : along->wraps ? 0 : low;
    return (Between){low, high, x - low};
}

/* Adds a row of old elements, times `weight`, to a row of sums. known: the sum of the weights of
 * the elements that lie outside of solids. */
static void add_row(const ResampleTask *task, int j, int k, double weight, double *sums,
                    double *known)
{
    ptrdiff_t at = grid_row(task->old_grid, j, k);
    int count = task->along[0].last + 1;
    if (weight == 0)
        return;
    const float *row = task->old + at;
    if (!task->masked) {
        for (int i = 0; i < count; i++)
            sums[i] += weight * (double)row[i];
        return;
    }
    for (int i = 0; i < count; i++) {
        double share = smoke_is_fluid(task->from, (const int[3]){i, j, k}) ? weight : 0;
        sums[i] += share * (double)row[i];
        known[i] += share;
    }
}

/* Interpolates the old elements along y and z to the new row (j, k). */
static void gather_row(const ResampleTask *task, int j, int k, double *sums, double *known)
{
    const Along *y = &task->along[1], *z = &task->along[2];
    size_t bytes = (size_t)(task->along[0].last + 1) * sizeof *sums;
    memset(sums, 0, bytes);
    memset(known, 0, bytes);
    for (int sz = 0; sz < z->samples; sz++) {
        Between across = between(z, k, sz);
        for (int sy = 0; sy < y->samples; sy++) {
            Between up = between(y, j, sy);
            add_row(task, up.low, across.low, (1 - up.share) * (1 - across.share), sums, known);
            add_row(task, up.high, across.low, up.share * (1 - across.share), sums, known);
            add_row(task, up.low, across.high, (1 - up.share) * across.share, sums, known);
            add_row(task, up.high, across.high, up.share * across.share, sums, known);
        }
    }
}

static float sample_row(const ResampleTask *task, int i, const double *sums, const double *known)
{
    const Along *x = &task->along[0];
    double sum = 0, weight = 0;
    for (int s = 0; s < x->samples; s++) {
        Between at = between(x, i, s);
        sum += sums[at.low] + at.share * (sums[at.high] - sums[at.low]);
        weight += known[at.low] + at.share * (known[at.high] - known[at.low]);
    }
    if (!task->masked)
        weight = (double)x->samples * task->along[1].samples * task->along[2].samples;
    return weight > 0 ? (float)(sum / weight) : 0;
}

static void sample_task(void *context, Team team)
{
    const ResampleTask *task = context;
    Slab slab = team_slab(team, task->n[2]);
    double sums[BILLOW_GRID_MAX + 1], known[BILLOW_GRID_MAX + 1];
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < task->n[1]; j++) {
            ptrdiff_t at = grid_row(task->new_grid, j, k);
            gather_row(task, j, k, sums, known);
            for (int i = 0; i < task->n[0]; i++)
                task->new[at + i] =
                    task->masked && !smoke_is_fluid(task->to, (const int[3]){i, j, k})
                        ? 0
                        : sample_row(task, i, sums, known);
        }
}

/* Places the elements of a field along an axis. faces: the field's elements are the faces across
 * this axis; they include both walls. */
static Along place_along(const ResampleTask *task, int axis, bool faces)
{
    const BillowDef *old = &task->from->def, *new = &task->to->def;
    double h = (double)old->cell_size * old->nx / task->old_grid->nx;
    double ratio = (double)new->cell_size *new->nx / task->new_grid->nx / h;
    double shift = ((double)new->origin[axis] - (double)old->origin[axis]) / h;
    return (Along){
        .first = faces ? shift : shift + 0.5 * ratio - 0.5,
        .spacing = ratio,
        .samples = faces ? 1 : (int)fmax(ceil(ratio - 1e-3), 1),
        .last = task->old_grid->cells[axis] - (faces ? 0 : 1),
        .wraps = !faces && boundary_wraps(old, axis),
    };
}

static ResampleTask task_of(BillowSim *to, const BillowSim *from, const StateField *old,
                            const StateField *new)
{
    const int axis = new->axis;
    ResampleTask task = {
        .to = to,
        .from = from,
        .old_grid = old->grid,
        .new_grid = new->grid,
        .old = old->values,
        .new = new->values,
        .axis = axis,
    };
    task.masked = axis < 0 && !new->texture && from->solids != NULL && to->solids != NULL;
    for (int a = 0; a < 3; a++) {
        task.along[a] = place_along(&task, a, a == axis);
        task.n[a] = new->grid->cells[a] + (a == axis ? 1 : 0);
    }
    return task;
}

/* -- amounts ----------------------------------------------------------------------------------- */

typedef struct SumTask {
    const BillowSim *sim;
    const float *field;
} SumTask;

/* Sums the positive values of each plane of the smoke, and the negative ones. */
static void sum_task(void *context, Team team)
{
    const SumTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->smoke.grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        double above = 0, below = 0;
        for (int j = 0; j < grid->ny; j++) {
            const float *row = task->field + grid_row(grid, j, k);
            for (int i = 0; i < grid->nx; i++) {
                above += row[i] > 0 ? (double)row[i] : 0;
                below += row[i] < 0 ? (double)row[i] : 0;
            }
        }
        sim->plane_budgets[k].scalars[0].sum = above;
        sim->plane_budgets[k].scalars[1].sum = below;
    }
}

/* The integrals of the positive and of the negative values over the box. */
static void sum_field(const BillowSim *sim, const float *field, double integral[2])
{
    SumTask task = {sim, field};
    team_run(sim->threads, sum_task, &task); /* writes only sums of planes */
    for (int sign = 0; sign < 2; sign++) {
        integral[sign] = 0;
        for (int k = 0; k < sim->smoke.grid.nz; k++)
            integral[sign] += sim->plane_budgets[k].scalars[sign].sum * smoke_cell_volume(sim);
    }
}

static void scale_task(void *context, Team team)
{
    const ResampleTask *task = context;
    Slab slab = team_slab(team, task->n[2]);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < task->n[1]; j++) {
            float *row = task->new + grid_row(task->new_grid, j, k);
            for (int i = 0; i < task->n[0]; i++)
                row[i] = (float)((double)row[i] * task->factor[row[i] < 0]);
        }
}

/* Scales a sampled scalar to its old integral over the box. */
static void keep_amount(ResampleTask *task)
{
    double before[2], after[2];
    sum_field(task->from, task->old, before);
    sum_field(task->to, task->new, after);
    for (int sign = 0; sign < 2; sign++)
        task->factor[sign] = after[sign] != 0 ? before[sign] / after[sign] : 1;
    team_run(task->to->threads, scale_task, task);
}

/* -- the whole state --------------------------------------------------------------------------- */

static void copy_task(void *context, Team team)
{
    const ResampleTask *task = context;
    Slab slab = team_slab(team, task->n[2]);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < task->n[1]; j++)
            memcpy(task->new + grid_row(task->new_grid, j, k),
                   task->old + grid_row(task->old_grid, j, k), (size_t)task->n[0] * sizeof(float));
}

static void copy_pressure(BillowSim *to, const BillowSim *from)
{
    const Level *ours = &to->multigrid.levels[0], *theirs = &from->multigrid.levels[0];
    Packed old = grid_packed(&from->grid, from->pressure),
           new = grid_packed(&to->grid, to->pressure);
    for (int k = 0; k < to->grid.nz; k++)
        for (int j = 0; j < to->grid.ny; j++) {
            float row[BILLOW_GRID_MAX];
            level_unpack_row(theirs, old, j, k, row);
            level_pack_row(ours, row, j, k, new);
        }
    for (int k = 0; k < to->grid.nz; k++)
        level_wrap(ours, k);
}

/* Copies the fields of a simulation on the same grid, or samples those of one on another. */
static void copy_fields(BillowSim *to, const BillowSim *from, bool same)
{
    StateField old[SIM_FIELDS_MAX], new[SIM_FIELDS_MAX];
    int count = sim_state_fields(from, old);
    sim_state_fields(to, new);
    for (int f = 0; f < count; f++) {
        ResampleTask task = task_of(to, from, &old[f], &new[f]);
        if (same)
            team_run(to->threads, copy_task, &task);
        else
            team_run(to->threads, sample_task, &task);
        if (!same && new[f].axis < 0 && !new[f].texture)
            keep_amount(&task);
    }
    smoke_fill(to);
    if (same)
        copy_pressure(to, from);
    else
        memset(grid_memory(&to->grid, to->pressure), 0, to->grid.field_floats * sizeof(float));
}

static bool same_grid(const BillowDef *a, const BillowDef *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->refine == b->refine &&
           a->cell_size == b->cell_size && memcmp(a->origin, b->origin, sizeof a->origin) == 0;
}

static void end_of_box(const BillowDef *def, int axis, double ends[2])
{
    const int n[3] = {def->nx, def->ny, def->nz};
    ends[0] = (double)def->origin[axis];
    ends[1] = ends[0] + n[axis] * (double)def->cell_size;
}

/* Whether the boxes agree to within a cell of the coarser grid, and along periodic axes to within a
 * hundredth of one. Unbounded sides of `to` may lie further out. */
static bool check_boxes(const BillowDef *to, const BillowDef *from, BillowError *error)
{
    double h = fmax((double)to->cell_size, (double)from->cell_size);
    for (int axis = 0; axis < 3; axis++) {
        double ours[2], theirs[2], most = boundary_wraps(to, axis) ? 0.01 * h : 1.0001 * h;
        end_of_box(to, axis, ours);
        end_of_box(from, axis, theirs);
        bool low =
            ours[0] - theirs[0] <= most && (to->unbounded[2 * axis] || theirs[0] - ours[0] <= most);
        bool high = theirs[1] - ours[1] <= most &&
                    (to->unbounded[2 * axis + 1] || ours[1] - theirs[1] <= most);
        if (!low || !high)
            return fail(error,
                        "along %c the two boxes must agree to within %g m, not be %g to %g m and "
                        "%g to %g m",
                        "xyz"[axis], most, theirs[0], theirs[1], ours[0], ours[1]);
    }
    return true;
}

/* -- another resolution ------------------------------------------------------------------------ */

/* Moves the sides of an unbounded box as far as those of `from` have moved, rounded up. */
static bool enclose(BillowSim *sim, const BillowSim *from, BillowError *error)
{
    int theirs[BILLOW_SIDES], ours[BILLOW_SIDES], moved[BILLOW_SIDES];
    double ratio = (double)from->def.cell_size / (double)sim->def.cell_size;
    growth_moved(from, theirs);
    growth_moved(sim, ours);
    for (int side = 0; side < BILLOW_SIDES; side++)
        moved[side] = sim->def.unbounded[side]
                          ? GROWTH_CELLS * (int)ceil(theirs[side] * ratio / GROWTH_CELLS - 1e-4)
                          : 0;
    if (memcmp(moved, ours, sizeof moved) == 0)
        return check_boxes(&sim->def, &from->def, error);
    BillowSim *other = growth_create(sim, moved, error);
    if (other != NULL && check_boxes(&other->def, &from->def, error)) {
        sim_become(sim, other);
        return true;
    }
    billow_destroy(other);
    return false;
}

/* Gives every rank the whole state, because the planes of the new grid have other owners. */
static void exchange_state(const BillowSim *from)
{
    StateField fields[SIM_FIELDS_MAX];
    const Slab whole = {0, from->grid.nz + 1};
    int count = sim_state_fields(from, fields);
    for (int f = 0; f < count; f++)
        exchange_whole_fields(sim_alone(from), fields[f].grid, &fields[f].values, 1,
                              (Slab){0, fields[f].grid->nz + 1});
    level_exchange_whole(&from->multigrid.levels[0], grid_packed(&from->grid, from->pressure),
                         whole, sim_alone(from));
}

bool billow_resample(BillowSim *sim, const BillowSim *from, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(sim != NULL && from != NULL);
    if (sim == from)
        return true;
    if (!state_kinds_check(&from->def, &sim->def, error) || !enclose(sim, from, error) ||
        !sim_provide_before(sim, &from->def.params, error))
        return false;
    if (from->ranks != NULL)
        exchange_state(from);
    bool same = same_grid(&sim->def, &from->def);
    state_copy_values(sim, from);
    copy_fields(sim, from, same);
    if (same)
        return true;
    double finer = (double)from->def.cell_size / (double)sim->def.cell_size;
    double cells = finer * finer * finer;
    sim->flame_sum *= cells;
    double ratio = (double)sim->smoke.refine / from->smoke.refine;
    double smoke = cells * ratio * ratio * ratio;
    for (int s = 0; s < SCALARS_MAX && sim->solids != NULL; s++)
        sim->solids->owed[s] *= smoke;
    sim->projected_dt = 0; /* there is no pressure */
    sim->touched = true;   /* the next step sums the fields and projects the velocity */
    return true;
}
