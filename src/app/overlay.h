/* SPDX-License-Identifier: MIT
 *
 * What is drawn over the picture: lines in it, figures, help, messages. Words stand on translucent
 * plates, so that they read on smoke and sky alike. */
#ifndef APP_OVERLAY_H
#define APP_OVERLAY_H

#include "gui.h"
#include "legend.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct OverlayRow {
    const char *key, *does;
} OverlayRow;

/* Over the picture and under all words, with a dark edge so that it is seen on smoke and sky. */
typedef struct OverlayLine {
    float from[2], to[2]; /* points from the top left */
    float width;
    float color[4]; /* of a display, and alpha */
} OverlayLine;

/* Rows of the help: from which on, and how many. */
typedef struct OverlayPage {
    int first, count;
} OverlayPage;

/* What to show; UTF-8, Latin-1 letters only. NULL texts are left out. */
typedef struct OverlayContent {
    float width, height;        /* of the window, in points */
    const char *const *figures; /* flow along the top edge, whole ones to a line */
    int figure_count;
    const OverlayRow *first;    /* what to try, above the bottom edge, NULL key at its end */
    const char *hint, *message; /* along the bottom edge */
    const char *recording;      /* how long a video is by now, beside a red dot; or NULL */
    const char *error;          /* what went wrong and still does; several lines are fine */
    const OverlayLine *lines;
    int line_count;
    const Legend *legend;   /* at the right edge; NULL: none */
    const OverlayRow *help; /* a table in the middle, NULL key at its end; no panel beside it */
    int help_first;         /* the row of it to begin with, where not all have room */
} OverlayContent;

/* The same for the same content, and for any other hardly ever. */
uint64_t overlay_fingerprint(const OverlayContent *content);

/* Between gui_begin and gui_end, behind the panel if there is one. Nothing of it covers anything
 * else of it, nor the panel; the help has the window to itself. Says which rows of it are shown. */
OverlayPage overlay_show(const Gui *gui, const OverlayContent *content);

#endif
