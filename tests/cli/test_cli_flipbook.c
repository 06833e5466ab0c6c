/* SPDX-License-Identifier: MIT
 * `billow render --flipbook` from outside: the sheet, its motion vectors and its description agree
 * with each other and with single pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/srgb.h"
#include "base/system.h"
#include "cli_harness.h"
#include "png_fixture.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

#define BILLOW "env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER \"$BILLOW\" render "
#define RENDER BILLOW "plume "
#define SMALL  "--grid 16 --refine 1 --size 64x48 "

enum { WIDTH = 64, HEIGHT = 48, COLUMNS = 3, FRAMES = 5 };

static Image read_picture(const char *path, int width, int height, int channels)
{
    Image image;
    BillowError error;
    if (!png_read(&image, path, &error))
        fail_msg("%s", error.text);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.channels, channels);
    return image;
}

static void test_tiles_are_the_frames(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    RENDER SMALL "--frames 5 --flipbook 3x2 --fps 10 --camera scene --out s.png");
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

/* The visible motion of a plume points upwards, and the largest motion uses the whole scale. */
static void check_motion_of_a_plume(const char *path)
{
    Image motion = read_picture(path, 3 * 33, 2 * 25, 3);
    double up = 0, seen = 0;
    int most = 0;
    for (int y = 0; y < motion.height; y++)
        for (int x = 0; x < motion.width; x++) {
            const uint8_t *pixel = motion.pixels + 3 * (y * motion.width + x);
            if (y >= 25 && x >= 2 * 33) /* the unused tile */
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
}

static void test_description_and_motion(void **state)
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
    check_motion_of_a_plume("d/s_motion.png");
    cli_expect_done(&run, "rm -r d");
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

/* Share of the difference between neighbouring tiles that is left when each is displaced by its
 * motion vectors. tiles: of the sheet; first, last: of the differences; the last tile leads to the
 * first. */
static double carried(int tiles, int first, int last)
{
    cli_expect_done(&run, "cat s.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const double scale =
        number_in(cJSON_GetObjectItemCaseSensitive(root, "motion"), "scale_pixels");
    cJSON_Delete(root);
    Image sheet = read_picture("s.png", tiles * WIDTH, HEIGHT, 4);
    Image motion = read_picture("s_motion.png", tiles * WIDTH / 2, HEIGHT / 2, 3);
    double plain = 0, left_over = 0;
    for (int tile = first; tile <= last; tile++)
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const int x = p % WIDTH, y = p / WIDTH, left = tile * WIDTH;
            const uint8_t *vector = motion.pixels + 3 * (y / 2 * motion.width + (left + x) / 2);
            const double right = (vector[0] / 255.0 - 0.5) * 2 * scale;
            const double down = (vector[1] / 255.0 - 0.5) * 2 * scale;
            const double next =
                sheet.pixels[4 * (y * sheet.width + (tile + 1) % tiles * WIDTH + x) + 3];
            plain += fabs(alpha_at(&sheet, left, x, y) - next);
            left_over += fabs(alpha_at(&sheet, left, x - right, y - down) - next);
        }
    print_message("alpha of tiles %d to %d differs by %.3f, carried along by %.3f\n", first, last,
                  plain / (WIDTH * HEIGHT * (last - first + 1)),
                  left_over / (WIDTH * HEIGHT * (last - first + 1)));
    image_destroy(&sheet);
    image_destroy(&motion);
    return left_over / plain;
}

/* A frame that is displaced by its motion vectors is more similar to the next frame than the frame
 * itself. */
static void test_motion_leads_to_the_next(void **state)
{
    (void)state;
    cli_expect_done(&run, BILLOW "explosion --grid 32 --size 64x48 --flipbook 12x1 --fps 6 "
                                 "--turntable 20 --quiet --out s.png");
    assert_true(carried(12, 6, 10) < 0.8);
    cli_expect_done(&run, "rm *");
}

/* So is each frame of a fade, from the one before the fade to the last, which leads to the first.
 */
static void test_motion_leads_through_a_fade(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    BILLOW "explosion --grid 32 --size 64x48 --flipbook 12x1 --fps 8 --from 1 "
                           "--loop 0.75 --quiet --out s.png");
    const double before = carried(12, 0, 4), fading = carried(12, 5, 10),
                 seam = carried(12, 11, 11);
    assert_true(before < 0.8 && fading < 0.8 && seam < 0.8);
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

static double number_of_json(const char *key)
{
    cli_expect_done(&run, "cat s.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    double number = number_in(root, key);
    cJSON_Delete(root);
    return number;
}

/* Most opacity in a column or row of all tiles. along: 0 for columns, 1 for rows. */
static int most_alpha(const Image *sheet, int edge, int tiles, int along, int at)
{
    int most = 0;
    for (int tile = 0; tile < tiles; tile++)
        for (int other = 0; other < edge; other++) {
            int x = tile * edge + (along == 0 ? at : other), y = along == 0 ? other : at;
            int alpha = sheet->pixels[4 * (y * sheet->width + x) + 3];
            most = alpha > most ? alpha : most;
        }
    return most;
}

/* Share of a tile's edge that smoke covers in any tile, of the axis with more. A fitted camera has
 * it in the middle, and none of it touches an edge. */
static double filled(const char *options)
{
    enum { EDGE = 64, TILES = 4 };
    char line[512];
    double share = 0;
    snprintf(line, sizeof line,
             BILLOW "explosion --grid 24 --size 64x64 --flipbook 4x1 "
                    "--out s.png --force %s",
             options);
    cli_expect_done(&run, line);
    Image sheet = read_picture("s.png", TILES * EDGE, EDGE, 4);
    for (int along = 0; along < 2; along++) {
        int first = EDGE, last = -1;
        for (int at = 0; at < EDGE; at++)
            if (most_alpha(&sheet, EDGE, TILES, along, at) > 8) {
                first = at < first ? at : first;
                last = at;
            }
        bool fits = strstr(options, "camera ") == NULL && strstr(options, "distance") == NULL;
        if (fits && (first == 0 || last == EDGE - 1 || abs(first + last + 1 - EDGE) > EDGE / 10))
            fail_msg("'%s': smoke from %d to %d of 64 along %d", options, first, last, along);
        share = fmax(share, (last - first + 1) / (double)EDGE);
    }
    image_destroy(&sheet);
    return share;
}

static void test_the_camera_fits_the_smoke(void **state)
{
    (void)state;
    const double fitted = filled(""),
                 turning = filled("--turntable 4 --set camera.fov=40 --camera=fit");
    print_message("smoke fills %.2f of an edge, turning in another lens %.2f\n", fitted, turning);
    assert_true(fitted > 0.75 && turning > 0.75);
    /* The blast alone. Coarse cells leave more of a margin around small smoke. */
#define BLAST "--frames 4 --fps 40 "
    double blast = filled(BLAST);
    double far_off = filled(BLAST "--camera scene");
    print_message("a blast of 0.1 s fills %.2f, by the scene's camera %.2f\n", blast, far_off);
    assert_true(blast > 0.5 && blast > 1.4 * far_off);
    /* What the user chooses stays. */
    assert_float_equal(filled(BLAST "--set camera.distance=60"),
                       filled(BLAST "--camera scene --set camera.distance=60"), 0);
    cli_expect_done(&run, "rm *");
}

/* Without --frames and --fps the first tile has smoke already and the last shows a late time. With
 * either of them, in the tests below, the rate is that of --fps, 30 without it. */
static void test_tiles_span_the_life(void **state)
{
    (void)state;
    cli_expect_done(&run, RENDER SMALL "--flipbook 4x2 --out s.png --force");
    double fps = number_of_json("fps");
    assert_true(fps > 1.5 && fps < 2.5); /* 8 tiles in 4 s */
    cJSON *root = cJSON_Parse(run.out);
    assert_true(pair_in(root, "seconds", 1) > 3.5 && pair_in(root, "seconds", 1) < 4.2);
    cJSON_Delete(root);
    /* A puff of 1 s that begins late and is gone soon after. */
    cli_expect_done(&run, RENDER SMALL "--flipbook 4x2 --set 'emitters=[{start: 1, end: 1.5}]' "
                                       "--set fluid.dissipation=8 --out s.png --force");
    cli_expect_done(&run, "cat s.json");
    root = cJSON_Parse(run.out);
    assert_non_null(root);
    double first = pair_in(root, "seconds", 0), last = pair_in(root, "seconds", 1);
    cJSON_Delete(root);
    print_message("the puff is shown from %.2f to %.2f s\n", first, last);
    assert_true(first > 0.9 && first < 1.3 && last > 1.5 && last < 2.6);
    Image sheet = read_picture("s.png", 4 * WIDTH, 2 * HEIGHT, 4);
    int most = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int x = 0; x < WIDTH; x++)
            most = (int)fmax(most, sheet.pixels[4 * (row * sheet.width + x) + 3]);
    assert_true(most > 8);
    image_destroy(&sheet);
    cli_expect_done(&run, "rm *");
}

/* Mean difference of neighbouring tiles, over all and from the last to the first, in premultiplied
 * bytes. */
static void neighbours(const Image *sheet, int tiles, double *most, double *seam)
{
    *most = 0;
    for (int tile = 0; tile < tiles; tile++) {
        double sum = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const uint8_t *a = sheet->pixels + 4 * (y * sheet->width + tile * WIDTH + x);
                const uint8_t *b =
                    sheet->pixels + 4 * (y * sheet->width + (tile + 1) % tiles * WIDTH + x);
                for (int c = 0; c < 3; c++)
                    sum += fabs(a[c] * a[3] / 255.0 - b[c] * b[3] / 255.0);
                sum += abs(a[3] - b[3]);
            }
        sum /= 4 * WIDTH * HEIGHT;
        if (tile == tiles - 1)
            *seam = sum;
        else
            *most = fmax(*most, sum);
    }
}

static void test_a_loop_has_no_seam(void **state)
{
    (void)state;
    enum { TILES = 16 };
    double most, seam, plain_most, plain_seam;
#define LOOP "--flipbook 16x1 --fps 10 --from 2 --camera scene --out s.png --force "
    cli_expect_done(&run, RENDER SMALL LOOP);
    Image sheet = read_picture("s.png", TILES * WIDTH, HEIGHT, 4);
    neighbours(&sheet, TILES, &plain_most, &plain_seam);
    assert_float_equal(number_of_json("fps"), 10, 0);
    cli_expect_done(&run, RENDER SMALL LOOP "--loop 0.6");
    Image loop = read_picture("s.png", TILES * WIDTH, HEIGHT, 4);
    neighbours(&loop, TILES, &most, &seam);
    print_message(
        "neighbours differ by %.2f at most, the seam by %.2f, and by %.2f without a loop\n", most,
        seam, plain_seam);
    assert_true(seam <= 1.3 * most);
    assert_true(plain_seam > 1.3 * plain_most);
    /* Frames before the fade are those of a run without a loop. */
    for (int row = 0; row < HEIGHT; row++)
        assert_memory_equal(sheet.pixels + 4 * row * sheet.width,
                            loop.pixels + 4 * row * loop.width, 4 * 10 * WIDTH);
    image_destroy(&sheet);
    image_destroy(&loop);
    assert_float_equal(number_of_json("loop_frames"), 6, 0);
    cli_expect_done(&run, "rm *");
}

/* -- the fade of a loop -- */

enum { TALL = 96, FADE = 8, LOOPED = 20 }; /* tiles of WIDTH by TALL pixels */

/* Luminance of the light of a tile over black. */
static void luminance(const Image *sheet, int tile, float *out)
{
    static const float weights[3] = {0.2126f, 0.7152f, 0.0722f};
    for (int p = 0; p < WIDTH * TALL; p++) {
        const uint8_t *pixel =
            sheet->pixels + 4 * (p / WIDTH * sheet->width + tile * WIDTH + p % WIDTH);
        out[p] = 0;
        for (int c = 0; c < 3; c++)
            out[p] += weights[c] * srgb_light((uint8_t)(pixel[c] * pixel[3] / 255));
    }
}

/* Mean square of the gradient. */
static double sharpness(const float *luminance)
{
    double sum = 0;
    for (int y = 0; y + 1 < TALL; y++)
        for (int x = 0; x + 1 < WIDTH; x++) {
            const float *v = luminance + y * WIDTH + x;
            const double right = (double)v[1] - (double)v[0];
            const double down = (double)v[WIDTH] - (double)v[0];
            sum += right * right + down * down;
        }
    return sum / (WIDTH * TALL);
}

static double rms(const float *a, const float *b)
{
    double sum = 0;
    for (int p = 0; p < WIDTH * TALL; p++)
        sum += ((double)a[p] - (double)b[p]) * ((double)a[p] - (double)b[p]);
    return sqrt(sum / (WIDTH * TALL));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sharpness of the mixture of two tiles as they are. */
static double plain_sharpness(const float *a, const float *b, float share)
{
    static float mixed[WIDTH * TALL];
    for (int p = 0; p < WIDTH * TALL; p++)
        mixed[p] = (1 - share) * a[p] + share * b[p];
    return sharpness(mixed);
}

/* In the middle of its fade a loop is about as sharp as the frames that it mixes, which a plain
 * mixture is not, and its last frame leads to the first like any frame to the next. */
static void test_a_fade_is_sharp_and_has_no_seam(void **state)
{
    (void)state;
    static float tiles[FADE + LOOPED][WIDTH * TALL], first[WIDTH * TALL], mixed[WIDTH * TALL];
    double steps[LOOPED - 1], plain = 0, warped = 0, wanted = 0;
#define FIRE BILLOW "fire --grid 40 --size 64x96 --fps 20 --camera scene --force --out s.png "
    cli_expect_done(&run, FIRE "--flipbook 28x1 --from 2.6");
    Image sheet = read_picture("s.png", (FADE + LOOPED) * WIDTH, TALL, 4);
    cli_expect_done(&run, FIRE "--flipbook 20x1 --from 3 --loop 0.4");
    Image loop = read_picture("s.png", LOOPED * WIDTH, TALL, 4);
    for (int tile = 0; tile < FADE + LOOPED; tile++)
        luminance(&sheet, tile, tiles[tile]);
    for (int tile = 0; tile + 1 < LOOPED; tile++)
        steps[tile] = rms(tiles[FADE + tile], tiles[FADE + tile + 1]);
    qsort(steps, LOOPED - 1, sizeof *steps, ascending);
    for (int into = FADE / 2 - 1; into <= FADE / 2 + 2; into++) {
        const float *own = tiles[LOOPED + into - 1], *other = tiles[into - 1];
        luminance(&loop, LOOPED - FADE + into - 1, mixed);
        plain += plain_sharpness(own, other, (float)into / (FADE + 1));
        warped += sharpness(mixed);
        wanted += 0.5 * (sharpness(own) + sharpness(other));
    }
    luminance(&loop, LOOPED - 1, mixed);
    luminance(&loop, 0, first);
    const double seam = rms(mixed, first) / steps[(LOOPED - 1) / 2];
    print_message("sharpness %.2f of the frames', %.2f if mixed as they are; seam %.2f of a step\n",
                  warped / wanted, plain / wanted, seam);
    assert_true(warped >= 0.8 * wanted && warped <= 1.6 * wanted);
    assert_true(plain < 0.8 * wanted);
    assert_true(seam <= 1.5);
    image_destroy(&sheet);
    image_destroy(&loop);
    cli_expect_done(&run, "rm *");
}

/* A sequence loops by the same frames, numbered from 1. */
static void test_a_sequence_loops_alike(void **state)
{
    (void)state;
    cli_expect_done(&run, RENDER SMALL "--flipbook 5x1 --fps 10 --from 1 --loop 0.3 --camera scene "
                                       "--out s.png");
    cli_expect_done(&run, RENDER SMALL "--frames 5 --fps 10 --from 1 --loop 0.3 --transparent "
                                       "--out f_%d.png && ls f_*");
    assert_non_null(strstr(run.out, "f_1.png\nf_2.png\nf_3.png\nf_4.png\nf_5.png\n"));
    Image sheet = read_picture("s.png", 5 * WIDTH, HEIGHT, 4);
    for (int number = 1; number <= 5; number++) {
        char path[32];
        snprintf(path, sizeof path, "f_%d.png", number);
        Image frame = read_picture(path, WIDTH, HEIGHT, 4);
        for (int row = 0; row < HEIGHT; row++)
            assert_memory_equal(sheet.pixels + 4 * (row * sheet.width + (number - 1) * WIDTH),
                                frame.pixels + 4 * row * WIDTH, 4 * WIDTH);
        image_destroy(&frame);
    }
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
        {"--flipbook 8x8 --out s.jpg", "does not name one .png, .tga or .exr file"},
        {"--flipbook 8x8 --out s_%d.png", "one sheet"},
        {"--flipbook 8x8 --out -", "one sheet"},
        {"--flipbook 3x2 --frames 7 --out s.png",
         "--frames 7: a --flipbook 3x2 has 6 tiles; ask for more tiles, or for"},
        {"--loop 1 --out s.png", "--loop: a still has one frame; write a sequence (f_%04d.png), a"},
        {"--from 1 --out s.png", "--from: a still has one frame"},
        {"--loop 1 --from 0.5 --out s_%d.png",
         "--loop 1: the run begins only 0.5 s before the first frame; give a later --from or a"},
        {"--loop 1 --frames 30 --out s_%d.png",
         "--loop 1: 30 frames at 30 a second are not longer than it; give more --frames"},
        {"--loop 0.5 --frames 30 --turntable 2 --from 1 --out s_%d.png",
         "--turntable 2: in a loop the turn must take as long as all frames: give --turntable 1"},
        {"--loop 1 --checkpoint c --out s_%d.png", "--loop does not go with --checkpoint"},
        {"--loop 1 --out s_%d.exr", "--loop: EXR files hold distances, which do not mix"},
        {"--loop 0 --out s_%d.png", "--loop: must be 0.01 to 1000000, not 0"},
        {"--camera fitt --flipbook 8x8 --out s.png", "or scene or fit, not 'fitt'"},
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
    cli_run_signalled(&run, RENDER "--flipbook 128x128 --size 16x16 --out s.png", "sleep 0.5",
                      SIGINT);
    assert_int_equal(run.status, 130);
    assert_int_equal(cli_folder_entries(), 0);
    cli_expect_done(&run, "echo mine | tee s.png s_motion.png >s.json");
    cli_expect_done(&run, RENDER SMALL "--flipbook 2x1 --frames 2 --out s.png --force");
    assert_float_equal(number_of_json("fps"), 30, 0);
    Image sheet = read_picture("s.png", 2 * WIDTH, HEIGHT, 4);
    image_destroy(&sheet);
    assert_int_equal(cli_folder_entries(), 3);
    cli_expect_done(&run, "rm *");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles_are_the_frames),
        cmocka_unit_test(test_description_and_motion),
        cmocka_unit_test(test_motion_leads_to_the_next),
        cmocka_unit_test(test_motion_leads_through_a_fade),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_the_camera_fits_the_smoke),
        cmocka_unit_test(test_tiles_span_the_life),
        cmocka_unit_test(test_a_loop_has_no_seam),
        cmocka_unit_test(test_a_fade_is_sharp_and_has_no_seam),
        cmocka_unit_test(test_a_sequence_loops_alike),
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_never_over_a_file),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
