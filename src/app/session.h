/* SPDX-License-Identifier: MIT
 *
 * The state of one run of the window, by subject, and functions that several files need: messages,
 * the slice, changes of the scene, the scene's files, the kiosk. app.c calls input.c, world.c and
 * screen.c for each frame; these change the state. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/app.h"
#include "app/attract.h"
#include "app/autosave.h"
#include "app/clip.h"
#include "app/figures.h"
#include "app/gamepad.h"
#include "app/gizmo.h"
#include "app/marks.h"
#include "app/overlay.h"
#include "app/placing.h"
#include "app/recording.h"
#include "app/still.h"
#include "app/window.h"
#include "io/paths.h"
#include "play/picture.h"
#include "play/stroke.h"
#include "render/frame/field_slice.h"

typedef struct Panel Panel; /* panel.h */

/* The fade from the last picture of a scene to those of the next one. */
typedef struct ScreenFade {
    bool on;       /* the kept picture is shown, over the present one */
    bool waits;    /* the present picture is not of the next scene yet */
    double passed; /* time since the next scene was first shown, s, without hiccups */
    double shown;  /* time at which it was last shown, s; 0: not yet */
} ScreenFade;

/* How the window shows the picture. */
typedef struct SessionScreen {
    Refining refining;
    double draw_ms; /* time to draw the last picture, without upload, ms */
    int coarsened;  /* value of renderer_coarsened at the last upload */
    ScreenFade fade;
    bool upload_alone;     /* the last frame only uploaded, and this frame only draws */
    bool smoke_new;        /* the smoke or the camera has changed since the picture was drawn */
    bool exposed;          /* the window must be shown again, even if the picture has not changed */
    double learned;        /* time of the last picture that the resolution learned from, s */
    bool outline;          /* draw the edges of the box */
    bool screenshot;       /* take a screenshot in this frame */
    double shaders_polled; /* time of the last check of the shader files, s */
    BillowError shader_error; /* error in the shaders; empty text: none */
} SessionScreen;

/* What is shown over the picture, in the order in which a key changes it. */
typedef enum TextLevel {
    TEXTS_SHORT,   /* a short line at the top, hints, and the brush */
    TEXTS_FIGURES, /* the same with the figures of the run in the line */
    TEXTS_NONE,    /* only messages and the panel */
    TEXT_LEVELS
} TextLevel;

/* Texts over the picture. */
typedef struct SessionTexts {
    Figures figures;
    TextLevel level;                          /* what is shown over the picture */
    bool help;                                /* the list of keys is open */
    OverlayPage help_page;                    /* visible part of the list of keys */
    const char *figure_rows[FIGURES_MAX + 2]; /* those of `figures`, the quality, and the progress
                                                 of a still */
    bool replay_said;   /* the difference of a replay from its recording has been said */
    bool replaying;     /* a replay went on in the last frame */
    bool recorded_over; /* a message has said why the recording of hands has ended */
    bool growth_said;   /* a message has said that the box no longer grows */
    OverlayLabel labels[SHARE_PEOPLE_MAX + 1]; /* names of others at their hands, and of a handle */
    char placing[128];                         /* placing_hint */
    char message[256];                         /* text at the foot of the window */
    double message_until;                      /* time at which the message disappears, s */
    BillowError world_error; /* reason why no scene plays; empty text: a scene plays */
    FirstSteps first_steps;
    uint64_t fingerprint; /* overlay_fingerprint of the overlay that is on the screen */
    int draws_due;        /* number of frames in which the overlay must still be drawn */
} SessionTexts;

enum { TOUCH_FINGERS = 3 };

typedef struct TouchFinger {
    SDL_FingerID id;
    float x, y; /* position, as shares of the window's width and height */
} TouchFinger;

/* Fingers on the screen. */
typedef struct Touch {
    TouchFinger fingers[TOUCH_FINGERS];
    int count;
    bool waits;   /* the first finger has not pressed yet, because more fingers may follow */
    double since; /* time at which the first finger landed, s */
    float x, y;   /* position where the first finger landed, as shares of the window's height */
} Touch;

/* The user's input: mouse, pen or fingers. */
typedef struct SessionHand {
    float x, y;         /* position of the cursor, pixels from the top left */
    bool inside, moved; /* whether the cursor is over the picture, and whether it moved since the
                           last frame */
    bool touched;       /* the user has given some input */
    bool blasted;       /* the user detonated or cleared the smoke in this frame */
    double used;        /* time of the last key, button, wheel or finger, s; 0: none yet */
    unsigned modifiers; /* modifier keys at the last event: KMOD_CTRL and others, added up */
    Touch touch;
    Stroke stroke;
    Placing placing; /* what the next press places */
    PlacingMenu menu;
    bool handles;           /* show handles on emitters, solids, forces, lamps and the sun */
    Gizmo gizmo;            /* the handle of DRAG_GIZMO, otherwise the handle under the cursor */
    float press_x, press_y; /* position at which a handle or the right button was pressed, pixels */
    bool lighting_said;     /* a message has said how fuel is lit */
    bool turned;            /* the cursor has moved since the right button was pressed */
    bool handle_follows;    /* the cursor has moved by HANDLE_SLACK, so the handle follows */
} SessionHand;

/* The slice on the screen. */
typedef struct SessionSlice {
    SliceAsk ask;
    uint64_t drawn;    /* SimSnapshot.slices of the snapshot that was last drawn */
    FieldSlice eased;  /* smoothed range of the colours, with the kind and axis it belongs to */
    double eased_time; /* time at which `eased` was last updated, s */
} SessionSlice;

enum { SCENE_FILES_MAX = BILLOW_EMITTERS_MAX + BILLOW_SOLIDS_MAX + 1 };

/* The files of a scene: the scene's own file, unless it is built in, the meshes and fonts of its
 * shapes, and its panorama. */
typedef struct SceneFiles {
    FileWatch file; /* the scene's own file; an empty path: the scene is built in */
    FileWatch shapes[SCENE_FILES_MAX];
    int shape_count;
} SceneFiles;

/* Watches the files of a scene from now on. name_or_path: as in scene_load. */
void scene_files_watch(SceneFiles *files, const char *name_or_path, const Scene *scene);
/* Also watches the other files that the scene names now, in addition to its own file. */
void scene_files_watch_shapes(SceneFiles *files, const Scene *scene);
/* Whether a file has changed since the last call. Call it a few times a second. */
bool scene_files_changed(SceneFiles *files);

/* The files of the present scene. The scene is loaded again when one of them changes. */
typedef struct SessionFiles {
    SceneFiles watched;
    char name[512];    /* name or path of the scene whose files are watched */
    double polled;     /* time of the last check of the files, s */
    BillowError error; /* error in the files; empty text: none */
} SessionFiles;

/* The last change to another scene. */
typedef struct SessionChange {
    bool chosen;            /* the user chose a scene in this frame */
    bool left;              /* the user left a scene in this frame, and can return to it */
    RenderCamera left_view; /* camera of the scene that was left, for undo */
} SessionChange;

/* The session with others, if there is one. */
typedef struct SessionShare {
    Share *share;       /* NULL: there is none */
    ShareStatus status; /* of this frame */
    uint64_t notices;   /* number of notices that have been shown */
} SessionShare;

/* The user's control of time and of the turntable. */
typedef struct TimeControl {
    bool rewinding;     /* the key is down */
    uint64_t went_back; /* SimSnapshot.went_back when the last message was shown */
    bool turning;       /* the turntable is on */
    double turned;      /* time of the last frame in which the turntable turned, s */
} TimeControl;

/* A window for exhibitions. It fills the screen, writes no files, and no single key press closes
 * it. */
typedef struct Kiosk {
    double pressed; /* time at which Esc was pressed, s; 0: Esc is not down */
    double moved;   /* time of the last mouse event, s */
    bool hidden;    /* the cursor is hidden */
} Kiosk;

/* The sound (audio.h). */
typedef struct SessionAudio {
    struct SoundFeed *feed; /* NULL: there is no sound */
    SDL_AudioDeviceID device;
    bool muted;          /* by its key */
    BillowError missing; /* why there is no sound */
} SessionAudio;

/* Measurements for AppReport. */
typedef struct SessionMeters {
    uint64_t frames, contexts_lost;
    FrameMeter intervals, overlays, steps, lights, uploads, marches;
    double input_ms_max;
} SessionMeters;

struct Session {
    const AppOptions *options;
    double start, now; /* clock time of the start and of this frame, s */
    bool quit;
    double quit_until;    /* Esc quits until this time, s; before that it asks */
    SceneQuality quality; /* the user's choice between fluid and fine */

    /* the simulation */
    World world;
    const SimSnapshot *snapshot; /* newest one, valid until world_snapshot; NULL: none */
    SessionChange change;
    SessionFiles files;
    SessionSlice slice;
    TimeControl time;
    Autosave autosave;

    /* the window and its picture */
    Window window;
    Picture picture;
    SessionScreen screen;
    Recording recording;
    Clip clip;
    SessionMeters meters;

    /* input, and everything over the picture */
    SessionHand hand;
    Gamepad gamepad;
    Gui *gui;
    Panel *panel;
    Marks marks;
    BrushTrail trail;
    SessionTexts texts;

    SessionShare share;
    SessionAudio audio;

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

/* Shows the message of an error if `well` is false. */
void session_tell(Session *session, bool well, const BillowError *error);

/* Shows the text in `session->texts.message` for as long as it takes to read. */
void session_said(Session *session);

/* Sends the user's slice to the simulation. Values that the user did not give are chosen here. If
 * the scene cannot have this slice, a message says so. */
void session_ask_slice(Session *session);
/* Returns the slice of the newest snapshot, with the range of its colours. */
RenderSlice session_slice(Session *session);

/* Shows what has happened in a shared session, and tells it where the hand is. Call it each
 * frame. */
void session_share(Session *session);
/* Whether only the host could do this: then shows a message that says so. */
bool session_follows(Session *session);

/* Adds the marks to the overlay: outlines, handles and the brush. */
void session_mark(Session *session, OverlayContent *content);

/* Shows the scene's name and requests a redraw, after the world has taken another scene. */
void session_follow_scene(Session *session);
/* Changes to a built-in scene, a scene file, a checkpoint or a recording of hands. A message shows
 * the scene's title or an error. Returns whether the change has begun. */
bool session_change(Session *session, const char *name);

/* Loads the scene again if one of its files was saved. If a file contains an error, the window
 * shows the error, and the last valid scene continues. Call it every frame. */
void session_follow_files(Session *session);

/* Updates the window after session->world was replaced. */
void session_show_world(Session *session);

/* Returns the ray from the camera through the cursor. */
BrushRay session_cursor_ray(const Session *session);

/* -- the grid ---------------------------------------------------------------------------------- */

/* What keeps the grid from changing. */
typedef struct GridHands {
    bool dragging, rewinding, recording, paused, hidden;
    bool exact;      /* every step has all its cycles, and the smoke may be slow */
    bool overloaded; /* world_overloaded: then hands that drag do not count */
    double idle;     /* time since the last key, button, wheel or finger, s */
} GridHands;

bool grid_may_change(const GridHands *hands);
/* Adapts the number of cells to the machine. Call it at the end of each frame. */
void grid_follow(Session *session, double interval_ms);

/* Adapts grid and picture to another quality, in this scene and all later ones, and says so. */
void session_choose_quality(Session *session, SceneQuality quality);

/* -- the kiosk --------------------------------------------------------------------------------- */

#define KIOSK_HOLD_SECONDS 3.0

/* Records whether Esc is down. Returns true if Esc has been down long enough to quit. */
bool kiosk_hold(Kiosk *kiosk, bool escape, double now);
/* Whether the mouse has rested long enough for the cursor to be hidden. */
bool kiosk_hides(const Kiosk *kiosk, double now);
void kiosk_event(Session *session, const SDL_Event *event);
/* Quits if Esc was down long enough. Hides and shows the cursor in a kiosk and during the show.
 * Call it once per frame. */
void kiosk_frame(Session *session);
/* Returns false outside a kiosk. In a kiosk, returns true and shows a message that the function is
 * not available. */
bool kiosk_refuses(Session *session);

#endif
