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
    double lit = 0.18 + 0.82 * fmax(dot(normal, lamp), 0);
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
    double d = 1 / (x1 * y2 - x2 * y1), a = v1 - v0, b = v2 - v0;
    Plane plane = {0, (a * y2 - b * y1) * d, (b * x1 - a * x2) * d};
    plane.value = v0 - plane.along_x * at[0].x - plane.along_y * at[0].y;
    return plane;
}

static double plane_at(const Plane *plane, double x, double y)
{
    return plane->value + plane->along_x * x + plane->along_y * y;
}

/* An edge of a triangle, in samples. Rows between top and bottom cross it. */
typedef struct Edge {
    double top, bottom, x, slope; /* x at row 0, dx/dy */
} Edge;

static Edge edge_between(Vec a, Vec b)
{
    double slope = (b.x - a.x) / (b.y - a.y); /* a horizontal edge is crossed by no row */
    return a.y < b.y ? (Edge){a.y, b.y, a.x - slope * a.y, slope}
                     : (Edge){b.y, a.y, a.x - slope * a.y, slope};
}

/* Samples x0 to x1 (excluded) of a row that the triangle covers. */
static void row_span(const Edge edge[3], double y, int side, int *x0, int *x1)
{
    double low = side, high = 0;
    for (int e = 0; e < 3; e++)
        if (edge[e].top <= y && y < edge[e].bottom) {
            double x = edge[e].x + edge[e].slope * y;
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
    *x0 = low > 0 ? (int)(low + 0.5) : 0;
    *x1 = high < side ? (int)(high + 0.5) : side;
}

/* Fills a triangle, given in samples. */
static void fill_triangle(Canvas *canvas, const Vec at[3], const Vec colour[3])
{
    Plane depth = plane_through(at, at[0].z, at[1].z, at[2].z);
    Plane red = plane_through(at, colour[0].x, colour[1].x, colour[2].x);
    Plane green = plane_through(at, colour[0].y, colour[1].y, colour[2].y);
    Plane blue = plane_through(at, colour[0].z, colour[1].z, colour[2].z);
    Edge edge[3] = {edge_between(at[0], at[1]), edge_between(at[1], at[2]),
                    edge_between(at[2], at[0])};
    double top = fmin(fmin(at[0].y, at[1].y), at[2].y);
    double bottom = fmax(fmax(at[0].y, at[1].y), at[2].y);
    int y0 = (int)fmax(ceil(top - 0.5), 0), y1 = (int)fmin(ceil(bottom - 0.5), canvas->side);
    for (int y = y0; y < y1; y++) {
        int x0, x1;
        row_span(edge, y + 0.5, canvas->side, &x0, &x1);
        double z = plane_at(&depth, x0 + 0.5, y + 0.5), r = plane_at(&red, x0 + 0.5, y + 0.5);
        double g = plane_at(&green, x0 + 0.5, y + 0.5), b = plane_at(&blue, x0 + 0.5, y + 0.5);
        size_t sample = (size_t)y * (size_t)canvas->side + (size_t)x0;
        for (int x = x0; x < x1; x++, sample++) {
            if ((float)z > canvas->depth[sample]) {
                canvas->depth[sample] = (float)z;
                canvas->rgb[3 * sample] = (uint8_t)(r + 0.5);
                canvas->rgb[3 * sample + 1] = (uint8_t)(g + 0.5);
                canvas->rgb[3 * sample + 2] = (uint8_t)(b + 0.5);
            }
            z += depth.along_x;
            r += red.along_x;
            g += green.along_x;
            b += blue.along_x;
        }
    }
}

static double colour_difference(Vec a, Vec b)
{
    return fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

/* Fills two triangles for each cell. They meet at the diagonal along which the colour changes less,
 * so that an edge of smoke is no saw. */
static void fill_cells(Canvas *canvas, const Mesh *mesh)
{
    const Vec *tint = canvas->colour;
    for (size_t k = 0; k < mesh->inner; k++) {
        const int *corner = mesh->cell[mesh->inside[k]].corner;
        int first = colour_difference(tint[corner[0]], tint[corner[2]]) >
                    colour_difference(tint[corner[1]], tint[corner[3]]);
        for (int half = 0; half < 2; half++) {
            int points[3] = {corner[first], corner[(first + 1 + half) % 4],
                             corner[(first + 2 + half) % 4]};
            Vec at[3], colour[3];
            for (int c = 0; c < 3; c++) {
                Vec seen = canvas->seen[points[c]];
                at[c] = (Vec){DRAW_SAMPLES * seen.x, DRAW_SAMPLES * seen.y, seen.z};
                colour[c] = tint[points[c]];
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
            *byte = (uint8_t)(*byte + light * (255 - *byte));
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
    enum { COUNT = DRAW_SAMPLES * DRAW_SAMPLES };
    size_t width = (size_t)frame->width, row = 3 * width * DRAW_SAMPLES;
    for (size_t y = 0; y < (size_t)frame->height; y++)
        for (size_t x = 0; x < width; x++) {
            const uint8_t *first = canvas->rgb + y * DRAW_SAMPLES * row + 3 * DRAW_SAMPLES * x;
            int sum[3] = {COUNT / 2, COUNT / 2, COUNT / 2};
            for (size_t k = 0; k < COUNT; k++)
                for (size_t channel = 0; channel < 3; channel++)
                    sum[channel] +=
                        first[k / DRAW_SAMPLES * row + 3 * (k % DRAW_SAMPLES) + channel];
            for (size_t channel = 0; channel < 3; channel++)
                frame->rgb[3 * (y * width + x) + channel] = (uint8_t)(sum[channel] / COUNT);
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
