/* SPDX-License-Identifier: MIT
 *
 * Stages 2 and 8: semi-Lagrangian advection (Stam 1999). The value at a point x after dt comes from
 *
 *     x - d,  d = dt * u(x - dt/2 * u(x))          (midpoint rule)
 *
 * One displacement field d at the cell centres serves every field. A face uses the mean of the
 * displacements of its two cells. The velocity that advects the scalars at the end of a substep
 * also advects the velocity at the start of the next substep. While dt stays the same, d is
 * therefore computed once per substep.
 *
 * MacCormack's scheme (Selle, Fedkiw, Kim, Liu, Rossignac 2008) advects the result back along the
 * same displacement. Each of the two passes loses half of what the round trip loses:
 *
 *     result = predictor + (field - back(predictor)) / 2,   predictor = semi-Lagrangian
 *
 * The result is clamped to the range of the values from which the predictor was interpolated. Near
 * a boundary the result is the predictor. MacCormack uses the straight displacement, d = dt * u(x).
 * A round trip ends at
 *
 *     x + d(x) - d(x + d(x)) = x - dt^2 (u . grad) u,
 *
 * which differs from x by twice the error of one pass. The correction therefore removes the error
 * in time as well. The d of the midpoint rule has no such error. With that d the correction would
 * introduce one, and would create smoke where the flow turns: four times as much in a closed box
 * after four seconds.
 *
 * To the velocity in a box that a stream can cross, step.c gives the displacements of the midpoint
 * rule along the mean velocity v of parcels. Corrected, they are dt * v(x - d), the velocity of the
 * parcel that arrives, where it departed.
 *
 * Air outside an open face is ambient and still: every advected field is 0 there. If the advected
 * velocity continued beyond the face, a draught through two open faces would sustain itself for
 * ever. At walls, and for the velocity that advects, samplers use the nearest value inside or the
 * value that the face gives (boundary.h). */
#include "sim/advection/advect.h"
#include "sim/advection/conserve.h"
#include "sim/sim.h"
#include "sim/sources/sources.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/fields/constants.h"
#include "sim/follow/follow.h"
#include "sim/kernels/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Largest number of scalars that one pass advects. Each scalar needs one field of SCRATCH_ARRIVING,
 * or two with MacCormack. */
enum { TOGETHER = 2, TOGETHER_CORRECTED = 1 };

typedef struct AdvectTask {
    BillowSim *sim;
    Sampler velocity[3];               /* the velocity that advects */
    SampleBounds components[3];        /* bounds of each component as an advected field */
    SampleBounds cells;                /* bounds of every scalar */
    SampleBounds inner[3], trusted[3]; /* of each component, for MacCormack's correction */
    float step;                        /* dt / cell size, s/m */
    float limit;                       /* largest speed, m/s */
    float *out[3];                     /* new components */
    float *predictor; /* of the component that MacCormack advects; NULL without it */
    bool straight;    /* whether displacements are straight, dt * u(x) */
    bool displaced;   /* whether SCRATCH_DISPLACEMENT is already filled */
    Advected scalars[TOGETHER];
    int scalar_count, kind; /* kind of the first: SCALAR_DENSITY and so on */
    Corrected scalars_corrected[TOGETHER];
    bool correct;  /* whether MacCormack corrects */
    bool budgeted; /* whether the first scalar is density, whose losses are added to the mass budget
                    */
    bool summed; /* whether to sum the density that remains, from which the dissipated mass follows
                  */
    bool statistics; /* whether to compute the step's statistics on the way */
    int arriving;    /* planes of other ranks, beside this one's, that are on their way; 0: none */
} AdvectTask;

/* Whether only the velocity of a region changes, and the rest stays: in the far field. */
static bool is_in_place(const BillowSim *sim)
{
    return sim->region != NULL && sim->follow == NULL;
}

static const float *corner(const Grid *grid, const float *field)
{
    return field - grid->stride_z - grid->stride_y - 1;
}

static AdvectTask advect_task(BillowSim *sim, double dt)
{
    const Grid *grid = &sim->grid;
    double step = dt / (double)sim->def.cell_size;
    AdvectTask task = {.sim = sim,
                       .step = (float)step,
                       .limit = (float)(SPEED_LIMIT_CELLS / step),
                       .straight = params_second_order(&sim->def.params),
                       .correct = params_second_order(&sim->def.params)};
    for (int axis = 0; axis < 3; axis++) {
        SampleBounds bounds = bounds_of_faces(&sim->def, &sim->grid, axis);
        bounds = bounds_with_given(&sim->def, bounds, axis);
        task.velocity[axis] = (Sampler){corner(grid, sim->velocity[axis]), bounds};
        task.components[axis] = bounds_short_of_next(bounds_with_open(&sim->def, bounds), axis);
        SampleBounds faces = bounds_of_faces(&sim->def, grid, axis);
        task.inner[axis] = bounds_well_inside(faces);
        task.trusted[axis] = bounds_with_mirrors(&sim->def, faces, axis);
    }
    task.cells = bounds_with_open(
        &sim->def,
        bounds_with_given(&sim->def, bounds_of_cells(&sim->def, &sim->grid), SCALAR_DENSITY));
    return task;
}

/* Fields whose ghosts are filled: of the velocity and of listed scalars. */
typedef struct GhostTask {
    const BillowSim *sim;
    float *fields[3 + SCALARS_MAX];
    int kinds[3 + SCALARS_MAX];
    int count, reach, scalar_reach;
} GhostTask;

static void ghost_task(void *context, Team team)
{
    const GhostTask *task = context;
    const BillowSim *sim = task->sim;
    for (int f = 0; f < task->count; f++)
        boundary_fill(&sim->def, &sim->grid, task->kinds[f], task->fields[f], team);
    team_barrier(team);
    exchange_fields(team, &sim->grid, task->fields, 3, task->reach);
    if (task->count > 3)
        exchange_fields(team, &sim->grid, task->fields + 3, task->count - 3, task->scalar_reach);
    for (int f = 0; f < task->count; f++)
        boundary_fill_ends(&sim->def, &sim->grid, task->kinds[f], task->fields[f], team);
}

/* Begins to fetch the planes of a task without ghosts. Returns how many are on their way. */
static int begin_fetch(const GhostTask *task)
{
    const BillowSim *sim = task->sim;
    PlaneField list[3 + SCALARS_MAX];
    for (int f = 0; f < task->count; f++) {
        list[f] = planes_of(&sim->grid, task->fields[f]);
        list[f].reach = f < 3 ? task->reach : task->scalar_reach;
    }
    exchange_begin(sim_alone(sim), list, task->count);
    if (sim->ranks == NULL)
        return 0;
    return task->reach > task->scalar_reach ? task->reach : task->scalar_reach;
}

/* Fills the ghosts of the velocity and of the listed scalars, and fetches the planes up to `reach`
 * and `scalar_reach` beyond those of this rank. Returns how many planes are on their way, which
 * exchange_finish waits for; 0: none. */
static int fill_ghosts(BillowSim *sim, int reach, const Scalar *list, int count, int scalar_reach)
{
    GhostTask task = {.sim = sim, .count = 3 + count, .reach = reach, .scalar_reach = scalar_reach};
    for (int f = 0; f < task.count; f++) {
        task.fields[f] = f < 3 ? sim->velocity[f] : *list[f - 3].field;
        task.kinds[f] = f < 3 ? f : list[f - 3].kind;
    }
    if (!boundary_has_ghosts(&sim->def))
        return begin_fetch(&task);
    sim_run(sim, ghost_task, &task);
    return 0;
}

/* -- planes of other ranks --------------------------------------------------------------------- */

/* A pass over planes, with an argument of its own. */
typedef void AdvectPass(const AdvectTask *task, const void *detail, Slab planes);

/* Runs a pass on all planes: while planes of other ranks are on their way, on those that do not
 * need them, and then on the others. Ends without a barrier. */
static void run_pass(const AdvectTask *task, AdvectPass *pass, const void *detail, int arriving,
                     Team team)
{
    int planes = task->sim->grid.nz;
    Slab outer[2];
    if (arriving == 0) {
        pass(task, detail, team_slab(team, planes));
        return;
    }
    pass(task, detail, exchange_inner(team, planes, arriving));
    exchange_finish(team);
    exchange_outer(team, planes, arriving, outer);
    pass(task, detail, outer[0]);
    pass(task, detail, outer[1]);
}

/* Planes from which displacements over dt are computed. most: largest speed along z, m/s. */
static int displacing_reach(const BillowSim *sim, const AdvectTask *task, double most)
{
    return task->straight ? 2 : sample_reach(sim, 0.5 * most * (double)task->step);
}

/* Whether no displacement along z is longer than the largest speed times dt: samples lie between
 * faces. Ghosts can be faster. */
static bool speed_bounds_displacement(const BillowSim *sim)
{
    return !boundary_has_ghosts(&sim->def) && !params_conserve(&sim->def.params);
}

/* Planes from which samples are interpolated then. most: largest speed along z, m/s. */
static int flow_reach(const BillowSim *sim, double most, double dt)
{
    const double rounding = 1 + 1e-6;
    return sample_reach(sim, rounding * most * dt / (double)sim->def.cell_size);
}

int displacement_reach(const BillowSim *sim, double dt)
{
    if (!speed_bounds_displacement(sim))
        return sample_reach(sim,
                            sample_most(sim, scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT)[2]));
    return flow_reach(sim, sample_most(sim, sim->velocity[2]), dt);
}

/* Fetches the displacements beside the rank's planes. */
static void fetch_displacement(const BillowSim *sim)
{
    exchange_fields(sim_alone(sim), &sim->grid, scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT), 3,
                    1);
}

/* -- new values -------------------------------------------------------------------------------- */

/* clear_beyond for rows that the band contains. */
static void clear_beyond_region(const BillowSim *sim, float *field, int axis, Team team)
{
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_BAND, k);
        for (int j = rows.begin; j < rows.end; j++) {
            Span span = active_span(sim, ACTIVE_BAND, j, k);
            size_t bytes = (size_t)(span.end - span.begin) * sizeof *field;
            if (axis != 0 && span.end == grid->nx)
                field[grid_row(grid, j, k) + grid->nx] = 0;
            if (axis != 1 && j == grid->ny - 1)
                memset(field + grid_row(grid, grid->ny, k) + span.begin, 0, bytes);
            if (axis == 1 && j == 0)
                memset(field + grid_row(grid, -1, k) + span.begin, 0, bytes);
            if (axis != 2 && k == grid->nz - 1)
                memset(field + grid_row(grid, j, grid->nz) + span.begin, 0, bytes);
        }
    }
}

/* Clears the elements of a buffer beyond its last cell or face, because the buffer may have stored
 * another kind of field (grid.h). `axis`: axis of the velocity component to store; -1 for a field
 * of cells. Each worker clears its slab. */
static void clear_beyond(const BillowSim *sim, float *field, int axis, Team team)
{
    const Grid *grid = &sim->grid;
    if (sim->region != NULL) {
        clear_beyond_region(sim, field, axis, team);
        return;
    }
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < grid->ny && axis != 0; j++)
            field[grid_row(grid, j, k) + grid->nx] = 0;
        if (axis != 1)
            memset(field + grid_row(grid, grid->ny, k), 0, (size_t)grid->nx * sizeof *field);
        else /* the row beyond the ceiling is the next plane's ghost row below the floor */
            memset(field + grid_row(grid, -1, k + 1) - 1, 0,
                   (size_t)(grid->nx + 2) * sizeof *field);
    }
    if (axis == 1 && team.ranks != NULL && team.index == 0) /* of the rank below */
        memset(field + grid_row(grid, -1, slab.begin) - 1, 0,
               (size_t)(grid->nx + 2) * sizeof *field);
    if (axis != 2 && team.index == team.count - 1)
        for (int j = 0; j < grid->ny; j++)
            memset(field + grid_row(grid, j, grid->nz), 0, (size_t)grid->nx * sizeof *field);
}

/* Index of row or plane i. An index beyond the ends is wrapped around or clamped. */
static int beside(int i, int n, bool wraps)
{
    if (wraps)
        return i < 0 ? i + n : i >= n ? i - n : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Rows from element `begin` on. */
static Rows rows_from(Rows rows, int begin)
{
    return (Rows){rows.x + begin, rows.y + begin, rows.z + begin};
}

static Rows displacement_row(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    j = beside(j, grid->ny, boundary_wraps(&sim->def, 1));
    k = beside(k, grid->nz, boundary_wraps(&sim->def, 2));
    ptrdiff_t at = grid_row(grid, j, k);
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    return (Rows){d[0] + at, d[1] + at, d[2] + at};
}

/* Prefetches a row of plane k + 1, some rows ahead. Sampling accesses memory irregularly and
 * reaches the plane above first. Prefetching makes all of advection a third faster. */
PREFETCHING void prefetch_sampled(const Grid *grid, const float *field, int j, int k)
{
    enum { AHEAD = 6 };
    const Region *window = &grid->window;
    prefetch_row(field + grid_row(grid, j + AHEAD, k + 1) + window->low[0],
                 window->high[0] - window->low[0]);
}

PREFETCHING void prefetch_displacement(const BillowSim *sim, int j, int k)
{
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    for (int axis = 0; axis < 3; axis++)
        prefetch_sampled(&sim->grid, d[axis], j, k - 1);
}

/* Density that n cells lose through their faces at a side of the box: the sum of density times
 * outward speed, m/s. 0 if the side is neither open nor an inflow. */
static double leaving(const BillowSim *sim, BillowSide side, const float *faces,
                      const float *density, int n)
{
    double sum = 0;
    float outwards = side % 2 == 0 ? -1 : 1; /* sign of a velocity that leaves the box */
    bool inflow = sim->def.faces[side] == BILLOW_INFLOW;
    if (sim->def.faces[side] != BILLOW_OPEN && !inflow)
        return 0;
    float brought = inflow ? sim->def.boundaries[side].smoke : 0;
    for (int i = 0; i < n; i++) {
        float speed = outwards * faces[i];
        sum += (double)speed * (double)(speed > 0.0f ? density[i] : brought);
    }
    return sum;
}

static double leaving_row(const BillowSim *sim, int j, int k)
{
    const Grid *grid = &sim->grid;
    Span span = active_span(sim, ACTIVE_CELLS, j, k);
    if (span_is_empty(span))
        return 0;
    ptrdiff_t at = grid_row(grid, j, k) + span.begin;
    int nx = span.end - span.begin;
    const float *density = sim->density + at, *u = sim->velocity[0] + at,
                *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
    double sum = leaving(sim, BILLOW_LEFT, u, density, span.begin == 0) +
                 leaving(sim, BILLOW_RIGHT, u + nx, density + nx - 1, span.end == grid->nx);
    if (j == 0)
        sum += leaving(sim, BILLOW_FLOOR, v, density, nx);
    if (j == grid->ny - 1)
        sum += leaving(sim, BILLOW_CEILING, v + grid->stride_y, density, nx);
    if (k == 0)
        sum += leaving(sim, BILLOW_BACK, w, density, nx);
    if (k == grid->nz - 1)
        sum += leaving(sim, BILLOW_FRONT, w + grid->stride_z, density, nx);
    return sum;
}

static double row_sum(const float *row, int n)
{
    enum { PARTS = 8 };
    double parts[PARTS] = {0}, sum = 0;
    int whole = n - n % PARTS;
    for (int i = 0; i < whole; i += PARTS)
        for (int part = 0; part < PARTS; part++)
            parts[part] += (double)row[i + part];
    for (int i = whole; i < n; i++)
        sum += (double)row[i];
    for (int part = 0; part < PARTS; part++)
        sum += parts[part];
    return sum;
}

/* Adds to the mass budget what row (j, k) lost and kept. Runs after its density has been advected.
 */
static void budget_row(const AdvectTask *task, int j, int k)
{
    const BillowSim *sim = task->sim;
    PlaneBudget *budget = &sim->plane_budgets[k];
    const Grid *grid = &sim->grid;
    if (!task->budgeted)
        return;
    budget->leaving += leaving_row(sim, j, k);
    Span span = active_span(sim, ACTIVE_CELLS, j, k);
    if (task->summed)
        budget->kept += row_sum(task->scalars_corrected[0].out + grid_row(grid, j, k) + span.begin,
                                span.end - span.begin);
}

static void advect_scalar_row(const AdvectTask *task, int j, int k)
{
    BillowSim *sim = task->sim;
    Span span = active_span(sim, ACTIVE_CELLS, j, k);
    Rows d = rows_from(displacement_row(sim, j, k), span.begin);
    Origins from = {(float)(1 + span.begin), (float)(j + 1), (float)(k + 1), d, d};
    Advected fields[TOGETHER];
    for (int f = 0; f < task->scalar_count; f++) {
        fields[f] = task->scalars[f];
        follow_clear_band(sim, fields[f].out, j, k);
        fields[f].out += grid_row(&sim->grid, j, k) + span.begin;
    }
    if (span_is_empty(span))
        return;
    sim->kernels->advect->advect(&task->cells, &from, fields, task->scalar_count, FLT_MAX,
                                 span.end - span.begin);
    solids_advect_row(sim, j, k, fields, task->scalar_count);
}

static void correct_scalar_row(const AdvectTask *task, const SampleBounds *bounds, int j, int k)
{
    BillowSim *sim = task->sim;
    Span span = active_span(sim, ACTIVE_CELLS, j, k);
    for (int f = 0; f < task->scalar_count; f++)
        follow_clear_band(sim, task->scalars_corrected[f].out, j, k);
    if (span_is_empty(span))
        return;
    Rows d = rows_from(displacement_row(sim, j, k), span.begin);
    Origins from = {(float)(1 + span.begin), (float)(j + 1), (float)(k + 1), d, d};
    ptrdiff_t row = grid_row(&sim->grid, j, k) + span.begin;
    Corrected fields[TOGETHER];
    Advected near_solids[TOGETHER];
    for (int f = 0; f < task->scalar_count; f++) {
        fields[f] = task->scalars_corrected[f];
        fields[f].field += row;
        fields[f].predictor += row;
        fields[f].out += row;
        near_solids[f] = (Advected){fields[f].corner, fields[f].scale, fields[f].out};
    }
    sim->kernels->advect->correct(bounds, bounds, &from, fields, task->scalar_count, FLT_MAX,
                                  span.end - span.begin);
    solids_advect_row(sim, j, k, near_solids, task->scalar_count); /* first order near solids */
}

static void plane_statistics(const AdvectTask *task, int k)
{
    const Corrected *first = task->scalars_corrected, *last = first + task->scalar_count - 1;
    if (task->statistics)
        statistics_plane(task->sim, k, last > first ? first->out : task->sim->density, last->out);
}

static void correct_scalars(const AdvectTask *task, const void *detail, Slab slab)
{
    (void)detail;
    SampleBounds bounds = bounds_well_inside(bounds_of_cells(&task->sim->def, &task->sim->grid));
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(task->sim, ACTIVE_BAND, k);
        for (int j = rows.begin; j < rows.end; j++) {
            prefetch_displacement(task->sim, j, k);
            for (int f = 0; f < task->scalar_count; f++) {
                prefetch_sampled(&task->sim->grid, task->scalars_corrected[f].field, j, k);
                prefetch_sampled(&task->sim->grid, task->scalars_corrected[f].predictor, j, k);
            }
            correct_scalar_row(task, &bounds, j, k);
            budget_row(task, j, k);
        }
        plane_statistics(task, k);
    }
}

/* Fills the padding beyond the ends of a row of n displacements of which `span` is given: repeats
 * the end, or wraps around. The first and the last face along x use the mean of a cell's
 * displacement and that padding. */
static void repeat_ends(RowsOut row, Span span, int n, bool wraps)
{
    float *const components[3] = {row.x, row.y, row.z};
    for (int axis = 0; axis < 3; axis++) {
        if (span.begin == 0)
            components[axis][-1] = components[axis][wraps ? n - 1 : 0];
        if (span.end == n)
            components[axis][n] = components[axis][wraps ? 0 : n - 1];
    }
}

static bool wraps_around(const BillowDef *def)
{
    return boundary_wraps(def, 0) || boundary_wraps(def, 1) || boundary_wraps(def, 2);
}

/* Fills the ghosts of a predictor in a box with a periodic axis, because MacCormack samples them,
 * and fetches its planes of other ranks. Runs after a barrier and ends with a barrier. Returns how
 * many planes are on their way, which exchange_finish waits for. */
static int fill_predictor(const AdvectTask *task, int kind, float *predictor, Team team)
{
    const BillowSim *sim = task->sim;
    if (!wraps_around(&sim->def)) {
        PlaneField planes = planes_of(&sim->grid, predictor);
        planes.reach = sim->reach;
        exchange_begin(team, &planes, 1);
        return team.ranks != NULL ? sim->reach : 0;
    }
    boundary_fill(&sim->def, &sim->grid, kind, predictor, team);
    team_barrier(team);
    exchange_fields(team, &sim->grid, &predictor, 1, sim->reach);
    boundary_fill_ends(&sim->def, &sim->grid, kind, predictor, team);
    team_barrier(team);
    return 0;
}

static void displace_span(const AdvectTask *task, int j, int k, Span span)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    ptrdiff_t row = grid_row(grid, j, k);
    float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
    RowsOut out = {d[0] + row, d[1] + row, d[2] + row};
    for (int axis = 0; axis < 3; axis++)
        prefetch_sampled(grid, sim->velocity[axis], j, k);
    if (task->straight)
        sim->kernels->advect->displace_straight(task->velocity, j, k, task->step, span.begin,
                                                span.end, out);
    else
        sim->kernels->advect->displace(task->velocity, j, k, task->step, span.begin, span.end, out);
    solids_stop_row(sim, j, k, out);
    repeat_ends(out, span, grid->nx, boundary_wraps(&sim->def, 0));
}

/* Fills the displacement row by row, and advects the scalars of each row while its displacement is
 * in the cache. */
static void displace_planes(const AdvectTask *task, const void *detail, Slab slab)
{
    (void)detail;
    const Grid *grid = &task->sim->grid;
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(task->sim, ACTIVE_BAND, k);
        task->sim->plane_budgets[k].leaving = task->sim->plane_budgets[k].kept = 0;
        for (int j = rows.begin; j < rows.end; j++) {
            for (int f = 0; f < task->scalar_count; f++)
                prefetch_sampled(grid, task->scalars_corrected[f].field, j, k);
            Span faces = active_span(task->sim, ACTIVE_FACES, j, k);
            if (!task->displaced && !span_is_empty(faces))
                displace_span(task, j, k, faces);
            if (task->scalar_count > 0)
                advect_scalar_row(task, j, k);
            if (!task->correct)
                budget_row(task, j, k);
        }
        if (!task->correct)
            plane_statistics(task, k);
    }
}

static void displace_task(void *context, Team team)
{
    const AdvectTask *task = context;
    run_pass(task, displace_planes, NULL, task->arriving, team);
    if (task->correct && task->scalar_count > 0) {
        clear_beyond(task->sim, task->scalars[0].out, -1, team);
        team_barrier(team);
        int arriving = fill_predictor(task, task->kind, task->scalars[0].out, team);
        run_pass(task, correct_scalars, NULL, arriving, team);
    }
    for (int f = 0; f < task->scalar_count; f++)
        clear_beyond(task->sim,
                     task->correct ? task->scalars_corrected[f].out : task->scalars[f].out, -1,
                     team);
}

static void displace_more_task(void *context, Team team)
{
    const AdvectTask *task = context;
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = active_rows(sim, ACTIVE_FACES, k).begin;
             j < active_rows(sim, ACTIVE_FACES, k).end; j++) {
            Span parts[3];
            int count = follow_new_faces(sim, j, k, parts);
            for (int p = 0; p < count; p++)
                displace_span(task, j, k, parts[p]);
        }
}

void advect_displace(BillowSim *sim, double dt)
{
    if (sim->displaced_dt == dt)
        return;
    displacement_drop(sim);
    scratch_claim(&sim->scratch, SCRATCH_DISPLACEMENT);
    AdvectTask task = advect_task(sim, dt);
    task.straight = task.straight && !sim_follows_parcels(sim);
    double most = task.straight ? 0 : sample_most(sim, sim->velocity[2]);
    task.arriving = fill_ghosts(sim, displacing_reach(sim, &task, most), NULL, 0, 0);
    sim_run(sim, displace_task, &task);
    sim->reach =
        sample_reach(sim, sample_most(sim, scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT)[2]));
    fetch_displacement(sim);
    sim->displaced_dt = dt;
    profile_traffic(sim, 6);
}

/* Fills the displacement of faces that have become active, if the rest is valid. */
void advect_displace_more(BillowSim *sim)
{
    if (sim->displaced_dt == 0)
        return;
    AdvectTask task = advect_task(sim, sim->displaced_dt);
    task.straight = task.straight && !sim_follows_parcels(sim);
    sim_run(sim, displace_more_task, &task);
}

/* Advects the n elements of row (j, k) of a component. Their displacements are the means of `a` and
 * `b`. */
typedef void AdvectFaces(const AdvectTask *task, int axis, int j, int k, Rows a, Rows b, int n);

/* The elements of row (j, k) of a component that are advected: of n, the faces of active cells. */
static Span faces_span(const BillowSim *sim, int axis, int j, int k, int n)
{
    const Grid *grid = &sim->grid;
    Span span = active_span(sim, ACTIVE_FACES, j < grid->ny ? j : j - 1, k < grid->nz ? k : k - 1);
    if (sim->region == NULL || (axis == 0 && span.end == grid->nx))
        span.end = (short)n;
    return span;
}

static void advect_faces(const AdvectTask *task, int axis, int j, int k, Rows a, Rows b, int n)
{
    BillowSim *sim = task->sim;
    Span span = faces_span(sim, axis, j, k, n);
    if (span_is_empty(span))
        return;
    Origins from = {(float)(1 + span.begin), (float)(j + 1), (float)(k + 1),
                    rows_from(a, span.begin), rows_from(b, span.begin)};
    float *out = (task->correct ? task->predictor : task->out[axis]) + grid_row(&sim->grid, j, k) +
                 span.begin;
    Advected field = {task->velocity[axis].corner, 1, out};
    sim->kernels->advect->advect(&task->components[axis], &from, &field, 1, task->limit,
                                 span.end - span.begin);
}

static void correct_faces(const AdvectTask *task, int axis, int j, int k, Rows a, Rows b, int n)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Span span = faces_span(sim, axis, j, k, n);
    if (span_is_empty(span))
        return;
    Origins from = {(float)(1 + span.begin), (float)(j + 1), (float)(k + 1),
                    rows_from(a, span.begin), rows_from(b, span.begin)};
    ptrdiff_t at = grid_row(grid, j, k) + span.begin;
    Corrected field = {.corner = task->velocity[axis].corner,
                       .predictor_corner = corner(grid, task->predictor),
                       .field = sim->velocity[axis] + at,
                       .predictor = task->predictor + at,
                       .scale = 1,
                       .out = task->out[axis] + at};
    sim->kernels->advect->correct(&task->inner[axis], &task->trusted[axis], &from, &field, 1,
                                  task->limit, span.end - span.begin);
}

static void component_row(const AdvectTask *task, AdvectFaces *advect, int axis, int j, int k)
{
    const BillowSim *sim = task->sim;
    int nx = sim->grid.nx;
    Rows here = displacement_row(sim, j, k);
    if (axis == 0)
        advect(task, 0, j, k, (Rows){here.x - 1, here.y - 1, here.z - 1}, here, nx + 1);
    else
        advect(task, axis, j, k, displacement_row(sim, j - (axis == 1), k - (axis == 2)), here, nx);
}

/* Components first..last, and how they are advected. */
typedef struct Components {
    AdvectFaces *advect;
    int first, last;
} Components;

static void advect_planes(const AdvectTask *task, const void *components, Slab slab)
{
    const Grid *grid = &task->sim->grid;
    const Components *c = components;
    AdvectFaces *advect = c->advect;
    int first = c->first, last = c->last;
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(task->sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++) {
            prefetch_displacement(task->sim, j, k);
            for (int axis = first; axis <= last; axis++) {
                prefetch_sampled(grid, task->sim->velocity[axis], j, k);
                if (advect == correct_faces)
                    prefetch_sampled(grid, task->predictor, j, k);
                component_row(task, advect, axis, j, k);
            }
        }
        if (first <= 1 && last >= 1)
            component_row(task, advect, 1, grid->ny, k);
    }
    for (int j = 0; j < grid->ny && last == 2 && slab_ends(slab, grid->nz); j++)
        component_row(task, advect, 2, j, grid->nz);
}

static void advect_components(const AdvectTask *task, AdvectFaces *advect, int first, int last,
                              int arriving, Team team)
{
    run_pass(task, advect_planes, &(Components){advect, first, last}, arriving, team);
}

/* Copies the advected faces of a region's cells back to a component of the velocity. */
static void put_back(const AdvectTask *task, int axis, Team team)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    Slab slab = team_slab(team, grid->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_CELLS, k);
        for (int j = rows.begin; j < rows.end; j++) {
            Span span = active_span(sim, ACTIVE_CELLS, j, k);
            ptrdiff_t at = grid_row(grid, j, k) + span.begin, step = grid->strides[axis];
            const int cell[3] = {span.end - 1, j, k};
            int n = span.end - span.begin;
            bool last = cell[axis] == grid->cells[axis] - 1; /* the next face is the box's last */
            n += axis == 0 && last;
            memcpy(sim->velocity[axis] + at, task->out[axis] + at, (size_t)n * sizeof(float));
            if (axis > 0 && last)
                memcpy(sim->velocity[axis] + at + step, task->out[axis] + at + step,
                       (size_t)n * sizeof(float));
        }
    }
}

/* Advects the velocity of a region's cells, and leaves that of the cells beyond. */
static void advect_in_place(const AdvectTask *task, Team team)
{
    for (int axis = 0; axis < 3; axis++) {
        if (axis == 2)
            team_barrier(team); /* w takes the memory of the new u */
        advect_components(task, advect_faces, axis, axis, 0, team);
        if (axis == 0)
            continue;
        team_barrier(team); /* all workers have sampled the components that are put back */
        if (axis == 1)
            put_back(task, 0, team);
        put_back(task, axis, team);
    }
}

/* Advects a component and corrects the result. */
static void correct_component(const AdvectTask *task, int axis, Team team)
{
    advect_components(task, advect_faces, axis, axis, axis == 0 ? task->arriving : 0, team);
    follow_prolong_slab(task->sim, axis, task->predictor, ACTIVE_BAND, team);
    clear_beyond(task->sim, task->predictor, axis, team);
    team_barrier(team);
    int arriving = fill_predictor(task, axis, task->predictor, team);
    advect_components(task, correct_faces, axis, axis, arriving, team);
}

/* Components come in an order in which each frees the field that a later one needs
 * (choose_buffers). */
static void advect_velocity_task(void *context, Team team)
{
    const AdvectTask *task = context;
    if (is_in_place(task->sim)) {
        advect_in_place(task, team);
        return;
    }
    for (int axis = 0; axis < 3 && task->correct; axis++) {
        if (axis > 0)
            team_barrier(team);
        correct_component(task, axis, team);
    }
    if (!task->correct) {
        advect_components(task, advect_faces, 0, 1, task->arriving, team);
        team_barrier(team);
        advect_components(task, advect_faces, 2, 2, 0, team);
    }
    for (int axis = 0; axis < 3; axis++) {
        follow_prolong_slab(task->sim, axis, task->out[axis], ACTIVE_WIDE, team);
        clear_beyond(task->sim, task->out[axis], axis, team);
    }
}

static void swap(float **a, float **b)
{
    float *old = *a;
    *a = *b;
    *b = old;
}

/* Sets the fields for the new components. Beside the displacement there are two, those of
 * SCRATCH_ARRIVING. A third is that of a component which has been advected:
 *
 *                           [0]          [1]          field of u   field of v
 *     semi-Lagrangian       u            v            w
 *     MacCormack            predictors   u            v            w
 */
static void choose_buffers(AdvectTask *task, float *const arriving[2])
{
    float *const *velocity = task->sim->velocity;
    if (is_in_place(task->sim)) {
        task->out[0] = task->out[2] = arriving[0];
        task->out[1] = arriving[1];
        return;
    }
    task->predictor = task->correct ? arriving[0] : NULL;
    task->out[0] = task->correct ? arriving[1] : arriving[0];
    task->out[1] = task->correct ? velocity[0] : arriving[1];
    task->out[2] = task->correct ? velocity[1] : velocity[0];
}

static void trade_buffers(const AdvectTask *task, float *arriving[2])
{
    float **velocity = task->sim->velocity;
    arriving[0] = task->correct ? task->predictor : velocity[1];
    arriving[1] = velocity[2];
    memcpy(velocity, task->out, sizeof task->out);
}

void advect_velocity(BillowSim *sim, double dt)
{
    uint64_t momentum[3];
    momentum_sums(sim, momentum);
    AdvectTask task = advect_task(sim, dt);
    task.arriving = fill_ghosts(sim, sim->reach, NULL, 0, 0);
    scratch_claim(&sim->scratch, SCRATCH_ARRIVING);
    float **arriving = scratch_trade(&sim->scratch, SCRATCH_ARRIVING);
    choose_buffers(&task, arriving);
    sim_run(sim, advect_velocity_task, &task);
    if (!is_in_place(sim))
        trade_buffers(&task, arriving);
    scratch_release(&sim->scratch, SCRATCH_ARRIVING);
    displacement_drop(sim);
    momentum_restore(sim, momentum);
    profile_traffic(sim, task.correct ? 3 * (5 + 6) : 7 + 5);
}

/* Adds a scalar to the task. Semi-Lagrangian advection writes `out`. MacCormack writes `predictor`
 * first and then `out`. */
static void add_scalar(AdvectTask *task, const Scalar *scalar, double dt, float *predictor,
                       float *out)
{
    const Grid *grid = &task->sim->grid;
    const float *field = *scalar->field;
    float keep = (float)math_exp(-(double)scalar->decay * dt);
    int at = task->scalar_count++;
    task->scalars[at] =
        (Advected){corner(grid, field), task->correct ? 1 : keep, task->correct ? predictor : out};
    task->scalars_corrected[at] = (Corrected){corner(grid, field),
                                              task->correct ? corner(grid, predictor) : NULL,
                                              field,
                                              predictor,
                                              keep,
                                              out};
}

static void budget_losses(BillowSim *sim, bool summed, double dt)
{
    double leaving = 0, kept = 0, h = (double)sim->def.cell_size;
    sim_exchange_budgets(sim);
    for (int k = 0; k < sim->grid.nz; k++) {
        leaving += sim->plane_budgets[k].leaving;
        kept += sim->plane_budgets[k].kept;
    }
    sim->stats.mass_outflow += leaving * h * h * dt;
    if (summed)
        budget_dissipated(sim, kept * h * h * h);
}

/* Fetches the planes of scalars that this rank samples, unless advect_scalars has fetched them. The
 * displacement, which tells how many, is filled before. */
static void fetch_scalars(AdvectTask *task, const Scalar *list, int count, double dt)
{
    BillowSim *sim = task->sim;
    float *fields[TOGETHER];
    if (sim->ranks == NULL || speed_bounds_displacement(sim))
        return;
    if (!task->displaced) {
        sim_run(sim, displace_task, task);
        sim->reach = displacement_reach(sim, dt);
        fetch_displacement(sim);
        task->displaced = true;
    }
    for (int f = 0; f < count; f++)
        fields[f] = *list[f].field;
    exchange_fields(sim_alone(sim), &sim->grid, fields, count, sim->reach);
}

/* Advects as many scalars from the start of the list as one pass can advect. Returns their number.
 * planes: those of other ranks that are on their way. */
static int advect_together(BillowSim *sim, const Scalar *list, int count, double dt, int planes)
{
    scratch_claim(&sim->scratch, SCRATCH_ARRIVING);
    float **arriving = scratch_trade(&sim->scratch, SCRATCH_ARRIVING);
    AdvectTask task = advect_task(sim, dt);
    int most = task.correct ? TOGETHER_CORRECTED : TOGETHER, left = count;
    count = count < most ? count : most;
    bool texture = list[0].texture;
    for (int f = 1; f < count && !texture; f++)
        count = list[f].texture ? f : count;
    if (texture) /* beyond open faces and inflows, texture coordinates repeat the value inside */
        task.cells = bounds_of_cells(&sim->def, &sim->grid);
    task.displaced = sim->displaced_dt == dt;
    if (!task.displaced)
        scratch_claim(&sim->scratch, SCRATCH_DISPLACEMENT);
    fetch_scalars(&task, list, count, dt);
    task.arriving = planes;
    task.kind = list[0].kind;
    for (int f = 0; f < count; f++)
        add_scalar(&task, &list[f], dt, arriving[1], arriving[f]);
    task.budgeted = list[0].field == &sim->density;
    if (task.budgeted)
        sim->density_share = task.scalars_corrected[0].scale;
    task.summed = task.budgeted && sim->density_share < 1.0f && sim->substeps_left > 0;
    task.statistics = count == left && statistics_ride(sim);
    sim_run(sim, displace_task, &task);
    if (!task.displaced)
        fetch_displacement(sim);
    sim->planes_summed = task.statistics;
    if (task.budgeted)
        budget_losses(sim, task.summed, dt);
    for (int f = 0; f < count; f++)
        swap(list[f].field, &arriving[f]);
    scratch_release(&sim->scratch, SCRATCH_ARRIVING);
    sim->displaced_dt = dt;
    profile_traffic(sim, (task.displaced ? 3 : 6) + 2 * count + (task.correct ? 3 + 3 * count : 0));
    return count;
}

/* Fills ghosts, and fetches planes: of the velocity for displacements, and of the scalars as far as
 * the flow can lead, or for stencils alone. Returns what fill_ghosts returns. */
static int fetch_before(BillowSim *sim, const Scalar *list, int count, double dt)
{
    const AdvectTask task = advect_task(sim, dt);
    bool bounded = speed_bounds_displacement(sim);
    double most = bounded || !task.straight ? sample_most(sim, sim->velocity[2]) : 0;
    int reach = displacing_reach(sim, &task, most);
    if (bounded)
        sim->reach = flow_reach(sim, most, dt);
    int arriving = fill_ghosts(sim, reach, list, count, bounded ? sim->reach : reach);
    if (arriving == 0 || bounded)
        return arriving;
    exchange_finish(sim_alone(sim));
    return 0;
}

void advect_scalars(BillowSim *sim, double dt)
{
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    int first = 0;
    displacement_drop(sim); /* the projection has changed the velocity */
    while (params_conserve(&sim->def.params) && first < count && !list[first].texture)
        first++;
    bool budgeted = first > 0; /* conserve_scalars keeps its own mass budget */
    if (!budgeted)
        budget_expanded(sim, 0.5); /* trapezoidal rule: half before advection, half after */
    int arriving = fetch_before(sim, list, count, dt);
    if (first > 0)
        conserve_scalars(sim, list, first, dt);
    for (; first < count; arriving = 0)
        first += advect_together(sim, list + first, count - first, dt, arriving);
    if (!budgeted)
        budget_expanded(sim, 0.5);
    texture_advance(sim, dt);
}
