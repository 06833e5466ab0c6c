/* SPDX-License-Identifier: MIT
 * A plume over a steady source of heat: how it starts, and how it stands on average. */
#include "cases.h"
#include "flow.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 96, HIGH = 128, SETTLE = 900, STEPS = 2700 };

/* Sums over time of the plume's columns, and the way of its front. */
typedef struct Record {
    double *rise, *heat;     /* of each cell of WIDE x HIGH x WIDE, added up */
    double front_time[HIGH]; /* s; when smoke first reached a height; 0: not yet */
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
                record->rise[n] += risen(view, i, j, k);
                record->heat[n] += (double)view->temperature[flow_at(view, i, j, k)];
            }
    record->samples++;
}

/* The front: the highest plane with a tenth of the warmth that is most anywhere. */
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

/* A plane of the mean plume, over its core: where it rises with more than 2 % of the most (van
 * Reeuwijk & Craske 2015). Top-hat values: b = Q / sqrt(pi M), w = M / Q, g' = F / Q. */
typedef struct Level {
    double width, rise, buoyancy, axis; /* m, m/s, m/s2, m/s on the axis */
} Level;

static Level level_at(const Record *record, int j, double h, double lift)
{
    const size_t plane = (size_t)j * WIDE * WIDE;
    double most = 0, volume = 0, momentum = 0, flux = 0;
    for (size_t n = plane; n < plane + WIDE * WIDE; n++)
        most = fmax(most, record->rise[n] / record->samples);
    for (size_t n = plane; n < plane + WIDE * WIDE; n++) {
        double w = record->rise[n] / record->samples, t = record->heat[n] / record->samples;
        if (w < 0.02 * most)
            continue;
        volume += w * h * h;
        momentum += w * w * h * h;
        flux += w * t * lift * h * h;
    }
    return (Level){volume / sqrt(PI * momentum), momentum / volume, flux / volume, most};
}

static BillowDef plume_def(const VerifyRun *run)
{
    BillowDef def = flow_def(run, WIDE, HIGH, WIDE, 1.0 / WIDE);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    def.params.advection = BILLOW_CONSERVATIVE; /* the flux of heat must be the same all the way up */
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.tolerance = 1e-3f;
    def.params.cfl = 2;
    def.emitter_count = 1;
    BillowEmitter *source = &def.emitters[0];
    *source = billow_default_emitter();
    source->center[1] = 0.04f;
    source->size[0] = 0.05f;
    source->noise = 0.5f;
    source->heat = 400;
    source->smoke = 0;
    return def;
}

static void judge_levels(VerifyRun *run, const Record *record, double h, double lift)
{
    enum { LOW = HIGH * 3 / 10, TOP = HIGH * 8 / 10, LEVELS = TOP - LOW };
    double z[LEVELS], width[LEVELS], x[LEVELS], rise[LEVELS], buoyancy[LEVELS], flux[LEVELS],
        front = 0;
    VerifyPlot *widths = plot_add(run, "Width of the plume", "height (m)", "top-hat radius (m)");
    VerifySeries *measured = plot_series(widths, VERIFY_DOTS, "measured");
    VerifySeries *line = plot_series(widths, VERIFY_LINE, "fit");
    VerifyPlot *speeds = plot_add(run, "Rise of the plume", "height over the virtual origin (m)",
                                  "top-hat speed (m/s)");
    if (speeds != NULL)
        speeds->x_logarithmic = speeds->y_logarithmic = true;
    VerifySeries *dots = plot_series(speeds, VERIFY_DOTS, "measured");
    for (int n = 0; n < LEVELS; n++) {
        z[n] = (LOW + n + 0.5) * h;
        width[n] = level_at(record, LOW + n, h, lift).width;
        plot_point(measured, z[n], width[n]);
    }
    Line fit = fit_line(z, width, LEVELS);
    double origin = -fit.intercept / fit.slope;
    for (int n = 0; n < LEVELS; n++) {
        Level level = level_at(record, LOW + n, h, lift);
        plot_point(line, z[n], fit.slope * z[n] + fit.intercept);
        plot_point(dots, z[n] - origin, level.rise);
        x[n] = log(z[n] - origin);
        rise[n] = log(level.rise);
        buoyancy[n] = log(level.buoyancy);
        flux[n] = log(level.width * level.width * level.rise * level.buoyancy);
        double passed = record->front_time[LOW + n + 3] - record->front_time[LOW + n - 3];
        front += passed > 0 ? 6 * h / passed / level.axis / LEVELS : (double)NAN;
    }
    double away = 0;
    for (int n = 0; n < LEVELS; n++)
        away = fmax(away, fabs(width[n] / (fit.slope * z[n] + fit.intercept) - 1));
    row_between(run, "entrainment: 5/6 of the width's slope", 5.0 / 6 * fit.slope, 0.13, 0.08,
                0.18);
    row_report(run, "width's largest distance from the line, share", away, 0);
    row_absolute(run, "exponent of the rise", fit_line(x, rise, LEVELS).slope, -1.0 / 3, 0.1);
    row_report(run, "exponent of the buoyancy", fit_line(x, buoyancy, LEVELS).slope, -5.0 / 3);
    row_report(run, "exponent of the flux of buoyancy", fit_line(x, flux, LEVELS).slope, 0);
    row_report(run, "front's speed over the steady one on the axis", front, 0.6);
}

static void run_plume(VerifyRun *run)
{
    const double h = 1.0 / WIDE, dt = 1.0 / 90;
    BillowDef def = plume_def(run);
    size_t cells = (size_t)WIDE * HIGH * WIDE;
    Record record = {.rise = calloc(cells, sizeof(double)), .heat = calloc(cells, sizeof(double))};
    flow_plan(run, &def, STEPS);
    BillowSim *sim = record.rise != NULL && record.heat != NULL ? flow_create(run, &def) : NULL;
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
}

const VerifyCase plume_cases[] = {
    {"plume", "a plume's width, rise and front", "Morton, Taylor & Turner 1956; Turner 1962",
     "A flickering ball of heat on the floor, radius 5 cells, in 96x128x96 cells open at the sides "
     "and above; means over 20 s after 10 s; between 0.3 and 0.8 of the height.",
     false, run_plume},
    {.name = NULL},
};
