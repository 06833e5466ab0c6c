/* SPDX-License-Identifier: MIT
 * The functions of mathematics.h: errors against long double, special values, order, and the bits,
 * which are the same on every machine. */
#include "base/hash.h"
#include "base/mathematics.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if LDBL_MANT_DIG >= 64
enum { ARGUMENTS = 1000000 };
#else
enum { ARGUMENTS = 0 }; /* long double is no better than double here */
#endif
enum { GOLDEN = 100000 };

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = random_state ^ random_state >> 29;
    return bits * 0xbf58476d1ce4e5b9u;
}

static double evenly(double low, double high)
{
    return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

/* A number of either sign whose logarithm is even. */
static double any_size(int least, int most)
{
    double size = evenly(1, 2);
    int exponent = least + (int)(random_bits() % (uint64_t)(most - least + 1));
    for (; exponent > 0; exponent--)
        size *= 2;
    for (; exponent < 0; exponent++)
        size *= 0.5;
    return random_bits() >> 63 ? -size : size;
}

typedef struct Function {
    const char *name;
    double (*ours)(double);
    long double (*theirs)(long double);
    double low, high; /* of the arguments */
    int least;        /* exponent of the smallest arguments */
    double ulp;       /* most that the error may be */
    uint64_t golden;
} Function;

static const Function functions[] = {
    {"exp", math_exp, expl, -708, 709.78, -60, 0.53, 0x501b35ce6d68c0f7u},
    {"expm1", math_expm1, expm1l, -40, 709.78, -1074, 0.53, 0x019d008d3944b25bu},
    {"sin", math_sin, sinl, -10, 10, -1074, 0.6, 0x1ab430348b1d9193u},
    {"cos", math_cos, cosl, -1e6, 1e6, -40, 0.6, 0x8745bd128b98e4a0u},
    {"asin", math_asin, asinl, -1, 1, -1074, 0.65, 0xa1640fae117f4f8fu},
    {"acos", math_acos, acosl, -1, 1, -70, 0.65, 0xb62189e41133ec47u},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* Argument number `at`: evenly spread, of any size, or near a multiple of pi/4 or a power of two.
 */
static double argument(const Function *of, int at)
{
    int most = 0;
    while (most < 20 && 2 * (double)(1 << most) <= of->high)
        most++;
    double x = at % 3 == 0 ? evenly(of->low, of->high)
               : at % 3 == 1
                   ? any_size(of->least, most - 1)
                   : (double)(random_bits() % 64) * MATH_PI / 4 * (1 + any_size(-53, -20));
    return fmin(fmax(x, of->low), of->high);
}

/* Distance of a result from the true value, in the last places of the true value. */
static double error_of(double result, long double truth)
{
    int exponent;
    (void)frexpl(truth, &exponent);
    if (exponent < -1021)
        exponent = -1021;
    return (double)fabsl(ldexpl((long double)result - truth, 53 - exponent));
}

static void test_errors(void **state)
{
    (void)state;
    for (int f = 0; f < FUNCTIONS; f++) {
        double worst = 0, at = 0;
        int floats = 0;
        for (int n = 0; n < ARGUMENTS; n++) {
            double x = argument(&functions[f], n), result = functions[f].ours(x);
            long double truth = functions[f].theirs((long double)x);
            double error = error_of(result, truth);
            floats += (float)result != (float)truth;
            if (!(error <= worst)) {
                worst = error;
                at = x;
            }
        }
        print_message("%-6s %.3f ulp at %.17g, %d floats differ\n", functions[f].name, worst, at,
                      floats);
        assert_true(worst <= functions[f].ulp);
        assert_true(floats <= 1);
    }
}

static void expect_bits(const char *name, uint64_t hash, uint64_t golden)
{
    if (hash != golden)
        fail_msg("%s: the bits' hash is 0x%016llx, not 0x%016llx", name, (unsigned long long)hash,
                 (unsigned long long)golden);
}

/* Every 8219th float. */
static void test_floats(void **state)
{
    (void)state;
    uint64_t hash = HASH_START;
    double worst = 0;
    for (uint64_t word = 0; word <= UINT32_MAX; word += 8219) {
        const uint32_t bits = (uint32_t)word;
        float x, result;
        memcpy(&x, &bits, sizeof x);
        result = math_expf(x);
        if (isnan(x)) {
            assert_true(isnan(result));
            continue;
        }
        uint32_t got;
        memcpy(&got, &result, sizeof got);
        hash = hash_add(hash, got);
        double truth = math_exp((double)x);
        if (truth > 0x1.fffffefp127 || truth < 0x1p-126) {
            assert_true(result == (float)truth);
            continue;
        }
        int exponent;
        (void)frexp(truth, &exponent);
        worst = fmax(worst, fabs(ldexp((double)result - truth, 24 - exponent)));
    }
    assert_true(worst <= 0.500001);
    expect_bits("expf", hash, 0x507f02c6628ebb43u);
}

static void test_errors_of_atan2(void **state)
{
    (void)state;
    double worst = 0;
    for (int n = 0; n < ARGUMENTS; n++) {
        double y = n % 2 ? evenly(-1, 1) : any_size(-1060, 1000);
        double x = n % 2 ? evenly(-1, 1) : n % 4 ? any_size(-1060, 1000) : y * any_size(-60, 20);
        long double truth = atan2l((long double)y, (long double)x);
        double error = error_of(math_atan2(y, x), truth);
        if (fabsl(truth) >= DBL_MIN) /* subnormal results have tests of their own */
            worst = error <= worst ? worst : error;
    }
    print_message("atan2  %.3f ulp\n", worst);
    assert_true(worst <= 0.66);
}

/* Results that are subnormal. */
static void test_small_results(void **state)
{
    (void)state;
    double worst = 0;
    for (int n = 0; n < ARGUMENTS / 10; n++) {
        double x = evenly(-745.13, -708);
        double error = error_of(math_exp(x), expl((long double)x));
        worst = error <= worst ? worst : error;
    }
    print_message("exp, subnormal %.3f ulp\n", worst);
    assert_true(worst <= 1);
}

static void same(double is, double wanted)
{
    if (isnan(wanted) ? !isnan(is) : memcmp(&is, &wanted, sizeof is) != 0)
        fail_msg("%.17g, not %.17g", is, wanted);
}

static void test_special_values(void **state)
{
    (void)state;
    const double pi = MATH_PI, inf = INFINITY;
    same(math_exp(0), 1);
    same(math_exp(-0.0), 1);
    same(math_exp(inf), inf);
    same(math_exp(-inf), 0);
    same(math_exp(NAN), NAN);
    same(math_exp(710), inf);
    same(math_exp(-746), 0);
    same(math_exp(-745.13), 0x1p-1074);
    assert_true(math_exp(709.782712893384) > 1.79769313486227e308);
    same(math_expm1(0), 0);
    same(math_expm1(-0.0), -0.0);
    same(math_expm1(inf), inf);
    same(math_expm1(-inf), -1);
    same(math_expm1(NAN), NAN);
    same(math_expm1(0x1p-1074), 0x1p-1074);
    same(math_expm1(-37.5), -1);
    same(math_sin(0), 0);
    same(math_sin(-0.0), -0.0);
    same(math_sin(-0x1p-1074), -0x1p-1074);
    same(math_sin(NAN), NAN);
    same(math_sin(pi), 1.2246467991473532e-16);
    same(math_sin(pi / 2), 1);
    same(math_cos(0), 1);
    same(math_cos(-0.0), 1);
    same(math_cos(pi), -1);
    same(math_cos(pi / 2), 6.123233995736766e-17);
    same(math_cos(NAN), NAN);
    same(math_asin(-0.0), -0.0);
    same(math_asin(1), pi / 2);
    same(math_asin(-1), -pi / 2);
    same(math_asin(1.0000000000000002), NAN);
    same(math_asin(NAN), NAN);
    same(math_acos(1), 0);
    same(math_acos(-1), pi);
    same(math_acos(0), pi / 2);
    same(math_acos(-2), NAN);
    same(math_acos(NAN), NAN);
    same(math_atan2(0, 1), 0);
    same(math_atan2(-0.0, 1), -0.0);
    same(math_atan2(0, -1), pi);
    same(math_atan2(-0.0, -1), -pi);
    same(math_atan2(0, 0), 0);
    same(math_atan2(-0.0, -0.0), -pi);
    same(math_atan2(0, -0.0), pi);
    same(math_atan2(1, 0), pi / 2);
    same(math_atan2(-1, -0.0), -pi / 2);
    same(math_atan2(inf, 1), pi / 2);
    same(math_atan2(1, inf), 0);
    same(math_atan2(-1, -inf), -pi);
    same(math_atan2(inf, inf), pi / 4);
    same(math_atan2(-inf, -inf), -2.356194490192345);
    same(math_atan2(1, 1), pi / 4);
    same(math_atan2(0x1p-1074, 0x1p-1074), pi / 4);
    same(math_atan2(1e308, 1e308), pi / 4);
    same(math_atan2(1e-300, 1e300), 0);
    same(math_atan2(NAN, 1), NAN);
    same(math_atan2(1, NAN), NAN);
}

/* Neighbours in order, with small steps around the seams of the reductions. */
static void test_order(void **state)
{
    (void)state;
    static const double seams[] = {0.010830424696249145,
                                   0.35,
                                   0.7853981633974483,
                                   0.5,
                                   0.7071067811865476,
                                   0.38268343236508977,
                                   0.02,
                                   1e-16,
                                   0.9238795325112867};
    for (int s = 0; s < (int)(sizeof seams / sizeof *seams); s++) {
        double x = seams[s];
        for (int n = 0; n < 100; n++)
            x = nextafter(x, 0);
        for (int n = 0; n < 200; n++) {
            double y = nextafter(x, 1);
            assert_true(math_exp(x) <= math_exp(y));
            assert_true(math_expm1(x) <= math_expm1(y));
            assert_true(math_expm1(-x) >= math_expm1(-y));
            assert_true(math_sin(x) <= math_sin(y));
            assert_true(math_cos(x) >= math_cos(y));
            assert_true(math_asin(x) <= math_asin(y));
            assert_true(math_acos(x) >= math_acos(y));
            assert_true(math_atan2(x, 1) <= math_atan2(y, 1));
            x = y;
        }
    }
}

static uint64_t add(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return hash_add(hash, bits);
}

static void test_bits(void **state)
{
    (void)state;
    uint64_t hash = HASH_START;
    for (int f = 0; f < FUNCTIONS; f++) {
        random_state = 7;
        hash = HASH_START;
        for (int n = 0; n < GOLDEN; n++)
            hash = add(hash, functions[f].ours(argument(&functions[f], n)));
        expect_bits(functions[f].name, hash, functions[f].golden);
    }
    random_state = 7;
    hash = HASH_START;
    for (int n = 0; n < GOLDEN; n++) {
        double y = evenly(-1, 1), x = any_size(-40, 10);
        hash = add(hash, math_atan2(y, x));
    }
    expect_bits("atan2", hash, 0x0ce3c67476e57b19u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_errors_of_atan2),
                                       cmocka_unit_test(test_small_results),
                                       cmocka_unit_test(test_floats),
                                       cmocka_unit_test(test_special_values),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
