/* SPDX-License-Identifier: MIT
 *
 * Shapes that files give anew from frame to frame: numbered meshes, glTF files with motion, .vdb
 * files and particles. A single .vdb file, or a glTF file without motion, is a reel of one frame.
 * At most two frames are in memory. */
#ifndef SCENE_SCENE_REEL_H
#define SCENE_SCENE_REEL_H

#include "io/mesh_file.h"
#include "scene/scene_form.h"

/* -- numbered files ---------------------------------------------------------------------------- */

/* Whether the last part of a path has a place for a number, such as %04d, and no other %; its
 * folders may have any name. */
bool scene_path_is_numbered(const char *path);
/* The path of one file: the number in its place, or the path itself if it has none. */
void scene_path_of(const char *path, int number, char file[SCENE_PATH + 16]);
/* The lowest number of the files that there are, found by listing their folder; 1: there are none,
 * or the path has no place for a number. */
int scene_path_first(const char *path);
/* The number of a form's first file: form.first_frame, or the lowest. */
int scene_form_first(const SceneForm *form, const char *path);

/* -- reels ------------------------------------------------------------------------------------- */

typedef struct SceneReel SceneReel;

/* Whether the form is a reel, in place of a constant volume. */
bool scene_form_is_reel(const SceneForm *form);

/* Where the shape is, in relation to its place in the first frame. */
typedef struct ReelPose {
    double offset[3]; /* m, along the body's own axes */
    double turn[4];   /* unit quaternion (x, y, z, w) */
} ReelPose;

/* Opens the files and shows the first frame. solid: the shape changes between frames without a jump
 * and pushes the fluid; otherwise each frame stays until the next. step: longest step, s; frames
 * that are shorter than it are left out. */
SceneReel *scene_reel_open(const SceneBody *body, const BillowDef *def, bool solid, double step,
                           BillowError *error);
void scene_reel_close(SceneReel *reel); /* NULL is fine */

/* Shows the shape for a step that begins at a time, s. from, to: receive where it is at the
 * beginning and at the end. The volume of `scene_reel_volume` is another one whenever it has other
 * samples. */
bool scene_reel_show(SceneReel *reel, double time, double step, ReelPose *from, ReelPose *to,
                     BillowError *error);
const BillowVolume *scene_reel_volume(const SceneReel *reel);
/* Memory that reading a .vdb file took at most, bytes; 0: none was read. file: its path or, of a
 * sequence, that of all. */
uint64_t scene_reel_memory(const SceneReel *reel, const char **file);

/* Reads every frame. The message names the first file that is wrong. */
bool scene_reel_check(SceneReel *reel, BillowError *error);

/* -- the motion of a mesh from one frame to the next: as a rigid body, or along a straight line --
 */

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
