/* SPDX-License-Identifier: MIT
 * Which frequencies are in a signal. */
#ifndef VERIFY_SPECTRUM_H
#define VERIFY_SPECTRUM_H

#include "rows.h"

/* Power at a frequency of a signal sampled at even times, the mean over pieces of `piece` samples
 * that overlap by half (Welch 1967): off each the straight line through it is taken, and the rest
 * faded in and out by Hann's window. Not to scale. */
double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency);

/* The frequency between 0.3 and 6 Hz that has the most power; the powers, over the largest of them,
 * go to the series, which may be NULL. */
double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series);

/* Frequency of a signal from where it passes its mean upwards; NaN where it does so less than four
 * times. */
double crossing_frequency(const double *times, const double *values, int count);

/* Divides a curve by its largest value. */
void plot_scale(VerifySeries *series);

#endif
