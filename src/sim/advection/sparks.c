/* SPDX-License-Identifier: MIT
 *
 * Sparks: tracers with inertia and weight. With the response time L = tracer_lag and the velocity u
 * of the gas a spark follows Stokes's drag,
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
 * of sparks, and a random start of the sum chooses the cells (systematic sampling). */
#include "sim/advection/tracers.h"

#include "base/mathematics.h"
#include "sim/fields/constants.h"

#include <math.h>

#define GRAVITY 9.81f /* m/s2 */
/* Share of the speed that a spark keeps when it bounces, across the surface and along it. */
#define BOUNCE 0.35f
#define SLIDE  0.7f
/* The life of a spark is LIFE_LEAST to 1 times tracer_life, at random. */
#define LIFE_LEAST 0.3f

/* Keys of different random numbers of a spark. */
enum { KEY_SPEED = 0x51, KEY_LIFE = 0x52, KEY_PLANE = 0x53, KEY_PLACE = 0x54 };

static uint64_t key_of(uint64_t key, uint64_t purpose)
{
    return tracers_scramble(key ^ tracers_scramble(purpose));
}

/* -- birth ------------------------------------------------------------------------------------- */

/* A random vector in the ball of radius 1. */
static void random_in_ball(uint64_t key, float vector[3])
{
    for (int attempt = 0; attempt < BIRTH_TRIES; attempt++) {
        float squared = 0;
        tracers_random_point(key, attempt, vector);
        for (int axis = 0; axis < 3; axis++) {
            vector[axis] = 2 * vector[axis] - 1;
            squared += vector[axis] * vector[axis];
        }
        if (squared <= 1)
            return;
    }
    vector[0] = vector[1] = vector[2] = 0;
}

void spark_eject(const TracerTask *task, int number, const float cell[3], uint64_t key)
{
    const BillowSim *sim = task->sim;
    const BillowParams *params = &sim->def.params;
    float gas[3], random[3];
    tracers_flow_at(task, cell, gas);
    random_in_ball(key_of(key, KEY_SPEED), random);
    for (int axis = 0; axis < 3; axis++) {
        float speed = gas[axis] + params->tracer_speed * random[axis];
        sim->tracers.velocity[axis][number] = isfinite(speed) ? speed : 0;
    }
    tracers_random_point(key_of(key, KEY_LIFE), 0, random);
    sim->tracers.life[number] = params->tracer_life * (LIFE_LEAST + (1 - LIFE_LEAST) * random[0]);
}

/* Random start of a plane's running sum, 0 to 1, for each substep. */
static double plane_start(const BillowSim *sim, int k)
{
    float random[3];
    uint64_t key = tracers_scramble(sim->stats.substeps + 1) + (uint64_t)k;
    tracers_random_point(key_of(key, KEY_PLANE), 0, random);
    return (double)random[0];
}

void sparks_plan(TracerTask *task)
{
    BillowSim *sim = task->sim;
    const BillowDef *def = &sim->def;
    double lag = (double)def->tracer_lag, dt = task->dt, h = (double)def->cell_size;
    task->decay = (float)math_exp(-dt / lag);
    task->glide = (float)(-lag * math_expm1(-dt / lag));
    task->half_decay = (float)math_exp(-0.5 * dt / lag);
    task->half_glide = (float)(-lag * math_expm1(-0.5 * dt / lag));
    double rate = (double)def->params.tracer_sparks * h * h * h * dt;
    if (!def->fire || !(rate * sim->flame_sum > 0))
        return;
    task->burning = fmin(rate, def->tracers / sim->flame_sum);
    uint64_t left = (uint64_t)def->tracers;
    for (int k = 0; k < sim->grid.nz; k++) {
        PlaneBudget *plane = &sim->plane_budgets[k];
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
    uint64_t key = tracers_scramble(number + 1);
    int slot = (int)(number % (uint64_t)task->sim->def.tracers);
    tracers_random_point(key_of(key, KEY_PLACE), 0, cell);
    for (int axis = 0; axis < 3; axis++)
        cell[axis] += (float)at[axis];
    bool good = !tracers_in_solid(task, cell);
    tracers_put(task, slot, cell, good ? 0 : -1);
    if (good)
        spark_eject(task, slot, cell, key);
}

static void release_in_plane(const TracerTask *task, int k)
{
    BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const PlaneBudget *plane = &sim->plane_budgets[k];
    double sum = plane_start(sim, k);
    uint64_t released = 0;
    for (int j = 0; j < grid->ny && released < plane->sparks; j++) {
        const float *flame = sim->flame + grid_row(grid, j, k);
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

void sparks_release(const TracerTask *task, Team team)
{
    Slab slab = team_slab(team, task->sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++)
        release_in_plane(task, k);
}

/* -- a substep --------------------------------------------------------------------------------- */

/* Path of a spark in metres after `seconds` in gas of velocity u. Changes *v to the velocity at its
 * end. */
static void fall(float lag, float seconds, float decay, float glide, const float u[3], float v[3],
                 float path[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float final = u[axis] - (axis == 1 ? lag * GRAVITY : 0), excess = v[axis] - final;
        path[axis] = final * seconds + glide * excess;
        v[axis] = final + decay * excess;
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
        cell[axis] = tracers_within(low    ? -BOUNCE * cell[axis]
                                    : high ? n - BOUNCE * (cell[axis] - n)
                                           : cell[axis],
                                    n);
    }
    return true;
}

bool spark_advect(const TracerTask *task, int number)
{
    const BillowSim *sim = task->sim;
    float h = sim->def.cell_size, lag = sim->def.tracer_lag, dt = (float)task->dt;
    float cell[3], middle[3], gas[3], velocity[3], half[3], path[3], most = 0;
    float age = sim->tracers.age[number] + dt, life = sim->tracers.life[number];
    if (life > 0 && age >= life)
        return false;
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = (sim->tracers.place[axis][number] - sim->def.origin[axis]) / h;
        velocity[axis] = half[axis] = sim->tracers.velocity[axis][number];
    }
    tracers_flow_at(task, cell, gas);
    fall(lag, 0.5f * dt, task->half_decay, task->half_glide, gas, half, path);
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = cell[axis] + path[axis] / h;
    tracers_flow_at(task, middle, gas);
    fall(lag, dt, task->decay, task->glide, gas, velocity, path);
    for (int axis = 0; axis < 3; axis++) {
        path[axis] /= h;
        most = fmaxf(most, fabsf(path[axis]));
        if (!isfinite(path[axis]) || !isfinite(velocity[axis]))
            return false;
    }
    if (!(most < (float)SPEED_LIMIT_CELLS) || tracers_in_solid(task, cell))
        return false;
    if (tracers_meet_solid(task, cell, path)) {
        bounce_off_solid(task, cell, velocity);
        tracers_put(task, number, cell, age);
    } else {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] += path[axis];
            inside = inside && cell[axis] >= 0 && cell[axis] <= task->cells[axis];
        }
        for (int axis = 0; axis < 3; axis++)
            sim->tracers.place[axis][number] += path[axis] * h;
        if (!inside && (!bounce_off_faces(task, cell, velocity) || tracers_in_solid(task, cell)))
            return false;
        if (!inside)
            tracers_put(task, number, cell, age);
    }
    for (int axis = 0; axis < 3; axis++)
        sim->tracers.velocity[axis][number] = velocity[axis];
    sim->tracers.age[number] = age;
    return true;
}
