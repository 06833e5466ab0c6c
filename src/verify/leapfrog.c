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
    double ratio;      /* of the variances along and across that line; above 2 they are two */
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
                    double around = (y * curl[2] - z * curl[1]) / -fmax(r, 1e-9);
                    if (pass == 1) {
                        if (around > share * most)
                            add_curl(&moments, (i + 0.5) * h, r, around);
                        continue;
                    }
                    most = fmax(most, around);
                    rings.enstrophy += h * h * h * (curl[0] * curl[0] + curl[1] * curl[1] +
                                                    curl[2] * curl[2]);
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
    double count; /* before they merged: half turns of the line between the cores */
    double merged, seconds;
    Rings first, last;
} Leaps;

static Leaps leap(VerifyRun *run, BillowAdvection advection, int cells, VerifySeries *series)
{
    Leaps leaps = {.count = UNKNOWN, .merged = UNKNOWN, .seconds = UNKNOWN};
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
    Rings now = leaps.first = measure_rings(sim);
    double turned = 0, last = now.angle, begun = clock_seconds();
    bool two = true;
    leaps.count = 0;
    for (int frame = 0; frame < FRAMES && flow_step(run, sim, 1.0 / PER_SECOND); frame++) {
        now = measure_rings(sim);
        turned += remainder(now.angle - last, PI);
        last = now.angle;
        if (two && now.ratio < 2) {
            two = false;
            leaps.merged = billow_stats(sim).time;
        }
        leaps.count = two ? fabs(turned) / PI : leaps.count;
        plot_point(series, billow_stats(sim).time, now.energy / leaps.first.energy);
    }
    leaps.seconds = clock_seconds() - begun;
    leaps.last = now;
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
        Leaps leaps =
            leap(run, schemes[s], cells, plot_series(plot, VERIFY_LINE, names[s]));
        row_report(run, row_words(run, "leaps before they merge, %s", names[s]), leaps.count,
                   UNKNOWN);
        row_report(run, row_words(run, "time when they merge, s, %s", names[s]), leaps.merged,
                   UNKNOWN);
        row_report(run, row_words(run, "separation at the end, m, %s", names[s]),
                   leaps.last.separation, UNKNOWN);
        row_report(run, row_words(run, "energy at the end over the first, %s", names[s]),
                   leaps.last.energy / leaps.first.energy, 1);
        row_report(run, row_words(run, "enstrophy at the end over the first, %s", names[s]),
                   leaps.last.enstrophy / leaps.first.enstrophy, 1);
        row_report(run, row_words(run, "helicity at the end, m4/s2, %s", names[s]),
                   leaps.last.helicity, 0);
        row_report(run, row_words(run, "seconds, %s", names[s]), leaps.seconds, UNKNOWN);
    }
}

static const int half_cells = 64, all_cells = 128;

const VerifyCase leapfrog_cases[] = {
    {"leapfrog-half", "two rings leap through each other, on half the cells", "Deng et al. 2023",
     "As leapfrog, on 128x64x64 cells.", false, .run = run_leapfrog, .plan = &half_cells},
    {"leapfrog", "two rings leap through each other", "Deng et al. 2023",
     "Coaxial rings of radius 0.21 m, core 0.0168 m and circulation 0.02 m\u00b2/s, 0.625 radii "
     "apart, in a closed box of 2x1x1 m, 256x128x128 cells; CFL 0.5; 600 frames of 0.1 s.",
     false, .run = run_leapfrog, .plan = &all_cells},
    {.name = NULL},
};
