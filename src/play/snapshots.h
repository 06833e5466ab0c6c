/* SPDX-License-Identifier: MIT
 *
 * Snapshots: copies of a simulation's state, which the simulation's thread writes and the drawing
 * thread reads. There are three slots: one is being written, one is being read, and the third holds
 * a snapshot to exchange. Neither thread waits for the other, and the reader always gets the newest
 * complete snapshot. */
#ifndef PLAY_SNAPSHOTS_H
#define PLAY_SNAPSHOTS_H

#include "render/frame/field_slice.h"
#include "render/motion.h"
#include <billow/billow.h>

/* What became of the clock's time: clock = simulated + owed + dropped. The first step of a run is
 * due at once, although no time has passed. So each run subtracts one step from `dropped`. */
typedef struct SimClock {
    double clock;     /* clock time that passed while not paused, multiplied by the speed, s */
    double simulated; /* time that was simulated, s */
    double owed;      /* time that will still be simulated, s */
    double dropped;   /* time that will never be simulated, because the machine was too slow or the
                         simulation was paused, s */
} SimClock;

/* What became of SIM_GRID. DROPPED: something else came in between. REFUSED: the simulation cannot
 * be created on that grid. */
typedef enum SimGridResult { SIM_GRID_DONE, SIM_GRID_DROPPED, SIM_GRID_REFUSED } SimGridResult;

typedef struct SimSnapshot {
    BillowView view; /* view of the copied fields, without fuel and pressure; without velocity
                        unless the reader wants it */
    Motion motion;   /* the velocity on a coarse grid */
    BillowStats stats;
    BillowProfile profile;
    double step_ms; /* wall time of the last step, ms; 0 before the first step */
    double work_ms; /* wall time of the step before, with its snapshot, ms; 0: there was none */
    double pace;    /* measured speed: simulated seconds per second of the clock */
    double speed;   /* requested speed: simulated seconds per second of the clock */
    SimClock clock;
    double back_to;         /* time of the oldest stored state, s; the present time if none */
    int cycles_cap;         /* present cap on the cycles or sweeps of a projection; 0: not known */
    int cycles_most;        /* cycles or sweeps of a projection that the scene allows */
    bool cut;               /* the last projection missed its tolerance because of `cycles_cap` */
    uint64_t steps;         /* number of steps since the thread started, not reset by resets */
    uint64_t resets;        /* number of resets; between two of them simulated time only grows */
    uint64_t settings;      /* serial of the settings in use; 0: those at the start */
    uint64_t settings_seen; /* serial of the newest settings, in use or refused */
    uint64_t changes;       /* number of settings taken so far, from here or from others */
    BillowError refusal;    /* why the newest settings were refused; empty text: they are in use */
    BillowError growth;     /* why the box no longer grows; empty text: nothing to say */
    uint64_t grid;          /* serial of the newest SIM_GRID that has a result */
    SimGridResult grid_result;
    uint64_t went_back; /* number of times that a stored state was loaded to go back */
    BillowSolid solids[BILLOW_SOLIDS_MAX]; /* present places of the solids */
    int solid_count;
    bool sliced;             /* there is a slice */
    FieldSlice slice;        /* `values` NULL: the simulation has no such field */
    uint64_t slices;         /* number of slice commands so far */
    int replay_same;         /* number of hashes of the replay that the state had so far */
    uint64_t replay_differs; /* first step of the replay whose hash differed; 0: none */
    bool replaying;          /* a replay goes on */
    BillowError
        recorded; /* why the recording has ended; empty text: it goes on, or there is none */
} SimSnapshot;

/* -- copies of a view -------------------------------------------------------------------------- */

/* Number of floats of the copies of a view's drawn fields and tracers. */
size_t snapshot_view_floats(const BillowView *view);
/* Copies a view with its drawn fields and tracers, for which `to` has snapshot_view_floats: zeros,
 * or an earlier copy of a view with the same cells and fields. known: the values at the cells'
 * corners, which change only with the solids, are there already. */
void snapshot_copy_view(BillowView *copy, const BillowView *view, bool known, float *to);

/* -- the slots --------------------------------------------------------------------------------- */

typedef struct Snapshots Snapshots;

/* Creates the slots for a simulation of this definition. Returns NULL with a message if memory is
 * short. */
Snapshots *snapshots_create(const BillowDef *def, BillowError *error);
void snapshots_destroy(Snapshots *snapshots); /* NULL is fine */

/* Whether the following snapshots have the velocity; for the reading thread. */
void snapshots_want_velocity(Snapshots *snapshots, bool wanted);

/* Whether the snapshots were created for the grid of a view, whose box may have grown. */
bool snapshots_fit(const Snapshots *snapshots, const BillowView *view);

/* Publishes a snapshot; for the writing thread. The fields come from a view, which must belong to a
 * simulation of the definition given at creation, on the same grid. The members other than `view`,
 * `motion` and the slice's values come from `fields`. */
void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields);

/* Returns the newest snapshot, valid until the next call; for the reading thread. NULL: there is
 * none yet. */
const SimSnapshot *snapshots_newest(Snapshots *snapshots);

#endif
