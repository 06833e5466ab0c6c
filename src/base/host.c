/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "fail.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool host_read_line(const char *path, const char *key, char *text, size_t size)
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

uint64_t host_read_number(const char *path, const char *key)
{
    char text[64];
    return host_read_line(path, key, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

uint64_t host_memory(void)
{
    return host_read_number("/proc/meminfo", "MemTotal") * 1024;
}

/* Bytes that a container may still allocate. Inactive file pages do not count, since they give way.
 */
static uint64_t container_left(uint64_t limit)
{
    uint64_t used = host_read_number("/sys/fs/cgroup/memory.current", "");
    uint64_t idle = host_read_number("/sys/fs/cgroup/memory.stat", "inactive_file");
    used -= idle < used ? idle : used;
    return used < limit ? limit - used : 1;
}

uint64_t host_memory_available(void)
{
    uint64_t available = host_read_number("/proc/meminfo", "MemAvailable") * 1024;
    uint64_t limit = host_read_number("/sys/fs/cgroup/memory.max", ""); /* "max" reads as 0 */
    uint64_t left = limit > 0 ? container_left(limit) : available;
    return available == 0 || left < available ? left : available;
}

bool host_check_memory(double bytes, const char *what, const char *advice, BillowError *error)
{
    double available = (double)host_memory_available();
    return available == 0 || bytes <= available ||
           fail(error, "%s needs %.2f GB of memory and %.2f GB are available; try %s", what,
                1e-9 * bytes, 1e-9 * available, advice);
}

/* Signal handlers can only write to such a variable of the whole process. */
static volatile sig_atomic_t last_signal;

void host_note_signal(int number)
{
    last_signal = number;
}

int host_signal(void)
{
    return last_signal;
}
