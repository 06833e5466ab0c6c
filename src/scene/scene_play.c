/* SPDX-License-Identifier: MIT */
#include "scene/scene_play.h"

#include "base/fail.h"
#include "base/mathematics.h"
#include "io/font.h"
#include "io/gltf_file.h"
#include "io/panorama_file.h"
#include "mpi/cluster.h"
#include "scene/scene_check.h"
#include "scene/scene_initial.h"
#include "scene/scene_reel.h"
#include "scene/scene_timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A distance volume and the form that it was made from. */
typedef struct Made {
    BillowVolume volume;
    SceneForm form;
    float size, cell;
    SceneReel *reel;   /* NULL: the volume is constant and in `volume` */
    ReelPose from, to; /* of the reel, at the beginning and the end of the step */
    bool given; /* whether the volume came from a checkpoint; it is then not made from a file */
} Made;

struct ScenePlay {
    Made made[SCENE_SHAPES];           /* in the order of scene_play_shapes */
    Scene scene;                       /* the scene at the current time */
    double now[SCENE_TRACKS_MAX][4];   /* current values of each track's key; NaN: none yet */
    unsigned keyed[BILLOW_SOLIDS_MAX]; /* SCENE_SOLID_* bits of the keys of each solid that have
                                          tracks */
    bool any_keyed;
    bool any_reel;
    bool resumed;       /* whether the volumes are those of a checkpoint */
    SceneFields fields; /* the smoke at the start */
};

/* Fails with the reason after the scene's file name and, if known, the entry's position in the
 * file. The reason names the entries that have names. */
static bool blame(const Scene *scene, const ScenePlace *place, const BillowError *reason,
                  BillowError *error)
{
    char text[sizeof reason->text];
    scene_list_tell(scene, reason->text, text, sizeof text);
    if (place != NULL && place->line > 0)
        return fail(error, "%s:%d:%d: %s", scene->file, place->line, place->column, text);
    return fail(error, "%s: %s", scene->file, text);
}

static bool same_form(const SceneForm *a, const SceneForm *b)
{
    return strcmp(a->mesh, b->mesh) == 0 && strcmp(a->text, b->text) == 0 &&
           strcmp(a->font, b->font) == 0 && strcmp(a->vdb, b->vdb) == 0 &&
           strcmp(a->particles, b->particles) == 0;
}

static bool is_of_file(const SceneForm *form)
{
    return form->mesh[0] != '\0' || lettering_font_is_file(form->font);
}

/* Whether an entry of a checkpoint can only use the checkpoint's volume, also on other cells. This
 * holds if the entry has no other volume, or if its mesh or font file may be missing. */
static bool is_bound(const Made *before, const Made *made)
{
    return before->volume.distance == NULL ||
           (is_of_file(&before->form) && same_form(&before->form, &made->form));
}

/* Makes an entry's volume. before: the entry's previous volume, or NULL. */
static bool make_volume(const SceneBody *body, const BillowDef *def, const Made *before, bool solid,
                        double step, Made *made, BillowError *error)
{
    made->form = *body->form;
    if (scene_form_is_reel(body->form)) {
        made->reel = scene_reel_open(body, def, solid, step, error);
        return made->reel != NULL;
    }
    made->size = body->size;
    made->cell = def->cell_size;
    bool stays = before != NULL && before->volume.distance != NULL &&
                 same_form(&before->form, &made->form) && before->size == made->size &&
                 (before->cell == made->cell || (before->given && is_of_file(&before->form)));
    made->given = stays && before->given;
    if (stays)
        made->cell = before->cell;
    if (!stays && before != NULL && before->given && before->volume.distance == NULL &&
        made->form.mesh[0] != '\0')
        return fail(error,
                    "%s: put %.200s back: it is missing, or no longer moves as when the "
                    "checkpoint was written",
                    body->label, made->form.mesh);
    if (!stays && before != NULL && before->given && is_bound(before, made))
        return fail(error, "%s: no shape was stored for it, or a shape of another size",
                    body->label);
    return stays ? scene_form_copy(body, def, &before->volume, &made->volume, error)
                 : scene_form_make(body, def, &made->volume, error);
}

static const BillowVolume *volume_of(const Made *made)
{
    return made->reel != NULL ? scene_reel_volume(made->reel) : &made->volume;
}

/* The entries of a scene by their index among all shapes. */
static const ScenePlace *place_of(const Scene *scene, int index)
{
    return index < BILLOW_EMITTERS_MAX ? &scene->emitter_places[index]
                                       : &scene->solid_places[index - BILLOW_EMITTERS_MAX];
}

/* Makes the volume of the entry of that index among all shapes, if its shape is one. */
static bool make_entry(ScenePlay *play, const ScenePlay *before, const Scene *scene, BillowDef *def,
                       int index, BillowError *error)
{
    const bool emits = index < BILLOW_EMITTERS_MAX;
    const int e = emits ? index : index - BILLOW_EMITTERS_MAX;
    BillowEmitter *emitter = &def->emitters[emits ? e : 0];
    BillowSolid *solid = &def->solids[emits ? 0 : e];
    if (e >= (emits ? def->emitter_count : def->solid_count) ||
        (emits ? emitter->shape : solid->shape) != BILLOW_VOLUME)
        return true;
    BillowError reason;
    char label[32];
    snprintf(label, sizeof label, emits ? "emitters[%d]" : "solids[%d]", e);
    const SceneBody body = {
        label, scene_form_of(scene, index), emits ? emitter->size[0] : solid->size[0],
        emits ? emitter->rotation : solid->rotation, emits ? emitter->center : solid->center};
    Made *made = &play->made[index];
    if (!make_volume(&body, def, before != NULL ? &before->made[index] : NULL, !emits,
                     (double)scene->step, made, &reason))
        return blame(scene, place_of(scene, index), &reason, error);
    *(emits ? &emitter->volume : &solid->volume) = volume_of(made);
    return true;
}

/* Sets the keys whose values have changed. *changed: whether a key changed that does not move a
 * solid or set its temperature. A solid's position and rotation are those at the end of the step;
 * its velocity, spin and temperature are those at the middle. All other values are those at the
 * beginning. */
static bool move_to(ScenePlay *play, double begin, double step, bool *changed, BillowError *error)
{
    *changed = false;
    for (int t = 0; t < play->scene.track_count; t++) {
        const SceneTrack *track = &play->scene.tracks[t];
        double now[4];
        int solid;
        unsigned key = scene_timeline_solid(track->key, &solid);
        double time = begin + (key & SCENE_SOLID_PATH ? step : key != 0 ? 0.5 * step : 0);
        scene_track_values(track, time, now);
        if (memcmp(now, play->now[t], sizeof now) == 0)
            continue;
        BillowError reason;
        if (!scene_timeline_set(track, now, &play->scene, &reason))
            return fail(error, "timeline at %g s: %.400s", time, reason.text);
        memcpy(play->now[t], now, sizeof now);
        *changed = *changed || key == 0;
    }
    return true;
}

/* The product of two quaternions (x, y, z, w). */
static void multiply(const double a[4], const double b[4], double product[4])
{
    for (int axis = 0; axis < 3; axis++) {
        int n = (axis + 1) % 3, m = (axis + 2) % 3;
        product[axis] = a[3] * b[axis] + b[3] * a[axis] + a[n] * b[m] - a[m] * b[n];
    }
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Moves a place and a rotation from those of the first frame to those of a pose. */
static void pose(const ReelPose *pose, float center[3], float rotation[4])
{
    SceneFrame frame = {.scale = 1, .up = SCENE_UP_Y};
    double offset[3];
    memcpy(frame.rotation, rotation, sizeof frame.rotation);
    scene_frame_from_file(&frame, pose->offset, offset);
    for (int axis = 0; axis < 3; axis++)
        center[axis] = (float)((double)center[axis] + offset[axis]);
    if (pose->turn[3] < 1) {
        double first[4], turned[4];
        for (int part = 0; part < 4; part++)
            first[part] = (double)frame.rotation[part];
        multiply(first, pose->turn, turned);
        for (int part = 0; part < 4; part++)
            rotation[part] = (float)turned[part];
    }
}

/* Gives the emitters of a definition their volumes at the current time. */
static void place_emitters(const ScenePlay *play, BillowDef *def)
{
    for (int e = 0; e < def->emitter_count; e++) {
        BillowEmitter *emitter = &def->emitters[e];
        if (emitter->shape != BILLOW_VOLUME)
            continue;
        emitter->volume = volume_of(&play->made[e]);
        if (play->made[e].reel != NULL)
            pose(&play->made[e].from, emitter->center, emitter->rotation);
    }
}

static bool check_bodies(const Scene *scene, const BillowDef *def, BillowError *error)
{
    BillowError reason;
    int emitter = billow_buried(def, &reason);
    if (emitter >= 0)
        return blame(scene, &scene->emitter_places[emitter], &reason, error);
    int side = billow_shut(def, &reason);
    return side < 0 || blame(scene, &scene->face_places[side], &reason, error);
}

/* Sets the velocity that moves a solid to a place in one step. A component is 0 if the solid is
 * already there on that axis, within rounding. */
static void follow(BillowSolid *solid, const float place[3], double cell, double step)
{
    for (int axis = 0; axis < 3; axis++) {
        double way = (double)place[axis] - (double)solid->center[axis];
        solid->velocity[axis] = fabs(way) > 1e-6 * cell ? (float)(way / step) : 0;
    }
}

/* Sets the spin that turns a solid to the rotation `to` in one step, along the shorter arc. With
 * the quaternion t = to from^-1 = (v, w), the angle is 2 atan(|v| / w) around the axis v. */
static void turn_to(BillowSolid *solid, const float to[4], double step)
{
    double a[4], b[4], turn[4];
    for (int c = 0; c < 4; c++) {
        a[c] = (double)to[c];
        b[c] = (double)solid->rotation[c] * (c < 3 ? -1 : 1);
    }
    multiply(a, b, turn);
    double rest = turn[3];
    double sine = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
    double angle = 2 * math_atan2(sine, fabs(rest)) * (rest < 0 ? -1 : 1);
    for (int axis = 0; axis < 3; axis++)
        solid->spin[axis] = sine > 1e-6 ? (float)(turn[axis] / sine * angle / step) : 0;
}

/* Moves a solid of numbered files for one step, at the velocity and spin that bring it to its place
 * at the end. It is put where the step begins if it is more than a hundredth of a cell from there,
 * as when an interval between frames begins that has another centre. */
static void follow_reel(const Made *made, const BillowSolid *still, double cell, double step,
                        BillowSolid *solid)
{
    BillowSolid from = *still, to = *still;
    double way = 0, turn = 0;
    pose(&made->from, from.center, from.rotation);
    pose(&made->to, to.center, to.rotation);
    for (int axis = 0; axis < 3; axis++)
        way = fmax(way, fabs((double)from.center[axis] - (double)solid->center[axis]));
    for (int part = 0; part < 4; part++)
        turn += (double)from.rotation[part] * (double)solid->rotation[part];
    if (way > 0.01 * cell || fabs(turn) < 1 - 1e-6) {
        memcpy(solid->center, from.center, sizeof solid->center);
        memcpy(solid->rotation, from.rotation, sizeof solid->rotation);
    }
    solid->volume = volume_of(made);
    follow(solid, to.center, cell, step);
    turn_to(solid, to.rotation, step);
}

/* Applies the timeline to a solid for one step. */
static void drive(const ScenePlay *play, int index, double cell, double step, BillowSolid *solid)
{
    const BillowSolid *then = &play->scene.def.solids[index];
    unsigned keyed = play->keyed[index];
    if (keyed & SCENE_SOLID_CENTER)
        follow(solid, then->center, cell, step);
    if (keyed & SCENE_SOLID_ROTATION)
        turn_to(solid, then->rotation, step);
    if (keyed & SCENE_SOLID_VELOCITY)
        memcpy(solid->velocity, then->velocity, sizeof solid->velocity);
    if (keyed & SCENE_SOLID_SPIN)
        memcpy(solid->spin, then->spin, sizeof solid->spin);
    if (keyed & SCENE_SOLID_TEMPERATURE)
        solid->temperature = then->temperature;
}

static bool drive_all(const ScenePlay *play, BillowSim *sim, double step, BillowError *error)
{
    BillowSolid solids[BILLOW_SOLIDS_MAX];
    double cell = (double)billow_view(sim).cell_size;
    int count = play->scene.def.solid_count;
    for (int s = 0; s < count; s++) {
        solids[s] = *billow_solid(sim, s);
        if (play->made[BILLOW_EMITTERS_MAX + s].reel != NULL)
            follow_reel(&play->made[BILLOW_EMITTERS_MAX + s], &play->scene.def.solids[s], cell,
                        step, &solids[s]);
        drive(play, s, cell, step, &solids[s]);
    }
    BillowError reason;
    return billow_set_solids(sim, solids, count, &reason) ||
           fail(error, "timeline at %g s: %.400s", billow_view(sim).time, reason.text);
}

/* Sets every value to its value at time 0, and gives the solids their velocities for the first
 * step. */
static bool start_timeline(ScenePlay *play, const Scene *scene, BillowDef *def, BillowError *error)
{
    bool changed;
    BillowError reason;
    play->scene = *scene;
    for (int entry = 0; entry < SCENE_SHAPES; entry++)
        play->any_reel = play->any_reel || (scene_form_exists(scene, entry) &&
                                            scene_form_is_reel(scene_form_of(scene, entry)));
    for (int t = 0; t < play->scene.track_count; t++) {
        int solid = 0;
        unsigned key = scene_timeline_solid(play->scene.tracks[t].key, &solid);
        play->now[t][0] = (double)NAN;
        play->keyed[solid] |= key;
        play->any_keyed = play->any_keyed || key != 0;
    }
    if (!move_to(play, 0, 0, &changed, &reason))
        return blame(scene, NULL, &reason, error);
    const BillowDef *now = &play->scene.def;
    if (changed) {
        def->params = now->params;
        memcpy(def->emitters, now->emitters, sizeof def->emitters);
        memcpy(def->forces, now->forces, sizeof def->forces);
        place_emitters(play, def);
    }
    memcpy(def->solids, now->solids, sizeof def->solids);
    if (!play->any_keyed)
        return true;
    if (!move_to(play, 0, (double)scene->step, &changed, &reason))
        return blame(scene, NULL, &reason, error);
    for (int s = 0; s < def->solid_count; s++)
        drive(play, s, (double)def->cell_size, (double)scene->step, &def->solids[s]);
    return true;
}

/* Shows all reels. emitter, solid: receive whether there are any. */
static bool show_reels(ScenePlay *play, double time, double step, bool *emitter, bool *solid,
                       BillowError *error)
{
    BillowError reason;
    *emitter = *solid = false;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        Made *made = &play->made[entry];
        if (made->reel == NULL)
            continue;
        *(entry < BILLOW_EMITTERS_MAX ? emitter : solid) = true;
        if (!scene_reel_show(made->reel, time, step, &made->from, &made->to, &reason))
            return blame(&play->scene, NULL, &reason, error);
    }
    return true;
}

bool scene_play_check(ScenePlay *play, BillowError *error)
{
    BillowError reason;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const Made *made = &play->made[entry];
        if (made->reel != NULL && !scene_reel_check(made->reel, &reason))
            return blame(&play->scene, NULL, &reason, error);
    }
    return true;
}

bool scene_play_prepare(ScenePlay *play, BillowSim *sim, double step, BillowError *error)
{
    bool changed, solid, emitter;
    if (play->scene.track_count == 0 && !play->any_reel)
        return true;
    double time = billow_view(sim).time;
    if (!move_to(play, time, step, &changed, error) ||
        !show_reels(play, time, step, &emitter, &solid, error))
        return false;
    if ((play->any_keyed || solid) && !drive_all(play, sim, step, error))
        return false;
    if (!changed && !emitter)
        return true;
    BillowDef def = play->scene.def;
    place_emitters(play, &def);
    return billow_set_params(sim, &def.params, error) &&
           billow_set_emitters(sim, def.emitters, def.emitter_count, error) &&
           billow_set_forces(sim, def.forces, def.force_count, error);
}

BillowParams scene_play_params(const ScenePlay *play)
{
    return play->scene.def.params;
}

bool scene_play_render(const Scene *scene, double time, RenderSettings *render, BillowError *error)
{
    Scene then = *scene;
    for (int t = 0; t < scene->track_count; t++) {
        double values[4];
        scene_track_values(&scene->tracks[t], time, values);
        if (!scene_timeline_set(&scene->tracks[t], values, &then, error))
            return false;
    }
    *render = then.render;
    return true;
}

void scene_play_begin(const ScenePlay *play, BillowSim *sim)
{
    if (play != NULL)
        scene_initial_apply(&play->fields, sim);
}

void scene_play_initial_mass(const ScenePlay *play, double *file, double *box)
{
    *file = play->fields.file_mass;
    *box = play->fields.mass;
}

ScenePlay *scene_play_create(const Scene *scene, BillowDef *def, BillowError *error)
{
    return scene_play_renew(NULL, scene, def, error);
}

ScenePlay *scene_play_renew(const ScenePlay *before, const Scene *scene, BillowDef *def,
                            BillowError *error)
{
    ScenePlay *play = calloc(1, sizeof *play);
    if (play == NULL) {
        fail(error, "not enough memory to play %s", scene->name);
        return NULL;
    }
    bool good = start_timeline(play, scene, def, error);
    for (int entry = 0; entry < SCENE_SHAPES && good; entry++)
        good = make_entry(play, before, scene, def, entry, error);
    good = good && check_bodies(scene, def, error);
    /* A simulation that continues a checkpoint has its smoke. It needs the file of initial smoke
     * only when it is reset, and then starts without that smoke if the file is gone. */
    BillowError reason;
    if (good && (scene_initial_load(scene, def, &play->fields, &reason) ||
                 (before != NULL && before->resumed) || blame(scene, NULL, &reason, error)))
        return play;
    scene_play_destroy(play);
    return NULL;
}

/* -- shapes that were made before -------------------------------------------------------------- */

void scene_play_shapes(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES])
{
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const Made *made = &play->made[entry];
        shapes[entry] =
            (SceneShape){.size = made->size, .cell = made->cell, .volume = made->volume};
    }
}

bool scene_shapes_copy(const ScenePlay *play, SceneShape shapes[SCENE_SHAPES])
{
    bool good = true;
    memset(shapes, 0, SCENE_SHAPES * sizeof shapes[0]);
    if (play != NULL)
        scene_play_shapes(play, shapes);
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        BillowVolume *volume = &shapes[entry].volume;
        size_t bytes = scene_shape_bytes(&shapes[entry]); /* a few more than the samples */
        if (volume->distance == NULL)
            continue;
        float *copy = malloc(bytes);
        if (copy != NULL)
            memcpy(copy, volume->distance, bytes);
        good = good && copy != NULL;
        volume->distance = copy;
    }
    return good;
}

ScenePlay *scene_play_create_of(const SceneShape shapes[SCENE_SHAPES], const Scene *scene,
                                BillowDef *def, BillowError *error)
{
    ScenePlay *given = calloc(1, sizeof *given);
    if (given == NULL) {
        fail(error, "not enough memory to play %s", scene->name);
        return NULL;
    }
    given->resumed = true;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) /* the shapes still own their samples */
        given->made[entry] = (Made){.volume = shapes[entry].volume,
                                    .form = *scene_form_of(scene, entry),
                                    .size = shapes[entry].size,
                                    .cell = shapes[entry].cell,
                                    .given = true};
    ScenePlay *play = scene_play_renew(given, scene, def, error);
    free(given);
    return play;
}

/* -- notices ----------------------------------------------------------------------------------- */

typedef struct Teller {
    const Scene *scene;
    void (*say)(const BillowError *notice);
} Teller;

static void tell(void *context, const ScenePlace *place, const char *text)
{
    const Teller *teller = context;
    BillowError plain, named, said;
    fail(&plain, "%s", text);
    blame(teller->scene, place, &plain, &named);
    fail(&said, "notice: %.500s", named.text);
    teller->say(&said);
}

static void notice_keys(Teller *teller, const SceneForm *form, const ScenePlace *place)
{
    BillowError unused;
    GltfFile *file = gltf_file_is(form->mesh) ? gltf_file_open(form->mesh, &unused) : NULL;
    if (file != NULL && gltf_file_mended(file))
        tell(teller, place,
             "its mesh has key times below 0, or not in order; those count as the time before "
             "them, and of keys at one time the last one");
    gltf_file_close(file);
}

bool scene_play_unusual(const ScenePlay *play, BillowError *notice)
{
    return play->fields.notice.text[0] != '\0' &&
           !fail(notice, "notice: %s", play->fields.notice.text);
}

bool scene_play_memory(const ScenePlay *play, BillowError *notice)
{
    if (play == NULL)
        return false;
    const char *most_file = play->scene.initial.vdb, *file;
    uint64_t most = play->fields.file_memory;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const SceneReel *reel = play->made[entry].reel;
        uint64_t memory = reel != NULL ? scene_reel_memory(reel, &file) : 0;
        if (memory > most) {
            most = memory;
            most_file = file;
        }
    }
    return most > SCENE_PLAY_MEMORY &&
           !fail(notice, "notice: reading %.300s took %.3g MB of memory", most_file,
                 1e-6 * (double)most);
}

/* A panorama may have values that are not numbers, as of renderers that failed at a pixel. */
static void notice_panorama(Teller *teller, const RenderSurroundings *around)
{
    PanoramaFile panorama = {0};
    BillowError unused, notice;
    if (around->kind != RENDER_PANORAMA || around->file[0] == '\0' ||
        !panorama_file_load(around->file, &panorama, &unused))
        return;
    const size_t count = panorama.not_numbers;
    panorama_file_free(&panorama);
    if (count > 0 && !fail(&notice, "%.300s: %zu of its values are not numbers, and count as 0",
                           around->file, count))
        tell(teller, NULL, notice.text);
}

void scene_play_notice(const Scene *scene, const BillowDef *def,
                       void (*say)(const BillowError *notice))
{
    enum { MOST = 8 };
    Teller teller = {scene, say};
    scene_useless(scene, tell, &teller);
    for (int entry = 0; entry < SCENE_SHAPES; entry++)
        if (scene_form_exists(scene, entry))
            notice_keys(&teller, scene_form_of(scene, entry), place_of(scene, entry));
    notice_panorama(&teller, &scene->render.surroundings);
    BillowNotice notices[MOST];
    int count = billow_notices(def, notices, MOST);
    for (int n = 0; n < count && n < MOST; n++) {
        const BillowNotice *notice = &notices[n];
        const ScenePlace *place = notice->solid >= 0     ? &scene->solid_places[notice->solid]
                                  : notice->emitter >= 0 ? &scene->emitter_places[notice->emitter]
                                                         : NULL;
        if (notice->emitter >= 0 && scene->track_count > 0)
            continue; /* the timeline may change what the notice complains about */
        tell(&teller, place, notice->text.text);
    }
}

void scene_play_destroy(ScenePlay *play)
{
    if (play == NULL)
        return;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        scene_form_free(&play->made[entry].volume);
        scene_reel_close(play->made[entry].reel);
    }
    scene_initial_free(&play->fields);
    free(play);
}

/* -- the driver ---------------------------------------------------------------------------------
 */

bool scene_driver_create(SceneDriver *driver, const Scene *scene, BillowDef *def,
                         const BillowExchange *exchange, BillowError *error)
{
    *driver = (SceneDriver){.play = scene_play_create(scene, def, error)};
    return cluster_agree_among(exchange, driver->play != NULL, error) &&
           scene_driver_start(driver, driver->play, def, exchange, error);
}

bool scene_driver_start(SceneDriver *driver, ScenePlay *play, const BillowDef *def,
                        const BillowExchange *exchange, BillowError *error)
{
    *driver = (SceneDriver){.play = play, .exchange = exchange};
    driver->sim = billow_create_exchanging(def, exchange, error);
    if (!cluster_agree_among(exchange, driver->sim != NULL, error))
        return false;
    scene_play_begin(play, driver->sim);
    return true;
}

bool scene_driver_prepare(const SceneDriver *driver, double seconds, BillowError *error)
{
    bool good =
        driver->play == NULL || scene_play_prepare(driver->play, driver->sim, seconds, error);
    return cluster_agree_among(driver->exchange, good, error);
}

bool scene_driver_step(const SceneDriver *driver, double seconds, BillowError *error)
{
    return scene_driver_prepare(driver, seconds, error) &&
           (billow_step(driver->sim, seconds) || fail(error, "%s", billow_error(driver->sim)));
}

void scene_driver_reset(const SceneDriver *driver)
{
    billow_reset(driver->sim);
    scene_play_begin(driver->play, driver->sim);
}

void scene_driver_destroy(SceneDriver *driver)
{
    billow_destroy(driver->sim);
    scene_play_destroy(driver->play);
    *driver = (SceneDriver){.sim = NULL};
}
