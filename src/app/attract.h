/* SPDX-License-Identifier: MIT
 *
 * The show: when nobody has used the window for a while, it plays one scene after another.
 *
 * Each scene is an act with strokes of the brush and detonations. These are a list of commands
 * (sim_command.h), which is made when the scene starts, and then replayed to the scene's
 * simulation. The user's own simulation is paused during the show, and shown again afterwards. A
 * kiosk does not keep the scene before the show: a visitor continues with the scene of the show.
 *
 * Functions with a parameter `now` do not read a clock. `now` is the time of any clock, s. */
#ifndef APP_ATTRACT_H
#define APP_ATTRACT_H

#include "play/brush.h"
#include "play/world.h"
#include <SDL.h>

struct Session;

/* -- acts -------------------------------------------------------------------------------------- */

enum { ATTRACT_BLASTS_MAX = 3, ATTRACT_TOOLS = 3 };

/* One scene of the show, with its strokes, its detonations and the movement of its camera. */
typedef struct AttractAct {
    const char *scene;
    double seconds; /* duration of the act, s */
    double from;    /* time of the first stroke, s; 0: there are no strokes */
    float turn; /* largest angle between the camera and its start, reached at half time, degrees */
    float wide, high; /* half the width and half the height of the brush's path, window heights */
    double blasts[ATTRACT_BLASTS_MAX]; /* times of detonations, s; 0: none */
    const BrushTool *tools; /* tools of the strokes: ATTRACT_TOOLS entries, used in turn */
} AttractAct;

/* Returns the number of acts in a round. own: a scene file that comes first in each round; NULL:
 * none. */
int attract_act_count(const char *own);
/* Returns an act by its number, which counts from 0 on through all rounds. Rounds repeat without
 * end. */
AttractAct attract_act(const char *own, int number);
/* Returns the number of a built-in scene's act; 0 if it has none. NULL: 0. */
int attract_act_of(const char *name);

/* Returns the angle between the camera at `time` of the act and at the act's start, degrees. */
float attract_turn(const AttractAct *act, double time);
/* Makes the commands of an act for its scene. A tool that does not work in the scene is replaced by
 * BRUSH_PUSH. Returns NULL if memory is short. The caller frees the recording, or passes it to
 * world_replay, which then owns it. */
SimRecording *attract_script(const AttractAct *act, const Scene *scene);

/* -- when to play ------------------------------------------------------------------------------ */

typedef struct Attract {
    double idle; /* time without input until the show starts, s; 0 or less: only a key starts it */
    const char *own; /* argument of attract_act */
    bool playing;
    bool wanted;  /* a key or a kiosk has requested the show: start it as soon as it can start */
    int act;      /* number of the act that plays or comes next */
    int failed;   /* number of acts in a row whose scene could not be played */
    bool on;      /* the act's scene has started */
    bool lost;    /* the act's scene cannot be played */
    double last;  /* time from which idle time counts, s: the last input, or the last frame that was
                     not idle */
    double asked; /* time at which the act's scene was requested, s */
    double since; /* time at which the act's scene started, s */
} Attract;

typedef enum AttractStep {
    ATTRACT_REST, /* there is no show */
    ATTRACT_NEXT, /* an act starts: request its scene */
    ATTRACT_WAIT, /* wait for the scene */
    ATTRACT_PLAY, /* the act plays */
    ATTRACT_STOP  /* no act's scene can be played: the show has ended */
} AttractStep;

/* at_once: start the first show as soon as it can start, unless `idle` is 0. */
Attract attract_start(double idle, const char *own, bool at_once, double now);
/* Returns what to do in this frame. can: a show can start now. may: the present time counts as
 * idle. */
AttractStep attract_poll(Attract *attract, double now, bool can, bool may);
/* Tells the show about an input. Returns true if the input ended the show. */
bool attract_input(Attract *attract, double now);
/* Tells the show that the act's scene has started. */
void attract_on(Attract *attract, double now);
/* Tells the show that the act's scene cannot be played. The next act follows. */
void attract_lost(Attract *attract);

/* -- the show in a session --------------------------------------------------------------------- */

typedef struct AttractPlay {
    Attract show;
    World stored;            /* the user's world during the show */
    World leaving;           /* the world of an ended show, until its simulation has ended */
    bool has_stored, leaves; /* whether `stored` and `leaving` are valid */
    bool paused;             /* the user's world was paused when the show started */
    bool sliced;             /* a slice was shown when the show started */
    float azimuth;           /* azimuth of the camera at the start of the act, degrees */
    bool pointed;            /* x and y are valid */
    float x, y;     /* position of the mouse at its last movement that counted as input, points */
    char line[256]; /* text that attract_play_line returns */
} AttractPlay;

void attract_play_open(struct Session *session);
void attract_play_close(struct Session *session);
/* Starts the show; the function of a key. */
void attract_play_now(struct Session *session);
/* Call this with every event before anything else handles it. Returns true if nothing else may
 * handle the event. This holds for a mouse movement too short to end the show, and for Esc and F2
 * if they ended it. Any other event that ended the show then acts on the scene as usual. */
bool attract_play_event(struct Session *session, const SDL_Event *event);
/* Call this once a frame, after world_poll. */
void attract_play_frame(struct Session *session);
/* Returns the act's title and a line about how to end the show; NULL: no act plays. */
const char *attract_play_line(const struct Session *session);

#endif
