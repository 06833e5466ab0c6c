/* SPDX-License-Identifier: MIT
 * A small, busy scene for tests of the whole step. */
#ifndef TESTS_PLUME_FIXTURE_H
#define TESTS_PLUME_FIXTURE_H

#include <billow/billow.h>

/* A noisy plume with everything switched on, in a box with unequal, odd numbers of cells. */
static inline BillowDef busy_def(int threads)
{
    BillowDef def = billow_default_def();
    def.nx = 25;
    def.ny = 38;
    def.nz = 21;
    def.cell_size = 1.0f / 32;
    def.threads = threads;
    def.faces[BILLOW_LEFT] = BILLOW_OPEN;
    def.params.viscosity = 1e-4f;
    def.params.smoke_diffusion = 1e-4f;
    def.params.dissipation = 0.1f;
    def.params.cooling = 0.2f;
    def.params.tolerance = 1e-2f;
    def.emitter_count = 1;
    BillowEmitter *emitter = &def.emitters[0];
    *emitter = billow_default_emitter();
    emitter->center[0] = 0.4f;
    emitter->center[2] = 0.3f;
    emitter->noise = 1;
    emitter->expansion = 1;
    emitter->velocity[1] = 1;
    emitter->burst = 0.5f;
    emitter->grip = 3;
    return def;
}

#endif
