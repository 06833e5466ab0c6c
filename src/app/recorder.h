/* SPDX-License-Identifier: MIT
 *
 * A video written by a thread of its own, so that who draws does not wait for the encoder: pictures
 * go through a queue that holds a few. Where it is full, none is taken.
 *
 * All calls are for the one thread that started it. */
#ifndef APP_RECORDER_H
#define APP_RECORDER_H

#include "video.h"

typedef struct Recorder Recorder;

/* What a recorder does, or how it ended. */
typedef enum RecorderState { RECORDER_WRITING, RECORDER_DONE, RECORDER_FAILED } RecorderState;

/* NULL and a message without ffmpeg, a place to write to, memory or a thread. form has no alpha. */
Recorder *recorder_start(const char *path, const VideoForm *form, BillowError *error);

/* Room for the next frame, which recorder_submit then takes: red, green and blue bytes, rows from
 * the bottom, as the GL gives them. NULL where the queue is full. */
uint8_t *recorder_room(Recorder *recorder);
void recorder_submit(Recorder *recorder);

/* No frame comes any more: the file is finished meanwhile. */
void recorder_end(Recorder *recorder);

/* RECORDER_FAILED comes with the reason, also before recorder_end. */
RecorderState recorder_state(Recorder *recorder, BillowError *error);

/* Ends it and waits until the file is whole, or could not be: never RECORDER_WRITING. */
RecorderState recorder_wait(Recorder *recorder, BillowError *error);
/* Likewise, and frees it. NULL is fine. */
void recorder_destroy(Recorder *recorder);

#endif
