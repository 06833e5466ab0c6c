/* SPDX-License-Identifier: MIT */
#include "mesh_file.h"

#include "fail.h"
#include "obj_text.h"
#include "paths.h"
#include "stl_file.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>

void mesh_file_free(MeshFile *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (MeshFile){0};
}

#ifndef BILLOW_ASSIMP

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    BillowError reason;
    if (!whole_file_check(path, MESH_FILE_BYTES_MAX, &reason))
        return fail(error, "%.300s: %s", path, reason.text);
    return fail(error,
                "%.300s: this build of Billow reads no meshes; install assimp "
                "(libassimp-dev) and build it again",
                path);
}

#else

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

enum { TRIANGLES_MAX = 50000000 };

/* From memory, so that no other file is opened. Only places count: whatever else a vertex has would
 * keep those at one place apart. */
static const struct aiScene *import(const char *text)
{
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (store == NULL)
        return NULL;
    aiSetImportPropertyInteger(store, "PP_RVC_FLAGS",
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                   aiComponent_COLORS | aiComponent_TEXCOORDS |
                                   aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                   aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS |
                                   aiComponent_MATERIALS);
    const struct aiScene *scene = aiImportFileFromMemoryWithProperties(
        text, (unsigned)strlen(text),
        aiProcess_Triangulate | aiProcess_RemoveComponent | aiProcess_PreTransformVertices |
            aiProcess_JoinIdenticalVertices,
        "obj", store);
    aiReleasePropertyStore(store);
    return scene;
}

static int count_triangles(const struct aiMesh *part)
{
    int count = 0;
    for (unsigned f = 0; f < part->mNumFaces; f++)
        count += part->mFaces[f].mNumIndices == 3;
    return count;
}

static void append(const struct aiMesh *part, MeshFile *mesh)
{
    int first = mesh->vertex_count;
    for (unsigned v = 0; v < part->mNumVertices; v++) {
        float *vertex = mesh->vertices[mesh->vertex_count++];
        vertex[0] = part->mVertices[v].x;
        vertex[1] = part->mVertices[v].y;
        vertex[2] = part->mVertices[v].z;
    }
    for (unsigned f = 0; f < part->mNumFaces; f++)
        if (part->mFaces[f].mNumIndices == 3) {
            int *triangle = mesh->triangles[mesh->triangle_count++];
            for (int corner = 0; corner < 3; corner++)
                triangle[corner] = first + (int)part->mFaces[f].mIndices[corner];
        }
}

typedef struct Sorted {
    float at[3];
    int index;
} Sorted;

static int compare(const void *left, const void *right)
{
    const Sorted *a = left, *b = right;
    for (int axis = 0; axis < 3; axis++)
        if (a->at[axis] < b->at[axis] || a->at[axis] > b->at[axis])
            return a->at[axis] < b->at[axis] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Vertices at one place become one, of all parts together; triangles that lose a corner go. */
static bool join_vertices(MeshFile *mesh)
{
    size_t count = (size_t)mesh->vertex_count;
    Sorted *sorted = malloc(count * sizeof *sorted + 1);
    int *joined = malloc(count * sizeof *joined + 1);
    bool good = sorted != NULL && joined != NULL;
    for (size_t v = 0; good && v < count; v++) {
        memcpy(sorted[v].at, mesh->vertices[v], sizeof sorted[v].at);
        sorted[v].index = (int)v;
    }
    if (good)
        qsort(sorted, count, sizeof *sorted, compare);
    for (size_t v = 0; good && v < count; v++) {
        bool same = v > 0 && sorted[v].at[0] == sorted[v - 1].at[0] &&
                    sorted[v].at[1] == sorted[v - 1].at[1] &&
                    sorted[v].at[2] == sorted[v - 1].at[2];
        joined[sorted[v].index] = same ? joined[sorted[v - 1].index] : sorted[v].index;
    }
    int kept = 0;
    for (int t = 0; good && t < mesh->triangle_count; t++) {
        const int *corner = mesh->triangles[t];
        int a = joined[corner[0]], b = joined[corner[1]], c = joined[corner[2]];
        if (a == b || b == c || c == a)
            continue;
        int *triangle = mesh->triangles[kept++];
        triangle[0] = a, triangle[1] = b, triangle[2] = c;
    }
    mesh->triangle_count = good ? kept : 0;
    free(sorted);
    free(joined);
    return good;
}

static bool take(const struct aiScene *scene, MeshFile *mesh, BillowError *error)
{
    size_t vertices = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        vertices += scene->mMeshes[m]->mNumVertices;
        triangles += (size_t)count_triangles(scene->mMeshes[m]);
    }
    if (triangles > TRIANGLES_MAX || vertices > TRIANGLES_MAX)
        return fail(error, "holds %zu triangles; at most %d are possible", triangles,
                    TRIANGLES_MAX);
    mesh->vertices = malloc(vertices * sizeof *mesh->vertices + 1);
    mesh->triangles = malloc(triangles * sizeof *mesh->triangles + 1);
    if (mesh->vertices == NULL || mesh->triangles == NULL)
        return fail(error, "not enough memory for its %zu triangles", triangles);
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        append(scene->mMeshes[m], mesh);
    return true;
}

static bool read_obj(const char *text, size_t length, MeshFile *mesh, BillowError *error)
{
    size_t faces;
    char *cleaned = obj_text_clean(text, length, &faces, error);
    if (cleaned == NULL || faces == 0) { /* which assimp takes for no mesh at all */
        free(cleaned);
        return cleaned != NULL;
    }
    const struct aiScene *scene = import(cleaned);
    free(cleaned);
    if (scene == NULL) {
        const char *why = aiGetErrorString(); /* of an allocation that failed it knows nothing */
        return fail(error, "no mesh that assimp can read: %.200s",
                    why[0] != '\0' ? why : "not enough memory");
    }
    bool good = take(scene, mesh, error);
    aiReleaseImport(scene);
    return good;
}

static bool read_kind(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                      BillowError *error)
{
    if (paths_end_in(path, ".obj"))
        return read_obj(bytes, length, mesh, error);
    if (paths_end_in(path, ".stl"))
        return stl_file_read(bytes, length, mesh, error);
    return fail(error, "no kind of mesh that is read, which are .obj and .stl");
}

bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error)
{
    BillowError reason;
    *mesh = (MeshFile){0};
    bool good = read_kind(path, bytes, length, mesh, &reason);
    if (good && !join_vertices(mesh))
        good = fail(&reason, "not enough memory to join its vertices");
    if (good && mesh->triangle_count < 4)
        good = fail(&reason, "holds %d triangles; at least 4 are needed", mesh->triangle_count);
    if (good)
        return true;
    mesh_file_free(mesh);
    return fail(error, "%.250s: %.250s", path, reason.text);
}

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    size_t length;
    char *bytes = whole_file_read(path, MESH_FILE_BYTES_MAX, &length, error);
    bool good = bytes != NULL && mesh_file_read(path, bytes, length, mesh, error);
    free(bytes);
    return good;
}

#endif
