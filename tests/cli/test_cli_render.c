/* SPDX-License-Identifier: MIT
 * The program from outside, with graphics: pictures, sequences, interrupts, machines without GL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include "png_fixture.h"
#ifdef BILLOW_OPENEXR
#include "exr_fixture.h"
#endif
#include <billow/billow.h>
#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CliRun run;

/* Removes the display of the session, so that the offscreen driver is used. */
#define NO_DISPLAY "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "
#define NO_EGL     NO_DISPLAY "__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere "
#define OLD_GL     NO_DISPLAY "MESA_GL_VERSION_OVERRIDE=3.2 "
#define SMALL      " --grid 16 --refine 1 --size 64x48 --force "
#define DRAFT      SMALL "--quality draft "
/* A still of a moment soon after the start, without up-resolution, whose noise takes most of the
 * time of a small picture. */
#define SOON " --set poster.time=0.2 --set upres.factor=1"

/* The first 20 frames of the plume, a sequence in draft quality that is drawn once, beside the
 * tests' folder. */
#define FRAMES "\"$PWD.frames\""
static char frames_folder[64];

static const char *frame(int number)
{
    static char path[96];
    snprintf(path, sizeof path, "%s/f_%03d.png", frames_folder, number);
    return path;
}

static int draw_frames(void **state)
{
    int failed = cli_enter_folder(state);
    if (failed != 0)
        return failed;
    char folder[32];
    if (getcwd(folder, sizeof folder) == NULL)
        return -1;
    snprintf(frames_folder, sizeof frames_folder, "%s.frames", folder);
    cli_run(&run, "mkdir " FRAMES " && " NO_DISPLAY
                  "\"$BILLOW\" render plume --frames 20 --out " FRAMES "/f_%03d.png" DRAFT);
    return run.status;
}

static int leave_frames(void **state)
{
    cli_run(&run, "rm -r " FRAMES);
    return cli_leave_folder(state) != 0 || run.status != 0;
}

static void read_picture(Image *image, const char *path, int channels)
{
    BillowError error;
    if (!png_read(image, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(image->width, 64);
    assert_int_equal(image->height, 48);
    assert_int_equal(image->channels, channels);
}

static bool same_pictures(const char *left, const char *right)
{
    Image a, b;
    read_picture(&a, left, 3);
    read_picture(&b, right, 3);
    bool same = memcmp(a.pixels, b.pixels, (size_t)a.width * (size_t)a.height * 3) == 0;
    image_destroy(&a);
    image_destroy(&b);
    return same;
}

static bool nearly_same_pictures(const char *left, const char *right, int most)
{
    Image a, b;
    read_picture(&a, left, 3);
    read_picture(&b, right, 3);
    bool same = true;
    for (int i = 0; i < a.width * a.height * 3; i++)
        same = same && abs(a.pixels[i] - b.pixels[i]) <= most;
    image_destroy(&a);
    image_destroy(&b);
    return same;
}

static void test_sequence_ends_in_the_still(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 6 --out a.png" DRAFT);
    assert_string_equal(run.out, "wrote a.png\n");
    assert_int_equal(cli_folder_entries(), 1);
    assert_true(same_pictures("a.png", frame(6)));
    assert_false(same_pictures("a.png", frame(1)));
    cli_expect_done(&run, "rm *.png; ls -A " FRAMES " | tr '\\n' ' '");
    assert_int_equal(strncmp(run.out, "f_001.png f_002.png ", 20), 0);
    assert_int_equal(strlen(run.out), 20 * strlen("f_001.png "));
}

/* Without --out the picture has the scene's name, and never replaces another file. */
static void test_named_after_the_scene(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2" DRAFT);
    assert_string_equal(run.out, "wrote plume.png\n");
    cli_expect_failure(&run,
                       NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --grid 16 --size 64x48", 1,
                       "plume.png");
    cli_expect_done(&run, "mkdir d; \"$BILLOW\" check plume --write d/mine.old.yaml");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render d/mine.old.yaml --frames 2" DRAFT);
    assert_string_equal(run.out, "wrote mine.png\n");
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" render d/%.yaml --frames 2" DRAFT, 2,
                       "'render' needs --out FILE, such as --out plume.png");
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" render --frames 2" SMALL, 2,
                       "'render' needs a scene, such as 'billow render plume', or --resume FILE");
    cli_expect_done(&run, "rm -r *.png d");
}

static void test_standard_output(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 3 --out - >b.png "
                                     "--grid 16 --refine 1 --size 64x48 --quality draft");
    assert_true(same_pictures(frame(3), "b.png"));
    cli_expect_done(&run, "rm *.png");
    cli_expect_failure(&run,
                       NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --out - >/dev/full" DRAFT, 1,
                       "standard output");
}

/* Four bytes for each of four samples of a pixel, where there is less. */
static void test_pictures_beyond_memory(void **state)
{
    (void)state;
    cli_expect_failure(&run,
                       "(ulimit -v 4000000; \"$BILLOW\" render plume --grid 16 --frames 1 "
                       "--size 16000x16000 --samples 4 --set picture.bloom=0 --out a.png)",
                       1, "a picture of 16000x16000 needs 4.10 GB of memory and ");
}

static void test_options_change_the_picture(void **state)
{
    (void)state;
    static const char *const others[] = {"--grid 16 --camera 40,20,3",
                                         "--grid 16 --camera 0,10,2,60", "--grid 16 --fps 5",
                                         "--grid 16 --set sun.intensity=9", "--grid 24"};
    for (size_t index = 0; index < sizeof others / sizeof others[0]; index++) {
        char line[256];
        snprintf(line, sizeof line,
                 NO_DISPLAY
                 "\"$BILLOW\" render plume --frames 5 --quality draft --out b.png --force "
                 "--size 64x48 %s",
                 others[index]);
        cli_expect_done(&run, line);
        if (same_pictures(frame(5), "b.png"))
            fail_msg("'%s' changed nothing", others[index]);
    }
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render plume --frames 5 --out b.png --threads 3" DRAFT);
    assert_true(same_pictures(frame(5), "b.png"));
    cli_expect_done(&run, "rm *.png");
}

/* A still shows the time of the poster, with its values unless the quality is draft. */
static void test_quality(void **state)
{
    (void)state;
    cli_expect_done(
        &run, "printf 'name: q\\nposter:\\n  time: 0.2\\n  set: ground.visible=false\\n' >q.yaml");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render q.yaml" SMALL);
    cli_expect_done(&run, NO_DISPLAY
                    "\"$BILLOW\" render q.yaml --frames 6 --quality good --out f_%d.png" SMALL);
    assert_true(same_pictures("q.png", "f_6.png"));
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render q.yaml --quality good --out f_1.png" SMALL);
    assert_true(same_pictures("q.png", "f_1.png"));
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render q.yaml --quality draft --out f_2.png" SMALL);
    assert_false(same_pictures("q.png", "f_2.png"));
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render q.yaml --quality draft --out f_3.png "
                                     "--set picture.filter=cubic --set ground.visible=false" SMALL);
    assert_true(same_pictures("q.png", "f_3.png"));
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render q.yaml --quality best --out f_4.png" SMALL);
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render q.yaml --samples 4 --out f_5.png "
                                     "--checkpoint c.billow" SMALL);
    assert_true(same_pictures("f_4.png", "f_5.png"));
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" render q.yaml --quality high" SMALL, 2,
                       "--quality: must be draft, good or best, not 'high'");
    cli_expect_failure(&run,
                       NO_DISPLAY "\"$BILLOW\" render --resume c.billow --quality best "
                                  "--out g.png --size 64x48",
                       2, "--quality has no use with --resume");
    cli_expect_done(&run, "rm *.png q.yaml c.billow");
}

/* A turntable and a timeline bring the camera to the position that --camera gives. A camera
 * given by --camera stays there. */
static void test_cameras_move(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "plume --set camera.azimuth=10 --turntable 4",
        "k.yaml",
        "k.yaml --set camera.azimuth=100 --set \"camera.target=[0.5, 0.5, 0.5]\"",
    };
    cli_expect_done(&run, "\"$BILLOW\" scenes --show plume >k.yaml && printf '%s\\n' timeline: "
                          "'  - {key: camera.azimuth, values: [[0, 10], [1, 100]]}' >>k.yaml");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 6 --fps 6 --out a.png "
                                     "--set camera.azimuth=100" DRAFT);
    for (size_t index = 0; index < sizeof ways / sizeof ways[0]; index++) {
        char line[256];
        snprintf(line, sizeof line,
                 NO_DISPLAY "\"$BILLOW\" render %s --frames 6 --fps 6 --out b.png" DRAFT,
                 ways[index]);
        cli_expect_done(&run, line);
        if (same_pictures("a.png", "b.png") != (index < 2))
            fail_msg("'%s' shows another view", ways[index]);
    }
    cli_expect_done(&run, "rm *.png k.yaml");
}

static void test_transparent(void **state)
{
    (void)state;
    Image image;
    cli_expect_done(&run, NO_DISPLAY
                    "\"$BILLOW\" render plume --frames 30 --transparent --out a.png" DRAFT);
    read_picture(&image, "a.png", 4);
    int clear = 0, smoky = 0;
    for (int pixel = 0; pixel < 64 * 48; pixel++) {
        clear += image.pixels[4 * pixel + 3] == 0;
        smoky += image.pixels[4 * pixel + 3] > 20;
    }
    assert_true(clear > 64 * 48 / 4);
    assert_true(smoky > 10);
    image_destroy(&image);
    cli_expect_done(&run, "rm *.png");
}

/* -- the camera for other programs ------------------------------------------------------------- */

static size_t read_bytes(const char *path, char *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(bytes, 1, most - 1, file);
    fclose(file);
    bytes[length] = 0;
    return length;
}

static double number_of(const cJSON *item)
{
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void numbers_of(const cJSON *array, int count, double *numbers)
{
    assert_int_equal(cJSON_GetArraySize(array), count);
    for (int c = 0; c < count; c++)
        numbers[c] = number_of(cJSON_GetArrayItem(array, c));
}

/* Turns a vector by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v). */
static void turn(const double q[4], const double v[3], double turned[3])
{
    double once[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        once[i] = 2 * (q[j] * v[k] - q[k] * v[j]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        turned[i] = v[i] + q[3] * once[i] + q[j] * once[k] - q[k] * once[j];
    }
}

/* The middle of what differs between two pictures. */
static void middle_of_difference(const char *left, const char *right, double middle[2])
{
    Image a, b;
    double sum = 0;
    middle[0] = middle[1] = 0;
    read_picture(&a, left, 3);
    read_picture(&b, right, 3);
    for (int i = 0; i < 64 * 48; i++) {
        const int differs = abs(a.pixels[3 * i] - b.pixels[3 * i]) > 8;
        sum += differs;
        middle[0] += differs * (i % 64 + 0.5);
        middle[1] += differs * (i / 64 + 0.5);
    }
    image_destroy(&a);
    image_destroy(&b);
    assert_true(sum > 4);
    middle[0] /= sum;
    middle[1] /= sum;
}

/* A ball seen by a camera that circles: in each frame the written camera looks at its target from
 * its distance, and shows the ball where the picture shows it. */
static void test_camera_out(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const double ball[3] = {0.2, 0.7, 0.1}, axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    static char text[1 << 16];
    const double degree = acos(-1) / 180;
    cli_expect_done(&run, "printf 'name: s\nground: {visible: false}\nsolids:\n  - {shape: sphere, "
                          "center: [0.2, 0.7, 0.1], size: 0.1}\n' >s.yaml; "
                          "printf 'name: s\nground: {visible: false}\n' >t.yaml");
#define CIRCLE " --frames 6 --fps 3 --turntable 4 --camera 30,20,3,40 --set picture.bloom=0" DRAFT
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render t.yaml --out t_%d.png" CIRCLE "&& " NO_DISPLAY
                               "\"$BILLOW\" render s.yaml --out a.apng --camera-out c.glb" CIRCLE);
    assert_non_null(strstr(run.out, "wrote a.apng, 6 frames\nwrote c.glb\n"));
    cli_expect_done(&run, NO_DISPLAY
                    "\"$BILLOW\" render s.yaml --out s_%d.png --camera-out c.json" CIRCLE);
    read_bytes("c.json", text, sizeof text);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    const size_t length = read_bytes("c.glb", text, sizeof text);
    uint32_t head[5];
    memcpy(head, text, sizeof head);
    assert_memory_equal(text, "glTF", 4);
    assert_int_equal(head[1], 2);
    assert_int_equal(head[2], length);
    assert_int_equal(length, 20 + head[3] + 8 + COUNT * 8 * sizeof(float));
    cJSON *gltf = cJSON_Parse(text + 20);
    assert_non_null(gltf);
    float keys[COUNT * 8];
    memcpy(keys, text + length - sizeof keys, sizeof keys);
    const cJSON *lens = cJSON_GetObjectItem(
        cJSON_GetArrayItem(cJSON_GetObjectItem(gltf, "cameras"), 0), "perspective");
    assert_true(fabs(number_of(cJSON_GetObjectItem(lens, "yfov")) - 40 * degree) < 1e-6);
    const cJSON *frames = cJSON_GetObjectItem(json, "frames");
    assert_int_equal(cJSON_GetArraySize(frames), COUNT);
    for (int n = 0; n < COUNT; n++) {
        const cJSON *frame = cJSON_GetArrayItem(frames, n);
        double place[3], rotation[4], axis[3][3], seen[3] = {0, 0, 0}, found[2];
        char left[16], right[16];
        numbers_of(cJSON_GetObjectItem(frame, "position"), 3, place);
        numbers_of(cJSON_GetObjectItem(frame, "rotation"), 4, rotation);
        for (int a = 0; a < 3; a++)
            turn(rotation, axes[a], axis[a]);
        const double azimuth = (30 + 90 * (n + 1) / 3.0) * degree;
        assert_true(fabs(axis[0][0] - cos(azimuth)) < 1e-5 && fabs(axis[0][1]) < 1e-5 &&
                    fabs(axis[0][2] + sin(azimuth)) < 1e-5);
        for (int c = 0; c < 3; c++) {
            assert_true(fabs(place[c] + 3 * axis[2][c] - 0.5) < 1e-5); /* the target */
            for (int a = 0; a < 3; a++)
                seen[a] += (ball[c] - place[c]) * axis[a][c];
            assert_true(fabs((double)keys[COUNT + 3 * n + c] - place[c]) < 1e-6);
        }
        for (int c = 0; c < 4; c++)
            assert_true(fabs((double)keys[4 * COUNT + 4 * n + c] - rotation[c]) < 1e-6);
        assert_true(fabs((double)keys[n] - n / 3.0) < 1e-6);
        const double pixels = 24 / tan(0.5 * 40 * degree) / seen[2];
        snprintf(left, sizeof left, "s_%d.png", n + 1);
        snprintf(right, sizeof right, "t_%d.png", n + 1);
        middle_of_difference(left, right, found);
        assert_true(fabs(32 + pixels * seen[0] - found[0]) < 0.7);
        assert_true(fabs(24 - pixels * seen[1] - found[1]) < 0.7);
    }
    cJSON_Delete(json);
    cJSON_Delete(gltf);
    cli_expect_failure(&run, "\"$BILLOW\" render s.yaml --out a.png --camera-out a.txt", 2,
                       "--camera-out: 'a.txt' must end in .json or .glb");
    cli_expect_failure(&run, "\"$BILLOW\" render s.yaml --out b.png --camera-out c.json", 1,
                       "c.json exists; --force overwrites it");
    cli_expect_failure(&run,
                       "\"$BILLOW\" render s.yaml --flipbook 2x2 --out b.png --camera-out b.json",
                       2, "--camera-out and --flipbook cannot both go to b.json");
    cli_expect_done(&run, "rm *.png *.apng *.yaml c.*");
}

/* Expects two pictures, decoded by ffmpeg, to differ by at most this many steps. */
static void expect_like_png(const char *other, const char *png, const char *pixels, int most)
{
    static uint8_t found[2][64 * 48 * 4];
    const size_t bytes = (size_t)64 * 48 * (strcmp(pixels, "rgba") == 0 ? 4 : 3);
    const char *const names[] = {other, png};
    for (int n = 0; n < 2; n++) {
        char line[256];
        snprintf(line, sizeof line,
                 "ffmpeg -loglevel error -y -i %s -f rawvideo -pix_fmt %s pixels", names[n],
                 pixels);
        cli_expect_done(&run, line);
        FILE *file = fopen("pixels", "rb");
        assert_non_null(file);
        assert_int_equal(fread(found[n], 1, bytes, file), bytes);
        assert_int_equal(fgetc(file), EOF);
        fclose(file);
    }
    int worst = 0;
    for (size_t i = 0; i < bytes; i++)
        worst = abs(found[0][i] - found[1][i]) > worst ? abs(found[0][i] - found[1][i]) : worst;
    assert_true(worst <= most);
}

/* Pictures of other endings, alone and in sequences, look as a .png. */
static void test_other_stills(void **state)
{
    (void)state;
    cli_expect_failure(&run, "\"$BILLOW\" render plume --transparent --out a.jpg" DRAFT, 2,
                       "a.jpg: .jpg files keep no transparency; write a .png, or write");
    if (system("command -v ffmpeg >/dev/null") != 0)
        skip();
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --out f_%03d.tga" DRAFT);
    expect_like_png("f_002.tga", frame(2), "rgb24", 0);
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --out f_%03d.JPG" DRAFT);
    expect_like_png("f_002.JPG", frame(2), "rgb24", 24);
    cli_expect_done(&run,
                    NO_DISPLAY "\"$BILLOW\" render plume --frames 9 --transparent --out a.tga" DRAFT
                               "&& " NO_DISPLAY "\"$BILLOW\" render plume --frames 9 --transparent "
                               "--out a.png" DRAFT);
    expect_like_png("a.tga", "a.png", "rgba", 0);
    assert_int_equal(cli_folder_entries(), 7);
    cli_expect_done(&run, "rm *.tga *.JPG *.png pixels");
}

/* An existing file is refused before the first of a million steps. */
static void test_never_over_a_file(void **state)
{
    (void)state;
#define PLAIN "--grid 16 --refine 1 --size 64x48 "
#define LONG  "\"$BILLOW\" render plume --frames 1000000 " PLAIN
    cli_expect_done(&run, "echo mine >a.png; echo mine >f_7.png; echo mine >a.mp4; mkdir d; "
                          "echo mine >d/real.png; ln -s d/real.png link.png");
    cli_expect_failure(&run, LONG "--out a.png", 1, "a.png exists; --force");
    cli_expect_failure(&run,
                       NO_DISPLAY "\"$BILLOW\" render plume --frames 10000 --out f_%d.png " PLAIN,
                       1, "f_7.png exists; --force");
    cli_expect_failure(&run, LONG "--out a.mp4", 1, "a.mp4 exists; --force");
    cli_expect_failure(&run, LONG "--out link.png", 1, "link.png exists; --force");
    cli_expect_done(&run, "cat a.png f_7.png a.mp4 d/real.png");
    assert_string_equal(run.out, "mine\nmine\nmine\nmine\n");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --out f_%d.png " PLAIN);
    cli_expect_done(
        &run, NO_DISPLAY
        "\"$BILLOW\" render plume --frames 2 --out a.png --quality draft --force " PLAIN);
    assert_true(same_pictures("a.png", "f_2.png"));
    cli_expect_done(&run, "cp a.png plume.png");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" run " PLAIN SOON);
    assert_non_null(strstr(run.out, "wrote plume-2.png\n"));
    assert_true(same_pictures("a.png", "plume.png"));
    cli_expect_done(&run, "rm -r *");
    assert_int_equal(cli_folder_entries(), 0);
}

static double mean_difference(const char *left, const char *right)
{
    Image a, b;
    double sum = 0;
    read_picture(&a, left, 3);
    read_picture(&b, right, 3);
    int bytes = a.width * a.height * 3;
    for (int i = 0; i < bytes; i++)
        sum += abs(a.pixels[i] - b.pixels[i]);
    image_destroy(&a);
    image_destroy(&b);
    return sum / bytes;
}

/* With more samples, a picture converges to that of most samples, at the same brightness. */
static void test_samples(void **state)
{
    (void)state;
    for (int root = 2; root <= 4; root++) {
        char line[256];
        snprintf(line, sizeof line,
                 NO_DISPLAY "\"$BILLOW\" render plume --frames 20 --samples %d --out s%d.png" DRAFT,
                 root * root, root);
        cli_expect_done(&run, line);
    }
    double one = mean_difference(frame(20), "s4.png"), four = mean_difference("s2.png", "s4.png");
    double nine = mean_difference("s3.png", "s4.png");
    assert_true(one > four && four > nine && nine > 0);
    assert_true(one < 4);
    cli_expect_done(&run, "rm s*.png");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --samples 5 --out a.png" DRAFT, 2,
                       "--samples: must be 1, 4, 9 or 16, not 5");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --samples 4 --out a.exr" DRAFT, 2,
                       "--samples: must be 1 for EXR files, as distances have no mean, not 4");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --samples 17 --out a.png" DRAFT, 2, "16");
    assert_int_equal(cli_folder_entries(), 0);
}

#define BALL                                                                                       \
    NO_DISPLAY                                                                                     \
    "\"$BILLOW\" render falling-ball --frames 8 --set smoke.extinction=0 --exposures 8 " DRAFT

/* Lens and shutter blur the picture, solids that move too, and more exposures converge. */
static void test_lens_and_shutter(void **state)
{
    (void)state;
    static const char *const blurs[] = {"camera.aperture=0.03", "camera.shutter=0.2"};
    for (int blur = 0; blur < 2; blur++) {
        char line[256];
        for (int exposures = 4; exposures <= 36; exposures *= 3) {
            snprintf(line, sizeof line,
                     NO_DISPLAY "\"$BILLOW\" render plume --frames 20 --set %s --exposures %d "
                                "--out b%d.png" DRAFT,
                     blurs[blur], exposures, exposures);
            cli_expect_done(&run, line);
        }
        double sharp = mean_difference(frame(20), "b36.png");
        double few = mean_difference("b4.png", "b36.png");
        double more = mean_difference("b12.png", "b36.png");
        if (!(sharp > 2 * more && few > more && more > 0))
            fail_msg("%s: %g, %g, %g", blurs[blur], sharp, few, more);
    }
    cli_expect_done(&run, BALL "--set camera.shutter=0.0001 --out a.png");
    cli_expect_done(&run, BALL "--set camera.shutter=0.2 --out b.png");
    double streak = mean_difference("a.png", "b.png");
    if (!(streak > 0.4))
        fail_msg("a ball that falls for 0.2 s while the shutter is open differs by %g", streak);
    cli_expect_done(&run, "rm *.png");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --exposures 0 --out a.png" DRAFT, 2, "4096");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --exposures 4 --out a.png" DRAFT, 2,
                       "--exposures 4 needs camera.aperture or camera.shutter above 0");
    assert_int_equal(cli_folder_entries(), 0);
}

static void test_slice(void **state)
{
    (void)state;
    static const char *const others[] = {"speed", "speed,x=1", "speed,contours=5,legend=no",
                                         "speed,range=0:0.1", "speed,veil=1"};
    cli_expect_done(&run, "cp " FRAMES "/f_012.png a.png");
    for (size_t index = 0; index < sizeof others / sizeof others[0]; index++) {
        char line[256];
        snprintf(line, sizeof line,
                 NO_DISPLAY "\"$BILLOW\" render plume --frames 12 --out b.png --quiet" DRAFT
                            "--slice %s",
                 others[index]);
        cli_expect_done(&run, line);
        if (same_pictures("a.png", "b.png"))
            fail_msg("'%s' changed nothing", others[index]);
        cli_expect_done(&run, "mv b.png a.png");
    }
    cli_expect_failure(
        &run, NO_DISPLAY "\"$BILLOW\" render plume --out a.png --frames 1 --slice curl" DRAFT, 0,
        "the slice has no legend: 64x48 pixels are too few for its text");
    cli_expect_done(&run, "rm *.png");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --out a.png --slice fuel" DRAFT, 2,
                       "a slice of fuel: this scene has no fire (fluid.fire)");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --out a.png --slice speed,y=3" DRAFT, 2,
                       "a slice at y=3 is not in the box, which goes from 0 to 2 m");
    assert_int_equal(cli_folder_entries(), 0);
}

static void test_run_without_display_renders(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" run" SMALL SOON);
    assert_non_null(strstr(run.out, "no display"));
    assert_non_null(strstr(run.out, "wrote plume.png\n")); /* and not of the window's scene, play */
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --out b.png" SMALL SOON);
    assert_true(same_pictures("plume.png", "b.png"));
    cli_expect_done(&run, "rm plume.png");
    cli_run(&run, NO_DISPLAY "SDL_VIDEODRIVER=xyzzy \"$BILLOW\" plume" SMALL SOON);
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.out, "SDL_VIDEODRIVER=xyzzy does not start"));
    assert_true(same_pictures("plume.png", "b.png"));
    cli_expect_done(&run, "mkdir d && \"$BILLOW\" scenes --show plume >d/my%s.yaml");
    cli_expect_done(&run, "env -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER DISPLAY=:7777 \"$BILLOW\" "
                          "run d/my%s.yaml" SMALL SOON);
    assert_non_null(strstr(run.out, "nothing answers at DISPLAY=:7777 (SDL took its driver "));
    assert_true(same_pictures("my%s.png", "b.png"));
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" run --json a.json", 1,
                       "--json reports on a window, and there is no display to open one on");
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" run --kiosk", 1, "--kiosk needs a window");
    cli_expect_done(&run, "seq -f 'plume-%g.png' 2 9999 | xargs touch");
    cli_expect_failure(&run, NO_DISPLAY "\"$BILLOW\" run --grid 16 --size 64x48", 1,
                       "plume: no picture can be named after it; use 'billow render --out FILE'");
    cli_expect_done(&run, "ls | grep png | xargs rm; rm -r d");
    assert_int_equal(cli_folder_entries(), 0);
}

static void test_window_reports(void **state)
{
    (void)state;
    cli_expect_failure(&run,
                       "env -u HOME -u XDG_STATE_HOME SDL_VIDEODRIVER=offscreen \"$BILLOW\" run "
                       "--seconds 1 --json - --autosave 9" SMALL,
                       0, "notice: no automatic checkpoints: their folder cannot be created");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    static const char *const keys[] = {"threads",        "seconds",      "frames",
                                       "steps",          "fps",          "frame_ms_median",
                                       "frame_ms_max",   "input_ms_max", "overlay_ms_median",
                                       "step_ms_median", "scale"};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        assert_true(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(root, keys[index])));
    assert_true(cJSON_GetObjectItemCaseSensitive(root, "frames")->valuedouble > 1);
    cJSON_Delete(root);
    cli_run_signalled(&run, "env SDL_VIDEODRIVER=offscreen \"$BILLOW\" run --grid 16 --size 64x48",
                      "sleep 0.3", SIGINT);
    assert_int_equal(run.status, 130);
}

static void test_no_gl_is_one_line(void **state)
{
    (void)state;
    static const char *const lines[] = {NO_EGL "\"$BILLOW\" render plume --out a.png" DRAFT,
                                        OLD_GL "\"$BILLOW\" render plume --out a.png" DRAFT,
                                        NO_EGL "\"$BILLOW\" run" SMALL};
    for (int line = 0; line < 3; line++)
        cli_expect_failure(&run, lines[line], 1, "Debian packages libegl1 and libgl1-mesa-dri");
    cli_expect_failure(&run, "SDL_VIDEODRIVER=dummy \"$BILLOW\" run" SMALL, 1,
                       "this display offers no context of version 3.3 (SDL: ");
    cli_expect_failure(&run,
                       NO_DISPLAY "\"$BILLOW\" render plume --out a.png --shaders nowhere" DRAFT, 1,
                       "nowhere");
    assert_int_equal(cli_folder_entries(), 0);
    cli_expect_done(&run, NO_EGL "\"$BILLOW\" sim plume --steps 1 --grid 16");
    cli_expect_done(&run, NO_EGL "\"$BILLOW\" info");
    assert_non_null(strstr(run.out, "not available: OpenGL"));
    assert_non_null(strstr(run.out, "BILLOW_SIMD=NAME"));
    assert_non_null(strstr(run.out, billow_simd_known(0)));
}

static void test_info_json(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" info --json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    assert_true(cJSON_GetObjectItemCaseSensitive(root, "threads")->valueint >= 1);
    assert_true(cJSON_GetObjectItemCaseSensitive(root, "stream_gbs")->valuedouble > 0);
    assert_true(cJSON_GetObjectItemCaseSensitive(root, "memory_bytes")->valuedouble > 1e6);
    const cJSON *gl = cJSON_GetObjectItemCaseSensitive(root, "gl");
    assert_true(cJSON_GetObjectItemCaseSensitive(gl, "texture_3d_max")->valueint >= 256);
    cJSON_Delete(root);
}

/* Every existing file must be a complete picture, and no temporary file may be left. */
static void test_interrupt_leaves_whole_pictures(void **state)
{
    (void)state;
    cli_run_signalled(&run,
                      NO_DISPLAY "\"$BILLOW\" render plume --frames 10000 --out f_%d.png" DRAFT,
                      "test -e f_2.png", SIGINT);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "billow: interrupted\n");
    int pictures = 0;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] == '.' && strstr(entry->d_name, "tmp") == NULL)
            continue;
        Image image;
        read_picture(&image, entry->d_name, 3);
        image_destroy(&image);
        pictures++;
    }
    closedir(entries);
    assert_true(pictures > 0);
    char said[64];
    snprintf(said, sizeof said, pictures > 1 ? "wrote f_1.png to f_%d.png\n" : "wrote f_%d.png\n",
             pictures);
    assert_string_equal(run.out, said);
    cli_expect_done(&run, "rm *.png");
    cli_run_signalled(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 100000 --out a.png" DRAFT,
                      "sleep 0.3", SIGTERM);
    assert_int_equal(run.status, 143);
    assert_string_equal(run.out, "");
    assert_int_equal(cli_folder_entries(), 0);
}

static int frames_of(const char *path)
{
    char line[256];
    snprintf(line, sizeof line,
             "ffprobe -v error -count_frames -select_streams v -show_entries "
             "stream=nb_read_frames -of csv=p=0 %s",
             path);
    cli_expect_done(&run, line);
    return atoi(run.out);
}

static void test_video(void **state)
{
    (void)state;
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 12 --out a.mp4" DRAFT);
    assert_string_equal(run.out, "wrote a.mp4, 12 frames\n");
    assert_int_equal(cli_folder_entries(), 1);
    assert_int_equal(frames_of("a.mp4"), 12);
    cli_expect_done(&run, "ffmpeg -v error -i a.mp4 v_%03d.png");
    assert_true(nearly_same_pictures("v_002.png", frame(2), 30));
    assert_true(nearly_same_pictures("v_012.png", frame(12), 30));
    assert_false(nearly_same_pictures("v_002.png", frame(12), 30));
    cli_expect_done(&run, "rm *.png a.mp4");
    cli_run(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --grid 16 --size 63x47 "
                             "--out a.mp4");
    assert_int_equal(run.status, 0);
    assert_non_null(
        strstr(run.err, "notice: .mp4 files have even widths and heights: drawn at 64x48"));
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 2 --grid 16 --size 63x47 "
                                     "--transparent --out a.webm");
    assert_int_equal(frames_of("a.webm"), 2);
    cli_expect_done(&run, "rm a.*");
    cli_expect_failure(&run,
                       "\"$BILLOW\" render plume --transparent --out a.mp4 --grid 40x41x42 "
                       "--size 63x47",
                       2, ".mp4 files keep no transparency; write a .webm, or write a sequence");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --transparent --out a.gif" DRAFT, 2,
                       ".gif files keep no transparency");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --fps 51 --out a.gif" DRAFT, 2,
                       ".gif files show at most 50 frames per second");
    cli_expect_failure(&run, "PATH=/nowhere; \"$BILLOW\" render plume --out a.mp4" DRAFT, 1,
                       "install it, or write a sequence of pictures (f_%04d.png)");
    cli_expect_failure(&run, "\"$BILLOW\" render plume --out a_%d.mp4" DRAFT, 2, "one file");
    assert_int_equal(cli_folder_entries(), 0);
}

/* Without --quality a video is as good as a still; ffmpeg makes the same file of it again. */
static void test_videos_are_good(void **state)
{
    (void)state;
    cli_expect_done(&run, "printf 'name: q\nposter:\n  set: ground.visible=false\n' >q.yaml");
#define TWO NO_DISPLAY "\"$BILLOW\" render q.yaml --frames 2" SMALL
    cli_expect_done(&run, TWO "--out a.apng && " TWO "--out b.apng --quality good && " TWO
                              "--out c.apng --quality draft");
    cli_expect_done(&run, "cmp a.apng b.apng");
    cli_run(&run, "cmp a.apng c.apng");
    assert_int_not_equal(run.status, 0);
    cli_expect_done(&run, "rm *.apng q.yaml");
}

/* Length of the sound of a video, s; 0: it has none. */
static double sound_of(const char *path)
{
    char line[256];
    snprintf(line, sizeof line,
             "ffprobe -v error -select_streams a -show_entries stream=duration:format=duration "
             "-of csv=p=0 %s | sort -n | tail -1; ffprobe -v error -select_streams a "
             "-show_entries stream=index -of csv=p=0 %s",
             path, path);
    double seconds = 0;
    int index = 0;
    cli_expect_done(&run, line);
    return sscanf(run.out, "%lf %d", &seconds, &index) == 2 ? seconds : 0;
}

/* The largest sample of a video's sound. */
static double loudest(const char *path)
{
    char line[256];
    snprintf(line, sizeof line,
             "ffmpeg -v error -i %s -f s16le -ac 1 - | od -An -v -t d2 -w2 | sort -n | "
             "sed -n '1p;$p'",
             path);
    int low = 0, high = 0;
    cli_expect_done(&run, line);
    assert_int_equal(sscanf(run.out, "%d %d", &low, &high), 2);
    return fmax(-low, high) / 32768.0;
}

static void test_sound_of_a_video(void **state)
{
    (void)state;
#define EXPLOSION NO_DISPLAY "\"$BILLOW\" render explosion --frames 12 --grid 16 --size 64x48 "
    cli_expect_done(&run, EXPLOSION "--out a.mp4");
    assert_int_equal(frames_of("a.mp4"), 12);
    assert_true(fabs(sound_of("a.mp4") - 0.4) < 0.03);
    assert_true(loudest("a.mp4") > 0.3 && loudest("a.mp4") < 1);
    cli_expect_done(&run, EXPLOSION "--out a.webm --from 0.1 --loop 0.1");
    assert_int_equal(frames_of("a.webm"), 12);
    assert_true(fabs(sound_of("a.webm") - 0.4) < 0.03);
    cli_expect_done(&run, EXPLOSION "--out b.mp4 --mute");
    assert_true(sound_of("b.mp4") == 0);
    assert_int_equal(cli_folder_entries(), 3);
    cli_expect_done(&run, "rm a.mp4 a.webm b.mp4");
}

/* The next run removes the temporary files of a killed one. */
static void test_what_is_left_of_the_killed_goes(void **state)
{
    (void)state;
    cli_run_signalled(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 100000 --out a.mp4" DRAFT,
                      "test -e billow-*.tmp", SIGKILL);
    assert_int_equal(run.status, 256 + SIGKILL);
    assert_int_equal(cli_folder_entries(), 1);
    assert_false(cli_file_exists("a.mp4"));
    /* The encoder holds the file until it has seen the end of its input. */
    cli_expect_done(&run, "flock --timeout 60 billow-*.tmp true");
    cli_expect_done(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 1 --out a.png" DRAFT);
    assert_int_equal(cli_folder_entries(), 1);
    assert_true(cli_file_exists("a.png"));
    cli_expect_done(&run, "rm a.png");
}

static void test_interrupt_leaves_a_video(void **state)
{
    (void)state;
    int frames = 0;
    /* 100 KiB are only reached by the temporary file of the sound, which begins after the first
     * frame: then the video has some. */
    cli_run_signalled(&run, NO_DISPLAY "\"$BILLOW\" render plume --frames 100000 --out a.mp4" DRAFT,
                      "test -n \"$(find . -name 'billow-*.tmp' -size +100k)\"", SIGINT);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "billow: interrupted\n");
    assert_int_equal(sscanf(run.out, "wrote a.mp4, %d frame", &frames), 1);
    assert_int_equal(cli_folder_entries(), 1);
    assert_int_equal(frames_of("a.mp4"), frames);
    cli_expect_done(&run, "rm a.mp4");
}

#ifdef BILLOW_OPENEXR

#define EXR_RENDER                                                                                 \
    NO_DISPLAY                                                                                     \
    "\"$BILLOW\" render sphere --frames 20 --grid 24 --size 64x48 --quality draft --force "        \
    "--set grade.contrast=1 "

/* Hill's fit of the ACES film curve (2016), scaled to approach 1, and the sRGB curve. */
static void tone_shown(const float radiance[3], float shown[3])
{
    static const float in[3][3] = {{0.59719f, 0.35458f, 0.04823f},
                                   {0.07600f, 0.90834f, 0.01566f},
                                   {0.02840f, 0.13383f, 0.83777f}};
    static const float out[3][3] = {{1.60475f, -0.53108f, -0.07367f},
                                    {-0.10208f, 1.10813f, -0.00605f},
                                    {-0.00327f, -0.07276f, 1.07602f}};
    float bent[3];
    for (int c = 0; c < 3; c++) {
        float v = 0;
        for (int i = 0; i < 3; i++)
            v += in[c][i] * fminf(fmaxf(1.6f * radiance[i], 0), 1e6f);
        bent[c] = 0.983729f * v * (v + 0.0245786f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
    }
    for (int c = 0; c < 3; c++) {
        float x = 0;
        for (int i = 0; i < 3; i++)
            x += out[c][i] * bent[i];
        x = fminf(fmaxf(x, 0), 1);
        shown[c] = x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
    }
}

/* The EXR's light, after exposure and tone curve, equals the PNG. */
static void check_exr_shows(const char *exr, const char *png, float most)
{
    ExrFound found;
    Image image;
    exr_found_read(&found, exr);
    read_picture(&image, png, 3);
    assert_int_equal(found.width, 64);
    assert_int_equal(found.height, 48);
    assert_int_equal(found.channel_count, 9);
    for (int i = 0; i < 64 * 48; i++) {
        static const char *const names[3] = {"R", "G", "B"};
        float linear[3], shown[3];
        for (int c = 0; c < 3; c++)
            linear[c] = found.exposure * exr_found_channel(&found, names[c])[i];
        tone_shown(linear, shown);
        assert_true(exr_found_channel(&found, "A")[i] == 1);
        for (int c = 0; c < 3; c++)
            if (fabsf(255 * shown[c] - (float)image.pixels[3 * i + c]) > most)
                fail_msg("pixel %d of %s, channel %d: %g, in %s %d", i, exr, c,
                         (double)(255 * shown[c]), png, image.pixels[3 * i + c]);
    }
    exr_found_destroy(&found);
    image_destroy(&image);
}

/* A picture of a ball before ground and sky has the distances of ball, ground and smoke. */
static void check_exr_depth(const char *path, bool transparent)
{
    ExrFound found;
    exr_found_read(&found, path);
    const float *z = exr_found_channel(&found, "Z"), *smoke = exr_found_channel(&found, "smoke.Z");
    const float *passed = exr_found_channel(&found, "transmittance.G");
    const float *alpha = exr_found_channel(&found, "A");
    int near = 0, nowhere = 0, smoky = 0;
    for (int i = 0; i < 64 * 48; i++) {
        nowhere += z[i] == 1e10f;
        near += z[i] < 3;
        smoky += passed[i] < 0.9f && smoke[i] > 1 && smoke[i] < 5;
        if (transparent && z[i] == 1e10f) /* except at the ball's antialiased rim */
            assert_true(alpha[i] > 0.98f - passed[i]);
        else if (transparent)
            assert_true(z[i] < 5);
    }
    assert_true(near > 10 && smoky > 50);
    assert_true(nowhere > (transparent ? 2000 : 300));
    exr_found_destroy(&found);
}

/* A slice across the view, through the middle of the ball, has the same distance in every pixel and
 * does not change the light. */
static void check_exr_slice(const char *sliced, const char *plain)
{
    ExrFound found, without;
    exr_found_read(&found, sliced);
    exr_found_read(&without, plain);
    assert_int_equal(found.channel_count, 11);
    assert_non_null(strstr(found.comments, "slice.solid: solid in m on z = "));
    const float *values = exr_found_channel(&found, "slice.solid");
    const float *distance = exr_found_channel(&found, "slice.Z");
    const float *z = exr_found_channel(&found, "Z");
    float least = 1, most = -1;
    int there = 0;
    for (int i = 0; i < 64 * 48; i++) {
        assert_true(exr_found_channel(&found, "G")[i] == exr_found_channel(&without, "G")[i]);
        if (distance[i] > 1e9f) {
            assert_true(values[i] == 0);
            continue;
        }
        there++;
        least = fminf(least, values[i]);
        most = fmaxf(most, values[i]);
        assert_float_equal(distance[i], 4, 1e-3f);
        if (values[i] < -0.02f) /* the front of the ball is nearer than the slice */
            assert_true(z[i] < distance[i]);
    }
    assert_in_range(there, 300, 64 * 48 - 100);
    if (!(least < -0.03f && most > 0.5f))
        fail_msg("the ball's distance goes from %g to %g m", (double)least, (double)most);
    exr_found_destroy(&found);
    exr_found_destroy(&without);
}

/* Light of each colour is dimmed as Beer and Lambert say: twice the extinction squares what comes
 * through. Antialiased edges, where pixels mix rays, are the exception. */
static void check_exr_colors(const char *path)
{
    ExrFound found;
    int smoky = 0, off = 0;
    exr_found_read(&found, path);
    const float *red = exr_found_channel(&found, "transmittance.R");
    const float *green = exr_found_channel(&found, "transmittance.G");
    const float *blue = exr_found_channel(&found, "transmittance.B");
    for (int i = 0; i < 64 * 48; i++)
        if (red[i] > 0.2f && red[i] < 0.95f) {
            smoky++;
            off += !(fabsf(green[i] - red[i] * red[i]) < 0.01f) ||
                   !(fabsf(blue[i] - green[i] * green[i]) < 0.01f);
        }
    if (!(smoky > 50 && off < smoky / 20))
        fail_msg("%d of %d pixels of smoke are dimmed wrongly", off, smoky);
    exr_found_destroy(&found);
}

/* A puff in wind, and a block that rises. Motion vectors are as long as their distance says. */
static void test_exr_motion(void **state)
{
    static const char scene[] =
        "domain: {size: [2, 1, 1], cells: 64, faces: {left: periodic, right: periodic}}\n"
        "emitters: [{center: [0.5, 0.5, 0.5], size: 0.12, smoke: 60, heat: 0, end: 0.1}]\n"
        "forces: [{kind: wind, velocity: [0.6, 0, 0], strength: 100}]\n"
        "fluid: {weight: 0}\n"
        "ground: {visible: false}\n"
        "solids: [{shape: box, size: 0.1, center: [1.5, 0.4, 0.5], velocity: [0, 0.24, 0]}]\n"
        "camera: {target: [1, 0.5, 0.5], distance: 3, azimuth: 0, elevation: 0, fov: 40}\n";
    const float metre = 120 / (2 * tanf(20 * 3.14159265f / 180)); /* pixels at 1 m */
    int smoky = 0, solid = 0, nothing = 0;
    ExrFound found;
    (void)state;
    cli_write_file("motion.yaml", scene);
    cli_expect_done(&run,
                    "\"$BILLOW\" render motion.yaml --quality draft --size 160x120 --frames 12 "
                    "--fps 24 --motion --out a.exr");
    exr_found_read(&found, "a.exr");
    assert_non_null(strstr(found.comments, "forward.u, forward.v: motion"));
    const float *u = exr_found_channel(&found, "forward.u");
    const float *v = exr_found_channel(&found, "forward.v");
    const float *z = exr_found_channel(&found, "Z"), *smoke = exr_found_channel(&found, "smoke.Z");
    const float *passed = exr_found_channel(&found, "transmittance.G");
    for (int i = 0; i < 160 * 120; i++) {
        if (passed[i] < 0.1f) {
            smoky++;
            assert_float_equal(u[i], 0.6f / 24 * metre / smoke[i], 0.1f);
            assert_float_equal(v[i], 0, 0.1f);
        } else if (passed[i] > 0.99f && z[i] < 2.95f) {
            solid++;
            assert_float_equal(u[i], 0, 1e-3f);
            assert_float_equal(v[i], 0.24f / 24 * metre / z[i], 0.03f);
        } else if (passed[i] == 1) {
            nothing += u[i] == 0 && v[i] == 0;
        }
    }
    if (!(smoky > 50 && solid > 50 && nothing > 5000))
        fail_msg("%d pixels of smoke, %d of the block, %d of nothing", smoky, solid, nothing);
    exr_found_destroy(&found);
    cli_expect_failure(&run, "\"$BILLOW\" render motion.yaml --motion --out a.png", 2,
                       "--motion needs --out FILE.exr");
    cli_expect_done(&run, "rm a.exr motion.yaml");
    assert_int_equal(cli_folder_entries(), 0);
}

static void test_exr(void **state)
{
    (void)state;
    cli_expect_done(&run, EXR_RENDER "--camera 0,0,4 "
                                     "--set smoke.extinction_color=[0.5,1,2] --out a.exr");
    check_exr_colors("a.exr");
    cli_expect_done(&run, EXR_RENDER "--camera 0,0,4 --out a.exr");
    cli_expect_done(&run, EXR_RENDER "--camera 0,0,4 --slice solid,z=0.6 --out b.exr");
    check_exr_slice("b.exr", "a.exr");
    cli_expect_done(&run, EXR_RENDER "--out a.png");
    cli_expect_done(&run, EXR_RENDER "--out a.exr");
    assert_string_equal(run.out, "wrote a.exr\n");
    check_exr_shows("a.exr", "a.png", 1.5f);
    check_exr_depth("a.exr", false);
    cli_expect_done(&run, EXR_RENDER "--out f_%02d.exr");
    assert_string_equal(run.out, "wrote f_01.exr to f_20.exr\n");
    cli_expect_done(&run, "cmp a.exr f_20.exr && rm f_*.exr");
    cli_expect_done(&run, EXR_RENDER "--out exr:- >b.exr");
    check_exr_shows("b.exr", "a.png", 1.5f);
    cli_expect_done(&run, EXR_RENDER "--transparent --out d.exr");
    check_exr_depth("d.exr", true);
    cli_expect_failure(&run, EXR_RENDER "--out exr:- >/dev/full", 1, "No space left on device");
    cli_expect_failure(&run, EXR_RENDER "--out no/a.exr", 1, "there is no folder no/");
    cli_expect_done(&run, "rm *.exr *.png");
    assert_int_equal(cli_folder_entries(), 0);
}

#else

static void test_exr(void **state)
{
    (void)state;
    cli_expect_failure(
        &run, NO_DISPLAY "\"$BILLOW\" render plume --out a.exr" DRAFT, 1,
        "this build of Billow writes no EXR files; install OpenEXR (libopenexr-dev)");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_ends_in_the_still),
        cmocka_unit_test(test_named_after_the_scene),
        cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_pictures_beyond_memory),
        cmocka_unit_test(test_options_change_the_picture),
        cmocka_unit_test(test_quality),
        cmocka_unit_test(test_cameras_move),
        cmocka_unit_test(test_transparent),
        cmocka_unit_test(test_other_stills),
        cmocka_unit_test(test_camera_out),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_lens_and_shutter),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_never_over_a_file),
        cmocka_unit_test(test_exr),
#ifdef BILLOW_OPENEXR
        cmocka_unit_test(test_exr_motion),
#endif
        cmocka_unit_test(test_run_without_display_renders),
        cmocka_unit_test(test_window_reports),
        cmocka_unit_test(test_no_gl_is_one_line),
        cmocka_unit_test(test_info_json),
        cmocka_unit_test(test_interrupt_leaves_whole_pictures),
        cmocka_unit_test(test_video),
        cmocka_unit_test(test_videos_are_good),
        cmocka_unit_test(test_sound_of_a_video),
        cmocka_unit_test(test_interrupt_leaves_a_video),
        cmocka_unit_test(test_what_is_left_of_the_killed_goes),
    };
    return cmocka_run_group_tests(tests, draw_frames, leave_frames);
}
