/* SPDX-License-Identifier: MIT
 *
 * The wind between the faces of its cells, at the faces of smoke cells. In a wind cell, with x, y
 * and z from -1/2 to 1/2, the speed at the faces x = -1/2 and 1/2 varies linearly along y and z,
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
#include "sim/smoke/smoke_flow.h"

#include "sim/fields/boundary.h"

#include <string.h>

enum { COLUMNS = ROW_ALIGNMENT };

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
    const Grid *grid = &wind->sim->grid;
    const BillowDef *def = &wind->sim->def;
    j = inside(j, grid->ny + (axis == 1), boundary_wraps(def, 1));
    k = inside(k, grid->nz + (axis == 2), boundary_wraps(def, 2));
    return wind->speed[axis] + grid_row(grid, j, k);
}

/* Up to COLUMNS elements of a row, and one on both sides: element c is at[1 + c]. */
typedef struct Segment {
    float at[COLUMNS + 2];
} Segment;

/* `count` elements from `first` on, of component `axis` in row (j, k). */
static void load_segment(const Wind *wind, int axis, int first, int count, int j, int k,
                         Segment *segment)
{
    const int nx = wind->sim->grid.nx + (axis == 0);
    const float *row = row_of(wind, axis, j, k);
    if (first >= 1 && first + count < nx) {
        memcpy(segment->at, row + first - 1, (size_t)(count + 2) * sizeof *row);
        return;
    }
    bool wraps = boundary_wraps(&wind->sim->def, 0) && axis != 0;
    for (int c = -1; c <= count; c++)
        segment->at[1 + c] = row[inside(first + c, nx, wraps)];
}

/* Slope at an element from those before and after it. A face without flow is shut, or as good as
 * shut: nothing may pass any part of it. */
static inline float slope(float at, float before, float after)
{
    return at == 0.0f ? 0 : 0.5f * (after - before);
}

/* Position of smoke cell `cell` in its wind cell, from -1/2 to 1/2. */
static float middle(int cell, int refine)
{
    return ((float)(cell % refine) + 0.5f) / (float)refine - 0.5f;
}

static float edge(int face, int refine)
{
    return (float)(face % refine) / (float)refine - 0.5f;
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
    for (int c = 0; c < COLUMNS; c++) {
        spread.at[c] = (cell + c) / refine - spread.first;
        spread.x[c] = middle(cell + c, refine);
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
    Segment at, before, after;
    load_beside(wind, row, row->axis, spread, 0, 0, &at);
    load_beside(wind, row, row->axis, spread, 0, -1, &before);
    load_beside(wind, row, row->axis, spread, 0, 1, &after);
    float middles[COLUMNS], slopes[COLUMNS];
    for (int c = 0; c < spread->count; c++) {
        float here = at.at[1 + c];
        middles[c] = here + y * slope(here, before.at[1 + c], after.at[1 + c]);
        slopes[c] = slope(here, at.at[c], at.at[2 + c]);
    }
    for (int c = 0; c < COLUMNS; c++)
        out[c] = middles[spread->at[c]] + spread->x[c] * slopes[spread->at[c]];
}

/* a of the wind cells above these faces. */
static void spread_bend(const Wind *wind, const FaceRow *row, const Spread *spread,
                        float out[COLUMNS])
{
    const int other = 3 - row->axis, count = spread->count;
    Segment x[3], low[3], high[3];
    float bends[COLUMNS];
    for (int d = 0; d < 3; d++) {
        load_beside(wind, row, 0, spread, d - 1, 0, &x[d]);
        load_beside(wind, row, other, spread, d - 1, 0, &low[d]);
        load_beside(wind, row, other, spread, d - 1, 1, &high[d]);
    }
    for (int c = 1; c <= count; c++)
        bends[c - 1] = -0.5f * (slope(x[1].at[c + 1], x[0].at[c + 1], x[2].at[c + 1]) -
                                slope(x[1].at[c], x[0].at[c], x[2].at[c]) +
                                slope(high[1].at[c], high[0].at[c], high[2].at[c]) -
                                slope(low[1].at[c], low[0].at[c], low[2].at[c]));
    for (int c = 0; c < COLUMNS; c++)
        out[c] = bends[spread->at[c]];
}

void smoke_flow_columns(const Wind *wind, int axis, const int cell[3], int count, float *out)
{
    const int refine = wind->sim->smoke.refine, other = 3 - axis;
    if (refine == 1) {
        const Grid *grid = &wind->sim->grid;
        const float *speeds = wind->speed[axis] + grid_row(grid, cell[1], cell[2]) + cell[0];
        for (int f = 0; f < count; f++, out += COLUMNS, speeds += grid->strides[axis])
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
        const float x = edge(face, refine);
        if (row.along != cells) {
            if (row.along == cells - 1 && f > 0)
                memcpy(low, high, sizeof low);
            else
                spread_face(wind, &(FaceRow){axis, cells, row.across}, &spread, y, low);
            row.along = cells;
            if (cells < wind->sim->grid.cells[axis]) {
                spread_face(wind, &(FaceRow){axis, cells + 1, row.across}, &spread, y, high);
                spread_bend(wind, &row, &spread, bend);
            }
        }
        if (face % refine == 0)
            for (int c = 0; c < COLUMNS; c++)
                out[c] = wind->scale * low[c];
        else
            for (int c = 0; c < COLUMNS; c++)
                out[c] = wind->scale *
                         ((0.5f - x) * low[c] + (0.5f + x) * high[c] + (x * x - 0.25f) * bend[c]);
    }
}

/* -- along x ----------------------------------------------------------------------------------- */

/* U and a of `count` wind cells from `first` on in row (j, k); U also of the face after the last. y
 * and z: the position across. */
static void row_faces(const Wind *wind, int first, int count, int j, int k, float y, float z,
                      float faces[COLUMNS + 1], float bends[COLUMNS])
{
    enum { AT, SOUTH, NORTH, BELOW, ABOVE, PLACES };
    static const int places[PLACES][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    Segment u[PLACES], v[2], w[2];
    for (int p = 0; p < PLACES; p++)
        load_segment(wind, 0, first, count, j + places[p][0], k + places[p][1], &u[p]);
    for (int high = 0; high < 2; high++) {
        load_segment(wind, 1, first, count, j + high, k, &v[high]);
        load_segment(wind, 2, first, count, j, k + high, &w[high]);
    }
    for (int c = 0; c <= count; c++) {
        float here = u[AT].at[1 + c];
        faces[c] = here + y * slope(here, u[SOUTH].at[1 + c], u[NORTH].at[1 + c]) +
                   z * slope(here, u[BELOW].at[1 + c], u[ABOVE].at[1 + c]);
    }
    for (int c = 1; c <= count; c++)
        bends[c - 1] = -0.5f * (slope(v[1].at[c], v[1].at[c - 1], v[1].at[c + 1]) -
                                slope(v[0].at[c], v[0].at[c - 1], v[0].at[c + 1]) +
                                slope(w[1].at[c], w[1].at[c - 1], w[1].at[c + 1]) -
                                slope(w[0].at[c], w[0].at[c - 1], w[0].at[c + 1]));
}

/* Writes the speeds, times scale, through the `refine` low faces of each of COLUMNS wind cells. */
static void fill_faces(float scale, int refine, const float faces[COLUMNS + 1],
                       const float bends[COLUMNS], float *out)
{
    for (int s = 0; s < refine; s++) {
        const float x = edge(s, refine);
        float values[COLUMNS];
        for (int c = 0; c < COLUMNS; c++)
            values[c] = scale * ((0.5f - x) * faces[c] + (0.5f + x) * faces[c + 1] +
                                 (x * x - 0.25f) * bends[c]);
        for (int c = 0; c < COLUMNS; c++)
            out[c * refine + s] = s > 0 ? values[c] : scale * faces[c];
    }
}

void smoke_flow_row(const Wind *wind, int first, int j, int k, int n, float *out)
{
    const int refine = wind->sim->smoke.refine;
    if (refine == 1) {
        const float *speeds = wind->speed[0] + grid_row(&wind->sim->grid, j, k) + first;
        for (int i = 0; i < n; i++)
            out[i] = wind->scale * speeds[i];
        return;
    }
    const float y = middle(j, refine), z = middle(k, refine);
    float faces[COLUMNS + 1] = {0}, bends[COLUMNS] = {0};
    float values[COLUMNS * BILLOW_REFINE_MAX];
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
