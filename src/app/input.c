/* SPDX-License-Identifier: MIT
 * Passes events to the help, the panel, the keys, the view or the brush. */
#include "app/input.h"

#include "app/keys.h"
#include "app/open_file.h"
#include "app/panel.h"
#include "app/placing.h"
#include "base/vec3.h"
#include <math.h>

/* -- the help ---------------------------------------------------------------------------------- */

#define WHEEL_ROWS 3 /* rows per notch of the wheel */

/* Returns the number of rows by which a key scrolls the help; 0 for other keys. */
static int rows_of_key(const SDL_KeyboardEvent *event, int page)
{
    switch (event->keysym.sym) {
    case SDLK_UP:
    case SDLK_LEFT:
        return -1;
    case SDLK_DOWN:
    case SDLK_RIGHT:
        return 1;
    case SDLK_PAGEUP:
        return -page;
    case SDLK_PAGEDOWN:
        return page;
    case SDLK_HOME:
        return -KEYS_HELP_MAX;
    case SDLK_END:
        return KEYS_HELP_MAX;
    default:
        return 0;
    }
}

/* Scrolls the help while it is open. Returns true if nothing else may handle the event. */
static bool help_handle(Session *session, const SDL_Event *event)
{
    OverlayPage *page = &session->texts.help_page;
    int rows = 0;
    if (!session->texts.help)
        return false;
    if (event->type == SDL_KEYDOWN)
        rows = rows_of_key(&event->key, SDL_max(page->count, 1));
    else if (event->type == SDL_MOUSEWHEEL)
        rows = event->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? WHEEL_ROWS * event->wheel.y
                                                                : -WHEEL_ROWS * event->wheel.y;
    page->first = SDL_clamp(page->first + rows, 0, KEYS_HELP_MAX);
    return rows != 0 || event->type == SDL_MOUSEWHEEL;
}

/* -- the left button, a finger or a pen on the picture ----------------------------------------- */

/* Distance in points that the cursor must move before a handle follows, so that a click is not a
 * drag. */
#define HANDLE_SLACK 3.0f

static bool over_handle(Session *session)
{
    float scale = window_pixels_per_point(&session->window);
    return session->hand.handles && !session->attract.show.playing &&
           gizmo_pick(&session->hand.gizmo, &session->world.scene, &session->marks,
                      session->hand.x / scale, session->hand.y / scale);
}

/* Takes the handle at the cursor. Returns false if there is none. If the timeline moves the handle,
 * a message says so and nothing is taken; the function still returns true, because the click must
 * have no other effect. */
static bool take_handle(Session *session)
{
    char key[SCENE_TRACK_KEY];
    if (!over_handle(session))
        return false;
    session->hand.stroke.drag = DRAG_GIZMO;
    session->hand.handle_follows = false;
    session->hand.press_x = session->hand.x;
    session->hand.press_y = session->hand.y;
    if (!gizmo_led(&session->hand.gizmo, &session->world.scene))
        return true;
    gizmo_key(&session->hand.gizmo, key, sizeof key);
    session_say(session, "%s cannot be moved: the scene's timeline sets its position", key);
    session->hand.stroke.drag = DRAG_NONE;
    return true;
}

/* Whether the cursor is so far from where a button was pressed that it drags. */
static bool moved_since_press(const Session *session)
{
    return fabsf(session->hand.x - session->hand.press_x) +
               fabsf(session->hand.y - session->hand.press_y) >
           HANDLE_SLACK * window_pixels_per_point(&session->window);
}

/* Moves the handle to the cursor. If the editor refuses the change, the handle stays and a message
 * gives the reason. The whole drag is one step of undo. */
static void drag_handle(Session *session, const BrushRay *ray)
{
    Scene changed = session->panel->editor.shown;
    session->hand.handle_follows = session->hand.handle_follows || moved_since_press(session);
    if (session->hand.moved && session->hand.handle_follows && !session->world.changing &&
        gizmo_follow(&session->hand.gizmo, ray, &changed))
        panel_change(session, &changed, false);
}

/* Takes the handle or the solid at the cursor. If there is neither, starts a brush stroke. */
void hand_press(Session *session)
{
    World *world = &session->world;
    Stroke *stroke = &session->hand.stroke;
    if (placing_press(session) || take_handle(session))
        return;
    BrushRay ray = session_cursor_ray(session);
    int led = stroke_press(stroke, world, session->snapshot, &ray, session->now);
    if (stroke->drag == DRAG_BRUSH && world->brush.hand.tool == BRUSH_FUEL &&
        !session->hand.lighting_said) {
        session->hand.lighting_said = true;
        session_say(session, "fuel burns where it is hot; E lights it");
    }
    if (led >= 0)
        session_say(session, "solids[%d] cannot be moved: the scene's timeline sets its position",
                    led);
}

void hand_move(Session *session)
{
    World *world = &session->world;
    Stroke *stroke = &session->hand.stroke;
    bool hovers = world->sim != NULL && stroke->drag == DRAG_NONE;
    bool moved = session->hand.moved && session->hand.inside;
    BrushRay ray = session_cursor_ray(session);
    if (moved || !hovers)
        stroke_follow(stroke, world, session->snapshot, &ray, session->now);
    if (placing_follow(session))
        brush_leave(&world->brush);
    else if (world->sim != NULL && stroke->drag == DRAG_GIZMO)
        drag_handle(session, &ray);
    else if (hovers && moved && over_handle(session))
        brush_leave(&world->brush);
    session->hand.moved = false;
}

void hand_release(Session *session)
{
    Drag drag = session->hand.stroke.drag;
    if (drag == DRAG_BRUSH || drag == DRAG_GIZMO)
        hand_move(session);
    stroke_release(&session->hand.stroke, &session->world);
    if (drag == DRAG_GIZMO)
        editor_done(&session->panel->editor);
}

/* Moves the brush or the grabbed solid away from the camera. notches: turns of the wheel. */
static void hand_deepen(Session *session, float notches)
{
    const Brush *brush = &session->world.brush;
    BrushRay ray = session_cursor_ray(session);
    stroke_deepen(&session->hand.stroke, &session->world, &ray, notches);
    if (session->hand.stroke.drag == DRAG_SOLID)
        return;
    if (brush->deeper != 0.0f)
        session_say(session, "the brush is %.2g m %s where the cursor meets the smoke",
                    (double)fabsf(brush->deeper), brush->deeper > 0 ? "behind" : "before");
    else
        session_say(session, "the brush is where the cursor meets the smoke");
}

/* -- fingers ----------------------------------------------------------------------------------- */

/* PATIENCE: time to wait for more fingers after the first one lands, s. STIR: movement of the first
 * finger that ends this wait, as a share of the window's height. */
#define PATIENCE 0.12
#define STIR     0.015f
/* Strength of a pen's lightest touch. */
#define PRESSURE_LEAST 0.1f
#define ZOOM_BASE      1.136f /* zoom factor per notch of the wheel */

typedef struct Spread {
    float x, y, size; /* mean position of the fingers, and the sum of their distances from this
                         position, in window heights */
} Spread;

static Spread spread_of(const Session *session, const Touch *touch)
{
    float aspect = (float)session->window.width / (float)session->window.height;
    Spread spread = {0};
    for (int f = 0; f < touch->count; f++) {
        spread.x += touch->fingers[f].x * aspect / (float)touch->count;
        spread.y += touch->fingers[f].y / (float)touch->count;
    }
    for (int f = 0; f < touch->count; f++)
        spread.size +=
            hypotf(touch->fingers[f].x * aspect - spread.x, touch->fingers[f].y - spread.y);
    return spread;
}

static int find(const Touch *touch, SDL_FingerID id)
{
    for (int f = 0; f < touch->count; f++)
        if (touch->fingers[f].id == id)
            return f;
    return -1;
}

static void point_at(Session *session, const SDL_TouchFingerEvent *event)
{
    session->hand.x = event->x * (float)session->window.width;
    session->hand.y = event->y * (float)session->window.height;
    session->hand.inside = session->hand.moved = true;
    /* Devices without pressure report a pressure of 0 or 1. */
    session->world.brush.pressure =
        event->pressure > 0 ? vector_clamp(event->pressure, PRESSURE_LEAST, 1) : 1;
}

/* Starts a brush stroke, unless the finger is on the panel. */
static void press_brush(Session *session)
{
    session->hand.touch.waits = false;
    if (session->hand.stroke.drag == DRAG_NONE &&
        (session->gui == NULL || !gui_hovered(session->gui)))
        hand_press(session);
}

static void land(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->hand.touch;
    if (touch->count == TOUCH_FINGERS || find(touch, event->fingerId) >= 0)
        return;
    touch->fingers[touch->count++] = (TouchFinger){event->fingerId, event->x, event->y};
    if (touch->count == 1) {
        touch->waits = true;
        touch->since = session->now;
        Spread landed = spread_of(session, touch);
        touch->x = landed.x;
        touch->y = landed.y;
        point_at(session, event);
        return;
    }
    touch->waits = false;
    if (session->hand.stroke.drag != DRAG_NONE)
        hand_release(session);
    session->hand.inside = false;
    brush_leave(&session->world.brush);
}

static void gesture(Session *session, const Spread *before, const Spread *after)
{
    World *world = &session->world;
    RenderCamera *camera = &world->render.camera;
    float dx = after->x - before->x, dy = after->y - before->y;
    float aspect = (float)session->window.width / (float)session->window.height;
    if (session->hand.touch.count == 2) {
        camera_control_orbit(&world->camera_control, camera, dx, dy);
        if (before->size > 1e-3f && after->size > 1e-3f)
            camera_control_zoom(&world->camera_control, camera,
                                logf(after->size / before->size) / logf(ZOOM_BASE),
                                after->x - 0.5f * aspect, after->y - 0.5f);
    } else {
        camera_control_pan(&world->camera_control, camera, dx, dy);
    }
    session->picture.redraw = true;
}

static void glide(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->hand.touch;
    int finger = find(touch, event->fingerId);
    if (finger < 0)
        return;
    Spread before = spread_of(session, touch);
    touch->fingers[finger].x = event->x;
    touch->fingers[finger].y = event->y;
    Spread after = spread_of(session, touch);
    if (touch->count > 1) {
        gesture(session, &before, &after);
        return;
    }
    if (touch->waits && hypotf(after.x - touch->x, after.y - touch->y) > STIR)
        press_brush(session); /* press where the finger landed, then move */
    point_at(session, event);
}

static void lift(Session *session, const SDL_TouchFingerEvent *event)
{
    Touch *touch = &session->hand.touch;
    int finger = find(touch, event->fingerId);
    if (finger < 0)
        return;
    if (touch->waits)
        press_brush(session); /* a tap */
    if (touch->count == 1) {
        if (session->hand.stroke.drag != DRAG_NONE)
            hand_release(session);
        session->hand.inside = false;
        session->world.brush.pressure = 1;
        brush_leave(&session->world.brush);
    }
    touch->fingers[finger] = touch->fingers[--touch->count];
}

/* Handles fingers and pens. One finger acts as the left mouse button. It presses at the point where
 * it landed, as soon as it moves or has rested for PATIENCE seconds. Its pressure is used if the
 * device reports one. Two fingers turn the view as they move, and zoom as the distance between them
 * changes. Three fingers pan the view. */
static void touch_handle(Session *session, const SDL_TouchFingerEvent *event)
{
    session->hand.touched = true;
    if (event->type == SDL_FINGERDOWN)
        land(session, event);
    else if (event->type == SDL_FINGERMOTION)
        glide(session, event);
    else
        lift(session, event);
}

void touch_turn(Session *session)
{
    if (session->hand.touch.waits && session->now - session->hand.touch.since > PATIENCE)
        press_brush(session);
}

/* -- events ------------------------------------------------------------------------------------ */

static void move_cursor(Session *session, int x, int y)
{
    float scale = window_pixels_per_point(&session->window);
    session->hand.x = (float)x * scale;
    session->hand.y = (float)y * scale;
    session->hand.inside = true;
    session->hand.moved = true;
}

static void handle_motion(Session *session, const SDL_MouseMotionEvent *event)
{
    float height = (float)session->window.point_height;
    float dx = (float)event->xrel / height, dy = (float)event->yrel / height;
    move_cursor(session, event->x, event->y);
    session->hand.turned = session->hand.turned || moved_since_press(session);
    if (stroke_turn(&session->hand.stroke, &session->world, dx, dy))
        session->picture.redraw = true;
}

static void press(Session *session, const SDL_MouseButtonEvent *event)
{
    move_cursor(session, event->x, event->y);
    session->hand.touched = true;
    if (session->hand.stroke.drag != DRAG_NONE)
        return;
    session->hand.press_x = session->hand.x;
    session->hand.press_y = session->hand.y;
    session->hand.turned = false;
    if (event->button == SDL_BUTTON_RIGHT)
        session->hand.stroke.drag = DRAG_ORBIT;
    else if (event->button == SDL_BUTTON_MIDDLE)
        session->hand.stroke.drag = DRAG_PAN;
    else if (event->button == SDL_BUTTON_LEFT)
        hand_press(session);
}

static void release(Session *session, const SDL_MouseButtonEvent *event)
{
    static const Uint8 buttons[] = {
        [DRAG_BRUSH] = SDL_BUTTON_LEFT, [DRAG_SOLID] = SDL_BUTTON_LEFT,
        [DRAG_GIZMO] = SDL_BUTTON_LEFT, [DRAG_ORBIT] = SDL_BUTTON_RIGHT,
        [DRAG_PAN] = SDL_BUTTON_MIDDLE,
    };
    move_cursor(session, event->x, event->y);
    if (session->hand.stroke.drag == DRAG_NONE ||
        buttons[session->hand.stroke.drag] != event->button)
        return;
    hand_release(session);
    if (event->button == SDL_BUTTON_RIGHT && !session->hand.turned)
        placing_open_menu(session);
}

void hand_zoom(Session *session, float notches)
{
    World *world = &session->world;
    const float width = (float)session->window.width, height = (float)session->window.height;
    camera_control_zoom(&world->camera_control, &world->render.camera, notches,
                        (session->hand.x - 0.5f * width) / height, session->hand.y / height - 0.5f);
    session->hand.moved = true;
    session->picture.redraw = true;
}

static void handle_wheel(Session *session, const SDL_MouseWheelEvent *event)
{
    float notches = event->preciseY;
    session->hand.touched = true;
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED)
        notches = -notches;
    if (stroke_works(&session->hand.stroke) || (session->hand.modifiers & KMOD_CTRL) != 0) {
        hand_deepen(session, notches);
        return;
    }
    hand_zoom(session, notches);
}

static void handle_window(Session *session, const SDL_WindowEvent *event)
{
    session->screen.exposed = true; /* the window was uncovered, shown or resized */
    if (event->event == SDL_WINDOWEVENT_LEAVE && session->hand.stroke.drag == DRAG_NONE) {
        session->hand.inside = false;
        brush_leave(&session->world.brush);
    }
}

static bool panel_takes(Session *session, const SDL_Event *event)
{
    if (session->gui == NULL || session->panel == NULL)
        return false; /* the window has no panel */
    if (session->panel->shown || session->panel->files.purpose != FILES_CLOSED)
        session->texts.draws_due = 2;
    if (!gui_handle(session->gui, event))
        return false;
    session->texts.draws_due = 2;
    session->hand.touched = true;
    if (gui_hovered(session->gui)) {
        session->hand.inside = false;
        brush_leave(&session->world.brush);
    }
    return true;
}

/* Whether SDL made a mouse event from a finger. Only the panel uses these events. */
static bool by_finger(const SDL_Event *event)
{
    return (event->type == SDL_MOUSEMOTION && event->motion.which == SDL_TOUCH_MOUSEID) ||
           ((event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP) &&
            event->button.which == SDL_TOUCH_MOUSEID);
}

/* Handles an event. Returns true if it came from the user. */
static bool handle(Session *session, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        session->quit = true;
        return false;
    case SDL_KEYDOWN:
        session->hand.touched = session->hand.touched || !event->key.repeat;
        keys_press(session, &event->key);
        return true;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        touch_handle(session, &event->tfinger);
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
    case SDL_DROPFILE:
        open_file_drop(session, &event->drop);
        return true;
    case SDL_WINDOWEVENT:
        handle_window(session, &event->window);
        return false;
    default:
        return gamepad_handle(session, event);
    }
}

/* Tracks the modifier keys by their events. The keyboard's state may already be newer than the
 * event that is being handled. */
static void note_held(Session *session, const SDL_Event *event)
{
    if (event->type == SDL_KEYDOWN || event->type == SDL_KEYUP)
        session->hand.modifiers = event->key.keysym.mod;
    else if (event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_FOCUS_LOST)
        session->hand.modifiers = 0;
}

/* Notes the time of input other than a moving cursor. */
static void note_use(Session *session, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
    case SDL_MOUSEWHEEL:
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
    case SDL_DROPFILE:
        session->hand.used = session->now;
        break;
    default:
        if (gamepad_uses(event))
            session->hand.used = session->now;
        break;
    }
}

/* Offers an event first to the attract mode, then to the help, then to the panel. */
static bool take(Session *session, const SDL_Event *event)
{
    note_held(session, event);
    note_use(session, event);
    kiosk_event(session, event);
    return attract_play_event(session, event) || help_handle(session, event) ||
           panel_takes(session, event) || by_finger(event) || handle(session, event);
}

/* Whether the panel needs a frame before the next event is handled: also if it will be shown or
 * hidden, or get a line's keyboard, which changes the keys that it handles. A hidden panel needs
 * none. */
static bool panel_waits(const Session *session)
{
    const Panel *panel = session->panel;
    if (session->gui == NULL || panel == NULL || window_hidden(&session->window) ||
        session->attract.show.playing)
        return false;
    return gui_waits(session->gui) || panel->turned || panel->search_focus ||
           session->hand.menu.asked;
}

bool input_handle(Session *session)
{
    bool by_hand = false;
    SDL_Event event;
    while (!panel_waits(session) && SDL_PollEvent(&event))
        by_hand = take(session, &event) || by_hand;
    return by_hand;
}
