/* SPDX-License-Identifier: MIT
 * The show that the window plays by itself, with a given clock: its start and end, the order of
 * its acts, their commands, the camera; the hints of the first start; the keys of a kiosk. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/attract.h"
#include "app/session.h"
#include "scene/scene.h"

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

/* An act of the show with its scene and its commands. */
typedef struct Played {
    AttractAct act;
    Scene scene;
    SimRecording *script;
} Played;

static Played play(int number)
{
    Played played = {.act = attract_act(NULL, number)};
    BillowError error;
    SceneRequest request = {.name_or_path = played.act.scene};
    if (!scene_open(&request, &played.scene, &error))
        fail_msg("%s", error.text);
    played.script = attract_script(&played.act, &played.scene);
    assert_non_null(played.script);
    return played;
}

static void end(Played *played)
{
    sim_recording_free(played->script);
    free(played->script);
}

static int count_commands(const SimRecording *script, SimCommandKind kind)
{
    int count = 0;
    for (int i = 0; i < script->count; i++)
        count += script->commands[i].command.kind == kind;
    return count;
}

/* The place of a brush command; NULL for other commands. */
static const float *place_of(const SimCommand *command)
{
    return command->kind == SIM_BRUSH  ? command->emitter.center
           : command->kind == SIM_PUSH ? command->force.center
                                       : NULL;
}

/* The brush stays in the box and moves smoothly during a stroke. */
static void test_brush_moves_smoothly(void **state)
{
    (void)state;
    for (int number = 0; number < attract_act_count(NULL); number++) {
        Played played = play(number);
        const Scene *scene = &played.scene;
        CameraControl box = camera_control_for(scene);
        const float *last = NULL;
        float longest = 0;
        for (int axis = 0; axis < 3; axis++)
            longest = fmaxf(longest, box.high[axis] - box.low[axis]);
        for (int i = 0; i < played.script->count; i++) {
            const SimCommand *command = &played.script->commands[i].command;
            const float *place = place_of(command);
            for (int axis = 0; axis < 3 && place != NULL; axis++) {
                assert_true(place[axis] >= box.low[axis] && place[axis] <= box.high[axis]);
                assert_true(last == NULL || fabsf(place[axis] - last[axis]) < 0.1f * longest);
            }
            last = command->kind == SIM_BRUSH_END ? NULL : place != NULL ? place : last;
        }
        end(&played);
    }
}

/* The commands come in order and end with the act, which has strokes where it should. */
static void test_script_has_its_strokes(void **state)
{
    (void)state;
    for (int number = 0; number < attract_act_count(NULL); number++) {
        Played played = play(number);
        const SimRecording *script = played.script;
        double seconds = (double)script->steps * (double)played.scene.step;
        assert_true(fabs(seconds - played.act.seconds) < 0.1);
        assert_false(script->ended || script->paced);
        for (int i = 1; i < script->count; i++)
            assert_true(script->commands[i].step >= script->commands[i - 1].step);
        assert_true(script->commands[script->count - 1].step <= script->steps);
        assert_int_equal(script->commands[script->count - 1].command.kind, SIM_BRUSH_END);
        int touches = count_commands(script, SIM_BRUSH) + count_commands(script, SIM_PUSH);
        assert_int_equal(touches > 100, played.act.from > 0);
        assert_int_equal(count_commands(script, SIM_BRUSH_END) > 1, played.act.from > 0);
        end(&played);
    }
}

/* Pushes, vortices, coloured smoke and fuel all occur; fuel only where there is fire. */
static void test_strokes_use_many_tools(void **state)
{
    (void)state;
    bool fuel = false, color = false, vortex = false, push = false;
    for (int number = 0; number < attract_act_count(NULL); number++) {
        Played played = play(number);
        const SimRecording *script = played.script;
        for (int i = 0; i < script->count; i++) {
            const SimCommand *command = &script->commands[i].command;
            const float *rgb = command->emitter.color;
            if (command->kind == SIM_PUSH)
                vortex = true;
            if (command->kind != SIM_BRUSH)
                continue;
            assert_true(command->emitter.fuel == 0.0f || played.scene.def.fire);
            fuel = fuel || command->emitter.fuel > 0;
            push = push || (command->emitter.smoke == 0.0f && command->emitter.grip > 0);
            color = color || rgb[0] != rgb[1];
        }
        end(&played);
    }
    assert_true(fuel && color && vortex && push);
}

/* A new recording of an act has the same commands. */
static void test_script_is_the_same_again(void **state)
{
    (void)state;
    Played played = play(0), again = play(0);
    assert_int_equal(played.script->count, again.script->count);
    for (int i = 0; i < played.script->count; i++) {
        const SimRecorded *one = &played.script->commands[i], *two = &again.script->commands[i];
        const float *place = place_of(&one->command), *same = place_of(&two->command);
        assert_int_equal(one->step, two->step);
        assert_int_equal(one->command.kind, two->command.kind);
        assert_true(place == NULL || memcmp(place, same, 3 * sizeof *place) == 0);
    }
    end(&played);
    end(&again);
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
        Played played = play(number);
        int meant = 0, blasts = count_commands(played.script, SIM_DETONATE);
        for (int i = 0; i < ATTRACT_BLASTS_MAX; i++)
            meant += played.act.blasts[i] > 0;
        assert_int_equal(blasts, meant);
        all += blasts;
        end(&played);
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
    assert_int_equal(attract_poll(&show, 500, false, true), ATTRACT_REST);
    attract_input(&show, 500.1); /* a new window under the mouse reports a movement */
    assert_int_equal(attract_poll(&show, 500.2, true, true), ATTRACT_NEXT);
    show = attract_start(0, NULL, true, 500);
    assert_int_equal(attract_poll(&show, 501, true, true), ATTRACT_REST);
    assert_string_equal(attract_act(NULL, attract_act_of("fire")).scene, "fire");
    assert_int_equal(attract_act_of("mine.yaml"), 0);
    assert_int_equal(attract_act_of(NULL), 0);
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
    FirstStepsEvents events = {.now = 100};
    first_steps_watch(&steps, &events);
    assert_int_equal(rows_left(&steps, 100), 4);
    events.touched = events.pushing = true;
    first_steps_watch(&steps, &events);
    assert_int_equal(rows_left(&steps, 100), 4); /* a click is no push */
    events.now = 101;
    first_steps_watch(&steps, &events);
    assert_int_equal(rows_left(&steps, 101), 3);
    assert_string_equal(first_steps_rows(&steps, 101, false, "push")[0].key, "E   R");
    events.blasted = true;
    first_steps_watch(&steps, &events);
    assert_int_equal(rows_left(&steps, 101), 2);
    events.pushing = false;
    events.changed = true;
    first_steps_watch(&steps, &events);
    events.changed = false;
    first_steps_watch(&steps, &events);
    assert_int_equal(rows_left(&steps, 101), 1);
    assert_string_equal(first_steps_rows(&steps, 101, false, "push")[0].key, "F12   Esc");
    events.saved = true;
    first_steps_watch(&steps, &events);
    assert_null(first_steps_rows(&steps, 101, false, "push"));
    steps = (FirstSteps){0};
    assert_int_equal(rows_left(&steps, 102), 4);
}

static void test_first_steps_go_in_time(void **state)
{
    (void)state;
    FirstSteps steps = {0};
    first_steps_watch(&steps, &(FirstStepsEvents){.now = 1});
    assert_int_equal(rows_left(&steps, 1000), 4); /* nobody has been there yet */
    first_steps_watch(&steps, &(FirstStepsEvents){.now = 1000, .touched = true});
    assert_int_equal(rows_left(&steps, 1030), 4);
    assert_int_equal(rows_left(&steps, 1060), 0);
    steps = (FirstSteps){0};
    first_steps_watch(&steps, &(FirstStepsEvents){.now = 2000, .help = true});
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
    static Session session = {.kiosk.moved = 10};
    const Kiosk *kiosk = &session.kiosk;
    assert_false(kiosk_hides(kiosk, 12));
    assert_true(kiosk_hides(kiosk, 13.5));
    session.now = 20;
    kiosk_event(&session, &(SDL_Event){.type = SDL_KEYDOWN});
    assert_true(kiosk_hides(kiosk, 20));
    kiosk_event(&session, &(SDL_Event){.type = SDL_MOUSEMOTION});
    assert_false(kiosk_hides(kiosk, 22));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene_has_its_turn),
        cmocka_unit_test(test_own_scene_comes_first),
        cmocka_unit_test(test_brush_moves_smoothly),
        cmocka_unit_test(test_script_has_its_strokes),
        cmocka_unit_test(test_strokes_use_many_tools),
        cmocka_unit_test(test_script_is_the_same_again),
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
