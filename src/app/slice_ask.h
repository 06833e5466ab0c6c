/* SPDX-License-Identifier: MIT
 *
 * What a person asks of a slice, and what that is for a simulation. */
#ifndef APP_SLICE_ASK_H
#define APP_SLICE_ASK_H

#include "frame.h"
#include "render_settings.h"

enum { SLICE_ACROSS = -1, SLICE_CONTOURS_MAX = 100 };

typedef struct SliceAsk {
    bool given; /* otherwise there is none */
    FieldKind kind;
    int axis;    /* SLICE_ACROSS: that which the camera looks along most */
    bool placed; /* at position, m; otherwise in the middle of the box */
    float position;
    int contours;
    bool ranged; /* from low to high; otherwise that of the slice itself */
    float low, high;
    float veil;     /* as in frame.h */
    bool no_legend; /* in pictures; the window always has one */
} SliceAsk;

SliceAsk slice_ask_default(void);

/* Fills in axis and position where they were left open. False, with a message, where the simulation
 * has no such field or the place is not in its box. */
bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error);

/* How the slice that was asked for is drawn. */
RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field);

#endif
