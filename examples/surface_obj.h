/* SPDX-License-Identifier: MIT
 *
 * Quads of an .obj file. Its lines "v" and "f" are read, all others and a byte order mark
 * are ignored. Libraries that read such files give each face vertices of its own and forget the
 * line numbers, and both are needed. */
#ifndef SURFACE_OBJ_H
#define SURFACE_OBJ_H

#include "surface_mesh.h"

/* A base mesh. */
typedef struct Quads {
    int vertices, faces;
    Vec *position; /* of each vertex */
    Patch *face;   /* corners and lines are set */
} Quads;

/* Reads a file. On an error nothing is left to free, and *error names the file and the line. */
bool quads_read(Quads *quads, const char *path, ExampleError *error);
void quads_free(Quads *quads);

#endif
