/* SPDX-License-Identifier: MIT
 *
 * The march pass: computes radiance and transmittance of the smoke, and the depth of each pixel. */
#ifndef RENDER_MARCH_H
#define RENDER_MARCH_H

#include "render/gl/texture.h"
#include "render/motion.h"
#include "render/renderer.h"

/* Functions of passes use the uniform block Frame, which the caller has bound. */

/* Resizes the targets of the march. */
bool renderer_prepare_smoke(Renderer *renderer, BillowError *error);
/* Marches the smoke and draws its tracers, unless those of the last picture can be reused.
 * renderer_smoke_rows marches the next `rows` rows and adds them to *done. */
bool renderer_smoke(Renderer *renderer, BillowError *error);
bool renderer_smoke_rows(Renderer *renderer, int rows, int *done, BillowError *error);

/* Binds the targets of the march. With solids the smoke has two layers: in front of the edges of
 * solids, and behind them. If the frame needs the transmittance, each layer has a further target
 * for it. clear: whether to clear the targets. */
void renderer_bind_smoke(const Renderer *renderer, bool clear);

/* The target of the smoke to show. */
const Target *renderer_shown_smoke(const Renderer *renderer);
const Target *renderer_shown_through(const Renderer *renderer);
/* Computes the bounds of the smoke. Nothing is marched or lit if they are empty. */
void renderer_find_bounds(Renderer *renderer);
/* Computes the depth of each pixel, for frames with `depth`. */
bool renderer_depth(Renderer *renderer, BillowError *error);

/* -- history ----------------------------------------------------------------------------------- */

/* Whether a frame accumulates smoke over pictures. */
bool renderer_keeps_history(const Renderer *renderer);
void renderer_drop_history(Renderer *renderer);
/* Uploads the velocity of the smoke that was uploaded last, for frames with a history. The smoke
 * counts as motionless if this is not called or motion->n is 0. */
bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error);

#endif
