/* SPDX-License-Identifier: MIT
 *
 * One picture: its size, and how it is drawn. */
#ifndef PICTURE_FRAME_H
#define PICTURE_FRAME_H

#include <stdbool.h>

typedef struct RenderFrame {
    int width, height; /* pixels of the final picture */
    float scale;       /* share of them marched, 0.1..1; below 1 the smoke is upsampled */
    float step;        /* march step in cells, 0.1..4; default 1, 0.5 for stills */
    bool transparent;  /* no sky or ground: smoke and solids over nothing, straight alpha in the
                          image */
    bool linear;       /* keep the linear picture, for renderer_read_linear */
    bool through;      /* keep transmittance by colour and the smoke's distance: costs a little */
    bool outline;      /* draw the edges of the box */
    unsigned frame;    /* varies the jitter; 0 for pictures that must repeat */
    bool cursor;       /* draw the brush: a ring of cursor_radius metres at cursor_center */
    float cursor_center[3], cursor_radius;
} RenderFrame;

RenderFrame render_default_frame(void);

#endif
