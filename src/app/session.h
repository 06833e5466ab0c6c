/* SPDX-License-Identifier: MIT
 *
 * Everything one run of the window holds, for the files that make up its loop: input.c changes it
 * by events, app.c draws it. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app.h"
#include "attract_play.h"
#include "autosave.h"
#include "figures.h"
#include "first_steps.h"
#include "frame_meter.h"
#include "gizmo.h"
#include "grab.h"
#include "kiosk.h"
#include "marks.h"
#include "overlay.h"
#include "recording.h"
#include "renderer.h"
#include "resolution.h"
#include "scene_watch.h"
#include "slice_ask.h"
#include "stillness.h"
#include "time_state.h"
#include "touch.h"
#include "window.h"
#include "world.h"

typedef struct Panel Panel; /* panel.h */

typedef enum SessionDrag {
    DRAG_NONE,
    DRAG_BRUSH,
    DRAG_SOLID,
    DRAG_GIZMO,
    DRAG_ORBIT,
    DRAG_PAN
} SessionDrag;

struct Session {
    const AppOptions *options;
    Window window;
    Renderer *renderer;
    Gui *gui;
    Panel *panel;
    RenderLimits limits;
    World world;
    Resolution resolution;
    Stillness stillness;
    Figures figures;
    Marks marks;
    FirstSteps first_steps;
    AttractPlay attract;
    Autosave autosave;
    Kiosk kiosk;

    /* The newest state, valid until the world is asked again; NULL before the first. */
    const SimSnapshot *snapshot;
    uint64_t shown_steps, shown_resets; /* of the snapshot that was uploaded last, */
    uint64_t shown_settings;            /* likewise */
    bool shown_any;
    SliceAsk slice;        /* where given */
    uint64_t shown_slices; /* of the snapshot that was drawn last */
    FieldSlice eased;      /* kind and axis that the range belongs to, and that range */
    double eased_time;     /* s; when it was last moved */
    double upload_ms;      /* of the last upload */
    int coarsened;         /* as renderer_coarsened was then */
    bool upload_only;      /* the last frame uploaded and left the drawing to this one */

    bool quit, help, outline;
    OverlayPage help_page; /* where help is */
    bool screenshot;       /* asked for, not yet taken */
    Recording recording;
    bool redraw;            /* something in the picture changed since it was drawn, */
    bool smoke_new;         /* and something that the smoke is drawn by */
    bool exposed;           /* the window lost what it showed */
    uint64_t shown_overlay; /* of what it showed, see overlay_fingerprint; */
    int overlay_due;        /* so often more */
    bool touched;           /* the person has done something */
    unsigned held;          /* of KMOD_CTRL and the like, with the last event */
    bool chose_scene;       /* in this frame */
    TimeControl time;
    SessionDrag drag;
    Touch touch;
    Grab grab;                /* of DRAG_SOLID */
    bool handles;             /* on emitters, lamps and the sun */
    Gizmo gizmo;              /* of DRAG_GIZMO, or under the cursor */
    float press_x, press_y;   /* where the cursor took it, pixels; */
    bool handle_follows;      /* it has gone far enough from there */
    float detonated[3];       /* m; where the stroke set off the last */
    float cursor_x, cursor_y; /* pixels from the top left */
    bool cursor_inside, cursor_moved;

    double start, now; /* s; of the session and of this frame, */
    double drawn;      /* and of the last one that was not the one before again; 0: of none */
    char message[256];
    double message_until;
    BillowError world_error, shader_error; /* shown while they hold; empty in health */
    double shaders_polled;
    BillowError reload_error; /* likewise, of the scene's files, */
    SceneWatch watch;         /* of the scene that is called so */
    char watched[512];
    double files_polled;

    uint64_t frames, contexts_lost;
    FrameMeter intervals, overlays, steps;
    double input_ms_max;
};

/* A line at the foot of the window, for a few seconds. */
void session_say(Session *session, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Says what something was refused for, if it was. */
void session_tell(Session *session, bool well, const BillowError *error);

/* session->message was written: for so long as it takes to read it. */
void session_said(Session *session);

/* Tells the simulation of session->slice, once its place is settled; says what is wrong with it. */
void session_ask_slice(Session *session);
/* The newest snapshot's slice, as it is drawn. */
RenderSlice session_slice(Session *session);

/* What stands in the volume for the person alone, into the overlay's lines. */
void session_mark(Session *session, OverlayContent *content);

/* world_apply, and whatever shows the scene follows. */
bool session_apply(Session *session, const Scene *scene, SceneDifference *difference,
                   BillowError *error);

/* To a built-in scene, or a file's: world_change. Says its title, or what is wrong with it. */
void session_change(Session *session, const char *name);
/* world_go_back likewise. */
bool session_go_back(Session *session, const Scene *scene, const Scene *opened, const char *from,
                     BillowError *error);
/* world_reload likewise. */
bool session_reload(Session *session, const Scene *scene, SceneDifference *difference,
                    BillowError *error);
/* Loads the scene that plays again where its files were saved; says what is wrong with them as long
 * as that holds, while the last good one goes on. To be called every frame. */
void session_follow_files(Session *session);

/* Another world is to be shown from now on. */
void session_show_world(Session *session);

/* The ray through the cursor. */
BrushRay session_cursor_ray(const Session *session);

#endif
