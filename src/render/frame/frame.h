/* SPDX-License-Identifier: MIT
 *
 * One picture: its size, and how it is drawn. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "field_slice.h"

#include <billow/error.h>
#include <stdint.h>

/* Numbers over the picture: a plane across the box in the colours of legend.h, red, green and
 * blue of a display, which no exposure touches. */
typedef struct RenderSlice {
    const FieldSlice *field; /* NULL = none */
    float low, high;         /* values of the first and the last colour; high > low */
    int contours; /* number of contour lines, at (i + 1/2) / contours of the range; even where the
                     field has both signs, so that none is at 0; 0 = none */
    float veil; /* share, 0..1, of the slice's dimming by smoke and solids in front; default 0.3 */
} RenderSlice;

/* A part of a picture, in pixels from its lower left corner. */
typedef struct RenderTile {
    int x, y, width, height; /* width 0: all of it */
} RenderTile;

typedef struct RenderFrame {
    int width, height; /* size of the final picture, pixels */
    RenderTile tile;   /* part that is drawn; its scale is 1 */
    int part_edge;    /* renderer_bands: longest edge of what is drawn at once, pixels, at least 16;
                         0 = as much as the GL and its memory allow */
    float scale;      /* share of the pixels along an edge that is marched, 0.1..1; the smoke is
                         upsampled below 1 */
    float step;       /* march step, cells, 0.1..4; default 1; stills take 0.5 */
    bool transparent; /* draw smoke and solids over nothing, without sky and ground; straight alpha
                         for programs that blend encoded colours (shaders/develop.glsl) */
    bool linear;      /* keep the linear picture, for renderer_read_linear */
    bool through;     /* keep transmittance by colour and the smoke's distance, at a small cost */
    bool depth;       /* keep the depth of each pixel, for renderer_read_depth; scale must be 1 */
    float seconds;  /* time since the last picture, s, that automatic exposure adapts by; 0 = adapt
                       at once, as for stills */
    bool aside;     /* renderer_bands: use automatic exposure as the last picture left it, and
                       leave it unchanged */
    bool late;      /* allow automatic exposure to lag by one picture, to avoid waiting for a GPU */
    bool smooth;    /* spread the noise of few rays and long steps over neighbours; not with
                       solids, whose edges it would blur */
    float history;  /* share of the pixels along an edge in which smoke is accumulated from frame
                       to frame; 0 = each frame alone; not with solids or tracers */
    bool turning;   /* the camera moves: draw sky and ground at half the resolution */
    bool outline;   /* draw the edges of the box */
    unsigned frame; /* varies the jitter; 0 for pictures that must repeat */
    RenderSlice slice;
} RenderFrame;

RenderFrame render_default_frame(void);
/* The tile, or all of the picture where there is none. */
RenderTile render_frame_drawn(const RenderFrame *frame);

/* -- bands of rows ----------------------------------------------------------------------------- */

/* Bands: rows of a picture that are handed over one by one, so that a large picture need not be in
 * memory as a whole. */

enum { BAND_ROWS = 16 }; /* rows of a band are a multiple of this, but for the last band */

/* Whole rows, from the top, as renderer_read, _linear and _depth give them; NULL where they were
 * not asked for. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Receives a band, whose memory is freed afterwards. False and a message end the picture. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

#endif
