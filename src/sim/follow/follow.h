/* SPDX-License-Identifier: MIT
 *
 * Cost that follows the smoke (BILLOW_DOMAIN_FOLLOW). Only active cells are simulated on the grid:
 * blocks of rows with smoke, fuel, heat or emitters, and a margin around them. The rest of
 * the box has cells of twice the width. A second simulation of the whole box, the far field, holds
 * their velocity and pressure; it has no smoke.
 *
 *     fine     |   band   | active cells ...                    |   band   |
 *     far  |       |       |       |       |       |       |       |       |
 *
 * Under active cells the far velocity is the mean of the fine one (restriction). In the band around
 * active cells the fine velocity is interpolated from the far one (prolongation), so that advection
 * can trace back beyond the active cells, and there is no smoke. Beyond the band all fields
 * but packed ones are 0. One pressure solve couples both grids (composite.c). */
#ifndef SIM_FOLLOW_H
#define SIM_FOLLOW_H

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

struct Follow {
    BillowSim *far;
    ActiveRegion region; /* of the grid */
    ActiveRegion near;   /* of the far grid: cells whose velocity is advected; that of far cells
                            beyond changes by the pressure alone */
    bool windy;          /* whether forces act on all air, so that `near` is the whole far field */
    bool used;           /* whether any field may differ from 0; if not, there is nothing to do */
    bool whole;          /* all cells are active, and the far field is not used */
    ActiveRegion before; /* `region` before the last update */
    Span *under_rows;    /* per far plane: the rows whose `under` is not empty */
    Span *under, *inner; /* per row of far cells: those under active cells, and those of them
                            that have no far cell beside them */
    Span *smoke, *active, *band, *work; /* per row of blocks: smoke and emitters, active cells,
                                           band; memory for a pass */
    Span *far_all;                      /* all far cells, per row */
    float *pressure;                    /* far pressure, a plain field, in the far grid's units */
    double *plane_squares; /* per far plane: twice the squared residuals of far cells */
    Beyond beyond;         /* the far cells, for the multigrid cycle */
    bool first;            /* no multigrid cycle of this solve has run yet */
};

static inline bool follows(const BillowSim *sim)
{
    return sim->follow != NULL && !sim->follow->whole;
}

/* Whether nothing has moved the air since the last reset. All fields are 0 then. */
static inline bool follow_rests(const BillowSim *sim)
{
    return follows(sim) && !sim->follow->used;
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

static inline bool span_is_empty(Span span)
{
    return span.end <= span.begin;
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

/* -- active.c: where the active cells are ------------------------------------------------------ */

/* Number of blocks along an axis of n cells. */
static inline int blocks_along(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

/* The parts of `outer` that lie in neither a nor b, at most three. Returns their number. */
int span_parts(Span outer, Span a, Span b, Span parts[3]);

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

/* -- follow.c: memory and changes -------------------------------------------------------------- */

/* Creates the far field, if the definition wants one. */
bool follow_create(BillowSim *sim, BillowError *error);
/* Bytes that follow_create allocates. */
size_t follow_bytes_needed(const BillowDef *def);
void follow_destroy(BillowSim *sim);
void follow_reset(BillowSim *sim);
/* Whether no substep has run since the creation, so that all fields are 0. */
bool follow_is_fresh(const BillowSim *sim);

/* Runs at the start of a substep: activates the cells that smoke can reach in it, and every
 * SHRINK_SUBSTEPS releases those that it has left. */
void follow_update(BillowSim *sim, double dt);

/* Interpolates the pressure of the cells of row (j, k) that the last update has made active, and of
 * the cells around active ones. */
void follow_enter_row(const BillowSim *sim, int j, int k);

/* The parts of ACTIVE_FACES in row (j, k) that the last update added, at most three. Returns their
 * number. */
int follow_new_faces(const BillowSim *sim, int j, int k, Span parts[3]);

/* Makes all cells active, so that every field is valid everywhere. */
void follow_make_whole(BillowSim *sim);

/* The spans of active blocks in a saved state, 2 numbers each, and their number. They are the
 * present ones if `fill` is true. */
Span *follow_saved_spans(const BillowSim *sim, bool fill, int *count);
/* Whether these spans lie in the box. */
bool follow_spans_valid(const BillowSim *sim);
/* Makes the cells of these spans active, or all cells. Clears everything else; the caller then
 * fills the fields. */
void follow_restore(BillowSim *sim, bool whole);

/* region_kept for the present cells; the whole row if all cells are active. */
Span follow_kept(const BillowSim *sim, int j, int k, int n);

/* Clears a scalar in row (j, k) of the band. */
void follow_clear_band(const BillowSim *sim, float *scalar, int j, int k);

/* -- shift.c: boxes that grow ------------------------------------------------------------------ */

/* Copies the active cells and the far field of `from` to `to`, an empty simulation of the same
 * definition. Cell (0, 0, 0) of `from` becomes cell `low`. The same cells are active afterwards. */
void follow_shift(BillowSim *to, const BillowSim *from, const int low[3]);

/* -- window.c: the cells that have memory ------------------------------------------------------ */

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

/* -- transfer.c: velocity between the active cells and the far field --------------------------- */

/* Restricts the fine velocity to the far field under active cells. */
void follow_restrict(BillowSim *sim);
/* The same for those far faces alone that far cells beyond active cells have in common with them.
 */
void follow_restrict_border(BillowSim *sim);
/* Fills the velocity in the band around the active cells from the far field. */
void follow_fill_band(BillowSim *sim);
/* Fills a component of the velocity at the faces of the cells of `outer` that are not faces of
 * active cells, in the slab of a worker. Does nothing if all cells are active. */
void follow_prolong_slab(const BillowSim *sim, int axis, float *component, ActiveSet outer,
                         Team team);
/* Fills the velocity in the cells of the band that `inner` does not contain, per row. */
void follow_prolong(BillowSim *sim, const Span *inner);

/* Row (j, k) of a field of the whole box, of a velocity component `axis` or, with -1, of cells: a
 * row of the field itself, or one in `memory` that has values of the far field where the grid has
 * none.
 */
const float *follow_row(const BillowSim *sim, int axis, const float *field, int j, int k,
                        float *memory);

/* -- composite.c: one pressure for both grids -------------------------------------------------- */

/* Multiplies the last pressure of both grids by `start`. All workers call this after a barrier. */
void composite_scale(const BillowSim *sim, float start, Team team);
/* Sum of the squares of the far right-hand sides, weighted like those of fine cells. */
double composite_squares(const BillowSim *sim, Team team);
/* Subtracts the pressure's gradient from the far velocity, outside of active cells. */
void composite_subtract(BillowSim *sim, Team team);
/* Interpolates the pressure of fine cells from the far pressure. */
void composite_interpolate(const BillowSim *sim, int j, int k, Span cells);
/* Restricts the pressure of all active cells to the far pressure. */
void composite_restrict_all(BillowSim *sim);
/* The far cells of a row beyond active cells: the parts on either side of these. */
void composite_far_parts(const BillowSim *sim, int j, int k, Span parts[2]);
void composite_prepare(BillowSim *sim);

#endif
