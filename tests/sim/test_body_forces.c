/* SPDX-License-Identifier: MIT
 * Wind, vortices, attractors and turbulence. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hash_fixture.h"

static BillowDef force_def(BillowForceKind kind, float strength)
{
    BillowDef def = quiet_def(40, 32, 24, BILLOW_OPEN);
    def.force_count = 1;
    def.forces[0] = billow_default_force();
    def.forces[0].kind = kind;
    def.forces[0].strength = strength;
    def.forces[0].center[0] = 20.0f / 64;
    def.forces[0].center[1] = 16.0f / 64;
    def.forces[0].center[2] = 12.0f / 64;
    return def;
}

/* Velocity in the middle of a cell. */
static double middle(const BillowSim *sim, int axis, int i, int j, int k)
{
    const int next[3] = {i + (axis == 0), j + (axis == 1), k + (axis == 2)};
    const float *u = sim->velocity[axis];
    return 0.5 * (double)(at(sim, u, i, j, k) + at(sim, u, next[0], next[1], next[2]));
}

/* u = v (1 - exp(-strength t)), whatever the sub-steps, and only within the window of time. */
static void wind_drives_to_its_velocity(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 8; steps *= 2) {
        BillowDef def = force_def(BILLOW_WIND, 3);
        def.forces[0].velocity[0] = 2;
        def.forces[0].velocity[1] = 0;
        def.forces[0].velocity[2] = -1;
        def.forces[0].start = 0.125;
        def.forces[0].end = 0.875;
        BillowSim *sim = make(&def);
        for (int s = 0; s < steps; s++) {
            body_forces_apply(sim, 1.0 / steps, 1);
            sim->time += 1.0 / steps;
        }
        double share = 1 - exp(-3 * 0.75);
        for (int i = 0; i <= 40; i += 8)
            assert_below(fabs((double)at(sim, sim->velocity[0], i, 5, 7) - 2 * share), 1e-5);
        assert_below(fabs((double)at(sim, sim->velocity[2], 3, 31, 24) + share), 1e-5);
        assert_true(largest(sim, sim->velocity[1], (const int[3]){40, 33, 24}) == 0);
        billow_destroy(sim);
    }
}

/* The whole step lets it through: in a box open all round wind becomes the flow. */
static void wind_becomes_the_flow(void **state)
{
    (void)state;
    BillowDef def = force_def(BILLOW_WIND, 20);
    def.forces[0].velocity[0] = 1;
    def.forces[0].velocity[1] = 0;
    BillowSim *sim = make(&def);
    for (int s = 0; s < 40; s++)
        billow_step(sim, 0.02);
    assert_below(fabs(middle(sim, 0, 20, 16, 12) - 1), 0.05);
    billow_destroy(sim);
}

static void walls_are_not_pushed(void **state)
{
    (void)state;
    for (int kind = BILLOW_WIND; kind <= BILLOW_TURBULENCE; kind++) {
        BillowDef def = force_def((BillowForceKind)kind, 5);
        for (int axis = 0; axis < 3; axis++)
            def.forces[0].velocity[axis] = 1;
        def.faces[BILLOW_LEFT] = def.faces[BILLOW_CEILING] = def.faces[BILLOW_FRONT] =
            BILLOW_CLOSED;
        BillowSim *sim = make(&def);
        body_forces_apply(sim, 0.1, 1);
        for (int n = 0; n < 20; n++) {
            assert_true(at(sim, sim->velocity[0], 0, n, n) == 0);
            assert_true(at(sim, sim->velocity[0], 40, n, n) != 0);
            assert_true(at(sim, sim->velocity[1], n, 32, n) == 0);
            assert_true(at(sim, sim->velocity[1], n, 0, n) != 0);
            assert_true(at(sim, sim->velocity[2], n, n, 24) == 0);
            assert_true(at(sim, sim->velocity[2], n, n, 0) != 0);
        }
        billow_destroy(sim);
    }
}

/* strength at the radius, square to the axis and to the way from it; less inside and outside. */
static void a_vortex_turns_around_its_axis(void **state)
{
    (void)state;
    BillowDef def = force_def(BILLOW_VORTEX, 6);
    def.forces[0].radius = 8.0f / 64;
    BillowSim *sim = make(&def); /* around y */
    body_forces_apply(sim, 0.5, 1);
    double before = 0;
    for (int x = 1; x < 20; x++) { /* from the axis towards the right: w is -strength */
        double r = (x + 0.5) / 8, w = middle(sim, 2, 20 + x, 10, 12);
        double exact = -3 * 2 * r / (1 + r * r);
        assert_below(fabs(w - exact), 0.03);
        assert_true(x >= 8 || fabs(w) > before);
        before = fabs(w);
    }
    assert_true(largest(sim, sim->velocity[1], (const int[3]){40, 33, 24}) == 0);
    billow_destroy(sim);
    def.forces[0].radius = 0;
    sim = make(&def);
    body_forces_apply(sim, 0.5, 1);
    assert_below(fabs(middle(sim, 2, 38, 10, 12) + 3), 0.01);
    assert_below(fabs(middle(sim, 2, 2, 10, 12) - 3), 0.01);
    billow_destroy(sim);
}

static void an_attractor_points_to_its_centre(void **state)
{
    (void)state;
    BillowDef def = force_def(BILLOW_ATTRACTOR, 4);
    def.forces[0].radius = 10.0f / 64;
    BillowSim *sim = make(&def);
    body_forces_apply(sim, 0.25, 1);
    for (int x = 4; x < 20; x++) {
        double r = x + 0.5, exact = exp(-r * r / 100 - 0.5 / 100); /* half a cell off in y and z */
        double u = middle(sim, 0, 20 + x, 16, 12), size = 0;
        assert_true(u < 0 && middle(sim, 0, 19 - x, 16, 12) > 0);
        for (int axis = 0; axis < 3; axis++)
            size += pow(middle(sim, axis, 20 + x, 16, 12), 2);
        assert_below(fabs(sqrt(size) - exact), 0.04 * exact + 0.01);
    }
    billow_destroy(sim);
}

/* Squares of the velocity's components added up over interior cells, and the largest divergence
 * times h. */
static double mean_square(const BillowSim *sim, double *divergence)
{
    double sum = 0;
    int count = 0;
    *divergence = 0;
    for (int k = 1; k < sim->grid.nz - 1; k++)
        for (int j = 1; j < sim->grid.ny - 1; j++)
            for (int i = 1; i < sim->grid.nx - 1; i++) {
                double d = (double)(at(sim, sim->velocity[0], i + 1, j, k) -
                                    at(sim, sim->velocity[0], i, j, k)) +
                           (double)(at(sim, sim->velocity[1], i, j + 1, k) -
                                    at(sim, sim->velocity[1], i, j, k)) +
                           (double)(at(sim, sim->velocity[2], i, j, k + 1) -
                                    at(sim, sim->velocity[2], i, j, k));
                *divergence = fmax(*divergence, fabs(d));
                for (int axis = 0; axis < 3; axis++)
                    sum += pow((double)at(sim, sim->velocity[axis], i, j, k), 2);
                count++;
            }
    return sum / count;
}

static void turbulence_has_no_divergence_and_its_strength(void **state)
{
    (void)state;
    for (int fades = 0; fades < 2; fades++) {
        BillowDef def = quiet_def(96, 88, 80, BILLOW_OPEN);
        def.force_count = 1;
        def.forces[0] = billow_default_force();
        def.forces[0].kind = BILLOW_TURBULENCE;
        def.forces[0].strength = 7;
        def.forces[0].scale = 0.09f;
        def.forces[0].radius = fades ? 0.4f : 0;
        BillowSim *sim = make(&def);
        double divergence, sum = 0;
        for (int t = 0; t < 8; t++) {
            billow_reset(sim);
            sim->time = 5.3 * t;
            body_forces_apply(sim, 0.5, 1);
            sum += mean_square(sim, &divergence) / 8;
            assert_below(divergence, 1e-4);
        }
        if (fades)
            assert_true(sum > 0.1);
        else
            assert_below(fabs(sqrt(sum) / 3.5 - 1), 0.03);
        billow_destroy(sim);
    }
}

static BillowDef turbulent_def(uint32_t seed)
{
    BillowDef def = force_def(BILLOW_TURBULENCE, 3);
    def.threads = 1;
    def.force_count = 4;
    for (int f = 1; f < 4; f++) {
        def.forces[f] = def.forces[0];
        def.forces[f].kind = (BillowForceKind)(f - 1);
        def.forces[f].radius = 0.1f * (float)f;
    }
    def.forces[0].seed = seed;
    return def;
}

static uint64_t turbulent_hash(const BillowDef *def)
{
    return hash_of_run(def, 3, 0.05);
}

static void threads_change_nothing_and_seeds_do(void **state)
{
    (void)state;
    BillowDef def = turbulent_def(1), other = turbulent_def(2);
    assert_one_hash_of(&def, turbulent_hash);
    assert_true(turbulent_hash(&def) != turbulent_hash(&other));
}

/* The same place has the same eddies on another grid and in a box that lies elsewhere. */
static void eddies_belong_to_places(void **state)
{
    (void)state;
    double found[2];
    for (int fine = 0; fine < 2; fine++) {
        BillowDef def = quiet_def(fine ? 96 : 32, fine ? 64 : 32, fine ? 64 : 32, BILLOW_OPEN);
        def.cell_size = fine ? 1.0f / 64 : 1.0f / 32;
        def.origin[0] = fine ? -0.5f : 0;
        def.force_count = 1;
        def.forces[0] = billow_default_force();
        def.forces[0].kind = BILLOW_TURBULENCE;
        def.forces[0].strength = 5;
        def.forces[0].scale = 0.5f;
        BillowSim *sim = make(&def);
        body_forces_apply(sim, 0.2, 1);
        found[fine] = fine ? 0.25 * (double)(at(sim, sim->velocity[0], 64, 20, 30) +
                                             at(sim, sim->velocity[0], 64, 21, 30) +
                                             at(sim, sim->velocity[0], 64, 20, 31) +
                                             at(sim, sim->velocity[0], 64, 21, 31))
                           : (double)at(sim, sim->velocity[0], 16, 10, 15);
        billow_destroy(sim);
    }
    assert_true(fabs(found[0]) > 0.05);
    assert_below(fabs(found[0] - found[1]), 0.02);
}

static void bad_forces_are_refused(void **state)
{
    (void)state;
    BillowDef def = force_def(BILLOW_WIND, -1);
    BillowError error;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "forces[0].strength is -1; it must lie between 0 and 10000");
    def.forces[0].kind = BILLOW_VORTEX;
    def.forces[0].velocity[1] = 0;
    assert_null(billow_create(&def, &error));
    assert_string_equal(error.text, "forces[0].velocity is 0; a vortex needs it for its axis");
    def = force_def(BILLOW_WIND, 1);
    BillowSim *sim = make(&def);
    assert_false(billow_set_forces(sim, def.forces, 17, &error));
    assert_string_equal(error.text, "17 forces; at most 16 are possible");
    def.forces[0].scale = NAN;
    assert_false(billow_set_forces(sim, def.forces, 1, &error));
    assert_true(billow_set_forces(sim, NULL, 0, &error));
    billow_step(sim, 0.1);
    assert_true(largest_velocity(sim) == 0);
    billow_destroy(sim);
}

/* A force that is pushed for every step of a while is one whose time that is, and no step more; as
 * many as there may be find room beside the simulation's own. */
static void pushed_for_a_step(void **state)
{
    (void)state;
    BillowDef def = force_def(BILLOW_VORTEX, 4);
    def.forces[0].radius = 0.1f;
    def.forces[0].start = 2.0 / 32; /* steps 2, 3 and 4 of 6 */
    def.forces[0].end = 5.0 / 32;
    BillowSim *own = make(&def);
    BillowForce force = def.forces[0];
    force.start = force.end = 1e9;
    def.forces[0].strength = 0;
    BillowSim *pushed = make(&def);
    for (int step = 0; step < 6; step++) {
        if (step >= 2 && step < 5)
            assert_true(billow_push(pushed, &force));
        billow_step(own, 1.0 / 32);
        billow_step(pushed, 1.0 / 32);
    }
    assert_true(largest(own, own->velocity[0], (const int[3]){41, 32, 24}) > 0.05);
    assert_true(billow_state_hash(own) == billow_state_hash(pushed));
    for (int f = 0; f < BILLOW_FORCES_MAX; f++)
        assert_true(billow_push(pushed, &force));
    assert_false(billow_push(pushed, &force));
    billow_reset(pushed); /* forgets them */
    billow_step(pushed, 1.0 / 32);
    assert_true(largest(pushed, pushed->velocity[0], (const int[3]){41, 32, 24}) == 0);
    force.radius = -1;
    assert_false(billow_push(pushed, &force));
    billow_destroy(own);
    billow_destroy(pushed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_drives_to_its_velocity),
        cmocka_unit_test(wind_becomes_the_flow),
        cmocka_unit_test(pushed_for_a_step),
        cmocka_unit_test(walls_are_not_pushed),
        cmocka_unit_test(a_vortex_turns_around_its_axis),
        cmocka_unit_test(an_attractor_points_to_its_centre),
        cmocka_unit_test(turbulence_has_no_divergence_and_its_strength),
        cmocka_unit_test(threads_change_nothing_and_seeds_do),
        cmocka_unit_test(eddies_belong_to_places),
        cmocka_unit_test(bad_forces_are_refused),
    };
    return cmocka_run_group_tests_name("body_forces", tests, NULL, NULL);
}
