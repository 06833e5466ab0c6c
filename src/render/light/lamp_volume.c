/* SPDX-License-Identifier: MIT */
#include "lamp_volume.h"

#include "fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void lamp_volume_destroy(LampVolume *volume)
{
    free(volume->dimming); /* the other arrays are slices of this allocation */
    *volume = (LampVolume){0};
}

static size_t row_room(const int n[3])
{
    int longest = n[0] > n[1] ? n[0] : n[1];
    return (size_t)(longest > n[2] ? longest : n[2]) + 1;
}

static bool resize(LampVolume *volume, const int n[3], int count, int colors, BillowError *error)
{
    size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    size_t values = cells * (size_t)(count * colors);
    size_t floats = values + cells * (colors > 1 ? 2 : 1) + 2 * (size_t)count * row_room(n);
    if (floats > volume->floats) {
        lamp_volume_destroy(volume);
        volume->dimming = malloc(floats * sizeof *volume->dimming);
        if (volume->dimming == NULL)
            return fail(error, "picture: no memory for the light of %d lamps in %dx%dx%d cells",
                        count, n[0], n[1], n[2]);
        volume->floats = floats;
    }
    volume->wall = volume->dimming + values;
    volume->matter = volume->wall + cells;
    memcpy(volume->n, n, sizeof volume->n);
    volume->count = count;
    volume->colors = colors;
    return true;
}

/* Adds solids as smoke so dense that no light passes. */
static void build_walls(LampVolume *volume, const LightVolume *direct, const SolidLight *solids)
{
    float *out = volume->wall, edge = (float)direct->reduction;
    for (int k = 0; k < volume->n[2]; k++)
        for (int j = 0; j < volume->n[1]; j++)
            for (int i = 0; i < volume->n[0]; i++) {
                const int cell[3] = {i, j, k};
                ptrdiff_t at = 0, stride = 1;
                for (int axis = 0; axis < 3; axis++) {
                    int x = (2 * cell[axis] + 1) * direct->reduction / (2 * solids->reduction);
                    at += stride * (x < solids->n[axis] ? x : solids->n[axis] - 1);
                    stride *= solids->n[axis];
                }
                *out++ = -logf(1 - fminf(solids->opacity[at], 0.999f)) / edge;
            }
}

/* -- outwards from a lamp ------------------------------------------------------------------------
 *
 * Short characteristics (Kunasz & Auer 1988). Light from the lamp l to a cell p passes through a
 * point q in the next plane towards l. Planes are normal to the axis along which p is farthest from
 * l; that distance is D cells. e is the extinction per cell, and m(x) the mean extinction between l
 * and x. Values at q are interpolated between the four cells around q in its plane:
 *
 *     m(p) = m(q) (D - 1) / D + (e(q) + e(p)) / (2 D)
 *
 * These four cells are nearer to l than D along every axis. Planes of all axes are therefore
 * computed in the order of their distance. */

typedef struct Beam {
    const LightVolume *direct;
    const float *density; /* density that dims the light */
    const float *wall;    /* density of solids; NULL: there are none */
    float *mean;          /* result for this lamp, first cell; `lanes` floats from cell to cell */
    int lanes;
    float *before; /* scratch: a row of the previous plane, twice `room` floats */
    ptrdiff_t room;
    float place[3];   /* position of the lamp, in cells of this volume from its corner */
    float extinction; /* optical depth of a cell of density 1 */
    bool within;      /* whether the lamp is inside the box */
    float at_lamp;    /* extinction at the lamp; 0 outside the box */
} Beam;

typedef struct BeamPlane {
    float distance;
    int axis, index, step; /* step: direction to the next plane outwards */
} BeamPlane;

/* Linear interpolation along one axis: the two neighbours of a position in cells, and the second
 * one's weight. */
typedef struct Between {
    int low, high;
    float share;
} Between;

static Between between(float x, int n)
{
    float at = fminf(fmaxf(x - 0.5f, 0), (float)(n - 1));
    int low = (int)at;
    return (Between){low, low + 1 < n ? low + 1 : low, at - (float)low};
}

static ptrdiff_t stride_of(const LightVolume *direct, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? direct->n[0] : (ptrdiff_t)direct->n[0] * direct->n[1];
}

/* Interpolates the previous plane between two of its rows: the means, and the extinction with twice
 * the solids' part. (A wall must not shade itself, as smoke at its lit side is lit.) */
static void look_back(const Beam *beam, ptrdiff_t plane, ptrdiff_t u, ptrdiff_t v, Between rows,
                      int from, int to)
{
    const ptrdiff_t low = plane + rows.low * v, high = plane + rows.high * v;
    const float *density = beam->density;
    float t = rows.share, *mean = beam->before, *extinction = mean + beam->room;
    for (int i = from; i <= to; i++) {
        ptrdiff_t a = low + i * u, b = high + i * u;
        float first = beam->mean[beam->lanes * a], second = beam->mean[beam->lanes * b];
        mean[i] = first + t * (second - first);
        extinction[i] = beam->extinction * (density[a] + t * (density[b] - density[a]));
    }
    for (int i = from; i <= to && beam->wall != NULL; i++)
        extinction[i] += 2 * ((1 - t) * beam->wall[low + i * u] + t * beam->wall[high + i * u]);
    mean[to + 1] = mean[to]; /* repeats the last cell as a margin */
    extinction[to + 1] = extinction[to];
}

static void beam_row(const Beam *beam, const BeamPlane *plane, int j, int from, int to)
{
    const int *n = beam->direct->n;
    int a = plane->axis, u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2,
        behind = plane->index - plane->step;
    ptrdiff_t su = stride_of(beam->direct, u), sv = stride_of(beam->direct, v);
    ptrdiff_t row = plane->index * stride_of(beam->direct, a) + j * sv;
    float distance = plane->distance, nearer = (distance - 1) / distance, place = beam->place[u];
    float along = beam->place[v] + ((float)j + 0.5f - beam->place[v]) * nearer;
    float *mean = beam->before, *extinction = mean + beam->room;
    bool near = distance <= 1 && beam->within;
    bool inside =
        distance > 1 && behind >= 0 && behind < n[a] && along >= 0 && along <= (float)n[v];
    if (inside)
        look_back(beam, behind * stride_of(beam->direct, a), su, sv, between(along, n[v]),
                  between(place + ((float)from + 0.5f - place) * nearer, n[u]).low,
                  between(place + ((float)to + 0.5f - place) * nearer, n[u]).high);
    for (int i = from; i <= to; i++) {
        ptrdiff_t cell = row + i * su;
        float own = beam->extinction * beam->density[cell];
        float across = place + ((float)i + 0.5f - place) * nearer, sum = own;
        float from_lamp = near ? (beam->at_lamp + own) * distance - own : 0, m = 0;
        if (inside && across >= 0 && across <= (float)n[u]) {
            float at = fminf(fmaxf(across - 0.5f, 0), (float)(n[u] - 1));
            int low = (int)at;
            float t = at - (float)low;
            m = mean[low] + t * (mean[low + 1] - mean[low]);
            sum += extinction[low] + t * (extinction[low + 1] - extinction[low]);
        }
        beam->mean[beam->lanes * cell] = m * nearer + 0.5f * (sum + from_lamp) / distance;
    }
}

/* Computes the cells of a plane whose distance from the lamp is largest along the plane's axis. */
static void beam_plane(const Beam *beam, const BeamPlane *plane)
{
    const int *n = beam->direct->n;
    int u = plane->axis == 0 ? 1 : 0, v = plane->axis == 2 ? 1 : 2, low[2], high[2];
    const int axes[2] = {u, v};
    for (int c = 0; c < 2; c++) {
        float place = beam->place[axes[c]], last = (float)(n[axes[c]] - 1);
        low[c] = (int)fminf(fmaxf(ceilf(place - plane->distance - 0.5f), 0), last + 1);
        high[c] = (int)fmaxf(fminf(floorf(place + plane->distance - 0.5f), last), -1);
    }
    for (int j = low[1]; j <= high[1]; j++)
        beam_row(beam, plane, j, low[0], high[0]);
}

/* The next plane outwards on one side of the lamp. Its distance is infinite if there is none. */
static BeamPlane plane_at(const Beam *beam, int axis, int step, int index)
{
    BeamPlane plane = {INFINITY, axis, index, step};
    if (index >= 0 && index < beam->direct->n[axis])
        plane.distance = fmaxf((float)step * ((float)index + 0.5f - beam->place[axis]), 1e-3f);
    return plane;
}

static void cast_beam(const Beam *beam)
{
    BeamPlane next[6];
    for (int axis = 0; axis < 3; axis++) {
        float most = (float)beam->direct->n[axis];
        int first = (int)ceilf(fminf(fmaxf(beam->place[axis], 0), most) - 0.5f);
        next[2 * axis] = plane_at(beam, axis, 1, first);
        next[2 * axis + 1] = plane_at(beam, axis, -1, first - 1);
    }
    for (;;) {
        int nearest = 0;
        for (int side = 1; side < 6; side++)
            nearest = next[side].distance < next[nearest].distance ? side : nearest;
        BeamPlane *plane = &next[nearest];
        if (!isfinite(plane->distance))
            return;
        beam_plane(beam, plane);
        *plane = plane_at(beam, plane->axis, plane->step, plane->index + plane->step);
    }
}

/* Converts the lamp's position to cells of this volume, and finds its density there. The lamp
 * extends over one cell of the grid; `edge` of these are as long as a cell of this volume. */
static void place_beam(Beam *beam, const float place[3], float edge)
{
    Between x[3];
    beam->within = true;
    for (int axis = 0; axis < 3; axis++) {
        int n = beam->direct->n[axis];
        beam->place[axis] = place[axis] / edge;
        beam->within = beam->within && beam->place[axis] >= 0 && beam->place[axis] <= (float)n;
        x[axis] = between(beam->place[axis], n);
    }
    float sum = 0;
    for (int c = 0; c < 8; c++) {
        ptrdiff_t at = 0;
        float weight = 1;
        for (int axis = 0; axis < 3; axis++) {
            bool high = c >> axis & 1;
            at += (high ? x[axis].high : x[axis].low) * stride_of(beam->direct, axis);
            weight *= high ? x[axis].share : 1 - x[axis].share;
        }
        sum += weight * beam->density[at];
    }
    beam->at_lamp = beam->extinction * sum;
}

static void cast_lamp(const LampVolume *volume, const LightVolume *direct, const float *density,
                      bool walls, int lamp, float extinction, float *dimming)
{
    size_t cells = (size_t)direct->n[0] * (size_t)direct->n[1] * (size_t)direct->n[2];
    size_t room = row_room(direct->n);
    float *rows = volume->wall + cells * (volume->colors > 1 ? 2 : 1);
    Beam beam = {.direct = direct,
                 .density = density,
                 .wall = walls ? volume->wall : NULL,
                 .mean = dimming + lamp,
                 .lanes = volume->count,
                 .before = rows + 2 * (size_t)lamp * room,
                 .room = (ptrdiff_t)room,
                 .extinction = extinction};
    place_beam(&beam, volume->place[lamp], (float)direct->reduction);
    cast_beam(&beam);
}

bool lamp_volume_compute(LampVolume *volume, const LightVolume *direct, const float origin[3],
                         float cell, const RenderSettings *settings, const SolidLight *solids,
                         BillowError *error)
{
    volume->count = 0;
    if (settings->lamp_count == 0)
        return true;
    const RenderSmoke *smoke = &settings->smoke;
    int colors = direct->color != NULL && smoke->tint_extinction > 0 ? 3 : 1;
    if (!resize(volume, direct->n, settings->lamp_count, colors, error))
        return false;
    size_t cells = (size_t)direct->n[0] * (size_t)direct->n[1] * (size_t)direct->n[2];
    size_t values = cells * (size_t)volume->count;
    memset(volume->dimming, 0, values * (size_t)colors * sizeof *volume->dimming);
    if (solids != NULL)
        build_walls(volume, direct, solids);
    for (int lamp = 0; lamp < volume->count; lamp++)
        for (int axis = 0; axis < 3; axis++)
            volume->place[lamp][axis] =
                (settings->lamps[lamp].position[axis] - origin[axis]) / cell;
    for (int c = 0; c < colors; c++) {
        const float *density = colors > 1 ? volume->matter : direct->density;
        if (colors > 1)
            light_volume_dim(direct, smoke->tint_extinction, c, volume->matter);
            /* Planes are small and depend on each other, so threads share lamps and not planes. */
#pragma omp parallel for schedule(static, 1) if (volume->count > 1)
        for (int lamp = 0; lamp < volume->count; lamp++)
            cast_lamp(volume, direct, density, solids != NULL, lamp, smoke->extinction * cell,
                      volume->dimming + (size_t)c * values);
    }
    return true;
}
