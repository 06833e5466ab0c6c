/* SPDX-License-Identifier: MIT */
#include "play/turn.h"

#include "base/fail.h"
#include "base/grow.h"
#include "base/parameter.h"
#include "base/words.h"
#include "io/font.h"
#include "io/paths.h"
#include "scene/scene_checkpoint.h"
#include "scene/scene_reel.h"
#include "scene/scene_write.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- bytes ------------------------------------------------------------------------------------- */

void turn_put(TurnBytes *to, const void *bytes, size_t count)
{
    if (to->failed)
        return;
    unsigned char *larger = grow(to->bytes, &to->room, to->count + count, 1);
    if (larger == NULL) {
        to->failed = true;
        return;
    }
    to->bytes = larger;
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
}

void turn_put32(TurnBytes *to, uint32_t word)
{
    unsigned char bytes[4];
    put32(bytes, word);
    turn_put(to, bytes, sizeof bytes);
}

void turn_put64(TurnBytes *to, uint64_t word)
{
    unsigned char bytes[8];
    put64(bytes, word);
    turn_put(to, bytes, sizeof bytes);
}

const unsigned char *turn_get(TurnReader *from, uint64_t count)
{
    const unsigned char *bytes = from->bytes + from->at;
    if (count > from->count - from->at)
        return NULL;
    from->at += (size_t)count;
    return bytes;
}

bool turn_get32(TurnReader *from, uint32_t *word)
{
    const unsigned char *bytes = turn_get(from, 4);
    if (bytes != NULL)
        *word = get32(bytes);
    return bytes != NULL;
}

bool turn_get64(TurnReader *from, uint64_t *word)
{
    const unsigned char *bytes = turn_get(from, 8);
    if (bytes != NULL)
        *word = get64(bytes);
    return bytes != NULL;
}

/* -- values both ways -------------------------------------------------------------------------- */

static bool link_32(const TurnLink *link, uint32_t *word)
{
    if (link->to == NULL)
        return turn_get32(link->from, word);
    turn_put32(link->to, *word);
    return true;
}

bool turn_link64(const TurnLink *link, uint64_t *word)
{
    if (link->to == NULL)
        return turn_get64(link->from, word);
    turn_put64(link->to, *word);
    return true;
}

bool turn_link_count(const TurnLink *link, uint32_t most, int *count)
{
    uint32_t word = (uint32_t)*count;
    if (!link_32(link, &word) || (link->to == NULL && word > most))
        return false;
    *count = (int)word;
    return true;
}

bool turn_link_switch(const TurnLink *link, bool *on)
{
    int word = *on;
    bool good = turn_link_count(link, 1, &word);
    *on = word == 1;
    return good;
}

bool turn_link_double(const TurnLink *link, double *number)
{
    uint64_t word;
    memcpy(&word, number, sizeof word);
    bool good = turn_link64(link, &word);
    memcpy(number, &word, sizeof word);
    return good;
}

bool turn_link_words(const TurnLink *link, void *words, int count)
{
    bool good = true;
    for (int w = 0; good && w < count; w++) {
        char *at = (char *)words + 4 * w;
        uint32_t word;
        memcpy(&word, at, sizeof word);
        good = link_32(link, &word);
        memcpy(at, &word, sizeof word);
    }
    return good;
}

/* Links a value of one row. In its structure it is words of 32 bits, one of 64 for a double, or a
 * switch of a byte. */
static bool link_value(const TurnLink *link, const BillowParameter *row, void *value)
{
    if (row->type == BILLOW_TYPE_DOUBLE)
        return turn_link_double(link, value);
    if (row->type != BILLOW_TYPE_BOOL)
        return turn_link_words(link, value, (int)(parameter_bytes(row->type) / 4));
    bool *on = value;
    uint32_t word = *on;
    bool good = link_32(link, &word);
    *on = word != 0;
    return good;
}

bool turn_link_table(const TurnLink *link, BillowTable table, void *base)
{
    int count;
    const BillowParameter *rows = billow_parameters(table, &count);
    bool good = true;
    for (int r = 0; good && r < count; r++)
        good = link_value(link, &rows[r], (char *)base + rows[r].offset);
    return good;
}

bool turn_check_table(BillowTable table, const void *base, BillowError *error)
{
    int count, part;
    const BillowParameter *rows = billow_parameters(table, &count);
    const BillowParameter *row = parameter_outside(rows, count, base, &part);
    return row == NULL || fail(error, "%s is out of range", row->name);
}

/* -- what a turn may hold ---------------------------------------------------------------------- */

bool turn_check_emitter(const BillowEmitter *emitter, BillowError *error)
{
    double squared = 0;
    for (int i = 0; i < 4; i++)
        squared += (double)emitter->rotation[i] * (double)emitter->rotation[i];
    if (emitter->shape == BILLOW_VOLUME || emitter->volume != NULL)
        return fail(error, "an emitter of a hand has a mesh");
    return turn_check_table(BILLOW_TABLE_EMITTER, emitter, error) &&
           (fabs(sqrt(squared) - 1) <= 1e-2 ||
            fail(error, "an emitter's rotation has not the length 1"));
}

static bool check_grab(const struct SimGrab *grab, BillowError *error)
{
    bool good = grab->solid >= 0 && grab->solid < BILLOW_SOLIDS_MAX;
    for (int axis = 0; axis < 3; axis++)
        good = good && fabsf(grab->center[axis]) <= 1e6f; /* false for NaN */
    return good || fail(error, "a solid is grabbed out of range");
}

bool turn_needs_file(const Scene *scene, BillowError *error)
{
    const char *name = scene->initial.vdb[0] != 0           ? scene->initial.vdb
                       : scene->render.surroundings.file[0] ? scene->render.surroundings.file
                                                            : "";
    for (int entry = 0; entry < SCENE_SHAPES && name[0] == 0; entry++) {
        const SceneForm *form = scene_form_of(scene, entry);
        if (scene_form_exists(scene, entry) && scene_form_is_reel(form))
            name = form->mesh[0] != 0  ? form->mesh
                   : form->vdb[0] != 0 ? form->vdb
                                       : form->particles;
    }
    return name[0] != 0 && !fail(error, "the scene needs the file %.200s", name);
}

static float size_of(const Scene *scene, int entry)
{
    return entry < BILLOW_EMITTERS_MAX ? scene->def.emitters[entry].size[0]
                                       : scene->def.solids[entry - BILLOW_EMITTERS_MAX].size[0];
}

bool turn_keeps_shapes(const Scene *before, const Scene *scene, BillowError *error)
{
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        const SceneForm *form = scene_form_of(scene, entry), *then = scene_form_of(before, entry);
        if (!scene_form_exists(scene, entry) || (form->mesh[0] == 0 && form->text[0] == 0))
            continue;
        if (!scene_form_exists(before, entry) || strcmp(form->mesh, then->mesh) != 0 ||
            strcmp(form->text, then->text) != 0 || strcmp(form->font, then->font) != 0 ||
            size_of(scene, entry) != size_of(before, entry))
            return fail(error, "the shape of %s[%d] changes",
                        entry < BILLOW_EMITTERS_MAX ? "emitters" : "solids",
                        entry < BILLOW_EMITTERS_MAX ? entry : entry - BILLOW_EMITTERS_MAX);
    }
    return true;
}

bool turn_takes(const SimCommand *command, BillowError *error)
{
    if (command->hand < 0 || command->hand >= SIM_HANDS_MAX)
        return fail(error, "there is no hand %d", command->hand);
    switch (command->kind) {
    case SIM_RESET:
    case SIM_BRUSH_END:
    case SIM_LET_GO:
    case SIM_PAUSE:
    case SIM_STEP:
        return true;
    case SIM_SPEED:
        return (command->value >= 1.0 / 64 && command->value <= 64) ||
               fail(error, "the speed is out of range");
    case SIM_SETTINGS:
        return command->settings->scene != NULL ? !turn_needs_file(command->settings->scene, error)
                                                : fail(error, "settings without a scene");
    case SIM_BRUSH:
    case SIM_DETONATE:
        return turn_check_emitter(&command->emitter, error);
    case SIM_PUSH:
        return turn_check_table(BILLOW_TABLE_FORCE, &command->force, error);
    case SIM_GRAB:
        return check_grab(&command->grab, error);
    case SIM_CYCLES:
        return (command->count >= 0 && command->count <= 100000) ||
               fail(error, "the number of cycles is out of range");
    case SIM_BRUSH_STEPS:
        return (command->value >= 1 && command->value <= 10) ||
               fail(error, "the rate of the brush is out of range");
    default:
        return fail(error, "a command of kind %d is not part of a turn", (int)command->kind);
    }
}

/* -- scenes ------------------------------------------------------------------------------------ */

/* Replaces the folder of a file's name. */
static void seal(char *name, size_t size)
{
    char sealed[SCENE_PATH + sizeof TURN_FOLDER];
    snprintf(sealed, sizeof sealed, TURN_FOLDER "%s", paths_last_part(name));
    snprintf(name, size, "%.*s", (int)size - 1, sealed);
}

/* Whether a file's name is as seal() makes it, or empty. */
static bool is_sealed(const char *name)
{
    const size_t folder = strlen(TURN_FOLDER);
    return name[0] == 0 ||
           (strncmp(name, TURN_FOLDER, folder) == 0 && strchr(name + folder, '/') == NULL);
}

/* Whether a form names no file but those that have been sealed. */
static bool check_form(const SceneForm *form, BillowError *error)
{
    const bool font = lettering_font_is_file(form->font);
    if (is_sealed(form->mesh) && (!font || is_sealed(form->font)))
        return true;
    return fail(error, "the scene names the file %.200s",
                is_sealed(form->mesh) ? form->font : form->mesh);
}

void turn_put_scene(TurnBytes *to, const Scene *scene)
{
    BillowError error;
    Scene sealed = *scene;
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        SceneForm *form = (SceneForm *)scene_form_of(&sealed, entry);
        if (form->mesh[0] != 0)
            seal(form->mesh, sizeof form->mesh);
        if (lettering_font_is_file(form->font))
            seal(form->font, sizeof form->font);
    }
    char *text = scene_checkpoint_text(&sealed, &error);
    size_t length = text != NULL ? strlen(text) : 0;
    if (text == NULL || length > TURN_TEXT_MAX)
        to->failed = true;
    turn_put32(to, (uint32_t)length);
    if (text != NULL)
        turn_put(to, text, length);
    free(text);
}

bool turn_get_scene(TurnReader *from, Scene *scene, BillowError *error)
{
    uint32_t length;
    if (!turn_get32(from, &length))
        return fail(error, "it ends early");
    const char *text = length <= TURN_TEXT_MAX ? (const char *)turn_get(from, length) : NULL;
    if (text == NULL)
        return fail(error, "the text of a scene is too long");
    if (!scene_parse_sealed("recording", text, length, scene, error) ||
        turn_needs_file(scene, error))
        return false;
    bool good = true;
    for (int entry = 0; good && entry < SCENE_SHAPES; entry++)
        good = check_form(scene_form_of(scene, entry), error);
    return good;
}

/* -- shapes ------------------------------------------------------------------------------------ */

unsigned char *turn_put_room(TurnBytes *to, size_t count)
{
    unsigned char *larger =
        to->failed || count > SIZE_MAX - to->count ? NULL : realloc(to->bytes, to->count + count);
    if (larger == NULL) {
        to->failed = true;
        return NULL;
    }
    to->bytes = larger;
    to->room = to->count + count;
    to->count = to->room;
    return larger + to->room - count;
}

void turn_put_shapes(TurnBytes *to, const SceneShape shapes[SCENE_SHAPES])
{
    uint32_t count = 0;
    for (int entry = 0; entry < SCENE_SHAPES; entry++)
        count += shapes[entry].volume.distance != NULL;
    turn_put32(to, count);
    for (int entry = 0; entry < SCENE_SHAPES; entry++) {
        if (shapes[entry].volume.distance == NULL)
            continue;
        size_t bytes = scene_shape_bytes(&shapes[entry]);
        turn_put64(to, bytes);
        unsigned char *at = turn_put_room(to, bytes);
        if (at != NULL)
            scene_shape_write(entry, &shapes[entry], at);
    }
}

bool turn_get_shapes(TurnReader *from, SceneShape shapes[SCENE_SHAPES], BillowError *error)
{
    uint32_t count;
    uint64_t bytes;
    bool good = turn_get32(from, &count) && count <= SCENE_SHAPES, damaged;
    for (uint32_t s = 0; good && s < count; s++) {
        const unsigned char *shape = turn_get64(from, &bytes) ? turn_get(from, bytes) : NULL;
        good = shape != NULL && scene_shape_read(shape, (size_t)bytes, shapes, &damaged);
    }
    return good || fail(error, "its shapes are impossible");
}

/* -- commands ---------------------------------------------------------------------------------- */

/* Numbers of the kinds in the bytes, which stay when the enumeration changes. */
static const unsigned char numbers[SIM_COMMANDS] = {
    [SIM_RESET] = 1,     [SIM_SETTINGS] = 2,     [SIM_BRUSH] = 3,  [SIM_PUSH] = 4,
    [SIM_BRUSH_END] = 5, [SIM_DETONATE] = 6,     [SIM_GRAB] = 7,   [SIM_LET_GO] = 8,
    [SIM_CYCLES] = 10,   [SIM_BRUSH_STEPS] = 11, [SIM_PAUSE] = 12, [SIM_STEP] = 13,
    [SIM_SPEED] = 14,
};

/* Links the values of a command other than settings. */
static bool link_values(const TurnLink *link, SimCommand *command)
{
    uint32_t word;
    bool good;
    switch (command->kind) {
    case SIM_BRUSH:
    case SIM_DETONATE:
        return turn_link_table(link, BILLOW_TABLE_EMITTER, &command->emitter);
    case SIM_PUSH:
        return turn_link_table(link, BILLOW_TABLE_FORCE, &command->force);
    case SIM_GRAB:
        word = (uint32_t)command->grab.solid;
        good = link_32(link, &word) && turn_link_words(link, command->grab.center, 3);
        command->grab.solid = word < BILLOW_SOLIDS_MAX ? (int)word : -1;
        return good;
    case SIM_CYCLES:
        word = (uint32_t)command->count;
        good = link_32(link, &word);
        command->count = word <= INT32_MAX ? (int)word : -1;
        return good;
    case SIM_PAUSE:
        return turn_link_switch(link, &command->on);
    case SIM_BRUSH_STEPS:
    case SIM_SPEED:
        return turn_link_double(link, &command->value);
    default:
        return true; /* no values */
    }
}

/* Whether settings suit the simulation of the scene before. */
static bool suits(const Scene *before, const Scene *scene, BillowError *error)
{
    const SceneDifference found = scene_difference(before, scene);
    if (!turn_keeps_shapes(before, scene, error))
        return false;
    return ((found.effects & SCENE_EFFECT_REBUILD) == 0 &&
            scene->def.solid_count == before->def.solid_count) ||
           fail(error, "settings change %s, which needs a new simulation", found.rebuild);
}

static bool get_settings(TurnReader *from, SimRecording *recording, uint64_t step,
                         const Scene **scene, BillowError *error)
{
    Scene read;
    if (!turn_get_scene(from, &read, error))
        return false;
    recording->unsuited = !suits(*scene, &read, error);
    if (recording->unsuited)
        return false;
    if (++recording->settings > TURN_SETTINGS_MAX)
        return fail(error, "more than %d changes of the settings", TURN_SETTINGS_MAX);
    SimSettings settings = {.def = scene_def(&read), .step = (double)read.step, .scene = &read};
    sim_recording_add(recording, step, &(SimCommand){SIM_SETTINGS, .settings = &settings});
    if (!recording->ended)
        *scene = recording->commands[recording->count - 1].command.settings->scene;
    return true;
}

static SimCommandKind kind_of(unsigned char number)
{
    int kind = 0;
    while (kind < SIM_COMMANDS && (number == 0 || numbers[kind] != number))
        kind++;
    return (SimCommandKind)kind;
}

static bool get_command(TurnReader *from, SimRecording *recording, uint64_t step,
                        const Scene **scene, BillowError *error)
{
    const unsigned char *head = turn_get(from, 2);
    if (head == NULL)
        return fail(error, "it ends early");
    SimCommand command = {.kind = kind_of(head[0]), .hand = head[1]};
    if (command.kind == SIM_COMMANDS)
        return fail(error, "there is no command of kind %d", head[0]);
    if (command.kind == SIM_SETTINGS)
        return get_settings(from, recording, step, scene, error);
    if (!link_values(&(TurnLink){.from = from}, &command))
        return fail(error, "it ends early");
    if (!turn_takes(&command, error))
        return false;
    recording->paced = recording->paced || command.kind == SIM_CYCLES;
    sim_recording_add(recording, step, &command);
    return true;
}

void turn_write(TurnBytes *to, const SimRecorded *commands, int count)
{
    turn_put64(to, commands[0].step);
    turn_put32(to, (uint32_t)count);
    for (int c = 0; c < count; c++) {
        BillowError error;
        SimCommand command = commands[c].command;
        if (!turn_takes(&command, &error)) {
            to->failed = true;
            continue;
        }
        const unsigned char head[2] = {numbers[command.kind], (unsigned char)command.hand};
        turn_put(to, head, sizeof head);
        if (command.kind == SIM_SETTINGS)
            turn_put_scene(to, command.settings->scene);
        else
            link_values(&(TurnLink){.to = to}, &command);
    }
}

bool turn_read(TurnReader *from, SimRecording *recording, const Scene **scene, BillowError *error)
{
    uint64_t step;
    uint32_t count;
    if (!turn_get64(from, &step) || !turn_get32(from, &count))
        return fail(error, "it ends early");
    if (count == 0 || count > TURN_COMMANDS_MAX)
        return fail(error, "a turn of %u commands", (unsigned)count);
    if (recording->count > 0 && step < recording->commands[recording->count - 1].step)
        return fail(error, "its steps go back");
    for (uint32_t c = 0; c < count; c++)
        if (!get_command(from, recording, step, scene, error))
            return false;
    return !recording->ended || fail(error, "not enough memory");
}
