/* SPDX-License-Identifier: MIT
 *
 * OpenEXR files: pictures in floating point, for programs that go on working with them.
 *
 *     ExrFile *file = exr_file_open(path, &picture, &error);
 *     while (rows are left)
 *         good = exr_file_write(file, rows, values, &error);
 *     good = exr_file_close(file, good, &error);
 */
#ifndef IO_EXR_FILE_H
#define IO_EXR_FILE_H

#include <billow/error.h>
#include <stdbool.h>

enum { EXR_CHANNELS_MAX = 16, EXR_ROWS = 16 /* compressed together */ };

typedef struct ExrChannel {
    const char *name; /* such as R or smoke.Z */
    bool half;        /* 16 bits in the file, otherwise 32 */
    int stride;       /* floats from a pixel's value to its right neighbour's */
} ExrChannel;

typedef struct ExrPicture {
    int width, height;
    int channel_count;
    ExrChannel channels[EXR_CHANNELS_MAX];
    const char *comments; /* what a person should know of the channels; or NULL */
    float exposure;       /* noted as billow:exposure: what the values times this are shown as */
} ExrPicture;

typedef struct ExrFile ExrFile;

/* Whether this build can write them; the message says how to get one that does. */
bool exr_file_possible(BillowError *error);

/* ZIP compression, Rec. 709 primaries. Whole or not at all (atomic_file.h); path "-" is standard
 * output. NULL where it cannot be opened. */
ExrFile *exr_file_open(const char *path, const ExrPicture *picture, BillowError *error);

/* The next rows from the top: a multiple of EXR_ROWS, or all that are left. values: each channel's
 * in these rows, in the picture's order; rows lie width * stride floats apart. */
bool exr_file_write(ExrFile *file, int rows, const float *const values[], BillowError *error);

/* good false: nothing is left at the path, and false comes back, error untouched; so it is where
 * rows are missing or cannot be written, with a message. Frees the file. */
bool exr_file_close(ExrFile *file, bool good, BillowError *error);

#endif
