/* SPDX-License-Identifier: MIT */
#include "quiet.h"

#include "clock.h"
#include "system.h"

QuietWatch quiet_watch(void)
{
    return (QuietWatch){.start = clock_seconds(), .processor = system_processor_seconds()};
}

double quiet_share_since(QuietWatch watch, int threads)
{
    int cores = system_cores();
    double seconds = clock_seconds() - watch.start;
    double processor = system_processor_seconds() - watch.processor;
    return processor / seconds / (threads < cores ? threads : cores);
}

bool quiet_disturbed(double share, int threads, int cores)
{
    return threads <= cores && share < QUIET_SHARE;
}

void quiet_count(QuietTally *tally, double share, int threads, const char *what)
{
    tally->figures++;
    if (!quiet_disturbed(share, threads, tally->cores))
        return;
    if (tally->disturbed++ > 0 && share >= tally->share)
        return;
    tally->share = share;
    snprintf(tally->worst, sizeof tally->worst, "%.64s on %d thread%s", what, threads,
             threads == 1 ? "" : "s");
}

void quiet_print(const QuietTally *tally, FILE *stream)
{
    if (tally->disturbed > 0)
        fprintf(stream,
                "\nDisturbed: %d of %d %s got less than %.0f %% of their processors, %s\nonly "
                "%.0f %%. Other programs seem to be running; a quiet machine is faster.\n",
                tally->disturbed, tally->figures, tally->noun, 100 * QUIET_SHARE, tally->worst,
                100 * tally->share);
}
