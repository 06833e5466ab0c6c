/* SPDX-License-Identifier: MIT
 * The command `verify`: its arguments, and its results as a table, as JSON and as a page. */
#include "base/fail.h"
#include "base/number.h"
#include "base/system.h"
#include "cli/command.h"
#include "io/atomic_file.h"
#include "io/gnuplot.h"
#include "io/json.h"
#include "io/text_table.h"
#include "mpi/cluster.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct VerifyResults {
    const VerifyRun *runs;
    int count, planned; /* cases; count < planned: the run was interrupted */
    int threads;
} VerifyResults;

/* Numbers of rows by verdict. A case that failed, or has no rows, counts as one failed row. */
typedef struct VerifyTally {
    int within, outside, reported, failed;
} VerifyTally;

/* -- the table --------------------------------------------------------------------------------- */

static VerifyTally tally(const VerifyResults *results)
{
    VerifyTally sums = {0};
    for (int index = 0; index < results->count; index++) {
        const VerifyRun *run = &results->runs[index];
        sums.failed += run->failed || run->row_count == 0;
        for (int row = 0; row < run->row_count; row++) {
            VerifyVerdict verdict = run->rows[row].verdict;
            sums.within += verdict == VERIFY_WITHIN;
            sums.outside += verdict == VERIFY_OUTSIDE;
            sums.reported += verdict == VERIFY_REPORTED;
            sums.failed += verdict == VERIFY_FAILED;
        }
    }
    return sums;
}

/* Formats a number, or nothing if it is not finite. */
static const char *number_text(const char *format, double value, char text[32])
{
    text[0] = 0;
    if (isfinite(value))
        number_print(text, 32, format, value);
    return text;
}

/* The row of a case that did not finish. */
static const VerifyRow broken = {.what = "(not run to its end)",
                                 .measured = UNKNOWN,
                                 .reference = UNKNOWN,
                                 .verdict = VERIFY_FAILED};

/* named: whether the row has the name and the source of the case. */
static void print_row(TextTable *table, const VerifyRun *run, const VerifyRow *row, bool named)
{
    char measured[32], reference[32];
    const char *const cells[] = {named ? run->of->name : "",
                                 row->what,
                                 number_text("%.4g", row->measured, measured),
                                 number_text("%.4g", row->reference, reference),
                                 row->error,
                                 row->tolerance,
                                 verify_verdict_name(row->verdict),
                                 named ? run->of->source : ""};
    text_table_row(table);
    for (size_t cell = 0; cell < sizeof cells / sizeof cells[0]; cell++)
        text_table_cell(table, "%s", cells[cell]);
}

static void print_table(const VerifyResults *results, FILE *stream)
{
    static const char *const headings[] = {"case",  "what",      "measured", "reference",
                                           "error", "tolerance", "verdict",  "source"};
    TextTable table = {.stream = stream, .left = true};
    while (text_table_pass(&table)) {
        for (int column = 0; column < (int)(sizeof headings / sizeof headings[0]); column++)
            text_table_cell(&table, "%s", headings[column]);
        for (int index = 0; index < results->count; index++) {
            const VerifyRun *run = &results->runs[index];
            for (int row = 0; row < run->row_count; row++)
                print_row(&table, run, &run->rows[row], row == 0);
            if (run->failed || run->row_count == 0)
                print_row(&table, run, &broken, true);
        }
    }
    VerifyTally sums = tally(results);
    fprintf(stream, "\n%d within, %d outside, %d failed, %d only reported", sums.within,
            sums.outside, sums.failed, sums.reported);
    if (results->count < results->planned)
        fprintf(stream, "; %d of %d cases were run", results->count, results->planned);
    double seconds = 0;
    for (int index = 0; index < results->count; index++)
        seconds += results->runs[index].seconds;
    number_fprint(stream, "; took %.0f s", seconds);
    fputc('\n', stream);
}

static void print_markdown(const VerifyResults *results, FILE *stream)
{
    fputs("| case | what | measured | reference | error | tolerance | verdict |\n"
          "|---|---|---:|---:|---:|---:|---|\n",
          stream);
    for (int index = 0; index < results->count; index++) {
        const VerifyRun *run = &results->runs[index];
        for (const VerifyRow *row = run->rows; row < run->rows + run->row_count; row++) {
            char measured[32], reference[32];
            number_fprint(stream, "| %s | %s | %s | %s | %s | %s | %s |\n", run->of->name,
                          row->what, number_text("%.4g", row->measured, measured),
                          number_text("%.4g", row->reference, reference), row->error,
                          row->tolerance, verify_verdict_name(row->verdict));
        }
        if (run->failed || run->row_count == 0)
            fprintf(stream, "| %s | (not run to its end) | | | | | %s |\n", run->of->name,
                    verify_verdict_name(VERIFY_FAILED));
    }
}

/* -- JSON -------------------------------------------------------------------------------------- */

static void json_case(Json *json, cJSON *parent, const VerifyRun *run)
{
    cJSON *item = json_object(json, parent, NULL);
    json_text(json, item, "name", run->of->name);
    json_text(json, item, "summary", run->of->summary);
    json_text(json, item, "source", run->of->source);
    json_text(json, item, "setup", run->of->setup);
    json_number(json, item, "seconds", run->seconds);
    json_text(json, item, "verdict", verify_verdict_name(verify_verdict(run)));
    if (run->failed)
        json_text(json, item, "failure", run->error.text);
    cJSON *rows = json_array(json, item, "rows");
    for (const VerifyRow *row = run->rows; row < run->rows + run->row_count; row++) {
        item = json_object(json, rows, NULL);
        json_text(json, item, "what", row->what);
        json_number(json, item, "measured", row->measured);
        json_number(json, item, "reference", row->reference);
        json_number(json, item, "error", row->measured - row->reference);
        json_number(json, item, "least", row->low);
        json_number(json, item, "most", row->high);
        json_text(json, item, "tolerance", row->tolerance);
        json_text(json, item, "verdict", verify_verdict_name(row->verdict));
    }
}

static bool write_json(const VerifyResults *results, const char *path, BillowError *error)
{
    Json json = json_start();
    VerifyTally sums = tally(results);
    char cpu[96];
    system_cpu_name(cpu, sizeof cpu);
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", cpu);
    json_number(&json, machine, "threads", results->threads);
    json_text(&json, machine, "simd", billow_simd());
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_number(&json, json.root, "within", sums.within);
    json_number(&json, json.root, "outside", sums.outside);
    json_number(&json, json.root, "failed", sums.failed);
    json_number(&json, json.root, "reported", sums.reported);
    json_flag(&json, json.root, "finished", results->count == results->planned);
    cJSON *cases = json_array(&json, json.root, "cases");
    for (int index = 0; index < results->count; index++)
        json_case(&json, cases, &results->runs[index]);
    return json_write(&json, path, error);
}

/* -- the page ---------------------------------------------------------------------------------- */

enum { WIDTH = 620, HEIGHT = 420 }; /* of a plot, pixels */

/* Colours of curves, which are distinct with any kind of colour vision. */
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

/* Whether a point is drawn. A logarithmic axis has no place for values up to 0. */
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

/* The points of each curve as a block of data, and the curves. */
static void put_lines(FILE *script, const VerifyPlot *plot)
{
    const char *before = "plot ";
    for (int index = 0; index < plot->series_count; index++) {
        const VerifySeries *series = &plot->series[index];
        fprintf(script, "$series%d << END\n", index);
        for (int at = 0; at < series->count; at++)
            if (shown(plot, series->points[at]))
                number_fprint(script, "%.9g %.9g\n", series->points[at][0], series->points[at][1]);
        fputs("END\n", script);
    }
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
    put_lines(drawing.script, plot);
    return gnuplot_draw(&drawing, true, stream, error);
}

static void write_cell(FILE *stream, const char *kind, const char *text)
{
    fprintf(stream, "<td class=\"%s\">", kind);
    text_markup(stream, text);
    fputs("</td>", stream);
}

static void write_row(FILE *stream, const VerifyRow *row)
{
    char measured[32], reference[32];
    const char *verdict = verify_verdict_name(row->verdict);
    fputs("<tr>", stream);
    write_cell(stream, "", row->what);
    write_cell(stream, "n", number_text("%.5g", row->measured, measured));
    write_cell(stream, "n", number_text("%.5g", row->reference, reference));
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
    number_print(line, sizeof line, "Source: %.90s. Took %.1f s.", run->of->source, run->seconds);
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
    VerifyTally sums = tally(results);
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
             results->planned, sums.within, sums.outside, sums.failed, sums.reported);
    write_text(stream, "p", line);
    fputs(
        "<p>A row promises a tolerance or only reports. The tolerance is that of the source or of "
        "Billow's promise. All flows are simulated in three dimensions; two-dimensional flows are "
        "thin slabs.</p>\n",
        stream);
}

static bool write_page(const VerifyResults *results, const char *path, BillowError *error)
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

/* -- the command ------------------------------------------------------------------------------- */

enum { CASES_MAX = 64, PATH_ROOM = 4096 };

typedef struct VerifySettings {
    CommandScene scene; /* operands are the cases */
    bool list, full, markdown;
    const char *report, *json;
} VerifySettings;

static const ArgsOption options[] = {
    ARGS_ROW_FLAG("list", VerifySettings, list, "list the cases and run none"),
    ARGS_ROW_FLAG("full", VerifySettings, full,
                  "run all cases, not just the quick ones; takes hours on a small machine"),
    ARGS_ROW_FLAG("markdown", VerifySettings, markdown,
                  "print the table in Markdown, as in the manual"),
    ARGS_ROW_TEXT("report", "DIR", VerifySettings, report,
                  "write index.html with plots into this folder, which is created if needed; needs "
                  "gnuplot"),
    ARGS_ROW_TEXT(
        "json", "FILE", VerifySettings, json,
        "write the results as JSON; FILE may be - for standard output, without the table"),
    {.type = ARGS_END},
};

static const char *case_name(int index)
{
    const VerifyCase *at = verify_case(index);
    return at != NULL ? at->name : NULL;
}

/* Chooses the named cases, each once, in the order of the list. */
static bool choose(const VerifySettings *settings, VerifyRun *runs, int *count, BillowError *error)
{
    const ArgsTexts *names = &settings->scene.operands;
    const VerifyCase *at;
    for (int n = 0; n < names->count; n++)
        if (args_find(names->items[n], case_name, "there is no case",
                      "'billow verify --list' lists them", error) < 0)
            return false;
    *count = 0;
    for (int index = 0; (at = verify_case(index)) != NULL && *count < CASES_MAX; index++) {
        bool chosen = names->count == 0 && (at->quick || settings->full);
        for (int n = 0; n < names->count; n++)
            chosen |= strcmp(names->items[n], at->name) == 0;
        if (chosen)
            runs[(*count)++] = (VerifyRun){.of = at, .threads = settings->scene.request.threads};
    }
    return true;
}

typedef struct Watch {
    Progress progress;
    char what[96];
} Watch;

static bool go_on(void *context, double share)
{
    Watch *watch = context;
    progress_update(&watch->progress, watch->what, (int)(1000 * share), 1000);
    return !system_interrupted();
}

/* Runs the cases one after the other. *done becomes the number of finished cases. */
static Status run_cases(const VerifySettings *settings, VerifyRun *runs, int count, int *done)
{
    Status status = STATUS_DONE;
    system_hush_graphics();
    for (*done = 0; *done < count && status == STATUS_DONE; *done += status == STATUS_DONE) {
        VerifyRun *run = &runs[*done];
        Watch watch = {.progress = progress_start(settings->scene.request.quiet)};
        snprintf(watch.what, sizeof watch.what, "case %d of %d, %s:", *done + 1, count,
                 run->of->name);
        run->go_on = go_on;
        run->context = &watch;
        verify_run(run);
        progress_end(&watch.progress);
        if (run->stopped)
            status = STATUS_INTERRUPTED;
    }
    return status;
}

static bool write_results(const VerifySettings *settings, const VerifyResults *results,
                          const char *page, BillowError *error)
{
    if (!output_is_stdout(settings->json))
        (settings->markdown ? print_markdown : print_table)(results, stdout);
    return (settings->json == NULL || write_json(results, settings->json, error)) &&
           (settings->report == NULL || write_page(results, page, error));
}

static Status judge(const VerifyResults *results, BillowError *error)
{
    VerifyTally sums = tally(results);
    for (int index = 0; index < results->count; index++)
        if (results->runs[index].failed) {
            *error = results->runs[index].error;
            return STATUS_FAILED;
        }
    if (sums.outside + sums.failed == 0)
        return STATUS_DONE;
    fail(error, "%d of %d rows that promise a tolerance are outside of it; the table names them",
         sums.outside + sums.failed, sums.within + sums.outside + sums.failed);
    return STATUS_FAILED;
}

/* Reports and judges the finished cases, even if the run was interrupted. */
static Status finish(const VerifySettings *settings, const VerifyResults *results, const char *page,
                     Status status, BillowError *error)
{
    BillowError reason;
    bool written = results->count == 0 || write_results(settings, results, page, &reason);
    if (status == STATUS_DONE)
        status = judge(results, error);
    if (written || status == STATUS_INTERRUPTED)
        return status;
    *error = reason;
    return STATUS_FAILED;
}

static Status verify(const VerifySettings *settings, VerifyRun *runs, BillowError *error)
{
    char page[PATH_ROOM];
    int count = 0;
    Outputs outputs = {.force = settings->scene.force};
    const char *folder = settings->report;
    if (!choose(settings, runs, &count, error))
        return STATUS_USAGE;
    int length = folder != NULL ? snprintf(page, sizeof page, "%s/index.html", folder) : 0;
    if (length < 0 || (size_t)length >= sizeof page)
        return status_fail(STATUS_USAGE, error, "%.200s...: this path is too long", folder);
    outputs_add(&outputs, "--json", settings->json);
    outputs_add(&outputs, "--report", settings->report != NULL ? page : NULL);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    bool ready = settings->report == NULL || !cluster_leads() ||
                 (gnuplot_available(error) && system_make_folder(settings->report, error));
    if (!cluster_agree(ready, error))
        return STATUS_FAILED;
    system_watch_interrupts();
    status = outputs_probe(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    VerifyResults results = {.runs = runs, .planned = count};
    results.threads =
        settings->scene.request.threads > 0 ? settings->scene.request.threads : system_cores();
    status = run_cases(settings, runs, count, &results.count);
    if (cluster_leads()) /* it alone has all rows */
        status = finish(settings, &results, page, status, error);
    status = cluster_status(status, error);
    for (int index = 0; index < count; index++)
        verify_finish(&runs[index]);
    return status;
}

static Status run(const void *memory, BillowError *error)
{
    const VerifySettings *settings = memory;
    const VerifyCase *at;
    for (int index = 0; settings->list && (at = verify_case(index)) != NULL; index++)
        printf("%-22s %-5s  %s (%s)\n", at->name, at->quick ? "quick" : "full", at->summary,
               at->source);
    if (settings->list)
        return STATUS_DONE;
    VerifyRun *runs = calloc(CASES_MAX, sizeof *runs);
    if (runs == NULL)
        fail(error, "no memory for the results");
    Status status = STATUS_FAILED;
    if (cluster_agree(runs != NULL, error))
        status = verify(settings, runs, error);
    free(runs);
    return status;
}

static const char notes[] =
    "The cases are flows and pictures that the literature describes. Each row gives the measured\n"
    "value, the value of the source, their difference, and whether it is within the promised\n"
    "tolerance. Rows without a tolerance only report. Exit status 0: all rows with a tolerance\n"
    "are within it.\n"
    "\n"
    "Without names, the quick cases run (under two minutes on two cores). Under mpirun the ranks\n"
    "divide the simulations; the table is the same.\n";

const Command command_verify = {
    .spec = {.name = "verify",
             .summary = "run cases from the literature and compare the results",
             .examples =
                 "  billow verify                               the quick cases\n"
                 "  billow verify --list                        all cases and their sources\n"
                 "  billow verify zalesak --report results      plots and tables in results/\n",
             .operand = "[CASE...]",
             .operand_help = "cases to run, quick or not; --list names them",
             .operands_most = CASES_MAX,
             .operands_offset = offsetof(CommandScene, operands),
             .tables = {options, command_threads_options, command_quiet_options,
                        command_force_options},
             .notes = notes},
    .settings_size = sizeof(VerifySettings),
    .run = run,
    .divides = command_always,
};
