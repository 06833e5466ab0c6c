/* SPDX-License-Identifier: MIT
 * EXR files, read back by OpenEXR, and failures to write them. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "io/picture_format.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "exr_fixture.h"

enum { WIDE = 37, HIGH = 41 }; /* HIGH is no multiple of FLOAT_ROWS */

static float color[WIDE * HIGH * 4], away[WIDE * HIGH];

static char folder[] = "/tmp/billow-test-exr-XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    for (int i = 0; i < WIDE * HIGH * 4; i++)
        color[i] = (float)((uint32_t)i * 2654435761u >> 16) / 4096.0f;
    for (int i = 0; i < WIDE * HIGH; i++)
        away[i] = i % 5 == 0 ? 1e10f : 1 + 1e-5f * (float)i;
    return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 ? -1 : rmdir(folder);
}

static int count_files(void)
{
    DIR *open_folder = opendir(".");
    assert_non_null(open_folder);
    int count = -2; /* . and .. */
    while (readdir(open_folder) != NULL)
        count++;
    closedir(open_folder);
    return count;
}

static FloatPicture picture(void)
{
    return (FloatPicture){.width = WIDE,
                          .height = HIGH,
                          .channel_count = 5,
                          .channels = {{"R", true, 4},
                                       {"G", true, 4},
                                       {"B", true, 4},
                                       {"smoke.Z", false, 1},
                                       {"A", true, 4}},
                          .comments = "as it came",
                          .exposure = 0.6f};
}

/* In parts of so many rows. */
static bool write_all(const char *path, int rows, BillowError *error)
{
    FloatPicture of = picture();
    FloatFile *file = exr_file_open(path, &of, error);
    if (file == NULL)
        return false;
    bool good = true;
    for (int row = 0; row < HIGH && good; row += rows) {
        const float *from = color + (ptrdiff_t)4 * row * WIDE;
        const float *const values[] = {from, from + 1, from + 2, away + (ptrdiff_t)row * WIDE,
                                       from + 3};
        good = file->write(file, row + rows < HIGH ? rows : HIGH - row, values, error);
    }
    return file->close(file, good, error);
}

static void check_channel(const ExrFound *found, const char *name, const float *values, int stride,
                          float most)
{
    const float *read = exr_found_channel(found, name);
    for (int i = 0; i < WIDE * HIGH; i++) {
        float wanted = values[(ptrdiff_t)i * stride];
        if (!(fabsf(read[i] - wanted) <= most * fabsf(wanted)))
            fail_msg("%s at %d: %g, wanted %g", name, i, (double)read[i], (double)wanted);
    }
}

static void check_all(const char *path)
{
    ExrFound found;
    exr_found_read(&found, path);
    assert_int_equal(found.width, WIDE);
    assert_int_equal(found.height, HIGH);
    assert_int_equal(found.channel_count, 5);
    assert_int_equal(found.compression, EXR_COMPRESSION_ZIP);
    assert_true(fabsf(found.primaries.red_x - 0.64f) < 1e-6f);
    assert_true(fabsf(found.primaries.white_y - 0.329f) < 1e-6f);
    assert_true(found.exposure == 0.6f);
    assert_string_equal(found.comments, "as it came");
    for (int c = 0; c < 4; c++)
        check_channel(&found, (const char *[]){"R", "G", "B", "A"}[c], color + c, 4, 1 / 2048.0f);
    check_channel(&found, "smoke.Z", away, 1, 0);
    for (int c = 0; c < found.channel_count; c++)
        assert_int_equal(found.half[c], strcmp(found.names[c], "smoke.Z") != 0);
    exr_found_destroy(&found);
}

static void test_round_trip(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    assert_true(exr_file_available(&error));
    if (!write_all("whole.exr", HIGH, &error) || !write_all("parts.exr", FLOAT_ROWS, &error))
        fail_msg("%s", error.text);
    check_all("whole.exr");
    check_all("parts.exr");
    assert_int_equal(count_files(), 2);
    unlink("whole.exr");
    unlink("parts.exr");
}

/* The order of the bytes is another in memory than in a file that can be gone back in. */
static void test_standard_output(void **state)
{
    (void)state;
    BillowError error = {"nothing said why"};
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int target = open("out.exr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(kept >= 0 && target >= 0);
    dup2(target, STDOUT_FILENO);
    close(target);
    bool good = write_all("-", FLOAT_ROWS, &error);
    int full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    close(full);
    bool refused = !write_all("-", FLOAT_ROWS, &error);
    clearerr(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_true(good);
    assert_true(refused);
    assert_string_equal(
        error.text, "standard output: could not be written completely: No space left on device");
    check_all("out.exr");
    unlink("out.exr");
    assert_int_equal(count_files(), 0);
}

static void test_nothing_is_left(void **state)
{
    (void)state;
    BillowError error;
    assert_false(write_all("/dev/full", FLOAT_ROWS, &error));
    assert_string_equal(error.text,
                        "/dev/full: could not be written completely: No space left on device");
    assert_false(write_all("no/a.exr", FLOAT_ROWS, &error));
    assert_string_equal(error.text, "no/a.exr: cannot be written: there is no folder no/");
    /* Given up half-way, by the caller and for rows that never came; also for the last ones. */
    for (int given_up = 0; given_up < 3; given_up++) {
        FloatPicture of = picture();
        FloatFile *file = exr_file_open("a.exr", &of, &error);
        assert_non_null(file);
        const float *const values[] = {color, color, color, away, color};
        assert_true(file->write(file, given_up == 2 ? HIGH / FLOAT_ROWS * FLOAT_ROWS : FLOAT_ROWS,
                                values, &error));
        assert_int_equal(count_files(), 1);
        assert_false(file->close(file, given_up != 1, &error));
        assert_string_equal(error.text, "a.exr: could not be written completely: rows are missing");
        assert_int_equal(count_files(), 0);
    }
}

/* A disk that fills up while rows are written: the file system lets no file grow beyond. */
static void test_full_disk(void **state)
{
    (void)state;
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        BillowError error = {""};
        struct rlimit limit = {1024, 1024};
        signal(SIGXFSZ, SIG_IGN);
        bool refused = setrlimit(RLIMIT_FSIZE, &limit) == 0 && !write_all("a.exr", 16, &error);
        _exit(
            refused &&
                    strcmp(error.text,
                           "a.exr: could not be written completely: the file would be larger than "
                           "'ulimit -f' allows") == 0
                ? 0
                : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_standard_output),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests_name("exr", tests, enter_folder, leave_folder);
}
