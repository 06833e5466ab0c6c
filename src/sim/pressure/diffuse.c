/* SPDX-License-Identifier: MIT
 *
 * Stages 4 and 8: implicit diffusion (Stam 2003), with a = nu dt / h2:
 *
 *     (1 + a n) x - a * (sum of n neighbours) = x0
 *
 * That is of first order in time and makes no new extrema: scalars, which must stay positive, take
 * one such step. The velocity takes two with g a in place of a, which are of second order together
 * (Alexander 1977, "Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s"). With S the
 * forces' impulse and g = 1 - 1/sqrt(2) = DIFFUSION_SHARE:
 *
 *     stage 0:   b0 = x0 + g S                                  solve for x1
 *     stage 1:   b1 = b0 + (1 - g) S + (1 - g)/g (x1 - b0)      solve for x
 *
 * The caller adds the impulses. Long steps damp every wave; by Crank and Nicolson's method they
 * would turn short waves over. A neighbour beyond a wall is left out of the sum: walls are
 * free-slip for the velocity along them and insulating for scalars. If a side of the box gives a
 * value (boundary.h), that value replaces the neighbour. It has weight 2, because it is half a cell
 * away. Velocities through the sides of the box are given on their faces. On a periodic axis the
 * first faces are unknowns. Beyond an open face scalars are 0, and the velocity has no gradient.
 * Scalars diffuse through the open part of a face that a solid cuts. solids_drag adds the drag of
 * no-slip solids. */
#include "sim/pressure/diffuse.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/fields/parallel.h"
#include "sim/sim.h"
#include "sim/solids/solid_flow.h"
#include "sim/solver/relaxation.h"

#include <math.h>
#include <string.h>

typedef struct DiffuseTask {
    BillowSim *sim;
    Level level;
    Relaxation relaxation;
    float *field;    /* first unknown */
    int kind;        /* axis of a velocity component, or SCALAR_DENSITY and so on (field_table.h) */
    int axis;        /* axis of a velocity component; -1 for scalars */
    bool given;      /* whether a side of the box gives a value */
    bool isothermal; /* whether a solid gives its temperature */
    float beyond;    /* the result is x + beyond (x - x0) */
} DiffuseTask;

/* Adds the given values on the first and last face of a velocity component to the right-hand sides
 * of the unknowns next to those faces. */
static void add_given_faces(const DiffuseTask *task, int j, int k, float *row)
{
    const Level *level = &task->level;
    const Grid *grid = &task->sim->grid;
    const int at[3] = {0, j, k};
    const float *field = task->field + grid_row(grid, j, k);
    ptrdiff_t stride = grid->strides[task->axis];
    int last = level->cells[task->axis] - 1;
    if (task->axis == 0) {
        row[0] += level->weight * field[-1];
        row[last] += level->weight * field[last + 1];
        return;
    }
    for (int i = 0; i < level->cells[0]; i++) {
        row[i] += at[task->axis] == 0 ? level->weight * field[i - stride] : 0;
        row[i] += at[task->axis] == last ? level->weight * field[i + stride] : 0;
    }
}

/* Index of the first unknown along an axis: 1 if the face at index 0 is given, otherwise 0. */
static int first_face(const DiffuseTask *task, int axis)
{
    return axis == task->axis && !boundary_wraps(&task->sim->def, axis);
}

/* Open part of a cell's face at a side of the box, 0 to 1. */
static float open_part(const DiffuseTask *task, int side, int i, int j, int k)
{
    int face[3] = {i, j, k};
    face[side / 2] += side % 2;
    return task->level.fractions.rows != NULL
               ? *face_fraction(&task->level, side / 2, face[0], face[1], face[2])
               : 1;
}

/* Adds the values that sides of the box give, with weight 2, except the sides across a velocity
 * component's own axis (add_given_faces). */
static void add_given_sides(const DiffuseTask *task, int j, int k, float *row)
{
    const Level *level = &task->level;
    const BillowDef *def = &task->sim->def;
    const int at[3] = {0, j, k}, *cells = level->cells;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int axis = side / 2, edge = side % 2 == 0 ? 0 : cells[axis] - 1;
        if (axis == task->axis || !boundary_is_given(def, (BillowSide)side, task->kind))
            continue;
        if (axis == 0)
            row[edge] += 2 * level->weight * open_part(task, side, edge, j, k) *
                         boundary_value(def, (BillowSide)side, task->kind, j + first_face(task, 1),
                                        k + first_face(task, 2));
        else if (at[axis] == edge)
            for (int i = 0; i < cells[0]; i++)
                row[i] +=
                    2 * level->weight * open_part(task, side, i, j, k) *
                    boundary_value(def, (BillowSide)side, task->kind, i + first_face(task, 0),
                                   axis == 1 ? k + first_face(task, 2) : j + first_face(task, 1));
    }
}

/* -- isothermal solids ------------------------------------------------------------------------- */

/* Isothermal solids (Gibou, Fedkiw, Cheng, Kang 2002, "A second-order-accurate symmetric
 * discretization of the Poisson equation on irregular domains"). If the surface lies between the
 * centre of a cell and the centre of its neighbour,
 *
 *     centre |-- theta --| surface       centre of the neighbour, inside
 *
 * the surface's temperature, theta cells away, replaces the neighbour's, with the coupling 1 /
 * theta. Fluid cells whose centres are inside the solid are coupled to its temperature as well. */

/* Largest distance from a row's corners to a surface to which the row's cells couple, cells. */
#define NEAR 1.5f
/* Least theta, cells; smaller values are raised to it. */
#define THETA_LEAST 0.01f
/* Theta of a fluid cell whose centre lies inside the solid, cells. The fluid in it is at most half
 * a cell deep. */
#define THETA_INSIDE 0.25f

static bool is_noted(const BillowSim *sim, int j, int k)
{
    const Region *region = &sim->solids->region;
    return j >= region->low[1] && j < region->high[1] && k >= region->low[2] &&
           k < region->high[2] && sim->solids->rows[j + (ptrdiff_t)k * sim->grid.ny] <= NEAR;
}

static void isothermal_note_row(BillowSim *sim, int j, int k)
{
    if (!is_noted(sim, j, k))
        return;
    const Region *region = &sim->solids->region;
    ptrdiff_t row = grid_row(&sim->grid, j, k);
    float *solid_index = scratch_use(&sim->scratch, SCRATCH_WALL_SOLID)[0] + row;
    float *distance = scratch_use(&sim->scratch, SCRATCH_WALL_DISTANCE)[0] + row;
    for (int i = region->low[0]; i < region->high[0]; i++) {
        distance[i] = solids_rough_distance(sim, row + i);
        solid_index[i] = 0;
        if (fabsf(distance[i]) > 2)
            continue;
        int solid = 0;
        distance[i] = solids_distance(sim, i, j, k, &solid);
        if (distance[i] <= 0.0f && sim->def.solids[solid].isothermal)
            solid_index[i] = (float)(solid + 1);
    }
}

/* The isothermal solid that contains the centre of a cell; NULL for none. */
static const BillowSolid *solid_around(const BillowSim *sim, const int at[3])
{
    const Region *region = &sim->solids->region;
    if (at[0] < region->low[0] || at[0] >= region->high[0] || !is_noted(sim, at[1], at[2]))
        return NULL;
    float solid_index = scratch_use(
        &sim->scratch, SCRATCH_WALL_SOLID)[0][grid_row(&sim->grid, at[1], at[2]) + at[0]];
    return solid_index > 0.0f ? &sim->def.solids[(int)solid_index - 1] : NULL;
}

static float noted_distance(const BillowSim *sim, const int at[3])
{
    return scratch_use(&sim->scratch,
                       SCRATCH_WALL_DISTANCE)[0][grid_row(&sim->grid, at[1], at[2]) + at[0]];
}

/* Sums over the neighbours of a cell, for the cell's equation. */
typedef struct Balance {
    float sum, diagonal;
    bool feels; /* whether an isothermal surface is next to the cell */
} Balance;

/* Adds a neighbour that no isothermal surface replaces. */
static void add_neighbour(const Level *level, const int at[3], int axis, int step, Balance *balance)
{
    int n = level->cells[axis], to[3] = {at[0], at[1], at[2]}, face[3] = {at[0], at[1], at[2]};
    to[axis] += step;
    face[axis] += step > 0;
    float coupling = (step < 0 ? level->low : level->high)[axis][at[axis]] *
                     *face_fraction(level, axis, face[0], face[1], face[2]);
    if (level->wraps[axis])
        to[axis] = (to[axis] + n) % n;
    balance->diagonal += coupling;
    if (to[axis] >= 0 && to[axis] < n)
        balance->sum += coupling * *packed_cell(&level->grid, level->x, to[0], to[1], to[2]);
}

static void add_surface(const BillowSolid *solid, float theta, Balance *balance)
{
    balance->sum += solid->temperature / theta;
    balance->diagonal += 1 / theta;
    balance->feels = true;
}

static Balance balance_of(const BillowSim *sim, const Level *level, const int at[3])
{
    Balance balance = {0, 0, false};
    const BillowSolid *around = solid_around(sim, at);
    float distance = noted_distance(sim, at);
    if (around != NULL)
        add_surface(around, THETA_INSIDE, &balance);
    else if (!(distance > 0.0f))
        return balance; /* inside another solid */
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int axis = side / 2, step = side % 2 == 0 ? -1 : 1, to[3] = {at[0], at[1], at[2]};
        to[axis] += step;
        const BillowSolid *solid = around == NULL ? solid_around(sim, to) : NULL;
        if (solid != NULL)
            add_surface(solid, fmaxf(distance / (distance - noted_distance(sim, to)), THETA_LEAST),
                        &balance);
        else
            add_neighbour(level, at, axis, step, &balance);
    }
    return balance;
}

/* Relaxes the cells of a colour that feel an isothermal surface (Relaxation.amend). */
static void isothermal_relax(const void *context, int color, int k)
{
    const DiffuseTask *task = context;
    const BillowSim *sim = task->sim;
    const Level *level = &task->level;
    const Region *region = &sim->solids->region;
    for (int j = region->low[1]; j < region->high[1]; j++) {
        if (!is_noted(sim, j, k))
            continue;
        ptrdiff_t row = grid_row(&sim->grid, j, k);
        const float *distance = scratch_use(&sim->scratch, SCRATCH_WALL_DISTANCE)[0] + row;
        int first = region->low[0] + ((region->low[0] + j + k + color) & 1);
        for (int i = first; i < region->high[0]; i += 2) {
            if (fabsf(distance[i]) > 1 || sim->solids->fluid[row + i] == SOLID)
                continue;
            Balance balance = balance_of(sim, level, (const int[3]){i, j, k});
            float rhs = *packed_cell(&level->grid, level->rhs, i, j, k);
            if (balance.feels)
                *packed_cell(&level->grid, level->x, i, j, k) =
                    (rhs + level->weight * balance.sum) /
                    (level->base + level->weight * balance.diagonal);
        }
    }
    level_wrap(level, k);
}

/* -- the solve --------------------------------------------------------------------------------- */

/* Loads the unknowns, whose start is the field itself, and the right-hand sides. Clears the ghosts,
 * because other stages use the same memory. */
static void load(const DiffuseTask *task, Slab slab)
{
    const Level *level = &task->level;
    BillowSim *sim = task->sim;
    int last = level->cells[2];
    for (int k = slab.begin == 0 ? -1 : slab.begin; k < (slab.end == last ? last + 1 : slab.end);
         k++)
        level_clear(level, k);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            ptrdiff_t at = grid_row(&sim->grid, j, k);
            float row[BILLOW_GRID_MAX + 1];
            memcpy(row, task->field + at, (size_t)level->cells[0] * sizeof(float));
            level_pack_row(level, row, j, k, level->x);
            if (task->axis >= 0 && !boundary_wraps(&sim->def, task->axis))
                add_given_faces(task, j, k, row);
            if (task->given)
                add_given_sides(task, j, k, row);
            level_pack_row(level, row, j, k, level->rhs);
            if (task->isothermal)
                isothermal_note_row(sim, j, k);
        }
    for (int k = slab.begin; k < slab.end; k++)
        level_wrap(level, k);
}

static void diffuse_task(void *context, Team team)
{
    const DiffuseTask *task = context;
    const Level *level = &task->level;
    const Grid *grid = &task->sim->grid;
    Slab slab = team_slab(team, level->cells[2]);
    if (slab.begin < slab.end)
        load(task, slab);
    team_barrier(team);
    level_exchange(level, team);
    if (task->isothermal) {
        const Scratch *scratch = &task->sim->scratch;
        exchange_fields(team, grid, scratch_use(scratch, SCRATCH_WALL_SOLID), 1, 1);
        exchange_fields(team, grid, scratch_use(scratch, SCRATCH_WALL_DISTANCE), 1, 1);
    }
    relaxation_solve(&task->relaxation, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            float row[BILLOW_GRID_MAX + 1], *field = task->field + grid_row(grid, j, k);
            level_unpack_row(level, level->x, j, k, row);
            for (int i = 0; i < level->cells[0]; i++)
                field[i] = row[i] + task->beyond * (row[i] - field[i]);
        }
}

static LevelSide side_of(const BillowSim *sim, int side, int kind)
{
    if (boundary_wraps(&sim->def, side / 2))
        return SIDE_WRAPS;
    if (side / 2 == kind)
        return SIDE_OUTSIDE; /* the given face is one cell from the first unknown */
    if (boundary_is_given(&sim->def, (BillowSide)side, kind))
        return SIDE_ON_FACE;
    return kind >= 3 && sim->def.faces[side] == BILLOW_OPEN ? SIDE_OUTSIDE : SIDE_WALL;
}

/* The default number of sweeps cannot use a larger one. */
#define OMEGA_MAX 1.7
/* Error at which a solve ends, as a share of the values' range: a quarter of a rounding of a float.
 */
#define ENOUGH 0x1p-25
/* How much longer a sweep takes that over-relaxes: the kernels have no fused one. */
#define OVERRELAXED_COST 1.7

/* Factor on the error of the longest wave in a sweep of Jacobi's method. */
static double jacobi_factor(double weight)
{
    return 6 * weight / (1 + 6 * weight);
}

/* Over-relaxation that converges fastest (Young 1954). Scalars do without, because values between
 * sweeps can be outside of the range of the start. */
static double best_omega(double weight)
{
    double jacobi = jacobi_factor(weight);
    return fmin(2 / (1 + sqrt(1 - jacobi * jacobi)), OMEGA_MAX);
}

/* Sweeps that suffice, or most + 1. start: error of the first x. A colour relaxes from the values
 * that the other one had before: n plain sweeps leave jacobi^(2n-1) of the error. Over-relaxed, a
 * sweep multiplies it by `factor` in the end (Young 1954); with the best omega two waves share it,
 * and n sweeps leave up to 2 n factor^(n-1). */
static int sweeps_enough(double weight, double omega, double start, int most)
{
    double jacobi = jacobi_factor(weight), half = 0.5 * omega * jacobi;
    double root = half * half - (omega - 1);
    double factor = root > 0 ? (half + sqrt(root)) * (half + sqrt(root)) : omega - 1;
    double power = omega == 1 ? jacobi : 2;
    for (int n = 1; n <= most; n++) {
        if (start * power * (omega == 1 ? 1 : n) <= ENOUGH)
            return n;
        power *= omega == 1 ? jacobi * jacobi : factor;
    }
    return most + 1;
}

/* Sets over-relaxation and the number of sweeps, at most `most`. The solution is as far from the
 * start as the neighbours, nine of them at a corner of given sides, pull a cell; a held surface may
 * be so near that it pulls the cell all the way. */
static void set_sweeps(double weight, int most, bool may_overrelax, bool held,
                       Relaxation *relaxation)
{
    const double omega = may_overrelax ? best_omega(weight) : 1,
                 start = held ? 1 : fmin(9 * weight, 1);
    int plain = sweeps_enough(weight, 1, start, most),
        over = sweeps_enough(weight, omega, start, most);
    bool overrelaxes = plain > most || OVERRELAXED_COST * over < plain;
    int enough = overrelaxes ? over : plain;
    relaxation->omega = overrelaxes ? (float)omega : 1;
    relaxation->sweeps = enough < most ? enough : most;
}

/* The weight next to `weight` for which (1 + 6 weight) and its inverse, as floats, have a product
 * close to 1. What it misses changes every value in every step; in short steps, in which diffusion
 * changes little, that would add up to a share of it. */
static double even_weight(double weight)
{
    enum { TRIES = 16 };
    float diagonal = (float)(1 + 6 * weight);
    double best = weight, least = INFINITY;
    for (int n = 0; n < TRIES / 2; n++)
        diagonal = nextafterf(diagonal, 1);
    for (int n = 0; n < TRIES; n++, diagonal = nextafterf(diagonal, INFINITY)) {
        double near = ((double)diagonal - 1) / 6;
        double missed = fabs((double)diagonal * (double)(1 / diagonal) - 1) +
                        0.1 * fabs(near - weight); /* the error in waves of some 20 cells */
        best = missed < least ? near : best;
        least = fmin(missed, least);
    }
    return best;
}

/* `stage`: of the velocity; 0 for scalars. */
static void diffuse(BillowSim *sim, float *field, int kind, float rate, double dt, int stage)
{
    int axis = kind < 3 ? kind : -1;
    /* whether the first and last face are not unknowns, because their values are given */
    bool between = axis >= 0 && !boundary_wraps(&sim->def, axis);
    const Grid *grid = &sim->grid;
    double h = (double)sim->def.cell_size, weight = (double)rate * dt / (h * h);
    int most = sim->def.params.diffusion_sweeps;
    if (axis >= 0) {
        weight *= DIFFUSION_SHARE;
        most = (most + 1) / DIFFUSION_STAGES;
    }
    weight = even_weight(weight);
    static const ScratchUse uses[] = {SCRATCH_RIGHT_HAND_SIDE, SCRATCH_UNKNOWNS, SCRATCH_WALL_SOLID,
                                      SCRATCH_WALL_DISTANCE};
    const int use_count = sizeof uses / sizeof uses[0];
    for (int u = 0; u < use_count; u++)
        scratch_claim(&sim->scratch, uses[u]);
    DiffuseTask task = {
        .sim = sim,
        .field = between ? field + grid->strides[axis] : field,
        .kind = kind,
        .axis = axis,
        .level = {.grid = *grid,
                  .cells = {grid->nx, grid->ny, grid->nz},
                  .kernels = sim->kernels->relax,
                  .x = grid_packed(grid, scratch_use(&sim->scratch, SCRATCH_UNKNOWNS)[0]),
                  .rhs = grid_packed(grid, scratch_use(&sim->scratch, SCRATCH_RIGHT_HAND_SIDE)[0]),
                  .base = 1,
                  .weight = (float)weight},
        .beyond =
            axis >= 0 && stage == 0 ? (float)((1 - DIFFUSION_SHARE) / DIFFUSION_SHARE) - 1 : 0,
    };
    if (sim->solids != NULL && axis < 0) {
        task.level.fractions = sim->multigrid.levels[0].fractions;
        for (int s = 0; s < sim->def.solid_count && kind == SCALAR_TEMPERATURE; s++)
            task.isothermal = task.isothermal || sim->def.solids[s].isothermal;
    }
    set_sweeps(weight, most, axis >= 0, task.isothermal, &task.relaxation);
    if (task.isothermal) {
        task.relaxation.amend = isothermal_relax;
        task.relaxation.context = &task;
    }
    LevelSide sides[BILLOW_SIDES];
    for (int side = 0; side < BILLOW_SIDES; side++) {
        sides[side] = side_of(sim, side, kind);
        task.given = task.given || sides[side] == SIDE_ON_FACE;
    }
    if (between)
        task.level.cells[axis]--;
    task.relaxation.level = &task.level;
    level_cut(&task.level, sim->coefficients);
    level_prepare(&task.level, task.level.cells, 0, sides);
    exchange_fields(sim_alone(sim), grid, &field, 1, 1);
    sim_run(sim, diffuse_task, &task);
    if (axis == 2) /* unknown k is face k + 1: the face at its low end comes from the rank below */
        exchange_fields(sim_alone(sim), grid, &task.field, 1, 1);
    for (int u = 0; u < use_count; u++)
        scratch_release(&sim->scratch, uses[u]);
    profile_traffic(sim, 5 + 3.0 * task.relaxation.sweeps + 2);
}

void diffuse_velocity(BillowSim *sim, double dt, int stage)
{
    displacement_drop(sim);
    for (int axis = 0; axis < 3; axis++)
        diffuse(sim, sim->velocity[axis], axis, sim->def.params.viscosity, dt, stage);
}

void diffuse_scalars(BillowSim *sim, double dt)
{
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    displacement_drop(sim);
    for (int s = 0; s < count; s++)
        if (list[s].diffusion > 0.0f) {
            smoke_fill_all(sim); /* diffusion reaches everywhere */
            if (sim->smoke.refine > 1)
                smoke_diffuse(sim, &list[s], dt);
            else
                diffuse(sim, *list[s].field, list[s].kind, list[s].diffusion, dt, 0);
        }
}
