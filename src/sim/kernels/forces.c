/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "constants.h"
#include "loops.h"

#include <math.h>

typedef struct Vector {
    float x, y, z;
} Vector;

static inline void put(RowsOut rows, int i, Vector a)
{
    rows.x[i] = a.x;
    rows.y[i] = a.y;
    rows.z[i] = a.z;
}

static void buoyancy(const float *heat, const float *heat_below, const float *density,
                     const float *density_below, float lift, float sink, int n, float *restrict v)
{
    for (int i = 0; i < n; i++)
        v[i] += lift * (heat[i] + heat_below[i]) - sink * (density[i] + density_below[i]);
}

/* The loops below run over whole rows, aligned; the two ends, which have a neighbour on one side
 * only, are done apart and put in their places afterwards. */

/* Twice the cell-centred velocities, from pairs of faces:
 *
 *     omega = curl u = ( dw/dy - dv/dz,  du/dz - dw/dx,  dv/dx - du/dy )
 *
 * by central differences over two cells; scale = 1/(4h). */
typedef struct Stencil {
    const float *const *u, *const *v, *const *v_up, *const *w, *const *w_up;
} Stencil;

static inline Vector curl_at(Stencil s, int i, int left, int right, float scale)
{
    float wy = (s.w[2][i] + s.w_up[2][i]) - (s.w[1][i] + s.w_up[1][i]);
    float vz = (s.v[4][i] + s.v_up[4][i]) - (s.v[3][i] + s.v_up[3][i]);
    float uz = (s.u[4][i] + s.u[4][i + 1]) - (s.u[3][i] + s.u[3][i + 1]);
    float wx = (s.w[0][right] + s.w_up[0][right]) - (s.w[0][left] + s.w_up[0][left]);
    float vx = (s.v[0][right] + s.v_up[0][right]) - (s.v[0][left] + s.v_up[0][left]);
    float uy = (s.u[2][i] + s.u[2][i + 1]) - (s.u[1][i] + s.u[1][i + 1]);
    return (Vector){scale * (wy - vz), scale * (uz - wx), scale * (vx - uy)};
}

static inline float length_of(Vector a)
{
    return sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void vorticity(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, bool wraps,
                      int n, RowsOut curl, float *length)
{
    Stencil s = {u, v, v_up, w, w_up};
    RowsOut out = curl;
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        Vector omega = curl_at(s, i, i - 1, i + 1, scale);
        put(out, i, omega);
        length[i] = length_of(omega);
    }
    Vector first = curl_at(s, 0, wraps ? n - 1 : 0, 1, scale),
           last = curl_at(s, n - 1, n - 2, wraps ? 0 : n - 1, scale);
    put(out, 0, first);
    put(out, n - 1, last);
    length[0] = length_of(first);
    length[n - 1] = length_of(last);
}

/* Fedkiw, Stam, Jensen 2001:  N = grad|omega| / |grad|omega||,  f = eps h (N x omega). The gradient
 * is taken over two cells and left undivided (g = 2h grad|omega|): only its direction counts, and
 * the guard is in the same units. */
static inline Vector confine_at(const float *const length[5], int i, int left, int right,
                                float strength, RowsOut curl)
{
    float gx = length[0][right] - length[0][left];
    float gy = length[2][i] - length[1][i];
    float gz = length[4][i] - length[3][i];
    float size = sqrtf(gx * gx + gy * gy + gz * gz);
    float factor = strength / (size + CONFINEMENT_GUARD * length[0][i] + 1e-30f);
    float x = curl.x[i], y = curl.y[i], z = curl.z[i];
    return (Vector){factor * (gy * z - gz * y), factor * (gz * x - gx * z),
                    factor * (gx * y - gy * x)};
}

static void confinement(const float *const length[5], float strength, bool wraps, int n,
                        RowsOut curl)
{
    RowsOut out = curl;
    Vector first = confine_at(length, 0, wraps ? n - 1 : 0, 1, strength, out);
    Vector last = confine_at(length, n - 1, n - 2, wraps ? 0 : n - 1, strength, out);
    INDEPENDENT
    for (int i = 0; i < n; i++)
        put(out, i, confine_at(length, i, i - 1, i + 1, strength, out));
    put(out, 0, first);
    put(out, n - 1, last);
}

static void add_average(const float *a, const float *b, float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += factor * (a[i] + b[i]);
}

const ForceKernels KERNELS(forces) = {
    .buoyancy = buoyancy,
    .vorticity = vorticity,
    .confinement = confinement,
    .add_average = add_average,
};
