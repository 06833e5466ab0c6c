/* SPDX-License-Identifier: MIT
 * Flows past each other, past walls and past a cylinder. */
#include "flow.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

/* -- Kelvin-Helmholtz ----------------------------------------------------------------------- */

/* U0 = 1 m/s, delta = 1 m: u = tanh(y - middle), with a small perturbation of one wave per box. The
 * velocity is made from differences of psi = ln cosh(y) + small cos(kx) / cosh^2(y) between the
 * ends of a face, so that its discrete divergence is 0. */
typedef struct Shear {
    Part part;
    double middle, wave, small, half;
} Shear;

static double shear_psi(const Shear *shear, double x, double y)
{
    double away = y - shear->middle, width = cosh(away);
    return log(width) + shear->small * cos(shear->wave * x) / (width * width);
}

static double shear_flow(const void *context, double x, double y, double z)
{
    const Shear *shear = context;
    double h = shear->half;
    (void)z;
    if (shear->part == PART_U)
        return (shear_psi(shear, x, y + h) - shear_psi(shear, x, y - h)) / (2 * h);
    return (shear_psi(shear, x - h, y) - shear_psi(shear, x + h, y)) / (2 * h);
}

typedef struct Wave {
    double number, cosine, sine;
} Wave;

static void add_wave(void *context, const double at[3], double value)
{
    Wave *wave = context;
    wave->cosine += value * cos(wave->number * at[0]);
    wave->sine += value * sin(wave->number * at[0]);
}

/* Amplitude of the first harmonic of the flow across. */
static double wave_size(const BillowView *view, double number)
{
    Wave wave = {number, 0, 0};
    flow_visit(view, PART_V, add_wave, &wave);
    return hypot(wave.cosine, wave.sine);
}

enum { SHEAR_CELLS = 96, SHEAR_HEIGHT = 144, SHEAR_STEPS = 500 };

/* Growth rate of a perturbation with kδ = number, from t = 10 to 25 s. Before 10 s the shape of the
 * mode still forms. */
static double shear_growth(VerifyRun *run, double number, VerifySeries *series)
{
    const double h = 2 * PI / number / SHEAR_CELLS, dt = 0.05;
    double times[SHEAR_STEPS], logs[SHEAR_STEPS];
    int count = 0;
    BillowDef def = flow_slab_def(run, SHEAR_CELLS, SHEAR_HEIGHT, h);
    flow_wrap(&def, 0);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return (double)NAN;
    Shear shear = {PART_U, 0.5 * SHEAR_HEIGHT * h, number, 1e-4, 0.5 * h};
    flow_fill(sim, PART_U, shear_flow, &shear);
    shear.part = PART_V;
    flow_fill(sim, PART_V, shear_flow, &shear);
    for (int step = 0; step < SHEAR_STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        double size = log(wave_size(&view, number));
        plot_point(series, view.time, size);
        if (view.time < 10)
            continue;
        times[count] = view.time;
        logs[count++] = size;
    }
    billow_destroy(sim);
    return count > 1 ? fit_line(times, logs, count).slope : (double)NAN;
}

static void run_kelvin_helmholtz(VerifyRun *run)
{
    BillowDef def = flow_slab_def(run, SHEAR_CELLS, SHEAR_HEIGHT, 1);
    flow_plan(run, &def, 2 * SHEAR_STEPS);
    VerifyPlot *plot = plot_add(run, "Growth of a bend in a shear layer", "time (s)",
                                "logarithm of the flow across");
    double fastest = shear_growth(run, 0.4446, plot_series(plot, VERIFY_LINE, "k\u03b4 = 0.4446"));
    if (run->stopped || run->failed)
        return;
    double neutral = shear_growth(run, 1, plot_series(plot, VERIFY_LINE, "k\u03b4 = 1"));
    if (run->stopped || run->failed)
        return;
    row_relative(run, "growth rate at k\u03b4 = 0.4446, 1/s", fastest, 0.1897, 0.15);
    row_report(run, "growth rate at k\u03b4 = 1, 1/s", neutral, 0);
}

/* -- the lid-driven cavity ------------------------------------------------------------------ */

enum { CAVITY_CELLS = 96 };

static double slowest(const BillowView *view, VerifySeries *series)
{
    double least = 0;
    for (int j = 0; j < view->ny; j++) {
        double u = (double)view->u[flow_at(view, view->nx / 2, j, 4)];
        plot_point(series, u, (j + 0.5) * (double)view->cell_size);
        least = fmin(least, u);
    }
    return least;
}

static void run_cavity(VerifyRun *run, double reynolds, double time, double reference)
{
    const double h = 1.0 / CAVITY_CELLS, dt = 0.5 * h;
    int steps = (int)(time / dt);
    BillowDef def = flow_slab_def(run, CAVITY_CELLS, CAVITY_CELLS, h);
    for (int side = BILLOW_LEFT; side <= BILLOW_CEILING; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    def.boundaries[BILLOW_CEILING].velocity[0] = 1;
    def.params.viscosity = (float)(1 / reynolds);
    flow_plan(run, &def, steps);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    double before = 0;
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++)
        if (step == steps * 9 / 10) {
            BillowView view = billow_view(sim);
            before = slowest(&view, NULL);
        }
    BillowView view = billow_view(sim);
    double least =
        slowest(&view, plot_series(plot_add(run, "Speed along the middle", "u (m/s)", "height (m)"),
                                   VERIFY_LINE, "measured"));
    billow_destroy(sim);
    if (run->stopped || run->failed)
        return;
    char words[VERIFY_WORDS];
    snprintf(words, sizeof words, "least u on the centre line, Re %.0f, over the lid's", reynolds);
    row_relative(run, words, least, reference, 0.05);
    row_between(run, "its change over the last tenth of the time", fabs(least - before), 0, 0,
                2e-3);
}

static void run_cavity_100(VerifyRun *run)
{
    run_cavity(run, 100, 15, -0.21090);
}

static void run_cavity_400(VerifyRun *run)
{
    run_cavity(run, 400, 40, -0.32726);
}

static void run_cavity_1000(VerifyRun *run)
{
    run_cavity(run, 1000, 60, -0.38857);
}

/* -- a cylinder in a stream ----------------------------------------------------------------- */

enum { ACROSS = 10, LENGTH = 24, WIDTH = 24, AHEAD = 10 };

/* A push across the stream behind the cylinder starts the eddies at once. */
static double stream_along(const void *context, double x, double y, double z)
{
    (void)context, (void)x, (void)y, (void)z;
    return 1;
}

static double stream_across(const void *context, double x, double y, double z)
{
    double along = x - AHEAD - 1.5, across = y - 0.5 * WIDTH;
    (void)context, (void)z;
    return 0.5 * exp(-along * along - across * across);
}

/* Re 100 at a speed of 1 m/s and a diameter of 1 m. */
static BillowDef karman_def(const VerifyRun *run)
{
    BillowDef def = flow_slab_def(run, LENGTH * ACROSS, WIDTH * ACROSS, 1.0 / ACROSS);
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.boundaries[BILLOW_LEFT].velocity[0] = 1;
    def.params.viscosity = 0.01f;
    def.solid_count = 1;
    BillowSolid *solid = &def.solids[0];
    *solid = billow_default_solid();
    solid->shape = BILLOW_CYLINDER;
    solid->size[0] = 0.5f;
    solid->size[1] = 10;
    solid->center[0] = AHEAD;
    solid->center[1] = 0.5f * WIDTH;
    solid->rotation[0] = solid->rotation[3] = (float)sqrt(0.5); /* axis along z */
    solid->sticky = true;
    return def;
}

static void run_karman(VerifyRun *run)
{
    enum { STEPS = 2400, SKIP = 1000 };
    static double times[STEPS], values[STEPS];
    const double dt = 0.04;
    int count = 0;
    BillowDef def = karman_def(run);
    flow_plan(run, &def, STEPS);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_U, stream_along, NULL);
    flow_fill(sim, PART_V, stream_across, NULL);
    VerifySeries *series =
        plot_series(plot_add(run, "Flow across, three diameters behind", "time (s)", "v (m/s)"),
                    VERIFY_LINE, "measured");
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        double v = (double)view.v[flow_at(&view, (AHEAD + 3) * ACROSS, WIDTH * ACROSS / 2, 4)];
        plot_point(series, view.time, v);
        if (step < SKIP)
            continue;
        times[count] = view.time;
        values[count++] = v;
    }
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        row_relative(run, "Strouhal number at Re 100", crossing_frequency(times, values, count),
                     0.164, 0.12);
}

/* Schaefer & Turek's 2D-2, Re 100: a channel of 0.41 m with a cylinder of 0.1 m slightly below its
 * middle, and a parabolic inflow of 1.5 m/s at most, 1 m/s on average. */
static BillowDef channel_def(const VerifyRun *run, int cells)
{
    const double h = 0.41 / cells;
    BillowDef def = flow_slab_def(run, 2 * (int)(1.1 / h), cells, h);
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.faces[BILLOW_FLOOR] = def.faces[BILLOW_CEILING] = BILLOW_NO_SLIP;
    def.boundaries[BILLOW_LEFT].velocity[0] = 1.5f;
    def.boundaries[BILLOW_LEFT].profile = BILLOW_PARABOLIC;
    def.params.viscosity = 0.001f;
    def.solid_count = 1;
    BillowSolid *solid = &def.solids[0];
    *solid = billow_default_solid();
    solid->shape = BILLOW_CYLINDER;
    solid->size[0] = 0.05f;
    solid->size[1] = 1;
    solid->center[0] = solid->center[1] = 0.2f;
    solid->rotation[0] = solid->rotation[3] = (float)sqrt(0.5); /* axis along z */
    solid->sticky = true;
    return def;
}

static void run_channel(VerifyRun *run)
{
    enum { CELLS = 64, STEPS = 3200, SKIP = 1600 };
    static double times[STEPS], values[STEPS];
    const double dt = 0.0025;
    int count = 0;
    BillowDef def = channel_def(run, CELLS);
    flow_plan(run, &def, STEPS);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    VerifySeries *series =
        plot_series(plot_add(run, "Flow across, two diameters behind", "time (s)", "v (m/s)"),
                    VERIFY_LINE, "measured");
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        double v = (double)view.v[flow_at(&view, (int)(0.4 / 0.41 * CELLS), CELLS / 2, 4)];
        plot_point(series, view.time, v);
        if (step < SKIP)
            continue;
        times[count] = view.time;
        values[count++] = v;
    }
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        row_relative(run, "Strouhal number by the mean speed",
                     0.1 * crossing_frequency(times, values, count), 0.300, 0.10);
}

const VerifyCase shear_cases[] = {
    {"kelvin-helmholtz", "growth of a wave in a shear layer", "Michalke 1964",
     "u = tanh(y), periodic along x with one wave, 96x144 cells, 8 thick and periodic "
     "there, free-slip walls above and below, no viscosity; slope of the logarithm from t = 10 to "
     "25.",
     true, run_kelvin_helmholtz},
    {"cavity-100", "a square of air under a moving lid, Re 100", "Ghia, Ghia & Shin 1982",
     "96\u00b2 cells, 8 thick and periodic there, no-slip walls, until t = 15; CFL 0.5.", true,
     run_cavity_100},
    {"cavity-400", "the same, Re 400", "Ghia, Ghia & Shin 1982",
     "96\u00b2 cells, 8 thick and periodic there, no-slip walls, until t = 40; CFL 0.5.", false,
     run_cavity_400},
    {"cavity-1000", "the same, Re 1000", "Botella & Peyret 1998",
     "96\u00b2 cells, 8 thick and periodic there, no-slip walls, until t = 60; CFL 0.5.", false,
     run_cavity_1000},
    {"karman", "eddies behind a cylinder, Re 100", "Williamson 1988",
     "A no-slip cylinder of 10 cells across, 10 diameters behind the inflow, in 24 x 24 diameters "
     "between free-slip walls, 8 cells thick and periodic there; CFL 0.4, from t = 40 to 96.",
     false, run_karman},
    {"channel-cylinder", "eddies behind a cylinder in a channel, DFG 2D-2, Re 100",
     "Sch\u00e4fer & Turek 1996",
     "A channel of 0.41 m in 64 cells, the cylinder 15.6 of them across, 2.2 m long, 8 cells thick "
     "and periodic there; no-slip, from t = 4 to 8.",
     false, run_channel},
    {.name = NULL},
};
