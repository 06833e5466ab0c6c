/* SPDX-License-Identifier: MIT */
#include "mesh_file.h"

#include "fail.h"
#include "gltf_file.h"
#include "number.h"
#include "paths.h"
#include "words.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mesh_file_free(MeshFile *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (MeshFile){0};
}

/* -- OBJ text ---------------------------------------------------------------------------------- */

typedef struct Cleaner {
    const char *at, *end;
    size_t line, vertices, faces;
    long largest;        /* largest vertex number in a face */
    size_t largest_line; /* line of that face */
    char *out;
    size_t used, room;
    BillowError *error;
} Cleaner;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Skips blanks, and line ends that follow a backslash. */
static void skip_blanks(Cleaner *cleaner)
{
    for (;;) {
        const char *at = cleaner->at;
        if (at < cleaner->end && is_blank(*at)) {
            cleaner->at++;
        } else if (at + 1 < cleaner->end && at[0] == '\\' &&
                   (at[1] == '\n' || (at[1] == '\r' && at + 2 < cleaner->end && at[2] == '\n'))) {
            cleaner->at += at[1] == '\n' ? 2 : 3;
            cleaner->line++;
        } else {
            return;
        }
    }
}

/* Finds the next word of the line. Its length is 0 at the end of the line. */
static size_t next_word(Cleaner *cleaner, const char **word)
{
    skip_blanks(cleaner);
    *word = cleaner->at;
    while (cleaner->at < cleaner->end && !is_blank(*cleaner->at) && *cleaner->at != '\n' &&
           *cleaner->at != '\0' && *cleaner->at != '#')
        cleaner->at++;
    return (size_t)(cleaner->at - *word);
}

static void skip_line(Cleaner *cleaner)
{
    const char *end = memchr(cleaner->at, '\n', (size_t)(cleaner->end - cleaner->at));
    cleaner->at = end != NULL ? end + 1 : cleaner->end;
    cleaner->line++;
}

static bool refuse(Cleaner *cleaner, const char *what)
{
    return fail(cleaner->error, "line %zu: %s", cleaner->line, what);
}

static bool put_text(Cleaner *cleaner, const char *text, size_t length)
{
    if (cleaner->used + length + 1 > cleaner->room) {
        size_t room = 2 * cleaner->room + length + 4096;
        char *out = realloc(cleaner->out, room);
        if (out == NULL)
            return fail(cleaner->error, "not enough memory to read it");
        cleaner->out = out;
        cleaner->room = room;
    }
    memcpy(cleaner->out + cleaner->used, text, length);
    cleaner->used += length;
    cleaner->out[cleaner->used] = '\0';
    return true;
}

/* Copies a word and adds a terminating 0. Returns false if the word is too long for a number. */
static bool copy_word(const char *word, size_t length, char copy[64])
{
    if (length == 0 || length >= 64)
        return false;
    memcpy(copy, word, length);
    copy[length] = '\0';
    return true;
}

static bool clean_vertex(Cleaner *cleaner)
{
    char line[160] = "v";
    size_t used = 1;
    for (int axis = 0; axis < 3; axis++) {
        const char *word;
        char number[64];
        size_t length = next_word(cleaner, &word);
        double value;
        if (!copy_word(word, length, number) || !number_read_decimal(number, &value))
            return refuse(cleaner, "a vertex needs three numbers");
        if (!(value >= -MESH_COORDINATE_MAX && value <= MESH_COORDINATE_MAX))
            return refuse(cleaner, "a vertex's coordinates must lie within 1e6");
        used += (size_t)number_print(line + used, sizeof line - used, " %.9g", value);
    }
    line[used++] = '\n';
    cleaner->vertices++;
    return put_text(cleaner, line, used);
}

/* Reads a corner of a face, such as "7", "7/1", "7//3" or "-1", and writes only its vertex number.
 */
static bool clean_corner(Cleaner *cleaner, const char *word, size_t length)
{
    char number[64], line[32], *end;
    if (!copy_word(word, length, number))
        return refuse(cleaner, "a face's corners must be numbers of vertices");
    number[strcspn(number, "/")] = '\0';
    long index = strtol(number, &end, 10);
    if (end == number || *end != '\0')
        return refuse(cleaner, "a face's corners must be numbers of vertices");
    long count = (long)cleaner->vertices;
    long from_one = index < 0 ? (index >= -count ? count + 1 + index : 0) : index;
    if (from_one < 1)
        return fail(cleaner->error, "line %zu: a face has the vertex %ld, and %ld stand before it",
                    cleaner->line, index, count);
    if (from_one > cleaner->largest) {
        cleaner->largest = from_one;
        cleaner->largest_line = cleaner->line;
    }
    return put_text(cleaner, line, (size_t)snprintf(line, sizeof line, " %ld", from_one));
}

static bool clean_face(Cleaner *cleaner)
{
    if (!put_text(cleaner, "f", 1))
        return false;
    int corners = 0;
    const char *word;
    for (size_t length; (length = next_word(cleaner, &word)) > 0; corners++) {
        if (corners == OBJ_CORNERS_MAX)
            return fail(cleaner->error, "line %zu: a face has more than %d corners", cleaner->line,
                        OBJ_CORNERS_MAX);
        if (!clean_corner(cleaner, word, length))
            return false;
    }
    if (corners < 3)
        return refuse(cleaner, "a face needs three corners or more");
    cleaner->faces++;
    return put_text(cleaner, "\n", 1);
}

static bool clean_line(Cleaner *cleaner)
{
    const char *word;
    size_t length = next_word(cleaner, &word);
    bool good = true;
    if (length == 1 && word[0] == 'v')
        good = clean_vertex(cleaner);
    else if (length == 1 && word[0] == 'f')
        good = clean_face(cleaner);
    skip_line(cleaner);
    return good;
}

char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error)
{
    Cleaner cleaner = {.at = text, .end = text + length, .line = 1, .error = error};
    bool good = put_text(&cleaner, "", 0);
    while (good && cleaner.at < cleaner.end)
        good = clean_line(&cleaner);
    if (good && cleaner.largest > (long)cleaner.vertices)
        good = fail(error, "line %zu: a face has the vertex %ld, and there are %zu",
                    cleaner.largest_line, cleaner.largest, cleaner.vertices);
    if (!good) {
        free(cleaner.out);
        return NULL;
    }
    *faces = cleaner.faces;
    return cleaner.out;
}

/* -- meshes ------------------------------------------------------------------------------------ */

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

/* Joins vertices that have equal positions, in all parts of the mesh. Removes triangles of which
 * two corners become the same vertex. */
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

bool mesh_file_finish(MeshFile *mesh, BillowError *error)
{
    if (!join_vertices(mesh))
        return fail(error, "not enough memory to join its vertices");
    return mesh->triangle_count >= 4 ||
           fail(error, "holds %d triangles; at least 4 are needed", mesh->triangle_count);
}

/* Loads a glTF file as it is at its first key. */
static bool load_gltf(const char *path, MeshFile *mesh, BillowError *error)
{
    BillowError reason;
    GltfFile *file = gltf_file_open(path, error);
    if (file == NULL)
        return false;
    bool good = gltf_file_mesh(file, 0, mesh, &reason);
    gltf_file_close(file);
    return good || fail(error, "%.250s: %.250s", path, reason.text);
}

#ifndef BILLOW_ASSIMP

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    BillowError reason;
    if (gltf_file_is(path))
        return load_gltf(path, mesh, error);
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

/* -- STL --------------------------------------------------------------------------------------- */

/* A binary STL file has a head of 80 arbitrary bytes and the number of triangles, then a record for
 * each triangle: normal, three vertices, two bytes. All numbers are little-endian. */
enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

static uint32_t count_of(const char *bytes)
{
    return get32((const unsigned char *)bytes + HEAD - 4);
}

static bool is_binary(const char *bytes, size_t length)
{
    return length >= HEAD && (length - HEAD) / RECORD >= count_of(bytes) &&
           (memcmp(bytes, "solid", 5) != 0 || length == HEAD + (size_t)RECORD * count_of(bytes));
}

/* Allocates triangles whose corners are the vertices 0, 1, 2, 3, ... */
static bool reserve(size_t triangles, MeshFile *mesh, BillowError *error)
{
    mesh->vertices = malloc(3 * triangles * sizeof *mesh->vertices + 1);
    mesh->triangles = malloc(triangles * sizeof *mesh->triangles + 1);
    if (mesh->vertices == NULL || mesh->triangles == NULL)
        return fail(error, "not enough memory for its %zu triangles", triangles);
    for (size_t t = 0; t < triangles; t++)
        for (int corner = 0; corner < 3; corner++)
            mesh->triangles[t][corner] = (int)(3 * t) + corner;
    return true;
}

static bool in_range(const float vertex[3])
{
    return fabsf(vertex[0]) <= (float)MESH_COORDINATE_MAX &&
           fabsf(vertex[1]) <= (float)MESH_COORDINATE_MAX &&
           fabsf(vertex[2]) <= (float)MESH_COORDINATE_MAX;
}

static bool read_binary(const char *bytes, MeshFile *mesh, BillowError *error)
{
    uint32_t triangles = count_of(bytes);
    if (!reserve(triangles, mesh, error))
        return false;
    for (uint32_t t = 0; t < triangles; t++) {
        const unsigned char *corners =
            (const unsigned char *)bytes + HEAD + (size_t)RECORD * t + NORMAL;
        for (int corner = 0; corner < 3; corner++) {
            float *vertex = mesh->vertices[mesh->vertex_count++];
            for (int axis = 0; axis < 3; axis++)
                vertex[axis] = get_float(corners + 12 * corner + 4 * axis);
            if (!in_range(vertex))
                return fail(error, "triangle %u has a coordinate that is not within 1e6",
                            (unsigned)t + 1);
        }
        mesh->triangle_count++;
    }
    return true;
}

/* Reads a number, which may follow blanks. Returns the position after the number, or NULL if there
 * is no finite number. */
static const char *next_number(const char *at, float *value)
{
    char *end;
    at += strspn(at, " \t\r\n");
    if (at[strspn(at, "+-.")] < '0' || at[strspn(at, "+-.")] > '9')
        return NULL; /* for example "nan" and "inf" */
    *value = strtof(at, &end);
    return end > at ? end : NULL;
}

static size_t count_words(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static bool read_text(const char *bytes, MeshFile *mesh, BillowError *error)
{
    const char *const word = "vertex ";
    size_t vertices = count_words(bytes, word);
    if (!reserve(vertices / 3, mesh, error))
        return false;
    const char *at = strstr(bytes, word);
    for (size_t v = 0; v < 3 * (vertices / 3); v++) {
        float vertex[3] = {0};
        const char *number = at + strlen(word);
        for (int axis = 0; axis < 3 && number != NULL; axis++)
            number = next_number(number, &vertex[axis]);
        if (number == NULL || !in_range(vertex))
            return fail(error, "vertex %zu is no three numbers within 1e6", v + 1);
        memcpy(mesh->vertices[mesh->vertex_count++], vertex, sizeof vertex);
        at = strstr(at + 1, word);
    }
    mesh->triangle_count = (int)(vertices / 3);
    return true;
}

/* Reads the triangles of a text or binary STL file. Each triangle gets three vertices of its own.
 */
static bool read_stl(const char *bytes, size_t length, MeshFile *mesh, BillowError *error)
{
    return is_binary(bytes, length) ? read_binary(bytes, mesh, error)
                                    : read_text(bytes, mesh, error);
}

/* -- OBJ through assimp ------------------------------------------------------------------------ */

/* Imports an OBJ text through assimp. The text is in memory, so that assimp opens no other file.
 * Only positions are read, because vertices that differ in other attributes would not be joined. */
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

static bool copy_scene(const struct aiScene *scene, MeshFile *mesh, BillowError *error)
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
    if (cleaned == NULL || faces == 0) { /* assimp refuses a file without faces */
        free(cleaned);
        return cleaned != NULL;
    }
    const struct aiScene *scene = import(cleaned);
    free(cleaned);
    if (scene == NULL) {
        const char *why = aiGetErrorString(); /* the text is empty if an allocation failed */
        return fail(error, "no mesh that assimp can read: %.200s",
                    why[0] != '\0' ? why : "not enough memory");
    }
    bool good = copy_scene(scene, mesh, error);
    aiReleaseImport(scene);
    return good;
}

static bool read_kind(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                      BillowError *error)
{
    if (paths_end_in(path, ".obj"))
        return read_obj(bytes, length, mesh, error);
    if (paths_end_in(path, ".stl"))
        return read_stl(bytes, length, mesh, error);
    return fail(error, "only .obj, .stl, .gltf and .glb meshes can be read");
}

bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error)
{
    BillowError reason;
    *mesh = (MeshFile){0};
    bool good = read_kind(path, bytes, length, mesh, &reason);
    if (good && mesh_file_finish(mesh, &reason))
        return true;
    mesh_file_free(mesh);
    return fail(error, "%.250s: %.250s", path, reason.text);
}

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    size_t length;
    if (gltf_file_is(path))
        return load_gltf(path, mesh, error);
    char *bytes = whole_file_read(path, MESH_FILE_BYTES_MAX, &length, error);
    bool good = bytes != NULL && mesh_file_read(path, bytes, length, mesh, error);
    free(bytes);
    return good;
}

#endif
