/* SPDX-License-Identifier: MIT
 *
 * A model of the time of a step on as many cores as it has threads, which this machine need not
 * have. The step's work is metered on the cores that there are (meter.h):
 *
 *     time = alone + shared / threads * imbalance + barriers * time of one + waits * time of one
 *
 * The first two terms add up to MeteredWork.longest; `alone` is the serial part. The model knows
 * the order of barriers and what each worker does between them. It does not know how much slower
 * cores become if all of them use the memory. */
#ifndef BENCH_THREAD_MODEL_H
#define BENCH_THREAD_MODEL_H

#include "io/json.h"
#include "sim/fields/meter.h"
#include <billow/billow.h>

typedef struct ThreadModel {
    int threads; /* workers that the step had; 0: not metered, for memory was short or it failed */
    MeteredWork stages[BILLOW_STAGES], step;
    double one_ms;     /* processor time of the same step by one worker, ms */
    double wall_ms;    /* least time of the metered step, by the clock, ms */
    double barrier_ms; /* time of a barrier, ms: measured with as many threads as there are cores at
                          most, and in proportion to the threads beyond that */
    double wait_ms;    /* time of a wait for neighbours, ms */
} ThreadModel;

/* Takes the simulation's next step, of dt, several times from the present state, in turn with one
 * worker and with all, and meters it. The simulation stays in the state after the step. Without the
 * memory to save a state nothing is metered. */
void thread_model_measure(ThreadModel *model, BillowSim *sim, double dt, int cores);

/* Modelled time of the step, ms; NaN: not metered. */
double thread_model_ms(const ThreadModel *model);
/* Time of the step by one worker over the modelled time; NaN: not metered. */
double thread_model_speedup(const ThreadModel *model);
/* Longest pieces of the shared work over its mean pieces, at least 1; NaN: not metered, or no work
 * is shared. */
double thread_model_imbalance(const ThreadModel *model);

/* Adds the members of the model to a JSON object. */
void thread_model_json(Json *json, cJSON *object, const ThreadModel *model);

#endif
