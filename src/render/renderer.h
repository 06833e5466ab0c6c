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

#include "base/render_settings.h"
#include "render/frame/exposure.h"
#include "render/frame/frame.h"
#include "render/light/slab.h"
#include "render/motion.h"
#include <billow/billow.h>
#include <stdint.h>

typedef struct Renderer Renderer;

/* Limits and names that the GL reports, for `billow info` and messages. */
typedef struct RenderLimits {
    char renderer[128], version[64];
    int texture_3d_max; /* most texels along an axis of a 3D texture */
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

/* Uploads the density, the temperature and, if their version changed, the solids of a view.
 * Computes the occupancy bricks and the light volumes, which depend on the settings of light, smoke
 * and filter. If the view exceeds the driver's largest 3D texture or the graphics memory, cells are
 * merged: see renderer_coarsened. */
bool renderer_upload(Renderer *renderer, const BillowView *view, const RenderSettings *settings,
                     BillowError *error);

/* Uploads a view like renderer_upload, but fails if cells would have to be merged. Used for
 * measurements. */
bool renderer_upload_whole(Renderer *renderer, const BillowView *view,
                           const RenderSettings *settings, BillowError *error);

/* Uploads the velocity of the smoke that was uploaded last, for frames with a history. The smoke
 * counts as motionless if this is not called or motion->n is 0. */
bool renderer_upload_motion(Renderer *renderer, const Motion *motion, BillowError *error);
/* Uploads the velocity of the view that was uploaded last, for frames with exposures, whose shutter
 * shows it. The smoke counts as motionless if this is not called or the view has no velocity. */
bool renderer_upload_shutter(Renderer *renderer, const BillowView *view,
                             const RenderSettings *settings, BillowError *error);
/* The same with a velocity that is already known on a coarse grid. */
bool renderer_shutter_motion(Renderer *renderer, const Motion *motion, const BillowView *view,
                             const RenderSettings *settings, BillowError *error);

/* Number of grid cells along the edge of a cell of the light volumes, 1 or 2, for a grid of so many
 * cells in the window. */
int renderer_light_reduction(double cells);

/* Number of grid cells along an axis that were merged into one drawn cell in the last upload: 1, or
 * a power of two if the driver cannot hold the whole grid. */
int renderer_coarsened(const Renderer *renderer);
/* Limits the texels along an axis of 3D textures from the next upload on. Used by tests. */
void renderer_limit_volumes(Renderer *renderer, int cells);

/* Selects finer light volumes from the next upload on, for stills: of up to 200^3 cells they have
 * the grid's own resolution. By default those of all but small grids have half of it. */
void renderer_fine_light(Renderer *renderer, bool fine);

/* -- several ranks --------------------------------------------------------------------------------
 *
 * The ranks of a divided simulation can draw one picture together. Each has a renderer and uploads
 * its own planes of the view, and the light of the whole box is computed on all. The first rank
 * then draws. It calls the others for each march of the smoke:
 *
 *     renderer_upload(renderer, &view, &settings, &error);       // all ranks
 *     if (rank > 0)
 *         renderer_serve(renderer, &settings);
 *     else {
 *         renderer_draw(...);                                    // once or several times
 *         renderer_release(renderer);                            // also after a failure
 *     }
 *
 * The pictures have no shutter, haze or slice, which need the fields of the whole box, and cells
 * are not merged: an upload that the driver's textures cannot hold fails. Lighting, settings and
 * frames are the same on all ranks. */

/* Divides all later views among ranks. Called by all ranks. planes: of the box; first: first plane
 * of this rank. */
bool renderer_divide(Renderer *renderer, const RenderRanks *ranks, int planes, int first,
                     BillowError *error);
/* Number of planes beside its own that a rank's view of so many cells must hold. */
int renderer_planes_beside(const Renderer *renderer, const int cells[3]);
/* Marches smoke for the first rank until it calls renderer_release. */
void renderer_serve(Renderer *renderer, const RenderSettings *settings);
void renderer_release(Renderer *renderer);

/* -- measurements and pictures ----------------------------------------------------------------- */

/* Durations of the last upload and the last picture, ms. Members other than light_ms are 0 unless
 * renderer_timed is on. */
typedef struct RenderTimes {
    double light_ms;     /* CPU time of occupancy bricks and light volumes */
    double upload_ms;    /* copying the fields into textures */
    double march_ms;     /* march of the smoke */
    double backdrop_ms;  /* drawing sky and ground; 0 if those of the last picture were reused */
    double composite_ms; /* all later passes: solids, shadows on the ground, tone map, lines */
} RenderTimes;

/* Switches the timing of passes on or off. With timing on, the renderer is slower because it waits
 * for the GL after each pass. */
void renderer_timed(Renderer *renderer, bool timed);
RenderTimes renderer_times(const Renderer *renderer);

/* Discards everything that was computed from the last view. Must be called before a view of another
 * simulation: the versions of its solids start again at the same number. */
void renderer_forget(Renderer *renderer);

/* Draws a picture into the renderer's own target. Recomputes the light volumes if the settings of
 * light or smoke have changed since the upload. Before the first upload the picture shows only sky
 * and ground. Sky, ground and smoke of the last picture are reused if nothing that they depend on
 * has changed. */
bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error);

/* Return and set the state of automatic exposure. */
Exposure renderer_exposure(const Renderer *renderer);
void renderer_expose(Renderer *renderer, Exposure exposure);

/* Whether automatic exposure is still adapting: the same picture drawn again would be brighter or
 * darker. */
bool renderer_adapting(Renderer *renderer);

/* Marches the smoke of a picture a few rows at a time, so that each call is short. The first calls
 * compute the light until it converges. Each later call marches `rows` rows and adds them to *done,
 * which the caller sets to 0 at the start. The picture is complete when *done reaches
 * frame_block_marched(height, scale). renderer_draw of the same frame then reuses the smoke. Until
 * then renderer_present can show the previous picture. */
bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error);

/* Reads the drawn picture as 8-bit sRGB: rows from the top, tightly packed, width * height *
 * channels bytes. channels: 3 (RGB) or 4 (RGBA, straight alpha). */
bool renderer_read(Renderer *renderer, int channels, uint8_t *pixels, BillowError *error);
/* Reads the picture before exposure and tone map: linear radiance times opacity in Rec. 709
 * primaries, and opacity. 4 floats a pixel, rows from the top, without overlay lines. The frame
 * must have been drawn with `linear`. */
bool renderer_read_linear(Renderer *renderer, float *pixels, BillowError *error);
/* Reads the smoke's transmittance in red, green and blue and the smoke's mean distance, m (0 = no
 * smoke). Pixels have the marched resolution, rows from the top. behind: reads the smoke behind the
 * edges of solids instead of that in front. The frame must have been drawn with `through`. */
bool renderer_read_through(Renderer *renderer, bool behind, float *values, BillowError *error);
/* Reads the depth of each pixel, rows from the top. through, 4 floats a pixel: transmittance in
 * red, green and blue of the smoke in front of the surface, and the smoke's mean distance. surface,
 * 1 float a pixel: distance of the solid or the ground. Distances are along the view axis, m; 1e10
 * = none. Tracers have no depth. The frame must have been drawn with `depth`. */
bool renderer_read_depth(Renderer *renderer, float *through, float *surface, BillowError *error);
/* Draws a picture of any size and passes it to `take` band by band from the top. The picture is
 * drawn in parts if it is too large for the GL. channels: 3 or 4 for an 8-bit picture; 0 with
 * frame->linear. frame->scale must be 1. If graphics memory runs out, the parts become smaller and
 * renderer_notice reports it. */
bool renderer_bands(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                    int channels, BandTake *take, void *context, BillowError *error);
/* Returns and clears the notice for the user about the last picture. Returns false if there is
 * none. */
bool renderer_notice(Renderer *renderer, BillowError *notice);
/* Evaluates one formula of the shaders, for tests. in and out: count times 4 floats. */
typedef enum RenderProbe {
    RENDER_PROBE_PHASE, /* in: cosine of the angle, mean cosine g; out: phase function, 1/sr, in all
                           four floats */
    RENDER_PROBE_ACES,  /* in: radiance in red, green and blue; out: sRGB on the display, 0..1 */
    RENDER_PROBE_AGX    /* as RENDER_PROBE_ACES, with the AgX curve */
} RenderProbe;
bool renderer_probe(Renderer *renderer, RenderProbe probe, int count, const float *in, float *out,
                    BillowError *error);
/* Replaces the drawn picture until the next one is drawn. pixels: 4 bytes a pixel, as
 * renderer_read reads them. */
bool renderer_replace(Renderer *renderer, int width, int height, const uint8_t *pixels,
                      BillowError *error);
/* Copies the drawn picture to the window (framebuffer 0) and scales it to the window's size. */
void renderer_present(Renderer *renderer, int window_width, int window_height);
/* Reads the window (framebuffer 0): 3 bytes a pixel (RGB), tightly packed, rows from the bottom. */
void renderer_read_window(int width, int height, uint8_t *pixels);

#endif
