/* SPDX-License-Identifier: MIT
 *
 * The fields of one moment as other programs take them: every value at a cell's centre, in SI
 * units, in plain rows without padding. */
#ifndef IO_VOLUME_FRAME_H
#define IO_VOLUME_FRAME_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order in which they stand in files. */
typedef enum VolumeKind {
    VOLUME_DENSITY,
    VOLUME_TEMPERATURE,
    VOLUME_FLAME,
    VOLUME_FUEL,
    VOLUME_VELOCITY,
    VOLUME_COLOR,
    VOLUME_KINDS
} VolumeKind;

typedef struct VolumeField {
    VolumeKind kind;
    const char *name, *unit; /* "temperature", "K"; both live as long as the program */
    const char *meaning;     /* a few words */
    int parts;               /* numbers a cell has, side by side: 1, or 3 of a vector or a colour */
    float background;        /* what each is where nothing is */
    float least;   /* sparse files leave out the cells no part of which is so far from it */
    float *values; /* cell (i, j, k) at parts * (i + n[0] * (j + n[1] * k)) */
} VolumeField;

/* Which axis of the file points up, against gravity: billow's own, y, as in Houdini and ParaView,
 * or z, as in Blender. Then (x, y, z) has become (x, -z, y), vectors' parts too. */
typedef enum VolumeUp { VOLUME_UP_Y, VOLUME_UP_Z } VolumeUp;

typedef struct VolumeFrame {
    int n[3];
    double cell_size, origin[3]; /* m; the corner of cell (0, 0, 0) */
    double time;                 /* s */
    const char *scene;           /* its name */
    VolumeUp up;
    int field_count;
    VolumeField fields[VOLUME_KINDS];
} VolumeFrame;

/* "density" and so on; NULL past the last. */
const char *volume_kind_name(int kind);

/* The kinds that a simulation has, as bits 1 << kind. */
unsigned volume_kinds_of(const BillowDef *def);

/* Memory for those kinds of fields of a simulation's size, freed by volume_frame_destroy. threshold
 * is the density below which a cell counts as empty. scene lives as long as the frame. */
bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned kinds, VolumeUp up,
                         float threshold, const char *scene, BillowError *error);
void volume_frame_destroy(VolumeFrame *frame); /* zeros are fine */

/* What the view shows. Velocity is the mean of a cell's two faces; a colour is that of the smoke
 * itself, white where there is none. */
void volume_frame_fill(VolumeFrame *frame, const BillowView *view);

#ifdef __cplusplus
}
#endif

#endif
