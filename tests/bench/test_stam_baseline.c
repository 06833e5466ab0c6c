/* SPDX-License-Identifier: MIT
 * The benchmark's baseline must be what it claims: a solver that projects and loses no smoke. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/stam_baseline.h"
#include <math.h>

enum { N = 32, ROW = N + 2, VALUES = ROW * ROW * ROW };

static float u[VALUES], v[VALUES], w[VALUES], p[VALUES], scratch[VALUES];

static int at(int i, int j, int k)
{
    return i + ROW * (j + ROW * k);
}

/* L2 norm of the central divergence, over the cells that touch no wall. */
static double divergence(void)
{
    double sum = 0;
    for (int k = 2; k < N; k++)
        for (int j = 2; j < N; j++)
            for (int i = 2; i < N; i++) {
                float d = u[at(i + 1, j, k)] - u[at(i - 1, j, k)] + v[at(i, j + 1, k)] -
                          v[at(i, j - 1, k)] + w[at(i, j, k + 1)] - w[at(i, j, k - 1)];
                sum += (double)(d * d);
            }
    return sqrt(sum);
}

/* The gradient of cos(pi x) cos(pi y) cos(pi z), whose normal part is 0 at the walls. */
static void fill_gradient(void)
{
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < ROW; k++)
        for (int j = 0; j < ROW; j++)
            for (int i = 0; i < ROW; i++) {
                double x = pi * (i - 0.5) / N, y = pi * (j - 0.5) / N, z = pi * (k - 0.5) / N;
                u[at(i, j, k)] = (float)(-sin(x) * cos(y) * cos(z));
                v[at(i, j, k)] = (float)(-cos(x) * sin(y) * cos(z));
                w[at(i, j, k)] = (float)(-cos(x) * cos(y) * sin(z));
            }
}

/* A projection removes almost all of a gradient. On this grid 1 - cos^2(pi/2N) = 0.24 % remains,
 * because the difference is central over 2 h and the Laplacian over h. With the constant of two
 * dimensions a third would remain. */
static void test_projection_removes_a_gradient(void **state)
{
    (void)state;
    fill_gradient();
    double before = divergence();
    assert_true(before > 1);
    stam_baseline_project(N, u, v, w, p, scratch, 4000);
    double left = divergence() / before;
    if (left > 0.01)
        fail_msg("%.3f %% of the divergence is left", 100 * left);
}

/* 20 sweeps remove little of a mode as wide as the box: the baseline is not better than published.
 */
static void test_twenty_sweeps_are_no_more_than_that(void **state)
{
    (void)state;
    fill_gradient();
    double before = divergence();
    stam_baseline_project(N, u, v, w, p, scratch, STAM_BASELINE_SWEEPS);
    double left = divergence() / before;
    if (left < 0.5 || left > 0.99)
        fail_msg("%.3f %% of the divergence is left", 100 * left);
}

static void test_smoke_is_what_the_source_gave(void **state)
{
    (void)state;
    BillowError error;
    StamBaseline *baseline = stam_baseline_create(16, &error);
    assert_non_null(baseline);
    /* After one step from rest, the smoke is that of the source: 4 x 3 x 4 of 16^3 cells at 6 per
     * second. */
    stam_baseline_step(baseline, 0.01f);
    double given = 6 * 0.01 * 4 * 3 * 4 / (16.0 * 16 * 16);
    assert_true(fabs(stam_baseline_mass(baseline) / given - 1) < 0.02);
    for (int step = 0; step < 50; step++)
        stam_baseline_step(baseline, 0.01f);
    double mass = stam_baseline_mass(baseline);
    assert_true(isfinite(mass) && mass > 10 * given && mass < 100 * given);
    stam_baseline_destroy(baseline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection_removes_a_gradient),
        cmocka_unit_test(test_twenty_sweeps_are_no_more_than_that),
        cmocka_unit_test(test_smoke_is_what_the_source_gave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
