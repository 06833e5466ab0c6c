/* SPDX-License-Identifier: MIT
 *
 * Runs another program, such as ffmpeg, and sends data to it through a pipe, or talks with it over
 * a socket. The child has its own process group. Ctrl-C in a terminal therefore stops only this
 * program, which then lets the child finish. Callers that feed a pipe must ignore SIGPIPE, so that
 * writing to a child that has ended fails without a signal. */
#ifndef IO_CHILD_H
#define IO_CHILD_H

#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct Child {
    pid_t process;
    int input;    /* descriptor of its standard input; -1: none */
    FILE *words;  /* file that collects its standard error; NULL: it is discarded */
    double until; /* after a signal that ends the run: the time until which it may go on */
} Child;

/* How long a child may go on after a signal that ends the run, s. */
#define CHILD_SECONDS_LEFT 10.0

/* Starts the program arguments[0], which is searched in PATH. The array ends with NULL. fed:
 * whether its standard input is a pipe. held: descriptor of a locked file that the child writes by
 * its name, or -1; the child holds the lock as long as it runs, even after this process. Its
 * standard output is discarded. Returns false and the reason if the program cannot be started. */
bool child_start(Child *child, const char *const *arguments, bool fed, int held,
                 BillowError *error);

/* Writes to the child's standard input. Returns false if the child has closed it, or takes nothing
 * for CHILD_SECONDS_LEFT after a signal that ends the run. */
bool child_feed(Child *child, const void *bytes, size_t count);

/* Closes the child's input and waits for its exit. Returns true for exit status 0. Otherwise `why`
 * receives the last line of the child's standard error, or its signal or exit status. A child that
 * has not ended after `patience` seconds, or CHILD_SECONDS_LEFT after a signal that ends the run,
 * is ended with all that it has started. */
bool child_end(Child *child, double patience, char *why, size_t size);

/* Whether the child still runs. */
bool child_runs(const Child *child);
/* Reads the last whole line of its standard error so far; an empty text: there is none. */
void child_last_line(const Child *child, char *line, size_t size);

/* Runs a program without input and waits for its exit. */
bool child_run(const char *const *arguments, int held, double patience, char *why, size_t size);

/* Starts the program at the path arguments[0], to talk with it: `input` and its standard input are
 * the two ends of a socket. Its standard output and error are discarded. */
bool child_start_talk(Child *child, const char *const *arguments, BillowError *error);

/* Closes the socket and waits for the end of the child. A child that has not ended after `patience`
 * seconds is killed. Returns false if nothing is known of how it ended, for example because this
 * process ignores SIGCHLD. status: as of waitpid. */
bool child_end_talk(Child *child, double patience, int *status);

#endif
