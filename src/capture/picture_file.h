/* SPDX-License-Identifier: MIT
 *
 * Files of drawn frames: pictures of any format (picture_format.h). */
#ifndef CAPTURE_PICTURE_FILE_H
#define CAPTURE_PICTURE_FILE_H

#include "base/render_settings.h"
#include "io/image.h"
#include "io/picture_format.h"
#include "render/frame/camera.h"
#include "render/frame/frame.h"
#include <billow/billow.h>

/* Supersampling: the frame is drawn `factor` times as fine along each edge as the file. A pixel of
 * the file is the mean light of its samples, weighted by alpha. */
typedef struct Reduce {
    int factor;        /* samples of a pixel along each edge */
    float *sums;       /* red, green, blue, alpha of each pixel of a row; NULL: factor is 1 */
    float linear[256]; /* linear light of each byte of an sRGB picture */
} Reduce;

typedef struct PictureFile {
    const PictureFormat *format;
    const char *path;
    Image image;             /* 8-bit formats: the whole picture */
    Reduce reduce;           /* 8-bit formats: from the frame to the picture */
    FloatFile *floats;       /* floating-point formats: the file that is being written */
    char slice_name[48];     /* name of the slice's channel: "slice.speed" */
    const FieldSlice *slice; /* values for a floating-point file; NULL: no slice */
    const float *motion;     /* motion vectors for such a file; NULL: none */
    Camera camera;
    int width, height;     /* of the frame, pixels */
    float low[3], high[3]; /* corners of the box, m */
} PictureFile;

/* Sets the members of a frame that a format needs. Returns the number of 8-bit channels that the
 * frame's bands must hold; 0 for floating-point formats. */
int picture_file_ask(RenderFrame *frame, const PictureFormat *format);

/* finer: pixels of the frame per pixel of the file along each edge; 1 for floating-point formats.
 * motion: a vector for each pixel as of motion_vectors_fill, but with displacements right and up;
 * NULL: none. path, motion and the frame's slice must outlive the file. A floating-point file gets
 * the motion and the slice's values as channels. */
bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame,
                       const PictureFormat *format, int finer, const RenderSettings *render,
                       const BillowView *view, const float *motion, BillowError *error);
/* Adds a band of the frame. context: the PictureFile. */
bool picture_file_take(void *context, const Band *band, BillowError *error);
/* Finishes the file, or removes it if good is false. */
bool picture_file_close(PictureFile *file, bool good, BillowError *error);
/* Frees an 8-bit picture without writing it. */
void picture_file_free(PictureFile *file);

#endif
