/* SPDX-License-Identifier: MIT
 *
 * Opens the window and runs it until it is closed. */
#ifndef APP_APP_H
#define APP_APP_H

#include "play/grid_choice.h"
#include "play/snapshots.h"
#include "render/frame/field_slice.h"
#include "scene/scene.h"

/* Defaults of `billow run`. */
#define RECORDING_FPS        30.0  /* frames of a video per simulated second */
#define AUTOSAVE_SECONDS     60.0  /* time between two automatic checkpoints, s */
#define ATTRACT_IDLE_SECONDS 180.0 /* time without input until the show starts, s */
#define KIOSK_IDLE_SECONDS   60.0  /* the same in a kiosk, s */

/* The state at the end of a run in three pictures, with rows from the top. */
typedef struct AppPictures {
    int width, height;
    uint8_t *live;  /* as the window draws moving smoke, without texts; 4 bytes a pixel */
    uint8_t *still; /* in the quality of `billow render` (still.h); 4 bytes a pixel */
    uint8_t *smoke; /* opacity of the smoke, 0 to 255; a byte a pixel */
} AppPictures;

void app_pictures_free(AppPictures *pictures);

typedef struct AppOptions {
    /* The first scene; its grid and overrides apply to later scenes too. threads 0: chosen for this
     * machine. */
    SceneRequest scene;
    SliceAsk slice;             /* slice at the start */
    const char *shader_folder;  /* NULL: the embedded shaders */
    bool exact;                 /* use all pressure cycles, also on a slow machine */
    SceneQuality quality;       /* of grid_aim_of, to which grid and picture are adapted */
    bool grid_stays;            /* keep the scenes' own grids */
    double past_bytes;          /* memory for stored states, bytes; 0: store no states */
    int width, height;          /* size of the window, pixels */
    double ui_scale;            /* size of texts; 0: that of the display */
    const char *capture_folder; /* folder for screenshots and videos */
    const char *record_input;   /* file to record hands to, from rest; NULL: none */
    bool host;                  /* share the scene with others, who join */
    const char *join;           /* address of the host to join instead of a scene; NULL: none */
    bool watches;               /* with join: show the host's states, and compute none */
    const char *address;        /* where the host listens; NULL: for this machine alone */
    const char *key;            /* of the session to join */
    const char *key_file;       /* to write the key of the own session to; NULL: none */
    const char *name;           /* of the own hand; NULL: chosen */
    double autosave;            /* time between two automatic checkpoints, s; 0: write none */
    double attract; /* time without input until the show starts, s; 0: only a key starts it */
    bool mute;      /* no sound */
    bool kiosk;     /* for exhibitions: full screen, no files, hard to close */
    double fps;     /* frames of a video per simulated second */
    double seconds; /* time until the window closes by itself, s; 0: never */
    AppPictures *pictures;     /* receives the last pictures, for app_pictures_free; NULL: none are
                                  taken */
    uint64_t lose_context_at;  /* for tests: number of the frame in which the GL context is lost,
                                  from 1; 0: never */
    bool (*interrupted)(void); /* called before every frame: if it returns true, the window closes;
                                  NULL: never called */
    bool (*checkpoint_asked)(void); /* called before every frame: if it returns true, the automatic
                                       checkpoint is written now; NULL: never called */
} AppOptions;

/* Measurements of one run of the window, for `billow run --json`. */
typedef struct AppReport {
    char scene[64];
    int grid[3], wind[3]; /* cells of the smoke and of the wind at the end */
    int threads;
    char renderer[128];
    double seconds;
    SimClock clock; /* sum over all simulations of the run */
    uint64_t frames, steps;
    uint64_t contexts_lost;               /* number of GL contexts that were lost and replaced */
    double fps;                           /* mean number of frames per second */
    double frame_ms_median, frame_ms_max; /* time between frames after the first second, ms */
    double input_ms_max;                  /* longest time from an input event to its picture, ms */
    double overlay_ms_median;             /* time to draw the texts and the panel, ms */
    double step_ms_median;                /* real time of a step of the simulation, ms */
    /* Medians of the parts of a picture, ms: light volumes, copies into textures, march of the
     * smoke. On a GPU the last two are 0 unless AppOptions.pictures are taken. */
    double light_ms_median, upload_ms_median, march_ms_median;
    int replay_same;         /* number of hashes of a replay that the states had */
    uint64_t replay_differs; /* first step of the replay whose hash differed; 0: none */
    uint64_t states_compared, states_differed; /* of a session with others */
    double bytes_sent, bytes_received;         /* of that session */
    double scale; /* size of the ray-marched picture at the end, as a share of the window's size */
} AppReport;

AppOptions app_default_options(void);

/* Whether a window can be opened; false with the reason if no display answers. Call it before any
 * GL context is opened. If DISPLAY or WAYLAND_DISPLAY names a display, it waits up to a second for
 * an answer. If SDL_VIDEODRIVER is set, SDL uses that driver. The connection to the display stays
 * open for the window, because some servers restart when their last client disconnects. */
bool app_display_available(BillowError *reason);

/* Has windows drawn off screen, by a driver of SDL's that shows nothing. Call it before any window
 * is opened. Returns false with a message if this SDL has no such driver. */
bool app_go_off_screen(BillowError *error);

/* Runs the window until it is closed. Returns false with a message if the window cannot start or
 * continue. report: receives the measurements; may be NULL. */
bool app_run(const AppOptions *options, AppReport *report, BillowError *error);

#endif
