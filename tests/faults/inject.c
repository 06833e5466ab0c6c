/* SPDX-License-Identifier: MIT
 * Counts calls and makes them fail, for the C library. See inject.h. */
#define _GNU_SOURCE
#include "inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static FaultRecord *record;
static FaultClass wanted = FAULT_CLASSES;
static uint64_t wanted_call;
static bool onward;
extern const char __executable_start[]; /* the linker's */

void *__real_malloc(size_t size);
void __real_free(void *memory);
int __real_open(const char *path, int flags, ...);
int __real_close(int descriptor);

/* Dear ImGui asks this instead of the wrapped malloc. */
static void *plain_malloc(size_t size, void *user)
{
    (void)user;
    return __real_malloc(size);
}

static void plain_free(void *memory, void *user)
{
    (void)user;
    free(memory);
}

__attribute__((weak)) void
imgui_set_allocators(void *(*allocate)(size_t, void *), void (*release)(void *, void *),
                     void *user) __asm__("_ZN5ImGui21SetAllocatorFunctionsEPFPvmS0_EPFvS0_S0_ES0_");

static void read_wanted(const char *text)
{
    const char *colon = text != NULL ? strchr(text, ':') : NULL;
    if (colon == NULL)
        return;
    for (int class = 0; class < FAULT_CLASSES; class ++)
        if (strlen(fault_class_names[class]) == (size_t)(colon - text) &&
            strncmp(text, fault_class_names[class], (size_t)(colon - text)) == 0)
            wanted = (FaultClass) class;
    wanted_call = strtoull(colon + 1, NULL, 10);
    onward = strchr(colon, '+') != NULL;
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("BILLOW_FAULTS");
    int descriptor = path != NULL ? __real_open(path, O_RDWR | O_CLOEXEC) : -1;
    if (imgui_set_allocators != NULL)
        imgui_set_allocators(plain_malloc, plain_free, NULL);
    if (descriptor < 0)
        return;
    void *memory = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    __real_close(descriptor);
    if (memory == MAP_FAILED)
        return;
    record = memory;
    record->descriptors = -1;
    read_wanted(getenv("BILLOW_FAULT"));
}

__attribute__((destructor)) static void finish(void)
{
    if (record == NULL)
        return;
    int open_ones = 0;
    for (int descriptor = 0; descriptor < 256; descriptor++)
        open_ones += syscall(SYS_fcntl, descriptor, F_GETFD) != -1;
    record->descriptors = open_ones;
}

bool fault_strikes(FaultClass class, const char *name, const void *caller)
{
    if (record == NULL)
        return false;
    uint64_t call = atomic_fetch_add((_Atomic uint64_t *)&record->calls[class], 1) + 1;
    uint64_t site = (uint64_t)((const char *)caller - __executable_start);
    if (call <= FAULT_SITES_MAX)
        record->sites[class][call - 1] = (uint32_t)site;
    if (class != wanted || (onward ? call < wanted_call : call != wanted_call))
        return false;
    record->struck++;
    record->address = site;
    strncpy(record->name, name, sizeof record->name - 1);
    return true;
}

/* -- memory */
FAULTY(FAULT_MEMORY, void *, malloc, (size_t size), (size), errno = ENOMEM; return NULL)
FAULTY(FAULT_MEMORY, void *, calloc, (size_t count, size_t size), (count, size), errno = ENOMEM;
       return NULL)
FAULTY(FAULT_MEMORY, void *, realloc, (void *memory, size_t size), (memory, size), errno = ENOMEM;
       return NULL)
FAULTY(FAULT_MEMORY, void *, _ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag),
       return NULL)

FAULTY(FAULT_MEMORY, FILE *, open_memstream, (char **text, size_t *length), (text, length),
       errno = ENOMEM;
       return NULL)

/* -- files and folders */
FAULTY(FAULT_OPEN, FILE *, fopen, (const char *path, const char *mode), (path, mode),
       errno = EMFILE;
       return NULL)
FAULTY(FAULT_OPEN, FILE *, fdopen, (int descriptor, const char *mode), (descriptor, mode),
       errno = ENOMEM;
       return NULL)
FAULTY(FAULT_OPEN, FILE *, tmpfile, (void), (), errno = EMFILE; return NULL)
FAULTY(FAULT_OPEN, DIR *, opendir, (const char *path), (path), errno = EMFILE; return NULL)
FAULTY(FAULT_OPEN, int, mkdir, (const char *path, mode_t mode), (path, mode), errno = ENOSPC;
       return -1)
FAULTY(FAULT_OPEN, int, stat, (const char *path, struct stat *status), (path, status), errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, int, lstat, (const char *path, struct stat *status), (path, status), errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, int, fstat, (int descriptor, struct stat *status), (descriptor, status),
       errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, int, fstatat, (int at, const char *path, struct stat *status, int flags),
       (at, path, status, flags), errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, int, flock, (int descriptor, int how), (descriptor, how), errno = ENOLCK;
       return -1)
FAULTY(FAULT_OPEN, int, access, (const char *path, int mode), (path, mode), errno = EIO; return -1)
FAULTY(FAULT_OPEN, int, faccessat, (int at, const char *path, int mode, int flags),
       (at, path, mode, flags), errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, ssize_t, readlink, (const char *path, char *target, size_t size),
       (path, target, size), errno = EIO;
       return -1)
FAULTY(FAULT_OPEN, char *, realpath, (const char *path, char *whole), (path, whole), errno = ENOMEM;
       return NULL)
FAULTY(FAULT_OPEN, int, fchmod, (int descriptor, mode_t mode), (descriptor, mode), errno = EPERM;
       return -1)
FAULTY(FAULT_READ, ssize_t, read, (int descriptor, void *bytes, size_t count),
       (descriptor, bytes, count), errno = EIO;
       return -1)
FAULTY(FAULT_READ, struct dirent *, readdir, (DIR * folder), (folder), errno = EIO; return NULL)

int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (fault_strikes(FAULT_OPEN, "open", FAULT_CALLER)) {
        errno = ENOSPC;
        return -1;
    }
    return __real_open(path, flags, mode);
}

/* -- streams: the descriptor below is exchanged, so that the stream fails as streams do, when its
 * buffer is full or flushed, and says so by ferror() ever after. */
static void exchange(FILE *stream, const char *path, int flags)
{
    int descriptor = __real_open(path, flags | O_CLOEXEC);
    if (descriptor >= 0 && fileno(stream) >= 0)
        dup2(descriptor, fileno(stream));
    __real_close(descriptor);
}

static void break_reading(FILE *stream, const char *name, const void *caller)
{
    if (fault_strikes(FAULT_READ, name, caller))
        exchange(stream, "/proc/self/mem", O_RDONLY); /* at address 0: EIO */
}

static void fill_disk(FILE *stream, const char *name, const void *caller)
{
    /* A message has to come out somewhere. */
    if (stream != stderr && fault_strikes(FAULT_WRITE, name, caller))
        exchange(stream, "/dev/full", O_WRONLY);
}

size_t __real_fread(void *bytes, size_t size, size_t count, FILE *stream);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *stream);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *stream)
{
    break_reading(stream, "fread", FAULT_CALLER);
    return __real_fread(bytes, size, count, stream);
}

int __real_fgetc(FILE *stream);
int __wrap_fgetc(FILE *stream);
int __wrap_fgetc(FILE *stream)
{
    break_reading(stream, "fgetc", FAULT_CALLER);
    return __real_fgetc(stream);
}

char *__real_fgets(char *text, int size, FILE *stream);
char *__wrap_fgets(char *text, int size, FILE *stream);
char *__wrap_fgets(char *text, int size, FILE *stream)
{
    break_reading(stream, "fgets", FAULT_CALLER);
    return __real_fgets(text, size, stream);
}

size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *stream);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *stream);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    fill_disk(stream, "fwrite", FAULT_CALLER);
    return __real_fwrite(bytes, size, count, stream);
}

int __real_fputs(const char *text, FILE *stream);
int __wrap_fputs(const char *text, FILE *stream);
int __wrap_fputs(const char *text, FILE *stream)
{
    fill_disk(stream, "fputs", FAULT_CALLER);
    return __real_fputs(text, stream);
}

int __real_fputc(int letter, FILE *stream);
int __wrap_fputc(int letter, FILE *stream);
int __wrap_fputc(int letter, FILE *stream)
{
    fill_disk(stream, "fputc", FAULT_CALLER);
    return __real_fputc(letter, stream);
}

int __real_putc(int letter, FILE *stream);
int __wrap_putc(int letter, FILE *stream);
int __wrap_putc(int letter, FILE *stream)
{
    fill_disk(stream, "putc", FAULT_CALLER);
    return __real_putc(letter, stream);
}

int __real_puts(const char *text);
int __wrap_puts(const char *text);
int __wrap_puts(const char *text)
{
    fill_disk(stdout, "puts", FAULT_CALLER);
    return __real_puts(text);
}

int __real_putchar(int letter);
int __wrap_putchar(int letter);
int __wrap_putchar(int letter)
{
    fill_disk(stdout, "putchar", FAULT_CALLER);
    return __real_putchar(letter);
}

int __wrap_fprintf(FILE *stream, const char *format, ...);
int __wrap_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_disk(stream, "fprintf", FAULT_CALLER);
    int written = vfprintf(stream, format, arguments);
    va_end(arguments);
    return written;
}

int __wrap_printf(const char *format, ...);
int __wrap_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_disk(stdout, "printf", FAULT_CALLER);
    int written = vprintf(format, arguments);
    va_end(arguments);
    return written;
}

/* -- calls that report an error at the end; they still act, like a disk that loses data */
FAULTY(FAULT_CLOSE, int, fsync, (int descriptor), (descriptor), __real_fsync(descriptor);
       errno = EIO; return -1)
FAULTY(FAULT_CLOSE, int, fclose, (FILE * stream), (stream), __real_fclose(stream); errno = EIO;
       return EOF)
FAULTY(FAULT_CLOSE, int, fflush, (FILE * stream), (stream), __real_fflush(stream); errno = EIO;
       return EOF)
FAULTY(FAULT_CLOSE, int, rename, (const char *from, const char *to), (from, to), errno = EIO;
       return -1)
FAULTY(FAULT_CLOSE, int, link, (const char *from, const char *to), (from, to), errno = EIO;
       return -1)
FAULTY(FAULT_CLOSE, int, fseeko, (FILE * stream, off_t place, int origin), (stream, place, origin),
       errno = EIO;
       return -1)
FAULTY(FAULT_REMOVE, int, unlink, (const char *path), (path), errno = EIO; return -1)
FAULTY(FAULT_REMOVE, int, remove, (const char *path), (path), errno = EIO; return -1)

int __wrap_close(int descriptor);
int __wrap_close(int descriptor)
{
    bool struck = fault_strikes(FAULT_CLOSE, "close", FAULT_CALLER);
    int result = __real_close(descriptor);
    if (struck)
        errno = EIO;
    return struck ? -1 : result;
}

/* -- children */
FAULTY(FAULT_CHILD, int, pipe, (int *ends), (ends), errno = EMFILE; return -1)
FAULTY(FAULT_CHILD, int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions),
       (actions), return ENOMEM)
FAULTY(FAULT_CHILD, int, posix_spawn_file_actions_adddup2,
       (posix_spawn_file_actions_t * actions, int from, int to), (actions, from, to), return ENOMEM)
FAULTY(FAULT_CHILD, int, posix_spawn_file_actions_addopen,
       (posix_spawn_file_actions_t * actions, int to, const char *path, int flags, mode_t mode),
       (actions, to, path, flags, mode), return ENOMEM)
FAULTY(FAULT_CHILD, int, posix_spawnattr_init, (posix_spawnattr_t * attributes), (attributes),
       return ENOMEM)
FAULTY(FAULT_CHILD, int, posix_spawnp,
       (pid_t * child, const char *file, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment),
       (child, file, actions, attributes, arguments, environment), return EAGAIN)
FAULTY(FAULT_CHILD, pid_t, waitpid, (pid_t child, int *status, int options),
       (child, status, options), __real_waitpid(child, status, options);
       *status = 0; errno = ECHILD; return -1)
FAULTY(FAULT_CHILD, ssize_t, write, (int descriptor, const void *bytes, size_t count),
       (descriptor, bytes, count), errno = EPIPE;
       return -1)
FAULTY(FAULT_CHILD, int, fcntl, (int descriptor, int command, long argument),
       (descriptor, command, argument), errno = EINVAL;
       return -1)
FAULTY(FAULT_CHILD, int, execv, (const char *path, char *const *arguments), (path, arguments),
       errno = ENOMEM;
       return -1)

/* -- the clock */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = __real_clock_gettime(clock, now);
    if (fault_strikes(FAULT_CLOCK, "clock_gettime", FAULT_CALLER))
        now->tv_sec += wanted_call % 2 == 1 ? 3600 : -3600;
    return result;
}
