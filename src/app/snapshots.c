/* SPDX-License-Identifier: MIT */
#include "snapshots.h"

#include "fail.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 3, FRESH = 4 };

struct Snapshots {
    SimSnapshot slots[SLOTS];
    float *storage; /* of each slot: density | temperature | solid, if any; as n and strides say */
    int n[3];
    ptrdiff_t stride_y, stride_z; /* rows and planes hold one more where solids' corners must fit */
    size_t cells;                 /* of a field, so laid out */
    bool solids;
    int back;         /* the writer's slot */
    int front;        /* the reader's slot */
    bool read_any;    /* the front slot has held something */
    atomic_int ready; /* the slot between them, with FRESH while the reader has not taken it */
};

static size_t slot_floats(const Snapshots *snapshots)
{
    return snapshots->cells * (snapshots->solids ? 3 : 2);
}

Snapshots *snapshots_create(int nx, int ny, int nz, bool solids, BillowError *error)
{
    int more = solids ? 1 : 0;
    size_t cells = (size_t)(nx + more) * (size_t)(ny + more) * (size_t)(nz + more);
    Snapshots *snapshots = calloc(1, sizeof *snapshots);
    size_t bytes = SLOTS * (solids ? 3 : 2) * cells * sizeof(float);
    float *storage = malloc(bytes);
    if (snapshots == NULL || storage == NULL) {
        free(storage);
        free(snapshots);
        fail(error,
             "the window's copies of a %d x %d x %d grid need %.0f MB and memory is short; "
             "a smaller --grid fits",
             nx, ny, nz, (double)bytes / 1e6);
        return NULL;
    }
    snapshots->storage = storage;
    snapshots->n[0] = nx;
    snapshots->n[1] = ny;
    snapshots->n[2] = nz;
    snapshots->stride_y = nx + more;
    snapshots->stride_z = (ptrdiff_t)(nx + more) * (ny + more);
    snapshots->cells = cells;
    snapshots->solids = solids;
    snapshots->back = 0;
    snapshots->front = 1;
    atomic_init(&snapshots->ready, 2);
    return snapshots;
}

void snapshots_destroy(Snapshots *snapshots)
{
    if (snapshots == NULL)
        return;
    free(snapshots->storage);
    free(snapshots);
}

/* more: 1 for values at corners. */
static void copy_packed(const Snapshots *snapshots, float *to, const float *from,
                        const BillowView *view, int more)
{
    size_t row = (size_t)(view->nx + more) * sizeof(float);
    for (int k = 0; k < view->nz + more; k++)
        for (int j = 0; j < view->ny + more; j++)
            memcpy(to + j * snapshots->stride_y + k * snapshots->stride_z,
                   from + j * view->stride_y + k * view->stride_z, row);
}

void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    assert(memcmp(n, snapshots->n, sizeof n) == 0);
    assert(view->solid == NULL || snapshots->solids);
    (void)n;
    SimSnapshot *slot = &snapshots->slots[snapshots->back];
    float *density = snapshots->storage + (size_t)snapshots->back * slot_floats(snapshots);
    float *temperature = density + snapshots->cells;
    float *solid = view->solid != NULL ? temperature + snapshots->cells : NULL;
    copy_packed(snapshots, density, view->density, view, 0);
    copy_packed(snapshots, temperature, view->temperature, view, 0);
    bool known = slot->view.solid != NULL && slot->view.solid_version == view->solid_version;
    if (solid != NULL && !known)
        copy_packed(snapshots, solid, view->solid, view, 1);
    *slot = *fields;
    slot->view = *view;
    slot->view.stride_y = snapshots->stride_y;
    slot->view.stride_z = snapshots->stride_z;
    slot->view.density = density;
    slot->view.temperature = temperature;
    slot->view.solid = solid;
    slot->view.u = slot->view.v = slot->view.w = NULL;
    slot->view.fuel = slot->view.flame = NULL;
    memset(slot->view.color, 0, sizeof slot->view.color);
    snapshots->back = atomic_exchange(&snapshots->ready, snapshots->back | FRESH) & ~FRESH;
}

const SimSnapshot *snapshots_newest(Snapshots *snapshots)
{
    if (atomic_load(&snapshots->ready) & FRESH) {
        snapshots->front = atomic_exchange(&snapshots->ready, snapshots->front) & ~FRESH;
        snapshots->read_any = true;
    }
    return snapshots->read_any ? &snapshots->slots[snapshots->front] : NULL;
}
