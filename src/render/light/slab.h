/* SPDX-License-Identifier: MIT
 *
 * The slab of planes that a renderer draws, where the ranks of a divided simulation draw one
 * picture together (renderer_divide). Every rank computes what it can from its own planes. The
 * light and the occupancy of the whole box, which have far fewer values than its fields, are then
 * shared, so that all ranks have them. */
#ifndef RENDER_SLAB_H
#define RENDER_SLAB_H

#include <billow/error.h>
#include <billow/exchange.h>
#include <stddef.h>

/* How the ranks reach each other. */
typedef struct RenderRanks {
    const BillowExchange *exchange;
    /* Called by all ranks: whether all pass true. If not, every rank gets the message of the first
     * that did not. */
    bool (*agree)(bool good, BillowError *error);
} RenderRanks;

/* A slab that is NULL stands for the whole box, which one renderer draws alone. */
typedef struct RenderSlab {
    RenderRanks calls;
    int rank, ranks;
    int *cuts;               /* first plane of each rank, and the number of all planes */
    size_t *offsets;         /* memory for the calls: one entry per rank, and one more */
    float *values;           /* one entry per rank */
    BillowMessage *messages; /* two entries per rank */
} RenderSlab;

/* Called by all ranks with the number of planes of the box and the first plane of each. Returns
 * NULL on all ranks if memory is short on one. */
RenderSlab *slab_create(const RenderRanks *ranks, int planes, int first, BillowError *error);
void slab_destroy(RenderSlab *slab);

/* Planes from range[0] up to but not including range[1] whose rays this rank marches. planes: of
 * the box. */
void slab_own(const RenderSlab *slab, int planes, int range[2]);
/* Planes that the volumes of the fields hold for this march: its own and those around them that
 * interpolation and segments across the ends of the slab use. */
void slab_held(const RenderSlab *slab, int planes, int range[2]);

/* Layers of an array of coarse cells, or bricks, that this rank computes. edge: planes of each.
 * A rank computes a layer if it owns the layer's first plane. */
void slab_layers(const RenderSlab *slab, int layers, int edge, int range[2]);
/* Sends and receives the first `count` entries of slab->messages, and waits for them. */
void slab_exchange(const RenderSlab *slab, int count);
/* Gives every rank the layers of all. Called by all ranks. layer_bytes: bytes of a layer. */
void slab_share(const RenderSlab *slab, void *array, int layers, int edge, size_t layer_bytes);
/* Gives all ranks the bytes of the first. Called by all ranks. */
void slab_tell(const RenderSlab *slab, void *memory, size_t bytes);
/* Largest value of all ranks. Called by all ranks. */
float slab_most(const RenderSlab *slab, float value);
/* RenderRanks.agree, or `good` without ranks. */
bool slab_agree(const RenderSlab *slab, bool good, BillowError *error);

#endif
