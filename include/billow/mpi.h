/* SPDX-License-Identifier: MIT
 *
 * libbillow_mpi: simulations that the ranks of an MPI program divide among them.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *     BillowSim *sim = billow_create_distributed(&def, MPI_COMM_WORLD, &error);
 *     billow_step(sim, 1.0 / 60);                 on all ranks, as every call
 *     billow_destroy(sim);
 *
 * billow/exchange.h describes what the ranks share. The thread that creates a simulation makes all
 * calls of MPI, so that MPI_THREAD_FUNNELED suffices. An error of MPI ends all ranks. */
#ifndef BILLOW_MPI_H
#define BILLOW_MPI_H

#include <billow/exchange.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in a table of exchanges over a communicator, which all its ranks do. The exchanges have a
 * communicator of their own, a duplicate, and are valid until the given one is freed or MPI ends.
 * Returns false and a message without memory. */
bool billow_mpi_exchange(MPI_Comm communicator, BillowExchange *exchange, BillowError *error);

/* Like billow_create, on all ranks of a communicator, which divide the box along z. Returns NULL
 * and a message on failure, as billow_create_exchanging does. */
static inline BillowSim *billow_create_distributed(const BillowDef *def, MPI_Comm communicator,
                                                   BillowError *error)
{
    BillowExchange exchange;
    return billow_mpi_exchange(communicator, &exchange, error)
               ? billow_create_exchanging(def, &exchange, error)
               : NULL;
}

/* For programs that load the library only under mpirun: starts MPI and fills in a table over all
 * ranks. Returns false and a message if MPI cannot be used. */
bool billow_mpi_start(BillowExchange *exchange, BillowError *error);
/* Ends MPI, after billow_mpi_start. */
void billow_mpi_stop(void);
/* Fills in a table between the first `ranks` ranks, 1 or more. All ranks call it. It stays valid until the
 * next call. */
void billow_mpi_first(int ranks, BillowExchange *exchange);

/* A file that stands already, where every rank can open it, and that all ranks write or read
 * together by MPI-IO. All of them call each of the functions, and learn whether it succeeded on
 * their own. */
typedef struct BillowMpiFile BillowMpiFile;
/* Opens the file to write or, otherwise, to read. Returns NULL and the reason on failure. */
BillowMpiFile *billow_mpi_open(const char *path, bool writes, BillowError *error);
/* Writes or reads at most 1 GiB at an offset; none if `bytes` is 0. Bytes beyond the end cannot be
 * read. */
bool billow_mpi_move(BillowMpiFile *file, uint64_t offset, void *memory, size_t bytes,
                     BillowError *error);
/* Closes the file. What was written is then on the device, unless it fails. */
bool billow_mpi_close(BillowMpiFile *file, BillowError *error);

/* Waits until all ranks have called it. They sleep meanwhile, unlike in the functions of MPI. */
void billow_mpi_meet(void);

#ifdef __cplusplus
}
#endif

#endif
