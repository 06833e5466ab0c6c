/* SPDX-License-Identifier: MIT
 * `billow render --flipbook` from outside: the sheet, its motion vectors and its description agree
 * with each other and with single pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include "image.h"
#include "system.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

#define BILLOW "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER \"$BILLOW\" render "
#define RENDER BILLOW "plume "
#define SMALL  "--grid 16 --size 64x48 "

enum { WIDTH = 64, HEIGHT = 48, COLUMNS = 3, FRAMES = 5 };

static Image read_picture(const char *path, int width, int height, int channels)
{
    Image image;
    BillowError error;
    if (!image_read_png(&image, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.channels, channels);
    return image;
}

static void test_tiles_are_the_frames(void **state)
{
    (void)state;
    cli_expect_done(&run, RENDER SMALL "--frames 5 --flipbook 3x2 --fps 10 --out s.png");
    assert_string_equal(run.out, "wrote s.png, s_motion.png and s.json, 5 frames\n");
    assert_int_equal(cli_folder_entries(), 3);
    cli_expect_done(&run, RENDER SMALL "--frames 5 --transparent --fps 10 --out f_%d.png");
    Image sheet = read_picture("s.png", COLUMNS * WIDTH, 2 * HEIGHT, 4);
    Image before = {0};
    for (int number = 1; number <= FRAMES; number++) {
        char path[32];
        snprintf(path, sizeof path, "f_%d.png", number);
        Image frame = read_picture(path, WIDTH, HEIGHT, 4);
        int left = (number - 1) % COLUMNS * WIDTH, top = (number - 1) / COLUMNS * HEIGHT;
        for (int row = 0; row < HEIGHT; row++)
            assert_memory_equal(sheet.pixels + 4 * ((top + row) * sheet.width + left),
                                frame.pixels + 4 * row * WIDTH, 4 * WIDTH);
        if (before.pixels != NULL)
            assert_memory_not_equal(before.pixels, frame.pixels, 4 * WIDTH * HEIGHT);
        image_destroy(&before);
        before = frame;
    }
    image_destroy(&before);
    for (int row = 0; row < HEIGHT; row++)
        for (int byte = 0; byte < 4 * WIDTH; byte++)
            assert_int_equal(sheet.pixels[4 * ((HEIGHT + row) * sheet.width + 2 * WIDTH) + byte],
                             0);
    image_destroy(&sheet);
    cli_expect_done(&run, "rm *");
}

static double number_in(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item))
        fail_msg("%s is no number", key);
    return item->valuedouble;
}

static double pair_in(const cJSON *object, const char *key, int at)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_int_equal(cJSON_GetArraySize(item), 2);
    return cJSON_GetArrayItem(item, at)->valuedouble;
}

static void check_text(const cJSON *object, const char *key, const char *text)
{
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key)), text);
}

static void test_description(void **state)
{
    (void)state;
    cli_expect_done(&run, "mkdir d");
    cli_expect_done(&run, RENDER "--grid 16 --size 65x49 --frames 5 --flipbook 3x2 --fps 10 "
                                 "--out d/s.png");
    cli_expect_done(&run, "cat d/s.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    check_text(root, "image", "s.png");
    check_text(root, "alpha", "straight");
    assert_float_equal(number_in(root, "columns"), 3, 0);
    assert_float_equal(number_in(root, "rows"), 2, 0);
    assert_float_equal(number_in(root, "frames"), 5, 0);
    assert_float_equal(number_in(root, "fps"), 10, 0);
    assert_float_equal(pair_in(root, "tile_pixels", 0), 65, 0);
    assert_float_equal(pair_in(root, "tile_pixels", 1), 49, 0);
    const cJSON *motion = cJSON_GetObjectItemCaseSensitive(root, "motion");
    check_text(motion, "image", "s_motion.png");
    assert_float_equal(pair_in(motion, "tile_pixels", 0), 33, 0);
    assert_float_equal(pair_in(motion, "tile_pixels", 1), 25, 0);
    double scale = number_in(motion, "scale_pixels");
    assert_true(scale > 0.1 && scale < 20);
    assert_true(fabs(pair_in(motion, "scale_tiles", 0) - scale / 65) < 1e-6);
    assert_true(fabs(pair_in(motion, "scale_tiles", 1) - scale / 49) < 1e-6);
    cJSON_Delete(root);
    Image sheet = read_picture("d/s.png", 3 * 65, 2 * 49, 4);
    image_destroy(&sheet);
    cli_expect_done(&run, "rm -r d");
}

/* The visible motion of a plume points upwards, and the largest motion uses the whole scale. */
static void test_motion_of_a_plume(void **state)
{
    (void)state;
    cli_expect_done(&run, RENDER SMALL "--frames 5 --flipbook 3x2 --fps 10 --out s.png");
    Image motion = read_picture("s_motion.png", COLUMNS * WIDTH / 2, HEIGHT, 3);
    double up = 0, seen = 0;
    int most = 0;
    for (int y = 0; y < motion.height; y++)
        for (int x = 0; x < motion.width; x++) {
            const uint8_t *pixel = motion.pixels + 3 * (y * motion.width + x);
            if (y >= HEIGHT / 2 && x >= WIDTH) /* the unused tile */
                assert_true(pixel[0] == 128 && pixel[1] == 128 && pixel[2] == 0);
            up += pixel[2] * (127.5 - pixel[1]);
            seen += pixel[2];
            for (int c = 0; c < 2 && pixel[2] > 8; c++)
                most = (int)fmax(most, fabs(pixel[c] - 127.5) + 0.5);
        }
    assert_true(seen > 0);
    print_message("up by %.1f of 127 on average\n", up / seen);
    assert_true(up / seen > 3);
    assert_int_equal(most, 128);
    image_destroy(&motion);
    cli_expect_done(&run, "rm *");
}

/* Alpha of a tile at a position in pixels, interpolated between the pixels' centres. */
static double alpha_at(const Image *sheet, int left, double x, double y)
{
    x = fmin(fmax(x, 0), WIDTH - 1.001);
    y = fmin(fmax(y, 0), HEIGHT - 1.001);
    int column = (int)x, row = (int)y;
    const uint8_t *low = sheet->pixels + 4 * (row * sheet->width + left + column) + 3;
    const uint8_t *high = low + 4 * sheet->width;
    double over = x - column;
    double top = low[0] + over * (low[4] - low[0]), bottom = high[0] + over * (high[4] - high[0]);
    return top + (y - row) * (bottom - top);
}

/* A frame that is displaced by its motion vectors is more similar to the next frame than the frame
 * itself. */
static void test_motion_leads_to_the_next(void **state)
{
    (void)state;
    cli_expect_done(&run, BILLOW "explosion --grid 32 --size 64x48 --flipbook 12x1 --fps 6 "
                                 "--turntable 20 --quiet --out s.png && cat s.json");
    cJSON *root = cJSON_Parse(strchr(run.out, '{'));
    assert_non_null(root);
    double scale = number_in(cJSON_GetObjectItemCaseSensitive(root, "motion"), "scale_pixels");
    cJSON_Delete(root);
    Image sheet = read_picture("s.png", 12 * WIDTH, HEIGHT, 4);
    Image motion = read_picture("s_motion.png", 12 * WIDTH / 2, HEIGHT / 2, 3);
    double plain = 0, carried = 0;
    for (int left = 6 * WIDTH; left < 11 * WIDTH; left += WIDTH)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const uint8_t *vector = motion.pixels + 3 * (y / 2 * motion.width + (left + x) / 2);
                double right = (vector[0] / 255.0 - 0.5) * 2 * scale;
                double down = (vector[1] / 255.0 - 0.5) * 2 * scale;
                double next = sheet.pixels[4 * (y * sheet.width + left + WIDTH + x) + 3];
                plain += fabs(alpha_at(&sheet, left, x, y) - next);
                carried += fabs(alpha_at(&sheet, left, x - right, y - down) - next);
            }
    print_message("alpha differs by %.3f, carried along by %.3f\n", plain / (5 * WIDTH * HEIGHT),
                  carried / (5 * WIDTH * HEIGHT));
    assert_true(carried < 0.8 * plain);
    image_destroy(&sheet);
    image_destroy(&motion);
    cli_expect_done(&run, "rm *");
}

static void test_defaults(void **state)
{
    (void)state;
    cli_expect_done(&run, RENDER "--grid 16 --flipbook 2x1 --out s.png");
    assert_non_null(strstr(run.out, ", 2 frames\n"));
    Image sheet = read_picture("s.png", 512, 256, 4);
    image_destroy(&sheet);
    cli_expect_done(&run, "rm *");
}

static void test_wrong_values(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"--flipbook 0x8 --out s.png", "must be 1 to 128 columns of tiles, not 0"},
        {"--flipbook 8x0 --out s.png", "must be 1 to 128 rows of tiles, not 0"},
        {"--flipbook 200x200 --out s.png", "must be 1 to 128"},
        {"--flipbook 8 --out s.png", "such as 8x8, not "},
        {"--flipbook 8x8x8 --out s.png", "such as 8x8, not "},
        {"--flipbook -1x8 --out s.png", "such as 8x8, not "},
        {"--flipbook 8x8 --out s.mp4",
         "--flipbook writes one sheet, such as a.png; 's.mp4' does not name one .png"},
        {"--flipbook 8x8 --out s.exr", "one sheet"},
        {"--flipbook 8x8 --out s_%d.png", "one sheet"},
        {"--flipbook 8x8 --out -", "one sheet"},
        {"--flipbook 3x2 --frames 7 --out s.png",
         "--frames 7: a --flipbook 3x2 has 6 tiles; ask for more tiles, or for"},
        {"--flipbook 128x1 --size 1024x16 --out s.png",
         "tiles of 1024x16 make a sheet of 131072x16 pixels, and at most 65535 are"},
    };
    for (size_t index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
        char line[256];
        snprintf(line, sizeof line, RENDER "--grid 16 %s", wrong[index][0]);
        cli_expect_failure(&run, line, 2, wrong[index][1]);
    }
    double available = (double)system_memory_available();
    if (available > 0 && available < 30e9)
        cli_expect_failure(&run, RENDER "--grid 16 --flipbook 64x64 --size 1023x1023 --out s.png",
                           1, "a flipbook of 64x64 tiles of 1023x1023 pixels needs ");
    cli_expect_failure(&run, RENDER "--grid 16 --flipbook 2x2 --out nowhere/s.png", 1, "nowhere");
    assert_int_equal(cli_folder_entries(), 0);
}

/* Existing files are refused before the first of many steps. An interrupted run leaves no file. */
static void test_never_over_a_file(void **state)
{
    (void)state;
    static const char *const taken[] = {"s.png", "s_motion.png", "s.json"};
    for (int index = 0; index < 3; index++) {
        char line[128];
        cli_write_file(taken[index], "mine\n");
        snprintf(line, sizeof line, "%s exists; --force", taken[index]);
        cli_expect_failure(&run, RENDER "--flipbook 128x128 --size 16x16 --out s.png", 1, line);
        snprintf(line, sizeof line, "cat %s", taken[index]);
        cli_expect_done(&run, line);
        assert_string_equal(run.out, "mine\n");
        assert_int_equal(cli_folder_entries(), 1);
        cli_expect_done(&run, "rm *");
    }
    cli_run_signalled(&run, RENDER "--flipbook 128x128 --size 16x16 --out s.png", 2, SIGINT);
    assert_int_equal(run.status, 130);
    assert_int_equal(cli_folder_entries(), 0);
    cli_expect_done(&run, "echo mine | tee s.png s_motion.png >s.json");
    cli_expect_done(&run, RENDER SMALL "--flipbook 2x1 --out s.png --force");
    Image sheet = read_picture("s.png", 2 * WIDTH, HEIGHT, 4);
    image_destroy(&sheet);
    assert_int_equal(cli_folder_entries(), 3);
    cli_expect_done(&run, "rm *");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_are_the_frames),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_motion_of_a_plume),
        cmocka_unit_test(test_motion_leads_to_the_next),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_never_over_a_file),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
