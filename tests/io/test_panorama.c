/* SPDX-License-Identifier: MIT
 * Panoramas: what the reader takes and what it refuses. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/panorama_file.h"
#include "io/picture_format.h"

#ifdef BILLOW_OPENEXR
#include <openexr.h>
#endif
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/billow-test-panorama-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

#define HEAD "#?RADIANCE\nEXPOSURE=1\nFORMAT=32-bit_rle_rgbe\n\n"

static bool read_text(const char *text, size_t length, PanoramaFile *panorama, BillowError *error)
{
    *panorama = (PanoramaFile){0};
    return panorama_file_read_hdr((const unsigned char *)text, length, panorama, error);
}

static void assert_refused(const char *text, size_t length, const char *why)
{
    PanoramaFile panorama;
    BillowError error = {""};
    assert_false(read_text(text, length, &panorama, &error));
    if (strstr(error.text, why) == NULL)
        fail_msg("'%s', not '%s'", error.text, why);
    panorama_file_free(&panorama);
}

/* Exponent 128 + 8 makes the mantissas 1 to 255 the values themselves. */
static void test_plain_rows(void **state)
{
    (void)state;
    static const char text[] = HEAD "-Y 2 +X 4\n"
                                    "\1\2\3\210\4\5\6\210\7\10\11\210\12\13\14\210"
                                    "\15\16\17\210\20\21\22\211\0\0\0\0\1\2\1\1";
    PanoramaFile panorama;
    BillowError error = {""};
    assert_true(read_text(text, sizeof text - 1, &panorama, &error));
    assert_int_equal(panorama.width, 4);
    assert_int_equal(panorama.height, 2);
    for (int i = 0; i < 15; i++)
        assert_float_equal(panorama.rgb[i], (float)(i + 1), 0);
    assert_float_equal(panorama.rgb[15], 32, 0); /* an exponent more */
    assert_float_equal(panorama.rgb[18], 0, 0);
    assert_true(panorama.rgb[21] > 0 && panorama.rgb[21] < 1e-35f);
    panorama_file_free(&panorama);
}

/* Reads rows of two pixels of 32 and the same again, which a header and its size go before. */
static PanoramaFile read_headed(const char *head, const char *pixels, size_t length)
{
    static char text[4096];
    PanoramaFile panorama;
    BillowError error = {""};
    const size_t begin = strlen(head);
    memcpy(text, head, begin);
    memcpy(text + begin, pixels, length);
    if (!read_text(text, begin + length, &panorama, &error))
        fail_msg("%s: %s", head, error.text);
    return panorama;
}

/* What programs write into headers: what multiplies the values is undone, and the rest is skipped,
 * however long it is. */
static void test_headers(void **state)
{
    (void)state;
    static const char pixels[] = "\40\40\40\210\1\2\3\210\40\40\40\210\40\40\40\210"
                                 "\40\40\40\210\40\40\40\210\40\40\40\210\4\5\6\210";
    static char wordy[1200] = "#?RADIANCE\nFORMAT= 32-bit_rle_rgbe\nVIEW=";
    memset(wordy + strlen(wordy), 'v', 1000);
    strcat(wordy, "\n\n-Y 2 +X 4\n");
    const struct {
        const char *head;
        float light[3];
    } heads[] = {
        {"#?RGBE\n\n-Y 2 +X 4\n", {32, 32, 32}}, /* without a format */
        {"#?RADIANCE\nFORMAT=\t32-bit_rle_rgbe\r\nEXPOSURE=4\n\n-Y 2 +X 4\n", {8, 8, 8}},
        {"#?RADIANCE\nEXPOSURE= 4.0\nEXPOSURE=0.5\n\n-Y 2 +X 4\n", {16, 16, 16}},
        {"#?RADIANCE\nCOLORCORR=2 4 8\nPIXASPECT=1\nEXPOSURE=many\n\n-Y 2 +X 4\n", {16, 8, 4}},
        {wordy, {32, 32, 32}},
    };
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        PanoramaFile panorama = read_headed(heads[h].head, pixels, sizeof pixels - 1);
        for (int c = 0; c < 3; c++)
            assert_float_equal(panorama.rgb[c], heads[h].light[c], 1e-6f);
        panorama_file_free(&panorama);
    }
    static const char *const ways[] = {"-Y 2 +X 4", "+Y 2 +X 4", "-Y 2 -X 4", "+Y 2 -X 4"};
    static const int second[] = {1, 5, 2, 6}, last[] = {7, 3, 4, 0}; /* where these pixels are */
    for (int w = 0; w < 4; w++) {
        char head[64];
        snprintf(head, sizeof head, "#?RADIANCE\n\n%s\n", ways[w]);
        PanoramaFile panorama = read_headed(head, pixels, sizeof pixels - 1);
        for (int c = 0; c < 3; c++) {
            assert_float_equal(panorama.rgb[3 * second[w] + c], (float)(c + 1), 0);
            assert_float_equal(panorama.rgb[3 * last[w] + c], (float)(c + 4), 0);
        }
        panorama_file_free(&panorama);
    }
}

/* Runs of the old kind: seven pixels more, and then 256 + 3 more in a wide picture. */
static void test_old_runs(void **state)
{
    (void)state;
    static const char narrow[] = "\7\10\11\210\1\1\1\7\2\3\4\210\1\1\1\7"
                                 "\7\10\11\210\1\1\1\7\2\3\4\210\1\1\1\7";
    PanoramaFile panorama = read_headed(HEAD "-Y 4 +X 8\n", narrow, sizeof narrow - 1);
    for (int pixel = 0; pixel < 32; pixel++)
        assert_float_equal(panorama.rgb[3 * pixel + 1], ((pixel / 8 % 2 == 0) ? 8.0f : 3.0f), 0);
    panorama_file_free(&panorama);
    static char wide[130 * 12];
    for (int row = 0; row < 130; row++)
        memcpy(wide + 12 * row, "\7\10\11\210\1\1\1\3\1\1\1\1", 12);
    panorama = read_headed(HEAD "-Y 130 +X 260\n", wide, sizeof wide);
    for (int pixel = 0; pixel < 130 * 260; pixel++)
        assert_float_equal(panorama.rgb[3 * pixel + 2], 9, 0);
    panorama_file_free(&panorama);
    /* one with nothing before it, one that is too long, and one of too many numbers */
    assert_refused(HEAD "-Y 2 +X 4\n\1\1\1\4", strlen(HEAD) + 14, "row 0 of 2");
    assert_refused(HEAD "-Y 2 +X 4\n\7\7\7\7\1\1\1\4", strlen(HEAD) + 18, "row 0 of 2");
    assert_refused(HEAD "-Y 2 +X 4\n\7\7\7\7\1\1\1\0\1\1\1\0\1\1\1\0\1\1\1\0", strlen(HEAD) + 30,
                   "row 0 of 2");
}

/* Rows of runs: red 7 eight times, green 1 to 8, blue 3 and 5 four times each. */
static void test_runs(void **state)
{
    (void)state;
    static const char row[] = "\2\2\0\10"
                              "\210\7"
                              "\10\1\2\3\4\5\6\7\10"
                              "\204\3\204\5"
                              "\210\210";
    char text[sizeof HEAD + 16 + 4 * sizeof row] = HEAD "-Y 4 +X 8\n";
    size_t length = strlen(text);
    for (int y = 0; y < 4; y++, length += sizeof row - 1)
        memcpy(text + length, row, sizeof row - 1);
    PanoramaFile panorama;
    BillowError error = {""};
    assert_true(read_text(text, length, &panorama, &error));
    for (int x = 0; x < 8; x++) {
        const float *pixel = panorama.rgb + 3 * (8 * 3 + x);
        assert_float_equal(pixel[0], 7, 0);
        assert_float_equal(pixel[1], (float)(x + 1), 0);
        assert_float_equal(pixel[2], x < 4 ? 3 : 5, 0);
    }
    panorama_file_free(&panorama);
    for (size_t cut = strlen(HEAD "-Y 4 +X 8\n"); cut < length; cut++)
        assert_refused(text, cut, "incomplete or damaged");
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "does not begin with #?RADIANCE"},
        {"P6 4 2 255\n", "does not begin with #?RADIANCE"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "header is incomplete"},
        {HEAD, "header is incomplete"},
        {"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 2 +X 4\n",
         "its format must be 32-bit_rle_rgbe, not 32-bit_rle_xyze"},
        {HEAD "+X 4 -Y 2\n", "its rows must run from left or right (-Y HEIGHT +X WIDTH)"},
        {HEAD "-Y 0 +X 0\n", "with 2 to 4096 rows, not 0x0"},
        {HEAD "-Y -2 +X -4\n", "not -4x-2"},
        {HEAD "-Y 3 +X 4\n", "twice as wide as high"},
        {HEAD "-Y 999999999 +X 1999999998\n", "not"},
        {HEAD "-Y 4 +X 8\n\2\2\0\10\377\1", "row 0 of 4"}, /* a run past the end of its row */
        {HEAD "-Y 4 +X 8\n\2\2\0\10\0\0\0\0\0\0\0\0", "row 0 of 4"}, /* an empty run */
    };
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
        assert_refused(bad[b].text, strlen(bad[b].text), bad[b].why);
    /* Each channel has a run that is one too long. */
    assert_refused(HEAD "-Y 4 +X 8\n\2\2\0\10\211\1\211\1\211\1\211\1",
                   strlen(HEAD) + strlen("-Y 4 +X 8\n") + 12, "row 0 of 4");
    assert_refused(HEAD "-Y 4 +X 8\n\2\2\0\10\0\0\0\0\0\0\0\0",
                   strlen(HEAD) + strlen("-Y 4 +X 8\n") + 12, "row 0 of 4");
}

static void assert_file_refused(const char *path, const char *why)
{
    PanoramaFile panorama;
    BillowError error = {""};
    assert_false(panorama_file_load(path, &panorama, &error));
    assert_null(panorama.rgb);
    if (strstr(error.text, path) != error.text || strstr(error.text, why) == NULL)
        fail_msg("'%s', not '%s'", error.text, why);
}

static void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void test_files(void **state)
{
    (void)state;
    assert_file_refused("none.hdr", "cannot be opened");
    assert_file_refused("/tmp", "folder");
    write_bytes("a.png", "x", 1);
    assert_file_refused("a.png", "must be a .hdr or .exr file");
    write_bytes("a.exr", "x", 1);
#ifdef BILLOW_OPENEXR
    assert_file_refused("a.exr", "no EXR picture, or a damaged one");
#else
    assert_file_refused("a.exr", "reads no EXR files");
#endif
    unlink("a.png");
    unlink("a.exr");
}

#ifdef BILLOW_OPENEXR
enum { HIGH = 20, WIDE = 2 * HIGH };

static void write_exr(const char *path, const char *green, const float *rgb)
{
    BillowError error = {""};
    const FloatPicture picture = {.width = WIDE,
                                  .height = HIGH,
                                  .channel_count = 3,
                                  .channels = {{"B", true, 3}, {green, false, 3}, {"R", true, 3}},
                                  .exposure = 1};
    const float *const values[3] = {rgb + 2, rgb + 1, rgb};
    FloatFile *file = exr_file_open(path, &picture, &error);
    assert_non_null(file);
    for (int y = 0; y < HIGH; y += FLOAT_ROWS) {
        const float *const rows[3] = {values[0] + 3 * WIDE * y, values[1] + 3 * WIDE * y,
                                      values[2] + 3 * WIDE * y};
        assert_true(file->write(file, HIGH - y < FLOAT_ROWS ? HIGH - y : FLOAT_ROWS, rows, &error));
    }
    assert_true(file->close(file, true, &error));
}

static void test_exr(void **state)
{
    (void)state;
    static float rgb[3 * WIDE * HIGH];
    for (int i = 0; i < 3 * WIDE * HIGH; i++)
        rgb[i] = (float)(i % 509) / 8;
    write_exr("a.exr", "G", rgb);
    PanoramaFile panorama;
    BillowError error = {""};
    if (!panorama_file_load("a.exr", &panorama, &error))
        fail_msg("%s", error.text);
    assert_int_equal(panorama.height, HIGH);
    assert_memory_equal(panorama.rgb, rgb, sizeof rgb);
    panorama_file_free(&panorama);

    rgb[1] = -2;
    rgb[4] = INFINITY;
    write_exr("a.exr", "G", rgb);
    assert_true(panorama_file_load("a.exr", &panorama, &error));
    assert_float_equal(panorama.rgb[1], 0, 0);
    assert_float_equal(panorama.rgb[4], PANORAMA_RADIANCE_MAX, 0);
    panorama_file_free(&panorama);

    rgb[3 * WIDE * 7 + 4] = NAN;
    write_exr("a.exr", "G", rgb);
    assert_true(panorama_file_load("a.exr", &panorama, &error));
    assert_int_equal(panorama.not_numbers, 1);
    assert_float_equal(panorama.rgb[3 * WIDE * 7 + 4], 0, 0);
    panorama_file_free(&panorama);
    write_exr("a.exr", "Y", rgb);
    assert_file_refused("a.exr", "must have the channels R, G and B");

    rgb[3 * WIDE * 7 + 4] = 0;
    write_exr("a.exr", "G", rgb);
    FILE *file = fopen("a.exr", "r+b");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    fclose(file);
    for (long cut = length - 1; cut > 0; cut -= length / 9) {
        assert_int_equal(truncate("a.exr", cut), 0);
        assert_file_refused("a.exr", "damaged");
    }
    unlink("a.exr");
}

/* A picture whose colours are channels of layers: the first that has all three. */
static void test_exr_layers(void **state)
{
    (void)state;
    BillowError error = {""};
    static float rgb[3 * WIDE * HIGH];
    for (int i = 0; i < 3 * WIDE * HIGH; i++)
        rgb[i] = (float)(i % 509) / 8;
    const FloatPicture picture = {.width = WIDE,
                                  .height = HIGH,
                                  .channel_count = 5,
                                  .channels = {{"A.G", true, 3},
                                               {"B.B", true, 3},
                                               {"B.G", true, 3},
                                               {"B.R", true, 3},
                                               {"Depth.Z", true, 3}},
                                  .exposure = 1};
    FloatFile *file = exr_file_open("a.exr", &picture, &error);
    assert_non_null(file);
    for (int y = 0; y < HIGH; y += FLOAT_ROWS) {
        const float *row = rgb + 3 * WIDE * y;
        const float *const rows[5] = {row, row + 2, row + 1, row, row};
        assert_true(file->write(file, HIGH - y < FLOAT_ROWS ? HIGH - y : FLOAT_ROWS, rows, &error));
    }
    assert_true(file->close(file, true, &error));
    PanoramaFile panorama;
    if (!panorama_file_load("a.exr", &panorama, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(panorama.rgb, rgb, sizeof rgb);
    panorama_file_free(&panorama);
    unlink("a.exr");
}

/* Tiles of 16x16 pixels, of which those at the right and below are cut off. */
static void test_exr_tiles(void **state)
{
    (void)state;
    enum { TILE = 16 };
    exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_context_t file;
    const exr_attr_box2i_t window = {.min = {.x = 0}, .max = {.x = WIDE - 1, .y = HIGH - 1}};
    const exr_attr_v2f_t middle = {.x = 0};
    int part;
    assert_int_equal(exr_start_write(&file, "a.exr", EXR_WRITE_FILE_DIRECTLY, &setup), 0);
    assert_int_equal(exr_add_part(file, "tiles", EXR_STORAGE_TILED, &part), 0);
    assert_int_equal(exr_initialize_required_attr(file, part, &window, &window, 1, &middle, 1,
                                                  EXR_LINEORDER_INCREASING_Y, EXR_COMPRESSION_NONE),
                     0);
    static const char *const names[3] = {"B", "G", "R"};
    for (int c = 0; c < 3; c++)
        assert_int_equal(
            exr_add_channel(file, part, names[c], EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1),
            0);
    assert_int_equal(
        exr_set_tile_descriptor(file, part, TILE, TILE, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN),
        0);
    assert_int_equal(exr_write_header(file), 0);
    for (int top = 0; top < HIGH; top += TILE)
        for (int left = 0; left < WIDE; left += TILE) {
            float values[3 * TILE * TILE];
            size_t count = 0;
            for (int y = top; y < top + TILE && y < HIGH; y++)
                for (int c = 2; c >= 0; c--)
                    for (int x = left; x < left + TILE && x < WIDE; x++)
                        values[count++] = (float)(100 * y + x) + 0.25f * (float)c;
            assert_int_equal(exr_write_tile_chunk(file, part, left / TILE, top / TILE, 0, 0, values,
                                                  count * sizeof *values),
                             0);
        }
    assert_int_equal(exr_finish(&file), 0);
    PanoramaFile panorama;
    BillowError error = {""};
    if (!panorama_file_load("a.exr", &panorama, &error))
        fail_msg("%s", error.text);
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            for (int c = 0; c < 3; c++)
                assert_float_equal(panorama.rgb[3 * (WIDE * y + x) + c],
                                   (float)(100 * y + x) + 0.25f * (float)c, 0);
    panorama_file_free(&panorama);
    unlink("a.exr");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_rows), cmocka_unit_test(test_runs),
        cmocka_unit_test(test_headers),    cmocka_unit_test(test_old_runs),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_files),
#ifdef BILLOW_OPENEXR
        cmocka_unit_test(test_exr),        cmocka_unit_test(test_exr_layers),
        cmocka_unit_test(test_exr_tiles),
#endif
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
