/* SPDX-License-Identifier: MIT
 *
 * The formats that pictures are written in, as one table. A format is chosen by the ending of the
 * file's name. To add one: write its function (image.c and exr_file.c are examples), declare it
 * below, and give it a row in picture_format.c. */
#ifndef IO_PICTURE_FORMAT_H
#define IO_PICTURE_FORMAT_H

#include "image.h"

typedef enum PictureStorage {
    PICTURE_BYTES,  /* 8-bit sRGB, one file per picture */
    PICTURE_FLOATS, /* linear light and distances, one file per picture */
    PICTURE_VIDEO   /* 8-bit sRGB, all pictures in one file: video.h */
} PictureStorage;

/* Which ffmpeg encoder makes a video. */
typedef enum VideoKind { VIDEO_NONE, VIDEO_MP4, VIDEO_WEBM, VIDEO_GIF } VideoKind;

/* -- pictures of named channels in floating point ---------------------------------------------- */

enum {
    FLOAT_CHANNELS_MAX = 16,
    FLOAT_ROWS = 16 /* rows that are compressed together */
};

typedef struct FloatChannel {
    const char *name; /* such as R or smoke.Z */
    bool half;        /* stored in 16 bits; otherwise in 32 */
    int stride;       /* floats from a pixel's value to that of its right neighbour */
} FloatChannel;

typedef struct FloatPicture {
    int width, height;
    int channel_count;
    FloatChannel channels[FLOAT_CHANNELS_MAX];
    const char *comments; /* what the channels mean, for people; or NULL */
    float exposure;       /* factor that a viewer applies to the values */
} FloatPicture;

/* A picture that is being written. Its format fills in the functions. */
typedef struct FloatFile {
    /* Writes the next rows from the top: a multiple of FLOAT_ROWS, or all that are left. values
     * holds a pointer for each channel; rows lie width * stride floats apart. */
    bool (*write)(struct FloatFile *file, int rows, const float *const values[],
                  BillowError *error);
    /* Ends and frees the file. With good false the file is dropped, error is left as it is, and
     * the result is false. Rows that are missing are an error. */
    bool (*close)(struct FloatFile *file, bool good, BillowError *error);
} FloatFile;

/* -- the table --------------------------------------------------------------------------------- */

typedef struct PictureFormat {
    const char *ending;          /* of file names, in small letters: ".png" */
    const char *standard_output; /* name of standard output in this format; NULL: not possible */
    PictureStorage storage;
    bool alpha;      /* it keeps transparency */
    bool even;       /* width and height must be even */
    double fps_most; /* most pictures per second; 0: any */
    VideoKind video;
    /* PICTURE_BYTES: writes a whole picture, or nothing (atomic_file.h). */
    bool (*write)(const Image *image, const char *path, BillowError *error);
    /* PICTURE_FLOATS: starts a picture; NULL and a message on failure. */
    FloatFile *(*open)(const char *path, const FloatPicture *picture, BillowError *error);
    /* Whether this build can write it; a message says which package is missing. NULL: always. */
    bool (*available)(BillowError *error);
} PictureFormat;

/* The format of a file's name, by its ending in capitals or not, or of a name of standard output
 * ("-", "exr:-"). NULL: none has it. */
const PictureFormat *picture_format(const char *name);
/* Row `index` of the table; NULL past the last. */
const PictureFormat *picture_format_at(int index);
/* ".png, .exr, .mp4, .webm and .gif", for messages. */
void picture_format_endings(char *text, size_t size);

/* Makes edges even where the format needs that; never smaller. */
void picture_format_fit(const PictureFormat *format, int *width, int *height);

/* -- the formats' own functions ---------------------------------------------------------------- */

bool exr_file_available(BillowError *error);
/* ZIP compression, Rec. 709 primaries. Whole or not at all; path "-" is standard output. The
 * exposure is stored as billow:exposure. */
FloatFile *exr_file_open(const char *path, const FloatPicture *picture, BillowError *error);

#endif
