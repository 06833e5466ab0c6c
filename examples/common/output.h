/* SPDX-License-Identifier: MIT
 *
 * Pictures and videos of the examples. A file is written under a temporary name, and gets its own
 * when it is whole. If the path is a symbolic link, the link stays, and the file that it leads to
 * is replaced. Functions that fail return false and one line about it. */
#ifndef EXAMPLE_OUTPUT_H
#define EXAMPLE_OUTPUT_H

#include "example.h"

#include <stdio.h>
#include <sys/types.h>

typedef struct Output {
    const char *path;
    char target[4096];    /* the path, links resolved */
    char temporary[4096]; /* beside the target */
    FILE *stream;         /* the PNG file, or the pipe to ffmpeg */
    bool video;
    pid_t encoder;
    int complaints; /* descriptor from which ffmpeg's errors can be read */
    int reason;     /* errno of a write that failed, or 0 */
} Output;

/* Whether the path ends in .png or .mp4, in small letters or capitals. */
bool output_takes(const char *path);

/* Opens the temporary file beside the target, so that a path that cannot be written is known before
 * the first step. A file at the path is an error without force. A directory, a device and a link
 * that leads nowhere are errors with and without. Videos need ffmpeg. */
bool output_open(Output *output, const char *path, bool force, const ExampleFrame *frame,
                 double rate, ExampleError *error);
/* Writes a frame of a video, or the picture. output_close() tells why it failed. */
bool output_write(Output *output, const ExampleFrame *frame);
/* Completes the file and gives it its name. On any failure no file is left. */
bool output_close(Output *output, ExampleError *error);
/* Ends ffmpeg and removes the temporary file. */
void output_abandon(Output *output);

#endif
