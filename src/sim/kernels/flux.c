/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "constants.h"
#include "loops.h"

#include <math.h>
#include <stdbool.h>

/* What passes a face, upwind and of second order: the donor's value, and half of what its slope has
 * over the way that is left; the slope is van Leer's monotonized central one (1977), so that the
 * face's value lies between the donor's and the one ahead. */
static void flux(const FluxRows *rows, float scale, int n, float *restrict out)
{
    const FluxRows r = *rows;
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        float share = scale * r.speed[i], low = r.low_volume[i], high = r.high_volume[i];
        share = share > low ? low : share < -high ? -high : share;
        bool onwards = share >= 0.0f;
        float step = r.high[i] - r.low[i];
        float donor = onwards ? r.low[i] : r.high[i], volume = onwards ? low : high;
        float behind = onwards ? r.low[i] - r.lower[i] : r.high[i] - r.higher[i];
        float ahead = onwards ? step : -step;
        float a = 2 * fabsf(behind), b = 2 * fabsf(ahead), c = 0.5f * fabsf(behind + ahead);
        float least = a < b ? a : b;
        least = least < c ? least : c;
        float slope = behind * ahead > 0.0f ? (ahead > 0.0f ? least : -least) : 0.0f;
        out[i] = share * (donor + 0.5f * (1 - fabsf(share) / volume) * slope);
    }
}

static void volume(const float *before, const float *low, const float *high, float scale, int n,
                   float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float left = before[i] - scale * (high[i] - low[i]);
        out[i] = left > LEAST_VOLUME ? left : LEAST_VOLUME;
    }
}

static void take(const float *before, const float *after, const float *low, const float *high,
                 float keep, int n, float *restrict values)
{
    for (int i = 0; i < n; i++)
        values[i] = keep * ((before[i] * values[i] - (high[i] - low[i])) / after[i]);
}

static float most_taken(const float *low, const float *high, int n)
{
    float lanes[LANES] = {0};
    for (int i = 0; i < n; i += LANES)
        for (int lane = 0; lane < LANES && i + lane < n; lane++) {
            float a = low[i + lane], b = high[i + lane];
            float size = fabsf(a) > fabsf(b) ? fabsf(a) : fabsf(b);
            float net = (b - a) * (float)(1 / FLUX_SHARE);
            float most = net > size ? net : size;
            lanes[lane] = most > lanes[lane] ? most : lanes[lane];
        }
    return max_lanes(lanes);
}

const FluxKernels KERNELS(flux) = {
    .most_taken = most_taken,
    .flux = flux,
    .volume = volume,
    .take = take,
};
