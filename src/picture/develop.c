/* SPDX-License-Identifier: MIT */
#include "develop.h"

#include "pixel_noise.h"
#include "tone.h"

#include <stddef.h>

void develop_close(Develop *develop)
{
    bloom_close(&develop->bloom);
    *develop = (Develop){0};
}

static void encode(LookTone tone, float exposure, float x, float y, const float linear[4],
                   float encoded[4])
{
    float opacity = linear[3];
    Vec3 straight = opacity > 0 ? vec3_scale(vec3_from(linear), 1 / opacity) : vec3(0, 0, 0);
    Vec3 seen = tone_encoded(tone, vec3_scale(straight, exposure));
    float dither = (pixel_noise(x, y) - 0.5f) * (0.998f / 255.0f);
    vec3_store(vec3_add(seen, vec3(dither, dither, dither)), encoded);
    encoded[3] = opacity;
}

static float automatic(Develop *develop, const RenderFrame *frame)
{
    ExposureCell cells[EXPOSURE_CELLS];
    exposure_meter(&develop->bloom, frame->width, frame->height, cells);
    exposure_learn(&develop->exposure, exposure_measure(cells));
    return exposure_follow(&develop->exposure, frame->seconds);
}

bool develop_picture(Develop *develop, const Look *look, const RenderFrame *frame,
                     const float *linear, float *encoded, BillowError *error)
{
    float share = look->picture.bloom, exposure = look->exposure;
    if ((share > 0 || look->picture.auto_exposure) &&
        !bloom_reduce(&develop->bloom, frame->width, frame->height, linear, error))
        return false;
    if (look->picture.auto_exposure)
        exposure *= automatic(develop, frame);
    if (share > 0)
        bloom_spread(&develop->bloom);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            ptrdiff_t at = 4 * ((ptrdiff_t)y * frame->width + x);
            float fx = (float)x + 0.5f, fy = (float)y + 0.5f, wide[4], light[4];
            for (int channel = 0; channel < 4; channel++)
                light[channel] = linear[at + channel];
            if (share > 0) {
                bloom_sample(&develop->bloom, 0, fx / BLOOM_FIRST, fy / BLOOM_FIRST, wide);
                for (int channel = 0; channel < 3; channel++)
                    light[channel] += share * (wide[channel] - light[channel]);
            }
            encode(look->picture.tone_map, exposure, fx, fy, light, encoded + at);
        }
    return true;
}
