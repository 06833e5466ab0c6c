/* SPDX-License-Identifier: MIT
 *
 * What Xlib does by itself where something goes wrong: it prints several lines and ends the
 * program. Nothing happens here where there is no Xlib. */
#ifndef APP_X_ERRORS_H
#define APP_X_ERRORS_H

/* Between these, errors that the server reports are left to SDL, which finds out by the results:
 * while contexts are tried, which Mesa asks for even where it has no driver for them. */
typedef int (*XErrorsHandler)(void *display, void *event);
XErrorsHandler x_errors_ignore(void); /* who was told before: give it to x_errors_heed */
void x_errors_heed(XErrorsHandler before);

/* From now on one line says that the display has gone, should it, and the program ends with 1. */
void x_errors_watch_display(void);

#endif
