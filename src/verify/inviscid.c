/* SPDX-License-Identifier: MIT
 * Flows without viscosity: what turns goes on turning, and no energy appears. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* for j0 */
#endif
#include "scene/scene.h"
#include "verify/flow.h"

/* Share by which rounding can raise the energy of a flow that nothing drives. */
static const double ROUNDING = 1e-6;

/* Largest |curl| around z in the plane in the middle of the box, 1/s. */
static double peak_curl(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    double most = 0, curl[3];
    for (int j = 0; j < view.ny; j++)
        for (int i = 0; i < view.nx; i++) {
            flow_curl(&view, i, j, view.nz / 2, curl);
            most = fmax(most, fabs(curl[2]));
        }
    return most;
}

/* What a flow has kept, over the first values. */
typedef struct Kept {
    double energy, peak;
    double most; /* largest energy on the way */
} Kept;

/* Takes `steps` steps of dt, and destroys the simulation. */
static Kept keep(VerifyRun *run, BillowSim *sim, int steps, double dt, VerifySeries *series)
{
    Kept kept = {UNKNOWN, UNKNOWN, UNKNOWN};
    if (!flow_project(run, sim)) {
        billow_destroy(sim);
        return kept;
    }
    double energy = flow_energy(sim), peak = peak_curl(sim);
    kept.most = 1;
    for (int step = 0; step < steps && flow_step(run, sim, dt); step++) {
        double now = flow_energy(sim) / energy;
        kept.most = fmax(kept.most, now);
        if (step % (steps / 50 + 1) == 0)
            plot_point(series, billow_stats(sim).time, now);
    }
    kept.energy = flow_energy(sim) / energy;
    kept.peak = peak_curl(sim) / peak;
    billow_destroy(sim);
    return kept;
}

/* -- a steady vortex -------------------------------------------------------------------------- */

/* A vortex around the middle of a square of 1 m, of which the curl is spin exp(-r^2 / core^2). */
typedef struct Swirl {
    Part part;
    double spin, core; /* 1/s, m */
} Swirl;

static double swirl(const void *context, double x, double y, double z)
{
    const Swirl *of = context;
    double dx = x - 0.5, dy = y - 0.5, r2 = dx * dx + dy * dy, core2 = of->core * of->core;
    double turning = r2 > 1e-9 ? 0.5 * of->spin * core2 / r2 * -expm1(-r2 / core2) : of->spin / 2;
    (void)z;
    return of->part == PART_U ? -turning * dy : turning * dx;
}

/* What a vortex keeps in eight turns of its core, by `turn` rad a step. */
static Kept turn_swirl(VerifyRun *run, BillowAdvection advection, double turn, VerifySeries *series)
{
    enum { CELLS = 64 };
    const Swirl of = {PART_U, 10, 0.08};
    int steps = (int)(8 * 2 * PI / turn);
    BillowDef def = flow_slab_def(run, CELLS, CELLS, 1.0 / CELLS);
    def.params.advection = advection;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return (Kept){UNKNOWN, UNKNOWN, UNKNOWN};
    for (Part part = PART_U; part <= PART_V; part++)
        flow_fill(sim, part, swirl, &(Swirl){part, of.spin, of.core});
    return keep(run, sim, steps, 2 * turn / of.spin, series);
}

static void run_swirl(VerifyRun *run)
{
    for (int n = 0; n < 4; n++)
        flow_plan(run, 64, 64, BILLOW_GRID_MIN, n == 0 ? 201 : n == 3 ? 50 : 100);
    VerifyPlot *plot = plot_add(run, "Energy of the vortex", "time (s)", "energy over the first");
    Kept slow = turn_swirl(run, BILLOW_REFLECTION, 0.25, plot_series(plot, VERIFY_DOTS, "0.25"));
    Kept fast = turn_swirl(run, BILLOW_REFLECTION, 0.5, plot_series(plot, VERIFY_DOTS, "0.5"));
    Kept wild = turn_swirl(run, BILLOW_REFLECTION, 1, plot_series(plot, VERIFY_DOTS, "1"));
    Kept plain = turn_swirl(run, BILLOW_SEMI_LAGRANGIAN, 0.5, plot_series(plot, VERIFY_DOTS, "sl"));
    row_between(run, "peak curl over the first, 0.25 rad a step", slow.peak, 1, 0.99, 1.01);
    row_between(run, "peak curl over the first, 0.5 rad a step", fast.peak, 1, 0.995, 1.005);
    row_between(run, "energy over the first, 0.25 rad a step", slow.energy, 1, 0.952, 1 + ROUNDING);
    row_between(run, "energy over the first, 0.5 rad a step", fast.energy, 1, 0.9905, 1 + ROUNDING);
    row_between(run, "peak curl over the first, 1 rad a step", wild.peak, 1, 0.5, 1.5);
    row_between(run, "energy over the first, 1 rad a step", wild.energy, 1, 0.96, 1 + ROUNDING);
    row_between(run, "largest energy over the first", fmax(fmax(slow.most, fast.most), wild.most),
                1, 1, 1 + ROUNDING);
    row_report(run, "peak curl over the first, 0.5 rad a step, semi-Lagrangian", plain.peak, 1);
}

/* -- a dipole --------------------------------------------------------------------------------- */

/* Lamb's dipole of radius 0.1 m, which goes along x at 1 m/s, in the curl alone: the integral of
 * the curl along y, in m/s, is the velocity along x before projection. */
static double dipole(const void *context, double x, double y, double z)
{
    const double radius = 0.1, root = 3.8317059702075125, speed = 1;
    double r = hypot(x - 0.3, y - 0.5), wave = root / radius;
    (void)context, (void)z;
    return r < radius ? -2 * speed / j0(root) * (j0(wave * r) - j0(root)) * -1 : 0;
}

static void run_dipole(VerifyRun *run)
{
    enum { CELLS = 128, STEPS = 85 };
    BillowDef def = flow_slab_def(run, CELLS, CELLS, 1.0 / CELLS);
    flow_wrap(&def, 0);
    flow_wrap(&def, 1);
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_U, dipole, NULL);
    VerifySeries *series = plot_over_time(run, "Energy of the dipole", "energy over the first");
    Kept kept = keep(run, sim, STEPS, 1.0 / STEPS, series);
    row_between(run, "energy over the first after one crossing", kept.energy, 1, 0.95,
                1 + ROUNDING);
    row_between(run, "peak curl over the first after one crossing", kept.peak, 1, 0.95, 1.05);
    row_between(run, "largest energy over the first", kept.most, 1, 1, 1 + ROUNDING);
}

/* -- turbulence ------------------------------------------------------------------------------- */

enum { MODES = 64 };

/* A sum of waves of random directions, some six to a box of 1 m. */
typedef struct Eddies {
    double wave[MODES][3], along[MODES][3], phase[MODES];
    Part part;
} Eddies;

static double eddies(const void *context, double x, double y, double z)
{
    const Eddies *of = context;
    double sum = 0;
    for (int m = 0; m < MODES; m++)
        sum += of->along[m][of->part] *
               cos(of->wave[m][0] * x + of->wave[m][1] * y + of->wave[m][2] * z + of->phase[m]);
    return sum;
}

/* The next of a fixed sequence of numbers, 0 to 1. */
static double next_number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0;
}

static void choose_eddies(Eddies *of)
{
    unsigned state = 3;
    for (int m = 0; m < MODES; m++) {
        double squares, share = sqrt(3.0 / MODES);
        do {
            squares = 0;
            for (int axis = 0; axis < 3; axis++) {
                double number = floor(17 * next_number(&state)) - 8;
                of->wave[m][axis] = 2 * PI * number;
                squares += number * number;
            }
        } while (squares < 16 || squares > 64);
        for (int axis = 0; axis < 3; axis++)
            of->along[m][axis] = share * 2 * (next_number(&state) - 0.5) * sqrt(3.0);
        of->phase[m] = 2 * PI * next_number(&state);
    }
}

static void run_turbulence(VerifyRun *run)
{
    const int cells = *(const int *)run->of->plan, steps = 2 * cells;
    static Eddies of;
    BillowDef def = flow_def(run, cells, cells, cells, 1.0 / cells);
    for (int axis = 0; axis < 3; axis++)
        flow_wrap(&def, axis);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    choose_eddies(&of);
    for (of.part = PART_U; of.part <= PART_W; of.part++)
        flow_fill(sim, of.part, eddies, &of);
    VerifySeries *series = plot_over_time(run, "Energy of the eddies", "energy over the first");
    Kept kept = keep(run, sim, steps, 1.0 / cells, series);
    row_between(run, "largest energy over the first", kept.most, 1, 1, 1 + ROUNDING);
    row_report(run, "energy over the first at t = 2", kept.energy, 1);
}

/* -- a standing wave -------------------------------------------------------------------------- */

/* Air that is warmer above. context: warming, K/m. */
static double layered(const void *context, double x, double y, double z)
{
    (void)x, (void)z;
    return *(const double *)context * (y - 0.5);
}

/* The standing wave sin(pi x) sin(pi y) of the stream function in a square of 1 m. */
static double standing(const void *context, double x, double y, double z)
{
    (void)z;
    return *(const double *)context * sin(PI * x) * sin(PI * y);
}

/* Amplitude of the wave in the upward velocity: its sum with cos(pi x) sin(pi y). */
static double standing_now(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    double sum = 0, h = (double)view.cell_size;
    for (int j = 0; j <= view.ny; j++)
        for (int i = 0; i < view.nx; i++)
            sum += (double)view.v[flow_at(&view, i, j, view.nz / 2)] * cos(PI * (i + 0.5) * h) *
                   sin(PI * j * h);
    return sum;
}

/* Change of the amplitude in two periods, in steps of `turn` / N. */
static double wave_growth(VerifyRun *run, double turn, VerifySeries *series)
{
    enum { CELLS = 32 };
    const double n = 2, strength = 1e-3; /* N, 1/s; of the stream function, m2/s */
    BillowDef def = flow_slab_def(run, CELLS, CELLS, 1.0 / CELLS);
    def.params.buoyancy = billow_default_params().buoyancy;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 8;
    double warming = n * n / (double)def.params.buoyancy;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_fill(sim, PART_TEMPERATURE, layered, &warming);
    flow_fill_stream(sim, standing, &strength);
    /* The frequency is n kx / k, that is n / sqrt(2). */
    double period = 2 * PI * sqrt(2) / n;
    int steps = (int)rint(2 * period / (turn / n));
    double first = standing_now(sim), most = 0;
    for (int step = 0; step < steps && flow_step(run, sim, 2 * period / steps); step++) {
        double now = standing_now(sim) / first;
        plot_point(series, billow_stats(sim).time, now);
        if (step > steps * 7 / 8) /* the last crest */
            most = fmax(most, now);
    }
    billow_destroy(sim);
    return most - 1;
}

static void run_wave(VerifyRun *run)
{
    VerifyPlot *plot = plot_add(run, "A standing wave", "time (s)", "amplitude over the first");
    for (int n = 0; n < 2; n++)
        flow_plan(run, 64, 64, BILLOW_GRID_MIN, 2 * PI * 2 * sqrt(2) / (n == 0 ? 0.12 : 0.06));
    double coarse = wave_growth(run, 0.12, plot_series(plot, VERIFY_DOTS, "N dt = 0.12"));
    double fine = wave_growth(run, 0.06, plot_series(plot, VERIFY_LINE, "N dt = 0.06"));
    row_absolute(run, "change of the amplitude in two periods, N dt = 0.12", coarse, 0, 0.0055);
    row_absolute(run, "change of the amplitude in two periods, N dt = 0.06", fine, 0, 0.0017);
}

/* -- a force beside a sphere ------------------------------------------------------------------ */

enum { DRIVEN_CELLS = 32, DRIVEN_STEPS = 30 };

static const double DRIVEN_RADIUS = 0.15; /* of a sphere in the middle of a box of 1 m, m */

/* Largest velocities of faces, m/s: of those within a cell of the sphere's surface, and of those
 * that are outside of it by more than two. */
typedef struct Driven {
    double near, away;
} Driven;

static void note_faces(const BillowView *view, int axis, const float *faces, Driven *most)
{
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                const double at[3] = {i, j, k};
                double speed = fabs((double)faces[flow_at(view, i, j, k)]), squares = 0;
                for (int a = 0; a < 3; a++) {
                    double x = at[a] + (a == axis ? 0 : 0.5) - 0.5 * DRIVEN_CELLS;
                    squares += x * x;
                }
                double out = sqrt(squares) - DRIVEN_RADIUS * DRIVEN_CELLS; /* cells */
                if (fabs(out) < 1)
                    most->near = fmax(most->near, speed);
                if (out > 2)
                    most->away = fmax(most->away, speed);
            }
}

/* Air that a vortex of force drives around a sphere for a second: largest ratio of the speed beside
 * it to that away from it. */
static double driven_ratio(VerifyRun *run, BillowAdvection advection, VerifySeries *series)
{
    BillowDef def = flow_def(run, DRIVEN_CELLS, DRIVEN_CELLS, DRIVEN_CELLS, 1.0 / DRIVEN_CELLS);
    def.params.advection = advection;
    def.params.cfl = 4;
    def.params.substeps_max = 16;
    BillowSolid *sphere = &def.solids[def.solid_count++];
    *sphere = billow_default_solid();
    sphere->size[0] = (float)DRIVEN_RADIUS;
    BillowForce *force = &def.forces[def.force_count++];
    *force = billow_default_force();
    force->kind = BILLOW_VORTEX;
    force->center[0] = 0.62f;
    force->center[1] = force->center[2] = 0.5f;
    force->radius = 0.15f;
    force->velocity[0] = force->velocity[2] = 0;
    force->velocity[1] = 1;
    force->strength = 20;
    for (int axis = 0; axis < 3; axis++)
        sphere->center[axis] = 0.5f;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    double ratio = 0;
    for (int step = 0; step < DRIVEN_STEPS && flow_step(run, sim, 1.0 / 30); step++) {
        BillowView view = billow_view(sim);
        const float *const components[3] = {view.u, view.v, view.w};
        Driven most = {0, 0};
        for (int axis = 0; axis < 3; axis++)
            note_faces(&view, axis, components[axis], &most);
        ratio = fmax(ratio, most.near / most.away);
        plot_point(series, billow_stats(sim).time, most.near);
    }
    billow_destroy(sim);
    return ratio;
}

static void run_driven_sphere(VerifyRun *run)
{
    static const char *const names[2] = {"semi-Lagrangian", "reflection"};
    const BillowAdvection schemes[2] = {BILLOW_SEMI_LAGRANGIAN, BILLOW_REFLECTION};
    const double most[2] = {1.6, 1.44};
    for (int n = 0; n < 2; n++)
        flow_plan(run, DRIVEN_CELLS, DRIVEN_CELLS, DRIVEN_CELLS, DRIVEN_STEPS);
    VerifyPlot *plot = plot_add(run, "Largest speed beside the sphere", "time (s)", "m/s");
    for (int n = 0; n < 2 && verify_going(run); n++) {
        double ratio =
            driven_ratio(run, schemes[n], plot_series(plot, VERIFY_DOTS, "%s", names[n]));
        row_between(run, row_words(run, "largest speed beside it over that away, %s", names[n]),
                    ratio, 1, -UNLIMITED, most[n]);
    }
}

/* -- a mirrored thermal ----------------------------------------------------------------------- */

static double warm_ball(const void *context, double x, double y, double z)
{
    (void)context;
    double r = sqrt((x - 0.5) * (x - 0.5) + (y - 0.3) * (y - 0.3) + (z - 0.5) * (z - 0.5));
    return 25 * (1 - tanh((r - 0.12) / 0.02));
}

/* Largest difference of the temperature from its mirror image, over its largest value. */
static double mirror_distance(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    double away = 0, most = 0;
    for (int k = 0; k < view.nz; k++)
        for (int j = 0; j < view.ny; j++)
            for (int i = 0; i < view.nx; i++) {
                double here = (double)view.temperature[flow_at(&view, i, j, k)];
                double there = (double)view.temperature[flow_at(&view, view.nx - 1 - i, j, k)];
                away = fmax(away, fabs(here - there));
                most = fmax(most, fabs(here));
            }
    return away / most;
}

static void run_mirror(VerifyRun *run)
{
    enum { CELLS = 32, HEIGHT = 64, STEPS = 80 };
    BillowDef def = flow_def(run, CELLS, HEIGHT, CELLS, 1.0 / CELLS);
    flow_open(&def);
    def.params.buoyancy = billow_default_params().buoyancy;
    BillowSim *sim = flow_start(run, &def, STEPS);
    if (sim == NULL)
        return;
    flow_fill(sim, PART_TEMPERATURE, warm_ball, NULL);
    VerifySeries *series = plot_over_time(run, "Distance from the mirror image", "share");
    for (int step = 0; step < STEPS && flow_step(run, sim, 1.0 / 40); step++)
        plot_point(series, billow_stats(sim).time, mirror_distance(sim));
    /* Rounding is not mirrored, and the unstable flow makes its errors grow. */
    row_absolute(run, "largest distance from the mirror image over the heat", mirror_distance(sim),
                 0, 2e-5);
    billow_destroy(sim);
}

/* -- scenes ------------------------------------------------------------------------------------ */

/* A built-in scene with a share of its cells along each axis, and its time step, s. */
static bool scene_of(VerifyRun *run, const char *name, int share, BillowDef *def, double *dt)
{
    Scene scene;
    if (!verify_agree(run, scene_load(name, &scene, &run->error)))
        return false;
    *def = scene_def(&scene), *dt = (double)scene.step;
    for (int axis = 0; axis < 3; axis++) {
        int *cells = axis == 0 ? &def->nx : axis == 1 ? &def->ny : &def->nz;
        *cells /= share;
    }
    def->cell_size *= (float)share;
    def->threads = run->threads;
    return true;
}

static void run_rings(VerifyRun *run)
{
    BillowDef def;
    double dt, first = UNKNOWN;
    if (!scene_of(run, "rings", 2, &def, &dt))
        return;
    int start = (int)rint(0.6 / dt), steps = (int)rint(2 / dt);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    VerifySeries *series = plot_over_time(run, "Kinetic energy of the rings", "J");
    for (int step = 1; step <= steps && flow_step(run, sim, dt); step++) {
        BillowStats stats = billow_stats(sim);
        plot_point(series, stats.time, stats.kinetic_energy);
        first = step == start ? stats.kinetic_energy : first;
    }
    row_between(run, "kinetic energy at 2 s over that at 0.6 s",
                billow_stats(sim).kinetic_energy / first, 1, 0.77, 1);
    billow_destroy(sim);
}

static void run_plume_mass(VerifyRun *run)
{
    BillowDef def;
    double dt;
    if (!scene_of(run, "plume", 1, &def, &dt))
        return;
    int steps = (int)rint(5 / dt);
    BillowSim *sim = flow_start(run, &def, steps);
    if (sim == NULL)
        return;
    VerifySeries *series = plot_over_time(run, "Drift of the plume's mass", "share");
    for (int step = 1; step <= steps && flow_step(run, sim, dt); step++) {
        BillowStats stats = billow_stats(sim);
        plot_point(series, stats.time, stats.mass_drift / stats.mass_sources);
    }
    row_absolute(run, "drift of the mass over what was released",
                 billow_stats(sim).mass_drift / billow_stats(sim).mass_sources, 0, 3e-3);
    billow_destroy(sim);
}

static const int quick_cells = 40, full_cells = 96;

const VerifyCase inviscid_cases[] = {
    {"steady-vortex", "a vortex at rest keeps its energy and its core", "Lamb 1932",
     "Curl 10 exp(-r\u00b2/0.08\u00b2) 1/s in a closed square of 1 m, 64\u00b2 cells, 8 thick and "
     "periodic in z, eight turns of the core by 0.25, 0.5 and 1 rad a step.",
     true, .run = run_swirl},
    {"lamb-dipole", "a dipole that crosses a periodic box once", "Lamb 1932",
     "Radius 0.1 m, speed 1 m/s, 128\u00b2 cells of a square of 1 m, 8 thick, all sides periodic, "
     "85 steps: the fastest air crosses 4.5 cells a step.",
     true, .run = run_dipole},
    {"inviscid-turbulence", "turbulence without viscosity gains no energy", "Zehnder et al. 2018",
     "Eddies of 1/4 to 1/8 m at 1 m/s in a periodic cube of 1 m, 40\u00b3 cells, steps of one cell "
     "over 1 m/s until t = 2.",
     true, .run = run_turbulence, .plan = &quick_cells},
    {"inviscid-turbulence-fine", "the same on 96\u00b3 cells", "Zehnder et al. 2018",
     "As inviscid-turbulence, on 96\u00b3 cells.", false, .run = run_turbulence,
     .plan = &full_cells},
    {"standing-wave", "a standing wave in layered air neither grows nor dies", "Gill 1982",
     "sin \u03c0x sin \u03c0y in a closed square of 1 m, 32\u00b2 cells, 8 thick and periodic in "
     "z, N = 2 1/s, two periods in steps of 0.12/N and 0.06/N.",
     true, .run = run_wave},
    {"driven-sphere", "a force beside a sphere drives no single face", "Ng, Min & Gibou 2009",
     "A vortex of force of 20 m/s\u00b2 around a vertical axis 0.12 m from the centre of a sphere "
     "of radius 0.15 m, in a closed box of 32\u00b3 cells of 1/32 m, 30 steps of 1/30 s.",
     true, .run = run_driven_sphere},
    {"mirrored-thermal", "what starts as its mirror image stays it", "none",
     "A ball of air 50 K warmer, radius 0.12 m, rises through 32x64x32 cells of 1/32 m with open "
     "faces, 80 steps of 1/40 s.",
     true, .run = run_mirror},
    {"rings-energy", "nothing drives rings that travel freely", "none",
     "The scene rings with half its cells along each axis.", true, .run = run_rings},
    {"plume-mass", "a plume keeps the smoke that was released", "conservation of mass",
     "The scene plume, 5 s.", true, .run = run_plume_mass},
    {.name = NULL},
};
