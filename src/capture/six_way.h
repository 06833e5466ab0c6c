/* SPDX-License-Identifier: MIT
 *
 * Light from six sides, for the smoke shaders of game engines: a tile is drawn once for each side
 * from which a far white lamp lights the smoke, and once for the light that the smoke itself gives.
 * An engine then lights it from any direction. */
#ifndef CAPTURE_SIX_WAY_H
#define CAPTURE_SIX_WAY_H

#include "base/render_settings.h"
#include "render/frame/frame.h"

/* How the sides lie in the colours of two pictures. */
typedef enum SixWay { SIX_WAY_NONE, SIX_WAY_UNITY, SIX_WAY_UNREAL } SixWay;

/* The sides from which light comes, as the picture is seen. Front is the camera's. */
typedef enum SixWaySide {
    SIX_WAY_RIGHT,
    SIX_WAY_LEFT,
    SIX_WAY_TOP,
    SIX_WAY_BOTTOM,
    SIX_WAY_FRONT,
    SIX_WAY_BACK,
    SIX_WAY_SIDES
} SixWaySide;

extern const char *const six_way_names[SIX_WAY_SIDES]; /* "right" and so on */
/* The sides in red, green and blue of the first and the second picture. */
const SixWaySide *six_way_packing(SixWay way, int picture);

/* Values of a pixel: the light from each side, opacity, and the light that the smoke gives. */
enum { SIX_WAY_OPACITY = SIX_WAY_SIDES, SIX_WAY_GLOW, SIX_WAY_FLOATS = SIX_WAY_GLOW + 3 };

/* The settings with light from one side alone, of irradiance 1; side SIX_WAY_SIDES: with no light
 * but that of the smoke itself. The smoke has the same albedo for all colours. */
RenderSettings six_way_settings(const RenderSettings *render, int side);

/* Receives the bands of a picture of one side. */
typedef struct SixWayTake {
    int side;
    int width, height, finer; /* of the tile; pixels of the frame per pixel of it along each edge */
    float *values;            /* of the tile, SIX_WAY_FLOATS a pixel; adds to it */
} SixWayTake;

/* context: a SixWayTake. The frame must have been drawn with `linear`. Light is multiplied by pi,
 * so that a white surface that faces it has 1, and by the opacity. */
bool six_way_take(void *context, const Band *band, BillowError *error);

#endif
