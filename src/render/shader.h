/* SPDX-License-Identifier: MIT
 *
 * The renderer's programs, compiled together and replaced together. */
#ifndef RENDER_SHADER_H
#define RENDER_SHADER_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>

typedef enum ShaderProgram {
    SHADER_MARCH,          /* smoke that does not glow */
    SHADER_MARCH_EMISSION, /* smoke that does */
    SHADER_MARCH_SOLIDS,   /* both, in a box with solids, */
    SHADER_MARCH_SOLIDS_EMISSION,
    SHADER_COMPOSITE,
    SHADER_COMPOSITE_SOLIDS,
    SHADER_OVERLAY,
    SHADER_PROGRAMS
} ShaderProgram;

/* Texture units, by what is bound there throughout. */
typedef enum ShaderUnit {
    SHADER_UNIT_DENSITY,
    SHADER_UNIT_TEMPERATURE,
    SHADER_UNIT_LIGHT,
    SHADER_UNIT_BRICKS,
    SHADER_UNIT_SOLID,
    SHADER_UNIT_SHADE,
    SHADER_UNIT_BLACKBODY,
    SHADER_UNIT_SMOKE,
    SHADER_UNIT_SMOKE_BEHIND,
    SHADER_UNIT_GROUND_NOISE,
    SHADER_UNIT_GROUND_OCCLUSION,
    SHADER_UNITS
} ShaderUnit;

#define SHADER_FRAME_BINDING 0 /* uniform buffer binding of the block Frame */

typedef struct ShaderSet {
    GLuint programs[SHADER_PROGRAMS];
} ShaderSet;

/* All programs, or none and a message with file, line and the driver's words. folder NULL: the
 * embedded files. */
bool shader_set_create(ShaderSet *set, const char *folder, BillowError *error);
void shader_set_destroy(ShaderSet *set);

#endif
