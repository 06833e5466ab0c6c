/* SPDX-License-Identifier: MIT */
#include "scene/scene_write.h"

#include "base/fail.h"
#include "io/atomic_file.h"
#include "io/font.h"
#include "io/paths.h"
#include "scene/scene_reel.h"
#include "scene/scene_value.h"

#include <string.h>

enum { VALUE_SIZE = 700, PATH_SIZE = 96, UNIT_COLUMN = 26 };

/* State of writing one group of keys: a scene, an emitter, or an entry of a list. */
typedef struct Writer {
    FILE *stream;
    const char *path;
    const SceneKeyTable *table;
    SceneEntry entry; /* only read */
    const void *defaults;
    bool *found; /* set to false if a file that the scene names is not in the scene file's folder or
                    below */
    int indent;
    bool dash;            /* whether the next line starts an entry of a list */
    char open[PATH_SIZE]; /* group whose header was written last; "" if none is open */
} Writer;

static void begin_line(Writer *writer, int deeper)
{
    int indent = 2 * (writer->indent + deeper);
    if (writer->dash)
        fprintf(writer->stream, "%*s- ", indent - 2, "");
    else
        fprintf(writer->stream, "%*s", indent, "");
    writer->dash = false;
}

/* Number of leading names that two paths have in common. */
static int common_depth(const char *one, const char *two)
{
    int depth = 0;
    for (size_t i = 0; one[i] == two[i] || one[i] == '\0' || two[i] == '\0'; i++) {
        bool ends = (one[i] == '\0' || one[i] == '.') && (two[i] == '\0' || two[i] == '.');
        depth += ends && i > 0;
        if (one[i] == '\0' || two[i] == '\0')
            break;
    }
    return depth;
}

/* Writes the headers of the key's groups, except for groups that are already open from the previous
 * key. Returns the depth of the key. */
static int open_groups(Writer *writer, const char *path)
{
    char group[PATH_SIZE];
    const char *last = strrchr(path, '.');
    snprintf(group, sizeof group, "%.*s", last != NULL ? (int)(last - path) : 0, path);
    int same = common_depth(writer->open, group), depth = 0;
    for (const char *name = group; name[0] != '\0'; depth++) {
        int length = (int)strcspn(name, ".");
        if (depth >= same) {
            if (depth == 0 && writer->indent == 0)
                fputc('\n', writer->stream);
            begin_line(writer, depth);
            fprintf(writer->stream, "%.*s:\n", length, name);
        }
        name += length + (name[length] == '.');
    }
    snprintf(writer->open, sizeof writer->open, "%s", group);
    return depth;
}

static void write_line(Writer *writer, const SceneKey *key, const char *value)
{
    int depth = open_groups(writer, key->path);
    const char *dot = strrchr(key->path, '.');
    char line[VALUE_SIZE + PATH_SIZE];
    snprintf(line, sizeof line, "%s: %s", dot != NULL ? dot + 1 : key->path, value);
    begin_line(writer, depth);
    if (key->unit[0] != '\0')
        fprintf(writer->stream, "%-*s # %s\n", UNIT_COLUMN - 2 * (writer->indent + depth), line,
                key->unit);
    else
        fprintf(writer->stream, "%s\n", line);
}

/* -- meshes and letters ------------------------------------------------------------------------ */

/* Writes the name by which the loader finds a file: its path from the scene file's folder. If the
 * file is not in that folder or below, writes its absolute path, which only `--set` can load, and
 * returns false. */
static bool name_file(const char *scene_path, const char *file, char name[PATHS_SIZE])
{
    const char *beside = scene_path != NULL ? scene_path : "";
    if (!scene_path_is_numbered(file))
        return paths_below(beside, file, name);
    char one[SCENE_PATH + 16];
    int number = 0;
    bool below = false;
    for (; number < 10 && !below; number++) { /* the folder is that of a file that exists */
        scene_path_of(file, number, one);
        below = paths_below(beside, one, name);
    }
    size_t at = (size_t)(paths_last_part(name) - name);
    snprintf(name + at, PATHS_SIZE - at, "%s", paths_last_part(file));
    return below;
}

/* Whether the value is the name of a file. */
static bool names_file(const SceneKey *key, const char *text)
{
    return text[0] != '\0' && (key->type == SCENE_KEY_FILE ||
                               (key->type == SCENE_KEY_FORM_FONT && lettering_font_is_file(text)));
}

/* Whether the value is a file, or a text or font of a form. */
static bool is_name(const SceneKey *key)
{
    return key->type == SCENE_KEY_FILE || key->type == SCENE_KEY_FORM_TEXT ||
           key->type == SCENE_KEY_FORM_FONT;
}

/* Writes a file, a text or a font. */
static void write_text(Writer *writer, const SceneKey *key)
{
    char quoted[VALUE_SIZE], name[PATHS_SIZE];
    const void *base = scene_entry_home(&writer->entry, key);
    if (base == NULL)
        return;
    const char *text = (const char *)base + key->offset;
    if (text[0] == '\0')
        return;
    snprintf(name, sizeof name, "%s", text);
    if (names_file(key, text) && !name_file(writer->path, text, name))
        *writer->found = false;
    scene_keys_format(&(const SceneKey){.type = SCENE_KEY_TEXT}, name, quoted, sizeof quoted);
    write_line(writer, key, quoted);
}

/* -- groups ------------------------------------------------------------------------------------ */

static void write_keys(Writer *writer);

/* Writes the emitter brush or detonation if it differs from its default. */
static void write_emitter(const Writer *writer, const SceneKey *key)
{
    Writer inner = {.stream = writer->stream,
                    .path = writer->path,
                    .found = writer->found,
                    .table = scene_emitter_keys(),
                    .entry = {.values = (char *)writer->entry.values + key->offset},
                    .defaults = (const char *)writer->defaults + key->offset,
                    .indent = 1};
    bool differs = false;
    for (int row = 0; row < inner.table->count && !differs; row++)
        differs = inner.table->rows[row].home == SCENE_HOME_STRUCTURE &&
                  !scene_keys_equal(&inner.table->rows[row], inner.entry.values, inner.defaults);
    if (!differs)
        return;
    fprintf(writer->stream, "\n%s:\n", key->path);
    write_keys(&inner);
}

static void write_list(Writer *writer, const SceneList *list)
{
    Scene *scene = writer->entry.values;
    int count = *scene_list_count(list, scene);
    if (count == 0)
        return;
    int depth = 0;
    if (strchr(list->name, '.') == NULL) {
        fprintf(writer->stream, "\n%s:\n", list->name);
    } else {
        depth = open_groups(writer, list->name);
        begin_line(writer, depth);
        fprintf(writer->stream, "%s:\n", scene_keys_last_name(list->name));
    }
    for (int index = 0; index < count; index++) {
        Writer inner = {.stream = writer->stream,
                        .path = writer->path,
                        .found = writer->found,
                        .table = list->keys(),
                        .entry = scene_list_whole(list, scene, index),
                        .defaults = list->keys()->defaults,
                        .indent = depth + 2,
                        .dash = true};
        write_keys(&inner);
        if (inner.dash) /* nothing was written: all values of the entry are at their defaults */
            fprintf(writer->stream, "%*s- {}\n", 2 * depth + 2, "");
    }
}

static void write_moment(const SceneTrack *track, int moment, FILE *stream)
{
    char number[32];
    const SceneKey time = {.type = SCENE_KEY_DOUBLE}, value = {.type = SCENE_KEY_FLOAT};
    scene_keys_format(&time, &track->times[moment], number, sizeof number);
    fprintf(stream, "[%s, %s", number, track->parts > 1 ? "[" : "");
    for (int part = 0; part < track->parts; part++) {
        scene_keys_format(&value, &track->values[moment][part], number, sizeof number);
        fprintf(stream, "%s%s", part > 0 ? ", " : "", number);
    }
    fputs(track->parts > 1 ? "]]" : "]", stream);
}

static void write_timeline(const Scene *scene, FILE *stream)
{
    if (scene->track_count > 0)
        fputs("\ntimeline:\n", stream);
    for (int t = 0; t < scene->track_count; t++) {
        const SceneTrack *track = &scene->tracks[t];
        fprintf(stream, "  - key: \"%s\"\n    mode: %s\n    values: [", track->key,
                track->smooth ? "smooth" : "linear");
        for (int moment = 0; moment < track->count; moment++) {
            if (moment > 0)
                fputs(", ", stream);
            write_moment(track, moment, stream);
        }
        fputs("]\n", stream);
    }
}

static bool always(const Writer *writer, const SceneKey *key)
{
    static const char *const paths[] = {"name", "title", "domain.size", "domain.cells"};
    for (size_t p = 0; writer->table == scene_keys() && p < sizeof paths / sizeof paths[0]; p++)
        if (strcmp(key->path, paths[p]) == 0)
            return true;
    return false;
}

/* Writes a number, a word or a text that differs from its default. */
static void write_value(Writer *writer, const SceneKey *key)
{
    char value[VALUE_SIZE];
    SceneForm plain = scene_form_default();
    SceneName none = {{0}};
    const SceneEntry usual = {(void *)writer->defaults /* only read */, &plain, &none};
    const void *base = scene_entry_home(&writer->entry, key),
               *defaults = scene_entry_home(&usual, key);
    if (base == NULL || (!always(writer, key) && scene_keys_equal(key, base, defaults)))
        return;
    const SceneForm *form = writer->entry.form;
    if (strcmp(key->path, "shape") == 0 && form != NULL &&
        (form->mesh[0] != '\0' || form->text[0] != '\0' || form->vdb[0] != '\0' ||
         form->particles[0] != '\0'))
        return; /* the form gives it */
    if (scene_keys_format(key, base, value, sizeof value))
        write_line(writer, key, value);
}

static void write_keys(Writer *writer)
{
    for (int row = 0; row < writer->table->count; row++) {
        const SceneKey *key = &writer->table->rows[row];
        if (scene_list_of(key->type) != NULL)
            write_list(writer, scene_list_of(key->type));
        else if (key->type == SCENE_KEY_EMITTER)
            write_emitter(writer, key);
        else if (key->type == SCENE_KEY_TIMELINE)
            write_timeline(writer->entry.values, writer->stream);
        else if (is_name(key))
            write_text(writer, key);
        else
            write_value(writer, key);
    }
}

bool scene_write(const Scene *scene, const char *path, FILE *stream)
{
    bool found = true;
    Writer writer = {.stream = stream,
                     .path = path,
                     .found = &found,
                     .table = scene_keys(),
                     .entry = {.values = (Scene *)scene /* only read */},
                     .defaults = scene_default()};
    write_keys(&writer);
    return found;
}

/* Fails if a file that the scene or an entry names is not in the scene file's folder or below.
 * label: of the entry, "emitters[0]." */
static bool check_files(const SceneKeyTable *table, const SceneEntry *entry, const char *label,
                        const char *path, BillowError *error)
{
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        const void *at = scene_entry_home(entry, key);
        const char *file = at != NULL ? (const char *)at + key->offset : "";
        char name[PATHS_SIZE];
        if (is_name(key) && names_file(key, file) && !name_file(path, file, name))
            return fail(error,
                        "%.150s: %s%s is %.200s, which does not lie beside it or below; save it "
                        "beside that file or copy that there",
                        path, label, key->path, name);
    }
    return true;
}

bool scene_save(const Scene *scene, const char *path, BillowError *error)
{
    AtomicFile file;
    Scene *saved = (Scene *)scene; /* only read */
    const bool named = strcmp(path, "-") != 0;
    if (named && !check_files(scene_keys(), &(SceneEntry){.values = saved}, "", path, error))
        return false;
    for (int l = 0; named && scene_list_at(l) != NULL; l++)
        for (int i = 0; i < *scene_list_count(scene_list_at(l), saved); i++) {
            const SceneList *list = scene_list_at(l);
            char label[32];
            snprintf(label, sizeof label, "%s[%d].", list->name, i);
            const SceneEntry entry = scene_list_whole(list, saved, i);
            if (!check_files(list->keys(), &entry, label, path, error))
                return false;
        }
    if (!atomic_file_open(&file, path, error))
        return false;
    if (scene_write(scene, path, file.stream) || !named)
        return atomic_file_commit(&file, error);
    atomic_file_abandon(&file);
    return fail(error, "%.300s: the place of a file that it names cannot be found any more", path);
}

/* -- two scenes -------------------------------------------------------------------------------- */

/* The same group of keys in two scenes. */
typedef struct Pair {
    const SceneKeyTable *table;
    SceneEntry from, to; /* only read */
    const char *prefix;  /* "emitters[0]." */
    SceneEffect effect;  /* of every key; 0: that of the key in its table */
} Pair;

typedef void Visit(void *context, const Pair *pair, const SceneKey *key);

/* Visits all values, also those of brush and detonation. A list or a timeline is visited whole. */
static void visit_keys(const Pair *pair, Visit *visit, void *context)
{
    for (int row = 0; row < pair->table->count; row++) {
        const SceneKey *key = &pair->table->rows[row];
        if (key->type == SCENE_KEY_EMITTER) {
            char prefix[64];
            snprintf(prefix, sizeof prefix, "%s.", key->path);
            visit_keys(&(Pair){.table = scene_emitter_keys(),
                               .from = {.values = (char *)pair->from.values + key->offset},
                               .to = {.values = (char *)pair->to.values + key->offset},
                               .prefix = prefix,
                               .effect = key->effect},
                       visit, context);
        } else if (scene_entry_home(&pair->from, key) != NULL) {
            visit(context, pair, key);
        }
    }
}

/* Visits the values of the entries that the lists of both scenes have. */
static void visit_entries(const Pair *pair, const SceneList *list, Visit *visit, void *context)
{
    Scene *from = pair->from.values, *to = pair->to.values;
    for (int e = 0; e < *scene_list_count(list, from) && e < *scene_list_count(list, to); e++) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s[%d].", list->name, e);
        visit_keys(&(Pair){.table = list->keys(),
                           .from = scene_list_whole(list, from, e),
                           .to = scene_list_whole(list, to, e),
                           .prefix = prefix},
                   visit, context);
    }
}

static Pair pair_of(const Scene *from, const Scene *to)
{
    return (Pair){.table = scene_keys(),
                  .from = {.values = (Scene *)from},
                  .to = {.values = (Scene *)to},
                  .prefix = ""};
}

static bool same_value(const Pair *pair, const SceneKey *key)
{
    return scene_keys_equal(key, scene_entry_home(&pair->from, key),
                            scene_entry_home(&pair->to, key));
}

static bool same_track(const SceneTrack *a, const SceneTrack *b)
{
    if (strcmp(a->key, b->key) != 0 || a->smooth != b->smooth || a->count != b->count ||
        a->parts != b->parts)
        return false;
    for (int m = 0; m < a->count; m++)
        if (memcmp(&a->times[m], &b->times[m], sizeof a->times[m]) != 0 ||
            memcmp(a->values[m], b->values[m], (size_t)a->parts * sizeof(float)) != 0)
            return false;
    return true;
}

/* -- as arguments of --set --------------------------------------------------------------------- */

enum { ASSIGNMENT_SIZE = VALUE_SIZE + 200 };

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

static void tell_value(const Teller *teller, const Pair *pair, const SceneKey *key)
{
    char value[VALUE_SIZE];
    SceneKey shown = *key;
    const void *to = scene_entry_home(&pair->to, key);
    if (is_name(key))
        shown.type = SCENE_KEY_TEXT;
    bool always = pair->prefix[0] == '\0' && teller->always[0] != '\0' &&
                  strncmp(key->path, teller->always, strlen(teller->always)) == 0;
    if ((always || !same_value(pair, key)) && scene_keys_format(&shown, to, value, sizeof value))
        say(teller, pair->prefix, key->path, value);
}

/* Counts the tracks that only one of the two scenes has: no assignment adds or only removes one. */
static int lost_tracks(const Scene *from, const Scene *to)
{
    int lost = 0;
    for (int t = 0; t < from->track_count; t++) {
        bool found = false;
        for (int other = 0; other < to->track_count && !found; other++)
            found = same_track(&from->tracks[t], &to->tracks[other]);
        lost += !found;
    }
    return lost;
}

static void tell_key(void *context, const Pair *pair, const SceneKey *key)
{
    Teller *teller = context;
    const SceneList *list = scene_list_of(key->type);
    Scene *from = pair->from.values, *to = pair->to.values;
    if (list != NULL && scene_ramp(list, to) != NULL) {
        char before[VALUE_SIZE], now[VALUE_SIZE]; /* as a whole: its stops belong together */
        scene_ramp_format(list, from, before, sizeof before);
        scene_ramp_format(list, to, now, sizeof now);
        if (strcmp(before, now) != 0)
            say(teller, "", list->name, now);
    } else if (list != NULL && *scene_list_count(list, from) != *scene_list_count(list, to)) {
        teller->lost++;
    } else if (list != NULL) {
        visit_entries(pair, list, tell_key, teller);
    } else if (key->type == SCENE_KEY_TIMELINE) {
        teller->lost += lost_tracks(from, to) + lost_tracks(to, from);
    } else {
        tell_value(teller, pair, key);
    }
}

int scene_arguments(const Scene *from, const Scene *to, const char *always, SceneSay *told,
                    void *context)
{
    Teller teller = {always, told, context, 0};
    const Pair scenes = pair_of(from, to);
    visit_keys(&scenes, tell_key, &teller);
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

/* -- differences ---------------------------------------------------------------------------------
 */

static void note(SceneDifference *found, SceneEffect effect, const char *label, const char *path)
{
    char whole[SCENE_DIFFERENCE_PATH];
    snprintf(whole, sizeof whole, "%s%s", label, path);
    if (found->count++ == 0)
        memcpy(found->first, whole, sizeof whole);
    if (effect == SCENE_EFFECT_REBUILD && !(found->effects & SCENE_EFFECT_REBUILD))
        memcpy(found->rebuild, whole, sizeof whole);
    found->effects |= effect;
}

static void compare_key(void *context, const Pair *pair, const SceneKey *key)
{
    SceneDifference *found = context;
    const SceneList *list = scene_list_of(key->type);
    SceneEffect effect = pair->effect != 0 ? pair->effect : key->effect;
    bool same;
    if (list != NULL) {
        visit_entries(pair, list, compare_key, found);
        same =
            *scene_list_count(list, pair->from.values) == *scene_list_count(list, pair->to.values);
        if (effect == SCENE_EFFECT_SOLIDS) /* another number of solids */
            effect = SCENE_EFFECT_REBUILD;
    } else if (key->type == SCENE_KEY_TIMELINE) {
        const Scene *from = pair->from.values, *to = pair->to.values;
        same = from->track_count == to->track_count;
        for (int t = 0; same && t < from->track_count; t++)
            same = same_track(&from->tracks[t], &to->tracks[t]);
    } else {
        same = same_value(pair, key);
    }
    if (!same)
        note(found, effect, pair->prefix, key->path);
}

static bool releases_tracers(const Scene *scene)
{
    for (int e = 0; e < scene->def.emitter_count; e++)
        if (scene->def.emitters[e].tracers > 0)
            return true;
    return false;
}

/* Whether the scene's simulation keeps the age of the smoke. */
static bool keeps_age(const Scene *scene)
{
    return scene->def.age || render_ramp_follows(&scene->render, RENDER_RAMP_AGE);
}

SceneDifference scene_difference(const Scene *before, const Scene *after)
{
    SceneDifference found = {0};
    const Pair scenes = pair_of(before, after);
    visit_keys(&scenes, compare_key, &found);
    /* When the simulation is created, it is decided whether tracers start everywhere in the box or
     * only in emitters. This cannot change later. Sparks never start everywhere. */
    if (before->def.tracers > 0 && !(before->def.tracer_lag > 0) &&
        releases_tracers(before) != releases_tracers(after))
        note(&found, SCENE_EFFECT_REBUILD, "", "emitters");
    /* A ramp by age lets the simulation keep the smoke's age. */
    if (before->def.age == after->def.age && keeps_age(before) != keeps_age(after))
        note(&found, SCENE_EFFECT_REBUILD, "", "fluid.age");
    return found;
}

/* -- on a running simulation ----------------------------------------------------------------------
 */

void scene_running_merge(const BillowSolid *before, const BillowSolid *after, BillowSolid *solid)
{
    for (int row = 0; row < scene_solid_keys()->count; row++) {
        const SceneKey *key = &scene_solid_keys()->rows[row];
        if (key->home == SCENE_HOME_STRUCTURE && !scene_keys_equal(key, before, after))
            scene_keys_copy(key, after, solid);
    }
    solid->volume = after->volume;
}

/* Solids are set before emitters, because an emitter may move to a place that a solid has just
 * left. */
static bool set_all(BillowSim *sim, const BillowDef *def, const BillowSolid *solids,
                    BillowError *error)
{
    return billow_set_solids(sim, solids, def->solid_count, error) &&
           billow_set_first_solids(sim, def->solids, def->solid_count, error) &&
           billow_set_emitters(sim, def->emitters, def->emitter_count, error) &&
           billow_set_forces(sim, def->forces, def->force_count, error) &&
           billow_set_params(sim, &def->params, error);
}

bool scene_running_change(BillowSim *sim, const BillowDef *before, const BillowDef *after,
                          BillowError *error)
{
    BillowSolid now[BILLOW_SOLIDS_MAX], then[BILLOW_SOLIDS_MAX];
    for (int s = 0; s < after->solid_count; s++) {
        now[s] = then[s] = *billow_solid(sim, s);
        scene_running_merge(&before->solids[s], &after->solids[s], &then[s]);
    }
    if (set_all(sim, after, then, error))
        return true;
    set_all(sim, before, now, NULL);
    return false;
}
