/* SPDX-License-Identifier: MIT */
#include "scene/scene_timeline.h"

#include "base/fail.h"
#include "base/number.h"
#include "scene/scene_bind.h"
#include "scene/scene_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- values at a time --------------------------------------------------------------- */

static double secant(const SceneTrack *track, int at, int part)
{
    double rise = (double)track->values[at + 1][part] - (double)track->values[at][part];
    return rise / (track->times[at + 1] - track->times[at]);
}

/* Slope at a moment. It is 0 at both ends and at moments at which the values turn back. Otherwise
 * it is the weighted harmonic mean of the secants' slopes, which keeps each cubic between the
 * values at its ends (Fritsch and Butland 1984). */
static double slope(const SceneTrack *track, int at, int part)
{
    if (at == 0 || at == track->count - 1)
        return 0;
    double before = secant(track, at - 1, part), after = secant(track, at, part);
    if (before * after <= 0)
        return 0;
    double left = track->times[at] - track->times[at - 1];
    double right = track->times[at + 1] - track->times[at];
    double first = 2 * right + left, second = right + 2 * left;
    return (first + second) / (first / before + second / after);
}

int scene_track_of(const Scene *scene, const char *key)
{
    int track = 0;
    while (track < scene->track_count && strcmp(scene->tracks[track].key, key) != 0)
        track++;
    return track < scene->track_count ? track : -1;
}

double scene_track_value(const SceneTrack *track, double time, int part)
{
    int at = 0, last = track->count - 1;
    if (time <= track->times[0] || last == 0)
        return (double)track->values[0][part];
    if (time >= track->times[last])
        return (double)track->values[last][part];
    while (time >= track->times[at + 1])
        at++;
    double span = track->times[at + 1] - track->times[at], u = (time - track->times[at]) / span;
    double from = (double)track->values[at][part], to = (double)track->values[at + 1][part];
    if (!track->smooth)
        return from + u * (to - from);
    double step = u * u * (3 - 2 * u), v = 1 - u;
    double value = from + step * (to - from) + span * u * v * v * slope(track, at, part) -
                   span * u * u * v * slope(track, at + 1, part);
    return fmin(fmax(value, fmin(from, to)), fmax(from, to)); /* against rounding errors */
}

void scene_track_values(const SceneTrack *track, double time, double values[4])
{
    char text[32];
    for (int part = 0; part < 4; part++) {
        double value = part < track->parts ? scene_track_value(track, time, part) : 0;
        number_print(text, sizeof text, "%.9g", value);
        values[part] = number_read(text, NULL);
    }
}

/* -- reading ------------------------------------------------------------------------------- */

typedef struct Reader {
    const SceneSource *source;
    yaml_document_t *document;
} Reader;

static bool refuse(const Reader *reader, const yaml_node_t *node, const char *label,
                   const char *must)
{
    char found[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote(node, found);
    return scene_yaml_fail(reader->source, &node->start_mark, "'%s' must be %s, not %s", label,
                           must, found);
}

static bool read_number(const yaml_node_t *node, double *number)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    const char *text = (const char *)node->data.scalar.value;
    return number_read_decimal(text, number) && isfinite(*number);
}

/* Reads a number, or a list of up to four numbers. Returns how many numbers it read; 0 if the node
 * is neither. */
static int read_value(const Reader *reader, const yaml_node_t *node, float value[4])
{
    double number;
    int count = scene_yaml_count(node);
    if (count < 0) {
        bool good = read_number(node, &number);
        value[0] = good ? (float)number : 0;
        return good;
    }
    for (int part = 0; part < count; part++) {
        if (part >= 4 || !read_number(scene_yaml_item(reader->document, node, part), &number))
            return 0;
        value[part] = (float)number;
    }
    return count;
}

static bool bind_moment(const Reader *reader, const yaml_node_t *node, const char *label,
                        SceneTrack *track)
{
    static const char must[] = "a moment [seconds, value], such as [1.5, 8] or [1.5, [0, 1, 0]]";
    int at = track->count;
    double *time = &track->times[at];
    if (scene_yaml_count(node) != 2 ||
        !read_number(scene_yaml_item(reader->document, node, 0), time))
        return refuse(reader, node, label, must);
    int parts = read_value(reader, scene_yaml_item(reader->document, node, 1), track->values[at]);
    if (parts == 0)
        return refuse(reader, node, label, must);
    const yaml_mark_t *mark = &node->start_mark;
    if (!(*time >= 0 && *time <= 1e9))
        return scene_yaml_fail(reader->source, mark,
                               "'%s' is at %g s; moments lie between 0 and 1e+09 s", label, *time);
    if (at > 0 && *time <= track->times[at - 1])
        return scene_yaml_fail(reader->source, mark,
                               "'%s' is at %g s, which is not after the %g s of the moment before",
                               label, *time, track->times[at - 1]);
    if (at > 0 && parts != track->parts)
        return scene_yaml_fail(reader->source, mark,
                               "'%s' holds %d number%s, and the moment before holds %d", label,
                               parts, parts == 1 ? "" : "s", track->parts);
    track->parts = parts;
    track->count++;
    return true;
}

static bool bind_values(const Reader *reader, const yaml_node_t *node, const char *label,
                        SceneTrack *track)
{
    int count = scene_yaml_count(node);
    if (count == 0)
        return scene_yaml_fail(reader->source, &node->start_mark,
                               "'%s' is empty; it needs at least one moment, such as [1.5, 8]",
                               label);
    if (count < 0)
        return refuse(reader, node, label, "a list of moments [seconds, value]");
    if (count > SCENE_MOMENTS_MAX)
        return scene_yaml_fail(reader->source, &node->start_mark,
                               "'%s' has %d moments; at most %d fit", label, count,
                               SCENE_MOMENTS_MAX);
    track->count = 0;
    for (int m = 0; m < count; m++) {
        char moment[80];
        snprintf(moment, sizeof moment, "%.60s[%d]", label, m);
        if (!bind_moment(reader, scene_yaml_item(reader->document, node, m), moment, track))
            return false;
    }
    return true;
}

static bool check_names(const Reader *reader, const yaml_node_t *mapping)
{
    const yaml_node_pair_t *end = mapping->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < end; pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const char *text =
            key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "";
        char found[SCENE_YAML_QUOTE_SIZE];
        scene_yaml_quote(key, found);
        if (strcmp(text, "key") != 0 && strcmp(text, "mode") != 0 && strcmp(text, "values") != 0)
            return scene_yaml_fail(reader->source, &key->start_mark,
                                   "key %s is not known here; known are: key, mode, values", found);
    }
    return true;
}

static bool bind_track(const Reader *reader, const yaml_node_t *node, const char *label,
                       SceneTrack *track)
{
    *track = (SceneTrack){.smooth = true};
    if (node->type != YAML_MAPPING_NODE)
        return refuse(reader, node, label, "a group of keys");
    if (!check_names(reader, node))
        return false;
    const yaml_node_t *key = scene_yaml_value(reader->document, node, "key"),
                      *mode = scene_yaml_value(reader->document, node, "mode");
    const yaml_node_t *values = scene_yaml_value(reader->document, node, "values");
    if (key == NULL || values == NULL)
        return scene_yaml_fail(reader->source, &node->start_mark, "'%s' needs a key and its values",
                               label);
    char part[48];
    snprintf(part, sizeof part, "%s.key", label);
    if (key->type != YAML_SCALAR_NODE || key->data.scalar.length == 0 ||
        key->data.scalar.length >= sizeof track->key ||
        strchr((const char *)key->data.scalar.value, '=') != NULL)
        return refuse(reader, key, part, "a key of the scene, such as solver.vorticity");
    snprintf(track->key, sizeof track->key, "%s", (const char *)key->data.scalar.value);
    snprintf(part, sizeof part, "%s.mode", label);
    if (mode != NULL) {
        const char *text =
            mode->type == YAML_SCALAR_NODE ? (const char *)mode->data.scalar.value : "";
        track->smooth = strcmp(text, "smooth") == 0;
        if (!track->smooth && strcmp(text, "linear") != 0)
            return refuse(reader, mode, part, "smooth or linear");
    }
    snprintf(part, sizeof part, "%s.values", label);
    return bind_values(reader, values, part, track);
}

/* The row of a track's key, if only older scene files have it; else NULL. */
static const SceneGone *gone_key(yaml_document_t *document, const yaml_node_t *track)
{
    const yaml_node_t *key = scene_yaml_value(document, track, "key");
    return scene_keys_gone(scene_keys(), (const char *)key->data.scalar.value);
}

/* Leaves out tracks of keys that are gone. */
bool scene_tracks_read(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *node, Scene *scene)
{
    const Reader reader = {source, document};
    int count = scene_yaml_count(node);
    if (count < 0)
        return refuse(&reader, node, "timeline", "a list of tracks");
    if (count > SCENE_TRACKS_MAX)
        return scene_yaml_fail(source, &node->start_mark,
                               "'timeline' has %d entries; at most %d fit", count,
                               SCENE_TRACKS_MAX);
    int kept = 0;
    for (int t = 0; t < count; t++) {
        const yaml_node_t *item = scene_yaml_item(document, node, t);
        char label[32];
        snprintf(label, sizeof label, "timeline[%d]", t);
        if (!bind_track(&reader, item, label, &scene->tracks[kept]))
            return false;
        const SceneGone *gone = gone_key(document, item);
        if (gone != NULL)
            scene->gone = gone->notice;
        else
            kept++;
    }
    scene->track_count = kept;
    return true;
}

/* -- applying and checking --------------------------------------------------------------------- */

bool scene_timeline_set(const SceneTrack *track, const double values[4], Scene *scene,
                        BillowError *error)
{
    const SceneKey *key;
    void *base;
    return (scene_find(scene, track->key, &key, &base) &&
            scene_keys_put(key, values, track->parts, base)) ||
           fail(error, "%s: the axis of a rotation is 0", track->key);
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

unsigned scene_timeline_solid(const char *key, int *solid)
{
    static const struct {
        const char *name;
        unsigned key;
    } names[] = {
        {"center", SCENE_SOLID_CENTER},           {"rotation", SCENE_SOLID_ROTATION},
        {"velocity", SCENE_SOLID_VELOCITY},       {"spin", SCENE_SOLID_SPIN},
        {"temperature", SCENE_SOLID_TEMPERATURE},
    };
    if (!begins(key, "solids") || sscanf(key + strlen("solids"), "%*1[[.]%4d", solid) != 1 ||
        *solid < 0 || *solid >= BILLOW_SOLIDS_MAX)
        return 0;
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strcmp(scene_keys_last_name(key), names[n].name) == 0)
            return names[n].key;
    return 0;
}

static bool is_number(SceneKeyType type)
{
    return type == SCENE_KEY_FLOAT || type == SCENE_KEY_DOUBLE || type == SCENE_KEY_VECTOR ||
           type == SCENE_KEY_SIZE || type == SCENE_KEY_COLOR || type == SCENE_KEY_ROTATION;
}

bool scene_timeline_may_change(const char *path)
{
    const SceneKey *key = scene_keys_find(scene_keys(), path);
    bool solids = begins(path, "solids");
    for (int l = 0; scene_list_at(l) != NULL; l++)
        if (begins(path, scene_list_at(l)->name) &&
            (solids || path[strlen(scene_list_at(l)->name)] == '['))
            key = scene_keys_find(scene_list_at(l)->keys(), scene_keys_last_name(path));
    static const char *const fixed[] = {"name",   "title", "domain", "time",
                                        "poster", "panel", "brush",  "detonation"};
    int solid;
    for (size_t f = 0; f < sizeof fixed / sizeof fixed[0]; f++)
        if (begins(path, fixed[f]))
            return false;
    if (key == NULL)
        return true; /* an unknown key: `scene_assign` reports it with a better message */
    return solids ? scene_timeline_solid(path, &solid) != 0
                  : is_number(key->type) && key->effect != SCENE_EFFECT_REBUILD &&
                        key->home == SCENE_HOME_STRUCTURE;
}

typedef struct Place {
    const SceneSource *source;
    yaml_mark_t mark;
    int track;
} Place;

static bool blame(const Place *place, const char *what, const char *path, const char *why)
{
    return scene_yaml_fail(place->source, &place->mark, "timeline[%d].%s: %s%s", place->track, what,
                           path, why);
}

/* Refuses a track that moves or turns a falling solid. Also refuses a second track for the position
 * or velocity of a solid, and a second track for its rotation or spin. */
static bool check_solid(const Place *place, const Scene *scene, const SceneTrack *track)
{
    int solid = 0, other = 0;
    unsigned key = scene_timeline_solid(track->key, &solid), rivals = 0;
    if (key == SCENE_SOLID_CENTER || key == SCENE_SOLID_VELOCITY)
        rivals = SCENE_SOLID_CENTER | SCENE_SOLID_VELOCITY;
    if (key == SCENE_SOLID_ROTATION || key == SCENE_SOLID_SPIN)
        rivals = SCENE_SOLID_ROTATION | SCENE_SOLID_SPIN;
    if (rivals != 0 && scene->def.solids[solid].motion == BILLOW_FALLING)
        return blame(place, "key", track->key,
                     " cannot change: that solid is falling; only a driven one can have it");
    for (int t = 0; t < place->track; t++)
        if ((scene_timeline_solid(scene->tracks[t].key, &other) & rivals) != 0 && other == solid)
            return blame(
                place, "key", track->key,
                " has a track already: the solid's position and its speed cannot both have "
                "one");
    return true;
}

/* Sets the value of a moment as --set does, with its checks and messages. */
static bool assign(const SceneTrack *track, int moment, Scene *scene, BillowError *error)
{
    char text[SCENE_TRACK_KEY + 160];
    const float *values = track->values[moment];
    int length = snprintf(text, sizeof text, "%s=%s", track->key, track->parts > 1 ? "[" : "");
    for (int part = 0; part < track->parts; part++)
        length += number_print(text + length, sizeof text - (size_t)length, "%s%.9g",
                               part > 0 ? ", " : "", (double)values[part]);
    if (track->parts > 1)
        snprintf(text + length, sizeof text - (size_t)length, "]");
    return scene_assign(scene, text, error);
}

static bool check_track(const Place *key, const Place *values, const Scene *scene,
                        const SceneTrack *track)
{
    if (!scene_timeline_may_change(track->key))
        return blame(key, "key", track->key,
                     " cannot change while a scene is played: set it once, outside the timeline");
    for (int other = 0; other < key->track; other++)
        if (strcmp(scene->tracks[other].key, track->key) == 0)
            return blame(key, "key", track->key, " has a track already");
    Scene changed = *scene;
    changed.track_count = 0;
    for (int m = 0; m < track->count; m++) {
        char what[32];
        BillowError error;
        snprintf(what, sizeof what, "values[%d]", m);
        if (!assign(track, m, &changed, &error)) {
            bool unknown = strstr(error.text, "known") != NULL || strstr(error.text, "there is no");
            const char *colon = strstr(error.text, ": "); /* after "--set PATH" */
            return blame(unknown ? key : values, unknown ? "key" : what, "",
                         colon != NULL ? colon + 2 : error.text);
        }
    }
    return check_solid(key, scene, track);
}

void scene_timeline_resolve(Scene *scene)
{
    for (int t = 0; t < scene->track_count; t++)
        scene_path_resolve(scene, scene->tracks[t].key);
}

bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene)
{
    int item = 0; /* index in the file's list, which may also have tracks of keys that are gone */
    for (int t = 0; t < scene->track_count; t++) {
        Place key = {.source = source, .track = t}, values = key;
        if (timeline != NULL) {
            const yaml_node_t *node = scene_yaml_item(document, timeline, item++);
            while (gone_key(document, node) != NULL)
                node = scene_yaml_item(document, timeline, item++);
            key.mark = scene_yaml_value(document, node, "key")->start_mark;
            values.mark = scene_yaml_value(document, node, "values")->start_mark;
        }
        if (!check_track(&key, &values, scene, &scene->tracks[t]))
            return false;
    }
    return true;
}
