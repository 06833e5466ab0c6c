/* SPDX-License-Identifier: MIT */
#include "base/process_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#endif

enum { PATH = 4096, LINE = 3 * PATH };

/* -- files ------------------------------------------------------------------------------------- */

bool process_limits_line(const char *path, const char *key, char *text, size_t size)
{
    FILE *stream = fopen(path, "r");
    bool found = false;
    char line[512];
    while (stream != NULL && !found && fgets(line, sizeof line, stream) != NULL) {
        found = strncmp(line, key, strlen(key)) == 0;
        if (found) {
            const char *value = line + strlen(key);
            value += strspn(value, " \t:");
            snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
        }
    }
    if (stream != NULL)
        fclose(stream);
    return found;
}

/* Returns the number after key in a file below a folder; `none` where there is no number. */
static double number_in(const char *folder, const char *name, const char *key, double none)
{
    char path[3 * PATH], text[64], *end;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!process_limits_line(path, key, text, sizeof text))
        return none;
    long long number = strtoll(text, &end, 10);
    return end == text || number < 0 ? none : (double)number;
}

/* Whether the list "rw,cpu,cpuacct" has a word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at[0] != '\0'; at += strcspn(at, ","), at += at[0] == ',')
        if (strcspn(at, ",") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

/* Replaces \040 and the like, by which the kernel writes blanks in paths. */
static void unescape(char *path)
{
    char *to = path;
    for (const char *from = path; *from != '\0'; to++) {
        bool escaped = from[0] == '\\' && strspn(from + 1, "01234567") >= 3;
        *to = escaped ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'))
                      : from[0];
        from += escaped ? 4 : 1;
    }
    *to = '\0';
}

/* -- the group of this process ----------------------------------------------------------------- */

/* A group and those that it lies in, up to the root of the mounted hierarchy. */
typedef struct Group {
    char folder[2 * PATH];
    size_t top; /* length of the path of the root */
} Group;

/* Finds the path of this process's group in a hierarchy. controller: "" for version 2. */
static bool find_path(const char *root, const char *controller, char path[PATH])
{
    char line[LINE];
    bool found = false;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *stream = fopen(line, "r");
    while (stream != NULL && !found && fgets(line, sizeof line, stream) != NULL) {
        /* "4:cpu,cpuacct:/path" or "0::/path" */
        char *controllers = strchr(line, ':');
        char *at = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (at == NULL)
            continue;
        *at = '\0';
        found =
            controller[0] == '\0' ? controllers[1] == '\0' : has_word(controllers + 1, controller);
        if (found)
            snprintf(path, PATH, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    }
    if (stream != NULL)
        fclose(stream);
    return found;
}

/* Reads a line of mountinfo. Returns whether it mounts the hierarchy. below: the folder of the
 * hierarchy that is mounted. */
static bool parse_mount(const char *line, const char *controller, char below[PATH],
                        char point[PATH])
{
    char type[64], options[512];
    const char *rest = strstr(line, " - ");
    if (rest == NULL || sscanf(line, "%*s %*s %*s %4095s %4095s", below, point) != 2 ||
        sscanf(rest + 3, "%63s %*s %511s", type, options) != 2)
        return false;
    unescape(below);
    unescape(point);
    return controller[0] == '\0' ? strcmp(type, "cgroup2") == 0
                                 : strcmp(type, "cgroup") == 0 && has_word(options, controller);
}

/* Returns the rest of a path below a folder; NULL if it is not below it. */
static const char *rest_below(const char *path, const char *folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    bool is_below =
        strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
    return is_below ? path + length : NULL;
}

/* Finds the folder of this process's group. Where a container shows a mount of another part of the
 * hierarchy, that mount's root is the group. */
static bool find_group(const char *root, const char *controller, Group *group)
{
    char path[PATH], line[LINE], below[PATH], point[PATH];
    bool found = false, fits = false;
    if (!find_path(root, controller, path))
        return false;
    snprintf(line, sizeof line, "%s/proc/self/mountinfo", root);
    FILE *stream = fopen(line, "r");
    while (stream != NULL && !fits && fgets(line, sizeof line, stream) != NULL) {
        if (!parse_mount(line, controller, below, point))
            continue;
        const char *rest = rest_below(path, below);
        fits = rest != NULL && strstr(rest, "/..") == NULL;
        if (found && !fits)
            continue;
        found = true;
        group->top = strlen(root) + strlen(point);
        snprintf(group->folder, sizeof group->folder, "%s%s%s", root, point,
                 fits && strcmp(rest, "/") != 0 ? rest : "");
    }
    if (stream != NULL)
        fclose(stream);
    return found;
}

/* Goes to the group that this one lies in. Returns false at the root. */
static bool go_up(Group *group)
{
    char *slash = strrchr(group->folder, '/');
    if (slash == NULL || (size_t)(slash - group->folder) < group->top)
        return false;
    *slash = '\0';
    return true;
}

/* -- limits ------------------------------------------------------------------------------------ */

static void limit_memory(ProcessLimits *limits, double limit, double used)
{
    limits->memory = fmin(limits->memory, limit);
    limits->memory_left = fmin(limits->memory_left, fmax(limit - used, 0));
}

/* Files of a group's memory. */
typedef struct MemoryFiles {
    const char *controller;
    const char *limits[2];
    const char *used, *idle; /* idle: key in memory.stat */
} MemoryFiles;

static void read_group_memory(const char *root, const MemoryFiles *files, ProcessLimits *limits)
{
    const double most = 0x1p62; /* version 1 writes a number near 2^63 where there is no limit */
    Group group;
    if (!find_group(root, files->controller, &group))
        return;
    do {
        double used = number_in(group.folder, files->used, "", 0) -
                      number_in(group.folder, "memory.stat", files->idle, 0);
        double limit = number_in(group.folder, files->limits[0], "", INFINITY);
        if (files->limits[1] != NULL)
            limit = fmin(limit, number_in(group.folder, files->limits[1], "", INFINITY));
        if (limit < most)
            limit_memory(limits, limit, fmax(used, 0));
    } while (go_up(&group));
}

static void limit_cores(ProcessLimits *limits, double quota, double period)
{
    if (quota > 0 && period > 0)
        limits->cores = fmin(limits->cores, quota / period);
}

static void read_group_cores(const char *root, ProcessLimits *limits)
{
    char text[64], path[3 * PATH];
    Group group;
    if (find_group(root, "", &group))
        do {
            long long quota, period;
            snprintf(path, sizeof path, "%s/cpu.max", group.folder);
            if (process_limits_line(path, "", text, sizeof text) &&
                sscanf(text, "%lld %lld", &quota, &period) == 2) /* "max 100000": no limit */
                limit_cores(limits, (double)quota, (double)period);
        } while (go_up(&group));
    if (find_group(root, "cpu", &group))
        do
            limit_cores(limits, number_in(group.folder, "cpu.cfs_quota_us", "", 0),
                        number_in(group.folder, "cpu.cfs_period_us", "", 0));
        while (go_up(&group));
}

/* Reads the limits of the address space and of the data. */
static void read_process_limits(const char *root, ProcessLimits *limits)
{
#if defined(RLIMIT_AS) && defined(RLIMIT_DATA)
    const struct {
        int resource;
        const char *used; /* key in /proc/self/status, kB */
    } kinds[] = {{RLIMIT_AS, "VmSize"}, {RLIMIT_DATA, "VmData"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct rlimit limit;
        if (getrlimit(kinds[k].resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
            limit_memory(limits, (double)limit.rlim_cur,
                         1024 * number_in(root, "proc/self/status", kinds[k].used, 0));
    }
#else
    (void)root, (void)limits;
#endif
}

ProcessLimits process_limits_read(const char *root)
{
    static const MemoryFiles versions[] = {
        {"", {"memory.max", "memory.high"}, "memory.current", "inactive_file"},
        {"memory", {"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"}};
    ProcessLimits limits = {.memory = INFINITY,
                            .memory_left =
                                1024 * number_in(root, "proc/meminfo", "MemAvailable", INFINITY),
                            .cores = INFINITY};
    for (size_t v = 0; v < sizeof versions / sizeof *versions; v++)
        read_group_memory(root, &versions[v], &limits);
    read_group_cores(root, &limits);
    read_process_limits(root, &limits);
    return limits;
}

bool process_limits_allow(double bytes, double *left)
{
    const double few = 8 << 20;
    if (bytes < few)
        return true;
    *left = process_limits_read("").memory_left;
    return bytes <= *left;
}

int process_limits_threads(int processors, double cores)
{
    int most = cores < processors ? (int)ceil(cores) : processors;
    return most > 1 ? most : 1;
}
