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
    float *storage;
    size_t cells;
    int back;         /* the writer's slot */
    int front;        /* the reader's slot */
    bool read_any;    /* the front slot has held something */
    atomic_int ready; /* the slot between them, with FRESH while the reader has not taken it */
};

Snapshots *snapshots_create(int nx, int ny, int nz, BillowError *error)
{
    size_t cells = (size_t)nx * (size_t)ny * (size_t)nz;
    Snapshots *snapshots = calloc(1, sizeof *snapshots);
    float *storage = malloc(SLOTS * 2 * cells * sizeof(float));
    if (snapshots == NULL || storage == NULL) {
        free(storage);
        free(snapshots);
        fail(error,
             "the window's copies of a %d x %d x %d grid need %.0f MB and memory is short; "
             "a smaller --grid fits",
             nx, ny, nz, (double)cells * SLOTS * 2 * sizeof(float) / 1e6);
        return NULL;
    }
    snapshots->storage = storage;
    snapshots->cells = cells;
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

static void copy_packed(float *to, const float *from, const BillowView *view)
{
    size_t row = (size_t)view->nx;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            memcpy(to, from + j * view->stride_y + k * view->stride_z, row * sizeof(float));
            to += row;
        }
}

void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields)
{
    assert((size_t)view->nx * (size_t)view->ny * (size_t)view->nz == snapshots->cells);
    SimSnapshot *slot = &snapshots->slots[snapshots->back];
    float *density = snapshots->storage + (size_t)snapshots->back * 2 * snapshots->cells;
    float *temperature = density + snapshots->cells;
    copy_packed(density, view->density, view);
    copy_packed(temperature, view->temperature, view);
    *slot = *fields;
    slot->view = *view;
    slot->view.stride_y = view->nx;
    slot->view.stride_z = (ptrdiff_t)view->nx * view->ny;
    slot->view.density = density;
    slot->view.temperature = temperature;
    slot->view.u = slot->view.v = slot->view.w = NULL;
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
