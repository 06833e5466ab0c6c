/* SPDX-License-Identifier: MIT */
#include "obj_text.h"

#include "fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COORDINATE_MAX 1e6

typedef struct Cleaner {
    const char *at, *end;
    size_t line, vertices, faces;
    long largest; /* of the vertices that faces have, */
    size_t largest_line;
    char *out;
    size_t used, room;
    BillowError *error;
} Cleaner;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Over blanks, and over a line's end that a backslash takes back. */
static void skip_blanks(Cleaner *cleaner)
{
    for (;;) {
        const char *at = cleaner->at;
        if (at < cleaner->end && is_blank(*at)) {
            cleaner->at++;
        } else if (at + 1 < cleaner->end && at[0] == '\\' &&
                   (at[1] == '\n' || (at[1] == '\r' && at + 2 < cleaner->end && at[2] == '\n'))) {
            cleaner->at += at[1] == '\n' ? 2 : 3;
            cleaner->line++;
        } else {
            return;
        }
    }
}

/* The next word of the line; empty at its end. */
static size_t next_word(Cleaner *cleaner, const char **word)
{
    skip_blanks(cleaner);
    *word = cleaner->at;
    while (cleaner->at < cleaner->end && !is_blank(*cleaner->at) && *cleaner->at != '\n' &&
           *cleaner->at != '\0' && *cleaner->at != '#')
        cleaner->at++;
    return (size_t)(cleaner->at - *word);
}

static void skip_line(Cleaner *cleaner)
{
    const char *end = memchr(cleaner->at, '\n', (size_t)(cleaner->end - cleaner->at));
    cleaner->at = end != NULL ? end + 1 : cleaner->end;
    cleaner->line++;
}

static bool refuse(Cleaner *cleaner, const char *what)
{
    return fail(cleaner->error, "line %zu: %s", cleaner->line, what);
}

static bool put(Cleaner *cleaner, const char *text, size_t length)
{
    if (cleaner->used + length + 1 > cleaner->room) {
        size_t room = 2 * cleaner->room + length + 4096;
        char *out = realloc(cleaner->out, room);
        if (out == NULL)
            return fail(cleaner->error, "not enough memory to read it");
        cleaner->out = out;
        cleaner->room = room;
    }
    memcpy(cleaner->out + cleaner->used, text, length);
    cleaner->used += length;
    cleaner->out[cleaner->used] = '\0';
    return true;
}

/* A copy of a word that ends in a 0; false where it is too long for a number. */
static bool copy_word(const char *word, size_t length, char copy[64])
{
    if (length == 0 || length >= 64)
        return false;
    memcpy(copy, word, length);
    copy[length] = '\0';
    return true;
}

static bool clean_vertex(Cleaner *cleaner)
{
    char line[160] = "v";
    size_t used = 1;
    for (int axis = 0; axis < 3; axis++) {
        const char *word;
        char number[64], *end = number;
        size_t length = next_word(cleaner, &word);
        double value =
            copy_word(word, length, number) && number[strspn(number, "0123456789+-.eE")] == '\0'
                ? strtod(number, &end)
                : 0;
        if (end == number || *end != '\0')
            return refuse(cleaner, "a vertex needs three numbers");
        if (!(value >= -COORDINATE_MAX && value <= COORDINATE_MAX))
            return refuse(cleaner, "a vertex's coordinates must lie within 1e6");
        used += (size_t)snprintf(line + used, sizeof line - used, " %.9g", value);
    }
    line[used++] = '\n';
    cleaner->vertices++;
    return put(cleaner, line, used);
}

/* "7", "7/1", "7//3", "-1": only the vertex counts. */
static bool clean_corner(Cleaner *cleaner, const char *word, size_t length)
{
    char number[64], line[32], *end;
    if (!copy_word(word, length, number))
        return refuse(cleaner, "a face's corners must be numbers of vertices");
    number[strcspn(number, "/")] = '\0';
    long index = strtol(number, &end, 10);
    if (end == number || *end != '\0')
        return refuse(cleaner, "a face's corners must be numbers of vertices");
    long count = (long)cleaner->vertices;
    long from_one = index < 0 ? (index >= -count ? count + 1 + index : 0) : index;
    if (from_one < 1)
        return fail(cleaner->error, "line %zu: a face has the vertex %ld, and %ld stand before it",
                    cleaner->line, index, count);
    if (from_one > cleaner->largest) {
        cleaner->largest = from_one;
        cleaner->largest_line = cleaner->line;
    }
    return put(cleaner, line, (size_t)snprintf(line, sizeof line, " %ld", from_one));
}

static bool clean_face(Cleaner *cleaner)
{
    if (!put(cleaner, "f", 1))
        return false;
    int corners = 0;
    const char *word;
    for (size_t length; (length = next_word(cleaner, &word)) > 0; corners++) {
        if (corners == OBJ_CORNERS_MAX)
            return fail(cleaner->error, "line %zu: a face has more than %d corners", cleaner->line,
                        OBJ_CORNERS_MAX);
        if (!clean_corner(cleaner, word, length))
            return false;
    }
    if (corners < 3)
        return refuse(cleaner, "a face needs three corners or more");
    cleaner->faces++;
    return put(cleaner, "\n", 1);
}

static bool clean_line(Cleaner *cleaner)
{
    const char *word;
    size_t length = next_word(cleaner, &word);
    bool good = true;
    if (length == 1 && word[0] == 'v')
        good = clean_vertex(cleaner);
    else if (length == 1 && word[0] == 'f')
        good = clean_face(cleaner);
    skip_line(cleaner);
    return good;
}

char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error)
{
    Cleaner cleaner = {.at = text, .end = text + length, .line = 1, .error = error};
    bool good = put(&cleaner, "", 0);
    while (good && cleaner.at < cleaner.end)
        good = clean_line(&cleaner);
    if (good && cleaner.largest > (long)cleaner.vertices)
        good = fail(error, "line %zu: a face has the vertex %ld, and there are %zu",
                    cleaner.largest_line, cleaner.largest, cleaner.vertices);
    if (!good) {
        free(cleaner.out);
        return NULL;
    }
    *faces = cleaner.faces;
    return cleaner.out;
}
