/* SPDX-License-Identifier: MIT
 * What cases are made of: their groups, and the rows and curves that they answer with. */
#ifndef VERIFY_CASES_H
#define VERIFY_CASES_H

#include "verify.h"

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
