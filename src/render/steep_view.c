/* SPDX-License-Identifier: MIT
 * Steepens the edges of a view's smoke. */
#include "render/steep_view.h"

#include "base/vec3.h"
#include "render/view_spans.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On the ridge of a thin streak the gradient points along it, and sharpening would make beads of
 * it. A cell is moved by the share that its squared gradient has of itself and so many times the
 * squared second derivatives, which are large on ridges and small on edges. */
#define RIDGE 1.0f

#define FAINTEST 1e-6f /* density up to which a cell counts as empty, and stays as it is */

/* -- memory ------------------------------------------------------------------------------------ */

static float *array(const SteepView *steep, int index)
{
    return steep->memory + index * steep->stride_z * steep->nz;
}

static void free_arrays(SteepView *steep)
{
    free(steep->memory);
    free(steep->spans);
    *steep = (SteepView){.creases = steep->creases};
}

void steep_view_forget(SteepView *steep)
{
    creases_forget(&steep->creases);
}

void steep_view_end(SteepView *steep)
{
    free_arrays(steep);
    creases_end(&steep->creases);
}

static bool make_room(SteepView *steep, const BillowView *view, int arrays)
{
    const int blocks = (view->ny + BILLOW_SPAN_ROWS - 1) / BILLOW_SPAN_ROWS;
    if (steep->memory != NULL && steep->arrays == arrays && steep->nz == view->nz &&
        steep->blocks == blocks && steep->stride_y == view->stride_y &&
        steep->stride_z == view->stride_z)
        return true;
    free_arrays(steep);
    steep->memory =
        calloc((size_t)arrays * (size_t)view->stride_z * (size_t)view->nz, sizeof(float));
    steep->spans = calloc((size_t)blocks * (size_t)view->nz, sizeof *steep->spans);
    if (steep->memory == NULL || steep->spans == NULL) {
        free_arrays(steep);
        return false;
    }
    steep->arrays = arrays;
    steep->nz = view->nz;
    steep->blocks = blocks;
    steep->stride_y = view->stride_y;
    steep->stride_z = view->stride_z;
    return true;
}

/* Sets to 0 what the arrays hold of the view before in cells that are empty now. */
static void clear_left(SteepView *steep, const BillowView *view)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            BillowSpan *held = steep->spans + j / BILLOW_SPAN_ROWS + k * steep->blocks;
            const BillowSpan now = view_span(view, j, k);
            for (int a = 0; a < steep->arrays; a++)
                for (int i = held->begin; i < held->end; i++)
                    if (i < now.begin || i >= now.end)
                        array(steep, a)[i + j * view->stride_y + k * view->stride_z] = 0;
            if (j % BILLOW_SPAN_ROWS == BILLOW_SPAN_ROWS - 1 || j == view->ny - 1)
                *held = now.begin < now.end ? now : (BillowSpan){0, 0};
        }
}

/* -- passes ------------------------------------------------------------------------------------ */

/* Steepens cells begin <= i < end of a row, all of which have six neighbours. here: density of the
 * row, from i = 0 on. y, z: distance in the array to the next row along these axes. */
static void steepen_row(const float *here, ptrdiff_t y, ptrdiff_t z, int begin, int end,
                        float *restrict out)
{
    const float *before = here - y, *after = here + y, *below = here - z, *above = here + z;
    const float *corners[4] = {below - y, below + y, above - y, above + y};
    for (int i = begin; i < end; i++) {
        const float c = here[i], x0 = here[i - 1], x1 = here[i + 1];
        const float y0 = before[i], y1 = after[i], z0 = below[i], z1 = above[i];
        const float gx = 0.5f * (x1 - x0), gy = 0.5f * (y1 - y0), gz = 0.5f * (z1 - z0);
        const float xx = x0 + x1 - 2 * c, yy = y0 + y1 - 2 * c, zz = z0 + z1 - 2 * c;
        const float xy = 0.25f * (after[i + 1] - after[i - 1] - before[i + 1] + before[i - 1]);
        const float xz = 0.25f * (above[i + 1] - above[i - 1] - below[i + 1] + below[i - 1]);
        const float yz = 0.25f * (corners[3][i] - corners[2][i] - corners[1][i] + corners[0][i]);
        const float squares = gx * gx + gy * gy + gz * gz;
        /* The second derivative along the gradient: twice the way from the cell's density to the
         * mean of those a cell up and a cell down. */
        const float second = (gx * (gx * xx + 2 * gy * xy) + gy * (gy * yy + 2 * gz * yz) +
                              gz * (gz * zz + 2 * gx * xz)) /
                             (squares + 1e-20f);
        const float low = vector_least(vector_least(vector_least(x0, x1), vector_least(y0, y1)),
                                       vector_least(vector_least(z0, z1), c));
        const float high = vector_most(vector_most(vector_most(x0, x1), vector_most(y0, y1)),
                                       vector_most(vector_most(z0, z1), c));
        const float steeper =
            c - second * squares / (squares + RIDGE * (xx * xx + yy * yy + zz * zz) + 1e-20f);
        out[i] = c > FAINTEST ? vector_least(vector_most(steeper, low), high) : c;
    }
}

/* Cells at the faces of the box, which have no neighbours beyond, stay as they are. */
static void steepen(const BillowView *view, const float *from, float *to)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            const BillowSpan span = view_span(view, j, k);
            const ptrdiff_t row = j * view->stride_y + k * view->stride_z;
            if (span.begin >= span.end)
                continue;
            memcpy(to + row + span.begin, from + row + span.begin,
                   (size_t)(span.end - span.begin) * sizeof *to);
            if (j > 0 && j < view->ny - 1 && k > 0 && k < view->nz - 1)
                steepen_row(from + row, view->stride_y, view->stride_z,
                            span.begin > 1 ? span.begin : 1,
                            span.end < view->nx - 1 ? span.end : view->nx - 1, to + row);
        }
}

/* Gives a field of the smoke the share of the density that it had before. */
static void follow(const BillowView *view, const float *field, const float *density, float *to)
{
#pragma omp parallel for schedule(static)
    for (int k = 0; k < view->nz; k++)
        for (int j = 0; j < view->ny; j++) {
            const BillowSpan span = view_span(view, j, k);
            const ptrdiff_t row = j * view->stride_y + k * view->stride_z;
            for (ptrdiff_t at = row + span.begin; at < row + span.end; at++) {
                const float was = view->density[at];
                to[at] = field[at] * (was > FAINTEST ? density[at] / was : 1);
            }
        }
}

BillowView steep_view(SteepView *steep, const BillowView *view, int passes, float creases)
{
    enum { DENSITIES = 2, FOLLOWING = 4 };
    const float *const fields[FOLLOWING] = {view->color[0], view->color[1], view->color[2],
                                            view->age};
    BillowView made = *view;
    const float **const places[FOLLOWING] = {&made.color[0], &made.color[1], &made.color[2],
                                             &made.age};
    int arrays = DENSITIES;
    for (int f = 0; f < FOLLOWING; f++)
        arrays += fields[f] != NULL;
    if (!make_room(steep, view, arrays))
        return *view;
    clear_left(steep, view);
    const bool cut = creases > 0 && creases_follow(&steep->creases, view);
    if (creases == 0)
        creases_forget(&steep->creases);
    for (int step = 0; step < passes + cut; step++) {
        float *to = array(steep, step % DENSITIES);
        if (cut && step == passes - 1)
            creases_cut(&steep->creases, view, made.density, creases, to);
        else
            steepen(view, made.density, to);
        made.density = to;
    }
    int next = DENSITIES;
    for (int f = 0; f < FOLLOWING; f++)
        if (fields[f] != NULL) {
            float *to = array(steep, next++);
            follow(view, fields[f], made.density, to);
            *places[f] = to;
        }
    return made;
}
