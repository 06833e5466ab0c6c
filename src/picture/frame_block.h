/* SPDX-License-Identifier: MIT
 *
 * The uniform block Frame of shaders/frame.glsl, field by field: what the fields mean is said
 * there. */
#ifndef PICTURE_FRAME_BLOCK_H
#define PICTURE_FRAME_BLOCK_H

#include "camera.h"
#include "frame.h"

typedef struct FrameBlock {
    float view_projection[16];
    float camera_origin[4], camera_right[4], camera_up[4], camera_forward[4];
    float box_min[4], box_max[4];
    float grid[4], light_grid[4];
    float occupied_min[4], occupied_max[4];
    float sun_direction[4], sun_irradiance[4];
    float lamp_place[RENDER_LAMPS_MAX][4], lamp_light[RENDER_LAMPS_MAX][4], lamps[4];
    float sky_zenith[4], sky_horizon[4], sky_light[4], ground_light[4], ground_color[4];
    float extinction_color[4], albedo[4], albedo_spread[4], film[4], picture[4];
    float tile[4], tile_clip[4], march[4];
    float slice[4], slice_look[4];
    float solid_low[4], solid_high[4], solid_color[4], shade_grid[4];
    float fire[4], tracer_color[4], tracer_look[4];
    float detail[4], texture_grid[4], ambient_grid[4];
    float previous[16], history[4], history_size[4]; /* zeros without a history */
    float lobes[4];
} FrameBlock;

/* Where the smoke is: the box that was uploaded last, and what of it is not empty. */
typedef struct FrameVolume {
    int n[3], light_cells[3]; /* cells the light volume spans, padding included */
    int ambient_cells[3];     /* and the ambient light */
    float cell_size, origin[3];
    bool any;              /* whether there is smoke; the bounds hold only then */
    float glare;           /* of the look: lighting_brightness_bound */
    float empty_density;   /* that much counts as none */
    float low[3], high[3]; /* bounds in cells */
    bool solids;
    float solid_low[3], solid_high[3]; /* bounds in cells, */
    int shade_cells[3];                /* and what their shade volume spans */
    int texture_cells[3];              /* what texture coordinates span, */
    float texture_weight[2];           /* and the weights of their sets */
    float flame;                       /* density that a unit of flame counts as */
    bool lamps_by_color;               /* and that of lamps, where smoke has colours */
    bool colored;                      /* whether smoke has colours, */
    bool by_color;                     /* and light goes by colour: lighting_by_color */
    bool ground_glows;                 /* whether what is hot lights the ground */
} FrameVolume;

/* Pixels marched along an edge of so many, at a frame's scale. */
int frame_block_marched(int pixels, float scale);

/* The viewport for lines and points in what is drawn of a frame: left, bottom, width and height, in
 * the part's pixels. Where the picture goes on, it reaches beyond the part, since points whose
 * middle lies outside it are not drawn at all. */
enum { FRAME_BLOCK_MARGIN = 256 };
void frame_block_viewport(const RenderFrame *frame, int viewport[4]);

void frame_block_fill(FrameBlock *block, const RenderSettings *settings, const RenderFrame *frame,
                      const Camera *camera, const FrameVolume *volume);

#endif
