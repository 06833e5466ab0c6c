/* SPDX-License-Identifier: MIT
 * The show that the window plays by itself, with a given clock: its start and end, the order of
 * its acts, the smoothness of hand and camera; the hints of the first start; the keys of a kiosk.
 * */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "attract.h"
#include "scene.h"
#include "visitor.h"

static void test_every_scene_has_its_turn(void **state)
{
    (void)state;
    int scenes = 0;
    for (; scene_builtin_name(scenes) != NULL; scenes++) {
        int turns = 0;
        for (int act = 0; act < attract_act_count(NULL); act++)
            turns += strcmp(attract_act(NULL, act).scene, scene_builtin_name(scenes)) == 0;
        assert_int_equal(turns, 1);
    }
    assert_int_equal(attract_act_count(NULL), scenes);
    assert_string_equal(attract_act(NULL, scenes).scene, attract_act(NULL, 0).scene);
    for (int act = 0; act < scenes; act++) {
        assert_true(attract_act(NULL, act).seconds >= 20);
        assert_true(attract_act(NULL, act).seconds <= 30);
    }
}

static void test_own_scene_comes_first(void **state)
{
    (void)state;
    int count = attract_act_count("mine.yaml");
    assert_int_equal(count, attract_act_count(NULL) + 1);
    assert_string_equal(attract_act("mine.yaml", 0).scene, "mine.yaml");
    assert_string_equal(attract_act("mine.yaml", 1).scene, attract_act(NULL, 0).scene);
    assert_string_equal(attract_act("mine.yaml", count).scene, "mine.yaml");
}

static void test_hand_goes_smoothly(void **state)
{
    (void)state;
    const double step = 1.0 / 60;
    for (int number = 0; number < attract_act_count("mine.yaml"); number++) {
        AttractAct act = attract_act("mine.yaml", number);
        AttractHand last = attract_hand(&act, 0);
        int presses = 0;
        assert_false(last.pressed);
        for (double t = step; t < act.seconds; t += step) {
            AttractHand hand = attract_hand(&act, t);
            assert_true(hypotf(hand.x - last.x, hand.y - last.y) < 0.02f);
            assert_true(fabsf(hand.x) < 0.45f && fabsf(hand.y) < 0.45f);
            presses += hand.pressed && !last.pressed;
            last = hand;
        }
        assert_int_equal(presses > 0, act.from > 0);
    }
}

/* Tools change between strokes, never within one. */
static void test_strokes_keep_their_tool(void **state)
{
    (void)state;
    int tools = 0;
    for (int number = 0; number < attract_act_count(NULL); number++) {
        AttractAct act = attract_act(NULL, number);
        AttractHand last = attract_hand(&act, 0);
        for (double t = 0; t < act.seconds; t += 0.05) {
            AttractHand hand = attract_hand(&act, t);
            assert_true(hand.tool >= 0 && hand.tool < BRUSH_TOOLS);
            if (hand.pressed && last.pressed)
                assert_int_equal(hand.tool, last.tool);
            tools |= hand.pressed ? 1 << hand.tool : 0;
            last = hand;
        }
    }
    assert_true((tools & 1 << BRUSH_PUSH) && (tools & 1 << BRUSH_VORTEX) &&
                (tools & 1 << BRUSH_FUEL));
}

static void test_camera_goes_around_and_back(void **state)
{
    (void)state;
    AttractAct act = attract_act(NULL, 0);
    float most = 0, last = 0;
    assert_true(attract_turn(&act, 0) == 0);
    for (double t = 0; t <= act.seconds; t += 1.0 / 60) {
        float turn = attract_turn(&act, t);
        assert_true(fabsf(turn - last) < 0.2f);
        most = fmaxf(most, turn);
        last = turn;
    }
    assert_true(fabsf(most - act.turn) < 0.1f && most > 10);
    assert_true(fabsf(attract_turn(&act, act.seconds)) < 0.01f);
}

static void test_blasts_come_once(void **state)
{
    (void)state;
    int all = 0;
    for (int number = 0; number < attract_act_count(NULL); number++) {
        AttractAct act = attract_act(NULL, number);
        int meant = 0, blasts = 0;
        for (int i = 0; i < ATTRACT_BLASTS_MAX; i++)
            meant += act.blasts[i] > 0;
        for (int frame = 0; frame / 30.0 < act.seconds; frame++)
            blasts += attract_blast(&act, frame / 30.0, (frame + 1) / 30.0);
        assert_int_equal(blasts, meant);
        all += blasts;
    }
    assert_true(all > 5);
}

static void test_begins_after_waiting(void **state)
{
    (void)state;
    Attract show = attract_start(60, NULL, false, 1000);
    assert_int_equal(attract_poll(&show, 1059, true, true), ATTRACT_REST);
    assert_false(attract_input(&show, 1059));
    assert_int_equal(attract_poll(&show, 1118, true, true), ATTRACT_REST);
    assert_int_equal(attract_poll(&show, 1119, true, true), ATTRACT_NEXT);
    assert_true(show.playing);
    assert_true(attract_input(&show, 1120));
    assert_false(show.playing);
    assert_int_equal(attract_poll(&show, 1179, true, true), ATTRACT_REST);
    assert_int_equal(attract_poll(&show, 1180, true, true), ATTRACT_NEXT);
}

/* During a pause, a drag or a video nothing starts; afterwards the wait starts again. */
static void test_waits_for_reasons_to_go(void **state)
{
    (void)state;
    Attract show = attract_start(60, NULL, false, 0);
    for (int second = 0; second <= 200; second++)
        assert_int_equal(attract_poll(&show, second, true, false), ATTRACT_REST);
    assert_int_equal(attract_poll(&show, 259, true, true), ATTRACT_REST);
    assert_int_equal(attract_poll(&show, 260, true, true), ATTRACT_NEXT);
}

static void test_begins_when_asked(void **state)
{
    (void)state;
    Attract show = attract_start(0, NULL, false, 0);
    assert_int_equal(attract_poll(&show, 1e6, true, true), ATTRACT_REST);
    show.wanted = true;
    assert_int_equal(attract_poll(&show, 1e6, false, false), ATTRACT_REST);
    assert_int_equal(attract_poll(&show, 1e6, true, false), ATTRACT_NEXT);
    attract_input(&show, 1e6);
    assert_int_equal(attract_poll(&show, 2e6, true, true), ATTRACT_REST);
}

static void test_kiosk_begins_at_once(void **state)
{
    (void)state;
    Attract show = attract_start(30, NULL, true, 500);
    assert_int_equal(attract_poll(&show, 500, true, true), ATTRACT_NEXT);
}

static void test_acts_follow_each_other(void **state)
{
    (void)state;
    Attract show = attract_start(1, NULL, true, 10);
    double now = 10;
    assert_int_equal(attract_poll(&show, now, true, true), ATTRACT_NEXT);
    for (int act = 0; act < 2 * attract_act_count(NULL); act++) {
        assert_int_equal(show.act, act);
        assert_int_equal(attract_poll(&show, now + 0.5, true, true), ATTRACT_WAIT);
        now += 1;
        attract_on(&show, now);
        double seconds = attract_act(NULL, act).seconds;
        assert_int_equal(attract_poll(&show, now + seconds - 0.1, true, false), ATTRACT_PLAY);
        now += seconds;
        assert_int_equal(attract_poll(&show, now, true, false), ATTRACT_NEXT);
    }
}

static void test_lost_acts_are_left_out(void **state)
{
    (void)state;
    Attract show = attract_start(1, NULL, true, 0);
    attract_poll(&show, 0, true, true);
    attract_lost(&show);
    assert_int_equal(attract_poll(&show, 0.1, true, true), ATTRACT_NEXT);
    assert_int_equal(show.act, 1);
    /* This one never comes. */
    assert_int_equal(attract_poll(&show, 20, true, true), ATTRACT_WAIT);
    assert_int_equal(attract_poll(&show, 40, true, true), ATTRACT_NEXT);
    assert_int_equal(show.act, 2);
    attract_on(&show, 41);
    for (int act = 0; act < attract_act_count(NULL); act++) {
        attract_lost(&show);
        AttractStep step = attract_poll(&show, 42 + act, true, true);
        bool last = act + 1 == attract_act_count(NULL);
        assert_int_equal(step, last ? ATTRACT_STOP : ATTRACT_NEXT);
    }
    assert_false(show.playing);
}

static int rows_left(FirstSteps *steps, double now)
{
    const OverlayRow *rows = first_steps_rows(steps, now, false, "push");
    int count = 0;
    while (rows != NULL && rows[count].key != NULL)
        count++;
    return count;
}

static void test_first_steps_go_when_done(void **state)
{
    (void)state;
    FirstSteps steps = {0};
    FirstStepsSight sight = {.now = 100};
    first_steps_watch(&steps, &sight);
    assert_int_equal(rows_left(&steps, 100), 3);
    sight.touched = sight.pushing = true;
    first_steps_watch(&steps, &sight);
    assert_int_equal(rows_left(&steps, 100), 3); /* a click is no push */
    sight.now = 101;
    first_steps_watch(&steps, &sight);
    assert_int_equal(rows_left(&steps, 101), 2);
    sight.pushing = false;
    sight.changed = true;
    first_steps_watch(&steps, &sight);
    sight.changed = false;
    first_steps_watch(&steps, &sight);
    assert_int_equal(rows_left(&steps, 101), 1);
    assert_string_equal(first_steps_rows(&steps, 101, false, "push")[0].key, "F12   Esc");
    sight.kept = true;
    first_steps_watch(&steps, &sight);
    assert_null(first_steps_rows(&steps, 101, false, "push"));
    first_steps_again(&steps);
    assert_int_equal(rows_left(&steps, 102), 3);
}

static void test_first_steps_go_in_time(void **state)
{
    (void)state;
    FirstSteps steps = {0};
    first_steps_watch(&steps, &(FirstStepsSight){.now = 1});
    assert_int_equal(rows_left(&steps, 1000), 3); /* nobody has been there yet */
    first_steps_watch(&steps, &(FirstStepsSight){.now = 1000, .touched = true});
    assert_int_equal(rows_left(&steps, 1030), 3);
    assert_int_equal(rows_left(&steps, 1060), 0);
    first_steps_again(&steps);
    first_steps_watch(&steps, &(FirstStepsSight){.now = 2000, .help = true});
    assert_int_equal(rows_left(&steps, 2000), 0);
}

static void test_esc_has_to_be_held(void **state)
{
    (void)state;
    Kiosk kiosk = {0};
    assert_false(kiosk_hold(&kiosk, true, 10));
    assert_false(kiosk_hold(&kiosk, true, 12.9));
    assert_false(kiosk_hold(&kiosk, false, 13));
    assert_false(kiosk_hold(&kiosk, true, 14));
    assert_false(kiosk_hold(&kiosk, true, 16.9));
    assert_true(kiosk_hold(&kiosk, true, 17));
}

static void test_cursor_hides(void **state)
{
    (void)state;
    Kiosk kiosk = {.moved = 10};
    assert_false(kiosk_hides(&kiosk, 12));
    assert_true(kiosk_hides(&kiosk, 13.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene_has_its_turn),
        cmocka_unit_test(test_own_scene_comes_first),
        cmocka_unit_test(test_hand_goes_smoothly),
        cmocka_unit_test(test_strokes_keep_their_tool),
        cmocka_unit_test(test_camera_goes_around_and_back),
        cmocka_unit_test(test_blasts_come_once),
        cmocka_unit_test(test_begins_after_waiting),
        cmocka_unit_test(test_waits_for_reasons_to_go),
        cmocka_unit_test(test_begins_when_asked),
        cmocka_unit_test(test_kiosk_begins_at_once),
        cmocka_unit_test(test_acts_follow_each_other),
        cmocka_unit_test(test_lost_acts_are_left_out),
        cmocka_unit_test(test_first_steps_go_when_done),
        cmocka_unit_test(test_first_steps_go_in_time),
        cmocka_unit_test(test_esc_has_to_be_held),
        cmocka_unit_test(test_cursor_hides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
