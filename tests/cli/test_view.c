/* SPDX-License-Identifier: MIT
 * The view printed as a command, and that command read again: the same scene, camera and slice. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nanosleep */
#include "app/keys.h"
#include "cli/command.h"
#include "scene/scene_write.h"
#include "world_fixture.h"

#include "checkpoint_fixture.h"

#include <unistd.h>

static const ArgsSpec spec = {
    .name = "run",
    .summary = "",
    .operand = "[SCENE]",
    .operands_most = 1,
    .operands_offset = offsetof(CommandScene, operands),
    .tables = {command_grid_options, command_set_options, command_slice_options,
               command_checkpoint_options},
};

typedef struct Words {
    char *items[200];
    int count;
    char text[20000];
} Words;

/* Splits the arguments as a shell does. */
static void split(const char *line, Words *words)
{
    char *out = words->text;
    bool quoted = false, any = false;
    words->count = 0;
    for (const char *c = line;; c++) {
        if (*c == '\'') {
            quoted = !quoted;
        } else if (*c == '\\' && !quoted) {
            *out++ = *++c;
        } else if ((*c == ' ' && !quoted) || *c == '\0') {
            *out++ = '\0';
            any = false;
        } else {
            if (!any)
                assert_true(words->count < 200);
            *out++ = *c;
        }
        if (!any && *c != ' ' && *c != '\0') {
            words->items[words->count++] = *c == '\'' ? out : out - 1;
            any = true;
        }
        if (*c == '\0')
            return;
    }
}

typedef struct View {
    Scene scene;
    SliceAsk slice;
    char name[512];
} View;

/* Opens a scene as the command `run` does. */
static bool open_scene(const CommandScene *settings, Scene *scene, BillowError *error)
{
    SceneRequest request = command_scene_request(settings, "run");
    CheckpointReader reader;
    if (settings->request.resume == NULL)
        return scene_open(&request, scene, error);
    request.name_or_path = settings->request.resume;
    assert_true(settings->operands.count == 0 && settings->request.grid == NULL);
    for (int i = 0; i < settings->overrides.count; i++) /* a checkpoint has its own grid */
        assert_int_not_equal(strncmp(settings->overrides.items[i], "domain.", 7), 0);
    if (!scene_checkpoint_open(&reader, settings->request.resume, scene, error))
        return false;
    checkpoint_close(&reader);
    return scene_change(&request, scene, error);
}

/* The view of the command. */
static View follow(const char *line)
{
    static Words words;
    static CommandScene settings;
    View view;
    BillowError error = {{0}};
    settings = (CommandScene){.force = false};
    split(line, &words);
    assert_true(words.count >= 3);
    assert_string_equal(words.items[0], "billow");
    assert_string_equal(words.items[1], "run");
    if (args_parse(&spec, words.count - 2, words.items + 2, &settings, &error) != ARGS_GIVEN)
        fail_msg("%s: %s", line, error.text);
    if (!open_scene(&settings, &view.scene, &error))
        fail_msg("%s: %s", line, error.text);
    view.slice = settings.slice;
    snprintf(view.name, sizeof view.name, "%s",
             settings.request.resume != NULL ? settings.request.resume
                                             : settings.operands.items[0]);
    return view;
}

/* Prints the command of the present view and parses it again. */
static View told(const World *world, const SliceAsk *slice)
{
    int lost = -1;
    BillowError error = {{0}};
    char *line = view_arguments(world, slice, &lost, &error);
    if (line == NULL)
        fail_msg("%s", error.text);
    assert_int_equal(lost, 0);
    View view = follow(line);
    Scene now = world->scene;
    now.render.camera = world->render.camera;
    SceneDifference found = scene_difference(&now, &view.scene);
    if (found.effects != 0)
        fail_msg("%s: %s differs", line, found.first);
    assert_memory_equal(&view.scene.render.camera, &now.render.camera, sizeof now.render.camera);
    free(line);
    return view;
}

static void open_view(World *world, const SceneRequest *request)
{
    BillowError error = {{0}};
    if (!world_open(world, request, NULL, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
    world->render.camera.azimuth = 12.3456789f;
    world->render.camera.target[1] = 1.0f / 3;
}

static void change(World *world, const char *assignment)
{
    BillowError error = {{0}};
    Scene changed = world->scene;
    if (!scene_set(&changed, assignment, &error) || !world_apply(world, &changed, NULL, &error))
        fail_msg("%s", error.text);
    if (world->changing)
        await(world, WORLD_CHANGED);
    sim_thread_send(world->sim, &(SimCommand){SIM_PAUSE, .on = true});
}

static void test_what_was_changed_by_hand_and_by_options(void **state)
{
    (void)state;
    const char *const overrides[] = {"solver.vorticity=3", "sun.color=[1, 0.5, 0.25]",
                                     "title=a plume's \"view\""};
    const SceneRequest request = {
        .name_or_path = "plume", .grid = "12x16x12", .overrides = overrides, .override_count = 3};
    const SliceAsk none = slice_ask_default();
    World world;
    open_view(&world, &request);
    View view = told(&world, &none);
    assert_false(view.slice.given);
    assert_string_equal(view.name, "plume");
    change(&world, "solver.vorticity=4");
    change(&world, "exposure=1.2345678");
    told(&world, &none);
    change(&world, "domain.cells=14"); /* --set of the grid overrides --grid */
    view = told(&world, &none);
    assert_int_equal(view.scene.domain.cells[0], 14);
    world_close(&world);
}

static void test_slices(void **state)
{
    (void)state;
    const SceneRequest request = {.name_or_path = "plume", .grid = "12"};
    World world;
    SliceAsk asked = slice_ask_default();
    open_view(&world, &request);
    asked = (SliceAsk){.given = true,
                       .kind = FIELD_VORTICITY,
                       .axis = 2,
                       .placed = true,
                       .position = 1.0f / 3,
                       .contours = 7,
                       .veil = 0.123456789f};
    for (int ranged = 0; ranged < 2; ranged++) {
        asked.ranged = ranged;
        asked.low = ranged ? -0.1f : 0;
        asked.high = ranged ? 2.0f / 3 : 0;
        const View view = told(&world, &asked);
        assert_true(view.slice.given && view.slice.placed && view.slice.kind == asked.kind);
        assert_true(view.slice.axis == 2 && view.slice.position == asked.position);
        assert_true(view.slice.contours == 7 && view.slice.veil == asked.veil);
        assert_true(view.slice.ranged == asked.ranged);
        assert_true(view.slice.low == asked.low && view.slice.high == asked.high);
    }
    world_close(&world);
}

/* A file with the name of a built-in scene, as Ctrl+S writes it, is not the scene that plays. */
static void test_the_scene_is_what_was_opened(void **state)
{
    (void)state;
    char folder[] = "view_test_XXXXXX", before[4096];
    const SliceAsk none = slice_ask_default();
    const SceneRequest request = {.name_or_path = "plume", .grid = "12"};
    World world;
    BillowError error = {{0}};
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen("plume.yaml", "w");
    assert_non_null(file);
    fputs("name: plume\nexposure: 7\n", file);
    assert_int_equal(fclose(file), 0);
    open_view(&world, &request);
    View view = told(&world, &none);
    assert_string_equal(view.name, "plume");
    assert_true(world_change(&world, "plume.yaml", &error));
    await(&world, WORLD_CHANGED);
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    view = told(&world, &none);
    assert_string_equal(view.name, "plume.yaml");
    assert_true(view.scene.render.exposure == 7.0f);
    world_close(&world);
    remove("plume.yaml");
    assert_int_equal(chdir(before), 0);
    rmdir(folder);
}

/* The command names the checkpoint as long as it exists and the scene continues from it. */
static void test_a_checkpoint_is_gone_on_from(void **state)
{
    (void)state;
    char folder[] = "/tmp/billow_view_XXXXXX", path[64];
    const char *const overrides[] = {"exposure=3"};
    const SceneRequest request = {
        .name_or_path = "plume", .overrides = overrides, .override_count = 1};
    const SliceAsk none = slice_ask_default();
    World world;
    BillowError error = {{0}};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.ckpt", folder);
    write_first_moment(path);
    if (!world_open(&world, &request, path, 1, true, NULL, &error))
        fail_msg("%s", error.text);
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    change(&world, "smoke.extinction=17");
    assert_string_equal(told(&world, &none).name, path);
    change(&world, "domain.cells=14");
    assert_string_equal(told(&world, &none).name, "plume");
    assert_true(world_change(&world, path, &error));
    await(&world, WORLD_CHANGED);
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    assert_string_equal(told(&world, &none).name, path);
    world_reset(&world);
    assert_string_equal(told(&world, &none).name, "plume");
    assert_true(world_change(&world, path, &error));
    await(&world, WORLD_CHANGED);
    sim_thread_send(world.sim, &(SimCommand){SIM_PAUSE, .on = true});
    assert_int_equal(unlink(path), 0);
    assert_string_equal(told(&world, &none).name, "plume");
    world_close(&world);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_changed_by_hand_and_by_options),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_the_scene_is_what_was_opened),
        cmocka_unit_test(test_a_checkpoint_is_gone_on_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
