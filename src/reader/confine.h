/* SPDX-License-Identifier: MIT
 * The limits that billow-reader takes upon itself. */
#ifndef READER_CONFINE_H
#define READER_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Limits this process for good: its memory to what it has and `memory` bytes more, and its
 * processor time, s. It can write no file and open none. Where the kernel allows it, all system
 * calls fail but those that computing needs. Returns false if a limit is refused. */
bool reader_confine(uint64_t memory, uint64_t processor);

#endif
