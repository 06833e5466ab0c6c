/* SPDX-License-Identifier: MIT
 *
 * Exchanges between the ranks of a distributed simulation (billow/exchange.h).
 *
 * The rule of parallel.h holds across ranks as well: a worker writes only its own slab. It reads
 * planes of other workers after a barrier. Where these belong to other ranks, an exchange must
 * stand beside that barrier:
 *
 *     blur b <- a on my slab
 *     team_barrier(team)
 *     exchange_planes(team, &b, 1)       planes next to the slabs of this rank
 *     blur a <- b on my slab
 *
 * Where most planes do not need those of other ranks, the exchange can take place during the work:
 *
 *     exchange_begin(team, &b, 1)
 *     blur a <- b on exchange_inner      planes that need none of other ranks
 *     exchange_finish(team)
 *     blur a <- b on exchange_outer      the others
 *
 * The cuts between ranks lie at multiples of 2^levels planes, so that the coarse levels of a
 * multigrid are cut at the same places. Plane numbers are those of the whole box on every rank.
 * Without ranks an exchange does nothing. */
#ifndef SIM_EXCHANGE_H
#define SIM_EXCHANGE_H

#include "sim/fields/grid.h"
#include "sim/fields/parallel.h"

#include <billow/exchange.h>

typedef struct Traffic Traffic;

struct Ranks {
    BillowExchange calls;
    Traffic *traffic;        /* counts the exchanges of another division; NULL: none */
    int planes;              /* of the box, along z */
    bool wraps;              /* whether the box is periodic along z */
    int levels;              /* the cuts are multiples of 2^levels */
    double alone_cells;      /* levels of fewer cells are not divided (DIVIDED_CELLS) */
    bool poison;             /* for tests: planes of other ranks become NaN before each substep */
    int *cuts;               /* first plane of each rank; one more entry at the end */
    size_t *offsets;         /* memory for gather: one entry per rank, and one more */
    BillowMessage *messages; /* memory for transfer */
};

/* Divides the planes of a box of nx * ny * nz cells among ranks. Returns NULL and a message if they
 * are too many, or without memory. */
Ranks *ranks_create(const Grid *grid, bool wraps, const BillowExchange *calls, BillowError *error);
void ranks_destroy(Ranks *ranks);

/* The planes of a rank if a field has so many: as many as the box, one more or less, or those of a
 * coarser level. Without ranks all planes. */
Slab ranks_slab(const Ranks *ranks, int rank, int planes);
/* The planes of this rank. */
Slab ranks_own(const Ranks *ranks, int planes);

/* An array of planes in memory. Plane `planes` exists too, as a ghost or as the last faces. */
typedef struct PlaneField {
    char *first;      /* memory of plane 0 */
    ptrdiff_t stride; /* distance between planes, bytes */
    int planes;
    int reach; /* planes beside a rank's own that it needs */
} PlaneField;

/* These set reach 0. */
PlaneField planes_of(const Grid *grid, const float *field);
/* Both colours of a packed field with so many planes. */
void planes_of_packed(const Grid *grid, Packed packed, int planes, PlaneField colors[2]);

/* All workers of a team call each function, after a barrier that completed the planes. Each ends
 * with a barrier. Between tasks a single thread calls it as a team of one (sim_alone). */

/* Fetches the planes of fields of a grid within `reach` planes of those of this rank. In a periodic
 * box these may lie at its other end. */
void exchange_fields(Team team, const Grid *grid, float *const *fields, int count, int reach);
/* Fetches the planes within the reach of each field of those of this rank. */
void exchange_planes(Team team, const PlaneField *fields, int count);
/* Fetches these planes of all ranks, for code that needs them whole. */
void exchange_whole(Team team, const PlaneField *fields, int count, Slab planes);
void exchange_whole_fields(Team team, const Grid *grid, float *const *fields, int count,
                           Slab planes);
/* Gives rank 0 the planes of all ranks. */
void exchange_collect(const Ranks *ranks, const PlaneField *fields, int count);
/* Fetches all entries of an array that has one per plane. */
void exchange_entries(Team team, void *entries, size_t size, int planes);

/* Begins to fetch planes as exchange_planes does. All workers call it after a barrier that
 * completed the planes; it ends without one. Until exchange_finish nothing else is exchanged, no
 * worker writes these fields in the planes that other ranks need, or reads them in those that are
 * fetched. */
void exchange_begin(Team team, const PlaneField *fields, int count);
/* Waits for the planes. Ends with a barrier, without ranks too. */
void exchange_finish(Team team);

/* A worker's part of those of so many planes that are at least `reach` planes away from other
 * ranks. It may be empty. */
Slab exchange_inner(Team team, int planes, int reach);
/* A worker's part of the other planes of this rank. */
void exchange_outer(Team team, int planes, int reach, Slab parts[2]);

/* Between tasks: gives every rank an entry of each, of at most 256 bytes. The next exchange
 * overwrites them. */
const void *exchange_each(const Ranks *ranks, const void *entry, size_t size);
/* Between tasks: the largest value of any rank. */
double exchange_max(Team team, double value);

/* -- what the exchanges of a divided simulation would move, in one that is not divided -----------
 *
 * The simulation has a single rank, whose exchanges have nobody to fetch from. Each of
 * them is repeated with the division of another box, which may be larger, in a table that counts
 * and moves nothing. Its fields are those of the present box with the planes and strides of the
 * other one. The present box divides as many levels of the multigrid as the other one, although
 * they are smaller. */

/* The single rank of a box of the grid `here`. It counts what would be exchanged in a box of the
 * grid `there` on so many ranks. reach_most: planes that a rank fetches of sampled fields where the
 * flow is fastest, for which it needs memory. Returns NULL and a message if the ranks are too many,
 * or without memory. */
Ranks *traffic_start(const Grid *here, const Grid *there, bool wraps, int count, int reach_most,
                     BillowError *error);

/* The exchanges since the start, and the memory for planes of other ranks. */
BillowTraffic traffic_sum(const Traffic *traffic);
/* Share of the box that the rank with the most planes owns. */
double traffic_share(const Traffic *traffic);

#endif
