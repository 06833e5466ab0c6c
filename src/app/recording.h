/* SPDX-License-Identifier: MIT
 *
 * Screenshots, and videos of the window. */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include "io/video.h"
#include "render/renderer.h"
#include "scene/scene.h"
#include <billow/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Parts of a file's path, which is FOLDER "/" PREFIX SCENE "-" NUMBER ENDING without the spaces. */
typedef struct CaptureName {
    const char *folder, *prefix;
    const char *scene;  /* characters other than letters, digits and dashes become underscores */
    int digits;         /* smallest number of digits of NUMBER; 0: the first file is without "-1" */
    const char *ending; /* ".png" */
    const char *plural; /* "screenshots of", for the message */
} CaptureName;

/* Finds the first NUMBER whose file does not exist. name: receives the file's name without the
 * folder. */
bool capture_name(const CaptureName *of, char *name, size_t name_size, char *path, size_t path_size,
                  BillowError *error);

/* Writes the picture that the window shows, without texts, to `folder`/SCENE-0001.png, or to the
 * first number that has no file. A slice gets its legend. name: receives the file's name without
 * the folder. */
bool screenshot_take(Renderer *renderer, const Scene *scene, const RenderSlice *slice, int width,
                     int height, const char *folder, char name[96], BillowError *error);

/* -- the encoder's thread ---------------------------------------------------------------------- */

/* Writes a video on a thread of its own, so that drawing does not wait for the encoder. Frames wait
 * in a short queue. Call these functions from one thread only. */
typedef struct Recorder Recorder;

typedef enum RecorderState { RECORDER_WRITING, RECORDER_DONE, RECORDER_FAILED } RecorderState;

/* Starts a video. Returns NULL with a message if there is no ffmpeg, if the file cannot be written,
 * or if memory or threads are short. `form` must have no alpha. */
Recorder *recorder_start(const char *path, const VideoForm *form, BillowError *error);

/* Returns memory for the next frame: red, green and blue bytes, bottom row first as in OpenGL.
 * NULL: the queue is full. */
uint8_t *recorder_room(Recorder *recorder);
/* Adds the frame in the memory of recorder_room to the video. */
void recorder_submit(Recorder *recorder);

/* Ends the video after the submitted frames. The file is finished in the background. */
void recorder_end(Recorder *recorder);

/* Returns the state. error: receives the reason for RECORDER_FAILED. */
RecorderState recorder_state(Recorder *recorder, BillowError *error);

/* Ends the video and waits until the file is finished. Returns RECORDER_DONE, or RECORDER_FAILED
 * with the reason in error. */
RecorderState recorder_wait(Recorder *recorder, BillowError *error);
/* Ends the video, waits and frees everything. NULL is fine. */
void recorder_destroy(Recorder *recorder);

/* -- videos in a session ----------------------------------------------------------------------- */

typedef struct Session Session;

typedef struct Recording {
    Recorder *recorder; /* NULL: no video is being written */
    bool last;          /* the video ends after its first frame, which is being drawn */
    bool ending;        /* the video has ended and its file is being finished */
    char name[128];     /* name of the file without its folder */
    int width, height;  /* size of the window at the start of the video, pixels */
    uint64_t drawn;     /* number of the video frame that the picture shows; 0: none */
    uint64_t taken;     /* last recorded frame; the number rises from video to video */
    long frames;        /* number of frames recorded in this video */
    char words[32];     /* text of recording_words */
} Recording;

/* Starts a video in FOLDER/billow-SCENE-1.mp4, or in the first number that has no file. If a video
 * is being recorded, ends that video instead. */
void recording_toggle(Session *session);
/* Ends the present video, if there is one. why: reason for the message; NULL: no message. */
void recording_end(Session *session, const char *why);
/* Records the picture. Call it after renderer_present and before the overlay is drawn. */
void recording_see(Session *session);
/* Shows a message when the file is finished or has failed. Call it every frame. */
void recording_poll(Session *session);
/* Waits until the file is finished. Returns false with a message if frames are lost. */
bool recording_close(Session *session, BillowError *error);

/* Returns the length of the present video, such as "0:03"; NULL: there is none. */
const char *recording_words(Session *session);

#endif
