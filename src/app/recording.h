/* SPDX-License-Identifier: MIT
 *
 * Files that a key writes: screenshots, and videos of what the window shows. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "renderer.h"
#include "scene.h"
#include "video.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* FOLDER/PREFIX SCENE-1 ENDING, without the spaces. */
typedef struct CaptureName {
    const char *folder, *prefix;
    const char *scene;           /* its name, of which letters, digits and dashes are kept */
    int digits;                  /* of the number, at least */
    const char *ending, *plural; /* ".png"; "screenshots" */
} CaptureName;

/* The first number that is free: the name without the folder, and the path. */
bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error);

/* Draws the renderer's present state again as a still of the given size, in parts where graphics
 * memory is short, as bright as the window is, and writes it to
 * FOLDER/SCENE-0001.png or the first number that is free. name receives the file's name without the
 * folder. */
bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSettings *render,
                     RenderFrame frame, const char *folder, char name[96], BillowError *error);

/* -- the encoder's thread ---------------------------------------------------------------------- */

/* Writes a video on a thread of its own, so that drawing does not wait for the encoder. Frames wait
 * in a short queue. Call these functions from one thread only. */
typedef struct Recorder Recorder;

typedef enum RecorderState { RECORDER_WRITING, RECORDER_DONE, RECORDER_FAILED } RecorderState;

/* Returns NULL and a message where there is no ffmpeg, the file cannot be written, or memory or
 * threads are short. form has no alpha. */
Recorder *recorder_start(const char *path, const VideoForm *form, BillowError *error);

/* Memory for the next frame, which recorder_submit then takes: red, green and blue bytes, rows from
 * the bottom up, as OpenGL reads them. NULL: the queue is full. */
uint8_t *recorder_room(Recorder *recorder);
void recorder_submit(Recorder *recorder);

/* Says that no frame follows. The file is finished in the background. */
void recorder_end(Recorder *recorder);

/* The state now; with RECORDER_FAILED the reason is in error. */
RecorderState recorder_state(Recorder *recorder, BillowError *error);

/* Ends the video and waits: returns RECORDER_DONE or RECORDER_FAILED. */
RecorderState recorder_wait(Recorder *recorder, BillowError *error);
/* Ends the video, waits and frees everything. NULL is fine. */
void recorder_destroy(Recorder *recorder);

/* -- videos in a session ----------------------------------------------------------------------- */

typedef struct Session Session;

typedef struct Recording {
    Recorder *recorder; /* NULL: none */
    bool ending;        /* no more frames: its file is being finished */
    char name[128];     /* of the file, without its folder */
    int width, height;  /* of the window when it began */
    uint64_t drawn;     /* number of the frame that the picture shows, 0: none; */
    uint64_t taken;     /* of the last one that was recorded, in any video */
    long frames;
    char words[32]; /* for the overlay */
} Recording;

/* Begins FOLDER/billow-SCENE-1.mp4, or the first number that is free, or ends what was begun. */
void recording_toggle(Session *session, int argument);
/* Ends it, if there is one; why is said with its name. */
void recording_end(Session *session, const char *why);
/* After renderer_present and before anything is drawn over that. */
void recording_see(Session *session);
/* Every frame: says how a file that was being finished came out. */
void recording_poll(Session *session);
/* Waits until the file is whole; false, with a message, where it could not be. */
bool recording_close(Session *session, BillowError *error);

/* "0:03" of the video; NULL where nothing is recorded. */
const char *recording_words(Session *session);

#endif
