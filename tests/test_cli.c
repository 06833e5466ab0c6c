/* SPDX-License-Identifier: MIT
 * The program from outside, without graphics: right use, wrong use, exit statuses, files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include <billow/billow.h>
#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

static const char *const command_names[] = {"run",    "render", "sim", "bench",
                                            "scenes", "check",  "info"};

enum { COMMANDS = sizeof command_names / sizeof command_names[0] };

static void test_help_names_every_command(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" --help");
    for (int index = 0; index < COMMANDS; index++)
        assert_non_null(strstr(run.out, command_names[index]));
    for (int index = 0; index < COMMANDS; index++) {
        char line[64], usage[64];
        snprintf(line, sizeof line, "\"$BILLOW\" %s --help", command_names[index]);
        snprintf(usage, sizeof usage, "usage: billow %s", command_names[index]);
        cli_expect_done(&run, line);
        assert_non_null(strstr(run.out, usage));
        assert_non_null(strstr(run.out, "--help"));
    }
    cli_expect_done(&run, "\"$BILLOW\" help render");
    assert_non_null(strstr(run.out, "--transparent"));
}

static void test_version(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" --version");
    assert_non_null(strstr(run.out, "billow " BILLOW_VERSION ", commit "));
    assert_non_null(strstr(run.out, "compiler "));
    assert_non_null(strstr(run.out, "OpenMP "));
    assert_non_null(strstr(run.out, "instruction set "));
}

static void test_wrong_usage(void **state)
{
    (void)state;
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"\"$BILLOW\" rnder", "did you mean 'render'"},
        {"BILLOW_SIMD=mmx \"$BILLOW\" info", "BILLOW_SIMD=mmx cannot be used here"},
        {"\"$BILLOW\" xyzzy", "billow --help"},
        {"\"$BILLOW\" ''", "no command ''"},
        {"\"$BILLOW\" plume", "did you mean 'billow run plume'"},
        {"\"$BILLOW\" help xyzzy", "no command 'xyzzy'"},
        {"\"$BILLOW\" --helo", "did you mean '--help'"},
        {"\"$BILLOW\" sim plume --gird 16", "did you mean '--grid'"},
        {"\"$BILLOW\" sim plume --gird=16", "did you mean '--grid'"},
        {"\"$BILLOW\" sim plume -g 16", "two dashes"},
        {"\"$BILLOW\" sim plume --xyzzy", "billow sim --help"},
        {"\"$BILLOW\" sim", "needs SCENE"},
        {"\"$BILLOW\" sim plume explosion", "one too many"},
        {"\"$BILLOW\" sim ''", "empty"},
        {"\"$BILLOW\" info plume", "takes no operand"},
        {"\"$BILLOW\" sim plume --grid", "needs a value"},
        {"\"$BILLOW\" sim plume --grid --quiet", "needs a value"},
        {"\"$BILLOW\" sim plume --quiet=yes", "takes no value"},
        {"\"$BILLOW\" sim plume --grid 0", "8..2048"},
        {"\"$BILLOW\" sim plume --grid 100000", "8..2048"},
        {"\"$BILLOW\" sim plume --grid -64", "not a grid"},
        {"\"$BILLOW\" sim plume --grid 64x64", "not a grid"},
        {"\"$BILLOW\" sim plume --grid 64x64x7", "8..2048"},
        {"\"$BILLOW\" sim plume --grid 16.5", "not a grid"},
        {"\"$BILLOW\" sim plume --threads x", "whole number"},
        {"\"$BILLOW\" sim plume --threads 0", "1..1024"},
        {"\"$BILLOW\" sim plume --threads -1", "1..1024"},
        {"\"$BILLOW\" sim plume --threads 99999999999999999999", "whole number"},
        {"\"$BILLOW\" sim plume --steps 1e3", "whole number"},
        {"\"$BILLOW\" sim plume --steps ' 5'", "whole number"},
        {"\"$BILLOW\" sim plume --json ''", "empty"},
        {"\"$BILLOW\" sim plume --json - --csv -", "standard output"},
        {"\"$BILLOW\" bench --grids 32,,64", "'' is not a grid"},
        {"\"$BILLOW\" bench --grids 32,", "'' is not a grid"},
        {"\"$BILLOW\" bench --grids 32,4", "8..2048"},
        {"\"$BILLOW\" bench --grids 32,64x64", "'64x64' is not a grid"},
        {"\"$BILLOW\" bench --grids 64x64x4096", "8..2048"},
        {"\"$BILLOW\" bench --grids 32x0000000000064x64", "'32x0000000000064x64'"},
        {"\"$BILLOW\" bench --plot a.png", "'a.png' does not end in .svg"},
        {"\"$BILLOW\" bench --plot .svg", "does not end in .svg"},
        {"\"$BILLOW\" bench --plot svg", "does not end in .svg"},
        {"\"$BILLOW\" bench --plot ''", "does not end in .svg"},
        {"\"$BILLOW\" bench --plot a.svg --json a.svg", "cannot both go to a.svg"},
        {"\"$BILLOW\" bench --plot - --csv -", "standard output"},
        {"\"$BILLOW\" bench --kernels --plot a.svg", "--plot has no meaning"},
        {"\"$BILLOW\" bench --kernels --baseline", "--baseline has no meaning"},
        {"\"$BILLOW\" bench --kernels --set solver.sweeps=1", "--set has no meaning"},
        {"\"$BILLOW\" bench --threads 1,0", "1..1024"},
        {"\"$BILLOW\" bench --steps 4", "5..100000"},
        {"\"$BILLOW\" bench --json - --csv -", "standard output"},
        {"\"$BILLOW\" render plume", "--out"},
        {"\"$BILLOW\" render plume --out a.jpg", ".png"},
        {"\"$BILLOW\" render plume --out .png", ".png"},
        {"\"$BILLOW\" render plume --out a%s.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%n%d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%d%d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%99d.png", "'%'"},
        {"\"$BILLOW\" render plume --out a%.png", "'%'"},
        {"\"$BILLOW\" render plume --out a.png --fps nan", "not a number"},
        {"\"$BILLOW\" render plume --out a.png --fps inf", "not a number"},
        {"\"$BILLOW\" render plume --out a.png --fps 0x10", "not a number"},
        {"\"$BILLOW\" render plume --out a.png --fps 0", "0.1..1000"},
        {"\"$BILLOW\" render plume --out a.png --frames 0", "1..1000000"},
        {"\"$BILLOW\" render plume --out a.png --size 640", "1280x720"},
        {"\"$BILLOW\" render plume --out a.png --size 640x0", "16..16384"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2", "AZIMUTH"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2,x", "distance 'x'"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,95,2", "-90..90"},
        {"\"$BILLOW\" render plume --out a.png --camera 1,2,3,4,5", "AZIMUTH"},
        {"\"$BILLOW\" run --seconds -1", "0..1000000"},
    };
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        cli_expect_failure(&run, cases[index].line, 2, cases[index].text);
        assert_string_equal(run.out, "");
    }
}

static void test_failures(void **state)
{
    (void)state;
    cli_write_file("typo.yaml", "name: typo\nfluid:\n  bouyancy: 0.1\n");
    cli_write_file("range.yaml", "solver:\n  sweeps: -3\n");
    cli_write_file("broken.yaml", "domain: [1, 2\n");
    cli_write_file("plain.txt", "");
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"\"$BILLOW\" sim missing.yaml", "missing.yaml"},
        {"\"$BILLOW\" sim plum", "plum"},
        {"\"$BILLOW\" sim .", "."},
        {"\"$BILLOW\" sim typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" sim typo.yaml", "did you mean 'buoyancy'"},
        {"\"$BILLOW\" run typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" render typo.yaml --out a.png", "typo.yaml:3:3: "},
        {"\"$BILLOW\" bench --scene typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" check typo.yaml", "typo.yaml:3:3: "},
        {"\"$BILLOW\" check range.yaml", "range.yaml:2:"},
        {"\"$BILLOW\" check broken.yaml", "broken.yaml:"},
        {"\"$BILLOW\" sim plume --set fluid.bouyancy=1", "buoyancy"},
        {"\"$BILLOW\" sim plume --set solver.sweeps=-1", "solver.sweeps"},
        {"\"$BILLOW\" sim plume --set solver.vorticity=nan", "solver.vorticity"},
        {"\"$BILLOW\" sim plume --set nonsense", "nonsense"},
        {"\"$BILLOW\" sim plume --grid 2048", "GB"},
        {"\"$BILLOW\" bench --grids 16,2048", "GB"},
        {"\"$BILLOW\" run --grid 2048", "GB"},
        {"\"$BILLOW\" sim plume --grid 16 --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" sim plume --grid 16 --csv plain.txt/a.csv", "plain.txt"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --json /dev/full", "/dev/full"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --csv /dev/full", "/dev/full"},
        {"\"$BILLOW\" bench --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" bench --plot nowhere/a.svg", "nowhere"},
        {"\"$BILLOW\" bench --kernels --grids 2048", "GB"},
        {"\"$BILLOW\" bench --kernels --json nowhere/a.json", "nowhere"},
        {"\"$BILLOW\" render plume --out nowhere/a.png", "nowhere"},
        {"\"$BILLOW\" scenes --show plum", "did you mean 'plume'"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 >/dev/full", "standard output"},
        {"\"$BILLOW\" sim plume --grid 16 --steps 2 --json - >/dev/full", "standard output"},
        {"\"$BILLOW\" --help >/dev/full", "standard output"},
        {"\"$BILLOW\" --help >&-", "standard output"},
        {"\"$BILLOW\" scenes --keys >/dev/full", "standard output"},
    };
    int entries = cli_folder_entries();
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++)
        cli_expect_failure(&run, cases[index].line, 1, cases[index].text);
    assert_int_equal(cli_folder_entries(), entries);
}

static void test_closed_pipe_is_a_failure(void **state)
{
    (void)state;
    cli_run(&run, "{ sleep 0.2; \"$BILLOW\" scenes --keys; echo status $? >&2; } | true");
    assert_non_null(strstr(run.err, "billow: standard output: "));
    assert_non_null(strstr(run.err, "status 1\n"));
}

static void test_control_letters_stay_out_of_messages(void **state)
{
    (void)state;
    cli_expect_failure(&run, "\"$BILLOW\" \"$(printf 'a\\nb\\033[2J')\"", 2, "'a?b?[2J'");
}

static void test_options_stand_anywhere(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 3 | grep state_hash");
    char hash[128];
    snprintf(hash, sizeof hash, "%.127s", run.out);
    static const char *const same[] = {
        "\"$BILLOW\" sim --grid 16 --steps 3 plume | grep state_hash",
        "\"$BILLOW\" sim --grid=16 plume --steps=3 | grep state_hash",
        "\"$BILLOW\" sim --steps 9 --steps 3 --grid 16x16x16 -- plume | grep state_hash",
    };
    for (size_t index = 0; index < sizeof same / sizeof same[0]; index++) {
        cli_expect_done(&run, same[index]);
        assert_string_equal(run.out, hash);
    }
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 4 | grep state_hash");
    assert_string_not_equal(run.out, hash);
}

static void test_hash_is_the_same_for_any_threads(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    "\"$BILLOW\" sim plume --grid 24x20x16 --steps 12 --threads 1 | grep _hash");
    char hash[128];
    snprintf(hash, sizeof hash, "%.127s", run.out);
    assert_int_equal(
        strspn(hash + strcspn(hash, " ") + strspn(strchr(hash, ' '), " "), "0123456789abcdef"), 16);
    cli_expect_done(&run,
                    "\"$BILLOW\" sim plume --grid 24x20x16 --steps 12 --threads 2 | grep _hash");
    assert_string_equal(run.out, hash);
    cli_expect_done(&run,
                    "\"$BILLOW\" sim plume --grid 24x20x16 --steps 12 --threads 5 | grep _hash");
    assert_string_equal(run.out, hash);
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 24x20x16 --steps 12 --threads 2 "
                          "--set solver.vorticity=0 | grep _hash");
    assert_string_not_equal(run.out, hash);
}

static void expect_number(const cJSON *object, const char *key, double least)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || item->valuedouble < least)
        fail_msg("key '%s' is no number of at least %g", key, least);
}

static void expect_text(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item) || item->valuestring[0] == 0)
        fail_msg("key '%s' is no text", key);
}

/* What every result holds, of `sim` and `bench` alike. */
static void expect_result(const cJSON *result, const int grid[3], int threads, int steps)
{
    const cJSON *axes = cJSON_GetObjectItemCaseSensitive(result, "grid");
    assert_int_equal(cJSON_GetArraySize(axes), 3);
    for (int axis = 0; axis < 3; axis++)
        assert_int_equal(cJSON_GetArrayItem(axes, axis)->valueint, grid[axis]);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(result, "scene")->valuestring, "plume");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(result, "threads")->valueint, threads);
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(result, "steps")->valueint, steps);
    expect_number(result, "ms_step_min", 1e-6);
    expect_number(result, "ms_step_median",
                  cJSON_GetObjectItemCaseSensitive(result, "ms_step_min")->valuedouble);
    expect_number(result, "cells_per_s", 1);
    const cJSON *stages = cJSON_GetObjectItemCaseSensitive(result, "stage_ms");
    assert_int_equal(cJSON_GetArraySize(stages), BILLOW_STAGES);
    for (int stage = 0; stage < BILLOW_STAGES; stage++)
        expect_number(stages, billow_stage_name((BillowStage)stage), 0);
    const cJSON *pressure = cJSON_GetObjectItemCaseSensitive(result, "pressure");
    expect_number(pressure, "cycles", 1);
    expect_number(pressure, "residual_relative", 0);
    expect_number(result, "divergence_max", 0);
    expect_number(result, "bytes_per_cell", 1);
    expect_number(result, "bandwidth_fraction", 1e-9);
    expect_number(result, "peak_rss_bytes", 1);
    expect_text(result, "state_hash");
    assert_int_equal(strlen(cJSON_GetObjectItemCaseSensitive(result, "state_hash")->valuestring),
                     16);
}

static void test_sim_json(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16x24x16 --steps 6 --threads 2 --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    expect_result(root, (int[3]){16, 24, 16}, 2, 6);
    static const char *const keys[] = {"time", "mass", "kinetic_energy", "speed_max",
                                       "cfl",  "heat", "substeps",       "nonfinite"};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        expect_number(root, keys[index], 0);
    expect_number(root, "mass", 1e-9);
    cJSON_Delete(root);
}

static void test_sim_files(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 3 --json a.json --csv a.csv");
    assert_non_null(strstr(run.out, "kinetic_energy"));
    assert_int_equal(cli_folder_entries(), entries + 2);
    cli_expect_done(&run, "wc -l <a.csv");
    assert_int_equal(atoi(run.out), 4);
    cli_expect_done(&run, "cat a.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    cJSON_Delete(root);
    cli_expect_done(&run, "rm a.json a.csv");
}

static void test_bench_json(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    "\"$BILLOW\" bench --grids 16,20 --threads 1,3 --steps 5 --baseline --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(root, "machine");
    expect_text(machine, "cpu");
    expect_text(machine, "simd");
    expect_number(machine, "threads", 1);
    expect_number(machine, "stream_gbs", 1e-3);
    const cJSON *baseline = cJSON_GetObjectItemCaseSensitive(root, "baseline");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(baseline, "grid")->valueint, 20);
    expect_number(baseline, "ms_step_min", 1e-6);
    expect_number(baseline, "cells_per_s", 1);
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 4);
    for (int index = 0; index < 4; index++) {
        int cells = index < 2 ? 16 : 20;
        expect_result(cJSON_GetArrayItem(results, index), (int[3]){cells, cells, cells},
                      index % 2 == 0 ? 1 : 3, 5);
    }
    const cJSON *one = cJSON_GetArrayItem(results, 0), *three = cJSON_GetArrayItem(results, 1);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(one, "state_hash")->valuestring,
                        cJSON_GetObjectItemCaseSensitive(three, "state_hash")->valuestring);
    cJSON_Delete(root);
}

static void test_bench_table_and_csv(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    "\"$BILLOW\" bench --grids 16 --threads 1 --steps 5 --csv b.csv --json b.json");
    assert_non_null(strstr(run.out, "16x16x16"));
    assert_null(strstr(run.out, "Baseline"));
    cli_expect_done(&run,
                    "awk -F, 'NR > 1 && NF != n { exit 1 } { n = NF } END { print NR }' b.csv");
    assert_int_equal(atoi(run.out), 2);
    cli_expect_done(&run, "cat b.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(root, "baseline")));
    cJSON_Delete(root);
    cli_expect_done(&run, "rm b.csv b.json");
}

static void test_bench_grids_of_three_axes(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" bench --grids 8x16x12 --threads 1 --steps 5 --baseline "
                          "--plot b.svg --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 1);
    expect_result(cJSON_GetArrayItem(results, 0), (int[3]){8, 16, 12}, 1, 5);
    /* 8 x 16 x 12 are about 12 cubed. */
    const cJSON *baseline = cJSON_GetObjectItemCaseSensitive(root, "baseline");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(baseline, "grid")->valueint, 12);
    expect_number(cJSON_GetArrayItem(results, 0), "baseline_ratio", 1e-9);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(root, "complete")));
    cJSON_Delete(root);
    cli_expect_done(&run, "grep -c '</svg>' b.svg && rm b.svg");
    assert_int_equal(atoi(run.out), 1);
}

static void test_bench_kernels(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" bench --kernels --grids 8,16x8x8 --threads 1 --csv k.csv");
    assert_non_null(strstr(run.out, " triad |"));
    assert_non_null(strstr(run.out, "16x8x8"));
    cli_expect_done(&run, "grep -c '^triad,' k.csv && rm k.csv");
    assert_int_equal(atoi(run.out), 2);
    cli_expect_done(&run, "\"$BILLOW\" bench --kernels --grids 16 --threads 1 --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(root, "kernels"), *kernel = NULL;
    bool triad = false;
    cJSON_ArrayForEach(kernel, kernels)
    {
        expect_text(kernel, "name");
        expect_number(kernel, "ms_min", 1e-9);
        expect_number(kernel, "gbs", 1e-9);
        expect_number(kernel, "triad_fraction", 1e-9);
        triad |= cJSON_GetObjectItemCaseSensitive(kernel, "bytes")->valuedouble == 12 * 4096;
    }
    assert_true(triad);
    cJSON_Delete(root);
}

static void test_scenes_and_check(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" scenes");
    assert_non_null(strstr(run.out, "plume "));
    assert_non_null(strstr(run.out, "explosion "));
    cli_expect_done(&run, "\"$BILLOW\" scenes --keys");
    assert_non_null(strstr(run.out, "vorticity"));
    cli_expect_done(
        &run, "\"$BILLOW\" scenes --show plume >mine.yaml && \"$BILLOW\" check mine.yaml plume");
    assert_non_null(strstr(run.out, "mine.yaml: ok"));
    assert_non_null(strstr(run.out, "plume: ok"));
    cli_write_file("wrong.yaml", "colour: blue\n");
    cli_expect_failure(&run, "\"$BILLOW\" check wrong.yaml mine.yaml", 1, "wrong.yaml:1:1: ");
    assert_non_null(strstr(run.out, "mine.yaml: ok"));
}

static void test_interrupt(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    cli_run_signalled(&run,
                      "\"$BILLOW\" sim plume --grid 32 --steps 10000000 --json c.json --csv c.csv",
                      0.7, SIGINT);
    assert_int_equal(run.status, 130);
    assert_string_equal(run.err, "billow: interrupted\n");
    assert_int_equal(cli_folder_entries(), entries);
    cli_run_signalled(&run, "\"$BILLOW\" bench --grids 32 --steps 100000 --json c.json", 1.5,
                      SIGTERM);
    assert_int_equal(run.status, 130);
    assert_int_equal(cli_folder_entries(), entries);
}

/* The first grid takes a blink, the second longer than anybody waits. How long to the first result
 * is the machine's to say, so the test waits longer until there is one. */
static void test_interrupt_keeps_results(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    double seconds = 1;
    do {
        cli_run_signalled(&run,
                          "\"$BILLOW\" bench --grids 8,128 --threads 1 --steps 5 "
                          "--set time.step=0.0002 --json c.json --csv c.csv --plot c.svg",
                          seconds, SIGINT);
        assert_int_equal(run.status, 130);
        assert_string_equal(run.err, "billow: interrupted\n");
        seconds *= 2;
    } while (run.out[0] == 0 && seconds < 100);
    assert_non_null(strstr(run.out, "not finished: 1 of 2 results"));
    assert_non_null(strstr(run.out, "8x8x8"));
    assert_null(strstr(run.out, "128x128x128"));
    assert_int_equal(cli_folder_entries(), entries + 3);
    cli_expect_done(&run, "cat c.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(root, "complete")));
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 1);
    expect_result(cJSON_GetArrayItem(results, 0), (int[3]){8, 8, 8}, 1, 5);
    cJSON_Delete(root);
    cli_expect_done(&run, "wc -l <c.csv && grep -q '</svg>' c.svg && rm c.json c.csv c.svg");
    assert_int_equal(atoi(run.out), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_names_every_command),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_closed_pipe_is_a_failure),
        cmocka_unit_test(test_control_letters_stay_out_of_messages),
        cmocka_unit_test(test_options_stand_anywhere),
        cmocka_unit_test(test_hash_is_the_same_for_any_threads),
        cmocka_unit_test(test_sim_json),
        cmocka_unit_test(test_sim_files),
        cmocka_unit_test(test_bench_json),
        cmocka_unit_test(test_bench_table_and_csv),
        cmocka_unit_test(test_bench_grids_of_three_axes),
        cmocka_unit_test(test_bench_kernels),
        cmocka_unit_test(test_scenes_and_check),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_interrupt_keeps_results),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
