/* SPDX-License-Identifier: MIT
 *
 * Values as bytes: little-endian, bools and enumerations as 32 bits. One walk over the values
 * measures, writes and reads them, so that the three agree. */
#ifndef SIM_ARCHIVE_H
#define SIM_ARCHIVE_H

#include <billow/billow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Archive {
    unsigned char *out;      /* destination; NULL unless writing */
    const unsigned char *in; /* source; NULL unless reading; both NULL: only measuring */
    size_t at;               /* bytes so far */
} Archive;

/* Copies `count` words of `size` bytes between this machine's byte order and little-endian. */
void archive_copy(void *to, const void *from, size_t size, size_t count);

/* Each of these writes the values, or overwrites them with what it reads. */
void archive_words(Archive *archive, void *values, size_t size, size_t count);
void archive_whole(Archive *archive, uint32_t *values, size_t count);
void archive_long_whole(Archive *archive, uint64_t *values, size_t count);
void archive_real(Archive *archive, float *values, size_t count);
void archive_long_real(Archive *archive, double *values, size_t count);
void archive_flag(Archive *archive, bool *value);

/* An int or an enumeration. Whoever reads it checks its range. */
#define ARCHIVE_WORD(archive, type, value)                                                         \
    do {                                                                                           \
        uint32_t word = (uint32_t)(value);                                                         \
        archive_whole(archive, &word, 1);                                                          \
        (value) = (type)word;                                                                      \
    } while (0)

/* The tracers and fields of a state, last in it: tracers | u v w | scalars | flame | pressure,
 * without padding, x innermost. Velocity components have one element more than there are cells
 * along every axis. The pressure is in the cells' order, not packed. Ghosts and the displacement
 * are not saved; they are computed from the rest. */

/* Measures, writes or reads them, rows by all threads. Only reading changes sim. */
void state_fields_visit(Archive *archive, BillowSim *sim);

/* Whether every number of the fields is finite in a state of so many bytes that this simulation
 * could load. */
bool state_fields_finite(const BillowSim *sim, const void *memory, size_t bytes);

/* Bytes that a state of this definition takes, or a few more. */
size_t state_bytes_most(const BillowDef *def);

#endif
