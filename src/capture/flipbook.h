/* SPDX-License-Identifier: MIT
 *
 * A flipbook, for game engines, is a set of sheets and their description in JSON. A sheet has all
 * frames of an animation, row by row from the top left. The first sheet is the picture; the others
 * stand beside it and have its name with an ending such as _motion. The table in flipbook.c has a
 * row for each. */
#ifndef CAPTURE_FLIPBOOK_H
#define CAPTURE_FLIPBOOK_H

#include "base/render_settings.h"
#include "capture/picture_flow.h"
#include "capture/six_way.h"
#include "io/picture_format.h"
#include "render/frame/frame.h"

#include <billow/billow.h>

typedef enum FlipbookSheet {
    FLIPBOOK_PICTURE,
    FLIPBOOK_MOTION,
    FLIPBOOK_LIGHTS_1, /* six-way light (six_way.h) */
    FLIPBOOK_LIGHTS_2,
    FLIPBOOK_EMISSION, /* light that the smoke gives by itself */
    FLIPBOOK_NORMALS,
    FLIPBOOK_SHEETS
} FlipbookSheet;

/* Names of the sheets that are written only if asked for: "emission", "normals"; NULL: no more. */
const char *flipbook_sheet_name(int index);

typedef struct FlipbookForm {
    const char *path;            /* of the picture */
    const PictureFormat *format; /* of all sheets: 8-bit with alpha, or floating-point */
    int columns, rows;
    int frames;        /* at most columns * rows; unused tiles are transparent */
    int width, height; /* of a tile, pixels */
    int finer;         /* samples of a pixel along each edge */
    double fps;        /* frames per second */
    int first;         /* frames of the run up to the first of the flipbook, at least 1 */
    int loop;          /* frames at the end that fade into as many before the first; 0: none */
    SixWayEngine six_way;
    unsigned sheets; /* a bit for each index of flipbook_sheet_name that is asked for */
} FlipbookForm;

/* Paths of the files: a.png, a_motion.png and so on, and a.json. */
typedef struct FlipbookPaths {
    char sheets[FLIPBOOK_SHEETS][4096]; /* empty: not written */
    char description[4096];
} FlipbookPaths;

typedef struct Flipbook Flipbook;

/* Fails if the name is too long. */
bool flipbook_paths(const FlipbookForm *form, FlipbookPaths *paths, BillowError *error);
/* Fails if there are fewer tiles than frames, or if the sheet is too large for a picture. */
bool flipbook_fits(const FlipbookForm *form, BillowError *error);
/* Fails if memory is too short. */
bool flipbook_memory(const FlipbookForm *form, BillowError *error);

/* form->path must outlive the flipbook. */
Flipbook *flipbook_open(const FlipbookForm *form, BillowError *error);
void flipbook_close(Flipbook *book);

/* Adds the picture of frame `number`, 1 or higher: a tile with alpha. */
void flipbook_picture(Flipbook *book, int number, const Image *picture);
/* Drawings besides the picture: those of a SixWay, and in floating point the linear picture. */
enum { FLIPBOOK_LINEAR = SIX_WAY_DRAWN, FLIPBOOK_DRAWN };
/* Whether a sheet needs a drawing. */
bool flipbook_needs(const Flipbook *book, int drawn);
/* Takes the bands of a drawing in linear light. context: a FlipbookTake. */
typedef struct FlipbookTake {
    Flipbook *book;
    int number; /* of the frame, from 1 - form->loop on */
    int drawn;  /* a SixWay or FLIPBOOK_LINEAR */
} FlipbookTake;
bool flipbook_take(void *context, const Band *band, BillowError *error);
/* Adds the motion from that frame to the next. number: from 1 - form->loop on. next: the camera of
 * the next frame. */
void flipbook_motion(Flipbook *book, int number, const BillowSim *sim, const RenderSettings *render,
                     const RenderCamera *next);
/* Makes the motion of frame `number`, one of the last form->loop, that of the mixed picture
 * (picture_loop.h), and mixes its light likewise. flow: from its own picture to that of frame
 * number - form->frames. */
bool flipbook_fade(Flipbook *book, int number, const PictureFlow *flow, BillowError *error);

/* Writes all files, each whole or not at all. If one fails, the others are removed. */
bool flipbook_write(Flipbook *book, BillowError *error);
/* Prints which files were written. */
void flipbook_print(const FlipbookForm *form);

#endif
