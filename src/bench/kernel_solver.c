/* SPDX-License-Identifier: MIT
 *
 * Kernels of the solver for kernel_bench.h. This is the only source outside the solver that
 * includes the solver's own headers. */
#include "kernel_bench.h"

#include "clock.h"
#include "multigrid.h"
#include "relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sweeps of one run, so many that starting the threads takes no time in comparison. */
enum { SWEEPS = 8 };

typedef struct Box {
    Grid grid;
    Multigrid multigrid;
    Relaxation relaxation;
    int threads;
    double *planes;
    float *memory; /* aligned start within arena */
    void *arena;   /* heap memory of all arrays */
    double seconds, left;
} Box;

static float noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f - 0.5f;
}

static void fill_right_hand_side(const Level *level)
{
    uint32_t state = 1;
    float row[BILLOW_GRID_MAX];
    for (int k = 0; k < level->cells[2]; k++)
        for (int j = 0; j < level->cells[1]; j++) {
            for (int i = 0; i < level->cells[0]; i++)
                row[i] = noise(&state);
            level_pack_row(level, row, j, k, level->rhs);
        }
}

static void lay_out(Box *box)
{
    size_t levels = (multigrid_floats(&box->grid) + 15) / 16 * 16;
    static const LevelSide sides[BILLOW_SIDES] = {[BILLOW_CEILING] = SIDE_OUTSIDE};
    multigrid_prepare(&box->multigrid, &box->grid, kernels_pick()->relax, sides, box->memory);
    float *field = box->memory + levels + box->grid.stride_z + box->grid.stride_y;
    Level *level = &box->multigrid.levels[0];
    level->x = grid_packed(&box->grid, field);
    level->rhs = grid_packed(&box->grid, field + box->grid.field_floats);
    box->multigrid.smoothing = 2;
    box->multigrid.plane_squares = box->planes;
    box->relaxation = (Relaxation){.level = level,
                                   .omega = 1,
                                   .sweeps = SWEEPS,
                                   .plane_squares = box->planes,
                                   .plane_sums = box->planes + box->grid.nz};
}

static void destroy_box(void *state)
{
    Box *box = state;
    free(box->planes);
    free(box->arena);
    free(box);
}

static void *create_box(const int grid[3], int threads)
{
    Box *box = calloc(1, sizeof *box);
    if (box == NULL)
        return NULL;
    box->grid = grid_make(grid[0], grid[1], grid[2]);
    box->threads = threads;
    size_t floats = multigrid_floats(&box->grid) + 2 * box->grid.field_floats + 48;
    box->planes = calloc(2 * (size_t)grid[2], sizeof *box->planes);
    box->arena = calloc(floats, sizeof(float));
    if (box->planes == NULL || box->arena == NULL) {
        destroy_box(box);
        return NULL;
    }
    size_t past = (uintptr_t)box->arena % 64 / sizeof(float);
    box->memory = (float *)box->arena + (16 - past) % 16;
    lay_out(box);
    fill_right_hand_side(box->relaxation.level);
    return box;
}

static void relax_task(void *context, Team team)
{
    Box *box = context;
    team_barrier(team);
    double start = clock_seconds();
    relaxation_solve(&box->relaxation, team);
    if (team.index == 0)
        box->seconds = clock_seconds() - start;
}

static double run_relaxation(void *state)
{
    Box *box = state;
    team_run(box->threads, relax_task, box);
    return box->seconds;
}

static void cycle_task(void *context, Team team)
{
    Box *box = context;
    team_barrier(team);
    double start = clock_seconds();
    double left = multigrid_cycle(&box->multigrid, 0, team);
    if (team.index == 0) {
        box->seconds = clock_seconds() - start;
        box->left = left;
    }
}

static double run_cycle(void *state)
{
    Box *box = state;
    team_run(box->threads, cycle_task, box);
    double cells = (double)box->grid.nx * box->grid.ny * box->grid.nz;
    return box->left > 0 && box->left < 0.1 * sqrt(cells) ? box->seconds : (double)NAN;
}

/* A sweep reads and writes x and reads the right-hand side: 12 bytes a cell. */
const BenchKernel kernel_relaxation = {"relaxation, 8 sweeps", 12 * SWEEPS, 12, create_box,
                                       run_relaxation,         destroy_box};
/* Counts the traffic of its relaxation sweeps, four on each level. */
const BenchKernel kernel_cycle = {"V(2,2) cycle", 12 * 4 * 8 / 7.0, 12,
                                  create_box,     run_cycle,        destroy_box};
