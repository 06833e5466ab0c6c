/* SPDX-License-Identifier: MIT
 *
 * Motion of the smoke: its velocity on a coarse grid, by which the history is displaced, and motion
 * vectors for programs that interpolate between pictures. */
#ifndef RENDER_MOTION_H
#define RENDER_MOTION_H

#include "base/render_settings.h"
#include "base/vec3.h"

#include <billow/billow.h>
#include <stddef.h>

/* -- interpolation ----------------------------------------------------------------------------- */

/* Samples for trilinear interpolation, as in a 3D texture. Outside the outermost samples the value
 * is that of the nearest one. */

typedef struct GridSample {
    const float *values; /* NULL: the field does not exist */
    int n[3];
    ptrdiff_t strides[3]; /* distance in memory between neighbours along each axis, floats */
} GridSample;

static inline float grid_sample_lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Interpolates at a position. place: 0 to 1 along each axis. component: index of the float within a
 * sample. */
static inline float grid_sample(const GridSample *grid, Vec3 place, int component)
{
    const float at[3] = {place.x, place.y, place.z};
    ptrdiff_t low = component, step[3];
    float t[3];
    for (int axis = 0; axis < 3; axis++) {
        float last = (float)(grid->n[axis] - 1);
        float x = fminf(fmaxf(at[axis] * (float)grid->n[axis] - 0.5f, 0), last);
        int cell = (int)x;
        t[axis] = x - (float)cell;
        step[axis] = cell + 1 < grid->n[axis] ? grid->strides[axis] : 0;
        low += cell * grid->strides[axis];
    }
    const float *v = grid->values + low, *w = v + step[2];
    float near_low = grid_sample_lerp(v[0], v[step[0]], t[0]);
    float near_high = grid_sample_lerp(v[step[1]], v[step[1] + step[0]], t[0]);
    float far_low = grid_sample_lerp(w[0], w[step[0]], t[0]);
    float far_high = grid_sample_lerp(w[step[1]], w[step[1] + step[0]], t[0]);
    return grid_sample_lerp(grid_sample_lerp(near_low, near_high, t[1]),
                            grid_sample_lerp(far_low, far_high, t[1]), t[2]);
}

/* -- velocities on a coarse grid --------------------------------------------------------------- */

/* Largest number of coarse cells along an axis, in the window and for stills. Eddies that the
 * window's grid misses are only a few pixels wide. */
#define MOTION_EDGE       32
#define MOTION_EDGE_STILL 128

typedef struct Motion {
    int n[3];            /* cells that span the box; 0: the velocity is unknown */
    const float *values; /* velocity, m/s: 3 floats a cell, without padding, x fastest */
} Motion;

/* Computes the number of coarse cells n along each axis of a grid, at most `edge`. Returns the
 * number of floats for their velocities. */
size_t motion_size(const int grid[3], int edge, int n[3]);

/* Computes the velocities of the coarse cells from a view. values: room for motion_size floats. The
 * result's n is 0 if the view has no velocity. */
Motion motion_fill(const BillowView *view, int edge, float *values);

/* Rotates r for a time by an angular velocity, rad/s. */
Vec3 motion_turned(Vec3 r, Vec3 spin, float seconds);

/* -- motion vectors ---------------------------------------------------------------------------- */

/* Motion vectors: displacement of what a picture shows until the next picture. Other programs use
 * them to interpolate between pictures. */

enum { MOTION_VECTOR_FLOATS = 3 };

typedef struct MotionVectorsAsk {
    const BillowView *view; /* without velocity, only the camera moves */
    const RenderSmoke *smoke;
    const BillowSolid *solids; /* solids at the time of the picture; only present solids, since
                                  absent ones do not move anything */
    int solid_count;
    const RenderCamera *camera, *next; /* cameras of this picture and of the next */
    double seconds;                    /* time from this picture to the next */
    int width, height;                 /* size of the picture, pixels */
    int across, down; /* evenly spaced vectors along the picture's width and height */
} MotionVectorsAsk;

/* Computes the motion vectors, rows from the top. Each has MOTION_VECTOR_FLOATS floats:
 * displacement to the right and down, pixels, and opacity, 0..1. A displacement is the mean over
 * the smoke along a ray, weighted by how visible each piece is. Smoke moves in a straight line at
 * its velocity. Solids hide the smoke behind them and move with their present velocity and spin.
 * The displacement is 0 if a ray meets neither smoke nor solid. */
void motion_vectors_fill(const MotionVectorsAsk *ask, float *vectors);

#endif
