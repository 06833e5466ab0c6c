/* SPDX-License-Identifier: MIT
 *
 * Draws pictures, videos and flipbooks of a scene without a window, for `render`, and for `run` if
 * there is no display. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "capture/flipbook.h"
#include "capture/outputs.h"
#include "capture/picture_file.h"
#include "capture/scene_start.h"
#include "render/frame/field_slice.h"

/* Memory of a cell besides the simulation, bytes: light and textures. */
#define CAPTURE_CELL_BYTES 32.0

/* Default exposures of a frame with depth of field or motion blur. */
enum { CAPTURE_EXPOSURES = 32 };

typedef struct Capture {
    SceneRun *run; /* opened, not begun */
    OutputName output;
    int width, height; /* of a picture, or of a tile of a flipbook, pixels */
    int skip;          /* frames to simulate before the first that is written */
    int frames;        /* frames after those; they are numbered on from those of the checkpoint */
    double fps;        /* frame n shows the simulated time (skip + n) / fps */
    int loop;          /* frames at the end that fade into those before the first; 0: none */
    double turntable;  /* simulated time in which the camera turns once around, s; 0: no turning */
    SliceAsk slice;
    int columns, rows;         /* tiles of a flipbook, which must be transparent; 0: none */
    SixWayEngine six_way;      /* of a flipbook */
    unsigned sheets;           /* of a flipbook, as FlipbookForm has them */
    int finer;                 /* samples of a pixel along each edge, at least 1 */
    int exposures;             /* of a frame with depth of field or motion blur */
    bool transparent;          /* no backdrop; pictures have alpha */
    const char *shader_folder; /* NULL: the built-in shaders */
    bool motion;               /* floating-point pictures have motion vectors */
    const char *camera_out;    /* file for the camera of the frames (camera_path.h); NULL: none */
    bool mute;                 /* videos have no sound */
    bool quiet;                /* no progress, no notices */
} Capture;

/* Advice in messages about videos that cannot be written. */
#define CAPTURE_INSTEAD "write a sequence of pictures (f_%04d.png)"

/* The flipbook of a capture with columns and rows. */
FlipbookForm capture_flipbook(const Capture *capture);

/* Simulates the frames. Draws and writes all of them for a sequence, a video or a flipbook, else
 * the last. error holds the reason of a failure. */
Status capture_run(const Capture *capture, BillowError *error);

#endif
