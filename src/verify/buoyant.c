/* SPDX-License-Identifier: MIT
 * Flows away from walls that heat drives: Rayleigh-Taylor, thermals and a plume. */
#include "fail.h"
#include "flow.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>

/* -- Rayleigh-Taylor ------------------------------------------------------------------------ */

/* Cold over warm air. The interface follows a cosine, half a wavelength across the box. */
typedef struct Layers {
    double height, thickness, amplitude, wave; /* m, m, m, 1/m */
    double warmth;                             /* K; lower minus upper layer */
} Layers;

static double layers(const void *context, double x, double y, double z)
{
    const Layers *l = context;
    double boundary = l->height + l->amplitude * cos(l->wave * x);
    (void)z;
    return -0.5 * l->warmth * tanh((y - boundary) / l->thickness);
}

typedef struct Mode {
    double wave, sum;
} Mode;

static void add_mode(void *context, const double at[3], double value)
{
    Mode *mode = context;
    mode->sum += value * cos(mode->wave * at[0]);
}

/* Amplitude of the cosine in the upward flow. */
static double mode_of(const BillowView *view, double wave)
{
    Mode mode = {wave, 0};
    flow_visit(view, PART_V, add_mode, &mode);
    return mode.sum;
}

/* Inviscid growth rate s of a sharp interface between layers of depth D: s^2 = A g k tanh(kD),
 * where A g is half of buoyancy times the difference in temperature. */
static void run_rayleigh_taylor(VerifyRun *run)
{
    enum { WIDTH = 96, HEIGHT = 192, STEPS_MAX = 4096 };
    const double h = 1.0 / WIDTH, warmth = 20;
    const Layers bent = {1, h, 0.1 * h, PI, warmth};
    BillowDef def = flow_slab_def(run, WIDTH, HEIGHT, h);
    def.params.buoyancy = billow_default_params().buoyancy;
    double growth = sqrt(0.5 * (double)def.params.buoyancy * warmth * PI * tanh(PI));
    double dt = 0.02 / growth;
    int steps = (int)(4.0 / 0.02), count = 0;
    double times[STEPS_MAX], logs[STEPS_MAX];
    flow_plan(run, &def, steps);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    VerifyPlot *plot = plot_add(run, "Growth of the bend", "time (s)", "logarithm of the flow");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *expected = plot_series(plot, VERIFY_LINE, "slope of the reference");
    flow_fill(sim, PART_TEMPERATURE, layers, &bent);
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        double time = view.time, size = log(fabs(mode_of(&view, bent.wave)));
        plot_point(measured, time, size);
        if (growth * time < 2)
            continue; /* at first it grows as sinh(st) */
        times[count] = time;
        logs[count] = size;
        plot_point(expected, time, logs[0] + growth * (time - times[0]));
        count++;
    }
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        row_relative(run, "growth rate, 1/s", fit_line(times, logs, count).slope, growth, 0.10);
}

/* -- thermals ------------------------------------------------------------------------------- */

enum { THERMAL_CELLS = 80, THERMAL_WIDE = 128, THERMAL_HEIGHT = 120, THERMAL_SAMPLES = 64 };
enum { THERMALS = 4 };

/* The warm air at the start. It is patchy, since a uniform ball rolls up to a smooth ring that
 * entrains little, while Scorer's thermals began in disorder as they left an overturned cup. */
typedef struct Ball {
    double middle, height, radius, warmth; /* m, m, m, K in the mean */
    double patch;                          /* m; size of patches, 0 to twice as warm as the mean */
    uint32_t seed;                         /* of the patches; 0: uniform */
} Ball;

/* Uniform in -1 to 1. */
static double scatter(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
    uint32_t h = x * 73856093u ^ y * 19349663u ^ z * 83492791u ^ seed * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    h = (h ^ h >> 13) * 3266489917u;
    return (double)(h ^ h >> 16) / 2147483647.5 - 1;
}

static double hot_ball(const void *context, double x, double y, double z)
{
    const Ball *ball = context;
    double from_x = x - ball->middle, from_y = y - ball->height, from_z = z - ball->middle;
    if (sqrt(from_x * from_x + from_y * from_y + from_z * from_z) >= ball->radius)
        return 0;
    if (ball->seed == 0)
        return ball->warmth;
    return ball->warmth * (1 + scatter((uint32_t)(x / ball->patch), (uint32_t)(y / ball->patch),
                                       (uint32_t)(z / ball->patch), ball->seed));
}

typedef struct Cloud {
    double heat;            /* K times cells */
    double threshold;       /* K; cells above it count as the thermal */
    double top;             /* m; highest point of the thermal */
    double low[2], high[2]; /* m; ends of the thermal along x and z */
} Cloud;

static void add_cloud(void *context, const double at[3], double value)
{
    Cloud *cloud = context;
    cloud->heat += value;
    if (value < cloud->threshold)
        return;
    cloud->top = fmax(cloud->top, at[1]);
    for (int view = 0; view < 2; view++) {
        cloud->low[view] = fmin(cloud->low[view], at[2 * view]);
        cloud->high[view] = fmax(cloud->high[view], at[2 * view]);
    }
}

/* Measurements of one thermal. */
typedef struct Thermal {
    double tops[THERMAL_SAMPLES], radii[THERMAL_SAMPLES], times[THERMAL_SAMPLES];
    int count;
    double heat, lost; /* K m3 at the start; share lost at the end */
} Thermal;

static BillowDef thermal_def(const VerifyRun *run)
{
    BillowDef def = flow_def(run, THERMAL_WIDE, THERMAL_HEIGHT, THERMAL_WIDE, 1.0 / THERMAL_CELLS);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.advection = BILLOW_CONSERVATIVE; /* keeps g' r^3 */
    def.params.tolerance = 1e-3f;
    def.params.cfl = 2;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    return def;
}

static Cloud cloud_of(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    Cloud cloud = {.threshold = 0.05 * billow_stats(sim).temperature_max,
                   .low = {(double)INFINITY, (double)INFINITY},
                   .high = {-(double)INFINITY, -(double)INFINITY}};
    flow_visit(&view, PART_TEMPERATURE, add_cloud, &cloud);
    return cloud;
}

enum { THERMAL_STEPS = 300 };

/* Measures while the top is between 5 and 12.5 radii high. */
static void follow_thermal(VerifyRun *run, uint32_t seed, VerifySeries *series, Thermal *thermal)
{
    const double h = 1.0 / THERMAL_CELLS, dt = 1.0 / 60;
    const Ball ball = {0.5 * THERMAL_WIDE * h, 0.15, 0.1, 40, 2 * h, seed};
    BillowDef def = thermal_def(run);
    *thermal = (Thermal){.count = 0};
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_TEMPERATURE, hot_ball, &ball);
    for (int step = 0; step < THERMAL_STEPS && flow_step(run, sim, dt); step++) {
        if (step % 4 != 0)
            continue;
        Cloud cloud = cloud_of(sim);
        double heat = cloud.heat * h * h * h;
        thermal->heat = step == 0 ? heat : thermal->heat;
        if (cloud.top > 1.25 || thermal->count == THERMAL_SAMPLES)
            break;
        if (cloud.top < 0.5)
            continue;
        double wide = cloud.high[0] - cloud.low[0] + cloud.high[1] - cloud.low[1] + 2 * h;
        thermal->times[thermal->count] = billow_stats(sim).time;
        thermal->tops[thermal->count] = cloud.top;
        thermal->radii[thermal->count++] = 0.25 * wide;
        thermal->lost = 1 - heat / thermal->heat;
        plot_point(series, cloud.top, 0.25 * wide);
    }
    billow_destroy(sim);
}

static double widening(const Thermal *thermal)
{
    return fit_line(thermal->tops, thermal->radii, thermal->count).slope;
}

/* Mean of speed / sqrt(g' r), with g' r^3 = heat / 3. */
static double froude(const Thermal *thermal)
{
    double sum = 0;
    for (int n = 2; n + 2 < thermal->count; n++) {
        double speed = fit_line(thermal->times + n - 2, thermal->tops + n - 2, 5).slope;
        double lift = (double)billow_default_params().buoyancy * thermal->heat;
        sum += speed * thermal->radii[n] / sqrt(lift / 3);
    }
    return sum / (thermal->count - 4);
}

/* Scorer 1957: a thermal from a point widens as r = z / n, and its cap rises at w = C sqrt(g' r).
 * r is half its width, and g' its mean buoyancy over a volume of m r^3; m is 4.2 for a ball and
 * less for flatter thermals. Single thermals differ; his means are n = 4, C = 1.2, m = 3. z counts
 * from the virtual origin, where the fitted radius is 0. */
static void run_thermal(VerifyRun *run)
{
    BillowDef def = thermal_def(run);
    flow_plan(run, &def, (THERMALS + 1) * THERMAL_STEPS);
    VerifyPlot *plot =
        plot_add(run, "Radii of thermals", "height of the top (m)", "half width (m)");
    double slopes = 0, speeds = 0, least = (double)INFINITY, most = 0, lost = 0;
    Thermal thermal;
    for (uint32_t seed = 1; seed <= THERMALS && !run->stopped && !run->failed; seed++) {
        follow_thermal(run, seed, plot_series(plot, VERIFY_DOTS, "thermal %d", (int)seed),
                       &thermal);
        slopes += widening(&thermal) / THERMALS;
        speeds += froude(&thermal) / THERMALS;
        least = fmin(least, widening(&thermal));
        most = fmax(most, widening(&thermal));
        lost = fmax(lost, fabs(thermal.lost));
    }
    if (!run->stopped && !run->failed)
        follow_thermal(run, 0, plot_series(plot, VERIFY_DOTS, "even ball"), &thermal);
    if (run->stopped || run->failed)
        return;
    row_relative(run, "radius over height, mean of four", slopes, 0.25, 0.30);
    row_relative(run, "speed over root of buoyancy times radius", speeds, 1.2, 0.30);
    row_report(run, "least radius over height", least, 0.25);
    row_report(run, "most radius over height", most, 0.25);
    row_report(run, "radius over height of a ball that begins even", widening(&thermal), 0.25);
    row_report(run, "share of the heat that is lost", lost, 0);
}

const VerifyCase buoyant_cases[] = {
    {"rayleigh-taylor", "cold over warm air: growth rate of a wave", "Chandrasekhar 1961",
     "A half wave of a cosine in 96x192 cells, 8 thick and periodic there, between free-slip "
     "walls; 20 K, boundary of "
     "two cells, no viscosity; slope of the logarithm from st = 2 to 4.",
     true, run_rayleigh_taylor},
    {"thermal", "warm air widens and rises", "Scorer 1957",
     "Four balls of radius 8 cells, warmer in patches of 2 cells by 0 to 80 K, in 128x120x128 "
     "cells "
     "with open sides, conservative advection; half width (mean of two directions) and top of the "
     "air "
     "warmer than 1/20 of the maximum, while the top is between 5 and 12.5 radii high; mean "
     "buoyancy over 3 r\u00b3.",
     false, run_thermal},
    {.name = NULL},
};

enum { WIDE = 80, HIGH = 120, SETTLE = 750, STEPS = 3000 };
static const double SOURCE_RADIUS = 0.04; /* m */

/* Heights of the measurement, in diameters of the source, as in George, Alpert & Tamanini (1977).
 * Lower down, air that starts from rest is faster and narrower than a plume, and pressure gives it
 * a quarter more momentum than buoyancy does. */
static const double BEGIN = 8, END = 16;

/* Sums over time, and the path of the front. */
typedef struct Record {
    double *rise, *heat;     /* sums of a cell's upward speed and temperature, WIDE x HIGH x WIDE */
    double *carried;         /* sum of their product: eddies carry heat, too */
    double *squares;         /* sum of the squared speed: eddies carry momentum, too */
    double front_time[HIGH]; /* s; first arrival of smoke at a height; 0: not yet */
    int samples;
} Record;

static double risen(const BillowView *view, int i, int j, int k)
{
    ptrdiff_t at = flow_at(view, i, j, k);
    return 0.5 * ((double)view->v[at] + (double)view->v[at + view->stride_y]);
}

static void add_sample(Record *record, const BillowView *view)
{
    size_t n = 0;
    for (int j = 0; j < HIGH; j++)
        for (int k = 0; k < WIDE; k++)
            for (int i = 0; i < WIDE; i++, n++) {
                double rise = risen(view, i, j, k);
                double heat = (double)view->temperature[flow_at(view, i, j, k)];
                record->rise[n] += rise;
                record->heat[n] += heat;
                record->carried[n] += rise * heat;
                record->squares[n] += rise * rise;
            }
    record->samples++;
}

/* The front: the highest plane with at least a tenth of the largest temperature. */
static void follow_front(Record *record, const BillowView *view, double most)
{
    for (int j = HIGH - 1; j >= 0; j--)
        for (int k = 0; k < WIDE; k++)
            for (int i = 0; i < WIDE; i++)
                if ((double)view->temperature[flow_at(view, i, j, k)] > 0.02 * most) {
                    for (; j >= 0 && record->front_time[j] == 0; j--)
                        record->front_time[j] = view->time;
                    return;
                }
}

/* A plane of the mean plume. Integrals are over the core, which rises with more than 2 % of the
 * maximum (van Reeuwijk & Craske 2015). Top-hat values: b = Q / sqrt(pi M), w = M / Q,
 * g' = F / Q. */
typedef struct Level {
    double height, width, rise, buoyancy, axis; /* m, m, m/s, m/s2, m/s on the axis */
    double flux, momentum; /* of buoyancy, m4/s3, and of momentum, m4/s2; eddies included */
    double push;           /* m3/s2; integral of buoyancy, the gain of momentum per height */
} Level;

static Level level_at(const Record *record, int j, double h, double lift)
{
    const size_t plane = (size_t)j * WIDE * WIDE;
    double most = 0, volume = 0, momentum = 0, flux = 0, area = h * h;
    Level level = {.height = (j + 0.5) * h};
    for (size_t n = plane; n < plane + WIDE * WIDE; n++)
        most = fmax(most, record->rise[n] / record->samples);
    for (size_t n = plane; n < plane + WIDE * WIDE; n++) {
        double w = record->rise[n] / record->samples, t = record->heat[n] / record->samples;
        if (w < 0.02 * most)
            continue;
        volume += w * area;
        momentum += w * w * area;
        flux += w * t * lift * area;
        level.flux += record->carried[n] / record->samples * lift * area;
        level.momentum += record->squares[n] / record->samples * area;
        level.push += t * lift * area;
    }
    level.width = volume / sqrt(PI * momentum);
    level.rise = momentum / volume;
    level.buoyancy = flux / volume;
    level.axis = most;
    return level;
}

static BillowDef plume_def(const VerifyRun *run)
{
    BillowDef def = flow_def(run, WIDE, HIGH, WIDE, 1.0 / WIDE);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    def.params.advection = BILLOW_CONSERVATIVE; /* keeps the flux of heat the same at all heights */
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.tolerance = 1e-3f;
    def.params.cfl = 2;
    def.emitter_count = 1;
    BillowEmitter *source = &def.emitters[0];
    *source = billow_default_emitter();
    source->center[1] = 0.8f * (float)SOURCE_RADIUS;
    source->size[0] = (float)SOURCE_RADIUS;
    source->noise = 0.5f;
    source->heat = 800;
    source->smoke = 0;
    return def;
}

/* Planes between two heights. */
typedef struct Levels {
    Level items[HIGH];
    int count;
    Line width; /* over the height */
} Levels;

static Levels levels_between(const Record *record, double begin, double end, double h, double lift)
{
    Levels levels = {.count = 0};
    double z[HIGH], width[HIGH];
    for (int j = 0; j < HIGH; j++) {
        double height = (j + 0.5) * h;
        if (height < begin || height > end)
            continue;
        Level level = level_at(record, j, h, lift);
        z[levels.count] = height;
        width[levels.count] = level.width;
        levels.items[levels.count++] = level;
    }
    levels.width = fit_line(z, width, levels.count);
    return levels;
}

static double rise_of(const Level *level)
{
    return level->rise;
}

static double buoyancy_of(const Level *level)
{
    return level->buoyancy;
}

static double flux_of(const Level *level)
{
    return level->flux;
}

/* Exponent of the height above the virtual origin, where the fitted width is 0. */
static double exponent(const Levels *levels, double (*value)(const Level *))
{
    double x[HIGH], y[HIGH], origin = -levels->width.intercept / levels->width.slope;
    for (int n = 0; n < levels->count; n++) {
        x[n] = log(levels->items[n].height - origin);
        y[n] = log(value(&levels->items[n]));
    }
    return fit_line(x, y, levels->count).slope;
}

/* Gain of momentum between the ends, divided by what buoyancy gives; 1 where nothing else acts. */
static double momentum_gained(const Levels *levels, double h)
{
    double push = 0;
    for (int n = 0; n + 1 < levels->count; n++)
        push += 0.5 * (levels->items[n].push + levels->items[n + 1].push) * h;
    return (levels->items[levels->count - 1].momentum - levels->items[0].momentum) / push;
}

/* Mean speed of the front divided by the later speed on the axis. */
static double front_speed(const Record *record, const Levels *levels, double h)
{
    double sum = 0;
    for (int n = 0; n < levels->count; n++) {
        int j = (int)(levels->items[n].height / h);
        double passed = record->front_time[j + 3] - record->front_time[j - 3];
        sum += passed > 0 ? 6 * h / passed / levels->items[n].axis : (double)NAN;
    }
    return sum / levels->count;
}

static void plot_levels(VerifyRun *run, const Levels *levels)
{
    VerifyPlot *widths = plot_add(run, "Width of the plume", "height (m)", "top-hat radius (m)");
    VerifySeries *measured = plot_series(widths, VERIFY_DOTS, "measured");
    VerifySeries *line = plot_series(widths, VERIFY_LINE, "fit");
    VerifyPlot *speeds = plot_add(run, "Rise of the plume", "height over the virtual origin (m)",
                                  "top-hat speed (m/s)");
    if (speeds != NULL)
        speeds->x_logarithmic = speeds->y_logarithmic = true;
    VerifySeries *dots = plot_series(speeds, VERIFY_DOTS, "measured");
    double origin = -levels->width.intercept / levels->width.slope;
    for (int n = 0; n < levels->count; n++) {
        const Level *level = &levels->items[n];
        plot_point(measured, level->height, level->width);
        plot_point(line, level->height, levels->width.slope * (level->height - origin));
        plot_point(dots, level->height - origin, level->rise);
    }
}

static void judge_levels(VerifyRun *run, const Record *record, double h, double lift)
{
    const double diameter = 2 * SOURCE_RADIUS;
    Levels levels = levels_between(record, BEGIN * diameter, END * diameter, h, lift);
    Levels near = levels_between(record, 0.5 * BEGIN * diameter, BEGIN * diameter, h, lift);
    double away = 0, origin = -levels.width.intercept / levels.width.slope;
    for (int n = 0; n < levels.count; n++)
        away = fmax(away, fabs(levels.items[n].width /
                                   (levels.width.slope * (levels.items[n].height - origin)) -
                               1));
    plot_levels(run, &levels);
    row_between(run, "entrainment: 5/6 of the width's slope", 5.0 / 6 * levels.width.slope, 0.13,
                0.08, 0.18);
    row_report(run, "width's largest distance from the line, share", away, 0);
    row_report(run, "virtual origin, m", origin, 0);
    row_absolute(run, "exponent of the rise", exponent(&levels, rise_of), -1.0 / 3, 0.1);
    row_report(run, "its exponent from 4 to 8 diameters", exponent(&near, rise_of), -1.0 / 3);
    row_report(run, "exponent of the buoyancy", exponent(&levels, buoyancy_of), -5.0 / 3);
    row_report(run, "exponent of the flux of buoyancy", exponent(&levels, flux_of), 0);
    row_report(run, "momentum gained over buoyancy's push", momentum_gained(&levels, h), 1);
    row_report(run, "the same from 4 to 8 diameters", momentum_gained(&near, h), 1);
    row_report(run, "front's speed over the steady one on the axis",
               front_speed(record, &levels, h), 0.6);
}

static void run_plume(VerifyRun *run)
{
    const double h = 1.0 / WIDE, dt = 1.0 / 75;
    BillowDef def = plume_def(run);
    size_t cells = (size_t)WIDE * HIGH * WIDE;
    Record record = {.rise = calloc(cells, sizeof(double)),
                     .heat = calloc(cells, sizeof(double)),
                     .carried = calloc(cells, sizeof(double)),
                     .squares = calloc(cells, sizeof(double))};
    flow_plan(run, &def, STEPS);
    run->failed = record.rise == NULL || record.heat == NULL || record.carried == NULL ||
                  record.squares == NULL;
    if (run->failed)
        fail(&run->error, "%s: no memory for the means over time", run->of->name);
    BillowSim *sim = !run->failed ? flow_create(run, &def) : NULL;
    for (int step = 0; sim != NULL && step < STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        if (record.front_time[HIGH - 1] == 0)
            follow_front(&record, &view, billow_stats(sim).temperature_max);
        if (step >= SETTLE && step % 4 == 0)
            add_sample(&record, &view);
    }
    bool whole = sim != NULL && !run->stopped && !run->failed;
    billow_destroy(sim);
    if (whole)
        judge_levels(run, &record, h, (double)def.params.buoyancy);
    free(record.rise);
    free(record.heat);
    free(record.carried);
    free(record.squares);
}

const VerifyCase plume_cases[] = {
    {"plume", "a plume's width, rise and front", "Morton, Taylor & Turner 1956; Turner 1962",
     "A flickering ball of heat on the floor, 6.4 cells across, in 80x120x80 cells open at the "
     "sides and above; means over 30 s after 10 s; from 8 to 16 diameters of the source, where "
     "George, Alpert & Tamanini 1977 measured; heights from where the width's line begins.",
     false, run_plume},
    {.name = NULL},
};
