/* SPDX-License-Identifier: MIT
 * The window's loop without a user: what it does if its OpenGL context is lost, and what it shows
 * while the scene changes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/recording.h"
#include "app/window.h"
#include "base/clock.h"
#include "bench/sharpness.h"
#include "png_fixture.h"
#include "render/gl/gl.h"
#include "render/readback.h"
#include "render/renderer.h"
#include <SDL.h>

/* Receives the messages of the window, through the linker's --wrap. */
static char said[4096];

struct Session;
void __wrap_session_say(struct Session *session, const char *format, ...);
void __wrap_session_say(struct Session *session, const char *format, ...)
{
    (void)session;
    size_t used = strlen(said);
    va_list values;
    va_start(values, format);
    vsnprintf(said + used, sizeof said - used, format, values);
    va_end(values);
}

/* What renderer_coarsened returns, as if the driver had room for that share of the grid's
 * resolution alone: 2 is a half. 0: what the renderer really says. */
static int coarsened;

int __real_renderer_coarsened(const Renderer *renderer);
int __wrap_renderer_coarsened(const Renderer *renderer);
int __wrap_renderer_coarsened(const Renderer *renderer)
{
    return coarsened > 0 ? coarsened : __real_renderer_coarsened(renderer);
}

/* The picture that the window shows when a screenshot is taken. */
static uint8_t *live;
/* The pictures that the window has shown since `seen` was set: the upper half, without texts. */
enum { SEEN_WIDTH = 320, SEEN_HEIGHT = 180, SEEN_TOP = 30, SEEN_ROWS = 60, SEEN_MAX = 600 };
typedef uint8_t SeenPicture[SEEN_ROWS * SEEN_WIDTH * 3];
static SeenPicture *seen;
static int seen_count;

void __real_SDL_GL_SwapWindow(SDL_Window *window);
void __wrap_SDL_GL_SwapWindow(SDL_Window *window);
void __wrap_SDL_GL_SwapWindow(SDL_Window *window)
{
    static uint8_t whole[SEEN_HEIGHT * SEEN_WIDTH * 3];
    if (seen != NULL && seen_count < SEEN_MAX) {
        glReadPixels(0, 0, SEEN_WIDTH, SEEN_HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, whole);
        memcpy(seen[seen_count++],
               whole + (size_t)(SEEN_HEIGHT - SEEN_TOP - SEEN_ROWS) * SEEN_WIDTH * 3, sizeof *seen);
    }
    __real_SDL_GL_SwapWindow(window);
}

/* Mean difference of two pictures, steps of 8 bits. */
static double apart(const SeenPicture a, const SeenPicture b)
{
    double sum = 0;
    for (size_t at = 0; at < sizeof(SeenPicture); at++)
        sum += abs(a[at] - b[at]);
    return sum / sizeof(SeenPicture);
}

static int frames, pressed; /* so far; of them, when F12 was */
static int last;            /* at which to close; 0: soon after F12 */

/* Presses F12 when there has been time for a picture after the loss, on a busy machine too, and
 * closes the window. */
static bool press(void)
{
    static Uint32 start;
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_F12}}};
    if (++frames == 1)
        start = SDL_GetTicks();
    if (pressed == 0 && frames >= 20 && SDL_GetTicks() - start > 2000) {
        SDL_PushEvent(&event);
        pressed = frames;
    }
    return last > 0 ? frames == last : pressed > 0 && frames == pressed + 4;
}

static AppOptions small_options(void)
{
    AppOptions options = app_default_options();
    options.scene.name_or_path = "plume"; /* without fuel */
    options.scene.grid = "16";
    options.width = 160;
    options.height = 90;
    options.scene.threads = 1;
    options.interrupted = press;
    options.slice.given = true; /* everything is to be made anew */
    options.slice.kind = FIELD_SPEED;
    return options;
}

static int choose_driver(void **state)
{
    (void)state;
    return setenv("SDL_VIDEODRIVER", "offscreen", 1);
}

/* Many colours, the slice's among them. */
static void check_picture(const char *path)
{
    Image image;
    BillowError error = {""};
    if (!png_read(&image, path, &error))
        fail_msg("%s", error.text);
    int violet = 0, sky = 0;
    for (int at = 0; at < image.width * image.height; at++) {
        const uint8_t *c = image.pixels + 3 * at;
        violet += abs(c[0] - 51) + c[1] + abs(c[2] - 69) < 60;
        sky += c[2] > 100 && c[2] > c[0];
    }
    assert_true(violet > 500 && sky > 500);
    image_destroy(&image);
    remove(path);
}

static void test_survives_the_loss_of_its_context(void **state)
{
    (void)state;
    AppOptions options = small_options();
    AppReport report = {0};
    BillowError error = {""};
    char folder[] = "/tmp/billow-window-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plume-0001.png", folder);
    options.capture_folder = folder;
    options.lose_context_at = 8;
    last = 0;
    if (!app_run(&options, &report, &error))
        fail_msg("%s", error.text);
    assert_int_equal(report.contexts_lost, 1);
    assert_non_null(strstr(said, "the graphics driver lost the picture; it has been restored"));
    assert_true(report.frames >= 20);
    check_picture(path);
    free(live);
    live = NULL;
    rmdir(folder);
    frames = 0;
    last = 10;
    options.lose_context_at = 1; /* before there is any picture */
    if (!app_run(&options, &report, &error))
        fail_msg("%s", error.text);
    assert_int_equal(report.contexts_lost, 1);
    frames = 0;
    options.lose_context_at = 0;
    if (!app_run(&options, &report, &error))
        fail_msg("%s", error.text);
    assert_int_equal(report.contexts_lost, 0);
}

bool __real_screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice,
                            int width, int height, const char *folder, char name[96],
                            BillowError *error);
bool __wrap_screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice,
                            int width, int height, const char *folder, char name[96],
                            BillowError *error);
bool __wrap_screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice,
                            int width, int height, const char *folder, char name[96],
                            BillowError *error)
{
    free(live);
    live = calloc(4, (size_t)width * (size_t)height);
    assert_non_null(live);
    assert_true(renderer_read_shown(renderer, width, height, 4, live, error));
    return __real_screenshot_take(renderer, scene, slice, width, height, folder, name, error);
}

/* What F12 saves of flowing smoke has as much detail as what is on the screen. */
static void test_a_screenshot_is_as_sharp_as_the_screen(void **state)
{
    (void)state;
    AppOptions options = small_options();
    BillowError error = {""};
    Image image;
    char folder[] = "/tmp/billow-window-XXXXXX", path[64];
    double contrast[SHARPNESS_OCTAVES];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plume-0001.png", folder);
    options.capture_folder = folder;
    options.slice.given = false;
    options.width = 320;
    options.height = 180;
    options.scene.grid = "24";
    frames = pressed = last = 0;
    if (!app_run(&options, NULL, &error) || !png_read(&image, path, &error))
        fail_msg("%s", error.text);
    const size_t pixels = (size_t)image.width * (size_t)image.height;
    uint8_t *saved = calloc(4, pixels), *everywhere = malloc(pixels);
    assert_true(live != NULL && saved != NULL && everywhere != NULL);
    memset(everywhere, 255, pixels);
    for (size_t p = 0; p < pixels; p++)
        memcpy(saved + 4 * p, image.pixels + 3 * p, 3);
    sharpness_compare(saved, live, everywhere, image.width, image.height, contrast);
    for (int o = 0; o < 4; o++)
        if (!(contrast[o] >= 1))
            fail_msg("octave %d of the saved picture has %.3f of the contrast on the screen", o,
                     contrast[o]);
    free(saved);
    free(everywhere);
    free(live);
    live = NULL;
    image_destroy(&image);
    remove(path);
    rmdir(folder);
}

/* A grid that is too large is drawn coarser, which is said once. */
static void test_a_grid_that_is_too_large(void **state)
{
    (void)state;
    AppOptions options = small_options();
    BillowError error = {""};
    said[0] = '\0';
    frames = 0;
    last = 10;
    coarsened = 2;
    if (!app_run(&options, NULL, &error))
        fail_msg("%s", error.text);
    coarsened = 0;
    const char *at = strstr(said, "too large for this graphics driver: drawn at 1/2 of its");
    assert_non_null(at);
    assert_null(strstr(at + 1, "too large"));
}

static void test_a_slice_that_cannot_be(void **state)
{
    (void)state;
    AppOptions options = small_options();
    BillowError error = {""};
    options.slice.kind = FIELD_FUEL;
    assert_false(app_run(&options, NULL, &error));
    assert_true(error.text[0] != 0);
}

/* Presses F2, then a key that ends the show. Stops when the window says so, or after 20 s. */
static bool press_for_show(void)
{
    static Uint32 start;
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = SDLK_F2}}};
    if (++frames == 1)
        start = SDL_GetTicks();
    if (frames == 10)
        SDL_PushEvent(&event);
    if (frames == 30) {
        event.key.keysym.sym = SDLK_o;
        SDL_PushEvent(&event);
    }
    return frames > 40 &&
           (SDL_GetTicks() - start > 20000 || strstr(said, "as you left it") != NULL);
}

static void test_the_show_gives_the_scene_back(void **state)
{
    (void)state;
    AppOptions options = small_options();
    BillowError error = {""};
    options.slice.given = false;
    options.interrupted = press_for_show;
    frames = 0;
    if (!app_run(&options, NULL, &error))
        fail_msg("%s", error.text);
    assert_non_null(strstr(said, "your scene is as you left it"));
}

static void push_key(SDL_Keycode key)
{
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}};
    SDL_PushEvent(&event);
}

enum { LEAST_SHOWN = 5 }; /* pictures of a fade, however slow the machine is */

static SDL_Keycode change_key; /* that changes what is shown */
static int changed_at;         /* number of pictures shown before it is pressed */

/* Hides the texts, presses the key, and closes the window when the change must be over. */
static bool press_for_change(void)
{
    static Uint32 start, change;
    static int done;
    const Uint32 now = SDL_GetTicks();
    if (++frames == 1) {
        start = now;
        done = 0;
    }
    /* what is cleared must be seen first */
    const bool smokes =
        change_key != SDLK_r || (seen_count > 0 && apart(seen[seen_count - 1], seen[0]) > 6);
    if (done == 0 && now - start > 1000 && smokes) {
        push_key(SDLK_u);
        push_key(SDLK_u);
        if (change_key == SDLK_r)
            push_key(SDLK_SPACE);
        change = now;
        done = 1;
    } else if (done == 1 && now - change > 1500) {
        changed_at = seen_count;
        push_key(change_key);
        change = now;
        done = 2;
    } else if (done == 2 && seen_count > changed_at + 2) {
        push_key(SDLK_F12);
        change = now;
        done = 3;
    }
    return now - start > 60000 ||
           (done == 3 && now - change > 3000 && seen_count > changed_at + LEAST_SHOWN);
}

/* Shows a scene, presses the key, and checks what was shown then: each picture differs from the one
 * before it by a part of the whole change only, and none is farther from the new scene than
 * the old picture was. Returns the index of the last picture. */
static int show_change(AppOptions *options, SDL_Keycode key)
{
    BillowError error = {""};
    seen = calloc(SEEN_MAX, sizeof *seen);
    assert_non_null(seen);
    options->slice.given = false;
    options->width = SEEN_WIDTH;
    options->height = SEEN_HEIGHT;
    options->interrupted = press_for_change;
    seen_count = frames = 0;
    change_key = key;
    if (!app_run(options, NULL, &error))
        fail_msg("%s", error.text);
    assert_true(seen_count < SEEN_MAX && changed_at > 0 && seen_count > changed_at + LEAST_SHOWN);
    const int before = changed_at - 1, settled = seen_count - 1;
    const double whole = apart(seen[before], seen[settled]);
    assert_true(whole > 3);
    for (int i = changed_at; i <= settled; i++) {
        const double jump = apart(seen[i], seen[i - 1]), left = apart(seen[i], seen[settled]);
        if (jump > 0.4 * whole)
            fail_msg("picture %d of %d jumps by %g of %g", i - before, settled - before, jump,
                     whole);
        if (left > 1.2 * whole)
            fail_msg("picture %d of %d is %g away, not %g", i - before, settled - before, left,
                     whole);
    }
    return settled;
}

static void test_scenes_fade_over(void **state)
{
    (void)state;
    AppOptions options = small_options();
    options.scene.name_or_path = "ink";
    options.scene.grid = "48";
    char folder[] = "/tmp/billow-window-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    options.capture_folder = folder;
    show_change(&options, SDLK_0); /* play: a dark stage, after a bright scene */
    free(seen);
    seen = NULL;
    snprintf(path, sizeof path, "%s/play-0001.png", folder);
    remove(path);
    rmdir(folder);
}

/* The pictures end with the cleared smoke, without a trace of what was before. A screenshot taken
 * meanwhile has none either. */
static void test_cleared_smoke_fades(void **state)
{
    (void)state;
    AppOptions options = small_options();
    options.scene.name_or_path = "ink";
    options.scene.grid = "48";
    Image image;
    BillowError error = {""};
    char folder[] = "/tmp/billow-window-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ink-0001.png", folder);
    options.capture_folder = folder;
    const int settled = show_change(&options, SDLK_r);
    const double whole = apart(seen[changed_at - 1], seen[settled]);
    if (!png_read(&image, path, &error))
        fail_msg("%s", error.text);
    SeenPicture shot;
    for (int row = 0; row < SEEN_ROWS; row++) /* the window's rows begin at the bottom */
        memcpy(shot + (size_t)row * SEEN_WIDTH * 3,
               image.pixels + (size_t)(SEEN_TOP + SEEN_ROWS - 1 - row) * SEEN_WIDTH * 3,
               SEEN_WIDTH * 3);
    const double left = apart(shot, seen[settled]);
    if (left > 0.25 * whole)
        fail_msg("the screenshot is %g away from the cleared picture, the old one %g", left, whole);
    image_destroy(&image);
    remove(path);
    rmdir(folder);
    free(seen);
    seen = NULL;
}

/* Runs first: video drivers may leave memory behind when another is started. */
static void test_no_display_is_named(void **state)
{
    (void)state;
    BillowError error = {""};
    char chosen[32];
    snprintf(chosen, sizeof chosen, "%s", getenv("SDL_VIDEODRIVER"));
    assert_int_equal(setenv("SDL_VIDEODRIVER", "xyzzy", 1), 0);
    Window window;
    assert_false(window_open(&window, 64, 64, &error));
    assert_non_null(strstr(error.text, "window: there is no display: SDL_VIDEODRIVER=xyzzy does"));
    assert_int_equal(setenv("SDL_VIDEODRIVER", chosen, 1), 0);
}

/* A display that is named may still be starting. The wait for it leaves the processor to others. */
static void test_a_display_is_waited_for(void **state)
{
    (void)state;
    BillowError error = {""};
    char chosen[32];
    snprintf(chosen, sizeof chosen, "%s", getenv("SDL_VIDEODRIVER"));
    assert_int_equal(setenv("SDL_VIDEODRIVER", "xyzzy", 1), 0);
    assert_int_equal(setenv("DISPLAY", ":7777", 1), 0);
    const double start = clock_seconds();
    const clock_t busy = clock();
    assert_false(app_display_available(&error));
    const double waited = clock_seconds() - start;
    const double used = (double)(clock() - busy) / CLOCKS_PER_SEC;
    assert_true(waited > 0.9);
    assert_true(used < 0.1 * waited);
    assert_int_equal(setenv("SDL_VIDEODRIVER", chosen, 1), 0);
    assert_int_equal(unsetenv("DISPLAY"), 0);
}

/* Seconds that window_wait takes after a frame that has just begun, with an event or without. */
static double waited(bool event, double interval, double least)
{
    Window window = {.frame_start = clock_seconds()};
    window.due = window.looked = window.frame_start;
    SDL_Event pressed_key = {.type = SDL_KEYDOWN};
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    if (event)
        SDL_PushEvent(&pressed_key);
    double start = window.frame_start, asked = window_wait(&window, interval, least);
    assert_true(window.frame_start >= start && asked <= window.frame_start);
    return window.frame_start - start;
}

/* window_wait rounds the time to whole milliseconds, SDL counts whole milliseconds of its clock, and
 * its waits have whole ones, too: together a frame comes up to 2.5 ms early. */
#define EARLY 2.5e-3

static void test_frames_keep_their_distance(void **state)
{
    (void)state;
    assert_int_equal(SDL_Init(SDL_INIT_EVENTS), 0);
    double took = waited(false, 0.1, 0);
    if (took < 0.1 - EARLY)
        fail_msg("a frame comes after %g s in place of 0.1 s", took);
    took = waited(true, 60, 0.1);
    if (!(took > 0.1 - EARLY && took < 50))
        fail_msg("a frame that an event asks for comes after %g s in place of 0.1 s", took);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    SDL_Quit();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_display_is_named),
        cmocka_unit_test(test_a_display_is_waited_for),
        cmocka_unit_test(test_frames_keep_their_distance),
        cmocka_unit_test(test_survives_the_loss_of_its_context),
        cmocka_unit_test(test_a_screenshot_is_as_sharp_as_the_screen),
        cmocka_unit_test(test_a_grid_that_is_too_large),
        cmocka_unit_test(test_a_slice_that_cannot_be),
        cmocka_unit_test(test_the_show_gives_the_scene_back),
        cmocka_unit_test(test_scenes_fade_over),
        cmocka_unit_test(test_cleared_smoke_fades),
    };
    return cmocka_run_group_tests_name("window", tests, choose_driver, NULL);
}
