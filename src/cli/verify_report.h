/* SPDX-License-Identifier: MIT
 * The results of `billow verify` as a table, as JSON and as a page with plots. */
#ifndef CLI_VERIFY_REPORT_H
#define CLI_VERIFY_REPORT_H

#include "verify.h"
#include <stdio.h>

typedef struct VerifyResults {
    const VerifyRun *runs;
    int count, planned; /* count < planned: interrupted */
    int threads;
} VerifyResults;

/* Numbers of rows by verdict. */
typedef struct VerifyTally {
    int within, outside, reported, failed;
} VerifyTally;
VerifyTally verify_tally(const VerifyResults *results);

void verify_print_table(const VerifyResults *results, FILE *stream);
/* The same rows as a table in Markdown. */
void verify_print_markdown(const VerifyResults *results, FILE *stream);
/* Whole or not at all; "-" is standard output. */
bool verify_write_json(const VerifyResults *results, const char *path, BillowError *error);
/* One page of HTML, with its plots inside; gnuplot draws them. */
bool verify_write_page(const VerifyResults *results, const char *path, BillowError *error);

#endif
