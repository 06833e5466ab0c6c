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

/* Name, vertex shader, fragment shader, and definitions. Programs from SMOOTH on are compiled on
 * first use. NEIGHBOURS_MOTION is used if the smoke's velocity is known. The probes evaluate one
 * formula, for tests. */
#define SHADER_PROGRAM_LIST(ROW)                                                                   \
    ROW(BACKDROP, "screen.vert", "backdrop.frag", "")                                              \
    ROW(SLICE, "screen.vert", "slice.frag", "")                                                    \
    ROW(SLICE_SOLIDS, "screen.vert", "slice.frag", "#define SOLIDS\n")                             \
    ROW(OVERLAY, "overlay.vert", "overlay.frag", "")                                               \
    ROW(TRACERS, "tracer.vert", "tracer.frag", "")                                                 \
    ROW(TRACERS_SOLIDS, "tracer.vert", "tracer.frag", "#define SOLIDS\n")                          \
    ROW(SMOOTH, "screen.vert", "smooth.frag", "")                                                  \
    ROW(HAZE, "screen.vert", "haze.frag", "")                                                      \
    ROW(HAZE_SOLIDS, "screen.vert", "haze.frag", "#define SOLIDS\n")                               \
    ROW(SPARKS, "spark.vert", "spark.frag", "")                                                    \
    ROW(SPARKS_SOLIDS, "spark.vert", "spark.frag", "#define SOLIDS\n")                             \
    ROW(NEIGHBOURS, "screen.vert", "neighbours.frag", "")                                          \
    ROW(NEIGHBOURS_MOTION, "screen.vert", "neighbours.frag", "#define MOTION\n")                   \
    ROW(JOIN, "screen.vert", "join.frag", "")                                                      \
    ROW(ACCUMULATE, "screen.vert", "accumulate.frag", "")                                          \
    ROW(ACCUMULATE_TINT, "screen.vert", "accumulate.frag", "#define TINT\n")                       \
    ROW(SHARPEN, "screen.vert", "sharpen.frag", "")                                                \
    ROW(REDUCE, "screen.vert", "reduce.frag", "")                                                  \
    ROW(BLOOM_DOWN, "screen.vert", "bloom_down.frag", "")                                          \
    ROW(BLOOM_UP, "screen.vert", "bloom_up.frag", "")                                              \
    ROW(METER, "screen.vert", "meter.frag", "")                                                    \
    ROW(CROSS_FADE, "screen.vert", "cross_fade.frag", "")                                          \
    ROW(PROBE_PHASE, "screen.vert", "probe.frag", "#define PHASE\n")                               \
    ROW(PROBE_TONE, "screen.vert", "probe.frag", "")                                               \
    ROW(PROBE_TONE_AGX, "screen.vert", "probe.frag", "#define AGX\n")

#define SHADER_PROGRAM_NAME(name, vertex, fragment, definitions) SHADER_##name,
typedef enum ShaderProgram {
    SHADER_PROGRAM_LIST(SHADER_PROGRAM_NAME) SHADER_PROGRAMS
} ShaderProgram;

/* Features of the march, as flags. Each combination of flags is a separate program, so a scene pays
 * only for features that it uses. */
typedef enum ShaderMarch {
    SHADER_MARCH_SOLIDS = 1,
    SHADER_MARCH_EMISSION = 2, /* hot smoke glows */
    SHADER_MARCH_FLAME = 4,    /* fuel burns; requires EMISSION */
    SHADER_MARCH_COLOR = 8,
    SHADER_MARCH_THROUGH = 16, /* also writes transmittance by colour and distance */
    SHADER_MARCH_LAMPS = 32,
    SHADER_MARCH_TINT = 64,        /* smoke dims each colour differently; requires THROUGH */
    SHADER_MARCH_CUBIC = 128,      /* interpolates volumes by B-splines */
    SHADER_MARCH_JOINED = 256,     /* sun and ambient light in one volume (LightShown); no TINT */
    SHADER_MARCH_SPECTRAL = 512,   /* smoke scatters each colour of light differently */
    SHADER_MARCH_MOTION = 1024,    /* the shutter is open while the smoke moves */
    SHADER_MARCH_RAMP = 2048,      /* the smoke's colour follows a ramp; excludes COLOR */
    SHADER_MARCH_GLOW_RAMP = 4096, /* the glow's colour follows a ramp; requires EMISSION */
    SHADER_MARCH_SLAB = 8192,      /* marches rays through one slab of planes */
    SHADER_MARCH_ARRIVED = 16384,  /* shows rays that passed all slabs; excludes SLAB */
    SHADER_MARCH_MET = 32768,      /* rays may meet solids; requires SOLIDS */
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
    SHADER_PICTURE_TINT = 32,   /* only composite.frag: smoke dims colours differently */
    SHADER_PICTURE_LAMPS = 64,  /* only composite.frag: the scene has lamps */
    SHADER_PICTURE_GLOW = 128,  /* only composite.frag: hot soot lights the ground */
    SHADER_PICTURE_SKY = 256,   /* only composite.frag: the drawn rows show no ground */
    SHADER_PICTURE_GRADE = 512, /* composite.frag with DEVELOP, and develop.frag */
    SHADER_PICTURE_HAZE = 1024, /* only composite.frag: hot air shifts the background and solids */
    SHADER_PICTURE_MET = 2048,  /* only composite.frag: rays may meet solids; requires SOLIDS */
    SHADER_PICTURE_SETS = 4096
} ShaderPicture;

/* Texture units and the names of their samplers. Textures are bound once for all passes. Three are
 * bound by each pass that uses them: SMOKE_MEAN, the mean of the new rays of neighbouring pixels
 * (shaders/accumulate.frag); LEVEL, a level of the bloom pyramid, the history, the picture under a
 * slice, or one that fades; and RAYS, the states of rays, which is an array. */
#define SHADER_UNIT_LIST(UNIT)                                                                     \
    UNIT(DENSITY, "density_volume")                                                                \
    UNIT(TEMPERATURE, "temperature_volume")                                                        \
    UNIT(LIGHT, "light_volume")                                                                    \
    UNIT(BRICKS, "brick_volume")                                                                   \
    UNIT(SOLID, "solid_volume")                                                                    \
    UNIT(SHADE, "shade_volume")                                                                    \
    UNIT(COLOR, "color_volume")                                                                    \
    UNIT(FLAME, "flame_volume")                                                                    \
    UNIT(AMBIENT, "ambient_volume")                                                                \
    UNIT(LAMPS, "lamp_volume")                                                                     \
    UNIT(MOTION, "motion_volume")                                                                  \
    UNIT(RAMP, "ramp_volume")                                                                      \
    UNIT(BLACKBODY, "blackbody_table")                                                             \
    UNIT(SMOKE, "smoke")                                                                           \
    UNIT(SMOKE_FRONT, "smoke_front")                                                               \
    UNIT(SMOKE_BEHIND, "smoke_behind")                                                             \
    UNIT(SMOKE_MEAN, "smoke_mean")                                                                 \
    UNIT(SMOKE_MARGIN, "smoke_margin")                                                             \
    UNIT(SMOKE_DISPLACEMENT, "smoke_displacement")                                                 \
    UNIT(THROUGH, "through_smoke")                                                                 \
    UNIT(THROUGH_BEHIND, "through_behind")                                                         \
    UNIT(SLICE_VALUES, "slice_values")                                                             \
    UNIT(SLICE_COLORS, "slice_colors")                                                             \
    UNIT(LINEAR, "linear_picture")                                                                 \
    UNIT(LEVEL, "level_picture")                                                                   \
    UNIT(BACKDROP, "backdrop")                                                                     \
    UNIT(BLUE_NOISE, "blue_noise")                                                                 \
    UNIT(GROUND_NOISE, "ground_noise")                                                             \
    UNIT(GROUND_OCCLUSION, "ground_occlusion")                                                     \
    UNIT(GROUND_GLOW, "ground_glow")                                                               \
    UNIT(HAZE, "haze_shift")                                                                       \
    UNIT(SURROUNDINGS, "surroundings_map")                                                         \
    UNIT(RAYS, "ray_states")

#define SHADER_UNIT_NAME(name, sampler) SHADER_UNIT_##name,
typedef enum ShaderUnit { SHADER_UNIT_LIST(SHADER_UNIT_NAME) SHADER_UNITS } ShaderUnit;

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
