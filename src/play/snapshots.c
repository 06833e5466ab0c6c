/* SPDX-License-Identifier: MIT
 * Three slots of snapshots, exchanged between two threads without a lock. */
#include "play/snapshots.h"

#include "base/fail.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 3, FRESH = 4 };

struct Snapshots {
    SimSnapshot slots[SLOTS];
    float *storage; /* in each slot: drawn fields | tracers | motion | slice */
    int n[3];
    ptrdiff_t stride_y, stride_z; /* rows have one more value than cells, for fields at the cells'
                                     faces and corners */
    size_t cells;                 /* number of values in one array */
    int fields;                   /* number of arrays of drawn fields in a slot */
    size_t tracers;
    size_t motion; /* number of floats of the velocity on the coarse grid */
    size_t plane;  /* number of floats of the largest slice */
    bool solids;
    float *velocity[SLOTS];     /* u | v | w; NULL: not needed so far */
    atomic_bool wants_velocity; /* the reader needs the velocity */
    int back;                   /* slot being written */
    int front;                  /* slot being read */
    bool read_any;              /* the front slot contains a snapshot */
    atomic_int ready;           /* third slot, plus FRESH if it is newer than the front slot */
};

static size_t slot_floats(const Snapshots *snapshots)
{
    return snapshots->cells * (size_t)snapshots->fields + 8 * snapshots->tracers +
           snapshots->motion + snapshots->plane;
}

/* Returns the number of arrays of the fields that the renderer reads. */
static int drawn_arrays(const BillowDef *def)
{
    BillowField fields[BILLOW_FIELDS_MAX];
    int arrays = 0;
    for (int f = billow_list_fields_of(def, fields); f-- > 0;)
        arrays += fields[f].drawn ? fields[f].arrays : 0;
    return arrays;
}

Snapshots *snapshots_create(const BillowDef *def, BillowError *error)
{
    int nx = def->nx, ny = def->ny, nz = def->nz;
    bool solids = def->solid_count > 0;
    int fields = drawn_arrays(def);
    size_t cells = (size_t)(nx + 1) * (size_t)(ny + 1) * (size_t)(nz + 1);
    Snapshots *snapshots = calloc(1, sizeof *snapshots);
    int coarse[3];
    size_t tracers = (size_t)def->tracers, plane = field_slice_floats(nx, ny, nz);
    size_t motion = motion_size((const int[3]){nx, ny, nz}, MOTION_EDGE, coarse);
    size_t bytes = SLOTS * ((size_t)fields * cells + 8 * tracers + motion + plane) * sizeof(float);
    float *storage = malloc(bytes);
    if (snapshots == NULL || storage == NULL) {
        free(storage);
        free(snapshots);
        fail(error,
             "the window's copies of %dx%dx%d cells need %.0f MB and memory is short; "
             "a smaller grid fits",
             nx, ny, nz, (double)bytes / 1e6);
        return NULL;
    }
    snapshots->storage = storage;
    snapshots->n[0] = nx;
    snapshots->n[1] = ny;
    snapshots->n[2] = nz;
    snapshots->stride_y = nx + 1;
    snapshots->stride_z = (ptrdiff_t)(nx + 1) * (ny + 1);
    snapshots->cells = cells;
    snapshots->fields = fields;
    snapshots->tracers = tracers;
    snapshots->motion = motion;
    snapshots->plane = plane;
    snapshots->solids = solids;
    snapshots->back = 0;
    snapshots->front = 1;
    atomic_init(&snapshots->wants_velocity, false);
    atomic_init(&snapshots->ready, 2);
    return snapshots;
}

void snapshots_destroy(Snapshots *snapshots)
{
    if (snapshots == NULL)
        return;
    for (int slot = 0; slot < SLOTS; slot++)
        free(snapshots->velocity[slot]);
    free(snapshots->storage);
    free(snapshots);
}

void snapshots_want_velocity(Snapshots *snapshots, bool wanted)
{
    atomic_store(&snapshots->wants_velocity, wanted);
}

/* Copies an array from the view's strides to the slot's. more: 1 for values at the cells' corners,
 * otherwise 0. */
static void copy_packed(const Snapshots *snapshots, float *to, const float *from,
                        const BillowView *view, int more)
{
    size_t row = (size_t)(view->nx + more) * sizeof(float);
    for (int k = 0; k < view->nz + more; k++)
        for (int j = 0; j < view->ny + more; j++)
            memcpy(to + j * snapshots->stride_y + k * snapshots->stride_z,
                   from + j * view->stride_y + k * view->stride_z, row);
}

/* Copies the drawn fields into a slot, starting at *next, and advances *next past them. known: the
 * slot already contains the values at the cells' corners, which change only with the solids. */
static void copy_fields(const Snapshots *snapshots, BillowView *copy, const BillowView *view,
                        bool known, float **next)
{
    BillowField fields[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, fields);
    for (int f = 0; f < count; f++) {
        const BillowField *field = &fields[f];
        const float *copied[3] = {NULL};
        bool corners = field->place == BILLOW_AT_CORNERS;
        for (int a = 0; a < field->arrays && field->drawn; a++) {
            copied[a] = *next;
            if (!corners || !known)
                copy_packed(snapshots, *next, field->values[a], view, corners ? 1 : 0);
            *next += snapshots->cells;
        }
        billow_set_field(copy, field, copied);
    }
}

/* Copies the velocity if the reader needs it. If memory is short, the snapshot has none. */
static void copy_velocity(Snapshots *snapshots, BillowView *copy, const BillowView *view)
{
    float **memory = &snapshots->velocity[snapshots->back];
    if (!atomic_load(&snapshots->wants_velocity))
        return;
    if (*memory == NULL)
        *memory = calloc(3 * snapshots->cells, sizeof **memory);
    if (*memory == NULL)
        return;
    const float *const from[3] = {view->u, view->v, view->w};
    const float **const to[3] = {&copy->u, &copy->v, &copy->w};
    for (int axis = 0; axis < 3; axis++) {
        float *values = *memory + (size_t)axis * snapshots->cells;
        const int n[3] = {view->nx + (axis == 0), view->ny + (axis == 1), view->nz + (axis == 2)};
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                memcpy(values + j * snapshots->stride_y + k * snapshots->stride_z,
                       from[axis] + j * view->stride_y + k * view->stride_z,
                       (size_t)n[0] * sizeof *values);
        *to[axis] = values;
    }
}

static void copy_tracers(const Snapshots *snapshots, BillowView *copy, const BillowView *view,
                         float *to)
{
    size_t count = snapshots->tracers;
    if (count == 0)
        return;
    for (int axis = 0; axis < 3; axis++, to += count)
        copy->tracer[axis] = memcpy(to, view->tracer[axis], count * sizeof *to);
    copy->tracer_age = memcpy(to, view->tracer_age, count * sizeof *to);
    if (view->tracer_life == NULL)
        return;
    to += count;
    for (int axis = 0; axis < 3; axis++, to += count)
        copy->tracer_velocity[axis] = memcpy(to, view->tracer_velocity[axis], count * sizeof *to);
    copy->tracer_life = memcpy(to, view->tracer_life, count * sizeof *to);
}

bool snapshots_fit(const Snapshots *snapshots, const BillowView *view)
{
    const int n[3] = {view->nx, view->ny, view->nz};
    return memcmp(n, snapshots->n, sizeof n) == 0;
}

void snapshots_publish(Snapshots *snapshots, const BillowView *view, const SimSnapshot *fields)
{
    assert(snapshots_fit(snapshots, view));
    assert(view->solid == NULL || snapshots->solids);
    SimSnapshot *slot = &snapshots->slots[snapshots->back];
    float *next = snapshots->storage + (size_t)snapshots->back * slot_floats(snapshots);
    float *plane = next + slot_floats(snapshots) - snapshots->plane;
    bool known = slot->view.solid != NULL && slot->view.solid_version == view->solid_version;
    *slot = *fields;
    BillowView *copy = &slot->view;
    *copy = *view;
    copy->stride_y = snapshots->stride_y;
    copy->stride_z = snapshots->stride_z;
    copy_fields(snapshots, copy, view, known, &next);
    copy_velocity(snapshots, copy, view);
    copy_tracers(snapshots, copy, view, next);
    slot->motion = motion_fill(view, MOTION_EDGE, plane - snapshots->motion);
    slot->slice.values = slot->sliced && field_known(view, slot->slice.kind) ? plane : NULL;
    if (slot->slice.values != NULL)
        field_slice_fill(&slot->slice, view);
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
