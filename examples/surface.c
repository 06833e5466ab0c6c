/* SPDX-License-Identifier: MIT
 *
 * Flow on a closed surface, after Jos Stam, Flows on Surfaces of Arbitrary Topology (SIGGRAPH
 * 2003), which the slides of his Real-Time Fluid Dynamics for Games (GDC 2003) announce. Coloured
 * smoke on a sphere, on a torus, or on any closed surface of quads is stirred with the mouse.
 *
 *     surface [--shape sphere|torus|FILE.obj] [--cells N]
 *     surface --shape torus --frames 200 --out torus.png
 *
 *     surface_mesh.c      patches, their neighbours, the Catmull-Clark surface, the metric
 *     surface_flow.c      the solver, with its equations
 *     surface_pressure.c  its projection
 *     surface_draw.c      the picture
 *     surface_obj.c       the file
 *
 * This file applies the mouse and the keys to them. */
#include "surface_draw.h"
#include "surface_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double time_step = 1.0 / 30;

typedef struct Settings {
    const char *shape;
    int cells; /* along the edge of a patch; 0 = as many as the shape needs */
} Settings;

enum { SIDE = 640 /* of the picture, pixels */ };

typedef struct Surface {
    const char *shape;
    int cells;
    Flow flow;
    Canvas canvas;
    const char *given;           /* shape of the command line */
    Vec *tint;                   /* smoke at grid points */
    double yaw, pitch, distance; /* of the camera */
    bool paused, shows_grid;
    bool was_left, orbits; /* the left button, since it went down beside the surface */
    long steps;
    double seconds; /* processor time of all steps */
} Surface;

/* -- smoke ------------------------------------------------------------------------------------- */

/* Colour number k of 4, as amounts of smoke. */
static Vec colour_of(int k)
{
    static const Vec colours[4] = {
        {2.0, 0.55, 0.06}, {1.3, 1.2, 1.1}, {0.06, 0.7, 1.9}, {1.5, 0.06, 0.5}};
    return colours[k % 4];
}

static void add_smoke(Flow *flow, size_t cell, double amount, Vec colour)
{
    flow->smoke[0][cell] += amount * colour.x;
    flow->smoke[1][cell] += amount * colour.y;
    flow->smoke[2][cell] += amount * colour.z;
}

/* The point at the centre of a cell. */
static Vec cell_centre(const Mesh *mesh, size_t cell)
{
    Vec sum = {0, 0, 0};
    for (int c = 0; c < 4; c++)
        sum = plus(sum, times(0.25, mesh->position[mesh->cell[cell].corner[c]]));
    return sum;
}

/* Sets the velocity and the smoke to 0, which are the first fields in memory. */
static void clear(Flow *flow)
{
    size_t fields = (size_t)(flow->smoke[DYES - 1] - flow->us) + flow->mesh.cells;
    memset(flow->us, 0, fields * sizeof *flow->us);
    memset(flow->projection.pressure, 0, flow->mesh.points * sizeof(double));
}

/* Coloured bands across the height of the surface, with gaps of the same width. */
static void add_bands(Flow *flow)
{
    const double bands = 5, soft = 0.08; /* width of the soft edge, in bands and gaps */
    const Mesh *mesh = &flow->mesh;
    double top = 1e-9; /* the surface may be flat */
    for (size_t k = 0; k < mesh->inner; k++)
        top = fmax(top, fabs(cell_centre(mesh, mesh->inside[k]).y));
    for (size_t k = 0; k < mesh->inner; k++) {
        double height = 0.5 * bands * (cell_centre(mesh, mesh->inside[k]).y / top + 1);
        double band = floor(height), inside = 0.25 - fabs(height - band - 0.5);
        add_smoke(flow, mesh->inside[k], fmin(fmax(inside / soft + 0.5, 0), 1),
                  colour_of((int)band));
    }
}

/* (3) with an impulse, dt f, up to a speed that a step can still trace well. */
static void push(Flow *flow, size_t cell, Vec impulse)
{
    const double speed_most = 6; /* of a unit of length in a unit of time */
    const Cell *at = &flow->mesh.cell[cell];
    double us = flow->us[cell] + dot(at->dual_s, impulse);
    double ut = flow->ut[cell] + dot(at->dual_t, impulse);
    double speed = norm(plus(times(us, at->es), times(ut, at->et)));
    double limit = speed > speed_most ? speed_most / speed : 1;
    flow->us[cell] = limit * us;
    flow->ut[cell] = limit * ut;
}

/* Adds smoke around a cell, and pushes it there by dx, dy pixels of the picture. */
static void brush(Surface *surface, const Camera *camera, size_t centre, double dx, double dy)
{
    const double radius = 0.08, smoke = 0.15, force = 12; /* force: 1 / time */
    const int colour_steps = 40;                          /* until the colour changes */
    Flow *flow = &surface->flow;
    Vec middle = cell_centre(&flow->mesh, centre);
    double depth = camera->distance - dot(middle, camera->toward);
    Vec way = times(depth / camera->focal, minus(times(dx, camera->right), times(dy, camera->up)));
    for (size_t k = 0; k < flow->mesh.inner; k++) {
        size_t c = flow->mesh.inside[k];
        double far = norm(minus(cell_centre(&flow->mesh, c), middle)) / radius;
        if (far > 3)
            continue;
        double amount = exp(-far * far);
        add_smoke(flow, c, amount * smoke, colour_of((int)(surface->steps / colour_steps % 4)));
        push(flow, c, times(amount * force, way));
    }
}

/* -- the example ------------------------------------------------------------------------------- */

static void surface_destroy(void *state)
{
    Surface *surface = state;
    flow_destroy(&surface->flow);
    canvas_free(&surface->canvas);
    free(surface->tint);
    free(surface);
}

static Surface *surface_make(const char *shape, int cells, ExampleError *error)
{
    Surface *surface = calloc(1, sizeof *surface);
    if (surface == NULL) {
        snprintf(error->text, sizeof error->text, "no memory");
        return NULL;
    }
    *surface =
        (Surface){.shape = shape, .cells = cells, .yaw = 0.4, .pitch = 0.45, .distance = 3.9};
    if (!flow_create(&surface->flow, shape, cells, error)) {
        free(surface);
        return NULL;
    }
    surface->tint = calloc(surface->flow.mesh.points, sizeof *surface->tint);
    if (!canvas_create(&surface->canvas, &surface->flow.mesh, SIDE) || surface->tint == NULL) {
        snprintf(error->text, sizeof error->text, "no memory for the picture");
        surface_destroy(surface);
        return NULL;
    }
    add_bands(&surface->flow);
    return surface;
}

static void *surface_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    const Settings *chosen = settings;
    Surface *surface = surface_make(chosen->shape, chosen->cells, error);
    frame->width = frame->height = SIDE;
    if (surface != NULL)
        surface->given = chosen->shape;
    return surface;
}

/* Takes another shape. If it cannot be made, such as for lack of memory, the surface stays. */
static void change_shape(Surface *surface, const char *shape)
{
    ExampleError error;
    Surface *other = surface_make(shape, surface->cells, &error);
    if (other == NULL)
        return;
    Surface old = *surface;
    *surface = *other;
    surface->given = old.given;
    surface->yaw = old.yaw;
    surface->pitch = old.pitch;
    surface->distance = old.distance;
    surface->shows_grid = old.shows_grid;
    surface->paused = old.paused;
    *other = old;
    surface_destroy(other);
}

static Camera camera_of(const Surface *surface)
{
    return camera_make(surface->yaw, surface->pitch, surface->distance, SIDE);
}

static void take_pointer(Surface *surface, const ExampleInput *input)
{
    Camera camera = camera_of(surface);
    long cell = -1;
    if (input->left && !surface->orbits)
        cell = camera_pick(&camera, &surface->flow.mesh, input->x, input->y);
    if (input->left && !surface->was_left && cell < 0)
        surface->orbits = true;
    surface->orbits &= input->left;
    surface->was_left = input->left;
    if (input->right || surface->orbits) {
        surface->yaw -= 0.008 * input->dx;
        surface->pitch = fmin(fmax(surface->pitch + 0.008 * input->dy, -1.5), 1.5);
    } else if (cell >= 0)
        brush(surface, &camera, (size_t)cell, input->dx, input->dy);
    surface->distance = fmin(fmax(surface->distance * pow(0.9, input->wheel), 1.6), 12);
}

static void surface_input(void *state, const ExampleInput *input)
{
    Surface *surface = state;
    if (input->pressed['1'])
        change_shape(surface, "sphere");
    if (input->pressed['2'])
        change_shape(surface, "torus");
    if (input->pressed['3'])
        change_shape(surface, surface->given);
    if (input->pressed['c'] || input->pressed['b'])
        clear(&surface->flow);
    if (input->pressed['b'])
        add_bands(&surface->flow);
    surface->shows_grid ^= input->pressed['g'];
    surface->paused ^= input->pressed[' '];
    take_pointer(surface, input);
}

static void surface_step(void *state)
{
    Surface *surface = state;
    if (surface->paused)
        return;
    clock_t start = clock();
    flow_step(&surface->flow, time_step);
    surface->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    surface->steps++;
}

/* Strokes to the right and to the left at different heights, while the camera turns. */
static void surface_script(const void *state, int frame, ExampleInput *input)
{
    (void)state;
    int stroke = frame / 2 % 3;
    if (frame % 2 == 1) {
        input->right = true;
        input->dx = -3;
        return;
    }
    input->left = frame < 180;
    input->x = SIDE * (0.5 + 0.16 * sin(0.09 * frame + 2 * stroke));
    input->y = SIDE * (0.3 + 0.17 * stroke + 0.03 * sin(0.05 * frame));
    input->dx = stroke == 1 ? -30 : 30;
    input->dy = 12 * sin(0.13 * frame + stroke);
}

static void surface_draw(const void *state, ExampleFrame *frame)
{
    const Surface *surface = state;
    const Flow *flow = &surface->flow;
    const Mesh *mesh = &flow->mesh;
    Canvas canvas = surface->canvas;
    Camera camera = camera_of(surface);
    memset(surface->tint, 0, mesh->points * sizeof *surface->tint);
    for (size_t k = 0; k < mesh->inner; k++) {
        size_t c = mesh->inside[k];
        Vec smoke = {flow->smoke[0][c], flow->smoke[1][c], flow->smoke[2][c]};
        for (int corner = 0; corner < 4; corner++) {
            size_t point = (size_t)mesh->cell[c].corner[corner];
            double around = point < (size_t)mesh->vertices ? mesh->valence[point] : 4;
            surface->tint[point] = plus(surface->tint[point], times(1 / around, smoke));
        }
    }
    canvas_draw(&canvas, mesh, &camera, surface->tint, surface->shows_grid, frame);
}

static void surface_status(const void *state, char *text, size_t size)
{
    const Surface *surface = state;
    const Flow *flow = &surface->flow;
    double mass = 0;
    for (int dye = 0; dye < DYES; dye++)
        mass += flow_amount(flow, flow->smoke[dye]);
    snprintf(text, size, "surface: %.100s, %d patches of %dx%d cells, smoke %.4g, %.2f ms a step",
             surface->shape, flow->mesh.patches, flow->mesh.n, flow->mesh.n, mass,
             1e3 * surface->seconds / (surface->steps > 0 ? (double)surface->steps : 1));
}

static const ExampleOption options[] = {
    {"--shape", "NAME", "sphere, torus, or a FILE.obj: closed, of quads only; default sphere",
     EXAMPLE_TEXT, offsetof(Settings, shape), 0, 0},
    {"--cells", "N", "cells along the edge of a patch, a power of 2; default by the shape",
     EXAMPLE_INTEGER, offsetof(Settings, cells), 4, 128},
    {0},
};

static const Settings defaults = {.shape = "sphere"};

const Example example = {
    .name = "surface",
    .summary = "flow on a closed surface, after Stam 2003",
    .controls = "  left drag         on the surface: add smoke and push it; beside it: turn\n"
                "  right drag        turn\n"
                "  wheel             zoom\n"
                "  1, 2, 3           sphere, torus, the shape of the command line\n"
                "  b                 coloured bands\n"
                "  c                 clear\n"
                "  g                 show patches and cells\n"
                "  space             pause\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = 30,
    .frames = 200,
    .create = surface_create,
    .destroy = surface_destroy,
    .script = surface_script,
    .input = surface_input,
    .step = surface_step,
    .draw = surface_draw,
    .status = surface_status,
};
