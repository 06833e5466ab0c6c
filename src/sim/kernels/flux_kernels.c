/* SPDX-License-Identifier: MIT
 *
 * Kernels of conservative advection along one axis (conserve.c). A strip holds cells so that the
 * next cell along the axis is `step` elements further: 1 for cells of a row along x, STRIP_WIDTH
 * for columns along y or z that lie side by side. Each lane of a vector is a cell or a face of its
 * own, in either case. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/lanes.h"
#include "sim/kernels/loops.h"

#include <math.h>

static inline Lanes absolute(Lanes x)
{
    return lanes_max(x, -x);
}

static inline LaneMask positive(Lanes x)
{
    return lanes_less(lanes_all(0), x);
}

/* -- departure points -------------------------------------------------------------------------- */

/* The way from a vector of faces to their departure points: how many cells its lanes pass, at least
 * and at most. Fluid that comes up from lower cells is counted apart from fluid that comes down. */
typedef struct Walk {
    unsigned up, down; /* the lanes of each kind, as bits */
    int up_least, up_most, down_least, down_most;
} Walk;

static inline void note_passed(Walk *walk, unsigned further, int passed)
{
    walk->up_most = further & walk->up ? passed : walk->up_most;
    walk->down_most = further & walk->down ? passed : walk->down_most;
    walk->up_least = (further & walk->up) == walk->up ? passed : walk->up_least;
    walk->down_least = (further & walk->down) == walk->down ? passed : walk->down_least;
}

static inline Lanes cells_passed(FluxStrip *strip, ptrdiff_t e, ptrdiff_t step, Walk *walk)
{
    const float *volumes = strip->volume + e;
    Lanes flow = lanes_load(strip->flow + e), left = absolute(flow), passed = lanes_all(0);
    LaneMask up = positive(flow);
    Lanes volume = lanes_select(up, lanes_load(volumes - step), lanes_load(volumes));
    walk->up = lanes_bits(up);
    walk->down = ~walk->up & (unsigned)((1ull << LANES_WIDTH) - 1);
    for (int cell = 1; cell < STRIP_REACH; cell++) {
        LaneMask further = lanes_less(volume, left);
        unsigned bits = lanes_bits(further);
        if (bits == 0)
            break;
        note_passed(walk, bits, cell);
        Lanes next = lanes_select(up, lanes_load(volumes - (cell + 1) * step),
                                  lanes_load(volumes + cell * step));
        left = lanes_select(further, left - volume, left);
        passed = lanes_select(further, passed + 1.0f, passed);
        volume = lanes_select(further, next, volume);
    }
    lanes_store(strip->share + e, lanes_min(lanes_all(1), left / volume));
    return passed;
}

static int depart(FluxStrip *strip, ptrdiff_t step, int cells)
{
    ptrdiff_t first = STRIP_PAD * step, end = first + cells * step;
    int reach = 1, vector = 0;
    for (ptrdiff_t e = first; e < end + step + LANES_WIDTH; e += LANES_WIDTH, vector++) {
        Walk walk = {0};
        Lanes passed = cells_passed(strip, e, step, &walk);
        LaneMask up = positive(lanes_load(strip->flow + e));
        lanes_store(strip->from + e, lanes_select(up, -1.0f - passed, passed));
        int low = walk.up ? -1 - walk.up_most : walk.down_least;
        int high = walk.down ? walk.down_most : -1 - walk.up_least;
        strip->from_low[vector] = (signed char)low;
        strip->from_high[vector] = (signed char)high;
        reach = -low > reach ? -low : reach;
        reach = high + 1 > reach ? high + 1 : reach;
    }
    return reach;
}

static void settle(FluxStrip *strip, ptrdiff_t step, int cells)
{
    ptrdiff_t first = STRIP_PAD * step, end = first + cells * step;
    for (ptrdiff_t e = first; e < end; e += LANES_WIDTH) {
        Lanes after = lanes_load(strip->volume + e) -
                      (lanes_load(strip->flow + e + step) - lanes_load(strip->flow + e));
        lanes_store(strip->after + e, lanes_max(after, lanes_all(LEAST_VOLUME)));
    }
}

static bool holds(const float *values, ptrdiff_t n)
{
    unsigned lanes[LANES] = {0}, any = 0;
    for (ptrdiff_t e = 0; e < n; e += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            unsigned bits;
            memcpy(&bits, values + e + lane, sizeof bits);
            lanes[lane] |= bits << 1; /* without the sign: -0 is nothing */
        }
    for (int lane = 0; lane < LANES; lane++)
        any |= lanes[lane];
    return any != 0;
}

/* -- parabolas --------------------------------------------------------------------------------- */

/* The number closest to 0 of two, or 0 if their signs differ. */
static inline Lanes least(Lanes a, Lanes b)
{
    const Lanes none = lanes_all(0);
    return lanes_max(none, lanes_min(a, b)) + lanes_min(none, lanes_max(a, b));
}

/* van Leer's monotonized central slope (1977). */
static inline Lanes slope_of(Lanes before, Lanes here, Lanes after)
{
    const Lanes none = lanes_all(0);
    Lanes below = here - before, above = after - here, mean = 0.5f * (below + above);
    below += below, above += above;
    return lanes_max(none, lanes_min(mean, lanes_min(below, above))) +
           lanes_min(none, lanes_max(mean, lanes_max(below, above)));
}

/* Value of a scalar at the face between two cells, of fourth order where the slopes are not limited
 * (Colella & Woodward 1984, equation 1.6). */
static inline Lanes at_face(Lanes low, Lanes high, Lanes low_slope, Lanes high_slope)
{
    return 0.5f * (low + high) - (high_slope - low_slope) * (1.0f / 6);
}

static void reconstruct(FluxStrip *strip, ptrdiff_t step, int cells, int reach)
{
    const float *q = strip->value;
    ptrdiff_t first = (STRIP_PAD - reach) * step, end = (STRIP_PAD + cells + reach) * step;
    for (ptrdiff_t e = first - step; e < end + step; e += LANES_WIDTH)
        lanes_store(strip->slope + e, slope_of(lanes_load(q + e - step), lanes_load(q + e),
                                               lanes_load(q + e + step)));
    for (ptrdiff_t e = first; e < end; e += LANES_WIDTH) {
        Lanes here = lanes_load(q + e), slope = lanes_load(strip->slope + e);
        Lanes low =
            at_face(lanes_load(q + e - step), here, lanes_load(strip->slope + e - step), slope);
        Lanes high =
            at_face(here, lanes_load(q + e + step), slope, lanes_load(strip->slope + e + step));
        Lanes below = here - low, above = high - here;
        Lanes limit = below + below;
        below = least(below, above + above);
        above = least(above, limit);
        Lanes volume = lanes_load(strip->volume + e);
        lanes_store(strip->low + e, volume * (here - below));
        lanes_store(strip->high + e, volume * (here + above));
        lanes_store(strip->bend + e, volume * (below - above));
        lanes_store(strip->content + e, volume * here);
    }
}

/* -- new contents ------------------------------------------------------------------------------ */

/* Amount between the departure points of a vector of faces and the boundaries beside them, negative
 * where the point lies below the boundary. */
static inline Lanes beside_boundary(const FluxStrip *strip, ptrdiff_t e, ptrdiff_t step, int low,
                                    int high)
{
    Lanes from = lanes_load(strip->from + e), share = lanes_load(strip->share + e);
    LaneMask up = lanes_less(from, lanes_all(0));
    ptrdiff_t at = e + low * step;
    Lanes bottom = lanes_load(strip->low + at), top = lanes_load(strip->high + at);
    Lanes bend = lanes_load(strip->bend + at);
    for (int cell = low + 1; cell <= high; cell++) {
        LaneMask here = lanes_same(from, lanes_all((float)cell));
        at = e + cell * step;
        bottom = lanes_select(here, lanes_load(strip->low + at), bottom);
        top = lanes_select(here, lanes_load(strip->high + at), top);
        bend = lanes_select(here, lanes_load(strip->bend + at), bend);
    }
    Lanes near = lanes_select(up, top, bottom), far = lanes_select(up, bottom, top);
    Lanes part = share * (near + share * (0.5f * (far - near) + 1.5f * bend - share * bend));
    return lanes_select(up, -part, part);
}

/* The boundary between cells that is nearest to a departure point on the side of its face: number
 * of the cell above it, relative to the cell above the face. */
static inline Lanes boundary(Lanes from)
{
    return lanes_select(lanes_less(from, lanes_all(0)), from + 1.0f, from);
}

static inline int lowest_boundary(const FluxStrip *strip, int vector)
{
    int low = strip->from_low[vector];
    return low + (low < 0);
}

static inline int highest_boundary(const FluxStrip *strip, int vector)
{
    int high = strip->from_high[vector];
    return high + (high < 0);
}

/* Amount in the whole cells between the departure points of a vector of cells: those between the
 * boundary beside the low face's point and the boundary beside the high face's point. */
static inline Lanes whole_cells(const FluxStrip *strip, ptrdiff_t e, ptrdiff_t step)
{
    int next = (int)(e + step - STRIP_PAD * step);
    int a = highest_boundary(strip, next / LANES_WIDTH);
    int b = highest_boundary(strip, (next + LANES_WIDTH - 1) / LANES_WIDTH);
    int begin = lowest_boundary(strip, (next - (int)step) / LANES_WIDTH), end = 1 + (a > b ? a : b);
    Lanes low = boundary(lanes_load(strip->from + e));
    Lanes high = boundary(lanes_load(strip->from + e + step)) + 1.0f;
    Lanes sum = lanes_all(0);
    for (int cell = begin; cell < end; cell++) {
        Lanes number = lanes_all((float)cell);
        LaneMask within = lanes_less(number, high);
        Lanes content = lanes_load(strip->content + e + cell * step);
        content = lanes_select(within, content, lanes_all(0));
        sum += lanes_select(lanes_less(number, low), lanes_all(0), content);
    }
    return sum;
}

static void carry(FluxStrip *strip, ptrdiff_t step, int cells, float keep)
{
    ptrdiff_t first = STRIP_PAD * step, end = first + cells * step;
    int vector = 0;
    for (ptrdiff_t e = first; e < end + step; e += LANES_WIDTH, vector++)
        lanes_store(strip->part + e, beside_boundary(strip, e, step, strip->from_low[vector],
                                                     strip->from_high[vector]));
    for (ptrdiff_t e = first; e < end; e += LANES_WIDTH) {
        Lanes whole = whole_cells(strip, e, step);
        Lanes low = lanes_load(strip->part + e), high = lanes_load(strip->part + e + step);
        Lanes content = whole + (high - low);
        /* rounding leaves a cell that is emptied just below zero */
        Lanes rounding = ROUNDING_SHARE * (absolute(whole) + absolute(high) + absolute(low));
        LaneMask none =
            lanes_both(lanes_less(content, lanes_all(0)), lanes_less(-rounding, content));
        Lanes value =
            keep * lanes_select(none, lanes_all(0), content) / lanes_load(strip->after + e);
        LaneMask traces = lanes_less(absolute(value), lanes_all(LEAST_VALUE));
        value = lanes_select(traces, lanes_all(0), value);
        value = lanes_min(lanes_all(SCALAR_LIMIT), value);
        lanes_store(strip->value + e, lanes_max(lanes_all(-SCALAR_LIMIT), value));
    }
}

/* -- length of a step -------------------------------------------------------------------------- */

/* Speed of FluxRate for one cell, and `flows`, its largest speed along each axis. Sweeps end with z
 * or with x, after y. At the end the volume is 1. Before the last sweep or the last two it is
 * therefore 1 less what these make flow in. */
static inline float rate_of(const float *const low[3], const float *const high[3], float refine,
                            int i, float flows[3])
{
    float in[3], most = 0;
    for (int axis = 0; axis < 3; axis++) {
        float a = fabsf(low[axis][i]), b = fabsf(high[axis][i]), flow = a > b ? a : b;
        flows[axis] = flow;
        most = flow > most ? flow : most;
        in[axis] = low[axis][i] - high[axis][i];
    }
    float fall = in[0] > in[2] ? in[0] : in[2];
    fall = in[1] > 0.0f ? fall + in[1] : fall;
    float share = fall * (float)(1 / FLUX_SHARE), cells = most * refine * (float)(1 / FLUX_CELLS);
    return share > cells ? share : cells;
}

static void raise_rate(const float *const low[3], const float *const high[3], int refine, int n,
                       FluxRate *rate)
{
    float lanes[4][LANES] = {{0}};
    for (int begin = 0; begin < n; begin += LANES) {
        const int end = begin + LANES < n ? begin + LANES : n;
        for (int i = begin, lane = 0; i < end; i++, lane++) {
            float values[4];
            values[3] = rate_of(low, high, (float)refine, i, values);
            for (int v = 0; v < 4; v++)
                lanes[v][lane] = values[v] > lanes[v][lane] ? values[v] : lanes[v][lane];
        }
    }
    float cells = max_lanes(lanes[3]);
    rate->cells = cells > rate->cells ? cells : rate->cells;
    for (int axis = 0; axis < 3; axis++) {
        float speed = max_lanes(lanes[axis]);
        rate->speed[axis] = speed > rate->speed[axis] ? speed : rate->speed[axis];
    }
}

const FluxKernels KERNELS(flux) = {
    .raise_rate = raise_rate,
    .settle = settle,
    .holds = holds,
    .depart = depart,
    .reconstruct = reconstruct,
    .carry = carry,
};
