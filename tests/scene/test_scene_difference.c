/* SPDX-License-Identifier: MIT
 * What a changed value requires, for every key of every table. */
#include "scene/scene_keys.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"
#include "scene_alter.h"

#include "scene_fixture.h"

/* The effect of keys that start with a prefix. The first match counts. */
typedef struct Expected {
    const char *beginning;
    unsigned effect;
} Expected;

static const Expected expected[] = {
    {"name", SCENE_EFFECT_NAME},
    {"title", SCENE_EFFECT_NAME},
    {"poster.", SCENE_EFFECT_NAME},
    {"time.show", SCENE_EFFECT_NAME},
    {"panel", SCENE_EFFECT_NAME},
    {"upres.", SCENE_EFFECT_NAME},
    {"initial.", SCENE_EFFECT_REBUILD},
    {"domain.", SCENE_EFFECT_REBUILD},
    {"time.step", SCENE_EFFECT_STEP},
    {"solver.", SCENE_EFFECT_PARAMS},
    {"fluid.fire", SCENE_EFFECT_REBUILD},
    {"fluid.color", SCENE_EFFECT_REBUILD},
    {"fluid.texture_period", SCENE_EFFECT_REBUILD},
    {"fluid.age", SCENE_EFFECT_REBUILD},
    {"fluid.", SCENE_EFFECT_PARAMS},
    {"emitters", SCENE_EFFECT_EMITTERS},
    {"solids", SCENE_EFFECT_SOLIDS},
    {"forces", SCENE_EFFECT_FORCES},
    {"brush", SCENE_EFFECT_HAND},
    {"detonation", SCENE_EFFECT_HAND},
    {"camera.aperture", SCENE_EFFECT_PICTURE},
    {"camera.focus", SCENE_EFFECT_PICTURE},
    {"camera.shutter", SCENE_EFFECT_PICTURE},
    {"camera.iso", SCENE_EFFECT_PICTURE},
    {"camera.ev", SCENE_EFFECT_PICTURE},
    {"camera.", SCENE_EFFECT_CAMERA},
    {"tracers.count", SCENE_EFFECT_REBUILD},
    {"tracers.lag", SCENE_EFFECT_REBUILD},
    {"tracers.sparks", SCENE_EFFECT_PARAMS},
    {"tracers.speed", SCENE_EFFECT_PARAMS},
    {"tracers.life", SCENE_EFFECT_PARAMS},
    {"sun.", SCENE_EFFECT_PICTURE},
    {"lamps", SCENE_EFFECT_PICTURE},
    {"sky.", SCENE_EFFECT_PICTURE},
    {"surroundings.", SCENE_EFFECT_PICTURE},
    {"ground.", SCENE_EFFECT_PICTURE},
    {"solid.", SCENE_EFFECT_PICTURE},
    {"smoke.", SCENE_EFFECT_PICTURE},
    {"fire.", SCENE_EFFECT_PICTURE},
    {"tracers.", SCENE_EFFECT_PICTURE},
    {"picture.", SCENE_EFFECT_PICTURE},
    {"grade.", SCENE_EFFECT_PICTURE},
    {"exposure", SCENE_EFFECT_PICTURE},
    {"timeline", SCENE_EFFECT_TIMELINE},
};

static unsigned expected_effect(const char *path)
{
    for (int e = 0; e < LENGTH(expected); e++)
        if (strncmp(path, expected[e].beginning, strlen(expected[e].beginning)) == 0)
            return expected[e].effect;
    fail_msg("%s: what a change of it has an effect on is not said here", path);
    return 0;
}

static Scene full_scene(void)
{
    Scene scene = *scene_default();
    scene.def.emitter_count = scene.def.solid_count = scene.def.force_count =
        scene.render.lamp_count = 2;
    scene.render.smoke_ramp.stop_count = scene.render.fire_ramp.stop_count = 2;
    scene.def.age = true; /* so that no ramp decides it */
    for (int i = 0; i < 2; i++) {
        scene.def.emitters[i] = billow_default_emitter();
        scene.def.solids[i] = billow_default_solid();
        scene.def.forces[i] = billow_default_force();
        scene.render.lamps[i] = render_default_lamp();
        scene.render.smoke_ramp.stops[i] = scene.render.fire_ramp.stops[i] = render_default_stop();
    }
    return scene;
}

static void assert_alone(const Scene *before, const Scene *after, const char *path)
{
    unsigned effect = expected_effect(path);
    SceneDifference found = scene_difference(before, after);
    if (found.effects != effect || found.count != 1 || strcmp(found.first, path) != 0)
        fail_msg("%s: effects %u, not %u; %d keys, first '%s'", path, found.effects, effect,
                 found.count, found.first);
    assert_string_equal(found.rebuild, effect == SCENE_EFFECT_REBUILD ? path : "");
    assert_int_equal(scene_difference(after, before).effects, effect);
}

static void test_same_scenes_do_not_differ(void **state)
{
    (void)state;
    for (int i = 0; scene_builtin_name(i) != NULL; i++) {
        Scene one, other;
        assert_true(scene_load(scene_builtin_name(i), &one, NULL));
        assert_true(scene_load(scene_builtin_name(i), &other, NULL));
        SceneDifference found = scene_difference(&one, &other);
        if (found.effects != 0 || found.count != 0 || found.first[0] != 0 || found.rebuild[0] != 0)
            fail_msg("%s: %s", scene_builtin_name(i), found.first);
    }
}

static void test_every_key_of_the_scene(void **state)
{
    (void)state;
    for (int row = 0; row < scene_keys()->count; row++) {
        const SceneKey *key = &scene_keys()->rows[row];
        Scene before = full_scene(), after = before;
        char text[512];
        if (!scene_keys_format(key, &before, text, sizeof text))
            continue;
        scene_alter(key, &after);
        assert_alone(&before, &after, key->path);
        assert_int_equal(key->effect, expected_effect(key->path));
        scene_keys_copy(key, &after, &before);
        assert_int_equal(scene_difference(&before, &after).effects, 0);
    }
}

/* Only a ramp by age that is on needs another simulation, and none if the age is kept anyway. */
static void test_ramp_by_age(void **state)
{
    (void)state;
    Scene before = full_scene(), after;
    before.def.age = false;
    after = before;
    after.render.smoke_ramp.by = RENDER_RAMP_AGE;
    SceneDifference found = scene_difference(&before, &after);
    assert_int_equal(found.effects, SCENE_EFFECT_PICTURE | SCENE_EFFECT_REBUILD);
    assert_string_equal(found.rebuild, "fluid.age");
    before.def.age = after.def.age = true;
    assert_int_equal(scene_difference(&before, &after).effects, SCENE_EFFECT_PICTURE);
    before.def.age = after.def.age = false;
    before.render.smoke_ramp.stop_count = after.render.smoke_ramp.stop_count = 0;
    assert_int_equal(scene_difference(&before, &after).effects, SCENE_EFFECT_PICTURE);
}

static void test_every_key_of_entries(void **state)
{
    (void)state;
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        for (int row = 0; row < list->keys()->count; row++) {
            const SceneKey *key = &list->keys()->rows[row];
            Scene before = full_scene(), after = before;
            char path[64];
            const SceneEntry entry = scene_list_whole(list, &after, 1);
            scene_alter(key, scene_entry_home(&entry, key));
            snprintf(path, sizeof path, "%s[1].%s", list->name, key->path);
            assert_alone(&before, &after, path);
            assert_int_equal(key->effect, expected_effect(list->name));
        }
    }
}

static void test_every_key_of_the_hand(void **state)
{
    (void)state;
    static const char *const names[] = {"brush", "detonation"};
    for (int n = 0; n < 2; n++)
        for (int row = 0; row < scene_emitter_keys()->count; row++) {
            const SceneKey *key = &scene_emitter_keys()->rows[row];
            Scene before = full_scene(), after = before;
            char path[64];
            if (key->home != SCENE_HOME_STRUCTURE)
                continue; /* a hand has neither form nor name */
            scene_alter(key, n == 0 ? &after.brush : &after.detonation);
            snprintf(path, sizeof path, "%s.%s", names[n], key->path);
            assert_alone(&before, &after, path);
        }
}

static void test_lengths_of_lists(void **state)
{
    (void)state;
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        Scene before = full_scene(), after = before;
        *scene_list_count(list, &after) = 1;
        SceneDifference found = scene_difference(&before, &after);
        bool solids = list->type == SCENE_KEY_SOLIDS;
        assert_string_equal(found.first, list->name);
        assert_string_equal(found.rebuild, solids ? "solids" : "");
        assert_int_equal(found.effects,
                         solids ? SCENE_EFFECT_REBUILD : expected_effect(list->name));
    }
}

/* Tracers are distributed over the box when they are created. */
static void test_first_emitter_of_tracers(void **state)
{
    (void)state;
    Scene before = full_scene();
    before.def.tracers = 1000;
    Scene after = before;
    after.def.emitters[1].tracers = 50;
    SceneDifference found = scene_difference(&before, &after);
    assert_int_equal(found.effects, SCENE_EFFECT_EMITTERS | SCENE_EFFECT_REBUILD);
    assert_string_equal(found.rebuild, "emitters");
    before.def.emitters[0].tracers = 10;
    after.def.emitters[0].tracers = 10;
    assert_int_equal(scene_difference(&before, &after).effects, SCENE_EFFECT_EMITTERS);
}

static void test_timelines(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "timeline: [{key: exposure, values: [[0, 1], [2, 3]]}]",
        "timeline: [{key: exposure, values: [[0, 1], [2, 4]]}]",
        "timeline: [{key: exposure, values: [[0, 1], [2.5, 3]]}]",
        "timeline: [{key: exposure, mode: linear, values: [[0, 1], [2, 3]]}]",
        "timeline: [{key: sky.intensity, values: [[0, 1], [2, 3]]}]",
        "timeline: [{key: exposure, values: [[0, 1], [2, 3], [4, 3]]}]",
        "title: none",
    };
    for (int a = 0; a < LENGTH(texts); a++)
        for (int b = 0; b < LENGTH(texts); b++) {
            Scene before, after;
            BillowError error;
            assert_true(scene_parse("f", texts[a], strlen(texts[a]), &before, &error));
            assert_true(scene_parse("f", texts[b], strlen(texts[b]), &after, &error));
            unsigned effects = scene_difference(&before, &after).effects;
            assert_int_equal(effects & SCENE_EFFECT_TIMELINE, a != b ? SCENE_EFFECT_TIMELINE : 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_scenes_do_not_differ),
        cmocka_unit_test(test_every_key_of_the_scene),
        cmocka_unit_test(test_ramp_by_age),
        cmocka_unit_test(test_every_key_of_entries),
        cmocka_unit_test(test_every_key_of_the_hand),
        cmocka_unit_test(test_lengths_of_lists),
        cmocka_unit_test(test_first_emitter_of_tracers),
        cmocka_unit_test(test_timelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
