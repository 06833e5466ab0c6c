/* SPDX-License-Identifier: MIT
 *
 * The tracers of a view in a vertex buffer. */
#ifndef RENDER_POINTS_H
#define RENDER_POINTS_H

#include <billow/billow.h>
#include <epoxy/gl.h>

typedef struct Points {
    GLuint vertex_array, buffer; /* attributes 0 to 3: x, y, z, age */
    int count;                   /* 0: nothing is allocated */
} Points;

/* Uploads the tracers; none if the view has none. Allocates only if their number has changed. */
bool points_upload(Points *points, const BillowView *view, BillowError *error);
void points_destroy(Points *points);

#endif
