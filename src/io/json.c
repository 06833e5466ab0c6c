/* SPDX-License-Identifier: MIT */
#include "io/json.h"

#include "base/fail.h"
#include "io/atomic_file.h"

#include <inttypes.h>
#include <math.h>

Json json_start(void)
{
    Json json = {.root = cJSON_CreateObject()};
    json.incomplete = json.root == NULL;
    return json;
}

/* Adds an item and takes ownership of it. Returns it, or NULL if it could not be added. */
static cJSON *add(Json *json, cJSON *parent, const char *name, cJSON *item)
{
    bool added = parent != NULL && item != NULL &&
                 (name != NULL ? cJSON_AddItemToObject(parent, name, item)
                               : cJSON_AddItemToArray(parent, item));
    if (added)
        return item;
    cJSON_Delete(item);
    json->incomplete = true;
    return NULL;
}

cJSON *json_object(Json *json, cJSON *parent, const char *name)
{
    return add(json, parent, name, cJSON_CreateObject());
}

cJSON *json_array(Json *json, cJSON *parent, const char *name)
{
    return add(json, parent, name, cJSON_CreateArray());
}

void json_number(Json *json, cJSON *parent, const char *name, double value)
{
    add(json, parent, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_text(Json *json, cJSON *parent, const char *name, const char *text)
{
    add(json, parent, name, cJSON_CreateString(text));
}

void json_flag(Json *json, cJSON *parent, const char *name, bool value)
{
    add(json, parent, name, cJSON_CreateBool(value));
}

void json_null(Json *json, cJSON *parent, const char *name)
{
    add(json, parent, name, cJSON_CreateNull());
}

void json_grid(Json *json, cJSON *parent, const char *name, const int grid[3])
{
    cJSON *array = json_array(json, parent, name);
    for (int axis = 0; axis < 3; axis++)
        json_number(json, array, NULL, grid[axis]);
}

void json_hash(Json *json, cJSON *parent, const char *name, uint64_t hash)
{
    /* A 64-bit number is stored as a string, because JSON numbers are read as doubles, which cannot
     * represent all 64 bits. */
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_text(json, parent, name, text);
}

bool json_write(Json *json, const char *path, BillowError *error)
{
    char *text = json->incomplete ? NULL : cJSON_Print(json->root);
    cJSON_Delete(json->root);
    json->root = NULL;
    if (text == NULL)
        return fail(error, "%s: no memory to write it", path);
    AtomicFile file;
    bool written = atomic_file_open(&file, path, error);
    if (written) {
        fprintf(file.stream, "%s\n", text); /* atomic_file_commit checks the stream's error flag */
        written = atomic_file_commit(&file, error);
    }
    cJSON_free(text);
    return written;
}
