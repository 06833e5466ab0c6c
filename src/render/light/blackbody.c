/* SPDX-License-Identifier: MIT */
#include "render/light/blackbody.h"
#include <math.h>
#include <string.h>

/* A Gaussian with different widths below and above its centre. */
static double lobe(double nanometres, double height, double center, double below, double above)
{
    double t = (nanometres - center) / (nanometres < center ? below : above);
    return height * exp(-0.5 * t * t);
}

/* The colour matching functions at each wavelength, computed once. */
enum { WAVES = 118 };
#define WAVE_FIRST 360.0
#define WAVE_STEP  4.0 /* nm */

typedef struct Observer {
    double weights[WAVES][3];
} Observer;

static Observer observer_open(void)
{
    Observer observer;
    for (int w = 0; w < WAVES; w++) {
        double nm = WAVE_FIRST + w * WAVE_STEP, *xyz = observer.weights[w];
        xyz[0] = lobe(nm, 1.056, 599.8, 37.9, 31.0) + lobe(nm, 0.362, 442.0, 16.0, 26.7) +
                 lobe(nm, -0.065, 501.1, 20.4, 26.2);
        xyz[1] = lobe(nm, 0.821, 568.8, 46.9, 40.5) + lobe(nm, 0.286, 530.9, 16.3, 31.1);
        xyz[2] = lobe(nm, 1.217, 437.0, 11.8, 36.0) + lobe(nm, 0.681, 459.0, 26.0, 13.8);
    }
    return observer;
}

static void observe(const Observer *observer, double kelvin, double xyz[3])
{
    memset(xyz, 0, 3 * sizeof *xyz);
    for (int w = 0; w < WAVES; w++) {
        double metres = (WAVE_FIRST + w * WAVE_STEP) * 1e-9, square = metres * metres;
        /* Planck 1901: B = c1 / (lambda^5 (exp(c2 / lambda T) - 1)), c1 = 2 h c^2, c2 = h c / k. */
        double planck = 1.191042972e-16 /
                        (square * square * metres * expm1(1.438776877e-2 / (metres * kelvin)));
        double radiance = planck * WAVE_STEP * 1e-9;
        for (int c = 0; c < 3; c++)
            xyz[c] += radiance * observer->weights[w][c];
    }
}

void blackbody_xyz(double kelvin, double xyz[3])
{
    const Observer observer = observer_open();
    observe(&observer, kelvin, xyz);
}

static void find_color(const Observer *observer, double kelvin, BlackbodyScale scale, float rgb[3])
{
    /* XYZ to linear sRGB (IEC 61966-2-1), and the luminance of linear sRGB. */
    static const double matrix[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                        {-0.9692660, 1.8760108, 0.0415560},
                                        {0.0556434, -0.2040259, 1.0572252}};
    static const double share[3] = {0.2126, 0.7152, 0.0722};
    double xyz[3], reference[3], linear[3], luminance = 0;
    observe(observer, kelvin, xyz);
    observe(observer, (double)scale.reference, reference);
    for (int c = 0; c < 3; c++) {
        linear[c] = matrix[c][0] * xyz[0] + matrix[c][1] * xyz[1] + matrix[c][2] * xyz[2];
        linear[c] = fmax(linear[c], 0);
        luminance += share[c] * linear[c];
    }
    double wanted = pow(xyz[1] / reference[1], (double)scale.range);
    for (int c = 0; c < 3; c++)
        rgb[c] = (float)(linear[c] / luminance * wanted);
}

void blackbody_color(float kelvin, BlackbodyScale scale, float rgb[3])
{
    const Observer observer = observer_open();
    find_color(&observer, (double)kelvin, scale, rgb);
}

void blackbody_table(BlackbodyScale scale, float *table)
{
    const Observer observer = observer_open();
    const double cold = 1 / (double)BLACKBODY_KELVIN_MIN, hot = 1 / (double)BLACKBODY_KELVIN_MAX;
    for (int i = 0; i < BLACKBODY_ENTRIES; i++) {
        double share = (double)i / (BLACKBODY_ENTRIES - 1);
        find_color(&observer, 1 / (cold + share * (hot - cold)), scale, table + 4 * i);
        table[4 * i + 3] = 1;
    }
    memset(table, 0, 3 * sizeof *table);
}

float blackbody_place(float kelvin)
{
    const float cold = 1 / BLACKBODY_KELVIN_MIN, hot = 1 / BLACKBODY_KELVIN_MAX;
    return fminf(fmaxf((cold - 1 / fmaxf(kelvin, 1)) / (cold - hot), 0), 1);
}
