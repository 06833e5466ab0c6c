/* SPDX-License-Identifier: MIT
 *
 * The cases of `billow verify`: flows and light problems with known answers. A case has a name and
 * a source. Its results are rows (measured value, reference, tolerance, verdict) and curves.
 *
 * A row with limits promises to lie within them; a row without limits only reports. Limits come
 * from the spread in the literature or from what Billow promises, never from what Billow measures.
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
    VERIFY_REPORTED, /* the row has no limits */
    VERIFY_FAILED    /* the case could not be run, or the number is not finite */
} VerifyVerdict;

typedef struct VerifyRow {
    char what[VERIFY_WORDS];
    double measured;
    double reference;             /* NaN: none */
    double low, high;             /* limits of measured; infinite: no limit on that side */
    char error[32];               /* for people: "+1.2 %"; empty without a reference */
    char tolerance[VERIFY_WORDS]; /* for people: "5 %"; empty without limits */
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
    const char *setup;   /* how it is run here: grid, time, method */
    bool quick;          /* it runs when no case is named */
    void (*run)(VerifyRun *run);
} VerifyCase;

struct VerifyRun {
    const VerifyCase *of;
    int threads; /* as in BillowDef */
    /* Called after every step with the share of the case that is done. False ends the case. */
    bool (*go_on)(void *context, double share);
    void *context;
    VerifyRow rows[VERIFY_ROWS_MAX];
    int row_count;
    VerifyPlot plots[VERIFY_PLOTS_MAX];
    int plot_count;
    bool stopped; /* go_on ended the case */
    bool failed;  /* the case could not be run; error has the reason */
    BillowError error;
    double seconds;
    double planned, stepped; /* cell steps in all and so far, for the share */
};

/* Cases in the order of the list; NULL past the last. */
const VerifyCase *verify_case(int index);
const VerifyCase *verify_find(const char *name); /* NULL: there is none */

/* Runs the case run->of. Set threads, go_on and context before; all else is zero. */
void verify_run(VerifyRun *run);
void verify_finish(VerifyRun *run); /* frees the curves */

/* The worst verdict among its rows; reported where no row has limits. */
VerifyVerdict verify_verdict(const VerifyRun *run);
const char *verify_verdict_name(VerifyVerdict verdict);

/* Each group ends with a case without a name. verify.c lists the groups. */
extern const VerifyCase basic_cases[], vortex_cases[], advection_cases[], buoyant_cases[],
    shear_cases[], convection_cases[], plume_cases[], burning_cases[], light_cases[], color_cases[],
    cloud_cases[];

#if defined(__GNUC__)
#define CASES_FORMAT(text, values) __attribute__((format(printf, text, values)))
#else
#define CASES_FORMAT(text, values)
#endif

/* A row without limits. reference may be NaN. */
void row_report(VerifyRun *run, const char *what, double measured, double reference);
/* A row that must lie within share * |reference| of the reference. */
void row_relative(VerifyRun *run, const char *what, double measured, double reference,
                  double share);
/* A row that must lie within a distance of the reference. */
void row_absolute(VerifyRun *run, const char *what, double measured, double reference,
                  double distance);
/* A row that must lie between two values, either of which may be infinite. reference may be NaN. */
void row_between(VerifyRun *run, const char *what, double measured, double reference, double low,
                 double high);

/* Adds a plot. NULL where there are VERIFY_PLOTS_MAX; the functions below accept NULL. */
VerifyPlot *plot_add(VerifyRun *run, const char *title, const char *x_title, const char *y_title);
/* Adds a curve. NULL where the plot has VERIFY_SERIES_MAX. */
VerifySeries *plot_series(VerifyPlot *plot, VerifyStyle style, const char *format, ...)
    CASES_FORMAT(3, 4);
/* Adds a point. It is dropped where it is not finite or memory is short. */
void plot_point(VerifySeries *series, double x, double y);
/* Divides a curve by its largest value. */
void plot_scale(VerifySeries *series);

/* Least squares: y = slope x + intercept. */
typedef struct Line {
    double slope, intercept;
} Line;
Line fit_line(const double *x, const double *y, int count);
/* The power p in error ~ 1 / cells^p, fitted over the grids. */
double fit_order(const double *cells, const double *errors, int count);

#endif
