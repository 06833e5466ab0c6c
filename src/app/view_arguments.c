/* SPDX-License-Identifier: MIT */
#include "view_arguments.h"

#include "fail.h"
#include "scene_checkpoint.h"
#include "scene_keys.h"
#include "scene_write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows; NULL: memory was short. */
typedef struct Line {
    char *text;
    size_t length;
} Line;

static void fail_line(Line *line)
{
    free(line->text);
    line->text = NULL;
}

/* Appends an argument, quoted for a shell. A quote in it takes four characters. */
static void append(Line *line, const char *argument)
{
    size_t most = 4 * strlen(argument) + 3;
    char *longer = line->text != NULL ? realloc(line->text, line->length + 1 + most) : NULL;
    if (longer == NULL) {
        fail_line(line);
        return;
    }
    line->text = longer;
    if (line->length > 0)
        line->text[line->length++] = ' ';
    scene_argument_quote(argument, line->text + line->length, most);
    line->length += strlen(line->text + line->length);
}

static void append_pair(Line *line, const char *option, const char *value)
{
    append(line, option);
    append(line, value);
}

static void append_assignment(void *context, const char *assignment)
{
    append_pair(context, "--set", assignment);
}

static void append_overrides(Line *line, const SceneRequest *request)
{
    for (int i = 0; i < request->override_count; i++)
        append_assignment(line, request->overrides[i]);
}

/* Names the checkpoint that the simulation started from, if its file still exists. base: that
 * checkpoint's scene. */
static bool append_checkpoint(Line *line, const World *world, Scene *base)
{
    CheckpointReader reader;
    BillowError error;
    SceneRequest request = world->request;
    request.grid = NULL;
    request.name_or_path = world->checkpoint;
    if (world->checkpoint[0] == 0 ||
        !scene_checkpoint_open(&reader, world->checkpoint, base, &error))
        return false;
    checkpoint_close(&reader);
    if (!scene_change(&request, base, &error))
        return false;
    append_pair(line, "--resume", world->checkpoint);
    append_overrides(line, &request);
    return true;
}

/* Repeats the command line's grid, unless the person has changed the grid since. */
static void append_request(Line *line, const World *world)
{
    const SceneRequest *request = &world->request;
    bool same = memcmp(world->scene.domain.cells, world->opened.domain.cells,
                       sizeof world->scene.domain.cells) == 0;
    append(line, world->from);
    if (request->grid != NULL && same)
        append_pair(line, "--grid", request->grid);
    append_overrides(line, request);
}

/* Writes a number in the fewest digits that read back the same. */
static const char *number(float value, char text[32])
{
    const SceneKey plain = {.type = SCENE_KEY_FLOAT};
    scene_keys_format(&plain, &value, text, 32);
    return text;
}

/* Default values are left out. */
static void append_slice(Line *line, const SliceAsk *ask)
{
    const SliceAsk plain = slice_ask_default();
    char text[200], first[32], second[32];
    int length = 0;
    if (!ask->given)
        return;
    length += snprintf(text, sizeof text, "%s,%c=%s", field_meaning(ask->kind)->name,
                       'x' + ask->axis, number(ask->position, first));
    if (ask->contours != plain.contours)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ",contours=%d", ask->contours);
    if (ask->veil != plain.veil)
        length += snprintf(text + length, sizeof text - (size_t)length, ",veil=%s",
                           number(ask->veil, first));
    if (ask->ranged)
        snprintf(text + length, sizeof text - (size_t)length, ",range=%s:%s",
                 number(ask->low, first), number(ask->high, second));
    append_pair(line, "--slice", text);
}

char *view_arguments(const World *world, const SliceAsk *slice, int *lost, BillowError *error)
{
    Scene now = world->scene, base;
    now.render.camera = world->render.camera;
    Line line = {calloc(1, 1), 0};
    append(&line, "billow");
    append(&line, "run");
    if (!append_checkpoint(&line, world, &base)) {
        base = world->opened;
        append_request(&line, world);
    }
    append_slice(&line, slice);
    *lost = scene_arguments(&base, &now, "camera.", append_assignment, &line);
    if (line.text == NULL)
        fail(error, "memory is too short for the view's arguments");
    return line.text;
}

void action_print_view(Session *session, int argument)
{
    (void)argument;
    BillowError error;
    int lost = 0;
    char *line = view_arguments(&session->world, &session->slice.ask, &lost, &error);
    if (line == NULL) {
        session_say(session, "%s", error.text);
        return;
    }
    printf("%s%s\n", line,
           lost > 0 ? " # some changes have no --set: save the scene to keep them" : "");
    fflush(stdout);
    const char *rest = " ...; the whole command is on standard output";
    bool fits = strlen(line) < sizeof session->texts.message;
    session_say(session, "%.*s%s", (int)(fits ? strlen(line) : sizeof session->texts.message / 2),
                line, fits ? "" : rest);
    free(line);
}
