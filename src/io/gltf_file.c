/* SPDX-License-Identifier: MIT */
#include "io/gltf_file.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/mathematics.h"
#include "io/gltf_data.h"
#include "io/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most corners and triangles of all parts together, most primitives, even empty ones, and most
 * numbers of all animations. */
enum { CORNERS_MAX = 20000000, PRIMITIVES_MAX = 1000000, KEYS_MAX = 20000000 };

/* A shorter motion counts as none, s. Frames come at most 1000 times per second. */
#define SECONDS_LEAST 1e-3

typedef enum Path { TRANSLATION, ROTATION, SCALE, PATHS } Path;
typedef enum Mode { LINEAR, STEP, CUBIC } Mode;

static const char *const path_names[PATHS] = {"translation", "rotation", "scale"};
static const int path_parts[PATHS] = {3, 4, 3};

/* The keys of one value of a node. */
typedef struct Channel {
    Mode mode;
    int parts;
    size_t count;
    float *times;  /* s */
    float *values; /* parts per key; with CUBIC in-tangent, value and out-tangent */
} Channel;

/* Rows of an affine map: the last column is the displacement. */
typedef struct Affine {
    double m[3][4];
} Affine;

typedef struct Node {
    int own;    /* its number in the file */
    int parent; /* before it in the list; -1: none */
    bool fixed; /* whether `matrix` places it, in place of `values` */
    Affine matrix;
    double values[PATHS][4];
    Channel *channels[PATHS]; /* NULL: constant */
} Node;

/* The corners and triangles of one node's mesh. */
typedef struct Part {
    int node;
    int first_corner, corner_end, first_triangle, triangle_end;
} Part;

struct GltfFile {
    Node *nodes; /* parents before their children */
    int node_count;
    Part *parts;
    int part_count;
    float (*corners)[3]; /* in the coordinates of their node, m */
    int (*triangles)[3];
    int corner_count, triangle_count;
    size_t corner_room, triangle_room;
    int primitives; /* read so far; nodes may share them */
    size_t keys;    /* numbers in all channels */
    double begin, end;
    bool mended; /* whether keys were out of order */
};

bool gltf_file_is(const char *path)
{
    return paths_end_in(path, ".gltf") || paths_end_in(path, ".glb");
}

double gltf_file_seconds(const GltfFile *file)
{
    return file->end - file->begin;
}

bool gltf_file_mended(const GltfFile *file)
{
    return file->mended;
}

void gltf_file_close(GltfFile *file)
{
    if (file == NULL)
        return;
    for (int n = 0; n < file->node_count; n++)
        for (int path = 0; path < PATHS; path++)
            if (file->nodes[n].channels[path] != NULL) {
                free(file->nodes[n].channels[path]->times);
                free(file->nodes[n].channels[path]->values);
                free(file->nodes[n].channels[path]);
            }
    free(file->nodes);
    free(file->parts);
    free(file->corners);
    free(file->triangles);
    free(file);
}

/* -- nodes ------------------------------------------------------------------------------------- */

static bool normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int part = 0; part < 4; part++)
        q[part] = length > 1e-6 ? q[part] / length : part == 3;
    return length > 1e-6;
}

/* Reads where a node is. matrix: 16 numbers, column by column. */
static bool place_node(const cJSON *item, const char *of, Node *node, BillowError *error)
{
    double matrix[16];
    node->values[ROTATION][3] = 1;
    for (int axis = 0; axis < 3; axis++)
        node->values[SCALE][axis] = 1;
    node->fixed = gltf_member(item, "matrix") != NULL;
    if (!gltf_numbers(item, "matrix", of, 16, matrix, error))
        return false;
    for (int row = 0; node->fixed && row < 3; row++)
        for (int column = 0; column < 4; column++)
            node->matrix.m[row][column] = matrix[4 * column + row];
    for (int path = 0; path < PATHS; path++)
        if (!gltf_numbers(item, path_names[path], of, path_parts[path], node->values[path], error))
            return false;
    return normalize(node->values[ROTATION]) || fail(error, "%s.rotation must not be 0", of);
}

/* Adds the nodes that a list of node numbers names, after their parent. slots: for each node of the
 * file its place in the list, or -1. */
static bool add_listed(GltfFile *file, const GltfData *data, const cJSON *list, const char *of,
                       int parent, int *slots, BillowError *error)
{
    const cJSON *item;
    char name[32];
    if (list != NULL && !cJSON_IsArray(list))
        return fail(error, "%s must be a list of nodes", of);
    cJSON_ArrayForEach(item, list)
    {
        double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (!(number >= 0 && number < data->counts[GLTF_NODES] && number == floor(number)))
            return fail(error, "%s must be numbers of nodes, and there are %d", of,
                        data->counts[GLTF_NODES]);
        int own = (int)number;
        snprintf(name, sizeof name, "nodes[%d]", own);
        if (slots[own] >= 0)
            return fail(error, "%s has two parents, or is its own ancestor", name);
        Node *node = &file->nodes[file->node_count];
        *node = (Node){.own = own, .parent = parent};
        slots[own] = file->node_count++;
        if (!place_node(data->items[GLTF_NODES][own], name, node, error))
            return false;
    }
    return true;
}

/* Adds the nodes of the file's scene and all below them. */
static bool read_nodes(GltfFile *file, const GltfData *data, int *slots, BillowError *error)
{
    char of[48];
    int scene;
    if (!gltf_index(data->root, "scene", "glTF", data->counts[GLTF_SCENES], &scene, error))
        return false;
    if (data->counts[GLTF_SCENES] == 0)
        return fail(error, "it has no scene");
    scene = scene < 0 ? 0 : scene;
    snprintf(of, sizeof of, "scenes[%d].nodes", scene);
    const cJSON *roots = gltf_member(data->items[GLTF_SCENES][scene], "nodes");
    if (!add_listed(file, data, roots, of, -1, slots, error))
        return false;
    for (int n = 0; n < file->node_count; n++) { /* the list grows meanwhile */
        const cJSON *item = data->items[GLTF_NODES][file->nodes[n].own];
        snprintf(of, sizeof of, "nodes[%d].children", file->nodes[n].own);
        if (!add_listed(file, data, gltf_member(item, "children"), of, n, slots, error))
            return false;
    }
    return true;
}

/* -- meshes ------------------------------------------------------------------------------------ */

static bool make_room(GltfFile *file, size_t corners, size_t triangles, BillowError *error)
{
    size_t all = (size_t)file->corner_count + corners,
           faces = (size_t)file->triangle_count + triangles;
    if (all > CORNERS_MAX || faces > CORNERS_MAX)
        return fail(error, "it holds more than %d vertices or triangles", CORNERS_MAX);
    void *longer = grow(file->corners, &file->corner_room, all, sizeof *file->corners);
    file->corners = longer != NULL ? longer : file->corners;
    void *more = grow(file->triangles, &file->triangle_room, faces, sizeof *file->triangles);
    file->triangles = more != NULL ? more : file->triangles;
    return (longer != NULL && more != NULL) || fail(error, "not enough memory for its triangles");
}

static bool read_corners(GltfFile *file, const GltfAccessor *positions, const char *of,
                         BillowError *error)
{
    for (size_t v = 0; v < positions->count; v++, file->corner_count++)
        for (int axis = 0; axis < 3; axis++) {
            float value = gltf_real(positions, v, axis);
            if (!(fabsf(value) <= (float)MESH_COORDINATE_MAX))
                return fail(error, "%s has a coordinate that is not within 1e6", of);
            file->corners[file->corner_count][axis] = value;
        }
    return true;
}

/* Reads triangle t of a list (mode 4), strip (5) or fan (6). indices: NULL counts the corners. */
static bool read_triangle(GltfFile *file, const GltfAccessor *indices, int mode, size_t t,
                          int first, const char *of, BillowError *error)
{
    const size_t even[3] = {t, t + 1, t + 2}, odd[3] = {t + 1, t, t + 2},
                 fan[3] = {0, t + 1, t + 2}, list[3] = {3 * t, 3 * t + 1, 3 * t + 2};
    const size_t *places = mode == 4 ? list : mode == 6 ? fan : t % 2 == 0 ? even : odd;
    int corners = file->corner_count - first;
    for (int c = 0; c < 3; c++) {
        uint32_t index = indices != NULL ? gltf_whole(indices, places[c]) : (uint32_t)places[c];
        if (index >= (uint32_t)corners)
            return fail(error, "%s has an index that is not one of its %d vertices", of, corners);
        file->triangles[file->triangle_count][c] = first + (int)index;
    }
    file->triangle_count++;
    return true;
}

/* Adds the triangles of a primitive; points and lines have none. */
static bool add_primitive(GltfFile *file, GltfData *data, const cJSON *item, const char *of,
                          BillowError *error)
{
    int mode, position, index, first = file->corner_count;
    GltfAccessor positions, indices;
    const cJSON *attributes = gltf_member(item, "attributes");
    if (!gltf_index(item, "mode", of, 7, &mode, error) ||
        !gltf_index(attributes, "POSITION", of, data->counts[GLTF_ACCESSORS], &position, error) ||
        !gltf_index(item, "indices", of, data->counts[GLTF_ACCESSORS], &index, error))
        return false;
    mode = mode < 0 ? 4 : mode;
    if (gltf_member(item, "targets") != NULL)
        return fail(error, "%s has morph targets, which are not read; bake them to numbered files",
                    of);
    if (mode < 4 || position < 0)
        return true;
    if (!gltf_accessor(data, position, 3, &positions, error) ||
        (index >= 0 && !gltf_accessor(data, index, 1, &indices, error)))
        return false;
    size_t corners = index >= 0 ? indices.count : positions.count;
    size_t triangles = mode == 4 ? corners / 3 : corners < 3 ? 0 : corners - 2;
    if (!make_room(file, positions.count, triangles, error) ||
        !read_corners(file, &positions, of, error))
        return false;
    for (size_t t = 0; t < triangles; t++)
        if (!read_triangle(file, index >= 0 ? &indices : NULL, mode, t, first, of, error))
            return false;
    return true;
}

static bool read_mesh(GltfFile *file, GltfData *data, int n, BillowError *error)
{
    char of[64];
    int own = file->nodes[n].own, mesh, count = 0;
    const cJSON *node = data->items[GLTF_NODES][own], *item;
    snprintf(of, sizeof of, "nodes[%d]", own);
    if (!gltf_index(node, "mesh", of, data->counts[GLTF_MESHES], &mesh, error))
        return false;
    if (mesh < 0)
        return true;
    if (gltf_member(node, "skin") != NULL)
        return fail(error, "%s has a skin, which is not read; bake its motion to numbered files",
                    of);
    Part *part = &file->parts[file->part_count++];
    part->node = n;
    part->first_corner = file->corner_count;
    part->first_triangle = file->triangle_count;
    cJSON_ArrayForEach(item, gltf_member(data->items[GLTF_MESHES][mesh], "primitives"))
    {
        snprintf(of, sizeof of, "meshes[%d].primitives[%d]", mesh, count++);
        if (++file->primitives > PRIMITIVES_MAX)
            return fail(error, "its nodes show more than %d primitives", PRIMITIVES_MAX);
        if (!add_primitive(file, data, item, of, error))
            return false;
    }
    part->corner_end = file->corner_count;
    part->triangle_end = file->triangle_count;
    return true;
}

/* -- animations -------------------------------------------------------------------------------- */

/* wanted: what the accessor must hold, with its name. */
static bool read_numbers(const GltfAccessor *accessor, const char *of, const char *wanted,
                         float *values, BillowError *error)
{
    for (size_t v = 0; v < accessor->count; v++)
        for (int part = 0; part < accessor->parts; part++, values++) {
            *values = gltf_real(accessor, v, part);
            if (!(fabsf(*values) <= (float)MESH_COORDINATE_MAX))
                return fail(error, "%s.%s", of, wanted);
        }
    return true;
}

/* Makes the times of a channel rise from 0 s on. A time before that of an earlier key becomes that
 * key's, and of keys at one time the last one counts. */
static void order_keys(GltfFile *file, Channel *channel)
{
    const size_t wide = (size_t)channel->parts * (channel->mode == CUBIC ? 3 : 1);
    size_t kept = 0;
    for (size_t k = 0; k < channel->count; k++) {
        const float least = kept > 0 ? channel->times[kept - 1] : 0;
        const float time = fmaxf(channel->times[k], least);
        file->mended = file->mended || time > channel->times[k] || (kept > 0 && time == least);
        kept -= kept > 0 && time == least;
        channel->times[kept] = time;
        memmove(channel->values + kept * wide, channel->values + k * wide, wide * sizeof(float));
        kept++;
    }
    channel->count = kept;
    file->begin = fmin(file->begin, (double)channel->times[0]);
    file->end = fmax(file->end, (double)channel->times[kept - 1]);
}

/* Reads a sampler into the channel of a node, which is freed with the file even on failure. */
static bool read_sampler(GltfFile *file, GltfData *data, const cJSON *sampler, const char *of,
                         Path path, Channel **made, BillowError *error)
{
    int input, output;
    GltfAccessor times, values;
    const cJSON *word = gltf_member(sampler, "interpolation");
    const char *mode = cJSON_IsString(word) ? word->valuestring : "LINEAR";
    Channel channel = {.mode = strcmp(mode, "STEP") == 0          ? STEP
                               : strcmp(mode, "CUBICSPLINE") == 0 ? CUBIC
                                                                  : LINEAR,
                       .parts = path_parts[path]};
    if (channel.mode == LINEAR && strcmp(mode, "LINEAR") != 0)
        return fail(error, "%s.interpolation must be LINEAR, STEP or CUBICSPLINE, not '%.40s'", of,
                    mode);
    if (!gltf_index(sampler, "input", of, data->counts[GLTF_ACCESSORS], &input, error) ||
        !gltf_index(sampler, "output", of, data->counts[GLTF_ACCESSORS], &output, error))
        return false;
    if (input < 0 || output < 0)
        return fail(error, "%s needs input and output", of);
    if (!gltf_accessor(data, input, 1, &times, error) ||
        !gltf_accessor(data, output, channel.parts, &values, error))
        return false;
    if (values.count != times.count * (channel.mode == CUBIC ? 3 : 1))
        return fail(error, "%s has %zu times and %zu values", of, times.count, values.count);
    file->keys += times.count + values.count * (size_t)channel.parts;
    if (file->keys > KEYS_MAX)
        return fail(error, "its animations hold more than %d numbers", KEYS_MAX);
    channel.count = times.count;
    channel.times = malloc(times.count * sizeof(float));
    channel.values = malloc(values.count * (size_t)channel.parts * sizeof(float));
    *made = malloc(sizeof channel);
    if (channel.times == NULL || channel.values == NULL || *made == NULL) {
        free(channel.times);
        free(channel.values);
        free(*made);
        *made = NULL;
        return fail(error, "not enough memory for its animation");
    }
    **made = channel;
    if (!read_numbers(&times, of, "input must be times within 1e6 s", channel.times, error) ||
        !read_numbers(&values, of, "output must be numbers within 1e6", channel.values, error))
        return false;
    order_keys(file, *made);
    return true;
}

/* An animation and its samplers. */
typedef struct Clip {
    int own; /* its number in the file */
    const cJSON **samplers;
    int sampler_count;
} Clip;

/* Reads a channel if it moves a node of the scene. */
static bool read_channel(GltfFile *file, GltfData *data, const Clip *clip, const cJSON *item,
                         const int *slots, BillowError *error)
{
    char of[64];
    int own, sampler;
    const cJSON *target = gltf_member(item, "target");
    const cJSON *name = gltf_member(target, "path");
    snprintf(of, sizeof of, "animations[%d]", clip->own);
    if (!gltf_index(target, "node", of, data->counts[GLTF_NODES], &own, error) ||
        !gltf_index(item, "sampler", of, clip->sampler_count, &sampler, error))
        return false;
    if (own < 0 || slots[own] < 0 || !cJSON_IsString(name))
        return true;
    if (sampler < 0)
        return fail(error, "%s has a channel without a sampler", of);
    Node *node = &file->nodes[slots[own]];
    for (int path = 0; path < PATHS; path++)
        if (strcmp(name->valuestring, path_names[path]) == 0 && node->channels[path] == NULL) {
            if (node->fixed)
                return fail(error, "nodes[%d] is animated, but a matrix places it", own);
            snprintf(of, sizeof of, "animations[%d].samplers[%d]", clip->own, sampler);
            return read_sampler(file, data, clip->samplers[sampler], of, (Path)path,
                                &node->channels[path], error);
        }
    return true;
}

static bool read_animations(GltfFile *file, GltfData *data, const int *slots, BillowError *error)
{
    file->begin = HUGE_VAL;
    for (int a = 0; a < data->counts[GLTF_ANIMATIONS]; a++) {
        const cJSON *animation = data->items[GLTF_ANIMATIONS][a], *item;
        Clip clip = {.own = a};
        clip.samplers = gltf_items(gltf_member(animation, "samplers"), &clip.sampler_count);
        bool good = clip.samplers != NULL || fail(error, "not enough memory for its animation");
        cJSON_ArrayForEach(item, gltf_member(animation, "channels"))
        {
            good = good && read_channel(file, data, &clip, item, slots, error);
        }
        free(clip.samplers);
        if (!good)
            return false;
    }
    if (file->end < file->begin) /* no key */
        file->begin = file->end;
    if (file->end - file->begin < SECONDS_LEAST)
        file->end = file->begin;
    return true;
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool read_all(GltfFile *file, GltfData *data, BillowError *error)
{
    size_t count = (size_t)data->counts[GLTF_NODES] + 1;
    int *slots = malloc(count * sizeof *slots);
    file->nodes = malloc(count * sizeof *file->nodes);
    file->parts = malloc(count * sizeof *file->parts);
    bool good = slots != NULL && file->nodes != NULL && file->parts != NULL;
    if (!good)
        fail(error, "not enough memory for its nodes");
    for (size_t n = 0; good && n < count; n++)
        slots[n] = -1;
    good = good && read_nodes(file, data, slots, error);
    for (int n = 0; good && n < file->node_count; n++)
        good = read_mesh(file, data, n, error);
    good = good && read_animations(file, data, slots, error);
    free(slots);
    return good;
}

GltfFile *gltf_file_read(const char *path, char *bytes, size_t length, BillowError *error)
{
    BillowError reason;
    GltfData data;
    GltfFile *file = calloc(1, sizeof *file);
    bool good = gltf_data_open(&data, path, bytes, length, &reason);
    if (good && file == NULL)
        good = fail(&reason, "not enough memory to read it");
    good = good && read_all(file, &data, &reason);
    gltf_data_close(&data);
    if (good)
        return file;
    gltf_file_close(file);
    fail(error, "%.250s: %.250s", path, reason.text);
    return NULL;
}

GltfFile *gltf_file_open(const char *path, BillowError *error)
{
    size_t length;
    char *bytes = whole_file_read(path, MESH_FILE_BYTES_MAX, &length, error);
    GltfFile *file = bytes != NULL ? gltf_file_read(path, bytes, length, error) : NULL;
    free(bytes);
    return file;
}

bool gltf_file_moves(const char *path)
{
    BillowError unused;
    GltfFile *file = gltf_file_is(path) ? gltf_file_open(path, &unused) : NULL;
    bool moves = file != NULL && gltf_file_seconds(file) > 0;
    gltf_file_close(file);
    return moves;
}

/* -- the mesh at a time ------------------------------------------------------------------------ */

/* The key before a time; the first one for earlier times. */
static size_t key_before(const Channel *channel, double time)
{
    size_t low = 0, high = channel->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((double)channel->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Spherical interpolation the shorter way round; nearly equal rotations are mixed linearly. */
static void slerp(const double a[4], const double b[4], double t, double out[4])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    double sign = dot < 0 ? -1 : 1, angle = math_acos(fmin(fabs(dot), 1)), one = 1 - t, other = t;
    if (angle > 1e-4) {
        one = math_sin((1 - t) * angle) / math_sin(angle);
        other = math_sin(t * angle) / math_sin(angle);
    }
    for (int part = 0; part < 4; part++)
        out[part] = one * a[part] + sign * other * b[part];
}

/* Cubic Hermite spline: in-tangent, value and out-tangent of two keys `span` apart, s. */
static double hermite(const float *one, const float *other, int parts, int part, double t,
                      double span)
{
    double v0 = (double)one[parts + part], b0 = (double)one[2 * parts + part];
    double v1 = (double)other[parts + part], a1 = (double)other[part];
    double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * v0 + span * (t3 - 2 * t2 + t) * b0 + (3 * t2 - 2 * t3) * v1 +
           span * (t3 - t2) * a1;
}

static void read_key(const Channel *channel, size_t key, double value[4])
{
    const int parts = channel->parts, wide = channel->mode == CUBIC ? 3 : 1;
    const float *at = channel->values + key * (size_t)(parts * wide) + (wide == 3 ? parts : 0);
    for (int part = 0; part < parts; part++)
        value[part] = (double)at[part];
    if (parts == 4)
        normalize(value);
}

static void sample(const Channel *channel, double time, double value[4])
{
    const int parts = channel->parts;
    size_t key = key_before(channel, time);
    double one[4], other[4], start = (double)channel->times[key];
    read_key(channel, key, one);
    memcpy(value, one, (size_t)parts * sizeof *value);
    if (channel->mode == STEP || key + 1 == channel->count || !(time > start))
        return;
    double span = (double)channel->times[key + 1] - start, t = (time - start) / span;
    read_key(channel, key + 1, other);
    if (channel->mode == LINEAR && parts == 4)
        slerp(one, other, t, value);
    for (int part = 0; part < parts; part++)
        if (channel->mode == CUBIC)
            value[part] =
                hermite(channel->values + 3 * key * (size_t)parts,
                        channel->values + 3 * (key + 1) * (size_t)parts, parts, part, t, span);
        else if (parts == 3)
            value[part] = (1 - t) * one[part] + t * other[part];
    if (parts == 4)
        normalize(value);
}

/* The map of a displacement, a rotation (x, y, z, w) and a scale. */
static Affine compose(const double v[3], const double q[4], const double s[3])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
    };
    Affine map;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            map.m[row][column] = r[row][column] * s[column];
        map.m[row][3] = v[row];
    }
    return map;
}

static Affine after(const Affine *outer, const Affine *inner)
{
    Affine map;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            map.m[row][column] = column == 3 ? outer->m[row][3] : 0;
            for (int k = 0; k < 3; k++)
                map.m[row][column] += outer->m[row][k] * inner->m[k][column];
        }
    return map;
}

/* Whether the map mirrors, so that it turns triangles inside out. */
static bool mirrors(const Affine *map)
{
    const double(*m)[4] = map->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

/* The maps of all nodes to the scene. */
static void place_nodes(const GltfFile *file, double time, Affine *maps)
{
    for (int n = 0; n < file->node_count; n++) {
        const Node *node = &file->nodes[n];
        double values[PATHS][4];
        memcpy(values, node->values, sizeof values);
        for (int path = 0; path < PATHS; path++)
            if (node->channels[path] != NULL)
                sample(node->channels[path], time, values[path]);
        maps[n] = node->fixed ? node->matrix
                              : compose(values[TRANSLATION], values[ROTATION], values[SCALE]);
        if (node->parent >= 0)
            maps[n] = after(&maps[node->parent], &maps[n]);
    }
}

static bool place_part(const GltfFile *file, const Part *part, const Affine *map, MeshFile *mesh,
                       BillowError *error)
{
    for (int c = part->first_corner; c < part->corner_end; c++) {
        const float *from = file->corners[c];
        for (int row = 0; row < 3; row++) {
            double value = map->m[row][3];
            for (int axis = 0; axis < 3; axis++)
                value += map->m[row][axis] * (double)from[axis];
            if (!(fabs(value) <= MESH_COORDINATE_MAX))
                return fail(error, "nodes[%d] moves vertices beyond 1e6 m",
                            file->nodes[part->node].own);
            mesh->vertices[c][row] = (float)value;
        }
    }
    const bool inside_out = mirrors(map);
    for (int t = part->first_triangle; inside_out && t < part->triangle_end; t++) {
        int kept = mesh->triangles[t][1];
        mesh->triangles[t][1] = mesh->triangles[t][2];
        mesh->triangles[t][2] = kept;
    }
    return true;
}

bool gltf_file_mesh(const GltfFile *file, double time, MeshFile *mesh, BillowError *error)
{
    size_t corners = (size_t)file->corner_count * sizeof *mesh->vertices,
           triangles = (size_t)file->triangle_count * sizeof *mesh->triangles;
    Affine *maps = malloc((size_t)file->node_count * sizeof *maps + 1);
    *mesh = (MeshFile){.vertices = malloc(corners + 1),
                       .vertex_count = file->corner_count,
                       .triangles = malloc(triangles + 1),
                       .triangle_count = file->triangle_count};
    bool good = maps != NULL && mesh->vertices != NULL && mesh->triangles != NULL;
    if (!good)
        fail(error, "not enough memory for its triangles");
    if (good && triangles > 0)
        memcpy(mesh->triangles, file->triangles, triangles);
    if (good)
        place_nodes(file, file->begin + time, maps);
    for (int p = 0; good && p < file->part_count; p++)
        good = place_part(file, &file->parts[p], &maps[file->parts[p].node], mesh, error);
    free(maps);
    good = good && mesh_file_finish(mesh, error);
    if (!good)
        mesh_file_free(mesh);
    return good;
}
