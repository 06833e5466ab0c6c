/* SPDX-License-Identifier: MIT
 * The flow u at the share w of the way minimises, over the picture,
 *
 *     sum of rho(a(x - w u) - b(x + (1 - w) u))
 *            + 1/2 (SMOOTH |grad u|^2 + SHORT |u|^2 + STEADY |u - v|^2)
 *
 * with rho(r) = sqrt(r^2 + NOISE^2) for each channel and v the flow of the picture before. The
 * smoothness and the first linearisation are those of Horn & Schunck, Determining Optical Flow,
 * 1981; the robust differences, and warping from coarse to fine, are those of Brox, Bruhn,
 * Papenberg & Weickert, High Accuracy Optical Flow Estimation Based on a Theory for Warping, 2004.
 * Finding u where the mixed picture is, and not where one of the two is, leaves no pixel without a
 * vector, as Werlberger, Pock, Unger & Bischof do in Optical Flow Guided TV-L1 Video Interpolation
 * and Restoration, 2011. */
#include "capture/picture_flow.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVELS_MAX = 12,
    LEAST_EDGE = 8, /* pixels along the shorter edge of the coarsest level, at least */
    WARPS = 5,      /* linearisations at each level */
    SWEEPS = 25     /* relaxations of each linear system */
};

#define SMOOTH 0.08f
#define SHORT  1e-4f
#define STEADY 1e-2f
#define NOISE  0.03f /* differences below this count by their square */
#define OVER   1.8f  /* over-relaxation, 1 to 2 */

typedef struct Level {
    int width, height;
    float *a, *b;     /* FLOW_CHANNELS floats a pixel */
    float *u, *prior; /* 2 floats a pixel, in pixels of this level */
} Level;

/* The linear system of a pixel: (m0 m1; m1 m2) u = (m3, m4), besides the terms of its neighbours.
 */
typedef struct Equation {
    float m[5];
} Equation;

/* -- flows ------------------------------------------------------------------------------------- */

static int coarse(int pixels)
{
    return (pixels + FLOW_COARSER - 1) / FLOW_COARSER;
}

bool picture_flow_create(PictureFlow *flow, int width, int height, BillowError *error)
{
    *flow = (PictureFlow){
        .width = width, .height = height, .across = coarse(width), .down = coarse(height)};
    flow->vectors = calloc(2 * (size_t)flow->across * (size_t)flow->down, sizeof(float));
    return flow->vectors != NULL ||
           fail(error, "picture: no memory for the motion of %dx%d pixels", width, height);
}

void picture_flow_destroy(PictureFlow *flow)
{
    free(flow->vectors);
    flow->vectors = NULL;
}

void picture_flow_sample(const float *values, int count, int width, int height, float x, float y,
                         float *out)
{
    x = fminf(fmaxf(x, 0), (float)(width - 1));
    y = fminf(fmaxf(y, 0), (float)(height - 1));
    const int column = (int)x, row = (int)y;
    const float over = x - (float)column, under = y - (float)row;
    const size_t right = column + 1 < width ? (size_t)count : 0;
    const size_t down = row + 1 < height ? (size_t)count * (size_t)width : 0;
    const float *v = values + (size_t)count * ((size_t)row * (size_t)width + (size_t)column);
    for (int c = 0; c < count; c++) {
        float top = v[c] + over * (v[right + (size_t)c] - v[c]);
        float bottom =
            v[down + (size_t)c] + over * (v[down + right + (size_t)c] - v[down + (size_t)c]);
        out[c] = top + under * (bottom - top);
    }
}

void picture_flow_at(const PictureFlow *flow, float x, float y, float vector[2])
{
    picture_flow_sample(flow->vectors, 2, flow->across, flow->down,
                        (x + 0.5f) / FLOW_COARSER - 0.5f, (y + 0.5f) / FLOW_COARSER - 0.5f, vector);
}

/* -- the pyramid ------------------------------------------------------------------------------- */

/* Halves the resolution of an array of `count` floats a pixel: `factor` times means of 2 x 2
 * pixels. */
static void halve(const float *from, int count, int width, int height, float factor, float *to)
{
    const int across = (width + 1) / 2, down = (height + 1) / 2;
#pragma omp parallel for schedule(static)
    for (int y = 0; y < down; y++)
        for (int x = 0; x < across; x++)
            for (int c = 0; c < count; c++) {
                float sum = 0;
                for (int part = 0; part < 4; part++) {
                    int i = 2 * x + part % 2, j = 2 * y + part / 2;
                    i = i < width ? i : width - 1;
                    j = j < height ? j : height - 1;
                    sum +=
                        from[(size_t)count * ((size_t)j * (size_t)width + (size_t)i) + (size_t)c];
                }
                to[(size_t)count * ((size_t)y * (size_t)across + (size_t)x) + (size_t)c] =
                    0.25f * factor * sum;
            }
}

static void close_levels(Level *levels, int count)
{
    for (int level = 0; level < count; level++) {
        free(levels[level].a);
        free(levels[level].b);
        free(levels[level].u);
        free(levels[level].prior);
    }
}

/* Fills the levels from fine to coarse. Returns their number; 0 if memory is short. */
static int open_levels(Level levels[LEVELS_MAX], const PictureFlow *flow, const float *first,
                       const float *second)
{
    int count = 0, width = flow->across, height = flow->down;
    do {
        Level *level = &levels[count++];
        const size_t pixels = (size_t)width * (size_t)height;
        *level = (Level){.width = width, .height = height};
        level->a = malloc(FLOW_CHANNELS * pixels * sizeof(float));
        level->b = malloc(FLOW_CHANNELS * pixels * sizeof(float));
        level->u = calloc(2 * pixels, sizeof(float));
        level->prior = calloc(2 * pixels, sizeof(float));
        if (level->a == NULL || level->b == NULL || level->u == NULL || level->prior == NULL) {
            close_levels(levels, count);
            return 0;
        }
        if (count == 1) {
            halve(first, FLOW_CHANNELS, flow->width, flow->height, 1, level->a);
            halve(second, FLOW_CHANNELS, flow->width, flow->height, 1, level->b);
            for (size_t i = 0; i < 2 * pixels; i++)
                level->prior[i] = flow->vectors[i] / FLOW_COARSER;
        } else {
            const Level *finer = level - 1;
            halve(finer->a, FLOW_CHANNELS, finer->width, finer->height, 1, level->a);
            halve(finer->b, FLOW_CHANNELS, finer->width, finer->height, 1, level->b);
            halve(finer->prior, 2, finer->width, finer->height, 0.5f, level->prior);
        }
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    } while (count < LEVELS_MAX && (width < height ? width : height) >= LEAST_EDGE);
    return count;
}

/* Starts a level from the flow of the next coarser one. */
static void prolong(const Level *coarser, Level *level)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < level->height; y++)
        for (int x = 0; x < level->width; x++) {
            float *u = level->u + 2 * ((size_t)y * (size_t)level->width + (size_t)x);
            picture_flow_sample(coarser->u, 2, coarser->width, coarser->height,
                                0.5f * (float)x - 0.25f, 0.5f * (float)y - 0.25f, u);
            u[0] *= 2;
            u[1] *= 2;
        }
}

/* -- the equations ----------------------------------------------------------------------------- */

/* Difference r of both pictures at a pixel of the mixed one, displaced by u, and its slope J:
 *
 *     r = a(x - w u) - b(x + (1 - w) u)        J = dr/du = -w grad a - (1 - w) grad b   */
static void differ(const Level *level, float share, int x, int y, const float u[2],
                   float r[FLOW_CHANNELS], float slope[FLOW_CHANNELS][2])
{
    const struct {
        const float *values;
        float way;
    } ends[2] = {{level->a, -share}, {level->b, 1 - share}};
    memset(r, 0, FLOW_CHANNELS * sizeof *r);
    memset(slope, 0, 2 * FLOW_CHANNELS * sizeof(float));
    for (int end = 0; end < 2; end++) {
        const float sign = end == 0 ? 1 : -1, way = ends[end].way;
        const float px = (float)x + way * u[0], py = (float)y + way * u[1];
        float here[FLOW_CHANNELS], low[FLOW_CHANNELS], high[FLOW_CHANNELS];
        picture_flow_sample(ends[end].values, FLOW_CHANNELS, level->width, level->height, px, py,
                            here);
        for (int axis = 0; axis < 2; axis++) {
            const float dx = axis == 0 ? 1 : 0, dy = axis == 0 ? 0 : 1;
            picture_flow_sample(ends[end].values, FLOW_CHANNELS, level->width, level->height,
                                px - dx, py - dy, low);
            picture_flow_sample(ends[end].values, FLOW_CHANNELS, level->width, level->height,
                                px + dx, py + dy, high);
            for (int c = 0; c < FLOW_CHANNELS; c++)
                slope[c][axis] += sign * way * 0.5f * (high[c] - low[c]);
        }
        for (int c = 0; c < FLOW_CHANNELS; c++)
            r[c] += sign * here[c];
    }
}

/* Linearises the differences around the present flow u: rho'(r) / r (r + J (v - u)) J = 0 for the
 * flow v. */
static void linearise(const Level *level, float share, float steady, Equation *equations)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < level->height; y++)
        for (int x = 0; x < level->width; x++) {
            const size_t at = (size_t)y * (size_t)level->width + (size_t)x;
            const float *u = level->u + 2 * at, *v = level->prior + 2 * at;
            float r[FLOW_CHANNELS], slope[FLOW_CHANNELS][2];
            differ(level, share, x, y, u, r, slope);
            Equation e = {{SHORT + steady, 0, SHORT + steady, steady * v[0], steady * v[1]}};
            for (int c = 0; c < FLOW_CHANNELS; c++) {
                const float *j = slope[c], weight = 1 / sqrtf(r[c] * r[c] + NOISE * NOISE);
                const float to = j[0] * u[0] + j[1] * u[1] - r[c];
                e.m[0] += weight * j[0] * j[0];
                e.m[1] += weight * j[0] * j[1];
                e.m[2] += weight * j[1] * j[1];
                e.m[3] += weight * j[0] * to;
                e.m[4] += weight * j[1] * to;
            }
            equations[at] = e;
        }
}

/* Relaxes one pixel with its neighbours by the smoothness. */
static void relax_pixel(const Level *level, const Equation *equation, int x, int y)
{
    const size_t row = 2 * (size_t)level->width;
    float *u = level->u + (size_t)y * row + 2 * (size_t)x;
    float sum[2] = {0, 0}, count = 0;
    const bool there[4] = {x > 0, x + 1 < level->width, y > 0, y + 1 < level->height};
    const float *const beside[4] = {u - 2, u + 2, u - row, u + row};
    for (int side = 0; side < 4; side++)
        if (there[side]) {
            sum[0] += beside[side][0];
            sum[1] += beside[side][1];
            count++;
        }
    const float *m = equation->m;
    const float p = m[0] + SMOOTH * count, q = m[1], s = m[2] + SMOOTH * count;
    const float f = m[3] + SMOOTH * sum[0], g = m[4] + SMOOTH * sum[1];
    const float scale = 1 / (p * s - q * q);
    u[0] += OVER * ((s * f - q * g) * scale - u[0]);
    u[1] += OVER * ((p * g - q * f) * scale - u[1]);
}

/* Gauss-Seidel in two colours: pixels of one colour have no neighbour of the same. */
static void relax(const Level *level, const Equation *equations)
{
    for (int half = 0; half < 2 * SWEEPS; half++) {
#pragma omp parallel for schedule(static)
        for (int y = 0; y < level->height; y++)
            for (int x = (y + half) & 1; x < level->width; x += 2)
                relax_pixel(level, equations + (size_t)y * (size_t)level->width + (size_t)x, x, y);
    }
}

bool picture_flow_find(PictureFlow *flow, const float *first, const float *second, float share,
                       bool follows, BillowError *error)
{
    Level levels[LEVELS_MAX];
    const size_t vectors = (size_t)flow->across * (size_t)flow->down;
    Equation *equations = malloc(vectors * sizeof *equations);
    const int count = equations == NULL ? 0 : open_levels(levels, flow, first, second);
    if (count == 0) {
        free(equations);
        return fail(error, "picture: no memory for the motion of %dx%d pixels", flow->width,
                    flow->height);
    }
    for (int at = count - 1; at >= 0; at--) {
        Level *level = &levels[at];
        if (at + 1 < count)
            prolong(level + 1, level);
        else if (follows)
            memcpy(level->u, level->prior,
                   2 * (size_t)level->width * (size_t)level->height * sizeof *level->u);
        for (int warp = 0; warp < WARPS; warp++) {
            linearise(level, share, follows ? STEADY : 0, equations);
            relax(level, equations);
        }
    }
    for (size_t i = 0; i < 2 * vectors; i++)
        flow->vectors[i] = FLOW_COARSER * levels[0].u[i];
    close_levels(levels, count);
    free(equations);
    return true;
}
