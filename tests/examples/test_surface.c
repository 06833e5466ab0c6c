/* SPDX-License-Identifier: MIT
 * The flow on surfaces of examples/surface.c: what its mesh and its solver promise, with the
 * measured figures printed, and what its input and its reader of files do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "surface.c"
#include "surface_flow.c"
#include "surface_pressure.c"

/* -- shapes ------------------------------------------------------------------------------------ */

static const char file[] = "test_surface.obj";

static void write_file(const char *text)
{
    FILE *stream = fopen(file, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
    assert_int_equal(fclose(stream), 0);
}

/* Three cubes in the shape of an L: 3, 4 and 5 patches meet at vertices. */
static const char corner_text[] = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 0 2 0\n"
                                  "v 1 2 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\nv 0 1 1\nv 1 1 1\nv 2 1 1\n"
                                  "v 0 2 1\nv 1 2 1\n"
                                  "f 1 4 5 2\nf 2 5 6 3\nf 4 7 8 5\n"
                                  "f 9 10 13 12\nf 10 11 14 13\nf 12 13 16 15\n"
                                  "f 1 2 10 9\nf 2 3 11 10\nf 3 6 14 11\nf 6 5 13 14\n"
                                  "f 5 8 16 13\nf 8 7 15 16\nf 7 4 12 15\nf 4 1 9 12\n";

static const char *const shapes[] = {"sphere", "torus", file};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void make_flow(Flow *flow, const char *shape, int cells)
{
    ExampleError error = {.text = "none"};
    if (strcmp(shape, file) == 0)
        write_file(corner_text);
    bool made = flow_create(flow, shape, cells, &error);
    remove(file);
    if (!made)
        fail_msg("%s: %s", shape, error.text);
}

/* -- fields ------------------------------------------------------------------------------------ */

static const double pi = 3.14159265358979323846;
static const double turn_time = 6; /* of a solid rotation */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* A number from -1 to 1 that looks random. */
static double noise(size_t k)
{
    uint32_t x = (uint32_t)k * 2654435761u + 12345u;
    x = (x ^ (x >> 15)) * 2246822519u;
    return (double)(x ^ (x >> 13)) / 0x1p31 - 1;
}

static void set_velocity(Flow *flow, size_t c, Vec w)
{
    flow->us[c] = dot(flow->mesh.cell[c].dual_s, w);
    flow->ut[c] = dot(flow->mesh.cell[c].dual_t, w);
}

/* Solid rotation around an axis: w = omega x position. */
static void set_rotation(Flow *flow, Vec axis)
{
    Vec omega = times(2 * pi / turn_time, unit(axis));
    for (size_t k = 0; k < flow->mesh.inner; k++) {
        size_t c = flow->mesh.inside[k];
        set_velocity(flow, c, cross(omega, cell_centre(&flow->mesh, c)));
    }
}

static Vec velocity(const Flow *flow, size_t c)
{
    const Cell *cell = &flow->mesh.cell[c];
    return plus(times(flow->us[c], cell->es), times(flow->ut[c], cell->et));
}

/* Root of the mean square over the surface of the velocity, or of its difference from that of
 * another flow. */
static double speed(const Flow *flow, const Flow *other)
{
    double sum = 0, area = 0;
    for (size_t k = 0; k < flow->mesh.inner; k++) {
        size_t c = flow->mesh.inside[k];
        Vec w = velocity(flow, c);
        if (other != NULL)
            w = minus(w, velocity(other, c));
        sum += flow->mesh.cell[c].area * dot(w, w);
        area += flow->mesh.cell[c].area;
    }
    return sqrt(sum / area);
}

/* Root of the sum of the squares of the outflow, which the projection makes small. */
static double outflow(const Flow *flow)
{
    const Mesh *mesh = &flow->mesh;
    double *found = calloc(mesh->points, sizeof *found), sum = 0;
    assert_non_null(found);
    velocity_outflow(mesh, flow->us, flow->ut, found);
    for (size_t p = 0; p < mesh->points; p++)
        sum += found[p] * found[p];
    free(found);
    return sqrt(sum);
}

/* Fails unless a measured figure is within its bounds. Prints it in any case. */
static void check_figure(const char *what, double figure, double least, double most)
{
    print_message("%s: %.3g (%.3g to %.3g)\n", what, figure, least, most);
    if (!(figure >= least && figure <= most))
        fail_msg("%s: measured %.6g, not %g to %g", what, figure, least, most);
}

/* -- the mesh ---------------------------------------------------------------------------------- */

static void test_area_is_that_of_the_shape(void **state)
{
    (void)state;
    const double exact[] = {4 * pi, 4 * pi * pi * 0.68 * 0.32};
    for (int s = 0; s < 2; s++) {
        Flow flow;
        double area = 0, far = 0;
        make_flow(&flow, shapes[s], 32);
        const Mesh *mesh = &flow.mesh;
        for (size_t k = 0; k < mesh->inner; k++)
            area += mesh->cell[mesh->inside[k]].area;
        for (size_t p = 0; p < mesh->points; p++) {
            Vec x = mesh->position[p];
            double r = hypot(x.x, x.z) - 0.68;
            far = larger(far, fabs(s == 0 ? norm(x) - 1 : hypot(r, x.y) - 0.32));
        }
        check_figure("area of a shape beside the exact one", area / exact[s], 0.997, 1);
        check_figure("distance of grid points from the shape", far, 0, 1e-12);
        flow_destroy(&flow);
    }
}

/* The subdivision's limit at a vertex, edge and face of a cube of side 2, by hand. A corner has the
 * limit (9 S + 4 (A1 + A2 + A3) + D1 + D2 + D3) / 24, with |S| = sqrt(3): S/3 in each coordinate.
 */
static void test_limit_of_a_cube(void **state)
{
    (void)state;
    ExampleError error;
    Mesh mesh;
    write_file(
        "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 7 3\nf 2 4 8 6\n");
    assert_false(mesh_create(&mesh, file, 4, &error)); /* the fourth face is turned over */
    assert_string_equal(
        error.text, "test_surface.obj:9: the edge between vertices 3 and 4 runs the same way in "
                    "the face of line 12; one face must be turned over");
    write_file(
        "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n"
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    assert_true(mesh_create(&mesh, file, 4, &error));
    remove(file);
    /* S = 1: the three A sum to 3 - 2, the three D to -3 + 0 (their coordinates are 1, -1, -1).
     * Coordinate of the limit: (9 + 4 - 1) / 24 = 1/2. Centre of a face: after one subdivision it
     * is regular with S = 1, four A = 3/4 and four D = 5/9: (16 + 12 + 20/9) / 36. */
    double centre = (16 + 12 + 20.0 / 9) / 36, vertex = 0.5 * sqrt(3);
    double ratio = norm(mesh.position[mesh_point(&mesh, 4, 0, 2, 2)]) /
                   norm(mesh.position[mesh_point(&mesh, 4, 0, 0, 0)]);
    check_figure("limits of a cube's face and vertex beside those by hand",
                 ratio / (centre / vertex), 1 - 1e-12, 1 + 1e-12);
    mesh_free(&mesh);
}

/* (1) Both patches of an edge give a place the same grid point, and back again it is the same
 * place. */
static void test_patches_meet_at_their_edges(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        make_flow(&flow, shapes[s], 8);
        const Mesh *mesh = &flow.mesh;
        int seen[4] = {0};
        for (int p = 0; p < mesh->patches; p++)
            for (int edge = 0; edge < 4; edge++)
                for (int k = 0; k <= 8; k++) {
                    double s0 = edge == 0 ? k : edge == 1 ? 8 : edge == 2 ? 8 - k : 0;
                    double t0 = edge == 0 ? 0 : edge == 1 ? k : edge == 2 ? 8 : 8 - k;
                    Place other = mesh_cross(mesh, (Place){p, s0, t0}, edge);
                    Place back = mesh_cross(mesh, other, mesh->patch[p].entry[edge]);
                    assert_int_equal(other.patch, mesh->patch[p].neighbour[edge]);
                    assert_int_equal(mesh_point(mesh, 8, p, (int)s0, (int)t0),
                                     mesh_point(mesh, 8, other.patch, (int)other.s, (int)other.t));
                    assert_true(back.patch == p && back.s == s0 && back.t == t0);
                    seen[mesh_turns(&mesh->patch[p], edge)]++;
                }
        print_message("%s: edges turn by 0 to 3 quarters %d, %d, %d, %d times\n", shapes[s],
                      seen[0] / 9, seen[1] / 9, seen[2] / 9, seen[3] / 9);
        flow_destroy(&flow);
    }
}

/* A velocity that is smooth in space has border layers that agree with the cells that they copy,
 * seen from the coordinates of the patch. Coordinates have kinks near vertices where other than 4
 * meet. */
static void test_velocity_is_turned_at_edges(void **state)
{
    (void)state;
    const Vec axis = {0.3, 0.8, 0.5};
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        double worst = 0;
        int turned_corners = 0;
        make_flow(&flow, shapes[s], 64);
        set_rotation(&flow, axis);
        border_velocity(&flow);
        const Mesh *mesh = &flow.mesh;
        for (int p = 0; p < mesh->patches; p++)
            for (int edge = 0; edge < 4; edge++)
                for (int k = 0; k <= 65; k++) {
                    const int *corner = mesh->patch[p].corner;
                    bool regular = mesh->valence[corner[edge]] == 4;
                    bool ends_so = mesh->valence[corner[(edge + 1) % 4]] == 4;
                    if ((k < 16 && !regular) || (k > 48 && !ends_so) || k == 65)
                        continue;
                    turned_corners += k == 0 && mesh_turns(&mesh->patch[p], edge) != 0;
                    size_t outer = k == 0 ? mesh_corner_cell(mesh, p, edge, 0)
                                          : edge_cell(mesh, p, edge, k, 0);
                    size_t inner = k == 0 ? mesh_corner_cell(mesh, p, edge, 1)
                                          : edge_cell(mesh, p, edge, k, 1);
                    double step =
                        hypot(flow.us[outer] - flow.us[inner], flow.ut[outer] - flow.ut[inner]);
                    worst = larger(worst, step * sqrt(mesh->cell[inner].area));
                }
        check_figure("step of the velocity's components into the border layer", worst, 1e-4, 0.05);
        assert_true(s < 2 || turned_corners > 0);
        flow_destroy(&flow);
    }
}

/* Both patches of an edge interpolate the same value on it, also at vertices of 3 and 4. At
 * vertices of 5 the range of the cells around limits it: cells differ by up to 0.13 there. */
static void test_fields_are_continuous(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        double worst = 0;
        make_flow(&flow, shapes[s], 8);
        const Mesh *mesh = &flow.mesh;
        double *x = flow.smoke[0];
        for (size_t k = 0; k < mesh->inner;
             k++) /* a vertex of 5 limits values only if they vary much */
            x[mesh->inside[k]] = 1 + cell_centre(mesh, mesh->inside[k]).x + 1e-3 * noise(k);
        flow_border(&flow, x);
        for (int p = 0; p < mesh->patches; p++)
            for (int edge = 0; edge < 4; edge++)
                for (int k = 0; k <= 64; k++) {
                    double a = k / 8.0;
                    Place here = {p,
                                  edge == 0   ? a
                                  : edge == 1 ? 8
                                  : edge == 2 ? 8 - a
                                              : 0,
                                  edge == 0   ? 0
                                  : edge == 1 ? a
                                  : edge == 2 ? 8
                                              : 8 - a};
                    Place there = mesh_cross(mesh, here, edge);
                    worst = larger(worst, fabs(interpolate(mesh, x, sample_at(mesh, here)) -
                                               interpolate(mesh, x, sample_at(mesh, there))));
                }
        check_figure("jump of an interpolated field across edges", worst, 0, s < 2 ? 1e-14 : 0.02);
        flow_destroy(&flow);
    }
}

/* -- (a) amounts of smoke ---------------------------------------------------------------------- */

static void set_spot(const Mesh *mesh, double *x, Vec middle, double radius)
{
    for (size_t k = 0; k < mesh->inner; k++) {
        double far = norm(minus(cell_centre(mesh, mesh->inside[k]), middle)) / radius;
        x[mesh->inside[k]] = exp(-far * far);
    }
}

/* 1000 steps of a stirred flow without sources. (7) keeps the amounts. */
static void test_amounts_are_kept(void **state)
{
    (void)state;
    skip_sanitized();
    ExampleError error;
    Surface *surface = surface_make("sphere", 32, &error);
    assert_non_null(surface);
    for (int frame = 0; frame < 60; frame++) {
        ExampleInput input = {0};
        surface_script(surface, frame, &input);
        surface_input(surface, &input);
        surface_step(surface);
    }
    Flow *flow = &surface->flow;
    double before[DYES], most = 0, change = 0, least = 1;
    for (int dye = 0; dye < DYES; dye++) {
        before[dye] = flow_amount(flow, flow->smoke[dye]);
        for (size_t k = 0; k < flow->mesh.inner; k++)
            most = larger(most, flow->smoke[dye][flow->mesh.inside[k]]);
    }
    double start = speed(flow, NULL);
    int iterations = 0;
    for (int step = 0; step < 1000; step++) {
        surface_step(surface);
        if (flow->projection.iterations > iterations)
            iterations = flow->projection.iterations;
    }
    check_figure("iterations for a flow", iterations, 2, 20);
    double after = 0;
    for (int dye = 0; dye < DYES; dye++) {
        change = larger(change, fabs(flow_amount(flow, flow->smoke[dye]) / before[dye] - 1));
        for (size_t k = 0; k < flow->mesh.inner; k++) {
            after = larger(after, flow->smoke[dye][flow->mesh.inside[k]]);
            least = fmin(least, flow->smoke[dye][flow->mesh.inside[k]]);
        }
    }
    check_figure("change of the amounts in 1000 steps", change, 0, 1e-12);
    check_figure("largest smoke after 1000 steps beside before", after / most, 0.2, 1.1);
    check_figure("smallest smoke", least, 0, 1);
    check_figure("speed after 1000 steps beside before", speed(flow, NULL) / start, 0.05, 1);
    surface_destroy(surface);
}

/* What (6) alone changes: next to nothing of a spot that the grid resolves. */
static void test_advection_nearly_keeps_amounts(void **state)
{
    (void)state;
    Flow flow;
    make_flow(&flow, "sphere", 64);
    double *x = flow.smoke[0];
    set_rotation(&flow, (Vec){0.3, 0.8, 0.5});
    set_spot(&flow.mesh, x, (Vec){0, 0, 1}, 0.3);
    double before = flow_amount(&flow, x);
    flow_trace(&flow, time_step);
    for (int step = 1; step <= 1000; step++) {
        flow_advect(&flow, x);
        if (step == 180)
            check_figure("change of a spot's amount in one turn without (7)",
                         fabs(flow_amount(&flow, x) / before - 1), 0, 1e-3);
    }
    check_figure("change in 1000 steps without (7)", fabs(flow_amount(&flow, x) / before - 1), 1e-6,
                 0.04);
    flow_destroy(&flow);
}

/* -- (b) no seams ------------------------------------------------------------------------------ */

static void test_uniform_smoke_stays_uniform(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        double off = 0;
        make_flow(&flow, shapes[s], 16);
        const Mesh *mesh = &flow.mesh;
        for (size_t k = 0; k < mesh->inner; k++) {
            size_t c = mesh->inside[k];
            flow.smoke[0][c] = 0.7;
            set_velocity(&flow, c, (Vec){noise(3 * k), noise(3 * k + 1), noise(3 * k + 2)});
        }
        for (int step = 0; step < 100; step++)
            flow_step(&flow, time_step);
        for (size_t k = 0; k < mesh->inner; k++)
            off = larger(off, fabs(flow.smoke[0][mesh->inside[k]] / 0.7 - 1));
        check_figure("change of uniform smoke in 100 steps", off, 0, 1e-12);
        flow_destroy(&flow);
    }
}

/* Largest difference of a field between neighbouring cells, inside of patches and across edges. */
static void find_jumps(Flow *flow, double *x, double *inside, double *across)
{
    const Mesh *mesh = &flow->mesh;
    flow_border(flow, x);
    *inside = *across = 0;
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k], side = (size_t)mesh->n + 2;
        size_t beside[4] = {c - 1, c + 1, c - side, c + side};
        for (int b = 0; b < 4; b++) {
            double *largest = mesh->cell[beside[b]].area > 0 ? inside : across;
            *largest = larger(*largest, fabs(x[c] - x[beside[b]]));
        }
    }
}

/* Turns a vector around an axis. */
static Vec turned(Vec x, Vec axis, double angle)
{
    Vec along = times(dot(axis, x), axis), aside = minus(x, along);
    return plus(along, plus(times(cos(angle), aside), times(sin(angle), cross(axis, x))));
}

/* A linear function of space is turned with the sphere. Its difference from the exact one changes
 * from cell to cell, and across edges no more than inside of patches, where cells differ by up to
 * 0.04. */
static void test_smoke_in_rotation_shows_no_seam(void **state)
{
    (void)state;
    const Vec axis = unit((Vec){0.3, 0.8, 0.5}), slope = {0.6, -0.5, 0.3};
    const int steps = 90;
    Flow flow;
    double inside, across;
    make_flow(&flow, "sphere", 32);
    const Mesh *mesh = &flow.mesh;
    double *x = flow.smoke[0];
    set_rotation(&flow, axis);
    for (size_t k = 0; k < mesh->inner; k++)
        x[mesh->inside[k]] = 2 + dot(slope, cell_centre(mesh, mesh->inside[k]));
    flow_trace(&flow, time_step);
    for (int step = 0; step < steps; step++)
        flow_advect(&flow, x);
    find_jumps(&flow, x, &inside, &across);
    check_figure("difference of cells inside of patches", inside, 0.03, 0.06);
    check_figure("difference of cells across edges beside that", across / inside, 0.7, 1);
    for (size_t k = 0; k < mesh->inner; k++) {
        Vec start = turned(cell_centre(mesh, mesh->inside[k]), axis,
                           -2 * pi * steps * time_step / turn_time);
        x[mesh->inside[k]] -= 2 + dot(slope, start);
    }
    find_jumps(&flow, x, &inside, &across);
    check_figure("difference of errors inside of patches", inside, 0, 0.006);
    check_figure("difference of errors across edges beside that", across / inside, 0, 1.25);
    flow_destroy(&flow);
}

/* The same of the velocity that the whole solver has after half a turn. */
static void test_velocity_of_rotation_shows_no_seam(void **state)
{
    (void)state;
    const Vec axis = {0.3, 0.8, 0.5};
    Flow flow, start;
    make_flow(&flow, "sphere", 32);
    make_flow(&start, "sphere", 32);
    const Mesh *mesh = &flow.mesh;
    set_rotation(&flow, axis);
    set_rotation(&start, axis);
    for (int step = 0; step < 90; step++)
        flow_step(&flow, time_step);
    double inside = 0, across = 0;
    for (int a = 0; a < SPACE; a++) {
        double one, other;
        for (size_t k = 0; k < mesh->inner; k++) {
            size_t c = mesh->inside[k];
            Vec w = minus(velocity(&flow, c), velocity(&start, c));
            flow.space[a][c] = a == 0 ? w.x : a == 1 ? w.y : w.z;
        }
        find_jumps(&flow, flow.space[a], &one, &other);
        inside = larger(inside, one);
        across = larger(across, other);
    }
    check_figure("difference of errors of the velocity inside of patches", inside, 0, 0.005);
    check_figure("difference of them across edges beside that", across / inside, 0, 1.25);
    flow_destroy(&flow);
    flow_destroy(&start);
}

/* -- (c) divergence ---------------------------------------------------------------------------- */

static void test_projection_leaves_no_divergence(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        make_flow(&flow, shapes[s], 32);
        const Mesh *mesh = &flow.mesh;
        for (size_t k = 0; k < mesh->inner; k++)
            set_velocity(&flow, mesh->inside[k],
                         (Vec){noise(3 * k), noise(3 * k + 1), noise(3 * k + 2)});
        double before = outflow(&flow), sum = 0, start = speed(&flow, NULL);
        project(&flow.projection, mesh, flow.us, flow.ut, 1e-4);
        check_figure("divergence after projection beside before", outflow(&flow) / before, 0,
                     1.01e-4);
        check_figure("iterations for noise", flow.projection.iterations, 2, 20);
        check_figure("speed after projection beside before", speed(&flow, NULL) / start, 0.3, 0.95);
        for (size_t p = 0; p < mesh->points; p++)
            sum += flow.projection.divergence[p];
        check_figure("sum of the divergence over the surface", fabs(sum) / before, 0, 1e-12);
        flow_destroy(&flow);
    }
}

/* The matrix is symmetric, and without sign: p A q = q A p and p A p >= 0. */
static void test_laplacian_is_symmetric(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        Flow flow;
        make_flow(&flow, shapes[s], 8);
        const Mesh *mesh = &flow.mesh;
        Projection *projection = &flow.projection;
        double *p = projection->pressure, *q = projection->direction, *image = projection->image;
        for (size_t k = 0; k < mesh->points; k++) {
            p[k] = noise(k);
            q[k] = noise(k + mesh->points);
        }
        gradient_outflow(projection, mesh, p, image);
        double qAp = product(mesh, q, image), pAp = product(mesh, p, image);
        gradient_outflow(projection, mesh, q, image);
        double pAq = product(mesh, p, image);
        check_figure("asymmetry of the laplacian", fabs(pAq - qAp) / fabs(pAp), 0, 1e-12);
        assert_true(pAp < 0);
        flow_destroy(&flow);
    }
}

/* -- (d), (e) solid rotation and gradients on the sphere --------------------------------------- */

/* A spot that one turn takes over faces, edges and corners of the cube is back where it was. */
static void test_a_turn_brings_a_spot_back(void **state)
{
    (void)state;
    const Vec axes[] = {{0, 1, 0}, {1, -1, 0}, {0.3, 0.8, 0.5}};
    const Vec starts[] = {{0, 0, 1}, {1, 1, 1}, {0, 0, 1}}; /* over edges; over corners; oblique */
    Flow flow;
    make_flow(&flow, "sphere", 64);
    const Mesh *mesh = &flow.mesh;
    double *now = flow.smoke[0], *start = flow.smoke[1];
    for (int a = 0; a < 3; a++) {
        double ab = 0, aa = 0, bb = 0;
        Vec middle_a = {0, 0, 0}, middle_b = {0, 0, 0};
        set_rotation(&flow, axes[a]);
        set_spot(mesh, now, unit(starts[a]), 0.3);
        memcpy(start, now, mesh->cells * sizeof *now);
        flow_trace(&flow, time_step);
        for (int step = 0; step < (int)lround(turn_time / time_step); step++)
            flow_advect(&flow, now);
        for (size_t k = 0; k < mesh->inner; k++) {
            size_t c = mesh->inside[k];
            double area = mesh->cell[c].area;
            ab += area * now[c] * start[c];
            aa += area * now[c] * now[c];
            bb += area * start[c] * start[c];
            middle_a = plus(middle_a, times(area * now[c], cell_centre(mesh, c)));
            middle_b = plus(middle_b, times(area * start[c], cell_centre(mesh, c)));
        }
        double angle = norm(cross(unit(middle_a), unit(middle_b))) * 180 / pi;
        check_figure("angle of a spot from its start after a turn, degrees", angle, 0, 0.1);
        check_figure("correlation of a spot with its start", ab / sqrt(aa * bb), 0.995, 1);
    }
    flow_destroy(&flow);
}

/* Sampled gradients of x y + z, and of z, whose part in a cell is exact. */
static void test_projection_removes_gradients(void **state)
{
    (void)state;
    Flow flow;
    make_flow(&flow, "sphere", 64);
    const Mesh *mesh = &flow.mesh;
    for (int linear = 0; linear < 2; linear++) {
        for (size_t k = 0; k < mesh->inner; k++) {
            size_t c = mesh->inside[k];
            Vec x = cell_centre(mesh, c);
            set_velocity(&flow, c, linear ? (Vec){0, 0, 1} : (Vec){x.y, x.x, 1});
        }
        double before = speed(&flow, NULL);
        project(&flow.projection, mesh, flow.us, flow.ut, 1e-8);
        check_figure(linear ? "part of grad(z) that stays" : "part of grad(x y + z) that stays",
                     speed(&flow, NULL) / before, 0, linear ? 1e-7 : 1e-3);
    }
    flow_destroy(&flow);
}

static void test_projection_leaves_rotation(void **state)
{
    (void)state;
    skip_sanitized();
    const Vec axis = {0.3, 0.8, 0.5};
    Flow flow, start;
    make_flow(&flow, "sphere", 64);
    make_flow(&start, "sphere", 64);
    set_rotation(&flow, axis);
    set_rotation(&start, axis);
    double before = speed(&flow, NULL);
    project(&flow.projection, &flow.mesh, flow.us, flow.ut, 1e-4);
    check_figure("part of a rotation that projection takes", speed(&flow, &start) / before, 0,
                 1e-4);
    for (int step = 0; step < (int)lround(turn_time / time_step); step++)
        flow_step(&flow, time_step);
    check_figure("speed of a rotation after a turn of the whole solver",
                 speed(&flow, NULL) / before, 0.97, 1);
    check_figure("its difference from the start", speed(&flow, &start) / before, 0, 0.04);
    flow_destroy(&flow);
    flow_destroy(&start);
}

/* -- files ------------------------------------------------------------------------------------- */

/* A cube whose line 13 is `last`. */
static void write_cube(const char *first, const char *last)
{
    char text[600];
    snprintf(text, sizeof text,
             "%s\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
             "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\n%s",
             first, last);
    write_file(text);
}

static void check_refusal(const char *words)
{
    ExampleError error = {.text = "nothing"};
    ExampleFrame frame;
    Settings settings = {file, 4};
    assert_null(surface_create(&settings, &frame, &error));
    remove(file);
    assert_string_equal(error.text, words);
}

static void test_wrong_files_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"v 0 0 0", "f 1 5 7 3\n",
         "test_surface.obj:9: the surface is open: its edge between "
         "vertices 2 and 4 has no other face"},
        {"v 0 0 0", "f 1 5 7 3\nf 2 4 8 6\nf 2 4 8 6\n",
         "test_surface.obj:9: the edge between vertices 2 and 4 has 3 faces, not 2"},
        {"v 0 0 0", "f 1 5 7 3\nf 6 8 4 2\n",
         "test_surface.obj:9: the edge between vertices 2 and 4 runs the same way in the face of "
         "line 14; one face must be turned over"},
        {"v 0 0 0", "f 1 5 7\n", "test_surface.obj:13: a face must have 4 corners, not 3"},
        {"v 0 0 0", "f 1 5 7 3 2\n", "test_surface.obj:13: a face must have 4 corners, not 5"},
        {"v 0 0 0", "f 1 5 5 3\n", "test_surface.obj:13: a face has the vertex 5 twice"},
        {"v 0 0 0", "f 1 5 7 9\n", "test_surface.obj:13: a face has the vertex 9, and there are 8"},
        {"v 0 0 0", "f 1 5 7 0\n",
         "test_surface.obj:13: a face has the vertex 0, which does not exist"},
        {"v 0 0 0", "f 1 5 7 -9\n",
         "test_surface.obj:13: a face has the vertex -9, which does not exist"},
        {"v 0 0 0", "f 1 5 7 three\n",
         "test_surface.obj:13: a corner must be the number of a vertex, not 'three'"},
        {"v 0 0", "", "test_surface.obj:1: a vertex needs three numbers"},
        {"v 0 0 one", "", "test_surface.obj:1: a vertex needs three numbers"},
        {"v 0 0 nan", "", "test_surface.obj:1: a coordinate must be -1e6 to 1e6, not nan"},
        {"v 0 0 2e6", "", "test_surface.obj:1: a coordinate must be -1e6 to 1e6, not 2e6"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_cube(cases[k][0], cases[k][1]);
        check_refusal(cases[k][2]);
    }
    write_file("# nothing\nv 0 0 0\n");
    check_refusal("test_surface.obj: there is no face");
    check_refusal("test_surface.obj: cannot be read: No such file or directory");
    write_file("v 0 0 0\nv 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3 4\nf 4 3 2 1\n");
    check_refusal("test_surface.obj:5: the face has places without area");
}

/* The faces of a file are at most so many that patches of 4x4 cells are within the limit of cells.
 */
static void test_too_many_faces_are_refused(void **state)
{
    (void)state;
    static char text[7000 * 10] = "v 0 0 0\n";
    const char face[] = "f 1 2 3 4\n";
    char *end = text + strlen(text);
    for (int f = 0; f < MESH_CELLS_MOST / 16; f++, end += strlen(face))
        memcpy(end, face, sizeof face);
    write_file(text);
    check_refusal("test_surface.obj:2: a face has the vertex 2, and there are 1");
    memcpy(end, face, sizeof face);
    write_file(text);
    check_refusal(
        "test_surface.obj:6252: more than the limit of 6250 faces, which have at least 4x4 "
        "cells each");
}

/* Two cubes that share a vertex: each edge has two faces, but the vertex has two rings of them. */
static void test_a_surface_that_touches_itself_is_refused(void **state)
{
    (void)state;
    write_file("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
               "v 2 1 1\nv 1 2 1\nv 2 2 1\nv 1 1 2\nv 2 1 2\nv 1 2 2\nv 2 2 2\n"
               "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
               "f 8 10 11 9\nf 12 13 15 14\nf 8 9 13 12\nf 10 14 15 11\nf 8 12 14 10\n"
               "f 9 11 15 13\n");
    check_refusal("test_surface.obj:17: the surface touches itself at the vertex 8");
}

static void test_wrong_settings_are_refused(void **state)
{
    (void)state;
    ExampleError error;
    Mesh mesh;
    assert_false(mesh_create(&mesh, "cone", 0, &error));
    assert_string_equal(error.text, "--shape: must be sphere, torus or a FILE.obj, not 'cone'");
    assert_false(mesh_create(&mesh, "sphere", 12, &error));
    assert_string_equal(error.text, "--cells: must be a power of 2 from 4, not 12");
    assert_false(mesh_create(&mesh, "torus", 128, &error));
    assert_string_equal(error.text,
                        "torus: 24 faces with 128x128 cells each are more than the limit of "
                        "100000 cells");
    assert_false(mesh_create(&mesh, "/.obj", 4, &error));
    assert_string_equal(error.text, "/.obj: cannot be read: No such file or directory");
}

/* What other programs write: comments, other lines, normals, ends of lines, numbers from the end,
 * faces that turn clockwise, vertices that no face uses. */
static void test_forms_of_files(void **state)
{
    (void)state;
    ExampleError error = {.text = "none"};
    Mesh plain, mesh;
    write_cube("v 0 0 0", "f 1 5 7 3\nf 2 4 8 6");
    assert_true(mesh_create(&plain, file, 4, &error));
    write_file(
        "# a cube\r\no cube\r\nv 9 9 9\r\nv 0 0 0 1.0\r\n\tv  1 0 0\r\nv 0 1 0\r\nv 1 1 0\r\n"
        "v 0 0 1\r\nv 1 0 1\r\nv 0 1 1\r\nv 1 1 1 # last\r\nvt 0 0\r\nvn 0 0 1\r\n"
        "f 3/1 5/1 4/1 2/1\r\nf 8//1 9//1 7//1 6//1\r\nf 6/1/1 7/1/1 3/1/1 2/1/1\r\n"
        "f -5 -1 -2 -6\r\nf 4 8 6 2\r\nf 7 9 5 3\r\ns off\r\n");
    if (!mesh_create(&mesh, file, 4, &error))
        fail_msg("%s", error.text);
    remove(file);
    assert_int_equal(mesh.patches, 6);
    double outwards = 0;
    for (size_t k = 0; k < mesh.inner; k++) {
        const Cell *cell = &mesh.cell[mesh.inside[k]];
        double out = dot(cross(cell->es, cell->et), cell_centre(&mesh, mesh.inside[k]));
        assert_true(out > 0);
        outwards += out;
    }
    double expected = 0;
    for (size_t k = 0; k < plain.inner; k++) {
        const Cell *cell = &plain.cell[plain.inside[k]];
        expected += dot(cross(cell->es, cell->et), cell_centre(&plain, plain.inside[k]));
    }
    check_figure("volume beside that of the plain file", outwards / expected, 1 - 1e-12, 1 + 1e-12);
    mesh_free(&plain);
    mesh_free(&mesh);
}

/* A byte order mark before the first vertex, and a name in capitals. */
static void test_forms_from_other_systems(void **state)
{
    (void)state;
    const char *const capitals = "TEST_SURFACE.OBJ";
    ExampleError error = {.text = "none"};
    Mesh mesh;
    write_cube("\xEF\xBB\xBFv 0 0 0", "f 1 5 7 3\nf 2 4 8 6");
    assert_int_equal(rename(file, capitals), 0);
    bool made = mesh_create(&mesh, capitals, 4, &error);
    remove(capitals);
    if (!made)
        fail_msg("%s", error.text);
    assert_true(mesh.patches == 6 && mesh.vertices == 8);
    mesh_free(&mesh);
}

/* Two quads joined at all their edges: flat, 2 patches meet at each vertex. */
static void test_a_flat_surface(void **state)
{
    (void)state;
    ExampleError error = {.text = "none"};
    write_file("v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf 4 3 2 1\n");
    Surface *surface = surface_make(file, 8, &error);
    remove(file);
    if (surface == NULL)
        fail_msg("%s", error.text);
    Flow *flow = &surface->flow;
    for (size_t k = 0; k < flow->mesh.inner; k++)
        set_velocity(flow, flow->mesh.inside[k], (Vec){noise(2 * k), 0, noise(2 * k + 1)});
    double before = outflow(flow), amount = flow_amount(flow, flow->smoke[0]);
    project(&flow->projection, &flow->mesh, flow->us, flow->ut, 1e-4);
    check_figure("divergence on a flat surface", outflow(flow) / before, 0, 1.01e-4);
    for (int step = 0; step < 20; step++)
        surface_step(surface);
    check_figure("smoke on a flat surface", flow_amount(flow, flow->smoke[0]) / amount, 1 - 1e-12,
                 1 + 1e-12);
    surface_destroy(surface);
}

/* -- the mouse, the keys, the picture ---------------------------------------------------------- */

static Surface *make_surface(void)
{
    ExampleError error;
    ExampleFrame frame;
    Settings settings = {"sphere", 16};
    Surface *surface = surface_create(&settings, &frame, &error);
    assert_non_null(surface);
    assert_int_equal(frame.width, SIDE);
    assert_int_equal(frame.height, SIDE);
    return surface;
}

static void press(Surface *surface, char key)
{
    ExampleInput input = {0};
    input.pressed[(int)key] = true;
    surface_input(surface, &input);
}

static double smoke_of(const Surface *surface)
{
    double sum = 0;
    for (int dye = 0; dye < DYES; dye++)
        sum += flow_amount(&surface->flow, surface->flow.smoke[dye]);
    return sum;
}

static void test_the_brush_acts_where_the_pointer_is(void **state)
{
    (void)state;
    Surface *surface = make_surface();
    press(surface, 'c');
    assert_true(smoke_of(surface) == 0);
    ExampleInput input = {.left = true, .x = 0.6 * SIDE, .y = 0.4 * SIDE, .dx = 5, .dy = -3};
    surface_input(surface, &input);
    Camera camera = camera_of(surface);
    const Flow *flow = &surface->flow;
    size_t most = 0;
    Vec momentum = {0, 0, 0};
    for (size_t k = 0; k < flow->mesh.inner; k++) {
        size_t c = flow->mesh.inside[k];
        if (flow->smoke[0][c] > flow->smoke[0][most])
            most = c;
        momentum = plus(momentum, times(flow->mesh.cell[c].area, velocity(flow, c)));
    }
    Vec seen = camera_see(&camera, cell_centre(&flow->mesh, most));
    check_figure("distance of the smoke from the pointer, pixels",
                 hypot(seen.x - input.x, seen.y - input.y), 0, 25); /* cells of 30 pixels */
    double right = dot(momentum, camera.right), up = dot(momentum, camera.up);
    check_figure("direction of the push: up beside right", up / right, 0.3, 0.9);
    assert_true(right > 0);
    for (int k = 0; k < 100; k++)
        surface_input(surface, &input);
    double fastest = 0;
    for (size_t k = 0; k < flow->mesh.inner; k++)
        fastest = larger(fastest, norm(velocity(flow, flow->mesh.inside[k])));
    check_figure("speed after 100 pushes", fastest, 5.9, 6.0001);
    surface_destroy(surface);
}

static void test_drags_beside_the_surface_turn_it(void **state)
{
    (void)state;
    Surface *surface = make_surface();
    double smoke = smoke_of(surface), yaw = surface->yaw, pitch = surface->pitch;
    ExampleInput left = {.left = true, .x = 5, .y = 5, .dx = 10, .dy = -5};
    surface_input(surface, &left);
    assert_true(surface->yaw < yaw && surface->pitch < pitch);
    yaw = surface->yaw;
    left.x = left.y = 0.5 * SIDE; /* the same drag, now over the surface */
    surface_input(surface, &left);
    assert_true(surface->yaw < yaw && smoke_of(surface) == smoke);
    surface_input(surface, &(ExampleInput){0});
    surface_input(surface, &left);
    assert_true(smoke_of(surface) > smoke);
    smoke = smoke_of(surface);
    yaw = surface->yaw;
    left.x = left.y = 5; /* a drag that leaves the surface */
    surface_input(surface, &left);
    assert_true(surface->yaw == yaw && smoke_of(surface) == smoke);
    ExampleInput right = {.right = true, .x = 0.5 * SIDE, .y = 0.5 * SIDE, .dy = 1e6};
    surface_input(surface, &right);
    assert_true(surface->pitch == 1.5 && smoke_of(surface) == smoke);
    double distance = surface->distance;
    surface_input(surface, &(ExampleInput){.wheel = 1});
    assert_true(surface->distance < distance);
    surface_input(surface, &(ExampleInput){.wheel = 1000});
    assert_true(surface->distance == 1.6);
    surface_input(surface, &(ExampleInput){.wheel = -1000});
    assert_true(surface->distance == 12);
    surface_destroy(surface);
}

static void test_keys(void **state)
{
    (void)state;
    char text[256];
    Surface *surface = make_surface();
    double smoke = smoke_of(surface);
    assert_true(smoke > 1);
    surface->yaw = 1;
    press(surface, '2');
    assert_int_equal(surface->flow.mesh.patches, 24);
    surface_status(surface, text, sizeof text);
    assert_non_null(strstr(text, "surface: torus, 24 patches of 16x16 cells, smoke "));
    press(surface, '1');
    assert_int_equal(surface->flow.mesh.patches, 6);
    press(surface, '2');
    press(surface, '3');
    assert_string_equal(surface->shape, "sphere");
    assert_true(surface->yaw == 1 && smoke_of(surface) == smoke);
    surface->shape = surface->given = "gone.obj";
    press(surface, '3'); /* cannot be made again */
    assert_int_equal(surface->flow.mesh.patches, 6);
    press(surface, 'c');
    assert_true(smoke_of(surface) == 0);
    press(surface, 'b');
    assert_true(smoke_of(surface) == smoke);
    press(surface, ' ');
    surface_step(surface);
    assert_int_equal(surface->steps, 0);
    press(surface, ' ');
    surface_step(surface);
    assert_int_equal(surface->steps, 1);
    surface_destroy(surface);
}

/* The sphere covers its disc without holes and nothing else, lit from the upper left. */
static void test_picture(void **state)
{
    (void)state;
    static uint8_t rgb[3 * SIDE * SIDE], with_grid[3 * SIDE * SIDE];
    ExampleFrame frame = {SIDE, SIDE, rgb};
    Surface *surface = make_surface();
    press(surface, 'c');
    surface_draw(surface, &frame);
    double focal = 1.5 * SIDE, d = surface->distance, radius = focal / sqrt(d * d - 1);
    double light[2] = {0, 0};
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const uint8_t *pixel = rgb + 3 * (y * SIDE + x);
            double far = hypot(x + 0.5 - 0.5 * SIDE, y + 0.5 - 0.5 * SIDE);
            bool background = pixel[0] == 10 && pixel[1] == 10 && pixel[2] == 10;
            if (far > radius + 1)
                assert_true(background);
            if (far < radius - 3) /* the mesh is inside of the sphere */
                assert_false(background);
            if (far < radius - 3)
                light[x + y > SIDE] += pixel[2];
        }
    assert_true(light[0] > 1.3 * light[1]);
    press(surface, 'g');
    frame.rgb = with_grid;
    surface_draw(surface, &frame);
    int brighter = 0;
    for (int b = 0; b < 3 * SIDE * SIDE; b++) {
        assert_true(with_grid[b] >= rgb[b]);
        brighter += with_grid[b] > rgb[b];
    }
    check_figure("part of the picture that the grid brightens", brighter / (3.0 * SIDE * SIDE),
                 0.005, 0.2);
    surface_destroy(surface);
}

/* What is behind is not seen: smoke on the far half of a torus, looked at from its side. */
static void test_near_cells_hide_far_ones(void **state)
{
    (void)state;
    static uint8_t rgb[3 * SIDE * SIDE];
    ExampleFrame frame = {SIDE, SIDE, rgb};
    Surface *surface = make_surface();
    press(surface, '2');
    press(surface, 'c');
    surface->pitch = 0;
    for (int half = 0; half < 2; half++) {
        const Mesh *mesh = &surface->flow.mesh;
        int bright = 0;
        surface->yaw = half * pi; /* each half of the patches is in front once */
        Camera camera = camera_of(surface);
        for (size_t k = 0; k < mesh->inner; k++) {
            size_t c = mesh->inside[k];
            surface->flow.smoke[0][c] = dot(cell_centre(mesh, c), camera.toward) < -0.2 ? 9 : 0;
        }
        surface_draw(surface, &frame);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++)
            bright += rgb[3 * pixel] > 150;
        assert_int_equal(bright, 0);
    }
    surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_area_is_that_of_the_shape),
        cmocka_unit_test(test_limit_of_a_cube),
        cmocka_unit_test(test_patches_meet_at_their_edges),
        cmocka_unit_test(test_velocity_is_turned_at_edges),
        cmocka_unit_test(test_fields_are_continuous),
        cmocka_unit_test(test_amounts_are_kept),
        cmocka_unit_test(test_advection_nearly_keeps_amounts),
        cmocka_unit_test(test_uniform_smoke_stays_uniform),
        cmocka_unit_test(test_smoke_in_rotation_shows_no_seam),
        cmocka_unit_test(test_velocity_of_rotation_shows_no_seam),
        cmocka_unit_test(test_projection_leaves_no_divergence),
        cmocka_unit_test(test_laplacian_is_symmetric),
        cmocka_unit_test(test_a_turn_brings_a_spot_back),
        cmocka_unit_test(test_projection_removes_gradients),
        cmocka_unit_test(test_projection_leaves_rotation),
        cmocka_unit_test(test_wrong_files_are_refused),
        cmocka_unit_test(test_a_surface_that_touches_itself_is_refused),
        cmocka_unit_test(test_wrong_settings_are_refused),
        cmocka_unit_test(test_too_many_faces_are_refused),
        cmocka_unit_test(test_forms_of_files),
        cmocka_unit_test(test_forms_from_other_systems),
        cmocka_unit_test(test_a_flat_surface),
        cmocka_unit_test(test_the_brush_acts_where_the_pointer_is),
        cmocka_unit_test(test_drags_beside_the_surface_turn_it),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_near_cells_hide_far_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
