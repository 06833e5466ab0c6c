/* SPDX-License-Identifier: MIT
 * The page: for each case what it is, its rows, its curves. */
#include "verify_report.h"

#include "atomic_file.h"
#include "svg.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 620, HEIGHT = 420 };

/* Distinct to every kind of eye. */
static const char *const colours[VERIFY_SERIES_MAX] = {"#1f4e9c", "#c44e17", "#2f8f5b",
                                                       "#8a3fa0", "#8a6d00", "#444444"};

static const char style_sheet[] =
    "body{font:15px/1.5 'DejaVu Sans',Verdana,sans-serif;max-width:72rem;margin:2rem auto;"
    "padding:0 1rem;color:#1a1d21;background:#fff}"
    "table{border-collapse:collapse;margin:.6rem 0}"
    "th,td{padding:.25rem .7rem;border-bottom:1px solid #dde1e6;text-align:left}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".within{color:#17692f}.outside,.failed{color:#a4161a;font-weight:bold}.reported{color:#555}"
    "h2{margin:2.2rem 0 .2rem;font-size:1.2rem}p{margin:.2rem 0}p.setup{color:#444}"
    "svg{max-width:100%;height:auto}";

static void widen(double *least, double *most, double value)
{
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

static void fit_axis(double *least, double *most, bool logarithmic)
{
    if (logarithmic) {
        double pad = fmax(1.15, sqrt(fmax(1, 4 * *least / *most)));
        *least /= pad;
        *most *= pad;
        return;
    }
    double range = *most - *least;
    double pad = range > 0 ? 0.04 * range : fmax(fabs(*most), 1);
    *least -= pad;
    *most += pad;
}

/* False where there is nothing to draw. A logarithmic axis shows what is above 0. */
static bool shown(const VerifyPlot *plot, const double point[2])
{
    return (!plot->x_logarithmic || point[0] > 0) && (!plot->y_logarithmic || point[1] > 0);
}

static bool fit_axes(const VerifyPlot *plot, SvgAxes *axes)
{
    const double infinite = (double)INFINITY;
    *axes = (SvgAxes){.left = 84,
                      .right = WIDTH - 24,
                      .top = 44,
                      .bottom = HEIGHT - 58,
                      .x_least = infinite,
                      .x_most = -infinite,
                      .y_least = infinite,
                      .y_most = -infinite,
                      .x_linear = !plot->x_logarithmic,
                      .y_linear = !plot->y_logarithmic};
    for (int series = 0; series < plot->series_count; series++)
        for (int index = 0; index < plot->series[series].count; index++) {
            const double *point = plot->series[series].points[index];
            if (!shown(plot, point))
                continue;
            widen(&axes->x_least, &axes->x_most, point[0]);
            widen(&axes->y_least, &axes->y_most, point[1]);
        }
    if (!(axes->x_least <= axes->x_most))
        return false;
    fit_axis(&axes->x_least, &axes->x_most, plot->x_logarithmic);
    fit_axis(&axes->y_least, &axes->y_most, plot->y_logarithmic);
    return true;
}

static void draw_series(FILE *stream, const SvgAxes *axes, const VerifyPlot *plot, int index)
{
    const VerifySeries *series = &plot->series[index];
    bool dots = series->style == VERIFY_DOTS;
    if (!dots)
        fprintf(stream, "<polyline style=\"fill:none;stroke:%s;stroke-width:1.8%s\" points=\"",
                colours[index], series->style == VERIFY_DASHES ? ";stroke-dasharray:6 4" : "");
    for (int at = 0; at < series->count; at++) {
        const double *point = series->points[at];
        if (!shown(plot, point))
            continue;
        double x = svg_x(axes, point[0]), y = svg_y(axes, point[1]);
        if (dots)
            fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", x, y,
                    colours[index]);
        else
            fprintf(stream, "%.1f,%.1f ", x, y);
    }
    if (!dots)
        fputs("\"/>\n", stream);
}

static void draw_legend(FILE *stream, const SvgAxes *axes, const VerifyPlot *plot)
{
    int row = 0;
    for (int index = 0; index < plot->series_count; index++) {
        char style[128];
        if (plot->series[index].count == 0)
            continue;
        snprintf(style, sizeof style,
                 "font-size:13px;fill:%s;stroke:#fff;stroke-width:4px;paint-order:stroke",
                 colours[index]);
        svg_text(stream, axes->right - 10, axes->top + 18 + 17 * row++, SVG_END, style,
                 plot->series[index].name);
    }
}

static void draw_plot(FILE *stream, const VerifyPlot *plot)
{
    SvgAxes axes;
    if (!fit_axes(plot, &axes))
        return;
    svg_begin_inline(stream, WIDTH, HEIGHT, plot->title);
    svg_text(stream, axes.left, 26, SVG_START, "font-size:16px;font-weight:bold;fill:#111",
             plot->title);
    svg_axes(stream, &axes, plot->x_title, plot->y_title);
    for (int index = 0; index < plot->series_count; index++)
        draw_series(stream, &axes, plot, index);
    draw_legend(stream, &axes, plot);
    svg_end(stream);
}

static void write_cell(FILE *stream, const char *kind, const char *text)
{
    fprintf(stream, "<td class=\"%s\">", kind);
    svg_escape(stream, text);
    fputs("</td>", stream);
}

static void write_number(FILE *stream, double value)
{
    char text[32] = "";
    if (isfinite(value))
        snprintf(text, sizeof text, "%.5g", value);
    write_cell(stream, "n", text);
}

static void write_row(FILE *stream, const VerifyRow *row)
{
    const char *verdict = verify_verdict_name(row->verdict);
    fputs("<tr>", stream);
    write_cell(stream, "", row->what);
    write_number(stream, row->measured);
    write_number(stream, row->reference);
    write_cell(stream, "n", row->error);
    write_cell(stream, "", row->tolerance);
    write_cell(stream, verdict, verdict);
    fputs("</tr>\n", stream);
}

static void write_text(FILE *stream, const char *tag, const char *text)
{
    fprintf(stream, "<%s>", tag);
    svg_escape(stream, text);
    fprintf(stream, "</%.2s>\n", tag[0] == 'p' ? "p" : tag);
}

static void write_case(FILE *stream, const VerifyRun *run)
{
    char line[160];
    fprintf(stream, "<section id=\"%s\">\n", run->of->name);
    write_text(stream, "h2", run->of->name);
    write_text(stream, "p", run->of->summary);
    write_text(stream, "p class=\"setup\"", run->of->setup);
    snprintf(line, sizeof line, "Source: %.90s. Took %.1f s.", run->of->source, run->seconds);
    write_text(stream, "p class=\"setup\"", line);
    if (run->failed)
        write_text(stream, "p class=\"failed\"", run->error.text);
    if (run->row_count > 0)
        fputs("<table><tr><th>what</th><th class=\"n\">measured</th><th class=\"n\">reference</th>"
              "<th class=\"n\">error</th><th>tolerance</th><th>verdict</th></tr>\n",
              stream);
    for (int row = 0; row < run->row_count; row++)
        write_row(stream, &run->rows[row]);
    if (run->row_count > 0)
        fputs("</table>\n", stream);
    for (int plot = 0; plot < run->plot_count; plot++)
        draw_plot(stream, &run->plots[plot]);
    fputs("</section>\n", stream);
}

static void write_head(FILE *stream, const VerifyResults *results)
{
    VerifyTally tally = verify_tally(results);
    char cpu[96], line[256];
    system_cpu_name(cpu, sizeof cpu);
    fprintf(stream,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            "<title>Billow against the literature</title><style>%s</style></head>\n<body>\n"
            "<h1>Billow against the literature</h1>\n",
            style_sheet);
    snprintf(line, sizeof line, "Billow %s, %s, %d thread%s, %s.", BILLOW_VERSION, cpu,
             results->threads, results->threads == 1 ? "" : "s", billow_simd());
    write_text(stream, "p", line);
    snprintf(line, sizeof line,
             "%d of %d cases: %d rows within, %d outside, %d failed, %d reported.", results->count,
             results->planned, tally.within, tally.outside, tally.failed, tally.reported);
    write_text(stream, "p", line);
    fputs(
        "<p>A row promises a tolerance or only reports; the tolerance is that of the source or of "
        "what Billow promises. Solved in three dimensions throughout; flows of two are thin "
        "slabs.</p>\n",
        stream);
}

bool verify_write_page(const VerifyResults *results, const char *path, BillowError *error)
{
    AtomicFile file;
    if (!atomic_file_open(&file, path, error))
        return false;
    write_head(file.stream, results);
    for (int index = 0; index < results->count; index++)
        write_case(file.stream, &results->runs[index]);
    fputs("</body></html>\n", file.stream);
    return atomic_file_commit(&file, error);
}
