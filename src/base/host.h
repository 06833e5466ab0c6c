/* SPDX-License-Identifier: MIT
 * The machine under the program: its memory, what its files say, and whether the program was asked
 * to end. */
#ifndef BASE_HOST_H
#define BASE_HOST_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t host_memory(void);           /* bytes; 0 where unknown */
uint64_t host_memory_available(void); /* bytes that can still be allocated; 0 where unknown */

/* Whether so many more bytes fit. The message names what needs them ("a grid of 64x64x64") and what
 * to try ("a smaller --grid"). True where the system does not tell: whoever allocates then reports
 * the failure. */
bool host_check_memory(double bytes, const char *what, const char *advice, BillowError *error);

/* The rest of the first line of a file that begins with key. */
bool host_read_line(const char *path, const char *key, char *text, size_t size);
/* The number at the beginning of that; 0 where there is none. */
uint64_t host_read_number(const char *path, const char *key);

/* A signal handler notes the number of its signal. Everything that waits or takes long asks for the
 * last one; 0: none. */
void host_note_signal(int number);
int host_signal(void);

#endif
