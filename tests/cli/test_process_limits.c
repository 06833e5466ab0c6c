/* SPDX-License-Identifier: MIT
 * Memory and processor time under control groups: on trees of files with known answers, and of the
 * program in groups of its own where this machine allows to make them. */
#define _DEFAULT_SOURCE /* fork */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/process_limits.h"
#include "cli_harness.h"
#include <billow/billow.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static CliRun run;

/* Writes a file below a new folder `tree`, and the folders that it lies in. */
static void put(const char *path, const char *text)
{
    char line[512];
    snprintf(line, sizeof line, "mkdir -p \"$(dirname 'tree/%s')\"", path);
    cli_expect_done(&run, line);
    snprintf(line, sizeof line, "tree/%s", path);
    cli_write_file(line, text);
}

static void check(double memory, double left, double cores)
{
    const ProcessLimits limits = process_limits_read("tree");
    assert_true(limits.memory == memory);
    assert_true(limits.memory_left == left);
    assert_true(limits.cores == cores);
    cli_expect_done(&run, "rm -rf tree");
}

static const char available[] = "MemTotal:       8000000 kB\nMemAvailable:   4000000 kB\n";

#define MOUNT(point, below, type, options)                                                         \
    "34 30 0:31 " below " " point " rw,relatime shared:9 - " type " cgroup rw," options "\n"

static void test_no_groups(void **state)
{
    (void)state;
    check(INFINITY, INFINITY, INFINITY);
    put("proc/meminfo", available);
    check(INFINITY, 4096e6, INFINITY);
}

/* The own group has no limit. That around it allows 1 GB, of which 0.3 GB cannot be dropped; the
 * one around that 0.5 GB softly, of which 0.1 GB are used. */
static void test_nested_v2(void **state)
{
    (void)state;
    put("proc/meminfo", available);
    put("proc/self/cgroup", "0::/a/b/own\n");
    put("proc/self/mountinfo",
        "26 1 254:0 / / rw - ext4 /dev/vda rw\n" MOUNT("/sys/fs/cgroup", "/", "cgroup2", "x"));
    put("sys/fs/cgroup/a/b/own/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/own/memory.high", "max\n");
    put("sys/fs/cgroup/a/b/own/cpu.max", "max 100000\n");
    put("sys/fs/cgroup/a/b/memory.max", "1000000000\n");
    put("sys/fs/cgroup/a/b/memory.current", "400000000\n");
    put("sys/fs/cgroup/a/b/memory.stat", "anon 1\nfile 200000000\ninactive_file 100000000\n");
    put("sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
    put("sys/fs/cgroup/a/memory.high", "500000000\n");
    put("sys/fs/cgroup/a/memory.current", "100000000\n");
    put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    check(500e6, 400e6, 1.5);
}

/* Version 1 has a hierarchy for each controller. The tightest limit is of the group around the own
 * one, and the least memory is left in the own one. */
static void test_nested_v1(void **state)
{
    (void)state;
    put("proc/meminfo", available);
    put("proc/self/cgroup", "5:cpu,cpuacct:/a/own\n4:memory:/a/own\n3:cpuset:/\n0::/other\n");
    put("proc/self/mountinfo",
        MOUNT("/c/unified", "/", "cgroup2", "x") MOUNT("/c/cpuset", "/", "cgroup", "cpuset")
            MOUNT("/c/my\\040memory", "/", "cgroup", "memory")
                MOUNT("/c/cpu", "/", "cgroup", "cpu,cpuacct"));
    put("c/my memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("c/my memory/a/memory.limit_in_bytes", "200000000\n");
    put("c/my memory/a/memory.usage_in_bytes", "20000000\n");
    put("c/my memory/a/own/memory.limit_in_bytes", "300000000\n");
    put("c/my memory/a/own/memory.usage_in_bytes", "290000000\n");
    put("c/my memory/a/own/memory.stat", "inactive_file 5\ntotal_inactive_file 90000000\n");
    put("c/cpu/a/cpu.cfs_quota_us", "50000\n");
    put("c/cpu/a/cpu.cfs_period_us", "200000\n");
    put("c/cpu/a/own/cpu.cfs_quota_us", "-1\n");
    put("c/cpu/a/own/cpu.cfs_period_us", "100000\n");
    check(200e6, 100e6, 0.25);
}

/* In a container the path may be that within it (/), that on the host, or lead out of it. */
static void test_containers(void **state)
{
    (void)state;
    static const struct {
        const char *path, *mount;
    } cases[] = {
        {"0::/\n", MOUNT("/sys/fs/cgroup", "/", "cgroup2", "x")},
        {"0::/\n", MOUNT("/sys/fs/cgroup", "/box/12", "cgroup2", "x")},
        {"0::/box/12\n", MOUNT("/sys/fs/cgroup", "/box/12", "cgroup2", "x")},
        {"0::/../34\n", MOUNT("/sys/fs/cgroup", "/", "cgroup2", "x")},
        {"0::/box/123\n", MOUNT("/sys/fs/cgroup", "/box/12", "cgroup2", "x")},
        {"0::/gone/since\n", MOUNT("/sys/fs/cgroup", "/", "cgroup2", "x")},
        {"0::/box/12\n", MOUNT("/elsewhere", "/box/3", "cgroup2", "x")
                             MOUNT("/sys/fs/cgroup", "/box/12", "cgroup2", "x")},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        put("proc/self/cgroup", cases[c].path);
        put("proc/self/mountinfo", cases[c].mount);
        put("sys/fs/cgroup/memory.max", "300000000\n");
        put("sys/fs/cgroup/memory.current", "300000001\n");
        put("sys/fs/cgroup/cpu.max", "300000 100000\n");
        put("sys/fs/memory.max", "1\n"); /* outside of the hierarchy */
        check(300e6, 0, 3);
    }
}

static void test_threads(void **state)
{
    (void)state;
    assert_int_equal(process_limits_threads(8, INFINITY), 8);
    assert_int_equal(process_limits_threads(8, 20), 8);
    assert_int_equal(process_limits_threads(8, 2), 2);
    assert_int_equal(process_limits_threads(8, 1.5), 2);
    assert_int_equal(process_limits_threads(8, 0.01), 1);
}

/* A limit of the address space counts, too. */
static void test_address_space(void **state)
{
    (void)state;
#ifndef BILLOW_SANITIZED /* sanitizers reserve more address space than the limit */
    cli_expect_failure(&run, "(ulimit -v 1000000; \"$BILLOW\" check plume --grid 320)", 1,
                       "a smaller --grid");
#endif
}

/* The library refuses what does not fit. Few bytes are left to malloc. */
static void test_library(void **state)
{
    (void)state;
#ifndef BILLOW_SANITIZED
    BillowDef def = billow_default_def();
    BillowError error = {""};
    def.nx = def.ny = def.nz = 320;
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {1000000000, 1000000000};
        bool refused = setrlimit(RLIMIT_DATA, &limit) == 0 && billow_create(&def, &error) == NULL;
        _exit(refused &&
                      strstr(error.text, "not enough memory for a grid of 320x320x320: it needs "
                                         "1.") != NULL &&
                      strstr(error.text, "GB are available; try a smaller grid") != NULL
                  ? 0
                  : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
#endif
}

/* -- groups of this machine -------------------------------------------------------------------- */

/* Makes a group in that of this process, for the controllers memory and cpu, by shell. $MEMORY and
 * $CPU are their folders afterwards. */
static const char make_groups[] =
    "memory=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)\n"
    "cpu=$(sed -n 's/^[0-9]*:\\(cpu\\|cpu,.*\\)://p' /proc/self/cgroup)\n"
    "if [ -n \"$memory\" ]; then\n"
    "  MEMORY=/sys/fs/cgroup/memory$memory/billow-test-$$ "
    "CPU=/sys/fs/cgroup/cpu$cpu/billow-test-$$\n"
    "else\n"
    "  MEMORY=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/billow-test-$$ CPU=$MEMORY\n"
    "fi\n"
    "mkdir -p \"$MEMORY\" \"$CPU\" || exit 77\n"
    "trap 'rmdir \"$MEMORY\" \"$CPU\"' EXIT\n"
    "if [ -f \"$MEMORY/memory.limit_in_bytes\" ]; then\n"
    "  echo 200M >\"$MEMORY/memory.limit_in_bytes\" &&\n"
    "  echo 100000 >\"$CPU/cpu.cfs_period_us\" && echo 100000 >\"$CPU/cpu.cfs_quota_us\" || exit "
    "77\n"
    "else\n"
    "  echo 200M >\"$MEMORY/memory.max\" && echo '100000 100000' >\"$CPU/cpu.max\" || exit 77\n"
    "fi\n"
    "for folder in \"$MEMORY\" \"$CPU\"; do\n"
    "  sh -c 'echo $$ >\"$1/cgroup.procs\"' - \"$folder\" || exit 77\n"
    "done\n"
    "inside() { (sh -c 'echo $PPID >\"$1/cgroup.procs\" && echo $PPID >\"$2/cgroup.procs\"' - \\\n"
    "  \"$MEMORY\" \"$CPU\"; exec \"$@\"); }\n";

static void test_in_a_group(void **state)
{
    (void)state;
    cli_write_file("groups.sh", make_groups);
    cli_run(&run, ". ./groups.sh 2>&1");
    if (run.status != 0) {
        print_message("No control group can be made here: %s\n", run.out);
        skip();
    }
    cli_expect_failure(&run, ". ./groups.sh; inside \"$BILLOW\" check plume --grid 192", 1,
                       "GB are available; try a smaller --grid");
    cli_expect_failure(&run, ". ./groups.sh; inside \"$BILLOW\" sim plume --grid 192 --steps 1", 1,
                       "GB are available; try a smaller --grid");
    cli_expect_done(&run, "unset OMP_NUM_THREADS; . ./groups.sh; inside \"$BILLOW\" sim plume "
                          "--grid 32 --steps 2 --json - | grep '\"threads\":[[:blank:]]*1,'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_groups), cmocka_unit_test(test_nested_v2),
        cmocka_unit_test(test_nested_v1), cmocka_unit_test(test_containers),
        cmocka_unit_test(test_threads),   cmocka_unit_test(test_address_space),
        cmocka_unit_test(test_library),   cmocka_unit_test(test_in_a_group),
    };
    return cmocka_run_group_tests_name("limits", tests, cli_enter_folder, cli_leave_folder);
}
