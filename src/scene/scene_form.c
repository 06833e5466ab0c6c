/* SPDX-License-Identifier: MIT */
#include "scene/scene_play.h"

#include "base/fail.h"
#include "io/font.h"
#include "io/mesh_file.h"

#include <billow/mesh.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples along the longest edge of a volume: two per cell of the simulation, but not fewer than
 * LEAST and not more than MOST. Letters have thin parts and need more samples than meshes. */
enum { MESH_LEAST = 24, MESH_MOST = 128, TEXT_LEAST = 96, TEXT_MOST = 320, MARGIN = 3 };

static float spacing_for(const SceneBody *body, const BillowDef *def, float least, float most)
{
    float wanted = ceilf(4 * body->size / def->cell_size);
    return 2 / fminf(fmaxf(wanted, least), most);
}

/* Moves and scales a mesh so that its longest edge spans -1 to 1. half: receives half the length of
 * each scaled edge. */
static void normalise(MeshFile *file, const BillowMesh *mesh, float half[3])
{
    float low[3], high[3], longest = 0;
    billow_mesh_bounds(mesh, low, high);
    for (int axis = 0; axis < 3; axis++)
        longest = fmaxf(longest, high[axis] - low[axis]);
    for (int axis = 0; axis < 3; axis++) {
        half[axis] = (high[axis] - low[axis]) / longest;
        for (int v = 0; v < mesh->vertex_count; v++)
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

static bool voxelize(const SceneBody *body, MeshFile *file, float spacing, BillowVolume *volume,
                     BillowError *error)
{
    const BillowMesh mesh = {(const float(*)[3])file->vertices, file->vertex_count,
                             (const int(*)[3])file->triangles, file->triangle_count};
    BillowError reason;
    float half[3];
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL));
    bool checked = scratch != NULL && billow_mesh_check(&mesh, scratch, &reason);
    free(scratch);
    if (scratch != NULL && !checked)
        return fail(error, "%s: %.200s: %s", body->label, body->form->mesh, reason.text);
    normalise(file, &mesh, half);
    place_samples(half, spacing, volume);
    size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    float *distance = malloc(samples * sizeof *distance);
    scratch = malloc(billow_mesh_scratch(&mesh, volume));
    bool made = checked && distance != NULL && scratch != NULL &&
                billow_voxelize(&mesh, volume, distance, scratch, &reason);
    free(scratch);
    if (made)
        return true;
    free(distance);
    return fail(error, "%s: %.200s: not enough memory to measure it", body->label,
                body->form->mesh);
}

static bool make_mesh(const SceneBody *body, float spacing, BillowVolume *volume,
                      BillowError *error)
{
    MeshFile file;
    BillowError reason;
    if (!mesh_file_load(body->form->mesh, &file, &reason))
        return fail(error, "%s: %s", body->label, reason.text);
    bool made = voxelize(body, &file, spacing, volume, error);
    mesh_file_free(&file);
    return made;
}

static bool make_text(const SceneBody *body, float spacing, BillowVolume *volume,
                      BillowError *error)
{
    BillowError reason;
    return lettering_draw(body->form->text, body->form->font, spacing, volume, &reason) ||
           fail(error, "%s: text '%s': %s", body->label, body->form->text, reason.text);
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
    bool mesh = body->form->mesh[0] != '\0';
    float spacing = mesh ? spacing_for(body, def, MESH_LEAST, MESH_MOST)
                         : spacing_for(body, def, TEXT_LEAST, TEXT_MOST);
    return (mesh ? make_mesh(body, spacing, volume, error)
                 : make_text(body, spacing, volume, error)) &&
           check_fits(body, volume, def, error);
}

bool scene_form_copy(const SceneBody *body, const BillowDef *def, const BillowVolume *before,
                     BillowVolume *volume, BillowError *error)
{
    size_t bytes = sizeof(float) * (size_t)before->nx * (size_t)before->ny * (size_t)before->nz;
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
