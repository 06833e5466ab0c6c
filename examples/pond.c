/* SPDX-License-Identifier: MIT
 *
 * A pond after Chen, da Vitoria Lobo, Hughes, Moshell, Real-Time Fluid Simulation in a Dynamic
 * Virtual Environment (IEEE Computer Graphics and Applications, 1997): boats are moving boundaries
 * of the flow and leave wakes, floats and coloured elements are carried by it, and the pressure is
 * the height of the surface.
 *
 *     pond [--rain]
 *     pond --frames 300 --out pond.mp4
 *
 * pond_water.c has the equations (1) to (6) of the water, and says what they can show. Around it,
 * in the order of a slice of 1/120 s:
 *
 *     (7)  rain      a drop raises the pressure, a bump of height in the surface; its ring runs off
 *     (8)  boats     thrust along the keel, drag along it and across it, a rudder that turns the
 *                    boat the more the faster it goes; a shore throws it back
 *     (9)  hull      a hull of draught d in water of depth D is a moving boundary for the part d /
 * D of the water: the faces it covers have d / D of its velocity (10) water     one step (11)
 * floats    du/dt = (u_water - u) / 0.25 s; dx/dt = u. Hulls push them aside (12) elements  dx/dt =
 * u_water
 *
 * A float or an element that would leave the water stays where it is along that axis. */
#include "pond.h"
#include "common/example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float slice = 1.0f / 120, fastest = 4; /* s, m/s */
static const float draught = 0.11f;                 /* of a hull, m */

typedef struct Settings {
    bool rain;
} Settings;

typedef struct Pond {
    PondScene scene;
    PondView *view;
    long slices;   /* since the start */
    int own;       /* number of the boat that the keys steer */
    int dragged;   /* number of the boat that the pointer drags, or -1 */
    float drag[2]; /* place it is dragged to, m */
    int colour, next_element;
    bool raining, paused, pressed; /* pressed: the left button was down in the frame before */
    uint64_t seed;                 /* of where elements are poured */
    double rain;                   /* volume of all drops, m3 */
} Pond;

/* -- places -------------------------------------------------------------------------------------
 */

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

/* Whether a boat at this place has water all around. */
static bool fits(const PondScene *scene, const PondBoat *boat)
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

static float clampf(float x, float least, float most)
{
    return x > least ? (x < most ? x : most) : least;
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

/* -- a slice ------------------------------------------------------------------------------------
 */

/* (7) The drops follow from the number of the slice: about 14 in a second. */
static void rain(Pond *pond)
{
    uint64_t counter = 4 * (uint64_t)pond->slices;
    if (random_of(counter) < 0.12f)
        pond->rain +=
            pond_water_add_drop(pond->scene.water, POND_NX * POND_CELL * random_of(counter + 1),
                                POND_NY * POND_CELL * random_of(counter + 2), 0.26f,
                                0.02f + 0.02f * random_of(counter + 3));
}

/* Marks that a boat which sails by itself goes round, m. */
static const float route[][2] = {{4.6f, 8.6f},   {7.4f, 5.6f},   {12.2f, 4.2f},  {17.6f, 4.3f},
                                 {20.2f, 8.2f},  {18.8f, 12.6f}, {15.2f, 15.6f}, {12, 16.4f},
                                 {11.6f, 12.6f}, {12.4f, 9.2f},  {9.2f, 8.6f}};

enum { MARKS = sizeof route / sizeof *route };

/* Turns the rudder towards the next mark. */
static void sail(PondBoat *boat)
{
    float dx = route[boat->mark][0] - boat->x, dy = route[boat->mark][1] - boat->y;
    float off = wrap(atan2f(dy, dx) - boat->heading);
    boat->rudder = clampf(2 * off, -1, 1);
    boat->thrust = fabsf(off) > 0.8f ? 0.45f : 0.85f;
}

/* Velocity of a boat that the pointer drags: to its place within a third of a second. */
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
static void move_boats(Pond *pond)
{
    PondScene *scene = &pond->scene;
    for (int b = 0; b < POND_BOATS; b++) {
        PondBoat *boat = &scene->boats[b], before = *boat;
        if (hypotf(route[boat->mark][0] - boat->x, route[boat->mark][1] - boat->y) < 1.3f)
            boat->mark = (boat->mark + 1) % MARKS;
        if (b != pond->own)
            sail(boat);
        if (b == pond->dragged)
            drag_boat(boat, pond->drag);
        else
            steer(boat);
        collide(boat, &scene->boats[(b + 1) % POND_BOATS]);
        boat->x += slice * boat->u;
        boat->y += slice * boat->v;
        boat->heading = wrap(boat->heading + slice * boat->turn);
        if (!fits(scene, boat)) { /* back to where it was, and away from there */
            float bounce = b == pond->dragged ? 0 : -0.5f;
            boat->x = before.x, boat->y = before.y, boat->heading = before.heading;
            boat->u *= bounce, boat->v *= bounce, boat->turn = 0;
        }
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

static void run_slice(Pond *pond)
{
    if (pond->raining)
        rain(pond);
    move_boats(pond);
    cover_cells(&pond->scene);
    pond_water_step(pond->scene.water, (double)slice); /* below the bound: see pond_create() */
    move_floats(&pond->scene);
    move_elements(&pond->scene);
    pond->slices++;
}

/* -- the example --------------------------------------------------------------------------------
 */

static void pond_destroy(void *state)
{
    Pond *pond = state;
    pond_water_destroy(pond->scene.water);
    pond_view_destroy(pond->view);
    free(pond->scene.elements);
    free(pond);
}

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

static void *pond_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    const Settings *chosen = settings;
    Pond *pond = calloc(1, sizeof *pond);
    PondWater *water = make_water();
    PondView *view = water != NULL ? pond_view_create(water) : NULL;
    PondElement *elements = malloc(sizeof *elements * POND_ELEMENTS);
    if (pond == NULL || water == NULL || view == NULL || elements == NULL) {
        free(pond);
        free(elements);
        pond_water_destroy(water);
        pond_view_destroy(view);
        snprintf(error->text, sizeof error->text, "no memory for a pond of %dx%d cells", POND_NX,
                 POND_NY);
        return NULL;
    }
    *pond = (Pond){.scene = {.water = water, .elements = elements},
                   .view = view,
                   .dragged = -1,
                   .raining = chosen->rain};
    place_bodies(&pond->scene);
    frame->width = POND_WIDTH;
    frame->height = POND_HEIGHT;
    return pond;
}

/* Pours elements of the present colour around a point of the water. */
static void pour(Pond *pond, const float point[2])
{
    const int count = 120;
    const float radius = 0.35f;
    for (int k = 0; k < count; k++) {
        float angle = 6.2831853f * random_of(pond->seed++);
        float r = radius * sqrtf(random_of(pond->seed++));
        float x = point[0] + r * cosf(angle), y = point[1] + r * sinf(angle);
        if (!pond_water_wet_at(pond->scene.water, x, y))
            continue;
        pond->scene.elements[pond->next_element] = (PondElement){x, y, (uint8_t)pond->colour};
        pond->next_element = (pond->next_element + 1) % POND_ELEMENTS;
        if (pond->scene.element_count < POND_ELEMENTS)
            pond->scene.element_count++;
    }
}

/* The left button takes the boat under the pointer, or throws a stone into the water. */
static void press(Pond *pond, const float point[2])
{
    for (int b = 0; b < POND_BOATS; b++)
        if (pond_hull(&pond->scene.boats[b], point[0], point[1]) < 1.8f)
            pond->dragged = b;
    if (pond->dragged < 0)
        pond->rain += pond_water_add_drop(pond->scene.water, point[0], point[1], 0.5f, 0.08f);
}

static void pond_input(void *state, const ExampleInput *input)
{
    Pond *pond = state;
    PondBoat *boat = &pond->scene.boats[pond->own];
    float point[2];
    pond_view_point(input->x, input->y, point);
    boat->thrust = input->held[EXAMPLE_UP] ? 1 : input->held[EXAMPLE_DOWN] ? -0.6f : 0;
    boat->rudder = (float)input->held[EXAMPLE_LEFT] - (float)input->held[EXAMPLE_RIGHT];
    if (!input->left)
        pond->dragged = -1;
    else if (!pond->pressed)
        press(pond, point);
    pond->pressed = input->left;
    memcpy(pond->drag, point, sizeof point);
    if (input->right)
        pour(pond, point);
    if (input->pressed['c'])
        pond->colour = (pond->colour + 1) % POND_COLOURS;
    if (input->pressed['x'])
        pond->scene.element_count = pond->next_element = 0;
    pond->raining ^= input->pressed['r'];
    pond->paused ^= input->pressed[' '];
}

static void pond_step(void *state)
{
    Pond *pond = state;
    for (int k = 0; k < 4 && !pond->paused; k++) /* 30 frames of 4 slices in a second */
        run_slice(pond);
}

/* The boat goes along the route. Two colours are poured at the start, later it rains for a while.
 */
static void pond_script(const void *state, int frame, ExampleInput *input)
{
    const Pond *pond = state;
    PondBoat boat = pond->scene.boats[pond->own];
    float pixel[2];
    sail(&boat);
    input->held[EXAMPLE_UP] = boat.thrust > 0.5f || frame % 2 == 0;
    input->held[EXAMPLE_LEFT] = boat.rudder > 0.15f;
    input->held[EXAMPLE_RIGHT] = boat.rudder < -0.15f;
    input->right = frame < 60;
    input->pressed['c'] = frame == 30;
    float along = (float)(frame % 30) / 30;
    pond_view_pixel(9 + 5 * along, frame < 30 ? 4.6f : 11.2f, 0, pixel);
    input->x = (double)pixel[0];
    input->y = (double)pixel[1];
    input->pressed['r'] = frame == 150 || frame == 240;
}

static void pond_draw_frame(const void *state, ExampleFrame *frame)
{
    const Pond *pond = state;
    pond_draw(pond->view, &pond->scene, frame->rgb);
}

static void pond_status(const void *state, char *text, size_t size)
{
    const Pond *pond = state;
    const PondBoat *boat = &pond->scene.boats[pond->own];
    double volume = pond_water_volume(pond->scene.water);
    snprintf(text, size,
             "pond: %.2f s, boat %.1f m/s, %d elements, %.1f l of rain, volume off by %.1g l%s",
             (double)pond->slices / 120, hypot((double)boat->u, (double)boat->v),
             pond->scene.element_count, 1000 * pond->rain, 1000 * fabs(volume - pond->rain),
             pond->raining ? ", raining" : "");
}

static const ExampleOption options[] = {
    {"--rain", NULL, "begin in the rain", EXAMPLE_FLAG, offsetof(Settings, rain), 0, 0},
    {0},
};

static const Settings defaults = {.rain = false};

const Example example = {
    .name = "pond",
    .summary = "boats, floats, dye and rain on a pond, after Chen et al. 1997",
    .controls = "  arrow keys        steer the red boat\n"
                "  left drag         drag a boat; a click on the water throws a stone\n"
                "  right drag        pour dye\n"
                "  c                 next colour of dye\n"
                "  x                 take the dye away\n"
                "  r                 rain on and off\n"
                "  space             pause\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = 30,
    .frames = 300,
    .create = pond_create,
    .destroy = pond_destroy,
    .script = pond_script,
    .input = pond_input,
    .step = pond_step,
    .draw = pond_draw_frame,
    .status = pond_status,
};
