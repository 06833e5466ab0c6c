/* SPDX-License-Identifier: MIT
 *
 * Errors, debug messages, labels and timing of the GL. */
#ifndef RENDER_GL_CHECK_H
#define RENDER_GL_CHECK_H

#include <billow/error.h>
#include <epoxy/gl.h>
#include <stdbool.h>

void gl_check_forget(void); /* errors of others */

/* Returns false and a message if the GL recorded an error since the last call. what: name of the
 * work, for the message. */
bool gl_check(const char *what, BillowError *error);

/* Whether the message of a gl_check says that graphics memory ran out. */
bool gl_check_ran_short(const BillowError *error);

/* Labels an object for debuggers and debug messages, if the GL supports it. */
void gl_check_label(GLenum kind, GLuint object, const char *label);

/* In a debug context: writes the GL's warnings and errors to stderr. */
void gl_check_listen(void);

/* Resets state that other code may have changed: blending, depth, stencil and scissor tests,
 * culling. */
void gl_reset_state(void);

/* -- times ------------------------------------------------------------------------------------- */

/* Measures how long the GL takes. GPUs are timed by timer queries. The timer queries of CPU
 * rasterisers report a tenth of the true time, so those are timed by the clock after glFinish. */

typedef struct Stopwatch {
    bool on;      /* off: stopwatch_stop returns 0 without waiting */
    bool queries; /* true: measured by timer queries; false: by the clock */
    GLuint query;
    double start;
} Stopwatch;

void stopwatch_destroy(Stopwatch *watch);

/* Only one measurement runs at a time. stopwatch_stop waits for the GL and returns ms since start.
 */
void stopwatch_start(Stopwatch *watch);
double stopwatch_stop(Stopwatch *watch);

#endif
