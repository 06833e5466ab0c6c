/* SPDX-License-Identifier: MIT
 *
 * Helpers for the loops of kernels: sums in fixed lanes, hints to the compiler, packing,
 * prefetching. */
#ifndef KERNELS_LOOPS_H
#define KERNELS_LOOPS_H

#include "sim/fields/constants.h"

/* Number of interleaved partial sums, which are added in order at the end. The result therefore
 * does not depend on the width of the machine's vectors. */
#define LANES 16

/* Marks a loop whose outputs overlap no input. The compiler cannot see that through structs. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* Marks functions that are compiled once for each kind of row. Testing the kind inside their loops
 * would cost most of their speed. */
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

/* Splits a row into its even and odd elements, and back. */

static inline void pack(const float *row, int n, float *restrict even, float *restrict odd)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        even[m] = row[2 * m];
        odd[m] = row[2 * m + 1];
    }
    if (n & 1)
        even[pairs] = row[n - 1];
}

static inline void unpack(const float *even, const float *odd, int n, float *restrict row)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        row[2 * m] = even[m];
        row[2 * m + 1] = odd[m];
    }
    if (n & 1)
        row[n - 1] = even[pairs];
}

/* Prefetching. Rows are too short, and the fields that a stage reads too many, for the processor to
 * predict what is needed next. Prefetching does not change results. */

/* Functions that only prefetch must be inlined early, since gcc drops calls of them. */
#if defined(__GNUC__)
#define PREFETCHING       __attribute__((always_inline)) static inline
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCHING       static inline
#define PREFETCH(address) ((void)(address))
#endif

/* Prefetches a row of n floats. The address may be past the field's end. */
PREFETCHING void prefetch_row(const float *row, int n)
{
    for (int i = 0; i < n; i += ROW_ALIGNMENT)
        PREFETCH(row + i);
}

#endif
