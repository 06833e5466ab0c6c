/* SPDX-License-Identifier: MIT
 *
 * Reads pictures and depth, and draws large pictures in bands. */
#ifndef RENDER_READBACK_H
#define RENDER_READBACK_H

#include "render/renderer.h"

/* Reads the drawn picture as 8-bit sRGB: rows from the top, tightly packed, width * height *
 * channels bytes. channels: 3 (RGB) or 4 (RGBA, straight alpha). */
bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error);
/* The same at the size of a window, to which renderer_present scales the picture. */
bool renderer_read_shown(Renderer *renderer, int width, int height, int channels, uint8_t *pixels,
                         BillowError *error);
/* The same without waiting for the GL: begins to read, and later has the pixels, 4 bytes each, rows
 * from the bottom. Returns false from the second function if nothing of this size was begun; after
 * it returns true, call renderer_read_end. */
bool renderer_read_begin(Renderer *renderer, int width, int height, BillowError *error);
bool renderer_read_begun(Renderer *renderer, int width, int height, const uint8_t **pixels);
void renderer_read_end(Renderer *renderer);
/* Reads the picture before exposure and tone map: linear radiance times opacity in Rec. 709
 * primaries, and opacity. 4 floats a pixel, rows from the top, without overlay lines. The frame
 * must have been drawn with `linear`. */
bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error);
/* Reads the smoke's transmittance in red, green and blue and the smoke's mean distance, m (0 = no
 * smoke). Pixels have the marched resolution, rows from the top. behind: reads the smoke behind the
 * edges of solids instead of that in front. The frame must have been drawn with `through`. */
bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error);
/* Reads the depth of each pixel, rows from the top. through, 4 floats a pixel: transmittance in
 * red, green and blue of the smoke in front of the surface, and the smoke's mean distance. surface,
 * 1 float a pixel: distance of the solid or the ground. Distances are along the view axis, m; 1e10
 * = none. Tracers have no depth. The frame must have been drawn with `depth`. */
bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error);
/* Draws a picture of any size and passes it to `take` band by band from the top. The picture is
 * drawn in parts if it is too large for the GL. channels: 3 or 4 for an 8-bit picture; 0 with
 * frame->linear. frame->scale must be 1. If graphics memory runs out, the parts become smaller and
 * renderer_notice reports it. */
bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error);
/* Returns and clears the notice for the user about the last picture. Returns false if there is
 * none. */
bool renderer_notice(Renderer *renderer, BillowError *notice);
/* Evaluates one formula of the shaders, for tests. in and out: count times 4 floats. */
typedef enum RenderProbe {
    RENDER_PROBE_PHASE, /* in: cosine of the angle, mean cosine g; out: phase function, 1/sr, in all
                           four floats */
    RENDER_PROBE_ACES,  /* in: radiance in red, green and blue; out: sRGB on the display, 0..1 */
    RENDER_PROBE_AGX    /* as RENDER_PROBE_ACES, with the AgX curve */
} RenderProbe;
bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error);
/* Replaces the drawn picture until the next one is drawn. pixels: 4 bytes a pixel, as
 * renderer_read reads them. */
bool renderer_replace(Renderer *renderer, int width, int height, const uint8_t *pixels,
                      BillowError *error);

#endif
