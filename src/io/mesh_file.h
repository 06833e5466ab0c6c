/* SPDX-License-Identifier: MIT
 * Meshes from files. */
#ifndef IO_MESH_FILE_H
#define IO_MESH_FILE_H

#include <billow/error.h>
#include <stdbool.h>

typedef struct MeshFile {
    float (*vertices)[3];
    int vertex_count;
    int (*triangles)[3];
    int triangle_count;
} MeshFile;

/* All triangles of a file in a format that assimp reads (OBJ and others), vertices at one place
 * joined. False, with a message that begins with the path, where it cannot be read, holds no
 * triangles, or this build has no assimp. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

#endif
