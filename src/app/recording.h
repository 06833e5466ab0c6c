/* SPDX-License-Identifier: MIT
 *
 * Screenshots, and videos of the window. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "renderer.h"
#include "scene.h"
#include "video.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* A path of four parts without spaces: FOLDER/PREFIX SCENE -NUMBER ENDING. */
typedef struct CaptureName {
    const char *folder, *prefix;
    const char *scene;  /* other characters than letters, digits and dashes become underscores */
    int digits;         /* fewest digits of the number */
    const char *ending; /* ".png" */
    const char *plural; /* "screenshots", for the message */
} CaptureName;

/* Finds the first number without a file. name: receives the file's name without the folder. */
bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error);

/* Draws the window's picture again in full quality and writes it to FOLDER/SCENE-0001.png, or to
 * the first number without a file. The exposure is the window's. The picture is drawn in parts
 * where graphics memory is short. name: receives the file's name without the folder. */
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

/* Memory for the next frame: red, green and blue bytes, rows from the bottom up as in OpenGL. NULL:
 * the queue is full. */
uint8_t *recorder_room(Recorder *recorder);
/* Adds the frame in that memory to the video. */
void recorder_submit(Recorder *recorder);

/* Ends the video after the submitted frames. The file is finished in the background. */
void recorder_end(Recorder *recorder);

/* Returns the present state, and for RECORDER_FAILED the reason in error. */
RecorderState recorder_state(Recorder *recorder, BillowError *error);

/* Ends the video and waits. Returns RECORDER_DONE, or RECORDER_FAILED with the reason in error. */
RecorderState recorder_wait(Recorder *recorder, BillowError *error);
/* Ends the video, waits and frees everything. NULL is fine. */
void recorder_destroy(Recorder *recorder);

/* -- videos in a session ----------------------------------------------------------------------- */

typedef struct Session Session;

typedef struct Recording {
    Recorder *recorder; /* NULL: there is no video */
    bool ending;        /* the file is being finished */
    char name[128];     /* name of the file without its folder */
    int width, height;  /* size of the window at the start of the video, pixels */
    uint64_t drawn;     /* number of the frame in the picture; 0: none */
    uint64_t taken;     /* number of the last recorded frame; it rises from video to video */
    long frames;        /* number of frames in this video */
    char words[32];     /* text of recording_words */
} Recording;

/* Starts FOLDER/billow-SCENE-1.mp4, or the first number without a file; or ends the present video.
 */
void recording_toggle(Session *session, int argument);
/* Ends the present video, if there is one. why: reason for the message; NULL: no message. */
void recording_end(Session *session, const char *why);
/* Records the frame that renderer_present has drawn, before the overlay is drawn. */
void recording_see(Session *session);
/* Every frame: shows a message when the file is finished or has failed. */
void recording_poll(Session *session);
/* Waits until the file is finished. Returns false with a message where that fails. */
bool recording_close(Session *session, BillowError *error);

/* Length of the present video, "0:03"; NULL: there is none. */
const char *recording_words(Session *session);

#endif
