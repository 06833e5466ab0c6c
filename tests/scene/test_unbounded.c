/* SPDX-License-Identifier: MIT
 * Scenes whose box grows with the smoke: the key, and that no smoke reaches a side that can move.
 */
#include "sanitized.h"
#include "scene/scene.h"
#include "scene/scene_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static Scene scene_with(const char *name, int count, const char *const assignments[])
{
    Scene scene;
    BillowError error;
    if (!scene_load(name, &scene, &error))
        fail_msg("%s", error.text);
    for (int a = 0; a < count; a++)
        if (!scene_set(&scene, assignments[a], &error))
            fail_msg("%s", error.text);
    return scene;
}

/* The largest density in the cells at the sides that can move. */
static float most_at_sides(const BillowDef *def, const BillowView *view)
{
    const int last[3] = {view->nx - 1, view->ny - 1, view->nz - 1};
    float most = 0;
    for (int k = 0; k <= last[2]; k++)
        for (int j = 0; j <= last[1]; j++)
            for (int i = 0; i <= last[0]; i++) {
                const int cell[3] = {i, j, k};
                bool side = false;
                for (int axis = 0; axis < 3; axis++)
                    side = side || (cell[axis] == 0 && def->unbounded[2 * axis]) ||
                           (cell[axis] == last[axis] && def->unbounded[2 * axis + 1]);
                float density = view->density[i + j * view->stride_y + k * view->stride_z];
                most = side && density > most ? density : most;
            }
    return most;
}

/* Plays a scene for some steps. Returns the cells that it has in the end. */
static double play(const Scene *scene, int steps)
{
    BillowDef def = scene_def(scene);
    BillowError error;
    def.threads = 1;
    ScenePlay *play = scene_play_create(scene, &def, &error);
    BillowSim *sim = billow_create(&def, &error);
    for (int s = 0; s < steps; s++) {
        assert_true(scene_play_prepare(play, sim, (double)scene->step, &error));
        assert_true(billow_step(sim, (double)scene->step));
        const BillowView view = billow_view(sim);
        float most = most_at_sides(&def, &view);
        if (most > 1e-4f)
            fail_msg("%s: density %g at a side after step %d, at %dx%dx%d", scene->name,
                     (double)most, s + 1, view.nx, view.ny, view.nz);
    }
    assert_string_equal(billow_growth_notice(sim), "");
    const BillowView view = billow_view(sim);
    double mass = billow_stats(sim).mass;
    assert_true(billow_stats(sim).mass_outflow < 1e-3 * mass);
    billow_destroy(sim);
    scene_play_destroy(play);
    return (double)view.nx * view.ny * view.nz;
}

static void no_smoke_leaves_a_plume(void **state)
{
    (void)state;
    const char *const sets[] = {"domain.unbounded=true", "domain.cells=20", "domain.cells_max=1e8"};
    Scene scene = scene_with("plume", 3, sets);
    assert_true(play(&scene, 150) > 3 * 20 * 20 * 20);
}

static void no_smoke_leaves_an_explosion(void **state)
{
    (void)state;
    const char *const sets[] = {"domain.unbounded=true", "domain.cells=20", "domain.cells_max=1e8"};
    Scene scene = scene_with("explosion", 3, sets);
    assert_true(play(&scene, 150) > 3 * 20 * 20 * 20);
}

/* -- the key ----------------------------------------------------------------------------------- */

static void one_key_sets_all_sides(void **state)
{
    (void)state;
    const char *const all[] = {"domain.faces.left=closed", "domain.unbounded=true"};
    Scene scene = scene_with("plume", 2, all);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        assert_int_equal(scene.def.unbounded[side], side != BILLOW_FLOOR);
        assert_int_equal(scene.def.faces[side], side == BILLOW_FLOOR ? BILLOW_CLOSED : BILLOW_OPEN);
    }
    const char *const none[] = {"domain.unbounded=true", "domain.unbounded=false"};
    scene = scene_with("plume", 2, none);
    for (int side = 0; side < BILLOW_SIDES; side++)
        assert_false(scene.def.unbounded[side]);
    const char *const one[] = {"domain.unbounded.ceiling=true", "domain.cells_max=5e5"};
    scene = scene_with("plume", 2, one);
    const BillowDef def = scene_def(&scene);
    for (int side = 0; side < BILLOW_SIDES; side++)
        assert_int_equal(def.unbounded[side], side == BILLOW_CEILING);
    assert_true(def.cells_max == 5e5);
}

static void files_say_it_too(void **state)
{
    (void)state;
    static const char open[] = "domain:\n  unbounded: true\n";
    static const char closed[] = "domain:\n  unbounded:\n    floor: true\n";
    static const char word[] = "domain:\n  unbounded: maybe\n";
    Scene scene;
    BillowError error;
    assert_true(scene_parse("a.yaml", open, strlen(open), &scene, &error));
    assert_true(scene.def.unbounded[BILLOW_LEFT] && !scene.def.unbounded[BILLOW_FLOOR]);
    assert_false(scene_parse("a.yaml", closed, strlen(closed), &scene, &error));
    assert_non_null(strstr(error.text, "unbounded.floor needs the face to be open"));
    assert_false(scene_parse("a.yaml", word, strlen(word), &scene, &error));
    assert_string_equal(error.text,
                        "a.yaml:2:14: 'domain.unbounded' must be true or false, not 'maybe'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_key_sets_all_sides),
        cmocka_unit_test(files_say_it_too),
        cmocka_unit_test(no_smoke_leaves_an_explosion),
        /* By the same code: */
        cmocka_unit_test(no_smoke_leaves_a_plume),
    };
    size_t count = sizeof tests / sizeof tests[0];
    return _cmocka_run_group_tests("unbounded", tests, SANITIZED ? count - 1 : count, NULL, NULL);
}
