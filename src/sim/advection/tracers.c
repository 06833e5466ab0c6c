/* SPDX-License-Identifier: MIT
 *
 * Tracers: particles that move with the divergence-free velocity by the midpoint rule
 *
 *     m = x + dt/2 u(x),   x' = x + dt u(m)
 *
 * which is of second order in dt in a steady flow. u is interpolated trilinearly between the faces
 * of each component. Within half a cell of a side of the box, the components along that side equal
 * their values half a cell away. At a no-slip wall they change linearly to the wall's velocity. A
 * tracer ends if its path meets a solid or leaves the box through an open face. A periodic face
 * moves it to the other side of the box. All other faces stop it.
 *
 * With BillowDef.tracer_lag tracers are sparks, which have inertia and weight (sparks.c).
 *
 * Random positions are hashes of the tracer's number and therefore do not depend on the worker. */
#include "sim/advection/tracers.h"

#include "sim/fields/boundary.h"
#include "sim/fields/constants.h"

#include <math.h>
#include <string.h>

/* -- the flow at a position -------------------------------------------------------------------- */

/* A position along one axis, between two faces and between two cell centres. */
typedef struct Between {
    ptrdiff_t face, center[2]; /* offsets in a field, floats; the next face is one stride farther */
    float face_share, center_share;
    float beyond; /* 0 at the outermost centre, 1 at the wall */
    int side;     /* 0 at the low side, 1 at the high side */
} Between;

static Between between(float x, int n, bool wraps, ptrdiff_t stride)
{
    Between at = {0};
    int face = (int)x < n - 1 ? (int)x : n - 1;
    at.face = face * stride;
    at.face_share = x - (float)face;
    float c = x - 0.5f, inner = wraps ? c : tracers_within(c, (float)(n - 1));
    int low = (int)(inner + 1) - 1; /* rounds down for values from -1 */
    low = low < n - 1 || wraps ? low : n - 2;
    at.center_share = inner - (float)low;
    at.beyond = 2 * fabsf(c - inner);
    at.side = c > inner;
    at.center[0] = (low < 0 ? n - 1 : low) * stride;
    at.center[1] = (low + 1 < n ? low + 1 : 0) * stride;
    return at;
}

static float mix(float a, float b, float share)
{
    return a + share * (b - a);
}

/* Interpolates between eight elements. `low`, `high`: offsets of the two elements along each axis.
 */
static float trilinear(const float *field, const ptrdiff_t low[3], const ptrdiff_t high[3],
                       const float share[3])
{
    const float *a = field + low[1] + low[2], *b = field + high[1] + low[2],
                *c = field + low[1] + high[2], *d = field + high[1] + high[2];
    float x = share[0];
    float near = mix(mix(a[low[0]], a[high[0]], x), mix(b[low[0]], b[high[0]], x), share[1]);
    float far = mix(mix(c[low[0]], c[high[0]], x), mix(d[low[0]], d[high[0]], x), share[1]);
    return mix(near, far, share[2]);
}

/* One velocity component, m/s. Its samples are at faces along its own axis and at cell centres
 * along the other two. */
static float component(const TracerTask *task, int axis, const Between at[3])
{
    const BillowSim *sim = task->sim;
    ptrdiff_t low[3], high[3];
    float share[3];
    for (int a = 0; a < 3; a++) {
        low[a] = at[a].center[0];
        high[a] = at[a].center[1];
        share[a] = at[a].center_share;
    }
    low[axis] = at[axis].face;
    high[axis] = at[axis].face + sim->grid.strides[axis];
    share[axis] = at[axis].face_share;
    float value = trilinear(sim->velocity[axis], low, high, share);
    for (int a = 0; a < 3; a++)
        if (a != axis && at[a].beyond > 0 && task->sticks[2 * a + at[a].side])
            value =
                mix(value, sim->def.boundaries[2 * a + at[a].side].velocity[axis], at[a].beyond);
    return value;
}

/* Velocity at a position, m/s. The position is in cells from the low corner of the box. */
void tracers_flow_at(const TracerTask *task, const float cell[3], float velocity[3])
{
    const Grid *grid = &task->sim->grid;
    Between at[3];
    for (int axis = 0; axis < 3; axis++) {
        float x = cell[axis];
        if (task->wraps[axis])
            x -= task->cells[axis] * floorf(x / task->cells[axis]);
        at[axis] = between(tracers_within(x, task->cells[axis]), grid->cells[axis],
                           task->wraps[axis], grid->strides[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = component(task, axis, at);
}

/* -- solids ------------------------------------------------------------------------------------ */

bool tracers_in_solid(const TracerTask *task, const float cell[3])
{
    return task->sim->solids != NULL && solids_distance_at(task->sim, cell) <= 0;
}

/* Whether the straight path from a position meets a solid. Sphere tracing takes steps of half the
 * distance, because the interpolated distance may change faster than the position. */
bool tracers_meet_solid(const TracerTask *task, const float from[3], const float path[3])
{
    if (task->sim->solids == NULL)
        return false;
    float length = sqrtf(path[0] * path[0] + path[1] * path[1] + path[2] * path[2]), gone = 0;
    if (!(length < (float)SPEED_LIMIT_CELLS)) /* far outside the box, or NaN */
        return true;
    for (;;) {
        float at[3], share = length > 0 ? gone / length : 0;
        for (int axis = 0; axis < 3; axis++)
            at[axis] = from[axis] + share * path[axis];
        float distance = solids_distance_at(task->sim, at);
        if (distance <= 0)
            return true;
        if (gone >= length || 0.5f * distance > length - gone)
            return false;
        gone = fminf(gone + fmaxf(0.5f * distance, 0.25f), length);
    }
}

/* -- birth ------------------------------------------------------------------------------------- */

uint64_t tracers_scramble(uint64_t x)
{
    /* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A random point for a key and an attempt. Each coordinate is at least 0 and below 1. */
void tracers_random_point(uint64_t key, int attempt, float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        uint64_t x = key + 0x9e3779b97f4a7c15u * (uint64_t)(3 * attempt + axis + 1);
        point[axis] = (float)(tracers_scramble(x) >> 40) * 0x1p-24f;
    }
}

void tracers_put(const TracerTask *task, int number, const float cell[3], float age)
{
    const BillowSim *sim = task->sim;
    for (int axis = 0; axis < 3; axis++)
        sim->tracers.place[axis][number] = sim->def.origin[axis] + cell[axis] * sim->def.cell_size;
    sim->tracers.age[number] = age;
}

/* Puts a tracer at a random position in the box, outside of solids. Marks it as unused if no
 * attempt finds one. With `in_turn`, z grows with the tracer's number. Tracers with consecutive
 * numbers then read neighbouring cells until the flow mixes them. If the velocity does not fit a
 * core's cache, this reduces the time to a third. */
static void scatter(const TracerTask *task, int number, uint64_t key, bool in_turn)
{
    float cell[3] = {0, 0, 0};
    for (int attempt = 0; attempt < BIRTH_TRIES; attempt++) {
        tracers_random_point(key, attempt, cell);
        if (in_turn && attempt < BIRTH_TRIES / 2)
            cell[2] = (float)((number + (double)cell[2]) / task->sim->def.tracers);
        for (int axis = 0; axis < 3; axis++)
            cell[axis] *= task->cells[axis];
        if (!tracers_in_solid(task, cell)) {
            tracers_put(task, number, cell, 0);
            return;
        }
    }
    tracers_put(task, number, cell, -1);
}

/* Puts a tracer at a random position in an emitter. Marks it as unused if no attempt finds one. */
static void emit(const TracerTask *task, int number, const PlacedEmitter *placed, uint64_t key)
{
    double low[3], high[3];
    float cell[3] = {0, 0, 0};
    shape_bounds(&placed->shape, low, high); /* relative to the centre of the first cell */
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmax(low[axis] + 0.5, 0);
        high[axis] = fmin(high[axis] + 0.5, (double)task->cells[axis]);
    }
    bool found = false;
    for (int attempt = 0; attempt < BIRTH_TRIES && !found; attempt++) {
        double centered[3];
        tracers_random_point(key, attempt, cell);
        for (int axis = 0; axis < 3; axis++) {
            double x = low[axis] + (high[axis] - low[axis]) * (double)cell[axis];
            cell[axis] = tracers_within((float)x, task->cells[axis]);
            centered[axis] = x - 0.5;
        }
        found = shape_distance(&placed->shape, centered) <= 0 && !tracers_in_solid(task, cell);
    }
    for (int axis = 0; axis < 3; axis++)
        found = found && low[axis] <= high[axis];
    tracers_put(task, number, cell, found ? 0 : -1);
    if (found && sparks_are(task->sim))
        spark_eject(task, number, cell, key);
}

/* -- a step ------------------------------------------------------------------------------------ */

/* Moves a position back into the box, and sets `*moved` if the position changed. Returns false if
 * it left the box through an open face. */
static bool return_to_box(const TracerTask *task, float cell[3], bool *moved)
{
    const float before[3] = {cell[0], cell[1], cell[2]};
    for (int axis = 0; axis < 3; axis++) {
        float n = task->cells[axis];
        if (task->wraps[axis])
            cell[axis] -= n * floorf(cell[axis] / n);
        if ((cell[axis] < 0 && task->opens[2 * axis]) ||
            (cell[axis] > n && task->opens[2 * axis + 1]))
            return false;
        cell[axis] = tracers_within(cell[axis], n);
        *moved = *moved || cell[axis] != before[axis];
    }
    return true;
}

/* Moves one tracer. Returns false if the tracer ends on its path. */
static bool advect(const TracerTask *task, int number)
{
    const BillowSim *sim = task->sim;
    float h = sim->def.cell_size, step = (float)(task->dt / (double)h);
    float cell[3], middle[3], velocity[3], path[3];
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = (sim->tracers.place[axis][number] - sim->def.origin[axis]) / h;
    tracers_flow_at(task, cell, velocity);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = cell[axis] + 0.5f * step * velocity[axis];
    tracers_flow_at(task, middle, velocity);
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        path[axis] = step * velocity[axis];
        good = good && isfinite(path[axis]);
    }
    if (!good || tracers_meet_solid(task, cell, path))
        return false;
    for (int axis = 0; axis < 3; axis++)
        cell[axis] += path[axis];
    bool moved = false;
    float age = sim->tracers.age[number] + (float)task->dt;
    if (!return_to_box(task, cell, &moved) || (moved && tracers_in_solid(task, cell)))
        return false;
    if (moved)
        tracers_put(task, number, cell, age);
    for (int axis = 0; axis < 3 && !moved; axis++)
        sim->tracers.place[axis][number] += (float)task->dt * velocity[axis];
    sim->tracers.age[number] = age;
    return true;
}

/* A key that differs between tracers and between substeps. */
static uint64_t place_key(int number, uint64_t substep)
{
    return tracers_scramble((uint64_t)number + 1) + substep;
}

static void advect_task(void *context, Team team)
{
    const TracerTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->def.tracers);
    for (int number = slab.begin; number < slab.end; number++) {
        if (sim->tracers.age[number] >= 0 &&
            (sparks_are(sim) ? spark_advect(task, number) : advect(task, number)))
            continue;
        sim->tracers.age[number] = -1;
        if (task->everywhere)
            scatter(task, number, place_key(number, sim->stats.substeps + 1), false);
    }
    team_barrier(team);
    for (int b = 0; b < task->birth_count; b++) {
        const Birth *birth = &task->births[b];
        Slab part = team_slab(team, birth->count);
        for (int i = part.begin; i < part.end; i++) {
            uint64_t number = birth->first + (uint64_t)i;
            uint64_t key = tracers_scramble(number + 1) ^ birth->placed->emitter.seed;
            emit(task, (int)(number % (uint64_t)sim->def.tracers), birth->placed, key);
        }
        team_barrier(team); /* the next emitter may reuse these slots */
    }
    if (task->burning > 0)
        sparks_release(task, team);
}

/* Saved states and hashes also hold the values of unused slots. */
static void reset_task(void *context, Team team)
{
    const TracerTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->def.tracers);
    for (int number = slab.begin; number < slab.end; number++) {
        if (task->everywhere)
            scatter(task, number, place_key(number, 0), true);
        else
            tracers_put(task, number, (const float[3]){0, 0, 0}, -1);
        for (int axis = 0; axis < 3 && sparks_are(sim); axis++)
            sim->tracers.velocity[axis][number] = 0;
        if (sparks_are(sim))
            sim->tracers.life[number] = 0;
    }
}

/* Plans the tracers that an emitter releases in `seconds`. They replace the oldest tracers.
 * `*owed`: fraction of a tracer that is still to be released. */
static void add_birth(TracerTask *task, const PlacedEmitter *placed, double seconds, double *owed)
{
    BillowSim *sim = task->sim;
    double due = (double)placed->emitter.tracers * seconds + *owed;
    int count = (int)fmin(due, sim->def.tracers);
    *owed = due - floor(due);
    if (count == 0)
        return;
    task->births[task->birth_count++] = (Birth){placed, sim->tracers.born, count};
    sim->tracers.born += (uint64_t)count;
}

static TracerTask task_for(BillowSim *sim, double dt)
{
    const BillowDef *def = &sim->def;
    TracerTask task = {.sim = sim,
                       .dt = dt,
                       .everywhere = !sparks_are(sim),
                       .cells = {(float)def->nx, (float)def->ny, (float)def->nz}};
    for (int axis = 0; axis < 3; axis++)
        task.wraps[axis] = boundary_wraps(def, axis);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        task.opens[side] = def->faces[side] == BILLOW_OPEN;
        task.sticks[side] = def->faces[side] == BILLOW_NO_SLIP;
    }
    for (int e = 0; e < def->emitter_count; e++)
        task.everywhere = task.everywhere && !(def->emitters[e].tracers > 0);
    return task;
}

void tracers_advect(BillowSim *sim, double dt)
{
    if (sim->def.tracers == 0)
        return;
    TracerTask task = task_for(sim, dt);
    const Slab whole = {0, sim->grid.nz + 1}; /* every rank moves all tracers */
    double *owed = sim->tracers.owed;
    for (int e = 0; e < sim->def.emitter_count; e++) {
        const PlacedEmitter *placed = &sim->emitters[e];
        double seconds = emitter_seconds(&placed->emitter, sim->time, sim->time + dt);
        add_birth(&task, placed, seconds, &owed[e]);
    }
    for (int q = 0; q < sim->queued_count; q++)
        add_birth(&task, &sim->queued[q], dt, &owed[BILLOW_EMITTERS_MAX + q]);
    if (sparks_are(sim))
        sparks_plan(&task);
    exchange_whole_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, whole);
    if (sim->flame != NULL && sparks_are(sim))
        exchange_whole_fields(sim_alone(sim), &sim->grid, &sim->flame, 1, whole);
    team_run(sim->threads, advect_task, &task);
    sim->profile.bytes += 32.0 * sim->def.tracers;
}

void tracers_reset(BillowSim *sim)
{
    if (sim->def.tracers == 0)
        return;
    sim->tracers.born = 0;
    memset(sim->tracers.owed, 0, sizeof sim->tracers.owed);
    TracerTask task = task_for(sim, 0);
    team_run(sim->threads, reset_task, &task);
}
