/* SPDX-License-Identifier: MIT
 *
 * The fluid solver of Jos Stam, Real-Time Fluid Dynamics for Games (GDC 2003), in two dimensions
 * and in floats. stam2d_fixed.c has it once more in integers (--fixed).
 *
 *     stam2d [--fixed] [--grid N] [--viscosity V] [--diffusion D]
 *     stam2d --fixed --frames 160 --out smoke.png
 *
 * The box has side 1 and n x n cells of width h = 1/n, with one more layer of cells around them for
 * the walls. The centre of cell i, j is at ((i - 1/2) h, (j - 1/2) h). Density and both components
 * of the velocity u live there. A field x has a source s and a coefficient of diffusion D, which
 * for the velocity is the viscosity.
 *
 *     (1) add sources   x <- x + dt s
 *     (2) diffuse       x - dt D laplacian(x) = x0, by (3) with a = dt D/h^2, c = 1 + 4 a
 *     (3) relax         x[i,j] <- (x0[i,j] + a (sum of the 4 neighbours of x)) / c, 20 sweeps
 *     (4) advect        x(r) <- x0(r - dt u(r)), interpolated between 4 centres; the place
 *                       r - dt u(r) is kept within the box
 *     (5) project       laplacian(p) = div(u), by (3) with a = 1, c = 4, x0 = -h^2 div(u), from
 *                       p = 0; then u <- u - grad(p)
 *     (6) walls         the velocity normal to a wall changes sign across it, all else is copied;
 *                       a corner is the mean of its two neighbours
 *
 * A step of the velocity is (1) (2) (5) (4) (5). A step of the density follows in the new velocity:
 * (1) (2) (4). (6) follows each sweep of (3) and each (4), and ends (5).
 *
 * (5) leaves a part of the divergence: 20 sweeps do not converge, and the divergence of the
 * gradient, both by differences over 2 h, is not the laplacian over h.
 *
 * Names are those of the paper and of the author's solver.c, except that at() is their IX(), and a
 * Kind is their b = 0, 1, 2. The paper swaps pointers. Here the calls name the arrays in the order
 * that the swaps give: (2) goes from u to u0 and (4) back to u. j is the outer loop, for the cache;
 * a relaxation sees the same new neighbours either way. */
#include "stam2d.h"
#include "common/example.h"
#include "stam2d_fixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const float time_step = 0.1f;

/* -- the paper's solver ----------------------------------------------------------------------- */

/* (1) */
static void add_source(int n, float *x, const float *s, float dt)
{
    for (size_t c = 0; c < cells(n); c++)
        x[c] += dt * s[c];
}

/* (6) */
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

/* (3) Gauss-Seidel: a sweep uses the values that it has already renewed. x comes in with the first
 * guess: 0 in (5), and in (2) what the array held, the source, as in the paper. */
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

/* (4) Traces the centre of each cell backwards in time. The centre of cell i is at x = i here, and
 * the walls are at 0.5 and n + 0.5. */
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

/* (5) p and div are scratch memory. div holds -h^2 div(u). */
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
    project(n, u0, v0, u, v); /* u, v are scratch for p and div */
    advect(n, U, u, u0, u0, v0, dt);
    advect(n, V, v, v0, u0, v0, dt);
    project(n, u, v, u0, v0); /* u0, v0 are scratch */
}

/* -- the example ------------------------------------------------------------------------------ */

typedef struct Settings {
    int grid;
    bool fixed;
    double viscosity, diffusion; /* boxes^2 per unit of time */
} Settings;

enum { FIELDS = 6, GAP = 4 /* pixels between pictures */ };

typedef struct Stam2d {
    Settings settings;
    int n, scale; /* cells along an axis, pixels along a cell */
    bool paused, shows_velocity;
    float *u, *v, *density, *u0, *v0, *density0; /* the last three are the sources */
    fixed *fixed_u, *fixed_v, *fixed_density, *fixed_u0, *fixed_v0, *fixed_density0;
    long steps;
    double float_seconds, fixed_seconds; /* processor time of all steps */
} Stam2d;

/* A number as an integer of a field. Out of range, it takes the nearest end. */
static fixed to_fixed(double x, int bits)
{
    double scaled = ldexp(x, bits);
    return scaled >= INT32_MAX    ? INT32_MAX
           : scaled <= -INT32_MAX ? -INT32_MAX
                                  : (fixed)lrint(scaled);
}

/* Weight of a neighbour in (2): a / (1 + 4 a). */
static fixed diffusion_weight(int n, double coefficient)
{
    double a = (double)time_step * coefficient * n * n;
    return to_fixed(a / (1 + 4 * a), WEIGHT_BITS);
}

static void stam2d_destroy(void *state)
{
    Stam2d *stam = state;
    free(stam->u); /* the first slice of the allocation */
    free(stam->fixed_u);
    free(stam);
}

static void *stam2d_create(const void *settings, ExampleFrame *frame, ExampleError *error)
{
    const Settings *chosen = settings;
    int n = chosen->grid, pictures = chosen->fixed ? 3 : 1;
    Stam2d *stam = calloc(1, sizeof *stam);
    float *floats = calloc(FIELDS * cells(n), sizeof *floats);
    fixed *integers = calloc(FIELDS * cells(n), sizeof *integers);
    if (stam == NULL || floats == NULL || integers == NULL) {
        free(stam);
        free(floats);
        free(integers);
        snprintf(error->text, sizeof error->text, "no memory for %dx%d cells", n, n);
        return NULL;
    }
    *stam = (Stam2d){.settings = *chosen, .n = n, .scale = n < 512 ? 512 / n : 1};
    float **slices[] = {&stam->u, &stam->v, &stam->density, &stam->u0, &stam->v0, &stam->density0};
    fixed **fixed_slices[] = {&stam->fixed_u,  &stam->fixed_v,  &stam->fixed_density,
                              &stam->fixed_u0, &stam->fixed_v0, &stam->fixed_density0};
    for (size_t s = 0; s < FIELDS; s++) {
        *slices[s] = floats + s * cells(n);
        *fixed_slices[s] = integers + s * cells(n);
    }
    frame->height = n * stam->scale;
    frame->width = pictures * frame->height + (pictures - 1) * GAP;
    return stam;
}

/* Distance of a point from the line between two points. */
static double distance(double x, double y, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    double along = length2 > 0 ? ((x - x0) * dx + (y - y0) * dy) / length2 : 0;
    along = fmin(fmax(along, 0), 1);
    return hypot(x - x0 - along * dx, y - y0 - along * dy);
}

/* Sets the sources in the cells that the pointer has passed: density, and a force along its way. */
static void brush(Stam2d *stam, const ExampleInput *input)
{
    const double radius = 0.012; /* in sides of the box; half a cell is added */
    const double density = 14;   /* amount per unit of time */
    const double force = 250;    /* acceleration by a pointer that crosses the box in a frame */
    const float most = VELOCITY_LIMIT >> VELOCITY_BITS; /* the integers' range */
    int n = stam->n, side = n * stam->scale;
    double x = fmod(input->x, side + GAP) / side; /* in any of the pictures */
    double dx = input->dx / side;
    double y = 1 - input->y / side, dy = -input->dy / side; /* the box has y upwards */
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            double cx = (i - 0.5) / n, cy = (j - 0.5) / n;
            if (distance(cx, cy, x - dx, y - dy, x, y) > radius + 0.5 / n)
                continue;
            stam->density0[at(n, i, j)] = input->left ? (float)density : 0;
            stam->u0[at(n, i, j)] = clampf((float)(force * dx), -most, most);
            stam->v0[at(n, i, j)] = clampf((float)(force * dy), -most, most);
        }
}

static void stam2d_input(void *state, const ExampleInput *input)
{
    Stam2d *stam = state;
    size_t count = cells(stam->n);
    if (input->pressed['c']) {
        memset(stam->u, 0, FIELDS * count * sizeof *stam->u);
        memset(stam->fixed_u, 0, FIELDS * count * sizeof *stam->fixed_u);
    }
    stam->shows_velocity ^= input->pressed['v'];
    stam->paused ^= input->pressed[' '];
    memset(stam->u0, 0, 3 * count * sizeof *stam->u0); /* the three sources */
    if (input->left || input->right)
        brush(stam, input);
    for (size_t c = 0; c < count; c++) {
        stam->fixed_u0[c] = to_fixed((double)stam->u0[c], VELOCITY_BITS);
        stam->fixed_v0[c] = to_fixed((double)stam->v0[c], VELOCITY_BITS);
        stam->fixed_density0[c] = to_fixed((double)stam->density0[c], DENSITY_BITS);
    }
}

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void stam2d_step(void *state)
{
    Stam2d *s = state;
    double viscosity = s->settings.viscosity, diffusion = s->settings.diffusion;
    if (s->paused)
        return;
    double start = seconds();
    vel_step(s->n, s->u, s->v, s->u0, s->v0, (float)viscosity, time_step);
    dens_step(s->n, s->density, s->density0, s->u, s->v, (float)diffusion, time_step);
    double middle = seconds();
    if (s->settings.fixed) {
        fixed_vel_step(s->n, s->fixed_u, s->fixed_v, s->fixed_u0, s->fixed_v0,
                       diffusion_weight(s->n, viscosity));
        fixed_dens_step(s->n, s->fixed_density, s->fixed_density0, s->fixed_u, s->fixed_v,
                        diffusion_weight(s->n, diffusion));
    }
    s->float_seconds += middle - start;
    s->fixed_seconds += seconds() - middle;
    s->steps++;
}

/* Two opposing jets that sway: one pointer that strokes to the right and to the left in turn. */
static void stam2d_script(const void *state, int frame, ExampleInput *input)
{
    const Stam2d *stam = state;
    double side = stam->n * stam->scale, way = frame % 2 == 0 ? 1 : -1;
    input->left = true;
    input->dx = way * 0.006 * side;
    input->dy = way * 0.0025 * side * sin(0.06 * frame);
    input->x = side * (0.5 - 0.36 * way) + input->dx;
    input->y = side * (0.5 + 0.02 * way);
}

static double density_at(const Stam2d *stam, bool integers, size_t c)
{
    return integers ? ldexp(stam->fixed_density[c], -DENSITY_BITS) : (double)stam->density[c];
}

static double largest_difference(const Stam2d *stam)
{
    double largest = 0;
    for (size_t c = 0; c < cells(stam->n); c++)
        largest = fmax(largest, fabs(density_at(stam, true, c) - density_at(stam, false, c)));
    return largest;
}

/* Factor on the differences in the third picture: the power of 10 that makes the largest 1 to 10.
 * Differences above 1 / factor have full colour. */
static double gain(const Stam2d *stam)
{
    double largest = largest_difference(stam);
    return largest > 0 ? pow(10, ceil(-log10(largest))) : 1;
}

/* Colour of the smoke, by the share of the light that smoke of depth 1 scatters. */
static void draw_smoke(double density, uint8_t *rgb)
{
    double seen = 1 - exp(-density);
    rgb[0] = (uint8_t)(5 + 240 * seen);
    rgb[1] = (uint8_t)(8 + 235 * seen);
    rgb[2] = (uint8_t)(16 + 224 * seen);
}

/* Red where the integers have more smoke, blue where the floats have. */
static void draw_difference(double difference, uint8_t *rgb)
{
    uint8_t size = (uint8_t)(255 * fmin(fabs(difference), 1));
    rgb[0] = difference > 0 ? size : size / 4;
    rgb[1] = size / 3;
    rgb[2] = difference < 0 ? size : size / 4;
}

/* Picture number `picture` of the frame: floats, integers, their difference. Values between the
 * centres of cells are interpolated. */
static void draw_picture(const Stam2d *stam, int picture, ExampleFrame *frame)
{
    int n = stam->n, side = n * stam->scale;
    double factor = picture == 2 ? gain(stam) : 1;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double cx = (x + 0.5) / stam->scale + 0.5, cy = n + 0.5 - (y + 0.5) / stam->scale;
            int i = (int)cx, j = (int)cy;
            double value = 0;
            for (int corner = 0; corner < 4; corner++) {
                size_t c = at(n, i + corner % 2, j + corner / 2);
                double weight =
                    (corner % 2 ? cx - i : 1 - cx + i) * (corner / 2 ? cy - j : 1 - cy + j);
                value +=
                    weight * (picture == 2 ? density_at(stam, true, c) - density_at(stam, false, c)
                                           : density_at(stam, picture == 1, c));
            }
            size_t pixel = (size_t)(picture * (side + GAP) + x) + (size_t)y * (size_t)frame->width;
            (picture == 2 ? draw_difference : draw_smoke)(factor * value, frame->rgb + 3 * pixel);
        }
}

/* The way of every fourth cell in a step, as a line. */
static void draw_velocities(const Stam2d *stam, ExampleFrame *frame)
{
    int n = stam->n, side = n * stam->scale;
    for (int j = 2; j <= n; j += 4)
        for (int i = 2; i <= n; i += 4)
            for (int dot = 0; dot <= side / 16; dot++) {
                double along = 16.0 * dot / side * (double)time_step;
                int x = (int)(side * ((i - 0.5) / n + along * (double)stam->u[at(n, i, j)]));
                int y = (int)(side * (1 - (j - 0.5) / n - along * (double)stam->v[at(n, i, j)]));
                if (x < 0 || x >= side || y < 0 || y >= side)
                    break;
                uint8_t *rgb = frame->rgb + 3 * ((size_t)x + (size_t)y * (size_t)frame->width);
                rgb[0] = 70, rgb[1] = 160, rgb[2] = 40;
            }
}

static void stam2d_draw(const void *state, ExampleFrame *frame)
{
    const Stam2d *stam = state;
    for (int picture = 0; picture < (stam->settings.fixed ? 3 : 1); picture++)
        draw_picture(stam, picture, frame);
    if (stam->shows_velocity)
        draw_velocities(stam, frame);
}

static void stam2d_status(const void *state, char *text, size_t size)
{
    const Stam2d *stam = state;
    double mass = 0, steps = stam->steps > 0 ? (double)stam->steps : 1;
    for (int j = 1; j <= stam->n; j++)
        for (int i = 1; i <= stam->n; i++)
            mass += (double)stam->density[at(stam->n, i, j)] / stam->n / stam->n;
    int length = snprintf(text, size, "stam2d: %dx%d cells, mass %.4g, float %.2f ms a step",
                          stam->n, stam->n, mass, 1e3 * stam->float_seconds / steps);
    if (stam->settings.fixed && length > 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length,
                 ", fixed %.2f ms; float | fixed | difference x %.0f, at most %.2g",
                 1e3 * stam->fixed_seconds / steps, gain(stam), largest_difference(stam));
}

static const ExampleOption options[] = {
    {"--fixed", NULL, "also in integers: float, fixed and their difference side by side",
     EXAMPLE_FLAG, offsetof(Settings, fixed), 0, 0},
    {"--grid", "N", "cells along each axis; default 128", EXAMPLE_INTEGER, offsetof(Settings, grid),
     16, GRID_MOST},
    {"--viscosity", "V", "diffusion of the velocity, box^2 per time; default 0", EXAMPLE_NUMBER,
     offsetof(Settings, viscosity), 0, 0.01},
    {"--diffusion", "D", "diffusion of the density, box^2 per time; default 0", EXAMPLE_NUMBER,
     offsetof(Settings, diffusion), 0, 0.01},
    {0},
};

static const Settings defaults = {.grid = 128};

const Example example = {
    .name = "stam2d",
    .summary = "the solver of Stam 2003 in two dimensions, in floats and in integers",
    .controls = "  left drag         add smoke and push it\n"
                "  right drag        push\n"
                "  c                 clear\n"
                "  v                 show velocities\n"
                "  space             pause\n",
    .options = options,
    .defaults = &defaults,
    .settings_size = sizeof defaults,
    .rate = 60,
    .frames = 160,
    .create = stam2d_create,
    .destroy = stam2d_destroy,
    .script = stam2d_script,
    .input = stam2d_input,
    .step = stam2d_step,
    .draw = stam2d_draw,
    .status = stam2d_status,
};
