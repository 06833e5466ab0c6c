/* SPDX-License-Identifier: MIT
 * What examples/pond.c promises around its water: test_pond_water.c has the water itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pond.c"
#include "sanitized.h"

#include <unistd.h>

static Pond *make(bool rains)
{
    ExampleFrame frame;
    ExampleError error;
    Settings settings = defaults;
    settings.rain = rains;
    Pond *pond = pond_create(&settings, &frame, &error);
    assert_non_null(pond);
    return pond;
}

static void run_frame(Pond *pond, const ExampleInput *input)
{
    pond_input(pond, input);
    pond_step(pond);
}

static void check_places(const Pond *pond)
{
    const PondScene *scene = &pond->scene;
    for (int b = 0; b < POND_BOATS; b++)
        assert_true(pond_boat_fits(scene, &scene->boats[b]));
    for (int f = 0; f < POND_FLOATS; f++)
        assert_true(pond_water_wet_at(scene->water, scene->floats[f].x, scene->floats[f].y));
    for (int e = 0; e < scene->element_count; e++)
        assert_true(pond_water_wet_at(scene->water, scene->elements[e].x, scene->elements[e].y));
}

static float highest(const PondWater *water)
{
    float found = 0;
    for (int c = 0; c < POND_NX * POND_NY; c++)
        found = fmaxf(found, fabsf(pond_water_height(water, c % POND_NX, c / POND_NX)));
    return found;
}

static void test_slice_is_within_the_bound(void **state)
{
    (void)state;
    Pond *pond = make(false);
    double bound = pond_water_largest_step(pond->scene.water);
    print_message("a slice of %.4f s, at most %.4f s\n", POND_SLICE, bound);
    assert_true(POND_SLICE < bound);
    pond_destroy(pond);
}

/* 10 s of the script in the rain: nothing leaves the water, and its volume is that of the rain. */
static void test_everything_stays_on_the_water(void **state)
{
    (void)state;
    skip_sanitized();
    Pond *pond = make(true);
    float moved = 0, first = pond->scene.floats[0].x;
    for (int frame = 0; frame < 300; frame++) {
        ExampleInput input = {0};
        pond_script(pond, frame, &input);
        input.pressed['r'] = false;
        run_frame(pond, &input);
        moved = fmaxf(moved, fabsf(pond->scene.floats[0].x - first));
        check_places(pond);
    }
    double error = fabs(pond_water_volume(pond->scene.water) - pond->scene.rain);
    print_message("rain of %.3f m3, volume off by %.2g m3, heights up to %.2f m\n",
                  pond->scene.rain, error, (double)highest(pond->scene.water));
    assert_true(pond->scene.rain > 0.15 && error < 1e-6 && highest(pond->scene.water) < 0.5f);
    assert_true(moved > 0.02f && pond->scene.element_count > 6000);
    pond_destroy(pond);
}

/* A boat dragged to and fro across shores and islands at the fastest speed for 5 s. */
static void test_fastest_drag_is_stable(void **state)
{
    (void)state;
    Pond *pond = make(false);
    float most = 0;
    for (int frame = 0; frame < 150; frame++) {
        const float places[][2] = {{22, 4}, {2, 16}, {22, 16}, {2, 4}, {30, 10}};
        const float *place = places[frame / 30 % 5];
        pond->scene.boats[0].helm = POND_DRAGGED;
        memcpy(pond->scene.drag, place, sizeof pond->scene.drag);
        pond_step(pond);
        check_places(pond);
        most = fmaxf(most, highest(pond->scene.water));
    }
    print_message("heights up to %.2f m\n", (double)most);
    assert_true(most < 0.6f);
    pond_destroy(pond);
}

static void test_keys_and_pointer(void **state)
{
    (void)state;
    Pond *pond = make(false);
    PondBoat *boat = &pond->scene.boats[0], before = *boat;
    ExampleInput input = {0};
    input.held[EXAMPLE_UP] = input.held[EXAMPLE_LEFT] = true;
    for (int frame = 0; frame < 20; frame++)
        run_frame(pond, &input);
    assert_true(hypotf(boat->u, boat->v) > 1 &&
                remainderf(boat->heading - before.heading, 6.2831853f) > 0.2f);
    input = (ExampleInput){.pressed[' '] = true};
    before = *boat;
    run_frame(pond, &input);
    assert_true(memcmp(&before.x, &boat->x, sizeof(float)) == 0);
    run_frame(pond, &input); /* goes on */
    float pixel[2], place[2] = {9, 6};
    pond_view_pixel(boat->x, boat->y, 0, pixel);
    input = (ExampleInput){.left = true, .x = (double)pixel[0], .y = (double)pixel[1]};
    run_frame(pond, &input);
    pond_view_pixel(place[0], place[1], 0, pixel);
    input.x = (double)pixel[0], input.y = (double)pixel[1];
    for (int frame = 0; frame < 120; frame++)
        run_frame(pond, &input);
    assert_true(hypotf(boat->x - place[0], boat->y - place[1]) < 0.1f);
    assert_true(pond->scene.rain == 0);
    input = (ExampleInput){0};
    run_frame(pond, &input);
    pond_view_pixel(20, 15, 0, pixel);
    input =
        (ExampleInput){.left = true, .right = true, .x = (double)pixel[0], .y = (double)pixel[1]};
    run_frame(pond, &input); /* a stone, and dye */
    assert_true(pond->scene.rain > 0.001 && pond->scene.element_count > 100);
    input = (ExampleInput){.pressed['x'] = true};
    run_frame(pond, &input);
    assert_true(pond->scene.element_count == 0);
    pond_destroy(pond);
}

/* What the other pond told 12 slices ago is moved on by 0.1 s; a place on land is not taken. */
static void test_other_boat_is_placed_where_it_is_now(void **state)
{
    (void)state;
    Pond *pond = make(false);
    PondBoat *other = &pond->scene.boats[1];
    PondState told = {.x = 12, .y = 5, .heading = 1, .u = 2, .v = -1, .turn = 0.5f};
    pond->scene.slices = 1012, told.slices = 1000;
    place_other(pond, &told);
    assert_true(other->helm == POND_COASTS);
    assert_true(fabsf(other->x - 12.2f) < 1e-4f && fabsf(other->y - 4.9f) < 1e-4f);
    assert_true(fabsf(other->heading - 1.05f) < 1e-4f && other->u == 2 && other->v == -1);
    for (int k = 0; k < 12; k++)
        pond_scene_slice(&pond->scene); /* goes on by itself */
    assert_true(fabsf(other->x - 12.4f) < 1e-3f && fabsf(other->heading - 1.1f) < 1e-3f);
    float x = other->x;
    told.x = 7.6f, told.y = 13; /* the island */
    place_other(pond, &told);
    assert_true(memcmp(&other->x, &x, sizeof x) == 0);
    pond_destroy(pond);
}

/* Two ponds in step share their time, which does not pause. Alone a pond pauses. */
static void test_ponds_in_step_do_not_pause(void **state)
{
    (void)state;
    ExampleFrame frame;
    ExampleError error = {.text = "none"};
    ExampleInput input = {.pressed[' '] = true};
    Settings settings = defaults;
    char place[40];
    snprintf(place, sizeof place, "127.0.0.1:%d", 20000 + (int)(getpid() % 12000));
    settings.listen = place;
    Pond *pond = pond_create(&settings, &frame, &error);
    if (pond == NULL)
        fail_msg("%s", error.text);
    run_frame(pond, &input);
    assert_false(pond->paused);
    PondBoat before = pond->scene.boats[1];
    input = (ExampleInput){0};
    for (int n = 0; n < 3; n++)
        run_frame(pond, &input);
    assert_true(hypotf(pond->scene.boats[1].x - before.x, pond->scene.boats[1].y - before.y) > 0);
    pond_destroy(pond);
}

/* Floats do not move at all while boats and rain rest. */
static void test_still_pond_stays_still(void **state)
{
    (void)state;
    Pond *pond = make(false);
    PondFloat before[POND_FLOATS];
    memcpy(before, pond->scene.floats, sizeof before);
    for (int k = 0; k < 100; k++) {
        pond->scene.boats[0].helm = pond->scene.boats[1].helm = POND_STEERED; /* without thrust */
        pond_scene_slice(&pond->scene);
    }
    assert_true(highest(pond->scene.water) == 0);
    assert_memory_equal(before, pond->scene.floats, sizeof before);
    pond_destroy(pond);
}

/* -- the picture ----------------------------------------------------------------------------- */

static void test_pixels_and_points_are_inverse(void **state)
{
    (void)state;
    for (double y = 0; y <= POND_HEIGHT; y += 50)
        for (double x = 0; x <= POND_WIDTH; x += 60) {
            float point[2], pixel[2];
            pond_view_point(x, y, point);
            pond_view_pixel(point[0], point[1], 0, pixel);
            assert_true(fabs((double)pixel[0] - x) < 0.02 && fabs((double)pixel[1] - y) < 0.02);
        }
}

/* A picture depends on the scene alone, and a drop is seen where it falls and nowhere else. */
static void test_drop_is_seen_where_it_falls(void **state)
{
    (void)state;
    enum { BYTES = 3 * POND_WIDTH * POND_HEIGHT };
    Pond *pond = make(false), *other = make(false);
    uint8_t *still = malloc(BYTES), *wavy = malloc(BYTES);
    assert_non_null(still);
    assert_non_null(wavy);
    pond_draw(pond->view, &pond->scene, still);
    pond_water_add_drop(other->scene.water, 12, 7, 0.5f, 0.05f);
    pond_draw(pond->view, &other->scene, wavy);
    int near_pixels = 0;
    for (int pixel = 0; pixel < POND_WIDTH * POND_HEIGHT; pixel++)
        if (memcmp(still + 3 * pixel, wavy + 3 * pixel, 3) != 0) {
            float point[2];
            pond_view_point(pixel % POND_WIDTH + 0.5, pixel / POND_WIDTH + 0.5, point);
            assert_true(hypotf(point[0] - 12, point[1] - 7) < 1);
            near_pixels++;
        }
    print_message("a drop of 0.5 m changes %d pixels\n", near_pixels);
    assert_true(near_pixels > 300);
    pond_draw(pond->view, &pond->scene, wavy);
    assert_memory_equal(still, wavy, BYTES);
    free(still);
    free(wavy);
    pond_destroy(pond);
    pond_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_is_within_the_bound),
        cmocka_unit_test(test_everything_stays_on_the_water),
        cmocka_unit_test(test_fastest_drag_is_stable),
        cmocka_unit_test(test_keys_and_pointer),
        cmocka_unit_test(test_other_boat_is_placed_where_it_is_now),
        cmocka_unit_test(test_ponds_in_step_do_not_pause),
        cmocka_unit_test(test_still_pond_stays_still),
        cmocka_unit_test(test_pixels_and_points_are_inverse),
        cmocka_unit_test(test_drop_is_seen_where_it_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
