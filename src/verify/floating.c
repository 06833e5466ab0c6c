/* SPDX-License-Identifier: MIT
 * Bodies that the air moves: how they start, and how fast they end up. */
#include "verify/flow.h"

static const double AIR = 1.2; /* density of the solver's air, kg/m3 */

/* -- added mass -------------------------------------------------------------------------------- */

/* A sphere released at rest under gravity. Air of half the sphere's volume moves along (Lamb 1932,
 * article 92), so that it starts with the acceleration
 *
 *     a = (m - rho V) g / (m + rho V / 2).
 */
enum { START_CELLS = 48, START_STEPS = 12, START_FIRST = 4 };
static const double START_RADIUS = 6; /* cells */

/* Downward acceleration of a sphere with so many times the density of air, over g. */
static double first_acceleration(VerifyRun *run, double times, VerifySeries *series)
{
    const double h = 1.0 / START_CELLS, dt = 0.004;
    BillowDef def = flow_def(run, START_CELLS, START_CELLS, START_CELLS, h);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_OPEN;
    BillowSolid *ball = &def.solids[def.solid_count++];
    *ball = billow_default_solid();
    ball->size[0] = (float)(START_RADIUS * h);
    ball->motion = BILLOW_FALLING;
    ball->density = (float)(AIR * times);
    ball->gravity = 1;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    Signal speed = {.count = 0};
    for (int step = 1; step <= START_STEPS && flow_step(run, sim, dt); step++) {
        double fall = -(double)billow_solid(sim, 0)->velocity[1];
        plot_point(series, billow_stats(sim).time, fall);
        if (step >= START_FIRST)
            signal_add(&speed, billow_stats(sim).time, fall);
    }
    billow_destroy(sim);
    return signal_slope(&speed);
}

static void run_added_mass(VerifyRun *run)
{
    static const struct {
        double times, share; /* density over that of air, and tolerance */
    } balls[] = {{0.01, 0.1}, {0.1, 0.1}, {0.5, 0.06}, {2, 0.025}, {10, 0.007}};
    enum { BALLS = sizeof balls / sizeof balls[0] };
    VerifyPlot *plot = plot_add(run, "Start of a sphere", "time (s)", "downward speed (m/s)");
    flow_plan(run, START_CELLS, START_CELLS, START_CELLS, BALLS * START_STEPS);
    for (int b = 0; b < BALLS && verify_going(run); b++) {
        double times = balls[b].times;
        VerifySeries *series = plot_series(plot, VERIFY_LINE, "density %g", times);
        double measured = first_acceleration(run, times, series);
        row_words(run, "acceleration over g, %g times the density of air", times);
        row_relative(run, run->words, measured, (times - 1) / (times + 0.5), balls[b].share);
        if (b == 0) /* the lightest */
            row_relative(run, "added mass over displaced air", (times - 1) / measured - times, 0.5,
                         0.12);
    }
}

/* -- terminal speed ---------------------------------------------------------------------------- */

/* A no-slip sphere of diameter 1 m in a vertical stream of 1 m/s, whose weight in air is its drag
 * at that speed. It hovers. If its drag is off, it drifts at the difference between the stream's
 * speed and its terminal speed. */
typedef struct Hover {
    double times;    /* density over that of air */
    double reynolds; /* 0: after the last */
    double share;    /* tolerance of the speed */
} Hover;
enum { HOVER_ACROSS = 8, HOVER_SIDE = 6, HOVER_AHEAD = 3, HOVER_BEHIND = 5 };
static const double HOVER_TIME = 16, HOVER_MEAN = 6; /* the mean speed is that of the last 6 s */

/* Drag coefficient of a sphere for Reynolds numbers of 20 to 260 (Clift, Grace & Weber 1978, table
 * 5.2). */
static double drag_coefficient(double reynolds)
{
    return 24 / reynolds * (1 + 0.1935 * pow(reynolds, 0.6305));
}

static double even_stream(const void *context, double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return *(const double *)context;
}

static BillowDef hover_def(const VerifyRun *run, const Hover *hover)
{
    const int side = HOVER_SIDE * HOVER_ACROSS,
              length = (HOVER_AHEAD + HOVER_BEHIND) * HOVER_ACROSS;
    const bool heavy = hover->times > 1;
    BillowDef def = flow_def(run, side, length, side, 1.0 / HOVER_ACROSS);
    BillowSolid *ball = &def.solids[def.solid_count++];
    *ball = billow_default_solid();
    ball->size[0] = 0.5f;
    ball->center[0] = ball->center[2] = 0.5f * HOVER_SIDE;
    ball->center[1] = heavy ? HOVER_AHEAD : HOVER_BEHIND;
    ball->motion = BILLOW_FALLING;
    ball->sticky = true;
    ball->density = (float)(AIR * hover->times);
    double drag = 0.5 * 0.25 * PI * drag_coefficient(hover->reynolds); /* over rho */
    ball->gravity = (float)(drag / (fabs(hover->times - 1) * PI / 6));
    BillowSide in = heavy ? BILLOW_FLOOR : BILLOW_CEILING,
               out = heavy ? BILLOW_CEILING : BILLOW_FLOOR;
    def.faces[in] = BILLOW_INFLOW;
    def.faces[out] = BILLOW_OPEN;
    def.boundaries[in].velocity[1] = heavy ? 1 : -1;
    def.params.viscosity = (float)(1 / hover->reynolds);
    return def;
}

static double terminal_speed(VerifyRun *run, const Hover *hover, VerifySeries *series)
{
    const double dt = 0.25 / HOVER_ACROSS, stream = hover->times > 1 ? 1 : -1;
    BillowDef def = hover_def(run, hover);
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return UNKNOWN;
    flow_fill(sim, PART_V, even_stream, &stream);
    double sum = 0, count = 0;
    for (int step = 1; step <= (int)(HOVER_TIME / dt) && flow_step(run, sim, dt); step++) {
        double time = billow_stats(sim).time;
        double speed = 1 - (double)billow_solid(sim, 0)->velocity[1] * stream;
        plot_point(series, time, speed);
        sum += time > HOVER_TIME - HOVER_MEAN ? speed : 0;
        count += time > HOVER_TIME - HOVER_MEAN;
    }
    billow_destroy(sim);
    return sum / count;
}

static void run_terminal_speed(VerifyRun *run)
{
    const Hover *hovers = run->of->plan;
    VerifyPlot *plot = plot_add(run, "Speed of a sphere in air", "time (s)", "speed (m/s)");
    for (const Hover *hover = hovers; hover->reynolds > 0; hover++) {
        BillowDef def = hover_def(run, hover);
        flow_plan(run, def.nx, def.ny, def.nz, HOVER_TIME * 4 * HOVER_ACROSS);
    }
    for (const Hover *hover = hovers; hover->reynolds > 0 && verify_going(run); hover++) {
        VerifySeries *series = plot_series(plot, VERIFY_LINE, "%g", hover->times);
        double speed = terminal_speed(run, hover, series);
        row_words(run, "terminal speed, %g times the density of air, Re %g (m/s)", hover->times,
                  hover->reynolds);
        row_relative(run, run->words, speed, 1, hover->share);
    }
}

/* -- rise of a light ball ---------------------------------------------------------------------- */

/* A no-slip ball of a tenth of the air's density, of diameter 1 m, rises from rest under a gravity
 * of 1 m/s2. Until it has moved some of its radius r, the flow around it is that without inertia,
 * and the equation of Boussinesq and Basset holds (Landau & Lifshitz 1987, section 24):
 *
 *     (m + rho V / 2) dv/dt = (rho V - m) g - 6 pi mu r v
 *                             - 6 r^2 rho sqrt(pi nu) * integral of (dv/ds) / sqrt(t - s) ds.
 */
static const double RISE_TIMES = 0.1, RISE_TIME = 0.8;

/* Height after RISE_TIME, m. The acceleration is constant within a step, and implicit. */
static double risen(double viscosity)
{
    enum { STEPS = 1600 };
    static double changes[STEPS];
    const double dt = RISE_TIME / STEPS, volume = PI / 6, r = 0.5;
    const double history = 6 * r * r * sqrt(PI * viscosity), drag = 6 * PI * viscosity * r;
    double speed = 0, height = 0;
    for (int step = 0; step < STEPS; step++) {
        double past = 0; /* the integral without the present step */
        for (int s = 0; s < step; s++)
            past += changes[s] / dt * 2 * (sqrt((step + 1 - s) * dt) - sqrt((step - s) * dt));
        double force = (1 - RISE_TIMES) * volume - drag * speed - history * past;
        double inertia = (RISE_TIMES + 0.5) * volume + history * 2 * sqrt(dt) + drag * dt;
        changes[step] = force / inertia * dt;
        height += (speed + 0.5 * changes[step]) * dt;
        speed += changes[step];
    }
    return height;
}

static double rise(VerifyRun *run, int across, double viscosity, VerifySeries *series)
{
    enum { SIDE = 6 };
    const double dt = 0.2 / across;
    BillowDef def = flow_def(run, SIDE * across, SIDE * across, SIDE * across, 1.0 / across);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_OPEN;
    BillowSolid *ball = &def.solids[def.solid_count++];
    *ball = billow_default_solid();
    ball->size[0] = 0.5f;
    for (int axis = 0; axis < 3; axis++)
        ball->center[axis] = 0.5f * SIDE;
    ball->motion = BILLOW_FALLING;
    ball->sticky = true;
    ball->density = (float)(RISE_TIMES * AIR);
    ball->gravity = 1;
    def.params.viscosity = (float)viscosity;
    int steps = (int)(RISE_TIME / dt + 0.5);
    BillowSim *sim = flow_start(run, &def, steps);
    double height = UNKNOWN;
    for (int step = 1; sim != NULL && step <= steps && flow_step(run, sim, dt); step++) {
        height = (double)billow_solid(sim, 0)->center[1] - 0.5 * SIDE;
        plot_point(series, billow_stats(sim).time, height);
    }
    billow_destroy(sim);
    return height;
}

static void run_rise(VerifyRun *run)
{
    const double viscosity = 0.05;
    VerifySeries *series = plot_over_time(run, "Rise of a light ball", "height (m)");
    double height = rise(run, 12, viscosity, series);
    row_words(run, "height after %g s (m)", RISE_TIME);
    row_relative(run, run->words, height, risen(viscosity), 0.15);
}

const VerifyCase floating_cases[] = {
    {"added-mass", "first acceleration of spheres lighter and heavier than air", "Lamb 1932",
     "A sphere of 12 cells across, released at rest in 48\u00b3 cells with open faces, no "
     "viscosity; slope of its speed over steps 4 to 12 of 4 ms, under a gravity of 1 m/s\u00b2.",
     true, .run = run_added_mass},
    {"light-ball", "rise of a ball of a tenth of the density of air", "Landau & Lifshitz 1987",
     "A no-slip ball of 12 cells across, of diameter 1 m, released at rest in the middle of a box "
     "of 6 diameters with open faces, viscosity 0.05 m\u00b2/s, gravity 1 m/s\u00b2. The reference "
     "is the solution of Boussinesq's and Basset's equation.",
     false, .run = run_rise},
    {"terminal-speed", "spheres that hover in a vertical stream, Re 100",
     "Clift, Grace & Weber 1978",
     "A no-slip sphere of 8 cells across, 3 diameters behind the inflow and 5 ahead of the open "
     "face, between free-slip walls 6 diameters apart (blockage 2.2 %, not corrected), with a "
     "weight in air of its drag at 1 m/s; CFL 0.25, mean of t = 10 to 16.",
     false, .run = run_terminal_speed,
     .plan = (const Hover[]){{2, 100, 0.1}, {0.1, 100, 0.1}, {0, 0, 0}}},
    {.name = NULL},
};
