/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "clock.h"
#include "system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print_line(const char *text)
{
    char line[sizeof((BillowError *)0)->text];
    size_t length = 0;
    for (; text[length] != 0 && length + 1 < sizeof line; length++) {
        unsigned char letter = (unsigned char)text[length];
        line[length] = letter < 32 || letter == 127 ? '?' : text[length];
    }
    line[length] = 0;
    fprintf(stderr, "billow: %s\n", line);
}

void report_notice(const BillowError *notice)
{
    print_line(notice->text);
}

void report_status(Status status, const BillowError *error)
{
    if (status == STATUS_INTERRUPTED && error->text[0] == 0)
        print_line("interrupted");
    else if (status != STATUS_DONE && error->text[0] != 0)
        print_line(error->text);
}

Status report_finish(Status status)
{
    errno = 0;
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (status == STATUS_INTERRUPTED && system_terminated())
        return STATUS_TERMINATED;
    if (written || status != STATUS_DONE)
        return status;
    BillowError error;
    snprintf(error.text, sizeof error.text, "standard output: %s",
             errno != 0 ? strerror(errno) : "could not be written");
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
    snprintf(text, size, "%.*f %s", unit > 0 && bytes < 9.95 ? 1 : 0, bytes, units[unit]);
}

Progress progress_start(bool quiet)
{
    return (Progress){
        .shown = !quiet && system_is_terminal(stderr), .start = clock_seconds(), .last = -1e9};
}

void progress_update(Progress *progress, const char *what, int done, int total)
{
    double now = clock_seconds();
    if (!progress->shown || now - progress->last < 0.1)
        return;
    progress->last = now;
    fprintf(stderr, "\r%s %d of %d", what, done, total);
    if (done > 0) {
        double left = (now - progress->start) * (total - done) / done;
        fprintf(stderr, ", %d:%02d left", (int)(left / 60), (int)left % 60);
    }
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

void progress_end(Progress *progress)
{
    if (progress->shown && progress->last > 0)
        fprintf(stderr, "\r\033[K");
}
