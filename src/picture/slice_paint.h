/* SPDX-License-Identifier: MIT
 *
 * A plane of numbers as colours over a picture: shaders/slice.frag over again in C. */
#ifndef PICTURE_SLICE_PAINT_H
#define PICTURE_SLICE_PAINT_H

#include "color_map.h"
#include "field_slice.h"
#include "solid_trace.h"

typedef struct SlicePaint {
    const March *march;
    const SolidTrace *solids; /* NULL where there are none */
    const FieldSlice *field;
    float colors[4 * COLOR_MAP_ENTRIES];
} SlicePaint;

/* The colours that a field's numbers are drawn in. */
ColorMap slice_color_map(const FieldSlice *field);

void slice_paint_open(SlicePaint *paint, const March *march, const SolidTrace *solids,
                      const FieldSlice *field);

/* The field's value where the ray through such a place meets the plane, and how far that is along
 * the view axis, m; false where it does not. Reads of the frame's block the camera and the box. */
bool slice_paint_value(const FrameBlock *frame, const FieldSlice *field, float x, float y,
                       float *value, float *distance);

/* The colour, of a display, and in [3] the opacity of the slice at a place in pixels from the lower
 * left. */
void slice_paint_pixel(const SlicePaint *paint, float x, float y, float rgba[4]);

#endif
