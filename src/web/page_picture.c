/* SPDX-License-Identifier: MIT
 *
 * The picture in the page's canvas. The graphics card draws while the page goes on; the next
 * picture begins when the last is complete. */
#include "web/page.h"

#include "base/clock.h"
#include "play/sim_thread.h"
#include "web/page_parts.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <math.h>
#include <stdio.h>

const RenderSettings *page_seen(void)
{
    const float degree = 0.017453293f, widest = 150;
    RenderCamera *camera = &page.seen.camera;
    page.seen = page.world.render;
    if (page.height > page.width) {
        float half = tanf(camera->fov / 2 * degree) * (float)page.height / (float)page.width;
        camera->fov = fminf(2 * atanf(half) / degree, widest);
    }
    return &page.seen;
}

EMSCRIPTEN_KEEPALIVE const char *page_start(const char *canvas)
{
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.antialias = wanted.alpha = wanted.depth = false;
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context(canvas, &wanted);
    if (context <= 0)
        return "This browser offers no WebGL 2, which Billow needs to draw.";
    emscripten_webgl_make_context_current(context);
    if (!emscripten_webgl_enable_extension(context, "OES_texture_float_linear") ||
        !emscripten_webgl_enable_extension(context, "EXT_color_buffer_float"))
        return "This device cannot draw into textures of floats, which Billow needs.";
    emscripten_webgl_enable_extension(context, "EXT_float_blend");
    page.drawing = NULL;
    return page_answer(picture_open(&page.picture, NULL, &page.error));
}

/* Without a graphics card, the browser takes long to show a large canvas. */
EMSCRIPTEN_KEEPALIVE double page_pixels(void)
{
    const double few = 640 * 360, many = 1e9;
    return page.picture.limits.software ? few : many;
}

/* Adapts the resolution and the number of cells to the time of a picture of new smoke. */
static void learn(const SimSnapshot *snapshot, double ms)
{
    const ResolutionTimes took = {.march = ms};
    if (!page.picture.upload_new || snapshot == NULL)
        return;
    const GridTimes times = picture_grid_times(&page.picture, snapshot, ms);
    page.picture.redraw |= resolution_observe(&page.picture.resolution, &took, page.interval);
    if (page.stroke.drag == DRAG_NONE)
        world_adapt_grid(&page.world, snapshot, &times, page.interval);
}

/* Gives the last call's work to the graphics card. */
static void start_drawing(double now)
{
    page.began = now;
    page.drawing = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

static void forget_drawing(void)
{
    if (page.drawing != NULL)
        glDeleteSync(page.drawing);
    page.drawing = NULL;
    page.refining = false;
}

EMSCRIPTEN_KEEPALIVE int page_drawn(void)
{
    if (page.drawing == NULL)
        return 1;
    if (glClientWaitSync(page.drawing, 0, 0) == GL_TIMEOUT_EXPIRED)
        return 0;
    double ms = 1e3 * (clock_seconds() - page.began);
    if (page.refining)
        picture_refined(&page.picture, page.rows, page.height, ms);
    else
        learn(page_newest(), ms);
    forget_drawing();
    return 1;
}

/* Marches more rows of a picture at rest in full quality. It is drawn when all rows are marched. */
static bool refine(double now)
{
    if (!picture_refine(&page.picture, page_seen(), page.width, page.height, &page.rows,
                        &page.error))
        return false;
    start_drawing(now);
    page.refining = true;
    return true;
}

static bool draw(double now)
{
    RenderFrame frame = picture_frame(&page.picture, page.width, page.height, now);
    frame.step = fminf(frame.step, 1); /* longer steps would show as speckles on small grids */
    frame.late = true;
    page.interval = page.picture.drawn > 0 ? fmin(1e3 * (now - page.picture.drawn), 250) : 0;
    if (!picture_draw(&page.picture, page_seen(), &frame, now, &page.error))
        return false;
    renderer_present(page.picture.renderer, page.width, page.height);
    start_drawing(now);
    return true;
}

EMSCRIPTEN_KEEPALIVE const char *page_service(void)
{
    page_serve_session();
    page_run_here();
    WorldEvent event = world_poll(&page.world, &page.error);
    if (event == WORLD_CHANGED || event == WORLD_RETURNED) {
        picture_forget(&page.picture, clock_seconds());
        page.openings++;
    }
    return page_answer(event != WORLD_FAILED && event != WORLD_RETURNED);
}

EMSCRIPTEN_KEEPALIVE const char *page_frame(int width, int height)
{
    double now = clock_seconds();
    const char *problem = page_service();
    page.picture.redraw |= width != page.width || height != page.height;
    page.width = width;
    page.height = height;
    if (page.x < 0) { /* no pointer has come yet */
        page.x = 0.5f * (float)width;
        page.y = 0.5f * (float)height;
    }
    if (problem[0] != 0)
        return problem;
    page_follow_pointer();
    if (page.openings == 0) /* there is nothing to draw yet */
        return "";
    if (page.drawing != NULL)
        return ""; /* pictures that wait for each other would come seconds late */
    const SimSnapshot *snapshot = page_newest();
    if (snapshot != NULL && !picture_up_to_date(&page.picture, &page.world, snapshot) &&
        !picture_upload(&page.picture, &page.world, snapshot, &page.error))
        return page_say(&page.error);
    picture_follow(&page.picture, &page.world.render, width, height, now);
    bool paused = page.world.sim != NULL && sim_thread_paused(page.world.sim);
    if (page.picture.redraw)
        return page_answer(draw(now));
    return page_answer(!stillness_refines(&page.picture.stillness, paused, now) || refine(now));
}

EMSCRIPTEN_KEEPALIVE void page_redraw(void)
{
    forget_drawing();
    stillness_break(&page.picture.stillness, clock_seconds());
    page.picture.redraw = true;
}

EMSCRIPTEN_KEEPALIVE void page_end(void)
{
    page.drawing = NULL; /* which a lost context has taken along */
    picture_close(&page.picture);
}
