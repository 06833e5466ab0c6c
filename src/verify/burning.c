/* SPDX-License-Identifier: MIT
 * Measures the built-in scenes fire and explosion. */
#include "scene/scene.h"
#include "verify/flow.h"

/* Creates the simulation of a built-in scene and writes its time step, s, to *step. On failure,
 * returns NULL and marks the run as failed. */
static BillowSim *open_scene(VerifyRun *run, const char *name, int steps, double *step)
{
    Scene scene;
    if (!verify_agree(run, scene_load(name, &scene, &run->error)))
        return NULL;
    BillowDef def = scene_def(&scene);
    def.threads = run->threads;
    *step = (double)scene.step;
    return flow_start(run, &def, steps);
}

/* -- a pool fire ---------------------------------------------------------------------------- */

enum { FIRE_SETTLE = 150, FIRE_SAMPLES = 600, FIRE_PIECE = 150 };

typedef struct Puffs {
    double times[FIRE_SAMPLES];
    double heat[FIRE_SAMPLES];    /* integral over the plane one diameter above the pool, K m2 */
    double rise[FIRE_SAMPLES];    /* mean upward velocity in that plane near the axis, m/s */
    double burning[FIRE_SAMPLES]; /* burning rate: volume of fuel burnt per second, m3/s */
    int count;
} Puffs;

/* Mean upward velocity at level j, within a tenth of a pool diameter of the box's axis, m/s. */
static double rise_over_pool(const BillowView *view, int j)
{
    double sum = 0;
    int near = (int)lrint(0.1 / (double)view->cell_size), count = 0;
    for (int k = view->nz / 2 - near; k <= view->nz / 2 + near; k++)
        for (int i = view->nx / 2 - near; i <= view->nx / 2 + near; i++, count++)
            sum += flow_rise(view, i, j, k);
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
    static const char *const names[3] = {"heat", "upward velocity on the axis", "burning rate"};
    VerifySeries *curve = plot_over_time(run, "Heat one diameter above the pool", "K m\u00b2");
    for (int n = 0; n < puffs->count; n++)
        plot_point(curve, puffs->times[n], puffs->heat[n]);
    VerifyPlot *plot = plot_add(run, "Spectra", "frequency (Hz)", "power over the largest");
    double peaks[3];
    for (int s = 0; s < 3; s++)
        peaks[s] =
            spectrum_peak(puffs->times, signals[s], puffs->count, FIRE_PIECE,
                          plot_series(plot, s == 0 ? VERIFY_LINE : VERIFY_DASHES, "%s", names[s]));
    VerifySeries *line = plot_series(plot, VERIFY_DOTS, "1.5 / \u221aD");
    plot_point(line, reference, 0);
    plot_point(line, reference, 1);
    row_relative(run, "frequency of the heat one diameter above the pool, Hz", peaks[0], reference,
                 0.40);
    row_report(run, "frequency of the upward velocity on the axis there, Hz", peaks[1], reference);
    row_report(run, "frequency of the burning rate, Hz", peaks[2], reference);
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
    if (verify_going(run))
        judge_puffs(run, &puffs);
}

/* -- an explosion -------------------------------------------------------------------------------
 */

/* Least temperature of soot that glows visibly, K above air of 293 K: 798 K absolute (Draper 1847).
 */
static const double GLOWS = 505;

enum { BLAST_STEPS = 105, HEIGHTS = 256 };

typedef struct Blast {
    double expansion, outflow; /* time integrals of the rates of expansion and outflow, m3 */
    double apart;          /* largest difference between the rates of expansion and outflow, m3/s */
    double expansion_most; /* largest rate of expansion, m3/s */
    double hottest;        /* highest temperature so far, K above ambient */
    double soot_at_flame;  /* amount of smoke when the burning rate was largest, m3 */
    double burning_most;   /* largest burning rate, m3/s */
    double bright_most;    /* largest glowing volume, m3 */
} Blast;

typedef struct Moment {
    double burning; /* burning rate: volume of fuel burnt per second, m3/s */
    double bright;  /* glowing volume, m3 */
} Moment;

static Moment moment_of(const BillowView *view)
{
    Moment moment = {0, 0};
    double volume = pow((double)view->cell_size, 3);
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++) {
                ptrdiff_t at = flow_at(view, i, j, k);
                moment.burning += (double)view->flame[at] * volume;
                moment.bright += (double)view->temperature[at] > GLOWS ? volume : 0;
            }
    return moment;
}

/* Updates the totals after a step. Returns the present burning rate, m3/s. */
static double follow_blast(Blast *blast, const BillowStats *stats, const BillowView *view,
                           double dt)
{
    Moment now = moment_of(view);
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

/* The smoke at each level, a horizontal layer of cells. The axis passes through the centre of mass
 * of each level. */
typedef struct Column {
    double mass[HEIGHTS];
    double radius[HEIGHTS];        /* root mean square distance of the smoke from the axis, m */
    double x[HEIGHTS], z[HEIGHTS]; /* position of the axis, cells */
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

/* The mushroom cloud. The cap is the widest level in the upper half of the smoke. The stem is the
 * narrowest level between the cap and the level that has 1 % of the smoke at or below it. */
typedef struct Mushroom {
    int top;                        /* lowest level with 99 % of the smoke at or below it */
    int cap;                        /* level of the cap */
    double cap_radius, stem_radius; /* m */
    double share;                   /* share of the smoke that is above the stem */
} Mushroom;

/* Finds the lowest level that, with all levels below it, holds at least `share` of the smoke. */
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

/* Overturning at level j: the mean downward velocity of the fastest sinking ring around the axis
 * (x, z), divided by the mean upward velocity of the fastest rising ring. */
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
            sums[ring] += flow_rise(view, i, j, k);
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
    row_relative(run, "total outflow over total expansion", blast->outflow / blast->expansion, 1,
                 5e-5);
    row_between(run, "largest difference of outflow and expansion over largest expansion",
                blast->apart / blast->expansion_most, 0, 0, 6e-4);
    row_between(run, "highest temperature, K above ambient (soot glows from 505)", blast->hottest,
                UNKNOWN, 2 * GLOWS, UNLIMITED);
    row_report(run, "largest glowing volume: radius of an equal ball, m",
               cbrt(3 * blast->bright_most / (4 * PI)), UNKNOWN);
}

static void judge_end(VerifyRun *run, const Blast *blast, const BillowStats *stats,
                      const BillowView *view)
{
    double h = (double)view->cell_size;
    Column column = {.count = view->ny < HEIGHTS ? view->ny : HEIGHTS};
    for (int j = 0; j < column.count; j++)
        weigh_level(view, j, &column);
    Mushroom shape = shape_of(&column);
    row_between(run, "highest temperature at the end, K: no glow", stats->temperature_max, UNKNOWN,
                0, GLOWS);
    row_between(run, "burning rate at the end over the largest",
                moment_of(view).burning / blast->burning_most, 0, 0, 0.004);
    row_between(run, "final smoke over smoke at the largest burning rate",
                stats->mass / blast->soot_at_flame, UNKNOWN, 1, UNLIMITED);
    row_between(run, "radius of the cap over that of the stem",
                shape.cap_radius / shape.stem_radius, UNKNOWN, 1.3, UNLIMITED);
    row_report(run, "share of the smoke above the stem", shape.share, UNKNOWN);
    row_between(run, "sinking speed around the cap over rising speed in it",
                sinking(view, shape.cap, column.x[shape.cap], column.z[shape.cap]), UNKNOWN, 0.05,
                UNLIMITED);
    row_report(run, "final height of the smoke, m", (shape.top + 1) * h, UNKNOWN);
}

static void run_explosion(VerifyRun *run)
{
    double step;
    Blast blast = {0};
    BillowSim *sim = open_scene(run, "explosion", BLAST_STEPS, &step);
    VerifyPlot *air = plot_add(run, "Expansion and outflow", "time (s)", "m\u00b3/s");
    VerifySeries *made = plot_series(air, VERIFY_LINE, "expansion");
    VerifySeries *left = plot_series(air, VERIFY_DOTS, "outflow");
    VerifySeries *hot = plot_over_time(run, "Highest temperature", "K above ambient");
    VerifyPlot *dark = plot_add(run, "Flame and smoke", "time (s)", "share of the largest");
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
    if (sim != NULL && verify_going(run)) {
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
     "above the pool, which bulges of hot gas pass; maximum between 0.3 and 6 Hz of the mean "
     "periodogram (Hann) of pieces of 5 s.",
     false, .run = run_fire},
    {"explosion", "a fireball expands, glows, darkens, cools and rolls up",
     "Feldman, O'Brien & Arikan 2003; Draper 1847",
     "The scene explosion, 3.5 s; totals after each step, shape at the end.", false,
     .run = run_explosion},
    {.name = NULL},
};
