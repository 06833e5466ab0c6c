/* SPDX-License-Identifier: MIT
 * Several hands act in one simulation: none overwrites another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "play/shared.h"
#include <math.h>

enum { CELLS = 16 };
#define STEP 0.02

typedef struct Table {
    BillowDef def;
    BillowSim *sim;
    Hands hands;
} Table;

/* A ball at rest at the middle of an open box. */
static Table open_table(void)
{
    Table table = {.hands.steps = 1, .def = billow_default_def()};
    BillowError error = {{0}};
    table.def.nx = table.def.ny = table.def.nz = CELLS;
    table.def.cell_size = 1.0f / CELLS;
    table.def.threads = 1;
    table.def.solid_count = 1;
    table.def.solids[0] = billow_default_solid();
    table.def.solids[0].size[0] = 0.1f;
    for (int axis = 0; axis < 3; axis++)
        table.def.solids[0].center[axis] = 0.5f;
    table.sim = billow_create(&table.def, &error);
    if (table.sim == NULL)
        fail_msg("%s", error.text);
    return table;
}

static void send(Table *table, SimCommand command)
{
    assert_true(hands_apply(&table->hands, &table->def, &command));
}

static void step(Table *table)
{
    hands_act(&table->hands, table->sim, &table->def, STEP);
    assert_true(billow_step(table->sim, STEP));
}

static void stroke(Table *table, int hand, float x, float y)
{
    BillowEmitter touch = billow_default_emitter();
    touch.center[0] = x;
    touch.center[1] = y;
    touch.center[2] = 0.5f;
    touch.size[0] = 0.08f;
    touch.smoke = 10;
    touch.heat = 0;
    send(table, (SimCommand){SIM_BRUSH, hand, .emitter = touch});
}

/* Sum of the density in the cells from `low` to `high` in x, as shares of the box. */
static double smoke_in(const Table *table, double low, double high)
{
    BillowView view = billow_view(table->sim);
    double sum = 0;
    for (int z = 0; z < view.nz; z++)
        for (int y = 0; y < view.ny; y++)
            for (int x = (int)(low * CELLS); x < (int)(high * CELLS); x++)
                sum += (double)view.density[x + y * view.stride_y + z * view.stride_z];
    return sum;
}

static void two_hands_stroke_at_once(void **state)
{
    (void)state;
    Table table = open_table();
    stroke(&table, 0, 0.2f, 0.5f);
    stroke(&table, 1, 0.8f, 0.5f);
    step(&table);
    double left = smoke_in(&table, 0, 0.5), right = smoke_in(&table, 0.5, 1);
    assert_true(left > 0.1);
    assert_true(fabs(left - right) < 0.01 * left);
    send(&table, (SimCommand){SIM_BRUSH_END, 0, .on = false});
    step(&table);
    assert_true(fabs(smoke_in(&table, 0, 0.5) - left) < 0.02 * left);
    assert_true(fabs(smoke_in(&table, 0.5, 1) - 2 * right) < 0.02 * right);
    billow_destroy(table.sim);
}

/* Each hand of all has its place in a step) < however many places the others have. */
static void no_hand_is_left_without(void **state)
{
    (void)state;
    Table table = open_table();
    for (int hand = 0; hand < SIM_HANDS_MAX; hand++)
        for (int place = 0; place < STROKE_MAX; place++)
            stroke(&table, hand, (0.5f + (float)hand) / SIM_HANDS_MAX, 0.1f);
    step(&table);
    double first = smoke_in(&table, 0, 1.0 / SIM_HANDS_MAX);
    double last = smoke_in(&table, 1 - 1.0 / SIM_HANDS_MAX, 1);
    assert_true(first > 0.1);
    assert_true(fabs(last - first) < 0.05 * first);
    billow_destroy(table.sim);
}

/* Largest part of the velocity along x. */
static double speed_of(const Table *table)
{
    BillowView view = billow_view(table->sim);
    double most = 0;
    for (int z = 0; z < view.nz; z++)
        for (int y = 0; y < view.ny; y++)
            for (int x = 0; x < view.nx; x++)
                most = fmax(most, fabs((double)view.u[x + y * view.stride_y + z * view.stride_z]));
    return most;
}

static void forces_of_two_hands_cancel(void **state)
{
    (void)state;
    Table table = open_table();
    BillowForce force = billow_default_force();
    force.kind = BILLOW_ATTRACTOR;
    for (int axis = 0; axis < 3; axis++)
        force.center[axis] = 0.3f;
    force.radius = 0.2f;
    force.strength = 10;
    send(&table, (SimCommand){SIM_PUSH, 2, .force = force});
    force.strength = -10;
    send(&table, (SimCommand){SIM_PUSH, 5, .force = force});
    step(&table);
    assert_true(speed_of(&table) < 1e-5);
    send(&table, (SimCommand){SIM_BRUSH_END, 5, .on = false});
    step(&table);
    assert_true(speed_of(&table) > 1e-3);
    billow_destroy(table.sim);
}

static double ball_x(const Table *table)
{
    return (double)billow_solid(table->sim, 0)->center[0];
}

static void pull(Table *table, int hand, float x)
{
    send(table, (SimCommand){SIM_GRAB, hand, .grab = {0, {x, 0.5f, 0.5f}}});
}

static void a_solid_is_held_by_one_hand(void **state)
{
    (void)state;
    Table table = open_table();
    pull(&table, 3, 0.7f);
    pull(&table, 0, 0.2f);
    step(&table);
    assert_true(fabs(ball_x(&table) - 0.7) < 1e-3);
    send(&table, (SimCommand){SIM_LET_GO, 3, .on = false});
    pull(&table, 0, 0.2f); /* too early */
    step(&table);
    assert_true(ball_x(&table) > 0.69);
    pull(&table, 0, 0.4f); /* catches it: it was thrown */
    step(&table);
    assert_true(fabs(ball_x(&table) - 0.4) < 1e-3);
    step(&table);
    send(&table, (SimCommand){SIM_LET_GO, 0, .on = false});
    for (int i = 0; i < 200; i++)
        step(&table);
    assert_int_equal(billow_solid(table.sim, 0)->motion, table.def.solids[0].motion);
    assert_true(billow_solid(table.sim, 0)->velocity[0] == 0);
    billow_destroy(table.sim);
}

static void a_reset_opens_all_hands(void **state)
{
    (void)state;
    Table table = open_table();
    stroke(&table, 4, 0.2f, 0.5f);
    pull(&table, 1, 0.7f);
    table.hands.steps = 3;
    hands_reset(&table.hands);
    assert_false(hands_brush(&table.hands));
    assert_true(table.hands.steps == 3);
    step(&table);
    assert_true(smoke_in(&table, 0, 1) == 0 && ball_x(&table) == 0.5);
    billow_destroy(table.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hands_stroke_at_once),   cmocka_unit_test(no_hand_is_left_without),
        cmocka_unit_test(forces_of_two_hands_cancel), cmocka_unit_test(a_solid_is_held_by_one_hand),
        cmocka_unit_test(a_reset_opens_all_hands),
    };
    return cmocka_run_group_tests_name("sim_hands", tests, NULL, NULL);
}
