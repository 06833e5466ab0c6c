/* SPDX-License-Identifier: MIT
 *
 * A video written by a thread of its own, so that who draws does not wait for the encoder: pictures
 * go through a queue that holds a few. Where it is full, the last picture stands for longer.
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
/* The frame before so many times more. */
void recorder_repeat(Recorder *recorder, int times);

/* No frame comes any more: the file is finished meanwhile. */
void recorder_end(Recorder *recorder);

/* RECORDER_FAILED comes with the reason, also before recorder_end. */
RecorderState recorder_state(Recorder *recorder, BillowError *error);

/* Ends it and waits until the file is whole. NULL is fine. */
void recorder_destroy(Recorder *recorder);

#endif
