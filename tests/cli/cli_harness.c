/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli_harness.h"

/* cmocka.h expects these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char folder[] = "/tmp/billow-cli-XXXXXX";

/* Captured output lies beside the working folder, so that tests see only their own files there. */
static char out_path[64], err_path[64];

int cli_enter_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || setenv("BILLOW", BILLOW_PROGRAM, 1) != 0)
        return -1;
    snprintf(out_path, sizeof out_path, "%s.out", folder);
    snprintf(err_path, sizeof err_path, "%s.err", folder);
    return chdir(folder);
}

int cli_leave_folder(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -rf '%s' '%s' '%s'", folder, out_path, err_path);
    return chdir("/") != 0 || system(line) != 0;
}

static void read_back(const char *path, char *text, size_t size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    text[fread(text, 1, size - 1, stream)] = 0;
    fclose(stream);
}

static pid_t start(const char *line)
{
    pid_t process;
    posix_spawn_file_actions_t actions;
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    char *arguments[] = {(char *)"sh", (char *)"-c", (char *)line, NULL};
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out_path, flags, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_path, flags, 0600);
    /* The background of a script ignores signals, which the program would go on doing. */
    posix_spawnattr_t attributes;
    sigset_t usual;
    sigfillset(&usual);
    assert_int_equal(posix_spawnattr_init(&attributes), 0);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    assert_int_equal(posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ),
                     0);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

static void finish(CliRun *run, pid_t process)
{
    int status = 0;
    assert_int_equal(waitpid(process, &status, 0), process);
    run->status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
    read_back(out_path, run->out, sizeof run->out);
    read_back(err_path, run->err, sizeof run->err);
}

void cli_run(CliRun *run, const char *line)
{
    finish(run, start(line));
}

/* Whether a process catches or ignores a signal, or has ended. True where the system does not say.
 * Shells that have not become the program yet catch SIGINT, but not SIGTERM. */
static bool heeds(pid_t process, int number)
{
    char line[128], state = 0;
    unsigned long long mask, heeded = 0, wanted = 1ull << (number - 1);
    if (number == SIGINT)
        wanted |= 1ull << (SIGTERM - 1);
    snprintf(line, sizeof line, "/proc/%ld/status", (long)process);
    FILE *file = fopen(line, "r");
    if (file == NULL)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "SigIgn: %llx", &mask) == 1 || sscanf(line, "SigCgt: %llx", &mask) == 1)
            heeded |= mask;
        else
            (void)sscanf(line, "State: %c", &state);
    fclose(file);
    return state == 'Z' || (heeded & wanted) == wanted;
}

void cli_run_signalled(CliRun *run, const char *line, const char *ready, int number)
{
    char command[1024];
    snprintf(command, sizeof command, "exec %s", line);
    pid_t process = start(command);
    const struct timespec moment = {.tv_nsec = 100000000};
    for (int tries = 0; tries < 600 && number != SIGKILL && !heeds(process, number); tries++)
        nanosleep(&moment, NULL);
    for (int tries = 0; tries < 600 && system(ready) != 0; tries++)
        nanosleep(&moment, NULL);
    kill(process, number);
    finish(run, process);
}

void cli_expect_done(CliRun *run, const char *line)
{
    cli_run(run, line);
    if (run->status != 0 || run->err[0] != 0)
        fail_msg("%s\nended with %d and said: %s", line, run->status, run->err);
}

static bool is_one_line(const char *text)
{
    const char *newline = strchr(text, '\n');
    return strncmp(text, "billow: ", 8) == 0 && newline != NULL && newline[1] == 0;
}

void cli_expect_failure(CliRun *run, const char *line, int status, const char *text)
{
    cli_run(run, line);
    if (run->status != status || !is_one_line(run->err) || strstr(run->err, text) == NULL)
        fail_msg("%s\nended with %d, wanted %d and one line with '%s'; it said: %s", line,
                 run->status, status, text, run->err);
}

void cli_write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
    assert_int_equal(fclose(stream), 0);
}

bool cli_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int cli_folder_entries(void)
{
    int count = 0;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(entries);
    return count;
}
