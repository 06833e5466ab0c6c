/* SPDX-License-Identifier: MIT
 * Shear flows: a shear layer, a lid-driven cavity, and bodies in a stream. */
#include "verify/flow.h"

/* -- Kelvin-Helmholtz ----------------------------------------------------------------------- */

/* Shear layer u = tanh(y - middle), with velocity scale 1 m/s and thickness scale 1 m, plus a small
 * perturbation with one wave per box. With Y = y - middle, the stream function is psi = ln cosh Y +
 * small cos(wave x) / cosh^2 Y. */
typedef struct Shear {
    double middle, wave, small;
} Shear;

static double shear_psi(const void *context, double x, double y, double z)
{
    const Shear *shear = context;
    (void)z;
    double away = y - shear->middle, width = cosh(away);
    return log(width) + shear->small * cos(shear->wave * x) / (width * width);
}

/* Logarithm of the amplitude of one Fourier mode of the upward velocity. A FlowProbe; context: the
 * wave number, a double. */
static double log_wave(const void *number, const BillowSim *sim)
{
    FlowMode mode = flow_mode(sim, *(const double *)number);
    return log(hypot(mode.cosine, mode.sine));
}

enum { SHEAR_CELLS = 96, SHEAR_HEIGHT = 144, SHEAR_STEPS = 500 };

/* Growth rate of a perturbation of wave number `number`, 1/s, fitted from 10 s to 25 s. Earlier,
 * the perturbation is not yet the growing mode. */
static double shear_growth(VerifyRun *run, double number, VerifySeries *series)
{
    static Signal signal;
    const double h = 2 * PI / number / SHEAR_CELLS;
    BillowDef def = flow_slab_def(run, SHEAR_CELLS, SHEAR_HEIGHT, h);
    flow_wrap(&def, 0);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    const Shear shear = {0.5 * SHEAR_HEIGHT * h, number, 1e-4};
    flow_fill_stream(sim, shear_psi, &shear);
    flow_record(run, sim, SHEAR_STEPS, 0.05, log_wave, &number, series, 10, &signal);
    return signal_slope(&signal);
}

static void run_kelvin_helmholtz(VerifyRun *run)
{
    flow_plan(run, SHEAR_CELLS, SHEAR_HEIGHT, BILLOW_GRID_MIN, 2 * SHEAR_STEPS);
    VerifyPlot *plot = plot_add(run, "Growth of a bend in a shear layer", "time (s)",
                                "logarithm of the flow across");
    double fastest = shear_growth(run, 0.4446, plot_series(plot, VERIFY_LINE, "k\u03b4 = 0.4446"));
    if (!verify_going(run))
        return;
    double neutral = shear_growth(run, 1, plot_series(plot, VERIFY_LINE, "k\u03b4 = 1"));
    row_relative(run, "growth rate at k\u03b4 = 0.4446, 1/s", fastest, 0.1897, 0.13);
    row_report(run, "growth rate at k\u03b4 = 1, 1/s", neutral, 0);
}

/* -- the lid-driven cavity ------------------------------------------------------------------ */

enum { CAVITY_CELLS = 96 };

/* Least u on the vertical centre line of the cavity. Also plots the profile of u. */
static double least_u(const BillowSim *sim, VerifySeries *series)
{
    const BillowView view = billow_view(sim);
    double least = 0;
    for (int j = 0; j < view.ny; j++) {
        double u = (double)view.u[flow_at(&view, view.nx / 2, j, 4)];
        plot_point(series, u, (j + 0.5) * (double)view.cell_size);
        least = fmin(least, u);
    }
    return least;
}

typedef struct Cavity {
    double reynolds, time; /* 1, s */
    double least_u;        /* reference */
    double share, change;  /* limits of the error and of the change in the last tenth of the time */
} Cavity;

static void run_cavity(VerifyRun *run)
{
    const Cavity *cavity = run->of->plan;
    const double h = 1.0 / CAVITY_CELLS, dt = 0.5 * h;
    int steps = (int)(cavity->time / dt);
    BillowDef def = flow_slab_def(run, CAVITY_CELLS, CAVITY_CELLS, h);
    for (int side = BILLOW_LEFT; side <= BILLOW_CEILING; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    def.boundaries[BILLOW_CEILING].velocity[0] = 1;
    def.params.viscosity = (float)(1 / cavity->reynolds);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    double before = 0;
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++)
        if (step == steps * 9 / 10)
            before = least_u(sim, NULL);
    double least =
        least_u(sim, plot_series(plot_add(run, "Speed along the middle", "u (m/s)", "height (m)"),
                                 VERIFY_LINE, "measured"));
    billow_destroy(sim);
    row_words(run, "least u on the centre line over the lid's, Re %.0f", cavity->reynolds);
    row_relative(run, run->words, least, cavity->least_u, cavity->share);
    row_between(run, "change of that u in the last tenth of the time", fabs(least - before), 0, 0,
                cavity->change);
}

/* -- cylinders in a stream ----------------------------------------------------------------------
 */

/* Adds a no-slip cylinder across the flow, an inflow on the left face and an outflow through the
 * open right face. */
static void add_cylinder(BillowDef *def, double x, double y, double radius, double speed)
{
    BillowSolid *solid = &def->solids[def->solid_count++];
    *solid = billow_default_solid();
    solid->shape = BILLOW_CYLINDER;
    solid->size[0] = (float)radius;
    solid->size[1] = 20 * (float)radius;
    solid->center[0] = (float)x;
    solid->center[1] = (float)y;
    solid->rotation[0] = solid->rotation[3] = (float)sqrt(0.5); /* axis along z */
    solid->sticky = true;
    def->faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def->faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def->boundaries[BILLOW_LEFT].velocity[0] = (float)speed;
}

/* Velocity across the stream at the lower face of a cell, in the middle of the slab. A FlowProbe;
 * context: i and j of the cell. */
static double velocity_across(const void *cell, const BillowSim *sim)
{
    const int *at = cell;
    const BillowView view = billow_view(sim);
    return (double)view.v[flow_at(&view, at[0], at[1], 4)];
}

enum { ACROSS = 10, LENGTH = 24, WIDTH = 24, AHEAD = 10 };

static double stream_along(const void *context, double x, double y, double z)
{
    (void)context, (void)x, (void)y, (void)z;
    return 1;
}

/* A velocity across the stream behind the cylinder. It starts vortex shedding at once. */
static double stream_across(const void *context, double x, double y, double z)
{
    double along = x - AHEAD - 1.5, across = y - 0.5 * WIDTH;
    (void)context, (void)z;
    return 0.5 * exp(-along * along - across * across);
}

/* Strouhal number of a cylinder in an unbounded stream, for Reynolds numbers of 49 to 178
 * (Williamson 1988). */
static double strouhal_unbounded(double reynolds)
{
    return -3.3265 / reynolds + 0.1816 + 1.6e-4 * reynolds;
}

/* Strouhal number, by the speed of the inflow, of the cylinder between the free-slip walls. They
 * speed up the flow past a body of diameter d in a channel of width W by the share
 *
 *     1/4 c_D d/W + 0.82 (d/W)^2
 *
 * (Allen & Vincenti 1944). Reynolds number and frequency are those of an unbounded stream of that
 * speed. c_D is 1.35 within 0.1 at Reynolds numbers of 60 to 150 (Henderson 1995), which changes
 * the speed by 0.1 %. */
static double strouhal_between_walls(double reynolds)
{
    const double blockage = 1.0 / WIDTH, drag = 1.35;
    double faster = 1 + 0.25 * drag * blockage + 0.82 * blockage * blockage;
    return faster * strouhal_unbounded(faster * reynolds);
}

typedef struct Karman {
    double reynolds, time; /* 1, s */
    double from;           /* time from which the frequency is measured, s */
    double share;          /* tolerance of the Strouhal number */
} Karman;

/* Vortex shedding at a speed of 1 m/s and a diameter of 1 m. */
static void run_karman(VerifyRun *run)
{
    static Signal signal;
    const Karman *karman = run->of->plan;
    const double dt = 0.04, reynolds = karman->reynolds;
    const int steps = (int)(karman->time / dt + 0.5);
    const int behind[2] = {(AHEAD + 3) * ACROSS, WIDTH * ACROSS / 2};
    BillowDef def = flow_slab_def(run, LENGTH * ACROSS, WIDTH * ACROSS, 1.0 / ACROSS);
    add_cylinder(&def, AHEAD, 0.5 * WIDTH, 0.5, 1);
    def.params.viscosity = (float)(1 / reynolds);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_U, stream_along, NULL);
    flow_fill(sim, PART_V, stream_across, NULL);
    flow_record(run, sim, steps, dt, velocity_across, behind,
                plot_over_time(run, "Flow across, three diameters behind", "v (m/s)"),
                karman->from + 0.5 * dt, &signal);
    row_relative(run, row_words(run, "Strouhal number at Re %.0f", reynolds),
                 crossing_frequency(signal.times, signal.values, signal.count),
                 strouhal_between_walls(reynolds), karman->share);
}

/* Case 2D-2 of Schaefer & Turek, Re 100: a channel 0.41 m high with a cylinder of diameter 0.1 m
 * slightly below its middle. The inflow is a parabola with a maximum of 1.5 m/s and a mean of 1
 * m/s. */
static void run_channel(VerifyRun *run)
{
    enum { CELLS = 64, STEPS = 3200, SKIP = 1600 };
    static Signal signal;
    const double dt = 0.0025, h = 0.41 / CELLS;
    const int behind[2] = {(int)(0.4 / 0.41 * CELLS), CELLS / 2};
    BillowDef def = flow_slab_def(run, 2 * (int)(1.1 / h), CELLS, h);
    add_cylinder(&def, 0.2, 0.2, 0.05, 1.5);
    def.faces[BILLOW_FLOOR] = def.faces[BILLOW_CEILING] = BILLOW_NO_SLIP;
    def.boundaries[BILLOW_LEFT].profile = BILLOW_PARABOLIC;
    def.params.viscosity = 0.001f;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    flow_record(run, sim, STEPS, dt, velocity_across, behind,
                plot_over_time(run, "Flow across, two diameters behind", "v (m/s)"),
                (SKIP + 0.5) * dt, &signal);
    row_relative(run, "Strouhal number by the mean speed",
                 0.1 * crossing_frequency(signal.times, signal.values, signal.count), 0.300, 0.026);
}

/* -- drag of a sphere, from the momentum that a stream loses ----------------------------------- */

/* A sphere of diameter 1 m in a stream of 1 m/s. At Reynolds numbers up to 210 the flow is steady
 * and axisymmetric. A quarter of it is therefore simulated. The axis is the edge y = z = 0 of the
 * box, and the free-slip faces y = 0 and z = 0 are planes of symmetry. Lengths in diameters. */
typedef struct Sphere {
    double reynolds;         /* 0: after the last */
    int across;              /* cells in a diameter */
    int ahead, behind, side; /* extent of the box from the sphere's centre */
    double courant, time;    /* 1, s */
    double share;            /* tolerance of the drag */
    double grown, settled;   /* limits of the drag's changes, with the box and with time */
} Sphere;

static BillowDef sphere_def(const VerifyRun *run, const Sphere *sphere)
{
    int side = sphere->side * sphere->across,
        length = (sphere->ahead + sphere->behind) * sphere->across;
    BillowDef def = flow_def(run, length, side, side, 1.0 / sphere->across);
    BillowSolid *solid = &def.solids[def.solid_count++];
    *solid = billow_default_solid();
    solid->shape = BILLOW_SPHERE;
    solid->size[0] = 0.5f;
    solid->center[0] = (float)sphere->ahead;
    solid->center[1] = solid->center[2] = 0;
    solid->sticky = true;
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.boundaries[BILLOW_LEFT].velocity[0] = 1;
    def.params.viscosity = (float)(1 / sphere->reynolds);
    return def;
}

/* Drag coefficient of a sphere for Reynolds numbers of 20 to 260 (Clift, Grace & Weber 1978, table
 * 5.2). */
static double sphere_drag(double reynolds)
{
    return 24 / reynolds * (1 + 0.1935 * pow(reynolds, 0.6305));
}

/* -- balance of momentum ------------------------------------------------------------------------
 *
 * The drag F of a body at rest in a steady flow of density 1 is, for any box around the body with
 * the outward normal n,
 *
 *     F = -(integral over the surface of  (u - 1) (velocity . n) + p n_x - stress_x . n)
 *
 * with the viscous stress_x = nu (grad u + d velocity/dx). As no volume is lost in the box, the
 * flux of u - 1 equals the flux of u. It is 0 in the undisturbed stream. */

/* Pressure in a cell over the density of air, m2/s2. */
static double pressure_at(const BillowView *view, int i, int j, int k)
{
    const double density = 1.2;
    ptrdiff_t at = i / 2 + j * view->pressure_stride_y + k * view->pressure_stride_z;
    return (double)view->pressure[(i + j + k) & 1][at] * (double)view->pressure_unit / density;
}

/* Flux of momentum along x through the low face of a cell across x, per area. */
static double flux_along(const BillowView *view, double viscosity, int i, int j, int k)
{
    ptrdiff_t at = flow_at(view, i, j, k);
    double h = (double)view->cell_size, u = (double)view->u[at];
    double stretch = ((double)view->u[at + 1] - (double)view->u[at - 1]) / (2 * h);
    double pressure = 0.5 * (pressure_at(view, i - 1, j, k) + pressure_at(view, i, j, k));
    return (u - 1) * u + pressure - 2 * viscosity * stretch;
}

/* Flux of momentum along x through the low face of a cell across y or z, per area. part: PART_V or
 * PART_W. */
static double flux_across(const BillowView *view, double viscosity, Part part, int i, int j, int k)
{
    ptrdiff_t at = flow_at(view, i, j, k);
    ptrdiff_t down = part == PART_V ? view->stride_y : view->stride_z;
    const float *u = view->u + at, *v = flow_field(view, part) + at;
    double h = (double)view->cell_size;
    double above = 0.5 * ((double)u[0] + (double)u[1]);
    double below = 0.5 * ((double)u[-down] + (double)u[1 - down]);
    double shear = (above - below) / h + ((double)v[1] - (double)v[-1]) / (2 * h);
    return (0.5 * (above + below) - 1) * (double)v[0] - viscosity * shear;
}

/* Drag coefficient from the box that reaches `out` diameters from the centre in all directions. */
static double drag_from(const BillowView *view, const Sphere *sphere, int out)
{
    const double viscosity = 1 / sphere->reynolds, quarters = 4, frontal_area = 0.25 * PI;
    int low = (sphere->ahead - out) * sphere->across, high = (sphere->ahead + out) * sphere->across;
    int side = out * sphere->across;
    double h = (double)view->cell_size, sum = 0;
    for (int k = 0; k < side; k++)
        for (int j = 0; j < side; j++)
            sum += flux_along(view, viscosity, low, j, k) - flux_along(view, viscosity, high, j, k);
    for (int i = low; i < high; i++)
        for (int n = 0; n < side; n++)
            sum -= flux_across(view, viscosity, PART_V, i, side, n) +
                   flux_across(view, viscosity, PART_W, i, n, side);
    return quarters * sum * h * h / (0.5 * frontal_area);
}

/* -- runs -------------------------------------------------------------------------------------- */

typedef struct Drag {
    double near, far; /* drag coefficients from boxes of 2 and 4 diameters */
    double before;    /* `near` at three quarters of the time */
} Drag;

static double sphere_step(const Sphere *sphere)
{
    return sphere->courant / sphere->across;
}

static int sphere_steps(const Sphere *sphere)
{
    return (int)(sphere->time / sphere_step(sphere) + 0.5);
}

static Drag measure_drag(VerifyRun *run, const Sphere *sphere, VerifySeries *series)
{
    Drag drag = {UNKNOWN, UNKNOWN, UNKNOWN};
    BillowDef def = sphere_def(run, sphere);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return drag;
    flow_fill(sim, PART_U, stream_along, NULL);
    int steps = sphere_steps(sphere);
    for (int step = 1; step <= steps && flow_step(run, sim, sphere_step(sphere)); step++) {
        BillowView view = billow_view(sim);
        drag.near = drag_from(&view, sphere, 1);
        plot_point(series, view.time, drag.near);
        if (step == steps * 3 / 4)
            drag.before = drag.near;
        if (step == steps)
            drag.far = drag_from(&view, sphere, 2);
    }
    billow_destroy(sim);
    return drag;
}

/* Adds the rows of one Reynolds number. */
static void judge_drag(VerifyRun *run, const Sphere *sphere, VerifyPlot *plot)
{
    Drag drag =
        measure_drag(run, sphere, plot_series(plot, VERIFY_LINE, "Re %.0f", sphere->reynolds));
    row_relative(run, row_words(run, "drag coefficient of a sphere, Re %.0f", sphere->reynolds),
                 drag.near, sphere_drag(sphere->reynolds), sphere->share);
    row_words(run, "change of the drag in a box twice as large, Re %.0f", sphere->reynolds);
    row_between(run, run->words, drag.far / drag.near - 1, 0, -sphere->grown, sphere->grown);
    row_words(run, "change of the drag in the last quarter of the time, Re %.0f", sphere->reynolds);
    row_between(run, run->words, drag.near / drag.before - 1, 0, -sphere->settled, sphere->settled);
}

static void run_sphere(VerifyRun *run)
{
    const Sphere *spheres = run->of->plan;
    VerifyPlot *plot = plot_add(run, "Drag of a sphere", "time (s)", "drag coefficient");
    for (const Sphere *sphere = spheres; sphere->reynolds > 0; sphere++) {
        BillowDef def = sphere_def(run, sphere);
        flow_plan(run, def.nx, def.ny, def.nz, sphere_steps(sphere));
    }
    for (const Sphere *sphere = spheres; sphere->reynolds > 0 && verify_going(run); sphere++)
        judge_drag(run, sphere, plot);
}

const VerifyCase shear_cases[] = {
    {"kelvin-helmholtz", "growth of a wave in a shear layer", "Michalke 1964",
     "u = tanh(y), periodic along x with one wave, 96x144 cells, 8 thick and periodic "
     "in z, free-slip walls above and below, no viscosity; slope of the logarithm from t = 10 to "
     "25.",
     false, .run = run_kelvin_helmholtz},
    {"cavity-100", "flow in a square box under a moving lid, Re 100", "Ghia, Ghia & Shin 1982",
     "96\u00b2 cells, 8 thick and periodic in z, no-slip walls, until t = 15; CFL 0.5.", false,
     .run = run_cavity, .plan = &(const Cavity){100, 15, -0.21090, 0.035, 1.3e-4}},
    {"cavity-400", "flow under a moving lid, Re 400", "Ghia, Ghia & Shin 1982",
     "96\u00b2 cells, 8 thick and periodic in z, no-slip walls, until t = 40; CFL 0.5.", false,
     .run = run_cavity, .plan = &(const Cavity){400, 40, -0.32726, 0.015, 5.2e-5}},
    {"cavity-1000", "flow under a moving lid, Re 1000", "Botella & Peyret 1998",
     "96\u00b2 cells, 8 thick and periodic in z, no-slip walls, until t = 60; CFL 0.5.", false,
     .run = run_cavity, .plan = &(const Cavity){1000, 60, -0.38857, 0.05, 2.9e-4}},
    {"karman", "eddies behind a cylinder, Re 100", "Williamson 1988; Allen & Vincenti 1944",
     "A no-slip cylinder of 10 cells across, 10 diameters behind the inflow and 14 ahead of the "
     "open face, in 24 x 24 diameters between free-slip walls (blockage 4.2 %), 8 cells thick and "
     "periodic in z; CFL 0.4, from t = 40 to 96. The reference is Williamson's for a speed 1.5 % "
     "higher, the correction of Allen & Vincenti for the blockage.",
     false, .run = run_karman, .plan = &(const Karman){100, 96, 40, 0.015}},
    {"karman-60", "eddies behind a cylinder, Re 60", "Williamson 1988; Allen & Vincenti 1944",
     "As karman (10 diameters behind the inflow, blockage 4.2 %, corrected), from t = 60 to 160.",
     false, .run = run_karman, .plan = &(const Karman){60, 160, 60, 0.05}},
    {"karman-150", "eddies behind a cylinder, Re 150", "Williamson 1988; Allen & Vincenti 1944",
     "As karman (10 diameters behind the inflow, blockage 4.2 %, corrected).", false,
     .run = run_karman, .plan = &(const Karman){150, 96, 40, 0.05}},
    {"channel-cylinder", "eddies behind a cylinder in a channel, DFG 2D-2, Re 100",
     "Sch\u00e4fer & Turek 1996",
     "A channel of 0.41 m in 64 cells, the cylinder 15.6 of them across, 2.2 m long, 8 cells thick "
     "and periodic in z; no-slip, from t = 4 to 8.",
     false, .run = run_channel},
    {"sphere-drag", "drag of a sphere in a stream, Re 100", "Clift, Grace & Weber 1978",
     "A no-slip sphere of 8 cells across, 5 diameters behind the inflow and 4 ahead of the open "
     "face, in a channel of 8 x 8 diameters with free-slip walls (blockage 1.2 %, not corrected). "
     "A "
     "quarter of it is simulated; CFL 0.5, until t = 12. The drag is the balance of momentum over "
     "a box of 2 diameters around the sphere.",
     true, .run = run_sphere,
     .plan = (const Sphere[]){{100, 8, 5, 4, 4, 0.5, 12, 0.05, 0.1, 0.0125}, {.reynolds = 0}}},
    {"sphere-drag-fine", "drag of a sphere for longer and on a finer grid, Re 50 and 100",
     "Clift, Grace & Weber 1978",
     "As sphere-drag (5 diameters behind the inflow), 6 diameters ahead of the open face, in a "
     "channel of 10 x 10 diameters (blockage 0.8 %); 8 cells across at Re 50, 16 at Re 100, CFL "
     "0.25, until t = 16.",
     false, .run = run_sphere,
     .plan = (const Sphere[]){{50, 8, 5, 6, 5, 0.25, 16, 0.018, 0.04, 9e-4},
                              {100, 16, 5, 6, 5, 0.25, 16, 0.037, 0.03, 0.005},
                              {.reynolds = 0}}},
    {.name = NULL},
};
