/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "base/embed.h"
#include "base/fail.h"
#include "base/hash.h"
#include "render/gl/shader.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX (1 << 20)

void shader_source_destroy(ShaderSource *source)
{
    free(source->text);
    *source = (ShaderSource){0};
}

static bool append(ShaderSource *source, const char *text, size_t length, BillowError *error)
{
    if (source->length + length + 1 > source->capacity) {
        size_t capacity = 2 * (source->length + length + 1);
        char *grown = realloc(source->text, capacity);
        if (grown == NULL)
            return fail(error, "shader %s: no memory to read it", source->files[0]);
        source->text = grown;
        source->capacity = capacity;
    }
    memcpy(source->text + source->length, text, length);
    source->length += length;
    source->text[source->length] = 0;
    return true;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Reads a file as a string with a terminating 0. Returns NULL and a message on failure. */
static char *read_from_folder(const char *folder, const char *name, BillowError *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    char *text = stream != NULL ? malloc(FILE_BYTES_MAX + 1) : NULL;
    if (text == NULL) {
        int problem = errno;
        if (!is_folder(folder))
            fail(error, "%s: there is no such folder of shaders", folder);
        else
            fail(error, "%s: the shader cannot be read: %s", path, english_error(problem));
        if (stream != NULL)
            fclose(stream);
        return NULL;
    }
    size_t length = fread(text, 1, FILE_BYTES_MAX + 1, stream);
    bool good = !ferror(stream) && length <= FILE_BYTES_MAX;
    if (good)
        text[length] = 0;
    else
        fail(error, "%s: the shader cannot be read: %s", path,
             ferror(stream) ? english_error(errno) : "it is larger than 1 MiB");
    fclose(stream);
    if (!good) {
        free(text);
        return NULL;
    }
    return text;
}

static char *read_embedded(const char *name, BillowError *error)
{
    for (const EmbeddedFile *file = embedded_shaders; file->name != NULL; file++) {
        if (strcmp(file->name, name) != 0)
            continue;
        char *text = malloc(file->length + 1);
        if (text == NULL) {
            fail(error, "shader %s: no memory to read it", name);
            return NULL;
        }
        memcpy(text, file->text, file->length + 1);
        return text;
    }
    fail(error, "shader %s: no shader of this name is built in", name);
    return NULL;
}

/* Extracts the name from a line `#include "name"`. Returns false for other lines. */
static bool include_name(const char *line, size_t length, char name[128])
{
    char copy[256];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, line, length);
    copy[length] = 0;
    return sscanf(copy, " #include \"%127[^\"]\"", name) == 1;
}

static bool append_file(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error);

/* Appends a #line directive that gives the next line the number of line `line` of file `file`. */
static bool append_place(ShaderSource *source, int line, int file, BillowError *error)
{
    char text[64];
    int length = snprintf(text, sizeof text, "#line %d\n", file * SHADER_SOURCE_LINES + line);
    return append(source, text, (size_t)length, error);
}

static bool append_lines(ShaderSource *source, const char *folder, const char *text, int file,
                         const char *definitions, BillowError *error)
{
    int number = 1;
    for (const char *line = text; *line != 0; number++) {
        size_t length = strcspn(line, "\n");
        char name[128];
        if (include_name(line, length, name)) {
            if (!append_file(source, folder, name, "", error) ||
                !append_place(source, number + 1, file, error))
                return false;
        } else if (strncmp(line, "#version", 8) == 0) {
            if (!append(source, GLSL_VERSION, strlen(GLSL_VERSION), error) ||
                !append(source, definitions, strlen(definitions), error) ||
                !append_place(source, number + 1, file, error))
                return false;
        } else if (!append(source, line, length, error) || !append(source, "\n", 1, error)) {
            return false;
        }
        line += length + (line[length] == '\n');
    }
    return true;
}

static bool append_file(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error)
{
    for (int i = 0; i < source->file_count; i++)
        if (strcmp(source->files[i], name) == 0)
            return true; /* the file is already included */
    if (source->file_count == SHADER_SOURCE_FILES_MAX)
        return fail(error, "shader %s: it includes more than %d files", source->files[0],
                    SHADER_SOURCE_FILES_MAX);
    char *text =
        folder != NULL ? read_from_folder(folder, name, error) : read_embedded(name, error);
    if (text == NULL)
        return false;
    int file = source->file_count++;
    snprintf(source->files[file], sizeof source->files[file], "%s", name);
    /* The first file starts with #version, which must be the first line. */
    bool placed = file == 0 || append_place(source, 1, file, error);
    bool done = placed && append_lines(source, folder, text, file, definitions, error);
    free(text);
    return done;
}

bool shader_source_load(ShaderSource *source, const char *folder, const char *name,
                        const char *definitions, BillowError *error)
{
    *source = (ShaderSource){0};
    if (append_file(source, folder, name, definitions, error) && append(source, "", 0, error))
        return true;
    shader_source_destroy(source);
    return false;
}

/* Finds the line number and the message in a driver's log. Drivers write "0:12(5): error: words"
 * (Mesa), "0(12) : error C0000: words" or "ERROR: 0:12: words": two numbers, separated by ':' or
 * '('. The second number is the line. */
static bool find_place(const char *log, int *line, const char **words)
{
    for (const char *at = log; *at != 0 && *at != '\n'; at++) {
        int used = 0;
        if (!isdigit((unsigned char)*at) || sscanf(at, "%*d%*[:(]%d%n", line, &used) != 1 ||
            used == 0)
            continue;
        at += used;
        at += strspn(at, "0123456789():, ");
        *words = at;
        return true;
    }
    return false;
}

void shader_source_explain(const ShaderSource *source, const char *folder, const char *log,
                           char *message, size_t size)
{
    int place = 0;
    const char *words = log;
    bool placed = find_place(log, &place, &words);
    int file = place / SHADER_SOURCE_LINES, line = place % SHADER_SOURCE_LINES;
    placed = placed && file < source->file_count;
    const char *name = source->files[placed ? file : 0];
    const char *slash = folder != NULL ? "/" : "";
    if (folder == NULL)
        folder = "";
    int length = (int)strcspn(words, "\n");
    if (length == 0)
        snprintf(message, size,
                 "%s%s%s: does not compile, and the graphics driver does not say why", folder,
                 slash, name);
    else if (placed)
        snprintf(message, size, "%s%s%s:%d: %.*s", folder, slash, name, line, length, words);
    else
        snprintf(message, size, "%s%s%s: %.*s", folder, slash, name, length, words);
}

uint64_t shader_source_stamp(const char *folder)
{
    DIR *entries = opendir(folder);
    if (entries == NULL)
        return 0;
    uint64_t stamp = 1;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || (strcmp(ending, ".glsl") != 0 && strcmp(ending, ".vert") != 0 &&
                               strcmp(ending, ".frag") != 0))
            continue;
        char path[4096];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &status) != 0)
            continue;
        uint64_t hash = hash_bytes(HASH_START, entry->d_name, strlen(entry->d_name));
        hash = hash_add(hash, (uint64_t)status.st_mtim.tv_sec);
        hash = hash_add(hash, (uint64_t)status.st_mtim.tv_nsec);
        /* A sum, since the order of a folder's files is not defined. */
        stamp += hash_add(hash, (uint64_t)status.st_size);
    }
    closedir(entries);
    return stamp;
}
