/* SPDX-License-Identifier: MIT */
#include "coarse_view.h"

#include "fail.h"

#include <stdlib.h>

void coarse_view_destroy(CoarseView *coarse)
{
    free(coarse->memory);
    *coarse = (CoarseView){0};
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Over the cells of a block that there are. whole: divided by all that it might have. */
static float mean(const BillowView *view, const float *field, const int low[3], int factor,
                  bool whole)
{
    const int high[3] = {least(low[0] + factor, view->nx), least(low[1] + factor, view->ny),
                         least(low[2] + factor, view->nz)};
    double sum = 0, cells = (double)factor * factor * factor;
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++) {
            const float *row = field + j * view->stride_y + k * view->stride_z;
            for (int i = low[0]; i < high[0]; i++)
                sum += (double)row[i];
        }
    if (!whole)
        cells = (double)(high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    return (float)(sum / cells);
}

/* NULL stays NULL; otherwise the next of the memory is filled, which has rows and planes of one
 * value more than there are cells. */
static const float *coarsen(const CoarseView *coarse, const BillowView *view, const float *field,
                            int factor, bool whole, float **next)
{
    const BillowView *small = &coarse->view;
    float *out = *next;
    if (field == NULL)
        return NULL;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < small->nz; k++)
        for (int j = 0; j < small->ny; j++)
            for (int i = 0; i < small->nx; i++) {
                const int low[3] = {i * factor, j * factor, k * factor};
                out[i + j * small->stride_y + k * small->stride_z] =
                    mean(view, field, low, factor, whole);
            }
    *next += small->stride_z * (small->nz + 1);
    return out;
}

/* Distances stand at corners, which the larger cells share; they count in cells. */
static const float *thin_out(const CoarseView *coarse, const BillowView *view, int factor,
                             float **next)
{
    const BillowView *small = &coarse->view;
    float *out = *next;
    if (view->solid == NULL)
        return NULL;
    for (int k = 0; k <= small->nz; k++)
        for (int j = 0; j <= small->ny; j++)
            for (int i = 0; i <= small->nx; i++)
                out[i + j * small->stride_y + k * small->stride_z] =
                    view->solid[least(i * factor, view->nx) +
                                least(j * factor, view->ny) * view->stride_y +
                                least(k * factor, view->nz) * view->stride_z] /
                    (float)factor;
    *next += small->stride_z * (small->nz + 1);
    return out;
}

static int count_fields(const BillowView *view)
{
    return 1 + (view->temperature != NULL) + (view->flame != NULL) + (view->solid != NULL) +
           (view->color[0] != NULL ? 3 : 0) + (view->texture[0][0] != NULL ? 6 : 0);
}

bool coarse_view_build(CoarseView *coarse, const BillowView *view, int factor, BillowError *error)
{
    BillowView *small = &coarse->view;
    *small = *view;
    small->nx = (view->nx + factor - 1) / factor;
    small->ny = (view->ny + factor - 1) / factor;
    small->nz = (view->nz + factor - 1) / factor;
    small->cell_size = view->cell_size * (float)factor;
    small->stride_y = small->nx + 1;
    small->stride_z = small->stride_y * (small->ny + 1);
    size_t floats = (size_t)(small->stride_z * (small->nz + 1)) * (size_t)count_fields(view);
    if (floats != coarse->floats) {
        free(coarse->memory);
        coarse->memory = malloc(floats * sizeof(float));
        coarse->floats = coarse->memory != NULL ? floats : 0;
    }
    if (coarse->memory == NULL)
        return fail(error, "picture: no memory for %dx%dx%d cells at a %dth of their resolution",
                    view->nx, view->ny, view->nz, factor);
    float *next = coarse->memory;
    small->density = coarsen(coarse, view, view->density, factor, true, &next);
    small->temperature = coarsen(coarse, view, view->temperature, factor, false, &next);
    small->flame = coarsen(coarse, view, view->flame, factor, true, &next);
    small->solid = thin_out(coarse, view, factor, &next);
    for (int c = 0; c < 3; c++)
        small->color[c] = coarsen(coarse, view, view->color[c], factor, true, &next);
    for (int part = 0; part < 6; part++)
        small->texture[part / 3][part % 3] =
            coarsen(coarse, view, view->texture[part / 3][part % 3], factor, false, &next);
    small->u = small->v = small->w = small->fuel = NULL;
    small->pressure[0] = small->pressure[1] = NULL;
    return true;
}
