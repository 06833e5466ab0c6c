/* SPDX-License-Identifier: MIT */
#include "app/placing.h"

#include "app/gui_widgets.h"
#include "app/panel.h"
#include "base/fail.h"
#include "base/vec3.h"
#include "scene/scene_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- things ------------------------------------------------------------------------------------ */

typedef enum ThingKind {
    THING_SMOKE,
    THING_FIRE,
    THING_BALL,
    THING_BOX,
    THING_CYLINDER,
    THING_CAPSULE,
    THING_RING,
    THING_WIND,
    THING_VORTEX,
    THING_ATTRACTOR,
    THING_TURBULENCE,
    THING_LAMP,
    THING_SPOT,
    THINGS
} ThingKind;

static const Thing things[THINGS] = {
    [THING_SMOKE] = {"emitters", "smoke", "add smoke", "emitter source plume jet fog"},
    [THING_FIRE] = {"emitters", "fire", "add fire", "emitter source flame fuel burn heat"},
    [THING_BALL] = {"solids", "ball", "add a ball", "sphere solid obstacle object"},
    [THING_BOX] = {"solids", "box", "add a box", "cube block solid obstacle object"},
    [THING_CYLINDER] = {"solids", "cylinder", "add a cylinder", "pillar tube solid obstacle"},
    [THING_CAPSULE] = {"solids", "capsule", "add a capsule", "pill solid obstacle"},
    [THING_RING] = {"solids", "ring", "add a ring", "torus hoop solid obstacle"},
    [THING_WIND] = {"forces", "wind", "add wind", "force blow air fan breeze"},
    [THING_VORTEX] = {"forces", "vortex", "add a vortex", "force whirl tornado spin turn"},
    [THING_ATTRACTOR] = {"forces", "attractor", "add an attractor", "force pull draw suck"},
    [THING_TURBULENCE] = {"forces", "turbulence", "add turbulence", "force stir eddies gusts"},
    [THING_LAMP] = {"lamps", "lamp", "add a lamp", "light point bulb"},
    [THING_SPOT] = {"lamps", "spot", "add a spot", "lamp light cone spotlight"},
};

const Thing *placing_thing(int index)
{
    return index >= 0 && index < THINGS ? &things[index] : NULL;
}

bool placing_finds(const Thing *thing, const char *words)
{
    const char *const texts[] = {thing->add, thing->also, thing->list, NULL};
    return scene_panel_finds(texts, words);
}

/* -- values of new things, relative to the box and the scene ------------------------------------
 */

/* A scene, and the shortest edge of its box, m. */
typedef struct Stage {
    const Scene *scene;
    float edge;
} Stage;

/* Rises at about 0.6 edges per second, and hides what is behind it after half a second. */
static float make_smoke(const Stage *stage, BillowEmitter *emitter)
{
    static const float colors[][3] = {
        {0.95f, 0.45f, 0.1f}, {0.15f, 0.55f, 0.95f}, {0.9f, 0.15f, 0.45f}, {0.3f, 0.75f, 0.25f}};
    const BillowDef *def = &stage->scene->def;
    const float edge = stage->edge, radius = 0.06f * edge;
    const float clear = stage->scene->render.smoke.extinction * radius;
    *emitter = billow_default_emitter();
    emitter->shape = BILLOW_SPHERE;
    emitter->size[0] = radius;
    emitter->smoke = vector_clamp(5 / fmaxf(clear, 1e-6f), 4, 1000);
    emitter->heat = vector_clamp(6 * edge / fmaxf(def->params.buoyancy, 1e-4f), 0, 800);
    emitter->velocity[0] = emitter->velocity[2] = 0;
    emitter->velocity[1] = 0.6f * edge;
    emitter->grip = 5;
    emitter->noise = 1;
    emitter->noise_scale = radius;
    emitter->noise_speed = 4;
    emitter->seed = (uint32_t)(def->emitter_count + 1);
    if (def->color)
        memcpy(emitter->color, colors[def->emitter_count % 4], sizeof emitter->color);
    return radius;
}

/* The brush's fuel with the heat that lights it, rising slowly. */
static float make_fire(const Stage *stage, BillowEmitter *emitter)
{
    Brush brush = brush_for(stage->scene);
    const float radius = 0.07f * stage->edge;
    brush.hand.tool = BRUSH_FUEL;
    brush_emitter(&brush, emitter);
    emitter->shape = BILLOW_SPHERE;
    emitter->size[0] = radius;
    emitter->velocity[0] = emitter->velocity[2] = 0;
    emitter->velocity[1] = 0.3f * stage->edge;
    emitter->grip = 4;
    emitter->noise = 1;
    emitter->noise_scale = radius;
    emitter->noise_speed = 4;
    emitter->seed = (uint32_t)(stage->scene->def.emitter_count + 1);
    const BillowEmitter usual = billow_default_emitter();
    emitter->start = usual.start;
    emitter->end = usual.end;
    emitter->every = usual.every;
    emitter->hue_speed = 0;
    memcpy(emitter->color, usual.color, sizeof emitter->color);
    return radius;
}

static float make_solid(const Stage *stage, BillowShape shape, BillowSolid *solid)
{
    static const float sizes[][3] = {[BILLOW_SPHERE] = {0.13f},
                                     [BILLOW_BOX] = {0.12f, 0.12f, 0.12f},
                                     [BILLOW_CYLINDER] = {0.08f, 0.2f},
                                     [BILLOW_CAPSULE] = {0.08f, 0.14f},
                                     [BILLOW_TORUS] = {0.16f, 0.05f}};
    const float *size = sizes[shape];
    *solid = billow_default_solid();
    solid->shape = shape;
    for (int i = 0; i < 3; i++)
        solid->size[i] = size[i] * stage->edge;
    return stage->edge * (shape == BILLOW_SPHERE    ? size[0]
                          : shape == BILLOW_CAPSULE ? size[0] + size[1]
                                                    : size[1]);
}

/* right: direction to the right of the view, in which winds blow. */
static float make_force(const Stage *stage, BillowForceKind kind, const float right[3],
                        BillowForce *force)
{
    const float edge = stage->edge;
    *force = billow_default_force();
    force->kind = kind;
    force->radius = 0.3f * edge;
    force->strength = 6 * edge;
    if (kind == BILLOW_TURBULENCE) {
        force->scale = 0.15f * edge;
        force->speed = 2;
        force->seed = (uint32_t)(stage->scene->def.force_count + 1);
    } else if (kind == BILLOW_WIND) {
        force->strength = 4; /* a rate, 1/s */
        for (int i = 0; i < 3; i++)
            force->velocity[i] = 1.5f * edge * right[i] + 0; /* without a zero's sign */
    }
    return force->radius;
}

/* Half an edge away, a white surface is somewhat brighter in its light than white in the picture.
 */
static float make_lamp(const Stage *stage, RenderLampKind kind, RenderLamp *lamp)
{
    const float away = 0.5f * stage->edge;
    *lamp = render_default_lamp();
    lamp->kind = kind;
    lamp->intensity = 4 * away * away / fmaxf(stage->scene->render.exposure, 1e-3f);
    if (kind == RENDER_LAMP_SPOT) {
        lamp->intensity *= 3;
        lamp->angle = 50;
    }
    return (kind == RENDER_LAMP_SPOT ? 0.7f : 0.35f) * stage->edge;
}

/* Makes the entry. Returns the height of its centre above what it stands on, m. */
static float make_entry(const Stage *stage, int thing, const float right[3], Placing *placing)
{
    switch ((ThingKind)thing) {
    case THING_SMOKE:
        return make_smoke(stage, &placing->entry.emitter);
    case THING_FIRE:
        return make_fire(stage, &placing->entry.emitter);
    case THING_BALL:
        return make_solid(stage, BILLOW_SPHERE, &placing->entry.solid);
    case THING_BOX:
        return make_solid(stage, BILLOW_BOX, &placing->entry.solid);
    case THING_CYLINDER:
        return make_solid(stage, BILLOW_CYLINDER, &placing->entry.solid);
    case THING_CAPSULE:
        return make_solid(stage, BILLOW_CAPSULE, &placing->entry.solid);
    case THING_RING:
        return make_solid(stage, BILLOW_TORUS, &placing->entry.solid);
    case THING_WIND:
        return make_force(stage, BILLOW_WIND, right, &placing->entry.force);
    case THING_VORTEX:
        return make_force(stage, BILLOW_VORTEX, right, &placing->entry.force);
    case THING_ATTRACTOR:
        return make_force(stage, BILLOW_ATTRACTOR, right, &placing->entry.force);
    case THING_TURBULENCE:
        return make_force(stage, BILLOW_TURBULENCE, right, &placing->entry.force);
    case THING_LAMP:
        return make_lamp(stage, RENDER_LAMP_POINT, &placing->entry.lamp);
    default:
        return make_lamp(stage, RENDER_LAMP_SPOT, &placing->entry.lamp);
    }
}

/* -- names ------------------------------------------------------------------------------------- */

/* -- placing ----------------------------------------------------------------------------------- */

static const SceneList *list_named(const char *name)
{
    int index = 0;
    while (strcmp(scene_list_at(index)->name, name) != 0)
        index++;
    return scene_list_at(index);
}

/* Returns where the entry has its position, x, y and z. */
static float *center_of(Placing *placing)
{
    switch (placing->list->type) {
    case SCENE_KEY_EMITTERS:
        return placing->entry.emitter.center;
    case SCENE_KEY_SOLIDS:
        return placing->entry.solid.center;
    case SCENE_KEY_FORCES:
        return placing->entry.force.center;
    default:
        return placing->entry.lamp.position;
    }
}

/* Whether the list has room. If not, a message says so. */
static bool may_add(Session *session, const SceneList *list)
{
    BillowError error;
    const bool may = editor_may_add(&session->panel->editor, list, &error);
    session_tell(session, may, &error);
    return may;
}

static void start(Session *session, const Placing *placing)
{
    session->hand.placing = *placing;
    session->hand.moved = session->hand.inside;
    session->screen.exposed = true;
}

void placing_begin(Session *session, int thing)
{
    const Scene *scene = &session->panel->editor.shown;
    const CameraControl box = camera_control_for(scene);
    Stage stage = {.scene = scene, .edge = INFINITY};
    Placing placing = {.list = list_named(things[thing].list), .form = scene_form_default()};
    float forward[3];
    if (thing == THING_FIRE && !scene->def.fire) {
        session_say(session, "nothing burns in this scene: switch on fluid.fire first");
        return;
    }
    if (!may_add(session, placing.list))
        return;
    for (int i = 0; i < 3; i++)
        stage.edge = fminf(stage.edge, box.high[i] - box.low[i]);
    camera_control_forward(&session->world.render.camera, forward);
    const float level = fmaxf(hypotf(forward[0], forward[2]), 1e-3f);
    const float right[3] = {-forward[2] / level, 0, forward[0] / level};
    placing.stands = make_entry(&stage, thing, right, &placing);
    scene_name_new(scene, things[thing].name, &placing.name);
    start(session, &placing);
}

/* Height of an entry's centre above what it may stand on, at most, m. */
static float half_height(const Placing *placing)
{
    const float *size = placing->list->type == SCENE_KEY_SOLIDS ? placing->entry.solid.size
                                                                : placing->entry.emitter.size;
    switch (placing->list->type) {
    case SCENE_KEY_EMITTERS:
    case SCENE_KEY_SOLIDS:
        return fmaxf(size[0], fmaxf(size[1], size[2]));
    case SCENE_KEY_FORCES:
        return placing->entry.force.radius;
    default:
        return 0.3f; /* at 0 a lamp would shine from inside the thing below it */
    }
}

void placing_begin_copy(Session *session, const SceneList *list, int index)
{
    Scene *scene = &session->panel->editor.shown;
    const SceneEntry like = scene_list_whole(list, scene, index);
    Placing placing = {.list = list, .form = scene_form_default()};
    char word[SCENE_NAME];
    if (!may_add(session, list))
        return;
    memcpy(&placing.entry, like.values, list->size);
    if (like.form != NULL)
        placing.form = *like.form;
    placing.stands = fminf(fmaxf(center_of(&placing)[1] - session->world.brush.low[1], 0),
                           half_height(&placing));
    scene_list_shown(list, scene, index, word);
    size_t length = strlen(word); /* without a number at its end */
    while (length > 0 && strchr(" 0123456789", word[length - 1]) != NULL)
        length--;
    word[length] = '\0';
    scene_name_new(scene, length > 0 ? word : list->entry, &placing.name);
    start(session, &placing);
}

/* Finds where a ray meets a solid, the floor, or the plane through the middle of the box that faces
 * the camera. An entry on a solid is before it, one on the floor above it. Returns false if the ray
 * misses the box. */
static bool find_place(const Session *session, const BrushRay *ray, float stands, float place[3])
{
    const Brush *brush = &session->world.brush;
    const SimSnapshot *snapshot = session->snapshot;
    float enter, leave, middle[3], forward[3], distance;
    int solid;
    if (!brush_clip(brush, ray, &enter, &leave))
        return false;
    for (int i = 0; i < 3; i++)
        middle[i] = 0.5f * (brush->low[i] + brush->high[i]);
    camera_control_forward(ray->camera, forward);
    vector_add_scaled(ray->origin, leave, ray->direction, place);
    const bool floor = place[1] <= brush->low[1] + 1e-3f * (brush->high[1] - brush->low[1]);
    if (snapshot != NULL &&
        grab_meet(brush, ray, snapshot->solids, snapshot->solid_count, &solid, &distance))
        vector_add_scaled(ray->origin, fmaxf(distance - stands, enter), ray->direction, place);
    else if (floor)
        place[1] += stands;
    else
        vector_add_scaled(ray->origin,
                          vector_clamp(brush_plane_depth(ray, middle, forward), enter, leave),
                          ray->direction, place);
    for (int i = 0; i < 3; i++)
        place[i] = vector_clamp(place[i], brush->low[i], brush->high[i]);
    return true;
}

bool placing_follow(Session *session)
{
    Placing *placing = &session->hand.placing;
    if (placing->list == NULL)
        return false;
    const BrushRay ray = session_cursor_ray(session);
    float place[3];
    placing->found = session->hand.inside && find_place(session, &ray, placing->stands, place);
    if (placing->found)
        memcpy(center_of(placing), place, sizeof place);
    return true;
}

bool placing_press(Session *session)
{
    Placing *placing = &session->hand.placing;
    BillowError error;
    if (!placing_follow(session))
        return false;
    if (!placing->found) {
        session_say(session, "click in the box");
        return true;
    }
    const SceneEntry entry = {&placing->entry, &placing->form, &placing->name};
    if (editor_add_entry(&session->panel->editor, placing->list, &entry, &error)) {
        session->hand.handles = true;
        session_say(session, "%s: drag its handle; right click: name, copy, remove; Ctrl Z: undo",
                    placing->name.text);
    } else {
        session_say(session, "%s", error.text);
    }
    placing->list = NULL;
    return true;
}

bool placing_give_up(Session *session)
{
    const bool placed = session->hand.placing.list != NULL;
    session->hand.placing.list = NULL;
    session->screen.exposed = session->screen.exposed || placed;
    return placed;
}

void placing_remove(Session *session, const SceneList *list, int index)
{
    char title[SCENE_NAME];
    BillowError error;
    Editor *editor = &session->panel->editor;
    scene_list_shown(list, &editor->shown, index, title);
    if (editor_remove_entry(editor, list->name, index, &error))
        session_say(session, "%s is removed; Ctrl Z: undo", title);
    else
        session_say(session, "%s", error.text);
    session->hand.gizmo.kind = GIZMO_NONE;
}

const char *placing_hint(Session *session)
{
    SessionTexts *texts = &session->texts;
    if (session->hand.placing.list == NULL)
        return NULL;
    snprintf(texts->placing, sizeof texts->placing, "%s: click where it shall be; Esc: give up",
             session->hand.placing.name.text);
    return texts->placing;
}

/* -- drawing ----------------------------------------------------------------------------------- */

void placing_mark(const Placing *placing, Marks *marks)
{
    const MarkStyle style = {.color = {0.55f, 1, 0.6f, 1}, .width = 2, .flat = true};
    const MarkStyle faint = {.color = {0.55f, 1, 0.6f, 0.5f}, .width = 1.2f, .flat = true};
    if (placing->list == NULL || !placing->found)
        return;
    const float *center = center_of((Placing *)placing /* only read */);
    const float foot[3] = {center[0], center[1] - placing->stands, center[2]};
    marks_ring(marks, center, 6 * marks_point(marks, center), &style);
    switch (placing->list->type) {
    case SCENE_KEY_EMITTERS:
        marks_outline(marks, &placing->entry.emitter, &style);
        break;
    case SCENE_KEY_SOLIDS:
        marks_solid(marks, &placing->entry.solid, &style);
        break;
    case SCENE_KEY_FORCES:
        marks_force(marks, &placing->entry.force, 0, &style);
        break;
    default:
        marks_line(marks, center, foot, &faint);
        break;
    }
}

/* -- the menu ---------------------------------------------------------------------------------- */

/* The words of the menu: what can be done with the thing at the cursor, then the things to add. */
enum { MENU_VALUES, MENU_COPY, MENU_REMOVE, MENU_OF_THING };

static const SceneList *list_of(GizmoKind kind)
{
    static const char *const names[] = {[GIZMO_EMITTER] = "emitters",
                                        [GIZMO_SOLID] = "solids",
                                        [GIZMO_FORCE] = "forces",
                                        [GIZMO_LAMP] = "lamps"};
    return kind == GIZMO_NONE || kind == GIZMO_SUN ? NULL : list_named(names[kind]);
}

/* Finds the thing whose handle, or whose surface, is at the cursor. */
static Gizmo thing_at_cursor(Session *session)
{
    const float scale = window_pixels_per_point(&session->window);
    const BrushRay ray = session_cursor_ray(session);
    const SimSnapshot *snapshot = session->snapshot;
    Gizmo handle = {.kind = GIZMO_NONE}, body = {.kind = GIZMO_NONE};
    float distance;
    int solid;
    if (!session->hand.inside)
        return handle;
    gizmo_pick(&handle, &session->world.scene, &session->marks, session->hand.x / scale,
               session->hand.y / scale);
    if (snapshot != NULL && grab_meet(&session->world.brush, &ray, snapshot->solids,
                                      snapshot->solid_count, &solid, &distance))
        body = (Gizmo){.kind = GIZMO_SOLID, .index = solid};
    /* A handle that is not shown gives way to the solid before it. */
    return handle.kind != GIZMO_NONE && (session->hand.handles || body.kind == GIZMO_NONE) ? handle
                                                                                           : body;
}

/* Whether the panel's scene has this thing. It may differ from the scene of the picture for a few
 * frames. */
static bool exists(const Session *session, const Gizmo *thing)
{
    const SceneList *list = list_of(thing->kind);
    return list != NULL &&
           thing->index <
               *scene_list_count(list, (Scene *)&session->panel->editor.shown /* only read */);
}

bool placing_label(const Session *session, OverlayLabel *label)
{
    const Gizmo *gizmo = &session->hand.gizmo;
    const float scale = window_pixels_per_point(&session->window);
    char title[SCENE_NAME];
    if (!session->hand.handles || !session->hand.inside || session->hand.placing.list != NULL ||
        !exists(session, gizmo))
        return false;
    scene_list_shown(list_of(gizmo->kind), &session->panel->editor.shown, gizmo->index, title);
    *label = (OverlayLabel){.at = {session->hand.x / scale, session->hand.y / scale},
                            .color = {1, 1, 1}};
    snprintf(label->text, sizeof label->text, "%.63s", title);
    return true;
}

void placing_open_menu(Session *session)
{
    PlacingMenu *menu = &session->hand.menu;
    if (session->gui == NULL || session->texts.help)
        return;
    menu->thing = thing_at_cursor(session);
    menu->asked = true;
    session->screen.exposed = true;
    session->texts.draws_due = 2;
}

/* Shows the values of an entry in the panel, its name first. */
static void show_values(Session *session, const Gizmo *thing)
{
    Panel *panel = session->panel;
    if (!panel->shown)
        action_panel(session);
    snprintf(panel->search, sizeof panel->search, "%s[%d].", list_of(thing->kind)->name,
             thing->index);
    session->screen.exposed = true;
}

static void act(Session *session, const Gizmo *thing, int item)
{
    if (item == MENU_VALUES)
        show_values(session, thing);
    else if (item == MENU_COPY)
        placing_begin_copy(session, list_of(thing->kind), thing->index);
    else
        placing_remove(session, list_of(thing->kind), thing->index);
}

void placing_show_menu(Session *session)
{
    PlacingMenu *menu = &session->hand.menu;
    const char *words[MENU_OF_THING + 1 + THINGS + 1];
    char title[SCENE_NAME], values[SCENE_NAME + 32], copy[SCENE_NAME + 32], away[SCENE_NAME + 32];
    int count = 0;
    const bool own = exists(session, &menu->thing);
    if (own) {
        scene_list_shown(list_of(menu->thing.kind), &session->panel->editor.shown,
                         menu->thing.index, title);
        snprintf(values, sizeof values, "%s: name and values", title);
        snprintf(copy, sizeof copy, "%s: one more like it", title);
        snprintf(away, sizeof away, "%s: remove (Del)", title);
        words[count++] = values;
        words[count++] = copy;
        words[count++] = away;
        words[count++] = "";
    }
    const int first = count;
    for (int thing = 0; thing < THINGS; thing++)
        words[count++] = things[thing].add;
    words[count] = NULL;
    const int item = gui_list("menu at the cursor", words, menu->asked);
    menu->asked = false;
    if (item >= first)
        placing_begin(session, item - first);
    else if (item >= 0)
        act(session, &menu->thing, item);
}

int placing_show_things(Session *session, const char *words)
{
    int count = 0;
    float used = 0;
    for (int thing = 0; thing < THINGS; thing++) {
        const float wide = gui_button_width(things[thing].add);
        if (!placing_finds(&things[thing], words))
            continue;
        if (count > 0 && used + 4 + wide <= gui_whole_width()) {
            gui_same_line(4);
            used += 4 + wide;
        } else {
            used = wide;
        }
        if (gui_button(things[thing].add))
            placing_begin(session, thing);
        count++;
    }
    return count;
}

void action_add(Session *session)
{
    placing_open_menu(session);
}

void action_remove(Session *session)
{
    const Gizmo thing = thing_at_cursor(session);
    if (exists(session, &thing))
        placing_remove(session, list_of(thing.kind), thing.index);
    else
        session_say(session, "there is nothing at the cursor to remove");
}
