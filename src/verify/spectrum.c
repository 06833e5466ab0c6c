/* SPDX-License-Identifier: MIT */
#include "spectrum.h"

#include "flow.h"

#include <math.h>

typedef struct Piece {
    const double *times, *values;
    int count;
} Piece;

static double power_of(const Piece *piece, double frequency)
{
    Line line = fit_line(piece->times, piece->values, piece->count);
    double cosine = 0, sine = 0, length = piece->times[piece->count - 1] - piece->times[0];
    for (int n = 0; n < piece->count; n++) {
        double since = piece->times[n] - piece->times[0], phase = 2 * PI * frequency * since;
        double window = 0.5 - 0.5 * cos(2 * PI * since / length);
        double rest = piece->values[n] - line.slope * piece->times[n] - line.intercept;
        cosine += window * rest * cos(phase);
        sine += window * rest * sin(phase);
    }
    return cosine * cosine + sine * sine;
}

double spectrum_power(const double *times, const double *values, int count, int piece,
                      double frequency)
{
    double sum = 0;
    for (int first = 0; first + piece <= count; first += piece / 2)
        sum += power_of(&(Piece){times + first, values + first, piece}, frequency);
    return sum;
}

double spectrum_peak(const double *times, const double *values, int count, int piece,
                     VerifySeries *series)
{
    const double low = 0.3, high = 6, fine = 0.02;
    double most = 0, peak = (double)NAN;
    for (double frequency = low; frequency <= high; frequency += fine) {
        double power = spectrum_power(times, values, count, piece, frequency);
        plot_point(series, frequency, power);
        if (power > most) {
            most = power;
            peak = frequency;
        }
    }
    plot_scale(series);
    return peak;
}

double crossing_frequency(const double *times, const double *values, int count)
{
    double mean = 0, first = 0, last = 0;
    int passed = 0;
    for (int n = 0; n < count; n++)
        mean += values[n] / count;
    for (int n = 1; n < count; n++) {
        double low = values[n - 1] - mean, high = values[n] - mean;
        if (!(low < 0 && high >= 0))
            continue;
        last = times[n - 1] - low / (high - low) * (times[n] - times[n - 1]);
        if (passed++ == 0)
            first = last;
    }
    return passed >= 4 ? (passed - 1) / (last - first) : (double)NAN;
}

void plot_scale(VerifySeries *series)
{
    double most = 0;
    for (int n = 0; series != NULL && n < series->count; n++)
        most = fmax(most, series->points[n][1]);
    for (int n = 0; series != NULL && n < series->count && most > 0; n++)
        series->points[n][1] /= most;
}
