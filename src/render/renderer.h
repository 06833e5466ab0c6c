/* SPDX-License-Identifier: MIT
 *
 * The raymarcher: a BillowView and a RenderSettings to a picture, through OpenGL 3.3 core.
 *
 * Every call needs the GL context the renderer was created in to be current. The renderer sees the
 * simulation through a view only and copies what it needs in renderer_upload.
 *
 *     renderer_upload(renderer, &view, &settings, &error);         // when the simulation advanced
 *     renderer_draw(renderer, &settings, &(RenderFrame){.width = w, .height = h, .scale = 1},
 * &error); renderer_read(renderer, 3, pixels, &error);              // or renderer_present()
 */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

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

/* Uploads density, temperature and, where their version changed, solids; computes the occupancy
 * bricks and the light volumes. Of the settings, the light, the smoke and the filter matter here.
 * Draws the grid more coarsely where the driver's volumes or its memory are too small: see
 * renderer_coarsened. */
bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error);

/* Fails where less would be drawn than the view has: for what is to be measured. */
bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error);

/* Takes the velocity of the smoke of the last upload, for frames with a history. Smoke without it,
 * or with motion->n of 0, counts as still. */
bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error);

/* Cells of the grid along the edge of one that is drawn, since the last upload: 1, or a power of
 * two where the driver cannot hold the whole grid. */
int renderer_coarsened(const Renderer *renderer);
/* Limits the cells along an edge of a volume, from the next upload on, for tests. */
void renderer_limit_volumes(Renderer *renderer, int cells);

/* Computes light volumes at the grid's own resolution from the next upload on, for stills. Without
 * it only small grids have that, and larger ones half of it. */
void renderer_fine_light(Renderer *renderer, bool fine);

/* What the last upload and the last picture took, ms; all but light_ms are 0 unless timed. */
typedef struct RenderTimes {
    double light_ms;     /* of the CPU: occupancy, optical depths, light from all sides */
    double upload_ms;    /* to textures */
    double march_ms;     /* smoke, at the marched resolution */
    double backdrop_ms;  /* sky and ground, where they were drawn again */
    double composite_ms; /* all else: solids, shadows on the ground, tone, lines */
} RenderTimes;

/* Times the passes. Waiting for the GL after each pass costs time of its own. */
void renderer_timed(Renderer *renderer, bool timed);
RenderTimes renderer_times(const Renderer *renderer);

/* Forgets everything of the last view. To be called before a view of another simulation, whose
 * versions of solids start over. */
void renderer_forget(Renderer *renderer);

/* Draws into the renderer's own target. Recomputes the light volumes where the light or the smoke's
 * settings changed since the upload. Draws sky and ground alone before the first upload. Sky,
 * ground and smoke are reused from the last picture where nothing that they depend on has changed.
 */
bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error);

/* The state of automatic exposure, to save it and to restore it. */
Exposure renderer_exposure(const Renderer *renderer);
void renderer_expose(Renderer *renderer, Exposure exposure);

/* Whether automatic exposure is still adapting: the same picture drawn again would be brighter or
 * darker. */
bool renderer_adapting(Renderer *renderer);

/* Marches the smoke of a picture in parts, so that no one call takes long. Each call marches `rows`
 * more rows of those that frame_block_marched counts and adds them to *done, which starts at 0;
 * calls before that compute the light as long as it still changes. Once *done has all rows,
 * renderer_draw of the same frame reuses them. Until then the last picture can be presented. */
bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error);

/* The drawn picture as 8-bit sRGB: rows from the top, tightly packed, width * height * channels
 * bytes that the caller owns; channels 3 (RGB) or 4 (RGBA, straight alpha). */
bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error);
/* The same picture before exposure and tone: linear radiance times opacity, Rec. 709 primaries, and
 * opacity; rows from the top, 4 floats a pixel that the caller owns, without overlay lines. For
 * frames drawn with their field linear set. */
bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error);
/* Reads the smoke's red, green and blue transmittance and its mean distance, m (0 = none), at the
 * marched resolution, rows from the top. The frame must have been drawn with `through`. behind: for
 * the smoke past the edges of solids. */
bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error);
/* Reads the depth of each pixel, rows from the top. The frame must have been drawn with `depth`.
 * through, 4 floats a pixel: red, green and blue transmittance of the smoke in front of the
 * surface, and the smoke's mean distance. surface, 1 float: the distance of the solid or the
 * ground. Distances are along the view axis, m; 1e10 = none. Tracers are ignored. */
bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error);
/* Draws a picture of any size, in parts where it is too large for the GL, and hands it over band by
 * band from the top. channels: of the 8-bit picture, 3 or 4; 0 with frame->linear. frame->scale
 * must be 1. Where graphics memory runs out the parts get smaller, and renderer_notice says so. */
bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error);
/* Takes the notice for the user about the last picture; false where there is none. */
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
