/* SPDX-License-Identifier: MIT
 *
 * Parses YAML text into a tree of nodes, and makes messages with positions in the text. */
#ifndef SCENE_SCENE_YAML_H
#define SCENE_SCENE_YAML_H

#include "base/fail.h"
#include <stddef.h>
#include <yaml.h>

/* Where a text comes from, and the error that receives messages about it. */
typedef struct SceneSource {
    const char *name;     /* file name, shown with line and column, or "--set PATH", shown alone */
    const char *assigned; /* PATH of `--set`; NULL for a file */
    bool apart; /* the text comes from a checkpoint: files have absolute paths and need not exist */
    bool sealed; /* the text comes from elsewhere: besides, no file is looked at */
    BillowError *error;
} SceneSource;

/* Fails with "FILE:LINE:COLUMN: ..." or "--set PATH: ...". Marks count from 0, as in libyaml; the
 * message counts from 1. */
bool scene_yaml_fail(const SceneSource *source, const yaml_mark_t *mark, const char *format, ...)
    NUMBER_FORMAT(3, 4);

/* Parses one document of UTF-8 that is not empty. Refuses text that would need much time or memory,
 * with deep nesting or many anchors. On success the caller deletes the document. */
bool scene_yaml_load(const SceneSource *source, const char *text, size_t length,
                     yaml_document_t *document);

/* The pair of a mapping that has this key; NULL if there is none. */
const yaml_node_pair_t *scene_yaml_find(yaml_document_t *document, const yaml_node_t *mapping,
                                        const char *name);

/* The value of a key in a mapping; NULL if there is none. */
const yaml_node_t *scene_yaml_value(yaml_document_t *document, const yaml_node_t *mapping,
                                    const char *name);

/* Number of entries of a sequence, of which a text of at most 256 KiB has no more than fit; -1 if
 * the node is none. */
int scene_yaml_count(const yaml_node_t *node);

/* An entry of a sequence. */
const yaml_node_t *scene_yaml_item(yaml_document_t *document, const yaml_node_t *sequence,
                                   int index);

/* Quotes a text for a message: on one line, shortened, in single quotes. */
#define SCENE_YAML_QUOTE_SIZE 64
void scene_yaml_quote_text(const char *text, size_t length, char quoted[SCENE_YAML_QUOTE_SIZE]);

/* Describes a node for a message: a scalar's text in quotes, "a list" or "a group of keys". */
void scene_yaml_quote(const yaml_node_t *node, char quoted[SCENE_YAML_QUOTE_SIZE]);

#endif
