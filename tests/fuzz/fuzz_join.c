/* SPDX-License-Identifier: MIT
 * States of simulations to join: read, and where they are taken, created and advanced by a step. */
#include "fuzz.h"

#include "play/sim_join.h"

#include <stdlib.h>

/* Largest simulation that is created, cells. */
enum { CELLS_MAX = 12 * 12 * 12 };

static bool small(const BillowDef *def)
{
    const double finer = (double)def->refine * def->refine * def->refine;
    return finer * def->nx * def->ny * def->nz <= CELLS_MAX && def->tracers <= 1000 &&
           def->params.sweeps <= 40 && def->params.diffusion_sweeps <= 20 &&
           def->params.cycles <= 20 && def->params.substeps_max <= 16;
}

static void advance(SimJoin *join)
{
    BillowError error = {{0}};
    Shared *shared = &join->shared;
    shared->def.threads = 1;
    shared->def.cells_max = CELLS_MAX;
    if (shared->cycles > 20 || !small(&shared->def))
        return;
    shared->driver.sim = billow_create(&shared->def, &error);
    if (shared->driver.sim == NULL)
        return;
    if (billow_load_state(shared->driver.sim, join->state, join->bytes, &error)) {
        fuzz_count("had a state that was loaded");
        FUZZ_HOLDS(error.text[0] == '\0');
    }
    shared_step(shared);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static SimJoin join;
    BillowError error = {{0}};
    TurnReader from = {data, size, 0};
    if (!sim_join_read(&from, &join, &error)) {
        FUZZ_HOLDS(error.text[0] != '\0');
        return 0;
    }
    fuzz_count("were read");
    TurnBytes bytes = {NULL, 0, 0, false};
    advance(&join);
    if (join.shared.driver.sim != NULL)
        FUZZ_HOLDS(sim_join_write(&join.shared, 1, &bytes, &error));
    free(bytes.bytes);
    sim_join_free(&join);
    return 0;
}
