/* SPDX-License-Identifier: MIT */
#include "scene/scene_value.h"

#include "base/mathematics.h"
#include "base/number.h"
#include "base/parameter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Suggestions: finding the known name nearest to an unknown one. */

enum { LONGEST = 31, FAR = 1000 };
enum { KNOWN_MAX = 64 }; /* more names than any group has */

static bool same(char a, char b)
{
    return ascii_lower(a) == ascii_lower(b);
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
    /* d[i][j]: edit distance from the first i letters of one word to the first j letters of the
     * other (Damerau 1964, in the restricted form that edits no substring twice). */
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

bool scene_suggest(SceneSuggestion *suggestion, const char *name)
{
    int distance;
    bool nearer = scene_suggest_near(suggestion->word, name, &distance) &&
                  (suggestion->best == NULL || distance < suggestion->distance);
    if (nearer) {
        suggestion->best = name;
        suggestion->distance = distance;
    }
    return nearer;
}

/* The path of the key, in any group of the scene, whose last name is most similar to `name`; NULL
 * if there is none or more than one. Less than a third of the letters may differ. With so many
 * names, some short name is similar to almost any word. */
static const char *found_elsewhere(const char *name)
{
    const char *found = NULL;
    int least = 1000;
    for (int row = 0; row < scene_keys()->count; row++) {
        const char *path = scene_keys()->rows[row].path;
        int distance;
        if (!scene_suggest_near(name, scene_keys_last_name(path), &distance) || distance > least ||
            3 * distance >= (int)strlen(name))
            continue;
        found = distance < least ? path : NULL;
        least = distance;
    }
    return found;
}

void scene_suggest_key(const SceneKeyTable *table, const char *group, const char *name, char *text,
                       size_t size)
{
    char known[KNOWN_MAX][SCENE_KEYS_NAME_SIZE];
    int count = scene_keys_children(table, group, known, KNOWN_MAX);
    SceneSuggestion suggestion = {.word = name};
    for (int i = 0; i < count; i++)
        scene_suggest(&suggestion, known[i]);
    const char *nearest = suggestion.best != NULL ? suggestion.best : found_elsewhere(name);
    if (nearest != NULL) {
        snprintf(text, size, "did you mean '%s'?", nearest);
        return;
    }
    size_t length = (size_t)snprintf(text, size, "known are: ");
    for (int i = 0; i < count && length < size; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", known[i]);
}

size_t scene_key_bytes(const SceneKey *key)
{
    if (key->type == SCENE_KEY_CELLS)
        return 3 * sizeof(int);
    return key->type < SCENE_KEY_CELLS ? parameter_bytes((BillowType)key->type) : 0;
}

bool scene_keys_equal(const SceneKey *key, const void *one, const void *other)
{
    const char *a = (const char *)one + key->offset, *b = (const char *)other + key->offset;
    return scene_key_is_text(key) ? strcmp(a, b) == 0 : memcmp(a, b, scene_key_bytes(key)) == 0;
}

void scene_keys_copy(const SceneKey *key, const void *from, void *to)
{
    const char *a = (const char *)from + key->offset;
    memcpy((char *)to + key->offset, a,
           scene_key_is_text(key) ? strlen(a) + 1 : scene_key_bytes(key));
}

/* -- rotations: a quaternion as an axis and an angle ------------------------------------------- */

void scene_rotation_read(const double turn[4], float q[4])
{
    double length = 0;
    for (int axis = 0; axis < 3; axis++)
        length += turn[axis] * turn[axis];
    double sine = math_sin(0.5 * turn[3] * DEGREE) / sqrt(length);
    for (int axis = 0; axis < 3; axis++)
        q[axis] = (float)(turn[axis] * sine);
    q[3] = (float)math_cos(0.5 * turn[3] * DEGREE);
}

/* Rounds to the nearest float within the key's range. */
static float to_float(const SceneKey *key, double number)
{
    float value = (float)number;
    if ((double)value > key->maximum)
        return nextafterf(value, -INFINITY);
    return (double)value < key->minimum ? nextafterf(value, INFINITY) : value;
}

bool scene_keys_put(const SceneKey *key, const double *numbers, int count, void *base)
{
    void *at = (char *)base + key->offset;
    const int parts = key->type == SCENE_KEY_FLOAT ? 1 : 3;
    switch (key->type) {
    case SCENE_KEY_DOUBLE:
        *(double *)at = numbers[0];
        return true;
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
    case SCENE_KEY_COLOR:
        for (int part = 0; part < parts; part++)
            ((float *)at)[part] = to_float(key, numbers[count > 1 ? part : 0]);
        return true;
    case SCENE_KEY_ROTATION:
        if (!(numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2] > 0))
            return false;
        scene_rotation_read(numbers, at);
        return true;
    default:
        return false;
    }
}

/* Half the gap from a float to the next float, upwards or downwards in magnitude. Numbers within
 * this distance round to `value`. The result is slightly smaller than half, because later
 * arithmetic rounds too. */
static double reach(float value, bool up)
{
    float next = nextafterf(fabsf(value), up ? INFINITY : 0);
    return 0.49999999 * fabs((double)next - (double)fabsf(value));
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Moves the vector part of q within the box of vectors that round to the same floats. share: from
 * -1, for the shortest of these vectors, to 1, for the longest. */
static void move(const float q[4], double share, double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double most = q[axis] == 0.0f ? 0 : reach(q[axis], share > 0);
        v[axis] = copysign(fabs((double)q[axis]) + share * most, (double)q[axis]);
    }
}

/* Half of the rotation angle, radians. q was rounded, so its length is not exactly 1, and sine and
 * cosine may give different angles. The vectors that round to the vector part of q have lengths,
 * and thus sines, from low to high. The numbers that round to the scalar part are the possible
 * cosines. The result is in the middle of the angles that both allow. If they allow no common
 * angle, the result is the middle of the narrower range. */
static double half_angle(const float q[4], double low, double high)
{
    double w = (double)q[3], size = fabs(w), pi = MATH_PI;
    double from = math_acos(fmin(size + reach(q[3], true), 1)),
           to = math_acos(size - reach(q[3], false));
    double first = math_asin(fmin(low, 1)), last = math_asin(fmin(high, 1));
    double angle = size < 0.7 ? 0.5 * (from + to) : 0.5 * (first + last);
    if (fmax(from, first) <= fmin(to, last))
        angle = 0.5 * (fmax(from, first) + fmin(to, last));
    return w < 0 ? pi - angle : angle;
}

void scene_rotation_turn(const float q[4], double turn[4])
{
    double v[3], low, high, below = -1, above = 1;
    move(q, -1, v);
    low = length_of(v);
    move(q, 1, v);
    high = length_of(v);
    if (!(high > 0)) { /* no rotation: use the signs of the zeros for the axis */
        for (int axis = 0; axis < 3; axis++)
            turn[axis] = signbit(q[axis]) ? -1 : 1;
        turn[3] = q[3] < 0 ? 360 : 0;
        return;
    }
    double angle = half_angle(q, low, high), sine = math_sin(angle);
    for (int halving = 0; halving < 60; halving++) {
        double middle = 0.5 * (below + above);
        move(q, middle, v);
        *(length_of(v) < sine ? &below : &above) = middle;
    }
    /* Scale the axis to length 1, which is easier to read. */
    for (int axis = 0; axis < 3; axis++)
        turn[axis] = v[axis] / length_of(v);
    turn[3] = 2 * angle / DEGREE;
}

/* Rounds `turn` to a number of digits. Returns whether `scene_rotation_read` still computes q from
 * the result. */
static bool enough(const float q[4], const double turn[4], int digits, char text[4][NUMBER_TEXT])
{
    double rounded[4];
    float back[4];
    for (int part = 0; part < 4; part++) {
        number_print(text[part], NUMBER_TEXT, "%.*g", digits, turn[part]);
        rounded[part] = number_read(text[part], NULL);
    }
    if (rounded[0] == 0 && rounded[1] == 0 && rounded[2] == 0)
        return false;
    scene_rotation_read(rounded, back);
    return memcmp(back, q, sizeof back) == 0;
}

static void format_rotation(const float q[4], char *text, size_t size)
{
    static const float none[4] = {0, 0, 0, 1};
    char parts[4][NUMBER_TEXT];
    double turn[4];
    if (memcmp(q, none, sizeof none) == 0) {
        snprintf(text, size, "[0, 1, 0, 0]");
        return;
    }
    scene_rotation_turn(q, turn);
    for (int digits = 6; digits <= 17; digits++)
        if (enough(q, turn, digits, parts))
            break;
    snprintf(text, size, "[%s, %s, %s, %s]", parts[0], parts[1], parts[2], parts[3]);
}

/* -- text -------------------------------------------------------------------------------------- */

static void format_floats(const float value[3], bool one_for_all, char *text, size_t size)
{
    char part[3][NUMBER_TEXT];
    for (int axis = 0; axis < 3; axis++)
        number_shortest_float(value[axis], part[axis]);
    if (one_for_all && memcmp(value, value + 1, 2 * sizeof *value) == 0)
        snprintf(text, size, "%s", part[0]);
    else
        snprintf(text, size, "[%s, %s, %s]", part[0], part[1], part[2]);
}

/* Writes a text in double quotes, and escapes quotes and backslashes in it. */
static void format_text(const char *value, char *text, size_t size)
{
    size_t length = 0;
    text[length++] = '"';
    for (const char *c = value; *c != '\0' && length + 3 < size; c++) {
        if (*c == '"' || *c == '\\')
            text[length++] = '\\';
        text[length++] = *c;
    }
    text[length++] = '"';
    text[length] = '\0';
}

bool scene_keys_format(const SceneKey *key, const void *base, char *text, size_t size)
{
    const void *at = (const char *)base + key->offset;
    const int *cells = at;
    char number[NUMBER_TEXT];
    int word;
    switch (key->type) {
    case SCENE_KEY_FLOAT:
        number_shortest_float(*(const float *)at, number);
        snprintf(text, size, "%s", number);
        return true;
    case SCENE_KEY_DOUBLE:
        number_shortest(*(const double *)at, number);
        snprintf(text, size, "%s", number);
        return true;
    case SCENE_KEY_INT:
        snprintf(text, size, "%d", *(const int *)at);
        return true;
    case SCENE_KEY_SEED:
        snprintf(text, size, "%lu", (unsigned long)*(const uint32_t *)at);
        return true;
    case SCENE_KEY_BOOL:
        snprintf(text, size, "%s", *(const bool *)at ? "true" : "false");
        return true;
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_COLOR:
    case SCENE_KEY_SIZE:
        format_floats(at, key->type == SCENE_KEY_SIZE, text, size);
        return true;
    case SCENE_KEY_ROTATION:
        format_rotation(at, text, size);
        return true;
    case SCENE_KEY_CELLS:
        snprintf(text, size, cells[1] == 0 ? "%d" : "[%d, %d, %d]", cells[0], cells[1], cells[2]);
        return true;
    case SCENE_KEY_CHOICE:
        memcpy(&word, at, sizeof word);
        snprintf(text, size, "%s", key->choices[word]);
        return true;
    case SCENE_KEY_NAME:
    case SCENE_KEY_TEXT:
        format_text(at, text, size);
        return true;
    default: /* a list, a group or a form */
        return false;
    }
}

void scene_keys_allowed(const SceneKey *key, char *text, size_t size)
{
    const char *const *choices = key->choices;
    if (choices != NULL) {
        size_t length = 0;
        text[0] = '\0';
        for (int i = 0; choices[i] != NULL && length < size; i++) {
            const char *join = i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ";
            length += (size_t)snprintf(text + length, size - length, "%s%s", join, choices[i]);
        }
    } else if (key->type == SCENE_KEY_BOOL) {
        snprintf(text, size, "true or false");
    } else if (scene_key_is_text(key)) {
        number_print(text, size, "%g to %g bytes", key->minimum, key->maximum);
    } else {
        number_print(text, size, "%.10g to %.10g%s%s", key->minimum, key->maximum,
                     key->unit[0] != '\0' ? " " : "", key->unit);
    }
}

/* -- ramps ---------------------------------------------------------------------------------------
 */

RenderRamp *scene_ramp(const SceneList *list, Scene *scene)
{
    switch (list->type) {
    case SCENE_KEY_SMOKE_RAMP:
        return &scene->render.smoke_ramp;
    case SCENE_KEY_FIRE_RAMP:
        return &scene->render.fire_ramp;
    default:
        return NULL;
    }
}

static const RenderRampPreset *preset(const SceneList *list, int index)
{
    return render_ramp_preset(list->type == SCENE_KEY_FIRE_RAMP, index);
}

bool scene_ramp_name(const SceneList *list, const char *word, Scene *scene)
{
    RenderRamp *ramp = scene_ramp(list, scene);
    if (strcmp(word, "off") == 0) {
        ramp->stop_count = 0;
        return true;
    }
    for (int p = 0; preset(list, p) != NULL; p++)
        if (strcmp(word, preset(list, p)->name) == 0) {
            ramp->stop_count = preset(list, p)->stop_count;
            memcpy(ramp->stops, preset(list, p)->stops, sizeof ramp->stops);
            return true;
        }
    return false;
}

void scene_ramp_words(const SceneList *list, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "off");
    for (int p = 0; preset(list, p) != NULL && length < size; p++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s",
                             preset(list, p + 1) != NULL ? ", " : " or ", preset(list, p)->name);
}

/* The word that names the ramp; NULL: none does. */
static const char *word_of(const SceneList *list, const RenderRamp *ramp)
{
    if (ramp->stop_count == 0)
        return "off";
    for (int p = 0; preset(list, p) != NULL; p++)
        if (ramp->stop_count == preset(list, p)->stop_count &&
            memcmp(ramp->stops, preset(list, p)->stops,
                   (size_t)ramp->stop_count * sizeof ramp->stops[0]) == 0)
            return preset(list, p)->name;
    return NULL;
}

void scene_ramp_format(const SceneList *list, const Scene *scene, char *text, size_t size)
{
    const RenderRamp *ramp = scene_ramp(list, (Scene *)scene); /* only read */
    const char *word = word_of(list, ramp);
    if (word != NULL) {
        snprintf(text, size, "%s", word);
        return;
    }
    const SceneKey *at = scene_keys_find(scene_stop_keys(), "at"),
                   *color = scene_keys_find(scene_stop_keys(), "color");
    size_t length = 0;
    for (int s = 0; s < ramp->stop_count && length < size; s++) {
        char place[32], rgb[96];
        scene_keys_format(at, &ramp->stops[s], place, sizeof place);
        scene_keys_format(color, &ramp->stops[s], rgb, sizeof rgb);
        length +=
            (size_t)snprintf(text + length, size - length, "%s{at: %s, color: %s}%s",
                             s == 0 ? "[" : ", ", place, rgb, s + 1 == ramp->stop_count ? "]" : "");
    }
}
