/* SPDX-License-Identifier: MIT
 * Light in smoke, its colours and the film curves, against closed forms and tables. */
#include "render/light/blackbody.h"
#include "verify/path_tracer.h"
#include "verify/smoke_bench.h"

#include <string.h>

/* Step lengths of the march, cells: 8, 64 and 512 steps through 64 cells. */
static const float steps[3] = {8, 1, 0.125f};

static const double ahead_x[3] = {1, 0, 0};

/* Albedo of cases that measure single scattering. It is so small that light scattered twice is
 * within the tolerance. The light source is brighter by the factor 1 / faint_albedo. */
static const double faint_albedo = 1e-3;

static void run_beer_lambert(VerifyRun *run)
{
    static const double depths[4] = {0.1, 0.7, 2, 5}, before[3] = {-5, 4, 4},
                        middle[3] = {32, 4, 4};
    Bench *bench = bench_open(run, 64, 8, 8);
    double worst = 0, spread = 0, product = 0;
    VerifyPlot *plot = plot_add(run, "Light through a slab", "optical depth", "transmittance");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "marched");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "exp(-depth)");
    if (bench == NULL)
        return;
    bench_fill(bench, 0.5f);
    for (int d = 0; d < 4; d++) {
        double passed[3] = {0};
        BenchPixel seen;
        bench->settings.smoke.extinction = (float)(depths[d] / 32);
        if (!bench_light(run, bench))
            break;
        for (int s = 0; s < 3; s++) {
            bench->frame.step = steps[s];
            if (!bench_ray(run, bench, before, ahead_x, &seen))
                break;
            passed[s] = seen.transmittance;
            worst = fmax(worst, fabs(passed[s] - exp(-depths[d])));
            spread = fmax(spread, fabs(passed[s] - passed[0]));
            plot_point(measured, depths[d], passed[s]);
        }
        if (run->failed || !bench_ray(run, bench, middle, ahead_x, &seen))
            break;
        product = fmax(product, fabs(seen.transmittance * seen.transmittance - passed[2]));
    }
    for (double depth = 0; depth <= 5; depth += 0.1)
        plot_point(exact, depth, exp(-depth));
    bench_close(bench);
    row_absolute(run, "largest error of the transmittance, 8, 64, 512 steps", worst, 0, 1.0 / 255);
    row_absolute(run, "largest change of the transmittance with the steps", spread, 0, 1e-3);
    row_absolute(run, "largest error of the product of two halves", product, 0, 1.0 / 255);
}

/* Smoke whose extinction is larger for blue light than for red: first white smoke, then red smoke,
 * which absorbs additional light. The transmittance of sunlight is measured across the sun's
 * direction, as the ratio of singly scattered light to that of smoke in full sunlight. */
static void run_beer_color(VerifyRun *run)
{
    static const float tint[3] = {0.5f, 1, 1.6f}, color[3] = {0.9f, 0.5f, 0.1f};
    static const double before[3] = {-5, 4, 4}, beside[3] = {0.5, 4, 20}, ahead_z[3] = {0, 0, -1};
    enum { CELLS = 64 * 8 * 8 };
    const double depth = 1.3, excess = 0.8;
    double plain = 0, colored = 0, sun = 0;
    static float fields[3 * CELLS];
    Bench *bench = bench_open(run, 64, 8, 8);
    if (bench == NULL)
        return;
    bench_fill(bench, 0.5f);
    RenderSmoke *smoke = &bench->settings.smoke;
    memcpy(smoke->extinction_color, tint, sizeof tint);
    smoke->extinction = (float)(depth / 32);
    smoke->tint_extinction = (float)excess;
    bench->settings.sun =
        (RenderSun){90, 0, (float)(1 / faint_albedo), {1, 1, 1}}; /* the sun shines along x */
    bench_albedo(bench, faint_albedo);
    for (int pass = 0; pass < 2 && bench_light(run, bench); pass++) {
        BenchPixel through, lit;
        if (!bench_ray(run, bench, before, ahead_x, &through) ||
            !bench_ray(run, bench, beside, ahead_z, &lit))
            break;
        for (int c = 0; c < 3; c++) {
            double more = pass == 0 ? 1 : 1 + excess * (1 - (double)color[c]);
            double exact = depth * (double)tint[c] * more;
            double off = fabs(through.transmittances[c] - exp(-exact));
            *(pass == 0 ? &plain : &colored) = fmax(pass == 0 ? plain : colored, off);
            /* The viewing ray crosses eight cells. The sunlight crosses 63.5 of the 64 cells before
             * it reaches the ray. */
            double reflected = pass == 0 ? 1 : (double)color[c] / more;
            double full = reflected / (4 * PI) * (1 - exp(-exact * 8 / 64));
            sun = fmax(sun, fabs(lit.radiance[c] / full - exp(-exact * 63.5 / 64)));
            for (int i = 0; i < CELLS; i++)
                fields[c * CELLS + i] = 0.5f * color[c];
            bench->view.color[c] = fields + (ptrdiff_t)c * CELLS;
        }
    }
    bench_close(bench);
    row_absolute(run, "largest error of a colour's transmittance", plain, 0, 1.0 / 255);
    row_absolute(run, "largest error of the transmittance of red smoke", colored, 0, 1.0 / 255);
    row_absolute(run, "largest error of the transmittance of sunlight", sun, 0, 1.0 / 255);
}

static void run_emission_slab(VerifyRun *run)
{
    static const double depths[3] = {0.3, 1, 4}, before[3] = {-5, 4, 4};
    Bench *bench = bench_open(run, 64, 8, 8);
    double worst = 0;
    float glow[3];
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    for (int i = 0; i < 64 * 8 * 8; i++)
        bench->temperature[i] = 1400 - BLACKBODY_AMBIENT;
    bench->settings.smoke.glow = 1;
    blackbody_color(1400, (BlackbodyScale){1500, 1}, glow);
    for (int d = 0; d < 3; d++) {
        bench->settings.smoke.extinction = (float)(depths[d] / 64);
        if (!bench_light(run, bench))
            break;
        for (int s = 0; s < 3; s++) {
            BenchPixel seen;
            bench->frame.step = steps[s];
            if (!bench_ray(run, bench, before, ahead_x, &seen))
                break;
            double exact = (1 - exp(-depths[d])) * (double)glow[0];
            worst = fmax(worst, fabs(seen.radiance[0] / exact - 1));
        }
    }
    bench_close(bench);
    row_absolute(run, "largest relative error of the radiance", worst, 0, 0.01);
}

/* Light scattered back from a plane-parallel slab of isotropic scatterers (Chandrasekhar 1950,
 * single scattering): L = albedo / (4 pi) E (1 - exp(-depth (1/mu + 1/mu0))) mu0 / (mu + mu0),
 * where E is the irradiance on a surface that faces the light. */
static void run_single_scattering(VerifyRun *run)
{
    enum { WIDE = 160, DEEP = 32 };
    static const double depths[3] = {0.2, 1, 4};
    const double albedo = 0.8, mu0 = sin(PI / 3), mu = 0.8;
    const double down[3] = {sqrt(1 - mu * mu), -mu, 0};
    /* The ray is aimed at the middle of the slab. */
    const double from[3] = {WIDE / 2 - 40 * down[0], DEEP / 2 - 40 * down[1], WIDE / 2};
    Bench *bench = bench_open(run, WIDE, DEEP, WIDE);
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    bench->settings.sun = (RenderSun){0, 60, (float)(albedo / faint_albedo), {1, 1, 1}};
    for (int d = 0; d < 3; d++) {
        BenchPixel seen;
        bench->settings.smoke.extinction = (float)(depths[d] / DEEP);
        bench_albedo(bench, faint_albedo);
        if (!bench_light(run, bench) || !bench_ray(run, bench, from, down, &seen))
            break;
        double exact =
            albedo / (4 * PI) * (1 - exp(-depths[d] * (1 / mu + 1 / mu0))) * mu0 / (mu + mu0);
        row_relative(run, row_words(run, "radiance back from a slab of depth %g", depths[d]),
                     seen.radiance[0], exact, 0.01);
    }
    bench_close(bench);
}

/* Radiance of a lamp's light that uniform smoke scatters once into a ray. The ray is `length` cells
 * long and passes the lamp at a distance of `off` cells: L = integral over s of e albedo phase I /
 * r^2 exp(-e (s + r)), with e = extinction, I = 1, r = distance to the lamp and s = distance from
 * the start of the ray. */
static double lamp_radiance(double extinction, double albedo, double cosine, double length,
                            double off)
{
    enum { PARTS = 200000 };
    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        double s = (i + 0.5) * length / PARTS, along = length / 2 - s, r = hypot(along, off);
        double phase = 0.5 * (path_phase(along / r, cosine) + path_phase(along / r, -cosine));
        sum += extinction * albedo * phase / (r * r) * exp(-extinction * (s + r));
    }
    return sum * length / PARTS;
}

static void run_lamp(VerifyRun *run)
{
    enum { EDGE_CELLS = 48 };
    static const float offs[4] = {0.8f, 3, 8, 20};
    const double albedo = 0.8, cosine = 0.6, extinction = 0.05;
    Bench *bench = bench_open(run, EDGE_CELLS, EDGE_CELLS, EDGE_CELLS);
    if (bench == NULL)
        return;
    bench_fill(bench, 1);
    RenderSettings *settings = &bench->settings;
    settings->lamp_count = 1;
    settings->lamps[0] = (RenderLamp){.position = {EDGE_CELLS / 2, 24.3f, 23.8f},
                                      .color = {1, 1, 1},
                                      .intensity = (float)(albedo / faint_albedo)};
    settings->smoke.extinction = (float)extinction;
    settings->smoke.anisotropy =
        (float)cosine; /* equal lobes: the renderer splits off no forward peak */
    settings->smoke.back_anisotropy = -(float)cosine;
    settings->smoke.backscatter = 0.5f;
    bench_albedo(bench, faint_albedo);
    bench->frame.step = 0.25f;
    bool good = bench_light(run, bench);
    for (int o = 0; o < 4 && good; o++) {
        BenchPixel seen;
        const double from[3] = {-5, (double)(24.3f - offs[o]), (double)23.8f};
        good = bench_ray(run, bench, from, ahead_x, &seen);
        if (good)
            row_relative(
                run, row_words(run, "radiance of a ray %g cells from the lamp", (double)offs[o]),
                seen.radiance[0],
                lamp_radiance(extinction, albedo, cosine, EDGE_CELLS, (double)offs[o]), 0.01);
    }
    bench_close(bench);
}

/* -- colours, phase function and film curves ----------------------------------------------------
 */

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
    row_absolute(run, "largest error of the integral over the sphere, 1", total, 0, 1e-3);
    row_absolute(run, "largest error of the mean cosine, g", mean, 0, 1e-3);
    row_relative(run, "value at g = 0, 1/sr", even, 1 / (4 * PI), 1e-5);
}

/* Luminance of the table at a temperature, interpolated between entries as the renderer does. */
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
    row_absolute(run, "largest relative error of the table's luminance", worst, 0, 0.005);
    row_report(run, "range of luminance from 703 to 4400 K, decades", log10(most / least), NAN);
}

/* Chromaticities of black bodies, from the formulas of Kim and others (2002). */
static void run_blackbody(VerifyRun *run)
{
    static const double truth[5][3] = {{2000, 0.527, 0.413},
                                       {3000, 0.437, 0.404},
                                       {4000, 0.381, 0.377},
                                       {5000, 0.345, 0.352},
                                       {6500, 0.3135, 0.3237}};
    for (int t = 0; t < 5; t++) {
        double xyz[3];
        blackbody_xyz(truth[t][0], xyz);
        double sum = xyz[0] + xyz[1] + xyz[2];
        row_absolute(run, row_words(run, "x at %g K", truth[t][0]), xyz[0] / sum, truth[t][1],
                     0.01);
        row_absolute(run, row_words(run, "y at %g K", truth[t][0]), xyz[1] / sum, truth[t][2],
                     0.01);
    }
    check_table(run);
}

/* sRGB value of a grey by Hill's fit of ACES, divided by the fit's limit. The film's sensitivity is
 * 1.6. */
static double aces_gray(double radiance)
{
    double v = 1.6 * radiance;
    double fit = v * (v + 0.0245786) / (v * (0.983729 * v + 0.432951) + 0.238081);
    return 1.055 * pow(0.983729 * fit, 1 / 2.4) - 0.055;
}

/* Adds rows for the darkness of a shadow, middle grey and white. */
static void run_grays(VerifyRun *run, Bench *bench)
{
    static const double grays[3] = {0.02, 0.18, 1};
    float in[4 * 3] = {0}, out[4 * 3];
    for (int gray = 0; gray < 3; gray++)
        for (int c = 0; c < 3; c++)
            in[4 * gray + c] = (float)grays[gray];
    if (!bench_probe(run, bench, RENDER_PROBE_ACES, 3, in, out))
        return;
    for (int gray = 0; gray < 3; gray++)
        row_absolute(run, row_words(run, "ACES: value at a radiance of %g", grays[gray]),
                     (double)out[4 * gray + 1], aces_gray(grays[gray]), 1e-3);
    if (!bench_probe(run, bench, RENDER_PROBE_AGX, 3, in, out))
        return;
    /* AgX leaves middle grey as it is, on a screen of gamma 2.4. */
    row_absolute(run, "AgX: value at a radiance of 0.18", (double)out[4 + 1], pow(0.18, 1 / 2.4),
                 0.004);
}

static void run_curve(VerifyRun *run, Bench *bench, VerifyPlot *plot, RenderProbe probe,
                      const char *name)
{
    enum { MOST = 256 };
    static float in[4 * MOST], out[4 * MOST];
    double falls = 0, last = 0;
    int count = 1; /* in[0] is black */
    bool finite = true;
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
    row_absolute(run, row_words(run, "%s: value of black", name), (double)out[1], 0, 0);
    row_absolute(run, row_words(run, "%s: largest decrease of the value with radiance", name),
                 falls, 0, 1e-6);
    row_between(run, row_words(run, "%s: value at a radiance of 10^6", name),
                finite ? last : UNKNOWN, 1, 0.99, 1);
}

static void run_tone(VerifyRun *run)
{
    VerifyPlot *plot = plot_add(run, "Film curve", "radiance", "value of the picture");
    Bench *bench = bench_open(run, 1, 1, 1);
    if (bench == NULL)
        return;
    plot->x_logarithmic = true;
    run_curve(run, bench, plot, RENDER_PROBE_ACES, "ACES");
    run_curve(run, bench, plot, RENDER_PROBE_AGX, "AgX");
    run_grays(run, bench);
    bench_close(bench);
}

const VerifyCase light_cases[] = {
    {"beer-lambert", "light through a slab of smoke", "Beer 1852",
     "64 cells of uniform smoke, marched in 8, 64 and 512 steps.", true, .run = run_beer_lambert},
    {"beer-lambert-color", "red, green and blue light through a slab of smoke", "Beer 1852",
     "64 cells of uniform smoke with another extinction for each colour; white, then red smoke.",
     true, .run = run_beer_color},
    {"emission-slab", "glow of a slab of uniform temperature", "Chandrasekhar 1950",
     "64 cells at 1400 K that scatter nothing, marched in 8, 64 and 512 steps.", true,
     .run = run_emission_slab},
    {"single-scattering", "sunlight that a slab scatters back once", "Chandrasekhar 1950",
     "A slab of 32 cells, the sun 60 degrees up, seen at 53 degrees.", true,
     .run = run_single_scattering},
    {"lamp", "light of a lamp, scattered once", "Pharr, Jakob & Humphreys 2016",
     "Uniform smoke, 48 cells wide with an optical depth of 2.4, a lamp in its middle, rays at "
     "four "
     "distances from it, in steps of a quarter of a cell; against the integral in double "
     "precision.",
     true, .run = run_lamp},
    {"phase-function", "Henyey and Greenstein's phase function", "Henyey & Greenstein 1941",
     "Integrated over the sphere for five mean cosines.", true, .run = run_phase},
    {"blackbody", "colours of hot bodies", "Planck 1901",
     "CIE 1931 chromaticities of Planck's spectrum.", true, .run = run_blackbody},
    {"tone-map", "the film curves rise from black", "Hill 2016; Sobotka 2022",
     "Greys of radiance 10^-4 to 10^6.", true, .run = run_tone},
    {.name = NULL},
};
