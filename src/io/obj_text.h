/* SPDX-License-Identifier: MIT
 * OBJ files before a library that trusts them reads them. */
#ifndef IO_OBJ_TEXT_H
#define IO_OBJ_TEXT_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Corners of a face: cutting it into triangles takes time as their square. */
#define OBJ_CORNERS_MAX 1000

/* The vertices and faces of an OBJ file as plain "v x y z" and "f 1 2 3" lines, to be freed: finite
 * coordinates within 1e6, and faces of vertices that are there, counted from 1. All else, such as
 * names of other files, is left out. *faces says how many there are. text ends in a 0 past length.
 * NULL, with the line and what is wrong there. */
char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error);

#endif
