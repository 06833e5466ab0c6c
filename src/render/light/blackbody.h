/* SPDX-License-Identifier: MIT
 *
 * The colour of hot soot. */
#ifndef RENDER_BLACKBODY_H
#define RENDER_BLACKBODY_H

#define BLACKBODY_KELVIN_MIN 500.0f  /* below it nothing shows */
#define BLACKBODY_KELVIN_MAX 4500.0f /* above it the last colour holds */
#define BLACKBODY_ENTRIES    512
#define BLACKBODY_AMBIENT    293.0f /* K of the surroundings, to which temperatures add */

/* CIE 1931 XYZ of a black body, W/(m2 sr) weighted by the matching functions: Planck's law times
 * the multi-lobe fits of Wyman, Sloan, Shirley (2013). */
void blackbody_xyz(double kelvin, double xyz[3]);

/* How a body's light becomes the picture's: that at `reference` kelvin has the luminance 1, and
 * others that of nature over it, raised to `range`. 1: as Planck has it, seven decades from ember
 * to flame. */
typedef struct BlackbodyScale {
    float reference, range;
} BlackbodyScale;

/* Linear sRGB, clipped to the gamut. */
void blackbody_color(float kelvin, BlackbodyScale scale, float rgb[3]);

/* BLACKBODY_ENTRIES colours (RGBA, alpha 1), evenly spaced in 1/T, as the logarithm of the
 * brightness nearly is, from KELVIN_MIN, which is black. */
void blackbody_table(BlackbodyScale scale, float *table);

/* Where in the table a temperature is: 0 to 1 from the first entry to the last. */
float blackbody_place(float kelvin);

#endif
