/* SPDX-License-Identifier: MIT
 *
 * The V-cycle: descent to the coarsest level, ascent to the finest, and transfer between levels.
 * Cycles solve for the pressure to a tolerance. Conjugate gradients, with a cycle as
 * preconditioner, take over if cycles alone converge too slowly, or from the start if the caller
 * asks for them. */
#include "sim/solver/multigrid.h"

#include "sim/fields/constants.h"
#include "sim/solver/relaxation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* -- preparation ------------------------------------------------------------------------------- */

static size_t line(size_t floats)
{
    return (floats + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
}

static size_t transfer_floats(const Grid *grid)
{
    return line(3 * (size_t)(grid->nx + grid->ny + grid->nz)) + 6 * line((size_t)grid->nx / 2 + 1);
}

size_t multigrid_floats(const Grid *finest)
{
    size_t floats = 0;
    for (Grid grid = *finest;; grid = grid_coarser(&grid)) {
        floats += line(level_floats(&grid)) + transfer_floats(&grid);
        if (grid.nx != finest->nx || grid.ny != finest->ny || grid.nz != finest->nz)
            floats += 2 * grid.field_floats; /* x and rhs */
        if (grid_is_one_cell(&grid))
            return floats + (size_t)ROW_ALIGNMENT;
    }
}

static float *cut_field(const Grid *grid, float **memory)
{
    float *field = grid_field(grid, *memory);
    *memory += grid->field_floats;
    return field;
}

/* Centre of a cell, in finest cells from the low side of the box. */
static double centre(int finest, int depth, int n, int i)
{
    return (double)i * (1 << depth) + 0.5 * level_width(finest, depth, n, i);
}

/* Computes the weights for interpolation at a fine cell, between the centres of its coarse cell and
 * of the coarse neighbour on its side. At an open side of the box the value is 0 half a finest cell
 * outside. Beyond a wall it equals the value inside. */
static void transfer_cell(Transfer *t, int axis, int finest, int depth, int n, int i,
                          const LevelSide sides[2])
{
    int coarse_n = (n + 1) / 2, own = i / 2, beside = i % 2 ? own + 1 : own - 1;
    double here = centre(finest, depth, n, i), near = centre(finest, depth + 1, coarse_n, own);
    bool wraps = sides[0] == SIDE_WRAPS, inside = wraps || (beside >= 0 && beside < coarse_n);
    double outside = beside < 0 ? -0.5 : finest + 0.5;
    /* length to add around a wrapping axis, finest cells */
    double turn = beside < 0 ? -finest : beside >= coarse_n ? finest : 0;
    beside = (beside + coarse_n) % coarse_n;
    double far = inside ? centre(finest, depth + 1, coarse_n, beside) + turn : outside;
    double share = (here - near) / (far - near);
    if (!inside && sides[i % 2] == SIDE_WALL)
        share = 0;
    t->near[axis][i] = (float)(1 - share);
    t->far[axis][i] = inside ? (float)share : 0;
    t->share[axis][i] = (float)((double)level_width(finest, depth, n, i) /
                                level_width(finest, depth + 1, coarse_n, own));
}

static void transfer_prepare(Transfer *t, const Grid *grid, const int finest[3], int depth,
                             const LevelSide sides[BILLOW_SIDES], float *memory)
{
    float *start = memory;
    for (int axis = 0; axis < 3; axis++)
        t->wraps[axis] = sides[2 * axis] == SIDE_WRAPS;
    t->x.wraps = t->wraps[0];
    for (int axis = 0; axis < 3; axis++) {
        float **const kinds[3] = {&t->near[axis], &t->far[axis], &t->share[axis]};
        for (int kind = 0; kind < 3; kind++, memory += grid->cells[axis])
            *kinds[kind] = memory;
        for (int i = 0; i < grid->cells[axis]; i++)
            transfer_cell(t, axis, finest[axis], depth, grid->cells[axis], i, sides + 2 * axis);
    }
    memory = start + line((size_t)(memory - start));
    size_t pairs = line((size_t)grid->nx / 2 + 1);
    for (int odd = 0; odd < 2; odd++) {
        const float *const wide[3] = {t->near[0], t->far[0], t->share[0]};
        const float **const kinds[3] = {&t->x.near[odd], &t->x.far[odd], &t->x.share[odd]};
        for (int kind = 0; kind < 3; kind++, memory += pairs) {
            for (int i = odd; i < grid->nx; i += 2)
                memory[i / 2] = wide[kind][i];
            *kinds[kind] = memory;
        }
    }
}

void multigrid_prepare(Multigrid *mg, const Grid *grid, const RelaxKernels *kernels,
                       const LevelSide sides[BILLOW_SIDES], float *memory)
{
    Grid here = *grid;
    mg->floats = true;
    for (int side = 0; side < BILLOW_SIDES; side++)
        mg->floats = mg->floats && (sides[side] == SIDE_WALL || sides[side] == SIDE_WRAPS);
    for (int depth = 0;; depth++, here = grid_coarser(&here)) {
        Level *level = &mg->levels[depth];
        *level = (Level){
            .grid = here, .cells = {here.nx, here.ny, here.nz}, .kernels = kernels, .weight = 1};
        if (depth > 0) {
            level->x = grid_packed(&here, cut_field(&here, &memory));
            level->rhs = grid_packed(&here, cut_field(&here, &memory));
        }
        level_cut(level, memory);
        level_prepare(level, grid->cells, depth, sides);
        memory += line(level_floats(&here));
        transfer_prepare(&mg->transfers[depth], &here, grid->cells, depth, sides, memory);
        memory += transfer_floats(&here);
        mg->count = depth + 1;
        if (grid_is_one_cell(&here))
            return;
    }
}

size_t multigrid_corrections_floats(const Grid *finest)
{
    size_t floats = 0;
    for (Grid grid = *finest; !grid_is_one_cell(&grid);) {
        grid = grid_coarser(&grid);
        floats += grid.field_floats;
    }
    return floats;
}

void multigrid_place_corrections(Multigrid *mg, float *memory)
{
    for (int depth = 1; depth < mg->count; depth++)
        mg->corrections[depth] = cut_field(&mg->levels[depth].grid, &memory);
}

void multigrid_clear_corrections(const Multigrid *mg, Team team)
{
    for (int depth = 1; depth < mg->count; depth++) {
        const Grid *grid = &mg->levels[depth].grid;
        bool divided = team.ranks != NULL && depth < team.ranks->levels;
        Slab own = divided ? ranks_own(team.ranks, grid->nz) : (Slab){0, grid->nz};
        Slab part = team_part(team, own.end - own.begin + 2); /* with a plane on each side */
        memset(grid_memory(grid, mg->corrections[depth]) +
                   (own.begin + part.begin) * grid->stride_z,
               0, (size_t)(part.end - part.begin) * (size_t)grid->stride_z * sizeof(float));
    }
}

/* -- the cycle --------------------------------------------------------------------------------- */

/* Context of the stages on one level. */
typedef struct Leg {
    const Multigrid *mg;
    const Level *level;
    int depth;
    Smoothing smoothing;
    float start; /* factor on x at the start of the way down; 0 on coarser levels */
} Leg;

static void relax_plane(const void *context, int color, int k)
{
    const Leg *leg = context;
    level_relax(leg->level, color, k, 1);
}

static void relax_fused(const void *context, int color, int k)
{
    level_relax_fused(((const Leg *)context)->level, color, k);
}

static void scale_plane(const void *context, int detail, int k)
{
    (void)detail;
    const Leg *leg = context;
    level_scale(leg->level, leg->start, k);
}

/* Relaxes the first colour of a level as if x were 0. */
static void start_plane(const void *context, int color, int k)
{
    const Level *level = ((const Leg *)context)->level;
    StencilPlane plane = level_plane(level, color, k);
    level->kernels->relax_alone(&plane);
    level_wrap(level, k);
}

/* Restricts the residual of fine planes k and k+1, for even k, to the right-hand side of coarse
 * plane k/2. A level's equations are those of the finest level times 4^depth, which explains the
 * factor 4. */
static void restrict_planes(const void *context, int detail, int k)
{
    (void)detail;
    const Leg *leg = context;
    const Level *fine = leg->level, *coarse = fine + 1;
    const Transfer *t = &leg->mg->transfers[leg->depth];
    if (k % 2 != 0)
        return;
    bool pair = k + 1 < fine->cells[2];
    const StencilPlane planes[2] = {level_plane(fine, 0, k),
                                    level_plane(fine, 0, pair ? k + 1 : k)};
    float near_z = 4 * t->share[2][k], far_z = pair ? 4 * t->share[2][k + 1] : 0;
    for (int j = 0; j < fine->cells[1]; j += 2) {
        float row[BILLOW_GRID_MAX / 2];
        float near_y = t->share[1][j], far_y = j + 1 < fine->cells[1] ? t->share[1][j + 1] : 0;
        const float weights[4] = {near_y * near_z, far_y * near_z, near_y * far_z, far_y * far_z};
        fine->kernels->restrict_row(planes, j, &t->x, weights, row);
        level_pack_row(coarse, row, j / 2, k / 2, coarse->rhs);
    }
}

static int beside(int i, int coarse_n, bool wraps)
{
    int at = i % 2 ? i / 2 + 1 : i / 2 - 1;
    if (wraps)
        return (at + coarse_n) % coarse_n;
    return at < 0 || at >= coarse_n ? i / 2 : at; /* the weight `far` is 0 there */
}

/* A fine row (j, k) and the coarse rows that it is interpolated from. */
typedef struct Prolongation {
    const Level *fine;
    const Transfer *transfer;
    const float *near, *near_y, *near_z,
        *far_yz; /* coarse rows: (j/2, k/2), its neighbour along y, along z, and along both */
    int j, k;
} Prolongation;

static void prolong_open_row(const Prolongation *s)
{
    const Transfer *t = s->transfer;
    const Level *fine = s->fine;
    float near_y = t->near[1][s->j], far_y = t->far[1][s->j];
    float near_z = t->near[2][s->k], far_z = t->far[2][s->k];
    const float *const rows[4] = {s->near, s->near_y, s->near_z, s->far_yz};
    const float weights[4] = {near_y * near_z, far_y * near_z, near_y * far_z, far_y * far_z};
    ptrdiff_t at = packed_row(&fine->grid, s->j, s->k);
    int even = (s->j + s->k) & 1;
    fine->kernels->prolong_row(&t->x, rows, weights, fine->cells[0], fine->x.color[even] + at,
                               fine->x.color[1 - even] + at);
}

/* Prolongs to a row with cut faces. The weight of each coarse neighbour is multiplied by the
 * fraction of the face towards that neighbour. This is the low face of even cells and the high face
 * of odd ones. */
static void prolong_cut_row(const Prolongation *s)
{
    const Transfer *t = s->transfer;
    const Level *fine = s->fine;
    const FaceFractions *fractions = &fine->fractions;
    ptrdiff_t at = packed_row(&fine->grid, s->j, s->k);
    ptrdiff_t up_y = s->j % 2 ? fine->grid.packed_y : 0, up_z = s->k % 2 ? fine->grid.packed_z : 0;
    int even = (s->j + s->k) & 1;
    Rows open[2];
    for (int odd = 0; odd < 2; odd++) {
        int color = even ^ odd;
        /* x: a low face of an even cell, which is also the high face of the odd cell before it */
        open[odd] = (Rows){.x = fractions->low[0].color[even] + at + odd,
                           .y = fractions->low[1].color[up_y ? 1 - color : color] + at + up_y,
                           .z = fractions->low[2].color[up_z ? 1 - color : color] + at + up_z};
    }
    const float *const rows[3] = {s->near, s->near_y, s->near_z};
    const float far[2] = {t->far[1][s->j], t->far[2][s->k]};
    float own = (t->near[1][s->j] + far[0]) * (t->near[2][s->k] + far[1]);
    fine->kernels->prolong_cut(&t->x, rows, own, far, open, fine->cells[0],
                               fine->x.color[even] + at, fine->x.color[1 - even] + at);
}

static void prolong_plane(const void *context, int detail, int k)
{
    (void)detail;
    const Leg *leg = context;
    const Level *fine = leg->level, *coarse = fine + 1;
    const Transfer *transfer = &leg->mg->transfers[leg->depth];
    const float *correction = leg->mg->corrections[leg->depth + 1];
    int far_k = beside(k, coarse->cells[2], transfer->wraps[2]);
    for (int j = 0; j < fine->cells[1]; j++) {
        int far_j = beside(j, coarse->cells[1], transfer->wraps[1]);
        const Prolongation fine_row = {.fine = fine,
                                       .transfer = transfer,
                                       .near = correction + grid_row(&coarse->grid, j / 2, k / 2),
                                       .near_y = correction + grid_row(&coarse->grid, far_j, k / 2),
                                       .near_z = correction + grid_row(&coarse->grid, j / 2, far_k),
                                       .far_yz = correction + grid_row(&coarse->grid, far_j, far_k),
                                       .j = j,
                                       .k = k};
        if (level_row_is_cut(fine, j, k))
            prolong_cut_row(&fine_row);
        else
            prolong_open_row(&fine_row);
    }
    level_wrap(fine, k);
}

static void unpack_plane(const void *context, int detail, int k)
{
    (void)detail;
    const Leg *leg = context;
    const Level *level = leg->level;
    for (int j = 0; j < level->cells[1]; j++)
        level_unpack_row(level, level->x, j, k,
                         leg->mg->corrections[leg->depth] + grid_row(&level->grid, j, k));
}

static void measure_plane(const void *context, int detail, int k)
{
    (void)detail;
    const Leg *leg = context;
    const Level *level = leg->level;
    /* the last relaxation made the other colour's residual 0 */
    StencilPlane plane = level_plane(level, 0, k);
    leg->mg->plane_squares[k] = level->kernels->residual(&plane);
}

enum { STAGES_MAX = 2 * MULTIGRID_SMOOTHING_MAX + 3 };

/* writes: colours of x, as in Stage. */
static int add_stage(Stage *stages, int count, void (*run)(const void *, int, int), const Leg *leg,
                     int writes, int lag)
{
    stages[count] = (Stage){.run = run, .context = leg, .writes = writes, .lag = lag};
    return count + 1;
}

/* Adds relaxation stages, red and black by turns, each one plane behind the previous one. */
static int add_relaxation(Stage *stages, int count, const Leg *leg, int sweeps)
{
    bool fuses = level_fuses(leg->level);
    for (int step = 0; step < 2 * sweeps; step++) {
        count = add_stage(stages, count, relax_plane, leg, 1 << step % 2, count);
        stages[count - 1].detail = step % 2;
        if (fuses && step % 2 == 0)
            stages[count - 1].run_fused = relax_fused;
    }
    return count;
}

/* Relaxes, then restricts the residual to the coarser level. */
static void descend(const Leg *leg, Team team)
{
    Stage stages[STAGES_MAX];
    int count = 0;
    const Level *level = leg->level;
    bool serial = level_is_serial(level); /* some neighbours have the same colour */
    if ((leg->start != 0.0f || serial) && leg->start != 1.0f)
        count = add_stage(stages, count, scale_plane, leg, BOTH_COLORS, 0);
    int first = count;
    count = add_relaxation(stages, count, leg, leg->smoothing.before);
    if (leg->start == 0.0f && !serial)
        stages[first] = (Stage){.run = start_plane, .context = leg, .writes = 1, .lag = first};
    /* restriction reads two planes and their neighbours: 3 planes behind the last relaxation, if
     * there is any, rounded up to an even lag */
    if (leg->depth + 1 < leg->mg->count)
        count =
            add_stage(stages, count, restrict_planes, leg, 0, count > 0 ? (count + 3) / 2 * 2 : 0);
    pipeline_run(stages, count, level, team);
}

/* Adds the coarser level's correction, then relaxes, red first. On random right-hand sides a cycle
 * divides the residual by 13. With black first, the mirror image of descend, it would be 7. */
static void ascend(const Leg *leg, Team team)
{
    Stage stages[STAGES_MAX];
    int count = 0;
    const Level *level = leg->level;
    if (leg->depth + 1 < leg->mg->count) {
        const Level *coarse = level + 1;
        exchange_fields(team, &coarse->grid, &leg->mg->corrections[leg->depth + 1], 1, 1);
        count = add_stage(stages, count, prolong_plane, leg, BOTH_COLORS, 0);
        count = add_relaxation(stages, count, leg, leg->smoothing.after);
    }
    count = add_stage(stages, count, leg->depth > 0 ? unpack_plane : measure_plane, leg, 0, count);
    pipeline_run(stages, count, level, team);
}

/* Subtracts the mean of a level's right-hand side, for equations that determine x only up to a
 * constant. Apart from rounding that mean is 0. Each coarser level would multiply the rounding
 * error by four, and its solution would add a constant to x. The constant would grow with each
 * cycle until differences are lost in rounding. */
static void balance(const Multigrid *mg, int depth)
{
    const Level *level = &mg->levels[depth];
    const int *n = level->cells, *finest = mg->levels[0].cells;
    float row[BILLOW_GRID_MAX];
    double sum = 0, volume = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++) {
                level_unpack_row(level, level->rhs, j, k, row);
                for (int i = 0; i < n[0]; i++) {
                    if (!level_cell_is_open(level, i, j, k))
                        continue;
                    double part = (double)level_width(finest[0], depth, n[0], i) *
                                  level_width(finest[1], depth, n[1], j) *
                                  level_width(finest[2], depth, n[2], k); /* finest cells */
                    if (pass == 0) {
                        sum += part * (double)row[i];
                        volume += part;
                    } else
                        row[i] -= (float)(sum / volume);
                }
                if (pass == 1)
                    level_pack_row(level, row, j, k, level->rhs);
            }
}

static double cells_of(const Level *level)
{
    return (double)level->cells[0] * level->cells[1] * level->cells[2];
}

/* The first coarse level that is cheap to balance; -1 if none needs balancing. */
static int balanced_level(const Multigrid *mg)
{
    int depth = 1;
    while (depth < mg->count - 1 && cells_of(&mg->levels[depth]) >= DIVIDED_CELLS)
        depth++;
    return mg->floats && depth < mg->count - 1 ? depth : -1;
}

/* First level that one worker processes alone: a serial level, or a level so small that barriers
 * would cost more time than more workers save, or whose planes are not divided among ranks. */
static int first_alone(const Multigrid *mg, Team team)
{
    int depth = 0, most = team.ranks == NULL ? mg->count : team.ranks->levels;
    double least = team.ranks == NULL ? ALONE_CELLS : team.ranks->alone_cells;
    if (team.count == 1 && team.ranks == NULL)
        return 0;
    while (depth < most && cells_of(&mg->levels[depth]) >= least &&
           !level_is_serial(&mg->levels[depth]))
        depth++;
    return depth;
}

double multigrid_cycle(const Multigrid *mg, Smoothing smoothing, float start, Team team)
{
    Leg legs[MULTIGRID_LEVELS_MAX];
    Team alone = {0, 1, NULL, NULL};
    int together = first_alone(mg, team), balanced = balanced_level(mg);
    for (int depth = 0; depth < mg->count; depth++)
        legs[depth] = (Leg){mg, &mg->levels[depth], depth, smoothing, depth == 0 ? start : 0};
    for (int depth = 0; depth < together; depth++) {
        if (depth == balanced && team.index == 0)
            balance(mg, depth);
        if (depth == balanced)
            team_barrier(team);
        descend(&legs[depth], team);
    }
    if (together < mg->count) { /* every rank needs what its first worker processes alone */
        const Level *level = &mg->levels[together];
        const Slab all = {0, level->cells[2]};
        level_exchange_whole(level, level->rhs, all, team);
        if (together == 0)
            level_exchange_whole(level, level->x, all, team);
    }
    if (team.index == 0) {
        for (int depth = together; depth < mg->count; depth++) {
            if (depth == balanced)
                balance(mg, depth);
            descend(&legs[depth], alone);
        }
        for (int depth = mg->count - 1; depth >= together; depth--)
            ascend(&legs[depth], alone);
    }
    team_barrier(team);
    for (int depth = together - 1; depth >= 0; depth--)
        ascend(&legs[depth], team);
    exchange_entries(team, mg->plane_squares, sizeof(double), mg->levels[0].cells[2]);
    double squares = sum_planes(mg->plane_squares, mg->levels[0].cells[2]);
    team_barrier(team); /* no worker overwrites the planes before all have summed */
    return sqrt(squares);
}

/* -- the solve to a tolerance ------------------------------------------------------------------ */

/* Conjugate gradients for A x = b, preconditioned by one multigrid cycle M. M is not quite
 * symmetric. Flexible conjugate gradients (Notay 2000) allow that, with beta by Polak and Ribiere:
 *
 *     r = b - A x,  d = 0
 *     repeat   z = M r,  beta = -z.Ad / d.Ad,  d = z + beta d,
 *              alpha = d.r / d.Ad,  x += alpha d,  r -= alpha Ad
 */
typedef struct Conjugate {
    const PressureSolve *solve;
    Multigrid cycle; /* the preconditioner; its finest level solves A z = r */
    Level x;         /* x, and the right-hand side b, which r overwrites */
    Level d;         /* d, with r as its right-hand side */
    Slab slab;
    Team team;
} Conjugate;

/* a.b */
static double dot(const Conjugate *c, Packed a, Packed b)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        c->solve->plane_sums[k] = level_dot(&c->d, a, b, k);
    return level_sum(&c->x, c->solve->plane_sums, c->team);
}

/* a.Ad */
static double dot_product(const Conjugate *c, Packed a)
{
    for (int k = c->slab.begin; k < c->slab.end; k++)
        c->solve->plane_sums[k] = level_product(&c->d, a, k);
    return level_sum(&c->x, c->solve->plane_sums, c->team);
}

/* x += alpha d, r -= alpha A d. */
static void advance(Conjugate *c, float alpha)
{
    for (int k = c->slab.begin; k < c->slab.end; k++) {
        level_add(&c->x, alpha, c->d.x, c->x.x, k);
        level_subtract_product(&c->d, alpha, k);
    }
    team_barrier(c->team);
}

/* d = z + beta d. */
static void update_direction(Conjugate *c, float beta)
{
    for (int k = c->slab.begin; k < c->slab.end; k++) {
        level_scale(&c->d, beta, k);
        level_add(&c->d, 1, c->cycle.levels[0].x, c->d.x, k);
    }
    team_barrier(c->team);
    level_exchange(&c->d, c->team);
}

static Conjugate begin(const PressureSolve *solve, float start, Team team)
{
    Conjugate c = {.solve = solve, .cycle = *solve->multigrid, .team = team};
    c.x = c.d = solve->multigrid->levels[0];
    c.slab = team_slab(team, c.x.cells[2]);
    c.cycle.levels[0].x = grid_packed(&c.x.grid, solve->memory[0]);
    c.d.x = grid_packed(&c.x.grid, solve->memory[1]);
    const Level *cleared[2] = {&c.cycle.levels[0], &c.d};
    for (int l = 0; l < 2; l++) {
        for (int k = c.slab.begin; k < c.slab.end; k++)
            level_clear(cleared[l], k);
        for (int end = 0; end < 2 && team.index == 0; end++) /* every rank has the ghosts */
            level_clear(cleared[l], end == 0 ? -1 : c.x.cells[2]);
    }
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_scale(&c.x, start, k);
    team_barrier(team);
    level_exchange(&c.x, team);
    for (int k = c.slab.begin; k < c.slab.end; k++)
        level_subtract_product(&c.x, 1, k);
    team_barrier(team);
    return c;
}

static Solved conjugate_gradients(const PressureSolve *solve, int cycles, Team team)
{
    Conjugate c = begin(solve, cycles == 0 ? solve->start : 1, team);
    double left = sqrt(dot(&c, c.d.rhs, c.d.rhs));
    for (double curvature = 0; cycles < solve->cycles && left > solve->goal; cycles++) {
        multigrid_cycle(&c.cycle, c.cycle.smoothing, 0, team); /* z = M r */
        update_direction(
            &c, curvature > 0 ? (float)(-dot_product(&c, c.cycle.levels[0].x) / curvature) : 0);
        curvature = dot_product(&c, c.d.x);
        if (!(curvature > 0)) /* the residual is 0 or only rounding */
            break;
        float alpha = (float)(dot(&c, c.d.x, c.d.rhs) / curvature);
        advance(&c, alpha);
        double now = sqrt(dot(&c, c.d.rhs, c.d.rhs));
        /* The diagonal of A, at most 6, scales the rounding error of the residual. */
        if (!(now < ASTRAY * left) &&
            !(left > ASTRAY_ROUNDING * (6 * (double)FLT_EPSILON * sqrt(dot(&c, c.x.x, c.x.x))))) {
            for (int k = c.slab.begin; k < c.slab.end; k++) /* undoes the last addition to x */
                level_add(&c.x, -alpha, c.d.x, c.x.x, k);
            team_barrier(team);
            break;
        }
        left = now;
    }
    return (Solved){BILLOW_CONJUGATE_GRADIENTS, cycles, left};
}

/* Smoothing of the next cycle: the least that takes the residual from `left` to the goal in
 * everyday flows. The second cycle at 64^3 needs a third to half of the sweeps of a full one. */
static Smoothing next_smoothing(const PressureSolve *solve, double left)
{
    const Smoothing full = solve->multigrid->smoothing;
    static const struct {
        Smoothing smoothing;
        double factor; /* everyday flows: a sixth less than that by which it divides the residual */
    } cycles[] = {{{1, 1}, 5.2}, {{1, 2}, 8.7}, {{2, 2}, 12.3}, {{2, 3}, 17}};
    for (size_t c = 0; c < sizeof cycles / sizeof cycles[0]; c++) {
        Smoothing less = cycles[c].smoothing;
        if (left <= cycles[c].factor * solve->goal && less.before <= full.before &&
            less.after <= full.after)
            return less;
    }
    return full;
}

Solved pressure_solve(const PressureSolve *solve, Team team)
{
    double left = INFINITY;
    int cycles = 0;
    bool slow = solve->conjugate;
    while (!slow && cycles < solve->cycles && left > solve->goal) {
        double before = left;
        left = multigrid_cycle(solve->multigrid, next_smoothing(solve, before),
                               cycles == 0 ? solve->start : 1, team);
        cycles++;
        slow = left > solve->goal && left > CYCLE_SLOWEST * before;
    }
    if (slow && cycles < solve->cycles)
        return conjugate_gradients(solve, cycles, team);
    return (Solved){BILLOW_MULTIGRID, cycles, left};
}
