/* SPDX-License-Identifier: MIT
 * The camera under the mouse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec3.h"
#include "play/camera_control.h"
#include "render/frame/camera.h"

enum { WIDTH = 800, HEIGHT = 500 };

static const CameraControl control = {.low = {-2, 0, -2}, .high = {2, 4, 2}, .above_ground = true};

static RenderCamera camera(void)
{
    return (RenderCamera){
        .target = {0.2f, 1.8f, -0.3f}, .distance = 5, .azimuth = 30, .elevation = 20, .fov = 40};
}

/* Where the ray of a place in the window meets the plane through the target that faces the eye. */
static void seen_at(const RenderCamera *camera, float x, float y, const float target[3],
                    float point[3])
{
    float origin[3], ray[3], forward[3], off[3];
    camera_ray(camera, WIDTH, HEIGHT, 0.5f * WIDTH + x * HEIGHT, 0.5f * HEIGHT + y * HEIGHT, origin,
               ray);
    camera_control_forward(camera, forward);
    vector_add_scaled(target, -1, origin, off);
    vector_add_scaled(origin, vector_dot(off, forward) / vector_dot(ray, forward), ray, point);
}

/* What is under the cursor, as far away as the target, stays there, nearer and farther. */
static void test_zoom_keeps_what_is_under_the_cursor(void **state)
{
    (void)state;
    const float places[][2] = {{0, 0}, {0.3f, 0.1f}, {-0.5f, -0.2f}};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int notches = -2; notches <= 3; notches++) {
            RenderCamera now = camera();
            const float *at = places[p], start[3] = {now.target[0], now.target[1], now.target[2]};
            float before[3], after[3];
            seen_at(&now, at[0], at[1], start, before);
            camera_control_zoom(&control, &now, (float)notches, at[0], at[1]);
            seen_at(&now, at[0], at[1], start, after);
            assert_true(fabs((double)now.distance - 5 * pow(0.88, notches)) < 1e-4);
            for (int i = 0; i < 3; i++)
                assert_true(fabsf(after[i] - before[i]) < 1e-3f);
        }
}

/* However far the wheel turns, the camera stays near the box and above the ground. */
static void test_zoom_has_bounds(void **state)
{
    (void)state;
    RenderCamera now = camera();
    const float diagonal = sqrtf(48);
    for (int i = 0; i < 200; i++)
        camera_control_zoom(&control, &now, 1, 0.4f, 0.4f);
    assert_true(fabsf(now.distance - 0.15f * diagonal) < 1e-3f);
    for (int i = 0; i < 200; i++)
        camera_control_zoom(&control, &now, -1, -0.4f, 0.4f);
    assert_true(fabsf(now.distance - 8 * diagonal) < 1e-2f);
    for (int i = 0; i < 3; i++)
        assert_true(now.target[i] >= control.low[i] - 0.26f * diagonal &&
                    now.target[i] <= control.high[i] + 0.26f * diagonal);
    assert_true(now.target[1] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zoom_keeps_what_is_under_the_cursor),
        cmocka_unit_test(test_zoom_has_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
