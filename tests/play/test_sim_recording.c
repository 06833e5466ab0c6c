/* SPDX-License-Identifier: MIT
 * Commands alone decide the state: what was recorded from a running simulation gives the same state
 * again, bit by bit, on another number of threads. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "patience.h"
#include "play/sim_command.h"
#include "play/sim_thread.h"
#include "scene_fixture.h"
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    Scene scene;
    ScenePlay *plays[2]; /* of the start, and of the settings */
    SimThread *thread;
} Run;

static void send(Run *run, SimCommand command)
{
    sim_thread_send(run->thread, &command);
}

/* A ball falls in smoke, and the timeline turns the vortices up. */
static const char text[] = "title: t\n"
                           "domain: {size: [1, 1.5, 1], cells: 24,\n"
                           "         faces: {left: open, right: open, ceiling: open}}\n"
                           "time: {step: 0.02}\n"
                           "solids:\n"
                           "  - {shape: sphere, center: [0.5, 1.2, 0.5], size: 0.15,\n"
                           "     motion: falling}\n"
                           "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n"
                           "timeline: [{key: solver.vorticity, values: [[0, 1], [3, 6]]}]\n";

static Run start(int threads)
{
    Run run = {.thread = NULL};
    BillowError error = {{0}};
    if (!scene_parse("t", text, strlen(text), &run.scene, &error))
        fail_msg("%s", error.text);
    BillowDef def = scene_def(&run.scene);
    def.threads = threads;
    run.plays[0] = scene_play_create(&run.scene, &def, &error);
    run.thread = run.plays[0] == NULL ? NULL
                                      : sim_thread_start(&def, run.plays[0], &run.scene,
                                                         (double)run.scene.step, NULL, 0, &error);
    if (run.thread == NULL || sim_thread_wait(run.thread, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    return run;
}

static void end(Run *run)
{
    sim_thread_destroy(run->thread);
    scene_play_destroy(run->plays[0]);
    scene_play_destroy(run->plays[1]);
}

static void await_steps(Run *run, uint64_t steps)
{
    double limit = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(run->thread)->steps < steps) {
        if (clock_seconds() > limit)
            fail_msg("%d steps", (int)sim_thread_snapshot(run->thread)->steps);
        nap(0.001);
    }
}

static void await_resets(Run *run, uint64_t resets)
{
    double limit = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(run->thread)->resets < resets) {
        if (clock_seconds() > limit)
            fail_msg("%d resets", (int)sim_thread_snapshot(run->thread)->resets);
        nap(0.001);
    }
}

/* The state once it stands at a step: the run has to be paused. */
static SimSaved state_at(Run *run, uint64_t steps)
{
    SimSaved saved;
    double limit = clock_seconds() + PATIENCE;
    await_steps(run, steps);
    send(run, (SimCommand){.kind = SIM_SAVE});
    while (!sim_thread_saved(run->thread, &saved)) {
        if (clock_seconds() > limit)
            fail_msg("no copy of the state");
        nap(0.001);
    }
    assert_non_null(saved.state);
    return saved;
}

static void change_settings(Run *run)
{
    Scene scene = run->scene;
    BillowError error = {{0}};
    assert_true(scene_set(&scene, "fluid.buoyancy=9", &error));
    assert_true(scene_set(&scene, "emitters[0].heat=40", &error));
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    run->plays[1] = scene_play_renew(run->plays[0], &scene, &def, &error);
    assert_non_null(run->plays[1]);
    const SimSettings settings = {def, run->plays[1], (double)scene.step, 1, &scene};
    SimSettings *copy = sim_settings_copy(&settings);
    assert_non_null(copy);
    send(run, (SimCommand){SIM_SETTINGS, .settings = copy});
}

static void stroke(Run *run, float x)
{
    BillowEmitter touch = run->scene.brush;
    BillowForce force = billow_default_force();
    touch.center[0] = x;
    touch.center[1] = 0.6f;
    touch.velocity[0] = 1;
    memcpy(force.center, touch.center, sizeof force.center);
    send(run, (SimCommand){SIM_BRUSH, .emitter = touch});
    send(run, (SimCommand){SIM_PUSH, .force = force});
}

/* A session at the clock's pace, with fewer cycles and fuller strokes where the machine is slow. */
static uint64_t play(Run *run, SimRecording *recording)
{
    await_steps(run, 5); /* that are not part of it */
    send(run, (SimCommand){SIM_RECORD, .recording = recording});
    uint64_t at = sim_thread_snapshot(run->thread)->steps;
    for (int i = 0; i < 6; i++) {
        stroke(run, 0.2f + 0.1f * (float)i);
        await_steps(run, at + 3 + 2 * (uint64_t)i);
    }
    send(run, (SimCommand){.kind = SIM_BRUSH_END});
    BillowEmitter detonation = run->scene.detonation;
    send(run, (SimCommand){SIM_DETONATE, .emitter = detonation});
    send(run, (SimCommand){SIM_GRAB, .grab = {0, {0.3f, 0.8f, 0.4f}}});
    await_steps(run, at + 20);
    send(run, (SimCommand){.kind = SIM_LET_GO});
    send(run, (SimCommand){SIM_SPEED, .value = 64}); /* more than any machine can do */
    stroke(run, 0.5f);
    await_steps(run, at + 60);
    change_settings(run);
    await_steps(run, at + 80);
    send(run, (SimCommand){.kind = SIM_BRUSH_END});
    send(run, (SimCommand){SIM_PAUSE, .on = true});
    SimSaved quiet = state_at(run, at + 80);
    free(quiet.state);
    return sim_thread_snapshot(run->thread)->steps;
}

static void assert_same(const SimSaved *a, const SimSaved *b)
{
    assert_int_equal(a->bytes, b->bytes);
    if (memcmp(a->state, b->state, a->bytes) != 0)
        fail_msg("the replay ended in another state");
}

static void test_replay_gives_the_same_bits(void **state)
{
    (void)state;
    SimRecording recording = {.commands = NULL};
    Run run = start(1);
    uint64_t steps = play(&run, &recording);
    SimSaved wanted = state_at(&run, steps);
    end(&run);
    assert_false(recording.ended);
    assert_int_equal(recording.commands[0].command.kind, SIM_RESET);
    assert_in_range(recording.steps, 60, steps);

    Run again = start(2);
    send(&again, (SimCommand){SIM_PAUSE, .on = true});
    send(&again, (SimCommand){SIM_REPLAY, .replay = &recording});
    free(state_at(&again, 0).state);
    uint64_t base = sim_thread_snapshot(again.thread)->steps;
    for (uint64_t i = 0; i < recording.steps; i++)
        send(&again, (SimCommand){.kind = SIM_STEP});
    SimSaved got = state_at(&again, base + recording.steps);
    end(&again);
    assert_same(&got, &wanted);
    free(got.state);
    free(wanted.state);
    sim_recording_free(&recording);
}

/* A replay ends as soon as something else is asked for; nobody's commands mix with its own. */
static void test_input_takes_control(void **state)
{
    (void)state;
    SimRecording recording = {.steps = 100};
    const BillowEmitter touch = billow_default_emitter();
    sim_recording_add(&recording, 0, &(SimCommand){.kind = SIM_RESET});
    sim_recording_add(&recording, 2, &(SimCommand){SIM_DETONATE, .emitter = touch});
    Run run = start(1);
    send(&run, (SimCommand){SIM_PAUSE, .on = true});
    send(&run, (SimCommand){SIM_REPLAY, .replay = &recording});
    await_resets(&run, 1);
    send(&run, (SimCommand){.kind = SIM_RESET});
    free(state_at(&run, 0).state);
    uint64_t base = sim_thread_snapshot(run.thread)->steps;
    for (int i = 0; i < 3; i++)
        send(&run, (SimCommand){.kind = SIM_STEP});
    SimSaved got = state_at(&run, base + 3);

    send(&run, (SimCommand){.kind = SIM_RESET});
    for (int i = 0; i < 3; i++)
        send(&run, (SimCommand){.kind = SIM_STEP});
    SimSaved wanted = state_at(&run, base + 6);
    end(&run);
    assert_same(&got, &wanted);
    free(got.state);
    free(wanted.state);
    sim_recording_free(&recording);
}

/* Stored states are not part of a recording. It ends when time goes back. */
static void test_going_back_ends_a_recording(void **state)
{
    (void)state;
    SimRecording recording = {.commands = NULL};
    Run run = start(1);
    send(&run, (SimCommand){SIM_PAUSE, .on = true});
    send(&run, (SimCommand){SIM_MEMORY, .value = 1e8});
    send(&run, (SimCommand){SIM_RECORD, .recording = &recording});
    free(state_at(&run, 0).state);
    uint64_t base = sim_thread_snapshot(run.thread)->steps;
    for (int i = 0; i < 10; i++)
        send(&run, (SimCommand){.kind = SIM_STEP});
    await_steps(&run, base + 10);
    uint64_t resets = sim_thread_snapshot(run.thread)->resets;
    send(&run, (SimCommand){SIM_SEEK, .count = -1});
    send(&run, (SimCommand){.kind = SIM_RESET});
    free(state_at(&run, 0).state);
    await_resets(&run, resets + 2); /* went back, and then to the start */
    assert_string_equal(sim_thread_snapshot(run.thread)->recorded.text, "time went back");
    end(&run);
    assert_true(recording.ended);
    assert_int_equal(recording.steps, 10);
    for (int i = 0; i < recording.count; i++)
        assert_int_equal(recording.commands[i].step, 0);
    sim_recording_free(&recording);
}

static void test_queue_merges_what_overrules(void **state)
{
    (void)state;
    SimQueue queue = {.commands = NULL};
    const SimSettings settings = {.serial = 1};
    for (int i = 0; i < 200; i++) {
        sim_queue_push(&queue, &(SimCommand){SIM_SPEED, .value = i});
        assert_int_equal(queue.count, 1);
    }
    assert_true(queue.commands[0].value == 199);
    sim_queue_push(&queue, &(SimCommand){SIM_SEEK, .count = -2});
    sim_queue_push(&queue, &(SimCommand){SIM_SEEK, .count = 5});
    assert_int_equal(queue.count, 2);
    assert_int_equal(queue.commands[1].count, 3);
    for (int i = 0; i < 3; i++) {
        SimCommand command = {SIM_SETTINGS, .settings = sim_settings_copy(&settings)};
        assert_non_null(command.settings);
        command.settings->serial = (uint64_t)i + 1;
        assert_int_equal(sim_queue_push(&queue, &command), i > 0);
        sim_queue_push(&queue, &(SimCommand){.kind = SIM_STEP});
    }
    assert_int_equal(queue.count, 6); /* three steps, and the newest settings after two of them */
    assert_int_equal(queue.commands[4].settings->serial, 3);
    for (int i = 0; i < 1000; i++)
        sim_queue_push(&queue, &(SimCommand){.kind = SIM_BRUSH});
    assert_int_equal(queue.count, 1006); /* each place of a stroke counts */
    sim_queue_free(&queue);
}

#ifdef __linux__
static bool memory_is_short;
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_realloc(void *memory, size_t bytes)
{
    return memory_is_short ? NULL : __real_realloc(memory, bytes);
}

/* Without memory a command is refused and leaves the queue in order; new settings still replace
 * waiting ones, and SIM_QUIT is never lost. */
static void test_queue_without_memory(void **state)
{
    (void)state;
    SimQueue queue = {.commands = NULL};
    SimSettings first = {.serial = 1}, second = {.serial = 2};
    SimCommand settings = {SIM_SETTINGS, .settings = sim_settings_copy(&first)};
    assert_true(sim_queue_reserve(&queue));
    assert_int_equal(sim_queue_push(&queue, &settings), SIM_SENT);
    memory_is_short = true;
    int sent = 1;
    while (sim_queue_push(&queue, &(SimCommand){.kind = SIM_STEP}) == SIM_SENT)
        sent++;
    memory_is_short = false;
    assert_int_equal(queue.count, sent);
    settings.settings = sim_settings_copy(&second);
    memory_is_short = true;
    assert_int_equal(sim_queue_push(&queue, &settings), SIM_SENT_INSTEAD);
    assert_int_equal(queue.commands[sent - 1].settings->serial, 2);
    assert_int_equal(sim_queue_push(&queue, &(SimCommand){.kind = SIM_RESET}), SIM_NOT_SENT);
    assert_int_equal(sim_queue_push(&queue, &(SimCommand){.kind = SIM_QUIT}), SIM_SENT);
    assert_int_equal(queue.commands[sent].kind, SIM_QUIT);
    memory_is_short = false;
    sim_queue_free(&queue);
}

/* A recording for which memory is short ends, and keeps what it has. */
static void test_recording_without_memory(void **state)
{
    (void)state;
    SimRecording recording = {.steps = 0};
    memory_is_short = true;
    sim_recording_add(&recording, 0, &(SimCommand){.kind = SIM_RESET});
    memory_is_short = false;
    assert_true(recording.ended);
    sim_recording_add(&recording, 1, &(SimCommand){.kind = SIM_RESET});
    assert_int_equal(recording.count, 0);
    sim_recording_free(&recording);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_merges_what_overrules),
#ifdef __linux__
        cmocka_unit_test(test_queue_without_memory),
        cmocka_unit_test(test_recording_without_memory),
#endif
        cmocka_unit_test(test_replay_gives_the_same_bits),
        cmocka_unit_test(test_input_takes_control),
        cmocka_unit_test(test_going_back_ends_a_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
