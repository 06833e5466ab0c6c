/* SPDX-License-Identifier: MIT
 *
 * How much of each lamp's light reaches each position in the smoke, on the cells of the sun's light
 * volume. Stored is the mean extinction between lamp and cell; times the distance it gives the
 * optical depth. (The optical depth has a sharp minimum at the lamp, in which the cells would show.
 * The mean is smooth there, and constant in uniform smoke.) It is stored by colour if coloured
 * smoke absorbs more of the light that it does not reflect. extinction_color is not included. */
#ifndef RENDER_LAMP_VOLUME_H
#define RENDER_LAMP_VOLUME_H

#include "base/render_settings.h"
#include "render/light/light_volume.h"

/* A lamp as a point of light with a share by direction. A sun is a point so far away that its light
 * is parallel. */
typedef struct LampPlaced {
    RenderLamp lamp;   /* direction has unit length; of a sun, position and intensity are those of
                          the point */
    float edge, inner; /* cosines of the angles at which a spot has faded, and begins to fade */
    float spread;      /* radius of an area, m; 0: other kinds */
} LampPlaced;

/* origin: corner of the box, m. size: its edges, m. */
LampPlaced lamp_placed(const RenderLamp *lamp, const float origin[3], const float size[3]);

/* Share of the lamp's light along `off`, a vector away from the lamp of length `distance`. */
float lamp_shine(const LampPlaced *placed, const float off[3], float distance);

typedef struct LampVolume {
    int n[3], count; /* cells per axis, and lamps; 0 if there are none */
    int colors;      /* 1, or 3: volumes for red, green and blue one after the other */
    float *dimming;  /* mean optical depth per cell of the grid; `count` values a cell, x fastest */
    float *matter;   /* scratch: density that dims one colour; only with 3 colours */
    float *wall;     /* scratch: density that solids add */
    float *apart;    /* scratch of each lamp: a volume for the points of an area */
    size_t floats;   /* floats that are allocated */
    LampPlaced placed[RENDER_LAMPS_MAX];
    float place[RENDER_LAMPS_MAX][3]; /* of the lamps, cells of the grid from its corner */
} LampVolume;

/* Computes all lamps. direct: gathered light volume with its colours. origin: the grid's corner, m.
 * cell: edge of its cells, m. solids: obstacles, or NULL. Memory is reused from call to call. Fails
 * if memory is short. */
bool lamp_volume_compute(LampVolume *volume, const LightVolume *direct, const float origin[3],
                         float cell, const RenderSettings *settings, const SolidLight *solids,
                         BillowError *error);
void lamp_volume_destroy(LampVolume *volume);

#endif
