/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "io/child.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int spawn(Child *child, const char *const *arguments, int reading, int held)
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
    if (reason == 0 && held >= 0)
        reason = posix_spawn_file_actions_adddup2(&actions, held, 3);
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

/* Starts a child whose standard input is ends[0], and closes that; ends[1] becomes `input`.
 * Starts nothing if `reason`, the errno of what came before, is not 0. Returns that errno, or the
 * errno of the call that failed here, or 0. */
static int start(Child *child, const char *const *arguments, const int ends[2], int held,
                 int reason)
{
    /* The child must not inherit the writing end of the pipe to its own input, because the pipe
     * would then never close. */
    if (reason == 0 && ends[0] >= 0 &&
        (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0))
        reason = errno;
    if (reason == 0)
        reason = spawn(child, arguments, ends[0], held);
    if (ends[0] >= 0)
        close(ends[0]);
    if (reason == 0)
        child->input = ends[1];
    else if (ends[1] >= 0)
        close(ends[1]);
    return reason;
}

bool child_start(Child *child, const char *const *arguments, bool fed, int held, BillowError *error)
{
    int ends[2] = {-1, -1};
    *child = (Child){.input = -1, .words = tmpfile(), .until = (double)INFINITY};
    int reason = child->words == NULL ? errno : 0;
    if (reason == 0 && fed && (pipe(ends) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0))
        reason = errno;
    reason = start(child, arguments, ends, held, reason);
    if (reason == 0)
        return true;
    if (child->words != NULL)
        fclose(child->words);
    return fail(error, "%s", reason == ENOENT ? "it is not in PATH" : english_error(reason));
}

/* Whether the child has had the time until `until`, or its time after a signal. */
static bool is_late(Child *child, double until)
{
    const double now = clock_seconds();
    if (system_interrupted())
        child->until = fmin(child->until, now + CHILD_SECONDS_LEFT);
    return !(now < fmin(until, child->until));
}

bool child_feed(Child *child, const void *bytes, size_t count)
{
    const int slice = 100; /* ms */
    struct pollfd ready = {.fd = child->input, .events = POLLOUT};
    for (const char *from = bytes; count > 0;) {
        ssize_t written = write(child->input, from, count);
        if (written < 0 && errno == EAGAIN && !is_late(child, (double)INFINITY)) {
            poll(&ready, 1, slice);
            continue;
        }
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
        full = strstr(line, english_error(ENOSPC)) != NULL;
        line[strcspn(line, "\r\n")] = 0;
        if (!says_nothing(line + strspn(line, " ")))
            snprintf(why, size, "%s", line + strspn(line, " "));
    }
}

bool child_runs(const Child *child)
{
    siginfo_t ended = {0};
    int found = waitid(P_PID, (id_t)child->process, &ended, WEXITED | WNOHANG | WNOWAIT);
    return found == 0 ? ended.si_pid != child->process : errno == EINTR; /* waitpid says why */
}

void child_last_line(const Child *child, char *line, size_t size)
{
    char tail[512];
    struct stat written;
    const int file = fileno(child->words);
    line[0] = 0;
    if (fstat(file, &written) != 0)
        return;
    const off_t from =
        written.st_size > (off_t)sizeof tail - 1 ? written.st_size - (off_t)sizeof tail + 1 : 0;
    const ssize_t count = pread(file, tail, sizeof tail - 1, from);
    tail[count > 0 ? count : 0] = 0;
    char *end = strrchr(tail, '\n');
    if (end == NULL)
        return;
    *end = 0;
    const char *start = strrchr(tail, '\n');
    snprintf(line, size, "%s", start != NULL ? start + 1 : tail);
}

/* Waits until the child has ended, but does not collect its status. Returns false if it is late. */
static bool wait_for(Child *child, double patience)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const double until = clock_seconds() + patience;
    while (child_runs(child)) {
        if (is_late(child, until))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static pid_t collect(const Child *child, int *status)
{
    pid_t ended;
    do
        ended = waitpid(child->process, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended;
}

bool child_end(Child *child, double patience, char *why, size_t size)
{
    int status = 0;
    if (child->input >= 0)
        close(child->input);
    const bool in_time = wait_for(child, patience), interrupted = !in_time && system_interrupted();
    if (!in_time) { /* ends its group; while it runs, no other process has its number */
        const double last_seconds = 2; /* to close its files */
        child->until = (double)INFINITY;
        kill(-child->process, SIGTERM);
        wait_for(child, last_seconds);
        kill(-child->process, SIGKILL);
    }
    if (interrupted)
        system_give_up();
    pid_t ended = collect(child, &status);
    last_words(child->words, why, size);
    fclose(child->words);
    if (ended < 0)
        snprintf(why, size, "nothing is known of how it ended");
    else if (interrupted)
        number_print(why, size, "it had not finished %.0f s after the signal", CHILD_SECONDS_LEFT);
    else if (!in_time)
        number_print(why, size, "it took more than %.0f s", patience);
    else if (WIFSIGNALED(status))
        snprintf(why, size, "it was ended by signal %d", WTERMSIG(status));
    else if (why[0] == 0)
        snprintf(why, size, "it ended with status %d", WEXITSTATUS(status));
    return in_time && ended >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool child_run(const char *const *arguments, int held, double patience, char *why, size_t size)
{
    Child child;
    BillowError error;
    if (child_start(&child, arguments, false, held, &error))
        return child_end(&child, patience, why, size);
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
    *child = (Child){.input = -1, .until = (double)INFINITY};
    int reason =
        start(child, arguments, ends, -1, socketpair(AF_UNIX, type, 0, ends) != 0 ? errno : 0);
    return reason == 0 || fail(error, "%s", english_error(reason));
}

bool child_end_talk(Child *child, double patience, int *status)
{
    close(child->input);
    child->input = -1;
    if (!wait_for(child, patience))
        kill(child->process, SIGKILL);
    return collect(child, status) == child->process;
}
