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
#include "render/frame/frame.h"
#include <billow/billow.h>

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

/* Draws a picture into the renderer's own target. Recomputes the light volumes if the settings of
 * light or smoke have changed since the upload. Before the first upload the picture shows only sky
 * and ground. Sky, ground and smoke of the last picture are reused if nothing that they depend on
 * has changed. */
bool renderer_draw(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                   BillowError *error);

/* Marches the smoke of a picture a few rows at a time, so that each call is short. The first calls
 * compute the light until it converges. Each later call marches `rows` rows and adds them to *done,
 * which the caller sets to 0 at the start. The picture is complete when *done reaches
 * frame_block_marched(height, scale). renderer_draw of the same frame then reuses the smoke. Until
 * then renderer_present can show the previous picture. */
bool renderer_refine(Renderer *renderer, const RenderSettings *settings, const RenderFrame *frame,
                     int rows, int *done, BillowError *error);

/* Copies the drawn picture to the window (framebuffer 0) and scales it to the window's size. */
void renderer_present(Renderer *renderer, int window_width, int window_height);

/* Keeps a copy of the picture that renderer_present shows. opacity: that with which the copy kept
 * before still covers it; the new copy is the mixture. */
bool renderer_keep(Renderer *renderer, float opacity, BillowError *error);
/* Draws the kept copy over the window. Without a copy, does nothing. */
bool renderer_fade(Renderer *renderer, int window_width, int window_height, float opacity,
                   BillowError *error);

#endif
