/* SPDX-License-Identifier: MIT */
#include "frame_meter.h"

#define BINS_PER_MS 10.0

void frame_meter_add(FrameMeter *meter, double ms)
{
    double bin = ms > 0 ? ms * BINS_PER_MS : 0;
    meter->bins[bin < FRAME_METER_BINS - 1 ? (int)bin : FRAME_METER_BINS - 1]++;
    meter->count++;
    if (ms > meter->max_ms)
        meter->max_ms = ms;
}

double frame_meter_median(const FrameMeter *meter)
{
    uint64_t below = 0;
    for (int bin = 0; bin < FRAME_METER_BINS; bin++) {
        below += meter->bins[bin];
        if (2 * below >= meter->count && meter->count > 0)
            return (bin + 0.5) / BINS_PER_MS;
    }
    return 0;
}
