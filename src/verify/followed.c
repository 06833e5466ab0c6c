/* SPDX-License-Identifier: MIT
 * Simulations that follow their smoke (BILLOW_DOMAIN_FOLLOW), compared with those of the whole box.
 */
#include "verify/flow.h"

enum { WIDE = 64, HIGH = 96, STEPS = 300, SAMPLE_STEPS = 5, FULL_STEPS = 4 };

static const double CELL = 1.0 / 32, DT = 1.0 / 60; /* m, s */

/* Largest differences between both simulations, and the least share of the box that must be left
 * out. */
typedef struct Limits {
    double half, most, radius; /* of heights and radius, cells */
    double energy;             /* relative */
    double smoke;              /* relative; 0: the amount of smoke is reported without a limit */
    double rms;                /* of the root mean square density, relative */
    double still;              /* share of the box that must be left out */
} Limits;

enum { FLOWS = 3 };

typedef struct FollowPlan {
    double ceiling; /* height, cells; a flow ends when 5 % of its smoke is above it */
    int steps;      /* that a flow takes before it ends, about; for the progress */
    int flows;      /* number of flows */
    Limits limits[FLOWS];
} FollowPlan;

/* The smoke of one simulation. */
typedef struct Smoke {
    double half, most; /* heights below which 50 % and 95 % of the smoke are, cells */
    double radius;     /* root mean square distance from its vertical axis, cells */
    double rms;        /* root mean square of the density over the box */
    double total;      /* smoke in the box, and what has left, decayed or been cut, m3 */
    double energy;     /* kinetic energy, J */
    double still;      /* share of the cells whose velocity is exactly 0 */
} Smoke;

typedef struct Sums {
    double planes[HIGH]; /* smoke of the horizontal planes */
    double smoke, x, z, squares_of_distance, squares;
} Sums;

static void add_smoke(void *context, const double at[3], double density)
{
    Sums *sums = context;
    double x = at[0] / CELL - 0.5 * WIDE, z = at[2] / CELL - 0.5 * WIDE;
    sums->planes[(int)(at[1] / CELL)] += density;
    sums->smoke += density;
    sums->x += density * x;
    sums->z += density * z;
    sums->squares_of_distance += density * (x * x + z * z);
    sums->squares += density * density;
}

/* Height below which a share of the smoke is, cells. */
static double height_of(const Sums *sums, double share)
{
    double below = 0, wanted = share * sums->smoke;
    for (int j = 0; j < HIGH; j++) {
        if (below + sums->planes[j] >= wanted)
            return sums->smoke > 0 ? j + (wanted - below) / sums->planes[j] : 0;
        below += sums->planes[j];
    }
    return HIGH;
}

/* Share of the cells at rest: those that a simulation that follows the smoke leaves out. */
static double still_share(const BillowView *view)
{
    double still = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                ptrdiff_t at = flow_at(view, i, j, k);
                still += view->u[at] == 0.0f && view->v[at] == 0.0f && view->w[at] == 0.0f;
            }
    return still / ((double)view->nx * view->ny * view->nz);
}

static Smoke smoke_of(const BillowSim *sim)
{
    BillowView view = billow_view(sim);
    BillowStats stats = billow_stats(sim);
    Sums sums = {.smoke = 0};
    flow_visit(sim, PART_DENSITY, add_smoke, &sums);
    double x = sums.x / sums.smoke, z = sums.z / sums.smoke;
    return (Smoke){
        .half = height_of(&sums, 0.5),
        .most = height_of(&sums, 0.95),
        .radius = sqrt(sums.squares_of_distance / sums.smoke - x * x - z * z),
        .rms = sqrt(sums.squares / ((double)WIDE * HIGH * WIDE)),
        .total = stats.mass + stats.mass_outflow + stats.mass_dissipated + stats.mass_cut,
        .energy = stats.kinetic_energy,
        .still = still_share(&view),
    };
}

/* -- the flows --------------------------------------------------------------------------------- */

static BillowDef smoke_def(const VerifyRun *run)
{
    BillowDef def = flow_def(run, WIDE, HIGH, WIDE, CELL);
    const BillowParams usual = billow_default_params();
    flow_open(&def);
    def.params.buoyancy = usual.buoyancy;
    def.params.tolerance = 1e-3f;
    def.params.cycles = usual.cycles;
    def.params.cfl = 2;
    return def;
}

static BillowDef plume_def(const VerifyRun *run)
{
    BillowDef def = smoke_def(run);
    def.emitter_count = 1;
    BillowEmitter *emitter = &def.emitters[0];
    *emitter = billow_default_emitter();
    emitter->center[0] = emitter->center[2] = (float)(0.5 * WIDE * CELL);
    emitter->center[1] = 0.1f;
    emitter->size[0] = 0.15f;
    emitter->noise = 1;
    return def;
}

/* A ball of radius 6 cells, 24 cells above the floor; 1 inside. The surface is two cells thick. */
static double ball(const void *scale, double x, double y, double z)
{
    double away_x = x / CELL - 0.5 * WIDE, away_y = y / CELL - 24, away_z = z / CELL - 0.5 * WIDE;
    double from = sqrt(away_x * away_x + away_y * away_y + away_z * away_z);
    return *(const double *)scale * fmin(1, fmax(0, 0.5 * (7 - from)));
}

/* Smoke and heat in all of the box. */
static double everywhere(const void *scale, double x, double y, double z)
{
    return *(const double *)scale * (1 + 0.5 * sin(4 * x) * cos(3 * y) * sin(5 * z));
}

/* Creates the two simulations: the whole box and the one that follows. */
static bool create_both(VerifyRun *run, BillowDef def, FlowFunction *start, BillowSim *sims[2])
{
    static const BillowDomain domains[2] = {BILLOW_DOMAIN_BOX, BILLOW_DOMAIN_FOLLOW};
    const double smoke = 1, heat = 60;
    for (int s = 0; s < 2; s++) {
        def.domain = domains[s];
        sims[s] = flow_create(run, &def);
        if (sims[s] == NULL)
            return false;
        if (start != NULL) {
            flow_fill(sims[s], PART_DENSITY, start, &smoke);
            flow_fill(sims[s], PART_TEMPERATURE, start, &heat);
        }
    }
    return true;
}

static void compare(VerifyRun *run, const char *name, const Limits *limits, const Smoke *box,
                    const Smoke *follow)
{
    row_absolute(run, row_words(run, "%s: height of half of the smoke, cells", name), follow->half,
                 box->half, limits->half);
    row_absolute(run, row_words(run, "%s: height of 95 %% of the smoke, cells", name), follow->most,
                 box->most, limits->most);
    row_absolute(run, row_words(run, "%s: root mean square radius, cells", name), follow->radius,
                 box->radius, limits->radius);
    row_relative(run, row_words(run, "%s: kinetic energy, J", name), follow->energy, box->energy,
                 limits->energy);
    row_words(run, "%s: smoke, with what left and was cut, m\u00b3", name);
    if (limits->smoke > 0)
        row_relative(run, run->words, follow->total, box->total, limits->smoke);
    else
        row_report(run, run->words, follow->total, box->total);
    row_relative(run, row_words(run, "%s: root mean square density", name), follow->rms, box->rms,
                 limits->rms);
    row_between(run, row_words(run, "%s: share of the box left out", name), follow->still, UNKNOWN,
                limits->still, 1);
}

typedef struct NamedFlow {
    const char *name;
    BillowDef def;
    FlowFunction *start; /* initial density, and temperature over 60 K; NULL: 0 */
} NamedFlow;

/* Simulates a flow both ways until its smoke is close to the ceiling, and compares the ends. */
static void compare_flow(VerifyRun *run, const NamedFlow *flow, const Limits *limits,
                         VerifyPlot *plot)
{
    const FollowPlan *plan = run->of->plan;
    BillowSim *sims[2] = {NULL, NULL};
    VerifySeries *heights[2] = {plot_series(plot, VERIFY_LINE, "%s, whole box", flow->name),
                                plot_series(plot, VERIFY_DOTS, "%s, followed", flow->name)};
    Smoke smoke[2] = {{.most = 0}, {.most = 0}};
    bool going = create_both(run, flow->def, flow->start, sims);
    for (int step = 1; going && step <= STEPS && smoke[0].most < plan->ceiling; step++) {
        going = flow_step(run, sims[0], DT) && flow_step(run, sims[1], DT);
        if (!going || step % SAMPLE_STEPS != 0)
            continue;
        for (int s = 0; s < 2; s++) {
            smoke[s] = smoke_of(sims[s]);
            plot_point(heights[s], step * DT, smoke[s].most);
        }
    }
    if (going)
        compare(run, flow->name, limits, &smoke[0], &smoke[1]);
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

/* Where smoke fills the box, all cells are active, and both simulations do the same. */
static void compare_full_box(VerifyRun *run)
{
    BillowSim *sims[2] = {NULL, NULL};
    bool going = create_both(run, smoke_def(run), everywhere, sims);
    int same = 0;
    for (int step = 0; going && step < FULL_STEPS; step++) {
        going = flow_step(run, sims[0], DT) && flow_step(run, sims[1], DT);
        same += going && billow_state_hash(sims[0]) == billow_state_hash(sims[1]);
    }
    if (going)
        row_absolute(run, "full box: steps with the same state hash", same, FULL_STEPS, 0);
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

static void run_follow(VerifyRun *run)
{
    const FollowPlan *plan = run->of->plan;
    NamedFlow flows[FLOWS] = {
        {"plume", plume_def(run), NULL},
        {"thermal, reflection", smoke_def(run), ball},
        {"plume, reflection", plume_def(run), NULL},
    };
    flows[0].def.params.advection = BILLOW_SEMI_LAGRANGIAN;
    VerifyPlot *plot = plot_add(run, "Height of 95 % of the smoke", "time (s)", "height (cells)");
    flow_plan(run, WIDE, HIGH, WIDE, 2 * (plan->flows * plan->steps + FULL_STEPS));
    for (int f = 0; f < plan->flows && verify_going(run); f++)
        compare_flow(run, &flows[f], &plan->limits[f], plot);
    if (verify_going(run))
        compare_full_box(run);
}

static const FollowPlan follow_plan = {
    .ceiling = 36,
    .steps = 70,
    .flows = 2,
    .limits = {{8.5e-4, 8e-4, 8.5e-5, 7.5e-5, 2.7e-5, 2e-5, 0.15},
               {3e-5, 6e-5, 4.5e-5, 1.5e-4, 1.6e-5, 1.1e-5, 0.25}}};

/* In a turbulent plume reflection does not conserve the smoke, by an amount that small differences
 * of the flow change. There the amount has no limits. */
static const FollowPlan follow_long_plan = {
    .ceiling = 72,
    .steps = 170,
    .flows = FLOWS,
    .limits = {{3.3e-3, 4.4e-3, 4.3e-4, 2.3e-4, 5.6e-5, 7.7e-5, 0.1},
               {0.021, 0.018, 3.6e-3, 2.4e-5, 2.7e-4, 1.5e-4, 0.1},
               {0.05, 0.013, 0.012, 1.5e-3, 0, 1.5e-3, 0.05}}};

const VerifyCase follow_cases[] = {
    {"follow", "smoke that is followed moves as in a simulation of the whole box",
     "McCormick 1989; Martin & Cartwright 1996",
     "A plume with noise and a thermal in 64x96x64 cells with open sides, until the height of 95 % "
     "of the smoke is 36 cells; references are simulations with solver.domain: box. Smoke in the "
     "whole box for 4 steps.",
     true, .run = run_follow, .plan = &follow_plan},
    {"follow-long", "smoke that is followed for longer", "McCormick 1989; Martin & Cartwright 1996",
     "As follow, until that height is 72 cells, and another plume with reflection.", false,
     .run = run_follow, .plan = &follow_long_plan},
    {.name = NULL},
};
