/* SPDX-License-Identifier: MIT
 *
 * Rows are too short, and the fields a stage reads too many, for the processor to guess what is
 * needed next. Nothing depends on these but time. */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "constants.h"

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
