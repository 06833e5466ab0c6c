/* SPDX-License-Identifier: MIT */
#include "bench/stam_baseline.h"

#include "base/fail.h"

#include <stdlib.h>

/* Kind of a field. A velocity component changes sign across the pair of walls that are
 * perpendicular to it. */
typedef enum Kind { SCALAR, U, V, W } Kind;

struct StamBaseline {
    int n;
    float *memory; /* of all fields */
    float *u, *v, *w, *density;
    float *u0, *v0, *w0,
        *density0; /* sources before a step; the step overwrites them with the previous fields */
};

static size_t at(int n, int i, int j, int k)
{
    size_t row = (size_t)n + 2;
    return (size_t)i + row * ((size_t)j + row * (size_t)k);
}

static size_t values(int n)
{
    return at(n, n + 1, n + 1, n + 1) + 1;
}

size_t stam_baseline_bytes(int n)
{
    return sizeof(StamBaseline) + 8 * values(n) * sizeof(float);
}

void stam_baseline_destroy(StamBaseline *baseline)
{
    if (baseline == NULL)
        return;
    free(baseline->memory);
    free(baseline);
}

StamBaseline *stam_baseline_create(int n, BillowError *error)
{
    StamBaseline *baseline = calloc(1, sizeof *baseline);
    if (baseline == NULL) {
        fail(error, "no memory for the baseline");
        return NULL;
    }
    baseline->n = n;
    baseline->memory = calloc(8 * values(n), sizeof(float));
    if (baseline->memory == NULL) {
        fail(error, "the baseline's %dx%dx%d cells need %zu MB of memory, more than there is", n, n,
             n, stam_baseline_bytes(n) >> 20);
        stam_baseline_destroy(baseline);
        return NULL;
    }
    float **fields[] = {&baseline->u,  &baseline->v,  &baseline->w,  &baseline->density,
                        &baseline->u0, &baseline->v0, &baseline->w0, &baseline->density0};
    for (size_t field = 0; field < 8; field++)
        *fields[field] = baseline->memory + field * values(n);
    return baseline;
}

static void add_source(int n, float *x, const float *s, float dt)
{
    size_t count = values(n);
    for (size_t i = 0; i < count; i++)
        x[i] += dt * s[i];
}

/* Sets the boundary layer. A velocity component changes sign across the walls that are
 * perpendicular to it; all other values are copied. An edge value is the mean of its two
 * neighbours, a corner value the mean of its three. */
static void set_boundary(int n, Kind kind, float *x)
{
    for (int b = 1; b <= n; b++) {
        for (int a = 1; a <= n; a++) {
            x[at(n, 0, a, b)] = kind == U ? -x[at(n, 1, a, b)] : x[at(n, 1, a, b)];
            x[at(n, n + 1, a, b)] = kind == U ? -x[at(n, n, a, b)] : x[at(n, n, a, b)];
            x[at(n, a, 0, b)] = kind == V ? -x[at(n, a, 1, b)] : x[at(n, a, 1, b)];
            x[at(n, a, n + 1, b)] = kind == V ? -x[at(n, a, n, b)] : x[at(n, a, n, b)];
            x[at(n, a, b, 0)] = kind == W ? -x[at(n, a, b, 1)] : x[at(n, a, b, 1)];
            x[at(n, a, b, n + 1)] = kind == W ? -x[at(n, a, b, n)] : x[at(n, a, b, n)];
        }
    }
    for (int q = 0; q <= n + 1; q += n + 1) {
        int qi = q == 0 ? 1 : n;
        for (int r = 0; r <= n + 1; r += n + 1) {
            int ri = r == 0 ? 1 : n;
            for (int a = 1; a <= n; a++) {
                x[at(n, a, q, r)] = 0.5f * (x[at(n, a, qi, r)] + x[at(n, a, q, ri)]);
                x[at(n, q, a, r)] = 0.5f * (x[at(n, qi, a, r)] + x[at(n, q, a, ri)]);
                x[at(n, q, r, a)] = 0.5f * (x[at(n, qi, r, a)] + x[at(n, q, ri, a)]);
            }
            for (int s = 0; s <= n + 1; s += n + 1) {
                int si = s == 0 ? 1 : n;
                x[at(n, q, r, s)] =
                    (x[at(n, qi, r, s)] + x[at(n, q, ri, s)] + x[at(n, q, r, si)]) / 3.0f;
            }
        }
    }
}

/* Gauss-Seidel sweeps, in memory order, for c x - a (sum of the six neighbours) = x0. */
static void linear_solve(int n, Kind kind, float *x, const float *x0, float a, float c, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int k = 1; k <= n; k++)
            for (int j = 1; j <= n; j++)
                for (int i = 1; i <= n; i++)
                    x[at(n, i, j, k)] =
                        (x0[at(n, i, j, k)] + a * (x[at(n, i - 1, j, k)] + x[at(n, i + 1, j, k)] +
                                                   x[at(n, i, j - 1, k)] + x[at(n, i, j + 1, k)] +
                                                   x[at(n, i, j, k - 1)] + x[at(n, i, j, k + 1)])) /
                        c;
        set_boundary(n, kind, x);
    }
}

/* Traces each cell centre back in one straight step, clamped to half a cell inside the box, and
 * interpolates trilinearly. */
static void advect(int n, Kind kind, float *d, const float *d0, const float *u, const float *v,
                   const float *w, float dt)
{
    float dt0 = dt * (float)n, most = (float)n + 0.5f;
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++) {
                float x = (float)i - dt0 * u[at(n, i, j, k)];
                float y = (float)j - dt0 * v[at(n, i, j, k)];
                float z = (float)k - dt0 * w[at(n, i, j, k)];
                x = x < 0.5f ? 0.5f : x > most ? most : x;
                y = y < 0.5f ? 0.5f : y > most ? most : y;
                z = z < 0.5f ? 0.5f : z > most ? most : z;
                int i0 = (int)x, j0 = (int)y, k0 = (int)z;
                int i1 = i0 + 1, j1 = j0 + 1, k1 = k0 + 1;
                float s1 = x - (float)i0, s0 = 1 - s1;
                float t1 = y - (float)j0, t0 = 1 - t1;
                float r1 = z - (float)k0, r0 = 1 - r1;
                d[at(n, i, j, k)] =
                    r0 * (s0 * (t0 * d0[at(n, i0, j0, k0)] + t1 * d0[at(n, i0, j1, k0)]) +
                          s1 * (t0 * d0[at(n, i1, j0, k0)] + t1 * d0[at(n, i1, j1, k0)])) +
                    r1 * (s0 * (t0 * d0[at(n, i0, j0, k1)] + t1 * d0[at(n, i0, j1, k1)]) +
                          s1 * (t0 * d0[at(n, i1, j0, k1)] + t1 * d0[at(n, i1, j1, k1)]));
            }
    set_boundary(n, kind, d);
}

/* With h = 1/n, the pressure's six-neighbour Laplacian set equal to the central divergence,
 *
 *     (sum of six p - 6 p) / h^2 = (du + dv + dw) / (2 h),   du = u[i+1] - u[i-1] and so on,
 *
 * times -h^2:  6 p - sum of six p = -h/2 (du + dv + dw). The factor of the divergence is the
 * published one for two dimensions; only the 4 becomes a 6. Then u -= (p[i+1] - p[i-1]) / (2 h). */
void stam_baseline_project(int n, float *u, float *v, float *w, float *p, float *divergence,
                           int sweeps)
{
    float h = 1.0f / (float)n;
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++) {
                divergence[at(n, i, j, k)] =
                    -0.5f * h *
                    (u[at(n, i + 1, j, k)] - u[at(n, i - 1, j, k)] + v[at(n, i, j + 1, k)] -
                     v[at(n, i, j - 1, k)] + w[at(n, i, j, k + 1)] - w[at(n, i, j, k - 1)]);
                p[at(n, i, j, k)] = 0;
            }
    set_boundary(n, SCALAR, divergence);
    set_boundary(n, SCALAR, p);
    linear_solve(n, SCALAR, p, divergence, 1, 6, sweeps);
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++) {
                u[at(n, i, j, k)] -= 0.5f * (p[at(n, i + 1, j, k)] - p[at(n, i - 1, j, k)]) / h;
                v[at(n, i, j, k)] -= 0.5f * (p[at(n, i, j + 1, k)] - p[at(n, i, j - 1, k)]) / h;
                w[at(n, i, j, k)] -= 0.5f * (p[at(n, i, j, k + 1)] - p[at(n, i, j, k - 1)]) / h;
            }
    set_boundary(n, U, u);
    set_boundary(n, V, v);
    set_boundary(n, W, w);
}

static void swap(float **a, float **b)
{
    float *c = *a;
    *a = *b;
    *b = c;
}

static void velocity_step(StamBaseline *s, float dt)
{
    int n = s->n;
    add_source(n, s->u, s->u0, dt);
    add_source(n, s->v, s->v0, dt);
    add_source(n, s->w, s->w0, dt);
    stam_baseline_project(n, s->u, s->v, s->w, s->u0, s->v0, STAM_BASELINE_SWEEPS);
    swap(&s->u0, &s->u);
    swap(&s->v0, &s->v);
    swap(&s->w0, &s->w);
    advect(n, U, s->u, s->u0, s->u0, s->v0, s->w0, dt);
    advect(n, V, s->v, s->v0, s->u0, s->v0, s->w0, dt);
    advect(n, W, s->w, s->w0, s->u0, s->v0, s->w0, dt);
    stam_baseline_project(n, s->u, s->v, s->w, s->u0, s->v0, STAM_BASELINE_SWEEPS);
}

/* Sets the sources: smoke and an upward push in a block above the middle of the floor. */
static void fill_sources(StamBaseline *s)
{
    int n = s->n, low = n * 3 / 8 + 1, high = n * 5 / 8, top = n / 8 + 1;
    size_t count = values(n);
    for (size_t i = 0; i < count; i++)
        s->u0[i] = s->v0[i] = s->w0[i] = s->density0[i] = 0;
    for (int k = low; k <= high; k++)
        for (int j = 1; j <= top; j++)
            for (int i = low; i <= high; i++) {
                s->density0[at(n, i, j, k)] = 6;
                s->v0[at(n, i, j, k)] = 3;
            }
}

void stam_baseline_step(StamBaseline *s, float dt)
{
    fill_sources(s);
    velocity_step(s, dt);
    add_source(s->n, s->density, s->density0, dt);
    swap(&s->density0, &s->density);
    advect(s->n, SCALAR, s->density, s->density0, s->u, s->v, s->w, dt);
}

double stam_baseline_mass(const StamBaseline *baseline)
{
    int n = baseline->n;
    double sum = 0;
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                sum += (double)baseline->density[at(n, i, j, k)];
    return sum / ((double)n * n * n);
}
