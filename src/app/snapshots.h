/* SPDX-License-Identifier: MIT
 *
 * Snapshots: copies of a simulation's state, passed from the thread that computes it to the one
 * that draws it. There are three slots: one being written, one being read, one between them.
 * Neither side waits for the other, and the reader always gets the newest complete snapshot. */
#ifndef APP_SNAPSHOTS_H
#define APP_SNAPSHOTS_H

#include "field_slice.h"
#include "motion.h"
#include <billow/billow.h>

/* Where the clock's time went, s: clock = simulated + owed + dropped. The first step of a run is
 * due at once, so that `dropped` is smaller by one step for each run. */
typedef struct SimClock {
    double clock;     /* time that passed while not paused, times the speed */
    double simulated; /* time that was simulated meanwhile */
    double owed;      /* time that is still to be simulated */
    double dropped;   /* time that the machine was too slow for, or that was owed at a pause */
} SimClock;

typedef struct SimSnapshot {
    BillowView view; /* without velocity, fuel and pressure */
    Motion motion;   /* the velocity on a coarse grid */
    BillowStats stats;
    BillowProfile profile;
    double step_ms; /* wall time of the last step; 0 before the first */
    double pace;    /* simulated seconds per second of the clock; 1 where the machine keeps up */
    double speed;   /* simulated seconds per second that are asked for */
    SimClock clock;
    double back_to;         /* oldest time that can be gone back to, s; the present one: none */
    int cycles_cap;         /* multigrid cycles, or sweeps, that a projection may take now */
    int cycles_most;        /* the scene's number of them */
    bool cut;               /* fewer cycles left the last projection short of the tolerance */
    uint64_t steps;         /* taken since the start, over all resets */
    uint64_t resets;        /* so far; between two of them time only grows */
    uint64_t settings;      /* serial of the settings in use; 0: those of the start */
    uint64_t settings_seen; /* serial of the newest settings that were tried */
    BillowError refusal;    /* why those were refused; empty where they are in use */
    uint64_t went_back;     /* number of times that a kept state was gone to */
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* where they are now */
    int solid_count;
    bool sliced;      /* a slice is asked for */
    FieldSlice slice; /* that slice; values NULL: the simulation has no such field */
    uint64_t slices;  /* slices asked for so far */
    uint64_t film;    /* number of the video frame that it stood at last; 0: there is no video */
} SimSnapshot;

typedef struct Snapshots Snapshots;

/* Creates slots for simulations of this definition. NULL and a message when memory is short. */
Snapshots *snapshots_create(const BillowDef *def, BillowError *error);
void snapshots_destroy(Snapshots *snapshots); /* NULL is fine */

/* The writer's side: fills a slot from the view and the other members of `fields`, and passes it
 * on. The view has to come from a simulation of the definition given at creation. */
void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields);

/* The reader's side: the newest snapshot, valid until the next call; NULL before the first one. */
const SimSnapshot *snapshots_newest(Snapshots *snapshots);

#endif
