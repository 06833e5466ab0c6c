/* SPDX-License-Identifier: MIT */
#include "blackbody.h"
#include <math.h>
#include <string.h>

/* A Gaussian with its own width on either side of its centre. */
static double lobe(double nanometres, double height, double center, double below, double above)
{
    double t = (nanometres - center) / (nanometres < center ? below : above);
    return height * exp(-0.5 * t * t);
}

static void matching_functions(double nm, double xyz[3])
{
    xyz[0] = lobe(nm, 1.056, 599.8, 37.9, 31.0) + lobe(nm, 0.362, 442.0, 16.0, 26.7) +
             lobe(nm, -0.065, 501.1, 20.4, 26.2);
    xyz[1] = lobe(nm, 0.821, 568.8, 46.9, 40.5) + lobe(nm, 0.286, 530.9, 16.3, 31.1);
    xyz[2] = lobe(nm, 1.217, 437.0, 11.8, 36.0) + lobe(nm, 0.681, 459.0, 26.0, 13.8);
}

/* Planck 1901:  B = c1 / (lambda^5 (exp(c2 / (lambda T)) - 1)), c1 = 2 h c^2, c2 = h c / k. */
static double planck(double metres, double kelvin)
{
    return 1.191042972e-16 / (pow(metres, 5) * expm1(1.438776877e-2 / (metres * kelvin)));
}

void blackbody_xyz(double kelvin, double xyz[3])
{
    const double step = 2;
    memset(xyz, 0, 3 * sizeof *xyz);
    for (double nm = 360; nm <= 830; nm += step) {
        double weights[3];
        matching_functions(nm, weights);
        double radiance = planck(nm * 1e-9, kelvin) * step * 1e-9;
        for (int c = 0; c < 3; c++)
            xyz[c] += radiance * weights[c];
    }
}

void blackbody_color(float kelvin, float rgb[3])
{
    /* IEC 61966-2-1, XYZ to linear sRGB. */
    static const double matrix[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                        {-0.9692660, 1.8760108, 0.0415560},
                                        {0.0556434, -0.2040259, 1.0572252}};
    /* Brightness goes as a small power of luminance and is 3 at 1500 K, a few times a clear sky. */
    const double power = 0.3, level = 3.0;
    double xyz[3], reference[3], linear[3];
    blackbody_xyz((double)kelvin, xyz);
    blackbody_xyz(1500, reference);
    double largest = 0;
    for (int c = 0; c < 3; c++) {
        linear[c] = matrix[c][0] * xyz[0] + matrix[c][1] * xyz[1] + matrix[c][2] * xyz[2];
        linear[c] = fmax(linear[c], 0);
        largest = fmax(largest, linear[c]);
    }
    double brightness = level * pow(xyz[1] / reference[1], power);
    for (int c = 0; c < 3; c++)
        rgb[c] = largest > 0 ? (float)(linear[c] / largest * brightness) : 0;
}

void blackbody_table(float *table)
{
    for (int i = 0; i < BLACKBODY_ENTRIES; i++) {
        float share = (float)i / (BLACKBODY_ENTRIES - 1);
        float kelvin = BLACKBODY_KELVIN_MIN + share * (BLACKBODY_KELVIN_MAX - BLACKBODY_KELVIN_MIN);
        blackbody_color(kelvin, table + 4 * i);
        table[4 * i + 3] = 1;
    }
    memset(table, 0, 3 * sizeof *table);
}
