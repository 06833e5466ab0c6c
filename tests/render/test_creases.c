/* SPDX-License-Identifier: MIT
 * Tests the creases in the edges of smoke in motion: what is cut and what is not, that they drift
 * with the wind, fade where it shears them, and stay when the box grows. */
#include "render/creases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { N = 48, REFINE = 2, WINDS = N / REFINE, FIELDS = 5 };
#define FLOATS ((size_t)(N + 1) * (N + 1) * (N + 1))
#define DEPTH  0.5f
#define RADIUS 12.0f

/* Density, the velocities of the wind, and the density after the cut. */
typedef struct Smoke {
    float *density, *wind[3], *cut;
    BillowView view;
} Smoke;

static ptrdiff_t at(const Smoke *smoke, int i, int j, int k)
{
    return i + j * smoke->view.stride_y + k * smoke->view.stride_z;
}

static Smoke smoke_start(void)
{
    Smoke smoke;
    smoke.density = calloc(FIELDS * FLOATS, sizeof(float));
    assert_true(smoke.density != NULL);
    for (int c = 0; c < 3; c++)
        smoke.wind[c] = smoke.density + (size_t)(1 + c) * FLOATS;
    smoke.cut = smoke.density + 4 * FLOATS;
    smoke.view = (BillowView){.nx = N,
                              .ny = N,
                              .nz = N,
                              .stride_y = N + 1,
                              .stride_z = (N + 1) * (N + 1),
                              .cell_size = 0.5f,
                              .refine = REFINE,
                              .wind_stride_y = WINDS + 1,
                              .wind_stride_z = (WINDS + 1) * (WINDS + 1),
                              .density = smoke.density,
                              .u = smoke.wind[0],
                              .v = smoke.wind[1],
                              .w = smoke.wind[2]};
    return smoke;
}

/* Fills in a ball of smoke whose density falls from 2 inside to 0 outside over some cells.
 * middle: x of its middle, cells. */
static void fill_ball(Smoke *smoke, float middle)
{
    for (int k = 0; k < smoke->view.nz; k++)
        for (int j = 0; j < smoke->view.ny; j++)
            for (int i = 0; i < smoke->view.nx; i++) {
                const float x = (float)i - middle, y = (float)j - 23.5f, z = (float)k - 23.5f;
                const float inside = RADIUS - sqrtf(x * x + y * y + z * z);
                smoke->density[at(smoke, i, j, k)] =
                    inside < -5 ? 0 : 2 / (1 + expf(-1.2f * inside));
            }
}

static void follow_and_cut(Creases *creases, Smoke *smoke, double time)
{
    smoke->view.time = time;
    assert_true(creases_follow(creases, &smoke->view));
    creases_cut(creases, &smoke->view, smoke->density, DEPTH, smoke->cut);
}

static double sum(const Smoke *smoke, const float *field)
{
    double total = 0;
    for (int k = 0; k < smoke->view.nz; k++)
        for (int j = 0; j < smoke->view.ny; j++)
            for (int i = 0; i < smoke->view.nx; i++)
                total += (double)field[at(smoke, i, j, k)];
    return total;
}

/* The mass stays, no smoke appears in empty cells, the inside becomes denser by one factor, and the
 * edge loses much here and little there. */
static void test_what_is_cut(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    Creases creases = {0};
    fill_ball(&smoke, 23.5f);
    follow_and_cut(&creases, &smoke, 0);
    const double before = sum(&smoke, smoke.density), after = sum(&smoke, smoke.cut);
    assert_true(fabs(after / before - 1) < 1e-5);
    const float factor = smoke.cut[at(&smoke, 23, 23, 23)] / smoke.density[at(&smoke, 23, 23, 23)];
    assert_true(factor > 1.02f && factor < 2);
    int appeared = 0, uneven = 0, edge = 0, lost = 0, kept = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float was = smoke.density[at(&smoke, i, j, k)];
                const float share = smoke.cut[at(&smoke, i, j, k)] / fmaxf(was * factor, 1e-9f);
                appeared += was == 0 && smoke.cut[at(&smoke, i, j, k)] != 0;
                uneven += was > 1.9f && fabsf(share - 1) > 1e-5f;
                edge += was > 0.6f && was < 1.2f;
                lost += was > 0.6f && was < 1.2f && share < 0.4f;
                kept += was > 0.6f && was < 1.2f && share > 0.8f;
            }
    assert_int_equal(appeared, 0);
    assert_int_equal(uneven, 0);
    assert_true(lost > edge / 20 && kept > edge / 5);
    creases_end(&creases);
    free(smoke.density);
}

/* Mean difference between what two cuts leave, the second moved by `shift` cells along x, over the
 * mean of the first; cells in the middle. */
static double difference(const Smoke *a, const Smoke *b, int shift)
{
    double apart = 0, whole = 0;
    for (int k = 8; k < N - 8; k++)
        for (int j = 8; j < N - 8; j++)
            for (int i = 8; i < N - 8 - shift; i++) {
                const float one = a->cut[at(a, i, j, k)], other = b->cut[at(b, i + shift, j, k)];
                apart += fabs((double)(one - other));
                whole += (double)one;
            }
    return apart / whole;
}

/* Creases move with a ball that the wind blows by a cell of its own in each step. If they stayed in
 * their place, the ball would have others. */
static void test_drift(void **state)
{
    (void)state;
    enum { STEPS = 2 };
    Smoke first = smoke_start(), later = smoke_start(), still = smoke_start();
    Creases drifting = {0}, standing = {0};
    const float blown = REFINE * STEPS;
    for (size_t n = 0; n < FLOATS; n++)
        later.wind[0][n] = 1.0f / 0.005f; /* one cell of the wind, 1 m, in 5 ms */
    fill_ball(&first, 20);
    fill_ball(&later, 20 + blown);
    fill_ball(&still, 20 + blown);
    first.view.u = later.view.u;
    follow_and_cut(&drifting, &first, 0);
    for (int step = 1; step <= STEPS; step++)
        follow_and_cut(&drifting, &later, 0.005 * step);
    follow_and_cut(&standing, &still, 0);
    follow_and_cut(&standing, &still, 0.005 * STEPS);
    const double with = difference(&first, &later, (int)blown);
    const double without = difference(&first, &still, (int)blown);
    assert_true(without > 0.02);
    assert_true(with < 0.2 * without);
    creases_end(&drifting);
    creases_end(&standing);
    free(first.density);
    free(later.density);
    free(still.density);
}

/* Spread of what the edge of a ball keeps: the standard deviation over the mean. */
static double spread(const Smoke *smoke)
{
    double total = 0, squares = 0, count = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float was = smoke->density[at(smoke, i, j, k)];
                if (was < 0.88f || was > 0.92f)
                    continue;
                const double share = (double)(smoke->cut[at(smoke, i, j, k)] / was);
                total += share;
                squares += share * share;
                count++;
            }
    const double mean = total / count;
    return mean > 0 ? sqrt(fmax(squares / count - mean * mean, 0)) / mean : 0;
}

/* Shear stretches the noise to stripes, which fade. Half a period later the set that has begun anew
 * shows again. */
static void test_shear(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    Creases creases = {0};
    fill_ball(&smoke, 23.5f);
    follow_and_cut(&creases, &smoke, 0);
    const double before = spread(&smoke);
    for (int k = 0; k <= WINDS; k++)
        for (int n = 0; n < (WINDS + 1) * (WINDS + 1); n++)
            smoke.wind[0][n + k * (WINDS + 1) * (WINDS + 1)] = 100 * (float)(k - WINDS / 2);
    int step = 0;
    for (; step < 19; step++) /* 100/s for 0.18 s: compressed 18 times */
        follow_and_cut(&creases, &smoke, 0.01 * step);
    assert_true(spread(&smoke) < 0.5 * before);
    memset(smoke.wind[0], 0, FLOATS * sizeof(float));
    for (; step < 41; step++)
        follow_and_cut(&creases, &smoke, 0.01 * step);
    assert_true(spread(&smoke) > 0.7 * before);
    creases_end(&creases);
    free(smoke.density);
}

/* The box grows by some cells below and above: the creases stay where they were. */
static void test_growth(void **state)
{
    (void)state;
    enum { GROWN = 4 };
    Smoke small = smoke_start(), large = smoke_start();
    Creases grown = {0}, kept = {0};
    small.view.nx = N - 2 * GROWN * REFINE;
    small.view.origin[0] = GROWN * REFINE * small.view.cell_size;
    for (size_t n = 0; n < FLOATS; n++) {
        const float v = 20 * sinf((float)(n % (WINDS + 1)) * 0.3f);
        large.wind[1][n] = v;
        small.wind[1][n] = 20 * sinf((float)(n % (WINDS + 1) + GROWN) * 0.3f);
    }
    fill_ball(&large, 23.5f);
    fill_ball(&small, 23.5f - GROWN * REFINE);
    follow_and_cut(&grown, &small, 0);
    follow_and_cut(&kept, &large, 0);
    follow_and_cut(&grown, &small, 0.05);
    follow_and_cut(&kept, &large, 0.05);
    follow_and_cut(&grown, &large, 0.05);
    Smoke unchanged = large;
    unchanged.cut = small.cut; /* as large, and no longer needed */
    creases_cut(&kept, &large.view, large.density, DEPTH, unchanged.cut);
    assert_true(difference(&large, &unchanged, 0) < 0.01);
    creases_end(&grown);
    creases_end(&kept);
    free(small.density);
    free(large.density);
}

/* A smaller view without finer smoke, with smoke in some spans and none beside them. */
static void make_odd(Smoke *smoke, const int n[3], BillowSpan *spans)
{
    BillowView *view = &smoke->view;
    view->nx = n[0], view->ny = n[1], view->nz = n[2];
    view->refine = 1;
    view->stride_y = view->wind_stride_y = n[0] + 1;
    view->stride_z = view->wind_stride_z = view->stride_y * (n[1] + 1);
    view->spans = spans;
    view->span_blocks = (n[1] + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            const int block = j / BILLOW_SPAN_ROWS, begin = (k + block) % 3 % n[0];
            const int end = n[0] - (block % 2 && n[0] > begin + 1);
            spans[block + k * view->span_blocks] = (BillowSpan){(short)begin, (short)end};
            for (int i = begin; i < end; i++)
                smoke->density[at(smoke, i, j, k)] = (float)((i * 7 + j * 5 + k * 3) % 11);
        }
}

/* Sizes that nothing divides: the sum stays, and nothing is written beside the spans. */
static void test_odd_sizes(void **state)
{
    (void)state;
    static const int sizes[][3] = {{47, 33, 9}, {1, 2, 3}, {65, 1, 1}, {3, 47, 2}, {2, 2, 2}};
    static const float unwritten = -7;
    BillowSpan spans[N * N];
    for (size_t size = 0; size < sizeof sizes / sizeof sizes[0]; size++) {
        Smoke smoke = smoke_start();
        Creases creases = {0};
        make_odd(&smoke, sizes[size], spans);
        for (size_t cell = 0; cell < FLOATS; cell++) {
            smoke.cut[cell] = unwritten;
            smoke.wind[0][cell] = 20;
        }
        follow_and_cut(&creases, &smoke, 0);
        follow_and_cut(&creases, &smoke, 0.01);
        double before = 0, after = 0;
        for (size_t cell = 0; cell < FLOATS; cell++) {
            before += (double)smoke.density[cell];
            after += smoke.cut[cell] != unwritten ? (double)smoke.cut[cell] : 0;
            assert_true(smoke.density[cell] == 0 || smoke.cut[cell] != unwritten);
        }
        assert_true(fabs(after - before) <= 1e-4 * before);
        int beside = 0;
        for (int k = 0; k < sizes[size][2]; k++)
            for (int j = 0; j < sizes[size][1]; j++) {
                const BillowSpan span = spans[j / BILLOW_SPAN_ROWS + k * smoke.view.span_blocks];
                for (int i = 0; i <= sizes[size][0]; i++) /* with the padding behind the row */
                    beside += (i < span.begin || i >= span.end) &&
                              smoke.cut[at(&smoke, i, j, k)] != unwritten;
            }
        assert_int_equal(beside, 0);
        creases_end(&creases);
        free(smoke.density);
    }
}

/* Velocities that are no numbers, or far too large, leave numbers. */
static void test_wild_wind(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    Creases creases = {0};
    fill_ball(&smoke, 23.5f);
    for (size_t n = 0; n < FLOATS; n++) {
        smoke.wind[0][n] = n % 5 == 0 ? NAN : 1;
        smoke.wind[1][n] = n % 7 == 0 ? INFINITY : n % 7 == 1 ? -1e38f : 2;
    }
    for (int step = 0; step < 5; step++)
        follow_and_cut(&creases, &smoke, 0.01 * step);
    assert_true(isfinite(sum(&smoke, smoke.cut)));
    creases_end(&creases);
    free(smoke.density);
}

/* Smoke without velocity keeps its creases, as smoke does in still air, and after time has gone
 * back it has those of the beginning. */
static void test_time(void **state)
{
    (void)state;
    Smoke first = smoke_start(), later = smoke_start();
    Creases creases = {0};
    fill_ball(&first, 23.5f);
    fill_ball(&later, 23.5f);
    follow_and_cut(&creases, &first, 0);
    for (int step = 1; step < 100; step++) {
        if (step == 50) /* still air, and then no velocity */
            later.view.u = later.view.v = later.view.w = NULL;
        follow_and_cut(&creases, &later, 0.01 * step);
        assert_memory_equal(first.cut, later.cut, FLOATS * sizeof(float));
    }
    later.view.u = later.wind[0], later.view.v = later.wind[1], later.view.w = later.wind[2];
    for (size_t n = 0; n < FLOATS; n++)
        later.wind[0][n] = 20;
    follow_and_cut(&creases, &later, 1.1);
    assert_true(difference(&first, &later, 0) > 0.01);
    follow_and_cut(&creases, &later, 0.5);
    assert_memory_equal(first.cut, later.cut, FLOATS * sizeof(float));
    creases_end(&creases);
    free(first.density);
    free(later.density);
}

/* Smoke as dense as all around it stays whole at any depth, and hardly deep creases are hardly
 * seen. */
static void test_depths(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    Creases creases = {0};
    fill_ball(&smoke, 23.5f);
    smoke.view.time = 0;
    assert_true(creases_follow(&creases, &smoke.view));
    for (int depth = 1; depth <= 100; depth++) {
        creases_cut(&creases, &smoke.view, smoke.density, 0.01f * (float)depth, smoke.cut);
        double apart = 0;
        float kept = smoke.cut[at(&smoke, 23, 23, 23)] / smoke.density[at(&smoke, 23, 23, 23)];
        for (size_t n = 0; n < FLOATS; n++) {
            apart += fabs((double)(smoke.cut[n] - smoke.density[n]));
            assert_true(smoke.density[n] < 1.99f ||
                        fabsf(smoke.cut[n] / (kept * smoke.density[n]) - 1) < 1e-4f);
        }
        assert_true(apart < 0.02 * depth * sum(&smoke, smoke.density));
    }
    creases_end(&creases);
    free(smoke.density);
}

/* The same bits by one thread and by several. */
static void test_threads(void **state)
{
    (void)state;
#ifdef _OPENMP
    Smoke one = smoke_start(), many = smoke_start();
    const int threads = omp_get_max_threads();
    for (int turn = 0; turn < 2; turn++) {
        Smoke *smoke = turn ? &many : &one;
        Creases creases = {0};
        omp_set_num_threads(turn ? 3 : 1);
        for (size_t n = 0; n < FLOATS; n++)
            smoke->wind[2][n] = (float)(n % 7);
        fill_ball(smoke, 23.2f);
        follow_and_cut(&creases, smoke, 0);
        follow_and_cut(&creases, smoke, 0.02);
        creases_end(&creases);
    }
    omp_set_num_threads(threads);
    assert_memory_equal(one.cut, many.cut, FLOATS * sizeof(float));
    free(one.density);
    free(many.density);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_cut), cmocka_unit_test(test_drift),
        cmocka_unit_test(test_shear),       cmocka_unit_test(test_growth),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_odd_sizes),
        cmocka_unit_test(test_wild_wind),   cmocka_unit_test(test_time),
        cmocka_unit_test(test_depths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
