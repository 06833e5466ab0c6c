/* SPDX-License-Identifier: MIT */
#include "app/gamepad.h"

#include "app/file_dialog.h"
#include "app/input.h"
#include "app/keys.h"
#include <math.h>

#define REST         0.15f /* share of a stick's or a trigger's way that counts as none */
#define CURSOR_SPEED 0.9f  /* speed of the cursor at full tilt, window heights per second */
#define CAMERA_SPEED                                                                               \
    0.5f                   /* at full tilt the camera turns as by a mouse of this speed, as above  \
                            */
#define FRAME_LONGEST 0.1  /* s; a longer pause is no movement */
#define FIRES_AT      0.5f /* how far the left trigger is pressed when it detonates, 0..1 */

/* How far a stick is tilted or a trigger pressed, -1..1. */
static float way(Sint16 value)
{
    const float share = (float)value / 32767, beyond = fabsf(share) - REST;
    return beyond > 0 ? copysignf(fminf(beyond / (1 - REST), 1), share) : 0;
}

bool gamepad_uses(const SDL_Event *event)
{
    return event->type == SDL_CONTROLLERBUTTONDOWN ||
           (event->type == SDL_CONTROLLERAXISMOTION && way(event->caxis.value) != 0.0f);
}

/* -- buttons ----------------------------------------------------------------------------------- */

/* The key that a button acts as. */
typedef struct ButtonKey {
    SDL_GameControllerButton button;
    SDL_Keycode key;
} ButtonKey;

static const ButtonKey button_keys[] = {
    {SDL_CONTROLLER_BUTTON_A, SDLK_b},
    {SDL_CONTROLLER_BUTTON_B, SDLK_h},
    {SDL_CONTROLLER_BUTTON_X, SDLK_r},
    {SDL_CONTROLLER_BUTTON_Y, SDLK_SPACE},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, SDLK_q},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, SDLK_w},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, SDLK_PAGEUP},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, SDLK_PAGEDOWN},
    {SDL_CONTROLLER_BUTTON_LEFTSTICK, SDLK_o},
    {SDL_CONTROLLER_BUTTON_RIGHTSTICK, SDLK_t},
    {SDL_CONTROLLER_BUTTON_BACK, SDLK_F12},
    {SDL_CONTROLLER_BUTTON_START, SDLK_F1},
};

static void press_key(Session *session, SDL_Keycode key)
{
    const SDL_KeyboardEvent event = {.type = SDL_KEYDOWN, .keysym = {.sym = key}};
    keys_press(session, &event);
}

static void press_button(Session *session, Uint8 button)
{
    if (file_dialog_button(session, button))
        return;
    if (button == SDL_CONTROLLER_BUTTON_DPAD_UP)
        hand_zoom(session, 1);
    else if (button == SDL_CONTROLLER_BUTTON_DPAD_DOWN)
        hand_zoom(session, -1);
    for (size_t b = 0; b < sizeof button_keys / sizeof *button_keys; b++)
        if (button_keys[b].button == (SDL_GameControllerButton)button)
            press_key(session, button_keys[b].key);
}

/* -- sticks and triggers ----------------------------------------------------------------------- */

static void turn_axis(Session *session, const SDL_ControllerAxisEvent *event)
{
    Gamepad *pad = &session->gamepad;
    if (event->axis >= SDL_CONTROLLER_AXIS_MAX)
        return;
    pad->axes[event->axis] = way(event->value);
    const float left = pad->axes[SDL_CONTROLLER_AXIS_TRIGGERLEFT];
    if (left >= FIRES_AT && !pad->fired)
        press_key(session, SDLK_e);
    pad->fired = left >= FIRES_AT || (pad->fired && left > 0);
}

bool gamepad_handle(Session *session, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_CONTROLLERDEVICEADDED:
        SDL_GameControllerOpen(event->cdevice.which);
        return false;
    case SDL_CONTROLLERDEVICEREMOVED:
        SDL_GameControllerClose(SDL_GameControllerFromInstanceID(event->cdevice.which));
        SDL_zero(session->gamepad.axes);
        return false;
    case SDL_CONTROLLERAXISMOTION:
        turn_axis(session, &event->caxis);
        break;
    case SDL_CONTROLLERBUTTONDOWN:
        press_button(session, event->cbutton.button);
        break;
    default:
        return false;
    }
    session->hand.touched = session->hand.touched || gamepad_uses(event);
    return true;
}

static void move_cursor(Session *session, float dx, float dy)
{
    SessionHand *hand = &session->hand;
    const float width = (float)session->window.width, height = (float)session->window.height;
    if (dx == 0.0f && dy == 0.0f)
        return;
    hand->x = fminf(fmaxf(hand->x + dx * height, 0), width - 1);
    hand->y = fminf(fmaxf(hand->y + dy * height, 0), height - 1);
    hand->inside = hand->moved = true;
}

/* Begins a stroke, whose strength follows the trigger, and ends it. */
static void stroke(Session *session, float trigger)
{
    Gamepad *pad = &session->gamepad;
    if (trigger > 0 && !pad->strokes && session->hand.stroke.drag == DRAG_NONE) {
        pad->strokes = true;
        session->hand.inside = session->hand.moved = true;
        hand_press(session);
    }
    if (!pad->strokes)
        return;
    session->world.brush.pressure = trigger > 0 ? trigger : 1;
    if (trigger <= 0) {
        pad->strokes = false;
        hand_release(session);
    }
}

void gamepad_turn(Session *session)
{
    Gamepad *pad = &session->gamepad;
    const float *axes = pad->axes;
    const double since = pad->turned > 0 ? session->now - pad->turned : 0;
    const float seconds = (float)fmin(fmax(since, 0), FRAME_LONGEST);
    const float dx = CAMERA_SPEED * seconds * axes[SDL_CONTROLLER_AXIS_RIGHTX],
                dy = CAMERA_SPEED * seconds * axes[SDL_CONTROLLER_AXIS_RIGHTY];
    pad->turned = session->now;
    move_cursor(session, CURSOR_SPEED * seconds * axes[SDL_CONTROLLER_AXIS_LEFTX],
                CURSOR_SPEED * seconds * axes[SDL_CONTROLLER_AXIS_LEFTY]);
    if (dx != 0.0f || dy != 0.0f) {
        camera_control_orbit(&session->world.camera_control, &session->world.render.camera, dx, dy);
        session->hand.moved = session->picture.redraw = true;
    }
    stroke(session, axes[SDL_CONTROLLER_AXIS_TRIGGERRIGHT]);
}
