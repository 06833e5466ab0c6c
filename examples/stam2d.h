/* SPDX-License-Identifier: MIT
 *
 * The grid of stam2d.c, and what both of its solvers share. */
#ifndef STAM2D_H
#define STAM2D_H

#include <stddef.h>

enum { SWEEPS = 20 }; /* of each relaxation */

/* What a field is: a wall reverses the velocity normal to it, and copies all else. */
typedef enum Kind { SCALAR, U, V } Kind;

/* Index of cell i, j of a grid of n x n cells, 1 to n; 0 and n + 1 are walls. */
static inline size_t at(int n, int i, int j)
{
    return (size_t)i + ((size_t)n + 2) * (size_t)j;
}

/* Number of cells with walls. */
static inline size_t cells(int n)
{
    return ((size_t)n + 2) * ((size_t)n + 2);
}

#endif
