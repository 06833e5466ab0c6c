/* SPDX-License-Identifier: MIT
 *
 * Kernels that look at each cell and its neighbours: forces, the projection's right-hand side and
 * gradient, combustion, statistics. */
#include "sim/fields/constants.h"
#include "sim/kernels/kernels.h"
#include "sim/kernels/lanes.h"
#include "sim/kernels/loops.h"

#include <billow/billow.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* The loops below run over whole rows, from the aligned start. The first and the last element of a
 * row lack a neighbour; they are computed separately, and written after the loop. */

/* Rows of faces. The sum of a pair of faces is twice the velocity at the cell's centre.
 *
 *     omega = curl u = ( dw/dy - dv/dz,  du/dz - dw/dx,  dv/dx - du/dy )
 *
 * is computed by central differences over two cells, with scale = 1/(4h). */
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

/* Scales the curl of cell i by min(1, rise * |u|). */
static inline Vector bounded(Vector omega, Stencil s, int i, float rise)
{
    Vector twice = {s.u[0][i] + s.u[0][i + 1], s.v[0][i] + s.v_up[0][i], s.w[0][i] + s.w_up[0][i]};
    float share = 0.5f * rise * length_of(twice);
    share = share < 1.0f ? share : 1.0f;
    return (Vector){share * omega.x, share * omega.y, share * omega.z};
}

static void vorticity(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, float rise,
                      bool wraps, int n, RowsOut curl, float *length)
{
    Stencil s = {u, v, v_up, w, w_up};
    RowsOut out = curl;
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        Vector omega = curl_at(s, i, i - 1, i + 1, scale);
        put(out, i, bounded(omega, s, i, rise));
        length[i] = length_of(omega);
    }
    Vector first = curl_at(s, 0, wraps ? n - 1 : 0, 1, scale),
           last = curl_at(s, n - 1, n - 2, wraps ? 0 : n - 1, scale);
    put(out, 0, bounded(first, s, 0, rise));
    put(out, n - 1, bounded(last, s, n - 1, rise));
    length[0] = length_of(first);
    length[n - 1] = length_of(last);
}

/* Fedkiw, Stam, Jensen 2001: N = grad|omega| / |grad|omega||, f = eps h (N x omega). The code uses
 * g = 2h grad|omega|, the difference across two cells, because only the direction of the gradient
 * counts. CONFINEMENT_GUARD is relative to g as well. */
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

static void disturb(const float *density, const float *length, float per_density, float strength,
                    float size, int n, RowsOut impulse)
{
    RowsOut out = impulse;
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        float here = per_density * density[i];
        here = here < 1.0f ? here : 1.0f;
        here = here > 0.0f ? here : 0.0f;
        float factor = here * (strength / (strength + size * (length[i] * length[i])));
        put(out, i, (Vector){factor * out.x[i], factor * out.y[i], factor * out.z[i]});
    }
}

static void interpolate(const float *values, const int *at, const float *share, int n, float *out)
{
    for (int i = 0; i < n; i += LANES_WIDTH) {
        const Lanes a = lanes_pick_at(values, at + i), b = lanes_pick_at(values + 1, at + i);
        lanes_store_wanted(out + i, a + lanes_load(share + i) * (b - a), n - i);
    }
}

/* e = N . grad(u) N with N = g / (|g| + guard |T|). The products of derivatives along one axis use
 * the cell's own faces; the others are central differences over two cells, as in curl_at. */
static inline Vector shred_at(Stencil s, const float *const heat[5], int i, int left, int right,
                              float scale, float distance, float per_kelvin)
{
    float x = heat[0][right] - heat[0][left], y = heat[2][i] - heat[1][i],
          z = heat[4][i] - heat[3][i], warm = heat[0][i] > 0.0f ? heat[0][i] : 0.0f;
    float share = 1 / (length_of((Vector){x, y, z}) + SHREDDING_GUARD * warm + 1e-30f);
    x *= share;
    y *= share;
    z *= share;
    float uy = (s.u[2][i] + s.u[2][i + 1]) - (s.u[1][i] + s.u[1][i + 1]);
    float uz = (s.u[4][i] + s.u[4][i + 1]) - (s.u[3][i] + s.u[3][i + 1]);
    float vx = (s.v[0][right] + s.v_up[0][right]) - (s.v[0][left] + s.v_up[0][left]);
    float vz = (s.v[4][i] + s.v_up[4][i]) - (s.v[3][i] + s.v_up[3][i]);
    float wx = (s.w[0][right] + s.w_up[0][right]) - (s.w[0][left] + s.w_up[0][left]);
    float wy = (s.w[2][i] + s.w_up[2][i]) - (s.w[1][i] + s.w_up[1][i]);
    float along = x * x * (s.u[0][i + 1] - s.u[0][i]) + y * y * (s.v_up[0][i] - s.v[0][i]) +
                  z * z * (s.w_up[0][i] - s.w[0][i]);
    float across = x * y * (uy + vx) + y * z * (vz + wy) + x * z * (uz + wx);
    float hot = per_kelvin * warm;
    hot = hot < 1.0f ? hot : 1.0f;
    float factor = distance * hot * (scale * (along + 0.25f * across));
    return (Vector){factor * x, factor * y, factor * z};
}

static void shred(const float *const u[5], const float *const v[5], const float *const v_up[5],
                  const float *const w[5], const float *const w_up[5], const float *const heat[5],
                  float scale, float distance, float per_kelvin, bool wraps, int n, RowsOut impulse)
{
    Stencil s = {u, v, v_up, w, w_up};
    RowsOut out = impulse;
    Vector first = shred_at(s, heat, 0, wraps ? n - 1 : 0, 1, scale, distance, per_kelvin),
           last = shred_at(s, heat, n - 1, n - 2, wraps ? 0 : n - 1, scale, distance, per_kelvin);
    Vector before[2] = {{out.x[0], out.y[0], out.z[0]}, {out.x[n - 1], out.y[n - 1], out.z[n - 1]}};
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        Vector push = shred_at(s, heat, i, i - 1, i + 1, scale, distance, per_kelvin);
        put(out, i, (Vector){out.x[i] + push.x, out.y[i] + push.y, out.z[i] + push.z});
    }
    put(out, 0, (Vector){before[0].x + first.x, before[0].y + first.y, before[0].z + first.z});
    put(out, n - 1, (Vector){before[1].x + last.x, before[1].y + last.y, before[1].z + last.z});
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
    .disturb = disturb,
    .interpolate = interpolate,
    .shred = shred,
    .add_average = add_average,
};

/* -------------------------------------------------------------------------------------------- */

typedef struct Sums {
    double squares[LANES], values[LANES];
} Sums;

static inline void add_to(Sums *sums, int lane, float x)
{
    double wide = (double)x;
    sums->squares[lane] += wide * wide;
    sums->values[lane] += wide;
}

static void negative_divergence_row(const DivergenceRows *r, int n, Sums *sums, float *restrict out)
{
    int whole = n - n % LANES;
    for (int i = 0; i < n; i++)
        out[i] = ((r->u[i] - r->u[i + 1]) + (r->v[i] - r->v_up[i]) + (r->w[i] - r->w_up[i])) +
                 r->expansion[i];
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            add_to(sums, lane, out[i + lane]);
    for (int i = whole; i < n; i++)
        add_to(sums, i - whole, out[i]);
}

static DivergenceSums negative_divergence(const DivergenceRows *rows, ptrdiff_t stride,
                                          ptrdiff_t expansion_stride, int nx, int ny,
                                          const PackedRows *out)
{
    DivergenceRows r = *rows;
    Sums sums = {0};
    for (int j = 0; j < ny; j++) {
        float row[BILLOW_GRID_MAX];
        ptrdiff_t at = j * out->stride;
        int even = (j + out->parity) & 1;
        prefetch_row(r.u + 2 * stride, nx);
        prefetch_row(r.v_up + 2 * stride, nx);
        prefetch_row(r.w + 2 * stride, nx);
        prefetch_row(r.w_up + 2 * stride, nx);
        negative_divergence_row(&r, nx, &sums, row);
        pack(row, nx, out->color[even] + at, out->color[1 - even] + at);
        r.u += stride;
        r.v += stride;
        r.v_up += stride;
        r.w += stride;
        r.w_up += stride;
        r.expansion += expansion_stride;
    }
    return (DivergenceSums){add_lanes(sums.squares), add_lanes(sums.values)};
}

static void subtract_gradient(const float *here, const float *south, const float *below,
                              float share, int n, float *restrict u, float *restrict v,
                              float *restrict w)
{
    for (int i = 0; i < n; i++) {
        u[i] = limited_speed(u[i] - share * (here[i] - here[i - 1]));
        v[i] = limited_speed(v[i] - share * (here[i] - south[i]));
        w[i] = limited_speed(w[i] - share * (here[i] - below[i]));
    }
}

static void add_constant(float value, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += value;
}

const ProjectKernels KERNELS(project) = {
    .negative_divergence = negative_divergence,
    .subtract_gradient = subtract_gradient,
    .add_constant = add_constant,
};

/* -------------------------------------------------------------------------------------------- */

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

/* Fuel that burns in a cell. Without a limit of richness both factors are exactly 1. */
static inline float burn_cell(const Burning *burning, float fuel, float temperature)
{
    bool burns = (temperature >= burning->ignition) & (fuel > 0.0f);
    float richness = burning->richness * fuel, air = greater(1.0f - richness, 0.0f);
    float most = greater(1.0f - burning->share * richness, 1e-6f);
    return burns ? burning->share * fuel * (air / most) : 0.0f;
}

static double burn(const Burning *burning, int n, float *restrict fuel, float *restrict temperature,
                   float *restrict density, float *restrict flame)
{
    const Burning b = *burning;
    double sums[LANES] = {0};
    for (int i = 0; i < n; i++) {
        float burnt = burn_cell(&b, fuel[i], temperature[i]);
        fuel[i] -= burnt;
        temperature[i] = limited(temperature[i] + b.heat * burnt);
        density[i] = limited(density[i] + b.smoke * burnt);
        flame[i] = b.frequency * burnt;
    }
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += (double)flame[i + lane];
    for (int i = whole; i < n; i++)
        sums[i - whole] += (double)flame[i];
    return add_lanes(sums);
}

/* x^(-1/3) for finite x >= 1, to rounding. The first guess divides the exponent by 3 and is right
 * within 3.5 %. Each Newton step y (4 - x y^3) / 3 turns a relative error e into about 2 e^2. */
static inline float inverse_cube_root(float x)
{
    uint32_t bits;
    float y;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x54a23200u - bits / 3;
    memcpy(&y, &bits, sizeof y);
    const float third = 1.0f / 3;
    y = y * (4 * third - third * x * (y * y * y));
    y = y * (4 * third - third * x * (y * y * y));
    return y * (4 * third - third * x * (y * y * y));
}

static void radiate(float gain, int n, float *restrict temperature)
{
    for (int i = 0; i < n; i++) {
        float t = temperature[i], hot = t > 0.0f ? 1e-3f * t : 0.0f;
        temperature[i] = t * inverse_cube_root(1.0f + gain * (hot * hot * hot));
    }
}

const CombustionKernels KERNELS(combustion) = {
    .burn = burn,
    .radiate = radiate,
};

/* -------------------------------------------------------------------------------------------- */

typedef struct LaneSums {
    double energy[LANES], divergence2[LANES];
    double u2[LANES], v2[LANES], w2[LANES]; /* twice the velocity */
    float speed2[LANES], divergence[LANES];
    uint32_t nonfinite[LANES];
} LaneSums;

static inline void statistics_cell(LaneSums *sum, int lane, const StatisticsRows *row, int i)
{
    float divergence = (row->u[i] - row->u[i + 1]) + (row->v[i] - row->v_up[i]) +
                       (row->w[i] - row->w_up[i]) + row->expansion[i];
    float u2 = row->u[i] + row->u[i + 1], v2 = row->v[i] + row->v_up[i],
          w2 = row->w[i] + row->w_up[i];
    float speed2 = u2 * u2 + v2 * v2 + w2 * w2; /* square of twice the velocity */
    sum->energy[lane] += (double)speed2;
    sum->u2[lane] += (double)u2;
    sum->v2[lane] += (double)v2;
    sum->w2[lane] += (double)w2;
    sum->divergence2[lane] += (double)divergence * (double)divergence;
    sum->speed2[lane] = greater(speed2, sum->speed2[lane]);
    sum->divergence[lane] = greater(fabsf(divergence), sum->divergence[lane]);
    sum->nonfinite[lane] += !(speed2 - speed2 == 0.0f);
}

/* How many rows ahead rows are prefetched. */
enum { ROWS_AHEAD = 3 };

static PlaneStatistics sum_statistics(const StatisticsRows *first, ptrdiff_t stride,
                                      ptrdiff_t expansion_stride, int n, int count)
{
    LaneSums sum;
    memset(&sum, 0, sizeof sum);
    StatisticsRows row = *first;
    int whole = n - n % LANES;
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < whole; i += LANES)
            for (int lane = 0; lane < LANES; lane++)
                statistics_cell(&sum, lane, &row, i + lane);
        for (int i = whole; i < n; i++)
            statistics_cell(&sum, i - whole, &row, i);
        ptrdiff_t ahead = ROWS_AHEAD * stride; /* these rows are read for the first time */
        prefetch_row(row.u + ahead, n);
        prefetch_row(row.v_up + ahead, n);
        prefetch_row(row.w_up + ahead, n);
        row = statistics_rows_from(&row, stride, expansion_stride);
    }
    PlaneStatistics total = {
        .energy = 0.25 * add_lanes(sum.energy),
        .velocity = {0.5 * add_lanes(sum.u2), 0.5 * add_lanes(sum.v2), 0.5 * add_lanes(sum.w2)},
        .divergence2 = add_lanes(sum.divergence2),
        .speed2_max = 0.25f * max_lanes(sum.speed2),
        .divergence_max = max_lanes(sum.divergence),
    };
    for (int lane = 0; lane < LANES; lane++)
        total.nonfinite += sum.nonfinite[lane];
    return total;
}

typedef struct ScalarLanes {
    double sum[LANES];
    float most[LANES];
    uint32_t nonfinite[LANES];
} ScalarLanes;

/* Adds `count` values, at most LANES, to the lanes. Inlined, so that compilers know a count of
 * LANES. */
static inline void add_values(const float *values, int count, ScalarLanes *lanes)
{
    for (int lane = 0; lane < count; lane++) {
        lanes->sum[lane] += (double)values[lane];
        lanes->most[lane] = greater(values[lane], lanes->most[lane]);
        lanes->nonfinite[lane] += !(values[lane] - values[lane] == 0.0f);
    }
}

static void sum_scalar(const float *row, ptrdiff_t stride, int n, int count, ScalarSum *sum)
{
    ScalarLanes lanes = {.sum = {0}};
    for (int j = 0; j < count; j++, row += stride) {
        int begin = 0;
        for (; begin + LANES <= n; begin += LANES)
            add_values(row + begin, LANES, &lanes);
        add_values(row + begin, n - begin, &lanes);
    }
    sum->sum += add_lanes(lanes.sum);
    sum->most = greater(max_lanes(lanes.most), sum->most);
    for (int lane = 0; lane < LANES; lane++)
        sum->nonfinite += lanes.nonfinite[lane];
}

const StatisticsKernels KERNELS(statistics) = {
    .sum = sum_statistics,
    .sum_scalar = sum_scalar,
};

/* -- the table of this instruction set --------------------------------------------------------- */

#define TEXT_OF(value) #value
#define TEXT(value)    TEXT_OF(value)

extern const Kernels KERNELS(kernels);
const Kernels KERNELS(kernels) = {
    .name = TEXT(KERNELS_SET),
    .advect = &KERNELS(advect),
    .forces = &KERNELS(forces),
    .project = &KERNELS(project),
    .relax = &KERNELS(relax),
    .statistics = &KERNELS(statistics),
    .combustion = &KERNELS(combustion),
    .eddies = &KERNELS(eddies),
    .flow = &KERNELS(flow),
    .flux = &KERNELS(flux),
};
