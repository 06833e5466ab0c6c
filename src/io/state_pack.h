/* SPDX-License-Identifier: MIT
 *
 * Lossless compression of simulation states, by zstd where Billow was built with it. The packed
 * bytes are the same on machines of either byte order. */
#ifndef IO_STATE_PACK_H
#define IO_STATE_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Largest packed size of a state, bytes. */
size_t state_pack_bound(size_t bytes);
/* Returns the packed size, bytes; 0 where memory is short. */
size_t state_pack(const unsigned char *state, size_t bytes, unsigned char *packed);
/* False where the packed bytes are damaged or belong to a state of another size. */
bool state_unpack(const unsigned char *packed, size_t packed_bytes, unsigned char *state,
                  size_t bytes);
/* Whether this build compresses; without zstd the packed size is the same. */
bool state_pack_works(void);

#endif
