/* SPDX-License-Identifier: MIT
 *
 * Kernels: the arithmetic on rows of cells. Every kernel file is compiled once per instruction set,
 * and the best set that this machine runs is picked at run time (kernels.c). All sets give the
 * same bits: plain IEEE operations in one order, never contracted, and sums in fixed lanes.
 *
 * n is the number of elements in a row. Output rows overlap no input rows, unless a comment allows
 * it. */
#ifndef SIM_KERNELS_H
#define SIM_KERNELS_H

#include "sim/fields/constants.h"
#include "sim/fields/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sample bounds: the positions at which a kind of field may be sampled trilinearly. Coordinates
 * count from the ghost layer: element (i, j, k) is at (i+1, j+1, k+1). Positions are clamped to
 * [low, high] per axis. If a position is exactly that of an element, the next element is read with
 * weight 0, and must exist in memory. Along an axis that wraps, positions are reduced to 1 .. 1 +
 * turn; the element at 1 + turn repeats the element at 1. The weights along such an axis are
 * computed from the displacement alone. Shifting a field by whole cells therefore shifts its
 * samples exactly. */
typedef struct SampleBounds {
    int stride_y, stride_z;
    float low[3], high[3];
    bool wraps;    /* whether any axis wraps */
    float turn[3]; /* number of elements around an axis that wraps; 0 = positions are clamped */
} SampleBounds;

typedef struct Sampler {
    const float *corner; /* element (-1, -1, -1) */
    SampleBounds bounds;
} Sampler;

/* The three components of a vector, one row each. */
typedef struct Rows {
    const float *x, *y, *z;
} Rows;

typedef struct RowsOut {
    float *x, *y, *z;
} RowsOut;

/* One colour of plane k of a packed box (level.h). Row j holds its cells i = 2m + first, with first
 * = (parity + j) & 1, at x[j*stride + m]. In row j of the other colour, cell i-1 is element
 * m-1+first and cell i+1 is element m+first. In rows j-1 and j+1, and in planes k-1 and k+1, cell i
 * of the other colour is element m. */
typedef struct StencilPlane {
    float *x;
    const float *other, *below, *above; /* the other colour in planes k, k-1 and k+1 */
    const float *before,
        *after; /* the other colour's rows before the first and after the last row of plane k */
    const float *rhs;
    ptrdiff_t stride;
    int nx, ny, parity;
    bool uniform; /* whether all couplings are 1, except those to ghosts */
    float base, weight;
    const float *low_x[2], *high_x[2]; /* couplings to cells i-1 and i+1, at [first][m] */
    const float *low_y, *high_y;       /* couplings to rows j-1 and j+1, at [j] */
    float low_z, high_z;
    const float *diagonal, *inverse; /* 8 rows; cells use row 2 * stencil_place(j, ny) + first */
    ptrdiff_t coefficient_stride;    /* distance between these rows */
    /* cut: per row, whether solids cut any face of its cells; NULL if they cut none in the plane.
     * open: face fractions of the cells' low faces along x, y and z, stored in the order of x.
     * open_beyond: face fractions of the other colour's low faces, which are the high faces of this
     * colour; along z, those of plane k+1. Couplings are multiplied by the fractions, and the
     * diagonal is the sum of the products. In a box with solids, open and open_beyond are set in
     * every plane. */
    const unsigned char *cut;
    const float *open[3], *open_beyond[3];
} StencilPlane;

/* Class of cell i of n along y or z: first cell (0), last cell (3), the cell before the last (2),
 * all others (1). Cells of one class have the same coefficients. Classes 2 and 3 exist because the
 * last cell may be narrower than the others. */
static inline int stencil_place(int i, int n)
{
    return i == 0 ? 0 : i == n - 1 ? 3 : i == n - 2 ? 2 : 1;
}

/* Weights between the cells of a fine row and coarse cells along x. Fine cell 2I + odd is
 * interpolated from coarse cell I with weight near[odd][I], and from cell I-1 (even) or I+1 (odd)
 * with weight far[odd][I]. In restriction it adds to coarse cell I with weight share[odd][I]. */
typedef struct TransferX {
    const float *near[2], *far[2], *share[2];
    bool wraps; /* whether the axis is periodic; if not, far is 0 at both ends */
} TransferX;

/* Row 0 of the fields of a plane, for its statistics. `expansion` is h times the expansion source,
 * m/s. */
typedef struct StatisticsRows {
    const float *u, *v, *v_up, *w, *w_up, *expansion;
} StatisticsRows;

static inline StatisticsRows statistics_rows_from(const StatisticsRows *rows, ptrdiff_t at,
                                                  ptrdiff_t expansion_at)
{
    return (StatisticsRows){rows->u + at, rows->v + at,    rows->v_up + at,
                            rows->w + at, rows->w_up + at, rows->expansion + expansion_at};
}

/* Statistics of the wind in a plane or in the whole box: sums in double, maxima in float. */
typedef struct PlaneStatistics {
    double energy;
    double velocity[3]; /* sums of the velocity at cell centres, m/s */
    double divergence2; /* sum of squares of h (div u - expansion) */
    float speed2_max;
    float divergence_max; /* largest |h (div u - expansion)| */
    uint64_t nonfinite;
} PlaneStatistics;

/* The same of a scalar. */
typedef struct ScalarSum {
    double sum;
    float most;
    uint64_t nonfinite;
} ScalarSum;

/* Departure points of a row's elements: element i comes from (x + i, y, z) - (a_i + b_i)/2. */
typedef struct Origins {
    float x, y, z;
    Rows a, b;
} Origins;

/* A field to advect, and the row for its new values. */
typedef struct Advected {
    const float *corner; /* element (-1, -1, -1) */
    float scale;
    float *out;
} Advected;

/* out[i] = scale * field(departure point of i), clamped to -limit..limit, for each of the fields.
 */
typedef void AdvectKernel(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                          int count, float limit, int n);

/* Input rows are read up to 15 elements beyond their end (advect_kernels.c). */
typedef struct AdvectKernels {
    /* Displacements, in cells, of the fluid that arrives at the n cells of row (j, k). `step` is
     * the time over the cell size, s/m. Midpoint rule: d = step * u(x - step/2 * u(x)). */
    void (*displace)(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out);
    /* Length of the longest of n displacements, in cells. FLT_MAX if any is infinite or NaN. */
    float (*longest)(Rows displacement, int n);

    AdvectKernel *advect; /* interpolates linearly */
    /* Interpolates along the three axes by cubics with slopes of fourth order. A value is limited
     * to the range of the eight elements around its departure point. */
    AdvectKernel *advect_sharp;
} AdvectKernels;

enum { INTERPOLATE_BEYOND = 16 };

typedef struct ForceKernels {
    /* v[i] += lift*(heat[i] + heat_below[i]) - sink*(density[i] + density_below[i]) */
    void (*buoyancy)(const float *heat, const float *heat_below, const float *density,
                     const float *density_below, float lift, float sink, int n, float *v);

    /* Computes length[i] of the curl, and curl[i] scaled by min(1, rise * |u|), from the
     * velocities u at cell centres. Beyond the ends of a row these are mirrored or, if the row
     * wraps, taken from its other end. u, v and w hold rows: [0] the row itself, [1] and [2] those
     * at j-1 and j+1, [3] and [4] those at k-1 and k+1. v_up and w_up are the rows of faces on the
     * high sides of v and w. scale = 1/(4h). Values just beyond the ends of a row are read but not
     * used. */
    void (*vorticity)(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, float rise,
                      bool wraps, int n, RowsOut curl, float *length);

    /* f = strength * N x curl, written over curl. length[0] is the length of the curl in the row,
     * length[1] to [4] that in the neighbouring rows, in the order of `vorticity`. Elements just
     * beyond the ends of length[0] are read too. */
    void (*confinement)(const float *const length[5], float strength, bool wraps, int n,
                        RowsOut curl);

    /* Fades the impulse where the density is below 1 / per_density and where the flow has strong
     * curl, whose length is given:
     *
     *     impulse[i] *= min(1, per_density * density[i]) * strength / (strength + size * length^2)
     */
    void (*disturb)(const float *density, const float *length, float per_density, float strength,
                    float size, int n, RowsOut impulse);

    /* out[i] = a + share[i] * (b - a) for the neighbours a = values[at[i]], b = values[at[i] + 1].
     * `at` does not fall, and rises by less than a vector's width over a vector. INTERPOLATE_BEYOND
     * elements beyond the last of `at`, `share` and `values` are read; those of `at` must be valid.
     */
    void (*interpolate)(const float *values, const int *at, const float *share, int n, float *out);

    /* impulse[i] += distance * min(1, per_kelvin * heat) * e * N in cells warmer than 0, where N is
     * the direction of the gradient of heat, and e = N . grad(u) N. Rows as in `vorticity`; `heat`
     * holds five rows too, and elements just beyond the ends of heat[0] are read. scale = 1/h. */
    void (*shred)(const float *const u[5], const float *const v[5], const float *const v_up[5],
                  const float *const w[5], const float *const w_up[5], const float *const heat[5],
                  float scale, float distance, float per_kelvin, bool wraps, int n,
                  RowsOut impulse);

    /* out[i] += factor * (a[i] + b[i]) */
    void (*add_average)(const float *a, const float *b, float factor, int n, float *out);
} ForceKernels;

/* Rows from which the divergence of row 0 of a plane is computed. `expansion` is h times the
 * expansion source, m/s. */
typedef struct DivergenceRows {
    const float *u, *v, *v_up, *w, *w_up, *expansion;
} DivergenceRows;

/* Row 0 of a plane of a packed field. The even cells of row j have colour (j + parity) & 1. */
typedef struct PackedRows {
    float *color[2];
    ptrdiff_t stride;
    int parity;
} PackedRows;

typedef struct DivergenceSums {
    double squares, sum;
} DivergenceSums;

typedef struct ProjectKernels {
    /* Computes the right-hand side of the pressure, -h * (div u - expansion), in each cell of a
     * plane. An expansion_stride of 0 uses one row of `expansion` for all rows. */
    DivergenceSums (*negative_divergence)(const DivergenceRows *rows, ptrdiff_t stride,
                                          ptrdiff_t expansion_stride, int nx, int ny,
                                          const PackedRows *out);

    /* Subtracts from u, v and w `share` times the difference between q and its low neighbour along
     * x, y and z. Results are clamped to -SPEED_LIMIT..SPEED_LIMIT. `here` is q's row, with one
     * element before it; `south` and `below` are the rows at j-1 and k-1. */
    void (*subtract_gradient)(const float *here, const float *south, const float *below,
                              float share, int n, float *u, float *v, float *w);

    void (*add_constant)(float value, int n, float *out);
} ProjectKernels;

typedef struct RelaxKernels {
    /* pack: even[m] = row[2m] and odd[m] = row[2m+1]. unpack: the reverse. n is the length of
     * `row`. */
    void (*pack)(const float *row, int n, float *even, float *odd);
    void (*unpack)(const float *even, const float *odd, int n, float *row);

    /* x += omega * ((rhs + weight * sum of coupling * neighbour) / diagonal - x) */
    void (*relax)(const StencilPlane *plane, float omega);

    /* Relaxes one colour in plane k (`upper`) and the other in plane k-1 (`lower`) with omega 1,
     * alternating between their rows. Both planes must be uniform. */
    void (*relax_fused)(const StencilPlane *upper, const StencilPlane *lower);

    /* Relaxes with omega 1 if all neighbours are 0: x = rhs / diagonal. */
    void (*relax_alone)(const StencilPlane *plane);

    /* residual returns the sum of the squares of r = rhs - A x. product returns y.Ax.
     * subtract_product computes out -= alpha * A x. y and out have the layout of x. */
    double (*residual)(const StencilPlane *plane);
    double (*product)(const StencilPlane *plane, const float *y);
    void (*subtract_product)(const StencilPlane *plane, float alpha, float *out);

    /* Restricts r to a coarse row: coarse[I] = sum of weight * share * r over colour 0 of fine rows
     * j and j+1 in two planes. j and the k of the first plane are even. Colour 1 adds nothing,
     * because r is 0 in it right after its relaxation with omega 1. A row that does not exist has
     * weight 0; any plane may take the place of its plane. */
    void (*restrict_row)(const StencilPlane planes[2], int j, const TransferX *x,
                         const float weight[4], float *coarse);

    /* Prolongs to a fine row of n cells: even[I] += near * t[I] + far * t[I-1] and odd[I] += near
     * * t[I] + far * t[I+1], with t = sum of weight[q] * coarse[q] over four coarse rows. */
    void (*prolong_row)(const TransferX *x, const float *const coarse[4], const float weight[4],
                        int n, float *even, float *odd);

    /* Prolongs to a row that solids cut. A coarse neighbour counts by the face fraction:
     *
     *     fine += own c + far_x open_x (c_x - c) + far_y open_y (c_y - c) + far_z open_z (c_z - c)
     *
     * `coarse` holds the rows of c, c_y and c_z. The weight own in the formula is own * (near +
     * far) of `x`, and far_x is its far; far_y and far_z are far[0] and far[1]. open[odd] holds the
     * fractions of the faces between the cell and its neighbours along x, y and z. */
    void (*prolong_cut)(const TransferX *x, const float *const coarse[3], float own,
                        const float far[2], const Rows open[2], int n, float *even, float *odd);

    double (*dot)(const float *a, const float *b, int n);
    void (*add)(const float *a, float factor, int n, float *out); /* out[i] += factor * a[i] */
    void (*scale)(float factor, int n, float *out);
} RelaxKernels;

typedef struct StatisticsKernels {

    /* Statistics of `count` rows of a plane. `first` points to the first row of each field. The
     * rows of `expansion` are expansion_stride floats apart, all other rows `stride` floats. */
    PlaneStatistics (*sum)(const StatisticsRows *first, ptrdiff_t stride,
                           ptrdiff_t expansion_stride, int n, int count);
    /* Adds `count` rows of a scalar, which are `stride` floats apart. */
    void (*sum_scalar)(const float *row, ptrdiff_t stride, int n, int count, ScalarSum *sum);
} StatisticsKernels;

/* Parameters of combustion in one substep (combustion.c). */
typedef struct Burning {
    float ignition;    /* K */
    float share;       /* share of the fuel that burns in the substep where there is air enough */
    float richness;    /* 1 over the fuel density at which no air is left; 0 = no limit */
    float heat, smoke; /* added per unit of burnt fuel: K, density */
    float frequency;   /* 1 / length of the substep, 1/s */
} Burning;

typedef struct CombustionKernels {
    /* Burns fuel in the cells of a row that reach the ignition temperature. Sets `flame` to the
     * fuel burnt per second. Returns the sum of `flame`. */
    double (*burn)(const Burning *burning, int n, float *fuel, float *temperature, float *density,
                   float *flame);

    /* temperature /= (1 + gain (temperature/1000)^3)^(1/3) where it is above 0. */
    void (*radiate)(float gain, int n, float *temperature);
} CombustionKernels;

/* Cells along an axis, for conservative advection (conserve.c): a piece of a row along x, or of
 * STRIP_WIDTH columns along y or z that lie side by side. Element STRIP_PAD * step + c of an array
 * belongs to cell c of a row, or to the cells of step = STRIP_WIDTH columns; a face has the number
 * of the cell above it. STRIP_PAD cells beyond either end are there too. */
enum {
    STRIP_WIDTH = ROW_ALIGNMENT, /* columns */
    STRIP_CELLS = 64,            /* cells of a column */
    STRIP_PAD = 16,
    STRIP_REACH = STRIP_PAD - 2, /* cells that fluid can come from beyond an end */
    STRIP_ELEMENTS = (STRIP_CELLS + 2 * STRIP_PAD) * STRIP_WIDTH,
    STRIP_SPARE = 3 * ROW_ALIGNMENT /* so that vectors need not end with the cells */
};
#define STRIP_ARRAY(name) _Alignas(64) float name[STRIP_ELEMENTS + STRIP_SPARE]

typedef struct FluxStrip {
    STRIP_ARRAY(flow);   /* per face: what flows through it, in cells; positive upwards */
    STRIP_ARRAY(volume); /* of the cells' fluid before, in cells */
    STRIP_ARRAY(value);  /* of a scalar, before and after */

    /* per face, its departure point: number of the cell that it lies in, relative to the cell above
     * the face, and the share of that cell's fluid between it and the end that is nearer to the
     * face. Per vector of faces, the lowest and the highest of the numbers. */
    STRIP_ARRAY(from);
    STRIP_ARRAY(share);
    signed char from_low[STRIP_ELEMENTS + STRIP_SPARE], from_high[STRIP_ELEMENTS + STRIP_SPARE];
    STRIP_ARRAY(after); /* volumes after the sweep */

    /* per cell, of a scalar: its slope; the parabola's values at the low and the high end, and a
     * third of its curvature (a6 of Colella & Woodward 1984), each times the volume; the amount */
    STRIP_ARRAY(slope);
    STRIP_ARRAY(low);
    STRIP_ARRAY(high);
    STRIP_ARRAY(bend);
    STRIP_ARRAY(content);
    STRIP_ARRAY(part); /* amount between a face's departure point and the boundary beside it */
} FluxStrip;

/* What limits a step of conservative advection, over cells of wind. */
typedef struct FluxRate {
    float cells;    /* a step may be as long as a cell takes to cross at this speed, m/s */
    float speed[3]; /* largest speed along each axis, m/s */
} FluxRate;

typedef struct FluxKernels {
    /* Raises *rate to what a row needs: a step is at most the width of a cell divided by
     * rate->cells (FLUX_CELLS, FLUX_SHARE). `low` and `high` are the velocities at the cells' low
     * and high faces along each axis. NaN is ignored. */
    void (*raise_rate)(const float *const low[3], const float *const high[3], int refine, int n,
                       FluxRate *rate);
    /* Computes `after` from `volume` and `flow`. */
    void (*settle)(FluxStrip *strip, ptrdiff_t step, int cells);
    /* Whether any of n elements, rounded up to a multiple of 16, is not 0. */
    bool (*holds)(const float *values, ptrdiff_t n);
    /* Finds departure points from flow and volumes. Returns how many cells away the farthest is, at
     * least 1. */
    int (*depart)(FluxStrip *strip, ptrdiff_t step, int cells);
    /* Makes parabolas of the values (Colella & Woodward 1984), for cells within `reach` of the
     * strip's. */
    void (*reconstruct)(FluxStrip *strip, ptrdiff_t step, int cells, int reach);
    /* Replaces values by keep * (content after) / (volume after). */
    void (*carry)(FluxStrip *strip, ptrdiff_t step, int cells, float keep);
} FluxKernels;

enum { EDDY_SPARE = ROW_ALIGNMENT + 1 };

/* Eddies smaller than wind cells (smoke/eddies.h): the potential of a pattern, of which each period
 * has `cells` smoke cells along an axis, and its strength at the nodes of the wind's grid, the
 * corners of its cells. */
typedef struct Eddies {
    const float *potential[3]; /* along each axis, at edges of smoke cells: row (j, k) begins at
                                  [(j + k * cells) * row] and goes on EDDY_SPARE edges beyond the
                                  period. The edges of cell (i, j, k) begin at its low corner */
    int cells, row;
    int shift[3];           /* where in the pattern smoke cell 0 is */
    const float *strength;  /* m/s; node (i, j, k) is where face (i, j, k) is */
    const float *strongest; /* largest in each row of nodes (j, k): [j + k * (ny + 1)] */
} Eddies;

/* The wind of which the flow through the faces of smoke cells is made. */
typedef struct Wind {
    const Grid *grid;
    const float *speed[3]; /* m/s, at the faces of wind cells */
    bool wraps[3];         /* per axis, whether the box is periodic */
    int refine;            /* smoke cells along an edge of a wind cell */
    float scale;           /* factor from speeds to results */
    const Eddies *eddies;  /* NULL: none */
} Wind;

/* Wind rows are read up to 15 elements beyond their end. */
typedef struct FlowKernels {
    /* Speeds, times scale, through the low faces along x of smoke cells first <= i < first + n of
     * row (j, k). i may be the number of cells: then it is the last face. */
    void (*row)(const Wind *wind, int first, int j, int k, int n, float *out);
    /* Speeds, times scale, through the low faces along `axis`, y or z, of smoke cells in
     * ROW_ALIGNMENT columns side by side. `cell` is the first cell; `count` rows of ROW_ALIGNMENT
     * faces follow along the axis. Columns beyond the end of the row get any values. */
    void (*columns)(const Wind *wind, int axis, const int cell[3], int count, float *out);
} FlowKernels;

typedef struct EddyKernels {
    /* Adds the flow of wind->eddies to what the functions of FlowKernels with the same names gave.
     */
    void (*row)(const Wind *wind, int first, int j, int k, int n, float *out);
    void (*columns)(const Wind *wind, int axis, const int cell[3], int count, float *out);
    /* Writes the strength of eddies at the nodes of row (j, k): gain |curl u| h, at most `most`; 0
     * beside a face without flow, and at both ends of the row. The row must not lie on a side of
     * the box. Returns the largest strength. */
    float (*measure)(const Wind *wind, int j, int k, float gain, float most, float *strength);
} EddyKernels;

typedef struct Kernels {
    const char *name;
    const AdvectKernels *advect;
    const ForceKernels *forces;
    const ProjectKernels *project;
    const RelaxKernels *relax;
    const StatisticsKernels *statistics;
    const CombustionKernels *combustion;
    const FlowKernels *flow;
    const EddyKernels *eddies;
    const FluxKernels *flux;
} Kernels;

/* In a kernel file KERNELS(advect) is advect_avx2 and so on; the build defines the set. */
#ifdef KERNELS_SET
#define KERNELS_JOIN(subject, set) subject##_##set
#define KERNELS_NAME(subject, set) KERNELS_JOIN(subject, set)
#define KERNELS(subject)           KERNELS_NAME(subject, KERNELS_SET)
extern const AdvectKernels KERNELS(advect);
extern const ForceKernels KERNELS(forces);
extern const ProjectKernels KERNELS(project);
extern const RelaxKernels KERNELS(relax);
extern const StatisticsKernels KERNELS(statistics);
extern const CombustionKernels KERNELS(combustion);
extern const FlowKernels KERNELS(flow);
extern const EddyKernels KERNELS(eddies);
extern const FluxKernels KERNELS(flux);
#endif

/* The best set for this machine, or the one that BILLOW_SIMD names if this machine runs it. */
const Kernels *kernels_pick(void);
/* The set of this name; NULL if this machine or build lacks it. */
const Kernels *kernels_find(const char *name);
/* The sets that were built, best first, whether this machine can run them or not. NULL if `index`
 * is not less than their number. */
const Kernels *kernels_at(int index);

#endif
