/* SPDX-License-Identifier: MIT */
#include "bench/thread_model.h"

#include "base/clock.h"
#include "base/system.h"
#include "sim/fields/parallel.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)BILLOW_STAGES <= METER_MARKS, "a mark for every stage");

enum { TIMES = 5, TIMES_MOST = 20, BARRIERS = 1000, BARRIER_TIMES = 20 };
#define SECONDS      1.0 /* for short steps, which are taken more often, s */
#define MEMORY_SHARE 0.5 /* of the available memory that the saved state may take */

/* A TeamTask. */
static void only_barriers(void *context, Team team)
{
    (void)context;
    for (int barrier = 0; barrier < BARRIERS; barrier++)
        team_barrier(team);
}

/* A TeamTask. */
static void only_waits(void *context, Team team)
{
    (void)context;
    for (int wait = 0; wait < BARRIERS; wait++)
        team_wait_beside(team, team.count, false);
}

/* Least time of one of the BARRIERS of a task, ms. */
static double time_barrier(int threads, TeamTask *task)
{
    double least = INFINITY;
    for (int time = 0; time < BARRIER_TIMES; time++) {
        const double start = clock_seconds();
        team_run(threads, task, NULL);
        least = fmin(least, 1e3 * (clock_seconds() - start) / BARRIERS);
    }
    return least;
}

/* Takes the step from a state, with the workers of a meter. Returns its time by the clock, ms. */
static double take_step(BillowSim *sim, double dt, Meter *meter, const void *state)
{
    billow_load_state(sim, state, billow_state_bytes(sim), NULL); /* its own: cannot fail */
    const double start = clock_seconds();
    meter_use(meter);
    billow_step(sim, dt);
    meter_use(NULL);
    return 1e3 * (clock_seconds() - start);
}

static void add_work(MeteredWork *sum, const MeteredWork *work)
{
    sum->barriers += work->barriers;
    sum->waits += work->waits;
    sum->all += work->all;
    sum->longest += work->longest;
    sum->alone += work->alone;
}

void thread_model_measure(ThreadModel *model, BillowSim *sim, double dt, int cores)
{
    *model = (ThreadModel){.wall_ms = INFINITY};
    const int threads = billow_threads(sim), timed = threads < cores ? threads : cores;
    const size_t bytes = billow_state_bytes(sim);
    const double available = (double)system_memory_available(); /* 0: unknown */
    if (available > 0 && (double)bytes > MEMORY_SHARE * available)
        return;
    Meter *meter = meter_create(threads), *one = meter_create(1);
    void *state = malloc(bytes);
    if (meter != NULL && one != NULL && state != NULL) {
        model->threads = threads;
        billow_save_state(sim, state);
        const double start = clock_seconds();
        for (int time = 0; time < TIMES || (time < TIMES_MOST && clock_seconds() - start < SECONDS);
             time++) { /* in turn, as the machine's speed changes */
            take_step(sim, dt, one, state);
            model->wall_ms = fmin(model->wall_ms, take_step(sim, dt, meter, state));
        }
        model->barrier_ms = time_barrier(timed, only_barriers) * threads / timed;
        model->wait_ms = time_barrier(timed, only_waits);
    }
    for (int stage = 0; stage < BILLOW_STAGES && model->threads > 0; stage++) {
        model->stages[stage] = meter_work(meter, stage);
        add_work(&model->step, &model->stages[stage]);
        model->one_ms += 1e3 * meter_work(one, stage).all;
    }
    free(state);
    meter_destroy(meter);
    meter_destroy(one);
}

double thread_model_ms(const ThreadModel *model)
{
    const MeteredWork *step = &model->step;
    return model->threads > 0 ? 1e3 * step->longest + step->barriers * model->barrier_ms +
                                    step->waits * model->wait_ms
                              : (double)NAN;
}

double thread_model_speedup(const ThreadModel *model)
{
    return model->one_ms / thread_model_ms(model);
}

double thread_model_imbalance(const ThreadModel *model)
{
    const double shared = model->step.all - model->step.alone;
    return model->threads > 1 && shared > 0
               ? (model->step.longest - model->step.alone) * model->threads / shared
               : (double)NAN;
}

static void json_work(Json *json, cJSON *object, const MeteredWork *work)
{
    json_number(json, object, "barriers", work->barriers);
    json_number(json, object, "waits", work->waits);
    json_number(json, object, "all_ms", 1e3 * work->all);
    json_number(json, object, "longest_ms", 1e3 * work->longest);
    json_number(json, object, "alone_ms", 1e3 * work->alone);
}

void thread_model_json(Json *json, cJSON *object, const ThreadModel *model)
{
    const bool metered = model->threads > 0;
    json_work(json, object, &model->step);
    json_number(json, object, "imbalance", thread_model_imbalance(model));
    json_number(json, object, "barrier_ms", metered ? model->barrier_ms : (double)NAN);
    json_number(json, object, "wait_ms", metered ? model->wait_ms : (double)NAN);
    json_number(json, object, "wall_ms", metered ? model->wall_ms : (double)NAN);
    json_number(json, object, "one_ms", metered ? model->one_ms : (double)NAN);
    json_number(json, object, "model_ms", thread_model_ms(model));
    json_number(json, object, "model_speedup", thread_model_speedup(model));
    cJSON *stages = json_object(json, object, "stages");
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        json_work(json, json_object(json, stages, billow_stage_name((BillowStage)stage)),
                  &model->stages[stage]);
}
