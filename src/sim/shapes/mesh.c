/* SPDX-License-Identifier: MIT
 *
 * Checks that triangle meshes are closed and face outwards, and computes the distance from them. */
#include "base/fail.h"
#include "base/float_mode.h"
#include "base/number.h"
#include <assert.h>
#include <billow/mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge of a triangle, its vertices in ascending order. */
typedef struct Edge {
    int low, high;
    bool turned; /* the triangle runs along it from `high` to `low` */
} Edge;

static size_t samples_of(const BillowVolume *volume)
{
    return (size_t)volume->nx * (size_t)volume->ny * (size_t)volume->nz;
}

size_t billow_mesh_scratch(const BillowMesh *mesh, const BillowVolume *volume)
{
    assert(mesh != NULL);
    size_t edges = mesh->triangle_count > 0 ? 3 * (size_t)mesh->triangle_count * sizeof(Edge) : 0;
    size_t samples = volume != NULL ? samples_of(volume) * sizeof(int) : 0;
    return edges > samples ? edges : samples;
}

void billow_mesh_bounds(const BillowMesh *mesh, float low[3], float high[3])
{
    FLOAT_MODE_OWN;
    assert(mesh != NULL && mesh->vertex_count > 0 && mesh->vertices != NULL);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = mesh->vertices[0][axis];
        for (int v = 1; v < mesh->vertex_count; v++) {
            float at = mesh->vertices[v][axis];
            low[axis] = at < low[axis] ? at : low[axis];
            high[axis] = at > high[axis] ? at : high[axis];
        }
    }
}

static bool check_numbers(const BillowMesh *mesh, BillowError *error)
{
    if (mesh->triangle_count < 4 || mesh->triangle_count > BILLOW_TRIANGLES_MAX)
        return fail(error, "%d triangles; a closed mesh has 4 or more, and at most %d are possible",
                    mesh->triangle_count, BILLOW_TRIANGLES_MAX);
    for (int v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            if (!(fabsf(mesh->vertices[v][axis]) <= 1e6f))
                return fail(error, "vertex %d has a coordinate that is not within 1e6", v);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *corner = mesh->triangles[t];
        for (int c = 0; c < 3; c++)
            if (corner[c] < 0 || corner[c] >= mesh->vertex_count)
                return fail(error, "triangle %d has a corner %d; there are %d vertices", t,
                            corner[c], mesh->vertex_count);
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0])
            return fail(error, "triangle %d has the same corner twice", t);
    }
    return true;
}

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

static bool refuse_edge(const BillowMesh *mesh, const Edge *edge, size_t shared, BillowError *error)
{
    const float *a = mesh->vertices[edge->low], *b = mesh->vertices[edge->high];
    char which[160];
    number_print(which, sizeof which, "the edge from (%g, %g, %g) to (%g, %g, %g)", (double)a[0],
                 (double)a[1], (double)a[2], (double)b[0], (double)b[1], (double)b[2]);
    if (shared == 1)
        return fail(error, "not closed: %s belongs to only one triangle", which);
    if (shared == 2)
        return fail(error, "the two triangles at %s face opposite ways", which);
    return fail(error, "%s belongs to %zu triangles, where a closed mesh has two", which, shared);
}

static bool check_edges(const BillowMesh *mesh, Edge *edges, BillowError *error)
{
    size_t count = 3 * (size_t)mesh->triangle_count, shared;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++) {
            int from = mesh->triangles[t][c], to = mesh->triangles[t][(c + 1) % 3];
            edges[3 * (size_t)t + (size_t)c] =
                from < to ? (Edge){from, to, false} : (Edge){to, from, true};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t first = 0; first < count; first += shared) {
        shared = 1;
        while (first + shared < count && compare_edges(&edges[first], &edges[first + shared]) == 0)
            shared++;
        if (shared != 2 || edges[first].turned == edges[first + 1].turned)
            return refuse_edge(mesh, &edges[first], shared, error);
    }
    return true;
}

/* Sum of the signed volumes of the tetrahedra from a point to each triangle, a . (b x c) / 6. */
static double signed_volume(const BillowMesh *mesh)
{
    const float *origin = mesh->vertices[0];
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        double p[3][3];
        for (int c = 0; c < 3; c++)
            for (int axis = 0; axis < 3; axis++)
                p[c][axis] =
                    (double)mesh->vertices[mesh->triangles[t][c]][axis] - (double)origin[axis];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            sum += p[0][i] * (p[1][j] * p[2][k] - p[1][k] * p[2][j]);
        }
    }
    return sum / 6;
}

bool billow_mesh_check(const BillowMesh *mesh, void *scratch, BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(mesh != NULL);
    if (!check_numbers(mesh, error) || !check_edges(mesh, scratch, error))
        return false;
    double volume = signed_volume(mesh);
    if (volume > 0)
        return true;
    return fail(error,
                "inside out: its triangles face inwards, and it encloses %.3g; turn them "
                "round",
                volume);
}

/* -- distance ---------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double squared_to(const double from[3], const double to[3])
{
    const double d[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
    return dot(d, d);
}

/* Squared distance from p to the segment from a to b. */
static double squared_to_segment(const double p[3], const double a[3], const double b[3])
{
    double along[3], from[3], at[3];
    for (int axis = 0; axis < 3; axis++) {
        along[axis] = b[axis] - a[axis];
        from[axis] = p[axis] - a[axis];
    }
    double length = dot(along, along), share = length > 0 ? dot(from, along) / length : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int axis = 0; axis < 3; axis++)
        at[axis] = a[axis] + share * along[axis];
    return squared_to(p, at);
}

/* Squared distance from p to a triangle: to its plane if p projects into the triangle, otherwise to
 * the nearest edge. */
static double squared_to_triangle(const BillowMesh *mesh, int triangle, const double p[3])
{
    double corner[3][3], ab[3], ac[3], ap[3];
    for (int c = 0; c < 3; c++)
        for (int axis = 0; axis < 3; axis++)
            corner[c][axis] = (double)mesh->vertices[mesh->triangles[triangle][c]][axis];
    for (int axis = 0; axis < 3; axis++) {
        ab[axis] = corner[1][axis] - corner[0][axis];
        ac[axis] = corner[2][axis] - corner[0][axis];
        ap[axis] = p[axis] - corner[0][axis];
    }
    double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    double pb = dot(ap, ab), pc = dot(ap, ac), area = bb * cc - bc * bc;
    double v = cc * pb - bc * pc, w = bb * pc - bc * pb; /* barycentric, times `area` */
    if (area > 0 && v >= 0 && w >= 0 && v + w <= area) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = corner[0][axis] + (v * ab[axis] + w * ac[axis]) / area;
        return squared_to(p, at);
    }
    double least = squared_to_segment(p, corner[0], corner[1]);
    least = fmin(least, squared_to_segment(p, corner[1], corner[2]));
    return fmin(least, squared_to_segment(p, corner[2], corner[0]));
}

typedef struct Sampling {
    const BillowMesh *mesh;
    const BillowVolume *volume;
    int counts[3];
    ptrdiff_t strides[3];
    float *squared; /* squared distance from the nearest triangle found so far */
    int *nearest;   /* index of that triangle; -1 at first */
} Sampling;

/* Coordinate of a sample. It is rounded to float as vertices are, so that differences from vertices
 * are exact in double. */
static double coordinate(const BillowVolume *volume, int axis, int index)
{
    return (double)(volume->low[axis] + volume->spacing * (float)index);
}

static void try_triangle(const Sampling *s, const int at[3], ptrdiff_t sample, int triangle)
{
    double p[3];
    for (int axis = 0; axis < 3; axis++)
        p[axis] = coordinate(s->volume, axis, at[axis]);
    float squared = (float)squared_to_triangle(s->mesh, triangle, p);
    if (s->nearest[sample] >= 0 && squared >= s->squared[sample])
        return;
    s->squared[sample] = squared;
    s->nearest[sample] = triangle;
}

/* Range first <= index < end along an axis, with all samples that lie within a spacing of the
 * triangle's bounds. */
static void span_of(const Sampling *s, int triangle, int axis, int *first, int *end)
{
    const int *corner = s->mesh->triangles[triangle];
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++) {
        low = fmin(low, (double)s->mesh->vertices[corner[c]][axis]);
        high = fmax(high, (double)s->mesh->vertices[corner[c]][axis]);
    }
    double origin = (double)s->volume->low[axis], spacing = (double)s->volume->spacing;
    double last = s->counts[axis];
    *first = (int)fmin(fmax(floor((low - origin) / spacing) - 1, 0), last);
    *end = (int)fmin(fmax(ceil((high - origin) / spacing) + 2, 0), last);
}

static void measure_near(const Sampling *s)
{
    for (int t = 0; t < s->mesh->triangle_count; t++) {
        int first[3], end[3], at[3];
        for (int axis = 0; axis < 3; axis++)
            span_of(s, t, axis, &first[axis], &end[axis]);
        for (at[2] = first[2]; at[2] < end[2]; at[2]++)
            for (at[1] = first[1]; at[1] < end[1]; at[1]++)
                for (at[0] = first[0]; at[0] < end[0]; at[0]++)
                    try_triangle(s, at, at[0] + at[1] * s->strides[1] + at[2] * s->strides[2], t);
    }
}

/* Tries the nearest triangle of one neighbour of a sample. The neighbour is one step back along
 * each axis whose bit is set in `axes`. */
static void try_neighbour(const Sampling *s, const int at[3], ptrdiff_t sample, const int step[3],
                          int axes)
{
    ptrdiff_t other = sample;
    for (int axis = 0; axis < 3; axis++)
        if (axes >> axis & 1) {
            int index = at[axis] - step[axis];
            if (index < 0 || index >= s->counts[axis])
                return;
            other -= step[axis] * s->strides[axis];
        }
    int triangle = s->nearest[other];
    if (triangle >= 0 && triangle != s->nearest[sample])
        try_triangle(s, at, sample, triangle);
}

/* The triangle nearest to a neighbour is likely to be the nearest to the sample too (Tsai 2002).
 * Sweeps in the eight diagonal directions spread it to all samples. */
static void sweep(const Sampling *s, int direction)
{
    int step[3], at[3];
    for (int axis = 0; axis < 3; axis++)
        step[axis] = direction >> axis & 1 ? -1 : 1;
    for (int c = 0; c < s->counts[2]; c++)
        for (int b = 0; b < s->counts[1]; b++)
            for (int a = 0; a < s->counts[0]; a++) {
                at[0] = step[0] > 0 ? a : s->counts[0] - 1 - a;
                at[1] = step[1] > 0 ? b : s->counts[1] - 1 - b;
                at[2] = step[2] > 0 ? c : s->counts[2] - 1 - c;
                ptrdiff_t sample = at[0] + at[1] * s->strides[1] + at[2] * s->strides[2];
                for (int side = 1; side < 8; side++)
                    try_neighbour(s, at, sample, step, side);
            }
}

/* -- sign -------------------------------------------------------------------------------------- */

/* Sign of the area of a, b, p, projected along x. If p is in line with a and b, it is treated as if
 * moved infinitesimally along y, and by infinitesimally less along z. A ray through an edge or a
 * vertex then crosses exactly one of the triangles that share it. The ends of an edge are sorted
 * first, so that both of its triangles compute the same number. */
static int side_of(const float *a, const float *b, double y, double z)
{
    bool swap = a[1] > b[1] || (a[1] == b[1] && a[2] > b[2]);
    const float *from = swap ? b : a, *to = swap ? a : b;
    double along_y = (double)to[1] - (double)from[1], along_z = (double)to[2] - (double)from[2];
    double area = along_y * (z - (double)from[2]) - along_z * (y - (double)from[1]);
    if (area == 0)
        area = along_z != 0 ? -along_z : along_y;
    int side = (area > 0) - (area < 0);
    return swap ? -side : side;
}

/* The x at which the line along x through (y, z) crosses the plane of the triangle. */
static double crossing(const float *a, const float *b, const float *c, double y, double z)
{
    double u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
        u[axis] = (double)b[axis] - (double)a[axis];
        v[axis] = (double)c[axis] - (double)a[axis];
    }
    double nx = u[1] * v[2] - u[2] * v[1], ny = u[2] * v[0] - u[0] * v[2];
    double nz = u[0] * v[1] - u[1] * v[0];
    double x = (double)a[0];
    return nx != 0 ? x - (ny * (y - (double)a[1]) + nz * (z - (double)a[2])) / nx : x;
}

/* Sets turns[i] to the surface's winding number around sample i minus that around sample i - 1. */
static void count_turns(const Sampling *s, int *turns)
{
    for (int t = 0; t < s->mesh->triangle_count; t++) {
        const int *corner = s->mesh->triangles[t];
        const float *a = s->mesh->vertices[corner[0]], *b = s->mesh->vertices[corner[1]];
        const float *c = s->mesh->vertices[corner[2]];
        int first[3], end[3];
        for (int axis = 1; axis < 3; axis++)
            span_of(s, t, axis, &first[axis], &end[axis]);
        for (int k = first[2]; k < end[2]; k++)
            for (int j = first[1]; j < end[1]; j++) {
                double y = coordinate(s->volume, 1, j), z = coordinate(s->volume, 2, k);
                int side = side_of(a, b, y, z);
                if (side == 0 || side != side_of(b, c, y, z) || side != side_of(c, a, y, z))
                    continue;
                double x = crossing(a, b, c, y, z) - (double)s->volume->low[0];
                double first_beyond = ceil(x / (double)s->volume->spacing);
                int nx = s->volume->nx;
                int i = first_beyond < 0 ? 0 : first_beyond > nx ? nx : (int)first_beyond;
                if (i < nx) /* facing left (-x) adds 1, facing right subtracts 1 */
                    turns[i + j * s->strides[1] + k * s->strides[2]] -= side;
            }
    }
}

bool billow_voxelize(const BillowMesh *mesh, BillowVolume *volume, float *distance, void *scratch,
                     BillowError *error)
{
    FLOAT_MODE_OWN;
    assert(mesh != NULL && volume != NULL);
    if (!billow_mesh_check(mesh, scratch, error))
        return false;
    if (volume->nx < 2 || volume->ny < 2 || volume->nz < 2 || !(volume->spacing > 0.0f) ||
        !isfinite(volume->spacing))
        return fail(error,
                    "a volume needs at least 2 samples along each axis, at a spacing above 0");
    Sampling s = {.mesh = mesh,
                  .volume = volume,
                  .counts = {volume->nx, volume->ny, volume->nz},
                  .strides = {1, volume->nx, (ptrdiff_t)volume->nx * volume->ny},
                  .squared = distance,
                  .nearest = scratch};
    size_t samples = samples_of(volume);
    for (size_t n = 0; n < samples; n++)
        s.nearest[n] = -1;
    measure_near(&s);
    for (int pass = 0; pass < 16; pass++)
        sweep(&s, pass % 8);
    for (size_t n = 0; n < samples; n++)
        distance[n] = s.nearest[n] >= 0 ? sqrtf(distance[n]) : 1e6f; /* no triangle is near */
    int *turns = scratch;
    memset(turns, 0, samples * sizeof *turns);
    count_turns(&s, turns);
    int round = 0; /* the surface's winding number around the sample */
    for (size_t n = 0; n < samples; n++) {
        round = n % (size_t)volume->nx == 0 ? turns[n] : round + turns[n];
        if (round > 0)
            distance[n] = -distance[n];
    }
    volume->distance = distance;
    return true;
}
