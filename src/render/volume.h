/* SPDX-License-Identifier: MIT
 *
 * 3D textures of floats. */
#ifndef RENDER_VOLUME_H
#define RENDER_VOLUME_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Volume {
    GLuint texture;
    int n[3], channels;
    bool exact;
} Volume;

/* What goes into a volume: channels floats a cell, 1 to 4, and strides in floats between rows and
 * planes, which need not be packed. */
typedef struct VolumeData {
    int n[3];
    int channels; /* three or four are kept in half precision, */
    bool exact;   /* unless they are to be exact */
    ptrdiff_t stride_y, stride_z;
    const float *values;
    bool smooth; /* trilinear, or the nearest cell */
    bool tiles;  /* repeats beyond its ends */
} VolumeData;

/* Both allocate only when the size or the channels change. volume_reserve puts nothing into it. */
bool volume_reserve(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
void volume_destroy(Volume *volume);

#endif
