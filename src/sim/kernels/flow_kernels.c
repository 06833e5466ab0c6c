/* SPDX-License-Identifier: MIT
 *
 * Kernels of the wind between the faces of its cells, at the faces of smoke cells. In a wind cell,
 * with x, y and z from -1/2 to 1/2, the speed at the faces x = -1/2 and 1/2 varies linearly along y
 * and z,
 *
 *     U(y, z) = u + s_y y + s_z z
 *
 * with slopes s from the faces beside it. Between them it is (Balsara 2001)
 *
 *     u(x, y, z) = (1/2 - x) U_low + (1/2 + x) U_high + a (x^2 - 1/4)
 *
 * and likewise along y and z, with an a along each axis such that the divergence is the same
 * everywhere in the cell. Through all faces of smoke cells in a face of the wind flows what flows
 * through that face, and every smoke cell has the divergence of its wind cell: a uniform smoke
 * stays uniform.
 *
 * A face without flow is shut, or seems so: its slopes are 0, so that nothing passes a wall. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/lanes.h"

#include <string.h>

enum {
    COLUMNS = ROW_ALIGNMENT,
    ROOM = 2 * COLUMNS + 1 /* of what lanes_pick reads */
};

static int inside(int index, int count, bool wraps)
{
    if (index >= 0 && index < count)
        return index;
    return wraps ? (index + count) % count : index < 0 ? 0 : count - 1;
}

/* Speeds of component `axis` in the row of wind faces (j, k), each of which may lie one beyond the
 * box. */
static const float *row_of(const Wind *wind, int axis, int j, int k)
{
    const Grid *grid = wind->grid;
    j = inside(j, grid->ny + (axis == 1), wind->wraps[1]);
    k = inside(k, grid->nz + (axis == 2), wind->wraps[2]);
    return wind->speed[axis] + grid_row(grid, j, k);
}

/* COLUMNS elements of a row, and one on both sides: element c is at[1 + c]. */
typedef struct Segment {
    const float *at;
    float ends[COLUMNS + 2];
} Segment;

/* The elements from `first` on of component `axis` in row (j, k), of which `count` are wanted. The
 * others are any values. */
static void load_segment(const Wind *wind, int axis, int first, int count, int j, int k,
                         Segment *segment)
{
    const int nx = wind->grid->nx + (axis == 0);
    const float *row = row_of(wind, axis, j, k);
    segment->at = row + first - 1;
    if (first >= 1 && first + count < nx)
        return;
    const bool wraps = wind->wraps[0] && axis != 0;
    for (int c = -1; c <= COLUMNS; c++)
        segment->ends[1 + c] = row[inside(first + c, nx, wraps)];
    segment->at = segment->ends;
}

/* Slope at an element from those before and after it. A face without flow is shut, or as good as
 * shut: nothing may pass any part of it. */
static inline float slope(float at, float before, float after)
{
    const float mean = 0.5f * (after - before);
    return at == 0.0f ? 0 : mean;
}

/* Position of smoke cell `cell` in its wind cell, from -1/2 to 1/2. */
static float middle(int cell, int refine)
{
    return ((float)(cell % refine) + 0.5f) / (float)refine - 0.5f;
}

/* Speed between the two faces of a wind cell, at x from -1/2 to 1/2. */
static inline Lanes between(Lanes x, Lanes low, Lanes high, Lanes bend)
{
    return (0.5f - x) * low + (0.5f + x) * high + (x * x - 0.25f) * bend;
}

/* -- along y and z ----------------------------------------------------------------------------- */

/* COLUMNS smoke cells side by side in a row: the wind cell of each, counted from `first`, and its
 * position in that cell. */
typedef struct Spread {
    int first, count; /* wind cells */
    int at[COLUMNS];
    float x[COLUMNS];
} Spread;

static Spread spread_of(int cell, int refine)
{
    Spread spread = {.first = cell / refine};
    const int begin = cell - spread.first * refine;
    for (int c = 0; c < COLUMNS; c += LANES_WIDTH) {
        Lanes number;
        const LaneInts at = wind_cells(begin + c, refine, &number);
        memcpy(spread.at + c, &at, sizeof at);
        lanes_store(spread.x + c, (number + 0.5f) / (float)refine - 0.5f);
    }
    spread.count = spread.at[COLUMNS - 1] + 1;
    return spread;
}

/* Wind faces number `along` along an axis, y or z, and number `across` along the other. */
typedef struct FaceRow {
    int axis, along, across;
} FaceRow;

/* Loads component `component` in the row that lies so many rows from this one. */
static void load_beside(const Wind *wind, const FaceRow *row, int component, const Spread *spread,
                        int along, int across, Segment *segment)
{
    along += row->along, across += row->across;
    if (row->axis == 1)
        load_segment(wind, component, spread->first, spread->count, along, across, segment);
    else
        load_segment(wind, component, spread->first, spread->count, across, along, segment);
}

/* U at smoke cells: y, position across. */
static void spread_face(const Wind *wind, const FaceRow *row, const Spread *spread, float y,
                        float out[COLUMNS])
{
    Segment segments[3];
    for (int d = 0; d < 3; d++)
        load_beside(wind, row, row->axis, spread, 0, d - 1, &segments[d]);
    const float *before = segments[0].at, *at = segments[1].at, *after = segments[2].at;
    float middles[ROOM], slopes[ROOM];
    for (int c = 0; c < COLUMNS; c++) {
        middles[c] = at[1 + c] + y * slope(at[1 + c], before[1 + c], after[1 + c]);
        slopes[c] = slope(at[1 + c], at[c], at[2 + c]);
    }
    for (int c = 0; c < COLUMNS; c += LANES_WIDTH)
        lanes_store(out + c, lanes_pick_at(middles, spread->at + c) +
                                 lanes_load(spread->x + c) * lanes_pick_at(slopes, spread->at + c));
}

/* a of the wind cells above these faces. */
static void spread_bend(const Wind *wind, const FaceRow *row, const Spread *spread,
                        float out[COLUMNS])
{
    const int other = 3 - row->axis;
    Segment segments[3][3];
    const float *x[3], *low[3], *high[3];
    float bends[ROOM];
    for (int d = 0; d < 3; d++) {
        load_beside(wind, row, 0, spread, d - 1, 0, &segments[d][0]);
        load_beside(wind, row, other, spread, d - 1, 0, &segments[d][1]);
        load_beside(wind, row, other, spread, d - 1, 1, &segments[d][2]);
        x[d] = segments[d][0].at, low[d] = segments[d][1].at, high[d] = segments[d][2].at;
    }
    for (int c = 0; c < COLUMNS; c++)
        bends[c] = -0.5f * (slope(x[1][c + 2], x[0][c + 2], x[2][c + 2]) -
                            slope(x[1][c + 1], x[0][c + 1], x[2][c + 1]) +
                            slope(high[1][c + 1], high[0][c + 1], high[2][c + 1]) -
                            slope(low[1][c + 1], low[0][c + 1], low[2][c + 1]));
    for (int c = 0; c < COLUMNS; c += LANES_WIDTH)
        lanes_store(out + c, lanes_pick_at(bends, spread->at + c));
}

static void columns(const Wind *wind, int axis, const int cell[3], int count, float *out)
{
    const int refine = wind->refine, other = 3 - axis;
    if (refine == 1) {
        const float *speeds = wind->speed[axis] + grid_row(wind->grid, cell[1], cell[2]) + cell[0];
        for (int f = 0; f < count; f++, out += COLUMNS, speeds += wind->grid->strides[axis])
            for (int c = 0; c < COLUMNS; c++)
                out[c] = wind->scale * speeds[c];
        return;
    }
    const Spread spread = spread_of(cell[0], refine);
    const float y = middle(cell[other], refine);
    float low[COLUMNS] = {0}, high[COLUMNS] = {0}, bend[COLUMNS] = {0};
    FaceRow row = {axis, -1, cell[other] / refine};
    for (int f = 0; f < count; f++, out += COLUMNS) {
        const int face = cell[axis] + f, cells = face / refine;
        if (row.along != cells) {
            if (row.along == cells - 1 && f > 0)
                memcpy(low, high, sizeof low);
            else
                spread_face(wind, &(FaceRow){axis, cells, row.across}, &spread, y, low);
            row.along = cells;
            if (cells < wind->grid->cells[axis]) {
                spread_face(wind, &(FaceRow){axis, cells + 1, row.across}, &spread, y, high);
                spread_bend(wind, &row, &spread, bend);
            }
        }
        const Lanes x = lanes_all((float)(face % refine) / (float)refine - 0.5f);
        for (int c = 0; c < COLUMNS; c += LANES_WIDTH)
            lanes_store(out + c, wind->scale * between(x, lanes_load(low + c), lanes_load(high + c),
                                                       lanes_load(bend + c)));
    }
}

/* -- along x ----------------------------------------------------------------------------------- */

/* U of the faces, and a of the cells, of COLUMNS wind cells from `first` on in row (j, k), of which
 * `count` are wanted; U also of the face after the last. y and z: the position across. */
static void row_faces(const Wind *wind, int first, int count, int j, int k, float y, float z,
                      float faces[ROOM], float bends[ROOM])
{
    enum { AT, SOUTH, NORTH, BELOW, ABOVE, PLACES };
    static const int places[PLACES][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    Segment segments[PLACES + 4];
    const float *u[PLACES], *v[2], *w[2];
    for (int p = 0; p < PLACES; p++) {
        load_segment(wind, 0, first, count, j + places[p][0], k + places[p][1], &segments[p]);
        u[p] = segments[p].at;
    }
    for (int high = 0; high < 2; high++) {
        load_segment(wind, 1, first, count, j + high, k, &segments[PLACES + high]);
        load_segment(wind, 2, first, count, j, k + high, &segments[PLACES + 2 + high]);
        v[high] = segments[PLACES + high].at, w[high] = segments[PLACES + 2 + high].at;
    }
    for (int c = 1; c <= COLUMNS + 1; c++)
        faces[c - 1] = u[AT][c] + y * slope(u[AT][c], u[SOUTH][c], u[NORTH][c]) +
                       z * slope(u[AT][c], u[BELOW][c], u[ABOVE][c]);
    for (int c = 1; c <= COLUMNS; c++)
        bends[c - 1] =
            -0.5f *
            (slope(v[1][c], v[1][c - 1], v[1][c + 1]) - slope(v[0][c], v[0][c - 1], v[0][c + 1]) +
             slope(w[1][c], w[1][c - 1], w[1][c + 1]) - slope(w[0][c], w[0][c - 1], w[0][c + 1]));
}

/* Writes the speeds, times scale, through the `refine` low faces of each of COLUMNS wind cells. */
static void fill_faces(float scale, int refine, const float faces[ROOM], const float bends[ROOM],
                       float *out)
{
    for (int c = 0; c < COLUMNS * refine; c += LANES_WIDTH) {
        Lanes number;
        const LaneInts at = wind_cells(c, refine, &number);
        lanes_store(out + c, scale * between(number / (float)refine - 0.5f, lanes_pick(faces, at),
                                             lanes_pick(faces + 1, at), lanes_pick(bends, at)));
    }
}

static void row(const Wind *wind, int first, int j, int k, int n, float *out)
{
    const int refine = wind->refine;
    if (refine == 1) {
        const float *speeds = wind->speed[0] + grid_row(wind->grid, j, k) + first;
        for (int i = 0; i < n; i++)
            out[i] = wind->scale * speeds[i];
        return;
    }
    const float y = middle(j, refine), z = middle(k, refine);
    float faces[ROOM], bends[ROOM], values[COLUMNS * BILLOW_REFINE_MAX];
    for (int i = first, end = first + n; i < end;) {
        const int begin = i / refine, needed = (end - 1) / refine - begin + 1;
        row_faces(wind, begin, needed < COLUMNS ? needed : COLUMNS, j / refine, k / refine, y, z,
                  faces, bends);
        fill_faces(wind->scale, refine, faces, bends, values);
        const int skipped = i - begin * refine, made = COLUMNS * refine - skipped;
        const int count = made < end - i ? made : end - i;
        memcpy(out, values + skipped, (size_t)count * sizeof *out);
        out += count;
        i += count;
    }
}

const FlowKernels KERNELS(flow) = {.row = row, .columns = columns};
