/* SPDX-License-Identifier: MIT
 * Lines in the volume over the picture: where they are seen, and how smoke and solids hide them. */
#include "app/gizmo.h"
#include "app/marks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "smoke_fixture.h"

enum { EDGE = 16, WIDE = 400, HIGH = 300 };

static const MarkStyle plain = {.color = {1, 0.5f, 0.25f, 1}, .width = 2};
static Marks marks;

/* The camera looks along -z at the middle of the unit box. */
static RenderCamera camera_at(float distance)
{
    return (RenderCamera){.target = {0.5f, 0.5f, 0.5f}, .distance = distance, .fov = 40};
}

/* Opacity of a short line across the view at a depth of the box. */
static float opacity_at(float z, const MarksScene *scene, const MarkStyle *style)
{
    const RenderCamera camera = camera_at(3);
    const float a[3] = {0.49f, 0.5f, z}, b[3] = {0.51f, 0.5f, z};
    marks_begin(&marks, &camera, WIDE, HIGH, scene);
    marks_line(&marks, a, b, style);
    assert_true(marks.count > 0);
    for (int line = 0; line < marks.count; line++) {
        assert_memory_equal(marks.lines[line].color, style->color, 3 * sizeof(float));
        assert_float_equal(marks.lines[line].color[3], marks.lines[0].color[3], 1e-4f);
    }
    return marks.lines[0].color[3];
}

/* Beer's law takes a line down to a rest that stays visible, also behind a solid. */
static void smoke_and_solids_hide(void **state)
{
    (void)state;
    assert_true(opacity_at(0.5f, &(MarksScene){.solids = NULL}, &plain) == 1);
    Smoke smoke = smoke_create(EDGE, EDGE, EDGE);
    for (int at = 0; at < EDGE * EDGE * EDGE; at++)
        smoke.density[at] = 2;
    MarksScene scene = {.view = &smoke.view, .extinction = 1.5f};
    const float hidden = opacity_at(0.02f, &(MarksScene){&smoke.view, 1e4f, NULL, 0}, &plain);
    assert_true(hidden > 0.2f && hidden < 0.4f);
    for (int part = 0; part <= 4; part++) {
        const float depth = 0.25f * (float)part;
        float wanted = hidden + (1 - hidden) * expf(-2 * scene.extinction * depth);
        assert_float_equal(opacity_at(1 - depth, &scene, &plain), wanted, 0.005f);
    }
    assert_true(opacity_at(1.5f, &scene, &plain) == 1);
    const BillowSolid ball = {
        .shape = BILLOW_SPHERE, .size = {0.1f}, .center = {0.5f, 0.5f, 0.6f}, .rotation[3] = 1};
    scene = (MarksScene){&smoke.view, 0, &ball, 1};
    assert_float_equal(opacity_at(0.3f, &scene, &plain), hidden, 1e-4f);
    assert_true(opacity_at(0.8f, &scene, &plain) == 1);
    const MarkStyle flat = {.color = {1, 1, 1, 0.7f}, .width = 1, .flat = true};
    assert_true(opacity_at(0.3f, &scene, &flat) == 0.7f);
    assert_int_equal(marks.count, 1);
    smoke_destroy(&smoke);
}

/* Pieces follow each other from end to end; what is behind the camera is cut off. */
static void lines_are_whole(void **state)
{
    (void)state;
    const RenderCamera camera = camera_at(2);
    const float a[3] = {0.2f, 0.3f, 0.1f}, b[3] = {0.7f, 0.8f, 0.9f}, behind[3] = {0.7f, 0.8f, 9};
    float seen[2];
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    marks_line(&marks, a, b, &plain);
    for (int line = 1; line < marks.count; line++)
        for (int axis = 0; axis < 2; axis++)
            assert_float_equal(marks.lines[line].from[axis], marks.lines[line - 1].to[axis], 1e-3f);
    assert_true(marks_place(&marks, a, seen));
    assert_float_equal(marks.lines[0].from[0], seen[0], 1e-3f);
    assert_float_equal(marks.lines[0].from[1], seen[1], 1e-3f);
    assert_true(marks_place(&marks, b, seen));
    assert_float_equal(marks.lines[marks.count - 1].to[0], seen[0], 1e-3f);
    assert_float_equal(marks.lines[marks.count - 1].to[1], seen[1], 1e-3f);
    const int whole = marks.count;
    assert_false(marks_place(&marks, behind, seen));
    marks_line(&marks, behind, b, &plain);
    assert_true(marks.count > whole + 6);
    assert_true(marks_place(&marks, b, seen));
    assert_float_equal(marks.lines[marks.count - 1].to[0], seen[0], 1e-3f);
    const int before = marks.count;
    marks_line(&marks, behind, (float[3]){0, 0, 8}, &plain);
    assert_int_equal(marks.count, before);
}

/* A circle has its radius all around; a point of the window is as long as it says. */
static void circles_are_round(void **state)
{
    (void)state;
    const RenderCamera camera = camera_at(2.5f);
    const float center[3] = {0.5f, 0.5f, 0.5f}, u[3] = {0.3f, 0, 0}, v[3] = {0, 0.3f, 0};
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    const float radius = 0.3f / marks_point(&marks, center);
    marks.scale = 2; /* for letters twice as large: handles have twice the size, and lines */
    assert_float_equal(marks_point(&marks, center), 2 * 0.3f / radius, 1e-6f);
    marks_line(&marks, center, u, &(MarkStyle){.width = 1.5f, .flat = true});
    assert_float_equal(marks.lines[0].width, 3, 0);
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    assert_float_equal(radius, 0.3f * HIGH / (2 * 2.5f * tanf(20 * 3.14159265f / 180)), 0.01f);
    marks_circle(&marks, center, u, v, &plain);
    assert_in_range(marks.count, 36, 72);
    for (int line = 0; line < marks.count; line++) {
        const OverlayLine *here = &marks.lines[line];
        assert_float_equal(hypotf(here->from[0] - WIDE / 2, here->from[1] - HIGH / 2), radius,
                           0.05f);
        assert_float_equal(here->to[0], marks.lines[(line + 1) % marks.count].from[0], 0.01f);
    }
}

/* Half the width and height of all lines, m. */
static void measure(const BillowEmitter *emitter, float azimuth, float half[2])
{
    RenderCamera camera = camera_at(200);
    camera.azimuth = azimuth;
    camera.fov = 1;
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    marks_outline(&marks, emitter, &plain);
    for (int line = 0; line < marks.count; line++)
        for (int axis = 0; axis < 2; axis++) {
            const OverlayLine *here = &marks.lines[line];
            low[axis] = fminf(low[axis], fminf(here->from[axis], here->to[axis]));
            high[axis] = fmaxf(high[axis], fmaxf(here->from[axis], here->to[axis]));
        }
    for (int axis = 0; axis < 2; axis++) {
        half[axis] = 0.5f * (high[axis] - low[axis]) * marks_point(&marks, emitter->center);
        assert_float_equal(0.5f * (high[axis] + low[axis]), axis == 0 ? WIDE / 2 : HIGH / 2, 0.5f);
    }
}

/* The outline of a shape is as wide, high and deep as the shape, however that is turned. */
static void outlines_have_the_size_of_the_shape(void **state)
{
    (void)state;
    static const struct {
        BillowShape shape;
        float size[3], half[3];
    } shapes[] = {
        {BILLOW_SPHERE, {0.3f}, {0.3f, 0.3f, 0.3f}},
        {BILLOW_BOX, {0.2f, 0.4f, 0.5f}, {0.2f, 0.4f, 0.5f}},
        {BILLOW_CYLINDER, {0.2f, 0.4f}, {0.2f, 0.4f, 0.2f}},
        {BILLOW_CAPSULE, {0.2f, 0.4f}, {0.2f, 0.6f, 0.2f}},
        {BILLOW_TORUS, {0.4f, 0.1f}, {0.5f, 0.1f, 0.5f}},
        {BILLOW_VOLUME, {0.6f}, {0.3f, 0.3f, 0.3f}},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int turned = 0; turned < 2; turned++) {
            BillowEmitter emitter = {.shape = shapes[s].shape, .center = {0.5f, 0.5f, 0.5f}};
            memcpy(emitter.size, shapes[s].size, sizeof emitter.size);
            emitter.rotation[2] = turned ? 0.70710678f : 0; /* a quarter turn: x becomes y */
            emitter.rotation[3] = turned ? 0.70710678f : 1;
            const float *half = shapes[s].half;
            float front[2], side[2];
            measure(&emitter, 0, front);
            measure(&emitter, 90, side);
            assert_float_equal(front[0], half[turned ? 1 : 0], 0.012f);
            assert_float_equal(front[1], half[turned ? 0 : 1], 0.012f);
            assert_float_equal(side[0], half[2], 0.012f);
            assert_float_equal(side[1], front[1], 0.012f);
        }
    const BillowEmitter plane = {.shape = BILLOW_PLANE, .rotation[3] = 1};
    const int before = marks.count;
    marks_outline(&marks, &plane, &plain);
    assert_int_equal(marks.count, before);
}

/* The handle of a lamp is a ring with rays that point away from it. */
static void handles_have_rays(void **state)
{
    (void)state;
    const RenderCamera camera = camera_at(2.5f);
    static Scene scene;
    scene = (Scene){.render.lamp_count = 1};
    scene.render.lamps[0] = (RenderLamp){.position = {0.6f, 0.5f, 0.5f}, .color = {1, 1, 1}};
    float middle[2], ring = 0, across[2];
    int rays = 0;
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    gizmo_mark(&scene, &(Gizmo){.kind = GIZMO_NONE}, &marks);
    assert_true(marks_place(&marks, scene.render.lamps[0].position, middle));
    for (int line = 0; line < marks.count; line++) {
        const OverlayLine *here = &marks.lines[line];
        float from = hypotf(here->from[0] - middle[0], here->from[1] - middle[1]);
        float to = hypotf(here->to[0] - middle[0], here->to[1] - middle[1]);
        ring = line == 0 ? from : ring;
        if (fabsf(to - from) < 0.1f) {
            assert_float_equal(from, ring, 0.1f);
            continue;
        }
        rays++;
        assert_true(from > ring && to > from);
        for (int axis = 0; axis < 2; axis++) {
            across[axis] = (here->from[axis] - middle[axis]) / from;
            assert_float_equal((here->to[axis] - middle[axis]) / to, across[axis], 0.01f);
        }
    }
    assert_int_equal(rays, 6);
}

/* The arrows of an attractor point to its middle, those of one that repels away from it. A vortex
 * turns as it says. A force without a radius has no marks. */
static void forces_show_their_sense(void **state)
{
    (void)state;
    const RenderCamera camera = camera_at(2.5f);
    const MarkStyle flat = {.color = {1, 1, 1, 1}, .width = 1, .flat = true};
    BillowForce force = billow_default_force();
    force.kind = BILLOW_ATTRACTOR;
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    marks_force(&marks, &force, 0, &flat);
    assert_int_equal(marks.count, 0);
    force.radius = 0.2f;
    const float points = force.radius / marks_point(&marks, force.center);
    for (int sign = -1; sign <= 1; sign += 2) {
        int arrows = 0;
        force.strength = (float)sign;
        marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
        marks_force(&marks, &force, 0, &flat);
        for (int line = 0; line < marks.count; line++) {
            const OverlayLine *here = &marks.lines[line];
            const float from = hypotf(here->from[0] - WIDE / 2, here->from[1] - HIGH / 2);
            const float to = hypotf(here->to[0] - WIDE / 2, here->to[1] - HIGH / 2);
            assert_true(from < 1.02f * points && to < 1.02f * points);
            if (fabsf(from - to) < 0.3f * points)
                continue; /* of the circle or of an arrow's head */
            assert_true((float)sign * (from - to) > 0);
            arrows++;
        }
        assert_int_equal(arrows, 8);
    }
    force.kind = BILLOW_VORTEX;
    force.velocity[0] = force.velocity[1] = 0;
    force.velocity[2] = 1; /* towards the camera: to the left above the middle */
    marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
    marks_force(&marks, &force, 0.5f, &flat);
    int sides = 0;
    for (int line = marks.count - 8; line < marks.count; line++) { /* four heads */
        const float *from = marks.lines[line].from, *to = marks.lines[line].to;
        const float turn =
            (from[0] - WIDE / 2) * (to[1] - HIGH / 2) - (from[1] - HIGH / 2) * (to[0] - WIDE / 2);
        assert_float_equal(hypotf(from[0] - WIDE / 2, from[1] - HIGH / 2), points, 0.6f);
        sides += turn > 0; /* back from the tip: clockwise, with y down */
    }
    assert_int_equal(sides, 8);
}

/* Tools that act at a distance or unseen show more than the ball of the brush. */
static void tools_show_what_they_do(void **state)
{
    (void)state;
    const RenderCamera camera = camera_at(2.5f);
    Brush brush = {.hand = brush_default_hand(), .over = true, .place = {0.5f, 0.5f, 0.5f}};
    int counts[BRUSH_TOOLS];
    brush.kind.size[0] = 0.1f;
    brush.pressure = brush.medium.length = 1;
    brush.forward[2] = -1;
    for (int tool = 0; tool < BRUSH_TOOLS; tool++) {
        brush.hand.tool = (BrushTool)tool;
        marks_begin(&marks, &camera, WIDE, HIGH, &(MarksScene){.solids = NULL});
        cursor_mark(&brush, false, 0, &marks);
        counts[tool] = marks.count;
    }
    assert_int_equal(counts[BRUSH_PUSH], counts[BRUSH_SMOKE]);
    assert_true(counts[BRUSH_SUCK] > counts[BRUSH_SMOKE] + 20);
    assert_true(counts[BRUSH_VORTEX] > counts[BRUSH_SMOKE] + 20);
    assert_true(counts[BRUSH_HEAT] > counts[BRUSH_SMOKE] + 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smoke_and_solids_hide),
        cmocka_unit_test(lines_are_whole),
        cmocka_unit_test(circles_are_round),
        cmocka_unit_test(handles_have_rays),
        cmocka_unit_test(forces_show_their_sense),
        cmocka_unit_test(tools_show_what_they_do),
        cmocka_unit_test(outlines_have_the_size_of_the_shape),
    };
    return cmocka_run_group_tests_name("marks", tests, NULL, NULL);
}
