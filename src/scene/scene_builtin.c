/* SPDX-License-Identifier: MIT */
#include "scene_builtin.h"
#include "scene.h"

#include <string.h>

/* What a newcomer should see first comes first; the rest by name. */
static int rank_of(const EmbeddedFile *file)
{
    static const char *const first[] = {"plume", "explosion", "fire"};
    enum { FIRST = sizeof first / sizeof first[0] };
    int rank = 0;
    while (rank < FIRST && strcmp(file->stem, first[rank]) != 0)
        rank++;
    return rank;
}

static bool comes_before(const EmbeddedFile *a, const EmbeddedFile *b)
{
    int difference = rank_of(a) - rank_of(b);
    return difference != 0 ? difference < 0 : strcmp(a->stem, b->stem) < 0;
}

const EmbeddedFile *scene_builtin_at(int index)
{
    for (const EmbeddedFile *file = embedded_scenes; file->name != NULL; file++) {
        int before = 0;
        for (const EmbeddedFile *other = embedded_scenes; other->name != NULL; other++)
            before += comes_before(other, file);
        if (before == index)
            return file;
    }
    return NULL;
}

const EmbeddedFile *scene_builtin_find(const char *name)
{
    for (const EmbeddedFile *file = embedded_scenes; file->name != NULL; file++)
        if (strcmp(file->stem, name) == 0)
            return file;
    return NULL;
}

const char *scene_builtin_name(int index)
{
    const EmbeddedFile *file = scene_builtin_at(index);
    return file != NULL ? file->stem : NULL;
}

const char *scene_builtin_title(int index)
{
    const EmbeddedFile *file = scene_builtin_at(index);
    return file != NULL ? file->title : NULL;
}

const char *scene_builtin_text(int index)
{
    const EmbeddedFile *file = scene_builtin_at(index);
    return file != NULL ? file->text : NULL;
}
