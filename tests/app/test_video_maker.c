/* SPDX-License-Identifier: MIT
 * Recordings that are written and drawn in a process: its progress, pauses, its end, and what
 * fails. The process is this program, which plays `billow render`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/recording.h"
#include "base/clock.h"
#include "patience.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const VideoForm form = {.width = 64, .height = 48, .fps = 25};

static int enter_folder(void **state)
{
    char template[] = "/tmp/billow-test-videos-XXXXXX";
    char *folder = mkdtemp(template);
    if (folder == NULL || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return *state != NULL ? 0 : -1;
}

static int leave_folder(void **state)
{
    char line[128];
    snprintf(line, sizeof line, "rm -rf '%s'", (char *)*state);
    free(*state);
    return chdir("/") != 0 || system(line) != 0;
}

/* -- the process ------------------------------------------------------------------------------- */

static volatile sig_atomic_t told_to_end;

static void end(int signal)
{
    (void)signal;
    told_to_end = 1;
}

/* Counts the frames of a long video in the file `drawn` until a file `finish` appears or a signal
 * comes, and then writes the video, as the real one does. With a file `fails` it fails. */
static int draw(char **words)
{
    const char *out = NULL;
    for (char **word = words; *word != NULL; word++)
        out = strcmp(*word, "--out") == 0 ? word[1] : out;
    signal(SIGTERM, end);
    if (access("fails", F_OK) == 0) {
        fprintf(stderr, "billow: the smoke is gone\n");
        return 1;
    }
    for (int frame = 1; access("finish", F_OK) != 0 && !told_to_end; frame++) {
        fprintf(stderr, "frame %d of 1000000\n", frame);
        FILE *drawn = fopen("drawn", "w");
        fprintf(drawn, "%d", frame);
        fclose(drawn);
        clock_sleep(0.002);
    }
    FILE *video = fopen(out, "w");
    fprintf(video, "video");
    return fclose(video);
}

/* -- recordings -------------------------------------------------------------------------------- */

static void put_empty(const char *path);

/* Asks for the video of a short recording. */
static void add(VideoMaker *maker, const char *path)
{
    Scene scene;
    BillowError error = {{0}};
    assert_true(scene_load("plume", &scene, &error));
    ReplayRecorder *recorder = replay_recorder_create(path, &scene, NULL, true, &error);
    assert_non_null(recorder);
    recorder->recording.steps = 5;
    if (!video_maker_add(maker, recorder, &form, &error))
        fail_msg("%s", error.text);
}

static void await_message(VideoMaker *maker, const char *wanted)
{
    BillowError said;
    char all[2000] = "";
    for (double until = clock_seconds() + PATIENCE; clock_seconds() < until; clock_sleep(0.002))
        if (video_maker_says(maker, &said)) {
            if (strstr(said.text, wanted) != NULL)
                return;
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", said.text);
        }
    fail_msg("not '%s' but '%s'", wanted, all);
}

static VideoStatus await_frames(VideoMaker *maker, int frames)
{
    for (double until = clock_seconds() + PATIENCE; clock_seconds() < until; clock_sleep(0.002)) {
        const VideoStatus status = video_maker_status(maker);
        if (status.busy && status.done > frames)
            return status;
    }
    fail_msg("%d frames were not drawn", frames);
    return (VideoStatus){false};
}

static void await_rest(VideoMaker *maker)
{
    for (double until = clock_seconds() + PATIENCE; video_maker_status(maker).busy;
         clock_sleep(0.002))
        assert_true(clock_seconds() < until);
}

static int drawn(void)
{
    int frames = 0;
    FILE *file = fopen("drawn", "r");
    if (file != NULL && fscanf(file, "%d", &frames) != 1)
        frames = -1; /* it is being written */
    if (file != NULL)
        fclose(file);
    return frames;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* -- tests ------------------------------------------------------------------------------------- */

static void test_a_recording_becomes_a_video(void **state)
{
    (void)state;
    BillowError error;
    VideoMaker *maker = video_maker_create(&error);
    assert_false(video_maker_status(maker).busy);
    add(maker, "a.bwr");
    add(maker, "b.bwr"); /* waits for the first one */
    await_message(maker, "saved a.bwr; a.mp4 is being drawn from it");
    const VideoStatus status = await_frames(maker, 20);
    assert_int_equal(status.total, 1000000);
    assert_true(status.left > 0);
    for (double until = clock_seconds() + PATIENCE; !exists("b.bwr"); clock_sleep(0.002))
        assert_true(clock_seconds() < until); /* it is written while the other one is drawn */
    assert_true(replay_file_is_one("a.bwr") && replay_file_is_one("b.bwr") && !exists("a.mp4"));
    assert_true(video_maker_holds(maker, "b.bwr") && !video_maker_holds(maker, "c.bwr"));
    put_empty("finish");
    await_message(maker, "saved b.mp4");
    await_rest(maker);
    assert_true(exists("a.mp4") && exists("b.bwr"));
    assert_true(video_maker_close(maker, &error));
}

static void test_a_pause(void **state)
{
    (void)state;
    BillowError error;
    VideoMaker *maker = video_maker_create(&error);
    add(maker, "a.bwr");
    await_frames(maker, 5);
    assert_true(video_maker_pause(maker));
    while (!video_maker_status(maker).paused)
        clock_sleep(0.002);
    clock_sleep(0.1); /* until the process has stopped */
    const int before = drawn();
    clock_sleep(0.2);
    assert_int_equal(drawn(), before);
    const int told = video_maker_status(maker).done;
    assert_false(video_maker_pause(maker));
    await_frames(maker, told + 5);
    put_empty("finish");
    await_message(maker, "saved a.mp4");
    assert_true(video_maker_close(maker, &error));
}

/* Also while it is paused. The recording stays, and no part of a video. */
static void test_a_video_that_is_given_up(void **state)
{
    (void)state;
    BillowError error;
    VideoMaker *maker = video_maker_create(&error);
    for (int paused = 0; paused < 2; paused++) {
        const char *const path = paused ? "b.bwr" : "a.bwr";
        add(maker, path);
        await_frames(maker, 5);
        if (paused)
            video_maker_pause(maker);
        video_maker_give_up(maker);
        await_message(maker, paused ? "b.mp4 is given up; its recording stays: b.bwr"
                                    : "a.mp4 is given up; its recording stays: a.bwr");
        await_rest(maker);
        assert_true(exists(path));
    }
    assert_false(exists("a.mp4") || exists("b.mp4"));
    assert_true(video_maker_close(maker, &error));
}

/* A window that closes writes all recordings, and leaves no part of a video. */
static void test_the_end_of_the_window(void **state)
{
    (void)state;
    BillowError error;
    VideoMaker *maker = video_maker_create(&error);
    assert_true(video_maker_close(NULL, &error));
    add(maker, "a.bwr");
    await_frames(maker, 5);
    add(maker, "b.bwr");
    assert_true(video_maker_close(maker, &error));
    assert_true(replay_file_is_one("a.bwr") && replay_file_is_one("b.bwr"));
    assert_false(exists("a.mp4") || exists("b.mp4"));
    maker = video_maker_create(&error);
    add(maker, "none/c.bwr");
    assert_false(video_maker_close(maker, &error));
    assert_non_null(strstr(error.text, "no folder none/"));
}

static void test_failures(void **state)
{
    (void)state;
    BillowError error;
    VideoMaker *maker = video_maker_create(&error);
    add(maker, "none/a.bwr");
    await_message(maker, "no folder none/");
    put_empty("fails");
    add(maker, "a.bwr");
    await_message(maker, "a.mp4 could not be drawn: billow: the smoke is gone");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    add(maker, "b.bwr");
    await_message(maker, "saved b.bwr; no video: b.webm: ffmpeg, which makes videos, cannot be "
                         "started: it is not in PATH; install it");
    setenv("PATH", path, 1);
    free(path);
    assert_true(exists("a.bwr") && exists("b.bwr"));
    assert_false(video_maker_close(maker, &error)); /* the first one is lost */
}

static void test_names_count_up(void **state)
{
    (void)state;
    BillowError error = {{0}};
    char name[64], path[64];
    const CaptureName of = {".", "billow-", "a b/c", 1, ".mp4", "videos of", NULL, NULL};
    for (int number = 1; number <= 3; number++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "billow-a_b_c-%d.mp4", number);
        assert_true(capture_name(&of, name, sizeof name, path, sizeof path, &error));
        assert_string_equal(name, wanted);
        assert_string_equal(path, wanted);
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fclose(stream);
    }
}

static void put_empty(const char *path)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fclose(stream);
}

static void test_names_that_run_out(void **state)
{
    (void)state;
    BillowError error = {{0}};
    char name[64], path[64], folder[100];
    const CaptureName of = {".", "", "s", 1, ".png", "screenshots of", NULL, NULL};
    for (int number = 1; number <= 9999; number++) {
        snprintf(path, sizeof path, "s-%d.png", number);
        put_empty(path);
    }
    assert_false(capture_name(&of, name, sizeof name, path, sizeof path, &error));
    assert_string_equal(error.text,
                        ". already holds 9999 screenshots of s; move some to another folder");
    memset(folder, 'f', sizeof folder - 1);
    folder[sizeof folder - 1] = 0;
    const CaptureName far = {folder, "", "s", 1, ".png", "screenshots of", NULL, NULL};
    assert_false(capture_name(&far, name, sizeof name, path, sizeof path, &error));
    assert_non_null(strstr(error.text, "fff...: the folder's name is too long"));
}

/* A number is free if the video of its recording could be written, too. */
static void test_names_beside_others(void **state)
{
    (void)state;
    static const char *const others[] = {".mp4", ".webm", NULL};
    BillowError error = {{0}};
    char name[64], path[64];
    const CaptureName of = {".", "billow-", "s", 1, ".bwr", "recordings of", others, NULL};
    put_empty("billow-s-1.webm");
    put_empty("billow-s-2.mp4");
    put_empty("billow-s-3.bwr");
    assert_true(capture_name(&of, name, sizeof name, path, sizeof path, &error));
    assert_string_equal(name, "billow-s-4.bwr");
    /* nor if a recording of that name waits to be written */
    VideoMaker *maker = video_maker_create(&error);
    add(maker, "billow-s-4.bwr");
    const CaptureName held = {".", "billow-", "s", 1, ".bwr", "recordings of", others, maker};
    assert_true(capture_name(&held, name, sizeof name, path, sizeof path, &error));
    assert_string_equal(name, "billow-s-5.bwr");
    assert_true(video_maker_close(maker, &error));
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "render") == 0)
        return draw(words);
    signal(SIGPIPE, SIG_IGN);
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(test_a_recording_becomes_a_video),
        TEST(test_a_pause),
        TEST(test_a_video_that_is_given_up),
        TEST(test_the_end_of_the_window),
        TEST(test_failures),
        TEST(test_names_count_up),
        TEST(test_names_that_run_out),
        TEST(test_names_beside_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
