/* SPDX-License-Identifier: MIT
 *
 * The linear picture to the one of 8 bits: shaders/develop.frag over again in C. */
#ifndef PICTURE_DEVELOP_H
#define PICTURE_DEVELOP_H

#include "frame_block.h"
#include "look.h"

/* tone: the curve of the frame's look. linear: width * height pixels of radiance times opacity
 * (Rec. 709 primaries) and opacity, rows from the bottom. encoded, which may be the same: sRGB and
 * straight opacity, 0..1. */
void develop_picture(const FrameBlock *frame, LookTone tone, int width, int height,
                     const float *linear, float *encoded);

#endif
