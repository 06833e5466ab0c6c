/* SPDX-License-Identifier: MIT
 *
 * The arithmetic on rows, one file a subject. Every file is compiled once per instruction set; the
 * best that this machine runs is picked at run time (dispatch.c). All tables give the same bits:
 * plain IEEE operations in one order, never contracted, sums in fixed lanes.
 *
 * n counts the row's elements. Output rows never overlap input rows unless said.
 */
#ifndef SIM_KERNELS_H
#define SIM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a kind of field may be sampled trilinearly. Coordinates count from the ghost layer: element
 * (i, j, k) lies at (i+1, j+1, k+1). Positions are clamped to [low, high] per axis first; high may
 * be an element's own coordinate, since the element beyond it exists in memory and gets weight 0.
 * Around an axis that wraps, positions lead back to 1 .. 1 + turn, where the element at 1 + turn
 * repeats the one at 1; there the place between two elements is found from how far it is away, not
 * from where it is, so that a shifted field gives shifted values to the bit. */
typedef struct SampleBounds {
    int stride_y, stride_z;
    float low[3], high[3];
    bool wraps;    /* whether any axis does: */
    float turn[3]; /* elements around an axis that wraps, where nothing is clamped; else 0 */
} SampleBounds;

typedef struct Sampler {
    const float *corner; /* element (-1, -1, -1) */
    SampleBounds bounds;
} Sampler;

/* Three rows that belong together: the components of a vector. */
typedef struct Rows {
    const float *x, *y, *z;
} Rows;

typedef struct RowsOut {
    float *x, *y, *z;
} RowsOut;

/* One colour of plane k of a packed box (level.h). Its cells in row j are i = 2m + first, first =
 * (parity + j) & 1, at x[j*stride + m]; in the other colour's row, i-1 is element m-1+first and i+1
 * is m+first; the rows next to it start with the same parity as this one, so that there the
 * neighbour is element m. */
typedef struct StencilPlane {
    float *x;
    const float *other, *below, *above; /* the other colour, in planes k, k-1, k+1 */
    const float *before, *after;        /* its rows beyond the first one and the last */
    const float *rhs;
    ptrdiff_t stride;
    int nx, ny, parity;
    bool uniform; /* the couplings below are all 1, or lead to ghosts */
    float base, weight;
    const float *low_x[2], *high_x[2]; /* couplings to i-1 and i+1, by first, at m */
    const float *low_y, *high_y;       /* to j-1 and j+1, at j */
    float low_z, high_z;
    const float *diagonal, *inverse; /* 8 rows: by place along y (level.c), then first */
    /* By row, whether solids cut any of its cells' faces; NULL where they cut none in the plane.
     * open is what part of each cell's low face along x, y, z is open, laid out as x; open_beyond
     * the same of the other colour, whose cells' low faces are this one's high faces; in plane k+1
     * along z. They multiply the couplings, and the diagonal is summed anew. Both are there in
     * every plane of a box with solids. */
    const unsigned char *cut;
    const float *open[3], *open_beyond[3];
} StencilPlane;

/* Along y and z only the first cell (0), the last (3) and the one before it (2) differ from the
 * rest (1) in their coefficients: the last may be narrower. */
static inline int stencil_place(int i, int n)
{
    return i == 0 ? 0 : i == n - 1 ? 3 : i == n - 2 ? 2 : 1;
}

/* How a fine row's cells hang on coarse cells along x: cell 2I + odd takes near[odd][I] of cell I
 * and far[odd][I] of cell I-1 (even) or I+1 (odd), and gives share[odd][I] to cell I. */
typedef struct TransferX {
    const float *near[2], *far[2], *share[2];
    bool wraps; /* cell -1 is the last one; else far is 0 there */
} TransferX;

/* The rows that a plane's statistics_update starts from. expansion is added to the inflow (of
 * ProjectKernels) of the velocity. */
typedef struct StatisticsRows {
    const float *density, *temperature, *u, *v, *v_up, *w, *w_up, *expansion;
} StatisticsRows;

/* What a plane or the whole box adds to the statistics: sums in double, extrema in float. */
typedef struct PlaneStatistics {
    double mass, heat, energy;
    double divergence2; /* sum of squares */
    float speed2_max, density_max, temperature_max;
    float divergence_max; /* of its size */
    uint64_t nonfinite;
} PlaneStatistics;

/* Where the elements of a row come from: element i from (x + i, y, z) - (a_i + b_i)/2. */
typedef struct Origins {
    float x, y, z;
    Rows a, b;
} Origins;

/* A field that is carried, and the row it arrives in. */
typedef struct Advected {
    const float *corner; /* element (-1, -1, -1) */
    float scale;
    float *out;
} Advected;

/* A field that was carried along into `predictor`, and back, to see what that loses. */
typedef struct Corrected {
    const float *corner, *predictor_corner; /* elements (-1, -1, -1) */
    const float *field, *predictor;         /* the row itself */
    float scale;
    float *out;
} Corrected;

/* Input rows are read up to 15 elements beyond their end (sample.h). */
typedef struct AdvectKernels {
    /* Displacement, in cells, of what arrives at the cells of row (j, k) after `step` (seconds over
     * cell size): midpoint rule, d = step * u(x - step/2 * u(x)). */
    void (*displace)(const Sampler velocity[3], int j, int k, float step, int n, RowsOut out);
    /* The same by the velocity at the cells themselves, d = step * u(x). */
    void (*displace_straight)(const Sampler velocity[3], int j, int k, float step, int n,
                              RowsOut out);

    /* Of n displacements the longest, in cells; FLT_MAX where any is infinite or not a number. */
    float (*longest)(Rows displacement, int n);

    /* out[i] = scale * field(origin of i), cut to -limit..limit, for each of the fields. */
    void (*advect)(const SampleBounds *bounds, const Origins *from, const Advected *fields,
                   int count, float limit, int n);

    /* MacCormack's second half (Selle et al. 2008), predictor being advect's result with scale 1:
     *
     *     out[i] = scale * (predictor[i] + (field[i] - predictor(opposite of the origin of i)) / 2)
     *
     * cut to the eight values that predictor[i] was interpolated from; scale * predictor[i] where
     * the origin or its opposite, (x + i, y, z) + (a_i + b_i)/2, is not to be trusted. */
    void (*correct)(const SampleBounds *bounds, const SampleBounds *trusted, const Origins *from,
                    const Corrected *fields, int count, float limit, int n);
} AdvectKernels;

typedef struct ForceKernels {
    /* v[i] += lift*(heat[i] + heat_below[i]) - sink*(density[i] + density_below[i]) */
    void (*buoyancy)(const float *heat, const float *heat_below, const float *density,
                     const float *density_below, float lift, float sink, int n, float *v);

    /* curl[i] and its length from cell-centred velocities, free-slip mirrored at the ends of the
     * row or, if it wraps, from the other end; u, v, w[0] is the row itself, [1], [2] the rows at
     * j-1, j+1, [3], [4] those at k-1, k+1; v and w come as pairs of face rows. What lies just
     * beyond a row's ends is read but not used.
     */
    void (*vorticity)(const float *const u[5], const float *const v[5], const float *const v_up[5],
                      const float *const w[5], const float *const w_up[5], float scale, bool wraps,
                      int n, RowsOut curl, float *length);

    /* f = strength * N x curl, written over curl. length[0] is the row, [1..4] as above, also
     * read just beyond its ends. */
    void (*confinement)(const float *const length[5], float strength, bool wraps, int n,
                        RowsOut curl);

    /* out[i] += factor * (a[i] + b[i]) */
    void (*add_average)(const float *a, const float *b, float factor, int n, float *out);
} ForceKernels;

/* The rows around row 0 of a plane that its inflow is made of; expansion in units of it. */
typedef struct DivergenceRows {
    const float *u, *v, *v_up, *w, *w_up, *expansion;
} DivergenceRows;

/* Row 0 of a plane of a packed field; even cells of row j go to colour (j + parity) & 1. */
typedef struct PackedRows {
    float *color[2];
    ptrdiff_t stride;
    int parity;
} PackedRows;

typedef struct DivergenceSums {
    double squares, sum;
} DivergenceSums;

typedef struct ProjectKernels {
    /* What piles up in each cell of a plane: -h * (div u - expansion), the right-hand side of the
     * pressure. expansion_stride may be 0. */
    DivergenceSums (*negative_divergence)(const DivergenceRows *rows, ptrdiff_t stride,
                                          ptrdiff_t expansion_stride, int nx, int ny,
                                          const PackedRows *out);

    /* u, v, w -= a share of the differences of q across the cells' low sides: here is q's row, with
     * one element before it; south and below are those at j-1 and k-1. Cut at SPEED_LIMIT. */
    void (*subtract_gradient)(const float *here, const float *south, const float *below,
                              float share, int n, float *u, float *v, float *w);

    void (*add_constant)(float value, int n, float *out);
} ProjectKernels;

typedef struct RelaxKernels {
    /* even[m] = row[2m], odd[m] = row[2m+1], and back; n counts the wide row's elements. */
    void (*pack)(const float *row, int n, float *even, float *odd);
    void (*unpack)(const float *even, const float *odd, int n, float *row);

    /* x += omega * ((rhs + weight * sum of coupling * neighbour) / diagonal - x) */
    void (*relax)(const StencilPlane *plane, float omega);

    /* relax of one colour in plane k, then of the other in plane k-1, with omega 1, row by row;
     * both uniform. */
    void (*relax_fused)(const StencilPlane *upper, const StencilPlane *lower);

    /* The same with omega 1 where every neighbour is 0: x = rhs / diagonal. */
    void (*relax_alone)(const StencilPlane *plane);

    /* The sum of the squares of r = rhs - A x; y.Ax; out -= alpha * A x; y and out lie as x. */
    double (*residual)(const StencilPlane *plane);
    double (*product)(const StencilPlane *plane, const float *y);
    void (*subtract_product)(const StencilPlane *plane, float alpha, float *out);

    /* A coarse row of weighted r, taken from colour 0 of fine rows j and j+1 of two planes, where j
     * and the first plane's k are even: coarse[I] = the sum of weight * share * r over them. Right
     * after a pass over colour 1 with omega 1, r is 0 there but for rounding. Rows that do not
     * exist have weight 0; their plane is any that does. */
    void (*restrict_row)(const StencilPlane planes[2], int j, const TransferX *x,
                         const float weight[4], float *coarse);

    /* even[I] += near * t[I] + far * t[I-1], odd[I] += near * t[I] + far * t[I+1], where t = sum of
     * weight[q] * coarse[q], four coarse rows; n fine cells. */
    void (*prolong_row)(const TransferX *x, const float *const coarse[4], const float weight[4],
                        int n, float *even, float *odd);

    /* The same for a row that solids cut: along each axis only as far as the way there is open,
     *
     *     fine += own c + far_x open_x (c_x - c) + far_y open_y (c_y - c) + far_z open_z (c_z - c)
     *
     * coarse are the rows of c, c_y, c_z; own and far come from x and, along y and z, from here;
     * open[odd] holds the fractions towards the cells beside along x, y, z of even and odd cells.
     */
    void (*prolong_cut)(const TransferX *x, const float *const coarse[3], float own,
                        const float far[2], const Rows open[2], int n, float *even, float *odd);

    double (*dot)(const float *a, const float *b, int n);
    void (*add)(const float *a, float factor, int n, float *out); /* out[i] += factor * a[i] */
    void (*scale)(float factor, int n, float *out);
} RelaxKernels;

typedef struct StatisticsKernels {

    /* Of `count` rows, each `stride` floats past the one before, those of expansion
     * expansion_stride. */
    PlaneStatistics (*sum)(const StatisticsRows *first, ptrdiff_t stride,
                           ptrdiff_t expansion_stride, int n, int count);
} StatisticsKernels;

/* What one substep of burning does (combustion.c). */
typedef struct Burning {
    float ignition;    /* K */
    float share;       /* of the fuel */
    float heat, smoke; /* per unit of it */
    float frequency;   /* 1 over the substep, 1/s */
} Burning;

typedef struct CombustionKernels {
    /* Burns a row's fuel where it is hot enough; flame is what burnt per second. Its sum. */
    double (*burn)(const Burning *burning, int n, float *fuel, float *temperature, float *density,
                   float *flame);

    /* temperature /= (1 + gain (temperature/1000)^3)^(1/3), where it is above 0; 0 stays 0. */
    void (*radiate)(float gain, int n, float *temperature);
} CombustionKernels;

/* One instruction set's kernels, by the file that holds them. */
/* Four rows of values across a row of faces, of which low and high touch it; the volumes of those
 * two, in cells; the speed towards high. */
typedef struct FluxRows {
    const float *lower, *low, *high, *higher;
    const float *low_volume, *high_volume;
    const float *speed;
} FluxRows;

typedef struct FluxKernels {
    /* The speed that limits the time, by those at the cells' low and high faces along each axis: no
     * more than all of a cell may leave it. NaN does not count. */
    float (*most_taken)(const float *const low[3], const float *const high[3], int n);
    /* What passes towards high in the time of `scale` cells per speed, in cells times values. No
     * more than there is. */
    void (*flux)(const FluxRows *rows, float scale, int n, float *out);
    /* The volume that the fluid of these cells has after it, by the speeds at their low and high
     * faces. */
    void (*volume)(const float *before, const float *low, const float *high, float scale, int n,
                   float *out);
    /* values = keep times what the fluxes leave, over the volume after it. */
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

/* Inside a kernel file: KERNELS(advect) is advect_avx2 and so on. The build says which set. */
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

/* The best table for this machine, or the one BILLOW_SIMD names if it can run here. */
const Kernels *kernels_pick(void);
/* By name, NULL where this machine or build lacks it. */
const Kernels *kernels_find(const char *name);
/* All that were built, best first, whether this machine runs them or not; NULL past the end. */
const Kernels *kernels_at(int index);

#endif
