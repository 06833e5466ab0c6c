/* SPDX-License-Identifier: MIT
 *
 * What the files of the simulation's thread share, and nobody else knows. All functions are for
 * that thread; those that say so want the mutex held. */
#ifndef APP_SIM_THREAD_PARTS_H
#define APP_SIM_THREAD_PARTS_H

#include "budget.h"
#include "grip.h"
#include "rewind.h"
#include "sim_thread.h"
#include <SDL.h>

#define STROKE_MAX      16
#define DETONATIONS_MAX 8

typedef struct Detonation {
    BillowEmitter emitter;
    double left; /* s of simulated time */
} Detonation;

/* What of a state lies outside the simulation. */
typedef struct Beside {
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;
    BillowSolid defined[BILLOW_SOLIDS_MAX]; /* as the definition had them then */
} Beside;

/* What the window has asked for and the simulation has not yet seen. */
typedef struct Mailbox {
    bool quit, reset, paused, exact;
    int steps;
    double speed;    /* simulated seconds per second of the clock that are wanted */
    bool rewinding;  /* as long as it says so */
    int seeks;       /* states to go forth, or back */
    bool past_asked; /* for so much memory for the past: */
    double past_bytes;
    BillowEmitter stroke[STROKE_MAX];
    int stroke_count;
    bool brush_held;
    BillowForce force;    /* of the brush, where it is pushing, */
    bool pushing, pushed; /* or has been since the last step */
    BillowEmitter detonations[DETONATIONS_MAX];
    int detonation_count;
    Grasp grasp;
    bool settings_given; /* and not yet seen */
    SimSettings settings;
    bool slice_asked; /* anew */
    bool sliced;
    FieldSlice slice;
    bool film_asked; /* anew */
    double film_interval;
    uint64_t film_taken;
    bool keep;
} Mailbox;

/* What the simulation does next, taken out of the mailbox whole. */
typedef struct Orders {
    bool reset, step, exact;
    bool settle; /* self->settings are new */
    bool past;   /* its memory is */
    bool back;   /* as time goes back, */
    int seek;    /* or by so many states */
    bool show;   /* the same state with another slice */
    bool film;   /* a film begins, or ends */
    bool keep;   /* a copy of the state */
    BillowEmitter stroke[STROKE_MAX];
    int stroke_count;
    BillowForce force;
    bool pushing;
    BillowEmitter detonations[DETONATIONS_MAX];
    int detonation_count;
    Grasp grasp;
} Orders;

struct SimThread {
    SDL_Thread *handle;
    SDL_mutex *mutex; /* guards the mailbox, state, error, snapshots' creation and threads */
    SDL_cond *wake;   /* the mailbox or the state changed */
    Mailbox mailbox;
    SimThreadState state;
    BillowError error;
    SimSettled settled;
    Snapshots *snapshots;
    int threads;
    SimKept kept; /* until it is fetched, */
    bool has_kept;

    /* The rest belongs to the thread itself. */
    BillowDef def;
    ScenePlay *play;      /* NULL: no timeline, or one that asked for what cannot be */
    double step;          /* s, as long as steps are now, */
    double scene_step;    /* and as the scene has it */
    SimSettings settings; /* given last, */
    void *first;          /* the state to begin with; NULL: at rest */
    size_t first_bytes;
    BillowSim *sim;
    bool ticking;                /* the clock below runs: not paused */
    double clock;                /* when the time owed was last brought up to date */
    double owed;                 /* s of real time not yet simulated */
    double run_start, run_speed; /* when it began to run last, and how fast */
    SimClock account;            /* without that run's time, and what is owed */
    BillowEmitter last_touch;
    bool touching;
    Detonation detonations[DETONATIONS_MAX];
    int detonation_count;
    Grip grip;      /* of the solid in the hand, or thrown by it */
    Rewind *rewind; /* NULL: there is no way back */
    double past_bytes;
    bool going_back;
    double back_time, back_clock; /* the time it left, and the clock then */
    double speed;                 /* as in the mailbox */
    double pace, pace_start, pace_simulated;
    Budget budget;
    int cap; /* that the simulation runs under */
    double step_ms;
    uint64_t steps, resets, went_back;
    bool sliced;
    FieldSlice slice; /* without its numbers */
    uint64_t slices;
    double film_interval;      /* s; 0: there is no film */
    int film_steps, film_left; /* of a frame, and until the next one */
    uint64_t film;             /* number of the frame that it stood at last */
};

/* sim_publish.c: hands the state over to whoever draws it. */
void sim_publish(SimThread *thread);

/* sim_orders.c: sleeps until there is something to do, and takes it. False: quit. */
bool sim_orders_take(SimThread *thread, Orders *orders);

/* sim_clock.c */
SimClock sim_clock_account(const SimThread *thread);
/* Seconds until the next step is due, 0 or less when it is due now. */
double sim_clock_until_due(SimThread *thread);
/* What is behind at the old speed is not made up for at the new one. */
void sim_clock_change_speed(SimThread *thread, double speed);
/* After a step that ended then. */
void sim_clock_measure_pace(SimThread *thread, double now);

/* sim_past.c: by so many of the states that are kept; */
void sim_past_seek(SimThread *thread, int states);
/* at once to the state before the present, and from there on by the clock. */
void sim_past_go_back(SimThread *thread);
/* Whether the state before is due; sleeps for a while where it is not. Mutex held. */
bool sim_past_ready(SimThread *thread);
void sim_past_follow(SimThread *thread); /* after a step */
void sim_past_renew(SimThread *thread);  /* for another memory */

/* sim_film.c: whether it stands at a frame that is not taken yet. Mutex held. */
bool sim_film_waits(SimThread *thread);
/* How long steps are from now on: where a film is made, as many to a frame as take it there, none
 * longer than the scene's. */
void sim_film_choose_step(SimThread *thread);
void sim_film_follow(SimThread *thread); /* after a step */

/* sim_step.c */
void sim_step_take(SimThread *thread, const Orders *orders);

#endif
