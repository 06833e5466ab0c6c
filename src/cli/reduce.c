/* SPDX-License-Identifier: MIT */
#include "reduce.h"

#include "fail.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* IEC 61966-2-1, there and back. */
static float decoded(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static uint8_t encoded(float light)
{
    float value = light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * fminf(fmaxf(value, 0), 1) + 0.5f);
}

bool reduce_open(Reduce *reduce, int factor, int width, BillowError *error)
{
    *reduce = (Reduce){.factor = factor};
    if (factor == 1)
        return true;
    for (int byte = 0; byte < 256; byte++)
        reduce->linear[byte] = decoded((float)byte / 255);
    reduce->sums = calloc((size_t)width * 4, sizeof *reduce->sums);
    return reduce->sums != NULL ||
           fail(error, "picture: no memory for samples of %d pixels", width);
}

void reduce_close(Reduce *reduce)
{
    free(reduce->sums);
    reduce->sums = NULL;
}

static void add_row(Reduce *reduce, const uint8_t *pixels, const Image *image)
{
    int channels = image->channels;
    for (int x = 0; x < image->width * reduce->factor; x++) {
        const uint8_t *pixel = pixels + (size_t)x * (size_t)channels;
        float *sum = reduce->sums + 4 * (x / reduce->factor);
        float alpha = channels == 4 ? (float)pixel[3] / 255 : 1;
        for (int c = 0; c < 3; c++)
            sum[c] += alpha * reduce->linear[pixel[c]];
        sum[3] += alpha;
    }
}

static void finish_row(Reduce *reduce, Image *image, int row)
{
    int channels = image->channels;
    float samples = (float)(reduce->factor * reduce->factor);
    for (int x = 0; x < image->width; x++) {
        const float *sum = reduce->sums + 4 * x;
        uint8_t *pixel =
            image->pixels + ((size_t)row * (size_t)image->width + (size_t)x) * (size_t)channels;
        for (int c = 0; c < 3; c++)
            pixel[c] = sum[3] > 0 ? encoded(sum[c] / sum[3]) : 0;
        if (channels == 4)
            pixel[3] = (uint8_t)(255 * sum[3] / samples + 0.5f);
    }
    memset(reduce->sums, 0, (size_t)image->width * 4 * sizeof *reduce->sums);
}

void reduce_take(Reduce *reduce, const Band *band, Image *image)
{
    size_t row = (size_t)image->width * (size_t)image->channels * (size_t)reduce->factor;
    for (int y = 0; y < band->rows; y++) {
        int at = band->first + y;
        add_row(reduce, band->pixels + (size_t)y * row, image);
        if (at % reduce->factor == reduce->factor - 1)
            finish_row(reduce, image, at / reduce->factor);
    }
}
