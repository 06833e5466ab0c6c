/* SPDX-License-Identifier: MIT
 *
 * Regions of fluid that solids enclose. If fluid has no path to an open face, its right-hand sides
 * must add up to 0. Otherwise the equations of the pressure have no solution. In a closed box
 * project.c subtracts the mean of the right-hand sides. In each region that solids enclose, the
 * mean of that region must be subtracted.
 *
 * Regions consist of runs. A run is a sequence of fluid cells in a row with open faces between
 * them. Runs of neighbouring rows are joined if a face between them is open (union-find, Tarjan
 * 1975). */
#include "sim/sim.h"

#include "sim/fields/boundary.h"

#include <string.h>

typedef struct Run {
    int begin, end; /* cells begin <= i < end of a row */
    int parent;     /* a lower run of the same region; itself for the lowest known run */
    int part; /* 1 + index of the enclosed region, or, before the region has an index, CLOSED_OFF or
                 REACHES_OUT. Only valid in a run that is its own parent. */
} Run;

typedef struct Runs {
    BillowSim *sim;
    Run *items;
    int *first; /* first run of row j + k*ny; one more entry at the end */
    int count, count_max;
} Runs;

static float fraction_at(const Runs *r, int axis, int i, int j, int k)
{
    return *face_fraction(&r->sim->multigrid.levels[0], axis, i, j, k);
}

static void find_runs(Runs *r, int j, int k)
{
    int nx = r->sim->grid.nx;
    const unsigned char *fluid = r->sim->solids->fluid + grid_row(&r->sim->grid, j, k);
    bool cut = level_row_is_cut(&r->sim->multigrid.levels[0], j, k);
    for (int i = 0, end; i < nx; i = end) {
        end = cut ? i + 1 : nx;
        if (fluid[i] == SOLID)
            continue;
        while (end < nx && fluid[end] != SOLID && fraction_at(r, 0, end, j, k) > 0.0f)
            end++;
        if (r->count < r->count_max) {
            r->items[r->count] = (Run){i, end, r->count, 0};
            r->count++;
        }
    }
}

static int root_of(Runs *r, int run)
{
    while (r->items[run].parent != run) {
        r->items[run].parent = r->items[r->items[run].parent].parent;
        run = r->items[run].parent;
    }
    return run;
}

static void join(Runs *r, int a, int b)
{
    a = root_of(r, a);
    b = root_of(r, b);
    r->items[a > b ? a : b].parent = a > b ? b : a;
}

/* Joins the runs of row (j, k) with those of the previous row along `axis` if a face between them
 * is open. The previous row of the first row is the last one. */
static void join_rows(Runs *r, int axis, int j, int k)
{
    int ny = r->sim->grid.ny, nz = r->sim->grid.nz, here = j + k * ny;
    int before = axis == 1 ? (j + ny - 1) % ny + k * ny : j + (k + nz - 1) % nz * ny;
    int a = r->first[before], b = r->first[here];
    while (a < r->first[before + 1] && b < r->first[here + 1]) {
        const Run *low = &r->items[a], *high = &r->items[b];
        int begin = low->begin > high->begin ? low->begin : high->begin;
        int end = low->end < high->end ? low->end : high->end;
        for (int i = begin; i < end; i++)
            if (fraction_at(r, axis, i, j, k) > 0.0f) {
                join(r, a, b);
                break;
            }
        if (low->end < high->end)
            a++;
        else
            b++;
    }
}

/* Joins the first and last run of a row if x is periodic. */
static void join_ends(Runs *r, int j, int k)
{
    int row = j + k * r->sim->grid.ny, first = r->first[row], last = r->first[row + 1] - 1;
    if (first < last && r->items[first].begin == 0 && r->items[last].end == r->sim->grid.nx &&
        fraction_at(r, 0, 0, j, k) > 0.0f)
        join(r, first, last);
}

/* Whether a run of row (j, k) touches an open face of the box. */
static bool reaches_out(const Runs *r, const Run *run, int j, int k)
{
    const BillowSim *sim = r->sim;
    const BillowFace *faces = sim->def.faces;
    const Grid *grid = &sim->grid;
    return (run->begin == 0 && faces[BILLOW_LEFT] == BILLOW_OPEN) ||
           (run->end == grid->nx && faces[BILLOW_RIGHT] == BILLOW_OPEN) ||
           (j == 0 && faces[BILLOW_FLOOR] == BILLOW_OPEN) ||
           (j == grid->ny - 1 && faces[BILLOW_CEILING] == BILLOW_OPEN) ||
           (k == 0 && faces[BILLOW_BACK] == BILLOW_OPEN) ||
           (k == grid->nz - 1 && faces[BILLOW_FRONT] == BILLOW_OPEN);
}

typedef void RunTask(Runs *r, int run, int j, int k);

static void for_runs(Runs *r, RunTask *task)
{
    int ny = r->sim->grid.ny, nz = r->sim->grid.nz;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int run = r->first[j + k * ny]; run < r->first[j + k * ny + 1]; run++)
                task(r, run, j, k);
}

enum { CLOSED_OFF = 0, REACHES_OUT = -1 };

static void mark_open(Runs *r, int run, int j, int k)
{
    if (reaches_out(r, &r->items[run], j, k))
        r->items[root_of(r, run)].part = REACHES_OUT;
}

/* Numbers the enclosed regions in the order of their first runs. */
static void number(Runs *r, int run, int j, int k)
{
    (void)j, (void)k;
    Solids *solids = r->sim->solids;
    Run *item = &r->items[run];
    if (item->parent == run && item->part == CLOSED_OFF) {
        int c = solids->enclosed_count;
        item->part = 1 + c;
        if (c < ENCLOSED_MAX) {
            solids->enclosed[c] = (EnclosedRegion){{{1 << 30, 1 << 30, 1 << 30}, {0}}, 0};
            solids->enclosed_count++;
        }
    }
}

static void grow(Runs *r, int run, int j, int k)
{
    const Run *item = &r->items[run];
    int part = r->items[root_of(r, run)].part;
    Solids *solids = r->sim->solids;
    if (part <= 0 || part > solids->enclosed_count)
        return;
    EnclosedRegion *c = &solids->enclosed[part - 1];
    const int low[3] = {item->begin, j, k}, high[3] = {item->end, j + 1, k + 1};
    for (int axis = 0; axis < 3; axis++) {
        c->region.low[axis] = low[axis] < c->region.low[axis] ? low[axis] : c->region.low[axis];
        c->region.high[axis] =
            high[axis] > c->region.high[axis] ? high[axis] : c->region.high[axis];
    }
    c->cells += item->end - item->begin;
}

/* Index of the largest region of a closed box. project.c subtracts the mean there. -1 in an open
 * box. */
static int main_part(const BillowSim *sim)
{
    const Solids *solids = sim->solids;
    int largest = -1;
    if (boundary_closed(&sim->def))
        for (int c = 0; c < solids->enclosed_count; c++)
            if (largest < 0 || solids->enclosed[c].cells > solids->enclosed[largest].cells)
                largest = c;
    return largest;
}

static void label(Runs *r, int run, int j, int k)
{
    Solids *solids = r->sim->solids;
    const Run *item = &r->items[run];
    int part = r->items[root_of(r, run)].part, c = part - 1;
    bool counts = part > 0 && c < solids->enclosed_count && c != solids->main_part;
    int value = counts ? ENCLOSED + c : FLUID;
    unsigned char *fluid = solids->fluid + grid_row(&r->sim->grid, j, k);
    if (fluid[item->begin] != value)
        memset(fluid + item->begin, value, (size_t)(item->end - item->begin));
}

void enclosed_regions_find(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    int rows = grid->ny * grid->nz;
    char *memory =
        (char *)(scratch_use(&sim->scratch, SCRATCH_REGIONS)[0] - grid->stride_z - grid->stride_y);
    Runs runs = {
        .sim = sim, .first = (int *)memory, .items = (Run *)(memory + (size_t)(rows + 4) / 4 * 16)};
    runs.count_max = (int)((grid->field_floats - (size_t)rows - 8) / (sizeof(Run) / sizeof(float)));
    for (int row = 0; row < rows; row++) {
        runs.first[row] = runs.count;
        find_runs(&runs, row % grid->ny, row / grid->ny);
    }
    runs.first[rows] = runs.count;
    for (int row = 0; row < rows; row++) {
        if (boundary_wraps(&sim->def, 0))
            join_ends(&runs, row % grid->ny, row / grid->ny);
        if (row % grid->ny > 0 || boundary_wraps(&sim->def, 1))
            join_rows(&runs, 1, row % grid->ny, row / grid->ny);
        if (row >= grid->ny || boundary_wraps(&sim->def, 2))
            join_rows(&runs, 2, row % grid->ny, row / grid->ny);
    }
    sim->solids->enclosed_count = 0;
    for_runs(&runs, mark_open);
    for_runs(&runs, number);
    for_runs(&runs, grow);
    sim->solids->main_part = main_part(sim);
    for_runs(&runs, label);
    if (sim->solids->main_part >= 0)
        sim->solids->open_cells = sim->solids->enclosed[sim->solids->main_part].cells;
}

static void balance(BillowSim *sim, const EnclosedRegion *c, unsigned char value)
{
    const Level *level = &sim->multigrid.levels[0];
    double sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        double mean = sum / c->cells;
        for (int k = c->region.low[2]; k < c->region.high[2]; k++)
            for (int j = c->region.low[1]; j < c->region.high[1]; j++)
                for (int i = c->region.low[0]; i < c->region.high[0]; i++) {
                    if (sim->solids->fluid[grid_row(&sim->grid, j, k) + i] != value)
                        continue;
                    float *rhs = level->rhs.color[(i + j + k) & 1] +
                                 packed_row(&level->grid, j, k) + (i >> 1);
                    double found = (double)*rhs;
                    if (pass == 0) {
                        sum += found;
                        continue;
                    }
                    *rhs = (float)(found - mean);
                    sim->plane_sums[k] -= found;
                    sim->plane_squares[k] += (double)*rhs * (double)*rhs - found * found;
                }
    }
}

void enclosed_regions_balance(BillowSim *sim)
{
    Solids *solids = sim->solids;
    for (int c = 0; c < solids->enclosed_count; c++)
        if (c != solids->main_part)
            balance(sim, &solids->enclosed[c], (unsigned char)(ENCLOSED + c));
    for (int k = 0; k < sim->grid.nz; k++)
        if (sim->plane_squares[k] < 0) /* a rounding error of the subtractions */
            sim->plane_squares[k] = 0;
}
