/* SPDX-License-Identifier: MIT
 *
 * The six-neighbour operator on a box of unknowns with ghosts 0 around it,
 *
 *     A x = base x + weight * (sum over the six neighbours n of c_n (x - x_n)),
 *
 * and the passes over a plane of it that solvers are made of. Couplings c are products of nothing:
 * each depends on its axis and the place along it alone. Between cells of widths w and w' (in cells
 * of the finest level) the cell of width w feels
 *
 *     c = 4^level * 2 / (w (w + w')),
 *
 * which is 1 wherever cells are equally wide, as they all are on the finest level. Towards a side
 * that is a wall c is 0 (zero gradient); else the value 0 stands half a finest cell outside the
 * face, or on it (w' = 0). So base 0, weight 1 is the pressure with walls and open faces; base 1,
 * weight nu dt/h2 is implicit diffusion. Other values than 0 join the right-hand side.
 *
 * Where an axis wraps around, its last cell is the first one's neighbour. Rows and planes are then
 * taken from the other end; along x the packed elements just beyond a row's ends repeat what stands
 * at the other end, and every function below that writes x keeps them so. An odd number of cells
 * puts two neighbours of one colour there: each takes what the other was before its turn in the
 * order of planes and rows, so that only one worker may relax such a level.
 *
 * x and rhs are packed (grid.h): a pass over one colour writes that colour and reads the other.
 */
#ifndef SIM_LEVEL_H
#define SIM_LEVEL_H

#include "grid.h"
#include "kernels.h"
#include <billow/billow.h>
#include <stdbool.h>

/* What stands at the end of an axis: nothing, the value 0 at that place, or the axis' other end (at
 * both). */
typedef enum LevelSide { SIDE_WALL, SIDE_OUTSIDE, SIDE_ON_FACE, SIDE_WRAPS } LevelSide;

/* What part of each cell's low face along each axis solids leave open, 0 to 1, packed as x; the
 * high face of the last cell is the low face of the ghost behind it. c_n is multiplied by it. */
typedef struct FaceFractions {
    Packed low[3];
    unsigned char *rows;   /* [j + k*ny]: whether any of the row's cells has a face not all open */
    unsigned char *planes; /* [k]: whether any row has */
} FaceFractions;

typedef struct Level {
    Grid grid;     /* for the strides */
    int cells[3];  /* unknowns per axis, at most the grid's cells */
    bool wraps[3]; /* axes of more than one cell that wrap around */
    const RelaxKernels *kernels;
    Packed x, rhs;
    float base, weight;
    bool uniform;                /* every coupling inside the box is 1 */
    float *low[3], *high[3];     /* couplings to i-1 and i+1 along each axis, one per cell */
    float *low_x[2], *high_x[2]; /* those along x again, of even and odd cells */
    float *diagonal, *inverse;   /* rows of A's diagonal and of 1 over it, see level_prepare */
    FaceFractions fractions;     /* what solids leave open; all 0 where there are none */
} Level;

/* Floats of coefficients a level of this grid needs. */
size_t level_floats(const Grid *grid);
/* Cuts them for the level; `memory` is NULL while only measuring. */
void level_cut(Level *level, float *memory);

/* Fills the coefficients. depth 0 is the finest level, whose box has `finest` cells; each next one
 * takes pairs of the last one's cells together, an odd cell at the end alone. Serial, O(nx). */
void level_prepare(Level *level, const int finest[3], int depth,
                   const LevelSide sides[BILLOW_SIDES]);

/* Width of cell i of n, in finest cells. */
int level_width(int finest, int depth, int n, int i);

static inline bool level_row_is_cut(const Level *level, int j, int k)
{
    return level->fractions.rows != NULL &&
           level->fractions.rows[j + (ptrdiff_t)k * level->cells[1]];
}

/* Whether an odd number of cells wraps around: one worker alone. */
bool level_is_serial(const Level *level);

/* Where rows of plane k of x were written otherwise: what stands beyond their ends. */
void level_wrap(const Level *level, int k);

/* One colour of plane k, for the kernels. */
StencilPlane level_plane(const Level *level, int color, int k);

/* Passes over plane k. */
void level_relax(const Level *level, int color, int k, float omega);
/* With omega 1, one colour of plane k and the other of plane k-1, row by row where that pays. */
void level_relax_fused(const Level *level, int color, int k);
/* Whether it does: while planes fit the innermost caches. */
bool level_fuses(const Level *level);
double level_residual(const Level *level, int k);          /* sum of squares of rhs - A x */
double level_product(const Level *level, Packed y, int k); /* y.Ax */
double level_dot(const Level *level, Packed a, Packed b, int k);
void level_subtract_product(Level *level, float alpha, int k); /* rhs -= alpha A x */
void level_scale(const Level *level, float factor, int k);     /* x *= factor; 0 clears even NaN */
void level_add(const Level *level, float factor, Packed a, Packed out, int k); /* out += factor a */
void level_clear(const Level *level, int k); /* x = 0, ghosts of the plane too */

/* Row (j, k) between an unpacked row and a packed field. */
void level_pack_row(const Level *level, const float *row, int j, int k, Packed out);
void level_unpack_row(const Level *level, Packed packed, int j, int k, float *row);

#endif
