/* SPDX-License-Identifier: MIT
 * Sampling and advection. */
#include "sim_fixture.h"

enum { NX = 24, NY = 19, NZ = 16 };

static double zero(double x, double y, double z)
{
    return 0 * (x + y + z);
}

static double speckle(double x, double y, double z)
{
    unsigned state = (unsigned)(x * 2 + 74 * y + 2018 * z);
    scatter(&state);
    return 0.5 + 0.5 * scatter(&state);
}

static double linear(double x, double y, double z)
{
    return 0.25 + 0.5 * x - 0.125 * y + 0.75 * z;
}

static double seven(double x, double y, double z)
{
    return zero(x, y, z) + 0.7;
}

/* Velocity that carries everything by whole cells in dt = 1/64 s: exact in binary. */
static double shift_cells[3];

static double shift_x(double x, double y, double z)
{
    return zero(x, y, z) + shift_cells[0];
}

static double shift_y(double x, double y, double z)
{
    return zero(x, y, z) + shift_cells[1];
}

static double shift_z(double x, double y, double z)
{
    return zero(x, y, z) + shift_cells[2];
}

static const double dt = 1.0 / 64; /* with h = 1/64 a speed of n m/s is n cells a step */

static BillowSim *uniform_flow(BillowFace faces, double x, double y, double z)
{
    BillowDef def = quiet_def(NX, NY, NZ, faces);
    BillowSim *sim = make(&def);
    shift_cells[0] = x;
    shift_cells[1] = y;
    shift_cells[2] = z;
    fill_faces(sim, 0, shift_x);
    fill_faces(sim, 1, shift_y);
    fill_faces(sim, 2, shift_z);
    return sim;
}

static void zero_velocity_is_identity(void **state)
{
    (void)state;
    for (int faces = BILLOW_CLOSED; faces <= BILLOW_OPEN; faces++) {
        BillowSim *sim = uniform_flow((BillowFace)faces, 0, 0, 0);
        fill_cells(sim, sim->density, speckle);
        fill_cells(sim, sim->temperature, linear);
        advect_scalars(sim, dt);
        for (int k = 0; k < NZ; k++)
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    float was = (float)speckle(i + 0.5, j + 0.5, k + 0.5);
                    float heat = (float)linear(i + 0.5, j + 0.5, k + 0.5);
                    assert_true(at(sim, sim->density, i, j, k) == was);
                    assert_true(at(sim, sim->temperature, i, j, k) == heat);
                }
        billow_destroy(sim);
    }
}

static void whole_cell_shift_is_exact(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_OPEN, 3, -2, 1);
    fill_cells(sim, sim->density, speckle);
    advect_scalars(sim, dt);
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                int si = i - 3, sj = j + 2, sk = k - 1;
                bool inside = si >= 0 && sj < NY && sk >= 0;
                float expected = inside ? (float)speckle(si + 0.5, sj + 0.5, sk + 0.5) : 0;
                if (at(sim, sim->density, i, j, k) != expected)
                    fail_msg("(%d,%d,%d): %.9g, expected %.9g", i, j, k,
                             (double)at(sim, sim->density, i, j, k), (double)expected);
            }
    billow_destroy(sim);
}

static void constant_stays_constant(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_CLOSED, 0, 0, 0);
    unsigned seed = 5;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < NZ + (axis == 2); k++)
            for (int j = 0; j < NY + (axis == 1); j++)
                for (int i = 0; i < NX + (axis == 0); i++)
                    sim->velocity[axis][grid_row(&sim->grid, j, k) + i] = (float)scatter(&seed) * 9;
    fill_cells(sim, sim->density, seven);
    advect_scalars(sim, dt);
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                assert_true(at(sim, sim->density, i, j, k) == 0.7f);
    billow_destroy(sim);
}

/* Trilinear interpolation is exact for linear functions: a fractional shift of one gives the
 * shifted function, to rounding, wherever the walls are far. */
static void linear_is_reproduced(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_CLOSED, 0.3, -0.6, 1.7);
    fill_cells(sim, sim->temperature, linear);
    advect_scalars(sim, dt);
    for (int k = 3; k < NZ - 3; k++)
        for (int j = 3; j < NY - 3; j++)
            for (int i = 3; i < NX - 3; i++) {
                double expected = linear(i + 0.5 - 0.3, j + 0.5 + 0.6, k + 0.5 - 1.7);
                assert_below(fabs((double)at(sim, sim->temperature, i, j, k) - expected), 2e-5);
            }
    billow_destroy(sim);
}

static void no_new_extrema(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_CLOSED, 0, 0, 0);
    fill_faces(sim, 0, speckle);
    fill_faces(sim, 1, speckle);
    fill_faces(sim, 2, speckle);
    fill_cells(sim, sim->density, speckle);
    double max = largest(sim, sim->density, (const int[3]){NX, NY, NZ});
    for (int step = 0; step < 10; step++)
        advect_scalars(sim, 5 * dt);
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                assert_true(at(sim, sim->density, i, j, k) >= 0);
                assert_below((double)at(sim, sim->density, i, j, k), max * (1 + 1e-6));
            }
    billow_destroy(sim);
}

/* Rotation about the box's middle as a velocity; the midpoint rule turns a point by the right angle
 * to second order, Euler's to first: measured through the displacement itself. */
static double turn_u(double x, double y, double z)
{
    (void)x;
    return 0 * z - (y - NY / 2.0);
}

static double turn_v(double x, double y, double z)
{
    (void)y;
    return 0 * z + (x - NX / 2.0);
}

static void backtrace_is_second_order(void **state)
{
    (void)state;
    double errors[2];
    for (int s = 0; s < 2; s++) {
        double angle = s == 0 ? 0.2 : 0.1;
        BillowSim *sim = uniform_flow(BILLOW_OPEN, 0, 0, 0);
        fill_faces(sim, 0, turn_u);
        fill_faces(sim, 1, turn_v);
        advect_scalars(sim, angle * (double)sim->def.cell_size); /* leaves d */
        int i = NX / 2 + 5, j = NY / 2;
        double x = i + 0.5 - NX / 2.0, y = j + 0.5 - NY / 2.0;
        double from_x = cos(angle) * x + sin(angle) * y, from_y = cos(angle) * y - sin(angle) * x;
        float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
        double dx = (double)at(sim, d[0], i, j, 8), dy = (double)at(sim, d[1], i, j, 8);
        errors[s] = hypot(x - dx - from_x, y - dy - from_y);
        billow_destroy(sim);
    }
    double order = log2(errors[0] / errors[1]) - 1; /* an error of one step: one order more */
    if (!(order > 1.8))
        fail_msg("order %.2f: errors %g and %g cells", order, errors[0], errors[1]);
}

/* Even air has moved by dt u, whatever the scheme. */
static void even_air_moves_by_velocity_times_time(void **state)
{
    (void)state;
    const double speed[3] = {0.4, -0.7, 0.3}; /* cells per step */
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
         advection++) {
        BillowSim *sim = uniform_flow(BILLOW_OPEN, speed[0], speed[1], speed[2]);
        sim->def.params.advection = (BillowAdvection)advection;
        displacement_drop(sim);
        advect_displace(sim, dt);
        float *const *d = scratch_use(&sim->scratch, SCRATCH_DISPLACEMENT);
        for (int k = 4; k < NZ - 4; k++)
            for (int j = 4; j < NY - 4; j++)
                for (int i = 4; i < NX - 4; i++)
                    for (int axis = 0; axis < 3; axis++) {
                        double moved = (double)at(sim, d[axis], i, j, k);
                        if (!(fabs(moved - speed[axis]) <= 1e-5))
                            fail_msg("scheme %d, cell (%d,%d,%d): %g along %d, not %g", advection,
                                     i, j, k, moved, axis, speed[axis]);
                    }
        billow_destroy(sim);
    }
}

/* Semi-Lagrangian advection with linear interpolation converges with the first order: a smooth bump
 * carried 4 cells of a coarse grid in steps of half a cell, against the same on a grid twice as
 * fine. */
static int bump_cells;
static double bump_shift;

static double bump(double x, double y, double z)
{
    double s = 2 * PI * (x - bump_shift) / bump_cells;
    return 2 + sin(s) + 0 * (y + z);
}

static double bump_error(int cells)
{
    BillowDef def = quiet_def(cells, 8, 8, BILLOW_CLOSED);
    BillowSim *sim = make(&def);
    bump_cells = cells;
    bump_shift = 0;
    shift_cells[0] = 0.5;
    fill_faces(sim, 0, shift_x);
    fill_cells(sim, sim->density, bump);
    int steps = cells / 4;
    for (int s = 0; s < steps; s++)
        advect_scalars(sim, dt);
    bump_shift = 0.5 * steps;
    double error = 0;
    for (int i = cells / 2; i < cells * 3 / 4; i++) /* away from the walls' reach */
        error = fmax(error, fabs((double)at(sim, sim->density, i, 4, 4) - bump(i + 0.5, 4.5, 4.5)));
    billow_destroy(sim);
    return error;
}

static void advection_is_first_order(void **state)
{
    (void)state;
    double coarse = bump_error(64), fine = bump_error(128), order = log2(coarse / fine);
    if (!(order > 0.85 && order < 1.3))
        fail_msg("order %.2f: errors %g and %g", order, coarse, fine);
}

static void open_face_lets_mass_out(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_OPEN, 2, 0, 0);
    fill_cells(sim, sim->density, seven);
    for (int step = 0; step < NX / 2; step++)
        advect_scalars(sim, dt);
    assert_true(largest(sim, sim->density, (const int[3]){NX, NY, NZ}) == 0);
    billow_destroy(sim);
}

static double not_a_number(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return NAN;
}

static int count_nan(const BillowSim *sim, const float *field, const int n[3])
{
    int count = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++)
                count += isnan(at(sim, field, i, j, k)) ? 1 : 0;
    return count;
}

static double inwards(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return -3.0 / 64; /* three cells a second, in through right, ceiling and front */
}

/* Samples beyond the last open face of a box must not touch the field behind it in memory,
 * whichever buffer holds which field. */
static void only_its_own_field_is_read(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE_SMOOTH;
         advection++) {
        BillowDef def = quiet_def(17, 12, 14, BILLOW_OPEN);
        def.params.advection = (BillowAdvection)advection;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 5; s++) {
            const int cells[3] = {17, 12, 14};
            float *const others[] = {sim->density, sim->temperature, sim->scratch.fields[3],
                                     sim->scratch.fields[4]};
            for (size_t o = 0; o < sizeof others / sizeof others[0]; o++)
                fill_cells(sim, others[o], not_a_number);
            for (int axis = 0; axis < 3; axis++)
                fill_faces(sim, axis, inwards);
            displacement_drop(sim);
            advect_displace(sim, 1);
            advect_velocity(sim, 1);
            for (int axis = 0; axis < 3; axis++)
                assert_int_equal(count_nan(sim, sim->velocity[axis], cells), 0);
        }
        billow_destroy(sim);
    }
}

static void decay_is_exponential(void **state)
{
    (void)state;
    BillowSim *sim = uniform_flow(BILLOW_CLOSED, 0, 0, 0);
    sim->def.params.dissipation = 2;
    sim->def.params.cooling = 3;
    fill_cells(sim, sim->density, seven);
    fill_cells(sim, sim->temperature, seven);
    for (int step = 0; step < 64; step++)
        advect_scalars(sim, dt);
    assert_below(fabs((double)at(sim, sim->density, 5, 5, 5) - 0.7 * exp(-2)), 1e-5);
    assert_below(fabs((double)at(sim, sim->temperature, 5, 5, 5) - 0.7 * exp(-3)), 1e-5);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_velocity_is_identity),
        cmocka_unit_test(whole_cell_shift_is_exact),
        cmocka_unit_test(constant_stays_constant),
        cmocka_unit_test(linear_is_reproduced),
        cmocka_unit_test(no_new_extrema),
        cmocka_unit_test(backtrace_is_second_order),
        cmocka_unit_test(even_air_moves_by_velocity_times_time),
        cmocka_unit_test(advection_is_first_order),
        cmocka_unit_test(open_face_lets_mass_out),
        cmocka_unit_test(only_its_own_field_is_read),
        cmocka_unit_test(decay_is_exponential),
    };
    return cmocka_run_group_tests_name("advection", tests, NULL, NULL);
}
