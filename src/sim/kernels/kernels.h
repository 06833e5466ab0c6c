/* SPDX-License-Identifier: MIT
 *
 * Kernels: the arithmetic on rows of cells. Every kernel file is compiled once per instruction set,
 * and the best set that this machine runs is picked at run time (dispatch.c). All sets give the
 * same bits: plain IEEE operations in one order, never contracted, and sums in fixed lanes.
 *
 * n is the number of elements in a row. Output rows overlap no input rows, unless a comment allows
 * it. */
#ifndef SIM_KERNELS_H
#define SIM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sample bounds: the positions at which a kind of field may be sampled trilinearly. Coordinates
 * count from the ghost layer, so that element (i, j, k) lies at (i+1, j+1, k+1). Positions are
 * clamped to [low, high] per axis. high may be an element's own coordinate: the element beyond it
 * exists in memory and gets weight 0. Around an axis that wraps, positions are reduced to 1 .. 1 +
 * turn, where the element at 1 + turn repeats the element at 1. Along such an axis the distance
 * between two elements is computed from the displacement alone, so that shifting a field shifts its
 * samples to the bit. */
typedef struct SampleBounds {
    int stride_y, stride_z;
    float low[3], high[3];
    bool wraps;    /* whether any axis wraps */
    float turn[3]; /* elements around the axis if it wraps and is not clamped; else 0 */
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

/* One colour of plane k of a packed box (level.h). Row j holds its cells i = 2m + first with first
 * = (parity + j) & 1, at x[j*stride + m]. In the other colour's row, i-1 is element m-1+first and
 * i+1 is element m+first. The rows beside it start with the same parity, so that the neighbour
 * there is element m. */
typedef struct StencilPlane {
    float *x;
    const float *other, *below, *above; /* the other colour in planes k, k-1 and k+1 */
    const float *before,
        *after; /* rows of the other colour before the first and after the last row */
    const float *rhs;
    ptrdiff_t stride;
    int nx, ny, parity;
    bool uniform; /* whether all couplings are 1, except those to ghosts */
    float base, weight;
    const float *low_x[2], *high_x[2]; /* couplings to cells i-1 and i+1, at [first][m] */
    const float *low_y, *high_y;       /* couplings to rows j-1 and j+1, at [j] */
    float low_z, high_z;
    const float *diagonal, *inverse; /* 8 rows each, at 2 stencil_place + first */
    /* cut: per row, whether solids cut any face of its cells; NULL if they cut none in the plane.
     * open: face fractions of the cells' low faces along x, y and z, laid out as x. open_beyond:
     * the fractions of the other colour, whose low faces are this colour's high faces; along z,
     * those of plane k+1. The fractions multiply the couplings, and the diagonal is the sum of the
     * products. In a box with solids, both are set in every plane. */
    const unsigned char *cut;
    const float *open[3], *open_beyond[3];
} StencilPlane;

/* Class of cell i of n along y or z. Cells of one class have the same coefficients. The first cell
 * (0), the last cell (3) and the cell before it (2) differ from the rest (1), because the last cell
 * may be narrower. */
static inline int stencil_place(int i, int n)
{
    return i == 0 ? 0 : i == n - 1 ? 3 : i == n - 2 ? 2 : 1;
}

/* How the cells of a fine row depend on coarse cells along x. Fine cell 2I + odd takes
 * near[odd][I] of cell I and far[odd][I] of cell I-1 (even) or I+1 (odd), and gives share[odd][I]
 * to cell I. */
typedef struct TransferX {
    const float *near[2], *far[2], *share[2];
    bool wraps; /* whether cell -1 is the last cell; if not, far is 0 at the ends */
} TransferX;

/* First rows of a plane's fields, for its statistics. `expansion` is added to the negative
 * divergence. */
typedef struct StatisticsRows {
    const float *density, *temperature, *u, *v, *v_up, *w, *w_up, *expansion;
} StatisticsRows;

/* Statistics of a plane or of the whole box: sums in double, maxima in float. */
typedef struct PlaneStatistics {
    double mass, heat, energy;
    double divergence2; /* sum of squares of h (div u - expansion) */
    float speed2_max, density_max, temperature_max;
    float divergence_max; /* largest |h (div u - expansion)| */
    uint64_t nonfinite;
} PlaneStatistics;

/* Origins of a row's elements: element i comes from (x + i, y, z) - (a_i + b_i)/2. */
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

/* A field with its predictor, which is advected back for MacCormack's correction. */
typedef struct Corrected {
    const float *corner, *predictor_corner; /* elements (-1, -1, -1) */
    const float *field, *predictor;         /* the rows to correct */
    float scale;
    float *out;
} Corrected;

/* Input rows are read up to 15 elements beyond their end (sample.h). */
typedef struct AdvectKernels {
    /* Displacements, in cells, of the fluid that arrives at the cells of row (j, k) after `step`
     * (seconds over cell size), by the midpoint rule: d = step * u(x - step/2 * u(x)). */
    void (*displace)(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out);
    /* Straight displacements by the velocity at the cells themselves: d = step * u(x). */
    void (*displace_straight)(const Sampler velocity[3], int j, int k, float step, int n,
                              RowsOut out);

    /* Longest of n displacements, in cells; FLT_MAX where any is infinite or NaN. */
    float (*longest)(Rows displacement, int n);

    /* out[i] = scale * field(origin of i), cut to -limit..limit, for each of the fields. */
    void (*advect)(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                   int count, float limit, int n);

    /* MacCormack's second half (Selle et al. 2008), with the predictor made by advect with scale 1:
     *
     *     out[i] = scale * (predictor[i] + (field[i] - predictor(opposite of the origin of i)) / 2)
     *
     * cut to the eight values that predictor[i] was interpolated from. Where the origin or its
     * opposite, (x + i, y, z) + (a_i + b_i)/2, lies outside of `trusted`, scale * predictor[i]. */
    void (*correct)(const SampleBounds *bounds, const SampleBounds *trusted, const Origins *from,
                    const Corrected *fields, int count, float limit, int n);
} AdvectKernels;

typedef struct ForceKernels {
    /* v[i] += lift*(heat[i] + heat_below[i]) - sink*(density[i] + density_below[i]) */
    void (*buoyancy)(const float *heat, const float *heat_below, const float *density,
                     const float *density_below, float lift, float sink, int n, float *v);

    /* curl[i] and its length, from cell-centred velocities that are mirrored at the ends of the
     * row or, if it wraps, taken from the other end. u, v and w hold rows: [0] the row itself, [1]
     * and [2] those at j-1 and j+1, [3] and [4] those at k-1 and k+1. v and w come as pairs of
     * face rows. Values just beyond a row's ends are read but not used. */
    void (*vorticity)(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, bool wraps,
                      int n, RowsOut curl, float *length);

    /* f = strength * N x curl, written over curl. length[0] is the row, [1] to [4] its neighbours
     * as above. It is read just beyond its ends too. */
    void (*confinement)(const float *const length[5], float strength, bool wraps, int n,
                        RowsOut curl);

    /* out[i] += factor * (a[i] + b[i]) */
    void (*add_average)(const float *a, const float *b, float factor, int n, float *out);
} ForceKernels;

/* Rows from which the divergence of a plane's row 0 is computed. expansion is h times the expansion
 * source, m/s. */
typedef struct DivergenceRows {
    const float *u, *v, *v_up, *w, *w_up, *expansion;
} DivergenceRows;

/* Row 0 of a plane of a packed field. Even cells of row j have colour (j + parity) & 1. */
typedef struct PackedRows {
    float *color[2];
    ptrdiff_t stride;
    int parity;
} PackedRows;

typedef struct DivergenceSums {
    double squares, sum;
} DivergenceSums;

typedef struct ProjectKernels {
    /* The right-hand side of the pressure in each cell of a plane, -h * (div u - expansion).
     * expansion_stride may be 0. */
    DivergenceSums (*negative_divergence)(const DivergenceRows *rows, ptrdiff_t stride,
                                          ptrdiff_t expansion_stride, int nx, int ny,
                                          const PackedRows *out);

    /* u, v, w -= share * differences of q across the cells' low sides, cut at SPEED_LIMIT. `here`
     * is q's row with one element before it; south and below are those at j-1 and k-1. */
    void (*subtract_gradient)(const float *here, const float *south, const float *below,
                              float share, int n, float *u, float *v, float *w);

    void (*add_constant)(float value, int n, float *out);
} ProjectKernels;

typedef struct RelaxKernels {
    /* even[m] = row[2m] and odd[m] = row[2m+1], and back. n is the number of elements of the wide
     * row. */
    void (*pack)(const float *row, int n, float *even, float *odd);
    void (*unpack)(const float *even, const float *odd, int n, float *row);

    /* x += omega * ((rhs + weight * sum of coupling * neighbour) / diagonal - x) */
    void (*relax)(const StencilPlane *plane, float omega);

    /* Relaxes one colour in plane k, then the other in plane k-1, with omega 1, row by row. Both
     * planes are uniform. */
    void (*relax_fused)(const StencilPlane *upper, const StencilPlane *lower);

    /* Relaxes with omega 1 where every neighbour is 0: x = rhs / diagonal. */
    void (*relax_alone)(const StencilPlane *plane);

    /* Sum of the squares of r = rhs - A x; then y.Ax; then out -= alpha * A x. y and out lie as x
     * does. */
    double (*residual)(const StencilPlane *plane);
    double (*product)(const StencilPlane *plane, const float *y);
    void (*subtract_product)(const StencilPlane *plane, float alpha, float *out);

    /* Restricts r to a coarse row: coarse[I] = sum of weight * share * r over colour 0 of fine
     * rows j and j+1 in two planes; j and the first plane's k are even. Colour 1 adds nothing,
     * since r is 0 there right after a pass over it with omega 1. Rows that do not exist have
     * weight 0, and any plane in their place. */
    void (*restrict_row)(const StencilPlane planes[2], int j, const TransferX *x,
                         const float weight[4], float *coarse);

    /* Prolongs to a fine row of n cells: even[I] += near * t[I] + far * t[I-1] and odd[I] += near
     * * t[I] + far * t[I+1], with t = sum of weight[q] * coarse[q] over four coarse rows. */
    void (*prolong_row)(const TransferX *x, const float *const coarse[4], const float weight[4],
                        int n, float *even, float *odd);

    /* Prolongs to a row that solids cut, along each axis only as far as faces are open:
     *
     *     fine += own c + far_x open_x (c_x - c) + far_y open_y (c_y - c) + far_z open_z (c_z - c)
     *
     * coarse holds the rows of c, c_y and c_z. own and far come from x, and along y and z from the
     * arguments. open[odd] holds the face fractions towards the cells beside along x, y, z. */
    void (*prolong_cut)(const TransferX *x, const float *const coarse[3], float own,
                        const float far[2], const Rows open[2], int n, float *even, float *odd);

    double (*dot)(const float *a, const float *b, int n);
    void (*add)(const float *a, float factor, int n, float *out); /* out[i] += factor * a[i] */
    void (*scale)(float factor, int n, float *out);
} RelaxKernels;

typedef struct StatisticsKernels {

    /* Statistics of `count` rows of a plane. `first` points to the first row of each field. Rows
     * are `stride` floats apart; rows of the expansion are expansion_stride floats apart. */
    PlaneStatistics (*sum)(const StatisticsRows *first, ptrdiff_t stride,
                           ptrdiff_t expansion_stride, int n, int count);
} StatisticsKernels;

/* Parameters of burning in one substep (combustion.c). */
typedef struct Burning {
    float ignition;    /* K */
    float share;       /* share of the fuel that burns */
    float heat, smoke; /* per unit of fuel, K and density */
    float frequency;   /* 1 over the substep, 1/s */
} Burning;

typedef struct CombustionKernels {
    /* Burns a row's fuel where it is hot enough. flame becomes the fuel burnt per second. Returns
     * the sum of flame. */
    double (*burn)(const Burning *burning, int n, float *fuel, float *temperature, float *density,
                   float *flame);

    /* temperature /= (1 + gain (temperature/1000)^3)^(1/3) where it is above 0. */
    void (*radiate)(float gain, int n, float *temperature);
} CombustionKernels;

/* The cells around a row of faces. low and high are the values on either side of the faces, lower
 * and higher those one cell further out. low_volume and high_volume are the fluid volumes on either
 * side, in cells. speed is the velocity through the faces, positive towards high. */

typedef struct FluxRows {
    const float *lower, *low, *high, *higher;
    const float *low_volume, *high_volume;
    const float *speed;
} FluxRows;

typedef struct FluxKernels {
    /* The largest speed that limits the time step, so that no cell passes on more than its content.
     * low and high are the velocities at the cells' low and high faces along each axis. NaN is
     * ignored. */
    float (*most_taken)(const float *const low[3], const float *const high[3], int n);
    /* Flux towards high in a step of `scale` (dt/h), in cells times the value. At most the content
     * of the cell that it leaves. */
    void (*flux)(const FluxRows *rows, float scale, int n, float *out);
    /* Volume of the cells' fluid after the step, in cells, from the volume before it and the speeds
     * at the low and high faces. */
    void (*volume)(const float *before, const float *low, const float *high, float scale, int n,
                   float *out);
    /* values = keep * (content after the fluxes) / (volume after the step) */
    void (*take)(const float *before, const float *after, const float *low, const float *high,
                 float keep, int n, float *values);
} FluxKernels;

typedef struct Kernels {
    const char *name;
    const AdvectKernels *advect;
    const ForceKernels *forces;
    const ProjectKernels *project;
    const RelaxKernels *relax;
    const StatisticsKernels *statistics;
    const CombustionKernels *combustion;
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
extern const FluxKernels KERNELS(flux);
#endif

/* The best set for this machine, or the one that BILLOW_SIMD names if this machine runs it. */
const Kernels *kernels_pick(void);
/* The set of this name; NULL if this machine or build lacks it. */
const Kernels *kernels_find(const char *name);
/* Every set that was built, best first, whether this machine runs it or not. NULL past the end. */
const Kernels *kernels_at(int index);

#endif
