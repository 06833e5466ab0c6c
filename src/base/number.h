/* SPDX-License-Identifier: MIT
 *
 * Numbers as text, with a decimal point whatever locale the program around the library has set, and
 * the words of the system in English. The standard library's strtod, printf, strerror and letter
 * cases follow the locale, so that after setlocale(LC_ALL, "de_DE.UTF-8") strtod reads "1.5" as 1.
 * Files, messages and keys of scenes are read and written by these functions instead. They change
 * neither the locale of the program nor that of the thread. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define NUMBER_FORMAT(at, first) __attribute__((format(printf, at, first)))
#else
#define NUMBER_FORMAT(at, first)
#endif

/* Bytes for the text of any number, with its final 0. */
enum { NUMBER_TEXT = 32 };

/* strtod, snprintf, vsnprintf and fprintf of the locale "C". */
double number_read(const char *text, char **end);
int number_print(char *text, size_t size, const char *format, ...) NUMBER_FORMAT(3, 4);
int number_vprint(char *text, size_t size, const char *format, va_list arguments)
    NUMBER_FORMAT(3, 0);
int number_fprint(FILE *stream, const char *format, ...) NUMBER_FORMAT(2, 3);

/* Reads a whole text as a decimal number. Returns false, and leaves `value` undefined, if the text
 * is anything else: empty, hexadecimal, "inf" or "nan", or has blanks. A number too large for a
 * double gives infinity. */
bool number_read_decimal(const char *text, double *value);

/* Writes a finite number with the fewest digits, at least 6 where they are not zeros, that read
 * back to the same bits. */
void number_shortest(double value, char text[NUMBER_TEXT]);
void number_shortest_float(float value, char text[NUMBER_TEXT]);

/* What a function such as strsignal says of a number in the locale "C", which is English. */
const char *english_words(char *(*words)(int), int number);

/* strerror of the locale "C". */
static inline const char *english_error(int reason)
{
    return english_words(strerror, reason);
}

/* The lower case of an ASCII letter; other bytes as they are. In a Turkish locale tolower may give
 * other letters. */
static inline char ascii_lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

#endif
