/* SPDX-License-Identifier: MIT
 *
 * Solids on the grid: distances, face fractions, displaced smoke, and motion. */
#include "sim/solids/solids.h"

#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/solids/bodies.h"
#include "sim/solids/floating_bodies.h"
#include "sim/solids/solid_flow.h"
#include "sim/solver/face_fractions.h"

#include <math.h>
#include <string.h>

static size_t in_lines(size_t bytes)
{
    size_t line = ROW_ALIGNMENT * sizeof(float);
    return (bytes + line - 1) / line * ROW_ALIGNMENT;
}

size_t solids_floats(const BillowDef *def, const Grid *grid)
{
    if (def->solid_count == 0)
        return 0;
    return in_lines(sizeof(Solids)) + grid->field_floats +
           in_lines((size_t)grid->ny * (size_t)grid->nz * sizeof(float)) +
           2 * in_lines(grid->field_floats) +
           in_lines((size_t)grid->nz * (size_t)def->solid_count * 6 * sizeof(double)) +
           in_lines(ENCLOSED_MAX * sizeof(EnclosedRegion)) + face_fractions_floats(grid);
}

void solids_cut(BillowSim *sim, float *memory)
{
    const Grid *grid = &sim->grid;
    ptrdiff_t lead = grid->stride_z + grid->stride_y;
    Solids *solids = sim->solids = (Solids *)memory;
    memset(solids, 0, sizeof *solids);
    memory += in_lines(sizeof *solids);
    for (size_t at = 0; at < grid->field_floats; at++)
        memory[at] = SOLID_REACH;
    solids->distance = memory + lead;
    memory += grid->field_floats;
    solids->rows = memory;
    for (int row = 0; row < grid->ny * grid->nz; row++)
        solids->rows[row] = SOLID_REACH;
    memory += in_lines((size_t)grid->ny * (size_t)grid->nz * sizeof(float));
    memset(memory, 1, grid->field_floats);
    solids->fluid = (unsigned char *)memory + lead;
    memory += in_lines(grid->field_floats);
    memset(memory, 0, grid->field_floats);
    solids->cuts = (unsigned char *)memory + lead;
    memory += in_lines(grid->field_floats);
    solids->impulses = (double *)memory;
    memory += in_lines((size_t)grid->nz * (size_t)sim->def.solid_count * 6 * sizeof(double));
    solids->enclosed = (EnclosedRegion *)memory;
    memory += in_lines(ENCLOSED_MAX * sizeof(EnclosedRegion));
    face_fractions_prepare(&sim->multigrid, memory);
}

/* -- distances --------------------------------------------------------------------------------- */

static void place(BillowSim *sim)
{
    sim->solids->still = true;
    for (int s = 0; s < sim->def.solid_count; s++) {
        const BillowSolid *solid = &sim->def.solids[s];
        sim->solids->placed[s] = bodies_place(solid);
        if (bodies_change(solid)) {
            const double *share = solid->volume->share, part = sim->solids->part;
            sim->solids->placed[s].share =
                part >= 1 ? share[1] : share[0] + part * (share[1] - share[0]);
        }
        sim->solids->still = sim->solids->still && !bodies_move(solid);
    }
}

/* A box of cells that contains all points closer than SOLID_REACH to a shape. */
static Region region_of(const BillowSim *sim, const PlacedShape *placed)
{
    double low[3], high[3], h = (double)sim->def.cell_size;
    Region region;
    shape_bounds(placed, low, high);
    for (int axis = 0; axis < 3; axis++) {
        double corner = (double)sim->def.origin[axis], reach = (double)SOLID_REACH + 1;
        double first = floor((low[axis] - corner) / h - reach);
        double last = ceil((high[axis] - corner) / h + reach);
        bool around =
            boundary_wraps(&sim->def, axis) && (first < 0 || last > sim->grid.cells[axis]);
        region.low[axis] = around ? 0 : (int)fmin(fmax(first, 0), sim->grid.cells[axis]);
        region.high[axis] =
            around ? sim->grid.cells[axis] : (int)fmin(fmax(last, 0), sim->grid.cells[axis]);
    }
    return region;
}

static Region region_of_all(const BillowSim *sim)
{
    Region region = {{0}, {0}};
    for (int s = 0; s < sim->def.solid_count; s++)
        region = region_hull(region, region_of(sim, &sim->solids->placed[s]));
    return region;
}

/* Computes the periodic image of a point that is nearest to a solid's centre. A plane has no
 * centre; its image is the point itself. */
static void nearest_image(const BillowSim *sim, const PlacedShape *placed, const double point[3],
                          double image[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double turn = sim->grid.cells[axis] * (double)sim->def.cell_size;
        bool wraps = boundary_wraps(&sim->def, axis) && placed->shape != BILLOW_PLANE;
        image[axis] = point[axis];
        if (wraps)
            image[axis] -= turn * floor((point[axis] - placed->center[axis]) / turn + 0.5);
    }
}

static double distance_from(const BillowSim *sim, const double point[3], int *nearest)
{
    double least = INFINITY;
    for (int s = 0; s < sim->def.solid_count; s++) {
        double image[3];
        nearest_image(sim, &sim->solids->placed[s], point, image);
        double distance = shape_distance(&sim->solids->placed[s], image);
        if (distance < least) {
            least = distance;
            *nearest = s;
        }
    }
    return least;
}

/* Distance at the low corner of cell (i, j, k), cells. 1e-4 is subtracted, so that a surface that
 * coincides with faces shuts them. */
static float corner_distance(const BillowSim *sim, int i, int j, int k)
{
    const double cell[3] = {i, j, k}, h = (double)sim->def.cell_size, shut = 1e-4;
    double point[3];
    int nearest = 0;
    for (int axis = 0; axis < 3; axis++) { /* at a periodic axis the last corner is the first one */
        bool again = boundary_wraps(&sim->def, axis) && (int)cell[axis] == sim->grid.cells[axis];
        point[axis] = (double)sim->def.origin[axis] + (again ? 0 : cell[axis]) * h;
    }
    double cells = distance_from(sim, point, &nearest) / h - shut;
    double reach = (double)SOLID_REACH;
    return (float)(cells < -reach ? -reach : cells > reach ? reach : cells);
}

/* -- face fractions ---------------------------------------------------------------------------- */

/* Area of the part of a unit square in which an interpolated value is above 0. `value` lists the
 * values at the corners in order around the square. The part is a polygon of the corners above 0
 * and the zeros on the edges. */
static float part_above(const float value[4])
{
    static const float corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    float points[8][2], area = 0;
    int count = 0;
    for (int p = 0; p < 4; p++) {
        int q = (p + 1) % 4;
        if (value[p] > 0.0f)
            memcpy(points[count++], corner[p], sizeof corner[p]);
        if ((value[p] > 0.0f) != (value[q] > 0.0f)) {
            float t = value[p] / (value[p] - value[q]);
            for (int axis = 0; axis < 2; axis++)
                points[count][axis] = corner[p][axis] + t * (corner[q][axis] - corner[p][axis]);
            count++;
        }
    }
    for (int p = 0; p < count; p++) {
        const float *a = points[p], *b = points[(p + 1) % count];
        area += 0.5f * (a[0] * b[1] - b[0] * a[1]);
    }
    return area;
}

/* Fraction of a face. Fractions below 0.25 count as 0, and those above 0.99 as 1. The projection
 * bounds the kinetic energy weighted by face fractions. The flow through a slit has little weight
 * and may therefore become ever faster. Advection weights all faces alike and moves that speed into
 * the open flow. Around a ball of radius 4 cells the flow diverged if fractions down to 0.01 or
 * 0.12 were kept. With 0.25 its speed stays below 1.5 times that of the wind. */
static float fraction_of(const Grid *grid, const float *distance, int axis, ptrdiff_t at)
{
    ptrdiff_t a = grid->strides[axis == 0 ? 1 : 0], b = grid->strides[axis == 2 ? 1 : 2];
    const float corners[4] = {distance[at], distance[at + a], distance[at + a + b],
                              distance[at + b]};
    const float slit = 0.25f, nearly = 0.99f;
    float part = part_above(corners);
    return part < slit ? 0 : part > nearly ? 1 : part;
}

/* Computes the fractions of the low faces of row (j, k) along an axis. */
static void open_row(BillowSim *sim, Region region, int axis, int j, int k)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    float row[BILLOW_GRID_MAX + 1];
    int n = grid->nx + (axis == 0), even = (j + k) & 1;
    for (int i = 0; i < n; i++)
        row[i] = 1;
    int last = axis == 0 ? region.high[0] : region.high[0] - 1;
    for (int i = region.low[0]; i <= last; i++)
        row[i] = fraction_of(grid, sim->solids->distance, axis, grid_row(grid, j, k) + i);
    const Packed *low = &level->fractions.low[axis];
    ptrdiff_t at = packed_row(grid, j, k);
    level->kernels->pack(row, n, low->color[even] + at, low->color[1 - even] + at);
}

/* Computes the face fractions of plane k. Row ny has faces across y only, and plane nz has faces
 * across z only. */
static void open_plane(BillowSim *sim, Region region, int k)
{
    for (int j = region.low[1]; j <= region.high[1]; j++) {
        bool inside_y = j < sim->grid.ny, inside_z = k < sim->grid.nz;
        if (inside_y && inside_z)
            open_row(sim, region, 0, j, k);
        if (inside_z)
            open_row(sim, region, 1, j, k);
        if (inside_y)
            open_row(sim, region, 2, j, k);
    }
}

/* Marks cells as FLUID, SOLID or, if they were fluid before, OVERRUN, and computes for each row of
 * plane k the least distance at the corners of its cells. */
static void fill_plane(BillowSim *sim, Region region, int k)
{
    const Grid *grid = &sim->grid;
    const Level *level = &sim->multigrid.levels[0];
    for (int j = region.low[1]; j < region.high[1]; j++) {
        unsigned char *fluid = sim->solids->fluid + grid_row(grid, j, k);
        for (int i = region.low[0]; i < region.high[0]; i++)
            fluid[i] = level_cell_is_open(level, i, j, k) ? FLUID
                       : fluid[i] != SOLID                ? OVERRUN
                                                          : SOLID;
        float least = SOLID_REACH;
        for (int corner = 0; corner < 4; corner++) {
            const float *row =
                sim->solids->distance + grid_row(grid, j + (corner & 1), k + (corner >> 1));
            for (int i = region.low[0]; i <= region.high[0]; i++)
                least = row[i] < least ? row[i] : least;
        }
        sim->solids->rows[j + (ptrdiff_t)k * grid->ny] = least;
    }
}

static bool is_wet(unsigned char fluid)
{
    return fluid != SOLID && fluid != OVERRUN;
}

static unsigned char cut_of(const BillowSim *sim, int axis, const int at[3])
{
    const Grid *grid = &sim->grid;
    bool low = at[axis] == 0, high = at[axis] == grid->cells[axis];
    for (int a = 0; a < 3; a++)
        if (a != axis && at[a] == grid->cells[a])
            return 0; /* no such face */
    float open = *face_fraction(&sim->multigrid.levels[0], axis, at[0], at[1], at[2]);
    BillowFace side = sim->def.faces[2 * axis + high];
    if (open == 1.0f ||
        ((low || high) && side != BILLOW_OPEN && side != BILLOW_PERIODIC && side != BILLOW_INFLOW))
        return 0;
    const unsigned char *fluid = sim->solids->fluid + grid_row(grid, at[1], at[2]) + at[0];
    bool seen = low || high || is_wet(fluid[0]) || is_wet(fluid[-grid->strides[axis]]);
    return (unsigned char)(((seen ? CUT_SEEN : 0) | (open > 0.0f ? 0 : CUT_SHUT)) << axis);
}

/* Marks the faces that solids cut, including the high faces of the last cells. `fluid` must be
 * complete. */
static void mark_plane(BillowSim *sim, Region region, int k)
{
    for (int j = region.low[1]; j <= region.high[1]; j++) {
        unsigned char *cuts = sim->solids->cuts + grid_row(&sim->grid, j, k);
        for (int i = region.low[0]; i <= region.high[0]; i++) {
            const int at[3] = {i, j, k};
            cuts[i] = cut_of(sim, 0, at) | cut_of(sim, 1, at) | cut_of(sim, 2, at);
        }
    }
}

static void update_task(void *context, Team team)
{
    BillowSim *sim = context;
    Region region = sim->solids->region;
    /* includes plane nz, which has corners and faces across z */
    const Slab all = {region.low[2], region.high[2] + 1};
    Slab slab = slab_meet(team_slab_around(team, sim->grid.nz + 1, all), all);
    for (int k = slab.begin; k < slab.end; k++) /* distances at the corners of the cells */
        for (int j = region.low[1]; j <= region.high[1]; j++)
            for (int i = region.low[0]; i <= region.high[0]; i++)
                sim->solids->distance[grid_row(&sim->grid, j, k) + i] =
                    corner_distance(sim, i, j, k);
    team_barrier(team);
    for (int k = slab.begin; k < slab.end; k++)
        open_plane(sim, region, k);
    team_barrier(team);
    face_fractions_coarsen(&sim->multigrid, region, team);
    for (int k = slab.begin; k < slab.end && k < region.high[2]; k++)
        fill_plane(sim, region, k);
    team_barrier(team);
    for (int k = slab.begin; k < slab.end; k++)
        mark_plane(sim, region, k);
}

/* -- smoke that solids displace ---------------------------------------------------------------- */

/* Finds the first fluid cell on the way from cell (i, j, k) out of a solid, along the gradient of
 * the distance. Returns false if there is none. */
static bool nearest_fluid(const BillowSim *sim, int i, int j, int k, int to[3])
{
    const Grid *grid = &sim->grid;
    const float *corner = sim->solids->distance + grid_row(grid, j, k) + i;
    float slope[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        ptrdiff_t a = grid->strides[axis == 0 ? 1 : 0], b = grid->strides[axis == 2 ? 1 : 2],
                  s = grid->strides[axis];
        slope[axis] = (corner[s] - corner[0]) + (corner[s + a] - corner[a]) +
                      (corner[s + b] - corner[b]) + (corner[s + a + b] - corner[a + b]);
        length += slope[axis] * slope[axis];
    }
    const int from[3] = {i, j, k};
    for (float far = 0.5f; length > 0.0f && far < 2 * SOLID_REACH; far += 0.5f) {
        for (int axis = 0; axis < 3; axis++) {
            to[axis] = from[axis] + (int)floorf(far * slope[axis] / sqrtf(length) + 0.5f);
            if (to[axis] < 0 || to[axis] >= grid->cells[axis])
                return false;
        }
        if (sim->solids->fluid[grid_row(grid, to[1], to[2]) + to[0]] == FLUID)
            return true;
    }
    return false;
}

/* Clears a cell of the smoke. Its smoke, fuel and colours move to cell `to`. If `to` is -1, they
 * are lost or, if a solid has moved, added to `owed`. Its temperature is lost. */
static void clear_smoke(BillowSim *sim, const Scalar *list, int count, ptrdiff_t at, ptrdiff_t to,
                        bool moved)
{
    const double volume = smoke_cell_volume(sim);
    for (int s = 0; s < count; s++) {
        float *field = *list[s].field;
        if (to >= 0 && list[s].amount)
            field[to] += field[at];
        else if (moved && list[s].amount)
            sim->solids->owed[s] += (double)field[at];
        else if (list[s].kind == SCALAR_DENSITY)
            sim->stats.mass_cut += (double)field[at] * volume;
        field[at] = 0;
    }
}

/* Clears a cell of the wind, as clear_smoke does; `to` is one, too. */
static void clear_cell(BillowSim *sim, const int cell[3], const int *to, bool moved)
{
    const Smoke *smoke = &sim->smoke;
    const int refine = smoke->refine;
    Scalar list[SCALARS_MAX];
    int all = scalars_list(sim, list), count = smoke_scalars(sim, list);
    for (int s = count; s < all; s++)
        (*list[s].field)[grid_row(&sim->grid, cell[1], cell[2]) + cell[0]] = 0;
    for (int r = 0; r < refine; r++)
        for (int q = 0; q < refine; q++)
            for (int p = 0; p < refine; p++) {
                ptrdiff_t at = grid_row(&smoke->grid, cell[1] * refine + q, cell[2] * refine + r) +
                               cell[0] * refine + p;
                ptrdiff_t other =
                    to != NULL ? grid_row(&smoke->grid, to[1] * refine + q, to[2] * refine + r) +
                                     to[0] * refine + p
                               : -1;
                clear_smoke(sim, list, count, at, other, moved);
            }
}

/* Clears the cells that solids have covered. With `keep`, their smoke moves to the nearest fluid.
 * Their heat does not, because temperature is not an amount. Without `keep`, a solid has moved, and
 * the flow has already advected the smoke away. What remains in the covered cells is a second copy
 * and is removed; solid_advection.c corrects the difference. Runs on one worker, because smoke of
 * several cells may move to the same cell. */
static void clear(BillowSim *sim, bool keep)
{
    const Grid *grid = &sim->grid;
    Packed pressure = grid_packed(grid, sim->pressure);
    Region region = sim->solids->region;
    for (int k = region.low[2]; k < region.high[2]; k++)
        for (int j = region.low[1]; j < region.high[1]; j++)
            for (int i = region.low[0]; i < region.high[0]; i++) {
                const ptrdiff_t at = grid_row(grid, j, k) + i;
                int to[3];
                if (sim->solids->fluid[at] != OVERRUN)
                    continue;
                bool moves = keep && nearest_fluid(sim, i, j, k, to);
                clear_cell(sim, (const int[3]){i, j, k}, moves ? to : NULL, !keep);
                *packed_cell(grid, pressure, i, j, k) = 0;
                sim->solids->fluid[at] = SOLID;
            }
}

static void rebuild(BillowSim *sim, bool keep)
{
    if (sim->solids == NULL)
        return;
    Region before = sim->solids->region;
    place(sim);
    sim->solids->region = region_hull(before, region_of_all(sim));
    if (!region_is_empty(sim->solids->region))
        team_run(sim->threads, update_task, sim);
    Scalar list[SCALARS_MAX];
    int count = scalars_list(sim, list);
    const Region *region = &sim->solids->region; /* every rank clears all covered cells */
    for (int s = 0; s < count; s++) {
        const int finer = list[s].texture ? 1 : sim->smoke.refine;
        exchange_whole_fields(sim_alone(sim), scalar_grid(sim, &list[s]), list[s].field, 1,
                              (Slab){region->low[2] * finer, region->high[2] * finer});
    }
    if (keep)
        smoke_fill(sim); /* smoke may move anywhere */
    clear(sim, keep);
    sim->solids->region = region_of_all(sim);
    sim->solids->version++;
    displacement_drop(sim);
    scratch_claim(&sim->scratch, SCRATCH_REGIONS);
    enclosed_regions_find(sim);
    scratch_release(&sim->scratch, SCRATCH_REGIONS);
}

void solids_place(BillowSim *sim)
{
    if (sim->solids != NULL) {
        memset(sim->solids->kicked, 0, sizeof sim->solids->kicked);
        memset(sim->solids->owed, 0, sizeof sim->solids->owed);
        memset(sim->solids->motions, 0, sizeof sim->solids->motions);
        for (int s = 0; s < sim->def.solid_count; s++)
            if (bodies_float(&sim->def.solids[s]))
                floating_release(sim, s);
    }
    rebuild(sim, true);
}

/* -- motion ------------------------------------------------------------------------------------ */

void solids_begin(BillowSim *sim, double dt)
{
    if (sim->solids == NULL)
        return;
    sim->solids->part = 0;
    sim->solids->step = dt;
}

void solids_move(BillowSim *sim, double dt)
{
    Solids *solids = sim->solids;
    bool moved = false;
    if (solids == NULL || solids->still)
        return;
    solids->part = sim->substeps_left == 0 ? 1 : solids->part + dt / solids->step;
    floating_begin(sim);
    for (int s = 0; s < sim->def.solid_count; s++) {
        BillowSolid *solid = &sim->def.solids[s], before = *solid;
        if (!bodies_move(solid))
            continue;
        if (bodies_float(solid))
            floating_move(sim, s, dt);
        else
            solid_motion_advance(&sim->def, solid, NULL, &solids->kicked[s], dt);
        moved = moved || bodies_change(solid) || bodies_solid_moved(&before, solid);
    }
    if (moved)
        rebuild(sim, false);
}

void solids_set(BillowSim *sim, const BillowSolid *solids)
{
    bool moved = false;
    sim->solids->part = 0;
    sim->solids->still = true;
    for (int s = 0; s < sim->def.solid_count; s++) {
        BillowSolid *solid = &sim->def.solids[s];
        moved = moved || bodies_solid_moved(solid, &solids[s]);
        const BillowSolid before = *solid;
        bool thrown = memcmp(before.velocity, solids[s].velocity, sizeof before.velocity) != 0;
        if (thrown || solids[s].motion != before.motion)
            sim->solids->kicked[s] = 0;
        *solid = solids[s];
        if (bodies_float(solid) && (thrown || !bodies_float(&before) ||
                                    memcmp(before.spin, solid->spin, sizeof before.spin) != 0))
            floating_release(sim, s);
        sim->solids->still = sim->solids->still && !bodies_move(solid);
    }
    if (moved)
        rebuild(sim, true);
}

void solids_restore(BillowSim *sim, const BillowSolid *solids, const double *kicked,
                    const BodyMotion *motions, const double *owed)
{
    Solids *own = sim->solids;
    bool moved = false;
    own->part = 0;
    own->still = true;
    for (int s = 0; s < sim->def.solid_count; s++) {
        moved = moved || bodies_change(&solids[s]) ||
                bodies_solid_moved(&sim->def.solids[s], &solids[s]);
        sim->def.solids[s] = solids[s];
        own->still = own->still && !bodies_move(&solids[s]);
    }
    if (moved)
        rebuild(sim, false);
    memcpy(own->kicked, kicked, sizeof own->kicked);
    memcpy(own->motions, motions, sizeof own->motions);
    memcpy(own->owed, owed, sizeof own->owed);
}

/* Largest speed at which the surface of a solid moves because its shape changes, m/s. */
static double change_speed(const Solids *solids, const BillowSolid *solid)
{
    const BillowVolume *volume = solid->volume;
    if (!bodies_change(solid) || !(solids->step > 0))
        return 0;
    size_t samples = (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
    float most = 0;
    for (size_t s = 0; s < samples; s++) {
        float change = fabsf(volume->next[s] - volume->distance[s]);
        most = change > most ? change : most;
    }
    return (double)most * (double)solid->size[0] * fabs(volume->share[1] - volume->share[0]) /
           solids->step;
}

double solids_speed(const BillowSim *sim)
{
    double most = 0;
    for (int s = 0; s < sim->def.solid_count; s++) {
        const BillowSolid *solid = &sim->def.solids[s];
        double v2 = 0, low[3], high[3];
        if (bodies_outside(&sim->def, &sim->solids->placed[s]))
            continue;
        for (int axis = 0; axis < 3; axis++)
            v2 += (double)solid->velocity[axis] * (double)solid->velocity[axis];
        shape_bounds(&sim->solids->placed[s], low, high);
        most = fmax(most, sqrt(v2) + bodies_rim_speed(solid, low, high) +
                              change_speed(sim->solids, solid));
    }
    return most;
}

/* -- values at surfaces ------------------------------------------------------------------------ */

/* Computes the middle of a cell's low face along `axis`. If `axis` is -1, computes the cell's
 * centre. */
static void face_middle(const BillowSim *sim, int axis, int i, int j, int k, double point[3])
{
    const double cell[3] = {i, j, k}, h = (double)sim->def.cell_size;
    for (int a = 0; a < 3; a++)
        point[a] = (double)sim->def.origin[a] + (cell[a] + (a == axis ? 0 : 0.5)) * h;
}

float solids_distance(const BillowSim *sim, int i, int j, int k, int *solid)
{
    double point[3];
    face_middle(sim, -1, i, j, k, point);
    return (float)(distance_from(sim, point, solid) / (double)sim->def.cell_size);
}

/* The solid with the nearest surface to a point. */
static const BillowSolid *nearest(const BillowSim *sim, const double point[3])
{
    int nearest = 0;
    if (sim->def.solid_count > 1)
        distance_from(sim, point, &nearest);
    return &sim->def.solids[nearest];
}

int solids_nearest(const BillowSim *sim, int axis, int i, int j, int k, double arm[3])
{
    double point[3], image[3];
    face_middle(sim, axis, i, j, k, point);
    const BillowSolid *solid = nearest(sim, point);
    int s = (int)(solid - sim->def.solids);
    nearest_image(sim, &sim->solids->placed[s], point, image);
    for (int a = 0; a < 3; a++)
        arm[a] = image[a] - (double)solid->center[a];
    return s;
}

bool solids_stick(const BillowSim *sim, int axis, int i, int j, int k)
{
    double point[3];
    face_middle(sim, axis, i, j, k, point);
    return nearest(sim, point)->sticky;
}

/* Velocity along `axis` of the surface of a shape that changes. The surface is where the distance f
 * is 0. It moves along its normal n = grad f / |grad f|, at the speed -(df/dt) / |grad f|, and a
 * distance has |grad f| = 1. */
static double change_velocity(const BillowSim *sim, const BillowSolid *solid, int axis,
                              const double point[3])
{
    const PlacedShape *placed = &sim->solids->placed[solid - sim->def.solids];
    if (!bodies_change(solid) || !(sim->solids->step > 0))
        return 0;
    const double *share = solid->volume->share, h = (double)sim->def.cell_size;
    double normal[3], length = 0;
    for (int a = 0; a < 3; a++) {
        double low[3] = {point[0], point[1], point[2]}, high[3] = {point[0], point[1], point[2]};
        low[a] -= 0.5 * h;
        high[a] += 0.5 * h;
        normal[a] = shape_distance(placed, high) - shape_distance(placed, low);
        length += normal[a] * normal[a];
    }
    double rate = shape_change(placed, point) * (share[1] - share[0]) / sim->solids->step;
    return length > 0 ? -rate * normal[axis] / sqrt(length) : 0;
}

float solids_velocity(const BillowSim *sim, int axis, int i, int j, int k)
{
    double point[3], image[3];
    if (sim->solids->still)
        return 0;
    face_middle(sim, axis, i, j, k, point);
    const BillowSolid *solid = nearest(sim, point);
    nearest_image(sim, &sim->solids->placed[solid - sim->def.solids], point, image);
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double turning = (double)solid->spin[b] * (image[c] - (double)solid->center[c]) -
                     (double)solid->spin[c] * (image[b] - (double)solid->center[b]);
    return (float)((double)solid->velocity[axis] + turning +
                   change_velocity(sim, solid, axis, image));
}
