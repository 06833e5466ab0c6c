/* SPDX-License-Identifier: MIT
 *
 * A view whose smoke has steeper edges than that of the simulation, for pictures in motion.
 * Advection blurs edges over some cells. Each pass moves the density of a cell away from the mean
 * of the places a cell up and a cell down its gradient (a shock filter: Osher & Rudin 1990; Alvarez
 * & Mazorra 1994), but not beyond the least and the largest of its neighbours, so that nothing
 * overshoots. Creases may be cut into them (creases.h). Empty cells stay empty. Curvature across
 * the gradient does not count: balls keep their size. The up-resolution does nearly the same to
 * stills (billow/upres.h). */
#ifndef RENDER_STEEP_VIEW_H
#define RENDER_STEEP_VIEW_H

#include "render/creases.h"

#include <billow/billow.h>

/* Begins with all members 0: without memory. */
typedef struct SteepView {
    float *memory;     /* arrays laid out as those of the view, one after the other */
    BillowSpan *spans; /* the cells that may hold values in any of them */
    int nz, blocks;    /* planes, and spans of a plane */
    ptrdiff_t stride_y, stride_z;
    Creases creases; /* where the creases have come to */
    int arrays;      /* number of arrays: two for the density, one for each field that follows it */
} SteepView;

/* Returns `view` with steeper density, and with colours and age that keep their share of it. It is
 * valid until the next call for `steep`, and as long as `view`. passes: at least 1. creases: how
 * deep creases are cut into the edges before the last pass, which sharpens these too; 0 to 1.
 * Without memory, leaves creases out, or returns `view` itself. */
BillowView steep_view(SteepView *steep, const BillowView *view, int passes, float creases);

/* Begins another simulation, whose creases do not follow those before. */
void steep_view_forget(SteepView *steep);
/* Frees the memory. */
void steep_view_end(SteepView *steep);

#endif
