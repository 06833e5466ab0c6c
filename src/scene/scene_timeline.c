/* SPDX-License-Identifier: MIT
 * Applies the timeline to its scene, and checks which keys it may change. */
#include "scene/scene_timeline.h"

#include "scene/scene_reel.h"

#include "scene/scene_keys.h"
#include "scene/scene_read.h"

#include "base/fail.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scene_timeline_set(const SceneTrack *track, const double values[4], Scene *scene,
                        BillowError *error)
{
    const SceneKey *key;
    void *base;
    return (scene_find(scene, track->key, &key, &base) &&
            scene_keys_put(key, values, track->parts, base)) ||
           fail(error, "%s: the axis of a rotation is 0", track->key);
}

void scene_drop_tracks(Scene *scene, const char *beginning)
{
    int kept = 0;
    for (int t = 0; t < scene->track_count; t++)
        if (strncmp(scene->tracks[t].key, beginning, strlen(beginning)) != 0)
            scene->tracks[kept++] = scene->tracks[t];
    scene->track_count = kept;
}

/* Finds the number of a list's entry in a key: 2 in "emitters[2].smoke" and in "emitters.2.smoke".
 * Returns the rest of the key, from the bracket or dot after the number; NULL: it has none. */
static const char *entry_number(const char *key, const char *list, int *number)
{
    size_t length = strlen(list);
    if (strncmp(key, list, length) != 0 || (key[length] != '[' && key[length] != '.'))
        return NULL;
    char *rest;
    long value = strtol(key + length + 1, &rest, 10);
    if (rest == key + length + 1 || value < 0 || value > 9999)
        return NULL;
    *number = (int)value;
    return rest;
}

void scene_shift_tracks(Scene *scene, const char *list, int index, int by)
{
    int kept = 0, number = 0;
    for (int t = 0; t < scene->track_count; t++) {
        SceneTrack track = scene->tracks[t];
        const char *rest = entry_number(track.key, list, &number);
        if (rest != NULL && by < 0 && number == index)
            continue;
        if (rest != NULL && number >= index) {
            size_t length = strlen(list);
            snprintf(track.key, sizeof track.key, "%s%c%d%s", list, scene->tracks[t].key[length],
                     number + by, scene->tracks[t].key + (rest - track.key));
        }
        scene->tracks[kept++] = track;
    }
    scene->track_count = kept;
}

/* -- checks ------------------------------------------------------------- */

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

bool scene_leads_solid(const Scene *scene, int solid)
{
    int keyed = 0;
    if (solid < scene->def.solid_count && scene_form_is_reel(&scene->solid_forms[solid]))
        return true;
    for (int t = 0; t < scene->track_count; t++) {
        unsigned key = scene_timeline_solid(scene->tracks[t].key, &keyed);
        if ((key & ~(unsigned)SCENE_SOLID_TEMPERATURE) != 0 && keyed == solid)
            return true;
    }
    return false;
}

static bool is_number(SceneKeyType type)
{
    return type == SCENE_KEY_FLOAT || type == SCENE_KEY_DOUBLE || type == SCENE_KEY_VECTOR ||
           type == SCENE_KEY_SIZE || type == SCENE_KEY_COLOR || type == SCENE_KEY_ROTATION;
}

bool scene_timeline_may_change(const char *path)
{
    const SceneKeyTable *table = begins(path, "emitters[") ? scene_emitter_keys()
                                 : begins(path, "solids")  ? scene_solid_keys()
                                 : begins(path, "forces[") ? scene_force_keys()
                                 : begins(path, "lamps[")  ? scene_lamp_keys()
                                 : begins(path, "smoke.ramp[") || begins(path, "fire.ramp[")
                                     ? scene_stop_keys()
                                     : scene_keys();
    const SceneKey *key =
        scene_keys_find(table, table == scene_keys() ? path : scene_keys_last_name(path));
    static const char *const fixed[] = {"name",   "title", "domain", "time",
                                        "poster", "panel", "brush",  "detonation"};
    int solid;
    for (size_t f = 0; f < sizeof fixed / sizeof fixed[0]; f++)
        if (begins(path, fixed[f]))
            return false;
    if (key == NULL)
        return true; /* an unknown key: `scene_assign` reports it with a better message */
    return table == scene_solid_keys()
               ? scene_timeline_solid(path, &solid) != 0
               : is_number(key->type) && key->effect != SCENE_EFFECT_REBUILD && !key->form;
}

typedef struct Place {
    const SceneSource *source;
    yaml_mark_t mark;
    int track;
} Place;

static bool blame(const Place *place, const char *what, const char *path, const char *why)
{
    return scene_yaml_fail(place->source, place->mark.line, place->mark.column,
                           "timeline[%d].%s: %s%s", place->track, what, path, why);
}

/* The text of the error after the prefix "--set PATH: ". */
static const char *reason_of(const BillowError *error)
{
    const char *colon = strstr(error->text, ": ");
    return colon != NULL ? colon + 2 : error->text;
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
            return blame(unknown ? key : values, unknown ? "key" : what, "", reason_of(&error));
        }
    }
    return check_solid(key, scene, track);
}

static yaml_mark_t mark_of(yaml_document_t *document, const yaml_node_t *track, const char *name)
{
    const yaml_node_pair_t *pair = scene_yaml_find(document, track, name);
    return yaml_document_get_node(document, pair->value)->start_mark;
}

bool scene_timeline_check(const SceneSource *source, yaml_document_t *document,
                          const yaml_node_t *timeline, const Scene *scene)
{
    for (int t = 0; t < scene->track_count; t++) {
        Place key = {.source = source, .track = t}, values = key;
        if (timeline != NULL) {
            const yaml_node_t *node = scene_yaml_item(document, timeline, t);
            key.mark = mark_of(document, node, "key");
            values.mark = mark_of(document, node, "values");
        }
        if (!check_track(&key, &values, scene, &scene->tracks[t]))
            return false;
    }
    return true;
}
