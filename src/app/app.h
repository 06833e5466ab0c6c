/* SPDX-License-Identifier: MIT
 *
 * Opens the window and runs it until it is closed. */
#ifndef APP_APP_H
#define APP_APP_H

#include "scene.h"
#include "slice_ask.h"
#include "snapshots.h"

/* Memory of the window for snapshots, light and textures, bytes. With a GPU of its own memory it
 * needs less. */
#define APP_BYTES_PER_CELL 64.0

/* Defaults of `billow run`. */
#define RECORDING_FPS        30.0 /* frames of a video per simulated second */
#define AUTOSAVE_SECONDS     60.0 /* time between two automatic checkpoints, s */
#define ATTRACT_IDLE_SECONDS 60.0 /* time without input until the show starts, s */

typedef struct AppOptions {
    SceneRequest scene; /* the first scene; its grid and overrides apply to later scenes too */
    SliceAsk slice;     /* slice at the start */
    const char *shader_folder;  /* NULL: the embedded shaders */
    int threads;                /* number of threads of the solver; 0: chosen for this machine */
    bool exact;                 /* use all pressure cycles, also on a slow machine */
    double past_bytes;          /* memory for stored states, bytes; 0: none are stored */
    int width, height;          /* size of the window, pixels */
    const char *capture_folder; /* folder for screenshots and videos */
    const char *resume;         /* checkpoint to start from instead of the scene; NULL: none */
    double autosave;            /* time between two automatic checkpoints, s; 0: there are none */
    double attract;             /* time without input until the show starts, s; 0: never */
    bool kiosk;                 /* for exhibitions: full screen, no files, hard to close */
    double fps;                 /* frames of a video per simulated second */
    double seconds;             /* time until the window closes by itself, s; 0: never */
    uint64_t lose_context_at;   /* for tests: frame that starts without a GL context; 0: none */
    bool (*interrupted)(void);  /* called every frame; true closes the window; NULL: never */
} AppOptions;

/* Measurements of one run of the window, for `billow run --json`. */
typedef struct AppReport {
    char scene[64];
    int grid[3];
    int threads;
    char renderer[128];
    double seconds;
    SimClock clock; /* sum of all simulations */
    uint64_t frames, steps;
    uint64_t contexts_lost;               /* number of GL contexts that were lost and replaced */
    double fps;                           /* mean number of frames per second */
    double frame_ms_median, frame_ms_max; /* time between frames after the first second, ms */
    double input_ms_max;                  /* longest time from an input event to its picture, ms */
    double overlay_ms_median;             /* time to draw texts and panel, ms */
    double step_ms_median;                /* time of a step, ms */
    double scale;                         /* resolution at the end, as a share of the window's */
} AppReport;

AppOptions app_default_options(void);

/* Whether a window can be opened. Returns false with the reason where no display answers. Call it
 * before any context is opened. It waits up to a second for a display that a variable names.
 * SDL_VIDEODRIVER may name a driver instead. The connection stays open for the window, because some
 * servers restart when their last client leaves. */
bool app_display_available(BillowError *reason);

/* Runs the window until it is closed. Returns false with a message where it cannot start or
 * continue. report may be NULL. */
bool app_run(const AppOptions *options, AppReport *report, BillowError *error);

#endif
