/* SPDX-License-Identifier: MIT
 *
 * Shader files with their includes in place. `#include "name"` on a line of its own puts the named
 * file there, once per shader; each file's line numbers start at a number of its own, so that
 * a driver's message can be traced back. */
#ifndef RENDER_SHADER_SOURCE_H
#define RENDER_SHADER_SOURCE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHADER_SOURCE_FILES_MAX 16
/* Line n of file i is numbered i * SHADER_SOURCE_LINES + n. (GLSL also has numbers for files, but
 * Mesa forgets them in most of its messages.) */
#define SHADER_SOURCE_LINES 10000

typedef struct ShaderSource {
    char *text;
    size_t length, capacity;
    char files[SHADER_SOURCE_FILES_MAX][128]; /* see SHADER_SOURCE_LINES */
    int file_count;
} ShaderSource;

/* folder NULL: the embedded files. definitions go below the #version line; "" for none. */
bool shader_source_load(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error);
void shader_source_destroy(ShaderSource *source);

/* The first line of a driver's log as "file:line: words". */
void shader_source_explain(const ShaderSource *source, const char *folder, const char *log,
                           char *message, size_t size);

/* Returns a number that changes whenever a shader file of the folder changes. */
uint64_t shader_source_stamp(const char *folder);

#endif
