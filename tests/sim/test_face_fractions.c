/* SPDX-License-Identifier: MIT
 * Solids in the pressure's equations: what is left open of faces, on every level, and how fast
 * cycles then converge. */
#include "solve_fixture.h"

#include "sim/solver/face_fractions.h"

#define CEILING (1u << BILLOW_CEILING)

/* Signed distance to a shape's surface in cells, negative inside. */
typedef double Shape(double x, double y, double z, const int n[3]);

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

static double ball(double x, double y, double z, const int n[3])
{
    return length(x - 0.47 * n[0], y - 0.4 * n[1], z - 0.52 * n[2]) - 0.21 * n[1];
}

static double balls(double x, double y, double z, const int n[3])
{
    double nearest = 1e9;
    unsigned state = 5;
    for (int b = 0; b < 12; b++) {
        double cx = (scatter(&state) + 1) / 2 * n[0], cy = (scatter(&state) + 1) / 2 * n[1];
        double cz = (scatter(&state) + 1) / 2 * n[2];
        nearest = fmin(nearest, length(x - cx, y - cy, z - cz) - (2 + 0.4 * b));
    }
    return nearest;
}

static double slab_distance(double x, double low, double high)
{
    return fmax(low - x, x - high);
}

/* Two cells thick, across the box but for a gap below the ceiling. */
static double wall(double x, double y, double z, const int n[3])
{
    (void)z;
    int at = n[0] / 2;
    return fmax(slab_distance(x, at, at + 2), y - 0.75 * n[1]);
}

/* The same one cell further, so that pairs of cells part otherwise. */
static double odd_wall(double x, double y, double z, const int n[3])
{
    return wall(x - 1, y, z, n);
}

/* A hollow box, sealed. */
static double shell(double x, double y, double z, const int n[3])
{
    const double at[3] = {x, y, z};
    double outer = -1e9, inner = -1e9;
    for (int axis = 0; axis < 3; axis++) {
        int low = n[axis] / 4, high = n[axis] - n[axis] / 4;
        outer = fmax(outer, slab_distance(at[axis], low, high));
        inner = fmax(inner, slab_distance(at[axis], low + 2, high - 2));
    }
    return fmax(outer, -inner);
}

static double nothing(double x, double y, double z, const int n[3])
{
    (void)x, (void)y, (void)z, (void)n;
    return 1;
}

/* The fraction of a face outside of the solid, from sample points. */
static float outside_part(Shape *shape, const int n[3], int axis, int i, int j, int k)
{
    enum { POINTS = 4 };
    const double corner[3] = {i, j, k};
    int a = (axis + 1) % 3, b = (axis + 2) % 3, outside = 0;
    for (int q = 0; q < POINTS; q++)
        for (int p = 0; p < POINTS; p++) {
            double at[3] = {corner[0], corner[1], corner[2]};
            at[a] += (p + 0.5) / POINTS;
            at[b] += (q + 0.5) / POINTS;
            outside += shape(at[0], at[1], at[2], n) > 0;
        }
    return (float)outside / (POINTS * POINTS);
}

static void coarsen_task(void *context, Team team)
{
    const Problem *p = context;
    team_barrier(team);
    const Region all = {{0, 0, 0}, {p->grid.nx, p->grid.ny, p->grid.nz}};
    face_fractions_coarsen(&p->mg, all, team);
}

static void relax_task(void *context, Team team)
{
    const Problem *p = context;
    relaxation_solve(&p->relaxation, team);
}

/* A box with a shape in it; dismissed by let_go. */
typedef struct Obstructed {
    Problem *p;
    float *fractions;
} Obstructed;

static Obstructed obstructed(const int n[3], unsigned sides, int threads, Shape *shape)
{
    Problem *p = problem(n[0], n[1], n[2], sides);
    Obstructed o = {p, zeros(face_fractions_floats(&p->grid))};
    p->threads = threads;
    face_fractions_prepare(&p->mg, o.fractions);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int at[3] = {i, j, k};
                for (int axis = 0; axis < 3; axis++)
                    if (at[axis] > 0)
                        *face_fraction(&p->mg.levels[0], axis, i, j, k) =
                            outside_part(shape, n, axis, i, j, k);
            }
    team_run(threads, coarsen_task, p);
    return o;
}

static void let_go(Obstructed o)
{
    free(o.fractions);
    dismiss(o.p);
}

/* The outflow of each cell when wind and gusts blow through the open fractions. It sums to 0 in
 * every enclosed region. */
static double outflow(const Level *level, int i, int j, int k)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int high = 0; high < 2; high++) {
            int at[3] = {i, j, k};
            at[axis] += high;
            if (at[axis] == 0 || at[axis] == level->cells[axis])
                continue;
            double speed = (axis == 0) + 0.2 * speckle(at[0], at[1] + 0.5 * axis, at[2]);
            sum +=
                (2 * high - 1) * speed * (double)*face_fraction(level, axis, at[0], at[1], at[2]);
        }
    return sum;
}

static void load_wind(const Problem *p)
{
    const Level *level = &p->mg.levels[0];
    const int *n = level->cells;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            for (int i = 0; i < n[0]; i++)
                *wide_cell(p, i, j, k) = (float)-outflow(level, i, j, k);
            level_pack_row(level, wide_cell(p, 0, j, k), j, k, level->rhs);
        }
}

/* -- convergence ------------------------------------------------------------------------------- */

typedef struct Run {
    Problem *p;
    int cycles;
    double left[9]; /* before the first, after it, ... */
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

static void each_cycle_leaves_a_fifth(const int n[3], unsigned sides, Shape *shape)
{
    Obstructed o = obstructed(n, sides, FEW_THREADS, shape);
    load_wind(o.p);
    Run run = {.p = o.p, .cycles = 5};
    run.left[0] = residual_norm(o.p);
    team_run(o.p->threads, cycles_task, &run);
    for (int c = 0; c < run.cycles && run.left[c] > 1e-4 * run.left[0]; c++)
        if (!(run.left[c + 1] <= run.left[c] / 5))
            fail_msg("%dx%dx%d, open sides %x: cycle %d leaves %.3g of %.3g", n[0], n[1], n[2],
                     sides, c + 1, run.left[c + 1], run.left[c]);
    assert_below(fabs(residual_norm(o.p) - run.left[run.cycles]), 1e-5 * run.left[0]);
    let_go(o);
}

static const int sizes[][3] = {{32, 32, 32}, {48, 64, 40}, {63, 65, 61}, {50, 50, 50}};
static const unsigned sides[] = {0, CEILING};
enum { SIZES = SANITIZED ? 1 : sizeof sizes / sizeof sizes[0] };

static void cycles_converge_around_round_solids(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; s++)
        for (int q = 0; q < 2; q++) {
            each_cycle_leaves_a_fifth(sizes[s], sides[q], ball);
            each_cycle_leaves_a_fifth(sizes[s], sides[q], balls);
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

/* A coarse cell with a wall in its middle stands for both sides of it: cycles alone then slow down,
 * and conjugate gradients take over. */
static void walls_are_solved(void **state)
{
    (void)state;
    static Shape *const shapes[] = {wall, odd_wall, shell};
    for (int s = 0; s < SIZES; s++)
        for (int q = 0; q < 6; q++) {
            Obstructed o = obstructed(sizes[s], sides[q % 2], FEW_THREADS, shapes[q / 2]);
            load_wind(o.p);
            double before = residual_norm(o.p);
            Solved result = solve(o.p, 1e-4);
            load_wind(o.p); /* conjugate gradients overwrite it */
            assert_below(residual_norm(o.p), 1.05e-4 * before);
            assert_true(result.cycles <= 12);
            let_go(o);
        }
}

static void leaky_sheet_is_solved(int at, float leak, unsigned open_sides)
{
    const int n[3] = {32, 32, 32};
    Obstructed o = obstructed(n, open_sides, FEW_THREADS, nothing);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            *face_fraction(&o.p->mg.levels[0], 0, at, j, k) = leak;
    team_run(FEW_THREADS, coarsen_task, o.p);
    load_wind(o.p);
    double before = residual_norm(o.p);
    Run run = {.p = o.p, .cycles = 6};
    team_run(FEW_THREADS, cycles_task, &run);
    assert_below(run.left[6], 0.2 * before);
    for (int k = 0; k < n[2]; k++)
        level_scale(&o.p->mg.levels[0], 0, k);
    Solved result = solve(o.p, 1e-4);
    load_wind(o.p);
    assert_below(residual_norm(o.p), 1.05e-4 * before);
    assert_true(result.cycles <= 15);
    let_go(o);
}

/* A sheet across the box that is nearly shut is no worse than one that is shut, wherever it stands
 * among the pairs of cells. */
static void leaks_do_no_harm(void **state)
{
    (void)state;
    static const float leaks[] = {0, 1e-30f, 1e-6f, 1e-3f, 1e-2f, 0.1f, 0.3f};
    for (int at = 15; at <= 18; at += SANITIZED ? 3 : 1)
        for (size_t l = 0; l < sizeof leaks / sizeof leaks[0]; l++)
            for (int q = 0; q < 2; q++)
                leaky_sheet_is_solved(at, leaks[l], sides[q]);
}

/* -- the equations ----------------------------------------------------------------------------- */

static double plain_residual(const Problem *p, int i, int j, int k)
{
    const Level *level = &p->mg.levels[0];
    const int *n = level->cells;
    double sum = -outflow(level, i, j, k);
    for (int axis = 0; axis < 3; axis++)
        for (int high = 0; high < 2; high++) {
            int face[3] = {i, j, k}, next[3] = {i, j, k};
            face[axis] += high;
            next[axis] += 2 * high - 1;
            bool outside = next[axis] < 0 || next[axis] == n[axis];
            if (outside && !p->counted[2 * axis + high])
                continue;
            double there = outside ? 0 : (double)*wide_cell(p, next[0], next[1], next[2]);
            sum += (double)*face_fraction(level, axis, face[0], face[1], face[2]) *
                   (there - (double)*wide_cell(p, i, j, k));
        }
    return sum;
}

/* The answer satisfies the equations written out plainly, and is 0 inside. */
static void answers_hold_cell_by_cell(void **state)
{
    (void)state;
    static Shape *const shapes[] = {ball, balls, odd_wall, shell};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s += SANITIZED ? 3 : 1)
        for (int method = 0; method < 3; method++) {
            const int n[3] = {29, 32, 27};
            Obstructed o = obstructed(n, CEILING, FEW_THREADS, shapes[s]);
            Problem *p = o.p;
            load_wind(p);
            p->solve.conjugate = method == 1;
            p->relaxation.sweeps = 1500;
            p->relaxation.omega = 1.8f;
            if (method < 2)
                solve(p, 1e-5);
            else
                team_run(FEW_THREADS, relax_task, p);
            unload(p);
            for (int k = 0; k < n[2]; k++)
                for (int j = 0; j < n[1]; j++)
                    for (int i = 0; i < n[0]; i++) {
                        assert_below(fabs(plain_residual(p, i, j, k)), 1e-3);
                        if (shapes[s](i + 0.5, j + 0.5, k + 0.5, n) < -2)
                            assert_true(*wide_cell(p, i, j, k) == 0.0f);
                    }
            let_go(o);
        }
}

/* -- the coarser levels ------------------------------------------------------------------------ */

/* Without a solid, the fractions change no bit. */
static void open_faces_change_nothing(void **state)
{
    (void)state;
    const int n[3] = {45, 33, 38};
    Obstructed o = obstructed(n, CEILING, 2, nothing);
    Problem *plain = problem(n[0], n[1], n[2], CEILING);
    for (int depth = 0; depth < o.p->mg.count; depth++)
        for (int k = 0; k < o.p->mg.levels[depth].cells[2]; k++)
            assert_false(o.p->mg.levels[depth].fractions.planes[k]);
    load(plain, speckle);
    load(o.p, speckle);
    solve(plain, 1e-4);
    solve(o.p, 1e-4);
    unload(plain);
    unload(o.p);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            assert_memory_equal(wide_cell(plain, 0, j, k), wide_cell(o.p, 0, j, k),
                                (size_t)n[0] * sizeof(float));
    dismiss(plain);
    let_go(o);
}

/* By hand, a wall at x = 8 and 9 of 16: on the next level cells 4 are shut; on the one after, cells
 * 2 have their upper half left, and face 3 leads to the wall: 2 / (2 + 1 + 1/2). */
static double wall_at_8(double x, double y, double z, const int n[3])
{
    (void)y, (void)z, (void)n;
    return slab_distance(x, 8, 10);
}

static void coarse_walls_by_hand(void **state)
{
    (void)state;
    const int n[3] = {16, 16, 16};
    static const float expected[4][17] = {
        {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 0, 0, 1, 1, 1},
        {1, 1, 0, 2 / 3.5f, 1},
        {1, 0, 1.5f / (1 + 3.5f / 4)},
    };
    Obstructed o = obstructed(n, CEILING, 1, wall_at_8);
    for (int depth = 0; depth < 4; depth++) {
        const Level *level = &o.p->mg.levels[depth];
        for (int i = 0; i <= level->cells[0]; i++)
            assert_below(fabs((double)(*face_fraction(level, 0, i, 1, 0) - expected[depth][i])),
                         1e-6);
    }
    let_go(o);
}

static void a_half_open_face_by_hand(void **state)
{
    (void)state;
    const int n[3] = {8, 8, 8};
    Obstructed o = obstructed(n, 0, 1, nothing);
    const Level *fine = &o.p->mg.levels[0], *coarse = fine + 1;
    *face_fraction(fine, 0, 4, 2, 2) = 0.5f;  /* M: resistances 1/2 + 2 + 1/2 instead of 2 */
    *face_fraction(fine, 0, 3, 3, 2) = 0.25f; /* L: 2 + 1 + 1/2 */
    team_run(1, coarsen_task, o.p);
    double mean = (2.0 / 3 + 2 / 3.5 + 1 + 1) / 4;
    assert_below(fabs((double)*face_fraction(coarse, 0, 2, 1, 1) - mean), 1e-6);
    double below = (2 / 3.5 + 1 + 1 + 1) / 4; /* face 3 is R there */
    assert_below(fabs((double)*face_fraction(coarse, 0, 1, 1, 1) - below), 1e-6);
    assert_true(level_row_is_cut(coarse, 1, 1) && !level_row_is_cut(coarse, 1, 2));
    let_go(o);
}

/* The last coarse cell of an odd row is one fine cell: its high face is the fine one. */
static void high_faces_of_odd_boxes_are_seen(void **state)
{
    (void)state;
    const int n[3] = {9, 9, 9};
    for (int axis = 0; axis < 3; axis++) {
        Obstructed o = obstructed(n, 63, 1, nothing);
        for (int b = 0; b < 9; b++)
            for (int a = 0; a < 9; a++) {
                int at[3] = {a, a, a};
                at[axis] = 9;
                at[axis == 2 ? 1 : 2] = b;
                *face_fraction(&o.p->mg.levels[0], axis, at[0], at[1], at[2]) = 0.5f;
            }
        team_run(1, coarsen_task, o.p);
        for (int depth = 0, last = 9; depth < o.p->mg.count - 1; depth++, last = (last + 1) / 2) {
            int at[3] = {0, 0, 0};
            at[axis] = last;
            assert_true(*face_fraction(&o.p->mg.levels[depth], axis, at[0], at[1], at[2]) == 0.5f);
        }
        let_go(o);
    }
}

/* -- the same bits ----------------------------------------------------------------------------- */

static void same_bits(const int n[3], int threads, const Kernels *kernels, bool conjugate)
{
    Problem *pair[2];
    Obstructed o[2];
    for (int q = 0; q < 2; q++) {
        o[q] = obstructed(n, CEILING, q == 0 ? 1 : threads, balls);
        pair[q] = o[q].p;
        for (int depth = 0; depth < pair[q]->mg.count; depth++)
            if (q == 1)
                pair[q]->mg.levels[depth].kernels = kernels->relax;
        load_wind(pair[q]);
        pair[q]->solve.conjugate = conjugate;
        solve(pair[q], 1e-4);
        pair[q]->relaxation.omega = 1.6f;
        team_run(pair[q]->threads, relax_task, pair[q]);
        unload(pair[q]);
    }
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            assert_memory_equal(wide_cell(pair[0], 0, j, k), wide_cell(pair[1], 0, j, k),
                                (size_t)n[0] * sizeof(float));
    let_go(o[0]);
    let_go(o[1]);
}

static void same_bits_whoever_computes(void **state)
{
    (void)state;
    static const int boxes[][3] = {{40, 24, 32}, {33, 27, 29}};
    static const int threads[] = {2, 3, 5, 8};
    const int count = sizeof threads / sizeof threads[0];
    const Kernels *sets[16];
    int known = 0;
    for (int table = 0; kernels_at(table) != NULL; table++)
        if (kernels_find(kernels_at(table)->name) != NULL)
            sets[known++] = kernels_at(table);
    for (int run = 0; run < count || run < known; run++)
        same_bits(boxes[run % 2], threads[run % count], sets[run % known], run / 2 % 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_converge_around_round_solids),
        cmocka_unit_test(walls_are_solved),
        cmocka_unit_test(leaks_do_no_harm),
        cmocka_unit_test(answers_hold_cell_by_cell),
        cmocka_unit_test(open_faces_change_nothing),
        cmocka_unit_test(coarse_walls_by_hand),
        cmocka_unit_test(a_half_open_face_by_hand),
        cmocka_unit_test(high_faces_of_odd_boxes_are_seen),
        cmocka_unit_test(same_bits_whoever_computes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
