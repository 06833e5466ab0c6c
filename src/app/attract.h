/* SPDX-License-Identifier: MIT
 *
 * The show that the window plays by itself: when it begins and ends, which scene is on for how
 * long, and what its hand and camera do.
 *
 * The person's simulation stands still meanwhile and is given back as it was. In a kiosk the
 * visitor goes on with what plays. The functions before AttractPlay read no clock: they are given
 * the time. */
#ifndef APP_ATTRACT_H
#define APP_ATTRACT_H

#include "brush.h"
#include "world.h"
#include <SDL.h>
#include <stdbool.h>

enum { ATTRACT_BLASTS_MAX = 3, ATTRACT_TOOLS = 3 };

/* One scene of the show. */
typedef struct AttractAct {
    const char *scene;
    double seconds;   /* from its first picture on */
    double from;      /* s; when the hand first reaches into the smoke; 0: never */
    float turn;       /* degrees that the camera goes around and back */
    float wide, high; /* how far the hand goes from the middle, in window's heights */
    double blasts[ATTRACT_BLASTS_MAX]; /* s; when it detonates; 0: not */
    const BrushTool *tools; /* ATTRACT_TOOLS of its strokes, in turns; the scene may miss some */
} AttractAct;

/* The acts, of any number that is not negative: round and round. own is the path of a scene file
 * that comes first in each round; NULL: the built-in scenes alone. */
int attract_act_count(const char *own);
AttractAct attract_act(const char *own, int number);

/* The hand at a time of an act: x to the right and y down from the middle of the window, in its
 * heights. Its way is smooth. */
typedef struct AttractHand {
    float x, y;
    bool pressed;
    BrushTool tool;
} AttractHand;

AttractHand attract_hand(const AttractAct *act, double time);
/* What the camera has turned by then, degrees; at rest at both ends of an act. */
float attract_turn(const AttractAct *act, double time);
/* Whether an act detonates after one time and up to another. */
bool attract_blast(const AttractAct *act, double after, double until);

/* When to play. */
typedef struct Attract {
    double idle;     /* s without input until it begins; 0 or less: never */
    const char *own; /* as attract_act has it */
    bool playing;
    bool wanted;   /* to begin at once, once it can */
    int act;       /* the number of the one that plays, or that would begin */
    int failed;    /* acts that failed in a row */
    bool on, lost; /* the act's scene can be seen; it cannot be played */
    double last;   /* s; of the last input, or when there last was a reason not to play */
    double asked;  /* s; when the act's scene was asked for, */
    double since;  /* and since when it has been on */
} Attract;

typedef enum AttractStep {
    ATTRACT_REST, /* the window is the person's */
    ATTRACT_NEXT, /* ask for the act's scene: of the first, or because the one before is over */
    ATTRACT_WAIT, /* the scene was asked for */
    ATTRACT_PLAY, /* it is on */
    ATTRACT_STOP  /* not one scene can be played: it has ended by itself */
} AttractStep;

/* at_once: without waiting the first time. */
Attract attract_start(double idle, const char *own, bool at_once, double now);

/* What to do now, to be asked every frame. can: it is possible to begin; may: and nothing speaks
 * against it, so that waiting counts. */
AttractStep attract_poll(Attract *attract, double now, bool can, bool may);
/* The person did something. True: that ended the show. */
bool attract_input(Attract *attract, double now);

void attract_on(Attract *attract, double now); /* the act's scene can be seen now */
void attract_lost(Attract *attract);           /* it cannot be played: the next one's turn */

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
