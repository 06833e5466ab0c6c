/* SPDX-License-Identifier: MIT
 *
 * The sRGB curve of IEC 61966-2-1 and its inverse, for bytes. */
#ifndef BASE_SRGB_H
#define BASE_SRGB_H

#include <math.h>
#include <stdint.h>

/* Linear light of an encoded value, both 0 to 1. */
static inline float srgb_decoded(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static inline float srgb_encoded(float light)
{
    return light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
}

/* Linear light of a byte. */
static inline float srgb_light(uint8_t byte)
{
    return srgb_decoded((float)byte / 255);
}

/* Byte nearest to linear light, which is limited to 0 to 1. */
static inline uint8_t srgb_byte(float light)
{
    return (uint8_t)(255 * fminf(fmaxf(srgb_encoded(light), 0), 1) + 0.5f);
}

#endif
