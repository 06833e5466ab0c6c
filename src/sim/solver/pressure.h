/* SPDX-License-Identifier: MIT
 *
 * Solves for the pressure to a tolerance: by multigrid cycles, and by conjugate gradients with a
 * cycle as preconditioner where cycles alone converge too slowly or where they are asked for. */
#ifndef SIM_PRESSURE_H
#define SIM_PRESSURE_H

#include "multigrid.h"

typedef struct PressureSolve {
    const Multigrid *multigrid;
    double goal;        /* L2 of the residual to reach */
    int cycles;         /* most cycles and iterations together */
    float start;        /* multiple of x to start from */
    bool conjugate;     /* conjugate gradients from the first cycle on */
    float *memory[2];   /* two fields for conjugate gradients */
    double *plane_sums; /* one double per plane */
} PressureSolve;

typedef struct Solved {
    BillowPressure by;
    int cycles;
    double left; /* L2 of the residual */
} Solved;

/* Inside a team's task, by all workers, after a barrier that completed x and rhs; ends with one.
 * Conjugate gradients overwrite rhs. Returns the same to every worker. */
Solved pressure_solve(const PressureSolve *solve, Team team);

#endif
