/* SPDX-License-Identifier: MIT
 *
 * The scene being played and the simulation that runs it, and the change to another, during which
 * the window goes on answering. */
#ifndef APP_WORLD_H
#define APP_WORLD_H

#include "brush.h"
#include "camera_control.h"
#include "scene_difference.h"
#include "sim_thread.h"

/* What the simulation plays now or did until it took over newer settings, what it may be taking
 * over, and what waits for it. */
enum { WORLD_PLAYS_MAX = 32 };

typedef struct WorldPlay {
    ScenePlay *play;
    uint64_t serial; /* of the settings that brought it; 0: it was there at the start */
} WorldPlay;

/* What a checkpoint had beside its scene; play NULL: nothing. */
typedef struct WorldTaken {
    ScenePlay *play;
    BillowDef def;
    void *state;
    size_t bytes;
} WorldTaken;

typedef struct World {
    SceneRequest request; /* as the person asked; its grid and overrides hold for every scene */
    char from[512];       /* name or path of the scene that plays or is changed to, */
    Scene opened;         /* and that scene as it was opened so last; */
    char checkpoint[512]; /* what the simulation went on from; empty: it began */
    int threads;          /* for BillowDef.threads */
    bool exact;           /* for sim_thread_exact */
    double past_bytes;    /* for sim_thread_remember, */
    double speed;         /* and sim_thread_speed; 0 is 1 */
    Scene scene;
    RenderSettings render;            /* the scene's, with the camera where the person put it */
    WorldPlay plays[WORLD_PLAYS_MAX]; /* oldest first */
    int play_count;
    uint64_t settings; /* serial of those given last, */
    uint64_t shown;    /* and of those that the last snapshot asked for holds, whose shapes stay */
    RenderCamera
        timed;      /* where the timeline had the camera last: it leads it until the person does */
    SimThread *sim; /* NULL, without plays, where the last change failed */
    CameraControl camera_control;
    Brush brush;
    Scene next;       /* what is changed to, */
    WorldTaken taken; /* and, where it is a checkpoint's, what it goes on from */
    bool changing, keep_view, keep_pause; /* view: the camera stays where it is */
    Scene good;                           /* which was given up for the one that begins, */
    bool has_good;                        /* and is begun again where that cannot begin */
    char why[256];         /* the simulation begins anew though nobody asked for it; or empty */
    uint64_t steps_before; /* steps of the simulations before this one, */
    SimClock clock_before; /* and their time, as far as it was shown */
} World;

typedef enum WorldEvent {
    WORLD_NOTHING,
    WORLD_CHANGED,  /* the next scene's simulation was started */
    WORLD_RETURNED, /* it could not be made; the one before it was started again */
    WORLD_FAILED    /* it could not be made; the world stands still */
} WorldEvent;

/* Opens the first scene and waits until its simulation exists. */
bool world_open(World *world, const SceneRequest *request, int threads, bool exact,
                BillowError *error);
/* The same from a checkpoint; request: for later scenes. */
bool world_open_from(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                     bool exact, BillowError *error);
void world_close(World *world);

/* Whether every step takes all the pressure cycles that its scene allows, this and later ones. */
void world_set_exact(World *world, bool exact);

/* Likewise the memory for the past; how fast time goes. */
void world_remember(World *world, double bytes);
void world_set_speed(World *world, double speed);

/* The scene that plays, as it is now, from its beginning. */
void world_reset(World *world);
/* Begins the change to a built-in scene; where it cannot be loaded the present one stays. */
bool world_change(World *world, const char *name, BillowError *error);
/* The same to a checkpoint, from which the simulation goes on. */
bool world_resume(World *world, const char *checkpoint, BillowError *error);
/* Brings what runs to another scene, most often this one with other values: without a break and
 * with its smoke where that goes, and else, saying why in world->why, with a simulation anew, for
 * which world_poll says WORLD_CHANGED. The camera stays where it is unless the two scenes' cameras
 * differ. difference may be NULL. False, with a message and nothing changed, where the scene cannot
 * be played. */
bool world_apply(World *world, const Scene *scene, SceneDifference *difference, BillowError *error);

/* The same where files that the scene names may have changed: its shapes are made anew. */
bool world_reload(World *world, const Scene *scene, SceneDifference *difference,
                  BillowError *error);
/* Begins the change to a scene that played before, with the values it had and its own view. from
 * and opened: as they were in the world then. */
bool world_go_back(World *world, const Scene *scene, const Scene *opened, const char *from,
                   BillowError *error);
/* The scene that plays, or is changed to. */
const Scene *world_scene(const World *world);

/* Drives the change: to be called every frame. */
WorldEvent world_poll(World *world, BillowError *error);

/* The look as the scene's timeline has it at a time; but the camera stays where a person put it. */
void world_look_at(World *world, double time);

const SimSnapshot *world_snapshot(World *world); /* NULL while there is none */

/* What became of the clock's time in this and all simulations before. */
SimClock world_clock(World *world);

#endif
