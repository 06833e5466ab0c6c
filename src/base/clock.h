/* SPDX-License-Identifier: MIT
 * Monotonic time. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds since an arbitrary start; never goes back, whatever happens to the wall clock. */
double clock_seconds(void);

#endif
