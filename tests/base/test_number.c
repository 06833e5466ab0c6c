/* SPDX-License-Identifier: MIT
 * Numbers as text. The test runs in a German and a Turkish locale, which CTest's fixture `locales`
 * makes. */
#define _POSIX_C_SOURCE 200809L /* strsignal */

#include "base/fail.h" // cmocka has a macro of this name
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sets a locale with a decimal comma, and shows that the standard library follows it. */
static void use_locale(const char *name)
{
    char text[8];
    if (setlocale(LC_ALL, name) == NULL)
        fail_msg("no locale %s in LOCPATH: install the package locales, run by ctest", name);
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
    assert_true(strtod("1.5", NULL) == 1);
}

static void check_conversions(void)
{
    char text[64], *end;
    BillowError error;
    assert_true(number_read("1.5e3x", &end) == 1500);
    assert_string_equal(end, "x");
    assert_int_equal(number_print(text, sizeof text, "%g %d %.3f", 0.25, 7, 1234.5), 15);
    assert_string_equal(text, "0.25 7 1234.500");
    assert_int_equal(number_print(text, 4, "%g", 0.125), 5);
    assert_string_equal(text, "0.1");
    assert_false((fail)(&error, "must be %g to %g", 0.5, 1.5));
    assert_string_equal(error.text, "must be 0.5 to 1.5");
    FILE *file = tmpfile();
    assert_int_equal(number_fprint(file, "%.9g,%.1f\n", 0.1, 2.0), 8);
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "0.1,2.0\n");
    fclose(file);
    assert_string_equal(english_error(ENOENT), "No such file or directory");
    assert_string_equal(english_words(strsignal, SIGSEGV), "Segmentation fault");
}

static void test_locales(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "tr_TR.UTF-8"};
    check_conversions();
    for (int n = 0; n < 2; n++) {
        char text[8];
        use_locale(names[n]);
        check_conversions();
        /* The locale of the program is as it was. */
        assert_string_equal(setlocale(LC_NUMERIC, NULL), names[n]);
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5");
    }
    for (int byte = -128; byte < 128; byte++) {
        int lower = byte >= 'A' && byte <= 'Z' ? byte + 32 : byte;
        assert_int_equal(ascii_lower((char)byte), lower);
    }
}

static void test_decimal(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    " 1",    "1 ",  "0x10", "inf", "nan",
                                        "1,5", "1e",    "e5",  "+",    ".",   "-",
                                        "--1", "1.5.2", "1e+", "1_0",  "1f",  "+-1"};
    double value;
    use_locale("de_DE.UTF-8");
    for (size_t text = 0; text < sizeof wrong / sizeof *wrong; text++)
        assert_false(number_read_decimal(wrong[text], &value));
    assert_true(number_read_decimal("-1.25e-2", &value) && value == -0.0125);
    assert_true(number_read_decimal(".5", &value) && value == 0.5);
    assert_true(number_read_decimal("+7.", &value) && value == 7);
    assert_true(number_read_decimal("1e999", &value) && isinf(value));
}

/* Every text reads back to the same bits, and some that need few digits have few. */
static void test_shortest(void **state)
{
    (void)state;
    static const double some[] = {0,       1,      -2.5,    0.1,    1.0 / 3, 1e22, 5e-324,
                                  1.7e308, 123456, 1234567, 1e-300, 0x1p53,  -0.0, 100};
    char text[NUMBER_TEXT];
    uint64_t seed = 1;
    use_locale("de_DE.UTF-8");
    for (int trial = 0; trial < 20000; trial++) {
        double value, back;
        float single, single_back;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &seed, sizeof value);
        if (trial < (int)(sizeof some / sizeof *some))
            value = some[trial];
        if (!isfinite(value))
            continue;
        number_shortest(value, text);
        assert_true(number_read_decimal(text, &back) && memcmp(&back, &value, sizeof back) == 0);
        single = (float)value;
        if (!isfinite(single))
            continue;
        number_shortest_float(single, text);
        single_back = (float)number_read(text, NULL);
        assert_memory_equal(&single_back, &single, sizeof single);
        assert_true(strlen(text) <= 15);
    }
    number_shortest_float(0.1f, text);
    assert_string_equal(text, "0.1");
    number_shortest(0.1, text);
    assert_string_equal(text, "0.1");
    number_shortest(1.0 / 3, text);
    assert_string_equal(text, "0.3333333333333333");
}

/* Messages are plain UTF-8, whatever they quote and wherever they are cut. */
static void test_masked(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"a\xc3\xa4\xe2\x82\xac\xf0\x9f\x92\xa8z", "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x92\xa8z"},
        {"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf", "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
        {"\xe2\x82: no", "??: no"},                            /* cut */
        {"\xf0\x9f\x92", "???"},                               /* cut at the end */
        {"gr\xfcn, \x80\xff", "gr?n, ??"},                     /* Latin-1, no first bytes */
        {"\xc0\xaf\xe0\x80\xaf\xf0\x8f\xbf\xbf", "?????????"}, /* longer forms */
        {"\xed\xa0\x80\xf4\x90\x80\x80\xf5", "????????"},      /* a surrogate, beyond U+10FFFF */
        {"\x1b[2J\n\xc2\x9b\xe2\x80\xae", "?[2J???"},          /* control characters */
    };
    BillowError error;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        assert_false((fail)(&error, "%s", texts[t][0]));
        assert_string_equal(error.text, texts[t][1]);
    }
    char letters[600];
    for (size_t at = 0; at < sizeof letters; at++)
        letters[at] = "\xe2\x82\xac"[at % 3];
    for (int most = 1; most <= 3; most++) {
        (fail)(&error, "%.*s: cut", most, letters);
        assert_string_equal(error.text, most == 1   ? "?: cut"
                                        : most == 2 ? "??: cut"
                                                    : "\xe2\x82\xac: cut");
        /* The buffer ends in each part of a character. */
        (fail)(&error, "%.*s%.597s", most, "abc", letters);
        size_t length = strlen(error.text), whole = (sizeof error.text - 1 - (size_t)most) / 3;
        assert_int_equal(length, sizeof error.text - 1);
        for (size_t at = (size_t)most + 3 * whole; at < length; at++)
            assert_int_equal(error.text[at], '?');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locales), cmocka_unit_test(test_decimal),
        cmocka_unit_test(test_shortest), cmocka_unit_test(test_masked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
