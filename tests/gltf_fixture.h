/* SPDX-License-Identifier: MIT
 * A cube with edges of 2 m around its origin as a glTF file, and keys that move it. */
#ifndef TESTS_GLTF_FIXTURE_H
#define TESTS_GLTF_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The buffer. Keys are at 0.5, 1.5 and 2.5 s. */
typedef struct CubeData {
    float corners[8][3];
    uint16_t triangles[12][3];
    float times[3];
    float places[3][3]; /* 1 m/s along x, then 2 m/s along y */
    float turns[3][4];  /* around y by 0, 1 and 2 rad */
    float spline[9][3]; /* three cubic keys: in-tangent, value, out-tangent */
} CubeData;

#define CUBE_ACCESSOR(offset, component, count, type)                                              \
    "{'bufferView':0,'byteOffset':" offset ",'componentType':" component ",'count':" count         \
    ",'type':'" type "'}"

/* Texts with ' in place of ". cube_json closes it. */
#define CUBE_JSON                                                                                                              \
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"                                                           \
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}],"                                                   \
    "'buffers':[{'byteLength':372}],'bufferViews':[{'buffer':0,'byteLength':372}],"                                            \
    "'accessors':[" CUBE_ACCESSOR("0", "5126", "8", "VEC3") "," CUBE_ACCESSOR("96", "5123", "36", "SCALAR") "," CUBE_ACCESSOR( \
        "168", "5126", "3",                                                                                                    \
        "SCALAR") "," CUBE_ACCESSOR("180", "5126", "3",                                                                        \
                                    "VEC3") "," CUBE_ACCESSOR("216", "5126", "3",                                              \
                                                              "VEC4") "," CUBE_ACCESSOR("264",                                 \
                                                                                        "5126",                                \
                                                                                        "9",                                   \
                                                                                        "VEC3") "]"

#define CUBE_NODE                   ",'nodes':[{'mesh':0}]"
#define CUBE_CHANNEL(path, sampler) "{'sampler':" sampler ",'target':{'node':0,'path':'" path "'}}"
/* It moves and turns. */
#define CUBE_ROLLS                                                                                 \
    CUBE_JSON CUBE_NODE                                                                            \
        ",'animations':[{'channels':[" CUBE_CHANNEL("translation", "0") "," CUBE_CHANNEL(          \
            "rotation", "1") "],'samplers':[{'input':2,'output':3},{'input':2,'output':4}]}]}"

static inline CubeData cube_data(void)
{
    static const uint16_t triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                              {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                              {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    CubeData data = {.times = {0.5f, 1.5f, 2.5f},
                     .places = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}},
                     .turns = {{0, 0, 0, 1},
                               {0, 0.479425539f, 0, 0.877582562f},
                               {0, 0.841470985f, 0, 0.540302306f}},
                     .spline = {{0}, {1, 0, 0}, {0, 4, 0}, {0}, {3, 0, 0}, {0}, {0}, {3, 0, 0}}};
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++)
            data.corners[v][axis] = v >> axis & 1 ? 1 : -1;
    memcpy(data.triangles, triangles, sizeof triangles);
    return data;
}

/* A copy of a text in which " replaces ', and `to` replaces the first `from` if that is not NULL.
 */
static inline char *json_of(const char *text, const char *from, const char *to)
{
    const char *found = from != NULL ? strstr(text, from) : NULL;
    if (from != NULL && found == NULL)
        fail_msg("there is no %s in %s", from, text);
    char *json = malloc(strlen(text) + (to != NULL ? strlen(to) : 0) + 1);
    assert_non_null(json);
    if (found != NULL)
        sprintf(json, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
    else
        strcpy(json, text);
    for (char *at = json; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    return json;
}

static inline void put_word(char *at, uint32_t word)
{
    for (int byte = 0; byte < 4; byte++)
        at[byte] = (char)(word >> 8 * byte);
}

/* A .glb file of a JSON text and a buffer. The caller frees it. */
static inline char *glb_of(const char *json, const void *buffer, size_t bytes, size_t *length)
{
    size_t text = (strlen(json) + 3) / 4 * 4, part = (bytes + 3) / 4 * 4;
    *length = 12 + 8 + text + 8 + part;
    char *glb = calloc(1, *length + 1);
    assert_non_null(glb);
    memcpy(glb, "glTF", 4);
    put_word(glb + 4, 2);
    put_word(glb + 8, (uint32_t)*length);
    put_word(glb + 12, (uint32_t)text);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', text);
    memcpy(glb + 20, json, strlen(json));
    put_word(glb + 20 + text, (uint32_t)part);
    memcpy(glb + 24 + text, "BIN", 4);
    memcpy(glb + 28 + text, buffer, bytes);
    return glb;
}

/* Writes the cube as a .glb file. text: with ' in place of ". */
static inline void write_cube(const char *path, const char *text)
{
    const CubeData data = cube_data();
    size_t length;
    char *json = json_of(text, NULL, NULL), *glb = glb_of(json, &data, sizeof data, &length);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(glb, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
    free(json);
    free(glb);
}

#endif
