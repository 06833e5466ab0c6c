/* SPDX-License-Identifier: MIT
 *
 * Building a JSON document with one check at the end: every call is fine after memory ran out, and
 * json_write then says so. Numbers that are not finite become null. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <billow/error.h>
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Json {
    cJSON *root;
    bool incomplete; /* memory ran out on the way */
} Json;

Json json_start(void);
void json_finish(Json *json);

/* Each adds to parent (json.root or what json_object and json_array returned). name is NULL in an
 * array. */
cJSON *json_object(Json *json, cJSON *parent, const char *name);
cJSON *json_array(Json *json, cJSON *parent, const char *name);
void json_number(Json *json, cJSON *parent, const char *name, double value);
void json_text(Json *json, cJSON *parent, const char *name, const char *text);
void json_flag(Json *json, cJSON *parent, const char *name, bool value);
void json_null(Json *json, cJSON *parent, const char *name);
void json_grid(Json *json, cJSON *parent, const char *name, const int grid[3]);
void json_hash(Json *json, cJSON *parent, const char *name, uint64_t hash);

/* Whole or not at all; "-" is standard output. */
bool json_write(const Json *json, const char *path, BillowError *error);

#endif
