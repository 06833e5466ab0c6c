/* SPDX-License-Identifier: MIT */
#include "render/light/slab.h"

#include "base/fail.h"

#include <stdlib.h>

/* Planes around a slab that its march uses: segments are up to 2 cells long and belong to the slab
 * of their middle, and cubic interpolation uses 2 planes on both sides of a point. */
#define BESIDE 4

/* Gives every rank the values of all, one per rank. */
static void gather(const RenderSlab *slab, void *values, size_t size)
{
    for (int r = 0; r <= slab->ranks; r++)
        slab->offsets[r] = (size_t)r * size;
    slab->calls.exchange->gather(slab->calls.exchange->context, values, slab->offsets);
}

RenderSlab *slab_create(const RenderRanks *ranks, int planes, int first, BillowError *error)
{
    const int count = ranks->exchange->ranks;
    RenderSlab *slab = calloc(1, sizeof *slab);
    bool good = slab != NULL;
    if (good) {
        *slab = (RenderSlab){.calls = *ranks,
                             .rank = ranks->exchange->rank,
                             .ranks = count,
                             .cuts = calloc((size_t)count + 1, sizeof *slab->cuts),
                             .offsets = calloc((size_t)count + 1, sizeof *slab->offsets),
                             .values = calloc((size_t)count, sizeof *slab->values),
                             .messages = calloc(2 * (size_t)count, sizeof *slab->messages)};
        good = slab->cuts != NULL && slab->offsets != NULL && slab->values != NULL &&
               slab->messages != NULL;
    }
    if (!good)
        fail(error, "picture: no memory for the exchanges of %d ranks", count);
    if (!ranks->agree(good, error)) {
        slab_destroy(slab);
        return NULL;
    }
    slab->cuts[slab->rank] = first;
    gather(slab, slab->cuts, sizeof *slab->cuts);
    slab->cuts[count] = planes;
    return slab;
}

void slab_destroy(RenderSlab *slab)
{
    if (slab == NULL)
        return;
    free(slab->cuts);
    free(slab->offsets);
    free(slab->values);
    free(slab->messages);
    free(slab);
}

void slab_own(const RenderSlab *slab, int planes, int range[2])
{
    range[0] = slab != NULL ? slab->cuts[slab->rank] : 0;
    range[1] = slab != NULL ? slab->cuts[slab->rank + 1] : planes;
}

void slab_held(const RenderSlab *slab, int planes, int range[2])
{
    slab_own(slab, planes, range);
    range[0] = range[0] > BESIDE ? range[0] - BESIDE : 0;
    range[1] = range[1] + BESIDE < planes ? range[1] + BESIDE : planes;
}

/* First layer of a rank. */
static int first_layer(const RenderSlab *slab, int rank, int edge)
{
    return (slab->cuts[rank] + edge - 1) / edge;
}

void slab_layers(const RenderSlab *slab, int layers, int edge, int range[2])
{
    range[0] = slab != NULL ? first_layer(slab, slab->rank, edge) : 0;
    range[1] = slab != NULL ? first_layer(slab, slab->rank + 1, edge) : layers;
}

void slab_exchange(const RenderSlab *slab, int count)
{
    const BillowExchange *exchange = slab->calls.exchange;
    exchange->begin(exchange->context, slab->messages, count);
    exchange->finish(exchange->context);
}

void slab_share(const RenderSlab *slab, void *array, int layers, int edge, size_t layer_bytes)
{
    int own[2], count = 0;
    if (slab == NULL)
        return;
    slab_layers(slab, layers, edge, own);
    for (int r = 0; r < slab->ranks; r++) {
        const int other[2] = {first_layer(slab, r, edge), first_layer(slab, r + 1, edge)};
        if (r != slab->rank && own[1] > own[0])
            slab->messages[count++] =
                (BillowMessage){r, true, (char *)array + (size_t)own[0] * layer_bytes,
                                (size_t)(own[1] - own[0]) * layer_bytes};
        if (r != slab->rank && other[1] > other[0])
            slab->messages[count++] =
                (BillowMessage){r, false, (char *)array + (size_t)other[0] * layer_bytes,
                                (size_t)(other[1] - other[0]) * layer_bytes};
    }
    slab_exchange(slab, count);
}

void slab_tell(const RenderSlab *slab, void *memory, size_t bytes)
{
    for (int r = 0; r <= slab->ranks; r++)
        slab->offsets[r] = r > 0 ? bytes : 0;
    slab->calls.exchange->gather(slab->calls.exchange->context, memory, slab->offsets);
}

float slab_most(const RenderSlab *slab, float value)
{
    if (slab == NULL)
        return value;
    slab->values[slab->rank] = value;
    gather(slab, slab->values, sizeof value);
    for (int r = 0; r < slab->ranks; r++)
        value = slab->values[r] > value ? slab->values[r] : value;
    return value;
}

bool slab_agree(const RenderSlab *slab, bool good, BillowError *error)
{
    return slab == NULL ? good : slab->calls.agree(good, error);
}
