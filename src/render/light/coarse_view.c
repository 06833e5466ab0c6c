/* SPDX-License-Identifier: MIT */
#include "render/light/coarse_view.h"

#include "base/fail.h"

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

/* Mean of a field over the cells of a block that lie inside the grid. whole: divide by the size of
 * the full block instead. */
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

static void coarsen(const BillowView *small, const BillowView *view, const float *field, int factor,
                    bool whole, float *out)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < small->nz; k++)
        for (int j = 0; j < small->ny; j++)
            for (int i = 0; i < small->nx; i++) {
                const int low[3] = {i * factor, j * factor, k * factor};
                out[i + j * small->stride_y + k * small->stride_z] =
                    mean(view, field, low, factor, whole);
            }
}

/* Takes every factor-th distance, because distances are stored at corners and every corner of a
 * large cell is a corner of the grid. Divides by factor, because distances are in cells. */
static void thin_out(const BillowView *small, const BillowView *view, const float *field,
                     int factor, float *out)
{
    for (int k = 0; k <= small->nz; k++)
        for (int j = 0; j <= small->ny; j++)
            for (int i = 0; i <= small->nx; i++)
                out[i + j * small->stride_y + k * small->stride_z] =
                    field[least(i * factor, view->nx) +
                          least(j * factor, view->ny) * view->stride_y +
                          least(k * factor, view->nz) * view->stride_z] /
                    (float)factor;
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
    BillowField fields[BILLOW_FIELDS_MAX];
    int count = billow_list_fields(view, fields), arrays = 0;
    for (int f = 0; f < count; f++)
        arrays += fields[f].drawn ? fields[f].arrays : 0;
    size_t each = (size_t)(small->stride_z * (small->nz + 1)), floats = each * (size_t)arrays;
    if (floats != coarse->floats) {
        free(coarse->memory);
        coarse->memory = malloc(floats * sizeof(float));
        coarse->floats = coarse->memory != NULL ? floats : 0;
    }
    if (coarse->memory == NULL)
        return fail(error, "picture: no memory for %dx%dx%d cells at a %dth of their resolution",
                    view->nx, view->ny, view->nz, factor);
    float *next = coarse->memory;
    for (int f = 0; f < count; f++) {
        const BillowField *field = &fields[f];
        const float *made[3] = {NULL};
        for (int a = 0; a < field->arrays && field->drawn; a++, next += each) {
            if (field->place == BILLOW_AT_CORNERS)
                thin_out(small, view, field->values[a], factor, next);
            else
                coarsen(small, view, field->values[a], factor, field->amount, next);
            made[a] = next;
        }
        billow_set_field(small, field, made);
    }
    return true;
}
