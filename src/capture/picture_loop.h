/* SPDX-License-Identifier: MIT
 *
 * Animations that repeat. An animation of N frames has no jump from its last frame to its first if
 * its last K frames turn into the K frames before the first: frame N - K + m is a mixture of itself
 * and of frame m - K. Both are displaced to the share w = m / (K + 1) of the way between them, and
 * mixed with the weight w^2 (3 - 2 w).
 *
 * The two are different moments of the flow, and mixed as they are they would show both. So each
 * is first displaced by its share of the way to the other (picture_flow.h), by which their features
 * meet. Only smoke is displaced: sky, ground and solids, which a second picture without smoke
 * shows, stay where they are, and are mixed as they are. The mixture of two details that do not
 * match is weaker than either, so details are raised again to the contrast of the two pictures. */
#ifndef CAPTURE_PICTURE_LOOP_H
#define CAPTURE_PICTURE_LOOP_H

#include "capture/picture_flow.h"
#include "io/image.h"

/* A frame, and what of it is smoke. */
typedef struct LoopFrame {
    Image shown;    /* the frame */
    Image still;    /* the frame without smoke; pixels NULL: nothing else is in a transparent one */
    bool shared;    /* whether `still` belongs to another frame */
    uint8_t *smoke; /* opacity of the smoke, a byte a pixel; NULL with `still` */
} LoopFrame;

bool loop_frame_smoke(LoopFrame *frame, int width, int height, BillowError *error);
void loop_frame_free(LoopFrame *frame);

typedef struct PictureLoop {
    int frames;        /* K; 0: no loop */
    LoopFrame *before; /* frames 1 - K to 0 */
    PictureFlow flow;  /* from the last faded frame to the one that it turns into */
} PictureLoop;

/* Share of the earlier frame in frame `number` of `frames`; 0 before the fade. */
float picture_loop_share(int loop, int number, int frames);
/* Weight of the earlier frame in the mixture: bright light fades in and out slowly. */
float picture_loop_weight(float share);
/* Whether a frame fades or another fades into it. number: from 1 - K on. */
bool picture_loop_needs(int loop, int number, int frames);

/* Allocates the list of frames. Returns false if memory is short. */
bool picture_loop_open(PictureLoop *loop, int frames, int width, int height, BillowError *error);
void picture_loop_close(PictureLoop *loop);
/* Takes the pictures of a frame before the first. number: 1 - K to 0. */
void picture_loop_keep(PictureLoop *loop, int number, LoopFrame *frame);
/* Replaces the picture of frame `number` of `frames`, one of the last K, by the mixture. */
bool picture_loop_fade(PictureLoop *loop, int number, int frames, LoopFrame *frame,
                       BillowError *error);

/* Displaces two pictures to where their features meet by the flow that the frame was faded by, and
 * mixes them into `own`. Both have `channels` floats a pixel, at most PICTURE_LOOP_CHANNELS,
 * premultiplied by opacity. share: as of the frame. */
enum { PICTURE_LOOP_CHANNELS = 16 };
bool picture_loop_mix(const PictureFlow *flow, float share, int channels, const float *other,
                      float *own, BillowError *error);

#endif
