/* SPDX-License-Identifier: MIT
 * Arithmetic of vectors with three components. */
#ifndef APP_VECTOR_H
#define APP_VECTOR_H

static inline float vector_dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a + s b; `out` may be the same array as `a`. */
static inline void vector_add_scaled(const float a[3], float s, const float b[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + s * b[i];
}

static inline float vector_clamp(float value, float least, float most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
