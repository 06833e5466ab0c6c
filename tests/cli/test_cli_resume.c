/* SPDX-License-Identifier: MIT
 * The program from outside: interrupted and resumed runs, whatever interrupted them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun run, other;

#define SIM   "\"$BILLOW\" sim "
#define PLUME SIM "plume --grid 16 "

/* Returns the rest of the line of output that starts with a word. */
static const char *said(const CliRun *of, const char *word)
{
    static char value[64];
    const char *line = of->out;
    while (line != NULL && strncmp(line, word, strlen(word)) != 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    if (line == NULL)
        fail_msg("'%s' is not in: %s", word, of->out);
    line += strlen(word);
    line += strspn(line, " ");
    snprintf(value, sizeof value, "%.*s", (int)strcspn(line, "\n"), line);
    return value;
}

static void assert_same_hash(void)
{
    char hash[64];
    snprintf(hash, sizeof hash, "%s", said(&run, "state_hash"));
    assert_string_equal(hash, said(&other, "state_hash"));
}

/* Number of steps of a checkpoint, which must be complete. */
static long steps_of(const char *path)
{
    char line[256];
    snprintf(line, sizeof line, "\"$BILLOW\" check %s", path);
    cli_expect_done(&other, line);
    const char *after = strstr(other.out, " after ");
    assert_non_null(after);
    assert_non_null(strstr(other.out, ": ok, a checkpoint of plume at 16x16x16"));
    return strtol(after + strlen(" after "), NULL, 10);
}

/* -- going on -----------------------------------------------------------------------------------
 */

static void test_a_run_goes_on(void **state)
{
    (void)state;
    cli_expect_done(&run, PLUME "--steps 14 --csv whole.csv");
    cli_expect_done(&other, PLUME "--steps 5 --threads 3 --checkpoint a.ckpt --csv first.csv");
    assert_int_equal(steps_of("a.ckpt"), 5);
    cli_expect_done(&other, SIM "--resume a.ckpt --steps 9 --threads 1 --csv second.csv");
    assert_same_hash();
    assert_string_equal(said(&other, "steps before"), "5");
    assert_string_equal(said(&other, "grid"), "16x16x16");
    /* Cuts off the last column, the time of each step. */
    cli_expect_done(&run, "cut -d, -f1-11 whole.csv >w && { cat first.csv; tail -n +2 second.csv; "
                          "} | cut -d, -f1-11 | cmp - w");
    /* Resumes from another folder and overwrites the checkpoint. The same --grid may be given
     * again. */
    cli_expect_done(&other, "mkdir in && cd in && " SIM "--resume ../a.ckpt --steps 1 --grid 16 "
                            "--checkpoint ../a.ckpt --every 1");
    assert_int_equal(steps_of("a.ckpt"), 6);
    cli_expect_done(&run, "rm -r *");
}

/* A checkpoint of a box that has grown brings its size, and the box goes on growing. */
static void test_a_box_goes_on_growing(void **state)
{
    (void)state;
    static const char first[] = "--steps 4 --set domain.unbounded=true --set domain.cells_max=1e6 "
                                "--checkpoint a.ckpt --every 1";
    char line[256], grid[64], last[64];
    cli_expect_done(&run,
                    PLUME "--steps 30 --set domain.unbounded=true --set domain.cells_max=1e6");
    snprintf(last, sizeof last, "%s", said(&run, "grid"));
    snprintf(line, sizeof line, PLUME "%s", first);
    cli_expect_done(&other, line);
    snprintf(grid, sizeof grid, "%s", said(&other, "grid"));
    assert_string_not_equal(grid, last);
    cli_expect_done(&other, SIM "--resume a.ckpt --steps 26 --threads 1");
    assert_same_hash();
    cli_expect_done(&other, "\"$BILLOW\" check a.ckpt");
    cli_expect_failure(&other, SIM "--resume a.ckpt --set domain.unbounded=false", 2,
                       "this value of a.ckpt is fixed");
    cli_expect_done(&run, PLUME "--steps 30 --set domain.unbounded=true --set "
                                "domain.cells_max=40000 2>n && grep -c 'has grown to' n");
    assert_non_null(strstr(run.out, "\n1\n"));
    cli_expect_done(&run, PLUME "--steps 30 --set domain.unbounded=true --set "
                                "domain.cells_max=40000 --quiet");
    cli_expect_done(&run, "rm *");
}

static void test_values_change_on_the_way(void **state)
{
    (void)state;
    cli_expect_done(&run, SIM "falling-ball --grid 16 --steps 6 --checkpoint a.ckpt");
    cli_expect_done(&run, SIM "--resume a.ckpt --steps 3");
    cli_expect_done(&other, SIM "--resume a.ckpt --steps 3 --set solver.vorticity=40 "
                                "--set sun.intensity=1 --checkpoint b.ckpt");
    assert_true(strcmp(strstr(run.out, "state_hash"), strstr(other.out, "state_hash")) != 0);
    cli_expect_done(&run, "\"$BILLOW\" check b.ckpt --write b.yaml && grep 'vorticity: 40' b.yaml");
    cli_expect_done(&run, "rm *");
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int status;
        const char *text;
    } cases[] = {
        {SIM "--resume a.ckpt plume", 2, "the checkpoint contains its scene; leave 'plume' out"},
        {SIM "--resume a.ckpt --grid 24", 2, "has 16x16x16 cells; leave --grid out"},
        {SIM "--resume a.ckpt --grid 16x16x17", 2, "16x16x16 cells"},
        {SIM "--resume a.ckpt --set fluid.color=true", 2, "fluid.color"},
        {SIM "--resume a.ckpt --set domain.size=[3,3,3]", 2, "only a new simulation can"},
        {SIM "--resume a.ckpt --set solver.vorticity=-1", 2, "solver.vorticity"},
        {SIM "--resume two.ckpt --set emitters[0].center=[0.3,0.2,0.5]", 1,
         "--set: two.ckpt cannot take this change: emitters[0] lies wholly inside solids[0]"},
        {SIM "--resume nowhere.ckpt", 1, "nowhere.ckpt: cannot be opened: No such file"},
        {SIM "--resume .", 1, ".: cannot be read: Is a directory"},
        {SIM "--resume a.yaml", 1, "a.yaml: this is no checkpoint of Billow"},
        {SIM "--resume cut.ckpt", 1, "cut.ckpt: the checkpoint is cut short"},
        {SIM "--resume", 2, "resume"},
        {PLUME "--every 3", 2, "--every 3 needs --checkpoint FILE"},
        {PLUME "--checkpoint b.ckpt --every 0", 2, "must be 1 to 10000000, not 0"},
        {PLUME "--checkpoint -", 2, "not to standard output"},
        {PLUME "--checkpoint x_0002.png", 2, ".png is the ending of other files"},
        {PLUME "--checkpoint a.PVD", 2, ".pvd is the ending of other files"},
        {PLUME "--checkpoint /dev/null", 2, "goes to an ordinary file"},
        {PLUME "--checkpoint new --json ./new", 2, "--checkpoint and --json cannot both go to new"},
        {PLUME "--force --checkpoint a.ckpt --csv \"$PWD/a.ckpt\"", 2,
         "--checkpoint and --csv cannot both go to a.ckpt"},
        {"ln -s new link && " PLUME
         "--checkpoint link --json new; status=$?; rm link; exit $status",
         2, "--checkpoint and --json cannot both go to link"},
        {PLUME "--json $(printf '%0300d' 1)", 1, "cannot be written: File name too long"},
        {"\"$BILLOW\" sim a.ckpt", 2,
         "a.ckpt is a checkpoint: 'billow sim --resume a.ckpt' continues it"},
        {PLUME "--csv n --json ./n", 2, "--json and --csv cannot both go to ./n"},
        {PLUME "--checkpoint a.ckpt", 1, "a.ckpt exists; --force overwrites it"},
        {PLUME "--checkpoint no/where/b.ckpt", 1, "there is no folder no/where/"},
        {"\"$BILLOW\" check cut.ckpt", 1, "the checkpoint is cut short"},
        {"\"$BILLOW\" bake --resume a.ckpt --out v_%d.vti --set fluid.fire=true", 2, "fluid.fire"},
        {"\"$BILLOW\" render --resume a.ckpt --out p.png plume", 2, "leave 'plume' out"},
        {"\"$BILLOW\" bake --out v_%d.vti", 2, "'bake' needs a scene, such as"},
        {"\"$BILLOW\" render --out p.png", 2, "'render' needs a scene, such as"},
        {SIM, 2, "'sim' needs a scene, such as"},
        {"\"$BILLOW\" run --resume nowhere.ckpt", 1, "cannot be opened"},
        {"\"$BILLOW\" run --resume a.ckpt plume", 2, "leave 'plume' out"},
        {"\"$BILLOW\" run cut.ckpt", 1, "cut short"},
        {"\"$BILLOW\" run --autosave -1", 2, "autosave"},
        {"\"$BILLOW\" run --autosave often", 2, "autosave"},
    };
    cli_expect_done(&run, PLUME "--steps 2 --checkpoint a.ckpt");
    cli_expect_done(&run, "head -c 5000 a.ckpt >cut.ckpt; echo 'name: a' >a.yaml; ls");
    /* A ball moves to the place where --set puts an emitter. */
    cli_write_file("two.yaml", "domain: {size: 1, cells: 12}\ntime: {step: 0.1}\nsolids:\n"
                               "  - {center: [0.3, 0.8, 0.5], size: 0.15}\n"
                               "emitters: [{center: [0.75, 0.3, 0.5], size: 0.02}]\n"
                               "timeline: [{key: 'solids[0].center', mode: linear, values: "
                               "[[0, [0.3, 0.8, 0.5]], [0.3, [0.3, 0.2, 0.5]]]}]\n");
    cli_expect_done(&run, SIM "two.yaml --steps 5 --checkpoint two.ckpt");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        cli_expect_failure(&run, cases[c].line, cases[c].status, cases[c].text);
    assert_int_equal(cli_folder_entries(), 5);
    cli_expect_done(&run, "rm *");
}

/* -- baked fields -------------------------------------------------------------------------------
 */

static void test_baked_fields_go_on(void **state)
{
    (void)state;
#define BAKE "\"$BILLOW\" bake "
    /* A run with two steps per frame is interrupted between two frames, then within one. */
    cli_expect_done(&run, BAKE "jets --grid 24 --frames 4 --fps 12 --out a_%d.vti");
    cli_expect_done(&run, BAKE "jets --grid 24 --frames 1 --fps 12 --out b_%d.vti --checkpoint c");
    cli_expect_done(&run, BAKE "--resume c --frames 3 --out b_%d.vti");
    assert_string_equal(run.out, "wrote b_2.vti to b_4.vti, listed in b.pvd\n");
    cli_expect_done(&run, "for n in 1 2 3 4; do cmp a_$n.vti b_$n.vti || exit 1; done; "
                          "sed s/a_/b_/ a.pvd | cmp - b.pvd");
    cli_expect_failure(&run, BAKE "--resume c --frames 3 --out b_%d.vti", 1, "b_4.vti exists");
    cli_expect_failure(&run, BAKE "--resume c --fps 30 --out d_%d.vti", 2,
                       "--fps 30: c has 12 frames per second, and its frames are continued");
    cli_expect_done(&run, SIM "--resume c --steps 1 --checkpoint d");
    cli_expect_done(&run, BAKE "--resume d --fps 30 --frames 1 --out e_%d.vti && ls e_1.vti");
    cli_expect_done(&run, "rm *");
}

/* -- broken off ---------------------------------------------------------------------------------
 */

/* Runs one command, without single quotes, and sends it a signal some seconds after a file has
 * appeared or been replaced, because a slow machine starts late. If the signal ends the command,
 * the shell's status is 128 plus its number. */
static void run_until(const char *command, const char *path, double seconds, const char *signal)
{
    char line[1024];
    snprintf(line, sizeof line,
             "seen() { stat -c '%%i %%y' %s 2>&1; }; before=$(seen); "
             "env --default-signal=INT,QUIT sh -c 'exec %s' & p=$!; "
             "while [ \"$(seen)\" = \"$before\" ] && kill -0 $p 2>k; do sleep 0.01; done; "
             "sleep %.3f; kill -s %s $p; wait $p",
             path, command, seconds, signal);
    cli_run(&run, line);
}

static const struct {
    const char *name;
    int status;
} signals[] = {{"INT", 130},  {"TERM", 143}, {"HUP", 129},
               {"QUIT", 131}, {"XCPU", 152}, {"USR1", 130}};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static void assert_nothing_temporary(void)
{
    cli_expect_done(&other, "test -z \"$(ls -A | grep '^billow-.*tmp')\"");
}

static void test_signals_leave_a_checkpoint(void **state)
{
    (void)state;
    for (int s = 0; s < SIGNALS; s++) {
        run_until(PLUME "--steps 10000000 --checkpoint a.ckpt --every 5 --csv a.csv --force",
                  "a.ckpt", 0.02, signals[s].name);
        assert_int_equal(run.status, signals[s].status);
        assert_non_null(
            strstr(run.err, "billow: interrupted; 'billow sim --resume a.ckpt' continues"));
        assert_nothing_temporary();
        long steps = steps_of("a.ckpt");
        assert_true(steps > 0);
        /* The table is complete up to the interruption. */
        cli_expect_done(&run, "tail -n 1 a.csv | cut -d, -f1");
        assert_int_equal(strtol(run.out, NULL, 10), steps);
        char line[128];
        cli_expect_done(&run, SIM "--resume a.ckpt --steps 2");
        snprintf(line, sizeof line, PLUME "--steps %ld", steps + 2);
        cli_expect_done(&other, line);
        assert_same_hash();
    }
    cli_expect_done(&run, "rm *");
}

/* SIGUSR2 writes a checkpoint, and the run goes on to the same end. */
static void test_a_signal_asks_for_a_checkpoint(void **state)
{
    (void)state;
    static const char *const commands[] = {
        PLUME "--steps 10000000 --csv a.csv",
        "\"$BILLOW\" bake jets --grid 16 --frames 100000 --out a_%d.vti"};
    static const char ask[] =
        "p=$!; " CLI_UNTIL("[ -f billow-*.tmp -o -f a_1.vti ]") "kill -s USR2 $p; " CLI_UNTIL(
            "[ -f a.ckpt ]") "cp a.ckpt b.ckpt; " CLI_WORK "kill -s TERM $p; wait $p";
    char line[1024];
    for (int c = 0; c < 2; c++) {
        snprintf(line, sizeof line, "%s --checkpoint a.ckpt & %s", commands[c], ask);
        cli_run(&run, line);
        assert_int_equal(run.status, 143);
        assert_non_null(strstr(run.err, "billow: notice: wrote a.ckpt at "));
        cli_expect_done(&run, "\"$BILLOW\" check a.ckpt");
        cli_expect_done(&other, "\"$BILLOW\" check b.ckpt");
        const char *late = strstr(run.out, " after "), *early = strstr(other.out, " after ");
        assert_true(late != NULL && early != NULL);
        assert_true(strtol(late + 7, NULL, 10) > strtol(early + 7, NULL, 10));
        assert_nothing_temporary();
        cli_expect_done(&run, "rm *");
    }
    cli_run(&run,
            PLUME "--steps 10000000 --csv a.csv & p=$!; " CLI_UNTIL(
                "[ -f billow-*.tmp ]") "kill -s USR2 $p; " CLI_WORK "kill -s TERM $p; wait $p");
    assert_int_equal(run.status, 143);
    assert_string_equal(run.err,
                        "billow: notice: SIGUSR2 writes a checkpoint only with --checkpoint FILE\n"
                        "billow: interrupted\n");
}

/* Signals that are ignored from the start stay so: SIGHUP under nohup, SIGINT and SIGQUIT in the
 * background of a script. */
static void test_ignored_signals_stay_ignored(void **state)
{
    (void)state;
    cli_run(&run, "nohup \"$BILLOW\" sim plume --grid 16 --steps 10000000 >o 2>&1 & p=$!; " CLI_WORK
                  "kill -s HUP $p; kill -s INT $p; kill -s QUIT $p; " CLI_WORK
                  "kill -0 $p && kill -s TERM $p; wait $p");
    assert_int_equal(run.status, 143);
    cli_expect_done(&run, "rm *");
}

/* The same signal a second time ends the run at once; SIGHUP and SIGXCPU, which come in numbers, do
 * not. The steps are long, so that all the signals come within the first. */
static void test_second_signals(void **state)
{
    (void)state;
    static const char again[] =
        SIM "plume --grid 112 --refine 1 --set time.step=1 --steps 1000 --threads 1 --checkpoint "
            "a.ckpt & p=$!; "
            "until [ $((0x$(sed -n 's/^SigCgt:.//p' /proc/$p/status) >> %d & 1)) = 1 ]; do "
            "sleep 0.02; done; for t in 1 2 3; do kill -%d $p; sleep 0.05; done; wait $p";
    static const int again_by[] = {SIGTERM, SIGHUP, SIGXCPU};
    for (int s = 0; s < 3; s++) {
        char line[512];
        snprintf(line, sizeof line, again, again_by[s] - 1, again_by[s]);
        cli_run(&run, line);
        assert_int_equal(run.status, 128 + again_by[s]);
        if (again_by[s] == SIGTERM) {
#ifdef BILLOW_RACES /* ThreadSanitizer keeps signals back until a call: two may become one */
            cli_expect_done(&run, "rm -f a.ckpt");
#else
            assert_false(cli_file_exists("a.ckpt"));
#endif
            continue;
        }
        assert_non_null(strstr(run.err, "'billow sim --resume a.ckpt' continues"));
        cli_expect_done(&run, "rm a.ckpt");
    }
    cli_expect_done(&run, "rm -f billow-*.tmp");
}

/* 'ulimit -t' leaves time for the checkpoint, and 'ulimit -f' gives a sentence. */
static void test_limits_of_the_shell(void **state)
{
    (void)state;
    cli_run(&run, "(ulimit -t 2; " PLUME "--steps 10000000 --checkpoint a.ckpt)");
    assert_int_equal(run.status, 152);
    assert_non_null(strstr(run.err, "'billow sim --resume a.ckpt' continues"));
    assert_true(steps_of("a.ckpt") > 0);
#ifndef BILLOW_RACES /* under this limit ThreadSanitizer cannot write its own file */
    cli_expect_failure(&run, "(ulimit -f 8; " PLUME "--steps 2 --checkpoint b.ckpt)", 1,
                       "b.ckpt: could not be written completely: the file would be larger than "
                       "'ulimit -f' allows");
    cli_expect_failure(&run,
                       "(ulimit -f 8; \"$BILLOW\" bake plume --grid 16 --frames 1 --out v.vti)", 1,
                       "v.vti: could not be written completely: the file would be larger than");
    cli_expect_failure(
        &run, "(ulimit -f 1; " PLUME "--steps 99 --csv - >table)", 1,
        "standard output: could not be written completely: the file would be larger");
#endif
    assert_nothing_temporary();
    cli_expect_done(&run, "rm *");
}

/* A resumed run writes the same files, wherever the first run was interrupted. */
static void test_a_broken_bake_goes_on(void **state)
{
    (void)state;
    run_until(BAKE "jets --grid 24 --frames 100000 --fps 5 --out a_%d.vti --checkpoint c",
              "a_1.vti", 0.1, "TERM");
    assert_int_equal(run.status, 143);
    assert_non_null(strstr(run.err, "'billow bake --resume c' continues from"));
    cli_expect_done(&run, "\"$BILLOW\" check c");
    const char *at = strstr(run.out, " s, written");
    assert_non_null(at);
    at = strstr(at, "version 1, ");
    assert_non_null(at);
    long frames = strtol(at + strlen("version 1, "), NULL, 10);
    char line[256];
    cli_expect_done(&run, BAKE "--resume c --frames 2 --out a_%d.vti --threads 1");
    snprintf(line, sizeof line, BAKE "jets --grid 24 --fps 5 --frames %ld --out b.vti", frames + 2);
    cli_expect_done(&run, line);
    snprintf(line, sizeof line, "cmp b.vti a_%ld.vti && ls a_%ld.vti", frames + 2, frames + 1);
    cli_expect_done(&run, line);
    cli_expect_done(&run, "rm *");
}

static double random_between(unsigned *random, double low, double high)
{
    *random = *random * 1664525u + 1013904223u;
    return low + (high - low) * (*random >> 8) / (1 << 24);
}

/* A run killed at any moment, also while it writes, leaves a whole checkpoint that is not older
 * than the previous one and resumes to the hash of an undisturbed run. */
static void test_kills_lose_nothing(void **state)
{
    (void)state;
    const char *asked = getenv("BILLOW_KILLS");
    const int kills = asked != NULL ? atoi(asked) : 6;
    unsigned random = 7;
    long before = 0;
    char line[256];
    cli_expect_done(&run, PLUME "--steps 1 --checkpoint a.ckpt");
    for (int k = 0; k < kills; k++) {
        run_until(SIM "--resume a.ckpt --steps 1000000 --checkpoint a.ckpt --every 1", "a.ckpt",
                  random_between(&random, 0, 0.1), "KILL");
        assert_int_equal(run.status, 128 + 9);
        long steps = steps_of("a.ckpt");
        if (steps < before)
            fail_msg("kill %d: the checkpoint is of step %ld, and was of %ld", k, steps, before);
        before = steps;
        cli_expect_done(&run, "rm -f billow-*.tmp"); /* the temporary file of the killed run */
    }
    assert_true(before > kills);
    cli_expect_done(&other, SIM "--resume a.ckpt --steps 5");
    char resumed[64];
    snprintf(resumed, sizeof resumed, "%s", said(&other, "state_hash"));
    snprintf(line, sizeof line, PLUME "--steps %ld", before + 5);
    cli_expect_done(&run, line);
    assert_string_equal(resumed, said(&run, "state_hash"));
    print_message("%d kills, %ld steps\n", kills, before);
    cli_expect_done(&run, "rm *");
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_a_run_goes_on),
        cmocka_unit_test(test_a_box_goes_on_growing),
        cmocka_unit_test(test_values_change_on_the_way),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_baked_fields_go_on),
        cmocka_unit_test(test_signals_leave_a_checkpoint),
        cmocka_unit_test(test_a_signal_asks_for_a_checkpoint),
        cmocka_unit_test(test_ignored_signals_stay_ignored),
        cmocka_unit_test(test_second_signals),
        cmocka_unit_test(test_limits_of_the_shell),
        cmocka_unit_test(test_a_broken_bake_goes_on),
        cmocka_unit_test(test_kills_lose_nothing),
    };
    const struct CMUnitTest kills[] = {cmocka_unit_test(test_kills_lose_nothing)};
    return getenv("BILLOW_KILLS") != NULL
               ? cmocka_run_group_tests(kills, cli_enter_folder, cli_leave_folder)
               : cmocka_run_group_tests(all, cli_enter_folder, cli_leave_folder);
}
