/* SPDX-License-Identifier: MIT */
#include "render/gl/texture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { HALVES = 65536, INFINITE = 0x7c00, SIGN = 0x8000 };

static float value_of(int half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float size = exponent == 0 ? ldexpf((float)fraction, -24)
                               : ldexpf((float)(1024 + fraction), exponent - 25);
    return half & SIGN ? -size : size;
}

typedef void Convert(const float *values, size_t count, uint16_t *out);

static int converted(Convert *convert, float value)
{
    float values[9]; /* one of eight at once, and the one that is left */
    uint16_t out[9];
    for (int i = 0; i < 9; i++)
        values[i] = value;
    convert(values, 9, out);
    assert_int_equal(out[0], out[8]);
    return out[0];
}

static void expect_all(Convert *convert)
{
    for (int half = 0; half < HALVES; half++) {
        if ((half & INFINITE) == INFINITE)
            continue;
        float value = value_of(half);
        assert_int_equal(converted(convert, value), half);
        if (((half + 1) & INFINITE) == INFINITE)
            continue;
        /* Between two the nearer one, and the even one where both are as near. */
        float next = value_of(half + 1), middle = 0.5f * (value + next);
        assert_int_equal(converted(convert, middle), half + (half & 1));
        assert_int_equal(converted(convert, nextafterf(middle, value)), half);
        assert_int_equal(converted(convert, nextafterf(middle, next)), half + 1);
    }
}

static void test_nearest(void **state)
{
    (void)state;
    expect_all(half_from_floats_plain);
    expect_all(half_from_floats);
}

static void test_largest(void **state)
{
    (void)state;
    Convert *const both[] = {half_from_floats_plain, half_from_floats};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(converted(both[i], 1e9f), INFINITE - 1);
        assert_int_equal(converted(both[i], INFINITY), INFINITE - 1);
        assert_int_equal(converted(both[i], -65519.0f), SIGN + INFINITE - 1);
        assert_int_equal(converted(both[i], 1e-30f), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
