/* SPDX-License-Identifier: MIT */
#include "stl_file.h"

#include "fail.h"
#include "words.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Binary: 80 bytes of anything, the number of triangles, and of each its normal, three vertices and
 * two bytes; all little-endian. */
enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

#define COORDINATE_MAX 1e6f

static uint32_t count_of(const char *bytes)
{
    return get32((const unsigned char *)bytes + HEAD - 4);
}

static bool is_binary(const char *bytes, size_t length)
{
    return length >= HEAD && (length - HEAD) / RECORD >= count_of(bytes) &&
           (memcmp(bytes, "solid", 5) != 0 || length == HEAD + (size_t)RECORD * count_of(bytes));
}

/* Memory for so many triangles, with their corners one after the other. */
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
    return fabsf(vertex[0]) <= COORDINATE_MAX && fabsf(vertex[1]) <= COORDINATE_MAX &&
           fabsf(vertex[2]) <= COORDINATE_MAX;
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

/* The number behind blanks; NULL where there is none, else what follows it. */
static const char *next_number(const char *at, float *value)
{
    char *end;
    at += strspn(at, " \t\r\n");
    if (at[strspn(at, "+-.")] < '0' || at[strspn(at, "+-.")] > '9')
        return NULL; /* "nan" and "inf" among others */
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

bool stl_file_read(const char *bytes, size_t length, MeshFile *mesh, BillowError *error)
{
    return is_binary(bytes, length) ? read_binary(bytes, mesh, error)
                                    : read_text(bytes, mesh, error);
}
