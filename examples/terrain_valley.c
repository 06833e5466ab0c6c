/* SPDX-License-Identifier: MIT
 *
 * The valley of examples/terrain.c. It runs along x, from two springs through a lake, a dam and a
 * basin to the open edge. Lengths are in m. */
#include "terrain.h"

#include <stdlib.h>

enum { NX = 160, NY = 104 };

static const double cell = 0.25, dam_x = 17, basin_x = 31;

/* A number of -1 to 1 for a point of a lattice. */
static double lattice(int i, int j)
{
    uint32_t h = (uint32_t)i * 374761393u + (uint32_t)j * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return (double)(h ^ (h >> 16)) * 0x1p-31 - 1;
}

/* Smooth noise of -1 to 1 with bumps of size 1. */
static double noise(double x, double y)
{
    int i = (int)floor(x), j = (int)floor(y);
    double u = x - i, v = y - j;
    u *= u * (3 - 2 * u);
    v *= v * (3 - 2 * v);
    return (1 - v) * ((1 - u) * lattice(i, j) + u * lattice(i + 1, j)) +
           v * ((1 - u) * lattice(i, j + 1) + u * lattice(i + 1, j + 1));
}

/* 0 below `from`, 1 above `to`. */
static double smooth(double from, double to, double x)
{
    double s = fmin(fmax((x - from) / (to - from), 0), 1);
    return s * s * (3 - 2 * s);
}

static double valley_axis(double x)
{
    return 13 + 1.8 * sin(0.22 * x + 0.4) * smooth(40, 24, x);
}

/* Floor of the valley along its axis: steep above the dam, a basin near the end. */
static double valley_floor(double x)
{
    double slope = x < dam_x ? 0.13 * (dam_x - x) : -0.06 * (x - dam_x);
    return 3.2 + slope;
}

/* Distance of a point from the bed of the second spring, a line. */
static double gully(double x, double y)
{
    const double x0 = 6, y0 = 26.5, x1 = 10, y1 = 13;
    double along = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / (hypot(x1 - x0, y1 - y0));
    along = fmin(fmax(along / hypot(x1 - x0, y1 - y0), 0), 1);
    double bend = 0.7 * sin(9 * along);
    return hypot(x - x0 - along * (x1 - x0) - bend, y - y0 - along * (y1 - y0));
}

/* The valley between hills, those towards the viewer lower, with a basin that has a rim. */
static double land(double x, double y)
{
    double off = y - valley_axis(x), width = 2.4 + 1.6 * smooth(8, 14, x) * smooth(26, 18, x);
    double side = fmax(fabs(off) - width, 0), tall = off < 0 ? 0.3 : 0.52;
    double hills = tall * side / (1 + 0.05 * side) * (0.85 + 0.4 * noise(0.13 * x, 0.13 * y + 7));
    double rough = 0.45 * noise(0.35 * x, 0.35 * y) + 0.15 * noise(0.9 * x, 0.9 * y + 3);
    double basin = hypot((x - basin_x) / 5.5, off / 4.4);
    double rim = smooth(35, 36.5, x) * smooth(39, 37.5, x) * smooth(6, 3, fabs(off));
    return valley_floor(x) + hills + rough * smooth(0, 4, side) + 0.04 * noise(2 * x, 2 * y) -
           1.2 * smooth(1, 0.4, basin) + 0.3 * rim - 0.45 * smooth(1.3, 0.2, gully(x, y));
}

/* Slopes as steep as soil stands, a crest, and a spillway that is lower. */
static double dam(double x, double y)
{
    double off = y - valley_axis(dam_x), crest = valley_floor(dam_x) + 1.75;
    double spillway = 0.3 * smooth(1.3, 0.8, fabs(off - 4.2));
    return crest - spillway - 0.62 * fmax(fabs(x - dam_x) - 0.55, 0);
}

/* Through the middle of the dam, back out of the way of the water, and up the side. */
static const Way route[] = {
    {21.6, 11.6, false, false}, {15.0, 11.6, false, true}, {20.8, 11.6, true, false},
    {23.5, 17.5, true, false},  {-1, 0, false, false},
};

/* Water above the dam, up to two thirds of its height. */
static void fill_lake(Terrain *t)
{
    double level = valley_floor(dam_x) + 1.2;
    for (int j = 0; j < NY; j++)
        for (int i = 0; (i + 0.5) * cell < dam_x; i++) {
            size_t c = cell_at(t, i, j);
            if (metres(t->soil[c]) < level)
                terrain_pour(t, c, level - metres(t->soil[c]));
        }
}

Terrain *terrain_valley(void)
{
    Terrain *t = terrain_create(NX, NY, cell);
    if (t == NULL)
        return NULL;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double x = (i + 0.5) * cell, y = (j + 0.5) * cell;
            t->soil[cell_at(t, i, j)] = to_height(fmax(land(x, y), dam(x, y)));
        }
    terrain_settle(t);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double x = (i + 0.5) * cell, y = (j + 0.5) * cell;
            t->cover[cell_at(t, i, j)] = dam(x, y) > land(x, y) ? EARTH : GRASS;
        }
    fill_lake(t);
    t->open = true;
    t->sources[0] = (Source){.x = 1.2, .y = valley_axis(1.2), .rate = 2.5};
    t->sources[1] = (Source){.x = 6.6, .y = 24.2, .rate = 0.6};
    t->source_count = 2;
    t->route = route;
    t->bulldozer = (Bulldozer){.x = 25.5, .y = 12.6, .heading = 2.9, .lowered = false, .way = -1};
    return t;
}
