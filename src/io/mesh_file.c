/* SPDX-License-Identifier: MIT */
#include "mesh_file.h"

#include "fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mesh_file_free(MeshFile *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (MeshFile){0};
}

static bool check_readable(const char *path, BillowError *error)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return fail(error, "%.300s: cannot be opened: %s", path, strerror(errno));
    fclose(stream);
    return true;
}

#ifndef BILLOW_ASSIMP

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    return check_readable(path, error) &&
           fail(error,
                "%.300s: this build of Billow reads no meshes; install assimp "
                "(libassimp-dev) and build it again",
                path);
}

#else

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

/* Only places count: whatever else a vertex has would keep those at one place apart. */
static const struct aiScene *import(const char *path)
{
    struct aiPropertyStore *store = aiCreatePropertyStore();
    aiSetImportPropertyInteger(store, "PP_RVC_FLAGS",
                               aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                   aiComponent_COLORS | aiComponent_TEXCOORDS |
                                   aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                   aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS |
                                   aiComponent_MATERIALS);
    const struct aiScene *scene = aiImportFileExWithProperties(
        path,
        aiProcess_Triangulate | aiProcess_RemoveComponent | aiProcess_PreTransformVertices |
            aiProcess_JoinIdenticalVertices,
        NULL, store);
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
    Sorted *sorted = malloc(count * sizeof *sorted);
    int *joined = malloc(count * sizeof *joined);
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

static bool take(const char *path, const struct aiScene *scene, MeshFile *mesh, BillowError *error)
{
    size_t vertices = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        vertices += scene->mMeshes[m]->mNumVertices;
        triangles += (size_t)count_triangles(scene->mMeshes[m]);
    }
    const size_t most = 50000000;
    if (triangles == 0 || triangles > most || vertices > most)
        return fail(error, "%.300s: holds %zu triangles; at least 4 and at most %zu are possible",
                    path, triangles, most);
    mesh->vertices = malloc(vertices * sizeof *mesh->vertices);
    mesh->triangles = malloc(triangles * sizeof *mesh->triangles);
    if (mesh->vertices == NULL || mesh->triangles == NULL)
        return fail(error, "%.300s: not enough memory for its %zu triangles", path, triangles);
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        append(scene->mMeshes[m], mesh);
    return join_vertices(mesh) ||
           fail(error, "%.300s: not enough memory to join its vertices", path);
}

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    if (!check_readable(path, error))
        return false;
    const struct aiScene *scene = import(path);
    if (scene == NULL)
        return fail(error, "%.200s: no mesh that assimp can read: %.200s", path,
                    aiGetErrorString());
    bool good = take(path, scene, mesh, error);
    aiReleaseImport(scene);
    if (!good)
        mesh_file_free(mesh);
    return good;
}

#endif
