/* SPDX-License-Identifier: MIT
 *
 * What is around the box: the light of sky and ground. */
#ifndef RENDER_SURROUNDINGS_H
#define RENDER_SURROUNDINGS_H

#include "render_settings.h"

typedef struct Surroundings {
    float zenith[3], horizon[3]; /* radiance of the sky, */
    float sky[3];                /* its mean over the upper hemisphere, */
    float ground[3];             /* and that of the lower one */
} Surroundings;

Surroundings surroundings_of(const RenderSettings *settings);

/* From a direction, without the sun; context is a Surroundings. */
void surroundings_radiance(const void *context, const float from[3], float rgb[3]);

#endif
