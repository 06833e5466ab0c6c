/* SPDX-License-Identifier: MIT
 * libbillow_scene, in the words of a program that embeds it. */
#include <billow/scene.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 24, STEPS = 70 };

static BillowScene *load(const char *name, int threads)
{
    BillowSceneDef def = billow_default_scene_def();
    BillowError error;
    def.name = name;
    def.cells = CELLS;
    def.threads = threads;
    BillowScene *scene = billow_create_scene(&def, &error);
    if (scene == NULL)
        fail_msg("%s", error.text);
    return scene;
}

static uint64_t hash_after(BillowScene *scene, int steps)
{
    for (int step = 0; step < steps; step++)
        assert_true(billow_scene_step(scene, billow_scene_step_length(scene)));
    assert_string_equal(billow_scene_error(scene), "");
    return billow_state_hash(billow_scene_sim(scene));
}

/* Both scenes move something by their timeline within the steps that are compared. */
static const char *const scenes[] = {"rolling-ball", "text"};

static uint64_t hash_of_the_program(const char *scene)
{
    char line[512];
    unsigned long long hash = 0;
    snprintf(line, sizeof line, "'%s' sim %s --grid %d --steps %d --threads 1 --quiet",
             BILLOW_PROGRAM, scene, CELLS, STEPS);
    FILE *output = popen(line, "r");
    assert_non_null(output);
    while (fgets(line, sizeof line, output) != NULL)
        sscanf(line, "state_hash %llx", &hash);
    assert_int_equal(pclose(output), 0);
    return hash;
}

static void steps_are_those_of_billow_sim_at_any_thread_count(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        uint64_t wanted = hash_of_the_program(scenes[s]);
        assert_true(wanted != 0);
        for (int threads = 1; threads <= 3; threads++) {
            BillowScene *scene = load(scenes[s], threads);
            uint64_t found = hash_after(scene, STEPS);
            if (found != wanted)
                fail_msg("%s with %d threads: %016llx, and billow sim has %016llx", scenes[s],
                         threads, (unsigned long long)found, (unsigned long long)wanted);
            billow_destroy_scene(scene);
        }
    }
}

/* Steps that ignore the timeline give another state, so that the test above tests the timeline. */
static void plain_steps_leave_the_timeline(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        BillowScene *led = load(scenes[s], 1), *left = load(scenes[s], 1);
        for (int step = 0; step < STEPS; step++)
            assert_true(billow_step(billow_scene_sim(left), billow_scene_step_length(left)));
        assert_true(hash_after(led, STEPS) != billow_state_hash(billow_scene_sim(left)));
        billow_destroy_scene(led);
        billow_destroy_scene(left);
    }
}

static void a_reset_scene_plays_again(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        BillowScene *scene = load(scenes[s], 1);
        uint64_t once = hash_after(scene, STEPS);
        billow_reset(billow_scene_sim(scene));
        assert_true(hash_after(scene, STEPS) == once);
        billow_destroy_scene(scene);
    }
}

static void a_frame_is_cut_into_steps_of_the_scene(void **state)
{
    (void)state;
    BillowScene *scene = load("plume", 1);
    BillowSim *sim = billow_scene_sim(scene);
    double step = billow_scene_step_length(scene);
    assert_true(billow_scene_step(scene, 2.5 * step));
    assert_int_equal(billow_stats(sim).steps, 3);
    assert_true(fabs(billow_stats(sim).time - 2.5 * step) < 1e-12);
    assert_true(billow_scene_step(scene, step * (1 + 1e-7))); /* rounding adds no step */
    assert_int_equal(billow_stats(sim).steps, 4);
    billow_destroy_scene(scene);
}

static void wrong_steps_do_nothing(void **state)
{
    (void)state;
    BillowScene *scene = load("plume", 1);
    const double wrong[] = {0, -1, 2e4, (double)NAN};
    for (int w = 0; w < 4; w++) {
        assert_false(billow_scene_step(scene, wrong[w]));
        assert_non_null(strstr(billow_scene_error(scene), "must be above 0 and at most 10000"));
    }
    assert_int_equal(billow_stats(billow_scene_sim(scene)).steps, 0);
    billow_destroy_scene(scene);
}

static void settings_replace_values(void **state)
{
    (void)state;
    const char *const settings[] = {"solver.vorticity=7", "solver.cfl=2"};
    BillowSceneDef def = billow_default_scene_def();
    BillowError error;
    def.cells = 40;
    def.settings = settings;
    def.setting_count = 2;
    BillowScene *scene = billow_create_scene(&def, &error);
    assert_non_null(scene);
    assert_true(billow_params(billow_scene_sim(scene)).vorticity == 7);
    assert_true(billow_params(billow_scene_sim(scene)).cfl == 2);
    const BillowView view = billow_view(billow_scene_sim(scene));
    assert_int_equal(view.nx, 40 * view.refine);
    billow_destroy_scene(scene);
}

static void what_cannot_be_loaded_is_named(void **state)
{
    (void)state;
    const char *const wrong = "solver.vortcity=8";
    BillowSceneDef def = billow_default_scene_def();
    BillowError error;
    assert_null(billow_load_scene("plumme", &error));
    assert_non_null(strstr(error.text, "plumme"));
    assert_non_null(strstr(error.text, "did you mean 'plume'?"));
    def.cells = 3;
    assert_null(billow_create_scene(&def, &error));
    assert_non_null(strstr(error.text, "8 to 2048"));
    def.cells = CELLS;
    def.settings = &wrong;
    def.setting_count = 1;
    assert_null(billow_create_scene(&def, &error));
    assert_non_null(strstr(error.text, "did you mean 'vorticity'?"));
    billow_destroy_scene(NULL);
}

static void what_names_no_scene_is_refused(void **state)
{
    (void)state;
    const char *const none = "no scene is named; billow_scene_name lists the built-in ones";
    const char *const gap[] = {"solver.vorticity=7", NULL};
    BillowSceneDef def = {0};
    BillowError error = {""};
    assert_null(billow_create_scene(&def, &error));
    assert_string_equal(error.text, none);
    assert_null(billow_create_scene(NULL, &error));
    assert_null(billow_load_scene(NULL, &error));
    assert_string_equal(error.text, none);
    def.name = "plume";
    def.setting_count = -1;
    assert_null(billow_create_scene(&def, &error));
    assert_string_equal(error.text, "-1 settings; the number cannot be negative");
    def.setting_count = 2;
    assert_null(billow_create_scene(&def, &error));
    assert_string_equal(error.text, "settings[0] of 2 is NULL");
    def.settings = gap;
    assert_null(billow_create_scene(&def, &error));
    assert_string_equal(error.text, "settings[1] of 2 is NULL");
    def.setting_count = 0;
    def.threads = -1;
    assert_null(billow_create_scene(&def, NULL));
    assert_null(billow_scene_name(-1));
}

#ifndef BILLOW_SANITIZED
static void *load_and_step(void *data)
{
    BillowSceneDef def = billow_default_scene_def();
    def.name = "fire";
    def.cells = 16;
    def.threads = 1;
    BillowScene *scene = billow_create_scene(&def, NULL);
    *(bool *)data = scene != NULL && billow_scene_step(scene, 1.0 / 30);
    billow_destroy_scene(scene);
    return NULL;
}

static void loading_fits_the_documented_stack(void **state)
{
    (void)state;
    bool good = false;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, BILLOW_SCENE_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, load_and_step, &good), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    assert_true(good);
}
#endif

static uint64_t hash_of(int threads)
{
    BillowScene *scene = load("fire", threads);
    for (int step = 0; step < 3; step++)
        assert_true(billow_scene_step(scene, 1.0 / 30));
    uint64_t hash = billow_state_hash(billow_scene_sim(scene));
    billow_destroy_scene(scene);
    return hash;
}

static void rounding_of_the_host_changes_nothing(void **state)
{
    (void)state;
    uint64_t plain = hash_of(1);
    for (int threads = 1; threads <= 2; threads++) {
        fesetround(FE_UPWARD);
        uint64_t hash = hash_of(threads);
        int rounding = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(rounding, FE_UPWARD);
        assert_true(hash == plain);
    }
}

static void built_in_scenes_are_listed(void **state)
{
    (void)state;
    int count = 0;
    while (billow_scene_name(count) != NULL)
        count++;
    assert_string_equal(billow_scene_name(0), "plume");
    assert_true(count >= 16);
    assert_string_equal(billow_scene_name(count - 1), "play");
    BillowScene *scene = load("plume", 1);
    assert_true(strlen(billow_scene_title(scene)) > 10);
    billow_destroy_scene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_billow_sim_at_any_thread_count),
        cmocka_unit_test(plain_steps_leave_the_timeline),
        cmocka_unit_test(a_reset_scene_plays_again),
        cmocka_unit_test(a_frame_is_cut_into_steps_of_the_scene),
        cmocka_unit_test(wrong_steps_do_nothing),
        cmocka_unit_test(settings_replace_values),
        cmocka_unit_test(what_cannot_be_loaded_is_named),
        cmocka_unit_test(what_names_no_scene_is_refused),
#ifndef BILLOW_SANITIZED
        cmocka_unit_test(loading_fits_the_documented_stack),
#endif
        cmocka_unit_test(rounding_of_the_host_changes_nothing),
        cmocka_unit_test(built_in_scenes_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
