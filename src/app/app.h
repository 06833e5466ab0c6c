/* SPDX-License-Identifier: MIT
 *
 * The window: the simulation on its own thread, input, the picture, texts and the panel. */
#ifndef APP_APP_H
#define APP_APP_H

#include "scene.h"
#include "slice_ask.h"
#include "snapshots.h"

/* Memory of the window besides the simulation: snapshots, light and textures. It is less where a
 * GPU has memory of its own. */
#define APP_BYTES_PER_CELL 64.0

/* Defaults of `billow run`. */
#define RECORDING_FPS        30.0 /* frames of a video per simulated second */
#define AUTOSAVE_SECONDS     60.0 /* between two checkpoints of the window's own */
#define ATTRACT_IDLE_SECONDS 60.0 /* without input, until the show begins */

typedef struct AppOptions {
    SceneRequest scene; /* the first scene; its grid and overrides hold for later scenes too */
    SliceAsk slice;     /* at the start */
    const char *shader_folder; /* NULL: the embedded shaders */
    int threads;               /* 0: chosen for this machine */
    bool exact;        /* use all pressure cycles, even where that is slower than the clock */
    double past_bytes; /* most memory for going back in time; 0: no going back */
    int width, height; /* of the window, pixels */
    const char *capture_folder; /* where screenshots go */
    const char *resume;         /* checkpoint to start from instead of the scene; NULL: none */
    double autosave;            /* s between two automatic checkpoints; 0: none are written */
    double attract;             /* s without input until the show begins; 0: never */
    bool kiosk;                 /* for exhibitions: full screen, no files, hard to leave */
    double fps;                 /* frames of a video per simulated second */
    double seconds;             /* s until the window closes by itself; 0: never */
    uint64_t
        lose_context_at; /* for tests: frame before which the GL context is destroyed; 0: none */
    bool (*interrupted)(void); /* asked every frame; true closes the window; NULL: never */
} AppOptions;

/* What a session of the window measured, for `billow run --json`. */
typedef struct AppReport {
    char scene[64];
    int grid[3];
    int threads;
    char renderer[128];
    double seconds;
    SimClock clock; /* sum over all simulations */
    uint64_t frames, steps;
    uint64_t contexts_lost;               /* GL contexts that were lost and replaced */
    double fps;                           /* frames / seconds */
    double frame_ms_median, frame_ms_max; /* from start to start, without the first second */
    double input_ms_max;                  /* longest time from an input event to its frame */
    double overlay_ms_median;             /* for texts and panel, in the frames that drew them */
    double step_ms_median;
    double scale; /* resolution of the picture at the end, as a share of the window's */
} AppReport;

AppOptions app_default_options(void);

/* Runs until the window is closed. Returns false with a message when it cannot start or go on.
 * report may be NULL. */
bool app_run(const AppOptions *options, AppReport *report, BillowError *error);

#endif
