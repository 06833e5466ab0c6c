/* SPDX-License-Identifier: MIT
 *
 * The scene that plays, the simulation that runs it, and the change to another scene. The window
 * goes on answering during the change. */
#ifndef APP_WORLD_H
#define APP_WORLD_H

#include "brush.h"
#include "camera_control.h"
#include "scene_difference.h"
#include "sim_thread.h"

/* Plays that exist at a time, at most: the one in use, those of older snapshots, and those of
 * settings that wait. */
enum { WORLD_PLAYS_MAX = 32 };

typedef struct WorldPlay {
    ScenePlay *play;
    uint64_t serial; /* of its settings; 0: the play of the start */
} WorldPlay;

/* What a checkpoint holds besides its scene. */
typedef struct WorldTaken {
    ScenePlay *play; /* NULL: there is no checkpoint */
    BillowDef def;
    void *state;
    size_t bytes;
} WorldTaken;

typedef struct World {
    SceneRequest request;  /* of the command line; its grid and overrides hold for every scene */
    char from[512];        /* name or path of the scene that plays or is changed to */
    Scene opened;          /* that scene as it was opened last */
    char checkpoint[512];  /* checkpoint that the simulation started from; empty: none */
    int threads;           /* BillowDef.threads */
    bool exact;            /* SIM_EXACT */
    double past_bytes;     /* SIM_MEMORY */
    double speed;          /* SIM_SPEED; 0 means 1 */
    Scene scene;           /* the scene that plays */
    RenderSettings render; /* the scene's, with the camera where the person put it */
    WorldPlay plays[WORLD_PLAYS_MAX]; /* oldest first */
    int play_count;
    uint64_t settings; /* serial of the newest settings */
    uint64_t shown; /* serial of the settings of the newest snapshot, whose play is still in use */
    RenderCamera
        timed;      /* where the timeline had the camera last: it leads it until the person does */
    SimThread *sim; /* NULL, and no plays, where the last change failed */
    SimRecording *script; /* recording that the simulation replays; NULL: none */
    CameraControl camera_control;
    Brush brush;
    bool changing; /* to the scene `next` */
    Scene next;
    WorldTaken taken; /* the checkpoint that `next` starts from, if any */
    bool keep_view;   /* the camera stays where it is */
    bool keep_pause;  /* the new simulation is paused if the old one was */
    bool has_good;
    Scene good;            /* scene to fall back to if the new one fails to start */
    char why[256];         /* why the simulation starts again without being asked to; or empty */
    uint64_t steps_before; /* steps of all earlier simulations */
    SimClock clock_before; /* time of all earlier simulations */
} World;

typedef enum WorldEvent {
    WORLD_NOTHING,
    WORLD_CHANGED,  /* the new scene's simulation has started */
    WORLD_RETURNED, /* the new scene failed to start; the scene before has started again */
    WORLD_FAILED    /* the new scene failed to start; nothing plays */
} WorldEvent;

/* Opens the first scene and waits until its simulation exists. */
bool world_open(World *world, const SceneRequest *request, int threads, bool exact,
                BillowError *error);
/* Opens a checkpoint likewise. request holds for later scenes. */
bool world_open_from(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                     bool exact, BillowError *error);
void world_close(World *world);

/* Settings of this simulation and all later ones: whether every step takes all pressure cycles,
 * memory for states to go back to, speed. */
void world_set_exact(World *world, bool exact);

void world_remember(World *world, double bytes);
void world_set_speed(World *world, double speed);

/* Plays the present scene from its beginning. */
void world_reset(World *world);
/* Replays a recording from now on, once for each simulation. The world frees the recording when the
 * simulation ends. NULL is fine. */
void world_replay(World *world, SimRecording *script);
/* Begins the change to another scene, by name or path. Returns false with a message, and changes
 * nothing, where that cannot be loaded. */
bool world_change(World *world, const char *name, BillowError *error);
/* Begins the change to a checkpoint likewise. */
bool world_resume(World *world, const char *checkpoint, BillowError *error);
/* Plays another scene, usually the present one with other values. The smoke stays where that is
 * possible. Otherwise the simulation starts again: world->why says why, and world_poll returns
 * WORLD_CHANGED. The camera stays unless the two scenes' cameras differ. difference may be NULL.
 * Returns false with a message, and changes nothing, where the scene cannot be played. */
bool world_apply(World *world, const Scene *scene, SceneDifference *difference, BillowError *error);

/* Plays a scene whose files may have changed: its shapes are made again. */
bool world_reload(World *world, const Scene *scene, SceneDifference *difference,
                  BillowError *error);
/* Begins the change to a scene that played before, with the values and the view that it had. from
 * and opened: World's members of that time. */
bool world_go_back(World *world, const Scene *scene, const Scene *opened, const char *from,
                   BillowError *error);
/* The scene that plays, or that is being changed to. */
const Scene *world_scene(const World *world);

/* Carries the change out; to be called every frame. */
WorldEvent world_poll(World *world, BillowError *error);

/* Sets the render settings by the scene's timeline at a time. A camera that the person moved stays.
 */
void world_look_at(World *world, double time);

const SimSnapshot *world_snapshot(World *world); /* NULL while there is none */

/* The clock's time, summed over this and all earlier simulations. */
SimClock world_clock(World *world);

#endif
