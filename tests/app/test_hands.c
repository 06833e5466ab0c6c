/* SPDX-License-Identifier: MIT
 * Mouse, fingers and keys act on the simulation, without a window. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "app/attract.h"
#include "app/autosave.h"
#include "app/keys.h"
#include "app/placing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_fixture.h" /* last: cmocka has another fail */

enum { WIDTH = 640, HEIGHT = 360 };

/* Something burns and smoke has colours, so that every tool is of use; the view is from the front.
 */
static const char *const changes[] = {
    "fluid.fire=true",    "fluid.color=true", "solver.cycles=4",      "camera.azimuth=0",
    "camera.elevation=0", "brush.noise=0",    "brush.color=[1, 1, 1]"};

static Session *open_hands(const char *scene, const char *grid)
{
    Session *session = calloc(1, sizeof *session);
    BillowError error = {{0}};
    assert_non_null(session);
    SceneRequest request = {.name_or_path = scene,
                            .grid = grid,
                            .overrides = changes,
                            .override_count = sizeof changes / sizeof changes[0]};
    static const AppOptions options;
    session->options = &options;
    session->window.width = session->window.point_width = WIDTH;
    session->window.height = session->window.point_height = HEIGHT;
    session->now = 1;
    if (!world_open(&session->world, &request, NULL, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    session->panel = panel_create(&error);
    assert_non_null(session->panel);
    panel_follow(session);
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_send(session->world.sim,
                    &(SimCommand){.kind = SIM_RESET}); /* it may have taken steps already */
    do {
        SDL_Delay(1);
        session->snapshot = world_snapshot(&session->world);
    } while (session->snapshot == NULL || session->snapshot->resets == 0);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    return session;
}

static void close_hands(Session *session)
{
    panel_destroy(session->panel);
    world_close(&session->world);
    free(session);
}

/* One turn of the window's loop, a little later. */
static void turn(Session *session)
{
    BillowError error;
    session->now += 1.0 / 60;
    input_handle(session);
    const WorldEvent event = world_poll(&session->world, &error);
    assert_true(event == WORLD_NOTHING || event == WORLD_CHANGED);
    session->snapshot = world_snapshot(&session->world);
    panel_follow(session);
    touch_turn(session);
    gamepad_turn(session);
    hand_move(session);
}

static void step(Session *session, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t before = session->snapshot->steps;
        sim_thread_send(session->world.sim, &(SimCommand){.kind = SIM_STEP});
        do {
            SDL_Delay(1);
            session->snapshot = world_snapshot(&session->world);
        } while (session->snapshot->steps == before);
    }
}

static void key(Session *session, SDL_Keycode code, Uint16 mod)
{
    SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = code, .mod = mod}}};
    SDL_PushEvent(&event);
    turn(session);
}

static void move(Session *session, int x, int y)
{
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION, .x = x, .y = y}};
    SDL_PushEvent(&event);
    turn(session);
}

static void button(Session *session, bool down, int x, int y)
{
    SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                  .button = SDL_BUTTON_LEFT,
                                  .x = x,
                                  .y = y}};
    SDL_PushEvent(&event);
    turn(session);
}

static void wheel(Session *session, float notches)
{
    SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .preciseY = notches}};
    SDL_PushEvent(&event);
    turn(session);
}

static void assert_said(const Session *session, const char *words)
{
    if (strstr(session->texts.message, words) == NULL)
        fail_msg("'%s' is not '%s'", session->texts.message, words);
}

/* -- the brush's state */

static void keys_choose_among_the_tools_of_the_scene(void **state)
{
    (void)state;
    Session *session = open_hands("plates", "36"); /* a closed box */
    BrushHand *hand = &session->world.brush.hand;
    assert_int_equal(hand->tool, BRUSH_SMOKE);
    unsigned seen = 0;
    for (int i = 0; i < BRUSH_TOOLS - 1; i++) {
        key(session, SDLK_b, 0);
        seen |= 1u << hand->tool;
    }
    assert_int_equal(hand->tool, BRUSH_SMOKE); /* all others, and none twice */
    assert_int_equal(seen, (1u << BRUSH_TOOLS) - 1 - (1u << BRUSH_SUCK));
    key(session, SDLK_b, KMOD_LSHIFT);
    assert_int_equal(hand->tool, BRUSH_PUSH);
    key(session, SDLK_h, 0);
    assert_int_equal(hand->tool, BRUSH_COLOR);
    assert_int_equal(hand->color, 0); /* which was chosen already, and now is used */
    key(session, SDLK_h, KMOD_LSHIFT);
    assert_int_equal(hand->color, BRUSH_COLORS - 1);
    assert_non_null(strstr(session->texts.message, brush_color_name(BRUSH_COLORS - 1)));
    close_hands(session);
}

static void keys_size_and_strengthen_within_bounds(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Brush *brush = &session->world.brush;
    float radius = brush_radius(brush);
    for (int i = 0; i < 4; i++)
        key(session, SDLK_w, 0);
    assert_true(fabsf(brush_radius(brush) / radius - 2) < 1e-4f);
    key(session, SDLK_s, 0);
    key(session, SDLK_s, 0);
    assert_true(fabsf(brush->hand.strength - 2) < 1e-4f);
    for (int i = 0; i < 40; i++) {
        key(session, SDLK_q, 0);
        key(session, SDLK_a, 0);
    }
    assert_true(brush->hand.size == 0.25f && brush->hand.strength == 0.125f);
    for (int i = 0; i < 80; i++) {
        key(session, SDLK_w, 0);
        key(session, SDLK_s, 0);
    }
    assert_true(brush->hand.size == 4 && brush->hand.strength == 8);
    assert_non_null(strstr(session->texts.message, "strength 8"));
    close_hands(session);
}

static void the_hand_outlasts_the_scene(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Scene closed = session->world.scene;
    Brush brush = session->world.brush;
    brush.hand.size = 2;
    brush.hand.tool = BRUSH_SUCK;
    closed.def.faces[BILLOW_CEILING] = BILLOW_OPEN;
    Brush next = brush_for_next(&brush, &closed);
    assert_true(next.hand.size == 2 && next.hand.tool == BRUSH_SUCK);
    for (int side = 0; side < BILLOW_SIDES; side++)
        closed.def.faces[side] = BILLOW_CLOSED;
    next = brush_for_next(&brush, &closed);
    assert_true(next.hand.size == 2 && next.hand.tool == BRUSH_SMOKE);
    close_hands(session);
}

/* -- where it is */

static void the_wheel_moves_it_along_the_ray(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Brush *brush = &session->world.brush;
    move(session, WIDTH / 2, HEIGHT / 2);
    assert_true(brush->over);
    float z = brush->place[2], distance = session->world.render.camera.distance;
    SDL_Event ctrl = {.type = SDL_KEYDOWN};
    ctrl.key.keysym = (SDL_Keysym){SDL_SCANCODE_LCTRL, SDLK_LCTRL, KMOD_LCTRL, 0};
    SDL_PushEvent(&ctrl);
    wheel(session, 2);
    ctrl.type = SDL_KEYUP;
    ctrl.key.keysym.mod = KMOD_NONE;
    SDL_PushEvent(&ctrl);
    assert_true(fabsf(z - brush->place[2] - 2 * brush_notch(brush)) < 1e-4f);
    assert_true(session->world.render.camera.distance == distance);
    assert_said(session, " m behind where the cursor meets the smoke");
    move(session, WIDTH / 2 + 1, HEIGHT / 2); /* and it stays there */
    assert_true(fabsf(z - brush->place[2] - 2 * brush_notch(brush)) < 1e-3f);
    button(session, true, WIDTH / 2, HEIGHT / 2);
    wheel(session, -2);
    assert_true(fabsf(z - brush->place[2]) < 1e-3f && brush->deeper == 0.0f);
    assert_said(session, "the brush is where the cursor meets the smoke");
    wheel(session, 1000);
    assert_true(brush->place[2] >= brush->low[2] - 1e-5f);
    button(session, false, WIDTH / 2, HEIGHT / 2);
    assert_true(session->world.render.camera.distance == distance);
    wheel(session, 1);
    assert_true(session->world.render.camera.distance < distance);
    close_hands(session);
}

/* -- what it does */

/* A drag with a tool through what has come from the emitter; BRUSH_TOOLS: none. */
static BillowStats brush_with(BrushTool tool, float strength)
{
    Session *session = open_hands("plume", "16");
    int x, y;
    step(session, 20);
    find_pixel(session, session->world.scene.def.emitters[0].center, &x, &y);
    session->world.brush.hand.tool = tool < BRUSH_TOOLS ? tool : BRUSH_SMOKE;
    session->world.brush.hand.strength = strength;
    session->world.brush.hand.size = 2;
    move(session, x - 20, y);
    if (tool < BRUSH_TOOLS)
        button(session, true, x - 20, y);
    for (int i = 0; i < 6; i++) {
        move(session, x - 20 + 8 * i, y);
        step(session, 1);
    }
    button(session, false, x + 20, y);
    step(session, 2);
    BillowStats stats = session->snapshot->stats;
    close_hands(session);
    return stats;
}

static void each_tool_does_what_its_name_says(void **state)
{
    (void)state;
    BillowStats none = brush_with(BRUSH_TOOLS, 1), with;
    double mass = none.mass_sources;
    with = brush_with(BRUSH_PUSH, 1);
    assert_true(with.kinetic_energy > 1.02 * none.kinetic_energy);
    assert_true(fabs(with.mass_sources - mass) < 1e-6 * mass);
    with = brush_with(BRUSH_SMOKE, 1);
    assert_true(with.mass_sources > 1.05 * mass);
    assert_true(with.kinetic_energy > 1.02 * none.kinetic_energy);
    with = brush_with(BRUSH_HEAT, 1);
    assert_true(with.heat > 1.1 * none.heat && fabs(with.mass_sources - mass) < 1e-6 * mass);
    with = brush_with(BRUSH_FUEL, 1);
    assert_true(with.fuel > 0 && none.fuel == 0.0);
    assert_true(with.mass_sources > 1.01 * mass); /* by what has burnt */
    with = brush_with(BRUSH_COLOR, 1);
    assert_true(with.color[0] - none.color[0] > 3 * (with.color[1] - none.color[1]));
    with = brush_with(BRUSH_SUCK, 1);
    assert_true(with.mass < 0.95 * none.mass);
    with = brush_with(BRUSH_VORTEX, 1);
    assert_true(with.kinetic_energy > 1.5 * none.kinetic_energy);
    assert_true(fabs(with.mass_sources - mass) < 1e-6 * mass);
    with = brush_with(BRUSH_DETONATE, 1);
    assert_true(with.mass_sources > 1.05 * mass && with.heat > none.heat);
}

/* The hint about the left drag agrees with its effect. */
static void the_brush_is_told_as_it_is(void **state)
{
    (void)state;
    Brush brush = {.hand = brush_default_hand()};
    assert_string_equal(brush_does(&brush), "add smoke and push it");
    brush.medium.fire = true;
    brush.kind.fuel = 3;
    assert_string_equal(brush_does(&brush), "add fuel that burns, and push it");
    brush.hand.tool = BRUSH_PUSH;
    assert_string_equal(brush_does(&brush), "push the smoke");
    FirstSteps steps = {0};
    const char *row = first_steps_rows(&steps, 1, false, brush_does(&brush))[0].does;
    assert_memory_equal(row, "push the smoke (B:", 18);
}

/* The density of a colour relative to that of the smoke, where the brush is. */
static double share_of_color(const Session *session, int color)
{
    const BillowView *view = &session->snapshot->view;
    const float *place = session->world.brush.place;
    ptrdiff_t at = 0, strides[3] = {1, view->stride_y, view->stride_z};
    for (int axis = 0; axis < 3; axis++)
        at += strides[axis] * (ptrdiff_t)((place[axis] - view->origin[axis]) / view->cell_size);
    assert_true(view->density[at] > 0.01f);
    return (double)(view->color[color][at] / view->density[at]);
}

/* The colour of a stroke turns with the time of the simulation, except that of a chosen colour. */
static void strokes_change_their_colour(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Brush *brush = &session->world.brush;
    BillowEmitter touch;
    const float red[3] = {0.9f, 0.1f, 0.1f};
    memcpy(brush->kind.color, red, sizeof red);
    brush->kind.hue_speed = 0.5f;
    move(session, 200, 150);
    button(session, true, 200, 150);
    step(session, 1);
    assert_true(share_of_color(session, 0) > 0.8 && share_of_color(session, 1) < 0.3);
    button(session, false, 200, 150);
    step(session, 19); /* to 0.67 s, a third of a turn */
    button(session, true, 440, 150);
    step(session, 1);
    assert_true(share_of_color(session, 0) < 0.3 && share_of_color(session, 1) > 0.8);
    button(session, false, 440, 150);
    for (int color = 0; color < BRUSH_COLORS; color++) {
        brush->hand.tool = BRUSH_COLOR;
        brush->hand.color = color;
        assert_true(brush_emitter(brush, &touch));
        assert_true((touch.hue_speed > 0) == (color == BRUSH_COLORS - 1));
    }
    assert_string_equal(brush_color_name(BRUSH_COLORS - 1), "rainbow");
    close_hands(session);
}

static void strength_counts(void **state)
{
    (void)state;
    double none = brush_with(BRUSH_TOOLS, 1).mass_sources;
    double once = brush_with(BRUSH_SMOKE, 1).mass_sources - none;
    double thrice = brush_with(BRUSH_SMOKE, 3).mass_sources - none;
    assert_true(fabs(thrice / once - 3) < 0.01);
}

/* -- fingers */

static void finger(Session *session, Uint32 type, int id, float x, float y, float pressure)
{
    SDL_Event event = {
        .tfinger = {.type = type, .fingerId = id, .x = x, .y = y, .pressure = pressure}};
    SDL_PushEvent(&event);
    turn(session);
}

static void one_finger_brushes_by_its_pressure(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Brush *brush = &session->world.brush;
    finger(session, SDL_FINGERDOWN, 7, 0.5f, 0.5f, 0.25f);
    assert_int_equal(session->hand.stroke.drag, DRAG_NONE); /* another may follow */
    finger(session, SDL_FINGERMOTION, 7, 0.6f, 0.5f, 0.25f);
    assert_int_equal(session->hand.stroke.drag, DRAG_BRUSH);
    BillowEmitter light, full;
    assert_true(brush_emitter(brush, &light));
    finger(session, SDL_FINGERMOTION, 7, 0.62f, 0.5f, 1);
    assert_true(brush_emitter(brush, &full));
    assert_true(fabsf(full.smoke / light.smoke - 4) < 1e-4f);
    finger(session, SDL_FINGERUP, 7, 0.62f, 0.5f, 0);
    assert_true(session->hand.stroke.drag == DRAG_NONE && !brush->over && brush->pressure == 1);
    finger(session, SDL_FINGERDOWN, 8, 0.4f, 0.5f, 0);
    for (int i = 0; i < 10; i++)
        turn(session); /* it stays */
    assert_int_equal(session->hand.stroke.drag, DRAG_BRUSH);
    finger(session, SDL_FINGERUP, 8, 0.4f, 0.5f, 0);
    double before = session->snapshot->stats.mass_sources;
    step(session, 1);
    assert_true(session->snapshot->stats.mass_sources > before);
    close_hands(session);
}

static void two_fingers_turn_and_zoom_and_three_move(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    const RenderCamera *camera = &session->world.render.camera;
    RenderCamera was = *camera;
    finger(session, SDL_FINGERDOWN, 1, 0.4f, 0.5f, 1);
    finger(session, SDL_FINGERDOWN, 2, 0.6f, 0.5f, 1);
    finger(session, SDL_FINGERMOTION, 1, 0.5f, 0.5f, 1);
    finger(session, SDL_FINGERMOTION, 2, 0.7f, 0.5f, 1);
    assert_int_equal(session->hand.stroke.drag, DRAG_NONE);
    assert_true(fabsf(camera->azimuth - was.azimuth) > 5);
    assert_true(fabsf(camera->distance / was.distance - 1) < 1e-3f);
    finger(session, SDL_FINGERMOTION, 1, 0.3f, 0.5f, 1); /* twice as far apart */
    assert_true(fabsf(was.distance / camera->distance - 2) < 0.01f);
    float target = camera->target[1], turned = camera->azimuth;
    finger(session, SDL_FINGERDOWN, 3, 0.5f, 0.5f, 1);
    finger(session, SDL_FINGERMOTION, 3, 0.5f, 0.7f, 1);
    assert_true(camera->target[1] > target && camera->azimuth == turned);
    for (int id = 1; id <= 3; id++)
        finger(session, SDL_FINGERUP, id, 0.5f, 0.5f, 1);
    assert_int_equal(session->hand.touch.count, 0);
    assert_int_equal(session->hand.stroke.drag, DRAG_NONE); /* the last one up is no tap */
    close_hands(session);
}

/* -- handles */

/* At handles seen from the camera; the smoke stays. */
static void handles_are_dragged(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    OverlayContent content = {.width = WIDTH, .height = HEIGHT};
    key(session, SDLK_l, 0);
    session_mark(session, &content);
    assert_true(content.line_count > 100);
    float place[3];
    int x, y;
    memcpy(place, session->world.scene.def.emitters[0].center, sizeof place);
    find_pixel(session, place, &x, &y);
    button(session, true, x, y);
    assert_int_equal(session->hand.stroke.drag, DRAG_GIZMO);
    assert_int_equal(session->hand.gizmo.kind, GIZMO_EMITTER);
    int moved = session->hand.gizmo.index;
    memcpy(place, session->world.scene.def.emitters[moved].center, sizeof place);
    for (int part = 1; part <= 20; part++)
        move(session, x + 2 * part, y - part);
    button(session, false, x + 40, y - 30);
    turn(session);
    const float *now = session->world.scene.def.emitters[moved].center;
    assert_true(now[0] > place[0] + 0.01f && now[1] > place[1] + 0.01f);
    assert_true(fabsf(now[2] - place[2]) < 1e-4f);
    assert_int_equal(session->snapshot->resets, 1);
    close_hands(session);
}

/* All of a drag, however many frames it took, is one change; a click is none. */
static void a_drag_of_a_handle_is_one_change(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    OverlayContent content = {.width = WIDTH, .height = HEIGHT};
    const float *place = session->world.scene.def.emitters[0].center, was = place[0];
    const Editor *editor = &session->panel->editor;
    int x, y;
    key(session, SDLK_l, 0);
    session_mark(session, &content);
    find_pixel(session, place, &x, &y);
    for (int click = 0; click <= 1; click++) {
        button(session, true, x, y);
        assert_int_equal(session->hand.stroke.drag, DRAG_GIZMO);
        for (int part = 1; part <= (click ? 2 : 70); part++)
            move(session, x + part, y);
        assert_int_equal(history_undos(editor->history), click);
        button(session, false, click ? x + 1 : x + 70, y);
        turn(session);
        assert_int_equal(history_undos(editor->history), 1);
        find_pixel(session, place, &x, &y);
    }
    assert_true(place[0] > was + 0.01f);
    key(session, SDLK_z, KMOD_LCTRL);
    turn(session);
    assert_true(fabsf(place[0] - was) < 1e-4f);
    key(session, SDLK_y, KMOD_LCTRL);
    turn(session);
    assert_true(place[0] > was + 0.01f);
    close_hands(session);
}

static void await_scene(Session *session)
{
    BillowError error;
    session->snapshot = NULL;
    while (session->world.changing) {
        SDL_Delay(1);
        world_poll(&session->world, &error);
    }
    while (session->snapshot == NULL) {
        SDL_Delay(1);
        session->snapshot = world_snapshot(&session->world);
    }
}

/* Another scene takes nothing away: values and view come back, as the window says. */
static void changes_outlast_another_scene(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    World *world = &session->world;
    Scene changed = session->panel->editor.shown;
    changed.render.exposure = 2.5f;
    panel_change(session, &changed, false);
    editor_done(&session->panel->editor);
    turn(session);
    world->render.camera.azimuth = 77;
    session_change(session, "fire");
    const float exposure = world->next.render.exposure;
    panel_follow(session);
    assert_non_null(strstr(session->texts.message, world->next.title));
    assert_non_null(strstr(session->texts.message, "Ctrl Z: back to plume"));
    await_scene(session);
    assert_true(world->scene.render.exposure == exposure);
    assert_true(world->render.camera.azimuth != 77.0f);
    action_undo(session);
    panel_follow(session);
    assert_true(world->changing);
    await_scene(session);
    assert_string_equal(world->from, "plume");
    assert_string_equal(world->opened.name, "plume");
    assert_true(world->scene.render.exposure == 2.5f && world->render.camera.azimuth == 77.0f);
    action_undo(session);
    turn(session);
    assert_true(world->scene.render.exposure == world->opened.render.exposure);
    close_hands(session);
}

static void esc_closes_the_help_and_asks_before_it_quits(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    AppOptions options = {.kiosk = true};
    key(session, SDLK_F1, 0);
    assert_true(session->texts.help);
    key(session, SDLK_ESCAPE, 0);
    assert_false(session->texts.help || session->quit);
    key(session, SDLK_ESCAPE, 0); /* asks */
    assert_false(session->quit);
    assert_said(session, "Esc again quits. This smoke is not kept: F5 saves a checkpoint");
    session->now = session->texts.message_until; /* the question has gone: it asks again */
    key(session, SDLK_ESCAPE, 0);
    assert_false(session->quit);
    key(session, SDLK_ESCAPE, 0);
    assert_true(session->quit);
    session->quit_until = 0;
    snprintf(session->autosave.own, sizeof session->autosave.own, "own.ckpt");
    snprintf(session->autosave.last, sizeof session->autosave.last, "last.ckpt");
    session->recording.on = true;
    key(session, SDLK_ESCAPE, 0);
    assert_said(session, "Esc again quits, and the recording is kept without a video. To continue "
                         "later: billow run --resume last.ckpt");
    session->recording.on = false;
    session->autosave.own[0] = 0;
    session->quit_until = 0;
    session->quit = false;
    session->options = &options; /* a kiosk's help closes, its window does not */
    key(session, SDLK_F1, 0);
    key(session, SDLK_ESCAPE, 0);
    key(session, SDLK_ESCAPE, 0);
    assert_false(session->texts.help || session->quit);
    session->texts.help = true;
    key(session, SDLK_q, KMOD_LCTRL);
    assert_true(session->quit);
    close_hands(session);
}

/* -- what the window says */

static void keys_say_what_they_did(void **state)
{
    (void)state;
    static const struct {
        SDL_Keycode key;
        Uint16 mod;
        const char *words;
    } keys[] = {
        {SDLK_p, 0, "pressure: fewer cycles where needed to keep up with the clock"},
        {SDLK_p, 0, "pressure: all cycles, however long a step takes"},
        {SDLK_l, 0, "handles on emitters, solids, forces, lamps and the sun: drag them"},
        {SDLK_l, 0, "no handles"},
        {SDLK_t, 0, "turntable: one turn in 18 s"},
        {SDLK_t, 0, "turntable: stopped"},
        {SDLK_z, KMOD_LCTRL, "there is nothing to undo"},
        {SDLK_y, KMOD_LCTRL, "there is nothing to redo"},
        {SDLK_BACKSPACE, 0, "no past states are stored: billow was started with --rewind 0"},
        {SDLK_F9, 0, "there is no checkpoint yet: F5 saves one, Ctrl O opens one"},
        {SDLK_u, 0, "figures of the run; U hides all texts"},
        {SDLK_u, 0, "texts hidden; U shows them again"},
        {SDLK_u, 0, "texts shown"},
        {SDLK_b, KMOD_LSHIFT, "brush: push"},
    };
    static const AppOptions kiosk = {.kiosk = true};
    Session *session = open_hands("plates", "36"); /* a closed box */
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        key(session, keys[k].key, keys[k].mod);
        assert_said(session, keys[k].words);
    }
    key(session, SDLK_b, KMOD_LSHIFT);
    assert_said(session, brush_tool_name(BRUSH_TOOLS - 1));
    session->world.brush.hand.tool = BRUSH_VORTEX;
    key(session, SDLK_b, KMOD_LSHIFT);
    assert_said(session, "; no suck: all faces are closed: no air can leave");
    session->world.scene.detonation.expansion = 1;
    key(session, SDLK_e, 0);
    assert_said(session, "all faces are closed: the detonation does not expand");
    session->options = &kiosk;
    key(session, SDLK_F5, 0);
    assert_said(session, "not available in kiosk mode; to quit, hold Esc for 3 s or press");
    close_hands(session);
}

static void axis(Session *session, SDL_GameControllerAxis which, double way)
{
    SDL_Event event = {.caxis = {.type = SDL_CONTROLLERAXISMOTION,
                                 .axis = (Uint8)which,
                                 .value = (Sint16)(way * 32767)}};
    SDL_PushEvent(&event);
    turn(session);
}

static void pad_button(Session *session, SDL_GameControllerButton which)
{
    SDL_Event event = {.cbutton = {.type = SDL_CONTROLLERBUTTONDOWN, .button = (Uint8)which}};
    SDL_PushEvent(&event);
    turn(session);
}

/* Sticks move the cursor and turn the view, and rest near their middle; triggers brush with their
 * pressure and detonate once; buttons act as keys. */
static void a_gamepad_plays(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "24");
    const float start[2] = {0.5f * WIDTH, 0.5f * HEIGHT};
    const RenderCamera *camera = &session->world.render.camera;
    move(session, (int)start[0], (int)start[1]);
    for (int i = 0; i < 30; i++)
        axis(session, SDL_CONTROLLER_AXIS_LEFTX, 0.1); /* a worn stick */
    assert_true(session->hand.x == start[0] && session->hand.y == start[1]);
    for (int i = 0; i < 30; i++) /* half a second */
        axis(session, SDL_CONTROLLER_AXIS_LEFTX, 1);
    axis(session, SDL_CONTROLLER_AXIS_LEFTX, 0);
    assert_true(fabsf(session->hand.x - start[0] - 0.45f * HEIGHT) < 0.05f * HEIGHT);
    assert_true(session->hand.y == start[1]);
    for (int i = 0; i < 300; i++)
        axis(session, SDL_CONTROLLER_AXIS_LEFTY, -1);
    axis(session, SDL_CONTROLLER_AXIS_LEFTY, 0);
    assert_true(session->hand.y == 0); /* it stays in the window */

    const float azimuth = camera->azimuth, distance = camera->distance;
    for (int i = 0; i < 60; i++)
        axis(session, SDL_CONTROLLER_AXIS_RIGHTX, -1);
    axis(session, SDL_CONTROLLER_AXIS_RIGHTX, 0);
    assert_true(fabsf(camera->azimuth - azimuth - 100) < 5);
    pad_button(session, SDL_CONTROLLER_BUTTON_DPAD_UP);
    assert_true(camera->distance < 0.9f * distance);

    move(session, (int)start[0], (int)start[1]);
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 0.6);
    assert_int_equal(session->hand.stroke.drag, DRAG_BRUSH);
    const float gentle = session->world.brush.pressure;
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 1);
    assert_true(gentle > 0.4f && gentle < 0.7f && session->world.brush.pressure == 1);
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 0.05);
    assert_int_equal(session->hand.stroke.drag, DRAG_NONE);

    session->hand.blasted = false;
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0.9);
    assert_true(session->hand.blasted);
    session->hand.blasted = false;
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 1); /* still the same pull */
    assert_false(session->hand.blasted);
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0);
    axis(session, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 1);
    assert_true(session->hand.blasted);
    pad_button(session, SDL_CONTROLLER_BUTTON_A);
    assert_said(session, "brush: ");
    close_hands(session);
}

/* A solid moved by the timeline cannot be dragged. */
static void what_is_led_says_so(void **state)
{
    (void)state;
    Session *session = open_hands("sphere", "48");
    Scene *scene = &session->world.scene;
    OverlayContent content = {.width = WIDTH, .height = HEIGHT};
    int x, y;
    scene->track_count = 2;
    snprintf(scene->tracks[0].key, sizeof scene->tracks[0].key, "solids[0].center");
    snprintf(scene->tracks[1].key, sizeof scene->tracks[1].key, "emitters[0].center");
    find_pixel(session, session->snapshot->solids[0].center, &x, &y);
    button(session, true, x, y);
    assert_said(session, "solids[0] cannot be moved: the scene's timeline sets its position");
    button(session, false, x, y);
    key(session, SDLK_l, 0);
    session_mark(session, &content);
    find_pixel(session, scene->def.emitters[0].center, &x, &y);
    button(session, true, x, y);
    assert_said(session,
                "emitters[0].center cannot be moved: the scene's timeline sets its position");
    button(session, false, x, y);
    close_hands(session);
}

static void time_says_where_it_is(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    SimSnapshot back = *session->snapshot;
    back.went_back = 3;
    back.stats.time = 1.5;
    back.back_to = 0.25;
    session->snapshot = &back;
    time_control_follow(session);
    assert_said(session, "at 1.50 s; stored states go back to 0.25 s");
    close_hands(session);
}

static void recordings_say_how_they_go(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow-hands-XXXXXX", path[128];
    const AppOptions options = {.capture_folder = mkdtemp(folder), .fps = 30};
    Session *session = open_hands("plume", "16");
    BillowError error;
    float share;
    session->options = &options;
    session->world.changing = true;
    recording_toggle(session);
    assert_said(session, "there is nothing to record yet");
    session->world.changing = false;
    session->window.width = 1;
    recording_toggle(session);
    assert_said(session, "this window is too small to record");
    recording_pause_video(session);
    assert_said(session, "no video is being drawn");
    session->window.width = WIDTH;
    recording_toggle(session);
    assert_said(session, "recording what you do; F10 ends it, and the video is drawn then");
    assert_string_equal(recording_words(session), "0:00");
    session->recording.on = false; /* as if --record-input recorded */
    recording_toggle(session);
    snprintf(path, sizeof path, "hands are being recorded to %s/billow-plume-1.bwr", folder);
    assert_said(session, path);
    session->recording.on = true;
    recording_end(session, "another scene");
    assert_said(session, "another scene: billow-plume-1.bwr ends here");
    assert_string_equal(recording_words(session), "saving");
    for (int tries = 0; recording_runs(session) && tries < 10000; tries++) {
        SDL_Delay(1);
        recording_poll(session);
    }
    assert_null(recording_words(session));
    if (session->recording.maker == NULL) /* no step was taken meanwhile */
        assert_said(session, "nothing happened while it was recorded: there is nothing to save");
    session->recording.video = (VideoStatus){true, false, 30, 120, 75};
    assert_string_equal(recording_video(session, &share), "video 25 %, 1:15 left");
    assert_true(share == 0.25f);
    session->recording.video.paused = true;
    assert_string_equal(recording_video(session, &share), "video 25 %, paused");
    VideoMaker *maker = session->recording.maker;
    session->recording.maker = video_maker_create(&error);
    recording_pause_video(session);
    assert_said(session, "the video is paused; shift F10 goes on, ctrl F10 gives it up");
    recording_pause_video(session);
    assert_said(session, "the video goes on");
    recording_give_up_video(session);
    assert_true(video_maker_close(session->recording.maker, &error));
    session->recording.maker = maker;
    const bool saved = session->recording.maker != NULL;
    assert_true(recording_close(session, &error));
    snprintf(path, sizeof path, "%s/billow-plume-1.bwr", folder);
    assert_int_equal(unlink(path) == 0, saved);
    rmdir(folder);
    close_hands(session);
}

static void checkpoints_say_where_they_are(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow-hands-XXXXXX", words[128];
    const AppOptions options = {.capture_folder = mkdtemp(folder)};
    Session *session = open_hands("plume", "16");
    session->options = &options;
    snprintf(session->autosave.broken_off, sizeof session->autosave.broken_off, "/state/a.ckpt");
    autosave_frame(session);
    assert_said(session, "the last session did not end cleanly: billow run --resume /state/a.ckpt");
    key(session, SDLK_F5, 0);
    for (int tries = 0; session->autosave.saved[0] == 0 && tries < 10000; tries++) {
        SDL_Delay(1);
        autosave_frame(session);
    }
    snprintf(words, sizeof words, "saved %s/plume-1.ckpt; F9 goes back to it", folder);
    assert_said(session, words);
    session_change(session, session->autosave.saved);
    snprintf(words, sizeof words, "plume continues from %s/plume-1.ckpt", folder);
    assert_said(session, words);
    unlink(session->autosave.saved);
    rmdir(folder);
    close_hands(session);
}

static void save_scene(const char *path, const char *end)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "name: s\nemitters: [{center: [0.5, 0.2, 0.5]}]\n%s", end);
    assert_int_equal(fclose(stream), 0);
}

/* A scene's file that is saved while it plays: seen, and once more when it stands. */
static void files_say_what_changed(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow-hands-XXXXXX", path[64];
    static const char *const saved[][2] = {
        {"# the same\n", "s.yaml: loaded again; no setting differs"},
        {"exposure: 2\nsun: {azimuth: 7}\n", "s.yaml: sun.azimuth and 1 more changed"},
        {"exposure: 3\nsun: {azimuth: 7}\n", "s.yaml: exposure changed"},
    };
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.yaml", folder);
    save_scene(path, "");
    Session *session = open_hands(path, "16");
    session_follow_files(session);
    for (int s = 0; s < 3; s++) {
        save_scene(path, saved[s][0]);
        for (int settings = 0; settings < 3; settings++) {
            session->now += 1;
            session_follow_files(session);
        }
        assert_string_equal(session->files.error.text, "");
        assert_said(session, saved[s][1]);
    }
    panel_follow(session);
    Scene changed = session->panel->editor.shown;
    changed.domain.cells[0] = 20;
    panel_change(session, &changed, false);
    editor_done(&session->panel->editor);
    panel_follow(session);
    assert_said(session, "domain.cells: the simulation starts again");
    unlink(path);
    rmdir(folder);
    close_hands(session);
}

static void a_show_that_cannot_be_says_so(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    session->attract.show = (Attract){.playing = true, .lost = true, .failed = 1000};
    attract_play_frame(session);
    assert_false(session->attract.show.playing);
    assert_said(session, "no scene of the show can be played on this machine");
    close_hands(session);
}

static void the_sun_goes_around_its_dome(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Gizmo sun = {.kind = GIZMO_SUN};
    Scene scene = session->world.scene;
    scene.render.sun.azimuth = 30;
    scene.render.sun.elevation = 20;
    move(session, WIDTH / 2, HEIGHT / 2 - 10);
    BrushRay ray = session_cursor_ray(session);
    assert_true(gizmo_follow(&sun, &ray, &scene));
    assert_true(fabsf(scene.render.sun.azimuth) < 1); /* in front, where the camera is */
    move(session, -300, HEIGHT / 2);
    ray = session_cursor_ray(session); /* beyond the dome's edge */
    assert_true(gizmo_follow(&sun, &ray, &scene));
    assert_true(scene.render.sun.azimuth < -45 && scene.render.sun.azimuth > -135);
    move(session, WIDTH / 2, HEIGHT / 2 - 10);
    ray = session_cursor_ray(session); /* back in: on the far side */
    assert_true(gizmo_follow(&sun, &ray, &scene));
    assert_true(fabsf(scene.render.sun.azimuth) > 150);
    close_hands(session);
}

/* -- things that are placed -------------------------------------------------------------------- */

/* Turns until the simulation plays what the panel shows. Another number of solids starts it again.
 */
static void settle(Session *session)
{
    do {
        SDL_Delay(1);
        turn(session);
    } while (session->world.changing || session->panel->editor.changed ||
             session->snapshot == NULL);
    sim_thread_send(session->world.sim, &(SimCommand){SIM_PAUSE, .on = true});
}

static const SceneList *list_named(const char *name)
{
    int index = 0;
    while (strcmp(scene_list_at(index)->name, name) != 0)
        index++;
    return scene_list_at(index);
}

static int count_of(const Scene *scene, const SceneList *list)
{
    return *scene_list_count(list, (Scene *)scene /* only read */);
}

static const float *last_center(const Scene *scene, const SceneList *list)
{
    const int last = count_of(scene, list) - 1;
    return list->type == SCENE_KEY_EMITTERS ? scene->def.emitters[last].center
           : list->type == SCENE_KEY_SOLIDS ? scene->def.solids[last].center
           : list->type == SCENE_KEY_FORCES ? scene->def.forces[last].center
                                            : scene->render.lamps[last].position;
}

static void click(Session *session, int x, int y)
{
    move(session, x, y);
    button(session, true, x, y);
    button(session, false, x, y);
}

/* Index of the kind of thing with this name. */
static int thing_named(const char *name)
{
    int thing = 0;
    while (strcmp(placing_thing(thing)->name, name) != 0)
        thing++;
    return thing;
}

/* Each kind of thing is added where one clicks, is named, is undone and done again, and a saved
 * scene has it. */
static void things_are_placed_where_one_clicks(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow-placed-XXXXXX", path[300];
    Session *session = open_hands("plume", "16");
    Editor *editor = &session->panel->editor;
    BillowError error;
    assert_non_null(mkdtemp(folder));
    for (int thing = 0; placing_thing(thing) != NULL; thing++) {
        const SceneList *list = list_named(placing_thing(thing)->list);
        const int before = count_of(&editor->shown, list);
        const int undos = history_undos(editor->history);
        const int x = WIDTH / 2 - 40, y = HEIGHT / 2 - 30;
        char shown[SCENE_NAME], name[SCENE_NAME];
        int at_x, at_y, copied;
        Scene saved;
        placing_begin(session, thing);
        assert_non_null(placing_hint(session));
        click(session, x, y);
        assert_null(placing_hint(session));
        assert_int_equal(session->hand.stroke.drag, DRAG_NONE);
        settle(session);
        const Scene *scene = &session->world.scene;
        assert_int_equal(count_of(scene, list), before + 1);
        scene_list_shown(list, scene, before, shown);
        assert_string_equal(shown, placing_thing(thing)->name);
        find_pixel(session, last_center(scene, list), &at_x, &at_y);
        assert_in_range(at_x, x - 1, x + 1); /* the view is level: no floor is below the cursor */
        assert_in_range(at_y, y - 1, y + 1);
        assert_int_equal(history_undos(editor->history), undos + 1);
        key(session, SDLK_z, KMOD_LCTRL);
        settle(session);
        assert_int_equal(count_of(&session->world.scene, list), before);
        key(session, SDLK_y, KMOD_LCTRL);
        settle(session);
        assert_true(editor_save(editor, &session->world.render.camera, folder, path, sizeof path,
                                &copied, &error));
        assert_true(scene_load(path, &saved, &error));
        remove(path);
        assert_int_equal(count_of(&saved, list), before + 1);
        scene_list_shown(list, &saved, before, name);
        assert_string_equal(name, shown);
        assert_memory_equal(last_center(&saved, list), last_center(&editor->shown, list),
                            3 * sizeof(float));
        key(session, SDLK_z, KMOD_LCTRL);
        settle(session);
    }
    rmdir(folder);
    close_hands(session);
}

/* The floor carries what stands on it, and a solid has the thing before it. */
static void things_stand_on_what_is_there(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    const Scene *scene = &session->panel->editor.shown;
    int x, y;
    session->world.render.camera.elevation = 60;
    placing_begin(session, thing_named("ball"));
    click(session, WIDTH / 2, HEIGHT / 2);
    settle(session);
    const BillowSolid ball = scene->def.solids[0];
    assert_int_equal(ball.shape, BILLOW_SPHERE);
    assert_float_equal(ball.center[1], ball.size[0], 1e-4f);
    find_pixel(session, ball.center, &x, &y);
    placing_begin(session, thing_named("smoke"));
    click(session, x, y);
    const BillowEmitter *smoke = &scene->def.emitters[scene->def.emitter_count - 1];
    float away = 0;
    for (int i = 0; i < 3; i++)
        away += (smoke->center[i] - ball.center[i]) * (smoke->center[i] - ball.center[i]);
    assert_float_equal(sqrtf(away), ball.size[0] + smoke->size[0], 0.01f);
    assert_true(smoke->center[1] > ball.center[1]);
    close_hands(session);
}

static void placing_can_be_given_up(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    const Scene *scene = &session->panel->editor.shown;
    const int lamps = scene->render.lamp_count, lamp = thing_named("lamp");
    placing_begin(session, lamp);
    key(session, SDLK_ESCAPE, 0);
    assert_said(session, "nothing is added");
    assert_null(placing_hint(session));
    assert_true(session->quit_until == 0);
    placing_begin(session, lamp);
    click(session, 2, 2); /* beside the box */
    assert_said(session, "click in the box");
    assert_non_null(placing_hint(session));
    assert_int_equal(scene->render.lamp_count, lamps);
    while (scene->render.lamp_count < RENDER_LAMPS_MAX) {
        placing_begin(session, lamp);
        click(session, WIDTH / 2, HEIGHT / 2);
    }
    placing_begin(session, lamp);
    assert_null(placing_hint(session));
    assert_said(session, "there are already 4 lamps, and a scene can have no more");
    session->panel->editor.shown.def.fire = false;
    placing_begin(session, thing_named("fire"));
    assert_null(placing_hint(session));
    assert_said(session, "nothing burns in this scene");
    close_hands(session);
}

/* New smoke hides what is behind it in half a second, and a new wind blows to the right of the
 * view. */
static void things_act_at_once(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "24");
    placing_begin(session, thing_named("smoke"));
    click(session, WIDTH / 2 - 60, HEIGHT / 2 - 40);
    placing_begin(session, thing_named("wind"));
    click(session, WIDTH / 2 + 60, HEIGHT / 2 - 40);
    settle(session);
    const Scene *scene = &session->world.scene;
    const BillowEmitter *smoke = &scene->def.emitters[scene->def.emitter_count - 1];
    const BillowForce *wind = &scene->def.forces[scene->def.force_count - 1];
    step(session, 15);
    const BillowView *view = &session->snapshot->view;
    const float density = brush_density(view, smoke->center);
    assert_true(expf(-density * scene->render.smoke.extinction * 2 * smoke->size[0]) < 0.4f);
    assert_true(wind->velocity[0] > 0);
    const SimSnapshot before = *session->snapshot;
    const double energy = before.stats.kinetic_energy;
    key(session, SDLK_z, KMOD_LCTRL);
    settle(session);
    step(session, 15);
    assert_true(session->snapshot->stats.kinetic_energy < 0.8 * energy);
    close_hands(session);
}

/* Solids and winds have handles; a drag of one is one change, and Del removes them. */
static void solids_and_forces_have_handles(void **state)
{
    (void)state;
    static const char *const names[] = {"ball", "wind"};
    for (int i = 0; i < 2; i++) {
        Session *session = open_hands("plume", "16");
        const Editor *editor = &session->panel->editor;
        const SceneList *list = list_named(placing_thing(thing_named(names[i]))->list);
        const int x = WIDTH / 2, y = HEIGHT / 2 - 30;
        int at_x, at_y;
        OverlayLabel label;
        placing_begin(session, thing_named(names[i]));
        click(session, x, y);
        settle(session);
        assert_true(session->hand.handles);
        if (list->type == SCENE_KEY_FORCES)
            assert_said(session,
                        ": drag its handle; right click: name, copy, remove; Ctrl Z: undo");
        MarksScene marked = {.solids = session->snapshot->solids,
                             .solid_count = session->snapshot->solid_count};
        marks_begin(&session->marks, &session->world.render.camera, WIDTH, HEIGHT, &marked);
        const int undos = history_undos(editor->history);
        move(session, x, y);
        assert_true(placing_label(session, &label));
        assert_string_equal(label.text, names[i]);
        button(session, true, x, y);
        move(session, x + 30, y - 20);
        move(session, x + 50, y - 40);
        button(session, false, x + 50, y - 40);
        settle(session);
        find_pixel(session, last_center(&session->world.scene, list), &at_x, &at_y);
        assert_in_range(at_x, x + 48, x + 52);
        assert_in_range(at_y, y - 42, y - 38);
        assert_int_equal(history_undos(editor->history), undos + 1);
        marked.solids = session->world.scene.def.solids;
        marks_begin(&session->marks, &session->world.render.camera, WIDTH, HEIGHT, &marked);
        move(session, x + 50, y - 40);
        key(session, SDLK_DELETE, 0);
        assert_int_equal(count_of(&editor->shown, list), 0);
        if (list->type == SCENE_KEY_SOLIDS)
            assert_said(session, "solids: the simulation starts again");
        else
            assert_said(session, "wind is removed; Ctrl Z: undo");
        settle(session);
        session->snapshot = NULL;
        key(session, SDLK_DELETE, 0);
        assert_said(session, "there is nothing at the cursor to remove");
        close_hands(session);
    }
}

/* A copy of what stands on the floor, or is somewhere above it, stands on the floor. */
static void copies_stand_on_the_floor(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    const SceneList *list = list_named("solids");
    float first[3];
    session->world.render.camera.elevation = 30; /* degrees: the floor is in view */
    placing_begin(session, thing_named("ball"));
    click(session, WIDTH / 2 - 60, HEIGHT - 30);
    settle(session);
    memcpy(first, last_center(&session->world.scene, list), sizeof first);
    assert_true(first[1] > session->world.brush.low[1] + 0.02f);
    for (int raised = 0; raised < 2; raised++) {
        if (raised) {
            BillowError error;
            assert_true(
                editor_set(&session->panel->editor, "solids[0].center=[1, 1.2, 1]", true, &error));
            settle(session);
        }
        placing_begin_copy(session, list, 0);
        click(session, WIDTH / 2 + 80 - 30 * raised, HEIGHT - 30);
        settle(session);
        assert_int_equal(count_of(&session->world.scene, list), 2 + raised);
        const float *copy = last_center(&session->world.scene, list);
        assert_true(fabsf(copy[1] - first[1]) < 1e-4f);
        assert_true(copy[0] > first[0] + 0.1f);
    }
    close_hands(session);
}

/* A stroke of heat leaves a trail, which fades; the first one of fuel says how it is lit. */
static void strokes_are_seen(void **state)
{
    (void)state;
    Session *session = open_hands("plume", "16");
    Brush *brush = &session->world.brush;
    BrushTrail *trail = &session->trail;
    brush->hand.tool = BRUSH_HEAT;
    move(session, WIDTH / 2, HEIGHT / 2);
    button(session, true, WIDTH / 2, HEIGHT / 2);
    for (int i = 0; i < 6; i++) {
        move(session, WIDTH / 2 + 20 * i, HEIGHT / 2);
        brush_trail_follow(trail, brush, true, session->now);
    }
    assert_in_range(trail->count, 3, 6);
    assert_null(strstr(session->texts.message, "E lights it"));
    button(session, false, WIDTH / 2 + 100, HEIGHT / 2);
    brush_trail_follow(trail, brush, false, session->now + 1);
    assert_in_range(trail->count, 3, 6);
    brush_trail_follow(trail, brush, false, session->now + 5);
    assert_int_equal(trail->count, 0);
    brush->hand.tool = BRUSH_FUEL;
    button(session, true, WIDTH / 2, HEIGHT / 2);
    assert_said(session, "fuel burns where it is hot; E lights it");
    button(session, false, WIDTH / 2, HEIGHT / 2);
    session->texts.message[0] = 0;
    button(session, true, WIDTH / 2, HEIGHT / 2);
    assert_string_equal(session->texts.message, "");
    button(session, false, WIDTH / 2, HEIGHT / 2);
    close_hands(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_choose_among_the_tools_of_the_scene),
        cmocka_unit_test(keys_size_and_strengthen_within_bounds),
        cmocka_unit_test(the_hand_outlasts_the_scene),
        cmocka_unit_test(the_wheel_moves_it_along_the_ray),
        cmocka_unit_test(each_tool_does_what_its_name_says),
        cmocka_unit_test(the_brush_is_told_as_it_is),
        cmocka_unit_test(strokes_change_their_colour),
        cmocka_unit_test(strength_counts),
        cmocka_unit_test(one_finger_brushes_by_its_pressure),
        cmocka_unit_test(two_fingers_turn_and_zoom_and_three_move),
        cmocka_unit_test(handles_are_dragged),
        cmocka_unit_test(a_drag_of_a_handle_is_one_change),
        cmocka_unit_test(changes_outlast_another_scene),
        cmocka_unit_test(esc_closes_the_help_and_asks_before_it_quits),
        cmocka_unit_test(the_sun_goes_around_its_dome),
        cmocka_unit_test(keys_say_what_they_did),
        cmocka_unit_test(what_is_led_says_so),
        cmocka_unit_test(a_gamepad_plays),
        cmocka_unit_test(time_says_where_it_is),
        cmocka_unit_test(recordings_say_how_they_go),
        cmocka_unit_test(checkpoints_say_where_they_are),
        cmocka_unit_test(files_say_what_changed),
        cmocka_unit_test(a_show_that_cannot_be_says_so),
        cmocka_unit_test(things_are_placed_where_one_clicks),
        cmocka_unit_test(things_stand_on_what_is_there),
        cmocka_unit_test(placing_can_be_given_up),
        cmocka_unit_test(things_act_at_once),
        cmocka_unit_test(solids_and_forces_have_handles),
        cmocka_unit_test(copies_stand_on_the_floor),
        cmocka_unit_test(strokes_are_seen),
    };
    if (SDL_Init(SDL_INIT_EVENTS) != 0)
        return 1;
    int failed = cmocka_run_group_tests_name("hands", tests, NULL, NULL);
    SDL_Quit();
    return failed;
}
