/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: the file of a simulation that is to go on some other time. This is the file alone,
 * sections of bytes with checksums; what they hold is put there and taken out by who knows scenes
 * (scene_checkpoint.h), but for the first, which tells what the file is of.
 *
 *     file     := header section... end
 *     header   := "BILLOWCP" | version | byte order | 0 | checksum                  24 bytes
 *     section  := kind | number | bytes | where in the file | 0 | checksum          32 bytes
 *                 block...
 *     block    := bytes | bytes packed | method | checksum of what is packed |
 *                 checksum                                                          20 bytes
 *                 what is packed
 *     end      := a section of kind "END " and 0 bytes
 *
 * Little-endian; all words have 32 bits but a section's bytes and place, of 64. A block holds 1
 * MiB, the last of a section the rest. Method 0: as it is; 1: packed by zstd (state_pack.h).
 * Checksums are CRC-32 (that of zlib): of headers over what stands before it. So every bit of the
 * file is under one, and a section that is missing, twice or from another place is found by its
 * number and place. Nothing follows the end.
 *
 * Whoever reads is never given more memory to hold than it said is right: a section tells its
 * length before its bytes are read, and a block never exceeds 1 MiB. */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "atomic_file.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKPOINT_VERSION 1u

typedef enum CheckpointKind {
    CHECKPOINT_RUN = 0x204e5552,   /* "RUN ": CheckpointRun */
    CHECKPOINT_SCENE = 0x4e454353, /* "SCEN": the text of a scene file */
    CHECKPOINT_SHAPE = 0x50414853, /* "SHAP": a distance volume; any number of them */
    CHECKPOINT_STATE = 0x54415453, /* "STAT": what billow_save_state gives */
    CHECKPOINT_END = 0x20444e45    /* "END " */
} CheckpointKind;

/* What a checkpoint is of, and what of the run is no state of its simulation. */
typedef struct CheckpointRun {
    char program[64]; /* that wrote it, "billow 0.8.0" */
    char scene[256];  /* name or path, as it was asked for */
    uint32_t grid[3];
    double time; /* s simulated */
    uint64_t steps;
    /* Of pictures or baked fields: how many there are so far, how many for a second, and how many
     * steps of the next frame are taken already, of how many: all of them where it is not written
     * yet. fps 0: it had none. */
    uint64_t frames;
    double fps;
    uint32_t part, parts;
    /* Automatic exposure, as it has got used to: stops. */
    bool exposed;
    float exposure_metered, exposure_stops;
} CheckpointRun;

/* -- writing ----------------------------------------------------------------------------------- */

typedef struct CheckpointWriter {
    AtomicFile file;
    unsigned char *packed; /* a block's */
    uint64_t at;           /* bytes written */
    uint32_t sections;
    bool memory_short;
} CheckpointWriter;

/* Begins a file at path: the header and the first section. */
bool checkpoint_create(CheckpointWriter *writer, const char *path, const CheckpointRun *run,
                       BillowError *error);
/* One more section. What goes wrong, checkpoint_commit says. */
void checkpoint_add(CheckpointWriter *writer, CheckpointKind kind, const void *bytes, size_t count);
/* The end; the file takes its place, whole and on the device, or what was there stays. */
bool checkpoint_commit(CheckpointWriter *writer, BillowError *error);
void checkpoint_abandon(CheckpointWriter *writer);

/* -- reading ----------------------------------------------------------------------------------- */

typedef struct CheckpointReader {
    FILE *stream;
    char path[512]; /* for messages */
    unsigned char *packed;
    uint64_t at;
    uint32_t sections;
    CheckpointKind kind; /* of the section that is next, */
    uint64_t bytes;      /* and its length */
    CheckpointRun run;
} CheckpointReader;

/* Whether a file begins as checkpoints do; false where it cannot be read. */
bool checkpoint_is_one(const char *path);

/* Opens one and reads what it is of. Then kind and bytes are those of the section after it. A
 * message names the path and what is wrong: another kind of file, a newer version, damage and
 * where, a file that ends early. */
bool checkpoint_open(CheckpointReader *reader, const char *path, BillowError *error);
/* The bytes of the section that is next, reader->bytes of them, and the head of the one after. */
bool checkpoint_read(CheckpointReader *reader, void *memory, BillowError *error);
/* The same for bytes that nobody wants, which are checked all the same. */
bool checkpoint_skip(CheckpointReader *reader, BillowError *error);
/* "PATH: the checkpoint is damaged: ..."; for who finds out by what it holds. Returns false. */
bool checkpoint_damaged(const CheckpointReader *reader, const char *what, BillowError *error);
void checkpoint_close(CheckpointReader *reader); /* {0} is fine */

#endif
