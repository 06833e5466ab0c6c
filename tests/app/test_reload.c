/* SPDX-License-Identifier: MIT
 * Files that are saved while their scene plays: read when they are whole, applied if possible,
 * refused without harm if they are wrong. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, nanosleep */
#define _DEFAULT_SOURCE
#include "app/session.h"
#include "io/font.h"
#include "io/paths.h"
#include "world_fixture.h"

#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static char folder[] = "/tmp/billow-reload-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const char *text, size_t length)
{
    FILE *stream = fopen(path_of(name), "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    fclose(stream);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "s.yaml", "shape.obj", "letters.ttf"};
    for (int n = 0; n < LENGTH(names); n++)
        remove(path_of(names[n]));
    return rmdir(folder);
}

/* -- watching ---------------------------------------------------------------------------------- */

static void assert_changed_once(FileWatch *watch)
{
    assert_false(file_watch_changed(watch)); /* it may be half written */
    assert_true(file_watch_changed(watch));
    for (int i = 0; i < 3; i++)
        assert_false(file_watch_changed(watch));
}

static void test_files_are_watched(void **state)
{
    (void)state;
    write_text("a", "one");
    FileWatch watch = file_watch_start(path_of("a"));
    for (int i = 0; i < 3; i++)
        assert_false(file_watch_changed(&watch));
    write_text("a", "longer");
    assert_changed_once(&watch);

    write_text("b", "renamed over it"); /* as editors do */
    assert_int_equal(rename(path_of("b"), path_of("a")), 0);
    assert_changed_once(&watch);

    assert_int_equal(rename(path_of("a"), path_of("b")), 0); /* gone for a moment, */
    assert_false(file_watch_changed(&watch));
    assert_false(file_watch_changed(&watch));
    assert_int_equal(rename(path_of("b"), path_of("a")), 0); /* and back as it was */
    for (int i = 0; i < 3; i++)
        assert_false(file_watch_changed(&watch));

    remove(path_of("a"));
    assert_false(file_watch_changed(&watch));
    write_text("a", "another one");
    assert_changed_once(&watch);

    for (int i = 1; i < 8; i++) { /* as long as it grows, nobody reads it */
        write_bytes("a", "slowly written", (size_t)i);
        assert_false(file_watch_changed(&watch));
    }
    assert_true(file_watch_changed(&watch));
    assert_false(file_watch_changed(&watch));
}

static void test_files_that_come_later(void **state)
{
    (void)state;
    remove(path_of("b"));
    FileWatch watch = file_watch_start(path_of("b"));
    assert_false(file_watch_changed(&watch));
    write_text("b", "here");
    assert_changed_once(&watch);
}

/* -- scenes ------------------------------------------------------------------------------------ */

static const char *const overrides[] = {"solver.vorticity=7"};

static void open_file(World *world, const SceneRequest *request, SceneFiles *watch)
{
    BillowError error = {{0}};
    if (!world_open(world, request, NULL, 1, false, NULL, &error))
        fail_msg("%s", error.text);
    scene_files_watch(watch, world->from, world_scene(world));
}

/* The window does the same. */
static bool load_again(World *world, SceneFiles *watch, SceneDifference *found, BillowError *error)
{
    Scene scene;
    SceneRequest request = world->request;
    request.name_or_path = world->from;
    if (!scene_open(&request, &scene, error))
        return false;
    scene_files_watch_shapes(watch, &scene);
    return world_reload(world, &scene, found, error);
}

static void settle(World *world)
{
    BillowError error = {{0}};
    double end = clock_seconds() + PATIENCE;
    while (world->changing || first_snapshot(world)->settings_seen != world->settings) {
        if (world_poll(world, &error) == WORLD_FAILED || clock_seconds() > end)
            fail_msg("%s", error.text);
        nap(0.001);
    }
    assert_int_equal(world_poll(world, &error), WORLD_NOTHING);
}

static void test_what_the_command_line_says_stays(void **state)
{
    (void)state;
    write_text("s.yaml", "domain: {size: 1, cells: 40}\nsolver: {vorticity: 2}\n"
                         "emitters: [{smoke: 1}]\n");
    const SceneRequest request = {.name_or_path = path_of("s.yaml"),
                                  .grid = "10",
                                  .overrides = overrides,
                                  .override_count = 1};
    World world;
    SceneFiles watch;
    SceneDifference found;
    BillowError error = {{0}};
    open_file(&world, &request, &watch);
    const SimThread *sim = world.sim;
    write_text("s.yaml", "domain: {size: 1, cells: 60}\nsolver: {vorticity: 3}\n"
                         "emitters: [{smoke: 2.5}]\n");
    assert_false(scene_files_changed(&watch));
    assert_true(scene_files_changed(&watch));
    assert_true(load_again(&world, &watch, &found, &error));
    assert_int_equal(found.effects, SCENE_EFFECT_EMITTERS);
    settle(&world);
    assert_ptr_equal(world.sim, sim);
    assert_true(world.scene.def.emitters[0].smoke == 2.5f);
    assert_true(world.scene.def.params.vorticity == 7.0f);
    assert_int_equal(first_snapshot(&world)->view.nx, 10);
    world_close(&world);
}

static void test_broken_files_leave_the_good_one(void **state)
{
    (void)state;
    static const char good[] = "domain: {size: 1, cells: 10}\nemitters: [{smoke: 1}]\n";
    write_text("s.yaml", good);
    const SceneRequest request = {.name_or_path = path_of("s.yaml")};
    World world;
    SceneFiles watch;
    SceneDifference found;
    BillowError error = {{0}};
    open_file(&world, &request, &watch);
    const SimThread *sim = world.sim;
    for (size_t length = 0; length + 1 < sizeof good; length++) {
        Scene before = world.scene;
        write_bytes("s.yaml", good, length);
        if (load_again(&world, &watch, &found, &error)) { /* a part may be a scene, too */
            settle(&world);
            sim = world.sim;
            continue;
        }
        assert_non_null(strstr(error.text, "s.yaml"));
        assert_null(strchr(error.text, '\n'));
        assert_ptr_equal(world.sim, sim);
        assert_false(world.changing);
        assert_int_equal(scene_difference(&before, &world.scene).effects, 0);
    }
    write_text("s.yaml", good);
    assert_true(load_again(&world, &watch, &found, &error));
    settle(&world);
    assert_int_equal(world.scene.domain.cells[0], 10);
    world_close(&world);
}

/* A tetrahedron, of which one corner lies that high. */
static void write_mesh(double height)
{
    char text[200];
    snprintf(text, sizeof text,
             "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 %g 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n", height);
    write_text("shape.obj", text);
}

static void test_meshes_are_watched(void **state)
{
    (void)state;
    write_mesh(1);
    write_text("s.yaml", "domain: {size: 1, cells: 12}\n"
                         "solids: [{mesh: shape.obj, center: [0.5, 0.6, 0.5], size: 0.3}]\n"
                         "emitters: [{mesh: shape.obj, center: [0.5, 0.2, 0.5], size: 0.2}]\n");
    const SceneRequest request = {.name_or_path = path_of("s.yaml")};
    World world = {0};
    SceneFiles watch;
    SceneDifference found;
    BillowError error = {{0}};
    if (!world_open(&world, &request, NULL, 1, false, NULL, &error))
        fail_msg("%s", error.text);
    scene_files_watch(&watch, world.from, world_scene(&world));
    assert_int_equal(watch.shape_count, 1);
    const SimThread *sim = world.sim;
    double before = billow_solid_distance(&first_snapshot(&world)->solids[0],
                                          (const double[3]){0.5, 0.95, 0.5});
    write_mesh(0.25);
    assert_false(scene_files_changed(&watch));
    assert_true(scene_files_changed(&watch));
    assert_true(load_again(&world, &watch, &found, &error));
    settle(&world);
    assert_ptr_equal(world.sim, sim); /* another shape, the same simulation */
    const uint64_t settings = world.settings;
    double after = billow_solid_distance(&first_snapshot(&world)->solids[0],
                                         (const double[3]){0.5, 0.95, 0.5});
    if (!(fabs(after - before) > 0.02))
        fail_msg("%g m from the solid, as from the other, %g m", after, before);

    write_text("shape.obj", "no mesh\n");
    assert_false(load_again(&world, &watch, &found, &error));
    assert_non_null(strstr(error.text, "shape.obj"));
    assert_int_equal(world.settings, settings);
    assert_ptr_equal(world.sim, sim);
    sim_thread_send(
        world.sim,
        &(SimCommand){.kind =
                          SIM_RESET}); /* to where it began, with the shapes that there are now */
    Scene changed = world.scene;
    changed.def.emitters[0].smoke = 3;
    assert_true(world_apply(&world, &changed, NULL, &error)); /* no file is read for that */
    settle(&world);
    assert_ptr_equal(world.sim, sim);
    world_close(&world);
}

/* Letters of a font's file that is put where another was. */
static void test_fonts_are_watched(void **state)
{
    (void)state;
    char path[2][1024], line[2400];
    BillowError error = {{0}};
    if (!font_find("DejaVu Sans", path[0], sizeof path[0], &error) ||
        !font_find("DejaVu Sans Mono", path[1], sizeof path[1], &error))
        skip();
    snprintf(line, sizeof line, "cp '%s' '%s'", path[0], path_of("letters.ttf"));
    assert_int_equal(system(line), 0);
    write_text("s.yaml", "domain: {size: 1, cells: 12}\n"
                         "solids: [{text: Wi, font: letters.ttf, center: [0.5, 0.5, 0.5], "
                         "size: 0.3}]\n");
    const SceneRequest request = {.name_or_path = path_of("s.yaml")};
    World world = {0};
    SceneFiles watch;
    SceneDifference found;
    open_file(&world, &request, &watch);
    assert_int_equal(watch.shape_count, 1);
    const double corner[3] = {0.8, 0.65, 0.5};
    double before = billow_solid_distance(&first_snapshot(&world)->solids[0], corner);
    snprintf(line, sizeof line, "cp '%s' '%s'", path[1], path_of("letters.ttf"));
    assert_int_equal(system(line), 0);
    assert_false(scene_files_changed(&watch));
    assert_true(scene_files_changed(&watch));
    assert_true(load_again(&world, &watch, &found, &error));
    settle(&world);
    double after = billow_solid_distance(&first_snapshot(&world)->solids[0], corner);
    if (!(fabs(after - before) > 0.005))
        fail_msg("%g m from the letters, as from the other font's, %g m", after, before);
    world_close(&world);
}

/* -- what anybody may save --------------------------------------------------------------------- */

enum { MUTANTS = 600, TEXT_MAX = 16384 };

static uint32_t random_bits(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static size_t below(uint32_t *seed, size_t count)
{
    return count > 0 ? random_bits(seed) % count : 0;
}

/* Puts other bytes in the place of those from begin to end. */
static void splice(char *text, size_t begin, size_t end, const char *other, size_t length)
{
    size_t whole = strlen(text);
    if (whole - (end - begin) + length >= TEXT_MAX)
        return;
    memmove(text + begin + length, text + end, whole - end + 1);
    memcpy(text + begin, other, length);
}

static void a_line(const char *text, uint32_t *seed, size_t *begin, size_t *end)
{
    *begin = below(seed, strlen(text));
    while (*begin > 0 && text[*begin - 1] != '\n')
        --*begin;
    *end = *begin + strcspn(text + *begin, "\n");
    *end += text[*end] == '\n';
}

static void mutate_number(char *text, uint32_t *seed)
{
    static const char *const numbers[] = {"0",   "-1",  "1e9",     "0.5", ".nan", "-.inf", "3",
                                          "7.5", "0.1", "1000000", "2",   "true", "[1, 2]"};
    size_t at = below(seed, strlen(text));
    at += strcspn(text + at, "0123456789");
    const char *number = numbers[below(seed, (size_t)LENGTH(numbers))];
    splice(text, at, at + strspn(text + at, "0123456789."), number, strlen(number));
}

/* Another last digit: most scenes bear that. */
static void mutate_digit(char *text, uint32_t *seed)
{
    size_t at = below(seed, strlen(text));
    at += strcspn(text + at, "0123456789");
    at += strspn(text + at, "0123456789.");
    if (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        text[at - 1] = (char)('1' + (int)below(seed, 9));
}

static void mutate(char *text, uint32_t *seed)
{
    size_t begin, end, length = strlen(text), to = below(seed, length);
    char line[512], byte = (char)(1 + below(seed, 255));
    a_line(text, seed, &begin, &end);
    snprintf(line, sizeof line, "%.*s", (int)(end - begin), text + begin);
    switch (below(seed, 14)) {
    case 0:
        splice(text, to, to < length ? to + 1 : to, &byte, 1);
        break;
    case 1:
        splice(text, begin, end, "", 0);
        break;
    case 2:
        splice(text, begin, begin, line, strlen(line));
        break;
    case 3: /* a line of elsewhere */
        a_line(text, seed, &begin, &end);
        splice(text, begin, begin, line, strlen(line));
        break;
    case 4:
        text[to] = 0; /* half written */
        break;
    case 5:
    case 6:
        mutate_number(text, seed);
        break;
    default:
        mutate_digit(text, seed);
    }
}

/* Bytes that the process has allocated and not freed; 0 where nobody says, or a sanitizer will. */
static double held_bytes(void)
{
#if defined(__GLIBC__) && !defined(BILLOW_SANITIZED)
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#endif
#endif
    return 0;
}

/* Several of each scene, one after the other. */
static void mutant(char text[TEXT_MAX], int number, uint32_t *seed)
{
    int count = 0;
    while (scene_builtin_name(count) != NULL)
        count++;
    snprintf(text, TEXT_MAX, "%s", scene_builtin_text(number / 16 % count));
    for (size_t times = 1 + below(seed, 3); times > 0; times--)
        mutate(text, seed);
}

static void test_mutants_neither_crash_nor_leak(void **state)
{
    (void)state;
    static char text[TEXT_MAX];
    const SceneRequest request = {.name_or_path = path_of("s.yaml"), .grid = "10"};
    World world;
    SceneFiles watch;
    uint32_t seed = 20240;
    int taken = 0, live = 0;
    double early = 0;
    write_text("s.yaml", scene_builtin_text(0));
    open_file(&world, &request, &watch);
    for (int m = 0; m < MUTANTS; m++) {
        SceneDifference found;
        BillowError error = {{0}};
        mutant(text, m, &seed);
        write_text("s.yaml", text);
        scene_files_changed(&watch);
        if (load_again(&world, &watch, &found, &error)) {
            taken++;
            live += !world.changing;
            for (int polls = 0; polls < 3; polls++, nap(0.001))
                world_poll(&world, &error);
            if (taken % 8 == 0)
                settle(&world);
        } else {
            assert_true(error.text[0] != 0 && strchr(error.text, '\n') == NULL);
        }
        if (m == MUTANTS / 2)
            early = held_bytes();
    }
    write_text("s.yaml", scene_builtin_text(0));
    SceneDifference found;
    BillowError error = {{0}};
    assert_true(load_again(&world, &watch, &found, &error));
    settle(&world);
    double grown = held_bytes() - early;
    if (taken < MUTANTS / 8 || live < 3)
        fail_msg("%d of %d mutants were scenes, %d of them live", taken, MUTANTS, live);
    if (grown > 3e6)
        fail_msg("%g MB more after %d more mutants", grown * 1e-6, MUTANTS / 2);
    print_message("%d taken, %d live, %.1f MB\n", taken, live, grown * 1e-6);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_watched),
        cmocka_unit_test(test_files_that_come_later),
        cmocka_unit_test(test_what_the_command_line_says_stays),
        cmocka_unit_test(test_broken_files_leave_the_good_one),
        cmocka_unit_test(test_meshes_are_watched),
        cmocka_unit_test(test_fonts_are_watched),
        cmocka_unit_test(test_mutants_neither_crash_nor_leak),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
