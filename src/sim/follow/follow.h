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

#include "sim/follow/active.h"

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

/* Creates the far field, if the definition wants one. */
bool follow_create(BillowSim *sim, BillowError *error);
/* Bytes that follow_create allocates. */
size_t follow_bytes_needed(const BillowDef *def);
void follow_destroy(BillowSim *sim);
void follow_reset(BillowSim *sim);

/* Runs at the start of a substep: activates the cells that smoke can reach in it, and every
 * SHRINK_SUBSTEPS releases those that it has left. */
void follow_update(BillowSim *sim, double dt);

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

/* Copies the active cells and the far field of `from` to `to`, an empty simulation of the same
 * definition. Cell (0, 0, 0) of `from` becomes cell `low`. The same cells are active afterwards. */
void follow_shift(BillowSim *to, const BillowSim *from, const int low[3]);

#endif
