/* SPDX-License-Identifier: MIT
 * The box's faces: what they let through, hold and drag along. */
#include "sim_fixture.h"

#include "border.h"

enum { N = 24 };

/* A channel along x: fluid enters on the left and leaves on the right. */
static BillowDef channel_def(BillowInflowProfile profile)
{
    BillowDef def = quiet_def(N, 16, 12, BILLOW_CLOSED);
    def.faces[BILLOW_LEFT] = BILLOW_INFLOW;
    def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    def.borders[BILLOW_LEFT].velocity[0] = 0.75f;
    def.borders[BILLOW_LEFT].profile = profile;
    def.borders[BILLOW_LEFT].smoke = 2;
    def.borders[BILLOW_LEFT].heat = 30;
    def.params.tolerance = 1e-6f;
    def.params.cycles = 30;
    return def;
}

/* Through the faces at i. */
static double volume_flow(const BillowSim *sim, int i)
{
    double h = (double)sim->def.cell_size, sum = 0;
    for (int k = 0; k < sim->grid.nz; k++)
        for (int j = 0; j < sim->grid.ny; j++)
            sum += (double)at(sim, sim->velocity[0], i, j, k) * h * h;
    return sum;
}

static void inflow_carries_the_stated_volume(void **state)
{
    (void)state;
    for (int profile = BILLOW_UNIFORM; profile <= BILLOW_PARABOLIC; profile++) {
        BillowDef def = channel_def((BillowInflowProfile)profile);
        BillowSim *sim = make(&def);
        for (int s = 0; s < 5; s++)
            billow_step(sim, 1.0 / 60);
        double h = (double)def.cell_size, stated = 0.75 * 16 * 12 * h * h;
        stated *= profile == BILLOW_PARABOLIC ? 4.0 / 9 : 1;
        assert_below(fabs(border_flow(&def, BILLOW_LEFT) / stated - 1), 1e-12);
        assert_below(fabs(volume_flow(sim, 0) / stated - 1), 1e-6);
        for (int i = 1; i <= N; i++)
            assert_below(fabs(volume_flow(sim, i) / stated - 1), 1e-4);
        billow_destroy(sim);
    }
}

/* Uniform flow moves as a whole: what came in fills the first u t of the channel. */
static void inflow_brings_smoke_and_heat(void **state)
{
    (void)state;
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = channel_def(BILLOW_UNIFORM);
        def.params.advection = (BillowAdvection)advection;
        BillowSim *sim = make(&def);
        double h = (double)def.cell_size, dt = h / 0.75; /* a cell a step */
        for (int s = 0; s < 9; s++)
            billow_step(sim, dt);
        for (int i = 0; i < N; i++)
            assert_below(fabs((double)at(sim, sim->density, i, 7, 5) - (i < 9 ? 2 : 0)), 1e-2);
        assert_below(fabs(billow_stats(sim).mass / (2 * 9 * 16 * 12 * h * h * h) - 1), 1e-2);
        assert_below(fabs(billow_stats(sim).heat / (30 * 9 * 16 * 12 * h * h * h) - 1), 1e-2);
        for (int s = 0; s < 40; s++)
            billow_step(sim, dt);
        assert_below(fabs((double)at(sim, sim->density, N - 1, 7, 5) - 2), 1e-3);
        billow_destroy(sim);
    }
}

/* What leaves through an open face is gone. */
static void open_face_lets_mass_out(void **state)
{
    (void)state;
    BillowDef def = channel_def(BILLOW_UNIFORM);
    def.borders[BILLOW_LEFT].smoke = def.borders[BILLOW_LEFT].heat = 0;
    BillowSim *sim = make(&def);
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < 16; j++)
            for (int i = 8; i < 12; i++)
                sim->density[grid_row(&sim->grid, j, k) + i] = 1;
    double h = (double)def.cell_size, most = 16 * 12 * 4 * h * h * h;
    billow_step(sim, h / 0.75);
    assert_below(fabs(billow_stats(sim).mass / most - 1), 0.01);
    for (int s = 0; s < 40; s++)
        billow_step(sim, h / 0.75);
    assert_below(billow_stats(sim).mass, 1e-6 * most);
    billow_destroy(sim);
}

static void normal_velocity_is_zero_at_walls(void **state)
{
    (void)state;
    const BillowFace kinds[] = {BILLOW_CLOSED, BILLOW_NO_SLIP};
    for (int kind = 0; kind < 2; kind++) {
        BillowDef def = quiet_def(N, 16, 12, kinds[kind]);
        def.params = billow_default_params();
        def.params.viscosity = 1e-3f;
        def.emitter_count = 1;
        def.emitters[0] = billow_default_emitter();
        for (int axis = 0; axis < 3; axis++)
            def.emitters[0].center[axis] = 0.1f;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 20; s++)
            billow_step(sim, 1.0 / 60);
        const int n[3] = {N, 16, 12};
        for (int axis = 0; axis < 3; axis++)
            for (int q = 0; q < n[(axis + 2) % 3]; q++)
                for (int p = 0; p < n[(axis + 1) % 3]; p++) {
                    int e[3];
                    e[(axis + 1) % 3] = p;
                    e[(axis + 2) % 3] = q;
                    for (int end = 0; end < 2; end++) {
                        e[axis] = end * n[axis];
                        assert_true(at(sim, sim->velocity[axis], e[0], e[1], e[2]) == 0.0f);
                    }
                }
        assert_true(billow_stats(sim).speed_max > 0.02);
        billow_destroy(sim);
    }
}

/* Between plates held at 40 K and -10 K: in the end linear, whatever the axis. */
static void heated_plates_conduct_linearly(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        int n[3] = {9, 9, 9};
        n[axis] = N;
        BillowDef def = quiet_def(n[0], n[1], n[2], BILLOW_CLOSED);
        BillowBorder *low = &def.borders[2 * axis], *high = low + 1;
        low->held = high->held = true;
        low->temperature = 40;
        high->temperature = -10;
        def.params.diffusion_sweeps = 400;
        def.params.heat_diffusion = 0.1f;
        BillowSim *sim = make(&def);
        for (int s = 0; s < 20; s++)
            diffuse_scalars(sim, 1);
        for (int i = 0; i < N; i++) {
            int e[3] = {4, 4, 4};
            e[axis] = i;
            double linear = 40 - 50 * (i + 0.5) / N;
            assert_below(fabs((double)at(sim, sim->temperature, e[0], e[1], e[2]) - linear), 5e-3);
        }
        billow_destroy(sim);
    }
}

/* A lid that moves along x drags the fluid below it, in a closed box round and back again; without
 * viscosity and with a still fluid it cannot. */
static void lid_drags_the_fluid(void **state)
{
    (void)state;
    BillowDef def = quiet_def(N, N, 8, BILLOW_CLOSED);
    for (int side = 0; side < BILLOW_BACK; side++)
        def.faces[side] = BILLOW_NO_SLIP;
    def.borders[BILLOW_CEILING].velocity[0] = 1;
    def.params.viscosity = 0.01f;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 60; s++)
        billow_step(sim, 1.0 / 60);
    float top = at(sim, sim->velocity[0], N / 2, N - 1, 4);
    assert_true(top > 0.8f && top < 1.0f);
    assert_true(at(sim, sim->velocity[0], N / 2, N / 3, 4) < -0.05f);
    assert_below(billow_stats(sim).divergence_max, 0.5);
    billow_destroy(sim);
}

/* Faces of every kind, and all stages on. */
static BillowDef varied_def(void)
{
    BillowDef def = quiet_def(N, 19, 21, BILLOW_NO_SLIP);
    def.params = billow_default_params();
    def.params.viscosity = 1e-3f;
    def.params.heat_diffusion = 1e-3f;
    def.params.smoke_diffusion = 1e-3f;
    def.faces[BILLOW_BACK] = BILLOW_INFLOW;
    def.borders[BILLOW_BACK].velocity[2] = 0.5f;
    def.borders[BILLOW_BACK].velocity[0] = 0.2f;
    def.borders[BILLOW_BACK].profile = BILLOW_PARABOLIC;
    def.borders[BILLOW_BACK].smoke = 1;
    def.borders[BILLOW_FLOOR].held = true;
    def.borders[BILLOW_FLOOR].temperature = 100;
    def.borders[BILLOW_FLOOR].velocity[2] = -0.3f;
    def.faces[BILLOW_FRONT] = def.faces[BILLOW_RIGHT] = BILLOW_OPEN;
    return def;
}

static uint64_t hash_after(BillowDef def, int threads)
{
    def.threads = threads;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 12; s++)
        billow_step(sim, 1.0 / 30);
    uint64_t hash = billow_state_hash(sim);
    assert_int_equal(billow_stats(sim).nonfinite, 0);
    assert_true(billow_stats(sim).mass > 1e-3);
    billow_destroy(sim);
    return hash;
}

static void same_bits_with_any_threads(void **state)
{
    (void)state;
    const int threads[] = {2, 3, 5, 8};
    for (int advection = 0; advection < 2; advection++) {
        BillowDef def = varied_def();
        def.params.advection = (BillowAdvection)advection;
        uint64_t hash = hash_after(def, 1);
        for (int t = 0; t < 4; t++)
            assert_true(hash_after(def, threads[t]) == hash);
    }
}

/* The flow through an open front must not see what the next field in memory has at its back. */
static void open_front_is_still_behind_any_back(void **state)
{
    (void)state;
    BillowDef def = varied_def();
    BillowSim *sim = make(&def);
    for (int s = 0; s < 8; s++) {
        billow_step(sim, 1.0 / 30);
        for (int axis = 0; axis < 3; axis++) {
            int n[3] = {N, 19, 21};
            n[axis]++;
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    if (axis == 2)
                        assert_true(at(sim, sim->velocity[axis], i, j, n[2]) == 0.0f);
        }
    }
    billow_destroy(sim);
}

static void refused(const BillowDef *def, const char *message)
{
    BillowError error = {""};
    assert_null(billow_create(def, &error));
    if (strcmp(error.text, message) != 0)
        fail_msg("'%s' instead of '%s'", error.text, message);
}

#define REFUSED(change, message)                                                                   \
    do {                                                                                           \
        BillowDef def = channel_def(BILLOW_UNIFORM);                                               \
        change;                                                                                    \
        refused(&def, message);                                                                    \
    } while (0)

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    REFUSED(def.faces[BILLOW_RIGHT] = BILLOW_CLOSED,
            "0.0352 m3/s flow in (left), yet no face is open to let them out");
    REFUSED(def.borders[BILLOW_LEFT].velocity[0] = -1,
            "borders.left.velocity[0] is -1, out of the box; an inflow must lead in");
    REFUSED(def.borders[BILLOW_LEFT].velocity[1] = 2e4f,
            "borders.left.velocity[1] is 20000; it must lie between -10000 and 10000");
    REFUSED(def.borders[BILLOW_BACK].velocity[1] = 1,
            "borders.back.velocity needs the face to be no_slip or inflow");
    REFUSED((def.faces[BILLOW_BACK] = BILLOW_NO_SLIP, def.borders[BILLOW_BACK].velocity[2] = 1),
            "borders.back.velocity[2] is 1; a wall can only move along itself");
    REFUSED(def.borders[BILLOW_RIGHT].smoke = 1, "borders.right.smoke needs the face to be inflow");
    REFUSED(def.borders[BILLOW_RIGHT].held = true,
            "borders.right.held needs the face to be closed or no_slip");
    REFUSED(def.borders[BILLOW_FLOOR].smoke = NAN,
            "borders.floor.smoke is nan; it must lie between 0 and 1e+06");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inflow_carries_the_stated_volume),
        cmocka_unit_test(inflow_brings_smoke_and_heat),
        cmocka_unit_test(open_face_lets_mass_out),
        cmocka_unit_test(normal_velocity_is_zero_at_walls),
        cmocka_unit_test(heated_plates_conduct_linearly),
        cmocka_unit_test(lid_drags_the_fluid),
        cmocka_unit_test(same_bits_with_any_threads),
        cmocka_unit_test(open_front_is_still_behind_any_back),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests_name("faces", tests, NULL, NULL);
}
