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

/* Loads all triangles of an ordinary file and joins vertices at equal positions. An OBJ file is text
 * in UTF-8; only its vertices and faces are read, and it opens no other file that it names. Faces
 * have at most 1000 corners and may be concave. An STL file is text or binary. A glTF file is read
 * as it is at its first key (gltf_file.h). Returns false if the file cannot be read or has too few
 * triangles; the message starts with the path. */
bool mesh_file_load(const char *path, MeshFile *mesh, BillowError *error);
/* Loads a mesh from memory. bytes: the contents of a file, which nothing need follow. path: only
 * its ending is used, which selects the format: .obj or .stl. */
bool mesh_file_read(const char *path, const char *bytes, size_t length, MeshFile *mesh,
                    BillowError *error);
/* Joins vertices at equal positions, and removes triangles of which two corners become the same
 * vertex, and vertices without triangles. Returns false if fewer than four triangles remain. The
 * message does not contain the path. */
bool mesh_file_finish(MeshFile *mesh, BillowError *error);
void mesh_file_free(MeshFile *mesh); /* {0} is fine */

#endif
