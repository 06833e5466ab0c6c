/* SPDX-License-Identifier: MIT
 * Drag of a sphere in a stream, from the momentum that the stream loses. */
#include "verify/flow.h"

/* A sphere of diameter 1 m in a stream of 1 m/s. At Reynolds numbers up to 210 the flow is steady
 * and axisymmetric. A quarter of it is therefore simulated. The axis is the edge y = z = 0 of the
 * box, and the free-slip faces y = 0 and z = 0 are planes of symmetry. Lengths in diameters. */
enum { SPHERE_AHEAD = 5, SPHERE_BEHIND = 6, SPHERE_SIDE = 5, SPHERE_TIME = 16 };

typedef struct Sphere {
    double reynolds;
    int across; /* cells in a diameter */
} Sphere;

static double unit_stream(const void *context, double x, double y, double z)
{
    (void)context, (void)x, (void)y, (void)z;
    return 1;
}

static BillowDef sphere_def(const VerifyRun *run, const Sphere *sphere)
{
    int side = SPHERE_SIDE * sphere->across,
        length = (SPHERE_AHEAD + SPHERE_BEHIND) * sphere->across;
    BillowDef def = flow_def(run, length, side, side, 1.0 / sphere->across);
    BillowSolid *solid = &def.solids[def.solid_count++];
    *solid = billow_default_solid();
    solid->shape = BILLOW_SPHERE;
    solid->size[0] = 0.5f;
    solid->center[0] = SPHERE_AHEAD;
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
    int low = (SPHERE_AHEAD - out) * sphere->across, high = (SPHERE_AHEAD + out) * sphere->across;
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
    return 0.25 / sphere->across;
}

static int sphere_steps(const Sphere *sphere)
{
    return (int)(SPHERE_TIME / sphere_step(sphere) + 0.5);
}

static Drag measure_drag(VerifyRun *run, const Sphere *sphere, VerifySeries *series)
{
    Drag drag = {UNKNOWN, UNKNOWN, UNKNOWN};
    BillowDef def = sphere_def(run, sphere);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return drag;
    flow_fill(sim, PART_U, unit_stream, NULL);
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

/* Adds the rows of one Reynolds number. share: tolerance of the drag. */
static void judge_drag(VerifyRun *run, const Sphere *sphere, double share, VerifyPlot *plot)
{
    Drag drag =
        measure_drag(run, sphere, plot_series(plot, VERIFY_LINE, "Re %.0f", sphere->reynolds));
    if (!verify_going(run))
        return;
    row_relative(run, row_words(run, "drag coefficient of a sphere, Re %.0f", sphere->reynolds),
                 drag.near, sphere_drag(sphere->reynolds), share);
    row_between(
        run,
        row_words(run, "change of the drag in a box twice as large, Re %.0f", sphere->reynolds),
        drag.far / drag.near - 1, 0, -0.03, 0.03);
    row_between(run,
                row_words(run, "change of the drag in the last quarter of the time, Re %.0f",
                          sphere->reynolds),
                drag.near / drag.before - 1, 0, -0.005, 0.005);
}

static void run_sphere(VerifyRun *run)
{
    const Sphere slow = {50, 8}, fast = {100, 8};
    BillowDef def = sphere_def(run, &fast);
    flow_plan(run, &def, 2 * sphere_steps(&fast));
    VerifyPlot *plot = plot_add(run, "Drag of a sphere", "time (s)", "drag coefficient");
    judge_drag(run, &slow, 0.05, plot);
    if (verify_going(run))
        judge_drag(run, &fast, 0.08, plot);
}

static void run_sphere_fine(VerifyRun *run)
{
    const Sphere fine = {100, 16};
    BillowDef def = sphere_def(run, &fine);
    flow_plan(run, &def, sphere_steps(&fine));
    judge_drag(run, &fine, 0.06, plot_add(run, "Drag of a sphere", "time (s)", "drag coefficient"));
}

const VerifyCase drag_cases[] = {
    {"sphere-drag", "drag of a sphere in a stream, Re 50 and 100", "Clift, Grace & Weber 1978",
     "A no-slip sphere of 8 cells across, 5 diameters behind the inflow and 6 ahead of the open "
     "face, in a channel of 10 x 10 diameters with free-slip walls (blockage 0.8 %, not "
     "corrected), of which a quarter is simulated; CFL 0.25, until t = 16. The drag is the balance "
     "of momentum over a box of 2 diameters around the sphere.",
     true, run_sphere},
    {"sphere-drag-fine", "drag of a sphere on a finer grid, Re 100", "Clift, Grace & Weber 1978",
     "As sphere-drag (5 diameters behind the inflow, blockage 0.8 %), with a sphere of 16 cells "
     "across.",
     false, run_sphere_fine},
    {.name = NULL},
};
