/* SPDX-License-Identifier: MIT
 *
 * What stands or moves in the fluid's way (BillowSolid), as the grid sees it.
 *
 *     distance     to the nearest surface, in cells, at the cells' low corners, negative inside
 *     openings     of faces (openings.h): what part of each face its four corners leave outside
 *     fluid        cells that at least one open face leads into
 *     cuts         which of the faces at a cell's low sides are not all open
 *
 * The fluid sees solids in three places: what leaves a face shut keeps the solid's velocity, what
 * leaves it half open mixes both in the projection (Batty, Bertails, Bridson 2007), and nothing is
 * carried through a surface (solid_carry.h). What they enclose is projected by itself
 * (compartments.c).
 */
#ifndef SIM_SOLIDS_H
#define SIM_SOLIDS_H

#include "grid.h"
#include "openings.h"
#include "shape.h"

/* Cells from a surface up to which distances are known; beyond, they are at least this. */
#define SOLID_REACH 8.0f

/* Fluid that solids cut off from every open face, and from the rest of the box. */
typedef struct Compartment {
    Region region; /* around it */
    double cells;
} Compartment;

/* What `fluid` holds for a cell. Cells of compartment c hold COMPARTMENT + c. */
enum { SOLID = 0, FLUID = 1, OVERRUN = 2, COMPARTMENT = 3, COMPARTMENTS_MAX = 250 };

/* What `cuts` holds for the low face along an axis, shifted by it: that it is not all open and the
 * fluid sees it; that it is shut. Faces that the box's sides close are the sides' matter. */
enum { CUT_SEEN = 1, CUT_SHUT = 8 };

typedef struct Solids {
    PlacedShape placed[BILLOW_SOLIDS_MAX];
    float *distance;
    float *rows;          /* [j + k*ny]: the least distance around the row's cells */
    unsigned char *fluid; /* laid out as a field: SOLID, or what the cell belongs to */
    unsigned char *cuts;  /* laid out as a field: CUT_SEEN and CUT_SHUT of three faces */
    Region region;        /* where distances below SOLID_REACH are */
    double open_cells;    /* cells of the box's main part, see compartments.h */
    Compartment *compartments;
    int compartment_count;
    int main_part; /* the compartment that a box closed all round mainly is; -1 in an open one */
    double kicked[BILLOW_SOLIDS_MAX]; /* s that falling ones' velocities are behind their places:
                                         solid_motion.h */
    double owed[SCALARS_MAX]; /* of each scalar, in the list's order, what cells that moving ones
                        came to cover still held, less what was made of it: solid_amounts.c */
    float given[SCALARS_MAX]; /* what share is given back in this sub-step */
    bool still;               /* none moves */
    float drag;               /* nu dt / h2 of this sub-step */
    uint64_t version;         /* changes with their places */
} Solids;

/* Bytes that they need beside the BillowSim; 0 without solids. */
size_t solids_floats(const BillowDef *def, const Grid *grid);
void solids_cut(BillowSim *sim, float *memory); /* memory starts on a cache line */

/* Puts them where the definition says, and the smoke there out of their way. */
void solids_place(BillowSim *sim);

/* Takes over places and velocities; where places differ, as solids_place does. */
void solids_set(BillowSim *sim, const BillowSolid *solids);
/* Likewise, of a state: the fields are about to follow, and no smoke is put out of the way. */
void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const double *owed);

/* Moves those that move, as far as they go in dt. After the flow that they drove has carried the
 * smoke. */
void solids_move(BillowSim *sim, double dt);

/* Fastest point of their surfaces, m/s. */
double solids_speed(const BillowSim *sim);

/* From the centre of a cell to the nearest surface, in cells, negative inside; whose it is. */
float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid);

/* Velocity of the solid nearest to the middle of a face, along its axis; whether the fluid sticks
 * to it. */
float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k);
bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k);

/* Around the projection, each worker for its slab, with a barrier before and after: faces that
 * solids cut get the mean of the fluid's velocity and the solid's, weighted by what is open; and
 * their own back. Overwrites next. */
void solids_mix(BillowSim *sim, Slab slab);
void solids_unmix(BillowSim *sim, Slab slab);

/* Tells which cells each compartment has; between steps. Overwrites work[0]. */
void compartments_find(BillowSim *sim);
/* Takes off each compartment's mean of the right-hand sides, and its cells off the planes' sums.
 * By one worker. */
void compartments_balance(BillowSim *sim);

/* Right-hand sides inside solids become 0; takes what was there off the plane's sums. */
void solids_empty(BillowSim *sim, int k);

/* Takes the confinement's force off the cells of row (j, k) where it would see the jump between
 * what is inside a solid and what slides along it as an eddy, and drive it on and on. */
void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force);

/* From the centre of a cell to the nearest surface, in cells, between its corners' distances. */
float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell);

/* Shut faces take the solid's velocity, or, where the fluid slides, that of the open faces beside
 * them. Each worker for its slab, between barriers. */
void solids_impose(BillowSim *sim, Slab slab);

/* What diffusion misses between the fluid and sticky surfaces: solid_drag.c. */
void solids_drag(BillowSim *sim, double dt);

#endif
