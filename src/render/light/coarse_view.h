/* SPDX-License-Identifier: MIT
 *
 * Reduces a view to fewer, larger cells, for graphics drivers that cannot hold the whole grid. */
#ifndef RENDER_COARSE_VIEW_H
#define RENDER_COARSE_VIEW_H

#include <billow/billow.h>

typedef struct CoarseView {
    BillowView
        view; /* its arrays point into `memory`, except tracers, which point into the source view */
    float *memory;
    size_t floats;
} CoarseView;

/* Reduces a view to cells `factor` times as long (a power of two): each is the mean of factor^3
 * cells. If the grid's size is no multiple of the factor, the missing cells count as empty air, so
 * that the total amount of smoke is preserved. Velocity, fuel and pressure are omitted. Memory is
 * reused from call to call. Fails if memory is short. */
bool coarse_view_build(CoarseView *coarse, const BillowView *view, int factor, BillowError *error);
void coarse_view_destroy(CoarseView *coarse);

#endif
