/* SPDX-License-Identifier: MIT
 *
 * Videos through ffmpeg, which is looked for in PATH: H.264 in .mp4, VP9 in .webm, a palette's
 * colours in .gif. Written whole or not at all, as all files are (atomic_file.h); but where the
 * encoder breaks off, what it had made is kept under another name if it plays.
 *
 *     if (!video_probe(path, &form, &error)) ...;         // before long work
 *     Video *video = video_open(path, &form, &error);
 *     while (frames are left)
 *         good = video_write(video, pixels, &error);
 *     good ? video_finish(video, &error) : video_give_up(video, &error);
 */
#ifndef IO_VIDEO_H
#define IO_VIDEO_H

#include <billow/error.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum VideoKind { VIDEO_NONE, VIDEO_MP4, VIDEO_WEBM, VIDEO_GIF } VideoKind;

typedef struct VideoForm {
    int width, height;
    bool alpha; /* pixels have a fourth byte, straight alpha; .webm alone can keep it */
    bool quick; /* encoded as fast as it can be, in more bytes */
    double fps;
    const char *instead; /* what a message may advise where there is no ffmpeg; NULL: nothing */
} VideoForm;

typedef struct Video Video;

/* By the name's end, in capitals or not. */
VideoKind video_kind(const char *path);

/* H.264 wants even edges: those of a picture that is to become a video, no smaller than asked. */
void video_fit(VideoKind kind, int *width, int *height);

/* Whether that kind of video can have that form, whatever is installed. */
bool video_takes(const char *path, const VideoForm *form, BillowError *error);

/* Whether such a video could be written there: its form, its folder, ffmpeg with its encoder, tried
 * with one frame. */
bool video_probe(const char *path, const VideoForm *form, BillowError *error);

Video *video_open(const char *path, const VideoForm *form, BillowError *error);

/* A frame: rows from the top, tightly packed, 3 or 4 bytes a pixel. False where ffmpeg has ended,
 * with what it said; then video_give_up is what is left to do. */
bool video_write(Video *video, const uint8_t *pixels, BillowError *error);

long video_frames(const Video *video); /* written so far */

/* Ends the video and gives the file its name; needs a frame. The video is gone in any case. On
 * failure as video_give_up. */
bool video_finish(Video *video, BillowError *error);

/* Nothing is left under the name. What was made so far is kept beside it if it plays, and the name
 * of that is added to the message. */
void video_give_up(Video *video, BillowError *error);

#endif
