/* SPDX-License-Identifier: MIT
 *
 * Vectors: a Lanes holds LANES_WIDTH floats, a LaneInts as many integers, and a LaneMask a
 * condition for each lane. The compiler provides + - * for them (GNU vectors). This file adds the
 * operations that GNU vectors lack or do slowly, per instruction set. A compiler without GNU
 * vectors gets one lane. Kernels do the same arithmetic in every lane, so that the width changes no
 * result. */
#ifndef KERNELS_LANES_H
#define KERNELS_LANES_H

#include <stddef.h>
#include <string.h>

#if defined(__AVX512F__) && !defined(LANES_ONE)
#include <immintrin.h>

#define LANES_WIDTH 16
typedef float Lanes __attribute__((vector_size(64)));
typedef int LaneInts __attribute__((vector_size(64)));
typedef __mmask16 LaneMask;

/* a > b ? a : b per lane, so that the result is b if either is NaN. lanes_min works likewise. */
static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return _mm512_max_ps(a, b);
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return _mm512_min_ps(a, b);
}

static inline LaneMask lanes_equal(LaneInts a, int b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}

static inline LaneMask lanes_below(LaneInts a, int b)
{
    return _mm512_cmplt_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}

static inline LaneMask lanes_same(Lanes a, Lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline LaneMask lanes_less(Lanes a, Lanes b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline LaneMask lanes_above(LaneInts a, int b)
{
    return _mm512_cmpgt_epi32_mask((__m512i)a, _mm512_set1_epi32(b));
}

static inline LaneMask lanes_either(LaneMask a, LaneMask b)
{
    return (LaneMask)(a | b);
}

static inline LaneMask lanes_both(LaneMask a, LaneMask b)
{
    return (LaneMask)(a & b);
}

/* Bit l of the result is the condition of lane l. */
static inline unsigned lanes_bits(LaneMask mask)
{
    return mask;
}

static inline Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no)
{
    return _mm512_mask_blend_ps(mask, no, yes);
}

/* p[at] for each lane. */
static inline Lanes lanes_gather(const float *p, LaneInts at)
{
    return _mm512_i32gather_ps((__m512i)at, p, sizeof *p);
}

/* p[at] for each lane, faster than lanes_gather. Every `at` must be less than LANES_WIDTH above
 * that of the first lane, and not below it. LANES_WIDTH elements from the first lane's on are read.
 */
static inline Lanes lanes_pick(const float *p, LaneInts at)
{
    const int first = _mm_cvtsi128_si32(_mm512_castsi512_si128((__m512i)at));
    return _mm512_permutexvar_ps((__m512i)(at - first), _mm512_loadu_ps(p + first));
}

#elif defined(__AVX2__) && !defined(LANES_ONE)
#include <immintrin.h>

#define LANES_WIDTH 8
typedef float Lanes __attribute__((vector_size(32)));
typedef int LaneInts __attribute__((vector_size(32)));
typedef LaneInts LaneMask; /* all bits or none */

static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return _mm256_max_ps(a, b);
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return _mm256_min_ps(a, b);
}

static inline unsigned lanes_bits(LaneMask mask)
{
    return (unsigned)_mm256_movemask_ps((__m256)mask);
}

static inline Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no)
{
    return _mm256_blendv_ps(no, yes, (__m256)mask);
}

static inline Lanes lanes_gather(const float *p, LaneInts at)
{
    return _mm256_i32gather_ps(p, (__m256i)at, sizeof *p);
}

static inline Lanes lanes_pick(const float *p, LaneInts at)
{
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(p + at[0]), (__m256i)(at - at[0]));
}

#elif defined(__GNUC__) && !defined(LANES_ONE)
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LANES_WIDTH 4
typedef float Lanes __attribute__((vector_size(16)));
typedef int LaneInts __attribute__((vector_size(16)));
typedef LaneInts LaneMask;

static inline Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no)
{
    return (Lanes)((mask & (LaneInts)yes) | (~mask & (LaneInts)no));
}

static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return lanes_select(a > b, a, b);
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return lanes_select(a < b, a, b);
}

static inline unsigned lanes_bits(LaneMask mask)
{
#ifdef __SSE2__
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

static inline Lanes lanes_gather(const float *p, LaneInts at)
{
    return (Lanes){p[at[0]], p[at[1]], p[at[2]], p[at[3]]};
}

static inline Lanes lanes_pick(const float *p, LaneInts at)
{
    return lanes_gather(p, at);
}

#else
#include <stdbool.h>

#define LANES_WIDTH 1
typedef float Lanes;
typedef int LaneInts;
typedef bool LaneMask;

static inline Lanes lanes_max(Lanes a, Lanes b)
{
    return a > b ? a : b;
}

static inline Lanes lanes_min(Lanes a, Lanes b)
{
    return a < b ? a : b;
}

static inline unsigned lanes_bits(LaneMask mask)
{
    return mask;
}

static inline Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no)
{
    return mask ? yes : no;
}

static inline Lanes lanes_gather(const float *p, LaneInts at)
{
    return p[at];
}

static inline Lanes lanes_pick(const float *p, LaneInts at)
{
    return p[at];
}
#endif

static inline Lanes lanes_load(const float *p)
{
    Lanes lanes;
    memcpy(&lanes, p, sizeof lanes);
    return lanes;
}

/* lanes_pick with the next indices of a row. */
static inline Lanes lanes_pick_at(const float *p, const int *at)
{
    LaneInts lanes;
    memcpy(&lanes, at, sizeof lanes);
    return lanes_pick(p, lanes);
}

static inline void lanes_store(float *p, Lanes lanes)
{
    memcpy(p, &lanes, sizeof lanes);
}

#if LANES_WIDTH < 16
static inline LaneMask lanes_equal(LaneInts a, int b)
{
    return a == b;
}

static inline LaneMask lanes_below(LaneInts a, int b)
{
    return a < b;
}

static inline LaneMask lanes_same(Lanes a, Lanes b)
{
    return a == b;
}

static inline LaneMask lanes_less(Lanes a, Lanes b)
{
    return a < b;
}

static inline LaneMask lanes_above(LaneInts a, int b)
{
    return a > b;
}

static inline LaneMask lanes_either(LaneMask a, LaneMask b)
{
    return a | b;
}

static inline LaneMask lanes_both(LaneMask a, LaneMask b)
{
    return a & b;
}
#endif

/* The lanes shifted by one element. `last` and `next` are the vectors before and after them in
 * memory. The widest set shifts registers, because half of its unaligned loads would cross two
 * cache lines. */
#if LANES_WIDTH == 16
static inline Lanes lanes_before(const float *p, Lanes last, Lanes here)
{
    (void)p;
    return (Lanes)_mm512_alignr_epi32((__m512i)here, (__m512i)last, 15);
}

static inline Lanes lanes_after(const float *p, Lanes here, Lanes next)
{
    (void)p;
    return (Lanes)_mm512_alignr_epi32((__m512i)next, (__m512i)here, 1);
}

/* LANES_WIDTH elements in a register, for several uses. Compilers would load them for each use. */
static inline Lanes lanes_hold(const float *p)
{
    Lanes lanes = _mm512_loadu_ps(p);
    __asm__("" : "+v"(lanes));
    return lanes;
}
#else
static inline Lanes lanes_before(const float *p, Lanes last, Lanes here)
{
    (void)last, (void)here;
    return lanes_load(p - 1);
}

static inline Lanes lanes_after(const float *p, Lanes here, Lanes next)
{
    (void)here, (void)next;
    return lanes_load(p + 1);
}

static inline Lanes lanes_hold(const float *p)
{
    return lanes_load(p);
}
#endif

#if LANES_WIDTH == 1
static inline int lanes_lane0(LaneInts x)
{
    return x;
}

static inline LaneInts lanes_whole(Lanes x)
{
    return (int)x;
}

static inline Lanes lanes_float(LaneInts x)
{
    return (float)x;
}
#else
static inline int lanes_lane0(LaneInts x)
{
    return x[0];
}

/* Rounds towards zero. */
static inline LaneInts lanes_whole(Lanes x)
{
    return __builtin_convertvector(x, LaneInts);
}

static inline Lanes lanes_float(LaneInts x)
{
    return __builtin_convertvector(x, Lanes);
}
#endif

/* 0, 1, 2, ... */
static inline LaneInts lanes_numbers(void)
{
    static const int numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    LaneInts lanes;
    memcpy(&lanes, numbers, sizeof lanes);
    return lanes;
}

static inline Lanes lanes_all(float x)
{
    return x - (Lanes){0}; /* exact for -0 too */
}

/* Marks what few blocks need, so that it takes no registers from the loops of the others. */
#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline)) static
#define UNROLLED    _Pragma("GCC unroll 6")
#else
#define OUT_OF_LINE static
#define UNROLLED
#endif

#if LANES_WIDTH == 16
static inline void store_few(float *out, Lanes lanes, int n)
{
    _mm512_mask_storeu_ps(out, (__mmask16)((1u << n) - 1), lanes);
}
#else
OUT_OF_LINE void store_few(float *out, Lanes lanes, int n)
{
    memcpy(out, &lanes, (size_t)n * sizeof *out);
}
#endif

/* Stores the first n lanes, if fewer than LANES_WIDTH elements are left in the row. */
static inline void lanes_store_wanted(float *out, Lanes lanes, int n)
{
    if (n >= LANES_WIDTH)
        lanes_store(out, lanes);
    else
        store_few(out, lanes, n);
}

/* For LANES_WIDTH smoke cells in a row, of which the first is number `cell` in wind cell 0: returns
 * the number of the wind cell around each. *number: the number of each smoke cell in its wind cell.
 */
static inline LaneInts wind_cells(int cell, int refine, Lanes *number)
{
    const Lanes cells = lanes_float(lanes_numbers() + cell);
    const LaneInts at = lanes_whole((cells + 0.5f) * (1 / (float)refine));
    *number = cells - lanes_float(at) * (float)refine;
    return at;
}

#endif
