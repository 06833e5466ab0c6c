/* SPDX-License-Identifier: MIT
 *
 * The colour of hot soot. */
#ifndef PICTURE_BLACKBODY_H
#define PICTURE_BLACKBODY_H

#define BLACKBODY_KELVIN_MIN 500.0f  /* below it nothing shows */
#define BLACKBODY_KELVIN_MAX 4500.0f /* above it the last colour holds */
#define BLACKBODY_ENTRIES    256
#define BLACKBODY_AMBIENT    293.0f /* K of the surroundings, to which temperatures add */

/* CIE 1931 XYZ of a black body, W/(m2 sr) weighted by the matching functions: Planck's law times
 * the multi-lobe fits of Wyman, Sloan, Shirley (2013). */
void blackbody_xyz(double kelvin, double xyz[3]);

/* Linear sRGB for the picture: the body's own hue, clipped to the gamut, at a brightness that grows
 * far more slowly than nature's, which spans seven decades between ember and flame. */
void blackbody_color(float kelvin, float rgb[3]);

/* BLACKBODY_ENTRIES colours (RGBA, alpha 1), evenly spaced from KELVIN_MIN, which is black. */
void blackbody_table(float *table);

#endif
