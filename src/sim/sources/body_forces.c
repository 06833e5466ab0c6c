/* SPDX-License-Identifier: MIT
 *
 * Forces of the scene: wind, vortices, attractors, turbulence. Positions are in cells from the low
 * corner of the box. Each worker accelerates the fluid at the faces in its slab's planes. */
#include "sim/sources/body_forces.h"

#include "base/mathematics.h"
#include "sim/sim.h"

#include <math.h>

enum { ROW_MAX = BILLOW_GRID_MAX + 1 };

/* A force in one substep. */
typedef struct Push {
    const BillowForce *force;
    float center[3], radius;
    float axis[3]; /* direction of a vortex's axis, a unit vector; 0 if it has none */
    float share;   /* share of the difference between the fluid's and the wind's velocity that a
                      substep removes */
    float impulse; /* `strength` times the seconds that the force acts, m/s */
} Push;

/* exp(-(r/radius)^2) as a product of one factor per axis. The factors along x are stored, at the
 * grid's nodes and at the middles of its cells. */
typedef struct Fade {
    bool fades;
    float node[ROW_MAX], middle[ROW_MAX]; /* factors along x */
} Fade;

/* Elements begin <= i < end along an axis. */
typedef struct Interval {
    int begin, end;
} Interval;

typedef struct ForceTask {
    BillowSim *sim;
    Push pushes[2 * BILLOW_FORCES_MAX];
    int count;
} ForceTask;

/* Range begin <= i < end of the faces of an axis that move freely, in a row, column or stack of n
 * cells. The range leaves out walls, inflows, and the last face of a periodic axis, which repeats
 * the first. */
static Interval free_faces(const BillowSim *sim, int axis, int n)
{
    BillowFace low = sim->def.faces[2 * axis], high = sim->def.faces[2 * axis + 1];
    return (Interval){low != BILLOW_OPEN && low != BILLOW_PERIODIC, n + (high == BILLOW_OPEN)};
}

static float fade_factor(const Push *push, int axis, float at)
{
    float x = (at - push->center[axis]) / push->radius;
    return math_expf(-x * x);
}

static void fade_start(Fade *fade, const Push *push, int nx)
{
    fade->fades = push->radius > 0;
    for (int i = 0; i <= nx; i++) {
        fade->node[i] = fade->fades ? fade_factor(push, 0, (float)i) : 1;
        fade->middle[i] = fade->fades ? fade_factor(push, 0, (float)i + 0.5f) : 1;
    }
}

/* Product of the factors along y and z. */
static float fade_across(const Fade *fade, const Push *push, float y, float z)
{
    return fade->fades ? fade_factor(push, 1, y) * fade_factor(push, 2, z) : 1;
}

/* -- wind, vortices, attractors */

static void blow(const Push *push, int axis, const float *along, float across, Interval row,
                 float *u)
{
    float share = push->share * across, target = push->force->velocity[axis];
    for (int i = row.begin; i < row.end; i++)
        u[i] += share * along[i] * (target - u[i]);
}

/* Adds impulse * (a x d) / |a x d| * 2x / (1 + x^2) with x = |a x d| / radius, where a is
 * `push->axis` and d the vector from the centre, in cells. With radius 0 the last factor is left
 * out. */
static void turn(const Push *push, int axis, const float from[3], Interval row, float *u)
{
    const float *a = push->axis;
    for (int i = row.begin; i < row.end; i++) {
        const float d[3] = {from[0] + (float)i, from[1], from[2]};
        const float cross[3] = {a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2],
                                a[0] * d[1] - a[1] * d[0]};
        float squared = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
        float r = push->radius;
        float factor = r > 0 ? 2 * r / (r * r + squared) : squared > 0 ? 1 / sqrtf(squared) : 0;
        u[i] += push->impulse * factor * cross[axis];
    }
}

/* Adds -impulse * fade * d / sqrt(|d|^2 + 1), where d is the vector from the centre, in cells. The
 * 1 avoids a jump at the centre. */
static void draw(const Push *push, int axis, const float from[3], const float *along, float across,
                 Interval row, float *u)
{
    for (int i = row.begin; i < row.end; i++) {
        const float d[3] = {from[0] + (float)i, from[1], from[2]};
        float distance = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1);
        u[i] -= push->impulse * across * along[i] * d[axis] / distance;
    }
}

static void push_row(BillowSim *sim, const Push *push, const Fade *fade, int axis, int j, int k,
                     Interval row)
{
    const float offset[3] = {axis == 0 ? 0 : 0.5f, axis == 1 ? 0 : 0.5f, axis == 2 ? 0 : 0.5f};
    const float at[3] = {offset[0], (float)j + offset[1], (float)k + offset[2]};
    const float *along = axis == 0 ? fade->node : fade->middle;
    float *u = sim->velocity[axis] + grid_row(&sim->grid, j, k), from[3];
    for (int a = 0; a < 3; a++)
        from[a] = at[a] - push->center[a];
    if (push->force->kind == BILLOW_VORTEX)
        turn(push, axis, from, row, u);
    else if (push->force->kind == BILLOW_ATTRACTOR)
        draw(push, axis, from, along, fade_across(fade, push, at[1], at[2]), row, u);
    else
        blow(push, axis, along, fade_across(fade, push, at[1], at[2]), row, u);
}

static void push_slab(BillowSim *sim, const Push *push, int begin, int end)
{
    const Grid *grid = &sim->grid;
    Fade fade;
    fade_start(&fade, push, grid->nx);
    for (int axis = 0; axis < 3; axis++) {
        Interval row = axis == 0 ? free_faces(sim, 0, grid->nx) : (Interval){0, grid->nx};
        Interval column = axis == 1 ? free_faces(sim, 1, grid->ny) : (Interval){0, grid->ny};
        Interval stack = axis == 2 ? free_faces(sim, 2, grid->nz) : (Interval){0, grid->nz};
        int first = begin > stack.begin ? begin : stack.begin;
        int last = end < stack.end ? end : stack.end;
        for (int k = first; k < last; k++)
            for (int j = column.begin; j < column.end; j++)
                push_row(sim, push, &fade, axis, j, k, row);
    }
}

/* -- turbulence
 *
 * The curl of a potential A of noise, taken on the grid's edges, where differences of differences
 * cancel: its divergence is 0 but for rounding, even where A fades out (Bridson, Hourihan,
 * Nordenstam 2007).
 *
 *     A_x at (i+1/2, j, k)    fu at (i, j+1/2, k+1/2) = dA_z/dy - dA_y/dz
 *     A_y at (i, j+1/2, k)    fv at (i+1/2, j, k+1/2) = dA_x/dz - dA_z/dx
 *     A_z at (i, j, k+1/2)    fw at (i+1/2, j+1/2, k) = dA_y/dx - dA_x/dy
 */
typedef struct Stirring {
    const BillowSim *sim;
    const Push *push;
    Fade fade;
    /* size of a cell, time, and low corner of the box, in units of the noise */
    double per_cell, phase, low[3];
    float factor;
    NoiseColumns nodes, middles;
    NoisePlane x[2], y[2], z; /* A_x and A_y in planes k and k + 1; A_z halfway between them */
} Stirring;

typedef struct EdgeRows {
    float x[3][ROW_MAX]; /* A_x at (j, k), (j, k + 1) and (j + 1, k) */
    float y[2][ROW_MAX]; /* A_y at z = k, k + 1 */
    float z[2][ROW_MAX]; /* A_z at y = j, j + 1 */
} EdgeRows;

static void stirring_start(Stirring *stirring, const BillowSim *sim, const Push *push)
{
    const BillowForce *force = push->force;
    const double h = (double)sim->def.cell_size;
    double scale = fmax((double)force->scale, 2 * h);
    stirring->sim = sim;
    stirring->push = push;
    stirring->per_cell = h / scale;
    stirring->phase = sim->time * (double)force->speed;
    for (int axis = 0; axis < 3; axis++)
        stirring->low[axis] = (double)sim->def.origin[axis] / scale;
    stirring->factor = push->impulse * (float)(scale / h) / CURL_NOISE_RMS;
    int nx = sim->grid.nx;
    fade_start(&stirring->fade, push, nx);
    noise_columns_start(&stirring->nodes, sim->kernels->forces, stirring->low[0],
                        stirring->per_cell, nx + 1);
    noise_columns_start(&stirring->middles, sim->kernels->forces,
                        stirring->low[0] + 0.5 * stirring->per_cell, stirring->per_cell, nx);
}

/* Each component has another seed. Distant regions of one noise would serve as well. */
static void start_plane(const Stirring *stirring, NoisePlane *plane, int component, double z)
{
    noise_plane_start(plane, component == 0 ? &stirring->middles : &stirring->nodes,
                      stirring->low[2] + z * stirring->per_cell, stirring->phase,
                      stirring->push->force->seed * 3u + (uint32_t)component);
}

static void edge_row(const Stirring *stirring, NoisePlane *plane, double y, double z, float *row)
{
    const Fade *fade = &stirring->fade;
    const float *along = plane->columns == &stirring->nodes ? fade->node : fade->middle;
    float factor = stirring->factor * fade_across(fade, stirring->push, (float)y, (float)z);
    noise_plane_row(plane, stirring->low[1] + y * stirring->per_cell, factor, row);
    for (int i = 0; fade->fades && i < plane->columns->count; i++)
        row[i] *= along[i];
}

static void stir_row(const Stirring *stirring, const EdgeRows *edges, int j, int k)
{
    const BillowSim *sim = stirring->sim;
    const Grid *grid = &sim->grid;
    ptrdiff_t at = grid_row(grid, j, k);
    float *u = sim->velocity[0] + at, *v = sim->velocity[1] + at, *w = sim->velocity[2] + at;
    Interval row = free_faces(sim, 0, grid->nx), column = free_faces(sim, 1, grid->ny);
    Interval stack = free_faces(sim, 2, grid->nz);
    for (int i = row.begin; i < row.end && j < grid->ny && k < grid->nz; i++)
        u[i] += (edges->z[1][i] - edges->z[0][i]) - (edges->y[1][i] - edges->y[0][i]);
    for (int i = 0; i < grid->nx && j >= column.begin && j < column.end && k < grid->nz; i++)
        v[i] += (edges->x[1][i] - edges->x[0][i]) - (edges->z[0][i + 1] - edges->z[0][i]);
    for (int i = 0; i < grid->nx && k >= stack.begin && k < stack.end && j < grid->ny; i++)
        w[i] += (edges->y[0][i + 1] - edges->y[0][i]) - (edges->x[2][i] - edges->x[0][i]);
}

static void stir_plane(Stirring *stirring, int k)
{
    EdgeRows edges;
    for (int side = 0; side < 2; side++) {
        start_plane(stirring, &stirring->x[side], 0, k + side);
        start_plane(stirring, &stirring->y[side], 1, k + side);
    }
    start_plane(stirring, &stirring->z, 2, k + 0.5);
    for (int j = 0; j <= stirring->sim->grid.ny; j++) {
        for (int side = 0; side < 2; side++) {
            edge_row(stirring, &stirring->x[side], j, k + side, edges.x[side]);
            edge_row(stirring, &stirring->y[side], j + 0.5, k + side, edges.y[side]);
            edge_row(stirring, &stirring->z, j + side, k + 0.5, edges.z[side]);
        }
        edge_row(stirring, &stirring->x[0], j + 1, k, edges.x[2]);
        stir_row(stirring, &edges, j, k);
    }
}

/* -- all of them */

static void force_task(void *context, Team team)
{
    const ForceTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->grid.nz);
    int end = slab.end + slab_ends(slab, sim->grid.nz); /* includes the faces at nz */
    for (int p = 0; p < task->count; p++) {
        const Push *push = &task->pushes[p];
        if (push->force->kind != BILLOW_TURBULENCE) {
            push_slab(sim, push, slab.begin, end);
            continue;
        }
        Stirring stirring;
        stirring_start(&stirring, sim, push);
        for (int k = slab.begin; k < end; k++)
            stir_plane(&stirring, k);
    }
}

static Push push_of(const BillowSim *sim, const BillowForce *force, double seconds)
{
    Push push = {.force = force};
    const float *v = force->velocity;
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++) {
        push.center[axis] = (force->center[axis] - sim->def.origin[axis]) / sim->def.cell_size;
        push.axis[axis] = length > 0 ? v[axis] / length : 0;
    }
    push.radius = force->radius / sim->def.cell_size;
    push.share = (float)-math_expm1(-(double)force->strength * seconds);
    push.impulse = (float)((double)force->strength * seconds);
    return push;
}

void body_forces_apply(BillowSim *sim, double dt, double share)
{
    ForceTask task = {.sim = sim};
    for (int f = 0; f < sim->def.force_count; f++) {
        const BillowForce *force = &sim->def.forces[f];
        double begin = fmax(force->start, sim->time), end = fmin(force->end, sim->time + dt);
        if (end > begin && force->strength != 0.0f)
            task.pushes[task.count++] = push_of(sim, force, share * (end - begin));
    }
    for (int f = 0; f < sim->pushed_count; f++)
        if (sim->pushed[f].strength != 0.0f)
            task.pushes[task.count++] = push_of(sim, &sim->pushed[f], share * dt);
    if (task.count == 0)
        return;
    sim_run(sim, force_task, &task);
    profile_traffic(sim, 6.0 * task.count);
}
