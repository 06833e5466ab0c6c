/* SPDX-License-Identifier: MIT
 *
 * States of a simulation made small without loss, by zstd where Billow was built with it. What is
 * packed is the same on machines of either byte order. */
#ifndef IO_STATE_PACK_H
#define IO_STATE_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes that a state of so many may come to. */
size_t state_pack_bound(size_t bytes);
/* Returns how many it came to; 0 where memory is short. */
size_t state_pack(const unsigned char *state, size_t bytes, unsigned char *packed);
/* False where what was packed is none, or of another length. */
bool state_unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *state,
                  size_t bytes);
/* Whether states do get smaller. */
bool state_pack_works(void);

#endif
