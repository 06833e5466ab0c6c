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

/* Larger files are refused. */
#define MESH_FILE_BYTES_MAX ((size_t)256 << 20)

/* Reads all triangles of an ordinary file and joins vertices at one place. Of an OBJ file it reads
 * only vertices and faces, and no other file that it names. False, with a message that begins with
 * the path, where the file cannot be read or has too few triangles, or this build has no assimp. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
/* The same from memory, with a 0 after length bytes. path tells the format. Only with assimp. */
bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

/* Corners of a face: cutting it into triangles takes time as their square. */
#define OBJ_CORNERS_MAX 1000

/* Checks an OBJ file before assimp reads it. Returns its vertices and faces as plain "v x y z" and
 * "f 1 2 3" lines, to be freed: coordinates within 1e6, faces of existing vertices, counted from 1.
 * Everything else is left out. *faces becomes their number. text has a 0 after length bytes. NULL
 * and a message with the line. */
char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error);

#endif
