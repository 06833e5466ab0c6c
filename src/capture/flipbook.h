/* SPDX-License-Identifier: MIT
 *
 * Flipbooks for game engines: all frames of an animation side by side in one PNG, row by row from
 * the top left, motion vectors in a second, and a description of both in JSON. */
#ifndef CAPTURE_FLIPBOOK_H
#define CAPTURE_FLIPBOOK_H

#include "image.h"
#include "render_settings.h"
#include <billow/billow.h>

typedef struct FlipbookForm {
    const char *path; /* ends in .png */
    int columns, rows;
    int frames;        /* at most columns * rows; tiles left over are transparent */
    int width, height; /* of a tile */
    double fps;
} FlipbookForm;

/* a_motion.png and a.json of a.png. */
typedef struct FlipbookPaths {
    char motion[4096], description[4096];
} FlipbookPaths;

typedef struct Flipbook Flipbook;

/* False where the name is too long. */
bool flipbook_paths(const char *path, FlipbookPaths *paths, BillowError *error);
/* Whether there are tiles for all frames, and a PNG holds them. */
bool flipbook_fits(const FlipbookForm *form, BillowError *error);
bool flipbook_memory(const FlipbookForm *form, BillowError *error);

/* form->path must outlive the flipbook. */
Flipbook *flipbook_open(const FlipbookForm *form, BillowError *error);
void flipbook_close(Flipbook *book);

/* Adds frame number, counted from 1: its picture, a tile with alpha, and the motion from it to the
 * next frame, which the camera next sees. */
void flipbook_picture(Flipbook *book, int number, const Image *picture);
void flipbook_motion(Flipbook *book, int number, const BillowSim *sim, const RenderSettings *render,
                     const RenderCamera *next);

/* Writes all three files, each whole or not at all. Where one fails, the others are removed. */
bool flipbook_write(const Flipbook *book, BillowError *error);
/* Prints which files were written. */
void flipbook_say(const char *path, int frames);

#endif
