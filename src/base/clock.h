/* SPDX-License-Identifier: MIT
 * The monotonic clock. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Time since an arbitrary start, s. It never decreases, even if the wall clock is changed. */
double clock_seconds(void);

/* Processor time of the calling thread since an arbitrary start, s. */
double clock_thread_seconds(void);

/* Sleeps for so many seconds, or until a signal comes. */
void clock_sleep(double seconds);

#endif
