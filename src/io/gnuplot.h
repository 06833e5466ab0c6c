/* SPDX-License-Identifier: MIT
 *
 * Plots drawn by gnuplot, which is run as a program of its own. Without it nothing else is missing
 * but the plots. */
#ifndef IO_GNUPLOT_H
#define IO_GNUPLOT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct Gnuplot {
    FILE *script; /* commands and data for gnuplot */
    FILE *drawing;
} Gnuplot;

/* Whether gnuplot can be run; the message names the package to install. */
bool gnuplot_available(BillowError *error);

/* Begins an SVG drawing of a size in pixels. Write the commands of gnuplot to script, then call
 * gnuplot_draw or gnuplot_abandon. title is read aloud by screen readers. */
bool gnuplot_open(Gnuplot *plot, int width, int height, const char *title, BillowError *error);

/* Writes text as a string of gnuplot, quotes included; '?' for control characters and
 * bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *text);

/* Runs gnuplot, for a minute at most, and copies the drawing to stream: the <svg> element, without
 * the lines that make it a file of its own where inline_html. A failure copies nothing. */
bool gnuplot_draw(Gnuplot *plot, bool inline_html, FILE *stream, BillowError *error);
void gnuplot_abandon(Gnuplot *plot);

#endif
