/* SPDX-License-Identifier: MIT */
#include "half.h"

#include <string.h>

#define LARGEST 65504.0f    /* half */
#define LEAST   0x38800000u /* 2^-14, the least normal half, as a float's bits */

static float limited(float value)
{
    value = value < LARGEST ? value : LARGEST;
    return value > -LARGEST ? value : -LARGEST;
}

/* Normal numbers lose 13 bits of their fraction, half of the last place that stays being added
 * first; below them, the sum with 0.5 has its last place where halves have theirs, and rounds. */
static uint16_t convert(float value)
{
    uint32_t bits, sum_bits;
    value = limited(value);
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    uint32_t normal = (size + 0xfffu + (size >> 13 & 1u) - 0x38000000u) >> 13;
    float magnitude, sum;
    memcpy(&magnitude, &size, sizeof magnitude);
    sum = magnitude + 0.5f;
    memcpy(&sum_bits, &sum, sizeof sum_bits);
    uint32_t small = sum_bits - 0x3f000000u;
    return (uint16_t)(sign | (size < LEAST ? small : normal));
}

void half_from_floats_plain(const float *values, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = convert(values[i]);
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

__attribute__((target("avx,f16c"))) static void from_floats_f16c(const float *values, size_t count,
                                                                 uint16_t *out)
{
    size_t whole = count & ~(size_t)7;
    __m256 most = _mm256_set1_ps(LARGEST), least = _mm256_set1_ps(-LARGEST);
    for (size_t i = 0; i < whole; i += 8) {
        __m256 eight = _mm256_loadu_ps(values + i);
        eight = _mm256_max_ps(_mm256_min_ps(eight, most), least);
        _mm_storeu_si128((__m128i *)(void *)(out + i),
                         _mm256_cvtps_ph(eight, _MM_FROUND_TO_NEAREST_INT));
    }
    half_from_floats_plain(values + whole, count - whole, out + whole);
}

void half_from_floats(const float *values, size_t count, uint16_t *out)
{
    if (__builtin_cpu_supports("avx2")) /* none has that without; clang does not know f16c here */
        from_floats_f16c(values, count, out);
    else
        half_from_floats_plain(values, count, out);
}

#else

void half_from_floats(const float *values, size_t count, uint16_t *out)
{
    half_from_floats_plain(values, count, out);
}

#endif
