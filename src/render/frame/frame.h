/* SPDX-License-Identifier: MIT
 *
 * The description of one picture: its size, quality and contents. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "field_slice.h"

#include <billow/error.h>
#include <stdint.h>

/* A plane across the box that shows a field's values as colours (legend.h). Exposure and tone map
 * do not change these colours. */
typedef struct RenderSlice {
    const FieldSlice *field; /* NULL = none */
    float low, high;         /* values of the first and the last colour; high > low */
    int contours; /* number of contour lines, at (i + 1/2) / contours of the range; even where the
                     field has both signs, so that none is at 0; 0 = none */
    float veil; /* factor, 0..1, on how much smoke and solids in front dim the slice; default 0.3 */
} RenderSlice;

/* A rectangle of a picture, pixels from its lower left corner. */
typedef struct RenderTile {
    int x, y, width, height; /* width 0: the whole picture */
} RenderTile;

typedef struct RenderFrame {
    int width, height; /* size of the final picture, pixels */
    RenderTile tile;   /* part to draw; it needs scale 1 */
    int part_edge; /* renderer_bands: longest edge of a part that is drawn at once, pixels, at least
                      16; 0 = as large as the GL and its memory allow */
    float scale;   /* share of the pixels along an edge that is marched, 0.1..1; the smoke is
                      upsampled below 1 */
    float step;    /* march step, cells, 0.1..4; default 1; stills take 0.5 */
    bool transparent; /* leave out sky and ground; alpha is straight, for programs that blend
                         encoded colours (shaders/develop.glsl) */
    bool linear;      /* keep the linear picture for renderer_read_linear */
    bool through;     /* keep the transmittance by colour and the smoke's distance for
                         renderer_read_through, at a small cost */
    bool depth;       /* keep each pixel's depth for renderer_read_depth; needs scale 1 */
    float seconds;    /* time since the last picture, s, over which automatic exposure adapts; 0 =
                         adapt at once, as for stills */
    bool aside;       /* renderer_bands: use the automatic exposure of the last picture and leave it
                         unchanged */
    bool late;     /* automatic exposure may lag by one picture, so that nothing waits for a GPU */
    bool smooth;   /* smooth the noise of few rays and long steps over neighbouring pixels; not with
                      solids, whose edges would blur */
    float history; /* share of the pixels along an edge at which smoke is accumulated from frame to
                      frame; 0 = no accumulation; not with solids or tracers */
    bool turning;  /* the camera moves: draw sky and ground at half the resolution */
    bool outline;  /* draw the edges of the box */
    unsigned frame; /* varies the jitter; 0 for pictures that must repeat */
    RenderSlice slice;
} RenderFrame;

RenderFrame render_default_frame(void);
/* The frame's tile, or the whole picture if it has none. */
RenderTile render_frame_drawn(const RenderFrame *frame);

/* -- bands of rows ----------------------------------------------------------------------------- */

/* Bands: rows of a picture that are handed over one band at a time, so that a large picture need
 * not fit into memory. */

enum { BAND_ROWS = 16 }; /* the rows of each band but the last are a multiple of this */

/* Rows of a picture from the top, in the formats of renderer_read, renderer_read_linear and
 * renderer_read_depth. NULL: not requested. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Receives a band, which is freed afterwards. Returning false with a message stops the picture. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

#endif
