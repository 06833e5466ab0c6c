/* SPDX-License-Identifier: MIT
 *
 * A view of fewer, larger cells, for graphics drivers that cannot hold all of them. */
#ifndef RENDER_COARSE_VIEW_H
#define RENDER_COARSE_VIEW_H

#include <billow/billow.h>

typedef struct CoarseView {
    BillowView view; /* points into the memory; tracers are those of the view that it was made of */
    float *memory;
    size_t floats;
} CoarseView;

/* Cells `factor` times as long, a power of two: means of factor^3 cells each. What lies beyond the
 * box, where its cells are no multiple of the factor, counts as empty air, so that no smoke is made
 * or lost. Velocity, fuel and pressure are left out. Keeps its memory from call to call; fails
 * where there is none. */
bool coarse_view_build(CoarseView *coarse, const BillowView *view, int factor, BillowError *error);
void coarse_view_destroy(CoarseView *coarse);

#endif
