/* SPDX-License-Identifier: MIT
 *
 * The description of one picture: its size, quality and contents. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "render/frame/field_slice.h"

#include <billow/billow.h>
#include <stdint.h>

/* A slice: a plane across the box that shows the values of a field as colours (legend.h). Exposure
 * and tone map do not change these colours. */
typedef struct RenderSlice {
    const FieldSlice *field; /* NULL = none */
    float low, high;         /* values of the first and the last colour; high > low */
    int contours; /* number of contour lines; 0 = none. Line i is at (i + 1/2) / contours of the
                     range. For fields with both signs the number is even, so that no line is at 0.
                   */
    float veil; /* factor, 0..1, on how much smoke and solids in front dim the slice; default 0.3 */
} RenderSlice;

/* A rectangle of a picture, pixels from its lower left corner. */
typedef struct RenderTile {
    int x, y, width, height; /* width 0: the whole picture */
} RenderTile;

/* March step from which smoke.detail is not drawn, cells. Detail needs steps half as long, which
 * would take most of a moving picture's time. */
#define RENDER_STEP_PLAIN 2.0f

typedef struct RenderFrame {
    int width, height; /* size of the final picture, pixels */
    RenderTile tile;   /* part of the picture to draw; requires scale 1 */
    int part_edge; /* used by renderer_bands: longest edge of a part that is drawn at once, pixels,
                      at least 16; 0 = as long as the GL and its memory allow */
    float scale; /* marched pixels along an edge per pixel of the picture, 0.1..1; below 1 the smoke
                    is upsampled */
    float step;  /* march step, cells, 0.1..4; default 1; stills take 0.5 */
    bool transparent; /* leave out sky and ground; alpha is straight, for programs that blend
                         encoded colours (shaders/develop.glsl) */
    bool linear;      /* keep the linear picture for renderer_read_linear */
    bool through;     /* keep the smoke's transmittance by colour and its distance for
                         renderer_read_through; costs little */
    bool depth;       /* keep each pixel's depth for renderer_read_depth; requires scale 1 */
    float seconds;    /* time since the last picture, s, during which automatic exposure adapts; 0 =
                         adapt at once, as for stills */
    bool aside; /* used by renderer_bands: draw with the automatic exposure of the last picture, and
                   leave it unchanged */
    bool late;  /* automatic exposure may lag by one picture, so that the CPU need not wait for the
                   GPU */
    bool smooth;    /* blur the noise of few rays and long steps; ignored with solids, whose edges
                       would blur, and if transmittance by colour is marched */
    float history;  /* pixels along an edge at which smoke is accumulated from frame to frame, per
                       pixel of the picture; 0 = no accumulation; ignored with solids, tracers, a
                       tile, or smoke that dims colours differently */
    bool turning;   /* the camera moves: sky and ground are drawn at half the resolution */
    bool outline;   /* draw the edges of the box */
    unsigned frame; /* index of the rays' jitter; 0 for pictures that must be reproducible */
    RenderSlice slice;
    int exposures; /* pictures at places in the lens and times of the shutter whose mean is drawn,
                      for depth of field and motion blur; 0 = one sharp picture; above 0, `smooth`
                      and `history` are ignored */
    const struct RenderCamera *moves; /* the cameras when the shutter opens and when it closes; NULL
                                         = the camera does not move */
    const BillowSolid *solids; /* the view's solids, whose velocity and spin the shutter shows; NULL
                                  = solids do not move */
    int solid_count;
    bool (*proceed)(void *context, float share); /* called after each exposure with the share that
                                                    is done; the picture is given up if it returns
                                                    false; NULL = none */
    void *proceed_context;
} RenderFrame;

RenderFrame render_default_frame(void);
/* Returns the frame of a still image: full resolution, march steps of half a cell. */
RenderFrame render_still_frame(int width, int height);
/* Returns the frame's tile, or a tile of the whole picture if the frame has none. */
RenderTile render_frame_drawn(const RenderFrame *frame);

/* -- bands of rows ----------------------------------------------------------------------------- */

/* Bands: groups of rows of a picture. Large pictures are passed on band by band, so that they need
 * not fit into memory. */

enum { BAND_ROWS = 16 }; /* the number of rows of all bands but the last is a multiple of this */

/* A group of rows from the top, in the formats of renderer_read, renderer_read_linear and
 * renderer_read_depth. NULL: not requested. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Receives a band, which is freed when the function returns. Drawing stops if it returns false and
 * a message. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

#endif
