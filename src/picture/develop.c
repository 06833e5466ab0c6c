/* SPDX-License-Identifier: MIT */
#include "develop.h"

#include "pixel_noise.h"
#include "tone.h"

#include <stddef.h>

static void develop(const FrameBlock *frame, LookTone tone, float x, float y, const float linear[4],
                    float encoded[4])
{
    float opacity = linear[3];
    Vec3 straight = opacity > 0 ? vec3_scale(vec3_from(linear), 1 / opacity) : vec3(0, 0, 0);
    Vec3 seen = tone_encoded(tone, vec3_scale(straight, frame->film[0]));
    float dither = (pixel_noise(x, y) - 0.5f) * (0.998f / 255.0f);
    vec3_store(vec3_add(seen, vec3(dither, dither, dither)), encoded);
    encoded[3] = opacity;
}

void develop_picture(const FrameBlock *frame, LookTone tone, int width, int height,
                     const float *linear, float *encoded)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            ptrdiff_t at = 4 * ((ptrdiff_t)y * width + x);
            develop(frame, tone, (float)x + 0.5f, (float)y + 0.5f, linear + at, encoded + at);
        }
}
