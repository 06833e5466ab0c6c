/* SPDX-License-Identifier: MIT
 *
 * Colour ramps on a view: the field that a ramp follows, and the colour of its cells. The march
 * looks the same table up at each sample (shaders/ramp.glsl). */
#ifndef RENDER_RAMP_H
#define RENDER_RAMP_H

#include "base/render_settings.h"

#include <billow/billow.h>

typedef struct Ramp {
    bool on;       /* the ramp has stops, and the view has its field */
    bool weighted; /* the field is an amount: its values are divided by the density */
    RampTable table;
    RenderRampBy by;
    const BillowView *view;
} Ramp;

/* The view must remain valid while the ramp is used. */
Ramp ramp_of(const RenderRamp *settings, const BillowView *view);

/* The field in a cell; of a weighted field density times its value. cell: i, j, k. */
float ramp_field(const Ramp *ramp, const int cell[3]);

/* Writes the ramp's colour of a cell. */
void ramp_color(const Ramp *ramp, const int cell[3], float rgb[3]);

#endif
