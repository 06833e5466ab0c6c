/* SPDX-License-Identifier: MIT
 *
 * An octave is the difference between the picture and a blurred one, or between two blurred ones,
 * without leaving out pixels (Burt & Adelson 1983, with the spacing of Holschneider 1989). */
#include "bench/sharpness.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Least opacity of the smoke in a pixel that counts, of 255. */
enum { OPAQUE_LEAST = 64 };

/* Index of a pixel that may lie beyond the ends of a line, which mirror. */
static int mirrored(int i, int n)
{
    i = i < 0 ? -i : i;
    i = i >= n ? 2 * (n - 1) - i : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Blurs lines along one axis by 1 4 6 4 1 at this spacing. */
static void blur_lines(const float *from, float *to, const int n[2], int axis, int spacing)
{
    static const float weights[] = {6.0f / 16, 4.0f / 16, 1.0f / 16};
    const ptrdiff_t step = axis == 0 ? 1 : n[0];
    for (int y = 0; y < n[1]; y++)
        for (int x = 0; x < n[0]; x++) {
            const int at = axis == 0 ? x : y;
            const float *line = from + (axis == 0 ? (ptrdiff_t)y * n[0] : x);
            float sum = weights[0] * line[at * step];
            for (int tap = 1; tap < 3; tap++)
                sum += weights[tap] * (line[mirrored(at - tap * spacing, n[axis]) * step] +
                                       line[mirrored(at + tap * spacing, n[axis]) * step]);
            to[(ptrdiff_t)y * n[0] + x] = sum;
        }
}

/* Adds the power of each octave of a picture inside its smoke. */
static bool find_power(const uint8_t *picture, const uint8_t *smoke, const int n[2],
                       double power[SHARPNESS_OCTAVES])
{
    const size_t count = (size_t)n[0] * (size_t)n[1];
    float *here = malloc(3 * count * sizeof *here), *blurred = here + count,
          *half = blurred + count;
    if (here == NULL)
        return false;
    for (size_t p = 0; p < count; p++) {
        const uint8_t *rgb = picture + 4 * p;
        here[p] = 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
    }
    for (int octave = 0; octave < SHARPNESS_OCTAVES; octave++) {
        blur_lines(here, half, n, 0, 1 << octave);
        blur_lines(half, blurred, n, 1, 1 << octave);
        power[octave] = 0;
        for (size_t p = 0; p < count; p++) {
            const double detail = (double)(here[p] - blurred[p]);
            power[octave] += smoke[p] >= OPAQUE_LEAST ? detail * detail : 0;
        }
        memcpy(here, blurred, count * sizeof *here);
    }
    free(here);
    return true;
}

void sharpness_compare(const uint8_t *picture, const uint8_t *other, const uint8_t *smoke,
                       int width, int height, double contrast[SHARPNESS_OCTAVES])
{
    const int n[2] = {width, height};
    double powers[2][SHARPNESS_OCTAVES];
    const bool known =
        find_power(picture, smoke, n, powers[0]) && find_power(other, smoke, n, powers[1]);
    for (int octave = 0; octave < SHARPNESS_OCTAVES; octave++)
        contrast[octave] = known && powers[1][octave] > 0
                               ? sqrt(powers[0][octave] / powers[1][octave])
                               : (double)NAN;
}
