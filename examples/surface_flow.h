/* SPDX-License-Identifier: MIT
 *
 * The solver of surface.c: velocity and smoke on the cells of a closed surface. surface_flow.c has
 * the equations. */
#ifndef SURFACE_FLOW_H
#define SURFACE_FLOW_H

#include "surface_mesh.h"
#include "surface_pressure.h"

enum { DYES = 3, SPACE = 3 };

/* Where a field is interpolated: between cell `cell` and the next along s and along t. */
typedef struct Sample {
    size_t cell;
    double along_s, along_t; /* 0 to 1 */
} Sample;

/* Of the cells around a vertex of the base mesh. */
typedef struct Around {
    double sum, least, most;
} Around;

/* Fields of cells are indexed by mesh_cell(), fields of grid points by mesh_point(). */
typedef struct Flow {
    Mesh mesh;
    double *us, *ut;        /* velocity, cells per time */
    double *smoke[DYES];    /* amounts of red, green and blue */
    double *space[SPACE];   /* velocity as vectors in space */
    double *there, *result; /* scratch memory of advection */
    Sample *back, *ahead;   /* ends of the paths backwards and forwards from each cell */
    Around *around;         /* of each vertex of the base mesh */
    Projection projection;
    double *memory; /* that of all fields */
} Flow;

/* Makes the mesh (see mesh_create()) and fields that are 0. On an error nothing is left. */
bool flow_create(Flow *flow, const char *shape, int cells, ExampleError *error);
void flow_destroy(Flow *flow);

/* A time step. Forces have been added to us and ut, and sources to the smoke. It makes the velocity
 * free of divergence, and moves all else, then the velocity itself, along that velocity. */
void flow_step(Flow *flow, double dt);

/* The parts of a step besides project(). flow_trace() finds the paths along which flow_advect()
 * moves a field. */
void flow_trace(Flow *flow, double dt);
void flow_advect(Flow *flow, double *x);
void flow_advect_velocity(Flow *flow);

/* Copies the neighbours' cells into the border layers of a scalar. */
void flow_border(Flow *flow, double *x);

/* Integral of a field of cells over the surface. */
double flow_amount(const Flow *flow, const double *x);

#endif
