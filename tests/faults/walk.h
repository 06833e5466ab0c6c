/* SPDX-License-Identifier: MIT
 *
 * Every call that can fail, failing in turn: see inject.h for how. A scenario is run once without a
 * fault, which counts its calls, and then again with the n-th call of each class failing. Each time
 * the program must
 *   - end by itself, within a limit, with status 1 or 0, or 2 where it says that an option cannot
 * be read, by no signal and with no word of a sanitizer;
 *   - with status 1 or 2: say so in one line on standard error, "billow: ...";
 *   - with status 0: have written what it writes without the fault, or say on standard error what
 * it did without;
 *   - leave no file but those it writes without the fault, each the same to the byte;
 *   - leave no file open at its end that is not open without the fault.
 * And all runs of a scenario together must bring out the messages that said.c has for it. */
#ifndef FAULTS_WALK_H
#define FAULTS_WALK_H

#include "inject.h"

#include <stddef.h>

typedef struct Scenario {
    const char *name, *line; /* of shell; $BILLOW is the program, ../given holds given_files */
    const char *varies;      /* pattern of files whose bytes differ from run to run, or NULL */
    const char *keeps;       /* pattern of files that a fault alone leaves, or NULL */
    const char *needs;       /* "ffmpeg", "exr", "vdb", "screen", or NULL */
    const char *keys;        /* BILLOW_FAULT_KEYS */
    bool words_vary;         /* what is printed differs from run to run */
    bool draws;              /* by OpenGL, whose driver opens files as it likes */
    bool shows;              /* what fails in its window is said there */
    bool quick;              /* part of the quick walk */
} Scenario;

typedef struct GivenFile {
    const char *name, *text;
} GivenFile;

extern const Scenario scenarios[];
extern const int scenario_count;
extern const GivenFile given_files[];
extern const int given_file_count;

/* The files below the current folder. */
enum { FOUND_MAX = 64 };

typedef struct FoundFile {
    char path[256];
    uint64_t bytes, hash;
} FoundFile;

typedef struct Found {
    FoundFile files[FOUND_MAX];
    int count;
} Found;

void found_look(Found *found);
const FoundFile *found_file(const Found *found, const char *path);
void found_clear(void); /* removes what is in the current folder */

/* The outcome of a run. */
typedef struct Outcome {
    int status; /* 256 + signal where one ended it; -1: it did not end */
    char words[1 << 13], printed[1 << 16];
    Found found;
    uint64_t struck, address;
    char name[48];
    int descriptors;
} Outcome;

/* Notes the messages of a run, on standard error or in the window. At the end it prints the
 * messages that a scenario should have provoked and did not, and returns their number. */
void said_hear(const Outcome *outcome);
int said_missing(const Scenario *scenario, bool all, bool forget);

/* Writes what is wrong with an outcome and returns false. */
bool outcome_right(const Scenario *scenario, FaultClass class, bool onward, const Outcome *plain,
                   const Outcome *faulty, char *why, size_t size);

#endif
