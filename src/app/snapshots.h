/* SPDX-License-Identifier: MIT
 *
 * Snapshots: copies of a simulation's state, from the thread that computes it for the thread that
 * draws it. Of three slots one is being written, one is being read, and one lies between them.
 * Neither thread waits for the other, and the reader always gets the newest complete snapshot. */
#ifndef APP_SNAPSHOTS_H
#define APP_SNAPSHOTS_H

#include "field_slice.h"
#include "motion.h"
#include <billow/billow.h>

/* Where the clock's time went: clock = simulated + owed + dropped. The first step of a run is due
 * at once, so that each run makes `dropped` smaller by one step. */
typedef struct SimClock {
    double clock;     /* time that passed while not paused, times the speed, s */
    double simulated; /* time that was simulated meanwhile, s */
    double owed;      /* time that is not simulated yet, s */
    double dropped;   /* time that is never simulated: the machine was too slow, or paused, s */
} SimClock;

typedef struct SimSnapshot {
    BillowView view; /* without velocity, fuel and pressure */
    Motion motion;   /* the velocity on a coarse grid */
    BillowStats stats;
    BillowProfile profile;
    double step_ms; /* wall time of the last step, ms; 0 before the first */
    double pace;    /* simulated seconds per second of the clock, as measured */
    double speed;   /* simulated seconds per second of the clock, as requested */
    SimClock clock;
    double back_to;    /* time of the oldest stored state, s; the present time: there is none */
    int cycles_cap;    /* most multigrid cycles, or sweeps, of a projection now; 0: not known */
    int cycles_most;   /* most multigrid cycles, or sweeps, by the scene */
    bool cut;          /* the cap left the last projection short of the tolerance */
    uint64_t steps;    /* number of steps since the start, over all resets */
    uint64_t resets;   /* number of resets; between two of them time only grows */
    uint64_t settings; /* serial of the settings in use; 0: those of the start */
    uint64_t settings_seen; /* serial of the newest settings, in use or refused */
    BillowError refusal; /* reason why the newest settings were refused; empty: they are in use */
    uint64_t went_back;  /* number of times that a stored state was loaded */
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* present places of the solids */
    int solid_count;
    bool sliced;      /* there is a slice */
    FieldSlice slice; /* values NULL: the simulation has no such field */
    uint64_t slices;  /* number of commands for the slice so far */
    uint64_t film;    /* number of the present frame of the video; 0: there is no video */
} SimSnapshot;

typedef struct Snapshots Snapshots;

/* Creates slots for simulations of a definition. Returns NULL and a message where memory is short.
 */
Snapshots *snapshots_create(const BillowDef *def, BillowError *error);
void snapshots_destroy(Snapshots *snapshots); /* NULL is fine */

/* For the writer: publishes a snapshot from a view and the members of `fields` besides view, motion
 * and slice values. The view has to come from a simulation of the definition given at creation. */
void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields);

/* For the reader: the newest snapshot, valid until the next call; NULL: there is none yet. */
const SimSnapshot *snapshots_newest(Snapshots *snapshots);

#endif
