/* SPDX-License-Identifier: MIT */
#include "bloom.h"

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
