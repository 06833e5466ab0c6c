/* SPDX-License-Identifier: MIT
 *
 * How far what a picture shows moves on until the next one, for programs that blend from one to
 * the next. */
#ifndef RENDER_MOTION_VECTORS_H
#define RENDER_MOTION_VECTORS_H

#include "render_settings.h"
#include <billow/billow.h>

enum { MOTION_VECTOR_FLOATS = 3 };

typedef struct MotionVectorsAsk {
    const BillowView *view; /* without velocity, only the camera moves */
    const RenderSmoke *smoke;
    const BillowSolid *solids; /* as they are now; of those that are not there nothing moves */
    int solid_count;
    const RenderCamera *camera, *next; /* of this picture and of the next one */
    double seconds;                    /* from this one to that */
    int width, height;                 /* pixels of the picture */
    int across, down;                  /* vectors, evenly over it */
} MotionVectorsAsk;

/* Into vectors, rows from the top, of each MOTION_VECTOR_FLOATS: pixels to the right, pixels down,
 * and the opacity there, 0..1. What moves is the mean of the smoke along the middle ray, weighted
 * by how much of each piece comes through what is before it, and carried straight on at its
 * velocity; where there is nothing at all, 0. Solids hide what is behind them, and go on and turn
 * as they do now. */
void motion_vectors_fill(const MotionVectorsAsk *ask, float *vectors);

#endif
