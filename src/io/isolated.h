/* SPDX-License-Identifier: MIT
 *
 * Files of strangers that libraries parse, such as OpenVDB, are read in a process of its own, the
 * program billow-reader. A damaged file can therefore end or subvert only that process, which has
 * limits on memory, time, files and, on Linux, system calls (src/reader). Its answers count as
 * hostile input: users check all that they take from them.
 *
 * The process gets the file's bytes and then answers questions about it. A process can have several
 * files open, so that a sequence of files needs one start. */
#ifndef IO_ISOLATED_H
#define IO_ISOLATED_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum IsolatedKind { ISOLATED_VDB, ISOLATED_EXR, ISOLATED_FONT } IsolatedKind;

typedef struct IsolatedLimits {
    uint64_t memory;  /* that the process may use for files, bytes */
    double processor; /* processor time in all, s */
    double answer;    /* time until an answer, s */
} IsolatedLimits;

/* The usual limits: half of the memory that is available and at most 8 GB, an hour of processor
 * time, and two minutes for an answer. */
IsolatedLimits isolated_limits(void);

typedef struct Isolated Isolated;

/* Finds billow-reader beside the program or in libexec/billow of its installation. A host program's
 * is found from the place of libbillow_scene. False if there is none. */
enum { ISOLATED_PATH = 4096 };
bool isolated_find(char path[ISOLATED_PATH]);

/* Starts a process. Returns NULL and a message if it cannot be started. */
Isolated *isolated_start(IsolatedKind kind, const IsolatedLimits *limits, BillowError *error);
/* Ends the process and frees its files; NULL is fine. */
void isolated_end(Isolated *reader);
/* Whether the process can answer. False after a failure that ended it, and in a child of fork. */
bool isolated_is_alive(const Isolated *reader);
/* Number of the process in the operating system. */
int isolated_process(const Isolated *reader);

/* Gives the process a file. opened: its number, and the peak of the process's memory since its
 * start, bytes. The message says what is wrong with the file. */
typedef struct IsolatedOpened {
    uint64_t peak;
    uint32_t file, unused;
} IsolatedOpened;
bool isolated_open(Isolated *reader, const void *bytes, size_t length, IsolatedOpened *opened,
                   BillowError *error);
void isolated_close(Isolated *reader, uint32_t file);

/* Asks about a file. */
typedef struct IsolatedQuestion {
    uint32_t what; /* ISOLATED_VDB_GRID and others */
    uint32_t file;
    const void *parts[2]; /* the question's bytes: sizes[0] and then sizes[1] */
    size_t sizes[2];
    double more_seconds; /* that the answer may take beyond the limit */
} IsolatedQuestion;
/* Receives an answer of exactly `size` bytes. On failure the answer is undefined, and the message
 * says what the process says, or how it ended. A signal that ends the run also ends the wait. */
bool isolated_ask(Isolated *reader, const IsolatedQuestion *question, void *answer, size_t size,
                  BillowError *error);

/* -- what is said on the socket ---------------------------------------------------------------- */

/* Before the bytes of each question and answer. The process begins with an answer. */
typedef struct IsolatedHead {
    uint32_t what; /* of a question: an IsolatedWhat; of an answer: ISOLATED_GOOD or REFUSED */
    uint32_t file;
    uint64_t bytes;
} IsolatedHead;

enum { ISOLATED_GOOD = 0x42524431, ISOLATED_REFUSED }; /* REFUSED: the bytes are the message */

typedef enum IsolatedWhat {
    ISOLATED_OPEN,  /* bytes of a file -> IsolatedOpened */
    ISOLATED_CLOSE, /* -> nothing */
    /* .vdb */
    ISOLATED_VDB_UP,       /* -> int32_t: VolumeUp, or -1 */
    ISOLATED_VDB_NAMES,    /* -> ISOLATED_NAMES bytes of text */
    ISOLATED_VDB_GRID,     /* name -> VdbGrid; components 0: there is none of this name */
    ISOLATED_VDB_ONLY,     /* nothing, or "level set" -> bytes: whether there is one alone, and its name */
    ISOLATED_VDB_SAMPLE,   /* VdbLattice, name -> floats */
    ISOLATED_VDB_DISTANCE, /* int[3], floats -> floats */
    /* .exr */
    ISOLATED_EXR_SIZE,   /* -> int32_t[2]: width and height */
    ISOLATED_EXR_PIXELS, /* -> floats: RGB, rows from the top */
    /* fonts */
    ISOLATED_FONT_LINE, /* text -> int32_t[2]: pixels of its ink */
    ISOLATED_FONT_INK,  /* -> bytes, 1 for ink, rows from the top */
} IsolatedWhat;

enum { ISOLATED_NAMES = 256 };

/* Exit status of a process that needed more memory than it may use. */
enum { ISOLATED_EXIT_MEMORY = 41 };

#endif
