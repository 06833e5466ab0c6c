/* SPDX-License-Identifier: MIT
 *
 * Lines in the volume that the overlay draws over the picture: outlines of emitters, handles, and
 * the brush. They are drawn at the window's resolution, even if the picture has a lower one. */
#ifndef APP_MARKS_H
#define APP_MARKS_H

#include "app/overlay.h"
#include "play/brush.h"
#include "render/frame/camera.h"

enum { MARKS_MAX = 4096 };

/* What can hide the lines: smoke and solids. */
typedef struct MarksScene {
    const BillowView *view; /* NULL: no smoke */
    float extinction;       /* 1/m per density */
    const BillowSolid *solids;
    int solid_count;
} MarksScene;

typedef struct Marks {
    OverlayLine lines[MARKS_MAX];
    int count;
    Camera camera;
    float width, height; /* size of the window, points */
    float scale;         /* width of lines and size of handles, as a multiple; gui_scale */
    MarksScene scene;
} Marks;

/* How a line is drawn. Lines behind smoke or solids are fainter, unless `flat` is true. */
typedef struct MarkStyle {
    float color[4];
    float width; /* points */
    bool flat;   /* true: draw as if nothing hid the line */
} MarkStyle;

/* Starts with a scale of 1. */
void marks_begin(Marks *marks, const RenderCamera *camera, float width, float height,
                 const MarksScene *scene);

/* Projects a position to the window, in points from the top left. Returns false if the position is
 * behind the camera. */
bool marks_place(const Marks *marks, const float place[3], float seen[2]);
/* Returns the length that covers one point of the window, times the scale, at the depth of a
 * position, m. */
float marks_point(const Marks *marks, const float place[3]);

void marks_line(Marks *marks, const float a[3], const float b[3], const MarkStyle *style);
/* Draws the arc center + cos(t) u + sin(t) v for t from `from` to `to`, radians. */
void marks_arc(Marks *marks, const float center[3], const float u[3], const float v[3], float from,
               float to, const MarkStyle *style);
void marks_circle(Marks *marks, const float center[3], const float u[3], const float v[3],
                  const MarkStyle *style);

/* Draws a circle that faces the camera. */
void marks_ring(Marks *marks, const float center[3], float radius, const MarkStyle *style);

/* Draws the outline of an emitter's shape. A mesh or a text gets a box of about its size. */
void marks_outline(Marks *marks, const BillowEmitter *emitter, const MarkStyle *style);

/* The same for a solid. */
void marks_solid(Marks *marks, const BillowSolid *solid, const MarkStyle *style);
/* Draws how far a force reaches and the sense in which it acts, by arrows. Draws nothing for a
 * force without a radius. phase: position of the arrows on their way, 0 to 1. */
void marks_force(Marks *marks, const BillowForce *force, float phase, const MarkStyle *style);

/* -- the brush */

enum { TRAIL_PLACES = 32 };

/* Where a stroke has released what the picture does not show, such as heat. */
typedef struct BrushTrail {
    BrushTool tool;
    int count; /* oldest first */
    float places[TRAIL_PLACES][3];
    double times[TRAIL_PLACES]; /* s */
} BrushTrail;

/* Adds the brush's position if its tool leaves a trail, and removes the positions that have faded.
 * used: the brush is pressed. now: time, s. */
void brush_trail_follow(BrushTrail *trail, const Brush *brush, bool used, double now);
void brush_trail_mark(const BrushTrail *trail, float radius, double now, Marks *marks);

/* Draws the brush as a ball of lines, and the ball's shadow on the ground. The shadow shows the
 * depth of the brush. Tools that draw or turn the fluid have arrows, and heat shimmers; while the
 * brush is used, these move. Draws nothing if the cursor is not over the box. now: time, s. */
void cursor_mark(const Brush *brush, bool used, double now, Marks *marks);

/* Draws where another hand is, as a small circle of its colour. */
void pointer_mark(const float place[3], const float color[3], Marks *marks);

#endif
