/* SPDX-License-Identifier: MIT */
#include "scene/scene_gather.h"

#include "base/fail.h"
#include "base/system.h"
#include "io/atomic_file.h"
#include "io/font.h"
#include "io/gltf_file.h"
#include "io/paths.h"
#include "io/vdb_file.h"
#include "scene/scene_form.h"
#include "scene/scene_reel.h"
#include "scene/scene_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = SCENE_SHAPES * 3 + 2, NUMBER_MAX = 100 };

typedef struct Gathering {
    const char *path;        /* of the scene file */
    char folder[SCENE_PATH]; /* of the copies */
    bool made;               /* the folder was made */
    int count;               /* files that the scene names there */
    char (*files)[SCENE_PATH];
    int new_count; /* those that were written */
    char (*new_files)[SCENE_PATH];
} Gathering;

/* Whether the file at `path` holds these bytes. */
static bool holds(const char *path, const char *bytes, size_t length)
{
    BillowError unused;
    size_t there_length;
    char *there = whole_file_read(path, VDB_FILE_BYTES_MAX, &there_length, &unused);
    bool same = there != NULL && there_length == length && memcmp(there, bytes, length) == 0;
    free(there);
    return same;
}

static bool refuse_length(const Gathering *gathering, const char *name, BillowError *error)
{
    return fail(error, "%.200s: the names of its folders are too long for a copy of %.100s",
                gathering->path, name);
}

/* Length of a name or path without its ending. */
static int stem_of(const char *path)
{
    const char *dot = strrchr(paths_last_part(path), '.');
    return (int)(dot != NULL ? dot - path : (ptrdiff_t)strlen(path));
}

/* Finds the path of the copy: of one with the same bytes, or the first that is free. */
static bool find_copy(Gathering *gathering, const char *name, const char *bytes, size_t length,
                      char copy[SCENE_PATH], bool *stands, BillowError *error)
{
    const int stem = stem_of(name);
    int size = snprintf(gathering->folder, sizeof gathering->folder, "%.*s-files",
                        stem_of(gathering->path), gathering->path);
    if (size < 0 || (size_t)size >= sizeof gathering->folder)
        return refuse_length(gathering, name, error);
    for (int number = 1; number < NUMBER_MAX; number++) {
        char counted[16] = "";
        if (number > 1)
            snprintf(counted, sizeof counted, "-%d", number);
        size = snprintf(copy, SCENE_PATH, "%s/%.*s%s%s", gathering->folder, stem, name, counted,
                        name + stem);
        if (size < 0 || size >= SCENE_PATH)
            return refuse_length(gathering, name, error);
        *stands = holds(copy, bytes, length);
        if (*stands || access(copy, F_OK) != 0)
            return true;
    }
    return fail(error, "%.200s already holds %d other files called %.100s", gathering->folder,
                NUMBER_MAX - 1, name);
}

static bool write_copy(Gathering *gathering, const char *copy, const char *bytes, size_t length,
                       BillowError *error)
{
    AtomicFile file;
    bool stood = access(gathering->folder, F_OK) == 0;
    if (!system_make_folder(gathering->folder, error))
        return false;
    gathering->made = gathering->made || !stood;
    if (!atomic_file_open(&file, copy, error))
        return false;
    atomic_file_put(&file, bytes, length);
    if (!atomic_file_commit(&file, error))
        return false;
    snprintf(gathering->new_files[gathering->new_count++], SCENE_PATH, "%s", copy);
    return true;
}

/* Whether the scene file may name the file, or the file cannot be copied. */
static bool stays(const Gathering *gathering, const char *file)
{
    char name[PATHS_SIZE];
    return file[0] == '\0' || scene_path_is_numbered(file) ||
           paths_below(gathering->path, file, name);
}

/* Copies a file, and replaces its path by that of the copy. */
static bool gather(Gathering *gathering, char *file, size_t size, BillowError *error)
{
    char copy[SCENE_PATH];
    size_t length;
    bool stands;
    if (stays(gathering, file))
        return true;
    char *bytes = whole_file_read(file, VDB_FILE_BYTES_MAX, &length, error);
    if (bytes == NULL)
        return false;
    bool good = find_copy(gathering, paths_last_part(file), bytes, length, copy, &stands, error) &&
                (stands || write_copy(gathering, copy, bytes, length, error));
    free(bytes);
    if (good && strlen(copy) >= size)
        good = refuse_length(gathering, paths_last_part(file), error);
    BillowError reason;
    GltfFile *gltf = good && gltf_file_is(copy) ? gltf_file_open(copy, &reason) : NULL;
    if (good && gltf_file_is(copy) && gltf == NULL)
        good =
            fail(error, "%.200s needs other files beside it; save the scene in its folder", file);
    gltf_file_close(gltf);
    if (!good)
        return false;
    memcpy(file, copy, strlen(copy) + 1);
    for (int named = 0; named < gathering->count; named++)
        if (strcmp(gathering->files[named], copy) == 0)
            return true;
    snprintf(gathering->files[gathering->count++], SCENE_PATH, "%s", copy);
    return true;
}

static bool gather_form(Gathering *gathering, SceneForm *form, BillowError *error)
{
    return gather(gathering, form->mesh, sizeof form->mesh, error) &&
           gather(gathering, form->vdb, sizeof form->vdb, error) &&
           gather(gathering, form->particles, sizeof form->particles, error) &&
           (!lettering_font_is_file(form->font) ||
            gather(gathering, form->font, sizeof form->font, error));
}

static bool gather_all(Gathering *gathering, Scene *scene, BillowError *error)
{
    for (int entry = 0; entry < SCENE_SHAPES; entry++)
        if (scene_form_exists(scene, entry) &&
            !gather_form(gathering, (SceneForm *)scene_form_of(scene, entry), error))
            return false;
    RenderSurroundings *around = &scene->render.surroundings;
    return gather(gathering, scene->initial.vdb, sizeof scene->initial.vdb, error) &&
           gather(gathering, around->file, sizeof around->file, error);
}

bool scene_save_gathered(const Scene *scene, const char *path, int *copied, BillowError *error)
{
    Scene saved = *scene;
    char(*files)[SCENE_PATH] = malloc(2 * FILES_MAX * sizeof *files);
    if (files == NULL)
        return fail(error, "not enough memory to save %.200s", path);
    Gathering gathering = {.path = path, .files = files, .new_files = files + FILES_MAX};
    bool good = gather_all(&gathering, &saved, error) && scene_save(&saved, path, error);
    for (int file = 0; !good && file < gathering.new_count; file++)
        unlink(gathering.new_files[file]);
    if (!good && gathering.made)
        rmdir(gathering.folder);
    free(files);
    if (copied != NULL)
        *copied = gathering.count;
    return good;
}
