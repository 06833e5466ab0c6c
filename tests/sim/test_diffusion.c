/* SPDX-License-Identifier: MIT
 * Implicit viscosity and diffusion. */
#include "sim_fixture.h"

enum { N = 24 };

/* cos(pi x / L) has no gradient at the walls: the gravest mode along x of an insulated box. */
static double cosine(double x, double y, double z)
{
    return cos(PI * x / N) + 0 * (y + z);
}

/* One implicit step of a scalar divides a mode by 1 + a*lambda, lambda = 2 - 2 cos(pi/N) the
 * discrete k2 h2. */
static void cosine_mode_decays_as_it_should(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 3000;
    double h = (double)def.cell_size, a = 2.5, step = 0.01;
    def.params.smoke_diffusion = (float)(a * h * h / step);
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->density, cosine);
    diffuse_scalars(sim, step);
    double factor = 1 / (1 + a * (2 - 2 * cos(PI / N)));
    for (int i = 0; i < N; i++)
        assert_below(fabs((double)at(sim, sim->density, i, 3, 3) - factor * cosine(i + 0.5, 0, 0)),
                     2e-5);
    billow_destroy(sim);
}

static double unity(double x, double y, double z)
{
    return 1 + 0 * (x + y + z);
}

/* What is even stays so, however short the steps: rounding of 1 / (1 + 6 a) must not add up. */
static void even_smoke_stays(void **state)
{
    (void)state;
    const double parts[] = {3e-5, 1e-4, 4e-4, 1.7e-3, 3e-3, 0.01, 0.05, 0.3};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
        BillowDef def = quiet_def(8, 10, 8, BILLOW_PERIODIC);
        double h = (double)def.cell_size, step = 0.01;
        def.params.smoke_diffusion = (float)(parts[p] * h * h / step);
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->density, unity);
        for (int s = 0; s < 500; s++)
            diffuse_scalars(sim, step);
        double lost = fabs((double)at(sim, sim->density, 4, 3, 3) - 1);
        if (!(lost < 4e-6))
            fail_msg("a = %g: %g are lost in 500 steps", parts[p], lost);
        billow_destroy(sim);
    }
}

static double checkered(double x, double y, double z)
{
    return 1 + 0.5 * (((int)x + (int)y + (int)z) % 2 == 0 ? 1 : -1);
}

/* As many sweeps as suffice: waves as short as cells, in which the two colours differ most, decay
 * as they should to the last bits, however weak the diffusion. */
static void checkered_smoke_decays(void **state)
{
    (void)state;
    for (double a = 1e-5; a < 0.5; a *= 1.7) {
        BillowDef def = quiet_def(8, 10, 8, BILLOW_PERIODIC);
        double h = (double)def.cell_size, step = 0.01;
        def.params.smoke_diffusion = (float)(a * h * h / step);
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->density, checkered);
        diffuse_scalars(sim, step);
        for (int i = 2; i < 4; i++) {
            double due = 1 + (checkered(i, 3, 3) - 1) / (1 + 12 * a);
            double off = fabs((double)at(sim, sim->density, i, 3, 3) - due);
            if (!(off < 1.5e-6)) /* the weight is rounded by up to 1e-6 */
                fail_msg("a = %g: cell %d is %g off", a, i, off);
        }
        billow_destroy(sim);
    }
}

/* A shear flow v(x), tangential at the x walls, decays at the same rate. So do sine modes with
 * normal velocity 0 at the walls. */
static double sine(double x, double y, double z)
{
    return sin(PI * x / N) + 0 * (y + z);
}

/* Factor on a velocity mode after both stages, with z = nu k2 dt: exp(-z) but for terms of z^3. */
static double two_stages(double z)
{
    const double g = 1 - sqrt(0.5);
    return (1 - (1 - 2 * g) * z) / ((1 + g * z) * (1 + g * z));
}

static void velocity_modes_decay(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 3000;
    double h = (double)def.cell_size, a = 1.5, step = 0.01;
    def.params.viscosity = (float)(a * h * h / step);
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, sine);
    fill_faces(sim, 2, cosine);
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < N; i++)
            sim->velocity[2][grid_row(&sim->grid, j, 0) + i] =
                sim->velocity[2][grid_row(&sim->grid, j, 8) + i] =
                    0.5f * (float)cosine(i + 0.5, 0, 0); /* given on its own walls */
    for (int stage = 0; stage < DIFFUSION_STAGES; stage++)
        diffuse_velocity(sim, step, stage);
    double factor = two_stages(a * (2 - 2 * cos(PI / N)));
    for (int i = 0; i <= N; i++)
        assert_below(fabs((double)at(sim, sim->velocity[0], i, 4, 4) - factor * sine(i, 0, 0)),
                     2e-5);
    assert_true(at(sim, sim->velocity[2], 0, 4, 0) == 0.5f * (float)cosine(0.5, 0, 0));
    assert_true(at(sim, sim->velocity[2], 0, 4, 1) > at(sim, sim->velocity[2], 0, 4, 0));
    assert_true(at(sim, sim->velocity[2], 0, 4, 1) < at(sim, sim->velocity[2], 0, 4, 4));
    billow_destroy(sim);
}

static double speckle(double x, double y, double z)
{
    unsigned state = (unsigned)(x + 37 * y + 1009 * z);
    scatter(&state);
    return scatter(&state);
}

static void stable_at_any_size(void **state)
{
    (void)state;
    for (double a = 1e-3; a < 2e6; a *= 10) {
        BillowDef def = quiet_def(N, 9, 11, BILLOW_CLOSED);
        double h = (double)def.cell_size, step = a >= 1e4 ? 100 : 1;
        def.params.smoke_diffusion = (float)(a * h * h / step);
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->density, speckle);
        for (int s = 0; s < 5; s++)
            diffuse_scalars(sim, step);
        assert_below(largest(sim, sim->density, (const int[3]){N, 9, 11}), 1.0);
        billow_destroy(sim);
    }
}

static void viscosity_is_stable_at_any_size(void **state)
{
    (void)state;
    for (double a = 1e-3; a < 2e6; a *= 10) {
        BillowDef def = quiet_def(N, 10, 12, BILLOW_PERIODIC);
        double h = (double)def.cell_size, step = a >= 1e4 ? 100 : 1;
        def.params.viscosity = (float)(a * h * h / step);
        BillowSim *sim = make(&def);
        fill_faces(sim, 0, speckle);
        fill_faces(sim, 1, cosine);
        const int cells[3] = {N, 10, 12};
        for (int s = 0; s < 5; s++) {
            for (int stage = 0; stage < DIFFUSION_STAGES; stage++)
                diffuse_velocity(sim, step, stage);
            assert_below(largest(sim, sim->velocity[0], cells), 1.0);
            assert_below(largest(sim, sim->velocity[1], cells), 1.0);
        }
        billow_destroy(sim);
    }
}

static double total(const BillowSim *sim)
{
    double sum = 0;
    for (int k = 0; k < 8; k++)
        for (int j = 0; j < 9; j++)
            for (int i = 0; i < N; i++)
                sum += (double)at(sim, sim->density, i, j, k);
    return sum;
}

static void closed_box_keeps_its_mass(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 9, 8, BILLOW_CLOSED);
    def.params.diffusion_sweeps = 500;
    def.params.smoke_diffusion = 0.01f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->density, speckle);
    double before = total(sim);
    diffuse_scalars(sim, 0.05);
    assert_below(fabs(total(sim) - before), 1e-3);
    assert_below(largest(sim, sim->density, (const int[3]){N, 9, 8}), 0.5); /* it did something */
    billow_destroy(sim);
}

/* -- around solids ------------------------------------------------------------------------------
 */

/* A ball and a slanted plate in a box with an open left and a held right side. */
static BillowDef cluttered_def(void)
{
    BillowDef def = quiet_def(N, 18, 20, BILLOW_CLOSED);
    const float h = def.cell_size;
    def.faces[BILLOW_LEFT] = BILLOW_OPEN;
    def.boundaries[BILLOW_RIGHT].isothermal = true;
    def.boundaries[BILLOW_RIGHT].temperature = 3;
    def.params.diffusion_sweeps = 2000;
    def.solid_count = 2;
    for (int s = 0; s < 2; s++) {
        def.solids[s] = billow_default_solid();
        def.solids[s].center[0] = (s == 0 ? 8.3f : 20) * h;
        def.solids[s].center[1] = def.solids[s].center[2] = 9.1f * h;
        def.solids[s].size[0] = (s == 0 ? 4.2f : 1.4f) * h;
    }
    def.solids[1].shape = BILLOW_BOX;
    def.solids[1].size[1] = def.solids[1].size[2] = 0.11f;
    def.solids[1].rotation[2] = 0.3f;
    def.solids[1].rotation[3] = sqrtf(1 - 0.09f);
    return def;
}

/* The value of a cell from those of its neighbours, by the equation itself: the flux through the
 * open fraction of each face. */
static double balanced(const BillowSim *sim, const double *x, const float *before, double a,
                       const int at[3])
{
    const int cells[3] = {sim->grid.nx, sim->grid.ny, sim->grid.nz};
    double sum = (double)before[grid_row(&sim->grid, at[1], at[2]) + at[0]], diagonal = 1;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        int axis = side / 2, high = side % 2, face[3], to[3];
        memcpy(face, at, sizeof face);
        memcpy(to, at, sizeof to);
        face[axis] += high;
        to[axis] += high ? 1 : -1;
        double open =
            (double)*face_fraction(&sim->multigrid.levels[0], axis, face[0], face[1], face[2]);
        bool beyond = to[axis] < 0 || to[axis] >= cells[axis];
        if (beyond && side == BILLOW_LEFT) {
            diagonal += a * open;
        } else if (beyond && side == BILLOW_RIGHT) {
            diagonal += 2 * a * open;
            sum += 2 * a * open * 3;
        } else if (!beyond) {
            diagonal += a * open;
            sum += a * open * x[grid_row(&sim->grid, to[1], to[2]) + to[0]];
        }
    }
    return sum / diagonal;
}

static double some_heat(double x, double y, double z)
{
    return sin(0.7 * x) * cos(0.4 * y) + 0.3 * sin(1.1 * z);
}

/* The fast solver against plain loops in double precision. */
static void scalars_pass_what_solids_leave_open(void **state)
{
    (void)state;
    BillowDef def = cluttered_def();
    double h = (double)def.cell_size, a = 1.7, step = 0.01;
    def.params.heat_diffusion = (float)(a * h * h / step);
    BillowSim *sim = make(&def);
    const Grid *grid = &sim->grid;
    static double x[64 * 1024];
    static float before[64 * 1024];
    assert_true(grid_row(grid, 0, 20) <= 64 * 1024);
    fill_cells(sim, sim->temperature, some_heat);
    memcpy(before, sim->temperature, (size_t)grid_row(grid, 0, 20) * sizeof(float));
    memset(x, 0, sizeof x);
    for (int sweep = 0; sweep < 400; sweep++)
        for (int k = 0; k < 20; k++)
            for (int j = 0; j < 18; j++)
                for (int i = 0; i < N; i++)
                    x[grid_row(grid, j, k) + i] =
                        balanced(sim, x, before, a, (const int[3]){i, j, k});
    diffuse_scalars(sim, step);
    int cut = 0;
    for (int k = 0; k < 20; k++)
        for (int j = 0; j < 18; j++)
            for (int i = 0; i < N; i++) {
                float open = *face_fraction(&sim->multigrid.levels[0], 0, i, j, k);
                cut += open > 0.0f && open < 1.0f;
                assert_below(
                    fabs((double)at(sim, sim->temperature, i, j, k) - x[grid_row(grid, j, k) + i]),
                    1e-5);
            }
    assert_true(cut > 100);
    billow_destroy(sim);
}

static float hollow_ball(float radius)
{
    return fabsf(radius - 7) - 1.5f;
}

static float outside_ball(float radius)
{
    return 10 - radius;
}

/* A shape around the middle of N cells each way, by its distance at a radius from there. */
static BillowVolume sampled(float (*shape)(float radius), float distance[N * N * N])
{
    BillowVolume volume = {.nx = N, .ny = N, .nz = N, .spacing = 1, .distance = distance};
    for (int axis = 0; axis < 3; axis++)
        volume.low[axis] = -0.5f * (N - 1);
    for (int n = 0; n < N * N * N; n++) {
        float p[3] = {(float)(n % N), (float)(n / N % N), (float)(n / N / N)}, square = 0;
        for (int axis = 0; axis < 3; axis++)
            square += (p[axis] + volume.low[axis]) * (p[axis] + volume.low[axis]);
        distance[n] = shape(sqrtf(square));
    }
    return volume;
}

/* Smoke in a hollow ball stays there, and no heat comes in: exactly. */
static void nothing_diffuses_through_a_solid(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    const float h = def.cell_size;
    static float distance[N * N * N];
    BillowVolume shell = sampled(hollow_ball, distance);
    def.solids[0] = billow_default_solid();
    def.solids[0].shape = BILLOW_VOLUME;
    def.solids[0].volume = &shell;
    def.solids[0].size[0] = h;
    for (int axis = 0; axis < 3; axis++)
        def.solids[0].center[axis] = 0.5f * N * h;
    def.solid_count = 1;
    def.params.smoke_diffusion = def.params.heat_diffusion = 0.05f;
    BillowSim *sim = make(&def);
    double sum[2] = {0};
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    ptrdiff_t cell = grid_row(&sim->grid, j, k) + i;
                    double x = i + 0.5 - N / 2, y = j + 0.5 - N / 2, z = k + 0.5 - N / 2;
                    bool inside = x * x + y * y + z * z < 49;
                    if (round == 0 && sim->solids->fluid[cell] != SOLID) {
                        sim->density[cell] = inside ? 1 + 0.1f * (float)x : 0;
                        sim->temperature[cell] = inside ? 0 : 1 + 0.1f * (float)y;
                    }
                    sum[round] += (double)sim->density[cell];
                    assert_true(sim->density[cell] == 0.0f || inside);
                    assert_true(sim->temperature[cell] == 0.0f || !inside);
                }
        for (int step = 0; step < 50; step++)
            diffuse_scalars(sim, 0.01);
    }
    assert_below(fabs(sum[1] / sum[0] - 1), 1e-4);
    billow_destroy(sim);
}

/* Between a solid and a wall that are held, at rest: T falls evenly. The solid's surface lies
 * anywhere in a cell. */
static void heat_flows_evenly_from_a_held_solid(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (float surface = 4; surface < 5; surface += SANITIZED ? 0.51f : 0.17f) {
            BillowDef def =
                quiet_def(axis == 0 ? N : 8, axis == 1 ? N : 8, axis == 2 ? N : 8, BILLOW_CLOSED);
            const float h = def.cell_size;
            def.boundaries[2 * axis + 1].isothermal = true;
            def.boundaries[2 * axis + 1].temperature = -20;
            def.params.heat_diffusion = 1;
            def.params.diffusion_sweeps = 1000;
            def.solids[0] = billow_default_solid();
            def.solids[0].shape = BILLOW_BOX;
            for (int a = 0; a < 3; a++) {
                def.solids[0].size[a] = a == axis ? surface * h : 1;
                def.solids[0].center[a] = 0;
            }
            def.solids[0].isothermal = true;
            def.solids[0].temperature = 80;
            def.solid_count = 1;
            BillowSim *sim = make(&def);
            for (int step = 0; step < 3; step++)
                diffuse_scalars(sim, 1);
            for (int n = 5; n < N; n++) {
                int place[3] = {4, 7, 1};
                place[axis] = n;
                double wanted = 80 - 100 * (n + 0.5 - (double)surface) / (N - (double)surface);
                double found = (double)at(sim, sim->temperature, place[0], place[1], place[2]);
                assert_below(fabs(found - wanted), 0.2);
            }
            billow_destroy(sim);
        }
}

/* Into cold fluid beside a held surface heat goes as T erfc(x / (2 sqrt(k t))). */
static void heat_goes_as_far_as_diffusion_brings_it(void **state)
{
    (void)state;
    for (float surface = 4; surface < 5; surface += 0.17f) {
        BillowDef def = quiet_def(N, 8, 8, BILLOW_CLOSED);
        const float h = def.cell_size;
        const double step = 0.01, steps = 90, depth = 3; /* cells: sqrt(k t) */
        def.params.heat_diffusion = (float)(depth * depth * (double)h * (double)h / (steps * step));
        def.solids[0] = billow_default_solid();
        def.solids[0].shape = BILLOW_BOX;
        def.solids[0].size[0] = surface * h;
        def.solids[0].size[1] = def.solids[0].size[2] = 1;
        def.solids[0].center[0] = 0;
        def.solids[0].isothermal = true;
        def.solids[0].temperature = 80;
        def.solid_count = 1;
        BillowSim *sim = make(&def);
        for (int s = 0; s < (int)steps; s++)
            diffuse_scalars(sim, step);
        for (int n = 5; n < N; n++)
            assert_below(fabs((double)at(sim, sim->temperature, n, 3, 4) -
                              80 * erfc((n + 0.5 - (double)surface) / (2 * depth))),
                         0.8);
        billow_destroy(sim);
    }
}

/* Between a ball of 4 cells and a shell at 10 cells from its centre, T = A + B / r. */
static void a_held_ball_in_a_held_shell(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    const float h = def.cell_size;
    static float distance[N * N * N];
    BillowVolume shell = sampled(outside_ball, distance);
    def.solids[0] = def.solids[1] = billow_default_solid();
    def.solids[0].shape = BILLOW_VOLUME;
    def.solids[0].volume = &shell;
    def.solids[0].size[0] = h;
    def.solids[1].size[0] = 4 * h;
    for (int s = 0; s < 2; s++)
        for (int axis = 0; axis < 3; axis++)
            def.solids[s].center[axis] = 0.5f * N * h;
    def.solids[0].isothermal = def.solids[1].isothermal = true;
    def.solids[1].temperature = 100;
    def.solid_count = 2;
    def.params.heat_diffusion = 1;
    def.params.diffusion_sweeps = 1000;
    BillowSim *sim = make(&def);
    for (int step = 0; step < 2; step++)
        diffuse_scalars(sim, 1);
    double worst = 0;
    for (int k = 0; k < N; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                double x = i + 0.5 - N / 2, y = j + 0.5 - N / 2, z = k + 0.5 - N / 2;
                double r = sqrt(x * x + y * y + z * z);
                if (r > 4.1 && r < 9.9)
                    worst = fmax(worst, fabs((double)at(sim, sim->temperature, i, j, k) -
                                             100 * (1 / r - 0.1) / (0.25 - 0.1)));
            }
    assert_below(worst, 2);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cosine_mode_decays_as_it_should),
        cmocka_unit_test(even_smoke_stays),
        cmocka_unit_test(checkered_smoke_decays),
        cmocka_unit_test(velocity_modes_decay),
        cmocka_unit_test(stable_at_any_size),
        cmocka_unit_test(viscosity_is_stable_at_any_size),
        cmocka_unit_test(closed_box_keeps_its_mass),
        cmocka_unit_test(scalars_pass_what_solids_leave_open),
        cmocka_unit_test(nothing_diffuses_through_a_solid),
        cmocka_unit_test(heat_flows_evenly_from_a_held_solid),
        cmocka_unit_test(heat_goes_as_far_as_diffusion_brings_it),
        cmocka_unit_test(a_held_ball_in_a_held_shell),
    };
    return cmocka_run_group_tests_name("diffusion", tests, NULL, NULL);
}
