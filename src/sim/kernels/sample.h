/* SPDX-License-Identifier: MIT
 *
 * Trilinear samples for a block of neighbouring elements of a row, one a lane.
 *
 * Each lane wants the 8 values around its position. A gather would fetch them one by one; but the
 * flow is smooth, so that most lanes of a block are moved by the same whole cells and stand at the
 * same place relative to their lane. All lanes of one place are served by 8 plain loads of
 * neighbouring floats:
 *
 *     lane         0   1   2   3   4   5   6   7
 *     its cell    12  13  14  16  17  18  18  19      (x + stride_y*y + stride_z*z)
 *     less lane   12  12  12  13  13  13  12  12      two places: 16 loads serve all
 *
 * The values are the ones a gather would fetch, and so is the result to the bit. Loads may touch
 * up to a block before the first and beyond the last element that a lane asks for (sim.c, lead and
 * tail). */
#ifndef KERNELS_SAMPLE_H
#define KERNELS_SAMPLE_H

#include "kernels.h"
#include "lanes.h"

#define LANES_EVERY ((1u << LANES_WIDTH) - 1)

/* Elements located before the first of them is sampled: by then every place is known, and a wrong
 * guess of the next block's number of places costs little. */
enum { CHUNK = 128 };

/* Where a chunk's elements are sampled. */
typedef struct Spots {
    float x[CHUNK], y[CHUNK], z[CHUNK];
    int at[CHUNK]; /* the cell before, i + stride_y*j + stride_z*k, less the lane */
} Spots;

/* How the lanes of a block stand along the axes. */
typedef struct Block {
    int at;           /* the first cell, less the lane */
    int kind;         /* sum of WIDE_..., or SCATTERED */
    LaneMask x, y, z; /* who stands one further along that axis */
} Block;

enum { WIDE_X = 1, WIDE_Y = 2, WIDE_Z = 4, SCATTERED = 8 };

/* NaN goes to low, so that no position can lead outside the field. */
static inline Lanes clamp(Lanes x, float low, float high)
{
    return lanes_min(lanes_max(x, lanes_all(low)), lanes_all(high));
}

static inline Lanes lerp(Lanes a, Lanes b, Lanes t)
{
    return a + t * (b - a); /* exact at t = 0, and for a = b at any t */
}

/* The block from l on. */
static inline void locate(const Reach *reach, Lanes x, Lanes y, Lanes z, int l, Spots *spots)
{
    x = clamp(x, reach->low[0], reach->high[0]);
    y = clamp(y, reach->low[1], reach->high[1]);
    z = clamp(z, reach->low[2], reach->high[2]);
    lanes_store(spots->x + l, x);
    lanes_store(spots->y + l, y);
    lanes_store(spots->z + l, z);
    LaneInts at = lanes_whole(x) + lanes_whole(y) * reach->stride_y +
                  lanes_whole(z) * reach->stride_z - lanes_numbers();
    lanes_store_ints(spots->at + l, at);
}

/* Lowest of the cells wanted along an axis, if that is the first lane's or the one before. */
static inline int lowest(LaneInts cells, unsigned wanted)
{
    int first = lanes_lane0(cells);
    return first - ((lanes_bits(lanes_below(cells, first)) & wanted) != 0);
}

/* x less the lane. */
static inline Block block_of(LaneInts x, LaneInts y, LaneInts z, int sy, int sz, unsigned wanted)
{
    int low_x = lowest(x, wanted), low_y = lowest(y, wanted), low_z = lowest(z, wanted);
    Block block = {low_x + low_y * sy + low_z * sz, 0, lanes_equal(x, low_x + 1),
                   lanes_equal(y, low_y + 1), lanes_equal(z, low_z + 1)};
    unsigned wide_x = lanes_bits(block.x) & wanted, wide_y = lanes_bits(block.y) & wanted,
             wide_z = lanes_bits(block.z) & wanted;
    unsigned known = (wide_x | lanes_bits(lanes_equal(x, low_x))) &
                     (wide_y | lanes_bits(lanes_equal(y, low_y))) &
                     (wide_z | lanes_bits(lanes_equal(z, low_z)));
    block.kind = (wide_x != 0 ? WIDE_X : 0) | (wide_y != 0 ? WIDE_Y : 0) |
                 (wide_z != 0 ? WIDE_Z : 0) | ((wanted & ~known) != 0 ? SCATTERED : 0);
    return block;
}

/* What interpolation makes of the values around, their least and their most. Whoever does not ask
 * for one of them does not pay for it: everything here is inlined. */
typedef struct Sampled {
    Lanes value, least, most;
} Sampled;

static inline Sampled between(Sampled a, Sampled b, Lanes t)
{
    return (Sampled){lerp(a.value, b.value, t), lanes_min(a.least, b.least),
                     lanes_max(a.most, b.most)};
}

static inline Sampled choose(LaneMask mask, Sampled yes, Sampled no)
{
    return (Sampled){lanes_select(mask, yes.value, no.value),
                     lanes_select(mask, yes.least, no.least),
                     lanes_select(mask, yes.most, no.most)};
}

static inline Sampled sample_row(const float *f, const Block *block, int kind, Lanes x)
{
    Lanes low = lanes_load(f), high = lanes_load(f + 1);
    if (kind & WIDE_X) {
        low = lanes_select(block->x, high, low);
        high = lanes_select(block->x, lanes_load(f + 2), high);
    }
    return between((Sampled){low, low, low}, (Sampled){high, high, high}, x);
}

static inline Sampled sample_plane(const float *f, ptrdiff_t sy, const Block *block, int kind,
                                   Lanes x, Lanes y)
{
    Sampled low = sample_row(f, block, kind, x), high = sample_row(f + sy, block, kind, x);
    if (kind & WIDE_Y) {
        low = choose(block->y, high, low);
        high = choose(block->y, sample_row(f + 2 * sy, block, kind, x), high);
    }
    return between(low, high, y);
}

static inline Sampled sample_box(const float *f, ptrdiff_t sy, ptrdiff_t sz, const Block *block,
                                 int kind, Lanes x, Lanes y, Lanes z)
{
    Sampled low = sample_plane(f, sy, block, kind, x, y),
            high = sample_plane(f + sz, sy, block, kind, x, y);
    if (kind & WIDE_Z) {
        low = choose(block->z, high, low);
        high = choose(block->z, sample_plane(f + 2 * sz, sy, block, kind, x, y), high);
    }
    return between(low, high, z);
}

static inline Sampled sample_scattered(const float *f, ptrdiff_t sy, ptrdiff_t sz, LaneInts at,
                                       Lanes x, Lanes y, Lanes z)
{
    const ptrdiff_t steps[8] = {0, 1, sy, sy + 1, sz, sz + 1, sz + sy, sz + sy + 1};
    Sampled s[8];
    for (int c = 0; c < 8; c++) {
        Lanes value = lanes_gather(f + steps[c], at);
        s[c] = (Sampled){value, value, value};
    }
    return between(between(between(s[0], s[1], x), between(s[2], s[3], x), y),
                   between(between(s[4], s[5], x), between(s[6], s[7], x), y), z);
}

/* The block from l on, `wanted` of its lanes, the first among them. */
static inline Sampled sample(const float *corner, int sy, int sz, const Spots *spots, int l,
                             unsigned wanted)
{
    Lanes x = lanes_load(spots->x + l), y = lanes_load(spots->y + l), z = lanes_load(spots->z + l);
    LaneInts i = lanes_whole(x), j = lanes_whole(y), k = lanes_whole(z);
    LaneInts at = lanes_load_ints(spots->at + l);
    x -= lanes_float(i);
    y -= lanes_float(j);
    z -= lanes_float(k);
    if ((wanted & ~lanes_bits(lanes_equal(at, spots->at[l]))) == 0)
        return sample_box(corner + spots->at[l], sy, sz, NULL, 0, x, y, z);
    if (LANES_WIDTH <= 4) /* too few of them to be worth more looking */
        return sample_scattered(corner, sy, sz, at + lanes_numbers(), x, y, z);
    Block block = block_of(i - lanes_numbers(), j, k, sy, sz, wanted);
    const float *f = corner + block.at;
    switch (block.kind) {
    case WIDE_X:
        return sample_box(f, sy, sz, &block, WIDE_X, x, y, z);
    case WIDE_Y:
        return sample_box(f, sy, sz, &block, WIDE_Y, x, y, z);
    case WIDE_X | WIDE_Y:
        return sample_box(f, sy, sz, &block, WIDE_X | WIDE_Y, x, y, z);
    case WIDE_Z:
        return sample_box(f, sy, sz, &block, WIDE_Z, x, y, z);
    case WIDE_X | WIDE_Z:
        return sample_box(f, sy, sz, &block, WIDE_X | WIDE_Z, x, y, z);
    case WIDE_Y | WIDE_Z:
        return sample_box(f, sy, sz, &block, WIDE_Y | WIDE_Z, x, y, z);
    case WIDE_X | WIDE_Y | WIDE_Z:
        return sample_box(f, sy, sz, &block, WIDE_X | WIDE_Y | WIDE_Z, x, y, z);
    default:
        return sample_scattered(corner, sy, sz, at + lanes_numbers(), x, y, z);
    }
}

/* Those of a block's lanes that are among the n elements left in the row. */
static inline unsigned lanes_wanted(int n)
{
    return n < LANES_WIDTH ? (1u << n) - 1 : LANES_EVERY;
}

static inline void store_wanted(float *out, Lanes lanes, int n)
{
    if (n >= LANES_WIDTH)
        lanes_store(out, lanes);
    else
        memcpy(out, &lanes, (size_t)n * sizeof(float));
}

#endif
