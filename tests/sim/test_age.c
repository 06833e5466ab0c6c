/* SPDX-License-Identifier: MIT
 * The age of smoke: it grows with time, moves with the smoke, mixes by mass, and is kept in states.
 */
#include "sim_fixture.h"

#include <stdlib.h>

static BillowDef aging_def(BillowFace faces)
{
    BillowDef def = quiet_def(16, 16, 16, faces);
    def.age = true;
    return def;
}

static double age_at(const BillowSim *sim, int i, int j, int k)
{
    return (double)at(sim, sim->age, i, j, k) / (double)at(sim, sim->density, i, j, k);
}

/* Smoke that is there from the start is as old as the simulation, also while it dissipates. */
static void test_smoke_at_rest_ages(void **state)
{
    (void)state;
    for (int advection = BILLOW_SEMI_LAGRANGIAN; advection <= BILLOW_CONSERVATIVE; advection++)
        for (int decays = 0; decays < 2; decays++) {
            BillowDef def = aging_def(BILLOW_CLOSED);
            def.params.advection = (BillowAdvection)advection;
            def.params.dissipation = decays ? 0.7f : 0;
            BillowSim *sim = make(&def);
            BillowFields fields = billow_fields(sim);
            fields.density[grid_row(&sim->grid, 8, 8) + 8] = 2;
            fields.density[grid_row(&sim->grid, 3, 4) + 5] = 0.1f;
            for (int step = 1; step <= 20; step++) {
                assert_true(billow_step(sim, 0.05));
                assert_below(fabs(age_at(sim, 8, 8, 8) - 0.05 * step), 1e-5);
                assert_below(fabs(age_at(sim, 5, 3, 4) - 0.05 * step), 1e-5);
            }
            assert_true(decays == (at(sim, sim->density, 8, 8, 8) < 1.9f));
            billow_destroy(sim);
        }
}

static double blob(double x, double y, double z)
{
    return exp(-((x - 5) * (x - 5) + (y - 8) * (y - 8) + (z - 8) * (z - 8)) / 6);
}

static double along_x(double x, double y, double z)
{
    (void)x;
    (void)y;
    (void)z;
    return 1;
}

/* A blob of one age that crosses a periodic box keeps one age, that of the clock. */
static void test_age_moves_with_the_smoke(void **state)
{
    (void)state;
    BillowDef def = aging_def(BILLOW_PERIODIC);
    BillowSim *sim = make(&def);
    billow_fields(sim);
    fill_cells(sim, sim->density, blob);
    fill_faces(sim, 0, along_x);
    double h = (double)def.cell_size;
    for (int step = 0; step < 10; step++)
        assert_true(billow_step(sim, 0.6 * h));
    /* it is now 6 cells further along x */
    assert_true(at(sim, sim->density, 10, 7, 7) > 0.5f);
    for (int i = 8; i <= 13; i++)
        assert_below(fabs(age_at(sim, i, 7, 7) / (6 * h) - 1), 1e-3);
    billow_destroy(sim);
}

/* An emitter that releases evenly for a time T leaves smoke of the mean age T/2. */
static void test_released_smoke_is_new(void **state)
{
    (void)state;
    BillowDef def = aging_def(BILLOW_CLOSED);
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].heat = 0;
    for (int axis = 0; axis < 3; axis++)
        def.emitters[0].center[axis] = 8 * def.cell_size;
    BillowSim *sim = make(&def);
    for (int step = 0; step < 100; step++)
        assert_true(billow_step(sim, 0.01));
    assert_below(fabs(age_at(sim, 8, 8, 8) - 0.5 * (1 - 0.01)), 1e-4);
    billow_destroy(sim);
}

/* A state holds the age; one without it is refused; without age, nothing differs. */
static void test_states_hold_the_age(void **state)
{
    (void)state;
    uint64_t hashes[2];
    BillowError error = {""};
    BillowDef def = aging_def(BILLOW_CLOSED);
    def.emitter_count = 1;
    def.emitters[0] = billow_default_emitter();
    BillowSim *sim = make(&def);
    for (int step = 0; step < 5; step++)
        billow_step(sim, 0.02);
    size_t bytes = billow_state_bytes(sim);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    billow_save_state(sim, memory);
    BillowSim *other = make(&def);
    assert_true(billow_load_state(other, memory, bytes, &error));
    for (int step = 0; step < 3; step++) {
        billow_step(sim, 0.02);
        billow_step(other, 0.02);
    }
    hashes[0] = billow_state_hash(sim);
    hashes[1] = billow_state_hash(other);
    assert_true(hashes[0] == hashes[1]);
    def.age = false;
    BillowSim *plain = make(&def);
    assert_null(billow_view(plain).age);
    assert_false(billow_load_state(plain, memory, bytes, &error));
    assert_non_null(strstr(error.text, "the state was saved with age"));
    for (int step = 0; step < 8; step++)
        billow_step(plain, 0.02);
    assert_true(billow_state_hash(plain) != hashes[0]);
    assert_true(memcmp(plain->density + grid_row(&plain->grid, 8, 8),
                       sim->density + grid_row(&sim->grid, 8, 8), 16 * sizeof(float)) == 0);
    free(memory);
    billow_destroy(plain);
    billow_destroy(other);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoke_at_rest_ages),
        cmocka_unit_test(test_age_moves_with_the_smoke),
        cmocka_unit_test(test_released_smoke_is_new),
        cmocka_unit_test(test_states_hold_the_age),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
