/* SPDX-License-Identifier: MIT
 * Videos written by a thread: order and orientation of frames, a full queue, the end of the video,
 * and an encoder that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/recording.h"
#include "app/session.h"
#include <SDL.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 64, HEIGHT = 48, MANY = 300 };

static const VideoForm form = {.width = WIDTH, .height = HEIGHT, .fps = 25, .quick = true};

static int enter_folder(void **state)
{
    char template[] = "/tmp/billow-test-recorder-XXXXXX";
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

/* Brightness in the middle of the upper and of the lower half, of each frame; how many there are.
 */
static int decode(const char *path, int upper[], int lower[], int most)
{
    static uint8_t pixels[WIDTH * HEIGHT];
    char line[256];
    int frames = 0;
    snprintf(line, sizeof line, "ffmpeg -v error -i %s -f rawvideo -pix_fmt gray -", path);
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    while (fread(pixels, 1, sizeof pixels, stream) == sizeof pixels && frames < most) {
        upper[frames] = pixels[HEIGHT / 4 * WIDTH + WIDTH / 2];
        lower[frames++] = pixels[3 * HEIGHT / 4 * WIDTH + WIDTH / 2];
    }
    assert_int_equal(pclose(stream), 0);
    return frames;
}

/* Grey above and black below; rows from the bottom. False where there was no room. */
static bool give(Recorder *recorder, int grey)
{
    uint8_t *room = recorder_room(recorder);
    if (room == NULL)
        return false;
    memset(room, 0, HEIGHT / 2 * WIDTH * 3);
    memset(room + HEIGHT / 2 * WIDTH * 3, grey, HEIGHT / 2 * WIDTH * 3);
    recorder_submit(recorder);
    return true;
}

static void test_frames(void **state)
{
    (void)state;
    BillowError error = {{0}};
    int upper[MANY], lower[MANY];
    Recorder *recorder = recorder_start("a.mp4", &form, &error);
    if (recorder == NULL)
        fail_msg("%s", error.text);
    assert_true(give(recorder, 40));
    SDL_Delay(300); /* now the queue is likely empty */
    assert_true(give(recorder, 120));
    assert_true(give(recorder, 220));
    recorder_end(recorder);
    while (recorder_state(recorder, &error) == RECORDER_WRITING)
        SDL_Delay(10);
    assert_int_equal(recorder_state(recorder, &error), RECORDER_DONE);
    recorder_destroy(recorder);
    assert_int_equal(decode("a.mp4", upper, lower, MANY), 3);
    for (int frame = 0; frame < 3; frame++) {
        const int wanted[] = {40, 120, 220};
        assert_true(abs(upper[frame] - wanted[frame]) < 12);
        assert_true(lower[frame] < 12);
    }
}

/* Frames come as fast as possible. If the queue is full, the caller waits, and no frame is lost. */
static void test_full_queue(void **state)
{
    (void)state;
    BillowError error = {{0}};
    int upper[MANY], lower[MANY];
    Recorder *recorder = recorder_start("a.mp4", &form, &error);
    assert_non_null(recorder);
    for (int frame = 0; frame < MANY; frame++)
        while (!give(recorder, frame * 200 / MANY))
            SDL_Delay(1);
    assert_int_equal(recorder_wait(recorder, &error), RECORDER_DONE);
    recorder_destroy(recorder);
    assert_int_equal(decode("a.mp4", upper, lower, MANY), MANY);
    for (int frame = 1; frame < MANY; frame++)
        assert_true(upper[frame] > upper[frame - 1] - 6);
}

static void test_failures(void **state)
{
    (void)state;
    BillowError error = {{0}};
    assert_null(recorder_start("none/a.mp4", &form, &error));
    assert_non_null(strstr(error.text, "no folder none/"));
    /* The encoder refuses, and drawing continues. */
    VideoForm odd = form;
    odd.width = WIDTH - 1;
    Recorder *recorder = recorder_start("a.mp4", &odd, &error);
    assert_non_null(recorder);
    for (int frame = 0; frame < MANY; frame++)
        if (recorder_room(recorder) != NULL)
            recorder_submit(recorder);
    recorder_end(recorder);
    while (recorder_state(recorder, &error) == RECORDER_WRITING)
        SDL_Delay(10);
    assert_int_equal(recorder_state(recorder, &error), RECORDER_FAILED);
    assert_non_null(strstr(error.text, "ffmpeg could not write it"));
    recorder_destroy(recorder);
    recorder = recorder_start("a.mp4", &form, &error);
    assert_non_null(recorder);
    recorder_destroy(recorder); /* with no frame there is no file */
    assert_int_not_equal(access("a.mp4", F_OK), 0);
    recorder_destroy(NULL);
    /* In the window, where no other file can be asked for. */
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    assert_null(recorder_start("a.mp4", &form, &error));
    assert_string_equal(error.text, "a.mp4: ffmpeg, which makes videos, cannot be started: it is "
                                    "not in PATH; install it");
    setenv("PATH", path, 1);
    free(path);
}

/* A window that closes while it records waits for the file, and does not hide what became of it. */
static void test_the_end_of_the_window(void **state)
{
    (void)state;
    Session *session = calloc(1, sizeof *session);
    Recording *recording = &session->recording;
    BillowError error = {{0}};
    int upper[MANY], lower[MANY];
    assert_non_null(session);
    assert_true(recording_close(session, &error)); /* nothing was recorded */
    recording->recorder = recorder_start("a.mp4", &form, &error);
    assert_non_null(recording->recorder);
    recording->frames = 1;
    assert_true(give(recording->recorder, 90));
    assert_true(recording_close(session, &error) && recording->recorder == NULL);
    assert_int_equal(decode("a.mp4", upper, lower, MANY), 1);
    recording->frames = 0;
    recording->recorder = recorder_start("c.mp4", &form, &error);
    assert_non_null(recording->recorder);
    assert_true(recording_close(session, &error)); /* a video without a frame loses none */
    assert_int_not_equal(access("c.mp4", F_OK), 0);
    VideoForm odd = form;
    odd.width = WIDTH - 1;
    recording->recorder = recorder_start("b.mp4", &odd, &error);
    assert_non_null(recording->recorder);
    assert_non_null(recorder_room(recording->recorder));
    recorder_submit(recording->recorder);
    recording->frames = 1;
    assert_false(recording_close(session, &error));
    assert_non_null(strstr(error.text, "ffmpeg could not write it"));
    assert_null(recording->recorder);
    assert_int_not_equal(access("b.mp4", F_OK), 0);
    free(session);
}

#ifdef __linux__
/* Number of frames for which there is memory; negative: there is no limit. */
static int spare = -1;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    if (size != 3 * WIDTH * HEIGHT || spare < 0)
        return __real_malloc(size);
    return spare == 0 ? NULL : (spare--, __real_malloc(size));
}

/* Memory fails after some frames. A recording needs three: two in the queue, and one for the rows
 * in reverse order. */
static void test_little_memory(void **state)
{
    (void)state;
    BillowError error = {{0}};
    int upper[MANY], lower[MANY];
    for (int frames = 0; frames <= 3; frames++) {
        spare = frames;
        Recorder *recorder = recorder_start("a.mp4", &form, &error);
        spare = -1;
        if (frames < 3) {
            assert_null(recorder);
            assert_string_equal(error.text, "no memory to record 64x48 pixels");
            continue;
        }
        assert_non_null(recorder);
        for (int frame = 0; frame < 5; frame++)
            while (!give(recorder, 90))
                SDL_Delay(1);
        assert_int_equal(recorder_wait(recorder, &error), RECORDER_DONE);
        recorder_destroy(recorder);
        assert_int_equal(decode("a.mp4", upper, lower, MANY), 5);
    }
}
#endif

static void test_names_count_up(void **state)
{
    (void)state;
    BillowError error = {{0}};
    char name[64], path[64];
    const CaptureName of = {".", "billow-", "a b/c", 1, ".mp4", "videos of"};
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
    const CaptureName of = {".", "", "s", 1, ".png", "screenshots of"};
    for (int number = 1; number <= 9999; number++) {
        snprintf(path, sizeof path, "s-%d.png", number);
        put_empty(path);
    }
    assert_false(capture_name(&of, name, sizeof name, path, sizeof path, &error));
    assert_string_equal(error.text,
                        ". already holds 9999 screenshots of s; move some to another folder");
    memset(folder, 'f', sizeof folder - 1);
    folder[sizeof folder - 1] = 0;
    const CaptureName far = {folder, "", "s", 1, ".png", "screenshots of"};
    assert_false(capture_name(&far, name, sizeof name, path, sizeof path, &error));
    assert_non_null(strstr(error.text, "fff...: the folder's name is too long"));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        TEST(test_frames),         TEST(test_full_queue),
        TEST(test_failures),       TEST(test_the_end_of_the_window),
        TEST(test_names_count_up), TEST(test_names_that_run_out),
#ifdef __linux__
        TEST(test_little_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
