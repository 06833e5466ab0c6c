/* SPDX-License-Identifier: MIT
 * Emitters in the shape of meshes and texts, from scene files to simulations. */
#include "scene_fixture.h"

#include "lettering.h"
#include "mesh_file.h"
#include "scene_play.h"

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
    const char *const names[] = {"open.obj", "cube.obj", "junk.obj", "s.yaml"};
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
        skip_without(&error);
    assert_string_equal(error.text, "");
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
    double mass = billow_stats(sim).mass / (0.01 * (double)scene->emitters[0].smoke);
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
    assert_true(scene.emitters[0].shape == BILLOW_VOLUME);
    double volume = released(&scene, &error);
    if (volume < 0)
        skip_without(&error);
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
    skip_without(&error);
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
    Scene scene = scene_default();
    BillowError error;
    const char text[] = "emitters:\n  - mesh: none.obj\n";
    assert_false(parse(text, strlen(text), &scene, &error));
    assert_string_equal(error.text, "f.yaml:2:11: 'emitters[0].mesh' names none.obj, which cannot "
                                    "be opened: No such file or directory");
    assert_false(set(&scene, "brush.text=A", &error));
    assert_string_equal(error.text,
                        "--set brush.text: is not possible here; one of the emitters or "
                        "solids can have it");
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
    /* As long as -1 to 1: the samples reach beyond that by their margin. */
    assert_true(fabsf(volume.low[1] + 1) < 4 * volume.spacing);
    float last = volume.distance[0];
    for (int n = 1; n < volume.nx; n++) { /* along a row no distance changes faster than the way */
        assert_true(fabsf(volume.distance[n] - last) <= 1.01f * volume.spacing);
        last = volume.distance[n];
    }
    lettering_free(&volume);
}

static void letters_that_cannot_be_drawn_are_named(void **state)
{
    (void)state;
    const struct {
        const char *text, *font, *message;
    } wrong[] = {
        {"A", "No Such Family", "no font named 'No Such Family' is installed"},
        {"A", "/nowhere/a.ttf", "/nowhere/a.ttf: no font that FreeType can read"},
        {"  ", "", "a text of blanks alone"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_is_read_with_its_vertices_joined),
        cmocka_unit_test(a_mesh_emitter_releases_the_meshes_volume),
        cmocka_unit_test(bad_meshes_are_named),
        cmocka_unit_test(a_missing_mesh_is_named_where_the_file_says_so),
        cmocka_unit_test(a_text_has_the_shape_of_its_letters),
        cmocka_unit_test(letters_that_cannot_be_drawn_are_named),
    };
    return cmocka_run_group_tests_name("forms", tests, setup, teardown);
}
