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
    double seconds;                    /* length, from the first picture on */
    double from;                       /* when the hand first reaches into the smoke, s; 0: never */
    float turn;                        /* angle by which the camera turns and returns, degrees */
    float wide, high;                  /* reach of the hand from the middle, in window heights */
    double blasts[ATTRACT_BLASTS_MAX]; /* times of detonations, s; 0: none */
    const BrushTool *tools; /* ATTRACT_TOOLS tools for strokes, in turn; a scene may lack some */
} AttractAct;

/* The acts; they repeat, so number may be any that is not negative. own: path of a scene file that
 * comes first in each round; NULL: only built-in scenes. */
int attract_act_count(const char *own);
AttractAct attract_act(const char *own, int number);

/* The hand at a time of an act: x to the right and y down from the middle of the window, in window
 * heights. It moves smoothly. */
typedef struct AttractHand {
    float x, y;
    bool pressed;
    BrushTool tool;
} AttractHand;

AttractHand attract_hand(const AttractAct *act, double time);
/* Angle by which the camera has turned, degrees; it is at rest at both ends of an act. */
float attract_turn(const AttractAct *act, double time);
/* Whether an act detonates later than `after`, and no later than `until`. */
bool attract_blast(const AttractAct *act, double after, double until);

/* When to play. */
typedef struct Attract {
    double idle;     /* s without input until the show begins; 0 or less: never */
    const char *own; /* as for attract_act */
    bool playing;
    bool wanted;  /* begin as soon as possible */
    int act;      /* number of the act that plays, or will begin */
    int failed;   /* acts that failed in a row */
    bool on;      /* the act's scene is shown */
    bool lost;    /* the act's scene cannot be played */
    double last;  /* s; time of the last input, or of the last reason not to play */
    double asked; /* s; when the act's scene was asked for */
    double since; /* s; when the act's scene was first shown */
} Attract;

typedef enum AttractStep {
    ATTRACT_REST, /* there is no show */
    ATTRACT_NEXT, /* an act begins: ask for its scene */
    ATTRACT_WAIT, /* wait for the scene */
    ATTRACT_PLAY, /* the act plays */
    ATTRACT_STOP  /* no scene can be played: the show has ended */
} AttractStep;

/* at_once: the first time, begin without waiting. */
Attract attract_start(double idle, const char *own, bool at_once, double now);

/* What to do now; to be asked every frame. can: it is possible to begin. may: nothing speaks
 * against beginning, so that the time counts as waiting. */
AttractStep attract_poll(Attract *attract, double now, bool can, bool may);
/* To be called at each input. True: it ended the show. */
bool attract_input(Attract *attract, double now);

void attract_on(Attract *attract, double now); /* the act's scene is shown now */
void attract_lost(Attract *attract);           /* the act's scene cannot be played: next act */

struct Session;

typedef struct AttractPlay {
    Attract show;
    World kept;         /* the person's world while the show plays in another */
    World leaving;      /* the show's world while its last step ends */
    bool keeps, leaves; /* whether there is such a world */
    bool paused;        /* the person had paused */
    bool sliced;        /* the person looked at a slice */
    double time;        /* time of the act in the last frame, s */
    float azimuth;      /* of the camera when the act began, degrees */
    bool pointed;       /* the mouse's place is known */
    float x, y;         /* that place, points */
    char line[256];     /* of attract_play_line */
} AttractPlay;

void attract_play_open(struct Session *session);
void attract_play_close(struct Session *session);
void attract_play_now(struct Session *session, int argument); /* begins the show, for a key */

/* Call this first with every event. True: the event ended the show or belongs to it, and must not
 * be handled further. */
bool attract_play_event(struct Session *session, const SDL_Event *event);
/* Once a frame, after world_poll. */
void attract_play_frame(struct Session *session);
/* The act's title and how to end the show; NULL while there is none. */
const char *attract_play_line(const struct Session *session);

#endif
