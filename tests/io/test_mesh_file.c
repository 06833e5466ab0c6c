/* SPDX-License-Identifier: MIT
 * Mesh files: their triangles from all ways of writing .obj and .stl files, and the splitting of
 * faces of any shape. */
#include "io/mesh_file.h"
#include "io/polygon.h"
#include "sanitized.h"

#include <billow/mesh.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static const char cube_vertices[] =
    "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n";
static const char cube_faces[] =
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";

static MeshFile read_mesh(const char *name, const char *bytes, size_t length)
{
    MeshFile mesh;
    BillowError error = {""};
    char *copy = malloc(length + 1); /* of its own length, so that sanitizers see what is read */
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    bool good = mesh_file_read(name, copy, length, &mesh, &error);
    free(copy);
    if (!good)
        fail_msg("%s\n%.300s", error.text, bytes);
    return mesh;
}

static void refused(const char *name, const char *bytes, size_t length, const char *message)
{
    MeshFile mesh;
    BillowError error = {""};
    assert_false(mesh_file_read(name, bytes, length, &mesh, &error));
    if (strstr(error.text, message) == NULL)
        fail_msg("'%s' lacks '%s'", error.text, message);
    assert_null(mesh.vertices);
}

/* Checks that a mesh is closed, and its volume and area; then frees it. */
static void check_solid(MeshFile *file, double volume, double surface)
{
    const BillowMesh mesh = {(const float(*)[3])file->vertices, file->vertex_count,
                             (const int(*)[3])file->triangles, file->triangle_count};
    BillowError error = {""};
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL));
    if (!billow_mesh_check(&mesh, scratch, &error))
        fail_msg("%s", error.text);
    free(scratch);
    double inside = 0, around = 0;
    for (int t = 0; t < mesh.triangle_count; t++) {
        const float *a = mesh.vertices[mesh.triangles[t][0]],
                    *b = mesh.vertices[mesh.triangles[t][1]],
                    *c = mesh.vertices[mesh.triangles[t][2]];
        double normal[3], square = 0;
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] = ((double)b[j] - (double)a[j]) * ((double)c[k] - (double)a[k]) -
                        ((double)b[k] - (double)a[k]) * ((double)c[j] - (double)a[j]);
            inside += normal[i] * (double)a[i] / 6;
            square += normal[i] * normal[i];
        }
        around += 0.5 * sqrt(square);
    }
    if (!(fabs(inside - volume) < 2e-5 * volume && fabs(around - surface) < 2e-5 * surface))
        fail_msg("volume %g, not %g; surface %g, not %g", inside, volume, around, surface);
    mesh_file_free(file);
}

static void check_cube(const char *name, const char *bytes, size_t length)
{
    MeshFile mesh = read_mesh(name, bytes, length);
    assert_int_equal(mesh.triangle_count, 12);
    for (int v = 0; v < mesh.vertex_count; v++) /* vertices without triangles are gone */
        for (int axis = 0; axis < 3; axis++)
            assert_in_range((int)mesh.vertices[v][axis], 0, 1);
    check_solid(&mesh, 1, 6);
}

/* -- OBJ --------------------------------------------------------------------------------------- */

static void replace_all(char *text, char from, char to)
{
    for (char *at = text; *at != '\0'; at++)
        *at = *at == from ? to : *at;
}

static void every_way_of_writing_a_cube_gives_a_cube(void **state)
{
    (void)state;
    char text[2000];
    static const char *const ways[] = {
        "%s%s",
        "\xef\xbb\xbf%s%s",          /* a byte order mark, which editors on Windows write */
        "\xef\xbb\xbf%sv 9 9 9\n%s", /* the same, and a vertex of no face */
        "# text\n\n mtllib none.mtl\no cube\ng a b\ns 1\nusemtl m\nvt 0 0\nvn 0 0 1\nvp 1\n%s%s"
        "l 1 2 3\np 4\nunknown f 1 2 3\n",
        "%sf 1 1 2\nf 1 2 1 2 1\n%s", /* faces without an area */
    };
    for (int way = 0; way < 5; way++) {
        snprintf(text, sizeof text, ways[way], cube_vertices, cube_faces);
        check_cube("a.obj", text, strlen(text));
        check_cube("A.OBJ", text, strlen(text));
        replace_all(text, '\n', '\r'); /* as old programs on the Macintosh ended lines */
        check_cube("a.obj", text, strlen(text));
    }
    snprintf(text, sizeof text, "%s%s", cube_faces, cube_vertices); /* faces may come first */
    check_cube("a.obj", text, strlen(text));
    text[strlen(text) - 1] = '\0'; /* the last line may lack its end */
    check_cube("a.obj", text, strlen(text));
    static const char other[] =
        "V 0.0e+0 +0 -0 0.5 0.5 0.5\nv\t0 0\t1 1\r\nv 0 1. \\\n 0\nv 0 1 1# text\nv 1 0 0\\\n\n"
        "v 1 0 1\nv 1 1 0\nv .1e1 10e-1 1.000000000000000000000000\nf 1/1 2/1/1 4//1 3/\n"
        "f -4 -2 \\\r\n-1\\\r-3\nF 1 5 6 2\nf 3 4 8 7# text\nf 1 3 7 5\nf +2 6 8 4\nv 9 9 9\n";
    check_cube("a.obj", other, sizeof other - 1);
}

static void text_that_is_no_utf8_is_named(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        char wide[600] = {0};
        size_t used = 0;
        char text[300];
        snprintf(text, sizeof text, "%s%s", cube_vertices, cube_faces);
        wide[used++] = (char)(order == 0 ? 0xff : 0xfe);
        wide[used++] = (char)(order == 0 ? 0xfe : 0xff);
        for (size_t n = 0; n < strlen(text); n++, used += 2)
            wide[used + (size_t)order] = text[n];
        refused("a.obj", wide, used, "a.obj: is text in UTF-16 or UTF-32; save it as UTF-8");
        refused("a.stl", wide, 60, "a.stl: is text in UTF-16 or UTF-32; save it as UTF-8");
        refused("a.obj", wide + 2, used - 2,
                "a.obj: has bytes that are 0, so it is no text, or not in UTF-8");
    }
}

static void broken_meshes_are_named(void **state)
{
    (void)state;
    char many_corners[2100] = "v 0 0 0\nf";
    for (int corner = 0; corner <= POLYGON_CORNERS_MAX; corner++)
        strcat(many_corners, " 1");
    const struct {
        const char *name, *text, *message;
    } wrong[] = {
        {"a.obj", "v 0 0\n", "line 1: a vertex needs three numbers"},
        {"a.obj", "v 0 0 nan\n", "line 1: a vertex needs three numbers"},
        {"a.obj", "v 0 0 0x1\n", "line 1: a vertex needs three numbers"},
        {"a.obj", "v 0 0 1,5\n", "line 1: a vertex needs three numbers"},
        {"a.obj", "\nv 0 0 2e6\n", "line 2: a vertex's coordinates must lie within 1e6"},
        {"a.obj", "\r\n\r\nv 0 0 1e999\n", "line 3: a vertex's coordinates must lie within 1e6"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "line 2: a face needs three corners or more"},
        {"a.obj", "v 0 0 0\nf 1 1 \\\n -2\n",
         "line 3: a face has the vertex -2, and 1 stand before"},
        {"a.obj", "v 0 0 0\nf 1 1 9\n", "line 2: a face has the vertex 9, and there are 1"},
        {"a.obj", "v 0 0 0\nf 1 0 1\n", "line 2: a face has the vertex 0, and there are 1"},
        {"a.obj", "v 0 0 0\nf 1 4294967297 1\n",
         "line 2: a face has the vertex 4294967297, and there are 1"},
        {"a.obj", "f a b c\n", "line 1: a face's corners must be numbers of vertices"},
        {"a.obj", "v 0 0 0\nf 1 1 -\n", "line 2: a face's corners must be numbers of vertices"},
        {"a.OBJ", "v 0 0 0\nf 1/ 1//2 1/2/3\n", "holds 0 triangles; at least 4 "},
        {"a.stl", "solid\nvertex 0 0 0\nvertex 1 inf 0\nvertex 0 1 0\n",
         "vertex 2 is no three numbers"},
        {"a.stl", "solid\nvertex 0 0 0\nvertex 1 1 0\n",
         "is incomplete: its last triangle has 2 of three vertices"},
        {"a.obj", many_corners, "line 2: a face has more than 1000 corners"},
        {"a.stl", "", "holds 0 triangles; at least 4 "},
        {"a.obj", "", "holds 0 triangles; at least 4 "},
        {"a.ply", "ply\n", "only .obj, .stl, .gltf and .glb meshes can be read"},
        {"obj", "", "only .obj, .stl, .gltf and .glb meshes can be read"},
    };
    for (int w = 0; w < (int)(sizeof wrong / sizeof wrong[0]); w++)
        refused(wrong[w].name, wrong[w].text, strlen(wrong[w].text), wrong[w].message);
}

/* -1 is the last vertex before the face. */
static void vertices_are_counted_from_the_end_too(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "f -3 -2 -1\nf -4 -2 -3\nf 1 -1 3\nf 1 2 -1\n";
    static const float first[4][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    static const float last[4][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    MeshFile mesh = read_mesh("a.obj", text, sizeof text - 1);
    assert_int_equal(mesh.triangle_count, 4);
    for (int t = 0; t < 4; t++) {
        assert_memory_equal(mesh.vertices[mesh.triangles[t][0]], first[t], 12);
        assert_memory_equal(mesh.vertices[mesh.triangles[t][2]], last[t], 12);
    }
    mesh_file_free(&mesh);
}

/* A face may have 1000 corners, on any number of lines, which may end as on Windows. */
static void the_longest_face_is_read(void **state)
{
    (void)state;
    for (int corners = 1000; corners <= 1001; corners++) {
        char text[40000] = "", *to = text;
        for (int c = 0; c < corners; c++)
            to += sprintf(to, "v %.6f %.6f 0\r\n", cos(2e-3 * c), sin(2e-3 * c));
        to += sprintf(to, "f");
        for (int c = 1; c <= corners; c++)
            to += sprintf(to, " %d%s", c, c % 9 == 0 ? " \\\r\n" : "");
        *to++ = '\n';
        if (corners > 1000) {
            refused("a.obj", text, (size_t)(to - text),
                    "a.obj: line 1113: a face has more than 1000 corners");
            continue;
        }
        MeshFile mesh = read_mesh("a.obj", text, (size_t)(to - text));
        assert_int_equal(mesh.triangle_count, 998);
        mesh_file_free(&mesh);
    }
}

/* -- faces of many corners --------------------------------------------------------------------- */

/* A prism over a polygon in the plane z = 0, turned by a rotation. A wall of `open` and the next
 * corner is left out: there a cut joins the rim of a hole to the outer rim. */
static void check_prism(const double *rim, int count, const int open[2], double turn)
{
    static char text[200000];
    char *to = text;
    double volume = 0, surface = 0;
    const double c = cos(turn), s = sin(turn);
    for (int v = 0; v < 2 * count; v++) {
        double x = rim[2 * (v % count)], y = rim[2 * (v % count) + 1], z = v < count ? 0 : 2;
        double u = c * x - s * y, w = s * x + c * y; /* about z, then about x */
        to += sprintf(to, "v %.9g %.9g %.9g\n", u, c * w - s * z, s * w + c * z);
    }
    for (int side = 0; side < 2; side++) {
        to += sprintf(to, "f");
        for (int v = 0; v < count; v++)
            to += sprintf(to, " %d", side == 0 ? count - v : count + 1 + v);
        to += sprintf(to, "\n");
    }
    for (int v = 0; v < count; v++) {
        int next = (v + 1) % count;
        const double *a = rim + 2 * v, *b = rim + 2 * next;
        volume += a[0] * b[1] - b[0] * a[1];
        if (open == NULL || (v != open[0] && v != open[1])) {
            surface += 2 * hypot(b[0] - a[0], b[1] - a[1]);
            to += sprintf(to, "f %d %d %d %d\n", v + 1, next + 1, count + next + 1, count + v + 1);
        }
    }
    MeshFile mesh = read_mesh("a.obj", text, (size_t)(to - text));
    check_solid(&mesh, volume, surface + volume);
}

static void check_prisms(const double *rim, int count, const int open[2])
{
    static const double turns[] = {0, 0.7, 2.6};
    for (int t = 0; t < 3; t++)
        check_prism(rim, count, open, turns[t]);
}

static void faces_of_any_shape_keep_their_area(void **state)
{
    (void)state;
    static double rim[1000][2];
    static const double l[][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const double arrow[][2] = {{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}};
    static const double flat[][2] = {{0, 0}, {0.5, 0}, {1, 0}, {2, 0}, {2, 1},
                                     {2, 2}, {1.5, 2}, {1, 2}, {0, 2}, {0, 1.5}};
    static const double ring[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                     {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    check_prisms(&l[0][0], 6, NULL);
    check_prisms(&arrow[0][0], 4, NULL);
    check_prisms(&flat[0][0], 10, NULL);
    check_prisms(&ring[0][0], 10, (const int[]){4, 9});
    for (int c = 0; c < 500; c++) /* a circle */
        rim[c][0] = cos(2 * PI * c / 500), rim[c][1] = sin(2 * PI * c / 500);
    check_prisms(&rim[0][0], 500, NULL);
    for (int c = 0; c < 200; c++) { /* a spiral of three turns */
        double angle = 6 * PI * c / 199, r = 1 + angle;
        rim[c][0] = r * cos(angle), rim[c][1] = r * sin(angle);
        rim[399 - c][0] = (r - 0.5) * cos(angle), rim[399 - c][1] = (r - 0.5) * sin(angle);
    }
    check_prisms(&rim[0][0], 400, NULL);
    rim[0][0] = 0, rim[0][1] = -1, rim[1][0] = 99, rim[1][1] = -1;
    for (int c = 2; c < 201; c++) /* a comb */
        rim[c][0] = 99 - 0.5 * (c - 2), rim[c][1] = c % 2 == 0 ? 5 : 0;
    check_prisms(&rim[0][0], 201, NULL);
    uint32_t random = 7;
    for (int way = 0; way < 20; way++) { /* stars of random rays */
        int count = 5 + 49 * way;
        for (int c = 0; c < count; c++) {
            random = random * 1664525 + 1013904223;
            double r = 0.3 + random / 4294967296.0;
            rim[c][0] = r * cos(2 * PI * c / count), rim[c][1] = r * sin(2 * PI * c / count);
        }
        check_prisms(&rim[0][0], count, NULL);
    }
}

/* Triangles of faces that cut themselves or have no area still have each edge of the face once. */
static void a_face_of_no_sense_keeps_its_edges(void **state)
{
    (void)state;
    static Polygon polygon;
    static float vertices[50][3];
    static int triangles[48][3], corners[50];
    static int edges[50][50];
    uint32_t random = 3;
    for (int way = 0; way < (SANITIZED ? 200 : 2000); way++) {
        int count = 4 + way % 47;
        memset(edges, 0, sizeof edges);
        for (int c = 0; c < count; c++) {
            corners[c] = c;
            for (int axis = 0; axis < 3; axis++) {
                random = random * 1664525 + 1013904223;
                vertices[c][axis] = (float)(random >> 24) / (way % 3 == 0 ? 64 : 1);
                if (way % 5 == 0 && axis > 0)
                    vertices[c][axis] = 0; /* all on a line */
            }
        }
        polygon_split(&polygon, (const float(*)[3])vertices, corners, count, triangles);
        for (int t = 0; t < count - 2; t++)
            for (int c = 0; c < 3; c++) {
                int a = triangles[t][c], b = triangles[t][(c + 1) % 3];
                assert_true(a >= 0 && a < count && b >= 0 && b < count && a != b);
                edges[a][b]++;
                edges[b][a]--;
            }
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                assert_int_equal(edges[a][b], b == (a + 1) % count   ? 1
                                              : a == (b + 1) % count ? -1
                                                                     : 0);
    }
}

/* A file of 250 MB could hold 60,000 of these faces, each of which takes a millisecond or two. */
static void expect_too_slow(bool comb, int faces)
{
    char *text = malloc(60000 + (size_t)faces * 4000), *to = text;
    assert_non_null(text);
    for (int c = 0; c < 1000; c++)
        to += sprintf(to, "v %g %d 0\n", !comb || c < 500 ? c : 999 - c + 0.5 * (c % 2),
                      !comb || c < 500 ? 0 : 5);
    for (int f = 0; f < faces; f++) {
        to += sprintf(to, "f");
        for (int c = 1; c <= 1000; c++)
            to += sprintf(to, " %d", c);
        to += sprintf(to, "\n");
    }
    refused("a.obj", text, (size_t)(to - text),
            ": its faces have too many inward corners; divide them into triangles");
    free(text);
}

static void a_file_that_would_take_minutes_is_refused(void **state)
{
    (void)state;
    expect_too_slow(true, 800);
    expect_too_slow(false, 2010); /* on a line, where no corner can be cut off */
}

/* -- STL --------------------------------------------------------------------------------------- */

/* The triangles of a cube, as a text and as a binary file. Returns the length of the text. */
static size_t write_stl(char text[4000], char binary[84 + 12 * 50])
{
    char obj[400], *to = text;
    snprintf(obj, sizeof obj, "%s%s", cube_vertices, cube_faces);
    MeshFile mesh = read_mesh("a.obj", obj, strlen(obj));
    memset(binary, 0, 84 + 12 * 50);
    strcpy(binary, "solid made by a program that knows no better");
    binary[80] = 12;
    to += sprintf(to, "solid a vertex of a cube\n");
    for (int t = 0; t < 12; t++) {
        to += sprintf(to, "facet normal 0 0 0\nouter loop\n");
        for (int c = 0; c < 3; c++) {
            const float *at = mesh.vertices[mesh.triangles[t][c]];
            to += sprintf(to, "vertex %g %g %g\n", (double)at[0], (double)at[1], (double)at[2]);
            memcpy(binary + 84 + 50 * t + 12 + 12 * c, at, 12); /* little-endian here */
        }
        to += sprintf(to, "endloop\nendfacet\n");
    }
    to += sprintf(to, "endsolid a vertex of a cube\n");
    mesh_file_free(&mesh);
    return (size_t)(to - text);
}

static void an_stl_file_is_read_in_every_way(void **state)
{
    (void)state;
    static char text[4000], other[4100], binary[84 + 12 * 50 + 7];
    size_t length = write_stl(text, binary);
    check_cube("a.stl", text, length);
    snprintf(other, sizeof other, "\xef\xbb\xbf%s", text);
    check_cube("a.STL", other, length + 3);
    for (size_t n = 0; n < length; n++)
        other[n] = text[n] >= 'a' && text[n] <= 'z' ? (char)(text[n] - 'a' + 'A')
                   : text[n] == ' '                 ? '\t'
                                                    : text[n];
    check_cube("a.stl", other, length);
    replace_all(other, '\n', '\r');
    check_cube("a.stl", other, length);
    memcpy(other, text, length + 1);
    replace_all(other, '\n', ' '); /* all in one line */
    check_cube("a.stl", other + strlen("solid a vertex of a cube "),
               length - strlen("solid a vertex of a cube "));
    check_cube("a.stl", binary, 84 + 12 * 50);
    check_cube("a.stl", binary, 84 + 12 * 50 + 2); /* bytes behind its end */
    memset(binary, 0xff, 80);
    check_cube("a.stl", binary, 84 + 12 * 50 + 7);
}

static void a_broken_binary_file_is_named(void **state)
{
    (void)state;
    static char text[4000], binary[84 + 12 * 50];
    write_stl(text, binary);
    refused("a.stl", binary, sizeof binary - 50,
            "a.stl: is incomplete: it names 12 triangles and holds 11");
    refused("a.stl", binary, 84, "is incomplete: it names 12 triangles and holds 0");
    binary[84 + 50 + 12 + 3] = 0x7f; /* of the second triangle's first corner */
    refused("a.stl", binary, sizeof binary, "triangle 2 has a coordinate that is not within 1e6");
    binary[84 + 50 + 12 + 3] = 0;
    const float far = -1.5e6f;
    memcpy(binary + 84 + 2 * 50 + 12 + 32, &far, sizeof far); /* the third's last */
    refused("a.stl", binary, sizeof binary,
            "a.stl: triangle 3 has a coordinate that is not within 1e6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_writing_a_cube_gives_a_cube),
        cmocka_unit_test(text_that_is_no_utf8_is_named),
        cmocka_unit_test(broken_meshes_are_named),
        cmocka_unit_test(vertices_are_counted_from_the_end_too),
        cmocka_unit_test(the_longest_face_is_read),
        cmocka_unit_test(faces_of_any_shape_keep_their_area),
        cmocka_unit_test(a_face_of_no_sense_keeps_its_edges),
        cmocka_unit_test(a_file_that_would_take_minutes_is_refused),
        cmocka_unit_test(an_stl_file_is_read_in_every_way),
        cmocka_unit_test(a_broken_binary_file_is_named),
    };
    return cmocka_run_group_tests_name("mesh_file", tests, NULL, NULL);
}
