/* SPDX-License-Identifier: MIT
 * The kernels of conservative advection against integrals over single cells, in double. */
#include "sim_fixture.h"

#include "sim/kernels/kernels.h"

/* Cells of the strip's columns, and what they carry. */
typedef struct Case {
    int step, cells;
    float most; /* flow through a face, cells */
} Case;

static const Case cases[] = {
    {STRIP_WIDTH, STRIP_CELLS, 0.9f},
    {STRIP_WIDTH, STRIP_CELLS, 3.2f},
    {STRIP_WIDTH, 5, 9.5f},
    {1, STRIP_CELLS *STRIP_WIDTH, 4},
    {1, 61, 0.4f},
    {1, 3, 9},
};

static FluxStrip strip;

/* Volumes and values vary from cell to cell; the flow varies slowly, as where no cell is emptied.
 */
static void fill_strip(const Case *c)
{
    unsigned seed = 5;
    memset(&strip, 0, sizeof strip);
    for (int e = 0; e < STRIP_ELEMENTS; e++) {
        double along = e / c->step, column = e % c->step;
        strip.volume[e] = (float)(1 + 0.2 * scatter(&seed));
        strip.value[e] = e % 7 < 4 ? (float)(2 + scatter(&seed)) : 0;
        strip.flow[e] =
            c->most * (float)sin(0.45 / (double)c->most * along + 0.8 * column + 0.3 * c->step);
    }
}

/* -- the plain twin */

static double value_at(int e)
{
    return (double)strip.value[e];
}

static double plain_slope(const Case *c, int e)
{
    double below = value_at(e) - value_at(e - c->step), above = value_at(e + c->step) - value_at(e);
    if (below * above <= 0)
        return 0;
    double least = fmin(2 * fmin(fabs(below), fabs(above)), 0.5 * fabs(below + above));
    return above > 0 ? least : -least;
}

static double plain_face(const Case *c, int e)
{
    return 0.5 * (value_at(e - c->step) + value_at(e)) -
           (plain_slope(c, e) - plain_slope(c, e - c->step)) / 6;
}

/* Amount in the lower share t of cell e: the integral of its parabola, as Colella & Woodward write
 * it (1984, equations 1.5 and 1.10). */
static double plain_part(const Case *c, int e, double t)
{
    double q = value_at(e), low = plain_face(c, e), high = plain_face(c, e + c->step);
    if ((high - q) * (q - low) <= 0)
        low = high = q;
    double bend = 6 * (q - 0.5 * (low + high)), jump = high - low;
    if (jump * bend > jump * jump)
        low = 3 * q - 2 * high;
    else if (jump * bend < -jump * jump)
        high = 3 * q - 2 * low;
    jump = high - low;
    bend = 6 * (q - 0.5 * (low + high));
    return (double)strip.volume[e] * (low * t + 0.5 * (jump + bend) * t * t - bend * t * t * t / 3);
}

/* Amount that flows through the low face of cell e. */
static double plain_flux(const Case *c, int e)
{
    double left = fabs((double)strip.flow[e]), sum = 0;
    bool up = strip.flow[e] > 0.0f;
    int way = up ? -c->step : c->step, cell = up ? e - c->step : e;
    for (; left > (double)strip.volume[cell]; cell += way) {
        left -= (double)strip.volume[cell];
        sum += (double)strip.volume[cell] * value_at(cell);
    }
    double share = left / (double)strip.volume[cell];
    sum +=
        up ? plain_part(c, cell, 1) - plain_part(c, cell, 1 - share) : plain_part(c, cell, share);
    return up ? sum : -sum;
}

static void kernels_agree_with_integrals(void **state)
{
    (void)state;
    static double expected[STRIP_ELEMENTS];
    for (size_t t = 0; t < sizeof cases / sizeof cases[0]; t++) {
        const Case *c = &cases[t];
        fill_strip(c);
        const int first = STRIP_PAD * c->step, end = first + c->cells * c->step;
        for (int e = first; e < end; e++) {
            double volume =
                (double)strip.volume[e] - ((double)strip.flow[e + c->step] - (double)strip.flow[e]);
            assert_true(volume > 0.1); /* otherwise the case is none */
            expected[e] = 0.7 *
                          ((double)strip.volume[e] * value_at(e) -
                           (plain_flux(c, e + c->step) - plain_flux(c, e))) /
                          volume;
        }
        const FluxKernels *kernels = kernels_pick()->flux;
        kernels->settle(&strip, c->step, c->cells);
        int reach = kernels->depart(&strip, c->step, c->cells);
        assert_true(reach <= STRIP_REACH && (float)reach >= 0.8f * c->most);
        kernels->reconstruct(&strip, c->step, c->cells, reach);
        kernels->carry(&strip, c->step, c->cells, 0.7f);
        for (int e = first; e < end; e++)
            assert_below(fabs((double)strip.value[e] - expected[e]), 2e-5);
    }
}

/* -- instruction sets */

extern const FluxKernels flux_one; /* compiled without vectors */

static const FluxKernels *flux_table(int index)
{
    int tables = 0;
    while (kernels_at(tables) != NULL)
        tables++;
    if (index == tables)
        return &flux_one;
    return kernels_find(kernels_at(index)->name) != NULL ? kernels_at(index)->flux : NULL;
}

static void all_sets_agree_to_the_bit(void **state)
{
    (void)state;
    static float expected[STRIP_ELEMENTS], after[STRIP_ELEMENTS];
    int tables = 1;
    while (kernels_at(tables - 1) != NULL)
        tables++;
    for (size_t t = 0; t < sizeof cases / sizeof cases[0]; t++) {
        const Case *c = &cases[t];
        const size_t first = (size_t)(STRIP_PAD * c->step), count = (size_t)(c->cells * c->step);
        for (int table = tables - 1; table >= 0; table--) {
            const FluxKernels *kernels = flux_table(table);
            if (kernels == NULL)
                continue;
            fill_strip(c);
            kernels->settle(&strip, c->step, c->cells);
            int reach = kernels->depart(&strip, c->step, c->cells);
            kernels->reconstruct(&strip, c->step, c->cells, reach);
            kernels->carry(&strip, c->step, c->cells, 1);
            if (table == tables - 1) {
                memcpy(expected, strip.value, sizeof expected);
                memcpy(after, strip.after, sizeof after);
            }
            assert_memory_equal(strip.value + first, expected + first, count * sizeof(float));
            assert_memory_equal(strip.after + first, after + first, count * sizeof(float));
        }
    }
}

/* Content is found wherever it is, and nothing else is. */
static void content_is_found(void **state)
{
    (void)state;
    for (int table = 0; kernels_at(table) != NULL; table++) {
        const Kernels *kernels = kernels_find(kernels_at(table)->name);
        if (kernels == NULL)
            continue;
        memset(&strip, 0, sizeof strip);
        for (int n = 1; n < 40; n++) {
            assert_false(kernels->flux->holds(strip.value, n));
            strip.value[n - 1] = 1e-30f;
            assert_true(kernels->flux->holds(strip.value, n));
            strip.value[n - 1] = 0;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_agree_with_integrals),
        cmocka_unit_test(all_sets_agree_to_the_bit),
        cmocka_unit_test(content_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
