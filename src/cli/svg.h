/* SPDX-License-Identifier: MIT
 *
 * A drawing in SVG 1.1 with one pair of axes, logarithmic or linear. Positions are in pixels from
 * the upper left corner; text stays text, so that it can be searched and read aloud. */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* The area between the axes, and the values at its edges: all above 0 along a logarithmic axis. */
typedef struct SvgAxes {
    double left, right, top, bottom;
    double x_least, x_most, y_least, y_most;
    bool x_linear, y_linear;
} SvgAxes;

typedef enum SvgAnchor { SVG_START, SVG_MIDDLE, SVG_END } SvgAnchor;

double svg_x(const SvgAxes *axes, double value);
double svg_y(const SvgAxes *axes, double value);

/* White paper; everything drawn by later calls lies between these two. title is what a reader of
 * the drawing hears. */
void svg_begin(FILE *stream, int width, int height, const char *title);
/* The same without the line that makes it a file of its own: inside HTML. */
void svg_begin_inline(FILE *stream, int width, int height, const char *title);
void svg_end(FILE *stream);

/* style is the value of a style attribute: "fill:#444;font-size:12px". */
void svg_text(FILE *stream, double x, double y, SvgAnchor anchor, const char *style,
              const char *text);
void svg_line(FILE *stream, double x1, double y1, double x2, double y2, const char *style);

/* Frame, rules and ticks with their figures. Logarithmic: ticks at 1, 2 and 5 of every decade where
 * there is room, otherwise at 1; linear: four to ten at round values. Along a logarithmic x, values
 * from a thousand up are written as 10k, 2M. */
void svg_axes(FILE *stream, const SvgAxes *axes, const char *x_title, const char *y_title);

/* Text as XML takes it: markup escaped; control letters and what is not UTF-8 become '?'. */
void svg_escape(FILE *stream, const char *text);

#endif
