/* SPDX-License-Identifier: MIT
 *
 * The show: when nobody has used the window for a while, it plays one scene after another.
 *
 * Each scene is an act with strokes of the brush and detonations. They are a list of commands
 * (sim_command.h), written when the scene starts and replayed to its simulation. The user's own
 * simulation is paused meanwhile and shown again afterwards. In a kiosk a visitor continues with
 * the scene of the show.
 *
 * Functions with a parameter `now` read no clock. */
#ifndef APP_ATTRACT_H
#define APP_ATTRACT_H

#include "brush.h"
#include "world.h"
#include <SDL.h>

struct Session;

/* -- acts -------------------------------------------------------------------------------------- */

enum { ATTRACT_BLASTS_MAX = 3, ATTRACT_TOOLS = 3 };

/* One scene of the show. */
typedef struct AttractAct {
    const char *scene;
    double seconds;                    /* length, s */
    double from;                       /* time of the first stroke, s; 0: there are no strokes */
    float turn;                        /* angle by which the camera turns and returns, degrees */
    float wide, high;                  /* half the size of the brush's path, window heights */
    double blasts[ATTRACT_BLASTS_MAX]; /* times of detonations, s; 0: none */
    const BrushTool *tools;            /* tools of the strokes, ATTRACT_TOOLS in turn */
} AttractAct;

/* Number of acts in a round. own: a scene file that comes first in each round; NULL: none. */
int attract_act_count(const char *own);
/* An act by its number from 0 on. Rounds follow each other without end. */
AttractAct attract_act(const char *own, int number);

/* Angle by which the camera has turned at a time of an act, degrees. */
float attract_turn(const AttractAct *act, double time);
/* Writes the commands of an act for its scene. A tool that does not work in the scene is replaced
 * by BRUSH_PUSH. Returns NULL where memory is short. The caller frees it, or world_replay does. */
SimRecording *attract_script(const AttractAct *act, const Scene *scene);

/* -- when to play ------------------------------------------------------------------------------ */

typedef struct Attract {
    double idle;     /* time without input until the show starts, s; 0 or less: it never starts */
    const char *own; /* parameter of attract_act */
    bool playing;
    bool wanted;  /* start as soon as possible */
    int act;      /* number of the act that plays or comes next */
    int failed;   /* number of acts in a row that failed */
    bool on;      /* the act's scene is shown */
    bool lost;    /* the act's scene cannot be played */
    double last;  /* time of the last input, or of the last reason not to start, s */
    double asked; /* time at which the act's scene was requested, s */
    double since; /* time at which the act's scene was first shown, s */
} Attract;

typedef enum AttractStep {
    ATTRACT_REST, /* there is no show */
    ATTRACT_NEXT, /* an act starts: request its scene */
    ATTRACT_WAIT, /* wait for the scene */
    ATTRACT_PLAY, /* the act plays */
    ATTRACT_STOP  /* no scene can be played: the show has ended */
} AttractStep;

/* at_once: start the first time without waiting. */
Attract attract_start(double idle, const char *own, bool at_once, double now);
/* Says what to do in this frame. can: a show can start now. may: the time counts as idle. */
AttractStep attract_poll(Attract *attract, double now, bool can, bool may);
/* Notes input. Returns true where it ended the show. */
bool attract_input(Attract *attract, double now);
/* Notes that the act's scene is shown now. */
void attract_on(Attract *attract, double now);
/* Notes that the act's scene cannot be played; the next act follows. */
void attract_lost(Attract *attract);

/* -- the show in a session --------------------------------------------------------------------- */

typedef struct AttractPlay {
    Attract show;
    World stored;            /* the user's world during the show */
    World leaving;           /* the show's world during its last step */
    bool has_stored, leaves; /* whether `stored` and `leaving` are valid */
    bool paused;             /* the user's world was paused before the show */
    bool sliced;             /* the user's world showed a slice before the show */
    float azimuth;           /* azimuth of the camera at the start of the act, degrees */
    bool pointed;            /* x and y are valid */
    float x, y;              /* position of the mouse, points */
    char line[256];          /* text of attract_play_line */
} AttractPlay;

void attract_play_open(struct Session *session);
void attract_play_close(struct Session *session);
/* Starts the show, for a key. */
void attract_play_now(struct Session *session, int argument);
/* Call this first with every event. Returns true where nothing else may handle the event, because
 * it ended the show or happened during it. */
bool attract_play_event(struct Session *session, const SDL_Event *event);
/* Call this once a frame, after world_poll. */
void attract_play_frame(struct Session *session);
/* The act's title and how to end the show; NULL: no act plays. */
const char *attract_play_line(const struct Session *session);

#endif
