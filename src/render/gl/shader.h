/* SPDX-License-Identifier: MIT
 *
 * The renderer's shaders: the programs compiled from GLSL files with includes. */
#ifndef RENDER_SHADER_H
#define RENDER_SHADER_H

#include "render/gl/gl.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Most files of a shader, with those that it includes. */
#define SHADER_SOURCE_FILES_MAX 16

/* Returns a number that changes whenever a shader file of the folder changes. */
uint64_t shader_source_stamp(const char *folder);

/* The renderer's programs. All are replaced together when shaders are reloaded. */

typedef enum ShaderProgram {
    SHADER_BACKDROP,
    SHADER_SLICE,
    SHADER_SLICE_SOLIDS,
    SHADER_OVERLAY,
    SHADER_TRACERS,
    SHADER_TRACERS_SOLIDS,
    SHADER_SMOOTH, /* this program and the following ones are compiled on first use */
    SHADER_HAZE,
    SHADER_HAZE_SOLIDS,
    SHADER_SPARKS,
    SHADER_SPARKS_SOLIDS,
    SHADER_NEIGHBOURS,
    SHADER_NEIGHBOURS_MOTION, /* used if the smoke's velocity is known */
    SHADER_ACCUMULATE,
    SHADER_SHARPEN,
    SHADER_REDUCE,
    SHADER_BLOOM_DOWN,
    SHADER_BLOOM_UP,
    SHADER_METER,
    SHADER_PROBE_PHASE, /* this program and the following ones evaluate one formula, for tests */
    SHADER_PROBE_TONE,
    SHADER_PROBE_TONE_AGX,
    SHADER_PROGRAMS
} ShaderProgram;

/* Features of the march, as flags. Each combination of flags is a separate program, so a scene pays
 * only for features that it uses. */
typedef enum ShaderMarch {
    SHADER_MARCH_SOLIDS = 1,
    SHADER_MARCH_EMISSION = 2, /* hot smoke glows */
    SHADER_MARCH_FLAME = 4,    /* fuel burns; requires EMISSION */
    SHADER_MARCH_COLOR = 8,
    SHADER_MARCH_DETAIL = 16, /* adds noise finer than the grid */
    SHADER_MARCH_THROUGH =
        32, /* also writes the transmittance by colour and the smoke's distance */
    SHADER_MARCH_LAMPS = 64,
    SHADER_MARCH_TINT = 128,  /* smoke dims each colour differently; requires THROUGH */
    SHADER_MARCH_CUBIC = 256, /* interpolates volumes by B-splines */
    SHADER_MARCH_JOINED =
        512, /* one volume holds sun and ambient light (LightShown); excludes TINT */
    SHADER_MARCH_SPECTRAL = 1024,  /* smoke scatters each colour of light differently */
    SHADER_MARCH_MOTION = 2048,    /* the shutter is open while the smoke moves */
    SHADER_MARCH_RAMP = 4096,      /* the smoke's colour follows a ramp; excludes COLOR */
    SHADER_MARCH_GLOW_RAMP = 8192, /* the glow's colour follows a ramp; requires EMISSION */
    SHADER_MARCH_SLAB = 16384,     /* marches rays through one slab of planes */
    SHADER_MARCH_ARRIVED =
        32768, /* shows rays that were marched through all slabs; excludes SLAB */
    SHADER_MARCH_SETS = 65536
} ShaderMarch;

/* Features of the later passes, as flags. composite.frag has all but BLOOM; develop.frag has AGX,
 * BLOOM, TRANSPARENT and GRADE; depth.frag has SOLIDS. */
typedef enum ShaderPicture {
    SHADER_PICTURE_SOLIDS = 1,
    SHADER_PICTURE_DEVELOP = 2, /* writes the 8-bit picture without a linear one */
    SHADER_PICTURE_AGX = 4,
    SHADER_PICTURE_BLOOM = 8, /* only develop.frag */
    SHADER_PICTURE_TRANSPARENT = 16,
    SHADER_PICTURE_TINT =
        32, /* only composite.frag: smoke dims each colour of the background differently */
    SHADER_PICTURE_LAMPS = 64,  /* only composite.frag: the scene has lamps */
    SHADER_PICTURE_GLOW = 128,  /* only composite.frag: hot soot lights the ground */
    SHADER_PICTURE_SKY = 256,   /* only composite.frag: the drawn rows show no ground */
    SHADER_PICTURE_GRADE = 512, /* composite.frag with DEVELOP, and develop.frag */
    SHADER_PICTURE_HAZE = 1024, /* only composite.frag: hot air shifts the background and solids */
    SHADER_PICTURE_SETS = 2048
} ShaderPicture;

/* Texture units. Textures are bound once for all passes, except that of SHADER_UNIT_LEVEL. */
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
    SHADER_UNIT_RAMP,
    SHADER_UNIT_BLACKBODY,
    SHADER_UNIT_SMOKE,
    SHADER_UNIT_SMOKE_BEHIND,
    SHADER_UNIT_SMOKE_MEAN, /* mean of the new rays of neighbouring pixels (shaders/accumulate.frag)
                             */
    SHADER_UNIT_SMOKE_MARGIN,
    SHADER_UNIT_SMOKE_DISPLACEMENT,
    SHADER_UNIT_THROUGH,
    SHADER_UNIT_THROUGH_BEHIND,
    SHADER_UNIT_SLICE_VALUES,
    SHADER_UNIT_SLICE_COLORS,
    SHADER_UNIT_SLICE_UNDER,
    SHADER_UNIT_LINEAR,
    SHADER_UNIT_LEVEL, /* level of the bloom pyramid, or the history; each pass binds its own
                          texture */
    SHADER_UNIT_BACKDROP,
    SHADER_UNIT_BLUE_NOISE,
    SHADER_UNIT_GROUND_NOISE,
    SHADER_UNIT_GROUND_OCCLUSION,
    SHADER_UNIT_GROUND_GLOW,
    SHADER_UNIT_HAZE,
    SHADER_UNIT_SURROUNDINGS,
    SHADER_UNIT_RAYS, /* states of rays; its pass binds the texture, which is an array */
    SHADER_UNITS
} ShaderUnit;

#define SHADER_FRAME_BINDING 0 /* uniform buffer binding of the block Frame */

/* Later passes, each with a program for every combination of ShaderPicture flags. */
typedef enum ShaderPass {
    SHADER_COMPOSITE,
    SHADER_DEVELOP,
    SHADER_DEPTH,
    SHADER_PASSES
} ShaderPass;

typedef struct ShaderSet {
    const char *folder; /* of programs that are compiled later; NULL: the embedded files */
    GLuint programs[SHADER_PROGRAMS];
    GLuint marches[SHADER_MARCH_SETS]; /* 0: not compiled yet; also in the array below */
    GLuint pictures[SHADER_PASSES][SHADER_PICTURE_SETS];
} ShaderSet;

/* Compiles a set of programs. On failure no program is left; the message has file, line and the
 * driver's text. folder: NULL for the embedded files, of which only the programs needed at once are
 * compiled; it must remain valid. like: set to be replaced, or NULL; programs that it has compiled
 * are compiled too. */
bool shader_set_create(ShaderSet *set, const char *folder, const ShaderSet *like,
                       BillowError *error);
/* Return a program, that of the march for a combination of ShaderMarch flags, and that of a later
 * pass for a combination of ShaderPicture flags. Compile it on first use. Return 0 and a message on
 * failure. */
GLuint shader_set_program(ShaderSet *set, ShaderProgram program, BillowError *error);
GLuint shader_set_march(ShaderSet *set, int march, BillowError *error);
GLuint shader_set_picture(ShaderSet *set, ShaderPass pass, int picture, BillowError *error);
void shader_set_destroy(ShaderSet *set);

#endif
