/* SPDX-License-Identifier: MIT
 *
 * A video that is written on a thread of its own, so that drawing does not wait for the encoder.
 * Pictures go through a short queue; while it is full, none is taken.
 *
 * All calls belong to the one thread that started it. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H

#include "video.h"

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

#endif
