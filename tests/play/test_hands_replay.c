/* SPDX-License-Identifier: MIT
 * What hands did at random is replayed by other programs, with other instruction sets and on other
 * numbers of threads: every state has the recorded hash. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "hands_fixture.h"
#include "patience.h"
#include "play/replay_file.h"
#include "play/sim_apply.h"
#include "sanitized.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RECORDINGS = SANITIZED ? 4 : 20, STEPS = 75 };

static char folder[] = "/tmp/billow-replay-XXXXXX";
static char path[64];

/* -- playing ----------------------------------------------------------------------------------- */

static void await(SimThread *thread, uint64_t resets, uint64_t steps)
{
    double limit = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->resets < resets ||
           sim_thread_snapshot(thread)->steps < steps) {
        nap(0.001);
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
        own != NULL ? sim_thread_start(&def, own, scene, (double)scene->step, NULL, 0, &error)
                    : NULL;
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
    int status = 0;
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

static void random_hands_are_replayed_elsewhere(void **context)
{
    (void)context;
    static const char *const sets[] = {"sse2", "avx2", "generic"};
    const Scene scene = hands_scene(NULL);
    for (uint32_t seed = 1; seed <= RECORDINGS; seed++) {
        BillowError error = {{0}};
        SimRecording script = random_script(&scene, seed, STEPS), recording = {.hashed = true};
        play(&scene, &script, &recording, 1, STEPS);
        assert_int_equal(recording.steps, STEPS);
        assert_true(recording.count >= script.count);
        if (!replay_file_write(path, &scene, NULL, &recording, false, &error))
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
    const Scene scene = hands_scene(NULL);
    SimRecording script = random_script(&scene, 99, STEPS), recording = {.hashed = true};
    play(&scene, &script, &recording, 1, STEPS);
    assert_int_equal(recording.hash_count, 3); /* after 30 and 60 steps, and at the end */
    recording.hashes[1].hash ^= 1;
    SimSnapshot last = play(&scene, &recording, NULL, 1, STEPS);
    assert_int_equal(last.replay_differs, 60);
    assert_int_equal(last.replay_same, 2);
    sim_recording_free(&script);
    sim_recording_free(&recording);
}

/* Takes steps of a paused thread, and returns the hash of the state after them. */
static uint64_t hash_after(SimThread *thread, uint64_t steps)
{
    const uint64_t until = sim_thread_snapshot(thread)->steps + steps;
    for (uint64_t s = 0; s < steps; s++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    await(thread, 0, until);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_SAVE}); /* after it, the thread only waits */
    SimSaved saved;
    while (!sim_thread_saved(thread, &saved))
        nap(0.001);
    free(saved.state);
    return billow_state_hash(thread->shared.driver.sim);
}

/* A thread that joins another one in the midst of a stroke continues like it. */
static void a_thread_joins(void **context)
{
    (void)context;
    static SimJoin join;
    const Scene scene = hands_scene(NULL);
    BillowError error = {{0}};
    BillowDef def = scene_def(&scene);
    def.threads = 1;
    ScenePlay *own = scene_play_create(&scene, &def, &error);
    SimThread *host = sim_thread_start(&def, own, &scene, (double)scene.step, NULL, 0, &error);
    assert_non_null(host);
    sim_thread_send(host, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_wait(host, &error);
    sim_thread_send(host, &(SimCommand){SIM_BRUSH, .emitter = scene.brush});
    sim_thread_send(host, &(SimCommand){SIM_DETONATE, 1, .emitter = scene.detonation});
    hash_after(host, 12);
    TurnBytes bytes = {NULL, 0, 0, false};
    TurnReader from;
    if (!sim_join_write(&host->shared, sim_thread_snapshot(host)->steps, &bytes, &error))
        fail_msg("%s", error.text);
    from = (TurnReader){bytes.bytes, bytes.count, 0};
    SimThread *guest =
        sim_join_read(&from, &join, &error) ? sim_thread_join(&join, 2, NULL, &error) : NULL;
    if (guest == NULL || sim_thread_wait(guest, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    assert_true(sim_thread_paused(guest));
    assert_int_equal(sim_thread_snapshot(guest)->steps, sim_thread_snapshot(host)->steps);
    for (int round = 0; round < 3; round++)
        assert_int_equal(hash_after(host, 5), hash_after(guest, 5));
    sim_thread_destroy(guest);
    sim_join_free(&join);
    sim_thread_destroy(host);
    scene_play_destroy(own);
    free(bytes.bytes);
}

/* What another program does with a recording that begins in the midst of a scene: the hash of its
 * last state, of which all before are those of the file. */
static uint64_t replay_from_a_state(ReplayFile *file, int threads)
{
    BillowError error = {{0}};
    const SimRecording *recording = &file->recording;
    SimThread *thread = sim_thread_join(file->start, threads, NULL, &error);
    if (thread == NULL || sim_thread_wait(thread, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    sim_thread_send(thread, &(SimCommand){SIM_REPLAY, .replay = recording});
    const uint64_t hash = hash_after(thread, recording->steps);
    assert_int_equal(sim_thread_snapshot(thread)->replay_differs, 0);
    assert_int_equal(sim_thread_snapshot(thread)->replay_same, recording->hash_count);
    sim_thread_destroy(thread);
    return hash;
}

/* A recording that begins in the midst of strokes and a detonation, on other cells than the scene's
 * own, with changed values, few pressure cycles and a moving camera. */
static void a_recording_begins_with_the_present_state(void **context)
{
    (void)context;
    static ReplayFile file;
    Scene scene = hands_scene(NULL), coarse = hands_scene("domain.cells=16");
    BillowError error = {{0}};
    BillowDef def = scene_def(&coarse);
    def.threads = 1;
    ScenePlay *own = scene_play_create(&scene, &def, &error);
    SimThread *thread = sim_thread_start(&def, own, &scene, (double)scene.step, NULL, 0, &error);
    SimRecording script = random_script(&scene, 5, STEPS);
    assert_non_null(thread);
    ReplayRecorder *recorder = replay_recorder_create(path, &scene, own, true, &error);
    assert_non_null(recorder);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_wait(thread, &error);
    sim_thread_send(thread, &(SimCommand){SIM_BRUSH, .emitter = scene.brush});
    sim_thread_send(thread, &(SimCommand){SIM_DETONATE, 1, .emitter = scene.detonation});
    hash_after(thread, 12);
    sim_thread_send(thread, &(SimCommand){SIM_RECORD, .recording = &recorder->recording});
    sim_thread_send(thread, &(SimCommand){SIM_VIEW, .camera = scene.render.camera});
    sim_thread_send(thread, &(SimCommand){SIM_REPLAY, .replay = &script});
    hash_after(thread, 40);
    scene.render.camera.azimuth = 77;
    sim_thread_send(thread, &(SimCommand){SIM_VIEW, .camera = scene.render.camera});
    const uint64_t last = hash_after(thread, STEPS - 40);
    assert_false(atomic_load(&recorder->ended));
    sim_thread_send(thread, &(SimCommand){SIM_RECORD, .recording = NULL});
    while (!atomic_load(&recorder->ended))
        nap(0.001);
    assert_int_equal(recorder->recording.steps, STEPS);
    assert_true(recorder->recording.commands[0].command.kind == SIM_CYCLES); /* and no reset */
    if (!replay_file_write(path, &scene, NULL, &recorder->recording, false, &error) ||
        !replay_file_read(path, &file, &error))
        fail_msg("%s", error.text);
    assert_int_equal(scene_def(&file.scene).ny, 16);
    assert_int_equal(file.recording.hash_count, 3);
    assert_int_equal(file.recording.hashes[2].hash, last);
    assert_true(sim_recording_view(&file.recording, 39)->azimuth != 77);
    assert_true(sim_recording_view(&file.recording, 40)->azimuth == 77);
    assert_int_equal(replay_from_a_state(&file, 3), last);
    bool same;
    const SceneRequest finer = {.grid = "24"};
    assert_false(replay_file_change(&file, &finer, &same, &error));
    assert_non_null(strstr(error.text, "this recording begins in the middle of a scene"));
    replay_file_free(&file);
    sim_thread_destroy(thread);
    replay_recorder_free(recorder);
    scene_play_destroy(own);
    sim_recording_free(&script);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hands_are_replayed_elsewhere),
        cmocka_unit_test(a_difference_is_found),
        cmocka_unit_test(a_thread_joins),
        cmocka_unit_test(a_recording_begins_with_the_present_state),
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
