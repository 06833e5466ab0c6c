/* SPDX-License-Identifier: MIT
 * The tracks of a timeline: reading them from a file, and computing their values at a time. */
#include "base/number.h"
#include "scene/scene_timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
    return scene_yaml_fail(reader->source, node->start_mark.line, node->start_mark.column,
                           "'%s' must be %s, not %s", label, must, found);
}

/* Number of items of a list; -1 if the node is not a list. */
static int item_count(const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return -1;
    ptrdiff_t count = node->data.sequence.items.top - node->data.sequence.items.start;
    return count < 100000 ? (int)count : 100000;
}

static const yaml_node_t *item(const Reader *reader, const yaml_node_t *list, int index)
{
    return yaml_document_get_node(reader->document, list->data.sequence.items.start[index]);
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
    int count = item_count(node);
    if (count < 0) {
        bool good = read_number(node, &number);
        value[0] = good ? (float)number : 0;
        return good;
    }
    for (int part = 0; part < count; part++) {
        if (part >= 4 || !read_number(item(reader, node, part), &number))
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
    if (item_count(node) != 2 || !read_number(item(reader, node, 0), time))
        return refuse(reader, node, label, must);
    int parts = read_value(reader, item(reader, node, 1), track->values[at]);
    if (parts == 0)
        return refuse(reader, node, label, must);
    const yaml_mark_t *mark = &node->start_mark;
    if (!(*time >= 0 && *time <= 1e9))
        return scene_yaml_fail(reader->source, mark->line, mark->column,
                               "'%s' is at %g s; moments lie between 0 and 1e+09 s", label, *time);
    if (at > 0 && *time <= track->times[at - 1])
        return scene_yaml_fail(reader->source, mark->line, mark->column,
                               "'%s' is at %g s, which is not after the %g s of the moment before",
                               label, *time, track->times[at - 1]);
    if (at > 0 && parts != track->parts)
        return scene_yaml_fail(reader->source, mark->line, mark->column,
                               "'%s' holds %d number%s, and the moment before holds %d", label,
                               parts, parts == 1 ? "" : "s", track->parts);
    track->parts = parts;
    track->count++;
    return true;
}

static bool bind_values(const Reader *reader, const yaml_node_t *node, const char *label,
                        SceneTrack *track)
{
    int count = item_count(node);
    if (count == 0)
        return scene_yaml_fail(reader->source, node->start_mark.line, node->start_mark.column,
                               "'%s' is empty; it needs at least one moment, such as [1.5, 8]",
                               label);
    if (count < 0)
        return refuse(reader, node, label, "a list of moments [seconds, value]");
    if (count > SCENE_MOMENTS_MAX)
        return scene_yaml_fail(reader->source, node->start_mark.line, node->start_mark.column,
                               "'%s' has %d moments; at most %d fit", label, count,
                               SCENE_MOMENTS_MAX);
    track->count = 0;
    for (int m = 0; m < count; m++) {
        char moment[80];
        snprintf(moment, sizeof moment, "%.60s[%d]", label, m);
        if (!bind_moment(reader, item(reader, node, m), moment, track))
            return false;
    }
    return true;
}

static bool bind_mode(const Reader *reader, const yaml_node_t *node, const char *label,
                      SceneTrack *track)
{
    const char *text = node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
    track->smooth = strcmp(text, "smooth") == 0;
    return track->smooth || strcmp(text, "linear") == 0 ||
           refuse(reader, node, label, "smooth or linear");
}

static bool bind_path(const Reader *reader, const yaml_node_t *node, const char *label,
                      SceneTrack *track)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0 ||
        node->data.scalar.length >= sizeof track->key ||
        strchr((const char *)node->data.scalar.value, '=') != NULL)
        return refuse(reader, node, label, "a key of the scene, such as solver.vorticity");
    snprintf(track->key, sizeof track->key, "%s", (const char *)node->data.scalar.value);
    return true;
}

/* The value that belongs to a name in a track's mapping; NULL if the name is missing. */
static const yaml_node_t *find(const Reader *reader, const yaml_node_t *mapping, const char *name)
{
    const yaml_node_pair_t *pair = scene_yaml_find(reader->document, mapping, name);
    return pair != NULL ? yaml_document_get_node(reader->document, pair->value) : NULL;
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
            return scene_yaml_fail(reader->source, key->start_mark.line, key->start_mark.column,
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
    const yaml_node_t *key = find(reader, node, "key"), *mode = find(reader, node, "mode");
    const yaml_node_t *values = find(reader, node, "values");
    if (key == NULL || values == NULL)
        return scene_yaml_fail(reader->source, node->start_mark.line, node->start_mark.column,
                               "'%s' needs a key and its values", label);
    char part[48];
    snprintf(part, sizeof part, "%s.key", label);
    if (!bind_path(reader, key, part, track))
        return false;
    snprintf(part, sizeof part, "%s.mode", label);
    if (mode != NULL && !bind_mode(reader, mode, part, track))
        return false;
    snprintf(part, sizeof part, "%s.values", label);
    return bind_values(reader, values, part, track);
}

bool scene_tracks_read(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *node, Scene *scene)
{
    const Reader reader = {source, document};
    int count = item_count(node);
    if (count < 0)
        return refuse(&reader, node, "timeline", "a list of tracks");
    if (count > SCENE_TRACKS_MAX)
        return scene_yaml_fail(source, node->start_mark.line, node->start_mark.column,
                               "'timeline' has %d entries; at most %d fit", count,
                               SCENE_TRACKS_MAX);
    for (int t = 0; t < count; t++) {
        char label[32];
        snprintf(label, sizeof label, "timeline[%d]", t);
        if (!bind_track(&reader, item(&reader, node, t), label, &scene->tracks[t]))
            return false;
    }
    scene->track_count = count;
    return true;
}
