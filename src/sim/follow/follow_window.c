/* SPDX-License-Identifier: MIT
 *
 * The window of a simulation that follows: the cells around the band that have memory (grid.h).
 * Rows are as long as the window, so that a pass over the active cells reads memory with few gaps.
 * If the band comes to the end of the window, all fields move to a larger one. */
#include "sim/follow/follow.h"

#include "sim/fields/field_table.h"

#include <string.h>

/* Windows begin and end at multiples of this, or at the end of the box. */
enum { STEP = ROW_ALIGNMENT };

/* The window shrinks if it ends more than this many cells beyond the band. */
enum { TOO_FAR = 2 * STEP };

Span region_kept(const Grid *grid, const ActiveRegion *region, int j, int k, int n)
{
    int row = j < grid->ny ? j : j - 1, plane = k < grid->nz ? k : k - 1;
    Span kept = region->spans[ACTIVE_BAND][row + (ptrdiff_t)plane * grid->ny];
    if (kept.end == grid->nx)
        kept.end = (short)n;
    return kept;
}

/* -- moves ------------------------------------------------------------------------------------- */

/* A field that moves between two memories, and between two grids of the same box. */
typedef struct Move {
    const ActiveRegion *kept; /* the cells to move; all other elements are 0 */
    const Grid *from, *to;
    float *old, *new;
    bool packed;
} Move;

static void move_row(const Move *move, int j, int k)
{
    Span kept = region_kept(move->from, move->kept, j, k, move->from->nx + 1);
    size_t bytes = (size_t)(kept.end - kept.begin) * sizeof(float);
    float *old = move->old + grid_row(move->from, j, k) + kept.begin;
    if (span_is_empty(kept))
        return;
    if (move->new != NULL)
        memcpy(move->new + grid_row(move->to, j, k) + kept.begin, old, bytes);
    memset(old, 0, bytes);
}

static void move_packed_row(const Move *move, int j, int k)
{
    Span kept = region_kept(move->from, move->kept, j, k, move->from->nx);
    size_t bytes = (size_t)((kept.end + 1) / 2 - kept.begin / 2) * sizeof(float);
    Packed old = grid_packed(move->from, move->old), new = grid_packed(move->to, move->new);
    for (int color = 0; color < 2 && !span_is_empty(kept); color++)
        memcpy(new.color[color] + packed_row(move->to, j, k) + kept.begin / 2,
               old.color[color] + packed_row(move->from, j, k) + kept.begin / 2, bytes);
}

/* Moves the rows of the band, and the faces at the high sides of the box that belong to it. */
static void move_task(void *context, Team team)
{
    const Move *move = context;
    const Grid *grid = move->from;
    Slab slab = team_slab(team, move->packed ? grid->nz : grid->nz + 1);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = move->kept->rows[ACTIVE_BAND][k < grid->nz ? k : k - 1];
        int end = rows.end == grid->ny && !move->packed ? rows.end + 1 : rows.end;
        for (int j = rows.begin; j < end; j++)
            (move->packed ? move_packed_row : move_row)(move, j, k);
    }
}

/* Clears the rows of a field that may differ from 0. */
static void clear(const BillowSim *sim, const ActiveRegion *kept, float *field)
{
    Move move = {kept, &sim->grid, NULL, field, NULL, false};
    sim_run(sim, move_task, &move);
}

/* Moves a field to the memory *spare, which must be 0. *spare becomes the old memory, cleared. */
static void trade(const BillowSim *sim, const ActiveRegion *kept, const Grid *to, float **field,
                  float **spare)
{
    Move move = {kept, &sim->grid, to, *field, grid_field(to, *spare), false};
    float *memory = grid_memory(&sim->grid, *field);
    if (kept != NULL)
        sim_run(sim, move_task, &move);
    *field = move.new;
    *spare = memory;
}

/* Moves the pressure to the memory of the first scratch field. Beyond the sides of the box the
 * pressure must be 0. */
static void move_pressure(BillowSim *sim, const ActiveRegion *kept, const Grid *to)
{
    float *memory = grid_memory(&sim->grid, sim->scratch.fields[0]);
    Move move = {kept, &sim->grid, to, sim->pressure, grid_field(to, memory), true};
    memset(memory, 0, to->field_floats * sizeof(float));
    if (kept != NULL)
        sim_run(sim, move_task, &move);
    sim->scratch.fields[0] = grid_field(to, grid_memory(&sim->grid, sim->pressure));
    sim->pressure = move.new;
}

/* The flame keeps its memory, because no field that samplers read may lie there (sim.c). */
static void move_flame(BillowSim *sim, const ActiveRegion *kept, const Grid *to, float *spare)
{
    float *memory = grid_memory(&sim->grid, sim->flame);
    Move there = {kept, &sim->grid, to, sim->flame, grid_field(to, spare), false};
    Move back = {kept, to, to, grid_field(to, spare), grid_field(to, memory), false};
    if (kept != NULL) {
        sim_run(sim, move_task, &there);
        sim_run(sim, move_task, &back);
    }
    sim->flame = grid_field(to, memory);
}

void window_move(BillowSim *sim, Region window, const ActiveRegion *kept)
{
    Grid to = sim->grid;
    Scalar list[SCALARS_MAX];
    Scratch *scratch = &sim->scratch;
    int count = scalars_list(sim, list);
    grid_set_window(&to, window);
    displacement_drop(sim);
    for (int f = 3; f < SCRATCH_FIELDS_OPEN && kept != NULL; f++)
        clear(sim, kept, scratch->fields[f]);
    float *spare = grid_memory(&sim->grid, scratch->fields[3]);
    for (int axis = 0; axis < 3; axis++)
        trade(sim, kept, &to, &sim->velocity[axis], &spare);
    for (int s = 0; s < count; s++)
        trade(sim, kept, &to, list[s].field, &spare);
    if (sim->flame != NULL)
        move_flame(sim, kept, &to, spare);
    move_pressure(sim, kept, &to);
    scratch->fields[3] = grid_field(&to, spare);
    for (int f = 1; f < SCRATCH_FIELDS; f++)
        if (f != 3 && scratch->fields[f] != NULL)
            scratch->fields[f] = grid_field(&to, grid_memory(&sim->grid, scratch->fields[f]));
    size_t floats = sim->grid.field_floats;
    sim->grid = to;
    sim_return_pages(sim, floats);
    sim->multigrid.levels[0].grid = to;
}

/* -- the window around the band ---------------------------------------------------------------- */

/* The smallest box around the band; empty if the band is. */
static Region bounds_of(const Grid *grid, const ActiveRegion *region)
{
    Region all = {{grid->nx, grid->ny, grid->nz}, {0, 0, 0}};
    for (int k = 0; k < grid->nz; k++)
        for (int j = region->rows[ACTIVE_BAND][k].begin; j < region->rows[ACTIVE_BAND][k].end;
             j++) {
            Span span = region->spans[ACTIVE_BAND][j + (ptrdiff_t)k * grid->ny];
            const int low[3] = {span.begin, j, k}, high[3] = {span.end, j + 1, k + 1};
            for (int axis = 0; axis < 3 && !span_is_empty(span); axis++) {
                all.low[axis] = low[axis] < all.low[axis] ? low[axis] : all.low[axis];
                all.high[axis] = high[axis] > all.high[axis] ? high[axis] : all.high[axis];
            }
        }
    return all;
}

/* The region with at least `cells` more to all sides, from and to multiples of STEP. */
static Region widened(const Grid *grid, Region region, int cells)
{
    for (int axis = 0; axis < 3; axis++) {
        int low = region.low[axis] - cells, high = region.high[axis] + cells;
        if (region.low[axis] >= region.high[axis])
            low = high = 0;
        low = low > 0 ? low / STEP * STEP : 0;
        high = (high > low ? high + STEP - 1 : low + STEP) / STEP * STEP;
        region.low[axis] = low;
        region.high[axis] = high < grid->cells[axis] ? high : grid->cells[axis];
    }
    return region;
}

static bool contains(const Region *outer, const Region *inner)
{
    bool all = true;
    for (int axis = 0; axis < 3; axis++)
        all = all &&
              (inner->low[axis] >= inner->high[axis] ||
               (outer->low[axis] <= inner->low[axis] && outer->high[axis] >= inner->high[axis]));
    return all;
}

Region window_around(const BillowSim *sim, const ActiveRegion *region)
{
    return widened(&sim->grid, bounds_of(&sim->grid, region), 0);
}

void window_fit(BillowSim *sim, const ActiveRegion *kept, const ActiveRegion *other)
{
    const Grid *grid = &sim->grid;
    Region band = bounds_of(grid, kept), more = bounds_of(grid, other);
    for (int axis = 0; axis < 3 && more.low[0] < more.high[0]; axis++) {
        band.low[axis] = band.low[axis] < more.low[axis] ? band.low[axis] : more.low[axis];
        band.high[axis] = band.high[axis] > more.high[axis] ? band.high[axis] : more.high[axis];
    }
    Region most = widened(grid, band, TOO_FAR);
    if (!contains(&grid->window, &band) || !contains(&most, &grid->window))
        window_move(sim, widened(grid, band, 0), kept);
}
