/* SPDX-License-Identifier: MIT
 *
 * Kernels of simulations that follow (follow.h): transfer between the fine and the far grid, and
 * the residuals of far cells. */
#include "sim/kernels/kernels.h"

#include "sim/kernels/loops.h"

#include <billow/billow.h>

static void restrict_faces(const float *const fine[4], Span far, float *restrict out)
{
    const float *a = fine[0], *b = fine[1], *c = fine[2], *d = fine[3];
    INDEPENDENT
    for (int i = far.begin; i < far.end; i++)
        out[i] = 0.25f * ((a[2 * i] + b[2 * i]) + (c[2 * i] + d[2 * i]));
}

/* Weighted sum of four far rows. */
static void blend(const float *const far[4], const float weight[4], int begin, int end,
                  float *restrict row)
{
    const float *a = far[0], *b = far[1], *c = far[2], *d = far[3];
    float wa = weight[0], wb = weight[1], wc = weight[2], wd = weight[3];
    for (int i = begin; i < end; i++)
        row[i] = (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
}

/* Fine faces that lie across the row, at a quarter and three quarters between far cells. */
static void prolong_across(const float *restrict t, Span fine, float *restrict out)
{
    int first = (fine.begin + 1) / 2, pairs = fine.end / 2;
    for (int m = first; m < pairs; m++) {
        out[2 * m] = 0.75f * t[m] + 0.25f * t[m - 1];
        out[2 * m + 1] = 0.75f * t[m] + 0.25f * t[m + 1];
    }
    if (fine.begin & 1)
        out[fine.begin] = 0.75f * t[first - 1] + 0.25f * t[first];
    if (fine.end & 1)
        out[fine.end - 1] = 0.75f * t[pairs] + 0.25f * t[pairs - 1];
}

/* Fine faces along the row: on far faces, and in the middle between them. */
static void prolong_along(const float *restrict t, Span fine, float *restrict out)
{
    int first = (fine.begin + 1) / 2, pairs = fine.end / 2;
    for (int m = first; m < pairs; m++) {
        out[2 * m] = t[m];
        out[2 * m + 1] = 0.5f * (t[m] + t[m + 1]);
    }
    if (fine.begin & 1)
        out[fine.begin] = 0.5f * (t[first - 1] + t[first]);
    if (fine.end & 1)
        out[fine.end - 1] = t[pairs];
}

static void prolong_faces(const float *const far[4], const float weight[4], bool along, int last,
                          Span fine, float *out)
{
    float memory[BILLOW_GRID_MAX / 2 + 4], *t = memory + 1;
    int begin = fine.begin / 2 - 1, end = fine.end / 2 + 2;
    begin = begin < 0 ? 0 : begin;
    end = end > last + 1 ? last + 1 : end;
    blend(far, weight, begin, end, t);
    if (begin == 0)
        t[-1] = t[0];
    if (end == last + 1)
        t[last + 1] = t[last];
    if (along)
        prolong_along(t, fine, out);
    else
        prolong_across(t, fine, out);
}

static void restrict_cells(const float *const fine[8], float scale, Span far, float *restrict out)
{
    const float *a = fine[0], *b = fine[1], *c = fine[2], *d = fine[3], *e = fine[4], *f = fine[5],
                *g = fine[6], *h = fine[7];
    INDEPENDENT
    for (int i = far.begin; i < far.end; i++)
        out[i] = scale * (((a[i] + b[i]) + (c[i] + d[i])) + ((e[i] + f[i]) + (g[i] + h[i])));
}

static void prolong_cells(const float *const far[4], const float weight[4], const TransferX *x,
                          Span fine, float *restrict even, float *restrict odd)
{
    float memory[BILLOW_GRID_MAX / 2 + 4], *t = memory + 1;
    blend(far, weight, fine.begin / 2 - 1, fine.end / 2 + 1, t);
    for (int m = (fine.begin + 1) / 2; m < (fine.end + 1) / 2; m++)
        even[m] = 2 * (x->near[0][m] * t[m] + x->far[0][m] * t[m - 1]);
    for (int m = fine.begin / 2; m < fine.end / 2; m++)
        odd[m] = 2 * (x->near[1][m] * t[m] + x->far[1][m] * t[m + 1]);
}

static void divergence(const FarRows *r, Span cells, float *restrict out)
{
    const float *u = r->u, *v = r->v, *v_up = r->v_up, *w = r->w, *w_up = r->w_up;
    INDEPENDENT
    for (int i = cells.begin; i < cells.end; i++)
        out[i] = -((u[i + 1] - u[i]) + (v_up[i] - v[i]) + (w_up[i] - w[i]));
}

static void residual(const FarRows *r, Span cells, float *restrict out)
{
    const float *u = r->u, *v = r->v, *v_up = r->v_up, *w = r->w, *w_up = r->w_up;
    const float *p = r->p[0], *s = r->p[1], *n = r->p[2], *b = r->p[3], *a = r->p[4];
    const float *low = r->low_x, *high = r->high_x;
    float low_y = r->low_y, high_y = r->high_y, low_z = r->low_z, high_z = r->high_z;
    INDEPENDENT
    for (int i = cells.begin; i < cells.end; i++) {
        float flux = (u[i + 1] - u[i]) + (v_up[i] - v[i]) + (w_up[i] - w[i]);
        float sum = (low[i] * (p[i] - p[i - 1]) + high[i] * (p[i] - p[i + 1])) +
                    (low_y * (p[i] - s[i]) + high_y * (p[i] - n[i])) +
                    (low_z * (p[i] - b[i]) + high_z * (p[i] - a[i]));
        out[i] = -flux - sum;
    }
}

static void replace_flux(const float *const fine[8], const float *p, const float *beside, Span far,
                         float *restrict out)
{
    const float *a = fine[0], *b = fine[1], *c = fine[2], *d = fine[3], *e = fine[4], *f = fine[5],
                *g = fine[6], *h = fine[7];
    INDEPENDENT
    for (int i = far.begin; i < far.end; i++) {
        float near = (a[i] + b[i]) + (c[i] + d[i]), across = (e[i] + f[i]) + (g[i] + h[i]);
        out[i] += 0.25f * (across - near) - (beside[i] - p[i]);
    }
}

static void subtract(const float *p, const float *south, const float *below, const float *low_x,
                     float low_y, float low_z, float share, int n, float *restrict u,
                     float *restrict v, float *restrict w)
{
    INDEPENDENT
    for (int i = 0; i < n; i++) {
        u[i] -= share * (low_x[i] * (p[i] - p[i - 1]));
        v[i] -= share * (low_y * (p[i] - south[i]));
        w[i] -= share * (low_z * (p[i] - below[i]));
    }
}

const FollowKernels KERNELS(follow) = {
    .restrict_faces = restrict_faces,
    .prolong_faces = prolong_faces,
    .restrict_cells = restrict_cells,
    .prolong_cells = prolong_cells,
    .divergence = divergence,
    .residual = residual,
    .replace_flux = replace_flux,
    .subtract = subtract,
};
