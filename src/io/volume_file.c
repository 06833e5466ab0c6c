/* SPDX-License-Identifier: MIT */
#include "io/volume_file.h"

#include "base/fail.h"
#include "io/paths.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* -- which fields ------------------------------------------------------------------------------ */

/* Lists the fields that volume files can contain: of a simulation with this definition, or of every
 * kind of simulation if def is NULL. */
static int list_fields(const BillowDef *def, BillowField fields[BILLOW_FIELDS_MAX])
{
    int count = billow_list_fields_of(def, fields), kept = 0;
    for (int f = 0; f < count; f++)
        if (fields[f].negligible > 0)
            fields[kept++] = fields[f];
    return kept;
}

const char *volume_field_name(int index)
{
    BillowField all[BILLOW_FIELDS_MAX];
    return index >= 0 && index < list_fields(NULL, all) ? all[index].name : NULL;
}

unsigned volume_fields_of(const BillowDef *def)
{
    BillowField all[BILLOW_FIELDS_MAX], there[BILLOW_FIELDS_MAX];
    int all_count = list_fields(NULL, all), there_count = list_fields(def, there);
    unsigned found = 0;
    for (int a = 0; a < all_count; a++)
        for (int t = 0; t < there_count; t++)
            if (all[a].offset == there[t].offset)
                found |= 1u << a;
    return found;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Whether a field is a colour, which simulations store times the density, but files do not. */
static bool is_tint(const BillowField *field)
{
    return field->place == BILLOW_AT_CENTRES && field->components == 3 && field->amount;
}

static bool allocate_field(const VolumeFrame *frame, VolumeField *field)
{
    size_t cells = (size_t)frame->n[0] * (size_t)frame->n[1] * (size_t)frame->n[2];
    free(field->values);
    size_t bytes = cells * (size_t)field->of.components * sizeof *field->values;
    field->values = malloc(bytes > 0 ? bytes : 1);
    return field->values != NULL;
}

static bool add_field(VolumeFrame *frame, const BillowField *of, float threshold)
{
    VolumeField *field = &frame->fields[frame->field_count++];
    const bool density = of->offset == offsetof(BillowView, density);
    *field = (VolumeField){.of = *of, .least = density ? threshold : of->negligible};
    if (is_tint(of)) {
        field->background = 1;
        field->of.meaning = "colour of the smoke, linear Rec. 709";
    }
    if (of->offset == offsetof(BillowView, age))
        field->of.meaning = "mean time since the smoke was released";
    if (of->place == BILLOW_AT_FACES)
        field->of.meaning = "velocity at the cell's centre";
    return allocate_field(frame, field);
}

/* Sets the frame's grid to planes of the view. */
static void place(VolumeFrame *frame, const BillowView *view, int first, int end)
{
    bool turned = frame->up == VOLUME_UP_Z;
    double h = (double)view->cell_size, y = (double)view->origin[1], z = (double)view->origin[2];
    const int planes = end - first, low = view->nz - end;
    const int n[3] = {view->nx, turned ? planes : view->ny, turned ? view->ny : planes};
    const int box[3] = {view->nx, turned ? view->nz : view->ny, turned ? view->ny : view->nz};
    const int begin[3] = {0, turned ? low : 0, turned ? 0 : first};
    const double origin[3] = {(double)view->origin[0], turned ? -(z + h * view->nz) : y,
                              turned ? y : z};
    memcpy(frame->n, n, sizeof n);
    memcpy(frame->box, box, sizeof box);
    memcpy(frame->first, begin, sizeof begin);
    memcpy(frame->origin, origin, sizeof origin);
    frame->cell_size = h;
}

bool volume_frame_create(VolumeFrame *frame, const BillowDef *def, unsigned fields, VolumeUp up,
                         float threshold, const char *scene, BillowError *error)
{
    const int refine = def->refine;
    const BillowView box = {.nx = def->nx * refine,
                            .ny = def->ny * refine,
                            .nz = def->nz * refine,
                            .cell_size = def->cell_size / (float)refine,
                            .origin = {def->origin[0], def->origin[1], def->origin[2]}};
    *frame = (VolumeFrame){.scene = scene, .up = up};
    place(frame, &box, 0, box.nz);
    BillowField all[BILLOW_FIELDS_MAX];
    int count = list_fields(NULL, all);
    for (int f = 0; f < count; f++)
        if ((fields >> f & 1) != 0 && !add_field(frame, &all[f], threshold)) {
            volume_frame_destroy(frame);
            return fail(error, "not enough memory for the fields of %dx%dx%d cells", box.nx, box.ny,
                        box.nz);
        }
    return true;
}

bool volume_frame_fit(VolumeFrame *frame, const BillowView *view, int first, int end,
                      BillowError *error)
{
    const VolumeFrame before = *frame;
    frame->time = view->time;
    place(frame, view, first, end);
    if (memcmp(before.n, frame->n, sizeof before.n) == 0)
        return true;
    for (int index = 0; index < frame->field_count; index++)
        if (!allocate_field(frame, &frame->fields[index]))
            return fail(error, "not enough memory for the fields of %dx%dx%d cells", view->nx,
                        view->ny, view->nz);
    return true;
}

void volume_frame_destroy(VolumeFrame *frame)
{
    for (int index = 0; index < frame->field_count; index++)
        free(frame->fields[index].values);
    *frame = (VolumeFrame){0};
}

/* -- values ------------------------------------------------------------------------------------ */

/* A row of cells along x in a view of a simulation. */
typedef struct Row {
    const BillowView *view;
    int y, z;
    ptrdiff_t at; /* offset of the row's first cell */
    bool turned;  /* whether the upward axis of the file is z */
} Row;

static void fill_velocity(const Row *row, float *values)
{
    for (int i = 0; i < row->view->nx; i++, values += 3) {
        float velocity[3];
        billow_cell_velocity(row->view, (const int[3]){i, row->y, row->z}, velocity);
        values[0] = velocity[0];
        values[1] = row->turned ? -velocity[2] : velocity[1];
        values[2] = row->turned ? velocity[1] : velocity[2];
    }
}

/* Fills in what the density was multiplied by. background: value of cells without smoke. */
static void fill_by_density(const Row *row, const BillowField *from, float least, float background,
                            float *values)
{
    const BillowView *view = row->view;
    for (int i = 0; i < view->nx; i++) {
        float density = view->density[row->at + i];
        bool empty = !(density > least);
        for (int c = 0; c < from->components; c++, values++)
            *values = empty ? background : from->values[c][row->at + i] / density;
    }
}

static void fill_row(const Row *row, const VolumeField *field, const BillowField *from,
                     float *values)
{
    if (from->place == BILLOW_AT_FACES)
        fill_velocity(row, values);
    else if (is_tint(from) || from->offset == offsetof(BillowView, age))
        fill_by_density(row, from, field->least, field->background, values);
    else
        memcpy(values, from->values[0] + row->at, (size_t)row->view->nx * sizeof *values);
}

/* Finds the field of the view from which a field of the file is computed. */
static const BillowField *find_source(const VolumeField *field, const BillowField *there, int count)
{
    for (int f = 0; f < count; f++)
        if (there[f].offset == field->of.offset)
            return &there[f];
    assert(!"the view has the fields of the frame");
    return NULL;
}

void volume_frame_fill(VolumeFrame *frame, const BillowView *view)
{
    bool turned = frame->up == VOLUME_UP_Z;
    BillowField there[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, there);
    for (int index = 0; index < frame->field_count; index++) {
        const VolumeField *field = &frame->fields[index];
        const BillowField *from = find_source(field, there, count);
        size_t length = (size_t)field->of.components * (size_t)frame->n[0];
        for (int k = 0; k < frame->n[2]; k++)
            for (int j = 0; j < frame->n[1]; j++) {
                int y = turned ? k : j;
                int z = turned ? view->nz - 1 - frame->first[1] - j : frame->first[2] + k;
                const Row row = {view, y, z, y * view->stride_y + z * view->stride_z, turned};
                size_t at = (size_t)k * (size_t)frame->n[1] + (size_t)j;
                fill_row(&row, field, from, field->values + at * length);
            }
    }
}

/* -- the formats ------------------------------------------------------------------------------- */

static const VolumeFormat formats[] = {
    {.ending = ".vdb",
     .standard_output = "vdb:-",
     .up = VOLUME_UP_Z,
     .sparse = true,
     .available = vdb_file_available,
     .write = vdb_file_write,
     .shared_ending = ".vdb"},
    {.ending = ".nvdb",
     .standard_output = "nvdb:-",
     .up = VOLUME_UP_Z,
     .sparse = true,
     .available = nvdb_file_available,
     .write = nvdb_file_write,
     .shared_ending = ".nvdb"},
    {.ending = ".npz", .standard_output = "npz:-", .up = VOLUME_UP_Y, .write = npz_file_write},
    {.ending = ".vti",
     .standard_output = "vti:-",
     .up = VOLUME_UP_Y,
     .listed = true,
     .write = vti_file_write,
     .shared_ending = ".pvti",
     .piece_path = vti_piece_path},
};

const VolumeFormat *volume_format(const char *name)
{
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        if (paths_end_in(name, formats[f].ending) || strcmp(name, formats[f].standard_output) == 0)
            return &formats[f];
    return NULL;
}
