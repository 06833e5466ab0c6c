/* SPDX-License-Identifier: MIT
 *
 * Water that follows terrain, and soil that is moved, after Chen, da Vitoria Lobo, Hughes and
 * Moshell, Real-Time Fluid Simulation in a Dynamic Virtual Environment (IEEE Computer Graphics and
 * Applications 17(3), 1997). Sources pour water onto a terrain that a bulldozer changes. It flows
 * down, fills ponds, and spills over their lowest rims.
 *
 *     terrain [--rate R] [--speed S] [--rain MM]
 *     terrain --frames 1000 --out flood.mp4
 *
 * A cell holds a column of soil s and of water w; its level is H = s + w. Elapsed time is cut into
 * slices dt; what is left waits for the next frame. The equations, in the order of a slice:
 *
 *     (1) sources    w += dt rate / cell^2; the part of a unit waits for the next slice
 *     (2) fluxes     q <- (q + dt g d S) / (1 + dt (k + c |q| / d^2)), |q| <= F d sqrt(g d)
 *                    S = (H_a - H_b) / cell, d = max(H_a, H_b) - max(s_a, s_b)
 *     (3) supply     the fluxes out of a cell are scaled down to the water that it holds
 *     (4) transfer   m = trunc(dt q / cell), w_a -= m, w_b += m
 *     (5) scour      where u = |q| / d > u0 and the bed falls, water takes loose soil along:
 *                    m = dt e (u - u0) / cell, at most (s_a - s_b) / 8, s_a -= m, s_b += m
 *     (6) bulldozer  soil above the blade moves to the cell in front of it
 *     (7) slippage   m = (s_a - s_b - cell tan(repose)) / 8 where that is positive,
 *                    s_a -= m, s_b += m, for all 8 neighbours
 *     (8) waves      on ponds that hold still: terrain_ponds.c
 *
 * Water accelerates from each cell to those neighbours whose level is lower. The flux q from a to
 * b, m^2/s, follows (2), the momentum of shallow water without its advection: d is the depth over
 * the sill between the two cells, g d S the pull of gravity, k and c the friction; F limits the
 * flow to a Froude number. Heights are integers, and (4) to (7) add to one cell what they take from
 * another: the volumes of water and soil are exact. Differences of level up to 16 units (1 um) do
 * not accelerate, so that a pond comes to rest. (2) is stable for dt sqrt(2 g d) < cell, which in
 * cells of 0.25 m holds to depths of 40 m. */
#include "terrain.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const double slice = 1.0 / SLICES; /* dt, s */
static const double gravity = 9.81;       /* m/s^2 */
static const double fastest = 1.7;        /* F */
static const double damping = 0.6;        /* k, 1/s */
static const double drag = 0.04;          /* c, of a stony bed */
static const double repose = 0.7;         /* tangent of the angle of repose, 35 degrees */
static const double scour_speed = 0.8;    /* u0, m/s */
static const double scour_rate = 0.05;    /* e, m */

enum {
    STILL = 16,                       /* difference of level that does not move water, units */
    SLIP_PASSES = 8,                  /* of (7) in a slice, at most */
    LOOSENS = 1 << (HEIGHT_BITS - 11) /* soil that a cell gains or loses in a slice to be loose */
};

/* The bulldozer: m, m/s, rad/s. */
static const double blade_reach = 1.35, blade_half_width = 1.15, track_half_length = 1.0,
                    track_half_width = 0.8, top_speed = 1.6, turn_speed = 0.9;

Terrain *terrain_create(int nx, int ny, double cell)
{
    Terrain *t = calloc(1, sizeof *t);
    size_t count = (size_t)nx * (size_t)ny;
    if (t == NULL)
        return NULL;
    *t = (Terrain){.nx = nx, .ny = ny, .cell = cell, .sources_run = true, .bulldozer.way = -1};
    t->soil = calloc(3 * count, sizeof *t->soil);
    t->flux_x = calloc(3 * count, sizeof *t->flux_x);
    t->wet = calloc(count, sizeof *t->wet);
    t->cover = calloc(count, sizeof *t->cover);
    if (t->soil == NULL || t->flux_x == NULL || t->wet == NULL || t->cover == NULL) {
        terrain_destroy(t);
        return NULL;
    }
    t->water = t->soil + count;
    t->change = t->water + count;
    t->flux_y = t->flux_x + count;
    t->share = t->flux_y + count;
    t->ponds = ponds_create(t);
    if (t->ponds == NULL) {
        terrain_destroy(t);
        return NULL;
    }
    return t;
}

void terrain_destroy(Terrain *t)
{
    if (t == NULL)
        return;
    free(t->soil);
    free(t->flux_x);
    free(t->wet);
    free(t->cover);
    ponds_destroy(t->ponds);
    free(t);
}

/* -- water ------------------------------------------------------------------------------------ */

/* The cell below a point; points outside count as the nearest cell. */
static size_t cell_below(const Terrain *t, double x, double y)
{
    int i = (int)fmin(fmax(x / t->cell, 0), t->nx - 1);
    int j = (int)fmin(fmax(y / t->cell, 0), t->ny - 1);
    return cell_at(t, i, j);
}

static void pour(Terrain *t, size_t c, Height amount)
{
    t->water[c] += amount;
    t->poured += amount;
}

void terrain_pour(Terrain *t, size_t c, double depth)
{
    pour(t, c, to_height(depth));
}

void terrain_dry(Terrain *t)
{
    ponds_leave(t);
    for (size_t c = 0; c < cell_count(t); c++) {
        t->left += t->water[c];
        t->water[c] = 0;
        t->flux_x[c] = t->flux_y[c] = 0;
    }
}

/* Whole units of a volume to which `more` is added. The rest stays in *owed. */
static Height whole_units(double *owed, double more)
{
    *owed += more;
    double whole = floor(*owed);
    *owed -= whole;
    return (Height)whole;
}

/* (1) */
static void add_sources(Terrain *t)
{
    double units = ldexp(1, HEIGHT_BITS);
    for (int s = 0; t->sources_run && s < t->source_count; s++) {
        Source *source = &t->sources[s];
        pour(t, cell_below(t, source->x, source->y),
             whole_units(&source->owed, units * slice * source->rate / t->cell / t->cell));
    }
    Height drops = whole_units(&t->rain_owed, units * slice * t->rain);
    for (size_t c = 0; drops > 0 && c < cell_count(t); c++)
        pour(t, c, drops);
}

static Height larger(Height a, Height b)
{
    return a > b ? a : b;
}

/* (2) */
static double accelerated(const Terrain *t, size_t a, size_t b, double q)
{
    Height level_a = level_at(t, a), level_b = level_at(t, b), fall = level_a - level_b;
    double d = metres(larger(level_a, level_b) - larger(t->soil[a], t->soil[b]));
    if (d <= 0)
        return 0;
    double S = abs(fall) <= STILL ? 0 : metres(fall) / t->cell;
    q = (q + slice * gravity * d * S) / (1 + slice * (damping + drag * fabs(q) / (d * d)));
    double most = fastest * d * sqrt(gravity * d);
    return fmin(fmax(q, -most), most);
}

static void accelerate(Terrain *t)
{
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            if (i + 1 < t->nx)
                t->flux_x[c] = accelerated(t, c, c + 1, t->flux_x[c]);
            if (j + 1 < t->ny)
                t->flux_y[c] = accelerated(t, c, c + (size_t)t->nx, t->flux_y[c]);
        }
}

/* (3) A share is a little less than what the cell holds, so that rounding cannot overdraw it. */
static void limit_to_supply(Terrain *t, double units)
{
    size_t row = (size_t)t->nx;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            double out_x = fmax(t->flux_x[c], 0) + (i > 0 ? fmax(-t->flux_x[c - 1], 0) : 0);
            double out_y = fmax(t->flux_y[c], 0) + (j > 0 ? fmax(-t->flux_y[c - row], 0) : 0);
            double out = units * (out_x + out_y);
            t->share[c] = out > t->water[c] ? (1 - 1e-12) * t->water[c] / out : 1;
        }
}

/* (4) */
static void transfer(Terrain *t, size_t a, size_t b, double *q, double units)
{
    *q *= t->share[*q > 0 ? a : b];
    Height moved = (Height)(units * *q);
    t->water[a] -= moved;
    t->water[b] += moved;
}

static void flow(Terrain *t)
{
    double units = ldexp(slice / t->cell, HEIGHT_BITS); /* of a column, per m^2/s in a slice */
    accelerate(t);
    limit_to_supply(t, units);
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            if (i + 1 < t->nx)
                transfer(t, c, c + 1, &t->flux_x[c], units);
            if (j + 1 < t->ny)
                transfer(t, c, c + (size_t)t->nx, &t->flux_y[c], units);
        }
    for (int j = 0; t->open && j < t->ny; j++) {
        size_t c = cell_at(t, t->nx - 1, j);
        t->left += t->water[c];
        t->water[c] = 0;
    }
}

/* (5) for the face between a and b. */
static void scour(Terrain *t, size_t a, size_t b, double q)
{
    size_t from = q > 0 ? a : b, to = q > 0 ? b : a;
    double d = metres(larger(level_at(t, a), level_at(t, b)) - larger(t->soil[a], t->soil[b]));
    if (t->cover[from] != LOOSE || d < 0.02 || fabs(q) <= scour_speed * d)
        return;
    Height most = larger(t->soil[from] - t->soil[to], 0) / 8;
    Height moved = to_height(slice * scour_rate * (fabs(q) / d - scour_speed) / t->cell);
    moved = moved < most ? moved : most;
    t->change[from] -= moved;
    t->change[to] += moved;
}

/* Rows of cells, both inclusive; none if from > to. */
typedef struct Rows {
    int from, to;
} Rows;

static Rows all_rows(const Terrain *t)
{
    return (Rows){0, t->ny - 1};
}

static void clear_changes(Terrain *t, Rows rows)
{
    for (int j = rows.from; j <= rows.to; j++)
        memset(t->change + cell_at(t, 0, j), 0, (size_t)t->nx * sizeof *t->change);
}

/* Adds the changes to the soil. Where they are large, the soil is loose afterwards. */
static void change_soil(Terrain *t, Rows rows)
{
    for (int j = rows.from; j <= rows.to; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            t->soil[c] += t->change[c];
            if (abs(t->change[c]) > LOOSENS)
                t->cover[c] = LOOSE;
        }
}

static void scour_all(Terrain *t)
{
    clear_changes(t, all_rows(t));
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            if (i + 1 < t->nx)
                scour(t, c, c + 1, t->flux_x[c]);
            if (j + 1 < t->ny)
                scour(t, c, c + (size_t)t->nx, t->flux_y[c]);
        }
    change_soil(t, all_rows(t));
}

/* Soil is wet at once below 1.5 cm of water, and dries within half a minute. */
static void wet_soil(Terrain *t)
{
    for (size_t c = 0; c < cell_count(t); c++)
        t->wet[c] = t->water[c] > 1 << (HEIGHT_BITS - 6) ? 1 : t->wet[c] * 0.9995f;
}

/* -- soil ------------------------------------------------------------------------------------- */

/* (7) for one pair of cells, with the largest difference that stands. Returns whether soil slips.
 */
static bool slip(Terrain *t, size_t a, size_t b, Height most)
{
    Height steep = t->soil[a] - t->soil[b];
    size_t high = steep > 0 ? a : b, low = steep > 0 ? b : a;
    if (abs(steep) <= most)
        return false;
    Height moved = (abs(steep) - most + 7) / 8;
    t->change[high] -= moved;
    t->change[low] += moved;
    return true;
}

/* (7) All pairs with a cell in the rows slip at once. Each moves an eighth of what makes it too
 * steep, so that 8 neighbours together do not turn a peak into a pit. Returns the rows that
 * changed. */
static Rows slip_rows(Terrain *t, Rows rows)
{
    size_t row = (size_t)t->nx;
    Height straight = to_height(t->cell * repose), diagonal = to_height(sqrt(2) * t->cell * repose);
    Rows reached = {rows.from > 0 ? rows.from - 1 : 0, rows.to + 1 < t->ny ? rows.to + 1 : rows.to};
    Rows changed = {t->ny, -1};
    clear_changes(t, reached);
    for (int j = reached.from; j <= rows.to; j++) {
        bool slips = false, up = j + 1 < t->ny;
        for (int i = 0; i < t->nx; i++) {
            size_t c = cell_at(t, i, j);
            bool right = i + 1 < t->nx, left = i > 0;
            slips |= right && slip(t, c, c + 1, straight);
            slips |= up && slip(t, c, c + row, straight);
            slips |= right && up && slip(t, c, c + row + 1, diagonal);
            slips |= left && up && slip(t, c, c + row - 1, diagonal);
        }
        if (slips)
            changed = (Rows){changed.from < j ? changed.from : j, up ? j + 1 : j};
    }
    change_soil(t, changed);
    return changed;
}

/* Slips until no soil does, at most a number of times. */
static void slip_all(Terrain *t, int passes)
{
    Rows rows = all_rows(t);
    for (int pass = 0; pass < passes && rows.from <= rows.to; pass++)
        rows = slip_rows(t, rows);
}

void terrain_settle(Terrain *t)
{
    slip_all(t, INT_MAX);
}

/* -- bulldozer -------------------------------------------------------------------------------- */

/* Place of cell (i, j) in the bulldozer's frame: along its heading and across it, m. */
static void bulldozer_frame(const Terrain *t, int i, int j, double *along, double *across)
{
    const Bulldozer *b = &t->bulldozer;
    double x = (i + 0.5) * t->cell - b->x, y = (j + 0.5) * t->cell - b->y;
    *along = x * cos(b->heading) + y * sin(b->heading);
    *across = y * cos(b->heading) - x * sin(b->heading);
}

/* Mean height of the soil in a rectangle of the bulldozer's frame, m. */
static double mean_soil(const Terrain *t, double from, double to, double half_width)
{
    const Bulldozer *b = &t->bulldozer;
    int64_t sum = 0, count = 0;
    int radius = (int)(2 * blade_reach / t->cell) + 1;
    int ci = (int)(b->x / t->cell), cj = (int)(b->y / t->cell);
    for (int j = cj - radius > 0 ? cj - radius : 0; j <= cj + radius && j < t->ny; j++)
        for (int i = ci - radius > 0 ? ci - radius : 0; i <= ci + radius && i < t->nx; i++) {
            double along, across;
            bulldozer_frame(t, i, j, &along, &across);
            if (along >= from && along <= to && fabs(across) <= half_width) {
                sum += t->soil[cell_at(t, i, j)];
                count++;
            }
        }
    return count > 0 ? metres(sum / count) : b->height;
}

/* Rests the tracks on the soil below them. */
static void rest_bulldozer(Terrain *t)
{
    double front = mean_soil(t, 0, track_half_length, track_half_width);
    double back = mean_soil(t, -track_half_length, 0, track_half_width);
    t->bulldozer.height = 0.5 * (front + back);
    t->bulldozer.pitch = (front - back) / track_half_length;
}

void terrain_set_blade(Terrain *t, bool lowered)
{
    Bulldozer *b = &t->bulldozer;
    rest_bulldozer(t);
    if (lowered && !b->lowered)
        b->grade = b->height;
    b->lowered = lowered;
}

/* Height of the edge of the lowered blade. It reaches a little below the tracks. */
static double blade_height(const Bulldozer *b)
{
    return fmax(b->grade, b->height - 0.5);
}

/* (6) Moves what is above the blade's edge, from the blade and from below the machine, where soil
 * slips in, to the cells just in front of it. */
static void cut(Terrain *t)
{
    Bulldozer *b = &t->bulldozer;
    double c = cos(b->heading), s = sin(b->heading);
    int radius = (int)(2 * blade_reach / t->cell) + 1;
    int ci = (int)(b->x / t->cell), cj = (int)(b->y / t->cell);
    Height edge = to_height(blade_height(b));
    for (int j = cj - radius > 0 ? cj - radius : 0; j <= cj + radius && j < t->ny; j++)
        for (int i = ci - radius > 0 ? ci - radius : 0; i <= ci + radius && i < t->nx; i++) {
            double along, across;
            bulldozer_frame(t, i, j, &along, &across);
            size_t from = cell_at(t, i, j);
            if (along < -track_half_length || along > blade_reach ||
                fabs(across) > blade_half_width || t->soil[from] <= edge)
                continue;
            double forwards = blade_reach + t->cell - along;
            size_t to = cell_below(t, (i + 0.5) * t->cell + forwards * c,
                                   (j + 0.5) * t->cell + forwards * s);
            Height moved = t->soil[from] - edge;
            t->soil[from] -= moved;
            t->soil[to] += moved; /* the same cell where the terrain ends */
            t->cover[from] = t->cover[to] = LOOSE;
        }
}

/* Drives along the route: turns towards the next point, or away from it when backwards. */
static void follow_route(Terrain *t)
{
    Bulldozer *b = &t->bulldozer;
    const Way *way = &t->route[b->way];
    double dx = way->x - b->x, dy = way->y - b->y, sign = way->backwards ? -1 : 1;
    double off = remainder(atan2(sign * dy, sign * dx) - b->heading, 2 * acos(-1));
    b->turn = fmin(fmax(4 * off, -1), 1);
    b->drive = sign * (fabs(off) > 0.5 ? 0 : 1);
    terrain_set_blade(t, way->lowered);
    if (hypot(dx, dy) < 0.3 && t->route[++b->way].x < 0) {
        b->way = -1;
        b->drive = b->turn = 0;
    }
}

/* The heap in front of a lowered blade slows the bulldozer down. */
static void drive_bulldozer(Terrain *t)
{
    Bulldozer *b = &t->bulldozer;
    if (b->way >= 0)
        follow_route(t);
    double step = slice * top_speed * b->drive, margin = 2 * t->cell;
    if (b->drive > 0 && b->lowered) {
        double heap = mean_soil(t, blade_reach, blade_reach + 1, blade_half_width);
        step *= fmin(fmax(1 - 0.3 * (heap - blade_height(b)), 0.5), 1);
    }
    b->heading += slice * turn_speed * b->turn;
    b->x = fmin(fmax(b->x + step * cos(b->heading), margin), t->nx * t->cell - margin);
    b->y = fmin(fmax(b->y + step * sin(b->heading), margin), t->ny * t->cell - margin);
    rest_bulldozer(t);
    if (b->drive > 0 && b->lowered)
        cut(t);
}

/* -- the clock -------------------------------------------------------------------------------- */

static void step_slice(Terrain *t)
{
    add_sources(t);
    flow(t);
    scour_all(t);
    wet_soil(t);
    drive_bulldozer(t);
    slip_all(t, SLIP_PASSES);
    ponds_step(t, slice);
    t->slices++;
}

/* A slice that lacks a millionth is due: sums of frame times are not exact. */
void terrain_advance(Terrain *t, double elapsed)
{
    t->time_owed += elapsed;
    while (t->time_owed > (1 - 1e-6) * slice) {
        t->time_owed -= slice;
        step_slice(t);
    }
}
