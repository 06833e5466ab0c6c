/* SPDX-License-Identifier: MIT
 * The scenes fire and explosion, measured as they are. */
#include "flow.h"
#include "scene.h"
#include "verify.h"

#include <math.h>

/* Creates the simulation of a scene; *step becomes its step, s. NULL, with the run marked as
 * failed, where that is not possible. */
static BillowSim *open_scene(VerifyRun *run, const char *name, int steps, double *step)
{
    Scene scene;
    if (!scene_load(name, &scene, &run->error)) {
        run->failed = true;
        return NULL;
    }
    BillowDef def = scene_def(&scene);
    def.threads = run->threads;
    *step = (double)scene.step;
    flow_plan(run, &def, steps);
    return flow_create(run, &def);
}

static double rise_of_cell(const BillowView *view, int i, int j, int k)
{
    ptrdiff_t at = flow_at(view, i, j, k);
    return 0.5 * ((double)view->v[at] + (double)view->v[at + view->stride_y]);
}

/* -- a pool fire ---------------------------------------------------------------------------- */

enum { FIRE_SETTLE = 150, FIRE_SAMPLES = 600, FIRE_PIECE = 150 };

typedef struct Puffs {
    double times[FIRE_SAMPLES];
    double heat[FIRE_SAMPLES];    /* K m2; integral over the plane one diameter above the pool */
    double rise[FIRE_SAMPLES];    /* m/s; in that plane, above the middle of the pool */
    double burning[FIRE_SAMPLES]; /* m3/s; in the whole box */
    int count;
} Puffs;

/* Mean within a tenth of a diameter of the axis, the middle of the box. */
static double rise_over_pool(const BillowView *view, int j)
{
    double sum = 0;
    int reach = (int)lrint(0.1 / (double)view->cell_size), count = 0;
    for (int k = view->nz / 2 - reach; k <= view->nz / 2 + reach; k++)
        for (int i = view->nx / 2 - reach; i <= view->nx / 2 + reach; i++, count++)
            sum += rise_of_cell(view, i, j, k);
    return sum / count;
}

static void add_puff(Puffs *puffs, const BillowView *view)
{
    double h = (double)view->cell_size, burning = 0, heat = 0;
    int diameter = (int)(1 / h), n = puffs->count++;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                ptrdiff_t at = flow_at(view, i, j, k);
                burning += (double)view->flame[at];
                heat += j == diameter ? (double)view->temperature[at] : 0;
            }
    puffs->times[n] = view->time;
    puffs->heat[n] = heat * h * h;
    puffs->rise[n] = rise_over_pool(view, diameter);
    puffs->burning[n] = burning * h * h * h;
}

static void judge_puffs(VerifyRun *run, const Puffs *puffs)
{
    const double diameter = 1, reference = 1.5 / sqrt(diameter);
    const double *const signals[3] = {puffs->heat, puffs->rise, puffs->burning};
    static const char *const names[3] = {"heat a diameter up", "rise there, on the axis",
                                         "fuel that burns"};
    VerifySeries *curve =
        plot_series(plot_add(run, "Heat a diameter over the pool", "time (s)", "K m\u00b2"),
                    VERIFY_LINE, "measured");
    for (int n = 0; n < puffs->count; n++)
        plot_point(curve, puffs->times[n], puffs->heat[n]);
    VerifyPlot *plot = plot_add(run, "Spectra", "frequency (Hz)", "power over the most");
    double peaks[3];
    for (int s = 0; s < 3; s++)
        peaks[s] =
            spectrum_peak(puffs->times, signals[s], puffs->count, FIRE_PIECE,
                          plot_series(plot, s == 0 ? VERIFY_LINE : VERIFY_DASHES, "%s", names[s]));
    VerifySeries *line = plot_series(plot, VERIFY_DOTS, "1.5 / \u221aD");
    plot_point(line, reference, 0);
    plot_point(line, reference, 1);
    row_relative(run, "frequency at which hot gas passes a diameter up, Hz", peaks[0], reference,
                 0.40);
    row_report(run, "the same of the rise there, on the axis, which sways slowly, Hz", peaks[1],
               reference);
    row_report(run, "the same of how much fuel burns, which drifts slowly, Hz", peaks[2],
               reference);
}

static void run_fire(VerifyRun *run)
{
    double step;
    Puffs puffs = {.count = 0};
    BillowSim *sim = open_scene(run, "fire", FIRE_SETTLE + FIRE_SAMPLES, &step);
    for (int n = 0; sim != NULL && n < FIRE_SETTLE + FIRE_SAMPLES && flow_step(run, sim, step);
         n++) {
        BillowView view = billow_view(sim);
        if (n >= FIRE_SETTLE)
            add_puff(&puffs, &view);
    }
    billow_destroy(sim);
    if (!run->stopped && !run->failed)
        judge_puffs(run, &puffs);
}

/* -- an explosion -------------------------------------------------------------------------------
 */

/* K above air of 293 K; soot glows visibly from 798 K on (Draper 1847). */
static const double SHINES = 505;

enum { BLAST_STEPS = 105, HEIGHTS = 256 };

typedef struct Blast {
    double expansion, outflow; /* m3; integrals over time */
    double apart;              /* m3/s; largest difference between the two rates */
    double expansion_most;     /* m3/s */
    double hottest;            /* K */
    double soot_at_flame;      /* m3; at the time of the strongest fire */
    double burning_most;       /* m3/s */
    double bright_most;        /* m3; largest glowing volume */
} Blast;

typedef struct Moment {
    double burning; /* m3/s */
    double bright;  /* m3 */
} Moment;

static Moment settings(const BillowView *view)
{
    Moment moment = {0, 0};
    double volume = pow((double)view->cell_size, 3);
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                ptrdiff_t at = flow_at(view, i, j, k);
                moment.burning += (double)view->flame[at] * volume;
                moment.bright += (double)view->temperature[at] > SHINES ? volume : 0;
            }
    return moment;
}

/* Adds the totals after a step. Returns the volume of fuel that burns per second, m3/s. */
static double follow_blast(Blast *blast, const BillowStats *stats, const BillowView *view,
                           double dt)
{
    Moment now = settings(view);
    blast->expansion += stats->expansion * dt;
    blast->outflow += stats->outflow * dt;
    blast->apart = fmax(blast->apart, fabs(stats->expansion - stats->outflow));
    blast->expansion_most = fmax(blast->expansion_most, stats->expansion);
    blast->hottest = fmax(blast->hottest, stats->temperature_max);
    blast->bright_most = fmax(blast->bright_most, now.bright);
    if (now.burning > blast->burning_most) {
        blast->burning_most = now.burning;
        blast->soot_at_flame = stats->mass;
    }
    return now.burning;
}

/* Smoke by height: its amount, and its distance from the axis (root mean square). The axis at a
 * height is the centre of the smoke there. */
typedef struct Column {
    double mass[HEIGHTS], radius[HEIGHTS];
    double x[HEIGHTS], z[HEIGHTS]; /* cells; position of the axis */
    int count;
} Column;

static void weigh_level(const BillowView *view, int j, Column *column)
{
    double mass = 0, x = 0, z = 0, squares = 0, h = (double)view->cell_size;
    for (int k = 0; k < view->nz; k++)
        for (int i = 0; i < view->nx; i++) {
            double smoke = (double)view->density[flow_at(view, i, j, k)];
            mass += smoke;
            x += smoke * i;
            z += smoke * k;
            squares += smoke * ((double)i * i + (double)k * k);
        }
    column->mass[j] = mass;
    column->x[j] = mass > 0 ? x / mass : 0.5 * view->nx;
    column->z[j] = mass > 0 ? z / mass : 0.5 * view->nz;
    column->radius[j] =
        mass > 0 ? h * sqrt(fmax(squares / mass - (x * x + z * z) / (mass * mass), 0)) : 0;
}

/* The mushroom. The cap is the widest level in the upper half of the smoke. The stem is the
 * narrowest level below it with at least 1 % of the smoke below. */
typedef struct Mushroom {
    int top, cap;                   /* levels; 99 % of the smoke is below the top */
    double cap_radius, stem_radius; /* m */
    double share;                   /* of the smoke above the stem's narrowest level */
} Mushroom;

static int level_under_share(const Column *column, double share)
{
    double all = 0, below = 0;
    int level = 0;
    for (int j = 0; j < column->count; j++)
        all += column->mass[j];
    while (level + 1 < column->count && (below += column->mass[level]) < share * all)
        level++;
    return level;
}

static Mushroom shape_of(const Column *column)
{
    Mushroom shape = {.top = level_under_share(column, 0.99)};
    shape.cap = shape.top / 2;
    for (int j = shape.cap; j <= shape.top; j++)
        if (column->radius[j] > column->radius[shape.cap])
            shape.cap = j;
    int stem = level_under_share(column, 0.01);
    for (int j = stem; j < shape.cap; j++)
        if (column->radius[j] < column->radius[stem])
            stem = j;
    double all = 0, above = 0;
    for (int j = 0; j < column->count; j++) {
        all += column->mass[j];
        above += j > stem ? column->mass[j] : 0;
    }
    shape.share = above / all;
    shape.cap_radius = column->radius[shape.cap];
    shape.stem_radius = column->radius[stem];
    return shape;
}

/* Overturning at a level: mean vertical speed of the fastest sinking ring around the axis, divided
 * by that of the fastest rising ring. */
static double sinking(const BillowView *view, int j, double x, double z)
{
    enum { RINGS = 64 };
    double sums[RINGS] = {0}, least = 0, most = 0;
    int counts[RINGS] = {0};
    for (int k = 0; k < view->nz; k++)
        for (int i = 0; i < view->nx; i++) {
            int ring = (int)hypot(i - x, k - z);
            if (ring >= RINGS)
                continue;
            sums[ring] += rise_of_cell(view, i, j, k);
            counts[ring]++;
        }
    for (int ring = 0; ring < RINGS; ring++) {
        double rise = counts[ring] > 0 ? sums[ring] / counts[ring] : 0;
        least = fmin(least, rise);
        most = fmax(most, rise);
    }
    return -least / most;
}

static void judge_blast(VerifyRun *run, const Blast *blast)
{
    const double none = (double)NAN, free = (double)INFINITY;
    row_relative(run, "air that left by then over air made, whole blast",
                 blast->outflow / blast->expansion, 1, 0.01);
    row_between(run, "most that outflow and expansion were apart, share of the most expansion",
                blast->apart / blast->expansion_most, 0, 0, 0.01);
    row_between(run, "hottest, K above ambient: soot shines from 505 K", blast->hottest, none,
                2 * SHINES, free);
    row_report(run, "largest room that shone, radius of as large a ball, m",
               cbrt(3 * blast->bright_most / (4 * PI)), none);
}

static void judge_end(VerifyRun *run, const Blast *blast, const BillowStats *stats,
                      const BillowView *view)
{
    const double none = (double)NAN, free = (double)INFINITY;
    double h = (double)view->cell_size;
    Column column = {.count = view->ny < HEIGHTS ? view->ny : HEIGHTS};
    for (int j = 0; j < column.count; j++)
        weigh_level(view, j, &column);
    Mushroom shape = shape_of(&column);
    row_between(run, "the same at the end: dark", stats->temperature_max, none, 0, SHINES);
    row_between(run, "what burns at the end, share of the most",
                settings(view).burning / blast->burning_most, 0, 0, 0.01);
    row_between(run, "smoke at the end over smoke when most burnt",
                stats->mass / blast->soot_at_flame, none, 1, free);
    row_between(run, "cap over stem, radius", shape.cap_radius / shape.stem_radius, none, 1.3,
                free);
    row_report(run, "smoke over the stem's narrowest place, share", shape.share, none);
    row_between(run, "sinking around the cap over rising in it",
                sinking(view, shape.cap, column.x[shape.cap], column.z[shape.cap]), none, 0.05,
                free);
    row_report(run, "height of the smoke at the end, m", (shape.top + 1) * h, none);
}

static void run_explosion(VerifyRun *run)
{
    double step;
    Blast blast = {0};
    BillowSim *sim = open_scene(run, "explosion", BLAST_STEPS, &step);
    VerifyPlot *air = plot_add(run, "Air made, and air that leaves", "time (s)", "m\u00b3/s");
    VerifySeries *made = plot_series(air, VERIFY_LINE, "made");
    VerifySeries *left = plot_series(air, VERIFY_DOTS, "left");
    VerifySeries *hot =
        plot_series(plot_add(run, "The hottest place", "time (s)", "K"), VERIFY_LINE, "measured");
    VerifyPlot *dark = plot_add(run, "Flame and smoke", "time (s)", "share of the most");
    VerifySeries *flame = plot_series(dark, VERIFY_LINE, "burning"),
                 *soot = plot_series(dark, VERIFY_DASHES, "smoke");
    for (int n = 0; sim != NULL && n < BLAST_STEPS && flow_step(run, sim, step); n++) {
        BillowStats stats = billow_stats(sim);
        BillowView view = billow_view(sim);
        double burning = follow_blast(&blast, &stats, &view, step);
        plot_point(made, view.time, stats.expansion);
        plot_point(left, view.time, stats.outflow);
        plot_point(hot, view.time, stats.temperature_max);
        plot_point(flame, view.time, burning);
        plot_point(soot, view.time, stats.mass);
    }
    if (sim != NULL && !run->stopped && !run->failed) {
        BillowStats stats = billow_stats(sim);
        BillowView view = billow_view(sim);
        plot_scale(flame);
        plot_scale(soot);
        judge_blast(run, &blast);
        judge_end(run, &blast, &stats, &view);
    }
    billow_destroy(sim);
}

const VerifyCase burning_cases[] = {
    {"fire", "puffing frequency of a pool fire", "Cetegen & Ahmed 1993",
     "The scene fire, a pool of 1 m, from 5 to 25 s; temperature summed over the plane one "
     "diameter "
     "up, which bulges of hot gas pass; mean periodogram (Hann) of pieces of 5 s, its maximum "
     "between 0.3 and 6 Hz.",
     false, run_fire},
    {"explosion", "a fireball expands, glows, darkens, cools and rolls up",
     "Feldman, O'Brien & Arikan 2003; Draper 1847",
     "The scene explosion, 3.5 s; totals after each step, shape at the end.", false, run_explosion},
    {.name = NULL},
};
