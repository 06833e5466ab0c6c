/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "loops.h"

#include <math.h>
#include <string.h>

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

const AccountKernels KERNELS(account) = {
    .norm = norm,
    .account = account,
};
