/* SPDX-License-Identifier: MIT
 *
 * How much of each lamp's light reaches each place in the smoke, on the cells of the sun's light
 * volume: the mean extinction on the way from lamp to cell, from which the optical depth is that
 * times the distance. (The depth itself has a tip at the lamp, which would show the cells; the mean
 * is smooth there, and the same everywhere in even smoke.) Where smoke takes more of the light that
 * it does not reflect, this goes by colour; what all smoke takes more of one colour is left out. */
#ifndef RENDER_LAMP_VOLUME_H
#define RENDER_LAMP_VOLUME_H

#include "light_volume.h"
#include "render_settings.h"

typedef struct LampVolume {
    int n[3], count; /* cells per axis, and lamps; 0 without any */
    int colors;      /* 1, or 3: red, green and blue one after the other */
    float *dimming;  /* natural, over one of the grid's cells: count values a cell, x fastest */
    float *matter;   /* scratch: density that dims a colour, where there are 3 */
    float *wall;     /* scratch: what solids add, likewise */
    size_t floats;   /* room */
    float place[RENDER_LAMPS_MAX][3]; /* in the grid's cells, from its corner */
} LampVolume;

/* direct: gathered, with the colours. origin: the grid's corner, cell: its edge, m. solids: what is
 * in the light's way, or NULL. Keeps its memory from call to call; fails where there is none. */
bool lamp_volume_compute(LampVolume *volume, const LightVolume *direct, const float origin[3],
                         float cell, const RenderSettings *settings, const SolidLight *solids,
                         BillowError *error);
void lamp_volume_destroy(LampVolume *volume);

#endif
