/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "constants.h"
#include "loops.h"

#include <math.h>
#include <stdbool.h>

/* Upwind flux of second order through faces: the donor's value, plus half of its slope over the
 * part of the cell that is not passed on. The slope is van Leer's monotonized central one (1977),
 * so that the face's value lies between the donor's and the next one. */
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
        values[i] = limited(keep * ((before[i] * values[i] - (high[i] - low[i])) / after[i]));
}

/* What leaves a cell along an axis through both faces, and the net loss of its fluid. Whichever
 * axis comes first, enough must be left for the others. */
static inline float taken(const float *const low[3], const float *const high[3], int i)
{
    float most = 0, less = 0;
    for (int axis = 0; axis < 3; axis++) {
        float a = low[axis][i], b = high[axis][i], net = b - a;
        float out = (b > 0.0f ? b : 0.0f) - (a < 0.0f ? a : 0.0f);
        net = net > 0.0f ? net : 0.0f;
        most = out - net > most ? out - net : most;
        less += net;
    }
    return most + less * (float)(1 / FLUX_SHARE);
}

static float most_taken(const float *const low[3], const float *const high[3], int n)
{
    float lanes[LANES] = {0};
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            float most = taken(low, high, i + lane);
            lanes[lane] = most > lanes[lane] ? most : lanes[lane];
        }
    for (int i = whole; i < n; i++) {
        float most = taken(low, high, i);
        lanes[i - whole] = most > lanes[i - whole] ? most : lanes[i - whole];
    }
    return max_lanes(lanes);
}

const FluxKernels KERNELS(flux) = {
    .most_taken = most_taken,
    .flux = flux,
    .volume = volume,
    .take = take,
};
