/* SPDX-License-Identifier: MIT
 * Up-resolution: what it keeps, what it adds, and that the number of threads does not matter. */
#define _POSIX_C_SOURCE 200809L /* pthread_barrier_t */
#include <billow/billow.h>
#include <billow/upres.h>

#include "ranks_fixture.h"
#include "sanitized.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A ball of smoke in a box of 24^3 cells, carried around its centre by a rotating, sheared flow.
 * With `all`, it also has heat, fuel and colours; otherwise all that is interpolated is smoke. */
static BillowSim *ball_of(float shear, bool all)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 24;
    def.cell_size = 1.0f / 24;
    def.fire = def.color = all;
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    BillowFields fields = billow_fields(sim);
    const BillowView view = billow_view(sim);
    for (int k = 0; k < 24; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                ptrdiff_t at = i + j * view.stride_y + k * view.stride_z;
                float x = (float)i - 11.5f, y = (float)j - 11.5f, z = (float)k - 11.5f;
                float inside = 7 - sqrtf(x * x + y * y + z * z);
                float density = 2 * fminf(fmaxf(0.25f * inside, 0), 1);
                fields.density[at] = density;
                fields.temperature[at] = 100 * density;
                fields.u[at] = shear * y;
                if (!all)
                    continue;
                fields.fuel[at] = 0.5f * density;
                for (int c = 0; c < 3; c++)
                    fields.color[c][at] = density * 0.25f * (float)(c + 1);
            }
    return sim;
}

static BillowSim *ball(float shear)
{
    return ball_of(shear, false);
}

static BillowSim *full_ball(float shear)
{
    return ball_of(shear, true);
}

static BillowView view_by(const BillowSim *sim, const BillowUpresDef *def, BillowUpres **upres)
{
    const BillowView view = billow_view(sim);
    BillowError error;
    *upres = billow_upres_create(&view, def, &error);
    assert_non_null(*upres);
    return billow_upres_view(*upres, &view);
}

static BillowView upres_view(const BillowSim *sim, int factor, float turbulence, int sharpening,
                             int threads, BillowUpres **upres)
{
    const BillowUpresDef def = {factor, turbulence, sharpening, 0, threads};
    return view_by(sim, &def, upres);
}

static ptrdiff_t place(const BillowView *view, int i, int j, int k)
{
    return i + j * view->stride_y + k * view->stride_z;
}

/* Smoke of a view, m3 at density 1, and the sum of squared differences of neighbours along x. */
static double mass(const BillowView *view, double *roughness)
{
    double sum = 0, squares = 0, cell = (double)view->cell_size;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                double value = (double)view->density[place(view, i, j, k)];
                sum += value;
                if (i > 0) {
                    double change = value - (double)view->density[place(view, i - 1, j, k)];
                    squares += change * change;
                }
            }
    *roughness = squares * cell;
    return sum * cell * cell * cell;
}

static void test_plain_interpolation_keeps_mass_and_extremes(void **state)
{
    (void)state;
    BillowSim *sim = ball(3);
    const BillowView view = billow_view(sim);
    double rough, before = mass(&view, &rough);
    for (int factor = BILLOW_UPRES_MIN; factor <= BILLOW_UPRES_MAX; factor++) {
        BillowUpres *upres;
        const BillowView fine = upres_view(sim, factor, 0, 0, 1, &upres);
        assert_int_equal(fine.nx, 24 * factor);
        assert_float_equal(fine.cell_size * (float)factor, view.cell_size, 1e-6f);
        double after = mass(&fine, &rough);
        if (!(fabs(after / before - 1) < 0.005))
            fail_msg("factor %d: mass %g -> %g", factor, before, after);
        for (int k = 0; k < fine.nz; k++)
            for (int i = 0; i < fine.nx; i++) {
                float value = fine.density[place(&fine, i, fine.ny / 2, k)];
                assert_true(value >= 0 && value <= 2);
            }
        billow_upres_destroy(upres);
    }
    billow_destroy(sim);
}

/* Folds keep the mass, since the displacement has no divergence, and make the smoke rougher. */
static void test_folds(void **state)
{
    (void)state;
    BillowSim *sim = ball(3);
    BillowUpres *upres;
    double smooth, folded;
    BillowView fine = upres_view(sim, 3, 0, 0, 1, &upres);
    double before = mass(&fine, &smooth);
    billow_upres_destroy(upres);
    fine = upres_view(sim, 3, 1.5f, 0, 1, &upres);
    double after = mass(&fine, &folded);
    billow_upres_destroy(upres);
    if (!(fabs(after / before - 1) < 0.01 && folded > 1.2 * smooth))
        fail_msg("mass %g -> %g, roughness %g -> %g", before, after, smooth, folded);
    billow_destroy(sim);
}

/* Marks the smoke that is joined to a cell, and counts its cells. */
static int joined(const BillowView *view, unsigned char *seen, int *stack, int first)
{
    const int n[3] = {view->nx, view->ny, view->nz}, steps[3] = {1, n[0], n[0] * n[1]};
    int count = 0, depth = 1;
    stack[0] = first;
    seen[first] = 1;
    while (depth > 0) {
        const int cell = stack[--depth];
        count++;
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2, at = cell / steps[axis] % n[axis];
            const int beside = cell + (side % 2 ? 1 : -1) * steps[axis];
            if (side % 2 ? at + 1 >= n[axis] : at < 1)
                continue;
            const int i = beside % n[0], j = beside / n[0] % n[1], k = beside / steps[2];
            if (seen[beside] || view->density[place(view, i, j, k)] < 0.1f)
                continue;
            seen[beside] = 1;
            stack[depth++] = beside;
        }
    }
    return count;
}

/* Folds do not tear the smoke: a ball stays in one piece, but for less than a hundredth in crumbs.
 */
static void test_folds_do_not_tear(void **state)
{
    (void)state;
    BillowSim *sim = ball(3);
    BillowUpres *upres;
    const BillowView fine = upres_view(sim, 3, 2, 4, 1, &upres);
    const int cells = fine.nx * fine.ny * fine.nz;
    unsigned char *seen = calloc((size_t)cells, 1);
    int *stack = malloc((size_t)cells * sizeof *stack), pieces = 0, largest = 0, all = 0;
    assert_non_null(seen);
    assert_non_null(stack);
    for (int cell = 0; cell < cells; cell++) {
        const int i = cell % fine.nx, j = cell / fine.nx % fine.ny, k = cell / fine.nx / fine.ny;
        if (seen[cell] || fine.density[place(&fine, i, j, k)] < 0.1f)
            continue;
        const int count = joined(&fine, seen, stack, cell);
        largest = count > largest ? count : largest;
        all += count;
        pieces++;
    }
    print_message("%d pieces of smoke, %d of %d cells in the largest\n", pieces, largest, all);
    if (largest < 0.99 * all)
        fail_msg("%d pieces of smoke, %d of %d cells in the largest", pieces, largest, all);
    free(seen);
    free(stack);
    billow_upres_destroy(upres);
    billow_destroy(sim);
}

/* Cubic interpolation makes the fine cells across a wall of smoke 0, w, 1 - w and 1. Then each
 * takes a sixteenth of each of its neighbours. */
static void test_edges_are_smoothed(void **state)
{
    (void)state;
    BillowSim *sim = ball(0);
    BillowFields fields = billow_fields(sim);
    const BillowView view = billow_view(sim);
    const float w = 0.203125f; /* Catmull and Rom's spline, a quarter of the way up a step */
    const float wanted[4] = {w / 16, (1 + 13 * w) / 16, (15 - 13 * w) / 16, 1 - w / 16};
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 24; k++)
            for (int j = 0; j < 24; j++)
                for (int i = 0; i < 24; i++) {
                    const int at[3] = {i, j, k};
                    fields.density[place(&view, i, j, k)] = at[axis] < 12 ? 0 : 1;
                }
        BillowUpres *upres;
        const BillowView fine = upres_view(sim, 2, 0, 0, 1, &upres);
        for (int n = 0; n < 4; n++) {
            int at[3] = {30, 30, 30};
            at[axis] = 22 + n;
            const float value = fine.density[place(&fine, at[0], at[1], at[2])];
            assert_float_equal(value, wanted[n], 1e-5f);
        }
        billow_upres_destroy(upres);
    }
    billow_destroy(sim);
}

/* Fluid that does not move is not displaced. */
static void test_still_smoke_has_no_folds(void **state)
{
    (void)state;
    BillowSim *sim = ball(0);
    BillowUpres *plain, *turbulent;
    const BillowView a = upres_view(sim, 2, 0, 0, 1, &plain);
    const BillowView b = upres_view(sim, 2, 4, 0, 1, &turbulent);
    assert_memory_equal(a.density, b.density, (size_t)(a.stride_z * a.nz) * sizeof(float));
    billow_upres_destroy(plain);
    billow_upres_destroy(turbulent);
    billow_destroy(sim);
}

/* Erosion cuts into the edge alone and unevenly: the mass is that of the view, the middle becomes
 * denser by the same factor everywhere, smoke appears nowhere, and colours follow. */
static void test_erosion(void **state)
{
    (void)state;
    BillowSim *sim = full_ball(0);
    const BillowView view = billow_view(sim);
    BillowUpres *plain, *eroded;
    const BillowUpresDef def = {.factor = 3, .erosion = 0.8f, .threads = 1};
    const BillowView a = upres_view(sim, 3, 0, 0, 1, &plain), b = view_by(sim, &def, &eroded);
    double rough, before = mass(&view, &rough), after = mass(&b, &rough);
    if (!(fabs(after / before - 1) < 1e-4))
        fail_msg("mass %g -> %g", before, after);
    ptrdiff_t middle = place(&a, 36, 36, 36);
    float denser = b.density[middle] / a.density[middle];
    assert_in_range((int)(1000 * denser), 1050, 2000);
    int cut = 0, left = 0;
    for (int k = 0; k < a.nz; k++)
        for (int j = 0; j < a.ny; j++)
            for (int i = 0; i < a.nx; i++) {
                ptrdiff_t at = place(&a, i, j, k);
                float x = (float)i - 35.5f, y = (float)j - 35.5f, z = (float)k - 35.5f;
                float share = a.density[at] > 0 ? b.density[at] / (denser * a.density[at]) : 0;
                assert_true(share >= 0 && share < 1.0001f);
                if (x * x + y * y + z * z < 8 * 8) /* inside of the edge, which is 4 cells wide */
                    assert_float_equal(share, 1, 1e-4f);
                bool edge = a.density[at] > 0.9f && a.density[at] < 1.1f;
                cut += edge && share < 0.1f;
                left += edge && share > 0.9f;
                if (b.density[at] > 1e-3f)
                    assert_float_equal(b.color[2][at] / b.density[at], 0.75f, 0.01f);
            }
    if (!(cut > 300 && left > 200))
        fail_msg("of the edge, %d cells are cut and %d are left", cut, left);
    billow_upres_destroy(plain);
    billow_upres_destroy(eroded);
    billow_destroy(sim);
}

/* Width over which the density falls from 1.8 to 0.2 along the x axis, cells of the simulation. */
static double edge(const BillowView *view, int factor)
{
    int wide = 0;
    for (int i = 0; i < view->nx / 2; i++) {
        float value = view->density[place(view, i, view->ny / 2, view->nz / 2)];
        wide += value > 0.2f && value < 1.8f;
    }
    return (double)wide / factor;
}

static void test_sharpening_narrows_edges(void **state)
{
    (void)state;
    BillowSim *sim = ball(0);
    double width[2], amount[2], rough;
    for (int sharp = 0; sharp < 2; sharp++) {
        BillowUpres *upres;
        const BillowView fine = upres_view(sim, 4, 0, 4 * sharp, 1, &upres);
        width[sharp] = edge(&fine, 4);
        amount[sharp] = mass(&fine, &rough);
        billow_upres_destroy(upres);
    }
    if (!(width[0] > 2.9 && width[1] < 0.8 * width[0] && fabs(amount[1] / amount[0] - 1) < 0.01))
        fail_msg("edges %g -> %g cells, mass %g -> %g", width[0], width[1], amount[0], amount[1]);
    billow_destroy(sim);
}

static void test_other_fields_follow(void **state)
{
    (void)state;
    BillowSim *sim = full_ball(3);
    BillowUpres *upres;
    const BillowView fine = upres_view(sim, 2, 1, 2, 1, &upres);
    ptrdiff_t centre = place(&fine, 24, 24, 24);
    assert_float_equal(fine.temperature[centre], 200, 1);
    assert_float_equal(fine.fuel[centre], 1, 0.01f);
    for (int k = 0; k < fine.nz; k++) /* the colour of the smoke is the same everywhere */
        for (int i = 0; i < fine.nx; i++) {
            ptrdiff_t at = place(&fine, i, 20, k);
            if (fine.density[at] > 0.1f && fine.temperature[at] > 10)
                assert_float_equal(fine.color[2][at] / fine.density[at], 0.75f, 0.01f);
        }
    assert_null(fine.texture[0][0]);
    assert_null(fine.solid);
    billow_upres_destroy(upres);
    billow_destroy(sim);
}

/* The fine view has the wind of the view, whose cells are as many fine cells as the factor long. */
static void test_the_wind_is_that_of_the_view(void **state)
{
    (void)state;
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 24;
    def.cell_size = 1;
    def.solids[def.solid_count++] = billow_default_solid();
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 12;
    def.solids[0].size[0] = 5;
    for (def.refine = 1; def.refine <= 2; def.refine++) {
        BillowError error;
        BillowSim *sim = billow_create(&def, &error);
        assert_non_null(sim);
        billow_fields(sim).u[3] = 7;
        BillowUpres *upres;
        const BillowView fine = upres_view(sim, 3, 1, 0, 2, &upres), wind = billow_wind_view(&fine);
        assert_int_equal(fine.refine, 3 * def.refine);
        assert_int_equal(fine.nx, 72 * def.refine);
        assert_true(wind.nx == 24 && wind.ny == 24 && wind.nz == 24 && wind.cell_size == 1);
        assert_true(wind.u[3] == 7);
        assert_float_equal(wind.solid[place(&wind, 17, 12, 12)], 0, 0.05f);
        billow_upres_destroy(upres);
        billow_destroy(sim);
    }
}

static void test_same_bits_at_any_number_of_threads(void **state)
{
    (void)state;
    BillowSim *sim = full_ball(3);
    BillowUpres *one, *three;
    BillowUpresDef def = {.factor = 3, .turbulence = 2, .sharpening = 3, .erosion = 0.7f};
    def.threads = 1;
    const BillowView a = view_by(sim, &def, &one);
    def.threads = 3;
    const BillowView b = view_by(sim, &def, &three);
    size_t bytes = (size_t)(a.stride_z * a.nz) * sizeof(float);
    assert_memory_equal(a.density, b.density, bytes);
    assert_memory_equal(a.temperature, b.temperature, bytes);
    assert_memory_equal(a.color[1], b.color[1], bytes);
    const BillowView view = billow_view(sim);
    const BillowView again = billow_upres_view(one, &view); /* nothing is left of the last call */
    assert_memory_equal(again.density, b.density, bytes);
    billow_upres_destroy(one);
    billow_upres_destroy(three);
    billow_destroy(sim);
}

/* -- ranks ------------------------------------------------------------------------------------- */

enum { LONG = 64 }; /* planes of a box whose ranks do not need all of each other */

typedef struct Divided {
    const BillowView *view;
    const BillowUpresDef *def;
    const BillowView *fine; /* computed without ranks */
    int cuts[RANKS_MAX + 1];
    int beside;               /* planes beside its own that each rank computes too */
    int differing[RANKS_MAX]; /* planes */
} Divided;

/* Copies the planes first <= k < end of an array, from the ghosts before its first row on. The rest
 * is NaN. *memory receives what to free. */
static const float *copy_planes(const BillowView *view, const float *field, int first, int end,
                                float **memory)
{
    size_t plane = (size_t)view->stride_z, before = (size_t)view->stride_y + 1;
    *memory = malloc((LONG + 2) * plane * sizeof **memory);
    assert_non_null(*memory);
    for (size_t n = 0; n < (LONG + 2) * plane; n++)
        (*memory)[n] = NAN;
    for (int k = first; k < end; k++)
        memcpy(*memory + (size_t)(k + 1) * plane, field - before + (ptrdiff_t)k * view->stride_z,
               plane * sizeof **memory);
    return *memory + plane + before;
}

/* Compares the planes of this rank, whose view has no others than it may need. */
static void compare_rank(const BillowExchange *exchange, void *context)
{
    Divided *divided = (Divided *)context;
    const int first = divided->cuts[exchange->rank], end = divided->cuts[exchange->rank + 1];
    BillowUpres *upres = billow_upres_create_exchanging(
        divided->view, divided->def, exchange, (int[2]){first, end}, divided->beside, NULL);
    int reach = billow_upres_reach(upres), low = first - reach, high = end + reach;
    BillowView view = *divided->view;
    float *memory[16];
    int count = 0, factor = divided->def->factor;
    const float **fields[] = {&view.density,  &view.temperature, &view.color[0],
                              &view.color[1], &view.color[2],    &view.u,
                              &view.v,        &view.w,           &view.texture[0][2]};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        if (*fields[f] != NULL)
            *fields[f] = copy_planes(&view, *fields[f], low > 0 ? low : 0,
                                     high < LONG ? high : LONG + 1, &memory[count++]);
    const BillowView fine = billow_upres_view(upres, &view), *whole = divided->fine;
    const float *own[] = {fine.density, fine.temperature, fine.color[1]};
    const float *same[] = {whole->density, whole->temperature, whole->color[1]};
    const int before = first > divided->beside ? first - divided->beside : 0;
    const int after = end + divided->beside < LONG ? end + divided->beside : LONG;
    for (int k = factor * before; k < factor * after; k++)
        for (int f = 0; f < 3; f++)
            for (int j = 0; j < fine.ny; j++)
                divided->differing[exchange->rank] +=
                    memcmp(own[f] + place(&fine, 0, j, k), same[f] + place(whole, 0, j, k),
                           (size_t)fine.nx * sizeof(float)) != 0;
    while (count > 0)
        free(memory[--count]);
    billow_upres_destroy(upres);
}

/* A long box of uneven smoke in an uneven flow, with colours and texture coordinates. */
static BillowSim *long_box(void)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = 16;
    def.nz = LONG;
    def.cell_size = 1.0f / 16;
    def.color = true;
    def.texture_period = 1;
    def.solids[def.solid_count++] = billow_default_solid();
    def.solids[0].center[0] = def.solids[0].center[1] = 0.5f;
    def.solids[0].center[2] = 1.5f;
    def.solids[0].size[0] = 0.2f;
    BillowSim *sim = billow_create(&def, NULL);
    assert_non_null(sim);
    BillowFields fields = billow_fields(sim);
    const BillowView view = billow_view(sim);
    for (int k = 0; k < LONG; k++)
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++) {
                ptrdiff_t at = place(&view, i, j, k);
                float wave = sinf(0.9f * (float)i) + sinf(0.7f * (float)j) + sinf(0.5f * (float)k);
                fields.density[at] = fmaxf(wave, 0);
                fields.temperature[at] = 30 * wave;
                for (int c = 0; c < 3; c++)
                    fields.color[c][at] = 0.3f * (float)(c + 1) * fields.density[at];
                fields.u[at] = cosf(0.8f * (float)k);
                fields.w[at] = cosf(0.6f * (float)j);
            }
    billow_step(sim, 0.02);
    return sim;
}

static void test_ranks_have_the_same_bits(void **state)
{
    (void)state;
    BillowSim *sim = long_box();
    const BillowView view = billow_view(sim);
    const BillowUpresDef defs[] = {
        {.factor = 2, .turbulence = 0.5f, .sharpening = 2, .threads = 1},
        {.factor = 3, .turbulence = 0.4f, .sharpening = 8, .threads = 2},
        {.factor = 2, .turbulence = 0.8f, .erosion = 0.8f, .threads = 1},
    };
    for (int d = 0; d < 3; d++) {
        BillowUpres *upres;
        const BillowView fine = view_by(sim, &defs[d], &upres);
        for (int ranks = 2; ranks <= 3; ranks++) {
            Divided divided = {.view = &view,
                               .def = &defs[d],
                               .fine = &fine,
                               .cuts = {0, 21, ranks == 2 ? LONG : 40, LONG},
                               .beside = 2 * d};
            ranks_run(ranks, compare_rank, &divided);
            for (int r = 0; r < ranks; r++)
                assert_int_equal(divided.differing[r], 0);
        }
        billow_upres_destroy(upres);
    }
    billow_destroy(sim);
}

static void test_wrong_values(void **state)
{
    (void)state;
    BillowSim *sim = full_ball(0);
    const BillowView view = billow_view(sim);
    const BillowUpresDef wrong[] = {{1, 1, 1, 0, 1},   {5, 1, 1, 0, 1}, {2, -1, 1, 0, 1},
                                    {2, NAN, 1, 0, 1}, {2, 1, 9, 0, 1}, {2, 1, 1, 1.5f, 1},
                                    {2, 1, 1, NAN, 1}};
    const char *const says[] = {"upres factor 1: it must be 2 to 4",
                                "factor 5",
                                "upres turbulence -1: it must be 0 to 4",
                                "turbulence",
                                "upres sharpening 9: it must be 0 to 8",
                                "upres erosion 1.5: it must be 0 to 1",
                                "erosion"};
    for (int n = 0; n < 7; n++) {
        BillowError error = {""};
        assert_null(billow_upres_create(&view, &wrong[n], &error));
        assert_non_null(strstr(error.text, says[n]));
    }
    const BillowUpresDef def = billow_default_upres();
    const BillowView nothing = {0};
    BillowError error = {""};
    assert_null(billow_upres_create(&view, NULL, &error));
    assert_null(billow_upres_create(NULL, &def, &error));
    assert_null(billow_upres_create(&nothing, &def, &error));
    BillowView bare = view;
    bare.density = NULL;
    assert_null(billow_upres_create(&bare, &def, &error));
    assert_non_null(
        strstr(error.text, "upres needs a view with cells and density, and a definition"));
    billow_upres_destroy(NULL);
    assert_true(billow_upres_bytes(&view, &def) > 4.0 * 7 * 48 * 48 * 48);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_wind_is_that_of_the_view),
        cmocka_unit_test(test_same_bits_at_any_number_of_threads),
        cmocka_unit_test(test_ranks_have_the_same_bits),
        cmocka_unit_test(test_wrong_values),
        /* Parts of what test_same_bits_at_any_number_of_threads does at once: */
        cmocka_unit_test(test_plain_interpolation_keeps_mass_and_extremes),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_folds_do_not_tear),
        cmocka_unit_test(test_edges_are_smoothed),
        cmocka_unit_test(test_still_smoke_has_no_folds),
        cmocka_unit_test(test_erosion),
        cmocka_unit_test(test_sharpening_narrows_edges),
        cmocka_unit_test(test_other_fields_follow),
    };
    size_t count = sizeof tests / sizeof tests[0];
    return _cmocka_run_group_tests("upres", tests, SANITIZED ? 3 : count, NULL, NULL);
}
