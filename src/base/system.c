/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#elif !defined(_WIN32)
#define _DEFAULT_SOURCE
#endif
#include "system.h"

#include "fail.h"
#include "host.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <direct.h>
#include <io.h>
#define isatty _isatty
#define fileno _fileno
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

bool system_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

static int make_folder(const char *path)
{
#ifdef _WIN32
    return _mkdir(path);
#else
    return mkdir(path, 0777);
#endif
}

bool system_make_folder(const char *path, BillowError *error)
{
    /* A file of that name is noticed later, when something is written into the folder. */
    return make_folder(path) == 0 || errno == EEXIST ||
           fail(error, "%.300s: the folder cannot be made: %s", path, strerror(errno));
}

bool system_interrupted(void)
{
    return host_signal() != 0;
}

bool system_terminated(void)
{
    return host_signal() == SIGTERM;
}

static void note_interrupt(int number)
{
    host_note_signal(number);
    signal(number, SIG_DFL);
}

#ifdef _WIN32
void system_prepare_streams(void)
{
}

bool system_check_stack(char *const *arguments, BillowError *error)
{
    (void)arguments, (void)error;
    return true;
}

void system_restart_with(const char *name, const char *value, char *const *arguments)
{
    (void)name, (void)value, (void)arguments;
}

void system_hush_graphics(void)
{
}

void system_watch_interrupts(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}
#else
void system_prepare_streams(void)
{
    signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) == -1) {
            /* Opened in the wrong direction, so that its use fails as on a closed stream. */
            int opened = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
            if (opened != stream && opened >= 0)
                close(opened);
        }
}

/* Stack, bytes. Scenes lie on it, and shader compilers need a deep one. STACK_LEAST is twice what
 * is needed; STACK_USUAL is the usual limit of the system. */
enum { STACK_LEAST = 1 << 20, STACK_USUAL = 8 << 20 };

/* Returns only on failure. */
static void start_again(char *const *arguments)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 || (size_t)length >= sizeof path - 1)
        return;
    path[length] = 0;
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
        start_again(arguments);
    return fail(
        error,
        "the stack is limited to %.0f kB, and %d kB are needed; 'ulimit -s %d' in the shell "
        "raises the limit",
        (double)given / 1024, STACK_LEAST / 1024, STACK_USUAL / 1024);
}

void system_watch_interrupts(void)
{
    struct sigaction action = {.sa_handler = note_interrupt};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* Whether files can be written into a folder, or the folder can be created. */
static bool can_keep(const char *parent, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%s", parent, name);
    return length > 0 && (size_t)length < sizeof path &&
           (access(path, W_OK) == 0 || (errno == ENOENT && access(parent, W_OK) == 0));
}

/* Mesa keeps compiled shaders on disk and prints a warning where it cannot. */
static void hush_shader_cache(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL ? !can_keep(cache, "") : home != NULL && !can_keep(home, "/.cache"))
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

void system_hush_graphics(void)
{
    hush_shader_cache();
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    setenv("LIBGL_DEBUG", "quiet", 0);
    /* libwayland warns where the variable is unset. Any folder will do: a missing socket is silent.
     */
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
        start_again(arguments);
    unsetenv(guard);
}
#endif

int system_cores(void)
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

void system_cpu_name(char *text, size_t size)
{
    if (!host_read_line("/proc/cpuinfo", "model name", text, size))
        snprintf(text, size, "unknown");
}

uint64_t system_cache(void)
{
    /* The C library's figure comes second: it adds up caches that no single core reaches. */
    for (int level = 3; level >= 2; level--) {
        char path[64], text[32], *unit;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
        if (!host_read_line(path, "", text, sizeof text))
            continue;
        uint64_t size = strtoull(text, &unit, 10);
        return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : size;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (uint64_t)bytes : 0;
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
    uint64_t bytes = host_read_number("/proc/self/status", "VmHWM") * 1024;
#ifndef _WIN32
    struct rusage usage;
    if (bytes == 0 && getrusage(RUSAGE_SELF, &usage) == 0)
        bytes = (uint64_t)usage.ru_maxrss * 1024;
#endif
    return bytes;
}
