/* SPDX-License-Identifier: MIT */
#include "ambient.h"

#include "fail.h"
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Red, green, blue and one that stays 0: four floats are added as one. */
enum { RGB = 4, GROUP_DIRECTIONS = AMBIENT_DIRECTIONS / AMBIENT_GROUPS };

/* One of 24 points on the sphere over which polynomials up to the seventh degree have their true
 * mean, the vertices of an improved snub cube (McLaren 1963); the others are its rotations by those
 * of a cube. Since all are the same but for the order and signs of their components, so are their
 * ways through a cell. */
static const float vertex[3] = {0.866246818f, 0.422518654f, 0.266635402f};

static void direction(int index, float to[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static const float even[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    int order = index / 4;
    float flip = order < 3 ? 1 : -1; /* a rotation, not a mirror image */
    for (int axis = 0; axis < 3; axis++)
        to[axis] = flip * even[index % 4][axis] * vertex[orders[order][axis]];
}

/* -- memory ------------------------------------------------------------------------------------ */

static size_t cell_count(const Ambient *ambient)
{
    return (size_t)ambient->n[0] * (size_t)ambient->n[1] * (size_t)ambient->n[2];
}

static size_t plane_floats(const Ambient *ambient)
{
    size_t longest = 0;
    for (int axis = 0; axis < 3; axis++)
        longest = (size_t)ambient->n[axis] > longest ? (size_t)ambient->n[axis] : longest;
    return RGB * (longest + 2) * (longest + 2);
}

void ambient_destroy(Ambient *ambient)
{
    if (ambient->coarser != NULL)
        ambient_destroy(ambient->coarser);
    free(ambient->coarser);
    free(ambient->depth); /* the others are slices of it */
    *ambient = (Ambient){0};
}

static bool allocate(Ambient *ambient, BillowError *error)
{
    size_t count = cell_count(ambient), planes = 2 * plane_floats(ambient) * AMBIENT_GROUPS;
    size_t lanes = (size_t)ambient->lanes * count;
    float *memory = calloc(3 * lanes + (4 + AMBIENT_GROUPS) * RGB * count + planes, sizeof *memory);
    if (memory == NULL)
        return fail(error, "picture: no memory for the ambient light in %dx%dx%d cells",
                    ambient->n[0], ambient->n[1], ambient->n[2]);
    float **const slices[] = {&ambient->depth,  &ambient->passed, &ambient->within,
                              &ambient->albedo, &ambient->source, &ambient->mean,
                              &ambient->own,    &ambient->parts,  &ambient->planes};
    const size_t floats[] = {lanes,       lanes,       lanes,       RGB * count,
                             RGB * count, RGB * count, RGB * count, AMBIENT_GROUPS * RGB * count,
                             planes};
    for (size_t s = 0; s < sizeof slices / sizeof *slices; memory += floats[s++])
        *slices[s] = memory;
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
    if (allocate(ambient, error) && (!deep || add_coarser(ambient, error)))
        return true;
    ambient_destroy(ambient);
    return false;
}

void ambient_darken(Ambient *ambient)
{
    ambient->half = 0;
    if (ambient->mean != NULL)
        memset(ambient->mean, 0, RGB * cell_count(ambient) * sizeof *ambient->mean);
}

/* at: of a cell's lanes. */
static void set_depth(Ambient *ambient, ptrdiff_t at, float tau)
{
    ambient->depth[at] = tau;
    ambient->passed[at] = expf(-tau);
    ambient->within[at] = tau > 1e-3f ? (1 - expf(-tau)) / tau : 1 - 0.5f * tau;
}

void ambient_set(Ambient *ambient, ptrdiff_t cell, const AmbientCell *of)
{
    for (int lane = 0; lane < ambient->lanes && lane < 3; lane++)
        set_depth(ambient, ambient->lanes * cell + lane, fmaxf(of->thickness[lane], 0) / vertex[0]);
    for (int c = 0; c < 3; c++) {
        ambient->albedo[RGB * cell + c] = of->albedo[c];
        ambient->source[RGB * cell + c] = of->source[c];
    }
}

/* -- one sweep --------------------------------------------------------------------------------- */

/* A group's last plane and the one being computed, each padded with the radiance from outside. */
typedef struct Planes {
    float *before, *after;
    ptrdiff_t pitch; /* floats from row to row */
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

/* Row of a plane at the cells that begin at `at`: two rows of the plane before, each with the next
 * cell's neighbour, and what comes out. */
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

/* One of two copies, so that the one for all colours alike stays as fast as it is. */
static void sweep_row(const Ambient *ambient, const Sweep *sweep, ptrdiff_t at, const float *low,
                      const float *high, float *out, float *part)
{
    if (ambient->lanes == 1)
        sweep_lanes(ambient, sweep, at, low, high, out, part, 1);
    else
        sweep_lanes(ambient, sweep, at, low, high, out, part, RGB);
}

static void sweep_direction(const Ambient *ambient, const AmbientSurroundings *around, int index,
                            int group, float *part)
{
    float to[3], outside[3];
    direction(index, to);
    around->radiance(around->context, to, outside);
    Sweep sweep = sweep_plan(ambient->n, to);
    Planes planes = planes_of(ambient, group, &sweep, outside);
    for (int k = 0; k < sweep.planes; k++) {
        ptrdiff_t base = sweep.first + k * sweep.step;
        for (int j = 0; j < sweep.nv; j++) {
            const float *low = planes.before + (j + 1 + sweep.offset_v) * planes.pitch +
                               RGB * (1 + sweep.offset_u);
            sweep_row(ambient, &sweep, base + j * sweep.step_v, low, low + planes.pitch,
                      planes.after + (j + 1) * planes.pitch + RGB, part);
        }
        float *swap = planes.before;
        planes.before = planes.after;
        planes.after = swap;
    }
}

/* Adds up J of a plane from all groups. found: its largest value and its largest change. */
static void add_plane(Ambient *ambient, int k, float found[2])
{
    size_t plane = RGB * (size_t)ambient->n[0] * (size_t)ambient->n[1];
    size_t floats = plane * (size_t)ambient->n[2];
    float *mean = ambient->mean + plane * (size_t)k, largest = 0, change = 0;
    const float *part = ambient->parts + plane * (size_t)k;
    for (size_t i = 0; i < plane; i++) {
        float sum = 0;
        for (int group = 0; group < AMBIENT_GROUPS; group++)
            sum += part[floats * (size_t)group + i];
        float now = sum / AMBIENT_DIRECTIONS, differs = fabsf(now - mean[i]);
        change = differs > change ? differs : change;
        largest = now > largest ? now : largest;
        mean[i] = now;
    }
    found[0] = largest;
    found[1] = change;
}

/* Returns the largest change over the largest value. */
static double add_groups(Ambient *ambient)
{
    float *found = ambient->planes; /* free after the sweeps; holds two floats a plane */
    float largest = 0, change = 0;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < ambient->n[2]; k++)
        add_plane(ambient, k, found + 2 * (ptrdiff_t)k);
    for (int k = 0; k < ambient->n[2]; k++) {
        largest = fmaxf(largest, found[2 * k]);
        change = fmaxf(change, found[2 * k + 1]);
    }
    return largest > 0 ? (double)change / (double)largest : 0;
}

/* Groups first, first + stride and so on. The same whatever the number of threads, added up in
 * their order. Returns the largest change of J over the largest J. */
static double sweep_groups(Ambient *ambient, const AmbientSurroundings *around, int first,
                           int stride)
{
    size_t floats = RGB * cell_count(ambient);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < floats; i++)
        ambient->own[i] = ambient->source[i] + ambient->albedo[i] * ambient->mean[i];
#pragma omp parallel for schedule(dynamic, 1)
    for (int group = first; group < AMBIENT_GROUPS; group += stride) {
        float *part = ambient->parts + floats * (size_t)group;
        memset(part, 0, floats * sizeof *part);
        for (int d = 0; d < GROUP_DIRECTIONS; d++)
            sweep_direction(ambient, around, group * GROUP_DIRECTIONS + d, group, part);
    }
    return add_groups(ambient);
}

static void sweep_once(Ambient *ambient, const AmbientSurroundings *around)
{
    ambient->changed = ambient->changed_half = sweep_groups(ambient, around, 0, 1);
    ambient->half = 1;
}

void ambient_sweep_half(Ambient *ambient, const AmbientSurroundings *around)
{
    if (ambient->half == 0) {
        sweep_once(ambient, around);
        return;
    }
    double change = sweep_groups(ambient, around, ambient->half - 1, 2);
    ambient->changed = fmax(change, ambient->changed_half);
    ambient->changed_half = change;
    ambient->half = 3 - ambient->half;
}

void ambient_sweep(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough)
{
    ambient->changed = INFINITY;
    for (int order = 0; order < orders && ambient->changed > enough; order++)
        sweep_once(ambient, around);
}

/* -- coarser cells ------------------------------------------------------------------------------
 */

static ptrdiff_t index_of(const Ambient *ambient, int i, int j, int k)
{
    return i + ambient->n[0] * (j + (ptrdiff_t)ambient->n[1] * k);
}

/* Makes a coarse cell from eight fine ones: mean thickness; albedo and source weighted by
 * thickness. */
static void join_cells(const Ambient *fine, Ambient *coarse, int i, int j, int k)
{
    float depth[3] = {0}, albedo[3] = {0}, source[3] = {0};
    for (int corner = 0; corner < 8; corner++) {
        int x = 2 * i + (corner & 1), y = 2 * j + (corner >> 1 & 1), z = 2 * k + (corner >> 2);
        if (x >= fine->n[0] || y >= fine->n[1] || z >= fine->n[2])
            continue;
        ptrdiff_t cell = index_of(fine, x, y, z);
        for (int c = 0; c < 3; c++) {
            float own = fine->depth[fine->lanes * cell + (fine->lanes == 1 ? 0 : c)];
            depth[c] += own;
            albedo[c] += own * fine->albedo[RGB * cell + c];
            source[c] += own * fine->source[RGB * cell + c];
        }
    }
    ptrdiff_t cell = index_of(coarse, i, j, k);
    for (int lane = 0; lane < coarse->lanes && lane < 3; lane++)
        set_depth(coarse, coarse->lanes * cell + lane, 2 * depth[lane] / 8);
    for (int c = 0; c < 3; c++) {
        coarse->albedo[RGB * cell + c] = depth[c] > 0 ? albedo[c] / depth[c] : 0;
        coarse->source[RGB * cell + c] = depth[c] > 0 ? source[c] / depth[c] : 0;
    }
}

void ambient_solve(Ambient *ambient, const AmbientSurroundings *around, int orders, double enough)
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
    ambient_solve(coarse, around, orders, enough);
    for (int k = 0; k < ambient->n[2]; k++)
        for (int j = 0; j < ambient->n[1]; j++)
            for (int i = 0; i < ambient->n[0]; i++)
                memcpy(ambient->mean + RGB * index_of(ambient, i, j, k),
                       coarse->mean + RGB * index_of(coarse, i / 2, j / 2, k / 2),
                       RGB * sizeof(float));
    ambient_sweep(ambient, around, orders, enough);
}
