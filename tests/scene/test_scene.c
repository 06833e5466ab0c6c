/* SPDX-License-Identifier: MIT
 * Scene files: what is accepted, within which limits, and the scene that results. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#endif
#include "scene/scene_check.h"
#include "scene/scene_keys.h"
#include "scene/scene_light.h"
#include "scene/scene_play.h"
#include "scene/scene_value.h"
#include "scene_fixture.h"

static void test_right_sets(void **state)
{
    (void)state;
    Scene scene = *scene_default();
    BillowError error;
    assert_true(set(&scene, "emitters=[{smoke: 1}, {smoke: 2, size: [1, 2, 3]}]", &error));
    assert_int_equal(scene.def.emitter_count, 2);
    assert_true(set(&scene, "emitters[1].smoke=3", &error));
    assert_true(set(&scene, "emitters.0.smoke = 4.5", &error));
    assert_true(set(&scene, "emitters[1]={heat: 7}", &error));
    assert_true(set(&scene, " solver.vorticity =8", &error));
    assert_true(set(&scene, "domain.size=[1, 2, 1.5]", &error));
    assert_true(set(&scene, "domain={cells: [16, 32, 24]}", &error));
    assert_true(set(&scene, "brush.size=0.25", &error));
    assert_true(set(&scene, "domain.faces.left=open", &error));
    assert_true(set(&scene, "title='a = b: c'", &error));
    assert_true(scene.def.emitters[1].smoke == 3.0f && scene.def.emitters[1].size[2] == 3.0f);
    assert_true(scene.def.emitters[0].smoke == 4.5f && scene.def.emitters[1].heat == 7.0f);
    assert_true(scene.def.params.vorticity == 8.0f);
    assert_true(scene.domain.size[1] == 2.0f && scene.domain.cells[1] == 32);
    assert_true(scene.brush.size[0] == 0.25f && scene.brush.size[2] == 0.25f);
    assert_int_equal(scene.def.faces[BILLOW_LEFT], BILLOW_OPEN);
    assert_string_equal(scene.title, "a = b: c");
    assert_true(set(&scene, "emitters=[]", &error));
    assert_int_equal(scene.def.emitter_count, 0);
}

/* Scenes and checkpoints of former versions load: their names mean the present keys. */
static void test_former_names(void **state)
{
    (void)state;
    static const char text[] = "domain: {faces: {left: no_slip},\n"
                               "         borders: {left: {held: true, temperature: 40}}}\n"
                               "fluid: {rest_period: 3}\n"
                               "solids: [{held: true, temperature: 9}]\n";
    Scene scene = *scene_default();
    BillowError error;
    assert_true(scene_parse("f.yaml", text, sizeof text - 1, &scene, &error));
    assert_true(scene.def.boundaries[BILLOW_LEFT].isothermal);
    assert_true(scene.def.boundaries[BILLOW_LEFT].temperature == 40.0f);
    assert_true(scene.def.texture_period == 3.0f && scene.def.solids[0].isothermal);
    assert_true(set(&scene, "fluid.rest_period=5", &error));
    assert_true(set(&scene, "solids[0].held=false", &error));
    assert_true(set(&scene, "domain.borders.left.held=false", &error));
    assert_true(scene.def.texture_period == 5.0f && !scene.def.solids[0].isothermal);
    assert_false(scene.def.boundaries[BILLOW_LEFT].isothermal);
    assert_false(set(&scene, "solver.held=1", &error));
}

/* Keys that are gone are ignored, wherever a scene has them. One line says so, if that matters. */
static void test_keys_that_are_gone(void **state)
{
    (void)state;
    static const char *const words[] = {"box", "follow", "[1, 2]"};
    for (int word = 0; word < 3; word++)
        for (int way = 0; way < 3; way++) {
            char text[200];
            snprintf(text, sizeof text,
                     way == 1   ? "poster: {set: solver.domain=%s}\npanel: solver.domain time.step"
                     : way == 2 ? "{}"
                                : "solver: {domain: %s, cfl: 3}",
                     way == 1 && word == 2 ? "box" : words[word]);
            Scene scene = *scene_default();
            BillowError error = {""};
            if (!scene_parse("f.yaml", text, strlen(text), &scene, &error))
                fail_msg("%s", error.text);
            assert_true(scene.def.params.cfl == (way == 0 ? 3.0f : 4.0f));
            snprintf(text, sizeof text, "solver.domain=%s", words[word]);
            assert_true(way == 1   ? scene_set_poster(&scene, &error)
                        : way == 2 ? set(&scene, text, &error)
                                   : true);
            assert_true((scene.gone != NULL) == (word == 1));
        }
    Scene scene = *scene_default();
    BillowError error;
    assert_false(set(&scene, "fluid.domain=follow", &error));
    assert_false(set(&scene, "solver.domain.x=1", &error));
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
    Scene scene = *scene_default();
    scene.def.emitters[0] = billow_default_emitter();
    scene.def.emitter_count = 1;
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
        if (key->type == SCENE_KEY_FLOAT) { /* rounding does not leave the range */
            const char *base =
                emitter ? (const char *)&scene.def.emitters[0] : (const char *)&scene;
            double value = (double)*(const float *)(const void *)(base + key->offset);
            assert_true(value >= key->minimum && value <= key->maximum);
        }
        /* The solver accepts every value that a file may have. */
        scene.domain.size[0] = scene.domain.size[1] = scene.domain.size[2] = 1;
        memcpy(scene.domain.cells, (int[3]){8, 0, 0}, sizeof scene.domain.cells);
        BillowDef def = scene_def(&scene);
        if (strstr(key->path, "boundaries") != NULL)
            continue; /* but for what needs a face of another kind */
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
        const SceneKeyTable *table = emitter ? scene_emitter_keys() : scene_keys();
        for (int row = 0; row < table->count; row++) {
            if (is_number(&table->rows[row]) && table->rows[row].home == SCENE_HOME_STRUCTURE) {
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
        const SceneKeyTable *table = emitter ? scene_emitter_keys() : scene_keys();
        for (int row = 0; row < table->count; row++) {
            const SceneKey *key = &table->rows[row];
            Scene scene = scene_for_keys(), before;
            memcpy(&before, &scene, sizeof before);
            char path[128], value[256], assignment[512];
            key_path(key, emitter, path);
            BillowError error;
            const SceneEntry entry = {emitter ? (void *)&scene.def.emitters[0] : &scene,
                                      &scene.emitter_forms[0], &scene.emitter_names[0]};
            const void *base = scene_entry_home(&entry, key);
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

static void test_forces(void **state)
{
    (void)state;
    Scene scene = scene_for_keys();
    BillowError error;
    assert_true(set(&scene, "forces=[{kind: vortex, radius: 0.2}, {kind: turbulence}]", &error));
    assert_true(set(&scene, "forces[1].strength=3", &error));
    assert_true(set(&scene, "forces[0]={seed: 7}", &error));
    for (int row = 0; row < scene_force_keys()->count; row++) {
        const SceneKey *key = &scene_force_keys()->rows[row];
        char value[128], assignment[256];
        const SceneEntry force = {&scene.def.forces[1], NULL, &scene.force_names[1]};
        assert_true(scene_keys_format(key, scene_entry_home(&force, key), value, sizeof value));
        snprintf(assignment, sizeof assignment, "forces[1].%s=%s", key->path, value);
        assert_true(set(&scene, assignment, &error));
        snprintf(assignment, sizeof assignment, "forces[1].%s=%s", key->path,
                 key->type == SCENE_KEY_TEXT ? "[1]" : "1e99");
        assert_false(set(&scene, assignment, &error));
        assert_true(strlen(key->doc) > 10);
    }
    BillowDef def = scene_def(&scene);
    assert_int_equal(def.force_count, 2);
    assert_true(def.forces[0].kind == BILLOW_VORTEX && def.forces[0].seed == 7);
    assert_true(def.forces[1].kind == BILLOW_TURBULENCE && def.forces[1].strength == 3.0f);
}

static void test_ramps(void **state)
{
    (void)state;
    Scene scene = scene_for_keys();
    BillowError error;
    const RenderRamp *ramp = &scene.render.smoke_ramp;
    assert_true(set(&scene, "smoke.ramp=sunset", &error));
    assert_int_equal(ramp->stop_count, 4);
    assert_true(set(&scene, "smoke.ramp[1].color=[0.25, 0.5, 0.75]", &error));
    assert_true(ramp->stops[1].color[2] == 0.75f && ramp->stops[1].at == 0.3f);
    assert_true(set(&scene, "smoke.ramp=[{at: 0.5}, {at: 0.5, color: [0, 0, 0]}]", &error));
    assert_true(ramp->stop_count == 2 && ramp->stops[0].color[1] == 1.0f);
    assert_false(scene_def(&scene).age);
    assert_true(set(&scene, "smoke.ramp_by=age", &error) && scene_def(&scene).age);
    assert_true(set(&scene, "smoke.ramp=off", &error) && !scene_def(&scene).age);
    assert_int_equal(ramp->stop_count, 0);
    assert_true(set(&scene, "fluid.age=true", &error) && scene_def(&scene).age);
    assert_false(set(&scene, "smoke.ramp[0].at=1", &error));
    assert_string_equal(error.text,
                        "--set smoke.ramp[0].at: there is no stop 0; this scene has none");
}

/* Stops set one after the other may cross on the way, but must be in order in the end. */
static void test_ramps_in_order(void **state)
{
    (void)state;
    Scene scene;
    BillowError error;
    const char *moved[] = {"smoke.ramp=ice", "smoke.ramp[0].at=0.6", "smoke.ramp[1].at=0.8"};
    SceneRequest request = {.name_or_path = "plume", .overrides = moved, .override_count = 3};
    assert_true(scene_open(&request, &scene, &error));
    request.override_count = 2;
    assert_false(scene_open(&request, &scene, &error));
    assert_string_equal(error.text, "plume, as changed by --set: smoke.ramp[1].at must be at least "
                                    "0.6, the position of the stop before, not 0.4");
}

/* Each rig of light is applied to any scene, twice as once, and a wrong name lists them. */
static void test_light_rigs(void **state)
{
    (void)state;
    BillowError error;
    for (int l = 0; scene_light_at(l) != NULL; l++) {
        Scene scene = scene_for_keys(), again;
        char assignment[64];
        snprintf(assignment, sizeof assignment, "light=%s", scene_light_at(l)->name);
        if (!set(&scene, assignment, &error))
            fail_msg("%s", error.text);
        again = scene;
        assert_true(set(&again, assignment, &error));
        assert_memory_equal(&again, &scene, sizeof scene);
    }
    Scene scene = scene_for_keys();
    assert_true(set(&scene, "light=studio", &error));
    const float *wall = scene.render.surroundings.color; /* grey */
    assert_true(wall[0] < wall[2] && wall[2] < 1.3f * wall[0]);
    assert_true(set(&scene, "light=stage", &error));
    assert_int_equal(scene.render.lamp_count, 3);
    assert_true(set(&scene, "lamps[rim].intensity=1", &error));
    assert_false(set(&scene, "light=noon", &error));
    assert_string_equal(error.text, "--set light: must be one of day, golden_hour, dusk, night, "
                                    "studio, stage, not 'noon'");
}

/* What each light is: a sun of this height and irradiance, and the sky's factor. The golden hour is
 * that of a sun less than 8 degrees high. At dusk half of the sun's disc (0.53 degrees) or more is
 * above the horizon. A full moon shines bluish and without a disc. */
static void test_lights_are_what_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        float elevation, intensity, color[3], sky;
        RenderSurroundingsKind kind;
        bool shines;
    } lights[] = {
        {"light=day", 48, 12, {1, 0.95f, 0.88f}, 1, RENDER_AIR, true},
        {"light=golden_hour", 7, 20, {1, 0.95f, 0.88f}, 1, RENDER_AIR, true},
        {"light=dusk", 0.3f, 110, {1, 0.95f, 0.88f}, 1, RENDER_AIR, true},
        {"light=night", 35, 0.4f, {0.6f, 0.72f, 1}, 0.06f, RENDER_GRADIENT, true},
        {"light=studio", 40, 7, {1, 0.96f, 0.9f}, 1, RENDER_STUDIO, true},
        {"light=stage", 0, 0, {0}, 0.03f, RENDER_STUDIO, false},
    };
    for (size_t l = 0; l < sizeof lights / sizeof lights[0]; l++) {
        Scene scene = scene_for_keys();
        BillowError error = {""};
        assert_true(set(&scene, lights[l].set, &error));
        const RenderSettings *render = &scene.render;
        if (!(render->sun.intensity == lights[l].intensity &&
              render->sky.intensity == lights[l].sky &&
              render->surroundings.kind == lights[l].kind))
            fail_msg("%s: sun %g, sky %g, kind %d", lights[l].set, (double)render->sun.intensity,
                     (double)render->sky.intensity, render->surroundings.kind);
        if (lights[l].shines && !(render->sun.elevation == lights[l].elevation))
            fail_msg("%s: the sun is %g degrees high", lights[l].set,
                     (double)render->sun.elevation);
        for (int c = 0; c < 3 && lights[l].shines; c++)
            assert_true(render->sun.color[c] == lights[l].color[c]);
    }
}

/* The lamps of the stage light the middle of the box by their irradiances, whatever its size. */
static void test_stage_lamps_scale_with_the_box(void **state)
{
    (void)state;
    static const float irradiances[] = {7, 1.2f, 8};
    for (int large = 0; large < 2; large++) {
        Scene scene = scene_for_keys();
        BillowError error = {""};
        assert_true(set(&scene, large ? "domain.size=[6, 4, 2]" : "domain.size=[1, 1, 1]", &error));
        assert_true(set(&scene, "light=stage", &error));
        for (int l = 0; l < 3; l++) {
            const RenderLamp *lamp = &scene.render.lamps[l];
            float square = 0, aim = 0;
            for (int axis = 0; axis < 3; axis++) {
                float aimed = axis == 1 ? 0 : 0.5f * scene.domain.size[axis];
                aimed += axis == 1 ? (large ? 6 : 1) * (l == 1 ? 0.35f : l == 2 ? 0.4f : 0.3f) : 0;
                float way = aimed - lamp->position[axis];
                square += way * way;
                aim += way * lamp->direction[axis];
            }
            float length = sqrtf(lamp->direction[0] * lamp->direction[0] +
                                 lamp->direction[1] * lamp->direction[1] +
                                 lamp->direction[2] * lamp->direction[2]);
            assert_true(fabsf(aim / (length * sqrtf(square)) - 1) < 1e-4f);
            if (!(fabsf(lamp->intensity / square / irradiances[l] - 1) < 1e-3f))
                fail_msg("%s: %g W/m2", scene.lamp_names[l].text,
                         (double)(lamp->intensity / square));
        }
    }
}

static void test_lamps(void **state)
{
    (void)state;
    Scene scene = scene_for_keys();
    BillowError error;
    assert_true(set(&scene, "lamps=[{position: [1, 2, 3], radius: 0.2}, {intensity: 7}]", &error));
    assert_true(set(&scene, "lamps[0].color=[1, 0.5, 0.25]", &error));
    for (int row = 0; row < scene_lamp_keys()->count; row++) {
        const SceneKey *key = &scene_lamp_keys()->rows[row];
        char value[128], assignment[256];
        const SceneEntry lamp = {&scene.render.lamps[1], NULL, &scene.lamp_names[1]};
        assert_true(scene_keys_format(key, scene_entry_home(&lamp, key), value, sizeof value));
        snprintf(assignment, sizeof assignment, "lamps[1].%s=%s", key->path, value);
        assert_true(set(&scene, assignment, &error));
        snprintf(assignment, sizeof assignment, "lamps[1].%s=%s", key->path,
                 key->type == SCENE_KEY_TEXT ? "[1]" : "-1e99");
        assert_false(set(&scene, assignment, &error));
        assert_true(strlen(key->doc) > 10);
    }
    assert_int_equal(scene.render.lamp_count, 2);
    assert_true(scene.render.lamps[0].position[2] == 3.0f &&
                scene.render.lamps[0].color[2] == 0.25f);
    assert_true(scene.render.lamps[0].intensity == render_default_lamp().intensity);
    assert_true(scene.render.lamps[1].intensity == 7.0f && scene.render.lamps[1].radius == 0.0f);
    assert_false(set(&scene, "lamps=[{}, {}, {}, {}, {}]", &error));
    assert_false(set(&scene, "lamps[2].radius=1", &error));
    assert_non_null(strstr(error.text, "there is no lamp 2; this scene has 2"));
    assert_true(set(&scene, "lamps[1].name=key light", &error));
    assert_true(set(&scene, "lamps[key light].intensity=9", &error));
    assert_true(scene.render.lamps[1].intensity == 9.0f);
    assert_false(set(&scene, "lamps[key].intensity=9", &error));
    assert_non_null(strstr(error.text, "a lamp is written lamps[0], lamps[1]"));
}

/* A light in a file is that of --set, below all other keys of the file, in any order. */
static void test_light_in_a_file(void **state)
{
    (void)state;
    for (int l = 0; scene_light_at(l) != NULL; l++) {
        char text[200], assignment[40];
        Scene filed, assigned;
        BillowError error = {""};
        static const char rest[] =
            "name: lit\nground: {visible: false}\ndomain: {size: [2, 3, 1]}\n";
        snprintf(text, sizeof text, "%slight: %s\n", rest, scene_light_at(l)->name);
        snprintf(assignment, sizeof assignment, "light=%s", scene_light_at(l)->name);
        if (!scene_parse("f.yaml", text, strlen(text), &filed, &error))
            fail_msg("%s", error.text);
        assert_true(scene_parse("f.yaml", rest, strlen(rest), &assigned, &error));
        assert_true(set(&assigned, assignment, &error));
        assert_false(filed.render.ground.visible);
        assigned.render.ground.visible = false;
        assert_memory_equal(&filed, &assigned, sizeof filed);
    }
    Scene scene;
    BillowError error = {""};
    static const char lamp[] = "lamps: [{intensity: 7}]\nlight: stage\n",
                      wrong[] = "name: dark\nlight: nigth\n", list[] = "light: [1]\n";
    assert_true(scene_parse("f.yaml", lamp, sizeof lamp - 1, &scene, &error));
    assert_true(scene.render.lamp_count == 1 && scene.render.lamps[0].intensity == 7);
    assert_false(scene_parse("f.yaml", wrong, sizeof wrong - 1, &scene, &error));
    assert_string_equal(error.text, "f.yaml:2:8: 'light' must be one of day, golden_hour, dusk, "
                                    "night, studio, stage, not 'nigth'");
    assert_false(scene_parse("f.yaml", list, sizeof list - 1, &scene, &error));
}

/* A round shape takes two sizes. */
static void test_two_sizes(void **state)
{
    (void)state;
    Scene scene = scene_for_keys();
    BillowError error = {""};
    assert_true(set(&scene, "emitters[0].size=[0.3, 0.1]", &error));
    const float *size = scene.def.emitters[0].size;
    assert_true(size[0] == 0.3f && size[1] == 0.1f && size[2] == 0);
    assert_false(set(&scene, "domain.size=[1, 2]", &error));
    assert_false(set(&scene, "emitters[0].velocity=[1, 2]", &error));
    assert_false(set(&scene, "emitters[0].size=[1]", &error));
}

/* The templates that novices start from: they are offered after the built-in scenes, play by their
 * names, and name their things. */
static void test_templates(void **state)
{
    (void)state;
    static const char *const names[] = {"campfire",    "candle",   "chimney", "dry-ice",
                                        "fog-machine", "ink-drop", "rocket",  "smoke-grenade"};
    int first = 0;
    while (scene_builtin_name(first) != NULL) {
        assert_string_equal(scene_offered_name(first), scene_builtin_name(first));
        first++;
    }
    for (int t = 0; t < 8; t++) {
        Scene scene;
        BillowError error = {""};
        assert_string_equal(scene_offered_name(first + t), names[t]);
        assert_true(scene_is_builtin(names[t]));
        if (!scene_load(names[t], &scene, &error))
            fail_msg("%s", error.text);
        assert_string_equal(scene.name, names[t]);
        assert_string_equal(scene.title, scene_offered_title(first + t));
        assert_non_null(strstr(scene_offered_text(first + t), "# Try: "));
        for (int e = 0; e < scene.def.emitter_count; e++)
            assert_true(scene.emitter_names[e].text[0] != '\0');
        for (int s = 0; s < scene.def.solid_count; s++)
            assert_true(scene.solid_names[s].text[0] != '\0');
        BillowDef def = scene_def(&scene);
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        if (play == NULL)
            fail_msg("%s", error.text);
        scene_play_destroy(play);
    }
    assert_null(scene_offered_name(first + 8));
    assert_null(scene_offered_title(first + 8));
}

static const char named_text[] =
    "name: named\n"
    "timeline:\n"
    "  - {key: 'emitters[hot air].smoke', values: [[0, 1], [1, 3]]}\n"
    "  - {key: 'solids[log].center', values: [[0, [0.2, 0.5, 0.5]], [1, [0.8, 0.5, 0.5]]]}\n"
    "emitters:\n"
    "  - {name: hot air, smoke: 1}\n"
    "  - {smoke: 2, tracers: 0}\n"
    "  - {name: '1', smoke: 3}\n"
    "solids: [{name: log}, {}]\n"
    "forces: [{name: breeze}, {kind: vortex}]\n"
    "lamps: [{}, {name: moon}]\n";

static void assert_shown(const Scene *scene, SceneKeyType list, int index, const char *shown)
{
    char text[SCENE_NAME];
    scene_list_shown(scene_list_of(list), scene, index, text);
    assert_string_equal(text, shown);
}

/* Entries have names, by which people and --set find them; a number stays a number. */
static void test_names(void **state)
{
    (void)state;
    Scene scene;
    BillowError error = {""};
    if (!scene_parse("f.yaml", named_text, sizeof named_text - 1, &scene, &error))
        fail_msg("%s", error.text);
    assert_shown(&scene, SCENE_KEY_EMITTERS, 0, "hot air");
    assert_shown(&scene, SCENE_KEY_EMITTERS, 1, "emitter 2");
    assert_shown(&scene, SCENE_KEY_SOLIDS, 0, "log");
    assert_shown(&scene, SCENE_KEY_SOLIDS, 1, "solid 2");
    assert_shown(&scene, SCENE_KEY_FORCES, 0, "breeze");
    assert_shown(&scene, SCENE_KEY_FORCES, 1, "vortex 2");
    assert_shown(&scene, SCENE_KEY_LAMPS, 0, "lamp 1");
    assert_shown(&scene, SCENE_KEY_LAMPS, 1, "moon");
    assert_string_equal(scene.tracks[0].key, "emitters[0].smoke");
    assert_string_equal(scene.tracks[1].key, "solids[0].center");
    assert_true(scene_leads_solid(&scene, 0));

    assert_true(set(&scene, "emitters[0].smoke=5", &error));
    assert_true(set(&scene, "emitters[1].smoke=6", &error));
    assert_true(scene.def.emitters[0].smoke == 5 && scene.def.emitters[1].smoke == 6);
    assert_true(set(&scene, "emitters[hot air].smoke=7", &error));
    assert_true(scene.def.emitters[0].smoke == 7 && scene.def.emitters[2].smoke == 3);
    assert_true(set(&scene, "forces[breeze].strength=2", &error));
    assert_true(scene.def.forces[0].strength == 2);
    char path[SCENE_TRACK_KEY] = "emitters[hot air].smoke",
         none[SCENE_TRACK_KEY] = "emitters[x].smoke";
    scene_path_resolve(&scene, path);
    scene_path_resolve(&scene, none);
    assert_string_equal(path, "emitters[0].smoke");
    assert_string_equal(none, "emitters[x].smoke");
    assert_true(set(&scene, "emitters[1].name=fog", &error));
    assert_shown(&scene, SCENE_KEY_EMITTERS, 1, "fog");
    assert_false(set(&scene, "brush.name=pencil", &error));
    assert_string_equal(error.text, "--set brush.name: is possible in entries of lists only");
    assert_false(set(&scene, "solids[0].name=0123456789012345678901234567890123", &error));
    assert_non_null(strstr(error.text, "must be 0 to 31 bytes"));
}

/* --set takes a value off the timeline by name as by number. */
static void test_a_named_value_overrides_its_track(void **state)
{
    (void)state;
    Scene scene;
    BillowError error = {""};
    const char *const overrides[] = {"emitters[hot air].smoke=9"};
    const SceneRequest request = {
        .name_or_path = "f.yaml", .overrides = overrides, .override_count = 1};
    assert_true(scene_parse("f.yaml", named_text, sizeof named_text - 1, &scene, &error));
    assert_true(scene_change(&request, &scene, &error));
    assert_int_equal(scene.track_count, 1);
    assert_string_equal(scene.tracks[0].key, "solids[0].center");
}

static void test_messages_name_entries(void **state)
{
    (void)state;
    Scene scene;
    BillowError error = {""};
    static const struct {
        const char *message, *told;
    } cases[] = {
        {"emitters[0].fuel gives nothing", "emitters[0].fuel (hot air) gives nothing"},
        {"emitters[1] and solids[0] and solids[1]",
         "emitters[1] and solids[0] (log) and solids[1]"},
        {"emitters[9] lamps[1]. Light", "emitters[9] lamps[1] (moon). Light"},
        {"emitters[] emitters[x] solids[0", "emitters[] emitters[x] solids[0"},
    };
    assert_true(scene_parse("f.yaml", named_text, sizeof named_text - 1, &scene, &error));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char told[200], cut[8];
        scene_list_tell(&scene, cases[c].message, told, sizeof told);
        assert_string_equal(told, cases[c].told);
        scene_list_tell(&scene, cases[c].message, cut, sizeof cut);
        assert_memory_equal(cut, cases[c].told, 7);
        assert_int_equal(cut[7], 0);
    }
    static const char idle[] = "emitters: [{}, {name: gas, fuel: 3}]\n";
    assert_false(scene_parse("f.yaml", idle, sizeof idle - 1, &scene, &error));
    assert_non_null(strstr(error.text, "emitters[1].fuel (gas) has no use without fluid.fire"));
}

/* Around an axis of any length, by an angle of any size. */
static void test_rotation(void **state)
{
    (void)state;
    Scene scene = scene_for_keys();
    BillowError error;
    const float *turn = scene.def.emitters[0].rotation;
    assert_true(set(&scene, "emitters[0].rotation=[0, 0, 3, 90]", &error));
    assert_true(turn[0] == 0 && turn[1] == 0);
    assert_true(fabsf(turn[2] - sqrtf(0.5f)) < 1e-6f && fabsf(turn[3] - sqrtf(0.5f)) < 1e-6f);
    assert_true(set(&scene, "emitters[0].rotation=[3, 0, 4, 900]", &error));
    assert_true(fabsf(turn[0] - 0.6f) < 1e-6f && fabsf(turn[2] - 0.8f) < 1e-6f);
    char text[128];
    const SceneKey *key = scene_keys_find(scene_emitter_keys(), "rotation");
    assert_true(set(&scene, "emitters[0].rotation=[1, 0, 0, 60]", &error));
    assert_true(scene_keys_format(key, &scene.def.emitters[0], text, sizeof text));
    float angle;
    assert_int_equal(sscanf(text, "[1, 0, 0, %f]", &angle), 1);
    assert_true(fabsf(angle - 60) < 1e-4f);
}

/* Every value written as a file and read back gives the same scene. */
static void test_written_defaults_load(void **state)
{
    (void)state;
    static char text[64 * 1024];
    size_t length = 0;
    char groups[3][64] = {"", "", ""};
    const Scene defaults = *scene_default();
    for (int row = 0; row < scene_keys()->count; row++) {
        const SceneKey *key = &scene_keys()->rows[row];
        char value[256], path[64], *part[4] = {path, NULL, NULL, NULL};
        if (!scene_keys_format(key, &defaults, value, sizeof value))
            continue;
        snprintf(path, sizeof path, "%s", key->path);
        int parts = 1;
        for (char *dot; parts < 4 && (dot = strchr(part[parts - 1], '.')) != NULL; parts++) {
            *dot = '\0';
            part[parts] = dot + 1;
        }
        for (int g = 0; g < parts - 1; g++)
            if (strcmp(groups[g], part[g]) != 0) {
                length += (size_t)sprintf(text + length, "%*s%s:\n", 2 * g, "", part[g]);
                snprintf(groups[g], sizeof groups[g], "%s", part[g]);
                if (g < 2)
                    groups[g + 1][0] = '\0';
            }
        length += (size_t)sprintf(text + length, "%*s%s: %s\n", 2 * (parts - 1), "",
                                  part[parts - 1], value);
    }
    Scene scene;
    BillowError error;
    memset(&scene, 0x5A, sizeof scene);
    assert_true(parse(text, length, &scene, &error));
    for (int row = 0; row < scene_keys()->count; row++) {
        char want[256], got[256];
        if (scene_keys_format(&scene_keys()->rows[row], &defaults, want, sizeof want)) {
            scene_keys_format(&scene_keys()->rows[row], &scene, got, sizeof got);
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
    Scene scene = *scene_default(), before;
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
        Scene scene = *scene_default();
        memcpy(scene.domain.size, geometry->size, sizeof scene.domain.size);
        memcpy(scene.domain.cells, geometry->cells, sizeof scene.domain.cells);
        scene.def.params.vorticity = 11;
        scene.def.emitters[2].smoke = 5;
        scene.def.emitter_count = 3;
        scene.def.faces[BILLOW_BACK] = BILLOW_OPEN;
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

static void note_nothing(void *context, const ScenePlace *place, const char *text)
{
    (void)context;
    fail_msg("of no use at %d: %s", place != NULL ? place->line : 0, text);
}

typedef struct Useless {
    int count, line;
    char last[200];
} Useless;

static void note(void *context, const ScenePlace *place, const char *text)
{
    Useless *useless = context;
    useless->count++;
    useless->line = place != NULL ? place->line : 0;
    snprintf(useless->last, sizeof useless->last, "%s", text);
}

static void check_useless(const char *text, int line, const char *expected)
{
    Scene scene;
    BillowError error = {""};
    Useless useless = {0};
    if (!scene_parse("f.yaml", text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    scene_useless(&scene, note, &useless);
    if (useless.count != (expected != NULL) ||
        (expected != NULL && strcmp(useless.last, expected) != 0))
        fail_msg("%s: %d, '%s'", text, useless.count, useless.last);
    assert_int_equal(useless.line, line);
}

static void values_without_use_are_noticed(void **state)
{
    (void)state;
    check_useless("{}", 0, NULL);
    check_useless("solver: {domain: box}", 0, NULL);
    check_useless(
        "solver: {domain: follow}", 0,
        "solver.domain: follow is not needed any more and has no effect; all cells are simulated");
    static const char *const details[] = {
        "smoke: {detail: 0.5}", "smoke: {detail_size: 2}",
        "timeline: [{key: smoke.glow, values: [[0, 1]]}, {key: smoke.detail, values: [[0, 1]]}]"};
    for (int d = 0; d < 3; d++)
        check_useless(
            details[d], 0,
            "smoke.detail is not needed any more and has no effect; domain.refine makes smoke "
            "finer");
    check_useless("smoke: {tint_extinction: 1}", 0,
                  "smoke.tint_extinction has no use without fluid.color: true");
    check_useless("smoke: {tint_extinction: 1}\nfluid: {color: true}", 0, NULL);
    check_useless("smoke: {glow_range: 0.5}", 0,
                  "smoke.glow_range has no use without smoke.glow above 0");
    check_useless("smoke: {glow_range: 0.5, glow: 2}", 0, NULL);
    check_useless("smoke: {glow_range: 0.5}\n"
                  "timeline: [{key: smoke.glow, values: [[0, 0], [1, 2]]}]",
                  0, NULL);
    check_useless("camera: {iso: 100, shutter: 0.01}", 0,
                  "camera.iso has no use without camera.aperture above 0");
    check_useless("camera: {iso: 100, aperture: 8}", 0,
                  "camera.iso has no use without camera.shutter above 0");
    check_useless("camera: {iso: 100, aperture: 8, shutter: 0.01}", 0, NULL);
    check_useless("solver: {sweeps: 40}", 0,
                  "solver.sweeps has no use without solver.pressure: relaxation");
    check_useless("solver: {sweeps: 40, pressure: relaxation}", 0, NULL);
    check_useless("emitters:\n  - {noise: 1, seed: 4}\n  - {seed: 4}", 3,
                  "emitters[1].seed has no use without emitters[1].noise above 0");
    check_useless("solids:\n  - {isothermal: false, temperature: 20}", 2,
                  "solids[0].temperature has no use without solids[0].isothermal: true");
    check_useless("solver: {disturbance_size: 0.2}", 0,
                  "solver.disturbance_size has no use without solver.disturbance above 0");
    check_useless("solver: {disturbance_size: 0.2, disturbance: 3}", 0, NULL);
    check_useless("solver: {eddies: 1}", 0,
                  "solver.eddies has no use without domain.refine above 1 and solver.advection: "
                  "conservative");
    check_useless("solver: {eddies: 1, advection: conservative}", 0, NULL);
    check_useless("solver: {eddies: 1}\ndomain: {refine: 2}", 0, NULL);
    check_useless("solver: {shredding: 1}", 0,
                  "solver.shredding has no use without emitters with heat, or fire");
    check_useless("solver: {shredding: 1}\nfluid: {fire: true, ignition: 90}", 0, NULL);
    check_useless("solver: {shredding: 1}\nfluid: {ignition: 90}\nemitters: [{heat: 50}]", 0, NULL);
    check_useless("forces: [{kind: wind, strength: 1, scale: 0.5}]", 0,
                  "forces[0].scale has no use without forces[0].kind: turbulence");
}

static void test_builtins(void **state)
{
    (void)state;
    assert_string_equal(scene_builtin_name(0), "plume");
    assert_string_equal(scene_builtin_name(1), "explosion");
    assert_string_equal(scene_builtin_name(2), "fire");
    int count = 0;
    for (; scene_builtin_name(count) != NULL; count++) {
        Scene scene, again;
        BillowError error;
        assert_true(scene_load(scene_builtin_name(count), &scene, &error));
        assert_string_equal(scene.name, scene_builtin_name(count));
        assert_string_equal(scene.title, scene_builtin_title(count));
        assert_true(scene.title[0] != '\0');
        assert_true(scene.def.emitter_count > 0);
        const char *text = scene_builtin_text(count);
        assert_true(scene_parse("again", text, strlen(text), &again, &error));
        BillowDef def = scene_def(&scene);
        assert_true(billow_bytes_needed(&def) > 0);
        scene_useless(&scene, note_nothing, NULL);
        ScenePlay *play = scene_play_create(&scene, &def, &error);
        if (play == NULL) { /* where this build has no letters */
            assert_non_null(strstr(error.text, "this build of Billow"));
            continue;
        }
        def.nx = def.ny = def.nz = 8;
        BillowSim *sim = billow_create(&def, &error);
        assert_non_null(sim);
        assert_true(billow_emit(sim, &scene.brush) && billow_emit(sim, &scene.detonation));
        billow_destroy(sim);
        scene_play_destroy(play);
        assert_true(count < 4 || scene_builtin_name(count + 1) == NULL ||
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
    Scene scene = *scene_default(), before;
    memcpy(&before, &scene, sizeof before);
    BillowError error;
    assert_false(scene_load("/", &scene, &error));
    assert_string_equal(error.text, "/: cannot be read: Is a directory");
    assert_false(scene_load("plum", &scene, &error));
    assert_non_null(strstr(error.text, "there is no scene 'plum'; did you mean 'plume'?"));
    assert_false(scene_load("nowhere/explosoin.yaml", &scene, &error));
    assert_string_equal(error.text,
                        "there is no file 'nowhere/explosoin.yaml'; did you mean 'explosion'?");
    assert_false(scene_load("qqqqqqqq", &scene, &error));
    assert_string_equal(error.text,
                        "there is no scene 'qqqqqqqq'; 'billow scenes' lists the built-in scenes");
    assert_false(scene_exists("qqqqqqqq", &error));
    assert_true(scene_exists("plume", &error));
    assert_true(scene_exists("/dev/zero", &error));
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
    assert_true(scene.def.params.vorticity == 3.0f);
}

/* Pictures of good quality take the values of the poster, without the tracks of their keys; --set
 * and --grid come later. The best have 1.5 times the cells. */
static void requests_know_their_keys(void **state)
{
    (void)state;
    const char *overrides[] = {"domain.cells_max=1e6", "solver.vorticity=2"};
    const SceneRequest request = {.overrides = overrides, .override_count = 2};
    assert_true(scene_request_sets(&request, "domain.cells_max"));
    assert_true(scene_request_sets(&request, "solver.vorticity"));
    assert_false(scene_request_sets(&request, "domain.cells"));
}

static void test_poster(void **state)
{
    (void)state;
    Scene scene = *scene_default(), before;
    BillowError error;
    const char *overrides[] = {"timeline=[{key: smoke.glow, values: [[0, 1], [2, 3]]}]",
                               "poster.set=  domain.cells=21 smoke.glow=2  camera.target=[1,2,3] ",
                               "smoke.anisotropy=0.25"};
    assert_true(scene_change(
        &(SceneRequest){.name_or_path = "s", .overrides = overrides, .override_count = 3}, &scene,
        &error));
    assert_int_equal(scene.domain.cells[0], 64);
    assert_int_equal(scene.track_count, 1);
    before = scene;
    assert_true(scene_raise_quality(SCENE_DRAFT, &scene, &error));
    assert_memory_equal(&scene, &before, sizeof scene);
    assert_true(scene_raise_quality(SCENE_GOOD, &scene, &error));
    assert_int_equal(scene.domain.cells[0], 21);
    assert_float_equal(scene.render.smoke.glow, 2, 0);
    assert_float_equal(scene.render.camera.target[1], 2, 0);
    assert_int_equal(scene.render.picture.filter, RENDER_FILTER_CUBIC);
    assert_int_equal(scene.track_count, 0);
    assert_string_equal(scene.poster.set, before.poster.set);
    scene = before;
    assert_true(scene_raise_quality(SCENE_BEST, &scene, &error));
    assert_int_equal(scene.domain.cells[0], 31);
    assert_int_equal(scene.domain.cells[1], 0);

    const char *best[] = {"smoke.anisotropy=0.25"};
    SceneRequest request = {.name_or_path = "plume",
                            .grid = "16",
                            .overrides = best,
                            .override_count = 1,
                            .quality = SCENE_BEST};
    assert_true(scene_open(&request, &scene, &error));
    assert_int_equal(scene.domain.cells[0], 16);
    assert_float_equal(scene.render.smoke.anisotropy, 0.25f, 0);
    assert_float_equal(scene.def.texture_period, 0.4f, 0); /* of the poster */

    before = scene;
    assert_false(scene_set(&scene, "poster.set=smoke.glow", &error));
    assert_non_null(strstr(error.text, "write KEY=VALUE"));
    assert_false(scene_set(&scene, "poster.set=smoke.glow=1 smoke.shine=2", &error));
    assert_non_null(strstr(error.text, "shine"));
    assert_memory_equal(&scene, &before, sizeof scene);
    const char text[] = "name: x\nposter:\n  set: domain.cells=4\n";
    assert_false(scene_parse("x.yaml", text, sizeof text - 1, &scene, &error));
    assert_int_equal(strncmp(error.text, "x.yaml:3:", 9), 0);
    assert_non_null(strstr(error.text, "poster.set: --set domain.cells"));
}

static void test_open(void **state)
{
    (void)state;
    const char *overrides[] = {"domain.cells=32", "solver.vorticity=9", "emitters[0].smoke=2"};
    SceneRequest request = {.name_or_path = "plume",
                            .grid = "16x24x16",
                            .overrides = overrides,
                            .override_count = LENGTH(overrides)};
    Scene scene = *scene_default(), before;
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
    assert_true(scene.def.params.vorticity == 9.0f && scene.def.emitters[0].smoke == 2.0f);
}

/* Changes are judged together: one may make room for another, in any order. */
static void test_changes_are_balanced(void **state)
{
    (void)state;
    const char *overrides[] = {"domain.faces={left: closed, right: closed, floor: closed, "
                               "ceiling: closed, back: closed, front: closed}",
                               "emitters[0].expansion=1"};
    SceneRequest request = {.name_or_path = "plume",
                            .grid = "16",
                            .overrides = overrides,
                            .override_count = LENGTH(overrides)};
    Scene scene = *scene_default();
    BillowError error;
    assert_false(scene_open(&request, &scene, &error));
    assert_non_null(strstr(error.text, "plume, as changed by --set: nothing can leave: left, "));
    assert_non_null(strstr(error.text, "yet emitters[0].expansion makes "));
    overrides[0] = "emitters[0].expansion=1";
    overrides[1] = "domain.faces={ceiling: closed, front: open}";
    assert_true(scene_open(&request, &scene, &error));
}

static void test_print_keys(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    scene_print_keys(file, false);
    static char text[64 * 1024];
    rewind(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    for (int emitter = 0; emitter < 2; emitter++) {
        const SceneKeyTable *table = emitter ? scene_emitter_keys() : scene_keys();
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
    assert_int_equal(scene_suggest_distance("msoke", "smoke"), 1);
    assert_int_equal(scene_suggest_distance("ca", "abc"), 3); /* not 2: no letter moves twice */
    assert_int_equal(scene_suggest_distance("kitten", "sitting"), 3);
    int distance;
    assert_false(scene_suggest_near("zzz", "sun", &distance));
    assert_false(scene_suggest_near("a", "b", &distance));
    char longer[100];
    memset(longer, 'a', 99);
    longer[99] = '\0';
    assert_false(scene_suggest_near(longer, "aaa", &distance));
}

/* << takes in the keys of other groups that the group has not set itself, the first of a list
 * before the next; keys that begin with x- are a place for such groups. */
static void test_merging(void **state)
{
    (void)state;
    static const char text[] = "x-jets:\n"
                               "  hot: &hot {heat: 200, smoke: 3, size: 0.1}\n"
                               "  cold: &cold {<<: *hot, heat: -50, grip: 7}\n"
                               "x-note: nothing reads this\n"
                               "emitters:\n"
                               "  - {<<: *hot, smoke: 9}\n"
                               "  - {smoke: 1, <<: *cold}\n"
                               "  - {<<: [{heat: 5}, *cold]}\n"
                               "  - *hot\n";
    Scene scene = *scene_default();
    BillowError error;
    if (!parse(text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    static const float right[4][4] = {/* heat, smoke, size, grip */
                                      {200, 9, 0.1f, 0},
                                      {-50, 1, 0.1f, 7},
                                      {5, 3, 0.1f, 7},
                                      {200, 3, 0.1f, 0}};
    assert_int_equal(scene.def.emitter_count, 4);
    for (int e = 0; e < 4; e++) {
        const BillowEmitter *emitter = &scene.def.emitters[e];
        assert_true(emitter->heat == right[e][0] && emitter->smoke == right[e][1] &&
                    emitter->size[0] == right[e][2]);
        if (right[e][3] > 0)
            assert_true(emitter->grip == right[e][3]);
    }
    static const Wrong wrong[] = {
        {"emitters: [{<<: 3}]\n", "f.yaml:1:13: '<<' takes in a group of keys, such as *name"},
        {"emitters: [{<<: [a]}]\n", "f.yaml:1:13: '<<' takes in a group of keys"},
        {"emitters: [&a {<<: *a}]\n", "f.yaml:1:16: '<<' takes in the group that it is in"},
        {"x-a: &a {heaat: 3}\nemitters: [{<<: *a}]\n",
         "f.yaml:1:10: key 'heaat' is not known here"},
        {"emitters: [{x-a: 3}]\n", "key 'x-a' is not known here"},
    };
    for (int w = 0; w < LENGTH(wrong); w++) {
        assert_false(parse(wrong[w].input, strlen(wrong[w].input), &scene, &error));
        if (strstr(error.text, wrong[w].message) == NULL)
            fail_msg("'%s' gives '%s'", wrong[w].input, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_without_use_are_noticed),
        cmocka_unit_test(test_right_sets),
        cmocka_unit_test(test_former_names),
        cmocka_unit_test(test_keys_that_are_gone),
        cmocka_unit_test(test_every_limit),
        cmocka_unit_test(test_every_default),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_lights_are_what_they_say),
        cmocka_unit_test(test_stage_lamps_scale_with_the_box),
        cmocka_unit_test(test_lamps),
        cmocka_unit_test(test_light_in_a_file),
        cmocka_unit_test(test_two_sizes),
        cmocka_unit_test(test_templates),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_a_named_value_overrides_its_track),
        cmocka_unit_test(test_messages_name_entries),
        cmocka_unit_test(test_ramps),
        cmocka_unit_test(test_ramps_in_order),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_written_defaults_load),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_open),
        cmocka_unit_test(requests_know_their_keys),
        cmocka_unit_test(test_poster),
        cmocka_unit_test(test_changes_are_balanced),
        cmocka_unit_test(test_print_keys),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_light_rigs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
