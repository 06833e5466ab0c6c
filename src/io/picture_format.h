/* SPDX-License-Identifier: MIT
 *
 * The table of picture formats. The ending of a file's name selects the format. To add a format,
 * write its function (image.c and exr_file.c are examples), declare it below, and add a row to the
 * table in picture_format.c. */
#ifndef IO_PICTURE_FORMAT_H
#define IO_PICTURE_FORMAT_H

#include "io/image.h"

typedef enum PictureStorage {
    PICTURE_BYTES,  /* 8-bit sRGB, one file for each picture */
    PICTURE_FLOATS, /* linear light and distances, one file for each picture */
    PICTURE_VIDEO   /* 8-bit sRGB, all pictures in one file (video.h) */
} PictureStorage;

/* The video format that ffmpeg encodes. */
typedef enum VideoKind {
    VIDEO_NONE,
    VIDEO_MP4,
    VIDEO_WEBM,
    VIDEO_MOV,
    VIDEO_WEBP,
    VIDEO_APNG,
    VIDEO_GIF
} VideoKind;

/* -- pictures of named channels in floating point ---------------------------------------------- */

enum {
    FLOAT_CHANNELS_MAX = 16,
    FLOAT_ROWS = 16 /* number of rows that are compressed together */
};

typedef struct FloatChannel {
    const char *name; /* name of the channel, for example R or smoke.Z */
    bool half;        /* true: stored as 16-bit floats; false: as 32-bit floats */
    int stride;       /* offset between the values of horizontally adjacent pixels, floats */
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
    /* Writes the next rows, from the top: a multiple of FLOAT_ROWS rows, or all remaining rows.
     * values: one pointer for each channel. In memory, rows are width * stride floats apart. */
    bool (*write)(struct FloatFile *file, int rows, const float *const values[],
                  BillowError *error);
    /* Completes and frees the file. Fails if rows are missing. good false: the file is discarded,
     * `error` is unchanged, and the function returns false. */
    bool (*close)(struct FloatFile *file, bool good, BillowError *error);
} FloatFile;

/* -- the table --------------------------------------------------------------------------------- */

typedef struct PictureFormat {
    const char *ending;          /* ending of file names, in lower case, such as ".png" */
    const char *standard_output; /* name that stands for standard output in this format; NULL: the
                                    format cannot be written to standard output */
    PictureStorage storage;
    bool alpha;      /* whether the format stores transparency */
    bool silent;     /* PICTURE_VIDEO: the format stores no sound */
    bool even;       /* width and height must be even */
    double fps_most; /* highest frame rate, 1/s; 0: unlimited */
    VideoKind video;
    /* PICTURE_BYTES: writes a complete picture or none (atomic_file.h). */
    bool (*write)(const Image *image, const char *path, BillowError *error);
    /* PICTURE_FLOATS: starts a picture. Returns NULL and a message on failure. */
    FloatFile *(*open)(const char *path, const FloatPicture *picture, BillowError *error);
    /* Whether this build can write the format. If not, the message names the missing package. NULL:
     * every build can. */
    bool (*available)(BillowError *error);
} PictureFormat;

/* Finds a format by the ending of a file's name, ignoring case, or by a name for standard output
 * ("-", "exr:-"). NULL: no format has this ending. */
const PictureFormat *picture_format(const char *name);
/* Writes a list of the endings, for messages: ".png, .tga, .jpg, .exr, .mp4, .webm, .mov, .webp,
 * .apng or .gif". */
void picture_format_endings(char *text, size_t size);

/* Rounds width and height up to even numbers if the format needs that. */
void picture_format_fit(const PictureFormat *format, int *width, int *height);

/* Returns false if a format does not store transparency. The message then recommends another
 * format. instead: a second recommendation, "write ...", or NULL. */
bool picture_format_check_alpha(const PictureFormat *format, const char *path, const char *instead,
                                BillowError *error);

/* -- the formats' own functions ---------------------------------------------------------------- */

bool exr_file_available(BillowError *error);
/* Starts an EXR file with ZIP compression and Rec. 709 primaries. A complete file is written or
 * none; path "-" is standard output. The exposure is stored in the attribute billow:exposure. */
FloatFile *exr_file_open(const char *path, const FloatPicture *picture, BillowError *error);

#endif
