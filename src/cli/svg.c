/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static const char rule_style[] = "stroke:#e4e7eb;stroke-width:1";
static const char figure_style[] = "font-size:13px;fill:#444";

/* Bytes of the UTF-8 sequence at text, or 0 where there is none that XML takes. */
static int sequence_length(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7f;
    int length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    for (int index = 1; index < length; index++)
        if ((text[index] & 0xc0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool beyond = text[0] == 0xf4 && text[1] > 0x8f;
    bool surrogate = text[0] == 0xed && text[1] > 0x9f;
    bool noncharacter = text[0] == 0xef && text[1] == 0xbf && text[2] >= 0xbe;
    return overlong || beyond || surrogate || noncharacter ? 0 : length;
}

void svg_escape(FILE *stream, const char *text)
{
    while (*text != 0) {
        int length = sequence_length((const unsigned char *)text);
        if (length == 0)
            fputc('?', stream);
        else if (*text == '&')
            fputs("&amp;", stream);
        else if (*text == '<')
            fputs("&lt;", stream);
        else if (*text == '>')
            fputs("&gt;", stream);
        else
            fwrite(text, 1, (size_t)length, stream);
        text += length > 0 ? length : 1;
    }
}

/* Where value lies between least and most, as a share of the way. */
static double share(double value, double least, double most, bool linear)
{
    return linear ? (value - least) / (most - least) : log(value / least) / log(most / least);
}

double svg_x(const SvgAxes *axes, double value)
{
    return axes->left +
           (axes->right - axes->left) * share(value, axes->x_least, axes->x_most, axes->x_linear);
}

double svg_y(const SvgAxes *axes, double value)
{
    return axes->bottom -
           (axes->bottom - axes->top) * share(value, axes->y_least, axes->y_most, axes->y_linear);
}

void svg_begin(FILE *stream, int width, int height, const char *title)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", stream);
    svg_begin_inline(stream, width, height, title);
}

void svg_begin_inline(FILE *stream, int width, int height, const char *title)
{
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" "
            "font-family=\"'DejaVu Sans', Verdana, 'Segoe UI', sans-serif\">\n<title>",
            width, height, width, height);
    svg_escape(stream, title);
    fprintf(stream, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
}

void svg_end(FILE *stream)
{
    fputs("</svg>\n", stream);
}

void svg_text(FILE *stream, double x, double y, SvgAnchor anchor, const char *style,
              const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" style=\"%s\">", x, y,
            anchors[anchor], style);
    svg_escape(stream, text);
    fputs("</text>\n", stream);
}

void svg_line(FILE *stream, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(stream, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" style=\"%s\"/>\n", x1,
            y1, x2, y2, style);
}

/* Cells run into millions, times do not. */
static void figure_text(double value, bool short_form, char *text, size_t size)
{
    if (!short_form)
        snprintf(text, size, "%.7g", value);
    else if (value >= 0.999e9)
        snprintf(text, size, "%.4gG", 1e-9 * value);
    else if (value >= 0.999e6)
        snprintf(text, size, "%.4gM", 1e-6 * value);
    else if (value >= 0.999e3)
        snprintf(text, size, "%.4gk", 1e-3 * value);
    else
        snprintf(text, size, "%.4g", value);
}

/* 1, 2 or 5 times a power of ten; 0 is 1, 3 is 10, -1 is 0.5. */
static double tick_at(int index)
{
    static const double steps[3] = {1, 2, 5};
    int decade = index >= 0 ? index / 3 : -((2 - index) / 3);
    return steps[index - 3 * decade] * pow(10, decade);
}

/* A rule across the frame, with its figure. */
static void tick(FILE *stream, const SvgAxes *axes, bool along_x, double value, const char *text)
{
    if (along_x) {
        double x = svg_x(axes, value);
        svg_line(stream, x, axes->top, x, axes->bottom, rule_style);
        svg_text(stream, x, axes->bottom + 20, SVG_MIDDLE, figure_style, text);
    } else {
        double y = svg_y(axes, value);
        svg_line(stream, axes->left, y, axes->right, y, rule_style);
        svg_text(stream, axes->left - 8, y + 4.5, SVG_END, figure_style, text);
    }
}

static void ticks_logarithmic(FILE *stream, const SvgAxes *axes, bool along_x)
{
    double least = along_x ? axes->x_least : axes->y_least;
    double most = along_x ? axes->x_most : axes->y_most;
    double length = along_x ? axes->right - axes->left : axes->bottom - axes->top;
    bool fine = length / log10(most / least) > (along_x ? 160 : 80); /* pixels a decade */
    for (int index = 3 * (int)floor(log10(least)); tick_at(index) <= most; index++) {
        double value = tick_at(index);
        char text[32];
        if (value < least || (index % 3 != 0 && !fine))
            continue;
        figure_text(value, along_x, text, sizeof text);
        tick(stream, axes, along_x, value, text);
    }
}

/* The least of 1, 2 and 5 times a power of ten of which no more than nine fit. */
static double linear_step(double range)
{
    int index = 3 * (int)floor(log10(range / 9));
    while (9 * tick_at(index) < range)
        index++;
    return tick_at(index);
}

static void ticks_linear(FILE *stream, const SvgAxes *axes, bool along_x)
{
    double least = along_x ? axes->x_least : axes->y_least;
    double most = along_x ? axes->x_most : axes->y_most;
    double step = linear_step(most - least);
    int first = (int)ceil(least / step - 1e-9), last = (int)floor(most / step + 1e-9);
    for (int index = first; index <= last; index++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", index * step);
        tick(stream, axes, along_x, index * step, text);
    }
}

static void ticks(FILE *stream, const SvgAxes *axes, bool along_x)
{
    if (along_x ? axes->x_linear : axes->y_linear)
        ticks_linear(stream, axes, along_x);
    else
        ticks_logarithmic(stream, axes, along_x);
}

void svg_axes(FILE *stream, const SvgAxes *axes, const char *x_title, const char *y_title)
{
    double middle = 0.5 * (axes->top + axes->bottom);
    ticks(stream, axes, true);
    ticks(stream, axes, false);
    fprintf(stream,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
            "stroke=\"#888\"/>\n",
            axes->left, axes->top, axes->right - axes->left, axes->bottom - axes->top);
    svg_text(stream, 0.5 * (axes->left + axes->right), axes->bottom + 44, SVG_MIDDLE,
             "font-size:14px;fill:#222", x_title);
    fprintf(stream, "<g transform=\"rotate(-90 %.1f %.1f)\">\n", axes->left - 52, middle);
    svg_text(stream, axes->left - 52, middle, SVG_MIDDLE, "font-size:14px;fill:#222", y_title);
    fputs("</g>\n", stream);
}
