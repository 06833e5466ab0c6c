/* SPDX-License-Identifier: MIT
 *
 * Boats and floats in the picture of pond_draw.c. A hull is a pile of outlines, one for each level
 * of height, which are convex; drawn upwards from the water, each hides what is behind it. */
#include "pond.h"

#include <math.h>

typedef struct Colour {
    float r, g, b; /* linear */
} Colour;

static Colour scale(Colour a, float by)
{
    return (Colour){a.r * by, a.g * by, a.b * by};
}

/* Bytes of a pixel, with a gamma of 2. */
static void tones_of(Colour colour, uint8_t tones[3])
{
    const float parts[] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; k++)
        tones[k] = (uint8_t)(255 * sqrtf(fminf(fmaxf(parts[k], 0), 1)) + 0.5f);
}

/* Mixes a colour into the pixel x, y, which is inside of the picture. */
static void blend(uint8_t *rgb, int x, int y, const uint8_t tones[3], float part)
{
    uint8_t *out = rgb + 3 * (x + POND_WIDTH * y);
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)((float)out[k] + part * ((float)tones[k] - (float)out[k]));
}

/* -- boats ----------------------------------------------------------------------------------- */

enum { CORNERS = 28 };

/* Fills a convex polygon, corners in the sense of x to y, with smooth edges. */
static void fill(uint8_t *rgb, float corners[CORNERS][2], Colour colour)
{
    float left = POND_WIDTH, right = 0, top = POND_HEIGHT, bottom_row = 0;
    uint8_t tones[3];
    tones_of(colour, tones);
    for (int k = 0; k < CORNERS; k++) {
        left = fminf(left, corners[k][0]), right = fmaxf(right, corners[k][0]);
        top = fminf(top, corners[k][1]), bottom_row = fmaxf(bottom_row, corners[k][1]);
    }
    for (int y = (int)fmaxf(top - 1, 0); y <= bottom_row + 1 && y < POND_HEIGHT; y++)
        for (int x = (int)fmaxf(left - 1, 0); x <= right + 1 && x < POND_WIDTH; x++) {
            float inside = 1;
            for (int k = 0; k < CORNERS && inside > 0; k++) {
                const float *a = corners[k], *b = corners[(k + 1) % CORNERS];
                float ex = b[0] - a[0], ey = b[1] - a[1], length = sqrtf(ex * ex + ey * ey);
                float across = ex * ((float)y + 0.5f - a[1]) - ey * ((float)x + 0.5f - a[0]);
                if (length > 0)
                    inside = fminf(inside, 0.5f + across / length);
            }
            if (inside > 0)
                blend(rgb, x, y, tones, inside);
        }
}

/* One level of a boat: an outline with a pointed bow, `length` and `width` of the whole hull's, its
 * middle moved along the keel by `ahead`, at height z. */
static void draw_level(uint8_t *rgb, const PondBoat *boat, float length, float width, float ahead,
                       float z, Colour colour)
{
    float corners[CORNERS][2], c = cosf(boat->heading), s = sinf(boat->heading);
    for (int k = 0; k < CORNERS; k++) {
        float angle = -6.2831853f * (float)k / CORNERS; /* rows of pixels run downwards */
        float along = 0.5f * POND_BOAT_LENGTH * (length * cosf(angle) + ahead);
        float across = 0.5f * POND_BOAT_WIDTH * width * sinf(angle) * (1 - 0.28f * cosf(angle));
        pond_view_pixel(boat->x + c * along - s * across, boat->y + s * along + c * across, z,
                        corners[k]);
    }
    fill(rgb, corners, colour);
}

/* Levels from the water upwards, each over the one below. */
static void draw_boat(uint8_t *rgb, const PondBoat *boat, Colour paint)
{
    enum { LEVELS = 9 };
    for (int k = 0; k < LEVELS; k++) {
        float up = (float)k / (LEVELS - 1);
        draw_level(rgb, boat, 0.84f + 0.2f * up, 0.8f + 0.25f * up, 0.04f * up, 0.24f * up,
                   scale(paint, 0.35f + 0.45f * up));
    }
    draw_level(rgb, boat, 1.04f, 1.05f, 0.04f, 0.25f, (Colour){0.85f, 0.82f, 0.76f});
    draw_level(rgb, boat, 0.93f, 0.88f, 0.04f, 0.245f, (Colour){0.4f, 0.24f, 0.11f});
    for (int k = 0; k < LEVELS; k++)
        draw_level(rgb, boat, 0.38f, 0.56f, -0.22f, 0.25f + 0.2f * (float)k / (LEVELS - 1),
                   k == LEVELS - 2 ? (Colour){0.05f, 0.08f, 0.12f} : (Colour){0.5f, 0.5f, 0.5f});
    draw_level(rgb, boat, 0.42f, 0.62f, -0.22f, 0.46f, paint);
}

/* -- floats ---------------------------------------------------------------------------------- */

/* A ball half in the water: coloured and white, lit from the sun's side. */
static void draw_float(uint8_t *rgb, const PondFloat *body, Colour paint)
{
    const float radius = 0.13f;
    float centre[2], rim[2];
    pond_view_pixel(body->x, body->y, 0.05f, centre);
    pond_view_pixel(body->x + radius, body->y, 0.05f, rim);
    float size = rim[0] - centre[0];
    for (int y = (int)(centre[1] - size) - 1; y <= (int)(centre[1] + size) + 1; y++)
        for (int x = (int)(centre[0] - size) - 1; x <= (int)(centre[0] + size) + 1; x++) {
            float dx = ((float)x + 0.5f - centre[0]) / size,
                  dy = (centre[1] - (float)y - 0.5f) / size;
            float inside = fminf((1 - hypotf(dx, dy)) * size + 0.5f, 1);
            if (x < 0 || x >= POND_WIDTH || y < 0 || y >= POND_HEIGHT || inside <= 0 || dy < -0.75f)
                continue;
            float dz = sqrtf(fmaxf(1 - dx * dx - dy * dy, 0)); /* towards the camera */
            float up = 0.88f * dy + 0.47f * dz, lit = -0.3f * dx + 0.9f * dy + 0.25f * dz;
            Colour colour = scale(up > 0.25f ? paint : (Colour){0.85f, 0.85f, 0.82f},
                                  0.55f + 0.5f * fmaxf(lit, -0.6f));
            uint8_t tones[3];
            tones_of(colour, tones);
            blend(rgb, x, y, tones, inside);
        }
}

/* -- all ------------------------------------------------------------------------------------- */

void pond_draw_bodies(const PondScene *scene, uint8_t *rgb)
{
    const Colour boats[] = {{0.75f, 0.06f, 0.05f}, {0.06f, 0.2f, 0.6f}};
    const Colour floats[] = {{0.9f, 0.4f, 0.02f}, {0.85f, 0.75f, 0.05f}, {0.7f, 0.05f, 0.2f}};
    float last = INFINITY;
    for (int drawn = 0; drawn < POND_BOATS + POND_FLOATS; drawn++) {
        int next = -1;
        float far_y = -INFINITY;
        for (int k = 0; k < POND_BOATS + POND_FLOATS; k++) {
            float y = k < POND_BOATS ? scene->boats[k].y : scene->floats[k - POND_BOATS].y;
            if (y < last && y > far_y)
                far_y = y, next = k;
        }
        if (next < 0) /* the rest has the same y as others */
            return;
        last = far_y;
        if (next < POND_BOATS)
            draw_boat(rgb, &scene->boats[next], boats[next]);
        else
            draw_float(rgb, &scene->floats[next - POND_BOATS], floats[next % 3]);
    }
}
