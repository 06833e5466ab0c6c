/* SPDX-License-Identifier: MIT */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#include "capture/outputs.h"

#include "base/fail.h"
#include "io/atomic_file.h"
#include "io/paths.h"
#include "mpi/cluster.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char checkpoint_option[] = "--checkpoint";

/* -- names ------------------------------------------------------------------------------------- */

bool output_name_parse(const char *text, OutputName *name, BillowError *error)
{
    const char *percent = strchr(paths_last_part(text), '%'); /* folders may have any name */
    name->text = text;
    name->number_at = name->number_end = strlen(text);
    if (percent == NULL)
        return true;
    const char *end = percent + 1;
    name->digits = 1;
    if (end[0] == '0' && end[1] >= '1' && end[1] <= '9') {
        name->digits = end[1] - '0';
        end += 2;
    }
    if (*end != 'd' || strchr(end, '%') != NULL)
        return fail(error,
                    "'%s': a name may hold one '%%d' or '%%0Nd' (N from 1 to 9) for the "
                    "frame's number, and no other '%%'",
                    text);
    name->number_at = (size_t)(percent - text);
    name->number_end = (size_t)(end + 1 - text);
    name->sequence = true;
    return true;
}

bool output_name_path(const OutputName *name, int frame, char *path, size_t size,
                      BillowError *error)
{
    int length = name->sequence
                     ? snprintf(path, size, "%.*s%0*d%s", (int)name->number_at, name->text,
                                name->digits, frame, name->text + name->number_end)
                     : snprintf(path, size, "%s", name->text);
    if (length < 0 || (size_t)length >= size)
        return fail(error, "%.100s...: the name is too long", name->text);
    return true;
}

bool output_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* -- the list ---------------------------------------------------------------------------------- */

static Output *add(Outputs *outputs, const char *option)
{
    assert(outputs->count < OUTPUTS_MAX);
    Output *output = &outputs->items[outputs->count++];
    *output = (Output){.option = option};
    return output;
}

void outputs_add(Outputs *outputs, const char *option, const char *path)
{
    if (path != NULL)
        add(outputs, option)->path = path;
}

void outputs_add_checkpoint(Outputs *outputs, const char *path, const char *resume)
{
    if (path == NULL)
        return;
    Output *output = add(outputs, checkpoint_option);
    output->path = path;
    output->replace = resume != NULL && paths_same(path, resume);
}

void outputs_add_frames(Outputs *outputs, const char *option, const OutputName *name, int first,
                        int last)
{
    Output *output = add(outputs, option);
    if (!name->sequence) {
        output->path = name->text;
        return;
    }
    output->name = name;
    output->first = first;
    output->last = last;
}

/* Returns the ending of a path if it is that of a picture, a volume or a table; else NULL. */
static const char *ending_of_others(const char *path)
{
    static const char *const tables[] = {".pvd", ".json", ".csv"};
    const PictureFormat *picture = picture_format(path);
    const VolumeFormat *volume = volume_format(path);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        if (paths_end_in(path, tables[t]))
            return tables[t];
    return picture != NULL ? picture->ending : volume != NULL ? volume->ending : NULL;
}

static bool check_checkpoint(const char *path, BillowError *error)
{
    struct stat status;
    const char *ending = ending_of_others(path);
    if (output_is_stdout(path))
        return fail(error, "--checkpoint -: a checkpoint goes to a file, not to standard output");
    if (ending != NULL)
        return fail(error,
                    "--checkpoint %.300s: %s is the ending of other files; a checkpoint ends in "
                    ".ckpt",
                    path, ending);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return fail(error, "--checkpoint %.300s: a checkpoint goes to an ordinary file", path);
    return true;
}

Status outputs_check(const Outputs *outputs, BillowError *error)
{
    for (int at = 0; at < outputs->count; at++) {
        const Output *output = &outputs->items[at];
        for (const Output *first = outputs->items; first < output; first++) {
            bool streams = output_is_stdout(first->path) && output_is_stdout(output->path);
            if (first->path != NULL && output->path != NULL &&
                (streams || paths_same(first->path, output->path)))
                return status_fail(STATUS_USAGE, error, "%s and %s cannot both go to %s",
                                   first->option, output->option,
                                   streams ? "standard output" : first->path);
        }
        if (output->option == checkpoint_option && !check_checkpoint(output->path, error))
            return STATUS_USAGE;
    }
    return STATUS_DONE;
}

static bool check_free(const Outputs *outputs, const Output *output, const char *path,
                       BillowError *error)
{
    return outputs->force || output->replace || !atomic_file_stands(path) ||
           fail(error, "%.300s exists; --force overwrites it", path);
}

static bool probe(const Outputs *outputs, const Output *output, BillowError *error)
{
    char path[OUTPUT_PATH];
    if (output->path != NULL)
        return check_free(outputs, output, output->path, error) &&
               atomic_file_probe(output->path, error);
    for (int frame = output->last; frame >= output->first; frame--)
        if (!output_name_path(output->name, frame, path, sizeof path, error) ||
            !check_free(outputs, output, path, error))
            return false;
    return atomic_file_probe(path, error);
}

Status outputs_probe(const Outputs *outputs, BillowError *error)
{
    bool good = true;
    if (!outputs->force)
        atomic_file_keep_others();
    for (int at = 0; at < outputs->count && good; at++)
        good = (!cluster_leads() && !outputs->items[at].own) ||
               probe(outputs, &outputs->items[at], error);
    return cluster_agree(good, error) ? STATUS_DONE : STATUS_FAILED;
}

void outputs_print(const OutputName *name, int first, int written, const char *more)
{
    char start[OUTPUT_PATH], end[OUTPUT_PATH];
    BillowError error;
    if (written == 0 || output_is_stdout(name->text) ||
        !output_name_path(name, first, start, sizeof start, &error) ||
        !output_name_path(name, written, end, sizeof end, &error))
        return;
    if (name->sequence && written > first)
        printf("wrote %s to %s%s\n", start, end, more);
    else
        printf("wrote %s%s\n", end, more);
}
