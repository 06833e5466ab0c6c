/* SPDX-License-Identifier: MIT
 * A simulation that continues on another grid while it runs: what stays, and when it does not. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "world_fixture.h"

#define STEP (1.0 / 120)

static BillowDef ball_def(void)
{
    BillowDef def = billow_default_def();
    def.nx = def.ny = def.nz = 16;
    def.cell_size = 1.0f / 16;
    def.threads = 1;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = def.emitters[0].center[2] = 0.5f;
    def.emitter_count = 1;
    def.solids[0] = billow_default_solid();
    def.solids[0].center[0] = 0.2f;
    def.solids[0].center[1] = 0.5f;
    def.solids[0].center[2] = 0.8f;
    def.solids[0].size[0] = 0.12f;
    def.solid_count = 1;
    return def;
}

static SimThread *start(const BillowDef *def)
{
    BillowError error = {{0}};
    SimThread *thread = sim_thread_start(def, NULL, NULL, STEP, NULL, 0, &error);
    if (thread == NULL || sim_thread_wait(thread, &error) != SIM_THREAD_RUNNING)
        fail_msg("%s", error.text);
    return thread;
}

static SimCommand grid_of(int n, int refine, uint64_t serial)
{
    const GridRung rung = {.n = {n, n, n}, .refine = refine, .cell_size = 1.0f / (float)n};
    return (SimCommand){SIM_GRID, .grid = {rung, serial}};
}

static const SimSnapshot *await_steps(SimThread *thread, uint64_t steps)
{
    double end = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->steps < steps) {
        assert_true(clock_seconds() < end);
        nap(0.001);
    }
    return sim_thread_snapshot(thread);
}

static const SimSnapshot *await_grid(SimThread *thread, uint64_t serial, SimGridResult result)
{
    double end = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->grid != serial) {
        assert_true(clock_seconds() < end);
        nap(0.001);
    }
    const SimSnapshot *snapshot = sim_thread_snapshot(thread);
    assert_int_equal(snapshot->grid_result, result);
    return snapshot;
}

static double mass_of(const BillowView *view)
{
    double sum = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++)
                sum += (double)view->density[i + j * view->stride_y + k * view->stride_z];
    return sum * pow((double)view->cell_size, 3);
}

/* Nothing releases smoke any more when the grid changes, so the mass must stay. */
static void the_smoke_continues(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    def.emitters[0].end = 10 * STEP;
    SimThread *thread = start(&def);
    sim_thread_send(thread, &(SimCommand){SIM_MEMORY, .value = 1e8});
    double mass = mass_of(&await_steps(thread, 12)->view);
    assert_true(mass > 0);
    const int sizes[] = {24, 40, 20, 24}, refine[] = {1, 1, 3, 2};
    for (uint64_t s = 0; s < 4; s++) {
        const SimSnapshot before = *sim_thread_snapshot(thread);
        sim_thread_send(thread, &(SimCommand){.kind = SIM_SLICE,
                                              .slice = {.kind = FIELD_SPEED, .position = 0.5f}});
        const SimCommand command = grid_of(sizes[s], refine[s], s + 1);
        sim_thread_send(thread, &command);
        const SimSnapshot *after = await_grid(thread, s + 1, SIM_GRID_DONE);
        assert_int_equal(after->view.nx, sizes[s] * refine[s]);
        assert_true(after->slice.values != NULL && after->slice.n[0] == sizes[s]);
        assert_true(after->stats.time >= before.stats.time);
        assert_true(after->steps >= before.steps && after->resets == before.resets);
        assert_true(fabs(after->stats.time - (double)after->steps * STEP) < 1e-6);
        assert_true(after->back_to >= before.stats.time); /* the stored states are dropped */
        if (fabs(mass_of(&after->view) - mass) > 0.1 * mass)
            fail_msg("%g became %g on %d cells", mass, mass_of(&after->view), sizes[s]);
        assert_true(after->solids[0].center[1] == 0.5f);
        await_steps(thread, after->steps + 2); /* it goes on */
    }
    sim_thread_destroy(thread);
}

/* Smoke of a detonation that goes on across the change. */
static void a_detonation_goes_on(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    def.emitter_count = 0;
    SimThread *thread = start(&def);
    BillowEmitter burst = billow_default_emitter();
    burst.center[0] = burst.center[1] = burst.center[2] = 0.5f;
    burst.size[0] = 0.2f;
    burst.heat = 0;
    burst.end = 40 * STEP;
    uint64_t from = await_steps(thread, 1)->steps;
    sim_thread_send(thread, &(SimCommand){SIM_DETONATE, .emitter = burst});
    await_steps(thread, from + 5);
    const SimCommand command = grid_of(24, 1, 1);
    sim_thread_send(thread, &command);
    from = await_grid(thread, 1, SIM_GRID_DONE)->steps;
    double mass = mass_of(&await_steps(thread, from + 45)->view);
    double released = (double)burst.smoke * 4 / 3 * 3.14159265 * pow(0.2, 3) * 40 * STEP;
    if (fabs(mass - released) > 0.1 * released)
        fail_msg("%g instead of %g", mass, released);
    sim_thread_destroy(thread);
}

static void an_impossible_grid_is_refused(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    SimThread *thread = start(&def);
    const SimCommand small = grid_of(4, 1, 1), huge = grid_of(2049, 1, 2);
    sim_thread_send(thread, &small);
    assert_int_equal(await_grid(thread, 1, SIM_GRID_REFUSED)->view.nx, 16);
    sim_thread_send(thread, &huge);
    const SimSnapshot *snapshot = await_grid(thread, 2, SIM_GRID_REFUSED);
    assert_int_equal(snapshot->view.nx, 16);
    await_steps(thread, snapshot->steps + 2);
    sim_thread_destroy(thread);
}

/* New settings come while the simulation for the grid is being created: its shapes may go. */
static void new_settings_come_first(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    SimThread *thread = start(&def);
    SimSettings settings = {.def = def, .step = STEP, .serial = 1};
    settings.def.emitters[0].smoke = 9;
    const SimCommand commands[] = {{.kind = SIM_PAUSE, .on = true},
                                   grid_of(24, 1, 1),
                                   {SIM_SETTINGS, .settings = sim_settings_copy(&settings)},
                                   {.kind = SIM_PAUSE, .on = false}};
    for (int c = 0; c < 4; c++)
        sim_thread_send(thread, &commands[c]);
    const SimSnapshot *snapshot = await_grid(thread, 1, SIM_GRID_DROPPED);
    assert_int_equal(snapshot->view.nx, 16);
    assert_int_equal(snapshot->settings, 1);
    sim_thread_destroy(thread);
}

/* While paused, the smoke and the stored states stay. */
static void it_waits_while_paused(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    SimThread *thread = start(&def);
    const SimCommand grid = grid_of(24, 1, 1);
    SimSaved saved;
    await_steps(thread, 3);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
    sim_thread_send(thread, &grid);
    for (int i = 0; i < 50; i++)
        nap(0.001);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_SAVE});
    while (!sim_thread_saved(thread, &saved))
        nap(0.001);
    assert_int_equal(saved.run.grid[0], 16);
    free(saved.state);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = false});
    await_grid(thread, 1, SIM_GRID_DONE);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_SAVE});
    while (!sim_thread_saved(thread, &saved))
        nap(0.001);
    assert_int_equal(saved.run.grid[0], 24);
    free(saved.state);
    sim_thread_destroy(thread);
}

static void ending_does_not_wait_for_a_grid(void **state)
{
    (void)state;
    BillowDef def = ball_def();
    SimThread *thread = start(&def);
    for (uint64_t s = 1; s <= 3; s++) {
        const SimCommand command = grid_of(32, 1, s);
        sim_thread_send(thread, &command);
    }
    sim_thread_destroy(thread);
}

/* -- in the world ------------------------------------------------------------------------------ */

static const GridAim aim = {30, 1, false};

/* Cells of the wind along x. */
static int wind_cells(const SimSnapshot *snapshot)
{
    return billow_wind_view(&snapshot->view).nx;
}

static void open_world(World *world, const SceneRequest *request)
{
    BillowError error = {{0}};
    if (!world_open(world, request, NULL, 1, false, &aim, &error))
        fail_msg("%s", error.text);
}

/* Frames of a machine that takes so long for a step. */
static void frames(World *world, double step_ms, int count)
{
    const GridTimes times = {.step_ms = step_ms, .upload_ms = 0.1};
    for (int f = 0; f < count; f++)
        world_adapt_grid(world, world_snapshot(world), &times, 33);
}

static void a_world_starts_small_and_grows(void **state)
{
    (void)state;
    const SceneRequest request = {.name_or_path = "plume"};
    World world;
    open_world(&world, &request);
    int first = wind_cells(first_snapshot(&world));
    assert_int_equal(first, 48);
    double end = clock_seconds() + PATIENCE;
    while (wind_cells(world_snapshot(&world)) == first) {
        frames(&world, 9, 40);
        assert_true(clock_seconds() < end);
        nap(0.001);
    }
    assert_true(wind_cells(world_snapshot(&world)) > first);
    assert_int_equal(world.scene.domain.cells[0], 64); /* the scene keeps its own number */
    world_close(&world);
}

static void a_chosen_grid_stays(void **state)
{
    (void)state;
    static const char *const cells[] = {"domain.cells=24"};
    const SceneRequest requests[] = {
        {.name_or_path = "plume", .grid = "20"},
        {.name_or_path = "plume", .overrides = cells, .override_count = 1},
    };
    const int expected[] = {20, 24};
    for (int r = 0; r < 2; r++) {
        World world;
        open_world(&world, &requests[r]);
        assert_int_equal(wind_cells(first_snapshot(&world)), expected[r]);
        assert_int_equal(world.grid.count, 0);
        frames(&world, 0.1, 1000);
        assert_int_equal(world.grids, 0);
        world_close(&world);
    }
}

/* Changed by hand in the panel, which applies a changed scene. */
static void a_number_changed_by_hand_stays(void **state)
{
    (void)state;
    const SceneRequest request = {.name_or_path = "plume"};
    World world;
    BillowError error;
    open_world(&world, &request);
    first_snapshot(&world);
    Scene scene = world.scene;
    scene.domain.cells[0] = 32;
    assert_true(world_apply(&world, &scene, NULL, &error));
    await(&world, WORLD_CHANGED);
    assert_int_equal(wind_cells(first_snapshot(&world)), 32);
    frames(&world, 0.1, 1000);
    assert_int_equal(world.grids, 0);
    assert_true(world_change(&world, "fire", &error)); /* another scene adapts again */
    await(&world, WORLD_CHANGED);
    assert_true(world.grid.count > 1);
    assert_true(wind_cells(first_snapshot(&world)) < 80);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smoke_continues),
        cmocka_unit_test(a_detonation_goes_on),
        cmocka_unit_test(an_impossible_grid_is_refused),
        cmocka_unit_test(new_settings_come_first),
        cmocka_unit_test(it_waits_while_paused),
        cmocka_unit_test(ending_does_not_wait_for_a_grid),
        cmocka_unit_test(a_world_starts_small_and_grows),
        cmocka_unit_test(a_chosen_grid_stays),
        cmocka_unit_test(a_number_changed_by_hand_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
