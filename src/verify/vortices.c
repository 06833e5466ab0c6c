/* SPDX-License-Identifier: MIT
 * Vortices with an exact decay, and vortices that travel. */
#include "flow.h"
#include "verify.h"

#include <math.h>

/* -- Taylor-Green in two dimensions --------------------------------------------------------- */

enum { GRIDS = 3 };
static const double taylor_cells[GRIDS] = {32, 64, 128};

/* u = sin x cos y, v = -cos x sin y in a square of pi, mirrored by free-slip walls. It decays as
 * exp(-2 nu t) and keeps its shape. */
typedef struct Taylor {
    Part part;
    double left;
    double stream; /* m/s; uniform flow along x and y that is added */
} Taylor;

static double taylor(const void *context, double x, double y, double z)
{
    const Taylor *swirl = context;
    (void)z;
    return swirl->left * (swirl->part == PART_U   ? sin(x) * cos(y)
                          : swirl->part == PART_V ? -cos(x) * sin(y)
                                                  : 0);
}

typedef struct TaylorPlan {
    BillowAdvection advection;
    double viscosity, time;
    bool square; /* time step in proportion to the square of the cell size, not to the size */
} TaylorPlan;

typedef struct TaylorErrors {
    double energy[GRIDS];   /* |ln(energy / exact energy)| */
    double velocity[GRIDS]; /* L2 error over the L2 norm of the exact flow */
    double rate;            /* decay rate on the finest grid, over 4 nu */
} TaylorErrors;

/* `courant` is the Courant number on the coarsest grid. */
static double taylor_steps(const TaylorPlan *plan, int grid)
{
    const double courant = 0.8;
    double finer = taylor_cells[grid] / taylor_cells[0];
    double steps = plan->time / (courant * PI / taylor_cells[0]);
    return ceil(steps) * (plan->square ? finer * finer : finer);
}

static BillowDef taylor_def(const VerifyRun *run, const TaylorPlan *plan, int grid)
{
    int cells = (int)taylor_cells[grid];
    BillowDef def = flow_slab_def(run, cells, cells, PI / cells);
    def.params.viscosity = (float)plan->viscosity;
    def.params.advection = plan->advection;
    return def;
}

static void run_taylor_grid(VerifyRun *run, const TaylorPlan *plan, int grid, VerifySeries *curve,
                            TaylorErrors *errors)
{
    BillowDef def = taylor_def(run, plan, grid);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_V; part++)
        flow_fill(sim, part, taylor, &(Taylor){part, 1, 0});
    double steps = taylor_steps(plan, grid), dt = plan->time / steps;
    BillowView view = billow_view(sim);
    double before = flow_energy(&view);
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++) {
        view = billow_view(sim);
        if (step % ((int)steps / 20 + 1) == 0)
            plot_point(curve, view.time, flow_energy(&view) / before);
    }
    view = billow_view(sim);
    double lost = log(flow_energy(&view) / before), left = exp(-2 * plan->viscosity * plan->time);
    double u = flow_distance(&view, PART_U, taylor, &(Taylor){PART_U, left, 0});
    double v = flow_distance(&view, PART_V, taylor, &(Taylor){PART_V, left, 0});
    errors->energy[grid] = fabs(lost + 4 * plan->viscosity * plan->time);
    errors->velocity[grid] = sqrt(u * u + v * v) / (left * sqrt(0.5));
    errors->rate = -lost / plan->time;
    billow_destroy(sim);
}

static TaylorErrors run_taylor_plan(VerifyRun *run, const TaylorPlan *plan, VerifySeries *curve,
                                    VerifySeries *errors_curve)
{
    TaylorErrors errors = {.rate = (double)NAN};
    for (int grid = 0; grid < GRIDS && !run->stopped && !run->failed; grid++) {
        run_taylor_grid(run, plan, grid, grid == GRIDS - 1 ? curve : NULL, &errors);
        plot_point(errors_curve, taylor_cells[grid], errors.energy[grid]);
    }
    return errors;
}

static void run_taylor_green(VerifyRun *run)
{
    const TaylorPlan plans[3] = {{BILLOW_MACCORMACK, 0.01, 2, false},
                                 {BILLOW_MACCORMACK, 0.01, 2, true},
                                 {BILLOW_SEMI_LAGRANGIAN, 0.01, 2, false}};
    static const char *const names[3] = {"MacCormack, steps \u221d cells",
                                         "MacCormack, steps \u221d cells\u00b2",
                                         "semi-Lagrangian, steps \u221d cells"};
    for (int plan = 0; plan < 3; plan++)
        for (int grid = 0; grid < GRIDS; grid++) {
            BillowDef def = taylor_def(run, &plans[plan], grid);
            flow_plan(run, &def, taylor_steps(&plans[plan], grid));
        }
    VerifyPlot *decay = plot_add(run, "Energy of the swirl", "time", "energy over the first");
    VerifyPlot *order =
        plot_add(run, "Error of the energy's logarithm", "cells along an axis", "error");
    VerifySeries *exact = plot_series(decay, VERIFY_LINE, "exact");
    for (double time = 0; time <= plans[0].time; time += 0.1)
        plot_point(exact, time, exp(-4 * plans[0].viscosity * time));
    if (order != NULL)
        order->x_logarithmic = order->y_logarithmic = true;
    TaylorErrors errors[3];
    for (int plan = 0; plan < 3; plan++)
        errors[plan] =
            run_taylor_plan(run, &plans[plan], plot_series(decay, VERIFY_DOTS, "%s", names[plan]),
                            plot_series(order, VERIFY_DOTS, "%s", names[plan]));
    if (run->stopped || run->failed)
        return;
    row_relative(run, "decay rate of energy, 128\u00b2, MacCormack", errors[0].rate,
                 4 * plans[0].viscosity, 0.02);
    row_between(run, "order of energy, steps \u221d cells",
                fit_order(taylor_cells, errors[0].energy, 3), 2, 1.8, (double)INFINITY);
    row_report(run, "order of velocity (L2), steps \u221d cells",
               fit_order(taylor_cells, errors[0].velocity, 3), 2);
    row_between(run, "order of energy, steps \u221d cells\u00b2",
                fit_order(taylor_cells, errors[1].energy, 3), 2, 1.8, (double)INFINITY);
    row_report(run, "order of velocity (L2), steps \u221d cells\u00b2",
               fit_order(taylor_cells, errors[1].velocity, 3), 2);
    row_report(run, "decay rate of energy, 128\u00b2, semi-Lagrangian", errors[2].rate,
               4 * plans[2].viscosity);
    row_report(run, "order of energy, semi-Lagrangian",
               fit_order(taylor_cells, errors[2].energy, 3), 1);
}

/* The same flow, two waves wide, at rest or in a stream through periodic sides. The stream must not
 * change the swirl. */
static double taylor_in_stream(const void *context, double x, double y, double z)
{
    return taylor(context, x, y, z) + ((const Taylor *)context)->stream;
}

typedef struct Carried {
    double velocity; /* L2 error over the L2 norm of the exact swirl */
    double rate;     /* decay rate of the swirl's energy, 1/s */
} Carried;

static double swirl_energy(const BillowView *view, double stream)
{
    const Taylor still = {PART_U, 0, stream};
    double u = flow_distance(view, PART_U, taylor_in_stream, &still);
    double v = flow_distance(view, PART_V, taylor_in_stream, &still);
    return u * u + v * v;
}

enum { CARRIED_STEPS = 10 }; /* per 8 cells; the stream then has gone once around */
static const double carried_viscosity = 0.01, carried_time = 2 * PI;

static Carried carry_swirl(VerifyRun *run, int cells, double stream)
{
    Carried carried = {(double)NAN, (double)NAN};
    BillowDef def = flow_slab_def(run, cells, cells, 2 * PI / cells);
    flow_wrap(&def, 0);
    flow_wrap(&def, 1);
    def.params.viscosity = (float)carried_viscosity;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return carried;
    for (Part part = PART_U; part <= PART_V; part++)
        flow_fill(sim, part, taylor_in_stream, &(Taylor){part, 1, stream});
    BillowView view = billow_view(sim);
    double before = swirl_energy(&view, stream), steps = CARRIED_STEPS * cells / 8.0;
    for (int step = 0; step < steps && flow_step(run, sim, carried_time / steps); step++)
        ;
    view = billow_view(sim);
    double left = exp(-2 * carried_viscosity * carried_time);
    double u = flow_distance(&view, PART_U, taylor_in_stream, &(Taylor){PART_U, left, stream});
    double v = flow_distance(&view, PART_V, taylor_in_stream, &(Taylor){PART_V, left, stream});
    carried.velocity = hypot(u, v) / (left * sqrt(0.5));
    carried.rate = log(before / swirl_energy(&view, stream)) / carried_time;
    billow_destroy(sim);
    return carried;
}

static void run_taylor_periodic(VerifyRun *run)
{
    static const double cells[3] = {32, 64, 128};
    double errors[2][3] = {{0}};
    Carried carried[2] = {{0, 0}};
    for (int n = 0; n < 6; n++) {
        BillowDef def = flow_slab_def(run, (int)cells[n % 3], (int)cells[n % 3], 1);
        flow_plan(run, &def, CARRIED_STEPS * cells[n % 3] / 8);
    }
    VerifyPlot *plot = plot_add(run, "Error of the swirl's velocity", "cells along an axis", "L2");
    if (plot != NULL)
        plot->x_logarithmic = plot->y_logarithmic = true;
    for (int stream = 0; stream < 2; stream++) {
        VerifySeries *series = plot_series(plot, VERIFY_DOTS, stream ? "in a stream" : "in place");
        for (int n = 0; n < 3 && !run->stopped && !run->failed; n++) {
            carried[stream] = carry_swirl(run, (int)cells[n], stream);
            errors[stream][n] = carried[stream].velocity;
            plot_point(series, cells[n], errors[stream][n]);
        }
    }
    if (run->stopped || run->failed)
        return;
    row_relative(run, "decay rate of energy, 128\u00b2, in place", carried[0].rate,
                 4 * carried_viscosity, 0.02);
    row_report(run, "order of velocity (L2), in place", fit_order(cells, errors[0], 3), 2);
    row_relative(run, "decay rate of energy, 128\u00b2, in the stream", carried[1].rate,
                 4 * carried_viscosity, 0.05);
    row_report(run, "order of velocity (L2), in the stream", fit_order(cells, errors[1], 3), 2);
    row_report(run, "error of velocity there at 128\u00b2, share", errors[1][2], 0);
}

/* -- Taylor-Green in three dimensions ------------------------------------------------------- */

/* u = sin x cos y cos z, v = -cos x sin y cos z, mirrored by free-slip walls at 0 and pi. */
static double taylor_3d(const void *context, double x, double y, double z)
{
    Part part = *(const Part *)context;
    return part == PART_U   ? sin(x) * cos(y) * cos(z)
           : part == PART_V ? -cos(x) * sin(y) * cos(z)
                            : 0;
}

static void run_taylor_3d(VerifyRun *run)
{
    enum { CELLS = 64, STEPS = 600 };
    const double dt = 0.02, volume = PI * PI * PI;
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, PI / CELLS);
    def.params.viscosity = 1.0f / 1600;
    flow_plan(run, &def, STEPS);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, taylor_3d, &part);
    VerifySeries *series = plot_series(plot_add(run, "How fast energy goes", "time", "dissipation"),
                                       VERIFY_LINE, "measured");
    BillowView view = billow_view(sim);
    double before = flow_energy(&view) / volume, first = before, most = 0, when = 0;
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        view = billow_view(sim);
        if (step % 10 != 9)
            continue;
        double energy = flow_energy(&view) / volume, rate = (before - energy) / (10 * dt);
        plot_point(series, view.time - 5 * dt, rate);
        before = energy;
        if (rate > most) {
            most = rate;
            when = view.time - 5 * dt;
        }
    }
    billow_destroy(sim);
    if (run->stopped || run->failed)
        return;
    row_relative(run, "energy at the start", first, 0.125, 0.01);
    row_relative(run, "time of the most dissipation", when, 9, 0.15);
    row_report(run, "most dissipation", most, 0.0128);
}

/* -- Arnold, Beltrami, Childress ------------------------------------------------------------ */

/* curl u = u, so that only viscosity changes it. */
static double beltrami(const void *context, double x, double y, double z)
{
    switch (*(const Part *)context) {
    case PART_U:
        return sin(z) + cos(y);
    case PART_V:
        return sin(x) + cos(z);
    default:
        return sin(y) + cos(x);
    }
}

static void run_abc(VerifyRun *run)
{
    enum { CELLS = 64, STEPS = 250 };
    const double viscosity = 0.05, dt = 0.004;
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 2 * PI / CELLS);
    for (int axis = 0; axis < 3; axis++)
        flow_wrap(&def, axis);
    def.params.viscosity = (float)viscosity;
    flow_plan(run, &def, STEPS);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, beltrami, &part);
    BillowView view = billow_view(sim);
    double before = flow_energy(&view);
    VerifyPlot *plot =
        plot_add(run, "Energy of the Beltrami flow", "time", "energy over the first");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *exact = plot_series(plot, VERIFY_LINE, "exact");
    for (int step = 0; step < STEPS && flow_step(run, sim, dt); step++) {
        view = billow_view(sim);
        if (step % 10 == 9)
            plot_point(measured, view.time, flow_energy(&view) / before);
        plot_point(exact, view.time, exp(-2 * viscosity * view.time));
    }
    view = billow_view(sim);
    double rate = -log(flow_energy(&view) / before) / view.time;
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        row_relative(run, "decay rate of energy, 1/s", rate, 2 * viscosity, 0.05);
}

/* -- rings ---------------------------------------------------------------------------------- */

/* A flow (0, 0, g(r, z)), r being the distance from the z axis, has the curl -dg/dr around that
 * axis. Projection keeps curl. So g is the integral of the wanted curl from r outwards. */
typedef struct Ring {
    double radius, core, start; /* m; start: initial position of the centre along z */
    double circulation;         /* m2/s */
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

/* Position along z of the centroid of the impulse density, r times curl. Saffman's speed (1970) is
 * that of this point. */
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
    int cells[3]; /* of a quarter: the axis is an edge of the box, mirrored by two walls */
    double cell_size, dt;
    double speed; /* expected, m/s */
    int steps;
} RingPlan;

/* The speed of the ring over the second half of its path, m/s. */
static double ring_speed(VerifyRun *run, const RingPlan *plan)
{
    enum { STEPS_MAX = 1024 };
    double times[STEPS_MAX], places[STEPS_MAX];
    int count = 0;
    BillowDef def = flow_def(run, plan->cells[0], plan->cells[1], plan->cells[2], plan->cell_size);
    flow_plan(run, &def, plan->steps + 1);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return (double)NAN;
    VerifyPlot *plot = plot_add(run, "Way of the vortex", "time (s)", "way (m)");
    VerifySeries *measured = plot_series(plot, VERIFY_DOTS, "measured");
    VerifySeries *expected = plot_series(plot, VERIFY_LINE, "reference");
    flow_fill(sim, PART_W, plan->flow, &plan->ring);
    bool going = flow_project(run, sim);
    for (int step = 0; step < plan->steps && going; step++) {
        going = flow_step(run, sim, plan->dt);
        BillowView view = billow_view(sim);
        if (step % 4 != 3)
            continue;
        times[count] = view.time;
        places[count] = ring_place(&view) - plan->ring.start;
        plot_point(measured, times[count], places[count]);
        plot_point(expected, times[count], plan->speed * times[count]);
        count++;
    }
    billow_destroy(sim);
    return fit_line(times + count / 2, places + count / 2, count - count / 2).slope;
}

static void run_vortex_ring(VerifyRun *run)
{
    const Ring ring = {.radius = 1, .core = 0.25, .start = 3, .circulation = 1};
    RingPlan plan = {ring, gaussian_ring, {64, 64, 128}, 1.0 / 16, 0.01, 0, 400};
    plan.speed =
        ring.circulation / (4 * PI * ring.radius) * (log(8 * ring.radius / ring.core) - 0.558);
    row_relative(run, "speed of the ring, m/s", ring_speed(run, &plan), plan.speed, 0.10);
}

static void run_hill(VerifyRun *run)
{
    const Ring ring = {.radius = 1, .core = 0, .start = 2.5, .circulation = 5};
    RingPlan plan = {ring, hill_vortex, {48, 48, 96}, 1.0 / 16, 0.01, 0, 200};
    plan.speed = ring.circulation / (5 * ring.radius);
    row_relative(run, "speed of the vortex, m/s", ring_speed(run, &plan), plan.speed, 0.10);
}

const VerifyCase vortex_cases[] = {
    {"taylor-green-2d", "a swirl decays by viscosity alone", "Taylor & Green 1937",
     "u = sin x cos y, v = -cos x sin y in a closed square of \u03c0 between free-slip walls, 8 "
     "cells thick and periodic there, \u03bd = 0.01, until t = 2; 32, 64 and 128 cells, CFL 0.8 at "
     "32.",
     true, run_taylor_green},
    {"taylor-green-periodic", "the same with periodic sides, at rest and in a stream",
     "Taylor & Green 1937",
     "Two waves wide, \u03bd = 0.01, until t = 2\u03c0, when a stream of (1, 1) m/s has carried "
     "it once around; 32\u00b2, 64\u00b2 and 128\u00b2 cells, 8 thick, periodic all round; CFL "
     "0.8 by the stream and as much by the swirl.",
     false, run_taylor_periodic},
    {"taylor-green-3d", "swirls break up into turbulence, Re 1600", "van Rees et al. 2011",
     "An eighth of the periodic cube between free-slip walls, its mirrors, in 64\u00b3 cells (128 "
     "of "
     "the cube, where 512 would resolve it), 600 steps of 0.02.",
     false, run_taylor_3d},
    {"abc", "a three-dimensional Beltrami flow decays by viscosity", "Ethier & Steinman 1994",
     "A = B = C = 1 in a periodic cube of 2\u03c0, 64\u00b3 cells, \u03bd = 0.05, 250 steps of "
     "0.004.",
     true, run_abc},
    {"vortex-ring", "speed of a ring with a Gaussian core", "Saffman 1970",
     "Radius 1 m, core 0.25 m (4 cells), in a box of 8 x 8 x 8 m of which the walls mirror a "
     "quarter, 64x64x128 cells; no viscosity, 400 steps of 0.01 s.",
     true, run_vortex_ring},
    {"hill-vortex", "speed of a spherical vortex", "Hill 1894",
     "Radius 1 m (16 cells) in a quarter of 6 x 6 x 6 m, 48x48x96 cells; no viscosity, 200 "
     "steps of 0.01 s.",
     true, run_hill},
    {.name = NULL},
};
