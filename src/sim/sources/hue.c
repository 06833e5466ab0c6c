/* SPDX-License-Identifier: MIT
 *
 * The colour of an emitter whose hue turns with time. */
#include "sim/sources/emitter.h"

#include <math.h>
#include <string.h>

/* The hue of a colour turns on a hexagon: with the largest component V, the difference C between
 * the largest and the smallest, and the hue h in sixths of a turn, counted from red,
 *
 *     component = V - C min(max(min(k, 4 - k), 0), 1),   k = (n + h) mod 6,   n = 5, 3, 1
 *
 * for red, green and blue (Smith 1978). V and C stay. */
static double hue_of(const float color[3], int most, double range)
{
    int next = (most + 1) % 3, last = (most + 2) % 3;
    return 2 * most + ((double)color[next] - (double)color[last]) / range;
}

void emitter_color(const BillowEmitter *emitter, double time, float color[3])
{
    int most = 0, least = 0;
    memcpy(color, emitter->color, sizeof emitter->color);
    for (int c = 1; c < 3; c++) {
        most = color[c] > color[most] ? c : most;
        least = color[c] < color[least] ? c : least;
    }
    double value = (double)color[most], range = value - (double)color[least];
    if (emitter->hue_speed == 0.0f || !(range > 0))
        return;
    double hue = hue_of(emitter->color, most, range) + 6 * (double)emitter->hue_speed * time;
    for (int c = 0; c < 3; c++) {
        double k = 5 - 2 * c + hue;
        k -= 6 * floor(k / 6);
        double share = k < 4 - k ? k : 4 - k;
        color[c] = (float)(value - range * fmin(fmax(share, 0), 1));
    }
}
