/* SPDX-License-Identifier: MIT
 *
 * The window's keys: one table that both the events and the help use. A test compares the manual's
 * list with it. A new key needs a row in keys.c, beside related keys, and a function in the file of
 * its subject. */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "session.h"
#include <SDL.h>

enum { KEYS_HELP_MAX = 64, KEYS_SCENES_LENGTH = 160 };

/* Modifiers that a row requires. The first matching row counts. Shift is allowed with any key, so a
 * row that requires Shift must precede a row of the same key that does not. */
typedef enum KeyHold { KEY_SHIFT = 1, KEY_CTRL = 2 } KeyHold;

typedef struct KeyRow {
    const char *shown;      /* the key's name in the help; NULL: the row above covers this one */
    const char *does;       /* description in the help */
    SDL_Keycode key;        /* key code; 0: none */
    SDL_Scancode place;     /* position on the keyboard, independent of the layout; 0: none */
    int count;              /* number of neighbouring keys, whose arguments count up; 0 means 1 */
    int hold;               /* KeyHold, added up */
    bool repeats;           /* repeats while the key is held */
    bool refused_in_kiosk;  /* refused in a kiosk, as it leaves the window or writes files */
    bool unlisted_in_kiosk; /* works in a kiosk but is not listed in its help */
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
    OverlayRow rows[KEYS_HELP_MAX]; /* ends with a NULL key; some rows point to the texts below */
    char digits[16], scenes[KEYS_SCENES_LENGTH];
} KeyHelp;

/* kiosk: leaves out what a kiosk refuses. */
void keys_fill_help(KeyHelp *help, bool kiosk);

#endif
