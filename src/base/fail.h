/* SPDX-License-Identifier: MIT
 *
 * Fills a BillowError, which carries an error message from a function to its caller. */
#ifndef BASE_FAIL_H
#define BASE_FAIL_H

#include "base/number.h"

#include <billow/error.h>
#include <stdbool.h>

/* Writes the message, truncated to fit, with a decimal point in every locale, masked by mask_text,
 * and returns false, so that callers can write `return fail(error, ...)`. error may be NULL. */
bool fail(BillowError *error, const char *format, ...) NUMBER_FORMAT(2, 3);

/* Bytes of the control character that a UTF-8 text begins with, 0 if it begins with another. They
 * are those of ASCII, U+0080 to U+009F, and those that change the direction of writing: text from
 * files and arguments could otherwise clear the terminal, or look like something else. */
int control_length(const char *text);

/* Bytes of the character that a UTF-8 text begins with; 0 if it ends here, or begins with a byte of
 * no character or of an incomplete one. */
int character_length(const char *text);

/* Makes a text plain UTF-8: replaces by '?' each control character and each byte of no character,
 * such as those of a character that a limited length cut. */
void mask_text(char *text);

#endif
