/* SPDX-License-Identifier: MIT
 *
 * Textures: targets, which passes draw into, and volumes, which hold 3D fields. */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include "render/gl/gl.h"
#include <billow/billow.h>
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates a texture without mipmaps, and binds it. filter, wrap: how its texels are interpolated
 * and continued beyond its edges. */
GLuint texture_create(GLenum kind, GLint filter, GLint wrap, const char *label);
enum { MIPMAPS_MOST = 1000 }; /* GL_TEXTURE_MAX_LEVEL of textures with mipmaps */
/* Binds a texture to a unit. Unit 0 is active afterwards. */
void texture_bind(int unit, GLenum kind, GLuint texture);

/* -- targets ----------------------------------------------------------------------------------- */

typedef struct Target {
    GLuint framebuffer, texture;
    int width, height;
} Target;

/* Resizes a target. If it already has this size, its contents are preserved; otherwise they are
 * undefined. */
bool target_resize(Target *target, int width, int height, GLenum format, const char *label,
                   BillowError *error);
void target_destroy(Target *target);

/* Runs a fragment program on every pixel of a target. Returns false if program is 0. */
bool target_cover(const Target *target, GLuint program);
/* Reads a target's pixels, rows from the top. stride: distance between rows of `pixels`, pixels. */
bool target_read(const Target *target, GLenum layout, GLenum type, size_t pixel_bytes, int stride,
                 void *pixels, BillowError *error);

/* -- volumes ----------------------------------------------------------------------------------- */

/* 3D textures of floats. */

typedef struct Volume {
    GLuint texture;
    int n[3], channels;
    bool half;
    struct VolumeLayer *layers; /* what each layer of planes holds */
    int layer_count;
    void *packed; /* buffer for texels that are converted before an upload, `room` bytes */
    size_t room;
    GLuint buffer;     /* buffer object that may hold them instead */
    int tries;         /* uploads so far that were timed from memory and from the buffer by turns */
    double seconds[2]; /* least time per value of such uploads, s: from memory, from the buffer */
} Volume;

/* The texels of a volume, each of 1 to 4 floats (`channels`). stride_y and stride_z: distance
 * between rows and between planes, floats. */
typedef struct VolumeData {
    int n[3];
    int channels;
    ptrdiff_t stride_y, stride_z;
    const float *values;
    const BillowView *spans; /* its spans say which texels may differ from 0; NULL: all may */
    int first_plane;         /* plane of `spans` that the first plane of the texels is */
    bool half;               /* store values as halves: 11 significant bits, up to 65504 */
    bool smooth;             /* true: trilinear interpolation; false: nearest texel */
} VolumeData;

/* Uploads the texels that may differ from 0 now or did so before. Allocates a new texture only if
 * size, channels or precision have changed. Frees the volume if there are no values. */
bool volume_upload(Volume *volume, const VolumeData *data, const char *label, BillowError *error);
void volume_destroy(Volume *volume);

/* Converts floats to halves. Rounds to nearest, ties to even. Values that are too large become the
 * largest half. Software GL drivers need four times as long for this. */
void half_from_floats(const float *values, size_t count, uint16_t *out);
/* half_from_floats without vector instructions, for tests. */
void half_from_floats_plain(const float *values, size_t count, uint16_t *out);

/* Texels without padding, as halves if there are several channels. */
VolumeData volume_packed(const int n[3], int channels, const float *values, bool smooth);
/* volume_upload_field uploads the planes planes[0] <= k < planes[1] of a field of a view; half:
 * half precision is enough. volume_upload_packed uploads volume_packed. */
bool volume_upload_field(Volume *volume, const BillowView *view, const int planes[2],
                         const float *values, bool half, const char *label, BillowError *error);
bool volume_upload_packed(Volume *volume, const int n[3], int channels, const float *values,
                          bool smooth, const char *label, BillowError *error);

#endif
