/* SPDX-License-Identifier: MIT
 * What the kernels' loops share. */
#ifndef KERNELS_LOOPS_H
#define KERNELS_LOOPS_H

#include "constants.h"

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

/* Rows to rows of their even and odd elements, and back. */

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

/* Rows are too short, and the fields a stage reads too many, for the processor to guess what is
 * needed next. Nothing depends on these but time. */

/* Functions that do nothing else must be inlined before gcc sees that: it drops calls of them. */
#if defined(__GNUC__)
#define PREFETCHING       __attribute__((always_inline)) static inline
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCHING       static inline
#define PREFETCH(address) ((void)(address))
#endif

/* Asks for a row of n floats; the address may be past the field's end. */
PREFETCHING void prefetch_row(const float *row, int n)
{
    for (int i = 0; i < n; i += ROW_ALIGNMENT)
        PREFETCH(row + i);
}

#endif
