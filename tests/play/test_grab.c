/* SPDX-License-Identifier: MIT
 * The solid under the cursor, and where a drag moves it. */
#include "play/stroke.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const RenderCamera camera = {.target = {0.5f, 0.5f, 0.5f}, .distance = 2.5f, .fov = 40};

/* The camera looks along -z from z = 3; through a place in the box's middle plane. */
static BrushRay ray_through(float x, float y)
{
    BrushRay ray = {.origin = {0.5f, 0.5f, 3}, .camera = &camera};
    float way[3] = {x - 0.5f, y - 0.5f, 0.5f - 3};
    float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (int i = 0; i < 3; i++)
        ray.direction[i] = way[i] / length;
    return ray;
}

static Brush unit_box(void)
{
    return (Brush){.high = {1, 1, 1}};
}

static BillowSolid solid_at(BillowShape shape, float x, float y, float z, float size)
{
    BillowSolid solid = billow_default_solid();
    const float center[3] = {x, y, z};
    solid.shape = shape;
    memcpy(solid.center, center, sizeof center);
    for (int i = 0; i < 3; i++)
        solid.size[i] = size;
    return solid;
}

static void the_first_solid_along_the_ray_is_taken(void **state)
{
    (void)state;
    const Brush box = unit_box();
    const BillowSolid solids[3] = {solid_at(BILLOW_SPHERE, 0.5f, 0.5f, 0.2f, 0.15f),
                                   solid_at(BILLOW_BOX, 0.5f, 0.5f, 0.8f, 0.05f),
                                   solid_at(BILLOW_SPHERE, 0.2f, 0.7f, 0.5f, 0.1f)};
    Grab grab;
    BrushRay ray = ray_through(0.5f, 0.5f);
    assert_true(grab_pick(&grab, &box, &ray, solids, 3));
    assert_int_equal(grab.solid, 1);
    assert_true(fabsf(grab.taken[2] - 0.85f) < 1e-3f);
    assert_true(grab_pick(&grab, &box, &ray, solids, 1)); /* without the box in front */
    assert_int_equal(grab.solid, 0);
    assert_true(fabsf(grab.taken[2] - 0.35f) < 1e-3f);
    ray = ray_through(0.2f, 0.7f);
    assert_true(grab_pick(&grab, &box, &ray, solids, 3));
    assert_int_equal(grab.solid, 2);
}

/* Rays that pass a ball by less or more than a hundredth of its radius. */
static void its_edge_is_where_it_is_seen(void **state)
{
    (void)state;
    const Brush box = unit_box();
    const BillowSolid ball = solid_at(BILLOW_SPHERE, 0.5f, 0.5f, 0.5f, 0.2f);
    float edge = 0.2f / sqrtf(1 - 0.2f * 0.2f / (2.5f * 2.5f)); /* where rays touch it */
    for (int turn = 0; turn < 8; turn++)
        for (int out = 0; out < 2; out++) {
            float r = edge * (out ? 1.01f : 0.99f), angle = 0.7f * (float)turn;
            BrushRay ray = ray_through(0.5f + r * cosf(angle), 0.5f + r * sinf(angle));
            Grab grab;
            assert_true(grab_pick(&grab, &box, &ray, &ball, 1) == !out);
        }
}

static void what_cannot_be_taken(void **state)
{
    (void)state;
    const Brush box = unit_box();
    const BillowSolid solids[2] = {solid_at(BILLOW_PLANE, 0, 0.2f, 0, 0),
                                   solid_at(BILLOW_SPHERE, 0.5f, 0.1f, 0.2f, 0.05f)};
    Grab grab;
    BrushRay ray = ray_through(0.5f, 0.1f); /* the ball is below the floor */
    assert_false(grab_pick(&grab, &box, &ray, solids, 2));
    ray = ray_through(0.5f, 0.8f);
    assert_false(grab_pick(&grab, &box, &ray, solids, 2));
    assert_false(grab_pick(&grab, &box, &ray, solids, 0));
    ray = ray_through(4, 4);
    assert_false(grab_pick(&grab, &box, &ray, solids, 2));
    const BillowSolid outside = solid_at(BILLOW_SPHERE, 0.5f, 0.5f, 1.5f, 0.2f);
    ray = ray_through(0.5f, 0.5f); /* between the camera and the box, where nothing is drawn */
    assert_false(grab_pick(&grab, &box, &ray, &outside, 1));
}

/* The place where it was taken stays under the cursor; its centre stays in the box. */
static void it_moves_in_the_plane_that_faces_the_camera(void **state)
{
    (void)state;
    const Brush box = unit_box();
    const BillowSolid ball = solid_at(BILLOW_SPHERE, 0.5f, 0.5f, 0.5f, 0.2f);
    Grab grab;
    float center[3];
    BrushRay ray = ray_through(0.55f, 0.5f);
    assert_true(grab_pick(&grab, &box, &ray, &ball, 1));
    assert_true(grab_follow(&grab, &box, &ray, center)); /* does not jump as it is taken */
    for (int i = 0; i < 3; i++)
        assert_true(fabsf(center[i] - 0.5f) < 1e-5f);
    ray = ray_through(0.3f, 0.62f);
    assert_true(grab_follow(&grab, &box, &ray, center));
    assert_true(fabsf(center[2] - 0.5f) < 1e-5f);
    float taken[3];
    for (int i = 0; i < 3; i++)
        taken[i] = center[i] - grab.offset[i] - ray.origin[i];
    float along = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        along += taken[i] * ray.direction[i];
        square += taken[i] * taken[i];
    }
    assert_true(square - along * along < 1e-6f);
    ray = ray_through(3, -1);
    assert_true(grab_follow(&grab, &box, &ray, center));
    assert_true(center[0] == 1 && center[1] == 0);
    ray.origin[2] = 0.2f; /* the camera has gone past it */
    assert_false(grab_follow(&grab, &box, &ray, center));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_solid_along_the_ray_is_taken),
        cmocka_unit_test(its_edge_is_where_it_is_seen),
        cmocka_unit_test(what_cannot_be_taken),
        cmocka_unit_test(it_moves_in_the_plane_that_faces_the_camera),
    };
    return cmocka_run_group_tests_name("grab", tests, NULL, NULL);
}
