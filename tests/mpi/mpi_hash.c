/* SPDX-License-Identifier: MIT
 * Prints the state hash of the busy scene, in a box that the ranks of MPI divide. Run without
 * mpirun, it runs alone. */
#include "plume_fixture.h"

#include <billow/mpi.h>

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    BillowDef def = busy_def(argc > 1 ? argv[1][0] - '0' : 1);
    def.nz = 40;
    BillowError error;
    BillowSim *sim = billow_create_distributed(&def, MPI_COMM_WORLD, &error);
    if (sim == NULL) {
        fprintf(stderr, "%s\n", error.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int s = 0; s < 6; s++)
        billow_step(sim, 1.0 / 60);
    uint64_t hash = billow_state_hash(sim);
    if (rank == 0)
        printf("%016" PRIx64 "\n", hash);
    billow_destroy(sim);
    MPI_Finalize();
    return 0;
}
