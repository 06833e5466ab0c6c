/* SPDX-License-Identifier: MIT */
#include "light_join.h"

#include "fail.h"

#include <stdlib.h>

enum { RGB = 4 }; /* floats to a cell of the ambient light */

void light_join_destroy(LightJoin *join)
{
    free(join->values); /* and the rows */
    *join = (LightJoin){0};
}

bool light_join_resize(LightJoin *join, const LightVolume *direct, const Ambient *ambient,
                       BillowError *error)
{
    const int *n = direct->n;
    size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    size_t rows = (size_t)n[2] * (size_t)ambient->n[0], floats = 4 * cells + RGB * rows;
    if (join->floats != floats) {
        light_join_destroy(join);
        join->values = malloc(floats * sizeof *join->values);
        if (join->values == NULL)
            return fail(error, "picture: no memory for the light in %dx%dx%d cells", n[0], n[1],
                        n[2]);
        join->floats = floats;
    }
    join->rows = join->values + 4 * cells;
    return true;
}

/* Where a cell's centre lies between two of another grid. */
typedef struct Between {
    int low, high;
    float share; /* of the second */
} Between;

static Between between(int cell, float scale, int n)
{
    float place = ((float)cell + 0.5f) * scale - 0.5f;
    int low = (int)(place + 1) - 1; /* rounded down: no place is below -1 */
    return (Between){low > 0 ? low : 0, low + 1 < n ? low + 1 : n - 1, place - (float)low};
}

/* J along x, where a row of the direct light's cells lies between four of its own. */
static void mix_rows(const Ambient *ambient, Between y, Between z, float *row)
{
    const int *n = ambient->n;
    ptrdiff_t pitch = (ptrdiff_t)RGB * n[0], plane = pitch * n[1];
    const float *a = ambient->mean + y.low * pitch + z.low * plane;
    const float *b = ambient->mean + y.high * pitch + z.low * plane;
    const float *c = ambient->mean + y.low * pitch + z.high * plane;
    const float *d = ambient->mean + y.high * pitch + z.high * plane;
    float wa = (1 - y.share) * (1 - z.share), wb = y.share * (1 - z.share);
    float wc = (1 - y.share) * z.share, wd = y.share * z.share;
    for (ptrdiff_t i = 0; i < pitch; i++)
        row[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
}

void light_join_fill(LightJoin *join, const LightVolume *direct, const Ambient *ambient)
{
    const int *n = direct->n, *around = ambient->n;
    float scale = (float)direct->reduction / (float)ambient->reduction;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n[2]; k++) {
        float *row = join->rows + (ptrdiff_t)RGB * around[0] * k;
        for (int j = 0; j < n[1]; j++) {
            ptrdiff_t at = n[0] * (j + (ptrdiff_t)n[1] * k);
            const float *depth = direct->depth + direct->channels * at;
            float *out = join->values + 4 * at;
            mix_rows(ambient, between(j, scale, around[1]), between(k, scale, around[2]), row);
            for (int i = 0; i < n[0]; i++, out += 4) {
                Between x = between(i, scale, around[0]);
                const float *low = row + RGB * x.low, *high = row + RGB * x.high;
                out[0] = depth[direct->channels * i];
                for (int c = 0; c < 3; c++)
                    out[1 + c] = low[c] + x.share * (high[c] - low[c]);
            }
        }
    }
}
