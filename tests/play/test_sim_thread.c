/* SPDX-License-Identifier: MIT
 * The simulation's thread: commands are obeyed exactly, snapshots are whole, quitting is prompt.
 * */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "patience.h"
#include "play/sim_thread.h"
#include "play/snapshots.h"
#include <string.h>

#define STEP (1.0 / 60)

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g within %.3g", value, expected, tolerance);
}

static BillowDef small_def(void)
{
    BillowDef def = billow_default_def();
    def.nx = 12;
    def.ny = 16;
    def.nz = 10;
    def.cell_size = 1.0f / 16;
    def.threads = 2;
    def.emitters[0] = billow_default_emitter();
    def.emitters[0].center[0] = 0.4f;
    def.emitters[0].center[2] = 0.3f;
    def.emitter_count = 1;
    return def;
}

static SimThread *start(const BillowDef *def)
{
    BillowError error = {{0}};
    SimThread *thread = sim_thread_start(def, NULL, NULL, STEP, NULL, 0, &error);
    if (thread == NULL)
        fail_msg("%s", error.text);
    if (sim_thread_wait(thread, &error) != SIM_THREAD_RUNNING)
        fail_msg("not running: %s", error.text);
    return thread;
}

/* Resets the simulation and waits until a snapshot shows the reset. No earlier step runs then. */
static void reset(SimThread *thread)
{
    const SimSnapshot *snapshot = sim_thread_snapshot(thread);
    uint64_t resets = snapshot->resets;
    double end = clock_seconds() + PATIENCE;
    sim_thread_send(thread, &(SimCommand){.kind = SIM_RESET});
    while (sim_thread_snapshot(thread)->resets == resets) {
        if (clock_seconds() > end)
            fail_msg("no reset after %g s", PATIENCE);
        nap(0.001);
    }
}

static void grab(SimThread *thread, int solid, const float center[3])
{
    sim_thread_send(thread,
                    &(SimCommand){SIM_GRAB, .grab = {solid, {center[0], center[1], center[2]}}});
}

static SimThread *start_paused(const BillowDef *def)
{
    SimThread *thread = start(def);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
    reset(thread);
    return thread;
}

static void assert_still(SimThread *thread)
{
    reset(thread);
    uint64_t held = sim_thread_snapshot(thread)->steps;
    nap(0.3);
    assert_int_equal(sim_thread_snapshot(thread)->steps, held);
}

/* Waits until the thread has taken `steps` steps more than `base` and returns the newest snapshot.
 */
static const SimSnapshot *await_steps(SimThread *thread, uint64_t base, uint64_t steps)
{
    double end = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->steps < base + steps) {
        if (clock_seconds() > end)
            fail_msg("%llu steps of %llu", (unsigned long long)sim_thread_snapshot(thread)->steps,
                     (unsigned long long)(base + steps));
        nap(0.001);
    }
    return sim_thread_snapshot(thread);
}

/* Waits as await_steps does, and 0.1 s longer, in which a step too many would show. */
static const SimSnapshot *after_steps(SimThread *thread, uint64_t base, uint64_t steps)
{
    await_steps(thread, base, steps);
    nap(0.1);
    return sim_thread_snapshot(thread);
}

static double mass_of(const SimSnapshot *snapshot)
{
    const BillowView *view = &snapshot->view;
    double sum = 0;
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++)
            for (int i = 0; i < view->nx; i++)
                sum += (double)view->density[i + j * view->stride_y + k * view->stride_z];
    return sum * pow((double)view->cell_size, 3);
}

static void test_runs_with_the_clock(void **state)
{
    (void)state;
    BillowDef def = small_def();
    double begin = clock_seconds();
    SimThread *thread = start(&def);
    assert_int_equal(sim_thread_threads(thread), 2);
    nap(0.9);
    const SimSnapshot *snapshot = after_steps(thread, 0, 3);
    double time = snapshot->stats.time;
    /* Ahead of the clock by no more than what it may catch up; behind it as far as the machine is
     * slow. */
    if (time > clock_seconds() - begin + 3 * STEP)
        fail_msg("simulated %g s in %g s", time, clock_seconds() - begin);
    assert_near(time, (double)snapshot->steps * STEP, 1e-9);
    assert_true(snapshot->step_ms > 0);
    sim_thread_destroy(thread);
}

/* Snapshots follow a box that grows: each is whole, and a solver that runs alone has the same box.
 */
static void test_snapshots_follow_the_box(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    BillowDef def = small_def();
    def.unbounded[BILLOW_CEILING] = true;
    BillowSim *sim = billow_create(&def, NULL);
    SimThread *thread = start_paused(&def);
    uint64_t steps = sim_thread_snapshot(thread)->steps;
    for (int s = 0; s < STEPS; s++) {
        billow_step(sim, STEP);
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
        const SimSnapshot *snapshot = after_steps(thread, steps, 1);
        const BillowView view = billow_view(sim), *copy = &snapshot->view;
        steps = snapshot->steps;
        assert_int_equal(copy->ny, view.ny);
        assert_true(copy->home[1][1] == 1.0f);
        assert_near(mass_of(snapshot), billow_stats(sim).mass, 1e-6 * billow_stats(sim).mass);
    }
    assert_true(billow_view(sim).ny > def.ny);
    sim_thread_destroy(thread);
    billow_destroy(sim);
}

static void test_pause_holds_still(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start(&def);
    assert_false(sim_thread_paused(thread));
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
    assert_true(sim_thread_paused(thread));
    assert_still(thread);
    sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = false});
    after_steps(thread, sim_thread_snapshot(thread)->steps, 2);
    sim_thread_destroy(thread);
}

static void test_single_steps_are_exact(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = after_steps(thread, base, 1);
    assert_int_equal(snapshot->steps, base + 1);
    assert_near(snapshot->stats.time, STEP, 1e-12);
    for (int i = 0; i < 5; i++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    snapshot = after_steps(thread, base, 6);
    assert_int_equal(snapshot->steps, base + 6);
    assert_near(snapshot->stats.time, 6 * STEP, 1e-12);
    assert_true(sim_thread_paused(thread));
    sim_thread_destroy(thread);
}

/* A ball on its way, and one that stays, at the corners of every cell. */
static void assert_balls(const BillowDef *def, const BillowView *view)
{
    assert_non_null(view->solid);
    for (int k = 0; k <= view->nz; k++)
        for (int j = 0; j <= view->ny; j++)
            for (int i = 0; i <= view->nx; i++) {
                double at[3] = {i, j, k}, least = 8;
                for (int s = 0; s < def->solid_count; s++) {
                    const BillowSolid *solid = &def->solids[s];
                    double square = 0;
                    for (int a = 0; a < 3; a++) {
                        double center =
                            (double)solid->center[a] + view->time * (double)solid->velocity[a];
                        square += pow(at[a] * (double)view->cell_size - center, 2);
                    }
                    double distance = sqrt(square) - (double)solid->size[0];
                    least = fmin(least, distance / (double)view->cell_size);
                }
                double got = (double)view->solid[i + j * view->stride_y + k * view->stride_z];
                if (fabs(got - fmax(least, -8)) > 1e-3)
                    fail_msg("corner %d %d %d at %g s: %g cells, not %g", i, j, k, view->time, got,
                             least);
            }
}

static void test_snapshots_carry_solids(void **state)
{
    (void)state;
    for (int moving = 0; moving < 2; moving++) {
        BillowDef def = small_def();
        def.solid_count = 2;
        for (int s = 0; s < 2; s++) {
            def.solids[s] = billow_default_solid();
            def.solids[s].size[0] = 0.12f;
            def.solids[s].center[0] = 0.3f;
            def.solids[s].center[1] = 0.3f + 0.4f * (float)s;
            def.solids[s].center[2] = 0.3f;
        }
        def.solids[0].velocity[0] = moving ? 0.9f : 0;
        SimThread *thread = start(&def);
        sim_thread_send(thread, &(SimCommand){SIM_PAUSE, .on = true});
        nap(0.3);
        assert_balls(&def, &sim_thread_snapshot(thread)->view);
        uint64_t base = sim_thread_snapshot(thread)->steps;
        for (uint64_t step = 1; step <= 7; step++) {
            sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
            const SimSnapshot *snapshot = after_steps(thread, base, step);
            assert_near(mass_of(snapshot), snapshot->stats.mass, 1e-6);
            assert_balls(&def, &snapshot->view);
        }
        sim_thread_destroy(thread);
    }
    BillowDef def = small_def();
    SimThread *thread = start_paused(&def);
    assert_null(sim_thread_snapshot(thread)->view.solid);
    sim_thread_destroy(thread);
}

/* Every field that is drawn, value by value, beside solids' corners or without them. */
static void test_snapshots_carry_matter(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        const int solids = run % 2;
        BillowDef def = small_def();
        def.refine = 1 + run / 2;
        def.color = def.fire = true;
        def.emitters[0].color[1] = 0.5f;
        def.emitters[0].fuel = 5;
        def.emitters[0].heat = 3e4f;
        def.tracers = 500;
        def.texture_period = 0.5f;
        def.solid_count = solids;
        def.solids[0] = billow_default_solid();
        BillowError error;
        BillowSim *sim = billow_create(&def, &error);
        Snapshots *snapshots = snapshots_create(&def, &error);
        assert_non_null(sim);
        assert_non_null(snapshots);
        for (int step = 0; step < 10; step++) {
            if (step == 6)
                billow_reset(sim); /* what was there has gone */
            billow_step(sim, STEP);
            BillowView view = billow_view(sim);
            snapshots_publish(snapshots, &view, &(SimSnapshot){.step_ms = 1});
            const BillowView *copy = &snapshots_newest(snapshots)->view;
            const float *from[] = {view.density,       view.temperature,  view.flame,
                                   view.color[0],      view.color[1],     view.color[2],
                                   view.texture[0][1], view.texture[1][0]};
            const float *to[] = {copy->density,       copy->temperature,  copy->flame,
                                 copy->color[0],      copy->color[1],     copy->color[2],
                                 copy->texture[0][1], copy->texture[1][0]};
            assert_int_equal(copy->tracer_count, 500);
            for (int axis = 0; axis < 3; axis++)
                assert_memory_equal(copy->tracer[axis], view.tracer[axis], 500 * sizeof(float));
            assert_memory_equal(copy->tracer_age, view.tracer_age, 500 * sizeof(float));
            const BillowView wind = billow_wind_view(&view), copied = billow_wind_view(copy);
            for (int f = 0; f < 8; f++) {
                const BillowView *a = f < 6 ? &view : &wind, *b = f < 6 ? copy : &copied;
                double sum = 0;
                for (int k = 0; k < a->nz; k++)
                    for (int j = 0; j < a->ny; j++)
                        for (int i = 0; i < a->nx; i++) {
                            float value = from[f][i + j * a->stride_y + k * a->stride_z];
                            assert_true(value == to[f][i + j * b->stride_y + k * b->stride_z]);
                            sum += fabs((double)value);
                        }
                assert_true(sum > 0 || step % 6 == 0);
            }
        }
        snapshots_destroy(snapshots);
        billow_destroy(sim);
    }
}

/* The last slice that was asked for, computed without a step, from the state in the view. */
static void test_slices_come_while_paused(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start_paused(&def);
    uint64_t steps = sim_thread_snapshot(thread)->steps;
    for (int step = 0; step < 5; step++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = after_steps(thread, steps, 5);
    assert_null(snapshot->slice.values);
    for (int kind = FIELD_DENSITY; kind <= FIELD_PRESSURE; kind++) {
        FieldSlice wish = {.kind = (FieldKind)kind, .axis = 2, .position = 5.5f / 16};
        uint64_t slices = sim_thread_snapshot(thread)->slices;
        double end = clock_seconds() + PATIENCE;
        sim_thread_send(thread, &(SimCommand){SIM_SLICE, .slice = wish});
        while ((snapshot = sim_thread_snapshot(thread))->slices == slices)
            if (clock_seconds() > end)
                fail_msg("no slice after %g s", PATIENCE);
        const FieldSlice *slice = &snapshot->slice;
        assert_int_equal(snapshot->steps, steps + 5);
        assert_non_null(slice->values);
        assert_int_equal(slice->kind, kind);
        assert_int_equal(slice->n[0], 12);
        assert_int_equal(slice->n[1], 16);
        assert_true(slice->high > slice->low);
        const BillowView *view = &snapshot->view;
        for (int j = 0; kind == FIELD_DENSITY && j < 16; j++)
            for (int i = 0; i < 12; i++)
                assert_true(slice->values[i + 12 * j] ==
                            view->density[i + j * view->stride_y + 5 * view->stride_z]);
    }
    sim_thread_send(thread, &(SimCommand){.kind = SIM_NO_SLICE});
    double end = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->slice.values != NULL)
        if (clock_seconds() > end)
            fail_msg("a slice after %g s", PATIENCE);
    FieldSlice none = {.kind = FIELD_FUEL}; /* which there is not here */
    sim_thread_send(thread, &(SimCommand){SIM_SLICE, .slice = none});
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    assert_null(after_steps(thread, steps, 6)->slice.values);
    sim_thread_destroy(thread);
}

static void test_a_step_while_running_pauses(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start(&def);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    assert_true(sim_thread_paused(thread));
    assert_still(thread);
    sim_thread_destroy(thread);
}

static void test_reset_starts_again(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    for (int i = 0; i < 4; i++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = after_steps(thread, base, 4);
    assert_true(mass_of(snapshot) > 0);
    reset(thread);
    snapshot = sim_thread_snapshot(thread);
    assert_int_equal(snapshot->resets, 2);
    assert_true(snapshot->stats.time == 0);
    assert_true(mass_of(snapshot) == 0);
    assert_true(sim_thread_paused(thread));
    sim_thread_destroy(thread);
}

/* rate x volume x time for a sphere well inside the box. */
static double released(const BillowEmitter *emitter, double seconds)
{
    return (double)emitter->smoke * 4.0 / 3.0 * 3.14159265358979 *
           pow((double)emitter->size[0], 3) * seconds;
}

static BillowEmitter touch_at(float x)
{
    BillowEmitter touch = billow_default_emitter();
    touch.center[0] = x;
    touch.center[1] = 0.5f;
    touch.center[2] = 0.3f;
    touch.size[0] = 0.15f;
    touch.heat = 0;
    return touch;
}

static void test_brush_adds_mass(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.emitter_count = 0;
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    BillowEmitter left = touch_at(0.3f), right = touch_at(0.45f);
    /* Two places between two steps share one step's release; held, the last one goes on. */
    sim_thread_send(thread, &(SimCommand){SIM_BRUSH, .emitter = left});
    sim_thread_send(thread, &(SimCommand){SIM_BRUSH, .emitter = right});
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    double once = mass_of(after_steps(thread, base, 1));
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    double twice = mass_of(after_steps(thread, base, 2));
    sim_thread_send(thread, &(SimCommand){.kind = SIM_BRUSH_END});
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    double ended = mass_of(after_steps(thread, base, 3));
    double expected = released(&left, STEP);
    assert_near(once, expected, 0.1 * expected);
    assert_near(twice, 2 * expected, 0.2 * expected);
    assert_near(ended, twice, 0.05 * expected);
    sim_thread_destroy(thread);
}

static void test_a_touch_between_steps_is_seen(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.emitter_count = 0;
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    BillowEmitter touch = touch_at(0.4f);
    sim_thread_send(thread, &(SimCommand){SIM_BRUSH, .emitter = touch});
    sim_thread_send(thread, &(SimCommand){.kind = SIM_BRUSH_END});
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    double expected = released(&touch, STEP);
    assert_near(mass_of(after_steps(thread, base, 1)), expected, 0.1 * expected);
    sim_thread_destroy(thread);
}

static void test_detonation_lasts_as_long_as_it_says(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.emitter_count = 0;
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    BillowEmitter detonation = touch_at(0.4f);
    detonation.start = 3;
    detonation.end = 3 + 2.5 * STEP;
    sim_thread_send(thread, &(SimCommand){SIM_DETONATE, .emitter = detonation});
    for (int i = 0; i < 6; i++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    double expected = released(&detonation, 2.5 * STEP);
    assert_near(mass_of(after_steps(thread, base, 6)), expected, 0.1 * expected);
    sim_thread_destroy(thread);
}

/* In a closed box, expansion is left out, and the rest is released. */
static void test_detonation_in_a_closed_box(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.emitter_count = 0;
    def.faces[BILLOW_CEILING] = BILLOW_CLOSED;
    SimThread *thread = start_paused(&def);
    uint64_t base = sim_thread_snapshot(thread)->steps;
    BillowEmitter detonation = touch_at(0.4f);
    detonation.expansion = 20;
    detonation.end = 1.5 * STEP;
    sim_thread_send(thread, &(SimCommand){SIM_DETONATE, .emitter = detonation});
    for (int i = 0; i < 2; i++)
        sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = after_steps(thread, base, 2);
    double expected = released(&detonation, 1.5 * STEP);
    assert_near(mass_of(snapshot), expected, 0.1 * expected);
    assert_true(snapshot->stats.divergence_max < 0.1);
    sim_thread_destroy(thread);
}

/* The newest snapshot once a projection may take so many cycles. */
static const SimSnapshot *after_cap(SimThread *thread, int cap)
{
    double end = clock_seconds() + PATIENCE;
    while (sim_thread_snapshot(thread)->cycles_cap != cap) {
        if (clock_seconds() > end)
            fail_msg("%d cycles, never %d", sim_thread_snapshot(thread)->cycles_cap, cap);
        nap(0.001);
    }
    return sim_thread_snapshot(thread);
}

/* Steps of 0.1 ms in a box with which no machine keeps up. Averages forget a disturbed step in a
 * few thousand of them. */
static void test_too_slow_takes_fewer_cycles(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.nx *= 3;
    def.ny *= 3;
    def.nz *= 3;
    def.cell_size /= 3;
    def.params.tolerance = 1e-6f;
    BillowError error = {{0}};
    SimThread *thread = sim_thread_start(&def, NULL, NULL, 1e-4, NULL, 0, &error);
    assert_non_null(thread);
    assert_int_equal(sim_thread_wait(thread, &error), SIM_THREAD_RUNNING);
    assert_int_equal(sim_thread_snapshot(thread)->cycles_cap, def.params.cycles);
    const SimSnapshot *snapshot = after_cap(thread, 1);
    assert_int_equal(snapshot->cycles_most, def.params.cycles);
    assert_true(snapshot->stats.cycles <= 1);
    assert_true(snapshot->cut == (snapshot->stats.cycles == 1));
    sim_thread_send(thread, &(SimCommand){SIM_EXACT, .on = true});
    assert_false(after_cap(thread, def.params.cycles)->cut);
    sim_thread_send(thread, &(SimCommand){SIM_EXACT, .on = false});
    after_cap(thread, 1);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    after_cap(thread, def.params.cycles);
    sim_thread_destroy(thread);
}

/* View and statistics agree only if both are of the same step. */
static void test_snapshots_are_whole_and_in_order(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start(&def);
    double time = -1, end = clock_seconds() + 2;
    uint64_t resets = 0;
    int seen = 0;
    for (int turn = 0; clock_seconds() < end || seen < 4; turn++) {
        if (clock_seconds() > end + PATIENCE)
            fail_msg("only %d states seen", seen);
        const SimSnapshot *snapshot = sim_thread_snapshot(thread);
        if (snapshot->resets == resets && snapshot->stats.time < time)
            fail_msg("time went from %g to %g", time, snapshot->stats.time);
        seen += snapshot->stats.time != time;
        time = snapshot->stats.time;
        resets = snapshot->resets;
        assert_true(snapshot->view.time == time);
        assert_int_equal(snapshot->view.nx, def.nx);
        double mass = mass_of(snapshot);
        if (fabs(mass - snapshot->stats.mass) > 1e-4 * fabs(mass) + 1e-9)
            fail_msg("view holds %g, statistics say %g", mass, snapshot->stats.mass);
        if (turn == 1000)
            sim_thread_send(thread, &(SimCommand){.kind = SIM_RESET});
    }
    sim_thread_destroy(thread);
}

static void test_quit_while_running_is_prompt(void **state)
{
    (void)state;
    BillowDef def = small_def();
    SimThread *thread = start(&def);
    nap(0.1);
    double begin = clock_seconds();
    sim_thread_send(thread, &(SimCommand){.kind = SIM_QUIT});
    while (sim_thread_state(thread, NULL) != SIM_THREAD_ENDED)
        if (clock_seconds() - begin > PATIENCE)
            fail_msg("still running after %g s", PATIENCE);
    double waited = clock_seconds() - begin;
    if (waited > 5)
        fail_msg("took %g s to quit", waited);
    sim_thread_destroy(thread);

    thread = start_paused(&def); /* asleep */
    sim_thread_destroy(thread);
    BillowError error;
    thread =
        sim_thread_start(&def, NULL, NULL, STEP, NULL, 0, &error); /* perhaps not yet created */
    assert_non_null(thread);
    sim_thread_destroy(thread);
    sim_thread_destroy(NULL);
}

static void test_failed_creation_says_why(void **state)
{
    (void)state;
    BillowDef def = small_def();
    def.nx = 3;
    BillowError error = {{0}};
    SimThread *thread = sim_thread_start(&def, NULL, NULL, STEP, NULL, 0, &error);
    assert_non_null(thread);
    assert_int_equal(sim_thread_wait(thread, &error), SIM_THREAD_FAILED);
    assert_true(strlen(error.text) > 0);
    assert_null(sim_thread_snapshot(thread));
    assert_int_equal(sim_thread_threads(thread), 0);
    sim_thread_destroy(thread);
}

/* -- solids in the hand -------------------------------------------------------------------------
 */

static BillowDef ball_def(BillowMotion motion)
{
    BillowDef def = small_def();
    def.nx = 40;
    def.solid_count = 1;
    def.emitter_count = 0;
    def.solids[0] = billow_default_solid();
    def.solids[0].size[0] = 0.15f;
    def.solids[0].center[0] = 0.3f;
    def.solids[0].center[2] = 0.3f;
    def.solids[0].motion = motion;
    def.solids[0].velocity[2] = 0.06f;
    return def;
}

static const BillowSolid *ball_after(SimThread *thread, uint64_t *steps)
{
    sim_thread_send(thread, &(SimCommand){.kind = SIM_STEP});
    const SimSnapshot *snapshot = await_steps(thread, *steps, 1);
    *steps = snapshot->steps;
    assert_int_equal(snapshot->solid_count, 1);
    assert_int_equal(snapshot->stats.nonfinite, 0);
    return &snapshot->solids[0];
}

static void test_a_solid_follows_the_hand(void **state)
{
    (void)state;
    BillowDef def = ball_def(BILLOW_DRIVEN);
    SimThread *thread = start_paused(&def);
    uint64_t steps = sim_thread_snapshot(thread)->steps;
    const float near[3] = {0.9f, 0.6f, 0.3f}, far[3] = {2.4f, 0.5f, 0.3f};
    grab(thread, 3, near); /* there is none */
    assert_near((double)ball_after(thread, &steps)->center[0], 0.3, 1e-6);
    grab(thread, 0, near);
    const BillowSolid *ball = ball_after(thread, &steps);
    for (int axis = 0; axis < 3; axis++)
        assert_near((double)ball->center[axis], (double)near[axis], 1e-5);
    assert_near((double)ball->velocity[0], 0.6 / STEP, 1e-3);
    ball = ball_after(thread, &steps); /* held where it is */
    assert_near((double)ball->center[0], 0.9, 1e-5);
    assert_near((double)ball->velocity[0], 0, 1e-2);
    grab(thread, 0, far); /* 24 cells: 20 now */
    ball = ball_after(thread, &steps);
    assert_near(hypot((double)ball->center[0] - 0.9, (double)ball->center[1] - 0.6), 20.0 / 16,
                1e-4);
    ball = ball_after(thread, &steps);
    assert_near((double)ball->center[0], 2.4, 1e-5);
    for (int step = 0; step < 3; step++)
        ball_after(thread, &steps);
    sim_thread_send(thread, &(SimCommand){.kind = SIM_LET_GO});
    ball = ball_after(thread, &steps); /* goes on as it did before */
    assert_near((double)ball->velocity[0], 0, 0);
    assert_near((double)ball->velocity[2], 0.06, 1e-7);
    assert_near((double)ball->center[2], 0.301, 1e-5);
    grab(thread, 0, near);
    reset(thread);
    steps = sim_thread_snapshot(thread)->steps;
    ball = ball_after(thread, &steps);
    assert_near((double)ball->center[0], 0.3, 1e-6);
    sim_thread_destroy(thread);
}

/* A released solid that does not fall flies on with the mean speed of the hand over three steps,
 * slows down, stays in the box, and then moves as before. A solid grabbed in flight stops. */
static void test_what_is_thrown_comes_to_rest(void **state)
{
    (void)state;
    BillowDef def = ball_def(BILLOW_DRIVEN);
    SimThread *thread = start_paused(&def);
    uint64_t steps = sim_thread_snapshot(thread)->steps;
    float place[3] = {0.3f, 0.5f, 0.3f};
    for (int step = 0; step < 5; step++) {
        place[0] += step == 3 ? 0 : 0.03f; /* the mouse rests for one step */
        grab(thread, 0, place);
        ball_after(thread, &steps);
    }
    sim_thread_send(thread, &(SimCommand){.kind = SIM_LET_GO});
    const BillowSolid *ball = ball_after(thread, &steps);
    double before = (double)ball->velocity[0];
    assert_near(before, 0.02 / STEP, 1e-3);
    assert_near((double)ball->center[0], (double)place[0] + 0.02, 1e-4);
    for (int step = 0; step < 10; step++) {
        ball = ball_after(thread, &steps);
        assert_true((double)ball->velocity[0] < before);
        before = (double)ball->velocity[0];
    }
    assert_true(before > 0);
    for (int step = 0; step < 200; step++)
        ball = ball_after(thread, &steps);
    assert_near((double)ball->velocity[0], 0, 0);
    assert_near((double)ball->velocity[2], 0.06, 1e-7);
    assert_true((double)ball->center[0] <= (double)def.nx * (double)def.cell_size);
    sim_thread_destroy(thread);
}

static void test_a_solid_can_be_thrown(void **state)
{
    (void)state;
    BillowDef def = ball_def(BILLOW_FALLING);
    SimThread *thread = start_paused(&def);
    uint64_t steps = sim_thread_snapshot(thread)->steps;
    float place[3] = {0.3f, 0.5f, 0.3f};
    grab(thread, 0, place);
    for (int step = 0; step < 4; step++) {
        const BillowSolid *ball = ball_after(thread, &steps);
        assert_near((double)ball->center[1], 0.5, 1e-5); /* does not fall */
        assert_near((double)ball->center[0], (double)place[0], 1e-5);
        place[0] += 0.05f;
        grab(thread, 0, place);
    }
    sim_thread_send(thread, &(SimCommand){.kind = SIM_LET_GO});
    const BillowSolid *ball = ball_after(thread, &steps);
    assert_true(ball->motion == BILLOW_FALLING);
    assert_near((double)ball->velocity[0], 0.05 / STEP, 1e-2);
    assert_near((double)ball->center[0], 0.5, 1e-4);
    assert_near((double)ball->center[1], 0.5 - 0.5 * 9.81 * STEP * STEP, 1e-5);
    sim_thread_destroy(thread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_with_the_clock),
        cmocka_unit_test(test_snapshots_follow_the_box),
        cmocka_unit_test(test_pause_holds_still),
        cmocka_unit_test(test_single_steps_are_exact),
        cmocka_unit_test(test_snapshots_carry_solids),
        cmocka_unit_test(test_snapshots_carry_matter),
        cmocka_unit_test(test_a_solid_follows_the_hand),
        cmocka_unit_test(test_what_is_thrown_comes_to_rest),
        cmocka_unit_test(test_a_solid_can_be_thrown),
        cmocka_unit_test(test_slices_come_while_paused),
        cmocka_unit_test(test_a_step_while_running_pauses),
        cmocka_unit_test(test_reset_starts_again),
        cmocka_unit_test(test_brush_adds_mass),
        cmocka_unit_test(test_a_touch_between_steps_is_seen),
        cmocka_unit_test(test_detonation_lasts_as_long_as_it_says),
        cmocka_unit_test(test_detonation_in_a_closed_box),
        cmocka_unit_test(test_too_slow_takes_fewer_cycles),
        cmocka_unit_test(test_snapshots_are_whole_and_in_order),
        cmocka_unit_test(test_quit_while_running_is_prompt),
        cmocka_unit_test(test_failed_creation_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
