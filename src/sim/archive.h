/* SPDX-License-Identifier: MIT
 *
 * Values as bytes, little-endian, bools and words of enums as 32 bits. One walk over what there is
 * measures, writes and reads, so that the three agree. */
#ifndef SIM_ARCHIVE_H
#define SIM_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Archive {
    unsigned char *out;      /* where it is written to, */
    const unsigned char *in; /* or read from; both NULL: measured */
    size_t at;
} Archive;

/* To little-endian words or from them. */
void archive_copy(void *to, const void *from, size_t size, size_t count);

/* From the values or into them, as the archive goes. */
void archive_words(Archive *archive, void *values, size_t size, size_t count);
void archive_whole(Archive *archive, uint32_t *values, size_t count);
void archive_long_whole(Archive *archive, uint64_t *values, size_t count);
void archive_real(Archive *archive, float *values, size_t count);
void archive_long_real(Archive *archive, double *values, size_t count);
void archive_flag(Archive *archive, bool *value);

/* Through a word; what is read there is checked by whoever takes it. */
#define ARCHIVE_WORD(archive, type, value)                                                         \
    do {                                                                                           \
        uint32_t word = (uint32_t)(value);                                                         \
        archive_whole(archive, &word, 1);                                                          \
        (value) = (type)word;                                                                      \
    } while (0)

#endif
