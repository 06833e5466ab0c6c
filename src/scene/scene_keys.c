/* SPDX-License-Identifier: MIT */
#include "scene/scene_keys.h"

#include "base/number.h"
#include "scene/scene_value.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define AT(member)      offsetof(Scene, member)
#define AT_FORM(member) offsetof(SceneForm, member)
#define IN              SCENE_HOME_STRUCTURE

/* -- keys of scenes alone ---------------------------------------------------------------------- */

static const char *const repeat_words[] = {"hold", "loop", NULL};
static const char *const up_words[] = {"y", "z", NULL};

/* clang-format off */
static const SceneKey first_rows[] = {
    {"name", SCENE_KEY_NAME, SCENE_EFFECT_NAME, IN, AT(name), 1, 63, "",
     .doc = "short name, used in the names of pictures"},
    {"title", SCENE_KEY_TEXT, SCENE_EFFECT_NAME, IN, AT(title), 0, 159, "",
     .doc = "one line that says what there is to see"},
    {"domain.size", SCENE_KEY_SIZE, SCENE_EFFECT_REBUILD, IN, AT(domain.size), 1e-3, 1e4, "m",
     .doc = "edges of the box; it spans 0 to size on each axis, and y = 0 is the ground"},
    {"domain.cells", SCENE_KEY_CELLS, SCENE_EFFECT_REBUILD, IN, AT(domain.cells), BILLOW_GRID_MIN,
     BILLOW_GRID_MAX, "",
     .doc = "cubic cells along the longest axis, or along each axis, where the box grows beyond "
            "size if the counts ask for it; more cells show finer detail"},
    {"time.step", SCENE_KEY_FLOAT, SCENE_EFFECT_STEP, IN, AT(step), 1e-6, 10, "s",
     .doc = "length of one step; it is divided into substeps where solver.cfl asks for that"},
    {"time.show", SCENE_KEY_FLOAT, SCENE_EFFECT_NAME, IN, AT(show), 0, 1e9, "s",
     .doc = "time after which there is little left to see: the window then offers to play the scene "
            "again; 0: there always is"},
    {"poster.time", SCENE_KEY_FLOAT, SCENE_EFFECT_NAME, IN, AT(poster.time), 1e-3, 1e4, "s",
     .doc = "simulated time that a still shows unless --frames is given"},
    {"poster.set", SCENE_KEY_TEXT, SCENE_EFFECT_NAME, IN, AT(poster.set), 0, 255, "",
     .doc = "values for pictures of good quality, written as for --set with spaces between: "
            "domain.cells=160 upres.factor=2"},
    {"panel", SCENE_KEY_TEXT, SCENE_EFFECT_NAME, IN, AT(panel), 0, 255, "",
     .doc = "names of the values that the window's panel shows first, with spaces between: "
            "emitters[0].smoke solver.vorticity"},
    {"upres.factor", SCENE_KEY_INT, SCENE_EFFECT_NAME, IN, AT(upres.factor), 1, BILLOW_UPRES_MAX, "",
     .doc = "fine cells per cell along each axis in the pictures and files of render and bake, with "
            "sharper edges and with folds that the grid cannot hold; 1: none"},
    {"upres.turbulence", SCENE_KEY_FLOAT, SCENE_EFFECT_NAME, IN, AT(upres.turbulence), 0, 4, "",
     .doc = "how far these folds displace sheared smoke, as root mean square along each axis, cells "
            "of the simulation"},
    {"upres.sharpening", SCENE_KEY_INT, SCENE_EFFECT_NAME, IN, AT(upres.sharpening), 0,
     BILLOW_UPRES_SHARP_MAX, "",
     .doc = "passes that steepen the edges of the smoke before it is refined"},
    {"upres.erosion", SCENE_KEY_FLOAT, SCENE_EFFECT_NAME, IN, AT(upres.erosion), 0, 1, "",
     .doc = "how deep noise cuts into the edges of the refined smoke, so that they part into lobes "
            "and shreds; the mass stays the same"},
    {"initial.vdb", SCENE_KEY_FILE, SCENE_EFFECT_REBUILD, IN, AT(initial.vdb), 1, SCENE_PATH - 1, "",
     .doc = "file (.vdb) with the smoke at the start: density, temperature, fuel, color and "
            "velocity, as far as it has them; the path starts at the scene file's folder and stays "
            "inside it"},
    {"initial.grid", SCENE_KEY_TEXT, SCENE_EFFECT_REBUILD, IN, AT(initial.grid), 1, 63, "",
     .doc = "name of the grid of its density, in any case; for density also one that is called smoke, "
            "or else the only fog"},
    {"initial.center", SCENE_KEY_VECTOR, SCENE_EFFECT_REBUILD, IN, AT(initial.center), -1e6, 1e6, "m",
     .doc = "place of the file's origin"},
    {"initial.scale", SCENE_KEY_FLOAT, SCENE_EFFECT_REBUILD, IN, AT(initial.scale), 1e-6, 1e6, "",
     .doc = "factor on the file's lengths and velocities"},
    {"initial.rotation", SCENE_KEY_ROTATION, SCENE_EFFECT_REBUILD, IN, AT(initial.rotation), -1e6, 1e6,
     "", .doc = "turn of the file around its origin: around the axis [x, y, z] by so many degrees"},
    {"initial.up", SCENE_KEY_CHOICE, SCENE_EFFECT_REBUILD, IN, AT(initial.up), 0, SCENE_UP_Z, "",
     .doc = "axis of the file that points up: z as in Blender, y as in Houdini; files of billow "
            "bake say it themselves", .choices = up_words},
    {"initial.smoke", SCENE_KEY_FLOAT, SCENE_EFFECT_REBUILD, IN, AT(initial.smoke), 0, 1e6, "",
     .doc = "factor on the file's density"},
    {"initial.heat", SCENE_KEY_FLOAT, SCENE_EFFECT_REBUILD, IN, AT(initial.heat), -1e6, 1e6, "",
     .doc = "factor on the file's temperature, which gives K above ambient"},
    {"initial.fuel", SCENE_KEY_FLOAT, SCENE_EFFECT_REBUILD, IN, AT(initial.fuel), 0, 1e6, "",
     .doc = "factor on the file's fuel, or flame where it has no fuel; needs fluid.fire"},
    {"initial.velocity", SCENE_KEY_FLOAT, SCENE_EFFECT_REBUILD, IN, AT(initial.velocity), 0, 1e6, "",
     .doc = "factor on the file's velocity, which gives m/s"},
};

static const SceneKey list_rows[] = {
    {"emitters", SCENE_KEY_EMITTERS, SCENE_EFFECT_EMITTERS, IN, AT(def.emitters), 0, BILLOW_EMITTERS_MAX,
     "", .doc = "list of regions that release smoke, heat and momentum"},
    {"solids", SCENE_KEY_SOLIDS, SCENE_EFFECT_SOLIDS, IN, AT(def.solids), 0, BILLOW_SOLIDS_MAX, "",
     .doc = "list of obstacles in the flow"},
    {"forces", SCENE_KEY_FORCES, SCENE_EFFECT_FORCES, IN, AT(def.forces), 0, BILLOW_FORCES_MAX, "",
     .doc = "list of winds, vortices, attractors and turbulence"},
    {"brush", SCENE_KEY_EMITTER, SCENE_EFFECT_HAND, IN, AT(brush), 0, 0, "",
     .doc = "emitter of the left mouse button; its center follows the cursor"},
    {"detonation", SCENE_KEY_EMITTER, SCENE_EFFECT_HAND, IN, AT(detonation), 0, 0, "",
     .doc = "emitter that the key E sets off; its center follows the cursor"},
    {"lamps", SCENE_KEY_LAMPS, SCENE_EFFECT_PICTURE, IN, AT(render.lamps), 0, RENDER_LAMPS_MAX, "",
     .doc = "list of lamps"},
};

static const SceneKey ramp_rows[] = {
    {"smoke.ramp", SCENE_KEY_SMOKE_RAMP, SCENE_EFFECT_PICTURE, IN, AT(render.smoke_ramp.stops), 0,
     RENDER_STOPS_MAX, "",
     .doc = "colours of the smoke by smoke.ramp_by, in place of its own: a list of stops {at: 0.5, "
            "color: [1, 0, 0]} between which light is interpolated, or ink, ice, toxic, sunset or "
            "ash; off: none"},
    {"fire.ramp", SCENE_KEY_FIRE_RAMP, SCENE_EFFECT_PICTURE, IN, AT(render.fire_ramp.stops), 0,
     RENDER_STOPS_MAX, "",
     .doc = "colours and brightness of the glow by fire.ramp_by, in place of those of hot soot: "
            "stops as of smoke.ramp, or fire, blackbody, ice, toxic or sunset; off: none; needs "
            "smoke.glow"},
};
static const SceneKey file_row = {
    "surroundings.file", SCENE_KEY_FILE, SCENE_EFFECT_PICTURE, IN, AT(render.surroundings.file), 0,
    RENDER_SURROUNDINGS_FILE - 1, "",
    .doc = "panorama, a picture of all directions twice as wide as high (.hdr or .exr); the path "
           "starts at the scene file's folder and stays inside it"};

static const SceneKey name_row = {
    "name", SCENE_KEY_TEXT, 0, .home = SCENE_HOME_NAME, .maximum = SCENE_NAME - 1, .unit = "",
    .doc = "name that is shown for it, and that --set may use in place of its number"};

static const SceneKey timeline_row = {
    "timeline", SCENE_KEY_TIMELINE, SCENE_EFFECT_TIMELINE, IN, AT(tracks), 0, SCENE_TRACKS_MAX, "",
    .doc = "list of values that change over time: {key: solver.vorticity, mode: smooth, values: "
           "[[0, 2], [3, 8]]}, each moment being [seconds, value]; mode is smooth, the default, "
           "or linear"};

static const SceneKey form_rows[] = {
    {"mesh", SCENE_KEY_FILE, 0, SCENE_HOME_FORM, AT_FORM(mesh), 1, SCENE_PATH - 1, "",
     .doc = "file of a closed mesh (.obj, .stl, .gltf or .glb) that gives the shape, or numbered "
            "files (ball_%04d.obj) of a mesh that moves; a glTF file moves as its animations say; "
            "size[0] is half of its longest edge, in the first frame; the path starts at the scene "
            "file's folder and stays inside it"},
    {"vdb", SCENE_KEY_FILE, 0, SCENE_HOME_FORM, AT_FORM(vdb), 1, SCENE_PATH - 1, "",
     .doc = "file (.vdb) or numbered files (smoke_%04d.vdb) with the shape: a level set, or a fog, "
            "whose density also multiplies what an emitter releases; center is the place of the "
            "file's origin and size[0] the factor on its lengths; a path as of mesh"},
    {"grid", SCENE_KEY_TEXT, 0, SCENE_HOME_FORM, AT_FORM(grid), 1, 63, "",
     .doc = "name of the grid in the .vdb file, in any case; for density also one that is called "
            "smoke, or else the only fog or level set"},
    {"threshold", SCENE_KEY_FLOAT, 0, SCENE_HOME_FORM, AT_FORM(threshold), 1e-6, 1e6, "",
     .doc = "density at the surface of a fog from a .vdb file"},
    {"up", SCENE_KEY_CHOICE, 0, SCENE_HOME_FORM, AT_FORM(up), 0, SCENE_UP_Z, "",
     .doc = "axis of the .vdb file, or of the particles, that points up, as of initial.up", .choices = up_words},
    {"first_frame", SCENE_KEY_INT, 0, SCENE_HOME_FORM, AT_FORM(first_frame), -1, 999999, "",
     .doc = "number of the numbered file at time 0; -1: the lowest that there is; a number that is "
            "missing after it is shown by the file before; of a glTF file 1 is its first key"},
    {"frame_rate", SCENE_KEY_FLOAT, 0, SCENE_HOME_FORM, AT_FORM(frame_rate), 0.01, 1000, "1/s",
     .doc = "numbered files per second; a glTF file is sampled about as often"},
    {"repeat", SCENE_KEY_CHOICE, 0, SCENE_HOME_FORM, AT_FORM(repeat), 0, SCENE_LOOP, "",
     .doc = "what follows the last numbered file, or the end of a glTF file's motion: hold keeps "
            "it, loop begins again",
     .choices = repeat_words},
    {"particles", SCENE_KEY_FILE, 0, SCENE_HOME_FORM, AT_FORM(particles), 1, SCENE_PATH - 1, "",
     .doc = "file (.csv, .npz) or numbered files (debris_%04d.csv) of particles that an emitter "
            "follows, with columns x, y, z and, where there are, time, id, vx, vy, vz and radius; "
            "center is the place of the file's origin and size[0] the factor on its lengths; a path "
            "as of mesh"},
    {"particle_radius", SCENE_KEY_FLOAT, 0, SCENE_HOME_FORM, AT_FORM(particle_radius), 0, 1e6, "",
     .doc = "radius of particles whose file gives none, in its unit of length"},
    {"text", SCENE_KEY_FORM_TEXT, 0, SCENE_HOME_FORM, AT_FORM(text), 1, 63, "",
     .doc = "line of letters that gives the shape; size[0] is half of its longer edge"},
    {"font", SCENE_KEY_FORM_FONT, 0, SCENE_HOME_FORM, AT_FORM(font), 1, 127, "",
     .doc = "font of the text: an installed family, or a file with a path as of mesh; default "
            "DejaVu Sans Bold"},
};
/* clang-format on */

#define COUNT(rows) ((int)(sizeof(rows) / sizeof(rows)[0]))

/* -- the tables, made once --------------------------------------------------------------------- */

enum { ROWS_MAX = 192, ENTRY_ROWS_MAX = 64 };

static SceneKey scene_rows[ROWS_MAX], emitter_rows[ENTRY_ROWS_MAX], solid_rows[ENTRY_ROWS_MAX],
    force_rows[ENTRY_ROWS_MAX], lamp_rows[ENTRY_ROWS_MAX], stop_rows[ENTRY_ROWS_MAX];
static BillowEmitter emitter_defaults;
static BillowSolid solid_defaults;
static BillowForce force_defaults;
static RenderLamp lamp_defaults;
static RenderStop stop_defaults;
static SceneKeyTable scene_table = {.rows = scene_rows},
                     emitter_table = {.rows = emitter_rows, .defaults = &emitter_defaults},
                     solid_table = {.rows = solid_rows, .defaults = &solid_defaults},
                     force_table = {.rows = force_rows, .defaults = &force_defaults},
                     lamp_table = {.rows = lamp_rows, .defaults = &lamp_defaults},
                     stop_table = {.rows = stop_rows, .defaults = &stop_defaults};

static bool same_group(const char *one, const char *other)
{
    size_t length = strcspn(one, ".");
    return strcspn(other, ".") == length && strncmp(one, other, length) == 0;
}

/* Inserts a key after the last key of its group, so that groups are contiguous. */
static void add(SceneKeyTable *table, SceneKey *rows, int most, SceneKey key)
{
    int at = table->count;
    for (int row = 0; row < table->count; row++)
        if (same_group(rows[row].path, key.path))
            at = row + 1;
    assert(table->count < most);
    (void)most;
    memmove(&rows[at + 1], &rows[at], (size_t)(table->count - at) * sizeof *rows);
    rows[at] = key;
    table->count++;
}

static SceneKey key_of(const BillowParameter *row, const char *group, SceneEffect effect)
{
    SceneKey key = {
        .type = (SceneKeyType)row->type,
        .effect = effect,
        .offset = row->offset,
        .minimum = row->least,
        .maximum = row->most,
        .unit = row->unit,
        .doc = row->meaning,
        .choices = row->choices,
        .former_choices = row->former_choices,
        .former = row->former,
    };
    int length = snprintf(key.path, sizeof key.path, "%s%s", group, row->key);
    assert(length < (int)sizeof key.path);
    (void)length;
    return key;
}

static void add_own(const SceneKey *keys, int count)
{
    for (int k = 0; k < count; k++)
        add(&scene_table, scene_rows, ROWS_MAX, keys[k]);
}

static void add_values(const BillowParameter *rows, int count, const char *group, size_t base,
                       SceneEffect effect)
{
    const size_t camera = AT(render.camera); /* the user turns it; the lens is of the picture */
    for (int row = 0; row < count; row++) {
        if (rows[row].key == NULL)
            continue;
        SceneKey key = key_of(&rows[row], group, effect);
        key.offset += base;
        if (key.offset >= camera && key.offset < camera + sizeof(RenderCamera))
            key.effect = SCENE_EFFECT_CAMERA;
        add(&scene_table, scene_rows, ROWS_MAX, key);
    }
}

static void add_boundaries(void)
{
    static const char *const sides[BILLOW_SIDES] = {"left",    "right", "floor",
                                                    "ceiling", "back",  "front"};
    int count;
    const BillowParameter *rows = billow_parameters(BILLOW_TABLE_BOUNDARY, &count);
    for (int side = 0; side < BILLOW_SIDES; side++) {
        char group[48];
        snprintf(group, sizeof group, "domain.boundaries.%s.", sides[side]);
        add_values(rows, count, group, AT(def.boundaries) + (size_t)side * sizeof(BillowBoundary),
                   SCENE_EFFECT_REBUILD);
    }
}

/* Makes the keys of an entry. forms: the entry can have a form, whose keys are inserted after
 * `rotation`. */
static void make_entry(SceneKeyTable *table, SceneKey *made, const BillowParameter *rows, int count,
                       bool forms, SceneEffect effect)
{
    if (table != &stop_table) {
        SceneKey name = name_row;
        name.effect = effect;
        add(table, made, ENTRY_ROWS_MAX, name);
    }
    for (int row = 0; row < count; row++) {
        add(table, made, ENTRY_ROWS_MAX, key_of(&rows[row], "", effect));
        for (int f = 0; forms && strcmp(rows[row].name, "rotation") == 0 && f < COUNT(form_rows);
             f++) {
            SceneKey key = form_rows[f];
            key.effect = effect;
            add(table, made, ENTRY_ROWS_MAX, key);
        }
    }
}

static void make_tables(void)
{
    int count;
    const BillowParameter *rows = billow_parameters(BILLOW_TABLE_PARAMS, &count);
    add_own(first_rows, COUNT(first_rows));
    add_values(rows, count, "", AT(def.params), SCENE_EFFECT_PARAMS);
    add_own(list_rows, COUNT(list_rows));
    add_values(render_parameters.rows, render_parameters.count, "", AT(render),
               SCENE_EFFECT_PICTURE);
    add_own(ramp_rows, COUNT(ramp_rows));
    add_own(&file_row, 1);
    rows = billow_parameters(BILLOW_TABLE_DEF, &count);
    add_values(rows, count, "", AT(def), SCENE_EFFECT_REBUILD);
    add_boundaries();
    add_own(&timeline_row, 1);
    scene_table.defaults = scene_default();

    emitter_defaults = billow_default_emitter();
    solid_defaults = billow_default_solid();
    force_defaults = billow_default_force();
    lamp_defaults = render_default_lamp();
    stop_defaults = render_default_stop();
    rows = billow_parameters(BILLOW_TABLE_EMITTER, &count);
    make_entry(&emitter_table, emitter_rows, rows, count, true, SCENE_EFFECT_EMITTERS);
    rows = billow_parameters(BILLOW_TABLE_SOLID, &count);
    make_entry(&solid_table, solid_rows, rows, count, true, SCENE_EFFECT_SOLIDS);
    rows = billow_parameters(BILLOW_TABLE_FORCE, &count);
    make_entry(&force_table, force_rows, rows, count, false, SCENE_EFFECT_FORCES);
    make_entry(&lamp_table, lamp_rows, render_lamp_parameters.rows, render_lamp_parameters.count,
               false, SCENE_EFFECT_PICTURE);
    make_entry(&stop_table, stop_rows, render_stop_parameters.rows, render_stop_parameters.count,
               false, SCENE_EFFECT_PICTURE);
}

static const SceneKeyTable *made(const SceneKeyTable *table)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_tables);
    return table;
}

const SceneKeyTable *scene_keys(void)
{
    return made(&scene_table);
}

const SceneKeyTable *scene_emitter_keys(void)
{
    return made(&emitter_table);
}

const SceneKeyTable *scene_solid_keys(void)
{
    return made(&solid_table);
}

const SceneKeyTable *scene_force_keys(void)
{
    return made(&force_table);
}

const SceneKeyTable *scene_lamp_keys(void)
{
    return made(&lamp_table);
}

const SceneKeyTable *scene_stop_keys(void)
{
    return made(&stop_table);
}

/* -- searching --------------------------------------------------------------------------------- */

const SceneKey *scene_keys_find(const SceneKeyTable *table, const char *path)
{
    for (int row = 0; row < table->count; row++)
        if (strcmp(table->rows[row].path, path) == 0)
            return &table->rows[row];
    return NULL;
}

/* The part of the path after the group and its dot; NULL if the path is not in the group. */
static const char *inside_group(const char *path, const char *group)
{
    size_t length = strlen(group);
    if (length == 0)
        return path;
    return strncmp(path, group, length) == 0 && path[length] == '.' ? path + length + 1 : NULL;
}

bool scene_keys_is_group(const SceneKeyTable *table, const char *path)
{
    for (int row = 0; row < table->count; row++)
        if (inside_group(table->rows[row].path, path) != NULL)
            return true;
    return false;
}

int scene_keys_children(const SceneKeyTable *table, const char *group,
                        char names[][SCENE_KEYS_NAME_SIZE], int capacity)
{
    int count = 0;
    for (int row = 0; row < table->count && count < capacity; row++) {
        const char *rest = inside_group(table->rows[row].path, group);
        if (rest == NULL)
            continue;
        int length = (int)strcspn(rest, ".");
        char name[SCENE_KEYS_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", length, rest);
        /* The rows of a group are contiguous, so a name can only repeat the previous one. */
        if (count == 0 || strcmp(names[count - 1], name) != 0)
            memcpy(names[count++], name, sizeof name);
    }
    return count;
}

const char *scene_keys_last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

bool scene_key_is_text(const SceneKey *key)
{
    return key->type == SCENE_KEY_NAME || key->type == SCENE_KEY_TEXT ||
           key->type == SCENE_KEY_FILE || key->type == SCENE_KEY_FORM_TEXT ||
           key->type == SCENE_KEY_FORM_FONT;
}

const char *scene_keys_present(const SceneKeyTable *table, const char *group, const char *name)
{
    if (table == scene_keys() && strcmp(group, "domain") == 0 && strcmp(name, "borders") == 0)
        return "boundaries";
    for (int row = 0; row < table->count; row++) {
        const SceneKey *key = &table->rows[row];
        const char *rest = inside_group(key->path, group);
        if (rest != NULL && key->former != NULL && strcmp(key->former, name) == 0 &&
            strchr(rest, '.') == NULL)
            return rest;
    }
    return name;
}

const SceneGone *scene_keys_gone(const SceneKeyTable *table, const char *path)
{
    static const char detail_gone[] =
        "smoke.detail is not needed any more and has no effect; domain.refine makes smoke finer";
    static const SceneGone rows[] = {
        {"solver.domain", "follow",
         "solver.domain: follow is not needed any more and has no effect; all cells are simulated"},
        {"smoke.detail", "", detail_gone},
        {"smoke.detail_size", "", detail_gone},
    };
    for (int row = 0; table == scene_keys() && row < COUNT(rows); row++)
        if (strcmp(rows[row].path, path) == 0)
            return &rows[row];
    return NULL;
}

/* -- lists ------------------------------------------------------------------------------------- */

static const SceneList lists[] = {
    {.type = SCENE_KEY_EMITTERS,
     .name = "emitters",
     .entry = "emitter",
     .an_entry = "an emitter",
     .keys = scene_emitter_keys,
     .items = AT(def.emitters),
     .count = AT(def.emitter_count),
     .names = AT(emitter_names),
     .forms = AT(emitter_forms),
     .places = AT(emitter_places),
     .size = sizeof(BillowEmitter),
     .shape = offsetof(BillowEmitter, shape),
     .most = BILLOW_EMITTERS_MAX},
    {.type = SCENE_KEY_SOLIDS,
     .name = "solids",
     .entry = "solid",
     .an_entry = "a solid",
     .keys = scene_solid_keys,
     .items = AT(def.solids),
     .count = AT(def.solid_count),
     .names = AT(solid_names),
     .forms = AT(solid_forms),
     .places = AT(solid_places),
     .size = sizeof(BillowSolid),
     .shape = offsetof(BillowSolid, shape),
     .most = BILLOW_SOLIDS_MAX},
    {.type = SCENE_KEY_FORCES,
     .name = "forces",
     .entry = "force",
     .an_entry = "a force",
     .keys = scene_force_keys,
     .items = AT(def.forces),
     .count = AT(def.force_count),
     .names = AT(force_names),
     .size = sizeof(BillowForce),
     .most = BILLOW_FORCES_MAX},
    {.type = SCENE_KEY_LAMPS,
     .name = "lamps",
     .entry = "lamp",
     .an_entry = "a lamp",
     .keys = scene_lamp_keys,
     .items = AT(render.lamps),
     .count = AT(render.lamp_count),
     .names = AT(lamp_names),
     .size = sizeof(RenderLamp),
     .most = RENDER_LAMPS_MAX},
    {.type = SCENE_KEY_SMOKE_RAMP,
     .name = "smoke.ramp",
     .entry = "stop",
     .an_entry = "a stop",
     .keys = scene_stop_keys,
     .items = AT(render.smoke_ramp.stops),
     .count = AT(render.smoke_ramp.stop_count),
     .size = sizeof(RenderStop),
     .most = RENDER_STOPS_MAX},
    {.type = SCENE_KEY_FIRE_RAMP,
     .name = "fire.ramp",
     .entry = "stop",
     .an_entry = "a stop",
     .keys = scene_stop_keys,
     .items = AT(render.fire_ramp.stops),
     .count = AT(render.fire_ramp.stop_count),
     .size = sizeof(RenderStop),
     .most = RENDER_STOPS_MAX},
};

const SceneList *scene_list_at(int index)
{
    return index < (int)(sizeof lists / sizeof lists[0]) ? &lists[index] : NULL;
}

const SceneList *scene_list_of(SceneKeyType type)
{
    for (int l = 0; scene_list_at(l) != NULL; l++)
        if (lists[l].type == type)
            return &lists[l];
    return NULL;
}

void *scene_list_entry(const SceneList *list, Scene *scene, int index)
{
    return (char *)scene + list->items + (size_t)index * list->size;
}

SceneForm *scene_list_form(const SceneList *list, Scene *scene, int index)
{
    return list->forms != 0 ? (SceneForm *)((char *)scene + list->forms) + index : NULL;
}

ScenePlace *scene_list_place(const SceneList *list, Scene *scene, int index)
{
    return list->forms != 0 ? (ScenePlace *)((char *)scene + list->places) + index : NULL;
}

BillowShape *scene_list_shape(const SceneList *list, void *entry)
{
    return list->forms != 0 ? (BillowShape *)((char *)entry + list->shape) : NULL;
}

void scene_list_reset(const SceneList *list, Scene *scene, int index)
{
    const SceneEntry entry = scene_list_whole(list, scene, index);
    memcpy(entry.values, list->keys()->defaults, list->size);
    if (entry.form != NULL)
        *entry.form = scene_form_default();
    if (entry.name != NULL)
        *entry.name = (SceneName){{0}};
}

SceneEntry scene_list_whole(const SceneList *list, Scene *scene, int index)
{
    return (SceneEntry){
        .values = scene_list_entry(list, scene, index),
        .form = scene_list_form(list, scene, index),
        .name = list->names != 0 ? (SceneName *)((char *)scene + list->names) + index : NULL};
}

void *scene_entry_home(const SceneEntry *entry, const SceneKey *key)
{
    return key->home == SCENE_HOME_FORM   ? (void *)entry->form
           : key->home == SCENE_HOME_NAME ? (void *)entry->name
                                          : entry->values;
}

void scene_list_copy(const SceneList *list, const Scene *from, int index, Scene *to, int to_index,
                     int count)
{
    Scene *source = (Scene *)from; /* only read */
    const SceneEntry old = scene_list_whole(list, source, index),
                     new = scene_list_whole(list, to, to_index);
    const size_t entries = count > 0 ? (size_t)count : 0;
    memmove(new.values, old.values, entries * list->size);
    if (old.name != NULL)
        memmove(new.name, old.name, entries * sizeof *new.name);
    if (old.form == NULL)
        return;
    memmove(new.form, old.form, entries * sizeof *new.form);
    memmove(scene_list_place(list, to, to_index), scene_list_place(list, source, index),
            entries * sizeof(ScenePlace));
}

void scene_list_shown(const SceneList *list, const Scene *scene, int index, char text[SCENE_NAME])
{
    const SceneEntry entry = scene_list_whole(list, (Scene *)scene /* only read */, index);
    const char *word = list->entry;
    if (entry.name != NULL && entry.name->text[0] != '\0') {
        memcpy(text, entry.name->text, SCENE_NAME);
        return;
    }
    if (list->type == SCENE_KEY_FORCES) {
        const SceneKey *kind = scene_keys_find(list->keys(), "kind");
        word = kind->choices[((const BillowForce *)entry.values)->kind];
    }
    snprintf(text, SCENE_NAME, "%s %d", word, index + 1);
}

/* Whether an entry of any list is shown by this name. */
static bool is_taken(const Scene *scene, const char *name)
{
    char shown[SCENE_NAME];
    const SceneList *list;
    for (int l = 0; (list = scene_list_at(l)) != NULL; l++)
        for (int i = 0; i < *scene_list_count(list, (Scene *)scene /* only read */); i++) {
            scene_list_shown(list, scene, i, shown);
            if (strcmp(shown, name) == 0)
                return true;
        }
    return false;
}

void scene_name_new(const Scene *scene, const char *word, SceneName *name)
{
    size_t length = strlen(word);
    if (length > SCENE_NAME - 8) /* room for a number */
        length = SCENE_NAME - 8;
    while (length > 0 && ((unsigned char)word[length] & 0xc0) == 0x80)
        length--;
    snprintf(name->text, sizeof name->text, "%.*s", (int)length, word);
    for (int number = 2; is_taken(scene, name->text); number++)
        snprintf(name->text, sizeof name->text, "%.*s %d", (int)length, word, number);
}

/* The entry that begins the text, as emitters[0] does, and the text behind it and its key. Returns
 * its name, or NULL if the text begins with no entry that has a name. */
static const char *named_entry(const Scene *scene, const char *text, size_t *length)
{
    for (int l = 0; scene_list_at(l) != NULL; l++) {
        const SceneList *list = scene_list_at(l);
        size_t word = strlen(list->name), digits;
        if (list->names == 0 || strncmp(text, list->name, word) != 0 || text[word] != '[')
            continue;
        digits = strspn(text + word + 1, "0123456789");
        if (digits == 0 || digits > 4 || text[word + 1 + digits] != ']')
            continue;
        int index = 0;
        sscanf(text + word + 1, "%4d", &index);
        if (index >= *scene_list_count(list, (Scene *)scene /* only read */))
            return NULL;
        *length = word + digits + 2;
        if (text[*length] == '.' && text[*length + 1] >= 'a' && text[*length + 1] <= 'z')
            *length += 1 + strspn(text + *length + 1, "abcdefghijklmnopqrstuvwxyz_");
        const char *name = scene_list_whole(list, (Scene *)scene, index).name->text;
        return name[0] != '\0' ? name : NULL;
    }
    return NULL;
}

void scene_list_tell(const Scene *scene, const char *message, char *text, size_t size)
{
    size_t at = 0, length;
    while (*message != '\0' && at + 1 < size) {
        const char *name = named_entry(scene, message, &length);
        if (name == NULL) {
            text[at++] = *message++;
            continue;
        }
        int added = snprintf(text + at, size - at, "%.*s (%s)", (int)length, message, name);
        at += (size_t)added < size - at ? (size_t)added : size - at - 1;
        message += length;
    }
    text[at] = '\0';
}

int *scene_list_count(const SceneList *list, Scene *scene)
{
    return (int *)((char *)scene + list->count);
}

/* -- the reference of all keys --------------------------------------------------------------------
 */

static const char *const kinds[] = {
    [SCENE_KEY_FLOAT] = "number",
    [SCENE_KEY_DOUBLE] = "number",
    [SCENE_KEY_INT] = "whole number",
    [SCENE_KEY_SEED] = "whole number",
    [SCENE_KEY_BOOL] = "switch",
    [SCENE_KEY_CHOICE] = "word",
    [SCENE_KEY_VECTOR] = "[x, y, z]",
    [SCENE_KEY_SIZE] = "number or [x, y, z]",
    [SCENE_KEY_COLOR] = "[r, g, b]",
    [SCENE_KEY_ROTATION] = "[x, y, z, degrees]",
    [SCENE_KEY_CELLS] = "whole number or [nx, ny, nz]",
    [SCENE_KEY_NAME] = "word of letters, digits, '-' and '_'",
    [SCENE_KEY_TEXT] = "line of text",
    [SCENE_KEY_FILE] = "file",
    [SCENE_KEY_FORM_TEXT] = "line of text",
    [SCENE_KEY_FORM_FONT] = "line of text",
    [SCENE_KEY_EMITTER] = "emitter",
    [SCENE_KEY_EMITTERS] = "list of emitters",
    [SCENE_KEY_SOLIDS] = "list of solids",
    [SCENE_KEY_FORCES] = "list of forces",
    [SCENE_KEY_LAMPS] = "list of lamps",
    [SCENE_KEY_SMOKE_RAMP] = "list of stops or word",
    [SCENE_KEY_FIRE_RAMP] = "list of stops or word",
    [SCENE_KEY_TIMELINE] = "list of tracks",
};

/* Formats the default of a key; false: it has none. allowed: receives its values, or how many
 * entries a list may have, or "". */
static bool format_default(const SceneKey *key, const void *defaults, char *value, size_t size,
                           char allowed[160])
{
    SceneForm form = scene_form_default();
    SceneName name = {{0}};
    const SceneEntry entry = {(void *)defaults /* only read */, &form, &name};
    bool known = scene_keys_format(key, scene_entry_home(&entry, key), value, size);
    allowed[0] = '\0';
    if (known)
        scene_keys_allowed(key, allowed, 160);
    else if (key->maximum > 0 && !scene_key_is_text(key))
        number_print(allowed, 160, "at most %.0f", key->maximum);
    return known;
}

static void print_text(FILE *file, const SceneKey *key, const void *defaults)
{
    char value[512], allowed[160];
    bool known = format_default(key, defaults, value, sizeof value, allowed);
    fprintf(file, "%s: %s%s%s", key->path, kinds[key->type], allowed[0] != '\0' ? ", " : "",
            allowed);
    if (known)
        fprintf(file, "; default %s", value);
    bool rebuild = key->effect == SCENE_EFFECT_REBUILD;
    fprintf(file, "\n    %s%s\n", key->doc, rebuild ? " (rebuilds)" : "");
}

/* Prints a cell of a Markdown table and escapes each '|' in it. */
static void print_cell(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        fprintf(file, *c == '|' ? "\\|" : "%c", *c);
}

static void print_markdown(FILE *file, const SceneKey *key, const void *defaults)
{
    char value[512], allowed[160];
    bool known = format_default(key, defaults, value, sizeof value, allowed);
    fprintf(file, "| `%s` | %s | ", key->path, kinds[key->type]);
    print_cell(file, allowed);
    fprintf(file, known ? " | `%s` | " : " | %s | ", known ? value : "");
    print_cell(file, key->doc);
    fprintf(file, "%s |\n", key->effect == SCENE_EFFECT_REBUILD ? " *(rebuilds)*" : "");
}

void scene_print_keys(FILE *file, bool markdown)
{
    const struct {
        const char *title, *intro;
        const SceneKeyTable *table;
    } parts[] = {
        {"Scene",
         "Keys of a scene file. A dot steps into a group: solver.vorticity is the key\n"
         "vorticity inside solver. Every key may be left out; numbers include their limits.\n"
         "When a scene that the window plays is saved again, a change of a key marked\n"
         "(rebuilds) starts the simulation again; all other keys change while it runs.",
         scene_keys()},
        {"Emitter",
         "Keys of an emitter (each entry of emitters, brush, detonation; for --set:\n"
         "emitters[0].smoke, brush.smoke). brush and detonation have defaults of their own.",
         scene_emitter_keys()},
        {"Solid", "Keys of a solid (each entry of solids; for --set: solids[0].center).",
         scene_solid_keys()},
        {"Force", "Keys of a force (each entry of forces; for --set: forces[0].strength).",
         scene_force_keys()},
        {"Lamp", "Keys of a lamp (each entry of lamps; for --set: lamps[0].intensity).",
         scene_lamp_keys()},
        {"Stop",
         "Keys of a stop of a colour ramp (each entry of smoke.ramp and fire.ramp; for --set:\n"
         "smoke.ramp[0].color).",
         scene_stop_keys()},
    };
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        const SceneKeyTable *table = parts[part].table;
        fputs(part > 0 ? "\n" : "", file);
        if (markdown)
            fprintf(file, "### %s\n\n", parts[part].title);
        fprintf(file, "%s\n\n", parts[part].intro);
        if (markdown)
            fputs("| key | kind | allowed | default | meaning |\n|---|---|---|---|---|\n", file);
        for (int row = 0; row < table->count; row++)
            (markdown ? print_markdown : print_text)(file, &table->rows[row], table->defaults);
    }
}
