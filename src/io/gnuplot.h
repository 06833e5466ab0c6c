/* SPDX-License-Identifier: MIT
 *
 * Draws plots with gnuplot, which runs as a separate program. Without gnuplot, only the plots are
 * missing. */
#ifndef IO_GNUPLOT_H
#define IO_GNUPLOT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct Gnuplot {
    FILE *script; /* commands and data for gnuplot */
    FILE *drawing;
} Gnuplot;

/* Whether gnuplot can be run. If not, the message names the package to install. */
bool gnuplot_available(BillowError *error);

/* Starts an SVG drawing; width and height in pixels. Write gnuplot's commands to `script`, then
 * call gnuplot_draw or gnuplot_abandon. title: text for screen readers. */
bool gnuplot_open(Gnuplot *plot, int width, int height, const char *title, BillowError *error);

/* Writes text as a quoted gnuplot string. Control characters and bytes that are not UTF-8 become
 * '?'. */
void gnuplot_text(FILE *script, const char *text);

/* Runs gnuplot, for at most a minute, and copies the drawing to the stream. inline_html: copies
 * only the <svg> element, without the lines that only a separate file needs. On failure nothing is
 * copied. */
bool gnuplot_draw(Gnuplot *plot, bool inline_html, FILE *stream, BillowError *error);
void gnuplot_abandon(Gnuplot *plot);

#endif
