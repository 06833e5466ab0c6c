/* SPDX-License-Identifier: MIT */
#include "atomic_file.h"
#include "command.h"
#include "fail.h"
#include "gnuplot.h"
#include "system.h"
#include "verify_report.h"

#include <stdlib.h>
#include <string.h>

enum { CASES_MAX = 64, PATH_ROOM = 4096 };

typedef struct VerifySettings {
    CommandScene scene; /* operands are the cases */
    bool list, full, markdown;
    const char *report, *json;
} VerifySettings;

static const ArgsOption options[] = {
    {.name = "list",
     .help = "list the cases and run none",
     .type = ARGS_FLAG,
     .offset = offsetof(VerifySettings, list)},
    {.name = "full",
     .help = "run all cases, not just the quick ones; takes hours on a small machine",
     .type = ARGS_FLAG,
     .offset = offsetof(VerifySettings, full)},
    {.name = "markdown",
     .help = "print the table in Markdown, as in the manual",
     .type = ARGS_FLAG,
     .offset = offsetof(VerifySettings, markdown)},
    {.name = "report",
     .placeholder = "DIR",
     .help = "write index.html with plots into this folder, which is created if needed; needs "
             "gnuplot",
     .type = ARGS_TEXT,
     .offset = offsetof(VerifySettings, report)},
    {.name = "json",
     .placeholder = "FILE",
     .help = "write the results as JSON; FILE may be - for standard output, without the table",
     .type = ARGS_TEXT,
     .offset = offsetof(VerifySettings, json)},
    {.type = ARGS_END},
};

static Status list_cases(void)
{
    const VerifyCase *at;
    for (int index = 0; (at = verify_case(index)) != NULL; index++)
        printf("%-22s %-5s  %s (%s)\n", at->name, at->quick ? "quick" : "full", at->summary,
               at->source);
    return STATUS_DONE;
}

static bool unknown_case(const char *name, BillowError *error)
{
    ArgsSuggestion suggestion = {.word = name};
    const VerifyCase *at;
    for (int index = 0; (at = verify_case(index)) != NULL; index++)
        args_suggest(&suggestion, at->name);
    if (suggestion.best != NULL)
        return fail(error, "there is no case '%.200s'; did you mean '%s'?", name, suggestion.best);
    return fail(error, "there is no case '%.200s'; 'billow verify --list' names them", name);
}

/* Chooses the named cases, each once, in the order of the list. */
static bool choose(const VerifySettings *settings, VerifyRun *runs, int *count, BillowError *error)
{
    const ArgsTexts *names = &settings->scene.operands;
    const VerifyCase *at;
    for (int n = 0; n < names->count; n++)
        if (verify_find(names->items[n]) == NULL)
            return unknown_case(names->items[n], error);
    *count = 0;
    for (int index = 0; (at = verify_case(index)) != NULL && *count < CASES_MAX; index++) {
        bool chosen = names->count == 0 && (at->quick || settings->full);
        for (int n = 0; n < names->count; n++)
            chosen |= strcmp(names->items[n], at->name) == 0;
        if (chosen)
            runs[(*count)++] = (VerifyRun){.of = at, .threads = settings->scene.threads};
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

/* Runs the cases one after the other. done: number of those that were finished. */
static Status run_cases(const VerifySettings *settings, VerifyRun *runs, int count, int *done)
{
    Status status = STATUS_DONE;
    system_hush_graphics();
    for (*done = 0; *done < count && status == STATUS_DONE; *done += status == STATUS_DONE) {
        VerifyRun *run = &runs[*done];
        Watch watch = {.progress = progress_start(settings->scene.quiet)};
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

/* The path of the page of --report; untouched where that was not given. */
static bool page_path(const char *folder, char page[PATH_ROOM], BillowError *error)
{
    int length = folder != NULL ? snprintf(page, PATH_ROOM, "%s/index.html", folder) : 0;
    return (length >= 0 && length < PATH_ROOM) ||
           fail(error, "%.200s...: this path is too long", folder);
}

static bool write_results(const VerifySettings *settings, const VerifyResults *results,
                          const char *page, BillowError *error)
{
    if (!output_is_stdout(settings->json))
        (settings->markdown ? verify_print_markdown : verify_print_table)(results, stdout);
    return (settings->json == NULL || verify_write_json(results, settings->json, error)) &&
           (settings->report == NULL || verify_write_page(results, page, error));
}

static Status judge(const VerifyResults *results, BillowError *error)
{
    VerifyTally tally = verify_tally(results);
    for (int index = 0; index < results->count; index++)
        if (results->runs[index].failed) {
            *error = results->runs[index].error;
            return STATUS_FAILED;
        }
    if (tally.outside + tally.failed == 0)
        return STATUS_DONE;
    fail(error, "%d of %d rows that promise a tolerance are outside of it; the table names them",
         tally.outside + tally.failed, tally.within + tally.outside + tally.failed);
    return STATUS_FAILED;
}

/* Finished cases are reported even when the run failed or was interrupted. */
static Status verify(const VerifySettings *settings, VerifyRun *runs, BillowError *error)
{
    char page[PATH_ROOM];
    int count;
    BillowError reason;
    Outputs outputs = {.force = settings->scene.force};
    if (!choose(settings, runs, &count, error) || !page_path(settings->report, page, error))
        return STATUS_USAGE;
    outputs_add(&outputs, "--json", settings->json);
    outputs_add(&outputs, "--report", settings->report != NULL ? page : NULL);
    Status status = outputs_check(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    if (settings->report != NULL &&
        (!gnuplot_available(error) || !system_make_folder(settings->report, error)))
        return STATUS_FAILED;
    status = outputs_probe(&outputs, error);
    if (status != STATUS_DONE)
        return status;
    system_watch_interrupts();
    VerifyResults results = {.runs = runs, .planned = count};
    results.threads = settings->scene.threads > 0 ? settings->scene.threads : system_cores();
    status = run_cases(settings, runs, count, &results.count);
    bool written = results.count == 0 || write_results(settings, &results, page, &reason);
    if (status == STATUS_DONE)
        status = judge(&results, error);
    if (!written && status != STATUS_INTERRUPTED) {
        *error = reason;
        status = STATUS_FAILED;
    }
    for (int index = 0; index < count; index++)
        verify_finish(&runs[index]);
    return status;
}

static Status run(const void *memory, BillowError *error)
{
    const VerifySettings *settings = memory;
    if (settings->list)
        return list_cases();
    VerifyRun *runs = calloc(CASES_MAX, sizeof *runs);
    if (runs == NULL) {
        fail(error, "no memory for the results");
        return STATUS_FAILED;
    }
    Status status = verify(settings, runs, error);
    free(runs);
    return status;
}

static const char notes[] =
    "Runs flows and pictures that the literature describes. Each row gives the measured value,\n"
    "the value of the source, their difference, and whether it is within the promised tolerance.\n"
    "Rows without a tolerance only report. Exit status 0: all rows with a tolerance are within.\n"
    "\n"
    "Without names, the quick cases run (under two minutes on two cores).\n";

const Command command_verify = {
    .spec = {.name = "verify",
             .summary = "run cases from the literature and compare the results",
             .operand = "[CASE...]",
             .operand_help = "cases to run, quick or not; --list names them",
             .operands_most = CASES_MAX,
             .operands_offset = offsetof(CommandScene, operands),
             .tables = {options, command_threads_options, command_quiet_options,
                        command_force_options},
             .notes = notes},
    .settings_size = sizeof(VerifySettings),
    .run = run,
};
