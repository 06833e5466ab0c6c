/* SPDX-License-Identifier: MIT
 *
 * Files of drawn frames: pictures of any format (picture_format.h), and flipbooks. */
#ifndef CAPTURE_PICTURE_FILE_H
#define CAPTURE_PICTURE_FILE_H

#include "band.h"
#include "camera.h"
#include "image.h"
#include "picture_format.h"
#include "render_settings.h"
#include <billow/billow.h>

/* Supersampling: a frame drawn factor times as fine along each edge, reduced to the size of the
 * file by the mean light of the samples of a pixel, weighted by alpha. */
typedef struct Reduce {
    int factor;        /* samples of a pixel along each edge */
    float *sums;       /* red, green, blue, alpha of each pixel of a row; NULL: factor is 1 */
    float linear[256]; /* linear light of a byte of an sRGB picture */
} Reduce;

typedef struct PictureFile {
    const PictureFormat *format;
    const char *path;
    Image image;             /* 8-bit formats: the whole picture */
    Reduce reduce;           /* 8-bit formats: from the frame to the picture */
    FloatFile *floats;       /* floating-point formats: the file that is being written */
    char slice_name[48];     /* of its channel: "slice.speed" */
    const FieldSlice *slice; /* values for a floating-point file; or NULL */
    Camera camera;           /* that sees the slice */
    int width, height;       /* of the frame, pixels */
    float low[3], high[3];   /* corners of the box, m */
} PictureFile;

/* Sets what the frame has to keep for a format. Returns the channels of 8-bit pixels that its bands
 * must hold. A slice is not drawn into a floating-point picture: its values are channels there. */
int picture_file_ask(RenderFrame *frame, const PictureFormat *format);

/* finer: pixels of the frame per pixel of the file along each edge; 1 for floating-point formats.
 * path and the frame's slice must live as long as the file. */
bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame,
                       const PictureFormat *format, int finer, const RenderSettings *render,
                       const BillowView *view, BillowError *error);
/* context: the PictureFile. */
bool picture_file_take(void *context, const Band *band, BillowError *error);
/* Writes what is not written yet. With good false nothing is left at the path. */
bool picture_file_close(PictureFile *file, bool good, BillowError *error);
/* Instead of picture_file_close, for an 8-bit picture that goes elsewhere: writes nothing. */
void picture_file_free(PictureFile *file);

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
