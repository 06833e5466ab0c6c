/* SPDX-License-Identifier: MIT
 *
 * The scene that plays, its simulation, and the change to another scene. A change takes several
 * frames, and the window keeps running meanwhile. */
#ifndef PLAY_WORLD_H
#define PLAY_WORLD_H

#include "play/brush.h"
#include "play/camera_control.h"
#include "play/grid_choice.h"
#include "play/replay_file.h"
#include "play/share.h"
#include "play/sim_thread.h"
#include "play/sound_feed.h"
#include "scene/scene_write.h"

/* Largest number of plays at a time: the present one, those that older snapshots use, and those of
 * settings that wait in the queue. */
enum { WORLD_PLAYS_MAX = 32 };

typedef struct WorldPlay {
    ScenePlay *play;
    uint64_t serial; /* serial of the settings that the play belongs to; 0: the play at the start */
} WorldPlay;

/* What a checkpoint contains besides its scene. */
typedef struct WorldTaken {
    ScenePlay *play; /* NULL: there is no checkpoint */
    BillowDef def;
    void *state;
    size_t bytes;
} WorldTaken;

/* Memory that a window needs per cell of the smoke for snapshots, steeper smoke, light and
 * textures, and per cell of the wind for its velocity and the noise that drifts with it, bytes. If
 * the GPU has its own memory, the window needs less main memory than this. */
#define WORLD_BYTES_PER_CELL      81.0
#define WORLD_BYTES_PER_WIND_CELL 100.0

typedef struct World {
    SceneRequest request;  /* from the command line; its grid and overrides apply to every scene */
    char from[512];        /* name or path of the scene that plays or comes next */
    Scene opened;          /* the scene of `from` as it was last loaded, without later edits */
    char checkpoint[512];  /* checkpoint from which the simulation started; empty text: none */
    int threads;           /* BillowDef.threads */
    bool exact;            /* `on` of the last SIM_EXACT */
    GridAim aim;           /* fps 0: every scene keeps its own grid */
    double past_bytes;     /* `value` of the last SIM_MEMORY */
    double speed;          /* `value` of the last SIM_SPEED; 0 means 1 */
    Scene scene;           /* the scene that plays */
    RenderSettings render; /* the scene's render settings, with the user's camera */
    float creases;         /* how deep the picture creases the smoke: steep_view */
    RenderCamera timed;    /* the timeline's camera in the last frame */
    WorldPlay plays[WORLD_PLAYS_MAX]; /* oldest first */
    int play_count;
    uint64_t settings;         /* serial of the newest settings that were sent */
    GridChoice grid;           /* count 0: the grid is the scene's own */
    uint64_t grids;            /* serial of the last SIM_GRID that was sent */
    bool grid_waits;           /* its result is not known yet */
    SimThread *sim;            /* NULL: the last change failed, and there are no plays */
    SimRecording *script;      /* the recording that the simulation replays; NULL: none */
    SimRecording *next_script; /* the one that `next` replays from its start; NULL: none */
    SoundFeed *sound;          /* what simulations are heard by; NULL: none. Not the world's own */
    Share *share;              /* session with others; NULL: none. The world does not own it */
    SimJoin *join;             /* owner of the play of a simulation that follows; NULL: none */
    SimJoin *next_join;        /* the simulation to follow next; NULL: `next` starts instead */
    double wished;             /* time of the last own change of a simulation that follows, s */
    ReplayRecorder *recorder;  /* what is recorded for a file; NULL: nothing */
    BillowError record_error;  /* why a recording was not written; "": all were */
    RenderCamera viewed;       /* the last camera in it */
    CameraControl camera_control;
    Brush brush;
    bool changing; /* the present simulation is ending, and that of `next` will start */
    Scene next;
    WorldTaken taken; /* the checkpoint that `next` starts from */
    bool keep_view;   /* `next` starts with the present camera */
    bool keep_pause;  /* `next` starts paused if the present simulation is paused */
    bool has_good;    /* `good` is valid */
    Scene good;       /* scene to fall back to if `next` fails to start */
    char why[256]; /* reason why the simulation starts again; empty text: the user asked for it */
    uint64_t steps_before; /* sum of the steps of all earlier simulations */
    SimClock clock_before; /* sum of the clocks of all earlier simulations */
} World;

typedef enum WorldEvent {
    WORLD_NOTHING,
    WORLD_CHANGED,  /* the new scene's simulation has started */
    WORLD_RETURNED, /* the new scene failed to start; the scene before it has started again */
    WORLD_FAILED    /* the new scene failed to start, and nothing plays */
} WorldEvent;

/* Opens the first scene and waits until its simulation exists. checkpoint: file to start from
 * instead of the request's scene; NULL: none. aim: what a scene's grid is chosen for; NULL: every
 * scene keeps its own grid. It also does where the user chose it: by the request, by a checkpoint,
 * or by changing domain.cells. */
bool world_open(World *world, const SceneRequest *request, const char *checkpoint, int threads,
                bool exact, const GridAim *aim, BillowError *error);
/* Opens the simulation that came as a state of a session, to follow it. Frees the bytes. */
bool world_open_shared(World *world, const SceneRequest *request, Share *share,
                       unsigned char *bytes, size_t count, int threads, BillowError *error);
void world_close(World *world);
/* Frees the recording of world_record after it has ended, by world_close at the latest. Returns
 * false with a message if it, or one before it, was not written. */
bool world_close_record(World *world, BillowError *error);

/* Sends a command to the simulation, if there is one. */
void world_send(World *world, const SimCommand *command);
/* These two set a value for the present simulation and for all later ones: whether each step uses
 * all pressure cycles, and the memory for stored states in bytes. */
void world_set_exact(World *world, bool exact);
void world_set_memory(World *world, double bytes);
/* Multiplies the speed by 2 to the power of `doublings`, and limits it to the range from 1/8 to 2.
 * Returns the new speed. */
double world_change_speed(World *world, int doublings);

/* Sets what the grids of this scene and of all later ones are chosen for. Does nothing if the
 * scenes keep their own grids. */
void world_set_aim(World *world, const GridAim *aim);

/* Shares the present simulation and all later ones, and leads them. */
void world_share(World *world, Share *share);
/* Lets the present simulation and all later ones be heard. feed: must outlive the world. */
void world_hear(World *world, SoundFeed *feed);
/* Whether the simulation follows a host. Then only the host can change the scene, the grid and the
 * past, and record. */
bool world_follows(const World *world);

/* Plays the present scene from its beginning. */
void world_reset(World *world);
/* Replays a recording on the present simulation from now on. Call it at most once for each
 * simulation. The world frees the recording when the simulation ends. NULL is fine. */
void world_replay(World *world, SimRecording *script);

/* Records what hands do, and the camera, for a file until another simulation starts or the world
 * closes. goes_on: from the present state on, until SIM_RECORD without a recording; otherwise the
 * scene starts again. Fails if the scene cannot be recorded, or if a recording goes on. */
bool world_record(World *world, const char *path, bool goes_on, BillowError *error);
/* Adds the camera to the recording, if there is one. Call it every frame. */
void world_follow_record(World *world);
/* Returns a recording from a present state on that has ended, which is then the caller's; NULL:
 * there is none. */
ReplayRecorder *world_recorded(World *world);

/* Starts the change to a checkpoint, to a recording of hands, or to a scene by name or path.
 * Returns false with a message, and changes nothing, if loading fails. */
bool world_change(World *world, const char *name, BillowError *error);
/* Plays another scene, usually the present one with other values. The smoke stays if the simulation
 * can use the new values. Otherwise the simulation starts again: `world->why` contains the reason,
 * and world_poll returns WORLD_CHANGED. The camera stays unless the cameras of the two scenes
 * differ. difference: receives what differs; may be NULL. Returns false with a message, and changes
 * nothing, if the scene cannot be played. */
bool world_apply(World *world, const Scene *scene, SceneDifference *difference, BillowError *error);
/* Like world_apply, for a scene whose files may have changed: all shapes are made again. */
bool world_reload(World *world, const Scene *scene, SceneDifference *difference,
                  BillowError *error);
/* Starts the change to a scene that played before, with the values and the camera it had then.
 * `from` and `opened` are the members of World at that time. */
bool world_go_back(World *world, const Scene *scene, const Scene *opened, const char *from,
                   BillowError *error);
/* Returns the scene that plays; during a change, the next scene. */
const Scene *world_scene(const World *world);
/* Returns the newest play of the window's. A simulation that follows a host, or has followed one,
 * has the play that it joined with. */
const ScenePlay *world_newest_play(const World *world);

/* Continues a change. Call it every frame. */
WorldEvent world_poll(World *world, BillowError *error);

/* Whether steps take several times as long as they may, so that the grid has to shrink even while
 * hands are busy. */
bool world_overloaded(const World *world, const GridTimes *times);
/* Adapts the grid to the times of a frame in which nobody touched anything, or of any while the
 * world is overloaded. snapshot: that of the
 * frame. Does not ask for a newer one. */
void world_adapt_grid(World *world, const SimSnapshot *snapshot, const GridTimes *times,
                      double interval_ms);

/* Sets the render settings to those of the scene's timeline at a time, s. If the user moved the
 * camera, the camera stays. */
void world_look_at(World *world, double time);

const SimSnapshot *world_snapshot(World *world); /* newest snapshot; NULL: there is none */
/* Whether the scene has little left to show (Scene.show). snapshot: NULL: there is none. */
bool world_show_is_over(const World *world, const SimSnapshot *snapshot);

/* Returns the sum of the clocks of this and all earlier simulations. */
SimClock world_clock(World *world);

#endif
