/* SPDX-License-Identifier: MIT
 * What a reader says that a file has taken over (hostile_reader.c) is refused, and changes nothing
 * in this process. */
#include "io/font.h"
#include "io/isolated.h"
#include "io/panorama_file.h"
#include "io/vdb_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static VdbFile *open_as(const char *mode)
{
    BillowError error = {""};
    VdbFile *file = vdb_file_read(mode, 1, NULL, &error);
    if (file == NULL)
        fail_msg("%s", error.text);
    return file;
}

static void a_grid_that_makes_no_sense_is_none(void **state)
{
    (void)state;
    for (const char *mode = "gnhvlscrRe"; *mode != '\0'; mode++) {
        VdbFile *file = open_as(mode);
        VdbGrid grid;
        if (vdb_file_grid(file, "density", &grid))
            fail_msg("a grid of '%c' was taken", *mode);
        vdb_file_close(file);
    }
    VdbFile *file = open_as("i");
    VdbGrid grid;
    assert_true(vdb_file_grid(file, "density", &grid));
    assert_float_equal(grid.sum, 0, 0);
    vdb_file_close(file);
}

static void texts_are_ended_and_masked(void **state)
{
    (void)state;
    char names[300];
    VolumeUp up;
    VdbFile *file = open_as("t");
    vdb_file_names(file, names, sizeof names);
    assert_int_equal(strlen(names), ISOLATED_NAMES - 1);
    assert_int_equal(strspn(names, "?"), ISOLATED_NAMES - 1);
    assert_false(vdb_file_up(file, &up));
    vdb_file_close(file);
}

static void numbers_are_finite_and_in_their_range(void **state)
{
    (void)state;
    const VdbLattice lattice = {.n = {2, 2, 2}};
    float values[8] = {0};
    BillowError error = {""};
    for (const char *mode = "in"; *mode != '\0'; mode++) {
        VdbFile *file = open_as(mode);
        assert_false(vdb_file_sample(file, "density", &lattice, 1, values, &error));
        assert_string_equal(error.text, "it holds values that are not finite");
        assert_true(vdb_file_distance(file, lattice.n, values, &error));
        for (int v = 0; v < 8; v++)
            assert_true(values[v] >= -VDB_BAND && values[v] <= VDB_BAND);
        vdb_file_close(file);
    }
    VdbFile *file = open_as("m");
    assert_false(vdb_file_sample(file, "density", &lattice, 1, values, &error));
    assert_string_equal(error.text, "?[2J?bad?");
    vdb_file_close(file);
}

static void answers_of_another_length_end_the_reader(void **state)
{
    (void)state;
    const IsolatedLimits limits = isolated_limits();
    const struct {
        const char *mode, *message;
    } ways[] = {
        {"l", "damaged: the answer of OpenVDB while reading it makes no sense"},
        {"c", "damaged: the answer of OpenVDB while reading it makes no sense"},
        {"r", "damaged: the answer of OpenVDB while reading it makes no sense"},
        {"R", "damaged: the answer of OpenVDB while reading it makes no sense"},
        {"s", "damaged: OpenVDB ended while reading it"},
        {"e", "OpenVDB was killed while reading it; systems that run out of memory do so"},
    };
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        BillowError error = {""};
        IsolatedOpened opened;
        VdbGrid grid;
        Isolated *reader = isolated_start(ISOLATED_VDB, &limits, &error);
        assert_non_null(reader);
        assert_true(isolated_open(reader, ways[w].mode, 1, &opened, &error));
        const IsolatedQuestion question = {.what = ISOLATED_VDB_GRID, .file = opened.file};
        assert_false(isolated_ask(reader, &question, &grid, sizeof grid, &error));
        assert_string_equal(error.text, ways[w].message);
        assert_false(isolated_is_alive(reader));
        assert_false(isolated_ask(reader, &question, &grid, sizeof grid, &error));
        assert_string_equal(error.text, "the process that reads it has ended");
        isolated_end(reader);
    }
}

static void write_byte(const char *path, char byte)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fputc(byte, stream), byte);
    assert_int_equal(fclose(stream), 0);
}

static void pictures_and_letters_have_sizes(void **state)
{
    (void)state;
    const char *const path = "hostile.exr";
    BillowError error = {""};
    PanoramaFile panorama;
    BillowVolume volume;
    write_byte(path, 'w');
    assert_false(panorama_file_load(path, &panorama, &error));
    if (strstr(error.text, "not 2147483647x2147483647") == NULL &&
        strstr(error.text, "built without") == NULL)
        fail_msg("'%s'", error.text);
    assert_false(lettering_draw("A", path, 0.05f, &volume, &error));
    if (strstr(error.text, "million pixels; at most 48") == NULL &&
        strstr(error.text, "draws no letters") == NULL)
        fail_msg("'%s'", error.text);
    write_byte(path, 'x');
    assert_false(lettering_draw("A", path, 0.05f, &volume, &error));
    remove(path);
}

static void a_reader_that_does_not_start_is_named(void **state)
{
    (void)state;
    BillowError error = {""};
    IsolatedLimits limits = isolated_limits();
    limits.memory = 1;
    assert_null(isolated_start(ISOLATED_VDB, &limits, &error));
    assert_string_equal(error.text,
                        "billow-reader, which reads such files, cannot be started (status 5)");
    limits.memory = 2;
    assert_null(isolated_start(ISOLATED_VDB, &limits, &error));
    assert_string_equal(error.text, "nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_that_makes_no_sense_is_none),
        cmocka_unit_test(texts_are_ended_and_masked),
        cmocka_unit_test(numbers_are_finite_and_in_their_range),
        cmocka_unit_test(answers_of_another_length_end_the_reader),
        cmocka_unit_test(pictures_and_letters_have_sizes),
        cmocka_unit_test(a_reader_that_does_not_start_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
