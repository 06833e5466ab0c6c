/* SPDX-License-Identifier: MIT
 * A box with a right-hand side, for tests of the pressure solvers. */
#ifndef TESTS_SOLVE_FIXTURE_H
#define TESTS_SOLVE_FIXTURE_H

#include "sim_fixture.h"

#include "sim/solver/multigrid.h"
#include "sim/solver/relaxation.h"

#include <stdlib.h>

typedef struct Problem {
    Grid grid;
    LevelSide counted[BILLOW_SIDES];
    Multigrid mg;
    Relaxation relaxation;
    PressureSolve solve;
    float *memory;
    float *wide; /* a field to fill and to inspect */
    double *planes;
    int threads;
} Problem;

static inline float *zeros(size_t floats)
{
    size_t bytes = (floats * sizeof(float) + 63) / 64 * 64;
    float *memory = aligned_alloc(64, bytes);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

/* sides: bit s is set if side s is open, bit WRAPS_X + axis if an axis is periodic. */
enum { WRAPS_X = BILLOW_SIDES, WRAP_ALL = 7 << WRAPS_X };

static inline Problem *problem(int nx, int ny, int nz, unsigned sides)
{
    Problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->grid = grid_make(nx, ny, nz);
    p->threads = FEW_THREADS;
    for (int side = 0; side < BILLOW_SIDES; side++)
        p->counted[side] = sides >> (WRAPS_X + side / 2) & 1 ? SIDE_WRAPS
                           : sides >> side & 1               ? SIDE_OUTSIDE
                                                             : SIDE_WALL;
    size_t field = p->grid.field_floats, levels = (multigrid_floats(&p->grid) + 15) / 16 * 16;
    p->memory = zeros(levels + 5 * field + multigrid_corrections_floats(&p->grid));
    p->planes = calloc(2 * (size_t)nz, sizeof(double));
    assert_non_null(p->planes);
    multigrid_prepare(&p->mg, &p->grid, kernels_pick()->relax, p->counted, p->memory);
    multigrid_place_corrections(&p->mg, p->memory + levels + 5 * field);
    float *first = p->memory + levels + p->grid.stride_z + p->grid.stride_y;
    Level *level = &p->mg.levels[0];
    level->x = grid_packed(&p->grid, first);
    level->rhs = grid_packed(&p->grid, first + field);
    p->wide = first + 2 * field;
    p->mg.smoothing = (Smoothing){2, 2};
    p->mg.plane_squares = p->planes;
    p->relaxation = (Relaxation){.level = level,
                                 .omega = 1,
                                 .sweeps = 20,
                                 .plane_squares = p->planes,
                                 .plane_sums = p->planes + nz};
    p->solve = (PressureSolve){.multigrid = &p->mg,
                               .cycles = 30,
                               .memory = {first + 3 * field, first + 4 * field},
                               .plane_sums = p->planes + nz};
    return p;
}

static inline void dismiss(Problem *p)
{
    free(p->planes);
    free(p->memory);
    free(p);
}

static inline float *wide_cell(const Problem *p, int i, int j, int k)
{
    return p->wide + grid_row(&p->grid, j, k) + i;
}

static inline bool is_closed(const Problem *p)
{
    for (int side = 0; side < BILLOW_SIDES; side++)
        if (p->counted[side] == SIDE_OUTSIDE)
            return false;
    return true;
}

/* Sets the right-hand side f(i, j, k). Its mean is removed if no side is open. */
static inline void load(Problem *p, Function *f)
{
    const Level *level = &p->mg.levels[0];
    const Grid *grid = &p->grid;
    double sum = 0;
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++)
            for (int i = 0; i < grid->nx; i++)
                sum += f(i, j, k);
    double mean = is_closed(p) && level->base == 0.0f ? sum / grid->nx / grid->ny / grid->nz : 0;
    for (int k = 0; k < grid->nz; k++)
        for (int j = 0; j < grid->ny; j++) {
            for (int i = 0; i < grid->nx; i++)
                *wide_cell(p, i, j, k) = (float)(f(i, j, k) - mean);
            level_pack_row(level, wide_cell(p, 0, j, k), j, k, level->rhs);
        }
}

/* wide = x. */
static inline void unload(Problem *p)
{
    const Level *level = &p->mg.levels[0];
    for (int k = 0; k < p->grid.nz; k++)
        for (int j = 0; j < p->grid.ny; j++)
            level_unpack_row(level, level->x, j, k, wide_cell(p, 0, j, k));
}

static inline double residual_norm(const Problem *p)
{
    double squares = 0;
    for (int k = 0; k < p->grid.nz; k++)
        squares += level_residual(&p->mg.levels[0], k);
    return sqrt(squares);
}

static inline double speckle(double i, double j, double k)
{
    unsigned state = (unsigned)(i + 37 * j + 1009 * k);
    scatter(&state);
    return scatter(&state);
}

#endif
