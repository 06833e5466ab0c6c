/* SPDX-License-Identifier: MIT
 * `billow render --replay`: what hands did is drawn without a window, on the recorded cells with
 * the recorded hashes, on others with the same hands at the same times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/scene_start.h"
#include "cli_harness.h"
#include "hands_fixture.h"
#include "play/replay_file.h"
#include "png_fixture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

#define BILLOW "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER \"$BILLOW\" render "
#define SMALL  "--size 64x48 --fps 20 "

enum { STEPS = 75 };

static const char text[] = "title: t\n"
                           "domain: {size: [1, 1.5, 1], cells: 16,\n"
                           "         faces: {left: open, right: open, ceiling: open}}\n"
                           "time: {step: 0.02}\n"
                           "solids:\n"
                           "  - {shape: sphere, center: [0.5, 1.2, 0.5], size: 0.15,\n"
                           "     motion: falling}\n"
                           "  - {shape: box, center: [0.2, 0.3, 0.5], size: 0.08}\n"
                           "emitters: [{center: [0.5, 0.2, 0.5], size: 0.1}]\n";

static Scene table(void)
{
    Scene scene;
    BillowError error = {{0}};
    if (!scene_parse("t", text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

/* -- recording --------------------------------------------------------------------------------- */

typedef struct Played {
    Scene scene;
    SceneDriver driver;
    ReplayRun run;
} Played;

static void open_played(Played *played, const SimRecording *recording, int threads)
{
    BillowError error = {{0}};
    played->scene = table();
    BillowDef def = scene_def(&played->scene);
    def.threads = threads;
    if (!scene_driver_create(&played->driver, &played->scene, &def, NULL, &error) ||
        !replay_run_open(&played->run, recording, &played->scene, &def, &played->driver, NULL, &error))
        fail_msg("%s", error.text);
}

static void close_played(Played *played)
{
    replay_run_close(&played->run);
    scene_driver_destroy(&played->driver);
}

/* A script with the hashes of its states. */
static SimRecording record(uint32_t seed)
{
    static Played played;
    BillowError error = {{0}};
    const Scene scene = table();
    SimRecording script = random_script(&scene, seed, STEPS);
    script.steps = STEPS;
    open_played(&played, &script, 1);
    while (replay_run_step(&played.run, 1e9, &error))
        if (played.run.steps % SIM_HASH_STEPS == 0 || played.run.steps == STEPS)
            sim_recording_add_hash(&script, played.run.steps, billow_state_hash(played.driver.sim));
    close_played(&played);
    assert_int_equal(script.hash_count, 3);
    return script;
}

static void write_recording(const char *path, const SimRecording *recording)
{
    BillowError error = {{0}};
    const Scene scene = table();
    if (!replay_file_write(path, &scene, NULL, recording, false, &error))
        fail_msg("%s", error.text);
}

static Image picture(const char *path)
{
    Image image;
    BillowError error;
    if (!png_read(&image, path, &error))
        fail_msg("%s", error.text);
    return image;
}

static int largest_difference(const char *one, const char *other)
{
    Image a = picture(one), b = picture(other);
    int largest = 0;
    assert_true(a.width == b.width && a.height == b.height && a.channels == b.channels);
    for (int p = 0; p < a.width * a.height * a.channels; p++)
        largest =
            abs(a.pixels[p] - b.pixels[p]) > largest ? abs(a.pixels[p] - b.pixels[p]) : largest;
    image_destroy(&a);
    image_destroy(&b);
    return largest;
}

/* -- frames ------------------------------------------------------------------------------------ */

/* A frame shows the first step that reaches its time, whatever the lengths of the steps. */
static void frames_show_the_recorded_steps(void **state)
{
    (void)state;
    static Played played;
    BillowError error = {{0}};
    const double fps = 20;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        SimRecording recording = record(seed);
        open_played(&played, &recording, 3);
        int frames = replay_run_frames(&recording, &played.scene, fps);
        for (int frame = 1; frame <= frames; frame++) {
            double last = 0;
            while (replay_run_step(&played.run, frame / fps, &error)) {
                assert_true(last < frame / fps);
                last = played.run.played;
            }
            assert_int_equal(error.text[0], 0);
            assert_true(frame == frames || played.run.played > frame / fps - 1e-4);
        }
        assert_int_equal(played.run.steps, STEPS);
        assert_int_equal(played.run.replay.same, 3);
        assert_int_equal(played.run.replay.differs, 0);
        double seconds = replay_seconds(&recording, &played.scene);
        assert_true(seconds > played.run.played - 1e-9 && seconds < played.run.played + 1e-9);
        close_played(&played);
        sim_recording_free(&recording);
    }
}

static void a_recording_is_drawn(void **state)
{
    (void)state;
    SimRecording recording = record(2);
    write_recording("hands.bwr", &recording);
    cli_expect_done(&run, "BILLOW_SIMD=sse2 " BILLOW SMALL "--replay hands.bwr --threads 1 "
                          "--out a.png");
    assert_string_equal(run.err, "");
    cli_expect_done(&run, "BILLOW_SIMD=avx2 " BILLOW SMALL "--threads 3 --out b.png hands.bwr");
    assert_string_equal(run.err, "");
    assert_int_equal(largest_difference("a.png", "b.png"), 0);
    cli_expect_done(&run, BILLOW "--replay hands.bwr --fps 10 --size 96x64 --out f_%02d.png");
    const Scene scene = table();
    char last[32], next[32];
    int frames = replay_run_frames(&recording, &scene, 10);
    snprintf(last, sizeof last, "f_%02d.png", frames);
    snprintf(next, sizeof next, "f_%02d.png", frames + 1);
    assert_true(frames >= 13 && cli_file_exists(last) && !cli_file_exists(next));
    cli_expect_done(&run, BILLOW SMALL "--replay hands.bwr --flipbook 3x3 --out sheet.png");
    sim_recording_free(&recording);
    cli_expect_done(&run, "rm *");
}

static void a_difference_is_an_error_at_the_end(void **state)
{
    (void)state;
    SimRecording recording = record(3);
    recording.hashes[1].hash ^= 1;
    write_recording("wrong.bwr", &recording);
    cli_expect_failure(&run, BILLOW SMALL "--replay wrong.bwr --out a.png --quiet", 1,
                       "wrong.bwr: the replay differs from the recording from step 60 on");
    assert_true(cli_file_exists("a.png"));
    sim_recording_free(&recording);
    cli_expect_done(&run, "rm *");
}

/* Runs a line that succeeds with a notice. */
static void expect_notice(const char *line, const char *notice)
{
    cli_run(&run, line);
    if (run.status != 0 || strstr(run.err, notice) == NULL)
        fail_msg("%s: %d, %s", line, run.status, run.err);
}

/* On finer cells hands do the same, and nothing is compared. */
static void other_cells_show_the_strokes(void **state)
{
    (void)state;
    const Scene scene = table();
    SimRecording hands = {.steps = 30, .paced = true}, none = {.steps = 30, .paced = true};
    SimCommand stroke = {SIM_BRUSH, .emitter = scene.brush};
    stroke.emitter.center[0] = 0.8f;
    stroke.emitter.center[1] = 0.9f;
    stroke.emitter.center[2] = 0.5f;
    sim_recording_add(&hands, 2, &stroke);
    sim_recording_add_hash(&hands, 30, 1);
    write_recording("hands.bwr", &hands);
    write_recording("none.bwr", &none);
    expect_notice(BILLOW SMALL "--replay hands.bwr --grid 24 --out a.png",
                  "notice: hands.bwr was recorded at 11x16x11; at 16x24x16 its states are not "
                  "compared");
    cli_expect_done(&run, BILLOW SMALL "--replay none.bwr --grid 24 --out b.png --quiet");
    assert_in_range(largest_difference("a.png", "b.png"), 20, 255);
    expect_notice(BILLOW SMALL "--replay hands.bwr --set fluid.buoyancy=0.02 --out c.png",
                  "notice: hands.bwr was recorded with other values; its states are not compared");
    cli_expect_failure(&run,
                       BILLOW SMALL "--replay hands.bwr --set camera.azimuth=40 --out c.png "
                                    "--force --quiet",
                       1, "differs from the recording from step 30 on");
    sim_recording_free(&hands);
    sim_recording_free(&none);
    cli_expect_done(&run, "rm *");
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    SimRecording recording = record(2);
    write_recording("hands.bwr", &recording);
    cli_expect_failure(&run, BILLOW "plume --replay hands.bwr", 2,
                       "--replay contains its scene and starts at rest: give no SCENE");
    cli_expect_failure(&run, BILLOW "--replay hands.bwr --checkpoint c.bwc", 2,
                       "--replay contains its scene and starts at rest: give no SCENE");
    cli_expect_failure(&run, BILLOW "--replay hands.bwr --camera fit --out a.png", 2,
                       "--camera fit does not go with --replay");
    cli_expect_failure(&run, BILLOW "--replay hands.bwr --frames 1000 --out f_%d.png", 2,
                       "give fewer --frames or an earlier --from");
    cli_expect_failure(&run, BILLOW "--replay none.bwr --out a.png", 1, "none.bwr: No such file");
    assert_int_equal(cli_folder_entries(), 1);
    sim_recording_free(&recording);
    cli_expect_done(&run, "rm *");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_show_the_recorded_steps),
        cmocka_unit_test(a_recording_is_drawn),
        cmocka_unit_test(a_difference_is_an_error_at_the_end),
        cmocka_unit_test(other_cells_show_the_strokes),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests_name("cli_replay", tests, cli_enter_folder, cli_leave_folder);
}
