/* SPDX-License-Identifier: MIT */
#include "input.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const OverlayRow before_scenes[] = {
    {"left drag", "push the smoke and add some; on a solid, move that"},
    {"right drag", "turn the view"},
    {"middle drag", "move the view"},
    {"wheel", "nearer, farther"},
    {"space", "pause, go on"},
    {".", "one step"},
    {"R", "start the scene again"},
};

static const OverlayRow after_scenes[] = {
    {"PgUp, PgDn", "the scene before, the next, of all that are built in"},
    {"E", "detonate at the cursor"},
    {"P", "all pressure cycles, or as many as keep up with the clock"},
    {"O", "outline of the box"},
    {"F", "numbers on a slice: the next field (shift: the one before)"},
    {"[  ]  X  C", "the slice: back, forth, its axis, lines of equal value"},
    {"F12", "screenshot"},
    {"F11", "full screen"},
    {"F1", "this help"},
    {"Esc", "quit"},
    {0, 0},
};

enum {
    BEFORE_SCENES = sizeof before_scenes / sizeof before_scenes[0],
    AFTER_SCENES = sizeof after_scenes / sizeof after_scenes[0]
};
static_assert(BEFORE_SCENES + 1 + AFTER_SCENES <= INPUT_HELP_ROWS,
              "the help has room for all keys");

/* "plume, explosion": the scenes in the order of their keys. Their number. */
static int list_scenes(char *text, size_t size)
{
    int count = 0;
    size_t used = 0;
    text[0] = 0;
    for (; count < 9 && scene_builtin_name(count) != NULL && used < size; count++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", count > 0 ? ", " : "",
                                 scene_builtin_name(count));
    return count;
}

void input_fill_help(InputHelp *help)
{
    static const char lead[] = "scene: ";
    const size_t length = sizeof lead - 1;
    memcpy(help->scenes, lead, length);
    int count = list_scenes(help->scenes + length, sizeof help->scenes - length);
    snprintf(help->digits, sizeof help->digits, count == 2 ? "1, %d" : "1 ... %d", count);
    memcpy(help->rows, before_scenes, sizeof before_scenes);
    help->rows[BEFORE_SCENES] = (OverlayRow){help->digits, help->scenes};
    memcpy(help->rows + BEFORE_SCENES + 1, after_scenes, sizeof after_scenes);
}

static void change_scene(Session *session, int index)
{
    const char *name = scene_builtin_name(index);
    char scenes[INPUT_SCENES_LENGTH];
    BillowError error;
    if (name == NULL) {
        int count = list_scenes(scenes, sizeof scenes);
        session_say(session, "there are %d scenes: %s", count, scenes);
    } else if (world_change(&session->world, name, &error)) {
        session->drag = session->drag == DRAG_SOLID ? DRAG_NONE : session->drag;
        session_say(session, "%s", scene_builtin_title(index));
    } else
        session_say(session, "%s", error.text);
}

/* The built-in scene so many after the one that plays, around; the first after a file's. */
static int scene_after(const Session *session, int steps)
{
    int count = 0, at = -1;
    for (; scene_builtin_name(count) != NULL; count++)
        if (strcmp(scene_builtin_title(count), session->world.scene.title) == 0)
            at = count;
    return at < 0 ? 0 : (at + steps + count) % count;
}

static bool has_open_face(const Scene *scene)
{
    bool open = false;
    for (int side = 0; side < BILLOW_SIDES; side++)
        open = open || scene->domain.faces[side] == BILLOW_OPEN;
    return open;
}

static void detonate(Session *session)
{
    const Brush *brush = &session->world.brush;
    BillowEmitter detonation = session->world.scene.detonation;
    input_move_brush(session); /* the cursor may have moved in this very frame */
    if (session->cursor_inside && brush->over)
        for (int i = 0; i < 3; i++)
            detonation.center[i] = brush->place[i];
    if (detonation.expansion != 0.0f && !has_open_face(&session->world.scene))
        session_say(session, "all faces are closed: it detonates without expansion");
    sim_thread_detonate(session->world.sim, &detonation);
}

static void toggle_exact(Session *session)
{
    World *world = &session->world;
    world_set_exact(world, !world->exact);
    session_say(session, world->exact
                             ? "pressure: all cycles, however long a step takes"
                             : "pressure: fewer cycles where that keeps up with the clock");
}

/* Keys for the simulation, which is missing where a scene could not be started. */
static void simulation_key(Session *session, SDL_Keycode key)
{
    SimThread *sim = session->world.sim;
    if (sim == NULL)
        return;
    switch (key) {
    case SDLK_SPACE:
        sim_thread_pause(sim, !sim_thread_paused(sim));
        break;
    case SDLK_PERIOD:
    case SDLK_KP_PERIOD:
        sim_thread_step(sim);
        break;
    case SDLK_r:
        sim_thread_reset(sim);
        break;
    case SDLK_e:
        detonate(session);
        break;
    case SDLK_p:
        toggle_exact(session);
        break;
    default:
        break;
    }
}

static void change_slice(Session *session, int steps)
{
    BillowDef def = scene_def(&session->world.scene);
    SliceAsk *slice = &session->slice;
    int at = slice->given ? (int)slice->kind + 1 : 0;
    do
        at = (at + steps + FIELD_KINDS + 1) % (FIELD_KINDS + 1);
    while (at > 0 && !field_offered(&def, (FieldKind)(at - 1)));
    slice->given = at > 0;
    if (at > 0) {
        slice->kind = (FieldKind)(at - 1);
        slice->ranged = false;
        session_say(session, "%s: %s", field_meaning(slice->kind)->name,
                    field_meaning(slice->kind)->meaning);
    }
    session_ask_slice(session);
}

static void move_slice(Session *session, int cells)
{
    BillowDef def = scene_def(&session->world.scene);
    const int n[3] = {def.nx, def.ny, def.nz};
    SliceAsk *slice = &session->slice;
    if (!slice->given)
        return;
    float low = def.origin[slice->axis], high = low + (float)n[slice->axis] * def.cell_size;
    slice->position += (float)cells * def.cell_size;
    slice->position = SDL_max(low, SDL_min(slice->position, high));
    session_ask_slice(session);
}

static void turn_slice(Session *session)
{
    SliceAsk *slice = &session->slice;
    if (!slice->given)
        return;
    slice->axis = (slice->axis + 1) % 3;
    slice->placed = false;
    session_ask_slice(session);
}

/* By letter or, where the layout has none there, by place. */
static void slice_key(Session *session, const SDL_Keysym *key)
{
    const int lines = 10;
    if (key->sym == SDLK_f)
        change_slice(session, (key->mod & KMOD_SHIFT) != 0 ? -1 : 1);
    else if (key->sym == SDLK_LEFTBRACKET || key->scancode == SDL_SCANCODE_LEFTBRACKET)
        move_slice(session, -1);
    else if (key->sym == SDLK_RIGHTBRACKET || key->scancode == SDL_SCANCODE_RIGHTBRACKET)
        move_slice(session, 1);
    else if (key->sym == SDLK_x)
        turn_slice(session);
    else if (key->sym == SDLK_c && session->slice.given) {
        session->slice.contours = session->slice.contours > 0 ? 0 : lines;
        session->redraw = true;
    }
}

static void window_key(Session *session, SDL_Keycode key)
{
    switch (key) {
    case SDLK_ESCAPE:
        session->quit = true;
        break;
    case SDLK_F1:
        session->help = !session->help;
        break;
    case SDLK_F11:
        window_toggle_full_screen(&session->window);
        break;
    case SDLK_F12:
        session->screenshot = true;
        break;
    case SDLK_o:
        session->outline = !session->outline;
        session->redraw = true;
        break;
    default:
        break;
    }
}

/* The digit on a key, by its letter or, where the layout has digits on shift, by its place. */
static int digit(const SDL_Keysym *key)
{
    if (key->sym >= SDLK_1 && key->sym <= SDLK_9)
        return (int)(key->sym - SDLK_1) + 1;
    if (key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9)
        return (int)(key->scancode - SDL_SCANCODE_1) + 1;
    if (key->scancode >= SDL_SCANCODE_KP_1 && key->scancode <= SDL_SCANCODE_KP_9)
        return (int)(key->scancode - SDL_SCANCODE_KP_1) + 1;
    return 0;
}

static void handle_key(Session *session, const SDL_KeyboardEvent *event)
{
    const SDL_Keysym *key = &event->keysym;
    bool stepping = key->sym == SDLK_PERIOD || key->sym == SDLK_KP_PERIOD ||
                    key->scancode == SDL_SCANCODE_LEFTBRACKET ||
                    key->scancode == SDL_SCANCODE_RIGHTBRACKET;
    if ((event->repeat && !stepping) || (key->mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI)) != 0)
        return;
    session->touched = true;
    if (digit(key) != 0)
        change_scene(session, digit(key) - 1);
    else if (key->sym == SDLK_PAGEUP || key->sym == SDLK_PAGEDOWN)
        change_scene(session, scene_after(session, key->sym == SDLK_PAGEDOWN ? 1 : -1));
    else
        simulation_key(session, key->sym);
    slice_key(session, key);
    window_key(session, key->sym);
}

static void move_cursor(Session *session, int x, int y)
{
    float scale = window_pixels_per_point(&session->window);
    session->cursor_x = (float)x * scale;
    session->cursor_y = (float)y * scale;
    session->cursor_inside = true;
    session->cursor_moved = true;
}

static void handle_motion(Session *session, const SDL_MouseMotionEvent *event)
{
    float height = (float)session->window.point_height;
    float dx = (float)event->xrel / height, dy = (float)event->yrel / height;
    World *world = &session->world;
    move_cursor(session, event->x, event->y);
    if (session->drag == DRAG_ORBIT)
        camera_control_orbit(&world->camera_control, &world->look.camera, dx, dy);
    else if (session->drag == DRAG_PAN)
        camera_control_pan(&world->camera_control, &world->look.camera, dx, dy);
    else
        return;
    session->redraw = true;
}

/* Whether the cursor took hold of a solid. */
static bool take_solid(Session *session, const BrushRay *ray)
{
    const SimSnapshot *snapshot = session->snapshot;
    const World *world = &session->world;
    Grab *grab = &session->grab;
    if (snapshot == NULL ||
        !grab_pick(grab, &world->brush, ray, snapshot->solids, snapshot->solid_count))
        return false;
    if (!scene_leads_solid(&world->scene, grab->solid))
        return true;
    session_say(session, "solids[%d] goes where the scene's timeline has it", grab->solid);
    return false;
}

static void press(Session *session, const SDL_MouseButtonEvent *event)
{
    Brush *brush = &session->world.brush;
    move_cursor(session, event->x, event->y);
    session->touched = true;
    if (session->drag != DRAG_NONE)
        return;
    if (event->button == SDL_BUTTON_RIGHT)
        session->drag = DRAG_ORBIT;
    else if (event->button == SDL_BUTTON_MIDDLE)
        session->drag = DRAG_PAN;
    else if (event->button == SDL_BUTTON_LEFT)
        session->drag = DRAG_BRUSH;
    if (session->drag != DRAG_BRUSH || session->world.sim == NULL)
        return;
    BrushRay ray = session_cursor_ray(session);
    if (take_solid(session, &ray)) {
        session->drag = DRAG_SOLID;
        return;
    }
    brush_hover(brush, &ray, session->snapshot != NULL ? &session->snapshot->view : NULL);
    brush_press(brush, &ray, session->now);
    if (brush->over) {
        BillowEmitter touch = brush_emitter(brush);
        sim_thread_brush(session->world.sim, &touch);
    }
}

static void release(Session *session, const SDL_MouseButtonEvent *event)
{
    static const Uint8 buttons[] = {
        [DRAG_BRUSH] = SDL_BUTTON_LEFT,
        [DRAG_SOLID] = SDL_BUTTON_LEFT,
        [DRAG_ORBIT] = SDL_BUTTON_RIGHT,
        [DRAG_PAN] = SDL_BUTTON_MIDDLE,
    };
    move_cursor(session, event->x, event->y);
    if (session->drag == DRAG_NONE || buttons[session->drag] != event->button)
        return;
    if (session->drag == DRAG_BRUSH) {
        input_move_brush(session);
        if (session->world.sim != NULL)
            sim_thread_brush_end(session->world.sim);
    }
    if (session->drag == DRAG_SOLID && session->world.sim != NULL)
        sim_thread_let_go(session->world.sim);
    session->drag = DRAG_NONE;
}

static void handle_wheel(Session *session, const SDL_MouseWheelEvent *event)
{
    World *world = &session->world;
    float notches = event->preciseY;
    session->touched = true;
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED)
        notches = -notches;
    camera_control_zoom(&world->camera_control, &world->look.camera, notches);
    session->cursor_moved = true;
    session->redraw = true;
}

static void handle_window(Session *session, const SDL_WindowEvent *event)
{
    session->exposed = true; /* or shown, or of another size */
    if (event->event == SDL_WINDOWEVENT_LEAVE && session->drag == DRAG_NONE) {
        session->redraw = session->redraw || session->world.brush.over;
        session->cursor_inside = false;
        brush_leave(&session->world.brush);
    }
}

/* True: the event came from the person's hands. */
static bool handle(Session *session, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        session->quit = true;
        return false;
    case SDL_KEYDOWN:
        handle_key(session, &event->key);
        return true;
    case SDL_MOUSEMOTION:
        handle_motion(session, &event->motion);
        return true;
    case SDL_MOUSEBUTTONDOWN:
        press(session, &event->button);
        return true;
    case SDL_MOUSEBUTTONUP:
        release(session, &event->button);
        return true;
    case SDL_MOUSEWHEEL:
        handle_wheel(session, &event->wheel);
        return true;
    case SDL_WINDOWEVENT:
        handle_window(session, &event->window);
        return false;
    default:
        return false;
    }
}

bool input_handle(Session *session)
{
    bool by_hand = false;
    SDL_Event event;
    while (SDL_PollEvent(&event))
        by_hand = handle(session, &event) || by_hand;
    return by_hand;
}

void input_move_brush(Session *session)
{
    World *world = &session->world;
    Brush *brush = &world->brush;
    if (session->drag == DRAG_ORBIT || session->drag == DRAG_PAN || world->sim == NULL) {
        brush_leave(brush);
        return;
    }
    BrushRay ray = session_cursor_ray(session);
    if (session->drag == DRAG_SOLID) {
        float center[3];
        brush_leave(brush);
        if (grab_follow(&session->grab, brush, &ray, center))
            sim_thread_grab(world->sim, session->grab.solid, center);
    } else if (session->drag == DRAG_BRUSH) {
        BillowEmitter touches[BRUSH_TOUCHES_MAX];
        int count = brush_stroke(brush, &ray, session->now, touches);
        for (int i = 0; i < count; i++)
            sim_thread_brush(world->sim, &touches[i]);
        session->redraw = session->redraw || session->cursor_moved;
    } else if (session->cursor_moved && session->cursor_inside) {
        brush_hover(brush, &ray, session->snapshot != NULL ? &session->snapshot->view : NULL);
        session->redraw = true;
    }
    session->cursor_moved = false;
}
