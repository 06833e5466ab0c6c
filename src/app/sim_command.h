/* SPDX-License-Identifier: MIT
 *
 * Commands: everything the window asks of the simulation's thread.
 *
 * The window sends commands into one queue (sim_thread_send). The thread takes them out in order
 * and applies them between two steps, also while it is paused. The commands that decide the state
 * are recorded as they are applied: the same commands before the same steps give the same bits.
 *
 * A recording holds those commands, each with the step before which it was applied. The first one
 * is a reset. Played to a simulation of the same definition (SIM_REPLAY), it gives the same states,
 * bit by bit, on any number of threads and however fast the machine is. It ends where time goes
 * back: states that are kept are not part of it. */
#ifndef APP_SIM_COMMAND_H
#define APP_SIM_COMMAND_H

#include "field_slice.h"
#include "scene_play.h"
#include <billow/billow.h>

typedef struct SimRecording SimRecording;

/* New values for a running simulation. */
typedef struct SimSettings {
    BillowDef def;      /* its parameters, emitters, forces and solids are taken over */
    ScenePlay *play;    /* owns def's shapes and plays the timeline; NULL: neither */
    double step;        /* length of a step, s */
    uint64_t serial;    /* rises from 1 on */
    const Scene *scene; /* where def comes from, for recordings; NULL: from no scene */
} SimSettings;

/* A copy of settings and their scene in one block of memory, to be freed with free(). It shares
 * their play. NULL where memory is short. */
SimSettings *sim_settings_copy(const SimSettings *settings);

typedef enum SimCommandKind {
    /* Commands that decide the state. They are recorded. */

    SIM_RESET,    /* go back to rest at time 0; forget strokes, detonations and single steps */
    SIM_SETTINGS, /* settings: take over new values; the smoke stays */
    SIM_BRUSH,    /* emitter: the brush is here, and releases until SIM_BRUSH_END */
    SIM_PUSH,     /* force: the brush pushes here, until SIM_BRUSH_END */
    SIM_BRUSH_END,
    SIM_DETONATE,   /* emitter: release it for end - start simulated seconds */
    SIM_GRAB,       /* grab: the solid follows the hand, by up to 20 cells a step */
    SIM_LET_GO,     /* the grabbed solid falls, stands or moves as it did before */
    SIM_FILM,       /* film: stop at every frame of a video until that frame is taken */
    SIM_CYCLES,     /* count: most pressure cycles of a step; sent by the thread itself */
    SIM_HAND_STEPS, /* value: steps' worth of smoke that the brush releases in one; likewise */

    /* Commands about the pace of the run, and about what is shown and kept of it. */

    SIM_PAUSE,      /* on: pause or go on */
    SIM_STEP,       /* pause, and take one step */
    SIM_SPEED,      /* value: simulated seconds per second of the clock, 1/64 to 64 */
    SIM_EXACT,      /* on: never fewer pressure cycles than the scene has */
    SIM_MEMORY,     /* value: bytes for states to go back to; 0: none */
    SIM_REWIND,     /* on: go back in time, from kept state to kept state, until it is off */
    SIM_SEEK,       /* count: pause, and go forth or back by so many kept states */
    SIM_SLICE,      /* slice: put this slice into the snapshots; kind, axis and position count */
    SIM_NO_SLICE,   /* put no slice into the snapshots */
    SIM_FILM_TAKEN, /* number: this frame of the video was taken */
    SIM_SAVE,       /* copy the state, for sim_thread_saved */
    SIM_RECORD,     /* recording: reset, then record into it; NULL: stop recording */
    SIM_REPLAY,     /* replay: reset, then apply its commands before the same steps */
    SIM_QUIT        /* end after the step that is being taken */
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
            float center[3]; /* where the hand wants the solid's centre, m */
        } grab;
        struct SimFilm {
            double interval; /* s of simulated time between frames; 0: the video is over */
            uint64_t number; /* of the first frame, 1 or more */
        } film;
        FieldSlice slice;
        SimSettings *settings; /* of sim_settings_copy; the queue frees them, but not their play */
        SimRecording *recording;
        const SimRecording *replay;
    };
} SimCommand;

/* Whether commands of this kind decide the state. */
static inline bool sim_command_decides(SimCommandKind kind)
{
    return kind < SIM_PAUSE;
}

/* Commands that wait for the thread. It needs a lock around it. */
typedef struct SimQueue {
    SimCommand *commands; /* oldest first */
    int count, room;
} SimQueue;

/* Appends a command. A command that overrules the newest one that waits takes its place: two
 * speeds, two slices, two places of one grab. Settings overrule all settings that wait: true says
 * that there were some, which the thread will never see. Without memory the command is lost. */
bool sim_queue_push(SimQueue *queue, const SimCommand *command);
void sim_queue_clear(SimQueue *queue); /* forgets the commands, and keeps the memory */
void sim_queue_free(SimQueue *queue);

typedef struct SimRecorded {
    uint64_t step; /* steps taken since the recording began */
    SimCommand command;
} SimRecorded;

struct SimRecording {
    SimRecorded *commands; /* in the order in which they were applied */
    int count, room;
    uint64_t steps; /* taken in all */
    bool ended;     /* because time went back, or memory was short */
};

/* Appends a copy of a command. Settings are copied with their scene, without their play. */
void sim_recording_add(SimRecording *recording, uint64_t step, const SimCommand *command);
void sim_recording_free(SimRecording *recording);

/* Settings as they were recorded, to be applied: with a play made from their scene. NULL and a
 * message where a shape cannot be made any more. The caller frees them and destroys their play. */
SimSettings *sim_recording_settings(const SimSettings *recorded, BillowError *error);

#endif
