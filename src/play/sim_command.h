/* SPDX-License-Identifier: MIT
 *
 * Commands: everything that the window asks of the simulation's thread.
 *
 * The window sends commands into one queue (sim_thread_send). The thread applies them in order
 * between two steps, also while it is paused. The same commands before the same steps give the same
 * bits.
 *
 * A recording is a list of commands, each with the step before which it acts. SIM_RECORD records
 * the commands that decide the state, beginning with a reset or with the present state. Replayed to
 * a simulation of the same definition (SIM_REPLAY), they give the same states, bit by bit, on any
 * number of threads and on a machine of any speed. A recording ends when time goes back. The
 * program can also write a recording itself: the show of attract.h does. */
#ifndef PLAY_SIM_COMMAND_H
#define PLAY_SIM_COMMAND_H

#include "play/grid_choice.h"
#include "render/frame/field_slice.h"
#include "scene/scene_play.h"
#include <billow/billow.h>

typedef struct SimRecording SimRecording;

/* New values for a simulation that is running. */
typedef struct SimSettings {
    BillowDef def;   /* the simulation takes only its parameters, emitters, forces and solids */
    ScenePlay *play; /* owner of the shapes in `def`, with the timeline; NULL: no timeline, and no
                        shapes to own */
    double step;     /* length of a step, s */
    uint64_t serial; /* number of these settings, counting from 1 */
    const Scene *scene; /* scene that `def` was made from, for recordings; NULL: none */
} SimSettings;

/* Copies settings and their scene into one block of memory, which the caller frees with free(). The
 * copy and the original share the play. Returns NULL if memory is short. */
SimSettings *sim_settings_copy(const SimSettings *settings);

typedef enum SimCommandKind {
    /* Commands that decide the state. They are recorded. */

    SIM_RESET,    /* go back to rest at time 0; end strokes, detonations and single steps */
    SIM_SETTINGS, /* settings: use new values, and keep the smoke */
    SIM_BRUSH, /* emitter: release at the emitter's position in every step, until SIM_BRUSH_END */
    SIM_PUSH,  /* force: push at the force's position in every step, until SIM_BRUSH_END */
    SIM_BRUSH_END,
    SIM_DETONATE,    /* emitter: release for `end` - `start` simulated seconds */
    SIM_GRAB,        /* grab: move a solid towards a position, by at most 20 cells per step */
    SIM_LET_GO,      /* release the grabbed solid: its definition decides its motion again */
    SIM_CYCLES,      /* count: largest number of pressure cycles of a step; sent by the simulation's
                        thread itself */
    SIM_BRUSH_STEPS, /* value: number of steps for which the brush releases smoke in one step, 1 or
                        more; above 1 if the simulation is slower than the clock; sent by the
                        simulation's thread itself */

    /* Commands about the speed of the run, the snapshots and the stored states. They are not
       recorded. */

    SIM_PAUSE,  /* on: pause; off: continue */
    SIM_WISH,   /* settings: ask the host of a session to use new values. They have no play. A
                   simulation that follows no host uses them itself */
    SIM_STEP,   /* pause, and take one step */
    SIM_SPEED,  /* value: simulated seconds per second of the clock, 1/64 to 64 */
    SIM_EXACT,  /* on: use all pressure cycles of the scene, also on a slow machine */
    SIM_MEMORY, /* value: memory for stored states, bytes; 0: store no states */
    SIM_REWIND, /* on: start going back in time through the stored states; off: stop */
    SIM_SEEK,   /* count: pause, and move by this number of stored states; negative: back in time */
    SIM_SLICE,  /* slice: snapshots contain the slice of this kind, axis and position from now on */
    SIM_NO_SLICE, /* snapshots contain no slice from now on */
    SIM_GRID,   /* grid: continue on another grid (billow_resample) as soon as it has been created.
                   Stored states are dropped. SimSnapshot.grid_result tells the result.
                   It changes the state, but is not recorded, and refused during a recording */
    SIM_SAVE,   /* copy the state; sim_thread_saved fetches the copy */
    SIM_RECORD, /* recording: reset, unless it begins with the present state, and record commands
                   into it; NULL: stop recording */
    SIM_VIEW,   /* camera: that of the user from now on, for recordings */
    SIM_REPLAY, /* replay: apply this recording, counting steps from now; NULL: stop */
    SIM_SHARE,  /* share: share the simulation with others from now on */
    SIM_SHOW,   /* state: of the host, which a simulation that watches shows from now on; its memory
                   is the queue's */
    SIM_QUIT,   /* end the thread after the present step */
    SIM_COMMANDS
} SimCommandKind;

/* Number of hands that can act in one simulation. Hand 0 is the user's own. */
enum { SIM_HANDS_MAX = 8 };

typedef struct SimCommand {
    SimCommandKind kind;
    int hand; /* hand that brushes, grabs or detonates; other commands have none, and 0 here */
    union {
        bool on;
        int count;
        double value;
        BillowEmitter emitter;
        BillowForce force;
        struct SimGrab {
            int solid;
            float center[3]; /* position to which the solid's centre moves, m */
        } grab;
        RenderCamera camera;
        FieldSlice slice;
        struct SimGrid {
            GridRung rung;
            uint64_t serial; /* number of this command, from 1 */
        } grid;
        SimSettings *settings; /* from sim_settings_copy; the queue frees them, not their play */
        SimRecording *recording;
        const SimRecording *replay;   /* must exist until the thread ends */
        const struct SimShare *share; /* of sim_share.h; the same */
        struct SimShown {
            void *state; /* for billow_load_state; from malloc */
            size_t bytes;
            uint64_t steps; /* of the session, before it */
        } state;
    };
} SimCommand;

/* Whether commands of this kind decide the simulation's state. Only these are recorded. */
static inline bool sim_command_decides(SimCommandKind kind)
{
    return kind < SIM_PAUSE;
}

/* Whether commands of this kind are part of a shared simulation's order: those that decide its
 * state, and those that decide when it steps. */
static inline bool sim_command_ordered(SimCommandKind kind)
{
    return sim_command_decides(kind) || kind == SIM_PAUSE || kind == SIM_STEP || kind == SIM_SPEED;
}

/* Commands that wait for the simulation's thread. The caller must lock the queue. */
typedef struct SimQueue {
    SimCommand *commands; /* oldest first */
    int count;
    size_t room;
} SimQueue;

/* What became of a command that was sent. */
typedef enum SimSent {
    SIM_SENT,
    SIM_SENT_INSTEAD, /* of waiting settings, which the thread never sees */
    SIM_NOT_SENT      /* memory is short: the queue is as it was, and the caller keeps settings */
} SimSent;

/* Makes room for the first commands, and for a SIM_QUIT when memory is short. Returns false if
 * memory is short now. */
bool sim_queue_reserve(SimQueue *queue);
/* Appends a command. If the newest waiting command has the same kind and hand, a push, a speed, a
 * slice, a view, or a grab of the same solid replaces it, and the counts of two seeks are
 * added. If settings or a wish for settings are waiting, new ones of that kind replace them. */
SimSent sim_queue_push(SimQueue *queue, const SimCommand *command);
void sim_queue_clear(SimQueue *queue); /* drops all commands, but keeps the queue's memory */
void sim_queue_free(SimQueue *queue);

typedef struct SimRecorded {
    uint64_t step; /* number of steps from the start of the recording to this command */
    SimCommand command;
} SimRecorded;

/* The state's hash (billow_state_hash) after so many steps of a recording. */
typedef struct SimHash {
    uint64_t step, hash;
} SimHash;

/* The camera of the user after so many steps of a recording. */
typedef struct SimView {
    uint64_t step;
    RenderCamera camera;
} SimView;

/* Steps between two hashes of a recording that is kept in a file. */
enum { SIM_HASH_STEPS = 30 };

struct SimRecording {
    SimRecorded *commands; /* in the order in which they are applied */
    int count;
    size_t room, hash_room;
    SimHash *hashes; /* in the order of their steps; none where the recording is not hashed */
    int hash_count;
    SimView *views; /* in the order of their steps; none where no camera is known */
    int view_count;
    size_t view_room;
    bool goes_on;         /* SIM_RECORD: begin with the present state in place of a reset */
    unsigned char *start; /* that state, as sim_join.h writes it; NULL: at rest */
    size_t start_bytes;
    uint64_t steps; /* length in steps */
    int settings;   /* number of SIM_SETTINGS that were read from a file */
    bool hashed;    /* add a hash every SIM_HASH_STEPS, and at the end */
    bool paced;     /* contains SIM_CYCLES; false: the number of cycles depends on the clock */
    bool ended;     /* nothing more is recorded, because time went back or memory was short */
    bool unsuited;  /* settings were read that do not suit the simulation */
    /* Called on the simulation's thread after a hash was added, to keep what there is so far.
       last: nothing more follows. NULL: nothing is called. */
    void (*keep)(SimRecording *recording, bool last);
};

/* Appends a copy of a command. Settings are copied with their scene; the copy and the original
 * share the play. */
void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command);
void sim_recording_add_hash(SimRecording *recording, uint64_t step, uint64_t hash);
void sim_recording_add_view(SimRecording *recording, uint64_t step, const RenderCamera *camera);
/* Returns the last camera that the recording has up to a step; NULL: there is none. */
const RenderCamera *sim_recording_view(const SimRecording *recording, uint64_t step);
void sim_recording_free(SimRecording *recording);

#endif
