/* SPDX-License-Identifier: MIT
 *
 * Kernels of advection along displacements, by linear and by cubic interpolation.
 *
 * A field is sampled trilinearly for a block of neighbouring elements of a row, one per lane. Each
 * lane needs the 8 values around its position. A gather would fetch them one by one. The flow is
 * smooth, however, so that the lanes of a block are mostly displaced by the same number of whole
 * cells, or along some axes by one of two consecutive numbers:
 *
 *     lane         0   1   2   3   4   5   6   7
 *     its cell i  12  13  15  16  16  18  18  19
 *     less lane   12  12  13  13  12  13  12  12      12 or 13
 *
 * Plain loads at 12, 13 and 14 then fetch all values of a row, and each lane selects its own. If
 * lanes differ along y or z, three rows are loaded along that axis instead of two. Blocks whose
 * lanes differ by more are gathered. All values are those that a gather would fetch. They are
 * interpolated in the same order, so that the result has the same bits. In a plume, 50 to 90 % of
 * the blocks have one displacement, and nearly all others have two consecutive ones.
 *
 * Loads may touch up to a block and two elements before the first and beyond the last element that
 * a lane asks for; the arena has room for that (sim.c). */
#include "sim/kernels/kernels.h"
#include "sim/kernels/lanes.h"
#include "sim/kernels/loops.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* -- samples ----------------------------------------------------------------------------------- */

/* The positions at which a block's elements are sampled. */
typedef struct Spot {
    LaneInts i, j, k; /* the cell at or before the position; i less the number of the lane */
    Lanes x, y, z;    /* distance from that cell to the position, 0..1 */
    int first;        /* i + stride_y*j + stride_z*k of the first lane */
    unsigned apart;   /* bits of the lanes where that differs */
} Spot;

/* Kernels compute the spots of this many blocks before they sample the first of them. The address
 * of a sample depends on a long chain of operations. Computed well ahead, it delays nothing. Rows
 * of 128 cells with their last face, or of 256, then take one round or two. */
enum { SPOTS = 17, SPOTS_LANES = SPOTS * LANES_WIDTH };

/* How the displacements of a block's lanes differ along the axes. */
typedef struct Block {
    int at;           /* index of the first cell, less the number of the lane */
    int j, k;         /* that cell's row and plane */
    int kind;         /* a sum of WIDE_..., or SCATTERED */
    LaneMask x, y, z; /* lanes that are one cell further along the axis */
} Block;

enum { WIDE_X = 1, WIDE_Y = 2, WIDE_Z = 4, SCATTERED = 8 };

/* Numbers of cells among all, less the number of the lane. */
static inline LaneInts cells_at(const SampleBounds *bounds, LaneInts i, LaneInts j, LaneInts k)
{
    return i + j * bounds->stride_y + k * bounds->stride_z;
}

/* NaN becomes `low`. Positions therefore never lie outside of the field. */
static inline Lanes clamp(Lanes x, float low, float high)
{
    return lanes_min(lanes_max(x, lanes_all(low)), lanes_all(high));
}

/* Sets the cell and the distances from it. Writes each member once, because copies of structures of
 * vectors go through memory. */
static inline void set_spot(const SampleBounds *bounds, LaneInts i, LaneInts j, LaneInts k, Lanes x,
                            Lanes y, Lanes z, Spot *spot)
{
    i -= lanes_numbers();
    LaneInts at = cells_at(bounds, i, j, k);
    int first = lanes_lane0(at);
    spot->i = i;
    spot->j = j;
    spot->k = k;
    spot->x = x;
    spot->y = y;
    spot->z = z;
    spot->first = first;
    spot->apart = ~lanes_bits(lanes_equal(at, first));
}

static inline void locate(const SampleBounds *bounds, Lanes x, Lanes y, Lanes z, Spot *spot)
{
    x = clamp(x, bounds->low[0], bounds->high[0]);
    y = clamp(y, bounds->low[1], bounds->high[1]);
    z = clamp(z, bounds->low[2], bounds->high[2]);
    LaneInts i = lanes_whole(x), j = lanes_whole(y), k = lanes_whole(z);
    set_spot(bounds, i, j, k, x - lanes_float(i), y - lanes_float(j), z - lanes_float(k), spot);
}

/* Limit of a displacement, cells. Nothing moves as far in a step. Whole numbers up to this size are
 * exact as floats. */
#define FARTHEST 1e6f

static inline Lanes whole_below(Lanes x)
{
    Lanes whole = lanes_float(lanes_whole(x));
    return lanes_select(lanes_less(x, whole), whole - 1.0f, whole);
}

/* Finds the last element at or before the position at + off along an axis. Sets *beyond to the
 * distance from that element to the position. */
static inline LaneInts place(const SampleBounds *bounds, int axis, Lanes at, Lanes off,
                             Lanes *beyond)
{
    float turn = bounds->turn[axis];
    if (turn == 0.0f) {
        Lanes x = clamp(at + off, bounds->low[axis], bounds->high[axis]);
        LaneInts i = lanes_whole(x);
        *beyond = x - lanes_float(i);
        return i;
    }
    off = clamp(off, -FARTHEST, FARTHEST);
    Lanes whole = whole_below(off), i = at + whole - 1.0f;
    *beyond = off - whole;
    return lanes_whole(i - turn * whole_below(i / turn)) + 1;
}

/* Like `locate`, for positions x + dx, y + dy, z + dz in boxes with periodic axes. */
static inline void locate_around(const SampleBounds *bounds, Lanes x, Lanes y, Lanes z, Lanes dx,
                                 Lanes dy, Lanes dz, Spot *spot)
{
    LaneInts i = place(bounds, 0, x, dx, &x), j = place(bounds, 1, y, dy, &y),
             k = place(bounds, 2, z, dz, &z);
    set_spot(bounds, i, j, k, x, y, z, spot);
}

/* Returns the cell of the first lane along an axis, or the cell before it if a wanted lane lies
 * lower. If a lane lies lower still, block_of finds that it does not fit, and marks the block as
 * scattered. */
static inline int lowest(LaneInts cells, unsigned wanted)
{
    int first = lanes_lane0(cells);
    return first - ((lanes_bits(lanes_below(cells, first)) & wanted) != 0);
}

static inline Block block_of(const Spot *spot, int sy, int sz, unsigned wanted)
{
    LaneInts x = spot->i, y = spot->j, z = spot->k;
    int low_x = lowest(x, wanted), low_y = lowest(y, wanted), low_z = lowest(z, wanted);
    Block block = {low_x + low_y * sy + low_z * sz,
                   low_y,
                   low_z,
                   0,
                   lanes_equal(x, low_x + 1),
                   lanes_equal(y, low_y + 1),
                   lanes_equal(z, low_z + 1)};
    unsigned wide_x = lanes_bits(block.x) & wanted, wide_y = lanes_bits(block.y) & wanted,
             wide_z = lanes_bits(block.z) & wanted;
    unsigned known = (wide_x | lanes_bits(lanes_equal(x, low_x))) &
                     (wide_y | lanes_bits(lanes_equal(y, low_y))) &
                     (wide_z | lanes_bits(lanes_equal(z, low_z)));
    block.kind = (wide_x != 0 ? WIDE_X : 0) | (wide_y != 0 ? WIDE_Y : 0) |
                 (wide_z != 0 ? WIDE_Z : 0) | ((wanted & ~known) != 0 ? SCATTERED : 0);
    return block;
}

/* Exact at t = 0, and for a = b at any t. The samplers are inlined, so that parts that a kind of
 * block does not need cost nothing. */
static inline Lanes between(Lanes a, Lanes b, Lanes t)
{
    return a + t * (b - a);
}

static inline Lanes sample_row(const float *f, const Block *block, int kind, Lanes x)
{
    Lanes low = lanes_hold(f), high = lanes_after(f, low, lanes_all(f[LANES_WIDTH]));
    if (kind & WIDE_X) {
        Lanes next = lanes_after(f + 1, high, lanes_all(f[LANES_WIDTH + 1]));
        low = lanes_select(block->x, high, low);
        high = lanes_select(block->x, next, high);
    }
    return between(low, high, x);
}

static inline Lanes sample_plane(const float *f, ptrdiff_t sy, const Block *block, int kind,
                                 Lanes x, Lanes y)
{
    Lanes low = sample_row(f, block, kind, x), high = sample_row(f + sy, block, kind, x);
    if (kind & WIDE_Y) {
        low = lanes_select(block->y, high, low);
        high = lanes_select(block->y, sample_row(f + 2 * sy, block, kind, x), high);
    }
    return between(low, high, y);
}

static inline Lanes sample_box(const float *f, ptrdiff_t sy, ptrdiff_t sz, const Block *block,
                               int kind, Lanes x, Lanes y, Lanes z)
{
    Lanes low = sample_plane(f, sy, block, kind, x, y),
          high = sample_plane(f + sz, sy, block, kind, x, y);
    if (kind & WIDE_Z) {
        low = lanes_select(block->z, high, low);
        high = lanes_select(block->z, sample_plane(f + 2 * sz, sy, block, kind, x, y), high);
    }
    return between(low, high, z);
}

static inline Lanes sample_scattered(const float *f, const SampleBounds *bounds, const Spot *spot)
{
    ptrdiff_t sy = bounds->stride_y, sz = bounds->stride_z;
    LaneInts at = cells_at(bounds, spot->i, spot->j, spot->k) + lanes_numbers();
    Lanes x = spot->x, y = spot->y, z = spot->z;
    const ptrdiff_t steps[8] = {0, 1, sy, sy + 1, sz, sz + 1, sz + sy, sz + sy + 1};
    Lanes s[8];
    for (int c = 0; c < 8; c++)
        s[c] = lanes_gather(f + steps[c], at);
    return between(between(between(s[0], s[1], x), between(s[2], s[3], x), y),
                   between(between(s[4], s[5], x), between(s[6], s[7], x), y), z);
}

/* Samples a block whose lanes differ in displacement. */
OUT_OF_LINE Lanes sample_apart(const float *corner, const SampleBounds *bounds, const Spot *spot,
                               unsigned wanted)
{
    ptrdiff_t sy = bounds->stride_y, sz = bounds->stride_z;
    Lanes x = spot->x, y = spot->y, z = spot->z;
    if (LANES_WIDTH <= 4) /* for so few lanes, block_of takes longer than it saves */
        return sample_scattered(corner, bounds, spot);
    Block block = block_of(spot, bounds->stride_y, bounds->stride_z, wanted);
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
        return sample_scattered(corner, bounds, spot);
    }
}

/* Samples the lanes whose bits are set in `wanted`. The bit of the first lane must be set. */
static inline Lanes sample(const float *corner, const SampleBounds *bounds, const Spot *spot,
                           unsigned wanted)
{
    if ((wanted & spot->apart) != 0)
        return sample_apart(corner, bounds, spot, wanted);
    return sample_box(corner + spot->first, bounds->stride_y, bounds->stride_z, NULL, 0, spot->x,
                      spot->y, spot->z);
}

/* Bits of the lanes that lie among the n elements left in the row. */
static inline unsigned lanes_wanted(int n)
{
    return (1u << (n < LANES_WIDTH ? n : LANES_WIDTH)) - 1;
}

/* -- advection --------------------------------------------------------------------------------- */

/* Clamps x to low..high. NaN stays NaN, so that the statistics count it. */
static inline Lanes bound(Lanes x, Lanes low, Lanes high)
{
    return lanes_min(high, lanes_max(low, x));
}

/* A pass of a kernel over the blocks of a row from element `begin` to `end`, at most SPOTS. */
#define FOR_BLOCKS(i, begin, end) for (int i = (begin); i < (end); i += LANES_WIDTH)

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

/* Midpoints of the paths that arrive at the cells of a row, for the three components. Face fields
 * begin half a cell before the centres along their own axis: in u's coordinates along x the centre
 * of cell (i, j, k) is at i + 1/2. around: in boxes with periodic axes. */
FOR_EACH_KIND void find_midpoints(const Sampler velocity[3], bool around, int j, int k, float step,
                                  int begin, int end, Spot spots[3][SPOTS])
{
    const SampleBounds us = velocity[0].bounds, vs = velocity[1].bounds, ws = velocity[2].bounds;
    ptrdiff_t sy = us.stride_y, sz = us.stride_z, row = 1 + (j + 1) * sy + (k + 1) * sz;
    const float *u = velocity[0].corner + row, *v = velocity[1].corner + row,
                *w = velocity[2].corner + row;
    float half = 0.25f * step; /* half a step times the mean of two faces */
    Lanes y = lanes_all((float)(j + 1)), z = lanes_all((float)(k + 1));
    Lanes numbers = lanes_float(lanes_numbers());
    int b = 0;
    FOR_BLOCKS(i, begin, end)
    {
        Lanes x = (float)(i + 1) + numbers;
        Lanes px = -half * (lanes_load(u + i) + lanes_load(u + i + 1));
        Lanes py = -half * (lanes_load(v + i) + lanes_load(v + i + sy));
        Lanes pz = -half * (lanes_load(w + i) + lanes_load(w + i + sz));
        if (around) {
            locate_around(&us, x, y, z, px + 0.5f, py, pz, &spots[0][b]);
            locate_around(&vs, x, y, z, px, py + 0.5f, pz, &spots[1][b]);
            locate_around(&ws, x, y, z, px, py, pz + 0.5f, &spots[2][b]);
        } else {
            px += x, py += y, pz += z;
            locate(&us, px + 0.5f, py, pz, &spots[0][b]);
            locate(&vs, px, py + 0.5f, pz, &spots[1][b]);
            locate(&ws, px, py, pz + 0.5f, &spots[2][b]);
        }
        b++;
    }
}

static void displace(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out)
{
    float *const outs[3] = {out.x, out.y, out.z};
    for (int begin = 0; begin < n; begin += SPOTS_LANES) {
        Spot spots[3][SPOTS];
        int end = least(begin + SPOTS_LANES, n);
        if (velocity[0].bounds.wraps)
            find_midpoints(velocity, true, j, k, step, begin, end, spots);
        else
            find_midpoints(velocity, false, j, k, step, begin, end, spots);
        for (int axis = 0; axis < 3; axis++) {
            const Spot *spot = spots[axis];
            const Sampler source = velocity[axis];
            FOR_BLOCKS(i, begin, end)
            {
                Lanes d = sample(source.corner, &source.bounds, spot++, lanes_wanted(n - i));
                lanes_store_wanted(outs[axis] + i, step * d, n - i);
            }
        }
    }
}

/* Positions and displacements of the elements of a block. */
typedef struct Path {
    Lanes x, y, z, dx, dy, dz;
} Path;

static inline Path path_of(const Origins *from, int i)
{
    const Rows a = from->a, b = from->b;
    return (Path){
        .x = from->x + (float)i + lanes_float(lanes_numbers()),
        .y = lanes_all(from->y),
        .z = lanes_all(from->z),
        .dx = 0.5f * (lanes_load(a.x + i) + lanes_load(b.x + i)),
        .dy = 0.5f * (lanes_load(a.y + i) + lanes_load(b.y + i)),
        .dz = 0.5f * (lanes_load(a.z + i) + lanes_load(b.z + i)),
    };
}

/* Departure points of the elements. */
static void find_departures(const SampleBounds *bounds, const Origins *from, int begin, int end,
                            Spot spots[SPOTS])
{
    const SampleBounds source = *bounds;
    const Origins origins = *from;
    FOR_BLOCKS(i, begin, end)
    {
        Path p = path_of(&origins, i);
        if (source.wraps)
            locate_around(&source, p.x, p.y, p.z, -p.dx, -p.dy, -p.dz, spots++);
        else
            locate(&source, p.x - p.dx, p.y - p.dy, p.z - p.dz, spots++);
    }
}

static void advect(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                   int count, float limit, int n)
{
    const SampleBounds source = *bounds;
    for (int begin = 0; begin < n; begin += SPOTS_LANES) {
        Spot spots[SPOTS];
        int end = least(begin + SPOTS_LANES, n);
        find_departures(&source, from, begin, end, spots);
        for (int f = 0; f < count; f++) {
            const Advected field = fields[f];
            const Spot *spot = spots;
            FOR_BLOCKS(i, begin, end)
            {
                Lanes value =
                    field.scale * sample(field.corner, &source, spot++, lanes_wanted(n - i));
                lanes_store_wanted(field.out + i, bound(value, lanes_all(-limit), lanes_all(limit)),
                                   n - i);
            }
        }
    }
}

/* Numbers of the first and the last element along an axis that samples may use. */
typedef struct Ends {
    int first, last;
} Ends;

static inline Ends ends_of(const SampleBounds *bounds, int axis)
{
    if (bounds->turn[axis] != 0.0f)
        return (Ends){INT_MIN / 2, INT_MAX / 2};
    int last = (int)bounds->high[axis];
    return (Ends){(int)bounds->low[axis], last + ((float)last < bounds->high[axis])};
}

/* Sharp samples. Along a line, at t between the elements f(0) and f(1), the cubic whose slopes at
 * both are (8 f(1) - 8 f(-1) - f(2) + f(-2)) / 12, of fourth order, is
 *
 *     (1-t) f(0) + t f(1) + t(1-t)/12 ((1-t) f''(-1) - (6-5t) f''(0) - (1+5t) f''(1) + t f''(2))
 *
 * with f''(i) = f(i-1) - 2 f(i) + f(i+1). Where the field ends it lacks some f'': without the outer
 * ones it is the cubic of Catmull & Rom (1974), with slopes of second order. In space, what it adds
 * to linear interpolation along each axis is interpolated linearly between the lines next to the
 * position: the products of such parts along several axes, which are of fourth order, too, would
 * double the elements.
 *
 * Elements are numbered from TAPS/2 - 1 before the position on. */
enum { TAPS = 6 };

/* Weights along an axis: of linear interpolation between the two elements in the middle, and what
 * is added for all. */
typedef struct Weights {
    Lanes low, high, added[TAPS];
} Weights;

static inline void set_weights(Lanes t, LaneInts i, Ends ends, Weights *w)
{
    const Lanes none = lanes_all(0);
    Lanes q = 1.0f - t, scale = t * q * (1.0f / 12);
    Lanes before = q, low = 6.0f * q + t, high = 6.0f * t + q, after = t;
    LaneMask few = lanes_either(lanes_below(i, ends.first + 2), lanes_above(i, ends.last - 3));
    if (lanes_bits(few) != 0) {
        LaneMask first = lanes_below(i, ends.first + 1), last = lanes_above(i, ends.last - 2);
        low = lanes_select(first, none, lanes_select(few, 6.0f * q, low));
        high = lanes_select(last, none, lanes_select(few, 6.0f * t, high));
        before = lanes_select(few, none, before);
        after = lanes_select(few, none, after);
    }
    w->low = q;
    w->high = t;
    w->added[0] = scale * before;
    w->added[1] = scale * (-2.0f * before - low);
    w->added[2] = scale * (before + 2.0f * low - high);
    w->added[3] = scale * (after + 2.0f * high - low);
    w->added[4] = scale * (-2.0f * after - high);
    w->added[5] = scale * after;
}

/* The rows that a sample needs, of TAPS in each of TAPS planes:
 *
 *     plane  0   1   2   3   4   5
 *     row 0          o   o
 *         1          o   o
 *         2  o   o   o   o   o   o
 *         3  o   o   o   o   o   o
 *         4          o   o
 *         5          o   o                */
#define FOR_ROWS(b, c)                                                                             \
    UNROLLED for (int c = 0; c < TAPS; c++)                                                        \
        UNROLLED for (int b = 0; b < TAPS; b++) if (is_middle(b) || is_middle(c))

static inline bool is_middle(int tap)
{
    return tap == 2 || tap == 3;
}

static inline Lanes linear_weight(const Weights *w, int tap)
{
    return tap == 2 ? w->low : w->high;
}

/* Offsets of rows and planes from that of a position's cell. The last are those of positions that
 * lie one cell further. */
typedef struct Taps {
    ptrdiff_t rows[TAPS + 1], planes[TAPS + 1];
} Taps;

/* Along each axis: the first and the last element of the field, and the range of cells whose six
 * elements and the next all lie within it, without going around a periodic box. taps: offsets in
 * that range. */
typedef struct Inside {
    Ends ends[3], range[3];
    Taps taps;
} Inside;

static void find_inside(const SampleBounds *bounds, Inside *inside)
{
    for (int axis = 0; axis < 3; axis++) {
        int turn = (int)bounds->turn[axis];
        Ends ends = ends_of(bounds, axis);
        inside->ends[axis] = ends;
        inside->range[axis] = turn != 0 ? (Ends){1, turn} : ends;
        inside->range[axis].first += 2, inside->range[axis].last -= 4;
    }
    for (int t = 0; t <= TAPS; t++) {
        inside->taps.rows[t] = (t - 2) * (ptrdiff_t)bounds->stride_y;
        inside->taps.planes[t] = (t - 2) * (ptrdiff_t)bounds->stride_z;
    }
}

/* How far the element i lies from `from` if samples use only the field's own elements. */
static inline int tap_distance(const SampleBounds *bounds, Ends ends, int axis, int from, int i)
{
    int turn = (int)bounds->turn[axis];
    if (turn != 0)
        i = i < 1 ? i + turn : i > turn ? i - turn : i;
    return (i < ends.first ? ends.first : i > ends.last ? ends.last : i) - from;
}

static inline bool is_within(Ends range, int i)
{
    return i >= range.first && i <= range.last;
}

/* Offsets around (j, k), some of which lie beyond the field. Writes them to `own`. */
OUT_OF_LINE const Taps *find_taps(const SampleBounds *bounds, const Inside *inside, int j, int k,
                                  Taps *own)
{
    for (int t = 0; t <= TAPS; t++) {
        own->rows[t] =
            tap_distance(bounds, inside->ends[1], 1, j, j + t - 2) * (ptrdiff_t)bounds->stride_y;
        own->planes[t] =
            tap_distance(bounds, inside->ends[2], 2, k, k + t - 2) * (ptrdiff_t)bounds->stride_z;
    }
    return own;
}

/* Offsets around (j, k). May write them to `own`. */
static inline const Taps *taps_around(const SampleBounds *bounds, const Inside *inside, int j,
                                      int k, Taps *own)
{
    if (is_within(inside->range[1], j) && is_within(inside->range[2], k))
        return &inside->taps;
    return find_taps(bounds, inside, j, k, own);
}

/* The rows in the middle, between which and along which a position lies. */
#define FOR_MIDDLE(b, c) UNROLLED for (int c = 2; c < 4; c++) UNROLLED for (int b = 2; b < 4; b++)

/* Ranges of the eight elements around the positions of lanes that are displaced alike. */
static inline void find_range(const float *f, const Taps *taps, Lanes *least, Lanes *most)
{
    *least = *most = lanes_load(f);
    FOR_MIDDLE(b, c)
    {
        const float *row = f + taps->planes[c] + taps->rows[b];
        Lanes low = lanes_load(row), high = lanes_load(row + 1);
        *least = lanes_min(*least, lanes_min(low, high));
        *most = lanes_max(*most, lanes_max(low, high));
    }
}

/* An element for each lane. `rows` and `planes`: offsets of the first lane's row and plane, and of
 * the next ones. */
static inline Lanes sharp_y(const float *f, const ptrdiff_t *rows, ptrdiff_t plane,
                            const Block *block, int kind)
{
    Lanes value = lanes_load(f + (plane + rows[0]));
    return kind & WIDE_Y ? lanes_select(block->y, lanes_load(f + (plane + rows[1])), value) : value;
}

static inline Lanes sharp_yz(const float *f, const ptrdiff_t *rows, const ptrdiff_t *planes,
                             const Block *block, int kind)
{
    Lanes value = sharp_y(f, rows, planes[0], block, kind);
    return kind & WIDE_Z ? lanes_select(block->z, sharp_y(f, rows, planes[1], block, kind), value)
                         : value;
}

/* Weight of the two elements in the middle of a row. */
static inline Lanes row_weight(const Weights *y, const Weights *z, int b, int c)
{
    if (!is_middle(b))
        return linear_weight(z, c) * y->added[b];
    if (!is_middle(c))
        return linear_weight(y, b) * z->added[c];
    Lanes across = linear_weight(y, b), along = linear_weight(z, c);
    return across * along + along * y->added[b] + across * z->added[c];
}

/* Interpolates within the range of the eight elements around the positions. Each kind computes the
 * weights itself, which then need not go through memory. */
FOR_EACH_KIND Lanes sharp_box(const float *f, const Inside *inside, const Taps *taps,
                              const Spot *spot, const Block *block, int kind)
{
    Weights x, y, z;
    set_weights(spot->x, spot->i + lanes_numbers(), inside->ends[0], &x);
    set_weights(spot->y, spot->j, inside->ends[1], &y);
    set_weights(spot->z, spot->k, inside->ends[2], &z);
    Lanes line[TAPS], here[TAPS + 1], low = lanes_all(0), high = low, least = low, most = low;
    UNROLLED for (int a = 0; a < TAPS; a++) line[a] = here[a] = lanes_all(0);
    FOR_ROWS(b, c)
    {
        const bool middle = is_middle(b) && is_middle(c);
        const int begin = middle ? 0 : 2, end = middle ? TAPS : 4, wide = (kind & WIDE_X) != 0;
        UNROLLED for (int a = begin; a < end + wide; a++) here[a] =
            sharp_yz(f + a - 2, &taps->rows[b], &taps->planes[c], block, kind);
        UNROLLED for (int a = begin; a < end && wide; a++) here[a] =
            lanes_select(block->x, here[a + 1], here[a]);
        const Lanes weight = row_weight(&y, &z, b, c);
        low += weight * here[2];
        high += weight * here[3];
        if (!middle)
            continue;
        const Lanes linear = linear_weight(&y, b) * linear_weight(&z, c);
        UNROLLED for (int a = 0; a < TAPS; a++) line[a] += linear * here[a];
        if (b == 2 && c == 2)
            least = most = here[2];
        least = lanes_min(least, lanes_min(here[2], here[3]));
        most = lanes_max(most, lanes_max(here[2], here[3]));
    }
    Lanes sum = x.low * low + x.high * high;
    UNROLLED for (int a = 0; a < TAPS; a++) sum += x.added[a] * line[a];
    return lanes_select(lanes_same(least, most), least, bound(sum, least, most));
}

/* Samples the wanted lanes of a block whose lanes differ in displacement. */
OUT_OF_LINE Lanes sharp_apart(const float *corner, const SampleBounds *bounds, const Inside *inside,
                              const Spot *spot, unsigned wanted)
{
    Taps own;
    Block block = block_of(spot, bounds->stride_y, bounds->stride_z, wanted);
    const Taps *taps = taps_around(bounds, inside, block.j, block.k, &own);
    const float *f = corner + block.at;
    switch (block.kind) {
    case WIDE_X:
        return sharp_box(f, inside, taps, spot, &block, WIDE_X);
    case WIDE_Y:
        return sharp_box(f, inside, taps, spot, &block, WIDE_Y);
    case WIDE_X | WIDE_Y:
        return sharp_box(f, inside, taps, spot, &block, WIDE_X | WIDE_Y);
    case WIDE_Z:
        return sharp_box(f, inside, taps, spot, &block, WIDE_Z);
    case WIDE_X | WIDE_Z:
        return sharp_box(f, inside, taps, spot, &block, WIDE_X | WIDE_Z);
    case WIDE_Y | WIDE_Z:
        return sharp_box(f, inside, taps, spot, &block, WIDE_Y | WIDE_Z);
    case WIDE_X | WIDE_Y | WIDE_Z:
        return sharp_box(f, inside, taps, spot, &block, WIDE_X | WIDE_Y | WIDE_Z);
    }
    Lanes value = lanes_all(0);
    int at[LANES_WIDTH], j[LANES_WIDTH], k[LANES_WIDTH];
    LaneInts cells = cells_at(bounds, spot->i, spot->j, spot->k);
    memcpy(at, &cells, sizeof at), memcpy(j, &spot->j, sizeof j), memcpy(k, &spot->k, sizeof k);
    for (int lane = 0; lane < LANES_WIDTH; lane++)
        if (wanted >> lane & 1) {
            LaneMask alike = lanes_equal(cells, at[lane]);
            taps = taps_around(bounds, inside, j[lane], k[lane], &own);
            value = lanes_select(alike, sharp_box(corner + at[lane], inside, taps, spot, NULL, 0),
                                 value);
            wanted &= ~lanes_bits(alike);
        }
    return value;
}

/* Interpolates the wanted lanes within the range of the eight elements around a position. The bit
 * of the first lane must be set. Most blocks of smoke hold none, and need no weights; those of a
 * wind differ in the first two elements already. */
static inline Lanes sample_sharp(const float *corner, const SampleBounds *bounds,
                                 const Inside *inside, const Spot *spot, unsigned wanted)
{
    Taps own;
    Lanes least = lanes_all(0), most = least;
    const Taps *taps =
        taps_around(bounds, inside, lanes_lane0(spot->j), lanes_lane0(spot->k), &own);
    bool apart = (wanted & spot->apart) != 0;
    const float *f = corner + spot->first;
    if (!apart && (wanted & ~lanes_bits(lanes_same(lanes_load(f), lanes_load(f + 1)))) == 0) {
        find_range(f, taps, &least, &most);
        if ((wanted & ~lanes_bits(lanes_same(least, most))) == 0)
            return least;
    }
    if (apart)
        return sharp_apart(corner, bounds, inside, spot, wanted);
    return sharp_box(f, inside, taps, spot, NULL, 0);
}

static void advect_sharp(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                         int count, float limit, int n)
{
    const SampleBounds source = *bounds;
    Inside inside;
    find_inside(&source, &inside);
    for (int begin = 0; begin < n; begin += SPOTS_LANES) {
        Spot spots[SPOTS];
        const Spot *spot = spots;
        int end = least(begin + SPOTS_LANES, n);
        find_departures(&source, from, begin, end, spots);
        FOR_BLOCKS(i, begin, end)
        {
            for (int f = 0; f < count; f++) {
                Lanes value = fields[f].scale * sample_sharp(fields[f].corner, &source, &inside,
                                                             spot, lanes_wanted(n - i));
                lanes_store_wanted(fields[f].out + i,
                                   bound(value, lanes_all(-limit), lanes_all(limit)), n - i);
            }
            spot++;
        }
    }
}

/* Finds the longest displacement by comparing the bits of squared lengths as integers. They sort
 * like the squares. A maximum of floats would need a test for NaN, which prevents vectorisation. */
static float longest(Rows d, int n)
{
    int32_t most = 0;
    for (int i = 0; i < n; i++) {
        float square = d.x[i] * d.x[i] + d.y[i] * d.y[i] + d.z[i] * d.z[i];
        int32_t bits;
        memcpy(&bits, &square, sizeof bits);
        bits &= INT32_MAX; /* clears the sign, which a NaN may have */
        most = bits > most ? bits : most;
    }
    float square;
    memcpy(&square, &most, sizeof square);
    return square <= FLT_MAX ? sqrtf(square) : FLT_MAX;
}

const AdvectKernels KERNELS(advect) = {
    .displace = displace,
    .longest = longest,
    .advect = advect,
    .advect_sharp = advect_sharp,
};
