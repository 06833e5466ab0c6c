/* SPDX-License-Identifier: MIT
 * A changed scene written as --set arguments, and read back. */
#include "scene/scene_write.h"
#include "scene_fixture.h"

enum { MOST = 400 };

typedef struct Told {
    char text[MOST][900];
    int count;
} Told;

static void note(void *context, const char *assignment)
{
    Told *told = context;
    assert_true(told->count < MOST);
    snprintf(told->text[told->count++], sizeof told->text[0], "%s", assignment);
}

/* The arguments of any change turn the loaded scene into the changed one, to the bit. */
static void arguments_make_the_same_scene(void **state)
{
    (void)state;
    static Told told;
    for (int s = 0; scene_builtin_name(s) != NULL; s++) {
        Scene loaded, now;
        BillowError error = {""};
        assert_true(scene_load(scene_builtin_name(s), &loaded, &error));
        now = loaded;
        now.render.camera.azimuth = 12.3456789f;
        now.render.camera.elevation = 1.0f / 3;
        now.render.camera.target[1] = 0.1f + 1e-7f;
        now.render.sun.elevation = 17.7f;
        now.render.smoke.extinction *= 1.1f;
        now.def.params.vorticity = 2.0f / 3;
        now.brush.smoke = 5.55f;
        now.render.smoke_ramp.stop_count = RENDER_STOPS_MAX;
        for (int stop = 0; stop < RENDER_STOPS_MAX; stop++)
            now.render.smoke_ramp.stops[stop] =
                (RenderStop){(float)stop / 7, {1.0f / (float)(stop + 3), 0.1f, 1e-30f}};
        now.render.smoke_ramp.by = RENDER_RAMP_SPEED;
        now.render.fire_ramp.stop_count = 1;
        now.render.fire_ramp.stops[0] = (RenderStop){0.3f, {99.9f, 0, 1}};
        if (now.def.color)
            now.brush.color[2] = 0.1f;
        now.step = 0.0123f;
        for (int e = 0; e < now.def.emitter_count; e++)
            now.def.emitters[e].smoke += 0.7f;
        for (int b = 0; b < now.def.solid_count; b++)
            now.def.solids[b].bounce = 0.33f;
        memset(&told, 0, sizeof told);
        assert_int_equal(scene_arguments(&loaded, &now, "camera.", note, &told), 0);
        assert_true(told.count >= 11);
        const char *overrides[MOST];
        for (int a = 0; a < told.count; a++)
            overrides[a] = told.text[a];
        SceneRequest request = {.name_or_path = scene_builtin_name(s),
                                .overrides = overrides,
                                .override_count = told.count};
        Scene again;
        if (!scene_open(&request, &again, &error))
            fail_msg("%s", error.text);
        SceneDifference difference = scene_difference(&again, &now);
        if ((difference.effects & ~(unsigned)SCENE_EFFECT_TIMELINE) != 0)
            fail_msg("%s: %s differs", scene_builtin_name(s), difference.first);
    }
}

/* The camera is always told, all of it and nothing else where nothing was changed. */
static void the_camera_is_always_told(void **state)
{
    (void)state;
    static Told told;
    Scene scene = *scene_default();
    assert_int_equal(scene_arguments(&scene, &scene, "camera.", note, &told), 0);
    assert_int_equal(told.count, 10); /* five of the view, five of the lens */
    for (int a = 0; a < told.count; a++)
        assert_memory_equal(told.text[a], "camera.", 7);
    told.count = 0;
    assert_int_equal(scene_arguments(&scene, &scene, "", note, &told), 0);
    assert_int_equal(told.count, 0);
}

static void what_cannot_be_set_is_counted(void **state)
{
    (void)state;
    static Told told;
    Scene scene = *scene_default(), now = scene;
    now.def.emitter_count = 1;
    now.def.emitters[0] = billow_default_emitter();
    now.track_count = 1;
    now.tracks[0] = (SceneTrack){.key = "fluid.buoyancy", .count = 1, .parts = 1};
    assert_int_equal(scene_arguments(&scene, &now, "", note, &told), 2);
    assert_int_equal(scene_arguments(&now, &scene, "", note, &told), 2);
}

/* --set removes the timeline's track of its key and no other. */
static void what_is_set_is_led_no_more(void **state)
{
    (void)state;
    static const char text[] = "timeline:\n"
                               "  - {key: camera.azimuth, values: [[0, 0], [9, 90]]}\n"
                               "  - {key: camera.elevation, values: [[0, 0], [9, 45]]}\n";
    Scene scene = *scene_default();
    BillowError error = {""};
    assert_true(parse(text, strlen(text), &scene, &error));
    const char *overrides[] = {"camera.azimuth=33"};
    SceneRequest request = {.name_or_path = "f.yaml", .overrides = overrides, .override_count = 1};
    if (!scene_change(&request, &scene, &error))
        fail_msg("%s", error.text);
    assert_int_equal(scene.track_count, 1);
    assert_string_equal(scene.tracks[0].key, "camera.elevation");
    assert_true(scene.render.camera.azimuth == 33);
}

static void shells_take_arguments_for_one(void **state)
{
    (void)state;
    char quoted[64];
    assert_true(scene_argument_quote("a.b=1.5e-7", quoted, sizeof quoted));
    assert_string_equal(quoted, "a.b=1.5e-7");
    assert_true(scene_argument_quote("v=[1, 2, 3]", quoted, sizeof quoted));
    assert_string_equal(quoted, "'v=[1, 2, 3]'");
    assert_true(scene_argument_quote("it's", quoted, sizeof quoted));
    assert_string_equal(quoted, "'it'\\''s'");
    assert_true(scene_argument_quote("", quoted, sizeof quoted));
    assert_string_equal(quoted, "''");
    assert_false(scene_argument_quote("v=[1, 2, 3]", quoted, 13));
    assert_true(scene_argument_quote("v=[1, 2, 3]", quoted, 14));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_make_the_same_scene),
        cmocka_unit_test(the_camera_is_always_told),
        cmocka_unit_test(what_cannot_be_set_is_counted),
        cmocka_unit_test(what_is_set_is_led_no_more),
        cmocka_unit_test(shells_take_arguments_for_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
