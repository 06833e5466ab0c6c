/* SPDX-License-Identifier: MIT
 *
 * Changes of the active cells, saved states, boxes that grow, and the memory of simulations that
 * follow. */
#include "sim/follow/follow.h"

#include "base/fail.h"
#include "sim/advection/advect.h"
#include "sim/fields/boundary.h"
#include "sim/fields/field_table.h"
#include "sim/follow/composite.h"
#include "sim/growth.h"
#include "sim/statistics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Substeps between two releases of cells that smoke has left. Any substep activates cells. */
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

int follow_new_faces(const BillowSim *sim, int j, int k, Span parts[3])
{
    return span_parts(span_at(sim->follow->region.spans[ACTIVE_FACES], &sim->grid, j, k),
                      span_at(sim->follow->before.spans[ACTIVE_FACES], &sim->grid, j, k),
                      (Span){0, 0}, parts);
}

/* Clears all scalars of cells that are no longer active, and sums the density that this removes. */
static void leave_row(BillowSim *sim, int j, int k)
{
    Scalar list[SCALARS_MAX];
    Span parts[3], now = span_at(sim->follow->region.spans[ACTIVE_CELLS], &sim->grid, j, k);
    int count = scalars_list(sim, list);
    int left = span_parts(span_at(sim->follow->before.spans[ACTIVE_CELLS], &sim->grid, j, k), now,
                          (Span){0, 0}, parts);
    ptrdiff_t at = grid_row(&sim->grid, j, k);
    for (int p = 0; p < left; p++) {
        double sum = 0;
        for (int i = parts[p].begin; i < parts[p].end; i++)
            sum += (double)sim->density[at + i];
        sim->plane_budgets[k].cut += sum;
    }
    for (int s = 0; s < count; s++)
        clear_parts(*list[s].field + at, parts, left);
}

/* Interpolates the pressure of the cells of row (j, k) that the last update has made active, and of
 * the cells around active ones. */
static void enter_row(const BillowSim *sim, int j, int k)
{
    Span parts[3], before = span_at(sim->follow->before.spans[ACTIVE_CELLS], &sim->grid, j, k);
    int come = span_parts(span_at(sim->follow->region.spans[ACTIVE_FACES], &sim->grid, j, k),
                          before, (Span){0, 0}, parts);
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
            enter_row(sim, j, k);
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
    composite_prolong(sim, follow->before.spans[ACTIVE_BAND]);
    for (int k = 0; k < sim->grid.nz; k++)
        cut += sim->plane_budgets[k].cut;
    sim->stats.mass_cut += cut * h * h * h;
}

/* Makes all cells active. */
static void fill_spans(BillowSim *sim)
{
    const Grid *grid = &sim->grid;
    Follow *follow = sim->follow;
    for (int set = 0; set < ACTIVE_SETS; set++) {
        for (size_t row = 0; row < rows_of(grid); row++)
            follow->region.spans[set][row] = (Span){0, (short)grid->nx};
        for (int k = 0; k < grid->nz; k++)
            follow->region.rows[set][k] = (Span){0, (short)grid->ny};
    }
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
    composite_restrict_velocity(sim);
    composite_restrict_all(sim);
    follow->under = under;
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

/* Largest displacement in a substep, cells, with which samples stay in the band. */
static int cells_most(const BillowParams *params)
{
    return MARGIN - (params_reflect(params) ? 4 : 2);
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
           !boundary_closed(def) && params->cfl <= (float)cells_most(params);
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
    for (int set = 0; set < ACTIVE_SETS && fresh; set++) { /* no cell was active before */
        memset(follow->before.spans[set], 0, rows_of(&sim->grid) * sizeof(Span));
        memset(follow->before.rows[set], 0, (size_t)sim->grid.nz * sizeof(Span));
    }
    if (!fresh && follow->whole)
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
    if (!can_follow(sim) ||
        sim->stats.speed_max * dt > cells_most(&sim->def.params) * (double)sim->def.cell_size) {
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
    if (whole) {
        active_swap(follow);
        fill_spans(sim);
    } else
        active_apply(sim);
    window_move(sim, whole ? grid_whole(&sim->grid) : window_around(sim, &follow->region), NULL);
    follow->whole = whole;
    sim->region = whole ? NULL : &follow->region;
    displacement_drop(follow->far);
    composite_prepare(sim);
}

/* -- boxes that grow ---------------------------------------------------------------------------
 *
 * A simulation that follows, in a box that has grown: the larger simulation takes over the active
 * cells and the far field. Sides move by whole blocks, so that blocks keep their cells. Only a
 * block that the old side cut off gets more of them: these become active, as cells do that smoke
 * nears. Memory of the larger box outside of the band stays untouched. */

static_assert(GROWTH_CELLS % (2 * BLOCK) == 0 && GROWTH_CELLS % (2 * ALIGN) == 0,
              "a box grows by whole blocks, spans and far cells");

typedef struct ShiftTask {
    BillowSim *to;
    const BillowSim *from;
    const int *low; /* cells added at the low sides of the box, along each axis */
} ShiftTask;

static Span moved_span(Span span, int cells)
{
    if (span_is_empty(span))
        return (Span){0, 0};
    return (Span){(short)(span.begin + cells), (short)(span.end + cells)};
}

/* The active blocks. A span that ended at the old side goes on to a multiple of ALIGN. */
static void shift_blocks(const ShiftTask *task)
{
    const Grid *old = &task->from->grid, *grid = &task->to->grid;
    const int *low = task->low;
    int by = blocks_along(grid->ny), old_by = blocks_along(old->ny);
    Span *blocks = task->to->follow->band;
    memset(blocks, 0, (size_t)by * (size_t)blocks_along(grid->nz) * sizeof *blocks);
    for (int bk = 0; bk < blocks_along(old->nz); bk++)
        for (int bj = 0; bj < old_by; bj++) {
            Span span = moved_span(task->from->follow->active[bj + (ptrdiff_t)bk * old_by], low[0]);
            int end = (span.end + ALIGN - 1) / ALIGN * ALIGN;
            span.end = (short)(end < grid->nx ? end : grid->nx);
            blocks[bj + low[1] / BLOCK + (ptrdiff_t)(bk + low[2] / BLOCK) * by] = span;
        }
}

/* The cells that were active, as those before the change: all others have become active. */
static void shift_before(const ShiftTask *task)
{
    const Grid *old = &task->from->grid, *grid = &task->to->grid;
    const int *low = task->low;
    Span *before = task->to->follow->before.spans[ACTIVE_CELLS];
    memset(before, 0, (size_t)grid->ny * (size_t)grid->nz * sizeof *before);
    for (int k = 0; k < old->nz; k++)
        for (int j = 0; j < old->ny; j++)
            before[j + low[1] + (ptrdiff_t)(k + low[2]) * grid->ny] =
                moved_span(active_span(task->from, ACTIVE_CELLS, j, k), low[0]);
}

static void shift_part(const ShiftTask *task, const float *old, float *new, int j, int k, Span part)
{
    if (span_is_empty(part))
        return;
    float *row = new + grid_row(&task->to->grid, j + task->low[1], k + task->low[2]);
    memcpy(row + task->low[0] + part.begin, old + grid_row(&task->from->grid, j, k) + part.begin,
           (size_t)(part.end - part.begin) * sizeof *row);
}

/* The faces of active cells in row (j, k). */
static void shift_faces(const ShiftTask *task, int axis, int j, int k)
{
    Span faces[2];
    span_faces(task->from->region->spans[ACTIVE_CELLS], &task->from->grid, axis, j, k, faces);
    shift_part(task, task->from->velocity[axis], task->to->velocity[axis], j, k,
               span_hull(faces[0], faces[1]));
}

/* Cells keep their colour, because the shift is even along each axis. So do the ends of spans. */
static void shift_pressure(const ShiftTask *task, int j, int k, Span cells)
{
    const int *low = task->low;
    Packed old = grid_packed(&task->from->grid, task->from->pressure);
    Packed new = grid_packed(&task->to->grid, task->to->pressure);
    ptrdiff_t from = packed_row(&task->from->grid, j, k) + cells.begin / 2;
    ptrdiff_t at = packed_row(&task->to->grid, j + low[1], k + low[2]) + (cells.begin + low[0]) / 2;
    for (int color = 0; color < 2; color++)
        memcpy(new.color[color] + at, old.color[color] + from,
               (size_t)(cells.end - cells.begin) / 2 * sizeof(float));
}

static void shift_cells(const ShiftTask *task, int j, int k)
{
    StateField old[SIM_FIELDS_MAX], new[SIM_FIELDS_MAX];
    int count = sim_state_fields(task->from, old);
    Span cells = active_span(task->from, ACTIVE_CELLS, j, k);
    if (span_is_empty(cells))
        return;
    sim_state_fields(task->to, new);
    for (int f = 0; f < count; f++)
        if (new[f].axis < 0)
            shift_part(task, old[f].values, new[f].values, j, k, cells);
    shift_pressure(task, j, k, cells);
}

static void shift_task(void *context, Team team)
{
    const ShiftTask *task = context;
    const Grid *old = &task->from->grid;
    Slab slab = team_slab(team, old->nz);
    for (int k = slab.begin; k < slab.end; k++) {
        for (int j = 0; j < old->ny; j++)
            shift_cells(task, j, k);
        for (int axis = 0; axis < 3; axis++)
            for (int j = 0; j < old->ny + (axis == 1); j++)
                shift_faces(task, axis, j, k);
        for (int j = 0; j < old->ny && k == old->nz - 1; j++)
            shift_faces(task, 2, j, k + 1);
    }
}

static void enter_task(void *context, Team team)
{
    const BillowSim *sim = context;
    Slab slab = team_slab(team, sim->grid.nz);
    for (int k = slab.begin; k < slab.end; k++) {
        Span rows = active_rows(sim, ACTIVE_FACES, k);
        for (int j = rows.begin; j < rows.end; j++)
            enter_row(sim, j, k);
    }
}

/* The far field, which is on a grid of half as many cells. */
static void shift_far(const ShiftTask *task)
{
    const int low[3] = {task->low[0] / 2, task->low[1] / 2, task->low[2] / 2};
    const Follow *old = task->from->follow, *new = task->to->follow;
    for (int axis = 0; axis < 3; axis++)
        growth_shift_field(new->far, old->far, low, old->far->velocity[axis],
                           new->far->velocity[axis], axis, true);
    growth_shift_field(new->far, old->far, low, old->pressure, new->pressure, -1, false);
}

void follow_shift(BillowSim *to, const BillowSim *from, const int low[3])
{
    const ShiftTask task = {to, from, low};
    Follow *follow = to->follow;
    follow->used = from->follow->used;
    follow->whole = false;
    follow->windy = from->follow->windy;
    shift_far(&task);
    shift_blocks(&task);
    active_apply(to);
    window_move(to, window_around(to, &follow->region), NULL);
    shift_before(&task);
    to->region = &follow->region;
    composite_prepare(to);
    team_run(to->threads, shift_task, (void *)&task);
    team_run(to->threads, enter_task, to);
    composite_prolong(to, follow->before.spans[ACTIVE_CELLS]);
    to->stats.active_share = statistics_active_share(to);
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

/* Cuts all that *follow points to, beside the far field. */
static void cut_slices(Cut *arena, const Grid *grid, const Grid *far, Follow *follow)
{
    size_t rows = rows_of(grid), far_rows = rows_of(far);
    size_t blocks = (size_t)blocks_along(grid->ny) * (size_t)blocks_along(grid->nz);
    size_t planes = (size_t)grid->nz, far_planes = (size_t)far->nz;
    ActiveRegion *const regions[3] = {&follow->region, &follow->before, &follow->near};
    for (int r = 0; r < 3; r++)
        for (int set = 0; set < ACTIVE_SETS; set++) {
            regions[r]->spans[set] = sim_cut(arena, (r < 2 ? rows : far_rows) * sizeof(Span));
            regions[r]->rows[set] = sim_cut(arena, (r < 2 ? planes : far_planes) * sizeof(Span));
        }
    Span **const of_far_rows[] = {&follow->under, &follow->inner, &follow->far_all};
    Span **const of_blocks[] = {&follow->smoke, &follow->active, &follow->band};
    for (int f = 0; f < 3; f++) {
        *of_far_rows[f] = sim_cut(arena, far_rows * sizeof(Span));
        *of_blocks[f] = sim_cut(arena, blocks * sizeof(Span));
    }
    follow->under_rows = sim_cut(arena, far_planes * sizeof(Span));
    follow->work = sim_cut(arena, rows * sizeof(Span));
    follow->plane_squares = sim_cut(arena, far_planes * sizeof(double));
    float *field = sim_cut(arena, far->field_floats * sizeof(float));
    follow->pressure = field != NULL ? grid_field(far, field) : NULL;
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
    Cut arena = {NULL, 0};
    sim_cut(&arena, sizeof(Follow));
    cut_slices(&arena, &sim->grid, &far->grid, &measured);
    arena = (Cut){calloc(1, arena.used), 0};
    if (arena.base == NULL) {
        billow_destroy(far);
        return fail(error, "no memory for the active cells of a grid of %dx%dx%d", sim->grid.nx,
                    sim->grid.ny, sim->grid.nz);
    }
    sim->follow = sim_cut(&arena, sizeof(Follow));
    sim->follow->far = far;
    cut_slices(&arena, &sim->grid, &far->grid, sim->follow);
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
    Cut arena = {NULL, 0};
    sim_cut(&arena, sizeof(Follow));
    cut_slices(&arena, &grid, &far_grid, &measured);
    return arena.used + billow_bytes_needed(&far);
}

void follow_destroy(BillowSim *sim)
{
    if (sim->follow == NULL)
        return;
    billow_destroy(sim->follow->far);
    free(sim->follow);
    sim->follow = NULL;
}

void follow_reset(BillowSim *sim)
{
    Follow *follow = sim->follow;
    if (follow == NULL)
        return;
    billow_reset(follow->far);
    const Grid *far = &follow->far->grid;
    memset(grid_memory(far, follow->pressure), 0, far->field_floats * sizeof(float));
    fill_spans(sim);
    window_move(sim, grid_whole(&sim->grid), NULL);
    follow->used = false;
    follow->whole = true;
    sim->region = NULL;
    follow->far->region = &follow->near;
}
