/* SPDX-License-Identifier: MIT
 *
 * Sections and blocks of a checkpoint file, for the two modules that write and read them:
 * checkpoint.c and, where ranks do so together, checkpoint_shared.c. */
#ifndef IO_CHECKPOINT_BLOCK_H
#define IO_CHECKPOINT_BLOCK_H

#include "io/checkpoint.h"

enum { BLOCK_HEAD = 20 };

/* Writes the head of a section of `count` bytes, whose blocks follow. */
void checkpoint_begin_section(CheckpointWriter *writer, CheckpointKind kind, size_t count);
/* Packs a block and makes its head. Returns the bytes that follow the head: in `room`, which has
 * state_pack_bound(CHECKPOINT_BLOCK) bytes, or the block's own if packing does not shorten them.
 * NULL: not enough memory. */
const unsigned char *checkpoint_block_pack(const unsigned char *bytes, size_t count,
                                           unsigned char *room, unsigned char head[BLOCK_HEAD],
                                           size_t *length);

/* Reads bytes, of which none may be missing. */
bool checkpoint_get(CheckpointReader *reader, void *bytes, size_t count, BillowError *error);
/* Reads the head of the next section. */
bool checkpoint_next_section(CheckpointReader *reader, BillowError *error);
/* Whether the head of a block of `count` bytes, at an offset in the file, is as it was written. */
bool checkpoint_block_check(const CheckpointReader *reader, uint64_t at,
                            const unsigned char head[BLOCK_HEAD], size_t count, BillowError *error);
/* Unpacks a block with a good head. */
bool checkpoint_block_take(const CheckpointReader *reader, uint64_t at,
                           const unsigned char head[BLOCK_HEAD], const unsigned char *packed,
                           unsigned char *memory, size_t count, BillowError *error);

#endif
