/* SPDX-License-Identifier: MIT */
#include "develop.h"

#include "pixel_noise.h"
#include "tone.h"

#include <stddef.h>
#include <string.h>

void develop_close(Develop *develop)
{
    bloom_close(&develop->bloom);
    *develop = (Develop){0};
}

/* As develop.glsl cuts the picture out of its background. */
static void cut_out(RenderTone tone, Vec3 light, float opacity, float noise, float encoded[4])
{
    const Vec3 grey = vec3(0.4f, 0.4f, 0.4f);
    Vec3 seen = tone_encoded(tone, light);
    Vec3 added = vec3_sub(tone_encoded(tone, vec3_along(light, grey, 1 - opacity)), seen);
    float alpha = 1 - vec3_dot(added, vec3(0.2126f, 0.7152f, 0.0722f)) / tone_encoded(tone, grey).y;
    alpha = fmaxf(alpha, fmaxf(seen.x, fmaxf(seen.y, seen.z)));
    alpha = floorf(fminf(fmaxf(alpha, 0), 1) * 255 + noise) / 255;
    float dither = (noise - 0.5f) / 255;
    memset(encoded, 0, 4 * sizeof *encoded);
    if (!(alpha > 0))
        return;
    vec3_store(vec3_along(vec3(dither, dither, dither), seen, 1 / alpha), encoded);
    encoded[3] = alpha;
}

typedef struct Film {
    RenderTone tone;
    float exposure;
    bool transparent;
} Film;

static void encode(const Film *film, float x, float y, const float linear[4], float encoded[4])
{
    Vec3 light = vec3_scale(vec3_from(linear), film->exposure);
    float noise = 0.001f + 0.998f * pixel_noise(x, y), dither = (noise - 0.5f) / 255;
    if (film->transparent) {
        cut_out(film->tone, light, linear[3], noise, encoded);
        return;
    }
    vec3_store(vec3_add(tone_encoded(film->tone, light), vec3(dither, dither, dither)), encoded);
    encoded[3] = 1;
}

static float automatic(Develop *develop, const RenderFrame *frame)
{
    ExposureCell cells[EXPOSURE_CELLS];
    exposure_meter(&develop->bloom, frame->width, frame->height, cells);
    exposure_learn(&develop->exposure, exposure_measure(cells));
    return exposure_follow(&develop->exposure, frame->seconds);
}

bool develop_picture(Develop *develop, const RenderSettings *settings, const RenderFrame *frame,
                     const float *linear, float *encoded, BillowError *error)
{
    float share = settings->picture.bloom;
    Film film = {settings->picture.tone_map, settings->exposure, frame->transparent};
    if ((share > 0 || settings->picture.auto_exposure) &&
        !bloom_reduce(&develop->bloom, frame->width, frame->height, linear, error))
        return false;
    if (settings->picture.auto_exposure)
        film.exposure *= automatic(develop, frame);
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
            encode(&film, fx, fy, light, encoded + at);
        }
    return true;
}
