/* SPDX-License-Identifier: MIT
 *
 * The Renderer's members, and what its passes share. Only src/render includes this header. */
#ifndef RENDER_RENDERER_STATE_H
#define RENDER_RENDERER_STATE_H

#include "io/paths.h"
#include "render/frame/frame.h"
#include "render/gl/shader.h"
#include "render/gl/texture.h"
#include "render/light/bricks.h"
#include "render/light/lighting.h"
#include "render/light/slab.h"
#include "render/pass/develop.h"
#include "render/renderer.h"

/* Bloom: light that a lens scatters around bright areas. It is computed with a pyramid of ever
 * smaller pictures. From the coarsest level on, each level is blended into the next finer one
 * (Jimenez, Next Generation Post Processing in Call of Duty, 2014). All levels have equal weight.
 * The bloom therefore falls off as the square of the distance. Its mean is that of the picture, so
 * blending it in adds no light.
 *
 * The first level has a quarter of the picture's width and height, and each further level half
 * those of the level before, rounded up. The last level is at most 8 pixels wide or high. */
enum {
    BLOOM_LEVELS_MAX = 12,
    BLOOM_FIRST = 4 /* pixels of the picture along the edge of a pixel of the first level */
};

/* A view reduced to fewer, larger cells. */
typedef struct CoarseView {
    BillowView view; /* arrays point into `memory`; those of tracers into the source view */
    float *memory;
    size_t floats;
} CoarseView;

/* Size of the parts, `columns` x `rows` pixels, that last fitted into graphics memory for a picture
 * of the other members' values. width 0: none is known. */
typedef struct FittingParts {
    int width, height;
    int channels;
    bool depth;
    int columns, rows;
} FittingParts;

/* The values that the marched smoke depends on. */
typedef struct SmokeKey {
    FrameBlock frame;
    uint64_t matter, programs;
} SmokeKey;

/* The accumulated smoke of earlier pictures (pass/march.c). */
typedef struct History {
    Target accumulated[2]; /* accumulated[current]: smoke of the last picture; the other element
                              receives that of the next picture */
    Target sharpened;      /* the same smoke as it is shown */
    Target through[2];     /* its transmittance by colour, where smoke dims colours differently */
    Target joined, joined_through; /* the new rays as results of shaders/join.frag; with solids */
    Target mean, margin, displacement; /* results of shaders/neighbours.frag, as large as `smoke`:
                                          mean and half width of the range to which the history is
                                          clamped, and displacement since the last picture */
    Volume motion;                     /* velocity of the smoke; empty if unknown */
    int current;
    bool shown;       /* whether the last picture shows the history */
    unsigned count;   /* pictures since the history was dropped; 0: it is empty */
    unsigned index;   /* index of the next picture's ray offset in Halton's sequence */
    float offset[2];  /* of the last picture's rays from their pixels' centres, marched pixels */
    float camera[16]; /* view_projection of the last picture */
    float eye[3];     /* position of the last picture's camera, m */
    double time;      /* simulated time of the last picture's smoke, s */
} History;

/* The tracers of a view in a vertex buffer. */
typedef struct Points {
    GLuint vertex_array, buffer; /* attributes 0 to 3: x, y, z, age; of sparks, 4 to 7: velocity
                                    and life */
    int count;                   /* 0: nothing is allocated */
    bool sparks;                 /* whether they have velocity and life */
} Points;

/* States of the rays of a band of the picture, which the ranks hand on (pass/slab_march.c). Both
 * textures are arrays: a ray has several texels, one in each layer. */
typedef struct Rays {
    GLuint framebuffer, states[2];             /* states before and after a march */
    int width, rows, layers;                   /* of each texture */
    float *memory;                             /* of the arrays below */
    float *arriving[2], *leaving[2], *arrived; /* of rays up and down; arrived: after all slabs */
    size_t bytes;                              /* of each array */
} Rays;

struct Renderer {
    /* Shaders and the driver's limits. */
    char *shader_folder;   /* NULL: the embedded shaders */
    uint64_t shader_stamp; /* shader_source_stamp of the folder when it was last checked */
    ShaderSet shaders;
    RenderLimits limits;
    int texture_2d_max;
    GLuint vertex_array; /* without attributes: shaders compute vertices from their index */
    GLuint frame_buffer; /* uniform buffer of the block Frame */
    Stopwatch watch;
    RenderTimes times;
    char notice[128]; /* message for renderer_notice; "" = none */

    /* What is uploaded or drawn. */
    RenderSettings settings; /* as the surroundings change them */
    RenderFrame frame;
    FrameBlock block; /* of the frame; passes that change it put it back */

    /* The uploaded view. */
    double time;        /* simulated time of the view, s */
    uint64_t matter;    /* incremented by each upload and each change of the light */
    RenderSlab *slab;   /* planes that the view holds; NULL: all */
    FrameVolume volume; /* n is 0 until something is uploaded */
    Bricks bricks;
    Volume density, temperature, occupancy;
    Volume color, flame;               /* empty if the view has none */
    Volume whole_density, whole_color; /* of the box, as coarse as the light, for tracers; only on
                                          the first rank of several */
    Volume ramp;                       /* fields of the ramps; empty if none is on */
    Volume solid;                      /* empty in scenes without solids */
    Points tracers;
    uint64_t solid_version; /* solid_version of the uploaded solids; valid only if volume.solids */
    float *fused;           /* buffer in which three fields are interleaved for upload */
    size_t fused_floats;
    bool glows;          /* whether anything in the view is hot enough to glow */
    bool burns, colored; /* whether the view has burning fuel, and coloured smoke */
    bool cubic; /* whether volumes are interpolated by B-splines, which widen the sample bounds of
                   the bricks */
    int coarsened;    /* grid cells along the edge of a drawn cell in the last upload */
    int coarse_least; /* least value of `coarsened` to try; raised when graphics memory runs out */
    CoarseView coarse;

    /* Light. */
    Lighting lighting;
    SolidLight solid_light;
    float shaded_sun[3]; /* direction to the sun for which `shade` was computed; 0: not computed */
    LightFineness fineness;
    Volume light, ambient;
    Volume lamps; /* empty in scenes without lamps */
    Volume shade; /* factor, 0..1, on sunlight due to the solids' shadow; empty without solids */
    GLuint blackbody, blue_noise, ground_noise, ground_occlusion, ground_glow;
    /* Surroundings with a map. */
    SurroundingsMap map;
    FileWatch panorama;                  /* the map's file */
    GLuint surroundings;                 /* texture of the map */
    Surroundings around;                 /* their light */
    uint64_t around_map, around_version; /* version of the map and of the light */
    BlackbodyScale glow_scale;           /* scale of the colours in `blackbody`; 0: not computed */

    /* March and depth. */
    Target smoke, smoke_behind; /* marched smoke, and the smoke behind the edges of solids;
                                   smoke_behind exists only in frames with solids */
    Target smoothed; /* target of the smoothing pass, swapped with `smoke` afterwards; only for
                        frames with `smooth` */
    Target through, through_behind; /* transmittance of the smoke; only for frames with `through` */
    Target depth, surface; /* outputs of shaders/depth.frag; only for frames with `depth` */
    Rays rays;             /* only where several ranks draw */
    SmokeKey smoke_key;    /* values for which `smoke` was marched */
    bool smoke_drawn;      /* whether all rows of `smoke` were marched */
    History history;       /* only for frames with `history` */

    /* Exposures (pass/exposures.c). */
    Target exposed;      /* sum of the pictures of a lens and shutter; only for frames with them */
    BrickMotion flow;    /* velocities of the smoke while the shutter is open */
    Volume moving;       /* bounds of the smoke's density at a time of the shutter */
    float *moving_bound; /* the same, in memory; NULL: the smoke of this picture does not move */
    Volume moving_solid; /* distance of solids at a time of the shutter */
    float *moving_distance; /* the same, in memory; NULL: no solid of this picture moves */

    /* Backdrop: sky and ground. */
    Target haze; /* shift by hot air (shaders/haze.frag); only for pictures with haze */
    Target backdrop;
    FrameBlock backdrop_block; /* block and version of the surroundings' light for which `backdrop`
                                  was drawn */
    uint64_t backdrop_around;
    bool backdrop_drawn;

    /* Development of the picture. */
    Target linear;     /* radiance times opacity, and opacity; only for frames that need the linear
                          picture */
    bool linear_drawn; /* whether the last frame drew `linear` */
    Target picture;    /* 8-bit picture */
    Target shown;      /* the picture at the size at which it is read */
    GLuint shown_buffer;                    /* receives its pixels; 0: none were read so */
    int shown_width, shown_height;          /* of the pixels that are in it */
    Target kept;                            /* copy of an earlier one; only after renderer_keep */
    Target levels[BLOOM_LEVELS_MAX], meter; /* bloom pyramid and exposure meter; only for pictures
                                               with bloom or automatic exposure */
    Exposure exposure;
    GLuint metered;  /* pixel buffer into which the meter is read */
    GLsync metering; /* fence of the pending read into `metered`; NULL: no read is pending */
    FittingParts fitting;

    /* Slice. */
    GLuint slice_values, slice_colors; /* 0 before the first slice */
    Target slice_under; /* copy of a transparent picture, over which its slice is blended */
    int slice_n[2];     /* size of slice_values, texels */
    int slice_map;      /* the ColorMap in slice_colors */
};

/* Takes the settings for what follows, as the surroundings change them. Makes the map of the
 * surroundings, unless they have none or it is known. Public functions that take settings call it
 * first. */
bool renderer_surround(Renderer *renderer, const RenderSettings *settings, BillowError *error);

/* Bind all textures, upload the colours of glowing smoke, set the viewport, and upload the uniform
 * block. */
void renderer_bind_textures(const Renderer *renderer);
void renderer_update_glow(Renderer *renderer);
void renderer_viewport(const RenderFrame *frame);
/* Limits drawing to these pixels where the scissor test is on. */
void renderer_scissor(const PixelBox *box);
/* The pixels of `box` whose rays may meet solids or pass within `margin` pixels of one; none
 * without solids. size: of the whole picture, in the target's pixels. */
PixelBox renderer_solid_pixels(const Renderer *renderer, const float size[2], int margin,
                               const PixelBox *box);
void renderer_tell_shaders(const Renderer *renderer, const FrameBlock *block);
/* Fills and uploads the block of the frame. */
void renderer_fill_block(Renderer *renderer);
/* Sets the state of the GL in which the passes draw, and leaves it. */
void renderer_begin(const Renderer *renderer);
void renderer_end(void);

/* Frees all targets that have the size of the picture. */
void renderer_drop_targets(Renderer *renderer);

#endif
