/* SPDX-License-Identifier: MIT
 * Mesh files: read, checked and, if closed, measured coarsely. The first byte selects the kind of
 * file: b for .glb, j for .gltf, others for .obj and .stl. */
#include "fuzz.h"

#include "gltf_file.h"
#include "mesh_file.h"

#include <billow/mesh.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 12 };

static void measure(const BillowMesh *mesh)
{
    float distance[EDGE * EDGE * EDGE];
    BillowError error;
    BillowVolume volume = {.nx = EDGE, .ny = EDGE, .nz = EDGE};
    float low[3], high[3], longest = 0;
    billow_mesh_bounds(mesh, low, high);
    for (int axis = 0; axis < 3; axis++)
        longest = high[axis] - low[axis] > longest ? high[axis] - low[axis] : longest;
    FUZZ_HOLDS(longest > 0.0f);
    volume.spacing = longest / (EDGE - 4);
    for (int axis = 0; axis < 3; axis++)
        volume.low[axis] = low[axis] - 1.5f * volume.spacing;
    void *scratch = malloc(billow_mesh_scratch(mesh, &volume));
    FUZZ_HOLDS(scratch != NULL);
    if (billow_voxelize(mesh, &volume, distance, scratch, &error))
        for (int sample = 0; sample < EDGE * EDGE * EDGE; sample++)
            FUZZ_HOLDS(distance[sample] > -4e6f && distance[sample] < 4e6f);
    free(scratch);
}

/* Reads a glTF file and places its mesh at a time in its motion. */
static bool read_gltf(const char *name, char *bytes, size_t length, MeshFile *mesh,
                      BillowError *error)
{
    GltfFile *file = gltf_file_read(name, bytes, length, error);
    if (file == NULL)
        return false;
    FUZZ_HOLDS(gltf_file_seconds(file) >= 0);
    bool made = gltf_file_mesh(file, 0.3 * gltf_file_seconds(file), mesh, error);
    gltf_file_close(file);
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.obj", "a.stl"};
    BillowError error;
    MeshFile file;
    memset(&error, 0, sizeof error);
    if (size < 1)
        return 0;
    char *bytes = malloc(size);
    FUZZ_HOLDS(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    bool read = data[0] == 'b' ? read_gltf("a.glb", bytes, size - 1, &file, &error)
                : data[0] == 'j'
                    ? read_gltf("a.gltf", bytes, size - 1, &file, &error)
                    : mesh_file_read(names[data[0] & 1], bytes, size - 1, &file, &error);
    free(bytes);
    if (!read) {
        FUZZ_HOLDS(error.text[0] != '\0');
        return 0;
    }
    const BillowMesh mesh = {(const float(*)[3])file.vertices, file.vertex_count,
                             (const int(*)[3])file.triangles, file.triangle_count};
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL) + 1);
    FUZZ_HOLDS(scratch != NULL);
    if (billow_mesh_check(&mesh, scratch, &error))
        measure(&mesh);
    free(scratch);
    mesh_file_free(&file);
    return 0;
}
