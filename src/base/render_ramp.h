/* SPDX-License-Identifier: MIT
 *
 * Colour ramps: colours between stops, interpolated linearly in linear light, by the value of a
 * field. Shaders evaluate the same table (shaders/ramp.glsl). */
#ifndef BASE_RENDER_RAMP_H
#define BASE_RENDER_RAMP_H

#include "base/render_settings.h"

/* A ramp made ready for look-ups. Values rise from stop to stop; equal values make a step. Below
 * the first and above the last value the colour is constant. */
typedef struct RampTable {
    int count; /* stops; 0: the ramp is off */
    float values[RENDER_STOPS_MAX];
    float colors[RENDER_STOPS_MAX][3];
} RampTable;

/* Makes the table of a ramp. A stop that lies before its predecessor counts as lying at it. If
 * `low` exceeds `high`, the ramp runs backwards. */
RampTable render_ramp_table(const RenderRamp *ramp);

/* Writes the colour at a value of the field. The table must have a stop. */
void render_ramp_color(const RampTable *table, float value, float rgb[3]);

/* The largest of red, green and blue of all stops; 0 without stops. */
float render_ramp_most(const RenderRamp *ramp);

/* Whether a ramp that is on follows a field. */
bool render_ramp_follows(const RenderSettings *settings, RenderRampBy by);

/* Index of the first stop that lies before its predecessor; -1: none. */
int render_ramp_unsorted(const RenderRamp *ramp);

/* A ramp with a name. */
typedef struct RenderRampPreset {
    const char *name, *does;
    int stop_count;
    RenderStop stops[RENDER_STOPS_MAX];
} RenderRampPreset;

/* Named ramps for the smoke's colour or, if `fire`, for the glow. Returns NULL after the last. */
const RenderRampPreset *render_ramp_preset(bool fire, int index);

#endif
