/* SPDX-License-Identifier: MIT */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* xlocale.h */
#elif !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L /* uselocale */
#endif

#include "base/number.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

/* -- the locale "C" in this thread, for the time of one call ----------------------------------- */

#if defined(_WIN32)

typedef struct Locale {
    int threads;    /* whether the thread had a locale of its own */
    char name[256]; /* of the thread's LC_NUMERIC, which is shorter; "" if that is "C" */
} Locale;

static Locale enter_c(void)
{
    Locale before = {.threads = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE)};
    const char *name = setlocale(LC_NUMERIC, NULL);
    if (name != NULL && strcmp(name, "C") != 0 && strlen(name) < sizeof before.name) {
        strcpy(before.name, name);
        setlocale(LC_NUMERIC, "C");
    }
    return before;
}

static void leave_c(const Locale *before)
{
    if (before->name[0] != '\0')
        setlocale(LC_NUMERIC, before->name);
    _configthreadlocale(before->threads);
}

#else

typedef locale_t Locale;

/* The C library has its own object of the locale "C": newlocale allocates nothing, and each call
 * returns the same object. Where it does allocate, one object is kept until the process ends. */
static locale_t c_locale(void)
{
    static _Atomic(locale_t) kept;
    locale_t found = kept;
    if (found != (locale_t)0)
        return found;
    locale_t none = (locale_t)0, made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (made == (locale_t)0 || atomic_compare_exchange_strong(&kept, &none, made))
        return made;
    freelocale(made);
    return none;
}

static Locale enter_c(void)
{
    return uselocale(c_locale());
}

static void leave_c(const Locale *before)
{
    uselocale(*before);
}

#endif

/* -- reading and writing ----------------------------------------------------------------------- */

double number_read(const char *text, char **end)
{
    const Locale before = enter_c();
    double value = strtod(text, end);
    leave_c(&before);
    return value;
}

int number_vprint(char *text, size_t size, const char *format, va_list arguments)
{
    const Locale before = enter_c();
    int length = vsnprintf(text, size, format, arguments);
    leave_c(&before);
    return length;
}

int number_print(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = number_vprint(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int number_fprint(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Locale before = enter_c();
    int length = vfprintf(stream, format, arguments);
    leave_c(&before);
    va_end(arguments);
    return length;
}

const char *english_words(char *(*words)(int), int number)
{
    const Locale before = enter_c();
    const char *text = words(number);
    leave_c(&before);
    return text;
}

bool number_read_decimal(const char *text, double *value)
{
    char *end;
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    *value = number_read(text, &end);
    return *end == '\0';
}

void number_shortest(double value, char text[NUMBER_TEXT])
{
    for (int digits = 6; digits <= 17; digits++) {
        number_print(text, NUMBER_TEXT, "%.*g", digits, value);
        if (number_read(text, NULL) == value)
            return;
    }
}

void number_shortest_float(float value, char text[NUMBER_TEXT])
{
    for (int digits = 6; digits <= 9; digits++) {
        number_print(text, NUMBER_TEXT, "%.*g", digits, (double)value);
        if ((float)number_read(text, NULL) == value)
            return;
    }
}
