/* SPDX-License-Identifier: MIT
 *
 * Smoke fades from sight towards the faces through which it leaves the box, so that the box does
 * not cut it off. Picture and light see the density times this share, which no other part of the
 * program knows: shaders/fade.glsl computes it for the eye's rays. */
#ifndef RENDER_FADE_H
#define RENDER_FADE_H

#include "base/render_settings.h"
#include <billow/billow.h>

/* Share along each axis: the cube of a smoothstep, because thick smoke hides what is behind it
 * until little is left. The smoothstep is of the smaller of two lines, low[0] + low[1] x and
 * high[0] + high[1] x, limited to 0..1; x in cells. */
typedef struct Fade {
    bool on; /* whether any face fades */
    float low[3][2], high[3][2];
} Fade;

Fade fade_of(const RenderSmoke *smoke, const BillowView *view);
/* The share along one axis, at x cells from the low face. */
float fade_along(const Fade *fade, int axis, float x);
/* The share at a place, cells. */
float fade_at(const Fade *fade, const float place[3]);

#endif
