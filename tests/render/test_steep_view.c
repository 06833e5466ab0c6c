/* SPDX-License-Identifier: MIT
 * Tests the steeper edges of smoke in motion: their width, what stays as it is, what fields of the
 * smoke do, and memory that is used again. */
#include "render/steep_view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 40, PASSES = 3, FIELDS = 5 };

typedef struct Smoke {
    float *density, *color[3], *age;
    BillowView view;
} Smoke;

static ptrdiff_t at(int i, int j, int k)
{
    return i + (N + 1) * (j + (ptrdiff_t)N * k);
}

static Smoke smoke_start(void)
{
    Smoke smoke;
    const size_t floats = (N + 1) * N * N;
    smoke.density = calloc(FIELDS * floats, sizeof(float));
    assert_true(smoke.density != NULL);
    for (int c = 0; c < 3; c++)
        smoke.color[c] = smoke.density + (size_t)(1 + c) * floats;
    smoke.age = smoke.density + 4 * floats;
    smoke.view = (BillowView){.nx = N,
                              .ny = N,
                              .nz = N,
                              .stride_y = N + 1,
                              .stride_z = (N + 1) * N,
                              .cell_size = 1,
                              .density = smoke.density};
    return smoke;
}

/* Fills in a ball of smoke. Its density falls from 1 inside to 0 outside as (1 + tanh(d / width)) /
 * 2, where d is the depth below its surface. radius, width: cells. */
static void fill_ball(Smoke *smoke, float radius, float width)
{
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float x = (float)i - 19.3f, y = (float)j - 20.1f, z = (float)k - 19.8f;
                const float depth = radius - sqrtf(x * x + y * y + z * z);
                smoke->density[at(i, j, k)] = 0.5f + 0.5f * tanhf(depth / width);
            }
}

/* Number of cells whose density is above `low` and at most `high`. */
static int count_between(const BillowView *view, float low, float high)
{
    int count = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float value = view->density[at(i, j, k)];
                count += value > low && value <= high;
            }
    return count;
}

static void test_edges(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    SteepView steep = {0};
    fill_ball(&smoke, 11, 2.5f);
    int before = count_between(&smoke.view, 0.2f, 0.8f);
    const int inside = count_between(&smoke.view, 0.5f, 2);
    for (int passes = 1; passes <= PASSES; passes++) {
        const BillowView made = steep_view(&steep, &smoke.view, passes, 0);
        const int now = count_between(&made, 0.2f, 0.8f); /* as many as the edge is wide */
        assert_true(now < before * 0.92);
        before = now;
        assert_true(abs(count_between(&made, 0.5f, 2) - inside) < inside / 100);
    }
    steep_view_end(&steep);
    free(smoke.density);
}

/* Smoke at random: no value beyond those of the cell and its six neighbours, and none in empty
 * cells. */
static void test_bounds(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    SteepView steep = {0};
    uint32_t random = 1;
    for (size_t c = 0; c < (N + 1) * N * N; c++) {
        random = random * 1664525u + 1013904223u;
        smoke.density[c] = random >> 31 ? 0 : (float)(random >> 8) * 0x1p-24f;
    }
    const BillowView made = steep_view(&steep, &smoke.view, 1, 0);
    int beyond = 0, moved = 0;
    for (int k = 1; k < N - 1; k++)
        for (int j = 1; j < N - 1; j++)
            for (int i = 1; i < N - 1; i++) {
                const float *here = smoke.density + at(i, j, k), now = made.density[at(i, j, k)];
                const ptrdiff_t steps[3] = {1, N + 1, (N + 1) * N};
                float low = *here, high = *here;
                for (int axis = 0; axis < 3; axis++)
                    for (int side = -1; side <= 1; side += 2) {
                        low = fminf(low, here[side * steps[axis]]);
                        high = fmaxf(high, here[side * steps[axis]]);
                    }
                beyond += now < low || now > high || (*here == 0 && now != 0);
                moved += now != *here;
            }
    assert_true(beyond == 0);
    assert_true(moved > N * N * N / 10);
    steep_view_end(&steep);
    free(smoke.density);
}

/* A slope of constant steepness has no edge, whatever its direction. */
static void test_slope(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    SteepView steep = {0};
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                smoke.density[at(i, j, k)] =
                    0.25f * (float)i + 0.5f * (float)j + 0.125f * (float)k; /* exact in floats */
    const BillowView made = steep_view(&steep, &smoke.view, PASSES, 0);
    assert_true(memcmp(made.density, smoke.density, sizeof(float) * (N + 1) * N * N) == 0);
    steep_view_end(&steep);
    free(smoke.density);
}

/* An oblique streak two cells thick, along which density varies a little, does not become beads:
 * its sections differ as little as before. */
static void test_streaks(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    SteepView steep = {0};
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float y = (float)j - 17 - 0.2f * (float)i, z = (float)k - 20.2f;
                smoke.density[at(i, j, k)] =
                    (1 + 0.1f * sinf(1.2f * (float)i)) * expf(-0.5f * (y * y + z * z));
            }
    const BillowView made = steep_view(&steep, &smoke.view, PASSES, 0);
    float low[2] = {1e9f, 1e9f}, high[2] = {0, 0};
    for (int i = 5; i < N - 5; i++)
        for (int now = 0; now < 2; now++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                for (int j = 0; j < N; j++)
                    sum += (now ? made.density : smoke.density)[at(i, j, k)];
            low[now] = fminf(low[now], sum);
            high[now] = fmaxf(high[now], sum);
        }
    assert_true(high[1] / low[1] - 1 < 1.5f * (high[0] / low[0] - 1));
    steep_view_end(&steep);
    free(smoke.density);
}

static void test_fields_that_follow(void **state)
{
    (void)state;
    Smoke smoke = smoke_start();
    SteepView steep = {0};
    fill_ball(&smoke, 9, 3);
    for (int c = 0; c < 3; c++)
        smoke.view.color[c] = smoke.color[c];
    smoke.view.age = smoke.age;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                for (int c = 0; c < 3; c++)
                    smoke.color[c][at(i, j, k)] =
                        0.25f * (float)(c + 1) * smoke.density[at(i, j, k)];
                smoke.age[at(i, j, k)] = (float)i * smoke.density[at(i, j, k)];
            }
    const BillowView made = steep_view(&steep, &smoke.view, PASSES, 0);
    float worst = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const float now = made.density[at(i, j, k)];
                for (int c = 0; c < 3; c++)
                    worst = fmaxf(worst,
                                  fabsf(made.color[c][at(i, j, k)] - 0.25f * (float)(c + 1) * now));
                worst = fmaxf(worst, fabsf(made.age[at(i, j, k)] - (float)i * now) / N);
            }
    assert_true(worst < 1e-5f);
    assert_true(smoke.view.density == smoke.density); /* the view that was given is as before */
    steep_view_end(&steep);
    free(smoke.density);
}

/* Memory that held another view, with spans, gives the same as new memory, of the colours, too, and
 * where the next view has none. */
static void test_memory_used_again(void **state)
{
    (void)state;
    enum { BLOCKS = (N + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS };
    Smoke smoke = smoke_start();
    SteepView used = {0}, fresh = {0};
    BillowSpan spans[BLOCKS * N];
    smoke.view.spans = spans;
    smoke.view.span_blocks = BLOCKS;
    for (int turn = 0; turn < 3; turn++) {
        memset(smoke.density, 0, FIELDS * sizeof(float) * (N + 1) * N * N);
        for (int c = 0; c < 3; c++)
            smoke.view.color[c] = turn < 2 ? smoke.color[c] : NULL;
        const int low = turn == 1 ? 20 : 3, high = turn == 1 ? 33 : 25;
        for (int k = 0; k < N; k++)
            for (int b = 0; b < BLOCKS; b++) {
                const bool any = (b + k + turn) % 3 > 0;
                spans[b + k * BLOCKS] =
                    any ? (BillowSpan){(short)low, (short)high} : (BillowSpan){N, 0};
                for (int j = b * BILLOW_SPAN_ROWS; any && j < (b + 1) * BILLOW_SPAN_ROWS; j++)
                    for (int i = low; i < high; i++) {
                        smoke.density[at(i, j, k)] = (float)((i * 7 + j * 5 + k * 3) % 11);
                        for (int c = 0; c < 3; c++)
                            smoke.color[c][at(i, j, k)] = (float)(i % 7 + c);
                    }
            }
        const BillowView a = steep_view(&used, &smoke.view, PASSES, 0.5f);
        const BillowView b = steep_view(&fresh, &smoke.view, PASSES, 0.5f);
        assert_true(memcmp(a.density, b.density, sizeof(float) * (N + 1) * N * N) == 0);
        for (int c = 0; c < 3 && a.color[0] != NULL; c++)
            assert_true(memcmp(a.color[c], b.color[c], sizeof(float) * (N + 1) * N * N) == 0);
        assert_true((a.color[0] == NULL) == (turn == 2));
        steep_view_end(&fresh);
    }
    steep_view_end(&used);
    free(smoke.density);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_streaks),
        cmocka_unit_test(test_fields_that_follow),
        cmocka_unit_test(test_memory_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
