/* SPDX-License-Identifier: MIT */
#include "scene_suggest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 31, FAR = 1000 };

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int scene_suggest_distance(const char *from, const char *to)
{
    size_t rows = strlen(from), columns = strlen(to);
    if (rows > LONGEST || columns > LONGEST)
        return FAR;
    /* d[i][j]: from the first i letters of one to the first j of the other (Damerau 1964, in the
     * form that edits no part twice). */
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++) {
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            int replaced = d[i - 1][j - 1] + (same(from[i - 1], to[j - 1]) ? 0 : 1);
            d[i][j] = least(replaced, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

bool scene_suggest_short(const char *word, const char *name)
{
    if (word[0] == '\0' || !same(word[0], name[0]))
        return false;
    for (; *word != '\0' && *name != '\0'; name++)
        word += same(*word, *name);
    return *word == '\0';
}

bool scene_suggest_near(const char *from, const char *to, int *distance)
{
    size_t longer = strlen(from) > strlen(to) ? strlen(from) : strlen(to);
    *distance = scene_suggest_distance(from, to);
    return *distance <= (int)((longer + 1) / 3);
}
