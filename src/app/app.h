/* SPDX-License-Identifier: MIT
 *
 * The window one plays in: simulation on its own thread, input, picture, overlay. */
#ifndef APP_APP_H
#define APP_APP_H

#include "scene.h"
#include "slice_ask.h"
#include "snapshots.h"

/* What the window holds besides the simulation: snapshots, light and textures. Where a GPU has
 * memory of its own it is less. */
#define APP_BYTES_PER_CELL 64.0

/* Defaults of `billow run`. */
#define RECORDING_FPS        30.0 /* frames of a video per simulated second */
#define AUTOSAVE_SECONDS     60.0 /* between two checkpoints of the window's own */
#define ATTRACT_IDLE_SECONDS 60.0 /* without input, until the show begins */

typedef struct AppOptions {
    SceneRequest scene; /* what to start with; its grid and overrides stay for later scenes */
    SliceAsk slice;     /* to begin with */
    const char *shader_folder;  /* NULL: the embedded shaders */
    int threads;                /* 0: chosen for this machine */
    bool exact;                 /* never fewer pressure cycles to keep up with the clock */
    double past_bytes;          /* most memory for going back in time; 0: none */
    int width, height;          /* of the window, pixels */
    const char *capture_folder; /* where screenshots go */
    const char *resume;         /* a checkpoint to go on from in place of the scene, or NULL */
    double autosave;            /* s between two checkpoints that are written by itself; 0: none */
    double attract;             /* s without input, after which it plays by itself; 0: never */
    bool kiosk;                 /* for exhibitions: full screen, no files, hard to leave */
    double fps;                 /* of videos, in simulated time */
    double seconds;             /* close by itself after so long; 0: stay until the person quits */
    uint64_t lose_context_at;   /* for tests: the frame at which the GL context is destroyed under
                                   the window's feet; 0: at none */
    bool (*interrupted)(void);  /* asked every frame, true closes; NULL: never */
} AppOptions;

/* What a session of the window measured, for `billow run --json`. */
typedef struct AppReport {
    char scene[64];
    int grid[3];
    int threads;
    char renderer[128];
    double seconds;
    SimClock clock; /* of all simulations together */
    uint64_t frames, steps;
    uint64_t contexts_lost;               /* and replaced */
    double fps;                           /* frames over seconds */
    double frame_ms_median, frame_ms_max; /* start to start; the first second is left out */
    double input_ms_max; /* longest wait of an input event until the frame that showed it */
    double
        overlay_ms_median; /* texts and panel, made and drawn, of the frames that had them anew */
    double step_ms_median;
    double scale; /* internal resolution at the end, share of the window's */
} AppReport;

AppOptions app_default_options(void);

/* Runs until quit. False when it could not start or go on; report may be NULL. */
bool app_run(const AppOptions *options, AppReport *report, BillowError *error);

#endif
