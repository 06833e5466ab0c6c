/* SPDX-License-Identifier: MIT
 *
 * What the files of the page share. */
#ifndef WEB_PAGE_PARTS_H
#define WEB_PAGE_PARTS_H

#include "play/picture.h"
#include "play/stroke.h"
#include "render/gl/gl.h"

typedef struct Page {
    World world;
    RenderSettings seen; /* what is drawn: the world's, with a camera for the canvas's shape */
    int openings;        /* number of simulations that have started with another scene or grid */
    Picture picture;
    int width, height; /* of the canvas, pixels */
    double interval;   /* time from the picture before the last to the last, ms */
    double began;      /* time when the graphics card was last given work, s */
    GLsync drawing;    /* is signalled when that is done; NULL: it is */
    bool refining;     /* that work is a part of a finer picture, which is not shown yet */
    int rows;          /* rows of the finer picture that are then marched */
    Stroke stroke;
    float x, y;         /* position of the pointer, pixels */
    bool pointing;      /* the pointer is over the canvas */
    Share *share;       /* session that the page has joined; NULL: none */
    char text[1 << 16]; /* result of the last call that returns a text */
    size_t length;      /* of a text that is being written */
    BillowError error;
} Page;

extern Page page;

/* Texts that a call returns. They are valid until the next call. */
const char *page_say(const BillowError *error);
const char *page_answer(bool good); /* "" or the text of page.error */
void page_start_text(void);
void page_add(const char *format, ...); /* appends to the text */

/* The scene that plays or comes next, with the camera that it is or will be seen with. */
Scene page_present(void);
/* What is drawn. The camera's field of view is that of the picture's height; in a canvas that is
 * taller than wide it becomes that of the width, so that the scene is not cut off at its sides. */
const RenderSettings *page_seen(void);
const SimSnapshot *page_newest(void); /* NULL: there is none */

/* In a page without threads: runs the simulation until it has nothing to do, or for a while. */
void page_run_here(void);
/* Sends and receives what there is in the session, if there is one. */
void page_serve_session(void);
/* Follows the smoke below the pointer between two frames. */
void page_follow_pointer(void);

#endif
