/* SPDX-License-Identifier: MIT
 * Measurements and files of `billow sim` and `billow bench`, from outside. Times are never
 * asserted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include "sanitized.h"
#include <billow/billow.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run;

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

/* The members that every result of `sim` and `bench` has. */
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
    cli_expect_done(&run,
                    "\"$BILLOW\" sim plume --quiet --grid 16x24x16 --steps 6 --threads 2 --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    expect_result(root, (int[3]){16, 24, 16}, 2, 6);
    static const char *const keys[] = {
        "time",         "mass",         "kinetic_energy",  "speed_max",
        "cfl",          "heat",         "substeps",        "nonfinite",
        "mass_sources", "mass_outflow", "mass_dissipated", "mass_cut",
        "fuel",         "expansion"};
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        expect_number(root, keys[index], 0);
    expect_number(root, "mass", 1e-9);
    /* These have either sign. */
    assert_non_null(cJSON_GetObjectItem(root, "mass_drift"));
    assert_non_null(cJSON_GetObjectItem(root, "outflow"));
    const cJSON *momentum = cJSON_GetObjectItem(root, "momentum");
    assert_true(cJSON_GetObjectItem(momentum, "y")->valuedouble > 0);
    assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "momentum_restored"), "z"));
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
                    "\"$BILLOW\" bench --grids 8,12 --threads 1,3 --steps 5 --baseline --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(root, "machine");
    expect_text(machine, "cpu");
    expect_text(machine, "simd");
    expect_number(machine, "threads", 1);
    const cJSON *streams = cJSON_GetObjectItemCaseSensitive(machine, "streams"), *stream = NULL;
    assert_int_equal(cJSON_GetArraySize(streams), 2); /* in cache, as grids so small */
    cJSON_ArrayForEach(stream, streams)
    {
        assert_string_equal(cJSON_GetObjectItemCaseSensitive(stream, "size")->valuestring, "cache");
        expect_number(stream, "triad_gbs", 1e-3);
    }
    const cJSON *baseline = cJSON_GetObjectItemCaseSensitive(root, "baseline");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(baseline, "grid")->valueint, 12);
    expect_number(baseline, "ms_step_min", 1e-6);
    expect_number(baseline, "cells_per_s", 1);
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 4);
    for (int index = 0; index < 4; index++) {
        int cells = index < 2 ? 8 : 12;
        expect_result(cJSON_GetArrayItem(results, index), (int[3]){cells, cells, cells},
                      index % 2 == 0 ? 1 : 3, 5);
    }
    const cJSON *one = cJSON_GetArrayItem(results, 0), *three = cJSON_GetArrayItem(results, 1);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(one, "state_hash")->valuestring,
                        cJSON_GetObjectItemCaseSensitive(three, "state_hash")->valuestring);
    const cJSON *model = cJSON_GetObjectItemCaseSensitive(three, "thread_model"), *stage = NULL;
    expect_number(model, "threads", 1);
    expect_number(model, "one_ms", 1e-6);
    expect_number(model, "model_ms", 1e-6);
    expect_number(model, "wall_ms", 1e-6);
    if (cJSON_GetObjectItemCaseSensitive(model, "threads")->valueint > 1) { /* those granted */
        expect_number(model, "barriers", 10);
        expect_number(model, "barrier_ms", 1e-9);
        expect_number(model, "imbalance", 1);
    }
    int barriers = 0;
    cJSON_ArrayForEach(stage, cJSON_GetObjectItemCaseSensitive(model, "stages")) barriers +=
        cJSON_GetObjectItemCaseSensitive(stage, "barriers")->valueint;
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(model, "barriers")->valueint, barriers);
    model = cJSON_GetObjectItemCaseSensitive(one, "thread_model");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(model, "barriers")->valueint, 0);
    cJSON_Delete(root);
    /* A box that grows in the metered step is again as small for the next try. */
    cli_expect_done(&run, "\"$BILLOW\" bench --grids 12 --threads 1,2 --steps 5 --quiet "
                          "--set domain.unbounded=true --json -");
    root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *result = NULL;
    cJSON_ArrayForEach(result, cJSON_GetObjectItemCaseSensitive(root, "results"))
        expect_number(cJSON_GetObjectItemCaseSensitive(result, "thread_model"), "model_ms", 1e-6);
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

static void test_bench_live(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" bench plume ink --live --seconds 2 --size 160x96 --quiet "
                          "--json l.json --csv l.csv");
    assert_non_null(strstr(run.out, "the window at 160x96"));
    cli_expect_done(&run, "wc -l <l.csv");
    assert_int_equal(atoi(run.out), 3);
    cli_expect_done(&run, "cat l.json");
    cJSON *root = cJSON_Parse(run.out);
    const cJSON *live = cJSON_GetObjectItemCaseSensitive(root, "live"), *figure = NULL;
    assert_int_equal(cJSON_GetArraySize(live), 2);
    cJSON_ArrayForEach(figure, live)
    {
        /* A busy machine may draw no smoke after the first second. */
        static const char *const more[] = {"pace", "step_ms", "light_ms", "upload_ms", "march_ms"};
        expect_text(figure, "scene");
        expect_number(figure, "smoke_nx", 8);
        expect_number(figure, "fps", 1e-9);
        for (size_t key = 0; key < sizeof more / sizeof more[0]; key++)
            expect_number(figure, more[key], 0);
    }
    cJSON_Delete(root);
    cli_expect_done(&run, "rm l.json l.csv");
}

/* An existing file is overwritten only with --force. */
static void test_never_over_a_file(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "\"$BILLOW\" sim plume --steps 1000000 --json a",
        "\"$BILLOW\" sim plume --steps 1000000 --csv a",
        "\"$BILLOW\" bench --json a",
        "\"$BILLOW\" bench --csv a",
        "\"$BILLOW\" verify --json a",
        "\"$BILLOW\" run --json a",
    };
    cli_write_file("a", "mine");
    for (size_t index = 0; index < sizeof lines / sizeof lines[0]; index++)
        cli_expect_failure(&run, lines[index], 1, "a exists; --force overwrites it");
    cli_expect_done(&run, "cat a");
    assert_string_equal(run.out, "mine");
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 1 --json a --force");
    cli_expect_done(&run, "\"$BILLOW\" sim plume --grid 16 --steps 1 --json /dev/null");
    cli_expect_done(&run, "grep -q state_hash a && rm a");
}

static void test_bench_grids_of_three_axes(void **state)
{
    (void)state;
    cli_expect_done(&run,
                    "\"$BILLOW\" bench --quiet --grids 8x16x12 --threads 1 --steps 5 --baseline "
                    "--plot b.svg --json -");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "results");
    assert_int_equal(cJSON_GetArraySize(results), 1);
    expect_result(cJSON_GetArrayItem(results, 0), (int[3]){8, 16, 12}, 1, 5);
    /* The baseline of 8 x 16 x 12 cells is a cube of 12. */
    const cJSON *baseline = cJSON_GetObjectItemCaseSensitive(root, "baseline");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(baseline, "grid")->valueint, 12);
    expect_number(cJSON_GetArrayItem(results, 0), "baseline_ratio", 1e-9);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(root, "complete")));
    cJSON_Delete(root);
    cli_expect_done(&run, "grep -c '</svg>' b.svg && rm b.svg");
    assert_int_equal(atoi(run.out), 1);
}

/* A plot that cannot be drawn leaves no file and one line with the reason. */
static void test_gnuplot_s_failures(void **state)
{
    (void)state;
    static const struct {
        const char *does, *message;
    } cases[] = {
        {"exit 0", "gnuplot: it left no whole drawing"},
        {"kill -9 \\$\\$", "gnuplot: it was ended by signal 9"},
        {"echo 'line 3: not enough of it' >&2; exit 1", "gnuplot: line 3: not enough of it"},
    };
    cli_expect_failure(
        &run, "PATH=/nowhere \"$BILLOW\" bench --grids 8 --plot p.svg", 1,
        "plots need gnuplot, and it cannot be run: it is not in PATH; install gnuplot");
    cli_expect_failure(&run, "PATH=/nowhere \"$BILLOW\" verify rest --report pages", 1,
                       "install gnuplot (on Debian and Ubuntu the package gnuplot-nox)");
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        char line[512];
        snprintf(
            line, sizeof line,
            "mkdir -p fake && printf '%%s\\n' '#!/bin/sh' '[ \"$1\" = --version ] && exit 0' "
            "\"%s\" >fake/gnuplot && chmod +x fake/gnuplot && PATH=\"$PWD/fake:$PATH\" "
            "\"$BILLOW\" bench --quiet --grids 8 --threads 1 --steps 5 --plot p.svg >/dev/null",
            cases[index].does);
        cli_expect_failure(&run, line, 1, cases[index].message);
    }
    cli_expect_done(&run, "test ! -e pages && rm -r fake && ls -A");
    assert_null(strstr(run.out, "p.svg"));
}

static void test_bench_kernels(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" bench --kernels --grids 8,16x8x8 --threads 1,2 --csv k.csv");
    assert_non_null(strstr(run.out, " triad |"));
    assert_non_null(strstr(run.out, "16x8x8"));
    cli_expect_done(&run, "grep '^triad,' k.csv | cut -d, -f2-5 | tr '\\n' ' ' && rm k.csv");
    assert_string_equal(run.out, "8,8,8,1 8,8,8,2 16,8,8,1 16,8,8,2 ");
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
        expect_number(kernel, "processor_share", 1e-9);
        /* The share of the triad is missing if other programs disturb the kernel. */
        if (!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(kernel, "triad_fraction")))
            expect_number(kernel, "triad_fraction", 1e-9);
        triad |= cJSON_GetObjectItemCaseSensitive(kernel, "bytes")->valuedouble == 12 * 4096;
    }
    assert_true(triad);
    cJSON_Delete(root);
}

static void test_bench_render(void **state)
{
    (void)state;
    cli_expect_done(&run, "\"$BILLOW\" bench --render --grids 16 --sizes 64x36,33x57 --steps 5 "
                          "--csv r.csv --json r.json --quiet");
    assert_non_null(strstr(run.out, "33x57"));
    cli_expect_done(&run, "grep -c '^16,16,16,' r.csv && rm r.csv");
    assert_int_equal(atoi(run.out), 2);
    cli_expect_done(&run, "cat r.json && rm r.json");
    cJSON *root = cJSON_Parse(run.out);
    assert_non_null(root);
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(root, "machine");
    expect_text(machine, "gl_renderer");
    const cJSON *pictures = cJSON_GetObjectItemCaseSensitive(root, "pictures"), *picture = NULL;
    assert_int_equal(cJSON_GetArraySize(pictures), 2);
    cJSON_ArrayForEach(picture, pictures)
    {
        static const char *const parts[] = {"light_ms", "upload_ms", "march_ms", "composite_ms"};
        double sum = 0;
        for (int part = 0; part < 4; part++) {
            expect_number(picture, parts[part], 0);
            sum += cJSON_GetObjectItemCaseSensitive(picture, parts[part])->valuedouble;
        }
        double least = cJSON_GetObjectItemCaseSensitive(picture, "ms_min")->valuedouble;
        assert_true(sum > 0 && fabs(sum - least) < 1e-6 * sum);
        expect_number(picture, "ms_median", least);
    }
    cJSON_Delete(root);
    cli_expect_failure(&run, "\"$BILLOW\" bench --sizes 64x36", 2, "needs --render");
    cli_expect_failure(&run, "\"$BILLOW\" bench --network 25,5", 2,
                       "needs steps that mpirun divides");
    cli_expect_failure(&run, "\"$BILLOW\" bench --render --kernels", 2, "no meaning");
    cli_expect_failure(&run, "\"$BILLOW\" bench --render --baseline", 2, "no meaning");
    cli_expect_failure(&run, "\"$BILLOW\" bench --render --sizes 64", 2, "1280x720");
}

/* Runs beside another program on a single processor, of which it gets half. */
static void test_disturbance_is_named(void **state)
{
    (void)state;
    static const char *const commands[] = {"sim plume --grid 24 --steps 150", "info",
                                           "bench --kernels --grids 24",
                                           "bench --grids 20 --steps 150"};
    cli_run(&run, "taskset -c 0 true");
    if (run.status != 0)
        skip();
    for (size_t index = 0; index < sizeof commands / sizeof commands[0]; index++) {
        char line[256];
        snprintf(line, sizeof line,
                 "taskset -c 0 sh -c 'while :; do :; done' & other=$!; "
                 "taskset -c 0 \"$BILLOW\" %s; kill $other",
                 commands[index]);
        cli_expect_done(&run, line);
        if (strstr(run.out, "\nDisturbed: ") == NULL)
            fail_msg("'%s' names no disturbance: %s", commands[index], run.out);
    }
}

/* The first grid takes a moment, the second far too long. The time to the first result depends on
 * the machine, so the test repeats with a longer wait until there is a result. */
static void test_interrupt_keeps_results(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    double seconds = 0.5;
    do {
        char wait[32];
        snprintf(wait, sizeof wait, "sleep %g", seconds);
        cli_run_signalled(&run,
                          "\"$BILLOW\" bench --grids 8,128 --threads 1 --steps 5 "
                          "--set time.step=0.0002 --json c.json --csv c.csv --plot c.svg",
                          wait, SIGINT);
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

/* One signal ends the command while it waits for the reader of a pipe. */
static void test_pipes(void **state)
{
    (void)state;
    int entries = cli_folder_entries();
    static const char *const options[] = {"--json", "--csv"};
    cli_expect_done(&run, "mkfifo p");
    cli_expect_done(&run, "(sleep 0.2; exec cat p >a.json) & "
                          "\"$BILLOW\" sim plume --quiet --grid 16 --steps 2 --json p; wait");
    cli_expect_done(&run, "grep -q state_hash a.json && rm a.json");
    for (int option = 0; option < 2; option++) {
        char line[160], wait[32];
        double seconds = 0.25;
        snprintf(line, sizeof line, "\"$BILLOW\" sim plume --quiet --grid 16 --steps 2 %s p",
                 options[option]);
        do {
            snprintf(wait, sizeof wait, "sleep %g", seconds);
            cli_run_signalled(&run, line, wait, SIGINT);
            seconds *= 2;
        } while (strstr(run.err, "no program reads from this pipe") == NULL && seconds < 100);
        assert_int_equal(run.status, 1);
        assert_string_equal(run.err,
                            "billow: p: cannot be written: no program reads from this pipe\n");
    }
    cli_expect_done(&run, "rm p");
    assert_int_equal(cli_folder_entries(), entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim_json),
        cmocka_unit_test(test_sim_files),
        cmocka_unit_test(test_never_over_a_file),
        cmocka_unit_test(test_bench_grids_of_three_axes),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_bench_render),
        cmocka_unit_test(test_bench_live),
        /* The remaining cases are slow under sanitizers and cover little more code. */
        cmocka_unit_test(test_interrupt_keeps_results),
        cmocka_unit_test(test_bench_json),
        cmocka_unit_test(test_bench_table_and_csv),
        cmocka_unit_test(test_gnuplot_s_failures),
        cmocka_unit_test(test_bench_kernels),
        cmocka_unit_test(test_disturbance_is_named),
    };
    size_t count = sizeof tests / sizeof tests[0];
    return _cmocka_run_group_tests("measure", tests, SANITIZED ? 6 : count, cli_enter_folder,
                                   cli_leave_folder);
}
