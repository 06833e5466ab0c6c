/* SPDX-License-Identifier: MIT */
#include "kernels.h"

/* NaN goes to low, so that no position can lead outside the field. */
static inline float clamp(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

static inline float lerp(float a, float b, float t)
{
    return a + t * (b - a); /* exact at t = 0, and for a = b at any t */
}

static inline float sample(const Sampler *field, float x, float y, float z)
{
    x = clamp(x, field->low[0], field->high[0]);
    y = clamp(y, field->low[1], field->high[1]);
    z = clamp(z, field->low[2], field->high[2]);
    int i = (int)x, j = (int)y, k = (int)z;
    float fx = x - (float)i, fy = y - (float)j, fz = z - (float)k;
    int sy = field->stride_y, sz = field->stride_z;
    int at = i + j * sy + k * sz;
    const float *f = field->corner;
    float near_low = lerp(f[at], f[at + 1], fx);
    float near_high = lerp(f[at + sy], f[at + sy + 1], fx);
    float far_low = lerp(f[at + sz], f[at + sz + 1], fx);
    float far_high = lerp(f[at + sz + sy], f[at + sz + sy + 1], fx);
    return lerp(lerp(near_low, near_high, fy), lerp(far_low, far_high, fy), fz);
}

/* Face fields lie half a cell before the centres along their own axis: cell centre (i, j, k) is at
 * i + 1/2 in u's coordinates along x. */
static void displace(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out)
{
    const Sampler us = velocity[0], vs = velocity[1], ws = velocity[2];
    ptrdiff_t row_u = 1 + (ptrdiff_t)(j + 1) * us.stride_y + (ptrdiff_t)(k + 1) * us.stride_z;
    const float *u = us.corner + row_u, *v = vs.corner + row_u, *w = ws.corner + row_u;
    const float *v_up = v + vs.stride_y, *w_up = w + ws.stride_z;
    float *restrict dx = out.x, *restrict dy = out.y, *restrict dz = out.z;
    float half = 0.25f * step; /* half a step times the average of two faces */
    float y = (float)(j + 1), z = (float)(k + 1);
    for (int i = 0; i < n; i++) {
        float px = (float)(i + 1) - half * (u[i] + u[i + 1]);
        float py = y - half * (v[i] + v_up[i]);
        float pz = z - half * (w[i] + w_up[i]);
        dx[i] = step * sample(&us, px + 0.5f, py, pz);
        dy[i] = step * sample(&vs, px, py + 0.5f, pz);
        dz[i] = step * sample(&ws, px, py, pz + 0.5f);
    }
}

/* Lets NaN through: it must be seen, not hidden. */
static inline float bound(float x, float limit)
{
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}

static void advect(const Sampler *field, float x0, float y, float z, Rows a, Rows b, float scale,
                   float limit, int n, float *restrict out)
{
    const Sampler source = *field;
    const float *ax = a.x, *ay = a.y, *az = a.z, *bx = b.x, *by = b.y, *bz = b.z;
    for (int i = 0; i < n; i++) {
        float px = x0 + (float)i - 0.5f * (ax[i] + bx[i]);
        float py = y - 0.5f * (ay[i] + by[i]);
        float pz = z - 0.5f * (az[i] + bz[i]);
        out[i] = bound(scale * sample(&source, px, py, pz), limit);
    }
}

const AdvectKernels KERNELS(advect) = {
    .displace = displace,
    .advect = advect,
};
