/* SPDX-License-Identifier: MIT
 *
 * What the files of the pond share: pond.c, the example; pond_scene.c, what happens on the water;
 * and pond_draw.c, the picture. The pond is 24 x 21 m; x points to the right, y away from the
 * viewer, z up from the water at rest. */
#ifndef POND_H
#define POND_H

#include "pond_clock.h"
#include "pond_water.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    POND_NX = 320, /* cells along x and y */
    POND_NY = 280,
    POND_BOATS = 2,
    POND_FLOATS = 16,
    POND_ELEMENTS = 24000, /* coloured elements; new ones then replace the oldest */
    POND_COLOURS = 3,
    POND_WIDTH = 960, /* of the picture, pixels */
    POND_HEIGHT = 500,
};

#define POND_SLICE       (1.0 / POND_SLICE_RATE) /* of time, s */
#define POND_CELL        0.075f                  /* width of a cell, m */
#define POND_BOAT_LENGTH 1.5f                    /* m */
#define POND_BOAT_WIDTH  0.56f
#define POND_FASTEST     4.0f /* speed of boats and water, m/s */
#define POND_TURN        6.0f /* of boats, rad/s */

/* Who has the helm of a boat. */
typedef enum PondHelm {
    POND_SAILS,   /* nobody: it sails along a route */
    POND_STEERED, /* thrust and rudder are given */
    POND_DRAGGED, /* the pointer: to the place `drag` */
    POND_COASTS   /* somebody elsewhere, who tells its velocity now and then */
} PondHelm;

typedef struct PondBoat {
    PondHelm helm;
    float x, y, heading;  /* m, rad from the x axis to the left */
    float u, v, turn;     /* m/s, rad/s */
    float thrust, rudder; /* as steered, -1 to 1; rudder positive to the left */
    int mark;             /* of the route, which it sails to when it sails by itself */
} PondBoat;

typedef struct PondFloat {
    float x, y, u, v; /* m, m/s */
} PondFloat;

typedef struct PondElement {
    float x, y;
    uint8_t colour; /* below POND_COLOURS */
} PondElement;

typedef struct PondScene {
    PondWater *water;
    PondBoat boats[POND_BOATS];
    PondFloat floats[POND_FLOATS];
    PondElement *elements;
    int element_count, next_element; /* next_element: the one that is replaced next */
    uint64_t poured;                 /* counter behind the places of elements */
    float drag[2];                   /* place that boats are dragged to, m */
    int64_t slices;                  /* number of the next slice; drops of rain follow from it */
    bool raining;
    double rain; /* volume of all drops and stones, m3 */
} PondScene;

/* Fills the scene: still water, boats on their route, floats all over the pond. Returns false if
 * memory is short. pond_scene_end() may be called either way. */
bool pond_scene_begin(PondScene *scene);
void pond_scene_end(PondScene *scene);

/* Advances everything by POND_SLICE. */
void pond_scene_slice(PondScene *scene);

/* Pours elements of a colour on the water around a point. */
void pond_pour(PondScene *scene, const float point[2], int colour);

/* Whether a boat at its place has water all around. */
bool pond_boat_fits(const PondScene *scene, const PondBoat *boat);

/* Sets thrust and rudder as a boat that sails by itself does. */
void pond_sail(PondBoat *boat);

/* Distance of a point from the shore, roughly, m: positive on the pond, negative on land. */
float pond_shore(float x, float y);

/* A place in a hull: 0 on its middle, 1 at the rim of the hull, above 1 outside. */
float pond_hull(const PondBoat *boat, float x, float y);

/* -- the picture ----------------------------------------------------------------------------- */

typedef struct PondView PondView; /* ground, floor and what a picture needs; one allocation */

PondView *pond_view_create(const PondWater *water); /* NULL: no memory */
void pond_view_destroy(PondView *view);             /* NULL is allowed */

/* Fills POND_WIDTH x POND_HEIGHT pixels of R, G, B, which follow from the scene alone. */
void pond_draw(PondView *view, const PondScene *scene, uint8_t *rgb);

/* Draws boats and floats over the water, far ones first. */
void pond_draw_bodies(const PondScene *scene, uint8_t *rgb);

/* The point of the water at rest under a pixel, m. */
void pond_view_point(double pixel_x, double pixel_y, float point[2]);

/* The pixel of a point x, y, z. */
void pond_view_pixel(float x, float y, float z, float pixel[2]);

#endif
