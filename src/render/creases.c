/* SPDX-License-Identifier: MIT
 * Cuts creases into the edges of a view's smoke. */
#include "render/creases.h"

#include "base/vec3.h"
#include "render/view_spans.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A set of coordinates starts anew after PERIOD, s, if the noise is compressed by 1 + WORN or more
 * on the mean, and later in proportion if by less. */
#define PERIOD 0.4f
#define WORN   0.5
#define FAR    1e6f   /* coordinates of cells that have come further, in cells, become 0 */
#define REST   0.125f /* part of a set's life, at either end, in which it has no weight */

/* Compression of the noise up to which it is seen as it is, and from which it is not. */
#define COMPRESSED_LITTLE 1.5f
#define COMPRESSED_MUCH   3.0f

enum {
    SETS = 2,
    SET = 4,            /* floats of a set in a cell of the wind: x, y, z in cells of the smoke, and
                           the compression */
    MOVED = SETS * SET, /* floats of a cell of the wind */
    TILE_POINTS = 5,    /* lattice points of the large noise along the tile's edge */
    TILE_DOUBLINGS = 4, /* of the lattice, up to the tile */
    TILE = TILE_POINTS << TILE_DOUBLINGS,
    TILE_CELLS = 32, /* cells of the smoke along the tile's edge */
    TEXEL = 2,       /* values of a texel: large and small noise */
    UNIT = 32,       /* value of a texel where noise with mean square 1 is 1 */
    RUN = 64         /* cells of a row that are cut at a time */
};

/* -- noise ------------------------------------------------------------------------------------- */

/* Random value of a lattice point, -1..1, by the finaliser of MurmurHash3. */
static float random_at(uint32_t point, uint32_t seed)
{
    uint32_t h = point * 0x9e3779b1u ^ seed * 0x27d4eb2fu;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return (float)((h ^ (h >> 16)) >> 8) * 0x1p-23f - 1;
}

/* Doubles the points of a periodic lattice along one axis, to those of the same cubic B-spline
 * (Lane & Riesenfeld 1980). from: n points along the axis, `inner` apart, for `outer` values of the
 * axes above it. */
static void double_points(const float *from, size_t outer, size_t n, size_t inner, float *to)
{
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < inner; c++) {
                const float *line = from + o * n * inner + c;
                const float before = line[(i + n - 1) % n * inner], here = line[i * inner];
                const float after = line[(i + 1) % n * inner];
                float *out = to + (o * n + i) * 2 * inner + c;
                out[0] = 0.125f * (before + after) + 0.75f * here;
                out[inner] = 0.5f * (here + after);
            }
}

/* Fills one component of the tile with smooth noise of mean square 1. memory: room for the
 * floats of two tiles. */
static void fill_tile(int8_t *tile, int component, size_t points, float *memory)
{
    const size_t texels = (size_t)TILE * TILE * TILE;
    float *from = memory, *to = memory + texels;
    for (size_t point = 0; point < points * points * points; point++)
        from[point] = random_at((uint32_t)point, (uint32_t)component);
    for (size_t n = points; n < TILE; n *= 2)
        for (int axis = 0; axis < 3; axis++) {
            const size_t outer[3] = {n * n, n, 1}, inner[3] = {1, 2 * n, 4 * n * n};
            double_points(from, outer[axis], n, inner[axis], to);
            float *other = from;
            from = to;
            to = other;
        }
    double squares = 0;
    for (size_t texel = 0; texel < texels; texel++)
        squares += (double)from[texel] * (double)from[texel];
    const float scale = UNIT / (float)sqrt(squares / (double)texels);
    for (size_t texel = 0; texel < texels; texel++)
        tile[TEXEL * texel + (size_t)component] =
            (int8_t)lrintf(vector_clamp(scale * from[texel], -127, 127));
}

static bool make_tile(Creases *creases)
{
    const size_t texels = (size_t)TILE * TILE * TILE;
    float *memory = malloc(2 * texels * sizeof *memory);
    creases->tile = malloc(TEXEL * texels);
    if (memory != NULL && creases->tile != NULL) {
        for (int component = 0; component < TEXEL; component++)
            fill_tile(creases->tile, component, (size_t)TILE_POINTS << component, memory);
    } else {
        free(creases->tile);
        creases->tile = NULL;
    }
    free(memory);
    return creases->tile != NULL;
}

/* Adds weight times the noise at a place. place: in cells of the smoke. */
static inline void add_noise(const int8_t *tile, const float place[3], float weight,
                             float out[TEXEL])
{
    static const int steps[3] = {TEXEL, TEXEL * TILE, TEXEL * TILE * TILE};
    int at[3][2];
    float share[3][2];
    for (int axis = 0; axis < 3; axis++) {
        const float turns = place[axis] * (1.0f / TILE_CELLS);
        /* floorf is slow without SSE 4.1 */
        const float x = (turns - (float)((int)turns - (turns < (float)(int)turns))) * TILE;
        const int low = (int)x; /* 0..TILE, both included */
        share[axis][1] = x - (float)low;
        share[axis][0] = 1 - share[axis][1];
        at[axis][0] = low < TILE ? low * steps[axis] : 0;
        at[axis][1] = low + 1 < TILE ? (low + 1) * steps[axis] : 0;
    }
    for (int edge = 0; edge < 4; edge++) {
        const int y = edge & 1, z = edge >> 1;
        const int8_t *row = tile + at[1][y] + at[2][z];
        const float across = weight / UNIT * share[1][y] * share[2][z];
        for (int c = 0; c < TEXEL; c++)
            out[c] += across * (share[0][0] * row[at[0][0] + c] + share[0][1] * row[at[0][1] + c]);
    }
}

/* -- memory ------------------------------------------------------------------------------------ */

void creases_forget(Creases *creases)
{
    free(creases->moved[0]);
    free(creases->moved[1]);
    free(creases->tops);
    free(creases->sums);
    *creases = (Creases){.tile = creases->tile};
}

void creases_end(Creases *creases)
{
    creases_forget(creases);
    free(creases->tile);
    *creases = (Creases){.tile = NULL};
}

/* Cells of the smoke along an edge of a cell of the wind. */
static int refine_of(const Creases *creases)
{
    return creases->cells[0] / creases->wind[0];
}

static float *moved_in(const Creases *creases, float *moved, int i, int j, int k)
{
    return moved + MOVED * (i + creases->wind[0] * (j + (ptrdiff_t)creases->wind[1] * k));
}

/* Copies what the cells have in common with those of the box before it grew. */
static void move_in(const Creases *creases, const Creases *old)
{
    const int *n = creases->wind;
    const float size = creases->cell_size * (float)refine_of(creases);
    int shift[3];
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = (int)lroundf((creases->origin[axis] - old->origin[axis]) / size);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int x = i + shift[0], y = j + shift[1], z = k + shift[2];
                if (x >= 0 && x < old->wind[0] && y >= 0 && y < old->wind[1] && z >= 0 &&
                    z < old->wind[2])
                    memcpy(moved_in(creases, creases->moved[0], i, j, k),
                           moved_in(old, old->moved[0], x, y, z), MOVED * sizeof(float));
            }
}

/* Makes room for a view of another size or place. */
static bool make_room(Creases *creases, const BillowView *view)
{
    const BillowView wind = billow_wind_view(view);
    const int winds[3] = {wind.nx, wind.ny, wind.nz}, cells[3] = {view->nx, view->ny, view->nz};
    if (creases->tile == NULL && !make_tile(creases))
        return false;
    if (creases->sums != NULL && memcmp(winds, creases->wind, sizeof winds) == 0 &&
        memcmp(cells, creases->cells, sizeof cells) == 0 &&
        memcmp(view->origin, creases->origin, sizeof view->origin) == 0 &&
        view->cell_size == creases->cell_size)
        return true;
    Creases old = *creases;
    const bool grown = old.sums != NULL && old.cell_size == view->cell_size &&
                       refine_of(&old) == cells[0] / winds[0];
    if (!grown)
        creases_forget(&old);
    size_t wind_cells = 1, blocks = 1;
    for (int axis = 0; axis < 3; axis++) {
        creases->wind[axis] = winds[axis];
        creases->cells[axis] = cells[axis];
        creases->blocks[axis] = (cells[axis] + 1) / 2;
        creases->origin[axis] = view->origin[axis];
        wind_cells *= (size_t)winds[axis];
        blocks *= (size_t)creases->blocks[axis];
    }
    creases->cell_size = view->cell_size;
    creases->time = grown ? old.time : view->time;
    creases->moved[0] = calloc(MOVED * wind_cells, sizeof(float));
    creases->moved[1] = calloc(MOVED * wind_cells, sizeof(float));
    creases->tops = calloc(2 * blocks, sizeof(float));
    creases->sums = calloc(2 * (size_t)cells[2], sizeof(double));
    const bool whole = creases->moved[0] != NULL && creases->moved[1] != NULL &&
                       creases->tops != NULL && creases->sums != NULL;
    if (whole && grown)
        move_in(creases, &old);
    creases_forget(&old);
    if (!whole)
        creases_forget(creases);
    return whole;
}

/* -- coordinates ------------------------------------------------------------------------------- */

/* Interpolates between the cells of the wind around a place, given in these cells. */
static inline void moved_at(const Creases *creases, const float place[3], float out[MOVED])
{
    const int *n = creases->wind;
    const ptrdiff_t step[3] = {MOVED, MOVED * (ptrdiff_t)n[0], MOVED * (ptrdiff_t)n[0] * n[1]};
    ptrdiff_t at = 0, next[3];
    float share[3];
    for (int axis = 0; axis < 3; axis++) {
        /* unlike vector_clamp, this makes a number of a NaN */
        const float x = vector_most(vector_least(place[axis], (float)(n[axis] - 1)), 0);
        const int low = (int)x;
        share[axis] = x - (float)low;
        at += low * step[axis];
        next[axis] = low + 1 < n[axis] ? step[axis] : 0;
    }
    memset(out, 0, MOVED * sizeof *out);
    for (int edge = 0; edge < 4; edge++) {
        const float y = edge & 1 ? share[1] : 1 - share[1], z = edge & 2 ? share[2] : 1 - share[2];
        const float *a =
            creases->moved[0] + at + (edge & 1 ? next[1] : 0) + (edge & 2 ? next[2] : 0);
        const float *b = a + next[0];
        for (int c = 0; c < MOVED; c++)
            out[c] += y * z * ((1 - share[0]) * a[c] + share[0] * b[c]);
    }
}

/* The periods that a set has behind it. The whole part counts how often it began anew; the fraction
 * is its age. */
static double set_turn(double turn, int set)
{
    return turn + 0.5 * set;
}

/* Weight of a set: 0 for some time before and after it starts anew. The two add up to 1. */
static float set_weight(double turn, int set)
{
    const double phase = set_turn(turn, set);
    const float age = (float)(phase - floor(phase));
    return vector_clamp((1 - fabsf(2 * age - 1) - REST) / (1 - 2 * REST), 0, 1);
}

/* The cells of row (j, k) of the wind that hold smoke or are near some. */
static BillowSpan near_smoke(const Creases *creases, const BillowView *view, int j, int k)
{
    enum { BESIDE = 2 };
    const int *n = creases->wind, refine = refine_of(creases);
    int begin = n[0], end = 0;
    for (int z = k - BESIDE; z <= k + BESIDE; z++)
        for (int y = j - BESIDE; y <= j + BESIDE; y++) {
            if (y < 0 || y >= n[1] || z < 0 || z >= n[2])
                continue;
            const BillowSpan span = view_span(view, y * refine, z * refine);
            if (span.begin >= span.end)
                continue;
            begin = span.begin / refine < begin ? span.begin / refine : begin;
            end = (span.end - 1) / refine + 1 > end ? (span.end - 1) / refine + 1 : end;
        }
    if (begin >= end)
        return (BillowSpan){0, 0};
    return (BillowSpan){(short)(begin > BESIDE ? begin - BESIDE : 0),
                        (short)(end + BESIDE < n[0] ? end + BESIDE : n[0])};
}

/* Advects the coordinates of a row of the wind's cells, as far as smoke is near; the others keep
 * theirs, or begin anew. cells: of the wind, that a speed of 1 m/s passes. */
static void advect_row(const Creases *creases, const BillowView *view, const BillowView *wind,
                       float cells, const bool anew[SETS], int j, int k)
{
    const float refine = (float)refine_of(creases);
    const BillowSpan span = near_smoke(creases, view, j, k);
    memcpy(moved_in(creases, creases->moved[1], 0, j, k),
           moved_in(creases, creases->moved[0], 0, j, k),
           MOVED * sizeof(float) * (size_t)creases->wind[0]);
    for (int i = span.begin; i < span.end; i++) {
        const ptrdiff_t at = i + j * wind->stride_y + k * wind->stride_z;
        const float way[3] = {0.5f * cells * (wind->u[at] + wind->u[at + 1]),
                              0.5f * cells * (wind->v[at] + wind->v[at + wind->stride_y]),
                              0.5f * cells * (wind->w[at] + wind->w[at + wind->stride_z])};
        const float place[3] = {(float)i - way[0], (float)j - way[1], (float)k - way[2]};
        float *out = moved_in(creases, creases->moved[1], i, j, k);
        moved_at(creases, place, out);
        for (int set = 0; set < SETS; set++)
            for (int axis = 0; axis < 3; axis++) {
                const float sum = out[SET * set + axis] + refine * way[axis];
                out[SET * set + axis] = sum > -FAR && sum < FAR ? sum : 0; /* a NaN, too */
            }
    }
    for (int set = 0; set < SETS; set++)
        for (int i = 0; i < creases->wind[0] && anew[set]; i++)
            memset(moved_in(creases, creases->moved[1], i, j, k) + SET * set, 0,
                   SET * sizeof(float));
}

/* Notes in a cell of the wind how much the noise of each set is compressed: the longest of the
 * derivatives of its coordinates along the axes; 1 where it is as it was made. */
static void measure_compression(const Creases *creases, int i, int j, int k)
{
    const int *n = creases->wind, cell[3] = {i, j, k};
    const ptrdiff_t step[3] = {MOVED, MOVED * (ptrdiff_t)n[0], MOVED * (ptrdiff_t)n[0] * n[1]};
    const float scale = 0.5f / (float)refine_of(creases);
    float *here = moved_in(creases, creases->moved[1], i, j, k), longest[SETS] = {0};
    for (int axis = 0; axis < 3; axis++) {
        const float *after = cell[axis] + 1 < n[axis] ? here + step[axis] : here;
        const float *before = cell[axis] > 0 ? here - step[axis] : here;
        for (int set = 0; set < SETS; set++) {
            float squares = 0;
            for (int part = 0; part < 3; part++) {
                const float slope = (part == axis ? 1.0f : 0.0f) -
                                    scale * (after[SET * set + part] - before[SET * set + part]);
                squares += slope * slope;
            }
            longest[set] = vector_most(longest[set], squares);
        }
    }
    for (int set = 0; set < SETS; set++)
        here[SET * set + 3] = sqrtf(longest[set]);
}

/* Measures the compression in a plane of the wind's cells, and sums that of cells with smoke, of
 * the set with the larger weight. */
static void measure_plane(Creases *creases, const BillowView *view, int older, int k)
{
    const int refine = refine_of(creases);
    double *sum = creases->sums + 2 * k;
    sum[0] = sum[1] = 0;
    for (int j = 0; j < creases->wind[1]; j++) {
        const BillowSpan span = view_span(view, j * refine, k * refine);
        const BillowSpan near = near_smoke(creases, view, j, k);
        for (int i = near.begin; i < near.end; i++) {
            measure_compression(creases, i, j, k);
            if (i * refine < span.begin || i * refine >= span.end)
                continue;
            sum[0] += (double)moved_in(creases, creases->moved[1], i, j, k)[SET * older + 3];
            sum[1]++;
        }
    }
}

/* Advects both sets over dt and measures them. */
static void advance(Creases *creases, const BillowView *view, float dt)
{
    const BillowView wind = billow_wind_view(view);
    const double before = creases->turn;
    bool anew[SETS];
    creases->turn += (double)(dt / PERIOD) * fmin(creases->worn / WORN, 1);
    for (int set = 0; set < SETS; set++)
        anew[set] = floor(set_turn(before, set)) != floor(set_turn(creases->turn, set));
    const int older = set_weight(creases->turn, 0) > set_weight(creases->turn, 1) ? 0 : 1;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int k = 0; k < wind.nz; k++)
            for (int j = 0; j < wind.ny; j++)
                advect_row(creases, view, &wind, dt / wind.cell_size, anew, j, k);
#pragma omp for schedule(static)
        for (int k = 0; k < wind.nz; k++)
            measure_plane(creases, view, older, k);
    }
    double sum = 0, count = 0;
    for (int k = 0; k < wind.nz; k++) {
        sum += creases->sums[2 * k];
        count += creases->sums[2 * k + 1];
    }
    creases->worn = count > 0 ? fmax(sum / count - 1, 0) : 0;
    float *next = creases->moved[1];
    creases->moved[1] = creases->moved[0];
    creases->moved[0] = next;
}

bool creases_follow(Creases *creases, const BillowView *view)
{
    if (!make_room(creases, view))
        return false;
    const double seconds = view->time - creases->time;
    creases->time = view->time;
    if (seconds < 0 || seconds >= (double)PERIOD) { /* another state: all begins anew */
        memset(creases->moved[0], 0,
               sizeof(float) * MOVED * (size_t)creases->wind[0] * (size_t)creases->wind[1] *
                   (size_t)creases->wind[2]);
        creases->turn = creases->worn = 0;
    } else if (seconds > 0 && view->u != NULL) {
        advance(creases, view, (float)seconds);
    }
    return true;
}

/* -- depth in the smoke ------------------------------------------------------------------------ */

static float *tops_row(const Creases *creases, float *tops, int j, int k)
{
    return tops + creases->blocks[0] * (j + (ptrdiff_t)creases->blocks[1] * k);
}

/* The largest density in each block of two cells along each axis. */
static void find_own_tops(const Creases *creases, const BillowView *view, const float *density,
                          float *own, int k)
{
    memset(tops_row(creases, own, 0, k), 0,
           (size_t)creases->blocks[0] * (size_t)creases->blocks[1] * sizeof *own);
    for (int z = 2 * k; z < 2 * k + 2 && z < view->nz; z++)
        for (int y = 0; y < view->ny; y++) {
            const BillowSpan span = view_span(view, y, z);
            const float *row = density + y * view->stride_y + z * view->stride_z;
            float *to = tops_row(creases, own, y / 2, k);
            for (int i = span.begin; i < span.end; i++)
                to[i / 2] = vector_most(to[i / 2], row[i]);
        }
}

/* The largest density in each block and in those around it. */
static void find_tops(const Creases *creases, float *own, int k)
{
    const int *n = creases->blocks;
    for (int j = 0; j < n[1]; j++) {
        float *to = tops_row(creases, creases->tops, j, k);
        memset(to, 0, (size_t)n[0] * sizeof *to);
        for (int beside = 0; beside < 9; beside++) {
            const int y = j + beside % 3 - 1, z = k + beside / 3 - 1;
            if (y < 0 || y >= n[1] || z < 0 || z >= n[2])
                continue;
            const float *from = tops_row(creases, own, y, z);
            for (int i = 0; i < n[0]; i++)
                to[i] = vector_most(
                    to[i], vector_most(from[i], vector_most(from[i > 0 ? i - 1 : i],
                                                            from[i + 1 < n[0] ? i + 1 : i])));
        }
    }
}

/* Interpolates the tops to RUN cells of row (j, k), from cell `first` on, an even one. */
static void tops_of_run(const Creases *creases, int first, int j, int k, float *tops)
{
    const int *n = creases->blocks, cell[3] = {0, j, k};
    int low[3], high[3];
    for (int axis = 1; axis < 3; axis++) { /* the block of the cell, and the one nearest to it */
        const int block = cell[axis] / 2, beside = block + (cell[axis] % 2 ? 1 : -1);
        low[axis] = block;
        high[axis] = beside < 0 || beside >= n[axis] ? block : beside;
    }
    const float *rows[4] = {tops_row(creases, creases->tops, low[1], low[2]),
                            tops_row(creases, creases->tops, high[1], low[2]),
                            tops_row(creases, creases->tops, low[1], high[2]),
                            tops_row(creases, creases->tops, high[1], high[2])};
    float line[RUN / 2 + 2];
    for (int b = 0; b < RUN / 2 + 2; b++) {
        const int at = first / 2 + b - 1, i = at < 0 ? 0 : at < n[0] ? at : n[0] - 1;
        line[b] = 0.75f * (0.75f * rows[0][i] + 0.25f * rows[1][i]) +
                  0.25f * (0.75f * rows[2][i] + 0.25f * rows[3][i]);
    }
    for (int b = 0; b < RUN / 2; b++) {
        tops[2 * b] = 0.25f * line[b] + 0.75f * line[b + 1];
        tops[2 * b + 1] = 0.75f * line[b + 1] + 0.25f * line[b + 2];
    }
}

/* -- the cut ----------------------------------------------------------------------------------- */

#define RAMP  0.3f  /* of depth, over which a deep cut sets in */
#define FAINT 1e-3f /* density below which a cut would not be seen */

/* What all cells have in common. */
typedef struct Cut {
    float deepest;       /* depth at which the valleys end */
    float ramp;          /* of depth, over which a cut sets in */
    float weights[SETS]; /* of the noise's sets; their sum is 1 */
    float size;          /* of the noise with these weights */
    float corner[3];     /* of the box, in cells from the scene's origin */
} Cut;

/* Height of the noise in a cell, 0 to 1. Where the flow has compressed it to stripes, it has its
 * mean height instead. */
static float height(const Creases *creases, const Cut *cut, const int cell[3])
{
    const float MEAN = 0.5f;
    const float refine = (float)refine_of(creases);
    float place[3], moved[MOVED], noise[TEXEL] = {0}, shown = 0;
    for (int axis = 0; axis < 3; axis++)
        place[axis] = ((float)cell[axis] + 0.5f) / refine - 0.5f;
    moved_at(creases, place, moved);
    for (int set = 0; set < SETS; set++) {
        const float *of_set = moved + SET * set;
        const float clear = vector_clamp(
            (COMPRESSED_MUCH - of_set[3]) / (COMPRESSED_MUCH - COMPRESSED_LITTLE), 0, 1);
        const float apart = 5.3f * (float)set; /* the sets are places of one noise */
        float at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = cut->corner[axis] + (float)cell[axis] - of_set[axis] + apart;
        shown += cut->weights[set] * clear;
        if (cut->weights[set] * clear > 0)
            add_noise(creases->tile, at, cut->weights[set] * clear / cut->size, noise);
    }
    return vector_least(0.4f * fabsf(noise[0]) + 0.25f * fabsf(noise[1]) + MEAN * (1 - shown), 1);
}

/* Share of its density that a cell keeps. top: the largest density around. */
static float kept(const Creases *creases, const Cut *cut, const int cell[3], float density,
                  float top)
{
    const float LEAST = 0.3f; /* share of the deepest cut that the highest hills suffer */
    const float depth = density / top;
    if (depth >= cut->deepest + cut->ramp)
        return 1;
    if (depth <= LEAST * cut->deepest)
        return 0;
    const float ground = cut->deepest * (1 - (1 - LEAST) * height(creases, cut, cell));
    const float t = vector_clamp((depth - ground) / cut->ramp, 0, 1);
    return t * t * (3 - 2 * t);
}

static void cut_row(Creases *creases, const Cut *cut, const float *density, BillowSpan span, int j,
                    int k, float *to)
{
    float tops[RUN];
    double before = 0, after = 0;
    for (int first = span.begin / 2 * 2; first < span.end; first += RUN) {
        const int begin = first > span.begin ? first : span.begin;
        const int end = first + RUN < span.end ? first + RUN : span.end;
        tops_of_run(creases, first, j, k, tops);
        for (int i = begin; i < end; i++) {
            const float was = density[i];
            to[i] = was > FAINT
                        ? was * kept(creases, cut, (const int[3]){i, j, k}, was, tops[i - first])
                        : was;
            before += (double)was;
            after += (double)to[i];
        }
    }
    creases->sums[2 * k] += before;
    creases->sums[2 * k + 1] += after;
}

void creases_cut(Creases *creases, const BillowView *view, const float *density, float depth,
                 float *to)
{
    Cut cut = {.deepest = vector_least(1.2f * depth, 1 - RAMP)};
    cut.ramp = vector_least(RAMP, cut.deepest);
    for (int set = 0; set < SETS; set++)
        cut.weights[set] = set_weight(creases->turn, set);
    cut.size = sqrtf(cut.weights[0] * cut.weights[0] + cut.weights[1] * cut.weights[1]);
    for (int axis = 0; axis < 3; axis++)
        cut.corner[axis] = view->origin[axis] / view->cell_size;
    float *own = tops_row(creases, creases->tops, 0, creases->blocks[2]);
    memset(creases->sums, 0, 2 * (size_t)view->nz * sizeof *creases->sums);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int k = 0; k < creases->blocks[2]; k++)
            find_own_tops(creases, view, density, own, k);
#pragma omp for schedule(static)
        for (int k = 0; k < creases->blocks[2]; k++)
            find_tops(creases, own, k);
#pragma omp for schedule(dynamic, 4)
        for (int k = 0; k < view->nz; k++)
            for (int j = 0; j < view->ny; j++) {
                const ptrdiff_t row = j * view->stride_y + k * view->stride_z;
                cut_row(creases, &cut, density + row, view_span(view, j, k), j, k, to + row);
            }
    }
    double before = 0, after = 0;
    for (int k = 0; k < view->nz; k++) {
        before += creases->sums[2 * k];
        after += creases->sums[2 * k + 1];
    }
    const float scale = after > 0 ? (float)(before / after) : 1;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            const BillowSpan span = view_span(view, j, k);
            const ptrdiff_t row = j * view->stride_y + k * view->stride_z;
            for (ptrdiff_t at = row + span.begin; at < row + span.end; at++)
                to[at] *= scale;
        }
}
