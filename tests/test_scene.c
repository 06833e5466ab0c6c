/* SPDX-License-Identifier: MIT
 * Scene files: what is refused and in which words, what is accepted, and what becomes of it. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#endif
#include "scene.h"
#include "scene_keys.h"
#include "scene_suggest.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* Parses text as file "f.yaml"; also checks that a refusal leaves the scene's bytes alone and says
 * one line. */
static bool parse(const char *text, size_t length, Scene *scene, BillowError *error)
{
    Scene before;
    memcpy(&before, scene, sizeof before);
    error->text[0] = '\0';
    bool good = scene_parse("f.yaml", text, length, scene, error);
    if (!good) {
        assert_memory_equal(&before, scene, sizeof before);
        assert_true(error->text[0] != '\0');
        assert_null(strchr(error->text, '\n'));
    } else {
        assert_string_equal(error->text, "");
    }
    return good;
}

static bool set(Scene *scene, const char *assignment, BillowError *error)
{
    Scene before;
    memcpy(&before, scene, sizeof before);
    error->text[0] = '\0';
    bool good = scene_set(scene, assignment, error);
    if (!good) {
        assert_memory_equal(&before, scene, sizeof before);
        assert_true(error->text[0] != '\0');
        assert_null(strchr(error->text, '\n'));
    }
    return good;
}

typedef struct Wrong {
    const char *input;
    const char *message;
} Wrong;

static const Wrong wrong_files[] = {
    {"", "f.yaml:1:1: nothing in this file; a scene begins with a line such as 'name: smoke'"},
    {"# only a comment\n",
     "f.yaml:1:1: nothing in this file; a scene begins with a line such as 'name: smoke'"},
    {"---\n", "f.yaml:2:1: 'a scene file' must be a group of keys, not an empty value"},
    {"- 1\n", "f.yaml:1:1: 'a scene file' must be a group of keys, not a list"},
    {"plume\n", "f.yaml:1:1: 'a scene file' must be a group of keys, not 'plume'"},
    {"fluid:\n  bouyancy: 1\n",
     "f.yaml:2:3: key 'bouyancy' is not known here; did you mean 'buoyancy'?"},
    {"name: a\nsovler: {}\n", "f.yaml:2:1: key 'sovler' is not known here; did you mean 'solver'?"},
    {"bouyancy: 3\n",
     "f.yaml:1:1: key 'bouyancy' is not known here; did you mean 'fluid.buoyancy'?"},
    {"domain:\n  size: [1, 1000, 1]\n",
     "f.yaml:1:1: the domain needs 1 x 64 x 1 cells; each must be 8 to 2048: change domain.size or "
     "the number of cells"},
    {"vorticity: 8\n",
     "f.yaml:1:1: key 'vorticity' is not known here; did you mean 'solver.vorticity'?"},
    {"sun: {zzz: 1}\n", "f.yaml:1:7: key 'zzz' is not known here; known are: azimuth, elevation, "
                        "intensity, color"},
    {"emitters:\n  - smoek: 1\n",
     "f.yaml:2:5: key 'smoek' is not known here; did you mean 'smoke'?"},
    {"domain: {faces: {top: open}}\n", "f.yaml:1:18: key 'top' is not known here; known are: left, "
                                       "right, floor, ceiling, back, front"},
    {"solver.vorticity: 8\n",
     "f.yaml:1:1: key 'solver.vorticity' is not known here; known are: name, title, domain, time, "
     "solver, fluid, emitters, brush, detonation, camera, sun, sky, ground, smoke, exposure"},
    {"\"\\x1b[31m\": 8\n",
     "f.yaml:1:1: key '?[31m' is not known here; known are: name, title, domain, time, solver, "
     "fluid, emitters, brush, detonation, camera, sun, sky, ground, smoke, exposure"},
    {"\"na\\0me\": 8\n",
     "f.yaml:1:1: key 'na?me' is not known here; known are: name, title, domain, time, solver, "
     "fluid, emitters, brush, detonation, camera, sun, sky, ground, smoke, exposure"},
    {"[a]: 8\n", "f.yaml:1:1: a key must be a name, not a list"},
    {"name: a\nsun: {azimuth: 1}\nname: b\n",
     "f.yaml:3:1: key 'name' is here twice, first in line 1"},
    {"solver: {sweeps: 3, sweeps: 4}\n",
     "f.yaml:1:21: key 'sweeps' is here twice, first in line 1"},
    {"solver:\n  vorticity: fast\n",
     "f.yaml:2:14: 'solver.vorticity' must be a finite number, not 'fast'"},
    {"solver: {vorticity: .nan}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '.nan'"},
    {"solver: {vorticity: nan}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not 'nan'"},
    {"solver: {vorticity: .inf}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '.inf'"},
    {"solver: {vorticity: inf}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not 'inf'"},
    {"solver: {vorticity: 0x10}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '0x10'"},
    {"solver: {vorticity: 1e999}\n",
     "f.yaml:1:21: 'solver.vorticity' must be 0 to 100 1/s, not '1e999'"},
    {"solver: {vorticity: 101}\n",
     "f.yaml:1:21: 'solver.vorticity' must be 0 to 100 1/s, not '101'"},
    {"solver: {vorticity: \"8\"}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '8' in quotes"},
    {"solver: {vorticity: !!int 8}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not '8' with a tag"},
    {"solver: {vorticity: }\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not an empty value"},
    {"solver: {vorticity: [1]}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not a list"},
    {"solver: {vorticity: {a: 1}}\n",
     "f.yaml:1:21: 'solver.vorticity' must be a finite number, not a group of keys"},
    {"solver: 3\n", "f.yaml:1:9: 'solver' must be a group of keys, not '3'"},
    {"solver:\nname: a\n", "f.yaml:1:8: 'solver' must be a group of keys, not an empty value"},
    {"solver: {sweeps: 2.5}\n", "f.yaml:1:18: 'solver.sweeps' must be a whole number, not '2.5'"},
    {"solver: {sweeps: 1e3}\n", "f.yaml:1:18: 'solver.sweeps' must be a whole number, not '1e3'"},
    {"solver: {sweeps: 99999999999999999999}\n",
     "f.yaml:1:18: 'solver.sweeps' must be 1 to 100000, not '99999999999999999999'"},
    {"solver: {warm_start: yes}\n",
     "f.yaml:1:22: 'solver.warm_start' must be true or false, not 'yes'"},
    {"solver: {pressure: magic}\n",
     "f.yaml:1:20: 'solver.pressure' must be relaxation, not 'magic'"},
    {"domain: {faces: {left: opne}}\n",
     "f.yaml:1:24: 'domain.faces.left' must be closed or open (did you mean 'open'?), not 'opne'"},
    {"domain: {size: [1, 2]}\n",
     "f.yaml:1:16: 'domain.size' must be a number or a list [x, y, z], not a list of 2"},
    {"domain: {size: [1, 0, 1]}\n",
     "f.yaml:1:20: 'domain.size[1]' must be 0.001 to 10000 m, not '0'"},
    {"domain: {cells: 7}\n", "f.yaml:1:17: 'domain.cells' must be 8 to 2048, not '7'"},
    {"domain: {cells: [64, 64]}\n", "f.yaml:1:17: 'domain.cells' must be a whole number or a list "
                                    "[nx, ny, nz], not a list of 2"},
    {"domain: {cells: [64, 64, 2049]}\n",
     "f.yaml:1:26: 'domain.cells[2]' must be 8 to 2048, not '2049'"},
    {"name: a\ndomain: {size: 0.001, cells: 2048}\n",
     "f.yaml:2:1: cells of this domain would be 4.88281e-07 m wide; they must be 1e-05 to 10000 m: "
     "change domain.size or domain.cells"},
    {"camera: {target: 1}\n", "f.yaml:1:18: 'camera.target' must be a list [x, y, z], not '1'"},
    {"sun: {color: red}\n",
     "f.yaml:1:14: 'sun.color' must be a list [red, green, blue], not 'red'"},
    {"emitters: {smoke: 1}\n",
     "f.yaml:1:11: 'emitters' must be a list of emitters, not a group of keys"},
    {"emitters: [3]\n", "f.yaml:1:12: 'emitters[0]' must be a group of keys, not '3'"},
    {"emitters: [{}, {center: [0, x, 0]}]\n",
     "f.yaml:1:29: 'emitters[1].center[1]' must be a finite number, not 'x'"},
    {"emitters: [{start: 2, end: 1}]\n",
     "f.yaml:1:12: 'emitters[0]' would end at 1 s, before it starts at 2 s"},
    {"brush: {seed: -1}\n", "f.yaml:1:15: 'brush.seed' must be 0 to 4294967295, not '-1'"},
    {"name: ''\n", "f.yaml:1:7: 'name' must be 1 to 63 bytes, not an empty value"},
    {"name: ../secret\n",
     "f.yaml:1:7: 'name' must be letters, digits, '-' and '_', not '../secret'"},
    {"name: [a]\n", "f.yaml:1:7: 'name' must be text, not a list"},
    {"title: \"two\\nlines\"\n",
     "f.yaml:1:8: 'title' must be one line of text without control characters, not 'two?lines'"},
    {"solver: {vorticity: 1\n",
     "f.yaml:2:1: not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'"},
    {"solver:\n\tvorticity: 1\n",
     "f.yaml:2:1: not valid YAML: a tab indents this line; use spaces"},
    {"a: *b\n", "f.yaml:1:4: not valid YAML: found undefined alias"},
    {"name: a\n---\nname: b\n",
     "f.yaml:2:1: a second document begins here; a scene is one document"},
    {"name: a\ntitle: \xC3\xA4\xFF\n",
     "f.yaml:2:9: not plain UTF-8 text: invalid leading UTF-8 octet"},
    {"name: a\001\n", "f.yaml:1:8: not plain UTF-8 text: control characters are not allowed"},
    {"a: &a [*a]\n",
     "f.yaml:1:1: key 'a' is not known here; known are: name, title, domain, time, solver, fluid, "
     "emitters, brush, detonation, camera, sun, sky, ground, smoke, exposure"},
    {"emitters: &a [*a]\n", "f.yaml:1:11: 'emitters[0]' must be a group of keys, not a list"},
    {"solver: &a {vorticity: *a}\n",
     "f.yaml:1:9: 'solver.vorticity' must be a finite number, not a group of keys"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(wrong_files); i++) {
        Scene scene;
        BillowError error;
        memset(&scene, 0x5A, sizeof scene);
        const char *text = wrong_files[i].input;
        assert_false(parse(text, strlen(text), &scene, &error));
        assert_string_equal(error.text, wrong_files[i].message);
    }
}

static const Wrong wrong_sets[] = {
    {"solver.vorticity", "--set 'solver.vorticity': write KEY=VALUE, such as solver.vorticity=8"},
    {"=8", "--set '': write KEY=VALUE, such as solver.vorticity=8"},
    {"", "--set '': write KEY=VALUE, such as solver.vorticity=8"},
    {"solver.vorticity=", "--set solver.vorticity: a value must follow the '='"},
    {"solver.vorticity=900", "--set solver.vorticity: must be 0 to 100 1/s, not '900'"},
    {"solver.vorticity=nan", "--set solver.vorticity: must be a finite number, not 'nan'"},
    {"solver.vorticity=[1",
     "--set solver.vorticity: not valid YAML: while parsing a flow sequence, "
     "did not find expected ',' or ']'"},
    {"solver.vortcity=8",
     "--set solver.vortcity: key 'vortcity' is not known here; did you mean 'vorticity'?"},
    {"vorticity=8",
     "--set vorticity: key 'vorticity' is not known here; did you mean 'solver.vorticity'?"},
    {"solver.=8",
     "--set solver.: key '' is not known here; known are: pressure, sweeps, tolerance, "
     "overrelaxation, warm_start, cfl, substeps_max, vorticity, diffusion_sweeps"},
    {"solver=8", "--set solver: must be a group of keys, not '8'"},
    {"solver={vorticity: 900}", "--set solver: 'solver.vorticity' must be 0 to 100 1/s, not '900'"},
    {"solver.vorticity.x=8",
     "--set solver.vorticity.x: 'solver.vorticity' has no parts; it is set as a whole"},
    {"domain.size[0]=8", "--set domain.size[0]: 'domain.size' has no parts; it is set as a whole"},
    {"emitters[1].smoke=3",
     "--set emitters[1].smoke: there is no emitter 1; this scene has 1, counted from 0"},
    {"emitters[99999999999].smoke=3", "--set emitters[99999999999].smoke: an emitter is written "
                                      "emitters[0], emitters[1], ..."},
    {"emitters[-1].smoke=3",
     "--set emitters[-1].smoke: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters[0=3", "--set emitters[0: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters[0]x=3", "--set emitters[0]x: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters.smoke=3",
     "--set emitters.smoke: an emitter is written emitters[0], emitters[1], ..."},
    {"emitters.0.smoek=3",
     "--set emitters.0.smoek: key 'smoek' is not known here; did you mean 'smoke'?"},
    {"emitters.0.smoke=-3", "--set emitters[0].smoke: must be 0 to 1000000 1/s, not '-3'"},
    {"emitters[0].end=-3", "--set emitters[0].end: must be 0 to 1000000000 s, not '-3'"},
    {"brush={start: 3, end: 2}", "--set brush: 'brush' would end at 2 s, before it starts at 3 s"},
    {"domain.cells=64x64", "--set domain.cells: must be a whole number, not '64x64'"},
    {"name=a/b", "--set name: must be letters, digits, '-' and '_', not 'a/b'"},
    {"a\nb=3", "--set a?b: key 'a?b' is not known here; known are: name, title, domain, time, "
               "solver, fluid, emitters, brush, detonation, camera, sun, sky, ground, smoke, "
               "exposure"},
};

static void test_wrong_sets(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(wrong_sets); i++) {
        Scene scene = scene_default();
        scene.emitters[0] = billow_default_emitter();
        scene.emitter_count = 1;
        BillowError error;
        assert_false(set(&scene, wrong_sets[i].input, &error));
        assert_string_equal(error.text, wrong_sets[i].message);
    }
}

static void test_right_sets(void **state)
{
    (void)state;
    Scene scene = scene_default();
    BillowError error;
    assert_true(set(&scene, "emitters=[{smoke: 1}, {smoke: 2, size: [1, 2, 3]}]", &error));
    assert_int_equal(scene.emitter_count, 2);
    assert_true(set(&scene, "emitters[1].smoke=3", &error));
    assert_true(set(&scene, "emitters.0.smoke = 4.5", &error));
    assert_true(set(&scene, "emitters[1]={heat: 7}", &error));
    assert_true(set(&scene, " solver.vorticity =8", &error));
    assert_true(set(&scene, "domain.size=[1, 2, 1.5]", &error));
    assert_true(set(&scene, "domain={cells: [16, 32, 24]}", &error));
    assert_true(set(&scene, "brush.size=0.25", &error));
    assert_true(set(&scene, "domain.faces.left=open", &error));
    assert_true(set(&scene, "title='a = b: c'", &error));
    assert_true(scene.emitters[1].smoke == 3.0f && scene.emitters[1].size[2] == 3.0f);
    assert_true(scene.emitters[0].smoke == 4.5f && scene.emitters[1].heat == 7.0f);
    assert_true(scene.params.vorticity == 8.0f);
    assert_true(scene.domain.size[1] == 2.0f && scene.domain.cells[1] == 32);
    assert_true(scene.brush.size[0] == 0.25f && scene.brush.size[2] == 0.25f);
    assert_int_equal(scene.domain.faces[BILLOW_LEFT], BILLOW_OPEN);
    assert_string_equal(scene.title, "a = b: c");
    assert_true(set(&scene, "emitters=[]", &error));
    assert_int_equal(scene.emitter_count, 0);
}

/* Texts made to cost time or memory: each is refused, and at once. */
static void test_hostile_files(void **state)
{
    (void)state;
    Scene scene = scene_default();
    BillowError error;
    enum { SIZE = 200 * 1024 };
    char *text = malloc(2 * SIZE);
    assert_non_null(text);
    memset(text, '[', SIZE);
    assert_false(parse(text, SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml:1:17: nested deeper than 16 levels");
    for (int i = 0; i < SIZE; i += 4)
        memcpy(text + i, "? - ", 4);
    assert_false(parse(text, SIZE, &scene, &error));
    assert_non_null(strstr(error.text, "nested deeper than 16 levels"));
    memset(text, 'a', 2 * SIZE);
    assert_false(parse(text, 2 * SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml: larger than 256 KiB; this is no scene file");
    assert_false(parse(text, SIZE, &scene, &error));
    assert_string_equal(error.text, "f.yaml:1:1: 'a scene file' must be a group of keys, not "
                                    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'");
    size_t length = (size_t)sprintf(text, "emitters:\n");
    for (int i = 0; i < 10000; i++)
        length += (size_t)sprintf(text + length, "- &a%d {}\n", i);
    assert_false(parse(text, length, &scene, &error));
    assert_string_equal(error.text, "f.yaml:66:3: more than 64 anchors");
    length = (size_t)sprintf(text, "emitters:\n- &a {smoke: 2}\n");
    for (int i = 1; i < BILLOW_EMITTERS_MAX; i++)
        length += (size_t)sprintf(text + length, "- *a\n");
    assert_true(parse(text, length, &scene, &error));
    assert_int_equal(scene.emitter_count, BILLOW_EMITTERS_MAX);
    assert_true(scene.emitters[BILLOW_EMITTERS_MAX - 1].smoke == 2.0f);
    length += (size_t)sprintf(text + length, "- *a\n");
    assert_false(parse(text, length, &scene, &error));
    assert_string_equal(error.text, "f.yaml:2:1: 'emitters' has 33 entries; at most 32 fit");
    free(text);
}

/* A key as --set writes it, and a scene in which it can be set. */
static void key_path(const SceneKey *key, bool emitter, char path[128])
{
    snprintf(path, 128, "%s%s", emitter ? "emitters[0]." : "", key->path);
}

static bool is_three(const SceneKey *key)
{
    return key->type == SCENE_KEY_VECTOR || key->type == SCENE_KEY_COLOR ||
           key->type == SCENE_KEY_SIZE || key->type == SCENE_KEY_CELLS;
}

static bool is_number(const SceneKey *key)
{
    return key->type == SCENE_KEY_FLOAT || key->type == SCENE_KEY_DOUBLE ||
           key->type == SCENE_KEY_INT || key->type == SCENE_KEY_SEED || is_three(key);
}

static Scene scene_for_keys(void)
{
    Scene scene = scene_default();
    scene.emitters[0] = billow_default_emitter();
    scene.emitter_count = 1;
    return scene;
}

static bool set_number(Scene *scene, const SceneKey *key, bool emitter, double number,
                       BillowError *error)
{
    char path[128], assignment[512];
    key_path(key, emitter, path);
    snprintf(assignment, sizeof assignment, is_three(key) ? "%s=[%.17g, %.17g, %.17g]" : "%s=%.17g",
             path, number, number, number);
    return set(scene, assignment, error);
}

static bool is_whole(const SceneKey *key)
{
    return key->type == SCENE_KEY_INT || key->type == SCENE_KEY_SEED ||
           key->type == SCENE_KEY_CELLS;
}

/* The limits are in range, and what lies just outside is refused with the range and unit. */
static void check_limits(const SceneKey *key, bool emitter)
{
    assert_true(key->minimum < key->maximum);
    for (int upper = 0; upper < 2; upper++) {
        const double limit = upper ? key->maximum : key->minimum;
        const double outwards = upper ? HUGE_VAL : -HUGE_VAL;
        const double outside =
            is_whole(key) ? limit + (upper ? 1 : -1) : nextafter(limit, outwards);
        Scene scene = scene_for_keys();
        BillowError error, ignored;
        char allowed[64];
        scene_keys_allowed(key, allowed, sizeof allowed);
        assert_false(set_number(&scene, key, emitter, outside, &error));
        assert_non_null(strstr(error.text, allowed));
        if (key->unit[0] != '\0')
            assert_non_null(strstr(error.text, key->unit));
        assert_false(set_number(&scene, key, emitter, upper ? 1e300 : -1e300, &ignored));
        /* The smallest domain needs few cells for its cells to be wide enough. */
        assert_true(set(&scene, "domain.cells=16", &error));
        assert_true(set_number(&scene, key, emitter, limit, &error));
        /* What a file may say, the solver takes. */
        scene.domain.size[0] = scene.domain.size[1] = scene.domain.size[2] = 1;
        memcpy(scene.domain.cells, (int[3]){8, 0, 0}, sizeof scene.domain.cells);
        BillowDef def = scene_def(&scene);
        BillowSim *sim = billow_create(&def, &error);
        assert_non_null(sim);
        billow_destroy(sim);
    }
}

static void test_every_limit(void **state)
{
    (void)state;
    int checked = 0;
    for (int emitter = 0; emitter < 2; emitter++) {
        const SceneKeyTable *table = emitter ? &scene_emitter_keys : &scene_keys;
        for (int row = 0; row < table->count; row++) {
            if (is_number(&table->rows[row])) {
                check_limits(&table->rows[row], emitter);
                checked++;
            }
        }
    }
    assert_true(checked > 40);
}

/* Setting a key to what it holds changes nothing, to the bit; setting it to nonsense is refused. */
static void test_every_default(void **state)
{
    (void)state;
    for (int emitter = 0; emitter < 2; emitter++) {
        const SceneKeyTable *table = emitter ? &scene_emitter_keys : &scene_keys;
        for (int row = 0; row < table->count; row++) {
            const SceneKey *key = &table->rows[row];
            Scene scene = scene_for_keys(), before;
            memcpy(&before, &scene, sizeof before);
            char path[128], value[256], assignment[512];
            key_path(key, emitter, path);
            BillowError error;
            const void *base = emitter ? (const void *)&scene.emitters[0] : &scene;
            if (scene_keys_format(key, base, value, sizeof value)) {
                snprintf(assignment, sizeof assignment, "%s=%s", path, value);
                assert_true(set(&scene, assignment, &error));
                assert_memory_equal(&before, &scene, sizeof scene);
            }
            snprintf(assignment, sizeof assignment, "%s=[[[]]]", path);
            assert_false(set(&scene, assignment, &error));
            assert_true(strlen(key->doc) > 10);
        }
    }
}

/* Every value written as a file and read back gives the same scene. */
static void test_written_defaults_load(void **state)
{
    (void)state;
    static char text[64 * 1024];
    size_t length = 0;
    char group[64] = "", inner[64] = "";
    const Scene defaults = scene_default();
    for (int row = 0; row < scene_keys.count; row++) {
        const SceneKey *key = &scene_keys.rows[row];
        char value[256], path[64], *part[3] = {path, NULL, NULL};
        if (!scene_keys_format(key, &defaults, value, sizeof value))
            continue;
        snprintf(path, sizeof path, "%s", key->path);
        int parts = 1;
        for (char *dot; parts < 3 && (dot = strchr(part[parts - 1], '.')) != NULL; parts++) {
            *dot = '\0';
            part[parts] = dot + 1;
        }
        if (parts > 1 && strcmp(group, part[0]) != 0) {
            length += (size_t)sprintf(text + length, "%s:\n", part[0]);
            snprintf(group, sizeof group, "%s", part[0]);
        }
        if (parts > 2 && strcmp(inner, part[1]) != 0) {
            length += (size_t)sprintf(text + length, "  %s:\n", part[1]);
            snprintf(inner, sizeof inner, "%s", part[1]);
        }
        length += (size_t)sprintf(text + length, "%*s%s: %s\n", 2 * (parts - 1), "",
                                  part[parts - 1], value);
    }
    Scene scene;
    BillowError error;
    memset(&scene, 0x5A, sizeof scene);
    assert_true(parse(text, length, &scene, &error));
    for (int row = 0; row < scene_keys.count; row++) {
        char want[256], got[256];
        if (scene_keys_format(&scene_keys.rows[row], &defaults, want, sizeof want)) {
            scene_keys_format(&scene_keys.rows[row], &scene, got, sizeof got);
            assert_string_equal(got, want);
        }
    }
}

static void test_grid(void **state)
{
    (void)state;
    static const Wrong wrong[] = {
        {"0", "grid '0': 0 cells are out of range; each axis must have 8 to 2048"},
        {"7", "grid '7': 7 cells are out of range; each axis must have 8 to 2048"},
        {"100000", "grid '100000': 100000 cells are out of range; each axis must have 8 to 2048"},
        {"64x64x4000", "grid '64x64x4000': 4000 cells are out of range; each axis must have 8 to "
                       "2048"},
        {"64x", "grid '64x': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"64x64", "grid '64x64': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"-3", "grid '-3': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"1e3", "grid '1e3': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"", "grid '': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {" 64", "grid ' 64': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"64 ", "grid '64 ': write one count or three, such as 64 or 64x96x64, each 8 to 2048"},
        {"64x64x64x64", "grid '64x64x64x64': write one count or three, such as 64 or 64x96x64, "
                        "each 8 to 2048"},
        {"99999999999999999999", "grid '99999999999999999999': write one count or three, such as "
                                 "64 or 64x96x64, each 8 to 2048"},
    };
    Scene scene = scene_default(), before;
    memcpy(&before, &scene, sizeof before);
    BillowError error;
    for (int i = 0; i < LENGTH(wrong); i++) {
        assert_false(scene_set_grid(&scene, wrong[i].input, &error));
        assert_string_equal(error.text, wrong[i].message);
        assert_memory_equal(&before, &scene, sizeof before);
    }
    assert_true(scene_set_grid(&scene, "8x16x2048", &error));
    assert_memory_equal(scene.domain.cells, ((int[3]){8, 16, 2048}), sizeof(int[3]));
    assert_true(scene_set_grid(&scene, "48", &error));
    assert_memory_equal(scene.domain.cells, ((int[3]){48, 0, 0}), sizeof(int[3]));
}

typedef struct Geometry {
    float size[3];
    int cells[3];
    int expected[3];
    double cell_size, origin_x, origin_z;
} Geometry;

static const Geometry geometries[] = {
    {{2, 2, 2}, {48}, {48, 48, 48}, 2.0 / 48, 0, 0},
    {{2, 2, 2}, {96}, {96, 96, 96}, 2.0 / 96, 0, 0},
    {{24, 24, 24}, {97}, {97, 97, 97}, 24.0 / 97, 0, 0},
    {{1, 2, 0.5f}, {64}, {32, 64, 16}, 2.0 / 64, 0, 0},
    /* 0.3 m in cells of 0.1 m is 3.0000001 of them: rounding must not make it a fourth. */
    {{0.3f, 0.8f, 0.3f}, {8}, {3, 8, 3}, 0.1, 0, 0},
    {{1.3f, 3, 2.95f}, {30}, {13, 30, 30}, 0.1, 0, -0.025},
    {{1.2f, 3.6f, 2.4f}, {36}, {12, 36, 24}, 0.1, 0, 0},
    {{1, 1, 1}, {10, 20, 40}, {10, 20, 40}, 0.1, 0, -1.5},
    {{1, 2, 1}, {32, 64, 32}, {32, 64, 32}, 1.0 / 32, 0, 0},
};

static void test_geometry(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(geometries); i++) {
        const Geometry *geometry = &geometries[i];
        Scene scene = scene_default();
        memcpy(scene.domain.size, geometry->size, sizeof scene.domain.size);
        memcpy(scene.domain.cells, geometry->cells, sizeof scene.domain.cells);
        scene.params.vorticity = 11;
        scene.emitters[2].smoke = 5;
        scene.emitter_count = 3;
        scene.domain.faces[BILLOW_BACK] = BILLOW_OPEN;
        BillowDef def = scene_def(&scene);
        assert_int_equal(def.nx, geometry->expected[0]);
        assert_int_equal(def.ny, geometry->expected[1]);
        assert_int_equal(def.nz, geometry->expected[2]);
        assert_true(fabs((double)def.cell_size / geometry->cell_size - 1) < 1e-6);
        assert_true(fabs((double)def.origin[0] - geometry->origin_x) < 1e-6);
        assert_true(def.origin[1] == 0.0f);
        assert_true(fabs((double)def.origin[2] - geometry->origin_z) < 1e-6);
        assert_true(def.params.vorticity == 11.0f && def.emitters[2].smoke == 5.0f);
        assert_int_equal(def.emitter_count, 3);
        assert_int_equal(def.faces[BILLOW_BACK], BILLOW_OPEN);
        assert_int_equal(def.threads, 0);
    }
}

static void test_builtins(void **state)
{
    (void)state;
    assert_string_equal(scene_builtin_name(0), "plume");
    assert_string_equal(scene_builtin_name(1), "explosion");
    int count = 0;
    for (; scene_builtin_name(count) != NULL; count++) {
        Scene scene, again;
        BillowError error;
        assert_true(scene_load(scene_builtin_name(count), &scene, &error));
        assert_string_equal(scene.name, scene_builtin_name(count));
        assert_string_equal(scene.title, scene_builtin_title(count));
        assert_true(scene.title[0] != '\0');
        assert_true(scene.emitter_count > 0);
        const char *text = scene_builtin_text(count);
        assert_true(scene_parse("again", text, strlen(text), &again, &error));
        BillowDef def = scene_def(&scene);
        assert_true(billow_bytes_needed(&def) > 0);
        def.nx = def.ny = def.nz = 8;
        BillowSim *sim = billow_create(&def, &error);
        assert_non_null(sim);
        assert_true(billow_emit(sim, &scene.brush) && billow_emit(sim, &scene.detonation));
        billow_destroy(sim);
        assert_true(count < 3 ||
                    strcmp(scene_builtin_name(count - 1), scene_builtin_name(count)) < 0);
    }
    assert_null(scene_builtin_name(count));
    assert_null(scene_builtin_title(count));
    assert_null(scene_builtin_text(count));
    assert_null(scene_builtin_name(-1));
}

static void test_files(void **state)
{
    (void)state;
    Scene scene = scene_default(), before;
    memcpy(&before, &scene, sizeof before);
    BillowError error;
    assert_false(scene_load("/", &scene, &error));
    assert_string_equal(error.text, "/: cannot be read: Is a directory");
    assert_false(scene_load("plum", &scene, &error));
    assert_non_null(strstr(error.text, "plum: no such file and no built-in scene; did you mean "
                                       "'plume'? (built in: plume, explosion"));
    assert_false(scene_load("nowhere/explosoin.yaml", &scene, &error));
    assert_non_null(strstr(error.text, "did you mean 'explosion'?"));
    assert_false(scene_load("qqqqqqqq", &scene, &error));
    assert_non_null(strstr(error.text, "qqqqqqqq: no such file and no built-in scene; built in: "));
    assert_false(scene_load("", &scene, &error));
    assert_false(scene_load("/dev/zero", &scene, &error));
    assert_string_equal(error.text, "/dev/zero: larger than 256 KiB; this is no scene file");
    assert_memory_equal(&before, &scene, sizeof before);

    char path[] = "/tmp/billow-test-scene-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs("\xEF\xBB\xBFname: mine\r\nsolver:\r\n  vorticity: 3\r\n", file);
    assert_int_equal(fclose(file), 0);
    bool good = scene_load(path, &scene, &error);
    remove(path);
    assert_true(good);
    assert_string_equal(scene.name, "mine");
    assert_true(scene.params.vorticity == 3.0f);
}

static void test_open(void **state)
{
    (void)state;
    const char *overrides[] = {"domain.cells=32", "solver.vorticity=9", "emitters[0].smoke=2"};
    SceneRequest request = {"plume", "16x24x16", overrides, LENGTH(overrides)};
    Scene scene = scene_default(), before;
    memcpy(&before, &scene, sizeof before);
    BillowError error;
    overrides[2] = "emitters[9].smoke=2";
    assert_false(scene_open(&request, &scene, &error));
    overrides[2] = "emitters[0].smoke=2";
    request.grid = "3";
    assert_false(scene_open(&request, &scene, &error));
    request.grid = "16x24x16";
    request.name_or_path = "nothing-like-it";
    assert_false(scene_open(&request, &scene, &error));
    assert_memory_equal(&before, &scene, sizeof before);
    request.name_or_path = "plume";
    assert_true(scene_open(&request, &scene, &error));
    assert_int_equal(scene.domain.cells[1], 24);
    assert_true(scene.params.vorticity == 9.0f && scene.emitters[0].smoke == 2.0f);
}

static void test_print_keys(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    scene_print_keys(file);
    static char text[64 * 1024];
    rewind(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    for (int emitter = 0; emitter < 2; emitter++) {
        const SceneKeyTable *table = emitter ? &scene_emitter_keys : &scene_keys;
        for (int row = 0; row < table->count; row++) {
            assert_non_null(strstr(text, table->rows[row].path));
            assert_non_null(strstr(text, table->rows[row].doc));
        }
    }
    assert_non_null(strstr(text, "solver.vorticity: number, 0 to 100 1/s; default 4\n"));
}

static void test_suggestions(void **state)
{
    (void)state;
    assert_int_equal(scene_suggest_distance("", ""), 0);
    assert_int_equal(scene_suggest_distance("", "abc"), 3);
    assert_int_equal(scene_suggest_distance("abc", ""), 3);
    assert_int_equal(scene_suggest_distance("smoke", "smoke"), 0);
    assert_int_equal(scene_suggest_distance("Smoke", "smoke"), 0);
    assert_int_equal(scene_suggest_distance("smoek", "smoke"), 1);
    assert_int_equal(scene_suggest_distance("kitten", "sitting"), 3);
    int distance;
    assert_false(scene_suggest_near("zzz", "sun", &distance));
    assert_false(scene_suggest_near("a", "b", &distance));
    char longer[100];
    memset(longer, 'a', 99);
    longer[99] = '\0';
    assert_false(scene_suggest_near(longer, "aaa", &distance));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_wrong_sets),
        cmocka_unit_test(test_right_sets),
        cmocka_unit_test(test_hostile_files),
        cmocka_unit_test(test_every_limit),
        cmocka_unit_test(test_every_default),
        cmocka_unit_test(test_written_defaults_load),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_print_keys),
        cmocka_unit_test(test_suggestions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
