/* SPDX-License-Identifier: MIT */
#include "scene/scene_bind.h"

#include "base/fail.h"
#include "base/number.h"
#include "io/font.h"
#include "io/gltf_file.h"
#include "io/mesh_file.h"
#include "io/panorama_file.h"
#include "io/particle_file.h"
#include "io/paths.h"
#include "io/vdb_file.h"
#include "scene/scene_check.h"
#include "scene/scene_light.h"
#include "scene/scene_reel.h"
#include "scene/scene_timeline.h"
#include "scene/scene_value.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 128 };

static const yaml_mark_t no_mark; /* of `--set`, whose messages give no place */

/* A YAML node and the key that it is the value of. */
typedef struct Value {
    const SceneSource *source;
    yaml_document_t *document;
    const SceneKey *key;
    const yaml_node_t *node;
    char label[PATH_SIZE]; /* "emitters[0].center[1]" */
} Value;

/* A group of keys to which nodes are bound: the whole scene, "solver", or an emitter. */
typedef struct Target {
    const SceneKeyTable *table;
    SceneEntry entry;   /* structures that the keys' offsets refer to */
    const char *group;  /* path of the group in the table; "" for the whole table */
    const char *label;  /* name of the entry in messages: "" for the scene, "emitters[0]" */
    BillowShape *shape; /* shape of the entry; NULL if it cannot have a form */
} Target;

static Target target_of_scene(Scene *scene)
{
    return (Target){.table = scene_keys(), .entry = {.values = scene}, .group = "", .label = ""};
}

static Target target_of_emitter(BillowEmitter *emitter, const char *label)
{
    return (Target){.table = scene_emitter_keys(),
                    .entry = {.values = emitter},
                    .group = "",
                    .label = label,
                    .shape = &emitter->shape};
}

static Target target_of_entry(const SceneList *list, Scene *scene, int index, const char *label)
{
    const SceneEntry entry = scene_list_whole(list, scene, index);
    return (Target){.table = list->keys(),
                    .entry = entry,
                    .group = "",
                    .label = label,
                    .shape = scene_list_shape(list, entry.values)};
}

static bool bind_group(const SceneSource *source, yaml_document_t *document, Target target,
                       const yaml_node_t *node);

static void join(char path[PATH_SIZE], const char *head, const char *tail)
{
    snprintf(path, PATH_SIZE, "%.63s%s%.63s", head, head[0] != '\0' && tail[0] != '\0' ? "." : "",
             tail);
}

/* Describes a value for a message: its text and, where useful, its list length, tag or quotes. */
static void describe(const yaml_node_t *node, const char *must,
                     char text[2 * SCENE_YAML_QUOTE_SIZE])
{
    char found[SCENE_YAML_QUOTE_SIZE], count[32];
    scene_yaml_quote(node, found);
    const char *also = "";
    if (node->type == YAML_SEQUENCE_NODE && strstr(must, "list [") != NULL) {
        snprintf(count, sizeof count, " of %d", scene_yaml_count(node));
        also = count;
    } else if (node->type == YAML_SCALAR_NODE &&
               strcmp((const char *)node->tag, YAML_STR_TAG) != 0) {
        also = " with a tag";
    } else if (node->type == YAML_SCALAR_NODE && strstr(must, "number") != NULL &&
               node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        also = " in quotes";
    }
    snprintf(text, 2 * SCENE_YAML_QUOTE_SIZE, "%s%s", found, also);
}

/* Fails with "'solver.vorticity' must be ..., not ...". The key is omitted in a message about
 * `--set`, which already names it. */
static bool refuse(const Value *value, const char *must)
{
    char found[2 * SCENE_YAML_QUOTE_SIZE];
    describe(value->node, must, found);
    const yaml_mark_t *mark = &value->node->start_mark;
    const char *assigned = value->source->assigned;
    bool said = assigned != NULL && strcmp(assigned, value->label) == 0;
    return scene_yaml_fail(value->source, mark, "%s%s%smust be %s, not %s", said ? "" : "'",
                           said ? "" : value->label, said ? "" : "' ", must, found);
}

/* The text of a scalar without quotes and tag; NULL for other nodes. */
static const char *plain_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
        strcmp((const char *)node->tag, YAML_STR_TAG) != 0)
        return NULL;
    return (const char *)node->data.scalar.value;
}

static bool refuse_range(const Value *value)
{
    char allowed[64];
    scene_keys_allowed(value->key, allowed, sizeof allowed);
    return refuse(value, allowed);
}

/* Binds a number in the key's range. whole: the number must be written as an integer. */
static bool bind_number(const Value *value, bool whole, double *number)
{
    const char *text = plain_text(value->node);
    if (text == NULL || !number_read_decimal(text, number))
        return refuse(value, whole ? "a whole number" : "a finite number");
    if (whole && text[strspn(text, "0123456789+-")] != '\0')
        return refuse(value, "a whole number");
    if (!(*number >= value->key->minimum && *number <= value->key->maximum))
        return refuse_range(value);
    return true;
}

/* An item of a list, as a value with its own label. */
static Value list_part(const Value *value, int index)
{
    Value part = *value;
    snprintf(part.label, sizeof part.label, "%.*s[%d]", PATH_SIZE - 16, value->label, index);
    part.node = scene_yaml_item(value->document, value->node, index);
    return part;
}

static bool bind_list(const Value *value, int count, bool whole, const char *shape, double *number)
{
    const yaml_node_t *node = value->node;
    if (scene_yaml_count(node) != count || strcmp((const char *)node->tag, YAML_SEQ_TAG) != 0)
        return refuse(value, shape);
    for (int i = 0; i < count; i++) {
        Value part = list_part(value, i);
        if (!bind_number(&part, whole, &number[i]))
            return false;
    }
    return true;
}

static bool bind_rotation(const Value *value, void *base)
{
    const char *shape = "a list [x, y, z, degrees] with an axis that is not 0";
    double turn[4];
    return bind_list(value, 4, false, shape, turn) &&
           (scene_keys_put(value->key, turn, 4, base) || refuse(value, shape));
}

/* Binds a number, or a list of three. */
static bool bind_floats(const Value *value, void *base)
{
    const SceneKeyType type = value->key->type;
    const char *shape = type == SCENE_KEY_COLOR  ? "a list [red, green, blue]"
                        : type == SCENE_KEY_SIZE ? "a number or a list [x, y, z]"
                                                 : "a list [x, y, z]";
    double numbers[3] = {0};
    const bool two = type == SCENE_KEY_SIZE && strcmp(value->key->path, "size") == 0 &&
                     scene_yaml_count(value->node) == 2;
    bool one = type == SCENE_KEY_FLOAT || type == SCENE_KEY_DOUBLE ||
               (type == SCENE_KEY_SIZE && value->node->type == YAML_SCALAR_NODE);
    return (one ? bind_number(value, false, numbers)
                : bind_list(value, two ? 2 : 3, false, shape, numbers)) &&
           scene_keys_put(value->key, numbers, one ? 1 : 3, base);
}

static bool bind_cells(const Value *value, int *at)
{
    double number[3] = {0};
    bool good = value->node->type == YAML_SCALAR_NODE
                    ? bind_number(value, true, &number[0])
                    : bind_list(value, 3, true, "a whole number or a list [nx, ny, nz]", number);
    if (good)
        for (int i = 0; i < 3; i++)
            at[i] = (int)number[i];
    return good;
}

/* The allowed word most similar to the text. If none is similar, the first word that the text
 * abbreviates; NULL if there is none. */
static const char *nearest_choice(const char *text, const char *const *choices)
{
    SceneSuggestion suggestion = {.word = text};
    for (int word = 0; choices[word] != NULL; word++)
        scene_suggest(&suggestion, choices[word]);
    for (int word = 0; suggestion.best == NULL && choices[word] != NULL; word++)
        if (scene_suggest_short(text, choices[word]))
            suggestion.best = choices[word];
    return suggestion.best;
}

static bool bind_word(const Value *value, void *at)
{
    _Static_assert(sizeof(BillowFace) == sizeof(int) && sizeof(BillowShape) == sizeof(int) &&
                       sizeof(BillowPressure) == sizeof(int),
                   "enums are written as ints");
    const char *text = plain_text(value->node);
    const char *const *choices = value->key->choices;
    const char *const *const lists[] = {choices, value->key->former_choices};
    for (int list = 0; text != NULL && list < 2 && lists[list] != NULL; list++)
        for (int word = 0; lists[list][word] != NULL; word++)
            if (strcmp(text, lists[list][word]) == 0) {
                memcpy(at, &word, sizeof word);
                return true;
            }
    const char *nearest = text != NULL ? nearest_choice(text, choices) : NULL;
    char must[128];
    scene_keys_allowed(value->key, must, sizeof must);
    if (nearest != NULL) {
        size_t length = strlen(must);
        snprintf(must + length, sizeof must - length, " (did you mean '%s'?)", nearest);
    }
    return refuse(value, must);
}

static bool bind_bool(const Value *value, bool *at)
{
    const char *text = plain_text(value->node);
    if (text == NULL || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0))
        return refuse(value, "true or false");
    *at = strcmp(text, "true") == 0;
    return true;
}

static bool bind_text(const Value *value, char *at)
{
    const yaml_node_t *node = value->node;
    if (node->type != YAML_SCALAR_NODE || strcmp((const char *)node->tag, YAML_STR_TAG) != 0)
        return refuse(value, "text");
    const char *text = (const char *)node->data.scalar.value;
    size_t length = node->data.scalar.length;
    if ((double)length < value->key->minimum || (double)length > value->key->maximum)
        return refuse_range(value);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == 0 || control_length(text + i) > 0)
            return refuse(value, "one line of text without control characters");
        bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                     (byte >= 'A' && byte <= 'Z') || byte == '-' || byte == '_';
        if (value->key->type == SCENE_KEY_NAME && !plain)
            return refuse(value, "letters, digits, '-' and '_'");
    }
    memcpy(at, text, length + 1);
    return true;
}

/* Fails with "'emitters[0].mesh' ...". The key is omitted in a message about `--set`, which already
 * names it. */
static bool refuse_form(const Value *value, const char *why)
{
    const yaml_mark_t *mark = &value->node->start_mark;
    if (value->source->assigned != NULL)
        return scene_yaml_fail(value->source, mark, "%s", why);
    return scene_yaml_fail(value->source, mark, "'%s' %s", value->label, why);
}

/* Finds a file by its path from the scene file's folder. A scene file may come from anybody, so it
 * may only name files in its own folder or below. `--set` may name any ordinary file. */
static bool find_beside(const Value *value, const char *path, size_t most, char *found, size_t size)
{
    static const char outside[] =
        "leads out of the scene file's folder; name a file in that folder "
        "or below it, or use --set";
    char why[700], below[PATHS_SIZE];
    BillowError reason;
    bool from_file = value->source->assigned == NULL;
    const char *slash = from_file ? strrchr(value->source->name, '/') : NULL;
    int folder = slash != NULL ? (int)(slash + 1 - value->source->name) : 0;
    if (value->source->apart) {
        int whole = snprintf(found, size, "%s%s", path[0] != '/' ? "/" : "", path);
        return (whole > 0 && (size_t)whole < size) ||
               refuse_form(value, "lies in folders whose names are too long");
    }
    if (from_file && !paths_stay_below(path))
        return refuse_form(value, outside);
    int length = snprintf(found, size, "%.*s%s", folder, value->source->name, path);
    if (length < 0 || (size_t)length >= size)
        return refuse_form(value, "lies in folders whose names are too long");
    char file[SCENE_PATH + 16];
    scene_path_of(found, scene_path_first(found), file);
    if (!whole_file_check(file, most, &reason)) {
        snprintf(why, sizeof why, "names %.270s, which %.400s", file, reason.text);
        return refuse_form(value, why);
    }
    return !from_file || paths_below(value->source->name, file, below) ||
           refuse_form(value, outside);
}

/* Largest size of a file, by its ending, bytes. */
static size_t bytes_of(const char *path)
{
    return paths_end_in(path, ".vdb")                                 ? VDB_FILE_BYTES_MAX
           : paths_end_in(path, ".hdr") || paths_end_in(path, ".exr") ? PANORAMA_FILE_BYTES_MAX
           : paths_end_in(path, ".csv") || paths_end_in(path, ".npz") ? PARTICLE_FILE_BYTES_MAX
                                                                      : MESH_FILE_BYTES_MAX;
}

/* Reads a panorama to the end, so that a bad file fails here. */
static bool check_panorama(const Value *value, const char *path)
{
    char why[700];
    PanoramaFile panorama = {0};
    BillowError reason;
    bool good = value->source->apart || panorama_file_load(path, &panorama, &reason);
    panorama_file_free(&panorama);
    if (good)
        return true;
    snprintf(why, sizeof why, "names %.600s", reason.text);
    return refuse_form(value, why);
}

static bool bind_file(const Value *value, char at[SCENE_PATH])
{
    char text[SCENE_PATH];
    if (!bind_text(value, text))
        return false;
    if (text[0] == '\0') { /* none, where the key allows that */
        at[0] = '\0';
        return true;
    }
    return find_beside(value, text, bytes_of(text), at, SCENE_PATH) &&
           (strcmp(value->key->path, "surroundings.file") != 0 || check_panorama(value, at));
}

/* Binds a mesh, text or font. A mesh or a text sets the shape to a volume. */
static bool bind_form(const Value *value, Target target)
{
    char text[SCENE_PATH];
    if (!bind_text(value, text))
        return false;
    SceneForm *form = target.entry.form;
    char *at = (char *)form + value->key->offset;
    if (value->key->type == SCENE_KEY_FILE) {
        if (!find_beside(value, text, bytes_of(text), at, SCENE_PATH))
            return false;
        if (at == form->mesh)
            form->moves =
                !value->source->sealed && !scene_path_is_numbered(at) && gltf_file_moves(at);
    } else if (value->key->type == SCENE_KEY_FORM_FONT && lettering_font_is_file(text)) {
        if (!find_beside(value, text, LETTERING_FONT_BYTES_MAX, at, sizeof form->font))
            return false;
    } else {
        memcpy(at, text, strlen(text) + 1);
    }
    if (value->key->type != SCENE_KEY_FORM_FONT)
        *target.shape = BILLOW_VOLUME;
    return true;
}

static bool bind_emitter(const Value *value, BillowEmitter *emitter)
{
    const Target target = target_of_emitter(emitter, value->label);
    return bind_group(value->source, value->document, target, value->node) &&
           scene_check_emitter(value->source, &value->node->start_mark, value->label, emitter,
                               NULL);
}

static bool bind_entry(const Value *value, const SceneList *list, Scene *scene, int index)
{
    const Target target = target_of_entry(list, scene, index, value->label);
    scene_list_reset(list, scene, index);
    const yaml_mark_t *mark = &value->node->start_mark;
    if (target.entry.form != NULL) {
        *scene_list_place(list, scene, index) =
            value->source->assigned != NULL
                ? (ScenePlace){0, 0}
                : (ScenePlace){(int)mark->line + 1, (int)mark->column + 1};
    }
    return bind_group(value->source, value->document, target, value->node) &&
           scene_check_entry(value->source, mark, value->label, list, target.entry.values,
                             target.entry.form);
}

static bool bind_entries(const Value *value, const SceneList *list, Scene *scene)
{
    const yaml_node_t *node = value->node;
    RenderRamp *ramp = scene_ramp(list, scene);
    char kind[96];
    snprintf(kind, sizeof kind, "a list of %s", ramp == NULL ? list->name : "stops, ");
    if (ramp != NULL)
        scene_ramp_words(list, kind + strlen(kind), sizeof kind - strlen(kind));
    if (ramp != NULL && plain_text(node) != NULL && scene_ramp_name(list, plain_text(node), scene))
        return true;
    const int count = scene_yaml_count(node);
    if (count < 0)
        return refuse(value, kind);
    if (ramp != NULL && count == 0)
        return scene_yaml_fail(value->source, &node->start_mark,
                               "'%s' has no stops; the word off removes them", value->label);
    if (count > list->most) {
        return scene_yaml_fail(value->source, &node->start_mark,
                               "'%s' has %d entries; at most %d fit", value->label, count,
                               list->most);
    }
    for (int i = 0; i < count; i++) {
        Value part = list_part(value, i);
        if (!bind_entry(&part, list, scene, i))
            return false;
    }
    *scene_list_count(list, scene) = count;
    const int late = ramp != NULL ? render_ramp_unsorted(ramp) : -1;
    if (late < 0)
        return true;
    Value stop = list_part(value, late);
    return scene_yaml_fail(value->source, &stop.node->start_mark,
                           "'%s.at' must be at least %g, the position of the stop before, not %g",
                           stop.label, (double)ramp->stops[late - 1].at,
                           (double)ramp->stops[late].at);
}

/* Binds the value of one key of the target's table. */
static bool bind_key(const SceneSource *source, yaml_document_t *document, Target target,
                     const SceneKey *key, const yaml_node_t *node)
{
    Value value = {.source = source, .document = document, .key = key, .node = node};
    join(value.label, target.label, key->path);
    void *base = scene_entry_home(&target.entry, key);
    if (base == NULL)
        return refuse_form(&value, key->home == SCENE_HOME_FORM
                                       ? "is possible in entries of emitters and solids only"
                                       : "is possible in entries of lists only");
    void *at = (char *)base + key->offset;
    double number;
    switch (key->type) {
    case SCENE_KEY_INT:
        return bind_number(&value, true, &number) && (*(int *)at = (int)number, true);
    case SCENE_KEY_SEED:
        return bind_number(&value, true, &number) && (*(uint32_t *)at = (uint32_t)number, true);
    case SCENE_KEY_BOOL:
        return bind_bool(&value, at);
    case SCENE_KEY_FLOAT:
    case SCENE_KEY_DOUBLE:
    case SCENE_KEY_VECTOR:
    case SCENE_KEY_SIZE:
    case SCENE_KEY_COLOR:
        return bind_floats(&value, base);
    case SCENE_KEY_ROTATION:
        return bind_rotation(&value, base);
    case SCENE_KEY_CELLS:
        return bind_cells(&value, at);
    case SCENE_KEY_CHOICE:
        return bind_word(&value, at);
    case SCENE_KEY_NAME:
    case SCENE_KEY_TEXT:
        return bind_text(&value, at);
    case SCENE_KEY_EMITTER:
        return bind_emitter(&value, at);
    case SCENE_KEY_FILE:
        return key->home == SCENE_HOME_FORM ? bind_form(&value, target) : bind_file(&value, at);
    case SCENE_KEY_FORM_TEXT:
    case SCENE_KEY_FORM_FONT:
        return bind_form(&value, target);
    case SCENE_KEY_TIMELINE:
        return scene_tracks_read(source, document, node, base);
    default:
        return bind_entries(&value, scene_list_of(key->type), base);
    }
}

/* Fails with "key 'x' is not known here; ..." and a suggestion or the list of known keys. */
static bool refuse_unknown(const SceneSource *source, Target target, const char *name,
                           const char *quoted, const yaml_mark_t *mark)
{
    char known[420];
    scene_suggest_key(target.table, target.group, name, known, sizeof known);
    return scene_yaml_fail(source, mark, "key %s is not known here; %s", quoted, known);
}

/* Refuses a key that is not a plain name, or that occurs twice in the mapping. */
static bool check_name(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *mapping, const yaml_node_pair_t *pair, Target target)
{
    const yaml_node_t *name = yaml_document_get_node(document, pair->key);
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote(name, quoted);
    const yaml_mark_t *mark = &name->start_mark;
    if (name->type != YAML_SCALAR_NODE)
        return scene_yaml_fail(source, mark, "a key must be a name, not %s", quoted);
    const char *text = (const char *)name->data.scalar.value;
    if (strlen(text) != name->data.scalar.length || strpbrk(text, ".[]") != NULL)
        return refuse_unknown(source, target, "", quoted, mark);
    for (const yaml_node_pair_t *other = mapping->data.mapping.pairs.start; other < pair; other++) {
        const yaml_node_t *earlier = yaml_document_get_node(document, other->key);
        if (strcmp((const char *)earlier->data.scalar.value, text) == 0) {
            return scene_yaml_fail(source, mark, "key %s is here twice, first in line %zu", quoted,
                                   earlier->start_mark.line + 1);
        }
    }
    return true;
}

/* Ignores the value of a key of older files, and keeps the notice of it. */
static void ignore(const SceneGone *gone, const char *value, Scene *scene)
{
    if (strstr(value, gone->word) != NULL)
        scene->gone = gone->notice;
}

static bool bind_pair(const SceneSource *source, yaml_document_t *document, Target target,
                      const yaml_node_pair_t *pair)
{
    const yaml_node_t *name = yaml_document_get_node(document, pair->key);
    const yaml_node_t *node = yaml_document_get_node(document, pair->value);
    const char *text =
        scene_keys_present(target.table, target.group, (const char *)name->data.scalar.value);
    char path[PATH_SIZE];
    if (target.table == scene_keys() && target.group[0] == '\0' && strncmp(text, "x-", 2) == 0)
        return true; /* a place for anchors */
    join(path, target.group, text);
    const SceneKey *key = scene_keys_find(target.table, path);
    if (key != NULL)
        return bind_key(source, document, target, key, node);
    if (target.table == scene_keys() && strcmp(path, "light") == 0)
        return true; /* scene_bind has bound it */
    if (text[0] != '\0' && scene_keys_is_group(target.table, path)) {
        target.group = path;
        return bind_group(source, document, target, node);
    }
    char quoted[SCENE_YAML_QUOTE_SIZE];
    const SceneGone *gone = scene_keys_gone(target.table, path);
    if (gone != NULL) {
        scene_yaml_quote(node, quoted);
        ignore(gone, quoted, target.entry.values);
        return true;
    }
    scene_yaml_quote(name, quoted);
    return refuse_unknown(source, target, text, quoted, &name->start_mark);
}

/* Binds true or false in place of the group domain.unbounded. true opens all sides but the floor,
 * unless they have another role, and unbounds every open side; false bounds all. */
static bool bind_unbounded(const Value *value, BillowDef *def)
{
    bool on = false;
    if (!bind_bool(value, &on))
        return false;
    for (int side = 0; side < BILLOW_SIDES; side++) {
        if (on && side != BILLOW_FLOOR && def->faces[side] == BILLOW_CLOSED)
            def->faces[side] = BILLOW_OPEN;
        def->unbounded[side] = on && def->faces[side] == BILLOW_OPEN;
    }
    return true;
}

static bool bind_group(const SceneSource *source, yaml_document_t *document, Target target,
                       const yaml_node_t *node)
{
    if (node->type != YAML_MAPPING_NODE || strcmp((const char *)node->tag, YAML_MAP_TAG) != 0) {
        Value value = {.source = source, .document = document, .node = node};
        join(value.label, target.label, target.group);
        if (strcmp(value.label, "domain.unbounded") == 0 && node->type == YAML_SCALAR_NODE)
            return bind_unbounded(&value, &((Scene *)target.entry.values)->def);
        if (value.label[0] == '\0')
            snprintf(value.label, sizeof value.label, "a scene file");
        return refuse(&value, "a group of keys");
    }
    const yaml_node_pair_t *end = node->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < end; pair++)
        if (!check_name(source, document, node, pair, target) ||
            !bind_pair(source, document, target, pair))
            return false;
    return true;
}

/* Sets the light rig that the file names. It comes before all other keys, which change the rig's
 * values wherever they stand. Its lamps take their places by the size of the box. */
static bool bind_light(const SceneSource *source, yaml_document_t *document,
                       const yaml_node_t *root, Scene *scene)
{
    const yaml_node_t *node = scene_yaml_value(document, root, "light"),
                      *domain = scene_yaml_value(document, root, "domain");
    const yaml_node_t *size = domain != NULL ? scene_yaml_value(document, domain, "size") : NULL;
    if (node == NULL)
        return true;
    BillowError wrong;
    const SceneSource quiet = {.name = source->name,
                               .error = &wrong}; /* read again with the rest */
    if (size != NULL)
        bind_key(&quiet, document, target_of_scene(scene),
                 scene_keys_find(scene_keys(), "domain.size"), size);
    const char *name = plain_text(node);
    if (scene_light_set(scene, name != NULL ? name : "", &wrong))
        return true;
    return scene_yaml_fail(source, &node->start_mark, "'light' %s", wrong.text);
}

bool scene_bind(const SceneSource *source, yaml_document_t *document, Scene *scene)
{
    if (!bind_light(source, document, yaml_document_get_root_node(document), scene))
        return false;
    return bind_group(source, document, target_of_scene(scene),
                      yaml_document_get_root_node(document));
}

/* -- one value by its path -----------------------------------------------------------------------
 */

/* What a path such as emitters[0].smoke refers to: a key, or a whole group if key is NULL. */
typedef struct Place {
    const SceneSource *source;
    Scene *scene;
    const char *rest; /* of the path, while it is read */
    Target target;
    const SceneKey *key;
    char group[PATH_SIZE], label[PATH_SIZE]; /* storage for the target's group and label */
} Place;

static bool step_into(Place *place, Target target)
{
    snprintf(place->label, sizeof place->label, "%s", target.label);
    place->group[0] = '\0';
    place->key = NULL;
    target.group = place->group;
    target.label = place->label;
    place->target = target;
    return true;
}

static bool step_into_entry(Place *place, const SceneList *list, int index)
{
    char label[32];
    snprintf(label, sizeof label, "%s[%d]", list->name, index);
    return step_into(place, target_of_entry(list, place->scene, index, label));
}

/* Index of the entry whose name is in brackets, and the text after them in *after. -1: none. */
static int find_named(const Place *place, const SceneList *list, const char **after)
{
    const char *name = place->rest + 1, *end = strchr(name, ']');
    const int count = *scene_list_count(list, place->scene);
    if (place->rest[0] != '[' || end == NULL || name[strspn(name, "0123456789")] == ']')
        return -1;
    *after = end + 1;
    for (int i = 0; i < count && list->names != 0; i++) {
        const char *own = scene_list_whole(list, place->scene, i).name->text;
        if (strlen(own) == (size_t)(end - name) && strncmp(own, name, (size_t)(end - name)) == 0)
            return i;
    }
    return -1;
}

/* Consumes a list index, "[3]" or ".3", or the name of an entry that has one, "[key]". */
static bool step_into_list(Place *place, const SceneList *list)
{
    const int count = *scene_list_count(list, place->scene);
    const char *behind;
    const int named = find_named(place, list, &behind);
    if (named >= 0 && (*behind == '\0' || *behind == '.')) {
        place->rest = behind;
        return step_into_entry(place, list, named);
    }
    const bool bracket = place->rest[0] == '[';
    const char *digits = place->rest + 1;
    size_t length = strspn(digits, "0123456789");
    const char *after = digits + length + (bracket ? 1 : 0);
    if (length == 0 || length > 4 || (bracket && digits[length] != ']') ||
        (*after != '\0' && *after != '.')) {
        return scene_yaml_fail(place->source, &no_mark, "%s is written %s[0], %s[1], ...",
                               list->an_entry, list->name, list->name);
    }
    int index = 0;
    sscanf(digits, "%4d", &index);
    if (index >= count) {
        if (count == 0)
            return scene_yaml_fail(place->source, &no_mark,
                                   "there is no %s %d; this scene has none", list->entry, index);
        return scene_yaml_fail(place->source, &no_mark,
                               "there is no %s %d; this scene has %d, counted from 0", list->entry,
                               index, count);
    }
    place->rest = after;
    return step_into_entry(place, list, index);
}

/* Consumes one name of the path. */
static bool step(Place *place)
{
    char name[PATH_SIZE], path[PATH_SIZE];
    int length = (int)strcspn(place->rest, ".[");
    snprintf(name, sizeof name, "%.*s", length, place->rest);
    const char *present = scene_keys_present(place->target.table, place->group, name);
    join(path, place->group, present);
    place->rest += length;
    const SceneKey *key = scene_keys_find(place->target.table, path);
    if (key != NULL) {
        place->key = key;
        if (place->rest[0] == '\0')
            return true;
        if (scene_list_of(key->type) != NULL)
            return step_into_list(place, scene_list_of(key->type));
        if (key->type == SCENE_KEY_EMITTER && place->rest[0] == '.') {
            return step_into(
                place, target_of_emitter((BillowEmitter *)((char *)place->scene + key->offset),
                                         key->path));
        }
        return scene_yaml_fail(place->source, &no_mark, "'%s' has no parts; it is set as a whole",
                               path);
    }
    if (name[0] != '\0' && place->rest[0] != '[' &&
        scene_keys_is_group(place->target.table, path)) {
        memcpy(place->group, path, sizeof place->group);
        return true;
    }
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(name, strlen(name), quoted);
    return refuse_unknown(place->source, place->target, name, quoted, &no_mark);
}

static bool find_place(const SceneSource *source, Scene *scene, const char *path, Place *place)
{
    *place =
        (Place){.source = source, .scene = scene, .rest = path, .target = target_of_scene(scene)};
    place->target.group = place->group;
    while (step(place)) {
        if (place->rest[0] == '\0')
            return true;
        place->rest++;
    }
    return false;
}

bool scene_find(Scene *scene, const char *path, const SceneKey **key, void **base)
{
    BillowError unused;
    const SceneSource source = {.name = path, .assigned = path, .error = &unused};
    Place place;
    if (!find_place(&source, scene, path, &place) || place.key == NULL)
        return false;
    *key = place.key;
    *base = scene_entry_home(&place.target.entry, place.key);
    return *base != NULL;
}

void scene_path_resolve(Scene *scene, char path[SCENE_TRACK_KEY])
{
    BillowError unused;
    const SceneSource source = {.name = path, .assigned = path, .error = &unused};
    Place place;
    char whole[PATH_SIZE];
    if (!find_place(&source, scene, path, &place) || place.key == NULL)
        return;
    join(whole, place.label, place.key->path);
    if (strlen(whole) < SCENE_TRACK_KEY)
        memcpy(path, whole, strlen(whole) + 1);
}

/* An entry that is removed from a list; list NULL: none. */
typedef struct Removed {
    const SceneList *list;
    int index;
} Removed;

/* Follows a removal in a path with numbers. Returns false if it names a value of the entry. */
static bool follow_removal(const Removed *removed, char path[PATH_SIZE])
{
    char rest[PATH_SIZE];
    int index, end = 0;
    const size_t length = removed->list != NULL ? strlen(removed->list->name) : 0;
    if (length == 0 || strncmp(path, removed->list->name, length) != 0 ||
        sscanf(path + length, "[%d]%n", &index, &end) != 1 || end == 0)
        return true;
    if (index > removed->index) {
        snprintf(rest, sizeof rest, "%s", path + length + end);
        snprintf(path, PATH_SIZE, "%s[%d]%.80s", removed->list->name, index - 1, rest);
    }
    return index != removed->index;
}

/* Resolves the paths at the start of each word of a text, with spaces between the words. The text
 * stays as it is if it would become too long. */
static void resolve_words(Scene *scene, const Removed *removed, char *text, size_t size)
{
    char whole[512] = "";
    size_t used = 0;
    for (const char *rest = text + strspn(text, " "); *rest != '\0'; rest += strspn(rest, " ")) {
        char path[PATH_SIZE] = "";
        const int length = (int)strcspn(rest, " ="), end = (int)strcspn(rest, " ");
        snprintf(path, sizeof path, "%.*s", length, rest);
        scene_path_resolve(scene, path);
        if (length < PATH_SIZE && follow_removal(removed, path))
            used += (size_t)snprintf(whole + used, sizeof whole - used, "%s%s%.*s",
                                     used > 0 ? " " : "", path, end - length, rest + length);
        if (length >= PATH_SIZE || used >= size || used >= sizeof whole)
            return;
        rest += end;
    }
    memcpy(text, whole, used + 1);
}

static void resolve_texts(Scene *scene, const Removed *removed)
{
    resolve_words(scene, removed, scene->panel, sizeof scene->panel);
    resolve_words(scene, removed, scene->poster.set, sizeof scene->poster.set);
}

void scene_texts_resolve(Scene *scene)
{
    resolve_texts(scene, &(Removed){.list = NULL});
}

void scene_list_remove(const SceneList *list, Scene *scene, int index)
{
    int *count = scene_list_count(list, scene);
    resolve_texts(scene, &(Removed){list, index});
    scene_list_copy(list, scene, index + 1, scene, index, *count - 1 - index);
    *count -= 1;
    scene_shift_tracks(scene, list->name, index, -1);
}

bool scene_check_panel(const SceneSource *source, const yaml_mark_t *mark, const Scene *scene)
{
    char name[PATH_SIZE];
    BillowError wrong;
    const SceneSource inner = {.name = "panel", .assigned = name, .error = &wrong};
    Scene *searched = (Scene *)scene; /* not modified: other paths are set in place */
    for (const char *rest = scene->panel; rest[strspn(rest, " ")] != '\0';) {
        Place place;
        rest += strspn(rest, " ");
        int length = (int)strcspn(rest, " ");
        snprintf(name, sizeof name, "%.*s", length, rest);
        rest += length;
        if (scene_keys_gone(scene_keys(), name) != NULL)
            continue;
        if (!find_place(&inner, searched, name, &place))
            return scene_yaml_fail(source, mark, "%s", wrong.text);
        if (place.key == NULL || scene_list_of(place.key->type) != NULL ||
            place.key->type == SCENE_KEY_EMITTER || place.key->type == SCENE_KEY_TIMELINE)
            return scene_yaml_fail(source, mark,
                                   "panel: '%.100s' is a group; name one of its values", name);
    }
    return true;
}

static bool check_whole(const SceneSource *source, Scene *scene)
{
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        for (int i = 0; i < *scene_list_count(list, scene); i++) {
            char label[32];
            snprintf(label, sizeof label, "%s[%d]", list->name, i);
            if (!scene_check_entry(source, &no_mark, label, list, scene_list_entry(list, scene, i),
                                   scene_list_form(list, scene, i)))
                return false;
        }
    }
    return scene_check_emitter(source, &no_mark, "brush", &scene->brush, NULL) &&
           scene_check_emitter(source, &no_mark, "detonation", &scene->detonation, NULL) &&
           scene_check_domain(source, &no_mark, scene) &&
           scene_check_poster(source, &no_mark, scene) &&
           scene_check_panel(source, &no_mark, scene);
}

bool scene_assign(Scene *scene, const char *assignment, BillowError *error)
{
    const char *equals = strchr(assignment, '=');
    const char *begin = assignment + strspn(assignment, " \t");
    size_t length = equals != NULL ? (size_t)(equals - begin) : strlen(begin);
    while (equals != NULL && length > 0 && strchr(" \t", begin[length - 1]) != NULL)
        length--;
    char quoted[SCENE_YAML_QUOTE_SIZE];
    scene_yaml_quote_text(begin, length, quoted);
    if (equals == NULL || begin >= equals || length >= PATH_SIZE)
        return fail(error, "--set %s: write KEY=VALUE, such as solver.vorticity=8", quoted);
    char path[PATH_SIZE], name[PATH_SIZE + 8];
    snprintf(path, sizeof path, "%.*s", (int)length, begin);
    snprintf(name, sizeof name, "--set %.*s", (int)strlen(quoted) - 2, quoted + 1);
    SceneSource source = {.name = name, .assigned = path, .error = error};

    const SceneGone *gone = scene_keys_gone(scene_keys(), path);
    if (gone != NULL) {
        ignore(gone, equals + 1, scene);
        return true;
    }
    Place place;
    if (!find_place(&source, scene, path, &place))
        return false;
    /* Messages have emitters[0].smoke in place of emitters.0.smoke. */
    join(path, place.label, place.key != NULL ? place.key->path : place.group);
    snprintf(name, sizeof name, "--set %s", path);
    yaml_document_t document;
    if (!scene_yaml_load(&source, equals + 1, strlen(equals + 1), &document))
        return false;
    const yaml_node_t *node = yaml_document_get_root_node(&document);
    bool good = place.key != NULL ? bind_key(&source, &document, place.target, place.key, node)
                                  : bind_group(&source, &document, place.target, node);
    yaml_document_delete(&document);
    return good && check_whole(&source, scene);
}
