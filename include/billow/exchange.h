/* SPDX-License-Identifier: MIT
 *
 * One simulation on several processes, its ranks.
 *
 * Each rank creates a simulation of the same definition and owns a slab of its planes along z. All
 * ranks then make the same calls with the same arguments, in the same order. Between the passes of
 * a step they exchange the planes beside their slabs and the sums of all planes, by the functions
 * of a BillowExchange. The state has the same bits at any number of ranks and threads.
 *
 * libbillow_mpi (billow/mpi.h) fills in the functions for MPI. A program with another network fills
 * in its own.
 *
 * Every rank reserves addresses for the whole box, but memory only for the planes that it uses.
 * Boxes that grow use everything on every rank, tracers the whole velocity, and solids their whole
 * distances and face fractions. The results are the same. */
#ifndef BILLOW_EXCHANGE_H
#define BILLOW_EXCHANGE_H

#include <billow/billow.h>
#include <billow/upres.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes to send to a rank or to receive from it. */
typedef struct BillowMessage {
    int rank;  /* the other rank, 0 <= rank < ranks, never one's own */
    bool send; /* whether to send; otherwise to receive */
    void *memory;
    size_t bytes; /* more than 0; the same on both sides */
} BillowMessage;

/* How a rank reaches the others. Messages between two ranks arrive in the order in which they were
 * sent. An exchange that fails must end the program on all ranks, because the others wait. The
 * functions are called in the default floating-point mode of C, whatever the caller's is. */
typedef struct BillowExchange {
    void *context;   /* the first argument of the functions; must outlive the simulation */
    int rank, ranks; /* this rank, from 0, and their number */
    /* Begins to send and receive all messages, at the same time. Until `finish` the list stays as
     * it is, no memory to send changes, and no memory to receive is used. */
    void (*begin)(void *context, const BillowMessage *messages, int count);
    /* Waits for all messages. Follows each `begin` before any other call. */
    void (*finish)(void *context);
    /* Completes `memory` on every rank. Before the call, rank r has only the bytes from offsets[r]
     * up to offsets[r + 1], without the last; after it, every rank has the bytes of all. `offsets`
     * has ranks + 1 entries. */
    void (*gather)(void *context, void *memory, const size_t *offsets);
} BillowExchange;

/* Least number of planes along z that a rank owns. */
#define BILLOW_RANK_PLANES 8

/* Like billow_create, on every rank, which all receive the same definition. The table is copied.
 * Returns NULL and a message if the box has fewer than BILLOW_RANK_PLANES planes per rank, if rank,
 * ranks or functions of the table are wrong, and where billow_create does. exchange NULL: as
 * billow_create. */
BillowSim *billow_create_exchanging(const BillowDef *def, const BillowExchange *exchange,
                                    BillowError *error);

/* The planes first <= k < end of the smoke that this rank owns: all planes without a
 * BillowExchange. Views, billow_fields and saved states are valid there. */
void billow_own_planes(const BillowSim *sim, int *first, int *end);

/* A run of bytes of a saved state, which begins where the one before it ends. */
typedef struct BillowStatePart {
    size_t end; /* offset of the byte after it */
    int rank;   /* the rank that owns these planes and needs them to load; -1: all ranks have and
                   need these bytes */
} BillowStatePart;

/* Lists the parts of a state, in order, as the ranks save and load it: billow_save_state writes, of
 * the parts of ranks, only a rank's own, and billow_load_state reads no others. Returns their
 * number; parts NULL: counts only. */
int billow_state_parts(const BillowSim *sim, BillowStatePart *parts);

/* Gives every rank the planes within `reach` >= 0 planes of its own, at both ends, until the next
 * step; and of the wind those around these, with their faces. Called by all ranks. */
void billow_fetch_planes(BillowSim *sim, int reach);

/* Gives rank 0 the planes of all ranks, so that its view is valid everywhere until the next step.
 * It then uses the memory of the fields of the whole box. Called by all ranks. */
void billow_collect_state(BillowSim *sim);

/* Like billow_upres_create, for a view whose planes are divided among ranks, in their order. Called
 * by every rank; this one owns the planes planes[0] <= k < planes[1]. It refines them and `beside`
 * planes at each end of them. Its fine views are valid in these planes alone, and have no memory
 * for others. All ranks call billow_upres_view at the same time, and get the bits of one process.
 */
BillowUpres *billow_upres_create_exchanging(const BillowView *view, const BillowUpresDef *def,
                                            const BillowExchange *exchange, const int planes[2],
                                            int beside, BillowError *error);
/* Number of planes beside its own that a rank needs of the view (billow_fetch_planes). */
int billow_upres_reach(const BillowUpres *upres);

/* What a rank in the middle of the box exchanges, and its memory. */
typedef struct BillowTraffic {
    double bytes;                /* sent; as many are received */
    double messages;             /* sent between begin and finish */
    double transfers;            /* calls of begin */
    double gathers;              /* calls of gather */
    double overlapped_bytes;     /* bytes that are sent while the rank computes */
    double overlapped_transfers; /* calls of begin after which the rank computes before finish */
    double memory;               /* of the rank with the most planes, bytes */
    double share;                /* part of the box's planes that this rank owns, 0 to 1 */
} BillowTraffic;

/* Lets an undivided simulation count, from now on, what its exchanges would be if it were divided
 * among `ranks` ranks, to predict those of a simulation that is too large for this machine.
 * `divided` is the definition that is predicted: that of `sim` or the same with another grid. Its
 * steps are predicted best by steps of `sim` in which the smoke crosses as many cells. A new call
 * counts from 0. Boxes that grow exchange nothing. Returns false and a message if the definition is
 * wrong, if the box cannot be divided so, or without memory. */
bool billow_count_exchanges(BillowSim *sim, const BillowDef *divided, int ranks,
                            BillowError *error);
/* The exchanges since billow_count_exchanges. */
BillowTraffic billow_traffic(const BillowSim *sim);

#ifdef __cplusplus
}
#endif

#endif
