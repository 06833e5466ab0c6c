/* SPDX-License-Identifier: MIT */
#include "render/light/lamp_volume.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void lamp_volume_destroy(LampVolume *volume)
{
    free(volume->dimming); /* the other arrays are slices of this allocation */
    *volume = (LampVolume){.count = 0};
}

/* Distance of a sun's point, longest edges of the box, across which the light differs by 0.2 %. */
#define SUN_DISTANCE 500.0f

LampPlaced lamp_placed(const RenderLamp *lamp, const float origin[3], const float size[3])
{
    const float half = 0.5f * 3.14159265f / 180;
    LampPlaced placed = {.lamp = *lamp, .spread = 0};
    float *aim = placed.lamp.direction;
    float length = sqrtf(aim[0] * aim[0] + aim[1] * aim[1] + aim[2] * aim[2]);
    for (int axis = 0; axis < 3; axis++)
        aim[axis] = length > 0 ? aim[axis] / length : axis == 1 ? -1 : 0;
    placed.edge = cosf(half * lamp->angle);
    placed.inner = fmaxf(cosf(half * lamp->angle * (1 - lamp->softness)), placed.edge + 1e-4f);
    if (lamp->kind == RENDER_LAMP_AREA)
        placed.spread = lamp->radius;
    if (lamp->kind == RENDER_LAMP_SUN) {
        float far = SUN_DISTANCE * fmaxf(size[0], fmaxf(size[1], size[2]));
        for (int axis = 0; axis < 3; axis++)
            placed.lamp.position[axis] = origin[axis] + 0.5f * size[axis] - far * aim[axis];
        placed.lamp.intensity = lamp->intensity * far * far;
        placed.lamp.radius = 0;
    }
    return placed;
}

float lamp_shine(const LampPlaced *placed, const float off[3], float distance)
{
    const float *aim = placed->lamp.direction;
    float along = off[0] * aim[0] + off[1] * aim[1] + off[2] * aim[2];
    float cosine = along / fmaxf(distance, 1e-6f);
    if (placed->lamp.kind == RENDER_LAMP_AREA)
        return fmaxf(cosine, 0);
    if (placed->lamp.kind != RENDER_LAMP_SPOT)
        return 1;
    float share = fminf(fmaxf((cosine - placed->edge) / (placed->inner - placed->edge), 0), 1);
    return share * share * (3 - 2 * share);
}

static size_t row_room(const int n[3])
{
    return (size_t)cells_longest(n) + 1;
}

static bool resize(LampVolume *volume, const int n[3], int count, int colors, bool apart,
                   BillowError *error)
{
    size_t cells = cells_count(n);
    size_t values = cells * (size_t)(count * colors);
    size_t floats = values + cells * (colors > 1 ? 2 : 1) + 2 * (size_t)count * row_room(n) +
                    (apart ? cells * (size_t)count : 0);
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
    volume->apart = volume->wall + cells * (colors > 1 ? 2 : 1) + 2 * (size_t)count * row_room(n);
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
                const float solid =
                    solid_light_opacity(solids, direct->reduction, (const int[3]){i, j, k});
                *out++ = -logf(1 - fminf(solid, 0.999f)) / edge;
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

/* What the lamps of a volume have in common. */
typedef struct Cast {
    const LampVolume *volume;
    const LightVolume *direct;
    const float *density; /* density that dims the light */
    bool walls;
    float extinction; /* optical depth of a cell of the grid of density 1 */
} Cast;

/* Casts light from a place, cells of the grid. out: first of the results, `lanes` floats apart. */
static void cast_from(const Cast *cast, int lamp, const float place[3], float *out, int lanes)
{
    const LampVolume *volume = cast->volume;
    const LightVolume *direct = cast->direct;
    size_t cells = cells_count(direct->n);
    size_t room = row_room(direct->n);
    float *rows = volume->wall + cells * (volume->colors > 1 ? 2 : 1);
    Beam beam = {.direct = direct,
                 .density = cast->density,
                 .wall = cast->walls ? volume->wall : NULL,
                 .mean = out,
                 .lanes = lanes,
                 .before = rows + 2 * (size_t)lamp * room,
                 .room = (ptrdiff_t)room,
                 .extinction = cast->extinction};
    place_beam(&beam, place, (float)direct->reduction);
    cast_beam(&beam);
}

/* Two unit vectors normal to a unit vector and to each other. */
static void across(const float aim[3], float u[3], float v[3])
{
    int least = fabsf(aim[0]) < fabsf(aim[1]) ? 0 : 1;
    least = fabsf(aim[2]) < fabsf(aim[least]) ? 2 : least;
    float length = sqrtf(1 - aim[least] * aim[least]);
    for (int axis = 0; axis < 3; axis++)
        u[axis] = ((axis == least) - aim[least] * aim[axis]) / length;
    for (int axis = 0; axis < 3; axis++)
        v[axis] = aim[(axis + 1) % 3] * u[(axis + 2) % 3] - aim[(axis + 2) % 3] * u[(axis + 1) % 3];
}

/* Distance from a place to the middle of cell `index`, cells of the grid. */
static float distance_to(const LightVolume *direct, ptrdiff_t index, const float place[3])
{
    const ptrdiff_t cell[3] = {index % direct->n[0], index / direct->n[0] % direct->n[1],
                               index / ((ptrdiff_t)direct->n[0] * direct->n[1])};
    float square = 0;
    for (int axis = 0; axis < 3; axis++) {
        float off = ((float)cell[axis] + 0.5f) * (float)direct->reduction - place[axis];
        square += off * off;
    }
    return fmaxf(sqrtf(square), 0.5f);
}

/* The light of an area is the mean of that of points on it, each with its own shadow. */
static void cast_area(const Cast *cast, int lamp, float radius, float *dimming)
{
    enum { POINTS = 6 }; /* on the disc, in a spiral (Vogel 1979) */
    const LampVolume *volume = cast->volume;
    const float *middle = volume->place[lamp], *aim = volume->placed[lamp].lamp.direction;
    ptrdiff_t cells = (ptrdiff_t)cells_count(volume->n);
    float u[3], v[3], *apart = volume->apart + cells * lamp;
    across(aim, u, v);
    for (int point = 0; point < POINTS; point++) {
        float off = radius * sqrtf(((float)point + 0.5f) / POINTS),
              angle = 2.39996323f * (float)point;
        float place[3];
        for (int axis = 0; axis < 3; axis++)
            place[axis] = middle[axis] + off * (cosf(angle) * u[axis] + sinf(angle) * v[axis]);
        memset(apart, 0, (size_t)cells * sizeof *apart);
        cast_from(cast, lamp, place, apart, 1);
        for (ptrdiff_t i = 0; i < cells; i++)
            dimming[volume->count * i] +=
                expf(-apart[i] * distance_to(cast->direct, i, place)) / POINTS;
    }
    for (ptrdiff_t i = 0; i < cells; i++) {
        float *mean = &dimming[volume->count * i];
        *mean = -logf(fminf(fmaxf(*mean, 1e-30f), 1)) / distance_to(cast->direct, i, middle);
    }
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
    float size[3];
    bool area = false;
    for (int axis = 0; axis < 3; axis++)
        size[axis] = (float)(direct->n[axis] * direct->reduction) * cell;
    for (int lamp = 0; lamp < settings->lamp_count; lamp++)
        area = area || settings->lamps[lamp].kind == RENDER_LAMP_AREA;
    if (!resize(volume, direct->n, settings->lamp_count, colors, area, error))
        return false;
    for (int lamp = 0; lamp < volume->count; lamp++) {
        LampPlaced *placed = &volume->placed[lamp];
        *placed = lamp_placed(&settings->lamps[lamp], origin, size);
        for (int axis = 0; axis < 3; axis++)
            volume->place[lamp][axis] = (placed->lamp.position[axis] - origin[axis]) / cell;
    }
    size_t cells = cells_count(direct->n);
    size_t values = cells * (size_t)volume->count;
    memset(volume->dimming, 0, values * (size_t)colors * sizeof *volume->dimming);
    if (solids != NULL)
        build_walls(volume, direct, solids);
    for (int c = 0; c < colors; c++) {
        const float *density = colors > 1 ? volume->matter : direct->density;
        if (colors > 1)
            light_volume_dim(direct, smoke->tint_extinction, c, volume->matter);
        const Cast cast = {volume, direct, density, solids != NULL, smoke->extinction * cell};
        /* Planes are small and depend on each other, so threads share lamps and not planes. */
#pragma omp parallel for schedule(static, 1) if (volume->count > 1)
        for (int lamp = 0; lamp < volume->count; lamp++) {
            const float radius = volume->placed[lamp].spread / cell;
            float *dimming = volume->dimming + (size_t)c * values + lamp;
            if (radius > 0)
                cast_area(&cast, lamp, radius, dimming);
            else
                cast_from(&cast, lamp, volume->place[lamp], dimming, volume->count);
        }
    }
    return true;
}
