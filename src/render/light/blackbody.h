/* SPDX-License-Identifier: MIT
 *
 * The colour of hot soot. */
#ifndef RENDER_BLACKBODY_H
#define RENDER_BLACKBODY_H

#define BLACKBODY_KELVIN_MIN 500.0f  /* at and below it the colour is black */
#define BLACKBODY_KELVIN_MAX 4500.0f /* above it the last colour is used */
#define BLACKBODY_ENTRIES    512
#define BLACKBODY_AMBIENT    293.0f /* temperature of the surroundings, K */

/* CIE 1931 XYZ of a black body, W/(m2 sr) weighted by the matching functions: Planck's law times
 * the multi-lobe fits of Wyman, Sloan, Shirley (2013). */
void blackbody_xyz(double kelvin, double xyz[3]);

/* How physical radiance maps to the picture. A body at `reference` kelvin has luminance 1.
 * Luminances of others are their physical ratio to it, raised to `range`. With range 1 they follow
 * Planck's law, seven decades from ember to flame. */
typedef struct BlackbodyScale {
    float reference, range;
} BlackbodyScale;

/* Colour of a black body in linear sRGB, clipped to the gamut. */
void blackbody_color(float kelvin, BlackbodyScale scale, float rgb[3]);

/* Fills BLACKBODY_ENTRIES colours (RGBA, alpha 1), evenly spaced in 1/T, since the logarithm of the
 * brightness is nearly linear in it. The first, at KELVIN_MIN, is black. */
void blackbody_table(BlackbodyScale scale, float *table);

/* Position of a temperature in the table: 0 (first entry) to 1 (last entry). */
float blackbody_place(float kelvin);

#endif
