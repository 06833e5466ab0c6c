/* SPDX-License-Identifier: MIT
 *
 * Depth of field and motion blur. */
#ifndef RENDER_EXPOSURES_H
#define RENDER_EXPOSURES_H

#include "render/motion.h"
#include "render/renderer.h"

/* Uploads the velocity of the view that was uploaded last, for frames with exposures, whose shutter
 * shows it. The smoke counts as motionless if this is not called or the view has no velocity. */
bool renderer_upload_shutter(Renderer *renderer, const BillowView *view,
                             const RenderSettings *settings, BillowError *error);
/* The same with a velocity that is already known on a coarse grid. */
bool renderer_shutter_motion(Renderer *renderer, const Motion *motion, const BillowView *view,
                             const RenderSettings *settings, BillowError *error);

/* renderer_exposes: whether a frame has depth of field or motion blur. renderer_expose_all then
 * draws the frame's exposures and writes their mean to the linear picture. Smoke and backdrop
 * afterwards are those of one exposure. */
bool renderer_exposes(const Renderer *renderer);
bool renderer_expose_all(Renderer *renderer, BillowError *error);

#endif
