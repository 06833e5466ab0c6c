/* SPDX-License-Identifier: MIT
 * The smoke at the start: .vdb files, written here, are read onto the grid of a scene. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "io/paths.h"
#include "io/vdb_file.h"
#include "scene/scene_initial.h"
#include "scene/scene_keys.h"
#include "scene/scene_play.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"
#include "scene_fixture.h"
#include "volume_fixture.h"

#include <unistd.h>

static char folder[] = "/tmp/billow-test-initial-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return unlink("a.vdb") + unlink("bad.vdb") + unlink("none.vdb") == 0 && chdir("/") == 0
               ? rmdir(folder)
               : -1;
}

static void write_file(const char *path, VolumeUp up)
{
    VolumeFrame frame;
    BillowError error = {""};
    assert_true(volume_make(&frame, up, &error));
    frame.whole_floats = true;
    if (!vdb_file_write(path, &frame, NULL, &error))
        fail_msg("%s", error.text);
    volume_frame_destroy(&frame);
}

/* A box like that of the fixture, whose corner is at (0, 0, 0) instead of (-1, 2, 0.5). */
static const char box[] = "domain: {size: [5.25, 3.25, 2.5], cells: [21, 13, 10]}\n"
                          "fluid: {fire: true, color: true}\n";

static Scene scene_of(const char *initial)
{
    char text[512];
    Scene scene = *scene_default();
    BillowError error = {""};
    snprintf(text, sizeof text, "%s%s", box, initial);
    if (!parse(text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

typedef struct Started {
    ScenePlay *play;
    BillowSim *sim;
} Started;

static Started start(const Scene *scene)
{
    BillowError error = {""};
    BillowDef def = scene_def(scene);
    Started started = {.play = scene_play_create(scene, &def, &error)};
    started.sim = started.play != NULL ? billow_create(&def, &error) : NULL;
    if (started.sim == NULL)
        fail_msg("%s", error.text);
    scene_play_begin(started.play, started.sim);
    return started;
}

static void end(Started started)
{
    billow_destroy(started.sim);
    scene_play_destroy(started.play);
}

static void assert_near(double found, double expected, double scale)
{
    if (!(fabs(found - expected) <= 1e-5 * scale))
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void check_cell(const BillowView *view, int i, int j, int k)
{
    ptrdiff_t at = i + j * view->stride_y + k * view->stride_z;
    assert_near((double)view->density[at], (double)volume_density(i, j, k), 10);
    assert_near((double)view->temperature[at], 100 * i - 70 * j + 3 * k, 2000);
    assert_near((double)view->fuel[at], i == 3 ? 0.5 : 0, 1);
    for (int c = 0; c < 3; c++)
        assert_near((double)view->color[c][at],
                    (double)volume_density(i, j, k) * (double)volume_color(i, c), 10);
    if (i > 0 && j > 0 && k > 0) { /* on faces of the box, values beyond it are missing */
        assert_near((double)view->u[at], (double)volume_flow(0, i, j + 0.5, k + 0.5), 10);
        assert_near((double)view->v[at], (double)volume_flow(1, i + 0.5, j, k + 0.5), 10);
        assert_near((double)view->w[at], (double)volume_flow(2, i + 0.5, j + 0.5, k), 10);
    }
}

static void check_all(const BillowSim *sim)
{
    const BillowView view = billow_view(sim);
    for (int k = 0; k < VOLUME_NZ; k++)
        for (int j = 0; j < VOLUME_NY; j++)
            for (int i = 0; i < VOLUME_NX; i++)
                check_cell(&view, i, j, k);
}

/* Fields come back from a file, whichever axis points up in it, and again after a reset. */
static void test_round_trip(void **state)
{
    (void)state;
    for (int up = VOLUME_UP_Y; up <= VOLUME_UP_Z; up++) {
        write_file("a.vdb", (VolumeUp)up);
        /* the file says which axis points up, whatever the scene says */
        Scene scene = scene_of("initial: {vdb: a.vdb, center: [1, -2, -0.5], up: y}\n");
        Started started = start(&scene);
        check_all(started.sim);
        double file, here;
        scene_play_initial_mass(started.play, &file, &here);
        assert_near(here, file, file);
        assert_true(billow_step(started.sim, 0.01));
        BillowStats stats = billow_stats(started.sim);
        assert_true(fabs(stats.mass_sources - here) < 0.02 * here);
        billow_reset(started.sim);
        scene_play_begin(started.play, started.sim);
        check_all(started.sim);
        end(started);
    }
}

/* Integral of the density, m3. */
static double mass_of(const char *initial)
{
    Scene scene = scene_of(initial);
    Started started = start(&scene);
    double file, here;
    scene_play_initial_mass(started.play, &file, &here);
    if (!(fabs(here - file) <= 0.01 * file))
        fail_msg("%s: %g m3 of %g m3", initial, here, file);
    end(started);
    return here;
}

/* Scale, turn and factors act on the amounts as their meaning says, also where voxels are finer. */
static void test_transform(void **state)
{
    (void)state;
    write_file("a.vdb", VOLUME_UP_Y);
    double whole = mass_of("initial: {vdb: a.vdb, center: [1, -2, -0.5]}\n");
    double half = mass_of("initial: {vdb: a.vdb, scale: 0.5, center: [1.5, 0, 0]}\n");
    assert_near(half / whole, 0.125, 20);
    double fine = mass_of("initial: {vdb: a.vdb, scale: 0.2, center: [1.5, 0, 0.5]}\n");
    assert_true(fabs(fine / whole / 0.008 - 1) < 0.02);
    double turned = mass_of("initial: {vdb: a.vdb, scale: 0.4, rotation: [0, 1, 0, 90], smoke: 3, "
                            "center: [0, 0, 2]}\n");
    assert_true(fabs(turned / whole / (3 * 0.064) - 1) < 0.02);
}

/* A quarter turn around y leads x to -z; the velocity turns with it. */
static void test_turned_velocity(void **state)
{
    (void)state;
    SceneFrame frame = {.scale = 2, .up = SCENE_UP_Z};
    scene_rotation_read((const double[4]){0, 1, 0, 90}, frame.rotation);
    double there[3], back[3];
    scene_frame_from_file(&frame, (const double[3]){1, 2, 3}, there);
    /* z up: (1, 2, 3) is (1, 3, -2) with y up; turned (-2, 3, -1) */
    assert_near(there[0], -4, 10);
    assert_near(there[1], 6, 10);
    assert_near(there[2], -2, 10);
    scene_frame_to_file(&frame, there, back);
    for (int axis = 0; axis < 3; axis++)
        assert_near(back[axis], axis + 1, 10);
}

static void assert_refused(const char *initial, const char *words)
{
    Scene scene = scene_of(initial);
    BillowDef def = scene_def(&scene);
    BillowError error = {""};
    assert_null(scene_play_create(&scene, &def, &error));
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("%s", error.text);
}

static void put_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static void write_grids(const char *path, unsigned grids)
{
    VolumeFrame frame;
    BillowError error = {""};
    const BillowDef def = volume_def();
    assert_true(volume_frame_create(&frame, &def, grids, VOLUME_UP_Y, 1e-4f, "x", &error));
    assert_true(vdb_file_write(path, &frame, NULL, &error));
    volume_frame_destroy(&frame);
}

static void test_refusals(void **state)
{
    (void)state;
    Scene scene = *scene_default();
    BillowError error;
    write_file("a.vdb", VOLUME_UP_Y);
    assert_refused("initial: {vdb: a.vdb, center: [100, 0, 0]}\n",
                   "none of its smoke is in the box");
    put_bytes("bad.vdb", "no such thing as a grid", 23);
    assert_refused("initial: {vdb: bad.vdb}\n", "no OpenVDB file");
    write_grids("none.vdb", volume_bit("color"));
    assert_refused("initial: {vdb: none.vdb}\n",
                   "it has no field of smoke that could be read; its grids are: color");
    assert_refused("initial: {vdb: none.vdb, grid: Mist}\n", "it has no fog 'Mist'");
    write_grids("none.vdb", 0);
    assert_refused("initial: {vdb: none.vdb}\n", "it holds no grids");
    const char *outside = "initial: {vdb: ../a.vdb}\n";
    assert_false(parse(outside, strlen(outside), &scene, &error));
    assert_non_null(strstr(error.text, "leads out of the scene file's folder"));
    const char *missing = "initial: {vdb: gone.vdb}\n";
    assert_false(parse(missing, strlen(missing), &scene, &error));
    assert_non_null(strstr(error.text, "gone.vdb"));
    assert_false(set(&scene, "initial.scale=0", &error));
}

/* Files that are cut short or damaged are refused or read, and never crash. */
static void test_damaged_files(void **state)
{
    (void)state;
    write_file("a.vdb", VOLUME_UP_Y);
    size_t length;
    BillowError error = {""};
    char *bytes = whole_file_read("a.vdb", 1 << 24, &length, &error);
    assert_non_null(bytes);
    uint32_t random = 1;
    Isolated *reader = NULL; /* one for all, and a new one after each that a file has ended */
    for (int round = 0; round < 60; round++) {
        char *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, bytes, length);
        size_t kept = round % 2 == 0 ? length * (size_t)(round + 1) / 61 : length;
        for (int flip = 0; round % 2 == 1 && flip < 4; flip++) {
            random = random * 1664525u + 1013904223u;
            copy[random % (round % 4 == 1 ? 2000 : length)] ^= (char)(1 << (random >> 29));
        }
        VdbFile *file = vdb_file_read(copy, kept, &reader, &error);
        vdb_file_close(file);
        if (round % 2 == 0) {
            assert_null(file);
            assert_true(strstr(error.text, "it is cut short or damaged") != NULL || kept < 57);
        }
        free(copy);
    }
    vdb_file_end(reader);
    free(bytes);
}

/* A file that takes much memory to read is taken, and named. */
static void test_memory(void **state)
{
    (void)state;
    VolumeFrame frame;
    BillowError error = {""};
    BillowDef def = volume_def();
    def.nx = def.ny = def.nz = 424;
    assert_true(
        volume_frame_create(&frame, &def, volume_bit("density"), VOLUME_UP_Y, 1e-4f, "x", &error));
    for (size_t cell = 0; cell < (size_t)424 * 424 * 424; cell++)
        frame.fields[0].values[cell] = 1;
    if (!vdb_file_write("a.vdb", &frame, NULL, &error))
        fail_msg("%s", error.text);
    volume_frame_destroy(&frame);
    Scene scene = scene_of("initial: {vdb: a.vdb, scale: 0.02, center: [1, 1, 1]}\n");
    def = scene_def(&scene);
    ScenePlay *play = scene_play_create(&scene, &def, &error);
    if (play == NULL)
        fail_msg("%s", error.text);
    assert_true(scene_play_memory(play, &error));
    int megabytes = 0;
    assert_int_equal(sscanf(error.text, "notice: reading a.vdb took %d MB of memory", &megabytes),
                     1);
    assert_in_range(megabytes, 305, 800);
    scene_play_destroy(play);
    write_file("a.vdb", VOLUME_UP_Y);
    scene = scene_of("initial: {vdb: a.vdb, center: [1, -2, -0.5]}\n");
    def = scene_def(&scene);
    play = scene_play_create(&scene, &def, &error);
    assert_non_null(play);
    assert_false(scene_play_memory(play, &error));
    scene_play_destroy(play);
}

/* The values are written and read back, and name the file relative to the scene. */
static void test_written(void **state)
{
    (void)state;
    write_file("a.vdb", VOLUME_UP_Y);
    Scene scene = scene_of("initial: {vdb: a.vdb, center: [1, -2, -0.5], heat: 2}\n"), back;
    BillowError error = {""};
    if (!scene_save(&scene, "none.vdb", &error) || !scene_load("./none.vdb", &back, &error))
        fail_msg("%s", error.text);
    assert_string_equal(back.initial.vdb, "./a.vdb");
    assert_true(back.initial.heat == 2 && back.initial.center[1] == -2);
    assert_false(scene_save(&scene, "/tmp/elsewhere/scene.yaml", &error));
    assert_non_null(strstr(error.text, "initial.vdb is "));
    assert_non_null(strstr(error.text, "which does not lie beside it or below; save it beside"));
    assert_int_equal(scene_difference(&scene, &back).effects & ~SCENE_EFFECT_REBUILD, 0);
}

int main(void)
{
    BillowError why;
    if (!vdb_file_available(&why)) {
        puts("skipped: this build has no OpenVDB");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_transform),
        cmocka_unit_test(test_turned_velocity), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damaged_files),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_written),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
