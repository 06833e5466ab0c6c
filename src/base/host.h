/* SPDX-License-Identifier: MIT
 * What the machine under the program says of itself, and whether more memory would fit. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t host_memory(void);           /* bytes; 0 where unknown */
uint64_t host_memory_available(void); /* bytes that more allocations may hold; 0 where unknown */

/* Whether so many more bytes fit; the message names what wanted them ("a grid of 64x64x64") and
 * what to try ("a smaller --grid"), in the words of the place where it is read. True where the
 * system does not say: an allocation that fails is reported by whoever makes it. */
bool host_check_memory(double bytes, const char *what, const char *advice, BillowError *error);

/* The rest of the first line of a file that begins with key; its leading number. */
bool host_read_line(const char *path, const char *key, char *text, size_t size);
uint64_t host_read_number(const char *path, const char *key);

#endif
