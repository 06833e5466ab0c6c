/* SPDX-License-Identifier: MIT
 *
 * How much of each lamp's light reaches each position in the smoke, on the cells of the sun's light
 * volume. Stored is the mean extinction between lamp and cell; times the distance it gives the
 * optical depth. (The optical depth has a sharp minimum at the lamp, in which the cells would show.
 * The mean is smooth there, and constant in uniform smoke.) It is stored by colour if coloured
 * smoke absorbs more of the light that it does not reflect. extinction_color is not included. */
#ifndef RENDER_LAMP_VOLUME_H
#define RENDER_LAMP_VOLUME_H

#include "light_volume.h"
#include "render_settings.h"

typedef struct LampVolume {
    int n[3], count; /* cells per axis, and lamps; 0 if there are none */
    int colors;      /* 1, or 3: volumes for red, green and blue one after the other */
    float *dimming;  /* mean optical depth per cell of the grid; `count` values a cell, x fastest */
    float *matter;   /* scratch: density that dims one colour; only with 3 colours */
    float *wall;     /* scratch: density that solids add */
    size_t floats;   /* floats that are allocated */
    float place[RENDER_LAMPS_MAX]
               [3]; /* positions of the lamps, in cells of the grid from its corner */
} LampVolume;

/* Computes all lamps. direct: gathered light volume with its colours. origin: the grid's corner, m.
 * cell: edge of its cells, m. solids: obstacles, or NULL. Memory is reused from call to call. Fails
 * if memory is short. */
bool lamp_volume_compute(LampVolume *volume, const LightVolume *direct, const float origin[3],
                         float cell, const RenderSettings *settings, const SolidLight *solids,
                         BillowError *error);
void lamp_volume_destroy(LampVolume *volume);

#endif
