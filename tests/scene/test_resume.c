/* SPDX-License-Identifier: MIT
 * A scene resumed from a checkpoint continues as if it had not been interrupted. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "scene/scene_checkpoint.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/billow_resume_XXXXXX";
static char path[64], mesh[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.ckpt", folder);
    snprintf(mesh, sizeof mesh, "%s/body.obj", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(mesh);
    return rmdir(folder);
}

/* -- playing ----------------------------------------------------------------------------------- */

typedef struct Played {
    Scene scene;
    SceneDriver driver;
} Played;

static void begin(Played *played, int threads)
{
    BillowDef def = scene_def(&played->scene);
    BillowError error = {""};
    def.threads = threads;
    if (!scene_driver_create(&played->driver, &played->scene, &def, NULL, &error))
        fail_msg("%s", error.text);
}

static void go_on(Played *played, int steps)
{
    BillowError error = {""};
    double step = (double)played->scene.step;
    for (int s = 0; s < steps; s++)
        if (!scene_driver_step(&played->driver, step, &error))
            fail_msg("%s", error.text);
}

static void end(Played *played)
{
    scene_driver_destroy(&played->driver);
}

static void *state_of(const Played *played)
{
    void *state = malloc(billow_state_bytes(played->driver.sim));
    assert_non_null(state);
    billow_save_state(played->driver.sim, state);
    return state;
}

static void save(const Played *played)
{
    BillowError error = {""};
    SceneShape shapes[SCENE_SHAPES];
    SceneCheckpoint checkpoint = {.shapes = shapes,
                                  .state = state_of(played),
                                  .bytes = billow_state_bytes(played->driver.sim)};
    char *text = scene_checkpoint_text(&played->scene, &error);
    if (text == NULL)
        fail_msg("%s", error.text);
    checkpoint.text = text;
    scene_play_shapes(played->driver.play, shapes);
    scene_checkpoint_describe(played->driver.sim, &checkpoint.run);
    if (!scene_checkpoint_write(&checkpoint, path, &error))
        fail_msg("%s", error.text);
    free(text);
    free((void *)checkpoint.state);
}

/* False, with a message that begins with the path, where it is refused. */
static bool resume(Played *played, int threads, BillowError *error)
{
    CheckpointReader reader;
    if (!scene_checkpoint_open(&reader, path, &played->scene, error))
        return false;
    BillowDef def = scene_def(&played->scene);
    def.threads = threads;
    bool good = scene_checkpoint_start(&reader, &played->scene, &def, &played->driver, error);
    if (!good)
        scene_driver_destroy(&played->driver);
    checkpoint_close(&reader);
    return good;
}

/* Everything that a state holds, and not only what its hash covers. */
static void assert_same(const Played *one, const Played *other, const char *what)
{
    if (billow_state_hash(one->driver.sim) != billow_state_hash(other->driver.sim))
        fail_msg("%s: %016" PRIx64 " taken up, %016" PRIx64 " without", what,
                 billow_state_hash(one->driver.sim), billow_state_hash(other->driver.sim));
    size_t bytes = billow_state_bytes(one->driver.sim);
    assert_int_equal(bytes, billow_state_bytes(other->driver.sim));
    unsigned char *a = state_of(one), *b = state_of(other);
    for (size_t at = 0; at < bytes; at++)
        if (a[at] != b[at])
            fail_msg("%s: byte %zu of %zu of the state differs", what, at, bytes);
    free(a);
    free(b);
}

static void assert_goes_on(const Scene *scene, int before, int after, const int threads[3])
{
    static Played whole, broken, taken;
    char what[160];
    snprintf(what, sizeof what, "%s, %d steps on %d threads and %d on %d", scene->name, before,
             threads[0], after, threads[1]);
    whole.scene = broken.scene = *scene;
    begin(&whole, threads[2]);
    go_on(&whole, before + after);
    begin(&broken, threads[0]);
    go_on(&broken, before);
    save(&broken);
    end(&broken);
    BillowError error = {""};
    if (!resume(&taken, threads[1], &error))
        fail_msg("%s: %s", what, error.text);
    go_on(&taken, after);
    assert_same(&taken, &whole, what);
    end(&taken);
    end(&whole);
}

static Scene scene_of(const char *name, const char *grid, const char *const *overrides, int count)
{
    Scene scene;
    BillowError error = {""};
    SceneRequest request = {
        .name_or_path = name, .grid = grid, .overrides = overrides, .override_count = count};
    if (!scene_open(&request, &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

/* The coarsest grid: every axis needs 8 cells. */
static Scene coarse_scene(const char *name)
{
    static const char *const grids[] = {"16", "24", "32", "40"};
    Scene scene;
    for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++)
        if (scene_open(&(SceneRequest){.name_or_path = name, .grid = grids[g]}, &scene, NULL))
            return scene;
    fail_msg("%s at 40", name);
    return scene;
}

static unsigned random_below(unsigned *random, unsigned most)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % most;
}

/* -- what holds -------------------------------------------------------------------------------- */

/* Every built-in scene, some more than once, is interrupted after a random number of steps. */
static void every_scene_goes_on(void **state)
{
    (void)state;
    unsigned random = 20;
    int scenes = 0;
    while (scene_builtin_name(scenes) != NULL)
        scenes++;
    assert_true(scenes >= 15);
#ifdef BILLOW_SANITIZED
    const int triples = scenes, steps = 4;
#else
    const int triples = 20, steps = 16;
#endif
    for (int t = 0; t < triples; t++) {
        int before = 1 + (int)random_below(&random, (unsigned)steps);
        int after = 1 + (int)random_below(&random, (unsigned)steps);
        int threads[3];
        for (int i = 0; i < 3; i++)
            threads[i] = 1 + (int)random_below(&random, 4);
        Scene scene = coarse_scene(scene_builtin_name(t % scenes));
        assert_goes_on(&scene, before, after, threads);
        if (t % 4 != 0)
            continue;
        scene.def.refine = 2 + t / 4 % 3; /* smoke finer than the wind */
        assert_goes_on(&scene, 2, 2, threads);
    }
}

/* A resumed timeline continues where it was, also within a move. Meshes come from the checkpoint
 * and not from their files. */
static void a_body_goes_on_without_its_file(void **state)
{
    (void)state;
    static const char text[] =
        "domain: {size: [1, 1, 1], cells: 20}\n"
        "emitters:\n  - {center: [0.5, 0.2, 0.5], smoke: 3, heat: 100}\n"
        "  - {mesh: body.obj, size: 0.1, center: [0.2, 0.3, 0.5]}\n"
        "solids:\n  - {mesh: body.obj, size: 0.15, center: [0.5, 0.6, 0.5]}\n"
        "timeline:\n"
        "  - {key: \"solids[0].center\", values: [[0, [0.5, 0.6, 0.5]], "
        "[1, [0.7, 0.5, 0.4]]]}\n"
        "  - {key: \"emitters[0].smoke\", values: [[0.05, 3], [0.2, 9]]}\n";
    static Played whole, taken;
    Scene scene;
    BillowError error = {""};
    FILE *stream = fopen(mesh, "w");
    assert_non_null(stream);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", stream);
    fclose(stream);
    char name[96];
    snprintf(name, sizeof name, "%s/scene.yaml", folder);
    if (!scene_parse(name, text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    whole.scene = scene;
    begin(&whole, 2);
    go_on(&whole, 4);
    save(&whole);
    go_on(&whole, 6);
    unlink(mesh);
    if (!resume(&taken, 1, &error))
        fail_msg("%s", error.text);
    go_on(&taken, 6);
    assert_same(&taken, &whole, "a mesh");
    assert_true(strcmp(taken.scene.solid_forms[0].mesh, mesh) == 0);
    end(&taken);
    end(&whole);
}

static void changes_are_kept(void **state)
{
    (void)state;
    static Played taken;
    const char *const changes[] = {"solver.vorticity=3.0000002", "fluid.color=true",
                                   "tracers.count=100", "time.step=0.013"};
    Scene scene = scene_of("fire", "16x20x18", changes, 4);
    assert_goes_on(&scene, 3, 3, (const int[3]){2, 1, 1});
    assert_true(resume(&taken, 1, NULL));
    assert_true(taken.scene.def.params.vorticity == 3.0000002f && taken.scene.def.color);
    assert_true(taken.scene.def.tracers == 100 && taken.scene.step == 0.013f);
    const BillowView view = billow_view(taken.driver.sim);
    assert_true(billow_wind_view(&view).ny == 20 && view.ny == 60);
    end(&taken);
}

/* -- what is refused --------------------------------------------------------------------------- */

static unsigned char *read_file(size_t *count)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *count = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc(*count);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *count, stream), *count);
    fclose(stream);
    return bytes;
}

static void write_file(const unsigned char *bytes, size_t count)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

/* words: of the message; NULL: any. */
static void assert_refused(const char *what, const char *words)
{
    static Played taken;
    BillowError error = {""};
    if (resume(&taken, 1, &error))
        fail_msg("%s: taken", what);
    if (strncmp(error.text, path, strlen(path)) != 0 || strchr(error.text, '\n') != NULL ||
        (words != NULL && strstr(error.text, words) == NULL))
        fail_msg("%s: '%s'", what, error.text);
}

static void damage_is_refused(void **state)
{
    (void)state;
    static Played played;
    played.scene = scene_of("plume", "8", NULL, 0);
    begin(&played, 1);
    go_on(&played, 3);
    save(&played);
    end(&played);
    size_t count;
    unsigned char *bytes = read_file(&count);
    for (size_t at = 0; at < count; at += 97) {
        char what[64];
        snprintf(what, sizeof what, "byte %zu of %zu flipped", at, count);
        bytes[at] ^= 0xff;
        write_file(bytes, count);
        assert_refused(what, NULL);
        bytes[at] ^= 0xff;
        snprintf(what, sizeof what, "cut to %zu of %zu bytes", at, count);
        write_file(bytes, at);
        assert_refused(what, NULL);
    }
    free(bytes);
}

/* Files with correct checksums and wrong content. */
static void assert_lie_refused(const SceneCheckpoint *lie, const char *what, const char *words)
{
    BillowError error = {""};
    if (!scene_checkpoint_write(lie, path, &error))
        fail_msg("%s", error.text);
    assert_refused(what, words);
}

static void lies_are_refused(void **state)
{
    (void)state;
    static Played played;
    played.scene = scene_of("text", "24", NULL, 0);
    begin(&played, 1);
    go_on(&played, 1);
    BillowError error = {""};
    char *text = scene_checkpoint_text(&played.scene, &error);
    assert_non_null(text);
    unsigned char *bytes = state_of(&played);
    SceneShape shapes[SCENE_SHAPES], none[SCENE_SHAPES];
    memset(none, 0, sizeof none);
    scene_play_shapes(played.driver.play, shapes);
    int text_of = 0;
    while (shapes[text_of].volume.distance == NULL)
        text_of++;
    const float size = shapes[text_of].size;
    const SceneCheckpoint good = {.text = text,
                                  .shapes = shapes,
                                  .state = bytes,
                                  .bytes = billow_state_bytes(played.driver.sim)};
    SceneCheckpoint lie = good;
    scene_checkpoint_describe(played.driver.sim, &lie.run);
    assert_true(scene_checkpoint_write(&lie, path, &error));
    static Played taken;
    assert_true(resume(&taken, 1, &error));
    end(&taken);
    shapes[text_of].size = 0;
    assert_lie_refused(&lie, "a shape of no size", "it holds an impossible shape");
    shapes[text_of].size = size;
    lie.shapes = none;
    assert_lie_refused(&lie, "no shape", "no shape was stored for it, or a shape of another size");
    static Scene moved;
    moved = played.scene;
    moved.emitter_forms[0] = scene_form_default();
    strcpy(moved.emitter_forms[0].mesh, "/gone.glb"); /* it moved: there is no volume to keep */
    char *of_mesh = scene_checkpoint_text(&moved, &error);
    assert_non_null(of_mesh);
    lie.text = of_mesh;
    assert_lie_refused(&lie, "a mesh that has gone",
                       "put /gone.glb back: it is missing, or no longer moves as when the "
                       "checkpoint was written");
    free(of_mesh);
    lie.text = text;
    lie.shapes = good.shapes;
    lie.run.time += 1;
    assert_lie_refused(&lie, "another time", "its state is of another time");
    lie.run.time -= 1;
    lie.run.steps++;
    assert_lie_refused(&lie, "another step", "its state is of another time");
    lie.run.steps--;
    lie.run.grid[0]++;
    assert_lie_refused(&lie, "another grid", "its scene has another grid");
    lie.run.grid[0]--;
    lie.bytes -= 4;
    assert_lie_refused(&lie, "a shorter state", "the state is cut short or damaged");
    lie.bytes = 40;
    assert_lie_refused(&lie, "hardly a state", "it holds no state, or a state of the wrong length");
    lie.bytes = good.bytes;
    bytes[8]++;
    assert_lie_refused(&lie, "a state of another version", "the state has version 9");
    bytes[8]--;
    lie.text = "domain: {cells: 2048}\n";
    lie.run.grid[0] = lie.run.grid[1] = lie.run.grid[2] = 2048;
    assert_lie_refused(&lie, "a grid that its state is none of", "a state of the wrong length");
    lie.text = "no scene";
    assert_lie_refused(&lie, "no scene", "must be a group of keys");
    lie.text = "";
    assert_lie_refused(&lie, "an empty scene", "its scene is missing");
    free(bytes);
    free(text);
    end(&played);
}

/* More than the end. */
static void nothing_follows_the_state(void **state)
{
    (void)state;
    static Played played;
    played.scene = scene_of("plume", "8", NULL, 0);
    begin(&played, 1);
    go_on(&played, 1);
    BillowError error = {""};
    char *text = scene_checkpoint_text(&played.scene, &error);
    assert_non_null(text);
    unsigned char *bytes = state_of(&played);
    size_t count = billow_state_bytes(played.driver.sim);
    CheckpointRun run = {.fps = 0};
    scene_checkpoint_describe(played.driver.sim, &run);
    for (int states = 1; states <= 2; states++) {
        static Played taken;
        CheckpointWriter writer;
        assert_true(checkpoint_create(&writer, path, &run, &error));
        checkpoint_add(&writer, CHECKPOINT_SCENE, text, strlen(text));
        for (int s = 0; s < states; s++)
            checkpoint_add(&writer, CHECKPOINT_STATE, bytes, count);
        assert_true(checkpoint_commit(&writer, &error));
        if (states == 2)
            assert_refused("two states", "there is data after its state");
        else if (resume(&taken, 1, &error))
            end(&taken);
        else
            fail_msg("one state: %s", error.text);
    }
    free(bytes);
    free(text);
    end(&played);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_goes_on), cmocka_unit_test(a_body_goes_on_without_its_file),
        cmocka_unit_test(changes_are_kept),    cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(lies_are_refused),    cmocka_unit_test(nothing_follows_the_state),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
