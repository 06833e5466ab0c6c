/* SPDX-License-Identifier: MIT
 *
 * The six-neighbour operator on a box of unknowns with ghosts 0 around it,
 *
 *     A x = base x + weight * (sum over the six neighbours n of c_n (x - x_n)),
 *
 * and the passes over one plane of unknowns of which solvers consist. The couplings c are
 * separable: each depends only on its axis and on the place along that axis. Between cells of
 * widths w and w', in cells of the finest level, the cell of width w has the coupling
 *
 *     c = 4^level * 2 / (w (w + w')).
 *
 * c is 1 between two cells of the full width 2^level, which all cells of the finest level have.
 * Towards a wall c is 0 (zero gradient). At other sides of the box the value is 0 half a finest
 * cell outside the face (w' = 1) or on the face (w' = 0). Given values other than 0 are added to
 * the right-hand side. Base 0 and weight 1 give the pressure's equation; base 1 and weight nu dt/h2
 * give implicit diffusion.
 *
 * On an axis that wraps around, the last cell is a neighbour of the first. Along x the packed
 * elements just beyond a row's ends repeat the other end. Every function below that writes x
 * updates these elements. If an axis that wraps around has an odd number of cells, the first and
 * the last cell have the same colour. Each then uses the other's current value, in the order of
 * planes and rows. Only one worker may relax such a level.
 *
 * x and rhs are packed (grid.h): a pass over one colour writes that colour and reads the other. */
#ifndef SIM_LEVEL_H
#define SIM_LEVEL_H

#include "sim/fields/exchange.h"
#include "sim/fields/grid.h"
#include "sim/kernels/kernels.h"
#include <billow/billow.h>
#include <stdbool.h>

/* Boundary condition at one end of an axis: a wall; the value 0 half a finest cell outside the
 * face; the value 0 on the face; or wrapping around, which both ends of an axis share. */
typedef enum LevelSide { SIDE_WALL, SIDE_OUTSIDE, SIDE_ON_FACE, SIDE_WRAPS } LevelSide;

/* Face fractions: the open part of each cell's low face along each axis, 0 to 1, packed like x. The
 * high face of the last cell is the low face of the ghost cell after it. Couplings are multiplied
 * by the face fractions. */
typedef struct FaceFractions {
    Packed low[3];
    unsigned char *rows;   /* at [j + k*ny]: whether the row has a face that is not wholly open */
    unsigned char *planes; /* at [k]: whether the plane has such a row */
} FaceFractions;

typedef struct Level {
    Grid grid;     /* for the strides */
    int cells[3];  /* unknowns per axis, at most the grid's cells */
    bool wraps[3]; /* axes of more than one cell that wrap around */
    const RelaxKernels *kernels;
    Packed x, rhs;
    float base, weight;
    bool uniform;            /* all couplings inside the box are 1 */
    float *low[3], *high[3]; /* couplings to i-1 and i+1 along each axis, one per cell */
    float *low_x[2],
        *high_x[2]; /* copies of low[0] and high[0], for even cells in [0] and odd cells in [1] */
    float *diagonal, *inverse;    /* rows of A's diagonal, and of its inverse */
    ptrdiff_t coefficient_stride; /* distance between these rows, floats */
    FaceFractions fractions;      /* pointers are NULL without solids */
} Level;

/* Floats of coefficients that a level of this grid needs. */
size_t level_floats(const Grid *grid);
/* Slices `memory` into the level's coefficient arrays. */
void level_cut(Level *level, float *memory);

/* Fills the coefficients. Depth 0 is the finest level, whose box has `finest` cells. Each coarser
 * level joins pairs of cells along each axis. An odd last cell stays single. Serial, O(nx). */
void level_prepare(Level *level, const int finest[3], int depth,
                   const LevelSide sides[BILLOW_SIDES]);

/* Width of cell i of n, in finest cells. */
int level_width(int finest, int depth, int n, int i);

static inline bool level_row_is_cut(const Level *level, int j, int k)
{
    return level->fractions.rows != NULL &&
           level->fractions.rows[j + (ptrdiff_t)k * level->cells[1]];
}

/* Fraction of a cell's low face along the axis. */
static inline float *face_fraction(const Level *level, int axis, int i, int j, int k)
{
    return packed_cell(&level->grid, level->fractions.low[axis], i, j, k);
}

/* Whether any face of a cell is open. */
static inline bool level_cell_is_open(const Level *level, int i, int j, int k)
{
    return !level_row_is_cut(level, j, k) || *face_fraction(level, 0, i, j, k) > 0.0f ||
           *face_fraction(level, 0, i + 1, j, k) > 0.0f ||
           *face_fraction(level, 1, i, j, k) > 0.0f ||
           *face_fraction(level, 1, i, j + 1, k) > 0.0f ||
           *face_fraction(level, 2, i, j, k) > 0.0f || *face_fraction(level, 2, i, j, k + 1) > 0.0f;
}

/* Whether an axis that wraps around has an odd number of cells. Only one worker may relax such a
 * level. */
bool level_is_serial(const Level *level);

/* Updates the elements beyond the ends of plane k's rows that repeat the other end. Call it after
 * writing x directly. */
void level_wrap(const Level *level, int k);

/* The arguments of the kernels for one colour of plane k. */
StencilPlane level_plane(const Level *level, int color, int k);

/* Relaxes one colour of plane k, with over-relaxation `omega`. */
void level_relax(const Level *level, int color, int k, float omega);
/* Relaxes one colour of plane k and the other of plane k-1, with omega 1. */
void level_relax_fused(const Level *level, int color, int k);
/* Whether level_relax_fused is faster than level_relax, because planes fit the innermost caches. */
bool level_fuses(const Level *level);
double level_residual(const Level *level, int k);          /* sum of squares of rhs - A x */
double level_product(const Level *level, Packed y, int k); /* y.Ax */
double level_dot(const Level *level, Packed a, Packed b, int k);
void level_subtract_product(Level *level, float alpha, int k); /* rhs -= alpha A x */
void level_scale(const Level *level, float factor, int k);     /* x *= factor; 0 clears even NaN */
void level_add(const Level *level, float factor, Packed a, Packed out, int k); /* out += factor a */
void level_clear(const Level *level, int k); /* x = 0, including ghosts */

/* Sum of one value per plane. Waits until all workers have filled in theirs, and returns when all
 * have summed. */
double level_sum(const Level *level, double *planes, Team team);

/* Fetches the planes of x, of other ranks, beside those of this rank (exchange.h). */
void level_exchange(const Level *level, Team team);
enum { BOTH_COLORS = 3 };
/* Begins to fetch those of one colour, 1 << color, or of both. exchange_finish ends it. */
void level_exchange_begin(const Level *level, int colors, Team team);
/* Fetches these planes of a packed field whole. */
void level_exchange_whole(const Level *level, Packed field, Slab planes, Team team);

/* Converts row (j, k) between a plain row and a packed field. */
void level_pack_row(const Level *level, const float *row, int j, int k, Packed out);
void level_unpack_row(const Level *level, Packed packed, int j, int k, float *row);

#endif
