/* SPDX-License-Identifier: MIT
 *
 * The description of one picture: its size, quality and contents. With it the uniform block that
 * tells the shaders. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "render/frame/camera.h"
#include "render/frame/field_slice.h"
#include "render/light/fade.h"
#include "render/light/surroundings.h"

#include <billow/billow.h>
#include <stdint.h>

/* A rectangle of a picture, pixels from its lower left corner. */
typedef struct RenderTile {
    int x, y, width, height; /* width 0: the whole picture */
} RenderTile;

typedef struct RenderFrame {
    int width, height; /* size of the final picture, pixels */
    RenderTile tile;   /* part of the picture to draw; requires scale 1 */
    int part_edge; /* used by renderer_bands: longest edge of a part that is drawn at once, pixels,
                      at least 16; 0 = as long as the GL and its memory allow */
    float scale; /* marched pixels along an edge per pixel of the picture, 0.1..1; below 1 the smoke
                    is upsampled */
    float step;  /* march step, cells, 0.1..4; default 1; stills take 0.5 */
    bool transparent; /* leave out sky and ground; alpha is straight, for programs that blend
                         encoded colours (shaders/develop.glsl) */
    bool linear;      /* keep the linear picture for renderer_read_linear */
    bool through;     /* keep the smoke's transmittance by colour and its distance for
                         renderer_read_through; costs little */
    bool depth;       /* keep each pixel's depth for renderer_read_depth; requires scale 1 */
    float seconds;    /* time since the last picture, s, during which automatic exposure adapts; 0 =
                         adapt at once, as for stills */
    bool aside; /* used by renderer_bands: draw with the automatic exposure of the last picture, and
                   leave it unchanged */
    bool late;  /* automatic exposure may lag by one picture, so that the CPU need not wait for the
                   GPU */
    bool smooth;    /* blur the noise of few rays and long steps; ignored with solids, whose edges
                       would blur, and if transmittance by colour is marched */
    float history;  /* pixels along an edge at which smoke is accumulated from frame to frame, per
                       pixel of the picture; 0 = no accumulation; ignored with a tile */
    bool turning;   /* the camera moves: sky and ground are drawn at half the resolution */
    bool outline;   /* draw the edges of the box */
    unsigned frame; /* index of the rays' jitter; 0 for pictures that must be reproducible */
    RenderSlice slice;
    int exposures; /* pictures at places in the lens and times of the shutter whose mean is drawn,
                      for depth of field and motion blur; 0 = one sharp picture; above 0, `smooth`
                      and `history` are ignored */
    const struct RenderCamera *moves; /* the cameras when the shutter opens and when it closes; NULL
                                         = the camera does not move */
    const BillowSolid *solids; /* the view's solids, whose velocity and spin the shutter shows; NULL
                                  = solids do not move */
    int solid_count;
    bool (*proceed)(void *context, float share); /* called after each exposure with the share that
                                                    is done; the picture is given up if it returns
                                                    false; NULL = none */
    void *proceed_context;
} RenderFrame;

RenderFrame render_default_frame(void);
/* Returns the frame of a still image: full resolution, march steps of half a cell. */
RenderFrame render_still_frame(int width, int height);
/* Returns the frame's tile, or a tile of the whole picture if the frame has none. */
RenderTile render_frame_drawn(const RenderFrame *frame);

/* -- rectangles of pixels ---------------------------------------------------------------------- */

/* The pixels from `from` up to but not including `to`, from the lower left corner of a target. */
typedef struct PixelBox {
    int from[2], to[2];
} PixelBox;

bool pixel_box_is_empty(const PixelBox *box);
/* The part of `box` inside `within`. */
PixelBox pixel_box_inside(const PixelBox *box, const PixelBox *within);
/* Divides what of `whole` lies outside of `hole`, a part of it, into boxes. Returns their number.
 */
int pixel_box_around(const PixelBox *whole, const PixelBox *hole, PixelBox parts[4]);

/* -- bands of rows ----------------------------------------------------------------------------- */

/* Bands: groups of rows of a picture. Large pictures are passed on band by band, so that they need
 * not fit into memory. */

enum { BAND_ROWS = 16 }; /* the number of rows of all bands but the last is a multiple of this */

/* A group of rows from the top, in the formats of renderer_read, renderer_read_linear and
 * renderer_read_depth. NULL: not requested. */
typedef struct Band {
    int first, rows;
    uint8_t *pixels;
    float *linear, *through, *surface;
} Band;

/* Receives a band, which is freed when the function returns. Drawing stops if it returns false and
 * a message. */
typedef bool BandTake(void *context, const Band *band, BillowError *error);

/* -- the uniform block Frame ------------------------------------------------------------------- */

/* Its fields, what they mean and their units are declared once, in shaders/frame.glsl. */
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
    float solid_cell;      /* edge of the cells whose corners have distances, in cells */
    int shade_cells[3];    /* grid cells spanned by the solids' shade volume */
    float flame;           /* density that a flame value of 1 stands for */
    bool lamps_by_color;   /* whether the volume of the lamps' light has a value for each colour */
    bool colored;          /* whether smoke has colours */
    bool ramps[2];         /* whether ramps colour the smoke and the glow */
    bool ramp_weighted[2]; /* whether their fields are divided by the density */
    bool spread_by_color;  /* whether the similarity factor differs between colours of light */
    bool by_color;         /* whether smoke dims colours differently (lighting_by_color) */
    Fade fade;             /* of the smoke near faces */
    int grain_seed;        /* seed of the film grain, 0 to 2^23 - 1 */
    bool ground_glows;     /* whether hot soot lights the ground */
    int held[2];           /* planes of the grid in the volumes of the fields */
    int slab[2];           /* planes between which rays are marched */
    const Surroundings *around; /* of a map; NULL: the surroundings have none */
} FrameVolume;

/* Number of marched pixels along an edge of `pixels` pixels. scale: as in RenderFrame. */
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

/* The pixels of a target that a box in the volume can cover, with `margin` pixels around. low,
 * high: of the box, in cells. size: of the whole picture, in the target's pixels. target: of the
 * target; the result if the box extends behind the camera. */
PixelBox frame_block_covered(const FrameBlock *block, const float low[3], const float high[3],
                             const float size[2], int margin, const PixelBox *target);

#endif
