/* SPDX-License-Identifier: MIT */
#include "scene_arguments.h"

#include "scene_difference.h"
#include "scene_list.h"

#include <string.h>

enum { VALUE_SIZE = 700, ASSIGNMENT_SIZE = VALUE_SIZE + 200 };

/* A table of keys in both scenes. */
typedef struct Pair {
    const SceneKeyTable *table;
    const void *from, *to;
    const SceneForm *from_form, *to_form; /* NULL: it has none */
    const char *prefix;                   /* "emitters[0]." */
} Pair;

typedef struct Teller {
    const char *always;
    SceneSay *say;
    void *context;
    int lost;
} Teller;

static void say(const Teller *teller, const char *prefix, const char *path, const char *value)
{
    char assignment[ASSIGNMENT_SIZE];
    snprintf(assignment, sizeof assignment, "%s%s=%s", prefix, path, value);
    teller->say(teller->context, assignment);
}

static bool is_form(SceneKeyType type)
{
    return type == SCENE_KEY_FORM_MESH || type == SCENE_KEY_FORM_TEXT ||
           type == SCENE_KEY_FORM_FONT;
}

static void tell_form(const Teller *teller, const Pair *pair, const SceneKey *key)
{
    const SceneKey plain = {.type = SCENE_KEY_TEXT};
    char value[VALUE_SIZE];
    if (pair->to_form == NULL || pair->from_form == NULL)
        return;
    const char *now = (const char *)pair->to_form + key->offset;
    if (strcmp(now, (const char *)pair->from_form + key->offset) != 0 &&
        scene_keys_format(&plain, now, value, sizeof value))
        say(teller, pair->prefix, key->path, value);
}

static void tell_value(const Teller *teller, const Pair *pair, const SceneKey *key)
{
    char value[VALUE_SIZE];
    bool always = pair->prefix[0] == '\0' && teller->always[0] != '\0' &&
                  strncmp(key->path, teller->always, strlen(teller->always)) == 0;
    if ((always || !scene_keys_equal(key, pair->from, pair->to)) &&
        scene_keys_format(key, pair->to, value, sizeof value))
        say(teller, pair->prefix, key->path, value);
}

static void tell_keys(Teller *teller, const Pair *pair);

static void tell_list(Teller *teller, const Pair *pair, const SceneList *list)
{
    Scene *from = (Scene *)pair->from, *to = (Scene *)pair->to; /* read only */
    int count = *scene_list_count(list, to);
    if (count != *scene_list_count(list, from)) {
        teller->lost++;
        return;
    }
    for (int entry = 0; entry < count; entry++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s[%d].", list->name, entry);
        tell_keys(teller, &(Pair){.table = list->keys,
                                  .from = scene_list_entry(list, from, entry),
                                  .to = scene_list_entry(list, to, entry),
                                  .from_form = scene_list_form(list, from, entry),
                                  .to_form = scene_list_form(list, to, entry),
                                  .prefix = prefix});
    }
}

static void tell_emitter(Teller *teller, const Pair *pair, const SceneKey *key)
{
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s.", key->path);
    tell_keys(teller, &(Pair){.table = &scene_emitter_keys,
                              .from = (const char *)pair->from + key->offset,
                              .to = (const char *)pair->to + key->offset,
                              .prefix = prefix});
}

static bool has_track(const Scene *scene, const SceneTrack *track)
{
    for (int t = 0; t < scene->track_count; t++) {
        const SceneTrack *other = &scene->tracks[t];
        size_t moments = (size_t)track->count;
        if (strcmp(other->key, track->key) == 0 && other->smooth == track->smooth &&
            other->count == track->count &&
            memcmp(other->times, track->times, moments * sizeof track->times[0]) == 0 &&
            memcmp(other->values, track->values, moments * sizeof track->values[0]) == 0)
            return true;
    }
    return false;
}

/* Tracks that went are no loss: their keys were set. */
static void tell_timeline(Teller *teller, const Pair *pair)
{
    const Scene *to = pair->to;
    for (int t = 0; t < to->track_count; t++)
        teller->lost += !has_track(pair->from, &to->tracks[t]);
}

static void tell_keys(Teller *teller, const Pair *pair)
{
    for (int row = 0; row < pair->table->count; row++) {
        const SceneKey *key = &pair->table->rows[row];
        if (scene_list_of(key->type) != NULL)
            tell_list(teller, pair, scene_list_of(key->type));
        else if (key->type == SCENE_KEY_EMITTER)
            tell_emitter(teller, pair, key);
        else if (key->type == SCENE_KEY_TIMELINE)
            tell_timeline(teller, pair);
        else if (is_form(key->type))
            tell_form(teller, pair, key);
        else
            tell_value(teller, pair, key);
    }
}

int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *told,
                    void *context)
{
    Teller teller = {always, told, context, 0};
    tell_keys(&teller, &(Pair){.table = &scene_keys, .from = from, .to = to, .prefix = ""});
    return teller.lost;
}

bool scene_argument_quote(const char *argument, char *quoted, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,:/=";
    size_t length = strlen(argument), at = 0;
    if (length > 0 && strspn(argument, plain) == length)
        return (size_t)snprintf(quoted, size, "%s", argument) < size;
    if (size < 3)
        return false;
    quoted[at++] = '\'';
    for (const char *c = argument; *c != '\0'; c++) {
        const char one[2] = {*c, '\0'}, *piece = *c == '\'' ? "'\\''" : one;
        if (at + strlen(piece) + 2 > size)
            return false;
        memcpy(quoted + at, piece, strlen(piece));
        at += strlen(piece);
    }
    memcpy(quoted + at, "'", 2);
    return true;
}
