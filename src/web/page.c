/* SPDX-License-Identifier: MIT
 *
 * The page's side of the program: a world (world.h), which plays scenes as the window does, and the
 * hand in it. page_picture.c draws. */
#include "web/page.h"

#include "base/clock.h"
#include "base/fail.h"
#include "play/sim_apply.h"
#include "scene/scene_write.h"
#include "web/page_parts.h"

#include <emscripten.h>
#include <stdio.h>

extern void *thread_waiting; /* the simulation's thread in a page without threads, or NULL */

Page page = {.x = -1};

const SimSnapshot *page_newest(void)
{
    return world_snapshot(&page.world);
}

void page_run_here(void)
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

static void send(const SimCommand *command)
{
    if (page.world.sim != NULL)
        sim_thread_send(page.world.sim, command);
}

EMSCRIPTEN_KEEPALIVE const char *page_open(const char *name)
{
    World *world = &page.world;
    world->threads = 0; /* as many as suit the machine */
    world->aim = grid_aim_of(SCENE_DRAFT);
    return page_answer(scene_exists(name, &page.error) && world_change(world, name, &page.error));
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
    return page_answer(good && world_change(&page.world, name, &page.error));
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
    Scene scene = page_present();
    page.picture.redraw = true; /* also while the simulation is paused */
    return page_answer(scene_set(&scene, assignment, &page.error) &&
                       world_apply(&page.world, &scene, NULL, &page.error));
}

/* -- the hand ---------------------------------------------------------------------------------- */

static BrushRay ray_at_pointer(void)
{
    return brush_ray(&page_seen()->camera, page.width, page.height, page.x, page.y);
}

void page_follow_pointer(void)
{
    BrushRay ray = ray_at_pointer();
    stroke_follow(&page.stroke, &page.world, page_newest(), &ray, clock_seconds());
}

EMSCRIPTEN_KEEPALIVE void page_press(int button, float x, float y)
{
    page.x = x * (float)page.width;
    page.y = y * (float)page.height;
    page.pointing = true;
    if (button != 0) {
        page.stroke.drag = button == 1 ? DRAG_PAN : DRAG_ORBIT;
        return;
    }
    BrushRay ray = ray_at_pointer();
    stroke_press(&page.stroke, &page.world, page_newest(), &ray, clock_seconds());
}

EMSCRIPTEN_KEEPALIVE void page_move(float x, float y, float dx, float dy)
{
    page.x = x * (float)page.width;
    page.y = y * (float)page.height;
    page.pointing = true;
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
        camera_control_zoom(&world->camera_control, &world->render.camera, notches);
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
    page_follow_pointer();
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

EMSCRIPTEN_KEEPALIVE int page_paused(void)
{
    return page.world.sim != NULL && sim_thread_paused(page.world.sim);
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
