/* SPDX-License-Identifier: MIT
 *
 * The renderer's shaders: their source text with includes, and the programs made of it. */
#ifndef RENDER_SHADER_H
#define RENDER_SHADER_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- source text (shader_source.c) ------------------------------------------------------------- */

/* Shader files with their includes in place. `#include "name"` on a line of its own puts the named
 * file there, once per shader; each file's line numbers start at a number of its own, so that
 * a driver's message can be traced back. */

#define SHADER_SOURCE_FILES_MAX 16
/* Line n of file i is numbered i * SHADER_SOURCE_LINES + n. (GLSL also has numbers for files, but
 * Mesa forgets them in most of its messages.) */
#define SHADER_SOURCE_LINES 10000

typedef struct ShaderSource {
    char *text;
    size_t length, capacity;
    char files[SHADER_SOURCE_FILES_MAX][128]; /* see SHADER_SOURCE_LINES */
    int file_count;
} ShaderSource;

/* folder NULL: the embedded files. definitions go below the #version line; "" for none. */
bool shader_source_load(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error);
void shader_source_destroy(ShaderSource *source);

/* The first line of a driver's log as "file:line: words". */
void shader_source_explain(const ShaderSource *source, const char *folder, const char *log,
                           char *message, size_t size);

/* Returns a number that changes whenever a shader file of the folder changes. */
uint64_t shader_source_stamp(const char *folder);

/* -- programs (shader.c) ----------------------------------------------------------------------- */

/* The renderer's programs, compiled together and replaced together. */

typedef enum ShaderProgram {
    SHADER_BACKDROP,
    SHADER_SLICE,
    SHADER_SLICE_SOLIDS,
    SHADER_OVERLAY,
    SHADER_TRACERS,
    SHADER_TRACERS_SOLIDS,
    SHADER_SMOOTH, /* from here on: compiled when first asked for */
    SHADER_NEIGHBOURS,
    SHADER_NEIGHBOURS_MOTION, /* where the smoke's velocity is known */
    SHADER_ACCUMULATE,
    SHADER_REDUCE,
    SHADER_BLOOM_DOWN,
    SHADER_BLOOM_UP,
    SHADER_METER,
    SHADER_PROBE_PHASE, /* the probes are for tests of single formulas */
    SHADER_PROBE_TONE,
    SHADER_PROBE_TONE_AGX,
    SHADER_PROGRAMS
} ShaderProgram;

/* Features of the march, as a set of flags. Each set is a program of its own, so that a scene pays
 * nothing for features that it does not use. */
typedef enum ShaderMarch {
    SHADER_MARCH_SOLIDS = 1,
    SHADER_MARCH_EMISSION = 2, /* something is hot enough to glow */
    SHADER_MARCH_FLAME = 4,    /* fuel burns; only with EMISSION */
    SHADER_MARCH_COLOR = 8,
    SHADER_MARCH_DETAIL = 16,  /* finer than the grid */
    SHADER_MARCH_THROUGH = 32, /* transmittance by colour and distance, beside the light */
    SHADER_MARCH_LAMPS = 64,
    SHADER_MARCH_TINT = 128,   /* smoke dims colours differently; only with THROUGH */
    SHADER_MARCH_CUBIC = 256,  /* volumes by B-splines */
    SHADER_MARCH_JOINED = 512, /* one volume of all light but the lamps'; without TINT */
    SHADER_MARCH_SETS = 1024
} ShaderMarch;

/* Features of the later passes, likewise. composite.frag takes all but BLOOM, develop.frag AGX,
 * BLOOM and TRANSPARENT, depth.frag SOLIDS. */
typedef enum ShaderPicture {
    SHADER_PICTURE_SOLIDS = 1,
    SHADER_PICTURE_DEVELOP = 2, /* straight to 8 bits */
    SHADER_PICTURE_AGX = 4,
    SHADER_PICTURE_BLOOM = 8, /* develop.frag alone */
    SHADER_PICTURE_TRANSPARENT = 16,
    SHADER_PICTURE_TINT = 32,  /* composite.frag alone: light comes through by colour */
    SHADER_PICTURE_LAMPS = 64, /* composite.frag alone: there are lamps */
    SHADER_PICTURE_GLOW = 128, /* what is hot lights the ground */
    SHADER_PICTURE_SKY = 256,  /* no ground is to be seen */
    SHADER_PICTURE_SETS = 512
} ShaderPicture;

/* Texture units, by what is bound there throughout. */
typedef enum ShaderUnit {
    SHADER_UNIT_DENSITY,
    SHADER_UNIT_TEMPERATURE,
    SHADER_UNIT_LIGHT,
    SHADER_UNIT_BRICKS,
    SHADER_UNIT_SOLID,
    SHADER_UNIT_SHADE,
    SHADER_UNIT_COLOR,
    SHADER_UNIT_FLAME,
    SHADER_UNIT_TEXTURE_0,
    SHADER_UNIT_TEXTURE_1,
    SHADER_UNIT_DETAIL,
    SHADER_UNIT_AMBIENT,
    SHADER_UNIT_LAMPS,
    SHADER_UNIT_MOTION,
    SHADER_UNIT_BLACKBODY,
    SHADER_UNIT_SMOKE,
    SHADER_UNIT_SMOKE_BEHIND,
    SHADER_UNIT_SMOKE_MEAN, /* mean of the new rays around: shaders/accumulate.frag */
    SHADER_UNIT_SMOKE_MARGIN,
    SHADER_UNIT_SMOKE_DISPLACEMENT,
    SHADER_UNIT_THROUGH,
    SHADER_UNIT_THROUGH_BEHIND,
    SHADER_UNIT_SLICE_VALUES,
    SHADER_UNIT_SLICE_COLORS,
    SHADER_UNIT_SLICE_UNDER,
    SHADER_UNIT_LINEAR,
    SHADER_UNIT_LEVEL, /* a level of the bloom pyramid, or the history; each pass binds its own */
    SHADER_UNIT_BACKDROP,
    SHADER_UNIT_BLUE_NOISE,
    SHADER_UNIT_GROUND_NOISE,
    SHADER_UNIT_GROUND_OCCLUSION,
    SHADER_UNIT_GROUND_GLOW,
    SHADER_UNITS
} ShaderUnit;

#define SHADER_FRAME_BINDING 0 /* uniform buffer binding of the block Frame */

typedef struct ShaderSet {
    GLuint programs[SHADER_PROGRAMS];
    GLuint marches[SHADER_MARCH_SETS]; /* 0: not compiled yet; so in the sets below */
    GLuint composites[SHADER_PICTURE_SETS], develops[SHADER_PICTURE_SETS];
    GLuint depths[SHADER_PICTURE_SETS];
} ShaderSet;

/* All programs, or none and a message with file, line and the driver's words. folder NULL: the
 * embedded files; only the programs that are needed at first are compiled. like: the set that this
 * one will replace, or NULL; the same programs are compiled. */
bool shader_set_create(ShaderSet *set, const char *folder, const ShaderSet *like,
                       BillowError *error);
GLuint shader_set_program(ShaderSet *set, const char *folder, ShaderProgram program,
                          BillowError *error);
/* The march for a set of ShaderMarch, compiled when first asked for. 0 and a message when that
 * fails.
 */
GLuint shader_set_march(ShaderSet *set, const char *folder, int march, BillowError *error);
/* The later passes for a set of ShaderPicture, compiled when first asked for. */
GLuint shader_set_composite(ShaderSet *set, const char *folder, int picture, BillowError *error);
GLuint shader_set_develop(ShaderSet *set, const char *folder, int picture, BillowError *error);
GLuint shader_set_depth(ShaderSet *set, const char *folder, int picture, BillowError *error);
void shader_set_destroy(ShaderSet *set);

#endif
