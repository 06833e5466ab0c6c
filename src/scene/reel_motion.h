/* SPDX-License-Identifier: MIT
 *
 * The motion of a mesh from one frame to the next: as a rigid body, or along a straight line. */
#ifndef SCENE_REEL_MOTION_H
#define SCENE_REEL_MOTION_H

#include "io/mesh_file.h"

typedef struct ReelMotion {
    double center[3];      /* of the shape at the beginning */
    double middle[3];      /* of the vertices, around which the mesh turns */
    double way[3];         /* of the middle */
    double axis[3], angle; /* unit vector; rad */
} ReelMotion;

ReelMotion reel_motion_none(const double center[3]);
ReelMotion reel_motion_straight(const double from[3], const double to[3]);

/* Finds the displacement and turn that moves each vertex of one mesh to that of the other. Returns
 * false if the meshes have other triangles, or a vertex is missed by more than `tolerance`. center:
 * of the first mesh. */
bool reel_motion_fit(const MeshFile *from, const MeshFile *to, double tolerance,
                     const double center[3], ReelMotion *motion);

/* The centre and the turn, a unit quaternion (x, y, z, w), at a share of the motion, 0 to 1. */
void reel_motion_at(const ReelMotion *motion, double share, double center[3], double turn[4]);

#endif
