/* SPDX-License-Identifier: MIT
 *
 * YAML text to a tree of nodes, and messages that point into it. */
#ifndef SCENE_SCENE_YAML_H
#define SCENE_SCENE_YAML_H

#include "fail.h"
#include <stddef.h>
#include <yaml.h>

/* The source of a text, and the error that its messages fill. */
typedef struct SceneSource {
    const char *name;     /* file name, shown with line and column, or "--set PATH", shown alone */
    const char *assigned; /* PATH of `--set`; NULL for a file */
    bool apart;           /* named files have whole paths and need not exist, as in checkpoints */
    BillowError *error;
} SceneSource;

/* Fails with "FILE:LINE:COLUMN: ..." or "--set PATH: ...". line and column count from 0, as
 * libyaml's. */
bool scene_yaml_fail(const SceneSource *source, size_t line, size_t column, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Parses one document of UTF-8 that is not empty. Refuses text that would take long or much memory
 * (deep nesting, many anchors). On success the caller deletes the document. */
bool scene_yaml_load(const SceneSource *source, const char *text, size_t length,
                     yaml_document_t *document);

/* The pair of a mapping whose key is that name; NULL where there is none. */
const yaml_node_pair_t *scene_yaml_find(yaml_document_t *document, const yaml_node_t *mapping,
                                        const char *name);

/* An entry of a sequence. */
const yaml_node_t *scene_yaml_item(yaml_document_t *document, const yaml_node_t *sequence,
                                   int index);

/* Text as messages quote it: one line, short, in single quotes. */
#define SCENE_YAML_QUOTE_SIZE 64
void scene_yaml_quote_text(const char *text, size_t length, char quoted[SCENE_YAML_QUOTE_SIZE]);

/* A node as messages quote it: a scalar's text, "a list" or "a group of keys". */
void scene_yaml_quote(const yaml_node_t *node, char quoted[SCENE_YAML_QUOTE_SIZE]);

#endif
