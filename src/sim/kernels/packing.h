/* SPDX-License-Identifier: MIT
 *
 * Rows to rows of their even and odd elements, and back. */
#ifndef KERNELS_PACKING_H
#define KERNELS_PACKING_H

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

#endif
