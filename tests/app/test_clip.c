/* SPDX-License-Identifier: MIT
 * The last seconds of the window: the ring of pictures, and the file that is made of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/session.h"
#include "base/clock.h"
#include "patience.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 48, HEIGHT = 32, PIXELS = WIDTH * HEIGHT };

/* A picture that is grey above and black below, rows of 4 bytes a pixel from the bottom. */
static void add(Clip *clip, int grey, double time)
{
    static uint8_t pixels[4 * PIXELS];
    memset(pixels, 0, sizeof pixels);
    memset(pixels + 2 * PIXELS, grey, 2 * PIXELS);
    clip_add(clip, WIDTH, HEIGHT, pixels, time);
}

static void test_the_ring(void **state)
{
    (void)state;
    Clip clip = {.width = 0};
    assert_null(clip_at(&clip, 1));
    for (int n = 0; n < 2 * CLIP_FRAMES; n++)
        add(&clip, n, 0.1 * n);
    assert_int_equal(clip.count, CLIP_FRAMES);
    assert_int_equal(clip_at(&clip, 1e9)[0], 2 * CLIP_FRAMES - 1);
    assert_int_equal(clip_at(&clip, 1e9)[3 * PIXELS - 1], 0); /* the lower half */
    assert_int_equal(clip_at(&clip, 0.1 * (CLIP_FRAMES + 7) + 0.05)[0], CLIP_FRAMES + 7);
    assert_int_equal(clip_at(&clip, 0)[0], CLIP_FRAMES); /* the oldest one */
    uint8_t other[4 * 4] = {9, 9, 9, 9};
    clip_add(&clip, 2, 2, other, 1e3);
    assert_int_equal(clip.count, 1);
    free(clip.pixels);
}

/* Grey in the upper half of each picture of a file; how many there are. */
static int decode(const char *path, int grey[], int most)
{
    static uint8_t pixels[PIXELS];
    char line[256];
    int frames = 0;
    snprintf(line, sizeof line, "ffmpeg -v error -i %s -f rawvideo -pix_fmt gray -", path);
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    while (fread(pixels, 1, sizeof pixels, stream) == sizeof pixels && frames < most)
        grey[frames++] = pixels[HEIGHT / 4 * WIDTH + WIDTH / 2];
    assert_int_equal(pclose(stream), 0);
    return frames;
}

static void save(Session *session)
{
    clip_save(session);
    for (double until = clock_seconds() + PATIENCE; session->clip.job != NULL; clock_sleep(0.002)) {
        assert_true(clock_seconds() < until);
        clip_poll(session);
    }
}

/* Pictures that came at any times are shown at these, over the last five seconds. */
static void test_the_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow-test-clip-XXXXXX", path[64];
    const AppOptions options = {.capture_folder = mkdtemp(folder)};
    Session *session = calloc(1, sizeof *session);
    int grey[200];
    assert_non_null(session);
    session->options = &options;
    snprintf(session->world.scene.name, sizeof session->world.scene.name, "s");
    clip_save(session);
    assert_string_equal(session->texts.message, "there is nothing to save yet");
    add(&session->clip, 10, 1); /* longer ago */
    add(&session->clip, 60, 10);
    add(&session->clip, 120, 12.5);
    add(&session->clip, 240, 15);
    clip_save(session);
    assert_string_equal(session->texts.message, "saving the last 5 s");
    clip_save(session);
    assert_string_equal(session->texts.message, "s-1.gif is still being saved");
    save(session);
    assert_string_equal(session->texts.message, "saved s-1.gif");
    snprintf(path, sizeof path, "%s/s-1.gif", folder);
    const int frames = decode(path, grey, 200);
    assert_in_range(frames, 83, 85); /* 5 s */
    assert_true(abs(grey[10] - 60) < 12 && abs(grey[60] - 120) < 12);
    assert_true(abs(grey[frames - 1] - 240) < 12);
    FILE *file = fopen(path, "rb");
    char head[1000];
    const size_t count = fread(head, 1, sizeof head, file);
    fclose(file);
    bool loops = false; /* GIF's extension that repeats a file */
    for (size_t at = 0; at + 11 < count; at++)
        loops = loops || memcmp(head + at, "NETSCAPE2.0", 11) == 0;
    assert_true(loops);
    remove(path);
    char *programs = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    save(session);
    assert_non_null(strstr(session->texts.message,
                           "s-1.gif: ffmpeg, which makes videos, cannot be started: it is not in "
                           "PATH; install it"));
    setenv("PATH", programs, 1);
    free(programs);
    assert_int_equal(rmdir(folder), 0); /* nothing is left in it */
    clip_close(session);
    free(session);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_ring),
        cmocka_unit_test(test_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
