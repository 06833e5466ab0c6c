/* SPDX-License-Identifier: MIT
 *
 * The container of a glTF 2.0 file: its JSON, its buffers and its accessors. gltf_file.c makes
 * shapes and motion of them. Every number of the file is checked before it is used. Messages name
 * the element at fault, such as accessors[3]. */
#ifndef IO_GLTF_DATA_H
#define IO_GLTF_DATA_H

#include <billow/error.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The arrays at the top of the JSON. */
typedef enum GltfArray {
    GLTF_BUFFERS,
    GLTF_VIEWS,
    GLTF_ACCESSORS,
    GLTF_MESHES,
    GLTF_NODES,
    GLTF_SCENES,
    GLTF_ANIMATIONS,
    GLTF_ARRAYS
} GltfArray;

typedef struct GltfBuffer {
    unsigned char *bytes; /* NULL until it is used */
    size_t length;
    bool borrowed; /* of a .glb file: a part of the bytes that gltf_data_open was given */
} GltfBuffer;

typedef struct GltfData {
    const char *path;
    cJSON *root;
    const cJSON **items[GLTF_ARRAYS];
    int counts[GLTF_ARRAYS];
    GltfBuffer *buffers;
    size_t loaded; /* bytes of buffers that were read or decoded */
} GltfData;

/* Reads the JSON of a .gltf or .glb file in memory. bytes must stay until gltf_data_close. path:
 * files of buffers are found beside it. Buffers are read when an accessor needs them. */
bool gltf_data_open(GltfData *data, const char *path, char *bytes, size_t length,
                    BillowError *error);
void gltf_data_close(GltfData *data); /* after a failed gltf_data_open too */

const cJSON *gltf_member(const cJSON *object, const char *name); /* NULL: there is none */
/* The entries of a list, for access by number. Returns NULL if there is not enough memory. The
 * caller frees the result. */
const cJSON **gltf_items(const cJSON *list, int *count);

/* Reads a member that is an index into an array of `count` entries. *index is -1 if there is no
 * such member. of: name of the object in messages, such as "nodes[3]". */
bool gltf_index(const cJSON *object, const char *name, const char *of, int count, int *index,
                BillowError *error);

/* Reads a member that is an array of `count` finite numbers within 1e6. Leaves the values unchanged
 * if there is no such member. */
bool gltf_numbers(const cJSON *object, const char *name, const char *of, int count, double *values,
                  BillowError *error);

/* What an accessor holds: its number of elements, each of `parts` numbers. */
typedef struct GltfAccessor {
    const unsigned char *first;
    size_t stride, count;
    int parts, component; /* component: 5120 to 5126, as in the file */
    bool normalized;
} GltfAccessor;

/* Finds an accessor whose elements have so many parts: 1, 3 or 4. Its elements lie within their
 * buffer. */
bool gltf_accessor(GltfData *data, int index, int parts, GltfAccessor *accessor,
                   BillowError *error);
/* One number of an accessor as a real number; normalized integers become -1 to 1. */
float gltf_real(const GltfAccessor *accessor, size_t element, int part);
/* One index; UINT32_MAX if the accessor does not hold unsigned integers. */
uint32_t gltf_whole(const GltfAccessor *accessor, size_t element);

#endif
