/* SPDX-License-Identifier: MIT
 *
 * The difference of two pictures: bit by bit, and as the eye sees it. */
#ifndef TESTS_PICTURE_COMPARE_H
#define TESTS_PICTURE_COMPARE_H

#include "io/image.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Distances are in CIELAB (CIE 1976, D65); about 2.3 is just noticeable (Mahy, Van Eycken,
 * Oosterlinck 1994). The mean over all pixels shows tint and grain. The worst distance between the
 * mean colours of squares of 8 x 8 pixels shows what moved, appeared or vanished, and ignores
 * antialiasing and jitter of single pixels. Transparent pictures are compared over black and over
 * white. */
typedef struct PictureDifference {
    int largest;        /* of any channel, in steps of 8 bits */
    double mean, worst; /* 0 if the pictures have the same size and no pixel differs */
    int x, y;           /* of the worst square */
} PictureDifference;

/* What passes for the same picture drawn by another driver. A second renderer, which shared no code
 * with the shaders, came to 0.07 and 0.12. */
#define PICTURE_MEAN_MAX  0.5
#define PICTURE_WORST_MAX 1.5

static inline bool picture_looks_same(const PictureDifference *difference)
{
    return difference->mean <= PICTURE_MEAN_MAX && difference->worst <= PICTURE_WORST_MAX;
}

static inline double picture_bent(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* sRGB, 0..255, over a backdrop that shows in proportion to 1 - opacity. */
static inline void picture_lab(const uint8_t *pixel, int channels, double backdrop, double lab[3])
{
    double linear[3], opacity = channels == 4 ? pixel[3] / 255.0 : 1;
    for (int c = 0; c < 3; c++) {
        double v = pixel[c] / 255.0 * opacity + backdrop * (1 - opacity);
        linear[c] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    double x = 0.4124 * linear[0] + 0.3576 * linear[1] + 0.1805 * linear[2];
    double y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    double z = 0.0193 * linear[0] + 0.1192 * linear[1] + 0.9505 * linear[2];
    double fx = picture_bent(x / 0.95047), fy = picture_bent(y), fz = picture_bent(z / 1.08883);
    lab[0] = 116 * fy - 16;
    lab[1] = 500 * (fx - fy);
    lab[2] = 200 * (fy - fz);
}

static inline double picture_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Per pixel, three numbers: what Lab changes by. */
static inline void picture_changes(const Image *a, const Image *b, double backdrop, double *changes)
{
    for (int i = 0; i < a->width * a->height; i++) {
        double left[3], right[3];
        picture_lab(a->pixels + (ptrdiff_t)i * a->channels, a->channels, backdrop, left);
        picture_lab(b->pixels + (ptrdiff_t)i * b->channels, b->channels, backdrop, right);
        for (int c = 0; c < 3; c++)
            changes[3 * i + c] = right[c] - left[c];
    }
}

static inline double picture_square(const double *changes, int width, int x, int y, int edge)
{
    double sum[3] = {0, 0, 0};
    for (int j = y; j < y + edge; j++)
        for (int i = x; i < x + edge; i++)
            for (int c = 0; c < 3; c++)
                sum[c] += changes[3 * (j * width + i) + c] / (edge * edge);
    return picture_length(sum);
}

static inline void picture_look(const Image *a, const double *changes, PictureDifference *found)
{
    enum { EDGE = 8, APART = 4 };
    double sum = 0;
    for (int i = 0; i < a->width * a->height; i++)
        sum += picture_length(changes + (ptrdiff_t)3 * i);
    found->mean = fmax(found->mean, sum / (a->width * a->height));
    for (int y = 0; y + EDGE <= a->height; y += APART)
        for (int x = 0; x + EDGE <= a->width; x += APART) {
            double off = picture_square(changes, a->width, x, y, EDGE);
            if (off <= found->worst)
                continue;
            found->worst = off;
            found->x = x;
            found->y = y;
        }
}

/* Pictures of different sizes get the largest possible difference. */
static inline PictureDifference picture_compare(const Image *a, const Image *b)
{
    PictureDifference found = {0, 0, 0, 0, 0};
    if (a->width != b->width || a->height != b->height || a->channels != b->channels)
        return (PictureDifference){255, 100, 100, 0, 0};
    for (int i = 0; i < a->width * a->height * a->channels; i++) {
        int off = abs(a->pixels[i] - b->pixels[i]);
        found.largest = off > found.largest ? off : found.largest;
    }
    double *changes = malloc(3 * sizeof *changes * (size_t)a->width * (size_t)a->height);
    if (changes == NULL || found.largest == 0) {
        free(changes);
        return found.largest == 0 ? found : (PictureDifference){255, 100, 100, 0, 0};
    }
    for (int backdrop = 0; backdrop < (a->channels == 4 ? 2 : 1); backdrop++) {
        picture_changes(a, b, backdrop, changes);
        picture_look(a, changes, &found);
    }
    free(changes);
    return found;
}

#endif
