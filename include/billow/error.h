/* SPDX-License-Identifier: MIT
 *
 * BillowError: a message of one line for the user. Every call that can fail for a reason outside
 * the program (memory, files, graphics, bad values) fills it on failure. The message names the
 * value or file at fault, what is wrong and, if known, what would help. It has no newline at its
 * end. A call that succeeds leaves it unchanged. */
#ifndef BILLOW_ERROR_H
#define BILLOW_ERROR_H

typedef struct BillowError {
    char text[512];
} BillowError;

#endif
