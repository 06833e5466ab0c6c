/* SPDX-License-Identifier: MIT
 * Teams and crews: who runs a task, how workers wait for each other, and what is metered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "sim/fields/meter.h"
#include "sim/fields/parallel.h"

#include "sanitized.h"
#include <stdatomic.h>
#include <string.h>

/* Counts in sums[i] how often worker i ran. */
static void count_task(void *context, Team team)
{
    int *sums = context;
    team_barrier(team);
    sums[team.index] += team.count;
    team_barrier(team);
}

static void crew_body(void *context)
{
    for (int round = 0; round < 100; round++) {
        team_run(3, count_task, context);
        team_run(2, count_task, context);
        team_run(1, count_task, context);
    }
}

/* The same workers take many tasks, some of which need fewer of them. */
static void a_crew_takes_one_task_after_the_other(void **state)
{
    (void)state;
    int sums[3] = {0}, alone[3] = {0};
    crew_run(3, crew_body, sums);
    int count = sums[2] > 0 ? 3 : sums[1] > 0 ? 2 : 1; /* OpenMP may grant fewer */
    assert_int_equal(sums[0], 100 * (count + (count > 1 ? 2 : 1) + 1));
    assert_int_equal(sums[1], count > 1 ? 100 * (count + 2) : 0);
    assert_int_equal(sums[2], count > 2 ? 300 : 0);
    crew_run(1, crew_body, alone);
    assert_true(alone[0] > 0);
}

enum { BESIDE = 4, ROUNDS = SANITIZED ? 300 : 3000, MANY = 66 };

/* What each worker has reached, and by how much a neighbour was off. */
typedef struct Beside {
    int told[2][MANY]; /* by the worker, in rounds of either parity */
    atomic_int reached[MANY];
    atomic_int early, late;
    int count, rounds;
    bool around;
} Beside;

static void beside_task(void *context, Team team)
{
    Beside *beside = context;
    const int last = (beside->count < team.count ? beside->count : team.count) - 1;
    for (int round = 1; round <= beside->rounds; round++) {
        beside->told[round % 2][team.index] = round;
        atomic_store_explicit(&beside->reached[team.index], round, memory_order_relaxed);
        team_wait_beside(team, last + 1, beside->around);
        for (int side = -1; side <= 1 && team.index <= last; side += 2) {
            int other = team.index + side;
            if (beside->around)
                other = (other + last + 1) % (last + 1);
            if (other < 0 || other > last)
                continue;
            const int seen = atomic_load_explicit(&beside->reached[other], memory_order_relaxed);
            if (seen < round || beside->told[round % 2][other] != round)
                atomic_store(&beside->late, round);
            if (seen > round + 1)
                atomic_store(&beside->early, round);
        }
    }
}

static void beside_body(void *context)
{
    Beside *beside = context;
    static const int of_tasks[] = {BESIDE, BESIDE - 1, BESIDE - 2, BESIDE};
    for (size_t task = 0; task < sizeof of_tasks / sizeof of_tasks[0]; task++) {
        memset(beside->told, 0, sizeof beside->told);
        for (int worker = 0; worker < BESIDE; worker++)
            atomic_store(&beside->reached[worker], 0);
        team_run(of_tasks[task], beside_task, beside);
    }
}

/* After the wait a neighbour has done the same round, and what it wrote before can be read. It has
 * begun no later round than the next.
 * Tasks may have fewer or more workers than the one
 * before. */
static void neighbours_wait_for_each_other(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        const int count = run < 2 ? BESIDE : BESIDE - 1;
        Beside beside = {.count = count, .rounds = ROUNDS, .around = run % 2};
        crew_run(BESIDE, beside_body, &beside);
        assert_int_equal(beside.late, 0);
        assert_int_equal(beside.early, 0);
        Beside lone = {.count = count, .rounds = ROUNDS, .around = run % 2};
        team_run(BESIDE, beside_task, &lone);
        assert_int_equal(lone.late, 0);
        assert_int_equal(lone.early, 0);
    }
    Beside many = {.count = MANY, .rounds = 20}; /* all wait for all */
    team_run(MANY, beside_task, &many);
    assert_int_equal(many.late, 0);
}

static void work_for(double seconds)
{
    const double begun = clock_thread_seconds();
    while (clock_thread_seconds() - begun < seconds)
        ;
}

/* 10 ms of worker 0 alone, then 1 ms and, after a wait, 2 ms of each. */
static void metered_task(void *context, Team team)
{
    int *workers = context;
    if (team.index == 0) {
        *workers = team.count;
        work_for(10e-3);
    }
    team_barrier(team);
    work_for(1e-3);
    team_wait_beside(team, team.count, true);
    work_for(2e-3);
}

/* 1 ms of each, in which fewer workers than the crew has pass barriers of their own. */
static void few_task(void *context, Team team)
{
    (void)context;
    for (int barrier = 0; barrier < 10; barrier++) {
        work_for(0.1e-3);
        team_barrier(team);
    }
}

static void metered_body(void *context)
{
    team_run(3, metered_task, context);
    meter_mark(1);
    work_for(5e-3);
    meter_mark(2);
    team_run(2, few_task, context);
    meter_mark(3);
}

/* Whatever else the machine does: the times are of the processor. */
static void meter_tells_shared_work_from_alone(void **state)
{
    (void)state;
    Meter *meter = meter_create(3);
    int workers = 1;
    assert_non_null(meter);
    for (int time = 0; time < 3; time++) {
        meter_use(meter);
        assert_true(meter_used() == meter);
        crew_run(3, metered_body, &workers);
        meter_use(NULL);
    }
    assert_null(meter_used());
    const MeteredWork shared = meter_work(meter, 1), alone = meter_work(meter, 2),
                      few = meter_work(meter, 3);
    const double rounding = 0.02e-3; /* of a reading of the clock, s */
    if (workers > 1) {
        assert_true(shared.barriers >= 2); /* one in the task, one at its end */
        assert_true(shared.alone > 10e-3 - rounding && shared.alone < shared.longest - 2e-3);
        assert_true(shared.longest > 13e-3 - 2 * rounding);
        assert_true(shared.shared > workers * (3e-3 - 2 * rounding));
        assert_true(shared.longest - shared.alone >= shared.shared / workers);
        assert_int_equal(shared.waits, 1);
        assert_true(few.barriers >= 11 && few.all > 2e-3 - 20 * rounding);
    }
    assert_true(shared.all > (10 + 3 * workers) * (1e-3 - rounding));
    assert_int_equal(alone.barriers, 0);
    assert_true(alone.all > 5e-3 - rounding);
    assert_true(alone.alone == alone.all && alone.longest == alone.all);
    assert_true(meter_work(meter, 0).all == 0);
    meter_destroy(meter);
    meter_destroy(NULL);
}

/* The slabs of a team follow each other and make up all planes, and the busy ones are divided. */
static void slabs_around_busy_planes_are_all_planes(void **state)
{
    (void)state;
    static const Slab all[] = {{0, 40}, {10, 26}, {39, 40}, {17, 17}, {-3, 8}, {30, 99}};
    for (size_t b = 0; b < sizeof all / sizeof all[0]; b++)
        for (int count = 1; count <= 8; count++) {
            int end = 0, least = 40, most = 0;
            for (int index = 0; index < count; index++) {
                const Slab slab = team_slab_around((Team){index, count, NULL, NULL}, 40, all[b]);
                assert_int_equal(slab.begin, end);
                end = slab.end;
                const Slab busy = slab_meet(slab, all[b]);
                const int planes = busy.end > busy.begin ? busy.end - busy.begin : 0;
                least = planes < least ? planes : least;
                most = planes > most ? planes : most;
            }
            assert_int_equal(end, 40);
            assert_true(most - least <= 1);
        }
}

/* Steps of a pace, of which those by the team take `together` seconds and those by one worker
 * `alone`. Returns how many the team took. */
static int paced(Pace *pace, int steps, double together, double alone)
{
    int team_steps = 0;
    for (int s = 0; s < steps; s++) {
        int threads = pace_threads(pace, 2);
        team_steps += threads == 2;
        pace_note(pace, threads, threads == 2 ? together : alone);
    }
    return team_steps;
}

static void one_worker_steps_where_a_team_waits(void **state)
{
    (void)state;
    Pace pace = {0};
    assert_true(paced(&pace, 100, 1e-3, 1.9e-3) == 99); /* quiet: one try alone */
    assert_true(paced(&pace, 400, 80e-3, 2e-3) < 8);    /* busy */
    paced(&pace, 300, 1e-3, 1.9e-3);
    assert_true(paced(&pace, 100, 1e-3, 1.9e-3) == 100); /* quiet again */
    Pace growing = {0};
    int team_steps = 0;
    double seconds = 1e-3;
    for (int s = 0; s < 60;
         s++, seconds *= 1.07) /* steps that grow are no sign of a busy machine */
        team_steps += paced(&growing, 1, seconds, 1.9 * seconds);
    assert_true(team_steps > 45);
    Pace busy = {0};
    assert_true(paced(&busy, 300, 80e-3, 2e-3) < 10); /* from the first step on */
    assert_int_equal(pace_threads(&busy, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crew_takes_one_task_after_the_other),
        cmocka_unit_test(neighbours_wait_for_each_other),
        cmocka_unit_test(meter_tells_shared_work_from_alone),
        cmocka_unit_test(slabs_around_busy_planes_are_all_planes),
        cmocka_unit_test(one_worker_steps_where_a_team_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
