/* SPDX-License-Identifier: MIT
 *
 * The window's keys: one table that both the events and the help use. A test compares the manual's
 * list with it. A new key needs a row in keys.c, beside related keys, and a function in the file of
 * its subject. */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "app/session.h"
#include <SDL.h>

enum { KEYS_HELP_MAX = 64, KEYS_SCENES_LENGTH = 160, KEYS_TOOLS_LENGTH = 160 };

/* Modifiers that a row requires. The first row that matches is used. A row without KEY_SHIFT also
 * matches while Shift is held. A row that requires KEY_SHIFT must therefore come before a row of
 * the same key without it. */
typedef enum KeyHold { KEY_SHIFT = 1, KEY_CTRL = 2 } KeyHold;

typedef struct KeyRow {
    const char *shown;  /* the key's name in the help; NULL: not listed, because the row above
                           describes this key too */
    const char *does;   /* description in the help */
    SDL_Keycode key;    /* key code; 0: none */
    SDL_Scancode place; /* position on the keyboard, whatever the layout; 0: none */
    int count; /* number of neighbouring keys of this row; 0 means 1. The argument grows by 1 from
                  key to key. */
    int hold;  /* KeyHold, added up */
    bool repeats;           /* act again and again while the key is held */
    bool refused_in_kiosk;  /* refused in a kiosk, because it leaves the window or writes files */
    bool unlisted_in_kiosk; /* works in a kiosk, but the kiosk's help omits it */
    void (*act)(Session *session, int argument); /* NULL: the row only appears in the help */
    int argument;
} KeyRow;

/* Finds the row of a key and the argument for its function. NULL: no row has the key. */
const KeyRow *keys_find(const SDL_Keysym *key, int *argument);
/* Runs the function of a key. Returns false if no row has the key. */
bool keys_press(Session *session, const SDL_KeyboardEvent *event);

const KeyRow *keys_row(int index); /* NULL past the last */

/* The text of the help. */
typedef struct KeyHelp {
    OverlayRow rows[KEYS_HELP_MAX]; /* ends with a NULL key; some rows point to the texts in
                                       `digits`, `scenes` and `tools` */
    char digits[16], scenes[KEYS_SCENES_LENGTH], tools[KEYS_TOOLS_LENGTH];
} KeyHelp;

/* Fills the text of the help. kiosk: omit the keys that a kiosk refuses or does not list. */
void keys_fill_help(KeyHelp *help, bool kiosk);

#endif
