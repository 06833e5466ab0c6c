/* SPDX-License-Identifier: MIT
 *
 * Measures how long the GL takes. GPUs are timed by timer queries. The timer queries of CPU
 * rasterisers report a tenth of the true time, so those are timed by the clock after glFinish. */
#ifndef RENDER_STOPWATCH_H
#define RENDER_STOPWATCH_H

#include <epoxy/gl.h>
#include <stdbool.h>

typedef struct Stopwatch {
    bool on;      /* off: nothing is waited for, and stop says 0 */
    bool queries; /* by timer queries, or by the clock */
    GLuint query;
    double start;
    bool running;
    double before; /* ms until the last pause */
} Stopwatch;

void stopwatch_destroy(Stopwatch *watch);

/* Only one measurement runs at a time. stopwatch_stop waits for the GL and returns ms since start.
 */
void stopwatch_start(Stopwatch *watch);
double stopwatch_stop(Stopwatch *watch);

/* Excludes the GL's work between pause and resume, where queries time it. Does nothing while no
 * measurement runs. */
void stopwatch_pause(Stopwatch *watch);
void stopwatch_resume(Stopwatch *watch);

#endif
