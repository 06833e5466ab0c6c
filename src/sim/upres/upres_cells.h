/* SPDX-License-Identifier: MIT
 *
 * The memory of an up-resolution, the fields of cells that it prepares, and the noise: a vector
 * field without divergence that tiles space. upres.c makes the fine view of them. */
#ifndef SIM_UPRES_CELLS_H
#define SIM_UPRES_CELLS_H

#include "sim/fields/field_table.h"
#include "sim/fields/parallel.h"

#include <billow/exchange.h>
#include <stddef.h>

enum {
    GHOSTS = 2,                    /* around the copies of fields, for cubic interpolation */
    BRICK = 4,                     /* cells along the edge of a brick, computed or left empty */
    CELL_FIELDS = 5,               /* smoke, sharper, reach, depth, soft */
    TEXTURES = 6,                  /* texture coordinates: two sets of three */
    TEXTURE_FIELDS = TEXTURES + 2, /* and the stretch of each set */
    /* Arrays that ranks gather: sums of planes of the view, sums of fine planes, one entry each. */
    OF_CELLS = 0,
    OF_FINE = 1,
    OF_RANKS = 2,
    OFFSETS = 3,
    /* Lines of a worker: fields of cells, interpolated across to a row of fine cells. */
    LINE_REACH = 0,
    LINE_TEXTURES = 1, /* TEXTURE_FIELDS lines */
    LINES = LINE_TEXTURES + TEXTURE_FIELDS
};

/* Density and fuel below this value are invisible. */
#define FAINT 1e-4f

/* A grid of cells with ghosts around. */
typedef struct Lattice {
    int n[3];
    ptrdiff_t strides[3];
    size_t floats;
    Slab planes; /* that have values: all, or those that a rank's own depend on */
} Lattice;

struct BillowUpres {
    BillowUpresDef def;
    int threads;
    Lattice cells; /* of the view, with ghosts */
    Slab own;      /* planes of the view that belong to this rank: all without ranks */
    int halo;      /* planes beside them on which the fine planes depend; 0 without ranks */
    int fine[3];
    ptrdiff_t fine_y, fine_z; /* strides of the fine fields */
    Slab fine_own;            /* the fine planes of this rank */
    Slab fine_held;           /* its own and those beside them, which it computes as well */
    size_t fine_floats;       /* of a field in memory */
    BillowExchange exchange;  /* between the ranks; all zero in one process */
    size_t
        *offsets[OFFSETS]; /* for gather, of each rank's part: one entry per rank, and one more */
    int bricks[3];
    unsigned char *busy; /* per brick: it or a neighbour has smoke or fuel */
    float *cell_memory, *fine_memory;
    /* The following point to cell (0, 0, 0). */
    float *smoke, *sharper; /* density, sharpened, and memory for the next pass */
    float *depth, *soft;    /* how deep a cell is in the smoke, 0..1, and memory to find it */
    float *scalars[VIEW_SCALARS_MAX]; /* those of scalars_of_view; the first is density */
    int scalar_count;
    bool of_smoke[VIEW_SCALARS_MAX], any_of_smoke; /* shares of the density */
    float *reach;                                  /* displacement by noise of unit size, cells */
    float *textures[TEXTURE_FIELDS]; /* texture coordinates relative to the cell, cells, and how
                                        much each set is compressed; NULL: none */
    float *tile;        /* displacement with mean square 1 on each axis, TILE^3 vectors */
    double *plane_sums; /* of the density, one per fine plane */
    float *lines;       /* LINES for each worker */
};

/* The arguments of the functions that a team runs. */
typedef struct Task {
    BillowUpres *upres;
    const BillowView *view;
    float scale; /* of the density after sharpening */
    double mass; /* of the view, density summed over cells */
    /* Of a filter: */
    const float *from;
    float *to;
    int axis;
    bool largest;
} Task;

/* A pass over row (j, k) of cells or fine cells. */
typedef void RowPass(const Task *task, int j, int k);
/* Runs a pass on so many rows of some planes. */
void upres_rows(const Task *task, Slab planes, int rows, RowPass *pass);

/* Copies the fields of the view that are advected, sharpens the density, and computes what
 * displaces and erodes the smoke: everything with ghosts. Sets task->scale and task->mass. */
void upres_prepare(Task *task);

/* The part of a worker of some planes. */
static inline Slab upres_slab(Team team, Slab planes)
{
    Slab slab = team_slab(team, planes.end - planes.begin);
    return (Slab){planes.begin + slab.begin, planes.begin + slab.end};
}

/* Adds the n values of row (j, k) to plane_sums[k], which row 0 sets to 0 before. */
static inline void upres_sum_row(const Task *task, const float *row, int n, int j, int k)
{
    double *sum = &task->upres->plane_sums[k];
    *sum = j > 0 ? *sum : 0;
    for (int i = 0; i < n; i++)
        *sum += (double)row[i];
}

/* Sum of plane_sums, of all ranks. planes: OF_CELLS or OF_FINE. */
double upres_sum(const BillowUpres *upres, int planes);

/* Interpolates linearly between eight neighbouring values. cell: the one at the low corner. step:
 * distance in the array to the next value along each axis. share: position between them, 0 to 1. */
static inline float upres_between(const float *cell, const ptrdiff_t step[3], const float share[3])
{
    const float shares[3][2] = {
        {1 - share[0], share[0]}, {1 - share[1], share[1]}, {1 - share[2], share[2]}};
    float sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        sum += shares[0][i] * shares[1][j] * shares[2][k] *
               cell[i * step[0] + j * step[1] + k * step[2]];
    }
    return sum;
}

/* The cell before a fine cell, and the share of the way from its centre to the next. */
static inline int upres_cell_before(int factor, int fine, float *share)
{
    int doubled = 2 * fine + 1 - factor; /* place in cells, times 2 factor; may be negative */
    int low = doubled >= 0 ? doubled / (2 * factor) : -1;
    *share = (float)(doubled - 2 * factor * low) / (float)(2 * factor);
    return low;
}

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int most(int a, int b)
{
    return a > b ? a : b;
}

/* -- noise that displaces smoke ---------------------------------------------------------------- */

enum {
    TILE = 64,       /* texels along the edge of the tile */
    TILE_CELLS = 16, /* cells that the tile covers */
    TEXEL = 4        /* floats of a texel: a vector and a 0, as many as a register holds */
};

#define TILE_FLOATS (TEXEL * (size_t)TILE * TILE * TILE)

/* Random value at a lattice point, -1..1, by the finaliser of MurmurHash3. */
float upres_random(uint32_t x, uint32_t y, uint32_t z, uint32_t seed);

/* Fills TILE_FLOATS floats: vectors with mean square 1 on each axis. Returns false if memory is
 * short. */
bool upres_make_tile(float *tile);

/* Adds weight times the displacement at a place, in cells. */
void upres_add_noise(const float *tile, const float place[3], float weight, float out[3]);

#endif
