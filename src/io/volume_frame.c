/* SPDX-License-Identifier: MIT */
#include "volume_frame.h"

#include "fail.h"
#include <stdlib.h>

/* Below these a value does not show: a twentieth of a kelvin lifts by less than 2 mm/s2, and a
 * millimetre a second is lost in any motion blur. */
static const VolumeField kinds[VOLUME_KINDS] = {
    [VOLUME_DENSITY] = {.name = "density", .unit = "1", .meaning = "concentration of smoke"},
    [VOLUME_TEMPERATURE] = {.name = "temperature",
                            .unit = "K",
                            .meaning = "temperature above ambient",
                            .least = 0.05f},
    [VOLUME_FLAME] = {.name = "flame",
                      .unit = "1/s",
                      .meaning = "fuel that burns a second",
                      .least = 1e-3f},
    [VOLUME_FUEL] = {.name = "fuel",
                     .unit = "1",
                     .meaning = "concentration of unburnt fuel",
                     .least = 1e-4f},
    [VOLUME_VELOCITY] = {.name = "velocity",
                         .unit = "m/s",
                         .meaning = "velocity at the cell's centre",
                         .parts = 3,
                         .least = 1e-3f},
    [VOLUME_COLOR] = {.name = "color",
                      .unit = "1",
                      .meaning = "colour of the smoke, linear Rec. 709",
                      .parts = 3,
                      .background = 1,
                      .least = 1e-4f},
};

const char *volume_kind_name(int kind)
{
    return kind >= 0 && kind < VOLUME_KINDS ? kinds[kind].name : NULL;
}

unsigned volume_kinds_of(const BillowDef *def)
{
    unsigned found = 1u << VOLUME_DENSITY | 1u << VOLUME_TEMPERATURE | 1u << VOLUME_VELOCITY;
    if (def->fire)
        found |= 1u << VOLUME_FLAME | 1u << VOLUME_FUEL;
    return def->color ? found | 1u << VOLUME_COLOR : found;
}

static bool add_field(VolumeFrame *frame, VolumeKind kind, float threshold)
{
    VolumeField *field = &frame->fields[frame->field_count++];
    *field = kinds[kind];
    field->kind = kind;
    field->parts = field->parts > 0 ? field->parts : 1;
    field->least = kind == VOLUME_DENSITY ? threshold : field->least;
    size_t cells = (size_t)frame->n[0] * (size_t)frame->n[1] * (size_t)frame->n[2];
    field->values = malloc(cells * (size_t)field->parts * sizeof *field->values);
    return field->values != NULL;
}

bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned wanted, VolumeUp up,
                         float threshold, const char *scene, BillowError *error)
{
    bool turned = up == VOLUME_UP_Z;
    double h = (double)def->cell_size, y = (double)def->origin[1], z = (double)def->origin[2];
    *frame = (VolumeFrame){
        .n = {def->nx, turned ? def->nz : def->ny, turned ? def->ny : def->nz},
        .cell_size = h,
        .origin = {(double)def->origin[0], turned ? -(z + h * def->nz) : y, turned ? y : z},
        .scene = scene,
        .up = up,
    };
    for (int kind = 0; kind < VOLUME_KINDS; kind++)
        if ((wanted >> kind & 1) != 0 && !add_field(frame, (VolumeKind)kind, threshold)) {
            volume_frame_destroy(frame);
            return fail(error, "no memory for the fields of %dx%dx%d cells", def->nx, def->ny,
                        def->nz);
        }
    return true;
}

void volume_frame_destroy(VolumeFrame *frame)
{
    for (int index = 0; index < frame->field_count; index++)
        free(frame->fields[index].values);
    *frame = (VolumeFrame){0};
}

/* Where a row of cells along x lies in a view. */
typedef struct Row {
    const BillowView *view;
    ptrdiff_t at;
    bool turned;
    float empty; /* density below which there is no smoke to have a colour */
} Row;

static void fill_plain(const Row *row, const float *from, float *values)
{
    for (int i = 0; i < row->view->nx; i++)
        values[i] = from[row->at + i];
}

static void fill_velocity(const Row *row, float *values)
{
    const BillowView *view = row->view;
    for (int i = 0; i < view->nx; i++) {
        ptrdiff_t at = row->at + i;
        float u = 0.5f * (view->u[at] + view->u[at + 1]);
        float v = 0.5f * (view->v[at] + view->v[at + view->stride_y]);
        float w = 0.5f * (view->w[at] + view->w[at + view->stride_z]);
        values[3 * i] = u;
        values[3 * i + 1] = row->turned ? -w : v;
        values[3 * i + 2] = row->turned ? v : w;
    }
}

/* The view has density times colour. */
static void fill_color(const Row *row, float *values)
{
    const BillowView *view = row->view;
    for (int i = 0; i < view->nx; i++) {
        ptrdiff_t at = row->at + i;
        float density = view->density[at];
        bool empty = !(density > row->empty);
        for (int part = 0; part < 3; part++)
            values[3 * i + part] = empty ? 1 : view->color[part][at] / density;
    }
}

static void fill_row(VolumeKind kind, const Row *row, float *values)
{
    const BillowView *view = row->view;
    switch (kind) {
    case VOLUME_DENSITY:
        fill_plain(row, view->density, values);
        break;
    case VOLUME_TEMPERATURE:
        fill_plain(row, view->temperature, values);
        break;
    case VOLUME_FLAME:
        fill_plain(row, view->flame, values);
        break;
    case VOLUME_FUEL:
        fill_plain(row, view->fuel, values);
        break;
    case VOLUME_VELOCITY:
        fill_velocity(row, values);
        break;
    case VOLUME_COLOR:
    case VOLUME_KINDS:
        fill_color(row, values);
        break;
    }
}

void volume_frame_fill(VolumeFrame *frame, const BillowView *view)
{
    bool turned = frame->up == VOLUME_UP_Z;
    frame->time = view->time;
    for (int index = 0; index < frame->field_count; index++) {
        const VolumeField *field = &frame->fields[index];
        size_t length = (size_t)field->parts * (size_t)frame->n[0];
        for (int k = 0; k < frame->n[2]; k++)
            for (int j = 0; j < frame->n[1]; j++) {
                ptrdiff_t y = turned ? k : j, z = turned ? view->nz - 1 - j : k;
                const Row row = {view, y * view->stride_y + z * view->stride_z, turned,
                                 field->least};
                size_t at = (size_t)k * (size_t)frame->n[1] + (size_t)j;
                fill_row(field->kind, &row, field->values + at * length);
            }
    }
}
