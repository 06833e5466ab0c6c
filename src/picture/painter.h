/* SPDX-License-Identifier: MIT
 *
 * Pictures without OpenGL: what the renderer draws, drawn by the CPU, for tests of it and for
 * machines where there is none. Lines and tracers are left out.
 *
 *     painter_draw(painter, &view, &look, &frame, &error);
 *     painter_read(painter, 3, pixels);
 */
#ifndef PICTURE_PAINTER_H
#define PICTURE_PAINTER_H

#include "band.h"
#include "exposure.h"
#include "frame.h"
#include "render_settings.h"
#include <billow/billow.h>
#include <stdint.h>

typedef struct Painter Painter;

/* NULL without memory. */
Painter *painter_create(BillowError *error);
void painter_destroy(Painter *painter);

/* Draws a view; frame.scale counts as 1. Fails where there is no memory. */
bool painter_draw(Painter *painter, const BillowView *view, const RenderSettings *settings,
                  const RenderFrame *frame, BillowError *error);

/* As renderer_exposure and renderer_expose. */
Exposure painter_exposure(const Painter *painter);
void painter_expose(Painter *painter, Exposure exposure);

/* As renderer_read gives it: rows from the top, channels 3 or 4 (straight alpha). */
void painter_read(const Painter *painter, int channels, uint8_t *pixels);
/* As renderer_read_linear gives it. */
void painter_read_linear(const Painter *painter, float *pixels);

/* As renderer_read_through gives it; false where it was not asked for, or there were no solids. */
bool painter_read_through(const Painter *painter, bool behind, float *values);

/* As renderer_read_depth gives it; false where it was not asked for. */
bool painter_read_depth(const Painter *painter, float *through, float *surface);

/* The picture just drawn as one band: see renderer_bands. */
bool painter_band(const Painter *painter, const RenderFrame *frame, int channels, BandTake *take,
                  void *context, BillowError *error);

#endif
