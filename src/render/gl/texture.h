/* SPDX-License-Identifier: MIT
 *
 * Textures: targets that passes draw into, and volumes of floats. */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include <billow/billow.h>
#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- targets ----------------------------------------------------------------------------------- */

/* A texture that passes draw into. */

typedef struct Target {
    GLuint framebuffer, texture;
    int width, height;
} Target;

/* Gives the target a size. If it already has it, its contents stay; otherwise they are undefined.
 */
bool target_resize(Target *target, int width, int height, GLenum format, const char *label,
                   BillowError *error);
void target_destroy(Target *target);

/* Runs a fragment program on every pixel of the target. False where program is 0. */
bool target_cover(const Target *target, GLuint program);
/* Reads pixels, rows from the top. stride: distance between rows, pixels. */
bool target_read(const Target *target, GLenum layout, GLenum type, size_t pixel_bytes, int stride,
                 void *pixels, BillowError *error);

/* -- volumes ----------------------------------------------------------------------------------- */

/* 3D textures of floats. */

typedef struct Volume {
    GLuint texture;
    int n[3], channels;
    bool half;
    uint16_t *halves; /* buffer of the planes that are being converted for upload */
    size_t room;
} Volume;

/* Contents of a volume: cells of 1 to 4 floats (`channels`). Strides are in floats between rows and
 * planes. */
typedef struct VolumeData {
    int n[3];
    int channels;
    ptrdiff_t stride_y, stride_z;
    const float *values;
    bool half;   /* store half precision: 11 significant bits, up to 65504 */
    bool smooth; /* true: trilinear interpolation; false: nearest cell */
    bool tiles;  /* true: the volume repeats beyond its ends */
} VolumeData;

/* Both functions allocate only if size, channels or precision have changed. volume_reserve uploads
 * nothing. */
bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
void volume_destroy(Volume *volume);

/* Converts floats to halves: nearest, ties to even, and the largest half for all larger values. GL
 * drivers that run on the CPU take four times as long. */
void half_from_floats(const float *values, size_t count, uint16_t *out);
/* half_from_floats without special processor instructions, for comparison. */
void half_from_floats_plain(const float *values, size_t count, uint16_t *out);

/* Uploads a field of a view. half: half precision suffices, as for volumes of several channels. */
bool volume_upload_field(Volume *volume, const BillowView *view, const float *values, bool half,
                         const char *label, BillowError *error);
bool volume_upload_packed(Volume *volume, const int n[3], int channels, const float *values,
                          bool smooth, const char *label, BillowError *error);

#endif
