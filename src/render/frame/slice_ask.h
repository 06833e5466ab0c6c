/* SPDX-License-Identifier: MIT
 *
 * A slice as requested by options or the window, and how to draw it for a given simulation. */
#ifndef RENDER_SLICE_ASK_H
#define RENDER_SLICE_ASK_H

#include "base/render_settings.h"
#include "render/frame/frame.h"

enum { SLICE_ACROSS = -1, SLICE_CONTOURS_MAX = 100 };

typedef struct SliceAsk {
    bool given; /* false: no slice is requested */
    FieldKind kind;
    int axis;    /* normal of the plane; SLICE_ACROSS: the axis nearest to the camera's direction */
    bool placed; /* false: the plane is in the middle of the box, and `position` is not used */
    float position; /* position of the plane along the axis, m */
    int contours;
    bool ranged; /* false: the colours span the slice's own range of values, and `low` and `high`
                    are not used */
    float low, high;
    float veil;     /* as in RenderSlice */
    bool no_legend; /* saved pictures have no legend; the window always has one */
} SliceAsk;

SliceAsk slice_ask_default(void);

/* Chooses axis and position if the request left them open. Returns false and a message if the
 * simulation does not have the field or the position is outside its box. */
bool slice_ask_settle(SliceAsk *ask, const BillowDef *def, const RenderCamera *camera,
                      BillowError *error);

/* Returns the slice as the renderer draws it. */
RenderSlice slice_ask_drawn(const SliceAsk *ask, const FieldSlice *field);

#endif
