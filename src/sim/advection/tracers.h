/* SPDX-License-Identifier: MIT
 *
 * What tracers (tracers.c) and sparks (sparks.c) share. Positions in cells count from the low
 * corner of the box. */
#ifndef SIM_TRACERS_H
#define SIM_TRACERS_H

#include "sim/fields/parallel.h"
#include "sim/sim.h"

/* Largest number of random positions to try for a new tracer. A position must be in the emitter and
 * outside of solids. */
#define BIRTH_TRIES 64

typedef struct Birth {
    const PlacedEmitter *placed;
    uint64_t first; /* number of the first tracer to release */
    int count;
} Birth;

typedef struct TracerTask {
    BillowSim *sim;
    double dt;
    bool everywhere; /* whether no emitter releases tracers. A tracer that ends then restarts at a
                        random position in the box. */
    bool wraps[3], opens[BILLOW_SIDES], sticks[BILLOW_SIDES];
    float cells[3];
    Birth births[2 * BILLOW_EMITTERS_MAX];
    int birth_count;
    float decay,
        glide; /* of a spark's velocity relative to the gas: the share that is left after dt,
                  and its integral over dt, s; of the half of dt in the next two members */
    float half_decay, half_glide;
    double burning; /* sparks that burning releases in this substep, per cell and 1/s of flame */
} TracerTask;

/* A number limited to 0 .. high; NaN gives 0. */
static inline float tracers_within(float x, float high)
{
    return x > 0 ? (x < high ? x : high) : 0;
}

/* Velocity of the fluid at a position in cells, m/s. */
void tracers_flow_at(const TracerTask *task, const float cell[3], float velocity[3]);

bool tracers_in_solid(const TracerTask *task, const float cell[3]);
/* Whether the straight path from a position meets a solid. */
bool tracers_meet_solid(const TracerTask *task, const float from[3], const float path[3]);

/* A hash of 64 bits. Keys of random numbers are hashes of counters. */
uint64_t tracers_scramble(uint64_t x);
/* A random point for a key and an attempt. Each coordinate is at least 0 and below 1. */
void tracers_random_point(uint64_t key, int attempt, float point[3]);

/* Puts a tracer at a position in cells. An age below 0 marks it as unused. */
void tracers_put(const TracerTask *task, int number, const float cell[3], float age);

/* Fills the box with tracers. If emitters release tracers, removes all tracers instead. */
void tracers_reset(BillowSim *sim);
/* Moves the tracers with the present velocity over dt, and releases new ones. */
void tracers_advect(BillowSim *sim, double dt);

/* -- sparks (sparks.c) ------------------------------------------------------------------------- */

/* Whether tracers have inertia and weight. */
static inline bool sparks_are(const BillowSim *sim)
{
    return sim->tracers.life != NULL;
}

/* Moves a spark over a substep. Returns false if it ends. */
bool spark_advect(const TracerTask *task, int number);
/* Gives a new spark its velocity and its life. */
void spark_eject(const TracerTask *task, int number, const float cell[3], uint64_t key);

/* Fills in the task's values for sparks, and plans how many of them burning fuel releases. */
void sparks_plan(TracerTask *task);
/* Releases the planned sparks. Called by all workers of the team. */
void sparks_release(const TracerTask *task, Team team);

#endif
