/* SPDX-License-Identifier: MIT
 *
 * The projection of surface.c: takes the gradient of a pressure from a velocity, so that no
 * divergence is left. surface_pressure.c has the equations. */
#ifndef SURFACE_PRESSURE_H
#define SURFACE_PRESSURE_H

#include "surface_mesh.h"

enum { LEVELS_MOST = 10 };

/* The grid points of patches of n x n cells. Level 0 is that of the mesh, the last has n = 1. */
typedef struct Level {
    int n;
    size_t points;
    int (*parent)[4]; /* grid points of the next level, of which each of these is the mean */
    double *diagonal; /* of minus the matrix */
    double *residual, *change;
} Level;

/* What the matrix needs to know of a cell. */
typedef struct Stencil {
    int corner[4];
    double ass, ast, att; /* sqrt(g) g^ij */
} Stencil;

typedef struct Projection {
    Level level[LEVELS_MOST];
    int levels;
    Stencil *stencil;                                  /* of each inner cell of the mesh */
    double *pressure, *divergence, *direction, *image; /* of the mesh's grid points */
    double *uniform, *chequered;                       /* 1; and 1 or -1 in turn, of grid points */
    int iterations;                                    /* of the last call */
} Projection;

/* Returns false if memory is short. Then nothing is left to free. */
bool projection_create(Projection *projection, const Mesh *mesh);
void projection_free(Projection *projection);

/* Outflow of the volume around each grid point: the divergence times its area. */
void velocity_outflow(const Mesh *mesh, const double *us, const double *ut, double *outflow);

/* (4) Leaves the part `tolerance` of the divergence, as the root of its mean square. The pressure
 * of the call before is the first guess. */
void project(Projection *projection, const Mesh *mesh, double *us, double *ut, double tolerance);

#endif
