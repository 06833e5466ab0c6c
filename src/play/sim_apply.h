/* SPDX-License-Identifier: MIT
 *
 * The state of the simulation's thread, and what commands do to it. Every function here runs on
 * that thread. */
#ifndef PLAY_SIM_APPLY_H
#define PLAY_SIM_APPLY_H

#include "base/thread.h"
#include "play/budget.h"
#include "play/grid_choice.h"
#include "play/rewind.h"
#include "play/shared.h"
#include "play/sim_share.h"
#include "play/sim_thread.h"
#include <stdatomic.h>

/* Members of SimThread that are stored with each state of the simulation. */
typedef struct SimExtras {
    HandsPast hands;
    BillowSolid defined[BILLOW_SOLIDS_MAX]; /* the definition's solids when the state was stored */
} SimExtras;

/* The state of going back in time. */
typedef struct SimPast {
    Rewind *rewind; /* stored states; NULL: none are stored */
    bool asked;     /* SIM_REWIND is on */
    bool going;     /* going back has begun: the first stored state is loaded */
    double time;    /* simulated time of the first loaded state, s */
    double clock;   /* clock time when the first state was loaded, s */
    double bytes;   /* memory for stored states, bytes */
} SimPast;

/* The simulation on another grid, while a thread of its own creates it. */
typedef struct SimRegrid {
    Thread *builder;  /* NULL: there is none */
    atomic_bool done; /* the thread has ended; it alone uses the members below before that */
    BillowDef def;
    BillowSim *sim;       /* NULL: it could not be created */
    Snapshots *snapshots; /* NULL: memory was short */
    GridRung rung;
    uint64_t serial; /* of SIM_GRID */
} SimRegrid;

/* The clock that the simulation follows. */
typedef struct SimPace {
    bool ticking;         /* the clock runs: the simulation is neither paused nor going back */
    double clock;         /* clock time at which `owed` was last updated, s */
    double owed;          /* time that passed but is not simulated yet, s */
    double run_start;     /* clock time at which the present run of the clock started, s */
    double run_speed;     /* speed during the present run */
    SimClock before;      /* sums over all runs; `clock` and `owed` are without the present run */
    double measured_from; /* clock time at which the measurement of the actual speed started, s */
    double measured_simulated; /* time simulated since `measured_from`, s */
} SimPace;

/* A session in which others act, too. */
typedef struct SimSharing {
    const SimShare *share; /* NULL: there is none */
    SimRecording turn;     /* commands since the last entry of the log */
    unsigned refused;      /* one bit for each hand whose settings were refused since then */
    bool due;              /* the log says to take a step */
    bool stale;            /* time went back or the grid has changed: all need a new state */
} SimSharing;

struct SimThread {
    Thread *handle;
    pthread_mutex_t mutex; /* guards the members up to `saved` */
    pthread_cond_t wake;   /* signals a new command, or a change of `state` */
    SimQueue queue;
    bool nudged;     /* the session has something new */
    bool lost;       /* a command was not sent, because memory was short */
    bool will_pause; /* the simulation will be paused after all commands in the queue */
    SimThreadState state;
    BillowError error; /* reason for SIM_THREAD_FAILED */
    Snapshots *snapshots;
    Snapshots *retired; /* those before the last change of the grid, until the window has asked for
                           a newer one; NULL: none */
    int threads;
    bool has_saved; /* `saved` contains a copy that has not been fetched */
    SimSaved saved;

    struct SoundFeed *_Atomic sound; /* receives the steps; NULL: none */
    _Atomic uint64_t seen; /* `changes` of the newest snapshot that the window has fetched */

    /* Only the simulation's thread uses the members below. */

    SimQueue batch; /* the commands that are being applied */
    bool quit, paused, exact;
    bool starved;     /* no memory for the snapshots of a box that has grown */
    int single_steps; /* single steps still to take while paused */
    Shared shared;
    void *first; /* the state to start from; NULL: start from rest */
    size_t first_bytes;
    SimPast past;
    SimRegrid regrid;
    SimPace pace;
    Budget budget;
    SimSharing sharing;
    bool hashed;             /* `hash` is that of the last step */
    uint64_t hash;           /* see sim_step_hash */
    SimSnapshot now;         /* the next snapshot; publish() completes it */
    SimRecording *recording; /* NULL: nothing is recorded */
    uint64_t recorded_from;  /* number of steps taken when the recording started */
    Replay replay;
    uint64_t replay_from; /* number of steps taken when the replay started */
};

/* Applies the commands in the queue, then the commands of a replay that are due before the next
 * step. Returns true if a new snapshot must be published even while paused. */
bool sim_apply_all(SimThread *thread);
/* Applies one command. If a recording is running, records the command. */
void sim_apply(SimThread *thread, const SimCommand *command);

/* Applies settings that were read, with a play of their own. Returns false if they were refused. */
bool sim_apply_settings(SimThread *thread, const SimSettings *read);

/* Counts a step in the recording, and adds the state's hash where one is due. */
void sim_recording_follow(SimThread *thread);
/* Ends the recording, if there is one, with the hash of the present state. */
void sim_recording_end(SimThread *thread);
/* Compares the state after a step with the hash that the replay has of it. */
void sim_replay_check(SimThread *thread);

/* Goes back in time. The first call moves by one stored state; later calls follow the clock. */
void sim_past_go_back(SimThread *thread);
/* Returns the time until sim_past_go_back must be called, s; 0 or less: now. */
double sim_past_until_due(SimThread *thread);
/* Stores the state after a step, if it is due. */
void sim_past_follow(SimThread *thread);
/* Drops all stored states and sets the memory for new ones, bytes. */
void sim_past_resize(SimThread *thread, double bytes);

#endif
