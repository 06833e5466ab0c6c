/* SPDX-License-Identifier: MIT
 *
 * Values of keys: comparing them, copying them and writing them as text. Suggestions for unknown
 * names. */
#ifndef SCENE_SCENE_VALUE_H
#define SCENE_SCENE_VALUE_H

#include "scene/scene_keys.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Size of a value, bytes; 0 for texts, which end with a 0, and for lists. */
size_t scene_key_bytes(const SceneKey *key);

/* Whether a key has the same value in two scenes, entries or forms. The key must not be a list. */
bool scene_keys_equal(const SceneKey *key, const void *one, const void *other);

/* Copies a key's value from one scene, entry or form to another. The key must not be a list. */
void scene_keys_copy(const SceneKey *key, const void *from, void *to);

/* Sets the value at base + offset of a key of floats, of a double or of a rotation to numbers in
 * its range, rounded to the nearest floats in it. count: of the numbers; 1 sets all parts. Returns
 * false for a rotation about an axis of length 0, and for other keys. */
bool scene_keys_put(const SceneKey *key, const double *numbers, int count, void *base);

/* Writes the value at base + offset as text for a scene file. Reading it gives the same bits.
 * Returns false for lists, groups and forms. */
bool scene_keys_format(const SceneKey *key, const void *base, char *text, size_t size);

/* Describes the allowed values of a key: "0 to 100 1/s", "true or false", "open or closed". */
void scene_keys_allowed(const SceneKey *key, char *text, size_t size);

/* Computes the unit quaternion q = (axis sin(angle / 2), cos(angle / 2)). turn: an axis of any
 * length except 0, then the angle in degrees. */
void scene_rotation_read(const double turn[4], float q[4]);

/* Finds an axis and an angle in degrees from which `scene_rotation_read` computes the same bits as
 * q. If `scene_rotation_read` cannot give q exactly, finds the nearest rotation. */
void scene_rotation_turn(const float q[4], double turn[4]);

/* -- suggestions ------------------------------------------------------------------------------- */

/* Number of insertions, deletions, substitutions and swaps of adjacent letters that turn one word
 * into the other, ignoring case. 1000 if a word is longer than 31 bytes. */
int scene_suggest_distance(const char *from, const char *to);

/* Whether two words differ so little that one may be a typing error for the other. *distance:
 * receives `scene_suggest_distance`. */
bool scene_suggest_near(const char *from, const char *to, int *distance);

/* The name nearest to a word, of those that were offered. */
typedef struct SceneSuggestion {
    const char *word;
    const char *best; /* NULL: no name is similar so far */
    int distance;     /* edit distance of best */
} SceneSuggestion;
/* Offers a name. Returns whether it is the nearest so far. */
bool scene_suggest(SceneSuggestion *suggestion, const char *name);

/* Whether a word may abbreviate a name: both start with the same letter, and the word's other
 * letters occur in the name in the same order. Example: "cg" and "conjugate_gradients". */
bool scene_suggest_short(const char *word, const char *name);

/* Completes the message "key 'x' is not known here; " with the key that was probably meant, or with
 * all keys of the group. */
void scene_suggest_key(const SceneKeyTable *table, const char *group, const char *name, char *text,
                       size_t size);

/* -- ramps -------------------------------------------------------------------------------------
 *
 * What the lists of a ramp's stops have beyond other lists: words that name whole ramps, an order,
 * and a form as one line. */

/* The ramp of a scene whose stops the list holds; NULL for other lists. */
RenderRamp *scene_ramp(const SceneList *list, Scene *scene);

/* Sets a ramp to the one that a word names; "off" removes its stops. Returns false if no ramp has
 * that name. */
bool scene_ramp_name(const SceneList *list, const char *word, Scene *scene);

/* Lists the words: "off, ink, ice, toxic, sunset or ash". */
void scene_ramp_words(const SceneList *list, char *text, size_t size);

/* Writes a ramp as `--set` takes it: a word, or "[{at: 0, color: [1, 1, 1]}, ...]". */
void scene_ramp_format(const SceneList *list, const Scene *scene, char *text, size_t size);

#endif
