/* SPDX-License-Identifier: MIT
 *
 * The capture session: pictures, videos and flipbooks of a scene without a window, for `render`,
 * and for `run` where there is no display. */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "outputs.h"
#include "scene_start.h"
#include "slice_ask.h"

/* What a cell needs besides the simulation, bytes: light and textures. */
#define CAPTURE_CELL_BYTES 32.0

typedef struct Capture {
    const Scene *scene;
    const BillowDef *def;
    SceneStart *start;   /* start of that scene; NULL: it begins at rest, without checkpoints */
    const SceneAsk *ask; /* what start was opened with */
    OutputName output;
    int width, height; /* of a picture, or of a tile of a flipbook, pixels */
    int frames;        /* frame n shows the time n / fps; numbers go on from the start's */
    double fps;
    double turntable; /* time in which the camera turns once around, simulated s; 0: it stands */
    SliceAsk slice;
    int columns, rows;         /* tiles of a flipbook, which must be transparent; 0: none */
    int finer;                 /* samples of a pixel along each edge; 0 counts as 1 */
    bool transparent;          /* no backdrop; pictures keep alpha */
    const char *shader_folder; /* NULL: the built-in shaders */
    bool quiet;                /* no progress, no notices */
    bool silent;               /* do not print what was written */
} Capture;

/* What to do where a video cannot be written. */
#define CAPTURE_INSTEAD "write a sequence of pictures (f_%04d.png)"

/* Simulates and draws the frames that are written: all of a sequence, a video or a flipbook, else
 * the last. error holds the reason of a failure. */
Status capture_run(const Capture *capture, BillowError *error);

#endif
