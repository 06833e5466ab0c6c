/* SPDX-License-Identifier: MIT
 *
 * The cases of `billow verify`: flows and light problems with known answers. The result of a case
 * is a list of rows (measured value, reference, tolerance, verdict) and of plots.
 *
 * A row with limits promises that the measured value lies within them. A row without limits only
 * reports. Limits are at most about three times as far from the reference as the measured value,
 * so that a defect shows which triples the error. A comment gives the reason for each wider limit,
 * such as the uncertainty of the reference. What must hold exactly has limits of a few roundings.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <billow/billow.h>
#include <math.h>

#define PI        3.14159265358979323846
#define UNKNOWN   ((double)NAN)      /* marks a missing reference */
#define UNLIMITED ((double)INFINITY) /* marks a missing limit */

enum {
    VERIFY_ROWS_MAX = 64,
    VERIFY_PLOTS_MAX = 4,
    VERIFY_SERIES_MAX = 6,
    VERIFY_WORDS = 96,
};

typedef enum VerifyVerdict {
    VERIFY_WITHIN,
    VERIFY_OUTSIDE,
    VERIFY_REPORTED, /* the row has no limits */
    VERIFY_FAILED    /* the case could not be run, or the measured value is NaN or infinite */
} VerifyVerdict;

typedef struct VerifyRow {
    char what[VERIFY_WORDS]; /* measured quantity, with its unit */
    double measured;
    double reference; /* UNKNOWN: none */
    double low, high; /* limits of the measured value; infinite: no limit on that side */
    char error[32];   /* error as printed: "+1.2 %"; empty without a reference */
    char tolerance[VERIFY_WORDS]; /* tolerance as printed: "5 %"; empty without limits */
    VerifyVerdict verdict;
} VerifyRow;

typedef enum VerifyStyle { VERIFY_LINE, VERIFY_DASHES, VERIFY_DOTS } VerifyStyle;

typedef struct VerifySeries {
    char name[VERIFY_WORDS];
    VerifyStyle style;
    double (*points)[2]; /* x and y */
    int count;           /* number of points */
    size_t room;         /* number for which memory is allocated */
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
    const char *setup;   /* grid, time and method of the run */
    bool quick;          /* whether the case runs if the user names no case */
    void (*run)(VerifyRun *run);
    const void *plan; /* numbers by which cases of the same `run` differ; NULL: none */
} VerifyCase;

struct VerifyRun {
    const VerifyCase *of;
    int threads; /* as in BillowDef */
    /* Called after every step. share: completed share of the case, 0 to 1. Returning false ends the
     * case. */
    bool (*go_on)(void *context, double share);
    void *context;
    VerifyRow rows[VERIFY_ROWS_MAX];
    int row_count;
    VerifyPlot plots[VERIFY_PLOTS_MAX];
    int plot_count;
    bool stopped; /* go_on returned false */
    bool failed;  /* the case could not be run; error has the reason */
    BillowError error;
    double seconds;          /* duration of the case, s */
    double planned, stepped; /* work of the case, cells times steps: announced and completed */
    char words[VERIFY_WORDS];
};

/* Returns the case at an index of the list; NULL after the last. */
const VerifyCase *verify_case(int index);

/* Runs the case run->of. Set of, threads, go_on and context before; all other members must be zero.
 * Called by all ranks (cluster.h), which divide the simulations. Cases that draw run on rank 0
 * alone; the rows of the other ranks are then missing. */
void verify_run(VerifyRun *run);
void verify_finish(VerifyRun *run); /* frees the plots */

/* Returns the worst verdict of the rows. */
VerifyVerdict verify_verdict(const VerifyRun *run);
const char *verify_verdict_name(VerifyVerdict verdict);

/* -- for cases: groups ------------------------------------------------------------------------- */

/* Each group ends with a case without a name. */
extern const VerifyCase basic_cases[], vortex_cases[], inviscid_cases[], leapfrog_cases[],
    shear_cases[], floating_cases[], advection_cases[], finer_cases[], buoyant_cases[], burning_cases[],
    light_cases[], cloud_cases[];

/* Whether the case has neither been stopped nor failed. */
bool verify_going(const VerifyRun *run);
/* For what can differ between ranks, such as memory. All ranks of a simulation call it at the same
 * time. If `good` is false on any, marks the run of every rank as failed, with the message of the
 * first in run->error. Returns whether the run has not failed. */
bool verify_agree(VerifyRun *run, bool good);

/* -- for cases: rows --------------------------------------------------------------------------- */

#if defined(__GNUC__)
#define VERIFY_FORMAT(text, values) __attribute__((format(printf, text, values)))
#else
#define VERIFY_FORMAT(text, values)
#endif

/* Formats the name of a row. The text is valid until the next call. */
const char *row_words(VerifyRun *run, const char *format, ...) VERIFY_FORMAT(2, 3);
/* Adds a row without limits. Neither this nor the next three add a row to a case that has been
 * stopped or has failed. */
void row_report(VerifyRun *run, const char *what, double measured, double reference);
/* Adds a row whose measured value must differ from the reference by at most share * |reference|. */
void row_relative(VerifyRun *run, const char *what, double measured, double reference,
                  double share);
/* Adds a row whose measured value must differ from the reference by at most a given distance. */
void row_absolute(VerifyRun *run, const char *what, double measured, double reference,
                  double distance);
/* Adds a row whose measured value must be between two limits. low may be -UNLIMITED, high may be
 * UNLIMITED. */
void row_between(VerifyRun *run, const char *what, double measured, double reference, double low,
                 double high);

/* -- for cases: plots -------------------------------------------------------------------------- */

/* Adds a plot to the run, which holds at most VERIFY_PLOTS_MAX. */
VerifyPlot *plot_add(VerifyRun *run, const char *title, const char *x_title, const char *y_title);
/* Adds a plot of a quantity against the number of cells along an axis, both logarithmic. */
VerifyPlot *plot_order(VerifyRun *run, const char *title, const char *y_title);
/* Adds a curve to the plot, which holds at most VERIFY_SERIES_MAX. */
VerifySeries *plot_series(VerifyPlot *plot, VerifyStyle style, const char *format, ...)
    VERIFY_FORMAT(3, 4);
/* Adds a plot with one curve, named "measured", against time in s. */
VerifySeries *plot_over_time(VerifyRun *run, const char *title, const char *y_title);
/* Adds a point to a curve. Does nothing if the point is NaN or infinite, if memory is short, or if
 * series is NULL. */
void plot_point(VerifySeries *series, double x, double y);
/* Divides a curve by its largest value. */
void plot_scale(VerifySeries *series);

/* -- for cases: fits --------------------------------------------------------------------------- */

/* A line y = slope x + intercept, fitted by least squares. */
typedef struct Line {
    double slope, intercept;
} Line;
Line fit_line(const double *x, const double *y, int count);
/* Order of convergence p in error ~ 1 / cells^p, fitted over the grids. */
double fit_order(const double *cells, const double *errors, int count);

/* Samples of a quantity over time. */
enum { SIGNAL_MAX = 5000 };
typedef struct Signal {
    double times[SIGNAL_MAX], values[SIGNAL_MAX];
    int count;
} Signal;
void signal_add(Signal *signal, double time, double value);
/* Slope of the line fitted to the signal, per s; NaN for fewer than two samples. */
double signal_slope(const Signal *signal);

#endif
