/* SPDX-License-Identifier: MIT */
#include "play/brush.h"

#include "base/number.h"
#include "base/vec3.h"
#include "play/camera_control.h"
#include "render/frame/camera.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- tools ------------------------------------------------------------------------------------- */

/* What a tool does. One that releases or drags works as an emitter, one with a swirl as a force. */
typedef struct ToolRow {
    const char *name; /* "smoke" */
    const char *does; /* what a drag does */
    float mark[3];    /* colour of the brush in the window, display values */
    /* Rates if the scene's brush has none: smoke and fuel in 1/s, heat in K/s. A negative heat
     * cools. Fuel needs a scene with fire, and comes with the heat that ignites it. */
    float smoke, heat, fuel;
    float expansion; /* volume created, in volumes of the brush per second; a negative value removes
                        air with its smoke. Needs an open face */
    float swirl;     /* acceleration around the view direction at the brush's radius, longest edges
                        of the box / s2 */
    bool drags;      /* drives the fluid along with the stroke */
    bool as_scene;   /* releases all that the scene's brush does */
    bool colored;    /* releases smoke in a colour of the palette; needs a scene with colours */
    bool detonates;  /* releases the scene's detonation at each press and along the stroke */
} ToolRow;

static const ToolRow tools[BRUSH_TOOLS] = {
    [BRUSH_PUSH] = {"push", "push the smoke", {1, 1, 1}, .drags = true},
    [BRUSH_SMOKE] = {"smoke",
                     "add smoke and push it",
                     {0.85f, 0.9f, 0.95f},
                     .smoke = 8,
                     .drags = true,
                     .as_scene = true},
    [BRUSH_HEAT] =
        {"heat", "heat the air and push it", {1, 0.55f, 0.25f}, .heat = 600, .drags = true},
    [BRUSH_FUEL] =
        {"fuel", "add fuel that burns, and push it", {1, 0.85f, 0.3f}, .fuel = 6, .drags = true},
    [BRUSH_COLOR] = {"colour",
                     "add coloured smoke and push it",
                     {1, 1, 1},
                     .smoke = 8,
                     .drags = true,
                     .colored = true},
    [BRUSH_SUCK] = {"suck", "suck the smoke away", {0.4f, 0.85f, 1}, .expansion = -25},
    [BRUSH_VORTEX] = {"vortex", "turn the smoke around", {0.8f, 0.65f, 1}, .swirl = 12},
    [BRUSH_DETONATE] = {"detonate",
                        "detonate at the press and along the stroke",
                        {1, 0.4f, 0.4f},
                        .detonates = true},
};

/* Rate at which the fluid approaches the stroke's velocity if the scene's brush has none, 1/s. */
#define GRIP 20.0f
/* Time in which fuel's heat brings ambient fluid to the ignition temperature, s. */
#define IGNITION_SECONDS 0.1f

typedef struct PaletteColor {
    const char *name;
    float rgb[3];
} PaletteColor;

static const PaletteColor palette[BRUSH_COLORS] = {
    {"crimson", {0.86f, 0.08f, 0.16f}}, {"orange", {0.95f, 0.4f, 0.05f}},
    {"yellow", {0.95f, 0.8f, 0.1f}},    {"green", {0.15f, 0.65f, 0.2f}},
    {"cyan", {0.1f, 0.7f, 0.85f}},      {"blue", {0.12f, 0.25f, 0.9f}},
    {"violet", {0.55f, 0.15f, 0.8f}},   {"white", {1, 1, 1}},
    {"rainbow", {0.92f, 0.1f, 0.12f}},
};
/* Turns per second of the last colour, whose hue turns. */
#define RAINBOW_SPEED 0.2f

BrushHand brush_default_hand(void)
{
    return (BrushHand){.tool = BRUSH_SMOKE, .size = 1, .strength = 1};
}

static BrushMedium brush_medium(const Scene *scene)
{
    BillowDef def = scene_def(scene);
    int cells = def.nx > def.ny ? def.nx : def.ny;
    BrushMedium medium = {.fire = scene->def.fire,
                          .color = scene->def.color,
                          .length = (float)(cells > def.nz ? cells : def.nz) * def.cell_size,
                          .ignition = scene->def.params.ignition};
    for (int side = 0; side < BILLOW_SIDES; side++)
        medium.vented = medium.vented || scene->def.faces[side] == BILLOW_OPEN;
    return medium;
}

const char *brush_tool_name(BrushTool tool)
{
    return tools[tool].name;
}

void brush_list_tools(char *text, size_t size)
{
    size_t used = 0;
    for (int tool = 0; tool < BRUSH_TOOLS && used < size; tool++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", tool > 0 ? ", " : "",
                                 tools[tool].name);
}

const char *brush_color_name(int color)
{
    return palette[color].name;
}

void brush_mark_color(const BrushHand *hand, float color[3])
{
    const ToolRow *tool = &tools[hand->tool];
    bool chosen = tool->colored && hand->color < BRUSH_COLORS - 1; /* the rainbow's is the row's */
    for (int c = 0; c < 3; c++) /* the root: approximate display value of linear light */
        color[c] = chosen ? sqrtf(palette[hand->color].rgb[c]) : tool->mark[c];
}

const char *brush_tool_missing(const BrushMedium *medium, BrushTool tool)
{
    if (tools[tool].fuel > 0 && !medium->fire)
        return "nothing burns in this scene";
    if (tools[tool].colored && !medium->color)
        return "smoke has one colour in this scene";
    if (tools[tool].expansion != 0 && !medium->vented)
        return "all faces are closed: no air can leave";
    return NULL;
}

static bool releases(const ToolRow *tool)
{
    return tool->smoke != 0 || tool->heat != 0 || tool->fuel != 0 || tool->expansion != 0;
}

/* Rate of a tool, or the scene's if that has one; 0 if the tool releases nothing of the kind. */
static float rate_of(float rate, float scene)
{
    return rate > 0 && scene > 0 ? scene : rate;
}

/* Returns an emitter with the shape of the scene's brush that releases what the tool does. */
static BillowEmitter tool_rates(const ToolRow *tool, const BrushHand *hand,
                                const BrushMedium *medium, const BillowEmitter *kind)
{
    BillowEmitter emitter = *kind;
    if (tool->as_scene) {
        emitter.smoke = kind->smoke > 0 || kind->fuel > 0 ? kind->smoke : tool->smoke;
        return emitter;
    }
    float heat = tool->fuel > 0 ? medium->ignition / IGNITION_SECONDS : tool->heat;
    emitter.smoke = rate_of(tool->smoke, kind->smoke);
    emitter.fuel = rate_of(tool->fuel, kind->fuel);
    emitter.heat = tool->fuel > 0 || heat > 0 ? fmaxf(kind->heat, heat) : heat;
    emitter.expansion = tool->expansion;
    emitter.noise = tool->expansion != 0 ? 0 : kind->noise;
    emitter.grip = !tool->drags ? 0 : kind->grip > 0 ? kind->grip : GRIP;
    emitter.tracers = emitter.burst = 0;
    if (tool->colored) {
        memcpy(emitter.color, palette[hand->color].rgb, sizeof emitter.color);
        emitter.hue_speed = hand->color == BRUSH_COLORS - 1 ? RAINBOW_SPEED : 0;
    }
    return emitter;
}

static float within(float value, float most)
{
    return vector_clamp(value, -most, most);
}

void brush_scale_rates(BillowEmitter *emitter, float factor)
{
    emitter->smoke = within(emitter->smoke * factor, 1e6f);
    emitter->heat = within(emitter->heat * factor, 1e6f);
    emitter->fuel = within(emitter->fuel * factor, 1e6f);
    emitter->expansion = within(emitter->expansion * factor, 1e3f);
}

static void scale(BillowEmitter *emitter, const BrushHand *hand)
{
    for (int i = 0; i < 3; i++)
        emitter->size[i] = fminf(emitter->size[i] * hand->size, 1e4f);
    brush_scale_rates(emitter, hand->strength);
}

/* -- the brush in the volume ------------------------------------------------------------------- */

/* Smallest share of its light that a ray must lose in smoke for the brush to be placed there. */
#define OPACITY_LEAST 0.08f
/* Time constant of the running average of the brush's velocity, s. */
#define VELOCITY_MEMORY 0.05
/* SPEED_MAX: largest speed of the push, longest edges of the box / s. SPEED_GRIP: speed from which
 * on the brush has its full grip, in the same unit. A slower brush has less grip, because a brush
 * at rest must not stop the smoke that flows through it. */
#define SPEED_MAX  3.0f
#define SPEED_GRIP 0.25f
/* Movement per notch of the wheel, as a share of the box's longest edge. */
#define DEPTH_PER_NOTCH 0.03f

Brush brush_for(const Scene *scene)
{
    CameraControl box = camera_control_for(scene);
    Brush brush = {.kind = scene->brush,
                   .hand = brush_default_hand(),
                   .medium = brush_medium(scene),
                   .pressure = 1,
                   .extinction = scene->render.smoke.extinction};
    memcpy(brush.low, box.low, sizeof brush.low);
    memcpy(brush.high, box.high, sizeof brush.high);
    return brush;
}

Brush brush_for_next(const Brush *before, const Scene *scene)
{
    Brush fresh = brush_for(scene);
    if (before->hand.size <= 0)
        return fresh;
    Brush brush = *before; /* keeps the position, so that a stroke can continue */
    brush.kind = fresh.kind;
    brush.medium = fresh.medium;
    brush.extinction = fresh.extinction;
    if (memcmp(brush.low, fresh.low, sizeof fresh.low) != 0 ||
        memcmp(brush.high, fresh.high, sizeof fresh.high) != 0) {
        brush = fresh;
        brush.hand = before->hand;
    }
    if (brush_tool_missing(&brush.medium, brush.hand.tool) != NULL)
        brush.hand.tool = BRUSH_SMOKE;
    return brush;
}

float brush_notch(const Brush *brush)
{
    float longest = 0;
    for (int i = 0; i < 3; i++)
        longest = fmaxf(longest, brush->high[i] - brush->low[i]);
    return DEPTH_PER_NOTCH * longest;
}

float brush_radius(const Brush *brush)
{
    return brush->kind.size[0] * brush->hand.size;
}

BrushRay brush_ray(const RenderCamera *camera, int width, int height, float x, float y)
{
    BrushRay ray = {.camera = camera};
    camera_ray(camera, width, height, x, y, ray.origin, ray.direction);
    return ray;
}

bool brush_clip(const Brush *brush, const BrushRay *ray, float *enter, float *leave)
{
    *enter = 0;
    *leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        float low = brush->low[i] - ray->origin[i], high = brush->high[i] - ray->origin[i];
        if (fabsf(ray->direction[i]) < 1e-9f) {
            if (low > 0 || high < 0)
                return false;
            continue;
        }
        float a = low / ray->direction[i], b = high / ray->direction[i];
        *enter = fmaxf(*enter, fminf(a, b));
        *leave = fminf(*leave, fmaxf(a, b));
    }
    return *enter < *leave;
}

float brush_density(const BillowView *view, const float place[3])
{
    const int cells[3] = {view->nx, view->ny, view->nz};
    ptrdiff_t index[3];
    for (int i = 0; i < 3; i++) {
        float cell = floorf((place[i] - view->origin[i]) / view->cell_size);
        if (!(cell >= 0 && cell < (float)cells[i])) /* the view holds all smoke of the box */
            return 0;
        index[i] = (ptrdiff_t)cell;
    }
    return view->density[index[0] + index[1] * view->stride_y + index[2] * view->stride_z];
}

/* Computes the mean distance along the ray at which its light is absorbed: depth = sum(w t) /
 * sum(w), with w = T (1 - exp(-s rho dt)), the transmittance T up to t, the extinction s, the
 * density rho and the step dt. Returns false if it loses less than OPACITY_LEAST of it. */
static bool smoke_depth(const Brush *brush, const BrushRay *ray, const BillowView *view,
                        float enter, float leave, float *depth)
{
    float step = view->cell_size, light = 1, sum = 0;
    for (float t = enter + step / 2; t < leave && light > 0.01f; t += step) {
        float place[3];
        vector_add_scaled(ray->origin, t, ray->direction, place);
        float stopped = light * (1 - expf(-brush->extinction * brush_density(view, place) * step));
        light -= stopped;
        sum += stopped * t;
    }
    if (1 - light < OPACITY_LEAST)
        return false;
    *depth = sum / (1 - light);
    return true;
}

float brush_plane_depth(const BrushRay *ray, const float through[3], const float forward[3])
{
    float offset[3];
    vector_add_scaled(through, -1, ray->origin, offset);
    return vector_dot(offset, forward) / fmaxf(vector_dot(ray->direction, forward), 1e-3f);
}

void brush_hover(Brush *brush, const BrushRay *ray, const BillowView *view, float stop)
{
    float enter, leave, depth;
    brush->over = brush_clip(brush, ray, &enter, &leave);
    if (!brush->over)
        return;
    camera_control_forward(ray->camera, brush->forward);
    float end = fminf(leave, stop);
    if (view == NULL || !smoke_depth(brush, ray, view, enter, end, &depth))
        depth = fminf(brush_plane_depth(ray, ray->camera->target, brush->forward), stop);
    depth = vector_clamp(depth + brush->deeper, enter, leave);
    vector_add_scaled(ray->origin, depth, ray->direction, brush->place);
}

void brush_deepen(Brush *brush, const BrushRay *ray, float notches)
{
    float enter, leave, offset[3], step = notches * brush_notch(brush);
    if (!brush->over || !brush_clip(brush, ray, &enter, &leave))
        return;
    vector_add_scaled(brush->place, -1, ray->origin, offset);
    float depth = vector_dot(offset, ray->direction);
    float moved = vector_clamp(depth + step, enter, leave) - depth;
    vector_add_scaled(brush->place, moved, ray->direction, brush->place);
    brush->deeper += moved;
    if (fabsf(brush->deeper) < 0.5f * brush_notch(brush))
        brush->deeper = 0; /* within half a notch: use the depth of the smoke again */
}

void brush_leave(Brush *brush)
{
    brush->over = false;
}

void brush_press(Brush *brush, const BrushRay *ray, double time)
{
    brush->time = time;
    memset(brush->velocity, 0, sizeof brush->velocity);
    if (!brush->over)
        brush_hover(brush, ray, NULL, INFINITY);
}

/* Computes the position of the stroke: the ray's point in the stroke's plane, clamped to the box.
 * Returns false if the plane is behind the camera. */
static bool follow(Brush *brush, const BrushRay *ray, float place[3])
{
    float depth = brush_plane_depth(ray, brush->place, brush->forward);
    if (depth <= 0)
        return false;
    vector_add_scaled(ray->origin, depth, ray->direction, place);
    for (int i = 0; i < 3; i++)
        place[i] = vector_clamp(place[i], brush->low[i], brush->high[i]);
    return true;
}

/* Returns the user's choices, with the strength multiplied by the pressure of the pen or finger. */
static BrushHand pressed_hand(const Brush *brush)
{
    BrushHand hand = brush->hand;
    hand.strength *= brush->pressure;
    return hand;
}

/* Adds the position and the stroke's velocity to an emitter. */
static void drag(const Brush *brush, BillowEmitter *emitter)
{
    const float longest = brush->medium.length;
    float speed = sqrtf(vector_dot(brush->velocity, brush->velocity));
    float slowed = speed > SPEED_MAX * longest ? SPEED_MAX * longest / speed : 1;
    if (!releases(&tools[brush->hand.tool])) /* the strength is that of the push */
        slowed = fminf(slowed * pressed_hand(brush).strength,
                       SPEED_MAX * longest / fmaxf(speed, 1e-6f * longest));
    memcpy(emitter->center, brush->place, sizeof emitter->center);
    vector_add_scaled(emitter->velocity, slowed, brush->velocity, emitter->velocity);
    emitter->grip *= fminf(1, speed / (SPEED_GRIP * longest));
}

bool brush_emitter(const Brush *brush, BillowEmitter *emitter)
{
    const ToolRow *tool = &tools[brush->hand.tool];
    BrushHand hand = pressed_hand(brush);
    if (!tool->drags && !releases(tool))
        return false;
    *emitter = tool_rates(tool, &hand, &brush->medium, &brush->kind);
    scale(emitter, &hand);
    drag(brush, emitter);
    return true;
}

bool brush_force(const Brush *brush, BillowForce *force)
{
    float swirl = tools[brush->hand.tool].swirl;
    if (!brush->over || swirl == 0)
        return false;
    *force = billow_default_force();
    force->kind = BILLOW_VORTEX;
    force->radius = brush_radius(brush);
    force->strength = within(swirl * brush->medium.length * pressed_hand(brush).strength, 1e4f);
    for (int i = 0; i < 3; i++) {
        force->center[i] = brush->place[i];
        force->velocity[i] = -brush->forward[i];
    }
    return true;
}

bool brush_detonates(const Brush *brush)
{
    return tools[brush->hand.tool].detonates;
}

void brush_words(const Brush *brush, char *text, size_t size)
{
    const BrushHand *hand = &brush->hand;
    bool colored = tools[hand->tool].colored;
    number_print(text, size, "brush: %s%s%s, radius %.3g m, strength %.2g",
                 brush_tool_name(hand->tool), colored ? " " : "",
                 colored ? brush_color_name(hand->color) : "", (double)brush_radius(brush),
                 (double)hand->strength);
}

void brush_next_tool(Brush *brush, int steps, char *refused, size_t size)
{
    BrushHand *hand = &brush->hand;
    const char *missing;
    size_t used = 0;
    refused[0] = '\0';
    for (;;) {
        hand->tool = (BrushTool)(((int)hand->tool + steps + BRUSH_TOOLS) % BRUSH_TOOLS);
        missing = brush_tool_missing(&brush->medium, hand->tool);
        if (missing == NULL)
            return;
        snprintf(refused + used, size - used, "; no %s: %s", brush_tool_name(hand->tool), missing);
        used = strlen(refused);
    }
}

const char *brush_next_color(Brush *brush, int steps)
{
    BrushHand *hand = &brush->hand;
    const char *missing = brush_tool_missing(&brush->medium, BRUSH_COLOR);
    if (missing != NULL)
        return missing;
    if (hand->tool == BRUSH_COLOR)
        hand->color = (hand->color + steps + BRUSH_COLORS) % BRUSH_COLORS;
    hand->tool = BRUSH_COLOR;
    return NULL;
}

void brush_resize(Brush *brush, int steps)
{
    brush->hand.size = vector_clamp(brush->hand.size * exp2f(0.25f * (float)steps), 0.25f, 4);
}

void brush_strengthen(Brush *brush, int steps)
{
    brush->hand.strength =
        vector_clamp(brush->hand.strength * exp2f(0.5f * (float)steps), 0.125f, 8);
}

const char *brush_does(const Brush *brush)
{
    const ToolRow *tool = &tools[brush->hand.tool];
    bool burns = tool->as_scene && brush->medium.fire && brush->kind.fuel > 0;
    return burns ? tools[BRUSH_FUEL].does : tool->does;
}

BillowEmitter brush_detonation(const Brush *brush, const BillowEmitter *detonation)
{
    BrushHand hand = pressed_hand(brush);
    BillowEmitter emitter = *detonation;
    scale(&emitter, &hand);
    emitter.burst = within(emitter.burst * hand.strength, 1e4f);
    for (int i = 0; i < 3 && brush->over; i++)
        emitter.center[i] = brush->place[i];
    return emitter;
}

static void move(Brush *brush, const BrushRay *ray, double time)
{
    if (!brush->over) {
        brush_hover(brush, ray, NULL, INFINITY);
        brush->time = time;
        return;
    }
    float place[3];
    double elapsed = time - brush->time;
    if (elapsed <= 0 || !follow(brush, ray, place))
        return;
    float share = (float)(1 - exp(-elapsed / VELOCITY_MEMORY));
    for (int i = 0; i < 3; i++) {
        float now = (place[i] - brush->place[i]) / (float)elapsed;
        brush->velocity[i] += share * (now - brush->velocity[i]);
        brush->place[i] = place[i];
    }
    brush->time = time;
}

int brush_stroke(Brush *brush, const BrushRay *ray, double time,
                 BillowEmitter touches[BRUSH_TOUCHES_MAX])
{
    bool was_over = brush->over;
    float from[3] = {brush->place[0], brush->place[1], brush->place[2]}, way[3];
    move(brush, ray, time);
    if (!brush->over)
        return 0;
    vector_add_scaled(brush->place, -1, from, way);
    float length = was_over ? sqrtf(vector_dot(way, way)) : 0;
    float spacing = fmaxf(brush_radius(brush) * 0.5f, 1e-6f);
    int count = (int)vector_clamp(ceilf(length / spacing), 1, BRUSH_TOUCHES_MAX);
    for (int i = 0; i < count; i++) {
        if (!brush_emitter(brush, &touches[i]))
            return 0;
        float back = (float)(count - 1 - i) / (float)count;
        if (was_over)
            vector_add_scaled(brush->place, -back, way, touches[i].center);
    }
    return count;
}
