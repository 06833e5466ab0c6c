/* SPDX-License-Identifier: MIT
 *
 * The smoke at the start: fields of a .vdb file, sampled on the scene's grid. */
#ifndef SCENE_SCENE_INITIAL_H
#define SCENE_SCENE_INITIAL_H

#include "scene/scene.h"

/* Fields on the grid of a definition, without padding; NULL: the file has none. */
typedef struct SceneFields {
    float *density, *temperature, *fuel;
    float *color[3];        /* density times colour */
    float *velocity[3];     /* at faces */
    double file_mass, mass; /* integral of the density, in the file and in the box, m3 */
    uint64_t file_memory;   /* that reading the file took, bytes */
    BillowError notice;     /* what is unusual about the file; empty text: nothing */
} SceneFields;

/* How the coordinates of a file lie in the scene. */
typedef struct SceneFrame {
    double scale;
    float rotation[4];
    SceneUp up;
} SceneFrame;
/* Turns a vector by a unit quaternion (v, w): x + 2 w (v x x) + 2 v x (v x x). */
void scene_frame_turn(const double q[4], const double x[3], double turned[3]);
/* Turn and scale vectors between the scene's and the file's coordinates. */
void scene_frame_to_file(const SceneFrame *frame, const double vector[3], double turned[3]);
void scene_frame_from_file(const SceneFrame *frame, const double vector[3], double turned[3]);

/* Samples the fields of scene.initial. The message names the file. */
bool scene_initial_load(const Scene *scene, const BillowDef *def, SceneFields *fields,
                        BillowError *error);
void scene_initial_free(SceneFields *fields); /* zeros are fine */
void scene_initial_apply(const SceneFields *from, BillowSim *sim);

#endif
