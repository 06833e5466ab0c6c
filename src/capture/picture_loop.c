/* SPDX-License-Identifier: MIT
 * A picture P is smoke L over a still S, in linear light, premultiplied by alpha:
 *
 *     P = L + (1 - a) S        a: opacity of the smoke
 *
 * L and a are displaced and mixed, S is mixed. L is P - (1 - a) S, so it also holds the light that
 * smoke throws on the rest of the picture, and bloom. */
#include "capture/picture_loop.h"

#include "base/fail.h"
#include "base/srgb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIGHT = 4,  /* red, green, blue, opacity */
    LAYER = 5,  /* floats a pixel of a layer: its light, and the strength of its details */
    FINE = 2,   /* details are what a mean over 2 FINE + 1 pixels takes away */
    AROUND = 4, /* their strength is a mean over 2 AROUND + 1 pixels */
    PARTS = 7   /* layers in memory */
};

#define WHITE       1.2f /* light of a film curve's white; 1 would be infinitely bright */
#define RAISED_MOST 1.5f /* largest factor on details; 1.41 where no two match */
#define SAME                                                                                       \
    0.01f            /* light that the backgrounds of both frames may differ by and count as equal \
                      */
#define LITTLE 1e-8f /* strength of details that do not count */

/* -- frames ------------------------------------------------------------------------------------ */

bool loop_frame_smoke(LoopFrame *frame, int width, int height, BillowError *error)
{
    frame->smoke = calloc((size_t)width * (size_t)height, 1);
    return frame->smoke != NULL ||
           fail(error, "picture: no memory for the opacity of %dx%d pixels", width, height);
}

void loop_frame_free(LoopFrame *frame)
{
    image_destroy(&frame->shown);
    if (!frame->shared)
        image_destroy(&frame->still);
    free(frame->smoke);
    frame->smoke = NULL;
}

float picture_loop_share(int loop, int number, int frames)
{
    int into = number - (frames - loop);
    return loop > 0 && into > 0 ? (float)into / (float)(loop + 1) : 0;
}

float picture_loop_weight(float share)
{
    return share * share * (3 - 2 * share);
}

bool picture_loop_needs(int loop, int number, int frames)
{
    return loop > 0 && (number <= 0 || number > frames - loop);
}

bool picture_loop_open(PictureLoop *loop, int frames, int width, int height, BillowError *error)
{
    *loop = (PictureLoop){.frames = frames};
    if (frames == 0)
        return true;
    loop->before = calloc((size_t)frames, sizeof *loop->before);
    if (loop->before == NULL)
        return fail(error, "not enough memory for a loop of %d frames", frames);
    return picture_flow_create(&loop->flow, width, height, error);
}

void picture_loop_close(PictureLoop *loop)
{
    for (int frame = 0; loop->before != NULL && frame < loop->frames; frame++)
        loop_frame_free(&loop->before[frame]);
    free(loop->before);
    loop->before = NULL;
    picture_flow_destroy(&loop->flow);
}

void picture_loop_keep(PictureLoop *loop, int number, LoopFrame *frame)
{
    LoopFrame *kept = &loop->before[number - 1 + loop->frames];
    *kept = *frame;
    *frame = (LoopFrame){.smoke = NULL}; /* belongs to the loop now */
    const Image *same = kept > loop->before ? &kept[-1].still : NULL;
    if (same == NULL || same->pixels == NULL || kept->still.pixels == NULL ||
        memcmp(same->pixels, kept->still.pixels,
               (size_t)same->width * (size_t)same->height * (size_t)same->channels) != 0)
        return;
    image_destroy(&kept->still);
    kept->still = *same;
    kept->shared = true;
}

/* -- layers ------------------------------------------------------------------------------------ */

/* The film curve makes bright yellow fire pale. Half of its light would be grey if it were mixed as
 * the screen shows it. So light is mixed as it was before a film curve, near enough:
 * shown = WHITE light / (1 + light). */
static float light_of_shown(float shown)
{
    return shown / (WHITE - shown);
}

static float shown_of_light(float light)
{
    return light > 0 ? WHITE * light / (1 + light) : 0;
}

/* Light of a pixel over black, and alpha. Colours of a transparent picture are to be multiplied by
 * alpha as they are encoded (shaders/develop.glsl). */
static void light_of(const Image *image, size_t pixel, float light[LIGHT])
{
    if (image->pixels == NULL) {
        memset(light, 0, LIGHT * sizeof *light);
        return;
    }
    const uint8_t *bytes = image->pixels + pixel * (size_t)image->channels;
    light[3] = image->channels == 4 ? (float)bytes[3] / 255 : 1;
    for (int c = 0; c < 3; c++)
        light[c] = light_of_shown(srgb_decoded(light[3] * (float)bytes[c] / 255));
}

static float luminance_of(const float light[3])
{
    return 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2];
}

/* Separates the smoke of a frame from what is still. */
static void smoke_of(const LoopFrame *frame, float *layer)
{
    const size_t pixels = (size_t)frame->shown.width * (size_t)frame->shown.height;
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        float still[LIGHT], *out = layer + LAYER * p;
        light_of(&frame->shown, p, out);
        light_of(&frame->still, p, still);
        float opacity = still[3] < 1 ? fmaxf((out[3] - still[3]) / (1 - still[3]), 0)
                                     : (float)frame->smoke[p] / 255;
        /* A shadow counts as opacity, so that the pattern of what it falls on stays in place. That
         * of its darkest colour, so that no light is negative. */
        for (int c = 0; c < 3 && still[3] >= 1; c++)
            if (out[c] < (1 - opacity) * still[c])
                opacity = 1 - out[c] / still[c];
        for (int c = 0; c < 3; c++)
            out[c] -= (1 - opacity) * still[c];
        out[3] = opacity;
    }
}

/* What the flow compares: lightness, near enough, and opacity. */
static void features_of(const float *layer, size_t pixels, float *features)
{
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        const float *light = layer + LAYER * p;
        const float luminance = luminance_of(light);
        features[FLOW_CHANNELS * p] = copysignf(sqrtf(shown_of_light(fabsf(luminance))), luminance);
        features[FLOW_CHANNELS * p + 1] = light[3];
    }
}

static int mirrored(int at, int count)
{
    at = at < 0 ? -1 - at : at;
    at = at >= count ? 2 * count - 1 - at : at;
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

/* Weights of four pixels in a row at a place from the second (0) to the third (1), by Catmull and
 * Rom's cubics, which keep details. */
static void cubic(float t, float weight[4])
{
    weight[0] = 0.5f * t * (t * (2 - t) - 1);
    weight[1] = 0.5f * (t * t * (3 * t - 5) + 2);
    weight[2] = 0.5f * t * (t * (4 - 3 * t) + 1);
    weight[3] = 0.5f * t * t * (t - 1);
}

/* Samples a layer. The result stays between the four pixels around the place, so that the cubics
 * make no rims. */
static void sample(const float *layer, int channels, int width, int height, float x, float y,
                   float *out)
{
    const float left = floorf(x), top = floorf(y);
    float across[4], down[4], least[PICTURE_LOOP_CHANNELS], most[PICTURE_LOOP_CHANNELS];
    cubic(x - left, across);
    cubic(y - top, down);
    for (int c = 0; c < channels; c++) {
        out[c] = 0;
        least[c] = INFINITY;
        most[c] = -INFINITY;
    }
    for (int at = 0; at < 16; at++) {
        const int i = at % 4, j = at / 4;
        const int column = mirrored((int)left - 1 + i, width);
        const int row = mirrored((int)top - 1 + j, height);
        const float *pixel =
            layer + (size_t)channels * ((size_t)row * (size_t)width + (size_t)column);
        const bool around = i > 0 && i < 3 && j > 0 && j < 3;
        for (int c = 0; c < channels; c++) {
            out[c] += down[j] * across[i] * pixel[c];
            least[c] = around ? fminf(least[c], pixel[c]) : least[c];
            most[c] = around ? fmaxf(most[c], pixel[c]) : most[c];
        }
    }
    for (int c = 0; c < channels; c++)
        out[c] = fminf(fmaxf(out[c], least[c]), most[c]);
}

/* Displaces a layer by the flow times a factor. */
static void displace(const PictureFlow *flow, float factor, int channels, const float *layer,
                     float *out)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < flow->height; y++)
        for (int x = 0; x < flow->width; x++) {
            float u[2];
            picture_flow_at(flow, (float)x, (float)y, u);
            sample(layer, channels, flow->width, flow->height, (float)x + factor * u[0],
                   (float)y + factor * u[1],
                   out + (size_t)channels * ((size_t)y * (size_t)flow->width + (size_t)x));
        }
}

/* -- details ----------------------------------------------------------------------------------- */

/* Mean over 2 radius + 1 pixels along one axis. */
static void mean_along(const float *from, int width, int height, int radius, bool down, float *to)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum[LAYER] = {0};
            for (int i = -radius; i <= radius; i++) {
                const int column = down ? x : mirrored(x + i, width);
                const int row = down ? mirrored(y + i, height) : y;
                const float *pixel = from + LAYER * ((size_t)row * (size_t)width + (size_t)column);
                for (int c = 0; c < LAYER; c++)
                    sum[c] += pixel[c];
            }
            float *out = to + LAYER * ((size_t)y * (size_t)width + (size_t)x);
            for (int c = 0; c < LAYER; c++)
                out[c] = sum[c] / (float)(2 * radius + 1);
        }
}

/* Memory for details, LAYER floats a pixel each. */
typedef struct Details {
    int width, height;
    float *coarse, *strength, *spare;
} Details;

static void mean(const Details *details, const float *from, int radius, float *to)
{
    mean_along(from, details->width, details->height, radius, false, details->spare);
    mean_along(details->spare, details->width, details->height, radius, true, to);
}

/* Writes the layer without details to `coarse`, and the mean square of the details' luminance to
 * the last float of each pixel of `strength`. */
static void measure(const Details *details, const float *layer)
{
    const size_t pixels = (size_t)details->width * (size_t)details->height;
    mean(details, layer, FINE, details->coarse);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        const float detail =
            luminance_of(layer + LAYER * p) - luminance_of(details->coarse + LAYER * p);
        details->strength[LAYER * p + LAYER - 1] = detail * detail;
    }
    mean(details, details->strength, AROUND, details->strength);
}

/* Sets the last float of each pixel of a layer. */
static void set_strength(const Details *details, float *layer)
{
    const size_t pixels = (size_t)details->width * (size_t)details->height;
    measure(details, layer);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++)
        layer[LAYER * p + LAYER - 1] = details->strength[LAYER * p + LAYER - 1];
}

/* Makes the details of the mixture as strong as it says. */
static void strengthen(const Details *details, float *mixture)
{
    const size_t pixels = (size_t)details->width * (size_t)details->height;
    measure(details, mixture);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        float *pixel = mixture + LAYER * p;
        const float *coarse = details->coarse + LAYER * p;
        const float wanted = pixel[LAYER - 1] + LITTLE;
        const float there = details->strength[LAYER * p + LAYER - 1] + LITTLE;
        const float factor = fminf(fmaxf(sqrtf(wanted / there), 1), RAISED_MOST);
        for (int c = 0; c < LIGHT; c++) {
            const float raised = coarse[c] + factor * (pixel[c] - coarse[c]);
            pixel[c] = fmaxf(raised, fminf(pixel[c], 0.5f * pixel[c])); /* no dark rims */
        }
    }
}

/* -- the mixture ------------------------------------------------------------------------------- */

static uint8_t byte_of(float value)
{
    return (uint8_t)(255 * fminf(fmaxf(value, 0), 1) + 0.5f);
}

/* Lays the mixture of the smoke over that of what is still. Where that differs, nothing is
 * displaced: smoke before one of two things does not belong before the other. */
static void lay(const float *mixture, float share, const LoopFrame *other, LoopFrame *frame)
{
    const size_t pixels = (size_t)frame->shown.width * (size_t)frame->shown.height;
    const size_t channels = (size_t)frame->shown.channels;
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < pixels; p++) {
        uint8_t *out = frame->shown.pixels + channels * p;
        const float *smoke = mixture + LAYER * p;
        const float opacity = fminf(fmaxf(smoke[3], 0), 1);
        float still[2][LIGHT], light[LIGHT];
        const bool clear = opacity < 0.5f / 255 && fabsf(luminance_of(smoke)) < 1e-3f;
        if (clear && memcmp(out, other->shown.pixels + channels * p, channels) == 0)
            continue;
        light_of(&frame->still, p, still[0]);
        light_of(&other->still, p, still[1]);
        for (int c = 0; c < LIGHT; c++)
            light[c] = (c < 3 ? smoke[c] : opacity) +
                       (1 - opacity) * ((1 - share) * still[0][c] + share * still[1][c]);
        /* How much what is still differs here, 0 to 1: a solid moves, or the camera. */
        float most = 0;
        for (int c = 0; c < LIGHT; c++)
            most = fmaxf(most, fabsf(still[1][c] - still[0][c]));
        const float apart = fminf(fmaxf((most - SAME) / SAME, 0), 1);
        if (apart > 0) {
            float plain[2][LIGHT];
            light_of(&frame->shown, p, plain[0]);
            light_of(&other->shown, p, plain[1]);
            for (int c = 0; c < LIGHT; c++)
                light[c] += apart * ((1 - share) * plain[0][c] + share * plain[1][c] - light[c]);
        }
        float shown[3], alpha = light[3];
        for (int c = 0; c < 3; c++) {
            shown[c] = srgb_encoded(shown_of_light(light[c]));
            alpha = channels == 4 ? fmaxf(alpha, fminf(shown[c], 1)) : 1;
        }
        for (int c = 0; c < 3; c++)
            out[c] = alpha > 0 ? byte_of(shown[c] / alpha) : 0;
        if (channels == 4)
            out[3] = byte_of(alpha);
    }
}

/* Displaces both layers to where their features meet, and mixes them. parts: the layers, then room
 * for PARTS - 2 more. The mixture is in part 2. */
static void mix(const PictureFlow *flow, float share, float weight, float *const parts[PARTS])
{
    const size_t pixels = (size_t)flow->width * (size_t)flow->height;
    const Details details = {flow->width, flow->height, parts[4], parts[5], parts[6]};
    set_strength(&details, parts[0]);
    set_strength(&details, parts[1]);
    displace(flow, -share, LAYER, parts[0], parts[2]);
    displace(flow, 1 - share, LAYER, parts[1], parts[3]);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < LAYER * pixels; i++)
        parts[2][i] = (1 - weight) * parts[2][i] + weight * parts[3][i];
    strengthen(&details, parts[2]);
}

bool picture_loop_fade(PictureLoop *loop, int number, int frames, LoopFrame *frame,
                       BillowError *error)
{
    const int into = number - (frames - loop->frames);
    const LoopFrame *other = &loop->before[into - 1];
    const int width = frame->shown.width, height = frame->shown.height;
    const size_t pixels = (size_t)width * (size_t)height;
    float *memory = calloc(PARTS * LAYER * pixels, sizeof *memory);
    if (memory == NULL)
        return fail(error, "picture: no memory to fade %dx%d pixels", width, height);
    float *parts[PARTS];
    for (size_t i = 0; i < PARTS; i++)
        parts[i] = memory + i * LAYER * pixels;
    const float share = picture_loop_share(loop->frames, number, frames);
    const float weight = picture_loop_weight(share);
    smoke_of(frame, parts[0]);
    smoke_of(other, parts[1]);
    features_of(parts[0], pixels, parts[2]);
    features_of(parts[1], pixels, parts[3]);
    const bool good = picture_flow_find(&loop->flow, parts[2], parts[3], share, into > 1, error);
    if (good) {
        mix(&loop->flow, share, weight, parts);
        lay(parts[2], weight, other, frame);
    }
    free(memory);
    return good;
}

bool picture_loop_mix(const PictureFlow *flow, float share, int channels, const float *other,
                      float *own, BillowError *error)
{
    const size_t floats = (size_t)channels * (size_t)flow->width * (size_t)flow->height;
    const float weight = picture_loop_weight(share);
    float *parts = malloc(2 * floats * sizeof *parts);
    if (parts == NULL)
        return fail(error, "picture: no memory to fade the light of %dx%d pixels", flow->width,
                    flow->height);
    displace(flow, -share, channels, own, parts);
    displace(flow, 1 - share, channels, other, parts + floats);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < floats; i++)
        own[i] = (1 - weight) * parts[i] + weight * parts[floats + i];
    free(parts);
    return true;
}
