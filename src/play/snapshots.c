/* SPDX-License-Identifier: MIT
 * Three slots of snapshots, exchanged between two threads without a lock. */
#include "play/snapshots.h"

#include "base/fail.h"
#include "render/view_spans.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 3, FRESH = 4 };

struct Snapshots {
    SimSnapshot slots[SLOTS];
    float *storage; /* in each slot: drawn fields | tracers | motion | slice */
    int n[3];       /* cells of the smoke */
    size_t drawn;   /* number of floats of the drawn fields in a slot */
    size_t faces;   /* number of values in an array of a velocity component */
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
    return snapshots->drawn + 8 * snapshots->tracers + snapshots->motion + snapshots->plane;
}

static_assert(sizeof(BillowSpan) == sizeof(float), "spans fit into the memory of floats");

/* Number of spans of a view, or of one with as many cells. */
static size_t span_count(const BillowView *view)
{
    return (size_t)((view->ny + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS) * (size_t)view->nz;
}

/* Gives a view the strides of a copy. */
static void set_strides(BillowView *copy)
{
    const BillowView wind = billow_wind_view(copy);
    copy->stride_y = copy->nx + 1;
    copy->stride_z = copy->stride_y * (copy->ny + 1);
    copy->wind_stride_y = wind.nx + 1;
    copy->wind_stride_z = copy->wind_stride_y * (wind.ny + 1);
}

/* Number of floats of one array on the grid of a copied view. Rows have one more value than cells,
 * for fields at the cells' faces and corners. */
static size_t array_floats(const BillowView *grid)
{
    return (size_t)grid->stride_z * (size_t)(grid->nz + 1);
}

/* Number of floats of the spans and of the fields that pictures need. copy: with the strides
 * of a copy. */
static size_t drawn_floats(const BillowView *copy, const BillowField *fields, int count)
{
    const BillowView wind = billow_wind_view(copy);
    size_t floats = span_count(copy);
    for (int f = 0; f < count; f++)
        if (fields[f].drawn)
            floats += (size_t)fields[f].arrays * array_floats(fields[f].wind ? &wind : copy);
    return floats;
}

size_t snapshot_view_floats(const BillowView *view)
{
    BillowField fields[BILLOW_FIELDS_MAX];
    BillowView copy = *view;
    set_strides(&copy);
    return drawn_floats(&copy, fields, billow_list_fields(view, fields)) +
           8 * (size_t)view->tracer_count;
}

Snapshots *snapshots_create(const BillowDef *def, BillowError *error)
{
    BillowView box = {.nx = def->nx * def->refine,
                      .ny = def->ny * def->refine,
                      .nz = def->nz * def->refine,
                      .refine = def->refine};
    set_strides(&box);
    const BillowView wind = billow_wind_view(&box);
    bool solids = def->solid_count > 0;
    BillowField listed[BILLOW_FIELDS_MAX];
    size_t drawn = drawn_floats(&box, listed, billow_list_fields_of(def, listed));
    Snapshots *snapshots = calloc(1, sizeof *snapshots);
    int coarse[3];
    size_t tracers = (size_t)def->tracers, plane = field_slice_floats(box.nx, box.ny, box.nz);
    size_t motion = motion_size((const int[3]){wind.nx, wind.ny, wind.nz}, MOTION_EDGE, coarse);
    size_t bytes = SLOTS * (drawn + 8 * tracers + motion + plane) * sizeof(float);
    float *storage = calloc(1, bytes);
    if (snapshots == NULL || storage == NULL) {
        free(storage);
        free(snapshots);
        fail(error,
             "the window's copies of %dx%dx%d cells need %.0f MB and memory is short; "
             "a smaller grid fits",
             box.nx, box.ny, box.nz, (double)bytes / 1e6);
        return NULL;
    }
    snapshots->storage = storage;
    snapshots->n[0] = box.nx;
    snapshots->n[1] = box.ny;
    snapshots->n[2] = box.nz;
    snapshots->drawn = drawn;
    snapshots->faces = array_floats(&wind);
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

/* Copies an array of the wind, with as many more values than cells along the axes. */
static void copy_wind(const BillowView *copy, float *to, const BillowView *wind, const float *from,
                      const int more[3])
{
    for (int k = 0; k < wind->nz + more[2]; k++)
        for (int j = 0; j < wind->ny + more[1]; j++)
            memcpy(to + j * copy->stride_y + k * copy->stride_z,
                   from + j * wind->stride_y + k * wind->stride_z,
                   (size_t)(wind->nx + more[0]) * sizeof *to);
}

static void clear(float *row, int begin, int end)
{
    if (begin < end)
        memset(row + begin, 0, (size_t)(end - begin) * sizeof *row);
}

/* Copies a scalar where cells may hold some. before: the spans of what `to` holds. */
static void copy_scalar(const BillowView *copy, float *to, const BillowView *view,
                        const float *from, const BillowSpan *before)
{
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            const BillowSpan span = view_span(view, j, k);
            const BillowSpan old = before[j / BILLOW_SPAN_ROWS + (ptrdiff_t)k * copy->span_blocks];
            float *row = to + j * copy->stride_y + k * copy->stride_z;
            const bool any = span.begin < span.end;
            clear(row, old.begin, any && span.begin < old.end ? span.begin : old.end);
            clear(row, any && span.end > old.begin ? span.end : old.begin, any ? old.end : 0);
            if (any)
                memcpy(row + span.begin,
                       from + j * view->stride_y + k * view->stride_z + span.begin,
                       (size_t)(span.end - span.begin) * sizeof *row);
        }
}

static void copy_tracers(BillowView *copy, const BillowView *view, float *to)
{
    size_t count = (size_t)view->tracer_count;
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

void snapshot_copy_view(BillowView *copy, const BillowView *view, bool known, float *to)
{
    static const int no_more[3] = {0, 0, 0}, one_more[3] = {1, 1, 1};
    BillowField fields[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, fields);
    BillowSpan *spans = (BillowSpan *)to;
    *copy = *view;
    set_strides(copy);
    copy->spans = spans;
    copy->span_blocks = (view->ny + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS;
    to += span_count(view);
    const BillowView wind = billow_wind_view(view), wind_copy = billow_wind_view(copy);
    for (int f = 0; f < count; f++) {
        const BillowField *field = &fields[f];
        const float *copied[3] = {NULL};
        bool corners = field->place == BILLOW_AT_CORNERS;
        for (int a = 0; a < field->arrays && field->drawn; a++) {
            copied[a] = to;
            if (!field->wind)
                copy_scalar(copy, to, view, field->values[a], spans);
            else if (!corners || !known)
                copy_wind(&wind_copy, to, &wind, field->values[a], corners ? one_more : no_more);
            to += array_floats(field->wind ? &wind_copy : copy);
        }
        billow_set_field(copy, field, copied);
    }
    for (int k = 0; k < view->nz; k++)
        for (int b = 0; b < copy->span_blocks; b++)
            spans[b + (ptrdiff_t)k * copy->span_blocks] = view_span(view, b * BILLOW_SPAN_ROWS, k);
    copy_tracers(copy, view, to);
}

/* Copies the velocity if the reader needs it. If memory is short, the snapshot has none. */
static void copy_velocity(Snapshots *snapshots, BillowView *copy, const BillowView *view)
{
    float **memory = &snapshots->velocity[snapshots->back];
    if (!atomic_load(&snapshots->wants_velocity))
        return;
    if (*memory == NULL)
        *memory = calloc(3 * snapshots->faces, sizeof **memory);
    if (*memory == NULL)
        return;
    const BillowView wind = billow_wind_view(view), wind_copy = billow_wind_view(copy);
    const float *const from[3] = {view->u, view->v, view->w};
    const float **const to[3] = {&copy->u, &copy->v, &copy->w};
    for (int axis = 0; axis < 3; axis++) {
        float *values = *memory + (size_t)axis * snapshots->faces;
        copy_wind(&wind_copy, values, &wind, from[axis],
                  (const int[3]){axis == 0, axis == 1, axis == 2});
        *to[axis] = values;
    }
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
    float *storage = snapshots->storage + (size_t)snapshots->back * slot_floats(snapshots);
    float *plane = storage + slot_floats(snapshots) - snapshots->plane;
    bool known = slot->view.solid != NULL && slot->view.solid_version == view->solid_version;
    *slot = *fields;
    snapshot_copy_view(&slot->view, view, known, storage);
    copy_velocity(snapshots, &slot->view, view);
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
