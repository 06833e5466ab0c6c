/* SPDX-License-Identifier: MIT
 *
 * Errors, debug messages, labels and timing of the GL. */
#ifndef RENDER_GL_CHECK_H
#define RENDER_GL_CHECK_H

#include "render/gl/gl.h"
#include <billow/error.h>
#include <stdbool.h>

void gl_check_forget(void); /* discards the GL errors that other code has left */

/* Returns false and a message if the GL recorded an error since the last call. what: the operation,
 * for the message. */
bool gl_check(const char *what, BillowError *error);

/* Whether gl_check's message says that graphics memory ran out. */
bool gl_check_ran_short(const BillowError *error);

/* Labels an object for debuggers and debug messages, if the GL supports it. */
void gl_check_label(GLenum kind, GLuint object, const char *label);

/* Disables what other code may have enabled: blending, depth, stencil and scissor tests, culling,
 * sRGB encoding. Enables writing of all colour channels. */
void gl_reset_state(void);

/* -- times ------------------------------------------------------------------------------------- */

/* Measures the time that the GL takes. GPUs are timed by timer queries. CPU rasterisers are timed
 * by the clock after glFinish, because their timer queries report a tenth of the true time. */

typedef struct Stopwatch {
    bool on;      /* if false, stopwatch_stop returns 0 without waiting */
    bool queries; /* true: timer queries measure; false: the clock */
    GLuint query;
    double start;
} Stopwatch;

void stopwatch_destroy(Stopwatch *watch);

/* Start and stop a measurement. Only one may run at a time. stopwatch_stop waits for the GL and
 * returns the time since the start, ms. */
void stopwatch_start(Stopwatch *watch);
double stopwatch_stop(Stopwatch *watch);

#endif
