/* SPDX-License-Identifier: MIT
 *
 * Closed triangle meshes, and the distance volumes (BillowVolume) made from them that give emitters
 * and solids their shape.
 *
 *     size_t bytes = billow_mesh_scratch(&mesh, &volume);
 *     void *scratch = malloc(bytes);
 *     float *distance = malloc(sizeof(float) * volume.nx * volume.ny * volume.nz);
 *     if (!billow_voxelize(&mesh, &volume, distance, scratch, &error)) ...
 *     free(scratch);
 *
 * These functions allocate no memory. Their results are the same on every machine. */
#ifndef BILLOW_MESH_H
#define BILLOW_MESH_H

#include <billow/billow.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BILLOW_TRIANGLES_MAX 50000000

/* A surface of triangles. Their corners are anticlockwise as seen from outside. */
typedef struct BillowMesh {
    const float (*vertices)[3]; /* each coordinate finite and from -1e6 to 1e6 */
    int vertex_count;
    const int (*triangles)[3]; /* indices of three vertices each */
    int triangle_count;        /* 4..BILLOW_TRIANGLES_MAX */
} BillowMesh;

/* Bytes of scratch memory that billow_mesh_check (volume NULL) or billow_voxelize needs. */
size_t billow_mesh_scratch(const BillowMesh *mesh, const BillowVolume *volume);

/* Whether the mesh is closed and not inside out. In a closed mesh two triangles share each edge and
 * agree on which side is outside. If the mesh is not closed, the message names an edge at fault. */
bool billow_mesh_check(const BillowMesh *mesh, void *scratch, BillowError *error);

/* Checks the mesh, then writes the distance from its surface at the volume's samples. The caller
 * sets the number, position and spacing of the samples. Distances are exact at the samples next to
 * the surface and nearly exact elsewhere. A point is inside if its winding number is positive;
 * parts that overlap count as one. */
bool billow_voxelize(const BillowMesh *mesh, BillowVolume *volume, float *distance, void *scratch,
                     BillowError *error);

/* Computes the smallest box around all vertices, at least one, with edges along the axes. */
void billow_mesh_bounds(const BillowMesh *mesh, float low[3], float high[3]);

#ifdef __cplusplus
}
#endif

#endif
