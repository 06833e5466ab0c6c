/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "loops.h"
#include "prefetch.h"

#include <math.h>
#include <string.h>

typedef struct Lanes {
    double mass[LANES], heat[LANES], energy[LANES], inflow2[LANES];
    float speed2[LANES], density[LANES], temperature[LANES], inflow[LANES];
    uint32_t nonfinite[LANES];
} Lanes;

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

static inline void account_cell(Lanes *sum, int lane, const AccountRows *row, int i)
{
    float density = row->density[i], temperature = row->temperature[i];
    float inflow = (row->u[i] - row->u[i + 1]) + (row->v[i] - row->v_up[i]) +
                   (row->w[i] - row->w_up[i]) + row->expansion[i];
    float u2 = row->u[i] + row->u[i + 1], v2 = row->v[i] + row->v_up[i],
          w2 = row->w[i] + row->w_up[i];
    float speed2 = u2 * u2 + v2 * v2 + w2 * w2; /* of twice the velocity */
    float all = density + temperature + speed2;
    sum->mass[lane] += (double)density;
    sum->heat[lane] += (double)temperature;
    sum->energy[lane] += (double)speed2;
    sum->inflow2[lane] += (double)inflow * (double)inflow;
    sum->speed2[lane] = greater(speed2, sum->speed2[lane]);
    sum->density[lane] = greater(density, sum->density[lane]);
    sum->temperature[lane] = greater(temperature, sum->temperature[lane]);
    sum->inflow[lane] = greater(fabsf(inflow), sum->inflow[lane]);
    sum->nonfinite[lane] += !(all - all == 0.0f);
}

static inline void account_row(Lanes *sum, const AccountRows *row, int n)
{
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            account_cell(sum, lane, row, i + lane);
    for (int i = whole; i < n; i++)
        account_cell(sum, i - whole, row, i);
}

/* Rows between asking for memory and using it. */
enum { ROWS_AHEAD = 3 };

/* Those that no other row brings along. */
PREFETCHING void prefetch_rows(const AccountRows *row, ptrdiff_t ahead, int n)
{
    prefetch_row(row->density + ahead, n);
    prefetch_row(row->temperature + ahead, n);
    prefetch_row(row->u + ahead, n);
    prefetch_row(row->v_up + ahead, n);
    prefetch_row(row->w_up + ahead, n);
}

static PlaneAccount account(const AccountRows *first, ptrdiff_t stride, ptrdiff_t expansion_stride,
                            int n, int count)
{
    Lanes sum;
    memset(&sum, 0, sizeof sum);
    AccountRows row = *first;
    for (int j = 0; j < count; j++) {
        account_row(&sum, &row, n);
        prefetch_rows(&row, ROWS_AHEAD * stride, n);
        row = (AccountRows){row.density + stride, row.temperature + stride,
                            row.u + stride,       row.v + stride,
                            row.v_up + stride,    row.w + stride,
                            row.w_up + stride,    row.expansion + expansion_stride};
    }
    PlaneAccount total = {
        .mass = add_lanes(sum.mass),
        .heat = add_lanes(sum.heat),
        .energy = 0.25 * add_lanes(sum.energy),
        .inflow2 = add_lanes(sum.inflow2),
        .speed2_max = 0.25f * max_lanes(sum.speed2),
        .density_max = max_lanes(sum.density),
        .temperature_max = max_lanes(sum.temperature),
        .inflow_max = max_lanes(sum.inflow),
    };
    for (int lane = 0; lane < LANES; lane++)
        total.nonfinite += sum.nonfinite[lane];
    return total;
}

const AccountKernels KERNELS(account) = {
    .account = account,
};
