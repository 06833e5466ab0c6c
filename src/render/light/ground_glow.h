/* SPDX-License-Identifier: MIT
 *
 * What the glow of hot soot lights of the ground, as far as one sees: a map of irradiance. */
#ifndef RENDER_GROUND_GLOW_H
#define RENDER_GROUND_GLOW_H

#include "ambient.h"

enum { GROUND_GLOW = 64 }; /* texels along an edge of the map */

/* map: GROUND_GLOW squared values of four floats, red, green, blue and nothing, x fastest, then z.
 * A place p of the ground, x or z, counted from the box's middle and in its longest edges, is at
 *
 *     u = 1/2 + p / (1 + 2 |p|)
 *
 * of the map (size: the box's edges, m), so that it is fine beneath the box and ends nowhere. glow:
 * radiance of each cell's own light, the first of `stride` floats a cell being red. The ambient's
 * cells are set. False, and the map untouched, where nothing glows. */
bool ground_glow_map(const Ambient *ambient, const float size[3], const float *glow, int stride,
                     float factor, float *map);

#endif
