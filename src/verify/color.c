/* SPDX-License-Identifier: MIT
 * What light is worth: how it scatters, what glows, and what a film makes of it. */
#include "blackbody.h"
#include "cases.h"
#include "smoke_bench.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

static void run_phase(VerifyRun *run)
{
    enum { PARTS = 20000, LOBES = 5 };
    static const float cosines[LOBES] = {-0.8f, -0.3f, 0, 0.5f, 0.9f};
    static float in[4 * PARTS], out[4 * PARTS];
    double total = 0, mean = 0, even = 0;
    Bench *bench = bench_open(run, 1, 1, 1);
    VerifyPlot *plot = plot_add(run, "Henyey and Greenstein's phase function", "cosine", "1/sr");
    if (bench == NULL)
        return;
    if (plot != NULL)
        plot->y_logarithmic = true;
    for (int g = 0; g < LOBES; g++) {
        VerifySeries *series = plot_series(plot, VERIFY_LINE, "g = %g", (double)cosines[g]);
        double sum = 0, moment = 0;
        for (int i = 0; i < PARTS; i++) {
            in[4 * i] = (float)(-1 + (i + 0.5) * 2 / PARTS);
            in[4 * i + 1] = cosines[g];
        }
        if (!bench_probe(run, bench, RENDER_PROBE_PHASE, PARTS, in, out))
            break;
        for (int i = 0; i < PARTS; i++) {
            double cosine = -1 + (i + 0.5) * 2 / PARTS;
            double share = (double)out[4 * i] * 2 * PI * 2 / PARTS;
            sum += share;
            moment += share * cosine;
            if (i % 400 == 200)
                plot_point(series, cosine, (double)out[4 * i]);
        }
        total = fmax(total, fabs(sum - 1));
        mean = fmax(mean, fabs(moment - (double)cosines[g]));
        even = cosines[g] == 0 ? (double)out[0] : even;
    }
    bench_close(bench);
    row_absolute(run, "integral over the sphere less 1, at worst", total, 0, 1e-3);
    row_absolute(run, "mean cosine less g, at worst", mean, 0, 1e-3);
    row_relative(run, "1/sr at g = 0", even, 1 / (4 * PI), 1e-5);
}

/* Between the table's entries, as the march takes it. */
static double table_luminance(const float *table, float kelvin)
{
    float x = blackbody_place(kelvin) * (BLACKBODY_ENTRIES - 1);
    int low = (int)fminf(x, BLACKBODY_ENTRIES - 2);
    const float *at = table + 4 * low, weights[3] = {0.2126f, 0.7152f, 0.0722f};
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += (double)(weights[c] * (at[c] + (x - (float)low) * (at[4 + c] - at[c])));
    return sum;
}

static void check_table(VerifyRun *run)
{
    static float table[4 * BLACKBODY_ENTRIES];
    double reference[3], worst = 0, least = INFINITY, most = 0;
    VerifyPlot *plot = plot_add(run, "Luminance over that at 1500 K", "temperature, K", "");
    VerifySeries *series = plot_series(plot, VERIFY_DOTS, "table");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "Planck");
    if (plot != NULL)
        plot->y_logarithmic = true;
    blackbody_table((BlackbodyScale){1500, 1}, table);
    blackbody_xyz(1500, reference);
    for (double kelvin = 703; kelvin < 4400; kelvin += 37) {
        double xyz[3], seen = table_luminance(table, (float)kelvin);
        blackbody_xyz(kelvin, xyz);
        double wanted = xyz[1] / reference[1];
        worst = fmax(worst, fabs(seen / wanted - 1));
        least = fmin(least, seen);
        most = fmax(most, seen);
        plot_point(series, kelvin, seen);
        plot_point(exact, kelvin, wanted);
    }
    row_absolute(run, "luminance of the table over Planck's, less 1, at worst", worst, 0, 0.005);
    row_report(run, "decades that spans, 703 K to 4400 K", log10(most / least), NAN);
}

/* Planckian chromaticities after Kim and others (2002). */
static void run_blackbody(VerifyRun *run)
{
    static const double truth[5][3] = {{2000, 0.527, 0.413},
                                       {3000, 0.437, 0.404},
                                       {4000, 0.381, 0.377},
                                       {5000, 0.345, 0.352},
                                       {6500, 0.3135, 0.3237}};
    for (int t = 0; t < 5; t++) {
        double xyz[3];
        char what[40];
        blackbody_xyz(truth[t][0], xyz);
        double sum = xyz[0] + xyz[1] + xyz[2];
        snprintf(what, sizeof what, "x at %g K", truth[t][0]);
        row_absolute(run, what, xyz[0] / sum, truth[t][1], 0.01);
        snprintf(what, sizeof what, "y at %g K", truth[t][0]);
        row_absolute(run, what, xyz[1] / sum, truth[t][2], 0.01);
    }
    check_table(run);
}

static void run_curve(VerifyRun *run, Bench *bench, VerifyPlot *plot, RenderProbe probe,
                      const char *name)
{
    enum { MOST = 256 };
    static float in[4 * MOST], out[4 * MOST];
    double falls = 0, last = 0;
    int count = 1; /* the first is black */
    bool finite = true;
    char what[64];
    VerifySeries *series = plot_series(plot, VERIFY_LINE, "%s", name);
    in[0] = in[1] = in[2] = 0;
    for (double radiance = 1e-4; radiance <= 1e6 && count < MOST; radiance *= 1.1, count++)
        for (int c = 0; c < 3; c++)
            in[4 * count + c] = (float)radiance;
    if (!bench_probe(run, bench, probe, count, in, out))
        return;
    for (int i = 1; i < count; i++) {
        double value = (double)out[4 * i + 1];
        finite = finite && isfinite(value);
        falls = fmax(falls, last - value);
        last = value;
        plot_point(series, (double)in[4 * i], value);
    }
    snprintf(what, sizeof what, "%s: value of black", name);
    row_absolute(run, what, (double)out[1], 0, 0);
    snprintf(what, sizeof what, "%s: largest fall from one radiance to a larger one", name);
    row_absolute(run, what, falls, 0, 1e-6);
    snprintf(what, sizeof what, "%s: value at a radiance of 10^6", name);
    row_between(run, what, finite ? last : (double)NAN, 1, 0.99, 1);
}

static void run_tone(VerifyRun *run)
{
    VerifyPlot *plot = plot_add(run, "Film curve", "radiance", "value of the picture");
    Bench *bench = bench_open(run, 1, 1, 1);
    if (bench == NULL)
        return;
    if (plot != NULL)
        plot->x_logarithmic = true;
    run_curve(run, bench, plot, RENDER_PROBE_ACES, "ACES");
    run_curve(run, bench, plot, RENDER_PROBE_AGX, "AgX");
    bench_close(bench);
}

const VerifyCase color_cases[] = {
    {"phase-function", "Henyey and Greenstein's phase function", "Henyey & Greenstein 1941",
     "Summed over the sphere for five mean cosines.", true, run_phase},
    {"blackbody", "Colours of hot bodies", "Planck 1901",
     "CIE 1931 chromaticities of Planck's spectrum.", true, run_blackbody},
    {"tone-map", "The film curves rise, from black", "Hill 2016; Sobotka 2022",
     "Greys from 10^-4 to 10^6.", true, run_tone},
    {0},
};
