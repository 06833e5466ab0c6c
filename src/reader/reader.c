/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* close_range, setitimer */
#include "reader/reader.h"

#include "base/fail.h"

#include <billow/billow.h>
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { FILES_MOST = 8 };

void reader_out_of_memory(void)
{
    _exit(ISOLATED_EXIT_MEMORY);
}

void *reader_answer(ReaderAnswer *answer, size_t length)
{
    *answer = (ReaderAnswer){malloc(length > 0 ? length : 1), length};
    if (answer->bytes == NULL)
        reader_out_of_memory();
    return answer->bytes;
}

/* -- the process ------------------------------------------------------------------------------- */

/* Closes what the other process has left open for its children. */
static void close_others(void)
{
    enum { OTHERS = 3, MOST = 65536 };
    struct rlimit most = {MOST, MOST};
#ifdef CLOSE_RANGE_UNSHARE
    if (close_range(OTHERS, ~0u, 0) == 0)
        return;
#endif
    getrlimit(RLIMIT_NOFILE, &most);
    for (int other = OTHERS; other < MOST && (rlim_t)other < most.rlim_cur; other++)
        close(other);
}

static pid_t parent; /* the process that uses this one */

static void end_with_parent(int number)
{
    (void)number;
    if (getppid() != parent)
        _exit(0);
}

/* Looks every second whether the parent is still there. One that is killed cannot end this process,
 * which may be in the midst of a long computation. */
static void watch_parent(void)
{
    const struct itimerval second = {.it_interval = {.tv_sec = 1}, .it_value = {.tv_sec = 1}};
    struct sigaction action = {.sa_handler = end_with_parent, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    parent = getppid();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &second, NULL);
}

static int status_file = -1; /* /proc/self/status, opened before the limits */

/* The peak of the resident memory, bytes. getrusage would count that of the process that started
 * this one. */
static uint64_t peak_memory(void)
{
    char text[4096];
    ssize_t length = status_file >= 0 ? pread(status_file, text, sizeof text - 1, 0) : -1;
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "VmHWM:");
    return line != NULL ? strtoull(line + 6, NULL, 10) * 1024 : 0;
}

/* -- the socket -------------------------------------------------------------------------------- */

enum Way { RECEIVE, GIVE };

/* Ends the process if the other end is closed. */
static void pass(enum Way way, void *bytes, size_t count)
{
    for (char *at = bytes; count > 0;) {
        ssize_t passed =
            way == GIVE ? write(STDIN_FILENO, at, count) : read(STDIN_FILENO, at, count);
        if (passed < 0 && errno == EINTR)
            continue;
        if (passed <= 0)
            _exit(0);
        at += passed;
        count -= (size_t)passed;
    }
}

static void say(uint32_t what, void *bytes, size_t count)
{
    pass(GIVE, &(IsolatedHead){.what = what, .bytes = count}, sizeof(IsolatedHead));
    pass(GIVE, bytes, count);
}

/* -- questions --------------------------------------------------------------------------------- */

static void *files[FILES_MOST];

static bool open_file(const ReaderKind *kind, char *bytes, size_t length, ReaderAnswer *answer,
                      BillowError *error)
{
    uint32_t number = 0;
    while (number < FILES_MOST && files[number] != NULL)
        number++;
    if (number == FILES_MOST) {
        free(bytes);
        return fail(error, "too many files are open");
    }
    files[number] = kind->open(bytes, length, error);
    if (files[number] == NULL)
        return false;
    IsolatedOpened *opened = reader_answer(answer, sizeof *opened);
    *opened = (IsolatedOpened){.peak = peak_memory(), .file = number};
    return true;
}

static bool respond(const ReaderKind *kind, const IsolatedHead *head, char *request,
                    ReaderAnswer *answer, BillowError *error)
{
    void **file = &files[head->file % FILES_MOST];
    if (head->what == ISOLATED_OPEN)
        return open_file(kind, request, (size_t)head->bytes, answer, error);
    bool good = *file != NULL || fail(error, "no such file is open");
    if (good && head->what == ISOLATED_CLOSE) {
        kind->close(*file);
        *file = NULL;
    } else if (good) {
        good = kind->answer(*file, head->what, request, (size_t)head->bytes, answer, error);
    }
    free(request);
    return good;
}

static _Noreturn void serve(const ReaderKind *kind)
{
    say(ISOLATED_GOOD, NULL, 0);
    for (;;) {
        IsolatedHead head;
        ReaderAnswer answer = {NULL, 0};
        BillowError error = {"it says nothing about the cause"};
        pass(RECEIVE, &head, sizeof head);
        char *request = head.bytes < SIZE_MAX ? malloc((size_t)head.bytes + 1) : NULL;
        if (request == NULL)
            reader_out_of_memory();
        pass(RECEIVE, request, (size_t)head.bytes);
        request[head.bytes] = '\0';
        if (respond(kind, &head, request, &answer, &error))
            say(ISOLATED_GOOD, answer.bytes, answer.length);
        else
            say(ISOLATED_REFUSED, error.text, strlen(error.text));
        free(answer.bytes);
    }
}

int main(int count, char **arguments)
{
    static const ReaderKind *const kinds[] = {&reader_vdb, &reader_exr, &reader_font};
    const ReaderKind *kind = NULL;
    BillowError error = {""};
    close_others();
    watch_parent();
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1); /* each arena would take 128 MB of the address space */
#endif
    for (size_t k = 0; count == 5 && k < sizeof kinds / sizeof kinds[0]; k++)
        if (strcmp(kinds[k]->name, arguments[1]) == 0)
            kind = kinds[k];
    if (kind == NULL) {
        fprintf(stderr, "billow-reader: reads files for billow and libbillow_scene, which start "
                        "it; it is of no use alone\n");
        return 2;
    }
    bool good = strcmp(arguments[2], BILLOW_VERSION) == 0 ||
                fail(&error, "billow-reader is of another version, %s", BILLOW_VERSION);
    if (good && kind->open == NULL)
        good = fail(&error, "billow-reader was built without the library that reads such files");
    good = good && (kind->load == NULL || kind->load(&error));
    status_file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (good && !reader_confine(strtoull(arguments[3], NULL, 10), strtoull(arguments[4], NULL, 10)))
        good = fail(&error, "billow-reader cannot limit itself");
    if (good)
        serve(kind);
    say(ISOLATED_REFUSED, error.text, strlen(error.text));
    return 1;
}
