/* SPDX-License-Identifier: MIT
 * Disturbance and shredding. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

static double same_density; /* that fill_smoke gives every cell */

static double even(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return same_density;
}

/* A box at rest, filled with smoke of one density. */
static BillowSim *smoky(const BillowDef *def, double density)
{
    BillowSim *sim = make(def);
    same_density = density;
    fill_cells(sim, sim->density, even);
    return sim;
}

static BillowDef disturbed_def(int nx, int ny, int nz, float strength)
{
    BillowDef def = quiet_def(nx, ny, nz, BILLOW_OPEN);
    def.params.disturbance = strength;
    def.params.disturbance_size = 0.13f;
    return def;
}

/* Mean square of the velocity's components over the inner faces. */
static double mean_square(const BillowSim *sim)
{
    double sum = 0;
    int count = 0;
    for (int k = 1; k < sim->grid.nz; k++)
        for (int j = 1; j < sim->grid.ny; j++)
            for (int i = 1; i < sim->grid.nx; i++, count += 3)
                for (int axis = 0; axis < 3; axis++)
                    sum += pow((double)at(sim, sim->velocity[axis], i, j, k), 2);
    return sum / count;
}

static double mean_square_over_times(const BillowDef *def, double density)
{
    double sum = 0;
    for (int t = 0; t < 12; t++) {
        BillowSim *sim = smoky(def, density);
        sim->time = 5.3 * t;
        breakup_apply(sim, 0.5, 1);
        sum += mean_square(sim) / 12;
        billow_destroy(sim);
    }
    return sum;
}

/* strength * dt along each axis, in still smoke that is dense enough; less in thin smoke. */
static void disturbance_has_its_strength(void **state)
{
    (void)state;
    BillowDef def = disturbed_def(96, 88, 80, 3);
    def.params.disturbance_density = 0.2f;
    double full = sqrt(mean_square_over_times(&def, 0.7));
    assert_below(fabs(full / 1.5 - 1), 0.04);
    assert_below(fabs(sqrt(mean_square_over_times(&def, 0.05)) / full - 0.25), 1e-3);
}

static double block(double x, double y, double z)
{
    return x > 10 && x < 20 && y > 8 && y < 16 && z > 6 && z < 18 ? 1 : 0;
}

static bool in_block(int i, int j, int k)
{
    return block(i + 0.5, j + 0.5, k + 0.5) > 0;
}

/* Only faces of cells that hold smoke are pushed. */
static void clear_air_is_left_alone(void **state)
{
    (void)state;
    BillowDef def = disturbed_def(32, 24, 28, 3);
    BillowSim *sim = make(&def);
    fill_cells(sim, sim->density, block);
    breakup_apply(sim, 0.1, 1);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 1; k < 28; k++)
            for (int j = 1; j < 24; j++)
                for (int i = 1; i < 32; i++) {
                    bool smoky_face = in_block(i, j, k) ||
                                      in_block(i - (axis == 0), j - (axis == 1), k - (axis == 2));
                    assert_true((at(sim, sim->velocity[axis], i, j, k) != 0) == smoky_face);
                }
    billow_destroy(sim);
}

static double turn_rate; /* angular velocity around z, rad/s, of the two functions below */

static double turning_u(double x, double y, double z)
{
    (void)x, (void)z;
    return -turn_rate * (y - 16) / 64;
}

static double turning_v(double x, double y, double z)
{
    (void)y, (void)z;
    return turn_rate * (x - 16) / 64;
}

/* In solid rotation |curl| = 2 turn_rate everywhere. */
static void disturbance_fades_in_eddies(void **state)
{
    (void)state;
    BillowDef def = disturbed_def(32, 32, 32, 5);
    BillowSim *still = smoky(&def, 1), *turning = smoky(&def, 1);
    turn_rate = 4;
    fill_faces(turning, 0, turning_u);
    fill_faces(turning, 1, turning_v);
    breakup_apply(still, 0.01, 1);
    breakup_apply(turning, 0.01, 1);
    double share = 5 / (5 + (double)def.params.disturbance_size * 64);
    for (int n = 4; n < 28; n++) {
        double push = (double)at(still, still->velocity[0], n, 9, 12);
        double found = (double)at(turning, turning->velocity[0], n, 9, 12) - turning_u(n, 9.5, 0);
        assert_below(fabs(found - share * push), 2e-6);
    }
    billow_destroy(still);
    billow_destroy(turning);
}

/* The same place has the same noise on a grid twice as fine, in a box that lies elsewhere. */
static void blocks_belong_to_places(void **state)
{
    (void)state;
    double found[2];
    for (int fine = 0; fine < 2; fine++) {
        BillowDef def = fine ? disturbed_def(96, 64, 64, 4) : disturbed_def(32, 32, 32, 4);
        def.cell_size = fine ? 1.0f / 64 : 1.0f / 32;
        def.origin[0] = fine ? -0.5f : 0;
        def.params.disturbance_size = 0.5f;
        BillowSim *sim = smoky(&def, 1);
        sim->time = 3;
        breakup_apply(sim, 0.2, 1);
        double sum = 0;
        for (int n = 0; n < 4; n++)
            sum += 0.25 * (double)(fine ? at(sim, sim->velocity[0], 64, 20 + n / 2, 30 + n % 2)
                                        : at(sim, sim->velocity[0], 16, 10, 15));
        found[fine] = sum;
        billow_destroy(sim);
    }
    assert_true(fabs(found[0]) > 0.05);
    assert_below(fabs(found[1] / found[0] - 1), 0.03);
}

/* The noise of one moment is not that of the next, nor is that of one axis that of another. */
static void blocks_change(void **state)
{
    (void)state;
    BillowDef def = disturbed_def(64, 64, 64, 4);
    BillowSim *first = smoky(&def, 1), *later = smoky(&def, 1);
    later->time = 2 / (double)def.params.disturbance_speed;
    breakup_apply(first, 0.2, 1);
    breakup_apply(later, 0.2, 1);
    double alike = 0, across = 0, square = 0;
    for (int k = 1; k < 63; k++)
        for (int j = 1; j < 63; j++)
            for (int i = 1; i < 63; i++) {
                double u = (double)at(first, first->velocity[0], i, j, k);
                alike += u * (double)at(later, later->velocity[0], i, j, k);
                across += u * (double)at(first, first->velocity[1], i, j, k);
                square += u * u;
            }
    assert_below(fabs(alike) / square, 0.2);
    assert_below(fabs(across) / square, 0.2);
    billow_destroy(first);
    billow_destroy(later);
}

/* -- shredding */

static double slope[3], flow[3][3]; /* grad T, K per cell; grad u, m/s per cell */

static double warm(double x, double y, double z)
{
    return 500 + slope[0] * x + slope[1] * y + slope[2] * z;
}

static double flow_along(int axis, double x, double y, double z)
{
    return flow[axis][0] * x + flow[axis][1] * y + flow[axis][2] * z;
}

static double flow_x(double x, double y, double z)
{
    return flow_along(0, x, y, z);
}

static double flow_y(double x, double y, double z)
{
    return flow_along(1, x, y, z);
}

static double flow_z(double x, double y, double z)
{
    return flow_along(2, x, y, z);
}

static BillowSim *sheared(const BillowDef *def)
{
    static Function *const flows[3] = {flow_x, flow_y, flow_z};
    BillowSim *sim = make(def);
    fill_cells(sim, sim->temperature, warm);
    for (int axis = 0; axis < 3; axis++)
        fill_faces(sim, axis, flows[axis]);
    return sim;
}

/* Differences of linear fields are exact: the impulse is S dt min(1, T/T_0) (N . G N) N. */
static void shredding_is_as_strong_as_it_says(void **state)
{
    (void)state;
    unsigned random = 5;
    for (int run = 0; run < 6; run++) {
        BillowDef def = quiet_def(20, 18, 16, BILLOW_OPEN);
        def.params.shredding = 0.4f;
        def.params.ignition = run % 2 == 0 ? 100 : 2000;
        double length = 0, rate = 0;
        for (int axis = 0; axis < 3; axis++) {
            slope[axis] = 5 * scatter(&random);
            length += slope[axis] * slope[axis];
            for (int other = 0; other < 3; other++)
                flow[axis][other] = 0.1 * scatter(&random);
        }
        length = sqrt(length);
        for (int axis = 0; axis < 3; axis++)
            for (int other = 0; other < 3; other++)
                rate += slope[axis] * flow[axis][other] * slope[other] / (length * length) * 64;
        BillowSim *sim = sheared(&def);
        const double dt = 0.004;
        breakup_apply(sim, dt, 1);
        for (int axis = 0; axis < 3; axis++) {
            const double offset[3] = {axis != 0, axis != 1, axis != 2};
            double x = 8 + 0.5 * offset[0], y = 7 + 0.5 * offset[1], z = 9 + 0.5 * offset[2];
            double hot = fmin(1, warm(x, y, z) / (double)def.params.ignition);
            double exact = 0.4 * dt * hot * rate * slope[axis] / length;
            double found =
                (double)at(sim, sim->velocity[axis], 8, 7, 9) - flow_along(axis, x, y, z);
            /* the guard of the direction weakens it */
            double guard = 1 + (double)SHREDDING_GUARD * warm(x, y, z) / (2 * length);
            assert_below(fabs(found - exact / pow(guard, 3)), 3e-6);
            assert_true(fabs(exact) > 1e-5 || fabs(slope[axis]) < 1);
        }
        billow_destroy(sim);
    }
}

static double hot_side(double x, double y, double z)
{
    (void)y, (void)z;
    return 300 + 20 * x;
}

static double wave(double x, double y, double z)
{
    (void)y, (void)z;
    return sin(2 * PI * x / 32);
}

/* Along a constant gradient the profile of the speed moves towards cold gas by S dt, and by a
 * quarter of a cell at most. */
static void shredding_moves_profiles_to_cold_gas(void **state)
{
    (void)state;
    const float speeds[2] = {0.5f, 500};
    const double cells[2] = {0.5 * 0.004 * 64, (double)SHREDDING_CELLS_MOST};
    for (int run = 0; run < 2; run++) {
        BillowDef def = quiet_def(64, 8, 8, BILLOW_OPEN);
        def.params.shredding = speeds[run];
        BillowSim *sim = make(&def);
        fill_cells(sim, sim->temperature, hot_side);
        fill_faces(sim, 0, wave);
        breakup_apply(sim, 0.004, 1);
        for (int i = 8; i < 56; i++)
            assert_below(
                fabs((double)at(sim, sim->velocity[0], i, 4, 4) - wave(i + cells[run], 0, 0)),
                0.012);
        billow_destroy(sim);
    }
}

/* Cold gas, gas of even temperature and gas that moves as a whole are left alone. */
static void shredding_needs_heat_and_stretching(void **state)
{
    (void)state;
    for (int run = 0; run < 3; run++) {
        BillowDef def = quiet_def(24, 24, 24, BILLOW_OPEN);
        def.params.shredding = 2;
        memset(slope, 0, sizeof slope);
        memset(flow, 0, sizeof flow);
        slope[0] = run == 0 ? -200 : run == 1 ? 0 : 30;
        flow[0][0] = run == 2 ? 0 : 0.2;
        BillowSim *sim = sheared(&def);
        breakup_apply(sim, 0.01, 1);
        for (int i = 6; i < 20; i++) /* with a slope of -200, cells above 2.5 are below 0 K */
            assert_true(at(sim, sim->velocity[0], i, 9, 9) == (float)flow_x(i, 9.5, 9.5));
        billow_destroy(sim);
    }
}

/* -- both */

static void walls_stay_at_rest(void **state)
{
    (void)state;
    BillowDef def = disturbed_def(32, 32, 32, 5);
    for (int side = 0; side < BILLOW_SIDES; side++)
        def.faces[side] = BILLOW_CLOSED;
    BillowSim *sim = smoky(&def, 1);
    breakup_apply(sim, 0.1, 1);
    for (int n = 0; n < 32; n++)
        for (int end = 0; end <= 32; end += 32) {
            assert_true(at(sim, sim->velocity[0], end, n, n) == 0);
            assert_true(at(sim, sim->velocity[1], n, end, n) == 0);
            assert_true(at(sim, sim->velocity[2], n, n, end) == 0);
            assert_true(at(sim, sim->velocity[0], 8, n, n) != 0);
        }
    billow_destroy(sim);
}

static double everywhere(double x, double y, double z)
{
    return 400 + 300 * sin(0.4 * x + 0.5 * y) * cos(0.3 * z);
}

/* A box that is periodic has no special place: fields shifted by whole cells give the same push. */
static void periodic_boxes_have_no_edge(void **state)
{
    (void)state;
    BillowDef def = quiet_def(16, 16, 16, BILLOW_PERIODIC);
    def.params.shredding = 1;
    BillowSim *sims[2];
    const int shift[3] = {5, 7, 3};
    for (int s = 0; s < 2; s++) {
        sims[s] = make(&def);
        const Grid *grid = &sims[s]->grid;
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < 16; j++)
                for (int i = 0; i < 16; i++) {
                    int x = (i + s * shift[0]) % 16, y = (j + s * shift[1]) % 16,
                        z = (k + s * shift[2]) % 16;
                    ptrdiff_t cell = grid_row(grid, j, k) + i;
                    sims[s]->temperature[cell] = (float)everywhere(x, y, z);
                    for (int axis = 0; axis < 3; axis++)
                        sims[s]->velocity[axis][cell] = (float)sin(x + 2 * y * axis + 3 * z);
                }
        boundaries_apply(sims[s]);
        breakup_apply(sims[s], 0.01, 1);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < 16; j++)
                for (int i = 0; i < 16; i++)
                    assert_true(at(sims[1], sims[1]->velocity[axis], i, j, k) ==
                                at(sims[0], sims[0]->velocity[axis], (i + shift[0]) % 16,
                                   (j + shift[1]) % 16, (k + shift[2]) % 16));
    billow_destroy(sims[0]);
    billow_destroy(sims[1]);
}

static void break_up(BillowDef *def)
{
    def->params.disturbance = 6;
    def->params.shredding = 1;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    assert_one_hash(break_up);
}

/* Energy of a plume after half a second. */
static double plume_energy(float disturbance, float speed)
{
    BillowDef def = busy_def(FEW_THREADS);
    def.params.disturbance = disturbance;
    def.params.disturbance_speed = speed;
    BillowSim *sim = run_of(&def, 20, 1.0 / 40);
    double energy = billow_stats(sim).kinetic_energy;
    billow_destroy(sim);
    return energy;
}

/* Without strength, the other values change no bit; energy grows with strength. */
static void energy_grows_with_strength(void **state)
{
    (void)state;
    double none = plume_energy(0, 4), weak = plume_energy(10, 4), strong = plume_energy(40, 4);
    assert_true(plume_energy(0, 9) == none);
    assert_true(weak > none * 1.01);
    assert_true(strong > weak * 1.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disturbance_has_its_strength),
        cmocka_unit_test(clear_air_is_left_alone),
        cmocka_unit_test(disturbance_fades_in_eddies),
        cmocka_unit_test(blocks_belong_to_places),
        cmocka_unit_test(blocks_change),
        cmocka_unit_test(shredding_is_as_strong_as_it_says),
        cmocka_unit_test(shredding_moves_profiles_to_cold_gas),
        cmocka_unit_test(shredding_needs_heat_and_stretching),
        cmocka_unit_test(walls_stay_at_rest),
        cmocka_unit_test(periodic_boxes_have_no_edge),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(energy_grows_with_strength),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
