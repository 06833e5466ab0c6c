/* SPDX-License-Identifier: MIT
 *
 * What happens on the pond of pond.c around its water, whose equations (1) to (6) are in
 * pond_water.c. In the order of a slice:
 *
 *     (7)  rain      a drop raises the pressure, a bump of height in the surface; its ring runs off
 *     (8)  boats     thrust along the keel, drag along it and across it, a rudder that turns the
 *                    boat the more the faster it goes; a shore throws it back
 *     (9)  hull      of draught d in water of depth D: a moving boundary for the part d / D of the
 *                    water, so the faces it covers have d / D of its velocity
 *     (10) water     one step
 *     (11) floats    du/dt = (u_water - u) / 0.25 s, dx/dt = u; hulls push them aside
 *     (12) elements  dx/dt = u_water
 *
 * A float or an element that would leave the water stays where it is along that axis. */
#include "pond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float slice = (float)POND_SLICE, fastest = POND_FASTEST; /* s, m/s */
static const float draught = 0.11f;                                   /* of a hull, m */

/* -- places ---------------------------------------------------------------------------------- */

float pond_shore(float x, float y)
{
    float dx = x - 12, dy = y - 10.3f, angle = atan2f(dy, dx);
    float r = sqrtf(sqrtf(powf(dx / 11.4f, 4) + powf(dy / 9.6f, 4)));
    float bank =
        9 * (1 - r) - 0.25f + 0.3f * sinf(3 * angle + 0.8f) + 0.2f * sinf(7 * angle + 2.1f);
    float west = hypotf(x - 7.6f, y - 13) - 1.5f - 0.2f * sinf(3 * atan2f(y - 13, x - 7.6f));
    float east = hypotf(x - 16.6f, 1.3f * (y - 7.6f)) - 1.1f;
    return fminf(bank, fminf(west, east));
}

float pond_hull(const PondBoat *boat, float x, float y)
{
    float c = cosf(boat->heading), s = sinf(boat->heading), dx = x - boat->x, dy = y - boat->y;
    return hypotf((c * dx + s * dy) / (0.5f * POND_BOAT_LENGTH),
                  (c * dy - s * dx) / (0.5f * POND_BOAT_WIDTH));
}

bool pond_boat_fits(const PondScene *scene, const PondBoat *boat)
{
    for (int point = 0; point < 8; point++) {
        float along = 0.55f * POND_BOAT_LENGTH * cosf(0.785398f * (float)point);
        float across = 0.55f * POND_BOAT_WIDTH * sinf(0.785398f * (float)point);
        float c = cosf(boat->heading), s = sinf(boat->heading);
        if (!pond_water_wet_at(scene->water, boat->x + c * along - s * across,
                               boat->y + s * along + c * across))
            return false;
    }
    return true;
}

/* Angle between -pi and pi that is the same direction. */
static float wrap(float angle)
{
    return remainderf(angle, 6.2831853f);
}

/* A number below 1 that a counter gives (splitmix64). */
static float random_of(uint64_t counter)
{
    uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

/* -- a slice --------------------------------------------------------------------------------- */

/* (7) The drops follow from the number of the slice: about 14 in a second. */
static void rain(PondScene *scene)
{
    uint64_t counter = 4 * (uint64_t)scene->slices;
    if (random_of(counter) < 0.12f)
        scene->rain +=
            pond_water_add_drop(scene->water, POND_NX * POND_CELL * random_of(counter + 1),
                                POND_NY * POND_CELL * random_of(counter + 2), 0.26f,
                                0.02f + 0.02f * random_of(counter + 3));
}

/* Marks that a boat which sails by itself goes round, m. */
static const float route[][2] = {{4.6f, 8.6f},   {7.4f, 5.6f},   {12.2f, 4.2f},  {17.6f, 4.3f},
                                 {20.2f, 8.2f},  {18.8f, 12.6f}, {15.2f, 15.6f}, {12, 16.4f},
                                 {11.6f, 12.6f}, {12.4f, 9.2f},  {9.2f, 8.6f}};

enum { MARKS = sizeof route / sizeof *route };

void pond_sail(PondBoat *boat)
{
    float dx = route[boat->mark][0] - boat->x, dy = route[boat->mark][1] - boat->y;
    float off = wrap(atan2f(dy, dx) - boat->heading);
    boat->rudder = clampf(2 * off, -1, 1);
    boat->thrust = fabsf(off) > 0.8f ? 0.45f : 0.85f;
}

/* Sets the velocity with which a dragged boat would reach the pointer in a third of a second. */
static void drag_boat(PondBoat *boat, const float place[2])
{
    float u = 3 * (place[0] - boat->x), v = 3 * (place[1] - boat->y), speed = hypotf(u, v);
    float scale = speed > fastest ? fastest / speed : 1;
    boat->u = scale * u, boat->v = scale * v;
    boat->turn = speed > 0.3f ? clampf(5 * wrap(atan2f(v, u) - boat->heading), -4, 4) : 0;
}

/* (8) without walls */
static void steer(PondBoat *boat)
{
    const float push = 3.2f, drag_along = 0.85f, drag_across = 3.5f; /* m/s2, 1/s */
    float c = cosf(boat->heading), s = sinf(boat->heading);
    float along = c * boat->u + s * boat->v, across = c * boat->v - s * boat->u;
    along += slice * (push * boat->thrust - drag_along * along);
    across -= slice * drag_across * across;
    boat->turn += 6 * slice * (1.5f * boat->rudder * clampf(along, -1, 1) - boat->turn);
    boat->u = clampf(c * along - s * across, -fastest, fastest);
    boat->v = clampf(s * along + c * across, -fastest, fastest);
}

/* Two hulls that come closer than a length give each other their velocity along the line between
 * them. */
static void collide(PondBoat *a, PondBoat *b)
{
    float dx = b->x - a->x, dy = b->y - a->y, distance = hypotf(dx, dy);
    if (distance > 0.8f * POND_BOAT_LENGTH || distance == 0)
        return;
    dx /= distance, dy /= distance;
    float closing = (a->u - b->u) * dx + (a->v - b->v) * dy;
    if (closing > 0) {
        a->u -= closing * dx, a->v -= closing * dy;
        b->u += closing * dx, b->v += closing * dy;
    }
}

/* (8) */
static void move_boat(PondScene *scene, PondBoat *boat)
{
    PondBoat before = *boat;
    if (hypotf(route[boat->mark][0] - boat->x, route[boat->mark][1] - boat->y) < 1.3f)
        boat->mark = (boat->mark + 1) % MARKS;
    if (boat->helm == POND_SAILS)
        pond_sail(boat);
    if (boat->helm == POND_DRAGGED)
        drag_boat(boat, scene->drag);
    else if (boat->helm != POND_COASTS)
        steer(boat);
    boat->x += slice * boat->u;
    boat->y += slice * boat->v;
    boat->heading = wrap(boat->heading + slice * boat->turn);
    if (!pond_boat_fits(scene, boat)) { /* back to where it was, and away from there */
        float bounce = boat->helm == POND_DRAGGED ? 0 : -0.5f;
        boat->x = before.x, boat->y = before.y, boat->heading = before.heading;
        boat->u *= bounce, boat->v *= bounce, boat->turn = 0;
    }
}

/* (9) */
static void cover_cells(PondScene *scene)
{
    pond_water_free_cells(scene->water);
    for (int b = 0; b < POND_BOATS; b++) {
        const PondBoat *boat = &scene->boats[b];
        int reach = (int)(0.5f * POND_BOAT_LENGTH / POND_CELL) + 2;
        int ci = (int)(boat->x / POND_CELL), cj = (int)(boat->y / POND_CELL);
        for (int j = cj - reach; j <= cj + reach; j++)
            for (int i = ci - reach; i <= ci + reach; i++) {
                float x = ((float)i + 0.5f) * POND_CELL, y = ((float)j + 0.5f) * POND_CELL;
                float inside = (1 - pond_hull(boat, x, y)) * 0.5f * POND_BOAT_WIDTH / POND_CELL;
                float depth = pond_water_depth(scene->water, i, j);
                if (inside < -0.5f || depth == 0)
                    continue;
                float part = fminf(draught / depth, 0.9f);
                pond_water_move_cell(scene->water, i, j, fminf(inside + 0.5f, 1),
                                     part * (boat->u - boat->turn * (y - boat->y)),
                                     part * (boat->v + boat->turn * (x - boat->x)));
            }
    }
}

/* Moves a point, but not out of the water. */
static void drift(const PondWater *water, float *x, float *y, float dx, float dy)
{
    if (pond_water_wet_at(water, *x + dx, *y))
        *x += dx;
    if (pond_water_wet_at(water, *x, *y + dy))
        *y += dy;
}

/* (11) */
static void move_floats(PondScene *scene)
{
    const float delay = 0.25f;
    for (int f = 0; f < POND_FLOATS; f++) {
        PondFloat *body = &scene->floats[f];
        float velocity[2];
        pond_water_velocity(scene->water, body->x, body->y, velocity);
        body->u += slice / delay * (velocity[0] - body->u);
        body->v += slice / delay * (velocity[1] - body->v);
        for (int b = 0; b < POND_BOATS; b++) {
            const PondBoat *boat = &scene->boats[b];
            float dx = body->x - boat->x, dy = body->y - boat->y, distance = hypotf(dx, dy);
            float hull = pond_hull(boat, body->x, body->y);
            if (hull > 1.2f || distance == 0)
                continue;
            body->u = boat->u + 0.6f * dx / distance; /* with the hull, and away from its middle */
            body->v = boat->v + 0.6f * dy / distance;
        }
        drift(scene->water, &body->x, &body->y, slice * body->u, slice * body->v);
    }
}

/* (12) */
static void move_elements(PondScene *scene)
{
    for (int e = 0; e < scene->element_count; e++) {
        PondElement *element = &scene->elements[e];
        float velocity[2];
        pond_water_velocity(scene->water, element->x, element->y, velocity);
        drift(scene->water, &element->x, &element->y, slice * velocity[0], slice * velocity[1]);
    }
}

void pond_scene_slice(PondScene *scene)
{
    if (scene->raining)
        rain(scene);
    collide(&scene->boats[0], &scene->boats[1]);
    for (int b = 0; b < POND_BOATS; b++)
        move_boat(scene, &scene->boats[b]);
    cover_cells(scene);
    pond_water_step(scene->water, POND_SLICE); /* below the bound: see pond_scene_begin() */
    move_floats(scene);
    move_elements(scene);
    scene->slices++;
}

/* -- what is there at first ------------------------------------------------------------------ */

/* Water whose depth grows from the shore. NULL: no memory. */
static PondWater *make_water(void)
{
    float *depths = malloc(sizeof *depths * POND_NX * POND_NY);
    if (depths == NULL)
        return NULL;
    for (int j = 0; j < POND_NY; j++)
        for (int i = 0; i < POND_NX; i++) {
            float shore = pond_shore(((float)i + 0.5f) * POND_CELL, ((float)j + 0.5f) * POND_CELL);
            depths[i + POND_NX * j] = shore > 0 ? fminf(0.1f + 0.22f * shore, 0.42f) : 0;
        }
    PondWaterDef def = pond_water_default_def();
    def.nx = POND_NX, def.ny = POND_NY, def.cell = POND_CELL, def.depth = depths;
    def.fastest = fastest;
    PondWater *water = pond_water_create(&def);
    free(depths);
    return water;
}

/* Boats on their route, floats all over the pond. */
static void place_bodies(PondScene *scene)
{
    scene->boats[0] = (PondBoat){.x = 6.4f, .y = 6.2f, .heading = -0.5f, .mark = 2};
    scene->boats[1] = (PondBoat){.x = 17.5f, .y = 13.6f, .heading = 2.5f, .mark = 6};
    for (uint64_t f = 0, tried = 0; f < POND_FLOATS; tried++) {
        float x = POND_NX * POND_CELL * random_of(2 * tried),
              y = POND_NY * POND_CELL * random_of(2 * tried + 1);
        if (pond_shore(x, y) > 0.5f)
            scene->floats[f++] = (PondFloat){.x = x, .y = y};
    }
}

bool pond_scene_begin(PondScene *scene)
{
    *scene = (PondScene){.water = make_water(),
                         .elements = malloc(sizeof *scene->elements * POND_ELEMENTS)};
    if (scene->water == NULL || scene->elements == NULL ||
        pond_water_largest_step(scene->water) < POND_SLICE)
        return false;
    place_bodies(scene);
    return true;
}

void pond_scene_end(PondScene *scene)
{
    pond_water_destroy(scene->water);
    free(scene->elements);
}

void pond_pour(PondScene *scene, const float point[2], int colour)
{
    const int count = 120;
    const float radius = 0.35f;
    for (int k = 0; k < count; k++) {
        float angle = 6.2831853f * random_of(scene->poured++);
        float r = radius * sqrtf(random_of(scene->poured++));
        float x = point[0] + r * cosf(angle), y = point[1] + r * sinf(angle);
        if (!pond_water_wet_at(scene->water, x, y))
            continue;
        scene->elements[scene->next_element] = (PondElement){x, y, (uint8_t)colour};
        scene->next_element = (scene->next_element + 1) % POND_ELEMENTS;
        if (scene->element_count < POND_ELEMENTS)
            scene->element_count++;
    }
}
