/* SPDX-License-Identifier: MIT
 * Advection by a prescribed flow. */
#include "base/fail.h"
#include "verify/flow.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMES = 3 };
static const BillowAdvection schemes[SCHEMES] = {BILLOW_SEMI_LAGRANGIAN, BILLOW_REFLECTION,
                                                 BILLOW_CONSERVATIVE};
static const char *const scheme_names[SCHEMES] = {"semi-Lagrangian", "reflection", "conservative"};

/* -- a prescribed flow --------------------------------------------------------------------------
 *
 * The cases prescribe the velocity, but billow_step advects the velocity before the scalars: if v
 * is set, the scalars move by S(v) = v + dt (...). So v is corrected, in trial steps, by the
 * difference between the wanted flow and S(v). After each trial step the scalars are restored. */

typedef struct Given {
    int tries;       /* trial steps before each step, in which tried is corrected */
    float *flow[3];  /* wanted velocity at amplitude 1, m/s */
    float *tried[3]; /* corrected velocity that is given to the solver, m/s */
    float *density;  /* density from before a trial step, to restore it */
    double distance; /* largest velocity error so far, over the largest wanted velocity */
} Given;

/* Number of floats from a field's first element to its last, including the padding of rows. */
static size_t span(const BillowView *view, Part part)
{
    const BillowView grid = flow_grid(view, part);
    int extent[3];
    flow_extent(view, part, extent);
    return (size_t)(flow_at(&grid, extent[0] - 1, extent[1] - 1, extent[2] - 1) + 1);
}

/* Stores the present velocity of sim as the wanted flow. If memory is short, marks the run as
 * failed. */
static bool given_start(VerifyRun *run, Given *given, BillowSim *sim)
{
    BillowView view = billow_view(sim);
    size_t cells = span(&view, PART_DENSITY) * sizeof(float);
    given->density = malloc(cells);
    bool whole = given->density != NULL;
    for (int axis = 0; axis < 3; axis++) {
        size_t bytes = span(&view, (Part)axis) * sizeof(float);
        given->flow[axis] = malloc(bytes);
        given->tried[axis] = malloc(bytes);
        whole = whole && given->flow[axis] != NULL && given->tried[axis] != NULL;
        if (whole)
            memcpy(given->flow[axis], flow_field(&view, (Part)axis), bytes);
    }
    if (!whole)
        fail(&run->error, "%s: not enough memory for the prescribed flow", run->of->name);
    return verify_agree(run, whole);
}

/* Copies a field's elements. Leaves out the padding between rows, because the solver uses it. */
static void copy_elements(const BillowView *view, Part part, const float *from, float *to)
{
    const BillowView grid = flow_grid(view, part);
    int extent[3];
    flow_extent(view, part, extent);
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++)
            memcpy(to + flow_at(&grid, 0, j, k), from + flow_at(&grid, 0, j, k),
                   (size_t)extent[0] * sizeof(float));
}

/* Corrects tried by the difference between the wanted and the actual flow. Returns the largest
 * difference, m/s. */
static double improve(Given *given, const BillowView *view, double amplitude)
{
    const BillowView wind = billow_wind_view(view);
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *actual = flow_field(view, (Part)axis), *flow = given->flow[axis];
        int extent[3];
        flow_extent(view, (Part)axis, extent);
        for (int k = 0; k < extent[2]; k++)
            for (int j = 0; j < extent[1]; j++)
                for (int i = 0; i < extent[0]; i++) {
                    ptrdiff_t at = flow_at(&wind, i, j, k);
                    double missing = amplitude * (double)flow[at] - (double)actual[at];
                    given->tried[axis][at] += (float)missing;
                    most = fmax(most, fabs(missing));
                }
    }
    return most;
}

static double fastest(const Given *given, const BillowView *view)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++)
        for (size_t at = 0; at < span(view, (Part)axis); at++)
            most = fmax(most, fabs((double)given->flow[axis][at]));
    return most;
}

/* Simulates one step in which the scalars are advected by amplitude times the wanted flow. */
static bool given_step(VerifyRun *run, Given *given, BillowSim *sim, double amplitude, double dt)
{
    BillowView view = billow_view(sim);
    copy_elements(&view, PART_DENSITY, view.density, given->density);
    for (int axis = 0; axis < 3; axis++)
        for (size_t at = 0; at < span(&view, (Part)axis); at++)
            given->tried[axis][at] = (float)amplitude * given->flow[axis][at];
    for (int attempt = 0; attempt <= given->tries; attempt++) {
        const BillowFields fields = billow_fields(sim);
        float *const velocity[3] = {fields.u, fields.v, fields.w};
        for (int axis = 0; axis < 3; axis++)
            copy_elements(&view, (Part)axis, given->tried[axis], velocity[axis]);
        if (!flow_step(run, sim, dt))
            return false;
        view = billow_view(sim);
        double missing = improve(given, &view, amplitude);
        if (attempt == given->tries)
            given->distance = fmax(given->distance, missing / fastest(given, &view));
        else
            copy_elements(&view, PART_DENSITY, given->density, billow_fields(sim).density);
    }
    return true;
}

static void given_finish(Given *given)
{
    for (int axis = 0; axis < 3; axis++) {
        free(given->flow[axis]);
        free(given->tried[axis]);
    }
    free(given->density);
}

/* -- rotation of a rigid body -------------------------------------------------------------------
 */

/* Rotation about the middle of a square: 1 rad/s within radius `rigid`, slower further out, at rest
 * from radius `still`. The flow is free of divergence, so that walls and projection do not change
 * it. Lengths in m. */
typedef struct Turn {
    double middle, rigid, still;
} Turn;

/* Stream function: psi = -(integral of the speed along r). */
static double turn_psi(const void *context, double x, double y, double z)
{
    const Turn *turn = context;
    (void)z;
    double r = hypot(x - turn->middle, y - turn->middle);
    if (r <= turn->rigid)
        return -0.5 * r * r;
    /* rigid < r < still: speed = rigid (1 + cos(pi s)) / 2, s = 0..1 */
    double width = turn->still - turn->rigid, s = fmin((r - turn->rigid) / width, 1);
    return -0.5 * turn->rigid * turn->rigid - 0.5 * turn->rigid * width * (s + sin(PI * s) / PI);
}

/* -- Zalesak's disc ------------------------------------------------------------------------- */

enum { DISC_CELLS = 128, DISC_STEPS = 628 };

/* Zalesak's slotted disc. Lengths in cells. Zalesak's grid has 100 x 100 cells. This one has 14
 * more on each side, in which the speed of rotation falls to 0. */
static double slotted_disc(const void *context, double x, double y, double z)
{
    const double middle = 64, center = 64 + 25;
    (void)context, (void)z;
    bool disc = hypot(x - middle, y - center) <= 15;
    bool slot = fabs(x - middle) < 2.5 && y < center + 10;
    return disc && !slot ? 1 : 0;
}

typedef struct Shape {
    double total;     /* sum of the density over all cells */
    double area;      /* number of cells with a density above 0.5 */
    double middle[2]; /* centre of mass, m */
    double least, most;
} Shape;

static void add_shape(void *context, const double at[3], double value)
{
    Shape *shape = context;
    shape->total += value;
    shape->area += value > 0.5 ? 1 : 0;
    shape->middle[0] += value * at[0];
    shape->middle[1] += value * at[1];
    shape->least = fmin(shape->least, value);
    shape->most = fmax(shape->most, value);
}

static Shape shape_of(const BillowSim *sim)
{
    Shape shape = {.least = 1};
    flow_visit(sim, PART_DENSITY, add_shape, &shape);
    shape.middle[0] /= shape.total;
    shape.middle[1] /= shape.total;
    return shape;
}

/* Adds rows that compare a shape, back at its initial place, with its initial state. name: name of
 * the shape, "disc". */
static void judge_shape(VerifyRun *run, const char *name, int scheme, const BillowSim *sim,
                        FlowFunction *initial, const Shape *before)
{
    const char *method = scheme_names[scheme];
    Shape after = shape_of(sim);
    row_report(run, row_words(run, "L1 error over the %s, %s", name, method),
               flow_distance(sim, PART_DENSITY, initial, NULL).sum / before->total, 0);
    row_report(run, row_words(run, "final over initial size of the %s, %s", name, method),
               after.area / before->area, 1);
    row_report(run, row_words(run, "final over initial smoke, %s", method),
               after.total / before->total, 1);
}

/* Adds a row for the largest amount by which the density leaves its initial range of 0 to 1. All
 * schemes are limited to it, but for a few roundings. */
static void judge_range(VerifyRun *run, int scheme, const Shape *shape)
{
    row_between(run, row_words(run, "overshoot beyond 0 and 1, %s", scheme_names[scheme]),
                fmax(-shape->least, shape->most - 1), 0, -UNLIMITED, 1e-6);
}

/* Plots the density along the row of cells through the disc's centre, which crosses the slot. */
static void plot_cut(VerifySeries *series, const BillowSim *sim)
{
    const BillowView view = billow_view(sim);
    for (int i = 44; i < 84; i++)
        plot_point(series, i + 0.5, (double)view.density[flow_at(&view, i, 64 + 25, view.nz / 2)]);
}

static void run_disc(VerifyRun *run, int scheme, VerifyPlot *plot)
{
    const Turn turn = {.middle = 64, .rigid = 52, .still = 63.5};
    const int refine = *(const int *)run->of->plan, cells = DISC_CELLS / refine;
    BillowDef def = flow_slab_def(run, cells, cells, refine);
    def.params.advection = schemes[scheme];
    def.refine = refine;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    Given given = {0};
    flow_fill_stream(sim, turn_psi, &turn);
    bool going = given_start(run, &given, sim);
    flow_fill(sim, PART_DENSITY, slotted_disc, NULL);
    Shape before = shape_of(sim);
    if (scheme == 0)
        plot_cut(plot_series(plot, VERIFY_LINE, "at the start"), sim);
    for (int step = 0; step < DISC_STEPS && going; step++)
        going = given_step(run, &given, sim, 1, 2 * PI / DISC_STEPS);
    Shape after = shape_of(sim);
    plot_cut(plot_series(plot, VERIFY_DOTS, "%s", scheme_names[scheme]), sim);
    judge_shape(run, "disc", scheme, sim, slotted_disc, &before);
    row_report(
        run, row_words(run, "displacement of the centre of mass, cells, %s", scheme_names[scheme]),
        hypot(after.middle[0] - before.middle[0], after.middle[1] - before.middle[1]), 0);
    judge_range(run, scheme, &after);
    given_finish(&given);
    billow_destroy(sim);
}

static void run_zalesak(VerifyRun *run)
{
    const int cells = DISC_CELLS / *(const int *)run->of->plan;
    flow_plan(run, cells, cells, BILLOW_GRID_MIN, SCHEMES * DISC_STEPS);
    VerifyPlot *plot = plot_add(run, "Through the disc after one turn", "x (cells)", "density");
    for (int scheme = 0; scheme < SCHEMES && verify_going(run); scheme++)
        run_disc(run, scheme, plot);
}

/* -- order on something smooth -------------------------------------------------------------- */

/* A bell of radius 0.2 m at (0.5, 0.7): the fourth power of a cosine, smooth at its edge. */
static double bell(const void *context, double x, double y, double z)
{
    const double *middle = context;
    double r = hypot(x - middle[0], y - middle[1]) / 0.2;
    (void)z;
    return r < 1 ? pow(cos(0.5 * PI * r), 4) : 0;
}

/* L1 error of the bell after a quarter turn, divided by the integral of the bell. There are as many
 * steps as cells along an edge. */
static double bell_error(VerifyRun *run, int scheme, int cells)
{
    const double start[2] = {0.5, 0.7}, end[2] = {0.3, 0.5};
    BillowDef def = flow_slab_def(run, cells, cells, 1.0 / cells);
    def.params.advection = schemes[scheme];
    const Turn turn = {.middle = 0.5, .rigid = 0.42, .still = 0.5};
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    Given given = {.tries = 0};
    flow_fill_stream(sim, turn_psi, &turn);
    bool going = given_start(run, &given, sim);
    flow_fill(sim, PART_DENSITY, bell, start);
    double before = shape_of(sim).total;
    for (int step = 0; step < cells && going; step++)
        going = given_step(run, &given, sim, 1, 0.5 * PI / cells);
    double error = flow_distance(sim, PART_DENSITY, bell, end).sum / before;
    given_finish(&given);
    billow_destroy(sim);
    return error;
}

static void run_bell(VerifyRun *run)
{
    enum { GRIDS = 3 };
    static const double cells[GRIDS] = {32, 48, 64};
    double errors[SCHEMES][GRIDS] = {{0}};
    for (int grid = 0; grid < GRIDS; grid++)
        flow_plan(run, (int)cells[grid], (int)cells[grid], BILLOW_GRID_MIN, SCHEMES * cells[grid]);
    VerifyPlot *plot = plot_order(run, "Error of a bell after a quarter turn", "L1 error");
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        VerifySeries *series = plot_series(plot, VERIFY_DOTS, "%s", scheme_names[scheme]);
        for (int grid = 0; grid < GRIDS && verify_going(run); grid++) {
            errors[scheme][grid] = bell_error(run, scheme, (int)cells[grid]);
            plot_point(series, cells[grid], errors[scheme][grid]);
        }
    }
    row_report(run, "L1 error at 64 cells, semi-Lagrangian", errors[0][2], 0);
    row_report(run, "order, semi-Lagrangian", fit_order(cells, errors[0], GRIDS), 1);
    row_report(run, "L1 error at 64 cells, reflection", errors[1][2], 0);
    row_between(run, "order, reflection", fit_order(cells, errors[1], GRIDS), 2, 2, UNLIMITED);
    row_report(run, "L1 error at 64 cells, conservative", errors[2][2], 0);
    row_report(run, "order, conservative", fit_order(cells, errors[2], GRIDS), 2);
}

/* -- LeVeque's deformation ------------------------------------------------------------------ */

enum { BALL_STEPS = 300, BALL_TRIES = 2 };
static const double ball_period = 3;

static double deformation(const void *context, double x, double y, double z)
{
    double sx = sin(PI * x), sy = sin(PI * y), sz = sin(PI * z);
    double dx = sin(2 * PI * x), dy = sin(2 * PI * y), dz = sin(2 * PI * z);
    const double flow[3] = {2 * sx * sx * dy * dz, -dx * sy * sy * dz, -dx * dy * sz * sz};
    return flow[*(const Part *)context];
}

static double ball(const void *context, double x, double y, double z)
{
    const double radius = 0.15, middle = 0.35;
    double r = sqrt(pow(x - middle, 2) + pow(y - middle, 2) + pow(z - middle, 2));
    (void)context;
    return r <= radius ? 1 : 0;
}

static bool deform(VerifyRun *run, BillowSim *sim, Given *given)
{
    for (Part part = PART_U; part <= PART_W; part++)
        flow_fill(sim, part, deformation, &part);
    if (!flow_project(run, sim) || !given_start(run, given, sim))
        return false;
    flow_fill(sim, PART_DENSITY, ball, NULL);
    double dt = ball_period / BALL_STEPS;
    for (int step = 0; step < BALL_STEPS; step++)
        if (!given_step(run, given, sim, cos(PI * (step + 0.5) / BALL_STEPS), dt))
            return false;
    return true;
}

typedef struct BallPlan {
    int cells, refine;
    double distance; /* limit of the prescribed flow's relative error */
} BallPlan;

static void run_ball(VerifyRun *run, int scheme)
{
    const BallPlan *plan = run->of->plan;
    const int cells = plan->cells;
    BillowDef def = flow_def(run, cells, cells, cells, 1.0 / cells);
    def.params.advection = schemes[scheme];
    def.params.tolerance = 1e-4f;
    def.refine = plan->refine;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    Given given = {.tries = BALL_TRIES};
    flow_fill(sim, PART_DENSITY, ball, NULL);
    Shape before = shape_of(sim);
    if (deform(run, sim, &given)) {
        Shape after = shape_of(sim);
        judge_shape(run, "ball", scheme, sim, ball, &before);
        row_between(run, row_words(run, "relative error of the flow, %s", scheme_names[scheme]),
                    given.distance, 0, 0, plan->distance);
        judge_range(run, scheme, &after);
    }
    given_finish(&given);
    billow_destroy(sim);
}

static void run_leveque(VerifyRun *run)
{
    const BallPlan *plan = run->of->plan;
    const int cells = plan->cells;
    flow_plan(run, cells, cells, cells, SCHEMES * BALL_STEPS * (1 + BALL_TRIES));
    for (int scheme = 0; scheme < SCHEMES && verify_going(run); scheme++)
        run_ball(run, scheme);
}

/* -- dye in a box --------------------------------------------------------------------------- */

static double warm_ball(const void *context, double x, double y, double z)
{
    double r = sqrt(pow(x - 0.45, 2) + pow(y - 0.25, 2) + pow(z - 0.5, 2));
    return *(const double *)context * exp(-pow(r / 0.15, 4));
}

static void run_dye(VerifyRun *run)
{
    enum { CELLS = 24, STEPS = 500 };
    static const double limits[SCHEMES] = {3e-4, 6e-4, 5e-5};
    BillowDef def = flow_def(run, CELLS, CELLS, CELLS, 1.0 / CELLS);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.tolerance = billow_default_params().tolerance;
    flow_plan(run, CELLS, CELLS, CELLS, SCHEMES * STEPS);
    VerifyPlot *plot = plot_add(run, "Dye in a closed box", "time (s)", "dye over initial dye");
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        def.params.advection = schemes[scheme];
        BillowSim *sim = flow_create(run, &def);
        if (sim == NULL)
            return;
        VerifySeries *series = plot_series(plot, VERIFY_LINE, "%s", scheme_names[scheme]);
        flow_fill(sim, PART_DENSITY, warm_ball, &(double){1});
        flow_fill(sim, PART_TEMPERATURE, warm_ball, &(double){60});
        double before = shape_of(sim).total, volume = pow((double)def.cell_size, 3);
        for (int step = 0; step < STEPS && flow_step(run, sim, 1.0 / 60); step++)
            plot_point(series, billow_stats(sim).time, billow_stats(sim).mass / (before * volume));
        Shape after = shape_of(sim);
        const char *what =
            row_words(run, "final over initial dye, %d steps, %s", STEPS, scheme_names[scheme]);
        row_absolute(run, what, after.total / before, 1, limits[scheme]);
        judge_range(run, scheme, &after);
        billow_destroy(sim);
        if (!verify_going(run))
            return;
    }
}

/* -- drift of dye -------------------------------------------------------------------------------
 *
 * In a step the volume of a cell changes by -dt times the divergence that the projection leaves.
 * Conservative advection keeps the density of that volume, not its amount. The amount in the box
 * therefore changes by the integral of density times divergence over space and time. It is constant
 * in a flow without divergence. */

enum { TOLERANCES = 3 };
static const double tolerances[TOLERANCES] = {1e-3, 1e-4, 1e-6};

typedef struct DriftPlan {
    int cells, steps;
    double heat, heat_most;    /* warmth of the ball, K: the first, then four times as much each */
    double limits[TOLERANCES]; /* of the drift, as shares of the dye: for the fastest flow */
} DriftPlan;

/* Adds a row for the largest drift of the dye in a box that a ball `heat` K warmer than the box
 * stirs. which: of the tolerances. */
static void run_drift(VerifyRun *run, int which, double heat, VerifySeries *series)
{
    const DriftPlan *plan = run->of->plan;
    const double tolerance = tolerances[which];
    BillowDef def = flow_def(run, plan->cells, plan->cells, plan->cells, 1.0 / plan->cells);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.advection = BILLOW_CONSERVATIVE;
    def.params.tolerance = (float)tolerance;
    def.params.cycles = 30; /* enough for every tolerance */
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_DENSITY, warm_ball, &(double){1});
    flow_fill(sim, PART_TEMPERATURE, warm_ball, &heat);
    double before = shape_of(sim).total * pow((double)def.cell_size, 3);
    double drift = 0, speed = 0;
    for (int step = 0; step < plan->steps && flow_step(run, sim, 1.0 / 60); step++) {
        BillowStats stats = billow_stats(sim);
        double now = fabs(stats.mass / before - 1);
        plot_point(series, stats.time, now);
        drift = fmax(drift, now);
        speed = fmax(speed, stats.speed_max);
    }
    billow_destroy(sim);
    row_between(run,
                row_words(run, "drift of dye, %d steps, up to %.1f m/s, tolerance %.0e",
                          plan->steps, speed, tolerance),
                drift, 0, 0, plan->limits[which]);
}

static void run_drifts(VerifyRun *run)
{
    const DriftPlan *plan = run->of->plan;
    for (double heat = plan->heat; heat <= plan->heat_most; heat *= 4)
        flow_plan(run, plan->cells, plan->cells, plan->cells, TOLERANCES * plan->steps);
    VerifyPlot *plot = plot_add(run, "Drift of dye in a closed box", "time (s)", "drift");
    plot->y_logarithmic = true;
    for (double heat = plan->heat; heat <= plan->heat_most; heat *= 4)
        for (int n = 0; n < TOLERANCES && verify_going(run); n++)
            run_drift(
                run, n, heat,
                plot_series(plot, VERIFY_LINE, "%.0f K, tolerance %.0e", heat, tolerances[n]));
}

const VerifyCase advection_cases[] = {
    {"bell", "order of advection: a smooth bell turns by a quarter",
     "Selle, Fedkiw, Kim, Liu, Rossignac 2008",
     "Rigid rotation within 0.42 m of the middle of a 1 m square, prescribed at every step; 32, 48 "
     "and 64 cells, 8 thick and periodic in z, CFL 0.7.",
     true, .run = run_bell},
    {"zalesak", "a slotted disc turns once", "Zalesak 1979",
     "Disc of radius 15 cells with a slot of 5 x 25, 25 cells from the axis of the rotation, 628 "
     "steps. The grid has 14 cells more on every side than Zalesak's 100; there the speed falls to "
     "0. The flow is prescribed at every step.",
     false, .run = run_zalesak, .plan = &(const int){1}},
    {"zalesak-fine", "the disc in smoke that is finer than the wind", "Zalesak 1979",
     "As zalesak, with wind cells of twice the width: refine 2.", false, .run = run_zalesak,
     .plan = &(const int){2}},
    {"leveque", "a flow deforms a ball and then reverses", "LeVeque 1996",
     "48\u00b3 cells, radius 0.15 at (0.35, 0.35, 0.35), period 3, 300 steps. The flow is "
     "prescribed at every step and corrected for its change during the step.",
     false, .run = run_leveque, .plan = &(const BallPlan){48, 1, 0.0013}},
    {"leveque-fine", "the deformed ball in smoke that is finer than the wind", "LeVeque 1996",
     "As leveque, in 24\u00b3 cells of wind: refine 2.", false, .run = run_leveque,
     .plan = &(const BallPlan){24, 2, 0.0017}},
    {"leveque-100", "the deformed ball on the grid of the literature", "LeVeque 1996",
     "As leveque, with 100\u00b3 cells.", false, .run = run_leveque,
     .plan = &(const BallPlan){100, 1, 0.0027}},
    {"dye-mass", "a closed box conserves its dye", "conservation of mass",
     "24\u00b3 cells of a 1 m box, stirred by a warm dyed ball that rises, 500 steps of 1/60 s.",
     true, .run = run_dye},
    {"dye-drift", "drift of dye over the tolerance of the pressure solve", "conservation of mass",
     "Conservative advection in 32\u00b3 cells of a 1 m box, stirred by a warm dyed ball of 60 or "
     "240 K that rises, 500 steps of 1/60 s; the largest distance of the dye from its initial "
     "amount, as a share of it. Single precision leaves about 6e-6.",
     false, .run = run_drifts,
     .plan = &(const DriftPlan){32, 500, 60, 240, {5e-4, 4.1e-5, 1.8e-5}}},
    {"dye-drift-short", "drift of dye for a shorter time", "conservation of mass",
     "As dye-drift, in 24\u00b3 cells of a 1 m box, stirred by a ball of 240 K, 200 steps.", true,
     .run = run_drifts, .plan = &(const DriftPlan){24, 200, 240, 240, {3e-4, 1.5e-5, 7e-6}}},
    {.name = NULL},
};
