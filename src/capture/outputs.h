/* SPDX-License-Identifier: MIT
 *
 * What a run writes: one list, made from the arguments, of every file and the option that names it.
 * The list tells, before any long work, whether two outputs collide, whether a file would be
 * written over, and whether each can be written; at the end it tells what was written. */
#ifndef CAPTURE_OUTPUTS_H
#define CAPTURE_OUTPUTS_H

#include "picture_format.h"
#include "report.h"
#include "volume_file.h"

enum { OUTPUT_PATH = 4096 /* bytes of a path, its end included */ };

/* -- names of files, with or without a frame's number ------------------------------------------ */

typedef struct OutputName {
    const char *text;             /* lives as long as argv; "-" for standard output */
    size_t number_at;             /* index of '%'; the text's length where there is none */
    size_t number_end;            /* index after 'd' */
    int digits;                   /* least number of digits, filled up with zeros */
    bool sequence;                /* one file per frame */
    const PictureFormat *picture; /* format of pictures; NULL for other outputs */
    const VolumeFormat *volume;   /* format of volumes; NULL for other outputs */
} OutputName;

/* Finds the one '%d' or '%0Nd' that a name may hold for the frame's number. Fills text and what
 * describes the number. printf never sees the name as a format. */
bool output_name_parse(const char *text, OutputName *name, BillowError *error);

/* The file of a frame. False when the path is too long. */
bool output_name_path(const OutputName *name, int frame, char *path, size_t size,
                      BillowError *error);

/* Whether a path, or NULL, is standard output: "-". */
bool output_is_stdout(const char *path);

/* -- the list ---------------------------------------------------------------------------------- */

enum { OUTPUTS_MAX = 6 };

typedef struct Output {
    const char *option;     /* "--json" */
    const char *path;       /* one file; NULL: name holds a sequence */
    const OutputName *name; /* files of frames first to last */
    int first, last;
    bool replace; /* may be written over without --force */
} Output;

typedef struct Outputs {
    bool force; /* --force: every file may be written over */
    Output items[OUTPUTS_MAX];
    int count;
} Outputs;

/* path NULL: the option was not given, nothing is added. The path must outlive the list. */
void outputs_add(Outputs *outputs, const char *option, const char *path);
/* The checkpoint; it may be written over the one that the run resumes from. */
void outputs_add_checkpoint(Outputs *outputs, const char *path, const char *resume);
/* The files of frames first to last; a single file where the name has no number. name must outlive
 * the list. */
void outputs_add_frames(Outputs *outputs, const char *option, const OutputName *name, int first,
                        int last);

/* STATUS_USAGE where two outputs have one path, two go to standard output, or a checkpoint's name
 * has another output's ending. */
Status outputs_check(const Outputs *outputs, BillowError *error);

/* STATUS_FAILED where a file exists that may not be written over, or cannot be written. */
Status outputs_probe(const Outputs *outputs, BillowError *error);

/* Prints "wrote f_1.png to f_7.png" and more words: the files of frames first to written. Prints
 * nothing where written is 0 or the output is standard output. */
void outputs_say(const OutputName *name, int first, int written, const char *more);

#endif
