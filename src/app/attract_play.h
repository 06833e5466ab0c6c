/* SPDX-License-Identifier: MIT
 *
 * Plays the show (attract.h) in a session. The person's simulation stands still meanwhile and is
 * given back as it was; in a kiosk, who comes takes over what plays. */
#ifndef APP_ATTRACT_PLAY_H
#define APP_ATTRACT_PLAY_H

#include "attract.h"
#include "world.h"
#include <SDL.h>

struct Session;

typedef struct AttractPlay {
    Attract show;
    World kept;    /* the person's, where the show plays in another */
    World leaving; /* the show's, until its last step is done */
    bool keeps, leaves;
    bool paused;   /* the person had, */
    bool sliced;   /* and looked at a slice */
    double time;   /* s of the act, at the frame before */
    float azimuth; /* of the act's camera at its beginning */
    bool pointed;  /* the mouse has been seen, */
    float x, y;    /* there */
    char line[256];
} AttractPlay;

void attract_play_open(struct Session *session);
void attract_play_close(struct Session *session);
void attract_play_now(struct Session *session, int argument); /* begins; no matter the argument */

/* Of every event, before anything else takes it. True: it ended the show and means nothing else. */
bool attract_play_event(struct Session *session, const SDL_Event *event);
/* Once a frame, when the world has been looked at. */
void attract_play_frame(struct Session *session);
/* What plays and how to end that; NULL while the window is the person's. */
const char *attract_play_line(const struct Session *session);

#endif
