/* SPDX-License-Identifier: MIT
 * Ambient light by discrete ordinates, the light of sky and ground, and the glow of hot smoke on
 * the ground. */
#include "render/light/ambient.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265f

/* Red, green, blue and an unused 0, so that a cell is added as four floats at once. */
enum { RGB = 4, GROUP_DIRECTIONS = AMBIENT_DIRECTIONS / AMBIENT_GROUPS };

/* One of the 24 directions; the others are its rotations by those of a cube. Their mean of any
 * polynomial up to degree five is exact, and so is the mean of |x|, |y| and |z|, which is the light
 * that crosses a face of the grid: the three components add up to 3/2, their squares to 1, and
 * their fourth powers to 3/5. (The vertices of an improved snub cube, McLaren 1963, are exact up to
 * degree seven, but 3.7 % more light crosses a face.) As the components differ only in order and
 * sign, all paths through a cell have the same length. */
static const float vertex[3] = {0.857648629f, 0.491662029f, 0.150689341f};

/* Turns a direction by one of the 24 rotations. */
static void turn(int index, const float from[3], float to[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static const float even[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    int order = index / 4;
    float flip = order < 3 ? 1 : -1; /* keeps rotations and excludes mirror images */
    for (int axis = 0; axis < 3; axis++)
        to[axis] = flip * even[index % 4][axis] * from[orders[order][axis]];
}

void ambient_direction(int index, float from[3])
{
    turn(index, vertex, from);
}

/* Whether no rotation of the vertex is closer to a direction than the vertex itself. */
static bool is_vertex_closest(const float to[3])
{
    float best = vertex[0] * to[0] + vertex[1] * to[1] + vertex[2] * to[2];
    for (int index = 1; index < AMBIENT_DIRECTIONS; index++) {
        float other[3];
        ambient_direction(index, other);
        if (other[0] * to[0] + other[1] * to[1] + other[2] * to[2] > best)
            return false;
    }
    return true;
}

/* Finds what a direction's share of the sphere, the part that is closer to it than to any other
 * direction, sees of the sky and of the ground. A single sample of the sky, whose radiance falls as
 * exp(-6 up), would make its horizon 40 % too dark. */
static void find_sights(AmbientSight sights[AMBIENT_DIRECTIONS])
{
    enum { POINTS = 3072 }; /* on the sphere, in a spiral (Fibonacci lattice) */
    int count = 0;
    memset(sights, 0, AMBIENT_DIRECTIONS * sizeof *sights);
    for (int point = 0; point < POINTS; point++) {
        float up = 1 - (2 * (float)point + 1) / POINTS, flat = sqrtf(1 - up * up);
        float around = 2.39996323f * (float)point; /* golden angle, rad */
        const float from[3] = {flat * cosf(around), up, flat * sinf(around)};
        if (!is_vertex_closest(from))
            continue;
        count++;
        for (int index = 0; index < AMBIENT_DIRECTIONS; index++) {
            float to[3];
            turn(index, from, to);
            sights[index].ground += to[1] < 0;
            sights[index].horizon += to[1] < 0 ? 0 : expf(-6 * to[1]);
        }
    }
    for (int index = 0; index < AMBIENT_DIRECTIONS; index++) {
        sights[index].ground /= (float)count;
        sights[index].horizon /= (float)count;
    }
}

/* -- memory ------------------------------------------------------------------------------------ */

static size_t column_count(const Ambient *ambient)
{
    return (size_t)ambient->n[0] * (size_t)ambient->n[2];
}

static size_t plane_floats(const Ambient *ambient)
{
    size_t longest = (size_t)cells_longest(ambient->n);
    return RGB * (longest + 2) * (longest + 2);
}

void ambient_destroy(Ambient *ambient)
{
    if (ambient->coarser != NULL)
        ambient_destroy(ambient->coarser);
    free(ambient->coarser);
    free(ambient->depth); /* the other arrays are slices of this allocation */
    *ambient = (Ambient){0};
}

static bool allocate(Ambient *ambient, BillowError *error)
{
    size_t count = cells_count(ambient->n), planes = 2 * plane_floats(ambient) * AMBIENT_GROUPS;
    size_t lanes = (size_t)ambient->lanes * count;
    size_t columns = RGB * column_count(ambient);
    float *memory = calloc(3 * lanes + (4 + AMBIENT_GROUPS) * RGB * count + planes +
                               (2 + AMBIENT_GROUPS) * columns,
                           sizeof *memory);
    if (memory == NULL)
        return fail(error, "picture: no memory for the ambient light in %dx%dx%d cells",
                    ambient->n[0], ambient->n[1], ambient->n[2]);
    float **const slices[] = {&ambient->depth,  &ambient->passed, &ambient->within,
                              &ambient->albedo, &ambient->source, &ambient->mean,
                              &ambient->own,    &ambient->parts,  &ambient->planes,
                              &ambient->sunlit, &ambient->floor,  &ambient->falling};
    const size_t floats[] = {lanes,       lanes,       lanes,       RGB * count,
                             RGB * count, RGB * count, RGB * count, AMBIENT_GROUPS * RGB * count,
                             planes,      columns,     columns,     AMBIENT_GROUPS * columns};
    for (size_t s = 0; s < sizeof slices / sizeof *slices; memory += floats[s++])
        *slices[s] = memory;
    ambient->shown = ambient->own; /* sweeps and pictures take turns */
    return true;
}

static bool add_coarser(Ambient *ambient, BillowError *error)
{
    enum { EDGE_LEAST = 8 };
    const int *n = ambient->n;
    if (n[0] <= EDGE_LEAST && n[1] <= EDGE_LEAST && n[2] <= EDGE_LEAST)
        return true;
    ambient->coarser = calloc(1, sizeof *ambient->coarser);
    if (ambient->coarser == NULL)
        return fail(error, "picture: no memory for the ambient light");
    return ambient_resize(ambient->coarser, n, ambient->spacing, 2, ambient->lanes, true, error);
}

bool ambient_resize(Ambient *ambient, const int cells[3], float cell_size, int reduction, int lanes,
                    bool deep, BillowError *error)
{
    int n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = (cells[axis] + reduction - 1) / reduction;
    bool same = memcmp(n, ambient->n, sizeof n) == 0 && ambient->reduction == reduction &&
                ambient->lanes == lanes;
    if (ambient->depth == NULL || !same || (deep && ambient->coarser == NULL))
        ambient_destroy(ambient);
    ambient->spacing = (float)reduction * cell_size;
    if (ambient->depth != NULL)
        return true;
    ambient->reduction = reduction;
    ambient->lanes = lanes;
    memcpy(ambient->n, n, sizeof n);
    find_sights(ambient->sights);
    if (allocate(ambient, error) && (!deep || add_coarser(ambient, error)))
        return true;
    ambient_destroy(ambient);
    return false;
}

void ambient_darken(Ambient *ambient)
{
    ambient->half = 0;
    if (ambient->mean != NULL)
        memset(ambient->mean, 0, RGB * cells_count(ambient->n) * sizeof *ambient->mean);
}

/* Sets the optical thickness of a lane and the two values that follow from it. */
static void set_depth(Ambient *ambient, ptrdiff_t at, float tau)
{
    ambient->depth[at] = tau;
    float passed = expf(-tau);
    ambient->passed[at] = passed;
    ambient->within[at] = tau > 1e-3f ? (1 - passed) / tau : 1 - 0.5f * tau;
}

/* Between two scatterings, the sweep moves light about by more than its path: it interpolates w of
 * the way between two cells of each plane crossed, which adds w (1 - w) cells squared to the
 * variance of its place, 0.1298 per axis in the mean of all directions; and it spreads what a cell
 * scatters over the whole cell, which adds 1/18. The variance of the path itself is 2 / (3 tau^2).
 * Returns by which factor scattering must be more frequent to make up for it. tau: optical
 * thickness of a cell. */
static float extra_scattering(float tau)
{
    if (tau < 1e-3f)
        return 1;
    float crossed = 1 / expm1f(tau / vertex[0]);
    return 1 + 1.5f * tau * tau * (0.1298f * crossed + 1.0f / 18);
}

void ambient_set(Ambient *ambient, ptrdiff_t cell, const AmbientCell *of)
{
    float mean = (of->albedo[0] + of->albedo[1] + of->albedo[2]) / 3, more = 1;
    for (int c = 0; c < 3; c++) {
        float thickness = of->thickness[c] > 0 ? of->thickness[c] : 0;
        if (c < ambient->lanes) {
            float scattering = ambient->lanes == 1 ? mean : of->albedo[c];
            more = 1 + (extra_scattering(thickness) - 1) * scattering;
            set_depth(ambient, ambient->lanes * cell + c, more * thickness / vertex[0]);
        }
        ambient->albedo[RGB * cell + c] = 1 - (1 - of->albedo[c]) / more;
        ambient->source[RGB * cell + c] = of->source[c] / more;
    }
}

/* Index of the first of a column's values. */
static ptrdiff_t column_of(const Ambient *ambient, int i, int k)
{
    return RGB * (i + ambient->n[0] * (ptrdiff_t)k);
}

void ambient_set_sunlit(Ambient *ambient, int i, int k, const float share[3])
{
    memcpy(ambient->sunlit + column_of(ambient, i, k), share, 3 * sizeof *share);
}

/* -- the ground -------------------------------------------------------------------------------- */

/* Total irradiance of the ground below a column. */
static float falling_light(const Ambient *ambient, size_t value)
{
    float sum = 0;
    for (int group = 0; group < AMBIENT_GROUPS; group++)
        sum += ambient->falling[RGB * column_count(ambient) * (size_t)group + value];
    return sum;
}

/* Finds the radiance of the ground from the light that the sweeps before brought down to it. */
static void light_floor(Ambient *ambient, const Surroundings *around)
{
    for (size_t column = 0; column < column_count(ambient); column++)
        for (int c = 0; c < 3; c++) {
            size_t value = RGB * column + (size_t)c;
            ambient->floor[value] =
                around->ground_albedo[c] > 0.0f && ambient->half != 0
                    ? around->ground_sun[c] * ambient->sunlit[value] +
                          around->ground_albedo[c] / PI * falling_light(ambient, value)
                    : around->ground[c];
        }
}

/* -- one sweep --------------------------------------------------------------------------------- */

/* The last plane and the current plane of a group, each padded with the radiance from outside. */
typedef struct Planes {
    float *before, *after;
    ptrdiff_t pitch; /* distance between rows, floats */
} Planes;

static Planes planes_of(const Ambient *ambient, int group, const Sweep *sweep,
                        const float outside[3])
{
    float *first = ambient->planes + 2 * plane_floats(ambient) * (size_t)group;
    Planes planes = {first, first + plane_floats(ambient), RGB * (sweep->nu + 2)};
    size_t count = (size_t)(sweep->nu + 2) * (size_t)(sweep->nv + 2);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < RGB; c++)
            planes.before[RGB * i + c] = planes.after[RGB * i + c] = c < 3 ? outside[c] : 0;
    return planes;
}

/* Sweeps cells of one row: interpolates the radiance between two rows of the previous plane, and
 * computes what leaves each cell. */
static inline void sweep_lanes(const Ambient *ambient, const Sweep *sweep, ptrdiff_t at,
                               const float *low, const float *high, float *out, float *part,
                               int lanes)
{
    float wu = sweep->weight_u, wv = sweep->weight_v;
    const float w[4] = {(1 - wu) * (1 - wv), wu * (1 - wv), (1 - wu) * wv, wu * wv};
    for (int i = 0; i < sweep->nu; i++, at += sweep->step_u, low += RGB, high += RGB, out += RGB) {
        const float *own = ambient->own + RGB * at;
        float *sum = part + RGB * at, passed[RGB], within[RGB];
        for (int c = 0; c < RGB; c++) {
            ptrdiff_t lane = lanes * at + (lanes == 1 ? 0 : c);
            passed[c] = ambient->passed[lane];
            within[c] = ambient->within[lane];
        }
        for (int c = 0; c < RGB; c++) {
            float in = w[0] * low[c] + w[1] * low[c + RGB] + w[2] * high[c] + w[3] * high[c + RGB];
            out[c] = own[c] + (in - own[c]) * passed[c];
            sum[c] += own[c] + (in - own[c]) * within[c];
        }
    }
}

/* A sweep of one direction. Columns of cells stand on the ground, at y = 0 of the grid. */
typedef struct Sweeping {
    const Ambient *ambient;
    const Surroundings *around;
    Sweep sweep;
    Planes planes;
    float to[3], outside[3];
    float ground; /* share of the light that comes from the ground */
    float *falling;
} Sweeping;

/* Exchanges light between the ground and the lowest cells of plane k: before the plane is swept,
 * light from the ground enters at the padded values below them; after it, light leaves them. Where
 * the sweep goes along y, it enters in place of what comes from the plane before. */
static void meet_ground(const Sweeping *s, int k)
{
    const int *n = s->ambient->n, axis = s->sweep.axis,
              place = s->to[axis] > 0 ? n[axis] - 1 - k : k;
    const bool enters = s->to[1] < 0;
    const float weight = 4 * PI / AMBIENT_DIRECTIONS * s->to[1];
    if (axis == 1 && place > 0)
        return;
    for (int z = axis == 2 ? place : 0; z < (axis == 2 ? place + 1 : n[2]); z++)
        for (int x = axis == 0 ? place : 0; x < (axis == 0 ? place + 1 : n[0]); x++) {
            const ptrdiff_t u = axis == 0 ? !enters : x + 1, v = axis == 2 ? !enters : z + 1;
            const ptrdiff_t column = column_of(s->ambient, x, z),
                            at = v * s->planes.pitch + RGB * u;
            for (int c = 0; c < 3; c++)
                if (enters)
                    s->planes.before[at + c] =
                        s->outside[c] +
                        s->ground * (s->ambient->floor[column + c] - s->around->ground[c]);
                else
                    s->falling[column + c] += weight * s->planes.after[at + c];
        }
}

static void sweep_direction(const Ambient *ambient, const Surroundings *around, int index,
                            int group, float *part)
{
    Sweeping s = {.ambient = ambient,
                  .around = around,
                  .ground = ambient->sights[index].ground,
                  .falling = ambient->falling + RGB * column_count(ambient) * (size_t)group};
    ambient_direction(index, s.to);
    /* With the ground far from the box. */
    const AmbientSight *sight = &ambient->sights[index];
    for (int c = 0; c < 3; c++)
        s.outside[c] = around->mapped ? around->outside[index][c]
                                      : (1 - sight->horizon - sight->ground) * around->zenith[c] +
                                            sight->horizon * around->horizon[c] +
                                            sight->ground * around->ground[c];
    Sweep sweep = s.sweep = sweep_plan(ambient->n, s.to);
    s.planes = planes_of(ambient, group, &sweep, s.outside);
    for (int k = 0; k < sweep.planes; k++) {
        ptrdiff_t base = sweep.first + k * sweep.step;
        if (s.to[1] < 0)
            meet_ground(&s, k);
        for (int j = 0; j < sweep.nv; j++) {
            const float *low = s.planes.before + (j + 1 + sweep.offset_v) * s.planes.pitch +
                               RGB * (1 + sweep.offset_u);
            const float *high = low + s.planes.pitch;
            float *out = s.planes.after + (j + 1) * s.planes.pitch + RGB;
            ptrdiff_t at = base + j * sweep.step_v;
            if (ambient->lanes == 1) /* a constant, so that the compiler makes a fast copy */
                sweep_lanes(ambient, &sweep, at, low, high, out, part, 1);
            else
                sweep_lanes(ambient, &sweep, at, low, high, out, part, RGB);
        }
        if (s.to[1] > 0)
            meet_ground(&s, k);
        float *swap = s.planes.before;
        s.planes.before = s.planes.after;
        s.planes.after = swap;
    }
}

/* Adds J over all groups, and `beyond` times its change. Returns the largest change divided by the
 * largest value. */
static double add_groups(Ambient *ambient, float beyond)
{
    const size_t floats = RGB * cells_count(ambient->n);
    const float *parts = ambient->parts;
    float *mean = ambient->mean, largest = 0, change = 0;
#pragma omp parallel for schedule(static) reduction(max : largest, change)
    for (size_t i = 0; i < floats; i++) {
        float sum = 0;
        for (int group = 0; group < AMBIENT_GROUPS; group++)
            sum += parts[floats * (size_t)group + i];
        float now = sum / AMBIENT_DIRECTIONS, differs = fabsf(now - mean[i]);
        change = differs > change ? differs : change;
        largest = now > largest ? now : largest;
        now += beyond * (now - mean[i]);
        mean[i] = now > 0 ? now : 0;
    }
    return largest > 0 ? (double)change / (double)largest : 0;
}

/* Sweeps the groups first, first + stride and so on. Groups are added in their order, so that the
 * result does not depend on the number of threads. beyond: as for add_groups. Returns the largest
 * change of J divided by the largest J. */
static double sweep_groups(Ambient *ambient, const Surroundings *around, int first, int stride,
                           float beyond)
{
    size_t floats = RGB * cells_count(ambient->n), columns = RGB * column_count(ambient);
    light_floor(ambient, around);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < floats; i++)
        ambient->own[i] = ambient->source[i] + ambient->albedo[i] * ambient->mean[i];
#pragma omp parallel for schedule(dynamic, 1)
    for (int group = first; group < AMBIENT_GROUPS; group += stride) {
        float *part = ambient->parts + floats * (size_t)group;
        memset(part, 0, floats * sizeof *part);
        memset(ambient->falling + columns * (size_t)group, 0, columns * sizeof(float));
        for (int d = 0; d < GROUP_DIRECTIONS; d++)
            sweep_direction(ambient, around, group * GROUP_DIRECTIONS + d, group, part);
    }
    return add_groups(ambient, beyond);
}

static void sweep_once(Ambient *ambient, const Surroundings *around, float beyond)
{
    ambient->changed = ambient->changed_half = sweep_groups(ambient, around, 0, 1, beyond);
    ambient->half = 1;
}

void ambient_sweep_half(Ambient *ambient, const Surroundings *around)
{
    if (ambient->half == 0) {
        sweep_once(ambient, around, 0);
        return;
    }
    double change = sweep_groups(ambient, around, ambient->half - 1, 2, 0);
    ambient->changed = fmax(change, ambient->changed_half);
    ambient->changed_half = change;
    ambient->half = 3 - ambient->half;
}

/* In thick smoke that absorbs little, each order changes J by almost as much as the order before,
 * q times it, and 200 orders are not all of the light. The changes yet to come add up to q / (1 -
 * q) times the last one (Aitken). After each two plain sweeps, from whose changes q follows, the
 * third adds that. What it adds wrongly the next two sweeps take away. */
void ambient_sweep(Ambient *ambient, const Surroundings *around, int orders, double enough)
{
    const double LEAST = 0.3, MOST = 0.95; /* q below which plain sweeps are as fast; largest q */
    double before = 0;
    int plain = 0; /* sweeps since the last that added more */
    ambient->changed = INFINITY;
    for (int order = 0; order < orders && ambient->changed > enough; order++) {
        double q = plain >= 2 ? fmin(ambient->changed / before, MOST) : 0;
        before = ambient->changed;
        sweep_once(ambient, around, q > LEAST ? (float)(q / (1 - q)) : 0);
        plain = q > LEAST ? 0 : plain + 1;
    }
}

void ambient_show(Ambient *ambient)
{
    light_volume_sharpen(ambient->n, RGB, 0.125f, ambient->mean, ambient->shown);
}

/* -- coarser cells ----------------------------------------------------------------------------- */

/* Makes a coarse cell from eight fine ones: mean thickness; albedo and source weighted by
 * thickness. */
static void join_cells(const Ambient *fine, Ambient *coarse, int i, int j, int k)
{
    float depth[3] = {0}, albedo[3] = {0}, source[3] = {0};
    for (int corner = 0; corner < 8; corner++) {
        int x = 2 * i + (corner & 1), y = 2 * j + (corner >> 1 & 1), z = 2 * k + (corner >> 2);
        if (x >= fine->n[0] || y >= fine->n[1] || z >= fine->n[2])
            continue;
        ptrdiff_t cell = cells_index(fine->n, x, y, z);
        for (int c = 0; c < 3; c++) {
            float own = fine->depth[fine->lanes * cell + (fine->lanes == 1 ? 0 : c)];
            depth[c] += own;
            albedo[c] += own * fine->albedo[RGB * cell + c];
            source[c] += own * fine->source[RGB * cell + c];
        }
    }
    ptrdiff_t cell = cells_index(coarse->n, i, j, k);
    for (int lane = 0; lane < coarse->lanes && lane < 3; lane++)
        set_depth(coarse, coarse->lanes * cell + lane, 2 * depth[lane] / 8);
    for (int c = 0; c < 3; c++) {
        coarse->albedo[RGB * cell + c] = depth[c] > 0 ? albedo[c] / depth[c] : 0;
        coarse->source[RGB * cell + c] = depth[c] > 0 ? source[c] / depth[c] : 0;
    }
}

/* Shares of the sun's light: means over four fine columns. */
static void join_columns(const Ambient *fine, Ambient *coarse)
{
    memset(coarse->sunlit, 0, RGB * column_count(coarse) * sizeof(float));
    for (int k = 0; k < 2 * coarse->n[2]; k++)
        for (int i = 0; i < 2 * coarse->n[0]; i++)
            for (int c = 0; c < 3; c++) {
                int x = i < fine->n[0] ? i : fine->n[0] - 1,
                    z = k < fine->n[2] ? k : fine->n[2] - 1;
                coarse->sunlit[column_of(coarse, i / 2, k / 2) + c] +=
                    0.25f * fine->sunlit[column_of(fine, x, z) + c];
            }
}

void ambient_solve(Ambient *ambient, const Surroundings *around, int orders, double enough)
{
    Ambient *coarse = ambient->coarser;
    if (coarse == NULL) {
        ambient_darken(ambient);
        ambient_sweep(ambient, around, orders, enough);
        return;
    }
    for (int k = 0; k < coarse->n[2]; k++)
        for (int j = 0; j < coarse->n[1]; j++)
            for (int i = 0; i < coarse->n[0]; i++)
                join_cells(ambient, coarse, i, j, k);
    join_columns(ambient, coarse);
    ambient_solve(coarse, around, orders, enough);
    for (int k = 0; k < ambient->n[2]; k++)
        for (int j = 0; j < ambient->n[1]; j++)
            for (int i = 0; i < ambient->n[0]; i++)
                memcpy(ambient->mean + RGB * cells_index(ambient->n, i, j, k),
                       coarse->mean + RGB * cells_index(coarse->n, i / 2, j / 2, k / 2),
                       RGB * sizeof(float));
    /* The first sweep on finer cells starts from the coarse irradiance of the ground. */
    memset(ambient->falling, 0, AMBIENT_GROUPS * RGB * column_count(ambient) * sizeof(float));
    for (int k = 0; k < ambient->n[2]; k++)
        for (int i = 0; i < ambient->n[0]; i++)
            for (int c = 0; c < 3; c++)
                ambient->falling[column_of(ambient, i, k) + c] =
                    falling_light(coarse, (size_t)(column_of(coarse, i / 2, k / 2) + c));
    ambient->half = 1;
    ambient_sweep(ambient, around, orders, enough);
}

/* A lump of glowing cells, which lights the ground like a small lamp. */
enum { LUMPS_EDGE = 10, LUMPS = LUMPS_EDGE * LUMPS_EDGE * LUMPS_EDGE };

typedef struct Lump {
    float place[3];     /* centre of the lump's light, m from the box's lower corner */
    float intensity[3]; /* radiant, m2 */
} Lump;

typedef struct Lumps {
    Lump all[LUMPS];
    int count;
    float size; /* m */
} Lumps;

/* Share of a cell's light that leaves the smoke: the mean over straight down and four oblique
 * directions. */
static float share_out(const Ambient *ambient, int i, int j, int k)
{
    static const int directions[5][3] = {{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    const float oblique = 0.866246818f; /* one component of an ordinate (see vertex): `depth` is
                                           measured along an ordinate, not along an axis */
    float sum = 0;
    for (int d = 0; d < 5; d++) {
        float depth = 0.5f * ambient->depth[ambient->lanes * cells_index(ambient->n, i, j, k)];
        int at[3] = {i, j, k};
        for (;;) {
            bool inside = true;
            for (int axis = 0; axis < 3; axis++) {
                at[axis] += directions[d][axis];
                inside = inside && at[axis] >= 0 && at[axis] < ambient->n[axis];
            }
            if (!inside || depth > 8)
                break;
            depth += ambient->depth[ambient->lanes * cells_index(ambient->n, at[0], at[1], at[2])];
        }
        sum += expf(-oblique * depth);
    }
    return sum / 5;
}

static float light_of(const Lump *lump)
{
    return lump->intensity[0] + lump->intensity[1] + lump->intensity[2];
}

/* Joins the glow of cells. A uniform cell of depth t emits (1 - e^-t) B. */
static Lump gather_lump(const Ambient *ambient, const float *glow, int stride, float factor,
                        const int low[3], int edge)
{
    Lump lump = {{0}, {0}};
    const float spacing = ambient->spacing;
    for (int k = low[2]; k < low[2] + edge && k < ambient->n[2]; k++)
        for (int j = low[1]; j < low[1] + edge && j < ambient->n[1]; j++)
            for (int i = low[0]; i < low[0] + edge && i < ambient->n[0]; i++) {
                ptrdiff_t cell = cells_index(ambient->n, i, j, k);
                const float *own = glow + stride * cell;
                if (!(own[0] + own[1] + own[2] > 0) || !(ambient->depth[ambient->lanes * cell] > 0))
                    continue;
                float out = factor * (1 - ambient->passed[ambient->lanes * cell]) *
                            share_out(ambient, i, j, k) * spacing * spacing;
                float weight = out * (own[0] + own[1] + own[2]);
                const float place[3] = {((float)i + 0.5f) * spacing, ((float)j + 0.5f) * spacing,
                                        ((float)k + 0.5f) * spacing};
                for (int c = 0; c < 3; c++) {
                    lump.place[c] += weight * place[c];
                    lump.intensity[c] += out * own[c];
                }
            }
    float weight = light_of(&lump);
    for (int c = 0; c < 3 && weight > 0; c++)
        lump.place[c] /= weight;
    return lump;
}

/* Collects the lumps whose light is visible next to that of the brightest lump. */
static void gather_lumps(const Ambient *ambient, const float *glow, int stride, float factor,
                         Lumps *lumps)
{
    int edge = (cells_longest(ambient->n) + LUMPS_EDGE - 1) / LUMPS_EDGE;
    lumps->size = (float)edge * ambient->spacing;
#pragma omp parallel for schedule(dynamic, 1)
    for (int l = 0; l < LUMPS; l++) {
        const int low[3] = {edge * (l % LUMPS_EDGE), edge * (l / LUMPS_EDGE % LUMPS_EDGE),
                            edge * (l / (LUMPS_EDGE * LUMPS_EDGE))};
        lumps->all[l] = gather_lump(ambient, glow, stride, factor, low, edge);
    }
    float brightest = 0;
    for (int l = 0; l < LUMPS; l++)
        brightest = fmaxf(brightest, light_of(&lumps->all[l]));
    lumps->count = 0;
    for (int l = 0; l < LUMPS; l++)
        if (light_of(&lumps->all[l]) > 1e-3f * brightest)
            lumps->all[lumps->count++] = lumps->all[l];
}

/* E = sum of I cos / r^2 = I y / (r^2 + s^2)^(3/2), with s = 0.3 times the lump's edge. */
static void light_texel(const Lumps *lumps, float x, float z, float texel[4])
{
    float wide = 0.3f * lumps->size;
    memset(texel, 0, 4 * sizeof *texel);
    for (int l = 0; l < lumps->count; l++) {
        const Lump *lump = &lumps->all[l];
        float dx = lump->place[0] - x, y = lump->place[1], dz = lump->place[2] - z;
        float square = dx * dx + y * y + dz * dz + wide * wide;
        float lit = y / (square * sqrtf(square));
        for (int c = 0; c < 3; c++)
            texel[c] += lit * lump->intensity[c];
    }
}

bool ground_glow_map(const Ambient *ambient, const float size[3], const float *glow, int stride,
                     float factor, float *map)
{
    Lumps lumps;
    float longest = fmaxf(size[0], fmaxf(size[1], size[2]));
    gather_lumps(ambient, glow, stride, factor, &lumps);
    if (lumps.count == 0)
        return false;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < GROUND_GLOW; row++)
        for (int i = 0; i < GROUND_GLOW; i++) {
            float u = ((float)i + 0.5f) / GROUND_GLOW - 0.5f;
            float v = ((float)row + 0.5f) / GROUND_GLOW - 0.5f;
            light_texel(&lumps, 0.5f * size[0] + longest * u / (1 - 2 * fabsf(u)),
                        0.5f * size[2] + longest * v / (1 - 2 * fabsf(v)),
                        map + 4 * (row * GROUND_GLOW + i));
        }
    return true;
}
