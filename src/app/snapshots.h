/* SPDX-License-Identifier: MIT
 *
 * Complete copies of a simulation's state, handed from the thread that computes it to the one that
 * draws it. Three slots: one being written, one being read, one between them; neither side ever
 * waits for the other, and the reader always gets the newest whole one. */
#ifndef APP_SNAPSHOTS_H
#define APP_SNAPSHOTS_H

#include "field_slice.h"
#include "motion.h"
#include <billow/billow.h>

/* What became of the clock's time, s: clock = simulated + owed + dropped. A run of steps begins
 * with one that is due at once: so much less is dropped. */
typedef struct SimClock {
    double clock;     /* that went by while steps were due, times the speed asked for */
    double simulated; /* in those steps, as the simulation itself counts */
    double owed;      /* behind the clock now */
    double dropped;   /* that the machine was too slow for, or that was owed when it was paused */
} SimClock;

typedef struct SimSnapshot {
    BillowView view; /* what is drawn: no velocity, no fuel */
    Motion motion;   /* the velocity, coarsely */
    BillowStats stats;
    BillowProfile profile;
    double step_ms; /* wall time of the last step; 0 before the first */
    double pace;    /* simulated seconds per second of the clock; 1 where the machine keeps up */
    double speed;   /* the same as asked for */
    SimClock clock;
    double
        back_to; /* s; the oldest time that it can be taken back to: its own, where there is none */
    int cycles_cap;    /* multigrid cycles, or relaxation sweeps, that a projection may take now, */
    int cycles_most;   /* and as the scene has it */
    bool cut;          /* fewer left the last projection short of the scene's tolerance */
    uint64_t steps;    /* taken since the start, whatever was reset in between */
    uint64_t resets;   /* so far; between two of them time only grows */
    uint64_t settings; /* serial of the settings in use; 0: those of the start */
    uint64_t settings_seen;                /* serial of the newest settings that were tried */
    BillowError refusal;                   /* why those were refused; empty where they are in use */
    uint64_t went_back;                    /* or forth, to a state that was kept: so often so far */
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* where they are */
    int solid_count;
    FieldSlice slice; /* as asked for: snapshots_publish fills it; values NULL: there is none */
    bool sliced;
    uint64_t slices; /* asked for so far */
    uint64_t film;   /* number of the frame that it stood at last; 0: no film is made */
} SimSnapshot;

typedef struct Snapshots Snapshots;

/* Slots for a simulation of this definition: with room for solids, colours, flame, tracers
 * and so on where it has them. NULL and a message when memory is short. */
Snapshots *snapshots_create(const BillowDef *def, BillowError *error);
void snapshots_destroy(Snapshots *snapshots); /* NULL is fine */

/* The writer's side: fills a slot from the state and hands it over; solids are copied into it only
 * where they have moved since it was last filled. fields->view is ignored; view must be of a
 * simulation like the one given at creation. */
void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields);

/* The reader's side: the newest, valid until the next call; NULL before the first. */
const SimSnapshot *snapshots_newest(Snapshots *snapshots);

#endif
