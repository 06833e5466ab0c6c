/* SPDX-License-Identifier: MIT
 *
 * The page's side of the program: a world (world.h), which plays scenes as the window does, the
 * hand in it, and its picture in the canvas. The graphics card draws while the page goes on; the
 * next picture begins when the last is complete. */
#include "web/page.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "io/checkpoint.h"
#include "io/paths.h"
#include "play/picture.h"
#include "play/sim_apply.h"
#include "play/spot.h"
#include "play/stroke.h"
#include "play/turn.h"
#include "render/frame/camera.h"
#include "render/gl/gl.h"
#include "render/upload.h"
#include "scene/scene_form.h"
#include "scene/scene_panel.h"
#include "scene/scene_play.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* Strokes that are recorded. */
static struct Strokes {
    SimRecording recording; /* the first member: `keep` receives it */
    Scene scene;            /* that they act on, with its shapes */
    SceneShape shapes[SCENE_SHAPES];
    bool due;          /* they begin as soon as the scene has started again */
    bool taken;        /* the simulation has the recording, or had it */
    atomic_bool ended; /* and no longer uses it */
} strokes;

extern void *thread_waiting; /* the simulation's thread in a page without threads, or NULL */

static struct Page {
    World world;
    RenderSettings seen; /* what is drawn: the world's, with a camera for the canvas's shape */
    int openings;        /* number of simulations that have started with another scene or grid */
    Picture picture;
    int width, height; /* of the canvas, pixels */
    double interval;   /* time from the picture before the last to the last, ms */
    double began;      /* time when the graphics card was last given work, s */
    GLsync drawing;    /* is signalled when that is done; NULL: it is */
    bool refining;     /* that work is a part of a finer picture, which is not shown yet */
    int rows;          /* rows of the finer picture that are then marched */
    Stroke stroke;
    float x, y;      /* position of the pointer, pixels */
    bool pointing;   /* the pointer is over the canvas */
    SoundFeed *feed; /* NULL: there is no sound yet */
    bool heard;
    float samples[2 * PAGE_SOUND];
    Share *share;       /* session that the page has joined; NULL: none */
    char text[1 << 18]; /* result of the last call that returns a text */
    size_t length;      /* of a text that is being written */
    BillowError error;
} page = {.x = -1};

/* Texts that a call returns. They are valid until the next call. */
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
    int more =
        number_vprint(page.text + page.length, sizeof page.text - page.length, format, values);
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

/* The newest state of the simulation to draw; NULL: there is none yet. */
static const SimSnapshot *newest(void)
{
    return world_snapshot(&page.world);
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

/* What is drawn. The camera's field of view is that of the picture's height; in a canvas that is
 * taller than wide it becomes that of the width, so that the scene is not cut off at its sides. */
static const RenderSettings *seen_settings(void)
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

EMSCRIPTEN_KEEPALIVE const char *page_open(const char *name)
{
    World *world = &page.world;
    if (!scene_exists(name, NULL)) {
        fail(&page.error, "there is no scene '%.100s' in this page", name);
        return say(&page.error);
    }
    world->threads = 0; /* as many as suit the machine */
    world->aim = grid_aim_of(SCENE_DRAFT);
    return answer(world_change(world, name, &page.error));
}

EMSCRIPTEN_KEEPALIVE const char *page_scene(void)
{
    return page.world.from;
}

EMSCRIPTEN_KEEPALIVE int page_openings(void)
{
    return page.openings;
}

EMSCRIPTEN_KEEPALIVE const char *page_set(const char *assignment)
{
    Scene scene = present();
    page.picture.redraw = true; /* also while the simulation is paused */
    return answer(scene_set(&scene, assignment, &page.error) &&
                  world_apply(&page.world, &scene, NULL, &page.error));
}

/* -- sound ------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE const char *page_hear(int on)
{
    page.heard = on != 0;
    if (page.feed == NULL)
        page.feed = sound_feed_create(&page.error);
    world_hear(&page.world, page.feed);
    return answer(page.feed != NULL);
}

EMSCRIPTEN_KEEPALIVE const float *page_sound(int frames)
{
    sound_feed_play(page.feed, page.samples, frames < PAGE_SOUND ? frames : PAGE_SOUND);
    return page.samples;
}

static void listen_here(void)
{
    const bool flows = page.world.sim != NULL && !sim_thread_paused(page.world.sim);
    if (page.feed != NULL)
        sound_feed_listen(page.feed, &seen_settings()->camera, flows && page.heard);
}

/* -- the hand ---------------------------------------------------------------------------------- */

static BrushRay ray_at_pointer(void)
{
    return brush_ray(&seen_settings()->camera, page.width, page.height, page.x, page.y);
}

/* Follows the smoke below the pointer between two frames. */
static void follow_pointer(void)
{
    BrushRay ray = ray_at_pointer();
    stroke_follow(&page.stroke, &page.world, newest(), &ray, clock_seconds());
}

static void point(float x, float y)
{
    page.x = x * (float)page.width;
    page.y = y * (float)page.height;
    page.pointing = true;
}

EMSCRIPTEN_KEEPALIVE void page_press(int button, float x, float y)
{
    point(x, y);
    if (button != 0) {
        page.stroke.drag = button == 1 ? DRAG_PAN : DRAG_ORBIT;
        return;
    }
    BrushRay ray = ray_at_pointer();
    stroke_press(&page.stroke, &page.world, newest(), &ray, clock_seconds());
}

EMSCRIPTEN_KEEPALIVE void page_move(float x, float y, float dx, float dy)
{
    point(x, y);
    page.picture.redraw |= stroke_turn(&page.stroke, &page.world, dx, dy);
}

EMSCRIPTEN_KEEPALIVE void page_release(void)
{
    stroke_release(&page.stroke, &page.world);
}

EMSCRIPTEN_KEEPALIVE void page_unpoint(void)
{
    page.pointing = false;
}

EMSCRIPTEN_KEEPALIVE void page_wheel(float notches)
{
    World *world = &page.world;
    if (stroke_works(&page.stroke)) {
        BrushRay ray = ray_at_pointer();
        stroke_deepen(&page.stroke, world, &ray, notches);
    } else {
        const float width = (float)page.width, height = (float)page.height;
        camera_control_zoom(&world->camera_control, &world->render.camera, notches,
                            page.pointing ? (page.x - 0.5f * width) / height : 0,
                            page.pointing ? page.y / height - 0.5f : 0);
        page.picture.redraw = true;
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
    follow_pointer();
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
    world_send(&page.world, &(SimCommand){SIM_PAUSE, .on = on != 0});
}

EMSCRIPTEN_KEEPALIVE int page_paused(void)
{
    return page.world.sim != NULL && sim_thread_paused(page.world.sim);
}

EMSCRIPTEN_KEEPALIVE void page_step(void)
{
    world_send(&page.world, &(SimCommand){.kind = SIM_STEP});
}

EMSCRIPTEN_KEEPALIVE double page_speed(int doublings)
{
    return world_change_speed(&page.world, doublings);
}

EMSCRIPTEN_KEEPALIVE void page_restart(void)
{
    world_reset(&page.world);
}

/* -- files --------------------------------------------------------------------------------- */

static bool plays(const char *name)
{
    return paths_end_in(name, ".yaml") || paths_end_in(name, ".yml") || checkpoint_is_one(name) ||
           replay_file_is_one(name);
}

/* Fails for files that neither play nor join the scene. */
static bool check_kind(const char *name, BillowError *error)
{
    if (scene_join_is_volume(name) || scene_join_is_particles(name) || paths_end_in(name, ".exr"))
        return fail(error, "%.100s: a page cannot read this kind of file, only the program can%s",
                    name, paths_end_in(name, ".exr") ? "; a panorama may also be a .hdr file" : "");
    return scene_join_is_mesh(name) || scene_join_is_panorama(name) ||
           fail(error,
                "%.100s: Billow takes scenes (.yaml), checkpoints (.ckpt), recordings (.bwr), "
                "meshes (.obj, .stl, .gltf, .glb) and panoramas (.hdr)",
                name);
}

EMSCRIPTEN_KEEPALIVE const char *page_drop(const char *name, float x, float y)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    SceneJoined joined;
    if (plays(name))
        return page_open(name);
    if (page.world.sim == NULL && !page.world.changing) {
        fail(&page.error, "no scene plays that %.100s could join", name);
        return answer(false);
    }
    point(x, y);
    Scene scene = present();
    const BrushRay ray = ray_at_pointer();
    const SceneSpot spot = spot_met(&page.world, newest(), &scene, &ray, solids);
    return answer(check_kind(name, &page.error) &&
                  scene_join(&scene, name, false, &spot, &joined, &page.error) &&
                  world_apply(&page.world, &scene, NULL, &page.error));
}

/* Returns the name of a file that a scene needs, or "". */
static const char *needed_file(const Scene *scene)
{
    const char *name =
        scene->initial.vdb[0] != 0 ? scene->initial.vdb : scene->render.surroundings.file;
    for (int entry = 0; entry < SCENE_SHAPES && name[0] == 0; entry++)
        if (scene_form_exists(scene, entry))
            name = scene_form_of(scene, entry)->mesh;
    return name;
}

EMSCRIPTEN_KEEPALIVE const char *page_write(const char *name)
{
    const Scene scene = present();
    const char *needed = needed_file(&scene);
    return answer(
        (needed[0] == 0 || fail(&page.error, "the scene needs the file %.200s", needed)) &&
        scene_save(&scene, name, &page.error));
}

/* -- strokes ------------------------------------------------------------------------------- */

static void keep_strokes(SimRecording *recording, bool last)
{
    (void)recording;
    if (last)
        atomic_store(&strokes.ended, true);
}

static void free_strokes(void)
{
    sim_recording_free(&strokes.recording);
    scene_shapes_free(strokes.shapes);
    strokes = (struct Strokes){.due = false};
}

/* A replay has the grid of its scene, so the scene gets the one that it plays on. */
static bool keep_grid(Scene *scene, BillowError *error)
{
    const SimSnapshot *snapshot = newest();
    char grid[48];
    if (snapshot == NULL)
        return fail(error, "the scene has not begun yet");
    const int refine = snapshot->view.refine > 0 ? snapshot->view.refine : 1;
    snprintf(grid, sizeof grid, "%dx%dx%d", snapshot->view.nx / refine, snapshot->view.ny / refine,
             snapshot->view.nz / refine);
    scene->def.refine = refine;
    return scene_set_grid(scene, grid, error);
}

EMSCRIPTEN_KEEPALIVE const char *page_record(void)
{
    Scene scene = present();
    if (page_recording() > 0 || world_follows(&page.world)) {
        fail(&page.error, "strokes are recorded already, or the scene is a host's");
        return say(&page.error);
    }
    free_strokes();
    const bool good = !turn_needs_file(&scene, &page.error) && keep_grid(&scene, &page.error) &&
                      world_apply(&page.world, &scene, NULL, &page.error);
    strokes.due = good;
    return answer(good);
}

/* Gives the recording to the simulation as soon as it plays on its grid. */
static void start_strokes(void)
{
    World *world = &page.world;
    if (!strokes.due || world->changing || world->sim == NULL)
        return;
    strokes.due = false;
    strokes.scene = world->scene;
    if (!scene_shapes_copy(world_newest_play(world), strokes.shapes))
        return;
    strokes.recording = (SimRecording){.keep = keep_strokes};
    strokes.taken = true;
    world_send(world, &(SimCommand){SIM_RECORD, .recording = &strokes.recording});
}

EMSCRIPTEN_KEEPALIVE void page_record_end(void)
{
    strokes.due = false;
    if (strokes.taken)
        world_send(&page.world, &(SimCommand){SIM_RECORD, .recording = NULL});
}

EMSCRIPTEN_KEEPALIVE int page_recording(void)
{
    return strokes.taken && atomic_load(&strokes.ended) ? -1 : strokes.taken || strokes.due;
}

EMSCRIPTEN_KEEPALIVE const char *page_write_record(const char *name)
{
    const bool any = strokes.taken && strokes.recording.steps > 0;
    const bool good = any ? replay_file_write(name, &strokes.scene, strokes.shapes,
                                              &strokes.recording, true, &page.error)
                          : fail(&page.error, "nothing has been recorded yet");
    free_strokes();
    return answer(good);
}

/* -- others -------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE const char *page_join(const char *address, const char *key, const char *name)
{
    const ShareDef def = {.address = address, .key = key, .name = name, .threadless = true};
    page.share = share_open(&def, &page.error);
    if (page.share != NULL)
        world_share(&page.world, page.share);
    return answer(page.share != NULL);
}

EMSCRIPTEN_KEEPALIVE int page_follows(void)
{
    return world_follows(&page.world);
}

/* Where the smoke of the session is: on its way, here, left, or never come. */
static const char *stage_of(const ShareStatus *status)
{
    const bool here = page.world.sim != NULL;
    if (status->ended)
        return here ? "alone" : "failed";
    return here ? "shared" : "joining";
}

static void add_person(const SharePerson *person)
{
    const Camera camera = camera_from_settings(&seen_settings()->camera, page.width, page.height);
    const float width = (float)page.width, height = (float)page.height;
    float at[2];
    add("%s\t%d\t%g %g %g\t%d\t%d", person->net.name, person->self, (double)person->color[0],
        (double)person->color[1], (double)person->color[2], person->net.delay, person->net.behind);
    if (!person->self && person->net.pointing &&
        camera_place(&camera, width, height, person->net.pointer, at))
        add("\t%.4f\t%.4f", (double)(at[0] / width), (double)(at[1] / height));
    add("\n");
}

EMSCRIPTEN_KEEPALIVE const char *page_session(void)
{
    start_text();
    if (page.share == NULL)
        return page.text;
    const ShareStatus status = share_status(page.share);
    add("%s\t%s\t%u\t%s\n", stage_of(&status), status.ended ? status.why : "",
        (unsigned)status.notices, status.notice.text);
    for (int p = 0; p < status.people_count; p++)
        add_person(&status.people[p]);
    return page.text;
}

/* -- the picture --------------------------------------------------------------------------- */

/* In a page without threads: runs the simulation until it has nothing to do, or for a while. */
static void run_here(void)
{
    const double most = 0.03; /* s */
    double start = clock_seconds();
    SimThread *sim = thread_waiting;
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

EMSCRIPTEN_KEEPALIVE const char *page_start(const char *canvas, int transparent)
{
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.antialias = wanted.depth = false;
    wanted.premultipliedAlpha = false; /* as RenderFrame.transparent has it */
    page.picture.transparent = transparent != 0;
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context(canvas, &wanted);
    if (context <= 0)
        return "This browser offers no WebGL 2, which Billow needs to draw.";
    emscripten_webgl_make_context_current(context);
    if (!emscripten_webgl_enable_extension(context, "OES_texture_float_linear") ||
        !emscripten_webgl_enable_extension(context, "EXT_color_buffer_float"))
        return "This device cannot draw into textures of floats, which Billow needs.";
    emscripten_webgl_enable_extension(context, "EXT_float_blend");
    page.drawing = NULL;
    return answer(picture_open(&page.picture, NULL, &page.error));
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
    if (page.stroke.drag == DRAG_NONE || world_overloaded(&page.world, &times))
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
        learn(newest(), ms);
    forget_drawing();
    return 1;
}

/* Marches more rows of a picture at rest in full quality. It is drawn when all rows are marched. */
static bool refine(double now)
{
    if (!picture_refine(&page.picture, seen_settings(), page.width, page.height, &page.rows,
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
    if (!picture_draw(&page.picture, seen_settings(), &frame, now, &page.error))
        return false;
    renderer_present(page.picture.renderer, page.width, page.height);
    start_drawing(now);
    return true;
}

EMSCRIPTEN_KEEPALIVE const char *page_service(void)
{
    const Brush *brush = &page.world.brush;
    if (page.share != NULL) {
        share_point(page.share, brush->place, brush->over && page.pointing);
        share_service(page.share);
    }
    run_here();
    WorldEvent event = world_poll(&page.world, &page.error);
    if (event == WORLD_CHANGED || event == WORLD_RETURNED) {
        picture_forget(&page.picture, clock_seconds());
        page.openings++;
    }
    start_strokes();
    return answer(event != WORLD_FAILED && event != WORLD_RETURNED);
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
    follow_pointer();
    listen_here();
    if (page.openings == 0) /* there is nothing to draw yet */
        return "";
    if (page.drawing != NULL)
        return ""; /* pictures that wait for each other would come seconds late */
    const SimSnapshot *snapshot = newest();
    if (snapshot != NULL && !picture_up_to_date(&page.picture, &page.world, snapshot) &&
        !picture_upload(&page.picture, &page.world, snapshot, &page.error))
        return say(&page.error);
    picture_follow(&page.picture, &page.world.render, width, height, now);
    bool paused = page.world.sim != NULL && sim_thread_paused(page.world.sim);
    if (page.picture.redraw)
        return answer(draw(now));
    return answer(!stillness_refines(&page.picture.stillness, paused, now) || refine(now));
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

/* -- words --------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE const char *page_figures(void)
{
    const SimSnapshot *s = newest();
    if (s == NULL)
        return "";
    number_print(page.text, sizeof page.text,
                 "%s %d×%d×%d · step %.1f ms · %.2f s · divergence left %.1e · %s",
                 page.world.scene.name, s->view.nx, s->view.ny, s->view.nz, s->step_ms,
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
    for (int i = 0; scene_offered_name(i) != NULL; i++)
        add("%s\t%s\n", scene_offered_name(i), scene_offered_title(i));
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

/* Names of the types of values that a control can show. */
static const char *const controls[] = {
    [SCENE_KEY_FLOAT] = "number",   [SCENE_KEY_DOUBLE] = "number", [SCENE_KEY_INT] = "whole",
    [SCENE_KEY_BOOL] = "switch",    [SCENE_KEY_CHOICE] = "word",   [SCENE_KEY_COLOR] = "color",
    [SCENE_KEY_VECTOR] = "numbers", [SCENE_KEY_SIZE] = "numbers"};

/* Which values to list: the one of a path, or those that words find. */
typedef struct Wanted {
    const char *path; /* NULL: by words */
    const char *words;
} Wanted;

static bool is_wanted(const Wanted *wanted, const char *path, const char *title,
                      const SceneKey *key)
{
    const char *const texts[] = {path, title, key->doc, NULL};
    return wanted->path != NULL ? strcmp(path, wanted->path) == 0
                                : scene_panel_finds(texts, wanted->words);
}

/* Adds the wanted values of a table. label: prefix of their paths. title: what people read in its
 * place. entry: what has them. */
static void add_keys_of(const Wanted *wanted, const SceneKeyTable *table, const char *label,
                        const char *title, SceneEntry entry)
{
    for (int i = 0; i < table->count; i++) {
        const SceneKey *key = &table->rows[i];
        const void *has = scene_entry_home(&entry, key);
        const size_t type = (size_t)key->type;
        const char *control = type < sizeof controls / sizeof *controls ? controls[type] : NULL;
        char path[112], value[128];
        snprintf(path, sizeof path, "%s%s", label, key->path);
        if (control == NULL || has == NULL || (label[0] == '\0' && !scene_panel_shows(path)) ||
            !is_wanted(wanted, path, title, key) ||
            !scene_keys_format(key, has, value, sizeof value))
            continue;
        add("%s\t%s\t%.9g\t%.9g\t%s\t%s\t", path, control, key->minimum, key->maximum, key->unit,
            key->doc);
        for (int word = 0; key->choices != NULL && key->choices[word] != NULL; word++)
            add("%s%s", word > 0 ? "|" : "", key->choices[word]);
        add("\t%s\t%s\n", value, title);
    }
}

static void add_keys(const Wanted *wanted)
{
    const SceneKeyTable *table = scene_keys();
    Scene scene = present();
    char label[64], title[SCENE_NAME];
    add_keys_of(wanted, table, "", "", (SceneEntry){.values = &scene});
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        const SceneList *list = scene_list_of(key->type);
        if (key->type == SCENE_KEY_EMITTER) {
            snprintf(label, sizeof label, "%s.", key->path);
            add_keys_of(wanted, scene_emitter_keys(), label, "",
                        (SceneEntry){.values = (char *)&scene + key->offset});
        }
        for (int i = 0; list != NULL && i < *scene_list_count(list, &scene); i++) {
            snprintf(label, sizeof label, "%s[%d].", list->name, i);
            scene_list_shown(list, &scene, i, title);
            add_keys_of(wanted, list->keys(), label, title, scene_list_whole(list, &scene, i));
        }
    }
}

EMSCRIPTEN_KEEPALIVE const char *page_first_keys(void)
{
    Scene scene = present();
    char name[112];
    const char *rest = scene_panel_first(&scene);
    start_text();
    for (rest = scene_panel_next(rest, name, sizeof name); name[0] != '\0';
         rest = scene_panel_next(rest, name, sizeof name)) {
        scene_path_resolve(&scene, name);
        add_keys(&(Wanted){.path = name});
    }
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_keys(const char *words)
{
    start_text();
    add_keys(&(Wanted){.words = words});
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
    add("%d\n", scene_arguments(&page.world.opened, &scene, "", add_line, NULL));
    return page.text;
}

/* -- for comparison with the program ----------------------------------------------------------- */

/* A scene after some steps. */
typedef struct Played {
    Scene scene;
    SceneDriver driver;
} Played;

static bool played_start(Played *played, const char *name, int grid, int steps, int threads)
{
    char cells[16];
    Scene *scene = &played->scene;
    snprintf(cells, sizeof cells, "%d", grid);
    if (!scene_load(name, scene, &page.error) || !scene_set_grid(scene, cells, &page.error))
        return false;
    BillowDef def = scene_def(scene);
    def.threads = threads;
    bool good = scene_driver_create(&played->driver, scene, &def, NULL, &page.error);
    for (int step = 0; step < steps && good; step++)
        good = scene_driver_step(&played->driver, (double)scene->step, &page.error);
    return good;
}

EMSCRIPTEN_KEEPALIVE const char *page_hash(const char *name, int grid, int steps, int threads)
{
    Played played = {.driver = {.sim = NULL}};
    if (played_start(&played, name, grid, steps, threads))
        snprintf(page.text, sizeof page.text, "%016" PRIx64, billow_state_hash(played.driver.sim));
    else
        say(&page.error);
    scene_driver_destroy(&played.driver);
    return page.text;
}

EMSCRIPTEN_KEEPALIVE const char *page_picture(const char *name, int grid, int steps, int width,
                                              int height)
{
    Played played = {.driver = {.sim = NULL}};
    RenderFrame frame = render_still_frame(width, height);
    renderer_forget(page.picture.renderer);
    renderer_light_as(page.picture.renderer, LIGHT_STILL);
    bool good = played_start(&played, name, grid, steps, 0);
    if (good) {
        const BillowView view = billow_view(played.driver.sim);
        const RenderSettings render = played.scene.render;
        good = renderer_upload(page.picture.renderer, &view, &render, &page.error) &&
               renderer_draw(page.picture.renderer, &render, &frame, &page.error);
    }
    if (good)
        renderer_present(page.picture.renderer, width, height);
    scene_driver_destroy(&played.driver);
    return answer(good);
}
