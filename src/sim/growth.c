/* SPDX-License-Identifier: MIT
 *
 * The box that grows with its smoke.
 *
 * At the end of a step each cell with smoke, fuel or heat tells how far it reaches in a step as
 * long as the last: by the velocity at its faces times dt. If that is closer to an unbounded side
 * than GROWTH_MARGIN cells, the side moves outwards by a multiple of GROWTH_CELLS cells. The larger
 * box is a new simulation that takes over the state; *sim then becomes it. */
#include "sim/growth.h"
#include "sim/state.h"

#include "base/fail.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool growth_on(const BillowDef *def)
{
    bool on = false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        on |= def->unbounded[side];
    return on;
}

const char *billow_growth_notice(const BillowSim *sim)
{
    assert(sim != NULL);
    return sim->growth_notice.text;
}

/* -- boxes ------------------------------------------------------------------------------------- */

/* The low corner is the definition's, less whole cells, rounded to a float once. Repeated growth
 * therefore adds no error. */
static Box box_moved(const BillowSim *sim, const int moved[BILLOW_SIDES])
{
    Box box = sim->home;
    for (int axis = 0; axis < 3; axis++) {
        box.n[axis] += moved[2 * axis] + moved[2 * axis + 1];
        if (moved[2 * axis] != 0)
            box.origin[axis] = (float)((double)sim->home.origin[axis] -
                                       moved[2 * axis] * (double)sim->def.cell_size);
    }
    return box;
}

bool growth_reaches(const BillowSim *sim, const Box *box, int moved[BILLOW_SIDES])
{
    for (int axis = 0; axis < 3; axis++) {
        double cells = ((double)sim->home.origin[axis] - (double)box->origin[axis]) /
                       (double)sim->def.cell_size;
        if (!(fabs(cells) <= BILLOW_GRID_MAX) || box->n[axis] < BILLOW_GRID_MIN ||
            box->n[axis] > BILLOW_GRID_MAX)
            return false;
        moved[2 * axis] = (int)lround(cells);
        moved[2 * axis + 1] = box->n[axis] - sim->home.n[axis] - moved[2 * axis];
    }
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (moved[side] < 0 || moved[side] % GROWTH_CELLS != 0 ||
            (moved[side] > 0 && !sim->def.unbounded[side]))
            return false;
    Box reached = box_moved(sim, moved);
    return memcmp(reached.origin, box->origin, sizeof reached.origin) == 0;
}

void growth_moved(const BillowSim *sim, int moved[BILLOW_SIDES])
{
    Box box = {.n = {sim->def.nx, sim->def.ny, sim->def.nz}};
    memcpy(box.origin, sim->def.origin, sizeof box.origin);
    growth_reaches(sim, &box, moved);
}

BillowDef growth_def(const BillowSim *sim, const int moved[BILLOW_SIDES])
{
    BillowDef def = sim->def;
    Box box = box_moved(sim, moved);
    def.nx = box.n[0];
    def.ny = box.n[1];
    def.nz = box.n[2];
    memcpy(def.origin, box.origin, sizeof def.origin);
    return def;
}

BillowSim *growth_create(const BillowSim *sim, const int moved[BILLOW_SIDES], BillowError *error)
{
    const BillowDef def = growth_def(sim, moved);
    BillowSim *created = sim_create(&def, NULL, error);
    if (created != NULL)
        created->home = sim->home;
    return created;
}

/* -- where the smoke can be after the next step ------------------------------------------------ */

typedef struct ReachTask {
    BillowSim *sim;
    float cells; /* dt / h, cells s/m */
} ReachTask;

static void reach_add(PlaneReach *reach, const PlaneReach *other)
{
    for (int axis = 0; axis < 3; axis++) {
        reach->low[axis] = fminf(reach->low[axis], other->low[axis]);
        reach->high[axis] = fmaxf(reach->high[axis], other->high[axis]);
    }
}

static PlaneReach reach_none(void)
{
    return (PlaneReach){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* The reach of cell (i, j, k), which is at `at` in the fields. */
static PlaneReach reach_of_cell(const ReachTask *task, const int cell[3], ptrdiff_t at)
{
    const BillowSim *sim = task->sim;
    PlaneReach reach;
    for (int axis = 0; axis < 3; axis++) {
        const float *face = sim->velocity[axis] + at;
        float one = face[0], other = face[sim->grid.strides[axis]];
        reach.low[axis] = (float)cell[axis] + task->cells * fminf(fminf(one, other), 0);
        reach.high[axis] = (float)(cell[axis] + 1) + task->cells * fmaxf(fmaxf(one, other), 0);
    }
    return reach;
}

static void reach_task(void *context, Team team)
{
    const ReachTask *task = context;
    const BillowSim *sim = task->sim;
    const Smoke *smoke = &sim->smoke;
    const int refine = smoke->refine;
    Slab slab = team_slab(team, sim->grid.nz);
    Scalar list[SCALARS_MAX];
    int count = scalars_that_activate(sim, list);
    for (int k = slab.begin; k < slab.end; k++) {
        PlaneReach reach = reach_none();
        for (int fine = k * refine; fine < (k + 1) * refine; fine++)
            FOR_SMOKE_ROWS(smoke, j, fine)
            {
                const Span span = smoke_span(smoke, j, fine);
                for (int i = span.begin; i < span.end; i++) {
                    ptrdiff_t at = grid_row(&smoke->grid, j, fine) + i;
                    bool active = false;
                    for (int s = 0; s < count && !active; s++)
                        active = scalar_is_active(&list[s], (*list[s].field)[at]);
                    if (!active)
                        continue;
                    const int cell[3] = {i / refine, j / refine, k};
                    PlaneReach one =
                        reach_of_cell(task, cell, grid_row(&sim->grid, cell[1], k) + cell[0]);
                    reach_add(&reach, &one);
                }
            }
        sim->plane_reach[k] = reach;
    }
}

/* Cells by which each side should move. */
static void find_wanted(BillowSim *sim, double dt, int more[BILLOW_SIDES])
{
    ReachTask task = {sim, (float)(dt / (double)sim->def.cell_size)};
    PlaneReach reach = reach_none();
    sim_run(sim, reach_task, &task);
    for (int k = 0; k < sim->grid.nz; k++)
        reach_add(&reach, &sim->plane_reach[k]);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int axis = side / 2;
        float past = side % 2 == 0
                         ? GROWTH_MARGIN - reach.low[axis]
                         : reach.high[axis] - (float)(sim->grid.cells[axis] - GROWTH_MARGIN);
        bool moves = sim->def.unbounded[side] && past > 0;
        float times = ceilf(fminf(past, BILLOW_GRID_MAX) / GROWTH_CELLS);
        more[side] = moves ? GROWTH_CELLS * (int)times : 0;
    }
}

/* -- the state in a larger box ----------------------------------------------------------------- */

typedef struct ShiftTask {
    BillowSim *to;
    const BillowSim *from;
    int low[3]; /* cells added at the low sides of the box, along each axis */
    const StateField *old, *new;
    bool continued;
} ShiftTask;

static bool is_zero_row(const float *row, int n)
{
    bool zero = true;
    for (int i = 0; i < n; i++)
        zero &= row[i] == 0.0f;
    return zero;
}

/* Copies row (j, k) of a new field from the old one, which has `n` elements along each axis. */
static void shift_row(const ShiftTask *task, const int n[3], int j, int k)
{
    const int *low = task->low;
    int from_j = j - low[1] < 0 ? 0 : j - low[1] < n[1] ? j - low[1] : n[1] - 1;
    int from_k = k - low[2] < 0 ? 0 : k - low[2] < n[2] ? k - low[2] : n[2] - 1;
    if (!task->continued && (from_j != j - low[1] || from_k != k - low[2]))
        return;
    const float *from = task->old->values + grid_row(task->old->grid, from_j, from_k);
    float *row = task->new->values + grid_row(task->new->grid, j, k);
    if (!task->continued && is_zero_row(from, n[0]))
        return; /* the new row is 0, and takes no memory */
    memcpy(row + low[0], from, (size_t)n[0] * sizeof *row);
    if (!task->continued)
        return;
    int end = task->new->grid->nx + n[0] - task->old->grid->nx;
    for (int i = 0; i < low[0]; i++)
        row[i] = from[0];
    for (int i = low[0] + n[0]; i < end; i++)
        row[i] = from[n[0] - 1];
}

static void shift_task(void *context, Team team)
{
    const ShiftTask *task = context;
    const int *cells = task->old->grid->cells, *larger = task->new->grid->cells;
    const int axis = task->new->axis;
    int n[3], planes = larger[2], rows = larger[1] + (axis == 1);
    for (int a = 0; a < 3; a++)
        n[a] = cells[a] + (axis == a);
    Slab slab = team_slab(team, planes);
    int end = slab.end + (axis == 2 ? slab_ends(slab, planes) : 0);
    for (int k = slab.begin; k < end; k++)
        for (int j = 0; j < rows; j++)
            shift_row(task, n, j, k);
}

static void shift_field(BillowSim *to, const BillowSim *from, const int low[3],
                        const StateField *old, const StateField *new)
{
    ShiftTask task = {.to = to, .from = from, .old = old, .new = new};
    const int finer = new->grid->nx / to->grid.nx;
    for (int axis = 0; axis < 3; axis++)
        task.low[axis] = low[axis] * finer;
    task.continued = new->axis >= 0 || new->texture;
    team_run(to->threads, shift_task, &task);
}

/* The shift is even along each axis, so that each cell keeps its colour. */
static void shift_pressure(const ShiftTask *task, int k)
{
    const BillowSim *from = task->from;
    Packed old = grid_packed(&from->grid, from->pressure);
    Packed new = grid_packed(&task->to->grid, task->to->pressure);
    int from_k = k - task->low[2];
    for (int j = 0; j < from->grid.ny && from_k >= 0 && from_k < from->grid.nz; j++) {
        float row[BILLOW_GRID_MAX + 1] = {0};
        level_unpack_row(&from->multigrid.levels[0], old, j, from_k, row + task->low[0]);
        level_pack_row(&task->to->multigrid.levels[0], row, j + task->low[1], k, new);
    }
    level_wrap(&task->to->multigrid.levels[0], k);
}

static void pressure_task(void *context, Team team)
{
    const ShiftTask *task = context;
    Slab slab = team_slab(team, task->to->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        shift_pressure(task, k);
}

/* Copies the state of `from` to `to`, an empty simulation of the same definition. Cell (0, 0, 0) of
 * `from` becomes cell `low`. New cells hold still air at the pressure outside, except that the
 * velocity at the old boundary continues into them, so that it does not jump there. */
static void shift_state(BillowSim *to, const BillowSim *from, const int low[3])
{
    StateField old[SIM_FIELDS_MAX], new[SIM_FIELDS_MAX];
    state_copy_values(to, from);
    to->pace = from->pace;
    to->profile = from->profile;
    to->growth_notice = from->growth_notice;
    to->multigrid.levels[0].x = grid_packed(&to->grid, to->pressure);
    int count = sim_state_fields(from, old);
    sim_state_fields(to, new);
    for (int f = 0; f < count; f++)
        shift_field(to, from, low, &old[f], &new[f]);
    smoke_fill(to);
    team_run(to->threads, pressure_task,
             &(ShiftTask){.to = to, .from = from, .low = {low[0], low[1], low[2]}});
}

/* -- growth ------------------------------------------------------------------------------------ */

double growth_limit(const BillowSim *sim)
{
    const int *n = sim->home.n;
    double several = GROWTH_TIMES * n[0] * (double)n[1] * n[2];
    return sim->def.cells_max > 0 ? sim->def.cells_max : fmax(several, GROWTH_LEAST);
}

/* Says why a side stops in a box of n cells along each axis. */
static void notice_limit(BillowSim *sim, int side, const int n[3])
{
    const char *name = boundary_side_name((BillowSide)side);
    int axis = side / 2;
    if (sim->growth_notice.text[0] != '\0')
        return;
    if (n[axis] + GROWTH_CELLS > BILLOW_GRID_MAX / sim->smoke.refine)
        fail(&sim->growth_notice,
             "the box has grown to %d cells along %c, and an axis has at most %d; smoke now leaves "
             "through %s",
             n[axis], "xyz"[axis], BILLOW_GRID_MAX / sim->smoke.refine, name);
    else
        fail(&sim->growth_notice,
             "the box has grown to %dx%dx%d cells and its limit is %.0f (cells_max); smoke now "
             "leaves through %s",
             n[0], n[1], n[2], growth_limit(sim), name);
}

/* Reduces what the sides want to what the limit allows. The sides move by GROWTH_CELLS in turn, so
 * that none takes the room of the others. Returns false if none moves. */
static bool allow(BillowSim *sim, int more[BILLOW_SIDES])
{
    int n[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz}, wanted[BILLOW_SIDES];
    bool any = false, moved = true;
    memcpy(wanted, more, sizeof wanted);
    memset(more, 0, BILLOW_SIDES * sizeof *more);
    while (moved) {
        moved = false;
        for (int side = 0; side < BILLOW_SIDES; side++) {
            int larger[3] = {n[0], n[1], n[2]};
            larger[side / 2] += GROWTH_CELLS;
            if (more[side] == wanted[side] ||
                larger[side / 2] > BILLOW_GRID_MAX / sim->smoke.refine ||
                (double)larger[0] * larger[1] * larger[2] > growth_limit(sim))
                continue;
            memcpy(n, larger, sizeof n);
            more[side] += GROWTH_CELLS;
            any = moved = true;
        }
    }
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (more[side] < wanted[side])
            notice_limit(sim, side, n);
    return any;
}

void growth_update(BillowSim *sim, double dt)
{
    int more[BILLOW_SIDES], moved[BILLOW_SIDES];
    BillowError reason;
    if (sim->plane_reach == NULL || sim->out_of_memory)
        return;
    find_wanted(sim, dt, more);
    if (!allow(sim, more))
        return;
    growth_moved(sim, moved);
    for (int side = 0; side < BILLOW_SIDES; side++)
        moved[side] += more[side];
    BillowSim *larger = growth_create(sim, moved, &reason);
    if (larger == NULL) {
        sim->out_of_memory = true;
        fail(&sim->growth_notice,
             "the box stops growing, and smoke now leaves through its sides: %s", reason.text);
        return;
    }
    shift_state(larger, sim, (const int[3]){more[0], more[2], more[4]});
    sim_become(sim, larger);
}
