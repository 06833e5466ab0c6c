/* SPDX-License-Identifier: MIT */
#include "view_arguments.h"

#include "fail.h"
#include "scene_arguments.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows; NULL once there was no memory for it. */
typedef struct Line {
    char *text;
    size_t length;
} Line;

static void append(Line *line, const char *argument)
{
    char quoted[4096];
    if (line->text == NULL || !scene_argument_quote(argument, quoted, sizeof quoted))
        return;
    size_t more = strlen(quoted);
    char *longer = realloc(line->text, line->length + more + 2);
    if (longer == NULL) {
        free(line->text);
        line->text = NULL;
        return;
    }
    line->text = longer;
    if (line->length > 0)
        line->text[line->length++] = ' ';
    memcpy(line->text + line->length, quoted, more + 1);
    line->length += more;
}

static void append_assignment(void *context, const char *assignment)
{
    append(context, "--set");
    append(context, assignment);
}

/* By its file, or its name where it is built in. */
static const char *load_again(const World *world, Scene *scene, BillowError *error)
{
    BillowError first;
    if (scene_load(world->scene.file, scene, &first))
        return world->scene.file;
    return scene_load(world->scene.name, scene, error) ? world->scene.name : NULL;
}

char *view_arguments(const World *world, int *lost, BillowError *error)
{
    Scene loaded, now = world->scene;
    const char *name = load_again(world, &loaded, error);
    if (name == NULL)
        return NULL;
    now.look.camera = world->look.camera;
    Line line = {calloc(1, 1), 0};
    append(&line, "billow");
    append(&line, "run");
    append(&line, name);
    *lost = scene_arguments(&loaded, &now, "camera.", append_assignment, &line);
    if (line.text == NULL)
        fail(error, "memory is too short for the view's arguments");
    return line.text;
}

void action_print_view(Session *session, int argument)
{
    (void)argument;
    BillowError error;
    int lost = 0;
    char *line = view_arguments(&session->world, &lost, &error);
    if (line == NULL) {
        session_say(session, "%s", error.text);
        return;
    }
    printf("%s%s\n", line, lost > 0 ? " # and what --set cannot do: save the scene for that" : "");
    fflush(stdout);
    session_say(session, "%s", line);
    free(line);
}
