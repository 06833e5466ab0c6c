/* SPDX-License-Identifier: MIT
 *
 * The raymarcher: a BillowView and a RenderSettings to a picture, through OpenGL 3.3 core.
 *
 * Every call needs the GL context the renderer was created in to be current. The renderer sees the
 * simulation through a view only and copies what it needs in renderer_upload.
 *
 *     renderer_upload(renderer, &view, &look, &error);         // when the simulation advanced
 *     renderer_draw(renderer, &look, &(RenderFrame){.width = w, .height = h, .scale = 1}, &error);
 *     renderer_read(renderer, 3, pixels, &error);              // or renderer_present()
 */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

#include "band.h"
#include "exposure.h"
#include "frame.h"
#include "motion.h"
#include "render_settings.h"
#include <billow/billow.h>
#include <stdint.h>

typedef struct Renderer Renderer;

/* What the GL offers, for `billow info` and messages. */
typedef struct RenderLimits {
    char renderer[128], version[64];
    int texture_3d_max; /* longest axis of a volume */
    bool software;      /* a CPU rasteriser such as llvmpipe */
} RenderLimits;

/* shader_folder: GLSL files to use instead of the embedded ones, or NULL. NULL and a message with
 * file, line and the driver's words when a shader fails. */
Renderer *renderer_create(const char *shader_folder, BillowError *error);
void renderer_destroy(Renderer *renderer);
RenderLimits renderer_limits(const Renderer *renderer);

/* Recompiles the folder's shaders if any file changed since last looked at. True: new ones are in
 * use or nothing changed. False: the message, and the last good ones stay in use. */
bool renderer_poll_shaders(Renderer *renderer, bool *changed, BillowError *error);

/* Takes density, temperature and, where their version changed, solids, and computes occupancy
 * bricks and the light volume. look matters for the sun's direction, the extinction and the filter.
 * Where the driver's volumes or its memory are too small, what fits is drawn: see
 * renderer_coarsened. */
bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error);

/* Fails where less would be drawn than the view has: for what is to be measured. */
bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error);

/* How the smoke of the last upload moves, for frames with a history. Without, or where motion->n is
 * 0, it counts as standing still. */
bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error);

/* Along the edge of a cell that is drawn, so many of the grid's are since the last upload: 1, or a
 * power of two where the driver cannot hold more. */
int renderer_coarsened(const Renderer *renderer);
/* As if the driver's volumes held no more cells along a side, from the next upload on. */
void renderer_limit_volumes(Renderer *renderer, int cells);

/* Light volumes at the grid's own resolution, whatever it costs: for stills. Otherwise only small
 * grids get that, and larger ones half of it. From the next upload on. */
void renderer_fine_light(Renderer *renderer, bool fine);

/* What the last upload and the last picture took, ms; all but light_ms are 0 unless timed. */
typedef struct RenderTimes {
    double light_ms;     /* of the CPU: occupancy, optical depths, light from all sides */
    double upload_ms;    /* to textures */
    double march_ms;     /* smoke, at the marched resolution */
    double backdrop_ms;  /* sky and ground, where they had to be drawn anew */
    double composite_ms; /* all else: solids, shadows on the ground, tone, lines */
} RenderTimes;

/* Waiting for the GL to be done with each costs some time of its own. */
void renderer_timed(Renderer *renderer, bool timed);
RenderTimes renderer_times(const Renderer *renderer);

/* Takes nothing of the next view for known: it is of another simulation, which counts the versions
 * of its solids anew. */
void renderer_forget(Renderer *renderer);

/* Draws into the renderer's own target; recomputes the light volume where the sun or the extinction
 * changed since the upload. Nothing uploaded yet: sky and ground. What is still there from the
 * picture before, sky and ground, smoke, is not drawn again. */
bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error);

/* What automatic exposure has got used to, for pictures that others are to go on from; and back. */
Exposure renderer_exposure(const Renderer *renderer);
void renderer_expose(Renderer *renderer, Exposure exposure);

/* Whether automatic exposure would draw the same picture more or less bright if it were drawn
 * again.
 */
bool renderer_adapting(Renderer *renderer);

/* Marches the smoke of a picture in parts, so that no one call takes long: as many rows more, of
 * those frame_block_marched counts, of which *done, 0 to begin with, are there; the light first, as
 * long as it still changes. Then renderer_draw of the same frame finds the smoke there. Until then
 * what was drawn last can still be presented. */
bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error);

/* The drawn picture as 8-bit sRGB: rows from the top, tightly packed, width * height * channels
 * bytes that the caller owns; channels 3 (RGB) or 4 (RGBA, straight alpha). */
bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error);
/* The same picture before exposure and tone: linear radiance times opacity, Rec. 709 primaries, and
 * opacity; rows from the top, 4 floats a pixel that the caller owns, without overlay lines. For
 * frames drawn with their field linear set. */
bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error);
/* What came through the smoke, where the frame asked for it: red, green and blue transmittance and
 * the smoke's mean distance in metres (0: none), at the marched resolution, rows from the top.
 * behind: past the edges of solids, for pictures of solids. */
bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error);
/* What each pixel shows, where the frame asked for depth; rows from the top. through, 4 floats a
 * pixel: red, green and blue transmittance of the smoke in front of what is behind, and the smoke's
 * mean distance. surface, 1 float: the distance of the solid or the ground behind. Distances in
 * metres along the view axis; 1e10 where there is none. Tracers do not count. */
bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error);
/* Draws a picture of any size, in parts where the GL cannot do it at once, and hands it over band
 * by band from the top. channels: of the 8-bit picture, or 0 for none; see band_open. Either those
 * or frame->linear. Where graphics memory runs out the parts get smaller, of which renderer_notice
 * tells; frame->scale is 1. */
bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error);
/* What a person should know of the last picture, once; false where there is nothing. */
bool renderer_notice(Renderer *renderer, BillowError *notice);
/* Evaluates one formula of the shaders by itself, for tests of it. in and out: 4 floats each, count
 * times. */
typedef enum RenderProbe {
    RENDER_PROBE_PHASE, /* cosine, mean cosine: phase function, 1/sr, four times */
    RENDER_PROBE_ACES,  /* radiance, red, green and blue: what is shown, 0..1, sRGB */
    RENDER_PROBE_AGX    /* the same by the other film curve */
} RenderProbe;
bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error);
/* The drawn picture onto the window's framebuffer 0. */
void renderer_present(Renderer *renderer, int window_width, int window_height);
/* What framebuffer 0 holds: red, green and blue bytes, tightly packed, rows from the bottom. */
void renderer_read_window(int width, int height, uint8_t *pixels);

#endif
