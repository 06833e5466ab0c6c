/* SPDX-License-Identifier: MIT
 *
 * Commands: everything that the window asks of the simulation's thread.
 *
 * The window sends commands into one queue (sim_thread_send). The thread applies them in order
 * between two steps, also while it is paused. The same commands before the same steps give the same
 * bits.
 *
 * A recording is a list of commands, each with the step before which it acts. SIM_RECORD records
 * the commands that decide the state, beginning with a reset. Replayed to a simulation of the same
 * definition (SIM_REPLAY), they give the same states, bit by bit, on any number of threads and on a
 * machine of any speed. A recording ends when time goes back. The program can also write a
 * recording itself: the show of attract.h does. */
#ifndef APP_SIM_COMMAND_H
#define APP_SIM_COMMAND_H

#include "field_slice.h"
#include "scene_play.h"
#include <billow/billow.h>

typedef struct SimRecording SimRecording;

/* New values for a running simulation. */
typedef struct SimSettings {
    BillowDef def;      /* only parameters, emitters, forces and solids change */
    ScenePlay *play;    /* owner of the shapes of `def`, with the timeline; NULL: neither */
    double step;        /* length of a step, s */
    uint64_t serial;    /* number of these settings; the first has 1 */
    const Scene *scene; /* scene of `def`, for recordings; NULL: there is none */
} SimSettings;

/* Copies settings and their scene into one block of memory, which the caller frees with free(). The
 * copy shares the play. Returns NULL where memory is short. */
SimSettings *sim_settings_copy(const SimSettings *settings);

typedef enum SimCommandKind {
    /* Commands that decide the state. They are recorded. */

    SIM_RESET,    /* go back to rest at time 0; end strokes, detonations and single steps */
    SIM_SETTINGS, /* settings: use new values; the smoke stays */
    SIM_BRUSH,    /* emitter: release at this place, until SIM_BRUSH_END */
    SIM_PUSH,     /* force: push at this place, until SIM_BRUSH_END */
    SIM_BRUSH_END,
    SIM_DETONATE, /* emitter: release it for end - start simulated seconds */
    SIM_GRAB,     /* grab: move a solid to a place, by at most 20 cells in a step */
    SIM_LET_GO,   /* let the grabbed solid fall, stand or move as it did before */
    SIM_FILM,     /* film: wait at every frame of a video until the frame is recorded */
    SIM_CYCLES,   /* count: most pressure cycles of a step; sent by the simulation thread itself */
    SIM_BRUSH_STEPS, /* value: factor on the smoke that the brush releases in one step, above 1 if
                        the simulation is slower than the clock; sent by the simulation thread
                        itself */

    /* Commands about the pace of the run, snapshots and stored states. They are not recorded. */

    SIM_PAUSE,      /* on: pause, or go on */
    SIM_STEP,       /* pause, and take one step */
    SIM_SPEED,      /* value: simulated seconds per second of the clock, 1/64 to 64 */
    SIM_EXACT,      /* on: use all pressure cycles of the scene, also on a slow machine */
    SIM_MEMORY,     /* value: memory for stored states, bytes; 0: none are stored */
    SIM_REWIND,     /* on: go back in time through the stored states, until it is off */
    SIM_SEEK,       /* count: pause, and move by so many stored states, forward or back */
    SIM_SLICE,      /* slice: add the slice of this kind, axis and position to the snapshots */
    SIM_NO_SLICE,   /* add no slice to the snapshots */
    SIM_FILM_TAKEN, /* number: the video's frame of this number is recorded */
    SIM_SAVE,       /* copy the state, for sim_thread_saved */
    SIM_RECORD,     /* recording: reset, and record into it; NULL: stop recording */
    SIM_REPLAY,     /* replay: apply its commands, counting steps from now; NULL: stop */
    SIM_QUIT,       /* end after the present step */
    SIM_COMMANDS
} SimCommandKind;

typedef struct SimCommand {
    SimCommandKind kind;
    union {
        bool on;
        int count;
        double value;
        uint64_t number;
        BillowEmitter emitter;
        BillowForce force;
        struct SimGrab {
            int solid;
            float center[3]; /* place for the solid's centre, m */
        } grab;
        struct SimFilm {
            double interval; /* simulated time between frames, s; 0: end the video */
            uint64_t number; /* number of the first frame, 1 or more */
        } film;
        FieldSlice slice;
        SimSettings *settings; /* from sim_settings_copy; the queue frees them, not their play */
        SimRecording *recording;
        const SimRecording *replay; /* must exist until the thread ends */
    };
} SimCommand;

/* Whether commands of this kind decide the state. */
static inline bool sim_command_decides(SimCommandKind kind)
{
    return kind < SIM_PAUSE;
}

/* Commands that wait for the thread. The caller locks the queue. */
typedef struct SimQueue {
    SimCommand *commands; /* oldest first */
    int count, room;
} SimQueue;

/* Appends a command. A push, a speed, a slice, a recorded frame or a place of the same grab
 * replaces the newest waiting command if that has the same kind; two seeks are added. Settings
 * replace waiting settings: the function then returns true, and the thread never sees the older
 * ones. Where memory is short, the command is lost. */
bool sim_queue_push(SimQueue *queue, const SimCommand *command);
void sim_queue_clear(SimQueue *queue); /* drops the commands, but does not free the memory */
void sim_queue_free(SimQueue *queue);

typedef struct SimRecorded {
    uint64_t step; /* steps taken before the command acts */
    SimCommand command;
} SimRecorded;

struct SimRecording {
    SimRecorded *commands; /* in the order in which they act */
    int count, room;
    uint64_t steps; /* length in steps */
    bool paced;     /* contains SIM_CYCLES; otherwise the cycles follow the clock */
    bool ended;     /* time went back, or memory was short: nothing more is recorded */
};

/* Appends a copy of a command. Settings are copied with their scene, and share their play. */
void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command);
void sim_recording_free(SimRecording *recording);

/* Makes settings from recorded ones, with a new play from their scene. Returns NULL and a message
 * where a shape cannot be made any more. The caller frees the settings and destroys their play. */
SimSettings *sim_recording_settings(const SimSettings *recorded, BillowError *error);

#endif
