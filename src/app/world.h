/* SPDX-License-Identifier: MIT
 *
 * The scene being played and the simulation that runs it, and the change to another, during which
 * the window goes on answering. */
#ifndef APP_WORLD_H
#define APP_WORLD_H

#include "brush.h"
#include "camera_control.h"
#include "scene_play.h"
#include "sim_thread.h"

typedef struct World {
    SceneRequest request; /* as the person asked; its grid and overrides hold for every scene */
    int threads;          /* for BillowDef.threads */
    bool exact;           /* for sim_thread_exact */
    Scene scene;
    Look look; /* the scene's, with the camera where the person put it */
    ScenePlay *play;
    LookCamera timed;   /* where the timeline had the camera last: it leads it until the person does */
    SimThread *sim; /* NULL, as play, where the last change failed */
    CameraControl camera_control;
    Brush brush;
    Scene next; /* what is changed to */
    bool changing;
    uint64_t steps_before; /* steps of the simulations before this one */
} World;

typedef enum WorldEvent {
    WORLD_NOTHING,
    WORLD_CHANGED, /* the next scene's simulation was started */
    WORLD_FAILED   /* it could not be made; the world stands still */
} WorldEvent;

/* Opens the first scene and waits until its simulation exists. */
bool world_open(World *world, const SceneRequest *request, int threads, bool exact,
                BillowError *error);
void world_close(World *world);

/* Whether every step takes all the pressure cycles that its scene allows, this and later ones. */
void world_set_exact(World *world, bool exact);

/* Begins the change to a built-in scene; where it cannot be loaded the present one stays. */
bool world_change(World *world, const char *name, BillowError *error);
/* Drives the change: to be called every frame. */
WorldEvent world_poll(World *world, BillowError *error);

/* The look as the scene's timeline has it at a time; but the camera stays where a person put it. */
void world_look_at(World *world, double time);

const SimSnapshot *world_snapshot(World *world); /* NULL while there is none */

#endif
