/* SPDX-License-Identifier: MIT
 * The pattern of eddies, and its strength. */
#include "sim/smoke/eddies.h"

#include "sim/shapes/noise.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum {
    PERIOD = 16, /* wind cells after which the pattern repeats */
    SPACING = 3, /* least distance between random values of a potential, smoke cells */
    EDDY_STEPS = 4
};
#define EDDY_CELLS 0.3f

EddyLimits eddy_limits(int refine)
{
    /* Of the pattern for 2, 3 and 4 cells: limits_hold_for_any_strength in test_eddies finds them.
     */
    static const EddyLimits limits[] = {{5.37f, 4.13f}, {5.15f, 2.65f}, {5.24f, 2.19f}};
    return limits[refine - 2];
}

/* Number of random values along each axis of the pattern, between which a potential is
 * interpolated: one per wind cell, or fewer. */
static int lattice_points(int cells)
{
    return cells / SPACING < PERIOD ? cells / SPACING : PERIOD;
}

static int period_of(const Smoke *smoke)
{
    return PERIOD * smoke->refine;
}

static size_t pattern_floats(const Smoke *smoke)
{
    const size_t cells = (size_t)period_of(smoke);
    return cells * cells * (cells + EDDY_SPARE);
}

void eddies_cut(Cut *arena, BillowSim *sim)
{
    const Smoke *smoke = &sim->smoke;
    const int refine = smoke->refine;
    EddyMemory *memory = &sim->smoke.eddies;
    *memory = (EddyMemory){0};
    if (refine == 1)
        return;
    const Grid grid =
        grid_make(smoke->grid.nx / refine, smoke->grid.ny / refine, smoke->grid.nz / refine);
    memory->potential = sim_cut(arena, 3 * pattern_floats(smoke) * sizeof(float));
    memory->strongest =
        sim_cut(arena, (size_t)(grid.ny + 1) * (size_t)(grid.nz + 1) * sizeof(float));
    memory->strength = sim_cut_field(arena, &grid);
}

/* -- the pattern ------------------------------------------------------------------------------- */

/* Cubic B-spline: the first of the four points of a Lattice around a place, and their weights. */
typedef struct Spline {
    int first;
    float weight[4];
} Spline;

/* place: in distances between points of the Lattice. */
static Spline spline_at(float place)
{
    const float low = floorf(place), t = place - low, s = 1 - t;
    return (Spline){(int)low - 1,
                    {s * s * s / 6, (4 - t * t * (6 - 3 * t)) / 6, (4 - s * s * (6 - 3 * s)) / 6,
                     t * t * t / 6}};
}

/* The random values from which one component of the potential is interpolated. */
typedef struct Lattice {
    int points; /* number of values along each axis */
    float value[PERIOD][PERIOD][PERIOD];
} Lattice;

static void fill_lattice(Lattice *lattice, int points, int axis)
{
    NoiseMemory noise = {0};
    lattice->points = points;
    for (int c = 0; c < points; c++)
        for (int b = 0; b < points; b++)
            for (int a = 0; a < points; a++)
                lattice->value[c][b][a] =
                    noise4((float)a, (float)b, (float)c, 0, (uint32_t)axis, &noise);
}

/* Makes the row of the potential along `axis` that belongs to edges (j, k). */
static void make_row(const Lattice *lattice, int axis, int cells, int j, int k, float *out)
{
    const int points = lattice->points;
    const float spacing = (float)cells / (float)points;
    const Spline y = spline_at(((float)j + (axis == 1 ? 0.5f : 0)) / spacing),
                 z = spline_at(((float)k + (axis == 2 ? 0.5f : 0)) / spacing);
    float line[PERIOD] = {0};
    for (int c = 0; c < 4; c++)
        for (int b = 0; b < 4; b++)
            for (int a = 0; a < points; a++)
                line[a] += y.weight[b] * z.weight[c] *
                           lattice->value[(z.first + c + points) % points]
                                         [(y.first + b + points) % points][a];
    for (int i = 0; i < cells; i++) {
        const Spline x = spline_at(((float)i + (axis == 0 ? 0.5f : 0)) / spacing);
        float sum = 0;
        for (int a = 0; a < 4; a++)
            sum += x.weight[a] * line[(x.first + a + points) % points];
        out[i] = sum;
    }
    for (int i = 0; i < EDDY_SPARE; i++)
        out[cells + i] = out[i];
}

/* Mean square of the speed of the pattern along x through the low faces of smoke cells. */
static double mean_square(const Eddies *eddies)
{
    const ptrdiff_t n = eddies->cells, row = eddies->row;
    double squares = 0;
    for (ptrdiff_t k = 0; k < n; k++)
        for (ptrdiff_t j = 0; j < n; j++) {
            const float *y = eddies->potential[1] + (j + k * n) * row,
                        *z = eddies->potential[2] + (j + k * n) * row;
            const float *above = eddies->potential[1] + (j + (k + 1) % n * n) * row,
                        *north = eddies->potential[2] + ((j + 1) % n + k * n) * row;
            for (ptrdiff_t i = 0; i < n; i++) {
                const float speed = (north[i] - z[i]) - (above[i] - y[i]);
                squares += (double)(speed * speed);
            }
        }
    return squares / (double)(n * n * n);
}

static void make_pattern(EddyMemory *memory, const Eddies *eddies)
{
    const int n = eddies->cells;
    for (int axis = 0; axis < 3; axis++) {
        Lattice lattice;
        fill_lattice(&lattice, lattice_points(n), axis);
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                make_row(&lattice, axis, n, j, k,
                         memory->potential + ((axis * n + k) * (ptrdiff_t)n + j) * eddies->row);
    }
    const float unit = (float)(1 / sqrt(mean_square(eddies)));
    for (ptrdiff_t f = 0; f < 3 * (ptrdiff_t)n * n * eddies->row; f++)
        memory->potential[f] *= unit;
    memory->made = true;
}

bool eddies_begin(BillowSim *sim, Eddies *eddies)
{
    const Smoke *smoke = &sim->smoke;
    EddyMemory *memory = &sim->smoke.eddies;
    if (sim->def.params.eddies == 0.0f || smoke->refine == 1)
        return false;
    const int cells = period_of(smoke);
    *eddies = (Eddies){.cells = cells,
                       .row = cells + EDDY_SPARE,
                       .strength = memory->strength,
                       .strongest = memory->strongest};
    for (int axis = 0; axis < 3; axis++) {
        /* A box that grew at its low side keeps the pattern in its place. */
        const long grown = lround(((double)sim->home.origin[axis] - (double)sim->def.origin[axis]) /
                                  (double)sim->def.cell_size);
        const long moved = (long)(sim->stats.substeps / EDDY_STEPS % (uint64_t)cells);
        eddies->potential[axis] = memory->potential + (size_t)axis * pattern_floats(smoke);
        eddies->shift[axis] = (int)((moved + cells - grown * smoke->refine % cells) % cells);
    }
    if (!memory->made)
        make_pattern(memory, eddies);
    return true;
}

/* -- strength ---------------------------------------------------------------------------------- */

/* Four rows that touch at a row of nodes or cells, between these and those before them. */
typedef struct Around {
    size_t row[4];
} Around;

static Around rows_around(int j, int k, int rows)
{
    Around around;
    for (int r = 0; r < 4; r++)
        around.row[r] = (size_t)(j + (r & 1)) + (size_t)(k + (r >> 1)) * (size_t)rows;
    return around;
}

typedef struct MeasureTask {
    BillowSim *sim;
    const Wind *wind;
    int steps;
} MeasureTask;

/* Largest strength at row (j, k) of nodes: what is left of a step by the wind of the cells around,
 * and what a substep may move. */
static float most_strength(const MeasureTask *task, int j, int k)
{
    const Wind *wind = task->wind;
    const Smoke *smoke = &task->sim->smoke;
    const Around cells = rows_around(j - 1, k - 1, task->sim->grid.ny);
    float rate = 0;
    for (int r = 0; r < 4; r++)
        rate = fmaxf(rate, smoke->winds[cells.row[r]].cells);
    const float share = rate * wind->scale / (float)smoke->refine;
    const float room = fmaxf(1 - share, 0) * (float)FLUX_SHARE / eddy_limits(smoke->refine).falling;
    return fminf(room, EDDY_CELLS / (float)task->steps) / wind->scale;
}

static void measure_plane(const MeasureTask *task, int k)
{
    const BillowSim *sim = task->sim;
    const Grid *grid = &sim->grid;
    const EddyMemory *memory = &sim->smoke.eddies;
    for (int j = 0; j <= grid->ny; j++) {
        float *strength = memory->strength + grid_row(grid, j, k);
        float *strongest = &memory->strongest[j + (ptrdiff_t)k * (grid->ny + 1)];
        if (j % grid->ny != 0 && k % grid->nz != 0)
            *strongest = sim->kernels->eddies->measure(task->wind, j, k, sim->def.params.eddies,
                                                       most_strength(task, j, k), strength);
        else { /* sides of the box */
            memset(strength, 0, (size_t)(grid->nx + 1) * sizeof *strength);
            *strongest = 0;
        }
    }
}

/* Adds the eddies' speed to the winds of a plane of cells. */
static void raise_winds(BillowSim *sim, int k)
{
    const Grid *grid = &sim->grid;
    const EddyMemory *memory = &sim->smoke.eddies;
    const float fastest = eddy_limits(sim->smoke.refine).fastest;
    for (int j = 0; j < grid->ny; j++) {
        const Around nodes = rows_around(j, k, grid->ny + 1);
        float most = 0;
        for (int r = 0; r < 4; r++)
            most = fmaxf(most, memory->strongest[nodes.row[r]]);
        for (int axis = 0; axis < 3; axis++)
            sim->smoke.winds[j + (ptrdiff_t)k * grid->ny].speed[axis] += most * fastest;
    }
}

static void measure_task(void *context, Team team)
{
    const MeasureTask *task = context;
    BillowSim *sim = task->sim;
    const int nz = sim->grid.nz;
    const Slab planes = team_slab(team, nz);
    const bool last = planes.end == ranks_own(sim->ranks, nz).end;
    for (int k = planes.begin; k < planes.end + last; k++)
        measure_plane(task, k);
    team_barrier(team);
    for (int k = planes.begin; k < planes.end; k++)
        raise_winds(sim, k);
}

void eddies_measure(BillowSim *sim, const Wind *wind, int steps)
{
    exchange_entries(sim_alone(sim), sim->smoke.winds,
                     (size_t)sim->grid.ny * sizeof *sim->smoke.winds, sim->grid.nz);
    sim_run(sim, measure_task, &(MeasureTask){sim, wind, steps});
}
