/* SPDX-License-Identifier: MIT
 * Flows that heat drives, away from walls. */
#include "cases.h"
#include "flow.h"

#include <math.h>

/* -- Rayleigh-Taylor ------------------------------------------------------------------------ */

/* Cold over warm, the border bent by a cosine of half a wavelength over the box's width. */
typedef struct Layers {
    double height, thickness, amplitude, wave; /* m, m, m, 1/m */
    double warmth;                             /* K; the lower's lead over the upper */
} Layers;

static double layers(const void *context, double x, double y, double z)
{
    const Layers *l = context;
    double border = l->height + l->amplitude * cos(l->wave * x);
    (void)z;
    return -0.5 * l->warmth * tanh((y - border) / l->thickness);
}

typedef struct Mode {
    double wave, sum;
} Mode;

static void add_mode(void *context, const double at[3], double value)
{
    Mode *mode = context;
    mode->sum += value * cos(mode->wave * at[0]);
}

/* How much of the upward flow follows the cosine. */
static double mode_of(const BillowView *view, double wave)
{
    Mode mode = {wave, 0};
    flow_visit(view, PART_V, add_mode, &mode);
    return mode.sum;
}

/* Inviscid growth with a border of no thickness between layers of depth D each, s2 = A g k
 * tanh(kD); A g is half of buoyancy times the difference in temperature. */
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
            continue; /* from rest it grows as sinh(st) */
        times[count] = time;
        logs[count] = size;
        plot_point(expected, time, logs[0] + growth * (time - times[0]));
        count++;
    }
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        row_relative(run, "growth rate, 1/s", fit_line(times, logs, count).slope, growth, 0.10);
}

/* -- a thermal ------------------------------------------------------------------------------ */

enum { THERMAL_CELLS = 80, THERMAL_WIDE = 128, THERMAL_HEIGHT = 120 };

static double hot_ball(const void *context, double x, double y, double z)
{
    const double *ball = context; /* x, y, z, radius, K */
    double r = sqrt(pow(x - ball[0], 2) + pow(y - ball[1], 2) + pow(z - ball[2], 2));
    /* A little uneven, so that it does not stay as round as the grid lets it. */
    double ripple = 1 + 0.1 * sin(37 * x + 11 * y) * sin(23 * y + 29 * z) * sin(31 * z + 7 * x);
    return r < ball[3] ? ball[4] * ripple : 0;
}

typedef struct Cloud {
    double heat;      /* K times cells */
    double threshold; /* K */
    double top,
        reach;        /* m; of what is warmer than the threshold: highest, farthest from the axis */
    double middle[2]; /* of the axis: x and z */
} Cloud;

static void add_cloud(void *context, const double at[3], double value)
{
    Cloud *cloud = context;
    cloud->heat += value;
    if (value < cloud->threshold)
        return;
    cloud->top = fmax(cloud->top, at[1]);
    cloud->reach = fmax(cloud->reach, hypot(at[0] - cloud->middle[0], at[2] - cloud->middle[1]));
}

/* Scorer 1957: released at a point, a thermal widens as r = z / n and its cap rises at
 * w = C sqrt(g' r), r half of its width and g' its mean buoyancy, all of it over a volume of m r^3:
 * thermals are flatter than balls, whose m is 4.2. His means are n = 4, C = 1.2, m = 3. z counts
 * from the virtual origin, where the fitted radius is 0. */
static void run_thermal(VerifyRun *run)
{
    enum { STEPS = 240, SAMPLES = 64 };
    const double h = 1.0 / THERMAL_CELLS, dt = 1.0 / 60;
    const double middle = 0.5 * THERMAL_WIDE * h, start[5] = {middle, 0.15, middle, 0.1, 40};
    BillowDef def = flow_def(run, THERMAL_WIDE, THERMAL_HEIGHT, THERMAL_WIDE, h);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.advection = BILLOW_CONSERVATIVE; /* g' r^3 is to stay what it is */
    def.params.tolerance = 1e-4f;
    def.params.cfl = 2;
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN;
    flow_plan(run, &def, STEPS);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    double tops[SAMPLES], reaches[SAMPLES], times[SAMPLES], speeds[SAMPLES], heats[SAMPLES],
        first = 0;
    int count = 0;
    VerifyPlot *plot =
        plot_add(run, "Radius of the thermal", "height of its top (m)", "radius (m)");
    VerifySeries *series = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *line = plot_series(plot, VERIFY_LINE, "fit");
    flow_fill(sim, PART_TEMPERATURE, hot_ball, start);
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        BillowView view = billow_view(sim);
        Cloud cloud = {.threshold = 0.05 * billow_stats(sim).temperature_max,
                       .middle = {middle, middle}};
        flow_visit(&view, PART_TEMPERATURE, add_cloud, &cloud);
        if (step == 0)
            first = cloud.heat * h * h * h;
        if (step % 4 != 3 || cloud.top < 0.5 || cloud.top > 1.25 || count == SAMPLES)
            continue;
        heats[count] = cloud.heat * h * h * h;
        tops[count] = cloud.top;
        reaches[count] = cloud.reach;
        times[count++] = view.time;
        plot_point(series, cloud.top, cloud.reach);
    }
    billow_destroy(sim);
    if (run->stopped || run->failed)
        return;
    Line widening = fit_line(tops, reaches, count);
    double froude = 0;
    int used = 0;
    for (int n = 2; n + 2 < count; n++) {
        speeds[n] = fit_line(times + n - 2, tops + n - 2, 5).slope;
        double g = (double)def.params.buoyancy * heats[n] / (3 * pow(reaches[n], 3));
        froude += speeds[n] / sqrt(g * reaches[n]);
        used++;
    }
    for (int n = 0; n < count; n++)
        plot_point(line, tops[n], widening.slope * tops[n] + widening.intercept);
    row_relative(run, "radius over height", widening.slope, 0.25, 0.30);
    row_relative(run, "speed over root of buoyancy times radius", froude / used, 1.2, 0.30);
    row_report(run, "heat at the end over heat at the start", heats[count - 1] / first, 1);
}

const VerifyCase buoyant_cases[] = {
    {"rayleigh-taylor", "cold over warm air: how fast a bend grows", "Chandrasekhar 1961",
     "A half wave of a cosine in 96x192 cells, 8 thick and periodic there, between free-slip "
     "walls; 20 K, border of "
     "two cells, no viscosity; slope of the logarithm from st = 2 to 4.",
     true, run_rayleigh_taylor},
    {"thermal", "a ball of warm air widens and rises", "Scorer 1957",
     "A ball of radius 8 cells, 40 K, in 128x120x128 cells with open sides, conservative "
     "advection; "
     "radius and top of what is warmer than a twentieth of the maximum, while the top is between 5 "
     "and 12.5 radii high; mean buoyancy over 3 r\u00b3.",
     false, run_thermal},
    {.name = NULL},
};
