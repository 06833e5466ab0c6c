/* SPDX-License-Identifier: MIT
 * Changes of a scene by hand: undo and redo, resets, presets, pending changes, files. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "app/editor.h"
#include "app/figures.h"
#include "scene/scene_write.h"

#include <sys/stat.h>
#include <unistd.h>

#include "scene_fixture.h" /* last: cmocka has another fail */

static Editor opened(const char *name)
{
    Editor editor;
    Scene scene;
    BillowError error;
    assert_true(scene_load(name, &scene, &error));
    assert_true(editor_open(&editor, &error));
    editor_follow(&editor, &scene, &scene, name);
    return editor;
}

/* The window does this every frame. */
static bool play(Editor *editor)
{
    const Scene *scene = editor_ready(editor);
    if (scene != NULL)
        editor_played(editor, scene);
    return scene != NULL;
}

static void set_value(Editor *editor, const char *assignment, bool done)
{
    BillowError error;
    if (!editor_set(editor, assignment, done, &error))
        fail_msg("%s", error.text);
}

static bool same(const Scene *one, const Scene *other)
{
    return scene_difference(one, other).effects == 0;
}

static void test_undo(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    Scene states[4];
    static const char *const changes[] = {"solver.vorticity=3", "sun.elevation=5",
                                          "emitters[0].smoke=1.25"};
    states[0] = editor.shown;
    assert_false(editor_undo(&editor));
    for (int i = 0; i < 3; i++) {
        set_value(&editor, changes[i], true);
        assert_true(play(&editor));
        states[i + 1] = editor.shown;
    }
    for (int i = 2; i >= 0; i--) {
        assert_true(editor_undo(&editor));
        assert_true(play(&editor));
        assert_true(same(&editor.played, &states[i]));
    }
    assert_false(editor_undo(&editor));
    assert_true(editor_redo(&editor) && same(&editor.shown, &states[1]));
    set_value(&editor, "exposure=2", true); /* the undone change is gone */
    assert_false(editor_redo(&editor));
    assert_true(editor_undo(&editor) && same(&editor.shown, &states[1]));
    editor_close(&editor);
}

/* One drag is one change, and what takes a new simulation waits until it ends. */
static void test_drags(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    Scene before = editor.shown;
    set_value(&editor, "solver.vorticity=3", false);
    assert_true(play(&editor));
    set_value(&editor, "solver.vorticity=4", false);
    assert_true(play(&editor) && editor.played.def.params.vorticity == 4.0f);
    editor_done(&editor);
    assert_int_equal(history_undos(editor.history), 1);
    assert_true(editor_undo(&editor) && same(&editor.shown, &before));
    play(&editor);
    set_value(&editor, "domain.cells=40", false);
    assert_false(play(&editor));
    set_value(&editor, "domain.cells=48", false);
    assert_false(play(&editor));
    editor_done(&editor);
    assert_true(play(&editor) && editor.played.domain.cells[0] == 48);
    assert_false(play(&editor));
    assert_int_equal(history_undos(editor.history), 1);
    set_value(&editor, "domain.cells=50", false); /* there and back again */
    set_value(&editor, "domain.cells=48", false);
    editor_done(&editor);
    assert_int_equal(history_undos(editor.history), 1);
    editor_close(&editor);
}

/* Refused changes leave everything as it was, whatever refuses them. */
static void test_refusals(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    const Scene before = editor.shown;
    static const char *const wrong[] = {
        "solver.vorticity=-1",
        "solver.vortex=1",
        "emitters[9].smoke=1",
        "emitters[0].fuel=1",
        "domain.faces.left=periodic",
        "emitters[0].end=-1",
        "domain.cells=4",
        "smoke.albedo=[2, 0, 0]",
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        BillowError error = {{0}};
        assert_false(editor_set(&editor, wrong[i], true, &error));
        assert_true(error.text[0] != 0 && strstr(error.text, "--") == NULL);
        assert_true(same(&editor.shown, &before) && !editor.changed);
        assert_int_equal(history_undos(editor.history), 0);
    }
    set_value(&editor, "solver.vorticity=2", true);
    editor_give_up(&editor); /* the simulation would not have it */
    assert_true(same(&editor.shown, &before) && !editor_undo(&editor) && !editor_redo(&editor));
    set_value(&editor, "solver.vorticity=3", false);
    assert_true(play(&editor));
    const Scene between = editor.shown;
    set_value(&editor, "solver.vorticity=4", true); /* which it would not have */
    editor_give_up(&editor);
    assert_true(same(&editor.shown, &between) && editor_undo(&editor));
    assert_true(same(&editor.shown, &before));
    editor_close(&editor);
}

static void test_resets(void **state)
{
    (void)state;
    static const char *const groups[] = {"solver",   "domain", "emitters", "brush",
                                         "timeline", "lamps",  "sun.color"};
    static const char *const changes[] = {
        "solver={vorticity: 9, cfl: 2}",
        "domain.size=[2, 2, 2]",
        "emitters=[{}, {smoke: 1}]",
        "brush.smoke=1",
        "timeline=[{key: exposure, values: [[0, 1]]}]",
        "lamps=[{}, {}]",
        "sun.color=[0, 0, 1]",
    };
    Editor editor = opened("mushroom");
    BillowError error;
    for (int i = 0; i < LENGTH(groups); i++) {
        set_value(&editor, changes[i], true);
        assert_false(same(&editor.shown, &editor.given));
        assert_true(editor_reset_group(&editor, groups[i], &error));
        if (!same(&editor.shown, &editor.given))
            fail_msg("%s is not as it was", groups[i]);
    }
    editor_close(&editor);
}

static void test_presets(void **state)
{
    (void)state;
    for (int scene = 0; scene_builtin_name(scene) != NULL; scene++) {
        Editor editor = opened(scene_builtin_name(scene));
        for (int p = 0; preset_at(p) != NULL; p++) {
            BillowError error;
            const float was = editor.given.render.smoke.extinction;
            if (!editor_preset(&editor, preset_at(p), &error))
                fail_msg("%s: %s", preset_at(p)->name, error.text);
            Scene once = editor.shown;
            assert_true(editor_preset(&editor, preset_at(p), &error)); /* twice is as once */
            assert_true(same(&editor.shown, &once));
            if (strcmp(preset_at(p)->name, "thick") == 0)
                assert_true(fabsf(editor.shown.render.smoke.extinction / was - 3) < 0.01f);
        }
        editor_close(&editor);
    }
}

static void test_entries(void **state)
{
    (void)state;
    Editor editor = opened("text");
    BillowError error;
    set_value(&editor,
              "timeline=[{key: 'emitters[0].smoke', values: [[0, 1]]}, "
              "{key: exposure, values: [[0, 1]]}]",
              true);
    set_value(&editor, "emitters[0].name=sign", true);
    SceneEntry like = scene_list_whole(scene_list_of(SCENE_KEY_EMITTERS), &editor.shown, 0);
    like.name = NULL;
    assert_true(editor_add_entry(&editor, scene_list_of(SCENE_KEY_EMITTERS), &like, &error));
    assert_int_equal(editor.shown.def.emitter_count, 2);
    assert_string_equal(editor.shown.emitter_forms[1].text, "BILLOW");
    assert_string_equal(editor.shown.emitter_names[0].text, "sign");
    assert_string_equal(editor.shown.emitter_names[1].text, "");
    set_value(&editor, "emitters[1].name=other", true);
    set_value(&editor, "emitters[1].text=OTHER", true);
    set_value(&editor,
              "timeline=[{key: 'emitters[0].smoke', values: [[0, 1]]}, "
              "{key: 'emitters[1].heat', values: [[0, 5]]}, {key: exposure, values: [[0, 1]]}]",
              true);
    assert_true(editor_remove_entry(&editor, "emitters", 0, &error));
    assert_int_equal(editor.shown.def.emitter_count, 1);
    assert_string_equal(editor.shown.emitter_forms[0].text, "OTHER");
    assert_string_equal(editor.shown.emitter_names[0].text, "other");
    assert_int_equal(editor.shown.track_count, 2); /* one lost its emitter, one follows it */
    assert_string_equal(editor.shown.tracks[0].key, "emitters[0].heat");
    assert_string_equal(editor.shown.tracks[1].key, "exposure");
    scene_shift_tracks(&editor.shown, "emitters", 0, 1);
    assert_string_equal(editor.shown.tracks[0].key, "emitters[1].heat");
    scene_shift_tracks(&editor.shown, "emitters", 2, -1);
    assert_string_equal(editor.shown.tracks[0].key, "emitters[1].heat");
    scene_shift_tracks(&editor.shown, "emit", 0, 1);
    assert_string_equal(editor.shown.tracks[0].key, "emitters[1].heat");
    assert_false(editor_remove_entry(&editor, "emitters", 1, &error));
    const SceneList *lamps = scene_list_of(SCENE_KEY_LAMPS);
    RenderLamp lamp = render_default_lamp();
    const SceneEntry one = {.values = &lamp};
    for (int i = 0; i < RENDER_LAMPS_MAX; i++)
        assert_true(editor_add_entry(&editor, lamps, &one, &error));
    assert_false(editor_add_entry(&editor, lamps, &one, &error));
    assert_string_equal(error.text, "there are already 4 lamps, and a scene can have no more");
    editor_close(&editor);
}

/* The values that a scene names for its panel and its poster follow their entries. */
static void test_named_values_follow(void **state)
{
    (void)state;
    Editor editor = opened("campfire"); /* whose panel names entries by their names */
    BillowError error;
    Scene saved, read;
    assert_non_null(strstr(editor.shown.panel, "emitters[0].fuel"));
    set_value(&editor, "emitters[0].name=embers", true);
    set_value(&editor, "panel=exposure emitters[embers].fuel solids[0].size sun.azimuth", true);
    set_value(&editor, "poster.set=emitters[embers].fuel=3 exposure=2 solids[1].size=[0.1,0.5]",
              true);
    set_value(&editor, "emitters[0].name=fire", true); /* what was named embers keeps its values */
    const int solids = editor.shown.def.solid_count;
    assert_true(solids >= 2);
    assert_true(editor_remove_entry(&editor, "solids", 0, &error));
    set_value(&editor, "exposure=1.5", true); /* all can still be changed */
    assert_string_equal(editor.shown.panel, "exposure emitters[0].fuel sun.azimuth");
    assert_string_equal(editor.shown.poster.set,
                        "emitters[0].fuel=3 exposure=2 solids[0].size=[0.1,0.5]");
    saved = editor.shown;
    assert_true(scene_save(&saved, "named.yaml", &error) &&
                scene_load("named.yaml", &read, &error));
    assert_string_equal(read.panel, saved.panel);
    remove("named.yaml");
    editor_close(&editor);
}

/* The oldest of many changes give way. */
static void test_bounded(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    char assignment[64];
    for (int i = 0; i < 200; i++) {
        snprintf(assignment, sizeof assignment, "exposure=%g", 0.01 * (i + 1));
        set_value(&editor, assignment, true);
    }
    int undos = 0;
    while (editor_undo(&editor))
        undos++;
    assert_int_equal(undos, 63);
    assert_true(fabsf(editor.shown.render.exposure - 0.01f * (200 - 63)) < 1e-6f);
    while (editor_redo(&editor))
        undos--;
    assert_int_equal(undos, 0);
    assert_true(fabsf(editor.shown.render.exposure - 2) < 1e-6f);
    editor_close(&editor);
}

/* The same scene, changed from elsewhere, is a change like others. */
static void test_follow(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    const Scene first = editor.played;
    Scene other = first;
    other.render.exposure = 3;
    assert_false(editor_follow(&editor, &other, &first, "plume"));
    assert_int_equal(history_undos(editor.history), 1);
    assert_true(editor.given.render.exposure != 3.0f);
    assert_true(editor_undo(&editor) && play(&editor) && same(&editor.played, &first));
    editor_close(&editor);
}

static Scene loaded(const char *name)
{
    Scene scene;
    BillowError error;
    if (!scene_load(name, &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

/* The changes of a scene survive a visit to another scene. An unchanged scene leaves no step to
 * undo. */
static void test_other_scenes(void **state)
{
    (void)state;
    const Scene fire = loaded("fire"), plates = loaded("plates");
    Editor editor = opened("plume");
    const Scene plume = editor.given;
    assert_false(editor_follow(&editor, &fire, &fire, "fire"));
    assert_int_equal(history_undos(editor.history), 0);
    assert_true(same(&editor.given, &fire));
    set_value(&editor, "exposure=2", true);
    const Scene changed = editor.shown;
    assert_true(play(&editor));
    assert_true(editor_follow(&editor, &plates, &plates, "plates"));
    assert_int_equal(history_undos(editor.history), 2);
    assert_false(editor_follow(&editor, &plume, &plume, "plume"));
    assert_int_equal(history_undos(editor.history), 2); /* without the plates */

    assert_true(editor_undo(&editor) && editor.back && editor.rebuilds);
    assert_true(same(&editor.shown, &changed) && same(&editor.given, &fire));
    assert_string_equal(editor.from, "fire");
    assert_true(play(&editor) && !editor.changed && !editor.back);
    assert_false(editor_follow(&editor, &changed, &fire, "fire"));
    assert_true(editor_undo(&editor) && !editor.back && same(&editor.shown, &fire));
    assert_true(editor_redo(&editor) && editor_redo(&editor) && same(&editor.shown, &plume));
    assert_string_equal(editor.from, "plume");
    editor_close(&editor);
}

/* If an undo fails, the scene stays, and the undo can be tried again. */
static void test_refused_ways_back(void **state)
{
    (void)state;
    const Scene fire = loaded("fire");
    Editor editor = opened("plume");
    set_value(&editor, "exposure=2", true);
    assert_true(play(&editor));
    const Scene changed = editor.shown;
    assert_true(editor_follow(&editor, &fire, &fire, "fire"));
    for (int time = 0; time < 2; time++) {
        assert_true(editor_undo(&editor) && editor.back && same(&editor.shown, &changed));
        editor_give_up(&editor);
        assert_true(!editor.back && same(&editor.shown, &fire) && same(&editor.given, &fire));
        assert_string_equal(editor.from, "fire");
    }
    assert_true(editor_undo(&editor) && play(&editor));
    assert_true(editor_redo(&editor) && editor.back);
    editor_give_up(&editor);
    assert_true(same(&editor.shown, &changed) && history_redos(editor.history) == 1);
    editor_close(&editor);
}

/* A reset restores the values of the current file, before and after the undo of a reload. */
static void test_opened_again(void **state)
{
    (void)state;
    Editor editor = opened("plume");
    Scene file = editor.given;
    BillowError error;
    file.render.exposure = 3;
    file.def.params.vorticity = 1;
    set_value(&editor, "sun.elevation=5", true);
    assert_true(play(&editor));
    const Scene changed = editor.shown;
    assert_true(editor_follow(&editor, &file, &file, "plume")); /* the sun was somebody's */
    assert_true(editor_undo(&editor) && play(&editor));
    assert_true(same(&editor.shown, &changed) && same(&editor.given, &file));
    assert_true(editor_reset_group(&editor, "solver", &error) && play(&editor));
    assert_true(editor.shown.def.params.vorticity == 1.0f);
    assert_true(editor.shown.render.sun.elevation == 5.0f);
    assert_false(editor_follow(&editor, &editor.shown, &file, "plume"));
    editor_forget(&editor);
    assert_false(editor_follow(&editor, &file, &file, "plume"));
    assert_int_equal(history_undos(editor.history), 0);
    editor_close(&editor);
}

/* Existing files are not overwritten. A saved scene loads again, with the camera where it was. */
static void test_save(void **state)
{
    (void)state;
    char folder[] = "editor_test_XXXXXX", path[300], expected[300];
    Editor editor = opened("fire");
    RenderCamera camera = editor.shown.render.camera;
    BillowError error;
    assert_non_null(mkdtemp(folder));
    set_value(&editor, "solver.vorticity=1.2345678", true);
    camera.azimuth = 123.456f;
    for (int number = 1; number <= 3; number++) {
        Scene back;
        if (!editor_save(&editor, &camera, folder, path, sizeof path, NULL, &error))
            fail_msg("%s", error.text);
        snprintf(expected, sizeof expected, number == 1 ? "%s/fire.yaml" : "%s/fire-%d.yaml",
                 folder, number);
        assert_string_equal(path, expected);
        assert_true(scene_load(path, &back, &error));
        assert_memory_equal(&back.render.camera, &camera, sizeof camera);
        back.render.camera = editor.shown.render.camera;
        assert_true(same(&back, &editor.shown));
    }
    assert_false(editor_save(&editor, &camera, folder, path, 16, NULL, &error));
    assert_non_null(strstr(error.text, "...: the folder's name is too long"));
    const int most = 9999;
    for (int number = 4; number <= most; number++) {
        snprintf(path, sizeof path, "%s/fire-%d.yaml", folder, number);
        FILE *stream = fopen(path, "w");
        assert_non_null(stream);
        fclose(stream);
    }
    assert_false(editor_save(&editor, &camera, folder, path, sizeof path, NULL, &error));
    assert_non_null(
        strstr(error.text, " already holds 9999 scenes called fire; move some to another folder"));
    for (int number = 1; number <= most; number++) {
        snprintf(path, sizeof path, number == 1 ? "%s/fire.yaml" : "%s/fire-%d.yaml", folder,
                 number);
        remove(path);
    }
    rmdir(folder);
    assert_false(editor_save(&editor, &camera, folder, path, sizeof path, NULL, &error));
    editor_close(&editor);
}

static void test_graphs(void **state)
{
    (void)state;
    Graph graph = {.count = 0};
    float least, most;
    graph_range(&graph, &least, &most);
    assert_true(most > least && graph_last(&graph) == 0.0f);
    for (int i = 0; i < GRAPH_STEPS + 10; i++) {
        graph_add(&graph, i);
        assert_true(graph_last(&graph) == (float)i);
    }
    assert_int_equal(graph.count, GRAPH_STEPS);
    assert_true(graph.values[graph.first] == 10.0f); /* the oldest */
    graph_add(&graph, (double)INFINITY);
    graph_range(&graph, &least, &most);
    assert_true(isfinite(most) && most == (float)(GRAPH_STEPS + 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_undo),
        cmocka_unit_test(test_drags),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_named_values_follow),
        cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_other_scenes),
        cmocka_unit_test(test_refused_ways_back),
        cmocka_unit_test(test_opened_again),
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
