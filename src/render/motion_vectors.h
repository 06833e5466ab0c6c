/* SPDX-License-Identifier: MIT
 *
 * Motion vectors: how far what a picture shows moves until the next picture, for programs that
 * blend from one to the next. */
#ifndef RENDER_MOTION_VECTORS_H
#define RENDER_MOTION_VECTORS_H

#include "render_settings.h"
#include <billow/billow.h>

enum { MOTION_VECTOR_FLOATS = 3 };

typedef struct MotionVectorsAsk {
    const BillowView *view; /* without velocity, only the camera moves */
    const RenderSmoke *smoke;
    const BillowSolid *solids; /* as they are now; absent ones do not move anything */
    int solid_count;
    const RenderCamera *camera, *next; /* cameras of this picture and of the next one */
    double seconds;                    /* time from this picture to the next */
    int width, height;                 /* size of the picture, pixels */
    int across, down;                  /* number of vectors along each edge, evenly spaced */
} MotionVectorsAsk;

/* Fills vectors, rows from the top, MOTION_VECTOR_FLOATS each: pixels to the right, pixels down,
 * and the opacity there, 0..1. A vector is the mean over the smoke along its ray, weighted by how
 * visible each piece is; each piece moves straight on at its velocity. 0 where there is nothing.
 * Solids hide what is behind them and keep their present velocity and spin. */
void motion_vectors_fill(const MotionVectorsAsk *ask, float *vectors);

#endif
