/* SPDX-License-Identifier: MIT
 * Parsing of command lines by table, and values with a syntax of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/args.h"
#include "cli/values.h"
#include <string.h>

typedef struct Settings {
    ArgsTexts operands, texts;
    ArgsWholes wholes;
    bool flag;
    int whole;
    double number;
    const char *text, *json;
    RenderSize size;
} Settings;

static const ArgsOption options[] = {
    {.name = "flag", .type = ARGS_FLAG, .offset = offsetof(Settings, flag), .help = "a flag"},
    {.name = "whole",
     .placeholder = "N",
     .type = ARGS_WHOLE,
     .least = -5,
     .most = 10,
     .offset = offsetof(Settings, whole),
     .help = "a whole number; default 3"},
    {.name = "number",
     .placeholder = "X",
     .type = ARGS_NUMBER,
     .least = -1,
     .most = 1e6,
     .offset = offsetof(Settings, number),
     .help = "a number"},
    {.name = "wholes",
     .placeholder = "N,N...",
     .type = ARGS_WHOLES,
     .least = 1,
     .most = 99,
     .offset = offsetof(Settings, wholes),
     .help = "a list"},
    {.name = "text",
     .placeholder = "TEXT",
     .type = ARGS_TEXT,
     .offset = offsetof(Settings, text),
     .help = "a text"},
    {.type = ARGS_END},
};

static const ArgsOption more_options[] = {
    {.name = "texts",
     .placeholder = "TEXT",
     .type = ARGS_TEXTS,
     .offset = offsetof(Settings, texts),
     .help = "texts"},
    {.name = "json",
     .placeholder = "FILE",
     .type = ARGS_TEXT_OR_STDOUT,
     .offset = offsetof(Settings, json),
     .help = "a file"},
    {.name = "size",
     .placeholder = "WxH",
     .type = ARGS_PARSED,
     .parse = values_parse_size,
     .offset = offsetof(Settings, size),
     .help = "a size"},
    {.type = ARGS_END},
};

static const ArgsSpec spec = {
    .name = "try",
    .summary = "a trial",
    .operand = "FILE...",
    .operand_help = "files",
    .operands_least = 1,
    .operands_most = 2,
    .operands_offset = offsetof(Settings, operands),
    .tables = {options, more_options},
    .notes = "Notes.\n",
};

static Settings settings;
static BillowError error;

/* Parses words separated by single spaces. */
static ArgsResult parse(const char *line)
{
    static char text[512];
    char *words[64];
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = text; word != NULL && *word != 0;) {
        words[count++] = word;
        word = strchr(word, ' ');
        if (word != NULL)
            *word++ = 0;
    }
    settings = (Settings){.whole = 3};
    error.text[0] = 0;
    return args_parse(&spec, count, words, &settings, &error);
}

static void test_every_type(void **state)
{
    (void)state;
    assert_int_equal(parse("--flag a --whole -5 --number=2.5e3 b --wholes 1,20,99 --text=x=y "
                           "--texts p=1 --texts q=2 --size 32x16 --json"),
                     ARGS_GIVEN);
    assert_true(settings.flag);
    assert_int_equal(settings.whole, -5);
    assert_true(settings.number == 2500);
    assert_int_equal(settings.wholes.count, 3);
    assert_int_equal(settings.wholes.items[2], 99);
    assert_string_equal(settings.text, "x=y");
    assert_int_equal(settings.texts.count, 2);
    assert_string_equal(settings.texts.items[1], "q=2");
    assert_int_equal(settings.size.width, 32);
    assert_int_equal(settings.size.height, 16);
    assert_string_equal(settings.json, "-");
    assert_int_equal(settings.operands.count, 2);
    assert_string_equal(settings.operands.items[1], "b");
}

static void test_defaults_stay(void **state)
{
    (void)state;
    assert_int_equal(parse("a"), ARGS_GIVEN);
    assert_int_equal(settings.whole, 3);
    assert_null(settings.json);
    assert_false(settings.flag);
}

static void test_dashes(void **state)
{
    (void)state;
    assert_int_equal(parse("-- --flag"), ARGS_GIVEN);
    assert_string_equal(settings.operands.items[0], "--flag");
    assert_int_equal(parse("-"), ARGS_GIVEN);
    assert_string_equal(settings.operands.items[0], "-");
    assert_int_equal(parse("a --json out.json"), ARGS_GIVEN);
    assert_string_equal(settings.json, "out.json");
    assert_int_equal(parse("a --json --flag"), ARGS_GIVEN);
    assert_string_equal(settings.json, "-");
    assert_int_equal(parse("--help"), ARGS_HELP);
    assert_int_equal(parse("-h"), ARGS_HELP);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"", "'try' needs FILE...; see 'billow try --help'"},
        {"a b c", "'try' takes at most 2 FILE; leave 'c' out"},
        {"a --flga", "'try' has no option '--flga'; did you mean '--flag'?"},
        {"a --xyzzy", "'try' has no option '--xyzzy'; 'billow try --help' lists them"},
        {"a --flag=1", "takes no value"},
        {"a -f", "'try' has no option '-f'; did you mean '--flag'?"},
        {"a --whole", "--whole needs a value: --whole N"},
        {"a --whole --flag", "needs a value"},
        {"a --whole=", "must be a whole number, -5 to 10, not ''"},
        {"a --whole 1x", "must be a whole number, -5 to 10, not '1x'"},
        {"a --whole 11", "must be -5 to 10, not 11"},
        {"a --whole 4294967297", "must be a whole number"},
        {"a --number 1e999", "must be a number, -1 to 1000000, not '1e999'"},
        {"a --number -1.5", "must be -1 to 1000000, not -1.5"},
        {"a --wholes 1,,2", "must be whole numbers, such as 1,2,4, not ''"},
        {"a --wholes 1,100", "must be 1 to 99 each, not 100"},
        {"a --wholes 1,2,", "must be whole numbers, such as 1,2,4, not ''"},
        {"a --wholes 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
         "--wholes: more than 32 numbers"},
        {"a --wholes 0000000000000000000000000000000001", "a number in the list is too long"},
        {"a --text=", "--text: the value is empty"},
        {"a --size 32", "--size: must be width x height in pixels"},
        {"a --whole 1 --whole 1", "--whole is given twice; write it once: --whole N"},
        {"--wholes 1 a --wholes=2", "--wholes is given twice; write it once: --wholes N,N..."},
        {"a --json --json b", "--json is given twice"},
    };
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++)
        if (parse(cases[index].line) != ARGS_WRONG || strstr(error.text, cases[index].text) == NULL)
            fail_msg("'%s' gave: %s", cases[index].line, error.text);
}

static void test_a_list_has_an_end(void **state)
{
    (void)state;
    static char *words[2 * ARGS_TEXTS_MAX + 3] = {"a"};
    for (int given = 0; given <= ARGS_TEXTS_MAX; given++) {
        words[2 * given + 1] = "--texts";
        words[2 * given + 2] = "x";
    }
    settings = (Settings){.whole = 3};
    assert_int_equal(args_parse(&spec, 2 * ARGS_TEXTS_MAX + 1, words, &settings, &error),
                     ARGS_GIVEN);
    settings = (Settings){.whole = 3};
    assert_int_equal(args_parse(&spec, 2 * ARGS_TEXTS_MAX + 3, words, &settings, &error),
                     ARGS_WRONG);
    assert_string_equal(error.text, "--texts: given more than 1024 times");
}

static void test_numbers_are_whole_words(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    " 1",  "1 ",    "0x1", "inf", "nan",  "1e",
                                        "1,5", "--1", "1e999", "+",   ".",   "1.2.3"};
    double value = 7;
    for (size_t index = 0; index < sizeof wrong / sizeof wrong[0]; index++)
        if (args_number(wrong[index], &value))
            fail_msg("'%s' was taken for the number %g", wrong[index], value);
    assert_true(value == 7);
    assert_true(args_number("-1.5e-3", &value) && value == -1.5e-3);
}

static void test_help_holds_every_row(void **state)
{
    (void)state;
    static char text[8192];
    FILE *stream = tmpfile();
    assert_non_null(stream);
    args_print_help(&spec, stream);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = 0;
    fclose(stream);
    static const char *const parts[] = {"usage: billow try FILE... [OPTIONS]",
                                        "--flag ",
                                        "--whole N",
                                        "default 3 (-5 to 10)",
                                        "--texts TEXT",
                                        "--json [FILE]",
                                        "--help",
                                        "Notes.\n"};
    for (size_t index = 0; index < sizeof parts / sizeof parts[0]; index++)
        if (strstr(text, parts[index]) == NULL)
            fail_msg("the help lacks '%s':\n%s", parts[index], text);
    for (const char *line = text; line != NULL && *line != 0;) {
        assert_true(strcspn(line, "\n") <= 100);
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
}

static void test_output_names(void **state)
{
    (void)state;
    OutputName output;
    char path[64];
    assert_true(values_parse_output("a.png", &output, &error));
    assert_false(output.sequence);
    assert_true(output_name_path(&output, 7, path, sizeof path, &error));
    assert_string_equal(path, "a.png");
    assert_true(values_parse_output("d/f_%04d.PNG", &output, &error));
    assert_true(output.sequence);
    assert_true(output_name_path(&output, 7, path, sizeof path, &error));
    assert_string_equal(path, "d/f_0007.PNG");
    assert_true(output_name_path(&output, 123456, path, sizeof path, &error));
    assert_string_equal(path, "d/f_123456.PNG");
    assert_true(values_parse_output("%d.png", &output, &error));
    assert_true(output_name_path(&output, 7, path, sizeof path, &error));
    assert_string_equal(path, "7.png");
    assert_false(output_name_path(&output, 7, path, 5, &error));
    assert_true(values_parse_output("-", &output, &error));
    assert_true(output.picture->storage == PICTURE_BYTES);
    assert_true(values_parse_output("exr:-", &output, &error));
    assert_true(output.picture->storage == PICTURE_FLOATS && !output.sequence);
    assert_string_equal(output.text, "-");
    assert_true(values_parse_output("d/f_%02d.exr", &output, &error));
    assert_true(output.picture->storage == PICTURE_FLOATS && output.sequence);
    assert_true(output_name_path(&output, 7, path, sizeof path, &error));
    assert_string_equal(path, "d/f_07.exr");
    assert_false(values_parse_output("exr:a", &output, &error));
    assert_false(values_parse_output("%4d.png", &output, &error));
    assert_false(values_parse_output("%00d.png", &output, &error));
    assert_false(values_parse_output("a.mpg", &output, &error));
    assert_false(values_parse_output("a_%d.mp4", &output, &error));
    assert_true(values_parse_output("a.mp4", &output, &error));
    assert_true(output.picture->storage == PICTURE_VIDEO && !output.sequence);
}

static void test_grid_and_camera(void **state)
{
    (void)state;
    const char *grid = NULL;
    assert_true(values_parse_grid("8x2048x64", &grid, &error));
    assert_string_equal(grid, "8x2048x64");
    assert_false(values_parse_grid("8x8x8x8", &grid, &error));
    assert_false(values_parse_grid("8xx8", &grid, &error));
    assert_false(values_parse_grid("x8x8", &grid, &error));
    assert_false(values_parse_grid("+8", &grid, &error));
    assert_false(values_parse_grid("7", &grid, &error));
    ValuesCamera camera = {0};
    assert_true(values_parse_camera("-30,12.5,3", &camera, &error));
    assert_true(camera.view == VALUES_VIEW_GIVEN && camera.azimuth == -30 &&
                camera.elevation == 12.5f && camera.distance == 3 && camera.fov == 0);
    assert_true(values_parse_camera("0,0,1,45", &camera, &error));
    assert_true(camera.fov == 45);
    assert_false(values_parse_camera("0,0,0", &camera, &error));
    assert_false(values_parse_camera("", &camera, &error));
    assert_false(values_parse_camera("0,0,1,45,", &camera, &error));
}

/* Destination large enough for any of the parsers. */
typedef union Parsed {
    const char *text;
    BenchGrids grids;
    RenderSizes sizes;
    RenderSize size;
    ValuesTiles tiles;
    ValuesCamera camera;
    OutputName output;
    SliceAsk slice;
    ValuesUp up;
    unsigned fields;
} Parsed;

/* A wrong value must give this message. */
static void test_every_value_s_refusals(void **state)
{
    (void)state;
    static char many[400], longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    strcpy(longest + sizeof longest - 5, ".png");
    for (int item = 0; item < 33; item++)
        strcat(many, item > 0 ? ",64" : "64");
    static char many_sizes[200];
    for (int item = 0; item < 17; item++)
        strcat(many_sizes, item > 0 ? ",64x64" : "64x64");
    char endings[128];
    static char no_picture[200];
    picture_format_endings(endings, sizeof endings);
    snprintf(no_picture, sizeof no_picture, "no .bmp; use %s, such as a.png", endings);
    static const struct {
        bool (*parse)(const char *text, void *destination, BillowError *error);
        const char *text, *words;
    } wrong[] = {
        {values_parse_grid, "64y64",
         "must be cells along the longest axis (64) or per axis (64x96x64), not '64y64'"},
        {values_parse_grid, "7", "must be 8 to 2048 cells, not 7"},
        {values_parse_grids, many, "more than 32 grids"},
        {values_parse_grids, "32,0000000000064x64x64", "has more digits than a grid needs"},
        {values_parse_size, "64", "must be width x height in pixels, such as 1280x720, not '64'"},
        {values_parse_size, "64x9", "must be 16 to 16384 pixels each, not 9"},
        {values_parse_sizes, many_sizes, "more than 16 sizes"},
        {values_parse_tiles, "8", "must be columns x rows of tiles, such as 8x8, not '8'"},
        {values_parse_tiles, "129x1", "must be 1 to 128 columns of tiles, not 129"},
        {values_parse_tiles, "1x0", "must be 1 to 128 rows of tiles, not 0"},
        {values_parse_camera, "1,2",
         "must be AZIMUTH,ELEVATION,DISTANCE[,FOV], such as 30,10,3, or scene or fit, not '1,2'"},
        {values_parse_camera, "1,2,3,4,5", "must be AZIMUTH,ELEVATION,DISTANCE[,FOV]"},
        {values_parse_camera, "1,up,3", "elevation must be a number, -90 to 90, not 'up'"},
        {values_parse_camera, "1,2,3,151", "fov must be 1 to 150, not 151"},
        {values_parse_output, "a%d%d.png", "a name may hold one '%d' or '%0Nd'"},
        {values_parse_output, "a.bmp", no_picture},
        {values_parse_output, "a_%d.gif", "a video is one file, which needs no number"},
        {values_parse_volumes, "a.png", "no .png; use .vdb, .nvdb, .vti or .npz, such as a.vdb"},
        {values_parse_fields, "density,density", "'density' is given twice"},
        {values_parse_fields, "densty", "there is no field 'densty'; did you mean 'density'?"},
        {values_parse_fields, "xyzzy", "there is no field 'xyzzy'; the fields are density"},
        {values_parse_up, "x", "must be y or z, not 'x'"},
        {values_parse_drawing, "a.png", "no .png; use .svg, such as a.svg"},
        {values_parse_slice, "", "must be FIELD[,x|y|z=M]"},
        {values_parse_slice, "z=1", "[,legend=no], not 'z=1'"},
        {values_parse_slice, "speed,z", "[,legend=no], not 'z'"},
        {values_parse_slice, "speed,z=1,x=2", "a slice has one place; x= is a second"},
        {values_parse_slice, "speed,z=1m", "z must be a number, not '1m'"},
        {values_parse_slice, "speed,veil=2", "veil must be 0 to 1, not 2"},
        {values_parse_slice, "speed,contours=1.5",
         "contours must be a whole number, 0 to 100, not '1.5'"},
        {values_parse_slice, "speed,range=2", "range must be two numbers with a colon between"},
        {values_parse_slice, "speed,range=a:2", "range from must be a number, not 'a'"},
        {values_parse_slice, "speed,range=0:b", "range to must be a number, not 'b'"},
        {values_parse_slice, "speed,range=2:1",
         "range 2:1 is empty; the smaller number comes first"},
        {values_parse_slice, "speed,range=1000:1000.001", "is too narrow to tell values apart"},
        {values_parse_slice, "speed,legend=maybe", "legend must be yes or no, not 'maybe'"},
        {values_parse_slice, "speed,contour=3",
         "a slice has no 'contour'; did you mean 'contours'?"},
        {values_parse_slice, "speed,xyzzy=3", "a slice has no 'xyzzy'; write FIELD"},
    };
    for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
        Parsed before, parsed;
        memset(&before, 0, sizeof before);
        parsed = before;
        error.text[0] = 0;
        bool taken = wrong[index].parse(wrong[index].text, &parsed, &error);
        if (taken || strstr(error.text, wrong[index].words) == NULL)
            fail_msg("%s was %s: '%s'; wanted '%s'", wrong[index].text, taken ? "taken" : "refused",
                     error.text, wrong[index].words);
        assert_memory_equal(&parsed, &before, sizeof parsed);
    }
    char path[4096];
    const OutputName output = {.text = longest};
    assert_false(output_name_path(&output, 1, path, sizeof path, &error));
    assert_non_null(strstr(error.text, "...: the name is too long"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type),
        cmocka_unit_test(test_defaults_stay),
        cmocka_unit_test(test_dashes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_a_list_has_an_end),
        cmocka_unit_test(test_numbers_are_whole_words),
        cmocka_unit_test(test_help_holds_every_row),
        cmocka_unit_test(test_output_names),
        cmocka_unit_test(test_grid_and_camera),
        cmocka_unit_test(test_every_value_s_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
