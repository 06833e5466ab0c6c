/* SPDX-License-Identifier: MIT
 * A finer view of the fields: sharpened, interpolated, and displaced by noise. */
#include "sim/upres/upres_cells.h"

#include "base/fail.h"
#include "base/float_mode.h"
#include "base/process_limits.h"
#include "sim/fields/region.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Time in which the noise changes where there are no texture coordinates, s. */
#define CHANGE_SECONDS 0.5

/* Steps in which the noise displaces smoke. */
enum { FLOW_STEPS = 3 };

BillowUpresDef billow_default_upres(void)
{
    return (BillowUpresDef){.factor = 2, .turbulence = 1.5f, .sharpening = 3};
}

/* -- memory ------------------------------------------------------------------------------------ */

static Lattice lattice_of(const BillowView *view)
{
    Lattice lattice = {.n = {view->nx, view->ny, view->nz}, .planes = {0, view->nz}};
    size_t size = 1;
    for (int axis = 0; axis < 3; axis++) {
        lattice.strides[axis] = (ptrdiff_t)size;
        size *= (size_t)(lattice.n[axis] + 2 * GHOSTS);
    }
    lattice.floats = size;
    return lattice;
}

static int count_scalars(const BillowView *view)
{
    ViewScalar scalars[VIEW_SCALARS_MAX];
    return scalars_of_view(view, scalars);
}

static size_t cell_floats(const BillowUpres *upres, const BillowView *view)
{
    int fields =
        CELL_FIELDS + count_scalars(view) + (view->texture[0][0] != NULL ? TEXTURE_FIELDS : 0);
    return (size_t)fields * upres->cells.floats;
}

/* Size of the fine scalars. */
static size_t fine_floats(const BillowUpres *upres, const BillowView *view)
{
    return (size_t)count_scalars(view) * upres->fine_floats;
}

/* own: planes of the view that belong to this rank. beside: number of planes at each end of them
 * that this rank also refines; it holds another one, as smoothing across planes needs a neighbour.
 */
static BillowUpres measured(const BillowView *view, const BillowUpresDef *def, Slab own, int beside)
{
    const Slab held = {most(own.begin - beside - 1, 0), least(own.end + beside + 1, view->nz)};
    BillowUpres upres = {.def = *def,
                         .threads = def->threads > 0 ? def->threads : region_threads(),
                         .cells = lattice_of(view),
                         .own = own,
                         .fine_own = {def->factor * own.begin, def->factor * own.end},
                         .fine_held = {def->factor * held.begin, def->factor * held.end}};
    for (int axis = 0; axis < 3; axis++) {
        upres.fine[axis] = def->factor * upres.cells.n[axis];
        upres.bricks[axis] = (upres.cells.n[axis] + BRICK - 1) / BRICK;
    }
    upres.fine_y = upres.fine[0];
    upres.fine_z = upres.fine_y * upres.fine[1];
    upres.fine_floats =
        (size_t)upres.fine_z * (size_t)(upres.fine_held.end - upres.fine_held.begin);
    return upres;
}

double billow_upres_bytes(const BillowView *view, const BillowUpresDef *def)
{
    FLOAT_MODE_OWN;
    assert(view != NULL && def != NULL);
    const BillowUpres upres = measured(view, def, (Slab){0, view->nz}, 0);
    return sizeof(float) * ((double)fine_floats(&upres, view) + (double)cell_floats(&upres, view));
}

static bool allocate(BillowUpres *upres, const BillowView *view)
{
    const Lattice *cells = &upres->cells;
    upres->fine_memory = calloc(fine_floats(upres, view), sizeof(float));
    upres->cell_memory = calloc(cell_floats(upres, view), sizeof(float));
    upres->busy =
        malloc((size_t)upres->bricks[0] * (size_t)upres->bricks[1] * (size_t)upres->bricks[2]);
    upres->tile = malloc(TILE_FLOATS * sizeof(float));
    upres->lines =
        malloc((size_t)upres->threads * LINES * (size_t)cells->strides[1] * sizeof(float));
    upres->plane_sums = malloc((size_t)upres->fine[2] * sizeof(double));
    if (upres->plane_sums == NULL || upres->fine_memory == NULL || upres->cell_memory == NULL ||
        upres->busy == NULL || upres->tile == NULL || upres->lines == NULL)
        return false;
    float *at = upres->cell_memory + GHOSTS * (1 + cells->strides[1] + cells->strides[2]);
    float **const always[CELL_FIELDS] = {&upres->smoke, &upres->sharper, &upres->reach,
                                         &upres->depth, &upres->soft};
    for (int field = 0; field < CELL_FIELDS; field++, at += cells->floats)
        *always[field] = at;
    ViewScalar scalars[VIEW_SCALARS_MAX];
    upres->scalar_count = scalars_of_view(view, scalars);
    for (int n = 0; n < upres->scalar_count; n++, at += cells->floats) {
        upres->scalars[n] = at;
        upres->of_smoke[n] = scalars[n].of_smoke;
        upres->any_of_smoke |= scalars[n].of_smoke;
    }
    for (int n = 0; n < TEXTURE_FIELDS && view->texture[0][0] != NULL; n++, at += cells->floats)
        upres->textures[n] = at;
    return upres_make_tile(upres->tile);
}

/* Limits the planes of cells to those that the fine planes depend on. A fine cell depends on the
 * cells within the displacement and two more (cubic()); each of these on one more for each pass
 * that sharpens, or on five for erosion (measure_depth()). Bricks depend on those beside them. */
static void limit_planes(BillowUpres *upres, int beside)
{
    enum { EROSION_REACH = 5 };
    const int cells = upres->cells.n[2];
    /* The largest displacement along z, cells: see displace(). The weights of the two sets of noise
     * add up to at most sqrt(2). */
    float largest = 0, finer = upres->def.factor > 2 ? 1.2f / (float)upres->def.factor : 0;
    for (size_t texel = 2; texel < TILE_FLOATS; texel += TEXEL)
        largest = fmaxf(largest, fabsf(upres->tile[texel]));
    float displaced = upres->def.turbulence * sqrtf(2) * largest * (1 + finer);
    upres->halo = (int)ceilf(displaced) + 3 + most(upres->def.sharpening, EROSION_REACH);
    upres->halo = least(most(upres->halo, 2 * BRICK) + beside, cells);
    upres->cells.planes =
        (Slab){most(upres->own.begin - upres->halo, 0), least(upres->own.end + upres->halo, cells)};
}

/* Allocates the offsets of gather, of which exchange_cuts() finds the rest. */
static bool divide(BillowUpres *upres, const BillowExchange *exchange)
{
    const size_t count = (size_t)exchange->ranks + 1;
    size_t *memory = calloc(OFFSETS * count, sizeof *memory);
    upres->exchange = *exchange;
    for (int array = 0; array < OFFSETS; array++)
        upres->offsets[array] = memory + (memory != NULL ? (size_t)array * count : 0);
    for (size_t r = 0; r < count && memory != NULL; r++)
        upres->offsets[OF_RANKS][r] = r * sizeof *memory;
    return memory != NULL;
}

/* Tells the ranks where the planes of each begin. */
static void exchange_cuts(BillowUpres *upres)
{
    const BillowExchange *exchange = &upres->exchange;
    size_t *cells = upres->offsets[OF_CELLS];
    if (exchange->ranks < 2)
        return;
    cells[exchange->rank] = (size_t)upres->own.begin * sizeof(double);
    exchange->gather(exchange->context, cells, upres->offsets[OF_RANKS]);
    cells[exchange->ranks] = (size_t)upres->cells.n[2] * sizeof(double);
    for (int r = 0; r <= exchange->ranks; r++)
        upres->offsets[OF_FINE][r] = (size_t)upres->def.factor * cells[r];
}

BillowUpres *billow_upres_create(const BillowView *view, const BillowUpresDef *def,
                                 BillowError *error)
{
    const int planes[2] = {0, view != NULL ? view->nz : 0};
    return billow_upres_create_exchanging(view, def, NULL, planes, 0, error);
}

BillowUpres *billow_upres_create_exchanging(const BillowView *view, const BillowUpresDef *def,
                                            const BillowExchange *exchange, const int planes[2],
                                            int beside, BillowError *error)
{
    FLOAT_MODE_OWN;
    BillowUpres *upres = NULL;
    if (view == NULL || def == NULL || view->nx < 1 || view->ny < 1 || view->nz < 1 ||
        view->density == NULL)
        fail(error, "upres needs a view with cells and density, and a definition; begin with that "
                    "of billow_default_upres");
    else if (def->factor < BILLOW_UPRES_MIN || def->factor > BILLOW_UPRES_MAX)
        fail(error, "upres factor %d: it must be %d to %d", def->factor, BILLOW_UPRES_MIN,
             BILLOW_UPRES_MAX);
    else if (!(def->turbulence >= 0 && def->turbulence <= 4))
        fail(error, "upres turbulence %g: it must be 0 to 4", (double)def->turbulence);
    else if (def->sharpening < 0 || def->sharpening > BILLOW_UPRES_SHARP_MAX)
        fail(error, "upres sharpening %d: it must be 0 to %d", def->sharpening,
             BILLOW_UPRES_SHARP_MAX);
    else if (!(def->erosion >= 0 && def->erosion <= 1))
        fail(error, "upres erosion %g: it must be 0 to 1", (double)def->erosion);
    else
        upres = malloc(sizeof *upres);
    if (upres == NULL)
        return NULL;
    *upres = measured(view, def, (Slab){planes[0], planes[1]}, beside);
    double left;
    bool whole = (exchange != NULL || process_limits_allow(billow_upres_bytes(view, def), &left)) &&
                 allocate(upres, view) && (exchange == NULL || divide(upres, exchange));
    if (whole && exchange != NULL)
        limit_planes(upres, beside + 1);
    if (whole)
        return upres;
    billow_upres_destroy(upres);
    fail(error, "not enough memory for %d times as many cells along each axis", def->factor);
    return NULL;
}

int billow_upres_reach(const BillowUpres *upres)
{
    assert(upres != NULL);
    return upres->halo;
}

void billow_upres_destroy(BillowUpres *upres)
{
    if (upres == NULL)
        return;
    free(upres->offsets[OF_CELLS]);
    free(upres->fine_memory);
    free(upres->cell_memory);
    free(upres->busy);
    free(upres->tile);
    free(upres->plane_sums);
    free(upres->lines);
    free(upres);
}

/* -- interpolation ----------------------------------------------------------------------------- */

/* Interpolates a field of cells across to a fine row. line: one value per cell and ghost. */
static void blend_line(const BillowUpres *upres, const float *field, int j, int k, float *line)
{
    const Lattice *cells = &upres->cells;
    const ptrdiff_t y = cells->strides[1], z = cells->strides[2];
    float s, t;
    int low_j = upres_cell_before(upres->def.factor, j, &s);
    int low_k = upres_cell_before(upres->def.factor, k, &t);
    const float *a = field + low_j * y + low_k * z - GHOSTS;
    for (int i = 0; i < y; i++)
        line[i] =
            (1 - t) * ((1 - s) * a[i] + s * a[i + y]) + t * ((1 - s) * a[i + z] + s * a[i + y + z]);
}

/* Value of a line between cell `low` and the next. */
static float along(const float *line, int low, float share)
{
    return (1 - share) * line[low + GHOSTS] + share * line[low + GHOSTS + 1];
}

/* The cells around a place, for cubic interpolation (Catmull and Rom 1974). */
typedef struct Around {
    ptrdiff_t at; /* of the first of 4 x 4 x 4 cells */
    float weight[3][4];
} Around;

/* place: in cells from the centre of the first. */
static Around around(const Lattice *cells, const float place[3])
{
    Around found = {0};
    for (int axis = 0; axis < 3; axis++) {
        float x = fminf(fmaxf(place[axis], 0), (float)(cells->n[axis] - 1));
        float low = floorf(x), t = x - low, *weight = found.weight[axis];
        found.at += ((ptrdiff_t)low - 1) * cells->strides[axis];
        weight[0] = t * (-0.5f + t * (1 - 0.5f * t));
        weight[1] = 1 + t * t * (1.5f * t - 2.5f);
        weight[2] = t * (0.5f + t * (2 - 1.5f * t));
        weight[3] = 0.5f * t * t * (t - 1);
    }
    return found;
}

/* Value of a field of cells, limited to the values around, so that no new extremes appear. */
static float cubic(const Lattice *cells, const float *field, const Around *found)
{
    const ptrdiff_t y = cells->strides[1], z = cells->strides[2];
    const float *p = field + found->at, *w = found->weight[0];
    float sum = 0, low = p[1 + y + z], high = low;
    for (int corner = 0; corner < 8; corner++) {
        const float value =
            p[1 + (corner & 1) + (1 + (corner >> 1 & 1)) * y + (1 + (corner >> 2)) * z];
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (low == high)
        return low;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            const float *row = p + j * y + k * z;
            sum += found->weight[2][k] * found->weight[1][j] *
                   (w[0] * row[0] + w[1] * row[1] + w[2] * row[2] + w[3] * row[3]);
        }
    return fminf(fmaxf(sum, low), high);
}

/* -- the fine view ----------------------------------------------------------------------------- */

/* Weights and offsets of the noise's two sets of places. */
typedef struct NoiseSets {
    float weight[2];
    float offset[2]; /* cells */
    int corner[3];   /* where the noise begins: the corner of the box before it grew, cells */
} NoiseSets;

/* The squares of the weights add up to 1, so that the noise keeps its size while they change. */
static NoiseSets noise_sets(const BillowUpres *upres, const BillowView *view)
{
    NoiseSets sets = {.offset = {0, 5.3f}};
    for (int axis = 0; axis < 3; axis++)
        if (view->home[1][axis] > view->home[0][axis])
            sets.corner[axis] =
                (int)lroundf((view->home[0][axis] - view->origin[axis]) / view->cell_size);
    if (upres->textures[0] != NULL) {
        const float *weight = view->texture_weight;
        float size = sqrtf(weight[0] * weight[0] + weight[1] * weight[1]);
        for (int set = 0; set < 2; set++)
            sets.weight[set] = weight[set] / size;
        return sets;
    }
    double phase = view->time / CHANGE_SECONDS, turn = floor(phase), t = phase - turn;
    float size = (float)sqrt(t * t + (1 - t) * (1 - t));
    sets.weight[0] = (float)(1 - t) / size;
    sets.weight[1] = (float)t / size;
    for (int set = 0; set < 2; set++)
        sets.offset[set] = TILE_CELLS * upres_random((uint32_t)((int64_t)turn + set), 0, 0, 9);
    return sets;
}

/* A fine row, with the lines of cells interpolated across to it. */
typedef struct Row {
    int j, k;
    float *line[LINES];
    const unsigned char *busy; /* of the bricks along it */
} Row;

/* A share that falls from 1 at `full` to 0 at `none`. */
static float fade(float value, float full, float none)
{
    return fminf(fmaxf((none - value) / (none - full), 0), 1);
}

/* Where a set of the noise is at a fine cell. */
typedef struct NoisePlace {
    float at[3];      /* cells */
    float compressed; /* 1: as it was made */
} NoisePlace;

static NoisePlace noise_place(const BillowUpres *upres, const NoiseSets *sets, const Row *row,
                              int i, int set)
{
    const int here[3] = {i, row->j, row->k};
    NoisePlace place = {.compressed = 1};
    float t;
    int low = upres_cell_before(upres->def.factor, i, &t);
    for (int axis = 0; axis < 3; axis++)
        place.at[axis] = (float)(here[axis] - upres->def.factor * sets->corner[axis]) /
                             (float)upres->def.factor +
                         sets->offset[set];
    if (upres->textures[0] == NULL)
        return place;
    for (int axis = 0; axis < 3; axis++)
        place.at[axis] += along(row->line[LINE_TEXTURES + 3 * set + axis], low, t);
    place.compressed = along(row->line[LINE_TEXTURES + TEXTURES + set], low, t);
    return place;
}

/* Adds a copy of the noise that is `scale` times as fine as the tile. It fades where the flow
 * compresses it so much that the fine cells could not show it. */
static void add_noise(const BillowUpres *upres, const NoisePlace *place, float scale, float weight,
                      float out[3])
{
    const bool fine = scale > 1;
    float at[3];
    for (int axis = 0; axis < 3; axis++)
        at[axis] = scale * place->at[axis] + (fine ? 2.9f : 0);
    float shown = fade(place->compressed, fine ? 1 : 1.5f / scale, fine ? 2.5f : 4 / scale);
    if (weight * shown == 0)
        return;
    upres_add_noise(upres->tile, at, weight * shown, out);
}

/* Displacement of the smoke of a fine cell, cells: by the noise as a flow, in steps along which its
 * places, but not its strength, change. One step of this length would fold the smoke over, where
 * the noise changes by more than the displacement, and pieces of it would appear beside it. A
 * second, smaller copy of the noise has sizes that only three and more fine cells per cell can
 * show. */
static void displace(const BillowUpres *upres, const NoiseSets *sets, const Row *row, int i,
                     float moved[3])
{
    const float finer = (float)upres->def.factor / 1.2f;
    float t;
    int low = upres_cell_before(upres->def.factor, i, &t);
    const float reach = along(row->line[LINE_REACH], low, t);
    NoisePlace start[2];
    memset(moved, 0, 3 * sizeof *moved);
    for (int set = 0; set < 2 && reach > 0; set++)
        start[set] = noise_place(upres, sets, row, i, set);
    for (int step = 0; step < FLOW_STEPS && reach > 0; step++) {
        float more[3] = {0};
        for (int set = 0; set < 2; set++) {
            const float weight = reach * sets->weight[set];
            NoisePlace place = start[set];
            for (int axis = 0; axis < 3; axis++)
                place.at[axis] -= moved[axis];
            if (step == 0 && upres->def.factor > 2)
                add_noise(upres, &place, finer, weight / finer, more);
            add_noise(upres, &place, 1, weight / FLOW_STEPS, more);
        }
        for (int axis = 0; axis < 3; axis++)
            moved[axis] += more[axis];
    }
}

/* Share of the smoke that erosion leaves. depth: 0 outside of the smoke, 1 inside. The magnitude of
 * noise is a row of rounded hills between narrow valleys: smoke stays under the hills, so that
 * lobes part at sharp creases. */
static float kept(const BillowUpres *upres, const NoiseSets *sets, const Row *row, int i,
                  float depth)
{
    const float RAMP = 0.1f;  /* of depth, over which erosion sets in */
    const float LEAST = 0.3f; /* share of the deepest cut that the highest hills suffer */
    const float deepest = 0.9f * upres->def.erosion;
    if (depth >= deepest + RAMP)
        return 1;
    if (depth <= LEAST * deepest)
        return 0;
    float large[3] = {0}, small[3] = {0};
    for (int set = 0; set < 2; set++) {
        if (sets->weight[set] == 0)
            continue;
        const NoisePlace place = noise_place(upres, sets, row, i, set);
        add_noise(upres, &place, 0.5f, sets->weight[set], large);
        add_noise(upres, &place, (float)upres->def.factor / 1.5f, sets->weight[set], small);
    }
    float hill = fminf(0.4f * fabsf(large[0]) + 0.25f * fabsf(small[1]), 1);
    float t = fminf(fmaxf((depth - deepest * (1 - (1 - LEAST) * hill)) / RAMP, 0), 1);
    return t * t * (3 - 2 * t);
}

/* Value of a field of cells at a place, linearly interpolated. */
static float linear(const Lattice *cells, const float *field, const float place[3])
{
    float share[3];
    ptrdiff_t at = 0;
    for (int axis = 0; axis < 3; axis++) {
        float x = fminf(fmaxf(place[axis], 0), (float)(cells->n[axis] - 1)), low = floorf(x);
        at += (ptrdiff_t)low * cells->strides[axis];
        share[axis] = x - low;
    }
    return upres_between(field + at, cells->strides, share);
}

/* Fills a fine cell with a share of the smoke of a place. Colours and age keep their share of
 * the density. */
static void fill_cell(const Task *task, ptrdiff_t to, const float place[3], float share)
{
    const BillowUpres *upres = task->upres;
    const Lattice *cells = &upres->cells;
    const Around found = around(cells, place);
    float density = share > 0 ? share * task->scale * cubic(cells, upres->smoke, &found) : 0;
    float *out = upres->fine_memory + to;
    *out = density;
    float ratio = share == 0 || !upres->any_of_smoke
                      ? 0
                      : density / fmaxf(cubic(cells, upres->scalars[0], &found), 1e-6f);
    for (int n = 1; n < upres->scalar_count; n++) {
        out += upres->fine_floats;
        *out = (upres->of_smoke[n] ? ratio : 1) * cubic(cells, upres->scalars[n], &found);
    }
}

/* Where a fine cell or face is in each field of fine_scalars(). */
static ptrdiff_t fine_at(const BillowUpres *upres, int i, int j, int k)
{
    return i + j * upres->fine_y + (k - upres->fine_held.begin) * upres->fine_z;
}

static void fill_row(const Task *task, const NoiseSets *sets, const Row *row)
{
    const BillowUpres *upres = task->upres;
    const int factor = upres->def.factor;
    for (int i = 0; i < upres->fine[0]; i++) {
        ptrdiff_t at = fine_at(upres, i, row->j, row->k);
        if (!row->busy[i / (BRICK * factor)]) {
            for (int n = 0; n < upres->scalar_count; n++)
                upres->fine_memory[at + (ptrdiff_t)upres->fine_floats * n] = 0;
            continue;
        }
        const int here[3] = {i, row->j, row->k};
        float place[3];
        displace(upres, sets, row, i, place);
        for (int axis = 0; axis < 3; axis++)
            place[axis] = ((float)here[axis] + 0.5f) / (float)factor - 0.5f - place[axis];
        float share = 1;
        if (upres->def.erosion > 0)
            share = kept(upres, sets, row, i, linear(&upres->cells, upres->depth, place));
        fill_cell(task, at, place, share);
    }
}

static void fill_planes(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const NoiseSets sets = noise_sets(upres, task->view);
    const int size = BRICK * upres->def.factor;
    const Slab slab = upres_slab(team, upres->fine_held);
    Row row;
    for (int line = 0; line < LINES; line++)
        row.line[line] = upres->lines + (team.index * LINES + line) * upres->cells.strides[1];
    for (row.k = slab.begin; row.k < slab.end; row.k++)
        for (row.j = 0; row.j < upres->fine[1]; row.j++) {
            row.busy =
                upres->busy + upres->bricks[0] * (row.j / size + upres->bricks[1] * (row.k / size));
            blend_line(upres, upres->reach, row.j, row.k, row.line[LINE_REACH]);
            for (int field = 0; field < TEXTURE_FIELDS && upres->textures[0] != NULL; field++)
                blend_line(upres, upres->textures[field], row.j, row.k,
                           row.line[LINE_TEXTURES + field]);
            fill_row(task, &sets, &row);
        }
}

static void sum_fine_row(const Task *task, int j, int k)
{
    const BillowUpres *upres = task->upres;
    const float *row = upres->fine_memory + fine_at(upres, 0, j, k);
    upres_sum_row(task, row, upres->fine[0], j, k);
}

/* Density, colours and age, but not the temperature. */
static void scale_fine_row(const Task *task, int j, int k)
{
    const BillowUpres *upres = task->upres;
    float *row = upres->fine_memory + fine_at(upres, 0, j, k);
    for (int n = 0; n < upres->scalar_count; n++, row += upres->fine_floats)
        for (int i = 0; i < upres->fine[0] && (n == 0 || upres->of_smoke[n]); i++)
            row[i] *= task->scale;
}

/* Gives the eroded smoke, and its colours, the mass of the view. */
static void keep_mass(Task *task)
{
    const BillowUpres *upres = task->upres;
    const double factor = upres->def.factor;
    upres_rows(task, upres->fine_own, upres->fine[1], sum_fine_row);
    double left = upres_sum(upres, OF_FINE);
    task->scale = left > 0 ? (float)(task->mass * factor * factor * factor / left) : 1;
    upres_rows(task, upres->fine_held, upres->fine[1], scale_fine_row);
}

/* Share of each neighbour along an axis in a smoothed fine cell. An eighth would give the values of
 * the cells' quadratic B-spline, on which nothing shows the cells, but folds blur. A sixteenth
 * hides the steps and keeps the folds. */
#define SMOOTHED 0.0625f

static inline float smoothed(float before, float here, float after)
{
    return SMOOTHED * (before + after) + (1 - 2 * SMOOTHED) * here;
}

/* Smooths `count` lines of n values, which follow each other by `step`, across the lines. spare:
 * memory for two lines. */
static void smooth_lines(float *first, ptrdiff_t step, int count, int n, float *spare)
{
    const size_t bytes = (size_t)n * sizeof *first;
    float *before = spare, *here = spare + n;
    memcpy(before, first, bytes);
    for (int line = 0; line < count; line++) {
        float *to = first + line * step;
        const float *next = line + 1 < count ? to + step : to;
        for (int i = 0; i < n; i++) {
            here[i] = to[i];
            to[i] = smoothed(before[i], to[i], next[i]);
        }
        float *last = before;
        before = here;
        here = last;
    }
}

/* The memory of a worker for two fine lines. */
static float *spare_lines(const BillowUpres *upres, Team team)
{
    static_assert(LINES >= 2 * BILLOW_UPRES_MAX, "the lines of cells hold two fine lines");
    return upres->lines + team.index * LINES * upres->cells.strides[1];
}

static void smooth_planes(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Slab slab = upres_slab(team, upres->fine_held);
    const int n = upres->fine[0];
    float *spare = spare_lines(upres, team);
    float *field = upres->fine_memory;
    for (int scalar = 0; scalar < upres->scalar_count; scalar++, field += upres->fine_floats)
        for (int k = slab.begin; k < slab.end; k++) {
            smooth_lines(field + fine_at(upres, 0, 0, k), upres->fine_y, upres->fine[1], n, spare);
            for (int j = 0; j < upres->fine[1]; j++) {
                float *row = field + fine_at(upres, 0, j, k);
                memcpy(spare, row, (size_t)n * sizeof *row);
                for (int i = 1; i < n - 1; i++)
                    row[i] = smoothed(spare[i - 1], spare[i], spare[i + 1]);
                row[0] = smoothed(spare[0], spare[0], spare[1]);
                row[n - 1] = smoothed(spare[n - 2], spare[n - 1], spare[n - 1]);
            }
        }
}

static void smooth_across(void *context, Team team)
{
    const Task *task = context;
    const BillowUpres *upres = task->upres;
    const Slab slab = upres_slab(team, (Slab){0, upres->fine[1]}), held = upres->fine_held;
    float *field = upres->fine_memory;
    for (int scalar = 0; scalar < upres->scalar_count; scalar++, field += upres->fine_floats)
        for (int j = slab.begin; j < slab.end; j++)
            smooth_lines(field + fine_at(upres, 0, j, held.begin), upres->fine_z,
                         held.end - held.begin, upres->fine[0], spare_lines(upres, team));
}

/* The fine view, whose scalars point to parts of the memory. It counts planes from the first of the
 * box, which is not in the memory of each rank. Its wind is that of the view. */
static BillowView fine_view(const BillowUpres *upres, const BillowView *view)
{
    const float *next = upres->fine_memory - upres->fine_held.begin * upres->fine_z;
    const BillowView wind = billow_wind_view(view);
    BillowView fine = *view;
    fine.refine = upres->fine[0] / wind.nx;
    fine.wind_stride_y = wind.stride_y;
    fine.wind_stride_z = wind.stride_z;
    fine.nx = upres->fine[0];
    fine.ny = upres->fine[1];
    fine.nz = upres->fine[2];
    fine.stride_y = upres->fine_y;
    fine.stride_z = upres->fine_z;
    fine.cell_size = view->cell_size / (float)upres->def.factor;
    fine.spans = NULL;
    fine.pressure[0] = fine.pressure[1] = NULL;
    memset(fine.texture, 0, sizeof fine.texture);
    ViewScalar scalars[VIEW_SCALARS_MAX];
    int count = scalars_of_view(&fine, scalars);
    for (int n = 0; n < count; n++, next += upres->fine_floats)
        *scalars[n].values = next;
    return fine;
}

BillowView billow_upres_view(BillowUpres *upres, const BillowView *view)
{
    FLOAT_MODE_OWN;
    assert(upres != NULL && view != NULL);
    assert(view->nx == upres->cells.n[0] && view->ny == upres->cells.n[1] &&
           view->nz == upres->cells.n[2] && view->density != NULL);
    Task task = {.upres = upres, .view = view, .scale = 1};
    exchange_cuts(upres);
    upres_prepare(&task);
    team_run(upres->threads, fill_planes, &task);
    if (upres->def.erosion > 0)
        keep_mass(&task);
    /* Dense smoke ends within a cell or two. Linear interpolation between these, as in pictures,
     * shows each cell of such an edge as a step. */
    team_run(upres->threads, smooth_planes, &task);
    team_run(upres->threads, smooth_across, &task);
    return fine_view(upres, view);
}
