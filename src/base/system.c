/* SPDX-License-Identifier: MIT
 *
 * The program and its operating system, on Linux and other POSIX systems. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#else
#define _DEFAULT_SOURCE
#endif
#include "base/system.h"

#include "base/clock.h"
#include "base/fail.h"
#include "base/number.h"
#include "base/process_limits.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

/* -- files and streams ------------------------------------------------------------------------- */

bool system_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

void system_prepare_streams(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) == -1) {
            /* In the wrong direction, so that reads and writes fail as on a closed stream. */
            int opened = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
            if (opened != stream && opened >= 0)
                close(opened);
        }
}

const char *system_write_reason(int reason)
{
    struct rlimit limit;
    bool limited =
        reason == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? "the file would be larger than 'ulimit -f' allows" : english_error(reason);
}

static char *module_words(int unused)
{
    (void)unused;
    return dlerror();
}

const char *system_module_reason(void)
{
    const char *reason = english_words(module_words, 0);
    return reason != NULL ? reason : "it belongs to another version";
}

bool system_make_folder(const char *path, BillowError *error)
{
    /* EEXIST may mean that the path is a file. Writing into the folder then fails later. */
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           fail(error, "%.300s: the folder cannot be created: %s", path, english_error(errno));
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Returns the number after key in the first line that starts with key; 0 if there is none. */
static uint64_t read_number(const char *path, const char *key)
{
    char text[64];
    return process_limits_line(path, key, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

uint64_t system_memory(void)
{
    return read_number("/proc/meminfo", "MemTotal") * 1024;
}

uint64_t system_memory_available(void)
{
    double left = process_limits_read("").memory_left;
    return isfinite(left) ? (uint64_t)fmax(left, 1) : 0;
}

bool system_check_memory(double bytes, const char *what, const char *advice, BillowError *error)
{
    double available = (double)system_memory_available();
    return available == 0 || bytes <= available ||
           fail(error, "%s needs %.2f GB of memory and %.2f GB are available; try %s", what,
                1e-9 * bytes, 1e-9 * available, advice);
}

void system_reset_peak_memory(void)
{
    FILE *stream = fopen("/proc/self/clear_refs", "w");
    if (stream != NULL) {
        fputs("5", stream);
        fclose(stream);
    }
}

uint64_t system_peak_memory(void)
{
    uint64_t bytes = read_number("/proc/self/status", "VmHWM") * 1024;
    struct rusage usage;
    if (bytes == 0 && getrusage(RUSAGE_SELF, &usage) == 0)
        bytes = (uint64_t)usage.ru_maxrss * 1024;
    return bytes;
}

/* -- processor --------------------------------------------------------------------------------- */

int system_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
#ifdef _SC_NPROCESSORS_ONLN
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count > 0)
        return (int)count;
#endif
    return 1;
}

int system_cores(void)
{
    return process_limits_threads(system_processors(), process_limits_read("").cores);
}

void system_cpu_name(char *text, size_t size)
{
    if (!process_limits_line("/proc/cpuinfo", "model name", text, size))
        snprintf(text, size, "unknown");
}

uint64_t system_cache(void)
{
    /* sysconf may add up the caches of all cores: a fallback, up to what cores share. */
    for (int level = 3; level >= 2; level--) {
        char path[64], text[32], *unit;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
        if (!process_limits_line(path, "", text, sizeof text))
            continue;
        uint64_t size = strtoull(text, &unit, 10);
        return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : size;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE), shared = 64l << 20;
    return bytes > shared ? (uint64_t)shared : bytes > 0 ? (uint64_t)bytes : 0;
#else
    return 0;
#endif
}

double system_processor_seconds(void)
{
#ifdef CLOCK_PROCESS_CPUTIME_ID
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0)
        return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
#endif
    return (double)NAN;
}

/* -- signals ----------------------------------------------------------------------------------- */

/* Number of the last signal that ends the run, and whether SIGUSR2 has come; 0 = none. Threads read
 * them as well. */
static _Atomic(sig_atomic_t) last_signal, checkpoint_asked;

/* SIGHUP comes twice when a terminal closes, from the kernel and from the shell. SIGXCPU comes
 * every second. Neither ends the process the second time. */
static void note_interrupt(int number)
{
    last_signal = number;
    if (number != SIGHUP && number != SIGXCPU)
        signal(number, SIG_DFL);
}

static void note_checkpoint(int number)
{
    checkpoint_asked = number;
}

/* Lets SIGXCPU come before the end. The shell's 'ulimit -t' sets both limits to the same time, at
 * which the system kills the process. A tenth of it is left for the last step and checkpoint. */
static void leave_time_to_end(void)
{
    const rlim_t most = 60; /* s */
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ||
        limit.rlim_cur < limit.rlim_max || limit.rlim_max < 2)
        return;
    rlim_t rest = limit.rlim_max / 10;
    limit.rlim_cur -= rest < 1 ? 1 : rest > most ? most : rest;
    (void)setrlimit(RLIMIT_CPU, &limit);
}

static void watch(int number, void (*handler)(int))
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void system_watch_checkpoints(void)
{
    watch(SIGUSR2, note_checkpoint);
}

void system_watch_interrupts(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        watch(numbers[n], note_interrupt);
    leave_time_to_end();
}

bool system_interrupted(void)
{
    return last_signal != 0;
}

static atomic_bool gave_up;

void system_give_up(void)
{
    gave_up = true;
}

bool system_checkpoint_asked(void)
{
    bool asked = checkpoint_asked != 0;
    checkpoint_asked = 0;
    return asked;
}

/* -- secrets ----------------------------------------------------------------------------------- */

/* Removes the spaces and the line's end around a text. */
static void trim(char *text)
{
    const char *blank = " \t\r\n";
    size_t first = strspn(text, blank), count = strlen(text + first);
    while (count > 0 && strchr(blank, text[first + count - 1]) != NULL)
        count--;
    memmove(text, text + first, count);
    text[count] = 0;
}

/* Reads a line that is typed and not shown. */
static bool ask(const char *prompt, char *text, size_t room)
{
    struct pollfd typed = {.fd = STDIN_FILENO, .events = POLLIN};
    struct termios before, hidden;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return false;
    hidden = before;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    fprintf(stderr, "%s", prompt);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    /* A signal interrupts poll, and the mode of the terminal is restored. */
    bool came = poll(&typed, 1, -1) == 1 && fgets(text, (int)room, stdin) != NULL;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
    fprintf(stderr, "\n");
    return came;
}

bool system_read_secret(const char *path, const char *prompt, char *text, size_t room,
                        BillowError *error)
{
    const bool input = path == NULL || strcmp(path, "-") == 0;
    FILE *stream = input ? stdin : fopen(path, "re");
    if (stream == NULL)
        return fail(error, "%.300s: %s", path, english_error(errno));
    text[0] = 0;
    bool came = path == NULL ? ask(prompt, text, room) : fgets(text, (int)room, stream) != NULL;
    if (!input)
        fclose(stream);
    trim(text);
    if (system_interrupted())
        return fail(error, "interrupted");
    return (came && text[0] != 0) ||
           fail(error, "%.300s: there is no line in it", input ? "standard input" : path);
}

bool system_write_secret(const char *path, const char *text, BillowError *error)
{
    struct stat found;
    if (strcmp(path, "-") == 0) {
        printf("%s\n", text);
        return fflush(stdout) == 0 || fail(error, "standard output: %s", english_error(errno));
    }
    /* A file that is there may be open, or another's to read. Devices and pipes stay. */
    const bool stays = lstat(path, &found) == 0 && !S_ISREG(found.st_mode);
    if (!stays)
        unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (stays ? 0 : O_EXCL), S_IRUSR | S_IWUSR);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (stream == NULL) {
        fail(error, "%.300s: %s", path, english_error(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    bool written = fprintf(stream, "%s\n", text) > 0;
    return (fclose(stream) == 0 && written) ||
           fail(error, "%.300s: %s", path, english_error(errno));
}

/* -- start ------------------------------------------------------------------------------------- */

/* Stack limits, bytes. Scene structures are on the stack, and shader compilers need a large one.
 * STACK_LEAST is twice what the program needs. STACK_USUAL is the common default of systems. */
enum { STACK_LEAST = 1 << 20, STACK_USUAL = 8 << 20 };

bool system_find_program(char path[SYSTEM_PATH])
{
    ssize_t length = readlink("/proc/self/exe", path, SYSTEM_PATH - 1);
    if (length <= 0 || length >= SYSTEM_PATH - 1)
        return false;
    path[length] = 0;
    return true;
}

bool system_find_folder(const char *name, char path[SYSTEM_PATH])
{
    static const char *const places[] = {"../share/billow/", "../"};
    char program[SYSTEM_PATH];
    if (!system_find_program(program))
        return false;
    int folder = (int)(strrchr(program, '/') + 1 - program);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        struct stat found;
        int length = snprintf(path, SYSTEM_PATH, "%.*s%s%s", folder, program, places[p], name);
        if (length < SYSTEM_PATH && stat(path, &found) == 0 && S_ISDIR(found.st_mode))
            return true;
    }
    return false;
}

/* Replaces this process by a new run of the program. Returns only on failure. */
static void restart(char *const *arguments)
{
    char path[SYSTEM_PATH];
    if (system_find_program(path))
        execv(path, arguments);
}

bool system_check_stack(char *const *arguments, BillowError *error)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= STACK_LEAST)
        return true;
    const rlim_t given = limit.rlim_cur;
    bool may = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= STACK_LEAST;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= STACK_USUAL
                         ? STACK_USUAL
                         : limit.rlim_max;
    if (may && setrlimit(RLIMIT_STACK, &limit) == 0)
        restart(arguments);
    return fail(
        error,
        "the stack is limited to %.0f kB, and %d kB are needed; 'ulimit -s %d' in the shell "
        "raises the limit",
        (double)given / 1024, STACK_LEAST / 1024, STACK_USUAL / 1024);
}

/* Whether the folder parent/name is writable or can be created. */
static bool can_write(const char *parent, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%s", parent, name);
    return length > 0 && (size_t)length < sizeof path &&
           (access(path, W_OK) == 0 || (errno == ENOENT && access(parent, W_OK) == 0));
}

void system_hush_graphics(void)
{
    /* Mesa prints a warning if the folder of its shader cache is not writable. */
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL ? !can_write(cache, "") : home != NULL && !can_write(home, "/.cache"))
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    setenv("LIBGL_DEBUG", "quiet", 0);
    /* libwayland prints a warning if XDG_RUNTIME_DIR is unset, but none if that folder has no
     * socket. */
    if (getenv("WAYLAND_DISPLAY") == NULL)
        setenv("XDG_RUNTIME_DIR", "/", 0);
}

void system_restart_with(const char *name, const char *value, char *const *arguments)
{
    static const char guard[] = "BILLOW_RESTARTED";
    if (getenv(guard) != NULL) {
        unsetenv(guard);
        return;
    }
    if (getenv(name) == NULL && setenv(name, value, 0) == 0 && setenv(guard, "1", 1) == 0)
        restart(arguments);
    unsetenv(guard);
}

/* -- messages ---------------------------------------------------------------------------------- */

static bool hushed; /* whether this process prints nothing */

void system_hush_messages(void)
{
    hushed = true;
    if (freopen("/dev/null", "w", stdout) == NULL)
        fclose(stdout);
}

static void print_line(const char *text)
{
    if (hushed)
        return;
    char line[sizeof((BillowError *)0)->text];
    snprintf(line, sizeof line, "%s", text);
    mask_text(line);
    fprintf(stderr, "billow: %s\n", line);
}

void report_notice(const BillowError *notice)
{
    print_line(notice->text);
}

Status status_fail(Status status, BillowError *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    number_vprint(error->text, sizeof error->text, format, values);
    va_end(values);
    mask_text(error->text);
    return status;
}

void report_status(Status status, const BillowError *error)
{
    if (status == STATUS_INTERRUPTED && error->text[0] == 0)
        print_line("interrupted");
    else if (status != STATUS_DONE && error->text[0] != 0)
        print_line(error->text);
}

int report_finish(Status status)
{
    errno = 0;
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (status == STATUS_FAILED && gave_up)
        status = STATUS_INTERRUPTED;
    if (status == STATUS_INTERRUPTED && last_signal != 0 && last_signal != SIGUSR1)
        return 128 + last_signal;
    if (written || status != STATUS_DONE)
        return status;
    BillowError error;
    snprintf(error.text, sizeof error.text, "standard output: %s",
             errno != 0 ? system_write_reason(errno) : "could not be written");
    report_status(STATUS_FAILED, &error);
    return STATUS_FAILED;
}

void report_bytes(double bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    while (bytes >= 999.5 && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    number_print(text, size, "%.*f %s", unit > 0 && bytes < 9.95 ? 1 : 0, bytes, units[unit]);
}

static bool progress_wanted;

void system_show_progress(void)
{
    progress_wanted = true;
}

Progress progress_start(bool quiet)
{
    const bool terminal = system_is_terminal(stderr);
    return (Progress){.shown = !quiet && !hushed && (terminal || progress_wanted),
                      .lines = !terminal,
                      .start = clock_seconds(),
                      .last = -1e9};
}

void progress_update(Progress *progress, const char *what, int done, int total)
{
    double now = clock_seconds();
    if (!progress->shown || now - progress->last < 0.1)
        return;
    progress->last = now;
    fprintf(stderr, "%s%s %d of %d", progress->lines ? "" : "\r", what, done, total);
    if (done > 0) {
        double left = (now - progress->start) * (total - done) / done;
        fprintf(stderr, ", %d:%02d left", (int)(left / 60), (int)left % 60);
    }
    fprintf(stderr, progress->lines ? "\n" : "\033[K");
    fflush(stderr);
}

void progress_end(Progress *progress)
{
    if (progress->shown && progress->last > 0 && !progress->lines)
        fprintf(stderr, "\r\033[K");
}
