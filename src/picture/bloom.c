/* SPDX-License-Identifier: MIT */
#include "bloom.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_EDGE = 8 };

BloomLevels bloom_levels(int width, int height)
{
    BloomLevels levels = {.count = 0};
    int step = BLOOM_FIRST;
    do {
        width = (width + step - 1) / step;
        height = (height + step - 1) / step;
        levels.width[levels.count] = width;
        levels.height[levels.count++] = height;
        step = 2;
    } while ((width < height ? width : height) > LEAST_EDGE && levels.count < BLOOM_LEVELS_MAX);
    return levels;
}

float bloom_share(const BloomLevels *levels, int level)
{
    return (float)(levels->count - 1 - level) / (float)(levels->count - level);
}

void bloom_close(Bloom *bloom)
{
    free(bloom->pixels[0]); /* the others are slices of it */
    *bloom = (Bloom){0};
}

static bool resize(Bloom *bloom, int width, int height, BillowError *error)
{
    BloomLevels levels = bloom_levels(width, height);
    size_t floats = 0;
    for (int level = 0; level < levels.count; level++)
        floats += 4 * (size_t)levels.width[level] * (size_t)levels.height[level];
    if (floats != bloom->floats) {
        bloom_close(bloom);
        bloom->pixels[0] = malloc(floats * sizeof(float));
        if (bloom->pixels[0] == NULL)
            return fail(error, "picture: no memory for the bloom of %dx%d pixels", width, height);
        bloom->floats = floats;
    }
    bloom->levels = levels;
    for (int level = 1; level < levels.count; level++)
        bloom->pixels[level] = bloom->pixels[level - 1] + 4 * (size_t)levels.width[level - 1] *
                                                              (size_t)levels.height[level - 1];
    return true;
}

static int within(int at, int count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

/* As a linear texture of which the edge goes on. */
static void sample(const float *pixels, int width, int height, float x, float y, float out[4])
{
    float left = floorf(x - 0.5f), below = floorf(y - 0.5f);
    float s = x - 0.5f - left, t = y - 0.5f - below;
    ptrdiff_t i0 = within((int)left, width), i1 = within((int)left + 1, width);
    ptrdiff_t j0 = within((int)below, height), j1 = within((int)below + 1, height);
    const float *a = pixels + 4 * (j0 * width + i0), *b = pixels + 4 * (j0 * width + i1);
    const float *c = pixels + 4 * (j1 * width + i0), *d = pixels + 4 * (j1 * width + i1);
    for (int channel = 0; channel < 4; channel++) {
        float low = a[channel] + s * (b[channel] - a[channel]);
        float high = c[channel] + s * (d[channel] - c[channel]);
        out[channel] = low + t * (high - low);
    }
}

void bloom_sample(const Bloom *bloom, int level, float x, float y, float out[4])
{
    sample(bloom->pixels[level], bloom->levels.width[level], bloom->levels.height[level], x, y,
           out);
}

typedef struct Tap {
    float x, y, weight;
} Tap;

static void gather(const float *pixels, int width, int height, float x, float y, const Tap *taps,
                   int count, float out[4])
{
    float sum[4] = {0}, tap[4];
    for (int i = 0; i < count; i++) {
        sample(pixels, width, height, x + taps[i].x, y + taps[i].y, tap);
        for (int channel = 0; channel < 4; channel++)
            sum[channel] += taps[i].weight * tap[channel];
    }
    memcpy(out, sum, sizeof sum);
}

bool bloom_reduce(Bloom *bloom, int width, int height, const float *linear, BillowError *error)
{
    static const Tap quarters[4] = {{-1, -1, 0.25f}, {1, -1, 0.25f}, {-1, 1, 0.25f}, {1, 1, 0.25f}};
    if (!resize(bloom, width, height, error))
        return false;
    int columns = bloom->levels.width[0], rows = bloom->levels.height[0];
#pragma omp parallel for schedule(static)
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            gather(linear, width, height, BLOOM_FIRST * ((float)x + 0.5f),
                   BLOOM_FIRST * ((float)y + 0.5f), quarters, 4,
                   bloom->pixels[0] + 4 * ((ptrdiff_t)y * columns + x));
    return true;
}

/* Five overlapping boxes of 2 x 2 taps, the one in the middle counting as much as the others. */
static void halve(Bloom *bloom, int level)
{
    static const Tap boxes[13] = {
        {0, 0, 0.125f},    {-1, -1, 0.125f},  {1, -1, 0.125f},  {-1, 1, 0.125f}, {1, 1, 0.125f},
        {-2, 0, 0.0625f},  {2, 0, 0.0625f},   {0, -2, 0.0625f}, {0, 2, 0.0625f}, {-2, -2, 0.03125f},
        {2, -2, 0.03125f}, {-2, 2, 0.03125f}, {2, 2, 0.03125f}};
    const BloomLevels *levels = &bloom->levels;
    int columns = levels->width[level];
    for (int y = 0; y < levels->height[level]; y++)
        for (int x = 0; x < columns; x++)
            gather(bloom->pixels[level - 1], levels->width[level - 1], levels->height[level - 1],
                   2 * ((float)x + 0.5f), 2 * ((float)y + 0.5f), boxes, 13,
                   bloom->pixels[level] + 4 * ((ptrdiff_t)y * columns + x));
}

/* A tent over the coarser level's pixels, mixed into this one. */
static void spread_over(Bloom *bloom, int level)
{
    static const Tap tent[9] = {{0, 0, 0.25f},    {-1, 0, 0.125f},  {1, 0, 0.125f},
                                {0, -1, 0.125f},  {0, 1, 0.125f},   {-1, -1, 0.0625f},
                                {1, -1, 0.0625f}, {-1, 1, 0.0625f}, {1, 1, 0.0625f}};
    const BloomLevels *levels = &bloom->levels;
    int columns = levels->width[level], rows = levels->height[level];
    float share = bloom_share(levels, level);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            float wide[4], *here = bloom->pixels[level] + 4 * ((ptrdiff_t)y * columns + x);
            gather(bloom->pixels[level + 1], levels->width[level + 1], levels->height[level + 1],
                   0.5f * ((float)x + 0.5f), 0.5f * ((float)y + 0.5f), tent, 9, wide);
            for (int channel = 0; channel < 4; channel++)
                here[channel] += share * (wide[channel] - here[channel]);
        }
}

void bloom_spread(Bloom *bloom)
{
    for (int level = 1; level < bloom->levels.count; level++)
        halve(bloom, level);
    for (int level = bloom->levels.count - 2; level >= 0; level--)
        spread_over(bloom, level);
}
