/* SPDX-License-Identifier: MIT
 *
 * A slice as requested by options or the window, and how to draw it for a given simulation. */
#ifndef RENDER_SLICE_ASK_H
#define RENDER_SLICE_ASK_H

#include "frame.h"
#include "render_settings.h"

enum { SLICE_ACROSS = -1, SLICE_CONTOURS_MAX = 100 };

typedef struct SliceAsk {
    bool given; /* false: no slice is requested */
    FieldKind kind;
    int axis;    /* normal of the plane; SLICE_ACROSS: the axis closest to the camera's direction */
    bool placed; /* false: `position` is unused and the plane is in the middle of the box */
    float position; /* m */
    int contours;
    bool ranged; /* false: the colours span the slice's own values instead of low to high */
    float low, high;
    float veil;     /* as in RenderSlice */
    bool no_legend; /* draw no legend in pictures; the window always draws one */
} SliceAsk;

SliceAsk slice_ask_default(void);

/* Sets axis and position if the request left them open. Returns false and a message if the
 * simulation lacks the field or the position is outside its box. */
bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error);

/* The description of the slice for the renderer. */
RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field);

#endif
