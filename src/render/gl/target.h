/* SPDX-License-Identifier: MIT
 *
 * A texture one can draw into. */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

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

#endif
