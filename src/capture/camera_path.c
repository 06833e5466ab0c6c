/* SPDX-License-Identifier: MIT */
#include "capture/camera_path.h"

#include "base/fail.h"
#include "io/atomic_file.h"
#include "io/json.h"
#include "io/paths.h"
#include "render/frame/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAMERA_FAR 1e5 /* m, as camera_view_projection */

enum {
    KEY_FLOATS = 1 + 3 + 4, /* time, place and rotation of a key of a .glb */
    GLB_MAGIC = 0x46546c67, /* "glTF" */
    GLB_JSON = 0x4e4f534a,
    GLB_BINARY = 0x004e4942,
    GLTF_FLOAT = 5126
};

bool camera_path_takes(const char *file, BillowError *error)
{
    return paths_end_in(file, ".json") || paths_end_in(file, ".glb") ||
           fail(error, "--camera-out: '%.200s' must end in .json or .glb", file);
}

/* Computes the quaternion of a camera's axes: the columns of its matrix are right, up, -forward.
 * Of the four squares of its components, (1 +- m00 +- m11 +- m22) / 4, the largest is taken. */
static void rotation_of(const Camera *camera, double q[4])
{
    double m[3][3]; /* rows, columns */
    for (int row = 0; row < 3; row++) {
        m[row][0] = (double)camera->right[row];
        m[row][1] = (double)camera->up[row];
        m[row][2] = -(double)camera->forward[row];
    }
    double squares[4], length = 0;
    int largest = 3;
    squares[3] = 1 + m[0][0] + m[1][1] + m[2][2];
    for (int axis = 0; axis < 3; axis++) {
        squares[axis] = 2 * m[axis][axis] + 2 - squares[3];
        largest = squares[axis] > squares[largest] ? axis : largest;
    }
    q[largest] = squares[largest];
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double turn = m[last][next] - m[next][last]; /* 4 w q[axis] */
        if (largest == 3)
            q[axis] = turn;
        else if (axis == largest)
            q[3] = turn;
        else
            q[axis] = m[axis][largest] + m[largest][axis]; /* 4 q[axis] q[largest] */
    }
    for (int c = 0; c < 4; c++)
        length += q[c] * q[c];
    for (int c = 0; c < 4; c++)
        q[c] /= sqrt(length);
}

bool camera_path_add(CameraPath *path, int number, double time, const RenderSettings *render,
                     BillowError *error)
{
    if (path->count == path->room) {
        const int room = 2 * path->room + 64;
        CameraKey *keys = realloc(path->keys, (size_t)room * sizeof *keys);
        if (keys == NULL)
            return fail(error, "not enough memory for the camera of %d frames", room);
        path->keys = keys;
        path->room = room;
    }
    const Camera camera = camera_from_settings(&render->camera, path->width, path->height);
    CameraKey *key = &path->keys[path->count];
    *key =
        (CameraKey){.number = number,
                    .time = time,
                    .fov = render->camera.fov,
                    .lens = render->lens,
                    .focus = render->lens.focus > 0 ? render->lens.focus : render->camera.distance,
                    .exposure = render_exposure(render)};
    for (int axis = 0; axis < 3; axis++)
        key->position[axis] = (double)camera.origin[axis];
    rotation_of(&camera, key->rotation);
    if (path->count > 0) { /* q and -q are one rotation: take the short way */
        double cosine = 0;
        for (int c = 0; c < 4; c++)
            cosine += key->rotation[c] * key[-1].rotation[c];
        for (int c = 0; c < 4 && cosine < 0; c++)
            key->rotation[c] = -key->rotation[c];
    }
    path->count++;
    return true;
}

void camera_path_free(CameraPath *path)
{
    free(path->keys);
    *path = (CameraPath){.keys = NULL};
}

static void put_numbers(Json *json, cJSON *parent, const char *name, const double *values,
                        int count)
{
    cJSON *array = json_array(json, parent, name);
    for (int c = 0; c < count; c++)
        json_number(json, array, NULL, values[c]);
}

static bool write_json(const CameraPath *path, const char *file, BillowError *error)
{
    Json json = json_start();
    json_text(&json, json.root, "axes",
              "right-handed, y up, metres; the camera looks along its -z, x is right, y is up");
    json_text(&json, json.root, "rotation",
              "unit quaternion x y z w, from the camera to the scene");
    json_number(&json, json.root, "width", path->width);
    json_number(&json, json.root, "height", path->height);
    json_number(&json, json.root, "fps", path->fps);
    json_number(&json, json.root, "near", (double)CAMERA_NEAR);
    json_number(&json, json.root, "far", CAMERA_FAR);
    cJSON *frames = json_array(&json, json.root, "frames");
    for (const CameraKey *key = path->keys; key < path->keys + path->count; key++) {
        cJSON *frame = json_object(&json, frames, NULL);
        json_number(&json, frame, "number", key->number);
        json_number(&json, frame, "simulated_seconds", key->time);
        put_numbers(&json, frame, "position", key->position, 3);
        put_numbers(&json, frame, "rotation", key->rotation, 4);
        json_number(&json, frame, "fov_degrees", (double)key->fov);
        json_number(&json, frame, "aperture", (double)key->lens.aperture);
        json_number(&json, frame, "focus_metres", (double)key->focus);
        json_number(&json, frame, "shutter_seconds", (double)key->lens.shutter);
        json_number(&json, frame, "exposure", (double)key->exposure);
    }
    return json_write(&json, file, error);
}

/* Adds an accessor for `count` items of so many floats from an offset, floats. */
static cJSON *put_accessor(Json *json, cJSON *views, cJSON *accessors, int offset, int floats,
                           int count)
{
    static const char *const types[] = {[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4"};
    cJSON *view = json_object(json, views, NULL);
    json_number(json, view, "buffer", 0);
    json_number(json, view, "byteOffset", 4.0 * offset);
    json_number(json, view, "byteLength", 4.0 * floats * count);
    cJSON *accessor = json_object(json, accessors, NULL);
    json_number(json, accessor, "bufferView", cJSON_GetArraySize(views) - 1);
    json_number(json, accessor, "componentType", GLTF_FLOAT);
    json_number(json, accessor, "count", count);
    json_text(json, accessor, "type", types[floats]);
    return accessor;
}

/* Moves a property of the node by the accessor `output`. */
static void put_channel(Json *json, cJSON *samplers, cJSON *channels, const char *property,
                        int output)
{
    cJSON *sampler = json_object(json, samplers, NULL);
    json_number(json, sampler, "input", 0);
    json_number(json, sampler, "output", output);
    json_text(json, sampler, "interpolation", "LINEAR");
    cJSON *channel = json_object(json, channels, NULL);
    json_number(json, channel, "sampler", cJSON_GetArraySize(samplers) - 1);
    cJSON *target = json_object(json, channel, "target");
    json_number(json, target, "node", 0);
    json_text(json, target, "path", property);
}

/* Describes the buffer of the keys: all times, then all places, then all rotations. */
static Json describe(const CameraPath *path)
{
    const CameraKey *first = path->keys;
    const int count = path->count;
    const double none = 0, end = (double)(float)((count - 1) / path->fps);
    Json json = json_start();
    cJSON *root = json.root, *asset = json_object(&json, root, "asset");
    json_text(&json, asset, "version", "2.0");
    json_text(&json, asset, "generator", "Billow");
    json_number(&json, root, "scene", 0);
    put_numbers(&json, json_object(&json, json_array(&json, root, "scenes"), NULL), "nodes", &none,
                1);
    cJSON *node = json_object(&json, json_array(&json, root, "nodes"), NULL);
    json_text(&json, node, "name", "camera");
    json_number(&json, node, "camera", 0);
    put_numbers(&json, node, "translation", first->position, 3);
    put_numbers(&json, node, "rotation", first->rotation, 4);
    cJSON *camera = json_object(&json, json_array(&json, root, "cameras"), NULL);
    json_text(&json, camera, "type", "perspective");
    cJSON *lens = json_object(&json, camera, "perspective");
    json_number(&json, lens, "yfov", (double)first->fov * acos(-1) / 180);
    json_number(&json, lens, "aspectRatio", (double)path->width / path->height);
    json_number(&json, lens, "znear", (double)CAMERA_NEAR);
    json_number(&json, lens, "zfar", CAMERA_FAR);
    cJSON *animation = json_object(&json, json_array(&json, root, "animations"), NULL);
    json_text(&json, animation, "name", "camera");
    cJSON *samplers = json_array(&json, animation, "samplers");
    cJSON *channels = json_array(&json, animation, "channels");
    put_channel(&json, samplers, channels, "translation", 1);
    put_channel(&json, samplers, channels, "rotation", 2);
    cJSON *views = json_array(&json, root, "bufferViews");
    cJSON *accessors = json_array(&json, root, "accessors");
    cJSON *times = put_accessor(&json, views, accessors, 0, 1, count);
    put_numbers(&json, times, "min", &none, 1);
    put_numbers(&json, times, "max", &end, 1);
    put_accessor(&json, views, accessors, count, 3, count);
    put_accessor(&json, views, accessors, 4 * count, 4, count);
    cJSON *buffer = json_object(&json, json_array(&json, root, "buffers"), NULL);
    json_number(&json, buffer, "byteLength", 4.0 * KEY_FLOATS * count);
    return json;
}

static void put_word(AtomicFile *file, uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};
    atomic_file_put(file, bytes, sizeof bytes);
}

static void put_float(AtomicFile *file, double value)
{
    const float rounded = (float)value;
    uint32_t word;
    memcpy(&word, &rounded, sizeof word);
    put_word(file, word);
}

static void put_keys(AtomicFile *file, const CameraPath *path)
{
    for (int k = 0; k < path->count; k++)
        put_float(file, k / path->fps);
    for (int k = 0; k < path->count; k++)
        for (int axis = 0; axis < 3; axis++)
            put_float(file, path->keys[k].position[axis]);
    for (int k = 0; k < path->count; k++)
        for (int c = 0; c < 4; c++)
            put_float(file, path->keys[k].rotation[c]);
}

static bool write_glb(const CameraPath *path, const char *file, BillowError *error)
{
    Json json = describe(path);
    char *text = json.incomplete ? NULL : cJSON_PrintUnformatted(json.root);
    cJSON_Delete(json.root);
    if (text == NULL)
        return fail(error, "%s: no memory to write it", file);
    const uint32_t letters = (uint32_t)strlen(text), spaces = (4 - letters % 4) % 4;
    const uint32_t bytes = 4 * KEY_FLOATS * (uint32_t)path->count;
    AtomicFile glb;
    bool written = atomic_file_open(&glb, file, error);
    if (written) {
        put_word(&glb, GLB_MAGIC);
        put_word(&glb, 2);
        put_word(&glb, 12 + 8 + letters + spaces + 8 + bytes);
        put_word(&glb, letters + spaces);
        put_word(&glb, GLB_JSON);
        atomic_file_put(&glb, text, letters);
        atomic_file_put(&glb, "   ", spaces);
        put_word(&glb, bytes);
        put_word(&glb, GLB_BINARY);
        put_keys(&glb, path);
        written = atomic_file_commit(&glb, error);
    }
    cJSON_free(text);
    return written;
}

bool camera_path_write(const CameraPath *path, const char *file, BillowError *error)
{
    return paths_end_in(file, ".glb") ? write_glb(path, file, error)
                                      : write_json(path, file, error);
}
