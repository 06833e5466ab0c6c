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

/* A texture one can draw into. */

typedef struct Target {
    GLuint framebuffer, texture;
    int width, height;
} Target;

/* Makes the target width x height, if it is not already; its contents are then undefined. */
bool target_resize(Target *target, int width, int height, GLenum format, const char *label,
                   BillowError *error);
void target_destroy(Target *target);

/* Runs a fragment program on every pixel of the target. False where program is 0. */
bool target_cover(const Target *target, GLuint program);
/* Reads the target's pixels: rows from the top, stride pixels apart. */
bool target_read(const Target *target, GLenum layout, GLenum type, size_t pixel_bytes, int stride,
                 void *pixels, BillowError *error);

/* -- volumes ----------------------------------------------------------------------------------- */

/* 3D textures of floats. */

typedef struct Volume {
    GLuint texture;
    int n[3], channels;
    bool half;
    uint16_t *halves; /* some planes on their way there */
    size_t room;
} Volume;

/* What goes into a volume: channels floats a cell, 1 to 4, and strides in floats between rows and
 * planes, which need not be packed. */
typedef struct VolumeData {
    int n[3];
    int channels;
    ptrdiff_t stride_y, stride_z;
    const float *values;
    bool half;   /* kept in half precision, 11 bits and up to 65504 */
    bool smooth; /* trilinear, or the nearest cell */
    bool tiles;  /* repeats beyond its ends */
} VolumeData;

/* Both allocate only when the size, the channels or the precision change. volume_reserve puts
 * nothing into it. */
bool volume_reserve(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
void volume_destroy(Volume *volume);

/* Floats to half precision, to the nearest, ties to even; the largest half for what is larger.
 * Drivers that rasterise on the CPU take four times as long for it. */
void half_from_floats(const float *values, size_t count, uint16_t *out);
/* The same without the instructions that some processors have for it. */
void half_from_floats_plain(const float *values, size_t count, uint16_t *out);

/* A field, or values without padding, to a texture. half: precision that does, as where three
 * values or more go together. */
bool volume_upload_field(Volume *volume, const BillowView *view, const float *values, bool half,
                         const char *label, BillowError *error);
bool volume_upload_packed(Volume *volume, const int n[3], int channels, const float *values,
                          bool smooth, const char *label, BillowError *error);

#endif
