/* SPDX-License-Identifier: MIT
 * Meshes that move, from glTF files: places of nodes, interpolation, refusals. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "gltf_fixture.h"

#include "io/gltf_file.h"

#include <billow/mesh.h>
#include <math.h>
#include <unistd.h>

#define LENGTH(list) ((int)(sizeof(list) / sizeof(list)[0]))

static void assert_close(double found, double expected)
{
    if (!(fabs(found - expected) < 1e-5))
        fail_msg("%.9g instead of %.9g", found, expected);
}

/* Reads a text with ' in place of " and the cube's buffer as a .glb file. */
static GltfFile *read_text(const char *text, const char *from, const char *to, BillowError *error)
{
    const CubeData data = cube_data();
    size_t length;
    char *json = json_of(text, from, to), *glb = glb_of(json, &data, sizeof data, &length);
    GltfFile *file = gltf_file_read("a.glb", glb, length, error);
    free(json);
    free(glb);
    return file;
}

static GltfFile *must_read(const char *text, const char *from, const char *to)
{
    BillowError error = {""};
    GltfFile *file = read_text(text, from, to, &error);
    if (file == NULL)
        fail_msg("%s", error.text);
    return file;
}

static MeshFile mesh_at(const GltfFile *file, double time)
{
    MeshFile mesh;
    BillowError error = {""};
    if (!gltf_file_mesh(file, time, &mesh, &error))
        fail_msg("%s", error.text);
    return mesh;
}

/* Closed, with its outside outside, and between these corners. */
static void check_solid(const MeshFile *file, const double low[3], const double high[3])
{
    const BillowMesh mesh = {(const float(*)[3])file->vertices, file->vertex_count,
                             (const int(*)[3])file->triangles, file->triangle_count};
    void *scratch = malloc(billow_mesh_scratch(&mesh, NULL));
    BillowError error = {""};
    float found[2][3];
    assert_non_null(scratch);
    if (!billow_mesh_check(&mesh, scratch, &error))
        fail_msg("%s", error.text);
    free(scratch);
    billow_mesh_bounds(&mesh, found[0], found[1]);
    for (int axis = 0; axis < 3; axis++) {
        assert_close((double)found[0][axis], low[axis]);
        assert_close((double)found[1][axis], high[axis]);
    }
}

static void check_box(const char *text, const double low[3], const double high[3])
{
    GltfFile *file = must_read(text, NULL, NULL);
    MeshFile mesh = mesh_at(file, 0);
    check_solid(&mesh, low, high);
    assert_true(gltf_file_seconds(file) == 0);
    mesh_file_free(&mesh);
    gltf_file_close(file);
}

static void nodes_place_their_meshes(void **state)
{
    (void)state;
    check_box(CUBE_JSON CUBE_NODE "}", (double[]){-1, -1, -1}, (double[]){1, 1, 1});
    check_box(CUBE_JSON ",'nodes':[{'mesh':0,'translation':[5,6,7],'scale':[1,2,3]}]}",
              (double[]){4, 4, 4}, (double[]){6, 8, 10});
    /* The parent turns by 90 degrees around z, after the child has moved along x. */
    check_box(CUBE_JSON ",'nodes':[{'children':[1],'rotation':[0,0,0.70710678,0.70710678],"
                        "'translation':[0,0,9]},{'mesh':0,'translation':[4,0,0],'scale':[2,1,1]}]}",
              (double[]){-1, 2, 8}, (double[]){1, 6, 10});
    /* Column by column: x' = 2 z + 3, y' = y, z' = x. */
    check_box(CUBE_JSON ",'nodes':[{'mesh':0,'matrix':[0,0,1,0, 0,1,0,0, 2,0,0,0, 3,0,0,1]}]}",
              (double[]){1, -1, -1}, (double[]){5, 1, 1});
    /* Mirrored triangles are turned round, so that the mesh is not inside out. */
    check_box(CUBE_JSON ",'nodes':[{'mesh':0,'scale':[-1,1,1],'translation':[2,0,0]}]}",
              (double[]){1, -1, -1}, (double[]){3, 1, 1});
    /* Two nodes with one mesh, and one that is in no scene. */
    check_box(CUBE_JSON ",'nodes':[{'children':[1,2]},{'mesh':0},{'mesh':0,'translation':[3,0,0]},"
                        "{'mesh':0,'translation':[99,0,0]}]}",
              (double[]){-1, -1, -1}, (double[]){4, 1, 1});
}

/* -- data -------------------------------------------------------------------------------------- */

/* A cube of integers: positions in steps of 1/32767 or 1/127, four bytes or two apart. */
typedef struct SmallData {
    int16_t shorts[8][4];
    int8_t bytes[8][4];
    uint8_t small[36];
    uint32_t large[36];
    uint16_t strip[14];
} SmallData;

static SmallData small_data(void)
{
    /* the vertices of one strip of triangles around a cube, in the order of cube_data's corners */
    static const uint16_t strip[14] = {7, 6, 5, 4, 0, 6, 2, 7, 3, 5, 1, 0, 3, 2};
    const CubeData cube = cube_data();
    SmallData data = {.shorts = {{0}}};
    for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++) {
            data.shorts[v][axis] = (int16_t)(32767 * cube.corners[v][axis]);
            data.bytes[v][axis] = (int8_t)(127 * cube.corners[v][axis]);
        }
    for (int n = 0; n < 36; n++) {
        data.small[n] = (uint8_t)cube.triangles[n / 3][n % 3];
        data.large[n] = cube.triangles[n / 3][n % 3];
    }
    memcpy(data.strip, strip, sizeof strip);
    return data;
}

static void every_component_type_is_read(void **state)
{
    (void)state;
    static const char *const accessors[][2] = {
        {"'componentType':5122,'normalized':true",
         "'bufferView':2,'componentType':5121,'count':36"},
        {"'componentType':5122,'normalized':true",
         "'bufferView':3,'componentType':5125,'count':36"},
        {"'componentType':5120,'normalized':true,'byteOffset':0",
         "'bufferView':2,'componentType':5121,'count':36"},
        {"'componentType':5122", "'bufferView':4,'componentType':5123,'count':14"},
    };
    const SmallData data = small_data();
    for (int a = 0; a < LENGTH(accessors); a++) {
        char text[1500];
        bool bytes = strstr(accessors[a][0], "5120") != NULL, strip = a == 3;
        snprintf(text, sizeof text,
                 "{'asset':{'version':'2.0'},'extensionsRequired':['KHR_mesh_quantization'],"
                 "'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0%s}],'buffers':[{'byteLength':%zu}],"
                 "'meshes':[{'primitives':[{'mode':%d,'attributes':{'POSITION':0},'indices':1}]}],"
                 "'bufferViews':[{'buffer':0,'byteLength':64,'byteStride':8},"
                 "{'buffer':0,'byteOffset':64,'byteLength':32,'byteStride':4},"
                 "{'buffer':0,'byteOffset':96,'byteLength':36},"
                 "{'buffer':0,'byteOffset':132,'byteLength':144},"
                 "{'buffer':0,'byteOffset':276,'byteLength':28}],"
                 "'accessors':[{'bufferView':%d,'count':8,'type':'VEC3',%s},{%s,'type':'SCALAR'}]}",
                 strip ? ",'scale':[3.0518509e-5,3.0518509e-5,3.0518509e-5]" : "", sizeof data,
                 strip ? 5 : 4, bytes ? 1 : 0, accessors[a][0], accessors[a][1]);
        size_t length;
        char *json = json_of(text, NULL, NULL), *glb = glb_of(json, &data, sizeof data, &length);
        BillowError error = {""};
        GltfFile *file = gltf_file_read("a.glb", glb, length, &error);
        if (file == NULL)
            fail_msg("%s", error.text);
        MeshFile mesh = mesh_at(file, 0);
        check_solid(&mesh, (double[]){-1, -1, -1}, (double[]){1, 1, 1});
        assert_int_equal(mesh.triangle_count, 12);
        mesh_file_free(&mesh);
        gltf_file_close(file);
        free(json);
        free(glb);
    }
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* A buffer in the text itself, and in a file beside it whose name has a blank. */
static void buffers_may_be_texts_and_files(void **state)
{
    (void)state;
    const CubeData data = cube_data();
    const unsigned char *bytes = (const unsigned char *)&data;
    char uri[700] = "'byteLength':372,'uri':'data:application/octet-stream;base64,";
    size_t used = strlen(uri);
    for (size_t b = 0; b < sizeof data; b += 3) {
        unsigned word = (unsigned)bytes[b] << 16 | (unsigned)bytes[b + 1] << 8 | bytes[b + 2];
        for (int digit = 0; digit < 4; digit++)
            uri[used++] = digits[word >> (18 - 6 * digit) & 63];
    }
    snprintf(uri + used, sizeof uri - used, "'");
    FILE *stream = fopen("my cube.bin", "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(&data, sizeof data, 1, stream), 1);
    assert_int_equal(fclose(stream), 0);
    const char *const uris[] = {uri, "'byteLength':372,'uri':'my%20cube.bin'"};
    for (int u = 0; u < LENGTH(uris); u++) {
        char *json = json_of(CUBE_JSON CUBE_NODE "}", "'byteLength':372", uris[u]);
        BillowError error = {""};
        stream = fopen("cube.gltf", "w");
        assert_non_null(stream);
        fputs(json, stream);
        assert_int_equal(fclose(stream), 0);
        MeshFile mesh;
        if (!mesh_file_load("cube.gltf", &mesh, &error))
            fail_msg("%s", error.text);
        check_solid(&mesh, (double[]){-1, -1, -1}, (double[]){1, 1, 1});
        mesh_file_free(&mesh);
        free(json);
    }
    assert_int_equal(unlink("cube.gltf") | unlink("my cube.bin"), 0);
}

/* -- motion ------------------------------------------------------------------------------------ */

/* The middle of the mesh, and the direction in which its x axis points. */
static void pose_at(const GltfFile *file, double time, double middle[3], double axis[3])
{
    MeshFile mesh = mesh_at(file, time);
    assert_int_equal(mesh.vertex_count, 8);
    for (int a = 0; a < 3; a++) {
        middle[a] = 0;
        for (int v = 0; v < 8; v++)
            middle[a] += (double)mesh.vertices[v][a] / 8;
        axis[a] = 0.5 * (double)(mesh.vertices[1][a] - mesh.vertices[0][a]);
    }
    mesh_file_free(&mesh);
}

static void check_pose(const char *text, const char *from, const char *to, double time,
                       const double place[3], double turn)
{
    GltfFile *file = must_read(text, from, to);
    double middle[3], axis[3];
    assert_close(gltf_file_seconds(file), 2);
    pose_at(file, time, middle, axis);
    for (int a = 0; a < 3; a++)
        assert_close(middle[a], place[a]);
    assert_close(axis[0], cos(turn));
    assert_close(axis[2], -sin(turn));
    gltf_file_close(file);
}

static void keys_are_interpolated(void **state)
{
    (void)state;
    const char *const text = CUBE_ROLLS, *const both = "{'input':2,'output':3}",
                      *const turn = "{'input':2,'output':4}";
    check_pose(text, NULL, NULL, -1, (double[]){0, 0, 0}, 0); /* before the first key */
    check_pose(text, NULL, NULL, 0, (double[]){0, 0, 0}, 0);
    check_pose(text, NULL, NULL, 0.25, (double[]){0.25, 0, 0}, 0.25);
    check_pose(text, NULL, NULL, 1, (double[]){1, 0, 0}, 1);
    check_pose(text, NULL, NULL, 1.75, (double[]){1, 1.5, 0}, 1.75);
    check_pose(text, NULL, NULL, 7, (double[]){1, 2, 0}, 2);
    const char *step = "{'input':2,'output':3,'interpolation':'STEP'}";
    check_pose(text, both, step, 0.99, (double[]){0, 0, 0}, 0.99);
    check_pose(text, both, step, 1.5, (double[]){1, 0, 0}, 1.5);
    step = "{'input':2,'output':4,'interpolation':'STEP'}";
    check_pose(text, turn, step, 1.5, (double[]){1, 1, 0}, 1);
    /* From (1, 0, 0), at 4 m/s along y, to (3, 0, 0) at rest, within 1 s: at a quarter of it
     * x = 1 + 2 (3/16 - 2/64), y = 4 (1/64 - 2/16 + 1/4). */
    const char *spline = "{'input':2,'output':5,'interpolation':'CUBICSPLINE'}";
    check_pose(text, both, spline, 0.25, (double[]){1.3125, 0.5625, 0}, 0.25);
    check_pose(text, both, spline, 1.5, (double[]){3, 0, 0}, 1.5);
}

/* The first animation leads; one of another value plays beside it. The mesh and its triangles stay
 * the same while it turns. */
static void animations_play_together(void **state)
{
    (void)state;
    GltfFile *file = must_read(
        CUBE_JSON CUBE_NODE ",'animations':[{'channels':[" CUBE_CHANNEL(
            "translation",
            "0") "],"
                 "'samplers':[{'input':2,'output':3}]},"
                 "{'channels':[" CUBE_CHANNEL("scale", "0") "," CUBE_CHANNEL(
                     "translation",
                     "1") ","
                          "{'sampler':0,'target':{'path':'weights'}},"
                          "{'sampler':0,'target':{'node':0,'path':'pointer'}}],"
                          "'samplers':[{'input':2,'output':5,'interpolation':'CUBICSPLINE'},"
                          "{'input':2,'output':5,'interpolation':'CUBICSPLINE'}]}]}",
        NULL, NULL);
    double middle[3], axis[3];
    pose_at(file, 0.5, middle, axis);
    assert_close(middle[0], 0.5);
    assert_close(axis[0], 2); /* halfway from 1 to 3 */
    gltf_file_close(file);
}

/* Times below 0 count as 0, times that fall as the time before them, and the last key of a time
 * counts. */
static void keys_out_of_order_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *output;
        float times[3];
        bool mended;
        double seconds, first[3], later[3]; /* where it is at 0 s and at 1 s */
    } keys[] = {
        {"3", {0.5f, 1.5f, 2.5f}, false, 2, {0, 0, 0}, {1, 0, 0}},
        {"3", {-1, 1, 2}, true, 2, {0, 0, 0}, {1, 0, 0}},
        {"3", {-0.0f, 1, 2}, false, 2, {0, 0, 0}, {1, 0, 0}},
        {"3", {-2, -1, 2}, true, 2, {1, 0, 0}, {1, 1, 0}},
        {"3", {0.5f, 0.5f, 2.5f}, true, 2, {1, 0, 0}, {1, 1, 0}},
        {"3", {0.5f, 2.5f, 1}, true, 2, {0, 0, 0}, {0.5, 1, 0}},
        {"3", {2, 2, 2}, true, 0, {1, 2, 0}, {1, 2, 0}},
        {"5,'interpolation':'CUBICSPLINE'", {1, 1, 3}, true, 2, {3, 0, 0}, {3, 0, 0}},
    };
    for (int k = 0; k < LENGTH(keys); k++) {
        CubeData data = cube_data();
        memcpy(data.times, keys[k].times, sizeof data.times);
        char output[64];
        size_t length;
        BillowError error = {""};
        snprintf(output, sizeof output, "'input':2,'output':%s}],", keys[k].output);
        char *json = json_of(CUBE_JSON CUBE_NODE
                             ",'animations':[{'samplers':[{?'channels':[" CUBE_CHANNEL(
                                 "translation", "0") "]}]}",
                             "?", output),
             *glb = glb_of(json, &data, sizeof data, &length);
        GltfFile *file = gltf_file_read("a.glb", glb, length, &error);
        if (file == NULL)
            fail_msg("%d: %s", k, error.text);
        assert_true(gltf_file_mended(file) == keys[k].mended);
        assert_close(gltf_file_seconds(file), keys[k].seconds);
        for (int later = 0; later < 2; later++) {
            double middle[3], axis[3];
            pose_at(file, later, middle, axis);
            for (int a = 0; a < 3; a++)
                assert_close(middle[a], later ? keys[k].later[a] : keys[k].first[a]);
        }
        gltf_file_close(file);
        free(glb);
        free(json);
    }
}

/* Keys that lie very near to each other are no motion, which would have endless frames. */
static void a_moment_is_no_motion(void **state)
{
    (void)state;
    CubeData data = cube_data();
    data.times[0] = 0;
    data.times[1] = 1e-38f;
    data.times[2] = 9e-4f;
    size_t length;
    BillowError error = {""};
    char *json = json_of(CUBE_ROLLS, NULL, NULL), *glb = glb_of(json, &data, sizeof data, &length);
    GltfFile *file = gltf_file_read("a.glb", glb, length, &error);
    assert_non_null(file);
    double middle[3], axis[3];
    assert_true(gltf_file_seconds(file) == 0);
    pose_at(file, 0, middle, axis);
    assert_close(middle[1], 0); /* as at its first key */
    gltf_file_close(file);
    free(json);
    free(glb);
}

/* -- refusals ---------------------------------------------------------------------------------- */

typedef struct Wrong {
    const char *from, *to, *message;
} Wrong;

static const Wrong wrong[] = {
    {"{'asset'", "'asset'", "its JSON cannot be read"},
    {"'version':'2.0'", "'version':'1.0'", "asset.version must be 2.0; other versions of glTF"},
    {"'scene':0", "'scene':0,'extensionsRequired':['KHR_draco_mesh_compression']",
     "it requires the extension 'KHR_draco_mesh_compression', which is not read"},
    {"'meshes':[{", "'meshes':[3,{", "meshes[0] must be an object"},
    {"'nodes':[{'mesh':0}]", "'nodes':{}", "nodes must be a list"},
    {"'scene':0", "'scene':1", "glTF.scene must be the number of an entry, and there are 1"},
    {"'scenes':[{'nodes':[0]}]", "'scenes':[]", "glTF.scene must be the number"},
    {"'scene':0,'scenes':[{'nodes':[0]}],", "", "it has no scene"},
    {"'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':3}]",
     "scenes[0].nodes must be a list of nodes"},
    {"'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[1]}]",
     "scenes[0].nodes must be numbers of nodes, and there are 1"},
    {"{'mesh':0}", "{'mesh':0,'children':[0.5]}", "nodes[0].children must be numbers of nodes"},
    {"{'mesh':0}", "{'mesh':0,'children':[0]}", "nodes[0] has two parents, or is its own ancestor"},
    {"{'mesh':0}", "{'children':[1]},{'children':[2]},{'children':[1]}",
     "nodes[1] has two parents"},
    {"{'mesh':0}", "{'mesh':1}", "nodes[0].mesh must be the number of an entry, and there are 1"},
    {"{'mesh':0}", "{'mesh':-1}", "nodes[0].mesh must be the number"},
    {"{'mesh':0}", "{'mesh':1e300}", "nodes[0].mesh must be the number"},
    {"{'mesh':0}", "{'mesh':0,'skin':0}", "nodes[0] has a skin, which is not read"},
    {"{'mesh':0}", "{'mesh':0,'rotation':[0,0,0,0]}", "nodes[0].rotation must not be 0"},
    {"{'mesh':0}", "{'mesh':0,'scale':[1,1]}", "nodes[0].scale must be 3 numbers within 1e6"},
    {"{'mesh':0}", "{'mesh':0,'scale':[1,1,1e9]}", "nodes[0].scale must be 3 numbers within 1e6"},
    {"{'mesh':0}", "{'mesh':0,'matrix':[1,2,3]}", "nodes[0].matrix must be 16 numbers within 1e6"},
    {"{'mesh':0}", "{'mesh':0,'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}",
     "nodes[0] is animated, but a matrix places it"},
    {"{'attributes'", "{'targets':[],'attributes'",
     "meshes[0].primitives[0] has morph targets, which are not read"},
    {"'POSITION':0", "'POSITION':1", "accessors[1] must be of type VEC3"},
    {"'POSITION':0", "'POSITION':9", "meshes[0].primitives[0].POSITION must be the number"},
    {"'indices':1", "'indices':0", "accessors[0] must be of type SCALAR"},
    {"'indices':1", "'indices':2", "has an index that is not one of its 8 vertices"},
    {"'componentType':5126", "'componentType':5124",
     "accessors[0].componentType must be 5120 to 5123, 5125 or 5126, not 5124"},
    {"'count':8", "'count':7", "has an index that is not one of its 7 vertices"},
    {"'count':8", "'count':0", "accessors[0].count must be a whole number from 1 on"},
    {"'count':8", "'count':4294967295", "accessors[0] ends after its bufferView of 372 bytes"},
    {"'count':8", "'count':8,'sparse':{}", "accessors[0] is sparse, which is not read"},
    {"'accessors':[{'bufferView':0,", "'accessors':[{", "accessors[0] has no bufferView"},
    {"'accessors':[{'bufferView':0,", "'accessors':[{'bufferView':2,",
     "accessors[0].bufferView must be the number"},
    {"'byteOffset':0", "'byteOffset':4294967295", "accessors[0] ends after its bufferView"},
    {"'byteOffset':0", "'byteOffset':-4",
     "accessors[0].byteOffset must be a whole number from 0 on"},
    {"[{'buffer':0,'byteLength':372}]", "[{'buffer':0,'byteLength':4294967295}]",
     "bufferViews[0] ends after its buffer of 372 bytes"},
    {"[{'buffer':0,'byteLength':372}]", "[{'buffer':0,'byteLength':372,'byteStride':4}]",
     "bufferViews[0].byteStride is smaller than the elements of accessors[0]"},
    {"[{'buffer':0,'byteLength':372}]", "[{'byteLength':372}]", "bufferViews[0] has no buffer"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'data:,x'}]",
     "the data: URI of buffers[0] must be base64"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'data:;base64,!'}]",
     "a buffer's data: URI has a character that base64 lacks"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'../a.bin'}]",
     "the buffer '../a.bin' must be a file in the same folder or below it"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'/etc/passwd'}]",
     "must be a file in the same folder"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'a/%2e%2e/%2e%2e/b'}]",
     "must be a file in the same folder"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'a%00.bin'}]",
     "must be a file in the same folder"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'http://a/b.bin'}]",
     "must be a file in the same folder"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'none.bin'}]",
     "its buffer 'none.bin' cannot be opened"},
    {"'buffers':[{'byteLength':372}]", "'buffers':[{'uri':'out.bin'}]",
     "the buffer 'out.bin' leads out of its folder"},
    {"'buffers':[{'byteLength':372}],'bufferViews':[{'buffer':0",
     "'buffers':[{},{}],'bufferViews':[{'buffer':1",
     "buffers[1] has no uri, and no part of a .glb"},
    {"'samplers':[{'input':2,", "'samplers':[{'input':0,", "accessors[0] must be of type SCALAR"},
    {"'samplers':[{'input':2,", "'samplers':[{",
     "animations[0].samplers[0] needs input and output"},
    {"'samplers':[{'input':2,'output':3}", "'samplers':[{'input':2,'output':5}",
     "animations[0].samplers[0] has 3 times and 9 values"},
    {"'samplers':[{'input':2,", "'samplers':[{'interpolation':'BEZIER','input':2,",
     "interpolation must be LINEAR, STEP or CUBICSPLINE, not 'BEZIER'"},
    {"'channels':[{'sampler':0,", "'channels':[{", "animations[0] has a channel without a sampler"},
    {"'channels':[{'sampler':0,", "'channels':[{'sampler':2,", "animations[0].sampler must be the"},
};

static void check_refused(GltfFile *file, const BillowError *error, const char *message)
{
    if (file != NULL)
        fail_msg("it was read, without: %s", message);
    if (strstr(error->text, message) == NULL || strncmp(error->text, "a.glb: ", 7) != 0 ||
        strchr(error->text, '\n') != NULL)
        fail_msg("%s\ninstead of\n%s", error->text, message);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    assert_int_equal(symlink("/etc/hostname", "out.bin"), 0);
    for (int w = 0; w < LENGTH(wrong); w++) {
        BillowError error = {""};
        check_refused(read_text(CUBE_ROLLS, wrong[w].from, wrong[w].to, &error), &error,
                      wrong[w].message);
    }
    assert_int_equal(unlink("out.bin"), 0);
}

/* Bad numbers in the buffer, which the text cannot show. */
static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        const char *message;
    } places[] = {
        {offsetof(CubeData, corners), "has a coordinate that is not within 1e6"},
        {offsetof(CubeData, times) + 4, "input must be times within 1e6 s"},
        {offsetof(CubeData, turns) + 8, "output must be numbers within 1e6"},
    };
    char *json = json_of(CUBE_ROLLS, NULL, NULL);
    for (int p = 0; p < LENGTH(places); p++) {
        CubeData data = cube_data();
        const float nan = NAN;
        size_t length;
        BillowError error = {""};
        memcpy((char *)&data + places[p].at, &nan, sizeof nan);
        char *glb = glb_of(json, &data, sizeof data, &length);
        check_refused(gltf_file_read("a.glb", glb, length, &error), &error, places[p].message);
        free(glb);
    }
    free(json);
}

/* Every beginning of a file, and each of its first bytes changed. */
static void damaged_files_are_refused(void **state)
{
    (void)state;
    const CubeData data = cube_data();
    size_t length;
    char *json = json_of(CUBE_ROLLS, NULL, NULL), *glb = glb_of(json, &data, sizeof data, &length);
    for (size_t part = 0; part < length; part++) {
        char *copy = malloc(part + 1); /* so that reading beyond it shows */
        assert_non_null(copy);
        memcpy(copy, glb, part);
        BillowError error = {""};
        GltfFile *file = gltf_file_read("a.glb", copy, part, &error);
        assert_null(file);
        assert_true(error.text[0] != '\0');
        free(copy);
    }
    static const struct {
        int byte;
        const char *message;
    } changes[] = {
        {0, "it does not begin as a .glb file does"},
        {4, "only version 2 of .glb files is read"},
        {11, "it should hold "},
        {15, "it ends within a part of "},
        {16, "its first part must be JSON"},
    };
    for (int c = 0; c < LENGTH(changes); c++) {
        BillowError error = {""};
        glb[changes[c].byte] ^= 0x40;
        check_refused(gltf_file_read("a.glb", glb, length, &error), &error, changes[c].message);
        glb[changes[c].byte] ^= 0x40;
    }
    free(json);
    free(glb);
}

/* Files whose JSON asks for very much. */
static void much_is_refused(void **state)
{
    (void)state;
    static const char node[] = "{'mesh':0}";
    BillowError error = {""};
    MeshFile mesh;
    GltfFile *file = must_read(CUBE_JSON ",'nodes':[{'children':[1],'scale':[1e6,1,1]},"
                                         "{'mesh':0,'scale':[1e6,1,1]}]}",
                               NULL, NULL);
    assert_false(gltf_file_mesh(file, 0, &mesh, &error));
    assert_string_equal(error.text, "nodes[1] moves vertices beyond 1e6 m");
    gltf_file_close(file);
    file = must_read(CUBE_JSON ",'nodes':[{'mesh':0,'scale':[0,0,0]}]}", NULL, NULL);
    assert_false(gltf_file_mesh(file, 0, &mesh, &error));
    assert_string_equal(error.text, "holds 0 triangles; at least 4 are needed");
    gltf_file_close(file);
    /* nodes that share many primitives, each of which is nothing */
    enum { NODES = 1000, EMPTY = 1001, VALUES = 4000001 };
    char *shared = malloc(12 * NODES + 6 * NODES + 3 * EMPTY + 400), *end = shared;
    assert_non_null(shared);
    end += sprintf(end, "{'asset':{'version':'2.0'},'nodes':[");
    for (int n = 0; n < NODES; n++)
        end += sprintf(end, "%s{'mesh':0}", n > 0 ? "," : "");
    end += sprintf(end, "],'meshes':[{'primitives':[");
    for (int n = 0; n < EMPTY; n++)
        end += sprintf(end, "%s{}", n > 0 ? "," : "");
    end += sprintf(end, "]}],'scenes':[{'nodes':[");
    for (int n = 0; n < NODES; n++)
        end += sprintf(end, "%s%d", n > 0 ? "," : "", n);
    sprintf(end, "]}]}");
    for (char *c = shared; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    assert_null(gltf_file_read("a.gltf", shared, strlen(shared), &error));
    assert_non_null(strstr(error.text, "its nodes show more than 1000000 primitives"));
    free(shared);
    char *values = malloc(2 * (size_t)VALUES + 2);
    assert_non_null(values);
    for (size_t v = 0; v < VALUES; v++)
        memcpy(values + 2 * v, "0,", 2);
    values[0] = '[';
    assert_null(gltf_file_read("a.gltf", values, 2 * (size_t)VALUES, &error));
    assert_non_null(strstr(error.text, "its JSON holds more than 4000000 values"));
    free(values);
    /* many primitives of a large strip */
    enum { MANY = 320, INDICES = 65000, BYTES = 96 + 2 * INDICES };
    char *text = malloc(MANY * 64 + 2000), *buffer = calloc(1, BYTES);
    assert_true(text != NULL && buffer != NULL);
    char *at = text + sprintf(text,
                              "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],"
                              "'nodes':[%s],'buffers':[{'byteLength':%d}],"
                              "'bufferViews':[{'buffer':0,'byteLength':%d}],"
                              "'accessors':[{'bufferView':0,'componentType':5126,'count':8,"
                              "'type':'VEC3'},{'bufferView':0,'byteOffset':96,"
                              "'componentType':5123,'count':%d,'type':'SCALAR'}],"
                              "'meshes':[{'primitives':[",
                              node, BYTES, BYTES, INDICES);
    for (int n = 0; n < MANY; n++)
        at += sprintf(at, "%s{'mode':5,'attributes':{'POSITION':0},'indices':1}", n > 0 ? "," : "");
    sprintf(at, "]}]}");
    size_t length;
    char *json = json_of(text, NULL, NULL), *glb = glb_of(json, buffer, BYTES, &length);
    check_refused(gltf_file_read("a.glb", glb, length, &error), &error,
                  "it holds more than 20000000 vertices or triangles");
    free(text);
    free(buffer);
    free(json);
    free(glb);
}

/* -------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/billow-test-gltf-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_place_their_meshes),
        cmocka_unit_test(every_component_type_is_read),
        cmocka_unit_test(buffers_may_be_texts_and_files),
        cmocka_unit_test(keys_are_interpolated),
        cmocka_unit_test(animations_play_together),
        cmocka_unit_test(keys_out_of_order_are_read),
        cmocka_unit_test(a_moment_is_no_motion),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(much_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
