/* SPDX-License-Identifier: MIT
 * `billow bake` from outside. The contents of the files are tested with their writers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include "sanitized.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run, other;

#define BAKE "\"$BILLOW\" bake plume --grid 16 --refine 1 --force "

static size_t read_start(const char *path, char *text, size_t size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    size_t length = fread(text, 1, size - 1, stream);
    text[length] = 0;
    fclose(stream);
    return length;
}

/* Whether the text at the beginning of a .vti contains these words. */
static bool says(const char *path, const char *words)
{
    char text[8192];
    read_start(path, text, sizeof text);
    return strstr(text, words) != NULL;
}

static double time_of(const char *path)
{
    char text[8192];
    read_start(path, text, sizeof text);
    const char *entry = strstr(text, "TimeValue");
    assert_non_null(entry);
    return strtod(strchr(entry, '>') + 1, NULL);
}

static void test_sequence_and_its_list(void **state)
{
    (void)state;
    cli_expect_done(&run, BAKE "--frames 3 --fps 10 --out p_%04d.vti");
    assert_string_equal(run.out, "wrote p_0001.vti to p_0003.vti, listed in p.pvd\n");
    assert_int_equal(cli_folder_entries(), 4);
    assert_true(time_of("p_0001.vti") > 0.0999 && time_of("p_0001.vti") < 0.1001);
    assert_true(time_of("p_0003.vti") > 0.2999 && time_of("p_0003.vti") < 0.3001);
    assert_true(says("p.pvd", "p_0001.vti") && says("p.pvd", "p_0003.vti"));
    assert_false(says("p.pvd", "p_0004.vti"));
    /* A single .vti equals the last file of a sequence, and has no list. */
    cli_expect_done(&run, BAKE "--frames 3 --fps 10 --out a.vti && cmp a.vti p_0003.vti");
    assert_string_equal(run.out, "wrote a.vti\n");
    cli_expect_done(&run, "rm p_* p.pvd a.vti");
    cli_expect_done(&run, "mkdir in && " BAKE "--frames 1 --out in/%d.vti && ls in");
    assert_string_equal(run.out, "wrote in/1.vti, listed in in/frames.pvd\n1.vti\nframes.pvd\n");
    cli_expect_done(&run, "rm -r in");
}

static void test_options_change_the_file(void **state)
{
    (void)state;
    cli_expect_done(&run, BAKE "--frames 2 --out a.vti");
    assert_true(says("a.vti", "\"density\"") && says("a.vti", "\"temperature\"") &&
                says("a.vti", "\"velocity\""));
    assert_false(says("a.vti", "\"fuel\"") || says("a.vti", "\"color\""));
    cli_expect_done(&run, BAKE "--frames 2 --threads 3 --out b.vti && cmp a.vti b.vti");
    cli_expect_done(&run, BAKE "--frames 2 --out vti:- >b.vti && cmp a.vti b.vti");
    assert_int_equal(cli_folder_entries(), 2);
    cli_expect_done(&run, BAKE "--frames 1 --for houdini --set fluid.color=true --out h.vti");
    assert_true(says("h.vti", "\"vel\"") && says("h.vti", "\"Cd\"") &&
                !says("h.vti", "\"velocity\""));
    cli_expect_done(&run,
                    BAKE "--frames 1 --for blender --set fluid.color=true --out h.vti --force");
    assert_true(says("h.vti", "\"velocity\"") && says("h.vti", "\"color\""));
    cli_expect_done(&run, "rm h.vti");
    cli_expect_done(&run, BAKE "--frames 2 --fields velocity,density --up z --out b.vti");
    assert_true(says("b.vti", "\"density\"") && says("b.vti", "Origin=\"0 -2 0\""));
    assert_false(says("b.vti", "\"temperature\""));
    cli_expect_done(&run, BAKE "--frames 2 --set fluid.fire=true --set fluid.color=true "
                               "--out b.vti");
    assert_true(says("b.vti", "\"fuel\"") && says("b.vti", "\"flame\"") &&
                says("b.vti", "\"color\""));
    cli_expect_done(&run, "rm a.vti b.vti");
}

/* Each file of a box that grows has the corner and the cells of its time. */
static void test_a_box_that_grows(void **state)
{
    (void)state;
    cli_expect_done(&run, BAKE "--frames 12 --fps 10 --set domain.unbounded=true --fields density "
                               "--set upres.factor=2 --set domain.cells_max=1e6 --out p_%02d.vti");
    assert_true(says("p_12.vti", "Spacing=\"0.0625 0.0625 0.0625\""));
    assert_true(says("p_12.vti", "WholeExtent=\"0 96 0 64 0 96\" Origin=\"-2 0 -2\""));
    cli_expect_done(&run, BAKE "--frames 1 --fps 1000 --set domain.unbounded.ceiling=true --fields "
                               "density --out a.vti");
    assert_true(says("a.vti", "WholeExtent=\"0 16 0 16 0 16\" Origin=\"0 0 0\""));
    cli_expect_done(&run, "rm *.vti p.pvd");
}

static void test_wrong_usage(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {BAKE, "'bake' needs --out FILE, such as --out plume_%04d.vdb"},
        {BAKE "--out a.png", "--out: no .png; use .vdb, .nvdb, .vti or .npz, such as a.vdb"},
        {BAKE "--out -", "standard output needs a format: vdb:-, nvdb:-, vti:- or npz:-"},
        {"\"$BILLOW\" bake nowhere.yaml --out a.vti", "there is no file 'nowhere.yaml'"},
        {BAKE "--out .vti", "needs an ending: .vdb, .nvdb, .vti or .npz"},
        {BAKE "--out a_%s.vti", "'%d' or '%0Nd'"},
        {BAKE "--out a_%d_%d.vti", "'%d' or '%0Nd'"},
        {BAKE "--out a.vti --frames 0", "must be 1 to 1000000, not 0"},
        {BAKE "--out a.vti --frames 1.5", "must be a whole number, 1 to 1000000, not '1.5'"},
        {BAKE "--out a.vti --fps 0", "must be 0.1 to 1000, not 0"},
        {BAKE "--out a.vti --fps nan", "must be a number, 0.1 to 1000"},
        {BAKE "--out a.vti --fields ''", "--fields"},
        {BAKE "--out a.vti --fields density,", "there is no field ''"},
        {BAKE "--out a.vti --fields densty", "did you mean 'density'?"},
        {BAKE "--out a.vti --fields smoke", "the fields are density, temperature, flame, fuel"},
        {BAKE "--out a.vti --fields density,velocity,density", "'density' is given twice"},
        {BAKE "--out a.vti --fields color",
         "plume has no field 'color'; --set fluid.color=true adds it"},
        {BAKE "--out a.vti --fields fuel,density",
         "plume has no field 'fuel'; --set fluid.fire=true adds it"},
        {BAKE "--out a.vti --up x", "must be y or z, not 'x'"},
        {BAKE "--out a.vti --threshold -1", "must be 0 to 1"},
        {BAKE "--out a.vti --threshold much", "must be a number, 0 to 1, not 'much'"},
        {BAKE "--out a.vti --threshold 0.1", "are all written, empty or not"},
        {BAKE "--out a.vti --float32", "of 32 bits always; the option is for .vdb"},
        {BAKE "--out a.vdb --for maya", "--for: must be blender or houdini, not 'maya'"},
        {BAKE "--out a.npz --threshold 0.1", "cells of a .npz are all written, empty or not"},
    };
    for (size_t index = 0; index < sizeof wrong / sizeof wrong[0]; index++)
        cli_expect_failure(&run, wrong[index][0], 2, wrong[index][1]);
    assert_int_equal(cli_folder_entries(), 0);
    /* a folder may have any name */
    cli_expect_done(&run, "mkdir '50% %d'; " BAKE "--frames 2 --out '50% %d/a_%d.vti' && test -f "
                          "'50% %d/a_2.vti' -a $(ls '50% %d' | wc -l) = 3; rm -r '50% %d'");
}

static void test_failures_leave_nothing(void **state)
{
    (void)state;
    static const char *const failing[][2] = {
        {BAKE "--out no/a.vti --frames 1", "there is no folder no/"},
        {BAKE "--out /dev/full/a.vti --frames 1", "cannot be written"},
        {BAKE "--out vti:- --frames 1 >/dev/full", "No space left on device"},
#ifndef BILLOW_RACES /* the sanitizer writes files itself and would exceed the limit */
        {"ulimit -f 8; trap '' XFSZ; " BAKE "--frames 2 --out a_%d.vti",
         "larger than 'ulimit -f' allows"},
#endif
        {"mkdir p.pvd; " BAKE "--frames 1 --out p_%d.vti; s=$?; rmdir p.pvd; exit $s",
         "p.pvd: cannot be written: it is a folder"},
    };
    for (size_t index = 0; index < sizeof failing / sizeof failing[0]; index++)
        cli_expect_failure(&run, failing[index][0], 1, failing[index][1]);
    assert_int_equal(cli_folder_entries(), 0);
}

static void test_nothing_is_written_over(void **state)
{
    (void)state;
    static const char *const kept[] = {"p_3.vti", "p.pvd"};
    for (size_t index = 0; index < sizeof kept / sizeof kept[0]; index++) {
        cli_write_file(kept[index], "mine");
        cli_expect_failure(&run,
                           "\"$BILLOW\" bake plume --grid 16 --refine 1 --frames 3 --out p_%d.vti",
                           1, kept[index]);
        assert_non_null(strstr(run.err, "--force"));
        assert_true(says(kept[index], "mine"));
        assert_int_equal(cli_folder_entries(), 1);
        remove(kept[index]);
    }
}

static void test_interrupt_leaves_whole_files(void **state)
{
    (void)state;
    cli_run_signalled(&run, BAKE "--frames 100000 --out p_%d.vti", "test -e p_2.vti", SIGINT);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "billow: interrupted\n");
    int files = 0;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        assert_null(strstr(entry->d_name, "tmp"));
        files += strstr(entry->d_name, ".vti") != NULL;
    }
    closedir(entries);
    assert_true(files > 0);
    char said[64], line[64];
    snprintf(said, sizeof said,
             files > 1 ? "wrote p_1.vti to p_%d.vti, listed in p.pvd\n"
                       : "wrote p_%d.vti, listed in p.pvd\n",
             files);
    assert_string_equal(run.out, said);
    snprintf(line, sizeof line, "test $(grep -c DataSet p.pvd) = %d", files);
    cli_expect_done(&run, line);
    cli_expect_done(&run,
                    "for f in *.vti; do tail -c 11 $f | grep -q '</VTKFile>' || exit 1; done");
    cli_expect_done(&run, "rm p_*.vti p.pvd");
}

#ifdef BILLOW_OPENVDB

/* Checks the magic number and the names of the grids; test_vdb checks the rest. */
static bool is_vdb(const char *path)
{
    char text[1 << 16];
    size_t length = read_start(path, text, sizeof text);
    bool velocity = false;
    for (size_t at = 0; at + 8 < length; at++)
        velocity = velocity || memcmp(text + at, "velocity", 8) == 0;
    return length > 100 && memcmp(text, " BDV", 4) == 0 && velocity;
}

static void test_vdb(void **state)
{
    (void)state;
    cli_expect_done(&run, BAKE "--frames 2 --out p_%04d.vdb");
    assert_string_equal(run.out, "wrote p_0001.vdb to p_0002.vdb\n");
    assert_int_equal(cli_folder_entries(), 2);
    assert_true(is_vdb("p_0002.vdb"));
    cli_expect_done(&run, BAKE "--frames 2 --threads 3 --out a.vdb && cmp a.vdb p_0002.vdb");
    cli_expect_done(&run, BAKE "--frames 2 --out vdb:- >a.vdb && cmp a.vdb p_0002.vdb");
    static const char *const others[] = {"--float32", "--up y", "--threshold 0.5"};
    for (size_t index = 0; index < sizeof others / sizeof others[0]; index++) {
        char line[256];
        snprintf(line, sizeof line, BAKE "--frames 2 --out a.vdb %s && ! cmp -s a.vdb p_0002.vdb",
                 others[index]);
        cli_expect_done(&run, line);
        assert_true(is_vdb("a.vdb"));
    }
    /* a scene can start with it, and check says what is outside of the box */
    cli_run(&run, "\"$BILLOW\" check plume --set initial.vdb=p_0002.vdb "
                  "--set 'initial.center=[1, 0, 0]'");
    assert_int_equal(run.status, 0);
    assert_non_null(strstr(run.err, "p_0002.vdb holds "));
    assert_non_null(strstr(run.err, "m3 of smoke at density 1, of which "));
    /* a benchmark times steps with it */
    cli_expect_done(&run, "hash() { \"$BILLOW\" bench --grids 16 --threads 1 --steps 5 --quiet "
                          "--json - --set initial.vdb=p_0002.vdb --set initial.smoke=$1 | "
                          "grep state_hash; }; test \"$(hash 1)\" != \"$(hash 2)\"");
    cli_expect_done(&run, "rm *.vdb");
    cli_expect_failure(&run, "ulimit -f 8; trap '' XFSZ; " BAKE "--frames 2 --out a_%d.vdb", 1,
                       "larger than 'ulimit -f' allows");
    /* Without the module for .vdb, the command fails with one line before it simulates. */
    cli_expect_failure(
        &run,
        "cp \"$BILLOW\" alone; ./alone bake plume --grid 16 --refine 1 --out a.vdb; s=$?; "
        "rm alone; exit $s",
        1, "the module that writes .vdb files cannot be loaded");
    assert_int_equal(cli_folder_entries(), 0);
}

#else

static void test_vdb(void **state)
{
    (void)state;
    cli_expect_failure(&run, BAKE "--frames 2 --out a.vdb", 1,
                       "this billow was built without OpenVDB, which writes .vdb files");
    assert_int_equal(cli_folder_entries(), 0);
}

#endif

#define STEPS "\"$BILLOW\" sim plume --grid 32 --threads 1 --steps 200 "

/* A file that another program writes during the run stays, unless --force is given. The run has
 * the lowest priority, so that a busy machine does not delay the other program until its end. */
static void test_a_file_that_appears_stays(void **state)
{
    (void)state;
    static const struct {
        const char *line, *file;
    } cases[] = {
        {STEPS "--csv steps.csv --json late.json", "late.json"},
        {STEPS "--csv late.csv", "late.csv"},
        {STEPS "--csv steps.csv --checkpoint late.ckpt", "late.ckpt"},
        {"\"$BILLOW\" bake plume --grid 32 --threads 1 --frames 200 --out late.vti", "late.vti"},
    };
    char line[512];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int force = 0; force < 2; force++) {
            snprintf(line, sizeof line,
                     "rm -f *; nice -n 19 %s%s & p=$!; %s echo theirs >%s; wait $p", cases[c].line,
                     force ? " --force" : "",
                     strstr(cases[c].line, "--csv") != NULL ? CLI_UNTIL("[ -f billow-*.tmp ]")
                                                            : CLI_WORK,
                     cases[c].file);
            cli_run(&run, line);
            snprintf(line, sizeof line, "[ \"$(head -c 6 %s)\" = theirs ]", cases[c].file);
            cli_run(&other, line);
            if (force ? run.status != 0 || other.status == 0
                      : run.status != 1 || other.status != 0 || (strstr(run.err, "late.") == NULL))
                fail_msg("%s: %d, %s", cases[c].line, run.status, run.err);
        }
    cli_expect_done(&run, "test -z \"$(ls -A | grep '^billow-.*tmp')\"; rm *");
}

/* Of two runs to the same names at the same time, one goes through and the other fails. */
static void test_two_runs_to_one_name(void **state)
{
    (void)state;
    cli_expect_done(&other, BAKE "--frames 4 --out whole_%d.vti");
    for (int again = 0; again < (SANITIZED ? 2 : 5); again++) {
        cli_run(&run,
                "for n in 1 2; do \"$BILLOW\" bake plume --grid 16 --refine 1 --frames 4 --out "
                "two_%d.vti >out$n 2>err$n & "
                "eval p$n=$!; done; wait $p1; s1=$?; wait $p2; s2=$?; cat err1 err2 >&2; "
                "exit $((10 * s1 + s2))");
        assert_true(run.status == 1 || run.status == 10);
        assert_true(strstr(run.err, "another program has written it meanwhile") != NULL ||
                    strstr(run.err, "exists; --force overwrites it") != NULL);
        cli_expect_done(&other, "for n in 1 2 3 4; do cmp whole_$n.vti two_$n.vti || exit 1; done");
        cli_expect_done(&other, "test -z \"$(ls -A | grep '^billow-.*tmp')\"; rm two* out? err?");
    }
    cli_expect_done(&other, "rm *");
}

#ifdef BILLOW_NUMPY /* a Python that has NumPy */
/* NumPy reads the arrays: their shapes, what rises along the axis that points up, and that with z
 * up the same is turned. */
static void test_npz(void **state)
{
    (void)state;
    cli_write_file(
        "read.py",
        "import numpy\n"
        "y, z = numpy.load('y.npz'), numpy.load('z_5.npz')\n"
        "assert set(y) == set(z) >= {'density', 'temperature', 'flame', 'velocity'}, set(y)\n"
        "a, v, h = y['density'], y['velocity'], y['cell_size']\n"
        "assert a.dtype == v.dtype == numpy.float32, a.dtype\n"
        "assert a.shape == (22, 32, 22) and v.shape == (22, 32, 22, 3), v.shape\n"
        "assert abs(y['fps'] - 10) + abs(y['time'] - 0.5) < 1e-6\n"
        "w = y['temperature'] / y['temperature'].sum()\n"
        "means = (v * w[..., None]).sum((0, 1, 2))\n"
        "assert means[1] > 5 * abs(means[[0, 2]]).max() and means[1] > 0.05, means\n"
        "assert (z['density'] == a.transpose(1, 0, 2)[:, ::-1]).all() and a.max() > 0\n"
        "turned = v[..., [0, 2, 1]] * [1, -1, 1]\n"
        "assert (z['velocity'] == turned.transpose(1, 0, 2, 3)[:, ::-1]).all()\n"
        "o = y['origin']\n"
        "assert abs(z['origin'] - [o[0], -o[2] - 22 * h, o[1]]).max() < 1e-6, z['origin']\n");
#define BAKE_FIRE "\"$BILLOW\" bake fire --grid 32 --refine 1 --frames 5 --fps 10 --quiet "
    cli_expect_done(&run,
                    BAKE_FIRE "--out y.npz && " BAKE_FIRE "--up z --out z_%d.npz && " BAKE_FIRE
                              "--out npz:- >same.npz && cmp y.npz same.npz");
    cli_expect_done(&run, BILLOW_NUMPY " read.py && " BILLOW_NUMPY
                                       " -m zipfile -t y.npz && rm *.npz read.py");
    assert_int_equal(cli_folder_entries(), 0);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequence_and_its_list),
        cmocka_unit_test(test_options_change_the_file),
        cmocka_unit_test(test_a_box_that_grows),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_failures_leave_nothing),
        cmocka_unit_test(test_nothing_is_written_over),
        cmocka_unit_test(test_a_file_that_appears_stays),
        cmocka_unit_test(test_two_runs_to_one_name),
        cmocka_unit_test(test_interrupt_leaves_whole_files),
#ifdef BILLOW_NUMPY
        cmocka_unit_test(test_npz),
#endif
        cmocka_unit_test(test_vdb),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
