/* SPDX-License-Identifier: MIT
 * Particles that are advected with the flow. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"
#include "sim/sim.h"

enum { COUNT = 20000 };

static BillowDef traced_def(int nx, int ny, int nz, BillowFace faces)
{
    BillowDef def = quiet_def(nx, ny, nz, faces);
    def.tracers = COUNT;
    return def;
}

static double drift_x(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.5;
}

static double drift_y(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return -0.25;
}

static double drift_z(double x, double y, double z)
{
    (void)x, (void)y, (void)z;
    return 0.125;
}

static void copy_places(const BillowSim *sim, float *places)
{
    for (int axis = 0; axis < 3; axis++)
        memcpy(places + axis * COUNT, sim->tracers.place[axis], COUNT * sizeof *places);
}

/* In a box that is periodic all round every tracer moves by dt u, and stays the same one. */
static void uniform_flow_moves_them_exactly(void **state)
{
    (void)state;
    const int n[3] = {16, 24, 32};
    const double u[3] = {0.5, -0.25, 0.125}, dt = 1.0 / 64;
    BillowDef def = traced_def(n[0], n[1], n[2], BILLOW_PERIODIC);
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, drift_x);
    fill_faces(sim, 1, drift_y);
    fill_faces(sim, 2, drift_z);
    static float before[3 * COUNT];
    copy_places(sim, before);
    int steps = 200;
    for (int s = 0; s < steps; s++)
        tracers_advect(sim, dt);
    for (int t = 0; t < COUNT; t++)
        for (int axis = 0; axis < 3; axis++) {
            double edge = n[axis] * (double)def.cell_size;
            double moved = (double)sim->tracers.place[axis][t] - (double)before[axis * COUNT + t] -
                           u[axis] * dt * steps;
            assert_below(fabs(moved - edge * round(moved / edge)), 1e-5);
            assert_below((double)sim->tracers.place[axis][t], edge);
            assert_true(sim->tracers.place[axis][t] >= 0);
            assert_below(fabs((double)sim->tracers.age[t] - steps * dt), 1e-4);
        }
    billow_destroy(sim);
}

/* One turn a second around the middle of 32 x 32 x 8 cells. */
static double turn_x(double x, double y, double z)
{
    (void)x, (void)z;
    return -2 * PI * (y - 16) / 64;
}

static double turn_y(double x, double y, double z)
{
    (void)y, (void)z;
    return 2 * PI * (x - 16) / 64;
}

/* The largest distance of a tracer inside the box from its exact position after a quarter turn. */
static double turn_error(int steps, double *radius_error)
{
    BillowDef def = traced_def(32, 32, 8, BILLOW_CLOSED);
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, turn_x);
    fill_faces(sim, 1, turn_y);
    static float before[3 * COUNT];
    copy_places(sim, before);
    for (int s = 0; s < steps; s++)
        tracers_advect(sim, 0.25 / steps);
    double worst = 0;
    *radius_error = 0;
    for (int t = 0; t < COUNT; t++) {
        double x = (double)before[t] - 0.25, y = (double)before[COUNT + t] - 0.25;
        double to_x = (double)sim->tracers.place[0][t] - 0.25,
               to_y = (double)sim->tracers.place[1][t] - 0.25;
        double radius = sqrt(x * x + y * y);
        if (radius > 0.2)
            continue;
        worst = fmax(worst, hypot(to_x + y, to_y - x));
        *radius_error = fmax(*radius_error, fabs(hypot(to_x, to_y) - radius));
    }
    billow_destroy(sim);
    return worst;
}

static void rotation_is_of_second_order(void **state)
{
    (void)state;
    double radius[3];
    double coarse = turn_error(4, &radius[0]), middle = turn_error(8, &radius[1]),
           fine = turn_error(16, &radius[2]);
    double order = log2(coarse / middle), finer = log2(middle / fine);
    print_message("a quarter turn in 4, 8, 16 steps: off by %.2e %.2e %.2e of 0.2, order %.2f "
                  "%.2f; radius %.2e %.2e %.2e, order %.2f %.2f\n",
                  coarse, middle, fine, order, finer, radius[0], radius[1], radius[2],
                  log2(radius[0] / radius[1]), log2(radius[1] / radius[2]));
    assert_true(order >= 1.8 && finer >= 1.8);
    assert_true(log2(radius[0] / radius[1]) >= 1.8 && log2(radius[1] / radius[2]) >= 1.8);
    assert_below(radius[2], 1e-3 * 0.2);
}

/* Trilinear interpolation of a linear flow is exact, also in the outermost half cells. At a no-
 * slip wall the velocity continues to that of the wall. */
static double shear(double x, double y, double z)
{
    (void)x, (void)z;
    return y / 64;
}

static void no_slip_walls_hold_them(void **state)
{
    (void)state;
    for (int sticky = 0; sticky < 2; sticky++) {
        BillowDef def = traced_def(16, 16, 16, BILLOW_PERIODIC);
        def.faces[BILLOW_FLOOR] = def.faces[BILLOW_CEILING] =
            sticky ? BILLOW_NO_SLIP : BILLOW_CLOSED;
        if (sticky)
            def.boundaries[BILLOW_CEILING].velocity[0] = 0.25f;
        BillowSim *sim = make(&def);
        fill_faces(sim, 0, shear);
        static float before[3 * COUNT];
        copy_places(sim, before);
        tracers_advect(sim, 0.125);
        for (int t = 0; t < COUNT; t++) {
            double y = (double)before[COUNT + t];
            double seen = sticky ? y : fmin(fmax(y, 0.5 / 64), 15.5 / 64);
            double moved = (double)(sim->tracers.place[0][t] - before[t]);
            moved += moved < -0.1 ? 0.25 : 0;
            assert_below(fabs(moved - 0.125 * seen), 1e-6);
        }
        billow_destroy(sim);
    }
}

static void assert_all_inside(const BillowSim *sim, bool all)
{
    BillowView view = billow_view(sim);
    const int n[3] = {view.nx, view.ny, view.nz};
    int here = 0;
    for (int t = 0; t < view.tracer_count; t++) {
        if (view.tracer_age[t] < 0)
            continue;
        here++;
        float point[3];
        for (int axis = 0; axis < 3; axis++) {
            float x = point[axis] = view.tracer[axis][t];
            float low = view.origin[axis], high = low + (float)n[axis] * view.cell_size;
            assert_true(isfinite(x) && x >= low - 1e-6f && x <= high + 1e-6f);
        }
        for (int s = 0; s < sim->def.solid_count; s++) {
            const BillowSolid *solid = &sim->def.solids[s];
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square += pow((double)(point[axis] - solid->center[axis]), 2);
            /* Between the corners of cells the field is not the ball's to the last bit. */
            assert_true(sqrt(square) > (double)(solid->size[0] - 0.2f * view.cell_size));
        }
    }
    assert_true(all ? here == view.tracer_count : here > 0);
}

/* A plume, open and closed faces, balls that stand and move through it. */
static void none_is_lost(void **state)
{
    (void)state;
    BillowDef def = busy_def(2);
    def.tracers = COUNT;
    def.faces[BILLOW_RIGHT] = BILLOW_NO_SLIP;
    def.solid_count = 2;
    for (int s = 0; s < 2; s++) {
        def.solids[s] = billow_default_solid();
        def.solids[s].size[0] = 0.1f;
        def.solids[s].center[0] = 0.4f;
        def.solids[s].center[1] = s ? 0.6f : 0.3f;
        def.solids[s].center[2] = 0.3f;
    }
    def.solids[1].velocity[1] = -2;
    for (int from_emitters = 0; from_emitters < 2; from_emitters++) {
        def.emitters[0].tracers = from_emitters ? 30000 : 0;
        BillowSim *sim = make(&def);
        if (!from_emitters)
            assert_all_inside(sim, true);
        for (int s = 0; s < 30; s++) {
            billow_step(sim, 1.0 / 30);
            assert_all_inside(sim, !from_emitters);
        }
        billow_destroy(sim);
    }
}

static void a_wall_stops_them(void **state)
{
    (void)state;
    BillowDef def = traced_def(32, 16, 16, BILLOW_PERIODIC);
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].shape = BILLOW_BOX;
    const float center[3] = {0.25f, 0.125f, 0.125f}, size[3] = {1.0f / 64, 1, 1};
    memcpy(def.solids[0].center, center, sizeof center);
    memcpy(def.solids[0].size, size, sizeof size);
    def.emitters[0] = billow_default_emitter();
    for (int axis = 0; axis < 3; axis++)
        def.emitters[0].center[axis] = 0.125f;
    def.emitters[0].size[0] = 0.05f;
    def.emitters[0].tracers = 1000;
    def.emitters[0].end = 0.5;
    def.emitter_count = 1;
    BillowSim *sim = make(&def);
    fill_faces(sim, 0, drift_x);
    for (int s = 0; s < 10; s++) {
        tracers_advect(sim, 0.1); /* 3.2 cells; the wall is 2 thick */
        sim->time += 0.1;
        for (int t = 0; t < COUNT; t++)
            if (sim->tracers.age[t] >= 0)
                assert_true(sim->tracers.place[0][t] < 0.25f);
    }
    for (int t = 0; t < COUNT; t++)
        assert_true(sim->tracers.age[t] < 0); /* all ended at it */
    billow_destroy(sim);
}

/* The number is rate times time, inside the shape. Beyond the limit the oldest are replaced. */
static void emitters_give_them(void **state)
{
    (void)state;
    BillowDef def = traced_def(32, 32, 32, BILLOW_CLOSED);
    def.emitter_count = 2;
    for (int e = 0; e < 2; e++) {
        def.emitters[e] = billow_default_emitter();
        def.emitters[e].tracers = e ? 3333.3f : 4000;
        def.emitters[e].center[0] = e ? 0.35f : 0.12f;
        def.emitters[e].center[1] = 0.25f;
        def.emitters[e].center[2] = 0.25f;
        def.emitters[e].size[0] = def.emitters[e].size[1] = 0.1f;
    }
    def.emitters[1].shape = BILLOW_CYLINDER;
    def.emitters[1].start = 0.25;
    def.emitters[1].end = 1.25;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 64; s++) {
        tracers_advect(sim, 1.0 / 32);
        sim->time += 1.0 / 32;
    }
    int left = 0, right = 0;
    for (int t = 0; t < COUNT; t++) {
        float x = sim->tracers.place[0][t], y = sim->tracers.place[1][t],
              z = sim->tracers.place[2][t];
        if (sim->tracers.age[t] < 0)
            continue;
        left += x < 0.25f;
        right += x > 0.25f;
        if (x < 0.25f)
            assert_below(hypot(hypot((double)x - 0.12, (double)y - 0.25), (double)z - 0.25),
                         0.1001);
        else {
            assert_below(hypot((double)x - 0.35, (double)z - 0.25), 0.1001);
            assert_below(fabs((double)y - 0.25), 0.1001);
        }
    }
    assert_int_equal(left, 8000);
    assert_in_range(right, 3332, 3334);
    for (int s = 0; s < 160; s++) { /* 20000 more of the left one's */
        tracers_advect(sim, 1.0 / 32);
        sim->time += 1.0 / 32;
    }
    for (int t = 0; t < COUNT; t++) {
        assert_true(sim->tracers.place[0][t] < 0.25f);
        assert_true(sim->tracers.age[t] >= 0 && sim->tracers.age[t] < 5.01f);
    }
    billow_destroy(sim);
}

static BillowDef busy_traced_def(bool emitted)
{
    BillowDef def = busy_def(1);
    def.tracers = 5003;
    def.emitters[0].tracers = emitted ? 7000 : 0;
    def.solid_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0.4f;
    def.solids[0].velocity[0] = 0.2f;
    return def;
}

static uint64_t traced_hash(const BillowDef *def)
{
    return hash_of_run(def, 4, 1.0 / 15);
}

static void threads_agree(void **state)
{
    (void)state;
    for (int emitted = 0; emitted < 2; emitted++) {
        BillowDef def = busy_traced_def(emitted);
        assert_one_hash_of(&def, traced_hash);
    }
}

/* They are part of the state, begin alike after a reset, and change nothing else. */
static void they_are_state(void **state)
{
    (void)state;
    BillowDef def = busy_traced_def(true);
    BillowSim *sim = run_of(&def, 12, 1.0 / 15);
    uint64_t hash = billow_state_hash(sim);
    for (int axis = 0; axis < 4; axis++) {
        float *value = &(axis < 3 ? sim->tracers.place[axis] : sim->tracers.age)[17], was = *value;
        *value += 1e-3f;
        assert_true(billow_state_hash(sim) != hash);
        *value = was;
    }
    billow_reset(sim);
    for (int s = 0; s < 12; s++)
        billow_step(sim, 1.0 / 15);
    assert_int_equal(billow_state_hash(sim), hash);
    size_t with = billow_bytes(sim);
    def.tracers = 0;
    BillowSim *without = make(&def);
    assert_true(billow_bytes(without) + 16 * 5003 <= with);
    assert_null(billow_view(without).tracer[0]);
    for (int s = 0; s < 12; s++)
        billow_step(without, 1.0 / 15);
    for (int k = 0; k < def.nz; k++)
        for (int j = 0; j < def.ny; j++)
            assert_memory_equal(sim->density + grid_row(&sim->grid, j, k),
                                without->density + grid_row(&sim->grid, j, k),
                                (size_t)def.nx * sizeof(float));
    billow_destroy(without);
    billow_destroy(sim);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    BillowError error;
    BillowDef def = traced_def(16, 16, 16, BILLOW_CLOSED);
    def.tracers = -1;
    assert_null(billow_create(&def, &error));
    assert_non_null(strstr(error.text, "tracers"));
    def.tracers = BILLOW_TRACERS_MAX + 1;
    assert_null(billow_create(&def, &error));
    assert_int_equal(billow_bytes_needed(&def), 0);
    def.tracers = 8;
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].tracers = -1;
    assert_null(billow_create(&def, &error));
    assert_non_null(strstr(error.text, "emitters[0].tracers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_flow_moves_them_exactly),
        cmocka_unit_test(rotation_is_of_second_order),
        cmocka_unit_test(no_slip_walls_hold_them),
        cmocka_unit_test(none_is_lost),
        cmocka_unit_test(a_wall_stops_them),
        cmocka_unit_test(emitters_give_them),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(they_are_state),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests_name("tracers", tests, NULL, NULL);
}
