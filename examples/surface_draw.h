/* SPDX-License-Identifier: MIT
 *
 * Picture of the surface of surface.c, drawn in software: a camera that orbits around it, and a
 * depth buffer with 2 x 2 samples a pixel. */
#ifndef SURFACE_DRAW_H
#define SURFACE_DRAW_H

#include "surface_mesh.h"

enum { DRAW_SAMPLES = 2 /* along each side of a pixel */ };

/* A camera that looks at 0. Pixels are square, and the picture too. */
typedef struct Camera {
    Vec right, up, toward; /* unit vectors; toward points from 0 to the camera */
    double distance;       /* of the camera from 0 */
    double side;           /* of the picture, pixels */
    double focal;          /* focal length, pixels */
} Camera;

Camera camera_make(double yaw, double pitch, double distance, int side);

/* What a point looks like: x and y in pixels from the top left corner, z = 1 / depth. */
Vec camera_see(const Camera *camera, Vec point);

/* The nearest cell that is seen at a pixel, or -1. */
long camera_pick(const Camera *camera, const Mesh *mesh, double x, double y);

typedef struct Canvas {
    int side;     /* samples */
    float *depth; /* 1 / depth of each sample; 0 = nothing is there */
    uint8_t *rgb; /* red, green and blue of each sample */
    Vec *seen;    /* camera_see() of each grid point */
    Vec *colour;  /* colour of each grid point */
} Canvas;

/* Allocates a canvas for a frame of side x side pixels. Returns false if memory is short. */
bool canvas_create(Canvas *canvas, const Mesh *mesh, int side);
void canvas_free(Canvas *canvas);

/* Draws the surface with smoke on it, given for each grid point as amounts of red, green and blue.
 * `grid` adds the edges of patches and some lines of cells. */
void canvas_draw(Canvas *canvas, const Mesh *mesh, const Camera *camera, const Vec *smoke,
                 bool grid, ExampleFrame *frame);

#endif
