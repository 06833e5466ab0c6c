/* SPDX-License-Identifier: MIT
 *
 * Videos through ffmpeg, which is looked for in PATH: H.264 in .mp4, VP9 in .webm, 256 colours in
 * .gif. A video is written whole or not at all (atomic_file.h). Where the encoder breaks off, the
 * part that plays is kept under another name.
 *
 *     if (!video_probe(path, &form, &error)) ...;         // before long work
 *     Video *video = video_open(path, &form, &error);
 *     while (frames are left)
 *         good = video_write(video, pixels, &error);
 *     good ? video_finish(video, &error) : video_give_up(video, &error);
 */
#ifndef IO_VIDEO_H
#define IO_VIDEO_H

#include "picture_format.h"

typedef struct VideoForm {
    int width, height;
    bool alpha;          /* pixels have a fourth byte: straight alpha */
    bool quick;          /* encode fast rather than small */
    double fps;          /* frames per second */
    const char *instead; /* advice if a video is not possible, such as "write a ..."; or NULL */
} VideoForm;

typedef struct Video Video;

/* Whether the format of a file name supports such a video, whatever programs are installed. */
bool video_takes(const char *path, const VideoForm *form, BillowError *error);

/* Whether such a video can be written to the path. Checks the folder, and runs ffmpeg with its
 * encoder on one frame. */
bool video_probe(const char *path, const VideoForm *form, BillowError *error);

Video *video_open(const char *path, const VideoForm *form, BillowError *error);

/* Writes a frame: rows from the top, tightly packed, 3 or 4 bytes per pixel. If ffmpeg has exited,
 * returns false and its last message; then call video_give_up. */
bool video_write(Video *video, const uint8_t *pixels, BillowError *error);

long video_frames(const Video *video); /* written so far */

/* Completes the video, gives the file its name and frees video. Needs at least one frame. A failure
 * is handled as by video_give_up. */
bool video_finish(Video *video, BillowError *error);

/* Discards and frees the video. Its file is not created. If a part of it can be played, that is
 * kept under another name, which is added to the message in error. */
void video_give_up(Video *video, BillowError *error);

#endif
