/* SPDX-License-Identifier: MIT
 *
 * Optical flow: the displacement that brings the features of one picture over those of another.
 *
 * The pictures need not be two moments of one motion. Where nothing corresponds, the field is
 * smooth and small. The result is the same to the bit at any number of threads. */
#ifndef CAPTURE_PICTURE_FLOW_H
#define CAPTURE_PICTURE_FLOW_H

#include <billow/error.h>
#include <stdbool.h>

enum {
    FLOW_CHANNELS = 2, /* floats a pixel that the flow matches: lightness and opacity */
    FLOW_COARSER = 2   /* pixels of the picture per motion vector, along each axis */
};

/* Displacements, rows from the top: 2 floats a vector, to the right and down, in pixels of the
 * picture. */
typedef struct PictureFlow {
    int width, height; /* of the picture, pixels */
    int across, down;  /* vectors along the picture's width and height */
    float *vectors;
} PictureFlow;

bool picture_flow_create(PictureFlow *flow, int width, int height, BillowError *error);
void picture_flow_destroy(PictureFlow *flow);

/* Interpolates an array of `count` floats a pixel linearly. (0, 0) is the centre of the first
 * pixel; positions outside count as the nearest inside. */
void picture_flow_sample(const float *values, int count, int width, int height, float x, float y,
                         float *out);

/* Displacement at a position in pixels of the picture, interpolated. */
void picture_flow_at(const PictureFlow *flow, float x, float y, float vector[2]);

/* Finds the displacement u between two pictures at the share of the way from the first to the
 * second, 0 to 1: first(x - share u) is like second(x + (1 - share) u). Both hold FLOW_CHANNELS
 * floats a pixel, rows from the top. follows: the flow already holds that of the picture before,
 * from which the new one departs little. */
bool picture_flow_find(PictureFlow *flow, const float *first, const float *second, float share,
                       bool follows, BillowError *error);

#endif
