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

#endif
