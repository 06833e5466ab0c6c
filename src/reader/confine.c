/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* syscall */
#include "reader/reader.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* -- system calls ------------------------------------------------------------------------------ */

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) &&                         \
    !defined(BILLOW_SANITIZED)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define LOW_HALF(index) (offsetof(struct seccomp_data, args) + 8 * (index)) /* little-endian */

#define LOAD(at)     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(at))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
/* Skips the next instruction, or the next two, unless what was loaded is `value`. */
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, skipped)
#define ALLOW(call)            UNLESS(SYS_##call, 1), RETURN(SECCOMP_RET_ALLOW)
#define DENY(number)           RETURN(SECCOMP_RET_ERRNO | (number))
/* A call that is allowed if no bit of `bits` is set in an argument. */
#define ALLOW_WITHOUT(call, index, bits)                                                           \
    UNLESS(SYS_##call, 4), LOAD(LOW_HALF(index)),                                                  \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), DENY(EPERM), RETURN(SECCOMP_RET_ALLOW)
/* A call that is allowed if an argument has a value. */
#define ALLOW_WITH(call, index, value)                                                             \
    UNLESS(SYS_##call, 4), LOAD(LOW_HALF(index)), UNLESS(value, 1), RETURN(SECCOMP_RET_ALLOW),     \
        DENY(EPERM)

/* Lets all threads call only what reading a socket, computing with threads and ending need. Kernels
 * without filters go on without. */
static void limit_calls(void)
{
    const uint32_t self = (uint32_t)getpid();
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        UNLESS(ARCHITECTURE, 1),
        BPF_STMT(BPF_JMP | BPF_JA, 1),
        RETURN(SECCOMP_RET_KILL),
        LOAD(offsetof(struct seccomp_data, nr)),
        ALLOW(read),
        ALLOW(write),
        ALLOW(pread64),
        ALLOW(close),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(brk),
        ALLOW(madvise),
        ALLOW(futex),
        ALLOW(exit),
        ALLOW(exit_group),
        ALLOW(sched_yield),
        ALLOW(sched_getaffinity),
        ALLOW(clock_gettime),
        ALLOW(clock_nanosleep),
        ALLOW(nanosleep),
        ALLOW(gettid),
        ALLOW(getpid),
        ALLOW(getppid),
        ALLOW(getrandom),
        ALLOW(rt_sigreturn),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigaction),
        ALLOW(sigaltstack),
        ALLOW(set_robust_list),
        ALLOW(restart_syscall),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
#ifdef SYS_clone3 /* whose arguments a filter cannot see; the C library then calls clone */
        UNLESS(SYS_clone3, 1),
        DENY(ENOSYS),
#endif
        /* The calls with conditions end the program of the filter, as they load an argument. */
        UNLESS(SYS_clone, 4),
        LOAD(LOW_HALF(0)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        DENY(EPERM),
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        ALLOW_WITH(tgkill, 0, self), /* of abort */
        DENY(EPERM),
    };
    const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

#else

static void limit_calls(void)
{
}

#endif

/* -- resources --------------------------------------------------------------------------------- */

/* Address space of this process, bytes; 0 if unknown. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (stream == NULL)
        return 0;
    if (fscanf(stream, "%llu", &pages) != 1)
        pages = 0;
    fclose(stream);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Lowers a limit, which may be lower already. beyond: how much later it is enforced by SIGKILL. */
static bool limit(int resource, uint64_t value, uint64_t beyond)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return false;
    rlim_t most = now.rlim_max < value + beyond ? now.rlim_max : (rlim_t)(value + beyond);
    now = (struct rlimit){now.rlim_cur < value ? now.rlim_cur : (rlim_t)value, most};
    now.rlim_cur = now.rlim_cur < most ? now.rlim_cur : most;
    return setrlimit(resource, &now) == 0;
}

bool reader_confine(uint64_t memory, uint64_t processor)
{
    bool good = true;
#ifndef BILLOW_SANITIZED /* sanitizers reserve terabytes */
    good = limit(RLIMIT_AS, address_space() + memory, 0);
#else
    (void)memory, (void)address_space;
#endif
    good = good && limit(RLIMIT_CPU, processor, 2) && limit(RLIMIT_FSIZE, 0, 0) &&
           limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_NOFILE, 0, 0);
    if (good)
        limit_calls();
    return good;
}
