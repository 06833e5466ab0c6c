/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "io/isolated.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/system.h"
#include "io/child.h"

#include <billow/billow.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct Isolated {
    Child child;
    IsolatedKind kind;
    IsolatedLimits limits;
    pid_t owner;   /* the process that started it; a child of fork must not use the socket */
    bool greeted;  /* whether it has said that it is ready */
    bool late;     /* whether an answer took too long */
    bool given_up; /* whether a signal ended the wait for it */
    double asked;  /* time of the question */
};

static const struct {
    const char *name, *parser;
} kinds[] = {{"vdb", "OpenVDB"}, {"exr", "OpenEXR"}, {"font", "FreeType"}};

IsolatedLimits isolated_limits(void)
{
    const double least = 64e6, most = 8e9, available = (double)system_memory_available();
    const double memory = available > 0 ? fmin(0.5 * available, most) : most;
    return (IsolatedLimits){
        .memory = (uint64_t)fmax(memory, least), .processor = 3600, .answer = 120};
}

/* -- start and end ----------------------------------------------------------------------------- */

/* Looks in the folders where the program lies as seen from an executable or a library. */
static bool find_near(const char *object, char path[ISOLATED_PATH])
{
    static const char *const places[] = {BILLOW_READER_FROM_BIN "/", BILLOW_READER_FROM_LIB "/", "",
                                         "../"};
    const char *slash = strrchr(object, '/');
    for (size_t p = 0; slash != NULL && p < sizeof places / sizeof places[0]; p++) {
        int length = snprintf(path, ISOLATED_PATH, "%.*s/%sbillow-reader", (int)(slash - object),
                              object, places[p]);
        if (length < ISOLATED_PATH && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

bool isolated_find(char path[ISOLATED_PATH])
{
    static const char here = 0; /* an address of the program or the library */
    char program[ISOLATED_PATH];
    Dl_info info;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    return find_near(program, path) ||
           (dladdr(&here, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/' &&
            find_near(info.dli_fname, path));
}

int isolated_process(const Isolated *reader)
{
    return (int)reader->child.process;
}

bool isolated_is_alive(const Isolated *reader)
{
    return reader != NULL && reader->owner == getpid() && reader->child.input >= 0;
}

void isolated_end(Isolated *reader)
{
    int status;
    if (isolated_is_alive(reader))
        child_end_talk(&reader->child, 0, &status);
    else if (reader != NULL && reader->child.input >= 0)
        close(reader->child.input);
    free(reader);
}

/* Ends the process after a failure, and says how it ended. Returns false. */
static bool report_end(Isolated *reader, bool nonsense, BillowError *error)
{
    const char *parser = kinds[reader->kind].parser;
    int status = 0;
    bool hangs = reader->late || reader->given_up || nonsense;
    bool known = child_end_talk(&reader->child, hangs ? 0 : 1, &status);
    int number = known && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (reader->given_up)
        return fail(error, "interrupted");
    if (reader->late)
        return fail(error, "%s takes more than %.4g s to read it", parser, reader->limits.answer);
    if (nonsense)
        return fail(error, "damaged: the answer of %s while reading it makes no sense", parser);
    if (known && WIFEXITED(status) && WEXITSTATUS(status) == ISOLATED_EXIT_MEMORY)
        return fail(error, "it needs more than %.4g MB of memory to read, or is damaged",
                    1e-6 * (double)reader->limits.memory);
    if (number == SIGXCPU)
        return fail(error, "%s takes more than %.4g s of processor time to read it", parser,
                    reader->limits.processor);
    if (!reader->greeted)
        return fail(error, "billow-reader, which reads such files, cannot be started (status %d)",
                    known ? status >> 8 : -1);
    if (number == SIGKILL)
        return fail(error, "%s was killed while reading it; systems that run out of memory do so",
                    parser);
    return fail(error, "damaged: %s ended while reading it%s%s", parser, number > 0 ? ": " : "",
                number > 0 ? english_words(strsignal, number) : "");
}

/* -- talking ----------------------------------------------------------------------------------- */

/* Whether to wait no longer. After a signal that ends the run an answer still gets a second, so
 * that the step can end as usual. */
static bool stops_waiting(Isolated *reader, double until)
{
    const double second = 1, now = clock_seconds();
    reader->late = !(now < until);
    reader->given_up = !reader->late && system_interrupted() && now > reader->asked + second;
    if (reader->given_up)
        system_give_up();
    return reader->late || reader->given_up;
}

/* Sends or receives all bytes. Neither waits beyond the time `until`, nor raises SIGPIPE. */
static bool move(Isolated *reader, bool sends, void *bytes, size_t count, double until)
{
    struct pollfd ready = {.fd = reader->child.input, .events = sends ? POLLOUT : POLLIN};
    for (char *at = bytes; count > 0;) {
        ssize_t moved = sends ? send(ready.fd, at, count, MSG_DONTWAIT | MSG_NOSIGNAL)
                              : recv(ready.fd, at, count, MSG_DONTWAIT);
        if (moved > 0) {
            at += moved;
            count -= (size_t)moved;
        } else if (moved == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            return false;
        } else {
            const int slice = 100; /* ms */
            if (stops_waiting(reader, until))
                return false;
            poll(&ready, 1, slice);
        }
    }
    return true;
}

static bool send_question(Isolated *reader, const IsolatedQuestion *question, double until)
{
    IsolatedHead head = {question->what, question->file,
                         (uint64_t)question->sizes[0] + question->sizes[1]};
    bool good = move(reader, true, &head, sizeof head, until);
    for (int part = 0; part < 2 && good; part++) {
        union { /* the bytes are only read */
            const void *given;
            void *taken;
        } bytes = {.given = question->parts[part]};
        good = move(reader, true, bytes.taken, question->sizes[part], until);
    }
    return good;
}

static bool receive_answer(Isolated *reader, void *answer, size_t size, double until,
                           BillowError *error)
{
    IsolatedHead head;
    if (!move(reader, false, &head, sizeof head, until))
        return report_end(reader, false, error);
    if (head.what == ISOLATED_REFUSED) {
        char text[sizeof error->text];
        if (head.bytes == 0 || head.bytes >= sizeof text)
            return report_end(reader, true, error);
        if (!move(reader, false, text, (size_t)head.bytes, until))
            return report_end(reader, false, error);
        text[head.bytes] = '\0';
        return fail(error, "%s", text);
    }
    if (head.what != ISOLATED_GOOD || head.bytes != size)
        return report_end(reader, true, error);
    return move(reader, false, answer, size, until) || report_end(reader, false, error);
}

bool isolated_ask(Isolated *reader, const IsolatedQuestion *question, void *answer, size_t size,
                  BillowError *error)
{
    if (!isolated_is_alive(reader))
        return fail(error, "the process that reads it has ended");
    reader->asked = clock_seconds();
    const double until = reader->asked + reader->limits.answer + question->more_seconds;
    if (!send_question(reader, question, until))
        return report_end(reader, false, error);
    return receive_answer(reader, answer, size, until, error);
}

Isolated *isolated_start(IsolatedKind kind, const IsolatedLimits *limits, BillowError *error)
{
    char path[ISOLATED_PATH], memory[32], processor[32];
    BillowError reason;
    const char *arguments[] = {path, kinds[kind].name, BILLOW_VERSION, memory, processor, NULL};
    Isolated *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        fail(error, "not enough memory to read it");
        return NULL;
    }
    *reader =
        (Isolated){.kind = kind, .limits = *limits, .owner = getpid(), .asked = clock_seconds()};
    snprintf(memory, sizeof memory, "%llu", (unsigned long long)limits->memory);
    snprintf(processor, sizeof processor, "%llu", (unsigned long long)ceil(limits->processor));
    bool good =
        isolated_find(path) || fail(error, "billow-reader, which reads such files, is not "
                                           "installed in libexec/billow, nor beside billow");
    if (good && !child_start_talk(&reader->child, arguments, &reason))
        good = fail(error, "%.300s cannot be started: %.150s", path, reason.text);
    if (!good) {
        free(reader);
        return NULL;
    }
    const double start_seconds = 120; /* to load its library from a slow disk */
    reader->greeted = receive_answer(reader, NULL, 0, clock_seconds() + start_seconds, error);
    if (reader->greeted)
        return reader;
    isolated_end(reader);
    return NULL;
}

bool isolated_open(Isolated *reader, const void *bytes, size_t length, IsolatedOpened *opened,
                   BillowError *error)
{
    const IsolatedQuestion question = {.what = ISOLATED_OPEN, .parts = {bytes}, .sizes = {length}};
    return isolated_ask(reader, &question, opened, sizeof *opened, error);
}

void isolated_close(Isolated *reader, uint32_t file)
{
    BillowError unused;
    const IsolatedQuestion question = {.what = ISOLATED_CLOSE, .file = file};
    if (isolated_is_alive(reader))
        isolated_ask(reader, &question, NULL, 0, &unused);
}
