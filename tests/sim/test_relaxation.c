/* SPDX-License-Identifier: MIT
 * Relaxation: against a plain implementation, known answers, and the end of the sweeps. */
#include "solve_fixture.h"

static float started; /* multiple of x to start from; 0: leave x */
static int sweeps_done;

static void relax_task(void *context, Team team)
{
    Problem *p = context;
    if (started != 0.0f)
        relaxation_start(&p->relaxation, started, team);
    int sweeps = relaxation_solve(&p->relaxation, team);
    if (team.index == 0)
        sweeps_done = sweeps;
}

/* Leaves the solution in wide; returns the sweeps. */
static int relax(Problem *p)
{
    team_run(p->threads, relax_task, p);
    unload(p);
    return sweeps_done;
}

static double centre_source(double i, double j, double k)
{
    return i == 1 && j == 1 && k == 1 ? 26 : -1;
}

/* 3x3x3 closed box, 26 in the middle and -1 elsewhere. By symmetry there are four values, C(entre),
 * F(ace), E(dge), K(corner), and counting the neighbours of each:
 *
 *     6C - 6F           =  26      C - F = 13/3
 *     5F -  C - 4E      =  -1
 *     4E - 2F - 2K      =  -1      F - E =  5/6
 *     3K - 3E           =  -1      E - K =  1/3
 */
static void known_answer_3x3x3(void **state)
{
    (void)state;
    Problem *p = problem(3, 3, 3, 0);
    p->relaxation.sweeps = 200;
    load(p, centre_source);
    relax(p);
    double c = (double)*wide_cell(p, 1, 1, 1), f = (double)*wide_cell(p, 0, 1, 1);
    double e = (double)*wide_cell(p, 0, 0, 1), corner = (double)*wide_cell(p, 0, 0, 0);
    assert_below(fabs(c - f - 13.0 / 3), 1e-5);
    assert_below(fabs(f - e - 5.0 / 6), 1e-5);
    assert_below(fabs(e - corner - 1.0 / 3), 1e-5);
    assert_below(fabs((double)*wide_cell(p, 2, 2, 2) - corner), 1e-5);
    dismiss(p);
}

/* The plain twin: one array, one cell after the other, every neighbour asked for. */
typedef struct Twin {
    const Problem *p;
    float *x;
    const float *rhs;
} Twin;

static float twin_value(const Twin *t, int i, int j, int k)
{
    const int *n = t->p->mg.levels[0].cells;
    if (i < 0 || j < 0 || k < 0 || i >= n[0] || j >= n[1] || k >= n[2])
        return 0;
    return t->x[i + n[0] * (j + n[1] * k)];
}

static int twin_counted(const Twin *t, int i, int j, int k)
{
    const int cell[3] = {i, j, k};
    int counted = 6;
    for (int axis = 0; axis < 3; axis++) {
        counted -= cell[axis] == 0 && !t->p->counted[2 * axis];
        counted -= cell[axis] == t->p->mg.levels[0].cells[axis] - 1 && !t->p->counted[2 * axis + 1];
    }
    return counted;
}

static void twin_sweep(const Twin *t, int color, float omega)
{
    const int *n = t->p->mg.levels[0].cells;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                if (((i + j + k) & 1) != color)
                    continue;
                int here = i + n[0] * (j + n[1] * k);
                float sum = (twin_value(t, i - 1, j, k) + twin_value(t, i + 1, j, k)) +
                            (twin_value(t, i, j - 1, k) + twin_value(t, i, j + 1, k)) +
                            (twin_value(t, i, j, k - 1) + twin_value(t, i, j, k + 1));
                float diagonal = t->p->mg.levels[0].base +
                                 t->p->mg.levels[0].weight * (float)twin_counted(t, i, j, k);
                float target = (t->rhs[here] + t->p->mg.levels[0].weight * sum) * (1.0f / diagonal);
                t->x[here] = omega == 1.0f ? target : t->x[here] + omega * (target - t->x[here]);
            }
}

static void compare_with_twin(int nx, int ny, int nz, unsigned sides, float omega,
                              const RelaxKernels *kernels)
{
    Problem *p = problem(nx, ny, nz, sides);
    p->relaxation.omega = omega;
    p->relaxation.sweeps = 7;
    p->mg.levels[0].kernels = kernels;
    p->mg.levels[0].base = 0.25f;
    p->mg.levels[0].weight = 0.75f;
    level_prepare(&p->mg.levels[0], p->mg.levels[0].cells, 0, p->counted);
    size_t cells = (size_t)nx * (size_t)ny * (size_t)nz;
    float *rhs = malloc(cells * sizeof(float)), *x = calloc(cells, sizeof(float));
    assert_true(rhs != NULL && x != NULL);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                rhs[i + nx * (j + ny * k)] = (float)speckle(i, j, k);
    Twin twin = {p, x, rhs};
    for (int sweep = 1; sweep <= 7; sweep++)
        for (int color = 0; color < 2; color++)
            twin_sweep(&twin, color, sweep == 7 ? 1.0f : omega);
    load(p, speckle);
    relax(p);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                if (*wide_cell(p, i, j, k) != twin_value(&twin, i, j, k))
                    fail_msg("%dx%dx%d sides %x: (%d,%d,%d) is %.9g, the twin's %.9g", nx, ny, nz,
                             sides, i, j, k, (double)*wide_cell(p, i, j, k),
                             (double)twin_value(&twin, i, j, k));
    free(rhs);
    free(x);
    dismiss(p);
}

static void relaxation_equals_its_plain_twin(void **state)
{
    (void)state;
    static const int sizes[][3] = {{8, 8, 8},   {9, 8, 11}, {16, 16, 16}, {17, 9, 8}, {31, 10, 9},
                                   {64, 8, 12}, {3, 5, 4},  {14, 13, 8},  {33, 1, 2}, {99, 9, 24}};
    for (int table = 0; kernels_at(table) != NULL; table++) {
        const Kernels *kernels = kernels_find(kernels_at(table)->name);
        if (kernels == NULL)
            continue;
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (unsigned sides = 0; sides < 64; sides += 7) {
                const int *n = sizes[s];
                compare_with_twin(n[0], n[1], n[2], sides, 1.7f, kernels->relax);
                compare_with_twin(n[0], n[1], n[2], sides, 1, kernels->relax); /* fused */
            }
    }
}

/* -div grad of cos cos cos on the unit cube, closed all round, at a resolution: the largest error
 * of the discrete solution. */
static int manufactured_cells;

static double manufactured(double i, double j, double k)
{
    double h = 1.0 / manufactured_cells;
    return cos(PI * (i + 0.5) * h) * cos(PI * (j + 0.5) * h) * cos(PI * (k + 0.5) * h);
}

static double manufactured_rhs(double i, double j, double k)
{
    double h = 1.0 / manufactured_cells;
    return 3 * PI * PI * h * h * manufactured(i, j, k);
}

static double manufactured_error(int cells)
{
    manufactured_cells = cells;
    Problem *p = problem(cells, cells, cells, 0);
    p->relaxation.sweeps = 3000;
    p->relaxation.omega = (float)(2 / (1 + sin(PI / cells)));
    load(p, manufactured_rhs);
    relax(p);
    double error = 0, shift = (double)*wide_cell(p, 0, 0, 0) - manufactured(0, 0, 0);
    shift = 0.5 * (shift + (double)*wide_cell(p, cells - 1, 0, 0) -
                   manufactured(cells - 1, 0, 0)); /* the free constant */
    for (int k = 0; k < cells; k++)
        for (int j = 0; j < cells; j++)
            for (int i = 0; i < cells; i++)
                error = fmax(error,
                             fabs((double)*wide_cell(p, i, j, k) - shift - manufactured(i, j, k)));
    dismiss(p);
    return error;
}

static void relaxation_is_second_order(void **state)
{
    (void)state;
    double coarse = manufactured_error(8), fine = manufactured_error(16);
    double order = log2(coarse / fine);
    if (!(order > 1.9 && order < 2.1))
        fail_msg("order %.3f: errors %g at 8, %g at 16", order, coarse, fine);
}

static void tolerance_ends_the_sweeps(void **state)
{
    (void)state;
    Problem *p = problem(16, 16, 16, 63);
    p->relaxation.sweeps = 1000;
    p->relaxation.omega = 1.6f;
    load(p, speckle);
    p->relaxation.goal = 1e-3 * residual_norm(p); /* x is 0 */
    int sweeps = relax(p);
    assert_true(sweeps > 8 && sweeps < 200);
    assert_below(residual_norm(p), 1.001 * p->relaxation.goal);
    dismiss(p);
}

/* A start far from the answer, even against it, leaves no more energy than none at all. */
static void no_start_feeds_the_flow(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        Problem *p = problem(16, 12, 10, 8);
        const Level *level = &p->mg.levels[0];
        load(p, speckle);
        relax(p);
        for (int k = 0; k < 10; k++)
            level_scale(level, 50.0f * (float)sign, k);
        started = 1;
        p->relaxation.sweeps = 0;
        relax(p);
        started = 0;
        double energy = 0;
        for (int k = 0; k < 10; k++)
            energy +=
                0.5 * level_product(level, level->x, k) - level_dot(level, level->x, level->rhs, k);
        assert_true(energy <= 0);
        assert_true(sign < 0 ? energy == 0 : energy < -1e-3);
        dismiss(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answer_3x3x3),
        cmocka_unit_test(relaxation_equals_its_plain_twin),
        cmocka_unit_test(relaxation_is_second_order),
        cmocka_unit_test(tolerance_ends_the_sweeps),
        cmocka_unit_test(no_start_feeds_the_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
