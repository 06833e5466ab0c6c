/* SPDX-License-Identifier: MIT
 *
 * Files of the fonts that are installed. */
#ifndef IO_FONT_H
#define IO_FONT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* The file of a family by name; "" for DejaVu Sans Bold or what there is like it. False, with a
 * message, where there is none, or this build has no fontconfig. */
bool font_find(const char *font, char *path, size_t size, BillowError *error);

/* Whether such a message says that memory ran out, and nothing of fonts. */
bool font_ran_short(const BillowError *error);

#endif
