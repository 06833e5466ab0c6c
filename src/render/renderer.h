/* SPDX-License-Identifier: MIT
 *
 * The raymarcher: draws a BillowView with RenderSettings, through OpenGL 3.3 core.
 *
 * Every call needs the GL context in which the renderer was created to be current. The renderer
 * sees the simulation only through a view and copies what it needs in renderer_upload.
 *
 *     renderer_upload(renderer, &view, &settings, &error);  // after each step
 *     RenderFrame frame = {.width = w, .height = h, .scale = 1};
 *     renderer_draw(renderer, &settings, &frame, &error);
 *     renderer_read(renderer, 3, pixels, &error);           // or renderer_present
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

/* Limits and names that the GL reports, for `billow info` and messages. */
typedef struct RenderLimits {
    char renderer[128], version[64];
    int texture_3d_max; /* longest axis of a volume */
    bool software;      /* a CPU rasteriser such as llvmpipe */
} RenderLimits;

/* Creates a renderer. shader_folder: GLSL files to use instead of the embedded ones, or NULL. If a
 * shader fails, returns NULL and a message with file, line and the driver's text. */
Renderer *renderer_create(const char *shader_folder, BillowError *error);
void renderer_destroy(Renderer *renderer);
RenderLimits renderer_limits(const Renderer *renderer);

/* Recompiles the folder's shaders if a file has changed since the last call. Returns true if the
 * new shaders are in use or nothing has changed. Returns false, with the message, if a shader is
 * broken; the last working ones then stay in use. */
bool renderer_poll_shaders(Renderer *renderer, bool *changed, BillowError *error);

/* Uploads density, temperature and, if their version changed, solids. Computes the occupancy bricks
 * and the light volumes; of the settings only light, smoke and filter matter for that. If the
 * driver's volumes or its memory are too small, the grid is drawn more coarsely: see
 * renderer_coarsened. */
bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error);

/* Uploads a view like renderer_upload, but fails if the grid would have to be drawn more coarsely.
 * For measurements. */
bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error);

/* Uploads the velocity of the smoke of the last upload, for frames with a history. Without this
 * call, or with motion->n of 0, the smoke counts as still. */
bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error);

/* Cells of the grid along the edge of a drawn cell since the last upload: 1, or a power of two if
 * the driver cannot hold the whole grid. */
int renderer_coarsened(const Renderer *renderer);
/* Limits the cells along an edge of a volume, from the next upload on, for tests. */
void renderer_limit_volumes(Renderer *renderer, int cells);

/* Computes light volumes at the grid's own resolution from the next upload on, for stills. By
 * default only small grids have that resolution, and larger ones have half of it. */
void renderer_fine_light(Renderer *renderer, bool fine);

/* Times of the last upload and the last picture, ms. All but light_ms are 0 unless the renderer is
 * timed. */
typedef struct RenderTimes {
    double light_ms;    /* CPU time of the light: occupancy, optical depths, light from all sides */
    double upload_ms;   /* to textures */
    double march_ms;    /* smoke, at the marched resolution */
    double backdrop_ms; /* sky and ground; 0 if they were reused */
    double composite_ms; /* everything else: solids, shadows on the ground, tone map, lines */
} RenderTimes;

/* Switches the timing of passes on or off. Timing waits for the GL after each pass, which costs
 * time. */
void renderer_timed(Renderer *renderer, bool timed);
RenderTimes renderer_times(const Renderer *renderer);

/* Discards everything that was computed from the last view. Call it before a view of another
 * simulation, whose solids count their versions from the start. */
void renderer_forget(Renderer *renderer);

/* Draws into the renderer's own target. Recomputes the light volumes if the light or the smoke's
 * settings have changed since the upload. Before the first upload it draws only sky and ground.
 * Sky, ground and smoke of the last picture are reused if nothing that they depend on has changed.
 */
bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error);

/* The state of automatic exposure, to save it and to restore it. */
Exposure renderer_exposure(const Renderer *renderer);
void renderer_expose(Renderer *renderer, Exposure exposure);

/* Whether automatic exposure is still adapting: the same picture drawn again would be brighter or
 * darker. */
bool renderer_adapting(Renderer *renderer);

/* Marches the smoke of a picture in parts, so that no single call takes long. The first calls
 * compute the light until it converges. Each later call marches `rows` more of the
 * frame_block_marched rows and adds them to *done, which starts at 0. Once all rows are done,
 * renderer_draw of the same frame reuses them. Until then the last picture can be presented. */
bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error);

/* Reads the drawn picture as 8-bit sRGB: rows from the top, tightly packed, width * height *
 * channels bytes. channels: 3 (RGB) or 4 (RGBA, straight alpha). */
bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error);
/* Reads the picture before exposure and tone map: linear radiance times opacity in Rec. 709
 * primaries, and opacity. 4 floats a pixel, rows from the top, without overlay lines. The frame
 * must have been drawn with `linear`. */
bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error);
/* Reads the smoke's red, green and blue transmittance and its mean distance in m (0 = no smoke), at
 * the marched resolution, rows from the top. behind: for the smoke behind the edges of solids. The
 * frame must have been drawn with `through`. */
bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error);
/* Reads the depth of each pixel, rows from the top. The frame must have been drawn with `depth`.
 * through, 4 floats a pixel: red, green and blue transmittance of the smoke in front of the
 * surface, and the smoke's mean distance. surface, 1 float: the distance of the solid or the
 * ground. Distances are along the view axis, m; 1e10 = none. Tracers are ignored. */
bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error);
/* Draws a picture of any size, in parts if it is too large for the GL, and hands it over band by
 * band from the top. channels: 3 or 4 for an 8-bit picture; 0 with frame->linear. frame->scale must
 * be 1. If graphics memory runs out, the parts get smaller and renderer_notice says so. */
bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error);
/* Fetches the user's notice about the last picture. Returns false if there is none. */
bool renderer_notice(Renderer *renderer, BillowError *notice);
/* Evaluates one formula of the shaders by itself, for tests of it. in and out: 4 floats each, count
 * times. */
typedef enum RenderProbe {
    RENDER_PROBE_PHASE, /* cosine, mean cosine: phase function, 1/sr, four times */
    RENDER_PROBE_ACES,  /* radiance, red, green and blue: sRGB on the display, 0..1 */
    RENDER_PROBE_AGX    /* as RENDER_PROBE_ACES, with the AgX curve */
} RenderProbe;
bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error);
/* Copies the drawn picture to the window's framebuffer 0. */
void renderer_present(Renderer *renderer, int window_width, int window_height);
/* Reads framebuffer 0: red, green and blue bytes, tightly packed, rows from the bottom. */
void renderer_read_window(int width, int height, uint8_t *pixels);

#endif
