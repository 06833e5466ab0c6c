/* SPDX-License-Identifier: MIT
 *
 * Diffusion of scalars whose cells are finer than those of the wind. With a = nu dt / h2 and the
 * width h of a cell of the smoke, each line of cells along x, then along y, then along z solves
 *
 *     (1 + a n) x - a * (sum of n neighbours on the line) = x0
 *
 * directly, by elimination along the line (Thomas 1949). A step along one axis keeps the amount and
 * makes no new extrema, so that the three together do neither either; together they are of first
 * order in time. What is beyond the sides of the box is as in diffuse.c. Faces of solids pass what
 * the wind's faces leave open. The surface of an isothermal solid is taken to be half a cell from
 * the cells beside it. */
#include "sim/smoke/smoke.h"

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/sim.h"

typedef struct LineTask {
    BillowSim *sim;
    const Scalar *scalar;
    float *field;
    int axis;
    double weight; /* a */
} LineTask;

/* What a cell of the smoke has on one side along the line: how much of the face to the next cell is
 * open, or a value beside it. */
typedef struct Beside {
    double open;  /* 0 to 1: coupling to the next cell */
    double given; /* coupling to `value` */
    double value;
} Beside;

/* Whether the wind cell around a cell of the smoke is inside a solid that keeps its temperature,
 * which *value becomes. */
static bool is_held(const BillowSim *sim, const int cell[3], double *value)
{
    const int refine = sim->smoke.refine;
    int solid = 0;
    if (smoke_is_fluid(sim, cell))
        return false;
    solids_distance(sim, cell[0] / refine, cell[1] / refine, cell[2] / refine, &solid);
    *value = (double)sim->def.solids[solid].temperature;
    return sim->def.solids[solid].isothermal;
}

static Beside beside(const LineTask *task, const int cell[3], bool high)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->smoke.grid;
    const int axis = task->axis, n = grid->cells[axis], refine = sim->smoke.refine;
    int next[3] = {cell[0], cell[1], cell[2]}, face[3];
    next[axis] += high ? 1 : -1;
    const bool leaves = next[axis] < 0 || next[axis] >= n, wraps = boundary_wraps(&sim->def, axis);
    if (leaves && wraps)
        next[axis] = (next[axis] + n) % n;
    double open = 1;
    for (int a = 0; a < 3; a++)
        face[a] = (cell[a] + (a == axis && high)) / refine;
    if (sim->solids != NULL && (cell[axis] + high) % refine == 0)
        open = (double)*face_fraction(&sim->multigrid.levels[0], axis, face[0], face[1], face[2]);
    Beside found = {.open = open};
    if (leaves && !wraps) {
        const BillowSide side = (BillowSide)(2 * axis + high);
        found.open = 0;
        if (boundary_is_given(&sim->def, side, task->scalar->kind)) {
            found.given = 2 * open;
            found.value = (double)boundary_value(&sim->def, side, task->scalar->kind,
                                                 face[axis == 0], face[axis == 2 ? 1 : 2]);
        } else if (sim->def.faces[side] == BILLOW_OPEN)
            found.given = open;
    } else if (task->scalar->kind == SCALAR_TEMPERATURE && is_held(sim, next, &found.value)) {
        found.given = 2;
        found.open = 0;
    }
    return found;
}

/* -- elimination --------------------------------------------------------------------------------
 */

/* The arrays of a line: what is left of its equations. x_i = value_i + slope_i x_(i+1) and, on a
 * line that wraps, + turn_i times the last x. */
typedef struct Line {
    float *value, *slope, *turn;
    ptrdiff_t stride;
    int n;
} Line;

/* Eliminates the cells below cell i of a line. above: coupling of its high face, times a. */
static void eliminate(const LineTask *task, const Line *line, const int cell[3], int i,
                      double *above)
{
    const double below = *above;
    const ptrdiff_t at = i * line->stride, before = at - line->stride;
    if (!smoke_is_fluid(task->sim, cell)) {
        line->slope[at] = line->turn[at] = 0;
        *above = 0;
        return;
    }
    const Beside low = beside(task, cell, false), high = beside(task, cell, true);
    const double a = task->weight;
    *above = a * high.open;
    double diagonal = 1 + a * (low.open + low.given + high.open + high.given);
    double right = (double)line->value[at] + a * (low.given * low.value + high.given * high.value);
    double turn = i == 0 ? a * low.open : 0;
    if (i > 0) {
        diagonal -= below * (double)line->slope[before];
        right += below * (double)line->value[before];
        turn = below * (double)line->turn[before];
    }
    line->value[at] = (float)(right / diagonal);
    line->slope[at] = (float)(*above / diagonal);
    line->turn[at] = (float)(turn / diagonal);
}

/* The last x of a line that wraps, from what elimination left: x_0 = p + q x_(n-1), where the chain
 * of slopes leads from x_0 to the last. */
static double last_of(const Line *line)
{
    const ptrdiff_t last = (line->n - 1) * line->stride;
    double p = 0, q = 1;
    for (int i = line->n - 2; i >= 0; i--) {
        const ptrdiff_t at = i * line->stride;
        p = (double)line->value[at] + (double)line->slope[at] * p;
        q = (double)line->turn[at] + (double)line->slope[at] * q;
    }
    /* x_last = value + slope x_0 + turn x_last */
    return ((double)line->value[last] + (double)line->slope[last] * p) /
           (1 - (double)line->turn[last] - (double)line->slope[last] * q);
}

static void solve_line(const LineTask *task, const Line *line, int cell[3])
{
    double above = 0;
    for (int i = 0; i < line->n; i++) {
        cell[task->axis] = i;
        eliminate(task, line, cell, i, &above);
    }
    const ptrdiff_t last = (line->n - 1) * line->stride;
    const bool wraps = boundary_wraps(&task->sim->def, task->axis);
    const double end = wraps ? last_of(line) : (double)line->value[last];
    double x = end;
    line->value[last] = (float)end;
    for (int i = line->n - 2; i >= 0; i--) {
        const ptrdiff_t at = i * line->stride;
        x = (double)line->value[at] + (double)line->slope[at] * x + (double)line->turn[at] * end;
        line->value[at] = (float)x;
    }
}

/* Solves the lines that begin in this worker's share: along z, rows of the box; else planes. */
static void line_task(void *context, Team team)
{
    const LineTask *task = context;
    Smoke *smoke = &task->sim->smoke;
    const Grid *grid = &smoke->grid;
    const int axis = task->axis, across = axis == 0 ? 1 : 0;
    Slab slab = axis == 2 ? team_part(team, grid->ny) : smoke_slab(task->sim, team);
    for (int outer = slab.begin; outer < slab.end; outer++)
        for (int inner = 0; inner < grid->cells[across]; inner++) {
            int cell[3];
            cell[axis] = 0;
            cell[across] = inner;
            cell[axis == 2 ? 1 : 2] = outer;
            const ptrdiff_t at = grid_row(grid, cell[1], cell[2]) + cell[0];
            const Line line = {task->field + at, smoke->arriving[0] + at, smoke->arriving[1] + at,
                               grid->strides[axis], grid->cells[axis]};
            solve_line(task, &line, cell);
        }
}

void smoke_diffuse(BillowSim *sim, const Scalar *scalar, double dt)
{
    const double h = (double)sim->smoke.cell_size;
    LineTask task = {.sim = sim,
                     .scalar = scalar,
                     .field = *scalar->field,
                     .weight = (double)scalar->diffusion * dt / (h * h)};
    for (task.axis = 0; task.axis < 3; task.axis++) {
        if (task.axis == 2) /* lines along z cross the planes of all ranks */
            exchange_whole_fields(sim_alone(sim), &sim->smoke.grid, &task.field, 1,
                                  (Slab){0, sim->smoke.grid.nz});
        sim_run(sim, line_task, &task);
    }
    profile_traffic(sim, 12);
}
