/* SPDX-License-Identifier: MIT
 *
 * Copies the fields of a view into textures, and computes the light volumes. */
#ifndef RENDER_UPLOAD_H
#define RENDER_UPLOAD_H

#include "render/renderer.h"

/* Uploads the density, the temperature and, if their version changed, the solids of a view.
 * Computes the occupancy bricks and the light volumes, which depend on the settings of light, smoke
 * and filter. If the view exceeds the driver's largest 3D texture or the graphics memory, cells are
 * merged: see renderer_coarsened. */
bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error);

/* Uploads a view like renderer_upload, but fails if cells would have to be merged. Used for
 * measurements. */
bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error);

/* Number of grid cells along the edge of a cell of the light volumes, 1 or 2, for a grid of so many
 * cells in the window. */
int renderer_light_reduction(double cells);

/* Number of grid cells along an axis that were merged into one drawn cell in the last upload: 1, or
 * more if the driver cannot hold the whole grid. */
int renderer_coarsened(const Renderer *renderer);

/* Selects the light from the next upload on; by default LIGHT_LIVE. */
void renderer_light_as(Renderer *renderer, LightFineness fineness);

/* Number of planes beside its own that a rank's view of so many cells must hold. */
int renderer_planes_beside(const Renderer *renderer, const int cells[3]);
/* Discards everything that was computed from the last view. Must be called before a view of another
 * simulation: the versions of its solids start again at the same number. */
void renderer_forget(Renderer *renderer);

/* Recomputes and uploads the light volumes whose settings have changed in renderer->settings. */
bool renderer_light(Renderer *renderer, BillowError *error);

/* Frees all textures of a view. */
void renderer_drop_view(Renderer *renderer);

#endif
