/* SPDX-License-Identifier: MIT */
#include "render/frame/exposure.h"

#include <math.h>
#include <stdlib.h>

#define MIDDLE     0.42f /* target of the mean luminance, as in daylight scenes */
#define HIGHLIGHT  6.0f  /* largest luminance for all but 0.5 % of the cells */
#define DARK_STOPS 9.0f
#define LEAST      1e-7f /* smallest luminance that counts in metering, as in shaders/meter.frag */
#define STOPS_MOST 24.0f
#define SECONDS    0.43f /* time constant, s: 1 / ln 10 */
#define APART      0.01f /* largest difference that nobody sees, stops */

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* log2 of the luminance that only 0.5 % of the cells exceed. Nearly empty cells do not count. */
static float highlight_of(const ExposureCell *cells)
{
    float stops[EXPOSURE_CELLS];
    int count = 0;
    for (int i = 0; i < EXPOSURE_CELLS; i++)
        if (cells[i].opacity > 0.01f)
            stops[count++] = log2f(fmaxf(cells[i].luminance / cells[i].opacity, LEAST));
    if (count == 0)
        return log2f(LEAST);
    qsort(stops, (size_t)count, sizeof *stops, compare);
    return stops[count - 1 - count / 200];
}

float exposure_measure(const ExposureCell cells[EXPOSURE_CELLS])
{
    float highlight = highlight_of(cells), sum = 0, weights = 0;
    if (highlight <= log2f(2 * LEAST))
        return 0;
    for (int row = 0; row < EXPOSURE_ROWS; row++)
        for (int column = 0; column < EXPOSURE_COLUMNS; column++) {
            const ExposureCell *cell = cells + row * EXPOSURE_COLUMNS + column;
            float x = ((float)column + 0.5f) / EXPOSURE_COLUMNS - 0.5f;
            float y = ((float)row + 0.5f) / EXPOSURE_ROWS - 0.5f;
            float weight = 0.2f + expf(-8 * (x * x + y * y));
            float least = cell->opacity * (highlight - DARK_STOPS);
            sum += weight * fmaxf(cell->stops, least);
            weights += weight * cell->opacity;
        }
    float stops = weights > 0 ? log2f(MIDDLE) - sum / weights : 0;
    stops = fminf(stops, log2f(HIGHLIGHT) - highlight);
    return fminf(fmaxf(stops, -STOPS_MOST), STOPS_MOST);
}

void exposure_learn(Exposure *exposure, float stops)
{
    exposure->metered = stops;
    if (!exposure->known)
        exposure->stops = stops;
    exposure->known = true;
}

float exposure_follow(Exposure *exposure, float seconds)
{
    float left = seconds > 0 ? expf(-seconds / SECONDS) : 0;
    exposure->stops = exposure->metered + left * (exposure->stops - exposure->metered);
    return exp2f(exposure->stops);
}

bool exposure_follows(const Exposure *exposure)
{
    return exposure->known && fabsf(exposure->metered - exposure->stops) > APART;
}
