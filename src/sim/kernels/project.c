/* SPDX-License-Identifier: MIT */
#include "kernels.h"

static void inflow(const float *u, const float *v, const float *v_up, const float *w,
                   const float *w_up, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] = (u[i] - u[i + 1]) + (v[i] - v_up[i]) + (w[i] - w_up[i]);
}

static void subtract_difference(const float *a, const float *b, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] -= a[i] - b[i];
}

static void add_constant(float value, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] += value;
}

const ProjectKernels KERNELS(project) = {
    .inflow = inflow,
    .subtract_difference = subtract_difference,
    .add_constant = add_constant,
};
