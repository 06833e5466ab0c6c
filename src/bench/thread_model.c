/* SPDX-License-Identifier: MIT */
#include "bench/thread_model.h"

#include "base/clock.h"
#include "base/system.h"
#include "sim/fields/parallel.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)BILLOW_STAGES <= METER_MARKS, "a mark for every stage");

/* The metered step is taken TIMES times, and up to TIMES_MOST times within SECONDS. */
enum { TIMES = 5, TIMES_MOST = 20, BARRIERS = 1000, BARRIER_TIMES = 20 };
#define SECONDS      1.0 /* s */
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

/* A state, and the step that is taken from it. */
typedef struct Start {
    BillowSim *sim;
    double dt;
    void *state;
    size_t bytes;
} Start;

/* Takes the step with as many workers as the meter is for. ms: receives its time by the clock. */
static bool take_step(const Start *from, Meter *meter, double *ms)
{
    if (!billow_load_state(from->sim, from->state, from->bytes, NULL))
        return false;
    const double start = clock_seconds();
    meter_use(meter);
    const bool taken = billow_step(from->sim, from->dt);
    meter_use(NULL);
    *ms = 1e3 * (clock_seconds() - start);
    return taken;
}

/* Takes the step several times, in turn with one worker and with all, as the machine's speed
 * changes. Returns the number of all workers, which the system may limit; 0: a step failed. */
static int meter_steps(const Start *from, Meter *one, Meter *all, double *least_ms)
{
    const double start = clock_seconds();
    int workers = 0;
    for (int time = 0; time < TIMES || (time < TIMES_MOST && clock_seconds() - start < SECONDS);
         time++) {
        double ms;
        if (!take_step(from, one, &ms) || !take_step(from, all, &ms))
            return 0;
        workers = billow_profile(from->sim).threads;
        *least_ms = fmin(*least_ms, ms);
    }
    return workers;
}

static void add_work(MeteredWork *sum, const MeteredWork *work)
{
    sum->barriers += work->barriers;
    sum->waits += work->waits;
    sum->all += work->all;
    sum->longest += work->longest;
    sum->alone += work->alone;
    sum->shared += work->shared;
}

void thread_model_measure(ThreadModel *model, BillowSim *sim, double dt, int cores)
{
    *model = (ThreadModel){.wall_ms = INFINITY};
    const size_t bytes = billow_state_bytes(sim);
    const double available = (double)system_memory_available(); /* 0: unknown */
    if (available > 0 && (double)bytes > MEMORY_SHARE * available)
        return;
    Meter *all = meter_create(billow_threads(sim)), *one = meter_create(1);
    const Start from = {sim, dt, malloc(bytes), bytes};
    if (all != NULL && one != NULL && from.state != NULL) {
        billow_save_state(sim, from.state);
        model->threads = meter_steps(&from, one, all, &model->wall_ms);
    }
    if (model->threads > 0) {
        const int timed = model->threads < cores ? model->threads : cores;
        model->barrier_ms = time_barrier(timed, only_barriers) * model->threads / timed;
        model->wait_ms = time_barrier(timed, only_waits);
    }
    for (int stage = 0; stage < BILLOW_STAGES && model->threads > 0; stage++) {
        model->stages[stage] = meter_work(all, stage);
        add_work(&model->step, &model->stages[stage]);
        model->one_ms += 1e3 * meter_work(one, stage).all;
    }
    free(from.state);
    meter_destroy(all);
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
    const MeteredWork *step = &model->step;
    return model->threads > 1 && step->shared > 0
               ? (step->longest - step->alone) * model->threads / step->shared
               : (double)NAN;
}

static void json_work(Json *json, cJSON *object, const MeteredWork *work)
{
    json_number(json, object, "barriers", work->barriers);
    json_number(json, object, "waits", work->waits);
    json_number(json, object, "all_ms", 1e3 * work->all);
    json_number(json, object, "longest_ms", 1e3 * work->longest);
    json_number(json, object, "alone_ms", 1e3 * work->alone);
    json_number(json, object, "shared_ms", 1e3 * work->shared);
}

void thread_model_json(Json *json, cJSON *object, const ThreadModel *model)
{
    const bool metered = model->threads > 0;
    json_number(json, object, "threads", metered ? model->threads : (double)NAN);
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
