/* SPDX-License-Identifier: MIT */
#include "surface_draw.h"

#include <stdlib.h>
#include <string.h>

/* -- camera ------------------------------------------------------------------------------------ */

Camera camera_make(double yaw, double pitch, double distance, int side)
{
    Vec toward = {cos(pitch) * sin(yaw), sin(pitch), cos(pitch) * cos(yaw)};
    Vec right = {cos(yaw), 0, -sin(yaw)};
    return (Camera){right, cross(toward, right), toward, distance, side, 1.5 * side};
}

Vec camera_see(const Camera *camera, Vec point)
{
    double z = 1 / (camera->distance - dot(point, camera->toward));
    return (Vec){0.5 * camera->side + camera->focal * z * dot(point, camera->right),
                 0.5 * camera->side - camera->focal * z * dot(point, camera->up), z};
}

/* Twice the area of a triangle of the picture, positive if it turns counter-clockwise as seen. */
static double area(Vec a, Vec b, Vec c)
{
    return (c.x - a.x) * (b.y - a.y) - (b.x - a.x) * (c.y - a.y);
}

/* Whether a triangle that faces the camera covers a place of the picture. */
static bool covers(Vec a, Vec b, Vec c, Vec place)
{
    return area(a, b, place) >= 0 && area(b, c, place) >= 0 && area(c, a, place) >= 0 &&
           area(a, b, c) > 0;
}

long camera_pick(const Camera *camera, const Mesh *mesh, double x, double y)
{
    Vec place = {x, y, 0};
    long found = -1;
    double nearest = 0;
    for (size_t k = 0; k < mesh->inner; k++) {
        Vec seen[4];
        for (int c = 0; c < 4; c++)
            seen[c] = camera_see(camera, mesh->position[mesh->cell[mesh->inside[k]].corner[c]]);
        if (seen[0].z > nearest && (covers(seen[0], seen[1], seen[2], place) ||
                                    covers(seen[0], seen[2], seen[3], place))) {
            nearest = seen[0].z;
            found = (long)mesh->inside[k];
        }
    }
    return found;
}

/* -- canvas ------------------------------------------------------------------------------------ */

bool canvas_create(Canvas *canvas, const Mesh *mesh, int side)
{
    size_t samples = (size_t)(side * DRAW_SAMPLES) * (size_t)(side * DRAW_SAMPLES);
    *canvas = (Canvas){.side = side * DRAW_SAMPLES,
                       .depth = malloc(samples * sizeof *canvas->depth),
                       .rgb = malloc(3 * samples),
                       .seen = calloc(mesh->points, sizeof *canvas->seen),
                       .colour = calloc(mesh->points, sizeof *canvas->colour)};
    return canvas->depth != NULL && canvas->rgb != NULL && canvas->seen != NULL &&
           canvas->colour != NULL;
}

void canvas_free(Canvas *canvas)
{
    free(canvas->depth);
    free(canvas->rgb);
    free(canvas->seen);
    free(canvas->colour);
    *canvas = (Canvas){0};
}

/* Colour of a sample from its linear light. */
static double display(double light)
{
    return 255 * sqrt(fmin(light, 1));
}

/* Smoke of a colour hides a dark surface, and is lit as it is: by a lamp at the upper left, by a
 * little light from all sides, and with a highlight. */
static Vec shade(const Camera *camera, Vec normal, Vec smoke)
{
    Vec lamp = unit(plus(plus(times(-0.5, camera->right), times(0.6, camera->up)),
                         times(0.75, camera->toward)));
    Vec half = unit(plus(lamp, camera->toward));
    double lit = 0.12 + 0.88 * fmax(dot(normal, lamp), 0);
    double shine = fmax(dot(normal, half), 0);
    for (int power = 0; power < 5; power++)
        shine *= shine;
    shine *= 0.12;
    return (Vec){display(lit * (0.016 + 0.95 * (1 - exp(-smoke.x))) + shine),
                 display(lit * (0.022 + 0.95 * (1 - exp(-smoke.y))) + shine),
                 display(lit * (0.040 + 0.95 * (1 - exp(-smoke.z))) + shine)};
}

/* A value that changes linearly over the picture. */
typedef struct Plane {
    double value, along_x, along_y;
} Plane;

/* The plane through values at three corners. */
static Plane plane_through(const Vec at[3], double v0, double v1, double v2)
{
    double x1 = at[1].x - at[0].x, y1 = at[1].y - at[0].y;
    double x2 = at[2].x - at[0].x, y2 = at[2].y - at[0].y;
    double d = x1 * y2 - x2 * y1, a = v1 - v0, b = v2 - v0;
    Plane plane = {0, (a * y2 - b * y1) / d, (b * x1 - a * x2) / d};
    plane.value = v0 - plane.along_x * at[0].x - plane.along_y * at[0].y;
    return plane;
}

static double plane_at(const Plane *plane, double x, double y)
{
    return plane->value + plane->along_x * x + plane->along_y * y;
}

static uint8_t to_byte(double value)
{
    return (uint8_t)(fmin(fmax(value, 0), 255) + 0.5);
}

/* Samples x0 to x1 (excluded) of a row that the triangle covers. */
static void row_span(const Vec at[3], double y, int *x0, int *x1)
{
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 3; c++) {
        Vec a = at[c], b = at[(c + 1) % 3];
        if ((a.y > y) == (b.y > y))
            continue;
        double x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    *x0 = (int)ceil(fmax(low - 0.5, 0));
    *x1 = (int)ceil(fmin(high - 0.5, 1e6));
}

/* Fills a triangle, given in samples. */
static void fill_triangle(Canvas *canvas, const Vec at[3], const Vec colour[3])
{
    Plane depth = plane_through(at, at[0].z, at[1].z, at[2].z);
    Plane red = plane_through(at, colour[0].x, colour[1].x, colour[2].x);
    Plane green = plane_through(at, colour[0].y, colour[1].y, colour[2].y);
    Plane blue = plane_through(at, colour[0].z, colour[1].z, colour[2].z);
    double top = fmin(fmin(at[0].y, at[1].y), at[2].y);
    double bottom = fmax(fmax(at[0].y, at[1].y), at[2].y);
    int y0 = (int)fmax(ceil(top - 0.5), 0), y1 = (int)fmin(ceil(bottom - 0.5), canvas->side);
    for (int y = y0; y < y1; y++) {
        int x0, x1;
        row_span(at, y + 0.5, &x0, &x1);
        for (int x = x0; x < x1 && x < canvas->side; x++) {
            size_t sample = (size_t)y * (size_t)canvas->side + (size_t)x;
            float z = (float)plane_at(&depth, x + 0.5, y + 0.5);
            if (z <= canvas->depth[sample])
                continue;
            canvas->depth[sample] = z;
            canvas->rgb[3 * sample] = to_byte(plane_at(&red, x + 0.5, y + 0.5));
            canvas->rgb[3 * sample + 1] = to_byte(plane_at(&green, x + 0.5, y + 0.5));
            canvas->rgb[3 * sample + 2] = to_byte(plane_at(&blue, x + 0.5, y + 0.5));
        }
    }
}

static void fill_cells(Canvas *canvas, const Mesh *mesh)
{
    for (size_t k = 0; k < mesh->inner; k++) {
        const int *corner = mesh->cell[mesh->inside[k]].corner;
        for (int half = 0; half < 2; half++) {
            int points[3] = {corner[0], corner[1 + half], corner[2 + half]};
            Vec at[3], colour[3];
            for (int c = 0; c < 3; c++) {
                Vec seen = canvas->seen[points[c]];
                at[c] = (Vec){DRAW_SAMPLES * seen.x, DRAW_SAMPLES * seen.y, seen.z};
                colour[c] = canvas->colour[points[c]];
            }
            if (area(at[0], at[1], at[2]) > 0)
                fill_triangle(canvas, at, colour);
        }
    }
}

/* Draws a line on the surface between two grid points. */
static void draw_line(Canvas *canvas, size_t from, size_t to, double light)
{
    Vec a = canvas->seen[from], b = canvas->seen[to];
    int steps = (int)(2 * DRAW_SAMPLES * hypot(b.x - a.x, b.y - a.y)) + 1;
    for (int step = 0; step <= steps; step++) {
        Vec at = plus(a, times((double)step / steps, minus(b, a)));
        int x = (int)floor(DRAW_SAMPLES * at.x), y = (int)floor(DRAW_SAMPLES * at.y);
        if (x < 0 || x >= canvas->side || y < 0 || y >= canvas->side)
            continue;
        size_t sample = (size_t)y * (size_t)canvas->side + (size_t)x;
        if ((float)(1.003 * at.z) < canvas->depth[sample])
            continue;
        for (int channel = 0; channel < 3; channel++) {
            uint8_t *byte = &canvas->rgb[3 * sample + (size_t)channel];
            *byte = to_byte(*byte + light * (255 - *byte));
        }
    }
}

/* The edges of patches brightly, and eight cells' lines in between. */
static void draw_grid(Canvas *canvas, const Mesh *mesh)
{
    int n = mesh->n, spacing = n >= 8 ? n / 8 : 1;
    for (int patch = 0; patch < mesh->patches; patch++)
        for (int line = 0; line <= n; line += spacing)
            for (int k = 0; k < n; k++) {
                double light = line % n == 0 ? 0.5 : 0.15;
                draw_line(canvas, mesh_point(mesh, n, patch, line, k),
                          mesh_point(mesh, n, patch, line, k + 1), light);
                draw_line(canvas, mesh_point(mesh, n, patch, k, line),
                          mesh_point(mesh, n, patch, k + 1, line), light);
            }
}

/* Means of the samples of each pixel. */
static void resolve(const Canvas *canvas, ExampleFrame *frame)
{
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++)
            for (int channel = 0; channel < 3; channel++) {
                int sum = DRAW_SAMPLES * DRAW_SAMPLES / 2;
                for (int k = 0; k < DRAW_SAMPLES * DRAW_SAMPLES; k++) {
                    int row = DRAW_SAMPLES * y + k / DRAW_SAMPLES;
                    int column = DRAW_SAMPLES * x + k % DRAW_SAMPLES;
                    sum += canvas->rgb[3 * ((size_t)row * (size_t)canvas->side + (size_t)column) +
                                       (size_t)channel];
                }
                frame->rgb[3 * ((size_t)y * (size_t)frame->width + (size_t)x) + (size_t)channel] =
                    (uint8_t)(sum / (DRAW_SAMPLES * DRAW_SAMPLES));
            }
}

void canvas_draw(Canvas *canvas, const Mesh *mesh, const Camera *camera, const Vec *smoke,
                 bool grid, ExampleFrame *frame)
{
    size_t samples = (size_t)canvas->side * (size_t)canvas->side;
    memset(canvas->depth, 0, samples * sizeof *canvas->depth);
    memset(canvas->rgb, 10, 3 * samples);
    for (size_t p = 0; p < mesh->points; p++) {
        canvas->seen[p] = camera_see(camera, mesh->position[p]);
        canvas->colour[p] = shade(camera, mesh->normal[p], smoke[p]);
    }
    fill_cells(canvas, mesh);
    if (grid)
        draw_grid(canvas, mesh);
    resolve(canvas, frame);
}
