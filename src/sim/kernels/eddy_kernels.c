/* SPDX-License-Identifier: MIT
 *
 * Kernels of eddies that are smaller than wind cells (smoke/eddies.h). Every edge of a
 * smoke cell has a potential along it: that of the pattern times the strength at the edge's middle,
 * interpolated between the nodes of the wind. What flows through a face is the circulation of the
 * potential around it. Two faces of a cell share each of its edges, and their flows out of the cell
 * take it with opposite signs. Eddies therefore have no divergence, however the strength changes.
 */
#include "sim/kernels/kernels.h"
#include "sim/kernels/lanes.h"
#include "sim/kernels/loops.h"

#include <math.h>
#include <string.h>

enum {
    COLUMNS = ROW_ALIGNMENT,
    EDGES = COLUMNS + 1, /* those of COLUMNS faces in a row */
    NODES = COLUMNS,     /* no fewer than around EDGES edges */
    ROOM = 2 * COLUMNS   /* so that vectors need not end with the edges */
};

/* -- along x ----------------------------------------------------------------------------------- */

/* Where EDGES edges side by side in a row of smoke cells lie between the nodes of the wind: number
 * of the node before each, counted from `first`, and the share of the way to the next node. */
typedef struct Spread {
    int first;   /* node */
    int pattern; /* place of the first edge in a row of the pattern */
    int at[ROOM];
    float share[ROOM];
} Spread;

/* middle: of the edges along x, else of those at the low end of the cells from `cell` on. */
static Spread spread_of(const Wind *wind, int cell, bool middle)
{
    const int refine = wind->refine;
    Spread spread = {.first = cell / refine,
                     .pattern = (cell + wind->eddies->shift[0]) % wind->eddies->cells};
    for (int e = 0, begin = cell - spread.first * refine; e < ROOM; e += LANES_WIDTH) {
        Lanes number;
        const LaneInts at = wind_cells(begin + e, refine, &number);
        memcpy(spread.at + e, &at, sizeof at);
        lanes_store(spread.share + e, (number + (middle ? 0.5f : 0)) / (float)refine);
    }
    return spread;
}

/* Strength at the edges, at the share `between` of the way from the row of nodes `a` to `b`. Reads
 * NODES + 1 nodes, which may lie beyond the row. */
static void spread_nodes(const Spread *spread, const float *a, const float *b, float between,
                         float out[EDGES])
{
    float nodes[ROOM], next[ROOM]; /* more than are set: lanes_pick reads them */
    a += spread->first, b += spread->first;
    for (int n = 0; n < NODES; n++)
        nodes[n] = (1 - between) * a[n] + between * b[n];
    for (int n = 0; n < NODES; n++)
        next[n] = (1 - between) * a[n + 1] + between * b[n + 1];
    for (int e = 0; e < COLUMNS; e += LANES_WIDTH) {
        LaneInts at;
        memcpy(&at, spread->at + e, sizeof at);
        const Lanes share = lanes_load(spread->share + e);
        lanes_store(out + e, (1.0f - share) * lanes_pick(nodes, at) + share * lanes_pick(next, at));
    }
    const float share = spread->share[COLUMNS];
    const int last = spread->at[COLUMNS];
    out[COLUMNS] = (1.0f - share) * nodes[last] + share * next[last];
}

/* -- along y and z ----------------------------------------------------------------------------- */

/* Where edges lie along y or z: the nodes before and after, the share of the way between them, and
 * the place in the pattern. */
typedef struct Place {
    int low, high, pattern;
    float share;
} Place;

/* middle: of the edges along the axis, else of those at the low end of the cell. */
static Place place_of(const Wind *wind, int axis, int cell, bool middle)
{
    const int refine = wind->refine, low = cell / refine;
    const float share = ((float)(cell - low * refine) + (middle ? 0.5f : 0)) / (float)refine;
    return (Place){low, low + (share > 0), (cell + wind->eddies->shift[axis]) % wind->eddies->cells,
                   share};
}

/* Strength at a row of edges in a plane of nodes across `axis`, y or z. place: along the other. */
static void strength_at(const Wind *wind, int axis, int plane, const Place *place,
                        const Spread *spread, float out[EDGES])
{
    const Grid *grid = wind->grid;
    const ptrdiff_t stride = grid->strides[3 - axis];
    const float *nodes = wind->eddies->strength + plane * grid->strides[axis];
    spread_nodes(spread, nodes + place->low * stride, nodes + place->high * stride, place->share,
                 out);
}

/* Whether any node has strength in a plane across `axis`, between these places along the other. */
static bool has_eddies(const Wind *wind, int axis, int plane, int low, int high)
{
    const int rows = wind->grid->ny + 1, strides[3] = {0, 1, rows};
    const float *strongest = wind->eddies->strongest + plane * strides[axis];
    bool any = false;
    for (int place = low; place <= high; place++)
        any |= strongest[place * strides[3 - axis]] > 0.0f;
    return any;
}

/* The pattern of the potential along `axis` at a row of edges. */
static const float *pattern_at(const Wind *wind, int axis, int y, int z, const Spread *spread)
{
    const Eddies *eddies = wind->eddies;
    return eddies->potential[axis] + (y + (ptrdiff_t)z * eddies->cells) * eddies->row +
           spread->pattern;
}

/* -- the flow through faces -------------------------------------------------------------------- */

/* The strength at the edges around COLUMNS faces: those along x on two sides, and those across, one
 * at the beginning of each face and one after the last. */
enum { LOW, HIGH, ACROSS, SIDES };
typedef float Strength[SIDES][EDGES];

/* out += scale * (high - low - (difference of `across`)), of the potentials at the share `between`
 * of the way from the strength `before` to that `after`. */
static void add_faces(float scale, float between, Strength before, Strength after,
                      const float *const pattern[SIDES], float *out)
{
    float potential[SIDES][EDGES];
    for (int side = 0; side < SIDES; side++)
        for (int e = 0; e < EDGES; e++)
            potential[side][e] =
                ((1 - between) * before[side][e] + between * after[side][e]) * pattern[side][e];
    for (int c = 0; c < COLUMNS; c++)
        out[c] += scale * ((potential[HIGH][c] - potential[LOW][c]) -
                           (potential[ACROSS][c + 1] - potential[ACROSS][c]));
}

static void columns(const Wind *wind, int axis, const int cell[3], int count, float *out)
{
    const int other = 3 - axis, last = wind->grid->cells[axis];
    const Spread ends = spread_of(wind, cell[0], false), middles = spread_of(wind, cell[0], true);
    const Spread *spreads[SIDES] = {&middles, &middles, &ends};
    const Place places[SIDES] = {place_of(wind, other, cell[other], false),
                                 place_of(wind, other, cell[other] + 1, false),
                                 place_of(wind, other, cell[other], true)};
    const float scale = axis == 1 ? wind->scale : -wind->scale;
    Strength strength[2] = {0};
    bool any = false;
    int known = -1; /* the plane of nodes before the face, if `strength` is of it and the next */
    for (int f = 0; f < count; f++, out += COLUMNS) {
        const Place here = place_of(wind, axis, cell[axis] + f, false);
        if (here.low != known) {
            /* beside the last face of a rank's planes nothing is known, nor needed */
            const int next = f < count - 1 && here.low < last ? here.low + 1 : here.high;
            any = has_eddies(wind, axis, here.low, places[LOW].low, places[HIGH].high) ||
                  has_eddies(wind, axis, next, places[LOW].low, places[HIGH].high);
            for (int side = 0; side < SIDES && any; side++) {
                strength_at(wind, axis, here.low, &places[side], spreads[side], strength[0][side]);
                strength_at(wind, axis, next, &places[side], spreads[side], strength[1][side]);
            }
            known = here.low;
        }
        if (!any)
            continue;
        const float *pattern[SIDES];
        for (int side = 0; side < SIDES; side++) {
            const int y = axis == 1 ? here.pattern : places[side].pattern,
                      z = axis == 1 ? places[side].pattern : here.pattern;
            pattern[side] = pattern_at(wind, side == ACROSS ? other : 0, y, z, spreads[side]);
        }
        add_faces(scale, here.share, strength[0], strength[1], pattern, out);
    }
}

/* Adds sign times the difference of the potential along `axis`, y or z, between the edges at the
 * low and at the high end of cell number `cell` along the other. place: of the edges along `axis`.
 */
static void add_edges(const Wind *wind, int axis, int cell, const Place *place,
                      const Spread *spread, float sign, float sum[COLUMNS])
{
    const int across = 3 - axis;
    const Place ends[2] = {place_of(wind, across, cell, false),
                           place_of(wind, across, cell + 1, false)};
    const int plane = ends[0].low;
    if (!has_eddies(wind, across, plane, place->low, place->high) &&
        !has_eddies(wind, across, plane + 1, place->low, place->high))
        return;
    float low[EDGES], high[EDGES];
    strength_at(wind, across, plane, place, spread, low);
    strength_at(wind, across, plane + 1, place, spread, high);
    const float *pattern[2];
    for (int end = 0; end < 2; end++) {
        const int y = axis == 1 ? place->pattern : ends[end].pattern,
                  z = axis == 1 ? ends[end].pattern : place->pattern;
        pattern[end] = pattern_at(wind, axis, y, z, spread);
    }
    const float first = ends[0].share, second = ends[1].low > plane ? 1 : ends[1].share;
    for (int e = 0; e < COLUMNS; e++)
        sum[e] += sign * (((1 - second) * low[e] + second * high[e]) * pattern[1][e] -
                          ((1 - first) * low[e] + first * high[e]) * pattern[0][e]);
}

static void row(const Wind *wind, int first, int j, int k, int n, float *out)
{
    const Place y = place_of(wind, 1, j, true), z = place_of(wind, 2, k, true);
    const int part = COLUMNS - COLUMNS % wind->refine; /* so that one spread serves all parts */
    Spread ends = spread_of(wind, first, false);
    for (int begin = 0; begin < n; begin += part) {
        float flow[COLUMNS] = {0};
        add_edges(wind, 2, j, &z, &ends, 1, flow);
        add_edges(wind, 1, k, &y, &ends, -1, flow);
        for (int c = 0; c < part && begin + c < n; c++)
            out[begin + c] += wind->scale * flow[c];
        ends.first += part / wind->refine;
        ends.pattern = (ends.pattern + part) % wind->eddies->cells;
    }
}

/* -- strength ---------------------------------------------------------------------------------- */

/* Mean of the difference of two values on both sides of a node, of which each is there twice. */
static inline float change(float low_a, float high_a, float low_b, float high_b)
{
    return 0.5f * ((high_a - low_a) + (high_b - low_b));
}

static float measure(const Wind *wind, int j, int k, float gain, float most, float *strength)
{
    const Grid *grid = wind->grid;
    const ptrdiff_t y = grid->stride_y, z = grid->stride_z;
    const float *u = wind->speed[0] + grid_row(grid, j, k),
                *v = wind->speed[1] + grid_row(grid, j, k),
                *w = wind->speed[2] + grid_row(grid, j, k);
    strength[0] = strength[grid->nx] = 0;
    INDEPENDENT
    for (int i = 1; i < grid->nx; i++) {
        const float u00 = u[i - y - z], u10 = u[i - z], u01 = u[i - y], u11 = u[i];
        const float v00 = v[i - 1 - z], v10 = v[i - z], v01 = v[i - 1], v11 = v[i];
        const float w00 = w[i - 1 - y], w10 = w[i - y], w01 = w[i - 1], w11 = w[i];
        const float x_curl = change(w00, w01, w10, w11) - change(v00, v01, v10, v11),
                    y_curl = change(u00, u01, u10, u11) - change(w00, w10, w01, w11),
                    z_curl = change(v00, v10, v01, v11) - change(u00, u10, u01, u11);
        const float size = gain * sqrtf(x_curl * x_curl + y_curl * y_curl + z_curl * z_curl);
        const float limited = size < most ? size : most;
        const int shut = (u00 == 0) | (u10 == 0) | (u01 == 0) | (u11 == 0) | (v00 == 0) |
                         (v10 == 0) | (v01 == 0) | (v11 == 0) | (w00 == 0) | (w10 == 0) |
                         (w01 == 0) | (w11 == 0);
        strength[i] = shut ? 0 : limited;
    }
    float largest = 0;
    for (int i = 1; i < grid->nx; i++)
        largest = strength[i] > largest ? strength[i] : largest;
    return largest;
}

const EddyKernels KERNELS(eddies) = {.measure = measure, .row = row, .columns = columns};
