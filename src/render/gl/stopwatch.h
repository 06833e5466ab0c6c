/* SPDX-License-Identifier: MIT
 *
 * How long the GL takes over something. A GPU's timer queries tell; a CPU rasteriser's do not (a
 * tenth of the truth), so that there the clock does, once all is done. */
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

/* One at a time. stop waits for the GL; ms since start. */
void stopwatch_start(Stopwatch *watch);
double stopwatch_stop(Stopwatch *watch);

/* What the GL does in between does not count where queries time it: somebody's clock does. Nothing
 * happens where none runs. */
void stopwatch_pause(Stopwatch *watch);
void stopwatch_resume(Stopwatch *watch);

#endif
