/* SPDX-License-Identifier: MIT
 *
 * Changes of the active cells, saved states, and the memory of simulations that follow. */
#include "sim/follow/follow.h"

#include "base/fail.h"
#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"

#include <stdlib.h>
#include <string.h>

/* Substeps between two releases of cells that smoke has left. Cells are activated in any substep.
 */
enum { SHRINK_SUBSTEPS = 8 };

/* If more than this share of the cells is active, following costs more than it saves. */
#define WHOLE_SHARE 0.65

/* -- the update -------------------------------------------------------------------------------- */

static void clear_parts(float *row, const Span *parts, int count)
{
    for (int p = 0; p < count; p++)
        memset(row + parts[p].begin, 0, (size_t)(parts[p].end - parts[p].begin) * sizeof *row);
}

void follow_clear_band(const BillowSim *sim, float *scalar, int j, int k)
{
    Span parts[3];
    if (!follows(sim))
        return;
    int count = span_parts(active_span(sim, ACTIVE_BAND, j, k),
                           active_span(sim, ACTIVE_CELLS, j, k), (Span){0, 0}, parts);
    clear_parts(scalar + grid_row(&sim->grid, j, k), parts, count);
}

Span follow_kept(const BillowSim *sim, int j, int k, int n)
{
    return sim->region != NULL ? region_kept(&sim->grid, sim->region, j, k, n)
                               : (Span){0, (short)n};
}

static Span span_before(const BillowSim *sim, ActiveSet set, int j, int k)
{
    return sim->follow->before.spans[set][j + (ptrdiff_t)k * sim->grid.ny];
}

static Span span_now(const BillowSim *sim, ActiveSet set, int j, int k)
{
    return sim->follow->region.spans[set][j + (ptrdiff_t)k * sim->grid.ny];
}

int follow_new_faces(const BillowSim *sim, int j, int k, Span parts[3])
{
    return span_parts(span_now(sim, ACTIVE_FACES, j, k), span_before(sim, ACTIVE_FACES, j, k),
                      (Span){0, 0}, parts);
}

static double sum_of(const float *row, Span cells)
{
    double sum = 0;
    for (int i = cells.begin; i < cells.end; i++)
        sum += (double)row[i];
    return sum;
}

/* Clears all scalars of cells that are no longer active, and sums the density that this removes. */
static void leave_row(BillowSim *sim, int j, int k)
{
    Scalar list[SCALARS_MAX];
    Span parts[3], now = span_now(sim, ACTIVE_CELLS, j, k);
    int count = scalars_list(sim, list);
    int left = span_parts(span_before(sim, ACTIVE_CELLS, j, k), now, (Span){0, 0}, parts);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    for (int p = 0; p < left; p++)
        sim->plane_budgets[k].cut += sum_of(sim->density + at, parts[p]);
    for (int s = 0; s < count; s++)
        clear_parts(*list[s].field + at, parts, left);
}

void follow_enter_row(const BillowSim *sim, int j, int k)
{
    Span parts[3], before = span_before(sim, ACTIVE_CELLS, j, k);
    int come = span_parts(span_now(sim, ACTIVE_FACES, j, k), before, (Span){0, 0}, parts);
    for (int p = 0; p < come; p++)
        composite_interpolate(sim, j, k, parts[p]);
}

/* Clears a row of each field in the cells that have left the band, or in the last faces of the box
 * beside them. */
static void forget_row(const BillowSim *sim, float *const *fields, int count, int j, int k)
{
    const Grid *grid = &sim->grid;
    Span parts[3], now = region_kept(grid, &sim->follow->region, j, k, grid->nx + 1);
    int left = span_parts(region_kept(grid, &sim->follow->before, j, k, grid->nx + 1), now,
                          (Span){0, 0}, parts);
    ptrdiff_t at = grid_row(grid, j, k);
    for (int f = 0; f < count; f++)
        clear_parts(fields[f] + at, parts, left);
}

static void change_task(void *context, Team team)
{
    BillowSim *sim = context;
    float *fields[SIM_FIELDS_MAX];
    int count = sim_plain_fields(sim, fields);
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++) {
        sim->plane_budgets[k].cut = 0;
        Span rows = span_hull(sim->follow->region.rows[ACTIVE_BAND][k],
                              sim->follow->before.rows[ACTIVE_BAND][k]);
        for (int j = rows.begin; j < rows.end; j++) {
            leave_row(sim, j, k);
            follow_enter_row(sim, j, k);
            forget_row(sim, fields, count, j, k);
            if (j == sim->grid.ny - 1)
                forget_row(sim, fields, count, j + 1, k);
            if (k == sim->grid.nz - 1)
                forget_row(sim, fields, count, j, k + 1);
        }
    }
}

static size_t rows_of(const Grid *grid)
{
    return (size_t)grid->ny * (size_t)grid->nz;
}

/* Applies a change of the active cells, from `before` to `spans`. */
static void apply_change(BillowSim *sim)
{
    Follow *follow = sim->follow;
    double cut = 0, h = (double)sim->def.cell_size;
    sim_run(sim, change_task, sim);
    follow_prolong(sim, follow->before.spans[ACTIVE_BAND]);
    for (int k = 0; k < sim->grid.nz; k++)
        cut += sim->plane_budgets[k].cut;
    sim->stats.mass_cut += cut * h * h * h;
}

/* Makes all cells active. */
static void fill_spans(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    for (int set = 0; set < ACTIVE_SETS; set++)
        for (size_t row = 0; row < rows_of(grid); row++)
            follow->region.spans[set][row] = (Span){0, (short)grid->nx};
    for (int set = 0; set < ACTIVE_SETS; set++)
        for (int k = 0; k < grid->nz; k++)
            follow->region.rows[set][k] = (Span){0, (short)grid->ny};
    for (int b = 0; b < blocks_along(grid->ny) * blocks_along(grid->nz); b++)
        follow->active[b] = (Span){0, (short)grid->nx};
}

/* The far field takes over the whole velocity and pressure of a simulation in which all cells were
 * active. */
static void take_all(BillowSim *sim)
{
    Follow *follow = sim->follow;
    Span *under = follow->under;
    follow->under = follow->far_all;
    follow_restrict(sim);
    composite_restrict_all(sim);
    follow->under = under;
}

/* Empties the sets of cells before the change, because all fields are 0. */
static void forget_all(BillowSim *sim)
{
    const ActiveRegion *before = &sim->follow->before;
    for (int set = 0; set < ACTIVE_SETS; set++) {
        memset(before->spans[set], 0, rows_of(&sim->grid) * sizeof(Span));
        memset(before->rows[set], 0, (size_t)sim->grid.nz * sizeof(Span));
    }
}

void follow_make_whole(BillowSim *sim)
{
    Follow *follow = sim->follow;
    if (follow != NULL)
        follow->used = true;
    if (follow == NULL || follow->whole)
        return;
    window_move(sim, grid_whole(&sim->grid), &follow->region);
    composite_prepare(sim);
    active_swap(follow);
    fill_spans(sim);
    apply_change(sim);
    follow->whole = true;
    sim->region = NULL;
    displacement_drop(sim);
}

/* Whether the active cells alone can be simulated. Solids, tracers, diffusion, conservative
 * advection, faces with ghosts, closed boxes and other pressure solvers need the whole box. */
static bool can_follow(const BillowSim *sim)
{
    const BillowDef *def = &sim->def;
    const BillowParams *params = &def->params;
    bool diffuses =
        params->viscosity > 0.0f || params->smoke_diffusion > 0.0f || params->heat_diffusion > 0.0f;
    return params->pressure == BILLOW_MULTIGRID && !diffuses && !params_conserve(params) &&
           def->solid_count == 0 && def->tracers == 0 && !boundary_has_ghosts(def) &&
           !boundary_closed(def) && params->cfl <= MARGIN - 2;
}

/* The far field feels the same forces at the same time. */
static void share_forces(BillowSim *sim)
{
    BillowSim *far = sim->follow->far;
    far->time = sim->time;
    far->def.force_count = sim->def.force_count;
    far->pushed_count = sim->pushed_count;
    memcpy(far->def.forces, sim->def.forces, sizeof far->def.forces);
    memcpy(far->pushed, sim->pushed, sizeof far->pushed);
    if (sim->follow->windy != (sim->def.force_count > 0)) {
        sim->follow->windy = sim->def.force_count > 0;
        active_find_near(sim);
    }
}

/* Makes the cells active that active_find has found. fresh: all fields are 0. */
static void change_active(BillowSim *sim, bool fresh)
{
    Follow *follow = sim->follow;
    if (!active_apply(sim))
        return;
    if (fresh)
        forget_all(sim);
    else if (follow->whole)
        take_all(sim);
    follow->whole = false;
    sim->region = &follow->region;
    if (fresh)
        window_move(sim, window_around(sim, &follow->region), NULL);
    else
        window_fit(sim, &follow->before, &follow->region);
    composite_prepare(sim);
    apply_change(sim);
    window_fit(sim, &follow->region, &follow->region);
    composite_prepare(sim);
    advect_displace_more(sim);
}

void follow_update(BillowSim *sim, double dt)
{
    Follow *follow = sim->follow;
    if (follow == NULL)
        return;
    bool fresh = !follow->used;
    share_forces(sim);
    if (!can_follow(sim) || sim->stats.speed_max * dt > (MARGIN - 2) * (double)sim->def.cell_size) {
        follow_make_whole(sim);
        return;
    }
    bool shrinks = sim->stats.substeps % SHRINK_SUBSTEPS == 0;
    if (follow->whole && !shrinks) {
        follow->used = true;
        return;
    }
    composite_prepare(sim);
    double share = active_find(sim, dt, !shrinks);
    follow->used |= share > 0 || sim->def.force_count > 0 || sim->pushed_count > 0;
    if (share > WHOLE_SHARE * (follow->whole ? 0.85 : 1))
        follow_make_whole(sim);
    else
        change_active(sim, fresh);
}

/* -- saved states ------------------------------------------------------------------------------ */

Span *follow_saved_spans(const BillowSim *sim, bool fill, int *count)
{
    const Follow *follow = sim->follow;
    *count = blocks_along(sim->grid.ny) * blocks_along(sim->grid.nz);
    if (fill)
        memcpy(follow->smoke, follow->active, (size_t)*count * sizeof(Span));
    return follow->smoke;
}

bool follow_spans_valid(const BillowSim *sim)
{
    int count, nx = sim->grid.nx;
    const Span *spans = follow_saved_spans(sim, false, &count);
    bool good = true;
    for (int b = 0; b < count; b++)
        good = good && spans[b].begin >= 0 && spans[b].begin <= spans[b].end &&
               spans[b].end <= nx && spans[b].begin % ALIGN == 0 &&
               (spans[b].end % ALIGN == 0 || spans[b].end == nx);
    return good;
}

void follow_restore(BillowSim *sim, bool whole)
{
    Follow *follow = sim->follow;
    if (follow->used)
        sim_clear(sim);
    follow->used = true;
    int count;
    memcpy(follow->band, follow_saved_spans(sim, false, &count),
           (size_t)blocks_along(sim->grid.ny) * (size_t)blocks_along(sim->grid.nz) * sizeof(Span));
    if (whole)
        active_swap(follow);
    if (whole)
        fill_spans(sim);
    else
        active_apply(sim);
    window_move(sim, whole ? grid_whole(&sim->grid) : window_around(sim, &follow->region), NULL);
    follow->whole = whole;
    sim->region = whole ? NULL : &follow->region;
    displacement_drop(follow->far);
    composite_prepare(sim);
}

/* -- creation ---------------------------------------------------------------------------------- */

static BillowDef far_def(const BillowDef *def)
{
    BillowDef far = *def;
    far.nx = def->nx / 2;
    far.ny = def->ny / 2;
    far.nz = def->nz / 2;
    far.cell_size = 2 * def->cell_size;
    far.domain = BILLOW_DOMAIN_BOX;
    far.fire = far.color = far.age = far.guarded = false;
    far.emitter_count = 0;
    far.tracers = 0;
    memset(far.unbounded, 0, sizeof far.unbounded);
    far.texture_period = 0;
    far.params.advection = BILLOW_SEMI_LAGRANGIAN;
    far.params.vorticity = 0;
    return far;
}

/* Memory that is cut into slices. */
typedef struct Slices {
    char *base; /* NULL while measuring */
    size_t used;
} Slices;

static void *slice(Slices *slices, size_t count, size_t size)
{
    size_t at = slices->used;
    slices->used += (count * size + 63) / 64 * 64;
    return slices->base != NULL ? slices->base + at : NULL;
}

/* Cuts all that *follow points to, beside the far field. */
static void cut_slices(Slices *slices, const Grid *grid, const Grid *far, Follow *follow)
{
    size_t rows = rows_of(grid), far_rows = rows_of(far);
    size_t blocks = (size_t)blocks_along(grid->ny) * (size_t)blocks_along(grid->nz);
    size_t planes = (size_t)grid->nz, far_planes = (size_t)far->nz;
    ActiveRegion *const regions[3] = {&follow->region, &follow->before, &follow->near};
    for (int r = 0; r < 3; r++)
        for (int set = 0; set < ACTIVE_SETS; set++) {
            regions[r]->spans[set] = slice(slices, r < 2 ? rows : far_rows, sizeof(Span));
            regions[r]->rows[set] = slice(slices, r < 2 ? planes : far_planes, sizeof(Span));
        }
    Span **const of_far_rows[] = {&follow->under, &follow->inner, &follow->far_all};
    Span **const of_blocks[] = {&follow->smoke, &follow->active, &follow->band};
    for (int f = 0; f < 3; f++) {
        *of_far_rows[f] = slice(slices, far_rows, sizeof(Span));
        *of_blocks[f] = slice(slices, blocks, sizeof(Span));
    }
    follow->under_rows = slice(slices, far_planes, sizeof(Span));
    follow->work = slice(slices, rows, sizeof(Span));
    follow->plane_squares = slice(slices, far_planes, sizeof(double));
    float *field = slice(slices, far->field_floats, sizeof(float));
    follow->pressure = field != NULL ? field + far->stride_z + far->stride_y : NULL;
}

bool follow_create(BillowSim *sim, BillowError *error)
{
    sim->follow = NULL;
    sim->region = NULL;
    if (sim->def.domain != BILLOW_DOMAIN_FOLLOW)
        return true;
    const BillowDef def = far_def(&sim->def);
    BillowSim *far = sim_create(&def, NULL, error);
    if (far == NULL)
        return false;
    Follow measured;
    Slices slices = {NULL, 0};
    slice(&slices, 1, sizeof(Follow));
    cut_slices(&slices, &sim->grid, &far->grid, &measured);
    slices = (Slices){calloc(1, slices.used), 0};
    if (slices.base == NULL) {
        billow_destroy(far);
        return fail(error, "no memory for the active cells of a grid of %dx%dx%d", sim->grid.nx,
                    sim->grid.ny, sim->grid.nz);
    }
    sim->follow = slice(&slices, 1, sizeof(Follow));
    sim->follow->far = far;
    cut_slices(&slices, &sim->grid, &far->grid, sim->follow);
    for (size_t row = 0; row < rows_of(&far->grid); row++)
        sim->follow->far_all[row] = (Span){0, (short)far->grid.nx};
    return true;
}

size_t follow_bytes_needed(const BillowDef *def)
{
    if (def->domain != BILLOW_DOMAIN_FOLLOW)
        return 0;
    const BillowDef far = far_def(def);
    const Grid grid = grid_make(def->nx, def->ny, def->nz),
               far_grid = grid_make(far.nx, far.ny, far.nz);
    Follow measured;
    Slices slices = {NULL, 0};
    slice(&slices, 1, sizeof(Follow));
    cut_slices(&slices, &grid, &far_grid, &measured);
    return slices.used + billow_bytes_needed(&far);
}

void follow_destroy(BillowSim *sim)
{
    if (sim->follow == NULL)
        return;
    billow_destroy(sim->follow->far);
    free(sim->follow);
    sim->follow = NULL;
}

bool follow_is_fresh(const BillowSim *sim)
{
    return !sim->follow->used;
}

void follow_reset(BillowSim *sim)
{
    Follow *follow = sim->follow;
    if (follow == NULL)
        return;
    billow_reset(follow->far);
    const Grid *far = &follow->far->grid;
    memset(follow->pressure - far->stride_z - far->stride_y, 0, far->field_floats * sizeof(float));
    fill_spans(sim);
    window_move(sim, grid_whole(&sim->grid), NULL);
    follow->used = false;
    follow->whole = true;
    sim->region = NULL;
    follow->far->region = &follow->near;
}
