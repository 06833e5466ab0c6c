/* SPDX-License-Identifier: MIT
 * The synthesizer against the formulae of docs/sound.md. */
#include "sound/synth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI       3.14159265358979323846
#define DISTANCE 2.0 /* of the source in front of the listener, m */

enum { SECONDS_MOST = 16 };
static float samples[SECONDS_MOST * SYNTH_RATE * 2];

static BillowSound source(double time, double rate)
{
    return (BillowSound){.time = time,
                         .expansion = rate,
                         .center = {0, 0, -DISTANCE},
                         .shear_center = {0, 0, -DISTANCE}};
}

/* Steps of h seconds, at rates of a function, heard from `frame` on; returns the frame after. */
typedef double Rate(double time);
static long play(Synth *synth, Rate *rate, double scale, double from, double h, int steps,
                 long frame)
{
    for (int n = 1; n <= steps; n++) {
        const double time = from + n * h;
        const BillowSound sound = source(time, scale * rate(time));
        const int frames = (int)(lround(n * h * SYNTH_RATE) - lround((n - 1) * h * SYNTH_RATE));
        synth_step(synth, &sound, h, h);
        synth_play(synth, samples + 2 * frame, frames);
        frame += frames;
    }
    return frame;
}

/* Spectral density at a frequency of a second of the left channel, 1/Hz. */
static double density(long from, double hertz)
{
    double c = 0, s = 0;
    for (int n = 0; n < SYNTH_RATE; n++) {
        const double w = 2 * PI * hertz * n / SYNTH_RATE, x = (double)samples[2 * (from + n)];
        c += x * cos(w);
        s += x * sin(w);
    }
    return 2 * (c * c + s * s) / ((double)SYNTH_RATE * SYNTH_RATE);
}

static double energy(long from, long to)
{
    double sum = 0;
    for (long n = 2 * from; n < 2 * to; n++)
        sum += (double)samples[n] * (double)samples[n];
    return sum;
}

static double largest_jump(long from, long to)
{
    double jump = 0;
    for (long n = from + 1; n < to; n++)
        jump = fmax(jump, fabs((double)samples[2 * n] - (double)samples[2 * n - 2]));
    return jump;
}

static double peak(long from, long to)
{
    double most = 0;
    for (long n = 2 * from; n < 2 * to; n++)
        most = fmax(most, fabs((double)samples[n]));
    return most;
}

/* -- resolved sound ---------------------------------------------------------------------------- */

static double oscillation_hertz;

/* V = V0 + sin(wt) in m3. */
static double oscillation(double time)
{
    const double w = 2 * PI * oscillation_hertz;
    return w * cos(w * time);
}

static void test_oscillating_volume(void **state)
{
    (void)state;
    const double h = 1.0 / 480, frequencies[] = {50, 75, 90, 120}; /* Nyquist frequency: 240 Hz */
    for (int f = 0; f < 4; f++) {
        Synth synth;
        synth_init(&synth);
        oscillation_hertz = frequencies[f];
        const double w = 2 * PI * frequencies[f];
        const double expected = 4e-3; /* of full scale: nothing is compressed */
        const double volume = expected * SYNTH_FULL_SCALE * 4 * PI * DISTANCE / (SYNTH_AIR * w * w);
        play(&synth, oscillation, volume, 1, h, 960, 0);
        const double found = sqrt(2 * density(SYNTH_RATE, frequencies[f]));
        if (fabs(found / expected - 1) > 0.03)
            fail_msg("%g Hz: %g instead of %g", frequencies[f], found, expected);
    }
}

static void test_distance_and_side(void **state)
{
    (void)state;
    double left[3], right[3];
    const SynthEar ears[3] = {{{0, 0, 0}, {1, 0, 0}},
                              {{0, 0, (float)DISTANCE}, {1, 0, 0}}, /* twice as far */
                              {{0, 0, 0}, {0, 0, -1}}};             /* the source to the right */
    oscillation_hertz = 60;
    for (int e = 0; e < 3; e++) {
        Synth synth;
        synth_init(&synth);
        synth_listen(&synth, &ears[e], true);
        play(&synth, oscillation, 1e-6, 1, 1.0 / 480, 480, 0);
        left[e] = right[e] = 0;
        for (int n = SYNTH_RATE / 2; n < SYNTH_RATE; n++) {
            left[e] = fmax(left[e], fabs((double)samples[2 * n]));
            right[e] = fmax(right[e], fabs((double)samples[2 * n + 1]));
        }
    }
    assert_true(left[0] > 0 && left[0] == right[0]);
    assert_true(fabs(left[1] / left[0] - 0.5) < 0.01);
    assert_true(left[2] == 0 && fabs(right[2] / right[0] - sqrt(2)) < 0.01);
}

/* -- noise ------------------------------------------------------------------------------------- */

static const double noise_step = 1.0 / 480;
enum { LINES = 216 };
static double phases[LINES];

/* A rate whose pressure has the density f^-2.5 from 24 Hz to the cut, a line at each hertz. */
static double turbulent(double time)
{
    double rate = 0;
    for (int line = 0; line < LINES; line++) {
        const double f = 24 + line;
        rate += pow(f, -1.25) / (2 * PI * f) * sin(2 * PI * f * time + phases[line]);
    }
    return rate;
}

static double mean_density(int seconds, int from, int to, int apart)
{
    double sum = 0;
    int count = 0;
    for (int second = 1; second < seconds; second++)
        for (int hertz = from; hertz <= to; hertz += apart, count++)
            sum += density((long)second * SYNTH_RATE, hertz) * pow(hertz, 2.5);
    return sum / count;
}

static void throw_phases(void)
{
    unsigned dice = 1;
    for (int line = 0; line < LINES; line++) {
        dice = dice * 1664525u + 1013904223u;
        phases[line] = 2 * PI * dice / 4294967296.0;
    }
}

/* Densities times f^2.5: all equal by the law. */
static void test_spectrum(void **state)
{
    (void)state;
    enum { SECONDS = 8 };
    Synth synth;
    synth_init(&synth);
    throw_phases();
    play(&synth, turbulent, 0.1, 1, noise_step, SECONDS * 480, 0);
    const double resolved = mean_density(SECONDS, 60, 120, 4),
                 at_cut = mean_density(SECONDS, 200, 290, 6),
                 above = mean_density(SECONDS, 340, 480, 8),
                 high = mean_density(SECONDS, 2400, 3000, 24);
    const double slope = log(high / above) / log(2700.0 / 410) - 2.5;
    if (fabs(slope + 2.5) > 0.2)
        fail_msg("slope %.2f", slope);
    const double step = 10 * log10(above / resolved), gap = 10 * log10(at_cut / resolved);
    if (fabs(step) > 2 || fabs(gap) > 3)
        fail_msg("noise %.2f dB, at the cut %.2f dB beside the resolved sound", step, gap);
}

/* Twice the release has four times the energy, of resolved sound and noise. */
static void test_energy(void **state)
{
    (void)state;
    double found[2];
    throw_phases();
    for (int n = 0; n < 2; n++) {
        Synth synth;
        synth_init(&synth);
        const long end = play(&synth, turbulent, n == 0 ? 1e-3 : 2e-3, 1, noise_step, 480, 0);
        found[n] = energy(end / 4, end);
    }
    assert_true(found[0] > 0);
    assert_true(fabs(found[1] / found[0] - 4) < 0.01);
}

/* -- beginnings and ends ----------------------------------------------------------------------- */

static double silent(double time)
{
    (void)time;
    return 0;
}

static void test_rest_is_silent(void **state)
{
    (void)state;
    Synth synth;
    synth_init(&synth);
    assert_true(peak(0, play(&synth, silent, 1, 0, 1.0 / 30, 60, 0)) == 0);
    throw_phases();
    long at = play(&synth, turbulent, 1, 2, 1.0 / 30, 60, 0);
    assert_true(peak(0, at) > 0);
    at = play(&synth, silent, 1, 4, 1.0 / 30, 300, 0);
    assert_true(peak(0, at) > 0);
    assert_true(peak(at - SYNTH_RATE, at) == 0);
}

/* A simulation that fails radiates numbers that are none, or are beyond all bounds. */
static double broken(double time)
{
    return time < 1.1 ? (double)NAN : time < 1.3 ? (double)INFINITY : time < 1.5 ? -1e300 : 0;
}

static void test_broken_numbers_pass(void **state)
{
    (void)state;
    Synth synth;
    synth_init(&synth);
    long at = play(&synth, broken, 1, 1, 1.0 / 30, 300, 0);
    BillowSound sound = source(11 + 1.0 / 30, 0);
    sound.shear = sound.shear_speed = INFINITY;
    sound.center[0] = sound.shear_center[1] = NAN;
    synth_step(&synth, &sound, 1.0 / 30, 1.0 / 30);
    synth_play(&synth, samples + 2 * at, SYNTH_RATE / 30);
    at = play(&synth, silent, 1, 11 + 1.0 / 30, 1.0 / 30, 120, at + SYNTH_RATE / 30);
    for (long n = 0; n < 2 * at; n++)
        assert_true(fabsf(samples[n]) <= 1);
    assert_true(peak(at - SYNTH_RATE / 2, at) == 0);
}

static void test_nothing_clicks(void **state)
{
    (void)state;
    const double h = 1.0 / 30, scale = 40;
    const SynthEar ear = {{0, 0, 0}, {1, 0, 0}}, other = {{3, 0, 0}, {0, 0, 1}};
    Synth synth;
    synth_init(&synth);
    throw_phases();
    const long start = play(&synth, silent, 1, 0, h, 3, 0);
    const long burns = play(&synth, turbulent, scale, 3 * h, h, 60, start);
    const double loud = peak(start, burns), usual = largest_jump(start + SYNTH_RATE, burns);
    assert_true(loud > 0.05);
    assert_true(largest_jump(0, start + SYNTH_RATE) < 0.1 * loud); /* it starts */
    long at = burns;
    synth_listen(&synth, &ear, false); /* pause: no steps come */
    synth_play(&synth, samples + 2 * at, SYNTH_RATE / 10);
    assert_true(peak(at + SYNTH_RATE / 12, at + SYNTH_RATE / 10) < 0.02 * loud);
    at += SYNTH_RATE / 10;
    synth_listen(&synth, &ear, true);
    at = play(&synth, turbulent, scale, 63 * h, h, 30, at);
    synth_listen(&synth, &other, true); /* another camera */
    at = play(&synth, turbulent, scale, 93 * h, h, 30, at);
    at = play(&synth, turbulent, scale, 40 * h, h, 30, at); /* back in time */
    at = play(&synth, silent, scale, 0, h, 30, at);         /* reset */
    synth_play(&synth, samples + 2 * at, SYNTH_RATE / 4);   /* no more steps */
    at += SYNTH_RATE / 4;
    if (largest_jump(burns, at) > 1.5 * usual)
        fail_msg("a jump of %g among jumps of %g", largest_jump(burns, at), usual);
}

static double detonation(double time)
{
    return time > 1.05 && time < 1.2 ? 1 : 0;
}

/* The thump is deep, and loud at once; a tail follows. It stays below full scale. */
static void test_detonation_thumps(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        Synth synth;
        synth_init(&synth);
        const double scale = n == 0 ? 0.01 : 1e4;
        const long before = play(&synth, detonation, scale, 0, 1.0 / 30, 31, 0);
        const long end = play(&synth, detonation, scale, 31.0 / 30, 1.0 / 30, 60, before);
        const long moment = SYNTH_RATE / 20;
        assert_true(peak(0, before) == 0);
        assert_true(peak(before, end) <= SYNTH_CEILING);
        assert_true(peak(before, before + moment) > 0.9 * peak(before, end));
        assert_true(energy(before + 8 * moment, before + 12 * moment) > 0);
        const double low = density(before, 50) + density(before, 80), high = density(before, 800);
        assert_true(low > 30 * high);
    }
}

static void test_wind(void **state)
{
    (void)state;
    double found[2];
    for (int n = 0; n < 2; n++) {
        Synth synth;
        synth_init(&synth);
        for (int step = 1; step <= 60; step++) {
            BillowSound sound = source(step / 30.0, 0);
            sound.shear = n == 0 ? 1 : 4; /* of the same area, faster */
            sound.shear_speed = n == 0 ? 1 : 4;
            synth_step(&synth, &sound, 1.0 / 30, 1.0 / 30);
            synth_play(&synth, samples + (step - 1) * 3200, 1600);
        }
        found[n] = 10 * log10(energy(SYNTH_RATE, 2 * SYNTH_RATE));
    }
    /* A dipole has 36 dB more, a quadrupole 48 dB; a third of that is heard. */
    assert_true(found[1] - found[0] > 10 && found[1] - found[0] < 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillating_volume),
        cmocka_unit_test(test_distance_and_side),
        cmocka_unit_test(test_spectrum),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_rest_is_silent),
        cmocka_unit_test(test_broken_numbers_pass),
        cmocka_unit_test(test_nothing_clicks),
        cmocka_unit_test(test_detonation_thumps),
        cmocka_unit_test(test_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
