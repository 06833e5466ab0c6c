/* SPDX-License-Identifier: MIT
 *
 * A flipbook, for game engines, is three files: all frames of an animation in one PNG, row by row
 * from the top left; a second PNG with motion vectors; and a description of both in JSON. */
#ifndef CAPTURE_FLIPBOOK_H
#define CAPTURE_FLIPBOOK_H

#include "base/render_settings.h"
#include "capture/picture_flow.h"
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
} FlipbookForm;

/* Paths of the other files: a_motion.png and a.json for a.png. */
typedef struct FlipbookPaths {
    char motion[4096], description[4096];
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

/* Writes all three files, each whole or not at all. If one fails, the others are removed. */
bool flipbook_write(Flipbook *book, BillowError *error);
/* Prints which files were written. */
void flipbook_print(const char *path, int frames);

#endif
