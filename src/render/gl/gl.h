/* SPDX-License-Identifier: MIT
 *
 * The OpenGL that the renderer calls: 3.3 core through epoxy or, in a web page, ES 3.0, which
 * WebGL 2 offers. What only one of them has stands here; all else is common to both. With it
 * errors, debug messages, labels and timing of the GL. */
#ifndef RENDER_GL_H
#define RENDER_GL_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __EMSCRIPTEN__

#include <GLES3/gl3.h>

/* First lines of every shader. WebGL has no defaults for these precisions. */
#define GLSL_VERSION                                                                               \
    "#version 300 es\n"                                                                            \
    "precision highp float; precision highp int; precision highp sampler2D; "                      \
    "precision highp sampler3D;\n"

/* Kinds of objects for gl_check_label, which labels none in a page. */
enum { GL_BUFFER, GL_SHADER, GL_PROGRAM, GL_QUERY, GL_VERTEX_ARRAY };

/* Reads a buffer object that is bound to `target`. */
void glGetBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, void *data);

#else

#include <epoxy/gl.h>

#define GLSL_VERSION "#version 330 core\n"

#endif

/* -- gl_desktop.c or, in a page, gl_web.c ------------------------------------------------------ */

/* Whether the context offers the version that the renderer needs. `offered`: for messages. */
bool gl_suffices(char *offered, int size);
/* Name of the graphics card or driver; may be NULL. */
const char *gl_renderer_name(void);
/* Labels an object for debuggers and debug messages, if the GL supports it. */
void gl_check_label(GLenum kind, GLuint object, const char *label);
/* Writes the GL's warnings and errors to stderr, in debug contexts. */
void gl_listen(void);
/* Lets vertex shaders set the size of points, which in ES they always do. */
void gl_size_points(bool on);
/* Disables the encoding as sRGB, which ES does not have. */
void gl_write_linear(void);
/* Gives the buffer object that is bound to `target` new memory, and returns it for writing until
 * gl_unmap, which returns false if the GL lost it. NULL: there is none, or the GL lends no memory,
 * as in a page. */
void *gl_map_new(GLenum target, size_t bytes);
bool gl_unmap(GLenum target);
/* Whether timer queries are available. */
extern const bool gl_has_timers;
void gl_begin_timer(GLuint query);
double gl_end_timer(GLuint query); /* waits; ms since gl_begin_timer */

/* -- errors and state -------------------------------------------------------------------------- */

void gl_check_forget(void); /* discards the GL errors that other code has left */

/* Returns false and a message if the GL recorded an error since the last call. what: the operation,
 * for the message. */
bool gl_check(const char *what, BillowError *error);

/* Whether gl_check's message says that graphics memory ran out. */
bool gl_check_ran_short(const BillowError *error);

/* Disables what other code may have enabled: blending, depth, stencil and scissor tests, culling,
 * sRGB encoding. Enables writing of all colour channels, and blends by addition. */
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
