/* SPDX-License-Identifier: MIT
 *
 * What is drawn over the picture: lines, figures, help and messages. Texts are on translucent
 * plates, so that they can be read over smoke and sky. */
#ifndef APP_OVERLAY_H
#define APP_OVERLAY_H

#include "app/gui.h"
#include "render/frame/legend.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct OverlayRow {
    const char *key, *does;
} OverlayRow;

/* A line over the picture and below all texts, with a dark edge for contrast. */
typedef struct OverlayLine {
    float from[2], to[2]; /* points from the top left */
    float width;          /* points */
    float color[4];       /* display values of red, green and blue, and alpha */
} OverlayLine;

/* A text beside a point of the picture. */
typedef struct OverlayLabel {
    float at[2];    /* points from the top left */
    float color[3]; /* display values */
    char text[64];
} OverlayLabel;

/* The range of rows of the help that are visible. */
typedef struct OverlayPage {
    int first, count;
} OverlayPage;

/* What to show. Texts are UTF-8 and contain only Latin-1 characters. NULL: omitted. */
typedef struct OverlayContent {
    float width, height;        /* size of the window, points */
    const char *const *figures; /* shown at the top edge; a line breaks only between two figures */
    int figure_count;
    const OverlayRow *first;    /* first steps, above the bottom edge; ends with a NULL key */
    const char *hint, *message; /* shown along the bottom edge */
    const char *recording;      /* length of the recording so far, beside a red dot */
    const char *video;          /* how far the video is, above a bar; NULL: none is drawn */
    float video_share;          /* share of it that is drawn */
    const char *error;          /* a problem that lasts, in one or more lines */
    const OverlayLine *lines;
    int line_count;
    const OverlayLabel *labels;
    int label_count;
    const Legend *legend; /* at the right edge; NULL: none */
    const OverlayRow
        *help; /* table in the middle; ends with a NULL key; never shown together with the panel */
    int help_first; /* first row to show if not all rows fit */
} OverlayContent;

/* A hash of the content. */
uint64_t overlay_fingerprint(const OverlayContent *content);

/* Draws the content. Call it between gui_begin and gui_end, after panel_show. The parts cover
 * neither each other nor the panel. If `content->help` is given, nothing else is shown. Returns the
 * visible rows of the help. */
OverlayPage overlay_show(const Gui *gui, const OverlayContent *content);

/* -- first steps ------------------------------------------------------------------------------- */

/* First steps: four lines of hints for a new user. A line disappears after the user has done what
 * it says. All lines disappear some time after the first input. */

typedef enum FirstStep { FIRST_PUSH, FIRST_BLAST, FIRST_SCENE, FIRST_SAVE, FIRST_STEPS } FirstStep;

typedef struct FirstSteps {
    bool done[FIRST_STEPS];
    bool over;      /* true: the help or the handles were shown, so no more hints appear */
    double touched; /* time of the first input, s; 0: no input yet */
    double pressed; /* time at which the brush was pressed, s; 0: it is not pressed */
    OverlayRow rows[FIRST_STEPS + 1];
    char push[128]; /* text of the first row, from brush_does */
} FirstSteps;

/* What happened in a frame; input of first_steps_watch. */
typedef struct FirstStepsEvents {
    double now;   /* time, s, above 0 */
    bool touched; /* there has been some input */
    bool pushing; /* the brush is pressed */
    bool blasted; /* the user detonated or cleared the smoke */
    bool changed; /* the user chose another scene */
    bool saved;   /* the user took a screenshot */
    bool help;    /* the help or the handles are shown */
} FirstStepsEvents;

void first_steps_watch(FirstSteps *steps, const FirstStepsEvents *events);
/* Returns the hints that remain, ending with a row of NULLs; NULL: none. kiosk: omit screenshots
 * and quitting. brush: text of brush_does. */
const OverlayRow *first_steps_rows(FirstSteps *steps, double now, bool kiosk, const char *brush);

#endif
