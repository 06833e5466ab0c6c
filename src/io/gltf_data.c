/* SPDX-License-Identifier: MIT */
#include "io/gltf_data.h"

#include "base/fail.h"
#include "base/words.h"
#include "io/mesh_file.h"
#include "io/paths.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Component types of glTF 2.0. */
enum { INT8 = 5120, UINT8, INT16, UINT16, UINT32 = 5125, REAL32 };

enum { GLB_HEAD = 12, GLB_CHUNK_HEAD = 8, JSON_VALUES_MAX = 4000000 };
#define GLB_MAGIC 0x46546c67u /* "glTF" */
#define GLB_JSON  0x4e4f534au /* "JSON" */
#define GLB_BIN   0x004e4942u /* "BIN" */

/* -- JSON -------------------------------------------------------------------------------------- */

const cJSON *gltf_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

bool gltf_index(const cJSON *object, const char *name, const char *of, int count, int *index,
                BillowError *error)
{
    const cJSON *item = gltf_member(object, name);
    *index = -1;
    if (item == NULL)
        return true;
    double value = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(value >= 0 && value < count && value == floor(value)))
        return fail(error, "%s.%s must be the number of an entry, and there are %d", of, name,
                    count);
    *index = (int)value;
    return true;
}

bool gltf_numbers(const cJSON *object, const char *name, const char *of, int count, double *values,
                  BillowError *error)
{
    const cJSON *list = gltf_member(object, name);
    if (list == NULL)
        return true;
    bool good = cJSON_IsArray(list) && cJSON_GetArraySize(list) == count;
    const cJSON *item = good ? list->child : NULL;
    for (int n = 0; good && n < count; n++, item = item->next) {
        good = cJSON_IsNumber(item) && fabs(item->valuedouble) <= MESH_COORDINATE_MAX;
        values[n] = item->valuedouble;
    }
    return good || fail(error, "%s.%s must be %d numbers within 1e6", of, name, count);
}

/* Reads a whole number of at most 32 bits. */
static bool whole(const cJSON *object, const char *name, const char *of, uint64_t least,
                  uint64_t usual, uint64_t *value, BillowError *error)
{
    const cJSON *item = gltf_member(object, name);
    *value = usual;
    if (item == NULL && usual >= least)
        return true;
    double found = cJSON_IsNumber(item) ? item->valuedouble : -1;
    if (!(found >= (double)least && found <= (double)UINT32_MAX && found == floor(found)))
        return fail(error, "%s.%s must be a whole number from %u on", of, name, (unsigned)least);
    *value = (uint64_t)found;
    return true;
}

const cJSON **gltf_items(const cJSON *list, int *count)
{
    const cJSON **items = malloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *items), *item;
    *count = 0;
    if (items == NULL)
        return NULL;
    cJSON_ArrayForEach(item, list) items[(*count)++] = item;
    return items;
}

static bool index_array(GltfData *data, GltfArray array, BillowError *error)
{
    static const char *const names[GLTF_ARRAYS] = {"buffers", "bufferViews", "accessors", "meshes",
                                                   "nodes",   "scenes",      "animations"};
    const cJSON *list = gltf_member(data->root, names[array]);
    if (list == NULL)
        return true;
    if (!cJSON_IsArray(list))
        return fail(error, "%s must be a list", names[array]);
    data->items[array] = gltf_items(list, &data->counts[array]);
    if (data->items[array] == NULL)
        return fail(error, "not enough memory to read it");
    for (int n = 0; n < data->counts[array]; n++)
        if (!cJSON_IsObject(data->items[array][n]))
            return fail(error, "%s[%d] must be an object", names[array], n);
    return true;
}

/* Extensions that a file may require: those of materials, and positions as integers. */
static bool check_extensions(const cJSON *root, BillowError *error)
{
    static const char *const harmless[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_",
                                           "EXT_texture_", "KHR_mesh_quantization"};
    const cJSON *list = gltf_member(root, "extensionsRequired"), *item;
    cJSON_ArrayForEach(item, list)
    {
        const char *name = cJSON_IsString(item) ? item->valuestring : "";
        bool known = false;
        for (size_t h = 0; h < sizeof harmless / sizeof harmless[0]; h++)
            known = known || strncmp(name, harmless[h], strlen(harmless[h])) == 0;
        if (!known)
            return fail(error, "it requires the extension '%.60s', which is not read", name);
    }
    return true;
}

static bool parse(GltfData *data, const char *text, size_t length, BillowError *error)
{
    size_t values = 0; /* cJSON takes some 80 bytes for each, and one may be two bytes of text */
    for (size_t at = 0; at < length; at++)
        values += text[at] == ',' || text[at] == '[' || text[at] == '{';
    if (values > JSON_VALUES_MAX)
        return fail(error, "its JSON holds more than %d values", JSON_VALUES_MAX);
    data->root = cJSON_ParseWithLength(text, length);
    if (!cJSON_IsObject(data->root))
        return fail(error, "its JSON cannot be read");
    const cJSON *version = gltf_member(gltf_member(data->root, "asset"), "version");
    if (!cJSON_IsString(version) || strncmp(version->valuestring, "2.", 2) != 0)
        return fail(error, "asset.version must be 2.0; other versions of glTF are not read");
    if (!check_extensions(data->root, error))
        return false;
    for (int array = 0; array < GLTF_ARRAYS; array++)
        if (!index_array(data, (GltfArray)array, error))
            return false;
    data->buffers = calloc((size_t)data->counts[GLTF_BUFFERS] + 1, sizeof *data->buffers);
    return data->buffers != NULL || fail(error, "not enough memory to read it");
}

/* -- .glb -------------------------------------------------------------------------------------- */

/* Finds the next chunk. `at` moves past it. */
static bool next_chunk(unsigned char *bytes, size_t length, size_t *at, uint32_t *kind,
                       GltfBuffer *chunk, BillowError *error)
{
    if (length - *at < GLB_CHUNK_HEAD || get32(bytes + *at) > length - *at - GLB_CHUNK_HEAD)
        return fail(error, "it ends within a part of %zu bytes at byte %zu",
                    length - *at < 4 ? 0 : (size_t)get32(bytes + *at), *at);
    *kind = get32(bytes + *at + 4);
    *chunk = (GltfBuffer){bytes + *at + GLB_CHUNK_HEAD, get32(bytes + *at), true};
    *at += GLB_CHUNK_HEAD + chunk->length;
    return true;
}

static bool open_binary(GltfData *data, unsigned char *bytes, size_t length, BillowError *error)
{
    GltfBuffer json, part;
    uint32_t kind;
    size_t at = GLB_HEAD;
    if (length < GLB_HEAD || get32(bytes) != GLB_MAGIC)
        return fail(error, "it does not begin as a .glb file does");
    if (get32(bytes + 4) != 2)
        return fail(error, "it has version %u; only version 2 of .glb files is read",
                    (unsigned)get32(bytes + 4));
    if (get32(bytes + 8) < GLB_HEAD || get32(bytes + 8) > length)
        return fail(error, "it should hold %u bytes and holds %zu", (unsigned)get32(bytes + 8),
                    length);
    length = get32(bytes + 8);
    if (!next_chunk(bytes, length, &at, &kind, &json, error))
        return false;
    if (kind != GLB_JSON)
        return fail(error, "its first part must be JSON");
    if (!parse(data, (const char *)json.bytes, json.length, error))
        return false;
    while (at < length) {
        if (!next_chunk(bytes, length, &at, &kind, &part, error))
            return false;
        if (kind == GLB_BIN && data->counts[GLTF_BUFFERS] > 0 &&
            gltf_member(data->items[GLTF_BUFFERS][0], "uri") == NULL) {
            data->buffers[0] = part;
            return true;
        }
    }
    return true;
}

bool gltf_data_open(GltfData *data, const char *path, char *bytes, size_t length,
                    BillowError *error)
{
    *data = (GltfData){.path = path};
    if (paths_end_in(path, ".glb"))
        return open_binary(data, (unsigned char *)bytes, length, error);
    return parse(data, bytes, length, error);
}

void gltf_data_close(GltfData *data)
{
    for (int b = 0; data->buffers != NULL && b < data->counts[GLTF_BUFFERS]; b++)
        if (!data->buffers[b].borrowed)
            free(data->buffers[b].bytes);
    for (int array = 0; array < GLTF_ARRAYS; array++)
        free(data->items[array]);
    free(data->buffers);
    cJSON_Delete(data->root);
    *data = (GltfData){.path = NULL};
}

/* -- buffers ----------------------------------------------------------------------------------- */

static bool decode_base64(const char *text, GltfBuffer *buffer, BillowError *error)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int held = 0;
    buffer->bytes = malloc(strlen(text) / 4 * 3 + 4);
    if (buffer->bytes == NULL)
        return fail(error, "not enough memory for a buffer");
    for (; *text != '\0' && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (digit == NULL)
            return fail(error, "a buffer's data: URI has a character that base64 lacks");
        bits = bits << 6 | (uint32_t)(digit - digits);
        held += 6;
        if (held >= 8) {
            held -= 8;
            buffer->bytes[buffer->length++] = (unsigned char)(bits >> held);
        }
    }
    return true;
}

/* Replaces %20 and the like. Returns false if the result would contain a 0. */
static bool decode_percent(const char *uri, char path[PATHS_SIZE])
{
    size_t length = 0;
    for (; *uri != '\0' && length + 1 < PATHS_SIZE; uri++) {
        char code[3] = {0}, *end;
        bool coded = uri[0] == '%' && isxdigit((unsigned char)uri[1]);
        if (coded)
            memcpy(code, uri + 1, 2);
        long value = coded ? strtol(code, &end, 16) : (unsigned char)*uri;
        if (coded && (end != code + 2 || value == 0))
            return false;
        path[length++] = (char)value;
        uri += coded ? 2 : 0;
    }
    path[length] = '\0';
    return *uri == '\0' && length > 0;
}

static bool read_file(const GltfData *data, const char *uri, GltfBuffer *buffer, BillowError *error)
{
    char name[PATHS_SIZE], path[2 * PATHS_SIZE], below[PATHS_SIZE];
    int folder = (int)(paths_last_part(data->path) - data->path);
    /* a colon would be the end of a scheme, such as http: */
    if (!decode_percent(uri, name) || !paths_stay_below(name) || strpbrk(name, ":\\") != NULL ||
        (size_t)snprintf(path, sizeof path, "%.*s%s", folder, data->path, name) >= sizeof path)
        return fail(error, "the buffer '%.100s' must be a file in the same folder or below it",
                    uri);
    BillowError reason;
    if (!whole_file_check(path, MESH_FILE_BYTES_MAX, &reason))
        return fail(error, "its buffer '%.100s' %.300s", name, reason.text);
    if (!paths_below(data->path, path, below))
        return fail(error, "the buffer '%.100s' leads out of its folder", uri);
    buffer->bytes =
        (unsigned char *)whole_file_read(path, MESH_FILE_BYTES_MAX, &buffer->length, error);
    return buffer->bytes != NULL;
}

/* Reads a buffer if this has not been done yet. */
static bool use_buffer(GltfData *data, int index, BillowError *error)
{
    GltfBuffer *buffer = &data->buffers[index];
    if (buffer->bytes != NULL)
        return true;
    const cJSON *uri = gltf_member(data->items[GLTF_BUFFERS][index], "uri");
    if (!cJSON_IsString(uri))
        return fail(error, "buffers[%d] has no uri, and no part of a .glb file holds it", index);
    if (strncmp(uri->valuestring, "data:", 5) == 0) {
        const char *comma = strstr(uri->valuestring, ";base64,");
        if (comma == NULL)
            return fail(error, "the data: URI of buffers[%d] must be base64", index);
        if (!decode_base64(comma + strlen(";base64,"), buffer, error))
            return false;
    } else if (!read_file(data, uri->valuestring, buffer, error)) {
        return false;
    }
    data->loaded += buffer->length;
    return data->loaded <= MESH_FILE_BYTES_MAX ||
           fail(error, "its buffers hold more than %.4g MB", (double)MESH_FILE_BYTES_MAX * 1e-6);
}

/* -- accessors --------------------------------------------------------------------------------- */

static size_t component_bytes(uint64_t component)
{
    return component == INT8 || component == UINT8      ? 1
           : component == INT16 || component == UINT16  ? 2
           : component == UINT32 || component == REAL32 ? 4
                                                        : 0;
}

static bool check_kind(const cJSON *item, const char *of, int parts, GltfAccessor *accessor,
                       BillowError *error)
{
    static const char *const types[] = {NULL, "SCALAR", NULL, "VEC3", "VEC4"};
    const cJSON *type = gltf_member(item, "type");
    uint64_t component, count;
    if (!cJSON_IsString(type) || strcmp(type->valuestring, types[parts]) != 0)
        return fail(error, "%s must be of type %s", of, types[parts]);
    if (!whole(item, "componentType", of, INT8, 0, &component, error) ||
        !whole(item, "count", of, 1, 0, &count, error))
        return false;
    if (component_bytes(component) == 0)
        return fail(error, "%s.componentType must be 5120 to 5123, 5125 or 5126, not %u", of,
                    (unsigned)component);
    if (gltf_member(item, "sparse") != NULL)
        return fail(error, "%s is sparse, which is not read", of);
    accessor->component = (int)component;
    accessor->count = (size_t)count;
    accessor->parts = parts;
    accessor->normalized = cJSON_IsTrue(gltf_member(item, "normalized"));
    return true;
}

bool gltf_accessor(GltfData *data, int index, int parts, GltfAccessor *accessor, BillowError *error)
{
    char of[32], view_of[32];
    const cJSON *item = data->items[GLTF_ACCESSORS][index];
    int view, buffer;
    uint64_t from, start, length, stride;
    snprintf(of, sizeof of, "accessors[%d]", index);
    if (!check_kind(item, of, parts, accessor, error) ||
        !gltf_index(item, "bufferView", of, data->counts[GLTF_VIEWS], &view, error) ||
        !whole(item, "byteOffset", of, 0, 0, &from, error))
        return false;
    if (view < 0)
        return fail(error, "%s has no bufferView", of);
    snprintf(view_of, sizeof view_of, "bufferViews[%d]", view);
    item = data->items[GLTF_VIEWS][view];
    uint64_t element = component_bytes((uint64_t)accessor->component) * (uint64_t)parts;
    if (!gltf_index(item, "buffer", view_of, data->counts[GLTF_BUFFERS], &buffer, error) ||
        !whole(item, "byteOffset", view_of, 0, 0, &start, error) ||
        !whole(item, "byteLength", view_of, 1, 0, &length, error) ||
        !whole(item, "byteStride", view_of, 0, element, &stride, error))
        return false;
    if (buffer < 0)
        return fail(error, "%s has no buffer", view_of);
    if (stride < element)
        return fail(error, "%s.byteStride is smaller than the elements of %s", view_of, of);
    if (!use_buffer(data, buffer, error))
        return false;
    if (start + length > data->buffers[buffer].length)
        return fail(error, "%s ends after its buffer of %zu bytes", view_of,
                    data->buffers[buffer].length);
    if (from + stride * (accessor->count - 1) + element > length)
        return fail(error, "%s ends after its bufferView of %zu bytes", of, (size_t)length);
    accessor->first = data->buffers[buffer].bytes + start + from;
    accessor->stride = (size_t)stride;
    return true;
}

float gltf_real(const GltfAccessor *accessor, size_t element, int part)
{
    const unsigned char *at = accessor->first + element * accessor->stride +
                              (size_t)part * component_bytes((uint64_t)accessor->component);
    float most = 1, value;
    switch (accessor->component) {
    case INT8:
        value = (float)(int8_t)at[0];
        most = 127;
        break;
    case UINT8:
        value = (float)at[0];
        most = 255;
        break;
    case INT16:
        value = (float)(int16_t)(at[0] | at[1] << 8);
        most = 32767;
        break;
    case UINT16:
        value = (float)(at[0] | at[1] << 8);
        most = 65535;
        break;
    case UINT32:
        return (float)get32(at);
    default:
        return get_float(at);
    }
    return accessor->normalized ? fmaxf(value / most, -1) : value;
}

uint32_t gltf_whole(const GltfAccessor *accessor, size_t element)
{
    const unsigned char *at = accessor->first + element * accessor->stride;
    return accessor->component == UINT8    ? at[0]
           : accessor->component == UINT16 ? (uint32_t)(at[0] | at[1] << 8)
           : accessor->component == UINT32 ? get32(at)
                                           : UINT32_MAX;
}
