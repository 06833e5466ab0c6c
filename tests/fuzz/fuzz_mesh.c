/* SPDX-License-Identifier: MIT
 * Mesh files: read, checked and, if closed, measured coarsely. The first byte selects the kind of
 * file: b for .glb, j for .gltf, others for .obj and .stl. */
#include "fuzz.h"

#include "base/words.h"
#include "io/gltf_file.h"
#include "io/mesh_file.h"

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
    fuzz_count("held triangles");
    const BillowMesh mesh = {(const float(*)[3])file.vertices, file.vertex_count,
                             (const int(*)[3])file.triangles, file.triangle_count};
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL) + 1);
    FUZZ_HOLDS(scratch != NULL);
    if (billow_mesh_check(&mesh, scratch, &error)) {
        fuzz_count("were closed and measured");
        measure(&mesh);
    }
    free(scratch);
    mesh_file_free(&file);
    return 0;
}

/* Changes the JSON or the buffer of a .glb file, and corrects the lengths. */
static size_t mutate_glb(uint8_t *data, size_t size, size_t most, unsigned *seed)
{
    enum { JSON = 1 + 20, CHUNK = 8 }; /* flag, head, head of the first chunk */
    size_t json = get32(data + JSON - CHUNK), end = JSON + json;
    if (fuzz_random(seed, 3) == 0) {
        size = fuzz_mutate_inside(data, size, end + CHUNK < size ? end + CHUNK : size, size, seed);
    } else {
        size_t more = fuzz_mutate_text(data, size, most - 4, JSON, end, seed);
        json += more - size;
        size = more;
        for (; json % 4 != 0; json++, size++) { /* padded with blanks */
            memmove(data + JSON + json + 1, data + JSON + json, size - JSON - json);
            data[JSON + json] = ' ';
        }
        put32(data + JSON - CHUNK, (uint32_t)json);
    }
    put32(data + 1 + 8, (uint32_t)size - 1);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    unsigned way = fuzz_random(&seed, 16);
    if (size < 2 || way == 0)
        return fuzz_mutate_part(data, size, most, 0, size);
    if (data[0] == 'b' && size > 21 && get32(data + 13) <= size - 21 && most > size + 8)
        return mutate_glb(data, size, most, &seed);
    if (way < 4)
        return fuzz_mutate_inside(data, size, 1, size, &seed);
    return fuzz_mutate_text(data, size, most, 1, size, &seed);
}
