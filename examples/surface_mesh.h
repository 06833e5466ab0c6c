/* SPDX-License-Identifier: MIT
 *
 * The closed surface of surface.c: patches of n x n cells that cover a Catmull-Clark surface.
 *
 * Each quad of a base mesh becomes a patch with coordinates s, t from 0 to n, in cells. Edge e runs
 * from corner e to corner e + 1, counter-clockwise seen from outside:
 *
 *        corner 3 --- edge 2 --- corner 2        t
 *            |                      |            |
 *         edge 3    n x n cells   edge 1         +-- s
 *            |                      |
 *        corner 0 --- edge 0 --- corner 1
 *
 * A path that leaves a patch across its edge e enters the neighbour across the neighbour's edge e'.
 * With the patch's centre c = (n/2, n/2) and the outward normal N of edge e, both in coordinates,
 *
 *     (1) x' = R^k (x - c - n N) + c,  u' = R^k u,  k = e' - e + 2 mod 4,  R = quarter turn
 *
 * Any number of patches may meet at a corner of the base mesh. Where it is not 4, coordinates have
 * no diagonal neighbour there. */
#ifndef SURFACE_MESH_H
#define SURFACE_MESH_H

#include "common/example.h"

#include <math.h>

/* -- vectors in space -------------------------------------------------------------------------- */

typedef struct Vec {
    double x, y, z;
} Vec;

static inline Vec plus(Vec a, Vec b)
{
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec times(double k, Vec a)
{
    return (Vec){k * a.x, k * a.y, k * a.z};
}

static inline Vec minus(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double norm(Vec a)
{
    return sqrt(dot(a, a));
}

/* The unit vector along a, or 0 for 0. */
static inline Vec unit(Vec a)
{
    double length = norm(a);
    return length > 0 ? times(1 / length, a) : a;
}

/* -- the mesh ---------------------------------------------------------------------------------- */

typedef struct Patch {
    int corner[4];    /* the patch's corners: indices of vertices of the base mesh */
    int neighbour[4]; /* patch across each edge */
    int entry[4];     /* the neighbour's edge e' */
    int shared[4];    /* number of the edge among all edges of the base mesh */
    size_t line;      /* of the file, or 0 */
} Patch;

/* Geometry of a cell, at its centre: e_s = dx/ds, e_t = dx/dt, g_ij = e_i . e_j. */
typedef struct Cell {
    int corner[4];      /* grid points at (0,0), (1,0), (1,1), (0,1) of the cell */
    Vec es, et;         /* tangent vectors, per cell */
    Vec dual_s, dual_t; /* e^i = g^ij e_j, so that u^i = e^i . u for a vector u in space */
    double area;        /* sqrt(det g) */
} Cell;

typedef struct Mesh {
    int n;              /* cells along the edge of a patch, a power of 2 */
    int patches, edges; /* of the base mesh */
    int vertices;       /* of the base mesh, those that no face uses included */
    Patch *patch;
    int *valence;  /* patches around each vertex */
    size_t points; /* grid points: vertices, then points inside edges, then inside patches */
    Vec *position, *normal; /* of grid points. The surface fills a ball of radius 1 around 0 */
    size_t cells;           /* cells of all patches with their border layers */
    Cell *cell;             /* at mesh_cell(); border layers are 0 */
    size_t inner;           /* cells without border layers */
    size_t *inside;         /* their indices */
} Mesh;

/* Limit of all patches together, without border layers. A step of that many takes about 0.05 s on
 * few patches, and up to 0.25 s on thousands of them, which no coarser grid joins. */
enum { MESH_CELLS_MOST = 100000 };

/* Makes the "sphere", the "torus", or the surface of a file, whose name ends in .obj or .OBJ. n is
 * a power of 2 from 4, or 0 for the one that gives about 25000 cells or fewer. A file must hold a
 * closed surface of quads. On an error nothing is left to free, and *error names the file with its
 * line or edge. */
bool mesh_create(Mesh *mesh, const char *shape, int n, ExampleError *error);
void mesh_free(Mesh *mesh);

/* Index of cell i, j of a patch, 1 to n; 0 and n + 1 are the border layer, copied from neighbours.
 */
static inline size_t mesh_cell(const Mesh *mesh, int patch, int i, int j)
{
    size_t side = (size_t)mesh->n + 2;
    return ((size_t)patch * side + (size_t)j) * side + (size_t)i;
}

/* Cell at a corner of a patch, at depth 1, or of the border layer diagonally outside, at depth 0.
 */
static inline size_t mesh_corner_cell(const Mesh *mesh, int patch, int corner, int depth)
{
    int low = depth, high = mesh->n + 1 - depth;
    return mesh_cell(mesh, patch, corner == 1 || corner == 2 ? high : low,
                     corner >= 2 ? high : low);
}

/* The geometry of a quad of grid points. */
Cell mesh_measure(const Mesh *mesh, const int corner[4]);

/* Index of grid point i, j of a patch, 0 to n, where the patches have n x n cells: mesh->n, or
 * fewer on a coarser grid. Patches share the points of their edges. */
size_t mesh_point(const Mesh *mesh, int n, int patch, int i, int j);

/* A point of the surface. */
typedef struct Place {
    int patch;
    double s, t; /* 0 to n */
} Place;

/* Turns coordinates counter-clockwise by k quarter turns, 0 to 3. */
static inline void turn(int k, double *s, double *t)
{
    double s0 = *s, t0 = *t;
    *s = k == 0 ? s0 : k == 1 ? -t0 : k == 2 ? -s0 : t0;
    *t = k == 0 ? t0 : k == 1 ? s0 : k == 2 ? -t0 : -s0;
}

/* Quarter turns of (1) across an edge. */
static inline int mesh_turns(const Patch *patch, int edge)
{
    return (patch->entry[edge] - edge + 6) % 4;
}

/* (1) The place in the coordinates of the neighbour across an edge. */
Place mesh_cross(const Mesh *mesh, Place place, int edge);

/* Moves a place by ds, dt, at most a few cells, across edges if need be. Returns the quarter turns
 * from the old to the new coordinates. */
int mesh_move(const Mesh *mesh, Place *place, double ds, double dt);

#endif
