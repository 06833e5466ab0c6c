/* SPDX-License-Identifier: MIT
 * Triangle meshes from .obj, .stl, .gltf and .glb files. */
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
/* largest magnitude of a coordinate, m; larger ones are refused */
#define MESH_COORDINATE_MAX 1e6

/* Loads all triangles of an ordinary file and joins vertices at equal positions. From an OBJ file
 * it reads only vertices and faces; it does not open other files that the OBJ file names. A
 * glTF file is read as it is at its first key (gltf_file.h). Returns false if the file cannot be
 * read, has too few triangles, or if it needs assimp and this build has none; the message starts
 * with the path. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
/* Loads a mesh from memory. bytes: the contents of a file, followed by a 0 that `length` does not
 * count. path: only its ending is used, which selects the format: .obj or .stl. Needs assimp. */
bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error);
/* Joins vertices at equal positions, and removes triangles of which two corners become the same
 * vertex. Returns false if fewer than four triangles remain. The message does not contain the path.
 */
bool mesh_file_finish(MeshFile *mesh, BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

/* largest number of corners of a face; the time of triangulation grows with its square */
#define OBJ_CORNERS_MAX 1000

/* Checks an OBJ file before assimp reads it. Returns its vertices and faces as plain lines "v x y
 * z" and "f 1 2 3", and omits everything else. The caller frees the result. In the result, the
 * magnitudes of coordinates are at most 1e6, and faces refer to existing vertices, counted from 1.
 * *faces: receives the number of faces. text: the file's contents, followed by a 0 that `length`
 * does not count. On failure returns NULL and a message with the line number. */
char *obj_text_clean(const char *text, size_t length, size_t *faces, BillowError *error);

#endif
