/* SPDX-License-Identifier: MIT
 * Meshes: which are closed, and their distance volumes. */
#include "sim_fixture.h"

#include "sim/shapes/shape.h"
#include <billow/mesh.h>

#include <stdlib.h>

enum { AROUND = 48, RINGS = 24, BALL_VERTICES = AROUND * (RINGS - 1) + 2, SAMPLES = 33 };

typedef struct Ball {
    float vertices[BALL_VERTICES][3];
    int triangles[2 * AROUND * (RINGS - 1)][3];
    BillowMesh mesh;
} Ball;

static int ring_vertex(int ring, int step)
{
    return ring == 0 ? 0 : ring == RINGS ? 1 : 2 + (ring - 1) * AROUND + step % AROUND;
}

static void add(Ball *ball, int a, int b, int c)
{
    if (a == b || b == c || c == a)
        return;
    int *triangle = ball->triangles[ball->mesh.triangle_count++];
    triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

/* Meridians and parallels; outwards is anticlockwise. */
static void make_ball(Ball *ball, float radius)
{
    ball->mesh = (BillowMesh){(const float(*)[3])ball->vertices, BALL_VERTICES,
                              (const int(*)[3])ball->triangles, 0};
    for (int ring = 0; ring <= RINGS; ring++)
        for (int step = 0; step < AROUND; step++) {
            double down = PI * ring / RINGS, around = 2 * PI * step / AROUND;
            float *v = ball->vertices[ring_vertex(ring, step)];
            v[0] = radius * (float)(sin(down) * cos(around));
            v[1] = radius * (float)cos(down);
            v[2] = radius * (float)(sin(down) * sin(around));
        }
    for (int ring = 0; ring < RINGS; ring++)
        for (int step = 0; step < AROUND; step++) {
            int a = ring_vertex(ring, step), b = ring_vertex(ring, step + 1);
            int c = ring_vertex(ring + 1, step), d = ring_vertex(ring + 1, step + 1);
            add(ball, a, b, d);
            add(ball, a, d, c);
        }
}

static float (*distance)[SAMPLES][SAMPLES];

static BillowVolume voxelize(const BillowMesh *mesh, float low, float spacing)
{
    BillowVolume volume = {SAMPLES, SAMPLES, SAMPLES, {low, low, low}, spacing, .distance = NULL};
    void *scratch = malloc(billow_mesh_scratch(mesh, &volume));
    assert_non_null(scratch);
    BillowError error = {""};
    if (!billow_voxelize(mesh, &volume, &distance[0][0][0], scratch, &error))
        fail_msg("%s", error.text);
    free(scratch);
    return volume;
}

static int setup(void **state)
{
    (void)state;
    distance = malloc(sizeof(float[SAMPLES][SAMPLES][SAMPLES]));
    return distance == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(distance);
    return 0;
}

/* Samples fall on the poles' vertices, on edges and in planes of symmetry. */
static void a_ball_of_triangles_measures_like_a_ball(void **state)
{
    (void)state;
    static Ball ball;
    make_ball(&ball, 0.4f);
    BillowVolume volume = voxelize(&ball.mesh, -0.8f, 0.05f);
    for (int k = 0; k < SAMPLES; k++)
        for (int j = 0; j < SAMPLES; j++)
            for (int i = 0; i < SAMPLES; i++) {
                double x = -0.8 + 0.05 * i, y = -0.8 + 0.05 * j, z = -0.8 + 0.05 * k;
                double exact = sqrt(x * x + y * y + z * z) - 0.4;
                /* The triangles lie up to 0.4 (1 - cos(pi/48)^2), 0.0017, inside the ball. */
                assert_below(fabs((double)distance[k][j][i] - exact), 0.003);
            }
    PlacedShape placed =
        shape_place(BILLOW_VOLUME, (const float[3]){1, 1, 1}, (const float[3]){0, 0, 0},
                    (const float[4]){0, 0, 0, 1}, &volume);
    assert_below(fabs(shape_volume(&placed) / (4.0 / 3 * PI * 0.064) - 1), 0.02);
}

static const int cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* Vertex v of a cube at the corner with the bits of v. */
static void cube_vertices(float low, float high, float vertices[8][3])
{
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            vertices[v][axis] = v >> axis & 1 ? high : low;
}

static void a_cube_measures_like_a_box(void **state)
{
    (void)state;
    float vertices[8][3];
    cube_vertices(-0.5f, 0.5f, vertices); /* its faces go through samples */
    const BillowMesh cube = {(const float(*)[3])vertices, 8, cube_triangles, 12};
    voxelize(&cube, -1, 0.0625f);
    PlacedShape box = shape_place(BILLOW_BOX, (const float[3]){0.5f, 0.5f, 0.5f},
                                  (const float[3]){0, 0, 0}, (const float[4]){0, 0, 0, 1}, NULL);
    for (int k = 0; k < SAMPLES; k++)
        for (int j = 0; j < SAMPLES; j++)
            for (int i = 0; i < SAMPLES; i++) {
                const double p[3] = {-1 + i * 0.0625, -1 + j * 0.0625, -1 + k * 0.0625};
                assert_below(fabs((double)distance[k][j][i] - shape_distance(&box, p)), 1e-6);
            }
}

/* Two cubes that overlap in a mesh are one body, and a cube inside a cube the other way round is a
 * hollow. */
static void parts_overlap_and_hollow(void **state)
{
    (void)state;
    for (int hollow = 0; hollow < 2; hollow++) {
        float vertices[16][3];
        int triangles[24][3];
        cube_vertices(-0.51f, 0.51f, vertices);
        cube_vertices(hollow ? -0.3f : 0.1f, hollow ? 0.3f : 0.71f, vertices + 8);
        for (int t = 0; t < 24; t++)
            for (int c = 0; c < 3; c++)
                triangles[t][c] =
                    t < 12 ? cube_triangles[t][c] : 8 + cube_triangles[t - 12][hollow ? 2 - c : c];
        const BillowMesh mesh = {(const float(*)[3])vertices, 16, (const int(*)[3])triangles, 24};
        voxelize(&mesh, -1, 0.0625f);
        int middle = SAMPLES / 2, inner = middle + 4, outer = middle + 10;
        assert_true((distance[middle][middle][middle] > 0) == hollow);
        assert_true((distance[inner][inner][inner] > 0) == hollow);
        assert_true((distance[outer][outer][outer] > 0) == hollow);
        assert_true(distance[middle][middle][middle + 7] < 0);
        assert_true(distance[0][0][0] > 0 && distance[middle][middle][SAMPLES - 1] > 0);
    }
}

static void refused(const BillowMesh *mesh, const char *message)
{
    BillowError error = {""};
    void *scratch = malloc(billow_mesh_scratch(mesh, NULL));
    assert_non_null(scratch);
    assert_false(billow_mesh_check(mesh, scratch, &error));
    assert_string_equal(error.text, message);
    free(scratch);
}

static void what_is_no_closed_mesh_is_refused(void **state)
{
    (void)state;
    float vertices[8][3];
    int triangles[13][3];
    cube_vertices(0, 1, vertices);
    memcpy(triangles, cube_triangles, sizeof cube_triangles);
    BillowMesh mesh = {(const float(*)[3])vertices, 8, (const int(*)[3])triangles, 11};
    refused(&mesh, "not closed: the edge from (1, 1, 0) to (1, 0, 1) belongs to only one "
                   "triangle");
    mesh.triangle_count = 12;
    triangles[0][0] = 2, triangles[0][1] = 0;
    refused(&mesh, "the two triangles at the edge from (0, 0, 0) to (1, 0, 0) face opposite ways");
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++)
            triangles[t][c] = cube_triangles[t][2 - c];
    refused(&mesh, "inside out: its triangles face inwards, and it encloses -1; turn them round");
    memcpy(triangles, cube_triangles, sizeof cube_triangles);
    memcpy(triangles[12], triangles[0], sizeof triangles[0]);
    mesh.triangle_count = 13;
    refused(&mesh, "the edge from (0, 0, 0) to (1, 0, 0) belongs to 3 triangles, where a closed "
                   "mesh has two");
    mesh.triangle_count = 12;
    for (int c = 0; c < 3; c++) {
        memcpy(triangles[3], cube_triangles[3], sizeof triangles[3]);
        triangles[3][c] = 8;
        refused(&mesh, "triangle 3 has a corner 8; there are 8 vertices");
    }
    memcpy(triangles[3], cube_triangles[3], sizeof triangles[3]);
    triangles[3][1] = triangles[3][0];
    refused(&mesh, "triangle 3 has the same corner twice");
    vertices[5][2] = NAN;
    refused(&mesh, "vertex 5 has a coordinate that is not within 1e6");
    BillowVolume flat = {.nx = 1, .ny = 8, .nz = 8, .spacing = 1};
    BillowError error = {""};
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL));
    cube_vertices(0, 1, vertices);
    memcpy(triangles, cube_triangles, sizeof cube_triangles);
    assert_false(billow_voxelize(&mesh, &flat, NULL, scratch, &error));
    assert_string_equal(error.text,
                        "a volume needs at least 2 samples along each axis, at a spacing above 0");
    free(scratch);
    mesh.triangle_count = 0;
    refused(&mesh, "0 triangles; a closed mesh has 4 or more, and at most 50000000 are possible");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_of_triangles_measures_like_a_ball),
        cmocka_unit_test(a_cube_measures_like_a_box),
        cmocka_unit_test(parts_overlap_and_hollow),
        cmocka_unit_test(what_is_no_closed_mesh_is_refused),
    };
    return cmocka_run_group_tests_name("mesh", tests, setup, teardown);
}
