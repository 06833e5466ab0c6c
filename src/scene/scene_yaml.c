/* SPDX-License-Identifier: MIT */
#include "scene/scene_yaml.h"

#include "base/fail.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Limits that keep parsing short: libyaml's time grows with the square of the depth and of the
 * number of anchors. The deepest key of a scene is at level 4, and scenes hardly use anchors. */
enum { DEPTH_MAX = 16, ANCHORS_MAX = 64 };

bool scene_yaml_fail(const SceneSource *source, const yaml_mark_t *mark, const char *format, ...)
{
    char what[sizeof((BillowError *)NULL)->text];
    va_list arguments;
    va_start(arguments, format);
    number_vprint(what, sizeof what, format, arguments);
    va_end(arguments);
    if (source->assigned != NULL)
        return fail(source->error, "%s: %s", source->name, what);
    return fail(source->error, "%s:%zu:%zu: %s", source->name, mark->line + 1, mark->column + 1,
                what);
}

void scene_yaml_quote_text(const char *text, size_t length, char quoted[SCENE_YAML_QUOTE_SIZE])
{
    const size_t most = 40;
    size_t shown = length < most ? length : most;
    /* Do not cut a multi-byte character. */
    while (shown < length && shown > 0 && ((unsigned char)text[shown] & 0xC0) == 0x80)
        shown--;
    size_t at = 0;
    quoted[at++] = '\'';
    for (size_t i = 0; i < shown; i++)
        quoted[at++] = text[i] != 0 ? text[i] : '?';
    snprintf(quoted + at, SCENE_YAML_QUOTE_SIZE - at, "%s'", shown < length ? "..." : "");
    mask_text(quoted);
}

void scene_yaml_quote(const yaml_node_t *node, char quoted[SCENE_YAML_QUOTE_SIZE])
{
    if (node->type == YAML_SEQUENCE_NODE) {
        snprintf(quoted, SCENE_YAML_QUOTE_SIZE, "a list");
    } else if (node->type == YAML_MAPPING_NODE) {
        snprintf(quoted, SCENE_YAML_QUOTE_SIZE, "a group of keys");
    } else if (node->data.scalar.length == 0) {
        snprintf(quoted, SCENE_YAML_QUOTE_SIZE, "an empty value");
    } else {
        scene_yaml_quote_text((const char *)node->data.scalar.value, node->data.scalar.length,
                              quoted);
    }
}

/* Line and column of a byte, both counted from 0. Columns count characters, as in libyaml. */
static yaml_mark_t mark_of(const char *text, size_t offset)
{
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n' || (byte == '\r' && (i + 1 == offset || text[i + 1] != '\n'))) {
            mark.line++;
            mark.column = 0;
        } else if (byte != '\r' && (byte & 0xC0) != 0x80) {
            mark.column++;
        }
    }
    return mark;
}

/* Whether a tab indents a line. This is a frequent mistake, and libyaml's message does not explain
 * it. */
static bool tab_indents(const char *text, size_t length, size_t line)
{
    size_t at = 0;
    for (; line > 0 && at < length; at++)
        line -= text[at] == '\n';
    while (at < length && text[at] == ' ')
        at++;
    return at < length && text[at] == '\t';
}

static bool syntax_error(const SceneSource *source, const char *text, size_t length,
                         const yaml_parser_t *parser)
{
    const char *problem = parser->problem != NULL ? parser->problem : "unreadable";
    if (parser->error == YAML_MEMORY_ERROR)
        return fail(source->error, "%s: not enough memory to read it", source->name);
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset < length ? parser->problem_offset : length;
        const yaml_mark_t place = mark_of(text, offset);
        return scene_yaml_fail(source, &place, "not plain UTF-8 text: %s", problem);
    }
    const yaml_mark_t *mark = &parser->problem_mark;
    if (source->assigned == NULL && tab_indents(text, length, mark->line))
        return scene_yaml_fail(source, mark, "not valid YAML: a tab indents this line; use spaces");
    if (parser->context != NULL) {
        /* Inside braces, a [ begins a list. The user may have meant an index, as in {key:
         * lamps[0].position}. */
        size_t at = mark->index;
        bool name = at < length && text[at] == '[' && strstr(parser->context, "flow") != NULL;
        return scene_yaml_fail(source, mark, "not valid YAML: %s, %s%s", parser->context, problem,
                               name ? "; a name with [0] in it needs quotes there" : "");
    }
    return scene_yaml_fail(source, mark, "not valid YAML: %s", problem);
}

static bool start_parser(const SceneSource *source, const char *text, size_t length,
                         yaml_parser_t *parser)
{
    if (!yaml_parser_initialize(parser))
        return fail(source->error, "%s: not enough memory to read it", source->name);
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)text, length);
    return true;
}

typedef struct Survey {
    int documents, depth, anchors;
} Survey;

static bool is_anchored(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL;
    default:
        return false;
    }
}

static bool survey_event(const SceneSource *source, const yaml_event_t *event, Survey *survey)
{
    const yaml_mark_t *mark = &event->start_mark;
    survey->anchors += is_anchored(event);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        survey->documents++;
        break;
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        survey->depth++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        survey->depth--;
        break;
    default:
        break;
    }
    if (survey->documents > 1) {
        return scene_yaml_fail(source, mark,
                               "a second document begins here; a scene is one document");
    }
    if (survey->depth > DEPTH_MAX)
        return scene_yaml_fail(source, mark, "nested deeper than %d levels", DEPTH_MAX);
    if (survey->anchors > ANCHORS_MAX)
        return scene_yaml_fail(source, mark, "more than %d anchors", ANCHORS_MAX);
    return true;
}

/* Parses the text as a stream of events, which needs little memory, to check that building its tree
 * is safe. */
static bool survey_text(const SceneSource *source, const char *text, size_t length)
{
    yaml_parser_t parser;
    if (!start_parser(source, text, length, &parser))
        return false;
    Survey survey = {0};
    bool good = true, ended = false;
    while (good && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            good = syntax_error(source, text, length, &parser);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        good = survey_event(source, &event, &survey);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (good && survey.documents == 0) {
        return scene_yaml_fail(source, &(yaml_mark_t){0},
                               source->assigned != NULL
                                   ? "a value must follow the '='"
                                   : "nothing in this file; a scene begins with a line such as "
                                     "'name: smoke'");
    }
    return good;
}

/* -- merging ------------------------------------------------------------------------------------
 *
 * The key << of a mapping takes in the keys of another one, or of a list of them, as far as it has
 * not set them itself. libyaml leaves that to its callers. */

static const char merge_key[] = "<<";

static bool is_merge(const yaml_node_t *key)
{
    return key->type == YAML_SCALAR_NODE && key->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           strcmp((const char *)key->data.scalar.value, merge_key) == 0;
}

/* A document whose mappings are merged one by one. */
typedef struct Merging {
    const SceneSource *source;
    yaml_document_t *document;
    int depth;
} Merging;

static bool merge_mapping(Merging *merging, int mapping);

/* Adds the pairs of another mapping that this one lacks. */
static bool take_in(Merging *merging, int mapping, int other, const yaml_mark_t *mark)
{
    yaml_document_t *document = merging->document;
    const yaml_node_t *from = yaml_document_get_node(document, other);
    if (from->type != YAML_MAPPING_NODE)
        return scene_yaml_fail(merging->source, mark,
                               "'<<' takes in a group of keys, such as *name, or a list of them");
    if (other == mapping || ++merging->depth > DEPTH_MAX)
        return scene_yaml_fail(merging->source, mark, "'<<' takes in the group that it is in");
    if (!merge_mapping(merging, other))
        return false;
    merging->depth--;
    from = yaml_document_get_node(document, other);
    for (const yaml_node_pair_t *pair = from->data.mapping.pairs.start;
         pair < from->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key),
                          *to = yaml_document_get_node(document, mapping);
        if (key->type == YAML_SCALAR_NODE &&
            scene_yaml_find(document, to, (const char *)key->data.scalar.value) != NULL)
            continue;
        if (!yaml_document_append_mapping_pair(document, mapping, pair->key, pair->value))
            return fail(merging->source->error, "%s: not enough memory to read it",
                        merging->source->name);
    }
    return true;
}

static bool merge_mapping(Merging *merging, int mapping)
{
    yaml_document_t *document = merging->document;
    yaml_node_t *node = yaml_document_get_node(document, mapping);
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        if (!is_merge(key))
            continue;
        const yaml_mark_t mark = key->start_mark;
        const int from = pair->value;
        memmove(pair, pair + 1, sizeof *pair * (size_t)(node->data.mapping.pairs.top - pair - 1));
        node->data.mapping.pairs.top--;
        const yaml_node_t *value = yaml_document_get_node(document, from);
        if (value->type != YAML_SEQUENCE_NODE)
            return take_in(merging, mapping, from, &mark);
        for (int item = 0; item < scene_yaml_count(value); item++)
            if (!take_in(merging, mapping, value->data.sequence.items.start[item], &mark))
                return false;
        return true;
    }
    return true;
}

static bool merge_all(const SceneSource *source, yaml_document_t *document)
{
    Merging merging = {.source = source, .document = document};
    const int count = (int)(document->nodes.top - document->nodes.start);
    for (int node = 1; node <= count; node++)
        if (yaml_document_get_node(document, node)->type == YAML_MAPPING_NODE &&
            !merge_mapping(&merging, node))
            return false;
    return true;
}

bool scene_yaml_load(const SceneSource *source, const char *text, size_t length,
                     yaml_document_t *document)
{
    /* Skip a byte order mark. When the encoding is set to UTF-8, libyaml treats the mark as text.
     */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (!survey_text(source, text, length))
        return false;
    yaml_parser_t parser;
    if (!start_parser(source, text, length, &parser))
        return false;
    bool good = yaml_parser_load(&parser, document) != 0;
    if (!good)
        syntax_error(source, text, length, &parser);
    yaml_parser_delete(&parser);
    if (good && !merge_all(source, document)) {
        yaml_document_delete(document);
        return false;
    }
    return good;
}

const yaml_node_pair_t *scene_yaml_find(yaml_document_t *document, const yaml_node_t *mapping,
                                        const char *name)
{
    if (mapping->type != YAML_MAPPING_NODE)
        return NULL;
    const yaml_node_pair_t *end = mapping->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < end; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, name) == 0)
            return pair;
    }
    return NULL;
}

const yaml_node_t *scene_yaml_value(yaml_document_t *document, const yaml_node_t *mapping,
                                    const char *name)
{
    const yaml_node_pair_t *pair = scene_yaml_find(document, mapping, name);
    return pair != NULL ? yaml_document_get_node(document, pair->value) : NULL;
}

int scene_yaml_count(const yaml_node_t *node)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return -1;
    return (int)(node->data.sequence.items.top - node->data.sequence.items.start);
}

const yaml_node_t *scene_yaml_item(yaml_document_t *document, const yaml_node_t *sequence,
                                   int index)
{
    return yaml_document_get_node(document, sequence->data.sequence.items.start[index]);
}
