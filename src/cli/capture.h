/* SPDX-License-Identifier: MIT
 * Pictures without a window: what `render` does, and `run` where there is no display. */
#ifndef CLI_CAPTURE_H
#define CLI_CAPTURE_H

#include "report.h"
#include "scene.h"
#include "slice_ask.h"
#include "start.h"
#include "values.h"

typedef struct Capture {
    const Scene *scene;
    const BillowDef *def;
    Start *start;                   /* whose scene that is, */
    const CommandScene *checkpoint; /* and what it says of them; NULL: none are read or written */
    ValuesOutput output;
    ValuesSize size;
    int frames; /* numbered from 1, or on from the start's; frame n shows the time n / fps */
    double fps;
    double turntable; /* simulated s in which the camera goes once around; 0: it does not */
    SliceAsk slice;
    ValuesTiles flipbook; /* all frames side by side in one file, with flipbook.h's two others; 0:
                             no; transparent is true then */
    int finer; /* times that pictures are drawn as fine along each edge, and then reduced; 0 as 1 */
    bool transparent;
    const char *shader_folder; /* NULL: the embedded shaders */
    bool quiet;
    bool silent; /* nor does standard output hear where the pictures are */
} Capture;

/* What to do where a video cannot be. */
#define CAPTURE_INSTEAD "write a sequence of pictures (f_%04d.png)"

/* Simulates and draws only the frames that are written: all of a sequence, a video or a
 * flipbook, else the last. */
Status capture_run(const Capture *capture);

#endif
