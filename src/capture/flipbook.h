/* SPDX-License-Identifier: MIT
 *
 * A flipbook, for game engines: all frames of an animation in one PNG, row by row from the top
 * left; PNGs with the same tiles for motion vectors and, if asked for, for light from six sides
 * (six_way.h); and a description of all in JSON. */
#ifndef CAPTURE_FLIPBOOK_H
#define CAPTURE_FLIPBOOK_H

#include "base/render_settings.h"
#include "capture/picture_flow.h"
#include "capture/six_way.h"
#include "io/image.h"

#include <billow/billow.h>

typedef struct FlipbookForm {
    const char *path; /* ends in .png */
    int columns, rows;
    int frames;        /* at most columns * rows; unused tiles are transparent */
    int width, height; /* of a tile, pixels */
    double fps;        /* frames per second */
    int first;         /* frames of the run up to the first of the flipbook, at least 1 */
    int loop;          /* frames at the end that fade into as many before the first; 0: none */
    SixWay six_way;    /* of a flipbook without a loop */
} FlipbookForm;

/* Paths of the other files of a.png: a_motion.png, a.json, a_lights1.png, a_lights2.png and
 * a_emission.png. */
enum { FLIPBOOK_LIGHTS1, FLIPBOOK_LIGHTS2, FLIPBOOK_EMISSION, FLIPBOOK_SIX_WAYS };
typedef struct FlipbookPaths {
    char motion[4096], description[4096], six_ways[FLIPBOOK_SIX_WAYS][4096];
} FlipbookPaths;

typedef struct Flipbook Flipbook;

/* Fails if the name is too long. */
bool flipbook_paths(const char *path, FlipbookPaths *paths, BillowError *error);
/* Fails if there are fewer tiles than frames, or if the sheet is too large for a PNG. */
bool flipbook_fits(const FlipbookForm *form, BillowError *error);
/* Fails if memory is too short. */
bool flipbook_memory(const FlipbookForm *form, BillowError *error);

/* form->path must outlive the flipbook. */
Flipbook *flipbook_open(const FlipbookForm *form, BillowError *error);
void flipbook_close(Flipbook *book);

/* Adds the picture of frame `number`, 1 or higher: a tile with alpha. */
void flipbook_picture(Flipbook *book, int number, const Image *picture);
/* Adds the motion from that frame to the next. number: from 1 - form->loop on. next: the camera of
 * the next frame. */
void flipbook_motion(Flipbook *book, int number, const BillowSim *sim, const RenderSettings *render,
                     const RenderCamera *next);
/* Makes the motion of frame `number`, one of the last form->loop, that of the mixed picture
 * (picture_loop.h). flow: from its own picture to that of frame number - form->frames. */
bool flipbook_fade(Flipbook *book, int number, const PictureFlow *flow, BillowError *error);

/* The values of frame `number` for light from six sides, which are 0 at first (six_way.h). */
float *flipbook_six_ways(Flipbook *book, int number);

/* Writes all files, each whole or not at all. If one fails, the others are removed. */
bool flipbook_write(Flipbook *book, BillowError *error);
/* Prints which files were written. */
void flipbook_print(const FlipbookForm *form, int frames);

#endif
