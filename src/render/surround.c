/* SPDX-License-Identifier: MIT
 * The surroundings of a picture: makes and uploads their map, and computes its light. */
#include "base/fail.h"
#include "render/renderer_state.h"
#include <stdlib.h>
#include <string.h>

/* Half floats hold 65504. */
#define BRIGHTEST 6e4f

/* Uploads texels of red, green and blue as texels with an alpha of 1, because OpenGL ES generates
 * mipmaps of RGBA16F, but not of RGB16F. */
static bool send_rows(const float *texels, int width, int height, BillowError *error)
{
    float *row = malloc(4 * sizeof *row * (size_t)width);
    if (row == NULL)
        return fail(error, "picture: no memory for the surroundings");
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_FLOAT, NULL);
    bool good = gl_check("memory for the surroundings", error);
    for (int y = 0; y < height && good; y++) {
        const float *from = texels + 3 * (ptrdiff_t)width * y;
        for (int x = 0; x < width; x++) {
            for (int c = 0; c < 3; c++)
                row[4 * x + c] = from[3 * x + c] < BRIGHTEST ? from[3 * x + c] : BRIGHTEST;
            row[4 * x + 3] = 1;
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, y, width, 1, GL_RGBA, GL_FLOAT, row);
    }
    free(row);
    return good;
}

/* Uploads the map, at half the size as often as the driver asks for. A panorama's texels are then
 * freed; its light stays. */
static bool upload(Renderer *renderer, BillowError *error)
{
    SurroundingsMap *map = &renderer->map;
    int most = renderer->texture_2d_max, width = map->width, height = map->height;
    float *texels = map->radiance;
    while (width > most && height > 1) {
        for (int y = 0; y < height / 2; y++)
            for (int x = 0; x < width / 2; x++)
                for (int c = 0; c < 3; c++) {
                    const float *low = texels + 3 * (2 * ((ptrdiff_t)width * y + x)) + c;
                    const float *high = low + 3 * (ptrdiff_t)width;
                    texels[3 * ((ptrdiff_t)(width / 2) * y + x) + c] =
                        0.25f * (low[0] + low[3] + high[0] + high[3]);
                }
        width /= 2;
        height /= 2;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, renderer->surroundings);
    if (!send_rows(texels, width, height, error))
        return false;
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    free(map->radiance);
    map->radiance = NULL;
    return gl_check("upload of the surroundings", error);
}

/* Whether the panorama's file has changed since it was read. */
static bool panorama_changed(Renderer *renderer, const RenderSettings *settings)
{
    if (settings->surroundings.kind != RENDER_PANORAMA)
        return false;
    if (strcmp(renderer->panorama.path, settings->surroundings.file) != 0) {
        renderer->panorama = file_watch_start(settings->surroundings.file);
        return false;
    }
    file_watch_changed(&renderer->panorama); /* notes how the file looks now */
    return file_watch_changed(&renderer->panorama);
}

static bool same_light(const RenderSettings *a, const RenderSettings *b)
{
    return memcmp(&a->sun, &b->sun, sizeof a->sun) == 0 &&
           memcmp(&a->sky, &b->sky, sizeof a->sky) == 0 &&
           memcmp(&a->ground, &b->ground, sizeof a->ground) == 0 &&
           memcmp(&a->surroundings, &b->surroundings, sizeof a->surroundings) == 0;
}

const RenderSettings *renderer_surround(Renderer *renderer, const RenderSettings *settings,
                                        BillowError *error)
{
    SurroundingsMap *map = &renderer->map;
    if (!surroundings_mapped(settings)) {
        renderer->lighting.around = renderer->volume.around = NULL;
        renderer->lighting.around_version = 0;
        return settings;
    }
    uint64_t before = map->version;
    bool again = panorama_changed(renderer, settings), known = map->light != NULL;
    /* A file that is being changed and cannot be read now leaves the panorama as it is. */
    if (!surroundings_map_make(map, settings, again, error) && !(again && known))
        return NULL;
    if (map->version != before && !upload(renderer, error))
        return NULL;
    RenderSettings applied = surroundings_apply(settings, map);
    if (renderer->around_map != map->version || !same_light(&applied, &renderer->applied)) {
        renderer->around = surroundings_of(&applied, map);
        renderer->around_map = map->version;
        renderer->around_version++;
    }
    renderer->applied = applied;
    renderer->lighting.around = renderer->volume.around = &renderer->around;
    renderer->lighting.around_version = renderer->around_version;
    return &renderer->applied;
}
