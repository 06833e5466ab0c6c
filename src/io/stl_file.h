/* SPDX-License-Identifier: MIT
 * STL files: triangles and nothing else. */
#ifndef IO_STL_FILE_H
#define IO_STL_FILE_H

#include "mesh_file.h"

#include <stddef.h>

/* The triangles of a file, text or binary, each with three vertices of its own; mesh is {0} before.
 * bytes end in a 0 past length. False, with what is wrong there; what was allocated stays with the
 * mesh. */
bool stl_file_read(const char *bytes, size_t length, MeshFile *mesh, BillowError *error);

#endif
