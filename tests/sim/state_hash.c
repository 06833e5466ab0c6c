/* SPDX-License-Identifier: MIT
 * Prints the state hash after some steps of the busy scene. It is built with and without OpenMP;
 * both must print the same. */
#include "plume_fixture.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    BillowDef def = busy_def(3);
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int s = 0; s < 20; s++)
        billow_step(sim, 1.0 / 60);
    printf("%016" PRIx64 "\n", billow_state_hash(sim));
    fprintf(stderr, "%s, %s\n", billow_openmp(), billow_simd());
    billow_destroy(sim);
    return 0;
}
