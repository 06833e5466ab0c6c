/* SPDX-License-Identifier: MIT
 * Triangle meshes from .obj and .stl files. */
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

/* larger files are refused, bytes */
#define MESH_FILE_BYTES_MAX ((size_t)256 << 20)

/* Loads all triangles of an ordinary file and joins vertices at equal positions. From an OBJ file
 * it reads only vertices and faces, and it does not open the files that an OBJ file names. Returns
 * false, with a message that starts with the path, if the file cannot be read, has too few
 * triangles, or this build has no assimp. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
/* Loads a mesh from memory, with a 0 after length bytes. path gives the format. Needs assimp. */
bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

/* most corners of a face; triangulation takes time that grows with the square of it */
#define OBJ_CORNERS_MAX 1000

/* Checks an OBJ file before assimp reads it. Returns its vertices and faces as plain lines "v x y
 * z" and "f 1 2 3", which the caller frees; everything else is dropped. Coordinates are within 1e6,
 * and faces refer to existing vertices, counted from 1. *faces: number of faces. text has a 0 after
 * length bytes. On failure returns NULL and a message with the line number. */
char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error);

#endif
