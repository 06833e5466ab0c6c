/* SPDX-License-Identifier: MIT
 *
 * The private parts of the simulation's thread. Every function here runs on that thread.
 *
 * Calls go down: sim_thread.c (loop and step), sim_command.c (commands), sim_time.c (clock, videos,
 * going back). */
#ifndef APP_SIM_THREAD_PARTS_H
#define APP_SIM_THREAD_PARTS_H

#include "budget.h"
#include "grab.h"
#include "rewind.h"
#include "sim_thread.h"
#include <SDL.h>

#define STROKE_MAX      16 /* places of the brush in one step; later ones replace the last */
#define DETONATIONS_MAX 8  /* at one time; later ones are ignored */

typedef struct Detonation {
    BillowEmitter emitter;
    double left; /* simulated time for which it still releases, s */
} Detonation;

/* The brush and the grabbed solid, as the next step uses them. */
typedef struct SimBrush {
    BillowEmitter stroke[STROKE_MAX]; /* places of the brush since the last step */
    int stroke_count;
    bool pressed;       /* the brush releases in every step, also where it does not move */
    BillowEmitter last; /* place in the last step */
    BillowForce force;
    bool pushing; /* the force acts in every step */
    bool pushed;  /* the force acts at least in the next step */
    Grasp grasp;
    double steps; /* steps' worth of smoke that the brush releases in one step */
} SimBrush;

/* The members of SimThread that a stored state contains besides the simulation's state. */
typedef struct SimExtras {
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;
    BillowSolid defined[BILLOW_SOLIDS_MAX]; /* the solids of the definition at that time */
} SimExtras;

/* Going back in time. */
typedef struct SimPast {
    Rewind *rewind; /* stored states; NULL: none are stored */
    bool asked;     /* SIM_REWIND is on */
    bool going;     /* the first state has been loaded since then */
    double time;    /* simulated time at which going back started, s */
    double clock;   /* clock time at which going back started, s */
} SimPast;

/* A video: the simulation stops at evenly spaced frames until each is recorded. */
typedef struct SimVideo {
    double interval;       /* simulated time between two frames, s; 0: there is no video */
    int steps;             /* steps between two frames */
    int left;              /* steps until the next frame */
    uint64_t frame, taken; /* numbers of the present frame and of the last recorded one */
} SimVideo;

/* The clock that the simulation follows. */
typedef struct SimPace {
    bool ticking;              /* time passes: the simulation is not paused */
    double clock;              /* clock time of the last update of `owed`, s */
    double owed;               /* time that is not simulated yet, s */
    double run_start;          /* clock time at which the present run started, s */
    double run_speed;          /* speed of the present run */
    SimClock before;           /* sum of all earlier runs */
    double measured_from;      /* clock time at which the measurement of the pace started, s */
    double measured_simulated; /* time simulated during the measurement, s */
} SimPace;

struct SimThread {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards the members up to `saved` */
    SDL_cond *wake;   /* signals a change of the queue or of `state` */
    SimQueue queue;
    bool will_pause; /* the simulation is paused after all commands of the queue */
    SimThreadState state;
    BillowError error; /* reason of SIM_THREAD_FAILED */
    Snapshots *snapshots;
    int threads;
    bool has_saved; /* `saved` waits to be fetched */
    SimSaved saved;

    /* Only the thread itself uses the members below. */

    SimQueue batch; /* commands that are being applied */
    bool quit, paused, exact;
    int single_steps; /* steps still to be taken while paused */
    BillowSim *sim;
    BillowDef def;
    void *first; /* state to start from; NULL: start from rest */
    size_t first_bytes;
    ScenePlay *play;       /* NULL: no timeline, or one that set an impossible value */
    ScenePlay **own_plays; /* plays made from replayed settings; the thread destroys them */
    int own_play_count;
    double step, scene_step; /* length of a step now, and in the scene, s */
    SimBrush brush;
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip; /* of the solid that is grabbed or was thrown */
    SimPast past;
    SimVideo video;
    SimPace pace;
    Budget budget;
    int cycles;                 /* most pressure cycles of a step, by the last SIM_CYCLES */
    SimSnapshot now;            /* the next snapshot; sim_publish completes it */
    SimRecording *recording;    /* NULL: nothing is recorded */
    uint64_t recorded_from;     /* steps taken when the recording started */
    const SimRecording *replay; /* NULL: nothing is replayed */
    int replay_next;            /* index of the next command of the replay */
    uint64_t replay_from;       /* steps taken when the replay started */
};

/* -- sim_command.c ----------------------------------------------------------------------------- */

/* Applies the commands of the queue, then those of a replay that are due before the next step.
 * Returns true where a paused simulation has to publish a new snapshot. */
bool sim_apply_all(SimThread *thread);
/* Applies one command, and records it where something is recorded. */
void sim_apply(SimThread *thread, const SimCommand *command);

/* -- sim_time.c -------------------------------------------------------------------------------- */

/* Where the clock's time went, up to now. */
SimClock sim_clock_sum(const SimThread *thread);
/* Seconds until the next step is due; 0 or less: it is due now. */
double sim_clock_until_due(SimThread *thread);
/* Changes the speed and drops the time that is owed at the old one. */
void sim_clock_change_speed(SimThread *thread, double speed);
/* Measures the pace after a step that ended at `now`, s. */
void sim_clock_measure_pace(SimThread *thread, double now);

/* Whether the simulation has to wait until the present frame of a video is recorded. */
bool sim_video_waits(SimThread *thread);
/* Chooses the length of a step: equal parts of a video's interval, none longer than the scene's. */
void sim_video_choose_step(SimThread *thread);

/* Moves by so many stored states, forward or back. */
void sim_past_seek(SimThread *thread, int states);
/* Goes back by one state at the first call, and later by the clock. */
void sim_past_go_back(SimThread *thread);
/* Seconds until sim_past_go_back has to be called; 0 or less: now. */
double sim_past_until_due(SimThread *thread);
/* Stores the state after a step, where one is due. */
void sim_past_follow(SimThread *thread);
/* Drops the stored states and sets the memory for new ones, bytes. */
void sim_past_resize(SimThread *thread, double bytes);

#endif
