/* SPDX-License-Identifier: MIT
 *
 * What the examples with a window share. An example is one C file: a solver, functions that apply
 * the pointer and the keys to it, and a function that draws it into an RGB frame. It describes
 * itself in a constant `example` of type Example. The host, example.c, holds main(): it reads the
 * command line, then either plays the example in an SDL2 window, or runs it without a display and
 * writes a picture or a video.
 *
 *     NAME [OPTIONS]                        the window
 *     NAME --frames N --out FILE.png        N steps driven by the example's script, the last frame
 *     NAME --frames N --out FILE.mp4        the same, every frame, encoded by ffmpeg
 *
 * An example never calls SDL, so that another host, such as a web page, can run the same file. It
 * keeps its state in one allocation of its own and has no globals. Everything runs in one thread.
 *
 * Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted by SIGINT, SIGTERM or SIGHUP. Every
 * failure is one line on stderr. A file is written under a temporary name and renamed when it is
 * whole. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- options ---------------------------------------------------------------------------------- */

typedef enum ExampleKind {
    EXAMPLE_FLAG,    /* bool; takes no value */
    EXAMPLE_INTEGER, /* int */
    EXAMPLE_NUMBER,  /* double */
    EXAMPLE_TEXT     /* const char *, which lives as long as the program */
} ExampleKind;

/* One option of the command line. A table of them ends with a row without a name. */
typedef struct ExampleOption {
    const char *name;   /* such as "--grid" */
    const char *value;  /* what help calls the value, such as "N"; NULL for a flag */
    const char *help;   /* one line */
    ExampleKind kind;   /* type of the member of the settings */
    size_t offset;      /* offsetof(Settings, member) */
    double least, most; /* range of EXAMPLE_INTEGER and EXAMPLE_NUMBER, inclusive */
} ExampleOption;

/* -- input ------------------------------------------------------------------------------------ */

/* Keys are lower-case ASCII, such as 'c' and ' ', or one of these. Escape ends the program. */
enum { EXAMPLE_LEFT = 1, EXAMPLE_RIGHT, EXAMPLE_UP, EXAMPLE_DOWN, EXAMPLE_KEYS = 128 };

/* Input since the previous frame. */
typedef struct ExampleInput {
    double x, y;                /* pointer from the frame's top left corner, pixels */
    double dx, dy;              /* motion of the pointer since the previous frame, pixels */
    double wheel;               /* turns of the wheel, away from the user positive, notches */
    bool left, middle, right;   /* buttons that are down, or were for a part of the frame */
    bool held[EXAMPLE_KEYS];    /* keys that are down */
    bool pressed[EXAMPLE_KEYS]; /* keys that went down since the previous frame */
} ExampleInput;

/* -- the example ------------------------------------------------------------------------------ */

/* Picture that the example fills: rows from the top, 3 bytes R, G, B a pixel, without padding. */
typedef struct ExampleFrame {
    int width, height; /* set by create(), then constant */
    uint8_t *rgb;      /* 3 * width * height bytes, allocated by the host */
} ExampleFrame;

typedef struct ExampleError {
    char text[400]; /* one line without a newline */
    bool usage;     /* the value of an option is wrong: the exit status is 2 */
} ExampleError;

typedef struct Example {
    const char *name;             /* name of the program */
    const char *summary;          /* for help: what it shows */
    const char *controls;         /* for help: mouse and keys, lines that end with \n */
    const ExampleOption *options; /* its own options */
    const void *defaults;         /* its settings without options */
    size_t settings_size;         /* bytes of the settings, at most 256 */
    double rate;                  /* frames per second, of the window at most and of videos */
    int frames;                   /* default of --frames */

    /* Makes the state and sets the width and height of the frame. Returns NULL and sets the error,
     * which is zeroed before, if the settings are impossible or memory is short. */
    void *(*create)(const void *settings, ExampleFrame *frame, ExampleError *error);
    void (*destroy)(void *state);
    /* Input of frame number `frame` (from 0) of a run without a display. *input is zeroed. */
    void (*script)(const void *state, int frame, ExampleInput *input);
    /* Called once a frame, in this order. An example that pauses does so in step(). */
    void (*input)(void *state, const ExampleInput *input);
    void (*step)(void *state);
    void (*draw)(const void *state, ExampleFrame *frame);
    /* Writes one line: the window's title, and the last line of a run without a display. */
    void (*status)(const void *state, char *text, size_t size);
} Example;

/* Defined by the example's file. */
extern const Example example;

#endif
