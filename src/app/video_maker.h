/* SPDX-License-Identifier: MIT
 *
 * Writes recordings of hands to files and makes videos of them, one after the other: a process of
 * low priority, `billow render --replay`, draws each in the quality of posters while the window
 * goes on. Call these functions from one thread. */
#ifndef APP_VIDEO_MAKER_H
#define APP_VIDEO_MAKER_H

#include "io/video.h"
#include "play/replay_file.h"

typedef struct VideoMaker VideoMaker;

/* What the maker does now. */
typedef struct VideoStatus {
    bool busy;       /* it writes or draws */
    bool paused;     /* drawing is paused */
    int done, total; /* frames; total 0: not known yet */
    double left;     /* time until the video is drawn, s; negative: not known yet */
} VideoStatus;

/* Returns NULL with a message if memory is short. */
VideoMaker *video_maker_create(BillowError *error);
/* Writes an ended recording to its path, which ends in .bwr, and makes the video beside it: .mp4,
 * or .webm where ffmpeg has no H.264. form: its size, which is even, and its rate. The maker owns
 * the recorder, also on failure. */
bool video_maker_add(VideoMaker *maker, ReplayRecorder *recorder, const VideoForm *form,
                     BillowError *error);

/* Whether a recording with this path waits or is being drawn. NULL: false. */
bool video_maker_holds(VideoMaker *maker, const char *path);

VideoStatus video_maker_status(VideoMaker *maker);
/* Fetches the newest message that has not been fetched. Returns false if there is none. */
bool video_maker_says(VideoMaker *maker, BillowError *message);

/* Pauses the drawing, or goes on. Returns whether it is paused now. */
bool video_maker_pause(VideoMaker *maker);
/* Gives up the video that is being drawn. Its recording stays. */
void video_maker_give_up(VideoMaker *maker);

/* Writes the recordings that are left, gives up the videos, and frees the maker. Says on standard
 * error how a video is made of each. Returns false with a message if a recording is lost. NULL is
 * fine. */
bool video_maker_close(VideoMaker *maker, BillowError *error);

#endif
