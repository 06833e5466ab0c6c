/* SPDX-License-Identifier: MIT
 * Turns and recordings of hands: what is written is read again to the bit, and nothing else is
 * taken. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/words.h"
#include "gltf_fixture.h"
#include "hands_fixture.h"
#include "play/replay_file.h"
#include "play/turn.h"
#include "scene/scene_write.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static BillowEmitter some_emitter(void)
{
    BillowEmitter emitter = billow_default_emitter();
    emitter.shape = BILLOW_BOX;
    emitter.center[1] = 0.123f;
    emitter.seed = 77;
    emitter.end = 3.25;
    return emitter;
}

static void fill(SimRecording *recording)
{
    static Scene changed;
    changed = hands_scene("fluid.buoyancy=9");
    BillowForce force = billow_default_force();
    force.kind = BILLOW_VORTEX;
    force.velocity[1] = 1;
    const SimSettings settings = {.scene = &changed};
    const SimCommand commands[] = {
        {SIM_RESET, 0, .on = false},
        {SIM_SETTINGS, 0, .settings = (SimSettings *)&settings},
        {SIM_BRUSH, 7, .emitter = some_emitter()},
        {SIM_PUSH, 2, .force = force},
        {SIM_BRUSH_END, 2, .on = false},
        {SIM_DETONATE, 1, .emitter = some_emitter()},
        {SIM_GRAB, 3, .grab = {0, {0.3f, -2, 1e5f}}},
        {SIM_LET_GO, 3, .on = false},
        {SIM_CYCLES, 0, .count = 3},
        {SIM_BRUSH_STEPS, 0, .value = 2.5},
    };
    *recording = (SimRecording){.steps = 90};
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) /* two in a turn */
        sim_recording_add(recording, c / 2 * 7, &commands[c]);
    for (uint64_t step = 0; step <= 80; step += 40) {
        const RenderCamera camera = {{1, 2, 3}, 4, (float)step, -5, 30};
        sim_recording_add_view(recording, step, &camera);
    }
    for (uint64_t step = 30; step <= 90; step += 30)
        sim_recording_add_hash(recording, step, 0x0123456789abcdefu * step);
    assert_false(recording->ended);
}

static void assert_same_emitter(const BillowEmitter *a, const BillowEmitter *b)
{
    int count;
    const BillowParameter *rows = billow_parameters(BILLOW_TABLE_EMITTER, &count);
    for (int r = 0; r < count; r++) {
        size_t size = rows[r].type == BILLOW_TYPE_DOUBLE ? 8 : 4;
        assert_memory_equal((const char *)a + rows[r].offset, (const char *)b + rows[r].offset,
                            size);
    }
}

static void assert_same_command(const SimCommand *a, const SimCommand *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->hand, b->hand);
    if (a->kind == SIM_BRUSH || a->kind == SIM_DETONATE)
        assert_same_emitter(&a->emitter, &b->emitter);
    if (a->kind == SIM_PUSH)
        assert_true(a->force.kind == b->force.kind && a->force.velocity[1] == 1 &&
                    b->force.velocity[1] == 1 && a->force.end == b->force.end);
    if (a->kind == SIM_GRAB)
        assert_memory_equal(&a->grab, &b->grab, sizeof a->grab);
    if (a->kind == SIM_CYCLES)
        assert_int_equal(a->count, b->count);
    if (a->kind == SIM_BRUSH_STEPS)
        assert_true(a->value == b->value);
    if (a->kind == SIM_SETTINGS)
        assert_int_equal(scene_difference(a->settings->scene, b->settings->scene).effects &
                             ~(unsigned)SCENE_EFFECT_NAME,
                         0);
}

static char folder[] = "/tmp/billow-turn-XXXXXX";
static char path[64];

/* The bytes of a file with every kind of command. */
static size_t sample(unsigned char *bytes, size_t room)
{
    SimRecording recording;
    BillowError error = {{0}};
    Scene scene = hands_scene(NULL);
    fill(&recording);
    if (!replay_file_write(path, &scene, NULL, &recording, false, &error))
        fail_msg("%s", error.text);
    sim_recording_free(&recording);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t count = fread(bytes, 1, room, stream);
    fclose(stream);
    assert_in_range(count, 100, room - 1);
    return count;
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16];
    static ReplayFile file;
    SimRecording wanted;
    BillowError error = {{0}};
    sample(bytes, sizeof bytes);
    fill(&wanted);
    assert_true(replay_file_is_one(path));
    if (!replay_file_read(path, &file, &error))
        fail_msg("%s", error.text);
    const Scene scene = hands_scene(NULL);
    assert_int_equal(scene_difference(&scene, &file.scene).effects & ~(unsigned)SCENE_EFFECT_NAME,
                     0);
    assert_int_equal(file.recording.count, wanted.count);
    assert_int_equal(file.recording.steps, 90);
    assert_true(file.recording.paced);
    for (int c = 0; c < wanted.count; c++) {
        assert_int_equal(file.recording.commands[c].step, wanted.commands[c].step);
        assert_same_command(&file.recording.commands[c].command, &wanted.commands[c].command);
    }
    assert_int_equal(file.recording.hash_count, 3);
    assert_memory_equal(file.recording.hashes, wanted.hashes, 3 * sizeof *wanted.hashes);
    assert_int_equal(file.recording.view_count, 3);
    for (int v = 0; v < 3; v++)
        assert_true(file.recording.views[v].step == wanted.views[v].step &&
                    memcmp(&file.recording.views[v].camera, &wanted.views[v].camera,
                           sizeof wanted.views[v].camera) == 0);
    assert_true(sim_recording_view(&file.recording, 0)->azimuth == 0);
    assert_true(sim_recording_view(&file.recording, 79)->azimuth == 40);
    assert_true(sim_recording_view(&file.recording, 500)->azimuth == 80);
    sim_recording_free(&file.recording);
    sim_recording_free(&wanted);
}

/* Another grid leaves what hands do, also in later settings, and nothing that was measured. */
static void another_grid_keeps_the_hands(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16];
    static ReplayFile file;
    BillowError error = {{0}};
    bool same;
    sample(bytes, sizeof bytes);
    assert_true(replay_file_read(path, &file, &error));
    const int count = file.recording.count;
    const char *const light[] = {"camera.azimuth=12"};
    SceneRequest request = {.overrides = light, .override_count = 1};
    assert_int_equal(file.recording.view_count, 3);
    assert_true(replay_file_change(&file, &request, &same, &error) && same);
    assert_int_equal(file.recording.view_count, 0); /* that camera instead */
    assert_int_equal(file.recording.count, count);
    assert_int_equal(file.recording.hash_count, 3);
    request = (SceneRequest){.grid = "24"};
    if (!replay_file_change(&file, &request, &same, &error))
        fail_msg("%s", error.text);
    assert_false(same);
    assert_false(file.recording.paced);
    assert_int_equal(file.recording.hash_count, 0);
    assert_int_equal(file.recording.count, count - 1); /* without SIM_CYCLES */
    const Scene *later = file.recording.commands[1].command.settings->scene;
    assert_int_equal(scene_def(&file.scene).ny, 24);
    assert_int_equal(scene_def(later).ny, 24);
    assert_true(later->def.params.buoyancy == 9);
    request = (SceneRequest){.grid = "none"};
    assert_false(replay_file_change(&file, &request, &same, &error));
    replay_file_free(&file);
}

static bool parses(const unsigned char *bytes, size_t count)
{
    static ReplayFile file;
    BillowError error = {{0}};
    if (!replay_file_parse(bytes, count, &file, &error)) {
        assert_true(error.text[0] != 0);
        return false;
    }
    sim_recording_free(&file.recording);
    return true;
}

static void damage_is_found(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16], other[1 << 16];
    size_t count = sample(bytes, sizeof bytes);
    assert_true(parses(bytes, count));
    for (size_t at = 0; at < count; at++) {
        memcpy(other, bytes, count);
        other[at] ^= (unsigned char)(1 << at % 8);
        assert_false(parses(other, count));
        assert_false(parses(bytes, at));
        if (at < 4)
            continue;
        memcpy(other, bytes, count); /* cut off, with a right checksum */
        put32(other + at - 4, (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, at - 4));
        assert_false(parses(other, at));
    }
}

/* Replaces the checksum, and checks that the bytes are refused for a reason. */
static void assert_refused(unsigned char *bytes, size_t count, const char *why)
{
    static ReplayFile file;
    BillowError error = {{0}};
    put32(bytes + count - 4, (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, count - 4));
    assert_false(replay_file_parse(bytes, count, &file, &error));
    if (strstr(error.text, why) == NULL)
        fail_msg("%s, not %s", error.text, why);
}

/* The file ends with three hashes of a step and a hash, 8 bytes each, and the checksum. */
static void what_is_no_recording_is_named(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16], other[1 << 16];
    static ReplayFile file;
    BillowError error = {{0}};
    size_t count = sample(bytes, sizeof bytes);
    memcpy(other, bytes, count);
    other[count / 2] ^= 1;
    assert_false(replay_file_parse(other, count, &file, &error));
    assert_non_null(strstr(error.text, "it is damaged: its checksum is wrong"));
    assert_false(replay_file_parse((const unsigned char *)"PNG picture, or so", 18, &file, &error));
    assert_non_null(strstr(error.text, "this is no recording of hands"));
    memcpy(other, bytes, count);
    put32(other + 8, 7);
    assert_refused(other, count, "version 7 of the format, and this program reads version 4");
    memcpy(other, bytes, count);
    memset(other + count - 4, 0, 8);
    assert_refused(other, count + 4, "something follows its end");
    assert_refused(other, count - 20, "it ends early");
    memcpy(other, bytes, count);
    memset(other + count - 4 - 16, 0, 8); /* the step of the last hash */
    assert_refused(other, count, "a hash of step 0, which is out of order");
}

/* Before the hashes are three views of a step and seven floats. */
static void wrong_views_are_refused(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16], other[1 << 16];
    size_t count = sample(bytes, sizeof bytes), end = count - 4 - 3 * 16 - 4;
    memcpy(other, bytes, count);
    put32(other + end - 4, 0x7fc00000u); /* the field of view is not a number */
    assert_refused(other, count, "a camera is out of range or out of order");
    memcpy(other, bytes, count);
    put32(other + end - 36, 40); /* twice after the same step */
    assert_refused(other, count, "a camera is out of range or out of order");
}

/* After the version are the lengths of the packed state and of the state, and the packed state. */
static void a_wrong_first_state_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 12], other[1 << 12];
    SimRecording recording = {.steps = 1, .start_bytes = 500};
    BillowError error = {{0}};
    Scene scene = hands_scene(NULL);
    recording.start = calloc(1, recording.start_bytes);
    assert_true(replay_file_write(path, &scene, NULL, &recording, false, &error));
    sim_recording_free(&recording);
    FILE *stream = fopen(path, "rb");
    size_t count = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    memcpy(other, bytes, count);
    assert_refused(other, count, "this is no simulation to join");
    put32(other + 12, 5000); /* more bytes than there are */
    assert_refused(other, count, "the length of its first state is out of range");
    memcpy(other, bytes, count);
    put32(other + 20, 1000000); /* more than the packed bytes can hold */
    assert_refused(other, count, "the length of its first state is out of range");
    memcpy(other, bytes, count);
    put32(other + 20, 499);
    assert_refused(other, count, "its first state is damaged");
}

/* Sessions order when a simulation steps; recordings do not. */
static void recordings_do_not_pause(void **state)
{
    (void)state;
    static ReplayFile file;
    BillowError error = {{0}};
    Scene scene = hands_scene(NULL);
    SimRecording recording = {.steps = 1};
    sim_recording_add(&recording, 0, &(SimCommand){SIM_PAUSE, .on = true});
    if (!replay_file_write(path, &scene, NULL, &recording, false, &error))
        fail_msg("%s", error.text);
    assert_false(replay_file_read(path, &file, &error));
    assert_non_null(
        strstr(error.text, "it contains a pause, a step or a speed, which no recording does"));
    sim_recording_free(&recording);
}

static void what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    BillowEmitter nan = some_emitter(), huge = some_emitter(), turned = some_emitter(),
                  mesh = some_emitter();
    BillowForce force = billow_default_force();
    Scene apart = hands_scene(NULL);
    snprintf(apart.initial.vdb, sizeof apart.initial.vdb, "/etc/passwd");
    const SimSettings reads = {.scene = &apart}, none = {.scene = NULL};
    nan.center[2] = NAN;
    huge.smoke = 1e30f;
    turned.rotation[3] = 5;
    mesh.shape = BILLOW_VOLUME;
    force.strength = -INFINITY;
    const struct {
        SimCommand command;
        const char *why;
    } refused[] = {
        {{SIM_BRUSH, 0, .emitter = nan}, "center is out of range"},
        {{SIM_DETONATE, 0, .emitter = huge}, "smoke is out of range"},
        {{SIM_BRUSH, 0, .emitter = turned}, "an emitter's rotation has not the length 1"},
        {{SIM_BRUSH, 0, .emitter = mesh}, "an emitter of a hand has a mesh"},
        {{SIM_BRUSH, SIM_HANDS_MAX, .emitter = some_emitter()}, "there is no hand 8"},
        {{SIM_BRUSH_END, -1, .on = false}, "there is no hand -1"},
        {{SIM_PUSH, 0, .force = force}, "strength is out of range"},
        {{SIM_GRAB, 0, .grab = {-1, {0, 0, 0}}}, "a solid is grabbed out of range"},
        {{SIM_GRAB, 0, .grab = {BILLOW_SOLIDS_MAX, {0, 0, 0}}}, "a solid is grabbed out of range"},
        {{SIM_GRAB, 0, .grab = {0, {0, NAN, 0}}}, "a solid is grabbed out of range"},
        {{SIM_CYCLES, 0, .count = -1}, "the number of cycles is out of range"},
        {{SIM_BRUSH_STEPS, 0, .value = 1e9}, "the rate of the brush is out of range"},
        {{SIM_BRUSH_STEPS, 0, .value = NAN}, "the rate of the brush is out of range"},
        {{SIM_SETTINGS, 0, .settings = (SimSettings *)&reads},
         "the scene needs the file /etc/passwd"},
        {{SIM_SETTINGS, 0, .settings = (SimSettings *)&none}, "settings without a scene"},
        {{SIM_SPEED, 0, .value = 100}, "the speed is out of range"},
        {{SIM_REWIND, 0, .on = true}, "is not part of a turn"},
        {{SIM_QUIT, 0, .on = true}, "is not part of a turn"},
    };
    for (size_t c = 0; c < sizeof refused / sizeof refused[0]; c++) {
        BillowError error = {{0}};
        if (turn_takes(&refused[c].command, &error))
            fail_msg("command %d was taken", (int)c);
        if (strstr(error.text, refused[c].why) == NULL)
            fail_msg("command %d: %s, not %s", (int)c, error.text, refused[c].why);
        TurnBytes bytes = {NULL, 0, 0, false};
        const SimRecorded entry = {0, refused[c].command};
        turn_write(&bytes, &entry, 1);
        assert_true(bytes.failed);
        free(bytes.bytes);
    }
}

/* A scene that needs files besides its shapes is not written, and one that names files elsewhere is
 * not read. */
static void a_recording_reads_no_other_file(void **state)
{
    (void)state;
    BillowError error = {{0}};
    SimRecording recording = {.steps = 0};
    Scene scene = hands_scene(NULL);
    snprintf(scene.solid_forms[0].mesh, sizeof scene.solid_forms[0].mesh, "/etc/a_%%04d.obj");
    assert_false(replay_file_write(path, &scene, NULL, &recording, false, &error));
    assert_non_null(strstr(error.text, "the scene needs the file /etc/a_%04d.obj; hands are "
                                       "recorded in scenes without moving meshes"));
    static const char reads[] = "title: t\nsolids: [{mesh: /etc/passwd, size: 0.1}]\n";
    TurnBytes bytes = {NULL, 0, 0, false};
    turn_put32(&bytes, (uint32_t)strlen(reads));
    turn_put(&bytes, reads, strlen(reads));
    TurnReader from = {bytes.bytes, bytes.count, 0};
    assert_false(turn_get_scene(&from, &scene, &error));
    assert_non_null(strstr(error.text, "the scene names the file /etc/passwd"));
    free(bytes.bytes);
}

/* Whether a mesh moves can be seen only in its file, which is not opened. */
static void no_file_is_looked_at(void **state)
{
    (void)state;
    BillowError error = {{0}};
    Scene scene;
    char name[96], reads[256];
    snprintf(name, sizeof name, "%s/cube.glb", folder);
    write_cube(name, CUBE_ROLLS);
    snprintf(reads, sizeof reads, "title: t\nsolids: [{mesh: %s, size: 0.1}]\n", name);
    assert_true(scene_parse_apart("t", reads, strlen(reads), &scene, &error) &&
                scene.solid_forms[0].moves);
    assert_true(scene_parse_sealed("t", reads, strlen(reads), &scene, &error));
    assert_false(scene.solid_forms[0].moves);
    TurnBytes bytes = {NULL, 0, 0, false};
    turn_put32(&bytes, (uint32_t)strlen(reads));
    turn_put(&bytes, reads, strlen(reads));
    TurnReader from = {bytes.bytes, bytes.count, 0};
    assert_false(turn_get_scene(&from, &scene, &error));
    assert_non_null(strstr(error.text, "the scene names the file /tmp/"));
    unlink(name);
    free(bytes.bytes);
}

/* A mesh is written with its shape, and without its folder. */
static void shapes_are_in_the_recording(void **state)
{
    (void)state;
    static ReplayFile file;
    static SceneShape shapes[SCENE_SHAPES];
    static const float distance[8] = {1, 2, 3, 4, 5, 6, 7, -8};
    BillowError error = {{0}};
    SimRecording recording = {.steps = 3};
    Scene scene = hands_scene(NULL), other;
    const int entry = BILLOW_EMITTERS_MAX;
    scene.def.solids[0].shape = BILLOW_VOLUME;
    snprintf(scene.solid_forms[0].mesh, sizeof scene.solid_forms[0].mesh, "/home/me/ball.obj");
    shapes[entry] = (SceneShape){0.15f, 0.1f, {.nx = 2, .ny = 2, .nz = 2, .spacing = 1}};
    shapes[entry].volume.distance = distance;
    if (!replay_file_write(path, &scene, shapes, &recording, false, &error) ||
        !replay_file_read(path, &file, &error))
        fail_msg("%s", error.text);
    assert_string_equal(file.scene.solid_forms[0].mesh, TURN_FOLDER "ball.obj");
    assert_memory_equal(file.shapes[entry].volume.distance, distance, sizeof distance);
    assert_true(file.shapes[entry].size == 0.15f);
    replay_file_free(&file);
    other = scene;
    assert_true(turn_keeps_shapes(&scene, &other, &error));
    other.def.solids[0].size[0] = 0.2f;
    assert_false(turn_keeps_shapes(&scene, &other, &error));
    assert_non_null(strstr(error.text, "the shape of solids[0] changes"));
}

static void settings_suit_the_simulation(void **state)
{
    (void)state;
    static const char *const sets[] = {"domain.cells=16", "fluid.fire=true"};
    const Scene first = hands_scene(NULL);
    Scene after;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        BillowError error = {{0}};
        SimRecording recording = {.steps = 0};
        TurnBytes bytes = {NULL, 0, 0, false};
        after = hands_scene(sets[s]);
        const SimSettings settings = {.scene = &after};
        const SimRecorded entry = {0, {SIM_SETTINGS, 0, .settings = (SimSettings *)&settings}};
        turn_write(&bytes, &entry, 1);
        TurnReader from = {bytes.bytes, bytes.count, 0};
        const Scene *scene = &first;
        assert_false(turn_read(&from, &recording, &scene, &error));
        assert_ptr_equal(scene, &first);
        assert_non_null(strstr(error.text, "which needs a new simulation"));
        free(bytes.bytes);
        sim_recording_free(&recording);
    }
}

/* A change of the format raises TURN_VERSION and REPLAY_FILE_VERSION. */
static void the_format_stays(void **state)
{
    (void)state;
    TurnBytes bytes = {NULL, 0, 0, false};
    const SimRecorded entries[] = {
        {5, {SIM_BRUSH, 1, .emitter = some_emitter()}},
        {5, {SIM_PUSH, 0, .force = billow_default_force()}},
        {5, {SIM_GRAB, 0, .grab = {1, {1, 2, 3}}}},
    };
    turn_write(&bytes, entries, 3);
    assert_false(bytes.failed);
    assert_int_equal(TURN_VERSION, 2);
    assert_int_equal(bytes.count, 238);
    assert_int_equal(crc32_z(crc32_z(0, NULL, 0), bytes.bytes, bytes.count), 0xe702913c);
    free(bytes.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(another_grid_keeps_the_hands),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(what_is_no_recording_is_named),
        cmocka_unit_test(wrong_views_are_refused),
        cmocka_unit_test(a_wrong_first_state_is_refused),
        cmocka_unit_test(recordings_do_not_pause),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(a_recording_reads_no_other_file),
        cmocka_unit_test(no_file_is_looked_at),
        cmocka_unit_test(shapes_are_in_the_recording),
        cmocka_unit_test(settings_suit_the_simulation),
        cmocka_unit_test(the_format_stays),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/r", folder);
    int failed = cmocka_run_group_tests_name("turn", tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
