/* SPDX-License-Identifier: MIT
 *
 * A texture one can draw into. */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>

typedef struct Target {
    GLuint framebuffer, texture;
    int width, height;
} Target;

/* Makes the target width x height, if it is not already; its contents are then undefined. */
bool target_resize(Target *target, int width, int height, GLenum format, const char *label,
                   BillowError *error);
void target_destroy(Target *target);

#endif
