/* SPDX-License-Identifier: MIT */
#ifndef RENDER_FINENESS_H
#define RENDER_FINENESS_H

/* How finely light is computed. The window's goes on from the frame before. The others converge
 * from nothing, so that a picture is the same whatever was drawn before it. */
typedef enum LightFineness {
    LIGHT_LIVE,
    LIGHT_FRAME, /* of a video or a sequence */
    LIGHT_STILL
} LightFineness;

#endif
