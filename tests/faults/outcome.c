/* SPDX-License-Identifier: MIT
 * Lists files, and checks the files and the output of a run with a fault. */
#define _GNU_SOURCE
#include "walk.h"

#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static Found *looking;

static uint64_t hash_of(const char *path)
{
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return 0;
    for (int byte = fgetc(stream); byte != EOF; byte = fgetc(stream))
        hash = (hash ^ (uint64_t)byte) * 0x100000001b3u;
    fclose(stream);
    return hash;
}

static int note(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)place;
    if (kind != FTW_D && looking->count < FOUND_MAX) {
        FoundFile *file = &looking->files[looking->count++];
        snprintf(file->path, sizeof file->path, "%s", path + 2); /* without ./ */
        file->bytes = (uint64_t)status->st_size;
        file->hash = hash_of(path);
    }
    return 0;
}

void found_look(Found *found)
{
    looking = found;
    found->count = 0;
    nftw(".", note, 16, FTW_PHYS);
}

static int clear(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    if (place->level > 0)
        remove(path);
    return 0;
}

void found_clear(void)
{
    nftw(".", clear, 16, FTW_PHYS | FTW_DEPTH);
}

const FoundFile *found_file(const Found *found, const char *path)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->files[i].path, path) == 0)
            return &found->files[i];
    return NULL;
}

static bool matches(const char *pattern, const char *path)
{
    return pattern != NULL && fnmatch(pattern, path, 0) == 0;
}

/* Messages of the driver about objects that were not created. They appear in debug contexts,
 * that is in all builds but the release. */
static bool is_for_developers(const char *line)
{
#ifdef NDEBUG
    (void)line;
    return false;
#else
    return strncmp(line, "OpenGL: GL_INVALID_", strlen("OpenGL: GL_INVALID_")) == 0;
#endif
}

/* Lines that the run without a fault does not print; each has to be the program's own. */
static int new_lines(const Outcome *plain, const Outcome *faulty, bool *own)
{
    int count = 0;
    *own = true;
    for (const char *line = faulty->words; *line != 0;) {
        size_t length = strcspn(line, "\n");
        char copy[1024];
        snprintf(copy, sizeof copy, "%.*s", (int)length, line);
        if (strstr(plain->words, copy) == NULL && !is_for_developers(copy)) {
            count++;
            *own = *own && strncmp(copy, "billow: ", 8) == 0 && strstr(copy, "Success") == NULL &&
                   strstr(copy, "(null)") == NULL && copy[length - 1] != ' ' &&
                   copy[length - 1] != ':';
        }
        line += length + (line[length] == '\n');
    }
    return count;
}

/* Files of the run with a fault must be among those of the run without, with the same content. */
static bool files_right(const Scenario *scenario, FaultClass class, const Outcome *plain,
                        const Outcome *faulty, bool told, char *why, size_t size)
{
    for (int i = 0; i < faulty->found.count; i++) {
        const FoundFile *file = &faulty->found.files[i];
        const FoundFile *wanted = found_file(&plain->found, file->path);
        bool temporary = strstr(file->path, ".tmp") != NULL;
        if (temporary && class == FAULT_REMOVE)
            continue; /* it cannot be helped */
        if (wanted == NULL && (temporary || !matches(scenario->keeps, file->path))) {
            snprintf(why, size, "it left %s", file->path);
            return false;
        }
        if (wanted != NULL && !told && !matches(scenario->varies, file->path) &&
            (wanted->bytes != file->bytes || wanted->hash != file->hash)) {
            snprintf(why, size, "%s is not what it should be", file->path);
            return false;
        }
    }
    return true;
}

static bool complete(const Scenario *scenario, const Outcome *plain, const Outcome *faulty)
{
    for (int i = 0; i < plain->found.count && !scenario->shows; i++)
        if (found_file(&faulty->found, plain->found.files[i].path) == NULL)
            return false;
    return scenario->words_vary || strcmp(plain->printed, faulty->printed) == 0;
}

/* An option that cannot be read counts as wrong usage, for any reason. */
static bool refuses_option(const Outcome *faulty)
{
    return strncmp(faulty->words, "billow: --", strlen("billow: --")) == 0;
}

bool outcome_right(const Scenario *scenario, FaultClass class, bool onward, const Outcome *plain,
                   const Outcome *faulty, char *why, size_t size)
{
    bool own;
    int lines = new_lines(plain, faulty, &own);
    if (faulty->status == -1)
        snprintf(why, size, "it did not end");
    else if (faulty->status > (refuses_option(faulty) ? 2 : 1))
        snprintf(why, size, "it ended with %d", faulty->status);
    else if (!own)
        snprintf(why, size, "its words are not right");
    else if (faulty->status >= 1 && (onward ? lines < 1 : lines != 1))
        snprintf(why, size, "it failed with %d lines", lines);
    else if (!files_right(scenario, class, plain, faulty, lines > (faulty->status != 0), why, size))
        return false;
    else if (faulty->status == 0 && lines == 0 && !complete(scenario, plain, faulty))
        snprintf(why, size, "it did less, and did not say so");
    else if (!scenario->draws && faulty->descriptors > plain->descriptors &&
             strcmp(faulty->name, "close") != 0)
        snprintf(why, size, "it left %d files open, and without the fault %d", faulty->descriptors,
                 plain->descriptors);
    else
        return true;
    return false;
}
