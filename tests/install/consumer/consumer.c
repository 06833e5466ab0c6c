/* SPDX-License-Identifier: MIT
 * A minimal program that uses an installed library. */
#include <billow/billow.h>
#include <stdio.h>

int main(void)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    BillowError error;
    BillowSim *sim = billow_create(&def, &error);
    if (sim == NULL) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int step = 0; step < 5; step++)
        billow_step(sim, 0.01);
    printf("%s mass %.6f hash %016llx\n", BILLOW_VERSION, billow_stats(sim).mass,
           (unsigned long long)billow_state_hash(sim));
    billow_destroy(sim);
    return 0;
}
