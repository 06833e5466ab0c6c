/* SPDX-License-Identifier: MIT
 * Shapes of numbered files and of a glTF file: meshes that move, turn and swell, fogs that emit and
 * that stand in the flow. All files are written here. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "gltf_fixture.h"
#include "io/picture_format.h"
#include "io/vdb_file.h"
#include "sanitized.h"
#include "scene/scene_play.h"
#include "scene/scene_reel.h"
#include "scene/scene_write.h"
#include "scene_fixture.h"

#include <unistd.h>

enum { AROUND = 24, RINGS = 12, FRAMES = 6 };
static const double pi = 3.14159265358979323846;

static char folder[] = "/tmp/billow-test-reel-XXXXXX";

/* An ellipsoid around `center`, stretched along y and turned about y, so that it is not round. */
static void write_ball(const char *path, const double center[3], double stretch, double turn)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    for (int ring = 0; ring <= RINGS; ring++)
        for (int step = 0; step < AROUND; step++) {
            double down = pi * ring / RINGS, around = 2 * pi * step / AROUND;
            double x = sin(down) * cos(around), z = 0.6 * sin(down) * sin(around);
            fprintf(stream, "v %.6f %.6f %.6f\n", center[0] + x * cos(turn) + z * sin(turn),
                    center[1] + stretch * cos(down), center[2] - x * sin(turn) + z * cos(turn));
        }
    for (int ring = 0; ring < RINGS; ring++)
        for (int step = 0; step < AROUND; step++) {
            int a = ring * AROUND + step + 1, b = ring * AROUND + (step + 1) % AROUND + 1;
            int c = a + AROUND, d = b + AROUND;
            if (ring == 0)
                a = b = 1;
            if (ring == RINGS - 1)
                c = d = RINGS * AROUND + 1;
            if (ring > 0)
                fprintf(stream, "f %d %d %d\n", a, b, d);
            if (ring < RINGS - 1)
                fprintf(stream, "f %d %d %d\n", a, d, c);
        }
    assert_int_equal(fclose(stream), 0);
}

/* 10 frames a second: roll moves by 0.1 of its first half length and turns by 0.1 rad, swell grows
 * along y by 0.1 of it. */
static int enter_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    for (int frame = 0; frame < FRAMES; frame++) {
        char path[32];
        snprintf(path, sizeof path, "roll_%02d.obj", frame + 1);
        write_ball(path, (const double[3]){0.1 * frame, 0, 0}, 1, 0.1 * frame);
        snprintf(path, sizeof path, "swell_%02d.obj", frame + 1);
        write_ball(path, (const double[3]){0, 0, 0}, 1 + 0.1 * frame, 0);
    }
    return 0;
}

static int leave_folder(void **state)
{
    (void)state;
    for (int frame = 1; frame <= FRAMES; frame++) {
        char path[32];
        snprintf(path, sizeof path, "roll_%02d.obj", frame);
        unlink(path);
        snprintf(path, sizeof path, "swell_%02d.obj", frame);
        unlink(path);
        snprintf(path, sizeof path, "fog_%02d.vdb", frame);
        unlink(path);
    }
    unlink("saved.yaml");
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static Scene scene_of(const char *text)
{
    Scene scene = *scene_default();
    BillowError error = {""};
    if (!parse(text, strlen(text), &scene, &error))
        fail_msg("%s", error.text);
    return scene;
}

typedef struct Run {
    Scene scene;
    ScenePlay *play;
    BillowSim *sim;
} Run;

static Run start(const char *text)
{
    BillowError error = {""};
    Run run = {.scene = scene_of(text)};
    BillowDef def = scene_def(&run.scene);
    run.play = scene_play_create(&run.scene, &def, &error);
    run.sim = run.play != NULL ? billow_create(&def, &error) : NULL;
    if (run.sim == NULL)
        fail_msg("%s", error.text);
    return run;
}

static void step(Run *run, int count)
{
    BillowError error = {""};
    for (int s = 0; s < count; s++) {
        if (!scene_play_prepare(run->play, run->sim, (double)run->scene.step, &error))
            fail_msg("%s", error.text);
        assert_true(billow_step(run->sim, (double)run->scene.step));
    }
}

static void end(Run *run)
{
    billow_destroy(run->sim);
    scene_play_destroy(run->play);
}

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", found, expected);
}

static void test_numbered_paths(void **state)
{
    (void)state;
    char file[SCENE_PATH + 16];
    assert_true(scene_path_is_numbered("a/ball_%04d.obj") && scene_path_is_numbered("%d.stl"));
    assert_false(scene_path_is_numbered("a/ball_4.obj") || scene_path_is_numbered("%s.obj") ||
                 scene_path_is_numbered("%4d.obj") || scene_path_is_numbered("%00d.obj") ||
                 scene_path_is_numbered("%d%d.obj") || scene_path_is_numbered("%d/a.obj") ||
                 scene_path_is_numbered("100%.obj") || scene_path_is_numbered("50% off/ball.obj") ||
                 scene_path_is_numbered("%04x.obj"));
    assert_true(scene_path_is_numbered("50% off/%d/ball_%04d.obj"));
    scene_path_of("50% off/%d/b_%04d.obj", 7, file);
    assert_string_equal(file, "50% off/%d/b_0007.obj");
    scene_path_of("a/b_%04d.obj", 12, file);
    assert_string_equal(file, "a/b_0012.obj");
    scene_path_of("b_%d.obj", 12, file);
    assert_string_equal(file, "b_12.obj");
    scene_path_of("b.obj", 12, file);
    assert_string_equal(file, "b.obj");
}

/* Motion alone is the same on any grid; what the air does is seen on the finer one. */
#define SOLID(files, more)      SOLID_IN("12", files, more)
#define FINE_SOLID(files, more) SOLID_IN("24", files, more)
#define SOLID_IN(cells, files, more)                                                               \
    "domain: {size: 1, cells: " cells "}\n"                                                        \
    "emitters: [{shape: box, center: [0.5, 0.3, 0.5], size: [0.45, 0.1, 0.3], smoke: 4}]\n"        \
    "solids: [{mesh: " files ", center: [0.4, 0.5, 0.5], size: 0.2, frame_rate: 10" more "}]\n"

static void assert_not_made(const char *text, const char *words)
{
    Scene scene = scene_of(text);
    BillowDef def = scene_def(&scene);
    BillowError error = {""};
    assert_null(scene_play_create(&scene, &def, &error));
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("%s", error.text);
}

/* The first number is found wherever the numbers begin. A number that is missing is shown by the
 * file before it; other names do not count. */
static void test_numbers_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"film_1001.obj", "film_1002.obj",  "film_1004.obj",
                                        "film_0.obj",    "film_99999.txt", "film_1003.obj~",
                                        "film_x.obj",    "afilm_1000.obj"};
    for (int n = 0; n < LENGTH(names); n++)
        write_ball(names[n], (const double[3]){0.1 * n, 0, 0}, 1, 0);
    assert_int_equal(scene_path_first("film_%04d.obj"), 1001);
    assert_int_equal(scene_path_first("film_%d.obj"), 0);
    assert_int_equal(scene_path_first("none_%d.obj"), 1);
    Run run = start(SOLID("film_%04d.obj", ""));
    step(&run, 3); /* of 6 in the first interval */
    assert_close((double)billow_solid(run.sim, 0)->velocity[0], 0.2, 1e-4);
    step(&run, 9);
    assert_close((double)billow_solid(run.sim, 0)->velocity[0], 0, 1e-4); /* 1003 is 1002 */
    assert_close((double)billow_solid(run.sim, 0)->center[0], 0.4 + 0.02, 1e-4);
    step(&run, 6); /* on the way to 1004 */
    assert_close((double)billow_solid(run.sim, 0)->velocity[0], 0.2, 1e-4);
    end(&run);
    run = start(SOLID("film_%04d.obj", ", first_frame: 1002"));
    step(&run, 3);
    assert_close((double)billow_solid(run.sim, 0)->velocity[0], 0, 1e-4);
    end(&run);
    assert_not_made(SOLID("film_%04d.obj", ", first_frame: 1003"),
                    "there is no file film_1003.obj");
    for (int n = 0; n < LENGTH(names); n++)
        unlink(names[n]);
}

/* A displacement and a turn are found exactly; a stretch is none. */
static void test_motion(void **state)
{
    (void)state;
    MeshFile from, to;
    ReelMotion motion;
    BillowError error = {""};
    const double center[3] = {0, 0, 0};
    double middle[3], turn[4];
    assert_true(mesh_file_load("roll_01.obj", &from, &error));
    assert_true(mesh_file_load("roll_04.obj", &to, &error));
    assert_true(reel_motion_fit(&from, &to, 1e-5, center, &motion));
    reel_motion_at(&motion, 1, middle, turn);
    assert_close(middle[0], 0.3, 1e-5);
    assert_close(turn[1], sin(0.15), 1e-5);
    reel_motion_at(&motion, 0.5, middle, turn);
    assert_close(middle[0], 0.15, 1e-5);
    assert_close(turn[3], cos(0.075), 1e-5);
    mesh_file_free(&to);
    assert_true(mesh_file_load("swell_02.obj", &to, &error));
    assert_false(reel_motion_fit(&from, &to, 1e-3, center, &motion));
    mesh_file_free(&from);
    mesh_file_free(&to);
}

/* A mesh that moves without changing becomes a solid with velocity and spin. */
static void test_rigid(void **state)
{
    (void)state;
    Run run = start(SOLID("roll_%02d.obj", ""));
    step(&run, 12);
    const BillowSolid *solid = billow_solid(run.sim, 0);
    assert_close((double)solid->velocity[0], 0.2, 1e-4); /* 1 half length per second, 0.2 m each */
    assert_close((double)solid->spin[1], 1, 1e-3);
    assert_close((double)solid->center[0], 0.4 + 0.2 * 0.2, 1e-4);
    assert_null(solid->volume->next);
    step(&run, 24); /* past the last file, which is held */
    solid = billow_solid(run.sim, 0);
    assert_close((double)solid->center[0], 0.4 + 0.1, 1e-4);
    assert_true(solid->velocity[0] == 0 && solid->spin[1] == 0);
    end(&run);
}

/* A glTF file moves a solid as its keys say: 1 m/s and 1 rad/s, while its half edge of 1 m is
 * scaled to 0.2 m. */
static void test_gltf_motion(void **state)
{
    (void)state;
    write_cube("roll.glb", CUBE_ROLLS);
    Run run = start(SOLID("roll.glb", ""));
    step(&run, 12);
    const BillowSolid *solid = billow_solid(run.sim, 0);
    assert_close((double)solid->velocity[0], 0.2, 1e-4);
    assert_close((double)solid->velocity[1], 0, 1e-4);
    assert_close((double)solid->spin[1], 1, 1e-3);
    assert_close((double)solid->center[0], 0.4 + 0.2 * 0.2, 1e-4);
    assert_null(solid->volume->next);
    step(&run, 60); /* after 1.2 s it rises */
    solid = billow_solid(run.sim, 0);
    assert_close((double)solid->velocity[0], 0, 1e-4);
    assert_close((double)solid->velocity[1], 0.4, 1e-4);
    assert_close((double)solid->spin[1], 1, 1e-3);
    assert_close((double)solid->center[1], 0.5 + 0.4 * 0.2, 1e-4);
    step(&run, 60); /* past the last key */
    solid = billow_solid(run.sim, 0);
    assert_close((double)solid->center[0], 0.6, 1e-4);
    assert_close((double)solid->center[1], 0.9, 1e-4);
    assert_true(solid->velocity[1] == 0 && solid->spin[1] == 0);
    end(&run);
    BillowError error = {""};
    /* The loop begins at the sixth of 20 frames, half a second on: the cube is turned by 0.5 rad
     * then, and half of its longest extent is scaled to 0.2 m. */
    double unit = 0.2 / (cos(0.5) + sin(0.5));
    run = start(SOLID("roll.glb", ", repeat: loop, first_frame: 6"));
    step(&run, 12);
    assert_close((double)billow_solid(run.sim, 0)->center[0], 0.4 + 0.2 * unit, 1e-4);
    step(&run, 120); /* its loop takes 2 s */
    assert_close((double)billow_solid(run.sim, 0)->velocity[0], unit, 1e-4);
    assert_close((double)billow_solid(run.sim, 0)->center[0], 0.4 + 0.2 * unit, 1e-4);
    assert_true(scene_play_check(run.play, &error));
    end(&run);
    assert_not_made(SOLID("roll.glb", ", first_frame: 30"),
                    "roll.glb: there is no frame 30; its motion has 21");
    write_cube("roll.glb", CUBE_JSON ",'nodes':[{}]}");
    assert_not_made(SOLID("roll.glb", ""), "roll.glb: holds 0 triangles; at least 4 are needed");
    /* without motion it is a solid as from an .obj file, which can fall */
    write_cube("roll.glb", CUBE_JSON CUBE_NODE "}");
    run = start(SOLID("roll.glb", ", motion: falling"));
    step(&run, 12);
    assert_close((double)billow_solid(run.sim, 0)->velocity[1], -9.81 * 0.2, 0.1);
    end(&run);
    assert_int_equal(unlink("roll.glb"), 0);
}

static char heard[sizeof(BillowError)];

static void hear(const BillowError *notice)
{
    snprintf(heard, sizeof heard, "%s", notice->text);
}

static void test_gltf_keys_are_noticed(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) { /* its times are those of corners, all -1 s */
        char *text =
            json_of(CUBE_ROLLS, "'byteOffset':168", wrong ? "'byteOffset':0" : "'byteOffset':168");
        write_cube("keys.glb", text);
        free(text);
        const Scene scene = scene_of(SOLID("keys.glb", ""));
        const BillowDef def = scene_def(&scene);
        heard[0] = '\0';
        scene_play_notice(&scene, &def, hear);
        const bool noticed = strstr(heard, "its mesh has key times below 0, or not in order; those "
                                           "count as the time before them") != NULL;
        if (noticed != (wrong == 1))
            fail_msg("%d: '%s'", wrong, heard);
    }
    assert_int_equal(unlink("keys.glb"), 0);
}

/* Values of a panorama that are not numbers count as 0, and are told of. */
static void test_panorama_is_noticed(void **state)
{
    (void)state;
    enum { WIDE = 8, HIGH = 4 };
    float light[WIDE * HIGH];
    const FloatPicture picture = {.width = WIDE,
                                  .height = HIGH,
                                  .channel_count = 3,
                                  .channels = {{"B", true, 1}, {"G", true, 1}, {"R", true, 1}},
                                  .exposure = 1};
    const float *const rows[3] = {light, light, light};
    BillowError error = {""};
    for (int pixel = 0; pixel < WIDE * HIGH; pixel++)
        light[pixel] = pixel == 9 ? NAN : 1;
    FloatFile *file = exr_file_open("sky.exr", &picture, &error);
    if (file == NULL)
        skip(); /* built without OpenEXR */
    assert_true(file->write(file, HIGH, rows, &error) && file->close(file, true, &error));
    const Scene scene = scene_of("surroundings: {kind: hdri, file: sky.exr}\n");
    const BillowDef def = scene_def(&scene);
    heard[0] = '\0';
    scene_play_notice(&scene, &def, hear);
    assert_non_null(strstr(heard, "sky.exr: 3 of its values are not numbers, and count as 0"));
    assert_int_equal(unlink("sky.exr"), 0);
}

/* A mesh that swells pushes out of the open box as much air as it takes up. */
static void test_swelling(void **state)
{
    (void)state;
    Run run = start(FINE_SOLID("swell_%02d.obj", ""));
    double pushed = 0;
    for (int s = 0; s < 24; s++) {
        step(&run, 1);
        pushed += billow_stats(run.sim).outflow * (double)run.scene.step;
    }
    /* volumes 4/3 pi a b c, a = c / 0.6 = 0.2 m, b from 0.2 to 0.28 m */
    double grown = 4.0 / 3 * pi * 0.2 * 0.12 * (0.28 - 0.2);
    /* its ends are about a cell wide on this grid, which resolves 63 % of the growth; 81 % at 48 */
    if (!(pushed > 0.55 * grown && pushed < 1.05 * grown))
        fail_msg("%g m3 of air left, and the solid grew by %g m3", pushed, grown);
    assert_non_null(billow_solid(run.sim, 0)->volume->next);
    assert_close((double)billow_solid(run.sim, 0)->center[0], 0.4, 1e-5);
    end(&run);
}

/* A state continues in a new play as without interruption, in the middle of an interval too. */
static void test_resumed(void **state)
{
    (void)state;
    static const char *const scenes[] = {SOLID("swell_%02d.obj", ""),
                                         SOLID("roll_%02d.obj", ", repeat: loop")};
    for (int s = 0; s < 2; s++)
        for (int steps = 12; steps < (SANITIZED ? 13 : 16); steps += 3) {
            Run run = start(scenes[s]), other = start(scenes[s]);
            BillowError error = {""};
            step(&run, steps);
            size_t bytes = billow_state_bytes(run.sim);
            void *saved = malloc(bytes);
            assert_non_null(saved);
            billow_save_state(run.sim, saved);
            assert_true(billow_load_state(other.sim, saved, bytes, &error));
            free(saved);
            step(&run, 10);
            step(&other, 10);
            assert_true(billow_state_hash(run.sim) == billow_state_hash(other.sim));
            end(&run);
            end(&other);
        }
}

static void test_refusals(void **state)
{
    (void)state;
    static const Wrong wrong[] = {
        {SOLID("roll_%02d.obj", ", motion: falling"), "moves as its files say and cannot fall"},
        {SOLID("../roll_%02d.obj", ""), "leads out of the scene file's folder"},
        {SOLID("gone_%02d.obj", ""), "names gone_01.obj, which"},
        {SOLID("roll_%02d.obj", ", vdb: roll_01.obj"),
         "takes its shape from a .vdb file or from a"},
        {SOLID("roll_%02d.obj", ", repeat: twice"), "must be hold or loop"},
        {"emitters: [{vdb: roll_01.obj, shape: box}]\n", "takes its shape from a .vdb file; leave"},
    };
    for (int w = 0; w < LENGTH(wrong); w++) {
        Scene scene = *scene_default();
        BillowError error;
        assert_false(parse(wrong[w].input, strlen(wrong[w].input), &scene, &error));
        if (strstr(error.text, wrong[w].message) == NULL)
            fail_msg("%s", error.text);
    }
    /* what only reading shows */
    const double here[3] = {0, 0, 0};
    static const char *const files[] = {"big_01.obj", "big_02.obj", "../billow-test-reel-out.obj"};
    write_ball(files[0], here, 1, 0);
    write_ball(files[1], here, 30, 0);
    write_ball(files[2], here, 1, 0);
    assert_not_made(SOLID("big_%02d.obj", ""),
                    "it is more than 21 times as large as in the first frame");
    assert_int_equal(unlink(files[1]) | symlink(files[2], files[1]), 0);
    assert_not_made(SOLID("big_%02d.obj", ""), "big_02.obj: leads out of its folder");
    assert_not_made(SOLID("big_%02d.obj", ", first_frame: 7"), "there is no file big_07.obj");
    assert_not_made("solids: [{mesh: big_%02d.obj, size: 0}]\n", "its size must be more than 0");
    assert_int_equal(unlink(files[0]) | unlink(files[1]) | unlink(files[2]), 0);
    /* a file that is wrong is found by the check, and otherwise when its time comes */
    rename("roll_03.obj", "kept.obj");
    FILE *stream = fopen("roll_03.obj", "w");
    assert_non_null(stream);
    fputs("v 0 0 0\nf 1 1 1\n", stream);
    assert_int_equal(fclose(stream), 0);
    Run run = start(SOLID("roll_%02d.obj", ""));
    BillowError error = {""};
    step(&run, 2);
    bool good = true;
    for (int s = 0; s < 12 && good; s++)
        good = scene_play_prepare(run.play, run.sim, 1.0 / 60, &error) &&
               billow_step(run.sim, 1.0 / 60);
    assert_false(good);
    assert_non_null(strstr(error.text, "solids[0]: roll_03.obj"));
    assert_false(scene_play_check(run.play, &error));
    assert_non_null(strstr(error.text, "roll_03.obj"));
    end(&run);
    assert_int_equal(rename("kept.obj", "roll_03.obj"), 0);
}

/* Values of the files are written and read back. */
static void test_written(void **state)
{
    (void)state;
    Scene scene = scene_of(SOLID("roll_%02d.obj", ", first_frame: 2, repeat: loop")), back;
    BillowError error = {""};
    if (!scene_save(&scene, "saved.yaml", &error) || !scene_load("./saved.yaml", &back, &error))
        fail_msg("%s", error.text);
    const SceneForm *form = &back.solid_forms[0];
    assert_string_equal(form->mesh, "./roll_%02d.obj");
    assert_true(form->first_frame == 2 && form->frame_rate == 10 && form->repeat == SCENE_LOOP);
    assert_true(scene_leads_solid(&back, 0));
}

/* -- fogs -------------------------------------------------------------------------------------- */

/* Files with a cube of fog of 0.4 m whose density is that of the frame's number. */
static void write_fogs(void)
{
    BillowDef def = billow_default_def();
    BillowError error = {""};
    def.nx = def.ny = def.nz = 20;
    def.cell_size = 0.05f;
    BillowSim *sim = billow_create(&def, &error);
    assert_non_null(sim);
    for (int frame = 1; frame <= FRAMES; frame++) {
        VolumeFrame file;
        char path[32];
        BillowFields to = billow_fields(sim);
        const BillowView view = billow_view(sim);
        for (int k = 6; k < 14; k++)
            for (int j = 6; j < 14; j++)
                for (int i = 6; i < 14; i++)
                    to.density[i + j * view.stride_y + k * view.stride_z] = (float)frame;
        assert_true(volume_frame_create(&file, &def, 1, VOLUME_UP_Z, 1e-4f, "fog", &error));
        volume_frame_fill(&file, &view);
        snprintf(path, sizeof path, "fog_%02d.vdb", frame);
        assert_true(vdb_file_write(path, &file, NULL, &error));
        volume_frame_destroy(&file);
    }
    billow_destroy(sim);
}

#define FOG_EMITTER(more)                                                                          \
    "domain: {size: 1, cells: 20}\n"                                                               \
    "fluid: {buoyancy: 0}\n"                                                                       \
    "emitters: [{vdb: fog_%02d.vdb, center: [0, 0, 0], size: 1, smoke: 2, heat: 0, "               \
    "frame_rate: 10" more "}]\n"

/* A sequence releases its density times the rate; the last file stays, or the first follows. */
static void test_fog_emits(void **state)
{
    (void)state;
    write_fogs();
    double mean[2] = {0};
    for (int loop = 0; loop < 2; loop++) {
        Run run = start(loop ? FOG_EMITTER(", repeat: loop") : FOG_EMITTER(""));
        step(&run, 60);
        double released = billow_stats(run.sim).mass_sources;
        mean[loop] = released / (2 * 1.0 * 0.064); /* 2 per second, 1 s, 0.4^3 m3 */
        end(&run);
    }
    assert_close(mean[0], (1 + 2 + 3 + 4 + 5 + 6 * 5) / 10.0, 0.05);
    assert_close(mean[1], (1 + 2 + 3 + 4 + 5 + 6 + 1 + 2 + 3 + 4) / 10.0, 0.05);
}

/* A fog as a solid has its surface where the density is the threshold. */
static void test_fog_stands(void **state)
{
    (void)state;
    write_fogs();
    Run run = start("domain: {size: 1, cells: 20}\n"
                    "solids: [{vdb: fog_04.vdb, center: [0, 0, 0], size: 1, threshold: 2}]\n");
    const BillowSolid *solid = billow_solid(run.sim, 0);
    assert_close(billow_solid_distance(solid, (const double[3]){0.5, 0.5, 0.2}), 0.1, 0.01);
    assert_close(billow_solid_distance(solid, (const double[3]){0.5, 0.75, 0.5}), 0.05, 0.01);
    assert_close(billow_solid_distance(solid, (const double[3]){0.35, 0.5, 0.5}), -0.05, 0.01);
    step(&run, 2);
    end(&run);
}

static void test_fog_refusals(void **state)
{
    (void)state;
    write_fogs();
    Scene scene = scene_of("emitters: [{vdb: fog_01.vdb, size: 1, grid: smoke}]\n");
    BillowDef def = scene_def(&scene);
    BillowError error = {""};
    assert_null(scene_play_create(&scene, &def, &error));
    assert_non_null(
        strstr(error.text, "it has no grid 'smoke' of numbers; its grids are: density"));
}

int main(void)
{
    BillowError why;
    const struct CMUnitTest meshes[] = {
        cmocka_unit_test(test_numbered_paths),
        cmocka_unit_test(test_numbers_are_found),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_gltf_motion),
        cmocka_unit_test(test_gltf_keys_are_noticed),
        cmocka_unit_test(test_panorama_is_noticed),
        cmocka_unit_test(test_swelling),
        cmocka_unit_test(test_resumed),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_fog_emits),
        cmocka_unit_test(test_fog_stands),
        cmocka_unit_test(test_fog_refusals),
    };
    enum { FOGS = 3 };
    size_t count = sizeof meshes / sizeof meshes[0];
    return _cmocka_run_group_tests("reel", meshes, vdb_file_available(&why) ? count : count - FOGS,
                                   enter_folder, leave_folder);
}
