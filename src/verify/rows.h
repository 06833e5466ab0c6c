/* SPDX-License-Identifier: MIT
 * What cases answer with: rows and curves. */
#ifndef VERIFY_ROWS_H
#define VERIFY_ROWS_H

#include "verify.h"

#if defined(__GNUC__)
#define ROWS_FORMAT(text, values) __attribute__((format(printf, text, values)))
#else
#define ROWS_FORMAT(text, values)
#endif

/* A row that only reports; reference may be NaN. */
void row_report(VerifyRun *run, const char *what, double measured, double reference);
/* Within a share of the reference. */
void row_relative(VerifyRun *run, const char *what, double measured, double reference,
                  double share);
/* Within a distance from the reference. */
void row_absolute(VerifyRun *run, const char *what, double measured, double reference,
                  double distance);
/* Between two values, either of which may be infinite; reference may be NaN. */
void row_between(VerifyRun *run, const char *what, double measured, double reference, double low,
                 double high);

/* A drawing of its own, or NULL where there is no room for another; NULL is fine below. */
VerifyPlot *plot_add(VerifyRun *run, const char *title, const char *x_title, const char *y_title);
/* One more curve; NULL where there is no room for it. */
VerifySeries *plot_series(VerifyPlot *plot, VerifyStyle style, const char *format, ...)
    ROWS_FORMAT(3, 4);
/* Values that are not finite are left out, and so is what no memory is left for. */
void plot_point(VerifySeries *series, double x, double y);

/* Least squares: y = slope x + intercept. */
typedef struct Line {
    double slope, intercept;
} Line;
Line fit_line(const double *x, const double *y, int count);
/* The power p in error ~ 1 / cells^p, fitted over the grids. */
double fit_order(const double *cells, const double *errors, int count);

#endif
