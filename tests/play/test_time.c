/* SPDX-License-Identifier: MIT
 * Time of the simulation's thread: backwards, again, differently, slower. */
#include "base/clock.h"
#include "play/sim_thread.h"
#include "scene/scene.h"

#include <math.h>
#include <SDL.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A plume with tracers and colours. The timeline moves its emitter and its ball and changes its
 * buoyancy. */
static const char led[] = "domain: {size: 1, cells: [12, 18, 12]}\n"
                          "fluid: {color: true}\n"
                          "tracers: {count: 200}\n"
                          "emitters:\n"
                          "  - {center: [0.5, 0.2, 0.5], size: 0.15, smoke: 8, heat: 300}\n"
                          "solids:\n"
                          "  - {shape: sphere, center: [0.5, 0.9, 0.5], size: 0.1}\n"
                          "timeline:\n"
                          "  - {key: \"emitters[0].center\", values: [[0, [0.3, 0.2, 0.5]],"
                          " [2, [0.7, 0.2, 0.5]]]}\n"
                          "  - {key: \"emitters[0].smoke\", values: [[0, 2], [1, 20], [2, 0]]}\n"
                          "  - {key: fluid.buoyancy, values: [[0, 0.01], [2, 0.06]]}\n"
                          "  - {key: \"solids[0].center\", values: [[0, [0.3, 0.9, 0.5]],"
                          " [1, [0.7, 1.1, 0.5]], [2, [0.3, 0.9, 0.5]]]}\n";

typedef struct Run {
    Scene scene;
    ScenePlay *play;
    SimThread *thread;
} Run;

static const SimSnapshot *newest(const Run *run)
{
    const SimSnapshot *snapshot = sim_thread_snapshot(run->thread);
    assert_non_null(snapshot);
    return snapshot;
}

static void start_again(const Run *run)
{
    uint64_t before = newest(run)->resets;
    sim_thread_send(run->thread, &(SimCommand){.kind = SIM_RESET});
    while (newest(run)->resets == before)
        SDL_Delay(1);
}

/* Resets to time 0, also if the thread took a step before it paused. */
static void begin(Run *run, const char *text, double past_bytes)
{
    BillowError error = {""};
    if (!scene_parse("f.yaml", text, strlen(text), &run->scene, &error))
        fail_msg("%s", error.text);
    BillowDef def = scene_def(&run->scene);
    def.threads = 1;
    run->play = scene_play_create(&run->scene, &def, &error);
    if (run->play == NULL)
        fail_msg("%s", error.text);
    run->thread = sim_thread_start(&def, run->play, NULL, (double)run->scene.step, NULL, 0, &error);
    assert_non_null(run->thread);
    sim_thread_send(run->thread, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_send(run->thread, &(SimCommand){SIM_MEMORY, .value = past_bytes});
    assert_int_equal(sim_thread_wait(run->thread, &error), SIM_THREAD_RUNNING);
    start_again(run);
}

static void end(Run *run)
{
    sim_thread_destroy(run->thread);
    scene_play_destroy(run->play);
}

/* A summary of a state. States with equal summaries are almost certainly equal. */
typedef struct Print {
    double time, mass, heat, energy, speed, outflow, ball[3], tracers;
} Print;

static Print print_of(const SimSnapshot *snapshot)
{
    const BillowStats *stats = &snapshot->stats;
    Print print = {.time = stats->time,
                   .mass = stats->mass,
                   .heat = stats->heat,
                   .energy = stats->kinetic_energy,
                   .speed = stats->speed_max,
                   .outflow = stats->mass_outflow};
    for (int axis = 0; axis < 3; axis++)
        print.ball[axis] = (double)snapshot->solids[0].center[axis];
    for (int t = 0; t < snapshot->view.tracer_count; t++)
        print.tracers += (double)snapshot->view.tracer[1][t] * (t + 1);
    return print;
}

static void take_step(const Run *run)
{
    uint64_t before = newest(run)->steps;
    sim_thread_send(run->thread, &(SimCommand){.kind = SIM_STEP});
    while (newest(run)->steps == before)
        SDL_Delay(1);
}

/* By so many states; to be asked when something is there to go to. */
static void seek(const Run *run, int states)
{
    uint64_t before = newest(run)->went_back;
    sim_thread_send(run->thread, &(SimCommand){SIM_SEEK, .count = states});
    while (newest(run)->went_back == before)
        SDL_Delay(1);
}

/* The timeline's values, the ball that it leads, sparks and all are as they were at that time. */
static void going_back_repeats_the_past(void **state)
{
    (void)state;
    enum { STEPS = 120 };
    Run run;
    Print prints[STEPS + 1];
    begin(&run, led, 1e8);
    prints[0] = print_of(newest(&run));
    for (int s = 1; s <= STEPS; s++) {
        take_step(&run);
        prints[s] = print_of(newest(&run));
        SDL_Delay(1); /* the packer's turn */
    }
    for (int turn = 0; turn < 2; turn++) {
        int at = STEPS;
        while (at >= STEPS - 10 * (turn + 1)) {
            seek(&run, -1);
            at = (int)(newest(&run)->stats.time / (double)run.scene.step + 0.5);
        }
        Print there = print_of(newest(&run));
        assert_memory_equal(&there, &prints[at], sizeof there);
        for (int s = at + 1; s <= STEPS; s++) {
            take_step(&run);
            there = print_of(newest(&run));
            assert_memory_equal(&there, &prints[s], sizeof there);
            SDL_Delay(1);
        }
    }
    seek(&run, -1000);
    assert_true(newest(&run)->stats.time == 0);
    assert_true(newest(&run)->back_to == 0);
    end(&run);
}

/* A brush stroke after going back starts another future. The old one cannot be reached any more. */
static void a_branch_is_another_future(void **state)
{
    (void)state;
    Run run;
    begin(&run, led, 1e8);
    for (int s = 0; s < 40; s++) {
        take_step(&run);
        SDL_Delay(1);
    }
    Print old = print_of(newest(&run));
    seek(&run, -5);
    seek(&run, 5);
    Print forth = print_of(newest(&run));
    assert_memory_equal(&old, &forth, sizeof old);
    seek(&run, -5);
    BillowEmitter brush = run.scene.brush;
    brush.center[0] = brush.center[1] = brush.center[2] = 0.5f;
    sim_thread_send(run.thread, &(SimCommand){SIM_BRUSH, .emitter = brush});
    sim_thread_send(run.thread, &(SimCommand){.kind = SIM_BRUSH_END});
    take_step(&run);
    while (newest(&run)->stats.time < old.time - 1e-6)
        take_step(&run);
    assert_true(fabs(newest(&run)->stats.time - old.time) < 1e-6);
    assert_true(print_of(newest(&run)).mass > old.mass * 1.001);
    end(&run);
}

/* Paused, and sure to have no step in work any more: what was asked for later is there. */
static void stand_still(const Run *run)
{
    uint64_t before = newest(run)->slices;
    sim_thread_send(run->thread, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_send(run->thread, &(SimCommand){.kind = SIM_NO_SLICE});
    while (newest(run)->slices == before)
        SDL_Delay(1);
}

/* While the key is held, time goes back at the speed of the clock. After that the simulation
 * continues from there. */
static void held_it_goes_back_by_the_clock(void **state)
{
    (void)state;
    Run run;
    begin(&run, led, 1e8);
    for (int s = 0; s < 90; s++) {
        take_step(&run);
        SDL_Delay(1);
    }
    const double start = clock_seconds();
    double began = newest(&run)->stats.time, shown = began;
    uint64_t states = 0;
    sim_thread_send(run.thread, &(SimCommand){SIM_REWIND, .on = true});
    while (shown > began - 0.6) {
        double now = newest(&run)->stats.time;
        if (now < shown && states++ == 0)
            began = shown = now; /* the newest state, which comes at once */
        if (now < shown) {
            /* A state lasts until the one before it was reached. */
            assert_true(clock_seconds() - start >= began - shown);
            shown = now;
        }
        SDL_Delay(1);
    }
    sim_thread_send(run.thread, &(SimCommand){SIM_REWIND, .on = false});
    stand_still(&run);
    double there = newest(&run)->stats.time;
    assert_true(states >= 2);
    assert_true(there > 0);
    SDL_Delay(100);
    assert_true(newest(&run)->stats.time == there);
    take_step(&run);
    assert_true(fabs(newest(&run)->stats.time - there - (double)run.scene.step) < 1e-9);
    end(&run);
}

/* Without memory there is no past, and starting again forgets it. */
static void no_past_is_no_way_back(void **state)
{
    (void)state;
    Run run;
    begin(&run, led, 0);
    take_step(&run);
    sim_thread_send(run.thread, &(SimCommand){SIM_SEEK, .count = -1});
    sim_thread_send(run.thread, &(SimCommand){SIM_REWIND, .on = true});
    SDL_Delay(30);
    sim_thread_send(run.thread, &(SimCommand){SIM_REWIND, .on = false});
    take_step(&run);
    assert_true(newest(&run)->went_back == 0);
    sim_thread_send(run.thread, &(SimCommand){SIM_MEMORY, .value = 1e8});
    for (int s = 0; s < 20; s++)
        take_step(&run);
    start_again(&run);
    assert_true(newest(&run)->back_to == newest(&run)->stats.time);
    end(&run);
}

/* At a quarter of the clock's speed a second holds a quarter of the steps, or fewer. */
static void slow_motion_takes_fewer_steps(void **state)
{
    (void)state;
    Run run;
    begin(&run, led, 0);
    sim_thread_send(run.thread, &(SimCommand){SIM_SPEED, .value = 0.25});
    uint64_t before = newest(&run)->steps;
    double start = clock_seconds();
    sim_thread_send(run.thread, &(SimCommand){SIM_PAUSE, .on = false});
    SDL_Delay(400);
    sim_thread_send(run.thread, &(SimCommand){SIM_PAUSE, .on = true});
    double took = clock_seconds() - start;
    SDL_Delay(20);
    const SimSnapshot *snapshot = newest(&run);
    assert_true((double)(snapshot->steps - before) * (double)run.scene.step <=
                0.25 * took + 3 * (double)run.scene.step);
    assert_true(snapshot->steps > before);
    assert_true(snapshot->speed == 0.25);
    end(&run);
}

/* Until it has taken some more steps by the clock. */
static void run_on(const Run *run, int steps)
{
    uint64_t before = newest(run)->steps;
    sim_thread_send(run->thread, &(SimCommand){SIM_PAUSE, .on = false});
    while (newest(run)->steps < before + (uint64_t)steps)
        SDL_Delay(1);
}

/* Paused, stepped by hand, faster than any machine, slower: all of the clock's time is in steps,
 * owed or dropped; steps by hand are not. */
static void no_time_is_lost(void **state)
{
    (void)state;
    Run run;
    begin(&run, led, 1e8);
    double start = clock_seconds(), early = newest(&run)->clock.simulated;
    const double speeds[] = {1, 64, 0.25};
    for (int s = 0; s < 3; s++) {
        sim_thread_send(run.thread, &(SimCommand){SIM_SPEED, .value = speeds[s]});
        run_on(&run, s == 1 ? 40 : 4);
        stand_still(&run);
        take_step(&run);
    }
    double took = clock_seconds() - start;
    const SimSnapshot *snapshot = newest(&run);
    SimClock clock = snapshot->clock;
    assert_true(fabs(clock.clock - clock.simulated - clock.owed - clock.dropped) < 1e-9);
    double by_hand = snapshot->stats.time + early - clock.simulated;
    double steps = round(by_hand / (double)run.scene.step);
    assert_true(fabs(by_hand - steps * (double)run.scene.step) < 1e-9);
    assert_true(steps == 3);
    assert_true(clock.clock > 0 && clock.clock <= 64 * took);
    end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_back_repeats_the_past),
        cmocka_unit_test(a_branch_is_another_future),
        cmocka_unit_test(held_it_goes_back_by_the_clock),
        cmocka_unit_test(no_past_is_no_way_back),
        cmocka_unit_test(slow_motion_takes_fewer_steps),
        cmocka_unit_test(no_time_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
