/* SPDX-License-Identifier: MIT */
#include "scene/scene_form.h"

#include "base/fail.h"
#include "base/words.h"
#include "io/font.h"
#include "io/mesh_file.h"

#include <billow/mesh.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples along the longest edge of a volume: two per cell of the simulation, but not fewer than
 * LEAST and not more than MOST. Letters have thin parts and need more samples than meshes. */
enum { MESH_LEAST = 24, MESH_MOST = 128, TEXT_LEAST = 96, TEXT_MOST = 320, MARGIN = 3 };

static size_t samples_of(const BillowVolume *volume)
{
    return (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
}

static float spacing_for(const SceneBody *body, const BillowDef *def, float least, float most)
{
    float wanted = ceilf(4 * body->size / def->cell_size);
    return 2 / fminf(fmaxf(wanted, least), most);
}

BillowMesh scene_mesh_of(const MeshFile *file)
{
    return (BillowMesh){(const float(*)[3])file->vertices, file->vertex_count,
                        (const int(*)[3])file->triangles, file->triangle_count};
}

bool scene_mesh_check(const MeshFile *file, BillowError *error)
{
    const BillowMesh mesh = scene_mesh_of(file);
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL));
    bool good = scratch != NULL ? billow_mesh_check(&mesh, scratch, error)
                                : fail(error, "not enough memory to measure it");
    free(scratch);
    return good;
}

bool scene_mesh_voxelize(const MeshFile *file, BillowVolume *volume, float **distance,
                         BillowError *error)
{
    const BillowMesh mesh = scene_mesh_of(file);
    const float *kept = volume->distance;
    void *scratch = malloc(billow_mesh_scratch(&mesh, volume));
    *distance = malloc(samples_of(volume) * sizeof **distance);
    bool made = *distance != NULL && scratch != NULL &&
                billow_voxelize(&mesh, volume, *distance, scratch, error);
    volume->distance = kept;
    free(scratch);
    return made || fail(error, "not enough memory to measure it");
}

/* Moves and scales a mesh so that its longest edge spans -1 to 1. half: receives half the length of
 * each scaled edge. */
static void normalise(MeshFile *file, float half[3])
{
    const BillowMesh mesh = scene_mesh_of(file);
    float low[3], high[3], longest = 0;
    billow_mesh_bounds(&mesh, low, high);
    for (int axis = 0; axis < 3; axis++)
        longest = fmaxf(longest, high[axis] - low[axis]);
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = (high[axis] - low[axis]) / longest;
        for (int v = 0; v < file->vertex_count; v++)
            file->vertices[v][axis] =
                (2 * file->vertices[v][axis] - low[axis] - high[axis]) / longest;
    }
}

static void place_samples(const float half[3], float spacing, BillowVolume *volume)
{
    int counts[3];
    *volume = (BillowVolume){.spacing = spacing};
    for (int axis = 0; axis < 3; axis++) {
        counts[axis] = 2 * (int)ceilf(half[axis] / spacing) + 2 * MARGIN;
        volume->low[axis] = -0.5f * spacing * (float)(counts[axis] - 1);
    }
    volume->nx = counts[0], volume->ny = counts[1], volume->nz = counts[2];
}

static bool make_mesh(const SceneBody *body, float spacing, BillowVolume *volume,
                      BillowError *error)
{
    MeshFile file;
    BillowError reason;
    float half[3], *distance = NULL;
    if (!mesh_file_load(body->form->mesh, &file, &reason))
        return fail(error, "%s: %s", body->label, reason.text);
    bool made = scene_mesh_check(&file, &reason);
    if (made) {
        normalise(&file, half);
        place_samples(half, spacing, volume);
        made = scene_mesh_voxelize(&file, volume, &distance, &reason);
    }
    mesh_file_free(&file);
    if (made) {
        volume->distance = distance;
        return true;
    }
    free(distance);
    return fail(error, "%s: %.200s: %s", body->label, body->form->mesh, reason.text);
}

/* Lengths along the world's axes of the rotated box of samples, without its margin, m. The matrix
 * of a unit quaternion is R = (w^2 - v.v) 1 + 2 v v^T + 2 w [v]. */
static void world_edges(const SceneBody *body, const BillowVolume *volume, double edges[3])
{
    const int counts[3] = {volume->nx, volume->ny, volume->nz};
    const float *q = body->rotation;
    double w = (double)q[3];
    for (int row = 0; row < 3; row++) {
        edges[row] = 0;
        for (int column = 0; column < 3; column++) {
            int third = 3 - row - column;
            double same = w * w - (double)q[0] * (double)q[0] - (double)q[1] * (double)q[1] -
                          (double)q[2] * (double)q[2];
            double cross = row == column             ? 0
                           : column == (row + 1) % 3 ? -2 * w * (double)q[third]
                                                     : 2 * w * (double)q[third];
            double entry =
                (row == column ? same : 0) + 2 * (double)q[row] * (double)q[column] + cross;
            edges[row] += fabs(entry) * (counts[column] - 2 * MARGIN) * (double)volume->spacing *
                          (double)body->size;
        }
    }
}

static bool check_fits(const SceneBody *body, const BillowVolume *volume, const BillowDef *def,
                       BillowError *error)
{
    const int cells[3] = {def->nx, def->ny, def->nz};
    double edges[3], box[3];
    bool fits = true;
    world_edges(body, volume, edges);
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = cells[axis] * (double)def->cell_size;
        fits = fits &&
               edges[axis] <= 1.02 * box[axis] + 2 * (double)volume->spacing * (double)body->size;
    }
    return fits ||
           fail(error,
                "%s: %.200s would be %.3g x %.3g x %.3g m, larger than the domain of "
                "%.3g x %.3g x %.3g m; make its size smaller",
                body->label, body->form->mesh[0] != '\0' ? body->form->mesh : body->form->text,
                edges[0], edges[1], edges[2], box[0], box[1], box[2]);
}

bool scene_form_make(const SceneBody *body, const BillowDef *def, BillowVolume *volume,
                     BillowError *error)
{
    BillowError reason;
    const SceneForm *form = body->form;
    if (form->mesh[0] != '\0')
        return make_mesh(body, spacing_for(body, def, MESH_LEAST, MESH_MOST), volume, error) &&
               check_fits(body, volume, def, error);
    float spacing = spacing_for(body, def, TEXT_LEAST, TEXT_MOST);
    return (lettering_draw(form->text, form->font, spacing, volume, &reason) ||
            fail(error, "%s: text '%s': %s", body->label, form->text, reason.text)) &&
           check_fits(body, volume, def, error);
}

bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error)
{
    size_t bytes = sizeof(float) * samples_of(before);
    float *distance = malloc(bytes);
    if (distance == NULL)
        return fail(error, "%s: not enough memory for its shape", body->label);
    memcpy(distance, before->distance, bytes);
    *volume = *before;
    volume->distance = distance;
    return check_fits(body, volume, def, error);
}

void scene_form_free(BillowVolume *volume)
{
    free((void *)volume->distance);
    volume->distance = NULL;
}

/* -- as bytes -----------------------------------------------------------------------------------
 */

enum { HEAD = 40 };

size_t scene_shape_bytes(const SceneShape *shape)
{
    return HEAD + 4 * samples_of(&shape->volume);
}

void scene_shape_write(int entry, const SceneShape *shape, unsigned char *bytes)
{
    const BillowVolume *volume = &shape->volume;
    const uint32_t counts[4] = {(uint32_t)entry, (uint32_t)volume->nx, (uint32_t)volume->ny,
                                (uint32_t)volume->nz};
    const float numbers[6] = {volume->low[0],  volume->low[1], volume->low[2],
                              volume->spacing, shape->size,    shape->cell};
    for (int c = 0; c < 4; c++)
        put32(bytes + 4 * c, counts[c]);
    for (int n = 0; n < 6; n++)
        put_float(bytes + 16 + 4 * n, numbers[n]);
    for (size_t s = 0; s < samples_of(volume); s++)
        put_float(bytes + HEAD + 4 * s, volume->distance[s]);
}

/* Reads all but the samples. Returns false if they are impossible. */
static bool read_head(const unsigned char *bytes, size_t count, uint32_t *entry, SceneShape *shape)
{
    uint32_t n[3];
    float numbers[6];
    bool good = count >= HEAD && count <= SCENE_SHAPE_BYTES_MAX && count % 4 == 0;
    if (!good)
        return false;
    *entry = get32(bytes);
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = get32(bytes + 4 + 4 * axis);
        good = good && n[axis] >= 2 && n[axis] <= SCENE_SHAPE_SIDE;
    }
    for (int i = 0; i < 6; i++) {
        numbers[i] = get_float(bytes + 16 + 4 * i);
        good = good && isfinite(numbers[i]) && (i < 3 || numbers[i] > 0);
    }
    if (!good || (size_t)n[0] * n[1] * n[2] != (count - HEAD) / 4)
        return false;
    *shape = (SceneShape){
        .size = numbers[4],
        .cell = numbers[5],
        .volume = {.nx = (int)n[0],
                   .ny = (int)n[1],
                   .nz = (int)n[2],
                   .low = {numbers[0], numbers[1], numbers[2]},
                   .spacing = numbers[3]},
    };
    return true;
}

bool scene_shape_read(const unsigned char *bytes, size_t count, SceneShape shapes[SCENE_SHAPES],
                      bool *damaged)
{
    uint32_t entry;
    SceneShape shape;
    *damaged = !read_head(bytes, count, &entry, &shape) || entry >= SCENE_SHAPES ||
               shapes[entry].volume.distance != NULL;
    if (*damaged)
        return false;
    size_t samples = samples_of(&shape.volume);
    float *distance = malloc(samples * sizeof *distance);
    if (distance == NULL)
        return false;
    shape.volume.distance = distance;
    shapes[entry] = shape;
    for (size_t s = 0; s < samples; s++) {
        distance[s] = get_float(bytes + HEAD + 4 * s);
        *damaged = *damaged || !isfinite(distance[s]);
    }
    return !*damaged;
}

bool scene_form_exists(const Scene *scene, int entry)
{
    return entry < BILLOW_EMITTERS_MAX ? entry < scene->def.emitter_count
                                       : entry - BILLOW_EMITTERS_MAX < scene->def.solid_count;
}

const SceneForm *scene_form_of(const Scene *scene, int entry)
{
    return entry < BILLOW_EMITTERS_MAX ? &scene->emitter_forms[entry]
                                       : &scene->solid_forms[entry - BILLOW_EMITTERS_MAX];
}

void scene_shapes_free(SceneShape shapes[SCENE_SHAPES])
{
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        free((void *)shapes[entry].volume.distance);
        shapes[entry].volume.distance = NULL;
    }
}
