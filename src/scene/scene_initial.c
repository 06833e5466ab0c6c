/* SPDX-License-Identifier: MIT */
#include "scene/scene_initial.h"

#include "base/fail.h"
#include "io/vdb_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void scene_frame_turn(const double q[4], const double x[3], double turned[3])
{
    double once[3];
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        once[a] = q[b] * x[c] - q[c] * x[b];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turned[a] = x[a] + 2 * (q[3] * once[a] + q[b] * once[c] - q[c] * once[b]);
    }
}

/* Turns a vector by the frame's rotation, or back if `sign` is -1. */
static void turn(const SceneFrame *frame, double sign, const double x[3], double turned[3])
{
    const float *q = frame->rotation;
    scene_frame_turn((const double[4]){sign * (double)q[0], sign * (double)q[1],
                                       sign * (double)q[2], (double)q[3]},
                     x, turned);
}

void scene_frame_to_file(const SceneFrame *frame, const double vector[3], double turned[3])
{
    double own[3];
    turn(frame, -1, vector, own);
    bool z = frame->up == SCENE_UP_Z;
    turned[0] = own[0] / frame->scale;
    turned[1] = (z ? -own[2] : own[1]) / frame->scale;
    turned[2] = (z ? own[1] : own[2]) / frame->scale;
}

void scene_frame_from_file(const SceneFrame *frame, const double vector[3], double turned[3])
{
    bool z = frame->up == SCENE_UP_Z;
    const double own[3] = {frame->scale * vector[0], frame->scale * (z ? vector[2] : vector[1]),
                           frame->scale * (z ? -vector[1] : vector[2])};
    turn(frame, 1, own, turned);
}

/* -- sampling ---------------------------------------------------------------------------------- */

typedef struct Loader {
    VdbFile *file;
    const SceneInitial *initial;
    const BillowDef *def;
    SceneFrame frame;
    SceneFields *fields;
    int found;
} Loader;

/* Names that programs give the same field; the first that the file has is read. */
static const char *const temperatures[] = {"temperature", "heat", NULL};
static const char *const fuels[] = {"fuel", "flame", "flames", "burn", NULL};
static const char *const colors[] = {"color", "Cd", NULL};
static const char *const velocities[] = {"velocity", "vel", "v", NULL};

static const char *find(const Loader *loader, const char *const *names, int components,
                        VdbGrid *grid)
{
    for (int n = 0; names[n] != NULL; n++)
        if (vdb_file_grid(loader->file, names[n], grid) && grid->components == components &&
            !grid->distances)
            return names[n];
    return NULL;
}

/* The centres of the cells, or the middles of their low faces along `axis` if it is not -1. */
static VdbLattice lattice_of(const Loader *loader, int axis)
{
    const BillowDef *def = loader->def;
    const double h = (double)def->cell_size;
    VdbLattice lattice = {.n = {def->nx, def->ny, def->nz}};
    double first[3];
    for (int a = 0; a < 3; a++) {
        const double step[3] = {a == 0 ? h : 0, a == 1 ? h : 0, a == 2 ? h : 0};
        lattice.n[a] += a == axis;
        first[a] =
            (double)def->origin[a] + (a == axis ? 0 : 0.5 * h) - (double)loader->initial->center[a];
        scene_frame_to_file(&loader->frame, step, lattice.step[a]);
    }
    scene_frame_to_file(&loader->frame, first, lattice.first);
    return lattice;
}

static size_t points_of(const VdbLattice *lattice)
{
    return (size_t)lattice->n[0] * (size_t)lattice->n[1] * (size_t)lattice->n[2];
}

static float *sample(Loader *loader, const char *name, const VdbLattice *lattice, int components,
                     BillowError *error)
{
    BillowError reason;
    float *values = malloc(points_of(lattice) * (size_t)components * sizeof *values);
    if (values == NULL) {
        fail(error, "not enough memory for its fields");
        return NULL;
    }
    if (vdb_file_sample(loader->file, name, lattice, components, values, &reason)) {
        loader->found++;
        return values;
    }
    fail(error, "'%s': %.300s", name, reason.text);
    free(values);
    return NULL;
}

/* Samples a field of numbers, unless its factor is 0. */
static bool load_field(Loader *loader, const char *name, float factor, float **values,
                       BillowError *error)
{
    if (factor == 0.0f)
        return true;
    const VdbLattice lattice = lattice_of(loader, -1);
    *values = sample(loader, name, &lattice, 1, error);
    if (*values == NULL)
        return false;
    for (size_t v = 0; v < points_of(&lattice); v++)
        (*values)[v] *= factor;
    return true;
}

/* Likewise of the first of these names; *values stays NULL if the file has none. */
static bool load_numbers(Loader *loader, const char *const *names, float factor, float **values,
                         BillowError *error)
{
    VdbGrid grid;
    const char *name = find(loader, names, 1, &grid);
    return name == NULL || load_field(loader, name, factor, values, error);
}

/* What is unusual about the grid of the smoke. */
static void notice_grid(const char *path, const char *name, const VdbGrid *grid,
                        BillowError *notice)
{
    if (grid->empty)
        fail(notice, "%.200s: its grid '%.60s' is empty", path, name);
    else if (grid->outside != 0)
        fail(notice,
             "%.200s: its grid '%.60s' is %g outside of its active voxels, which counts as 0", path,
             name, grid->outside);
}

static bool load_density(Loader *loader, BillowError *error)
{
    VdbGrid grid;
    char name[VDB_NAME];
    SceneFields *fields = loader->fields;
    const SceneInitial *initial = loader->initial;
    const float factor = initial->smoke;
    if (!vdb_file_find(loader->file, initial->grid, false, name, &grid))
        return strcmp(initial->grid, scene_default()->initial.grid) == 0 ||
               fail(error, "it has no fog '%.60s'", initial->grid);
    notice_grid(initial->vdb, name, &grid, &fields->notice);
    if (!load_field(loader, name, factor, &fields->density, error))
        return false;
    const double h = (double)loader->def->cell_size, scale = loader->frame.scale;
    const VdbLattice lattice = lattice_of(loader, -1);
    for (size_t c = 0; fields->density != NULL && c < points_of(&lattice); c++) {
        fields->density[c] = fmaxf(fields->density[c], 0);
        fields->mass += (double)fields->density[c] * h * h * h;
    }
    fields->file_mass = grid.sum * (double)factor * scale * scale * scale;
    if (fields->file_mass > 0 && !(fields->mass > 0)) {
        double low[3], high[3];
        scene_frame_from_file(&loader->frame, grid.low, low);
        scene_frame_from_file(&loader->frame, grid.high, high);
        for (int a = 0; a < 3; a++) {
            low[a] += (double)loader->initial->center[a];
            high[a] += (double)loader->initial->center[a];
        }
        return fail(error,
                    "none of its smoke is in the box: it spans (%.3g, %.3g, %.3g) to (%.3g, %.3g, "
                    "%.3g) m; initial.center and initial.scale move it",
                    fmin(low[0], high[0]), fmin(low[1], high[1]), fmin(low[2], high[2]),
                    fmax(low[0], high[0]), fmax(low[1], high[1]), fmax(low[2], high[2]));
    }
    return true;
}

/* Stores density times colour. A colour of more than 1 counts as 1. */
static bool load_color(Loader *loader, BillowError *error)
{
    VdbGrid grid;
    SceneFields *fields = loader->fields;
    const char *name = find(loader, colors, 3, &grid);
    if (!loader->def->color || fields->density == NULL)
        return true;
    VdbLattice lattice = lattice_of(loader, -1);
    lattice.covered = 1;
    size_t cells = (size_t)loader->def->nx * (size_t)loader->def->ny * (size_t)loader->def->nz;
    float *vectors = name != NULL ? sample(loader, name, &lattice, 3, error) : NULL;
    bool good = name == NULL || vectors != NULL;
    for (int c = 0; c < 3 && good; c++) {
        fields->color[c] = malloc(cells * sizeof(float));
        good = fields->color[c] != NULL || fail(error, "not enough memory for its fields");
        for (size_t at = 0; at < cells && good; at++) {
            float share = vectors != NULL ? fminf(fmaxf(vectors[3 * at + (size_t)c], 0), 1) : 1;
            fields->color[c][at] = fields->density[at] * share;
        }
    }
    free(vectors);
    return good;
}

/* Samples the velocity at the faces across `axis`, from a field of vectors or, with `name` NULL,
 * from three fields of numbers. */
static bool load_faces(Loader *loader, const char *name, const char parts[3][VDB_NAME], int axis,
                       BillowError *error)
{
    const VdbLattice lattice = lattice_of(loader, axis);
    const size_t points = points_of(&lattice);
    float *own[3] = {NULL, NULL, NULL}, *vectors = NULL;
    bool good = true;
    if (name != NULL)
        good = (vectors = sample(loader, name, &lattice, 3, error)) != NULL;
    for (int c = 0; c < 3 && name == NULL && good; c++)
        good = (own[c] = sample(loader, parts[c], &lattice, 1, error)) != NULL;
    float *faces = good ? malloc(points * sizeof *faces) : NULL;
    for (size_t p = 0; faces != NULL && p < points; p++) {
        double from[3], to[3];
        for (int c = 0; c < 3; c++)
            from[c] = vectors != NULL ? (double)vectors[3 * p + (size_t)c] : (double)own[c][p];
        scene_frame_from_file(&loader->frame, from, to);
        faces[p] = (float)(to[axis] * (double)loader->initial->velocity);
    }
    free(vectors);
    for (int c = 0; c < 3; c++)
        free(own[c]);
    loader->fields->velocity[axis] = faces;
    return faces != NULL || !good || fail(error, "not enough memory for its fields");
}

/* Finds three fields of numbers that together are the velocity, such as vel.x, vel_y or vz. */
static bool find_parts(const Loader *loader, char parts[3][VDB_NAME])
{
    static const char *const joints[] = {".", "_", ""};
    for (int n = 0; velocities[n] != NULL; n++)
        for (int joint = 0; joint < 3; joint++) {
            int found = 0;
            for (int axis = 0; axis < 3; axis++) {
                VdbGrid grid;
                snprintf(parts[axis], VDB_NAME, "%s%s%c", velocities[n], joints[joint],
                         "xyz"[axis]);
                found += vdb_file_grid(loader->file, parts[axis], &grid) && grid.components == 1 &&
                         !grid.distances;
            }
            if (found == 3)
                return true;
        }
    return false;
}

static bool load_velocity(Loader *loader, BillowError *error)
{
    VdbGrid grid;
    char parts[3][VDB_NAME];
    if (loader->initial->velocity == 0.0f)
        return true;
    const char *name = find(loader, velocities, 3, &grid);
    if (name == NULL && !find_parts(loader, parts))
        return true;
    for (int axis = 0; axis < 3; axis++)
        if (!load_faces(loader, name, (const char(*)[VDB_NAME])parts, axis, error) ||
            loader->fields->velocity[axis] == NULL)
            return false;
    return true;
}

static bool load(Loader *loader, BillowError *error)
{
    const SceneInitial *initial = loader->initial;
    VolumeUp stated;
    if (vdb_file_up(loader->file, &stated))
        loader->frame.up = stated == VOLUME_UP_Z ? SCENE_UP_Z : SCENE_UP_Y;
    if (!load_density(loader, error) ||
        !load_numbers(loader, temperatures, initial->heat, &loader->fields->temperature, error) ||
        (loader->def->fire &&
         !load_numbers(loader, fuels, initial->fuel, &loader->fields->fuel, error)) ||
        !load_color(loader, error) || !load_velocity(loader, error))
        return false;
    if (loader->found > 0)
        return true;
    char names[200];
    vdb_file_names(loader->file, names, sizeof names);
    return fail(error, "it has no field of smoke that could be read; its grids are: %s", names);
}

bool scene_initial_load(const Scene *scene, const BillowDef *def, SceneFields *fields,
                        BillowError *error)
{
    const SceneInitial *initial = &scene->initial;
    *fields = (SceneFields){.density = NULL};
    if (initial->vdb[0] == '\0')
        return true;
    Loader loader = {.file = vdb_file_open(initial->vdb, NULL, error),
                     .initial = initial,
                     .def = def,
                     .frame = {.scale = (double)initial->scale, .up = initial->up},
                     .fields = fields};
    memcpy(loader.frame.rotation, initial->rotation, sizeof initial->rotation);
    if (loader.file == NULL)
        return false;
    BillowError reason;
    bool good = load(&loader, &reason);
    fields->file_memory = vdb_file_memory(loader.file);
    vdb_file_close(loader.file);
    if (good)
        return true;
    scene_initial_free(fields);
    return fail(error, "%.200s: %.300s", initial->vdb, reason.text);
}

void scene_initial_free(SceneFields *fields)
{
    free(fields->density);
    free(fields->temperature);
    free(fields->fuel);
    for (int c = 0; c < 3; c++) {
        free(fields->color[c]);
        free(fields->velocity[c]);
    }
    *fields = (SceneFields){.density = NULL};
}

/* -- into a simulation ------------------------------------------------------------------------- */

/* Whether the middle of a cell of the wind is in a solid. */
static bool is_solid(const BillowView *wind, const int cell[3])
{
    const ptrdiff_t at = cell[0] + cell[1] * wind->stride_y + cell[2] * wind->stride_z;
    double sum = 0;
    for (int corner = 0; wind->solid != NULL && corner < 8; corner++)
        sum += (double)wind->solid[at + (corner & 1) + (corner >> 1 & 1) * wind->stride_y +
                                   (corner >> 2) * wind->stride_z];
    return sum < 0;
}

/* Copies values of cells of the wind, without padding, into a field. more: the axis along which
 * there is one more, or -1: a scalar, whose cells in each of the wind get the same value. Solids
 * take none. */
static void put(const BillowView *view, const float *values, int more, float *field)
{
    const BillowView wind = billow_wind_view(view), *grid = more < 0 ? view : &wind;
    const int n[3] = {wind.nx + (more == 0), wind.ny + (more == 1), wind.nz + (more == 2)};
    const int refine = grid->nx / wind.nx, end[3] = {refine * n[0], refine * n[1], refine * n[2]};
    for (int k = 0; values != NULL && field != NULL && k < end[2]; k++)
        for (int j = 0; j < end[1]; j++)
            for (int i = 0; i < end[0]; i++) {
                const int from[3] = {i / refine, j / refine, k / refine};
                float value =
                    values[((size_t)from[2] * (size_t)n[1] + (size_t)from[1]) * (size_t)n[0] +
                           (size_t)from[0]];
                field[i + j * grid->stride_y + k * grid->stride_z] =
                    more < 0 && is_solid(&wind, from) ? 0 : value;
            }
}

void scene_initial_apply(const SceneFields *from, BillowSim *sim)
{
    const BillowView view = billow_view(sim);
    bool any = from->density != NULL || from->temperature != NULL || from->fuel != NULL ||
               from->velocity[0] != NULL;
    if (!any)
        return;
    BillowFields to = billow_fields(sim);
    float *const faces[3] = {to.u, to.v, to.w};
    put(&view, from->density, -1, to.density);
    put(&view, from->temperature, -1, to.temperature);
    put(&view, from->fuel, -1, to.fuel);
    for (int c = 0; c < 3; c++) {
        put(&view, from->color[c], -1, to.color[c]);
        put(&view, from->velocity[c], c, faces[c]);
    }
}
