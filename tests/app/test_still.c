/* SPDX-License-Identifier: MIT
 * Stills that the window draws on a thread of its own: the picture of the renderer, to the bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <SDL.h>

#include "app/still.h"
#include "renderer_fixture.h"

enum { GRID = 12, WAIT_MS = 60000 };

/* A ball of smoke, and a solid one that the right face of the box cuts. */
typedef struct Case {
    Smoke smoke;
    float *solid;
    SimSnapshot snapshot;
    RenderSettings settings;
    Scene scene;
    StillJob job;
} Case;

static void begin(Case *made, const char *poster)
{
    BillowError error = {""};
    made->smoke = smoke_with_room(GRID, GRID, GRID);
    const BillowView *view = &made->smoke.view;
    for (int at = 0; at < GRID * GRID * GRID; at++) {
        int x = at % GRID, y = at / GRID % GRID, z = at / GRID / GRID;
        bool inside = (x - 6) * (x - 6) + (y - 6) * (y - 6) + (z - 5) * (z - 5) < 20;
        made->smoke.density[x + y * view->stride_y + z * view->stride_z] = inside ? 1 : 0;
    }
    made->solid = smoke_solid_ball(&made->smoke, (const float[3]){0.9f, 0.5f, 0.5f}, 0.2f);
    made->snapshot = (SimSnapshot){.view = made->smoke.view};
    made->settings = test_settings();
    assert_true(scene_load("plume", &made->scene, &error));
    snprintf(made->scene.poster.set, sizeof made->scene.poster.set, "%s", poster);
    made->job = (StillJob){.snapshot = &made->snapshot,
                           .render = &made->settings,
                           .scene = &made->scene,
                           .width = WIDTH,
                           .height = HEIGHT};
}

static void end(Case *made)
{
    free(made->solid);
    smoke_destroy(&made->smoke);
}

/* Waits until nothing is being drawn. */
static StillState settled(const Still *still)
{
    for (int ms = 0; still_state(still) == STILL_DRAWING && ms < WAIT_MS; ms += 5)
        SDL_Delay(5);
    return still_state(still);
}

/* The same picture by the renderer of the fixture. */
static void draw_expected(const Case *made, const BillowView *view, int exposures, uint8_t *pixels)
{
    BillowError error = {""};
    RenderSettings settings = made->settings;
    RenderFrame frame = test_frame();
    frame.step = 0.5f;
    frame.exposures = exposures;
    settings.picture.filter = view->nx == GRID ? RENDER_FILTER_CUBIC : settings.picture.filter;
    renderer_forget(renderer);
    assert_true(renderer_upload(renderer, view, &settings, &error));
    draw(renderer, &settings, &frame, pixels);
}

static void draw_still(const Case *made, uint8_t *pixels)
{
    BillowError error = {""};
    Still *still = still_create(NULL, &error);
    assert_int_equal(still_state(still), STILL_IDLE);
    assert_true(still_start(still, &made->job, &error));
    assert_int_equal(settled(still), STILL_DONE);
    memcpy(pixels, still_pixels(still), BYTES);
    still_destroy(still);
}

static void test_cubic(void **state)
{
    static uint8_t expected[BYTES], pixels[BYTES];
    Case made;
    (void)state;
    begin(&made, "upres.factor=1");
    draw_still(&made, pixels);
    draw_expected(&made, &made.smoke.view, 0, expected);
    assert_memory_equal(pixels, expected, BYTES);
    end(&made);
}

static void test_lens(void **state)
{
    static uint8_t expected[BYTES], pixels[BYTES];
    Case made;
    (void)state;
    begin(&made, "upres.factor=1");
    made.settings.lens.aperture = 0.1f;
    draw_still(&made, pixels);
    draw_expected(&made, &made.smoke.view, 32, expected);
    assert_memory_equal(pixels, expected, BYTES);
    end(&made);
}

/* The smoke is refined as the scene's poster says; flow that is sheared displaces it. */
static void test_upres(void **state)
{
    static uint8_t expected[BYTES], pixels[BYTES], folded[BYTES];
    static float velocity[3 * 2 * 2 * 2];
    BillowError error = {""};
    Case made;
    (void)state;
    begin(&made, "upres.factor=2 upres.turbulence=3 upres.sharpening=1");
    draw_still(&made, pixels);
    BillowUpresDef def = {.factor = 2, .turbulence = 3, .sharpening = 1};
    BillowUpres *upres = billow_upres_create(&made.smoke.view, &def, &error);
    assert_non_null(upres);
    const BillowView fine = billow_upres_view(upres, &made.smoke.view);
    draw_expected(&made, &fine, 0, expected);
    assert_memory_equal(pixels, expected, BYTES);
    billow_upres_destroy(upres);
    for (int at = 0; at < 8; at++)
        velocity[3 * at] = at & 2 ? 20 : -20;
    made.snapshot.motion = (Motion){{2, 2, 2}, velocity};
    draw_still(&made, folded);
    assert_memory_not_equal(folded, pixels, BYTES);
    end(&made);
}

/* A picture that is given up ends soon, and the next one is not harmed. */
static void test_given_up(void **state)
{
    static uint8_t pixels[BYTES];
    BillowError error = {""};
    Case made;
    (void)state;
    begin(&made, "upres.factor=1");
    draw_still(&made, pixels);
    Still *still = still_create(NULL, &error);
    assert_true(still_start(still, &made.job, &error));
    still_give_up(still);
    assert_int_equal(settled(still), STILL_IDLE);
    assert_true(still_start(still, &made.job, &error));
    assert_int_equal(settled(still), STILL_DONE);
    assert_memory_equal(still_pixels(still), pixels, BYTES);
    still_give_up(still);
    assert_int_equal(still_state(still), STILL_IDLE);
    assert_true(still_start(still, &made.job, &error));
    still_destroy(still); /* while it is being drawn */
    end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_lens),
        cmocka_unit_test(test_upres),
        cmocka_unit_test(test_given_up),
    };
    return cmocka_run_group_tests_name("still", tests, open_renderer, close_renderer);
}
