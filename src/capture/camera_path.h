/* SPDX-License-Identifier: MIT
 *
 * The camera of every drawn frame, for other programs: .json with all that a frame was drawn with,
 * or .glb (glTF 2.0) with one camera that moves. Both have the axes of a scene: metres, y up,
 * right-handed; the camera looks along its own -z, x is right and y up in the picture. */
#ifndef CAPTURE_CAMERA_PATH_H
#define CAPTURE_CAMERA_PATH_H

#include "base/render_settings.h"

#include <billow/error.h>

typedef struct CameraKey {
    int number;         /* frame's number, as in names of files */
    double time;        /* simulated time, s */
    double position[3]; /* m */
    double rotation[4]; /* unit quaternion x y z w, from the camera's axes to those of the scene */
    float fov;          /* vertical field of view, degrees */
    RenderLens lens;
    float focus;    /* distance in focus along the view axis, m */
    float exposure; /* render_exposure */
} CameraKey;

typedef struct CameraPath {
    CameraKey *keys; /* allocated; freed by camera_path_free */
    int count, room;
    int width, height; /* of the picture, pixels */
    double fps;        /* frames per second */
} CameraPath;

/* Whether the path names a file of a kind that can be written: .json or .glb. */
bool camera_path_takes(const char *file, BillowError *error);

/* Adds a frame, drawn with these settings. */
bool camera_path_add(CameraPath *path, int number, double time, const RenderSettings *render,
                     BillowError *error);

/* Writes a complete file or none. The path has at least one frame. A .glb has the field of view of
 * the first frame, since glTF's does not move. */
bool camera_path_write(const CameraPath *path, const char *file, BillowError *error);

void camera_path_free(CameraPath *path);

#endif
