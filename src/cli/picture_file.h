/* SPDX-License-Identifier: MIT
 *
 * A picture's rows to a file of either kind: PNG, or EXR in linear light with depth. */
#ifndef CLI_PICTURE_FILE_H
#define CLI_PICTURE_FILE_H

#include "band.h"
#include "camera.h"
#include "exr_file.h"
#include "image.h"
#include "reduce.h"

typedef struct PictureFile {
    const char *path;
    Image image;   /* either all of the picture, */
    Reduce reduce; /* of what is drawn, to that, */
    ExrFile *exr;  /* or this, */
    char slice_name[48];
    const FieldSlice *slice; /* whose values an EXR holds as well; NULL for none */
    Camera camera;           /* that sees it */
    int width, height;       /* of the frame, pixels */
    float low[3], high[3];   /* corners of the box, m */
} PictureFile;

/* What the frame has to keep for a kind of file; channels of 8-bit pixels that its bands must hold.
 * An EXR's slice is not drawn: its values are channels of their own. */
int picture_file_ask(RenderFrame *frame, bool exr);

/* finer: times that the frame is as fine along its edges as the file's picture; 1 of an EXR. path,
 * and of an EXR the frame's slice, live as long as the file; of the look what is noted in an
 * EXR, and of the view the box, count. */
bool picture_file_open(PictureFile *file, const char *path, const RenderFrame *frame, bool exr,
                       int finer, const RenderSettings *render, const BillowView *view,
                       BillowError *error);
/* context: the PictureFile. */
bool picture_file_take(void *context, const Band *band, BillowError *error);
/* Writes what is not written yet; good false: nothing is left at the path. */
bool picture_file_close(PictureFile *file, bool good, BillowError *error);

#endif
