/* SPDX-License-Identifier: MIT
 * The window's world resumes from a checkpoint to the same bits, and its states make equal
 * checkpoints. */
#define _DEFAULT_SOURCE /* nanosleep, mkdtemp */
#include "world_fixture.h"

#include "scene/scene_checkpoint.h"
#include <unistd.h>

static char folder[] = "/tmp/billow_world_XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.ckpt", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* Something that the timeline moves, and something that falls. */
static const char text[] =
    "name: moving\n"
    "domain: {size: 1, cells: 12}\n"
    "time: {step: 0.02}\n"
    "emitters:\n  - {center: [0.5, 0.2, 0.5], smoke: 4, heat: 200}\n"
    "solids:\n  - {center: [0.5, 0.6, 0.5], size: 0.1, motion: falling}\n"
    "timeline:\n  - {key: \"emitters[0].smoke\", values: [[0, 1], [1, 9]]}\n";

static void write_state(const Scene *scene, void *state, size_t bytes, CheckpointRun run)
{
    static const SceneShape none[SCENE_SHAPES];
    BillowError error = {{0}};
    char *scene_text = scene_checkpoint_text(scene, &error);
    assert_non_null(scene_text);
    const SceneCheckpoint checkpoint = {
        .run = run, .text = scene_text, .shapes = none, .state = state, .bytes = bytes};
    snprintf((char *)checkpoint.run.scene, sizeof run.scene, "moving");
    if (!scene_checkpoint_write(&checkpoint, path, &error))
        fail_msg("%s", error.text);
    free(scene_text);
}

static void take_steps(ScenePlay *play, BillowSim *sim, const Scene *scene, uint64_t until)
{
    BillowError error;
    while (billow_stats(sim).steps < until) {
        assert_true(scene_play_prepare(play, sim, (double)scene->step, &error));
        billow_step(sim, (double)scene->step);
    }
}

/* A checkpoint of so many steps, taken without a window. */
static void write_checkpoint(uint64_t steps)
{
    Scene scene = parsed(text);
    BillowDef def = scene_def(&scene);
    BillowError error;
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    BillowSim *sim = play != NULL ? billow_create(&def, &error) : NULL;
    assert_non_null(sim);
    take_steps(play, sim, &scene, steps);
    CheckpointRun run = {.frames = 0};
    scene_checkpoint_describe(sim, &run);
    void *state = malloc(billow_state_bytes(sim));
    assert_non_null(state);
    billow_save_state(sim, state);
    write_state(&scene, state, billow_state_bytes(sim), run);
    free(state);
    billow_destroy(sim);
    scene_play_destroy(play);
}

static SimSaved keep(World *world)
{
    SimSaved kept;
    double end = clock_seconds() + PATIENCE;
    sim_thread_send(world->sim, &(SimCommand){.kind = SIM_SAVE});
    while (!sim_thread_saved(world->sim, &kept)) {
        if (clock_seconds() > end)
            fail_msg("no state within %g s", PATIENCE);
        nap(0.001);
    }
    assert_non_null(kept.state);
    assert_true(kept.finite);
    return kept;
}

/* A state of the window is that of a run without one that was taken up at the same checkpoint. */
static void assert_is_played(const SimSaved *kept)
{
    CheckpointReader reader;
    BillowError error = {{0}};
    Scene scene;
    SceneDriver driver;
    assert_true(scene_checkpoint_open(&reader, path, &scene, &error));
    BillowDef def = scene_def(&scene);
    if (!scene_checkpoint_start(&reader, &scene, &def, &driver, &error))
        fail_msg("%s", error.text);
    checkpoint_close(&reader);
    take_steps(driver.play, driver.sim, &scene, kept->run.steps);
    void *state = malloc(kept->bytes);
    assert_non_null(state);
    assert_int_equal(billow_state_bytes(driver.sim), kept->bytes);
    billow_save_state(driver.sim, state);
    assert_memory_equal(state, kept->state, kept->bytes);
    free(state);
    scene_driver_destroy(&driver);
}

static void a_window_goes_on(void **state)
{
    (void)state;
    static World world;
    const SceneRequest request = {.name_or_path = "plume"};
    BillowError error = {{0}};
    write_checkpoint(7);
    if (!world_open(&world, &request, path, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    assert_string_equal(world.scene.name, "moving");
    assert_string_equal(world.from, path);
    const SimSnapshot *first = first_snapshot(&world);
    assert_non_null(first);
    assert_true(first->view.time > 6.9 * 0.02);
    while (world_snapshot(&world)->stats.steps < 9)
        nap(0.001);
    SimSaved kept = keep(&world);
    assert_true(kept.run.steps >= 9 && kept.run.grid[1] == 12);
    assert_is_played(&kept);
    /* The automatic checkpoint of the window can be resumed too. */
    write_state(&world.scene, kept.state, kept.bytes, kept.run);
    free(kept.state);
    assert_true(world_change(&world, path, &error));
    await(&world, WORLD_CHANGED);
    assert_true(first_snapshot(&world)->stats.steps >= kept.run.steps);
    kept = keep(&world);
    assert_is_played(&kept);
    free(kept.state);
    world_close(&world);
}

static void what_is_none_changes_nothing(void **state)
{
    (void)state;
    static World world;
    const SceneRequest request = {.name_or_path = "plume", .grid = "12"};
    BillowError error = {{0}};
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs("no checkpoint", stream);
    fclose(stream);
    assert_false(world_open(&world, &request, path, 1, true, NULL, &error));
    assert_non_null(strstr(error.text, "no checkpoint"));
    world_close(&world);
    assert_true(world_open(&world, &request, NULL, 1, true, NULL, &error));
    assert_false(world_change(&world, path, &error));
    assert_false(world_change(&world, "/nowhere", &error));
    assert_true(!world.changing && world.sim != NULL);
    assert_string_equal(world.from, "plume");
    /* Given up for another scene before it began. */
    write_checkpoint(2);
    assert_true(world_change(&world, path, &error));
    assert_true(world_change(&world, "plume", &error));
    await(&world, WORLD_CHANGED);
    assert_string_equal(world.scene.name, "plume");
    assert_true(world_change(&world, path, &error));
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_goes_on),
        cmocka_unit_test(what_is_none_changes_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
