/* SPDX-License-Identifier: MIT
 * `billow verify` from outside: its list, refusals, output and files. The fastest cases run. */
#define _POSIX_C_SOURCE 200809L
/* cmocka.h expects these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_harness.h"
#include "sanitized.h"
#include "verify/verify.h"

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CliRun cli;

static const VerifyCase *find(const char *name)
{
    int index = 0;
    while (strcmp(verify_case(index)->name, name) != 0)
        index++;
    return verify_case(index);
}

static void list_names_every_case(void **state)
{
    (void)state;
    const VerifyCase *at;
    cli_expect_done(&cli, "\"$BILLOW\" verify --list");
    char quick[1024] = "";
    int count = 0;
    for (; (at = verify_case(count)) != NULL; count++) {
        if (strstr(cli.out, at->name) == NULL || strstr(cli.out, at->source) == NULL)
            fail_msg("--list does not show %s", at->name);
        assert_ptr_equal(find(at->name), at); /* all names differ */
        if (at->quick) {
            strcat(quick, quick[0] != '\0' ? " " : "");
            strcat(quick, at->name);
        }
    }
    assert_true(count > 40);
    assert_string_equal(quick, QUICK_CASES); /* each has a test in CMakeLists.txt */
}

static void bad_input_is_named(void **state)
{
    (void)state;
    cli_expect_failure(&cli, "\"$BILLOW\" verify zalesack", 2,
                       "there is no case 'zalesack'; did you mean 'zalesak'?");
    cli_expect_failure(&cli, "\"$BILLOW\" verify nothing-like-it", 2,
                       "no case 'nothing-like-it'; 'billow verify --list' lists them");
    cli_expect_failure(&cli, "\"$BILLOW\" verify rest --threads 0", 2, "--threads");
    cli_expect_failure(&cli, "\"$BILLOW\" verify rest --report no/such/folder", 1,
                       "no/such/folder: the folder cannot be created: No such file");
    cli_expect_failure(&cli, "touch file; \"$BILLOW\" verify rest --report file", 1, "file");
    cli_expect_failure(&cli, "\"$BILLOW\" verify rest --json no/such/file", 1, "no/such/file");
    cli_run(&cli, "rm -f file");
    assert_int_equal(cli_folder_entries(), 0);
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

/* The first row of a case has its name and its source, and the others have neither. */
static void expect_case(const char *name)
{
    const char *source = find(name)->source;
    const char *named = strstr(cli.out, name), *told = strstr(cli.out, source);
    assert_true(named != NULL && told > named && told < strchr(named, '\n'));
    assert_null(strstr(named + 1, name));
    assert_null(strstr(told + 1, source));
}

static void table_and_json_hold_the_rows(void **state)
{
    (void)state;
    cli_expect_done(&cli, "\"$BILLOW\" verify projection beer-lambert --quiet --json rows.json");
    expect_case("projection");
    expect_case("beer-lambert");
    cli_expect_done(&cli, "cat rows.json && rm rows.json");
    cJSON *root = cJSON_Parse(cli.out);
    assert_non_null(root);
    const cJSON *cases = cJSON_GetObjectItemCaseSensitive(root, "cases");
    assert_int_equal(cJSON_GetArraySize(cases), 2);
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(cases, 0), "rows");
    const cJSON *order = cJSON_GetArrayItem(rows, 0);
    assert_true(number(order, "measured") >= number(order, "least"));
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(order, "verdict")->valuestring, "within");
    assert_true(number(root, "within") == 5 && number(root, "outside") == 0);
    cJSON_Delete(root);
}

static void report_is_one_whole_page(void **state)
{
    (void)state;
    cli_expect_done(&cli, "\"$BILLOW\" verify diffusion --markdown --report made");
    assert_ptr_equal(strstr(cli.out, "| case | what | measured |"), cli.out);
    assert_non_null(strstr(cli.out, "\n| diffusion | decay rate of a cosine, 1/s | "));
    assert_non_null(strstr(cli.out, "| within |\n"));
    cli_run(&cli, "cat made/index.html; ls -A made | wc -l >&2");
    assert_true(atoi(cli.err) == 1);
    assert_non_null(strstr(cli.out, "<svg"));
    assert_non_null(strstr(cli.out, "</html>"));
    assert_non_null(strstr(cli.out, "class=\"within\""));
    cli_run(&cli, "rm -r made");
}

/* Without OpenGL the cases of light fail, and one sentence names the package to install. */
static void no_opengl_is_said(void **state)
{
    (void)state;
    cli_expect_failure(&cli,
                       "__EGL_VENDOR_LIBRARY_FILENAMES=/nowhere \"$BILLOW\" verify beer-lambert", 1,
                       "Debian packages libegl1 and libgl1-mesa-dri");
}

/* Leaves no memory behind either, for which a sanitizer looks in every flow. */
static void interruption_ends_it_at_once(void **state)
{
    (void)state;
    const VerifyCase *at;
    for (int index = 0; (at = verify_case(index)) != light_cases; index++) {
        char line[80];
        snprintf(line, sizeof line, "\"$BILLOW\" verify %s", at->name);
        if (!SANITIZED && strcmp(at->name, "leveque-100") != 0)
            continue;
        cli_run_signalled(&cli, line, "sleep 0.3", SIGINT);
        bool finished = at->quick && cli.status == 0;
        if (cli.status != 130 && !finished)
            fail_msg("%s ended with %d and said: %s", at->name, cli.status, cli.err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_names_every_case),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(table_and_json_hold_the_rows),
        cmocka_unit_test(report_is_one_whole_page),
        cmocka_unit_test(no_opengl_is_said),
        cmocka_unit_test(interruption_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, cli_enter_folder, cli_leave_folder);
}
