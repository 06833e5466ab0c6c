/* SPDX-License-Identifier: MIT
 *
 * billow-reader: reads files of strangers for other processes of Billow (src/io/isolated.h). It
 * loads its library, takes limits upon itself, and then answers questions on its standard input, a
 * socket, until that is closed. */
#ifndef READER_READER_H
#define READER_READER_H

#include "io/isolated.h"

/* An answer: `length` bytes, freed after it is sent. */
typedef struct ReaderAnswer {
    void *bytes;
    size_t length;
} ReaderAnswer;

/* A kind of files. Without its library it has a name alone. */
typedef struct ReaderKind {
    const char *name;
    /* Loads the library, before the limits hold. */
    bool (*load)(BillowError *error);
    /* Takes a file's bytes, which the function frees or keeps. NULL: refused. */
    void *(*open)(char *bytes, size_t length, BillowError *error);
    void (*close)(void *file);
    /* Answers a question. request: its bytes, with a 0 after them. */
    bool (*answer)(void *file, uint32_t what, char *request, size_t length, ReaderAnswer *answer,
                   BillowError *error);
} ReaderKind;

extern const ReaderKind reader_vdb, reader_exr, reader_font;

/* Limits this process for good: its memory to what it has and `memory` bytes more, and its
 * processor time, s. It can write no file and open none. Where the kernel allows it, all system
 * calls fail but those that computing needs. Returns false if a limit is refused. */
bool reader_confine(uint64_t memory, uint64_t processor);

/* Allocates the bytes of an answer, or ends the process. */
void *reader_answer(ReaderAnswer *answer, size_t length);
/* Ends the process, which tells the other one that memory ran out. */
_Noreturn void reader_out_of_memory(void);

#endif
