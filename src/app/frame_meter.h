/* SPDX-License-Identifier: MIT
 *
 * Durations counted in bins of a tenth of a millisecond: medians of hours in fixed memory. */
#ifndef APP_FRAME_METER_H
#define APP_FRAME_METER_H

#include <stdint.h>

enum { FRAME_METER_BINS = 20000 };

typedef struct FrameMeter {
    uint32_t bins[FRAME_METER_BINS]; /* the last one holds everything longer */
    uint64_t count;
    double max_ms;
} FrameMeter;

void frame_meter_add(FrameMeter *meter, double ms);
double frame_meter_median(const FrameMeter *meter); /* ms; 0 where nothing was added */

#endif
