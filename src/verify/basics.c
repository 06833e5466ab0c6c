/* SPDX-License-Identifier: MIT
 * Cases with exact answers: air at rest, diffusion, projection. */
#include "verify/flow.h"

/* -- a stratified room stays at rest ----------------------------------------------------------- */

static double warm_above(const void *context, double x, double y, double z)
{
    (void)context, (void)x, (void)z;
    return 20 * y * y; /* temperature, K; quadratic, so that errors linear in y do not cancel */
}

static void run_rest(VerifyRun *run)
{
    enum { STEPS = 100 };
    BillowDef def = flow_def(run, 32, 48, 24, 1.0 / 48);
    def.params.buoyancy = billow_default_params().buoyancy;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    VerifySeries *speeds = plot_over_time(run, "Draught in a room at rest", "speed (m/s)");
    double most = 0;
    flow_fill(sim, PART_TEMPERATURE, warm_above, NULL);
    for (int step = 0; step < STEPS && flow_step(run, sim, 1.0 / 60); step++) {
        BillowStats stats = billow_stats(sim);
        most = fmax(most, stats.speed_max);
        plot_point(speeds, stats.time, stats.speed_max);
    }
    billow_destroy(sim);
    /* Speed that air 20 K warmer than its surroundings gains if it rises freely by the room's
     * height, 1 m. */
    double free_rise = sqrt(2 * (double)def.params.buoyancy * 20);
    /* The pressure balances the weight but for some roundings of 6e-8. */
    row_between(run, "fastest draught over speed of free rise", most / free_rise, 0, 0, 1e-6);
}

/* -- a cosine of heat and a puff of smoke spread -------------------------------------------- */

typedef struct Spread {
    double wave[2]; /* wave numbers along x and y, 1/m */
    double width;   /* standard deviation of the puff, m */
    double middle[3];
} Spread;

static double cosine(const void *context, double x, double y, double z)
{
    const Spread *spread = context;
    (void)z;
    return cos(spread->wave[0] * x) * cos(spread->wave[1] * y);
}

static double puff(const void *context, double x, double y, double z)
{
    const Spread *spread = context;
    const double at[3] = {x, y, z};
    double squares = 0;
    for (int axis = 0; axis < 3; axis++)
        squares += (at[axis] - spread->middle[axis]) * (at[axis] - spread->middle[axis]);
    return exp(-0.5 * squares / (spread->width * spread->width));
}

typedef struct Moments {
    const Spread *spread;
    double mass;    /* integral of the field */
    double squares; /* integral of the field times (x - middle[0])^2 */
    double product; /* integral of the field times the initial cosine */
} Moments;

static void add_moments(void *context, const double at[3], double value)
{
    Moments *moments = context;
    double away = at[0] - moments->spread->middle[0];
    moments->mass += value;
    moments->squares += value * away * away;
    moments->product += value * cosine(moments->spread, at[0], at[1], at[2]);
}

static Moments moments_of(const BillowSim *sim, Part part, const Spread *spread)
{
    Moments moments = {.spread = spread};
    flow_visit(sim, part, add_moments, &moments);
    return moments;
}

static void run_diffusion(VerifyRun *run)
{
    enum { CELLS = 32, STEPS = 100 };
    const double rate = 2e-3, dt = 0.02, time = STEPS * dt; /* m2/s, s */
    const Spread spread = {{2 * PI, PI}, 0.08, {0.5, 0.5, 0.5}};
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 1.0 / CELLS);
    def.params.heat_diffusion = def.params.smoke_diffusion = (float)rate;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_TEMPERATURE, cosine, &spread);
    flow_fill(sim, PART_DENSITY, puff, &spread);
    Moments heat = moments_of(sim, PART_TEMPERATURE, &spread);
    Moments smoke = moments_of(sim, PART_DENSITY, &spread);
    VerifyPlot *plot = plot_add(run, "A cosine of heat fades", "time (s)", "amplitude");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "exact");
    double squares = spread.wave[0] * spread.wave[0] + spread.wave[1] * spread.wave[1];
    double left = 1;
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        double now = billow_stats(sim).time;
        left = moments_of(sim, PART_TEMPERATURE, &spread).product / heat.product;
        if (step % 5 == 4)
            plot_point(measured, now, left);
        plot_point(exact, now, exp(-rate * squares * now));
    }
    Moments last = moments_of(sim, PART_DENSITY, &spread);
    billow_destroy(sim);
    row_relative(run, "decay rate of a cosine, 1/s", -log(left) / time, rate * squares, 0.01);
    row_relative(run, "growth of a puff's variance, m\u00b2/s",
                 (last.squares / last.mass - smoke.squares / smoke.mass) / time, 2 * rate, 0.001);
    /* Nothing creates smoke. The limit is the rounding, 6e-8, of all steps. */
    row_absolute(run, "final smoke over initial smoke", last.mass / smoke.mass, 1, 6e-8 * STEPS);
}

/* -- projection removes a gradient alone ------------------------------------------------------- */

/* A divergence-free swirl plus a gradient. Both have no flow through the walls of the unit box.
 * Swirl: (sin pi x cos pi y, -cos pi x sin pi y, 0). Gradient: grad(cos pi x cos 2 pi y cos pi z).
 */
typedef struct Mixture {
    int axis;
    double swirl, gradient; /* amplitudes, m/s */
} Mixture;

static double mixture(const void *context, double x, double y, double z)
{
    const Mixture *mix = context;
    const double swirl[3] = {sin(PI * x) * cos(PI * y), -cos(PI * x) * sin(PI * y), 0};
    const double gradient[3] = {-PI * sin(PI * x) * cos(2 * PI * y) * cos(PI * z),
                                -2 * PI * cos(PI * x) * sin(2 * PI * y) * cos(PI * z),
                                -PI * cos(PI * x) * cos(2 * PI * y) * sin(PI * z)};
    return mix->swirl * swirl[mix->axis] + mix->gradient * gradient[mix->axis];
}

/* Norm of (projected mixture - swirl): root of the sum, over the velocity components, of the mean
 * squares. */
static double left_over(VerifyRun *run, int cells, double swirl, double gradient)
{
    BillowDef def = flow_def(run, cells, cells, cells, 1.0 / cells);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    double squares = 0;
    for (int axis = 0; axis < 3; axis++)
        flow_fill(sim, (Part)axis, mixture, &(Mixture){axis, swirl, gradient});
    flow_project(run, sim);
    for (int axis = 0; axis < 3; axis++)
        squares += pow(flow_distance(sim, (Part)axis, mixture, &(Mixture){axis, swirl, 0}).rms, 2);
    billow_destroy(sim);
    return sqrt(squares);
}

static void run_projection(VerifyRun *run)
{
    static const double cells[3] = {16, 32, 64};
    double errors[3];
    VerifyPlot *plot = plot_order(run, "Gradient left by a projection", "share of the gradient");
    VerifySeries *series = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *second = plot_series(plot, VERIFY_DASHES, "second order");
    double whole = PI * sqrt(6.0 / 8); /* norm of the gradient, defined as in left_over */
    for (int grid = 0; grid < 3 && !run->stopped; grid++) {
        errors[grid] = left_over(run, (int)cells[grid], 1, 1) / whole;
        plot_point(series, cells[grid], errors[grid]);
        plot_point(second, cells[grid], errors[0] * pow(cells[0] / cells[grid], 2));
    }
    if (!verify_going(run))
        return;
    row_between(run, "order over 16, 32, 64 cells", fit_order(cells, errors, 3), 2, 1.955,
                UNLIMITED);
    row_report(run, "share of the gradient left at 64\u00b3", errors[2], 0);
    /* The limit is one rounding. */
    row_between(run, "change of a flow without divergence", left_over(run, 64, 1, 0), 0, 0, 6e-8);
}

const VerifyCase basic_cases[] = {
    {"rest", "a stratified room stays at rest", "hydrostatics",
     "32x48x24 cells, 20 K over 1 m, closed, 100 steps of 1/60 s.", true, .run = run_rest},
    {"diffusion", "decay of a cosine of heat, spread of a puff", "Fourier 1822; Fick 1855",
     "32\u00b3 cells of a closed 1 m box, 2e-3 m\u00b2/s, 100 implicit steps of 0.02 s.", true,
     .run = run_diffusion},
    {"projection", "projection removes a gradient and nothing else", "Chorin 1968",
     "A swirl without divergence plus a gradient in a closed unit box; one projection.", true,
     .run = run_projection},
    {.name = NULL},
};
