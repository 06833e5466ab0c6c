/* SPDX-License-Identifier: MIT
 * A plume above a steady source of heat: its start and its mean. */
#include "cases.h"
#include "fail.h"
#include "flow.h"

#include <math.h>
#include <stdlib.h>

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
