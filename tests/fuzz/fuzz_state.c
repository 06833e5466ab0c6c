/* SPDX-License-Identifier: MIT
 * States: one that a small simulation saved, damaged, is loaded and, where it is taken, played on.
 *
 * The first byte picks the simulation and whether the rest is a whole state or damage to a good
 * one: a list of places (3 bytes, from the end where the top bit is set), lengths and bytes. */
#include "fuzz.h"

#include <billow/billow.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, STEPS = 3 };

typedef struct Sample {
    BillowSim *sim;
    uint8_t *good, *damaged;
    size_t bytes;
} Sample;

static BillowDef definition(int kind)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 8;
    def.cell_size = 1.0f / 8;
    def.threads = 1;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].fuel = kind == 1 ? 4 : 0;
    def.params.substeps_max = 4;
    def.params.cycles = 2;
    def.params.diffusion_sweeps = 2;
    def.fire = kind == 1;
    def.color = kind == 2;
    if (kind >= 1) {
        def.solid_count = 2;
        def.solids[0] = def.solids[1] = billow_default_solid();
        def.solids[0].motion = BILLOW_FALLING;
        def.solids[1].center[0] = 0.2f;
        def.solids[1].shape = BILLOW_BOX;
    }
    if (kind >= 2) {
        def.tracers = 20;
        def.emitters[0].tracers = 200;
        def.texture_period = 1;
        def.params.advection = kind == 2 ? BILLOW_REFLECTION : BILLOW_CONSERVATIVE;
        def.params.viscosity = def.params.smoke_diffusion = 0.01f;
    }
    if (kind == 3)
        def.faces[BILLOW_LEFT] = def.faces[BILLOW_RIGHT] = BILLOW_PERIODIC;
    return def;
}

static Sample *sample(unsigned which)
{
    static Sample samples[KINDS];
    Sample *made = &samples[which % KINDS];
    if (made->sim != NULL)
        return made;
    BillowError error;
    const BillowDef def = definition((int)(which % KINDS));
    made->sim = billow_create(&def, &error);
    FUZZ_HOLDS(made->sim != NULL);
    for (int step = 0; step < STEPS; step++)
        billow_step(made->sim, 1.0 / 60);
    const BillowEmitter brush = billow_default_emitter();
    const BillowForce force = billow_default_force();
    billow_emit(made->sim, &brush);
    billow_push(made->sim, &force);
    made->bytes = billow_state_bytes(made->sim);
    made->good = malloc(made->bytes);
    made->damaged = malloc(made->bytes);
    FUZZ_HOLDS(made->good != NULL && made->damaged != NULL);
    billow_save_state(made->sim, made->good);
    return made;
}

/* Applies the damage; how many bytes of the state are left. */
static size_t damage(Sample *made, const uint8_t *data, size_t size)
{
    memcpy(made->damaged, made->good, made->bytes);
    for (size_t at = 0; at + 4 < size;) {
        size_t place = (size_t)(data[at] & 0x7F) << 16 | (size_t)data[at + 1] << 8 | data[at + 2];
        size_t length = data[at + 3] & 0x1F;
        if (data[at + 3] == 0xFF)
            return place % (made->bytes + 1); /* cut short */
        place %= made->bytes;
        if ((data[at] & 0x80) != 0)
            place = made->bytes - 1 - place;
        at += 4;
        for (; length > 0 && at < size && place < made->bytes; length--)
            made->damaged[place++] = data[at++];
    }
    return made->bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    BillowError error;
    memset(&error, 0, sizeof error);
    if (size < 1)
        return 0;
    Sample *made = sample(data[0] & 3);
    bool whole = (data[0] & 4) != 0;
    size_t bytes = whole ? size - 1 : damage(made, data + 1, size - 1);
    FUZZ_HOLDS(billow_load_state(made->sim, made->good, made->bytes, &error));
    uint64_t before = billow_state_hash(made->sim);
    if (!billow_load_state(made->sim, whole ? data + 1 : made->damaged, bytes, &error)) {
        FUZZ_HOLDS(error.text[0] != '\0' && billow_state_hash(made->sim) == before);
        return 0;
    }
    billow_step(made->sim, 1.0 / 60);
    return 0;
}
