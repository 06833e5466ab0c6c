/* SPDX-License-Identifier: MIT
 *
 * The state of one run of the window, by subject, and functions that several files need: messages,
 * the slice, changes of the scene, the scene's files, the kiosk. app.c calls input.c, world.c and
 * screen.c for each frame; these change the state. */
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
#include "paths.h"
#include "recording.h"
#include "renderer.h"
#include "resolution.h"
#include "slice_ask.h"
#include "window.h"
#include "world.h"

typedef struct Panel Panel; /* panel.h */

/* The picture, and the state of the simulation that it shows. */
typedef struct SessionPicture {
    Renderer *renderer;
    RenderLimits limits;
    Resolution resolution;
    Stillness stillness;
    bool uploaded;                    /* a snapshot is uploaded */
    uint64_t steps, resets, settings; /* SimSnapshot.steps and so on of the uploaded snapshot */
    double upload_ms;                 /* time of the last upload, ms */
    int coarsened;                    /* renderer_coarsened at the last upload */
    bool upload_alone;                /* the last frame only uploaded, and this frame draws */
    bool redraw;                      /* something in the picture has changed since it was drawn */
    bool smoke_new;                   /* the smoke or the camera has changed since then */
    bool exposed;                     /* the window has lost its contents */
    double drawn;                     /* time of the last redraw, s; 0 = none yet */
    bool outline;                     /* draw the edges of the box */
    bool screenshot;                  /* take a screenshot in this frame */
    double shaders_polled;            /* time of the last look at the shaders' files, s */
    BillowError shader_error;         /* error in the shaders; empty: none */
} SessionPicture;

/* Texts over the picture. */
typedef struct SessionTexts {
    Figures figures;
    bool help;               /* the list of keys is open */
    OverlayPage help_page;   /* visible part of the list of keys */
    char message[256];       /* text at the foot of the window */
    double message_until;    /* time at which the message disappears, s */
    BillowError world_error; /* reason why no scene plays; empty: one plays */
    FirstSteps first_steps;
    uint64_t fingerprint; /* overlay_fingerprint of the overlay on the screen */
    int draws_due;        /* number of frames that still have to draw the overlay */
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
    bool waits;   /* the first finger does not press yet, because others may follow */
    double since; /* time at which the first finger landed, s */
    float x, y;   /* place where the first finger landed, shares of the window's height */
} Touch;

/* The user's input: mouse, pen or fingers. */
typedef struct SessionHand {
    float x, y;         /* position of the cursor from the top left, pixels */
    bool inside, moved; /* the cursor is over the picture; it moved since the last frame */
    bool touched;       /* there has been some input */
    unsigned modifiers; /* KMOD_CTRL and the like at the last event */
    SessionDrag drag;
    Touch touch;
    Grab grab;              /* the solid of DRAG_SOLID */
    bool handles;           /* show handles on emitters, lamps and the sun */
    Gizmo gizmo;            /* the handle of DRAG_GIZMO, or the one under the cursor */
    float press_x, press_y; /* position at which the handle was pressed, pixels */
    bool handle_follows;    /* the cursor has moved so far that the handle follows */
    float detonated[3];     /* place of the stroke's last detonation, m */
} SessionHand;

/* The slice on the screen. */
typedef struct SessionSlice {
    SliceAsk ask;
    uint64_t drawn;    /* SimSnapshot.slices of the snapshot that was drawn last */
    FieldSlice eased;  /* range of the colours, with its kind and axis */
    double eased_time; /* time of the last change of the range, s */
} SessionSlice;

enum { SCENE_FILES_MAX = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX };

/* The files of a scene: its own, unless the scene is built in, and the meshes and fonts of its
 * shapes. */
typedef struct SceneFiles {
    FileWatch file; /* path empty: the scene is built in */
    FileWatch shapes[SCENE_FILES_MAX];
    int shape_count;
} SceneFiles;

/* Watches the files of a scene from now on. name_or_path: as for scene_load. */
void scene_files_watch(SceneFiles *files, const char *name_or_path, const Scene *scene);
/* Watches the files of the shapes of the scene as it is now, besides its own file. */
void scene_files_watch_shapes(SceneFiles *files, const Scene *scene);
/* Whether a file has changed since the last call. Call it a few times a second. */
bool scene_files_changed(SceneFiles *files);

/* The files of the present scene, which is loaded again when one of them is saved. */
typedef struct SessionFiles {
    SceneFiles watched;
    char name[512];    /* name or path of the watched scene */
    double polled;     /* time of the last look at the files, s */
    BillowError error; /* error in the files; empty: none */
} SessionFiles;

/* The last change to another scene. */
typedef struct SessionChange {
    bool chosen;            /* the user chose a scene in this frame */
    bool left;              /* a scene was left in this frame */
    RenderCamera left_view; /* its camera, for undo */
} SessionChange;

/* The user's control of time and of the turntable. */
typedef struct TimeControl {
    int doublings;      /* speed as a power of two; -1: half */
    bool rewinding;     /* the key is down */
    uint64_t went_back; /* SimSnapshot.went_back at the last message */
    bool turning;       /* the turntable turns */
    double turned;      /* time of the last frame in which the turntable turned, s */
} TimeControl;

/* An exhibition's window: it fills the screen, writes no files, and no single key closes it. */
typedef struct Kiosk {
    double pressed; /* time at which Esc was pressed, s; 0: Esc is up */
    double moved;   /* time of the mouse's last event, s */
    bool hidden;    /* the cursor is hidden */
} Kiosk;

/* Measurements for AppReport. */
typedef struct SessionMeters {
    uint64_t frames, contexts_lost;
    FrameMeter intervals, overlays, steps;
    double input_ms_max;
} SessionMeters;

struct Session {
    const AppOptions *options;
    double start, now; /* clock time of the start and of this frame, s */
    bool quit;

    /* the simulation */
    World world;
    const SimSnapshot *snapshot; /* newest snapshot, valid until world_snapshot; NULL: none */
    SessionChange change;
    SessionFiles files;
    SessionSlice slice;
    TimeControl time;
    Autosave autosave;

    /* the window and its picture */
    Window window;
    SessionPicture picture;
    Recording recording;
    SessionMeters meters;

    /* input, and everything over the picture */
    SessionHand hand;
    Gui *gui;
    Panel *panel;
    Marks marks;
    SessionTexts texts;

    /* without a user */
    AttractPlay attract;
    Kiosk kiosk;
};

/* Shows a message at the foot of the window for as long as it takes to read. */
void session_say(Session *session, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Shows the message of an error where well is false. */
void session_tell(Session *session, bool well, const BillowError *error);

/* Shows the message that was written into session->texts for as long as it takes to read. */
void session_said(Session *session);

/* Sends the user's slice to the simulation, with values for what the user left open. Shows a
 * message where there can be no such slice. */
void session_ask_slice(Session *session);
/* The slice of the newest snapshot, with the range of its colours. */
RenderSlice session_slice(Session *session);

/* Adds the marks to the overlay: outlines, handles and the brush. */
void session_mark(Session *session, OverlayContent *content);

/* These functions call world_apply, world_change and world_go_back, and redraw. */

bool session_apply(Session *session, const Scene *scene, SceneDifference *difference,
                   BillowError *error);
/* Changes to a built-in scene, a scene file or a checkpoint. Shows the scene's title or an error.
 */
void session_change(Session *session, const char *name);
bool session_go_back(Session *session, const Scene *scene, const Scene *opened, const char *from,
                     BillowError *error);

/* Every frame: loads the scene again where its files were saved. While they contain an error, the
 * window shows the error and the last good scene continues. */
void session_follow_files(Session *session);

/* Shows session->world after it was replaced. */
void session_show_world(Session *session);

/* The camera's ray through the cursor. */
BrushRay session_cursor_ray(const Session *session);

/* -- the kiosk --------------------------------------------------------------------------------- */

#define KIOSK_HOLD_SECONDS 3.0

/* Notes whether Esc is down. Returns true when it has been down long enough to quit. */
bool kiosk_hold(Kiosk *kiosk, bool escape, double now);
/* Whether the mouse has rested so long that the cursor is hidden. */
bool kiosk_hides(const Kiosk *kiosk, double now);
void kiosk_event(Session *session, const SDL_Event *event);
/* Once a frame: quits where Esc was down long enough. Hides and shows the cursor in a kiosk and
 * during the show. */
void kiosk_frame(Session *session);
/* Returns true in a kiosk, and shows a message that the function is not available there. */
bool kiosk_refuses(Session *session);

#endif
