/* SPDX-License-Identifier: MIT
 *
 * The scene that plays, its simulation, and the change to another scene. The change takes several
 * frames, in which the window does not stop. */
#ifndef APP_WORLD_H
#define APP_WORLD_H

#include "brush.h"
#include "camera_control.h"
#include "scene_write.h"
#include "sim_thread.h"

/* Most plays at a time: the present one, those of older snapshots, and those of settings that wait
 * in the queue. */
enum { WORLD_PLAYS_MAX = 32 };

typedef struct WorldPlay {
    ScenePlay *play;
    uint64_t serial; /* serial of its settings; 0: the play of the start */
} WorldPlay;

/* The contents of a checkpoint, besides its scene. */
typedef struct WorldTaken {
    ScenePlay *play; /* NULL: there is no checkpoint */
    BillowDef def;
    void *state;
    size_t bytes;
} WorldTaken;

typedef struct World {
    SceneRequest request;  /* the command line's; its grid and overrides apply to every scene */
    char from[512];        /* name or path of the scene that plays or comes next */
    Scene opened;          /* the same scene as it was loaded last, before later edits */
    char checkpoint[512];  /* checkpoint that the simulation started from; empty: none */
    int threads;           /* BillowDef.threads */
    bool exact;            /* value of SIM_EXACT */
    double past_bytes;     /* value of SIM_MEMORY */
    double speed;          /* value of SIM_SPEED; 0 means 1 */
    Scene scene;           /* the scene that plays */
    RenderSettings render; /* the scene's settings, with the user's camera */
    RenderCamera timed;    /* camera of the timeline at the last frame */
    WorldPlay plays[WORLD_PLAYS_MAX]; /* oldest first */
    int play_count;
    uint64_t settings;    /* serial of the newest settings */
    SimThread *sim;       /* NULL, without plays: the last change failed */
    SimRecording *script; /* recording that the simulation replays; NULL: none */
    CameraControl camera_control;
    Brush brush;
    bool changing; /* the present simulation ends, and `next` starts then */
    Scene next;
    WorldTaken taken; /* checkpoint that `next` starts from */
    bool keep_view;   /* `next` starts with the present camera */
    bool keep_pause;  /* `next` starts paused where the present simulation is */
    bool has_good;    /* `good` is valid */
    Scene good;       /* scene to fall back to if `next` fails to start */
    char why[256];    /* reason why the simulation starts again; empty: the user asked for it */
    uint64_t steps_before; /* steps of all earlier simulations */
    SimClock clock_before; /* sum of the clocks of all earlier simulations */
} World;

typedef enum WorldEvent {
    WORLD_NOTHING,
    WORLD_CHANGED,  /* the new scene's simulation has started */
    WORLD_RETURNED, /* the new scene failed to start; the scene before has started again */
    WORLD_FAILED    /* the new scene failed to start; nothing plays */
} WorldEvent;

/* Opens the first scene and waits until its simulation exists. checkpoint: start from this file
 * instead of the request's scene; NULL: none. */
bool world_open(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                bool exact, BillowError *error);
void world_close(World *world);

/* These three set a value for the present simulation and all later ones: whether each step takes
 * all pressure cycles, memory for stored states in bytes, and speed. */
void world_set_exact(World *world, bool exact);
void world_set_memory(World *world, double bytes);
void world_set_speed(World *world, double speed);

/* Plays the present scene from its beginning. */
void world_reset(World *world);
/* Replays a recording from now on, once for each simulation. The world frees the recording when the
 * simulation ends. NULL is fine. */
void world_replay(World *world, SimRecording *script);

/* Starts the change to a scene, by name or path, or to a checkpoint. Returns false with a message,
 * and changes nothing, where that cannot be loaded. */
bool world_change(World *world, const char *name, BillowError *error);
/* Plays another scene, usually the present one with other values. The smoke stays where that is
 * possible. Otherwise the simulation starts again: world->why contains the reason, and world_poll
 * returns WORLD_CHANGED. The camera stays unless the two scenes' cameras differ. difference may be
 * NULL. Returns false with a message, and changes nothing, where the scene cannot be played. */
bool world_apply(World *world, const Scene *scene, SceneDifference *difference, BillowError *error);
/* Does the same for a scene whose files may have changed: its shapes are made again. */
bool world_reload(World *world, const Scene *scene, SceneDifference *difference,
                  BillowError *error);
/* Starts the change to a scene that played before, with its values and its camera of that time.
 * from and opened: World's members of that time. */
bool world_go_back(World *world, const Scene *scene, const Scene *opened, const char *from,
                   BillowError *error);
/* The scene that plays, or during a change the next scene. */
const Scene *world_scene(const World *world);

/* Continues a change. Call it every frame. */
WorldEvent world_poll(World *world, BillowError *error);

/* Sets the render settings by the scene's timeline at a time, s. A camera that the user moved
 * stays.
 */
void world_look_at(World *world, double time);

const SimSnapshot *world_snapshot(World *world); /* NULL: there is none */

/* Time of this and all earlier simulations. */
SimClock world_clock(World *world);

#endif
