/* SPDX-License-Identifier: MIT */
#include "app/keys.h"

#include "app/actions.h"
#include "app/input.h"
#include "app/panel.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static const KeyRow rows[] = {
    {.shown = "left drag", .does = "brush the smoke; on a solid, move or throw that"},
    {.shown = "ctrl wheel",
     .does = "move the brush farther, nearer; in a stroke, the wheel alone does"},
    {.shown = "right drag", .does = "turn the view"},
    {.shown = "middle drag", .does = "move the view"},
    {.shown = "wheel", .does = "nearer, farther"},

    {.shown = "space", .does = "pause, go on", .key = SDLK_SPACE, .act = action_pause},
    {.shown = "<  >",
     .does = "slower, faster, from 1/8 to twice the clock's speed",
     .key = SDLK_COMMA,
     .hold = KEY_SHIFT,
     .act = action_speed,
     .argument = -1},
    {.key = SDLK_PERIOD, .hold = KEY_SHIFT, .act = action_speed, .argument = 1},
    {.key = SDLK_LESS, .hold = KEY_SHIFT, .act = action_speed, .argument = 1},
    {.key = SDLK_LESS, .act = action_speed, .argument = -1},
    {.shown = ".", .does = "one step", .key = SDLK_PERIOD, .repeats = true, .act = action_step},
    {.key = SDLK_KP_PERIOD, .repeats = true, .act = action_step},
    {.shown = "Backspace",
     .does = "hold to go back in time, by 10 s or more",
     .key = SDLK_BACKSPACE,
     .act = action_rewind},
    {.shown = "left, right",
     .does = "pause, and go back or forward by one stored state",
     .key = SDLK_LEFT,
     .repeats = true,
     .act = action_seek,
     .argument = -1},
    {.key = SDLK_RIGHT, .repeats = true, .act = action_seek, .argument = 1},
    {.shown = "R",
     .does = "clear the smoke: start the scene again",
     .key = SDLK_r,
     .act = action_reset},

    {.shown = "1 ... 9",
     .does = "scene",
     .key = SDLK_1,
     .place = SDL_SCANCODE_1,
     .count = 9,
     .act = action_scene},
    {.place = SDL_SCANCODE_KP_1, .count = 9, .act = action_scene},
    {.shown = "0",
     .does = "scene: play, with fire and colours, where every tool works",
     .key = SDLK_0,
     .place = SDL_SCANCODE_0,
     .act = action_scene_to_play},
    {.place = SDL_SCANCODE_KP_0, .act = action_scene_to_play},
    {.shown = "PgUp, PgDn",
     .does = "previous, next built-in scene",
     .key = SDLK_PAGEUP,
     .act = action_next_scene,
     .argument = -1},
    {.key = SDLK_PAGEDOWN, .act = action_next_scene, .argument = 1},

    {.shown = "B",
     .does = "the brush",
     .key = SDLK_b,
     .hold = KEY_SHIFT,
     .act = hand_next_tool,
     .argument = -1},
    {.key = SDLK_b, .act = hand_next_tool, .argument = 1},
    {.shown = "Q  W  A  S",
     .does = "make the brush smaller, larger, weaker, stronger",
     .key = SDLK_q,
     .repeats = true,
     .act = hand_resize,
     .argument = -1},
    {.key = SDLK_w, .repeats = true, .act = hand_resize, .argument = 1},
    {.key = SDLK_a, .repeats = true, .act = hand_strengthen, .argument = -1},
    {.key = SDLK_s, .repeats = true, .act = hand_strengthen, .argument = 1},
    {.shown = "H",
     .does = "next colour of the brush (shift: previous)",
     .key = SDLK_h,
     .hold = KEY_SHIFT,
     .act = hand_next_color,
     .argument = -1},
    {.key = SDLK_h, .act = hand_next_color, .argument = 1},

    {.shown = "L",
     .does = "handles on emitters, lamps and the sun",
     .key = SDLK_l,
     .act = hand_toggle_handles},

    {.shown = "E", .does = "detonate at the cursor", .key = SDLK_e, .act = action_detonate},
    {.shown = "P",
     .does = "all pressure cycles, or as many as keep up with the clock",
     .key = SDLK_p,
     .act = action_exact},
    {.shown = "T", .does = "turntable", .key = SDLK_t, .act = action_turntable},
    {.shown = "F2",
     .does = "start the show; any key ends it",
     .key = SDLK_F2,
     .act = attract_play_now},
    {.shown = "G",
     .does = "print a command that shows the same view",
     .key = SDLK_g,
     .act = action_print_view},
    {.shown = "O", .does = "outline of the box", .key = SDLK_o, .act = action_outline},

    {.shown = "F",
     .does = "slice: next field (shift: previous)",
     .key = SDLK_f,
     .hold = KEY_SHIFT,
     .act = action_slice_field,
     .argument = -1},
    {.key = SDLK_f, .act = action_slice_field, .argument = 1},
    {.shown = "[  ]  X  C",
     .does = "move the slice back, forth; its axis; contours",
     .key = SDLK_LEFTBRACKET,
     .place = SDL_SCANCODE_LEFTBRACKET,
     .repeats = true,
     .act = action_slice_move,
     .argument = -1},
    {.key = SDLK_RIGHTBRACKET,
     .place = SDL_SCANCODE_RIGHTBRACKET,
     .repeats = true,
     .act = action_slice_move,
     .argument = 1},
    {.key = SDLK_x, .act = action_slice_axis},
    {.key = SDLK_c, .act = action_slice_contours},

    {.shown = "Tab",
     .does = "panel: every value of the scene, graphs, slices, scenes",
     .key = SDLK_TAB,
     .act = action_panel},
    {.shown = "Ctrl F",
     .does = "find a value in the panel",
     .key = SDLK_f,
     .hold = KEY_CTRL,
     .act = action_search},
    {.shown = "Ctrl Z, Ctrl Y",
     .does = "undo a change of the scene's values, or go back to a changed scene; redo",
     .key = SDLK_z,
     .hold = KEY_CTRL | KEY_SHIFT,
     .act = action_redo},
    {.key = SDLK_z, .hold = KEY_CTRL, .repeats = true, .act = action_undo},
    {.key = SDLK_y, .hold = KEY_CTRL, .repeats = true, .act = action_redo},
    {.shown = "Ctrl S",
     .does = "save the scene to a file",
     .key = SDLK_s,
     .hold = KEY_CTRL,
     .refused_in_kiosk = true,
     .act = action_save},

    {.shown = "F5, F9",
     .does = "save a checkpoint of the smoke, go back to it",
     .key = SDLK_F5,
     .refused_in_kiosk = true,
     .act = action_checkpoint},
    {.key = SDLK_F9, .refused_in_kiosk = true, .act = action_restore},

    {.shown = "F12",
     .does = "screenshot",
     .key = SDLK_F12,
     .refused_in_kiosk = true,
     .act = action_screenshot},
    {.shown = "F10",
     .does = "video: start, stop; the simulation waits for its frames",
     .key = SDLK_F10,
     .refused_in_kiosk = true,
     .act = recording_toggle},
    {.shown = "F11",
     .does = "full screen",
     .key = SDLK_F11,
     .refused_in_kiosk = true,
     .act = action_full_screen},
    {.shown = "U", .does = "hide or show all texts", .key = SDLK_u, .act = action_hide},
    {.shown = "F1", .does = "this help", .key = SDLK_F1, .act = action_help},
    {.shown = "Esc, Ctrl+Q",
     .does = "quit; Esc first closes this help, and asks",
     .key = SDLK_ESCAPE,
     .unlisted_in_kiosk = true,
     .act = action_leave},
    {.key = SDLK_q, .hold = KEY_CTRL, .act = action_quit},
};

static const int row_count = sizeof rows / sizeof rows[0];
static_assert(sizeof rows / sizeof rows[0] < KEYS_HELP_MAX, "the help has room for all keys");

const KeyRow *keys_row(int index)
{
    return index >= 0 && index < row_count ? &rows[index] : NULL;
}

/* Returns the index of a key among the neighbouring keys of a row; -1 if the row does not have it.
 */
static int key_within(const KeyRow *row, const SDL_Keysym *key)
{
    int count = row->count > 0 ? row->count : 1;
    int by_letter = (int)(key->sym - row->key), by_place = (int)key->scancode - (int)row->place;
    if (row->key != 0 && by_letter >= 0 && by_letter < count)
        return by_letter;
    if (row->place != 0 && by_place >= 0 && by_place < count)
        return by_place;
    return -1;
}

const KeyRow *keys_find(const SDL_Keysym *key, int *argument)
{
    bool shift = (key->mod & KMOD_SHIFT) != 0, ctrl = (key->mod & KMOD_CTRL) != 0;
    if ((key->mod & (KMOD_ALT | KMOD_GUI)) != 0)
        return NULL;
    for (int i = 0; i < row_count; i++) {
        const KeyRow *row = &rows[i];
        int within = row->act != NULL ? key_within(row, key) : -1;
        if (within < 0 || ((row->hold & KEY_CTRL) != 0) != ctrl ||
            ((row->hold & KEY_SHIFT) != 0 && !shift))
            continue;
        *argument = row->argument + within;
        return row;
    }
    return NULL;
}

bool keys_press(Session *session, const SDL_KeyboardEvent *event)
{
    int argument;
    const KeyRow *row = keys_find(&event->keysym, &argument);
    if (row == NULL)
        return false;
    if (row->refused_in_kiosk && kiosk_refuses(session))
        return true;
    if (!event->repeat || row->repeats)
        row->act(session, argument);
    return true;
}

/* Writes the digit keys and the names of their scenes into a row of the help. */
static void name_scenes(KeyHelp *help, OverlayRow *row)
{
    static const char lead[] = "scene: ";
    const size_t length = sizeof lead - 1;
    memcpy(help->scenes, lead, length);
    int count = action_list_scenes(help->scenes + length, sizeof help->scenes - length);
    snprintf(help->digits, sizeof help->digits, count == 2 ? "1, %d" : "1 ... %d", count);
    *row = (OverlayRow){help->digits, help->scenes};
}

/* Writes the names of the tools into a row of the help. */
static void name_tools(KeyHelp *help, OverlayRow *row)
{
    char names[sizeof help->tools - 32];
    brush_list_tools(names, sizeof names);
    snprintf(help->tools, sizeof help->tools, "%s: %s (shift: back)", row->does, names);
    row->does = help->tools;
}

void keys_fill_help(KeyHelp *help, bool kiosk)
{
    int count = 0;
    for (int i = 0; i < row_count; i++) {
        if (rows[i].shown == NULL ||
            (kiosk && (rows[i].refused_in_kiosk || rows[i].unlisted_in_kiosk)))
            continue;
        help->rows[count] = (OverlayRow){rows[i].shown, rows[i].does};
        if (rows[i].act == action_scene)
            name_scenes(help, &help->rows[count]);
        else if (rows[i].act == hand_next_tool)
            name_tools(help, &help->rows[count]);
        count++;
    }
    help->rows[count] = (OverlayRow){0, 0};
}
