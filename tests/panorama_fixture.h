/* SPDX-License-Identifier: MIT
 * Panoramas made by a function of the direction, as .hdr files. */
#ifndef TESTS_PANORAMA_FIXTURE_H
#define TESTS_PANORAMA_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Writes the radiance of the direction with unit length `to`. */
typedef void PanoramaLight(const float to[3], float rgb[3]);

/* Encodes a pixel as Ward's shared exponent. */
static inline void panorama_pixel(const float rgb[3], unsigned char out[4])
{
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
    int exponent = 0;
    out[3] = 0;
    if (most > 1e-30f) {
        frexpf(most, &exponent);
        out[3] = (unsigned char)(exponent + 128);
    }
    for (int c = 0; c < 3; c++)
        out[c] = (unsigned char)fminf(ldexpf(rgb[c], 8 - exponent) + 0.5f, 255);
}

/* The direction of a pixel: the middle of the picture is straight ahead of a camera at azimuth 0,
 * which looks along -z, and columns run to its right, along +x. */
static inline void panorama_direction(int x, int y, int height, float to[3])
{
    const float pi = 3.14159265f;
    float elevation = (0.5f - ((float)y + 0.5f) / (float)height) * pi;
    float right = (((float)x + 0.5f) / (float)height - 1) * pi;
    to[0] = sinf(right) * cosf(elevation);
    to[1] = sinf(elevation);
    to[2] = -cosf(right) * cosf(elevation);
}

static inline void panorama_write(const char *path, int height, PanoramaLight *light)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height,
            2 * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 2 * height; x++) {
            float to[3], rgb[3];
            unsigned char pixel[4];
            panorama_direction(x, y, height, to);
            light(to, rgb);
            panorama_pixel(rgb, pixel);
            fwrite(pixel, 1, sizeof pixel, file);
        }
    assert_int_equal(fclose(file), 0);
}

#endif
