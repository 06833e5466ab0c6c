/* SPDX-License-Identifier: MIT
 *
 * What stands or moves in the flow (BillowSolid), as the grid sees it.
 *
 *     distance    to the nearest surface, in cells, at the cells' low corners, negative inside
 *     fractions   of faces (face_fractions.h): the share of each face that lies outside of solids,
 *                 from the distances at its four corners
 *     fluid       cells that at least one open face leads into
 *     cuts        which of the faces at a cell's low sides are not wholly open
 *
 * The fluid feels solids in three ways. A shut face keeps the solid's velocity. A partly open face
 * mixes both velocities in the projection (Batty, Bertails, Bridson 2007). And nothing is advected
 * through a surface (solid_advection.c). Regions that solids enclose are projected by themselves
 * (enclosed_regions.c). */
#ifndef SIM_SOLIDS_H
#define SIM_SOLIDS_H

#include "grid.h"
#include "multigrid.h"
#include "scratch.h"
#include "shape.h"

#include <billow/billow.h>

typedef struct Scalar Scalar; /* scalars.h */

/* Cells from a surface up to which distances are exact. Beyond, they are at least this. */
#define SOLID_REACH 8.0f

/* Fluid that solids cut off from every open face and from the rest of the box. */
typedef struct EnclosedRegion {
    Region region; /* the smallest box of cells around it */
    double cells;
} EnclosedRegion;

/* Values of `fluid` per cell: inside a solid; fluid; covered by a solid since the last look; or, in
 * enclosed region r, ENCLOSED + r. */
enum { SOLID = 0, FLUID = 1, OVERRUN = 2, ENCLOSED = 3, ENCLOSED_MAX = 250 };

/* Bits of `cuts` for the low face along axis a, shifted by a. CUT_SEEN: not wholly open, and the
 * fluid feels it. CUT_SHUT: shut. Faces that the box itself closes have neither. */
enum { CUT_SEEN = 1, CUT_SHUT = 8 };

typedef struct Solids {
    PlacedShape placed[BILLOW_SOLIDS_MAX];
    float *distance;
    float *rows;          /* cells; least distance around a row's cells, at [j + k*ny] */
    unsigned char *fluid; /* laid out as a field of cells */
    unsigned char *cuts;  /* laid out as a field of cells */
    Region region;        /* where distances below SOLID_REACH are */
    double open_cells;    /* cells of the main part of the box */
    EnclosedRegion *enclosed;
    int enclosed_count;
    int main_part; /* index of the enclosed region that is the box's main part; -1 where a face of
                      the box is open */
    double kicked[BILLOW_SOLIDS_MAX]; /* s; how far a falling solid's velocity lags behind its
                                         place (solid_motion_advance) */
    double owed[SCALARS_MAX]; /* per scalar: the amount in cells that moving solids covered, less
                                 what conservative advection made of it around them */
    float given[SCALARS_MAX]; /* per scalar: share given back in this substep */
    bool still;               /* no solid moves */
    float drag;               /* nu dt / h2 of this substep */
    uint64_t version;         /* changes when a solid moves */
} Solids;

/* -- solids.c ---------------------------------------------------------------------------------- */

/* Floats of memory that they need beside the BillowSim; 0 without solids. */
size_t solids_floats(const BillowDef *def, const Grid *grid);
/* Cuts that memory, which starts on a cache line. */
void solids_cut(BillowSim *sim, float *memory);

/* Puts the solids where the definition says, and moves the smoke there out of their way. */
void solids_place(BillowSim *sim);
/* Takes new places and velocities. Where places differ, smoke moves out of the way. */
void solids_set(BillowSim *sim, const BillowSolid *solids);
/* The same from a saved state, whose fields follow: smoke is left alone. */
void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const double *owed);
/* Moves solids by dt. Runs after the flow that they drove has advected the smoke. */
void solids_move(BillowSim *sim, double dt);

/* Fastest point of any surface, m/s. */
double solids_speed(const BillowSim *sim);
/* From the centre of a cell to the nearest surface, in cells, negative inside; *solid becomes its
 * index. */
float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid);
/* The same, interpolated from the cell's corners. */
float solids_rough_distance(const BillowSim *sim, ptrdiff_t cell);
/* Velocity along `axis` of the solid nearest to the middle of a face, m/s. */
float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k);
/* Whether the fluid sticks to that solid. */
bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k);

/* -- motion (bodies.c) --------------------------------------------------------------------------
 */

/* Moves a solid by dt. Its velocity becomes its mean over dt, which is what the fluid must see. For
 * a falling solid that is the velocity in the middle of dt; *behind is then dt/2, the time by which
 * it lags behind the place (leapfrog). A fall is thus the exact parabola at the ends of steps,
 * however long they are. */
void solid_motion_advance(const BillowDef *def, BillowSolid *solid, double *behind, double dt);

/* -- solid_flow.c ------------------------------------------------------------------------------ */

/* Around the projection, each worker on its slab, with a barrier before and after: faces that
 * solids cut get the mean of the fluid's and the solid's velocity, weighted by the open share.
 * solids_unmix brings the fluid's own velocity back. Both need SCRATCH_FLUID_VELOCITY. */
void solids_mix(BillowSim *sim, Slab slab);
void solids_unmix(BillowSim *sim, Slab slab);

/* Clears right-hand sides inside solids and takes them off the plane's sums. */
void solids_empty(BillowSim *sim, int k);

/* Removes the confinement's force next to solids in row (j, k). There it would take the jump
 * between the inside and the flow along the surface for an eddy, and drive it on and on. */
void solids_calm_row(const BillowSim *sim, int j, int k, RowsOut force);

/* Gives shut faces the solid's velocity or, where the fluid slides, that of the open faces beside
 * them. Each worker on its slab, between barriers. */
void solids_impose(BillowSim *sim, Slab slab);

/* Viscous drag between the fluid and sticky surfaces. */
void solids_drag(BillowSim *sim, double dt);

/* -- solid_advection.c ------------------------------------------------------------------------- */

/* Shortens the displacements of row (j, k) that would cross a surface. */
void solids_stop_row(const BillowSim *sim, int j, int k, RowsOut displacement);

/* Advects row (j, k) of the fields again near solids, from the cells that can be reached through
 * open faces. Each `out` points to the row's first cell. */
void solids_advect_row(const BillowSim *sim, int j, int k, const Advected *fields, int count);

/* Conservative advection makes and loses some smoke, fuel and colour where solids move. Whether it
 * may in this simulation. */
bool solids_owe(const BillowSim *sim);
/* Counts what one of its steps made in the slab's planes, from SCRATCH_VOLUMES. */
void solids_count_made(BillowSim *sim, const Scalar *list, int count, Slab slab);
/* Gives back what is owed, once all steps have been counted. */
void solids_give_back(BillowSim *sim, const Scalar *list, int count, Slab slab, Team team);

/* -- enclosed_regions.c ------------------------------------------------------------------------ */

/* Finds the enclosed regions and labels their cells. Between steps. Needs SCRATCH_REGIONS. */
void enclosed_regions_find(BillowSim *sim);
/* Removes the mean of the right-hand sides of each enclosed region, and takes its cells off the
 * planes' sums. By one worker. */
void enclosed_regions_balance(BillowSim *sim);

/* -- bodies.c: solids that overlap, emitters inside solids --------------------------------------
 */

/* Whether two solids overlap by more than half a cell within the box, and where. */
bool bodies_overlap(const BillowDef *def, const BillowSolid *a, const BillowSolid *b,
                    double where[3]);
/* Writes the message that says so. False. */
bool bodies_refuse_overlap(int first, int second, const double where[3], BillowError *error);

/* Whether an emitter of the definition lies wholly inside a solid that stands still, with the
 * message that says so. */
bool bodies_bury(const BillowDef *def, int emitter, BillowError *error);

/* Whether the shape takes other space than before. */
bool bodies_solid_moved(const BillowSolid *before, const BillowSolid *now);
bool bodies_emitter_moved(const BillowEmitter *before, const BillowEmitter *now);

#endif
