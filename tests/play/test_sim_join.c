/* SPDX-License-Identifier: MIT
 * Joining: a simulation that is written in the midst of strokes and read again continues with the
 * same commands to the same hashes, on another number of threads. What is damaged is refused, or
 * harms nothing. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/words.h"
#include "hands_fixture.h"
#include "play/sim_join.h"
#include "sanitized.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BEFORE = 20, AFTER = 25 };

static const char growing[] =
    "title: t\n"
    "domain: {size: [1, 1, 1], cells: 16,\n"
    "         faces: {left: open, right: open, ceiling: open},\n"
    "         unbounded: true, cells_max: 200000}\n"
    "emitters: [{center: [0.3, 0.7, 0.5], size: 0.15, velocity: [-3, 3, 0], grip: 20}]\n";

static const char moving[] =
    "title: t\n"
    "domain: {size: [1, 1, 1], cells: 16, faces: {ceiling: open}}\n"
    "fluid: {fire: true}\n"
    "solver: {cycles: 4}\n"
    "solids: [{shape: sphere, center: [0.2, 0.7, 0.5], size: 0.1}]\n"
    "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1, fuel: 8, heat: 900}]\n"
    "timeline:\n"
    "  - {key: \"emitters[0].fuel\", values: [[0, 0], [0.3, 9], [0.5, 1]]}\n"
    "  - {key: \"solids[0].center\", values: [[0, [0.2, 0.7, 0.5]], [1, [0.8, 0.7, 0.5]]]}\n"
    "  - {key: fluid.buoyancy, values: [[0, 0.01], [1, 0.09]]}\n";

static const char letters[] = "title: t\n"
                              "domain: {size: [1, 1, 1], cells: 16, faces: {ceiling: open}}\n"
                              "emitters: [{text: \"o\", center: [0.5, 0.3, 0.5], size: 0.2}]\n";

static Scene scene_of(const char *text, const char *name)
{
    Scene scene;
    BillowError error = {{0}};
    const SceneRequest request = {.name_or_path = name, .grid = "16"};
    bool good = text != NULL ? scene_parse("t", text, strlen(text), &scene, &error)
                             : scene_open(&request, &scene, &error);
    if (!good)
        fail_msg("%s", error.text);
    return scene;
}

/* -- running ----------------------------------------------------------------------------------- */

static void start(Shared *shared, const Scene *scene, ScenePlay **play, int threads)
{
    BillowError error = {{0}};
    BillowDef def = scene_def(scene);
    def.threads = threads;
    *play = scene_play_create(scene, &def, &error);
    if (*play == NULL || !shared_open(shared, &def, *play, scene, (double)scene->step))
        fail_msg("%s", error.text);
    shared->driver.sim = billow_create(&def, &error);
    if (shared->driver.sim == NULL)
        fail_msg("%s", error.text);
    scene_play_begin(*play, shared->driver.sim);
}

static void apply(Shared *shared, const SimCommand *command)
{
    BillowError error = {{0}};
    if (command->kind != SIM_SETTINGS) {
        shared_apply(shared, command, &error);
        return;
    }
    SimSettings *settings = shared_settings(shared, command->settings, &error);
    if (settings == NULL)
        fail_msg("%s", error.text);
    shared_apply(shared, &(SimCommand){SIM_SETTINGS, .settings = settings}, &error);
    free(settings);
}

/* Takes the steps `from` to `until` of a script. */
static void play(Shared *shared, Replay *replay, uint64_t from, uint64_t until)
{
    for (uint64_t step = from; step < until; step++) {
        const SimCommand *command;
        while ((command = replay_next(replay, step)) != NULL)
            apply(shared, command);
        shared_step(shared);
    }
}

static TurnBytes written(const Shared *shared, uint64_t steps)
{
    TurnBytes bytes = {NULL, 0, 0, false};
    BillowError error = {{0}};
    if (!sim_join_write(shared, steps, &bytes, &error))
        fail_msg("%s", error.text);
    return bytes;
}

/* Reads a simulation and creates it. */
static bool join_bytes(const unsigned char *bytes, size_t count, int threads, SimJoin *join,
                       BillowError *error)
{
    TurnReader from = {bytes, count, 0};
    if (!sim_join_read(&from, join, error))
        return false;
    join->shared.def.threads = threads;
    join->shared.driver.sim = billow_create(&join->shared.def, error);
    if (join->shared.driver.sim != NULL &&
        billow_load_state(join->shared.driver.sim, join->state, join->bytes, error))
        return true;
    sim_join_free(join);
    return false;
}

/* What another program reads of a script. */
static SimRecording through_turns(const SimRecording *script, const Scene *scene)
{
    SimRecording read = {.steps = script->steps};
    BillowError error = {{0}};
    for (int c = 0; c < script->count; c++) {
        TurnBytes bytes = {NULL, 0, 0, false};
        turn_write(&bytes, &script->commands[c], 1);
        TurnReader from = {bytes.bytes, bytes.count, 0};
        if (bytes.failed || !turn_read(&from, &read, &scene, &error))
            fail_msg("command %d: %s", c, error.text);
        free(bytes.bytes);
    }
    assert_int_equal(read.count, script->count);
    return read;
}

/* Joins in the midst of a script, and compares every state after it. Frees the script. */
static void joins_script(const Scene *scene, SimRecording script, uint32_t seed)
{
    static SimJoin join;
    BillowError error = {{0}};
    Shared host;
    ScenePlay *own;
    Replay replay = {.recording = &script};
    start(&host, scene, &own, 1);
    play(&host, &replay, 0, BEFORE);
    const SimCommand *command; /* commands that came after the step travel with the state */
    while ((command = replay_next(&replay, BEFORE)) != NULL)
        apply(&host, command);
    TurnBytes bytes = written(&host, BEFORE);
    if (!join_bytes(bytes.bytes, bytes.count, 3, &join, &error))
        fail_msg("seed %u: %s", (unsigned)seed, error.text);
    assert_int_equal(join.steps, BEFORE);
    SimRecording read = through_turns(&script, &join.scene);
    Replay same = {.recording = &read, .next = replay.next};
    for (uint64_t step = BEFORE; step < BEFORE + AFTER; step++) {
        play(&host, &replay, step, step + 1);
        play(&join.shared, &same, step, step + 1);
        if (billow_state_hash(host.driver.sim) != billow_state_hash(join.shared.driver.sim))
            fail_msg("seed %u: another state after step %d", (unsigned)seed, (int)step);
    }
    assert_true(host.step == join.shared.step && host.cycles == join.shared.cycles);
    TurnBytes again = written(&host, 7), theirs = written(&join.shared, 7);
    assert_int_equal(again.count, theirs.count);
    assert_memory_equal(again.bytes, theirs.bytes, again.count);
    free(again.bytes);
    free(theirs.bytes);
    free(bytes.bytes);
    sim_recording_free(&script);
    sim_recording_free(&read);
    sim_join_free(&join);
    shared_close(&host);
    scene_play_destroy(own);
}

static void joins(const Scene *scene, uint32_t seed)
{
    joins_script(scene, random_script(scene, seed, BEFORE + AFTER), seed);
}

static void a_joined_simulation_continues_alike(void **state)
{
    (void)state;
    static const char *const texts[] = {hands_text, growing, moving};
    static const char *const names[] = {"plume", "explosion", "fire", "falling-ball"};
    for (uint32_t seed = 1; seed <= (SANITIZED ? 3 : 12); seed++) {
        Scene scene = scene_of(texts[seed % 3], NULL);
        joins(&scene, seed);
    }
    for (uint32_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        Scene scene = scene_of(NULL, names[n]);
        joins(&scene, 100 + n);
    }
}

/* A solid that was thrown before glides on after. */
static void a_thrown_solid_glides_on(void **state)
{
    (void)state;
    Scene scene = hands_scene(NULL);
    SimRecording script = {.steps = BEFORE + AFTER, .paced = true};
    for (uint64_t step = BEFORE - 6; step < BEFORE - 1; step++) {
        float place = 0.2f + 0.03f * (float)(step - BEFORE + 6);
        sim_recording_add(&script, step,
                          &(SimCommand){SIM_GRAB, 2, .grab = {1, {place, 0.3f, 0.5f}}});
    }
    sim_recording_add(&script, BEFORE - 1, &(SimCommand){.kind = SIM_LET_GO, .hand = 2});
    joins_script(&scene, script, 0);
}

/* The shapes of texts travel: the other machine may have other fonts. */
static void shapes_travel(void **state)
{
    (void)state;
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("t", letters, strlen(letters), &scene, &error))
        fail_msg("%s", error.text);
    BillowDef def = scene_def(&scene);
    ScenePlay *own = scene_play_create(&scene, &def, &error);
    if (own == NULL)
        skip(); /* built without fonts, or there is none */
    scene_play_destroy(own);
    joins(&scene, 3);
}

/* So do those of meshes, whose files the other machine does not have. */
static void meshes_travel(void **state)
{
    (void)state;
    static const char ball[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    static const char text[] = "title: t\n"
                               "domain: {size: [1, 1, 1], cells: 16, faces: {ceiling: open}}\n"
                               "solids: [{mesh: ball.obj, center: [0.5, 0.7, 0.5], size: 0.2}]\n"
                               "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n";
    char folder[] = "/tmp/billow-join-XXXXXX", name[64], mesh[64];
    BillowError error = {{0}};
    Scene scene;
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/t.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/ball.obj", folder);
    FILE *stream = fopen(mesh, "w");
    assert_non_null(stream);
    fputs(ball, stream);
    fclose(stream);
    if (!scene_parse(name, text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    joins(&scene, 4);
    unlink(mesh);
    rmdir(folder);
}

/* A play that was replaced is destroyed once nobody reads its shapes. */
static void replaced_plays_are_destroyed(void **state)
{
    (void)state;
    BillowError error = {{0}};
    Shared host;
    ScenePlay *own;
    Scene scene = hands_scene(NULL);
    start(&host, &scene, &own, 1);
    for (int n = 1; n <= 40; n++) {
        const SimSettings settings = {.scene = &scene};
        scene.def.params.buoyancy = 0.001f * (float)n;
        apply(&host, &(SimCommand){SIM_SETTINGS, .settings = (void *)&settings});
        assert_int_equal(host.changes, n);
        assert_int_equal(host.own_play_count, n <= 20 ? n : n - 19);
        if (n == 20)
            host.seen = 20; /* a window has fetched a state with the 20th settings */
    }
    free(shared_settings(&host, &(SimSettings){.scene = &scene}, &error)); /* is not applied */
    assert_int_equal(host.own_play_count, 22);
    host.seen = 40;
    free(shared_settings(&host, &(SimSettings){.scene = &scene}, &error));
    assert_int_equal(host.own_play_count, 2); /* the play in use and the play just sent */
    shared_close(&host);
    scene_play_destroy(own);
}

/* A timeline that set an invalid value stays dropped. */
static void a_dropped_timeline_stays_dropped(void **state)
{
    (void)state;
    static SimJoin join;
    BillowError error = {{0}};
    Shared host;
    ScenePlay *own;
    Scene scene = scene_of(moving, NULL);
    start(&host, &scene, &own, 1);
    for (int step = 0; step < 6; step++)
        shared_step(&host);
    host.dropped = true;
    TurnBytes bytes = written(&host, 6);
    if (!join_bytes(bytes.bytes, bytes.count, 2, &join, &error))
        fail_msg("%s", error.text);
    assert_true(join.shared.dropped);
    assert_memory_equal(&join.shared.def.params.buoyancy, &host.def.params.buoyancy,
                        sizeof host.def.params.buoyancy);
    free(bytes.bytes);
    sim_join_free(&join);
    shared_close(&host);
    scene_play_destroy(own);
}

/* -- what is refused --------------------------------------------------------------------------- */

static void refused(const TurnBytes *bytes, size_t at, uint32_t word, const char *why)
{
    static SimJoin join;
    BillowError error = {{0}};
    unsigned char *other = malloc(bytes->count);
    assert_non_null(other);
    memcpy(other, bytes->bytes, bytes->count);
    for (int b = 0; b < 4; b++)
        other[at + (size_t)b] = (unsigned char)(word >> (8 * b));
    if (join_bytes(other, bytes->count, 1, &join, &error))
        fail_msg("a wrong word at %d was taken", (int)at);
    if (strstr(error.text, why) == NULL)
        fail_msg("%s, not %s", error.text, why);
    free(other);
}

/* The numbers before the scene: magic, version at 8, steps, cycles at 20, timeline at 24, rate of
 * the brush at 28. */
static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    Shared host;
    ScenePlay *own;
    Scene scene = hands_scene(NULL);
    start(&host, &scene, &own, 1);
    shared_step(&host);
    TurnBytes bytes = written(&host, 1);
    refused(&bytes, 0, 0, "this is no simulation to join");
    refused(&bytes, 8, 99, "version 99 of the format, and this program reads version 3");
    refused(&bytes, 20, 100001, "its numbers are out of range");
    refused(&bytes, 24, 2, "its numbers are out of range");
    refused(&bytes, 32, 0x7ff80000u, "the rate of the brush is out of range");
    refused(&bytes, 40, 0x7ff80000u, "its numbers are out of range");
    refused(&bytes, 44, 0x80000000u, "its numbers are out of range");
    refused(&bytes, 64, 0xffffffffu, "the text of a scene is too long");
    size_t length = get32(bytes.bytes + 64), shapes = 68 + length; /* then their number: none */
    refused(&bytes, shapes, 99, "its shapes are impossible");
    refused(&bytes, shapes + 4, 99, "its hands or its parameters are out of range");
    for (size_t count = 0; count < bytes.count; count += 1 + bytes.count / 400) {
        static SimJoin join;
        BillowError error = {{0}};
        assert_false(join_bytes(bytes.bytes, count, 1, &join, &error));
        assert_true(error.text[0] != 0);
    }
    host.def.nx++;
    BillowError error = {{0}};
    TurnBytes none = {NULL, 0, 0, false};
    assert_false(sim_join_write(&host, 1, &none, &error));
    assert_non_null(strstr(error.text, "nobody can join a simulation that is not on its scene's"));
    host.def.nx--;
    snprintf(host.scene->initial.vdb, sizeof host.scene->initial.vdb, "/etc/passwd");
    assert_false(sim_join_write(&host, 1, &none, &error));
    assert_non_null(strstr(error.text, "the scene needs the file /etc/passwd"));
    free(bytes.bytes);
    free(none.bytes);
    shared_close(&host);
    scene_play_destroy(own);
}

/* Bytes changed at random, before the fields, are refused or give a simulation that runs. */
static void random_damage_harms_nothing(void **state)
{
    (void)state;
    static SimJoin join;
    Shared host;
    ScenePlay *own;
    Scene scene = hands_scene(NULL);
    SimRecording script = random_script(&scene, 5, BEFORE);
    Replay replay = {.recording = &script};
    start(&host, &scene, &own, 1);
    play(&host, &replay, 0, BEFORE);
    TurnBytes bytes = written(&host, BEFORE);
    size_t head = bytes.count - billow_state_bytes(host.driver.sim);
    unsigned char *other = malloc(bytes.count);
    assert_non_null(other);
    int taken = 0, left = 0;
    for (int n = 0; n < (SANITIZED ? 500 : 1500); n++) {
        BillowError error = {{0}};
        memcpy(other, bytes.bytes, bytes.count);
        for (uint32_t c = 0; c <= random_roll(3); c++)
            other[random_roll((uint32_t)head + 256)] = (unsigned char)random_roll(256);
        if (!join_bytes(other, bytes.count, 1, &join, &error)) {
            assert_true(error.text[0] != 0);
            left++;
            continue;
        }
        taken++;
        shared_step(&join.shared);
        sim_join_free(&join);
    }
    assert_true(taken > 10 && left > 10);
    free(other);
    free(bytes.bytes);
    sim_recording_free(&script);
    shared_close(&host);
    scene_play_destroy(own);
}

static void cycles_limit_the_right_parameter(void **state)
{
    (void)state;
    Shared host;
    ScenePlay *own;
    Scene scene = hands_scene("timeline=[{key: fluid.buoyancy, values: [[0, 0.1], [0.01, 0.5]]}]");
    const int sweeps = scene.def.params.sweeps, cycles = scene.def.params.cycles;
    start(&host, &scene, &own, 1);
    shared_step(&host);
    assert_int_equal(billow_params(host.driver.sim).cycles, cycles);
    apply(&host, &(SimCommand){SIM_CYCLES, .count = 3});
    shared_step(&host);
    assert_true(billow_params(host.driver.sim).buoyancy == 0.5f); /* as the timeline says */
    assert_int_equal(billow_params(host.driver.sim).cycles, 3);
    assert_int_equal(billow_params(host.driver.sim).sweeps, sweeps);
    host.def.params.pressure = BILLOW_RELAXATION;
    host.driver.play = NULL;
    shared_step(&host);
    assert_int_equal(billow_params(host.driver.sim).cycles, cycles);
    assert_int_equal(billow_params(host.driver.sim).sweeps, 3);
    shared_close(&host);
    scene_play_destroy(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joined_simulation_continues_alike),
        cmocka_unit_test(a_thrown_solid_glides_on),
        cmocka_unit_test(shapes_travel),
        cmocka_unit_test(meshes_travel),
        cmocka_unit_test(replaced_plays_are_destroyed),
        cmocka_unit_test(a_dropped_timeline_stays_dropped),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(random_damage_harms_nothing),
        cmocka_unit_test(cycles_limit_the_right_parameter),
    };
    return cmocka_run_group_tests_name("sim_join", tests, NULL, NULL);
}
