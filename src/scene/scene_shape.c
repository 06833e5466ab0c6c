/* SPDX-License-Identifier: MIT */
#include "scene/scene_shape.h"

#include "base/words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 40 };

static size_t samples_of(const BillowVolume *volume)
{
    return (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
}

size_t scene_shape_bytes(const SceneShape *shape)
{
    return HEAD + 4 * samples_of(&shape->volume);
}

void scene_shape_write(int entry, const SceneShape *shape, unsigned char *bytes)
{
    const BillowVolume *volume = &shape->volume;
    const uint32_t counts[4] = {(uint32_t)entry, (uint32_t)volume->nx, (uint32_t)volume->ny,
                                (uint32_t)volume->nz};
    const float numbers[6] = {volume->low[0],  volume->low[1], volume->low[2],
                              volume->spacing, shape->size,    shape->cell};
    for (int c = 0; c < 4; c++)
        put32(bytes + 4 * c, counts[c]);
    for (int n = 0; n < 6; n++)
        put_float(bytes + 16 + 4 * n, numbers[n]);
    for (size_t s = 0; s < samples_of(volume); s++)
        put_float(bytes + HEAD + 4 * s, volume->distance[s]);
}

/* Reads all but the samples. Returns false if they are impossible. */
static bool read_head(const unsigned char *bytes, size_t count, uint32_t *entry, SceneShape *shape)
{
    uint32_t n[3];
    float numbers[6];
    bool good = count >= HEAD && count <= SCENE_SHAPE_BYTES_MAX && count % 4 == 0;
    if (!good)
        return false;
    *entry = get32(bytes);
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = get32(bytes + 4 + 4 * axis);
        good = good && n[axis] >= 2 && n[axis] <= SCENE_SHAPE_SIDE;
    }
    for (int i = 0; i < 6; i++) {
        numbers[i] = get_float(bytes + 16 + 4 * i);
        good = good && isfinite(numbers[i]) && (i < 3 || numbers[i] > 0);
    }
    if (!good || (size_t)n[0] * n[1] * n[2] != (count - HEAD) / 4)
        return false;
    *shape = (SceneShape){
        .size = numbers[4],
        .cell = numbers[5],
        .volume = {.nx = (int)n[0],
                   .ny = (int)n[1],
                   .nz = (int)n[2],
                   .low = {numbers[0], numbers[1], numbers[2]},
                   .spacing = numbers[3]},
    };
    return true;
}

bool scene_shape_read(const unsigned char *bytes, size_t count, SceneShape shapes[SCENE_SHAPES],
                      bool *damaged)
{
    uint32_t entry;
    SceneShape shape;
    *damaged = !read_head(bytes, count, &entry, &shape) || entry >= SCENE_SHAPES ||
               shapes[entry].volume.distance != NULL;
    if (*damaged)
        return false;
    size_t samples = samples_of(&shape.volume);
    float *distance = malloc(samples * sizeof *distance);
    if (distance == NULL)
        return false;
    shape.volume.distance = distance;
    shapes[entry] = shape;
    for (size_t s = 0; s < samples; s++) {
        distance[s] = get_float(bytes + HEAD + 4 * s);
        *damaged = *damaged || !isfinite(distance[s]);
    }
    return !*damaged;
}

bool scene_shapes_copy(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES])
{
    bool good = true;
    memset(shapes, 0, SCENE_SHAPES * sizeof shapes[0]);
    if (play != NULL)
        scene_play_shapes(play, shapes);
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        BillowVolume *volume = &shapes[entry].volume;
        size_t bytes = sizeof(float) * samples_of(volume);
        if (volume->distance == NULL)
            continue;
        float *copy = malloc(bytes);
        if (copy != NULL)
            memcpy(copy, volume->distance, bytes);
        good = good && copy != NULL;
        volume->distance = copy;
    }
    return good;
}

void scene_shapes_free(SceneShape shapes[SCENE_SHAPES])
{
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        free((void *)shapes[entry].volume.distance);
        shapes[entry].volume.distance = NULL;
    }
}
