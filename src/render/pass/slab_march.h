/* SPDX-License-Identifier: MIT
 *
 * The march of the smoke by several ranks.
 *
 * The ranks of a divided simulation can draw one picture together. Each has a renderer and uploads
 * its own planes of the view, and the light of the whole box is computed on all. The first rank
 * then draws. It calls the others for each march of the smoke:
 *
 *     renderer_upload(renderer, &view, &settings, &error);       // all ranks
 *     if (rank > 0)
 *         renderer_serve(renderer);
 *     else {
 *         renderer_draw(...);                                    // once or several times
 *         renderer_release(renderer);                            // also after a failure
 *     }
 *
 * The pictures have no shutter, haze or slice, which need the fields of the whole box, and cells
 * are not merged: an upload that the driver's textures cannot hold fails. Lighting, settings and
 * frames are the same on all ranks. */
#ifndef RENDER_SLAB_MARCH_H
#define RENDER_SLAB_MARCH_H

#include "render/light/slab.h"
#include "render/renderer.h"

/* Divides all later views among ranks. Called by all ranks. planes: of the box; first: first plane
 * of this rank. */
bool renderer_divide(Renderer *renderer, const RenderRanks *ranks, int planes, int first,
                     BillowError *error);
/* Marches the smoke of the last upload for the first rank until it calls renderer_release. */
void renderer_serve(Renderer *renderer);
void renderer_release(Renderer *renderer);

/* Marches the rays of these pixels of the target through the slabs of all ranks. march: flags of
 * ShaderMarch. The other ranks are in renderer_serve. */
bool renderer_slab_march(Renderer *renderer, int march, const PixelBox *box, BillowError *error);
struct Rays;
void rays_destroy(struct Rays *rays);

#endif
