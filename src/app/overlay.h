/* SPDX-License-Identifier: MIT
 *
 * What is drawn over the picture: lines, figures, help, messages. Words stand on translucent
 * plates, so that they can be read on smoke and sky alike. */
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

/* A line over the picture and under all words, with a dark edge so that it is seen on smoke and
 * sky.
 */
typedef struct OverlayLine {
    float from[2], to[2]; /* points from the top left */
    float width;          /* points */
    float color[4];       /* display values, and alpha */
} OverlayLine;

/* The rows of the help that are shown. */
typedef struct OverlayPage {
    int first, count;
} OverlayPage;

/* What to show; UTF-8, Latin-1 letters only. NULL texts are left out. */
typedef struct OverlayContent {
    float width, height;        /* of the window, in points */
    const char *const *figures; /* along the top edge; a line breaks between two figures */
    int figure_count;
    const OverlayRow *first;    /* first steps, above the bottom edge; ends with a NULL key */
    const char *hint, *message; /* along the bottom edge */
    const char *recording;      /* length of the video so far, beside a red dot */
    const char *error;          /* a problem that persists, in one or more lines */
    const OverlayLine *lines;
    int line_count;
    const Legend *legend;   /* at the right edge; NULL: none */
    const OverlayRow *help; /* table in the middle; ends with a NULL key; not beside the panel */
    int help_first;         /* first row to show where not all have room */
} OverlayContent;

/* A hash of the content: equal content has equal hashes. */
uint64_t overlay_fingerprint(const OverlayContent *content);

/* Draws the content, between gui_begin and gui_end, behind the panel. Its parts cover neither each
 * other nor the panel; the help has the window to itself. Returns the rows of the help that are
 * shown. */
OverlayPage overlay_show(const Gui *gui, const OverlayContent *content);

/* -- first steps ------------------------------------------------------------------------------- */

/* First steps: three lines of hints for a new user. A line disappears when the user has done what
 * it says. All disappear some time after the first input. */

typedef enum FirstStep { FIRST_PUSH, FIRST_SCENE, FIRST_SAVE, FIRST_STEPS } FirstStep;

typedef struct FirstSteps {
    bool done[FIRST_STEPS];
    bool over;      /* the help or the handles were shown: no more hints */
    double touched; /* time of the first input, s; 0: none yet */
    double pressed; /* time at which the brush was pressed, s; 0: it is up */
    OverlayRow rows[FIRST_STEPS + 1];
    char push[128]; /* text of the first row */
} FirstSteps;

/* Events of a frame that first_steps_watch follows. */
typedef struct FirstStepsEvents {
    double now;   /* time, s, above 0 */
    bool touched; /* there has been some input */
    bool pushing; /* the brush is pressed */
    bool changed; /* the user chose another scene */
    bool saved;   /* the user asked for a screenshot */
    bool help;    /* the help or the handles are shown */
} FirstStepsEvents;

void first_steps_watch(FirstSteps *steps, const FirstStepsEvents *events);
/* The hints that are left, ending with a row of NULLs; NULL: none. kiosk: omit screenshots and
 * quitting. brush: text of brush_does. */
const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush);

#endif
