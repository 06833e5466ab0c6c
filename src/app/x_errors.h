/* SPDX-License-Identifier: MIT
 *
 * What Xlib does by itself where something goes wrong: it prints several lines and ends the
 * program. Nothing happens here where there is no Xlib. */
#ifndef APP_X_ERRORS_H
#define APP_X_ERRORS_H

/* Between these two calls, errors reported by the X server are ignored. They occur while contexts
 * are tried, because Mesa asks for contexts that it has no driver for; SDL sees the failure in the
 * results. */
typedef int (*XErrorsHandler)(void *display, void *event);
XErrorsHandler x_errors_ignore(void); /* returns the handler before: pass it to x_errors_heed */
void x_errors_heed(XErrorsHandler before);

/* From now on, if the display is lost, one line says so and the program exits with status 1. */
void x_errors_watch_display(void);

#endif
