/* SPDX-License-Identifier: MIT
 *
 * Stages 4 and 8: implicit diffusion (Stam 2003), a = nu dt / h2:
 *
 *     (1 + a*counted) x - a * (sum of the six) = x0
 *
 * Walls are free-slip for the velocity along them and insulating for scalars (not counted), unless
 * a value is given on them (boundary.h): that counts twice, half a cell away; velocity through a
 * face is given on it, except around periodic axes, whose first faces are unknown. Beyond an open
 * face scalars are ambient (counted, value 0) and the velocity has no gradient. What solids leave
 * open of a face is what scalars pass through; surfaces that are held at a temperature:
 * isothermal.h; those that the velocity sticks to: solid_drag.c. */
#include "sim.h"

#include "boundary.h"
#include "isothermal.h"
#include "parallel.h"
#include "relax.h"

#include <string.h>

typedef struct DiffuseTask {
    BillowSim *sim;
    Level level;
    Relaxation relaxation;
    float *field;    /* first unknown */
    int kind;        /* boundary.h */
    int axis;        /* of a velocity component, -1 for scalars */
    bool given;      /* whether any side has a value of its own */
    bool isothermal; /* whether solids have */
} DiffuseTask;

/* Given values on the first and last face of a component join the right-hand side of the unknowns
 * next to them. */
static void add_given_faces(const DiffuseTask *task, int j, int k, float *row)
{
    const Level *level = &task->level;
    const Grid *grid = &task->sim->grid;
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    const int at[3] = {0, j, k};
    const float *field = task->field + grid_row(grid, j, k);
    ptrdiff_t stride = strides[task->axis];
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

/* The component's face that its first unknown along an axis stands on. */
static int first_face(const DiffuseTask *task, int axis)
{
    return axis == task->axis && !boundary_wraps(&task->sim->def, axis);
}

/* The part of the face between a cell and a side of the box that solids leave open. */
static float open_part(const DiffuseTask *task, int side, int i, int j, int k)
{
    int face[3] = {i, j, k};
    face[side / 2] += side % 2;
    return task->level.openings.rows != NULL
               ? *opening_at(&task->level, side / 2, face[0], face[1], face[2])
               : 1;
}

/* What is given on the sides along the other axes joins it twice. */
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

/* The packed unknowns start as the field itself; their memory was used otherwise, so its ghosts are
 * cleared too. */
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
            float *row = sim->work[1] + at;
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

static void amend(const void *context, int color, int k)
{
    const DiffuseTask *task = context;
    isothermal_relax(task->sim, &task->level, color, k);
}

static void diffuse_task(void *context, Team team)
{
    const DiffuseTask *task = context;
    const Level *level = &task->level;
    Slab slab = team_slab(team, level->cells[2]);
    if (slab.begin < slab.end)
        load(task, slab);
    team_barrier(team);
    relaxation_solve(&task->relaxation, team);
    for (int k = slab.begin; k < slab.end; k++)
        for (int j = 0; j < level->cells[1]; j++)
            level_unpack_row(level, level->x, j, k, task->field + grid_row(&task->sim->grid, j, k));
}

static LevelSide side_of(const BillowSim *sim, int side, int kind)
{
    if (boundary_wraps(&sim->def, side / 2))
        return SIDE_WRAPS;
    if (side / 2 == kind)
        return SIDE_OUTSIDE; /* the face itself, a cell from the first unknown */
    if (boundary_is_given(&sim->def, (BillowSide)side, kind))
        return SIDE_ON_FACE;
    return kind >= 3 && sim->def.faces[side] == BILLOW_OPEN ? SIDE_OUTSIDE : SIDE_WALL;
}

static void diffuse(BillowSim *sim, float *field, int kind, float rate, double dt)
{
    int axis = kind < 3 ? kind : -1;
    bool between = axis >= 0 && !boundary_wraps(&sim->def, axis); /* given first and last faces */
    const Grid *grid = &sim->grid;
    double h = (double)sim->def.cell_size;
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    DiffuseTask task = {
        .sim = sim,
        .field = between ? field + strides[axis] : field,
        .kind = kind,
        .axis = axis,
        .level = {.grid = *grid,
                  .cells = {grid->nx, grid->ny, grid->nz},
                  .kernels = sim->kernels->relax,
                  .x = grid_packed(grid, sim->work[2]),
                  .rhs = grid_packed(grid, sim->work[0]),
                  .base = 1,
                  .weight = (float)((double)rate * dt / (h * h))},
        .relaxation = {.omega = 1, .sweeps = sim->def.params.diffusion_sweeps},
    };
    if (sim->solids != NULL && axis < 0) {
        task.level.openings = sim->multigrid.levels[0].openings;
        task.isothermal = kind == FIELD_TEMPERATURE && isothermal_any(sim);
    }
    if (task.isothermal) {
        task.relaxation.amend = amend;
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
    team_run(sim->threads, diffuse_task, &task);
    profile_traffic(sim, 5 + 3.0 * sim->def.params.diffusion_sweeps + 2);
}

void diffuse_velocity(BillowSim *sim, double dt)
{
    if (sim->def.params.viscosity > 0.0f)
        for (int axis = 0; axis < 3; axis++)
            diffuse(sim, sim->velocity[axis], axis, sim->def.params.viscosity, dt);
}

void diffuse_scalars(BillowSim *sim, double dt)
{
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    for (int s = 0; s < count; s++)
        if (list[s].diffusion > 0.0f)
            diffuse(sim, *list[s].field, list[s].kind, list[s].diffusion, dt);
}
