/* SPDX-License-Identifier: MIT
 * A hand's grip on a solid: the velocities that it gives, in closed form. */
#include "sim_fixture.h"

#include "play/sim_hands.h"

enum { EDGE = 32 };
#define CELL (1.0f / 16)
#define STEP 0.02

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g, not %.9g", value, expected);
}

static BillowSim *ball_in_a_box(BillowDef *def, BillowMotion motion)
{
    *def = quiet_def(EDGE, EDGE, EDGE, BILLOW_CLOSED);
    def->cell_size = CELL;
    def->solid_count = 1;
    def->solids[0] = billow_default_solid();
    def->solids[0].size[0] = 0.2f;
    def->solids[0].motion = motion;
    def->solids[0].velocity[2] = 0.03f;
    for (int axis = 0; axis < 3; axis++)
        def->solids[0].center[axis] = 1;
    return make(def);
}

/* A velocity of the solid after a call of grip_move, and the step after it. */
static void move(Grip *grip, BillowSim *sim, const BillowDef *def, const Grasp *grasp,
                 double velocity[3])
{
    grip_move(grip, sim, def, STEP, grasp);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = (double)billow_solid(sim, 0)->velocity[axis];
    assert_true(billow_step(sim, STEP));
}

/* The solid is where the hand is after each step, at most 20 cells from where it was. */
static void a_hand_pulls_to_its_place(void **state)
{
    (void)state;
    static const float paces[][3] = {
        {0.02f, 0, 0}, {0, -0.05f, 0.01f}, {0.3f, 0.4f, 0}, {-0.9f, 0, -1}, {0, 0, 0}};
    BillowDef def;
    BillowSim *sim = ball_in_a_box(&def, BILLOW_DRIVEN);
    Grip grip = {0};
    Grasp grasp = {.holds = true, .center = {1, 1, 1}};
    double velocity[3];
    for (size_t p = 0; p < sizeof paces / sizeof paces[0]; p++) {
        const BillowSolid before = *billow_solid(sim, 0);
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            grasp.center[axis] += paces[p][axis];
            square += pow((double)(grasp.center[axis] - before.center[axis]), 2);
        }
        double share = fmin(1, 20 * (double)CELL / fmax(sqrt(square), 1e-9));
        move(&grip, sim, &def, &grasp, velocity);
        for (int axis = 0; axis < 3; axis++) {
            double way = share * (double)(grasp.center[axis] - before.center[axis]);
            assert_near(velocity[axis], way / STEP, 1e-4);
            assert_near((double)(billow_solid(sim, 0)->center[axis] - before.center[axis]), way,
                        1e-5);
        }
        assert_int_equal(billow_solid(sim, 0)->motion, BILLOW_DRIVEN);
    }
    billow_destroy(sim);
}

/* Pulls the ball by these paces along x, one per step, and lets go. Returns the velocity of the
 * step after. */
static double thrown_by(Grip *grip, BillowSim *sim, const BillowDef *def, const float *paces,
                        int count)
{
    Grasp grasp = {.holds = true, .center = {1, 1, 1}};
    double velocity[3];
    for (int p = 0; p < count; p++) {
        grasp.center[0] += paces[p];
        move(grip, sim, def, &grasp, velocity);
    }
    grasp.holds = false;
    move(grip, sim, def, &grasp, velocity);
    assert_near(velocity[1], 0, 1e-6);
    return velocity[0];
}

/* The mean velocity of the last three steps, or of all if there were fewer. */
static void a_throw_is_the_mean_of_three_steps(void **state)
{
    (void)state;
    static const float paces[] = {0.04f, -0.01f, 0.03f, 0.002f, 0.013f};
    for (int motion = BILLOW_DRIVEN; motion <= BILLOW_FALLING; motion++)
        for (int count = 1; count <= 5; count++) {
            BillowDef def;
            BillowSim *sim = ball_in_a_box(&def, (BillowMotion)motion);
            Grip grip = {0};
            double sum = 0;
            int counted = count < 3 ? count : 3;
            for (int p = count - counted; p < count; p++)
                sum += (double)paces[p];
            assert_near(thrown_by(&grip, sim, &def, paces, count), sum / counted / STEP, 2e-4);
            assert_int_equal(billow_solid(sim, 0)->motion, motion);
            assert_int_equal(grip.gliding, motion == BILLOW_DRIVEN);
            billow_destroy(sim);
        }
}

/* v = v0 exp(-t / 0.3 s), hence the place x0 + h v0 (1 - q^n) / (1 - q), q = exp(-h / 0.3 s) for
 * steps h, until the ball moves less than a hundredth of a cell in a step. Then it has the velocity
 * from before. */
static void a_thrown_solid_slows_down(void **state)
{
    (void)state;
    static const float pace[] = {0.03f};
    BillowDef def;
    BillowSim *sim = ball_in_a_box(&def, BILLOW_DRIVEN);
    Grip grip = {0};
    double first = thrown_by(&grip, sim, &def, pace, 1), q = exp(-STEP / 0.3), velocity[3];
    double from = 1 + (double)pace[0];
    int n = 1;
    assert_near(first, (double)pace[0] / STEP, 1e-4);
    for (; n < 300; n++) {
        assert_near((double)billow_solid(sim, 0)->center[0],
                    from + STEP * first * (1 - pow(q, n)) / (1 - q), 1e-4);
        move(&grip, sim, &def, &(Grasp){.holds = false}, velocity);
        if (!grip.gliding)
            break;
        assert_near(velocity[0], first * pow(q, n), 1e-4);
    }
    double last = first * pow(q, n) * STEP / (double)CELL; /* in cells per step */
    assert_true(last <= 0.01 && last > 0.01 * q);
    assert_near(velocity[0], 0, 0);
    assert_near(velocity[2], 0.03, 1e-7);
    billow_destroy(sim);
}

/* The centre stays within the box, and the other components go on. */
static void a_thrown_solid_stops_at_the_box(void **state)
{
    (void)state;
    for (int side = 0; side < 6; side++) {
        BillowDef def;
        BillowSim *sim = ball_in_a_box(&def, BILLOW_DRIVEN);
        Grip grip = {0};
        int axis = side / 2, other = (axis + 1) % 3;
        float sign = side % 2 == 0 ? -1 : 1;
        Grasp grasp = {.holds = true, .center = {1, 1, 1}};
        double velocity[3], before;
        grasp.center[axis] += sign * 0.8f;
        grasp.center[other] += 0.05f;
        move(&grip, sim, &def, &grasp, velocity);
        grasp.holds = false;
        before = velocity[other];
        move(&grip, sim, &def, &grasp, velocity);
        assert_near(velocity[axis], 0, 0);
        assert_near(velocity[other], before, 1e-4);
        assert_near((double)billow_solid(sim, 0)->center[axis], 1 + 0.8 * (double)sign, 1e-4);
        billow_destroy(sim);
    }
}

/* What is taken in flight or whose flight is ended has its own velocity afterwards. */
static void a_flight_can_be_ended(void **state)
{
    (void)state;
    static const float paces[] = {0.02f, 0.02f};
    BillowDef def;
    BillowSim *sim = ball_in_a_box(&def, BILLOW_DRIVEN);
    Grip grip = {0};
    assert_near(thrown_by(&grip, sim, &def, paces, 2), 1, 1e-4);
    assert_true(grip.gliding);
    grip_stop(&grip, sim, &def);
    assert_false(grip.gliding);
    assert_near((double)billow_solid(sim, 0)->velocity[0], 0, 0);
    assert_near((double)billow_solid(sim, 0)->velocity[2], 0.03, 1e-7);
    billow_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_pulls_to_its_place),
        cmocka_unit_test(a_throw_is_the_mean_of_three_steps),
        cmocka_unit_test(a_thrown_solid_slows_down),
        cmocka_unit_test(a_thrown_solid_stops_at_the_box),
        cmocka_unit_test(a_flight_can_be_ended),
    };
    return cmocka_run_group_tests_name("grip", tests, NULL, NULL);
}
