/* SPDX-License-Identifier: MIT
 *
 * Plain loops that compilers vectorise. KERNELS_TABLE and KERNELS_NAME come from the build, once
 * per instruction set. */
#include "kernels.h"

#include "constants.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Fixed lanes: sums are taken in this many interleaved parts, added up in order at the end, so that
 * the result is the same however wide the machine's vectors are. */
#define LANES 16

/* For loops whose outputs overlap no input, where the compiler cannot see it through structs. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* -- advection ----------------------------------------------------------------------------------
 */

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

/* -- forces -------------------------------------------------------------------------------------
 */

static void buoyancy(const float *heat, const float *heat_below, const float *density,
                     const float *density_below, float lift, float sink, int n, float *restrict v)
{
    for (int i = 0; i < n; i++)
        v[i] += lift * (heat[i] + heat_below[i]) - sink * (density[i] + density_below[i]);
}

/* Twice the cell-centred velocities, from pairs of faces:
 *
 *     omega = curl u = ( dw/dy - dv/dz,  du/dz - dw/dx,  dv/dx - du/dy )
 *
 * by central differences over two cells; scale = 1/(4h). */
typedef struct Stencil {
    const float *const *u, *const *v, *const *v_up, *const *w, *const *w_up;
} Stencil;

static inline void curl_at(Stencil s, int i, int left, int right, float scale, RowsOut curl,
                           float *length)
{
    float wy = (s.w[2][i] + s.w_up[2][i]) - (s.w[1][i] + s.w_up[1][i]);
    float vz = (s.v[4][i] + s.v_up[4][i]) - (s.v[3][i] + s.v_up[3][i]);
    float uz = (s.u[4][i] + s.u[4][i + 1]) - (s.u[3][i] + s.u[3][i + 1]);
    float wx = (s.w[0][right] + s.w_up[0][right]) - (s.w[0][left] + s.w_up[0][left]);
    float vx = (s.v[0][right] + s.v_up[0][right]) - (s.v[0][left] + s.v_up[0][left]);
    float uy = (s.u[2][i] + s.u[2][i + 1]) - (s.u[1][i] + s.u[1][i + 1]);
    float x = scale * (wy - vz), y = scale * (uz - wx), z = scale * (vx - uy);
    curl.x[i] = x;
    curl.y[i] = y;
    curl.z[i] = z;
    length[i] = sqrtf(x * x + y * y + z * z);
}

static void vorticity(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, int n,
                      RowsOut curl, float *length)
{
    Stencil s = {u, v, v_up, w, w_up};
    RowsOut out = curl;
    curl_at(s, 0, 0, 1, scale, out, length);
    INDEPENDENT
    for (int i = 1; i < n - 1; i++)
        curl_at(s, i, i - 1, i + 1, scale, out, length);
    curl_at(s, n - 1, n - 2, n - 1, scale, out, length);
}

/* Fedkiw, Stam, Jensen 2001:  N = grad|omega| / |grad|omega||,  f = eps h (N x omega). The gradient
 * is taken over two cells and left undivided (g = 2h grad|omega|): only its direction counts, and
 * the guard is in the same units. */
static inline void confine_at(const float *const length[5], int i, int left, int right,
                              float strength, RowsOut curl)
{
    float gx = length[0][right] - length[0][left];
    float gy = length[2][i] - length[1][i];
    float gz = length[4][i] - length[3][i];
    float size = sqrtf(gx * gx + gy * gy + gz * gz);
    float factor = strength / (size + CONFINEMENT_GUARD * length[0][i] + 1e-30f);
    float x = curl.x[i], y = curl.y[i], z = curl.z[i];
    curl.x[i] = factor * (gy * z - gz * y);
    curl.y[i] = factor * (gz * x - gx * z);
    curl.z[i] = factor * (gx * y - gy * x);
}

static void confinement(const float *const length[5], float strength, int n, RowsOut curl)
{
    RowsOut out = curl;
    confine_at(length, 0, 0, 1, strength, out);
    INDEPENDENT
    for (int i = 1; i < n - 1; i++)
        confine_at(length, i, i - 1, i + 1, strength, out);
    confine_at(length, n - 1, n - 2, n - 1, strength, out);
}

static void add_average(const float *a, const float *b, float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += factor * (a[i] + b[i]);
}

/* -- relaxation ---------------------------------------------------------------------------------
 */

static void pack(const float *row, int n, float *restrict even, float *restrict odd)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        even[m] = row[2 * m];
        odd[m] = row[2 * m + 1];
    }
    if (n & 1)
        even[pairs] = row[n - 1];
}

static void unpack(const float *even, const float *odd, int n, float *restrict row)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        row[2 * m] = even[m];
        row[2 * m + 1] = odd[m];
    }
    if (n & 1)
        row[n - 1] = even[pairs];
}

static void inflow(const float *u, const float *v, const float *v_up, const float *w,
                   const float *w_up, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (u[i] - u[i + 1]) + (v[i] - v_up[i]) + (w[i] - w_up[i]);
}

static void relax(const RelaxRow *row, float weight, float omega, int n)
{
    const float *left = row->left, *right = row->right, *rhs = row->rhs, *inverse = row->inverse;
    const float *south = row->low.y, *below = row->low.z;
    const float *north = row->high.y, *above = row->high.z;
    float *restrict x = row->x;
    for (int m = 0; m < n; m++) {
        float sum = (left[m] + right[m]) + (south[m] + north[m]) + (below[m] + above[m]);
        x[m] += omega * ((rhs[m] + weight * sum) * inverse[m] - x[m]);
    }
}

/* -- sums ---------------------------------------------------------------------------------------
 */

static inline double add_lanes(const double *lanes)
{
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static inline float max_lanes(const float *lanes)
{
    float max = 0;
    for (int lane = 0; lane < LANES; lane++)
        max = lanes[lane] > max ? lanes[lane] : max;
    return max;
}

typedef struct NormLanes {
    double squares[LANES], sums[LANES];
    float max[LANES];
} NormLanes;

static inline void norm_element(NormLanes *lanes, int lane, float x)
{
    double wide = (double)x;
    float size = fabsf(x);
    lanes->squares[lane] += wide * wide;
    lanes->sums[lane] += wide;
    lanes->max[lane] = size > lanes->max[lane] ? size : lanes->max[lane];
}

static RowNorm norm(const float *row, int n)
{
    NormLanes lanes;
    memset(&lanes, 0, sizeof lanes);
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            norm_element(&lanes, lane, row[i + lane]);
    for (int i = whole; i < n; i++)
        norm_element(&lanes, i - whole, row[i]);
    return (RowNorm){add_lanes(lanes.squares), add_lanes(lanes.sums), max_lanes(lanes.max)};
}

/* rhs + weight * sum - x / inverse for elements begin..begin+count, count <= CHUNK. */
#define CHUNK 256

static inline void residual_chunk(const RelaxRow *row, float weight, int begin, int count, float *r)
{
    for (int c = 0; c < count; c++) {
        int m = begin + c;
        float sum = (row->left[m] + row->right[m]) + (row->low.y[m] + row->high.y[m]) +
                    (row->low.z[m] + row->high.z[m]);
        r[c] = row->rhs[m] + weight * sum - row->x[m] / row->inverse[m];
    }
}

static double residual(const RelaxRow *row, float weight, int n)
{
    double squares = 0;
    for (int begin = 0; begin < n; begin += CHUNK) {
        float r[CHUNK];
        int count = n - begin < CHUNK ? n - begin : CHUNK;
        residual_chunk(row, weight, begin, count, r);
        squares += norm(r, count).squares;
    }
    return squares;
}

static double dot(const float *a, const float *b, int n)
{
    double lanes[LANES] = {0};
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (int i = whole; i < n; i++)
        lanes[i - whole] += (double)a[i] * (double)b[i];
    return add_lanes(lanes);
}

static RowWork work(const RelaxRow *row, float weight, int n)
{
    RowWork total = {0, 0};
    for (int begin = 0; begin < n; begin += CHUNK) {
        float r[CHUNK];
        int count = n - begin < CHUNK ? n - begin : CHUNK;
        residual_chunk(row, weight, begin, count, r);
        total.rhs += dot(row->x + begin, row->rhs + begin, count);
        total.residual += dot(row->x + begin, r, count);
    }
    return total;
}

static void subtract_difference(const float *a, const float *b, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] -= a[i] - b[i];
}

static void scale(float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] *= factor;
}

static void add_constant(float value, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += value;
}

typedef struct Lanes {
    double mass[LANES], heat[LANES], energy[LANES];
    float speed2[LANES], density[LANES], temperature[LANES];
    uint32_t nonfinite[LANES];
} Lanes;

static inline void account_cell(Lanes *sum, int lane, float density, float temperature, float u2,
                                float v2, float w2)
{
    float speed2 = u2 * u2 + v2 * v2 + w2 * w2; /* of twice the velocity */
    float all = density + temperature + speed2;
    sum->mass[lane] += (double)density;
    sum->heat[lane] += (double)temperature;
    sum->energy[lane] += (double)speed2;
    sum->speed2[lane] = speed2 > sum->speed2[lane] ? speed2 : sum->speed2[lane];
    sum->density[lane] = density > sum->density[lane] ? density : sum->density[lane];
    sum->temperature[lane] =
        temperature > sum->temperature[lane] ? temperature : sum->temperature[lane];
    sum->nonfinite[lane] += !(all - all == 0.0f);
}

static RowAccount account(const float *density, const float *temperature, const float *u,
                          const float *v, const float *v_up, const float *w, const float *w_up,
                          int n)
{
    Lanes sum;
    memset(&sum, 0, sizeof sum);
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            int at = i + lane;
            account_cell(&sum, lane, density[at], temperature[at], u[at] + u[at + 1],
                         v[at] + v_up[at], w[at] + w_up[at]);
        }
    for (int at = whole; at < n; at++)
        account_cell(&sum, at - whole, density[at], temperature[at], u[at] + u[at + 1],
                     v[at] + v_up[at], w[at] + w_up[at]);
    RowAccount row = {add_lanes(sum.mass),
                      add_lanes(sum.heat),
                      0.25 * add_lanes(sum.energy),
                      0.25f * max_lanes(sum.speed2),
                      max_lanes(sum.density),
                      max_lanes(sum.temperature),
                      0};
    for (int lane = 0; lane < LANES; lane++)
        row.nonfinite += sum.nonfinite[lane];
    return row;
}

extern const Kernels KERNELS_TABLE;
const Kernels KERNELS_TABLE = {
    .name = KERNELS_NAME,
    .displace = displace,
    .advect = advect,
    .buoyancy = buoyancy,
    .vorticity = vorticity,
    .confinement = confinement,
    .add_average = add_average,
    .pack = pack,
    .unpack = unpack,
    .inflow = inflow,
    .relax = relax,
    .residual = residual,
    .work = work,
    .scale = scale,
    .subtract_difference = subtract_difference,
    .add_constant = add_constant,
    .norm = norm,
    .account = account,
};
