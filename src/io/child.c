/* SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "child.h"

#include "clock.h"
#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int spawn(Child *child, const char *const *arguments, int reading)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual, none;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXCPU);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    int reason = reading >= 0
                     ? posix_spawn_file_actions_adddup2(&actions, reading, 0)
                     : posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (reason == 0)
        reason = child->words != NULL
                     ? posix_spawn_file_actions_adddup2(&actions, fileno(child->words), 2)
                     : posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    /* posix_spawn takes pointers to non-const strings but does not change the strings */
    union {
        const char *const *given;
        char *const *taken;
    } words = {.given = arguments};
    if (reason == 0)
        reason = posix_spawnp(&child->process, arguments[0], &actions, &attributes, words.taken,
                              environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

bool child_start(Child *child, const char *const *arguments, bool fed, BillowError *error)
{
    int ends[2] = {-1, -1};
    *child = (Child){.input = -1, .words = tmpfile()};
    int reason = child->words == NULL ? errno : 0;
    if (reason == 0 && fed && pipe(ends) != 0)
        reason = errno;
    /* The child must not inherit the writing end of the pipe to its own input, because the pipe
     * would then never close. */
    if (reason == 0 && fed &&
        (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0))
        reason = errno;
    if (reason == 0)
        reason = spawn(child, arguments, ends[0]);
    if (ends[0] >= 0)
        close(ends[0]);
    if (reason == 0) {
        child->input = ends[1];
        return true;
    }
    if (ends[1] >= 0)
        close(ends[1]);
    if (child->words != NULL)
        fclose(child->words);
    return fail(error, "%s", reason == ENOENT ? "it is not in PATH" : strerror(reason));
}

bool child_feed(Child *child, const void *bytes, size_t count)
{
    for (const char *from = bytes; count > 0;) {
        ssize_t written = write(child->input, from, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        count -= (size_t)written;
    }
    return true;
}

/* Whether a line contains no reason: ffmpeg prints such lines after the line with the reason. */
static bool says_nothing(const char *line)
{
    static const char *const verdicts[] = {"", "Conversion failed!",
                                           "Error marking filters as finished"};
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++)
        if (strcmp(line, verdicts[i]) == 0)
            return true;
    return false;
}

/* Finds the last line with a reason. If a line reports a full disk, takes the first such line,
 * because the errors after it are consequences. */
static void last_words(FILE *words, char *why, size_t size)
{
    char line[400];
    bool full = false;
    why[0] = 0;
    rewind(words);
    while (!full && fgets(line, sizeof line, words) != NULL) {
        full = strstr(line, strerror(ENOSPC)) != NULL;
        line[strcspn(line, "\r\n")] = 0;
        if (!says_nothing(line + strspn(line, " ")))
            snprintf(why, size, "%s", line + strspn(line, " "));
    }
}

bool child_end(Child *child, char *why, size_t size)
{
    int status = 0;
    pid_t ended = -1;
    if (child->input >= 0)
        close(child->input);
    do
        ended = waitpid(child->process, &status, 0);
    while (ended < 0 && errno == EINTR);
    last_words(child->words, why, size);
    fclose(child->words);
    if (ended < 0) {
        snprintf(why, size, "nothing is known of how it ended");
        return false;
    }
    if (WIFSIGNALED(status))
        snprintf(why, size, "it was ended by signal %d", WTERMSIG(status));
    else if (why[0] == 0)
        snprintf(why, size, "it ended with status %d", WEXITSTATUS(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool child_run(const char *const *arguments, char *why, size_t size)
{
    Child child;
    BillowError error;
    if (child_start(&child, arguments, false, &error))
        return child_end(&child, why, size);
    snprintf(why, size, "%s", error.text);
    return false;
}

/* -- talking ----------------------------------------------------------------------------------- */

bool child_start_talk(Child *child, const char *const *arguments, BillowError *error)
{
    int ends[2] = {-1, -1}, type = SOCK_STREAM;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    *child = (Child){.input = -1};
    int reason = socketpair(AF_UNIX, type, 0, ends) != 0 ? errno : 0;
    if (reason == 0 &&
        (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0))
        reason = errno;
    if (reason == 0)
        reason = spawn(child, arguments, ends[1]);
    if (ends[1] >= 0)
        close(ends[1]);
    child->input = ends[0];
    if (reason == 0)
        return true;
    if (ends[0] >= 0)
        close(ends[0]);
    child->input = -1;
    return fail(error, "%s", strerror(reason));
}

bool child_end_talk(Child *child, double patience, int *status)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    const double begin = clock_seconds();
    pid_t ended;
    close(child->input);
    child->input = -1;
    while ((ended = waitpid(child->process, status, WNOHANG)) == 0 &&
           clock_seconds() - begin < patience)
        nanosleep(&moment, NULL);
    if (ended == 0) { /* it is there, so that its number cannot be another's */
        kill(child->process, SIGKILL);
        do
            ended = waitpid(child->process, status, 0);
        while (ended < 0 && errno == EINTR);
    }
    return ended == child->process;
}
