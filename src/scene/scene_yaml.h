/* SPDX-License-Identifier: MIT
 *
 * YAML text to a tree of nodes, and messages that point into it. */
#ifndef SCENE_SCENE_YAML_H
#define SCENE_SCENE_YAML_H

#include "fail.h"
#include <stddef.h>
#include <yaml.h>

/* Where text comes from, and where its errors go. */
typedef struct SceneSource {
    const char *name;     /* a file, shown with line and column; or "--set PATH", shown alone */
    const char *assigned; /* PATH of the latter; NULL for a file */
    bool apart;           /* the files that it names are so by their whole paths, need not be there,
                             and are not looked for */
    BillowError *error;
} SceneSource;

/* "FILE:LINE:COLUMN: ..." or "--set PATH: ...". line and column count from 0, as libyaml's do. */
bool scene_yaml_fail(const SceneSource *source, size_t line, size_t column, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Parses one document of UTF-8 that is not empty. Text that would take long or much memory (deep
 * nesting, a great many anchors) is refused. True: the caller deletes the document. */
bool scene_yaml_load(const SceneSource *source, const char *text, size_t length,
                     yaml_document_t *document);

/* The pair of a mapping whose key is that name; NULL where there is none. */
const yaml_node_pair_t *scene_yaml_find(yaml_document_t *document, const yaml_node_t *mapping,
                                        const char *name);

/* An entry of a sequence. */
const yaml_node_t *scene_yaml_item(yaml_document_t *document, const yaml_node_t *sequence,
                                   int index);

/* Text as a message may quote it: one line, short, in single quotes. */
#define SCENE_YAML_QUOTE_SIZE 64
void scene_yaml_quote_text(const char *text, size_t length, char quoted[SCENE_YAML_QUOTE_SIZE]);

/* A node likewise: a scalar's text, or "a list" and so on. */
void scene_yaml_quote(const yaml_node_t *node, char quoted[SCENE_YAML_QUOTE_SIZE]);

#endif
