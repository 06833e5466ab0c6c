/* SPDX-License-Identifier: MIT
 *
 * The list of the files that a run writes, each with the option that names it. Before the run, the
 * list finds outputs that collide, files that must not be overwritten, and files that cannot be
 * written. */
#ifndef CAPTURE_OUTPUTS_H
#define CAPTURE_OUTPUTS_H

#include "base/system.h"
#include "io/picture_format.h"
#include "io/volume_file.h"

enum { OUTPUT_PATH = 4096 /* bytes of a path, with the final NUL */ };

/* -- names of files, with or without a frame's number ------------------------------------------ */

typedef struct OutputName {
    const char *text;             /* a word of argv; "-" for standard output */
    size_t number_at;             /* index of '%'; length of the text if it has none */
    size_t number_end;            /* index after the number's 'd' */
    int digits;                   /* least number of digits; shorter numbers get zeros */
    bool sequence;                /* one file per frame */
    const PictureFormat *picture; /* format of pictures; NULL for other outputs */
    const VolumeFormat *volume;   /* format of volumes; NULL for other outputs */
} OutputName;

/* Finds the frame's number in a name: one '%d' or '%0Nd', or none. Fills text, number_at,
 * number_end, digits and sequence. printf never gets the name as its format. */
bool output_name_parse(const char *text, OutputName *name, BillowError *error);

/* Composes the path of a frame. Fails if it is too long. */
bool output_name_path(const OutputName *name, int frame, char *path, size_t size,
                      BillowError *error);

/* Whether a path is "-". path may be NULL. */
bool output_is_stdout(const char *path);

/* -- the list ---------------------------------------------------------------------------------- */

enum { OUTPUTS_MAX = 10 };

typedef struct Output {
    const char *option;     /* "--json" */
    const char *path;       /* of one file; NULL: name describes a sequence */
    const OutputName *name; /* files of frames first to last */
    int first, last;
    bool own;     /* every rank has one; otherwise only the first checks it */
    bool replace; /* may be overwritten without --force */
} Output;

typedef struct Outputs {
    bool force; /* --force: every file may be overwritten */
    Output items[OUTPUTS_MAX];
    int count;
} Outputs;

/* Adds one file, or nothing if path is NULL. The path must outlive the list. */
void outputs_add(Outputs *outputs, const char *option, const char *path);
/* Adds the checkpoint, or nothing if path is NULL. It may overwrite the one that is resumed. */
void outputs_add_checkpoint(Outputs *outputs, const char *path, const char *resume);
/* Adds the files of frames `first` to `last`, or one file if the name has no number. name must
 * outlive the list. */
void outputs_add_frames(Outputs *outputs, const char *option, const OutputName *name, int first,
                        int last);

/* Returns STATUS_USAGE if two outputs have the same path, if two go to standard output, or if a
 * checkpoint's name has the ending of another kind of file. */
Status outputs_check(const Outputs *outputs, BillowError *error);

/* Returns STATUS_FAILED if a file exists and may not be overwritten, or cannot be written. From
 * then on, without --force, files that appear meanwhile are not overwritten either. */
Status outputs_probe(const Outputs *outputs, BillowError *error);

/* Prints "wrote f_1.png to f_7.png", the files of frames `first` to `written`, followed by more.
 * Prints nothing if written is 0 or the output is standard output. */
void outputs_print(const OutputName *name, int first, int written, const char *more);

#endif
