/* SPDX-License-Identifier: MIT
 *
 * Writes videos through ffmpeg, which is searched in PATH: H.264 in .mp4, VP9 in .webm, ProRes 4444
 * in .mov, and pictures that repeat in .webp, .apng and, of 256 colours, .gif. A complete video is
 * written or none (atomic_file.h). If the encoder fails, the part of the video that can be played
 * is kept under another name.
 *
 *     if (!video_probe(path, &form, &error)) ...;         // before long work
 *     Video *video = video_open(path, &form, &error);
 *     while (frames are left)
 *         good = video_write(video, pixels, &error) && video_sound(video, samples, n, &error);
 *     good ? video_finish(video, &error) : video_give_up(video, &error);
 */
#ifndef IO_VIDEO_H
#define IO_VIDEO_H

#include "io/picture_format.h"

typedef struct VideoForm {
    int width, height;
    bool alpha;          /* pixels have a fourth byte: straight alpha */
    double fps;          /* frames per second */
    const char *instead; /* advice if a video is not possible, such as "write a ..."; or NULL */
    bool sound;          /* video_probe: whether it will have sound, too */
} VideoForm;

typedef struct Video Video;

/* Whether the format of the file's name supports a video of this form. Does not check which
 * programs are installed. */
bool video_takes(const char *path, const VideoForm *form, BillowError *error);

/* Whether a video of this form can be written to the path. Checks the folder, and lets ffmpeg
 * encode one frame, and silence for it if there will be sound. */
bool video_probe(const char *path, const VideoForm *form, BillowError *error);

Video *video_open(const char *path, const VideoForm *form, BillowError *error);

/* Writes a frame. pixels: rows from the top without padding, 3 or 4 bytes per pixel. If ffmpeg has
 * exited, returns false and its last message; then call `video_give_up`. */
bool video_write(Video *video, const uint8_t *pixels, BillowError *error);

/* Appends frames of sound: left and right samples from -1 to 1, VIDEO_SOUND_RATE a second. A video
 * without any has no sound, nor has one of a silent format. At the end it is as long as the
 * pictures. */
#define VIDEO_SOUND_RATE 48000
bool video_sound(Video *video, const float *samples, long frames, BillowError *error);

long video_frames(const Video *video); /* written so far */

/* Completes the video, gives the file its name and frees `video`. The video must have at least one
 * frame. A failure has the same effect as `video_give_up`. */
bool video_finish(Video *video, BillowError *error);

/* Discards and frees the video; the file at its path is not created. If a part of the video can be
 * played, that part is kept under another name, which is added to the message in `error`. */
void video_give_up(Video *video, BillowError *error);

#endif
