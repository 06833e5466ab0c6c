/* SPDX-License-Identifier: MIT
 *
 * The ranks of the program: the processes that mpirun or srun has started. Without mpirun there is
 * one rank, these functions do nothing, and the MPI library is not loaded.
 *
 * All ranks run the same command. Rank 0 leads: it alone prints and writes files. What can differ
 * between ranks, such as the success of reading a file, must be agreed upon before the next step,
 * because in a step the ranks wait for each other. */
#ifndef MPI_CLUSTER_H
#define MPI_CLUSTER_H

#include "base/system.h"

#include <billow/exchange.h>

/* Silences all ranks but the first. Call it before anything is printed. */
void cluster_prepare(void);
/* Starts MPI if the program runs as several ranks, which must run the same file. */
bool cluster_start(const char *version, BillowError *error);
/* Ends MPI. Call it before the program exits. */
void cluster_stop(void);
/* Lets rank 0 go on alone. Returns whether this is rank 0. */
bool cluster_part(void);

/* Whether this rank prints and writes files. */
bool cluster_leads(void);
/* Number of ranks; 1 without mpirun. */
int cluster_ranks(void);
/* Share of a divided simulation that lies on this machine, 0 to 1. */
double cluster_share(void);
/* Threads of a rank, if the ranks of this machine share its cores evenly; at least 1. */
int cluster_threads(void);
/* NULL without ranks. */
const BillowExchange *cluster_exchange(void);

/* Each of the following is called by all ranks at the same time. */

/* Fills in a table between the first `ranks` ranks. Returns whether this is one of them. */
bool cluster_first(int ranks, BillowExchange *part);
/* Waits for all ranks, asleep. */
void cluster_meet(void);

/* The status and message of the first rank that has failed; STATUS_DONE if none has. */
Status cluster_status(Status status, BillowError *error);
/* The same for functions that return whether they succeed. */
bool cluster_agree(bool good, BillowError *error);
/* The same among the ranks of an exchange; NULL: this one alone. */
bool cluster_agree_among(const BillowExchange *among, bool good, BillowError *error);
/* Whether the flag is set on any rank. */
bool cluster_any(bool flag);
/* The flags that any rank has. */
unsigned cluster_union(unsigned flags);
/* Fails if the ranks have different texts: "the ranks have different <what>". */
bool cluster_same(const char *text, const char *what, BillowError *error);

/* The planes first <= k < end of a view of so many planes that this rank writes: those that it
 * owns, or an even share where every rank has all. */
void cluster_planes(const BillowSim *sim, int planes, int *first, int *end);
/* Gives every rank the entries of all, one per rank. */
void cluster_gather(void *entries, size_t size);
/* Gives all ranks the bytes of rank 0, fewer than 2 GiB. */
void cluster_tell(void *memory, size_t bytes);

/* A file that stands already and that all ranks write or read together. */
typedef struct BillowMpiFile ClusterFile; /* billow/mpi.h */
/* Returns NULL on all ranks if one fails. */
ClusterFile *cluster_file_open(const char *path, bool writes, BillowError *error);
/* Writes or reads at most 1 GiB at an offset; none if `bytes` is 0. The ranks learn only whether
 * they have succeeded themselves. */
bool cluster_file_move(ClusterFile *file, uint64_t offset, void *memory, size_t bytes,
                       BillowError *error);
/* Closes the file, whose bytes are then on the device. */
bool cluster_file_close(ClusterFile *file, BillowError *error);

#endif
