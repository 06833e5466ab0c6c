/* SPDX-License-Identifier: MIT
 *
 * Six-way light: pictures of the smoke under a white light from each of six sides, from which an
 * engine mixes its look under any light. Sides are those of the camera. A light from the back
 * shines towards the camera through the smoke; one from the front shines from the camera.
 *
 * A light from the unit direction d, of components to the right, up and away from the camera, gives
 *
 *     d_x^2 X + d_y^2 Y + d_z^2 Z
 *
 * X is the light from the right if d_x > 0, else from the left; Y that from the top or the bottom,
 * Z that from the back or the front.
 *
 * The unit is a white surface: pi radiance / irradiance, 1 for a matte white one that faces the
 * light. */
#ifndef CAPTURE_SIX_WAY_H
#define CAPTURE_SIX_WAY_H

#include "base/render_settings.h"

/* What is drawn of a frame, one drawing each: the sides in pairs, then without any light. */
typedef enum SixWay {
    SIX_WAY_RIGHT,
    SIX_WAY_LEFT,
    SIX_WAY_TOP,
    SIX_WAY_BOTTOM,
    SIX_WAY_BACK,
    SIX_WAY_FRONT,
    SIX_WAY_SIDES,
    SIX_WAY_GLOW = SIX_WAY_SIDES, /* light that the smoke gives by itself */
    SIX_WAY_DRAWN                 /* number of drawings */
} SixWay;

/* The engine whose materials take the sheets. */
typedef enum SixWayEngine {
    SIX_WAY_NONE,
    SIX_WAY_UNITY,
    SIX_WAY_UNREAL,
    SIX_WAY_ENGINES
} SixWayEngine;

typedef struct SixWayPacking {
    const char *name;        /* "unity" */
    SixWay sides[2][3];      /* in red, green and blue of both sheets */
    bool green_down;         /* normals: green is down, not up */
    const char *normal_axes; /* the same for people */
} SixWayPacking;

/* The packing of an engine; that of SIX_WAY_NONE has only the axes of normals. */
const SixWayPacking *six_way_packing(SixWayEngine engine);
/* "right", "left", ... */
const char *six_way_name(SixWay side);
/* The axis of a side, for people: "+x, light from the right". */
const char *six_way_axis(SixWay side);

/* The settings of one drawing: only a light from that side of the camera, or only glow. */
RenderSettings six_way_settings(const RenderSettings *render, SixWay drawn);

/* Whether there is anything to see in a drawing. */
bool six_way_shows(const RenderSettings *render, SixWay drawn);

#endif
