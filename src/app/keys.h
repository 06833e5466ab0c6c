/* SPDX-License-Identifier: MIT
 *
 * The window's keys: one table, from which events are handled and the help is made. A test compares
 * the manual's list with it.
 *
 * A new key is a new row in keys.c, beside related ones, and a function in the file of its subject.
 */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "session.h"
#include <SDL.h>

enum { KEYS_HELP_MAX = 64, KEYS_SCENES_LENGTH = 160 };

/* What has to be held with a key. The first row that fits is taken. Shift may be held with any key,
 * so a row that wants Shift comes before one of the same key that does not. */
typedef enum KeyHold { KEY_SHIFT = 1, KEY_CTRL = 2 } KeyHold;

typedef struct KeyRow {
    const char *shown;  /* the key's name in the help; NULL: the row above covers this one */
    const char *does;   /* what it does, in the help */
    SDL_Keycode key;    /* the key by its letter; 0: none */
    SDL_Scancode place; /* the key by its place, whatever letter the layout has there; 0: none */
    int count;          /* of neighbouring keys, whose arguments count up; 0 means 1 */
    int hold;           /* KeyHold, added up */
    bool repeats;       /* acts again while the key is held */
    bool keeper;        /* refused in a kiosk: it leaves the window or writes files */
    bool untold;        /* works in a kiosk, but is left out of the help there */
    void (*act)(Session *session, int argument); /* NULL: the row is for the help alone */
    int argument;
} KeyRow;

/* The row of a key and the argument for its function; NULL: the key has none. */
const KeyRow *keys_find(const SDL_Keysym *key, int *argument);
/* Does what the key is for. False: the window does not use the key. */
bool keys_press(Session *session, const SDL_KeyboardEvent *event);

const KeyRow *keys_row(int index); /* NULL past the last */

/* The text of the help. */
typedef struct KeyHelp {
    OverlayRow rows[KEYS_HELP_MAX]; /* ends with a NULL key; some point to the words below */
    char digits[16], scenes[KEYS_SCENES_LENGTH];
} KeyHelp;

/* kiosk: leaves out what a kiosk refuses. */
void keys_fill_help(KeyHelp *help, bool kiosk);

#endif
