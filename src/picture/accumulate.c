/* SPDX-License-Identifier: MIT */
#include "accumulate.h"
#include <math.h>
#include <string.h>

#define REACH 1.25f /* as in neighbours.frag */

static float radical_inverse(unsigned index, unsigned base)
{
    float digit = 1, sum = 0;
    for (; index > 0; index /= base) {
        digit /= (float)base;
        sum += digit * (float)(index % base);
    }
    return sum;
}

void accumulate_offset(unsigned index, float offset[2])
{
    /* Past this nothing is gained, and what is taken from 0.5 stays exact. */
    unsigned place = index % 1024 + 1;
    offset[0] = radical_inverse(place, 2) - 0.5f;
    offset[1] = radical_inverse(place, 3) - 0.5f;
}

static int within(int place, int count)
{
    return place < 0 ? 0 : place < count ? place : count - 1;
}

/* Linear between the cells' middles, as a texture. share: 0..1 across the box. */
static void motion_at(const AccumulateRays *rays, const float share[3], float out[3])
{
    int low[3];
    float part[3];
    for (int a = 0; a < 3; a++) {
        float place = share[a] * (float)rays->motion_n[a] - 0.5f;
        low[a] = (int)floorf(place);
        part[a] = place - floorf(place);
    }
    memset(out, 0, 3 * sizeof *out);
    for (int corner = 0; corner < 8; corner++) {
        float weight = 1;
        ptrdiff_t cell = 0;
        for (int a = 2; a >= 0; a--) {
            int up = corner >> a & 1;
            weight *= up ? part[a] : 1 - part[a];
            cell = cell * rays->motion_n[a] + within(low[a] + up, rays->motion_n[a]);
        }
        for (int c = 0; c < 3; c++)
            out[c] += weight * rays->motion[3 * cell + c];
    }
}

/* How far to go from a marched pixel's middle, 0..1 across the picture, to where what it sees, so
 * far away, was in the picture before. */
static void way_back(const AccumulateRays *rays, int x, int y, float far, float way[2])
{
    const FrameBlock *f = rays->frame;
    float point[2] = {((float)x + 0.5f) / f->picture[2], ((float)y + 0.5f) / f->picture[3]};
    float direction[3], seen[3], length = 0, before[4];
    for (int c = 0; c < 3; c++) {
        direction[c] = f->camera_forward[c] + (2 * point[0] - 1) * f->camera_right[c] +
                       (2 * point[1] - 1) * f->camera_up[c];
        length += direction[c] * direction[c];
    }
    for (int c = 0; c < 3; c++)
        seen[c] = f->camera_origin[c] + direction[c] / sqrtf(length) * far;
    if (rays->motion != NULL) {
        float share[3], velocity[3];
        for (int c = 0; c < 3; c++)
            share[c] = (seen[c] - f->box_min[c]) / (f->box_max[c] - f->box_min[c]);
        motion_at(rays, share, velocity);
        for (int c = 0; c < 3; c++)
            seen[c] -= f->history[3] * velocity[c];
    }
    for (int c = 0; c < 4; c++)
        before[c] = f->previous[c] * seen[0] + f->previous[4 + c] * seen[1] +
                    f->previous[8 + c] * seen[2] + f->previous[12 + c];
    for (int c = 0; c < 2; c++)
        way[c] = (before[3] > 1e-4f ? before[c] / before[3] * 0.5f + 0.5f : -1) - point[c];
}

enum { CROSS = 5 };
static const int cross[CROSS][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

AccumulateAround accumulate_around(const AccumulateRays *rays, int x, int y)
{
    AccumulateAround around;
    float sum[4] = {0}, squares[4] = {0}, taken = 0, far = 0;
    for (int i = 0; i < CROSS; i++) {
        ptrdiff_t pixel = within(x + cross[i][0], rays->width) +
                          (ptrdiff_t)within(y + cross[i][1], rays->height) * rays->width;
        const float *value = rays->values + 4 * pixel;
        for (int c = 0; c < 4; c++) {
            sum[c] += value[c];
            squares[c] += value[c] * value[c];
        }
        taken += 1 - value[3];
        far += (1 - value[3]) * rays->through[4 * pixel + 3];
    }
    for (int c = 0; c < 4; c++) {
        around.mean[c] = sum[c] / CROSS;
        float square = squares[c] / CROSS - around.mean[c] * around.mean[c];
        around.reach[c] = REACH * sqrtf(fmaxf(square, 0));
    }
    way_back(rays, x, y, taken > 1e-4f ? far / taken : 1e4f * rays->frame->box_max[3], around.way);
    return around;
}

/* Between the middles of the pixels, as a texture; place in pixels. floats: from one to the next.
 */
static void between(const float *values, int floats, const int size[2], const float place[2],
                    int channels, float *out)
{
    float low[2] = {floorf(place[0] - 0.5f), floorf(place[1] - 0.5f)};
    memset(out, 0, (size_t)channels * sizeof *out);
    for (int corner = 0; corner < 4; corner++) {
        int right = corner & 1, up = corner >> 1;
        float across = place[0] - 0.5f - low[0], along = place[1] - 0.5f - low[1];
        float weight = (right ? across : 1 - across) * (up ? along : 1 - along);
        ptrdiff_t pixel = within((int)low[0] + right, size[0]) +
                          (ptrdiff_t)within((int)low[1] + up, size[1]) * size[0];
        for (int c = 0; c < channels; c++)
            out[c] += weight * values[floats * pixel + c];
    }
}

void accumulate_pixel(const AccumulateRays *rays, const AccumulateAround *around,
                      const AccumulateKept *before, int x, int y, float out[4])
{
    enum { FLOATS = sizeof *around / sizeof(float) };
    const FrameBlock *f = rays->frame;
    const int size[2] = {rays->width, rays->height}, kept_size[2] = {before->width, before->height};
    float place[2] = {((float)x + 0.5f) * f->history_size[2],
                      ((float)y + 0.5f) * f->history_size[3]};
    float ray[2], middle[2], then[2], fresh[4], mean[4], reach[4], way[2], old[4] = {0}, off = 0;
    bool known = before->values != NULL;
    for (int c = 0; c < 2; c++) {
        middle[c] = place[c] * f->picture[2 + c];
        ray[c] = middle[c] - f->history[c];
        float apart = (ray[c] - floorf(ray[c]) - 0.5f) * f->history_size[c] / f->picture[2 + c];
        off += apart * apart;
    }
    between(rays->values, 4, size, ray, 4, fresh);
    between(around->mean, FLOATS, size, ray, 4, mean);
    between(around->reach, FLOATS, size, ray, 4, reach);
    between(around->way, FLOATS, size, middle, 2, way);
    for (int c = 0; c < 2; c++) {
        then[c] = (place[c] + way[c]) * (float)kept_size[c];
        known = known && then[c] >= 0 && then[c] <= (float)kept_size[c];
    }
    if (known)
        between(before->values, 4, kept_size, then, 4, old);
    float share = known ? fmaxf(ACCUMULATE_SHARE * exp2f(-off), f->history[2]) : 1;
    for (int c = 0; c < 4; c++) {
        float kept = fminf(fmaxf(old[c], mean[c] - reach[c]), mean[c] + reach[c]);
        out[c] = kept + share * (fresh[c] - kept);
    }
}
