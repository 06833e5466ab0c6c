/* SPDX-License-Identifier: MIT
 *
 * Things that the user places in the scene: emitters, solids, forces and lamps. A thing is chosen
 * in the panel, in its search, or in the menu at the cursor. The next press places it where the
 * cursor's ray meets a solid, the floor, or the plane through the middle of the box that faces the
 * camera. */
#ifndef APP_PLACING_H
#define APP_PLACING_H

#include "app/gizmo.h"
#include "scene/scene_keys.h"

typedef struct Session Session;

typedef struct Thing {
    const char *list; /* to which it is added, such as "emitters" */
    const char *name; /* given to the entry, such as "ball" */
    const char *add;  /* words of its button: "add a ball" */
    const char *also; /* more words by which the search finds it */
} Thing;

/* Returns a kind of thing; NULL after the last. */
const Thing *placing_thing(int index);
/* Whether each of the words is in the words of a thing. */
bool placing_finds(const Thing *thing, const char *words);

/* An entry that waits for its place. */
typedef struct Placing {
    const SceneList *list; /* NULL: nothing is being placed */
    union {
        BillowEmitter emitter;
        BillowSolid solid;
        BillowForce force;
        RenderLamp lamp;
    } entry;
    SceneForm form;
    SceneName name;
    float stands; /* height of the entry's centre above what it stands on, m */
    bool found;   /* whether the cursor's ray meets the box; the entry then has its position */
} Placing;

/* The menu at the cursor. */
typedef struct PlacingMenu {
    bool asked;  /* opens in the next frame */
    Gizmo thing; /* the thing that was at the cursor */
} PlacingMenu;

/* Starts to place a thing in the scene that the panel shows. If the scene has no room for it, or
 * the thing would do nothing there, a message says so. */
void placing_begin(Session *session, int thing);
/* Starts to place a copy of an entry. */
void placing_begin_copy(Session *session, const SceneList *list, int index);
/* Moves the entry to the cursor. Returns false if nothing is being placed. Call it every frame. */
bool placing_follow(Session *session);
/* Adds the entry to the scene where the cursor is. Returns false if nothing is being placed. */
bool placing_press(Session *session);
/* Returns false if nothing is being placed. */
bool placing_give_up(Session *session);
/* Removes an entry of the scene that the panel shows, and says so. */
void placing_remove(Session *session, const SceneList *list, int index);
/* Returns what a press and Esc do meanwhile; NULL: nothing is being placed. */
const char *placing_hint(Session *session);
/* Draws the entry at the cursor. */
void placing_mark(const Placing *placing, Marks *marks);

/* Names the thing whose handle is at the cursor, or is dragged. Returns false if there is none. */
bool placing_label(const Session *session, OverlayLabel *label);

/* Opens the menu at the cursor: the things to add, and what can be done with the thing there. */
void placing_open_menu(Session *session);
/* Draws the menu while it is open. */
void placing_show_menu(Session *session);
/* Draws a button for each thing that has the words; empty: for all. Returns their number. */
int placing_show_things(Session *session, const char *words);

/* Functions that the table of keys calls. */
void action_add(Session *session);
void action_remove(Session *session);

#endif
