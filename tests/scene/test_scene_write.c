/* SPDX-License-Identifier: MIT
 * Scenes to text and back: every value the same to the bit. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#endif
#include "scene/scene_keys.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"

#include <unistd.h>

#include "scene_fixture.h" /* last: cmocka has another fail */

/* A generator of its own, so that every run tries the same. */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11;
}

static double share(uint64_t *state)
{
    return (double)next_random(state) * 0x1p-53;
}

/* All values that scene files speak of; where a file speaks of them, and entries that lists no
 * longer have, are no values. */
static void assert_same_keys(const SceneKeyTable *table, const void *base, const void *other,
                             const char *label)
{
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        bool form = key->home != SCENE_HOME_STRUCTURE || key->type == SCENE_KEY_FILE;
        if (form || scene_list_of(key->type) != NULL || key->type == SCENE_KEY_TIMELINE)
            continue;
        if (key->type == SCENE_KEY_EMITTER)
            assert_same_keys(scene_emitter_keys(), (const char *)base + key->offset,
                             (const char *)other + key->offset, key->path);
        else if (!scene_keys_equal(key, base, other)) {
            char one[400], two[400];
            scene_keys_format(key, base, one, sizeof one);
            scene_keys_format(key, other, two, sizeof two);
            fail_msg("%s %s: %s became %s", label, key->path, one, two);
        }
    }
}

static void assert_same_track(const SceneTrack *one, const SceneTrack *two)
{
    assert_string_equal(one->key, two->key);
    assert_true(one->smooth == two->smooth && one->count == two->count && one->parts == two->parts);
    for (int moment = 0; moment < one->count; moment++) {
        assert_memory_equal(&one->times[moment], &two->times[moment], sizeof(double));
        assert_memory_equal(one->values[moment], two->values[moment],
                            (size_t)one->parts * sizeof(float));
    }
}

static void assert_same(Scene *one, Scene *two)
{
    assert_same_keys(scene_keys(), one, two, one->name);
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        assert_int_equal(*scene_list_count(list, one), *scene_list_count(list, two));
        for (int e = 0; e < *scene_list_count(list, one); e++) {
            const SceneForm *form = scene_list_form(list, one, e);
            const SceneName *name = scene_list_whole(list, one, e).name;
            if (name != NULL)
                assert_string_equal(name->text, scene_list_whole(list, two, e).name->text);
            assert_same_keys(list->keys(), scene_list_entry(list, one, e),
                             scene_list_entry(list, two, e), list->name);
            if (form != NULL) {
                assert_string_equal(form->mesh, scene_list_form(list, two, e)->mesh);
                assert_string_equal(form->text, scene_list_form(list, two, e)->text);
                assert_string_equal(form->font, scene_list_form(list, two, e)->font);
            }
        }
    }
    assert_int_equal(one->track_count, two->track_count);
    for (int t = 0; t < one->track_count; t++)
        assert_same_track(&one->tracks[t], &two->tracks[t]);
}

/* Written and read back; the text stays for whoever wants to look at it. */
static void assert_survives(Scene *scene, char text[65536])
{
    Scene back;
    BillowError error;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    scene_write(scene, NULL, stream);
    rewind(stream);
    size_t length = fread(text, 1, 65535, stream);
    fclose(stream);
    text[length] = '\0';
    if (!scene_parse("written.yaml", text, length, &back, &error))
        fail_msg("%s\n%s", error.text, text);
    assert_same(scene, &back);
}

static void test_builtin_scenes(void **state)
{
    (void)state;
    static char text[65536];
    for (int index = 0; scene_builtin_name(index) != NULL; index++) {
        Scene scene;
        BillowError error;
        assert_true(scene_load(scene_builtin_name(index), &scene, &error));
        assert_survives(&scene, text);
    }
    Scene plain = *scene_default();
    assert_survives(&plain, text);
    assert_true(strlen(text) < 200); /* defaults are not written */
}

/* A scene in which every key means something. */
static Scene full_scene(void)
{
    static const char *const settings[] = {
        "name=full-1",
        "title='a \"quoted\" \\ title: # [x] \xc3\xa9'",
        "domain.faces.floor=open",
        "domain.faces.ceiling=open",
        "fluid.fire=true",
        "fluid.color=true",
        "fluid.texture_period=0.7",
        "tracers.count=500",
        "emitters=[{}, {text: 'a: \"b\"', font: DejaVu Serif, size: 0.2}, {shape: box}]",
        "solids=[{center: [0.2, 0.2, 0.2], size: 0.1}, {center: [0.8, 0.8, 0.8], size: 0.1}]",
        "forces=[{}, {kind: vortex, velocity: [0, 1, 0]}]",
        "lamps=[{}, {radius: 0.1}]",
        "smoke.ramp=[{}, {at: 1, color: [0.5, 0.25, 0.1]}]",
        "fire.ramp=ice",
        ("timeline=[{key: 'lamps[0].position', values: [[0, [0, 1, 0]], [0.1, [1, 0.1, -0.0]]]}, "
         "{key: fluid.buoyancy, mode: linear, values: [[0.333333333333, 0.7], [2, 1e-7]]}]"),
    };
    Scene scene = *scene_default();
    BillowError error;
    for (int i = 0; i < LENGTH(settings); i++)
        if (!scene_set(&scene, settings[i], &error))
            fail_msg("%s", error.text);
    return scene;
}

/* Somewhere in a key's range, near 0 as often as far from it; exactly at the range's ends now and
 * then. */
static double any_value(const SceneKey *key, uint64_t *random)
{
    double least = key->minimum, most = key->maximum, at = share(random);
    switch (next_random(random) % 8) {
    case 0:
        return least;
    case 1:
        return most;
    case 2:
    case 3:
        return fmin(fmax(pow(10, 12 * at - 9), least), most);
    case 4:
        return fmin(fmax(-pow(10, 12 * at - 9), least), most);
    default:
        return least + at * (most - least);
    }
}

/* A value as --set takes it; none for lists and such. */
static bool any_text(const SceneKey *key, uint64_t *random, char text[160])
{
    const char *const *choices = key->choices;
    int words = 0;
    if (choices != NULL) {
        while (choices[words] != NULL)
            words++;
        snprintf(text, 160, "%s", choices[next_random(random) % (uint64_t)words]);
        return true;
    }
    double a = any_value(key, random), b = any_value(key, random), c = any_value(key, random);
    if (key->type == SCENE_KEY_VECTOR && next_random(random) % 2)
        *(next_random(random) % 2 ? &b : &a) = c = 0;
    switch (key->type) {
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
        snprintf(text, 160, "%.17g", a);
        return true;
    case SCENE_KEY_INT:
    case SCENE_KEY_SEED:
        snprintf(text, 160, "%.0f", floor(a));
        return true;
    case SCENE_KEY_BOOL:
        snprintf(text, 160, "%s", next_random(random) % 2 ? "true" : "false");
        return true;
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
    case SCENE_KEY_COLOR:
        snprintf(text, 160, "[%.17g, %.17g, %.17g]", a, b, c);
        return true;
    case SCENE_KEY_ROTATION:
        snprintf(text, 160, "[%.17g, %.17g, %.17g, %.17g]", share(random) - 0.5,
                 share(random) - 0.5, share(random) - 0.5, 800 * share(random) - 400);
        return true;
    case SCENE_KEY_CELLS:
        snprintf(text, 160, "%.0f", 8 + floor(40 * share(random)));
        return true;
    default:
        return false;
    }
}

/* Boundaries mean something on faces of their kind. */
static void open_boundary(const char *path, Scene *scene)
{
    char assignment[100];
    BillowError error;
    const char *side = path + strlen("domain.boundaries.");
    if (strncmp(path, "domain.boundaries.", strlen("domain.boundaries.")) != 0)
        return;
    bool wall = strstr(path, "isothermal") != NULL || strstr(path, "temperature") != NULL;
    snprintf(assignment, sizeof assignment, "domain.faces.%.*s=%s", (int)strcspn(side, "."), side,
             wall ? "no_slip" : "inflow");
    assert_true(scene_set(scene, assignment, &error));
}

/* Whether a file could contain this value. */
static bool allowed(const Scene *scene)
{
    const BillowDef def = scene_def(scene);
    SceneRequest none = {.name_or_path = "full"};
    Scene same = *scene;
    BillowError error;
    return billow_check_faces(&def, &error) && scene_change(&none, &same, &error);
}

/* Whether the keys are those of brush or detonation, which have no form. */
static bool is_hand(const char *label)
{
    return strncmp(label, "brush", 5) == 0 || strncmp(label, "detonation", 10) == 0;
}

/* Random values of one key after the other: each must be taken some of the time. */
static void try_table(const SceneKeyTable *table, const char *label, uint64_t *random)
{
    static char text[65536];
    Scene scene = full_scene();
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        char value[160], assignment[300];
        int taken = 0;
        if (!any_text(key, random, value) || (key->home != SCENE_HOME_STRUCTURE && is_hand(label)))
            continue;
        for (int trial = 0; trial < 200 && taken < 4; trial++) {
            BillowError error;
            Scene changed = scene;
            open_boundary(key->path, &changed);
            any_text(key, random, value);
            snprintf(assignment, sizeof assignment, "%s%s=%s", label, key->path, value);
            if (!scene_set(&changed, assignment, &error) || !allowed(&changed))
                continue;
            assert_survives(&changed, text);
            taken++;
        }
        if (taken == 0)
            fail_msg("no value of %s%s was taken", label, key->path);
    }
}

static void test_random_values(void **state)
{
    (void)state;
    uint64_t random = 20;
    try_table(scene_keys(), "", &random);
    try_table(scene_emitter_keys(), "emitters[2].", &random);
    try_table(scene_emitter_keys(), "detonation.", &random);
    try_table(scene_solid_keys(), "solids[1].", &random);
    try_table(scene_force_keys(), "forces[1].", &random);
    try_table(scene_lamp_keys(), "lamps[0].", &random);
    try_table(scene_stop_keys(), "smoke.ramp[1].", &random);
}

static void assert_rotation_survives(const double turn[4])
{
    float q[4], back[4];
    double read[4];
    char text[160];
    scene_rotation_read(turn, q);
    const SceneKey key = {.type = SCENE_KEY_ROTATION};
    assert_true(scene_keys_format(&key, q, text, sizeof text));
    assert_int_equal(sscanf(text, "[%lf, %lf, %lf, %lf]", &read[0], &read[1], &read[2], &read[3]),
                     4);
    scene_rotation_read(read, back);
    if (memcmp(q, back, sizeof q) != 0)
        fail_msg("[%.17g, %.17g, %.17g, %.17g] became %s", turn[0], turn[1], turn[2], turn[3],
                 text);
}

static void test_rotations(void **state)
{
    (void)state;
    uint64_t random = 7;
    static const double angles[] = {0,  1e-12,      1e-6, 0.01, 1,       45,
                                    90, 179.999999, 180,  270,  359.9999};
    for (int trial = 0; trial < 20000; trial++) {
        double turn[4];
        for (int axis = 0; axis < 3; axis++)
            turn[axis] = trial % 5 == axis ? 0 : 2 * share(&random) - 1;
        turn[3] = trial % 3 == 0 ? angles[trial / 3 % LENGTH(angles)] : 1000 * share(&random) - 500;
        assert_rotation_survives(turn);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int a = 0; a < LENGTH(angles); a++) {
            double turn[4] = {0, 0, 0, angles[a]};
            turn[axis] = a % 2 ? -1 : 1;
            assert_rotation_survives(turn);
        }
}

/* Sums of turns, as of a solid that was turned by hand, lie a little off what an axis and an angle
 * can say: by no more than rounding. */
static void test_other_rotations(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int trial = 0; trial < 2000; trial++) {
        float q[4], back[4];
        double turn[4], length = 0;
        for (int part = 0; part < 4; part++)
            q[part] = (float)(2 * share(&random) - 1);
        for (int part = 0; part < 4; part++)
            length += (double)q[part] * (double)q[part];
        for (int part = 0; part < 4; part++)
            q[part] = (float)((double)q[part] / sqrt(length));
        scene_rotation_turn(q, turn);
        scene_rotation_read(turn, back);
        for (int part = 0; part < 4; part++)
            assert_true(fabsf(q[part] - back[part]) <= 1.3e-7f);
    }
}

/* A mesh is found again from wherever the file was written. */
static void test_mesh_paths(void **state)
{
    (void)state;
    static const char ball[] = "v 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\nf 4 2 1\nf 4 3 2\n"
                               "f 4 1 3\n";
    static const char *const targets[] = {"written_here.yaml", "./written_beside.yaml"};
    FILE *file = fopen("written_ball.obj", "wb");
    assert_non_null(file);
    fwrite(ball, 1, sizeof ball - 1, file);
    fclose(file);
    Scene scene = *scene_default(), back;
    BillowError error;
    assert_true(scene_set(&scene, "emitters=[{mesh: written_ball.obj, size: 0.2}]", &error));
    for (int t = 0; t < LENGTH(targets); t++) {
        if (!scene_save(&scene, targets[t], &error) || !scene_load(targets[t], &back, &error))
            fail_msg("%s", error.text);
        FILE *mesh = fopen(back.emitter_forms[0].mesh, "rb");
        assert_non_null(mesh);
        fclose(mesh);
        assert_int_equal(back.def.emitters[0].shape, BILLOW_VOLUME);
        remove(targets[t]);
    }
    assert_false(scene_save(&scene, "written_nowhere/scene.yaml", &error));
    assert_non_null(strstr(error.text, "written_nowhere"));
    remove("written_ball.obj");
}

/* A panorama is named relative to the scene; one elsewhere is refused, as is one that is none. */
static void test_panorama(void **state)
{
    (void)state;
    Scene scene = *scene_default(), back;
    BillowError error = {""};
    char folder[] = "/tmp/billow-test-panorama-XXXXXX", path[96], assignment[160];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sky.hdr", folder);
    snprintf(assignment, sizeof assignment, "surroundings.file=%s", path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n", file);
    assert_int_equal(fclose(file), 0);
    assert_false(scene_set(&scene, assignment, &error));
    assert_non_null(strstr(error.text, "sky.hdr: it is incomplete or damaged: row 0 of 2"));
    file = fopen(path, "ab");
    assert_non_null(file);
    for (int pixel = 0; pixel < 8; pixel++)
        fputs("\1\2\3\4", file);
    assert_int_equal(fclose(file), 0);
    if (!scene_set(&scene, assignment, &error))
        fail_msg("%s", error.text);
    assert_false(scene_save(&scene, "/tmp/billow-elsewhere/scene.yaml", &error));
    assert_non_null(strstr(error.text, "surroundings.file is "));
    assert_non_null(strstr(error.text, "which does not lie beside it or below; save it beside"));
    char saved[96];
    snprintf(saved, sizeof saved, "%s/scene.yaml", folder);
    if (!scene_save(&scene, saved, &error) || !scene_load(saved, &back, &error))
        fail_msg("%s", error.text);
    assert_string_equal(back.render.surroundings.file, path);
    unlink(saved);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_panorama),        cmocka_unit_test(test_builtin_scenes),
        cmocka_unit_test(test_random_values),   cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_other_rotations), cmocka_unit_test(test_mesh_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
