/* SPDX-License-Identifier: MIT */
#include "verify_report.h"

#include "fail.h"
#include "json.h"
#include "system.h"
#include "text_table.h"

#include <math.h>

VerifyTally verify_tally(const VerifyResults *results)
{
    VerifyTally tally = {0};
    for (int index = 0; index < results->count; index++) {
        const VerifyRun *run = &results->runs[index];
        tally.failed += run->failed || run->row_count == 0;
        for (int row = 0; row < run->row_count; row++) {
            VerifyVerdict verdict = run->rows[row].verdict;
            tally.within += verdict == VERIFY_WITHIN;
            tally.outside += verdict == VERIFY_OUTSIDE;
            tally.reported += verdict == VERIFY_REPORTED;
            tally.failed += verdict == VERIFY_FAILED;
        }
    }
    return tally;
}

static void print_number(TextTable *table, double value)
{
    if (isfinite(value))
        text_table_cell(table, "%.4g", value);
    else
        text_table_cell(table, "%s", "");
}

static void print_row(TextTable *table, const VerifyRun *run, const VerifyRow *row)
{
    text_table_row(table);
    text_table_cell(table, "%s", row == run->rows ? run->of->name : "");
    text_table_cell(table, "%s", row->what);
    text_table_cell(table, "%.4g", row->measured);
    print_number(table, row->reference);
    text_table_cell(table, "%s", row->error);
    text_table_cell(table, "%s", row->tolerance);
    text_table_cell(table, "%s", verify_verdict_name(row->verdict));
    text_table_cell(table, "%s", row == run->rows ? run->of->source : "");
}

/* A case that was not run to its end. */
static void print_broken(TextTable *table, const VerifyRun *run)
{
    text_table_row(table);
    text_table_cell(table, "%s", run->of->name);
    text_table_cell(table, "(not run to its end)");
    for (int column = 0; column < 4; column++)
        text_table_cell(table, "%s", "");
    text_table_cell(table, "%s", verify_verdict_name(VERIFY_FAILED));
    text_table_cell(table, "%s", run->of->source);
}

void verify_print_table(const VerifyResults *results, FILE *stream)
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
                print_row(&table, run, &run->rows[row]);
            if (run->failed || run->row_count == 0)
                print_broken(&table, run);
        }
    }
    VerifyTally tally = verify_tally(results);
    fprintf(stream, "\n%d within, %d outside, %d failed, %d only reported", tally.within,
            tally.outside, tally.failed, tally.reported);
    if (results->count < results->planned)
        fprintf(stream, "; %d of %d cases were run", results->count, results->planned);
    double seconds = 0;
    for (int index = 0; index < results->count; index++)
        seconds += results->runs[index].seconds;
    fprintf(stream, "; took %.0f s", seconds);
    fputc('\n', stream);
}

static void number_text(double value, char text[32])
{
    text[0] = 0;
    if (isfinite(value))
        snprintf(text, 32, "%.4g", value);
}

void verify_print_markdown(const VerifyResults *results, FILE *stream)
{
    fputs("| case | what | measured | reference | error | tolerance | verdict |\n"
          "|---|---|---:|---:|---:|---:|---|\n",
          stream);
    for (int index = 0; index < results->count; index++) {
        const VerifyRun *run = &results->runs[index];
        for (const VerifyRow *row = run->rows; row < run->rows + run->row_count; row++) {
            char measured[32], reference[32];
            number_text(row->measured, measured);
            number_text(row->reference, reference);
            fprintf(stream, "| %s | %s | %s | %s | %s | %s | %s |\n", run->of->name, row->what,
                    measured, reference, row->error, row->tolerance,
                    verify_verdict_name(row->verdict));
        }
        if (run->failed || run->row_count == 0)
            fprintf(stream, "| %s | (not run to its end) | | | | | %s |\n", run->of->name,
                    verify_verdict_name(VERIFY_FAILED));
    }
}

static void json_row(Json *json, cJSON *parent, const VerifyRow *row)
{
    cJSON *item = json_object(json, parent, NULL);
    json_text(json, item, "what", row->what);
    json_number(json, item, "measured", row->measured);
    json_number(json, item, "reference", row->reference);
    json_number(json, item, "error", row->measured - row->reference);
    json_number(json, item, "least", row->low);
    json_number(json, item, "most", row->high);
    json_text(json, item, "tolerance", row->tolerance);
    json_text(json, item, "verdict", verify_verdict_name(row->verdict));
}

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
    for (int row = 0; row < run->row_count; row++)
        json_row(json, rows, &run->rows[row]);
}

bool verify_write_json(const VerifyResults *results, const char *path, BillowError *error)
{
    Json json = json_start();
    VerifyTally tally = verify_tally(results);
    char cpu[96];
    system_cpu_name(cpu, sizeof cpu);
    cJSON *machine = json_object(&json, json.root, "machine");
    json_text(&json, machine, "cpu", cpu);
    json_number(&json, machine, "threads", results->threads);
    json_text(&json, machine, "simd", billow_simd());
    json_text(&json, json.root, "version", BILLOW_VERSION);
    json_number(&json, json.root, "within", tally.within);
    json_number(&json, json.root, "outside", tally.outside);
    json_number(&json, json.root, "failed", tally.failed);
    json_number(&json, json.root, "reported", tally.reported);
    json_flag(&json, json.root, "finished", results->count == results->planned);
    cJSON *cases = json_array(&json, json.root, "cases");
    for (int index = 0; index < results->count; index++)
        json_case(&json, cases, &results->runs[index]);
    bool written = json_write(&json, path, error);
    json_finish(&json);
    return written;
}
