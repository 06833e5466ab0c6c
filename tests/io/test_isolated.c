/* SPDX-License-Identifier: MIT
 * The process that reads files of strangers: its limits, its ends, and what it leaves in the
 * process that uses it. */
#define _GNU_SOURCE
#include "base/system.h"
#include "io/child.h"
#include "io/isolated.h"
#include "io/paths.h"
#include "io/vdb_file.h"
#include "reader/reader.h"
#include "volume_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/billow-test-isolated-XXXXXX";
static char *file_bytes;
static size_t file_length;

static int make_file(void **state)
{
    (void)state;
    VolumeFrame frame;
    BillowError error = {""};
    bool good =
        mkdtemp(folder) != NULL && chdir(folder) == 0 && volume_make(&frame, VOLUME_UP_Y, &error);
    frame.whole_floats = true;
    good = good && vdb_file_write("a.vdb", &frame, NULL, &error);
    volume_frame_destroy(&frame);
    file_bytes = good ? whole_file_read("a.vdb", 1 << 24, &file_length, &error) : NULL;
    return file_bytes != NULL ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    free(file_bytes);
    return unlink("a.vdb") == 0 && chdir("/") == 0 ? rmdir(folder) : -1;
}

static Isolated *start(const IsolatedLimits *limits)
{
    BillowError error = {""};
    Isolated *reader = isolated_start(ISOLATED_VDB, limits, &error);
    if (reader == NULL)
        fail_msg("%s", error.text);
    return reader;
}

static IsolatedOpened open_in(Isolated *reader)
{
    BillowError error = {""};
    IsolatedOpened opened;
    if (!isolated_open(reader, file_bytes, file_length, &opened, &error))
        fail_msg("%s", error.text);
    return opened;
}

/* Samples a cube, which takes seconds for an edge of 450. Returns the message; "": it was good. */
static const char *sample(Isolated *reader, uint32_t file, int edge)
{
    static BillowError error;
    const VdbLattice lattice = {
        .n = {edge, edge, edge}, .step = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}};
    const IsolatedQuestion question = {.what = ISOLATED_VDB_SAMPLE,
                                       .file = file,
                                       .parts = {&lattice, "density"},
                                       .sizes = {sizeof lattice, 7}};
    size_t bytes = (size_t)edge * (size_t)edge * (size_t)edge * sizeof(float);
    float *values = malloc(bytes);
    assert_non_null(values);
    error.text[0] = '\0';
    isolated_ask(reader, &question, values, bytes, &error);
    free(values);
    return error.text;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' lacks '%s'", text, part);
}

static void memory_has_a_limit(void **state)
{
    (void)state;
    IsolatedLimits limits = isolated_limits();
    limits.memory = 50 << 20;
    Isolated *reader = start(&limits);
    const IsolatedOpened opened = open_in(reader);
    assert_true(opened.peak > 1 << 20 && opened.peak < 500u << 20);
    assert_string_equal(sample(reader, opened.file, 4), "");
    assert_string_equal(sample(reader, opened.file, 250),
                        "it needs more than 52.43 MB of memory to read, or is damaged");
    assert_false(isolated_is_alive(reader));
    assert_has(sample(reader, opened.file, 4), "has ended");
    isolated_end(reader);
}

static void time_has_limits(void **state)
{
    (void)state;
    IsolatedLimits limits = isolated_limits();
    limits.processor = 1;
    Isolated *reader = start(&limits);
    assert_string_equal(sample(reader, open_in(reader).file, 300),
                        "OpenVDB takes more than 1 s of processor time to read it");
    isolated_end(reader);
    limits = isolated_limits();
    limits.answer = 1;
    reader = start(&limits);
    assert_string_equal(sample(reader, open_in(reader).file, 450),
                        "OpenVDB takes more than 1 s to read it");
    isolated_end(reader);
}

static void a_killed_reader_is_named(void **state)
{
    (void)state;
    const IsolatedLimits limits = isolated_limits();
    Isolated *reader = start(&limits);
    uint32_t file = open_in(reader).file;
    assert_int_equal(kill(isolated_process(reader), SIGSEGV), 0);
    assert_string_equal(sample(reader, file, 4),
                        "damaged: OpenVDB ended while reading it: Segmentation fault");
    isolated_end(reader);
    VdbFile *opened;
    BillowError error;
    reader = NULL; /* a kept one that has ended is replaced */
    for (int round = 0; round < 2; round++) {
        opened = vdb_file_read(file_bytes, file_length, &reader, &error);
        assert_non_null(opened);
        vdb_file_close(opened);
        assert_int_equal(kill(isolated_process(reader), SIGKILL), 0);
        assert_null(vdb_file_read("nothing", 7, &reader, &error));
        assert_has(error.text, "OpenVDB was killed while reading it");
    }
    isolated_end(reader);
}

static int open_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 1000; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

/* Neither processes nor descriptors are left, whatever the host does with its signals. */
static void nothing_is_left(void **state)
{
    (void)state;
    BillowError error = {""};
    struct sigaction before[2], after;
    int descriptors = open_descriptors();
    signal(SIGPIPE, SIG_DFL);
    for (int ignores = 0; ignores < 2; ignores++) {
        signal(SIGCHLD, ignores ? SIG_IGN : SIG_DFL);
        sigaction(SIGCHLD, NULL, &before[0]);
        sigaction(SIGPIPE, NULL, &before[1]);
        VdbFile *file = vdb_file_read(file_bytes, file_length, NULL, &error);
        if (file == NULL)
            fail_msg("%s", error.text);
        VdbGrid grid;
        assert_true(vdb_file_grid(file, "density", &grid));
        vdb_file_close(file);
        assert_null(vdb_file_read("nothing", 7, NULL, &error));
        assert_string_equal(error.text, "no OpenVDB file");
        sigaction(SIGCHLD, NULL, &after);
        assert_true(after.sa_handler == before[0].sa_handler);
        sigaction(SIGPIPE, NULL, &after);
        assert_true(after.sa_handler == before[1].sa_handler);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
        assert_int_equal(open_descriptors(), descriptors);
    }
    signal(SIGCHLD, SIG_DFL);
}

/* A reader in the midst of a computation ends when the process that uses it is killed. */
static void it_ends_with_a_killed_parent(void **state)
{
    (void)state;
#ifdef PR_SET_CHILD_SUBREAPER /* the reader becomes a child of this process, which sees its end */
    const struct timespec pause = {.tv_nsec = 100000000};
    const IsolatedLimits limits = isolated_limits();
    int ends[2], status;
    pid_t reader = 0, seen = 0;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        Isolated *busy = start(&limits);
        const uint32_t file = open_in(busy).file;
        reader = isolated_process(busy);
        if (write(ends[1], &reader, sizeof reader) == sizeof reader)
            sample(busy, file, 450);
        _exit(1);
    }
    assert_int_equal(read(ends[0], &reader, sizeof reader), sizeof reader);
    for (int wait = 0; wait < 5; wait++)
        nanosleep(&pause, NULL);
    assert_int_equal(waitpid(parent, NULL, WNOHANG), 0);
    assert_int_equal(kill(parent, SIGKILL), 0);
    assert_int_equal(waitpid(parent, NULL, 0), parent);
    for (int wait = 0; wait < 300 && seen == 0; wait++) {
        nanosleep(&pause, NULL);
        seen = waitpid(reader, &status, WNOHANG);
    }
    if (seen == 0)
        kill(reader, SIGKILL);
    assert_int_equal(seen, reader);
    assert_true(WIFEXITED(status));
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    close(ends[0]);
    close(ends[1]);
#endif
}

/* A signal that ends the run ends the wait for a long computation, and the reader. */
static void a_signal_ends_the_wait(void **state)
{
    (void)state;
    const IsolatedLimits limits = isolated_limits();
    int status;
    pid_t child = fork();
    if (child == 0) {
        system_watch_interrupts();
        Isolated *reader = start(&limits);
        const uint32_t file = open_in(reader).file;
        const pid_t helper = fork();
        if (helper == 0) {
            sleep(1);
            kill(getppid(), SIGTERM);
            _exit(0);
        }
        bool good = strcmp(sample(reader, file, 450), "interrupted") == 0 &&
                    !isolated_is_alive(reader) && waitpid(helper, NULL, 0) == helper;
        isolated_end(reader);
        _exit(good && waitpid(-1, NULL, WNOHANG) < 0 ? report_finish(STATUS_FAILED) : 99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + SIGTERM);
}

/* What a confined process can do, as bits: none of these. */
static int can_do(pid_t parent)
{
    int bits = 0, pipes[2];
    void *memory;
    bits |= open("/etc/passwd", O_RDONLY) >= 0 ? 1 : 0;
    bits |= malloc((size_t)100 << 20) != NULL ? 2 : 0;
    bits |= pipe(pipes) == 0 ? 4 : 0;
#ifdef __linux__
    bits |= socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM ? 8 : 0;
    bits |= kill(parent, 0) == 0 || errno != EPERM ? 16 : 0;
    memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bits |= memory != MAP_FAILED || errno != EPERM ? 32 : 0;
    bits |= fork() >= 0 || errno != EPERM ? 64 : 0;
    bits |= execl("/bin/true", "true", (char *)NULL) != -1 || errno != EPERM ? 128 : 0;
#else
    (void)memory, (void)parent;
#endif
    return bits;
}

/* Alone it says what it is; for another version it reads nothing. */
static void it_serves_its_own_version(void **state)
{
    (void)state;
    char path[ISOLATED_PATH], line[ISOLATED_PATH + 16], text[512] = "";
    assert_true(isolated_find(path));
    snprintf(line, sizeof line, "'%s' 2>&1", path);
    FILE *stream = popen(line, "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    assert_int_equal(WEXITSTATUS(pclose(stream)), 2);
    assert_has(text, "billow-reader: reads files for billow and libbillow_scene");

    Child child;
    IsolatedHead head;
    BillowError error;
    int status;
    const char *const arguments[] = {path, "vdb", "0.0.0", "64000000", "10", NULL};
    assert_true(child_start_talk(&child, arguments, &error));
    assert_int_equal(recv(child.input, &head, sizeof head, MSG_WAITALL), sizeof head);
    assert_int_equal(head.what, ISOLATED_REFUSED);
    assert_true(head.bytes < sizeof text);
    assert_int_equal(recv(child.input, text, head.bytes, MSG_WAITALL), head.bytes);
    assert_has(text, "billow-reader is of another version, ");
    assert_true(child_end_talk(&child, 10, &status));
}

static void it_can_do_nothing_but_compute(void **state)
{
    (void)state;
    int status;
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        _exit(reader_confine(50 << 20, 10) ? can_do(parent) : 255);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(time_has_limits),
        cmocka_unit_test(a_killed_reader_is_named),
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(it_ends_with_a_killed_parent),
        cmocka_unit_test(a_signal_ends_the_wait),
        cmocka_unit_test(it_serves_its_own_version),
        cmocka_unit_test(it_can_do_nothing_but_compute),
    };
    return cmocka_run_group_tests(tests, make_file, leave);
}
