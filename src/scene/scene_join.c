/* SPDX-License-Identifier: MIT */
#include "scene/scene_join.h"

#include "base/fail.h"
#include "io/gltf_file.h"
#include "io/panorama_file.h"
#include "io/particle_file.h"
#include "io/paths.h"
#include "io/vdb_file.h"
#include "scene/scene_form.h"
#include "scene/scene_initial.h"
#include "scene/scene_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lengths of a file's longest edge, in shortest edges of the box: from LEAST to MOST it keeps its
 * own size, otherwise it gets the size USUAL. */
#define LEAST 0.08f
#define MOST  0.7f
#define USUAL (1.0f / 3)
/* Rates of an emitter where the scene's brush releases nothing, 1/s and K/s. */
#define SMOKE_RATE 6.0f
#define HEAT_RATE  80.0f
/* Radius of particles that have none, in longest edges of what all of them fill. */
#define PARTICLE_RADIUS 0.02f

bool scene_join_is_mesh(const char *path)
{
    return paths_end_in(path, ".obj") || paths_end_in(path, ".stl") || gltf_file_is(path);
}

bool scene_join_is_volume(const char *path)
{
    return paths_end_in(path, ".vdb");
}

bool scene_join_is_particles(const char *path)
{
    return paths_end_in(path, ".csv") || paths_end_in(path, ".npz");
}

bool scene_join_is_panorama(const char *path)
{
    return paths_end_in(path, ".hdr") || paths_end_in(path, ".exr");
}

/* Passes on a reason, with the file's name in place of its path. */
static bool refuse(const char *path, const BillowError *reason, BillowError *error)
{
    const char *name = paths_last_part(path);
    const size_t length = strlen(path);
    if (strncmp(reason->text, path, length) == 0)
        return fail(error, "%.150s%s", name, reason->text + length);
    return fail(error, "%.150s: %.300s", name, reason->text);
}

/* -- the box ----------------------------------------------------------------------------------- */

typedef struct Box {
    float low[3], high[3], shortest; /* m */
    float cell;
    bool floor;
} Box;

static Box box_of(const Scene *scene)
{
    const BillowDef def = scene_def(scene);
    const int cells[3] = {def.nx, def.ny, def.nz};
    Box box = {.shortest = INFINITY,
               .cell = def.cell_size,
               .floor = scene->def.faces[BILLOW_FLOOR] == BILLOW_CLOSED};
    for (int a = 0; a < 3; a++) {
        float edge = (float)cells[a] * def.cell_size;
        box.low[a] = def.origin[a];
        box.high[a] = def.origin[a] + edge;
        box.shortest = fminf(box.shortest, edge);
    }
    return box;
}

/* The factor on the file's lengths. longest: its longest edge, m. */
static float fitting_scale(const Box *box, float longest, bool *scaled)
{
    *scaled = longest < LEAST * box->shortest || longest > MOST * box->shortest;
    return *scaled ? USUAL * box->shortest / longest : 1;
}

/* Computes the centre of a body with these half edges at the spot. */
static void place(const Box *box, const SceneSpot *spot, const float half[3], float center[3])
{
    for (int a = 0; a < 3; a++)
        center[a] = spot->point[a];
    if (box->floor || spot->on_solid)
        center[1] = (spot->on_solid ? spot->point[1] : box->low[1]) + half[1];
    for (int a = 0; a < 3; a++)
        center[a] = fminf(fmaxf(center[a], box->low[a] + half[a]), box->high[a] - half[a]);
}

/* -- meshes ------------------------------------------------------------------------------------ */

/* STL files are those of machines and printers, in which z points up. */
static void turn_upright(const char *path, float rotation[4])
{
    const float quarter = 0.70710678f;
    if (!paths_end_in(path, ".stl"))
        return;
    const float around_x[4] = {-quarter, 0, 0, quarter};
    memcpy(rotation, around_x, sizeof around_x);
}

/* Reads the edges of a mesh as it stands, m. */
static bool measure_mesh(const char *path, float edges[3], BillowError *error)
{
    MeshFile file;
    BillowError reason;
    float low[3], high[3];
    if (!mesh_file_load(path, &file, &reason))
        return refuse(path, &reason, error);
    const BillowMesh mesh = scene_mesh_of(&file);
    billow_mesh_bounds(&mesh, low, high);
    bool good = scene_mesh_check(&file, &reason) || refuse(path, &reason, error);
    mesh_file_free(&file);
    bool z_up = paths_end_in(path, ".stl");
    for (int a = 0; a < 3; a++)
        edges[a] = high[a] - low[a];
    if (z_up) {
        const float up = edges[2];
        edges[2] = edges[1];
        edges[1] = up;
    }
    return good;
}

/* How deep the solids reach into the shape of a body, m; negative: so far are they away. */
static double depth_of(const BillowSolid *body, const SceneSpot *spot)
{
    enum { ACROSS = 40 };
    const BillowVolume *volume = body->volume;
    const double q[4] = {(double)body->rotation[0], (double)body->rotation[1],
                         (double)body->rotation[2], (double)body->rotation[3]};
    const int n[3] = {volume->nx, volume->ny, volume->nz};
    double deepest = -HUGE_VAL;
    int stride[3];
    for (int a = 0; a < 3; a++)
        stride[a] = n[a] > ACROSS ? n[a] / ACROSS : 1;
    for (int k = 0; k < n[2]; k += stride[2])
        for (int j = 0; j < n[1]; j += stride[1])
            for (int i = 0; i < n[0]; i += stride[0]) {
                const int at[3] = {i, j, k};
                double own[3], point[3];
                if (volume->distance[((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] +
                                     (size_t)i] > 0)
                    continue;
                for (int a = 0; a < 3; a++)
                    own[a] = (double)body->size[0] *
                             ((double)volume->low[a] + at[a] * (double)volume->spacing);
                scene_frame_turn(q, own, point);
                for (int a = 0; a < 3; a++)
                    point[a] += (double)body->center[a];
                for (int s = 0; s < spot->solid_count; s++)
                    deepest = fmax(deepest, -billow_solid_distance(&spot->solids[s], point));
            }
    return deepest;
}

/* Lifts a body until it stands above the solids in its way. Returns false if it then would leave
 * the box. */
static bool lift(const Box *box, const SceneSpot *spot, float half_height, BillowSolid *body)
{
    enum { LIFTS = 64 }; /* a higher pile would take too long to search */
    const double allowed = 0.2 * (double)box->cell;
    int lifts = 0;
    for (double depth = depth_of(body, spot); depth > allowed; depth = depth_of(body, spot)) {
        if (++lifts > LIFTS)
            return false;
        body->center[1] += (float)fmax(depth - 0.5 * allowed, 0.25 * (double)box->cell);
        if (body->center[1] + half_height > box->high[1] + 1e-4f * box->shortest)
            return false;
    }
    return true;
}

/* Lets the new solid stand on those in its way. */
static bool settle(const Scene *scene, const Box *box, const SceneSpot *spot, const float half[3],
                   const SceneForm *form, BillowSolid *body, BillowError *error)
{
    BillowVolume volume = {.distance = NULL};
    const BillowDef def = scene_def(scene);
    const SceneBody of = {paths_last_part(form->mesh), form, body->size[0], body->rotation,
                          body->center};
    if (spot->solid_count == 0)
        return true;
    if (!scene_form_make(&of, &def, &volume, error))
        return false;
    body->volume = &volume;
    bool lifted = lift(box, spot, half[1], body);
    body->volume = NULL;
    scene_form_free(&volume);
    return lifted || fail(error, "%.150s: there is no room for it above the solids here",
                          paths_last_part(form->mesh));
}

/* -- entries ----------------------------------------------------------------------------------- */

/* What an emitter of a file's shape releases: as the scene's brush, at rest. */
static void fill_emitter(const Scene *scene, BillowEmitter *emitter)
{
    const BillowEmitter *brush = &scene->brush;
    const bool any = brush->smoke > 0 || brush->fuel > 0;
    emitter->smoke = any ? brush->smoke : SMOKE_RATE;
    emitter->heat = any ? brush->heat : HEAT_RATE;
    emitter->fuel = scene->def.fire ? brush->fuel : 0;
    emitter->noise = brush->noise;
    emitter->noise_scale = brush->noise_scale;
    if (scene->def.color) {
        memcpy(emitter->color, brush->color, sizeof emitter->color);
        emitter->hue_speed = brush->hue_speed;
    }
}

/* Names an entry after its file, without what a name in `--set` cannot have. */
static void name_entry(const SceneList *list, Scene *scene, int index, const char *path)
{
    const char *file = paths_last_part(path), *dot = strrchr(file, '.');
    char stem[SCENE_NAME];
    int length = 0;
    for (; file + length < dot && length + 1 < (int)sizeof stem; length++) {
        const unsigned char c = (unsigned char)file[length];
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == ' ';
        stem[length] = plain ? (char)c : '_';
    }
    stem[length] = '\0';
    SceneName made; /* apart, because the entry is one of the scene's already */
    scene_name_new(scene, strspn(stem, "0123456789 ") < strlen(stem) ? stem : list->entry, &made);
    *scene_list_whole(list, scene, index).name = made;
}

/* Adds an entry with default values and a form, named after the file. Returns NULL if the list is
 * full. */
static SceneForm *add_entry(Scene *scene, SceneKeyType type, const char *path, SceneJoined *joined,
                            BillowError *error)
{
    const SceneList *list = scene_list_of(type);
    int *count = scene_list_count(list, scene);
    if (*count >= list->most) {
        fail(error, "there are already %d %s, and a scene can have no more", *count, list->name);
        return NULL;
    }
    const int index = (*count)++;
    scene_list_reset(list, scene, index);
    name_entry(list, scene, index, path);
    *scene_list_place(list, scene, index) = (ScenePlace){0, 0};
    *scene_list_shape(list, scene_list_entry(list, scene, index)) = BILLOW_VOLUME;
    joined->list = list->name;
    return scene_list_form(list, scene, index);
}

/* Gives the last entry its place. size: size[0] of the entry. */
static void place_entry(Scene *scene, bool emits, float size, const float center[3],
                        const float rotation[4])
{
    BillowEmitter *emitter = &scene->def.emitters[emits ? scene->def.emitter_count - 1 : 0];
    BillowSolid *solid = &scene->def.solids[emits ? 0 : scene->def.solid_count - 1];
    float *sizes = emits ? emitter->size : solid->size;
    sizes[0] = size;
    memcpy(emits ? emitter->center : solid->center, center, 3 * sizeof(float));
    memcpy(emits ? emitter->rotation : solid->rotation, rotation, 4 * sizeof(float));
    if (emits)
        fill_emitter(scene, emitter);
}

static bool join_mesh(Scene *scene, const char *path, bool emits, const SceneSpot *spot,
                      SceneJoined *joined, BillowError *error)
{
    const Box box = box_of(scene);
    float edges[3], half[3], rotation[4] = {0, 0, 0, 1};
    if (!measure_mesh(path, edges, error))
        return false;
    const float longest = fmaxf(edges[0], fmaxf(edges[1], edges[2]));
    const float scale = fitting_scale(&box, longest, &joined->scaled);
    joined->longest = scale * longest;
    for (int a = 0; a < 3; a++)
        half[a] = 0.5f * scale * edges[a];
    place(&box, spot, half, joined->center);
    turn_upright(path, rotation);
    SceneForm *form =
        add_entry(scene, emits ? SCENE_KEY_EMITTERS : SCENE_KEY_SOLIDS, path, joined, error);
    if (form == NULL)
        return false;
    snprintf(form->mesh, sizeof form->mesh, "%s", path);
    form->moves = gltf_file_moves(path);
    place_entry(scene, emits, 0.5f * joined->longest, joined->center, rotation);
    if (emits)
        return true;
    BillowSolid *solid = &scene->def.solids[scene->def.solid_count - 1];
    if (!settle(scene, &box, spot, half, form, solid, error))
        return false;
    memcpy(joined->center, solid->center, sizeof joined->center);
    return true;
}

/* -- volumes ----------------------------------------------------------------------------------- */

/* What a .vdb file holds. */
typedef struct Volume {
    char grid[64];
    bool level_set;
    SceneUp up;
    float low[3], high[3]; /* with the axes of a scene, m */
} Volume;

static bool find_grid(const VdbFile *file, Volume *volume, VdbGrid *grid, BillowError *error)
{
    char names[ISOLATED_NAMES];
    if (vdb_file_find(file, scene_form_default().grid, true, volume->grid, grid)) {
        volume->level_set = grid->distances != 0;
        return true;
    }
    vdb_file_names(file, names, sizeof names);
    return fail(error,
                "it has no field of numbers that is called density, or is the only one; its "
                "grids are: %.200s",
                names);
}

static bool measure_volume(const char *path, Volume *volume, BillowError *error)
{
    VdbGrid grid;
    VolumeUp stated;
    BillowError reason;
    VdbFile *file = vdb_file_open(path, NULL, &reason);
    if (file == NULL)
        return refuse(path, &reason, error);
    *volume = (Volume){.up = scene_default()->initial.up};
    bool good = find_grid(file, volume, &grid, &reason);
    if (good && vdb_file_up(file, &stated))
        volume->up = stated == VOLUME_UP_Z ? SCENE_UP_Z : SCENE_UP_Y;
    vdb_file_close(file);
    if (good) {
        const SceneFrame frame = {.scale = 1, .rotation = {0, 0, 0, 1}, .up = volume->up};
        double one[3], other[3];
        scene_frame_from_file(&frame, grid.low, one);
        scene_frame_from_file(&frame, grid.high, other);
        for (int a = 0; a < 3; a++) {
            volume->low[a] = (float)fmin(one[a], other[a]);
            volume->high[a] = (float)fmax(one[a], other[a]);
            good = good && isfinite(volume->low[a]) && isfinite(volume->high[a]);
        }
        good = good && volume->high[0] > volume->low[0] ? true : fail(&reason, "it is empty");
    }
    return good || refuse(path, &reason, error);
}

static bool join_volume(Scene *scene, const char *path, bool emits, const SceneSpot *spot,
                        SceneJoined *joined, BillowError *error)
{
    const Box box = box_of(scene);
    const float upright[4] = {0, 0, 0, 1};
    Volume volume;
    float half[3], origin[3], longest = 0;
    if (!measure_volume(path, &volume, error))
        return false;
    for (int a = 0; a < 3; a++)
        longest = fmaxf(longest, volume.high[a] - volume.low[a]);
    const float scale = fitting_scale(&box, longest, &joined->scaled);
    joined->longest = scale * longest;
    for (int a = 0; a < 3; a++)
        half[a] = 0.5f * scale * (volume.high[a] - volume.low[a]);
    place(&box, spot, half, joined->center);
    for (int a = 0; a < 3; a++)
        origin[a] = joined->center[a] - 0.5f * scale * (volume.low[a] + volume.high[a]);
    if (!emits && !volume.level_set) {
        SceneInitial *initial = &scene->initial;
        *initial = scene_default()->initial;
        snprintf(initial->vdb, sizeof initial->vdb, "%s", path);
        memcpy(initial->center, origin, sizeof origin);
        initial->scale = scale;
        initial->up = volume.up;
        return true;
    }
    SceneForm *form =
        add_entry(scene, emits ? SCENE_KEY_EMITTERS : SCENE_KEY_SOLIDS, path, joined, error);
    if (form == NULL)
        return false;
    snprintf(form->vdb, sizeof form->vdb, "%s", path);
    snprintf(form->grid, sizeof form->grid, "%s", volume.grid);
    form->up = volume.up;
    place_entry(scene, emits, scale, origin, upright);
    return true;
}

/* -- particles --------------------------------------------------------------------------------- */

/* Measures the box of the places of all times, with the axes of a scene, m. */
static bool measure_particles(const char *path, SceneUp up, float low[3], float high[3],
                              bool *radii, BillowError *error)
{
    ParticleFile file = {.particles = NULL};
    BillowError reason;
    const SceneFrame frame = {.scale = 1, .rotation = {0, 0, 0, 1}, .up = up};
    if (!particle_file_load(path, &file, &reason))
        return refuse(path, &reason, error);
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    for (int p = 0; p < file.count; p++) {
        double at[3];
        scene_frame_from_file(&frame, file.particles[p].place, at);
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], (float)(at[a] - file.particles[p].radius));
            high[a] = fmaxf(high[a], (float)(at[a] + file.particles[p].radius));
        }
    }
    *radii = file.radii;
    const bool good = file.count > 0 || fail(&reason, "it holds no particles");
    particle_file_free(&file);
    return good || refuse(path, &reason, error);
}

static bool join_particles(Scene *scene, const char *path, const SceneSpot *spot,
                           SceneJoined *joined, BillowError *error)
{
    const Box box = box_of(scene);
    const SceneForm usual = scene_form_default();
    const float upright[4] = {0, 0, 0, 1};
    float low[3], high[3], half[3], origin[3], longest = 0;
    bool radii = false;
    if (!measure_particles(path, usual.up, low, high, &radii, error))
        return false;
    for (int a = 0; a < 3; a++)
        longest = fmaxf(longest, high[a] - low[a]);
    longest = longest > 0 ? longest : box.cell; /* one particle without a radius */
    const float scale = fitting_scale(&box, longest, &joined->scaled);
    joined->longest = scale * longest;
    for (int a = 0; a < 3; a++)
        half[a] = 0.5f * scale * (high[a] - low[a]);
    place(&box, spot, half, joined->center);
    for (int a = 0; a < 3; a++)
        origin[a] = joined->center[a] - 0.5f * scale * (low[a] + high[a]);
    SceneForm *form = add_entry(scene, SCENE_KEY_EMITTERS, path, joined, error);
    if (form == NULL)
        return false;
    snprintf(form->particles, sizeof form->particles, "%s", path);
    form->particle_radius = radii ? 0 : PARTICLE_RADIUS * longest;
    place_entry(scene, true, scale, origin, upright);
    return true;
}

/* -- light ------------------------------------------------------------------------------------- */

static bool join_panorama(Scene *scene, const char *path, BillowError *error)
{
    PanoramaFile panorama = {0};
    BillowError reason;
    RenderSurroundings *around = &scene->render.surroundings;
    bool good = panorama_file_load(path, &panorama, &reason);
    panorama_file_free(&panorama);
    if (!good)
        return refuse(path, &reason, error);
    around->kind = RENDER_PANORAMA;
    snprintf(around->file, sizeof around->file, "%s", path);
    return true;
}

/* Whether a scene can hold the path. */
static bool is_plain(const char *path)
{
    for (const char *c = path; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return true;
}

bool scene_join(Scene *scene, const char *path, bool emits, const SceneSpot *spot,
                SceneJoined *joined, BillowError *error)
{
    Scene changed = *scene;
    *joined = (SceneJoined){.list = NULL};
    if (strlen(path) >= SCENE_PATH)
        return fail(error, "%.150s: lies in folders whose names are too long",
                    paths_last_part(path));
    if (!is_plain(path))
        return fail(error, "its path has characters that a scene cannot hold");
    const bool good =
        scene_join_is_panorama(path)    ? join_panorama(&changed, path, error)
        : scene_join_is_volume(path)    ? join_volume(&changed, path, emits, spot, joined, error)
        : scene_join_is_particles(path) ? join_particles(&changed, path, spot, joined, error)
                                        : join_mesh(&changed, path, emits, spot, joined, error);
    if (good)
        *scene = changed;
    return good;
}
