/* SPDX-License-Identifier: MIT
 *
 * What the kernels' loops share. */
#ifndef KERNELS_LOOPS_H
#define KERNELS_LOOPS_H

/* Fixed lanes: sums are taken in this many interleaved parts, added up in order at the end, so that
 * the result is the same however wide the machine's vectors are. */
#define LANES 16

/* For loops whose outputs overlap no input, where the compiler cannot see it through structs. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* For loops that are written once and compiled for each kind of row: they lose most of their speed
 * where the kind is looked up inside. */
#if defined(__GNUC__)
#define FOR_EACH_KIND __attribute__((always_inline)) static inline
#else
#define FOR_EACH_KIND static inline
#endif

static inline double add_lanes(const double *lanes)
{
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

static inline float max_lanes(const float *lanes)
{
    float max = 0;
    for (int lane = 0; lane < LANES; lane++)
        max = lanes[lane] > max ? lanes[lane] : max;
    return max;
}

#endif
