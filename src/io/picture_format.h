/* SPDX-License-Identifier: MIT
 *
 * The table of formats for pictures. The ending of a file's name selects the format. To add one,
 * write its function (image.c and exr_file.c are examples), declare it below, and add a row in
 * picture_format.c. */
#ifndef IO_PICTURE_FORMAT_H
#define IO_PICTURE_FORMAT_H

#include "image.h"

typedef enum PictureStorage {
    PICTURE_BYTES,  /* 8-bit sRGB, one file per picture */
    PICTURE_FLOATS, /* linear light and distances, one file per picture */
    PICTURE_VIDEO   /* 8-bit sRGB, all pictures in one file: video.h */
} PictureStorage;

/* The encoder of ffmpeg for a video. */
typedef enum VideoKind { VIDEO_NONE, VIDEO_MP4, VIDEO_WEBM, VIDEO_GIF } VideoKind;

/* -- pictures of named channels in floating point ---------------------------------------------- */

enum {
    FLOAT_CHANNELS_MAX = 16,
    FLOAT_ROWS = 16 /* rows that are compressed together */
};

typedef struct FloatChannel {
    const char *name; /* such as R or smoke.Z */
    bool half;        /* stored in 16 bits; otherwise in 32 */
    int stride;       /* distance in floats between the values of neighbouring pixels */
} FloatChannel;

typedef struct FloatPicture {
    int width, height;
    int channel_count;
    FloatChannel channels[FLOAT_CHANNELS_MAX];
    const char *comments; /* description of the channels for people, or NULL */
    float exposure;       /* exposure that a viewer should apply */
} FloatPicture;

/* A picture that is being written. The format sets the functions. */
typedef struct FloatFile {
    /* Writes the next rows from the top: a multiple of FLOAT_ROWS, or all remaining rows. values: a
     * pointer for each channel; rows are width * stride floats apart. */
    bool (*write)(struct FloatFile *file, int rows, const float *const values[],
                  BillowError *error);
    /* Completes and frees the file. With good false the file is discarded, error is unchanged, and
     * the result is false. Missing rows are an error. */
    bool (*close)(struct FloatFile *file, bool good, BillowError *error);
} FloatFile;

/* -- the table --------------------------------------------------------------------------------- */

typedef struct PictureFormat {
    const char *ending; /* ending of file names, in lower case, such as ".png" */
    const char
        *standard_output; /* name for writing this format to standard output; NULL: not possible */
    PictureStorage storage;
    bool alpha;      /* whether it stores transparency */
    bool even;       /* width and height must be even */
    double fps_most; /* highest frame rate, 1/s; 0: unlimited */
    VideoKind video;
    /* PICTURE_BYTES: writes a complete picture or none (atomic_file.h). */
    bool (*write)(const Image *image, const char *path, BillowError *error);
    /* PICTURE_FLOATS: starts a picture. Returns NULL and a message on failure. */
    FloatFile *(*open)(const char *path, const FloatPicture *picture, BillowError *error);
    /* Whether this build can write the format; otherwise a message names the missing package. NULL:
     * always. */
    bool (*available)(BillowError *error);
} PictureFormat;

/* The format of a file's name, by its ending in any case, or of a name for standard output ("-",
 * "exr:-"). NULL: unknown. */
const PictureFormat *picture_format(const char *name);
/* Row `index` of the table; NULL after the last row. */
const PictureFormat *picture_format_at(int index);
/* Writes a list of the endings for messages: ".png, .exr, .mp4, .webm and .gif". */
void picture_format_endings(char *text, size_t size);

/* Rounds width and height up to even numbers if the format needs that. */
void picture_format_fit(const PictureFormat *format, int *width, int *height);

/* Refuses a format that does not store transparency; the message recommends another format.
 * instead: a second recommendation, "write ...", or NULL. */
bool picture_format_check_alpha(const PictureFormat *format, const char *path, const char *instead,
                                BillowError *error);

/* -- the formats' own functions ---------------------------------------------------------------- */

bool exr_file_available(BillowError *error);
/* Starts an EXR file with ZIP compression and Rec. 709 primaries. The file is complete or absent;
 * path "-" is standard output. The exposure is stored as billow:exposure. */
FloatFile *exr_file_open(const char *path, const FloatPicture *picture, BillowError *error);

#endif
