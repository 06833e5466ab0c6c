/* SPDX-License-Identifier: MIT
 * What hands did at random is replayed by other programs, with other instruction sets and on other
 * numbers of threads: every state has the recorded hash. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "clock.h"
#include "replay_file.h"
#include "sanitized.h"
#include "sim_thread.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RECORDINGS = SANITIZED ? 4 : 20, STEPS = 75 };
#define PATIENCE 120.0 /* s until a test gives up; sanitizers are slow */

static const char text[] = "title: t\n"
                           "domain: {size: [1, 1.5, 1], cells: 20,\n"
                           "         faces: {left: open, right: open, ceiling: open}}\n"
                           "time: {step: 0.02}\n"
                           "fluid: {color: true}\n"
                           "solids:\n"
                           "  - {shape: sphere, center: [0.5, 1.2, 0.5], size: 0.15,\n"
                           "     motion: falling}\n"
                           "  - {shape: box, center: [0.2, 0.3, 0.5], size: 0.08}\n"
                           "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n";

static char folder[] = "/tmp/billow-replay-XXXXXX";
static char path[64];

/* -- random hands ------------------------------------------------------------------------------ */

static uint32_t state;

static uint32_t roll(uint32_t sides)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % sides;
}

static float somewhere(void)
{
    return (float)roll(1001) / 1000;
}

static SimCommand some_command(const Scene *scene)
{
    const int hand = (int)roll(SIM_HANDS_MAX);
    SimCommand command = {.hand = hand};
    switch (roll(8)) {
    case 0:
    case 1:
    case 2:
        command.kind = SIM_BRUSH;
        command.emitter = scene->brush;
        break;
    case 3:
        command.kind = SIM_PUSH;
        command.force = billow_default_force();
        command.force.kind = BILLOW_ATTRACTOR;
        command.force.strength = 40 * somewhere() - 20;
        command.force.radius = 0.2f;
        break;
    case 4:
        command.kind = SIM_BRUSH_END;
        break;
    case 5:
        command.kind = SIM_DETONATE;
        command.emitter = scene->detonation;
        break;
    case 6:
        command.kind = SIM_GRAB;
        command.grab.solid = (int)roll(2);
        break;
    default:
        command.kind = SIM_LET_GO;
        break;
    }
    float *center = command.kind == SIM_GRAB   ? command.grab.center
                    : command.kind == SIM_PUSH ? command.force.center
                                               : command.emitter.center;
    for (int axis = 0; axis < 3 && (command.kind != SIM_BRUSH_END && command.kind != SIM_LET_GO);
         axis++)
        center[axis] = somewhere();
    return command;
}

static void add_settings(SimRecording *script, uint64_t step, Scene *scene)
{
    BillowError error = {{0}};
    assert_true(scene_set(scene, roll(2) ? "fluid.buoyancy=0.3" : "solver.vorticity=5", &error));
    assert_true(scene_set(scene, roll(2) ? "emitters[0].heat=60" : "emitters[0].smoke=2", &error));
    const SimSettings settings = {
        .def = scene_def(scene), .step = (double)scene->step, .scene = scene};
    sim_recording_add(script, step, &(SimCommand){SIM_SETTINGS, .settings = (void *)&settings});
}

static SimRecording some_script(const Scene *scene, uint32_t seed)
{
    SimRecording script = {.steps = STEPS + 1, .paced = true};
    Scene changed = *scene;
    state = seed;
    for (uint64_t step = 0; step < STEPS; step++) {
        for (uint32_t c = roll(4); c > 0; c--) {
            SimCommand command = some_command(scene);
            sim_recording_add(&script, step, &command);
        }
        if (roll(20) == 0)
            sim_recording_add(&script, step, &(SimCommand){SIM_CYCLES, .count = (int)roll(4) + 1});
        if (roll(30) == 0) /* a video, whose steps are shorter */
            sim_recording_add(&script, step, &(SimCommand){SIM_FILM, .film = {roll(2) / 60.0, 1}});
        if (roll(20) == 0)
            add_settings(&script, step, &changed);
    }
    return script;
}

/* -- playing ----------------------------------------------------------------------------------- */

static void await(SimThread *thread, uint64_t resets, uint64_t steps)
{
    double limit = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->resets < resets ||
           sim_thread_snapshot(thread)->steps < steps) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (clock_seconds() > limit)
            fail_msg("%d steps", (int)sim_thread_snapshot(thread)->steps);
    }
}

/* Takes so many steps of a replay, from rest. recorder: also records them; NULL: does not. Returns
 * the last snapshot's numbers of hashes. */
static SimSnapshot play(const Scene *scene, const SimRecording *replay, SimRecording *recorder,
                        int threads, uint64_t steps)
{
    BillowError error = {{0}};
    BillowDef def = scene_def(scene);
    def.threads = threads;
    ScenePlay *own = scene_play_create(scene, &def, &error);
    SimThread *thread =
        own != NULL ? sim_thread_start(&def, own, (double)scene->step, NULL, 0, &error) : NULL;
    if (thread == NULL)
        fail_msg("%s", error.text);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_wait(thread, &error);
    if (recorder != NULL)
        sim_thread_send(thread, &(SimCommand){SIM_RECORD, .recording = recorder});
    sim_thread_send(thread, &(SimCommand){SIM_REPLAY, .replay = replay});
    await(thread, 1, 0); /* the reset ends single steps that came before it */
    uint64_t before = sim_thread_snapshot(thread)->steps;
    for (uint64_t s = 0; s < steps; s++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    await(thread, 1, before + steps);
    SimSnapshot last = *sim_thread_snapshot(thread);
    sim_thread_destroy(thread);
    scene_play_destroy(own);
    return last;
}

/* What another program does: 0 if all hashes are those of the file. */
static int replay_file(const char *from, int threads)
{
    static ReplayFile file;
    BillowError error = {{0}};
    if (!replay_file_read(from, &file, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    SimSnapshot last = play(&file.scene, &file.recording, NULL, threads, file.recording.steps);
    bool same = last.replay_differs == 0 && last.replay_same == file.recording.hash_count &&
                file.recording.hash_count >= STEPS / SIM_HASH_STEPS;
    if (!same)
        fprintf(stderr, "%d of %d hashes, different from step %d on\n", last.replay_same,
                file.recording.hash_count, (int)last.replay_differs);
    sim_recording_free(&file.recording);
    return same ? 0 : 1;
}

static void replay_elsewhere(const char *simd, const char *threads)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        setenv("BILLOW_SIMD", simd, 1);
        execl("/proc/self/exe", "test_hands_replay", path, threads, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("a replay on %s threads with %s: status %x", threads, simd, (unsigned)status);
}

static Scene table(void)
{
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("t", text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

static void random_hands_are_replayed_elsewhere(void **context)
{
    (void)context;
    static const char *const sets[] = {"sse2", "avx2", "generic"};
    const Scene scene = table();
    for (uint32_t seed = 1; seed <= RECORDINGS; seed++) {
        BillowError error = {{0}};
        SimRecording script = some_script(&scene, seed), recording = {.hashed = true};
        play(&scene, &script, &recording, 1, STEPS);
        assert_int_equal(recording.steps, STEPS);
        assert_true(recording.count >= script.count);
        if (!replay_file_write(path, &scene, &recording, &error))
            fail_msg("%s", error.text);
        replay_elsewhere(sets[seed % 2], "2");
        if (seed % 4 == 0)
            replay_elsewhere(sets[2], "3");
        sim_recording_free(&script);
        sim_recording_free(&recording);
    }
}

/* The first hash that differs is named. */
static void a_difference_is_found(void **context)
{
    (void)context;
    const Scene scene = table();
    SimRecording script = some_script(&scene, 99), recording = {.hashed = true};
    play(&scene, &script, &recording, 1, STEPS);
    assert_int_equal(recording.hash_count, 3); /* after 30 and 60 steps, and at the end */
    recording.hashes[1].hash ^= 1;
    SimSnapshot last = play(&scene, &recording, NULL, 1, STEPS);
    assert_int_equal(last.replay_differs, 60);
    assert_int_equal(last.replay_same, 2);
    sim_recording_free(&script);
    sim_recording_free(&recording);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hands_are_replayed_elsewhere),
        cmocka_unit_test(a_difference_is_found),
    };
    if (count == 3)
        return replay_file(words[1], atoi(words[2]));
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/r", folder);
    int failed = cmocka_run_group_tests_name("hands_replay", tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
