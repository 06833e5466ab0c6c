/* SPDX-License-Identifier: MIT
 *
 * How much of each lamp's light reaches each place in the smoke, on the cells of the sun's light
 * volume: the mean extinction between lamp and cell. Times the distance it gives the optical depth.
 * (The depth has a sharp minimum at the lamp, which would show the cells; the mean is smooth there
 * and constant in uniform smoke.) It is stored by colour where coloured smoke takes more of the
 * light that it does not reflect. extinction_color is not included. */
#ifndef RENDER_LAMP_VOLUME_H
#define RENDER_LAMP_VOLUME_H

#include "light_volume.h"
#include "render_settings.h"

typedef struct LampVolume {
    int n[3], count; /* cells per axis, and lamps; 0 without any */
    int colors;      /* 1, or 3: red, green and blue one after the other */
    float *dimming;  /* mean optical depth per cell of the grid: count values a cell, x fastest */
    float *matter;   /* scratch: density that dims a colour; only with 3 colours */
    float *wall;     /* scratch: density that solids add */
    size_t floats;   /* floats that are allocated */
    float place[RENDER_LAMPS_MAX][3]; /* in the grid's cells, from its corner */
} LampVolume;

/* direct: gathered, with the colours. origin: the grid's corner, cell: its edge, m. solids: what is
 * in the light's way, or NULL. Keeps its memory from call to call; fails where there is none. */
bool lamp_volume_compute(LampVolume *volume, const LightVolume *direct, const float origin[3],
                         float cell, const RenderSettings *settings, const SolidLight *solids,
                         BillowError *error);
void lamp_volume_destroy(LampVolume *volume);

#endif
