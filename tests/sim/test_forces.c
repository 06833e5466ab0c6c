/* SPDX-License-Identifier: MIT
 * Buoyancy and vorticity confinement. */
#include "sim/fields/constants.h"
#include "sim_fixture.h"

enum { N = 24 };

static void ambient_air_feels_nothing(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params = billow_default_params();
    BillowSim *sim = make(&def);
    forces_apply(sim, 0.1, 1);
    assert_true(largest_velocity(sim) == 0);
    billow_destroy(sim);
}

static double warm_half(double x, double y, double z)
{
    return x + 0 * (y + z) < N / 2.0 ? 10 : 0;
}

/* dt * (beta T - alpha rho), upwards, and nothing sideways. */
static void buoyancy_is_what_it_says(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params.buoyancy = 0.03f;
    def.params.weight = 0.2f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->temperature, warm_half);
    forces_apply(sim, 0.1, 1);
    assert_below(fabs((double)at(sim, sim->velocity[1], 3, 9, 9) - 0.1 * 0.03 * 10), 1e-7);
    assert_true(at(sim, sim->velocity[1], 20, 9, 9) == 0);
    memset(sim->velocity[1] + grid_row(&sim->grid, 0, 0), 0, sizeof(float) * N);
    fill_cells(sim, sim->density, warm_half);
    forces_apply(sim, 0.1, 1);
    assert_below(fabs((double)at(sim, sim->velocity[1], 3, 9, 9) - 0.1 * 10 * (0.03 + 0.03 - 0.2)),
                 1e-6);
    assert_true(largest(sim, sim->velocity[0], (const int[3]){N + 1, N, N}) == 0);
    assert_true(largest(sim, sim->velocity[2], (const int[3]){N, N, N + 1}) == 0);
    billow_destroy(sim);
}

static double ten(double x, double y, double z)
{
    return 10 + 0 * (x + y + z);
}

/* A column of warm air between two open faces is lifted as a whole, at any resolution. */
static void buoyancy_lifts_open_faces_too(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, 11, N, BILLOW_OPEN);
    def.params.buoyancy = 0.03f;
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->temperature, ten);
    forces_apply(sim, 0.1, 1);
    for (int j = 0; j <= 11; j++)
        assert_below(fabs((double)at(sim, sim->velocity[1], 7, j, 7) - 0.1 * 0.03 * 10), 1e-7);
    billow_destroy(sim);
}

static double turn_u(double x, double y, double z)
{
    return 0 * (x + z) - (y - N / 2.0) * 0.4;
}

static double turn_v(double x, double y, double z)
{
    return 0 * (y + z) + (x - N / 2.0) * 0.4;
}

/* Solid-body rotation has the same vorticity everywhere and thus no gradient. With rounding
 * errors of any direction, the force is a thousandth of that of a real gradient. */
static void confinement_spares_solid_rotation(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params.vorticity = 10;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, turn_u);
    fill_faces(sim, 1, turn_v);
    double dt = 0.1, h = (double)def.cell_size, omega = 2 * 0.4 / h;
    double full = 10 * h * dt * omega, worst = 0;
    forces_apply(sim, dt, 1);
    for (int k = 3; k < N - 3; k++)
        for (int j = 3; j < N - 3; j++)
            for (int i = 3; i < N - 3; i++) {
                double u = turn_u(i, j + 0.5, 0), v = turn_v(i + 0.5, j, 0);
                worst = fmax(worst, fabs((double)at(sim, sim->velocity[0], i, j, k) - u));
                worst = fmax(worst, fabs((double)at(sim, sim->velocity[1], i, j, k) - v));
            }
    assert_below(worst, 3e-3 * full);
    billow_destroy(sim);
}

static double vortex_r2(double x, double y)
{
    return ((x - N / 2.0) * (x - N / 2.0) + (y - N / 2.0) * (y - N / 2.0)) / 9;
}

static double vortex_u(double x, double y, double z)
{
    return 0 * z - (y - N / 2.0) * exp(-vortex_r2(x, y)) * 10; /* m/s: the full strength acts */
}

static double vortex_v(double x, double y, double z)
{
    return 0 * z + (x - N / 2.0) * exp(-vortex_r2(x, y)) * 10;
}

/* N x omega against its definition, in double precision, at every cell of a Gaussian vortex: the
 * force must be tangential there and spin it up. */
static void confinement_spins_a_vortex_up(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_OPEN);
    def.params.vorticity = 5;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, vortex_u);
    fill_faces(sim, 1, vortex_v);
    double before = 0, after = 0;
    for (int pass = 0; pass < 2; pass++) {
        double spin = 0;
        for (int j = 8; j < 16; j++)
            for (int i = 8; i < 16; i++)
                spin += (i + 0.5 - N / 2.0) * (double)at(sim, sim->velocity[1], i, j, 9) -
                        (j + 0.5 - N / 2.0) * (double)at(sim, sim->velocity[0], i, j, 9);
        *(pass == 0 ? &before : &after) = spin;
        if (pass == 0)
            forces_apply(sim, 0.02, 1);
    }
    assert_true(after > 1.02 * before && before > 0);
    /* Tangential: on the vortex's horizontal diameter, no force along x. */
    double u = ((double)at(sim, sim->velocity[0], 14, 11, 9) +
                (double)at(sim, sim->velocity[0], 14, 12, 9)) /
               2;
    assert_below(fabs(u), 1e-6);
    billow_destroy(sim);
}

/* Speeds of a parallel flow along x, m/s: a parabola across y. */
#define PARABOLA 1.0 /* fast enough for the full strength */

static double parabola_u(double x, double y, double z)
{
    return PARABOLA * y * y + 0 * (x + z);
}

/* The strength of confinement in closed form. With u = c y^2, y in cells, omega = -2 c y / h along
 * z and N points along y, so that f = eps h (N x omega) = -2 eps c y along x. Central differences
 * are exact for a parabola; CONFINEMENT_GUARD makes N a little shorter than 1. */
static void confinement_is_as_strong_as_it_says(void **state)
{
    (void)state;
    const double strength = 5, dt = 0.02;
    for (int size = 1; size <= 2; size++) { /* the cell size drops out */
        BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
        def.cell_size *= (float)size;
        def.params.vorticity = (float)strength;
        BillowSim *sim = make(&def);
        fill_faces(sim, 0, parabola_u);
        forces_apply(sim, dt, 1);
        for (int j = 2; j < N - 2; j++) {
            double y = j + 0.5, slope = 4, guard = (double)CONFINEMENT_GUARD * 2 * y;
            double wanted = -2 * strength * PARABOLA * y * dt * slope / (slope + guard);
            double got = (double)at(sim, sim->velocity[0], 9, j, 9) - parabola_u(0, y, 0);
            assert_below(fabs(got / wanted - 1), 1e-3);
        }
        billow_destroy(sim);
    }
}

/* Confinement does not move the eddy: in a flow with point symmetry the forces cancel. */
static void confinement_of_a_vortex_adds_no_momentum(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, N, BILLOW_CLOSED);
    def.params.vorticity = 5;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, vortex_u);
    fill_faces(sim, 1, vortex_v);
    forces_apply(sim, 0.02, 1);
    double net[2] = {0, 0}, all = 0;
    for (int axis = 0; axis < 2; axis++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N + axis; j++)
                for (int i = 0; i < N + 1 - axis; i++) {
                    double u = (double)at(sim, sim->velocity[axis], i, j, k);
                    net[axis] += u;
                    all += fabs(u);
                }
    assert_true(all > 0);
    assert_below(fabs(net[0]), 1e-6 * all);
    assert_below(fabs(net[1]), 1e-6 * all);
    billow_destroy(sim);
}

/* The plain twin, cell by cell as the equations stand, each force in a pass of its own. */

static int within(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* Twice the velocity at a cell's centre; beyond a wall the last cell's. */
static float twice(const BillowSim *sim, int axis, int i, int j, int k)
{
    const Grid *grid = &sim->grid;
    const ptrdiff_t strides[3] = {1, grid->stride_y, grid->stride_z};
    ptrdiff_t cell = grid_row(grid, within(j, grid->ny), within(k, grid->nz)) + within(i, grid->nx);
    return sim->velocity[axis][cell] + sim->velocity[axis][cell + strides[axis]];
}

/* Scratch memory for the curl and its length, which is free between stages. */
static float **curl_of(BillowSim *sim)
{
    return sim->scratch.fields + scratch_view(SCRATCH_CONFINEMENT).first;
}

static float *length_of(BillowSim *sim)
{
    return sim->scratch.fields[scratch_view(SCRATCH_CURL_LENGTH).first];
}

static void plain_curl(BillowSim *sim, int i, int j, int k)
{
    float scale = 0.25f / sim->def.cell_size;
    float wy = twice(sim, 2, i, j + 1, k) - twice(sim, 2, i, j - 1, k);
    float vz = twice(sim, 1, i, j, k + 1) - twice(sim, 1, i, j, k - 1);
    float uz = twice(sim, 0, i, j, k + 1) - twice(sim, 0, i, j, k - 1);
    float wx = twice(sim, 2, i + 1, j, k) - twice(sim, 2, i - 1, j, k);
    float vx = twice(sim, 1, i + 1, j, k) - twice(sim, 1, i - 1, j, k);
    float uy = twice(sim, 0, i, j + 1, k) - twice(sim, 0, i, j - 1, k);
    ptrdiff_t cell = grid_row(&sim->grid, j, k) + i;
    float x = scale * (wy - vz), y = scale * (uz - wx), z = scale * (vx - uy);
    float u = twice(sim, 0, i, j, k), v = twice(sim, 1, i, j, k), w = twice(sim, 2, i, j, k);
    float rise = CONFINEMENT_SHARE / (sim->def.cell_size * sim->def.params.vorticity);
    float share = 0.5f * rise * sqrtf(u * u + v * v + w * w);
    share = share < 1.0f ? share : 1.0f;
    curl_of(sim)[0][cell] = share * x;
    curl_of(sim)[1][cell] = share * y;
    curl_of(sim)[2][cell] = share * z;
    length_of(sim)[cell] = sqrtf(x * x + y * y + z * z);
}

static void plain_force(BillowSim *sim, float strength, int i, int j, int k)
{
    const Grid *grid = &sim->grid;
    const int n[3] = {grid->nx, grid->ny, grid->nz}, cell[3] = {i, j, k};
    float g[3];
    for (int axis = 0; axis < 3; axis++) {
        int low[3] = {i, j, k}, high[3] = {i, j, k};
        low[axis] = within(cell[axis] - 1, n[axis]);
        high[axis] = within(cell[axis] + 1, n[axis]);
        g[axis] = at(sim, length_of(sim), high[0], high[1], high[2]) -
                  at(sim, length_of(sim), low[0], low[1], low[2]);
    }
    ptrdiff_t here = grid_row(grid, j, k) + i;
    float size = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    float factor = strength / (size + CONFINEMENT_GUARD * length_of(sim)[here] + 1e-30f);
    float x = curl_of(sim)[0][here], y = curl_of(sim)[1][here], z = curl_of(sim)[2][here];
    curl_of(sim)[0][here] = factor * (g[1] * z - g[2] * y);
    curl_of(sim)[1][here] = factor * (g[2] * x - g[0] * z);
    curl_of(sim)[2][here] = factor * (g[0] * y - g[1] * x);
}

static void plain_push(BillowSim *sim, int axis, int i, int j, int k)
{
    const ptrdiff_t strides[3] = {1, sim->grid.stride_y, sim->grid.stride_z};
    const int cell[3] = {i, j, k};
    const float *f = curl_of(sim)[axis] + grid_row(&sim->grid, j, k) + i;
    if (cell[axis] > 0)
        sim->velocity[axis][grid_row(&sim->grid, j, k) + i] += 0.5f * (f[0] + f[-strides[axis]]);
}

static void plain_lift(BillowSim *sim, float dt, int i, int j, int k)
{
    int ny = sim->grid.ny;
    if ((j == 0 && sim->def.faces[BILLOW_FLOOR] == BILLOW_CLOSED) ||
        (j == ny && sim->def.faces[BILLOW_CEILING] == BILLOW_CLOSED))
        return;
    int above = within(j, ny), below = within(j - 1, ny);
    float lift = 0.5f * dt * sim->def.params.buoyancy, sink = 0.5f * dt * sim->def.params.weight;
    sim->velocity[1][grid_row(&sim->grid, j, k) + i] +=
        lift * (at(sim, sim->temperature, i, above, k) + at(sim, sim->temperature, i, below, k)) -
        sink * (at(sim, sim->density, i, above, k) + at(sim, sim->density, i, below, k));
}

static void plain_forces(BillowSim *sim, float dt)
{
    const BillowParams *params = &sim->def.params;
    const Grid *grid = &sim->grid;
    int cells = grid->nx * grid->ny * grid->nz;
    for (int pass = 0; pass < 3 && params->vorticity > 0; pass++)
        for (int c = 0; c < cells; c++) {
            int i = c % grid->nx, j = c / grid->nx % grid->ny, k = c / grid->nx / grid->ny;
            if (pass == 0)
                plain_curl(sim, i, j, k);
            if (pass == 1)
                plain_force(sim, params->vorticity * sim->def.cell_size * dt, i, j, k);
            for (int axis = 0; axis < 3 && pass == 2; axis++)
                plain_push(sim, axis, i, j, k);
        }
    if (params->buoyancy != 0 || params->weight != 0)
        for (int k = 0; k < grid->nz; k++)
            for (int j = 0; j <= grid->ny; j++)
                for (int i = 0; i < grid->nx; i++)
                    plain_lift(sim, dt, i, j, k);
}

static void scatter_fields(BillowSim *sim)
{
    unsigned seed = 5;
    const Grid *grid = &sim->grid;
    float *const fields[] = {sim->velocity[0], sim->velocity[1], sim->velocity[2], sim->density,
                             sim->temperature};
    for (int f = 0; f < 5; f++)
        for (int k = 0; k < grid->nz + (f == 2); k++)
            for (int j = 0; j < grid->ny + (f == 1); j++)
                for (int i = 0; i < grid->nx + (f == 0); i++)
                    fields[f][grid_row(grid, j, k) + i] = (float)scatter(&seed);
}

/* All of a field's memory, with the ghosts that must stay 0. */
static void assert_same_field(const Grid *grid, const float *a, const float *b)
{
    ptrdiff_t lead = grid->stride_z + grid->stride_y;
    assert_memory_equal(a - lead, b - lead, grid->field_floats * sizeof(float));
}

static void assert_ghosts_are_zero(const Grid *grid, const float *field)
{
    double inside = 0, all = 0;
    for (int k = -1; k <= grid->nz; k++)
        for (int j = -1; j <= grid->ny; j++)
            for (int i = -1; i <= grid->nx; i++) {
                bool cell =
                    i >= 0 && j >= 0 && k >= 0 && i < grid->nx && j < grid->ny && k < grid->nz;
                double size = fabs((double)field[grid_row(grid, j, k) + i]);
                all += size;
                inside += cell ? size : 0;
            }
    assert_true(all == inside);
}

static void assert_forces_are_plain(const BillowDef *def, const Kernels *kernels,
                                    const BillowSim *plain)
{
    BillowSim *sim = make(def);
    sim->kernels = kernels;
    scatter_fields(sim);
    forces_apply(sim, 0.125, 1);
    for (int axis = 0; axis < 3; axis++) {
        assert_same_field(&sim->grid, sim->velocity[axis], plain->velocity[axis]);
        assert_ghosts_are_zero(&sim->grid, curl_of(sim)[axis]);
    }
    assert_ghosts_are_zero(&sim->grid, length_of(sim));
    billow_destroy(sim);
}

static void forces_equal_their_plain_twin_to_the_bit(void **state)
{
    (void)state;
    const int grids[][3] = {{8, 8, 8}, {16, 11, 9}, {33, 20, 17}, {19, 9, 41}, {64, 8, 24}};
    const int threads[] = {1, 2, 3, 5, 8};
    const float forces[][3] = {{6, 0.03f, 0.2f}, {6, 0, 0}, {0, 0.03f, 0}, {0, 0, 0.2f}, {0, 0, 0}};
    for (int g = 0; g < 5; g++)
        for (int f = 0; f < 5; f++) {
            const int *n = grids[g];
            BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_CLOSED);
            def.faces[BILLOW_CEILING] = g % 2 == 0 ? BILLOW_OPEN : BILLOW_CLOSED;
            def.faces[BILLOW_FLOOR] = g % 3 == 0 ? BILLOW_OPEN : BILLOW_CLOSED;
            def.params.vorticity = forces[f][0];
            def.params.buoyancy = forces[f][1];
            def.params.weight = forces[f][2];
            BillowSim *plain = make(&def);
            scatter_fields(plain);
            plain_forces(plain, 0.125f);
            for (int t = 0; t < 5; t++)
                for (int table = 0; kernels_at(table) != NULL; table++) {
                    const Kernels *kernels = kernels_find(kernels_at(table)->name);
                    def.threads = threads[t];
                    if (kernels != NULL)
                        assert_forces_are_plain(&def, kernels, plain);
                }
            billow_destroy(plain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ambient_air_feels_nothing),
        cmocka_unit_test(buoyancy_is_what_it_says),
        cmocka_unit_test(buoyancy_lifts_open_faces_too),
        cmocka_unit_test(confinement_spares_solid_rotation),
        cmocka_unit_test(confinement_spins_a_vortex_up),
        cmocka_unit_test(confinement_is_as_strong_as_it_says),
        cmocka_unit_test(confinement_of_a_vortex_adds_no_momentum),
        cmocka_unit_test(forces_equal_their_plain_twin_to_the_bit),
    };
    return cmocka_run_group_tests_name("forces", tests, NULL, NULL);
}
