/* SPDX-License-Identifier: MIT
 *
 * The page's side of the program: a world (world.h), which plays scenes as the window does, and a
 * renderer that draws into the page's canvas. */
#include "page.h"

#include "clock.h"
#include "fail.h"
#include "gl.h"
#include "renderer.h"
#include "resolution.h"
#include "scene_write.h"
#include "sim_thread_parts.h"
#include "stroke.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern void *sdl_waiting; /* the simulation's thread in a build without threads, or NULL */

typedef enum Drag { DRAG_NONE, DRAG_STROKE, DRAG_ORBIT, DRAG_PAN } Drag;

typedef struct Page {
    World world;
    RenderSettings seen; /* what is drawn: the world's, with a camera for the canvas's shape */
    int openings;        /* number of simulations that have started with another scene or grid */
    Renderer *renderer;
    Resolution resolution;
    int width, height; /* of the canvas, pixels */
    uint64_t steps, resets, settings;
    bool uploaded, redraw;
    bool fresh;       /* a new state was uploaded since the last picture */
    double upload_ms; /* time of the last upload, ms */
    double drawn;     /* time when the last picture began, s */
    double interval;  /* time from the picture before to that, ms */
    GLsync drawing;   /* is signalled when the last picture is complete; NULL: it is */
    Drag drag;
    Stroke stroke;
    float x, y;         /* position of the pointer, pixels */
    char text[1 << 16]; /* result of the last call that returns a text */
    size_t length;      /* of a text that is being written */
    BillowError error;
} Page;

static Page page;

static const char *say(const BillowError *error)
{
    snprintf(page.text, sizeof page.text, "%s", error->text);
    return page.text;
}

static const char *answer(bool good)
{
    return good ? "" : say(&page.error);
}

/* Appends to the text. */
static void add(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int more = vsnprintf(page.text + page.length, sizeof page.text - page.length, format, values);
    va_end(values);
    page.length += more > 0 ? (size_t)more : 0;
    if (page.length >= sizeof page.text)
        page.length = sizeof page.text - 1;
}

static void start_text(void)
{
    page.length = 0;
    page.text[0] = '\0';
}

/* -- the simulation ---------------------------------------------------------------------------- */

/* In a build without threads: runs the simulation until it has nothing to do, or for a while. */
static void run_here(void)
{
    const double most = 0.03; /* s */
    double start = clock_seconds();
    SimThread *sim = sdl_waiting;
    if (sim == NULL)
        return;
    if (sim->state == SIM_THREAD_STARTING)
        sim_begin(sim);
    while (sim->state == SIM_THREAD_RUNNING && !sim->quit && clock_seconds() - start < most)
        if (sim_turn(sim) > 0)
            break;
    if (sim->quit)
        sim->state = SIM_THREAD_ENDED;
}

static void send(const SimCommand *command)
{
    if (page.world.sim != NULL)
        sim_thread_send(page.world.sim, command);
}

static const SimSnapshot *newest(void)
{
    return world_snapshot(&page.world);
}

EMSCRIPTEN_KEEPALIVE const char *page_open(const char *name)
{
    World *world = &page.world;
    world->threads = 0; /* as many as suit the machine */
    world->aim = grid_aim_of(SCENE_DRAFT);
    return answer(scene_exists(name, &page.error) && world_change(world, name, &page.error));
}

/* The text becomes a file in the page's memory, which opens as any scene file does. */
EMSCRIPTEN_KEEPALIVE const char *page_open_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL)
        good &= fclose(file) == 0;
    if (!good)
        fail(&page.error, "%s: there is no memory for this file", name);
    return answer(good && world_change(&page.world, name, &page.error));
}

EMSCRIPTEN_KEEPALIVE const char *page_scene(void)
{
    return page.world.from;
}

EMSCRIPTEN_KEEPALIVE int page_openings(void)
{
    return page.openings;
}

/* The scene that plays or comes next, with the camera that it is or will be seen with. */
static Scene present(void)
{
    const World *world = &page.world;
    Scene scene = *world_scene(world);
    if (!world->changing || world->keep_view)
        scene.render.camera = world->render.camera;
    return scene;
}

EMSCRIPTEN_KEEPALIVE const char *page_set(const char *assignment)
{
    Scene scene = present();
    page.redraw = true; /* also while the simulation is paused */
    return answer(scene_set(&scene, assignment, &page.error) &&
                  world_apply(&page.world, &scene, NULL, &page.error));
}

/* -- the brush --------------------------------------------------------------------------------- */

/* What is drawn. The camera's field of view is that of the picture's height; in a canvas that is
 * taller than wide it becomes that of the width, so that the scene is not cut off at its sides. */
static const RenderSettings *seen(void)
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

static BrushRay ray_at_pointer(void)
{
    BrushRay ray = {.camera = &seen()->camera};
    camera_ray(ray.camera, page.width, page.height, page.x, page.y, ray.origin, ray.direction);
    return ray;
}

/* Follows the smoke below the pointer between two frames. */
static void follow_pointer(void)
{
    World *world = &page.world;
    BrushRay ray = ray_at_pointer();
    if (world->sim == NULL)
        return;
    if (page.drag == DRAG_STROKE)
        stroke_drag(&page.stroke, world, &ray, clock_seconds());
    else if (page.drag == DRAG_NONE)
        stroke_hover(world, newest(), &ray);
}

/* -- the picture ------------------------------------------------------------------------------- */

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
    if (page.renderer != NULL)
        renderer_destroy(page.renderer); /* of a context that was lost */
    page.renderer = renderer_create(NULL, &page.error);
    if (page.renderer == NULL)
        return say(&page.error);
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
    bool good = renderer_upload(page.renderer, &snapshot->view, seen(), &page.error) &&
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
    ResolutionScale scale = resolution_scale(&page.resolution);
    RenderFrame frame = render_default_frame();
    frame.width = (int)fmaxf((float)page.width * scale.picture, 1);
    frame.height = (int)fmaxf((float)page.height * scale.picture, 1);
    frame.scale = scale.march;
    frame.step = fminf(scale.step, 1); /* longer steps would show as speckles on small grids */
    frame.smooth = scale.march < 1 && scale.step > 1;
    frame.history = fmaxf(fminf(2 * scale.march, 1), scale.march);
    frame.frame = (unsigned)page.steps;
    frame.seconds = (float)fmin(now - page.drawn, 0.25);
    frame.late = true;
    return frame;
}

/* Adapts the resolution and the number of cells to the time of the last picture. */
static void learn(const SimSnapshot *snapshot)
{
    ResolutionTimes took = {.march = 1e3 * (clock_seconds() - page.drawn)};
    GridTimes times = {.draw_ms = resolution_least(&page.resolution) ? took.march : 0};
    page.redraw |= resolution_observe(&page.resolution, &took, page.interval);
    if (snapshot != NULL && page.fresh) {
        times.step_ms = snapshot->work_ms;
        times.light_ms = renderer_times(page.renderer).light_ms;
        times.upload_ms = fmax(page.upload_ms - times.light_ms, 0.01);
        times.cut = snapshot->cut;
    }
    page.fresh = false;
    if (snapshot != NULL && page.drag == DRAG_NONE && page.world.grid.count >= 2)
        world_adapt_grid(&page.world, snapshot, &times, page.interval);
}

/* The graphics card draws while the page goes on. */
static void start_drawing(double now)
{
    page.interval = page.drawn > 0 ? fmin(1e3 * (now - page.drawn), 250) : 0;
    page.drawn = now;
    page.redraw = false;
    page.drawing = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

static void forget_drawing(void)
{
    if (page.drawing != NULL)
        glDeleteSync(page.drawing);
    page.drawing = NULL;
}

EMSCRIPTEN_KEEPALIVE int page_drawn(void)
{
    if (page.drawing == NULL)
        return 1;
    if (glClientWaitSync(page.drawing, 0, 0) == GL_TIMEOUT_EXPIRED)
        return 0;
    forget_drawing();
    learn(newest());
    return 1;
}

EMSCRIPTEN_KEEPALIVE const char *page_frame(int width, int height)
{
    double now = clock_seconds();
    run_here();
    page.redraw |= width != page.width || height != page.height;
    page.width = width;
    page.height = height;
    WorldEvent event = world_poll(&page.world, &page.error);
    if (event == WORLD_CHANGED || event == WORLD_RETURNED) {
        page.uploaded = false;
        page.openings++;
        renderer_forget(page.renderer);
    }
    if (event == WORLD_FAILED || event == WORLD_RETURNED)
        return say(&page.error);
    follow_pointer();
    if (page.drawing != NULL)
        return ""; /* pictures that wait for each other would come seconds late */
    const SimSnapshot *snapshot = newest();
    if (snapshot != NULL && !upload(snapshot))
        return say(&page.error);
    if (!page.redraw)
        return "";
    RenderFrame frame = frame_to_draw(now);
    if (!renderer_draw(page.renderer, seen(), &frame, &page.error))
        return say(&page.error);
    renderer_present(page.renderer, width, height);
    start_drawing(now);
    return "";
}

EMSCRIPTEN_KEEPALIVE void page_redraw(void)
{
    forget_drawing();
    page.redraw = true;
}

EMSCRIPTEN_KEEPALIVE void page_end(void)
{
    world_close(&page.world);
    renderer_destroy(page.renderer);
    page.renderer = NULL;
}

/* -- the hand ---------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE void page_press(int button, float x, float y)
{
    page.x = x * (float)page.width;
    page.y = y * (float)page.height;
    if (button != 0) {
        page.drag = button == 1 ? DRAG_PAN : DRAG_ORBIT;
        return;
    }
    if (page.world.sim == NULL)
        return;
    BrushRay ray = ray_at_pointer();
    stroke_press(&page.stroke, &page.world, newest(), &ray, clock_seconds());
    page.drag = DRAG_STROKE;
}

EMSCRIPTEN_KEEPALIVE void page_move(float x, float y, float dx, float dy)
{
    RenderCamera *camera = &page.world.render.camera;
    page.x = x * (float)page.width;
    page.y = y * (float)page.height;
    if (page.drag == DRAG_ORBIT)
        camera_control_orbit(&page.world.camera_control, camera, dx, dy);
    else if (page.drag == DRAG_PAN)
        camera_control_pan(&page.world.camera_control, camera, dx, dy);
    page.redraw |= page.drag == DRAG_ORBIT || page.drag == DRAG_PAN;
}

EMSCRIPTEN_KEEPALIVE void page_release(void)
{
    if (page.world.sim != NULL)
        stroke_release(&page.stroke, &page.world);
    page.drag = DRAG_NONE;
}

EMSCRIPTEN_KEEPALIVE void page_wheel(float notches)
{
    World *world = &page.world;
    if (page.drag == DRAG_STROKE) {
        BrushRay ray = ray_at_pointer();
        stroke_deepen(&page.stroke, world, &ray, notches);
    } else {
        camera_control_zoom(&world->camera_control, &world->render.camera, notches);
        page.redraw = true;
    }
}

EMSCRIPTEN_KEEPALIVE const char *page_brush(int tool, int size, int strength, int color)
{
    Brush *brush = &page.world.brush;
    char refused[160] = "", words[128];
    if (tool != 0)
        brush_next_tool(brush, tool, refused, sizeof refused);
    const char *missing = color != 0 ? brush_next_color(brush, color) : NULL;
    brush_resize(brush, size);
    brush_strengthen(brush, strength);
    brush_words(brush, words, sizeof words);
    snprintf(page.text, sizeof page.text, "%s%s", missing != NULL ? missing : words, refused);
    return page.text;
}

EMSCRIPTEN_KEEPALIVE void page_detonate(void)
{
    if (page.world.sim != NULL)
        stroke_detonate(&page.stroke, &page.world);
}

EMSCRIPTEN_KEEPALIVE const char *page_use_tool(int tool)
{
    Brush *brush = &page.world.brush;
    const char *missing = tool >= 0 && tool < BRUSH_TOOLS
                              ? brush_tool_missing(&brush->medium, (BrushTool)tool)
                              : "there is no such tool";
    if (missing == NULL)
        brush->hand.tool = (BrushTool)tool;
    return missing != NULL ? missing : "";
}

EMSCRIPTEN_KEEPALIVE void page_pause(int on)
{
    send(&(SimCommand){SIM_PAUSE, .on = on != 0});
}

EMSCRIPTEN_KEEPALIVE void page_step(void)
{
    send(&(SimCommand){.kind = SIM_STEP});
}

EMSCRIPTEN_KEEPALIVE double page_speed(int doublings)
{
    return world_change_speed(&page.world, doublings);
}

EMSCRIPTEN_KEEPALIVE void page_restart(void)
{
    world_reset(&page.world);
}

/* -- words ------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE const char *page_figures(void)
{
    const SimSnapshot *s = newest();
    if (s == NULL)
        return "";
    snprintf(page.text, sizeof page.text,
             "%s %d×%d×%d · step %.1f ms · %.2f s · divergence left %.1e · %s",
             page.world.scene.name, s->view.box[0], s->view.box[1], s->view.box[2], s->step_ms,
             s->view.time, s->stats.residual_relative,
#ifdef __EMSCRIPTEN_PTHREADS__
             "simulation in its own thread"
#else
             "one thread"
#endif
    );
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_scenes(void)
{
    start_text();
    for (int i = 0; scene_builtin_name(i) != NULL; i++)
        add("%s\t%s\n", scene_builtin_name(i), scene_builtin_title(i));
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_tools(void)
{
    start_text();
    for (int tool = 0; tool < BRUSH_TOOLS; tool++)
        add("%s%s\n", page.world.brush.hand.tool == (BrushTool)tool ? "*" : "",
            brush_tool_name((BrushTool)tool));
    return page.text;
}

/* Name of a type of values that a control can show; NULL for other types. */
static const char *control_of(SceneKeyType type)
{
    switch (type) {
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
        return "number";
    case SCENE_KEY_INT:
        return "whole";
    case SCENE_KEY_BOOL:
        return "switch";
    case SCENE_KEY_CHOICE:
        return "word";
    case SCENE_KEY_COLOR:
        return "color";
    default:
        return NULL;
    }
}

EMSCRIPTEN_KEEPALIVE const char *page_keys(void)
{
    const SceneKeyTable *table = scene_keys();
    const Scene scene = present();
    start_text();
    for (int i = 0; i < table->count; i++) {
        const SceneKey *key = &table->rows[i];
        const char *control = control_of(key->type);
        char value[128];
        if (control == NULL || !scene_keys_format(key, &scene, value, sizeof value))
            continue;
        add("%s\t%s\t%.9g\t%.9g\t%s\t%s\t", key->path, control, key->minimum, key->maximum,
            key->unit, key->doc);
        for (int word = 0; key->choices != NULL && key->choices[word] != NULL; word++)
            add("%s%s", word > 0 ? "|" : "", key->choices[word]);
        add("\t%s\n", value);
    }
    return page.text;
}

static void add_line(void *context, const char *assignment)
{
    (void)context;
    add("%s\n", assignment);
}

EMSCRIPTEN_KEEPALIVE const char *page_changes(void)
{
    const Scene scene = present();
    start_text();
    add("%d\n", scene_arguments(&page.world.opened, &scene, "camera.", add_line, NULL));
    return page.text;
}

/* -- for comparison with the program ----------------------------------------------------------- */

/* A scene after some steps. */
typedef struct Played {
    Scene scene;
    ScenePlay *play;
    BillowSim *sim;
} Played;

static void played_end(Played *played)
{
    billow_destroy(played->sim);
    scene_play_destroy(played->play);
}

static bool played_start(Played *played, const char *name, int grid, int steps, int threads)
{
    char cells[16];
    Scene *scene = &played->scene;
    snprintf(cells, sizeof cells, "%d", grid);
    if (!scene_load(name, scene, &page.error) || !scene_set_grid(scene, cells, &page.error))
        return false;
    BillowDef def = scene_def(scene);
    def.threads = threads;
    played->play = scene_play_create(scene, &def, &page.error);
    played->sim = played->play != NULL ? billow_create(&def, &page.error) : NULL;
    if (played->sim == NULL)
        return false;
    scene_play_begin(played->play, played->sim);
    for (int step = 0; step < steps; step++) {
        scene_play_prepare(played->play, played->sim, (double)scene->step, NULL);
        billow_step(played->sim, (double)scene->step);
    }
    return true;
}

EMSCRIPTEN_KEEPALIVE const char *page_hash(const char *name, int grid, int steps, int threads)
{
    Played played = {.sim = NULL};
    if (played_start(&played, name, grid, steps, threads))
        snprintf(page.text, sizeof page.text, "%016" PRIx64, billow_state_hash(played.sim));
    else
        say(&page.error);
    played_end(&played);
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_picture(const char *name, int grid, int steps, int width,
                                              int height)
{
    Played played = {.sim = NULL};
    RenderFrame frame = render_default_frame();
    frame.width = width;
    frame.height = height;
    frame.scale = 1;
    frame.step = 0.5f;
    renderer_forget(page.renderer);
    renderer_fine_light(page.renderer, true);
    bool good = played_start(&played, name, grid, steps, 0);
    if (good) {
        const BillowView view = billow_view(played.sim);
        const RenderSettings render = played.scene.render;
        good = renderer_upload(page.renderer, &view, &render, &page.error) &&
               renderer_draw(page.renderer, &render, &frame, &page.error);
    }
    if (good)
        renderer_present(page.renderer, width, height);
    played_end(&played);
    return answer(good);
}
