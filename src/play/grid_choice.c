/* SPDX-License-Identifier: MIT
 * Lists the grids of a scene, and chooses one from running averages of the window's times. */
#include "play/grid_choice.h"

#include "render/upload.h"

#include <math.h>
#include <string.h>

/* -- the grids of a scene ---------------------------------------------------------------------- */

/* Cells of the first grid's wind, at most. A step takes some milliseconds on one core. */
#define FIRST_CELLS (48.0 * 48 * 48)
/* Least cells, unless the scene's own grid has fewer, where the smoke has them alone and where it
 * is finer. Below this, smoke has no shape: a plume of 40 cells is a pillar with toes, one of 32
 * cells with smoke twice as fine billows. */
#define LEAST_CELLS      (40.0 * 40 * 40)
#define LEAST_CELLS_FINE (32.0 * 32 * 32)
/* Least cells of the smoke along an edge of each of the wind's, where a scene has more. */
#define REFINE_LEAST 2
/* Cells along the longest axis, of the wind and of the smoke. Above FINE, sizes are multiples of 8,
 * which multigrid halves often. */
enum { SHORTEST = 24, FINE = 64, MOST = 256, MOST_SMOKE = 384 };
/* Share of the smoke in the time of a step where its grid is the wind's. */
#define SMOKE_WORK 0.2

GridAim grid_aim_of(SceneQuality quality)
{
    return quality == SCENE_DRAFT  ? (GridAim){60, 1, false}
           : quality == SCENE_BEST ? (GridAim){10, 0.5, true}
                                   : (GridAim){30, 0.6, false};
}

const char *grid_quality_name(SceneQuality quality)
{
    return quality == SCENE_DRAFT ? "fluid" : quality == SCENE_BEST ? "fine" : "auto";
}

static int greatest_divisor(int a, int b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

static int thin_walls(const BillowDef *def)
{
    BillowNotice notices[BILLOW_SOLIDS_MAX];
    int thin = 0;
    for (int n = billow_notices(def, notices, BILLOW_SOLIDS_MAX); n-- > 0;)
        thin += notices[n].solid >= 0;
    return thin;
}

/* Whether periodic axes keep their period. */
static bool keeps_periods(const BillowDef *def, const BillowDef *own)
{
    const int n[3] = {def->nx, def->ny, def->nz}, m[3] = {own->nx, own->ny, own->nz};
    for (int axis = 0; axis < 3; axis++)
        if (own->faces[2 * axis] == BILLOW_PERIODIC &&
            fabs(n[axis] * (double)def->cell_size - m[axis] * (double)own->cell_size) >
                1e-3 * (double)own->cell_size)
            return false;
    return true;
}

static bool allows(const BillowDef *def, const BillowDef *own)
{
    const int n[3] = {def->nx, def->ny, def->nz};
    for (int axis = 0; axis < 3; axis++)
        if (n[axis] < BILLOW_GRID_MIN || n[axis] * def->refine > BILLOW_GRID_MAX)
            return false;
    return billow_check_faces(def, NULL) && keeps_periods(def, own) &&
           billow_buried(def, NULL) < 0 && billow_shut(def, NULL) < 0 &&
           thin_walls(def) <= thin_walls(own);
}

static double wind_cells(const GridRung *rung)
{
    return (double)rung->n[0] * rung->n[1] * rung->n[2];
}

double grid_smoke(const GridRung *rung)
{
    return wind_cells(rung) * rung->refine * rung->refine * rung->refine;
}

double grid_work(const GridRung *rung)
{
    return (1 - SMOKE_WORK) * wind_cells(rung) + SMOKE_WORK * grid_smoke(rung);
}

/* Adds a grid, if the scene allows it. cells: as in SceneDomain. */
static void add_rung(GridChoice *choice, Scene *scene, const int cells[3], int least_refine,
                     const BillowDef *own)
{
    memcpy(scene->domain.cells, cells, sizeof scene->domain.cells);
    const BillowDef there = scene_def(scene);
    double own_cells = (double)own->nx * own->ny * own->nz;
    BillowDef def = *own;
    GridRung rung = {.n = {there.nx, there.ny, there.nz}, .cell_size = there.cell_size};
    memcpy(rung.origin, there.origin, sizeof rung.origin);
    rung.refine = choice->count == 0 ? least_refine : own->refine;
    grid_rung_apply(&rung, &def);
    const double least = least_refine > 1 ? LEAST_CELLS_FINE : LEAST_CELLS;
    if (wind_cells(&rung) < fmin(least, own_cells) || !allows(&def, own))
        return;
    for (; rung.refine <= own->refine && choice->count < GRID_RUNGS_MAX; rung.refine++)
        choice->rungs[choice->count++] = rung;
}

/* Three numbers of cells are scaled by whole multiples of their smallest proportions, so that the
 * box stays. */
static void list_rungs(GridChoice *choice, const Scene *scene, int least_refine,
                       const BillowDef *own)
{
    Scene copy = *scene;
    const int *cells = scene->domain.cells;
    bool one = cells[1] == 0;
    int divisor = one ? cells[0] : greatest_divisor(cells[0], greatest_divisor(cells[1], cells[2]));
    int longest = cells[0] > cells[1] ? cells[0] : cells[1], last = 0;
    longest = longest > cells[2] ? longest : cells[2];
    int limit = MOST_SMOKE / own->refine < MOST ? MOST_SMOKE / own->refine : MOST;
    int most = longest > limit ? longest : limit;
    for (int k = 1; k * longest / divisor <= most; k++) {
        int n = k * longest / divisor, spacing = n < FINE ? 4 : 8;
        if (n < SHORTEST || (one ? n % spacing != 0 : n - last < spacing))
            continue;
        const int scaled[3] = {k * cells[0] / divisor, k * cells[1] / divisor,
                               k * cells[2] / divisor};
        add_rung(choice, &copy, scaled, least_refine, own);
        last = n;
    }
}

GridChoice grid_choice_start(const Scene *scene, const BillowDef *own, bool keeps_refine,
                             const GridAim *aim)
{
    double own_cells = (double)own->nx * own->ny * own->nz;
    GridChoice choice = {
        .step_limit_ms = 1e3 * (double)scene->step / aim->pace,
        .growth = 1.25,
    };
    const bool fixed = keeps_refine || own->refine < REFINE_LEAST;
    list_rungs(&choice, scene, fixed ? own->refine : REFINE_LEAST, own);
    for (int r = 1; r < choice.count; r++)
        if (wind_cells(&choice.rungs[r]) <= fmin(FIRST_CELLS, own_cells))
            choice.rung = choice.before = r;
    grid_choice_aim(&choice, aim);
    return choice;
}

void grid_choice_aim(GridChoice *choice, const GridAim *aim)
{
    const double period_ms = 1e3 / aim->fps;
    choice->upload_limit_ms = 0.5 * period_ms;
    choice->draw_limit_ms = 0.9 * period_ms; /* after a long upload, a frame draws nothing */
    choice->step_ms = choice->upload_ms = choice->light_ms = choice->draw_ms = -1;
    choice->cut = choice->step_before = choice->patience = 0;
    choice->age_ms = choice->since_change = choice->seen_ms = 0;
    choice->late_ms = choice->early_ms = 0;
    choice->failed = choice->count;
    choice->rose = false;
}

void grid_rung_apply(const GridRung *rung, BillowDef *def)
{
    def->nx = rung->n[0];
    def->ny = rung->n[1];
    def->nz = rung->n[2];
    def->refine = rung->refine;
    def->cell_size = rung->cell_size;
    memcpy(def->origin, rung->origin, sizeof def->origin);
}

void grid_choice_apply(const GridChoice *choice, BillowDef *def)
{
    grid_rung_apply(&choice->rungs[choice->rung], def);
}

/* -- the choice -------------------------------------------------------------------------------- */

/* Shares of the limits. Work is late above 1. A new grid is chosen such that its expected work is
 * at most FIT. */
#define FIT 0.75
/* A grid that the simulation sinks to has expected work of at most FIT_LESS. */
#define FIT_LESS 0.9
/* Expected work of a grid that fine smoke rises to in the first seconds. It fills little of its box
 * yet, and only cells that hold some take time. */
#define FIT_YOUNG 0.25
/* Share of the time of light volumes that goes into collecting what the grid's cells hold, where
 * the volumes have the grid's own resolution. */
#define LIGHT_GATHERS 0.14
/* Load of steps whose cycles are cut: with all cycles they would be late. */
#define CUT 1.2
/* Time at the start, and after each change, that is ignored, ms. Drivers compile shaders, caches
 * fill, and the picture's resolution adapts. */
#define WARM_UP_MS 600.0
#define SKIP_MS    250.0
/* Time constant of the averages, and time measured before a decision, ms. */
#define MEMORY_MS  400.0
#define MEASURE_MS 450.0
/* Age up to which each measurement may change the grid, ms. */
#define SETTLING_MS 3000.0
/* Time that must be late before the grid shrinks, ms. The cycles are cut sooner. */
#define LATE_MS 1200.0
/* Time with headroom before the grid grows, ms: at first, after a rise that failed, and at most. */
#define PATIENCE_MS        4000.0
#define PATIENCE_FAILED_MS 20000.0
#define PATIENCE_MAX_MS    600000.0
/* A rise that is late within this time has failed, ms. */
#define TRIED_MS 30000.0
/* Largest factors on the work in one rise: while settling, and later. */
#define LEAP_SETTLING 6.0
#define LEAP          1.7
/* Least change of the work that is worth it. */
#define WORTH 1.15
/* Expected load of the grid that failed below which its failure no longer counts. */
#define FORGIVEN 0.5

/* Running average. A value far above it counts as less. A value far below replaces it, because the
 * first upload to a new grid also creates its textures and takes many times as long. */
static double average(double old, double value, double share)
{
    return old < 0 || old > 4 * value + 1 ? value : old + share * (fmin(value, 4 * old + 1) - old);
}

static double power(double ratio, double exponent)
{
    return exp(exponent * log(ratio));
}

/* Work for the light volumes on a rung, in that of cells of a grid with volumes of its own
 * resolution. Those of large grids are coarser. */
static double light_work(const GridRung *rung)
{
    const double cells = grid_smoke(rung), reduction = renderer_light_reduction(cells);
    return cells * (LIGHT_GATHERS + (1 - LIGHT_GATHERS) / (reduction * reduction * reduction));
}

/* Expected time of the light volumes on a rung, ms. */
static double light_at(const GridChoice *choice, int rung)
{
    return fmax(choice->light_ms, 0) * light_work(&choice->rungs[rung]) /
           light_work(&choice->rungs[choice->rung]);
}

static double smoke_ratio(const GridChoice *choice, int rung)
{
    return grid_smoke(&choice->rungs[rung]) / grid_smoke(&choice->rungs[choice->rung]);
}

/* Expected work of steps and uploads on a rung, as a share of the limits; the larger share. */
static double matter_load(const GridChoice *choice, int rung)
{
    double work = grid_work(&choice->rungs[rung]) / grid_work(&choice->rungs[choice->rung]);
    double step = fmax(choice->step_ms, 0) / choice->step_limit_ms;
    double upload = fmax(choice->upload_ms, 0) * smoke_ratio(choice, rung) + light_at(choice, rung);
    if (choice->cut > 0.5)
        step = fmax(step, CUT);
    return fmax(step * power(work, choice->growth), upload / choice->upload_limit_ms);
}

/* Likewise with the work of drawing. */
static double load_at(const GridChoice *choice, int rung)
{
    double draw = fmax(choice->draw_ms, 0) / choice->draw_limit_ms;
    return fmax(matter_load(choice, rung), draw * power(smoke_ratio(choice, rung), 1.0 / 3));
}

/* The finest rung of which at most `fit` is expected, of those up to `leap` times the present work
 * that are worth a change; the present one if there is none. */
static int rise_to(const GridChoice *choice, double leap, double fit)
{
    double work = grid_work(&choice->rungs[choice->rung]);
    for (int r = choice->count - 1; r > choice->rung; r--) {
        double ratio = grid_work(&choice->rungs[r]) / work;
        if (ratio <= leap && ratio >= WORTH && load_at(choice, r) <= fit)
            return r;
    }
    return choice->rung;
}

/* The coarsest rung whose smoke is as fine as the scene says. */
static int coarsest_fine(const GridChoice *choice)
{
    int r = choice->count - 1;
    while (r > 0 && choice->rungs[r - 1].refine == choice->rungs[r].refine)
        r--;
    return r;
}

/* The finest rung below the present one with headroom; the coarsest if none has. The smoke gets
 * coarser only after its coarsest fine rung was tried. If drawing alone is late, the next rung has
 * to do: drawing depends little on the grid. */
static int sink_to(const GridChoice *choice)
{
    const double work = grid_work(&choice->rungs[choice->rung]);
    const int fine = coarsest_fine(choice), least = choice->rung > fine ? fine : 0;
    const bool drawing = matter_load(choice, choice->rung) <= 1;
    int r = choice->rung;
    while (r > least && (grid_work(&choice->rungs[r]) * WORTH > work ||
                         (!drawing && matter_load(choice, r) > FIT_LESS)))
        r--;
    return r;
}

static void change(GridChoice *choice, int rung)
{
    choice->rose = rung > choice->rung;
    if (!choice->rose) {
        bool tried = choice->since_change < TRIED_MS && choice->before < choice->rung;
        choice->patience =
            !tried ? PATIENCE_FAILED_MS : fmax(2 * choice->patience, PATIENCE_FAILED_MS);
        choice->patience = fmin(choice->patience, PATIENCE_MAX_MS);
        choice->failed = choice->rung;
    }
    choice->before = choice->rung;
    choice->step_before = choice->step_ms;
    choice->rung = rung;
    choice->step_ms = choice->upload_ms = choice->light_ms = choice->draw_ms = -1;
    choice->cut = choice->since_change = choice->seen_ms = choice->late_ms = choice->early_ms = 0;
}

void grid_choice_return(GridChoice *choice, bool never)
{
    if (never && choice->rung > choice->before) {
        choice->count = choice->rung;
        choice->failed = choice->failed < choice->count ? choice->failed : choice->count;
    }
    choice->rung = choice->before;
    choice->step_ms = choice->upload_ms = choice->light_ms = choice->draw_ms = -1;
    choice->since_change = choice->seen_ms = choice->late_ms = choice->early_ms = 0;
}

static void learn(GridChoice *choice, const GridTimes *times, double interval_ms)
{
    double share = 1 - exp(-interval_ms / MEMORY_MS);
    if (times->step_ms > 0) {
        /* A step that lasts many pictures counts for all of them. */
        const double of_step = 1 - exp(-fmax(interval_ms, times->step_ms) / MEMORY_MS);
        choice->step_ms = average(choice->step_ms, times->step_ms, of_step);
        choice->cut += of_step * ((times->cut ? 1 : 0) - choice->cut);
    }
    if (times->upload_ms > 0) {
        choice->upload_ms = average(choice->upload_ms, times->upload_ms, share);
        choice->light_ms = average(choice->light_ms, times->light_ms, share);
    }
    choice->draw_ms = average(fmax(choice->draw_ms, 0), times->draw_ms, share);
    choice->seen_ms += interval_ms;
}

/* Finds how the time of a step grows with the work from those of the last two grids. */
static void fit_growth(GridChoice *choice)
{
    double ratio =
        grid_work(&choice->rungs[choice->rung]) / grid_work(&choice->rungs[choice->before]);
    if (choice->step_before > 0 && choice->step_ms > 0 && fabs(log(ratio)) > 0.2) {
        double measured = log(choice->step_ms / choice->step_before) / log(ratio);
        choice->growth = 0.5 * (choice->growth + fmin(fmax(measured, 1), 1.6));
    }
    choice->step_before = 0;
}

/* The rung for the first seconds, in which each measurement counts. A grid that was late is not
 * tried again. */
static int settle(const GridChoice *choice)
{
    if (load_at(choice, choice->rung) > 1)
        return sink_to(choice);
    const bool fine = choice->rungs[choice->rung].refine > 1;
    int rung = rise_to(choice, LEAP_SETTLING, fine ? FIT_YOUNG : FIT);
    return rung < choice->failed ? rung : choice->rung;
}

/* Whether a rise has waited long enough. */
static bool is_due(const GridChoice *choice, int rung)
{
    bool forgiven = choice->failed == choice->count || rung < choice->failed ||
                    load_at(choice, choice->failed) < FORGIVEN;
    return choice->early_ms >= (forgiven ? PATIENCE_MS : fmax(choice->patience, PATIENCE_MS));
}

/* The rung for later, which changes only after a while. */
static int follow(GridChoice *choice, double interval_ms)
{
    int higher = rise_to(choice, LEAP, FIT);
    bool late = load_at(choice, choice->rung) > 1;
    choice->late_ms = fmax(0, choice->late_ms + (late ? interval_ms : -interval_ms));
    choice->early_ms =
        fmax(0, choice->early_ms + (higher > choice->rung ? interval_ms : -interval_ms));
    if (choice->late_ms >= LATE_MS)
        return sink_to(choice);
    return higher > choice->rung && is_due(choice, higher) ? higher : choice->rung;
}

bool grid_choice_observe(GridChoice *choice, const GridTimes *times, double interval_ms)
{
    choice->age_ms += interval_ms;
    choice->since_change += interval_ms;
    if (choice->count < 2 || choice->age_ms < WARM_UP_MS || choice->since_change < SKIP_MS)
        return false;
    learn(choice, times, interval_ms);
    if (choice->seen_ms < MEASURE_MS || choice->step_ms < 0)
        return false;
    fit_growth(choice);
    bool settling = choice->age_ms < SETTLING_MS;
    int rung = settling ? settle(choice) : follow(choice, interval_ms);
    if (settling && rung == choice->rung)
        choice->seen_ms = 0; /* measure again */
    if (rung == choice->rung)
        return false;
    change(choice, rung);
    return true;
}
