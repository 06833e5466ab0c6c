/* SPDX-License-Identifier: MIT
 *
 * A slice as a person asks for it, and the slice of a simulation that it stands for. */
#ifndef RENDER_SLICE_ASK_H
#define RENDER_SLICE_ASK_H

#include "frame.h"
#include "render_settings.h"

enum { SLICE_ACROSS = -1, SLICE_CONTOURS_MAX = 100 };

typedef struct SliceAsk {
    bool given; /* false: there is no slice */
    FieldKind kind;
    int axis;       /* SLICE_ACROSS: the axis that the camera looks along most */
    bool placed;    /* false: in the middle of the box, whatever position is */
    float position; /* m */
    int contours;
    bool ranged; /* false: the colours range over the slice's own values, not from low to high */
    float low, high;
    float veil;     /* as in RenderSlice */
    bool no_legend; /* in pictures; the window always has one */
} SliceAsk;

SliceAsk slice_ask_default(void);

/* Fills in axis and position where they were left open. Returns false with a message where the
 * simulation has no such field or the position is outside its box. */
bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error);

/* How the slice is drawn. */
RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field);

#endif
