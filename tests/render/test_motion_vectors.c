/* SPDX-License-Identifier: MIT
 * Motion vectors of smoke, compared with pictures of smoke that has moved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/frame/camera.h"
#include "render/motion.h"
#include "smoke_fixture.h"

enum { CELLS = 32, WIDTH = 120, HEIGHT = 80, ACROSS = 60, DOWN = 40, VECTORS = ACROSS * DOWN };

typedef struct Flowing {
    Smoke smoke;
    float *faces[3];
    RenderSmoke settings;
    RenderCamera camera;
    const BillowSolid *solids;
    int solid_count;
} Flowing;

/* A soft ball there, in fluid that moves with one velocity. */
static Flowing flowing(const float center[3], const float velocity[3])
{
    Flowing flowing = {.smoke = smoke_with_room(CELLS, CELLS, CELLS),
                       .settings = {.extinction = 20, .extinction_color = {1, 1, 1}},
                       .camera = {.target = {0.5f, 0.5f, 0.5f},
                                  .distance = 2,
                                  .azimuth = 25,
                                  .elevation = 15,
                                  .fov = 40}};
    BillowView *view = &flowing.smoke.view;
    size_t count = (size_t)view->stride_z * (CELLS + 1);
    for (int axis = 0; axis < 3; axis++) {
        flowing.faces[axis] = malloc(count * sizeof(float));
        assert_non_null(flowing.faces[axis]);
        for (size_t i = 0; i < count; i++)
            flowing.faces[axis][i] = velocity[axis];
    }
    view->u = flowing.faces[0];
    view->v = flowing.faces[1];
    view->w = flowing.faces[2];
    for (int k = 0; k < CELLS; k++)
        for (int j = 0; j < CELLS; j++)
            for (int i = 0; i < CELLS; i++) {
                float x = ((float)i + 0.5f) / CELLS - center[0];
                float y = ((float)j + 0.5f) / CELLS - center[1];
                float z = ((float)k + 0.5f) / CELLS - center[2];
                float density = expf(-(x * x + y * y + z * z) / (0.1f * 0.1f));
                flowing.smoke.density[i + j * view->stride_y + k * view->stride_z] =
                    density > 1e-3f ? density : 0;
            }
    return flowing;
}

static void end(Flowing *flowing)
{
    for (int axis = 0; axis < 3; axis++)
        free(flowing->faces[axis]);
    smoke_destroy(&flowing->smoke);
}

static void fill(const Flowing *flowing, const RenderCamera *next, double seconds, float *vectors)
{
    motion_vectors_fill(&(MotionVectorsAsk){.view = &flowing->smoke.view,
                                            .solids = flowing->solids,
                                            .solid_count = flowing->solid_count,
                                            .smoke = &flowing->settings,
                                            .camera = &flowing->camera,
                                            .next = next,
                                            .seconds = seconds,
                                            .width = WIDTH,
                                            .height = HEIGHT,
                                            .across = ACROSS,
                                            .down = DOWN},
                        vectors);
}

/* The centre of the smoke in a picture, and its motion, in pixels. */
typedef struct Middle {
    double place[2], moves[2], opacity;
} Middle;

static Middle middle_of(const float *vectors)
{
    Middle middle = {0};
    for (int i = 0; i < VECTORS; i++) {
        const float *vector = vectors + MOTION_VECTOR_FLOATS * i;
        const double at[2] = {(i % ACROSS + 0.5) * WIDTH / ACROSS,
                              (i / ACROSS + 0.5) * HEIGHT / DOWN};
        middle.opacity += (double)vector[2];
        for (int axis = 0; axis < 2; axis++) {
            middle.place[axis] += (double)vector[2] * at[axis];
            middle.moves[axis] += (double)vector[2] * (double)vector[axis];
        }
    }
    assert_true(middle.opacity > 1);
    for (int axis = 0; axis < 2; axis++) {
        middle.place[axis] /= middle.opacity;
        middle.moves[axis] /= middle.opacity;
    }
    return middle;
}

/* The ball's own picture has moved as its vectors say. */
static void test_smoke_moves_as_said(void **state)
{
    (void)state;
    static const float velocities[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6f, -0.7f, -0.8f}};
    const float here[3] = {0.45f, 0.5f, 0.55f}, still[3] = {0};
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS], later[VECTORS * MOTION_VECTOR_FLOATS];
    for (int way = 0; way < 4; way++) {
        const float *velocity = velocities[way];
        const double seconds = 0.1;
        Flowing now = flowing(here, velocity);
        float there[3];
        for (int axis = 0; axis < 3; axis++)
            there[axis] = here[axis] + velocity[axis] * (float)seconds;
        Flowing then = flowing(there, still);
        fill(&now, &now.camera, seconds, vectors);
        fill(&then, &then.camera, seconds, later);
        Middle from = middle_of(vectors), to = middle_of(later);
        double length = hypot(to.place[0] - from.place[0], to.place[1] - from.place[1]);
        double wrong = hypot(to.place[0] - from.place[0] - from.moves[0],
                             to.place[1] - from.place[1] - from.moves[1]);
        print_message("moves %.2f %.2f pixels, said %.2f %.2f\n", to.place[0] - from.place[0],
                      to.place[1] - from.place[1], from.moves[0], from.moves[1]);
        assert_true(length > 1);
        assert_true(wrong < 0.03 * length);
        assert_true(hypot(to.moves[0], to.moves[1]) < 1e-3);
        end(&now);
        end(&then);
    }
}

static void test_camera_moves(void **state)
{
    (void)state;
    const float here[3] = {0.5f, 0.5f, 0.28f}, still[3] = {0};
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS], later[VECTORS * MOTION_VECTOR_FLOATS];
    Flowing smoke = flowing(here, still);
    RenderCamera next = smoke.camera;
    next.azimuth += 20;
    smoke.settings.extinction = 0.5f; /* thin: both sides count, and turn alike about the middle */
    fill(&smoke, &next, 0.1, vectors);
    smoke.camera = next;
    fill(&smoke, &next, 0.1, later);
    Middle from = middle_of(vectors), to = middle_of(later);
    double moved = to.place[0] - from.place[0];
    print_message("moves %.2f pixels, said %.2f\n", moved, from.moves[0]);
    assert_true(fabs(moved) > 1);
    assert_true(fabs(moved - from.moves[0]) < 0.03 * fabs(moved));
    end(&smoke);
}

/* Right in front, left behind: what is before the thick smoke counts. */
static void test_front_counts(void **state)
{
    (void)state;
    const float here[3] = {0.5f, 0.5f, 0.5f}, right[3] = {1, 0, 0};
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS];
    Flowing smoke = flowing(here, right);
    const BillowView *view = &smoke.smoke.view;
    for (int k = 0; k < CELLS / 2; k++)
        for (int i = 0; i < view->stride_z; i++)
            smoke.faces[0][i + k * view->stride_z] = -1;
    smoke.camera.azimuth = smoke.camera.elevation = 0;
    const float *center = vectors + MOTION_VECTOR_FLOATS * (DOWN / 2 * ACROSS + ACROSS / 2);
    smoke.settings.extinction = 0.1f;
    fill(&smoke, &smoke.camera, 0.1, vectors);
    float thin = center[0];
    smoke.settings.extinction = 300;
    fill(&smoke, &smoke.camera, 0.1, vectors);
    assert_true(fabsf(thin) < 0.7f);
    assert_true(center[0] > 4);
    assert_true(center[2] > 0.98f && center[2] <= 1);
    assert_true(fabsf(center[1]) < 0.1f);

    const float front[3] = {0.5f, 0.5f, 0.8f};
    float *solid = smoke_solid_ball(&smoke.smoke, front, 0.1f);
    fill(&smoke, &smoke.camera, 0.1, vectors);
    assert_true(fabsf(center[0]) < 0.01f);
    assert_true(center[2] > 0.999f);
    free(solid);
    end(&smoke);
}

/* Each depth counts by the light that reaches the camera from it: e^-t of an optical depth t. Even
 * smoke whose front half moves right and whose back half moves left. */
static void test_depths_are_weighed(void **state)
{
    (void)state;
    const float here[3] = {0.5f, 0.5f, 0.5f}, right[3] = {1, 0, 0};
    const double seconds = 0.01, extinctions[] = {0.5, 2, 4};
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS];
    Flowing smoke = flowing(here, right);
    const BillowView *view = &smoke.smoke.view;
    for (int k = 0; k < CELLS; k++)
        for (int i = 0; i < view->stride_z; i++) {
            smoke.smoke.density[i + k * view->stride_z] = 1;
            smoke.faces[0][i + k * view->stride_z] = k < CELLS / 2 ? -1 : 1;
        }
    smoke.camera.azimuth = smoke.camera.elevation = 0;
    const float *center = vectors + MOTION_VECTOR_FLOATS * (DOWN / 2 * ACROSS + ACROSS / 2);
    for (int e = 0; e < 3; e++) {
        double extinction = extinctions[e], sum = 0, weights = 0;
        smoke.settings.extinction = (float)extinction;
        fill(&smoke, &smoke.camera, seconds, vectors);
        for (int step = 0; step < 1000; step++) {
            double depth = (step + 0.5) / 1000, far = 1.5 + depth;
            double weight = exp(-extinction * depth), speed = depth < 0.5 ? 1 : -1;
            double height = 2 * far * tan(20 * 3.14159265358979 / 180);
            sum += weight * speed * seconds * HEIGHT / height;
            weights += weight;
        }
        double wanted = sum / weights, unit = seconds * HEIGHT / (2 * 2 * tan(0.349065850));
        if (!(fabs((double)center[0] - wanted) < 0.02 * unit))
            fail_msg("extinction %g: %g pixels, not %g", extinction, (double)center[0], wanted);
    }
    end(&smoke);
}

/* The matrix of the camera puts a point of a pixel's ray on that pixel, whatever the shape of the
 * picture. */
static void test_matrix_and_rays_agree(void **state)
{
    (void)state;
    const int sizes[][2] = {{120, 80}, {50, 200}};
    const float pixels[][2] = {{10, 5}, {37.5f, 60}, {49, 79}};
    for (int s = 0; s < 2; s++)
        for (int p = 0; p < 3; p++) {
            const RenderCamera settings = {{0.1f, 0.2f, 0.3f}, 3, 25, 15, 40};
            Camera camera = camera_from_settings(&settings, sizes[s][0], sizes[s][1]);
            float m[16], origin[3], ray[3], clip[4];
            camera_view_projection(&camera, m);
            camera_ray(&settings, sizes[s][0], sizes[s][1], pixels[p][0], pixels[p][1], origin,
                       ray);
            for (int row = 0; row < 4; row++) {
                clip[row] = m[12 + row];
                for (int a = 0; a < 3; a++)
                    clip[row] += m[4 * a + row] * (origin[a] + 2 * ray[a]);
            }
            float x = 0.5f * (1 + clip[0] / clip[3]) * (float)sizes[s][0];
            float y = 0.5f * (1 - clip[1] / clip[3]) * (float)sizes[s][1];
            assert_true(fabsf(x - pixels[p][0]) < 1e-2f && fabsf(y - pixels[p][1]) < 1e-2f);
        }
}

/* A moving ball without smoke, beside one at rest. Its picture moves as its vectors say, and
 * those of a turning ball follow its surface. */
static void test_solids_move_as_said(void **state)
{
    (void)state;
    const float nowhere[3] = {9, 9, 9}, right[3] = {1, 0, 0}, radius = 0.15f;
    const double seconds = 0.1;
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS], later[VECTORS * MOTION_VECTOR_FLOATS];
    BillowSolid balls[2] = {billow_default_solid(), billow_default_solid()};
    memcpy(balls[0].center, nowhere, sizeof nowhere);
    memcpy(balls[1].center, (const float[3]){0.42f, 0.5f, 0.5f}, sizeof balls[1].center);
    memcpy(balls[1].velocity, (const float[3]){1.2f, 0.9f, 0.6f}, sizeof balls[1].velocity);
    balls[1].size[0] = radius;
    Flowing smoke = flowing(nowhere, right); /* the fluid's own way is not the ball's */
    smoke.solids = balls;
    smoke.solid_count = 2;
    float *solid = smoke_solid_ball(&smoke.smoke, balls[1].center, radius);
    fill(&smoke, &smoke.camera, seconds, vectors);
    free(solid);
    for (int axis = 0; axis < 3; axis++)
        balls[1].center[axis] += balls[1].velocity[axis] * (float)seconds;
    solid = smoke_solid_ball(&smoke.smoke, balls[1].center, radius);
    fill(&smoke, &smoke.camera, seconds, later);
    Middle from = middle_of(vectors), to = middle_of(later);
    double length = hypot(to.place[0] - from.place[0], to.place[1] - from.place[1]);
    double wrong = hypot(to.place[0] - from.place[0] - from.moves[0],
                         to.place[1] - from.place[1] - from.moves[1]);
    print_message("moves %.2f %.2f pixels, said %.2f %.2f\n", to.place[0] - from.place[0],
                  to.place[1] - from.place[1], from.moves[0], from.moves[1]);
    assert_true(length > 4);
    assert_true(wrong < 0.06 * length); /* the nearer side counts, which seems to go farther */

    /* After a quarter turn about the line of sight, each point of the rim is where the next
     * quarter was. */
    memset(balls[1].velocity, 0, sizeof balls[1].velocity);
    memcpy(balls[1].center, (const float[3]){0.5f, 0.5f, 0.5f}, sizeof balls[1].center);
    memcpy(balls[1].spin, (const float[3]){0, 0, 15.70796f}, sizeof balls[1].spin);
    smoke.camera.azimuth = smoke.camera.elevation = 0;
    free(solid);
    solid = smoke_solid_ball(&smoke.smoke, balls[1].center, radius);
    fill(&smoke, &smoke.camera, seconds, vectors);
    const int off = 2; /* vectors right of the middle, two pixels each */
    const float *rim = vectors + MOTION_VECTOR_FLOATS * (DOWN / 2 * ACROSS + ACROSS / 2 + off);
    assert_true(rim[2] > 0.999f);
    float arm = 2 * (off + 0.5f);
    print_message("%g pixels from the middle it moves %g %g\n", (double)arm, (double)rim[0],
                  (double)rim[1]);
    assert_true(fabsf(rim[0] + arm) < 1.5f && fabsf(rim[1] + arm) < 2.5f);
    smoke.solid_count = 0; /* not told of it, it is taken to stand */
    fill(&smoke, &smoke.camera, seconds, vectors);
    assert_true(rim[0] == 0 && rim[1] == 0 && rim[2] > 0.999f);
    free(solid);
    end(&smoke);
}

static void test_nothing_is_still(void **state)
{
    (void)state;
    const float here[3] = {0.5f, 0.5f, 0.5f}, right[3] = {1, 0, 0};
    static float vectors[VECTORS * MOTION_VECTOR_FLOATS];
    Flowing smoke = flowing(here, right);
    fill(&smoke, &smoke.camera, 0.1, vectors);
    int clear = 0;
    for (int i = 0; i < VECTORS; i++) {
        const float *vector = vectors + MOTION_VECTOR_FLOATS * i;
        assert_true(isfinite(vector[0]) && isfinite(vector[1]));
        assert_true(vector[2] >= 0 && vector[2] <= 1);
        if (vector[2] == 0) {
            assert_true(vector[0] == 0 && vector[1] == 0);
            clear++;
        }
    }
    assert_true(clear > VECTORS / 2);
    smoke.smoke.view.u = NULL; /* a view without velocity */
    fill(&smoke, &smoke.camera, 0.1, vectors);
    Middle middle = middle_of(vectors);
    assert_true(hypot(middle.moves[0], middle.moves[1]) < 1e-3);
    end(&smoke);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke_moves_as_said),   cmocka_unit_test(test_camera_moves),
        cmocka_unit_test(test_front_counts),          cmocka_unit_test(test_solids_move_as_said),
        cmocka_unit_test(test_nothing_is_still),      cmocka_unit_test(test_depths_are_weighed),
        cmocka_unit_test(test_matrix_and_rays_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
