/* SPDX-License-Identifier: MIT */
#include "archive.h"

#include <string.h>

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

void archive_copy(void *to, const void *from, size_t size, size_t count)
{
    if (is_little_endian()) {
        memcpy(to, from, size * count);
        return;
    }
    for (size_t word = 0; word < count; word++)
        for (size_t byte = 0; byte < size; byte++)
            ((unsigned char *)to)[word * size + byte] =
                ((const unsigned char *)from)[word * size + size - 1 - byte];
}

void archive_words(Archive *archive, void *values, size_t size, size_t count)
{
    if (archive->out != NULL)
        archive_copy(archive->out + archive->at, values, size, count);
    else if (archive->in != NULL)
        archive_copy(values, archive->in + archive->at, size, count);
    archive->at += size * count;
}

void archive_whole(Archive *archive, uint32_t *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_long_whole(Archive *archive, uint64_t *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_real(Archive *archive, float *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_long_real(Archive *archive, double *values, size_t count)
{
    archive_words(archive, values, sizeof *values, count);
}

void archive_flag(Archive *archive, bool *value)
{
    uint32_t word = *value;
    archive_whole(archive, &word, 1);
    *value = word != 0;
}
