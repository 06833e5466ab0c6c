/* SPDX-License-Identifier: MIT
 *
 * The bands of a drawn frame as a file of any format (picture_format.h). */
#ifndef CAPTURE_PICTURE_FILE_H
#define CAPTURE_PICTURE_FILE_H

#include "band.h"
#include "camera.h"
#include "picture_format.h"

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

#endif
