/* SPDX-License-Identifier: MIT
 * Emitters with the shape of meshes and texts, from scene files to simulations. */
#include "scene_fixture.h"

#include "io/font.h"
#include "io/mesh_file.h"
#include "scene/scene_play.h"
#include "scene/scene_write.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/billow-forms-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* Quads, with vertices told apart by their normals as modelling programs do. */
static const char *const cube =
    "v 2 0 0\nv 3 0 0\nv 2 1 0\nv 3 1 0\nv 2 0 1\nv 3 0 1\nv 2 1 1\nv 3 1 1\n"
    "vn 0 0 -1\nvn 0 0 1\nvn 0 -1 0\nvn 0 1 0\nvn -1 0 0\nvn 1 0 0\n"
    "f 1//1 3//1 4//1 2//1\nf 5//2 6//2 8//2 7//2\n"
    "f 1//3 2//3 6//3 5//3\nf 3//4 7//4 8//4 4//4\n"
    "f 1//5 5//5 7//5 3//5\n";
static const char *const cube_side = "f 2//6 4//6 8//6 6//6\n";

static int setup(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    char text[1024];
    write_text("open.obj", cube);
    snprintf(text, sizeof text, "%s%s", cube, cube_side);
    write_text("cube.obj", text);
    write_text("junk.obj", "no mesh at all, only words and more words\n");
    write_text("s.yaml",
               "domain: {cells: 24}\nemitters: [{mesh: cube.obj, size: 0.2, center: [0.5, "
               "0.5, 0.5]}]\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    const char *const names[] = {"open.obj", "cube.obj", "junk.obj",
                                 "s.yaml",   "no.ttf",   "dots.bdf"};
    for (int n = 0; n < LENGTH(names); n++)
        remove(path_of(names[n]));
    return rmdir(folder);
}

/* Skips where this build lacks the library that the message names. */
static void skip_without(const BillowError *error)
{
    if (strstr(error->text, "this build of Billow") != NULL) {
        assert_non_null(strstr(error->text, "install "));
        skip();
    }
}

static void a_mesh_is_read_with_its_vertices_joined(void **state)
{
    (void)state;
    MeshFile mesh;
    BillowError error = {""};
    if (!mesh_file_load(path_of("cube.obj"), &mesh, &error))
        fail_msg("%s", error.text);
    assert_int_equal(mesh.triangle_count, 12);
    bool used[64] = {false};
    int different = 0;
    for (int t = 0; t < 12; t++)
        for (int c = 0; c < 3; c++) {
            different += !used[mesh.triangles[t][c]];
            used[mesh.triangles[t][c]] = true;
        }
    assert_int_equal(different, 8);
    mesh_file_free(&mesh);
    assert_false(mesh_file_load(path_of("none.obj"), &mesh, &error));
    assert_non_null(strstr(error.text, "none.obj: cannot be opened: No such file"));
    assert_false(mesh_file_load(path_of("junk.obj"), &mesh, &error));
    assert_non_null(strstr(error.text, "junk.obj: holds 0 triangles; at least 4 "));
}

static double released(const Scene *scene, BillowError *error)
{
    BillowDef def = scene_def(scene);
    ScenePlay *play = scene_play_create(scene, &def, error);
    if (play == NULL)
        return -1;
    BillowSim *sim = billow_create(&def, error);
    assert_non_null(sim);
    billow_step(sim, 0.01);
    double mass = billow_stats(sim).mass / (0.01 * (double)scene->def.emitters[0].smoke);
    billow_destroy(sim);
    scene_play_destroy(play);
    return mass;
}

/* size is half the longest edge; the path counts from the scene's folder. */
static void a_mesh_emitter_releases_the_meshes_volume(void **state)
{
    (void)state;
    Scene scene;
    BillowError error = {""};
    assert_true(scene_load(path_of("s.yaml"), &scene, &error));
    assert_true(scene.def.emitters[0].shape == BILLOW_VOLUME);
    double volume = released(&scene, &error);
    assert_string_equal(error.text, "");
    assert_true(fabs(volume / 0.064 - 1) < 0.01);
    assert_true(set(&scene, "emitters[0].rotation=[1, 2, 3, 40]", &error));
    assert_true(fabs(released(&scene, &error) / 0.064 - 1) < 0.01);
}

static void refused(const char *assignment, const char *message)
{
    Scene scene;
    BillowError error = {""};
    assert_true(scene_load(path_of("s.yaml"), &scene, &error));
    assert_true(set(&scene, assignment, &error));
    assert_true(released(&scene, &error) < 0);
    if (strstr(error.text, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.text, message);
    assert_null(strchr(error.text, '\n'));
}

static void bad_meshes_are_named(void **state)
{
    (void)state;
    char assignment[300];
    snprintf(assignment, sizeof assignment, "emitters[0].mesh=%s", path_of("open.obj"));
    refused(assignment, "open.obj: not closed: the edge from (3, ");
    snprintf(assignment, sizeof assignment, "emitters[0].mesh=%s", path_of("junk.obj"));
    refused(assignment, "emitters[0]: /tmp/");
    refused(assignment, "junk.obj: holds 0 triangles; at least 4 ");
    refused("emitters[0].size=0.7",
            "cube.obj would be 1.4 x 1.4 x 1.4 m, larger than the domain of "
            "1 x 1 x 1 m; make its size smaller");
}

static void a_missing_mesh_is_named_where_the_file_says_so(void **state)
{
    (void)state;
    Scene scene = *scene_default();
    BillowError error;
    const char text[] = "emitters:\n  - mesh: none.obj\n";
    assert_false(parse(text, strlen(text), &scene, &error));
    assert_string_equal(error.text, "f.yaml:2:11: 'emitters[0].mesh' names none.obj, which cannot "
                                    "be opened: No such file or directory");
    assert_false(set(&scene, "brush.text=A", &error));
    assert_string_equal(error.text, "--set brush.text: is possible in entries of emitters and "
                                    "solids only");
}

/* The share of an upright box around the text that is ink, and where its middle is. */
static void a_text_has_the_shape_of_its_letters(void **state)
{
    (void)state;
    BillowVolume volume;
    BillowError error = {""};
    if (!lettering_draw("L", "", 0.02f, &volume, &error))
        skip_without(&error);
    assert_string_equal(error.text, "");
    int inside[2][2] = {{0}}, all = 0, quarter = volume.nx / 2;
    for (int k = 0; k < volume.nz; k++)
        for (int j = 0; j < volume.ny; j++)
            for (int i = 0; i < volume.nx; i++) {
                bool ink = volume.distance[(k * volume.ny + j) * volume.nx + i] < 0;
                inside[j >= volume.ny / 2][i >= quarter] += ink;
                all += ink;
            }
    /* Ink on the left, at the foot, and none above the foot's right. */
    assert_true(inside[1][0] > 100 && inside[0][1] > 100 && inside[0][0] > inside[0][1]);
    assert_true(inside[1][1] < all / 50);
    /* The shape spans -1 to 1; the samples extend beyond by their margin. */
    assert_true(fabsf(volume.low[1] + 1) < 4 * volume.spacing);
    float last = volume.distance[0];
    for (int n = 1; n < volume.nx; n++) { /* along a row no distance changes faster than the way */
        assert_true(fabsf(volume.distance[n] - last) <= 1.01f * volume.spacing);
        last = volume.distance[n];
    }
    free((void *)volume.distance);
}

/* One letter, A, of one size: a pixel. */
static const char font_of_dots[] =
    "STARTFONT 2.1\nFONT -a-a-medium-r-normal--8-80-75-75-c-80-iso10646-1\nSIZE 8 75 75\n"
    "FONTBOUNDINGBOX 8 8 0 0\nSTARTPROPERTIES 2\nFONT_ASCENT 8\nFONT_DESCENT 0\n"
    "ENDPROPERTIES\nCHARS 1\nSTARTCHAR A\nENCODING 65\nSWIDTH 640 0\nDWIDTH 8 0\n"
    "BBX 1 1 0 0\nBITMAP\n80\nENDCHAR\nENDFONT\n";

static void letters_that_cannot_be_drawn_are_named(void **state)
{
    (void)state;
    write_text("no.ttf", "no font at all\n");
    write_text("dots.bdf", font_of_dots);
    char many[258] = {0}, wide[251] = {0};
    memset(many, 'i', sizeof many - 1);
    memset(wide, 'W', sizeof wide - 1);
    char dots[256];
    snprintf(dots, sizeof dots, "%s", path_of("dots.bdf"));
    const struct {
        const char *text, *font, *message;
    } wrong[] = {
        {"A", dots, "dots.bdf: a font without outlines, which letters of any size need"},
        {many, "", "a text of more than 256 letters"},
        {wide, "", "million pixels; at most 48 million are drawn"},
        {"A", "No Such Family", "no font named 'No Such Family' is installed"},
        {"A", "/nowhere/a.ttf", "/nowhere/a.ttf: cannot be opened: No such file or directory"},
        {"A", "/dev/zero", "/dev/zero: cannot be opened: it is not an ordinary file"},
        {"A", "/dev/null/a.ttf", "/dev/null/a.ttf: cannot be opened: Not a directory"},
        {"A", path_of("no.ttf"), "no.ttf: no font that FreeType can read"},
        {"  ", "", "the text has only blanks"},
        {"A\xF3\xB0\x80\x80", "", "has no letter U+F0000"},
    };
    for (int w = 0; w < LENGTH(wrong); w++) {
        BillowVolume volume;
        BillowError error = {""};
        assert_false(lettering_draw(wrong[w].text, wrong[w].font, 0.05f, &volume, &error));
        skip_without(&error);
        if (strstr(error.text, wrong[w].message) == NULL)
            fail_msg("'%s' lacks '%s'", error.text, wrong[w].message);
    }
}

/* -- files that a stranger's scene names */

static void keeps_in(const char *scene, const char *message)
{
    char text[300];
    Scene loaded;
    BillowError error = {""};
    snprintf(text, sizeof text, "domain: {cells: 24}\n%s\n", scene);
    write_text("s2.yaml", text);
    bool good = scene_load(path_of("s2.yaml"), &loaded, &error);
    if (good != (message == NULL))
        fail_msg("%s: '%s'", scene, error.text);
    if (!good && strstr(error.text, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.text, message);
}

static void a_scene_file_names_nothing_outside_of_its_folder(void **state)
{
    (void)state;
    static const char out[] = "leads out of the scene file's folder; name a file in that folder "
                              "or below it, or use --set";
    assert_int_equal(mkdir(path_of("below"), 0700), 0);
    write_text("below/junk.obj", "no mesh\n");
    assert_int_equal(symlink("/etc/passwd", path_of("out.obj")), 0);
    assert_int_equal(symlink("below/junk.obj", path_of("in.obj")), 0);
    assert_int_equal(symlink("/etc", path_of("folder")), 0);
    keeps_in("emitters: [{mesh: below/junk.obj}]", NULL);
    keeps_in("emitters: [{mesh: ./below/./junk.obj}]", NULL);
    keeps_in("emitters: [{mesh: in.obj}]", NULL);
    keeps_in("emitters: [{mesh: /etc/passwd}]", out);
    keeps_in("solids: [{mesh: below/../../passwd}]", out);
    keeps_in("emitters: [{mesh: ..}]", out);
    keeps_in("emitters: [{mesh: out.obj}]", out);
    keeps_in("emitters: [{mesh: folder/passwd}]", out);
    keeps_in("emitters: [{text: A, font: /etc/passwd}]", out);
    keeps_in("emitters: [{text: A, font: ../a.ttf}]", out);
    keeps_in("emitters: [{text: A, font: none.ttf}]", "none.ttf, which cannot be opened: No such");
    keeps_in("emitters: [{text: A, font: below/junk.obj}]", NULL); /* until it is drawn */
    keeps_in("emitters: [{mesh: below}]", "below, which cannot be opened: it is a folder");
    /* The command line may name any file. */
    Scene scene = *scene_default();
    BillowError error = {""};
    assert_true(set(&scene, "emitters=[{mesh: /etc/passwd}]", &error));
    assert_false(scene_save(&scene, path_of("saved.yaml"), &error));
    assert_non_null(
        strstr(error.text, "emitters[0].mesh is /etc/passwd, which does not lie beside"));
    assert_int_not_equal(access(path_of("saved.yaml"), F_OK), 0);
    const char *const names[] = {"below/junk.obj", "out.obj", "in.obj", "folder", "s2.yaml"};
    for (int n = 0; n < LENGTH(names); n++)
        assert_int_equal(remove(path_of(names[n])), 0);
    rmdir(path_of("below"));
}

/* Each of these would keep a reader waiting, or fill its memory. */
static void pipes_devices_and_huge_files_are_not_read(void **state)
{
    (void)state;
    Scene scene = *scene_default();
    BillowError error = {""};
    assert_int_equal(mkfifo(path_of("pipe.obj"), 0600), 0);
    keeps_in("emitters: [{mesh: pipe.obj}]",
             "pipe.obj, which cannot be opened: it is not an ordinary");
    keeps_in("emitters: [{text: A, font: pipe.obj}]", "it is not an ordinary file");
    char far[300];
    memset(far, 'f', 240);
    strcpy(far + 240, "/s.yaml");
    static const char named[] = "emitters: [{mesh: a-mesh-in-that-folder.obj}]\n";
    assert_false(scene_parse(far, named, strlen(named), &scene, &error));
    assert_non_null(strstr(error.text, "lies in folders whose names are too long"));
    assert_false(set(&scene, "emitters=[{mesh: /dev/zero}]", &error));
    assert_non_null(
        strstr(error.text, "names /dev/zero, which cannot be opened: it is not an ordinary"));
    write_text("huge.obj", "v 0 0 0\n");
    assert_int_equal(truncate(path_of("huge.obj"), (off_t)300 << 20), 0);
    keeps_in("emitters: [{mesh: huge.obj}]",
             "huge.obj, which holds 314.6 MB; at most 268.4 MB are read");
    keeps_in("emitters: [{text: A, font: huge.obj}]", "holds 314.6 MB; at most 67.11 MB are read");
    /* Files that a mesh names are never opened. */
    char text[1500];
    snprintf(text, sizeof text, "mtllib pipe.obj\nmtllib %s\nusemtl a\n%s%s", path_of("pipe.obj"),
             cube, cube_side);
    write_text("cube2.obj", text);
    MeshFile mesh;
    assert_true(mesh_file_load(path_of("cube2.obj"), &mesh, &error));
    assert_int_equal(mesh.triangle_count, 12);
    mesh_file_free(&mesh);
    const char *const names[] = {"pipe.obj", "huge.obj", "cube2.obj", "s2.yaml"};
    for (int n = 0; n < LENGTH(names); n++)
        assert_int_equal(remove(path_of(names[n])), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_is_read_with_its_vertices_joined),
        cmocka_unit_test(a_mesh_emitter_releases_the_meshes_volume),
        cmocka_unit_test(a_scene_file_names_nothing_outside_of_its_folder),
        cmocka_unit_test(pipes_devices_and_huge_files_are_not_read),
        cmocka_unit_test(bad_meshes_are_named),
        cmocka_unit_test(a_missing_mesh_is_named_where_the_file_says_so),
        cmocka_unit_test(a_text_has_the_shape_of_its_letters),
        cmocka_unit_test(letters_that_cannot_be_drawn_are_named),
    };
    return cmocka_run_group_tests_name("forms", tests, setup, teardown);
}
