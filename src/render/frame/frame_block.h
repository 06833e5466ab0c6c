/* SPDX-License-Identifier: MIT
 *
 * The uniform block Frame. Its fields, what they mean and their units are declared once, in
 * shaders/frame.glsl. */
#ifndef RENDER_FRAME_BLOCK_H
#define RENDER_FRAME_BLOCK_H

#include "render/frame/camera.h"
#include "render/frame/frame.h"
#include "render/light/surroundings.h"

typedef struct FrameBlock {
#include "frame_fields.inc" /* generated from shaders/frame.glsl */
} FrameBlock;

/* Sizes and bounds of the uploaded volumes. */
typedef struct FrameVolume {
    int n[3], light_cells[3]; /* grid cells; light_cells: spanned by the light volume */
    int ambient_cells[3];     /* grid cells spanned by the volume of ambient light */
    float cell_size, origin[3];
    float home[2][3];       /* as of BillowView */
    bool any;               /* whether there is smoke; if not, `low` and `high` are undefined */
    float brightness_bound; /* result of lighting_brightness_bound for the settings */
    float empty_density;    /* density at or below which a cell counts as empty */
    float low[3], high[3];  /* bounds of the smoke, in cells */
    bool solids;
    float solid_low[3], solid_high[3]; /* bounds of the solids, in cells */
    int shade_cells[3];                /* grid cells spanned by the solids' shade volume */
    int texture_cells[3];    /* grid cells spanned by the texture coordinates; along z, from
                                held[0] on */
    float texture_weight[2]; /* weights of the two sets of texture coordinates */
    float flame;             /* density that a flame value of 1 stands for */
    bool lamps_by_color;   /* whether the volume of the lamps' light has a value for each colour */
    bool colored;          /* whether smoke has colours */
    bool ramps[2];         /* whether ramps colour the smoke and the glow */
    bool ramp_weighted[2]; /* whether their fields are divided by the density */
    bool spread_by_color;  /* whether the similarity factor differs between colours of light */
    bool by_color;         /* whether smoke dims colours differently (lighting_by_color) */
    int grain_seed;        /* seed of the film grain, 0 to 2^23 - 1 */
    bool ground_glows;     /* whether hot soot lights the ground */
    int held[2];           /* planes of the grid in the volumes of the fields */
    int slab[2];           /* planes between which rays are marched */
    const Surroundings *around; /* of a map; NULL: the surroundings have none */
} FrameVolume;

/* Returns the number of marched pixels along an edge of `pixels` pixels. scale: as in RenderFrame.
 */
int frame_block_marched(int pixels, float scale);

/* Computes the viewport for lines and points of a frame: left, bottom, width and height in pixels
 * of the drawn part. At edges where the picture continues, the viewport extends FRAME_BLOCK_MARGIN
 * beyond the part, because GL drops points whose centre is outside the viewport. */
enum { FRAME_BLOCK_MARGIN = 256 };
void frame_block_viewport(const RenderFrame *frame, int viewport[4]);

/* Sets the slab of a block, which is otherwise the same on all ranks. */
void frame_block_slab(FrameBlock *block, const FrameVolume *volume);
void frame_block_fill(FrameBlock *block, const RenderSettings *settings, const RenderFrame *frame,
                      const Camera *camera, const FrameVolume *volume);

#endif
