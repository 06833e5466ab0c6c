/* SPDX-License-Identifier: MIT */
#include "state_owner.h"

#include "fail.h"

#include <string.h>

/* FNV-1a over words. */
static uint64_t mix_words(uint64_t hash, const void *values, size_t size, size_t count)
{
    unsigned char bytes[sizeof(BillowBoundary)];
    archive_copy(bytes, values, size, count);
    for (size_t b = 0; b < size * count; b++)
        hash = (hash ^ bytes[b]) * 0x100000001b3u;
    return hash;
}

static uint64_t sides_of(const BillowDef *def)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        const BillowBoundary *boundary = &def->boundaries[side];
        const uint32_t kinds[3] = {(uint32_t)def->faces[side], (uint32_t)boundary->profile,
                                   boundary->isothermal};
        const float numbers[6] = {boundary->velocity[0], boundary->velocity[1],
                                  boundary->velocity[2], boundary->smoke,
                                  boundary->heat,        boundary->temperature};
        hash = mix_words(hash, kinds, sizeof kinds[0], 3);
        hash = mix_words(hash, numbers, sizeof numbers[0], 6);
    }
    return hash;
}

StateOwner state_owner_of(const BillowDef *def)
{
    StateOwner owner = {.n = {(uint32_t)def->nx, (uint32_t)def->ny, (uint32_t)def->nz},
                        .has_fire = def->fire,
                        .has_color = def->color,
                        .tracers = (uint32_t)def->tracers,
                        .solids = (uint32_t)def->solid_count,
                        .cell_size = def->cell_size,
                        .texture_period = def->texture_period,
                        .sides = sides_of(def)};
    memcpy(owner.origin, def->origin, sizeof owner.origin);
    return owner;
}

void state_owner_visit(Archive *archive, StateOwner *owner)
{
    archive_whole(archive, owner->n, 3);
    archive_whole(archive, &owner->has_fire, 1);
    archive_whole(archive, &owner->has_color, 1);
    archive_whole(archive, &owner->tracers, 1);
    archive_whole(archive, &owner->solids, 1);
    archive_real(archive, &owner->cell_size, 1);
    archive_real(archive, owner->origin, 3);
    archive_real(archive, &owner->texture_period, 1);
    archive_long_whole(archive, &owner->sides, 1);
}

bool state_owner_check(const StateOwner *theirs, const StateOwner *ours, BillowError *error)
{
    if (memcmp(theirs->n, ours->n, sizeof theirs->n) != 0)
        return fail(error,
                    "the state is one of %u x %u x %u cells, and this simulation has %u x %u x %u",
                    theirs->n[0], theirs->n[1], theirs->n[2], ours->n[0], ours->n[1], ours->n[2]);
    if (theirs->cell_size != ours->cell_size ||
        memcmp(theirs->origin, ours->origin, sizeof theirs->origin) != 0)
        return fail(error,
                    "the state is one of a box of another size or place: cells of %g m, here %g m",
                    (double)theirs->cell_size, (double)ours->cell_size);
    if (theirs->has_fire != ours->has_fire)
        return fail(error, "the state is one %s fire", theirs->has_fire ? "with" : "without");
    if (theirs->has_color != ours->has_color)
        return fail(error, "the state is one %s coloured smoke",
                    theirs->has_color ? "with" : "without");
    if (theirs->tracers != ours->tracers)
        return fail(error, "the state has %u tracers, and this simulation %u", theirs->tracers,
                    ours->tracers);
    if (theirs->texture_period != ours->texture_period)
        return fail(error, "the state's rest period is %g s, and this simulation's %g s",
                    (double)theirs->texture_period, (double)ours->texture_period);
    if (theirs->solids != ours->solids)
        return fail(error, "the state has %u solids, and this simulation %u", theirs->solids,
                    ours->solids);
    return theirs->sides == ours->sides ||
           fail(error, "the state is one of a box with other faces");
}
