/* SPDX-License-Identifier: MIT
 *
 * Two rings that leap through each other (Dyson 1893). The one behind shrinks, speeds up and passes
 * through the one ahead, which widens; then they change places. Without viscosity they would leap
 * for ever. How often they do before they merge tells how long a scheme lets vortices live. The
 * set-up is that of Deng et al. 2023, "Fluid simulation on neural flow maps", and of Sun et al.
 * 2025, "Leapfrog flow maps for real-time fluid simulation". */
#include "base/clock.h"
#include "verify/flow.h"

/* The box is 2 m long and 1 m wide. The rings are coaxial along its middle. */
enum { FRAMES = 600, PER_SECOND = 10 };

static const double RADIUS = 0.21, CORE = 0.0168, CIRCULATION = 0.02; /* m, m, m2/s */
static const double FIRST = 0.3; /* place of the ring behind, m from the end of the box */
static const double LAST = 1.7;  /* place of both where a case ends */
static const double MERGED = 2;  /* ratio of variances below which two cores are one */

/* Gaussian core: curl = circulation / (pi core^2) exp(-((r - R)^2 + x^2) / core^2). The velocity
 * along the axis before projection is the integral of the curl from r to infinity. */
static double ring(double along, double r)
{
    double x = along / CORE;
    return 0.5 * CIRCULATION / (sqrt(PI) * CORE) * exp(-x * x) * erfc((r - RADIUS) / CORE);
}

static double both_rings(const void *context, double x, double y, double z)
{
    double r = hypot(y - 0.5, z - 0.5);
    (void)context;
    return ring(x - FIRST, r) + ring(x - FIRST - 0.625 * RADIUS, r);
}

/* What is measured of the rings. */
typedef struct Rings {
    double energy, helicity, enstrophy;
    double angle;      /* of the line from one core to the other in the half plane (x, r), rad */
    double separation; /* of the cores, m */
    double along;      /* place of both together, m from the end of the box */
    double ratio;      /* of the variances along and across that line */
} Rings;

/* Sums of curl around the axis, and its moments in the half plane (x, r). */
typedef struct Moments {
    double sum, x, r, xx, xr, rr;
} Moments;

static void add_curl(Moments *m, double x, double r, double curl)
{
    m->sum += curl;
    m->x += curl * x;
    m->r += curl * r;
    m->xx += curl * x * x;
    m->xr += curl * x * r;
    m->rr += curl * r * r;
}

static void find_cores(const Moments *m, Rings *rings)
{
    double x = m->x / m->sum, r = m->r / m->sum;
    double xx = m->xx / m->sum - x * x, rr = m->rr / m->sum - r * r, xr = m->xr / m->sum - x * r;
    double mean = 0.5 * (xx + rr), half = hypot(0.5 * (xx - rr), xr);
    rings->along = x;
    rings->angle = 0.5 * atan2(2 * xr, xx - rr);
    rings->ratio = (mean + half) / (mean - half);
    rings->separation = 2 * sqrt(2 * half); /* of two equal cores: their variances differ by it */
}

/* Cells whose curl is below `share` of the largest belong to no core. */
static Rings measure_rings(const BillowSim *sim)
{
    const double share = 0.25;
    BillowView view = billow_view(sim);
    double most = 0, h = (double)view.cell_size, curl[3];
    Rings rings = {.energy = flow_energy(sim)};
    Moments moments = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < view.nz; k++)
            for (int j = 0; j < view.ny; j++)
                for (int i = 0; i < view.nx; i++) {
                    double y = (j + 0.5) * h - 0.5, z = (k + 0.5) * h - 0.5, r = hypot(y, z);
                    ptrdiff_t at = flow_at(&view, i, j, k);
                    flow_curl(&view, i, j, k, curl);
                    double around = (y * curl[2] - z * curl[1]) / fmax(r, 1e-9);
                    if (pass == 1) {
                        if (around > share * most)
                            add_curl(&moments, (i + 0.5) * h, r, around);
                        continue;
                    }
                    most = fmax(most, around);
                    rings.enstrophy +=
                        h * h * h * (curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]);
                    rings.helicity +=
                        h * h * h *
                        (0.5 * ((double)view.u[at] + (double)view.u[at + 1]) * curl[0] +
                         0.5 * ((double)view.v[at] + (double)view.v[at + view.stride_y]) * curl[1] +
                         0.5 * ((double)view.w[at] + (double)view.w[at + view.stride_z]) * curl[2]);
                }
    if (moments.sum > 0)
        find_cores(&moments, &rings);
    return rings;
}

/* What became of the rings. */
typedef struct Leaps {
    double count; /* half turns of the line between the cores until they merge */
    double time;  /* when they merged or came near the wall, s */
    double seconds;
    bool merged;
    Rings first, last;
} Leaps;

/* Steps until the rings have merged or the wall ahead widens them. */
static Leaps leap(VerifyRun *run, BillowAdvection advection, int cells, VerifySeries *series)
{
    Leaps leaps = {.count = UNKNOWN, .time = UNKNOWN, .seconds = UNKNOWN};
    BillowDef def = flow_def(run, 2 * cells, cells, cells, 1.0 / cells);
    def.params.advection = advection;
    def.params.cfl = 0.5f;
    def.params.substeps_max = 64;
    def.params.tolerance = 1e-3f;
    BillowSim *sim = flow_create(run, &def);
    if (sim == NULL)
        return leaps;
    flow_fill(sim, PART_U, both_rings, NULL);
    if (!flow_project(run, sim)) {
        billow_destroy(sim);
        return leaps;
    }
    double turned = 0, begun = clock_seconds();
    leaps.first = leaps.last = measure_rings(sim);
    for (int frame = 0; frame < FRAMES && !leaps.merged && leaps.last.along < LAST &&
                        flow_step(run, sim, 1.0 / PER_SECOND);
         frame++) {
        Rings now = measure_rings(sim);
        leaps.merged = now.ratio < MERGED;
        if (!leaps.merged)
            turned += remainder(now.angle - leaps.last.angle, PI);
        leaps.last = now;
        plot_point(series, billow_stats(sim).time, now.energy / leaps.first.energy);
    }
    leaps.count = fabs(turned) / PI;
    leaps.time = billow_stats(sim).time;
    leaps.seconds = clock_seconds() - begun;
    billow_destroy(sim);
    return leaps;
}

static void run_leapfrog(VerifyRun *run)
{
    static const char *const names[] = {"semi-Lagrangian", "reflection"};
    const BillowAdvection schemes[] = {BILLOW_SEMI_LAGRANGIAN, BILLOW_REFLECTION};
    enum { SCHEMES = sizeof schemes / sizeof schemes[0] };
    const int cells = *(const int *)run->of->plan;
    for (int s = 0; s < SCHEMES; s++)
        flow_plan(run, 2 * cells, cells, cells, FRAMES * cells / 25.0);
    VerifyPlot *plot = plot_add(run, "Energy of the rings", "time (s)", "energy over the first");
    for (int s = 0; s < SCHEMES && verify_going(run); s++) {
        const char *name = names[s];
        Leaps leaps = leap(run, schemes[s], cells, plot_series(plot, VERIFY_LINE, "%s", name));
        const Rings *first = &leaps.first, *last = &leaps.last;
        const char *end = leaps.merged ? "when they merge" : "near the wall";
        row_report(run, row_words(run, "leaps, %s", name), leaps.count, UNKNOWN);
        row_report(run, row_words(run, "time %s, s, %s", end, name), leaps.time, UNKNOWN);
        row_report(run, row_words(run, "separation then, m, %s", name), last->separation, UNKNOWN);
        row_report(run, row_words(run, "energy then over the first, %s", name),
                   last->energy / first->energy, 1);
        row_report(run, row_words(run, "enstrophy then over the first, %s", name),
                   last->enstrophy / first->enstrophy, 1);
        row_report(run, row_words(run, "helicity then, m4/s2, %s", name), last->helicity, 0);
        row_report(run, row_words(run, "seconds of computing for each of the rings', %s", name),
                   leaps.seconds / leaps.time, UNKNOWN);
    }
}

static const int half_cells = 64, all_cells = 128;

const VerifyCase leapfrog_cases[] = {
    {"leapfrog-half", "two rings leap through each other, on cells twice as wide",
     "Deng et al. 2023", "As leapfrog, on 128x64x64 cells.", false, .run = run_leapfrog,
     .plan = &half_cells},
    {"leapfrog", "two rings leap through each other", "Deng et al. 2023",
     "Coaxial rings of radius 0.21 m, core 0.0168 m and circulation 0.02 m\u00b2/s, 0.625 radii "
     "apart, in a closed box of 2x1x1 m, 256x128x128 cells; CFL 0.5; 600 frames of 0.1 s.",
     false, .run = run_leapfrog, .plan = &all_cells},
    {.name = NULL},
};
