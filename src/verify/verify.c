/* SPDX-License-Identifier: MIT */
#include "verify/verify.h"

#include "base/clock.h"
#include "base/grow.h"
#include "base/number.h"
#include "mpi/cluster.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the cases --------------------------------------------------------------------------------- */

static const VerifyCase *const verify_groups[] = {
    basic_cases,    vortex_cases,    inviscid_cases, leapfrog_cases, shear_cases,
    floating_cases, advection_cases, finer_cases,    buoyant_cases,  burning_cases,
    light_cases,    cloud_cases,     NULL,
};

const VerifyCase *verify_case(int index)
{
    for (int group = 0; verify_groups[group] != NULL; group++)
        for (const VerifyCase *at = verify_groups[group]; at->name != NULL; at++)
            if (index-- == 0)
                return at;
    return NULL;
}

/* Whether the case draws pictures of given smoke, without a simulation. */
static bool draws(const VerifyCase *of)
{
    static const VerifyCase *const groups[] = {light_cases, cloud_cases, NULL};
    for (int group = 0; groups[group] != NULL; group++)
        for (const VerifyCase *at = groups[group]; at->name != NULL; at++)
            if (at == of)
                return true;
    return false;
}

/* -- a run ------------------------------------------------------------------------------------- */

bool verify_going(const VerifyRun *run)
{
    return !run->stopped && !run->failed;
}

bool verify_agree(VerifyRun *run, bool good)
{
    run->failed |= !cluster_agree(good, &run->error);
    return good && !run->failed;
}

void verify_run(VerifyRun *run)
{
    double start = clock_seconds();
    if (cluster_leads() || !draws(run->of))
        run->of->run(run);
    if (draws(run->of))
        cluster_meet();
    verify_agree(run, !run->failed);
    run->stopped = cluster_any(run->stopped);
    run->seconds = clock_seconds() - start;
}

void verify_finish(VerifyRun *run)
{
    for (int plot = 0; plot < run->plot_count; plot++)
        for (int series = 0; series < run->plots[plot].series_count; series++)
            free(run->plots[plot].series[series].points);
    run->plot_count = 0;
}

VerifyVerdict verify_verdict(const VerifyRun *run)
{
    VerifyVerdict verdict = VERIFY_REPORTED;
    bool outside = false;
    if (!verify_going(run) || run->row_count == 0)
        return VERIFY_FAILED;
    for (int row = 0; row < run->row_count; row++) {
        if (run->rows[row].verdict == VERIFY_FAILED)
            return VERIFY_FAILED;
        outside |= run->rows[row].verdict == VERIFY_OUTSIDE;
        if (run->rows[row].verdict == VERIFY_WITHIN)
            verdict = VERIFY_WITHIN;
    }
    return outside ? VERIFY_OUTSIDE : verdict;
}

const char *verify_verdict_name(VerifyVerdict verdict)
{
    static const char *const names[] = {"within", "outside", "reported", "failed"};
    return names[verdict];
}

/* -- rows -------------------------------------------------------------------------------------- */

static VerifyRow *add_row(VerifyRun *run, const char *what, double measured, double reference)
{
    assert(run->row_count < VERIFY_ROWS_MAX);
    VerifyRow *row = &run->rows[run->row_count];
    run->row_count += verify_going(run);
    *row = (VerifyRow){.measured = measured,
                       .reference = reference,
                       .low = -UNLIMITED,
                       .high = UNLIMITED,
                       .verdict = isfinite(measured) ? VERIFY_REPORTED : VERIFY_FAILED};
    snprintf(row->what, sizeof row->what, "%s", what);
    if (!isfinite(reference))
        return row;
    if (reference != 0)
        number_print(row->error, sizeof row->error, "%+.2g %%", 100 * (measured / reference - 1));
    else
        number_print(row->error, sizeof row->error, "%+.2g", measured);
    return row;
}

/* Sets the limits of a row and its verdict. NaN counts as outside. */
static void judge(VerifyRow *row, double low, double high)
{
    row->low = low;
    row->high = high;
    if (row->verdict != VERIFY_FAILED)
        row->verdict =
            row->measured >= low && row->measured <= high ? VERIFY_WITHIN : VERIFY_OUTSIDE;
}

const char *row_words(VerifyRun *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    number_vprint(run->words, sizeof run->words, format, arguments);
    va_end(arguments);
    return run->words;
}

void row_report(VerifyRun *run, const char *what, double measured, double reference)
{
    add_row(run, what, measured, reference);
}

void row_relative(VerifyRun *run, const char *what, double measured, double reference, double share)
{
    VerifyRow *row = add_row(run, what, measured, reference);
    double distance = share * fabs(reference);
    number_print(row->tolerance, sizeof row->tolerance, "%.3g %%", 100 * share);
    judge(row, reference - distance, reference + distance);
}

void row_absolute(VerifyRun *run, const char *what, double measured, double reference,
                  double distance)
{
    VerifyRow *row = add_row(run, what, measured, reference);
    number_print(row->error, sizeof row->error, "%+.2g", measured - reference);
    number_print(row->tolerance, sizeof row->tolerance, "\u00b1 %.3g", distance);
    judge(row, reference - distance, reference + distance);
}

void row_between(VerifyRun *run, const char *what, double measured, double reference, double low,
                 double high)
{
    VerifyRow *row = add_row(run, what, measured, reference);
    if (!isfinite(low))
        number_print(row->tolerance, sizeof row->tolerance, "at most %.4g", high);
    else if (!isfinite(high))
        number_print(row->tolerance, sizeof row->tolerance, "at least %.4g", low);
    else
        number_print(row->tolerance, sizeof row->tolerance, "%.7g to %.7g", low, high);
    judge(row, low, high);
}

/* -- plots ------------------------------------------------------------------------------------- */

VerifyPlot *plot_add(VerifyRun *run, const char *title, const char *x_title, const char *y_title)
{
    assert(run->plot_count < VERIFY_PLOTS_MAX);
    VerifyPlot *plot = &run->plots[run->plot_count++];
    *plot = (VerifyPlot){.title = title, .x_title = x_title, .y_title = y_title};
    return plot;
}

VerifyPlot *plot_order(VerifyRun *run, const char *title, const char *y_title)
{
    VerifyPlot *plot = plot_add(run, title, "cells along an axis", y_title);
    plot->x_logarithmic = plot->y_logarithmic = true;
    return plot;
}

VerifySeries *plot_series(VerifyPlot *plot, VerifyStyle style, const char *format, ...)
{
    assert(plot->series_count < VERIFY_SERIES_MAX);
    VerifySeries *series = &plot->series[plot->series_count++];
    *series = (VerifySeries){.style = style};
    va_list arguments;
    va_start(arguments, format);
    number_vprint(series->name, sizeof series->name, format, arguments);
    va_end(arguments);
    return series;
}

VerifySeries *plot_over_time(VerifyRun *run, const char *title, const char *y_title)
{
    return plot_series(plot_add(run, title, "time (s)", y_title), VERIFY_LINE, "measured");
}

void plot_point(VerifySeries *series, double x, double y)
{
    if (series == NULL || !isfinite(x) || !isfinite(y))
        return;
    double(*points)[2] =
        grow(series->points, &series->room, (size_t)series->count + 1, sizeof *points);
    if (points == NULL)
        return;
    series->points = points;
    series->points[series->count][0] = x;
    series->points[series->count][1] = y;
    series->count++;
}

void plot_scale(VerifySeries *series)
{
    double most = 0;
    for (int n = 0; series != NULL && n < series->count; n++)
        most = fmax(most, series->points[n][1]);
    for (int n = 0; series != NULL && n < series->count && most > 0; n++)
        series->points[n][1] /= most;
}

/* -- fits -------------------------------------------------------------------------------------- */

Line fit_line(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int n = 0; n < count; n++) {
        sx += x[n];
        sy += y[n];
    }
    for (int n = 0; n < count; n++) {
        double away = x[n] - sx / count;
        sxx += away * away;
        sxy += away * (y[n] - sy / count);
    }
    double slope = sxy / sxx;
    return (Line){slope, (sy - slope * sx) / count};
}

double fit_order(const double *cells, const double *errors, int count)
{
    enum { GRIDS_MAX = 8 };
    double x[GRIDS_MAX], y[GRIDS_MAX];
    assert(count <= GRIDS_MAX);
    for (int n = 0; n < count; n++) {
        x[n] = -log(cells[n]);
        y[n] = log(errors[n]);
    }
    return fit_line(x, y, count).slope;
}

void signal_add(Signal *signal, double time, double value)
{
    assert(signal->count < SIGNAL_MAX);
    signal->times[signal->count] = time;
    signal->values[signal->count++] = value;
}

double signal_slope(const Signal *signal)
{
    return signal->count > 1 ? fit_line(signal->times, signal->values, signal->count).slope
                             : UNKNOWN;
}
