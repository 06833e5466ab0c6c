/* SPDX-License-Identifier: MIT
 *
 * The window's keys: one table that both the events and the help use. A test compares the manual's
 * list with it. A new key needs a row in keys.c, beside related keys, and a function there or in
 * the file of its subject. If no simulation could be started, functions that need one do nothing.
 */
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include "app/session.h"
#include <SDL.h>

enum { KEYS_HELP_MAX = 80, KEYS_SCENES_LENGTH = 160, KEYS_TOOLS_LENGTH = 160 };

/* What a row requires and how it acts. The first row that matches is used. A row without KEY_SHIFT
 * also matches while Shift is held. A row that requires KEY_SHIFT must therefore come before a row
 * of the same key without it. */
typedef enum KeyFlag {
    KEY_SHIFT = 1,
    KEY_CTRL = 2,
    KEY_REPEATS = 4,           /* acts again and again while the key is held */
    KEY_REFUSED_IN_KIOSK = 8,  /* because it leaves the window or writes files */
    KEY_UNLISTED_IN_KIOSK = 16 /* works in a kiosk, but the kiosk's help omits it */
} KeyFlag;

typedef struct KeyRow {
    const char *shown; /* the key's name in the help; NULL: not listed, because the row above
                          describes this key too */
    const char *does;  /* description in the help */
    SDL_Keycode key;   /* key code; 0: none */
    int flags;         /* KeyFlag, added up */
    void (*act)(Session *session); /* NULL, and `act_by`, too: the row only appears in the help */
    void (*act_by)(Session *session, int argument);
    int argument;
    SDL_Scancode place; /* position on the keyboard, whatever the layout; 0: none */
    int count;          /* neighbouring keys of this row; the argument grows by 1 from key to key */
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

/* Clears the smoke, and starts the scene again. */
void action_reset(Session *session);

/* Call this every frame. Ends going back in time when the key is released, shows the time reached,
 * and turns the turntable. */
void time_control_follow(Session *session);

/* Makes a command that reproduces the current view and all changed values, in the form
 * "billow run plume --set camera.azimuth=12.5 ...". The command contains the scene as it was
 * opened, the command line's changes, the slice, the camera, and every value that differs from the
 * opened scene. *lost: receives the number of differences that `--set` cannot express. Returns NULL
 * with a message if memory is short. The caller frees the command. */
char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error);

#endif
