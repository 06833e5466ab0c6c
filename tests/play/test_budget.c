/* SPDX-License-Identifier: MIT
 * The cap on pressure cycles that keeps a simulation at the speed of the clock, on simulated
 * machines, and the text that the window shows of it. */
#include "app/figures.h"
#include "play/budget.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LIMIT 16.0 /* ms */

/* A machine and what it simulates: ms a step, but for the pressure; a projection's, but for its
 * cycles; a cycle's; the cycles that reach the tolerance; the share by which times scatter. */
typedef struct Machine {
    double rest, fixed, cycle;
    int needed;
    double scatter;
    unsigned seed;
} Machine;

/* Observations over a period of time. */
typedef struct Seen {
    int changes, lowest, highest;
    double late_ms; /* time in which steps took longer than the limit */
} Seen;

static double scattered(Machine *machine, double ms)
{
    machine->seed = machine->seed * 1664525u + 1013904223u;
    return ms * (1 + machine->scatter * ((machine->seed >> 8) / 8388608.0 - 1));
}

static BudgetStep step_on(Machine *machine, int cap)
{
    int cycles = machine->needed < cap ? machine->needed : cap;
    double pressure = scattered(machine, machine->fixed + machine->cycle * cycles);
    return (BudgetStep){scattered(machine, machine->rest) + pressure, pressure, cycles};
}

static Seen play(Budget *budget, Machine *machine, double seconds)
{
    Seen seen = {0, budget->cap, budget->cap, 0};
    for (double ms = 0; ms < seconds * 1e3;) {
        BudgetStep step = step_on(machine, budget->cap);
        int before = budget->cap;
        bool changed = budget_observe(budget, &step);
        assert_true(changed == (budget->cap != before));
        assert_true(budget->cap >= budget->least && budget->cap <= budget->most);
        seen.changes += changed;
        seen.lowest = budget->cap < seen.lowest ? budget->cap : seen.lowest;
        seen.highest = budget->cap > seen.highest ? budget->cap : seen.highest;
        seen.late_ms += step.ms > LIMIT ? step.ms : 0;
        ms += fmax(step.ms, LIMIT);
    }
    return seen;
}

static Budget start(int cycles)
{
    BillowParams params = billow_default_params();
    params.cycles = cycles;
    return budget_start(&params, LIMIT);
}

static void a_fast_machine_is_left_alone(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {6, 1, 1, 5, 0.2, 1};
    Seen seen = play(&budget, &machine, 60);
    assert_int_equal(seen.changes, 0);
    assert_int_equal(budget.cap, 8);
}

/* 8 + 1 + 2.6 n <= 0.95 * 16: two cycles fit. */
static void settles_where_steps_fit(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {8, 1, 2.6, 8, 0.1, 2};
    play(&budget, &machine, 5);
    assert_int_equal(budget.cap, 2);
    Seen seen = play(&budget, &machine, 300);
    assert_int_equal(seen.changes, 0);
    assert_true(seen.late_ms == 0);
}

/* One cycle leaves clear headroom, 12.5 ms of 16, and two would be late: no rise is tried. */
static void expects_what_a_rise_costs(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {8, 1, 3.5, 8, 0.05, 11};
    play(&budget, &machine, 5);
    assert_int_equal(budget.cap, 1);
    assert_int_equal(play(&budget, &machine, 300).changes, 0);
}

static void a_hopeless_load_gets_the_least(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {90, 10, 30, 4, 0.1, 3};
    play(&budget, &machine, 5);
    assert_int_equal(budget.cap, 1);
    assert_int_equal(play(&budget, &machine, 300).changes, 0);
    BillowParams params = billow_default_params();
    params.pressure = BILLOW_RELAXATION;
    params.sweeps = 30;
    budget = budget_start(&params, LIMIT);
    machine.needed = 40;
    play(&budget, &machine, 5);
    assert_int_equal(budget.cap, 8); /* a quarter, rounded up */
    assert_int_equal(play(&budget, &machine, 300).changes, 0);
}

static void recovers_when_the_load_goes(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine busy = {40, 4, 10, 4, 0.1, 4}, idle = {4, 0.4, 1, 4, 0.1, 5};
    for (int round = 0; round < 3; round++) {
        play(&budget, &busy, 5);
        assert_int_equal(budget.cap, 1);
        play(&budget, &idle, 10);
        assert_int_equal(budget.cap, 8);
    }
}

/* A machine that others keep busy by turns, up to five times as slow and wildly scattered: two
 * seconds after they have left, the tolerance is within reach again, every time. */
static void recovers_between_bursts(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 100; seed++) {
        Budget budget = start(8);
        Machine quiet = {6, 0.5, 1, 2, 0.2, seed};
        for (int burst = 0; burst < 20; burst++) {
            double slow = 2 + 3 * (seed % 7) / 6.0;
            Machine busy = {6 * slow, 0.5 * slow, slow, 2, 0.9, seed * 100 + (unsigned)burst};
            play(&budget, &busy, 0.5 + 0.4 * (burst % 5));
            Seen seen = play(&budget, &quiet, 2);
            if (budget.cap < 2)
                fail_msg("seed %u, burst %d: still %d after 2 s", seed, burst, budget.cap);
            assert_true(seen.changes <= 4);
        }
    }
}

/* Rises that failed while the machine was busy say nothing of one that is not. */
static void forgets_when_the_load_goes(void **state)
{
    (void)state;
    Budget budget = start(8);
    for (double ms = 0; ms < 300e3 && budget.patience < 15e3;) { /* ends where a rise failed */
        double pressure = budget.cap == 1 ? 1 : 25;
        BudgetStep step = {9 + pressure, pressure, budget.cap};
        budget_observe(&budget, &step);
        ms += fmax(step.ms, LIMIT);
    }
    assert_true(budget.patience > 15e3 && budget.cap == 1);
    Machine quiet = {6, 0.5, 1, 2, 0.1, 12};
    play(&budget, &quiet, 2);
    assert_true(budget.cap >= 2);
}

/* A step in a hundred takes ten times as long, whatever its cycles. */
static void hiccups_cut_nothing(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {6, 0.5, 1, 2, 0.1, 13}, hiccup = {120, 10, 20, 2, 0.1, 14};
    for (int second = 0; second < 60; second++) {
        assert_int_equal(play(&budget, &machine, 1.5).changes, 0);
        BudgetStep late = step_on(&hiccup, budget.cap);
        assert_false(budget_observe(&budget, &late));
    }
    play(&budget, &hiccup, 5);
    assert_int_equal(budget.cap, 1);
    for (int second = 0; second < 4; second++) {
        play(&budget, &machine, 0.8);
        BudgetStep late = step_on(&hiccup, budget.cap);
        budget_observe(&budget, &late);
    }
    assert_true(budget.cap >= 2);
}

/* Every load around the threshold, and times that scatter by a fifth either way. */
static void does_not_swing_about_the_threshold(void **state)
{
    (void)state;
    for (unsigned tenths = 80; tenths <= 180; tenths++) {
        Budget budget = start(8);
        double load = tenths / 10.0 - 0.5;
        Machine machine = {0.6 * load, 0.1 * load, 0.1 * load, 3, 0.2, tenths};
        play(&budget, &machine, 10);
        Seen seen = play(&budget, &machine, 120);
        if (seen.changes > 4)
            fail_msg("a load of %g ms: %d changes, %d..%d", load, seen.changes, seen.lowest,
                     seen.highest);
    }
}

/* Costs that jump with the cap, as no prediction knows: each rise is too bold, and comes later than
 * the one before. */
static void patience_grows(void **state)
{
    (void)state;
    Budget budget = start(2);
    int changes[3] = {0};
    for (int part = 0; part < 3; part++)
        for (double ms = 0; ms < 60e3;) {
            BudgetStep step = {budget.cap == 1 ? 6 : 30, budget.cap == 1 ? 1 : 25, budget.cap};
            changes[part] += budget_observe(&budget, &step);
            ms += fmax(step.ms, LIMIT);
        }
    assert_true(changes[0] > 2 && changes[1] < changes[0] && changes[2] <= 6);
}

static void one_late_step_changes_nothing(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine machine = {7, 1, 1, 3, 0, 6}, hiccup = {30, 3, 3, 3, 0, 7};
    play(&budget, &machine, 3);
    BudgetStep late = step_on(&hiccup, budget.cap);
    assert_false(budget_observe(&budget, &late));
    assert_int_equal(play(&budget, &machine, 10).changes, 0);
}

/* Cycles that take less than a tenth of a step, as in a scene of fine smoke, are not cut. */
static void few_cycles_are_left_alone(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine smoke = {40, 0.2, 0.4, 8, 0.1, 11};
    assert_int_equal(play(&budget, &smoke, 60).changes, 0);
}

/* At rest there is nothing to project, and nothing to save. */
static void no_cycles_are_no_trouble(void **state)
{
    (void)state;
    Budget budget = start(8);
    Machine still = {5, 1, 0, 0, 0.1, 8}, late = {40, 1, 0, 0, 0.1, 9},
            busy = {8, 1, 3, 8, 0.1, 10};
    assert_int_equal(play(&budget, &still, 10).changes, 0);
    assert_int_equal(play(&budget, &late, 10).changes, 0);
    assert_int_equal(play(&budget, &still, 10).changes, 0);
    play(&budget, &busy, 10);
    assert_int_equal(budget.cap, 2);
}

static void one_sweep_is_the_least(void **state)
{
    (void)state;
    BillowParams params = billow_default_params();
    params.pressure = BILLOW_RELAXATION;
    params.sweeps = 1;
    Budget budget = budget_start(&params, LIMIT);
    assert_true(budget.least == 1 && budget.most == 1 && budget.cap == 1);
}

static void says_what_was_cut(void **state)
{
    (void)state;
    char text[FIGURE_LENGTH];
    BillowStats stats = {.pressure = BILLOW_MULTIGRID, .cycles = 2, .residual_relative = 8.3e-4};
    figures_pressure(text, sizeof text, &stats, false);
    assert_string_equal(text, "multigrid, 2 cycles, leaves 0.083 % of the divergence");
    stats.cycles = 1;
    stats.residual_relative = 0.041;
    figures_pressure(text, sizeof text, &stats, false);
    assert_string_equal(text, "multigrid, 1 cycle, leaves 4.1 % of the divergence");
    figures_pressure(text, sizeof text, &stats, true);
    assert_string_equal(text, "multigrid, 1 cycle (cut for speed), leaves 4.1 % of the divergence");
    stats.pressure = BILLOW_RELAXATION;
    stats.cycles = 5;
    stats.residual_relative = 0.9;
    figures_pressure(text, sizeof text, &stats, true);
    assert_string_equal(text,
                        "relaxation, 5 sweeps (cut for speed), leaves 90 % of the divergence");
    stats.pressure = BILLOW_CONJUGATE_GRADIENTS;
    stats.cycles = 1000;
    stats.residual_relative = 0.002;
    figures_pressure(text, sizeof text, &stats, true);
    assert_string_equal(
        text, "conjugate gradients, 1000 cycles (cut for speed), leaves 0.20 % of the divergence");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_machine_is_left_alone),
        cmocka_unit_test(settles_where_steps_fit),
        cmocka_unit_test(expects_what_a_rise_costs),
        cmocka_unit_test(a_hopeless_load_gets_the_least),
        cmocka_unit_test(recovers_when_the_load_goes),
        cmocka_unit_test(recovers_between_bursts),
        cmocka_unit_test(forgets_when_the_load_goes),
        cmocka_unit_test(hiccups_cut_nothing),
        cmocka_unit_test(does_not_swing_about_the_threshold),
        cmocka_unit_test(patience_grows),
        cmocka_unit_test(one_late_step_changes_nothing),
        cmocka_unit_test(few_cycles_are_left_alone),
        cmocka_unit_test(no_cycles_are_no_trouble),
        cmocka_unit_test(one_sweep_is_the_least),
        cmocka_unit_test(says_what_was_cut),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
