/* SPDX-License-Identifier: MIT
 *
 * Flows that the literature describes, run by the solver through its public header alone and
 * measured: what `billow verify` runs. A case has a name, says where its figures come from, and
 * answers with rows (measured, reference, tolerance, verdict) and curves.
 *
 * A row promises something (it has limits, and lies within them or outside), or it only reports.
 * Limits come from the literature's spread or from what Billow promises, never from what Billow
 * happens to measure.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <billow/billow.h>
#include <stdint.h>

enum {
    VERIFY_ROWS_MAX = 16,
    VERIFY_PLOTS_MAX = 4,
    VERIFY_SERIES_MAX = 6,
    VERIFY_WORDS = 96,
};

typedef enum VerifyVerdict {
    VERIFY_WITHIN,
    VERIFY_OUTSIDE,
    VERIFY_REPORTED, /* nothing is promised */
    VERIFY_FAILED    /* the case could not be run, or ended in no finite number */
} VerifyVerdict;

typedef struct VerifyRow {
    char what[VERIFY_WORDS];
    double measured;
    double reference;             /* NaN where there is none */
    double low, high;             /* of what was measured; infinite where that side is free */
    char error[32];               /* as a person reads it; empty where there is no reference */
    char tolerance[VERIFY_WORDS]; /* likewise; empty where nothing is promised */
    VerifyVerdict verdict;
} VerifyRow;

typedef enum VerifyStyle { VERIFY_LINE, VERIFY_DASHES, VERIFY_DOTS } VerifyStyle;

typedef struct VerifySeries {
    char name[VERIFY_WORDS];
    VerifyStyle style;
    double (*points)[2];
    int count, room;
} VerifySeries;

typedef struct VerifyPlot {
    const char *title, *x_title, *y_title;
    bool x_logarithmic, y_logarithmic;
    VerifySeries series[VERIFY_SERIES_MAX];
    int series_count;
} VerifyPlot;

typedef struct VerifyRun VerifyRun;

typedef struct VerifyCase {
    const char *name;
    const char *summary; /* one line */
    const char *source;  /* author and year */
    const char *setup;   /* how it is run here, in a sentence or two */
    bool quick;          /* among those that run when none is named */
    void (*run)(VerifyRun *run);
} VerifyCase;

struct VerifyRun {
    const VerifyCase *of;
    int threads; /* as BillowDef.threads */
    /* Asked after every step with the share of the case that is done; false ends the case. */
    bool (*go_on)(void *context, double share);
    void *context;
    VerifyRow rows[VERIFY_ROWS_MAX];
    int row_count;
    VerifyPlot plots[VERIFY_PLOTS_MAX];
    int plot_count;
    bool stopped; /* by go_on */
    bool failed;  /* error says why */
    BillowError error;
    double seconds;
    double planned, stepped; /* cells to be stepped in all, and so far, for the share done */
};

/* In the order in which they are listed and run; NULL past the end. */
const VerifyCase *verify_case(int index);
const VerifyCase *verify_find(const char *name); /* NULL where there is none */

/* Runs the case named in run->of, whose threads, go_on and context are set and all else zero. */
void verify_run(VerifyRun *run);
void verify_finish(VerifyRun *run); /* frees the curves */

/* The worst of its rows: failed, outside, within; reported where no row promises anything. */
VerifyVerdict verify_verdict(const VerifyRun *run);
const char *verify_verdict_name(VerifyVerdict verdict);

#endif
