/* SPDX-License-Identifier: MIT
 * A simulation in which each value encodes its position, for tests of volume files. */
#ifndef TESTS_VOLUME_FIXTURE_H
#define TESTS_VOLUME_FIXTURE_H

#include "io/volume_file.h"
#include <string.h>

enum { VOLUME_NX = 21, VOLUME_NY = 13, VOLUME_NZ = 10, VOLUME_FIELDS = 6 };

static inline BillowDef volume_def(void)
{
    BillowDef def = billow_default_def();
    def.nx = VOLUME_NX;
    def.ny = VOLUME_NY;
    def.nz = VOLUME_NZ;
    def.cell_size = 0.25f;
    def.origin[0] = -1;
    def.origin[1] = 2;
    def.origin[2] = 0.5f;
    def.fire = def.color = true;
    return def;
}

/* The value of cell (i, j, k) in the axes of Billow. A quarter of the cells, in a corner, is empty.
 */
static inline float volume_density(int i, int j, int k)
{
    return i < VOLUME_NX / 2 && j < VOLUME_NY / 2
               ? 0
               : 0.01f * (float)(1 + i) + (float)j + 0.1f * (float)k;
}

static inline float volume_color(int i, int part)
{
    return part == 0 ? 1 : part == 1 ? 0.5f : 0.03f * (float)i;
}

/* The velocity on a face, linear in space, so that the mean of two faces is the value at the
 * centre. */
static inline float volume_flow(int axis, double i, double j, double k)
{
    return (float)((axis + 1) * (0.125 * i - 0.25 * j + 0.5 * k) - axis);
}

static inline void volume_paint(BillowSim *sim)
{
    BillowView view = billow_view(sim);
    BillowFields to = billow_fields(sim);
    for (int k = 0; k <= VOLUME_NZ; k++)
        for (int j = 0; j <= VOLUME_NY; j++)
            for (int i = 0; i <= VOLUME_NX; i++) {
                ptrdiff_t at = i + j * view.stride_y + k * view.stride_z;
                to.u[at] = volume_flow(0, i, j + 0.5, k + 0.5);
                to.v[at] = volume_flow(1, i + 0.5, j, k + 0.5);
                to.w[at] = volume_flow(2, i + 0.5, j + 0.5, k);
                if (i == VOLUME_NX || j == VOLUME_NY || k == VOLUME_NZ)
                    continue;
                to.density[at] = volume_density(i, j, k);
                to.temperature[at] = (float)(100 * i - 70 * j + 3 * k);
                to.fuel[at] = i == 3 ? 0.5f : 0;
                for (int part = 0; part < 3; part++)
                    to.color[part][at] = volume_density(i, j, k) * volume_color(i, part);
            }
}

/* The expected value of a cell of a file, at its own index. */
static inline float volume_expected(const VolumeFrame *frame, const char *field, int part,
                                    const int cell[3])
{
    bool turned = frame->up == VOLUME_UP_Z;
    int i = cell[0], j = turned ? cell[2] : cell[1];
    int k = turned ? VOLUME_NZ - 1 - cell[1] : cell[2];
    int axis = !turned || part == 0 ? part : 3 - part;
    float sign = turned && part == 1 ? -1 : 1;
    if (strcmp(field, "density") == 0)
        return volume_density(i, j, k);
    if (strcmp(field, "temperature") == 0)
        return (float)(100 * i - 70 * j + 3 * k);
    if (strcmp(field, "fuel") == 0)
        return i == 3 ? 0.5f : 0;
    if (strcmp(field, "velocity") == 0)
        return sign * volume_flow(axis, i + 0.5, j + 0.5, k + 0.5);
    if (strcmp(field, "color") == 0)
        return volume_density(i, j, k) > 0 ? volume_color(i, part) : 1;
    return 0;
}

/* The bit of a field for volume_frame_create. */
static inline unsigned volume_bit(const char *field)
{
    for (int index = 0; volume_field_name(index) != NULL; index++)
        if (strcmp(volume_field_name(index), field) == 0)
            return 1u << index;
    return 0;
}

/* The frame of that simulation. */
static inline bool volume_make(VolumeFrame *frame, VolumeUp up, BillowError *error)
{
    BillowDef def = volume_def();
    BillowSim *sim = billow_create(&def, error);
    if (sim == NULL)
        return false;
    volume_paint(sim);
    BillowView view = billow_view(sim);
    bool made = volume_frame_create(frame, &def, volume_fields_of(&def), up, 1e-4f,
                                    "a <scene> & more", error);
    if (made)
        volume_frame_fill(frame, &view);
    frame->time = 1.5;
    billow_destroy(sim);
    return made;
}

#endif
