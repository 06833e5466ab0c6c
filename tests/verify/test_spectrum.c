/* SPDX-License-Identifier: MIT
 * The frequency of a signal, beside drift and a second signal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verify/flow.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 600, PIECE = 150 };

static double times[COUNT], values[COUNT];

/* A signal of 1.7 Hz, a weaker one of 4 Hz, and a slope. */
static void make_signal(double drift)
{
    const double turn = 2 * 3.14159265358979;
    for (int n = 0; n < COUNT; n++) {
        double t = 5 + n / 30.0;
        times[n] = t;
        values[n] = sin(turn * 1.7 * t) + 0.4 * cos(turn * 4 * t + 1) + drift * t + 3;
    }
}

static void the_strongest_is_found(void **state)
{
    (void)state;
    for (double drift = -2; drift <= 2; drift += 2) {
        make_signal(drift);
        assert_true(fabs(spectrum_peak(times, values, COUNT, PIECE, NULL) - 1.7) < 0.05);
        double strong = spectrum_power(times, values, COUNT, PIECE, 1.7);
        double weak = spectrum_power(times, values, COUNT, PIECE, 4);
        assert_true(fabs(weak / strong - 0.16) < 0.02);
        assert_true(spectrum_power(times, values, COUNT, PIECE, 2.8) < 0.01 * strong);
    }
}

static void its_curve_is_scaled(void **state)
{
    (void)state;
    VerifySeries series = {.count = 0};
    make_signal(0);
    spectrum_peak(times, values, COUNT, PIECE, &series);
    double most = 0;
    for (int n = 0; n < series.count; n++)
        most = fmax(most, series.points[n][1]);
    assert_true(series.count > 100 && most == 1);
    free(series.points);
}

static void crossings_count(void **state)
{
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        times[n] = n / 30.0;
        values[n] = 7 + sin(2 * 3.14159265358979 * 0.55 * times[n]);
    }
    assert_true(fabs(crossing_frequency(times, values, COUNT) - 0.55) < 1e-3);
    assert_true(isnan(crossing_frequency(times, values, 60)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_is_found),
        cmocka_unit_test(its_curve_is_scaled),
        cmocka_unit_test(crossings_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
