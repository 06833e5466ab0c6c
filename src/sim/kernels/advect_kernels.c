/* SPDX-License-Identifier: MIT
 *
 * Kernels of advection along displacements: semi-Lagrangian, and MacCormack's correction. */
#include "sample.h"

#include <float.h>
#include <math.h>

/* Clamps x to low..high. NaN stays NaN, so that the statistics count it. */
static inline Lanes bound(Lanes x, Lanes low, Lanes high)
{
    return lanes_min(high, lanes_max(low, x));
}

/* Face fields begin half a cell before the centres along their own axis: in u's coordinates along
 * x the centre of cell (i, j, k) is at i + 1/2. Functions that end in _around serve boxes with
 * periodic axes. */
static void displace_around(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out)
{
    const Sampler us = velocity[0], vs = velocity[1], ws = velocity[2];
    ptrdiff_t sy = us.bounds.stride_y, sz = us.bounds.stride_z,
              row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = us.corner + row, *v = vs.corner + row, *w = ws.corner + row;
    float half = 0.25f * step;
    Lanes y = lanes_all((float)(j + 1)), z = lanes_all((float)(k + 1));
    Lanes numbers = lanes_float(lanes_numbers());
    for (int i = 0; i < n; i += LANES_WIDTH) {
        unsigned wanted = lanes_wanted(n - i);
        Lanes x = (float)(i + 1) + numbers;
        Lanes px = -half * (lanes_load(u + i) + lanes_load(u + i + 1));
        Lanes py = -half * (lanes_load(v + i) + lanes_load(v + i + sy));
        Lanes pz = -half * (lanes_load(w + i) + lanes_load(w + i + sz));
        Spot spot = locate_around(&us.bounds, x, y, z, px + 0.5f, py, pz);
        Lanes dx = sample(us.corner, &us.bounds, &spot, wanted).value;
        spot = locate_around(&vs.bounds, x, y, z, px, py + 0.5f, pz);
        Lanes dy = sample(vs.corner, &vs.bounds, &spot, wanted).value;
        spot = locate_around(&ws.bounds, x, y, z, px, py, pz + 0.5f);
        Lanes dz = sample(ws.corner, &ws.bounds, &spot, wanted).value;
        lanes_store_wanted(out.x + i, step * dx, n - i);
        lanes_store_wanted(out.y + i, step * dy, n - i);
        lanes_store_wanted(out.z + i, step * dz, n - i);
    }
}

static void displace(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out)
{
    if (velocity[0].bounds.wraps) {
        displace_around(velocity, j, k, step, n, out);
        return;
    }
    const Sampler us = velocity[0], vs = velocity[1], ws = velocity[2];
    ptrdiff_t sy = us.bounds.stride_y, sz = us.bounds.stride_z,
              row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = us.corner + row, *v = vs.corner + row, *w = ws.corner + row;
    float half = 0.25f * step; /* half a step times the mean of two faces */
    float y = (float)(j + 1), z = (float)(k + 1);
    Lanes numbers = lanes_float(lanes_numbers());
    for (int i = 0; i < n; i += LANES_WIDTH) {
        unsigned wanted = lanes_wanted(n - i);
        Lanes x = (float)(i + 1) + numbers;
        Lanes px = x - half * (lanes_load(u + i) + lanes_load(u + i + 1));
        Lanes py = y - half * (lanes_load(v + i) + lanes_load(v + i + sy));
        Lanes pz = z - half * (lanes_load(w + i) + lanes_load(w + i + sz));
        Spot spot = locate(&us.bounds, px + 0.5f, py, pz);
        Lanes dx = sample(us.corner, &us.bounds, &spot, wanted).value;
        spot = locate(&vs.bounds, px, py + 0.5f, pz);
        Lanes dy = sample(vs.corner, &vs.bounds, &spot, wanted).value;
        spot = locate(&ws.bounds, px, py, pz + 0.5f);
        Lanes dz = sample(ws.corner, &ws.bounds, &spot, wanted).value;
        lanes_store_wanted(out.x + i, step * dx, n - i);
        lanes_store_wanted(out.y + i, step * dy, n - i);
        lanes_store_wanted(out.z + i, step * dz, n - i);
    }
}

static void displace_straight(const Sampler velocity[3], int j, int k, float step, int n,
                              RowsOut out)
{
    ptrdiff_t sy = velocity[0].bounds.stride_y, sz = velocity[0].bounds.stride_z;
    ptrdiff_t row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    float half = 0.5f * step;
    for (int i = 0; i < n; i++) {
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

static void advect_around(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                          int count, float limit, int n)
{
    const SampleBounds source = *bounds;
    for (int i = 0; i < n; i += LANES_WIDTH) {
        Path p = path_of(from, i);
        Spot spot = locate_around(&source, p.x, p.y, p.z, -p.dx, -p.dy, -p.dz);
        for (int f = 0; f < count; f++) {
            Sampled here = sample(fields[f].corner, &source, &spot, lanes_wanted(n - i));
            Lanes value = fields[f].scale * here.value;
            lanes_store_wanted(fields[f].out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                               n - i);
        }
    }
}

static void advect(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                   int count, float limit, int n)
{
    if (bounds->wraps) {
        advect_around(bounds, from, fields, count, limit, n);
        return;
    }
    const SampleBounds source = *bounds;
    for (int i = 0; i < n; i += LANES_WIDTH) {
        Path path = path_of(from, i);
        Spot spot = locate(&source, path.x - path.dx, path.y - path.dy, path.z - path.dz);
        for (int f = 0; f < count; f++) {
            Sampled here = sample(fields[f].corner, &source, &spot, lanes_wanted(n - i));
            Lanes value = fields[f].scale * here.value;
            lanes_store_wanted(fields[f].out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                               n - i);
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

/* Returns the corrected value: the predictor plus half of the loss of a round trip, clamped to the
 * values that the predictor was interpolated from. If those values are all equal, the clamped
 * result is the predictor, and the correction is skipped. This is the case in still, empty air,
 * which fills most of a scene. */
static inline Lanes corrected(const SampleBounds *bounds, const Corrected *field, const Spot *back,
                              const Spot *ahead, LaneMask trusted_lanes, int i, unsigned wanted)
{
    Lanes predictor = lanes_load(field->predictor + i);
    Sampled origin = sample(field->corner, bounds, back, wanted);
    trusted_lanes = lanes_both(trusted_lanes, lanes_less(origin.least, origin.most));
    if ((lanes_bits(trusted_lanes) & wanted) == 0)
        return predictor;
    Lanes check = sample(field->predictor_corner, bounds, ahead, wanted).value;
    Lanes better = predictor + 0.5f * (lanes_load(field->field + i) - check);
    return lanes_select(trusted_lanes, bound(better, origin.least, origin.most), predictor);
}

static void correct_around(const SampleBounds *bounds, const SampleBounds *trusted,
                           const Origins *from, const Corrected *fields, int count, float limit,
                           int n)
{
    const SampleBounds source = *bounds, trust = *trusted;
    for (int i = 0; i < n; i += LANES_WIDTH) {
        unsigned wanted = lanes_wanted(n - i);
        Path p = path_of(from, i);
        LaneMask trusted_lanes =
            lanes_both(inside_around(&trust, p.x - p.dx, p.y - p.dy, p.z - p.dz),
                       inside_around(&trust, p.x + p.dx, p.y + p.dy, p.z + p.dz));
        Spot back = locate_around(&source, p.x, p.y, p.z, -p.dx, -p.dy, -p.dz),
             ahead = locate_around(&source, p.x, p.y, p.z, p.dx, p.dy, p.dz);
        for (int f = 0; f < count; f++) {
            Lanes value = fields[f].scale *
                          corrected(&source, &fields[f], &back, &ahead, trusted_lanes, i, wanted);
            lanes_store_wanted(fields[f].out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                               n - i);
        }
    }
}

static void correct(const SampleBounds *bounds, const SampleBounds *trusted, const Origins *from,
                    const Corrected *fields, int count, float limit, int n)
{
    if (bounds->wraps) {
        correct_around(bounds, trusted, from, fields, count, limit, n);
        return;
    }
    const SampleBounds source = *bounds, trust = *trusted;
    for (int i = 0; i < n; i += LANES_WIDTH) {
        unsigned wanted = lanes_wanted(n - i);
        Path p = path_of(from, i);
        Lanes bx = p.x - p.dx, by = p.y - p.dy, bz = p.z - p.dz;
        Lanes ax = p.x + p.dx, ay = p.y + p.dy, az = p.z + p.dz;
        LaneMask trusted_lanes = lanes_both(inside(&trust, bx, by, bz), inside(&trust, ax, ay, az));
        Spot back = locate(&source, bx, by, bz), ahead = locate(&source, ax, ay, az);
        for (int f = 0; f < count; f++) {
            Lanes value = fields[f].scale *
                          corrected(&source, &fields[f], &back, &ahead, trusted_lanes, i, wanted);
            lanes_store_wanted(fields[f].out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                               n - i);
        }
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
