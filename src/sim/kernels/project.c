/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "limit.h"
#include "loops.h"
#include "packing.h"
#include "prefetch.h"

#include <billow/billow.h>

typedef struct Sums {
    double squares[LANES], values[LANES];
} Sums;

static inline void add_to(Sums *sums, int lane, float x)
{
    double wide = (double)x;
    sums->squares[lane] += wide * wide;
    sums->values[lane] += wide;
}

static inline float inflow_of(const InflowRows *r, int i)
{
    return ((r->u[i] - r->u[i + 1]) + (r->v[i] - r->v_up[i]) + (r->w[i] - r->w_up[i])) +
           r->expansion[i];
}

static void inflow_row(const InflowRows *r, int n, Sums *sums, float *restrict out)
{
    int whole = n - n % LANES;
    for (int i = 0; i < n; i++)
        out[i] = inflow_of(r, i);
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            add_to(sums, lane, out[i + lane]);
    for (int i = whole; i < n; i++)
        add_to(sums, i - whole, out[i]);
}

PREFETCHING void prefetch_inflow(const InflowRows *r, ptrdiff_t ahead, int n)
{
    prefetch_row(r->u + ahead, n);
    prefetch_row(r->v_up + ahead, n);
    prefetch_row(r->w + ahead, n);
    prefetch_row(r->w_up + ahead, n);
}

static InflowSums inflow(const InflowRows *rows, ptrdiff_t stride, ptrdiff_t expansion_stride,
                         int nx, int ny, const PackedRows *out)
{
    InflowRows r = *rows;
    Sums sums = {0};
    for (int j = 0; j < ny; j++) {
        float row[BILLOW_GRID_MAX];
        ptrdiff_t at = j * out->stride;
        int even = (j + out->parity) & 1;
        prefetch_inflow(&r, 2 * stride, nx);
        inflow_row(&r, nx, &sums, row);
        pack(row, nx, out->color[even] + at, out->color[1 - even] + at);
        r.u += stride;
        r.v += stride;
        r.v_up += stride;
        r.w += stride;
        r.w_up += stride;
        r.expansion += expansion_stride;
    }
    return (InflowSums){add_lanes(sums.squares), add_lanes(sums.values)};
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
    .inflow = inflow,
    .subtract_gradient = subtract_gradient,
    .add_constant = add_constant,
};
