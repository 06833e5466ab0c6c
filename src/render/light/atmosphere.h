/* SPDX-License-Identifier: MIT
 *
 * The clear air of the Earth: how it dims and colours the sun, and the sky that it scatters. Air
 * molecules (Rayleigh), haze (Mie) and ozone, with the coefficients of Bruneton and Neyret (2008)
 * and Hillaire (A Scalable and Production Ready Sky and Atmosphere Rendering Technique, 2020), for
 * red, green and blue light. Single scattering is integrated along each ray; light scattered more
 * often counts as the same from all sides (Hillaire 2020). The observer stands at sea level. */
#ifndef RENDER_ATMOSPHERE_H
#define RENDER_ATMOSPHERE_H

/* Share of the sun's light above the air that reaches the ground. elevation: of the sun's centre,
 * degrees, without refraction. haze: factor on the amount of Mie particles; 1: clear air. 0 below
 * the horizon. */
void atmosphere_sunlight(double elevation, double haze, double share[3]);

/* Fills a map of the sky's radiance, for a sun whose irradiance above the air is 1 in each colour.
 * Column i is at the azimuth (i + 1/2) / width of a turn away from the sun, which is symmetric; row
 * j at the elevation ((j + 1/2) / height - 1/2) 180 degrees. Rows below the horizon repeat the
 * horizon. A texel has three floats. The sun's disc is left out. */
void atmosphere_sky(double elevation, double haze, int width, int height, float *map);

#endif
