/* SPDX-License-Identifier: MIT */
#include "app/editor.h"

#include "app/recording.h"
#include "base/fail.h"
#include "base/number.h"
#include "scene/scene_gather.h"
#include "scene/scene_value.h"
#include "scene/scene_write.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- presets ----------------------------------------------------------------------------------- */

static const Preset presets[] = {
    {"solver",
     "calm",
     "a fifth of the vorticity confinement: soft, slow smoke",
     {"solver.vorticity*0.2"}},
    {"solver", "turbulent", "three times the vorticity confinement", {"solver.vorticity*3"}},
    {"solver",
     "sharp",
     "conservative advection: sharp edges, hardly any smoke lost",
     {"solver.advection=conservative"}},
    {"solver",
     "as in 1999",
     "Stam's method: semi-Lagrangian, 20 sweeps of relaxation",
     {"solver.advection=semi_lagrangian", "solver.pressure=relaxation", "solver.sweeps=20"}},
    {"smoke", "thin", "a third of the smoke's thickness", {"smoke.extinction*0.33"}},
    {"smoke", "thick", "three times the smoke's thickness", {"smoke.extinction*3"}},
    {"smoke", "steam", "white, scatters nearly all light", {"smoke.albedo=[0.995, 0.995, 0.995]"}},
    {"smoke",
     "soot",
     "black, absorbs most of the light",
     {"smoke.albedo=[0.25, 0.235, 0.22]", "smoke.extinction*1.5"}},
    {"sun", "day", "a high sun in a clear sky", {"light=day"}},
    {"sun", "golden hour", "a low, golden sun", {"light=golden_hour"}},
    {"sun", "dusk", "the sun on the horizon, exposed long", {"light=dusk"}},
    {"sun", "night", "moonlight; fire and lamps stand out", {"light=night"}},
    {"sun", "studio", "a grey cove with softboxes", {"light=studio"}},
    {"sun", "stage", "a dark stage with three lamps", {"light=stage"}},
};

const Preset *preset_at(int index)
{
    return index >= 0 && index < (int)(sizeof presets / sizeof presets[0]) ? &presets[index] : NULL;
}

/* Converts a product such as "smoke.extinction*0.4" into an assignment such as
 * "smoke.extinction=8". The factor multiplies the value in `given`, and the result is limited to
 * the key's range. Copies a value that is no product. */
static void multiply(const char *value, const Scene *given, char assignment[160])
{
    const char *star = strchr(value, '*');
    char path[96];
    snprintf(assignment, 160, "%s", value);
    if (star == NULL)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(star - value), value);
    const SceneKey *key = scene_keys_find(scene_keys(), path);
    if (key == NULL || key->type != SCENE_KEY_FLOAT)
        return;
    double number =
        (double)*(const float *)((const char *)given + key->offset) * number_read(star + 1, NULL);
    number_print(assignment, 160, "%s=%.4g", path, fmin(fmax(number, key->minimum), key->maximum));
}

/* -- history ----------------------------------------------------------------------------------- */

typedef struct HistoryState {
    Scene scene;
    Scene opened;   /* the scene as it was opened, before any change */
    char from[512]; /* name or path by which it was opened */
} HistoryState;

enum { STATES_MAX = 64 };

/* A ring buffer of states. `first` is the index of the oldest state. The current state is `at`
 * states after the oldest one. */
struct History {
    int first, count, at;
    HistoryState states[STATES_MAX];
};

static HistoryState *state_at(History *history, int index)
{
    return &history->states[(history->first + index) % STATES_MAX];
}

/* Makes the shown scene the current state, for example after a movement of the view. Undone states
 * stay. */
static void history_amend(Editor *editor)
{
    HistoryState *state = state_at(editor->history, editor->history->at);
    state->scene = editor->shown;
    state->opened = editor->given;
    memcpy(state->from, editor->from, sizeof state->from);
}

/* Adds the shown scene as the current state, if the scene or its source differs from that. Removes
 * the undone states before that, and the oldest state if the buffer is full. */
static void history_add(Editor *editor)
{
    History *history = editor->history;
    const HistoryState *before = state_at(history, history->at);
    if (scene_difference(&before->scene, &editor->shown).effects == 0 &&
        strcmp(before->from, editor->from) == 0)
        return;
    history->count = history->at + 1;
    if (history->count == STATES_MAX) {
        history->first = (history->first + 1) % STATES_MAX;
        history->count--;
    }
    history->at = history->count++;
    history_amend(editor);
}

static const HistoryState *history_undo(History *history)
{
    return history_undos(history) > 0 ? state_at(history, --history->at) : NULL;
}

static const HistoryState *history_redo(History *history)
{
    return history_redos(history) > 0 ? state_at(history, ++history->at) : NULL;
}

int history_undos(const History *history)
{
    return history->at;
}

int history_redos(const History *history)
{
    return history->count > 0 ? history->count - 1 - history->at : 0;
}

/* -- the editor -------------------------------------------------------------------------------- */

bool editor_open(Editor *editor, BillowError *error)
{
    *editor = (Editor){.history = calloc(1, sizeof(History))};
    return editor->history != NULL ||
           fail(error, "not enough memory to keep %d changes", STATES_MAX);
}

void editor_close(Editor *editor)
{
    free(editor->history);
    editor->history = NULL;
}

static bool differ(const Scene *one, const Scene *other)
{
    return (scene_difference(one, other).effects & ~(unsigned)SCENE_EFFECT_CAMERA) != 0;
}

static void set_source(Editor *editor, const Scene *opened, const char *from)
{
    editor->given = *opened;
    snprintf(editor->from, sizeof editor->from, "%s", from);
}

static void compare(Editor *editor)
{
    const SceneDifference difference = scene_difference(&editor->played, &editor->shown);
    editor->back = strcmp(editor->from, editor->played_from) != 0;
    editor->changed = difference.effects != 0 || editor->back;
    editor->rebuilds = (difference.effects & SCENE_EFFECT_REBUILD) != 0 || editor->back;
}

void editor_played(Editor *editor, const Scene *played)
{
    editor->played = *played;
    editor->played_given = editor->given;
    memcpy(editor->played_from, editor->from, sizeof editor->from);
    editor->went = 0;
    compare(editor);
}

static void show_played(Editor *editor, const Scene *played)
{
    editor->shown = *played;
    editor->open = false;
    editor_played(editor, played);
}

bool editor_follow(Editor *editor, const Scene *played, const Scene *opened, const char *from)
{
    bool first = editor->played_from[0] == '\0', other = strcmp(editor->played_from, from) != 0;
    bool again = memcmp(&editor->played_given, opened, sizeof *opened) != 0;
    if (!other && !again && memcmp(&editor->played, played, sizeof *played) == 0)
        return false;
    editor_done(editor);
    bool left = !first && differ(&editor->given, &editor->shown) && differ(&editor->shown, played);
    set_source(editor, opened, from);
    show_played(editor, played);
    History *history = editor->history;
    history->at = first ? 0 : history->at;
    if (first || (other && !left)) {
        history_amend(editor);
        history->count = history->at + 1;
    } else {
        history_add(editor);
    }
    for (int s = 0; s < history->count; s++)
        if (strcmp(state_at(history, s)->from, from) == 0)
            state_at(history, s)->opened = *opened;
    return left;
}

void editor_forget(Editor *editor)
{
    editor->played_from[0] = '\0';
}

/* -- changes */

/* Whether a scene is valid as a whole. Returns false with the reason if it is not. */
static bool could_be(const Scene *scene, BillowError *error)
{
    Scene same = *scene;
    const SceneRequest none = {.name_or_path = scene->name};
    BillowError why;
    if (scene_change(&none, &same, &why))
        return true;
    const char *changed = strstr(
        why.text, "as changed by"); /* prefix of a message about changes by the command line */
    const char *reason = changed != NULL ? strstr(changed, ": ") : NULL;
    return fail(error, "%s", reason != NULL ? reason + 2 : why.text);
}

/* Makes `changed` the shown scene, if it is valid. done: the change is complete. */
static bool take(Editor *editor, const Scene *changed, bool done, BillowError *error)
{
    if (!could_be(changed, error))
        return false;
    editor->shown = *changed;
    editor->open = true;
    editor->went = 0;
    compare(editor);
    if (done)
        editor_done(editor);
    return true;
}

bool editor_set(Editor *editor, const char *assignment, bool done, BillowError *error)
{
    Scene changed = editor->shown;
    BillowError why;
    if (!scene_set(&changed, assignment, &why)) {
        const char *reason = strncmp(why.text, "--set ", 6) == 0 ? why.text + 6 : why.text;
        return fail(error, "%s", reason);
    }
    return take(editor, &changed, done, error);
}

bool editor_change(Editor *editor, const Scene *changed, bool done, BillowError *error)
{
    char exposure[64];
    Scene checked = *changed;
    number_print(exposure, sizeof exposure, "exposure=%.9g", (double)changed->render.exposure);
    return scene_set(&checked, exposure, error) && /* any assignment validates the whole scene */
           take(editor, &checked, done, error);
}

void editor_done(Editor *editor)
{
    if (editor->open)
        history_add(editor);
    editor->open = false;
}

bool editor_preset(Editor *editor, const Preset *preset, BillowError *error)
{
    Scene changed = editor->shown;
    for (int v = 0; v < PRESET_VALUES_MAX && preset->values[v] != NULL; v++) {
        char assignment[160];
        multiply(preset->values[v], &editor->given, assignment);
        if (!scene_set(&changed, assignment, error))
            return false;
    }
    return take(editor, &changed, true, error);
}

/* Whether `path` is the key `group` itself, or a key in that group. */
static bool lies_in(const char *path, const char *group)
{
    size_t length = strlen(group);
    return strncmp(path, group, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

static void reset_list(Editor *editor, const SceneList *list, Scene *changed)
{
    scene_list_copy(list, &editor->given, 0, changed, 0, list->most);
    *scene_list_count(list, changed) = *scene_list_count(list, &editor->given);
}

bool editor_reset_group(Editor *editor, const char *group, BillowError *error)
{
    Scene changed = editor->shown;
    for (int row = 0; row < scene_keys()->count; row++) {
        const SceneKey *key = &scene_keys()->rows[row];
        if (!lies_in(key->path, group))
            continue;
        if (scene_list_of(key->type) != NULL) {
            reset_list(editor, scene_list_of(key->type), &changed);
        } else if (key->type == SCENE_KEY_EMITTER) {
            memcpy((char *)&changed + key->offset, (const char *)&editor->given + key->offset,
                   sizeof(BillowEmitter));
        } else if (key->type == SCENE_KEY_TIMELINE) {
            memcpy(changed.tracks, editor->given.tracks, sizeof changed.tracks);
            changed.track_count = editor->given.track_count;
        } else {
            scene_keys_copy(key, &editor->given, &changed);
        }
    }
    return take(editor, &changed, true, error);
}

static const SceneList *list_named(const char *name)
{
    for (int l = 0; scene_list_at(l) != NULL; l++)
        if (strcmp(scene_list_at(l)->name, name) == 0)
            return scene_list_at(l);
    return NULL;
}

bool editor_may_add(const Editor *editor, const SceneList *list, BillowError *error)
{
    const int count = *scene_list_count(list, (Scene *)&editor->shown /* only read */);
    return count < list->most ||
           fail(error, "there are already %d %s, and a scene can have no more", count, list->name);
}

bool editor_add_entry(Editor *editor, const SceneList *list, const SceneEntry *entry,
                      BillowError *error)
{
    Scene changed = editor->shown;
    int *count = scene_list_count(list, &changed);
    if (!editor_may_add(editor, list, error))
        return false;
    scene_list_reset(list, &changed, *count);
    const SceneEntry added = scene_list_whole(list, &changed, *count);
    memcpy(added.values, entry->values, list->size);
    if (added.form != NULL && entry->form != NULL)
        *added.form = *entry->form;
    if (added.form != NULL)
        *scene_list_place(list, &changed, *count) = (ScenePlace){0, 0};
    if (added.name != NULL && entry->name != NULL)
        *added.name = *entry->name;
    *count += 1;
    return take(editor, &changed, true, error);
}

bool editor_remove_entry(Editor *editor, const char *name, int index, BillowError *error)
{
    const SceneList *list = list_named(name);
    Scene changed = editor->shown;
    if (index < 0 || index >= *scene_list_count(list, &changed))
        return fail(error, "there is no %s %d", list->entry, index);
    scene_list_remove(list, &changed, index);
    return take(editor, &changed, true, error);
}

static bool go_to(Editor *editor, const HistoryState *state, int way)
{
    if (state == NULL)
        return false;
    editor->shown = state->scene;
    set_source(editor, &state->opened, state->from);
    editor->open = false;
    editor->went += way;
    compare(editor);
    return true;
}

bool editor_undo(Editor *editor)
{
    editor_done(editor);
    return go_to(editor, history_undo(editor->history), -1);
}

bool editor_redo(Editor *editor)
{
    return go_to(editor, history_redo(editor->history), 1);
}

void editor_view(Editor *editor, const RenderCamera *camera)
{
    if (memcmp(&editor->shown.render.camera, camera, sizeof *camera) == 0)
        return;
    editor->shown.render.camera = *camera;
    if (!editor->open && editor->played_from[0] != '\0')
        history_amend(editor);
}

/* -- playing and saving --------------------------------------------------------------------- */

const Scene *editor_ready(Editor *editor)
{
    if (!editor->changed || (editor->rebuilds && editor->open))
        return NULL;
    return &editor->shown;
}

void editor_give_up(Editor *editor)
{
    bool open = editor->open;
    int went = editor->went;
    set_source(editor, &editor->played_given, editor->played_from);
    const Scene played = editor->played;
    show_played(editor, &played);
    editor->open = open;
    if (open)
        return;
    History *history = editor->history;
    for (; went < 0; went++)
        history_redo(history);
    for (; went > 0; went--)
        history_undo(history);
    if (!differ(&state_at(history, history->at)->scene, &editor->shown))
        return;
    history->at -= history->at > 0; /* the refused change, and all undone ones */
    history->count = history->at + 1;
    history_add(
        editor); /* the part of a drag that the simulation played before it refused the end */
}

bool editor_save_as(const Editor *editor, const RenderCamera *camera, const char *path, int *copied,
                    BillowError *error)
{
    Scene saved = editor->shown;
    saved.render.camera = *camera;
    return scene_save_gathered(&saved, path, copied, error);
}

bool editor_save(const Editor *editor, const RenderCamera *camera, const char *folder, char *path,
                 size_t size, int *copied, BillowError *error)
{
    char name[128];
    const CaptureName of = {.folder = folder,
                            .prefix = "",
                            .scene = editor->shown.name[0] != 0 ? editor->shown.name : "scene",
                            .digits = 0,
                            .ending = ".yaml",
                            .plural = "scenes called"};
    return capture_name(&of, name, sizeof name, path, size, error) &&
           editor_save_as(editor, camera, path, copied, error);
}
