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
    page.renderer = renderer_create(NULL, &page.error);
    if (page.renderer == NULL)
        return page_say(&page.error);
    page.uploaded = false;
    page.redraw = true;
    page.drawing = NULL;
    page.resolution = resolution_start(renderer_limits(page.renderer).software);
    return "";
}

static bool upload(const SimSnapshot *snapshot)
{
    if (page.uploaded && snapshot->steps == page.steps && snapshot->resets == page.resets &&
        snapshot->settings == page.settings)
        return true;
    page.uploaded = page.redraw = true;
    page.steps = snapshot->steps;
    page.resets = snapshot->resets;
    page.settings = snapshot->settings;
    page.fresh = true;
    world_look_at(&page.world, snapshot->view.time);
    double start = clock_seconds();
    bool good = renderer_upload(page.renderer, &snapshot->view, page_seen(), &page.error) &&
                renderer_upload_motion(page.renderer, &snapshot->motion, &page.error);
    page.upload_ms = 1e3 * (clock_seconds() - start);
    return good;
}

/* Without a graphics card, the browser takes long to show a large canvas. */
EMSCRIPTEN_KEEPALIVE double page_pixels(void)
{
    const double few = 640 * 360, many = 1e9;
    return renderer_limits(page.renderer).software ? few : many;
}

static RenderFrame frame_to_draw(double now)
{
    RenderFrame frame = resolution_frame(&page.resolution, page.width, page.height,
                                         renderer_limits(page.renderer).software);
    frame.step = fminf(frame.step, 1); /* longer steps would show as speckles on small grids */
    frame.frame = (unsigned)page.steps;
    if (page.stillness.fine)
        frame = render_still_frame(page.width, page.height);
    frame.seconds = (float)fmin(now - page.drawn, 0.25);
    frame.late = true;
    return frame;
}

/* Adapts the resolution and the number of cells to the time of a picture of new smoke. */
static void learn(const SimSnapshot *snapshot, double ms)
{
    const ResolutionTimes took = {.march = ms};
    GridTimes times = {.draw_ms = resolution_least(&page.resolution) ? ms : 0};
    if (!page.fresh || snapshot == NULL)
        return;
    page.fresh = false;
    page.redraw |= resolution_observe(&page.resolution, &took, page.interval);
    times.step_ms = snapshot->work_ms;
    times.light_ms = renderer_times(page.renderer).light_ms;
    times.upload_ms = fmax(page.upload_ms - times.light_ms, 0.01);
    times.cut = snapshot->cut;
    if (page.drag == DRAG_NONE && page.world.grid.count >= 2)
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
    if (page.refining) {
        stillness_marched(&page.stillness, page.rows, page.height, ms);
        page.redraw |= page.stillness.fine;
    } else {
        learn(page_newest(), ms);
    }
    forget_drawing();
    return 1;
}

/* Marches more rows of a picture at rest in full quality. It is drawn when all rows are marched. */
static bool refine(double now)
{
    RenderFrame frame = render_still_frame(page.width, page.height);
    page.rows = page.stillness.rows;
    if (!renderer_refine(page.renderer, page_seen(), &frame, stillness_part(&page.stillness),
                         &page.rows, &page.error))
        return false;
    start_drawing(now);
    page.refining = true;
    return true;
}

static bool draw(double now)
{
    RenderFrame frame = frame_to_draw(now);
    page.interval = page.drawn > 0 ? fmin(1e3 * (now - page.drawn), 250) : 0;
    page.drawn = now;
    page.redraw = false;
    if (!page.stillness.fine)
        page.stillness.rows =
            0; /* the coarse picture overwrites the rows that are marched so far */
    if (!renderer_draw(page.renderer, page_seen(), &frame, &page.error))
        return false;
    renderer_present(page.renderer, page.width, page.height);
    start_drawing(now);
    return true;
}

/* Records whether the smoke or the camera moves. */
static void follow_motion(double now)
{
    const RenderSettings *render = &page.world.render;
    const StillnessScene scene = {render->camera, page.steps, page.resets, page.width, page.height};
    bool turning = stillness_turning(&page.stillness, &scene, now);
    page.redraw |= resolution_turn(&page.resolution, turning) ||
                   (render->picture.auto_exposure && renderer_adapting(page.renderer));
}

EMSCRIPTEN_KEEPALIVE const char *page_service(void)
{
    page_serve_session();
    page_run_here();
    WorldEvent event = world_poll(&page.world, &page.error);
    if (event == WORLD_CHANGED || event == WORLD_RETURNED) {
        page.uploaded = false;
        page.openings++;
        if (page.renderer != NULL)
            renderer_forget(page.renderer);
    }
    return page_answer(event != WORLD_FAILED && event != WORLD_RETURNED);
}

EMSCRIPTEN_KEEPALIVE const char *page_frame(int width, int height)
{
    double now = clock_seconds();
    const char *problem = page_service();
    page.redraw |= width != page.width || height != page.height;
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
    if (snapshot != NULL && !upload(snapshot))
        return page_say(&page.error);
    follow_motion(now);
    bool paused = page.world.sim != NULL && sim_thread_paused(page.world.sim);
    if (page.redraw)
        return page_answer(draw(now));
    return page_answer(!stillness_refines(&page.stillness, paused, now) || refine(now));
}

EMSCRIPTEN_KEEPALIVE void page_redraw(void)
{
    forget_drawing();
    stillness_break(&page.stillness, clock_seconds());
    page.redraw = true;
}

EMSCRIPTEN_KEEPALIVE void page_end(void)
{
    page.drawing = NULL; /* which a lost context has taken along */
    renderer_destroy(page.renderer);
    page.renderer = NULL;
}
