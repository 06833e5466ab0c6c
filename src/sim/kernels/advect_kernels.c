/* SPDX-License-Identifier: MIT
 *
 * Kernels of advection along displacements: semi-Lagrangian, and MacCormack's correction. */
#include "sim/kernels/sample.h"

#include <float.h>
#include <math.h>

/* Clamps x to low..high. NaN stays NaN, so that the statistics count it. */
static inline Lanes bound(Lanes x, Lanes low, Lanes high)
{
    return lanes_min(high, lanes_max(low, x));
}

/* A pass of a kernel over the blocks of a row from element `begin` to `end`, at most SPOTS. */
#define FOR_BLOCKS(i, begin, end) for (int i = (begin); i < (end); i += LANES_WIDTH)

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* Midpoints of the paths that arrive at the cells of a row, for the three components. Face fields
 * begin half a cell before the centres along their own axis: in u's coordinates along x the centre
 * of cell (i, j, k) is at i + 1/2. Functions that end in _around serve boxes with periodic axes. */
static void find_midpoints(const Sampler velocity[3], int j, int k, float step, int begin, int end,
                           Spot spots[3][SPOTS])
{
    const SampleBounds us = velocity[0].bounds, vs = velocity[1].bounds, ws = velocity[2].bounds;
    ptrdiff_t sy = us.stride_y, sz = us.stride_z, row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    float half = 0.25f * step; /* half a step times the mean of two faces */
    float y = (float)(j + 1), z = (float)(k + 1);
    Lanes numbers = lanes_float(lanes_numbers());
    int b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        Lanes x = (float)(i + 1) + numbers;
        Lanes px = x - half * (lanes_load(u + i) + lanes_load(u + i + 1));
        Lanes py = y - half * (lanes_load(v + i) + lanes_load(v + i + sy));
        Lanes pz = z - half * (lanes_load(w + i) + lanes_load(w + i + sz));
        locate(&us, px + 0.5f, py, pz, &spots[0][b]);
        locate(&vs, px, py + 0.5f, pz, &spots[1][b]);
        locate(&ws, px, py, pz + 0.5f, &spots[2][b++]);
    }
}

static void find_midpoints_around(const Sampler velocity[3], int j, int k, float step, int begin,
                                  int end, Spot spots[3][SPOTS])
{
    const SampleBounds us = velocity[0].bounds, vs = velocity[1].bounds, ws = velocity[2].bounds;
    ptrdiff_t sy = us.stride_y, sz = us.stride_z, row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    float half = 0.25f * step;
    Lanes y = lanes_all((float)(j + 1)), z = lanes_all((float)(k + 1));
    Lanes numbers = lanes_float(lanes_numbers());
    int b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        Lanes x = (float)(i + 1) + numbers;
        Lanes px = -half * (lanes_load(u + i) + lanes_load(u + i + 1));
        Lanes py = -half * (lanes_load(v + i) + lanes_load(v + i + sy));
        Lanes pz = -half * (lanes_load(w + i) + lanes_load(w + i + sz));
        locate_around(&us, x, y, z, px + 0.5f, py, pz, &spots[0][b]);
        locate_around(&vs, x, y, z, px, py + 0.5f, pz, &spots[1][b]);
        locate_around(&ws, x, y, z, px, py, pz + 0.5f, &spots[2][b++]);
    }
}

static void displace(const Sampler velocity[3], int j, int k, float step, int first, int n,
                     RowsOut out)
{
    float *const outs[3] = {out.x, out.y, out.z};
    for (int begin = first; begin < n; begin += SPOTS_LANES) {
        Spot spots[3][SPOTS];
        int end = least(begin + SPOTS_LANES, n);
        (velocity[0].bounds.wraps ? find_midpoints_around : find_midpoints)(velocity, j, k, step,
                                                                            begin, end, spots);
        for (int axis = 0; axis < 3; axis++) {
            const Spot *spot = spots[axis];
            const Sampler source = velocity[axis];
            FOR_BLOCKS(i, begin, end)
            {
                Lanes d = sample(source.corner, &source.bounds, spot++, lanes_wanted(n - i));
                lanes_store_wanted(outs[axis] + i, step * d, n - i);
            }
        }
    }
}

static void displace_straight(const Sampler velocity[3], int j, int k, float step, int begin, int n,
                              RowsOut out)
{
    ptrdiff_t sy = velocity[0].bounds.stride_y, sz = velocity[0].bounds.stride_z;
    ptrdiff_t row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    float half = 0.5f * step;
    for (int i = begin; i < n; i++) {
        out.x[i] = half * (u[i] + u[i + 1]);
        out.y[i] = half * (v[i] + v[i + sy]);
        out.z[i] = half * (w[i] + w[i + sz]);
    }
}

/* Positions and displacements of the elements of a block. */
typedef struct Path {
    Lanes x, y, z, dx, dy, dz;
} Path;

static inline Path path_of(const Origins *from, int i)
{
    const Rows a = from->a, b = from->b;
    return (Path){
        .x = from->x + (float)i + lanes_float(lanes_numbers()),
        .y = lanes_all(from->y),
        .z = lanes_all(from->z),
        .dx = 0.5f * (lanes_load(a.x + i) + lanes_load(b.x + i)),
        .dy = 0.5f * (lanes_load(a.y + i) + lanes_load(b.y + i)),
        .dz = 0.5f * (lanes_load(a.z + i) + lanes_load(b.z + i)),
    };
}

/* Departure points of the elements. */
static void find_departures(const SampleBounds *bounds, const Origins *from, int begin, int end,
                            Spot spots[SPOTS])
{
    const SampleBounds source = *bounds;
    const Origins origins = *from;
    FOR_BLOCKS(i, begin, end)
    {
        Path p = path_of(&origins, i);
        if (source.wraps)
            locate_around(&source, p.x, p.y, p.z, -p.dx, -p.dy, -p.dz, spots++);
        else
            locate(&source, p.x - p.dx, p.y - p.dy, p.z - p.dz, spots++);
    }
}

static void advect(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                   int count, float limit, int n)
{
    const SampleBounds source = *bounds;
    for (int begin = 0; begin < n; begin += SPOTS_LANES) {
        Spot spots[SPOTS];
        int end = least(begin + SPOTS_LANES, n);
        find_departures(&source, from, begin, end, spots);
        for (int f = 0; f < count; f++) {
            const Advected field = fields[f];
            const Spot *spot = spots;
            FOR_BLOCKS(i, begin, end)
            {
                Lanes value =
                    field.scale * sample(field.corner, &source, spot++, lanes_wanted(n - i));
                lanes_store_wanted(field.out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                                   n - i);
            }
        }
    }
}

/* Lanes whose positions lie inside the bounds. */
static inline LaneMask inside(const SampleBounds *bounds, Lanes x, Lanes y, Lanes z)
{
    return lanes_both(lanes_both(lanes_same(x, clamp(x, bounds->low[0], bounds->high[0])),
                                 lanes_same(y, clamp(y, bounds->low[1], bounds->high[1]))),
                      lanes_same(z, clamp(z, bounds->low[2], bounds->high[2])));
}

/* Like `inside`, for boxes with periodic axes. Along a periodic axis every position is inside. */
static inline LaneMask inside_around(const SampleBounds *bounds, Lanes x, Lanes y, Lanes z)
{
    const Lanes at[3] = {x, y, z};
    LaneMask all = lanes_same(lanes_all(0), lanes_all(0));
    for (int axis = 0; axis < 3; axis++)
        if (bounds->turn[axis] == 0.0f)
            all = lanes_both(
                all, lanes_same(at[axis], clamp(at[axis], bounds->low[axis], bounds->high[axis])));
    return all;
}

/* Departure and arrival points of the elements, and the lanes of which both lie inside the trusted
 * bounds. */
typedef struct RoundTrips {
    Spot back[SPOTS], ahead[SPOTS];
    LaneMask trusted[SPOTS];
} RoundTrips;

static void find_round_trips(const SampleBounds *bounds, const SampleBounds *trusted,
                             const Origins *from, int begin, int end, RoundTrips *trips)
{
    const SampleBounds source = *bounds, trust = *trusted;
    const Origins origins = *from;
    int b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        Path p = path_of(&origins, i);
        Lanes bx = p.x - p.dx, by = p.y - p.dy, bz = p.z - p.dz;
        Lanes ax = p.x + p.dx, ay = p.y + p.dy, az = p.z + p.dz;
        if (source.wraps) {
            trips->trusted[b] =
                lanes_both(inside_around(&trust, bx, by, bz), inside_around(&trust, ax, ay, az));
            locate_around(&source, p.x, p.y, p.z, -p.dx, -p.dy, -p.dz, &trips->back[b]);
            locate_around(&source, p.x, p.y, p.z, p.dx, p.dy, p.dz, &trips->ahead[b]);
        } else {
            trips->trusted[b] = lanes_both(inside(&trust, bx, by, bz), inside(&trust, ax, ay, az));
            locate(&source, bx, by, bz, &trips->back[b]);
            locate(&source, ax, ay, az, &trips->ahead[b]);
        }
        b++;
    }
}

/* Corrected values: the predictor plus half of the loss of a round trip, clamped to the values that
 * the predictor was interpolated from. If those values are all equal, the clamped result is the
 * predictor, and the correction is skipped. This is the case in still, empty air, which fills most
 * of a scene. */
static void correct_blocks(const SampleBounds *bounds, const RoundTrips *trips,
                           const Corrected *corrected, float limit, int begin, int end, int n)
{
    const Corrected field = *corrected;
    Lanes least[SPOTS], most[SPOTS];
    int b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        sample_range(field.corner, bounds, &trips->back[b], lanes_wanted(n - i), &least[b],
                     &most[b]);
        b++;
    }
    b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        unsigned wanted = lanes_wanted(n - i);
        Lanes value = lanes_load(field.predictor + i);
        LaneMask trusted = lanes_both(trips->trusted[b], lanes_less(least[b], most[b]));
        if ((lanes_bits(trusted) & wanted) != 0) {
            Lanes check = sample(field.predictor_corner, bounds, &trips->ahead[b], wanted);
            Lanes better = value + 0.5f * (lanes_load(field.field + i) - check);
            value = lanes_select(trusted, bound(better, least[b], most[b]), value);
        }
        value = bound(field.scale * value, lanes_all(-limit), lanes_all(limit));
        lanes_store_wanted(field.out + i, value, n - i);
        b++;
    }
}

static void correct(const SampleBounds *bounds, const SampleBounds *trusted, const Origins *from,
                    const Corrected *fields, int count, float limit, int n)
{
    const SampleBounds source = *bounds;
    for (int begin = 0; begin < n; begin += SPOTS_LANES) {
        RoundTrips trips;
        int end = least(begin + SPOTS_LANES, n);
        find_round_trips(&source, trusted, from, begin, end, &trips);
        for (int f = 0; f < count; f++)
            correct_blocks(&source, &trips, &fields[f], limit, begin, end, n);
    }
}

/* Finds the longest displacement by comparing the bits of squared lengths as integers. They sort
 * like the squares. A maximum of floats would need a test for NaN, which prevents vectorisation. */
static float longest(Rows d, int n)
{
    int32_t most = 0;
    for (int i = 0; i < n; i++) {
        float square = d.x[i] * d.x[i] + d.y[i] * d.y[i] + d.z[i] * d.z[i];
        int32_t bits;
        memcpy(&bits, &square, sizeof bits);
        bits &= INT32_MAX; /* clears the sign, which a NaN may have */
        most = bits > most ? bits : most;
    }
    float square;
    memcpy(&square, &most, sizeof square);
    return square <= FLT_MAX ? sqrtf(square) : FLT_MAX;
}

const AdvectKernels KERNELS(advect) = {
    .displace = displace,
    .displace_straight = displace_straight,
    .longest = longest,
    .advect = advect,
    .correct = correct,
};
