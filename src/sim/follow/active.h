/* SPDX-License-Identifier: MIT
 *
 * The active cells of a simulation that follows (follow.h): spans of rows, the sets of cells, and
 * the window of cells that have memory. */
#ifndef SIM_ACTIVE_H
#define SIM_ACTIVE_H

#include "sim/sim.h"

enum {
    BLOCK = 4,  /* rows along y and z that share a span */
    ALIGN = 8,  /* spans begin and end at multiples of this, or at the end of a row */
    MARGIN = 8, /* cells between smoke and the end of the active cells, and from there to the end of
                   the band; multiple of both */
};

/* Sets of cells, each larger than the one before. */
typedef enum ActiveSet {
    ACTIVE_CELLS,
    ACTIVE_FACES, /* one cell further in all directions: all faces of active cells are low faces of
                     these */
    ACTIVE_CURL,  /* two cells further */
    ACTIVE_WIDE,  /* four cells further */
    ACTIVE_BAND,  /* MARGIN further */
    ACTIVE_SETS
} ActiveSet;

/* Sets of cells of a grid, per row, at [j + k*ny]. */
struct ActiveRegion {
    Span *spans[ACTIVE_SETS];
    Span *rows[ACTIVE_SETS]; /* per plane: the rows whose spans are not all empty */
};

/* -- spans ------------------------------------------------------------------------------------- */

static inline bool span_is_empty(Span span)
{
    return span.end <= span.begin;
}

/* The cells of row (j, k) that belong to the set; all cells of a simulation without a region. */
static inline Span active_span(const BillowSim *sim, ActiveSet set, int j, int k)
{
    if (sim->region == NULL)
        return (Span){0, (short)sim->grid.nx};
    return sim->region->spans[set][j + (ptrdiff_t)k * sim->grid.ny];
}

/* The rows of plane k that contain all cells of the set. */
static inline Span active_rows(const BillowSim *sim, ActiveSet set, int k)
{
    return sim->region != NULL ? sim->region->rows[set][k] : (Span){0, (short)sim->grid.ny};
}

/* Number of rows of plane k from row j on, before row `end`, that have the same active cells. */
static inline int active_alike(const BillowSim *sim, int j, int end, int k)
{
    Span span = active_span(sim, ACTIVE_CELLS, j, k);
    int next = j + 1;
    for (; next < end; next++) {
        Span other = active_span(sim, ACTIVE_CELLS, next, k);
        if (other.begin != span.begin || other.end != span.end)
            break;
    }
    return next - j;
}

/* The smallest span that contains both. */
static inline Span span_hull(Span a, Span b)
{
    if (span_is_empty(a))
        return b;
    if (span_is_empty(b))
        return a;
    return (Span){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* Whether `outer` contains all of `inner`. */
static inline bool span_covers(Span outer, Span inner)
{
    return span_is_empty(inner) || (outer.begin <= inner.begin && outer.end >= inner.end);
}

/* The span with `cells` more cells at both ends, in a row of n. */
static inline Span span_widen(Span span, int cells, int n)
{
    if (span_is_empty(span))
        return span;
    int begin = span.begin - cells, end = span.end + cells;
    return (Span){(short)(begin < 0 ? 0 : begin), (short)(end > n ? n : end)};
}

/* The span of row (j, k) in a list of those of a grid's cells; empty beyond the grid. */
static inline Span span_at(const Span *spans, const Grid *grid, int j, int k)
{
    if (j < 0 || k < 0 || j >= grid->ny || k >= grid->nz)
        return (Span){0, 0};
    return spans[j + (ptrdiff_t)k * grid->ny];
}

/* The parts of `outer` that lie in neither a nor b, at most three. Returns their number. */
int span_parts(Span outer, Span a, Span b, Span parts[3]);

/* The faces in row (j, k) of velocity component `axis` that belong to the cells of a list: their
 * low faces, and the high faces of the row's own cells (axis 0) or of the cells in the row below
 * along the axis. */
void span_faces(const Span *spans, const Grid *grid, int axis, int j, int k, Span faces[2]);

/* -- where the active cells are ---------------------------------------------------------------- */

/* Number of blocks along an axis of n cells. */
static inline int blocks_along(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* Finds the blocks that are to be active in the next dt, in follow->band. Keeps those that are
 * active if `keep` is true. Returns their share of the box. */
double active_find(BillowSim *sim, double dt, bool keep);
/* Computes all sets of cells from the blocks in follow->band, and keeps the old ones in
 * follow->before. Returns false if nothing changes. */
bool active_apply(BillowSim *sim);
/* Finds the far cells whose velocity is advected: those within some cells of active cells. */
void active_find_near(const BillowSim *sim);
/* Exchanges the present sets and those before. */
void active_swap(Follow *follow);

/* -- the cells that have memory ---------------------------------------------------------------- */

/* The elements of row (j, k) of a field that may differ from 0, of n: cells, or faces, which the
 * last cells of the box have on both sides. */
Span region_kept(const Grid *grid, const ActiveRegion *region, int j, int k, int n);
/* Moves all fields to another window, which contains the band of `kept`. Values outside of that
 * band must be 0. kept = NULL: all values are 0. */
void window_move(BillowSim *sim, Region window, const ActiveRegion *kept);
/* The window for a region. */
Region window_around(const BillowSim *sim, const ActiveRegion *region);
/* Moves all fields to a window that fits the bands of both regions, if the present one does not
 * contain them or is much larger. Values outside of the band of `kept` must be 0. */
void window_fit(BillowSim *sim, const ActiveRegion *kept, const ActiveRegion *other);

#endif
