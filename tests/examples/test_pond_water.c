/* SPDX-License-Identifier: MIT
 * The water of examples/pond_water.c: what its equations promise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pond_water.c"

static const double degree = 57.29577951308232;

/* A basin of uniform depth. */
static PondWater *make_basin(int nx, int ny, float depth, float fastest)
{
    float *depths = malloc((size_t)nx * (size_t)ny * sizeof *depths);
    assert_non_null(depths);
    for (int c = 0; c < nx * ny; c++)
        depths[c] = depth;
    PondWaterDef def = pond_water_default_def();
    def.nx = nx, def.ny = ny, def.depth = depths, def.fastest = fastest;
    PondWater *water = pond_water_create(&def);
    free(depths);
    assert_non_null(water);
    return water;
}

/* A pond of 60 x 48 cells with a curved shore, an island and a depth that grows from the shore. */
static PondWater *make_pond(float fastest)
{
    enum { nx = 60, ny = 48 };
    static float depths[nx * ny];
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = (i + 0.5) / nx - 0.5, y = (j + 0.5) / ny - 0.5;
            double shore = 0.23 - x * x - y * y, island = hypot(x + 0.1, y - 0.1) - 0.08;
            depths[i + nx * j] = (float)fmin(0.5, 5 * fmin(shore, island));
        }
    PondWaterDef def = pond_water_default_def();
    def.nx = nx, def.ny = ny, def.depth = depths, def.fastest = fastest;
    PondWater *water = pond_water_create(&def);
    assert_non_null(water);
    return water;
}

/* Covers a disc of radius 4 cells around x, y, which are in cells. Cells at its rim are covered in
 * part. */
static void cover(PondWater *water, double x, double y, double u, double v)
{
    pond_water_free_cells(water);
    for (int j = (int)y - 6; j <= (int)y + 6; j++)
        for (int i = (int)x - 6; i <= (int)x + 6; i++)
            pond_water_move_cell(water, i, j, (float)fmin(4.5 - hypot(i + 0.5 - x, j + 0.5 - y), 1),
                                 (float)u, (float)v);
}

static double highest(const PondWater *water)
{
    double found = 0;
    for (size_t c = 0; c < water->count; c++)
        found = fmax(found, fabs((double)water->h[c]));
    return found;
}

/* -- waves ----------------------------------------------------------------------------------- */

/* Row of the crest at column i: where the water is highest in the half from y on, parabola through
 * three cells. */
static double crest(const PondWater *water, int i, int y)
{
    int best = y + 1;
    for (int j = y + 1; j < water->ny - 1; j++)
        if (pond_water_height(water, i, j) > pond_water_height(water, i, best))
            best = j;
    double a = (double)pond_water_height(water, i, best - 1),
           b = (double)pond_water_height(water, i, best),
           c = (double)pond_water_height(water, i, best + 1);
    return best + (a - c) / (2 * (a - 2 * b + c));
}

/* Angle of the bow wave's crest to the course of a boat of speed U, between 20 and 70 cells behind
 * it, by a line of least squares. */
static double wake_angle(double depth, double U)
{
    enum { nx = 240, ny = 200, first = 20, last = 70 };
    PondWater *water = make_basin(nx, ny, (float)depth, (float)U);
    double dt = 0.9 * pond_water_largest_step(water), x = 30, n = 0, s = 0, t = 0, ss = 0, st = 0;
    for (; x < 200; x += U * dt / 0.1) {
        cover(water, x, ny / 2.0, 0.05 * U, 0); /* of small draught: linear waves */
        assert_true(pond_water_step(water, dt));
    }
    for (int behind = first; behind <= last; behind++) {
        double y = crest(water, (int)x - behind, ny / 2);
        n++, s += behind, t += y, ss += behind * behind, st += behind * y;
    }
    pond_water_destroy(water);
    return atan((n * st - s * t) / (n * ss - s * s)) * degree;
}

/* The arms of the wake stand at the Mach angle asin(c / U). Kelvin's 19.47 degrees, the same for
 * all speeds, are those of waves with dispersion, which this water does not have. */
static void test_wake_stands_at_the_mach_angle(void **state)
{
    (void)state;
    const double depths[] = {0.2, 0.4, 0.4, 0.4}, speeds[] = {3, 3, 4, 6};
    for (int k = 0; k < 4; k++) {
        double c = sqrt(9.81 * depths[k]), mach = asin(c / speeds[k]) * degree;
        double angle = wake_angle(depths[k], speeds[k]);
        print_message("boat of %.0f m/s in waves of %.2f m/s: wake %.2f, Mach angle %.2f degrees\n",
                      speeds[k], c, angle, mach);
        assert_true(fabs(angle - mach) < 1);
    }
}

/* The rings of a drop are round and run at sqrt(g D). */
static void test_rings_are_round_and_run_at_the_speed_of_waves(void **state)
{
    (void)state;
    enum { n = 201 };
    PondWater *water = make_basin(n, n, 0.4f, 1);
    double c = sqrt(9.81 * 0.4), time = 0, dt = 0.5 * pond_water_largest_step(water);
    pond_water_add_drop(water, 10.05f, 10.05f, 0.8f, 0.01f);
    for (; time < 3.5; time += dt)
        assert_true(pond_water_step(water, dt));
    double along = 0, across = 0, high = 0, high_across = 0;
    for (int k = 20; k < 95; k++) { /* along an axis, and along a diagonal */
        double a = (double)pond_water_height(water, 100 + k, 100);
        double b = (double)pond_water_height(water, 100 + k * 5 / 7, 100 + k * 5 / 7);
        if (a > high)
            high = a, along = k * 0.1;
        if (b > high_across)
            high_across = b, across = sqrt(2) * (k * 5 / 7) * 0.1;
    }
    print_message(
        "ring after %.2f s: at %.2f m along an axis, %.2f m along a diagonal; c t is %.2f\n", time,
        along, across, c * time);
    assert_true(fabs(along - across) < 0.15);  /* a cell along the diagonal is 0.14 m */
    assert_true(fabs(along - c * time) < 0.4); /* the crest runs within half the bump's radius */
    pond_water_destroy(water);
}

/* -- what is kept ---------------------------------------------------------------------------- */

static void test_still_water_stays_flat_exactly(void **state)
{
    (void)state;
    PondWater *water = make_pond(5);
    double dt = pond_water_largest_step(water);
    for (int level = 0; level < 2; level++) {
        for (int j = 0; j < water->ny; j++)
            for (int i = 0; i < water->nx; i++)
                pond_water_add(water, i, j, 0.013f * (float)level);
        for (int step = 0; step < 100; step++)
            assert_true(pond_water_step(water, dt));
        for (int j = 0; j < water->ny; j++)
            for (int i = 0; i < water->nx; i++)
                assert_true(pond_water_height(water, i, j) ==
                            (pond_water_wet(water, i, j) ? 0.013f * (float)level : 0.0f));
    }
    pond_water_destroy(water);
}

/* 1,000 steps with two boats and rain. A step changes a height by at most its rounding, so the
 * error of the volume is below cells * steps * 2^-24 * the highest; measured it is much less. */
static void test_volume_is_conserved(void **state)
{
    (void)state;
    PondWater *water = make_pond(5);
    double dt = pond_water_largest_step(water), added = 0, rest = 0, error = 0;
    for (int j = 0; j < water->ny; j++)
        for (int i = 0; i < water->nx; i++)
            rest += (double)pond_water_depth(water, i, j) * 0.01;
    for (int step = 0; step < 1000; step++) {
        double angle = 2.0 * step * dt / 1.4;
        cover(water, 30 + 14 * cos(angle), 24 + 14 * sin(angle), -0.6 * sin(angle),
              0.6 * cos(angle));
        if (step % 10 == 0)
            added += pond_water_add_drop(water, (float)(step * 37 % 600) / 100,
                                         (float)(step * 53 % 480) / 100, 0.3f, 0.01f);
        assert_true(pond_water_step(water, dt));
        error = fmax(error, fabs(pond_water_volume(water) - added));
    }
    print_message(
        "of %.3f m3 and %.4f m3 of rain, at most %.2g m3 are lost; heights up to %.3f m\n", rest,
        added, error, highest(water));
    assert_true(added > 0.01 && highest(water) > 0.005);
    assert_true(error < 1e-8 * rest);
    pond_water_destroy(water);
}

/* -- limits ---------------------------------------------------------------------------------- */

/* Largest height in 2,000 steps that begin with noise from cell to cell, over the noise. */
static double growth(PondWater *water, double dt)
{
    double most = 0;
    pond_water_reset(water);
    for (int j = 0; j < water->ny; j++)
        for (int i = 0; i < water->nx; i++)
            pond_water_add(water, i, j, (i + j) % 2 != 0 ? 1e-5f : -1e-5f);
    for (int step = 0; step < 2000; step++) {
        assert_true(pond_water_step(water, dt));
        most = fmax(most, highest(water));
    }
    return most / 1e-5;
}

/* At the largest step waves of two cells, the first to become unstable, swing between height and
 * velocity; their energy is bounded, and so are the heights. A step 2 % larger makes them grow. */
static void test_largest_step_is_stable_and_sharp(void **state)
{
    (void)state;
    for (int viscous = 0; viscous < 2; viscous++) {
        PondWater *water = make_basin(60, 48, 0.5f, 5);
        water->viscosity = viscous != 0 ? 0.02f : 0;
        water->drag = 0;
        water->fastest = 0.01f; /* so slow that (6) is the bound of waves alone */
        water->largest_step = stable_step(water);
        water->fastest = 1e6f;
        double stable = growth(water, water->largest_step);
        water->largest_step *= 1.02;
        double unstable = growth(water, water->largest_step);
        print_message("viscosity %.2f: heights up to %.3g of the noise; 2 %% above, %.3g\n",
                      (double)water->viscosity, stable, unstable);
        assert_true(stable < 100 && !(unstable < 1e4));
        pond_water_destroy(water);
    }
}

/* The fastest boat goes to and fro through a pond at the largest step, and pushes all the water. */
static void test_fastest_boat_is_stable(void **state)
{
    (void)state;
    PondWater *water = make_pond(5);
    double dt = pond_water_largest_step(water), early = 0, late = 0;
    for (int step = 0; step < 4000; step++) {
        double phase = fmod(step * dt * 5 / 3.6, 2), way = phase < 1 ? 1 : -1;
        cover(water, 12 + 36 * (phase < 1 ? phase : 2 - phase), 17, 5 * way, 0);
        assert_true(pond_water_step(water, dt));
        double *most = step < 2000 ? &early : &late;
        *most = fmax(*most, highest(water));
    }
    print_message("heights up to %.2f m in the first half, %.2f m in the second\n", early, late);
    assert_true(late < 1.5 * early && early < 10);
    pond_water_free_cells(water);
    for (double time = 0; time < 120; time += dt)
        assert_true(pond_water_step(water, dt));
    assert_true(highest(water) < 0.05 * early);
    pond_water_destroy(water);
}

static void test_impossible_values_are_refused(void **state)
{
    (void)state;
    float depths[4] = {1, 1, 1, 1}, bad[4] = {1, 1, NAN, 1};
    PondWaterDef good = pond_water_default_def();
    good.nx = good.ny = 2, good.depth = depths;
    PondWaterDef defs[8];
    for (int k = 0; k < 8; k++)
        defs[k] = good;
    defs[0].nx = 0, defs[1].ny = SIDE_MOST + 1, defs[2].depth = bad, defs[3].cell = 0;
    defs[4].gravity = -1, defs[5].viscosity = NAN, defs[6].drag = INFINITY, defs[7].depth = NULL;
    for (int k = 0; k < 8; k++)
        assert_null(pond_water_create(&defs[k]));
    PondWater *water = pond_water_create(&good);
    assert_non_null(water);
    double dt = pond_water_largest_step(water);
    assert_false(pond_water_step(water, 1.001 * dt));
    assert_false(pond_water_step(water, 0));
    assert_false(pond_water_step(water, NAN));
    assert_true(pond_water_add(water, 2, 0, 1) == 0 && pond_water_add(water, 0, 0, NAN) == 0);
    assert_true(pond_water_add_drop(water, NAN, 0, 1, 1) == 0);
    pond_water_move_cell(water, -1, 0, 1, 1, 1);
    pond_water_move_cell(water, 1, 1, NAN, 1, 1);
    pond_water_move_cell(water, 0, 0, 1, NAN, 0);
    assert_true(pond_water_step(water, dt) && highest(water) == 0);
    float velocity[2];
    pond_water_velocity(water, NAN, 1e30f, velocity);
    assert_true(velocity[0] == 0 && velocity[1] == 0);
    assert_false(pond_water_wet_at(water, NAN, 0));
    pond_water_destroy(water);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wake_stands_at_the_mach_angle),
        cmocka_unit_test(test_rings_are_round_and_run_at_the_speed_of_waves),
        cmocka_unit_test(test_still_water_stays_flat_exactly),
        cmocka_unit_test(test_volume_is_conserved),
        cmocka_unit_test(test_largest_step_is_stable_and_sharp),
        cmocka_unit_test(test_fastest_boat_is_stable),
        cmocka_unit_test(test_impossible_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
