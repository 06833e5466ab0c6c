/* SPDX-License-Identifier: MIT
 *
 * Solids in the flow (BillowSolid), discretised on the grid:
 *
 *     distance         distance to the nearest surface, in cells, at the cells' low corners;
 *                      negative inside
 *     face fractions   share of each face that lies outside of solids (level.h), computed from the
 *                      distances at its four corners
 *     fluid            cells that have at least one open or partly open face
 *     cuts             low faces of each cell that are not wholly open
 *
 * Solids act on the fluid in three ways. A shut face has the solid's velocity. In the projection, a
 * partly open face has the weighted mean of the fluid's and the solid's velocity (Batty, Bertails,
 * Bridson 2007). Nothing is advected through a surface (solid_advection.c). The pressure of a
 * region that solids enclose has a null space of its own (solid_flow.c). */
#ifndef SIM_SOLIDS_H
#define SIM_SOLIDS_H

#include "sim/fields/grid.h"
#include "sim/shapes/shape.h"

#include <billow/billow.h>

/* Largest stored distance, cells. Distances are exact up to this one; larger ones are clamped to
 * it. */
#define SOLID_REACH 8.0f

/* Fluid that solids separate from every open face and from the rest of the box. */
typedef struct EnclosedRegion {
    Region region; /* smallest box of cells that contains the region */
    double cells;
} EnclosedRegion;

/* Values of `fluid` per cell. OVERRUN: fluid that a solid has covered since the last update. Cells
 * of enclosed region r have the value ENCLOSED + r. */
enum { SOLID = 0, FLUID = 1, OVERRUN = 2, ENCLOSED = 3, ENCLOSED_MAX = 250 };

/* Bits of `cuts` for a cell's low face along axis a, shifted left by a. CUT_SEEN: the face is not
 * wholly open and is next to fluid. CUT_SHUT: the face is shut. Faces on a wall of the box have
 * neither bit. */
enum { CUT_SEEN = 1, CUT_SHUT = 8 };

/* What depends on a body's shape alone, for a density of 1. The axes are those of the shape. */
typedef struct BodyShape {
    BillowShape shape; /* of which the rest was computed */
    float size[3];
    const BillowVolume *form;
    double volume;     /* of the shape, m3 */
    double inertia[6]; /* moments xx, yy, zz and products xy, xz, yz, m5 */
    double added[6];   /* air that moves along, m3, and turns along, m5, along or about each axis:
                          an upper estimate */
    double near[6];    /* the same: a lower estimate */
    double surface;    /* upper estimate, m2 */
    double radius;     /* largest half extent, m; 0: nothing computed yet */
} BodyShape;

/* What a body's next substep depends on beside its BillowSolid. Of six numbers the first three are
 * of its motion and the others of its rotation. All are 0 for other solids, except `met`. */
typedef struct BodyMotion {
    double pull[6];    /* acceleration in the next substep, m/s2 and rad/s2 */
    double met[6];     /* velocity that the air met in the last substep, m/s and rad/s */
    double swing[6];   /* by how much `pull` changed in the last substep */
    double heavier[2]; /* factors on the air that moves along and turns along, less 1
                          (floating_bodies.c) */
    double turns[2];   /* substeps in a row in which `pull` alternated */
} BodyMotion;
enum { BODY_MOTION_NUMBERS = sizeof(BodyMotion) / sizeof(double) };

typedef struct Solids {
    PlacedShape placed[BILLOW_SOLIDS_MAX];
    float *distance;
    float *rows;          /* [j + k*ny]: least distance at the corners of the row's cells, cells */
    unsigned char *fluid; /* FLUID and other values, laid out as a field of cells */
    unsigned char *cuts;  /* CUT_ bits, laid out as a field of cells */
    Region region;        /* cells that contain all points closer than SOLID_REACH to a surface */
    double open_cells; /* number of fluid cells in the main part of a closed box; not updated in an
                          open box */
    EnclosedRegion *enclosed;
    int enclosed_count;
    int main_part; /* index of the enclosed region that is the main part of a closed box; -1 in an
                      open box */
    double kicked[BILLOW_SOLIDS_MAX]; /* time by which a falling solid's velocity lags behind
                                         its position, s (solid_motion_advance) */

    /* Of bodies that float (floating_bodies.h). */
    BodyShape bodies[BILLOW_SOLIDS_MAX];
    BodyMotion motions[BILLOW_SOLIDS_MAX];
    double kick[BILLOW_SOLIDS_MAX][6]; /* change of the velocity in this substep by `pull` */
    double jolt[BILLOW_SOLIDS_MAX][6]; /* change by anything else */
    double *impulses; /* of the air on each solid in this substep: six numbers per plane and solid,
                         the impulse, kg m/s, and its torque about the solid's centre, kg m2/s.
                         Those of a plane begin at [plane * solid_count * 6] */

    double owed[SCALARS_MAX]; /* per scalar: amount in cells that moving solids covered, minus the
                                 amounts that advection and corrections added around them; summed
                                 over cells */
    float given[SCALARS_MAX]; /* per scalar: relative correction in this substep */
    double part;              /* part of the step that is done, 0 to 1 */
    double step;              /* length of the step, s; 0 before the first */
    bool still;               /* whether no solid moves */
    float drag;               /* nu dt / h2 of this substep */
    uint64_t version;         /* changes when a solid moves */
} Solids;

/* Floats of memory that the solids need; 0 without solids. */
size_t solids_floats(const BillowDef *def, const Grid *grid);
/* Slices `memory`, which must start on a cache line, and sets sim->solids. */
void solids_cut(BillowSim *sim, float *memory);

/* Puts the solids where the definition has them. Smoke inside moves to the nearest fluid. */
void solids_place(BillowSim *sim);
/* Replaces the solids. If any has moved, the smoke inside them moves to the nearest fluid. */
void solids_set(BillowSim *sim, const BillowSolid *solids);
/* Replaces the solids by those of a saved state. Moves no smoke, because the state's fields are
 * loaded afterwards. */
void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const BodyMotion *motions, const double *owed);
/* Begins a step of length dt. */
void solids_begin(BillowSim *sim, double dt);
/* Moves solids by dt. Runs at the start of a substep, after the previous substep has advected the
 * scalars. */
void solids_move(BillowSim *sim, double dt);

/* Upper bound on the speed of any point of a surface, m/s. */
double solids_speed(const BillowSim *sim);
/* Distance from the centre of a cell to the nearest surface, in cells, negative inside. `*solid`
 * becomes the index of the solid with that surface. */
float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid);
/* The solid with the nearest surface to the middle of a cell's low face along `axis`, or, if `axis`
 * is -1, to the cell's centre. arm: from the solid's centre to that point, m. */
int solids_nearest(const BillowSim *sim, int axis, int i, int j, int k, double arm[3]);
/* Velocity along `axis`, at the middle of a cell's low face, of the solid nearest to that point,
 * m/s. */
float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k);
/* Whether the solid nearest to the middle of a cell's low face is sticky (no-slip). */
bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k);

#endif
