/* SPDX-License-Identifier: MIT
 * Vortices with exact decay rates, and vortices that travel. */
#include "verify/flow.h"

/* -- Taylor-Green in two dimensions --------------------------------------------------------- */

enum { GRIDS = 3 };
static const double taylor_cells[GRIDS] = {16, 32, 64};

/* Taylor-Green vortex: u = sin x cos y, v = -cos x sin y in a square of side pi, mirrored by
 * free-slip walls. Viscosity makes it decay as exp(-2 nu t); its shape stays the same. */
typedef struct Taylor {
    Part part;
    double amplitude;
    double stream; /* uniform velocity that is added along x and along y, m/s */
} Taylor;

static double taylor(const void *context, double x, double y, double z)
{
    const Taylor *swirl = context;
    (void)z;
    return swirl->amplitude * (swirl->part == PART_U ? sin(x) * cos(y) : -cos(x) * sin(y)) +
           swirl->stream;
}

/* Root mean square distance of the velocity from that of a vortex. */
static double taylor_distance(const BillowSim *sim, double amplitude, double stream)
{
    const Taylor u = {PART_U, amplitude, stream}, v = {PART_V, amplitude, stream};
    return hypot(flow_distance(sim, PART_U, taylor, &u).rms,
                 flow_distance(sim, PART_V, taylor, &v).rms);
}

typedef struct TaylorPlan {
    BillowAdvection advection;
    double viscosity, time;
    bool square; /* time step ~ (cell size)^2; false: time step ~ cell size */
} TaylorPlan;

typedef struct TaylorErrors {
    double energy[GRIDS];   /* |ln(energy / exact energy)| */
    double velocity[GRIDS]; /* L2 error over the L2 norm of the exact flow */
    double rate;            /* decay rate of the energy on the finest grid, 1/s */
} TaylorErrors;

/* Number of time steps on a grid. courant: Courant number on the coarsest grid. */
static double taylor_steps(const TaylorPlan *plan, int grid)
{
    const double courant = 0.8;
    double finer = taylor_cells[grid] / taylor_cells[0];
    double steps = plan->time / (courant * PI / taylor_cells[0]);
    return ceil(steps) * (plan->square ? finer * finer : finer);
}

static void run_taylor_grid(VerifyRun *run, const TaylorPlan *plan, int grid, VerifySeries *curve,
                            TaylorErrors *errors)
{
    int cells = (int)taylor_cells[grid];
    BillowDef def = flow_slab_def(run, cells, cells, PI / cells);
    def.params.viscosity = (float)plan->viscosity;
    def.params.advection = plan->advection;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_V; part++)
        flow_fill(sim, part, taylor, &(Taylor){part, 1, 0});
    double steps = taylor_steps(plan, grid), dt = plan->time / steps;
    double before = flow_energy(sim);
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++)
        if (step % ((int)steps / 20 + 1) == 0)
            plot_point(curve, billow_stats(sim).time, flow_energy(sim) / before);
    double lost = log(flow_energy(sim) / before), left = exp(-2 * plan->viscosity * plan->time);
    errors->energy[grid] = fabs(lost + 4 * plan->viscosity * plan->time);
    errors->velocity[grid] = taylor_distance(sim, left, 0) / (left * sqrt(0.5));
    errors->rate = -lost / plan->time;
    billow_destroy(sim);
}

static void run_taylor_green(VerifyRun *run)
{
    const TaylorPlan plans[3] = {{BILLOW_REFLECTION, 0.01, 2, false},
                                 {BILLOW_REFLECTION, 0.01, 1, true},
                                 {BILLOW_SEMI_LAGRANGIAN, 0.01, 2, false}};
    static const char *const names[3] = {"reflection, steps \u221d cells",
                                         "reflection, steps \u221d cells\u00b2",
                                         "semi-Lagrangian, steps \u221d cells"};
    for (int plan = 0; plan < 3; plan++)
        for (int grid = 0; grid < GRIDS; grid++) {
            int cells = (int)taylor_cells[grid];
            flow_plan(run, cells, cells, BILLOW_GRID_MIN, taylor_steps(&plans[plan], grid));
        }
    VerifyPlot *decay = plot_add(run, "Energy of the swirl", "time", "energy over the first");
    VerifyPlot *order = plot_order(run, "Error of the energy's logarithm", "error");
    VerifySeries *exact = plot_series(decay, VERIFY_LINE, "exact");
    for (double time = 0; time <= plans[0].time; time += 0.1)
        plot_point(exact, time, exp(-4 * plans[0].viscosity * time));
    TaylorErrors errors[3] = {{.rate = UNKNOWN}, {.rate = UNKNOWN}, {.rate = UNKNOWN}};
    for (int plan = 0; plan < 3; plan++) {
        VerifySeries *curve = plot_series(decay, VERIFY_DOTS, "%s", names[plan]);
        VerifySeries *orders = plot_series(order, VERIFY_DOTS, "%s", names[plan]);
        for (int grid = 0; grid < GRIDS && verify_going(run); grid++) {
            run_taylor_grid(run, &plans[plan], grid, grid == GRIDS - 1 ? curve : NULL,
                            &errors[plan]);
            plot_point(orders, taylor_cells[grid], errors[plan].energy[grid]);
        }
    }
    row_relative(run, "decay rate of energy, 64\u00b2, reflection", errors[0].rate,
                 4 * plans[0].viscosity, 0.03);
    row_between(run, "order of energy, steps \u221d cells",
                fit_order(taylor_cells, errors[0].energy, 3), 2, 1.8, UNLIMITED);
    row_report(run, "order of velocity (L2), steps \u221d cells",
               fit_order(taylor_cells, errors[0].velocity, 3), 2);
    row_between(run, "order of energy, steps \u221d cells\u00b2",
                fit_order(taylor_cells, errors[1].energy, 3), 2, 2, UNLIMITED);
    row_report(run, "order of velocity (L2), steps \u221d cells\u00b2",
               fit_order(taylor_cells, errors[1].velocity, 3), 2);
    row_report(run, "decay rate of energy, 64\u00b2, semi-Lagrangian", errors[2].rate,
               4 * plans[2].viscosity);
    row_report(run, "order of energy, semi-Lagrangian",
               fit_order(taylor_cells, errors[2].energy, 3), 1);
}

/* -- Taylor-Green in a stream -------------------------------------------------------------------
 */

/* Taylor-Green vortices, two waves wide and periodic, plus a uniform stream, which must not change
 * the swirl. */
typedef struct Advected {
    double velocity; /* L2 error over the L2 norm of the exact swirl */
    double rate;     /* decay rate of the swirl's energy, 1/s */
    double momentum; /* change of the mean velocity along x over the stream */
} Advected;

enum { ADVECTED_STEPS = 10 }; /* time steps per 8 cells along an axis */
static const double advected_viscosity = 0.01;
static const double advected_time = 2 * PI; /* time in which the stream crosses the box once, s */

static Advected advect_swirl(VerifyRun *run, BillowAdvection advection, int cells, double stream)
{
    Advected advected = {UNKNOWN, UNKNOWN, UNKNOWN};
    BillowDef def = flow_slab_def(run, cells, cells, 2 * PI / cells);
    flow_wrap(&def, 0);
    flow_wrap(&def, 1);
    def.params.viscosity = (float)advected_viscosity;
    def.params.advection = advection;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return advected;
    for (Part part = PART_U; part <= PART_V; part++)
        flow_fill(sim, part, taylor, &(Taylor){part, 1, stream});
    double before = taylor_distance(sim, 0, stream), steps = ADVECTED_STEPS * cells / 8.0;
    for (int step = 0; step < steps && flow_step(run, sim, advected_time / steps); step++)
        ;
    double left = exp(-2 * advected_viscosity * advected_time);
    advected.velocity = taylor_distance(sim, left, stream) / (left * sqrt(0.5));
    advected.rate = 2 * log(before / taylor_distance(sim, 0, stream)) / advected_time;
    double mass = 1.2 * 8 * def.nx * def.ny * pow((double)def.cell_size, 3); /* 8 cells thick */
    advected.momentum = billow_stats(sim).momentum[0] / (mass * stream) - 1;
    billow_destroy(sim);
    return advected;
}

static void run_taylor_periodic(VerifyRun *run)
{
    static const double cells[3] = {16, 32, 64};
    double errors[2][3] = {{0}};
    Advected advected[2] = {{0}};
    for (int n = 0; n < 7; n++)
        flow_plan(run, (int)cells[n % 3], (int)cells[n % 3], BILLOW_GRID_MIN,
                  ADVECTED_STEPS * cells[n % 3] / 8);
    VerifyPlot *plot = plot_order(run, "Error of the swirl's velocity", "L2");
    for (int stream = 0; stream < 2; stream++) {
        VerifySeries *series = plot_series(plot, VERIFY_DOTS, stream ? "in a stream" : "in place");
        for (int n = 0; n < 3 && verify_going(run); n++) {
            advected[stream] = advect_swirl(run, BILLOW_REFLECTION, (int)cells[n], stream);
            errors[stream][n] = advected[stream].velocity;
            plot_point(series, cells[n], errors[stream][n]);
        }
    }
    Advected plain = advect_swirl(run, BILLOW_SEMI_LAGRANGIAN, (int)cells[0], 1);
    row_relative(run, "decay rate of energy, 64\u00b2, in place", advected[0].rate,
                 4 * advected_viscosity, 0.08);
    row_report(run, "order of velocity (L2), in place", fit_order(cells, errors[0], 3), 2);
    row_relative(run, "decay rate of energy, 64\u00b2, in the stream", advected[1].rate,
                 4 * advected_viscosity, 0.03);
    row_between(run, "order of velocity (L2), in the stream", fit_order(cells, errors[1], 3), 2,
                1.8, UNLIMITED);
    row_absolute(run, "relative error of velocity, 64\u00b2, in place", errors[0][2], 0, 0.01);
    row_absolute(run, "relative error of velocity, 64\u00b2, in the stream", errors[1][2], 0,
                 0.025);
    /* Nothing acts on the momentum. Its limits are twice the rounding, 6e-8, of 80 and 20 steps. */
    row_absolute(run, "change of the stream's momentum, 64\u00b2, reflection", advected[1].momentum,
                 0, 1e-5);
    row_absolute(run, "change of the stream's momentum, 16\u00b2, semi-Lagrangian", plain.momentum,
                 0, 2.4e-6);
}

/* -- Taylor-Green in three dimensions ------------------------------------------------------- */

/* Taylor-Green vortex in three dimensions: u = sin x cos y cos z, v = -cos x sin y cos z, mirrored
 * by free-slip walls at 0 and pi. */
static double taylor_3d(const void *context, double x, double y, double z)
{
    const double flow[3] = {sin(x) * cos(y) * cos(z), -cos(x) * sin(y) * cos(z), 0};
    return flow[*(const Part *)context];
}

static void run_taylor_3d(VerifyRun *run)
{
    enum { CELLS = 64, STEPS = 600 };
    const double dt = 0.02, volume = PI * PI * PI;
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, PI / CELLS);
    def.params.viscosity = 1.0f / 1600;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, taylor_3d, &part);
    VerifySeries *series =
        plot_over_time(run, "Dissipation of energy", "dissipation (m\u00b2/s\u00b3)");
    double before = flow_energy(sim) / volume, first = before, most = 0, when = 0;
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        if (step % 10 != 9)
            continue;
        double energy = flow_energy(sim) / volume, rate = (before - energy) / (10 * dt);
        double middle = billow_stats(sim).time - 5 * dt;
        plot_point(series, middle, rate);
        before = energy;
        when = rate > most ? middle : when;
        most = fmax(most, rate);
    }
    billow_destroy(sim);
    row_relative(run, "initial energy, m\u00b2/s\u00b2", first, 0.125, 1e-6);
    row_relative(run, "time of the largest dissipation, s", when, 9, 0.1);
    row_report(run, "largest dissipation, m\u00b2/s\u00b3", most, 0.0128);
}

/* -- Arnold, Beltrami, Childress ------------------------------------------------------------ */

/* A Beltrami flow, for which curl u = u. Only viscosity changes it. */
static double beltrami(const void *context, double x, double y, double z)
{
    const double flow[3] = {sin(z) + cos(y), sin(x) + cos(z), sin(y) + cos(x)};
    return flow[*(const Part *)context];
}

static void run_abc(VerifyRun *run)
{
    enum { CELLS = 32, STEPS = 125 };
    const double viscosity = 0.05, dt = 0.008;
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 2 * PI / CELLS);
    for (int axis = 0; axis < 3; axis++)
        flow_wrap(&def, axis);
    def.params.viscosity = (float)viscosity;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, beltrami, &part);
    double before = flow_energy(sim);
    VerifyPlot *plot =
        plot_add(run, "Energy of the Beltrami flow", "time", "energy over the first");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "exact");
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        double time = billow_stats(sim).time;
        if (step % 10 == 9)
            plot_point(measured, time, flow_energy(sim) / before);
        plot_point(exact, time, exp(-2 * viscosity * time));
    }
    double rate = -log(flow_energy(sim) / before) / billow_stats(sim).time;
    billow_destroy(sim);
    row_relative(run, "decay rate of energy, 1/s", rate, 2 * viscosity, 0.0055);
}

/* -- a shear wave --------------------------------------------------------------------------- */

/* Upward velocity cos(wave x). context: the wave number, a double. */
static double shear_wave(const void *context, double x, double y, double z)
{
    const double *wave = context;
    (void)y, (void)z;
    return cos(*wave * x);
}

/* Error of ln(amplitude) after nu k2 t = 1 in `steps` steps, for the wave number k that the grid's
 * second differences see. */
static double shear_wave_error(VerifyRun *run, int cells, int steps)
{
    BillowDef def = flow_def(run, cells, 8, 8, 2 * PI / cells);
    double wave = 1, seen = 2 * sin(PI / cells) / (2 * PI / cells);
    for (int axis = 0; axis < 3; axis++)
        flow_wrap(&def, axis);
    def.params.viscosity = 1;
    def.params.diffusion_sweeps = 1000;
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return UNKNOWN;
    flow_fill(sim, PART_V, shear_wave, &wave);
    double before = flow_log_mode(&wave, sim), time = 1 / (seen * seen);
    for (int step = 0; step < steps && flow_step(run, sim, time / steps); step++)
        ;
    double error = fabs(flow_log_mode(&wave, sim) - before + 1);
    billow_destroy(sim);
    return error;
}

static void run_shear_wave(VerifyRun *run)
{
    enum { CELLS = 16, RUNS = 5 };
    static const double steps[RUNS] = {1, 2, 4, 8, 16};
    double errors[RUNS] = {0};
    VerifyPlot *plot = plot_add(run, "Error of a shear wave's decay", "steps", "error");
    plot->x_logarithmic = plot->y_logarithmic = true;
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    for (int r = 0; r < RUNS && verify_going(run); r++) {
        errors[r] = shear_wave_error(run, CELLS, (int)steps[r]);
        plot_point(measured, steps[r], errors[r]);
    }
    row_between(run, "order in time, \u03bdk\u00b2dt from 1 to 0.06",
                fit_order(steps, errors, RUNS), 2, 1.83, UNLIMITED);
    row_absolute(run, "error of the amplitude's logarithm, 1, in one step of \u03bdk\u00b2dt = 1",
                 errors[0], 0, 0.032);
    row_absolute(run, "error of the amplitude's logarithm, 1, in 16 steps", errors[RUNS - 1], 0,
                 1e-4);
}

/* -- confinement in still air ---------------------------------------------------------------- */

/* Eddies of some six cells of 1/32 m, at 1 cm/s. context: a Part. */
static double faint_eddies(const void *context, double x, double y, double z)
{
    static const double waves[3][3] = {{31, 37, 29}, {34, 28, 39}, {41, 33, 27}};
    int axis = (int)*(const Part *)context;
    double sum = 0;
    for (int mode = 0; mode < 3; mode++)
        sum += sin(waves[(mode + axis) % 3][0] * x + waves[(mode + axis) % 3][1] * y +
                   waves[(mode + axis) % 3][2] * z + mode);
    return 0.01 * sum / sqrt(1.5);
}

/* Energy after 5 s over that at the start, with confinement of strength 9. */
static double confined_energy(VerifyRun *run, BillowAdvection advection, const char *name,
                              VerifyPlot *plot)
{
    enum { CELLS = 24, STEPS = 300 };
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 1.0 / 32);
    def.params.advection = advection;
    def.params.vorticity = 9;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return UNKNOWN;
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, faint_eddies, &part);
    flow_project(run, sim);
    double before = flow_energy(sim);
    VerifySeries *series = plot_series(plot, VERIFY_DOTS, "%s", name);
    for (int step = 0; step < STEPS && flow_step(run, sim, 1.0 / 60); step++)
        if (step % 20 == 19)
            plot_point(series, billow_stats(sim).time, flow_energy(sim) / before);
    double energy = flow_energy(sim) / before;
    billow_destroy(sim);
    return energy;
}

static void run_confinement(VerifyRun *run)
{
    VerifyPlot *plot =
        plot_add(run, "Energy of faint eddies with confinement", "time", "energy over the first");
    double plain = confined_energy(run, BILLOW_SEMI_LAGRANGIAN, "semi-Lagrangian", plot);
    double sharp = confined_energy(run, BILLOW_REFLECTION, "reflection", plot);
    row_between(run, "energy after 5 s over the first, semi-Lagrangian", plain, 0, 0, 0.86);
    row_between(run, "energy after 5 s over the first, reflection", sharp, 0, 0, 1);
}

/* -- rings ---------------------------------------------------------------------------------- */

/* A vortex ring around the z axis. The initial velocity before projection is (0, 0, g(r, z)), where
 * r is the distance from the axis. Its curl around the axis is -dg/dr, which projection does not
 * change. g is therefore the integral of the wanted curl from r to infinity. */
typedef struct Ring {
    double radius, core; /* m */
    double start;        /* initial position of the centre along z, m */
    double circulation;  /* of the ring, m2/s */
} Ring;

/* Gaussian core: curl = circulation / (pi core^2) exp(-((r-R)^2 + z^2) / core^2) */
static double gaussian_ring(const void *context, double x, double y, double z)
{
    const Ring *ring = context;
    double r = sqrt(x * x + y * y), along = (z - ring->start) / ring->core;
    return 0.5 * ring->circulation / (sqrt(PI) * ring->core) * exp(-along * along) *
           erfc((r - ring->radius) / ring->core);
}

/* Hill's vortex: curl = A r within a sphere; its circulation is 2/3 A radius^3. */
static double hill_vortex(const void *context, double x, double y, double z)
{
    const Ring *ring = context;
    double strength = 1.5 * ring->circulation / pow(ring->radius, 3);
    double along = z - ring->start;
    double inside = ring->radius * ring->radius - x * x - y * y - along * along;
    return inside > 0 ? 0.5 * strength * inside : 0;
}

/* Position along z of the centroid of the impulse density, which is r times curl. Saffman's formula
 * (1970) gives the speed of this point. */
static double ring_place(const BillowView *view)
{
    double impulse = 0, place = 0, h = (double)view->cell_size;
    for (int k = 0; k < view->nz; k++) {
        double plane = 0, curl[3];
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                flow_curl(view, i, j, k, curl);
                plane += ((i + 0.5) * curl[1] - (j + 0.5) * curl[0]) * h;
            }
        impulse += plane;
        place += plane * (k + 0.5) * h;
    }
    return place / impulse;
}

typedef struct RingPlan {
    Ring ring;
    FlowFunction *flow;
    int cells[3]; /* a quarter of the flow: two walls through the axis mirror it */
    double cell_size, dt;
    double speed; /* expected speed of the ring, m/s */
    int steps;
} RingPlan;

/* Measures the speed of the ring over the second half of its path, m/s. */
static double ring_speed(VerifyRun *run, const RingPlan *plan)
{
    static Signal path;
    BillowDef def = flow_def(run, plan->cells[0], plan->cells[1], plan->cells[2], plan->cell_size);
    BillowSim *sim = flow_start(run, &def, plan->steps + 1);
    if (sim == NULL)
        return UNKNOWN;
    VerifyPlot *plot = plot_add(run, "Path of the vortex", "time (s)", "displacement (m)");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *expected = plot_series(plot, VERIFY_LINE, "reference");
    path.count = 0;
    flow_fill(sim, PART_W, plan->flow, &plan->ring);
    bool going = flow_project(run, sim);
    for (int step = 0; step < plan->steps && going; step++) {
        going = flow_step(run, sim, plan->dt);
        BillowView view = billow_view(sim);
        if (step % 4 != 3)
            continue;
        signal_add(&path, view.time, ring_place(&view) - plan->ring.start);
        plot_point(measured, view.time, path.values[path.count - 1]);
        plot_point(expected, view.time, plan->speed * view.time);
    }
    billow_destroy(sim);
    int half = path.count / 2;
    return fit_line(path.times + half, path.values + half, path.count - half).slope;
}

static void run_vortex_ring(VerifyRun *run)
{
    const Ring ring = {.radius = 1, .core = 0.25, .start = 2, .circulation = 1};
    RingPlan plan = {ring, gaussian_ring, {64, 64, 80}, 1.0 / 16, 0.05, 0, 40};
    plan.speed =
        ring.circulation / (4 * PI * ring.radius) * (log(8 * ring.radius / ring.core) - 0.558);
    row_relative(run, "speed of the ring, m/s", ring_speed(run, &plan), plan.speed, 0.10);
}

static void run_hill(VerifyRun *run)
{
    const Ring ring = {.radius = 1, .core = 0, .start = 2, .circulation = 5};
    RingPlan plan = {ring, hill_vortex, {56, 56, 80}, 1.0 / 16, 0.025, 0, 60};
    plan.speed = ring.circulation / (5 * ring.radius);
    row_relative(run, "speed of the vortex, m/s", ring_speed(run, &plan), plan.speed, 0.075);
}

const VerifyCase vortex_cases[] = {
    {"taylor-green-2d", "a swirl decays by viscosity alone", "Taylor & Green 1937",
     "u = sin x cos y, v = -cos x sin y in a closed square of \u03c0 between free-slip walls, 8 "
     "cells thick and periodic in z, \u03bd = 0.01, until t = 2; 16, 32 and 64 cells, CFL 0.8 at "
     "16; until t = 1 where steps \u221d cells\u00b2.",
     true, .run = run_taylor_green},
    {"taylor-green-periodic", "a swirl with periodic sides decays, at rest and in a stream",
     "Taylor & Green 1937",
     "Two waves wide, \u03bd = 0.01, until t = 2\u03c0, when a stream of (1, 1) m/s has crossed "
     "the box once; 16\u00b2, 32\u00b2 and 64\u00b2 cells, 8 thick, all sides periodic; CFL 0.8 "
     "by the stream alone and 0.8 by the swirl alone.",
     true, .run = run_taylor_periodic},
    {"taylor-green-3d", "swirls break up into turbulence, Re 1600", "van Rees et al. 2011",
     "An eighth of the periodic cube, mirrored by free-slip walls, in 64\u00b3 cells; 512\u00b3 "
     "cells of the cube would resolve the flow, and these are 128\u00b3; 600 steps of 0.02 s.",
     false, .run = run_taylor_3d},
    {"abc", "a three-dimensional Beltrami flow decays by viscosity", "Ethier & Steinman 1994",
     "A = B = C = 1 in a periodic cube of 2\u03c0, 32\u00b3 cells, \u03bd = 0.05, 125 steps of "
     "0.008.",
     true, .run = run_abc},
    {"shear-wave", "a shear wave decays by strong viscosity, in long steps", "Alexander 1977",
     "v = cos x, periodic, 16 cells a wave, \u03bd = 1, until \u03bdk\u00b2t = 1, in 1 to 16 "
     "steps.",
     true, .run = run_shear_wave},
    {"confinement", "vorticity confinement adds no energy to still air", "Fedkiw et al. 2001",
     "Eddies of six cells at 1 cm/s in a closed box of 24\u00b3 cells of 1/32 m, strength 9 1/s, "
     "300 steps of 1/60 s.",
     true, .run = run_confinement},
    {"vortex-ring", "speed of a ring with a Gaussian core", "Saffman 1970",
     "Radius 1 m, core 0.25 m (4 cells), in a box of 8 x 8 x 5 m of which the walls mirror a "
     "quarter, 64x64x80 cells; no viscosity, 40 steps of 0.05 s.",
     true, .run = run_vortex_ring},
    {"hill-vortex", "speed of a spherical vortex", "Hill 1894",
     "Radius 1 m (16 cells) in a quarter of 7 x 7 x 5 m, 56x56x80 cells; no viscosity, 60 "
     "steps of 0.025 s.",
     true, .run = run_hill},
    {.name = NULL},
};
