/* SPDX-License-Identifier: MIT
 * Multigrid and conjugate gradients: rate of convergence and solution, on boxes of any size. */
#include "solve_fixture.h"

#define CEILING (1u << BILLOW_CEILING)

/* -- convergence ---------------------------------------------------------------------------------
 */

enum { CYCLES_MAX = 30 };

typedef struct Run {
    Problem *p;
    int cycles;
    double left[CYCLES_MAX + 1]; /* before the first, after it, ... */
} Run;

static void cycles_task(void *context, Team team)
{
    Run *run = context;
    for (int c = 0; c < run->cycles; c++) {
        double left = multigrid_cycle(&run->p->mg, run->p->mg.smoothing, c == 0 ? 0 : 1, team);
        if (team.index == 0)
            run->left[c + 1] = left;
    }
}

/* From a cold start to the limit of single precision. */
static void each_cycle_leaves_a_fifth(const int n[3], unsigned sides)
{
    Problem *p = problem(n[0], n[1], n[2], sides);
    load(p, speckle);
    Run run = {.p = p, .cycles = 4};
    run.left[0] = residual_norm(p);
    team_run(p->threads, cycles_task, &run);
    for (int c = 0; c < run.cycles && run.left[c] > 1e-4 * run.left[0]; c++)
        if (!(run.left[c + 1] <= run.left[c] / 5))
            fail_msg("%dx%dx%d, open sides %x: cycle %d leaves %.3g of %.3g", n[0], n[1], n[2],
                     sides, c + 1, run.left[c + 1], run.left[c]);
    /* The residual that a cycle returns omits the colour relaxed last, which has only rounding
     * errors. */
    assert_below(fabs(residual_norm(p) - run.left[run.cycles]), 1e-5 * run.left[0]);
    dismiss(p);
}

static void cycles_converge_around_axes(void **state)
{
    (void)state;
    static const int sizes[][3] = {{8, 8, 8},    {10, 12, 14},  {32, 32, 32},   {34, 18, 66},
                                   {8, 100, 50}, {50, 8, 100},  {94, 62, 86},   {100, 100, 100},
                                   {8, 8, 512},  {126, 72, 24}, {128, 128, 128}};
    static const unsigned sides[] = {1 << WRAPS_X, 2 << WRAPS_X, 4 << WRAPS_X, WRAP_ALL,
                                     5 << WRAPS_X | CEILING};
    const size_t count = SANITIZED ? 6 : sizeof sizes / sizeof sizes[0];
    for (size_t s = 0; s < count; s++)
        for (size_t q = 0; q < sizeof sides / sizeof sides[0]; q++)
            each_cycle_leaves_a_fifth(sizes[s], sides[q]);
}

static void cycles_converge_at_any_size(void **state)
{
    (void)state;
    static const int sizes[][3] = {
        {8, 8, 8},       {9, 10, 11},  {13, 8, 29},  {32, 32, 32}, {33, 17, 65}, {64, 96, 48},
        {100, 100, 100}, {97, 61, 83}, {63, 63, 63}, {8, 8, 512},  {1024, 8, 8}, {8, 301, 16},
    };
    static const unsigned sides[] = {0, CEILING, 63, 1, 1 << BILLOW_FRONT | CEILING};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        bool large = sizes[s][0] * sizes[s][1] * sizes[s][2] > 300000;
        if (SANITIZED && large)
            continue;
        for (size_t q = 0; q < (large ? 2 : sizeof sides / sizeof sides[0]); q++)
            each_cycle_leaves_a_fifth(sizes[s], sides[q]);
    }
}

static Solved solved;

static void solve_task(void *context, Team team)
{
    const Problem *p = context;
    Solved result = pressure_solve(&p->solve, team);
    if (team.index == 0)
        solved = result;
}

static Solved solve(Problem *p, double relative)
{
    p->solve.goal = relative * residual_norm(p); /* x is 0 */
    team_run(p->threads, solve_task, p);
    return solved;
}

/* r is overwritten by conjugate gradients; the right-hand side is loaded again to look. */
static void conjugate_gradients_converge(void **state)
{
    (void)state;
    static const int sizes[][3] = {{8, 8, 512}, {9, 10, 11}, {40, 33, 25}, {8, 200, 9}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (unsigned q = 0; q < 3; q++) {
            const unsigned sides[] = {0, CEILING, 1 << WRAPS_X};
            Problem *p = problem((sizes[s][0] + 1) / 2 * 2, sizes[s][1], sizes[s][2], sides[q]);
            p->solve.conjugate = true;
            load(p, speckle);
            double before = residual_norm(p);
            Solved result = solve(p, 1e-4);
            assert_int_equal(result.by, BILLOW_CONJUGATE_GRADIENTS);
            assert_true(result.cycles >= 2 && result.cycles <= 30);
            load(p, speckle);
            assert_below(residual_norm(p), 1.05e-4 * before);
            dismiss(p);
        }
}

/* With the coarser levels' operator spoilt, a cycle alone fails; the solver notices, changes over,
 * says so, and arrives. */
static void slow_cycles_call_for_conjugate_gradients(void **state)
{
    (void)state;
    Problem *p = problem(32, 32, 32, CEILING);
    Level *coarse = &p->mg.levels[1];
    coarse->base = 40;
    level_prepare(coarse, p->mg.levels[0].cells, 1, p->counted);
    load(p, speckle);
    double before = residual_norm(p);
    Solved result = solve(p, 1e-4);
    assert_int_equal(result.by, BILLOW_CONJUGATE_GRADIENTS);
    assert_true(result.cycles > 2 && result.cycles <= 30);
    load(p, speckle);
    assert_below(residual_norm(p), 1.05e-4 * before);
    dismiss(p);
}

static void cycles_stop_at_the_goal_and_at_the_cap(void **state)
{
    (void)state;
    Problem *p = problem(24, 24, 24, CEILING);
    load(p, speckle);
    double before = residual_norm(p);
    Solved result = solve(p, 1e-3);
    assert_int_equal(result.by, BILLOW_MULTIGRID);
    assert_true(result.cycles >= 1 && result.cycles <= 3);
    assert_below(residual_norm(p), 1e-3 * before);
    p->solve.cycles = 1;
    p->solve.goal = 0;
    team_run(p->threads, solve_task, p);
    assert_int_equal(solved.cycles, 1);
    dismiss(p);
}

/* -- what it converges to ------------------------------------------------------------------------
 */

static void relax_task(void *context, Team team)
{
    const Problem *p = context;
    relaxation_solve(&p->relaxation, team);
}

static void same_answer_as_a_long_relaxation(void **state)
{
    (void)state;
    static const int sizes[][3] = {{8, 8, 8}, {13, 9, 11}, {16, 21, 12}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int *n = sizes[s];
        Problem *cycled = problem(n[0], n[1], n[2], CEILING),
                *swept = problem(n[0], n[1], n[2], CEILING);
        load(cycled, speckle);
        load(swept, speckle);
        solve(cycled, 1e-6);
        swept->relaxation.sweeps = 2000;
        swept->relaxation.omega = 1.8f;
        team_run(2, relax_task, swept);
        unload(cycled);
        unload(swept);
        double worst = 0, size = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++) {
                    double a = (double)*wide_cell(cycled, i, j, k),
                           b = (double)*wide_cell(swept, i, j, k);
                    worst = fmax(worst, fabs(a - b));
                    size = fmax(size, fabs(a));
                }
        assert_below(worst, 1e-4 * size);
        dismiss(cycled);
        dismiss(swept);
    }
}

/* Bytes from the first cell to the end of the last row. */
static size_t wide_bytes(const Problem *p)
{
    return (size_t)(grid_row(&p->grid, p->grid.ny - 1, p->grid.nz - 1) + p->grid.nx) *
           sizeof(float);
}

static void same_bits_at_any_thread_count(void **state)
{
    (void)state;
    static const int sizes[][3] = {{40, 24, 70},  {33, 47, 29}, {16, 16, 128},
                                   {8, 9, 8},     {40, 24, 50}, {34, 46, 30},
                                   {16, 16, 128}, {50, 30, 50}, {48, 24, 40}};
    static const unsigned sides[] = {
        CEILING,  CEILING, CEILING, CEILING, WRAP_ALL, 1 << WRAPS_X, 4 << WRAPS_X | CEILING,
        WRAP_ALL, WRAP_ALL};
    static const int threads[] = {2, 3, 16, 8};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s += SANITIZED ? 3 : 1)
        for (int conjugate = 0; conjugate < 2; conjugate++) {
            Problem *pair[2];
            for (int q = 0; q < 2; q++) {
                pair[q] = problem(sizes[s][0], sizes[s][1], sizes[s][2], sides[s]);
                pair[q]->threads = q == 0 ? 1 : threads[(s + 2 * (size_t)conjugate) % 4];
                pair[q]->solve.conjugate = conjugate;
                load(pair[q], speckle);
                solve(pair[q], 1e-5);
                unload(pair[q]);
            }
            assert_memory_equal(wide_cell(pair[0], 0, 0, 0), wide_cell(pair[1], 0, 0, 0),
                                wide_bytes(pair[0]));
            dismiss(pair[0]);
            dismiss(pair[1]);
        }
}

/* Every kernel there is takes part in these solves, on rows of many lengths. */
static void same_bits_with_any_instruction_set(void **state)
{
    (void)state;
    static const int sizes[][3] = {{40, 12, 9}, {33, 10, 8},  {77, 9, 10},  {16, 8, 13},
                                   {131, 8, 8}, {40, 12, 10}, {78, 10, 12}, {18, 36, 14}};
    const size_t plain = 5; /* the others wrap around */
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int run = 0; run < 4; run++) { /* a fixed start, omega 1 or not, both solvers */
            Problem *first = NULL;
            for (int table = 0; kernels_at(table) != NULL; table++) {
                const Kernels *kernels = kernels_find(kernels_at(table)->name);
                if (kernels == NULL)
                    continue;
                Problem *p =
                    problem(sizes[s][0], sizes[s][1], sizes[s][2], s < plain ? CEILING : WRAP_ALL);
                for (int depth = 0; depth < p->mg.count; depth++)
                    p->mg.levels[depth].kernels = kernels->relax;
                load(p, speckle);
                p->relaxation.sweeps = 3;
                p->relaxation.omega = run % 2 ? 1.6f : 1;
                team_run(2, relax_task, p);
                p->solve.start = 0.9f;
                p->solve.conjugate = run / 2;
                solve(p, 1e-4);
                unload(p);
                if (first == NULL) {
                    first = p;
                    continue;
                }
                assert_memory_equal(wide_cell(first, 0, 0, 0), wide_cell(p, 0, 0, 0),
                                    wide_bytes(p));
                dismiss(p);
            }
            dismiss(first);
        }
}

static void poison(const Level *level)
{
    for (int k = 0; k < level->cells[2]; k++)
        for (int j = 0; j < level->cells[1]; j++)
            for (int color = 0; color < 2; color++) {
                int first = (j + k + color) & 1;
                if (level->cells[0] > first)
                    level->x.color[color][packed_row(&level->grid, j, k)] = NAN;
            }
}

/* A cycle that starts from garbage times 0 is a cycle that starts from 0, on every level: nothing
 * is remembered from one solve to the next. */
static void nothing_is_asked_of_a_start_times_zero(void **state)
{
    (void)state;
    static const int sizes[][3] = {{16, 16, 16}, {33, 40, 45}, {9, 9, 9},
                                   {16, 16, 16}, {34, 40, 50}, {10, 10, 10}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int *n = sizes[s];
        Problem *p = problem(n[0], n[1], n[2], s < 3 ? CEILING : WRAP_ALL),
                *clean = problem(n[0], n[1], n[2], s < 3 ? CEILING : WRAP_ALL);
        load(p, speckle);
        load(clean, speckle);
        for (int depth = 0; depth < p->mg.count; depth++)
            poison(&p->mg.levels[depth]);
        Run run = {.p = p, .cycles = 1}, other = {.p = clean, .cycles = 1};
        team_run(2, cycles_task, &run);
        team_run(2, cycles_task, &other);
        assert_true(run.left[1] == other.left[1]);
        dismiss(p);
        dismiss(clean);
    }
}

/* -- the operator of the coarser levels, written out ---------------------------------------------
 */

typedef struct Wide {
    const Problem *p;
    const Level *level;
    int depth;
    double *x;
} Wide;

static double *wide_at(const Wide *w, int i, int j, int k)
{
    const int *n = w->level->cells;
    return w->x + i + (ptrdiff_t)n[0] * (j + (ptrdiff_t)n[1] * k);
}

/* Flow through one side of a cell, per volume: area and distance from the widths, all in finest
 * cells; the level's equations are those times 4^depth. */
static double flow(const Wide *w, const int cell[3], int axis, int step)
{
    const int *n = w->level->cells, *finest = w->p->mg.levels[0].cells;
    int next[3] = {cell[0], cell[1], cell[2]};
    next[axis] += step;
    double here = *wide_at(w, cell[0], cell[1], cell[2]);
    double width = level_width(finest[axis], w->depth, n[axis], cell[axis]);
    double there = 0, beyond = 1;
    if (next[axis] >= 0 && next[axis] < n[axis]) {
        there = *wide_at(w, next[0], next[1], next[2]);
        beyond = level_width(finest[axis], w->depth, n[axis], next[axis]);
    } else if (w->p->counted[2 * axis] == SIDE_WRAPS) {
        next[axis] = (next[axis] + n[axis]) % n[axis];
        there = *wide_at(w, next[0], next[1], next[2]);
        beyond = level_width(finest[axis], w->depth, n[axis], next[axis]);
    } else if (w->p->counted[2 * axis + (step > 0)] == SIDE_WALL)
        return 0;
    double distance = 0.5 * (width + beyond);
    return pow(4, w->depth) * (here - there) / (distance * width);
}

static double plain_product(const Wide *w, const int cell[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += flow(w, cell, axis, -1) + flow(w, cell, axis, 1);
    return sum;
}

static void compare_level(const Problem *p, int depth)
{
    const Level *level = &p->mg.levels[depth];
    const int *n = level->cells;
    Wide w = {p, level, depth, calloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2], sizeof(double))};
    assert_non_null(w.x);
    float row[1024];
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++)
                *wide_at(&w, i, j, k) = (double)(row[i] = (float)speckle(i, j, k));
            level_pack_row(level, row, j, k, level->x);
            memset(row, 0, sizeof row);
            level_pack_row(level, row, j, k, level->rhs);
        }
    for (int k = 0; k < n[2]; k++)
        level_wrap(level, k);
    for (int k = 0; k < n[2]; k++) {
        Level copy = *level;
        level_subtract_product(&copy, 1, k);
    }
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            level_unpack_row(level, level->rhs, j, k, row);
            for (int i = 0; i < n[0]; i++) {
                const int cell[3] = {i, j, k};
                double expected = -plain_product(&w, cell);
                if (!(fabs((double)row[i] - expected) <= 2e-6 * (1 + fabs(expected)) * 8))
                    fail_msg("level %d of %dx%dx%d, cell (%d,%d,%d): %g, not %g", depth, p->grid.nx,
                             p->grid.ny, p->grid.nz, i, j, k, (double)row[i], expected);
            }
        }
    free(w.x);
}

static void levels_are_the_operator_on_wider_cells(void **state)
{
    (void)state;
    static const int sizes[][3] = {{16, 16, 16}, {13, 9, 11}, {33, 8, 21}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (unsigned sides = 0; sides < 64; sides += 21) {
            Problem *p = problem(sizes[s][0], sizes[s][1], sizes[s][2], sides);
            for (int depth = 0; depth < p->mg.count; depth++)
                compare_level(p, depth);
            dismiss(p);
        }
    static const int even[][3] = {{16, 16, 16}, {10, 12, 8}, {34, 8, 22}, {20, 50, 36}};
    for (size_t s = 0; s < sizeof even / sizeof even[0]; s++)
        for (unsigned wraps = 1; wraps < 8; wraps++) {
            Problem *p = problem(even[s][0], even[s][1], even[s][2], wraps << WRAPS_X | CEILING);
            for (int depth = 0; depth < p->mg.count; depth++)
                compare_level(p, depth);
            dismiss(p);
        }
}

/* -- the transfer to the coarser level ----------------------------------------------------------
 */

static void restrict_task(void *context, Team team)
{
    Problem *p = context;
    multigrid_cycle(&p->mg, (Smoothing){0, 0}, 1, team);
}

static double width_of(const Problem *p, int depth, const int cell[3])
{
    double volume = 1;
    for (int axis = 0; axis < 3; axis++)
        volume *= level_width(p->mg.levels[0].cells[axis], depth, p->mg.levels[depth].cells[axis],
                              cell[axis]);
    return volume;
}

/* Without relaxation, and from x = 0, the residual is the right-hand side. A coarse cell's is its
 * mean over the volume of the fine cells, times 4, as a level's equations are those of the finest
 * level times 4^depth. Cells with odd i + j + k count as 0: a relaxation ends with them. */
static void restriction_is_the_mean_over_the_volume(void **state)
{
    (void)state;
    static const int sizes[][3] = {{16, 16, 16}, {13, 9, 11}, {33, 8, 21}, {24, 10, 8}};
    static const unsigned sides[] = {CEILING, 63, 21, 1u << WRAPS_X | CEILING};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t q = 0; q < sizeof sides / sizeof sides[0]; q++) {
            if (sides[q] >> WRAPS_X != 0 && sizes[s][0] % 2 != 0)
                continue;
            Problem *p = problem(sizes[s][0], sizes[s][1], sizes[s][2], sides[q]);
            const Level *coarse = &p->mg.levels[1];
            load(p, speckle);
            team_run(p->threads, restrict_task, p);
            for (int k = 0; k < coarse->cells[2]; k++)
                for (int j = 0; j < coarse->cells[1]; j++) {
                    float row[1024];
                    level_unpack_row(coarse, coarse->rhs, j, k, row);
                    for (int i = 0; i < coarse->cells[0]; i++) {
                        double sum = 0, volume = width_of(p, 1, (const int[]){i, j, k});
                        for (int part = 0; part < 8; part++) {
                            const int fine[3] = {2 * i + (part & 1), 2 * j + (part >> 1 & 1),
                                                 2 * k + (part >> 2)};
                            if ((fine[0] + fine[1] + fine[2]) % 2 == 0 && fine[0] < p->grid.nx &&
                                fine[1] < p->grid.ny && fine[2] < p->grid.nz)
                                sum += speckle(fine[0], fine[1], fine[2]) * width_of(p, 0, fine);
                        }
                        if (!(fabs((double)row[i] - 4 * sum / volume) < 2e-6))
                            fail_msg("%dx%dx%d, sides %x, cell (%d,%d,%d): %g, not %g", p->grid.nx,
                                     p->grid.ny, p->grid.nz, sides[q], i, j, k, (double)row[i],
                                     4 * sum / volume);
                    }
                }
            dismiss(p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_converge_at_any_size),
        cmocka_unit_test(cycles_converge_around_axes),
        cmocka_unit_test(conjugate_gradients_converge),
        cmocka_unit_test(slow_cycles_call_for_conjugate_gradients),
        cmocka_unit_test(cycles_stop_at_the_goal_and_at_the_cap),
        cmocka_unit_test(same_answer_as_a_long_relaxation),
        cmocka_unit_test(same_bits_at_any_thread_count),
        cmocka_unit_test(same_bits_with_any_instruction_set),
        cmocka_unit_test(nothing_is_asked_of_a_start_times_zero),
        cmocka_unit_test(levels_are_the_operator_on_wider_cells),
        cmocka_unit_test(restriction_is_the_mean_over_the_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
