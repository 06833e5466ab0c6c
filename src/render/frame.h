/* SPDX-License-Identifier: MIT
 *
 * One picture: its size, and how it is drawn. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "field_slice.h"

/* Numbers over the picture: a plane across the box in the colours of color_map.h, red, green and
 * blue of a display, which no exposure touches. */
typedef struct RenderSlice {
    const FieldSlice *field; /* NULL: none */
    float low, high;         /* what the first and the last colour stand for; high > low */
    int contours;            /* lines of equal value, at (i + 1/2) / contours of the range; even
                                where the field has both signs, so that none is at 0; 0: none */
    float veil; /* 0..1; how much of the slice smoke and solids before it hide: 1 all that they
                   do hide; default 0.3 */
} RenderSlice;

/* A part of a picture, in pixels from its lower left corner. */
typedef struct RenderTile {
    int x, y, width, height; /* width 0: all of it */
} RenderTile;

typedef struct RenderFrame {
    int width, height; /* pixels of the final picture */
    RenderTile tile;   /* draw no more than this of it; scale is 1 then */
    int part_edge;    /* for renderer_bands: pixels along an edge of what is drawn at once, at least
                         16; 0: as many as the GL and its memory allow */
    float scale;      /* share of them marched, 0.1..1; below 1 the smoke is upsampled */
    float step;       /* march step in cells, 0.1..4; default 1, 0.5 for stills */
    bool transparent; /* no sky or ground: smoke and solids over nothing, straight alpha in the
                         image, for programs that mix what is encoded (shaders/develop.glsl) */
    bool linear;      /* keep the linear picture, for renderer_read_linear */
    bool through;     /* keep transmittance by colour and the smoke's distance: costs a little */
    bool depth;     /* and what of it each pixel shows, for renderer_read_depth; scale is 1 then */
    float seconds;  /* since the last picture: automatic exposure follows within a second or so;
                       0, as for stills: at once */
    bool aside;     /* for renderer_bands: automatic exposure stays what it was after the last
                       picture, and knows nothing of this one */
    bool late;      /* it may be a picture late, so that no GPU has to be waited for */
    bool smooth;    /* spread the noise of few rays and long steps over neighbours, where there are
                       no solids, whose edges would be lost */
    float history;  /* share of the picture's pixels in which smoke is kept from frame to frame and
                       made up of the few rays of many, which then are elsewhere in each; 0: each
                       frame by itself. Not where there are solids or tracers */
    bool turning;   /* the camera moves: sky and ground at half the resolution */
    bool outline;   /* draw the edges of the box */
    unsigned frame; /* varies the jitter; 0 for pictures that must repeat */
    RenderSlice slice;
} RenderFrame;

RenderFrame render_default_frame(void);
/* The tile, or all of the picture where there is none. */
RenderTile render_frame_drawn(const RenderFrame *frame);

#endif
