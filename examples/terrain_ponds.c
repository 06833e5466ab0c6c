/* SPDX-License-Identifier: MIT
 *
 * Ponds that hold still, of examples/terrain.c: in their footprints the water of pond_water.h adds
 * the waves that rain, the bulldozer and the pointer make. Flow and waves divide the work. The flow
 * solver keeps the level of a pond and its volume; the waves are deviations from that level whose
 * sum is zero, and the picture shows both.
 *
 *     enter   Neighbours deeper than 5 cm whose levels differ by less than 2.5 cm make a region.
 *             One of 80 cells or more is a pond that holds still if for a second nine tenths of
 *             its levels stay within 4 cm of their mean, and the mean moves by less than 1 cm/s.
 *             Its columns of water take one common level. What they were above or below it
 *             becomes its first waves.
 *     leave   When its mean level moves faster, such as after the dam breaks, or its region gains
 *             or loses a tenth of its cells, the waves are added to the columns of water again.
 *
 * Both ways the sum of all columns stays the same to the unit. The common level is rounded down,
 * and the units left over go to one cell each. Waves are added as whole units; what rounding, and
 * columns that would become negative, leave over of their sum is spread over all its cells. */
#include "pond_water.h"
#include "terrain.h"

#include <stdlib.h>
#include <string.h>

enum { PONDS = 4, CHECK_SLICES = 12, CALM_CHECKS = 10, SMALLEST = 80 /* cells */ };

/* A pond with waves. Its mesh begins at cell i0, j0 of the terrain. */
typedef struct Pond {
    PondWater *water; /* NULL = none */
    int i0, j0, nx, ny;
    size_t cells;
    double level; /* mean height of its water, by which its waves are lowered, m */
    bool still;   /* found still in this check */
} Pond;

struct Ponds {
    Pond pond[PONDS];
    uint8_t *calm;    /* checks for which the region of a cell has been calm, at most CALM_CHECKS */
    uint8_t *pond_of; /* of a cell: 0 = none, 1 + number of a pond */
    uint8_t *seen;    /* of a cell: 1 = its region is known in this check */
    Height *mean;     /* mean level of the region of a cell at the last check */
    size_t *queue;    /* cells of a region */
    uint64_t seed;    /* of the drops of rain */
};

/* The cells are in the queue. */
typedef struct Region {
    size_t cells;
    Height mean; /* level */
    Pond *pond;  /* of one of its cells, or NULL */
} Region;

Ponds *ponds_create(const Terrain *t)
{
    Ponds *ponds = calloc(1, sizeof *ponds);
    size_t count = cell_count(t);
    if (ponds == NULL)
        return NULL;
    ponds->calm = calloc(3 * count, sizeof *ponds->calm);
    ponds->mean = calloc(count, sizeof *ponds->mean);
    ponds->queue = calloc(count, sizeof *ponds->queue);
    if (ponds->calm == NULL || ponds->mean == NULL || ponds->queue == NULL) {
        ponds_destroy(ponds);
        return NULL;
    }
    ponds->pond_of = ponds->calm + count;
    ponds->seen = ponds->pond_of + count;
    return ponds;
}

void ponds_destroy(Ponds *ponds)
{
    if (ponds == NULL)
        return;
    for (int p = 0; p < PONDS; p++)
        pond_water_destroy(ponds->pond[p].water);
    free(ponds->calm);
    free(ponds->mean);
    free(ponds->queue);
    free(ponds);
}

int ponds_count(const Ponds *ponds)
{
    int count = 0;
    for (int p = 0; p < PONDS; p++)
        count += ponds->pond[p].water != NULL;
    return count;
}

static double wave_of(const Terrain *t, const Pond *pond, size_t c)
{
    int i = (int)(c % (size_t)t->nx) - pond->i0, j = (int)(c / (size_t)t->nx) - pond->j0;
    return (double)pond_water_height(pond->water, i, j) - pond->level;
}

double ponds_wave(const Terrain *t, size_t c)
{
    int number = t->ponds->pond_of[c];
    return number > 0 ? wave_of(t, &t->ponds->pond[number - 1], c) : 0;
}

/* -- leave ------------------------------------------------------------------------------------ */

static bool belongs(const Ponds *ponds, const Pond *pond, size_t c)
{
    return ponds->pond_of[c] == 1 + (int)(pond - ponds->pond);
}

/* Takes `sum` units back from the cells of a pond, as evenly as their water allows. They hold that
 * much: it was added to them. Columns that became negative take what they lack. */
static void spread(Terrain *t, const Pond *pond, int64_t sum)
{
    do {
        int64_t cells = (int64_t)pond->cells;
        for (size_t c = 0; c < cell_count(t); c++) {
            if (!belongs(t->ponds, pond, c))
                continue;
            int64_t part = (sum + (sum > 0 ? cells - 1 : 1 - cells)) / cells;
            part = part < t->water[c] ? part : t->water[c];
            t->water[c] -= (Height)part;
            sum -= part;
            cells--;
        }
    } while (sum != 0);
}

static void leave(Terrain *t, Pond *pond)
{
    Ponds *ponds = t->ponds;
    int64_t sum = 0;
    for (size_t c = 0; c < cell_count(t); c++)
        if (belongs(ponds, pond, c)) {
            Height wave = to_height(wave_of(t, pond, c));
            t->water[c] += wave;
            sum += wave;
        }
    spread(t, pond, sum);
    for (size_t c = 0; c < cell_count(t); c++)
        if (belongs(ponds, pond, c))
            ponds->pond_of[c] = ponds->calm[c] = 0;
    pond_water_destroy(pond->water);
    pond->water = NULL;
}

void ponds_leave(Terrain *t)
{
    for (int p = 0; p < PONDS; p++)
        if (t->ponds->pond[p].water != NULL)
            leave(t, &t->ponds->pond[p]);
}

/* -- enter ------------------------------------------------------------------------------------ */

static bool is_deep(const Terrain *t, size_t c)
{
    return t->water[c] > (1 << HEIGHT_BITS) / 20; /* 5 cm */
}

/* Whether a region goes on from cell c to `next`. */
static bool joins(const Terrain *t, size_t c, size_t next)
{
    const Height step = to_height(0.025);
    return !t->ponds->seen[next] && is_deep(t, next) &&
           abs(level_at(t, next) - level_at(t, c)) < step;
}

/* Finds the region of cell c. */
static Region search(Terrain *t, size_t c)
{
    Ponds *ponds = t->ponds;
    size_t row = (size_t)t->nx;
    int64_t sum = 0;
    Region region = {0};
    ponds->seen[c] = 1;
    ponds->queue[region.cells++] = c;
    for (size_t done = 0; done < region.cells; done++) {
        size_t at = ponds->queue[done], i = at % row;
        size_t next[4] = {i > 0 ? at - 1 : at, i + 1 < row ? at + 1 : at, at >= row ? at - row : at,
                          at + row < cell_count(t) ? at + row : at};
        for (int n = 0; n < 4; n++)
            if (joins(t, at, next[n])) {
                ponds->seen[next[n]] = 1;
                ponds->queue[region.cells++] = next[n];
            }
        sum += level_at(t, at);
        if (ponds->pond_of[at] > 0)
            region.pond = &ponds->pond[ponds->pond_of[at] - 1];
    }
    region.mean = (Height)(sum / (int64_t)region.cells);
    return region;
}

/* Makes still water of the cells in the queue, up to a level. False if memory is short. */
static bool make_water(const Terrain *t, Pond *pond, size_t cells, Height level)
{
    const Ponds *ponds = t->ponds;
    int i1 = 0, j1 = 0;
    *pond = (Pond){.i0 = t->nx, .j0 = t->ny, .cells = cells};
    for (size_t n = 0; n < cells; n++) {
        int i = (int)(ponds->queue[n] % (size_t)t->nx), j = (int)(ponds->queue[n] / (size_t)t->nx);
        pond->i0 = i < pond->i0 ? i : pond->i0;
        pond->j0 = j < pond->j0 ? j : pond->j0;
        i1 = i > i1 ? i : i1;
        j1 = j > j1 ? j : j1;
    }
    pond->nx = i1 - pond->i0 + 1;
    pond->ny = j1 - pond->j0 + 1;
    float *depth = calloc((size_t)pond->nx * (size_t)pond->ny, sizeof *depth);
    if (depth == NULL)
        return false;
    for (size_t n = 0; n < cells; n++) {
        size_t c = ponds->queue[n], i = c % (size_t)t->nx - (size_t)pond->i0;
        depth[i + (size_t)pond->nx * (c / (size_t)t->nx - (size_t)pond->j0)] =
            (float)metres(level - t->soil[c]);
    }
    PondWaterDef def = pond_water_default_def();
    def.nx = pond->nx;
    def.ny = pond->ny;
    def.cell = (float)t->cell;
    def.drag = 0.25f;
    def.fastest = 2;
    def.depth = depth;
    pond->water = pond_water_create(&def);
    free(depth);
    return pond->water != NULL;
}

static Pond *free_pond(Ponds *ponds)
{
    for (int p = 0; p < PONDS; p++)
        if (ponds->pond[p].water == NULL)
            return &ponds->pond[p];
    return NULL;
}

/* Gives the columns of a region one level, and their differences from it to the waves. */
static void enter(Terrain *t, const Region *region)
{
    Ponds *ponds = t->ponds;
    Pond *pond = free_pond(ponds);
    int64_t sum = 0;
    for (size_t n = 0; n < region->cells; n++)
        sum += level_at(t, ponds->queue[n]);
    Height level = (Height)floor((double)sum / (double)region->cells);
    int64_t rest = sum - level * (int64_t)region->cells;
    for (size_t n = 0; n < region->cells; n++)
        if (t->soil[ponds->queue[n]] > level)
            return; /* this ground would be dry */
    if (pond == NULL || !make_water(t, pond, region->cells, level))
        return;
    for (size_t n = 0; n < region->cells; n++) {
        size_t c = ponds->queue[n];
        pond_water_add(pond->water, (int)(c % (size_t)t->nx) - pond->i0,
                       (int)(c / (size_t)t->nx) - pond->j0, (float)metres(level_at(t, c) - level));
        t->water[c] = level - t->soil[c] + ((int64_t)n < rest);
        t->flux_x[c] = t->flux_y[c] = 0;
        ponds->pond_of[c] = (uint8_t)(1 + (pond - ponds->pond));
    }
    pond->still = true;
}

/* -- look ------------------------------------------------------------------------------------- */

/* Counts for how many checks the cells of a region have been calm. Then enters, or keeps its pond.
 */
static void judge(Terrain *t, const Region *region)
{
    const Height within = to_height(0.04), change = to_height(0.01 * CHECK_SLICES / SLICES);
    Ponds *ponds = t->ponds;
    size_t nearly_all = region->cells - region->cells / 10, flat = 0, calm = 0, long_calm = 0;
    for (size_t n = 0; n < region->cells; n++)
        flat += abs(level_at(t, ponds->queue[n]) - region->mean) < within;
    bool level = region->cells >= SMALLEST && flat >= nearly_all;
    for (size_t n = 0; n < region->cells; n++) {
        size_t c = ponds->queue[n];
        bool steady = level && abs(region->mean - ponds->mean[c]) < change;
        ponds->calm[c] = steady ? (uint8_t)(ponds->calm[c] + (ponds->calm[c] < CALM_CHECKS)) : 0;
        ponds->mean[c] = region->mean;
        calm += ponds->calm[c] > 0;
        long_calm += ponds->calm[c] == CALM_CHECKS;
    }
    if (region->pond == NULL && long_calm >= nearly_all)
        enter(t, region);
    else if (region->pond != NULL && calm >= nearly_all) {
        size_t before = region->pond->cells, tenth = before / 10;
        region->pond->still = region->cells <= before + tenth && region->cells + tenth >= before;
    }
}

static void look(Terrain *t)
{
    Ponds *ponds = t->ponds;
    for (int p = 0; p < PONDS; p++)
        ponds->pond[p].still = false;
    memset(ponds->seen, 0, cell_count(t));
    for (size_t c = 0; c < cell_count(t); c++) {
        if (!is_deep(t, c))
            ponds->calm[c] = 0;
        if (!is_deep(t, c) || ponds->seen[c])
            continue;
        Region region = search(t, c);
        judge(t, &region);
    }
    for (int p = 0; p < PONDS; p++)
        if (ponds->pond[p].water != NULL && !ponds->pond[p].still)
            leave(t, &ponds->pond[p]);
}

/* -- waves ------------------------------------------------------------------------------------ */

static uint32_t draw_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 32);
}

/* Each drop stands for many: at 1 mm/s, one in a slice for each 600 cells of the mesh, where it
 * falls anywhere; on dry cells it does nothing. The water of the rain falls in the flow solver;
 * here drops press on the surface. */
static void rain_on(Terrain *t, Pond *pond, double dt)
{
    double drops = 2e2 * t->rain * dt * pond->nx * pond->ny, chance = drops - floor(drops);
    int count = (int)drops + (draw_random(&t->ponds->seed) < chance * 0x1p32);
    for (int n = 0; n < count; n++) {
        float x = (float)(draw_random(&t->ponds->seed) * 0x1p-32 * pond->nx * t->cell);
        float y = (float)(draw_random(&t->ponds->seed) * 0x1p-32 * pond->ny * t->cell);
        pond_water_add_drop(pond->water, x, y, 0.45f, 0.04f);
    }
}

void ponds_press(Terrain *t, double x, double y, double height)
{
    int i = (int)floor(x / t->cell), j = (int)floor(y / t->cell);
    if (i < 0 || j < 0 || i >= t->nx || j >= t->ny)
        return;
    int number = t->ponds->pond_of[cell_at(t, i, j)];
    if (number == 0)
        return;
    const Pond *pond = &t->ponds->pond[number - 1];
    pond_water_add_drop(pond->water, (float)(x - pond->i0 * t->cell),
                        (float)(y - pond->j0 * t->cell), 0.75f, (float)height);
}

/* The bulldozer raises the water ahead of it and lowers that behind. */
static void push_ahead(Terrain *t, double dt)
{
    const Bulldozer *b = &t->bulldozer;
    double x = 1.6 * cos(b->heading), y = 1.6 * sin(b->heading), height = 0.3 * dt * b->drive;
    if (b->drive != 0) {
        ponds_press(t, b->x + x, b->y + y, height);
        ponds_press(t, b->x - x, b->y - y, -height);
    }
}

void ponds_step(Terrain *t, double dt)
{
    push_ahead(t, dt);
    for (int p = 0; p < PONDS; p++) {
        Pond *pond = &t->ponds->pond[p];
        if (pond->water == NULL)
            continue;
        rain_on(t, pond, dt);
        int steps = (int)ceil(dt / pond_water_largest_step(pond->water));
        for (int n = 0; n < steps; n++)
            pond_water_step(pond->water, dt / steps);
        pond->level = pond_water_volume(pond->water) / (t->cell * t->cell * (double)pond->cells);
    }
    if (t->slices % CHECK_SLICES == 0)
        look(t);
}
