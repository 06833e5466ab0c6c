/* SPDX-License-Identifier: MIT
 *
 * The linear picture to the one that is shown: bloom, exposure, film curve, sRGB, dither.
 * shaders/develop.frag and what goes before it over again in C.
 *
 *     Develop develop = {0};
 *     develop_picture(&develop, &look, &frame, linear, encoded, &error);
 *     develop_close(&develop);
 */
#ifndef PICTURE_DEVELOP_H
#define PICTURE_DEVELOP_H

#include "bloom.h"
#include "exposure.h"
#include "frame.h"
#include "render_settings.h"

/* What is kept from picture to picture; all 0 at first. */
typedef struct Develop {
    Bloom bloom;
    Exposure exposure;
} Develop;

/* linear: frame->width * frame->height pixels of radiance times opacity (Rec. 709 primaries) and
 * opacity, rows from the bottom. encoded, which may be the same: sRGB and straight alpha, 0..1; how
 * alpha differs from opacity is said in shaders/develop.glsl.
 * False where there is no memory. */
bool develop_picture(Develop *develop, const RenderSettings *settings, const RenderFrame *frame,
                     const float *linear, float *encoded, BillowError *error);
void develop_close(Develop *develop);

#endif
