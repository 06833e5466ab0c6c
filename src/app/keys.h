/* SPDX-License-Identifier: MIT
 *
 * The window's keys: one table of what each is, does and is called, that events go through and the
 * help on the screen is made of. The README's list is tested against it.
 *
 * A new key is a new row in keys.c beside what it belongs to, and a function on the session, in the
 * file of its subject. */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "session.h"
#include <SDL.h>

enum { KEYS_HELP_MAX = 64, KEYS_SCENES_LENGTH = 160 };

/* What has to be held with a key. Shift may be held with any, but rows that want it come before
 * those of the same key that do not: the first that fits is taken. */
typedef enum KeyHold { KEY_SHIFT = 1, KEY_CTRL = 2 } KeyHold;

typedef struct KeyRow {
    const char *shown; /* in the help; NULL: the row above speaks for this one too */
    const char *does;
    SDL_Keycode key;    /* by its letter; 0: by place alone, or no key at all, */
    SDL_Scancode place; /* or by its place, where the layout has another letter there; 0: not */
    int count;          /* so many keys from this on, 0 as 1: the argument grows with them */
    int hold;           /* of KeyHold */
    bool repeats;       /* while it is held */
    bool keeper;        /* not for visitors of a kiosk: it leaves the window or writes files */
    bool untold;        /* likewise not in their help, though it does something for them */
    void (*act)(Session *session, int argument); /* NULL: for the help alone */
    int argument;
} KeyRow;

/* The row that an event of a key means, NULL where none does, and what to call it with. */
const KeyRow *keys_find(const SDL_Keysym *key, int *argument);
/* Does what the key is for. False: it is no key of the window's. */
bool keys_press(Session *session, const SDL_KeyboardEvent *event);

const KeyRow *keys_row(int index); /* NULL past the last */

/* All keys and what they do. */
typedef struct KeyHelp {
    OverlayRow rows[KEYS_HELP_MAX]; /* ends with a NULL key; some point to the words below */
    char digits[16], scenes[KEYS_SCENES_LENGTH];
} KeyHelp;

/* kiosk: without what that refuses. */
void keys_fill_help(KeyHelp *help, bool kiosk);

#endif
