/* SPDX-License-Identifier: MIT
 *
 * Points, lines and planes that are drawn over smoke and picture: tracers, the edges of the box, a
 * slice. */
#ifndef RENDER_GEOMETRY_H
#define RENDER_GEOMETRY_H

#include "render/renderer_state.h"

/* Uploads the tracers of a view. Allocates a new buffer only if their number has changed. */
bool points_upload(Points *points, const BillowView *view, BillowError *error);
/* Whether a frame draws its tracers over the linear picture instead of over the marched smoke. */
bool renderer_tracers_last(const Renderer *renderer);
/* Draw the tracers over the marched smoke, or over the composed linear picture, whose target is
 * bound. renderer_tracers_last decides which of the two draws; the other does nothing. */
void renderer_tracers_over_smoke(const Renderer *renderer);
bool renderer_tracers_over_picture(Renderer *renderer, BillowError *error);
void points_destroy(Points *points);

/* Draws the edges of the box, for frames with `outline`. */
void renderer_outline(const Renderer *renderer);

/* Upload a slice's values and colours, and draw them over the bound picture. */
bool renderer_slice_upload(Renderer *renderer, BillowError *error);
void renderer_slice_draw(const Renderer *renderer);
void renderer_slice_destroy(Renderer *renderer);

#endif
