/* SPDX-License-Identifier: MIT
 * The page: for each case what it is, its rows, its curves. */
#include "verify_report.h"

#include "atomic_file.h"
#include "gnuplot.h"
#include "system.h"
#include "text_table.h"

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

/* False where there is nothing to draw. A logarithmic axis shows what is above 0. */
static bool shown(const VerifyPlot *plot, const double point[2])
{
    return (!plot->x_logarithmic || point[0] > 0) && (!plot->y_logarithmic || point[1] > 0);
}

static int count_shown(const VerifyPlot *plot, int series)
{
    int count = 0;
    for (int at = 0; at < plot->series[series].count; at++)
        count += shown(plot, plot->series[series].points[at]);
    return count;
}

static void put_axis(FILE *script, const char *axis, const char *title, bool logarithmic)
{
    fprintf(script, "set %slabel ", axis);
    gnuplot_text(script, title);
    fprintf(script, "\nset autoscale %sfix\n", axis);
    fprintf(script, logarithmic ? "set logscale %s\n" : "unset logscale %s\n", axis);
}

static void put_series(FILE *script, const VerifyPlot *plot, int index)
{
    const VerifySeries *series = &plot->series[index];
    fprintf(script, "$series%d << END\n", index);
    for (int at = 0; at < series->count; at++)
        if (shown(plot, series->points[at]))
            fprintf(script, "%.9g %.9g\n", series->points[at][0], series->points[at][1]);
    fputs("END\n", script);
}

static void put_lines(FILE *script, const VerifyPlot *plot)
{
    const char *before = "plot ";
    for (int index = 0; index < plot->series_count; index++) {
        const VerifySeries *series = &plot->series[index];
        if (count_shown(plot, index) == 0)
            continue;
        fprintf(script, "%s$series%d using 1:2 with ", before, index);
        if (series->style == VERIFY_DOTS)
            fprintf(script, "points pointtype 7 pointsize 0.4 linecolor '%s'", colours[index]);
        else
            fprintf(script, "lines linewidth 1.8 linecolor '%s'%s", colours[index],
                    series->style == VERIFY_DASHES ? " dashtype 2" : "");
        fputs(" title ", script);
        gnuplot_text(script, series->name);
        before = ", ";
    }
    fputc('\n', script);
}

static bool draw_plot(FILE *stream, const VerifyPlot *plot, BillowError *error)
{
    Gnuplot drawing;
    int points = 0;
    for (int index = 0; index < plot->series_count; index++)
        points += count_shown(plot, index);
    if (points == 0)
        return true;
    if (!gnuplot_open(&drawing, WIDTH, HEIGHT, plot->title, error))
        return false;
    put_axis(drawing.script, "x", plot->x_title, plot->x_logarithmic);
    put_axis(drawing.script, "y", plot->y_title, plot->y_logarithmic);
    fputs("set offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n", drawing.script);
    for (int index = 0; index < plot->series_count; index++)
        put_series(drawing.script, plot, index);
    put_lines(drawing.script, plot);
    return gnuplot_draw(&drawing, true, stream, error);
}

static void write_cell(FILE *stream, const char *kind, const char *text)
{
    fprintf(stream, "<td class=\"%s\">", kind);
    text_markup(stream, text);
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
    text_markup(stream, text);
    fprintf(stream, "</%.2s>\n", tag[0] == 'p' ? "p" : tag);
}

static bool write_case(FILE *stream, const VerifyRun *run, BillowError *error)
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
        if (!draw_plot(stream, &run->plots[plot], error))
            return false;
    fputs("</section>\n", stream);
    return true;
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
        if (!write_case(file.stream, &results->runs[index], error)) {
            atomic_file_abandon(&file);
            return false;
        }
    fputs("</body></html>\n", file.stream);
    return atomic_file_commit(&file, error);
}
