/* SPDX-License-Identifier: MIT
 *
 * The members of a Renderer, and the passes that share them. Only files of src/render include this
 * header. */
#ifndef RENDER_RENDERER_STATE_H
#define RENDER_RENDERER_STATE_H

#include "bricks.h"
#include "coarse_view.h"
#include "exposure.h"
#include "frame_block.h"
#include "gl_check.h"
#include "lighting.h"
#include "renderer.h"
#include "shader.h"
#include "texture.h"

/* Bloom: the light that a lens scatters about what is bright. A pyramid of ever smaller pictures,
 * each of which is then spread over the next finer one (Jimenez, Next Generation Post Processing in
 * Call of Duty, 2014). All levels have equal weight, so that light falls off as the square of
 * the distance. The bloom has the same mean as the picture, so that mixing it in adds no light.
 *
 * The levels have a quarter of the picture's edges, an eighth and so on, rounded up, until 8 pixels
 * are left. */
enum {
    BLOOM_LEVELS_MAX = 12,
    BLOOM_FIRST = 4 /* picture pixels along the edge of a pixel of the first level */
};

typedef struct BloomLevels {
    int count;
    int width[BLOOM_LEVELS_MAX], height[BLOOM_LEVELS_MAX];
} BloomLevels;

/* The values of the uniform block that the backdrop depends on. */
typedef struct BackdropKey {
    float camera[4][4];
    float box[2][4], sun[2][4], sky[2][4];
    float ground, size[2], tile[4];
} BackdropKey;

/* Size of the parts that last fitted into graphics memory for a picture of the given size. width 0:
 * none has fitted yet. */
typedef struct FittingParts {
    int width, height;
    int channels;
    bool depth;
    int columns, rows;
} FittingParts;

/* The values that the march of the smoke depends on. */
typedef struct SmokeKey {
    FrameBlock frame;
    uint64_t matter, programs;
} SmokeKey;

/* The accumulated smoke of earlier pictures (pass/smoke_history.c). */
typedef struct History {
    Target accumulated[2]; /* accumulated smoke, used in turn; accumulated[current] belongs to the
                              last picture */
    Target mean, margin, displacement; /* as large as the marched target */
    Volume motion;                     /* velocity of the smoke; empty if unknown */
    int current;
    bool shown;       /* whether the last picture shows the history */
    unsigned count;   /* pictures in the history; 0: it is empty */
    unsigned index;   /* number of the ray offset for the next picture */
    float camera[16]; /* view_projection of the last picture */
    float eye[3];     /* position of its camera, m */
    double time;      /* simulated time of its smoke, s */
} History;

/* The tracers of a view in a vertex buffer. */
typedef struct Points {
    GLuint vertex_array, buffer; /* attributes 0 to 3: x, y, z, age */
    int count;                   /* 0: nothing is allocated */
} Points;

struct Renderer {
    /* Shaders and the driver's limits. */
    char *shader_folder;   /* NULL: the embedded shaders */
    bool shaders_broken;   /* state of the folder's shaders when last checked */
    uint64_t shader_stamp; /* stamp of the folder when last checked */
    ShaderSet shaders;
    RenderLimits limits;
    int texture_2d_max;
    GLuint vertex_array; /* empty: vertices come from their numbers */
    GLuint frame_buffer; /* the uniform block Frame */
    Stopwatch watch;
    RenderTimes times;
    char notice[128]; /* see renderer_notice */

    /* The uploaded view. */
    double time;        /* simulated time of the view, s */
    uint64_t matter;    /* counts uploads and changes of the light */
    FrameVolume volume; /* n is 0 until something is uploaded */
    Bricks bricks;
    Volume density, temperature, occupancy;
    Volume color, flame; /* empty if the view has none */
    Volume coordinates[2], detail;
    Volume solid; /* empty in scenes without solids */
    Points tracers;
    uint64_t solid_version; /* version of the uploaded solids; valid where volume.solids */
    float *fused;           /* upload buffer in which three fields are interleaved */
    size_t fused_floats;
    bool glows;          /* whether anything is hot enough to glow */
    bool burns, colored; /* fuel burns, smoke has colours */
    bool cubic; /* volumes are interpolated by B-splines, which widens the bricks' sample bounds */
    int coarsened; /* cells of the grid along the edge of one that is drawn, in the last upload */
    int coarse_least; /* least value of `coarsened` since graphics memory ran out */
    CoarseView coarse;

    /* Light. */
    Lighting lighting;
    SolidLight solid_light;
    float shaded_sun[3]; /* direction to the sun that the solids' shade was computed for; 0: not
                            computed */
    bool fine_light;     /* light volumes have the grid's own resolution */
    Volume light, ambient;
    Volume lamps; /* empty in scenes without lamps */
    Volume shade; /* share of the sun's light that solids let through; empty without solids */
    GLuint blackbody, blue_noise, ground_noise, ground_occlusion, ground_glow;
    BlackbodyScale glow_scale; /* scale of the colours in `blackbody`; 0: it is empty */

    /* March and depth. */
    Target smoke, smoke_behind; /* marched smoke, and the smoke behind solids; the second only in
                                   frames with solids */
    Target smoothed; /* smoke that the next smoothing pass reads; only for frames with `smooth` */
    Target through, through_behind; /* transmittance of the smoke; only for frames with `through` */
    Target depth, surface; /* outputs of shaders/depth.frag; only for frames with `depth` */
    SmokeKey smoke_key;    /* values that the smoke was marched for */
    bool smoke_drawn;      /* whether all of the smoke was marched */
    History history;       /* only for frames with `history` */

    /* Backdrop: sky and ground. */
    Target backdrop;
    BackdropKey backdrop_key; /* values that the backdrop was drawn for */
    bool backdrop_drawn;      /* whether the backdrop was drawn */

    /* Development of the picture. */
    Target linear; /* linear picture: radiance times opacity, and opacity; only for frames that need
                      it */
    bool linear_drawn;                      /* whether the last frame drew `linear` */
    Target picture;                         /* 8-bit picture */
    Target levels[BLOOM_LEVELS_MAX], meter; /* bloom pyramid and exposure meter; only for pictures
                                               with bloom or automatic exposure */
    Exposure exposure;
    GLuint metered;  /* buffer that the meter is read into */
    GLsync metering; /* signals the end of that read; NULL: no read is in progress */
    FittingParts fitting;

    /* Slice. */
    GLuint slice_values, slice_colors; /* 0 before the first slice */
    Target slice_under;                /* copy of a transparent picture under its slice */
    int slice_n[2];                    /* texels of slice_values along both sides */
    int slice_map;                     /* the ColorMap in slice_colors */
};

/* Folder that further programs are compiled from. It is NULL while the folder's shaders are broken:
 * the embedded shaders are then used until they are repaired. */
static inline const char *renderer_shader_folder(const Renderer *owner)
{
    return owner->shaders_broken ? NULL : owner->shader_folder;
}

/* Recomputes and uploads the light volumes where the settings have changed. */
bool renderer_light(Renderer *renderer, const RenderSettings *settings, BillowError *error);

/* The passes of renderer_draw and renderer_refine, in their order. Each draws with the uniform
 * block that the caller has bound. prepare functions resize a pass's targets. pass/march.c marches
 * the smoke and its tracers, unless the last picture's can be reused. _rows marches `rows` more
 * rows and adds them to *done. */
bool renderer_prepare_smoke(Renderer *renderer, const RenderFrame *frame, BillowError *error);
bool renderer_smoke(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                    const RenderFrame *frame, BillowError *error);
bool renderer_smoke_rows(Renderer *renderer, const FrameBlock *block,
                         const RenderSettings *settings, const RenderFrame *frame, int rows,
                         int *done, BillowError *error);
/* pass/backdrop.c draws sky and ground, unless the last picture's can be reused. */
bool renderer_prepare_backdrop(Renderer *renderer, const RenderFrame *frame, BillowError *error);
void renderer_backdrop(Renderer *renderer, const FrameBlock *block, const RenderFrame *frame);
/* pass/depth.c computes the depth of each pixel, for frames with `depth`. */
bool renderer_depth(Renderer *renderer, BillowError *error);
/* pass/outline.c draws the edges of the box, for frames with `outline`. */
void renderer_outline(const Renderer *renderer, const RenderFrame *frame);

/* Shared by the passes (pass/bind.c): the target of the visible smoke, all textures, the colours of
 * glowing smoke, the frame's viewport, the uniform block. */
const Target *renderer_shown_smoke(const Renderer *renderer);
void renderer_bind_textures(const Renderer *renderer);
void renderer_update_glow(Renderer *renderer, const RenderSettings *settings);
void renderer_viewport(const RenderFrame *frame);
void renderer_tell_shaders(const Renderer *renderer, const FrameBlock *block);

/* Turns the marched smoke into the linear picture and then into the 8-bit one (pass/develop.c). The
 * frame's block must be bound. */
bool renderer_develop(Renderer *renderer, const FrameBlock *block, const RenderSettings *settings,
                      const RenderFrame *frame, BillowError *error);
void renderer_drop_develop(Renderer *renderer);
/* For a picture that is developed in parts. linear: the whole picture, width * height pixels of
 * radiance times opacity and opacity, rows from the bottom. renderer_film_open meters it and makes
 * its bloom. renderer_film_part then develops frame->tile into the 8-bit picture. */
bool renderer_film_open(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error);
bool renderer_film_part(Renderer *renderer, const RenderSettings *settings,
                        const RenderFrame *frame, const float *linear, BillowError *error);
/* Accumulation of smoke over frames. renderer_keeps_history: whether a frame uses it. _aim sets the
 * rays in the block before they are marched. _add, with that block bound, adds the marched rays to
 * the history, which is then shown. */
bool renderer_keeps_history(const Renderer *renderer, const RenderFrame *frame);
void renderer_history_aim(Renderer *renderer, FrameBlock *block, const RenderFrame *frame);
bool renderer_history_add(Renderer *renderer, const FrameBlock *block,
                          const RenderSettings *settings, BillowError *error);
void renderer_drop_history(Renderer *renderer);
/* Finds the bounds of the smoke for these settings (pass/bind.c). If they are empty, nothing is
 * marched or lit. */
void renderer_find_bounds(Renderer *renderer, const RenderSettings *settings);
/* Whether lamps are visible as balls. */
bool renderer_shows_lamps(const Renderer *renderer, const RenderSettings *settings);
/* Limits drawing to the pixels that smoke and visible lamps can cover, in a target of the marched
 * size. margin: pixels to add around them. Returns false if there are none. */
bool renderer_scissor_to_smoke(const Renderer *renderer, const FrameBlock *block,
                               const RenderSettings *settings, const int rows[2], int margin);
/* Frees all targets that have the size of the picture. */
void renderer_drop_targets(Renderer *renderer);

/* Uploads what only some views have (matter.c): colours, flame, tracers, texture coordinates;
 * textures of the rest are freed. reduction: cells along the edge of a texel of the texture
 * coordinates, 1 or 2. */
bool renderer_upload_matter(Renderer *renderer, const BillowView *view,
                            const RenderSettings *settings, int reduction, BillowError *error);
void renderer_drop_rest(Renderer *renderer);
/* Draws the colours of a slice over the bound picture (pass/slice.c). */
bool renderer_slice_upload(Renderer *renderer, const RenderFrame *frame, BillowError *error);
void renderer_slice_draw(const Renderer *renderer, bool transparent);
void renderer_slice_destroy(Renderer *renderer);

/* Uploads the tracers; none if the view has none. Allocates only if their number has changed. */
bool points_upload(Points *points, const BillowView *view, BillowError *error);
void points_destroy(Points *points);

#endif
