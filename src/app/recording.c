/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "capture_name.h"
#include "fail.h"
#include "session.h"
#include <stdio.h>

static void begin(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    char path[4096];
    BillowError error;
    /* Pixels in pairs, as the encoder wants them: an odd one at the edge is left out. */
    const VideoForm form = {.width = window->width & ~1,
                            .height = window->height & ~1,
                            .quick = true,
                            .fps = session->options->fps};
    const CaptureName name = {session->options->capture_folder,
                              "billow-",
                              session->world.scene.name,
                              1,
                              ".mp4",
                              "videos"};
    *recording =
        (Recording){.width = window->width, .height = window->height, .shown = recording->shown};
    recording->before = recording->shown;
    if (form.width < 2 || form.height < 2)
        session_say(session, "this window is too small to record");
    else if (!capture_name(&name, recording->name, sizeof recording->name, path, sizeof path,
                           &error) ||
             (recording->recorder = recorder_start(path, &form, &error)) == NULL)
        session_say(session, "%s", error.text);
    else
        session_say(session, "recording %s; F10 ends it", recording->name);
    session->exposed = true; /* the first frame is what is there */
}

void recording_toggle(Session *session, int argument)
{
    const Recording *recording = &session->recording;
    (void)argument;
    if (recording->recorder == NULL)
        begin(session);
    else if (recording->ending)
        session_say(session, "%s is still being written", recording->name);
    else
        recording_end(session, NULL);
}

void recording_end(Session *session, const char *why)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL || recording->ending)
        return;
    recording->ending = true;
    recorder_end(recording->recorder);
    if (why != NULL)
        session_say(session, "%s: %s ends here", why, recording->name);
}

/* Frames that simulated time asks for and that are not there yet. Time that goes backwards, as
 * after a reset, asks for none. */
static int frames_due(Recording *recording, double fps)
{
    if (recording->shown > recording->before)
        recording->seconds += recording->shown - recording->before;
    recording->before = recording->shown;
    return (int)((long)(recording->seconds * fps + 1e-6) + 1 - recording->frames);
}

void recording_see(Session *session)
{
    Recording *recording = &session->recording;
    const Window *window = &session->window;
    if (recording->recorder == NULL || recording->ending)
        return;
    if (window->width != recording->width || window->height != recording->height) {
        recording_end(session, "the window has another size");
        return;
    }
    int due = frames_due(recording, session->options->fps);
    if (due <= 0)
        return;
    uint8_t *room = recorder_room(recording->recorder);
    int repeated = room != NULL ? due - 1 : due;
    if (repeated > 0)
        recorder_repeat(recording->recorder, repeated);
    if (room != NULL) {
        renderer_read_window(window->width & ~1, window->height & ~1, room);
        recorder_submit(recording->recorder);
    }
    recording->frames += due;
}

void recording_poll(Session *session)
{
    Recording *recording = &session->recording;
    BillowError error;
    if (recording->recorder == NULL)
        return;
    RecorderState state = recorder_state(recording->recorder, &error);
    if (state == RECORDER_WRITING)
        return;
    if (state == RECORDER_DONE)
        session_say(session, "saved %s, %.1f s", recording->name,
                    (double)recording->frames / session->options->fps);
    else
        session_say(session, "%s", error.text);
    recorder_destroy(recording->recorder);
    recording->recorder = NULL;
}

void recording_close(Session *session)
{
    recorder_destroy(session->recording.recorder);
    session->recording.recorder = NULL;
}

const char *recording_words(Session *session)
{
    Recording *recording = &session->recording;
    if (recording->recorder == NULL)
        return NULL;
    int seconds = (int)recording->seconds;
    snprintf(recording->words, sizeof recording->words, recording->ending ? "saving" : "%d:%02d",
             seconds / 60, seconds % 60);
    return recording->words;
}
