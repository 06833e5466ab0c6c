/* SPDX-License-Identifier: MIT
 *
 * Checkpoint files, from which a simulation continues later. This module reads and writes the
 * container: sections of bytes with checksums. It also defines the contents of the first section,
 * CheckpointRun. scene_checkpoint.h defines the contents of the other sections.
 *
 *     file     := header section... end
 *     header   := "BILLOWCP" | version | byte order | 0 | checksum                  24 bytes
 *     section  := kind | number | bytes | offset in file | 0 | checksum          32 bytes
 *                 block...
 *     block    := bytes | packed bytes | method | checksum of the packed data |
 *                 checksum                                                          20 bytes
 *                 packed data
 *     end      := a section of kind "END " and 0 bytes
 *
 * Numbers are little-endian and have 32 bits, except that a section's `bytes` and `offset in file`
 * have 64. A block contains 1 MiB of the section; the section's last block may be shorter. Method 0
 * stores the bytes unchanged, method 1 packs them by zstd (state_pack()). Checksums are CRC-32, as
 * in zlib. The checksum at the end of a header, of a section's head or of a block's head covers the
 * bytes of that head before it. Thus every bit of the file is checked. A section that is missing,
 * repeated or moved is detected by its number and offset. No bytes follow the end.
 *
 * Readers can limit their use of memory: the length of a section is known before its bytes are
 * read, and a block never exceeds 1 MiB. */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "io/atomic_file.h"

#include <billow/billow.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECKPOINT_VERSION 1u

typedef enum CheckpointKind {
    CHECKPOINT_RUN = 0x204e5552,   /* "RUN ": a CheckpointRun */
    CHECKPOINT_SCENE = 0x4e454353, /* "SCEN": the text of a scene file */
    CHECKPOINT_SHAPE = 0x50414853, /* "SHAP": a distance volume; any number of them */
    CHECKPOINT_STATE = 0x54415453, /* "STAT": the state of billow_save_state */
    CHECKPOINT_END = 0x20444e45    /* "END " */
} CheckpointKind;

/* What a run needs besides the simulation's state to continue. */
typedef struct CheckpointRun {
    char program[64]; /* program that wrote the checkpoint, "billow 0.8.0" */
    char scene[256];  /* name or path, as given by the user */
    uint32_t grid[3];
    double time; /* simulated, s */
    uint64_t steps;
    uint64_t frames; /* pictures or baked frames written so far */
    double fps;      /* frames per second; 0: the run had no frames */
    uint32_t part;   /* number of steps of the next frame that are done; equal to `parts`: all steps
                        are done, but the frame is not written yet */
    uint32_t parts;  /* number of steps of the next frame */
    bool exposed;    /* whether `exposure_metered` and `exposure_stops` are known */
    float exposure_metered, exposure_stops; /* state of the automatic exposure, stops */
} CheckpointRun;

enum { CHECKPOINT_BLOCK = 1 << 20 }; /* bytes of a section in a block */

/* -- writing ----------------------------------------------------------------------------------- */

typedef struct CheckpointWriter {
    AtomicFile file;
    unsigned char *packed; /* buffer for a block */
    uint64_t at;           /* bytes written */
    uint32_t sections;
    bool memory_short;
} CheckpointWriter;

/* Creates a checkpoint file with its header and first section. */
bool checkpoint_create(CheckpointWriter *writer, const char *path, const CheckpointRun *run,
                       BillowError *error);
/* Adds a section. checkpoint_commit reports errors. */
void checkpoint_add(CheckpointWriter *writer, CheckpointKind kind, const void *bytes, size_t count);
/* Adds the state of a simulation that ranks divide. Called by all ranks, which write together, each
 * its own planes (checkpoint_shared.c). writer: that of rank 0; NULL on the others. state: from
 * billow_save_state; it is overwritten. Fails on all ranks if one fails. */
bool checkpoint_add_shared(CheckpointWriter *writer, const char *path, const BillowSim *sim,
                           void *state, size_t bytes, BillowError *error);
/* Completes the file and gives it its name, as `atomic_file_commit` does. */
bool checkpoint_commit(CheckpointWriter *writer, BillowError *error);
void checkpoint_abandon(CheckpointWriter *writer);

/* -- reading ----------------------------------------------------------------------------------- */

typedef struct CheckpointReader {
    FILE *stream;
    char path[4096];
    unsigned char *packed;
    uint64_t at;
    uint32_t sections;
    CheckpointKind kind; /* kind of the next section */
    uint64_t bytes;      /* length of the next section */
    CheckpointRun run;
} CheckpointReader;

/* Whether the file is an ordinary file that starts like a checkpoint. */
bool checkpoint_is_one(const char *path);

/* Opens a checkpoint and reads its first section. `kind` and `bytes` then describe the second
 * section. On failure, the message names the path and the problem: not a checkpoint, a newer
 * version, damage with its offset, or a missing end. */
bool checkpoint_open(CheckpointReader *reader, const char *path, BillowError *error);
/* Reads the contents of the next section, reader->bytes long, and then the head of the section
 * after it. */
bool checkpoint_read(CheckpointReader *reader, void *memory, BillowError *error);
/* Reads the state of a simulation that ranks divide. Called by all ranks, which read together, each
 * the blocks with its own planes; the rest of `state`, reader->bytes long, stays as it is. Fails on
 * all ranks if one fails. */
bool checkpoint_read_shared(CheckpointReader *reader, const BillowSim *sim, void *state,
                            BillowError *error);
/* Reports that a section's contents are damaged: "PATH: the checkpoint is damaged: ...". Returns
 * false. */
bool checkpoint_damaged(const CheckpointReader *reader, const char *what, BillowError *error);
void checkpoint_close(CheckpointReader *reader); /* {0} is fine */

/* -- compression of states --------------------------------------------------------------------- */

/* Lossless compression of simulation states by zstd. Without zstd, states are stored uncompressed.
 * The packed bytes do not depend on the machine's byte order. */

/* Largest packed size of a state, bytes. */
size_t state_pack_bound(size_t bytes);
/* Returns the packed size, bytes; 0 if there is not enough memory. */
size_t state_pack(const unsigned char *state, size_t bytes, unsigned char *packed);
/* Returns false if the packed bytes are damaged or contain a state of another size. */
bool state_unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *state,
                  size_t bytes);
/* Whether this build compresses states. Without zstd the packed size equals the unpacked size. */
bool state_pack_works(void);

#endif
