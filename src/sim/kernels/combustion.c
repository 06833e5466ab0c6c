/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "limit.h"
#include "loops.h"

#include <stdint.h>
#include <string.h>

static inline float burn_cell(const Burning *burning, float fuel, float temperature)
{
    bool burns = (temperature >= burning->ignition) & (fuel > 0.0f);
    return burns ? burning->share * fuel : 0.0f;
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

/* x^(-1/3) for finite x >= 1, to rounding: a third of the exponent, within 3.5 %, and Newton's
 * y (4 - x y^3) / 3, which squares and doubles what is wrong. */
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
