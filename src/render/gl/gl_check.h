/* SPDX-License-Identifier: MIT
 *
 * What the GL reports: errors after the fact, debug messages as they come, names for its objects.
 */
#ifndef RENDER_GL_CHECK_H
#define RENDER_GL_CHECK_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>

void gl_check_forget(void); /* errors of others */

/* False and a message when the GL noted an error since last asked; what names the work done. */
bool gl_check(const char *what, BillowError *error);

/* Whether such a message says that graphics memory ran out. */
bool gl_check_ran_short(const BillowError *error);

/* Names an object for debuggers and debug messages, where the GL can. */
void gl_check_label(GLenum kind, GLuint object, const char *label);

/* In a debug context: writes the GL's warnings and errors to stderr. */
void gl_check_listen(void);

/* Switches off what others left on: blending, depth, stencil and scissor tests, culling. */
void gl_reset_state(void);

/* -- times ------------------------------------------------------------------------------------- */

/* Measures how long the GL takes. GPUs are timed by timer queries. The timer queries of CPU
 * rasterisers report a tenth of the true time, so those are timed by the clock after glFinish. */

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
