/* SPDX-License-Identifier: MIT
 *
 * BillowError: one line for a person, filled by every call that can fail for a reason outside the
 * program (memory, files, graphics, bad values). It names the thing, what is wrong with it and,
 * where there is one, what would help. No trailing newline. A call that succeeds leaves it alone.
 */
#ifndef BILLOW_ERROR_H
#define BILLOW_ERROR_H

typedef struct BillowError {
    char text[512];
} BillowError;

#endif
