/* SPDX-License-Identifier: MIT
 *
 * Everything one run of the window holds, by subject. input.c changes it by events, app.c turns it
 * once a frame, and frame.c draws it. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app.h"
#include "attract.h"
#include "autosave.h"
#include "figures.h"
#include "gizmo.h"
#include "grab.h"
#include "marks.h"
#include "overlay.h"
#include "recording.h"
#include "renderer.h"
#include "resolution.h"
#include "scene_watch.h"
#include "slice_ask.h"
#include "visitor.h"
#include "window.h"
#include "world.h"

typedef struct Panel Panel; /* panel.h */

/* The picture, and what it was last made from. */
typedef struct SessionPicture {
    Renderer *renderer;
    RenderLimits limits;
    Resolution resolution;
    Stillness stillness;
    bool uploaded;                    /* some snapshot was */
    uint64_t steps, resets, settings; /* of that snapshot */
    double upload_ms;                 /* time that its upload took */
    int coarsened;                    /* renderer_coarsened then */
    bool upload_alone;                /* the last frame only uploaded; this one draws */
    bool redraw;                      /* something in the picture changed since it was drawn */
    bool smoke_new;                   /* something that the smoke is drawn from changed */
    bool exposed;                     /* the window has lost its contents */
    double drawn;                     /* time of the last redraw, s; 0 = none yet */
    bool outline;                     /* draw the box's edges */
    double shaders_polled;            /* s */
    BillowError shader_error;         /* empty while the shaders are good */
} SessionPicture;

/* Texts over the picture. */
typedef struct SessionTexts {
    Figures figures;
    bool help;               /* the list of keys is open */
    OverlayPage help_page;   /* the part of it that is shown */
    char message[256];       /* at the foot of the window */
    double message_until;    /* s */
    BillowError world_error; /* why nothing plays; empty while something does */
    uint64_t fingerprint;    /* overlay_fingerprint of what is shown */
    int draws_due;           /* times that the overlay is to be drawn yet */
} SessionTexts;

typedef enum SessionDrag {
    DRAG_NONE,
    DRAG_BRUSH,
    DRAG_SOLID,
    DRAG_GIZMO,
    DRAG_ORBIT,
    DRAG_PAN
} SessionDrag;

enum { TOUCH_FINGERS = 3 };

typedef struct TouchFinger {
    SDL_FingerID id;
    float x, y; /* shares of the window */
} TouchFinger;

/* Fingers on the screen. */
typedef struct Touch {
    TouchFinger fingers[TOUCH_FINGERS];
    int count;
    bool waits;   /* the first one has not pressed yet: others may follow */
    double since; /* s; when it landed */
    float x, y;   /* where it landed, shares of the window's height */
} Touch;

/* The person's hand: mouse, pen or fingers. */
typedef struct SessionHand {
    float x, y;         /* the cursor, pixels from the top left */
    bool inside, moved; /* it is over the picture; it moved since the last frame */
    unsigned modifiers; /* KMOD_CTRL and the like, with the last event */
    SessionDrag drag;
    Touch touch;
    Grab grab;              /* of DRAG_SOLID */
    bool handles;           /* show handles on emitters, lamps and the sun */
    Gizmo gizmo;            /* the handle of DRAG_GIZMO, or under the cursor */
    float press_x, press_y; /* where that handle was taken, pixels */
    bool handle_follows;    /* the cursor has gone far enough from there */
    float detonated[3];     /* m; where the present stroke last detonated */
} SessionHand;

/* The slice that is shown. */
typedef struct SessionSlice {
    SliceAsk ask;
    uint64_t drawn;    /* SimSnapshot.slices of the snapshot that was drawn last */
    FieldSlice eased;  /* range of the colours, with the kind and axis that it belongs to */
    double eased_time; /* s; when that range was last changed */
} SessionSlice;

/* The scene's file, which is loaded again when it is saved. */
typedef struct SessionFiles {
    SceneWatch watch;
    char name[512];    /* of the scene that is watched */
    double polled;     /* s */
    BillowError error; /* what is wrong with the file; empty while it is good */
} SessionFiles;

/* Time in the person's hands. */
typedef struct TimeControl {
    int doublings;      /* of the speed: -1 is half */
    bool rewinding;     /* its key is down */
    uint64_t went_back; /* SimSnapshot.went_back that was last told of */
    bool turning;       /* the turntable turns */
    double turned;      /* s; the frame that it last turned to */
} TimeControl;

/* Measurements for AppReport. */
typedef struct SessionMeters {
    uint64_t frames, contexts_lost;
    FrameMeter intervals, overlays, steps;
    double input_ms_max;
} SessionMeters;

struct Session {
    const AppOptions *options;
    Window window;
    Gui *gui;
    World world;
    const SimSnapshot *snapshot; /* the newest, valid until the world is asked again, or NULL */
    SessionPicture picture;
    SessionTexts texts;
    SessionHand hand;
    SessionSlice slice;
    SessionFiles files;
    SessionMeters meters;
    TimeControl time;
    Panel *panel;
    Marks marks;
    Recording recording;
    Autosave autosave;
    AttractPlay attract;
    FirstSteps first_steps;
    Kiosk kiosk;
    bool left;              /* a scene was left in this frame, */
    RenderCamera left_view; /* seen from here: undo comes back to it */
    bool quit;
    bool screenshot;   /* asked for, not yet taken */
    bool touched;      /* there was some input */
    bool chose_scene;  /* in this frame */
    double start, now; /* s; when the session began, and this frame */
};

/* Shows a message at the foot of the window for as long as it takes to read. */
void session_say(Session *session, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Shows the error's message unless all is well. */
void session_tell(Session *session, bool well, const BillowError *error);

/* Starts the time of a message that was written into session->texts. */
void session_said(Session *session);

/* Sends the slice that is asked for to the simulation, with its open values filled in; or says what
 * is wrong with it. */
void session_ask_slice(Session *session);
/* The newest snapshot's slice, as it is drawn. */
RenderSlice session_slice(Session *session);

/* Adds the marks to the overlay: outlines, handles and the brush. */
void session_mark(Session *session, OverlayContent *content);

/* The functions below do what world_apply, world_change, world_go_back and world_reload do, and
 * bring all that shows the scene up to date. */

bool session_apply(Session *session, const Scene *scene, SceneDifference *difference,
                   BillowError *error);
/* Changes to a built-in scene, a scene file or a checkpoint. Says the scene's title, or what is
 * wrong. */
void session_change(Session *session, const char *name);
bool session_go_back(Session *session, const Scene *scene, const Scene *opened, const char *from,
                     BillowError *error);
bool session_reload(Session *session, const Scene *scene, SceneDifference *difference,
                    BillowError *error);

/* Every frame: loads the scene again where its files were saved. While there is something wrong
 * with them, it says so and the last good scene goes on. */
void session_follow_files(Session *session);

/* Shows another world from now on. */
void session_show_world(Session *session);

/* The ray through the cursor. */
BrushRay session_cursor_ray(const Session *session);

#endif
