/* SPDX-License-Identifier: MIT
 *
 * "Did you mean ...?": the nearest of some known names. */
#ifndef SCENE_SCENE_SUGGEST_H
#define SCENE_SCENE_SUGGEST_H

#include <stdbool.h>

/* Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other;
 * letter case does not count. Words longer than 31 bytes are far from everything: returns 1000. */
int scene_suggest_distance(const char *from, const char *to);

/* Whether that distance is small enough, for the words' length, for a slip of the finger. */
bool scene_suggest_near(const char *from, const char *to, int *distance);

/* Whether the word may be short for the name: begins alike, and has its other letters in their
 * order, as 'cg' does for 'conjugate_gradients'. */
bool scene_suggest_short(const char *word, const char *name);

#endif
