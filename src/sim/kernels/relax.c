/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include "loops.h"

static void pack(const float *row, int n, float *restrict even, float *restrict odd)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        even[m] = row[2 * m];
        odd[m] = row[2 * m + 1];
    }
    if (n & 1)
        even[pairs] = row[n - 1];
}

static void unpack(const float *even, const float *odd, int n, float *restrict row)
{
    int pairs = n / 2;
    for (int m = 0; m < pairs; m++) {
        row[2 * m] = even[m];
        row[2 * m + 1] = odd[m];
    }
    if (n & 1)
        row[n - 1] = even[pairs];
}

static void relax(const RelaxRow *row, float weight, float omega, int n)
{
    const float *left = row->left, *right = row->right, *rhs = row->rhs, *inverse = row->inverse;
    const float *south = row->low.y, *below = row->low.z;
    const float *north = row->high.y, *above = row->high.z;
    float *restrict x = row->x;
    for (int m = 0; m < n; m++) {
        float sum = (left[m] + right[m]) + (south[m] + north[m]) + (below[m] + above[m]);
        x[m] += omega * ((rhs[m] + weight * sum) * inverse[m] - x[m]);
    }
}

/* rhs + weight * sum - x / inverse for elements begin..begin+count, count <= CHUNK. */
#define CHUNK 256

static inline void residual_chunk(const RelaxRow *row, float weight, int begin, int count, float *r)
{
    for (int c = 0; c < count; c++) {
        int m = begin + c;
        float sum = (row->left[m] + row->right[m]) + (row->low.y[m] + row->high.y[m]) +
                    (row->low.z[m] + row->high.z[m]);
        r[c] = row->rhs[m] + weight * sum - row->x[m] / row->inverse[m];
    }
}

static double dot(const float *a, const float *b, int n)
{
    double lanes[LANES] = {0};
    int whole = n - n % LANES;
    for (int i = 0; i < whole; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (int i = whole; i < n; i++)
        lanes[i - whole] += (double)a[i] * (double)b[i];
    return add_lanes(lanes);
}

static double residual(const RelaxRow *row, float weight, int n)
{
    double squares = 0;
    for (int begin = 0; begin < n; begin += CHUNK) {
        float r[CHUNK];
        int count = n - begin < CHUNK ? n - begin : CHUNK;
        residual_chunk(row, weight, begin, count, r);
        squares += dot(r, r, count);
    }
    return squares;
}

static RowWork work(const RelaxRow *row, float weight, int n)
{
    RowWork total = {0, 0};
    for (int begin = 0; begin < n; begin += CHUNK) {
        float r[CHUNK];
        int count = n - begin < CHUNK ? n - begin : CHUNK;
        residual_chunk(row, weight, begin, count, r);
        total.rhs += dot(row->x + begin, row->rhs + begin, count);
        total.residual += dot(row->x + begin, r, count);
    }
    return total;
}

static void scale(float factor, int n, float *restrict out)
{
    for (int i = 0; i < n; i++)
        out[i] *= factor;
}

const RelaxKernels KERNELS(relax) = {
    .pack = pack,
    .unpack = unpack,
    .relax = relax,
    .residual = residual,
    .work = work,
    .scale = scale,
};
