/* SPDX-License-Identifier: MIT
 *
 * The simulation's thread inside, for its own files alone. All functions are called on that
 * thread. */
#ifndef APP_SIM_THREAD_PARTS_H
#define APP_SIM_THREAD_PARTS_H

#include "budget.h"
#include "grip.h"
#include "rewind.h"
#include "sim_command.h"
#include "sim_thread.h"
#include <SDL.h>

#define STROKE_MAX      16 /* places of the brush in one step; later ones replace the last */
#define DETONATIONS_MAX 8  /* at one time; later ones are ignored */

typedef struct Detonation {
    BillowEmitter emitter;
    double left; /* s of simulated time */
} Detonation;

/* What the person's hand does in the next step. */
typedef struct SimHand {
    BillowEmitter stroke[STROKE_MAX]; /* places of the brush since the last step */
    int stroke_count;
    bool held;          /* the brush is pressed and releases at its place */
    BillowEmitter last; /* place of the last step */
    BillowForce force;
    bool pushing;    /* the force acts in every step */
    bool pushed;     /* the force acts in the next step, even if pushing is over by then */
    Grasp grasp;     /* of a solid */
    double releases; /* steps' worth of smoke that the brush releases in one step */
} SimHand;

/* What a kept state needs beside the simulation's own. */
typedef struct SimExtras {
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;
    BillowSolid defined[BILLOW_SOLIDS_MAX]; /* the solids as the definition had them then */
} SimExtras;

/* Going back in time. */
typedef struct SimPast {
    Rewind *rewind; /* kept states; NULL: none are kept */
    bool asked;     /* the person wants to go back */
    bool going;     /* it has begun to go back */
    double time;    /* simulated time at which going back began, s */
    double clock;   /* the clock when going back began, s */
    uint64_t count; /* kept states that were gone to so far */
} SimPast;

/* A video: the simulation stops at evenly spaced frames until each is taken. */
typedef struct SimVideo {
    double interval;       /* s of simulated time; 0: there is no video */
    int steps;             /* of one frame */
    int left;              /* steps until the next frame */
    uint64_t frame, taken; /* number of the frame it waits at, and of the last frame taken */
} SimVideo;

/* The clock that the simulation keeps up with. */
typedef struct SimPace {
    bool ticking;                      /* not paused */
    double clock;                      /* when `owed` was last brought up to date */
    double owed;                       /* s of real time not yet simulated */
    double run_start;                  /* when the present run began */
    double run_speed;                  /* its speed */
    SimClock account;                  /* of all runs before it */
    double speed;                      /* simulated seconds per second that are asked for */
    double pace;                       /* simulated seconds per second that are reached */
    double pace_start, pace_simulated; /* of the present measurement of the pace */
} SimPace;

struct SimThread {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards the members up to `saved` */
    SDL_cond *wake;   /* the queue or the state changed */
    SimQueue queue;
    bool will_pause; /* once the queue is applied */
    SimThreadState state;
    BillowError error; /* why creation failed */
    Snapshots *snapshots;
    int threads;
    bool has_saved; /* a copy waits to be fetched */
    SimSaved saved;

    /* The rest belongs to the thread. */
    SimQueue batch; /* commands being applied */
    bool quit, paused, exact;
    int single_steps; /* to take while paused */
    BillowSim *sim;
    BillowDef def;
    void *first; /* state to start from; NULL: at rest */
    size_t first_bytes;
    ScenePlay *play;       /* NULL: no timeline, or one that asked for something impossible */
    ScenePlay **own_plays; /* of replayed settings */
    int own_play_count;
    double step, scene_step; /* s; length of a step now, and as the scene has it */
    uint64_t settings;       /* serial of the settings in use */
    uint64_t settings_seen;  /* serial of the newest that were tried */
    BillowError refusal;     /* why the newest were refused */
    SimHand hand;
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip; /* of the solid that is in the hand, or was thrown by it */
    SimPast past;
    SimVideo video;
    SimPace pace;
    Budget budget;
    int cycles; /* most pressure cycles wanted, */
    int cap;    /* and those that the simulation has now; 0: not known */
    double step_ms;
    uint64_t steps, resets;
    bool sliced;
    FieldSlice slice; /* without its values */
    uint64_t slices;
    SimRecording *recording;    /* NULL: nothing is recorded */
    uint64_t recorded_from;     /* steps when it began */
    const SimRecording *replay; /* NULL: nothing is replayed */
    int replay_next;            /* its next command */
    uint64_t replay_from;       /* steps when it began */
};

/* sim_apply.c: the one place where commands act. */

/* Applies the commands that wait, then those of a replay that are due before the next step. */
void sim_apply_all(SimThread *thread);
/* Applies one command, and records it. */
void sim_apply(SimThread *thread, const SimCommand *command);
/* Hands the state over to whoever draws it. */
void sim_publish(SimThread *thread);

/* sim_clock.c */

SimClock sim_clock_account(const SimThread *thread);
/* Seconds until the next step is due; 0 or less: it is due now. */
double sim_clock_until_due(SimThread *thread);
/* Changes the speed; time that is owed at the old one is dropped. */
void sim_clock_change_speed(SimThread *thread, double speed);
/* Measures the pace, after a step that ended then. */
void sim_clock_measure_pace(SimThread *thread, double now);

/* sim_past.c */

/* Goes forth or back by so many kept states. */
void sim_past_seek(SimThread *thread, int states);
/* Goes back one state at first, and then by the clock. */
void sim_past_go_back(SimThread *thread);
/* Seconds until sim_past_go_back has to be called; 0 or less: now. */
double sim_past_until_due(SimThread *thread);
/* Keeps the state after a step, where one is due. */
void sim_past_follow(SimThread *thread);
/* Forgets the kept states and gives them so much memory. */
void sim_past_resize(SimThread *thread, double bytes);

/* sim_step.c */

void sim_step_take(SimThread *thread);
/* Whether the simulation stands at a frame of a video that is not taken yet. */
bool sim_video_waits(SimThread *thread);
/* Chooses the length of a step: equal parts of a video's interval, none longer than the scene's. */
void sim_video_choose_step(SimThread *thread);

#endif
