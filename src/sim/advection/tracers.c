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
 * With BillowDef.tracer_lag tracers are sparks, which have inertia and weight. With the response
 * time L = tracer_lag and the velocity u of the gas a spark follows Stokes's drag,
 *
 *     dv/dt = (u - v) / L - g y,   dx/dt = v
 *
 * In gas of constant velocity, with w = u - L g y, the velocity of free fall in it,
 *
 *     v(t) = w + (v - w) exp(-t/L),   x(t) = x + w t + (v - w) L (1 - exp(-t/L))
 *
 * A substep takes this solution with the velocity of the gas at the middle of the path, which the
 * same solution predicts. Still gas therefore gives the exact fall for any substep. As L goes to 0
 * the path becomes that of a massless tracer.
 *
 * Sparks bounce off closed faces and solids, leave the box through open faces and end with their
 * life. Burning fuel releases them: plane by plane a running sum of the flame passes whole numbers
 * of sparks, and a random start of the sum chooses the cells (systematic sampling).
 *
 * Random positions are hashes of the tracer's number and therefore do not depend on the worker. */
#include "sim/advection/tracers.h"

#include "base/mathematics.h"
#include "sim/fields/boundary.h"
#include "sim/solids/solid_advection.h"

#include <math.h>
#include <string.h>

/* Largest number of random positions to try for a new tracer. A position must be in the emitter and
 * outside of solids. */
#define BIRTH_TRIES 64

#define GRAVITY 9.81f /* m/s2 */
/* Share of the speed that a spark keeps when it bounces, across the surface and along it. */
#define BOUNCE 0.35f
#define SLIDE  0.7f
/* The life of a spark is LIFE_LEAST to 1 times tracer_life, at random. */
#define LIFE_LEAST 0.3f

/* Keys of different random numbers of a spark. */
enum { KEY_SPEED = 0x51, KEY_LIFE = 0x52, KEY_PLANE = 0x53, KEY_PLACE = 0x54 };

typedef struct Birth {
    const PlacedEmitter *placed;
    uint64_t first; /* number of the first tracer to release */
    int count;
} Birth;

/* A spark's velocity relative to the gas after some seconds: the share that is left of it, and its
 * integral over that time, s. */
typedef struct Fall {
    float seconds, decay, glide;
} Fall;

/* Positions in cells count from the low corner of the box. */
typedef struct TracerTask {
    BillowSim *sim;
    double dt;
    bool sparks;     /* whether tracers have inertia and weight */
    bool everywhere; /* whether no emitter releases tracers. A tracer that ends then restarts at a
                        random position in the box. */
    bool wraps[3], opens[BILLOW_SIDES], sticks[BILLOW_SIDES];
    float cells[3];
    Birth births[2 * BILLOW_EMITTERS_MAX];
    int birth_count;
    Fall whole, half; /* of a spark over dt and over half of it */
    double burning;   /* sparks that burning releases in this substep, per cell and 1/s of flame */
} TracerTask;

/* A number limited to 0 .. high; NaN gives 0. */
static float within(float x, float high)
{
    return x > 0 ? (x < high ? x : high) : 0;
}

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
    float c = x - 0.5f, inner = wraps ? c : within(c, (float)(n - 1));
    int low = (int)(inner + 1) - 1; /* rounds down for values from -1 */
    low = low < n - 1 || wraps ? low : n - 2;
    at.center_share = inner - (float)low;
    at.beyond = 2 * fabsf(c - inner);
    at.side = c > inner;
    at.center[0] = (low < 0 ? n - 1 : low) * stride;
    at.center[1] = (low + 1 < n ? low + 1 : 0) * stride;
    return at;
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
    float value = grid_trilinear(sim->velocity[axis], low, high, share);
    for (int a = 0; a < 3; a++)
        if (a != axis && at[a].beyond > 0 && task->sticks[2 * a + at[a].side])
            value = grid_mix(value, sim->def.boundaries[2 * a + at[a].side].velocity[axis],
                             at[a].beyond);
    return value;
}

/* Velocity of the fluid at a position, m/s. */
static void flow_at(const TracerTask *task, const float cell[3], float velocity[3])
{
    const Grid *grid = &task->sim->grid;
    Between at[3];
    for (int axis = 0; axis < 3; axis++) {
        float x = cell[axis];
        if (task->wraps[axis])
            x -= task->cells[axis] * floorf(x / task->cells[axis]);
        at[axis] = between(within(x, task->cells[axis]), grid->cells[axis], task->wraps[axis],
                           grid->strides[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = component(task, axis, at);
}

/* -- solids ------------------------------------------------------------------------------------ */

static bool in_solid(const TracerTask *task, const float cell[3])
{
    return task->sim->solids != NULL && solids_distance_at(task->sim, cell) <= 0;
}

/* Whether the straight path from a position meets a solid. Sphere tracing takes steps of half the
 * distance, because the interpolated distance may change faster than the position. */
static bool meets_solid(const TracerTask *task, const float from[3], const float path[3])
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

/* A hash of 64 bits. Keys of random numbers are hashes of counters. */
static uint64_t scramble(uint64_t x)
{
    /* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A random point for a key and an attempt. Each coordinate is at least 0 and below 1. */
static void random_point(uint64_t key, int attempt, float point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        uint64_t x = key + 0x9e3779b97f4a7c15u * (uint64_t)(3 * attempt + axis + 1);
        point[axis] = (float)(scramble(x) >> 40) * 0x1p-24f;
    }
}

static uint64_t key_of(uint64_t key, uint64_t purpose)
{
    return scramble(key ^ scramble(purpose));
}

/* Puts a tracer at a position in cells. An age below 0 marks it as unused. */
static void put(const TracerTask *task, int number, const float cell[3], float age)
{
    const BillowSim *sim = task->sim;
    for (int axis = 0; axis < 3; axis++)
        sim->tracers.place[axis][number] = sim->def.origin[axis] + cell[axis] * sim->def.cell_size;
    sim->tracers.age[number] = age;
}

/* A random vector in the ball of radius 1. */
static void random_in_ball(uint64_t key, float vector[3])
{
    for (int attempt = 0; attempt < BIRTH_TRIES; attempt++) {
        float squared = 0;
        random_point(key, attempt, vector);
        for (int axis = 0; axis < 3; axis++) {
            vector[axis] = 2 * vector[axis] - 1;
            squared += vector[axis] * vector[axis];
        }
        if (squared <= 1)
            return;
    }
    vector[0] = vector[1] = vector[2] = 0;
}

/* Gives a new spark its velocity and its life. */
static void eject(const TracerTask *task, int number, const float cell[3], uint64_t key)
{
    const BillowSim *sim = task->sim;
    const BillowParams *params = &sim->def.params;
    float gas[3], random[3];
    flow_at(task, cell, gas);
    random_in_ball(key_of(key, KEY_SPEED), random);
    for (int axis = 0; axis < 3; axis++) {
        float speed = gas[axis] + params->tracer_speed * random[axis];
        sim->tracers.velocity[axis][number] = isfinite(speed) ? speed : 0;
    }
    random_point(key_of(key, KEY_LIFE), 0, random);
    sim->tracers.life[number] = params->tracer_life * (LIFE_LEAST + (1 - LIFE_LEAST) * random[0]);
}

/* Puts a new tracer at a position, or marks it as unused. */
static void release(const TracerTask *task, int number, const float cell[3], bool found,
                    uint64_t key)
{
    put(task, number, cell, found ? 0 : -1);
    if (found && task->sparks)
        eject(task, number, cell, key);
}

/* Puts a tracer at a random position in the box, which differs between substeps, outside of solids.
 * Marks it as unused if no attempt finds one. With `in_turn`, z grows with the tracer's number.
 * Tracers with consecutive numbers then read neighbouring cells until the flow mixes them. If the
 * velocity does not fit a core's cache, this reduces the time to a third. */
static void scatter(const TracerTask *task, int number, uint64_t substep, bool in_turn)
{
    uint64_t key = scramble((uint64_t)number + 1) + substep;
    float cell[3] = {0, 0, 0};
    for (int attempt = 0; attempt < BIRTH_TRIES; attempt++) {
        random_point(key, attempt, cell);
        if (in_turn && attempt < BIRTH_TRIES / 2)
            cell[2] = (float)((number + (double)cell[2]) / task->sim->def.tracers);
        for (int axis = 0; axis < 3; axis++)
            cell[axis] *= task->cells[axis];
        if (!in_solid(task, cell)) {
            put(task, number, cell, 0);
            return;
        }
    }
    put(task, number, cell, -1);
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
        random_point(key, attempt, cell);
        for (int axis = 0; axis < 3; axis++) {
            double x = low[axis] + (high[axis] - low[axis]) * (double)cell[axis];
            cell[axis] = within((float)x, task->cells[axis]);
            centered[axis] = x - 0.5;
        }
        found = shape_distance(&placed->shape, centered) <= 0 && !in_solid(task, cell);
    }
    for (int axis = 0; axis < 3; axis++)
        found = found && low[axis] <= high[axis];
    release(task, number, cell, found, key);
}

/* Random start of a plane's running sum, 0 to 1, for each substep. */
static double plane_start(const BillowSim *sim, int k)
{
    float random[3];
    uint64_t key = scramble(sim->stats.substeps + 1) + (uint64_t)k;
    random_point(key_of(key, KEY_PLANE), 0, random);
    return (double)random[0];
}

static Fall fall_over(double lag, double seconds)
{
    return (Fall){(float)seconds, (float)math_exp(-seconds / lag),
                  (float)(-lag * math_expm1(-seconds / lag))};
}

/* Fills in the task's values for sparks, and plans how many of them burning fuel releases. */
static void plan_sparks(TracerTask *task)
{
    BillowSim *sim = task->sim;
    const BillowDef *def = &sim->def;
    double dt = task->dt, h = (double)def->cell_size;
    task->whole = fall_over((double)def->tracer_lag, dt);
    task->half = fall_over((double)def->tracer_lag, 0.5 * dt);
    double rate = (double)def->params.tracer_sparks * h * h * h * dt;
    if (!def->fire || !(rate * sim->flame_sum > 0))
        return;
    task->burning = fmin(rate, def->tracers / sim->flame_sum);
    uint64_t left = (uint64_t)def->tracers;
    for (int k = 0; k < sim->grid.nz; k++) {
        WindBudget *plane = &sim->wind_budgets[k];
        double due = task->burning * plane->flame + plane_start(sim, k);
        uint64_t count = due < (double)left ? (uint64_t)due : left;
        plane->first_spark = sim->tracers.born;
        plane->sparks = count;
        sim->tracers.born += count;
        left -= count;
    }
}

static void release_in_cell(const TracerTask *task, const int at[3], uint64_t number)
{
    float cell[3];
    uint64_t key = scramble(number + 1);
    int slot = (int)(number % (uint64_t)task->sim->def.tracers);
    random_point(key_of(key, KEY_PLACE), 0, cell);
    for (int axis = 0; axis < 3; axis++)
        cell[axis] += (float)at[axis];
    release(task, slot, cell, !in_solid(task, cell), key);
}

static void release_in_plane(const TracerTask *task, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const WindBudget *plane = &sim->wind_budgets[k];
    double sum = plane_start(sim, k);
    uint64_t released = 0;
    for (int j = 0; j < grid->ny && released < plane->sparks; j++) {
        const float *flame = sim_felt_flame(sim) + grid_row(grid, j, k);
        for (int i = 0; i < grid->nx; i++) {
            sum += task->burning * (double)flame[i];
            for (; released < plane->sparks && sum >= (double)(released + 1); released++)
                release_in_cell(task, (const int[3]){i, j, k}, plane->first_spark + released);
        }
    }
    /* Rounding may leave the last spark of the plane without a cell. */
    for (; released < plane->sparks; released++)
        sim->tracers.age[(plane->first_spark + released) % (uint64_t)sim->def.tracers] = -1;
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
        cell[axis] = within(cell[axis], n);
        *moved = *moved || cell[axis] != before[axis];
    }
    return true;
}

/* The position of a tracer in cells. */
static void locate(const BillowSim *sim, int number, float cell[3])
{
    for (int axis = 0; axis < 3; axis++)
        cell[axis] =
            (sim->tracers.place[axis][number] - sim->def.origin[axis]) / sim->def.cell_size;
}

/* Moves one tracer. Returns false if the tracer ends on its path. */
static bool advect(const TracerTask *task, int number)
{
    const BillowSim *sim = task->sim;
    float step = (float)(task->dt / (double)sim->def.cell_size);
    float cell[3], middle[3], velocity[3], path[3];
    locate(sim, number, cell);
    flow_at(task, cell, velocity);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = cell[axis] + 0.5f * step * velocity[axis];
    flow_at(task, middle, velocity);
    bool good = true;
    for (int axis = 0; axis < 3; axis++) {
        path[axis] = step * velocity[axis];
        good = good && isfinite(path[axis]);
    }
    if (!good || meets_solid(task, cell, path))
        return false;
    for (int axis = 0; axis < 3; axis++)
        cell[axis] += path[axis];
    bool moved = false;
    float age = sim->tracers.age[number] + (float)task->dt;
    if (!return_to_box(task, cell, &moved) || (moved && in_solid(task, cell)))
        return false;
    if (moved)
        put(task, number, cell, age);
    for (int axis = 0; axis < 3 && !moved; axis++)
        sim->tracers.place[axis][number] += (float)task->dt * velocity[axis];
    sim->tracers.age[number] = age;
    return true;
}

/* Path of a spark in metres in gas of velocity u. Changes *v to the velocity at its end. */
static void fall(float lag, const Fall *over, const float u[3], float v[3], float path[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float final = u[axis] - (axis == 1 ? lag * GRAVITY : 0), excess = v[axis] - final;
        path[axis] = final * over->seconds + over->glide * excess;
        v[axis] = final + over->decay * excess;
    }
}

static void reflect(float velocity[3], const float normal[3])
{
    float into = velocity[0] * normal[0] + velocity[1] * normal[1] + velocity[2] * normal[2];
    if (into >= 0)
        return;
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] =
            SLIDE * (velocity[axis] - into * normal[axis]) - BOUNCE * into * normal[axis];
}

/* Bounces off a solid close to a position: the normal is the gradient of the distance. */
static void bounce_off_solid(const TracerTask *task, const float cell[3], float velocity[3])
{
    float normal[3], squared = 0;
    for (int axis = 0; axis < 3; axis++) {
        float low[3] = {cell[0], cell[1], cell[2]}, high[3] = {cell[0], cell[1], cell[2]};
        low[axis] -= 0.5f;
        high[axis] += 0.5f;
        normal[axis] = solids_distance_at(task->sim, high) - solids_distance_at(task->sim, low);
        squared += normal[axis] * normal[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        normal[axis] = squared > 0 ? normal[axis] / sqrtf(squared) : (axis == 1 ? 1.0f : 0.0f);
    reflect(velocity, normal);
}

/* Keeps a position in the box. Returns false if it has left through an open face. */
static bool bounce_off_faces(const TracerTask *task, float cell[3], float velocity[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float n = task->cells[axis], normal[3] = {0, 0, 0};
        if (task->wraps[axis])
            cell[axis] -= n * floorf(cell[axis] / n);
        bool low = cell[axis]<0, high = cell[axis]> n;
        if ((low && task->opens[2 * axis]) || (high && task->opens[2 * axis + 1]))
            return false;
        if (low || high) {
            normal[axis] = low ? 1.0f : -1.0f;
            reflect(velocity, normal);
        }
        cell[axis] = within(low    ? -BOUNCE * cell[axis]
                            : high ? n - BOUNCE * (cell[axis] - n)
                                   : cell[axis],
                            n);
    }
    return true;
}

/* Moves a spark. Returns false if it ends. */
static bool advect_spark(const TracerTask *task, int number)
{
    const BillowSim *sim = task->sim;
    float h = sim->def.cell_size, lag = sim->def.tracer_lag, dt = (float)task->dt;
    float cell[3], middle[3], gas[3], velocity[3], half[3], path[3], most = 0;
    float age = sim->tracers.age[number] + dt, life = sim->tracers.life[number];
    if (life > 0 && age >= life)
        return false;
    locate(sim, number, cell);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = half[axis] = sim->tracers.velocity[axis][number];
    flow_at(task, cell, gas);
    fall(lag, &task->half, gas, half, path);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = cell[axis] + path[axis] / h;
    flow_at(task, middle, gas);
    fall(lag, &task->whole, gas, velocity, path);
    for (int axis = 0; axis < 3; axis++) {
        path[axis] /= h;
        most = fmaxf(most, fabsf(path[axis]));
        if (!isfinite(path[axis]) || !isfinite(velocity[axis]))
            return false;
    }
    if (!(most < (float)SPEED_LIMIT_CELLS) || in_solid(task, cell))
        return false;
    if (meets_solid(task, cell, path)) {
        bounce_off_solid(task, cell, velocity);
        put(task, number, cell, age);
    } else {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] += path[axis];
            inside = inside && cell[axis] >= 0 && cell[axis] <= task->cells[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            sim->tracers.place[axis][number] += path[axis] * h;
        if (!inside && (!bounce_off_faces(task, cell, velocity) || in_solid(task, cell)))
            return false;
        if (!inside)
            put(task, number, cell, age);
    }
    for (int axis = 0; axis < 3; axis++)
        sim->tracers.velocity[axis][number] = velocity[axis];
    sim->tracers.age[number] = age;
    return true;
}
static void advect_task(void *context, Team team)
{
    const TracerTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->def.tracers);
    for (int number = slab.begin; number < slab.end; number++) {
        if (sim->tracers.age[number] >= 0 &&
            (task->sparks ? advect_spark(task, number) : advect(task, number)))
            continue;
        sim->tracers.age[number] = -1;
        if (task->everywhere)
            scatter(task, number, sim->stats.substeps + 1, false);
    }
    team_barrier(team);
    for (int b = 0; b < task->birth_count; b++) {
        const Birth *birth = &task->births[b];
        Slab part = team_slab(team, birth->count);
        for (int i = part.begin; i < part.end; i++) {
            uint64_t number = birth->first + (uint64_t)i;
            uint64_t key = scramble(number + 1) ^ birth->placed->emitter.seed;
            emit(task, (int)(number % (uint64_t)sim->def.tracers), birth->placed, key);
        }
        team_barrier(team); /* the next emitter may reuse these slots */
    }
    Slab planes = team_slab(team, sim->grid.nz);
    for (int k = planes.begin; k < planes.end && task->burning > 0; k++)
        release_in_plane(task, k);
}

/* Saved states and hashes also hold the values of unused slots. */
static void reset_task(void *context, Team team)
{
    const TracerTask *task = context;
    BillowSim *sim = task->sim;
    Slab slab = team_slab(team, sim->def.tracers);
    for (int number = slab.begin; number < slab.end; number++) {
        if (task->everywhere)
            scatter(task, number, 0, true);
        else
            put(task, number, (const float[3]){0, 0, 0}, -1);
        for (int axis = 0; axis < 3 && task->sparks; axis++)
            sim->tracers.velocity[axis][number] = 0;
        if (task->sparks)
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
    bool sparks = sim->tracers.life != NULL;
    TracerTask task = {.sim = sim,
                       .dt = dt,
                       .sparks = sparks,
                       .everywhere = !sparks,
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
    for (int e = 0; e < sim_emitter_count(sim); e++) {
        int queued = e - sim->def.emitter_count, at = queued < 0 ? e : BILLOW_EMITTERS_MAX + queued;
        add_birth(&task, sim_emitter(sim, e), sim_emitter_seconds(sim, e, dt),
                  &sim->tracers.owed[at]);
    }
    if (task.sparks)
        plan_sparks(&task);
    exchange_whole_fields(sim_alone(sim), &sim->grid, sim->velocity, 3, whole);
    if (sim->flame != NULL && task.sparks) {
        float *flame = (float *)sim_felt_flame(sim); /* only other ranks' planes change */
        exchange_whole_fields(sim_alone(sim), &sim->grid, &flame, 1, whole);
    }
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
