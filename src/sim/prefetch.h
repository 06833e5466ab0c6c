/* SPDX-License-Identifier: MIT
 *
 * Rows are too short, and the fields a stage reads too many, for the processor to guess what is
 * needed next. Nothing depends on these but time. */
#ifndef SIM_PREFETCH_H
#define SIM_PREFETCH_H

#include "constants.h"

/* Asks for a row of n floats; the address may be past the field's end. Always inline: gcc drops
 * calls of functions that only prefetch. */
#if defined(__GNUC__)
__attribute__((always_inline))
#endif
static inline void
prefetch_row(const float *row, int n)
{
#if defined(__GNUC__)
    for (int i = 0; i < n; i += ROW_ALIGNMENT)
        __builtin_prefetch(row + i);
#else
    (void)row;
    (void)n;
#endif
}

#endif
