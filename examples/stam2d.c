/* SPDX-License-Identifier: MIT
 *
 * The fluid solver of Jos Stam, Real-Time Fluid Dynamics for Games (GDC 2003), in two dimensions.
 *
 *     stam2d [--grid N] [--viscosity V] [--diffusion D]
 *     stam2d --frames 400 --out smoke.png
 *
 * The box has n x n cells of width h = 1/n and one more layer of cells around them for the walls.
 * Density and both components of the velocity live at the centres of the cells. Equations are
 * numbered (1) to (6) in the order of the step:
 *
 *     (1) add sources     x <- x + dt s
 *     (2) diffuse         x - dt D laplacian(x) = x0, solved by (3) with a = dt D n^2
 *     (3) relax           x[i,j] <- (x0[i,j] + a (sum of the 4 neighbours of x)) / c, 20 sweeps
 *     (4) advect          x(p) <- x0(p - dt u(p)), interpolated between 4 cells
 *     (5) project         laplacian(p) = div(u), solved by (3) with a = 1, c = 4; u <- u - grad(p)
 *     (6) walls           the normal velocity changes sign across a wall, all else is copied
 */
#include "common/example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 20 };

/* What a field is to the walls: (6) treats each differently. */
typedef enum Kind { SCALAR, U, V } Kind;

/* Index of cell i, j; 0 and n + 1 are walls. */
static size_t at(int n, int i, int j)
{
    return (size_t)i + ((size_t)n + 2) * (size_t)j;
}

static size_t cells(int n)
{
    return ((size_t)n + 2) * ((size_t)n + 2);
}

/* -- the paper's solver ----------------------------------------------------------------------- */

/* (1) */
static void add_source(int n, float *x, const float *s, float dt)
{
    for (size_t c = 0; c < cells(n); c++)
        x[c] += dt * s[c];
}

/* (6) A corner is the mean of its two neighbours. */
static void set_bnd(int n, Kind kind, float *x)
{
    for (int k = 1; k <= n; k++) {
        x[at(n, 0, k)] = kind == U ? -x[at(n, 1, k)] : x[at(n, 1, k)];
        x[at(n, n + 1, k)] = kind == U ? -x[at(n, n, k)] : x[at(n, n, k)];
        x[at(n, k, 0)] = kind == V ? -x[at(n, k, 1)] : x[at(n, k, 1)];
        x[at(n, k, n + 1)] = kind == V ? -x[at(n, k, n)] : x[at(n, k, n)];
    }
    x[at(n, 0, 0)] = 0.5f * (x[at(n, 1, 0)] + x[at(n, 0, 1)]);
    x[at(n, 0, n + 1)] = 0.5f * (x[at(n, 1, n + 1)] + x[at(n, 0, n)]);
    x[at(n, n + 1, 0)] = 0.5f * (x[at(n, n, 0)] + x[at(n, n + 1, 1)]);
    x[at(n, n + 1, n + 1)] = 0.5f * (x[at(n, n, n + 1)] + x[at(n, n + 1, n)]);
}

/* (3) Gauss-Seidel: a sweep uses the values that it has already renewed. */
static void lin_solve(int n, Kind kind, float *x, const float *x0, float a, float c)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                x[at(n, i, j)] = (x0[at(n, i, j)] + a * (x[at(n, i - 1, j)] + x[at(n, i + 1, j)] +
                                                         x[at(n, i, j - 1)] + x[at(n, i, j + 1)])) /
                                 c;
        set_bnd(n, kind, x);
    }
}

/* (2) */
static void diffuse(int n, Kind kind, float *x, const float *x0, float diff, float dt)
{
    float a = dt * diff * (float)n * (float)n;
    lin_solve(n, kind, x, x0, a, 1 + 4 * a);
}

static float clampf(float x, float least, float most)
{
    return x < least ? least : x > most ? most : x;
}

/* (4) Traces the centre of each cell backwards in time. */
static void advect(int n, Kind kind, float *d, const float *d0, const float *u, const float *v,
                   float dt)
{
    float dt0 = dt * (float)n; /* u is in boxes per unit of time, x and y are in cells */
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            float x = clampf((float)i - dt0 * u[at(n, i, j)], 0.5f, (float)n + 0.5f);
            float y = clampf((float)j - dt0 * v[at(n, i, j)], 0.5f, (float)n + 0.5f);
            int i0 = (int)x, j0 = (int)y;
            float s1 = x - (float)i0, s0 = 1 - s1, t1 = y - (float)j0, t0 = 1 - t1;
            d[at(n, i, j)] = s0 * (t0 * d0[at(n, i0, j0)] + t1 * d0[at(n, i0, j0 + 1)]) +
                             s1 * (t0 * d0[at(n, i0 + 1, j0)] + t1 * d0[at(n, i0 + 1, j0 + 1)]);
        }
    set_bnd(n, kind, d);
}

/* (5) */
static void project(int n, float *u, float *v, float *p, float *div)
{
    float h = 1 / (float)n;
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            div[at(n, i, j)] =
                -0.5f * h *
                (u[at(n, i + 1, j)] - u[at(n, i - 1, j)] + v[at(n, i, j + 1)] - v[at(n, i, j - 1)]);
            p[at(n, i, j)] = 0;
        }
    set_bnd(n, SCALAR, div);
    set_bnd(n, SCALAR, p);
    lin_solve(n, SCALAR, p, div, 1, 4);
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            u[at(n, i, j)] -= 0.5f * (p[at(n, i + 1, j)] - p[at(n, i - 1, j)]) / h;
            v[at(n, i, j)] -= 0.5f * (p[at(n, i, j + 1)] - p[at(n, i, j - 1)]) / h;
        }
    set_bnd(n, U, u);
    set_bnd(n, V, v);
}

/* One step of the density. x0 holds its sources and is overwritten, as in the paper. */
static void dens_step(int n, float *x, float *x0, const float *u, const float *v, float diff,
                      float dt)
{
    add_source(n, x, x0, dt);
    diffuse(n, SCALAR, x0, x, diff, dt);
    advect(n, SCALAR, x, x0, u, v, dt);
}

/* One step of the velocity. u0, v0 hold its sources and are overwritten. */
static void vel_step(int n, float *u, float *v, float *u0, float *v0, float visc, float dt)
{
    add_source(n, u, u0, dt);
    add_source(n, v, v0, dt);
    diffuse(n, U, u0, u, visc, dt);
    diffuse(n, V, v0, v, visc, dt);
    project(n, u0, v0, u, v);
    advect(n, U, u, u0, u0, v0, dt);
    advect(n, V, v, v0, u0, v0, dt);
    project(n, u, v, u0, v0);
}

/* -- the example ------------------------------------------------------------------------------ */

typedef struct Settings {
    int grid;
    double viscosity, diffusion;
} Settings;

typedef struct Stam2d {
    Settings settings;
    int n, pixels_per_cell;
    bool paused, shows_velocity;
    float *u, *v, *u0, *v0, *density, *density0;
} Stam2d;

static const float time_step = 0.1f;

static void stam2d_destroy(void *state)
{
    Stam2d *stam = state;
    free(stam->u); /* the first slice of the one allocation */
    free(stam);
}

static void *stam2d_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    Stam2d *stam = calloc(1, sizeof *stam);
    const Settings *chosen = settings;
    float *memory = stam != NULL ? calloc(6 * cells(chosen->grid), sizeof *memory) : NULL;
    if (memory == NULL) {
        free(stam);
        snprintf(error->text, sizeof error->text, "no memory for %dx%d cells", chosen->grid,
                 chosen->grid);
        return NULL;
    }
    stam->settings = *chosen;
    stam->n = chosen->grid;
    stam->pixels_per_cell = chosen->grid < 512 ? 512 / chosen->grid : 1;
    float **slices[] = {&stam->u, &stam->v, &stam->u0, &stam->v0, &stam->density, &stam->density0};
    for (size_t s = 0; s < 6; s++)
        *slices[s] = memory + s * cells(stam->n);
    frame->width = frame->height = stam->n * stam->pixels_per_cell;
    return stam;
}

/* Adds sources in a disc around the pointer. */
static void brush(Stam2d *stam, const ExampleInput *input)
{
    int n = stam->n;
    double x = input->x / stam->pixels_per_cell + 0.5,
           y = n + 0.5 - input->y / stam->pixels_per_cell;
    double radius = 0.012 * n + 0.5;
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            if (hypot(i - x, j - y) > radius)
                continue;
            double per_cell = 5.0 / stam->pixels_per_cell * 128 / n;
            if (input->left)
                stam->density0[at(n, i, j)] = 20;
            stam->u0[at(n, i, j)] = (float)(per_cell * input->dx);
            stam->v0[at(n, i, j)] = (float)(-per_cell * input->dy);
        }
}

static void stam2d_input(void *state, const ExampleInput *input)
{
    Stam2d *stam = state;
    memset(stam->u0, 0, 2 * cells(stam->n) * sizeof(float)); /* u0 and v0 */
    memset(stam->density0, 0, cells(stam->n) * sizeof(float));
    if (input->left || input->right)
        brush(stam, input);
    if (input->pressed['c'])
        memset(stam->u, 0, 6 * cells(stam->n) * sizeof(float));
    if (input->pressed['v'])
        stam->shows_velocity = !stam->shows_velocity;
    if (input->pressed[' '])
        stam->paused = !stam->paused;
}

static void stam2d_step(void *state)
{
    Stam2d *stam = state;
    if (stam->paused)
        return;
    vel_step(stam->n, stam->u, stam->v, stam->u0, stam->v0, (float)stam->settings.viscosity,
             time_step);
    dens_step(stam->n, stam->density, stam->density0, stam->u, stam->v,
              (float)stam->settings.diffusion, time_step);
}

/* Two opposing jets: the pointer strokes to the right and to the left in turn. */
static void stam2d_script(const void *state, int frame, ExampleInput *input)
{
    const Stam2d *stam = state;
    double width = stam->n * stam->pixels_per_cell, turn = 0.05 * frame;
    bool right = frame % 2 == 0;
    input->left = true;
    input->x = width * (right ? 0.12 : 0.88);
    input->y = width * (right ? 0.53 : 0.47) + 0.01 * width * sin(turn);
    input->dx = (right ? 0.03 : -0.03) * width;
    input->dy = 0.004 * width * sin(0.37 * turn);
}

static void stam2d_draw(const void *state, ExampleFrame *frame)
{
    const Stam2d *stam = state;
    int n = stam->n, scale = stam->pixels_per_cell;
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            double cx = (x + 0.5) / scale + 0.5, cy = n + 0.5 - (y + 0.5) / scale;
            int i = (int)cx, j = (int)cy;
            double s = cx - i, t = cy - j;
            const float *d = stam->density + at(n, i, j);
            double density = (1 - t) * ((1 - s) * (double)d[0] + s * (double)d[1]) +
                             t * ((1 - s) * (double)d[n + 2] + s * (double)d[n + 3]);
            uint8_t *rgb = frame->rgb + 3 * ((size_t)x + (size_t)y * (size_t)frame->width);
            double seen = 1 - exp(-1.5 * density);
            rgb[0] = (uint8_t)(255 * (0.02 + 0.93 * seen));
            rgb[1] = (uint8_t)(255 * (0.03 + 0.92 * seen));
            rgb[2] = (uint8_t)(255 * (0.06 + 0.88 * seen));
        }
}

static void stam2d_status(const void *state, char *text, size_t size)
{
    const Stam2d *stam = state;
    double mass = 0;
    for (size_t c = 0; c < cells(stam->n); c++)
        mass += (double)stam->density[c];
    snprintf(text, size, "stam2d: %dx%d cells, mass %.4g", stam->n, stam->n,
             mass / stam->n / stam->n);
}

static const ExampleOption options[] = {
    {"--grid", "N", "cells along each axis; default 128", EXAMPLE_INTEGER, offsetof(Settings, grid),
     16, 512},
    {"--viscosity", "V", "diffusion of velocity, box^2 per unit of time; default 0", EXAMPLE_NUMBER,
     offsetof(Settings, viscosity), 0, 0.01},
    {"--diffusion", "D", "diffusion of density, box^2 per unit of time; default 0", EXAMPLE_NUMBER,
     offsetof(Settings, diffusion), 0, 0.01},
    {0},
};

static const Settings defaults = {.grid = 128};

const Example example = {
    .name = "stam2d",
    .summary = "the 2D solver of Stam 2003",
    .controls = "  left drag         add density and push it\n"
                "  right drag        push\n"
                "  c                 clear\n"
                "  v                 show velocities\n"
                "  space             pause\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = 60,
    .frames = 400,
    .create = stam2d_create,
    .destroy = stam2d_destroy,
    .script = stam2d_script,
    .input = stam2d_input,
    .step = stam2d_step,
    .draw = stam2d_draw,
    .status = stam2d_status,
};
