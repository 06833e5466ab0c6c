/* SPDX-License-Identifier: MIT
 * Meshes from files. */
#ifndef IO_MESH_FILE_H
#define IO_MESH_FILE_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct MeshFile {
    float (*vertices)[3];
    int vertex_count;
    int (*triangles)[3];
    int triangle_count;
} MeshFile;

/* Larger files are refused. */
#define MESH_FILE_BYTES_MAX ((size_t)256 << 20)

/* All triangles of an ordinary file whose name ends in .obj or .stl, vertices at one
 * place joined. Of an OBJ file vertices and faces alone are read, and no file that it names. False,
 * with a message that begins with the path, where it cannot be read, holds no triangles, or this
 * build has no assimp. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
/* The same from memory, path standing for the file, with a 0 past length; not without assimp. */
bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

#endif
