/* SPDX-License-Identifier: MIT
 *
 * Meshes that move, from glTF 2.0 files (.gltf and .glb). The nodes of the file's scene, their
 * places and their animations are read. All animations play at once; where two move the same value
 * of a node, the first one does. Materials, cameras and lights are ignored. Skins, morph targets
 * and sparse accessors are refused. y points up and lengths are metres, as in a scene. */
#ifndef IO_GLTF_FILE_H
#define IO_GLTF_FILE_H

#include "io/mesh_file.h"

typedef struct GltfFile GltfFile;

/* Whether the ending is that of a glTF file. */
bool gltf_file_is(const char *path);
/* Whether it is a glTF file that can be read and that has an animation. */
bool gltf_file_moves(const char *path);

/* Reads a file and the files of its buffers, which must lie in its folder or below. On failure
 * returns NULL and a message that starts with the path. */
GltfFile *gltf_file_open(const char *path, BillowError *error);
/* The same for a file's contents in memory, which must stay until this returns. */
GltfFile *gltf_file_read(const char *path, char *bytes, size_t length, BillowError *error);
void gltf_file_close(GltfFile *file); /* NULL is fine */

/* Length of the animation, from the first key to the last, s; 0 if nothing moves or all is over
 * within a millisecond. */
double gltf_file_seconds(const GltfFile *file);

/* Whether key times were below 0 or did not rise. Then a time that is too early counts as the one
 * before it, or as 0, and of keys at one time the last one counts. */
bool gltf_file_mended(const GltfFile *file);

/* Makes the mesh at a time after the first key, s. It has the same triangles at any time, unless
 * parts shrink to nothing. The message does not contain the path. */
bool gltf_file_mesh(const GltfFile *file, double time, MeshFile *mesh, BillowError *error);

#endif
