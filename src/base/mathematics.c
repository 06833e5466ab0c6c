/* SPDX-License-Identifier: MIT
 *
 * Each function reduces its argument to a small interval, where a polynomial suffices, and keeps
 * the rounding errors of the largest terms in a second number. The polynomials are minimax for the
 * relative error (Remez 1934), computed with 120 digits, and have Horner's form. */
#include "base/mathematics.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* -- sums of two doubles ----------------------------------------------------------------------- */

/* A number as high + low, |low| <= ulp(high) / 2 or little more. */
typedef struct Pair {
    double high, low;
} Pair;

/* a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971). */
static Pair sum(double a, double b)
{
    double high = a + b;
    return (Pair){high, b - (high - a)};
}

/* a - b exactly, for any a and b (Knuth 1969). */
static Pair difference(double a, double b)
{
    double high = a - b, part = high - a;
    return (Pair){high, (a - (high - part)) - (b + part)};
}

/* a b exactly, by halves of 26 bits (Dekker 1971). |a| and |b| are 0 or lie between 1e-190 and
 * 1e140. */
static Pair product(double a, double b)
{
    double ta = 134217729.0 * a, tb = 134217729.0 * b; /* 2^27 + 1 */
    double a1 = ta - (ta - a), a2 = a - a1, b1 = tb - (tb - b), b2 = b - b1, high = a * b;
    return (Pair){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* 2^exponent, for exponents of normal numbers, -1022 to 1023. */
static double power_of_2(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static int nearest(double x)
{
    return (int)(x < 0 ? x - 0.5 : x + 0.5);
}

/* -- exponential function ----------------------------------------------------------------------
 *
 *     x = n ln2/32 + r,  |r| <= ln2/64 = 0.0108,  n = 32 k + j,  0 <= j < 32
 *     exp(x) = 2^k 2^(j/32) exp(r),   exp(r) - 1 = r + r^2/2 + r^3 E(r)
 *
 * ln2/32 is split in STEP, whose last 16 bits are 0, and REST: n STEP and x - n STEP are exact. The
 * error of E is 2^-52 of 1/6. The error of exp(r) - 1 is that of its last addition, 2^-60, which
 * the table's factor, below 2, carries to 0.03 ulp of the result. */

static const double STEP = 0x1.62e42fefa0000p-6, REST = 0x1.cf79abc9e3b3ap-45;
static const double STEPS_PER_UNIT = 0x1.71547652b82fep+5; /* 32/ln2 */

static const Pair roots[32] = {
    /* 2^(j/32) */
    {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.059b0d3158574p+0, 0x1.d73e2a475b465p-55},
    {0x1.0b5586cf9890fp+0, 0x1.8a62e4adc610bp-54},
    {0x1.11301d0125b51p+0, -0x1.6c51039449b3ap-54},
    {0x1.172b83c7d517bp+0, -0x1.19041b9d78a76p-55},
    {0x1.1d4873168b9aap+0, 0x1.e016e00a2643cp-54},
    {0x1.2387a6e756238p+0, 0x1.9b07eb6c70573p-54},
    {0x1.29e9df51fdee1p+0, 0x1.612e8afad1255p-55},
    {0x1.306fe0a31b715p+0, 0x1.6f46ad23182e4p-55},
    {0x1.371a7373aa9cbp+0, -0x1.63aeabf42eae2p-54},
    {0x1.3dea64c123422p+0, 0x1.ada0911f09ebcp-55},
    {0x1.44e086061892dp+0, 0x1.89b7a04ef80d0p-59},
    {0x1.4bfdad5362a27p+0, 0x1.d4397afec42e2p-56},
    {0x1.5342b569d4f82p+0, -0x1.07abe1db13cadp-55},
    {0x1.5ab07dd485429p+0, 0x1.6324c054647adp-54},
    {0x1.6247eb03a5585p+0, -0x1.383c17e40b497p-54},
    {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54},
    {0x1.71f75e8ec5f74p+0, -0x1.16e4786887a99p-55},
    {0x1.7a11473eb0187p+0, -0x1.41577ee04992fp-55},
    {0x1.82589994cce13p+0, -0x1.d4c1dd41532d8p-54},
    {0x1.8ace5422aa0dbp+0, 0x1.6e9f156864b27p-54},
    {0x1.93737b0cdc5e5p+0, -0x1.75fc781b57ebcp-57},
    {0x1.9c49182a3f090p+0, 0x1.c7c46b071f2bep-56},
    {0x1.a5503b23e255dp+0, -0x1.d2f6edb8d41e1p-54},
    {0x1.ae89f995ad3adp+0, 0x1.7a1cd345dcc81p-54},
    {0x1.b7f76f2fb5e47p+0, -0x1.5584f7e54ac3bp-56},
    {0x1.c199bdd85529cp+0, 0x1.11065895048ddp-55},
    {0x1.cb720dcef9069p+0, 0x1.503cbd1e949dbp-56},
    {0x1.d5818dcfba487p+0, 0x1.2ed02d75b3707p-55},
    {0x1.dfc97337b9b5fp+0, -0x1.1a5cd4f184b5cp-54},
    {0x1.ea4afa2a490dap+0, -0x1.e9c23179c2893p-54},
    {0x1.f50765b6e4540p+0, 0x1.9d3e12dd8a18bp-54},
};

/* x = n ln2/32 + r. Returns exp(r) - 1 as high + low, where high is r. */
static Pair exp_reduced(double x, int *n)
{
    *n = nearest(x * STEPS_PER_UNIT);
    double from = x - *n * STEP, rest = *n * REST, r = from - rest;
    double tail = 0x1.a01a4f86d4250p-13;
    tail = 0x1.6c1700057edfcp-10 + r * tail;
    tail = 0x1.111111110cb6bp-7 + r * tail;
    tail = 0x1.5555555551910p-5 + r * tail;
    tail = 0x1.5555555555555p-3 + r * tail;
    return (Pair){r, r * r * (0.5 + r * tail) + ((from - r) - rest)};
}

double math_exp(double x)
{
    int n;
    if (x != x)
        return x;
    if (x > 709.782712893384) /* the logarithm of the largest number, rounded up */
        return INFINITY;
    if (x < -745.1332191019412) /* that of half the smallest */
        return 0;
    const Pair more = exp_reduced(x, &n);
    const Pair root = roots[n & 31];
    double value = root.high + (root.low + root.high * (more.high + more.low));
    int k = (n - (n & 31)) / 32;
    if (k > 1023)
        return value * 2 * power_of_2(k - 1);
    if (k < -1022)
        return value * power_of_2(k + 64) * 0x1p-64; /* a subnormal result is rounded here */
    return value * power_of_2(k);
}

/* Here doubles alone have 29 bits to spare. E has the terms to r^5 / 5!, the next is 2^-49. Adding
 * 3 2^51 to a number rounds it to a whole one, which the low bits of the sum then hold. */
float math_expf(float x)
{
    const double whole = 0x1.8p52, from = (double)x;
    if (!(fabs(from) < 128))
        return x > 0 ? INFINITY : x < 0 ? 0 : x;
    double steps = from * STEPS_PER_UNIT + whole, root;
    uint64_t n, bits;
    memcpy(&n, &steps, sizeof n);
    double r = from - (steps - whole) * (STEP + REST), square = r * r;
    double more = r + square * (0.5 + r * (1.0 / 6) + square * (1.0 / 24 + r * (1.0 / 120)));
    memcpy(&bits, &roots[n & 31].high, sizeof bits);
    bits += (n >> 5) << 52; /* times 2^k; what overflows is lost */
    memcpy(&root, &bits, sizeof root);
    return (float)(root + root * more);
}

/* |x| < 0.35: exp(x) - 1 = x + x^2/2 + x^3 E(x). x^2/2 is a pair. E has an error of 2^-63, and the
 * last term, at most 0.007, one of 2^-59, which is 0.05 ulp of the result or less.
 *
 * Else, with S = 2^k 2^(j/32):  exp(x) - 1 = (S - 1) + S (exp(r) - 1). S - 1 is a pair; its size is
 * 0.29 or more, of which the errors of the second term, 2^-59 S, are 0.1 ulp. */
double math_expm1(double x)
{
    if (!(fabs(x) >= 0.35)) {
        if (fabs(x) < 0x1p-54 || x != x)
            return x;
        double tail = 0x1.61cfede86bcc0p-33;
        tail = 0x1.1f75a4240c3d5p-29 + x * tail;
        tail = 0x1.ae6422c0e3b89p-26 + x * tail;
        tail = 0x1.27e4da1de1be6p-22 + x * tail;
        tail = 0x1.71de3a5cb439dp-19 + x * tail;
        tail = 0x1.a01a01a74089cp-16 + x * tail;
        tail = 0x1.a01a01a01910ep-13 + x * tail;
        tail = 0x1.6c16c16c16214p-10 + x * tail;
        tail = 0x1.1111111111112p-7 + x * tail;
        tail = 0x1.5555555555556p-5 + x * tail;
        tail = 0x1.5555555555555p-3 + x * tail;
        const Pair square = product(x, x), first = sum(x, 0.5 * square.high);
        return first.high + (first.low + (0.5 * square.low + x * square.high * tail));
    }
    if (x > 60) /* 1 is less than 2^-86 of the result */
        return math_exp(x);
    if (x < -38)
        return -1;
    int n;
    const Pair more = exp_reduced(x, &n), root = roots[n & 31];
    double scale = power_of_2((n - (n & 31)) / 32), size = scale * root.high;
    const Pair less = difference(size, 1);
    return less.high + (less.low + (scale * root.low + size * (more.high + more.low)));
}

/* -- sine and cosine ---------------------------------------------------------------------------
 *
 *     x = n pi/2 + r,  |r| <= pi/4,   n to 2^20
 *
 * pi/2 is split in three parts of 33 bits, whose products with n are exact, and a last one. No
 * double up to 1e6 is closer to a multiple of pi/2 than 2^-60, and the error of r is 2^-130.
 *
 *     sin(r) = r + r^3 S(r^2),    cos(r) = 1 - r^2/2 + r^4 C(r^2)
 *
 * S has an error of 2^-66, C of 2^-59. r^3/6 and r^2/2 are pairs. The other terms, at most 0.003
 * and 0.016, have rounding errors of 2^-60 and 2^-58. */

static const double QUARTERS_PER_UNIT = 0x1.45f306dc9c883p-1; /* 2/pi */
static const double QUARTER[4] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34,
                                  0x1.3198a2e000000p-69, 0x1.b839a252049c1p-104};
enum { ANGLE_MAX = 1000000 };

/* Returns r, and sets n. */
static Pair angle_reduced(double x, int *n)
{
    *n = nearest(x * QUARTERS_PER_UNIT);
    if (*n == 0)
        return (Pair){x, 0};
    const Pair one = difference(x - *n * QUARTER[0], *n * QUARTER[1]);
    const Pair two = difference(one.high, *n * QUARTER[2]);
    double low = one.low + two.low - *n * QUARTER[3];
    return sum(two.high, low);
}

static double sine(Pair r)
{
    if (fabs(r.high) < 0x1p-30)
        return r.high;
    const Pair square = product(r.high, r.high), cube = product(r.high, square.high);
    const Pair sixth = product(cube.high, 0x1.5555555555555p-3);
    double z = square.high, tail = -0x1.ab17041718d6ep-41;
    tail = 0x1.61217dacc1f13p-33 + z * tail;
    tail = -0x1.ae6454110ddaap-26 + z * tail;
    tail = 0x1.71de3a545f9acp-19 + z * tail;
    tail = -0x1.a01a01a019930p-13 + z * tail;
    tail = 0x1.1111111111110p-7 + z * tail;
    double rest =
        sixth.low + (cube.low + r.high * square.low) / 6 + cube.high * 0x1.5555555555555p-57;
    const Pair first = sum(r.high, -sixth.high);
    return first.high + (first.low + (r.low * (1 - 0.5 * z) + (cube.high * z * tail - rest)));
}

static double cosine(Pair r)
{
    if (fabs(r.high) < 0x1p-30)
        return 1;
    const Pair square = product(r.high, r.high), first = sum(1, -0.5 * square.high);
    double z = square.high, tail = -0x1.907cea0cf7388p-37;
    tail = 0x1.1eeb67ea7a39dp-29 + z * tail;
    tail = -0x1.27e4fa16e89fbp-22 + z * tail;
    tail = 0x1.a01a019f4df8fp-16 + z * tail;
    tail = -0x1.6c16c16c16964p-10 + z * tail;
    tail = 0x1.5555555555555p-5 + z * tail;
    return first.high + (first.low + (z * z * tail - 0.5 * square.low - r.high * r.low));
}

/* The sine of x + quarters pi/2. */
static double shifted_sine(double x, int quarters)
{
    int n;
    assert(x != x || fabs(x) <= ANGLE_MAX);
    if (!(fabs(x) <= ANGLE_MAX))
        return NAN;
    const Pair r = angle_reduced(x, &n);
    double size = (n + quarters) & 1 ? cosine(r) : sine(r);
    return (n + quarters) & 2 ? -size : size;
}

double math_sin(double x)
{
    return shifted_sine(x, 0);
}

double math_cos(double x)
{
    return shifted_sine(x, 1);
}

/* -- inverse functions -------------------------------------------------------------------------
 *
 * All are the angle a of a vector (x, y) with x, y >= 0, as a pair:
 *
 *     y > x:                a = pi/2 - angle of (y, x)
 *     y > (sqrt(2) - 1) x:  a = pi/4 + angle of (x + y, y - x), turned by -pi/4
 *     else, t = y / x:      a = t + t^3 A(t^2),  |t| <= 0.414
 *
 * A has an error of 2^-60. t is a pair, t + u, by the remainder of the division; its second part
 * counts with the derivative 1 / (1 + t^2). The term t^3 A, at most 0.024, has rounding errors of
 * 2^-58, 0.1 ulp.
 *
 *     asin(x) = angle of (sqrt(1 - x^2), x),   acos(x) = angle of (x, sqrt(1 - x^2)) */

static const Pair PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const double TINY = 0x1p-60;

static Pair pair_less(Pair a, Pair b)
{
    const Pair high = difference(a.high, b.high);
    return sum(high.high, high.low + (a.low - b.low));
}

/* The angle of a vector whose y is 0.414 of x or less, either way. */
static Pair small_angle(Pair x, Pair y)
{
    double t = y.high / x.high, z = t * t;
    if (fabs(t) < TINY)
        return (Pair){t, 0};
    const Pair back = product(t, x.high);
    double u = (((y.high - back.high) - back.low) + (y.low - t * x.low)) / x.high;
    double tail = 0x1.0b529e387d200p-6;
    tail = -0x1.1b7116fbd4fd4p-5 + z * tail;
    tail = 0x1.74f763504543fp-5 + z * tail;
    tail = -0x1.ac80972a78d2fp-5 + z * tail;
    tail = 0x1.e19af49b568a8p-5 + z * tail;
    tail = -0x1.110e92968d035p-4 + z * tail;
    tail = 0x1.3b13937c84f75p-4 + z * tail;
    tail = -0x1.745d16640eadap-4 + z * tail;
    tail = 0x1.c71c71c326edep-4 + z * tail;
    tail = -0x1.249249248db01p-3 + z * tail;
    tail = 0x1.9999999999957p-3 + z * tail;
    tail = -0x1.5555555555555p-2 + z * tail;
    return sum(t, t * z * tail + u / (1 + z));
}

static Pair angle_of(Pair x, Pair y)
{
    const Pair half = {0.5 * PI.high, 0.5 * PI.low}, quarter = {0.25 * PI.high, 0.25 * PI.low};
    if (y.high > x.high)
        return pair_less(half, angle_of(y, x));
    if (y.high <= 0.41421356 * x.high)
        return small_angle(x, y);
    const Pair across = pair_less(x, y), along = pair_less(x, (Pair){-y.high, -y.low});
    const Pair back = small_angle(along, across);
    return pair_less(quarter, back);
}

/* sqrt(1 - x^2), for |x| from TINY to 1. */
static Pair cathetus(double x)
{
    const Pair square = product(x, x), rest = difference(1, square.high);
    double root = sqrt(rest.high);
    if (root == 0)
        return (Pair){0, 0};
    const Pair back = product(root, root);
    double low = ((rest.high - back.high) - back.low) + (rest.low - square.low);
    return sum(root, low / (2 * root));
}

double math_asin(double x)
{
    if (fabs(x) < TINY)
        return x;
    if (!(fabs(x) <= 1))
        return NAN;
    const Pair angle = angle_of(cathetus(x), (Pair){fabs(x), 0});
    return copysign(angle.high, x);
}

double math_acos(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    if (fabs(x) < TINY)
        return 0.5 * PI.high;
    const Pair angle = angle_of((Pair){fabs(x), 0}, cathetus(x));
    return x < 0 ? pair_less(PI, angle).high : angle.high;
}

/* The angle of a vector with x >= 0 and y >= 0 that are not both 0 or infinite. Very large and very
 * small vectors are scaled to a length of about 1 by a power of two, which is exact. One component
 * is at most 2^400 times the other, so that no square underflows. */
static Pair angle_of_any(double x, double y)
{
    if (y == 0 || x > 0x1p400 * y || isinf(x)) /* the quotient of a subnormal number is right */
        return (Pair){y / x, 0};
    if (x == 0 || y > 0x1p400 * x || isinf(y))
        return (Pair){0.5 * PI.high, 0.5 * PI.low};
    const double larger = fmax(x, y);
    const int lower = larger > 0x1p100 || larger < 0x1p-100 ? -ilogb(larger) : 0;
    return angle_of((Pair){ldexp(x, lower), 0}, (Pair){ldexp(y, lower), 0});
}

double math_atan2(double y, double x)
{
    if (x != x || y != y)
        return x + y;
    double across = fabs(x), up = fabs(y);
    if (isinf(x) && isinf(y))
        across = up = 1;
    if (across == 0 && up == 0)
        across = 1;
    const Pair angle = angle_of_any(across, up);
    return copysign(signbit(x) ? pair_less(PI, angle).high : angle.high, y);
}
