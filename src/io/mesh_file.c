/* SPDX-License-Identifier: MIT */
#include "io/mesh_file.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/number.h"
#include "base/words.h"
#include "io/gltf_file.h"
#include "io/paths.h"
#include "io/polygon.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Most triangles of a file, and most tests of corners while its faces are split: some 2 s. */
enum { TRIANGLES_MAX = 50000000 };
#define CORNER_TESTS_MAX ((size_t)1000000000)

void mesh_file_free(MeshFile *mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    *mesh = (MeshFile){0};
}

/* -- growing ----------------------------------------------------------------------------------- */

/* A mesh that is being read, and how many elements its lists have room for. */
typedef struct Growing {
    MeshFile *mesh;
    size_t vertex_room, triangle_room;
} Growing;

static bool add_vertex(Growing *growing, const float at[3], BillowError *error)
{
    MeshFile *mesh = growing->mesh;
    void *longer = grow(mesh->vertices, &growing->vertex_room, (size_t)mesh->vertex_count + 1,
                        sizeof *mesh->vertices);
    if (longer == NULL)
        return fail(error, "not enough memory for its vertices");
    mesh->vertices = longer;
    memcpy(mesh->vertices[mesh->vertex_count++], at, sizeof *mesh->vertices);
    return true;
}

/* Adds triangles, whose corners the caller sets. */
static bool add_triangles(Growing *growing, int count, BillowError *error)
{
    MeshFile *mesh = growing->mesh;
    size_t all = (size_t)mesh->triangle_count + (size_t)count;
    if (all > TRIANGLES_MAX)
        return fail(error, "holds more than %d triangles", TRIANGLES_MAX);
    void *longer = grow(mesh->triangles, &growing->triangle_room, all, sizeof *mesh->triangles);
    if (longer == NULL)
        return fail(error, "not enough memory for its triangles");
    mesh->triangles = longer;
    mesh->triangle_count = (int)all;
    return true;
}

static bool in_range(const float vertex[3])
{
    return fabsf(vertex[0]) <= (float)MESH_COORDINATE_MAX &&
           fabsf(vertex[1]) <= (float)MESH_COORDINATE_MAX &&
           fabsf(vertex[2]) <= (float)MESH_COORDINATE_MAX;
}

/* -- text -------------------------------------------------------------------------------------- */

typedef struct Text {
    const char *at, *end;
    size_t line; /* from 1 */
} Text;

/* Begins to read a text, behind a byte order mark of UTF-8. */
static bool text_begin(Text *text, const char *bytes, size_t length, BillowError *error)
{
    bool mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0;
    bool wide =
        (length >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0)) ||
        (length >= 4 && memcmp(bytes, "\0\0\xfe\xff", 4) == 0);
    *text = (Text){bytes + (mark ? 3 : 0), bytes + length, 1};
    if (wide)
        return fail(error, "is text in UTF-16 or UTF-32; save it as UTF-8");
    return memchr(bytes, '\0', length) == NULL ||
           fail(error, "has bytes that are 0, so it is no text, or not in UTF-8");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Length of a line end at a place of the text: "\n", "\r\n" or "\r"; 0 if there is none. */
static int line_end(const Text *text, const char *at)
{
    if (at < text->end && *at == '\n')
        return 1;
    if (at < text->end && *at == '\r')
        return at + 1 < text->end && at[1] == '\n' ? 2 : 1;
    return 0;
}

/* Length of a backslash and the line end behind it, which continue a line; 0 if there is none. */
static int continuation(const Text *text, const char *at)
{
    int length = at < text->end && *at == '\\' ? line_end(text, at + 1) : 0;
    return length > 0 ? length + 1 : 0;
}

/* Finds the next word of the line. Its length is 0 at the end of the line, or at a comment. */
static size_t next_word(Text *text, const char **word)
{
    for (int length; text->at < text->end;) {
        if (is_blank(*text->at)) {
            text->at++;
        } else if ((length = continuation(text, text->at)) > 0) {
            text->at += length;
            text->line++;
        } else {
            break;
        }
    }
    *word = text->at;
    while (text->at < text->end && !is_blank(*text->at) && *text->at != '\n' && *text->at != '\r' &&
           *text->at != '#' && continuation(text, text->at) == 0)
        text->at++;
    return (size_t)(text->at - *word);
}

/* Whether a word is one in lower case, whatever its own case is. */
static bool is_word(const char *word, size_t length, const char *lower)
{
    for (size_t n = 0; n < length; n++)
        if (ascii_lower(word[n]) != lower[n])
            return false;
    return lower[length] == '\0';
}

static bool read_number(const char *word, size_t length, double *value)
{
    char number[64];
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, word, length);
    number[length] = '\0';
    return number_read_decimal(number, value);
}

/* -- OBJ --------------------------------------------------------------------------------------- */

typedef struct ObjReader {
    Text text;
    Growing growing;
    long long vertices; /* before the line that is read */
    Polygon *polygon;
    BillowError *error;
} ObjReader;

static bool refuse(const ObjReader *reader, const char *what)
{
    return fail(reader->error, "line %zu: %s", reader->text.line, what);
}

static bool take_vertex(ObjReader *reader)
{
    float at[3];
    for (int axis = 0; axis < 3; axis++) {
        const char *word;
        double value;
        size_t length = next_word(&reader->text, &word);
        if (!read_number(word, length, &value))
            return refuse(reader, "a vertex needs three numbers");
        if (!(value >= -MESH_COORDINATE_MAX && value <= MESH_COORDINATE_MAX))
            return refuse(reader, "a vertex's coordinates must lie within 1e6");
        at[axis] = (float)value;
    }
    return add_vertex(&reader->growing, at, reader->error);
}

/* Reads a corner of a face, such as "7", "7/1", "7//3" or "-1": the number of its vertex. */
static bool take_corner(const ObjReader *reader, const char *word, size_t length, int *vertex)
{
    const long long all = reader->growing.mesh->vertex_count;
    size_t sign = word[0] == '-' || word[0] == '+', digits = sign;
    long long index = 0;
    for (; digits < length && word[digits] >= '0' && word[digits] <= '9'; digits++)
        index = index < 100000000000000000 ? 10 * index + (word[digits] - '0') : index;
    if (digits == sign || (digits < length && word[digits] != '/'))
        return refuse(reader, "a face's corners must be numbers of vertices");
    if (word[0] == '-' && (index < 1 || index > reader->vertices))
        return fail(reader->error, "line %zu: a face has the vertex %lld, and %lld stand before it",
                    reader->text.line, -index, reader->vertices);
    if (word[0] != '-' && (index < 1 || index > all))
        return fail(reader->error, "line %zu: a face has the vertex %lld, and there are %lld",
                    reader->text.line, index, all);
    *vertex = (int)(word[0] == '-' ? reader->vertices - index : index - 1);
    return true;
}

static bool take_face(ObjReader *reader)
{
    int corners[POLYGON_CORNERS_MAX], count = 0;
    const char *word;
    MeshFile *mesh = reader->growing.mesh;
    for (size_t length; (length = next_word(&reader->text, &word)) > 0; count++) {
        if (count == POLYGON_CORNERS_MAX)
            return fail(reader->error, "line %zu: a face has more than %d corners",
                        reader->text.line, POLYGON_CORNERS_MAX);
        if (!take_corner(reader, word, length, &corners[count]))
            return false;
    }
    if (count < 3)
        return refuse(reader, "a face needs three corners or more");
    if (!add_triangles(&reader->growing, count - 2, reader->error))
        return false;
    polygon_split(reader->polygon, (const float(*)[3])mesh->vertices, corners, count,
                  mesh->triangles + mesh->triangle_count - (count - 2));
    return reader->polygon->tests <= CORNER_TESTS_MAX ||
           refuse(reader, "its faces have too many inward corners; divide them into triangles");
}

/* Reads the vertices of all lines, or the faces. Other lines are skipped. */
static bool take_lines(ObjReader *reader, bool faces)
{
    Text *text = &reader->text;
    reader->vertices = 0;
    while (text->at < text->end) {
        const char *word;
        size_t length = next_word(text, &word);
        if (is_word(word, length, "v")) {
            reader->vertices++;
            if (!faces && !take_vertex(reader))
                return false;
        } else if (faces && is_word(word, length, "f") && !take_face(reader)) {
            return false;
        }
        while (text->at < text->end && line_end(text, text->at) == 0)
            text->at++;
        text->at += line_end(text, text->at);
        text->line++;
    }
    return true;
}

static bool read_obj(const char *bytes, size_t length, MeshFile *mesh, BillowError *error)
{
    ObjReader reader = {.growing.mesh = mesh, .error = error};
    if (!text_begin(&reader.text, bytes, length, error))
        return false;
    const Text begin = reader.text;
    reader.polygon = calloc(1, sizeof *reader.polygon);
    bool good = reader.polygon != NULL || fail(error, "not enough memory to read it");
    good = good && take_lines(&reader, false);
    reader.text = begin; /* a face may name vertices that come later */
    good = good && take_lines(&reader, true);
    free(reader.polygon);
    return good;
}

/* -- STL --------------------------------------------------------------------------------------- */

/* A binary STL file has a head of 80 arbitrary bytes and the number of triangles, then a record for
 * each triangle: normal, three vertices, two bytes. All numbers are little-endian. The head may
 * begin as a text does, and bytes may follow the last record. But a text has no bytes that are 0,
 * and the last byte of a number of triangles that a file of at most 256 MB can hold is 0. */
enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

/* Adds the triangle of the last three vertices. */
static bool close_triangle(Growing *growing, BillowError *error)
{
    MeshFile *mesh = growing->mesh;
    if (!add_triangles(growing, 1, error))
        return false;
    for (int corner = 0; corner < 3; corner++)
        mesh->triangles[mesh->triangle_count - 1][corner] = mesh->vertex_count - 3 + corner;
    return true;
}

static bool read_binary(const char *bytes, size_t length, MeshFile *mesh, BillowError *error)
{
    Growing growing = {.mesh = mesh};
    const unsigned char *head = (const unsigned char *)bytes;
    uint32_t triangles = get32(head + HEAD - 4);
    if (triangles > (length - HEAD) / RECORD)
        return fail(error, "is incomplete: it names %u triangles and holds %zu",
                    (unsigned)triangles, (length - HEAD) / RECORD);
    for (uint32_t t = 0; t < triangles; t++) {
        const unsigned char *corners = head + HEAD + (size_t)RECORD * t + NORMAL;
        for (int corner = 0; corner < 3; corner++) {
            float vertex[3];
            for (int axis = 0; axis < 3; axis++)
                vertex[axis] = get_float(corners + 12 * corner + 4 * axis);
            if (!in_range(vertex))
                return fail(error, "triangle %u has a coordinate that is not within 1e6",
                            (unsigned)t + 1);
            if (!add_vertex(&growing, vertex, error))
                return false;
        }
        if (!close_triangle(&growing, error))
            return false;
    }
    return true;
}

/* Finds the next word of a text in which line ends are blanks. */
static size_t next_token(Text *text, const char **word)
{
    while (text->at < text->end && (is_blank(*text->at) || line_end(text, text->at) > 0))
        text->at++;
    *word = text->at;
    while (text->at < text->end && !is_blank(*text->at) && line_end(text, text->at) == 0)
        text->at++;
    return (size_t)(text->at - *word);
}

/* Reads the triangles of a text. Only its vertices count. */
static bool read_text(const char *bytes, size_t length, MeshFile *mesh, BillowError *error)
{
    Growing growing = {.mesh = mesh};
    Text text;
    const char *word;
    if (!text_begin(&text, bytes, length, error))
        return false;
    for (size_t letters; (letters = next_token(&text, &word)) > 0;) {
        float vertex[3] = {0};
        bool good = true;
        if (is_word(word, letters, "solid") || is_word(word, letters, "endsolid"))
            do /* its name has any number of words, up to the end of the line or to a facet */
                letters = next_word(&text, &word);
            while (letters > 0 && !is_word(word, letters, "facet"));
        if (!is_word(word, letters, "vertex"))
            continue;
        for (int axis = 0; axis < 3 && good; axis++) {
            double value;
            letters = next_token(&text, &word);
            good = read_number(word, letters, &value);
            vertex[axis] = good ? (float)value : 0;
        }
        if (!good || !in_range(vertex))
            return fail(error, "vertex %d is no three numbers within 1e6", mesh->vertex_count + 1);
        if (!add_vertex(&growing, vertex, error) ||
            (mesh->vertex_count % 3 == 0 && !close_triangle(&growing, error)))
            return false;
    }
    return mesh->vertex_count % 3 == 0 ||
           fail(error, "is incomplete: its last triangle has %d of three vertices",
                mesh->vertex_count % 3);
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

/* Removes the vertices at positions where no triangle has a corner, which would count in the mesh's
 * size. joined: for each vertex the first one at its position. places: working memory. */
static void drop_unused(MeshFile *mesh, const int *joined, Sorted *places)
{
    int kept = 0;
    for (int v = 0; v < mesh->vertex_count; v++)
        places[v].index = 0;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            places[mesh->triangles[t][c]].index = 1;
    for (int v = 0; v < mesh->vertex_count; v++)
        if (places[joined[v]].index > 0) {
            memmove(mesh->vertices[kept], mesh->vertices[v], sizeof *mesh->vertices);
            places[v].index = ++kept;
        }
    mesh->vertex_count = kept;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            mesh->triangles[t][c] = places[mesh->triangles[t][c]].index - 1;
}

/* Joins vertices that have equal positions, in all parts of the mesh. Removes triangles of which
 * two corners become the same vertex, and vertices without triangles. */
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
    if (good)
        drop_unused(mesh, joined, sorted);
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

bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error)
{
    BillowError reason;
    *mesh = (MeshFile){0};
    bool binary = length >= HEAD && bytes[HEAD - 1] == '\0';
    bool good = paths_end_in(path, ".obj") ? read_obj(bytes, length, mesh, &reason)
                : paths_end_in(path, ".stl")
                    ? (binary ? read_binary : read_text)(bytes, length, mesh, &reason)
                    : fail(&reason, "only .obj, .stl, .gltf and .glb meshes can be read");
    if (good && mesh_file_finish(mesh, &reason))
        return true;
    mesh_file_free(mesh);
    return fail(error, "%.250s: %.250s", path, reason.text);
}

bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error)
{
    *mesh = (MeshFile){0};
    if (gltf_file_is(path)) {
        BillowError reason;
        GltfFile *file = gltf_file_open(path, error);
        bool good = file != NULL && (gltf_file_mesh(file, 0, mesh, &reason) ||
                                     fail(error, "%.250s: %.250s", path, reason.text));
        gltf_file_close(file);
        return good;
    }
    size_t length;
    char *bytes = whole_file_read(path, MESH_FILE_BYTES_MAX, &length, error);
    bool good = bytes != NULL && mesh_file_read(path, bytes, length, mesh, error);
    free(bytes);
    return good;
}
