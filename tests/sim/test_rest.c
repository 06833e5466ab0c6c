/* SPDX-License-Identifier: MIT
 * Texture coordinates that are advected with the fluid. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "sanitized.h"
#include "sim/fields/field_table.h"

static const double step = 1.0 / 64;

static BillowDef rest_def(int n, BillowFace faces, float period, BillowAdvection advection)
{
    BillowDef def = quiet_def(n, n, n, faces);
    def.texture_period = period;
    def.params.advection = advection;
    return def;
}

/* Largest distance of a set's values along an axis from one value. */
static double off(const BillowSim *sim, int set, int axis, double value)
{
    double worst = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            for (int i = 0; i < sim->grid.nx; i++)
                worst =
                    fmax(worst, fabs((double)at(sim, sim->texture[set][axis], i, j, k) - value));
    return worst;
}

static void still_fluid_keeps_them(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = rest_def(16, BILLOW_OPEN, 0.5f, (BillowAdvection)advection);
        BillowSim *sim = make(&def);
        for (int s = 0; s < 50; s++) {
            billow_step(sim, step);
            for (int part = 0; part < 6; part++)
                assert_true(off(sim, part / 3, part % 3, 0) == 0);
        }
        billow_destroy(sim);
    }
}

static double drift(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.3;
}

static double back_drift(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return -0.2;
}

/* At time t after its reset, a set of coordinates is displaced by u t everywhere: in a periodic
 * box, and in a wind tunnel with inflow. */
static void uniform_flow_shifts_them(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        bool tunnel = run >= 2;
        BillowDef def = rest_def(16, BILLOW_PERIODIC, 0.5f, (BillowAdvection)(run & 1));
        if (tunnel) {
            def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
            def.boundaries[BILLOW_LEFT].velocity[0] = 0.3f;
            def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
        }
        BillowSim *sim = make(&def);
        billow_fields(sim);
        fill_faces(sim, 0, drift);
        if (!tunnel)
            fill_faces(sim, 2, back_drift);
        for (int s = 1; s <= 80; s++) {
            billow_step(sim, step);
            for (int set = 0; set < 2; set++) {
                double since = fmod(s * step + 0.25 * set, 0.5);
                since = since < s * step ? since : s * step;
                double tolerance = tunnel ? 2e-4 : 2e-7;
                assert_below(off(sim, set, 0, 0.3 * since), tolerance);
                assert_below(off(sim, set, 1, 0), tolerance);
                assert_below(off(sim, set, 2, tunnel ? 0 : -0.2 * since), tolerance);
            }
        }
        billow_destroy(sim);
    }
}

/* They add up to 1, change little from step to step, and a set is shown by nothing before and after
 * it begins anew, wherever that falls in a step. */
static void weights_hide_beginnings(void **state)
{
    (void)state;
    const float periods[] = {0.5f, 0.71f, 1.3f};
    for (int p = 0; p < 3; p++) {
        BillowDef def = rest_def(8, BILLOW_PERIODIC, periods[p], BILLOW_SEMI_LAGRANGIAN);
        BillowSim *sim = make(&def);
        billow_fields(sim);
        fill_faces(sim, 0, drift);
        float before[2];
        float last[2] = {0, 0};
        int begun[2] = {0, 0};
        double most[2] = {0, 0};
        texture_weigh(sim, before);
        for (int s = 0; s < 200; s++) {
            billow_step(sim, step);
            BillowView view = billow_view(sim);
            assert_below(fabs((double)(view.texture_weight[0] + view.texture_weight[1]) - 1), 1e-6);
            for (int set = 0; set < 2; set++) {
                double weight = (double)view.texture_weight[set];
                assert_true(weight >= 0);
                assert_below(fabs(weight - (double)before[set]),
                             1.5 * step / (0.5 * 0.75 * (double)periods[p]) + 1e-6);
                most[set] = fmax(most[set], weight);
                float moved = at(sim, view.texture[set][0], 3, 4, 5);
                if (moved < last[set]) {
                    assert_true(moved == 0);
                    assert_true(weight == 0 && before[set] == 0);
                    begun[set]++;
                }
                last[set] = moved;
                before[set] = view.texture_weight[set];
            }
        }
        for (int set = 0; set < 2; set++) {
            assert_int_equal(begun[set], (int)floor(200 * step / (double)periods[p] + 0.5 * set));
            assert_true(most[set] == 1);
        }
        billow_destroy(sim);
    }
}

/* One turn in two seconds around the middle of 32 x 32 cells. */
static double turn_x(double x, double y, double z)
{
    (void)x, (void)z;
    return -PI * (y - 16) / 64;
}

static double turn_y(double x, double y, double z)
{
    (void)y, (void)z;
    return PI * (x - 16) / 64;
}

/* An eighth of a turn carries them round. */
static void turning_fluid_turns_them(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = rest_def(32, BILLOW_CLOSED, 100, (BillowAdvection)advection);
        BillowSim *sim = make(&def);
        fill_faces(sim, 0, turn_x);
        fill_faces(sim, 1, turn_y);
        for (int s = 0; s < 16; s++)
            advect_scalars(sim, step);
        double angle = 16 * step * PI, worst = 0;
        for (int j = 0; j < 32; j++)
            for (int i = 0; i < 32; i++) {
                double x = (i - 15.5) / 64, y = (j - 15.5) / 64;
                if (hypot(x, y) > 0.15)
                    continue;
                double was_x = x - (double)at(sim, sim->texture[0][0], i, j, 9),
                       was_y = y - (double)at(sim, sim->texture[0][1], i, j, 9);
                worst = fmax(worst, hypot(was_x - (cos(angle) * x + sin(angle) * y),
                                          was_y - (cos(angle) * y - sin(angle) * x)));
            }
        print_message("off by %.3f cells\n", 64 * worst);
        assert_below(64 * worst, 0.3);
        billow_destroy(sim);
    }
}

static BillowDef drifting_def(BillowAdvection advection)
{
    BillowDef def = busy_def(1);
    def.texture_period = 0.3f;
    def.params.advection = advection;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0.4f;
    def.solids[0].velocity[0] = 0.2f;
    return def;
}

static uint64_t drifting_hash(const BillowDef *def)
{
    return hash_of_run(def, 4, 1.0 / 30);
}

/* They are part of the state, finite, begin alike after a reset, and change nothing else; unasked
 * for they take no room. */
static void they_are_state(void **state)
{
    (void)state;
    for (int advection = 0; advection <= (SANITIZED ? 0 : BILLOW_CONSERVATIVE); advection++) {
        BillowDef def = drifting_def((BillowAdvection)advection), plain = def;
        assert_one_hash_of(&def, drifting_hash);
        BillowSim *sim = run_of(&def, 12, 1.0 / 30);
        uint64_t hash = billow_state_hash(sim);
        sim->texture[1][2][grid_row(&sim->grid, 3, 4) + 5] += 1e-3f;
        assert_true(billow_state_hash(sim) != hash);
        billow_reset(sim);
        assert_true(off(sim, 1, 2, 0) == 0);
        for (int s = 0; s < 12; s++)
            billow_step(sim, 1.0 / 30);
        assert_int_equal(billow_state_hash(sim), hash);
        plain.texture_period = 0;
        BillowSim *without = run_of(&plain, 12, 1.0 / 30);
        assert_null(billow_view(without).texture[0][0]);
        assert_true(billow_view(without).texture_weight[1] == 0);
        assert_true(billow_bytes(without) + 6 * 4 * 25 * 38 * 21 < billow_bytes(sim));
        for (int k = 0; k < sim->grid.nz; k++)
            for (int j = 0; j < sim->grid.ny; j++)
                assert_memory_equal(sim->density + grid_row(&sim->grid, j, k),
                                    without->density + grid_row(&sim->grid, j, k),
                                    (size_t)sim->grid.nx * sizeof(float));
        billow_destroy(without);
        billow_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_fluid_keeps_them),  cmocka_unit_test(uniform_flow_shifts_them),
        cmocka_unit_test(weights_hide_beginnings), cmocka_unit_test(turning_fluid_turns_them),
        cmocka_unit_test(they_are_state),
    };
    return cmocka_run_group_tests_name("rest", tests, NULL, NULL);
}
