/* SPDX-License-Identifier: MIT
 *
 * Builds a JSON document. Errors need to be checked only once: if there is not enough memory, later
 * calls have no effect and `json_write` reports the failure. Numbers that are not finite become
 * null. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <billow/error.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Json {
    cJSON *root;
    bool incomplete; /* whether there was not enough memory to build the document */
} Json;

Json json_start(void);

/* Each of these functions adds an item to `parent`, which is json.root or the result of
 * `json_object` or `json_array`. name: NULL if `parent` is an array. */
cJSON *json_object(Json *json, cJSON *parent, const char *name);
cJSON *json_array(Json *json, cJSON *parent, const char *name);
void json_number(Json *json, cJSON *parent, const char *name, double value);
void json_text(Json *json, cJSON *parent, const char *name, const char *text);
void json_flag(Json *json, cJSON *parent, const char *name, bool value);
void json_null(Json *json, cJSON *parent, const char *name);
void json_grid(Json *json, cJSON *parent, const char *name, const int grid[3]);
void json_hash(Json *json, cJSON *parent, const char *name, uint64_t hash);

/* Writes a complete file or none, and frees the document; "-" is standard output. */
bool json_write(Json *json, const char *path, BillowError *error);

#endif
