/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <math.h>

/* NaN goes through: it must be seen, not hidden. */
static inline Lanes bound(Lanes x, Lanes low, Lanes high)
{
    return lanes_min(high, lanes_max(low, x));
}

/* out[i] = scale * field(spot of i), cut to -limit..limit. */
static void fetch(const float *corner, int sy, int sz, const Spots *spots, float scale, float limit,
                  int n, float *out)
{
    for (int i = 0; i < n; i += LANES_WIDTH) {
        Sampled here = sample(corner, sy, sz, spots, i, lanes_wanted(n - i));
        Lanes value = scale * here.value;
        store_wanted(out + i, bound(value, lanes_all(-limit), lanes_all(limit)), n - i);
    }
}

static int shorter(int a, int b)
{
    return a < b ? a : b;
}

/* Half a step upstream of the cells of row (j, k) from i on, as seen on the faces of an axis, which
 * lie half a cell before the centres: cell centre (i, j, k) is at i + 1/2 in u's coordinates. */
static void locate_midpoints(const Sampler velocity[3], int axis, int i, int j, int k, float half,
                             int n, Spots *spots)
{
    const Reach reach = velocity[axis].reach;
    ptrdiff_t sy = reach.stride_y, sz = reach.stride_z;
    ptrdiff_t row = 1 + i + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    const float to_face[3] = {axis == 0 ? 0.5f : 0, axis == 1 ? 0.5f : 0, axis == 2 ? 0.5f : 0};
    float y = (float)(j + 1), z = (float)(k + 1);
    Lanes numbers = lanes_float(lanes_numbers());
    for (int b = 0; b < n; b += LANES_WIDTH) {
        Lanes x = (float)(i + b + 1) + numbers;
        Lanes px = x - half * (lanes_load(u + b) + lanes_load(u + b + 1));
        Lanes py = y - half * (lanes_load(v + b) + lanes_load(v + b + sy));
        Lanes pz = z - half * (lanes_load(w + b) + lanes_load(w + b + sz));
        locate(&reach, px + to_face[0], py + to_face[1], pz + to_face[2], b, spots);
    }
}

static void displace(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out)
{
    float half = 0.25f * step; /* half a step times the average of two faces */
    float *const rows[3] = {out.x, out.y, out.z};
    for (int i = 0; i < n; i += CHUNK)
        for (int axis = 0; axis < 3; axis++) {
            const Reach *reach = &velocity[axis].reach;
            Spots spots;
            int length = shorter(n - i, CHUNK);
            locate_midpoints(velocity, axis, i, j, k, half, length, &spots);
            fetch(velocity[axis].corner, reach->stride_y, reach->stride_z, &spots, step, INFINITY,
                  length, rows[axis] + i);
        }
}

/* Which of the block's positions lie inside. */
static inline LaneMask inside(const Reach *reach, Lanes x, Lanes y, Lanes z)
{
    return lanes_both(lanes_both(lanes_same(x, clamp(x, reach->low[0], reach->high[0])),
                                 lanes_same(y, clamp(y, reach->low[1], reach->high[1]))),
                      lanes_same(z, clamp(z, reach->low[2], reach->high[2])));
}

/* Elements i and on, n of them at most a chunk. The sign is 1 for where they come from, -1 for
 * where they go; held, unless NULL, tells who stays inside. */
static inline void locate_origins(const Reach *reach, const Origins *from, float sign, int i, int n,
                                  Spots *spots, LaneMask *held)
{
    const Reach source = *reach;
    Rows a = from->a, b = from->b;
    Lanes numbers = lanes_float(lanes_numbers());
    float half = 0.5f * sign;
    for (int l = 0; l < n; l += LANES_WIDTH) {
        int at = i + l;
        Lanes x = from->x + (float)at + numbers;
        Lanes px = x - half * (lanes_load(a.x + at) + lanes_load(b.x + at));
        Lanes py = from->y - half * (lanes_load(a.y + at) + lanes_load(b.y + at));
        Lanes pz = from->z - half * (lanes_load(a.z + at) + lanes_load(b.z + at));
        locate(&source, px, py, pz, l, spots);
        if (held != NULL)
            held[l / LANES_WIDTH] = inside(&source, px, py, pz);
    }
}

static void advect(const Reach *reach, const Origins *from, const Carried *fields, int count,
                   float limit, int n)
{
    for (int i = 0; i < n; i += CHUNK) {
        Spots spots;
        int length = shorter(n - i, CHUNK);
        locate_origins(reach, from, 1, i, length, &spots, NULL);
        for (int f = 0; f < count; f++)
            fetch(fields[f].corner, reach->stride_y, reach->stride_z, &spots, fields[f].scale,
                  limit, length, fields[f].out + i);
    }
}

/* What a chunk's elements come from and go to. */
typedef struct Traces {
    Spots back, ahead;
    LaneMask back_held[CHUNK / LANES_WIDTH], ahead_held[CHUNK / LANES_WIDTH];
} Traces;

static void correct_chunk(const Reach *reach, const Traces *traces, const Corrected *field, int i,
                          float limit, int n)
{
    int sy = reach->stride_y, sz = reach->stride_z;
    for (int l = 0; l < n; l += LANES_WIDTH) {
        unsigned wanted = lanes_wanted(n - l);
        Sampled source = sample(field->corner, sy, sz, &traces->back, l, wanted);
        Sampled check = sample(field->hat_corner, sy, sz, &traces->ahead, l, wanted);
        Lanes hat = lanes_load(field->hat + i + l);
        Lanes better = hat + 0.5f * (lanes_load(field->field + i + l) - check.value);
        better = bound(better, source.least, source.most);
        LaneMask held =
            lanes_both(traces->back_held[l / LANES_WIDTH], traces->ahead_held[l / LANES_WIDTH]);
        Lanes value = field->scale * lanes_select(held, better, hat);
        store_wanted(field->out + i + l, bound(value, lanes_all(-limit), lanes_all(limit)), n - l);
    }
}

static void correct(const Reach *reach, const Origins *from, const Corrected *fields, int count,
                    float limit, int n)
{
    for (int i = 0; i < n; i += CHUNK) {
        Traces traces;
        int length = shorter(n - i, CHUNK);
        locate_origins(reach, from, 1, i, length, &traces.back, traces.back_held);
        locate_origins(reach, from, -1, i, length, &traces.ahead, traces.ahead_held);
        for (int f = 0; f < count; f++)
            correct_chunk(reach, &traces, &fields[f], i, limit, length);
    }
}

const AdvectKernels KERNELS(advect) = {
    .displace = displace,
    .advect = advect,
    .correct = correct,
};
